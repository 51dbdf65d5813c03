/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.c: what an option takes, for completion: a word list, with @files, @configs, @schemes,
 * @hashes, @layouts, @fields, @loads in it for the names that there are.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "egret/control.h"

static const struct {
    const char *option;
    const char *values;
} known[] = {
    {"ack-path", "alike hashed"},
    {"algorithm", "@hashes"},
    {"at", "edge: agg:"},
    {"collective", "permutation ring alltoall"},
    {"config", "@configs @files"},
    {"convergence", "0 inf"},
    {"fields", "@fields"},
    {"flowlet", "sai cisco"},
    {"flowlet-path", "random quality better"},
    {"hash", "@hashes"},
    {"host", "flow subflow: random drb"},
    {"layout", "@layouts"},
    {"load", "@loads"},
    {"order", "spread: list:"},
    {"order-json", "@files"},
    {"order-keep", "write-only-free class"},
    {"ordered-scheme", "ecmp fixed entropy flowlet"},
    {"placement", "linear random"},
    {"record", "edge: agg: core:"},
    {"rho", "max"},
    {"scheme", "@schemes"},
    {"selector", "model @selectors @files"},
    {"selector-dir", "@files"},
    {"source-port", "linux fixed:"},
    {"topology", "fat-tree: leaf-spine: @files"},
    {"transport", "ideal sack"},
    {"write", "only first-middle-last"},
};

const char *cli_option_values(const struct cli_option *o)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(o->name, known[i].option) == 0) {
            return known[i].values;
        }
    }
    return o->arg && (strcmp(o->arg, "F") == 0 || strncmp(o->arg, "FILE", 4) == 0) ? "@files"
                                                                                   : NULL;
}

/* The names behind an @ word. */
static void print_set(const char *set, size_t length, const char *before, const char *after)
{
    const char *name;
    if (strncmp(set, "@configs", length) == 0) {
        for (size_t i = 0; (name = egret_cfg_name(i)) != NULL; i++) {
            printf("%s%s%s", before, name, after);
        }
    } else if (strncmp(set, "@selectors", length) == 0) {
        for (size_t i = 0; (name = egret_cfg_name(i)) != NULL; i++) {
            printf("%srtl:%s%s%scheck:%s%s", before, name, after, before, name, after);
        }
    } else if (strncmp(set, "@schemes", length) == 0) {
        for (unsigned i = 1; i <= EGRET_NUM_SCHEMES; i++) {
            printf("%s%s%s", before, egret_scheme_name(i), after);
        }
    } else if (strncmp(set, "@hashes", length) == 0) {
        for (uint32_t i = 0; i < EGRET_HASH_MATRIX; i++) {
            name = egret_hash_algorithm_name(i);
            printf("%s%s%s", name ? before : "", name ? name : "", name ? after : "");
        }
    } else if (strncmp(set, "@layouts", length) == 0) {
        for (uint32_t i = 0; (name = egret_hash_layout_name(i)) != NULL; i++) {
            printf("%s%s%s", before, name, after);
        }
    } else if (strncmp(set, "@fields", length) == 0) {
        for (uint32_t bit = 0; (name = egret_hash_field_name(bit)) != NULL; bit++) {
            printf("%s%s%s", before, name, after);
        }
    } else {
        for (size_t i = 0; (name = egret_load_preset_name(i)) != NULL; i++) {
            printf("%s%s%s", before, name, after);
        }
    }
}

bool cli_print_values(const char *values, const char *before, const char *after)
{
    bool files = false;
    while (values && *values) {
        size_t length = strcspn(values, " ");
        if (strncmp(values, "@files", length) == 0) {
            files = true;
        } else if (values[0] == '@') {
            print_set(values, length, before, after);
        } else {
            printf("%s%.*s%s", before, (int)length, values, after);
        }
        values += length + (values[length] == ' ');
    }
    return files;
}
