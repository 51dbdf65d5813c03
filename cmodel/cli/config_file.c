/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config_file.c: see config_file.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "config_file.h"

/* Does the command line have --NAME or --NAME=VALUE? A value never begins with two dashes. */
static bool on_line(int argc, char **argv, const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) == 0 && strncmp(argv[i] + 2, name, n) == 0 &&
            (argv[i][n + 2] == '\0' || argv[i][n + 2] == '=')) {
            return true;
        }
    }
    return false;
}

static void note(void *ctx, const char *text)
{
    (void)fprintf(stderr, "egret: note: %s: %s\n", (const char *)ctx, text);
}

static void take(const char **option, const char *value)
{
    if (!*option) {
        *option = value;
    }
}

static void take_number(uint64_t *option, uint64_t value)
{
    if (*option == UINT64_MAX) {
        *option = value;
    }
}

static const char *hash_key(struct cli_setup *f)
{
    const struct egret_hash_setup *h = &f->s.hash.setup;
    for (uint32_t i = 0; i < h->key_len; i++) {
        (void)snprintf(f->key + 2u * i, 3, "%02x", h->key[i]);
    }
    return f->key;
}

static const char *hash_fields(struct cli_setup *f)
{
    size_t used = 0;
    for (uint32_t bit = 0; egret_hash_field_name(bit); bit++) {
        if (f->s.hash.setup.fields >> bit & 1u) {
            used += (size_t)snprintf(f->fields + used, sizeof f->fields - used, "%s%s",
                                     used ? "," : "", egret_hash_field_name(bit));
        }
    }
    return f->fields;
}

static void take_hash(int argc, char **argv, struct cli_setup *f, const struct cli_setup_options *o)
{
    const struct egret_hash_setup *h = &f->s.hash.setup;
    bool same = !*o->hash; /* a key is of its algorithm */
    if (egret_settings_has(&f->s, "hash.algorithm")) {
        take(o->hash, egret_hash_algorithm_name(h->algorithm));
    }
    if (egret_settings_has(&f->s, "hash.layout")) {
        take(o->layout, egret_hash_layout_name(h->layout));
    }
    if (egret_settings_has(&f->s, "hash.fields") && h->fields) {
        take(o->fields, hash_fields(f));
    }
    if (egret_settings_has(&f->s, "hash.key") && same) {
        take(o->key, hash_key(f));
    }
    if (egret_settings_has(&f->s, "hash.seed") && !on_line(argc, argv, "hash-seed")) {
        *o->hash_seed = h->seed;
    }
    if (egret_settings_has(&f->s, "hash.rotation") && !on_line(argc, argv, "rotation")) {
        *o->rotation = h->rotation;
    }
    if (egret_settings_has(&f->s, "seed") && !on_line(argc, argv, "seed")) {
        *o->seed = f->s.seed;
    }
}

static bool uses(const struct cli_setup_options *o, const char *scheme)
{
    return (*o->scheme && strcmp(*o->scheme, scheme) == 0) ||
           (*o->ordered_scheme && strcmp(*o->ordered_scheme, scheme) == 0);
}

static void take_group(struct cli_setup *f, const struct egret_settings_group *g,
                       const struct cli_setup_options *o)
{
    static const char *const path[] = {"random", "quality", "better"};
    bool flowlet;
    take(o->scheme, egret_scheme_name(g->scheme));
    if (g->ordered) {
        take(o->ordered_scheme, egret_scheme_name(g->ordered));
    }
    flowlet = uses(o, "flowlet");
    /* A preset on the command line stands for all of these. */
    if (flowlet && !*o->flowlet &&
        (g->scheme == EGRET_SCHEME_FLOWLET || g->ordered == EGRET_SCHEME_FLOWLET)) {
        (void)snprintf(f->flowlet_idle, sizeof f->flowlet_idle, "%" PRIu64, g->flowlet.idle_ns);
        take(o->flowlet_idle, g->flowlet.idle_ns == EGRET_IDLE_NEVER ? "never" : f->flowlet_idle);
        take(o->flowlet_path, path[g->flowlet.path]);
        take_number(o->flowlet_entries, g->flowlet.entries);
    }
    if (*o->scheme && strcmp(*o->scheme, "spray-quality") == 0 && g->drill.samples) {
        (void)snprintf(f->drill, sizeof f->drill, "%u,%u", (unsigned)(g->drill.samples & 3u),
                       (unsigned)(g->drill.memory & 1u));
        take(o->drill, f->drill);
    }
}

static void take_load(struct cli_setup *f, const struct cli_setup_options *o)
{
    bool sprays = *o->scheme && strcmp(*o->scheme, "spray-quality") == 0;
    bool by_quality = *o->flowlet || (*o->flowlet_path && strcmp(*o->flowlet_path, "random") != 0);
    if (!egret_settings_has(&f->s, "load") || !(sprays || (uses(o, "flowlet") && by_quality))) {
        return;
    }
    f->load = !*o->load;
    if (egret_settings_has(&f->s, "load.buffer")) {
        take_number(o->buffer, f->s.load.buffer_bytes);
    }
}

int cli_setup_take(const char *path, int argc, char **argv, struct cli_setup *f,
                   const struct cli_setup_options *o)
{
    struct egret_trace_error err;
    char name[256];
    memset(f, 0, sizeof *f);
    if (!path) {
        return -1;
    }
    (void)snprintf(name, sizeof name, "%s", path);
    int code = egret_settings_open(path, &f->s, note, name, &err);
    if (code) {
        return cli_error(code, &err);
    }
    f->read = true;
    if (egret_settings_has(&f->s, "hardware")) {
        take(o->config, f->s.cfg.name);
    }
    take_hash(argc, argv, f, o);
    const struct egret_settings_group *g = f->s.groups ? &f->s.group[0] : NULL;
    for (size_t i = 0; i < f->s.groups; i++) {
        g = f->s.group[i].id == 0 ? &f->s.group[i] : g;
    }
    if (g) {
        take_group(f, g, o);
    }
    take_load(f, o);
    if (f->s.classes.short_below && *o->ordered_below == 0 && f->s.classes.ordered) {
        *o->ordered_below = f->s.classes.short_below;
    }
    return -1;
}

void cli_setup_classes(struct cli_setup *f, struct egret_make *m)
{
    if (f->read && egret_settings_has(&f->s, "classes")) {
        f->map = f->s.classes.map;
        m->classes = &f->map;
        m->class_ordered = f->s.classes.ordered;
        m->class_entropy = f->s.classes.entropy;
    }
}

void cli_setup_close(struct cli_setup *f)
{
    egret_settings_free(&f->s);
    f->read = false;
}
