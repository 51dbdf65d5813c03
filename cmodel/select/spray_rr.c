/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spray_rr.c: scheme `spray-rr`: one rotation pointer a group (docs/spec/spray-rr.md). Mirrors
 * rtl/egret_spray_rr.v. The engine is rotation.c.
 */
#include "internal.h"

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    uint32_t group = ev->group;
    egret_rotation_explain(e, g, e->dr_pointers + group, EGRET_A_POINTER_RR(group),
                           0x8000u | group, w);
    return true;
}

const struct egret_scheme_ops egret_scheme_spray_rr = {"spray-rr", choose};
