/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.c: which operation starts when: edges, delays, joins, turnstiles.
 */
#include <stdio.h>

#include "schedule_wait.h"
#include "work.h"

static struct fab_host_node *node_of(const struct fab_hosts *hs, const struct fab_node *n)
{
    return &hs->node[n->index];
}

/* ---- timers: a heap by (time, operation), so that its order depends on nothing else ---- */

static bool before(const struct fab_timer *a, const struct fab_timer *b)
{
    return a->time != b->time ? a->time < b->time : a->op < b->op;
}

/* There is room: at most one timer an operation. */
static void push(struct fab_host_node *x, uint64_t time, uint32_t op)
{
    struct fab_timer timer = {time, op};
    uint32_t i = x->timers++;
    while (i > 0 && before(&timer, &x->timer[(i - 1u) / 2u])) {
        x->timer[i] = x->timer[(i - 1u) / 2u];
        i = (i - 1u) / 2u;
    }
    x->timer[i] = timer;
}

static struct fab_timer pop(struct fab_host_node *x)
{
    struct fab_timer first = x->timer[0];
    struct fab_timer last = x->timer[--x->timers];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2u * i + 1u;
        if (child >= x->timers) {
            break;
        }
        if (child + 1u < x->timers && before(&x->timer[child + 1u], &x->timer[child])) {
            child++;
        }
        if (!before(&x->timer[child], &last)) {
            break;
        }
        x->timer[i] = x->timer[child];
        i = child;
    }
    x->timer[i] = last;
    return first;
}

/* ---- open ---- */

static int message_open(const struct fab_hosts *hs, uint32_t i, struct egret_trace_error *err)
{
    const struct egret_fabric *f = hs->fabric;
    const struct egret_op *op = &f->work->op[i];
    struct fab_out *o = &hs->out[i];
    uint64_t packets = (op->amount - 1u) / f->spec.payload + 1u;
    if (packets > FAB_MAX_PACKETS) {
        char what[SCHEDULE_OP_TEXT];
        egret_schedule_op_text(f->work, i, what);
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s has more than %u packets", what,
                                FAB_MAX_PACKETS);
    }
    uint32_t rest = (uint32_t)(op->amount - (packets - 1u) * f->spec.payload);
    o->dst = f->place[op->dst];
    o->packets = (uint32_t)packets;
    o->last = (uint16_t)(rest + f->spec.header_bytes);
    o->full = packets == 1u ? o->last : (uint16_t)(f->spec.payload + f->spec.header_bytes);
    hs->in[i].packets = o->packets;
    return EGRET_OK;
}

