/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traffic.c: sends messages: each host at line rate, round robin between its ready messages;
 * no queueing anywhere (docs/trace.md). Delays take their time at their rank; joins take none.
 */
#include <stdlib.h>
#include <string.h>

#include "schedule_wait.h"
#include "traffic.h"

#define NONE UINT32_MAX

enum { READY, SEND, ACKNOWLEDGED, OVER, ARRIVE_DATA, ARRIVE_ACK };

static void push(struct traffic *x, uint64_t time, uint32_t kind, uint32_t index, uint32_t sequence,
                 uint32_t payload)
{
    struct heap_item item = {time, 0, kind, index, sequence, payload};
    x->out_of_memory |= !egret_heap_push(&x->events, item);
}

static void start_roots(struct traffic *x)
{
    for (size_t i = 0; i < x->workload->ops; i++) {
        const struct egret_op *op = &x->workload->op[i];
        if (op->kind != EGRET_OP_TURNSTILE && op->need == 0) {
            push(x, op->start_ps, READY, (uint32_t)i, 0, 0);
        }
    }
}

int egret_traffic_open(struct traffic *x, const struct egret_topology *t,
                       const struct egret_schedule *w, uint32_t first_edge, uint32_t last_edge,
                       const struct egret_make *m, struct egret_trace_error *err)
{
    memset(x, 0, sizeof *x);
    x->topology = t;
    x->workload = w;
    x->first_edge = first_edge;
    x->last_edge = last_edge;
    x->make = m;
    x->fire_head = x->fire_tail = NONE;
    x->late = EGRET_NO_OP;
    x->op = calloc(w->ops + 1u, sizeof *x->op);
    x->host = calloc(t->hosts, sizeof *x->host);
    if (x->op && x->host) {
        start_roots(x);
    } else {
        x->out_of_memory = true;
    }
    if (x->out_of_memory) {
        egret_traffic_close(x);
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    for (uint32_t h = 0; h < t->hosts; h++) {
        x->host[h].head = NONE;
        x->host[h].tail = NONE;
    }
    return EGRET_OK;
}

void egret_traffic_close(struct traffic *x)
{
    free(x->op);
    free(x->host);
    egret_heap_free(&x->events);
    memset(x, 0, sizeof *x);
}

static void append(struct traffic *x, struct traffic_host *h, uint32_t message)
{
    x->op[message].next = NONE;
    if (h->head == NONE) {
        h->head = message;
    } else {
        x->op[h->tail].next = message;
    }
    h->tail = message;
}

/* The edges of `op` fire once those of the operations before it have; no recursion. */
static void fire_later(struct traffic *x, uint32_t op)
{
    x->op[op].fire = NONE;
    if (x->fire_head == NONE) {
        x->fire_head = op;
    } else {
        x->op[x->fire_tail].fire = op;
    }
    x->fire_tail = op;
}

static void start(struct traffic *x, uint64_t now, uint32_t op)
{
    const struct egret_op *o = &x->workload->op[op];
    struct traffic_host *h = &x->host[o->src];
    if (o->start_ps > now) {
        push(x, o->start_ps, READY, op, 0, 0);
        return;
    }
    fire_later(x, op);
    if (o->kind == EGRET_OP_DELAY) {
        if (o->amount > UINT64_MAX / 2u - now) {
            x->late = op;
        } else if (o->amount > 0) {
            push(x, now + o->amount, OVER, op, 0, 0);
        }
        return;
    }
    append(x, h, op);
    if (!h->scheduled) {
        h->scheduled = true;
        push(x, now > h->free ? now : h->free, SEND, o->src, 0, 0);
    }
}

/* An edge into `to` fires. A turnstile passes it on along its next edge, if it has one left. */
static void reach(struct traffic *x, uint64_t now, uint32_t to)
{
    const struct egret_schedule *s = x->workload;
    while (s->op[to].kind == EGRET_OP_TURNSTILE) {
        uint32_t next = s->first[to] + x->op[to].fired;
        if (next == s->first[to + 1u]) {
            return;
        }
        x->op[to].fired++;
        to = egret_edge_to(s->edge[next]);
    }
    if (x->op[to].fired < s->op[to].need && ++x->op[to].fired == s->op[to].need) {
        start(x, now, to);
    }
}

/* The edges of `op` for these events (bits) fire, and then those of whatever that has started: of a
 * join all, of others those of the start. */
static void fire(struct traffic *x, uint64_t now, uint32_t op, uint32_t events)
{
    const struct egret_schedule *s = x->workload;
    for (uint32_t e = s->first[op]; e < s->first[op + 1u]; e++) {
        if (events >> egret_edge_event(s->edge[e]) & 1u) {
            reach(x, now, egret_edge_to(s->edge[e]));
        }
    }
    while (x->fire_head != NONE) {
        uint32_t begun = x->fire_head;
        bool join = s->op[begun].kind == EGRET_OP_DELAY && s->op[begun].amount == 0;
        x->fire_head = x->op[begun].fire;
        for (uint32_t e = s->first[begun]; e < s->first[begun + 1u]; e++) {
            if (join || egret_edge_event(s->edge[e]) == EGRET_ON_START) {
                reach(x, now, egret_edge_to(s->edge[e]));
            }
        }
    }
}

static bool has_edge(const struct traffic *x, uint32_t op, enum egret_op_event event)
{
    const struct egret_schedule *s = x->workload;
    for (uint32_t e = s->first[op]; e < s->first[op + 1u]; e++) {
        if (egret_edge_event(s->edge[e]) == (uint32_t)event) {
            return true;
        }
    }
    return false;
}

static bool watched(const struct traffic *x, uint32_t host)
{
    uint32_t edge = host / x->topology->hosts_per_edge;
    return edge >= x->first_edge && edge <= x->last_edge;
}

/* The packet's arrival at the edges and, if it is the last one, what its end sets going. */
static void follow_packet(struct traffic *x, uint64_t now, uint32_t message, uint32_t sequence,
                          uint32_t payload, bool last)
{
    const struct egret_topology *t = x->topology;
    const struct egret_op *m = &x->workload->op[message];
    uint32_t length = data_length(data_opcode(x->make, m->amount, sequence), payload);
    uint64_t arrival = now + egret_topology_transit(t, m->src, m->dst, length);
    if (watched(x, m->src)) {
        push(x, now + egret_traffic_to_edge(t, length), ARRIVE_DATA, message, sequence, payload);
    }
    if (!x->make->no_acks && watched(x, m->dst)) {
        push(x, arrival + egret_traffic_to_edge(t, ACK_BYTES), ARRIVE_ACK, message, sequence, 0);
    }
    if (last && has_edge(x, message, EGRET_ON_DONE)) {
        push(x, arrival, OVER, message, 0, 0);
    }
    if (last && has_edge(x, message, EGRET_ON_SENT)) {
        push(x, arrival + egret_topology_transit(t, m->dst, m->src, ACK_BYTES), ACKNOWLEDGED,
             message, 0, 0);
    }
}

static void send(struct traffic *x, uint64_t now, uint32_t host)
{
    struct traffic_host *h = &x->host[host];
    uint32_t message = h->head;
    struct traffic_op *state = &x->op[message];
    uint64_t bytes = x->workload->op[message].amount;
    uint64_t left = bytes - state->sent;
    uint32_t payload = left < x->make->payload ? (uint32_t)left : x->make->payload;
    uint32_t sequence = (uint32_t)(state->sent / x->make->payload);
    uint32_t length = data_length(data_opcode(x->make, bytes, sequence), payload);
    h->head = state->next;
    state->sent += payload;
    if (left > payload) {
        append(x, h, message);
    }
    follow_packet(x, now, message, sequence, payload, left == payload);
    h->free = now + serial_ps(length + FCS_BYTES + GAP_BYTES, x->topology->rate_mbps[0]);
    h->scheduled = h->head != NONE;
    if (h->scheduled) {
        push(x, h->free, SEND, host, 0, 0);
    }
}

/* Nothing more will happen: has everything started? */
static int check_end(const struct traffic *x, struct egret_trace_error *err)
{
    const struct egret_schedule *s = x->workload;
    uint32_t waits = EGRET_NO_OP;
    for (uint32_t i = 0; i < s->ops && waits == EGRET_NO_OP; i++) {
        waits = s->op[i].kind != EGRET_OP_TURNSTILE && x->op[i].fired < s->op[i].need ? i : waits;
    }
    if (waits == EGRET_NO_OP) {
        return 0;
    }
    uint32_t *fired = malloc((s->ops + 1u) * sizeof *fired);
    if (!fired) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < s->ops; i++) {
        fired[i] = x->op[i].fired;
    }
    const char *name = x->make->workload_name ? x->make->workload_name : "workload";
    int code = egret_schedule_waits(s, waits, fired, name, NULL, err);
    free(fired);
    return code;
}

