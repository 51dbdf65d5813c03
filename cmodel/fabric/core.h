/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core.h: what the files of the fabric share: packets, links, nodes, workers. docs/fabric.md.
 *
 * Time is picoseconds. A *place* is where a host is plugged in: edge * hosts_per_edge + slot; ranks
 * are put on places before anything runs. A *window* is as long as the shortest way from one node
 * to another, so all that can reach a node in a window is known when the window opens. Each node
 * takes its bucket of the window, sorts it by (time, input port), and appends what it sends to
 * buckets of later windows. Nodes belong to workers (threads) for good; only the owner touches a
 * node, its links, and the operations of its places. So nothing depends on how many workers there
 * are.
 */
#ifndef EGRET_FABRIC_CORE_H
#define EGRET_FABRIC_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "egret/fabric.h"

/* ---- packets ---- */

enum {
    FAB_ACK = 1,     /* answers data: `sequence` is that packet's; of a sack ACK that is no NACK how
                      * many packets of the message have arrived */
    FAB_ECN = 2,     /* marked on its way; an ACK: the packet that it answers was */
    FAB_TRIMMED = 4, /* payload cut off by a full queue; an ACK: says so (a NACK) */
    FAB_SIGNAL = 8,  /* no packet: an edge of the schedule fires, from operation `flow` to
                      * operation `sequence`, under another edge switch */
    FAB_LOST = 16    /* no packet: ideal transport hears that packet `sequence` was lost */
};
#define FAB_IN_SIGNAL 0xfeu /* `in` of what is no packet: behind all packets of the same time */

struct fab_packet {
    uint64_t time;     /* its last bit is at the node */
    uint32_t flow;     /* operation of the schedule */
    uint32_t sequence; /* data packet of the message, from 0; of an ACK see FAB_ACK */
    uint32_t src;      /* place that sent it; of an ACK the receiver of the data */
    uint32_t dst;
    uint32_t entropy; /* what the host scheme chose; an ACK brings it back */
    uint16_t length;  /* bytes on the wire with FCS, without preamble and gap */
    uint8_t in;       /* port of the node by which it arrives; at a host node the slot */
    uint8_t flags;
};

#define FAB_CHUNK_PACKETS 31u
struct fab_chunk { /* 1024 bytes */
    struct fab_chunk *next;
    uint32_t n;
    uint32_t number; /* in its bucket, from 0; all before the last are full */
    uint32_t pad[4];
    struct fab_packet packet[FAB_CHUNK_PACKETS];
};
struct fab_bucket {         /* in the order of posting */
    struct fab_chunk *head; /* null: empty */
    struct fab_chunk *tail; /* of an empty one the worker's `full` */
};
/* A packet that is further ahead than the ring reaches. */
struct fab_far {
    struct fab_packet packet;
    uint32_t node;
};

/* ---- links ---- */

#define FAB_NEVER UINT64_MAX

/* One direction of a cable, with the queue in front of it. The first half, a cache line, is all
 * that a packet needs. */
struct fab_link {
    uint64_t free_at;    /* the last packet's gap is over */
    uint64_t usual_ps;   /* below this wait and serialisation nothing happens, fab_link_usual() */
    uint64_t latency_ps; /* propagation, and the delay of the switch it leads to */
    uint64_t packets;    /* put on it so far */
    uint64_t bytes;
    uint64_t wait_sum; /* of all packets, ps */
    uint64_t wait_max;
    uint32_t byte_ps;   /* picoseconds a byte if that is a whole number, else 0 */
    uint32_t node : 24; /* it leads to */
    uint32_t in : 8;    /* by this port */

    uint64_t buffer_ps; /* wait beyond which a packet is dropped or trimmed; FAB_NEVER */
    uint64_t ecn_ps;    /* wait from which on packets are marked; FAB_NEVER */
    uint64_t down_at;   /* what has not left by then is lost; FAB_NEVER */
    uint64_t told_at;   /* from here on the switch knows that it is down (jsq); FAB_NEVER */
    uint64_t lost;      /* dropped: full */
    uint64_t dead;      /* lost: link down */
    uint32_t marked;
    uint32_t trimmed;
    uint32_t mbps;
    uint8_t tier; /* enum egret_fabric_queue */
    uint8_t pad[3];
};

