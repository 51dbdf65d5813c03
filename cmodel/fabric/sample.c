/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample.c: see sample.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

int egret_fab_samples_open(struct egret_fabric *f, struct egret_trace_error *err)
{
    for (uint32_t i = 0; f->spec.sample_ps && i < f->workers; i++) {
        struct fab_samples *s = calloc(1, sizeof *s);
        if (!s) {
            return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
        }
        s->period = f->spec.sample_ps;
        f->worker[i].samples = s;
    }
    for (uint32_t i = 0; f->spec.sample_ps && i < f->links; i++) {
        f->link[i].usual_ps = 0;
    }
    return EGRET_OK;
}

static void fail(struct fab_worker *w, int code, const char *text)
{
    if (!w->code) {
        w->code = code;
        (void)snprintf(w->text, sizeof w->text, "%s", text);
    }
}

/* Makes room for period `last`. */
static bool reach(struct fab_worker *w, struct fab_samples *s, uint64_t last)
{
    if (last >= FAB_SAMPLES_MAX) {
        fail(w, EGRET_ERR_RANGE, "samples: more than 1048576 periods; take a longer one");
        return false;
    }
    if (last >= s->capacity) {
        size_t capacity = s->capacity ? s->capacity : 64u;
        while (capacity <= last) {
            capacity *= 2u;
        }
        void *more = realloc(s->busy, capacity * sizeof *s->busy);
        if (!more) {
            fail(w, EGRET_ERR_MEMORY, "out of memory");
            return false;
        }
        s->busy = more;
        memset(s->busy + s->capacity, 0, (capacity - s->capacity) * sizeof *s->busy);
        s->capacity = capacity;
    }
    if (last >= s->count) {
        s->count = (size_t)last + 1u;
    }
    return true;
}

void egret_fab_sample(struct fab_worker *w, const struct fab_link *l, uint64_t start,
                      uint64_t serial_ps)
{
    struct fab_samples *s = w->samples;
    uint64_t end = start + serial_ps;
    uint64_t at = start / s->period;
    if (serial_ps == 0 || !reach(w, s, (end - 1u) / s->period)) {
        return;
    }
    while (start < end) {
        uint64_t stop = (at + 1u) * s->period;
        uint64_t part = (stop < end ? stop : end) - start;
        s->busy[at++][l->tier] += part;
        start += part;
    }
}

int egret_fab_samples_sum(struct egret_fabric *f)
{
    struct egret_fabric_results *r = &f->results;
    uint64_t links[EGRET_FABRIC_QUEUES] = {0};
    size_t count = 0;
    free(r->utilisation);
    r->utilisation = NULL;
    r->samples = 0;
    for (uint32_t i = 0; i < f->workers; i++) {
        const struct fab_samples *s = f->worker[i].samples;
        count = s && s->count > count ? s->count : count;
    }
    if (count == 0) {
        return EGRET_OK;
    }
    r->utilisation = calloc(count, sizeof *r->utilisation);
    if (!r->utilisation) {
        return EGRET_ERR_MEMORY;
    }
    r->samples = count;
    for (uint32_t i = 0; i < f->links; i++) {
        links[f->link[i].tier]++;
    }
    for (size_t n = 0; n < count; n++) {
        for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
            uint64_t busy = 0;
            for (uint32_t i = 0; i < f->workers; i++) {
                const struct fab_samples *s = f->worker[i].samples;
                busy += s && n < s->count ? s->busy[n][q] : 0;
            }
            double whole = (double)links[q] * (double)f->spec.sample_ps;
            r->utilisation[n][q] = links[q] ? (double)busy / whole : 0;
        }
    }
    return EGRET_OK;
}

void egret_fab_samples_close(struct egret_fabric *f)
{
    for (uint32_t i = 0; f->worker && i < f->workers; i++) {
        struct fab_samples *s = f->worker[i].samples;
        if (s) {
            free(s->busy);
            free(s);
            f->worker[i].samples = NULL;
        }
    }
    free(f->results.utilisation);
    f->results.utilisation = NULL;
    f->results.samples = 0;
}
