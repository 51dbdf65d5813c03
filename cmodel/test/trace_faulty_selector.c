/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_faulty_selector.c: a selector for cli_check.sh: the model, with the fault that EGRET_FAULT
 * names as KIND:N (N: ordinal of the packet).
 */
#include <stdlib.h>
#include <string.h>

#include "egret/selector.h"

struct faulty {
    struct egret *model;
    uint64_t packets;
    const char *kind;
    uint64_t at;
};

static bool is(const struct faulty *f, const char *kind)
{
    size_t n = strlen(kind);
    return strncmp(f->kind, kind, n) == 0 && f->kind[n] == ':';
}

static void read_fault(struct faulty *f)
{
    const char *text = getenv("EGRET_FAULT");
    f->kind = text && strchr(text, ':') ? text : "none:0";
    f->at = strtoull(strchr(f->kind, ':') + 1, NULL, 10);
}

static int faulty_create(const struct egret_cfg *cfg, void **self)
{
    struct faulty *f = calloc(1, sizeof *f);
    if (!f) {
        return EGRET_ERR_MEMORY;
    }
    read_fault(f);
    int code = is(f, "config") ? EGRET_ERR_CONFIG : egret_create(cfg, &f->model);
    if (code) {
        free(f);
        return code;
    }
    *self = f;
    return EGRET_OK;
}

static void faulty_destroy(void *self)
{
    struct faulty *f = self;
    egret_destroy(f->model);
    free(f);
}

static int faulty_reset(void *self)
{
    struct faulty *f = self;
    f->packets = 0;
    return egret_reset(f->model);
}

static int one(struct faulty *f, const struct egret_event *ev, struct egret_decision *out,
               bool burst)
{
    int code = egret_apply(f->model, ev, out);
    if (code || ev->kind != EGRET_EV_PACKET) {
        if (ev->kind == EGRET_EV_READ && is(f, "state") && f->packets > 0) {
            out->data ^= (ev->addr & 0xffu) == 0x10u;
        }
        return code;
    }
    bool now = f->packets++ == f->at;
    if (is(f, "silent")) {
        memset(out, 0, sizeof *out);
    } else if (now && (is(f, "port") || (burst && is(f, "burst")))) {
        out->port ^= 1u;
    } else if (is(f, "hash") && f->packets > f->at && out->scheme == EGRET_SCHEME_ECMP) {
        out->data ^= 0x100u;
    } else if (now && is(f, "internal")) {
        return EGRET_ERR_INTERNAL;
    } else if (now && is(f, "exit")) {
        exit(0);
    } else if (now && is(f, "quick")) {
        quick_exit(0);
    }
    return EGRET_OK;
}

static int faulty_apply(void *self, const struct egret_event *ev, struct egret_decision *out)
{
    return one(self, ev, out, false);
}

static int faulty_burst(void *self, const struct egret_event *ev, size_t n,
                        struct egret_decision *out, size_t *done)
{
    int code = EGRET_OK;
    size_t i = 0;
    for (; i < n && code == EGRET_OK; i++) {
        code = one(self, &ev[i], &out[i], n > 1u);
    }
    if (done) {
        *done = code ? i - 1u : i;
    }
    return code;
}

static const char *faulty_describe(void *self)
{
    struct faulty *f = self;
    return f->kind[0] == 'n' ? "" : "fault on purpose";
}

const struct egret_selector_ops *egret_selector(void)
{
    static struct egret_selector_ops ops = {
        EGRET_SELECTOR_VERSION, "faulty",     faulty_create,   faulty_destroy, faulty_reset,
        faulty_apply,           faulty_burst, faulty_describe, NULL,           NULL};
    struct faulty f;
    read_fault(&f);
    if (is(&f, "create")) {
        ops.create = NULL;
    } else if (is(&f, "destroy")) {
        ops.destroy = NULL;
    } else if (is(&f, "reset")) {
        ops.reset = NULL;
    } else if (is(&f, "apply")) {
        ops.apply = NULL;
    } else if (is(&f, "apply_burst")) {
        ops.apply_burst = NULL;
    }
    ops.api_version = is(&f, "version") ? EGRET_SELECTOR_VERSION + 1u : EGRET_SELECTOR_VERSION;
    return &ops;
}
