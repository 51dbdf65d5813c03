/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_dissemination.c: the dissemination barrier: in round k member i tells i + 2^k.
 */
#include "collective_parts.h"

int coll_dissemination(struct coll *k)
{
    uint32_t n = k->n;
    uint32_t first = (uint32_t)k->s->ops;
    uint32_t round = 0;
    if (k->c->kind != EGRET_COLL_BARRIER) {
        return coll_refuse(k, "for barrier alone");
    }
    int code = coll_room(k, n, 24, 1);
    for (uint32_t d = 1; code == EGRET_OK && d < n; d *= 2u, round++) {
        for (uint32_t i = 0; code == EGRET_OK && i < n; i++) {
            uint32_t to = (uint32_t)(((uint64_t)i + d) % n);
            uint32_t before = first + (round - 1u) * n; /* the round before */
            uint32_t message;
            code = coll_send(k, i, to, 1, coll_chunks(0, 1, 1), &message);
            if (code) {
                break;
            }
            if (round == 0) {
                code = coll_after(k, coll_entry(k, i), EGRET_ON_DONE, message);
                continue;
            }
            code = coll_after(k, before + i, EGRET_ON_START, message);
            code = code ? code
                        : coll_after(k, before + (uint32_t)(((uint64_t)i + n - d / 2u) % n),
                                     EGRET_ON_DONE, message);
        }
    }
    return code;
}
