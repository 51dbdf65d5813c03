/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_values.h: one value of YAML as its key's type says. Internal to the trace library.
 */
#ifndef EGRET_TRACE_SETTINGS_VALUES_H
#define EGRET_TRACE_SETTINGS_VALUES_H

#include "settings_keys.h"
#include "settings_tree.h"

struct reading {
    const struct tree *t;
    struct egret_trace_error *err;
};

static inline uint32_t *egret_value_word(unsigned char *at, size_t offset)
{
    return (uint32_t *)(void *)(at + offset);
}

/* "NAME: wrong type, wanted WHAT". */
int egret_value_wrong(const struct reading *r, uint32_t node, const char *name, const char *wanted);
/* A number that is min..max when multiplied by scale. */
int egret_value_number(const struct reading *r, uint32_t node, const char *name, uint64_t min,
                       uint64_t max, uint32_t scale, uint64_t *out);
/* Any value but a section or items, to where the key says behind `at`. */
int egret_value_read(const struct reading *r, uint32_t node, const struct set_key *k,
                     const struct set_alias *alias, unsigned char *at);

#endif