/* What a link's usual_ps must be: from there on egret_fab_unusual() looks at the packet. */
static inline uint64_t fab_link_usual(const struct fab_link *l)
{
    if (l->byte_ps == 0 || l->down_at != FAB_NEVER) {
        return 0;
    }
    return l->ecn_ps <= l->buffer_ps ? l->ecn_ps : l->buffer_ps + 1u;
}
static inline uint64_t fab_serial_ps(const struct fab_link *l, uint32_t bytes)
{
    return l->byte_ps ? (uint64_t)bytes * l->byte_ps : (uint64_t)bytes * 8000000u / l->mbps;
}

/* ---- nodes ---- */

enum fab_kind { FAB_HOSTS = 0, FAB_EDGE = 1, FAB_AGG = 2, FAB_CORE = 3 };

/* Something that a switch is told at a time: before the packets of that time. */
struct fab_agenda {
    uint64_t time;
    uint32_t at;   /* address of a WRITE, port of a PORT that goes down */
    uint32_t data; /* of a WRITE */
    uint32_t kind; /* enum egret_event_kind, one of the two */
};
static inline struct egret_event fab_agenda_event(const struct fab_agenda *a)
{
    struct egret_event ev = {0};
    ev.now = a->time / 1000u;
    ev.kind = (uint8_t)a->kind;
    if (a->kind == EGRET_EV_PORT) {
        ev.port = a->at;
    } else {
        ev.addr = a->at;
        ev.data = a->data;
    }
    return ev;
}

/* From `time` on, destinations go by other groups: failures that a switch has learnt of. */
struct fab_reroute {
    uint64_t time;
    const uint16_t *up_group;   /* as fab_route.up_group */
    const uint64_t *up_members; /* as fab_node.up_members */
};

/* Where packets to a place go: group and key of the request. Tables of a switch kind:
 * edge: own place: group 1 + slot; else group of its edge's weights, key edge.
 * aggregation: own pod: group 1 + edge in pod; else group, key pod. core: group 1 + pod.
 * up_group is null while all destinations use group 0. */
struct fab_route {
    const uint16_t *up_group; /* by key (destination edge or pod) */
};

struct fab_node {
    uint8_t kind; /* enum fab_kind */
    uint8_t worker;
    uint8_t ports;                        /* a host node: slots */
    uint32_t index;                       /* among its kind, over all pods */
    uint32_t first_link;                  /* link of port 0 */
    const struct egret_selector_ops *ops; /* null: jsq */
    void *self;
    struct fab_route route;
    struct fab_agenda *agenda; /* by time; switches */
    uint32_t agenda_next;
    uint32_t agenda_count;
    uint64_t next_tick;            /* end of the load period; FAB_NEVER */
    uint64_t wake;                 /* host nodes: something to do without an arrival; FAB_NEVER */
    struct fab_recorder *recorder; /* null: not recorded */
    uint64_t decisions;
    uint64_t no_port;           /* dropped by the selector */
    uint64_t tick_ps;           /* the load period; next_tick is its first end */
    uint64_t route_at;          /* when the next of reroute is due; FAB_NEVER */
    uint32_t first_up;          /* first uplink; ports without any */
    uint32_t pod;               /* of a host node, edge, aggregation switch */
    const uint64_t *up_members; /* jsq: by key, the ports that lead there; null: all uplinks */
    const struct fab_reroute *reroute; /* by time */
    uint32_t reroute_next;
    uint32_t reroute_count;
};

/* The route that is due takes effect, and the one behind it is made ready. */
static inline void fab_reroute(struct fab_node *n)
{
    const struct fab_reroute *r = &n->reroute[n->reroute_next++];
    n->route.up_group = r->up_group;
    n->up_members = r->up_members;
    bool more = n->reroute_next < n->reroute_count;
    n->route_at = more ? r[1].time : FAB_NEVER;
}

/* ---- workers ---- */

#define FAB_RING_MOST 1024u /* windows of a ring */
#define FAB_NEXT 4u         /* windows ahead whose buckets are at hand */
#define FAB_BURST 64u       /* events of a call of a selector */

