/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h: which parts a configuration has, from its schemes (docs/spec/events.md, section 3), and
 * which words are counters.
 */
#ifndef EGRET_PARTS_H
#define EGRET_PARTS_H

#include "egret/egret.h"

static inline bool egret_cfg_has(const struct egret_cfg *cfg, uint32_t scheme)
{
    return scheme < 32 && (cfg->schemes >> scheme & 1u);
}

/* Port loads and bands, DRILL's memory. */
static inline bool egret_cfg_has_load(const struct egret_cfg *cfg)
{
    return egret_cfg_has(cfg, EGRET_SCHEME_SPRAY_QUALITY);
}

/* The flowlet table and its counters. */
static inline bool egret_cfg_has_flowlet(const struct egret_cfg *cfg)
{
    return egret_cfg_has(cfg, EGRET_SCHEME_FLOWLET);
}

/* Group words 5 and 6, four clocks more latency. */
static inline bool egret_cfg_is_deep(const struct egret_cfg *cfg)
{
    return egret_cfg_has_load(cfg) || egret_cfg_has_flowlet(cfg);
}

/* The random number generator. */
static inline bool egret_cfg_has_random(const struct egret_cfg *cfg)
{
    return egret_cfg_has(cfg, EGRET_SCHEME_SPRAY_RANDOM) || egret_cfg_is_deep(cfg);
}

/* Is the word at `addr` a counter: of a port, a group, a group's flowlets? */
static inline bool egret_is_counter(uint32_t addr)
{
    uint32_t region = addr >> 20 & 0xfu;
    return region == 0x6 || region == 0x7 || region == 0xb;
}

#endif
