/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_tree.c: the double binary tree: each half of the buffer is added up along one tree and
 * comes back down. A member that is inside one tree is a leaf of the other.
 */
#include <stdlib.h>

#include "collective_parts.h"

/* Members in order: the more trailing zeros, the higher; 0 is the root and has one child. */
static struct coll_tree_node plain(uint32_t n, uint32_t member)
{
    struct coll_tree_node t = {EGRET_NO_OP, {EGRET_NO_OP, EGRET_NO_OP}};
    uint32_t bit = 1;
    while (bit < n && (member & bit) == 0) {
        bit *= 2u;
    }
    if (member != 0) {
        uint32_t up = (member ^ bit) | bit * 2u;
        t.up = up < n ? up : member ^ bit;
        if (bit > 1u) {
            t.down[0] = member - bit / 2u;
        }
    }
    uint32_t low = bit / 2u; /* the right child; of the root the only one */
    while (low > 0 && member + low >= n) {
        low /= 2u;
    }
    if (low > 0) {
        t.down[1] = member + low;
    }
    return t;
}

/* The second tree is the first in a mirror, or, with an odd number of members, one further. */
struct coll_tree_node coll_tree_node(uint32_t n, uint32_t member, unsigned tree)
{
    if (tree == 0) {
        return plain(n, member);
    }
    bool odd = n % 2u != 0;
    struct coll_tree_node t = plain(n, odd ? (member + n - 1u) % n : n - 1u - member);
    uint32_t *all[3] = {&t.up, &t.down[0], &t.down[1]};
    for (unsigned i = 0; i < 3u; i++) {
        if (*all[i] != EGRET_NO_OP) {
            *all[i] = odd ? (*all[i] + 1u) % n : n - 1u - *all[i];
        }
    }
    return t;
}

#define IN_FLIGHT 2u /* pieces on their way along one edge */

/* Messages of one tree. Member i sends piece x up with message up[x n + i], and gets it from above
 * with down[x n + i]; a ring of IN_FLIGHT + 1 pieces is remembered. order: from the root down. */
struct tree {
    struct coll *k;
    unsigned which;
    uint32_t *order;
    uint32_t *up;
    uint32_t *down;
};

static uint32_t *slot(const struct tree *t, uint32_t *list, uint64_t piece, uint32_t member)
{
    return &list[(piece % (IN_FLIGHT + 1u)) * t->k->n + member];
}

/* What message, which carries the piece along an edge, waits for besides the data. */
static int in_turn(const struct tree *t, uint32_t *list, uint64_t piece, uint32_t edge,
                   uint32_t from, uint32_t message)
{
    int code = coll_after(t->k, coll_entry(t->k, from), EGRET_ON_DONE, message);
    if (code == EGRET_OK && piece >= IN_FLIGHT) {
        code = coll_after(t->k, *slot(t, list, piece - IN_FLIGHT, edge), EGRET_ON_DONE, message);
    }
    return code;
}

static int send_up(const struct tree *t, uint64_t piece, uint64_t bytes, struct coll_chunks x)
{
    int code = EGRET_OK;
    for (uint32_t i = t->k->n; code == EGRET_OK && i-- > 1u;) { /* from the leaves; not the root */
        uint32_t member = t->order[i];
        struct coll_tree_node node = coll_tree_node(t->k->n, member, t->which);
        uint32_t message;
        code = coll_send(t->k, member, node.up, bytes, x, &message);
        for (unsigned d = 0; code == EGRET_OK && d < 2u; d++) {
            if (node.down[d] != EGRET_NO_OP) {
                code =
                    coll_after(t->k, *slot(t, t->up, piece, node.down[d]), EGRET_ON_DONE, message);
            }
        }
        if (code == EGRET_OK) {
            code = in_turn(t, t->up, piece, member, member, message);
        }
        *slot(t, t->up, piece, member) = message;
    }
    return code;
}

static int send_down(const struct tree *t, uint64_t piece, uint64_t bytes, struct coll_chunks x)
{
    int code = EGRET_OK;
    for (uint32_t i = 0; i < t->k->n; i++) {
        uint32_t member = t->order[i];
        struct coll_tree_node node = coll_tree_node(t->k->n, member, t->which);
        for (unsigned d = 0; code == EGRET_OK && d < 2u; d++) {
            uint32_t to = node.down[d];
            uint32_t message;
            if (to == EGRET_NO_OP) {
                continue;
            }
            code = coll_send(t->k, member, to, bytes, x, &message);
            if (code == EGRET_OK) { /* the root has the piece once its only child has sent it */
                code = coll_after(t->k,
                                  *slot(t, node.up == EGRET_NO_OP ? t->up : t->down, piece,
                                        node.up == EGRET_NO_OP ? to : member),
                                  EGRET_ON_DONE, message);
            }
            if (code == EGRET_OK) {
                code = in_turn(t, t->down, piece, to, member, message);
            }
            *slot(t, t->down, piece, to) = message;
        }
    }
    return code;
}

/* Breadth first. */
static void order_members(struct tree *t)
{
    uint32_t n = t->k->n;
    uint32_t have = 1;
    t->order[0] = t->which == 0 ? 0 : n % 2u ? 1u : n - 1u;
    for (uint32_t i = 0; i < have; i++) {
        struct coll_tree_node node = coll_tree_node(n, t->order[i], t->which);
        for (unsigned d = 0; d < 2u; d++) {
            if (node.down[d] != EGRET_NO_OP) {
                t->order[have++] = node.down[d];
            }
        }
    }
}

static uint64_t pieces_of(uint64_t bytes, uint64_t chunk)
{
    return chunk && bytes > chunk ? bytes / chunk + (bytes % chunk != 0) : 1u;
}

static int run(struct tree *t, uint64_t chunk)
{
    uint64_t half = coll_share(t->k->bytes, 2, t->which);
    uint64_t pieces = pieces_of(half, chunk);
    int code = EGRET_OK;
    order_members(t);
    for (uint64_t i = 0; code == EGRET_OK && i < pieces; i++) {
        uint64_t bytes = coll_share(half, pieces, i);
        struct coll_chunks x = coll_chunks(2u * i + t->which, 1, 1);
        code = send_up(t, i, bytes, x);
        code = code ? code : send_down(t, i, bytes, x);
    }
    return code;
}

int coll_double_binary_tree(struct coll *k)
{
    struct tree t = {.k = k};
    if (k->c->kind != EGRET_COLL_ALL_REDUCE) {
        return coll_refuse(k, "for all-reduce alone");
    }
    int code = coll_room(k, pieces_of(coll_share(k->bytes, 2, 0), k->c->chunk), 4, k->n - 1u);
    if (code) {
        return code;
    }
    t.order = malloc(k->n * sizeof *t.order);
    t.up = malloc((size_t)k->n * (IN_FLIGHT + 1u) * sizeof *t.up);
    t.down = malloc((size_t)k->n * (IN_FLIGHT + 1u) * sizeof *t.down);
    code = t.order && t.up && t.down ? EGRET_OK : coll_no_memory(k);
    for (t.which = 0; code == EGRET_OK && t.which < 2u; t.which++) {
        code = run(&t, k->c->chunk);
    }
    free(t.order);
    free(t.up);
    free(t.down);
    return code;
}
