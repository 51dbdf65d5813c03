/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ticks.c: many ticks with nothing in between (docs/spec/load.md, section 2).
 */
#include "internal.h"

/* Would another tick leave the loads as they are? Right behind a tick, when nothing has been sent
 * since: no average decays any more, and what was measured of it is in force. */
static bool settled(const struct egret *e)
{
    for (uint32_t i = 0; i < e->cfg.num_ports; i++) {
        const struct egret_port_load *p = &e->load.port[i];
        if (p->average >> e->load.exponent != 0 || p->next != e->load.band[i])
            return false;
    }
    return true;
}

int egret_ticks(struct egret *e, uint64_t n, uint64_t now)
{
    if (e == NULL)
        return EGRET_ERR_NULL;
    if (n == 0)
        return EGRET_OK;
    e->tick_count += (uint32_t)n;
    e->tick_now = now & EGRET_MASK48;
    if (!egret_cfg_has_load(&e->cfg))
        return EGRET_OK;
    do
        egret_load_tick(e);
    while (--n > 0 && !settled(e));
    return EGRET_OK;
}
