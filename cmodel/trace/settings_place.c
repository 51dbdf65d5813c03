/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_place.c: the slices of groups: buckets, flowlet entries and schedule rows.
 */
#include <stdlib.h>
#include <string.h>

#include "settings_fill.h"

#define TABLE_MAX 65536u /* entries of the largest table */
#define BUCKETS_MAX 256u /* of a group that does not say how many */

static bool hashes(const struct egret_settings_group *g)
{
    return egret_group_uses(g, EGRET_SCHEME_ECMP) || egret_group_uses(g, EGRET_SCHEME_FIXED) ||
           egret_group_uses(g, EGRET_SCHEME_ENTROPY) || egret_group_uses(g, EGRET_SCHEME_FLOWLET) ||
           g->scheme == EGRET_SCHEME_SPRAY_QUALITY;
}

static uint32_t power_below(uint64_t n)
{
    uint32_t p = 1;
    while (2ull * p <= n) {
        p *= 2u;
    }
    return n ? p : 0;
}

static uint32_t power_above(uint32_t n)
{
    uint32_t p = 1;
    while (p < n) {
        p *= 2u;
    }
    return p;
}

/* Places in a table: those that name their base first, then the others one behind the other. */
struct slices {
    const char *what; /* of a group */
    const char *param;
    uint32_t size;
    uint32_t cursor;
    bool used[TABLE_MAX];
};

static bool fits(const struct slices *t, uint32_t base, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (t->used[base + i]) {
            return false;
        }
    }
    return true;
}

/* `pass` 0 takes a slice with a base, 1 finds one. */
static int place(const struct filling *f, struct slices *t, const struct egret_settings_at *at,
                 unsigned pass, bool given, uint32_t *base, uint32_t count)
{
    if (count == 0 || given != (pass == 0)) {
        return EGRET_OK;
    }
    if (given && (*base >= t->size || count > t->size - *base)) {
        return egret_fill_fail(f, at, "%s: base and size reach beyond %s %u of hardware %s",
                               t->what, t->param, t->size, f->s->cfg.name);
    }
    if (given && !fits(t, *base, count)) {
        return egret_fill_fail(f, at, "%s: overlaps those of another group", t->what);
    }
    if (!given) {
        uint32_t run = 0;
        uint32_t i = t->cursor;
        for (; i < t->size && run < count; i++) {
            run = t->used[i] ? 0 : run + 1u;
        }
        if (run < count) {
            return egret_fill_fail(f, at, "%s: the groups take more than %s %u of hardware %s",
                                   t->what, t->param, t->size, f->s->cfg.name);
        }
        *base = i - count;
        t->cursor = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        t->used[*base + i] = true;
    }
    return EGRET_OK;
}

static int place_buckets(const struct filling *f, struct slices *t)
{
    struct egret_settings *s = f->s;
    uint32_t open = 0;
    int code = EGRET_OK;
    memset(t, 0, sizeof *t);
    t->what = "groups.buckets";
    t->param = "NUM_BUCKETS";
    t->size = s->cfg.num_buckets;
    for (size_t i = 0; i < s->groups; i++) {
        const struct egret_settings_group *g = &s->group[i];
        open +=
            hashes(g) && g->members > 1u && !egret_set_has("groups.buckets", &g->buckets, "count");
    }
    for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
        struct egret_settings_group *g = &s->group[i];
        uint32_t least = power_above((uint32_t)g->members);
        if (!egret_set_has("groups.buckets", &g->buckets, "count")) {
            uint32_t share = power_below(t->size / 2u / (open ? open : 1u));
            share = share < BUCKETS_MAX ? share : BUCKETS_MAX;
            bool exact = g->members == 1u || egret_group_uses(g, EGRET_SCHEME_ENTROPY);
            g->buckets.count = !hashes(g) ? 0 : exact || share < least ? least : share;
        } else if (hashes(g) && g->buckets.count < g->members) {
            return egret_fill_fail(f, &g->buckets.at, "groups.buckets: fewer than members");
        } else if (g->buckets.count && g->buckets.count < g->members) {
            return egret_fill_fail(f, &g->buckets.at, "groups.buckets: fewer than members");
        }
    }
    for (unsigned pass = 0; pass < 2u; pass++) {
        for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
            struct egret_settings_group *g = &s->group[i];
            code = place(f, t, g->buckets.at.line ? &g->buckets.at : &g->at, pass,
                         egret_set_has("groups.buckets", &g->buckets, "base"), &g->buckets.base,
                         g->buckets.count);
        }
    }
    return code;
}

