/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_groups.c: groups, schedule rows and routes of settings: what follows from others, and
 * whether the hardware holds them.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "settings_fill.h"

#define RR_WRAPS 5u /* rounds before a redraw: htsim's, as egret trace make sets it */

bool egret_group_uses(const struct egret_settings_group *g, uint32_t scheme)
{
    return g->scheme == scheme || g->ordered == scheme;
}

bool egret_group_rotates(const struct egret_settings_group *g)
{
    return g->scheme == EGRET_SCHEME_SPRAY_RR || g->scheme == EGRET_SCHEME_DR;
}

bool egret_settings_uses_random(const struct egret_settings *s)
{
    const uint32_t generator = 1u << EGRET_SCHEME_SPRAY_RANDOM | 1u << EGRET_SCHEME_SPRAY_QUALITY |
                               1u << EGRET_SCHEME_FLOWLET;
    for (size_t i = 0; i < s->groups; i++) {
        if ((1u << s->group[i].scheme | 1u << s->group[i].ordered) & generator) {
            return true;
        }
    }
    return egret_set_has("", s, "random-seed");
}

bool egret_settings_uses_load(const struct egret_settings *s)
{
    for (size_t i = 0; i < s->groups; i++) {
        const struct egret_settings_group *g = &s->group[i];
        if (g->scheme == EGRET_SCHEME_SPRAY_QUALITY ||
            (egret_group_uses(g, EGRET_SCHEME_FLOWLET) && g->flowlet.path != EGRET_PATH_RANDOM)) {
            return true;
        }
    }
    return egret_set_has("", s, "load");
}

uint32_t egret_group_members(const struct egret_settings_group *g, struct egret_member *out)
{
    for (size_t i = 0; i < g->members; i++) {
        out[i].port = g->member[i].port;
        out[i].weight = g->member[i].weight;
    }
    return (uint32_t)g->members;
}

static int fill_mode(const struct filling *f, struct egret_settings_group *g)
{
    static const uint32_t scheme[] = {EGRET_SCHEME_FLOWLET,       EGRET_SCHEME_FLOWLET,
                                      EGRET_SCHEME_SPRAY_QUALITY, EGRET_SCHEME_SPRAY_RANDOM,
                                      EGRET_SCHEME_FIXED,         EGRET_SCHEME_SPRAY_RR};
    bool mode = egret_set_has("groups", g, "mode");
    if (mode == egret_set_has("groups", g, "scheme")) {
        return egret_fill_fail(f, &g->at, "groups: %s",
                               mode ? "scheme and mode say the same thing" : "scheme is missing");
    }
    if (!mode) {
        return EGRET_OK;
    }
    g->scheme = scheme[g->mode];
    if (g->scheme == EGRET_SCHEME_FLOWLET) {
        bool given = egret_set_has("groups.flowlet", &g->flowlet, "path");
        uint32_t random = g->mode == 1u;
        if (given && (g->flowlet.path == EGRET_PATH_RANDOM) != random) {
            return egret_fill_fail(f, &g->at,
                                   "groups: mode and flowlet.path contradict each other");
        }
        if (!given) {
            g->flowlet.path = random ? EGRET_PATH_RANDOM : EGRET_PATH_QUALITY;
        }
    }
    return EGRET_OK;
}

static int check_members(const struct filling *f, const struct egret_settings_group *g)
{
    const struct egret_cfg *cfg = &f->s->cfg;
    uint64_t seen = 0;
    bool weighted = egret_group_uses(g, EGRET_SCHEME_ECMP) ||
                    egret_group_uses(g, EGRET_SCHEME_FIXED) || egret_group_rotates(g);
    if (g->members == 0) {
        return egret_fill_fail(f, &g->at, "groups: group %u has no members", g->id);
    }
    for (size_t i = 0; i < g->members; i++) {
        const struct egret_settings_member *m = &g->member[i];
        const struct egret_settings_at *at = m->at.line ? &m->at : &g->at;
        if (m->port >= cfg->num_ports) {
            return egret_fill_fail(f, at, "groups: member %u: hardware %s has %u ports", m->port,
                                   cfg->name, cfg->num_ports);
        }
        if (seen >> m->port & 1u) {
            return egret_fill_fail(f, at, "groups: member %u is there twice", m->port);
        }
        seen |= 1ull << m->port;
        if (m->weight != 1u && !weighted) {
            return egret_fill_fail(f, at,
                                   "groups: weights are for ecmp, fixed, spray-rr and dr; "
                                   "scheme %s does not look at them",
                                   egret_scheme_name(g->scheme));
        }
    }
    return EGRET_OK;
}

static int check_scheme(const struct filling *f, struct egret_settings_group *g)
{
    const struct egret_cfg *cfg = &f->s->cfg;
    uint32_t wanted = 1u << g->scheme | (g->ordered ? 1u << g->ordered : 0);
    bool flowlet = egret_group_uses(g, EGRET_SCHEME_FLOWLET);
    const char *alone = NULL;
    if (flowlet && g->flowlet.path != EGRET_PATH_RANDOM) {
        wanted |= 1u << EGRET_SCHEME_SPRAY_QUALITY;
    }
    for (uint32_t c = 1; c <= EGRET_NUM_SCHEMES; c++) {
        if (wanted >> c & 1u && !(cfg->schemes >> c & 1u)) {
            return egret_fill_fail(f, &g->at, "groups: hardware %s has no scheme %s", cfg->name,
                                   egret_scheme_name(c));
        }
    }
    if (egret_set_has("groups", g, "flowlet") && !flowlet) {
        alone = "flowlet is for scheme flowlet";
    } else if (egret_set_has("groups", g, "drill") && g->scheme != EGRET_SCHEME_SPRAY_QUALITY) {
        alone = "drill is for scheme spray-quality";
    } else if (egret_set_has("groups", g, "entropy-offset") &&
               !egret_group_uses(g, EGRET_SCHEME_ENTROPY)) {
        alone = "entropy-offset is for scheme entropy";
    } else if (g->drill.memory && !g->drill.samples) {
        alone = "drill: without samples none is remembered";
    }
    if (!egret_set_has("groups.schedule", &g->schedule, "wraps")) {
        g->schedule.wraps = g->scheme == EGRET_SCHEME_SPRAY_RR ? RR_WRAPS : 0;
    }
    return alone ? egret_fill_fail(f, &g->at, "groups: %s", alone) : EGRET_OK;
}

