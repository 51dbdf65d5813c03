/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_read.c: settings from YAML, by the table of keys.
 */
#include <stdlib.h>
#include <string.h>

#include "settings_keys.h"
#include "settings_values.h"
#include "text.h"

static int read_table(const struct reading *r, uint32_t node, const struct set_table *table,
                      unsigned char *at);

static int read_items(const struct reading *r, uint32_t node, const struct set_key *k,
                      const char *name, unsigned char *at)
{
    size_t size = k->sub->size;
    size_t n = 0;
    unsigned char *items;
    if (r->t->node[node].kind != TREE_LIST) {
        return egret_value_wrong(r, node, name, "a list");
    }
    for (uint32_t c = r->t->node[node].child; c != TREE_NONE; c = r->t->node[c].next) {
        if (n++ == k->cap) {
            return egret_tree_fail(r->t, c, r->err, "%s: more than %u elements", name, k->cap);
        }
    }
    if (n == 0) {
        return EGRET_OK;
    }
    items = calloc(n, size);
    if (!items) {
        return egret_trace_fail(r->err, EGRET_ERR_MEMORY, "%s: out of memory", r->t->name);
    }
    memcpy(at + k->offset, &items, sizeof items); /* freed with all the settings */
    memcpy(at + k->count, &n, sizeof n);
    for (size_t i = 0; i < n; i++) { /* all, so that they can be freed */
        egret_set_defaults(k->sub, items + i * size);
    }
    unsigned char *item = items;
    for (uint32_t c = r->t->node[node].child; c != TREE_NONE;
         c = r->t->node[c].next, item += size) {
        uint64_t v;
        int code;
        if (k->flags & SET_SHORT && r->t->node[c].kind == TREE_SCALAR) {
            const struct set_key *first = &k->sub->key[0];
            code = egret_value_number(r, c, name, first->min, first->max, 1, &v);
            if (code == EGRET_OK) {
                *egret_value_word(item, first->offset) = (uint32_t)v;
                *egret_value_word(item, 0) = 1;
            }
        } else {
            code = read_table(r, c, k->sub, item);
        }
        if (code) {
            return code;
        }
    }
    return EGRET_OK;
}

static int read_value(const struct reading *r, uint32_t node, const struct set_key *k,
                      const struct set_alias *alias, unsigned char *at)
{
    switch (k->type) {
    case SET_SECTION:
        return read_table(r, node, k->sub, at + k->offset);
    case SET_ITEMS:
        return read_items(r, node, k, k->name, at);
    default:
        return egret_value_read(r, node, k, alias, at);
    }
}

static int unknown(const struct reading *r, uint32_t node, const struct set_table *table)
{
    const struct tree_node *n = &r->t->node[node];
    const char *nearest = egret_set_nearest(table, egret_tree_text(r->t, node), n->length);
    return egret_tree_fail(r->t, node, r->err, "unknown key '%.48s'%s%s%s%s%s",
                           egret_tree_text(r->t, node), table->path[0] ? " in " : "", table->path,
                           nearest ? "; did you mean " : "", nearest ? nearest : "",
                           nearest ? "?" : "");
}

static int read_table(const struct reading *r, uint32_t node, const struct set_table *table,
                      unsigned char *at)
{
    struct egret_settings_at *head = (struct egret_settings_at *)(void *)at;
    uint32_t *given = &head->given;
    if (r->t->node[node].kind != TREE_MAP) {
        return egret_value_wrong(r, node, table->path[0] ? table->path : "settings",
                                 "keys and values");
    }
    head->line = r->t->node[node].line;
    head->column = r->t->node[node].column;
    for (uint32_t c = r->t->node[node].child; c != TREE_NONE;) {
        uint32_t value = r->t->node[c].next;
        const struct set_alias *alias;
        if (r->t->node[c].kind != TREE_SCALAR) {
            return egret_value_wrong(r, c, "key", "a name");
        }
        const struct set_key *k =
            egret_set_key(table, egret_tree_text(r->t, c), r->t->node[c].length, &alias);
        if (!k) {
            return unknown(r, c, table);
        }
        uint32_t bit = 1u << (k - table->key);
        bool more = alias && alias->element > 0; /* the one before must be there */
        if (*given & bit && !more) {
            return egret_tree_fail(r->t, c, r->err, "%s is there twice%s%s", k->name,
                                   alias ? ", also as " : "", alias ? alias->name : "");
        }
        *given |= bit;
        int code = read_value(r, value, k, alias, at);
        if (code) {
            return code;
        }
        c = r->t->node[value].next;
    }
    for (uint32_t i = 0; i < table->keys; i++) {
        if (table->key[i].flags & SET_NEEDED && !(*given & 1u << i)) {
            return egret_tree_fail(r->t, node, r->err, "%s: %s is missing", table->path,
                                   table->key[i].name);
        }
    }
    return EGRET_OK;
}

int egret_settings_parse(const char *text, size_t n, const char *name, struct egret_settings *out,
                         struct egret_trace_error *err)
{
    struct tree t;
    struct reading r = {&t, err};
    memset(out, 0, sizeof *out);
    if (n > EGRET_SETTINGS_MAX_BYTES) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: more than %u bytes", name,
                                EGRET_SETTINGS_MAX_BYTES);
    }
    int code = egret_tree_parse(text, n, name, &t, err);
    if (code) {
        return code;
    }
    egret_set_defaults(&egret_set_root, out);
    code = read_table(&r, 0, &egret_set_root, (unsigned char *)out);
    egret_tree_free(&t);
    if (code == EGRET_OK) {
        code = egret_settings_resolve(out, name, err);
    }
    if (code) {
        egret_settings_free(out);
    }
    return code;
}

/* Reads a file of bounded size. */
static int load_text(const char *path, struct text_file *f, struct egret_trace_error *err)
{
    int code = egret_text_load(path, f, err);
    if (code == EGRET_OK && f->size > EGRET_SETTINGS_MAX_BYTES) {
        egret_text_free(f);
        code = egret_trace_fail(err, EGRET_ERR_RANGE, "%s: more than %u bytes", path,
                                EGRET_SETTINGS_MAX_BYTES);
    }
    return code;
}

int egret_settings_open(const char *path, struct egret_settings *out, egret_note_fn note, void *ctx,
                        struct egret_trace_error *err)
{
    struct text_file f;
    size_t n = strlen(path);
    memset(out, 0, sizeof *out);
    int code = load_text(path, &f, err);
    if (code) {
        return code;
    }
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    bool json = n > 5 && strcmp(path + n - 5, ".json") == 0;
    code = json ? egret_sonic_parse(f.text, f.size, name, out, note, ctx, err)
                : egret_settings_parse(f.text, f.size, name, out, err);
    egret_text_free(&f);
    return code;
}

int egret_settings_load(const char *path, struct egret_settings *out, struct egret_trace_error *err)
{
    struct text_file f;
    memset(out, 0, sizeof *out);
    int code = load_text(path, &f, err);
    if (code == EGRET_OK) {
        code = egret_settings_parse(f.text, f.size, path, out, err);
        egret_text_free(&f);
    }
    return code;
}