struct fab_worker {
    struct egret_fabric *fabric;
    uint32_t number;
    struct fab_samples *samples;       /* sample.c; null: no utilisation over time */
    struct fab_bucket *bucket;         /* [window & ring mask][node]: what this worker has posted */
    struct fab_bucket *next[FAB_NEXT]; /* of the current window and the ones behind it */
    uint64_t used[FAB_RING_MOST / 64u]; /* bit (window & ring mask): it has posted to that window */
    uint64_t taken;                     /* packets that it has taken from buckets */
    uint32_t gap_bytes;                 /* the specification's */
    struct fab_far *far;
    size_t fars;
    size_t far_capacity;
    uint64_t far_window;    /* not looked through before */
    struct fab_chunk *free; /* chunks to use */
    void **slab;            /* all memory that chunks were cut from */
    size_t slabs;
    uint64_t slab_chunks;      /* chunks of the next slab */
    struct fab_chunk full;     /* holds nothing, has no room */
    uint64_t pending;          /* chunks and far packets posted, less those it took: may wrap */
    struct fab_packet *sorted; /* of the node that is worked on, egret_fab_take() */
    struct fab_sort *sort;     /* queue.c's */
    uint32_t *own;             /* its nodes */
    uint32_t owns;
    struct egret_event event[FAB_BURST];
    struct egret_decision decision[FAB_BURST];
    struct egret_fabric_totals totals;
    uint64_t unfinished; /* operations of its places that are not over */
    uint64_t answered;   /* ACKs that came to its places and were new */
    bool idle;           /* nothing happened at its nodes in the last window */
    int code;            /* an error that ends the run */
    char text[256];
    double seconds; /* of this window; then of all */
    double cpu;
};

struct egret_fabric {
    struct egret_fabric_spec spec;
    const struct egret_schedule *work;
    struct fab_node *node; /* host nodes, edges, aggregation switches, cores */
    uint32_t nodes;
    uint32_t first_node[4]; /* by enum fab_kind */
    struct fab_link *link;
    uint32_t links;
    uint32_t window_ps;
    uint64_t window_inverse; /* offset * inverse >> 64 is offset / window_ps */
    uint32_t ring;           /* windows, a power of two */
    uint64_t window;         /* current */
    uint64_t window_start;   /* ps; its end is window_start + window_ps */
    struct fab_worker *worker;
    uint32_t workers;
    uint64_t posted;         /* bit i: worker i has posted to the current window */
    uint32_t *place;         /* of a rank */
    uint32_t *address;       /* IPv4 address of a place, host byte order */
    struct fab_hosts *hosts; /* host.c */
    struct egret_fabric_results results;
    struct fab_plan *plan; /* plan.h: what setup.c and failure.c know */
};

/* ---- queue.c: buckets ---- */

/* Puts a packet into the bucket of a node. packet->time must lie behind the current window.
 * Only by the worker that owns the sender. EGRET_ERR_MEMORY in w->code. */
void egret_fab_post(struct fab_worker *w, uint32_t node, const struct fab_packet *packet);
/* Moves all that arrives at a node in the current window to w->sorted, by (time, in, flow,
 * sequence); the number of them. */
size_t egret_fab_take(struct fab_worker *w, uint32_t node);

/* ---- link.c ---- */

/* Sends a packet by a link at `now`, its arrival at the queue: drops, marks, trims, counts, posts.
 * True if it is on its way; its length and flags may have changed then. A lost packet of
 * ideal transport is told to its sender (egret_fab_notice()). */
bool egret_fab_send(struct fab_worker *w, struct fab_link *l, uint64_t now,
                    struct fab_packet *packet);
/* transport_ideal.c: a packet was lost at `now`: tells the sender of the data. */
void egret_fab_notice(struct fab_worker *w, uint64_t now, const struct fab_packet *packet);

/* ---- topology.c, setup.c, failure.c: called in this order ---- */

/* Nodes, links, places, addresses from f->spec. */
int egret_fab_build(struct egret_fabric *f, struct egret_trace_error *err);
/* Selectors and their configuration writes; failures that are known from the start too. */
int egret_fab_setup(struct egret_fabric *f, struct egret_trace_error *err);
/* Failed links: down_at, told_at, agenda of the switches, routes. */
int egret_fab_failures(struct egret_fabric *f, struct egret_trace_error *err);
/* Frees what these three have allocated, as far as they came; all of it is null then. */
void egret_fab_teardown(struct egret_fabric *f);

