// SPDX-License-Identifier: Apache-2.0
// The configuration that a program around the Verilated core is built for: EGRET_CFG_*, which
// scripts/build_bench takes from configs.mk. C++, behind egret/egret.h.
#ifndef EGRET_BUILT_CFG_H
#define EGRET_BUILT_CFG_H

constexpr egret_cfg egret_built = {
    "", // it is compared by its numbers
    EGRET_CFG_NUM_PORTS,
    EGRET_CFG_NUM_GROUPS,
    EGRET_CFG_NUM_KEYS,
    EGRET_CFG_NUM_BINS,
    EGRET_CFG_NUM_ROWS,
    EGRET_CFG_ROW_LEN,
    EGRET_CFG_NUM_BUCKETS,
    EGRET_CFG_HASH_KIND,
    EGRET_CFG_RSP_DEPTH,
    EGRET_CFG_SCHEMES,
    EGRET_CFG_NUM_FLOWLETS,
    EGRET_CFG_PARITY,
};

#endif
