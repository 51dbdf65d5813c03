/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_repair.c: the k-th live member, lowest port first (docs/spec/live-repair.md). Mirrors
 * rtl/egret_live_repair.v.
 */
#include "internal.h"

uint32_t egret_live_count(uint64_t mask)
{
    uint32_t count = 0;
    for (unsigned port = 0; port < EGRET_MAX_PORTS; port++)
        count += (uint32_t)(mask >> port & 1u);
    return count;
}

/* An early return, which a solver follows to 64 ports (scripts/equiv, live_64). */
uint32_t egret_live_kth(uint64_t mask, uint32_t k)
{
    uint32_t before = 0;
    for (unsigned port = 0; port < EGRET_MAX_PORTS; port++) {
        if (mask >> port & 1u) {
            if (before == k)
                return port;
            before++;
        }
    }
    return 0;
}
