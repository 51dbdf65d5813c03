/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switch.c: one window of a switch: what arrived, in order, is decided by its selector and joins
 * the queues of its ports. Ports that go down, writes, queue depths and ticks come before the
 * packets of their time, as design.md has the order of events.
 */
#include <string.h>

#include "link.h"
#include "request.h"

static struct fab_link *port_link(const struct egret_fabric *f, const struct fab_node *n,
                                  uint32_t port)
{
    return &f->link[n->first_link + port];
}

/* Gives the selector n events; false ends the run. */
static bool apply(struct fab_worker *w, struct fab_node *n, size_t count)
{
    size_t done = 0;
    int code = n->ops->apply_burst(n->self, w->event, count, w->decision, &done);
    if (FAB_UNLIKELY(code != EGRET_OK)) {
        egret_fab_selector_failed(w, n, code, done);
        return false;
    }
    return true;
}

/* One event that is no packet. */
static void tell(struct fab_worker *w, struct fab_node *n, const struct egret_event *ev)
{
    struct egret_decision out;
    int code = n->ops->apply(n->self, ev, &out);
    if (FAB_UNLIKELY(n->recorder != NULL)) {
        egret_fab_record(w, n, ev, NULL);
    }
    if (FAB_UNLIKELY(code != EGRET_OK)) {
        egret_fab_selector_failed(w, n, code, 0);
    }
}

static void not_sent(struct fab_worker *w, struct fab_node *n, const struct fab_packet *p)
{
    n->no_port++;
    if (w->fabric->spec.transport == EGRET_TRANSPORT_IDEAL) {
        egret_fab_notice(w, p->time, p);
    }
}

/* The requests of n packets. */
static inline void fill_kind(const struct egret_fabric *f, const struct fab_node *n,
                             enum fab_kind kind, const struct fab_packet *p, size_t count,
                             struct egret_event *ev)
{
    for (size_t i = 0; i < count; i++) {
        fab_fill_event(f, n, kind, &p[i], &ev[i]);
    }
}

static void fill(const struct egret_fabric *f, const struct fab_node *n, const struct fab_packet *p,
                 size_t count, struct egret_event *ev)
{
    switch (n->kind) {
    case FAB_EDGE:
        fill_kind(f, n, FAB_EDGE, p, count, ev);
        break;
    case FAB_AGG:
        fill_kind(f, n, FAB_AGG, p, count, ev);
        break;
    default:
        fill_kind(f, n, FAB_CORE, p, count, ev);
        break;
    }
}

/* Decides packets in bursts. */
static void decide(struct fab_worker *w, struct fab_node *n, struct fab_packet *p, size_t count)
{
    const struct egret_fabric *f = w->fabric;
    struct fab_link *link = &f->link[n->first_link];
    while (count > 0 && w->code == EGRET_OK) {
        size_t burst = count < FAB_BURST ? count : FAB_BURST;
        fill(f, n, p, burst, w->event);
        if (FAB_UNLIKELY(n->recorder != NULL)) {
            for (size_t i = 0; i < burst; i++) {
                egret_fab_record(w, n, &w->event[i], &p[i]);
            }
        }
        if (FAB_UNLIKELY(!apply(w, n, burst))) {
            return;
        }
        for (size_t i = 0; i < burst; i++) {
            uint32_t port = w->decision[i].port;
            if (FAB_UNLIKELY(port >= n->ports)) {
                not_sent(w, n, &p[i]);
            } else {
                (void)fab_send(w, &link[port], p[i].time, &p[i]);
            }
        }
        n->decisions += burst;
        p += burst;
        count -= burst;
    }
}

/* jsq: the uplink whose queue is shortest, the lowest port of those; exact, one at a time. */
static void shortest(struct fab_worker *w, struct fab_node *n, struct fab_packet *p, size_t count)
{
    const struct egret_fabric *f = w->fabric;
    struct fab_link *link = &f->link[n->first_link];
    for (size_t i = 0; i < count; i++) {
        uint16_t group, key;
        fab_request(f, n, p[i].dst, &group, &key);
        uint32_t best = group - 1u;
        if (group == 0) {
            uint64_t least = UINT64_MAX;
            uint64_t may = n->up_members ? n->up_members[key] : UINT64_MAX;
            for (uint32_t port = n->first_up; port < n->ports; port++) {
                uint64_t wait = link[port].free_at > p[i].time ? link[port].free_at - p[i].time : 0;
                if (wait < least && (may >> port & 1u) && link[port].told_at > p[i].time) {
                    least = wait;
                    best = port;
                }
            }
            if (least == UINT64_MAX) {
                not_sent(w, n, &p[i]);
                continue;
            }
        }
        (void)fab_send(w, &link[best], p[i].time, &p[i]);
    }
    n->decisions += count;
}

