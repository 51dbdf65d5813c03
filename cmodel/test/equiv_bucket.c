/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_bucket.c: bucket and choice of `ecmp` and `fixed`, any bucket table, against
 * rtl/egret_ecmp.v and rtl/egret_fixed.v. For scripts/equiv.
 *
 * in   fixed     1
 * in   hash      32
 * in   base      16
 * in   mask      16
 * in   bucket    PORT_W x NUM_BUCKETS
 * out  choice    8
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    static struct egret_group_state g;
    static const struct egret_event ev;
    static struct egret_why w;
    static uint8_t bucket[NUM_BUCKETS];

    for (unsigned i = 0; i < NUM_BUCKETS; i++)
        bucket[i] = in->bucket[i];
    e.cfg.num_buckets = NUM_BUCKETS;
    e.bucket = bucket;
    g.bucket_base = in->base;
    g.bucket_mask = in->mask;
    w.hash = in->hash;
    if (in->fixed != 0)
        (void)egret_scheme_fixed.choose(&e, &g, &ev, &w);
    else
        (void)egret_scheme_ecmp.choose(&e, &g, &ev, &w);
    out->choice = (uint8_t)w.choice;
}
