/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.c: messages and triggers, and the collectives that are made here.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "rng.h"

#define MAX_ELEMENTS ((size_t)1 << 24)

void egret_workload_free(struct egret_workload *w)
{
    free(w->message);
    free(w->trigger);
    free(w->failure);
    memset(w, 0, sizeof *w);
}

/* Makes room for one more element. EGRET_ERR_RANGE if there are too many already. */
static int grow(void **array, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity) {
        return EGRET_OK;
    }
    size_t bigger = *capacity ? *capacity * 2u : 64u;
    if (bigger > MAX_ELEMENTS) {
        return EGRET_ERR_RANGE;
    }
    void *moved = realloc(*array, bigger * element);
    if (!moved) {
        return EGRET_ERR_MEMORY;
    }
    *array = moved;
    *capacity = bigger;
    return EGRET_OK;
}

int egret_workload_message(struct egret_workload *w, const struct egret_message *m)
{
    void *p = w->message;
    int code = grow(&p, w->messages, &w->message_capacity, sizeof *m);
    if (code == EGRET_OK) {
        w->message = p;
        w->message[w->messages++] = *m;
    }
    return code;
}

int egret_workload_trigger(struct egret_workload *w, const struct egret_trigger *t)
{
    void *p = w->trigger;
    int code = grow(&p, w->triggers, &w->trigger_capacity, sizeof *t);
    if (code == EGRET_OK) {
        w->trigger = p;
        w->trigger[w->triggers++] = *t;
    }
    return code;
}

int egret_workload_failure(struct egret_workload *w, const struct egret_link_failure *f)
{
    void *p = w->failure;
    int code = grow(&p, w->failures, &w->failure_capacity, sizeof *f);
    if (code == EGRET_OK) {
        w->failure = p;
        w->failure[w->failures++] = *f;
    }
    return code;
}

static int add(struct egret_workload *w, uint32_t src, uint32_t dst, uint64_t bytes,
               uint32_t trigger, uint32_t recv_done)
{
    struct egret_message m = {.bytes = bytes,
                              .pair = (uint64_t)src << 32 | dst,
                              .src = src,
                              .dst = dst,
                              .trigger = trigger,
                              .send_done = EGRET_NO_TRIGGER,
                              .recv_done = recv_done};
    return egret_workload_message(w, &m);
}

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
static int permutation(struct egret_workload *w, uint32_t n, uint64_t bytes, struct rng *rng)
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
        code = add(w, i, to[i], bytes, EGRET_NO_TRIGGER, EGRET_NO_TRIGGER);
    }
    free(to);
    return code;
}

/* Step s of rank r sends chunk (r - s) mod n to r + 1, once step s - 1 of r - 1 has arrived.
 * Trigger number s n + r is the arrival at rank r of what lets it take step s + 1. */
static int ring(struct egret_workload *w, uint32_t n, uint64_t bytes, uint64_t rounds)
{
    uint64_t steps = 2u * ((uint64_t)n - 1u);
    steps = rounds != 0 && rounds < steps ? rounds : steps;
    for (uint64_t s = 0; s < steps; s++) {
        for (uint32_t r = 0; r < n; r++) {
            uint32_t next = (r + 1u) % n;
            uint32_t chunk = (uint32_t)((r + 2u * (uint64_t)n - s) % n);
            uint64_t size = bytes / n + (chunk < bytes % n);
            uint32_t waits = s == 0 ? EGRET_NO_TRIGGER : (uint32_t)((s - 1u) * n + r);
            uint32_t frees = s + 1u == steps ? EGRET_NO_TRIGGER : (uint32_t)(s * n + next);
            struct egret_trigger t = {EGRET_TRIGGER_ONESHOT, 0};
            int code = add(w, r, next, size, waits, frees);
            if (code == EGRET_OK && s + 1u < steps) {
                code = egret_workload_trigger(w, &t);
            }
            if (code) {
                return code;
            }
        }
    }
    return EGRET_OK;
}

static int alltoall(struct egret_workload *w, uint32_t n, uint64_t bytes, uint64_t rounds)
{
    uint64_t shifts = (uint64_t)n - 1u;
    shifts = rounds != 0 && rounds < shifts ? rounds : shifts;
    for (uint64_t shift = 1; shift <= shifts; shift++) {
        for (uint32_t r = 0; r < n; r++) {
            int code =
                add(w, r, (uint32_t)((r + shift) % n), bytes, EGRET_NO_TRIGGER, EGRET_NO_TRIGGER);
            if (code) {
                return code;
            }
        }
    }
    return EGRET_OK;
}

int egret_collective(const char *name, uint32_t ranks, uint64_t bytes, uint64_t rounds,
                     uint32_t seed, struct egret_workload *out, struct egret_trace_error *err)
{
    struct rng rng = {(uint64_t)seed ^ 0x70657266u};
    struct egret_workload w;
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
    if (code) {
        egret_workload_free(&w);
        return egret_trace_fail(err, code, "%s: %s", name,
                                code == EGRET_ERR_MEMORY
                                    ? "out of memory"
                                    : "too many messages; --rounds gives fewer");
    }
    *out = w;
    return EGRET_OK;
}

int egret_workload_place_random(struct egret_workload *w, uint32_t seed)
{
    struct rng rng = {(uint64_t)seed ^ 0x706c6163u};
    uint32_t *host = calloc(w->ranks ? w->ranks : 1u, sizeof *host);
    if (!host) {
        return EGRET_ERR_MEMORY;
    }
    permute(host, w->ranks, &rng);
    for (size_t i = 0; i < w->messages; i++) {
        w->message[i].src = host[w->message[i].src];
        w->message[i].dst = host[w->message[i].dst];
    }
    free(host);
    return EGRET_OK;
}
