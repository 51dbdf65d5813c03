/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal.h: what the readers of GOAL share: a rank's operations and what they wait for. Internal to
 * the trace library.
 */
#ifndef EGRET_TRACE_GOAL_H
#define EGRET_TRACE_GOAL_H

#include "importer.h"

#define GOAL_MAX_RANKS (1u << 20)
#define GOAL_MAX_CALC_NS 1000000000000000u /* 10^18 ps */

enum goal_kind { GOAL_SEND = 1, GOAL_RECV = 2, GOAL_CALC = 3 };

/* `after` waits for `before`, both operations of the schedule. */
struct goal_wait {
    uint32_t before;
    uint32_t after;
    bool start; /* irequires: for its start */
};
struct goal_block {
    uint32_t rank;
    uint32_t first; /* operation */
    struct goal_wait *wait;
    size_t waits;
    size_t capacity;
};

struct goal_op {
    enum goal_kind kind;
    uint64_t amount; /* bytes, or nanoseconds */
    uint64_t tag;
    uint32_t peer; /* UINT32_MAX of a receive: any */
    bool any_tag;
    uint64_t where;
};
/* Appends it at the rank of the block. */
int egret_goal_op(struct importer *m, const struct goal_block *b, const struct goal_op *o,
                  uint32_t *op);
int egret_goal_wait(struct importer *m, struct goal_block *b, uint32_t before, uint32_t after,
                    bool start);
/* The edges of a rank, once all its operations are known; forgets the waits. */
int egret_goal_edges(struct importer *m, struct goal_block *b);

#endif
