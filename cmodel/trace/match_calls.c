/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match_calls.c: calls at the ranks of a group that are one collective (match.h).
 */
#include <stdlib.h>
#include <string.h>

#include "importer.h"

int egret_match_add_call(struct importer *m, const struct call *c)
{
    void *p = m->calls.call;
    if (!egret_import_grow(&p, m->calls.count, &m->calls.capacity, sizeof *c)) {
        return egret_import_memory(m);
    }
    m->calls.call = p;
    m->calls.call[m->calls.count++] = *c;
    m->r->collectives[c->kind]++;
    m->r->collective_bytes[c->kind] += c->bytes;
    return EGRET_OK;
}

static int by_rank(const void *a, const void *b)
{
    const struct call *x = a;
    const struct call *y = b;
    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_nth(const void *a, const void *b)
{
    const struct call *x = a;
    const struct call *y = b;
    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    if (x->nth != y->nth) {
        return x->nth < y->nth ? -1 : 1;
    }
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* The group of the calls at hand: its members, and which call each has. */
struct group {
    uint32_t ranks;
    const uint32_t *rank; /* null: all */
    const char *name;
    uint32_t *entry;
    uint32_t *exit;
    uint32_t *member; /* of each rank of the schedule; UINT32_MAX: none */
};

static int expand(struct importer *m, struct group *g, const struct call *c, size_t n)
{
    const struct call *first = c;
    for (uint32_t i = 0; i < g->ranks; i++) {
        g->entry[i] = EGRET_NO_OP;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t member = g->member[c[i].rank];
        if (member == UINT32_MAX) {
            return egret_import_fail(m, c[i].entry, "rank %u is not in process group '%.60s'",
                                     c[i].rank, g->name);
        }
        if (c[i].root != first->root && c[i].kind == first->kind) {
            return egret_import_fail(
                m, c[i].entry,
                "collective %u of process group '%.60s': ranks %u and %u have %s with different "
                "roots",
                c->nth + 1u, g->name, c[i].rank, first->rank,
                egret_collective_kind_name(first->kind));
        }
        if (c[i].kind != first->kind || c[i].bytes != first->bytes || c[i].root != first->root) {
            return egret_import_fail(
                m, c[i].entry,
                "collective %u of process group '%.60s': rank %u has %s of %llu bytes, rank %u "
                "has %s of %llu",
                c->nth + 1u, g->name, c[i].rank, egret_collective_kind_name(c[i].kind),
                (unsigned long long)c[i].bytes, first->rank,
                egret_collective_kind_name(first->kind), (unsigned long long)first->bytes);
        }
        g->entry[member] = c[i].entry;
    }
    if (n != g->ranks) {
        uint32_t missing = 0;
        while (g->entry[missing] != EGRET_NO_OP) {
            missing++;
        }
        if (egret_import_relaxed(m, EGRET_RELAX_UNMATCHED)) {
            int code = EGRET_OK;
            for (size_t i = 0; code == EGRET_OK && i < n; i++) {
                code = egret_schedule_after(m->s, c[i].entry, EGRET_ON_DONE, c[i].exit);
            }
            return egret_import_code(m, code);
        }
        return egret_import_fail(m, first->entry,
                                 "collective %u of process group '%.60s': rank %u has it, rank %u "
                                 "does not (--allow-unmatched)",
                                 first->nth + 1u, g->name, first->rank,
                                 g->rank ? g->rank[missing] : missing);
    }
    uint32_t root = first->root == UINT32_MAX ? 0 : g->member[first->root];
    if (root == UINT32_MAX) {
        return egret_import_fail(m, first->entry, "root %u is not in process group '%.60s'",
                                 first->root, g->name);
    }
    struct egret_collective coll = {.kind = (enum egret_collective_kind)first->kind,
                                    .algorithm = m->o->algorithm[first->kind],
                                    .ranks = g->ranks,
                                    .rank = g->rank,
                                    .bytes = first->bytes,
                                    .root = root,
                                    .group_size = m->o->group_size};
    struct egret_trace_error why = {""};
    size_t before = m->s->ops;
    int code = egret_collective_expand(m->s, &coll, g->entry, g->exit, &why);
    if (code) {
        return code == EGRET_ERR_MEMORY ? egret_import_memory(m)
                                        : egret_import_fail(m, first->entry, "%.250s", why.text);
    }
    for (size_t i = before; i < m->s->ops; i++) {
        m->s->op[i].where = m->s->op[first->entry].where;
        m->s->op[i].file = m->s->op[first->entry].file;
    }
    for (size_t i = 0; code == EGRET_OK && i < n; i++) {
        code = egret_schedule_after(m->s, g->exit[g->member[c[i].rank]], EGRET_ON_DONE, c[i].exit);
    }
    return egret_import_code(m, code);
}

/* Members of the group of call c into g. */
static int enter(struct importer *m, const struct call_groups *groups, struct group *g,
                 const struct call *c)
{
    for (uint32_t i = 0; i < g->ranks; i++) { /* of the group before */
        g->member[g->rank ? g->rank[i] : i] = UINT32_MAX;
    }
    g->ranks = 0;
    int code = groups->members(groups->user, c->group, &g->rank, &g->ranks, &g->name);
    if (code) {
        g->ranks = 0;
        return egret_import_fail(m, c->entry, "process group '%.60s' is not defined", g->name);
    }
    if (!g->rank) {
        g->ranks = m->s->ranks;
    }
    for (uint32_t i = 0; i < g->ranks; i++) {
        g->member[g->rank ? g->rank[i] : i] = i;
    }
    return EGRET_OK;
}

static int all_groups(struct importer *m, const struct call_groups *groups, struct group *g)
{
    struct call *c = m->calls.call;
    size_t count = m->calls.count;
    int code = EGRET_OK;
    memset(g->member, 0xff, ((size_t)m->s->ranks + 1u) * sizeof *g->member);
    qsort(c, count, sizeof *c, by_rank);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && c[i].group == c[i - 1u].group && c[i].rank == c[i - 1u].rank;
        c[i].nth = same ? c[i - 1u].nth + 1u : 0;
    }
    qsort(c, count, sizeof *c, by_nth);
    for (size_t i = 0; code == EGRET_OK && i < count;) {
        size_t n = i;
        while (n < count && c[n].group == c[i].group && c[n].nth == c[i].nth) {
            n++;
        }
        if (i == 0 || c[i].group != c[i - 1u].group) {
            code = enter(m, groups, g, &c[i]);
        }
        if (code == EGRET_OK) {
            code = expand(m, g, c + i, n - i);
        }
        i = n;
    }
    return code;
}

int egret_match_calls(struct importer *m, const struct call_groups *groups)
{
    size_t n = (size_t)m->s->ranks + 1u;
    struct group g = {.name = "",
                      .entry = calloc(n, sizeof *g.entry),
                      .exit = calloc(n, sizeof *g.exit),
                      .member = calloc(n, sizeof *g.member)};
    int code = EGRET_OK;
    if (!g.entry || !g.exit || !g.member) {
        code = egret_import_memory(m);
    } else if (m->calls.count) {
        code = all_groups(m, groups, &g);
    }
    free(g.entry);
    free(g.exit);
    free(g.member);
    return code;
}
