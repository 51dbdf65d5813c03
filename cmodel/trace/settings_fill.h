/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_fill.h: what the files that complete and check settings share. Internal to the trace
 * library.
 */
#ifndef EGRET_TRACE_SETTINGS_FILL_H
#define EGRET_TRACE_SETTINGS_FILL_H

#include "settings_keys.h"

struct filling {
    struct egret_settings *s;
    const char *name; /* of the file */
    struct egret_trace_error *err;
};

/* "FILE:LINE:COLUMN: reason" at a section or item; returns EGRET_ERR_RANGE. */
int egret_fill_fail(const struct filling *f, const struct egret_settings_at *at, const char *format,
                    ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* Does the file have this key of a section or item? */
bool egret_set_given(const struct set_table *t, const void *at, const char *key);
bool egret_set_has(const char *table, const void *at, const char *key);

/* Notes that this key is given, for readers of other formats. */
void egret_set_mark(const char *table, void *at, const char *key);

/* settings_groups.c */
int egret_fill_groups(const struct filling *f);
int egret_fill_routes(const struct filling *f);
/* Does anything of it look at loads, or say how they are measured? */
bool egret_settings_uses_load(const struct egret_settings *s);
/* Does anything of it draw random numbers, or seed their generator? */
bool egret_settings_uses_random(const struct egret_settings *s);
/* Does a group of this scheme use buckets, rows? */
bool egret_group_uses(const struct egret_settings_group *g, uint32_t scheme);
/* Does a packet of it follow a schedule row? */
bool egret_group_rotates(const struct egret_settings_group *g);
/* Members as the control side takes them; returns their number. */
uint32_t egret_group_members(const struct egret_settings_group *g, struct egret_member *out);

/* settings_place.c: all slices of all groups. */
int egret_fill_slices(const struct filling *f);

#endif
