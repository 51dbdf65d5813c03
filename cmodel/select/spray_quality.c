/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spray_quality.c: scheme `spray-quality`: one of the live members of the least band at random, or
 * of a few samples and a remembered port the one of the lower band: DRILL
 * (docs/spec/spray-quality.md). Mirrors rtl/egret_spray_quality.v and rtl/egret_drill.v.
 */
#include "internal.h"

/* Is port a in a lower band than b? */
static bool better(const struct egret *e, uint32_t a, uint32_t b)
{
    return e->load.band[a] < e->load.band[b];
}

/* The k-th candidate by r; there is one. */
static uint32_t sample(const struct egret_why *w, uint32_t r)
{
    return egret_live_kth(w->candidates, r * egret_live_count(w->candidates) >> 16);
}

/* DRILL; the candidates are all live members. */
static uint32_t drill(const struct egret *e, const struct egret_group_state *g, struct egret_why *w)
{
    uint32_t kept = g->memory & EGRET_MEMORY_PORT;
    uint32_t best = w->sample[0] = sample(w, w->random >> 16);

    if (egret_drill_samples(g) > 1) {
        w->sample[1] = sample(w, w->random & 0xffffu);
        if (better(e, w->sample[1], best))
            best = w->sample[1];
    }
    if (!egret_drill_remembers(g))
        return best;
    w->faults = egret_fault(e, w->pointer, EGRET_FAULT_MEMORY);
    if (w->faults == 0 && (g->memory & EGRET_MEMORY_KEPT) && (w->candidates >> kept & 1u) &&
        !better(e, best, kept))
        best = kept;
    w->new_entry = EGRET_MEMORY_VALID | best;
    return best;
}

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    bool samples = egret_drill_samples(g) != 0;

    if (ev->length < e->load.small) {
        w->bucket = egret_ecmp_bucket(w->hash, g->bucket_base, g->bucket_mask, e->cfg.num_buckets);
        w->choice = e->bucket[w->bucket];
        w->faults = egret_fault(e, EGRET_A_BUCKET(w->bucket), EGRET_FAULT_BUCKET);
        w->repair_random = w->hash >> 16;
        w->decision.data = w->hash;
        return true;
    }
    w->random = egret_random_next(e);
    w->repair_random = w->random >> 16;
    w->decision.data = w->random;
    w->pointer = EGRET_A_DRILL_MEMORY(ev->group);
    w->old_entry = w->new_entry = egret_drill_memory(g);
    if (w->live_count == 0)
        return true;
    w->candidates = samples ? w->live_members : egret_least_band(e, w->live_members);
    w->rank = w->repair_random * egret_live_count(w->candidates) >> 16;
    w->choice = samples ? drill(e, g, w) : egret_live_kth(w->candidates, w->rank);
    w->band = e->load.band[w->choice];
    return true;
}

const struct egret_scheme_ops egret_scheme_spray_quality = {"spray-quality", choose};