/* The number of a switch: edges, then aggregation switches, then cores. Its seed is the fabric's
 * XOR this. */
static inline uint32_t fab_switch_number(const struct egret_fabric *f, uint32_t node)
{
    return node - f->first_node[FAB_EDGE];
}
/* Emits the configuration writes of a switch at the start; none for jsq. After egret_fab_setup().
 */
int egret_fab_switch_writes(const struct egret_fabric *f, uint32_t node, egret_emit_fn emit,
                            void *ctx, struct egret_trace_error *err);
/* The hardware configuration of a tier's switches (enum fab_kind): the one of the specification, or
 * the smallest that is large enough. Refuses one that is too small. After egret_fab_build(). */
int egret_fab_tier_cfg(struct egret_fabric *f, uint32_t kind, struct egret_cfg *out,
                       struct egret_trace_error *err);
/* The rate in millionths of the line rate at which no live link carries more than it can: B / F of
 * papers.md 0.1. After egret_fab_build(). 0 if there is no memory. */
uint32_t egret_fab_rho_max(struct egret_fabric *f);
/* Group and rotation key of a request at a switch of a kind, by the address 10.pod.edge.(slot + 2)
 * of where it goes. */
static inline void fab_request_of(const struct egret_fabric *f, const struct fab_node *n,
                                  enum fab_kind kind, uint32_t address, uint16_t *group,
                                  uint16_t *key)
{
    uint32_t pod = address >> 16 & 0xffu;
    uint32_t k = pod;
    if (kind == FAB_EDGE) {
        k = pod * f->spec.topology.edges_per_pod + (address >> 8 & 0xffu);
        if (k == n->index) {
            *group = (uint16_t)((address & 0xffu) - 1u);
            *key = (uint16_t)k;
            return;
        }
    } else if (kind == FAB_AGG) {
        if (pod == n->pod) {
            *group = (uint16_t)(1u + (address >> 8 & 0xffu));
            *key = (uint16_t)pod;
            return;
        }
    } else {
        *group = (uint16_t)(1u + pod);
        *key = (uint16_t)pod;
        return;
    }
    *group = n->route.up_group ? n->route.up_group[k] : 0;
    *key = (uint16_t)k;
}
static inline void fab_request(const struct egret_fabric *f, const struct fab_node *n, uint32_t dst,
                               uint16_t *group, uint16_t *key)
{
    fab_request_of(f, n, (enum fab_kind)n->kind, f->address[dst], group, key);
}

/* ---- switch.c ---- */

/* A selector that failed, or differs: ends the run with a line about it (run.c). */
void egret_fab_selector_failed(struct fab_worker *w, struct fab_node *n, int code, size_t done);
/* One window of a switch. */
void egret_fab_switch(struct fab_worker *w, struct fab_node *n);

/* ---- host.c, transports, host schemes, work.c ---- */

int egret_fab_hosts_open(struct egret_fabric *f, struct egret_trace_error *err);
void egret_fab_hosts_close(struct egret_fabric *f);
/* One window of the hosts under one edge. */
void egret_fab_hosts(struct fab_worker *w, struct fab_node *n);

/* ---- work_check.c ---- */

/* After egret_fab_hosts_open(): refuses a message that has no live path from the start, and a
 * buffer that cannot hold its largest packet. */
int egret_fab_check_work(const struct egret_fabric *f, struct egret_trace_error *err);
/* Why nothing arrives at `now`, a million packets after the last that did. */
void egret_fab_vain_text(const struct egret_fabric *f, uint64_t now, char *out, size_t size);

/* ---- record.c ---- */

int egret_fab_record_open(struct egret_fabric *f, struct egret_trace_error *err);
/* An event that a switch is given, with the packet that it is of (null: none). */
void egret_fab_record(struct fab_worker *w, struct fab_node *n, const struct egret_event *ev,
                      const struct fab_packet *packet);
/* Gives the file its name. */
int egret_fab_record_close(struct egret_fabric *f, struct egret_trace_error *err);
/* Ends a recording that is still open; nothing is left on disk. For every run that went wrong, and
 * harmless after egret_fab_record_close(). */
void egret_fab_record_abort(struct egret_fabric *f);

/* ---- results.c ---- */

/* EGRET_ERR_MEMORY. */
int egret_fab_results(struct egret_fabric *f);

#endif
