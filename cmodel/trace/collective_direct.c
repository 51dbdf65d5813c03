/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_direct.c: each member sends to each other one itself: all at once, or pairwise, step
 * by step.
 */
#include "collective_parts.h"

/* What `from` sends to `to`: its own chunk, the receiver's, or the pair's. */
static struct coll_chunks of_pair(const struct coll *k, uint32_t from, uint32_t to)
{
    return k->c->kind == EGRET_COLL_ALL_GATHER || k->c->kind == EGRET_COLL_GATHER
               ? coll_chunks(from, 1, 1)
           : k->c->kind == EGRET_COLL_ALL_TO_ALL ? coll_chunks((uint64_t)from * k->n + to, 1, 1)
           : k->c->kind == EGRET_COLL_BARRIER    ? coll_chunks(0, 1, 1)
                                                 : coll_chunks(to, 1, 1);
}

static uint64_t bytes_of_pair(const struct coll *k, uint32_t from, uint32_t to)
{
    bool own = k->c->kind == EGRET_COLL_ALL_GATHER || k->c->kind == EGRET_COLL_GATHER;
    return k->c->kind == EGRET_COLL_BARRIER ? 1u : coll_share(k->bytes, k->n, own ? from : to);
}

static int send_pair(struct coll *k, uint32_t from, uint32_t to, uint32_t before, uint32_t *message)
{
    int code = coll_send(k, from, to, bytes_of_pair(k, from, to), of_pair(k, from, to), message);
    return code ? code : coll_after(k, before, EGRET_ON_DONE, *message);
}

/* r sends to r + 1, r + 2, ... all at once. */
static int all_pairs(struct coll *k)
{
    int code = EGRET_OK;
    for (uint32_t s = 1; s < k->n; s++) {
        for (uint32_t r = 0; code == EGRET_OK && r < k->n; r++) {
            uint32_t to = (uint32_t)(((uint64_t)r + s) % k->n);
            uint32_t message;
            code = send_pair(k, r, to, coll_entry(k, r), &message);
        }
    }
    return code;
}

/* Second half of an all-reduce: each has its chunk once all have sent it theirs. */
static int all_gather_after(struct coll *k, uint32_t first)
{
    uint32_t n = k->n;
    int code = EGRET_OK;
    uint32_t joins = (uint32_t)k->s->ops;
    for (uint32_t r = 0; code == EGRET_OK && r < n; r++) {
        uint32_t join;
        code = coll_join(k, r, &join);
        if (code == EGRET_OK) {
            code = coll_after(k, coll_entry(k, r), EGRET_ON_DONE, join);
        }
        for (uint32_t s = 1; code == EGRET_OK && s < n; s++) { /* from r - s */
            code = coll_after(k, first + (s - 1u) * n + (uint32_t)(((uint64_t)r + n - s) % n),
                              EGRET_ON_DONE, join);
        }
    }
    for (uint32_t s = 1; s < n; s++) {
        for (uint32_t r = 0; code == EGRET_OK && r < n; r++) {
            uint32_t message;
            code = coll_send(k, r, (uint32_t)(((uint64_t)r + s) % n), coll_share(k->bytes, n, r),
                             coll_chunks(r, 1, 1), &message);
            code = code ? code : coll_after(k, joins + r, EGRET_ON_DONE, message);
        }
    }
    return code;
}

/* Between the root and all others. */
static int star(struct coll *k)
{
    bool inward = k->c->kind == EGRET_COLL_REDUCE || k->c->kind == EGRET_COLL_GATHER;
    bool whole = k->c->kind == EGRET_COLL_REDUCE || k->c->kind == EGRET_COLL_BROADCAST;
    uint32_t root = k->c->root;
    int code = EGRET_OK;
    for (uint32_t s = 1; code == EGRET_OK && s < k->n; s++) {
        uint32_t other = (uint32_t)(((uint64_t)root + s) % k->n);
        uint32_t from = inward ? other : root;
        struct coll_chunks x = whole ? coll_chunks(0, k->n, 1) : coll_chunks(other, 1, 1);
        uint32_t message;
        code = coll_send(k, from, inward ? root : other, coll_bytes(k, x), x, &message);
        code = code ? code : coll_after(k, coll_entry(k, from), EGRET_ON_DONE, message);
    }
    return code;
}

int coll_direct(struct coll *k)
{
    uint32_t first = (uint32_t)k->s->ops;
    int code;
    switch (k->c->kind) {
    case EGRET_COLL_REDUCE:
    case EGRET_COLL_GATHER:
    case EGRET_COLL_SCATTER:
    case EGRET_COLL_BROADCAST:
        code = coll_room(k, k->n, 1, 1);
        return code ? code : star(k);
    case EGRET_COLL_ALL_REDUCE:
        code = coll_room(k, k->n, 2u * (uint64_t)k->n, 1);
        code = code ? code : all_pairs(k);
        return code ? code : all_gather_after(k, first);
    default:
        code = coll_room(k, k->n, k->n - 1u, 1);
        return code ? code : all_pairs(k);
    }
}

int coll_pairwise(struct coll *k)
{
    uint32_t n = k->n;
    uint32_t first = (uint32_t)k->s->ops;
    if (k->c->kind != EGRET_COLL_ALL_TO_ALL && k->c->kind != EGRET_COLL_ALL_GATHER &&
        k->c->kind != EGRET_COLL_REDUCE_SCATTER) {
        return coll_refuse(k, "for all-to-all, all-gather and reduce-scatter alone");
    }
    int code = coll_room(k, n, n - 1u, 1);
    for (uint32_t s = 1; s < n; s++) {
        for (uint32_t r = 0; code == EGRET_OK && r < n; r++) {
            uint32_t to = (uint32_t)(((uint64_t)r + s) % n);
            uint32_t message;
            code = send_pair(k, r, to, s == 1u ? coll_entry(k, r) : EGRET_NO_OP, &message);
            if (code || s == 1u) {
                continue;
            }
            uint32_t step =
                first + (s - 2u) * n; /* the one before: r's own, and from r - (s - 1) */
            code = coll_after(k, step + r, EGRET_ON_START, message);
            code = code ? code
                        : coll_after(k, step + (uint32_t)(((uint64_t)r + n - (s - 1u)) % n),
                                     EGRET_ON_DONE, message);
        }
    }
    return code;
}
