/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_show.c: settings in full as YAML that reads back as equal ones.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "settings_fill.h"

static void show_table(const struct egret_settings *s, const struct set_table *t,
                       const unsigned char *at, unsigned indent, bool item,
                       struct egret_outfile *f);

static uint32_t word(const unsigned char *at, size_t offset)
{
    uint32_t v;
    memcpy(&v, at + offset, sizeof v);
    return v;
}

/* What counts for nothing is left out; some of it would be refused when read. */
static bool matters(const struct egret_settings *s, const struct set_table *t,
                    const struct set_key *k, const unsigned char *at)
{
    const struct egret_settings_group *g = (const void *)at;
    size_t items;
    if (k->flags & SET_INPUT) {
        return false;
    }
    if (k->type == SET_ITEMS) {
        memcpy(&items, at + k->count, sizeof items);
        return items > 0;
    }
    if (t == &egret_set_root) {
        if (strncmp(k->name, "default-", 8) == 0) {
            return egret_set_given(t, at, k->name);
        }
        return strcmp(k->name, "random-seed") == 0 ? egret_settings_uses_random(s)
               : strcmp(k->name, "load") == 0      ? egret_settings_uses_load(s)
                                                   : true;
    }
    if (strcmp(t->path, "hash") == 0 && k->type == SET_KEY) {
        return s->hash.setup.algorithm == EGRET_HASH_TOEPLITZ;
    }
    if (strcmp(t->path, "groups") == 0) {
        return strcmp(k->name, "flowlet") == 0          ? egret_group_uses(g, EGRET_SCHEME_FLOWLET)
               : strcmp(k->name, "drill") == 0          ? g->scheme == EGRET_SCHEME_SPRAY_QUALITY
               : strcmp(k->name, "entropy-offset") == 0 ? egret_group_uses(g, EGRET_SCHEME_ENTROPY)
                                                        : true;
    }
    return true;
}

static void show_numbers(const struct set_key *k, const unsigned char *at, struct egret_outfile *f)
{
    const char *comma = "";
    egret_outfile_printf(f, " [");
    if (k->type == SET_LIST) {
        for (uint32_t i = 0; i < word(at, k->count); i++, comma = ", ") {
            egret_outfile_printf(f, "%s%" PRIu32, comma, word(at, k->offset + 4u * i));
        }
    } else {
        uint32_t mask = word(at, k->offset);
        for (uint32_t bit = 0; bit < k->cap; bit++) {
            if (!(mask >> bit & 1u)) {
                continue;
            }
            if (k->type == SET_FIELDS) {
                egret_outfile_printf(f, "%s%s", comma, egret_hash_field_name(bit));
            } else {
                egret_outfile_printf(f, "%s%" PRIu32, comma, bit);
            }
            comma = ", ";
        }
    }
    egret_outfile_printf(f, "]\n");
}

static void show_items(const struct egret_settings *s, const struct set_key *k,
                       const unsigned char *at, unsigned indent, struct egret_outfile *f)
{
    const unsigned char *items;
    size_t n;
    memcpy(&items, at + k->offset, sizeof items);
    memcpy(&n, at + k->count, sizeof n);
    egret_outfile_printf(f, "\n");
    for (size_t i = 0; i < n; i++) {
        show_table(s, k->sub, items + i * k->sub->size, indent + 4u, true, f);
    }
}

static void show_value(const struct egret_settings *s, const struct set_key *k,
                       const unsigned char *at, unsigned indent, struct egret_outfile *f)
{
    const struct egret_settings_route *r = (const void *)at;
    char address[INET6_ADDRSTRLEN] = "";
    uint64_t idle;
    switch (k->type) {
    case SET_IDLE:
        memcpy(&idle, at + k->offset, sizeof idle);
        if (idle == EGRET_IDLE_NEVER) {
            egret_outfile_printf(f, " never\n");
        } else {
            egret_outfile_printf(f, " %" PRIu64 "\n", idle);
        }
        return;
    case SET_BOOL:
        egret_outfile_printf(f, " %s\n", word(at, k->offset) ? "true" : "false");
        return;
    case SET_ENUM:
        egret_outfile_printf(f, " %s\n", egret_set_enum_name(k->names, word(at, k->offset)));
        return;
    case SET_HARDWARE:
        egret_outfile_printf(f, " %s\n", s->cfg.name);
        return;
    case SET_KEY:
        egret_outfile_printf(f, " \"");
        for (uint32_t i = 0; i < word(at, k->count); i++) {
            egret_outfile_printf(f, "%02x", at[k->offset + i]);
        }
        egret_outfile_printf(f, "\"\n");
        return;
    case SET_FIELDS:
    case SET_BITS:
    case SET_LIST:
        show_numbers(k, at, f);
        return;
    case SET_PREFIX:
        (void)inet_ntop(r->family == 6u ? AF_INET6 : AF_INET, r->prefix, address, sizeof address);
        egret_outfile_printf(f, " \"%s/%" PRIu32 "\"\n", address, r->length);
        return;
    case SET_SECTION:
        egret_outfile_printf(f, "\n");
        show_table(s, k->sub, at + k->offset, indent + 2u, false, f);
        return;
    case SET_ITEMS:
        show_items(s, k, at, indent, f);
        return;
    default:
        egret_outfile_printf(f, " %" PRIu32 "\n", word(at, k->offset));
        return;
    }
}

static void show_table(const struct egret_settings *s, const struct set_table *t,
                       const unsigned char *at, unsigned indent, bool item, struct egret_outfile *f)
{
    for (uint32_t i = 0; i < t->keys; i++) {
        if (!matters(s, t, &t->key[i], at)) {
            continue;
        }
        unsigned blanks = item ? indent - 2u : indent; /* an item begins with "- " */
        egret_outfile_printf(f, "%*s%s%s:", (int)blanks, "", item ? "- " : "", t->key[i].name);
        item = false;
        show_value(s, &t->key[i], at, indent, f);
    }
}

void egret_settings_show(const struct egret_settings *s, struct egret_outfile *f)
{
    show_table(s, &egret_set_root, (const unsigned char *)s, 0, false, f);
}
