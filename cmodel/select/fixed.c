/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fixed.c: scheme `fixed`: the group's first bucket, whatever the packet (docs/spec/fixed.md).
 * Mirrors rtl/egret_fixed.v, which takes the mask off `ecmp`. Keeps no state.
 */
#include "internal.h"

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    (void)ev;
    w->bucket = egret_ecmp_bucket(0, g->bucket_base, 0, e->cfg.num_buckets);
    w->choice = e->bucket[w->bucket];
    w->faults = egret_fault(e, EGRET_A_BUCKET(w->bucket), EGRET_FAULT_BUCKET);
    w->repair_random = w->hash >> 16;
    w->decision.data = w->hash;
    return true;
}

const struct egret_scheme_ops egret_scheme_fixed = {"fixed", choose};
