/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_collective_flow.h: the data that flows through a collective: whose contributions each
 * member has of each chunk, while the operations of the schedule happen in any order that it
 * allows.
 */
#ifndef EGRET_TRACE_COLLECTIVE_FLOW_H
#define EGRET_TRACE_COLLECTIVE_FLOW_H

#include "../trace/collective_parts.h"
#include "trace_test.h"

#define FLOW_MEMBERS 65u

/* A set of members. */
struct set {
    uint64_t w[2];
};
static inline void set_add(struct set *a, uint32_t i)
{
    a->w[i / 64u] |= (uint64_t)1 << i % 64u;
}
static inline bool set_empty(const struct set *a)
{
    return (a->w[0] | a->w[1]) == 0;
}
static inline bool set_meets(const struct set *a, const struct set *b)
{
    return ((a->w[0] & b->w[0]) | (a->w[1] & b->w[1])) != 0;
}
static inline bool set_within(const struct set *a, const struct set *b)
{
    return ((a->w[0] & ~b->w[0]) | (a->w[1] & ~b->w[1])) == 0;
}
static inline void set_join(struct set *a, const struct set *b)
{
    a->w[0] |= b->w[0];
    a->w[1] |= b->w[1];
}

struct flow {
    const struct egret_schedule *s;
    const struct egret_collective *c;
    const struct coll_note *note; /* of message i: note[of[i]] */
    uint32_t *of;
    uint32_t n;
    uint64_t chunks;
    bool turns;       /* chunks go round modulo n */
    struct set *have; /* of member m, chunk i: have[m * chunks + i] */
    struct set **carried;
    uint32_t *fired;
    uint64_t *pending; /* operation << 2 | event that may happen now */
    size_t pending_count;
    uint64_t random;
    unsigned mode; /* 0 the last first, else at random */
    const uint32_t *entry;
    const uint32_t *exit_op;
    const char *fault;
};

/* Member of a rank: trace_collective.c gives member i the rank 2 (n - 1 - i) + 1. */
static inline uint32_t flow_member(const struct flow *f, uint32_t rank)
{
    return f->n - 1u - (rank - 1u) / 2u;
}

static inline uint64_t flow_chunk(const struct flow *f, const struct coll_chunks *x, uint32_t i)
{
    uint64_t chunk = x->lo + (uint64_t)i * x->stride;
    return f->turns ? chunk % f->n : chunk;
}

static inline bool flow_adds(const struct flow *f)
{
    return f->c->kind == EGRET_COLL_ALL_REDUCE || f->c->kind == EGRET_COLL_REDUCE ||
           f->c->kind == EGRET_COLL_REDUCE_SCATTER;
}

/* What member m has, once it has come to the collective. */
static inline void flow_begin(struct flow *f, uint32_t m)
{
    for (uint64_t i = 0; i < f->chunks; i++) {
        bool has = flow_adds(f) || f->c->kind == EGRET_COLL_BARRIER;
        has |= (f->c->kind == EGRET_COLL_ALL_GATHER || f->c->kind == EGRET_COLL_GATHER) && i == m;
        has |= (f->c->kind == EGRET_COLL_BROADCAST || f->c->kind == EGRET_COLL_SCATTER) &&
               m == f->c->root;
        has |= f->c->kind == EGRET_COLL_ALL_TO_ALL && i / f->n == m;
        if (has) {
            set_add(&f->have[m * f->chunks + i], m);
        }
    }
}

/* Whose contributions member m must have of chunk i at the end; empty: no matter. */
static inline struct set flow_wanted(const struct flow *f, uint32_t m, uint64_t i)
{
    struct set all = {{0, 0}};
    struct set none = {{0, 0}};
    struct set one = {{0, 0}};
    for (uint32_t j = 0; j < f->n; j++) {
        set_add(&all, j);
    }
    switch (f->c->kind) {
    case EGRET_COLL_ALL_REDUCE:
    case EGRET_COLL_BARRIER:
        return all;
    case EGRET_COLL_REDUCE:
        return m == f->c->root ? all : none;
    case EGRET_COLL_REDUCE_SCATTER:
        return m == i ? all : none;
    case EGRET_COLL_ALL_GATHER:
    case EGRET_COLL_GATHER:
        set_add(&one, (uint32_t)i);
        return f->c->kind == EGRET_COLL_ALL_GATHER || m == f->c->root ? one : none;
    case EGRET_COLL_BROADCAST:
    case EGRET_COLL_SCATTER:
        set_add(&one, f->c->root);
        return f->c->kind == EGRET_COLL_BROADCAST || m == i ? one : none;
    default:
        set_add(&one, (uint32_t)(i / f->n));
        return i % f->n == m ? one : none;
    }
}

static inline void flow_check_member(struct flow *f, uint32_t m)
{
    for (uint64_t i = 0; i < f->chunks; i++) {
        struct set want = flow_wanted(f, m, i);
        const struct set *have = &f->have[m * f->chunks + i];
        if (!set_empty(&want) && !(set_within(&want, have) && set_within(have, &want))) {
            f->fault = "a member does not have what it was promised";
        }
    }
}

/* A message leaves with what its sender has now. */
static inline void flow_send(struct flow *f, uint32_t op)
{
    const struct coll_chunks *x = &f->note[f->of[op]].chunks;
    uint32_t m = flow_member(f, f->s->op[op].src);
    f->carried[op] = calloc(x->count, sizeof **f->carried);
    for (uint32_t i = 0; i < x->count; i++) {
        f->carried[op][i] = f->have[m * f->chunks + flow_chunk(f, x, i)];
        if (set_empty(&f->carried[op][i])) {
            f->fault = "a member sends what it does not have";
        }
    }
}

