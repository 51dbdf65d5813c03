/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quality.c: which live members are the emptiest (docs/spec/spray-quality.md, section 2). Mirrors
 * rtl/egret_spray_quality.v.
 */
#include "internal.h"

uint64_t egret_least_band(const struct egret *e, uint64_t live)
{
    for (uint32_t b = 0; b < EGRET_NUM_BANDS; b++)
        if ((live & e->load.ports[b]) != 0)
            return live & e->load.ports[b];
    return 0;
}
