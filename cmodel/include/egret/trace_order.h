/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_order.h: do packets that must stay in order stay so? (docs/trace.md, section 6)
 *
 * Takes the events of a stimulus and the decisions of any selector, and knows neither hash nor
 * tables: each packet leaves at its time stamp by the port decided and arrives a fixed delay of
 * that port later. A queue pair is (source address, destination address, destination QP). A packet
 * is reordered if a packet of its queue pair that was sent later arrives before it; one that must
 * keep order, only if that later one must keep order, too.
 *
 * Wherever a queue pair that keeps order changes its port, the stream must show why: a cause below.
 * A reordering without a cause is an error. Memory grows with the queue pairs and the
 * packets that each sent within the last skew, not with the length of the stimulus.
 */
#ifndef EGRET_TRACE_ORDER_H
#define EGRET_TRACE_ORDER_H

#include "egret/egret.h"
#include "egret/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What happened between the packets on both sides of a change of port. The first one that applies
 * counts. */
enum egret_order_cause {
    EGRET_ORDER_PORT = 0,     /* a port of the group went up or down */
    EGRET_ORDER_GROUP = 1,    /* the group was written and is another one now */
    EGRET_ORDER_BUCKET = 2,   /* the bucket was rewritten */
    EGRET_ORDER_HASH = 3,     /* the hash that both went by is another one now */
    EGRET_ORDER_CLASS = 4,    /* CLASS_ORDERED was written */
    EGRET_ORDER_ROUTE = 5,    /* the packets are of different groups */
    EGRET_ORDER_EVICTED = 6,  /* flowlet: one of two flows of one entry took it from the other */
    EGRET_ORDER_CONFLICT = 7, /* flowlet: another flow has the entry */
    EGRET_ORDER_ENTRY = 8,    /* flowlet: the entry was written by configuration */
    EGRET_ORDER_EXPIRED = 9,  /* flowlet: a pause longer than idle, and idle is below the skew */
    EGRET_ORDER_TIME = 10,    /* flowlet: a time stamp stepped back */
    EGRET_ORDER_NONE = 11     /* nothing: an error */
};
#define EGRET_ORDER_CAUSES 12
/* "port", "group", ..., "none"; null if unknown. */
const char *egret_order_cause_name(unsigned cause);

struct egret_order_setup {
    uint32_t delay_ns[EGRET_MAX_PORTS]; /* of each port's path */
    /* Which packets must keep order: those of a BTH opcode marked here, or, if by_class, those
     * whose class is in CLASS_ORDERED at that moment. */
    bool by_class;
    bool opcode[256];
    uint64_t rate_mbps; /* of a sender's line, for the bound; 0: not known */
};
/* Marks what a receiver that places WRITE Only packets anywhere still needs in order: everything
 * but WRITE Only (0x0a, 0x2a, 0xaa), acknowledgements and CNP. */
void egret_order_default(bool opcode[256]);

/* A class, and whether its packets must keep order. */
struct egret_order_row {
    uint8_t cls;
    bool keeps;
    uint64_t packets; /* sent, of a queue pair */
    uint64_t bytes[EGRET_MAX_PORTS]; /* of groups with two members or more */
    uint64_t reordered;
    uint64_t overtaken_packets; /* most that overtook one packet; likewise below */
    uint64_t overtaken_bytes;
    uint64_t late_ns; /* longest time behind the first one of those */
    uint64_t passed;  /* keeps order: overtaken by packets that need not keep it, and no others */
    uint64_t cause[EGRET_ORDER_CAUSES]; /* of reordered, if it keeps order */
};
#define EGRET_ORDER_ROWS 32 /* class, and 16 more if it keeps order */

struct egret_order_figures {
    uint32_t skew_ns;
    uint64_t flows;
    uint64_t dropped;
    uint64_t no_queue_pair; /* packets without a BTH */
    uint64_t choice; /* ports of the groups with two members or more */
    struct egret_order_row row[EGRET_ORDER_ROWS];
    uint64_t moves[EGRET_ORDER_CAUSES]; /* changes of port of those that keep order, by cause */
    uint64_t moves_safe; /* flowlet: behind a pause that the skew cannot bridge */
    uint64_t window_bytes; /* most bytes that a queue pair sent within the skew */
    /* What a line of rate_mbps carries within the skew; a packet may be overtaken by no more than
     * that and its own length. 0 without a rate. */
    uint64_t bound_bytes;
    uint64_t exceeded; /* queue pairs beyond it: an error */
    /* The first reordering without a cause; its number is row[].cause[NONE]. */
    char error[256];
};

struct egret_order; /* opaque */

/* Begins with no packet seen; delays are ns of ports 0..num_ports - 1. setup and out are not null.
 * EGRET_ERR_CONFIG (also for a null cfg), EGRET_ERR_MEMORY; *out is untouched then. */
int egret_order_create(const struct egret_cfg *cfg, const struct egret_order_setup *setup,
                       struct egret_order **out);
/* Frees it; null is allowed. */
void egret_order_destroy(struct egret_order *o);
/* Takes an event and its decision. A lack of memory is told by egret_order_end(). */
void egret_order_event(struct egret_order *o, const struct egret_event *ev,
                       const struct egret_decision *d);
/* All packets arrive. EGRET_OK, or EGRET_ERR_MEMORY: then the figures are not complete. */
int egret_order_end(struct egret_order *o);
/* Valid until egret_order_destroy(); complete after egret_order_end(). */
const struct egret_order_figures *egret_order_figures(const struct egret_order *o);
/* Reorderings without a cause, and bounds exceeded. */
uint64_t egret_order_errors(const struct egret_order *o);
/* Sum of the bytes of a class's packets that had a choice, and the most on one port. */
void egret_order_spread(const struct egret_order *o, unsigned row, uint64_t *bytes, uint64_t *max);
/* One JSON object. */
void egret_order_json(const struct egret_order *o, struct egret_outfile *f);

#ifdef __cplusplus
}
#endif
#endif
