/* SPDX-License-Identifier: Apache-2.0 */
/*
 * converge.c: failed links on the links themselves, and what switches are told of them: ports that
 * go down, writes that change their tables, other groups for destinations. Only what differs is
 * written.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define MAX_AGENDA_BYTES ((uint64_t)2 << 30) /* of all switches together */
#define UNKNOWN 0xffffu
#define GROUP_WORDS 7u

/* ---- the last writes to a switch's tables ---- */

struct shadow {
    const struct egret_cfg *cfg;
    uint16_t *slot; /* [row * ROW_LEN + slot]; UNKNOWN: never written */
    uint16_t *bucket;
    uint32_t (*group)[GROUP_WORDS];
    uint8_t *has_group;
    uint32_t stage[GROUP_WORDS]; /* of the group that is being written */
    uint32_t staged;             /* bit w: word w */
    bool quiet;                  /* only remember */
    struct fab_node *node;
    uint64_t time;
    size_t capacity; /* of the node's agenda */
    uint64_t bytes;  /* of all agendas */
};

static int open_shadow(struct shadow *s, const struct egret_cfg *cfg)
{
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
    s->slot = malloc((size_t)cfg->num_rows * cfg->row_len * sizeof *s->slot);
    s->bucket = malloc(cfg->num_buckets * sizeof *s->bucket);
    s->group = malloc(cfg->num_groups * sizeof *s->group);
    s->has_group = malloc(cfg->num_groups);
    return s->slot && s->bucket && s->group && s->has_group ? EGRET_OK : EGRET_ERR_MEMORY;
}

static void close_shadow(struct shadow *s)
{
    free(s->slot);
    free(s->bucket);
    free(s->group);
    free(s->has_group);
}

static void start_switch(struct shadow *s, struct fab_node *n)
{
    memset(s->slot, 0xff, (size_t)s->cfg->num_rows * s->cfg->row_len * sizeof *s->slot);
    memset(s->bucket, 0xff, s->cfg->num_buckets * sizeof *s->bucket);
    memset(s->has_group, 0, s->cfg->num_groups);
    s->staged = 0;
    s->node = n;
    s->capacity = 0;
}

static int append(struct shadow *s, uint32_t kind, uint32_t at, uint32_t data)
{
    struct fab_node *n = s->node;
    if (n->agenda_count == s->capacity) {
        size_t more = s->capacity ? s->capacity * 2u : 16u;
        s->bytes += (more - s->capacity) * sizeof *n->agenda;
        if (s->bytes > MAX_AGENDA_BYTES) {
            return EGRET_ERR_RANGE;
        }
        struct fab_agenda *a = realloc(n->agenda, more * sizeof *a);
        if (!a) {
            return EGRET_ERR_MEMORY;
        }
        n->agenda = a;
        s->capacity = more;
    }
    struct fab_agenda *a = &n->agenda[n->agenda_count++];
    a->time = s->time;
    a->at = at;
    a->data = data;
    a->kind = kind;
    return EGRET_OK;
}

/* Gives back what is beyond the last entry. */
static void fit(struct shadow *s)
{
    struct fab_node *n = s->node;
    struct fab_agenda *a = n->agenda_count ? realloc(n->agenda, n->agenda_count * sizeof *a) : NULL;
    if (a) {
        n->agenda = a;
        s->bytes -= (s->capacity - n->agenda_count) * sizeof *a;
    }
}

static int append_write(struct shadow *s, uint32_t addr, uint32_t data)
{
    return s->quiet ? EGRET_OK : append(s, EGRET_EV_WRITE, addr, data);
}

/* A group's words go together: all, or none if they are what they were. */
static int commit(struct shadow *s, uint32_t addr, uint32_t data)
{
    uint32_t g = (addr - EGRET_A_GROUP(0, 0)) / 8u;
    uint32_t *was = s->group[g];
    s->stage[0] = data;
    bool same = s->has_group[g] && memcmp(was, s->stage, sizeof s->stage) == 0;
    memcpy(was, s->stage, sizeof s->stage);
    s->has_group[g] = 1;
    int code = EGRET_OK;
    for (uint32_t w = 1; w < GROUP_WORDS && !same && code == EGRET_OK; w++) {
        if (s->staged >> w & 1u) {
            code = append_write(s, EGRET_A_GROUP_STAGE1 + w - 1u, s->stage[w]);
        }
    }
    memset(s->stage, 0, sizeof s->stage);
    s->staged = 0;
    return same || code != EGRET_OK ? code : append_write(s, addr, data);
}

static int emit(void *ctx, uint32_t addr, uint32_t data)
{
    struct shadow *s = ctx;
    uint16_t *was;
    if (addr >= EGRET_A_GROUP_STAGE1 && addr <= EGRET_A_GROUP_STAGE6) {
        uint32_t w = addr - EGRET_A_GROUP_STAGE1 + 1u;
        s->stage[w] = data;
        s->staged |= 1u << w;
        return EGRET_OK;
    }
    switch (addr >> 20) {
    case 0x1:
        return commit(s, addr, data);
    case 0x2:
        was = &s->bucket[addr & 0xffffu];
        break;
    default: /* bank 0 of the schedule */
        was = &s->slot[(addr >> 8 & 0xffu) * s->cfg->row_len + (addr & 0xffu)];
        break;
    }
    if (*was == data) {
        return EGRET_OK;
    }
    *was = (uint16_t)data;
    return append_write(s, addr, data);
}

/* ---- links ---- */

