/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_options.c: the plusargs of a bench (bench.h lists them).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_internal.h"

struct source {
    egret_plusarg_fn plusarg;
    void *ctx;
    bool good;
};

static const char *text_of(struct source *s, const char *name, const char *otherwise)
{
    const char *text = s->plusarg(s->ctx, name);
    return text != NULL ? text : otherwise;
}

/* One number at *text, which moves behind it; the end must be NUL or `separator`. */
static uint64_t number_at(struct source *s, const char *name, const char **text, char separator)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(*text, &end, 0);
    if (**text < '0' || **text > '9' || errno != 0 || (*end != '\0' && *end != separator)) {
        printf("bench: +%s=%s is not a number\n", name, *text);
        s->good = false;
        value = 0;
        end = strchr(*text, '\0');
    }
    *text = end;
    return value;
}

static uint64_t number_of(struct source *s, const char *name, uint64_t otherwise)
{
    const char *text = s->plusarg(s->ctx, name);
    return text != NULL ? number_at(s, name, &text, '\0') : otherwise;
}

static void resets_of(struct source *s, struct egret_bench_options *o)
{
    const char *text = s->plusarg(s->ctx, "reset_at");
    while (text != NULL && *text != '\0' && s->good) {
        if (o->resets == EGRET_BENCH_RESETS) {
            printf("bench: +reset_at has more than %d numbers\n", EGRET_BENCH_RESETS);
            s->good = false;
            return;
        }
        o->reset_at[o->resets++] = number_at(s, "reset_at", &text, ',');
        if (*text == ',')
            text++;
    }
}

static void asserts_of(struct source *s, struct egret_bench_options *o)
{
    const char *text = text_of(s, "assert", "");
    while (*text != '\0') {
        size_t n = strcspn(text, ",");
        if (n == 10 && memcmp(text, "throughput", n) == 0) {
            o->need_throughput = true;
        } else if (n == 5 && memcmp(text, "ticks", n) == 0) {
            o->need_ticks = true;
        } else {
            printf("bench: +assert knows throughput and ticks, not %s\n", text);
            s->good = false;
        }
        text += n;
        if (*text == ',')
            text++;
    }
}

bool egret_bench_options(const char *sim, egret_plusarg_fn plusarg, void *ctx,
                         struct egret_bench_options *o)
{
    struct source s = {plusarg, ctx, true};
    memset(o, 0, sizeof *o);
    o->sim = sim;
    o->config = text_of(&s, "config", "");
    o->config_file = text_of(&s, "config_file", NULL);
    o->stimulus = text_of(&s, "stimulus", "");
    o->log = text_of(&s, "log", NULL);
    o->stall = text_of(&s, "stall", "none");
    o->seed = number_of(&s, "seed", 1);
    o->state_reads = number_of(&s, "state_reads", 200);
    o->watchdog = number_of(&s, "watchdog", 100000);
    o->min_packets = number_of(&s, "min_packets", 1000);
    o->beyond = number_of(&s, "beyond", 0);
    o->reset_clocks = number_of(&s, "reset_clocks", 1);
    if (o->reset_clocks < 1 || o->reset_clocks > 1000000) {
        printf("bench: +reset_clocks is 1 to 1000000\n");
        s.good = false;
    }
    resets_of(&s, o);
    asserts_of(&s, o);

    bool both = strcmp(o->stall, "both") == 0;
    o->stall_in = both || strcmp(o->stall, "in") == 0;
    o->stall_out = both || strcmp(o->stall, "out") == 0;
    if (!o->stall_in && !o->stall_out && strcmp(o->stall, "none") != 0) {
        printf("bench: +stall is none, in, out or both, not %s\n", o->stall);
        s.good = false;
    }
    if (*o->stimulus == '\0' || *o->config == '\0') {
        printf("bench: +stimulus=FILE and +config=NAME are required\n");
        s.good = false;
    }
    return s.good;
}
