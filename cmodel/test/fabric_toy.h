/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_toy.h: hosts with nothing between them: a packet is at its destination after six times its
 * serialisation and 3 us, whatever else is on its way, unless the test says that it is lost,
 * trimmed, marked or late. Takes the place of queue.c and link.c.
 */
#ifndef EGRET_FABRIC_TOY_H
#define EGRET_FABRIC_TOY_H

#include "core.h"
#include "host.h"
#include "trace_test.h"

#define TOY_PACKETS 40000u
#define TOY_EDGES 32u
#define US 1000000u

struct toy;
struct toy_fate {
    bool lost;
    uint8_t flags; /* set on the way */
    uint64_t late; /* ps */
};
typedef struct toy_fate (*toy_fate_fn)(struct toy *y, const struct fab_packet *p);

struct toy_sent {
    uint64_t start;
    struct fab_packet p;
};
struct toy {
    struct egret_fabric f; /* first */
    struct trace_test *t;
    struct fab_node node[TOY_EDGES + 1u];
    struct fab_link link[256];
    struct fab_worker worker[4];
    uint32_t place[256];
    const struct fab_host_scheme *scheme; /* in place of the spec's; null: that one */
    void *scheme_state;
    toy_fate_fn fate;
    unsigned left; /* for fate */
    /* On its way, by node; and all that was sent. */
    struct {
        uint32_t node;
        struct fab_packet p;
    } way[TOY_PACKETS];
    size_t on_way;
    struct fab_packet sorted[TOY_PACKETS];
    struct toy_sent sent[TOY_PACKETS];
    size_t sents;
    size_t signals;
};

void egret_fab_post(struct fab_worker *w, uint32_t node, const struct fab_packet *p)
{
    struct toy *y = (struct toy *)w->fabric;
    CHECK(y->t, p->time >= (y->f.window + 1u) * y->f.window_ps);
    CHECK(y->t, y->worker + y->node[node].worker != NULL);
    y->signals += (p->flags & FAB_SIGNAL) != 0;
    if (CHECK(y->t, y->on_way < TOY_PACKETS)) {
        y->way[y->on_way].node = node;
        y->way[y->on_way++].p = *p;
    }
}

static int toy_order(const void *a, const void *b)
{
    const struct fab_packet *x = a;
    const struct fab_packet *y = b;
    uint64_t left[4] = {x->time, x->in, x->flow, x->sequence};
    uint64_t right[4] = {y->time, y->in, y->flow, y->sequence};
    for (unsigned i = 0; i < 4; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

size_t egret_fab_take(struct fab_worker *w, uint32_t node)
{
    struct toy *y = (struct toy *)w->fabric;
    uint64_t end = (y->f.window + 1u) * y->f.window_ps;
    size_t n = 0;
    size_t kept = 0;
    for (size_t i = 0; i < y->on_way; i++) {
        if (y->way[i].node == node && y->way[i].p.time < end) {
            y->sorted[n++] = y->way[i].p;
        } else {
            y->way[kept++] = y->way[i];
        }
    }
    y->on_way = kept;
    qsort(y->sorted, n, sizeof y->sorted[0], toy_order);
    w->sorted = y->sorted;
    return n;
}

bool egret_fab_send(struct fab_worker *w, struct fab_link *l, uint64_t now, struct fab_packet *p)
{
    struct toy *y = (struct toy *)w->fabric;
    uint32_t hpe = y->f.spec.topology.hosts_per_edge;
    CHECK(y->t, now >= l->free_at);
    CHECK(y->t, now >= y->f.window * y->f.window_ps && now < (y->f.window + 1u) * y->f.window_ps);
    CHECK(y->t, l == &y->link[p->src]);
    if (y->sents < TOY_PACKETS) {
        y->sent[y->sents].start = now;
        y->sent[y->sents++].p = *p;
    }
    l->free_at = now + fab_serial_ps(l, p->length + y->f.spec.gap_bytes);
    struct toy_fate fate = {0};
    if (y->fate) {
        fate = y->fate(y, p);
    }
    p->flags |= fate.flags;
    if (fate.lost) {
        egret_fab_notice(w, now, p);
        return false;
    }
    p->time = now + 6u * fab_serial_ps(l, p->length) + 3u * US + fate.late;
    p->in = (uint8_t)(p->dst % hpe);
    egret_fab_post(w, p->dst / hpe, p);
    return true;
}

/* Edges of hosts each: two edges a pod, two aggregation switches, two uplinks of each: a fat tree
 * of k = 4 if there are 8 edges of 2. Rank r is at place r. */
static void toy_open(struct toy *y, struct trace_test *t, struct egret_schedule *s, uint32_t edges,
                     uint32_t slots)
{
    memset(y, 0, sizeof *y);
    y->t = t;
    struct egret_fabric *f = &y->f;
    f->spec.topology = (struct egret_topology){.tiers = 3,
                                               .hosts = edges * slots,
                                               .pods = edges / 2u,
                                               .hosts_per_edge = slots,
                                               .edges_per_pod = 2,
                                               .aggs_per_pod = 2,
                                               .agg_uplinks = 2,
                                               .rate_mbps = {800000, 800000, 800000},
                                               .latency_ps = {500000, 500000, 500000}};
    f->spec.payload = 4096;
    f->spec.header_bytes = 62;
    f->spec.ack_bytes = 64;
    f->spec.gap_bytes = 20;
    f->spec.rate_ppm = 1000000;
    f->spec.subflows = 4;
    f->spec.reorder_threshold = 3;
    f->spec.seed = 1;
    f->work = s;
    f->node = y->node;
    f->nodes = edges + 1u;
    f->first_node[FAB_EDGE] = edges;
    f->link = y->link;
    f->links = edges * slots;
    f->window_ps = 500000;
    f->worker = y->worker;
    f->workers = 1;
    f->place = y->place;
    for (uint32_t i = 0; i < 4; i++) {
        y->worker[i].fabric = f;
        y->worker[i].number = i;
    }
    for (uint32_t e = 0; e < edges; e++) {
        y->node[e] = (struct fab_node){
            .ports = (uint8_t)slots, .index = e, .first_link = e * slots, .wake = FAB_NEVER};
    }
    for (uint32_t p = 0; p < edges * slots; p++) {
        y->place[p] = p;
        y->link[p].byte_ps = 10;
        y->link[p].mbps = 800000;
        y->link[p].node = (edges)&0xffffffu;
    }
}

static uint64_t toy_unfinished(const struct toy *y)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < y->f.workers; i++) {
        sum += y->worker[i].unfinished;
    }
    return sum;
}

