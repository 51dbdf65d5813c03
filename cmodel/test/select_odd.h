/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_odd.h: a configuration in which all sizes differ, so that no bound can stand for another,
 * and a callback that fails after some writes.
 */
#ifndef EGRET_SELECT_ODD_H
#define EGRET_SELECT_ODD_H

#include "egret/control.h"
#include "select_test.h"

#define ODD_BUCKETS 128
#define ODD_FLOWLETS 256

static inline struct egret_cfg odd_cfg(void)
{
    struct egret_cfg c = test_cfg("lab");
    snprintf(c.name, sizeof c.name, "odd");
    c.num_ports = 5;
    c.num_groups = 8;
    c.num_keys = 16;
    c.num_bins = 4;
    c.num_rows = 32;
    c.row_len = 64;
    c.num_buckets = ODD_BUCKETS;
    c.num_flowlets = ODD_FLOWLETS;
    REQUIRE(egret_cfg_check(&c, NULL) == EGRET_OK);
    return c;
}

/* The same with other schemes: NUM_FLOWLETS follows. */
static inline struct egret_cfg odd_schemes(uint32_t schemes)
{
    struct egret_cfg c = odd_cfg();
    c.schemes = schemes;
    c.num_flowlets = schemes >> EGRET_SCHEME_FLOWLET & 1u ? ODD_FLOWLETS : 0;
    REQUIRE(egret_cfg_check(&c, NULL) == EGRET_OK);
    return c;
}

/* Takes `left` writes, then fails with a code of its own. */
struct sink {
    unsigned left, taken;
};
#define SINK_FULL (-77)

static inline int emit_sink(void *ctx, uint32_t addr, uint32_t data)
{
    struct sink *s = ctx;
    (void)addr;
    (void)data;
    if (s->left == 0)
        return SINK_FULL;
    s->left--;
    s->taken++;
    return EGRET_OK;
}

#endif
