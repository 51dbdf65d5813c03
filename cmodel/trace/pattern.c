/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.c: schedules by the name of a traffic pattern.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "rng.h"

/* Fills p[0..n-1] with a random permutation of 0..n-1. */
static void permute(uint32_t *p, uint32_t n, struct rng *rng)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = rng_below(rng, i + 1u);
        p[i] = p[j];
        p[j] = i;
    }
}

/* A random derangement: a random permutation whose fixed points are swapped away. */
static int permutation(struct egret_schedule *w, uint32_t n, uint64_t bytes, struct rng *rng)
{
    uint32_t *to = calloc(n, sizeof *to);
    int code = to ? EGRET_OK : EGRET_ERR_MEMORY;
    if (to) {
        permute(to, n, rng);
        for (uint32_t i = 0; i < n; i++) {
            while (to[i] == i) {
                uint32_t j = rng_below(rng, n);
                if (j != i && to[j] != i) {
                    to[i] = to[j];
                    to[j] = i;
                }
            }
        }
    }
    for (uint32_t i = 0; code == EGRET_OK && i < n; i++) {
        code = egret_schedule_message(w, i, to[i], bytes, NULL);
    }
    free(to);
    return code;
}

/* More messages than a schedule takes? */
static bool too_many(uint64_t ranks, uint64_t each)
{
    return each > EGRET_SCHEDULE_MAX_OPS / ranks;
}

/* Step s of rank r, message s n + r, sends chunk (r - s) mod n to r + 1, once step s - 1 of r - 1
 * has arrived. */
static int ring(struct egret_schedule *w, uint32_t n, uint64_t bytes, uint64_t rounds)
{
    uint64_t steps = 2u * ((uint64_t)n - 1u);
    steps = rounds != 0 && rounds < steps ? rounds : steps;
    if (too_many(n, steps)) {
        return EGRET_ERR_RANGE;
    }
    for (uint64_t s = 0; s < steps; s++) {
        for (uint32_t r = 0; r < n; r++) {
            uint32_t chunk = (uint32_t)((r + 2u * (uint64_t)n - s) % n);
            uint64_t size = bytes / n + (chunk < bytes % n);
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

static int alltoall(struct egret_schedule *w, uint32_t n, uint64_t bytes, uint64_t rounds)
{
    uint64_t shifts = (uint64_t)n - 1u;
    shifts = rounds != 0 && rounds < shifts ? rounds : shifts;
    if (too_many(n, shifts)) {
        return EGRET_ERR_RANGE;
    }
    for (uint64_t shift = 1; shift <= shifts; shift++) {
        for (uint32_t r = 0; r < n; r++) {
            int code = egret_schedule_message(w, r, (uint32_t)((r + shift) % n), bytes, NULL);
            if (code) {
                return code;
            }
        }
    }
    return EGRET_OK;
}

int egret_collective(const char *name, uint32_t ranks, uint64_t bytes, uint64_t rounds,
                     uint32_t seed, struct egret_schedule *out, struct egret_trace_error *err)
{
    struct rng rng = {(uint64_t)seed ^ 0x70657266u};
    struct egret_schedule w;
    int code;
    memset(&w, 0, sizeof w);
    w.ranks = ranks;
    if (ranks < 2u || bytes == 0) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: at least two ranks and one byte", name);
    }
    if (strcmp(name, "permutation") == 0) {
        code = permutation(&w, ranks, bytes, &rng);
    } else if (strcmp(name, "ring") == 0) {
        if (bytes < ranks) {
            return egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "ring: at least one byte for each of %u ranks", ranks);
        }
        code = ring(&w, ranks, bytes, rounds);
    } else if (strcmp(name, "alltoall") == 0) {
        code = alltoall(&w, ranks, bytes, rounds);
    } else {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "unknown collective '%s': permutation, ring or alltoall", name);
    }
    if (code == EGRET_OK) {
        code = egret_schedule_seal(&w, name, NULL, err);
        if (code) {
            egret_schedule_free(&w);
            return code;
        }
    }
    if (code) {
        egret_schedule_free(&w);
        return egret_trace_fail(
            err, code, "%s: %s", name,
            code == EGRET_ERR_MEMORY ? "out of memory" : "too many messages; --rounds gives fewer");
    }
    *out = w;
    return EGRET_OK;
}