/* Opens the hosts and runs until all is over, at most `windows`. Nodes go to workers in turn. */
static int toy_run(struct toy *y, uint64_t windows)
{
    struct egret_fabric *f = &y->f;
    struct egret_trace_error err = {""};
    for (uint32_t e = 0; e < f->first_node[FAB_EDGE]; e++) {
        y->node[e].worker = (uint8_t)(e % f->workers);
    }
    int code = egret_fab_hosts_open(f, &err);
    if (!CHECK(y->t, code == EGRET_OK)) {
        printf("%s\n", err.text);
        return code;
    }
    if (y->scheme) {
        f->hosts->scheme = y->scheme;
        f->hosts->scheme_state = y->scheme_state;
    }
    f->window = 0;
    for (; windows > 0 && toy_unfinished(y) > 0; windows--, f->window++) {
        uint64_t wake = FAB_NEVER;
        for (uint32_t e = 0; e < f->first_node[FAB_EDGE]; e++) {
            wake = y->node[e].wake < wake ? y->node[e].wake : wake;
        }
        if (y->on_way == 0 && wake / f->window_ps > f->window) {
            f->window = wake / f->window_ps; /* nothing before */
        }
        uint64_t end = (f->window + 1u) * f->window_ps;
        for (uint32_t e = 0; e < f->first_node[FAB_EDGE]; e++) {
            struct fab_worker *w = &y->worker[y->node[e].worker];
            bool has = y->node[e].wake < end;
            for (size_t i = 0; i < y->on_way && !has; i++) {
                has = y->way[i].node == e && y->way[i].p.time < end;
            }
            if (has) {
                egret_fab_hosts(w, &y->node[e]);
            }
            if (w->code != EGRET_OK) {
                return w->code;
            }
        }
    }
    return EGRET_OK;
}

static void toy_close(struct toy *y, struct egret_schedule *s)
{
    egret_fab_hosts_close(&y->f);
    egret_schedule_free(s);
}

/* Data packet (or ACK) number i of those sent by a place; null if there are fewer. */
static inline const struct toy_sent *toy_sent_by(const struct toy *y, uint32_t src, bool ack,
                                                 size_t i)
{
    for (size_t k = 0; k < y->sents; k++) {
        const struct fab_packet *p = &y->sent[k].p;
        if (p->src == src && ((p->flags & FAB_ACK) != 0) == ack && i-- == 0) {
            return &y->sent[k];
        }
    }
    return NULL;
}
/* Start of that packet; FAB_NEVER if there is none. */
static inline uint64_t toy_start(const struct toy *y, uint32_t src, bool ack, size_t i)
{
    const struct toy_sent *s = toy_sent_by(y, src, ack, i);
    return s ? s->start : FAB_NEVER;
}

static inline uint32_t message(struct egret_schedule *s, uint32_t src, uint32_t dst, uint64_t bytes)
{
    uint32_t i = EGRET_NO_OP;
    (void)egret_schedule_message(s, src, dst, bytes, &i);
    return i;
}

static inline void seal(struct trace_test *t, struct egret_schedule *s)
{
    struct egret_trace_error err = {""};
    if (!CHECK(t, egret_schedule_seal(s, "toy", NULL, &err) == EGRET_OK)) {
        printf("%s\n", err.text);
        exit(1);
    }
}

#endif
