/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fast_quality.h: scheme `spray-quality` in the fast path (apply.c). Same results as
 * spray_quality.c.
 */
#ifndef EGRET_FAST_QUALITY_H
#define EGRET_FAST_QUALITY_H

#include "fast_flowlet.h"

/* The list of the live members of the least band; there is one. */
static NOINLINE void list_pool(const struct egret *e, struct egret_group_state *g)
{
    g->num_pooled = 0;
    for (uint64_t rest = egret_least_band(e, g->live); rest != 0; rest &= rest - 1)
        g->pooled[g->num_pooled++] = (uint8_t)lowest64(rest);
    g->pool_stamp = e->load.stamp;
}

/* DRILL by the packet's number x; the list of live members is up to date, and not empty. */
static ALWAYS_INLINE uint32_t drill(const struct egret *e, struct egret_group_state *g, uint32_t x)
{
    const uint8_t *band = e->load.band;
    uint32_t best = live_by(g, x >> 16);

    if (egret_drill_samples(g) > 1) {
        uint32_t second = live_by(g, x & 0xffffu);
        best = band[second] < band[best] ? second : best;
    }
    if (egret_drill_remembers(g)) {
        uint32_t kept = g->memory & EGRET_MEMORY_PORT;
        if ((g->memory & EGRET_MEMORY_KEPT) && is_live(g, kept) && band[best] >= band[kept])
            best = kept;
        g->memory = (uint8_t)(EGRET_MEMORY_KEPT | best);
    }
    return best;
}

/* The choice by x, in any case; a member is live and listed. */
static inline uint32_t quality_choose(const struct egret *e, struct egret_group_state *g,
                                      uint32_t x)
{
    if (g->quality & EGRET_QUALITY_DRILL_D)
        return drill(e, g, x);
    if (g->pool_stamp != e->load.stamp)
        list_pool(e, g);
    return g->pooled[(x >> 16) * g->num_pooled >> 16];
}

/* The common case of a packet that is hashed; as quality_common(). */
static ALWAYS_INLINE int small_common(struct egret *restrict e, const struct egret_event *ev,
                                      struct egret_decision *restrict out,
                                      const struct egret_group_state *restrict g, bool burst)
{
    uint32_t hash, choice;

    if (UNLIKELY(e->mode != EGRET_MODE_IPV4))
        return -1;
    hash = hash_ipv4(e, ev->record, burst);
    choice = bucket(e, g, hash);
    if (UNLIKELY(!is_live(g, choice)))
        return -1;
    e->random_at++;
    put(out, ev->tag, hash, choice, choice, EGRET_SCHEME_SPRAY_QUALITY, EGRET_REASON_CHOSEN);
    return (int)choice;
}

/* The common case, decided but not counted: numbers at hand, the pool listed. Returns the port, or
 * a negative value with nothing changed for anything else. */
static ALWAYS_INLINE int quality_common(struct egret *restrict e, const struct egret_event *ev,
                                        struct egret_decision *restrict out,
                                        struct egret_group_state *restrict g, bool burst)
{
    uint64_t at = e->random_at + 1;
    uint32_t x, choice;

    if (ev->length < e->load.small)
        return small_common(e, ev, out, g, burst);
    if (UNLIKELY(at > e->random_known))
        return -1;
    x = e->random[at];
    if (g->quality & EGRET_QUALITY_DRILL_D) {
        choice = drill(e, g, x);
    } else {
        if (UNLIKELY(g->pool_stamp != e->load.stamp))
            return -1;
        choice = g->pooled[(x >> 16) * g->num_pooled >> 16];
    }
    e->random_at = at;
    put(out, ev->tag, x, choice, choice, EGRET_SCHEME_SPRAY_QUALITY, EGRET_REASON_CHOSEN);
    return (int)choice;
}

#endif
