/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.h: what the files of the order oracle share. Internal to the trace library.
 */
#ifndef EGRET_TRACE_ORDER_INTERNAL_H
#define EGRET_TRACE_ORDER_INTERNAL_H

#include "egret/regs.h"
#include "egret/trace_order.h"

/* Events are counted from 1, so that 0 is never. */

struct order_group {
    uint32_t word[7];
    uint64_t written; /* event that made it another one */
};

/* What the stream has set so far, followed from its writes and port events. */
struct order_state {
    struct egret_cfg cfg;
    uint64_t event;
    uint32_t stage[6];
    struct order_group *group;
    uint8_t *bucket;
    uint64_t *bucket_written;
    uint64_t *entry_written; /* flowlet entries */
    uint32_t *entry_owner;   /* flow that an entry was given to, from 1; ORDER_OTHER */
    uint64_t up;
    uint64_t port_changed[EGRET_MAX_PORTS];
    uint32_t *hash_word; /* its registers and its matrix */
    uint64_t hash;       /* fingerprint of them */
    uint32_t small;      /* QUALITY_SMALL */
    uint32_t class_ordered;
    uint64_t class_written;
    uint64_t last_now; /* as stamped */
    uint64_t time;     /* latest stamp so far */
    uint64_t stepped_back;
};
#define ORDER_OTHER UINT32_MAX /* a packet without a queue pair */

/* What is remembered of the flow's last packet that keeps order. */
struct order_last {
    uint64_t event; /* 0: there was none */
    uint64_t now;   /* as stamped */
    uint64_t time;  /* as sent: the latest stamp so far */
    uint64_t hash; /* fingerprint */
    uint32_t data;
    uint16_t group;
    uint8_t port;
    uint8_t scheme;
    bool hashed; /* its port depends on the hash */
};

/* Bits of causes, and: */
#define ORDER_MOVED (1u << 14) /* another port than that of the packet before */
#define ORDER_SAFE (1u << 15)  /* it moved behind a pause not shorter than the skew */

int egret_order_state_open(struct order_state *s, const struct egret_cfg *cfg);
void egret_order_state_close(struct order_state *s);
/* Every event, before anything is asked about it. */
void egret_order_state_event(struct order_state *s, const struct egret_event *ev);
/* Members of a group; 0 if it is out of range. */
uint64_t egret_order_members(const struct order_state *s, uint32_t group);
/* Does its port depend on the hash? */
bool egret_order_hashed(const struct order_state *s, const struct egret_event *ev,
                        const struct egret_decision *d);
/* Why the packet does not take the port of the one before: bits of causes, ORDER_MOVED, ORDER_SAFE.
 * flow: from 1. */
uint32_t egret_order_why(const struct order_state *s, uint32_t flow, uint32_t skew_ns,
                         const struct order_last *last, const struct egret_event *ev,
                         const struct egret_decision *d);
/* After that: the packet's flowlet entry is its flow's. */
void egret_order_own(struct order_state *s, uint32_t flow, const struct egret_decision *d);

#endif