int egret_traffic_next(struct traffic *x, struct traffic_packet *out, struct egret_trace_error *err)
{
    while (x->events.count > 0 && !x->out_of_memory && x->late == EGRET_NO_OP) {
        struct heap_item e = egret_heap_pop(&x->events);
        switch (e.kind) {
        case READY:
            start(x, e.time, e.index);
            fire(x, e.time, e.index, 0);
            break;
        case SEND:
            send(x, e.time, e.index);
            break;
        case OVER:
            fire(x, e.time, e.index,
                 x->workload->op[e.index].kind == EGRET_OP_DELAY
                     ? 1u << EGRET_ON_DONE | 1u << EGRET_ON_SENT
                     : 1u << EGRET_ON_DONE);
            break;
        case ACKNOWLEDGED:
            fire(x, e.time, e.index, 1u << EGRET_ON_SENT);
            break;
        default:
            out->time_ps = e.time;
            out->message = e.index;
            out->sequence = e.sequence;
            out->payload = e.payload;
            out->ack = e.kind == ARRIVE_ACK;
            return 1;
        }
    }
    if (x->out_of_memory) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    if (x->late != EGRET_NO_OP) {
        char what[SCHEDULE_OP_TEXT];
        egret_schedule_op_text(x->workload, x->late, what);
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s ends beyond 2^63 ps", what);
    }
    return check_end(x, err);
}