static inline void flow_arrive(struct flow *f, uint32_t op)
{
    const struct coll_chunks *x = &f->note[f->of[op]].chunks;
    uint32_t m = flow_member(f, f->s->op[op].dst);
    for (uint32_t i = 0; i < x->count; i++) {
        struct set *have = &f->have[m * f->chunks + flow_chunk(f, x, i)];
        const struct set *more = &f->carried[op][i];
        if (f->c->kind == EGRET_COLL_BARRIER || set_within(have, more)) {
            set_join(have, more);
        } else if (flow_adds(f) && !set_meets(have, more)) {
            set_join(have, more);
        } else {
            f->fault = "a contribution is added twice";
        }
    }
    free(f->carried[op]);
    f->carried[op] = NULL;
}

static inline void flow_fire(struct flow *f, uint32_t op, unsigned event)
{
    for (uint32_t e = f->s->first[op]; e < f->s->first[op + 1u]; e++) {
        uint32_t to = egret_edge_to(f->s->edge[e]);
        if (egret_edge_event(f->s->edge[e]) == event && ++f->fired[to] == f->s->op[to].need) {
            f->pending[f->pending_count++] = (uint64_t)to << 2 | EGRET_ON_START;
        }
    }
}

static inline void flow_happen(struct flow *f, uint32_t op, unsigned event)
{
    bool message = f->s->op[op].kind == EGRET_OP_MESSAGE;
    if (event == EGRET_ON_START) {
        if (message) {
            flow_send(f, op);
        }
        f->pending[f->pending_count++] = (uint64_t)op << 2 | EGRET_ON_DONE;
    } else if (event == EGRET_ON_DONE) {
        if (message) {
            flow_arrive(f, op);
        }
        f->pending[f->pending_count++] = (uint64_t)op << 2 | EGRET_ON_SENT;
        for (uint32_t m = 0; m < f->n; m++) {
            if (f->entry[m] == op) {
                flow_begin(f, m);
            } else if (f->exit_op[m] == op) {
                flow_check_member(f, m);
            }
        }
    }
    flow_fire(f, op, event);
}

/* Null, or what went wrong. */
static inline const char *flow_run(struct flow *f)
{
    size_t happened = 0;
    for (uint32_t i = 0; i < f->s->ops; i++) {
        if (f->s->op[i].need == 0) {
            f->pending[f->pending_count++] = (uint64_t)i << 2 | EGRET_ON_START;
        }
    }
    while (f->pending_count > 0 && !f->fault) {
        f->random ^= f->random << 13;
        f->random ^= f->random >> 7;
        f->random ^= f->random << 17;
        size_t i = f->mode == 0 ? f->pending_count - 1u : (size_t)(f->random % f->pending_count);
        uint64_t x = f->pending[i];
        f->pending[i] = f->pending[--f->pending_count];
        flow_happen(f, (uint32_t)(x >> 2), (unsigned)(x & 3u));
        happened++;
    }
    for (uint32_t m = 0; m < f->n && !f->fault; m++) {
        flow_check_member(f, m);
    }
    return f->fault ? f->fault : happened != 3u * f->s->ops ? "not all happens" : NULL;
}

/* Allocates, runs, frees. */
static inline const char *flow_check(const struct egret_schedule *s,
                                     const struct egret_collective *c, const struct coll *k,
                                     const uint32_t *exit_op, unsigned mode)
{
    struct flow f = {
        .s = s, .c = c, .note = k->note, .n = c->ranks, .entry = k->entry, .exit_op = exit_op};
    bool pieces = c->algorithm == EGRET_ALGO_DOUBLE_BINARY_TREE ||
                  (c->algorithm == EGRET_ALGO_RING &&
                   (c->kind == EGRET_COLL_BROADCAST || c->kind == EGRET_COLL_REDUCE));
    f.mode = mode;
    f.random = 88172645463325252u + mode;
    f.turns = !pieces && c->kind != EGRET_COLL_ALL_TO_ALL;
    f.chunks = c->kind == EGRET_COLL_ALL_TO_ALL ? (uint64_t)f.n * f.n
               : c->kind == EGRET_COLL_BARRIER  ? 1u
                                                : f.n;
    f.of = calloc(s->ops + 1u, sizeof *f.of);
    for (uint32_t i = 0; i < k->notes; i++) {
        f.of[k->note[i].message] = i;
        if (pieces) {
            f.chunks = i == 0 ? 1u : f.chunks;
            f.chunks = k->note[i].chunks.lo + 1u > f.chunks ? k->note[i].chunks.lo + 1u : f.chunks;
        }
    }
    f.have = calloc(f.n * f.chunks, sizeof *f.have);
    f.carried = calloc(s->ops + 1u, sizeof *f.carried);
    f.fired = calloc(s->ops + 1u, sizeof *f.fired);
    f.pending = calloc(3u * s->ops + 1u, sizeof *f.pending);
    const char *fault = flow_run(&f);
    for (size_t i = 0; i < s->ops; i++) {
        free(f.carried[i]);
    }
    free(f.of);
    free(f.have);
    free(f.carried);
    free(f.fired);
    free(f.pending);
    return fault;
}

#endif
