/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_check.c: what check_CONFIG.so exports: the C model and the Verilated RTL, both at once,
 * compared event by event. Decisions are those of the model, which the RTL has agreed with.
 *
 * A call in which they differ returns EGRET_ERR_DIFFER. Both have taken all its events even so;
 * *done is the index of the first that differs, and from there on the decisions are the RTL's.
 * Calls after it go on in the same way, so that the state of both can be read. describe() has the
 * first difference since reset. An error of the RTL stays until reset().
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/egret.h"
#include "selector_rtl.h"

#define CHUNK 4096u

struct check {
    struct egret *model;
    void *rtl;
    uint64_t events; /* compared since reset */
    int failed;      /* 0, or the error of the RTL that stands */
    char text[512];
    struct egret_decision other[CHUNK];
};

static int check_create(const struct egret_cfg *cfg, void **self)
{
    if (cfg == NULL || self == NULL)
        return EGRET_ERR_NULL;
    struct check *c = calloc(1, sizeof *c);
    if (c == NULL)
        return EGRET_ERR_MEMORY;
    int err = egret_selector_rtl()->create(cfg, &c->rtl);
    if (err == EGRET_OK)
        err = egret_create(cfg, &c->model);
    if (err != EGRET_OK) {
        if (c->rtl != NULL)
            egret_selector_rtl()->destroy(c->rtl);
        free(c);
        return err;
    }
    *self = c;
    return EGRET_OK;
}

static void check_destroy(void *self)
{
    struct check *c = self;
    if (c == NULL)
        return;
    egret_selector_rtl()->destroy(c->rtl);
    egret_destroy(c->model);
    free(c);
}

static int check_reset(void *self)
{
    struct check *c = self;
    if (c == NULL)
        return EGRET_ERR_NULL;
    c->events = 0;
    c->text[0] = '\0';
    c->failed = egret_reset(c->model);
    if (c->failed == EGRET_OK)
        c->failed = egret_selector_rtl()->reset(c->rtl);
    return c->failed;
}

static void describe_difference(struct check *c, const struct egret_decision *model,
                                const struct egret_decision *rtl)
{
    if (c->text[0] != '\0')
        return; /* not the first */
    (void)snprintf(c->text, sizeof c->text,
                   "event %" PRIu64 " since reset differs: model kind=%u tag=%" PRIu32
                   " port=%u choice=%u scheme=%u reason=%u data=%08" PRIx32
                   ", rtl kind=%u tag=%" PRIu32
                   " port=%u choice=%u scheme=%u reason=%u data=%08" PRIx32,
                   c->events, model->kind, model->tag, model->port, model->choice, model->scheme,
                   model->reason, model->data, rtl->kind, rtl->tag, rtl->port, rtl->choice,
                   rtl->scheme, rtl->reason, rtl->data);
}

/* At most CHUNK events; *applied is how many both have taken. differs: an earlier event does. */
static int chunk(struct check *c, const struct egret_event *ev, size_t n,
                 struct egret_decision *out, bool *differs, size_t *done, size_t *applied)
{
    size_t by_rtl = 0;
    int err = egret_apply_burst(c->model, ev, n, out, applied);
    int rtl_err = egret_selector_rtl()->apply_burst(c->rtl, ev, *applied, c->other, &by_rtl);
    if (rtl_err != EGRET_OK || by_rtl != *applied) {
        const char *why = egret_selector_rtl()->describe(c->rtl);
        (void)snprintf(c->text, sizeof c->text, "rtl: %s: %s", egret_strerror(rtl_err), why);
        c->failed = rtl_err != EGRET_OK ? rtl_err : EGRET_ERR_INTERNAL;
        return c->failed;
    }
    for (size_t i = 0; i < *applied; i++) {
        if (!*differs && memcmp(&out[i], &c->other[i], sizeof out[i]) != 0) {
            describe_difference(c, &out[i], &c->other[i]);
            *differs = true;
        }
        if (*differs)
            out[i] = c->other[i];
        else
            (*done)++;
        c->events++;
    }
    return err; /* of a bad event; nothing has failed for good */
}

static int check_apply_burst(void *self, const struct egret_event *ev, size_t n,
                             struct egret_decision *out, size_t *done)
{
    struct check *c = self;
    bool differs = false;
    size_t equal = 0;
    size_t at = 0;
    if (c == NULL || (n > 0 && (ev == NULL || out == NULL)))
        return EGRET_ERR_NULL;
    int err = c->failed;
    while (at < n && err == EGRET_OK) {
        size_t now = n - at < CHUNK ? n - at : CHUNK;
        size_t applied = 0;
        err = chunk(c, ev + at, now, out + at, &differs, &equal, &applied);
        at += applied;
    }
    if (done != NULL)
        *done = equal;
    return differs && c->failed == EGRET_OK ? EGRET_ERR_DIFFER : err;
}

static int check_apply(void *self, const struct egret_event *ev, struct egret_decision *out)
{
    struct egret_decision d;
    if (out == NULL)
        return EGRET_ERR_NULL;
    int err = check_apply_burst(self, ev, 1, &d, NULL);
    if (err == EGRET_OK || err == EGRET_ERR_DIFFER)
        *out = d;
    return err;
}

static const char *check_describe(void *self)
{
    const struct check *c = self;
    return c != NULL ? c->text : "";
}

static double check_in_flight(void *self)
{
    const struct check *c = self;
    return c != NULL ? egret_selector_rtl()->in_flight(c->rtl) : 0.0;
}

static uint64_t check_clocks(void *self)
{
    const struct check *c = self;
    return c != NULL ? egret_selector_rtl()->clocks(c->rtl) : 0;
}

const struct egret_selector_ops *egret_selector(void)
{
    static const struct egret_selector_ops table = {
        .api_version = EGRET_SELECTOR_VERSION,
        .name = "check:" EGRET_CFG_NAME,
        .create = check_create,
        .destroy = check_destroy,
        .reset = check_reset,
        .apply = check_apply,
        .apply_burst = check_apply_burst,
        .describe = check_describe,
        .in_flight = check_in_flight,
        .clocks = check_clocks,
    };
    return &table;
}
