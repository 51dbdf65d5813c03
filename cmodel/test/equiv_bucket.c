/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_bucket.c: bucket and choice of `ecmp` and `fixed`, any bucket table, against
 * rtl/egret_ecmp.v and rtl/egret_fixed.v. With PARITY 1 any buckets are bad. For scripts/equiv.
 *
 * in   fixed     1
 * in   hash      32
 * in   base      16
 * in   mask      16
 * in   bucket    PORT_W x NUM_BUCKETS
 * in   bad       1 x NUM_BUCKETS
 * mid  parity    1 x NUM_BUCKETS
 * out  choice    8
 * out  found     1
 */
#include <string.h>

#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    static struct egret_group_state g;
    static const struct egret_event ev;
    static struct egret_why w;
    static uint8_t bucket[NUM_BUCKETS], marks[256 + NUM_BUCKETS / 8];

    memset(&e, 0, sizeof e);
    memset(&w, 0, sizeof w);
    memset(marks, 0, sizeof marks);
    e.cfg.num_buckets = NUM_BUCKETS;
    e.cfg.parity = PARITY;
    e.bucket = bucket;
    e.bad = marks;
    for (unsigned i = 0; i < NUM_BUCKETS; i++) {
        bucket[i] = in->bucket[i];
        if (PARITY != 0)
            egret_set_bad(&e, EGRET_A_BUCKET(i), in->bad[i] != 0);
        out->parity[i] = (uint8_t)((egret_live_count(bucket[i]) & 1u) ^
                                   egret_is_bad(&e, EGRET_A_BUCKET(i)));
    }
    g.bucket_base = in->base;
    g.bucket_mask = in->mask;
    w.hash = in->hash;
    if (in->fixed != 0)
        (void)egret_scheme_fixed.choose(&e, &g, &ev, &w);
    else
        (void)egret_scheme_ecmp.choose(&e, &g, &ev, &w);
    out->choice = (uint8_t)w.choice;
    out->found = w.faults == 1u << EGRET_FAULT_BUCKET;
}
