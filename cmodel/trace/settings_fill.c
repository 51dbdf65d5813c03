/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_fill.c: defaults of settings, what follows from others, and whether the hardware holds
 * all of it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "settings_fill.h"

#define DEFAULT_MBPS 800000u
#define DEFAULT_BUFFER 800000u
#define DEFAULT_LOAD 4u /* htsim-ar */

void egret_set_defaults(const struct set_table *t, void *at)
{
    memset(at, 0, t->size);
    if (t == &egret_set_root) {
        struct egret_settings *s = at;
        (void)egret_cfg_named("lab", &s->cfg);
        s->seed = 1;
        egret_hash_setup_default(&s->hash.setup);
        s->load.preset = DEFAULT_LOAD;
        s->load.buffer_bytes = DEFAULT_BUFFER;
        s->load.mbps_speed = DEFAULT_MBPS;
    } else if (strcmp(t->path, "ports") == 0) {
        struct egret_settings_port *p = at;
        p->up = 1;
        p->speed_mbps = DEFAULT_MBPS;
    } else if (strcmp(t->path, "groups.members") == 0) {
        ((struct egret_settings_member *)at)->weight = 1;
    } else if (strcmp(t->path, "groups") == 0) {
        ((struct egret_settings_group *)at)->flowlet.idle_ns = EGRET_FLOWLET_IDLE_NS;
    }
}

bool egret_set_given(const struct set_table *t, const void *at, const char *key)
{
    const struct egret_settings_at *head = at;
    for (uint32_t i = 0; i < t->keys; i++) {
        if (strcmp(t->key[i].name, key) == 0) {
            return head->given >> i & 1u;
        }
    }
    return false;
}

bool egret_set_has(const char *table, const void *at, const char *key)
{
    const struct set_table *t;
    for (size_t i = 0; (t = egret_set_table(i)) != NULL; i++) {
        if (strcmp(t->path, table) == 0) {
            return egret_set_given(t, at, key);
        }
    }
    return false;
}

void egret_set_mark(const char *table, void *at, const char *key)
{
    struct egret_settings_at *head = at;
    const struct set_table *t;
    for (size_t i = 0; (t = egret_set_table(i)) != NULL; i++) {
        for (uint32_t k = 0; strcmp(t->path, table) == 0 && k < t->keys; k++) {
            head->given |= strcmp(t->key[k].name, key) == 0 ? 1u << k : 0;
        }
    }
}

bool egret_settings_has(const struct egret_settings *s, const char *path)
{
    if (strncmp(path, "hash.", 5) == 0) {
        return egret_set_has("hash", &s->hash, path + 5);
    }
    if (strncmp(path, "classes.", 8) == 0) {
        return egret_set_has("classes", &s->classes, path + 8);
    }
    if (strncmp(path, "load.", 5) == 0) {
        return egret_set_has("load", &s->load, path + 5);
    }
    return egret_set_has("", s, path);
}

int egret_fill_fail(const struct filling *f, const struct egret_settings_at *at, const char *format,
                    ...)
{
    char reason[320];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    if (at->line == 0) {
        return egret_trace_fail(f->err, EGRET_ERR_RANGE, "%s: %s", f->name, reason);
    }
    return egret_trace_fail(f->err, EGRET_ERR_RANGE, "%s:%u:%u: %s", f->name, at->line, at->column,
                            reason);
}

static int discard(void *ctx, uint32_t addr, uint32_t data)
{
    (void)ctx;
    (void)addr;
    (void)data;
    return EGRET_OK;
}

static int fill_hash(const struct filling *f)
{
    struct egret_settings *s = f->s;
    struct egret_settings_hash *h = &s->hash;
    const char *param = NULL;
    if (!egret_set_has("hash", h, "algorithm") && s->cfg.hash_kind == EGRET_HASH_KIND_LOOKUP3) {
        h->setup.algorithm = EGRET_HASH_LOOKUP3;
    }
    if (egret_set_has("hash", h, "key") && h->setup.algorithm != EGRET_HASH_TOEPLITZ) {
        return egret_fill_fail(f, &h->at, "hash: key is for algorithm toeplitz");
    }
    if (egret_ctl_hash(&s->cfg, &h->setup, discard, NULL, &param) != EGRET_OK) {
        return egret_fill_fail(f, &h->at, "hash: %s is not in hardware %s", param ? param : "this",
                               s->cfg.name);
    }
    return EGRET_OK;
}

