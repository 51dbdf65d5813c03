/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.c: the tables of one switch: rows, buckets and groups.
 *
 * Group 0 and those behind the down ports' hold uplinks, one for each vector of weights; group 1 +
 * p holds down port p alone, with a row of slots that are all p, which needs no hash.
 */
#include <string.h>

#include "plan.h"
#include "request.h"

static uint32_t seed_of(const struct egret_fabric *f, uint32_t node)
{
    return f->spec.seed ^ fab_switch_number(f, node);
}

/* Members of a vector; their number. */
static uint32_t members(const struct fab_node *n, const uint8_t *weight, uint32_t ups,
                        struct egret_member *out, uint64_t *mask)
{
    uint32_t count = 0;
    *mask = 0;
    for (uint32_t u = 0; u < ups; u++) {
        if (weight[u]) {
            out[count].port = n->first_up + u;
            out[count++].weight = weight[u];
            *mask |= 1ull << (n->first_up + u);
        }
    }
    return count;
}

static int rows(const struct egret_fabric *f, uint32_t node, const struct fab_layout *layout,
                uint32_t vector, const struct egret_member *member, uint32_t count,
                egret_emit_fn emit, void *ctx, uint32_t *last)
{
    const struct fab_node *n = &f->node[node];
    const struct egret_cfg *cfg = &f->plan->cfg[n->kind];
    uint8_t slot[256];
    size_t len = 0;
    if (fab_tier(f, n->kind)->rule != EGRET_RULE_SIMPLE_RR) {
        return egret_ctl_schedule(cfg, 0, vector * layout->rows, layout->rows, member, count,
                                  seed_of(f, node), emit, ctx, last);
    }
    int code = egret_iwrr(member, count, slot, cfg->row_len, &len);
    *last = (uint32_t)len - 1u;
    return code == EGRET_OK ? egret_ctl_row(cfg, 0, vector, slot, len, emit, ctx) : code;
}

static int shares(const struct egret_cfg *cfg, const struct fab_layout *layout, uint32_t vector,
                  const struct egret_member *member, uint32_t count, egret_emit_fn emit, void *ctx)
{
    struct egret_buckets b;
    uint8_t home[1024], now[1024];
    memset(&b, 0, sizeof b);
    b.base = vector * layout->buckets;
    b.count = layout->buckets;
    b.num_members = count;
    memcpy(b.member, member, count * sizeof *member);
    b.home = home;
    b.now = now;
    return egret_ctl_buckets(cfg, &b, emit, ctx);
}

/* What a group of uplinks has of its tier, whatever its members. */
static int up_group(const struct egret_fabric *f, const struct fab_node *n,
                    const struct fab_layout *layout, uint32_t vector, struct egret_group *g)
{
    const struct egret_fabric_tier *tier = fab_tier(f, n->kind);
    const struct egret_cfg *cfg = &f->plan->cfg[n->kind];
    memset(g, 0, sizeof *g);
    g->scheme = egret_fab_scheme(tier);
    if (layout->rows) {
        g->row_base = vector * layout->rows;
        g->row_mask = layout->rows - 1u;
        g->wraps =
            tier->rule == EGRET_RULE_SIMPLE_RR || g->scheme == EGRET_SCHEME_DR ? 0 : tier->wraps;
    }
    if (layout->buckets) {
        g->bucket_base = egret_fab_uses_shares(tier) ? vector * layout->buckets : 0;
        g->bucket_mask = layout->buckets - 1u;
    }
    if (egret_fab_hashes_acks(tier)) {
        g->ordered = EGRET_SCHEME_ECMP;
    }
    if (g->scheme == EGRET_SCHEME_ENTROPY) {
        g->entropy_offset = n->kind == FAB_EDGE ? FAB_ENTROPY_EDGE : FAB_ENTROPY_AGG;
    }
    if (g->scheme == EGRET_SCHEME_SPRAY_QUALITY) {
        g->drill_samples = tier->drill_samples;
        g->drill_memory = tier->drill_memory;
    }
    if (g->scheme == EGRET_SCHEME_FLOWLET) {
        uint32_t entries = tier->flowlet_entries ? tier->flowlet_entries : cfg->num_flowlets;
        g->by_quality = tier->flowlet_path != EGRET_PATH_RANDOM;
        g->strictly_better = tier->flowlet_path == EGRET_PATH_BETTER;
        return egret_ctl_flowlet(cfg, g, 0, entries, tier->flowlet_idle, NULL);
    }
    return EGRET_OK;
}

