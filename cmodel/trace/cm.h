/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cm.h: state of the connection matrix reader. Internal to the trace library.
 */
#ifndef EGRET_TRACE_CM_H
#define EGRET_TRACE_CM_H

#include "egret/trace_make.h"
#include "text.h"

/* A number from the file, and where it stood. */
struct cm_ref {
    uint32_t id;
    uint32_t index; /* of the flow or trigger */
    uint32_t line;
    uint64_t msg; /* flow ids: 0 no msg, 1 msg without a number, else the number + 2 */
};
struct cm_refs {
    struct cm_ref *ref;
    size_t count;
    size_t capacity;
};

enum cm_trigger_kind {
    CM_ONESHOT = 0,   /* the first activation starts all its flows */
    CM_MULTISHOT = 1, /* each activation starts the next flow */
    CM_BARRIER = 2    /* activation number `count` starts all its flows */
};
struct cm_trigger {
    uint32_t kind;
    uint32_t count;
    uint32_t line;
};
#define CM_NO_TRIGGER UINT32_MAX
/* Of a flow, indices of triggers. */
struct cm_links {
    uint32_t trigger;   /* starts it */
    uint32_t send_done; /* is activated when the last packet is acknowledged */
    uint32_t recv_done; /* is activated when the last packet has arrived */
};

struct cm {
    struct text_lines lines;
    struct egret_schedule *work;
    struct egret_trace_error *err;
    uint64_t zero_size;
    uint64_t declared[4]; /* Nodes, Connections, Triggers, Failures */
    uint32_t declared_line[4];
    bool body;
    struct cm_trigger *trigger;
    size_t trigger_count;
    size_t trigger_capacity;
    struct cm_links *links;  /* of each flow; null without triggers */
    struct cm_refs ids;      /* flow ids */
    struct cm_refs triggers; /* definitions */
    struct cm_refs starts;   /* flow is started by trigger id */
    struct cm_refs sends;    /* flow's end of sending activates it */
    struct cm_refs receives; /* flow's arrival activates it */
};

int egret_cm_add(struct cm *c, struct cm_refs *refs, uint32_t id, size_t index, uint64_t msg);
void egret_cm_free(struct cm *c);
/* Error at a line that is not the current one; the format takes both values, or the first. */
int egret_cm_fail_at(struct cm *c, uint32_t line, const char *format, unsigned long long value,
                     unsigned long long other);
/* Resolves the trigger numbers into indices, checks them, and appends operations and edges for the
 * triggers; cm_check.c. */
int egret_cm_resolve(struct cm *c);

#endif
