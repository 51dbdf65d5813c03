/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule_run.h: a sealed schedule run without time. Internal to the trace library.
 */
#ifndef EGRET_TRACE_SCHEDULE_RUN_H
#define EGRET_TRACE_SCHEDULE_RUN_H

#include "egret/schedule.h"

/* Starts what waits for nothing, and what that lets go, until nothing more starts. All arrays have
 * s->ops elements. fired, all zero before: edges into an operation that fired before it started; of
 * a turnstile the edges it has fired. queue: the operations in the order in which they start; their
 * number is returned. depth (may be null; all zero before): operations of the longest chain that
 * ends with this one. Each edge fires at most once, so the time is linear. */
size_t egret_schedule_run(const struct egret_schedule *s, uint32_t *fired, uint32_t *queue,
                          uint64_t *depth);
/* An operation of more than no time: neither a join nor a turnstile. */
static inline bool schedule_op_counts(const struct egret_op *op)
{
    return op->kind == EGRET_OP_MESSAGE || (op->kind == EGRET_OP_DELAY && op->amount > 0);
}

#endif
