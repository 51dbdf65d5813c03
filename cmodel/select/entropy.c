/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entropy.c: scheme `entropy`: a slice of the packet's entropy field is the bucket
 * (docs/spec/entropy.md). Mirrors rtl/egret_entropy.v. Keeps no state.
 */
#include "internal.h"

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    uint32_t slice = ev->entropy >> g->entropy_offset & 0xffffu;
    w->bucket = egret_ecmp_bucket(slice, g->bucket_base, g->bucket_mask, e->cfg.num_buckets);
    w->choice = e->bucket[w->bucket];
    w->faults = egret_fault(e, EGRET_A_BUCKET(w->bucket), EGRET_FAULT_BUCKET);
    w->repair_random = w->hash >> 16;
    w->decision.data = (w->hash & 0xffff0000u) | slice;
    return true;
}

const struct egret_scheme_ops egret_scheme_entropy = {"entropy", choose};
