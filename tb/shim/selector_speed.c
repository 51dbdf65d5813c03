/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_speed.c: how fast a selector runs alone, and in lock step with the model.
 *
 * usage: selector_speed SELECTOR.so CONFIG STIMULUS [RATIO [MIN]]
 * Runs the stimulus from reset in bursts: the selector alone, then the selector, the model and the
 * comparison of every result; three rounds of both, of which the shortest times count. Prints
 * results a second of CPU time for both, and their ratio. Fails at a difference, if lock step is
 * slower than RATIO of the selector alone, or than MIN results a second.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "egret/trace.h"
#include "selector_load.h"

#define BURST 1024u
#define ROUNDS 3u

struct stimulus {
    struct egret_event *event;
    size_t count;
    size_t results;
};

static double cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int load(const char *path, struct stimulus *s)
{
    struct egret_trace_error error = {""};
    struct egret_stimulus *in = NULL;
    size_t capacity = 0;
    int more = egret_stimulus_open(path, &in, &error);
    if (more == EGRET_OK)
        more = 1;
    while (more > 0) {
        if (s->count == capacity) {
            capacity = capacity == 0 ? 65536 : 2 * capacity;
            struct egret_event *moved = realloc(s->event, capacity * sizeof *moved);
            if (moved == NULL)
                return EGRET_ERR_MEMORY;
            s->event = moved;
        }
        struct egret_event *ev = &s->event[s->count];
        memset(ev, 0, sizeof *ev);
        more = egret_stimulus_next(in, ev, &error);
        if (more > 0) {
            s->count++;
            s->results += ev->kind == EGRET_EV_PACKET || ev->kind == EGRET_EV_READ;
        }
    }
    egret_stimulus_close(in);
    if (more < 0)
        printf("selector_speed: %s\n", error.text);
    return more;
}

/* Runs all events; model null: the selector alone. Returns the number of the first event whose
 * result differs, or the number of events. */
static size_t run(const struct egret_selector_ops *ops, void *self, struct egret *model,
                  const struct stimulus *s)
{
    static struct egret_decision seen[BURST];
    static struct egret_decision want[BURST];
    for (size_t at = 0; at < s->count; at += BURST) {
        size_t n = s->count - at < BURST ? s->count - at : BURST;
        size_t done = 0;
        int err = ops->apply_burst(self, s->event + at, n, seen, &done);
        if (err != EGRET_OK) {
            printf("selector_speed: %s: %s\n", egret_strerror(err),
                   ops->describe != NULL ? ops->describe(self) : "");
            return at + done;
        }
        if (model == NULL)
            continue;
        if (egret_apply_burst(model, s->event + at, n, want, &done) != EGRET_OK)
            return at + done;
        for (size_t i = 0; i < n; i++)
            if (memcmp(&seen[i], &want[i], sizeof seen[i]) != 0)
                return at + i;
    }
    return s->count;
}

/* run() from reset; *best is the shortest time so far. */
static size_t timed(const struct egret_selector_ops *ops, void *self, struct egret *model,
                    const struct stimulus *s, double *best)
{
    if (ops->reset(self) != EGRET_OK || (model != NULL && egret_reset(model) != EGRET_OK))
        return 0;
    double start = cpu_seconds();
    size_t at = run(ops, self, model, s);
    double seconds = cpu_seconds() - start;
    *best = seconds < *best ? seconds : *best;
    return at;
}

int main(int argc, char **argv)
{
    struct stimulus s = {NULL, 0, 0};
    struct egret_cfg cfg;
    struct egret *model = NULL;
    void *self = NULL;
    if (argc < 4 || egret_cfg_named(argv[2], &cfg) != EGRET_OK) {
        fprintf(stderr, "usage: selector_speed SELECTOR.so CONFIG STIMULUS [RATIO [MIN]]\n");
        return 2;
    }
    const struct egret_selector_ops *ops = selector_load("selector_speed", argv[1]);
    if (ops == NULL)
        return 1;
    if (load(argv[3], &s) != 0 || ops->create(&cfg, &self) != EGRET_OK ||
        egret_create(&cfg, &model) != EGRET_OK) {
        printf("selector_speed: cannot start\n");
        return 1;
    }
    double alone = 1e9;
    double lock_step = 1e9;
    uint64_t clocks = 0;
    double in_flight = 0.0;
    size_t at = s.count;
    for (unsigned round = 0; round < ROUNDS && at == s.count; round++) {
        at = timed(ops, self, NULL, &s, &alone);
        clocks = ops->clocks != NULL ? ops->clocks(self) : 0;
        in_flight = ops->in_flight != NULL ? ops->in_flight(self) : 0.0;
        if (at == s.count)
            at = timed(ops, self, model, &s, &lock_step);
    }

    double results = (double)s.results;
    printf("%s: %zu events, %zu results, %.2f in flight, %.0f clocks/s\n", ops->name, s.count,
           s.results, in_flight, (double)clocks / alone);
    printf("alone %.0f results/s, in lock step with the model %.0f results/s, ratio %.3f\n",
           results / alone, results / lock_step, alone / lock_step);
    bool good = at == s.count;
    if (!good)
        printf("selector_speed: differs at event %zu\n", at);
    if (argc > 4 && alone / lock_step < strtod(argv[4], NULL)) {
        printf("selector_speed: slower than %s of the selector alone\n", argv[4]);
        good = false;
    }
    if (argc > 5 && results / lock_step < strtod(argv[5], NULL)) {
        printf("selector_speed: fewer than %s results/s\n", argv[5]);
        good = false;
    }
    printf("RESULT pass=%zu fail=%d\n", good ? s.results : 0, good ? 0 : 1);
    ops->destroy(self);
    egret_destroy(model);
    free(s.event);
    return good && s.results > 0 ? 0 : 1;
}