static void mark(struct fab_link *l, uint64_t at, uint64_t told)
{
    l->down_at = at;
    l->told_at = told;
    l->usual_ps = fab_link_usual(l);
}

static void mark_links(struct egret_fabric *f, uint32_t kind, const uint64_t *fail)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t ups = egret_fab_up_ports(t, kind);
    for (uint32_t i = 0; i < egret_fab_count(t, kind) * ups; i++) {
        if (fail[i] == FAB_NEVER) {
            continue;
        }
        const struct fab_node *n = &f->node[f->first_node[kind] + i / ups];
        struct fab_link *up = &f->link[n->first_link + n->first_up + i % ups];
        const struct fab_node *above = &f->node[up->node];
        uint64_t told = egret_fab_told(f, fail[i]);
        mark(up, fail[i], told);
        mark(&f->link[above->first_link + up->in], fail[i], told);
    }
}

/* ---- switches ---- */

static int port_events(const struct egret_fabric *f, struct shadow *s, uint32_t epoch)
{
    const struct fab_node *n = s->node;
    int code = EGRET_OK;
    for (uint32_t p = 0; p < n->ports && code == EGRET_OK; p++) {
        if (f->link[n->first_link + p].told_at == f->plan->known[epoch].time) {
            code = append(s, EGRET_EV_PORT, p, 0);
        }
    }
    return code;
}

/* Where destinations go by these vectors; null while all go the same way. */
static int routes(struct egret_fabric *f, const struct fab_node *n, const struct fab_vectors *v,
                  struct fab_reroute *out)
{
    out->up_group = NULL;
    out->up_members = NULL;
    if (fab_tier(f, n->kind)->rule == EGRET_RULE_JSQ) {
        uint64_t *m = egret_fab_keep(f->plan, v->keys * sizeof *m);
        for (uint32_t key = 0; key < v->keys && m; key++) {
            for (uint32_t u = 0; u < v->ups; u++) {
                m[key] |= (uint64_t)(v->weight[v->of_key[key]][u] != 0) << (n->first_up + u);
            }
        }
        out->up_members = m;
        return m ? EGRET_OK : EGRET_ERR_MEMORY;
    }
    if (v->count > 1u) {
        uint16_t *g = egret_fab_keep(f->plan, v->keys * sizeof *g);
        for (uint32_t key = 0; key < v->keys && g; key++) {
            g[key] = (uint16_t)fab_vector_group(n->first_up, v->of_key[key]);
        }
        out->up_group = g;
        return g ? EGRET_OK : EGRET_ERR_MEMORY;
    }
    return EGRET_OK;
}

static int tell_switch(struct egret_fabric *f, uint32_t node, struct shadow *s)
{
    struct fab_node *n = &f->node[node];
    struct fab_plan *plan = f->plan;
    uint32_t epochs = plan->epochs;
    bool jsq = fab_tier(f, n->kind)->rule == EGRET_RULE_JSQ;
    bool up = n->first_up < n->ports;
    struct fab_room room = egret_fab_room(f, n->kind);
    struct fab_reroute *r = up ? egret_fab_keep(plan, epochs * sizeof *r) : NULL;
    int code = up && !r ? EGRET_ERR_MEMORY : EGRET_OK;
    start_switch(s, n);
    for (uint32_t e = 0; e < epochs && code == EGRET_OK; e++) {
        const struct fab_known *known = &plan->known[e];
        s->time = known->time;
        s->quiet = e == 0;
        if (!jsq) {
            code = port_events(f, s, e);
        }
        if (!up || code != EGRET_OK) {
            continue;
        }
        egret_fab_vectors(&f->spec.topology, known, n->kind, n->index, &room, plan->vectors);
        if (!jsq) {
            code = egret_fab_up_tables(f, node, plan->vectors, emit, s);
        }
        r[e].time = known->time;
        code = code == EGRET_OK ? routes(f, n, plan->vectors, &r[e]) : code;
    }
    fit(s);
    if (code == EGRET_OK && up) {
        n->reroute = r;
        n->reroute_next = 0;
        n->reroute_count = epochs;
        fab_reroute(n); /* what is known from the start */
    }
    return code;
}

int egret_fab_failures(struct egret_fabric *f, struct egret_trace_error *err)
{
    int code = egret_fab_plan(f, err);
    if (code != EGRET_OK || !f->plan->edge_fail) {
        return code;
    }
    mark_links(f, FAB_EDGE, f->plan->edge_fail);
    mark_links(f, FAB_AGG, f->plan->agg_fail);
    uint64_t bytes = 0;
    for (uint32_t kind = FAB_EDGE; kind <= FAB_CORE && code == EGRET_OK; kind++) {
        struct shadow s;
        uint32_t count = egret_fab_count(&f->spec.topology, kind);
        if (count == 0) {
            continue;
        }
        code = open_shadow(&s, &f->plan->cfg[kind]); /* egret_fab_setup() has chosen it */
        s.bytes = bytes;
        for (uint32_t i = 0; i < count && code == EGRET_OK; i++) {
            code = tell_switch(f, f->first_node[kind] + i, &s);
        }
        bytes = s.bytes;
        close_shadow(&s);
    }
    if (code == EGRET_ERR_RANGE) {
        return egret_trace_fail(err, code,
                                "the writes after these failures would take more than 2 GiB");
    }
    return code == EGRET_OK ? code
                            : egret_trace_fail(err, code, "what switches are told of failures: %s",
                                               egret_strerror(code));
}
