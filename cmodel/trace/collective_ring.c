/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_ring.c: rings: chunks go round, added up or passed on; broadcast and reduce along a
 * chain.
 */
#include <stdlib.h>

#include "collective_parts.h"

static uint32_t member_at(const struct coll_ring_shape *r, uint32_t position)
{
    return r->base + position * r->step;
}

/* Step s: position p sends the chunks of position p - s (gather), or p - s - 1. */
static int step(struct coll *k, const struct coll_ring_shape *r, uint32_t s, uint32_t p,
                uint32_t before, const uint32_t *ready, uint32_t *message)
{
    uint32_t m = r->count;
    uint32_t at = (uint32_t)(((uint64_t)p + 2u * (uint64_t)m - s - !r->gather) % m);
    uint32_t from = member_at(r, p);
    struct coll_chunks x = coll_chunks(r->lo + at * r->lo_step, r->chunks, r->stride);
    int code = coll_send(k, from, member_at(r, (p + 1u) % m), coll_bytes(k, x), x, message);
    if (code == EGRET_OK) {
        code = coll_after(k, before, EGRET_ON_DONE, *message);
    }
    if (code == EGRET_OK && (s == 0 || r->each)) {
        code = coll_after(k, ready[from], EGRET_ON_DONE, *message);
    }
    return code;
}

/* The arrivals of all steps, and what was before, become one join of each member. */
static int join_all(struct coll *k, const struct coll_ring_shape *r, uint32_t first,
                    uint32_t *ready)
{
    uint32_t m = r->count;
    int code = EGRET_OK;
    for (uint32_t p = 0; code == EGRET_OK && p < m; p++) {
        uint32_t to = member_at(r, p);
        uint32_t join;
        code = coll_join(k, to, &join);
        if (code == EGRET_OK) {
            code = coll_after(k, ready[to], EGRET_ON_DONE, join);
        }
        for (uint32_t s = 0; code == EGRET_OK && s + 1u < m; s++) {
            code = coll_after(k, first + s * m + (p + m - 1u) % m, EGRET_ON_DONE, join);
        }
        ready[to] = join;
    }
    return code;
}

/* A sum is there when the last part has arrived and its own is ready: a join, if it is not from the
 * start. */
static int both(struct coll *k, uint32_t member, uint32_t arrival, uint32_t *ready)
{
    uint32_t join = arrival;
    int code = EGRET_OK;
    if (ready[member] != EGRET_NO_OP) {
        code = coll_join(k, member, &join);
        code = code ? code : coll_after(k, ready[member], EGRET_ON_DONE, join);
        code = code ? code : coll_after(k, arrival, EGRET_ON_DONE, join);
    }
    ready[member] = join;
    return code;
}

int coll_ring_phase(struct coll *k, const struct coll_ring_shape *r, uint32_t *ready, bool join)
{
    uint32_t m = r->count;
    uint32_t first = (uint32_t)k->s->ops; /* message of step s, position p: first + s m + p */
    int code = EGRET_OK;
    for (uint32_t s = 0; s + 1u < m; s++) {
        for (uint32_t p = 0; code == EGRET_OK && p < m; p++) {
            uint32_t message;
            uint32_t before = s == 0 ? EGRET_NO_OP : first + (s - 1u) * m + (p + m - 1u) % m;
            code = step(k, r, s, p, before, ready, &message);
        }
    }
    if (code || m < 2u) {
        return code;
    }
    if (r->gather) {
        return join ? join_all(k, r, first, ready) : EGRET_OK;
    }
    for (uint32_t p = 0; code == EGRET_OK && p < m; p++) {
        uint32_t arrival = first + (m - 2u) * m + (p + m - 1u) % m;
        code = both(k, member_at(r, p), arrival, ready);
    }
    return code;
}

/* Of one channel. */
static int around(struct coll *k, uint32_t *ready)
{
    struct coll_ring_shape r = {.step = 1, .count = k->n, .lo_step = 1, .chunks = 1, .stride = 1};
    int code = EGRET_OK;
    if (k->c->kind != EGRET_COLL_ALL_GATHER) {
        r.each = true;
        code = coll_ring_phase(k, &r, ready, false);
    }
    if (code == EGRET_OK && k->c->kind != EGRET_COLL_REDUCE_SCATTER) {
        r.gather = true;
        r.each = k->c->kind == EGRET_COLL_ALL_GATHER;
        code = coll_ring_phase(k, &r, ready, false);
    }
    return code;
}

/* root, root + 1, ... passes pieces on (broadcast), or root + 1, ..., root adds them up. */
static int chain(struct coll *k, uint64_t pieces)
{
    bool reduce = k->c->kind == EGRET_COLL_REDUCE;
    uint32_t n = k->n;
    uint32_t before = EGRET_NO_OP;
    int code = EGRET_OK;
    for (uint64_t i = 0; i < pieces; i++) {
        uint64_t bytes = coll_share(k->bytes, pieces, i);
        for (uint32_t j = 0; code == EGRET_OK && j + 1u < n; j++) {
            uint32_t from = (uint32_t)(((uint64_t)k->c->root + j + reduce) % n);
            uint32_t message;
            code = coll_send(k, from, (from + 1u) % n, bytes, coll_chunks(i, 1, 1), &message);
            if (code == EGRET_OK && j > 0) {
                code = coll_after(k, before, EGRET_ON_DONE, message);
            }
            if (code == EGRET_OK && i > 0) { /* in turn */
                code = coll_after(k, message - (n - 1u), EGRET_ON_DONE, message);
            }
            if (code == EGRET_OK) {
                code = coll_after(k, coll_entry(k, from), EGRET_ON_DONE, message);
            }
            before = message;
        }
    }
    return code;
}

int coll_ring(struct coll *k)
{
    uint32_t channels = k->c->channels ? k->c->channels : 1u;
    uint64_t chunk = k->c->chunk;
    bool one_way = k->c->kind == EGRET_COLL_BROADCAST || k->c->kind == EGRET_COLL_REDUCE;
    uint64_t steps = k->c->kind == EGRET_COLL_ALL_REDUCE ? 2u * ((uint64_t)k->n - 1u) : k->n - 1u;
    int code = EGRET_OK;
    if (!one_way && k->c->kind != EGRET_COLL_ALL_REDUCE && k->c->kind != EGRET_COLL_ALL_GATHER &&
        k->c->kind != EGRET_COLL_REDUCE_SCATTER) {
        return coll_refuse(k, "a ring reduces, gathers or passes on to all, nothing else");
    }
    for (uint32_t i = 0; code == EGRET_OK && i < channels; i++) {
        k->channel = i;
        k->bytes = coll_share(k->c->bytes, channels, i);
        if (one_way) {
            uint64_t pieces = chunk && k->bytes > chunk ? (k->bytes + chunk - 1u) / chunk : 1u;
            code = coll_room(k, pieces, k->n - 1u, 1);
            code = code ? code : chain(k, pieces);
            continue;
        }
        code = coll_room(k, steps, k->n, channels - i);
        uint32_t *ready = code ? NULL : coll_ready(k);
        if (code == EGRET_OK) {
            code = ready ? around(k, ready) : coll_no_memory(k);
        }
        free(ready);
    }
    return code;
}
