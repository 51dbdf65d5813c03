/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_halving.c: recursive halving and doubling. Of n members the largest power of two takes
 * part; of the first 2 (n - p) each even one is stood for by the odd one behind it.
 */
#include <stdlib.h>

#include "collective_parts.h"

struct halving {
    struct coll *k;
    uint32_t p;        /* members that take part, a power of two */
    uint32_t extra;    /* that are stood for */
    uint32_t *arrived; /* of each that takes part: the message that came last, */
    uint32_t *sent;    /* and the one that it sent last; EGRET_NO_OP: none */
    uint32_t *next;    /* arrivals of the step */
};

/* Chunks from here on belong to those that take part from q on. */
static uint32_t bound(const struct halving *h, uint32_t q)
{
    return q < h->extra ? 2u * q : q + h->extra;
}

static uint32_t member(const struct halving *h, uint32_t q)
{
    return q < h->extra ? 2u * q + 1u : q + h->extra;
}

/* q sends the chunks of [from, to) to its partner: after what came last, and behind what it has
 * sent itself, which was after what came before that. */
static int exchange(struct halving *h, uint32_t q, uint32_t partner, uint32_t from, uint32_t to)
{
    struct coll *k = h->k;
    uint32_t lo = bound(h, from);
    struct coll_chunks x = coll_chunks(lo, bound(h, to) - lo, 1);
    uint32_t message;
    int code = coll_send(k, member(h, q), member(h, partner), coll_bytes(k, x), x, &message);
    if (code == EGRET_OK) {
        code = coll_after(k, h->arrived[q], EGRET_ON_DONE, message);
    }
    if (code == EGRET_OK) {
        code = h->sent[q] == EGRET_NO_OP
                   ? coll_after(k, coll_entry(k, member(h, q)), EGRET_ON_DONE, message)
                   : coll_after(k, h->sent[q], EGRET_ON_START, message);
    }
    h->sent[q] = message;
    h->next[partner] = message;
    return code;
}

static void end_step(struct halving *h)
{
    uint32_t *swap = h->arrived;
    h->arrived = h->next;
    h->next = swap;
}

/* Distance d: q keeps its half of the 2 d that hold it, and sends the other half. */
static int halve(struct halving *h)
{
    int code = EGRET_OK;
    for (uint32_t d = h->p / 2u; d > 0; d /= 2u) {
        for (uint32_t q = 0; code == EGRET_OK && q < h->p; q++) {
            uint32_t other = (q ^ d) & ~(d - 1u);
            code = exchange(h, q, q ^ d, other, other + d);
        }
        end_step(h);
    }
    return code;
}

static int twice(struct halving *h)
{
    int code = EGRET_OK;
    for (uint32_t d = 1; d < h->p; d *= 2u) {
        for (uint32_t q = 0; code == EGRET_OK && q < h->p; q++) {
            uint32_t own = q & ~(d - 1u);
            code = exchange(h, q, q ^ d, own, own + d);
        }
        end_step(h);
    }
    return code;
}

/* Before: what the even one has; a gather's is its own chunk. */
static int hand_over(struct halving *h)
{
    struct coll *k = h->k;
    bool gather = k->c->kind == EGRET_COLL_ALL_GATHER;
    int code = EGRET_OK;
    for (uint32_t q = 0; code == EGRET_OK && q < h->extra; q++) {
        struct coll_chunks x = gather ? coll_chunks(2u * q, 1, 1) : coll_chunks(0, k->n, 1);
        code = coll_send(k, 2u * q, 2u * q + 1u, coll_bytes(k, x), x, &h->arrived[q]);
        if (code == EGRET_OK) {
            code = coll_after(k, coll_entry(k, 2u * q), EGRET_ON_DONE, h->arrived[q]);
        }
    }
    return code;
}

/* Afterwards: its own chunk of a reduce-scatter, all but its own of a gather, all. */
static int hand_back(struct halving *h)
{
    struct coll *k = h->k;
    int code = EGRET_OK;
    for (uint32_t q = 0; code == EGRET_OK && q < h->extra; q++) {
        struct coll_chunks x = k->c->kind == EGRET_COLL_REDUCE_SCATTER ? coll_chunks(2u * q, 1, 1)
                               : k->c->kind == EGRET_COLL_ALL_GATHER
                                   ? coll_chunks(2u * q + 1u, k->n - 1u, 1)
                                   : coll_chunks(0, k->n, 1);
        uint32_t message;
        code = coll_send(k, 2u * q + 1u, 2u * q, coll_bytes(k, x), x, &message);
        if (code == EGRET_OK) {
            code = coll_after(k, h->arrived[q], EGRET_ON_DONE, message);
        }
        if (code == EGRET_OK) {
            code = coll_after(k, h->sent[q], EGRET_ON_START, message);
        }
    }
    return code;
}

static int run(struct halving *h)
{
    int code = hand_over(h);
    if (code == EGRET_OK && h->k->c->kind != EGRET_COLL_ALL_GATHER) {
        code = halve(h);
    }
    if (code == EGRET_OK && h->k->c->kind != EGRET_COLL_REDUCE_SCATTER) {
        code = twice(h);
    }
    return code ? code : hand_back(h);
}

int coll_halving_doubling(struct coll *k)
{
    struct halving h = {.k = k, .p = 1};
    uint64_t steps = 4; /* two to hand over and back */
    if (k->c->kind != EGRET_COLL_ALL_REDUCE && k->c->kind != EGRET_COLL_ALL_GATHER &&
        k->c->kind != EGRET_COLL_REDUCE_SCATTER) {
        return coll_refuse(k, "for all-reduce, all-gather and reduce-scatter alone");
    }
    while (h.p <= k->n / 2u) {
        h.p *= 2u;
        steps += 2u;
    }
    h.extra = k->n - h.p;
    int code = coll_room(k, steps, k->n, 1);
    if (code) {
        return code;
    }
    h.arrived = malloc(h.p * sizeof *h.arrived);
    h.sent = malloc(h.p * sizeof *h.sent);
    h.next = malloc(h.p * sizeof *h.next);
    if (h.arrived && h.sent && h.next) {
        for (uint32_t q = 0; q < h.p; q++) {
            h.arrived[q] = h.sent[q] = h.next[q] = EGRET_NO_OP;
        }
        code = run(&h);
    } else {
        code = coll_no_memory(k);
    }
    free(h.arrived);
    free(h.sent);
    free(h.next);
    return code;
}
