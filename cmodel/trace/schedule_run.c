/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule_run.c: what of a schedule starts, in which order, without time.
 */
#include "schedule_run.h"

/* An edge into `to` fires. A turnstile passes it on along its next edge, if it has one left. */
static uint32_t fire(const struct egret_schedule *s, uint32_t to, uint64_t before, uint32_t *fired,
                     uint64_t *depth)
{
    while (s->op[to].kind == EGRET_OP_TURNSTILE) {
        uint32_t next = s->first[to] + fired[to];
        if (next == s->first[to + 1u]) {
            return EGRET_NO_OP;
        }
        fired[to]++;
        to = egret_edge_to(s->edge[next]);
    }
    if (fired[to] == s->op[to].need) {
        return EGRET_NO_OP;
    }
    if (depth && depth[to] < before) {
        depth[to] = before;
    }
    return ++fired[to] == s->op[to].need ? to : EGRET_NO_OP;
}

size_t egret_schedule_run(const struct egret_schedule *s, uint32_t *fired, uint32_t *queue,
                          uint64_t *depth)
{
    size_t queued = 0;
    for (size_t i = 0; i < s->ops; i++) {
        if (s->op[i].kind != EGRET_OP_TURNSTILE && s->op[i].need == 0) {
            queue[queued++] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < queued; i++) {
        uint32_t op = queue[i];
        if (depth) {
            depth[op] += schedule_op_counts(&s->op[op]);
        }
        for (uint32_t e = s->first[op]; e < s->first[op + 1u]; e++) {
            uint32_t to = fire(s, egret_edge_to(s->edge[e]), depth ? depth[op] : 0, fired, depth);
            if (to != EGRET_NO_OP) {
                queue[queued++] = to;
            }
        }
    }
    return queued;
}