int egret_fab_work_open(struct fab_hosts *hs, struct egret_trace_error *err)
{
    struct egret_fabric *f = hs->fabric;
    const struct egret_schedule *s = f->work;
    const struct fab_node *node = f->node + f->first_node[FAB_HOSTS];
    hs->timer_slab = egret_fab_array(s->ops, sizeof *hs->timer_slab);
    uint32_t *count = calloc((size_t)hs->edges + 1u, sizeof *count);
    if (!hs->timer_slab || !count) {
        free(count);
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    int code = EGRET_OK;
    for (uint32_t i = 0; i < s->ops && code == EGRET_OK; i++) {
        struct fab_out *o = &hs->out[i];
        o->src = o->dst = f->place[s->op[i].src];
        o->next = o->fire = FAB_NONE;
        if (s->op[i].kind == EGRET_OP_MESSAGE) {
            code = message_open(hs, i, err);
        }
        count[o->src / hs->hosts_per_edge]++;
    }
    size_t first = 0;
    for (uint32_t e = 0; e < hs->edges; e++) {
        hs->node[e].timer = hs->timer_slab + first;
        hs->node[e].fire_head = hs->node[e].fire_tail = FAB_NONE;
        first += count[e];
    }
    free(count);
    for (uint32_t i = 0; i < s->ops && code == EGRET_OK; i++) {
        uint32_t edge = hs->out[i].src / hs->hosts_per_edge;
        if (s->op[i].kind != EGRET_OP_TURNSTILE) {
            f->worker[node[edge].worker].unfinished++;
            if (s->op[i].need == 0) {
                push(&hs->node[edge], s->op[i].start_ps, i);
            }
        }
    }
    return code;
}

void egret_fab_work_close(struct fab_hosts *hs)
{
    free(hs->timer_slab);
}

/* ---- the run ---- */

static void over(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t op)
{
    struct fab_host_node *x = node_of(w->fabric->hosts, n);
    w->fabric->hosts->out[op].over = true;
    w->unfinished--;
    x->over_ps = now > x->over_ps ? now : x->over_ps;
}

/* The edges of `op` fire once those of the operations before it have; no recursion. */
static void fire_later(struct fab_hosts *hs, struct fab_host_node *x, uint32_t op)
{
    hs->out[op].fire = FAB_NONE;
    if (x->fire_head == FAB_NONE) {
        x->fire_head = op;
    } else {
        hs->out[x->fire_tail].fire = op;
    }
    x->fire_tail = op;
}

static void start(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t op)
{
    struct fab_hosts *hs = w->fabric->hosts;
    const struct egret_op *s = &w->fabric->work->op[op];
    struct fab_host_node *x = node_of(hs, n);
    struct fab_out *o = &hs->out[op];
    if (s->start_ps > now) {
        push(x, s->start_ps, op);
        return;
    }
    o->started = true;
    fire_later(hs, x, op);
    if (s->kind == EGRET_OP_MESSAGE) {
        if (hs->scheme->start) {
            hs->scheme->start(hs, s, o);
        }
        uint64_t timer = hs->transport->start(hs, now, o);
        if (timer != FAB_NEVER) {
            push(x, timer, op);
        }
        egret_fab_nic_until(w, n, o->src, now);
        egret_fab_nic_list(hs, now, op);
    } else if (s->amount == 0) {
        over(w, n, now, op);
    } else if (s->amount > UINT64_MAX / 2u - now) {
        char what[SCHEDULE_OP_TEXT];
        egret_schedule_op_text(w->fabric->work, op, what);
        w->code = EGRET_ERR_RANGE;
        (void)snprintf(w->text, sizeof w->text, "%s ends beyond 2^63 ps", what);
    } else {
        push(x, now + s->amount, op);
    }
}

/* An edge into `to` fires. */
static void reach(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t from,
                  uint32_t to)
{
    struct egret_fabric *f = w->fabric;
    struct fab_hosts *hs = f->hosts;
    const struct egret_schedule *s = f->work;
    for (;;) {
        uint32_t edge = hs->out[to].src / hs->hosts_per_edge;
        if (edge != n->index) {
            struct fab_packet p = {.time = now + f->window_ps,
                                   .flow = from,
                                   .sequence = to,
                                   .src = hs->out[from].src,
                                   .dst = hs->out[to].src,
                                   .in = FAB_IN_SIGNAL,
                                   .flags = FAB_SIGNAL};
            egret_fab_post(w, f->first_node[FAB_HOSTS] + edge, &p);
            return;
        }
        if (s->op[to].kind != EGRET_OP_TURNSTILE) {
            break;
        }
        /* A turnstile passes it on along its next edge, if it has one left. */
        uint32_t next = s->first[to] + hs->out[to].fired;
        if (next == s->first[to + 1u]) {
            return;
        }
        hs->out[to].fired++;
        from = to;
        to = egret_edge_to(s->edge[next]);
    }
    if (hs->out[to].fired < s->op[to].need && ++hs->out[to].fired == s->op[to].need) {
        start(w, n, now, to);
    }
}

/* Edges of `op` whose event is one of these bits. */
static void walk(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t op,
                 uint32_t events)
{
    const struct egret_schedule *s = w->fabric->work;
    for (uint32_t e = s->first[op]; e < s->first[op + 1u]; e++) {
        if (events >> egret_edge_event(s->edge[e]) & 1u) {
            reach(w, n, now, op, egret_edge_to(s->edge[e]));
        }
    }
}

/* Edges of all that has started: of a join all, of others those of the start. */
static void settle(struct fab_worker *w, const struct fab_node *n, uint64_t now)
{
    struct fab_hosts *hs = w->fabric->hosts;
    struct fab_host_node *x = node_of(hs, n);
    while (x->fire_head != FAB_NONE) {
        uint32_t op = x->fire_head;
        const struct egret_op *s = &w->fabric->work->op[op];
        bool join = s->kind == EGRET_OP_DELAY && s->amount == 0;
        x->fire_head = hs->out[op].fire;
        walk(w, n, now, op, join ? ~0u : 1u << EGRET_ON_START);
    }
}

void egret_fab_work_fire(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t op,
                         enum egret_op_event event)
{
    walk(w, n, now, op, 1u << event);
    settle(w, n, now);
}

void egret_fab_work_sent(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t op)
{
    over(w, n, now, op);
    w->totals.last_sent_ps = now > w->totals.last_sent_ps ? now : w->totals.last_sent_ps;
    egret_fab_work_fire(w, n, now, op, EGRET_ON_SENT);
}

void egret_fab_work_signal(struct fab_worker *w, const struct fab_node *n, uint64_t now,
                           uint32_t from, uint32_t to)
{
    reach(w, n, now, from, to);
    settle(w, n, now);
}

void egret_fab_work_timer(struct fab_worker *w, const struct fab_node *n)
{
    struct fab_hosts *hs = w->fabric->hosts;
    struct fab_host_node *x = node_of(hs, n);
    struct fab_timer t = pop(x);
    struct fab_out *o = &hs->out[t.op];
    if (!o->started) {
        start(w, n, t.time, t.op);
        settle(w, n, t.time);
    } else if (o->packets == 0) {
        over(w, n, t.time, t.op);
        walk(w, n, t.time, t.op, 1u << EGRET_ON_DONE | 1u << EGRET_ON_SENT);
        settle(w, n, t.time);
    } else if (!o->over) {
        egret_fab_nic_until(w, n, o->src, t.time);
        uint64_t next = hs->transport->timer(hs, t.time, t.op, o);
        if (next != FAB_NEVER) {
            push(x, next, t.op);
        }
        egret_fab_nic_list(hs, t.time, t.op);
    }
}
