/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_oracle.h: a plain, slow fabric to check the fast one against (it runs in
 * fabric_oracle_run.h): one heap of arrivals and departures, two events a hop, queues as lists of
 * packets that are walked. It has its own wiring, requests, queues, hosts and transports, and
 * shares with cmodel/fabric only what a switch is configured with (egret_fab_switch_writes),
 * addresses and places.
 */
#ifndef EGRET_FABRIC_ORACLE_H
#define EGRET_FABRIC_ORACLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define ORACLE_FAIL(text)                                                                          \
    do {                                                                                           \
        fprintf(stderr, "fabric_oracle: %s\n", (text));                                            \
        exit(3);                                                                                   \
    } while (0)

#define O_SET_WORDS 4u
struct o_set { /* of packets of a message */
    uint64_t bits[O_SET_WORDS];
};

struct o_packet {
    uint32_t flow;
    uint32_t sequence;
    uint32_t src; /* places */
    uint32_t dst;
    uint32_t entropy;
    uint32_t length;
    bool ack;
    bool ecn;
    struct o_set said; /* sack, an ACK: what has arrived */
    bool signal;       /* no packet: an edge of the schedule, from `flow` to `sequence` */
};

struct o_item { /* a packet in a queue */
    struct o_packet packet;
    uint64_t since;
    struct o_item *next;
};
struct o_fifo {
    struct o_item *head;
    struct o_item *tail;
};

struct o_link {
    uint64_t mbps;
    uint64_t latency;
    uint64_t buffer; /* ps; UINT64_MAX: without end */
    uint64_t ecn;
    uint32_t to;   /* node */
    uint32_t in;   /* port there */
    uint64_t busy; /* until then */
    struct o_fifo queue;
    uint64_t packets, bytes, wait_sum, wait_max, lost, marked;
};

struct o_node {
    unsigned kind; /* 0 host, 1 edge, 2 aggregation, 3 core */
    uint32_t index;
    uint32_t ports;
    uint32_t first_up;
    struct o_link *link; /* by port */
    void *self;          /* the selector; null: jsq */
    uint64_t tick;       /* period, ps; 0: none */
};

struct o_message { /* an operation of the schedule; packets 0: a delay */
    uint32_t src;  /* places */
    uint32_t dst;
    uint64_t bytes;
    uint32_t packets;
    uint32_t sent; /* packets, additional ones too */
    uint32_t owed; /* to be sent beyond `packets`, for lost ones */
    uint32_t received;
    uint32_t acked;
    uint32_t highest;                  /* sequence that has arrived, plus 1 */
    struct o_set has;                  /* sack: at the receiver */
    struct o_set known, again, resent; /* sack, the sender: has arrived; to be sent again; was */
    uint64_t progress;                 /* sack: something was sent, or known */
    uint32_t fired;                    /* edges of the schedule into it */
    bool ready;                        /* in the host's list */
    bool started;
};

struct o_host {
    struct o_fifo acks;
    uint32_t *ready; /* messages in turn: a list of `n` */
    uint32_t n;
    uint32_t capacity;
    uint64_t data_at; /* rate below the link's: no data before */
    bool ack_was_last;
    bool kicked;
};

enum o_kind { O_TICK = 0, O_START = 1, O_ARRIVE = 2, O_NOTICE = 3, O_FREE = 4, O_KICK = 5 };

struct o_event {
    uint64_t time;
    enum o_kind kind;
    uint32_t node; /* START: message, or the end of a delay */
    uint32_t in;   /* ARRIVE: port; FREE: port of the link */
    uint64_t order;
    struct o_packet packet;
};

struct oracle {
    struct egret_fabric *f;
    struct egret_topology t;
    struct o_node *node;
    uint32_t nodes;
    uint32_t first[4]; /* hosts, edges, aggregation switches, cores */
    struct o_message *message;
    struct o_host *host;
    struct o_event *heap;
    size_t events, capacity;
    size_t traffic; /* events that are no ticks */
    uint64_t now, count;
    /* What has been, as struct egret_fabric_totals. */
    uint64_t hops, data_sent, acks_sent, data_received, reordered, extent, decisions, done, resent;
    uint64_t window; /* that an edge of the schedule takes to another edge switch */
    uint32_t *fire;  /* operations that have started; their edges are to fire */
    size_t fire_first, fires;
    uint64_t last_done, last_acked, over, acks_received;
    bool noticed; /* a notice stands for an ACK */
};

static inline uint64_t o_serial(const struct o_link *l, uint64_t bytes)
{
    return bytes * 8000000u / l->mbps;
}
static inline bool o_is_host(const struct oracle *o, uint32_t node)
{
    return o->node[node].kind == 0;
}

static void *o_array(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1u, size);
    if (!p) {
        ORACLE_FAIL("no memory");
    }
    return p;
}

/* ---- lists ---- */

static void o_append(struct o_fifo *q, const struct o_packet *p, uint64_t since)
{
    struct o_item *i = o_array(1, sizeof *i);
    i->packet = *p;
    i->since = since;
    if (q->tail) {
        q->tail->next = i;
    } else {
        q->head = i;
    }
    q->tail = i;
}

static struct o_item o_remove(struct o_fifo *q)
{
    struct o_item *i = q->head;
    struct o_item out = *i;
    q->head = i->next;
    if (!q->head) {
        q->tail = NULL;
    }
    free(i);
    return out;
}

/* ---- the heap: by time, kind, node, port, and the order in which events were made ---- */

static bool o_before(const struct o_event *a, const struct o_event *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind;
    }
    if (a->node != b->node) {
        return a->node < b->node;
    }
    if (a->in != b->in) {
        return a->in < b->in;
    }
    if (a->kind == O_NOTICE && a->packet.flow != b->packet.flow) {
        return a->packet.flow < b->packet.flow;
    }
    if (a->kind == O_NOTICE && a->packet.sequence != b->packet.sequence) {
        return a->packet.sequence < b->packet.sequence;
    }
    return a->order < b->order;
}

