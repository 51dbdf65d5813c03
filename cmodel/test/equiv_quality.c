/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_quality.c: the least band and a choice in it, any bands in force, by the plain path and by
 * the lists of the fast one, against rtl/egret_spray_quality.v and rtl/egret_live_repair.v. For
 * scripts/equiv.
 *
 * in   band      3 x NUM_PORTS
 * in   live      NUM_PORTS
 * in   state     32
 * mid  number    32
 * out  ties      NUM_PORTS
 * out  choice    8
 * out  quick     8
 * out  of_band   3
 */
#include "equiv_ports.h"
#include "fast_quality.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    static struct egret_group_state g;
    static struct egret_event ev;
    static struct egret_why w;

    memset(&e, 0, sizeof e);
    memset(&g, 0, sizeof g);
    memset(&w, 0, sizeof w);
    e.cfg.schemes = 1u << EGRET_SCHEME_SPRAY_QUALITY;
    e.load.stamp = 1;
    for (unsigned i = 0; i < NUM_PORTS; i++) {
        e.load.band[i] = in->band[i];
        for (unsigned b = 0; b < EGRET_NUM_BANDS; b++)
            e.load.ports[b] |= (uint64_t)(in->band[i] == b) << i;
    }
    egret_random_set(&e, in->state);
    out->number = egret_random_next(&e);
    g.live = w.live_members = in->live;
    w.live_count = egret_live_count(in->live);
    (void)egret_scheme_spray_quality.choose(&e, &g, &ev, &w);
    if (in->live == 0)
        return;
    out->ties = (__typeof__(out->ties))w.candidates;
    out->choice = (uint8_t)w.choice;
    out->of_band = (uint8_t)w.band;
    list_live(&e, &g);
    out->quick = (uint8_t)quality_choose(&e, &g, out->number);
}
