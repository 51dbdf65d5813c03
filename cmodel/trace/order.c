/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c: see trace_order.h. Of each flow the packets of the last skew are kept, in the order of
 * sending: a packet sent the skew later or more cannot overtake, whatever its port.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "qp_table.h"

#define OPCODE_BYTE 40u

struct sent {
    uint64_t time;
    uint64_t arrival;
    uint64_t event; /* ordinal in the file, from 0 */
    uint32_t tag;
    uint16_t length;
    uint16_t why; /* of one that keeps order: causes, ORDER_MOVED, ORDER_SAFE */
    uint8_t port;
    uint8_t row;
};

struct flow {
    struct order_last last;
    struct sent *sent; /* a window; elements first .. count - 1 */
    size_t first;
    size_t count;
    size_t capacity;
    uint64_t window; /* bytes in it */
    bool exceeds;    /* a packet was overtaken by more than its sender's line can have sent */
};

struct egret_order {
    struct egret_order_setup setup;
    struct order_state state;
    struct egret_order_figures figures;
    uint32_t least_ns;
    struct qp_table queue_pairs;
    struct flow *flow; /* of each */
    size_t capacity;
    bool out_of_memory;
};

void egret_order_default(bool opcode[256])
{
    static const uint8_t any[] = {
        0x0a, 0x2a, 0xaa,                   /* RDMA WRITE Only of RC, UC and XRC */
        0x11, 0x12, 0x51, 0x52, 0xb1, 0xb2, /* acknowledgements of RC, RD and XRC */
        0x81,                               /* CNP */
    };
    memset(opcode, true, 256u * sizeof *opcode);
    for (size_t i = 0; i < sizeof any; i++) {
        opcode[any[i]] = false;
    }
}

int egret_order_create(const struct egret_cfg *cfg, const struct egret_order_setup *setup,
                       struct egret_order **out)
{
    struct egret_order *o;
    if (egret_cfg_check(cfg, NULL) != EGRET_OK) {
        return EGRET_ERR_CONFIG;
    }
    o = calloc(1, sizeof *o);
    if (!o) {
        return EGRET_ERR_MEMORY;
    }
    o->setup = *setup;
    if (egret_order_state_open(&o->state, cfg) != EGRET_OK) {
        egret_order_destroy(o);
        return EGRET_ERR_MEMORY;
    }
    uint32_t most = 0;
    o->least_ns = UINT32_MAX;
    for (uint32_t p = 0; p < cfg->num_ports; p++) {
        uint32_t d = setup->delay_ns[p];
        o->least_ns = d < o->least_ns ? d : o->least_ns;
        most = d > most ? d : most;
    }
    o->figures.skew_ns = most - o->least_ns;
    if (setup->rate_mbps != 0) { /* stamps are rounded to a ns; at most 2^30 ns of 2^33 Mb/s */
        o->figures.bound_bytes = (o->figures.skew_ns + 1ull) * setup->rate_mbps / 8000u;
    }
    for (unsigned i = 0; i < EGRET_ORDER_ROWS; i++) {
        o->figures.row[i].cls = (uint8_t)(i & 15u);
        o->figures.row[i].keeps = i >= 16u;
    }
    *out = o;
    return EGRET_OK;
}

void egret_order_destroy(struct egret_order *o)
{
    if (o) {
        for (size_t i = 0; i < o->capacity; i++) {
            free(o->flow[i].sent);
        }
        free(o->flow);
        egret_qp_free(&o->queue_pairs);
        egret_order_state_close(&o->state);
        free(o);
    }
}

/* Number of the queue pair from 1, with a flow; 0 without memory. */
static uint32_t flow_of(struct egret_order *o, const uint8_t *key)
{
    uint32_t number = egret_qp_number(&o->queue_pairs, key);
    if (number > o->capacity) {
        size_t capacity = o->capacity ? 2u * o->capacity : 8u;
        struct flow *flow = realloc(o->flow, capacity * sizeof *flow);
        if (!flow) {
            return 0;
        }
        memset(flow + o->capacity, 0, (capacity - o->capacity) * sizeof *flow);
        o->flow = flow;
        o->capacity = capacity;
    }
    return number;
}

