/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_entropy.c: the slice of `entropy` against rtl/egret_entropy.v. The bucket table of one
 * entry leaves the slice as the low half of the result word. For scripts/equiv.
 *
 * in   entropy   32
 * in   offset    5
 * out  slice     16
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    static struct egret_group_state g;
    static struct egret_event ev;
    static struct egret_why w;
    static uint8_t bucket[1];

    e.cfg.num_buckets = 1;
    e.bucket = bucket;
    g.entropy_offset = in->offset;
    ev.entropy = in->entropy;
    (void)egret_scheme_entropy.choose(&e, &g, &ev, &w);
    out->slice = (uint16_t)w.decision.data;
}
