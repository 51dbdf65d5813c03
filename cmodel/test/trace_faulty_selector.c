/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_faulty_selector.c: a selector for cli_check.sh: the model, with the fault that EGRET_FAULT
 * names as KIND:N (N: ordinal of the packet, or of the read).
 */
#include <stdlib.h>
#include <string.h>

#include "egret/regs.h"
#include "egret/selector.h"

struct faulty {
    struct egret *model;
    uint64_t packets;
    uint64_t reads;
    uint64_t resets;
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
    int code = is(f, "config")   ? EGRET_ERR_CONFIG
               : is(f, "broken") ? EGRET_ERR_INTERNAL
                                 : egret_create(cfg, &f->model);
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
    f->reads = 0;
    f->resets++;
    return is(f, "stuck") ? EGRET_ERR_INTERNAL : egret_reset(f->model);
}

static int one(struct faulty *f, const struct egret_event *ev, struct egret_decision *out,
               bool burst)
{
    int code = egret_apply(f->model, ev, out);
    if (code || ev->kind != EGRET_EV_PACKET) {
        bool read = ev->kind == EGRET_EV_READ;
        bool late = read && f->packets > f->at;
        if (late && (is(f, "state") || is(f, "quiet"))) {
            out->data ^= (ev->addr & 0xffu) == 0x10u;
        } else if (read && f->reads++ == f->at && is(f, "read")) {
            out->data ^= 1u;
        } else if (late && (is(f, "dead") || is(f, "reads"))) {
            return EGRET_ERR_INTERNAL;
        } else if (late && is(f, "differ_state")) {
            return EGRET_ERR_DIFFER;
        } else if (late && is(f, "differ_word") && ev->addr == EGRET_A_HASH_SEED) {
            out->data ^= 1u;
            return EGRET_ERR_DIFFER;
        } else if (late && is(f, "bands") && ev->addr == EGRET_A_PORT_LOAD(15, 2)) {
            out->data ^= 1u;
        }
        return code;
    }
    bool now = f->packets++ == f->at;
    if (is(f, "silent")) {
        memset(out, 0, sizeof *out);
    } else if (now && (is(f, "port") || is(f, "bands") || is(f, "no_word") || is(f, "speechless") ||
                       (burst && is(f, "burst")))) {
        out->port ^= 1u;
    } else if (now && is(f, "tag")) {
        out->tag ^= 1u;
    } else if (now && is(f, "kind")) {
        out->kind = EGRET_RES_READ;
    } else if (now && is(f, "data")) {
        out->data ^= 1u;
    } else if (now && is(f, "choice")) {
        out->choice ^= 1u;
    } else if (now && is(f, "scheme")) {
        out->scheme ^= 1u;
    } else if (now && is(f, "reason")) {
        out->reason ^= 1u;
    } else if (is(f, "hash") && f->packets > f->at && out->scheme == EGRET_SCHEME_ECMP) {
        out->data ^= 0x100u;
    } else if (now && is(f, "code")) {
        out->scheme = 15;
        out->reason = 7;
    } else if (is(f, "again") && (f->resets > 0 || now)) { /* not when it is replayed */
        out->port ^= 1u;
        return f->resets > 0 ? EGRET_ERR_INTERNAL : EGRET_OK;
    } else if (now && (is(f, "dead") || is(f, "stuck"))) {
        out->port ^= 1u;
    } else if (now && is(f, "differ")) {
        return EGRET_ERR_DIFFER;
    } else if (now && (is(f, "internal") || is(f, "mute") || is(f, "nothing"))) {
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
    bool differs = false; /* said at the end, with all handed over */
    for (; i < n && code == EGRET_OK; i++) {
        code = one(self, &ev[i], &out[i], n > 1u);
        differs |= code == EGRET_ERR_DIFFER;
        code = code == EGRET_ERR_DIFFER ? EGRET_OK : code;
    }
    const struct faulty *f = self;
    if (done) {
        *done = code || (is(f, "short") && f->packets > f->at) ? i - 1u : i;
    }
    return differs ? EGRET_ERR_DIFFER : code;
}

static const char *faulty_describe(void *self)
{
    struct faulty *f = self;
    return is(f, "quiet") ? NULL : f->kind[0] == 'n' ? "" : "fault on purpose";
}

static double faulty_in_flight(void *self)
{
    struct faulty *f = self;
    return (double)f->packets;
}

static uint64_t faulty_clocks(void *self)
{
    struct faulty *f = self;
    return 3u * f->packets;
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
    ops.in_flight = is(&f, "flight") ? faulty_in_flight : NULL;
    ops.clocks = is(&f, "flight") ? faulty_clocks : NULL;
    if (is(&f, "mute") || is(&f, "speechless")) {
        ops.describe = NULL;
    }
    if (is(&f, "table")) {
        return NULL;
    }
    ops.api_version = is(&f, "version") ? EGRET_SELECTOR_VERSION + 1u : EGRET_SELECTOR_VERSION;
    return &ops;
}
