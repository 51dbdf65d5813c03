/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern_flows.c: traffic patterns of plain flows: permutation, ring, all-to-all, tornado, incast.
 */
#include <stdlib.h>

#include "pattern.h"
#include "rng.h"

bool pattern_too_many(const struct egret_schedule *s, uint64_t a, uint64_t b)
{
    uint64_t room = EGRET_SCHEDULE_MAX_OPS - s->ops;
    return a != 0 && b > room / a;
}

/* Fills p[0..n-1] with a random permutation of 0..n-1. */
void pattern_permute(uint32_t *p, uint32_t n, struct rng *rng)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = rng_below(rng, i + 1u);
        p[i] = p[j];
        p[j] = i;
    }
}

/* A random derangement: a random permutation whose fixed points are swapped away. */
int pattern_permutation(struct egret_schedule *w, const struct egret_pattern *p)
{
    struct rng rng = {(uint64_t)p->seed ^ 0x70657266u};
    uint32_t n = p->ranks;
    uint32_t *to = calloc(n, sizeof *to);
    int code = to ? EGRET_OK : EGRET_ERR_MEMORY;
    if (to) {
        pattern_permute(to, n, &rng);
        for (uint32_t i = 0; i < n; i++) {
            while (to[i] == i) {
                uint32_t j = rng_below(&rng, n);
                if (j != i && to[j] != i) {
                    to[i] = to[j];
                    to[j] = i;
                }
            }
        }
    }
    for (uint32_t i = 0; code == EGRET_OK && i < n; i++) {
        code = egret_schedule_message(w, i, to[i], p->bytes, NULL);
    }
    free(to);
    return code;
}

/* Step s of rank r, message s n + r, sends chunk (r - s) mod n to r + 1, once step s - 1 of r - 1
 * has arrived. */
int pattern_ring(struct egret_schedule *w, const struct egret_pattern *p)
{
    uint32_t n = p->ranks;
    uint64_t steps = 2u * ((uint64_t)n - 1u);
    steps = p->rounds != 0 && p->rounds < steps ? p->rounds : steps;
    if (pattern_too_many(w, n, steps)) {
        return EGRET_ERR_RANGE;
    }
    for (uint64_t s = 0; s < steps; s++) {
        for (uint32_t r = 0; r < n; r++) {
            uint32_t chunk = (uint32_t)((r + 2u * (uint64_t)n - s) % n);
            uint64_t size = p->bytes / n + (chunk < p->bytes % n);
            uint32_t message;
            int code = egret_schedule_message(w, r, (r + 1u) % n, size, &message);
            if (code == EGRET_OK && s > 0) {
                uint32_t before = (uint32_t)((s - 1u) * n + (r + n - 1u) % n);
                code = egret_schedule_after(w, before, EGRET_ON_DONE, message);
            }
            if (code) {
                return code;
            }
        }
    }
    return EGRET_OK;
}

/* r sends to r + 1, r + 2, ...; with a window of W the send to r + s waits until that to r + s - W
 * is acknowledged. */
int pattern_alltoall(struct egret_schedule *w, const struct egret_pattern *p)
{
    uint32_t n = p->ranks;
    uint64_t shifts = (uint64_t)n - 1u;
    shifts = p->rounds != 0 && p->rounds < shifts ? p->rounds : shifts;
    if (pattern_too_many(w, n, shifts)) {
        return EGRET_ERR_RANGE;
    }
    for (uint64_t shift = 1; shift <= shifts; shift++) {
        for (uint32_t r = 0; r < n; r++) {
            uint32_t m;
            int code = egret_schedule_message(w, r, (uint32_t)((r + shift) % n), p->bytes, &m);
            if (code == EGRET_OK && p->window != 0 && shift > p->window) {
                code = egret_schedule_after(w, m - p->window * n, EGRET_ON_SENT, m);
            }
            if (code) {
                return code;
            }
        }
    }
    return EGRET_OK;
}

/* Each to its twin in the other half. */
int pattern_tornado(struct egret_schedule *w, const struct egret_pattern *p)
{
    int code = EGRET_OK;
    for (uint32_t r = 0; code == EGRET_OK && r < p->ranks; r++) {
        uint32_t to = (uint32_t)(((uint64_t)r + p->ranks / 2u) % p->ranks);
        code = egret_schedule_message(w, r, to, p->bytes, NULL);
    }
    return code;
}

static uint32_t fan_in(const struct egret_pattern *p)
{
    return p->group_size != 0 && p->group_size < p->ranks ? p->group_size : p->ranks - 1u;
}

/* root + 1 .. root + G to the root. */
int pattern_incast(struct egret_schedule *w, const struct egret_pattern *p)
{
    int code = EGRET_OK;
    for (uint32_t i = 1; code == EGRET_OK && i <= fan_in(p); i++) {
        uint32_t from = (uint32_t)(((uint64_t)p->root + i) % p->ranks);
        code = egret_schedule_message(w, from, p->root, p->bytes, NULL);
    }
    return code;
}

/* An incast of G, whose senders but the first also send to others: the ranks that are left, shared
 * evenly, in order. */
int pattern_outcast_incast(struct egret_schedule *w, const struct egret_pattern *p)
{
    uint32_t senders = fan_in(p);
    uint32_t each = senders > 1u ? (p->ranks - 1u - senders) / (senders - 1u) : 0;
    uint64_t next = (uint64_t)p->root + senders + 1u;
    int code = EGRET_OK;
    for (uint32_t i = 1; code == EGRET_OK && i <= senders; i++) {
        uint32_t from = (uint32_t)(((uint64_t)p->root + i) % p->ranks);
        code = egret_schedule_message(w, from, p->root, p->bytes, NULL);
        for (uint32_t j = 0; code == EGRET_OK && i > 1u && j < each; j++) {
            code = egret_schedule_message(w, from, (uint32_t)(next++ % p->ranks), p->bytes, NULL);
        }
    }
    return code;
}