static void no_cause(struct egret_order *o, const struct flow *f, const struct sent *late,
                     const struct sent *first)
{
    char text[128];
    if (o->figures.error[0] == '\0') {
        egret_qp_text(o->queue_pairs.key[f - o->flow], text, sizeof text);
        (void)snprintf(o->figures.error, sizeof o->figures.error,
                       "flow %s: packet %" PRIu32 " (event %" PRIu64 ", port %u) arrives %" PRIu64
                       " ns behind packet %" PRIu32 " (event %" PRIu64 ", port %u)",
                       text, late->tag, late->event, late->port, late->arrival - first->arrival,
                       first->tag, first->event, first->port);
    }
}

/* The causes of all changes of port behind a packet up to the one that overtook it: the first one
 * counts, and a change without any spoils all. */
static unsigned cause_of(const struct sent *late, const struct sent *first)
{
    unsigned bits = 0;
    for (const struct sent *s = late + 1; s <= first; s++) {
        if (s->row < 16u || !(s->why & ORDER_MOVED)) {
            continue;
        }
        if (s->why == ORDER_MOVED) {
            return EGRET_ORDER_NONE;
        }
        bits |= s->why;
    }
    for (unsigned c = 0; c < EGRET_ORDER_NONE; c++) {
        if (bits >> c & 1u) {
            return c;
        }
    }
    return EGRET_ORDER_NONE; /* a pause that should have kept them apart */
}

/* Packet i of the window has arrived: who overtook it? */
static void arrived(struct egret_order *o, struct flow *f, size_t i)
{
    const struct sent *p = &f->sent[i];
    const struct sent *first = NULL; /* the first one sent of those */
    struct egret_order_row *row = &o->figures.row[p->row];
    uint64_t packets = 0;
    uint64_t bytes = 0;
    uint64_t earliest = p->arrival;
    bool passed = false;
    if (p->arrival == p->time + o->least_ns) {
        return;
    }
    for (const struct sent *s = p + 1; s < f->sent + f->count; s++) {
        if (s->arrival >= p->arrival) {
            continue;
        }
        if (row->keeps && s->row < 16u) {
            passed = true;
            continue;
        }
        first = first ? first : s;
        packets++;
        bytes += s->length;
        earliest = s->arrival < earliest ? s->arrival : earliest;
    }
    if (packets == 0) {
        row->passed += passed;
        return;
    }
    if (o->setup.rate_mbps != 0 && bytes > o->figures.bound_bytes + p->length) {
        f->exceeds = true;
    }
    uint64_t late = p->arrival - earliest;
    row->reordered++;
    row->overtaken_packets = packets > row->overtaken_packets ? packets : row->overtaken_packets;
    row->overtaken_bytes = bytes > row->overtaken_bytes ? bytes : row->overtaken_bytes;
    row->late_ns = late > row->late_ns ? late : row->late_ns;
    if (row->keeps) {
        unsigned cause = cause_of(p, first);
        row->cause[cause]++;
        if (cause == EGRET_ORDER_NONE) {
            no_cause(o, f, p, first);
        }
    }
}

/* Lets go of the packets that nothing sent at `time` or later can overtake. */
static void advance(struct egret_order *o, struct flow *f, uint64_t time)
{
    while (f->first < f->count && f->sent[f->first].time + o->figures.skew_ns <= time) {
        arrived(o, f, f->first);
        f->window -= f->sent[f->first].length;
        f->first++;
    }
    if (f->first > 0 && 2u * f->first >= f->count) {
        memmove(f->sent, f->sent + f->first, (f->count - f->first) * sizeof *f->sent);
        f->count -= f->first;
        f->first = 0;
    }
}