static int vector_tables(const struct egret_fabric *f, uint32_t node,
                         const struct fab_layout *layout, const struct fab_vectors *v, uint32_t i,
                         egret_emit_fn emit, void *ctx)
{
    const struct fab_node *n = &f->node[node];
    const struct egret_cfg *cfg = &f->plan->cfg[n->kind];
    struct egret_member member[EGRET_MAX_PORTS];
    struct egret_group g;
    uint64_t mask;
    uint32_t count = members(n, v->weight[i], v->ups, member, &mask);
    int code = up_group(f, n, layout, i, &g);
    if (code == EGRET_OK && layout->rows && count) {
        code = rows(f, node, layout, i, member, count, emit, ctx, &g.last);
    }
    if (code == EGRET_OK && egret_fab_uses_shares(fab_tier(f, n->kind)) && count) {
        code = shares(cfg, layout, i, member, count, emit, ctx);
    }
    g.members = mask;
    return code == EGRET_OK ? egret_ctl_group(cfg, fab_vector_group(n->first_up, i), &g, emit, ctx)
                            : code;
}

int egret_fab_up_tables(const struct egret_fabric *f, uint32_t node, const struct fab_vectors *v,
                        egret_emit_fn emit, void *ctx)
{
    const struct fab_node *n = &f->node[node];
    struct fab_layout layout;
    const char *param;
    uint32_t need;
    if (v->ups == 0) {
        return EGRET_OK;
    }
    int code = egret_fab_layout(f, &f->plan->cfg[n->kind], n->kind, v->count, v->slots, &layout,
                                &param, &need);
    if (code == EGRET_OK && egret_fab_uses_identity(fab_tier(f, n->kind))) {
        for (uint32_t i = 0; i < layout.buckets && code == EGRET_OK; i++) {
            code = emit(ctx, EGRET_A_BUCKET(i), n->first_up + i % v->ups);
        }
    }
    for (uint32_t i = 0; i < v->count && code == EGRET_OK; i++) {
        code = vector_tables(f, node, &layout, v, i, emit, ctx);
    }
    return code;
}

int egret_fab_down_tables(const struct egret_fabric *f, uint32_t node, egret_emit_fn emit,
                          void *ctx)
{
    const struct fab_node *n = &f->node[node];
    const struct egret_cfg *cfg = &f->plan->cfg[n->kind];
    struct fab_layout layout;
    struct egret_group g;
    const char *param;
    uint32_t need;
    int code = egret_fab_layout(f, cfg, n->kind, 1, 1, &layout, &param, &need);
    memset(&g, 0, sizeof g);
    for (uint32_t p = 0; p < n->first_up && code == EGRET_OK; p++) {
        if (layout.down_rows) { /* slots all alike: a pointer that wraps seldom is quicker */
            uint8_t slot[FAB_DOWN_SLOTS];
            uint32_t slots = cfg->row_len < FAB_DOWN_SLOTS ? cfg->row_len : FAB_DOWN_SLOTS;
            memset(slot, (int)p, slots);
            g.scheme = EGRET_SCHEME_SPRAY_RR;
            g.row_base = layout.down_base + p;
            g.last = slots - 1u;
            code = egret_ctl_row(cfg, 0, g.row_base, slot, slots, emit, ctx);
        } else {
            g.scheme = EGRET_SCHEME_ECMP;
            g.bucket_base = layout.down_base + p;
            code = emit(ctx, EGRET_A_BUCKET(g.bucket_base), p);
        }
        g.members = 1ull << p;
        if (code == EGRET_OK) {
            code = egret_ctl_group(cfg, 1u + p, &g, emit, ctx);
        }
    }
    return code;
}
