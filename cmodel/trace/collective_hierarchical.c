/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_hierarchical.c: groups of group_size members: within the groups, then across them
 * between members of the same place, then within again.
 *
 * Member G g + l is number l of group G. Its stripe, the chunks l, g + l, 2 g + l, ..., is what it
 * has at the end of the first part and trades across.
 */
#include <stdlib.h>

#include "collective_parts.h"

/* Rings within all groups: position l has stripe l. */
static int within(struct coll *k, bool gather, bool each, uint32_t *ready)
{
    uint32_t g = k->c->group_size;
    int code = EGRET_OK;
    for (uint32_t base = 0; code == EGRET_OK && base < k->n; base += g) {
        struct coll_ring_shape r = {.base = base,
                                    .step = 1,
                                    .count = g,
                                    .lo_step = 1,
                                    .chunks = k->n / g,
                                    .stride = g,
                                    .gather = gather,
                                    .each = each};
        code = coll_ring_phase(k, &r, ready, false);
    }
    return code;
}

/* Rings across, for each place: position G has chunk G g + l. */
static int across(struct coll *k, bool gather, bool each, uint32_t *ready)
{
    uint32_t g = k->c->group_size;
    int code = EGRET_OK;
    for (uint32_t l = 0; code == EGRET_OK && l < g; l++) {
        struct coll_ring_shape r = {.base = l,
                                    .step = g,
                                    .count = k->n / g,
                                    .lo = l,
                                    .lo_step = g,
                                    .chunks = 1,
                                    .stride = 1,
                                    .gather = gather,
                                    .each = each};
        code = coll_ring_phase(k, &r, ready, gather);
    }
    return code;
}

static int rings(struct coll *k, uint32_t *ready)
{
    bool alone = k->c->kind == EGRET_COLL_ALL_GATHER;
    int code = EGRET_OK;
    if (!alone) {
        code = within(k, false, true, ready);
        code = code ? code : across(k, false, true, ready);
    }
    if (code == EGRET_OK && k->c->kind != EGRET_COLL_REDUCE_SCATTER) {
        code = across(k, true, alone, ready);
        code = code ? code : within(k, true, alone, ready);
    }
    return code;
}

/* Within its group each gives number l all that is for numbers l of all groups. */
static int trade_within(struct coll *k)
{
    uint32_t g = k->c->group_size;
    int code = EGRET_OK;
    for (uint32_t s = 1; s < g; s++) {
        for (uint32_t r = 0; code == EGRET_OK && r < k->n; r++) {
            uint32_t l = (r % g + s) % g;
            struct coll_chunks of_dst = coll_chunks(l, k->n / g, g);
            struct coll_chunks x = of_dst;
            uint32_t message;
            x.lo += (uint64_t)r * k->n;
            code = coll_send(k, r, r - r % g + l, coll_bytes(k, of_dst), x, &message);
            code = code ? code : coll_after(k, coll_entry(k, r), EGRET_ON_DONE, message);
        }
    }
    return code;
}

/* Then number l sends what the group has for it to number l of each other group. */
static int trade_across(struct coll *k, uint32_t first)
{
    uint32_t g = k->c->group_size;
    uint32_t n = k->n;
    uint32_t joins = (uint32_t)k->s->ops;
    int code = EGRET_OK;
    for (uint32_t r = 0; code == EGRET_OK && r < n; r++) {
        uint32_t join;
        code = coll_join(k, r, &join);
        code = code ? code : coll_after(k, coll_entry(k, r), EGRET_ON_DONE, join);
        for (uint32_t s = 1; code == EGRET_OK && s < g; s++) {
            uint32_t from = r - r % g + (r % g + g - s) % g;
            code = coll_after(k, first + (s - 1u) * n + from, EGRET_ON_DONE, join);
        }
    }
    for (uint32_t s = 1; s < n / g; s++) {
        for (uint32_t r = 0; code == EGRET_OK && r < n; r++) {
            uint32_t to = (uint32_t)(((uint64_t)r + (uint64_t)s * g) % n);
            struct coll_chunks x = coll_chunks((uint64_t)(r - r % g) * n + to, g, n);
            uint32_t message;
            code = coll_send(k, r, to, g * coll_share(k->bytes, n, to), x, &message);
            code = code ? code : coll_after(k, joins + r, EGRET_ON_DONE, message);
        }
    }
    return code;
}

int coll_hierarchical(struct coll *k)
{
    uint32_t g = k->c->group_size;
    uint32_t first = (uint32_t)k->s->ops;
    if (k->c->kind != EGRET_COLL_ALL_REDUCE && k->c->kind != EGRET_COLL_ALL_GATHER &&
        k->c->kind != EGRET_COLL_REDUCE_SCATTER && k->c->kind != EGRET_COLL_ALL_TO_ALL) {
        return coll_refuse(k, "for all-reduce, all-gather, reduce-scatter and all-to-all alone");
    }
    if (g == 0 || k->n % g != 0) {
        return coll_refuse(k, "the group size must divide the number of members");
    }
    int code = coll_room(k, k->n, 2u * ((uint64_t)g + k->n / g), 1);
    if (code) {
        return code;
    }
    if (k->c->kind == EGRET_COLL_ALL_TO_ALL) {
        code = trade_within(k);
        return code ? code : trade_across(k, first);
    }
    uint32_t *ready = coll_ready(k);
    code = ready ? rings(k, ready) : coll_no_memory(k);
    free(ready);
    return code;
}
