/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_load.h: the events that egret bench gives a selector.
 */
#ifndef EGRET_CLI_BENCH_LOAD_H
#define EGRET_CLI_BENCH_LOAD_H

#include "cli.h"

struct bench_load {
    struct egret_event *event;
    size_t count;
    size_t capacity;
    size_t start; /* where the clock starts: behind the set-up */
    size_t packets;
    bool cut; /* there was more than BENCH_MAX_EVENTS */
};
#define BENCH_MAX_EVENTS (1u << 22)

/* The events of a stimulus. EGRET_OK, or an error. */
int bench_load_file(struct bench_load *l, const char *path, struct egret_trace_error *err);
/* One of our own: all groups of a configuration on all its ports, by a scheme that it has. */
int bench_load_scheme(struct bench_load *l, const struct egret_cfg *cfg, uint32_t scheme);
void bench_load_free(struct bench_load *l);

#endif
