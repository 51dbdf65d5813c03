/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fast_flowlet.h: scheme `flowlet` in the fast path (apply.c). Same results as flowlet.c.
 */
#ifndef EGRET_FAST_FLOWLET_H
#define EGRET_FAST_FLOWLET_H

#include "fast.h"

static ALWAYS_INLINE uint32_t bucket(const struct egret *e, const struct egret_group_state *g,
                                     uint32_t index)
{
    return e->bucket[(g->bucket_base + (index & g->bucket_mask)) & e->bucket_wrap];
}

/* The number of a packet that random_at counts already. */
static inline uint32_t next_random(struct egret *e)
{
    if (e->random_at > e->random_known)
        egret_random_refill(e);
    return e->random[e->random_at];
}

/* An entry as a packet finds it. */
struct flowlet_look {
    struct egret_flowlet *entry;
    uint32_t index;
    uint32_t was;  /* the entry's flow */
    uint32_t flow; /* the packet's, port 0 */
    uint32_t now;
    uint32_t age;
};

static ALWAYS_INLINE struct flowlet_look flowlet_look(const struct egret *e,
                                                      const struct egret_group_state *g,
                                                      const struct egret_event *ev, uint32_t hash)
{
    struct flowlet_look l;

    l.index = (g->flowlet_base + (hash & g->flowlet_mask)) & e->flowlet_wrap;
    l.entry = &e->flowlet[l.index];
    l.was = l.entry->flow;
    l.flow = (hash & EGRET_FLOWLET_TAG) | EGRET_FLOWLET_VALID;
    l.now = (uint32_t)(ev->now >> 4);
    l.age = (l.now - l.entry->last) & EGRET_FLOWLET_TIME;
    return l;
}

static ALWAYS_INLINE bool flowlet_fresh(const struct flowlet_look *l,
                                        const struct egret_group_state *g)
{
    return l->age <= g->idle || l->age >= EGRET_FLOWLET_BACK;
}

/* Valid, and of the packet's tag. */
static ALWAYS_INLINE bool flowlet_own(const struct flowlet_look *l)
{
    return (l->was ^ l->flow) <= EGRET_FLOWLET_PORT;
}

/* The common case: a hit on a live member, or a new path at random. Decided but not counted at the
 * port; returns the port, or a negative value with nothing changed for anything else. Calls
 * nothing, so that it needs few registers. */
static ALWAYS_INLINE int flowlet_common(struct egret *restrict e, const struct egret_event *ev,
                                        struct egret_decision *restrict out,
                                        struct egret_group_state *restrict g, bool burst)
{
    struct flowlet_look l = flowlet_look(e, g, ev, hash_ipv4(e, ev->record, burst));
    uint32_t data = l.index;
    uint64_t at = e->random_at + 1;
    uint32_t choice;

    if (flowlet_own(&l) && flowlet_fresh(&l, g)) {
        choice = l.was & EGRET_FLOWLET_PORT;
        if (UNLIKELY(!is_live(g, choice)))
            return -1;
        g->flowlets[EGRET_FLOWLET_HIT]++;
    } else {
        if (UNLIKELY(at > e->random_known))
            return -1;
        choice = live_by(g, e->random[at] >> 16);
        if (flowlet_own(&l)) {
            if (l.was == (l.flow | choice))
                g->flowlets[EGRET_FLOWLET_NEW]++;
            else
                g->flowlets[EGRET_FLOWLET_REASSIGNED]++;
            data |= (uint32_t)EGRET_FLOWLET_NEW << 30;
        } else if ((l.was & EGRET_FLOWLET_VALID) == 0) {
            g->flowlets[EGRET_FLOWLET_NEW]++;
            data |= (uint32_t)EGRET_FLOWLET_NEW << 30;
        } else {
            if (flowlet_fresh(&l, g))
                return -1;
            g->flowlets[EGRET_FLOWLET_EVICT]++;
            data |= (uint32_t)EGRET_FLOWLET_EVICT << 30;
        }
        l.entry->flow = l.flow | choice;
    }
    e->random_at = at;
    l.entry->last = l.now;
    put(out, ev->tag, data, choice, choice, EGRET_SCHEME_FLOWLET, EGRET_REASON_CHOSEN);
    return (int)choice;
}

static ALWAYS_INLINE enum egret_flowlet_outcome flowlet_outcome(const struct flowlet_look *l,
                                                                const struct egret_group_state *g)
{
    bool fresh = flowlet_fresh(l, g);

    if (flowlet_own(l))
        return fresh ? EGRET_FLOWLET_HIT : EGRET_FLOWLET_NEW;
    if ((l->was & EGRET_FLOWLET_VALID) == 0)
        return EGRET_FLOWLET_NEW;
    return fresh ? EGRET_FLOWLET_CONFLICT : EGRET_FLOWLET_EVICT;
}

/* A new path among the live members, of which there is one. */
static inline uint32_t flowlet_path(struct egret *e, const struct egret_group_state *g,
                                    const struct flowlet_look *l)
{
    uint32_t r, port = l->was & EGRET_FLOWLET_PORT;
    uint64_t least = g->live;

    if (g->quality & EGRET_QUALITY_NEW) {
        least = egret_least_band(e, g->live);
        if ((g->quality & EGRET_QUALITY_STRICT) && flowlet_own(l) && (least >> port & 1u))
            return port;
    }
    r = next_random(e) >> 16;
    return least == g->live ? live_by(g, r) : select64(least, r * popcount64(least) >> 16);
}

/* Any case. Gives data, and the choice if there is a live member; else nothing changes. */
static inline uint32_t flowlet_choose(struct egret *e, struct egret_group_state *g,
                                      const struct egret_event *ev, uint32_t hash, uint32_t *choice)
{
    struct flowlet_look l = flowlet_look(e, g, ev, hash);
    uint32_t outcome = flowlet_outcome(&l, g);
    uint32_t data = outcome << 30 | l.index;

    if (g->live == 0)
        return data;
    if (outcome == EGRET_FLOWLET_CONFLICT) {
        *choice = bucket(e, g, hash);
        g->flowlets[EGRET_FLOWLET_CONFLICT]++;
        return data;
    }
    *choice = outcome == EGRET_FLOWLET_HIT ? l.was & EGRET_FLOWLET_PORT : flowlet_path(e, g, &l);
    l.flow |= *choice;
    if (flowlet_own(&l) && l.flow != l.was)
        g->flowlets[EGRET_FLOWLET_REASSIGNED]++;
    else
        g->flowlets[outcome]++;
    l.entry->flow = l.flow;
    l.entry->last = l.now;
    return data;
}

#endif
