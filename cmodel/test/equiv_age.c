/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_age.c: whether a flowlet's entry has expired, against rtl/egret_flowlet_age.v. For
 * scripts/equiv.
 *
 * in   now       24
 * in   last      24
 * in   idle      24
 * out  expired   1
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    static struct egret_group_state g;
    static struct egret_event ev;
    static struct egret_flowlet entry;
    static struct egret_why w;

    e.cfg.num_flowlets = 1;
    e.flowlet = &entry;
    entry.last = in->last;
    g.idle = in->idle;
    ev.now = (uint64_t)in->now << 4;
    (void)egret_scheme_flowlet.choose(&e, &g, &ev, &w);
    out->expired = w.expired;
}
