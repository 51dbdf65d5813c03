/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_binomial.c: the binomial tree for what has a root. Member root + v has the parent
 * v without its lowest bit, and the children v + 1, v + 2, v + 4, ... below that bit.
 */
#include <stdlib.h>

#include "collective_parts.h"

static uint32_t low_bit(uint32_t v)
{
    return v & (0u - v);
}

static uint32_t member(const struct coll *k, uint32_t v)
{
    return (uint32_t)(((uint64_t)k->c->root + v) % k->n);
}

/* What goes between v and its parent: all, or the chunks of v and all below it. */
static struct coll_chunks below(const struct coll *k, uint32_t v)
{
    bool whole = k->c->kind == EGRET_COLL_BROADCAST || k->c->kind == EGRET_COLL_REDUCE;
    uint32_t size = low_bit(v) < k->n - v ? low_bit(v) : k->n - v;
    return whole ? coll_chunks(0, k->n, 1) : coll_chunks(member(k, v), size, 1);
}

/* Downwards: the largest subtree first. edge[v]: the message that v gets. */
static int down(struct coll *k, uint32_t *edge)
{
    uint32_t top = 1;
    int code = EGRET_OK;
    while (top < k->n) {
        top *= 2u;
    }
    edge[0] = EGRET_NO_OP;
    for (uint32_t bit = top / 2u; bit > 0; bit /= 2u) {
        for (uint32_t v = bit; code == EGRET_OK && v < k->n; v += 2u * bit) {
            uint32_t parent = v - bit;
            struct coll_chunks x = below(k, v);
            code = coll_send(k, member(k, parent), member(k, v), coll_bytes(k, x), x, &edge[v]);
            code = code ? code : coll_after(k, edge[parent], EGRET_ON_DONE, edge[v]);
            code = code ? code
                        : coll_after(k, coll_entry(k, member(k, parent)), EGRET_ON_DONE, edge[v]);
        }
    }
    return code;
}

/* Upwards: the smallest subtree first; v sends when all its children have. */
static int up(struct coll *k, uint32_t *edge)
{
    int code = EGRET_OK;
    for (uint32_t bit = 1; bit < k->n; bit *= 2u) {
        for (uint32_t v = bit; code == EGRET_OK && v < k->n; v += 2u * bit) {
            struct coll_chunks x = below(k, v);
            code = coll_send(k, member(k, v), member(k, v - bit), coll_bytes(k, x), x, &edge[v]);
            code = code ? code : coll_after(k, coll_entry(k, member(k, v)), EGRET_ON_DONE, edge[v]);
            for (uint32_t c = 1; code == EGRET_OK && c < bit && v + c < k->n; c *= 2u) {
                code = coll_after(k, edge[v + c], EGRET_ON_DONE, edge[v]);
            }
        }
    }
    return code;
}

int coll_binomial(struct coll *k)
{
    bool inward = k->c->kind == EGRET_COLL_REDUCE || k->c->kind == EGRET_COLL_GATHER;
    if (!inward && k->c->kind != EGRET_COLL_BROADCAST && k->c->kind != EGRET_COLL_SCATTER) {
        return coll_refuse(k, "for broadcast, reduce, gather and scatter alone");
    }
    int code = coll_room(k, k->n, 1, 1);
    uint32_t *edge = code ? NULL : malloc(k->n * sizeof *edge);
    if (code == EGRET_OK) {
        code = !edge ? coll_no_memory(k) : inward ? up(k, edge) : down(k, edge);
    }
    free(edge);
    return code;
}