/* The bytes that wait at a port at `now`, what is in service included. */
static uint32_t depth(const struct fab_link *l, uint64_t now)
{
    uint64_t wait = l->free_at > now ? l->free_at - now : 0;
    uint64_t bytes = l->byte_ps ? wait / l->byte_ps : wait * l->mbps / 8000000u;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* The end of a load period: a queue event a port, in the order of ports, then the tick. True if
 * nothing waits at any port. */
static bool tick(struct fab_worker *w, struct fab_node *n, uint64_t time)
{
    struct egret_event ev;
    uint32_t deepest = 0;
    memset(&ev, 0, sizeof ev);
    ev.now = time / 1000u;
    for (uint32_t port = 0; port < n->ports; port++) {
        ev.kind = EGRET_EV_QUEUE;
        ev.port = port;
        ev.depth = depth(port_link(w->fabric, n, port), time);
        deepest |= ev.depth;
        tell(w, n, &ev);
    }
    ev.kind = EGRET_EV_TICK;
    ev.port = 0;
    ev.depth = 0;
    tell(w, n, &ev);
    return deepest == 0;
}

/* All ticks before `end`, of a switch whose ports have been empty at a tick and to which nothing
 * else happens: the queue events would say nothing new. Only the model takes many ticks at once,
 * and a recorder writes every event, so other switches go on a tick at a time. */
static void idle_ticks(struct fab_node *n, uint64_t end)
{
    if (n->ops != egret_model_selector() || n->recorder != NULL || n->next_tick >= end) {
        return;
    }
    uint64_t ticks = (end - 1u - n->next_tick) / n->tick_ps + 1u;
    n->next_tick += ticks * n->tick_ps;
    (void)egret_ticks(n->self, ticks, (n->next_tick - n->tick_ps) / 1000u);
}

/* When the next of these but ticks is due. */
static uint64_t due_once(const struct fab_node *n)
{
    uint64_t time = FAB_NEVER;
    if (n->agenda_next < n->agenda_count && n->agenda[n->agenda_next].time < time) {
        time = n->agenda[n->agenda_next].time;
    }
    if (n->route_at < time) {
        time = n->route_at;
    }
    return time;
}

/* When the next of these is due. */
static uint64_t due(const struct fab_node *n)
{
    uint64_t time = due_once(n);
    return n->next_tick < time ? n->next_tick : time;
}

/* All that is due at `time`, and ticks behind it in which nothing happens, before the next packet.
 */
static void control(struct fab_worker *w, struct fab_node *n, uint64_t time, uint64_t packet)
{
    while (n->agenda_next < n->agenda_count && n->agenda[n->agenda_next].time <= time) {
        struct egret_event ev = fab_agenda_event(&n->agenda[n->agenda_next++]);
        if (n->ops) {
            tell(w, n, &ev);
        }
    }
    if (n->route_at <= time) {
        fab_reroute(n);
    }
    if (n->next_tick <= time) {
        bool empty = tick(w, n, n->next_tick);
        n->next_tick += n->tick_ps;
        if (empty) {
            uint64_t once = due_once(n);
            idle_ticks(n, once < packet ? once : packet);
        }
    }
}

void egret_fab_switch(struct fab_worker *w, struct fab_node *n)
{
    const struct egret_fabric *f = w->fabric;
    size_t count = egret_fab_take(w, (uint32_t)(n - f->node));
    struct fab_packet *p = w->sorted;
    size_t at = 0;
    while (at < count && w->code == EGRET_OK) {
        size_t end = count;
        uint64_t next = due(n);
        if (FAB_UNLIKELY(next <= p[count - 1u].time)) {
            while (at < count && p[at].time >= next && next != FAB_NEVER) {
                control(w, n, next, p[at].time);
                next = due(n);
            }
            end = at;
            while (end < count && p[end].time < next) {
                end++;
            }
        }
        if (n->ops) {
            decide(w, n, p + at, end - at);
        } else {
            shortest(w, n, p + at, end - at);
        }
        at = end;
    }
}