static void o_push(struct oracle *o, uint64_t time, enum o_kind kind, uint32_t node, uint32_t in,
                   const struct o_packet *p)
{
    if (o->events == o->capacity) {
        o->capacity = o->capacity ? 2u * o->capacity : 1024u;
        o->heap = realloc(o->heap, o->capacity * sizeof *o->heap);
        if (!o->heap) {
            ORACLE_FAIL("no memory");
        }
    }
    struct o_event e = {.time = time, .kind = kind, .node = node, .in = in, .order = o->count++};
    if (p) {
        e.packet = *p;
    }
    o->traffic += kind != O_TICK;
    size_t at = o->events++;
    while (at > 0 && o_before(&e, &o->heap[(at - 1u) / 2u])) {
        o->heap[at] = o->heap[(at - 1u) / 2u];
        at = (at - 1u) / 2u;
    }
    o->heap[at] = e;
}

static struct o_event o_pop(struct oracle *o)
{
    struct o_event top = o->heap[0];
    struct o_event last = o->heap[--o->events];
    size_t at = 0;
    for (;;) {
        size_t child = 2u * at + 1u;
        if (child >= o->events) {
            break;
        }
        if (child + 1u < o->events && o_before(&o->heap[child + 1u], &o->heap[child])) {
            child++;
        }
        if (!o_before(&o->heap[child], &last)) {
            break;
        }
        o->heap[at] = o->heap[child];
        at = child;
    }
    o->heap[at] = last;
    o->traffic -= top.kind != O_TICK;
    return top;
}

/* ---- wiring ---- */

static uint64_t o_bytes_ps(uint64_t bytes, uint64_t mbps)
{
    return bytes ? bytes * 8000000u / mbps : UINT64_MAX;
}

static void o_wire(struct oracle *o, uint32_t from, uint32_t port, uint32_t to, uint32_t in,
                   unsigned tier, unsigned queue)
{
    struct o_link *l = &o->node[from].link[port];
    l->mbps = o->t.rate_mbps[tier];
    l->latency = o->t.latency_ps[tier];
    if (o->node[to].kind > 0) {
        l->latency += o->t.switch_ps[o->node[to].kind - 1u];
    }
    o->window = l->latency < o->window ? l->latency : o->window;
    l->buffer = o_bytes_ps(o->f->spec.buffer_bytes[queue], l->mbps);
    l->ecn = o_bytes_ps(o->f->spec.ecn_bytes[queue], l->mbps);
    l->to = to;
    l->in = in;
}

static void o_cable(struct oracle *o, uint32_t low, uint32_t low_port, uint32_t high,
                    uint32_t high_port, unsigned tier, unsigned up, unsigned down)
{
    o_wire(o, low, low_port, high, high_port, tier, up);
    o_wire(o, high, high_port, low, low_port, tier, down);
}

static void o_build(struct oracle *o)
{
    const struct egret_topology *t = &o->t;
    uint32_t edges = t->pods * t->edges_per_pod;
    uint32_t aggs = t->pods * t->aggs_per_pod;
    uint32_t cores = t->tiers == 3u ? t->aggs_per_pod * t->agg_uplinks : 0;
    uint32_t number[4] = {t->hosts, edges, aggs, cores};
    uint32_t down[4] = {0, t->hosts_per_edge, t->edges_per_pod, t->pods};
    uint32_t up[4] = {1, t->aggs_per_pod, t->agg_uplinks, 0};
    for (unsigned kind = 0; kind < 4u; kind++) {
        o->first[kind] = o->nodes;
        o->nodes += number[kind];
    }
    o->node = o_array(o->nodes, sizeof *o->node);
    for (unsigned kind = 0; kind < 4u; kind++) {
        for (uint32_t i = 0; i < number[kind]; i++) {
            struct o_node *n = &o->node[o->first[kind] + i];
            n->kind = kind;
            n->index = i;
            n->first_up = down[kind];
            n->ports = down[kind] + up[kind];
            n->link = o_array(n->ports, sizeof *n->link);
        }
    }
    for (uint32_t h = 0; h < t->hosts; h++) {
        o_cable(o, h, 0, o->first[1] + h / t->hosts_per_edge, h % t->hosts_per_edge, 0,
                EGRET_QUEUE_HOST, EGRET_QUEUE_EDGE_DOWN);
        /* A gap in front of the first packet, too. */
        o->node[h].link[0].busy = o_serial(&o->node[h].link[0], o->f->spec.gap_bytes);
        o_push(o, o->node[h].link[0].busy, O_FREE, h, 0, NULL);
    }
    for (uint32_t e = 0; e < edges; e++) {
        for (uint32_t u = 0; u < t->aggs_per_pod; u++) {
            o_cable(o, o->first[1] + e, t->hosts_per_edge + u,
                    o->first[2] + e / t->edges_per_pod * t->aggs_per_pod + u, e % t->edges_per_pod,
                    1, EGRET_QUEUE_EDGE_UP, EGRET_QUEUE_AGG_DOWN);
        }
    }
    for (uint32_t a = 0; cores > 0 && a < aggs; a++) {
        for (uint32_t u = 0; u < t->agg_uplinks; u++) {
            o_cable(o, o->first[2] + a, t->edges_per_pod + u,
                    o->first[3] + a % t->aggs_per_pod * t->agg_uplinks + u, a / t->aggs_per_pod, 2,
                    EGRET_QUEUE_AGG_UP, EGRET_QUEUE_CORE_DOWN);
        }
    }
}

#endif
