/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_keys.h: the one table of keys behind reader, writer, schema and list of names of
 * settings. Internal to the trace library.
 */
#ifndef EGRET_TRACE_SETTINGS_KEYS_H
#define EGRET_TRACE_SETTINGS_KEYS_H

#include "egret/settings.h"

enum set_type {
    SET_U32,      /* min..max */
    SET_IDLE,     /* uint64_t: min..max, or never */
    SET_BOOL,     /* uint32_t 0, 1 */
    SET_SPEED,    /* Mbit/s: a number, or with a unit */
    SET_ENUM,     /* a name of `names` */
    SET_HARDWARE, /* a name of configs.mk */
    SET_KEY,      /* hex bytes, rss or symmetric */
    SET_FIELDS,   /* list of hash fields, as a mask */
    SET_BITS,     /* list of numbers 0..max, as a mask */
    SET_LIST,     /* list of min..max: uint32_t[cap], number at `count` */
    SET_PREFIX,   /* ADDRESS/LENGTH */
    SET_SECTION,  /* of `sub`, in place */
    SET_ITEMS     /* list of `sub`: pointer at offset, size_t at `count`, at most cap */
};

/* flags */
#define SET_NEEDED 1u /* must be there */
#define SET_INPUT 2u  /* another way to say what other keys hold: not shown */
#define SET_SHORT 4u  /* items: a number alone is an item that has its first key only */
#define SET_POW2 8u   /* a power of two */

struct set_name {
    const char *name; /* the first name of a value is ours */
    uint32_t value;
};

struct set_key {
    const char *name;
    enum set_type type;
    uint32_t flags;
    uint64_t min;
    uint64_t max;
    size_t offset;
    size_t count; /* offset of the number of elements */
    uint32_t cap;
    const struct set_name *names; /* ends with null */
    const struct set_table *sub;
    const char *help; /* with unit and default */
};

/* All sections and items begin with struct egret_settings_at. */
struct set_table {
    const char *path; /* "", "hash", "groups", "groups.flowlet" */
    const struct set_key *key;
    uint32_t keys; /* at most 32 */
    size_t size;   /* of an item */
};

/* Another name of a key. */
struct set_alias {
    const char *table; /* path of the table */
    const char *key;
    const char *name;
    const char *of; /* whose it is */
    uint32_t scale; /* its unit in ours */
    int element;    /* of a list, else -1 */
};

extern const struct set_table egret_set_root;
extern const struct set_alias egret_set_aliases[]; /* ends with a null name */

const struct set_key *egret_set_key(const struct set_table *t, const char *name, size_t n,
                                    const struct set_alias **alias);
/* The nearest name that the table knows, null if none is near. */
const char *egret_set_nearest(const struct set_table *t, const char *name, size_t n);
const char *egret_set_enum_name(const struct set_name *names, uint32_t value);
/* Walks all tables, the root first; null past the last. */
const struct set_table *egret_set_table(size_t i);

/* settings_fill.c: fills a section or item with what counts if the file says nothing. */
void egret_set_defaults(const struct set_table *t, void *at);

#endif
