/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule_summary.c: what a schedule holds, in numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "schedule_run.h"

/* Sums stay at the greatest value instead of going round. */
static void add(uint64_t *sum, uint64_t n)
{
    *sum = n > UINT64_MAX - *sum ? UINT64_MAX : *sum + n;
}

static void count_op(const struct egret_op *op, struct egret_schedule_summary *out)
{
    if (op->kind == EGRET_OP_MESSAGE) {
        out->smallest =
            out->messages == 0 || op->amount < out->smallest ? op->amount : out->smallest;
        out->largest = op->amount > out->largest ? op->amount : out->largest;
        out->messages++;
        add(&out->bytes, op->amount);
    } else if (op->kind == EGRET_OP_DELAY && op->amount > 0) {
        out->delays++;
        add(&out->delay_ps, op->amount);
    }
    out->roots += op->kind != EGRET_OP_TURNSTILE && op->need == 0;
}

int egret_schedule_summary(const struct egret_schedule *s, struct egret_schedule_summary *out)
{
    uint32_t *fired = calloc(s->ops + 1u, sizeof *fired);
    uint32_t *queue = calloc(s->ops + 1u, sizeof *queue);
    uint64_t *depth = calloc(s->ops + 1u, sizeof *depth);
    bool room = fired && queue && depth;
    memset(out, 0, sizeof *out);
    if (room) {
        (void)egret_schedule_run(s, fired, queue, depth);
        out->edges = s->edges;
        for (size_t i = 0; i < s->ops; i++) {
            count_op(&s->op[i], out);
            out->depth = depth[i] > out->depth ? depth[i] : out->depth;
        }
    }
    free(fired);
    free(queue);
    free(depth);
    return room ? EGRET_OK : EGRET_ERR_MEMORY;
}
