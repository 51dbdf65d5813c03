/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.h: what is sent, when, and after what: the one form that all traces and collectives
 * take.
 *
 * A schedule is a list of operations (messages, delays, turnstiles) and edges between them. An
 * operation starts when `need` of the edges into it have fired, and not before start_ps. Times are
 * picoseconds, sizes bytes. Nothing here keeps a global; a schedule belongs to one thread while it
 * is built, and may be read by many once it is sealed.
 */
#ifndef EGRET_SCHEDULE_H
#define EGRET_SCHEDULE_H

#include <stdbool.h>

#include "egret/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_NO_OP UINT32_MAX
#define EGRET_SCHEDULE_MAX_OPS (1u << 28)
#define EGRET_SCHEDULE_MAX_RANKS (1u << 24)
#define EGRET_PRIORITY_DEFAULT 2000000u /* htsim's */

enum egret_op_kind {
    EGRET_OP_MESSAGE = 0,  /* amount bytes (at least 1) from rank src to rank dst, src != dst */
    EGRET_OP_DELAY = 1,    /* amount picoseconds (0 allowed: a join) at rank src; dst is src */
    EGRET_OP_TURNSTILE = 2 /* each activation fires the next of its edges, in the order in which
                            * they were added; need and amount are 0; htsim's multishot */
};

/* What fires an edge. */
enum egret_op_event {
    EGRET_ON_START = 0, /* the operation starts */
    EGRET_ON_SENT = 1,  /* a message: its last packet is acknowledged; a delay: as DONE */
    EGRET_ON_DONE = 2   /* a message: its last packet has arrived; a delay: it is over */
};

struct egret_op {
    uint64_t start_ps; /* not before this */
    uint64_t amount;   /* bytes of a message, picoseconds of a delay */
    uint64_t pair;     /* messages of one value share their queue pair */
    uint64_t where;    /* line (from 1) or byte offset in the file, for messages about it; 0 none */
    uint32_t src;      /* rank; a host after placement */
    uint32_t dst;
    uint32_t need;     /* edges that must fire first; egret_schedule_after() counts it up */
    uint32_t priority; /* htsim's; EGRET_PRIORITY_DEFAULT */
    uint32_t tag;      /* user's number: flow id, node id, message tag; 0 none */
    uint16_t file;     /* which of the files it came from, from 0 */
    uint8_t kind;      /* enum egret_op_kind */
};

/* An edge behind egret_schedule_seal(): 30 bits of operation, 2 bits of event. */
struct egret_edge {
    uint32_t to_event;
};
static inline uint32_t egret_edge_to(struct egret_edge e)
{
    return e.to_event & 0x3fffffffu;
}
static inline uint32_t egret_edge_event(struct egret_edge e)
{
    return e.to_event >> 30;
}

enum egret_switch_type { EGRET_SWITCH_TOR = 0, EGRET_SWITCH_AGG = 1, EGRET_SWITCH_CORE = 2 };

struct egret_link_failure {
    uint32_t switch_type; /* enum egret_switch_type */
    uint32_t switch_id;
    uint32_t link_id;
};

/* Grows by the functions below; freed by egret_schedule_free(). All zero is an empty one. */
struct egret_schedule {
    uint32_t ranks;
    struct egret_op *op;
    size_t ops;
    size_t op_capacity;
    struct egret_edge
        *edge;       /* sealed: those of operation i are edge[first[i]] .. edge[first[i+1]-1] */
    uint32_t *first; /* null until sealed */
    size_t edges;
    uint32_t (*raw)[2]; /* until sealed: from, to_event */
    size_t raw_capacity;
    struct egret_link_failure *failure;
    size_t failures;
    size_t failure_capacity;
    bool by_byte; /* op.where is an offset in its file, not a line */
};

/* Frees all; s is an empty schedule again. */
void egret_schedule_free(struct egret_schedule *s);
/* Appends an operation; *index (may be null) is its number. EGRET_ERR_MEMORY; EGRET_ERR_RANGE
 * beyond EGRET_SCHEDULE_MAX_OPS. Nothing else is checked before the seal. s is as it was on an
 * error. Likewise below. The schedule must not be sealed. */
int egret_schedule_op(struct egret_schedule *s, const struct egret_op *op, uint32_t *index);
/* A message of `bytes`; pair is src << 32 | dst, priority the default, need 0. */
int egret_schedule_message(struct egret_schedule *s, uint32_t src, uint32_t dst, uint64_t bytes,
                           uint32_t *index);
/* A delay of ps picoseconds at a rank; 0 makes a join. */
int egret_schedule_delay(struct egret_schedule *s, uint32_t rank, uint64_t ps, uint32_t *index);
/* `after` also waits for an event of `before`: one more edge, and one more needed. */
int egret_schedule_after(struct egret_schedule *s, uint32_t before, enum egret_op_event event,
                         uint32_t after);
/* An edge alone, as htsim's triggers need: the caller sets need (1: the first activation starts it,
 * K: a barrier of K). */
int egret_schedule_edge(struct egret_schedule *s, uint32_t before, enum egret_op_event event,
                        uint32_t after);
/* Appends a failed link; kept, not acted upon. */
int egret_schedule_failure(struct egret_schedule *s, const struct egret_link_failure *f);

/* Sorts the edges by the operation they leave, in the order in which they were added, and checks
 * all: ranks (at least 1), kinds, sizes, edges in range, and that every operation can start. name
 * is of the file or collective, for messages; file_name (may be null) names file i of op.file. A
 * schedule that would stand still is EGRET_ERR_RANGE with the operation that waits and what it
 * waits on, link by link, up to a cycle ("a.goal:17: message 5 (1 -> 2) never starts: it waits on
 * ..."); s is not sealed then. An operation that needs 0 has no edges into it. No further change
 * afterwards, but of placement: nothing more can be appended. */
int egret_schedule_seal(struct egret_schedule *s, const char *name, const char *const *file_name,
                        struct egret_trace_error *err);
/* Maps ranks to hosts by a seeded random permutation. */
int egret_schedule_place_random(struct egret_schedule *s, uint32_t seed);

/* What a schedule holds. */
struct egret_schedule_summary {
    uint64_t messages;
    uint64_t bytes;
    uint64_t delays;   /* of more than 0 ps */
    uint64_t delay_ps; /* their sum over all ranks */
    uint64_t edges;
    uint64_t roots;    /* operations that wait for nothing */
    uint64_t depth;    /* operations of the longest chain, joins and turnstiles not counted; of more
                        * edges than are needed those count that fire first without time */
    uint64_t smallest; /* message, bytes; 0 without one */
    uint64_t largest;
};
/* s must be sealed. EGRET_ERR_MEMORY. */
int egret_schedule_summary(const struct egret_schedule *s, struct egret_schedule_summary *out);

#ifdef __cplusplus
}
#endif
#endif