static int fill_classes(const struct filling *f)
{
    struct egret_settings_classes *c = &f->s->classes;
    const char *param = NULL;
    bool rdma = c->preset == EGRET_CLASSMAP_RDMA;
    (rdma ? egret_classmap_rdma : egret_classmap_default)(&c->map);
    if (!egret_set_has("classes", c, "thresholds")) {
        c->num_thresholds = c->map.num_thresholds;
        for (uint32_t i = 0; i < c->num_thresholds; i++) {
            c->threshold[i] = c->map.threshold[i];
        }
        if (f->s->cfg.num_bins == 1u) {
            c->num_thresholds = 0;
        }
    }
    c->map.num_thresholds = c->num_thresholds;
    for (uint32_t i = 0; i < c->num_thresholds; i++) {
        c->map.threshold[i] = (uint16_t)c->threshold[i];
    }
    if (!egret_set_has("classes", c, "ack-bin")) {
        c->ack_bin = c->map.ack_bin;
    }
    c->map.ack_bin = (uint8_t)c->ack_bin;
    c->map.short_below = (uint16_t)c->short_below;
    if (!egret_set_has("classes", c, "ordered")) {
        c->ordered = !rdma            ? 0
                     : c->short_below ? EGRET_CLASSES_ORDERED_SHORT
                                      : EGRET_CLASSES_ORDERED;
    }
    bool seen[256] = {false};
    for (size_t i = 0; i < c->opcodes; i++) {
        const struct egret_settings_opcode *o = &c->opcode[i];
        if (seen[o->opcode]) {
            return egret_fill_fail(f, &o->at, "classes.opcodes: opcode %u is there twice",
                                   o->opcode);
        }
        seen[o->opcode] = true;
        c->map.opcode[o->opcode] = (uint8_t)o->flags;
    }
    if (egret_classmap_check(&c->map, f->s->cfg.num_bins, &param) != EGRET_OK) {
        return egret_fill_fail(f, &c->at,
                               "classes: %s: thresholds ascend, and hardware %s has %u bins",
                               param ? param : "?", f->s->cfg.name, f->s->cfg.num_bins);
    }
    return EGRET_OK;
}

static int fill_ports(const struct filling *f)
{
    struct egret_settings *s = f->s;
    bool seen[EGRET_MAX_PORTS] = {false};
    for (uint32_t p = 0; p < EGRET_MAX_PORTS; p++) {
        s->speed_mbps[p] = DEFAULT_MBPS;
    }
    for (size_t i = 0; i < s->ports; i++) {
        struct egret_settings_port *q = &s->port[i];
        q->last = egret_set_has("ports", q, "last") ? q->last : q->port;
        if (q->last < q->port) {
            return egret_fill_fail(f, &q->at, "ports: last is below port");
        }
        if (q->last >= s->cfg.num_ports) {
            return egret_fill_fail(f, &q->at, "ports: hardware %s has %u ports, 0 to %u",
                                   s->cfg.name, s->cfg.num_ports, s->cfg.num_ports - 1u);
        }
        for (uint32_t p = q->port; p <= q->last; p++) {
            if (seen[p]) {
                return egret_fill_fail(f, &q->at, "ports: port %u is there twice", p);
            }
            seen[p] = true;
            s->port_down[p] = !q->up;
            s->speed_mbps[p] = q->speed_mbps;
        }
    }
    return EGRET_OK;
}

