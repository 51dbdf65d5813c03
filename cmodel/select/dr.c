/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dr.c: scheme `dr`, destination rotation: one rotation pointer per (rotation key, size bin)
 * (docs/spec/dr.md). Mirrors rtl/egret_dr.v. The engine is rotation.c.
 */
#include "internal.h"

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    uint32_t key = ev->key;
    uint32_t bin = ev->bin;
    if (key >= e->cfg.num_keys || bin >= e->cfg.num_bins)
        return false;
    egret_rotation_explain(e, g, key * e->cfg.num_bins + bin, EGRET_A_POINTER_DR(key, bin),
                           key << 4 | bin, w);
    return true;
}

const struct egret_scheme_ops egret_scheme_dr = {"dr", choose};
