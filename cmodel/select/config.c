/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config.c: hardware configurations: the named ones of configs.mk, their ranges, latency and sweep
 * (docs/spec/timing.md). Mirrors the parameter checks of rtl/egret_core.v.
 */
#include <string.h>

#include "egret/egret.h"
#include "egret/timing.h"
#include "egret_configs.h"
#include "parts.h"

#define NUM_NAMED (sizeof egret_named_cfg / sizeof egret_named_cfg[0])
#define MAX_RSP_DEPTH 256u
#define MIN_FLOWLETS 16u
#define ALL_SCHEMES ((1u << (EGRET_NUM_SCHEMES + 1)) - 2)
#define MATRIX_SWEEP 2048u /* words of the matrix, rounded up to a power of two */

const char *egret_cfg_name(size_t i)
{
    return i < NUM_NAMED ? egret_named_cfg[i].name : NULL;
}

int egret_cfg_named(const char *name, struct egret_cfg *out)
{
    if (name == NULL || out == NULL)
        return EGRET_ERR_NULL;
    for (size_t i = 0; i < NUM_NAMED; i++) {
        if (strcmp(name, egret_named_cfg[i].name) == 0) {
            *out = egret_named_cfg[i];
            return EGRET_OK;
        }
    }
    return EGRET_ERR_CONFIG;
}

static bool pow2_upto(uint32_t value, uint32_t max)
{
    return value >= 1 && value <= max && (value & (value - 1)) == 0;
}

int egret_cfg_check(const struct egret_cfg *cfg, const char **param)
{
    const char *bad = NULL;
    if (cfg == NULL)
        return EGRET_ERR_NULL;
    if (cfg->num_ports < 1 || cfg->num_ports > EGRET_MAX_PORTS)
        bad = "NUM_PORTS";
    else if (!pow2_upto(cfg->num_groups, 1024))
        bad = "NUM_GROUPS";
    else if (!pow2_upto(cfg->num_keys, 2048))
        bad = "NUM_KEYS";
    else if (!pow2_upto(cfg->num_bins, 16))
        bad = "NUM_BINS";
    else if (!pow2_upto(cfg->num_rows, 256))
        bad = "NUM_ROWS";
    else if (!pow2_upto(cfg->row_len, 256))
        bad = "ROW_LEN";
    else if (!pow2_upto(cfg->num_buckets, 65536))
        bad = "NUM_BUCKETS";
    else if (cfg->hash_kind > EGRET_HASH_KIND_LOOKUP3)
        bad = "HASH_KIND";
    else if ((cfg->schemes & ~(uint32_t)ALL_SCHEMES) != 0)
        bad = "SCHEMES";
    else if (egret_cfg_has_flowlet(cfg) ? cfg->num_flowlets < MIN_FLOWLETS ||
                                              !pow2_upto(cfg->num_flowlets, 65536)
                                        : cfg->num_flowlets != 0)
        bad = "NUM_FLOWLETS";
    else if (!pow2_upto(cfg->rsp_depth, MAX_RSP_DEPTH) ||
             cfg->rsp_depth <= egret_cfg_latency(cfg))
        bad = "RSP_DEPTH";
    else if (cfg->parity > 1)
        bad = "PARITY";
    if (bad == NULL)
        return EGRET_OK;
    if (param != NULL)
        *param = bad;
    return EGRET_ERR_CONFIG;
}

uint32_t egret_cfg_latency(const struct egret_cfg *cfg)
{
    return EGRET_LATENCY_BASE + (egret_cfg_is_deep(cfg) ? EGRET_LATENCY_DEEP : 0) +
           (cfg->hash_kind == EGRET_HASH_KIND_LOOKUP3 ? EGRET_LATENCY_LOOKUP3 : 0);
}

uint32_t egret_timing_tick_gap(const struct egret_cfg *cfg)
{
    return cfg->num_ports + (egret_cfg_has_load(cfg) ? EGRET_TICK_WALK_LOAD : EGRET_TICK_WALK);
}

static uint32_t round_up_pow2(uint32_t value)
{
    uint32_t p = 1;
    while (p < value)
        p <<= 1;
    return p;
}

uint32_t egret_timing_sweep(const struct egret_cfg *cfg)
{
    const uint32_t depth[] = {
        cfg->num_buckets,
        2 * cfg->num_rows * cfg->row_len,
        round_up_pow2(cfg->num_keys * cfg->num_bins + cfg->num_groups),
        (egret_cfg_has_flowlet(cfg) ? 8 : 2) * cfg->num_groups,
        cfg->num_flowlets,
        round_up_pow2(cfg->num_ports),
        cfg->hash_kind == EGRET_HASH_KIND_MATRIX ? MATRIX_SWEEP : 16,
    };
    uint32_t sweep = 0;
    for (size_t i = 0; i < sizeof depth / sizeof depth[0]; i++)
        sweep = depth[i] > sweep ? depth[i] : sweep;
    return sweep;
}

const char *egret_strerror(int err)
{
    switch (err) {
    case EGRET_OK:
        return "no error";
    case EGRET_ERR_NULL:
        return "a required pointer is null";
    case EGRET_ERR_CONFIG:
        return "a configuration parameter is out of range";
    case EGRET_ERR_MEMORY:
        return "out of memory";
    case EGRET_ERR_EVENT:
        return "unknown event kind";
    case EGRET_ERR_RANGE:
        return "an argument is out of range for the configuration";
    case EGRET_ERR_INTERNAL:
        return "a selector failed";
    case EGRET_ERR_DIFFER:
        return "the two selectors differ";
    default:
        return "unknown error";
    }
}