static bool append(struct egret_order *o, struct flow *f, const struct sent *s)
{
    if (f->count == f->capacity) {
        size_t capacity = f->capacity ? 2u * f->capacity : 16u;
        struct sent *all = realloc(f->sent, capacity * sizeof *all);
        if (!all) {
            return false;
        }
        f->sent = all;
        f->capacity = capacity;
    }
    f->sent[f->count++] = *s;
    f->window += s->length;
    if (f->window > o->figures.window_bytes) {
        o->figures.window_bytes = f->window;
    }
    return true;
}

static void count_move(struct egret_order_figures *figures, unsigned why)
{
    if (!(why & ORDER_MOVED)) {
        return;
    }
    for (unsigned c = 0; c < EGRET_ORDER_NONE; c++) {
        if (why >> c & 1u) {
            figures->moves[c]++;
            return;
        }
    }
    if (why & ORDER_SAFE) {
        figures->moves_safe++;
    } else {
        figures->moves[EGRET_ORDER_NONE]++;
    }
}

/* A packet of a queue pair that was sent. */
static void follow(struct egret_order *o, uint32_t number, const struct egret_event *ev,
                   const struct egret_decision *d)
{
    struct flow *f = &o->flow[number - 1u];
    bool keeps = o->setup.by_class ? o->state.class_ordered >> (ev->cls & 15u) & 1u
                                   : o->setup.opcode[ev->record[OPCODE_BYTE]];
    struct sent s = {.time = o->state.time,
                     .arrival = o->state.time + o->setup.delay_ns[d->port],
                     .event = o->state.event - 1u,
                     .tag = ev->tag,
                     .length = ev->length,
                     .port = d->port,
                     .row = (uint8_t)((ev->cls & 15u) + (keeps ? 16u : 0u))};
    struct egret_order_row *row = &o->figures.row[s.row];
    uint64_t members = egret_order_members(&o->state, ev->group);
    row->packets++;
    if (members & (members - 1u)) {
        row->bytes[d->port] += ev->length;
        o->figures.choice |= members;
    }
    if (keeps) {
        s.why = (uint16_t)egret_order_why(&o->state, number, o->figures.skew_ns, &f->last, ev, d);
        count_move(&o->figures, s.why);
        f->last = (struct order_last){.event = o->state.event,
                                      .now = ev->now,
                                      .time = s.time,
                                      .hash = o->state.hash,
                                      .hashed = egret_order_hashed(&o->state, ev, d),
                                      .data = d->data,
                                      .group = ev->group,
                                      .port = d->port,
                                      .scheme = d->scheme};
    }
    advance(o, f, s.time);
    o->out_of_memory |= !append(o, f, &s);
}

void egret_order_event(struct egret_order *o, const struct egret_event *ev,
                       const struct egret_decision *d)
{
    egret_order_state_event(&o->state, ev);
    if (ev->kind != EGRET_EV_PACKET) {
        return;
    }
    if (d->port >= o->state.cfg.num_ports) {
        o->figures.dropped++;
        return;
    }
    uint8_t key[QP_KEY];
    uint32_t number = ORDER_OTHER;
    if (!egret_qp_of(ev->record, 0, key)) {
        o->figures.no_queue_pair++;
    } else {
        number = flow_of(o, key);
        if (number == 0) {
            o->out_of_memory = true;
            return;
        }
        follow(o, number, ev, d);
    }
    egret_order_own(&o->state, number, d);
}

int egret_order_end(struct egret_order *o)
{
    o->figures.flows = o->queue_pairs.used;
    for (size_t i = 0; i < o->figures.flows && i < o->capacity; i++) {
        struct flow *f = &o->flow[i];
        advance(o, f, UINT64_MAX);
        o->figures.exceeded += f->exceeds;
    }
    return o->out_of_memory ? EGRET_ERR_MEMORY : EGRET_OK;
}

const struct egret_order_figures *egret_order_figures(const struct egret_order *o)
{
    return &o->figures;
}
