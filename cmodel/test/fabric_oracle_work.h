/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_oracle_work.h: operations of the schedule at the hosts of the plain fabric: what starts
 * when.
 */
#ifndef EGRET_FABRIC_ORACLE_WORK_H
#define EGRET_FABRIC_ORACLE_WORK_H

#include "fabric_oracle_sack.h"

static void o_kick(struct oracle *o, uint32_t host)
{
    if (!o->host[host].kicked) {
        o->host[host].kicked = true;
        o_push(o, o->now, O_KICK, host, 0, NULL);
    }
}

static bool o_has_something(const struct oracle *o, const struct o_message *m)
{
    return o_is_sack(o) ? o_sack_next(m) < m->packets : m->sent < m->packets + m->owed;
}

/* The message has something to send, and takes its turn behind the others. */
static void o_ready(struct oracle *o, uint32_t message)
{
    struct o_message *m = &o->message[message];
    struct o_host *h = &o->host[m->src];
    if (!m->ready && o_has_something(o, m)) {
        if (h->n == h->capacity) {
            h->capacity = h->capacity ? 2u * h->capacity : 16u;
            h->ready = realloc(h->ready, h->capacity * sizeof *h->ready);
            if (!h->ready) {
                ORACLE_FAIL("no memory");
            }
        }
        h->ready[h->n++] = message;
        m->ready = true;
    }
    o_kick(o, m->src);
}

/* An operation starts, or waits for its time. Its edges fire later, in the order of starts. */
static void o_start(struct oracle *o, uint32_t op)
{
    const struct egret_op *s = &o->f->work->op[op];
    if (s->start_ps > o->now) {
        o_push(o, s->start_ps, O_START, op, 0, NULL);
        return;
    }
    o->message[op].started = true;
    o->fire[o->fires++] = op;
    if (s->kind == EGRET_OP_MESSAGE) {
        if (o_is_sack(o)) {
            o->message[op].progress = o->now;
            o_push(o, o->now + o->f->spec.rto_ps, O_START, op, 0, NULL);
        }
        o_ready(o, op);
    } else if (s->amount > 0) {
        o_push(o, o->now + s->amount, O_START, op, 0, NULL);
    } else {
        o->over = o->now > o->over ? o->now : o->over;
    }
}

/* An edge fires under the edge switch of place `at`. */
static void o_reach(struct oracle *o, uint32_t from, uint32_t to, uint32_t at)
{
    uint32_t there = o->message[to].src;
    if (there / o->t.hosts_per_edge != at / o->t.hosts_per_edge) {
        struct o_packet p = {.flow = from, .sequence = to, .signal = true};
        o_push(o, o->now + o->window, O_NOTICE, there, 0, &p);
        return;
    }
    if (o->message[to].fired < o->f->work->op[to].need &&
        ++o->message[to].fired == o->f->work->op[to].need) {
        o_start(o, to);
    }
}

static void o_edges(struct oracle *o, uint32_t op, uint32_t events, uint32_t at)
{
    const struct egret_schedule *s = o->f->work;
    for (uint32_t e = s->first[op]; e < s->first[op + 1u]; e++) {
        if (events >> egret_edge_event(s->edge[e]) & 1u) {
            o_reach(o, op, egret_edge_to(s->edge[e]), at);
        }
    }
}

/* Edges of all that has started. */
static void o_settle(struct oracle *o)
{
    while (o->fire_first < o->fires) {
        uint32_t op = o->fire[o->fire_first++];
        const struct egret_op *s = &o->f->work->op[op];
        bool join = s->kind == EGRET_OP_DELAY && s->amount == 0;
        o_edges(o, op, join ? ~0u : 1u << EGRET_ON_START, o->message[op].src);
    }
}

static void o_fire(struct oracle *o, uint32_t op, uint32_t events, uint32_t at)
{
    o_edges(o, op, events, at);
    o_settle(o);
}

/* A start that was to come, the end of a delay, or a time-out. */
static void o_timer(struct oracle *o, uint32_t op)
{
    if (!o->message[op].started) {
        o_start(o, op);
        o_settle(o);
    } else if (o->message[op].packets > 0) {
        o_sack_timeout(o, op);
        o_ready(o, op);
    } else {
        o->over = o->now > o->over ? o->now : o->over;
        o_fire(o, op, 1u << EGRET_ON_DONE | 1u << EGRET_ON_SENT, o->message[op].src);
    }
}

#endif