static int check_rows(const struct filling *f)
{
    const struct egret_settings *s = f->s;
    bool seen[2][256] = {{false}};
    for (size_t i = 0; i < s->rows; i++) {
        const struct egret_settings_row *r = &s->row[i];
        if (r->row >= s->cfg.num_rows || r->num_slots > s->cfg.row_len || r->num_slots == 0) {
            return egret_fill_fail(f, &r->at, "schedules: hardware %s has %u rows of 1 to %u slots",
                                   s->cfg.name, s->cfg.num_rows, s->cfg.row_len);
        }
        if (seen[r->bank][r->row]) {
            return egret_fill_fail(f, &r->at, "schedules: row %u of bank %u is there twice", r->row,
                                   r->bank);
        }
        seen[r->bank][r->row] = true;
        for (uint32_t k = 0; k < r->num_slots; k++) {
            if (r->slot[k] >= s->cfg.num_ports) {
                return egret_fill_fail(f, &r->at, "schedules: port %u: hardware %s has %u ports",
                                       r->slot[k], s->cfg.name, s->cfg.num_ports);
            }
        }
    }
    return EGRET_OK;
}

static int discard(void *ctx, uint32_t addr, uint32_t data)
{
    (void)ctx;
    (void)addr;
    (void)data;
    return EGRET_OK;
}

int egret_fill_groups(const struct filling *f)
{
    struct egret_settings *s = f->s;
    bool seen[1024] = {false};
    int code = EGRET_OK;
    if (egret_set_has("", s, "random-seed") &&
        egret_ctl_random_seed(&s->cfg, s->random_seed, discard, NULL) != EGRET_OK) {
        return egret_fill_fail(f, &s->at, "random-seed: hardware %s has no random number generator",
                               s->cfg.name);
    }
    for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
        struct egret_settings_group *g = &s->group[i];
        if (g->id >= s->cfg.num_groups) {
            return egret_fill_fail(f, &g->at, "groups: id %u: hardware %s has %u groups", g->id,
                                   s->cfg.name, s->cfg.num_groups);
        }
        if (seen[g->id]) {
            return egret_fill_fail(f, &g->at, "groups: id %u is there twice", g->id);
        }
        seen[g->id] = true;
        code = fill_mode(f, g);
        code = code ? code : check_members(f, g);
        code = code ? code : check_scheme(f, g);
    }
    code = code ? code : egret_fill_slices(f);
    return code ? code : check_rows(f);
}

static int compare_prefix(const void *a, const void *b)
{
    const struct egret_settings_route *x = a;
    const struct egret_settings_route *y = b;
    if (x->family != y->family) {
        return x->family < y->family ? -1 : 1;
    }
    if (x->length != y->length) {
        return x->length > y->length ? -1 : 1;
    }
    return memcmp(x->prefix, y->prefix, sizeof x->prefix);
}

/* Longest first, and in the order of the file among equals. */
static int compare_order(const void *a, const void *b)
{
    const struct egret_settings_route *x = a;
    const struct egret_settings_route *y = b;
    if (x->family != y->family) {
        return x->family < y->family ? -1 : 1;
    }
    if (x->length != y->length) {
        return x->length > y->length ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

int egret_fill_routes(const struct filling *f)
{
    struct egret_settings *s = f->s;
    bool known[1024] = {false};
    for (size_t i = 0; i < s->groups; i++) {
        known[s->group[i].id] = true;
    }
    if (egret_set_has("", s, "default-group") &&
        (s->default_group >= 1024u || !known[s->default_group])) {
        return egret_fill_fail(f, &s->at, "default-group: there is no group %u", s->default_group);
    }
    if (s->default_key >= s->cfg.num_keys) {
        return egret_fill_fail(f, &s->at, "default-key: hardware %s has %u keys", s->cfg.name,
                               s->cfg.num_keys);
    }
    for (size_t i = 0; i < s->routes; i++) {
        struct egret_settings_route *r = &s->route[i];
        r->order = (uint32_t)i;
        if (!known[r->group]) {
            return egret_fill_fail(f, &r->at, "routes: there is no group %u", r->group);
        }
        if (r->key >= s->cfg.num_keys) {
            return egret_fill_fail(f, &r->at, "routes: key %u: hardware %s has %u keys", r->key,
                                   s->cfg.name, s->cfg.num_keys);
        }
    }
    if (s->routes == 0) {
        return EGRET_OK;
    }
    qsort(s->route, s->routes, sizeof *s->route, compare_prefix);
    for (size_t i = 1; i < s->routes; i++) {
        if (compare_prefix(&s->route[i - 1u], &s->route[i]) == 0) {
            bool later = s->route[i].order > s->route[i - 1u].order;
            return egret_fill_fail(f, &s->route[later ? i : i - 1u].at,
                                   "routes: this prefix is there twice");
        }
    }
    qsort(s->route, s->routes, sizeof *s->route, compare_order);
    return EGRET_OK;
}
