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

static void begin(struct slices *t, const char *what, const char *param, uint32_t size)
{
    memset(t, 0, sizeof *t);
    t->what = what;
    t->param = param;
    t->size = size;
}

/* A group's slice of one table, and what the file says of it. */
struct slice {
    const struct egret_settings_at *at;
    uint32_t *base;
    uint32_t *count;
    bool has_base;
    bool has_count;
    bool uses; /* its schemes need the table */
};

typedef struct slice slice_of(struct egret_settings_group *g);

static struct slice buckets_of(struct egret_settings_group *g)
{
    return (struct slice){&g->buckets.at,
                          &g->buckets.base,
                          &g->buckets.count,
                          egret_set_has("groups.buckets", &g->buckets, "base"),
                          egret_set_has("groups.buckets", &g->buckets, "count"),
                          hashes(g)};
}

static struct slice flowlets_of(struct egret_settings_group *g)
{
    return (struct slice){&g->flowlet.at,
                          &g->flowlet.base,
                          &g->flowlet.entries,
                          egret_set_has("groups.flowlet", &g->flowlet, "base"),
                          egret_set_has("groups.flowlet", &g->flowlet, "entries"),
                          egret_group_uses(g, EGRET_SCHEME_FLOWLET)};
}

static struct slice rows_of(struct egret_settings_group *g)
{
    return (struct slice){&g->schedule.at,
                          &g->schedule.row,
                          &g->schedule.rows,
                          egret_set_has("groups.schedule", &g->schedule, "row"),
                          egret_set_has("groups.schedule", &g->schedule, "rows"),
                          egret_group_rotates(g)};
}

/* Groups whose schedule is in another bank have no part in a table of rows. */
#define ALL_BANKS UINT32_MAX

static bool has_part(const struct egret_settings_group *g, uint32_t bank)
{
    return bank == ALL_BANKS || g->schedule.bank == bank;
}

/* What the groups that say how much leave is shared by those that need some and do not say. */
static void share_out(const struct filling *f, const struct slices *t, slice_of *of, uint32_t bank)
{
    struct egret_settings *s = f->s;
    uint64_t taken = 0;
    uint32_t open = 0;
    for (size_t i = 0; i < s->groups; i++) {
        struct slice x = of(&s->group[i]);
        if (has_part(&s->group[i], bank)) {
            taken += x.has_count ? *x.count : 0;
            open += x.uses && !x.has_count;
        }
    }
    for (size_t i = 0; i < s->groups; i++) {
        struct slice x = of(&s->group[i]);
        if (has_part(&s->group[i], bank) && x.uses && !x.has_count) {
            uint32_t share = power_below((taken < t->size ? t->size - taken : 0) / open);
            *x.count = share ? share : 1u;
        }
    }
}

static int place_all(const struct filling *f, struct slices *t, slice_of *of, uint32_t bank)
{
    struct egret_settings *s = f->s;
    int code = EGRET_OK;
    for (unsigned pass = 0; pass < 2u; pass++) {
        for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
            struct slice x = of(&s->group[i]);
            if (has_part(&s->group[i], bank)) {
                code = place(f, t, x.at->line ? x.at : &s->group[i].at, pass, x.has_base, x.base,
                             *x.count);
            }
        }
    }
    return code;
}

static int place_buckets(const struct filling *f, struct slices *t)
{
    struct egret_settings *s = f->s;
    uint32_t open = 0;
    begin(t, "groups.buckets", "NUM_BUCKETS", s->cfg.num_buckets);
    for (size_t i = 0; i < s->groups; i++) {
        struct slice x = buckets_of(&s->group[i]);
        open += x.uses && s->group[i].members > 1u && !x.has_count;
    }
    for (size_t i = 0; i < s->groups; i++) {
        struct egret_settings_group *g = &s->group[i];
        struct slice x = buckets_of(g);
        uint32_t least = power_above((uint32_t)g->members);
        if (!x.has_count) {
            uint32_t share = power_below(t->size / 2u / (open ? open : 1u));
            share = share < BUCKETS_MAX ? share : BUCKETS_MAX;
            bool exact = g->members == 1u || egret_group_uses(g, EGRET_SCHEME_ENTROPY);
            g->buckets.count = !x.uses ? 0 : exact || share < least ? least : share;
        } else if ((x.uses || g->buckets.count) && g->buckets.count < g->members) {
            return egret_fill_fail(f, &g->buckets.at, "groups.buckets: fewer than members");
        }
    }
    return place_all(f, t, buckets_of, ALL_BANKS);
}

static int place_flowlets(const struct filling *f, struct slices *t)
{
    begin(t, "groups.flowlet", "NUM_FLOWLETS", f->s->cfg.num_flowlets);
    share_out(f, t, flowlets_of, ALL_BANKS);
    return place_all(f, t, flowlets_of, ALL_BANKS);
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
    int code = EGRET_OK;
    begin(t, "groups.schedule", "NUM_ROWS", s->cfg.num_rows);
    share_out(f, t, rows_of, bank);
    for (size_t i = 0; i < s->groups && code == EGRET_OK; i++) {
        struct egret_settings_group *g = &s->group[i];
        struct slice x = rows_of(g);
        if (!has_part(g, bank)) {
            continue;
        }
        if (x.uses && *x.count == 0) {
            return egret_fill_fail(f, x.at, "groups.schedule: scheme %s needs rows",
                                   egret_scheme_name(g->scheme));
        }
        code = fill_length(f, g);
    }
    return code ? code : place_all(f, t, rows_of, bank);
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