/* Thresholds, whichever way they are said. */
static int fill_thresholds(const struct filling *f, struct egret_settings_load *l)
{
    const char *one = NULL;
    static const char *const ways[] = {"thresholds", "percent", "steps", "mbps"};
    int code = EGRET_OK;
    for (size_t i = 0; i < 4u; i++) {
        if (egret_set_has("load", l, ways[i])) {
            if (one) {
                return egret_fill_fail(f, &l->at, "load: %s and %s say the same thing", one,
                                       ways[i]);
            }
            one = ways[i];
        }
    }
    if (!one) {
        return EGRET_OK;
    }
    if (strcmp(one, "thresholds") == 0) {
        for (uint32_t i = 0; i < EGRET_NUM_BANDS - 1u; i++) {
            l->load.threshold[i] = i < l->num_thresholds ? l->threshold[i] : EGRET_LOAD_NEVER;
            if (i && l->load.threshold[i] < l->load.threshold[i - 1u]) {
                code = EGRET_ERR_RANGE;
            }
        }
    } else if (strcmp(one, "mbps") == 0) {
        code = egret_load_mbps(&l->load, l->mbps, l->num_mbps, l->mbps_speed * 1000000ull);
    } else {
        bool steps = strcmp(one, "steps") == 0;
        code = egret_load_percent(&l->load, steps ? l->steps : l->percent,
                                  steps ? l->num_steps : l->num_percent, steps);
    }
    return code ? egret_fill_fail(f, &l->at,
                                  "load: %s: they do not fall, and stay within a full port", one)
                : EGRET_OK;
}

static int fill_load(const struct filling *f)
{
    struct egret_settings_load *l = &f->s->load;
    const char *param = NULL;
    bool past = egret_set_has("load", l, "past-share");
    bool future = egret_set_has("load", l, "future-share");
    bool weights =
        egret_set_has("load", l, "past-weight") || egret_set_has("load", l, "future-weight");
    (void)egret_load_preset(egret_load_preset_name(l->preset), &l->load);
    if (past != future) {
        return egret_fill_fail(f, &l->at, "load: past-share and future-share go together");
    }
    if (past && weights) {
        return egret_fill_fail(f, &l->at, "load: shares and weights say the same thing");
    }
    if (past && egret_load_weights(&l->load, l->share_past, l->share_future) != EGRET_OK) {
        return egret_fill_fail(f, &l->at, "load: both shares are 0");
    }
#define TAKE(key, from, to) l->load.to = egret_set_has("load", l, key) ? l->from : l->load.to
    TAKE("period", period_ns, period_ns);
    TAKE("exponent", exponent, exponent);
    TAKE("past-weight", weight_past, weight_past);
    TAKE("future-weight", weight_future, weight_future);
    TAKE("small", small, small);
#undef TAKE
    int code = fill_thresholds(f, l);
    if (code) {
        return code;
    }
    l->period_ns = l->load.period_ns;
    l->exponent = l->load.exponent;
    l->weight_past = l->load.weight_past;
    l->weight_future = l->load.weight_future;
    l->small = l->load.small;
    l->num_thresholds = EGRET_NUM_BANDS - 1u;
    memcpy(l->threshold, l->load.threshold, sizeof l->threshold);
    if (!egret_settings_uses_load(f->s)) {
        return EGRET_OK;
    }
    code = egret_ctl_load(&f->s->cfg, &l->load, discard, NULL, &param);
    for (uint32_t p = 0; p < f->s->cfg.num_ports && code == EGRET_OK; p++) {
        code = egret_ctl_port_load(&f->s->cfg, p, f->s->speed_mbps[p] * 1000000ull, l->buffer_bytes,
                                   &l->load, discard, NULL, &param);
    }
    if (code && param && strcmp(param, "SCHEMES") == 0) {
        return egret_fill_fail(f, &l->at, "load: hardware %s measures no loads", f->s->cfg.name);
    }
    return code ? egret_fill_fail(f, &l->at,
                                  "load: %s: period, exponent and speed of a port do not go "
                                  "together (docs/spec/load.md)",
                                  param ? param : "?")
                : EGRET_OK;
}

int egret_settings_resolve(struct egret_settings *s, const char *name,
                           struct egret_trace_error *err)
{
    const struct filling f = {s, name, err};
    int code = fill_hash(&f);
    if (!egret_set_has("", s, "random-seed")) {
        s->random_seed = s->seed;
    }
    code = code ? code : fill_classes(&f);
    code = code ? code : fill_ports(&f);
    code = code ? code : egret_fill_groups(&f);
    code = code ? code : egret_fill_routes(&f);
    return code ? code : fill_load(&f);
}

void egret_settings_free(struct egret_settings *s)
{
    for (size_t i = 0; s->group && i < s->groups; i++) {
        free(s->group[i].member);
    }
    free(s->classes.opcode);
    free(s->port);
    free(s->group);
    free(s->row);
    free(s->route);
    memset(s, 0, sizeof *s);
}
