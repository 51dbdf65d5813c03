/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.c: every readable address of a configuration, for dumps and digests of a selector's state.
 */
#include "egret/hash.h"
#include "egret/regs.h"
#include "egret/selector.h"
#include "parts.h"

static const uint32_t global_address[] = {
    EGRET_A_TYPE,         EGRET_A_VERSION,      EGRET_A_PARAM0,         EGRET_A_PARAM1,
    EGRET_A_PARAM2,       EGRET_A_HASH_ALGORITHM, EGRET_A_HASH_SEED,    EGRET_A_DRAW_SEED,
    EGRET_A_LIVE0,        EGRET_A_LIVE1,        EGRET_A_TICK_COUNT,     EGRET_A_TICK_NOW0,
    EGRET_A_TICK_NOW1,    EGRET_A_WRITES_IGNORED, EGRET_A_EVENTS_IGNORED, EGRET_A_DROPS_SCHEME,
    EGRET_A_DROPS_INDEX,  EGRET_A_GROUP_STAGE1, EGRET_A_GROUP_STAGE2,   EGRET_A_GROUP_STAGE3,
    EGRET_A_GROUP_STAGE4, EGRET_A_PARAM3,       EGRET_A_CLASS_ORDERED,  EGRET_A_RANDOM,
    EGRET_A_FAULTS,       EGRET_A_FAULT_TABLES,
};
#define NUM_GLOBALS (sizeof global_address / sizeof global_address[0])

static const uint32_t load_address[] = {
    EGRET_A_LOAD_EXPONENT,     EGRET_A_LOAD_WEIGHTS,      EGRET_A_QUALITY_SMALL,
    EGRET_A_LOAD_THRESHOLD(1), EGRET_A_LOAD_THRESHOLD(2), EGRET_A_LOAD_THRESHOLD(3),
    EGRET_A_LOAD_THRESHOLD(4), EGRET_A_LOAD_THRESHOLD(5), EGRET_A_LOAD_THRESHOLD(6),
    EGRET_A_LOAD_THRESHOLD(7),
};
#define NUM_LOAD_GLOBALS (sizeof load_address / sizeof load_address[0])

/* Region after region; each takes its own addresses off *i until one holds it. */
static bool in_region(size_t *i, size_t count)
{
    if (*i < count)
        return true;
    *i -= count;
    return false;
}

int egret_state_address(const struct egret_cfg *cfg, size_t i, uint32_t *addr)
{
    int err = egret_cfg_check(cfg, NULL);
    bool matrix, load;
    uint32_t a;

    if (err != EGRET_OK)
        return err;
    if (addr == NULL)
        return EGRET_ERR_NULL;
    matrix = cfg->hash_kind == EGRET_HASH_KIND_MATRIX;
    load = egret_cfg_has_load(cfg);
    if (in_region(&i, NUM_GLOBALS))
        a = global_address[i];
    else if (in_region(&i, matrix ? 0 : 2))
        a = i == 0 ? EGRET_A_HASH_FIELDS : EGRET_A_HASH_ROTATION;
    else if (in_region(&i, 7 * (size_t)cfg->num_groups))
        a = EGRET_A_GROUP(i / 7, i % 7);
    else if (in_region(&i, cfg->num_buckets))
        a = EGRET_A_BUCKET(i);
    else if (in_region(&i, 2 * (size_t)cfg->num_rows * cfg->row_len))
        a = EGRET_A_SCHEDULE(i / cfg->row_len / cfg->num_rows, i / cfg->row_len % cfg->num_rows,
                             i % cfg->row_len);
    else if (in_region(&i, (size_t)cfg->num_keys * cfg->num_bins))
        a = EGRET_A_POINTER_DR(i / cfg->num_bins, i % cfg->num_bins);
    else if (in_region(&i, cfg->num_groups))
        a = EGRET_A_POINTER_RR(i);
    else if (in_region(&i, cfg->num_ports))
        a = EGRET_A_QUEUE(i);
    else if (in_region(&i, 4 * (size_t)cfg->num_ports))
        a = EGRET_A_PORT_COUNTER(i / 4, i % 4);
    else if (in_region(&i, 2 * (size_t)cfg->num_groups))
        a = EGRET_A_GROUP_COUNTER(i / 2, i % 2);
    else if (in_region(&i, matrix ? 16 * (size_t)EGRET_HASH_NIBBLES : 0))
        a = EGRET_A_MATRIX(i / 16, i % 16);
    else if (in_region(&i, load ? NUM_LOAD_GLOBALS : 0))
        a = load_address[i];
    else if (in_region(&i, load ? 3 * (size_t)cfg->num_ports : 0))
        a = EGRET_A_PORT_LOAD(i / 3, i % 3);
    else if (in_region(&i, load ? cfg->num_groups : 0))
        a = EGRET_A_DRILL_MEMORY(i);
    else if (in_region(&i, egret_cfg_is_deep(cfg) ? 2 : 0))
        a = EGRET_A_GROUP_STAGE5 + (uint32_t)i;
    else if (in_region(&i, egret_cfg_has_flowlet(cfg) ? 1 : 0))
        a = EGRET_A_FLOWLET_LAST;
    else if (in_region(&i, egret_cfg_has_flowlet(cfg) ? 5 * (size_t)cfg->num_groups : 0))
        a = EGRET_A_FLOWLET_COUNTER(i / 5, i % 5);
    else if (in_region(&i, 2 * (size_t)cfg->num_flowlets))
        a = EGRET_A_FLOWLET(i / 2, i % 2);
    else
        return EGRET_ERR_RANGE;
    *addr = a;
    return EGRET_OK;
}

size_t egret_state_count(const struct egret_cfg *cfg)
{
    bool matrix;

    if (egret_cfg_check(cfg, NULL) != EGRET_OK)
        return 0;
    matrix = cfg->hash_kind == EGRET_HASH_KIND_MATRIX;
    return NUM_GLOBALS + (matrix ? 16 * (size_t)EGRET_HASH_NIBBLES : 2) +
           10 * (size_t)cfg->num_groups + cfg->num_buckets +
           2 * (size_t)cfg->num_rows * cfg->row_len + (size_t)cfg->num_keys * cfg->num_bins +
           5 * (size_t)cfg->num_ports + 2 * (size_t)cfg->num_flowlets +
           (egret_cfg_is_deep(cfg) ? 2 : 0) +
           (egret_cfg_has_load(cfg)
                ? NUM_LOAD_GLOBALS + 3 * (size_t)cfg->num_ports + cfg->num_groups
                : 0) +
           (egret_cfg_has_flowlet(cfg) ? 1 + 5 * (size_t)cfg->num_groups : 0);
}
