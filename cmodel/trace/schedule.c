/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.c: operations and edges are appended here; schedule_seal.c sorts and checks them.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/schedule.h"
#include "rng.h"

#define MAX_EDGES ((size_t)1 << 30)

void egret_schedule_free(struct egret_schedule *s)
{
    free(s->op);
    free(s->edge);
    free(s->first);
    free(s->raw);
    free(s->failure);
    memset(s, 0, sizeof *s);
}

/* Makes room for one more element of at most `most`. */
static int grow(void **array, size_t count, size_t *capacity, size_t element, size_t most)
{
    if (count < *capacity) {
        return EGRET_OK;
    }
    if (count >= most) {
        return EGRET_ERR_RANGE;
    }
    size_t bigger = *capacity ? *capacity * 2u : 64u;
    bigger = bigger > most ? most : bigger;
    void *moved = realloc(*array, bigger * element);
    if (!moved) {
        return EGRET_ERR_MEMORY;
    }
    *array = moved;
    *capacity = bigger;
    return EGRET_OK;
}

int egret_schedule_op(struct egret_schedule *s, const struct egret_op *op, uint32_t *index)
{
    void *p = s->op;
    if (s->first) {
        return EGRET_ERR_RANGE; /* sealed */
    }
    int code = grow(&p, s->ops, &s->op_capacity, sizeof *op, EGRET_SCHEDULE_MAX_OPS);
    if (code) {
        return code;
    }
    s->op = p;
    if (index) {
        *index = (uint32_t)s->ops;
    }
    s->op[s->ops++] = *op;
    return EGRET_OK;
}

int egret_schedule_message(struct egret_schedule *s, uint32_t src, uint32_t dst, uint64_t bytes,
                           uint32_t *index)
{
    struct egret_op op = {.amount = bytes,
                          .pair = (uint64_t)src << 32 | dst,
                          .src = src,
                          .dst = dst,
                          .priority = EGRET_PRIORITY_DEFAULT,
                          .kind = EGRET_OP_MESSAGE};
    return egret_schedule_op(s, &op, index);
}

int egret_schedule_delay(struct egret_schedule *s, uint32_t rank, uint64_t ps, uint32_t *index)
{
    struct egret_op op = {.amount = ps,
                          .src = rank,
                          .dst = rank,
                          .priority = EGRET_PRIORITY_DEFAULT,
                          .kind = EGRET_OP_DELAY};
    return egret_schedule_op(s, &op, index);
}

int egret_schedule_edge(struct egret_schedule *s, uint32_t before, enum egret_op_event event,
                        uint32_t after)
{
    void *p = s->raw;
    if (s->first) {
        return EGRET_ERR_RANGE;
    }
    int code = grow(&p, s->edges, &s->raw_capacity, sizeof *s->raw, MAX_EDGES);
    if (code) {
        return code;
    }
    s->raw = p;
    s->raw[s->edges][0] = before;
    s->raw[s->edges][1] = (after & 0x3fffffffu) | (uint32_t)event << 30;
    s->edges++;
    return EGRET_OK;
}

int egret_schedule_after(struct egret_schedule *s, uint32_t before, enum egret_op_event event,
                         uint32_t after)
{
    int code = egret_schedule_edge(s, before, event, after);
    if (code == EGRET_OK) {
        s->op[after].need++;
    }
    return code;
}

int egret_schedule_failure(struct egret_schedule *s, const struct egret_link_failure *f)
{
    void *p = s->failure;
    int code = grow(&p, s->failures, &s->failure_capacity, sizeof *f, (size_t)1 << 24);
    if (code) {
        return code;
    }
    s->failure = p;
    s->failure[s->failures++] = *f;
    return EGRET_OK;
}

int egret_schedule_place_random(struct egret_schedule *s, uint32_t seed)
{
    struct rng rng = {(uint64_t)seed ^ 0x706c6163u};
    uint32_t *host = calloc(s->ranks ? s->ranks : 1u, sizeof *host);
    if (!host) {
        return EGRET_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < s->ranks; i++) {
        uint32_t j = rng_below(&rng, i + 1u);
        host[i] = host[j];
        host[j] = i;
    }
    for (size_t i = 0; i < s->ops; i++) {
        s->op[i].src = host[s->op[i].src];
        s->op[i].dst = host[s->op[i].dst];
    }
    free(host);
    return EGRET_OK;
}
