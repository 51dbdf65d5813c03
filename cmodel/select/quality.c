/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quality.c: scheme `spray-quality`: one of the live members of the least band at random, or of a
 * few samples and a remembered port the one of the lower band: DRILL (docs/spec/spray-quality.md).
 * Mirrors rtl/egret_quality.v.
 */
#include "internal.h"

uint64_t egret_least_band(const struct egret *e, uint64_t live)
{
    for (uint32_t b = 0; b < EGRET_NUM_BANDS; b++)
        if ((live & e->load.ports[b]) != 0)
            return live & e->load.ports[b];
    return 0;
}

uint32_t egret_quality_memory(const struct egret_group_state *g)
{
    uint32_t valid = g->memory & EGRET_MEMORY_KEPT ? EGRET_MEMORY_VALID : 0;
    return valid | (g->memory & EGRET_MEMORY_PORT);
}

static uint32_t sample(uint64_t mask, uint32_t r)
{
    return egret_live_kth(mask, r * egret_live_count(mask) >> 16);
}

/* Is port a in a lower band than b? */
static bool better(const struct egret *e, uint32_t a, uint32_t b)
{
    return e->load.band[a] < e->load.band[b];
}

/* d is not 0 and some member is live. */
static uint32_t drill(const struct egret *e, const struct egret_group_state *g, struct egret_why *w)
{
    uint64_t live = w->live_members;
    uint32_t kept = g->memory & EGRET_MEMORY_PORT;
    uint32_t best = w->sample[0] = sample(live, w->random >> 16);

    if (egret_drill_samples(g) > 1) {
        w->sample[1] = sample(live, w->random & 0xffffu);
        if (better(e, w->sample[1], best))
            best = w->sample[1];
    }
    if (!egret_drill_remembers(g))
        return best;
    if ((g->memory & EGRET_MEMORY_KEPT) && (live >> kept & 1u) && !better(e, best, kept))
        best = kept;
    w->new_memory = EGRET_MEMORY_VALID | best;
    return best;
}

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    if (ev->length < e->load.small) {
        w->bucket = egret_ecmp_bucket(w->hash, g->bucket_base, g->bucket_mask, e->cfg.num_buckets);
        w->choice = e->bucket[w->bucket];
        w->repair_random = w->hash >> 16;
        w->decision.data = w->hash;
        return true;
    }
    w->random = egret_random_step(egret_random_jump(e->random, e->random_behind));
    w->repair_random = w->random >> 16;
    w->decision.data = w->random;
    w->tie = egret_least_band(e, w->live_members);
    w->old_memory = egret_quality_memory(g);
    w->new_memory = w->old_memory;
    if (w->live_count == 0)
        return true;
    w->choice = egret_drill_samples(g) == 0 ? sample(w->tie, w->repair_random) : drill(e, g, w);
    w->band = e->load.band[w->choice];
    return true;
}

const struct egret_scheme_ops egret_scheme_spray_quality = {"spray-quality", choose};
