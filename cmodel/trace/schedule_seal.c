/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule_seal.c: sorts the edges of a schedule and proves that every operation can start.
 */
#include <stdio.h>
#include <stdlib.h>

#include "schedule_run.h"
#include "schedule_wait.h"

#define MAX_BYTES ((uint64_t)1 << 48)
#define MAX_PS 1000000000000000000u

struct seal {
    struct egret_schedule *s;
    const char *name;
    const char *const *file_name;
    struct egret_trace_error *err;
};

/* "PLACE: OPERATION: reason" */
static int refuse(const struct seal *q, uint32_t op, const char *reason)
{
    char place[160];
    char what[SCHEDULE_OP_TEXT];
    egret_schedule_place_text(q->s, op, q->name, q->file_name, place, sizeof place);
    egret_schedule_op_text(q->s, op, what);
    return egret_trace_fail(q->err, EGRET_ERR_RANGE, "%s%s: %s", place, what, reason);
}

static int check_op(const struct seal *q, uint32_t i)
{
    const struct egret_op *op = &q->s->op[i];
    uint32_t ranks = q->s->ranks;
    if (op->kind > EGRET_OP_TURNSTILE) {
        return refuse(q, i, "unknown kind");
    }
    if (op->src >= ranks || op->dst >= ranks) {
        return refuse(q, i, "rank out of range");
    }
    if (op->start_ps > MAX_PS) {
        return refuse(q, i, "starts after 10^18 ps");
    }
    switch (op->kind) {
    case EGRET_OP_MESSAGE:
        return op->src == op->dst                          ? refuse(q, i, "from a rank to itself")
               : op->amount == 0 || op->amount > MAX_BYTES ? refuse(q, i, "1 to 2^48 bytes")
                                                           : EGRET_OK;
    case EGRET_OP_DELAY:
        return op->src != op->dst    ? refuse(q, i, "a delay is at one rank")
               : op->amount > MAX_PS ? refuse(q, i, "more than 10^18 ps")
                                     : EGRET_OK;
    default:
        return op->need || op->amount ? refuse(q, i, "need and amount are 0") : EGRET_OK;
    }
}

static int check_edges(const struct seal *q)
{
    const struct egret_schedule *s = q->s;
    for (size_t i = 0; i < s->edges; i++) {
        struct egret_edge e = {s->raw[i][1]};
        if (s->raw[i][0] >= s->ops || egret_edge_to(e) >= s->ops ||
            egret_edge_event(e) > EGRET_ON_DONE) {
            return egret_trace_fail(
                q->err, EGRET_ERR_RANGE, "%s: edge %zu: from operation %u to %u of %zu, event %u",
                q->name, i, s->raw[i][0], egret_edge_to(e), s->ops, egret_edge_event(e));
        }
    }
    return EGRET_OK;
}

/* in[i]: edges into operation i. */
static int check_needs(const struct seal *q, uint32_t *in)
{
    const struct egret_schedule *s = q->s;
    for (size_t i = 0; i < s->edges; i++) {
        in[egret_edge_to((struct egret_edge){s->raw[i][1]})]++;
    }
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct egret_op *op = &s->op[i];
        if (op->kind != EGRET_OP_TURNSTILE && (op->need > in[i] || (op->need == 0 && in[i] != 0))) {
            char reason[80];
            (void)snprintf(reason, sizeof reason, "needs %u, but has %u edges into it", op->need,
                           in[i]);
            return refuse(q, i, reason);
        }
        in[i] = 0;
    }
    return EGRET_OK;
}

/* Counting sort, stable: first[i + 2] counts, then first[i + 1] is where the next one goes. */
static void sort_edges(struct egret_schedule *s)
{
    uint32_t *next = s->first + 1;
    for (size_t i = 0; i < s->edges; i++) {
        next[s->raw[i][0] + 1u]++;
    }
    for (size_t i = 1; i <= s->ops; i++) {
        next[i] += next[i - 1u];
    }
    for (size_t i = 0; i < s->edges; i++) {
        s->edge[next[s->raw[i][0]]++].to_event = s->raw[i][1];
    }
}

static int check_starts(const struct seal *q, uint32_t *fired, uint32_t *queue)
{
    const struct egret_schedule *s = q->s;
    (void)egret_schedule_run(s, fired, queue, NULL);
    for (uint32_t i = 0; i < s->ops; i++) {
        if (s->op[i].kind != EGRET_OP_TURNSTILE && fired[i] < s->op[i].need) {
            return egret_schedule_waits(s, i, fired, q->name, q->file_name, q->err);
        }
    }
    return EGRET_OK;
}

static int check_all(const struct seal *q)
{
    struct egret_schedule *s = q->s;
    int code = check_edges(q);
    for (uint32_t i = 0; code == EGRET_OK && i < s->ops; i++) {
        code = check_op(q, i);
    }
    if (code) {
        return code;
    }
    uint32_t *fired = calloc(s->ops + 1u, sizeof *fired);
    uint32_t *queue = calloc(s->ops + 1u, sizeof *queue);
    s->first = calloc(s->ops + 2u, sizeof *s->first);
    s->edge = calloc(s->edges + 1u, sizeof *s->edge);
    if (!fired || !queue || !s->first || !s->edge) {
        code = egret_trace_fail(q->err, EGRET_ERR_MEMORY, "%s: out of memory", q->name);
    } else {
        code = check_needs(q, fired);
    }
    if (code == EGRET_OK) {
        sort_edges(s);
        code = check_starts(q, fired, queue);
    }
    free(fired);
    free(queue);
    return code;
}

int egret_schedule_seal(struct egret_schedule *s, const char *name, const char *const *file_name,
                        struct egret_trace_error *err)
{
    struct seal q = {s, name, file_name, err};
    if (s->first) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: sealed already", name);
    }
    if (s->ranks < 1u || s->ranks > EGRET_SCHEDULE_MAX_RANKS) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %u ranks, 1 to %u are allowed", name,
                                s->ranks, EGRET_SCHEDULE_MAX_RANKS);
    }
    int code = check_all(&q);
    if (code) { /* as it was */
        free(s->edge);
        free(s->first);
        s->edge = NULL;
        s->first = NULL;
        return code;
    }
    free(s->raw);
    s->raw = NULL;
    s->raw_capacity = 0;
    return EGRET_OK;
}