static int place_flowlets(const struct filling *f, struct slices *t)
{
    struct egret_settings *s = f->s;
    uint64_t taken = 0;
    uint32_t open = 0;
    int code = EGRET_OK;
    memset(t, 0, sizeof *t);
    t->what = "groups.flowlet";
    t->param = "NUM_FLOWLETS";
    t->size = s->cfg.num_flowlets;
    for (size_t i = 0; i < s->groups; i++) {
        const struct egret_settings_group *g = &s->group[i];
        bool given = egret_set_has("groups.flowlet", &g->flowlet, "entries");
        taken += given ? g->flowlet.entries : 0;
        open += egret_group_uses(g, EGRET_SCHEME_FLOWLET) && !given;
    }
    for (size_t i = 0; i < s->groups && open; i++) {
        struct egret_settings_group *g = &s->group[i];
        if (egret_group_uses(g, EGRET_SCHEME_FLOWLET) &&
            !egret_set_has("groups.flowlet", &g->flowlet, "entries")) {
            uint32_t share = power_below((taken < t->size ? t->size - taken : 0) / open);
            g->flowlet.entries = share ? share : 1u;
        }
    }
    for (unsigned pass = 0; pass < 2u; pass++) {
        for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
            struct egret_settings_group *g = &s->group[i];
            code = place(f, t, g->flowlet.at.line ? &g->flowlet.at : &g->at, pass,
                         egret_set_has("groups.flowlet", &g->flowlet, "base"), &g->flowlet.base,
                         g->flowlet.entries);
        }
    }
    return code;
}

static int fill_length(const struct filling *f, struct egret_settings_group *g)
{
    const struct egret_settings_at *at = g->schedule.at.line ? &g->schedule.at : &g->at;
    struct egret_member member[EGRET_MAX_PORTS];
    uint8_t slot[256];
    size_t length = 1;
    bool given = egret_set_has("groups.schedule", &g->schedule, "length");
    if (g->schedule.rows && !given &&
        egret_iwrr(member, egret_group_members(g, member), slot, f->s->cfg.row_len, &length)) {
        return egret_fill_fail(f, at,
                               "groups.schedule: the weights need more slots than ROW_LEN "
                               "%u of hardware %s",
                               f->s->cfg.row_len, f->s->cfg.name);
    }
    if (given && g->schedule.length > f->s->cfg.row_len) {
        return egret_fill_fail(f, at, "groups.schedule: length is beyond ROW_LEN %u of hardware %s",
                               f->s->cfg.row_len, f->s->cfg.name);
    }
    g->schedule.length = given ? g->schedule.length : (uint32_t)length;
    return EGRET_OK;
}

static int place_rows(const struct filling *f, struct slices *t, uint32_t bank)
{
    struct egret_settings *s = f->s;
    uint64_t taken = 0;
    uint32_t open = 0;
    int code = EGRET_OK;
    memset(t, 0, sizeof *t);
    t->what = "groups.schedule";
    t->param = "NUM_ROWS";
    t->size = s->cfg.num_rows;
    for (size_t i = 0; i < s->groups; i++) {
        const struct egret_settings_group *g = &s->group[i];
        bool given = egret_set_has("groups.schedule", &g->schedule, "rows");
        taken += given && g->schedule.bank == bank ? g->schedule.rows : 0;
        open += g->schedule.bank == bank && egret_group_rotates(g) && !given;
    }
    for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
        struct egret_settings_group *g = &s->group[i];
        bool given = egret_set_has("groups.schedule", &g->schedule, "rows");
        if (g->schedule.bank != bank) {
            continue;
        }
        if (egret_group_rotates(g) && given && g->schedule.rows == 0) {
            return egret_fill_fail(f, &g->schedule.at, "groups.schedule: scheme %s needs rows",
                                   egret_scheme_name(g->scheme));
        }
        if (egret_group_rotates(g) && !given) {
            uint32_t share = power_below((taken < t->size ? t->size - taken : 0) / open);
            g->schedule.rows = share ? share : 1u;
        }
        code = fill_length(f, g);
    }
    for (unsigned pass = 0; pass < 2u; pass++) {
        for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
            struct egret_settings_group *g = &s->group[i];
            if (g->schedule.bank == bank) {
                code = place(f, t, g->schedule.at.line ? &g->schedule.at : &g->at, pass,
                             egret_set_has("groups.schedule", &g->schedule, "row"),
                             &g->schedule.row, g->schedule.rows);
            }
        }
    }
    return code;
}

int egret_fill_slices(const struct filling *f)
{
    struct slices *t = malloc(sizeof *t);
    if (!t) {
        return egret_trace_fail(f->err, EGRET_ERR_MEMORY, "%s: out of memory", f->name);
    }
    int code = place_buckets(f, t);
    code = code ? code : place_flowlets(f, t);
    code = code ? code : place_rows(f, t, 0);
    code = code ? code : place_rows(f, t, 1);
    free(t);
    return code;
}
