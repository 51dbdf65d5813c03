/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ecmp.c: scheme `ecmp`: hash, then a bucket table (docs/spec/ecmp.md). Mirrors rtl/egret_ecmp.v.
 * Keeps no state.
 */
#include "internal.h"

uint32_t egret_ecmp_bucket(uint32_t hash, uint32_t base, uint32_t mask, uint32_t num_buckets)
{
    return ((base + (hash & mask)) & 0xffffu) & (num_buckets - 1);
}

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    (void)ev;
    w->bucket = egret_ecmp_bucket(w->hash, g->bucket_base, g->bucket_mask, e->cfg.num_buckets);
    w->choice = e->bucket[w->bucket];
    w->faults = egret_fault(e, EGRET_A_BUCKET(w->bucket), EGRET_FAULT_BUCKET);
    w->repair_random = w->hash >> 16;
    w->decision.data = w->hash;
    return true;
}

const struct egret_scheme_ops egret_scheme_ecmp = {"ecmp", choose};
