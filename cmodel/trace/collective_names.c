/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_names.c: names of collectives and algorithms.
 */
#include <string.h>

#include "egret/collective.h"

static const char *const kind_name[EGRET_COLL_KINDS] = {
    "all-reduce", "reduce",         "all-gather",           "gather", "scatter", "broadcast",
    "all-to-all", "reduce-scatter", "reduce-scatter-block", "barrier"};
static const char *const algorithm_name[EGRET_ALGO_COUNT] = {
    "default",  "ring",         "halving-doubling", "double-binary-tree", "direct",
    "pairwise", "hierarchical", "binomial",         "dissemination"};

const char *egret_collective_kind_name(unsigned kind)
{
    return kind < EGRET_COLL_KINDS ? kind_name[kind] : NULL;
}

const char *egret_collective_algorithm_name(unsigned algorithm)
{
    return algorithm < EGRET_ALGO_COUNT ? algorithm_name[algorithm] : NULL;
}

/* Letters alone, without case: ALL_REDUCE, AllReduce and all-reduce are one. */
static bool same(const char *a, const char *b)
{
    for (;;) {
        while (*a == '-' || *a == '_') {
            a++;
        }
        while (*b == '-' || *b == '_') {
            b++;
        }
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + ('a' - 'A')) : *a;
        if (x != *b) {
            return false;
        }
        if (x == '\0') {
            return true;
        }
        a++;
        b++;
    }
}

bool egret_collective_kind_parse(const char *name, enum egret_collective_kind *out)
{
    for (unsigned i = 0; i < EGRET_COLL_KINDS; i++) {
        if (same(name, kind_name[i])) {
            *out = (enum egret_collective_kind)i;
            return true;
        }
    }
    return false;
}

bool egret_collective_algorithm_parse(const char *name, enum egret_collective_algorithm *out)
{
    for (unsigned i = 0; i < EGRET_ALGO_COUNT; i++) {
        if (same(name, algorithm_name[i])) {
            *out = (enum egret_collective_algorithm)i;
            return true;
        }
    }
    return false;
}

enum egret_collective_algorithm egret_collective_default(enum egret_collective_kind kind)
{
    switch (kind) {
    case EGRET_COLL_ALL_REDUCE:
    case EGRET_COLL_ALL_GATHER:
    case EGRET_COLL_REDUCE_SCATTER:
    case EGRET_COLL_REDUCE_SCATTER_BLOCK:
        return EGRET_ALGO_RING;
    case EGRET_COLL_ALL_TO_ALL:
        return EGRET_ALGO_DIRECT;
    case EGRET_COLL_BARRIER:
        return EGRET_ALGO_DISSEMINATION;
    default:
        return EGRET_ALGO_BINOMIAL;
    }
}
