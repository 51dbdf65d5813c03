/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_group.c: process groups of Chakra traces: ASTRA-sim's JSON file, and METADATA nodes.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chakra.h"

int egret_chakra_group(struct chakra_groups *g, const char *name, uint32_t *group)
{
    void *p = g->group;
    if (g->names.round == 0) {
        egret_names_clear(&g->names);
    }
    *group = egret_names_find(&g->names, name);
    if (*group != EGRET_NO_OP) {
        return EGRET_OK;
    }
    if (!egret_import_grow(&p, g->count, &g->capacity, sizeof *g->group)) {
        return egret_import_memory(g->m);
    }
    g->group = p;
    *group = (uint32_t)g->count;
    memset(&g->group[g->count], 0, sizeof *g->group);
    (void)snprintf(g->group[g->count].name, CHAKRA_MAX_TEXT, "%s", name);
    if (egret_names_add(&g->names, name, *group) != EGRET_OK) {
        return egret_import_memory(g->m);
    }
    g->count++;
    return EGRET_OK;
}

static int bad(struct chakra_groups *g, const char *where, const char *name, const char *reason)
{
    return egret_trace_fail(g->m->err, EGRET_ERR_RANGE, "%.200s: process group '%.60s' %s", where,
                            name, reason);
}

/* Defines a group; a second time it must be the same. `where` is for messages. */
static int define(struct chakra_groups *g, const char *where, const char *name, const json_t *list)
{
    uint32_t index;
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n > g->m->s->ranks) {
        return bad(g, where, name, "is no list of ranks, or one longer than there are ranks");
    }
    if (strlen(name) >= CHAKRA_MAX_TEXT) {
        return bad(g, where, name, "has too long a name");
    }
    int code = egret_chakra_group(g, name, &index);
    if (code) {
        return code;
    }
    if (!g->stamp) {
        g->stamp = calloc((size_t)g->m->s->ranks + 1u, sizeof *g->stamp);
    }
    uint32_t *rank = malloc((n + 1u) * sizeof *rank);
    if (!rank || !g->stamp) {
        free(rank);
        return egret_import_memory(g->m);
    }
    g->stamps++;
    for (size_t i = 0; i < n; i++) {
        const json_t *e = json_array_get(list, i);
        json_int_t v = json_is_integer(e) ? json_integer_value(e) : -1;
        if (v < 0 || v >= (json_int_t)g->m->s->ranks || g->stamp[v] == g->stamps) {
            char reason[96];
            (void)snprintf(reason, sizeof reason, "has rank %lld of %u, or has it twice",
                           (long long)v, g->m->s->ranks);
            free(rank);
            return bad(g, where, name, reason);
        }
        g->stamp[v] = g->stamps;
        rank[i] = (uint32_t)v;
    }
    struct chakra_group *old = &g->group[index];
    bool same = old->defined && old->ranks == n && (n == 0 || !memcmp(old->rank, rank, n * 4u));
    if (old->defined) {
        free(rank);
        return same || egret_import_relaxed(g->m, EGRET_RELAX_COUNTS)
                   ? EGRET_OK
                   : bad(g, where, name, "has other ranks elsewhere (--allow-counts)");
    }
    old->rank = rank;
    old->ranks = (uint32_t)n;
    old->defined = true;
    return EGRET_OK;
}

int egret_chakra_groups_load(struct chakra_groups *g, const char *path)
{
    struct source s;
    uint8_t *text;
    size_t n;
    if (strcmp(path, "empty") == 0) {
        return EGRET_OK;
    }
    int code = egret_source_open(&s, path, g->m->err);
    code = code ? code : egret_source_rest(&s, (size_t)1 << 28, &text, &n);
    egret_source_close(&s);
    if (code) {
        return code;
    }
    json_error_t why;
    json_t *root = json_loadb((const char *)text, n, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!root || !json_is_object(root)) {
        json_decref(root);
        return egret_trace_fail(g->m->err, EGRET_ERR_RANGE, "%.200s:%d: %.160s", path,
                                root ? 1 : why.line, root ? "is no JSON object" : why.text);
    }
    const char *name;
    json_t *list;
    json_object_foreach(root, name, list)
    {
        code = code ? code : define(g, path, name, list);
        if (code == EGRET_OK && json_array_size(list) == 0) {
            code = bad(g, path, name, "has no ranks");
        }
    }
    json_decref(root);
    return code;
}

static int define_inside(struct chakra_groups *g, const char *where, const json_t *o)
{
    const json_t *name = json_object_get(o, "pg_name");
    const json_t *list = json_object_get(o, "ranks");
    const json_t *size = json_object_get(o, "group_size");
    char number[24];
    const char *text = json_string_value(name);
    if (json_is_integer(name)) {
        (void)snprintf(number, sizeof number, "%lld", (long long)json_integer_value(name));
        text = number;
    }
    if (!text || !json_is_array(list)) {
        return EGRET_OK; /* metadata of another kind */
    }
    if (json_is_integer(size) && json_array_size(list) != 0 &&
        json_integer_value(size) != (json_int_t)json_array_size(list) &&
        !egret_import_relaxed(g->m, EGRET_RELAX_COUNTS)) {
        return bad(g, where, text, "has another group_size than ranks (--allow-counts)");
    }
    return define(g, where, text, list);
}

int egret_chakra_groups_inside(struct chakra_groups *g, struct source *s,
                               const struct chakra_node *n)
{
    char where[200];
    json_error_t why;
    int code = EGRET_OK;
    const char *text = n->values;
    if (n->values_length < 2u || !memchr(text, '[', n->values_length)) {
        return EGRET_OK;
    }
    json_t *root = json_loadb(text, n->values_length, 0, &why);
    const json_t *first = json_array_get(root, 0);
    if (json_is_string(first)) { /* a list that holds the text of the list */
        json_t *inner = json_loadb(json_string_value(first), json_string_length(first), 0, &why);
        json_decref(root);
        root = inner;
    }
    (void)snprintf(where, sizeof where, "%.120s: byte %llu: node %llu", s->name,
                   (unsigned long long)n->where, (unsigned long long)n->id);
    for (size_t i = 0; code == EGRET_OK && json_is_array(root) && i < json_array_size(root); i++) {
        code = define_inside(g, where, json_array_get(root, i));
    }
    json_decref(root);
    return code;
}

void egret_chakra_groups_free(struct chakra_groups *g)
{
    for (size_t i = 0; i < g->count; i++) {
        free(g->group[i].rank);
    }
    free(g->group);
    free(g->stamp);
    egret_names_free(&g->names);
}

int egret_chakra_members(void *user, uint32_t group, const uint32_t **rank, uint32_t *ranks,
                         const char **name)
{
    const struct chakra_groups *g = user;
    const struct chakra_group *p = &g->group[group];
    bool all = p->name[0] == '\0' || strcmp(p->name, "0") == 0;
    *name = p->name;
    *rank = p->ranks ? p->rank : NULL;
    *ranks = p->ranks;
    return p->defined || all ? EGRET_OK : EGRET_ERR_RANGE;
}
