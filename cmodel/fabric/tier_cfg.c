/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tier_cfg.c: hardware configurations of switches: the smallest that holds a tier's tables, or
 * whether a given one does; and how its tables are divided.
 */
#include <stdio.h>
#include <string.h>

#include "plan.h"

#define ALL_SCHEMES (((1u << (EGRET_NUM_SCHEMES + 1)) - 2u))
#define ROWS 64u          /* of uplinks, in a configuration of our own */
#define BUCKETS_A_PORT 8u /* likewise, for shares */
#define MAX_SHARES 1024u  /* buckets of a vector */
#define FLOWLETS 4096u    /* likewise, if nothing else is asked for */
#define MIN_FLOWLETS 16u
#define MAX_GROUPS 1024u
#define MAX_ROWS 256u
#define MAX_ROW_LEN 256u
#define MAX_BUCKETS 65536u

uint32_t egret_fab_scheme(const struct egret_fabric_tier *tier)
{
    return tier->rule == EGRET_RULE_SIMPLE_RR ? (uint32_t)EGRET_SCHEME_SPRAY_RR
           : tier->rule == EGRET_RULE_JSQ     ? (uint32_t)EGRET_SCHEME_NONE
                                              : tier->scheme;
}

bool egret_fab_uses_rows(const struct egret_fabric_tier *tier)
{
    uint32_t s = egret_fab_scheme(tier);
    return s == EGRET_SCHEME_SPRAY_RR || s == EGRET_SCHEME_DR;
}

bool egret_fab_uses_loads(const struct egret_fabric_tier *tier)
{
    uint32_t s = egret_fab_scheme(tier);
    return s == EGRET_SCHEME_SPRAY_QUALITY ||
           (s == EGRET_SCHEME_FLOWLET && tier->flowlet_path != EGRET_PATH_RANDOM);
}

bool egret_fab_hashes_acks(const struct egret_fabric_tier *tier)
{
    uint32_t s = egret_fab_scheme(tier);
    if (tier->acks == EGRET_ACKS_DEFAULT) {
        return s == EGRET_SCHEME_SPRAY_RR;
    }
    return tier->acks == EGRET_ACKS_HASHED && s != EGRET_SCHEME_NONE && s != EGRET_SCHEME_ECMP;
}

bool egret_fab_uses_shares(const struct egret_fabric_tier *tier)
{
    uint32_t s = egret_fab_scheme(tier);
    return s == EGRET_SCHEME_ECMP || s == EGRET_SCHEME_FLOWLET ||
           (egret_fab_hashes_acks(tier) && !egret_fab_uses_identity(tier));
}

bool egret_fab_uses_identity(const struct egret_fabric_tier *tier)
{
    uint32_t s = egret_fab_scheme(tier);
    return s == EGRET_SCHEME_ENTROPY || s == EGRET_SCHEME_FIXED || s == EGRET_SCHEME_SPRAY_QUALITY;
}

bool egret_fab_members_only(const struct egret_fabric_tier *tier)
{
    return !egret_fab_uses_rows(tier) && !egret_fab_uses_shares(tier);
}

static uint32_t ceil_pow2(uint32_t n)
{
    uint32_t p = 1;
    while (p < n) {
        p <<= 1;
    }
    return p;
}

static uint32_t floor_pow2(uint32_t n)
{
    uint32_t p = ceil_pow2(n);
    return p > n ? p / 2u : p; /* 0 for 0 */
}

/* ---- division of the tables ---- */

static int small(const char *what, uint32_t least, const char **param, uint32_t *need)
{
    *param = what;
    *need = least;
    return EGRET_ERR_RANGE;
}

/* Buckets that uplinks need at least. */
static uint32_t least_buckets(const struct egret_fabric_tier *tier, uint32_t up, uint32_t vectors)
{
    if (up == 0) {
        return 0;
    }
    return egret_fab_uses_shares(tier)     ? vectors * ceil_pow2(up)
           : egret_fab_uses_identity(tier) ? ceil_pow2(up)
                                           : 0;
}

int egret_fab_layout(const struct egret_fabric *f, const struct egret_cfg *cfg, uint32_t kind,
                     uint32_t vectors, uint32_t slots, struct fab_layout *out, const char **param,
                     uint32_t *need)
{
    const struct egret_fabric_tier *tier = fab_tier(f, kind);
    uint32_t down = egret_fab_down_ports(&f->spec.topology, kind);
    uint32_t up = egret_fab_up_ports(&f->spec.topology, kind);
    bool up_rows = up != 0 && egret_fab_uses_rows(tier);
    uint32_t rows = up_rows ? f->plan->most[kind] : 0;
    if (vectors + down > cfg->num_groups) {
        return small("NUM_GROUPS", vectors + down, param, need);
    }
    if (up_rows && slots > cfg->row_len) {
        return small("ROW_LEN", slots, param, need);
    }
    /* Down ports get rows if half of all, or more, are left. */
    out->down_rows = (cfg->schemes >> EGRET_SCHEME_SPRAY_RR & 1u) && down + rows <= cfg->num_rows &&
                     (!up_rows || 2u * down <= cfg->num_rows);
    uint32_t free_rows = cfg->num_rows - (out->down_rows ? down : 0);
    out->rows = up_rows ? floor_pow2(free_rows / vectors) : 0;
    if (up_rows && out->rows == 0) {
        return small("NUM_ROWS", vectors, param, need);
    }
    if (tier->rule == EGRET_RULE_SIMPLE_RR && up_rows) {
        out->rows = 1;
    }
    if (!out->down_rows && !(cfg->schemes >> EGRET_SCHEME_ECMP & 1u)) {
        return small(cfg->schemes >> EGRET_SCHEME_SPRAY_RR & 1u ? "NUM_ROWS" : "SCHEMES",
                     cfg->schemes >> EGRET_SCHEME_SPRAY_RR & 1u ? down + rows
                                                                : 1u << EGRET_SCHEME_ECMP,
                     param, need);
    }
    uint32_t least = least_buckets(tier, up, vectors);
    uint32_t down_buckets = out->down_rows ? 0 : down;
    if (least + down_buckets > cfg->num_buckets) {
        return small("NUM_BUCKETS", least + down_buckets, param, need);
    }
    out->down_base = out->down_rows ? cfg->num_rows - down : cfg->num_buckets - down;
    out->buckets = least;
    if (up != 0 && egret_fab_uses_shares(tier)) {
        out->buckets = floor_pow2((cfg->num_buckets - down_buckets) / vectors);
        out->buckets = out->buckets < MAX_SHARES ? out->buckets : MAX_SHARES;
    }
    return EGRET_OK;
}

/* ---- a configuration ---- */

static uint32_t at_most(uint32_t n, uint32_t max)
{
    return n < max ? n : max;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

struct fab_room egret_fab_room(const struct egret_fabric *f, uint32_t kind)
{
    const struct egret_fabric_tier *tier = fab_tier(f, kind);
    const struct egret_cfg *c = tier->cfg.name[0] ? &tier->cfg : NULL;
    struct fab_room room = {egret_fab_members_only(tier) ? 0 : UINT32_MAX, UINT32_MAX};
    if (egret_fab_uses_rows(tier)) {
        uint32_t down = egret_fab_down_ports(&f->spec.topology, kind);
        uint32_t groups = c ? c->num_groups : MAX_GROUPS;
        uint32_t rows = c ? c->num_rows : MAX_ROWS;
        bool down_rows = c ? !(c->schemes >> EGRET_SCHEME_ECMP & 1u) /* there are no buckets */
                           : !egret_fab_uses_shares(tier);
        room.slots = c ? c->row_len : MAX_ROW_LEN;
        room.vectors = at_most(groups > down ? groups - down : 0, !down_rows    ? rows
                                                                  : rows > down ? rows - down
                                                                                : 0);
        if (egret_fab_uses_shares(tier)) {
            uint32_t each = ceil_pow2(egret_fab_up_ports(&f->spec.topology, kind));
            room.vectors = at_most(room.vectors, (c ? c->num_buckets : MAX_BUCKETS) / each);
        }
    }
    return room;
}

/* Vectors and slots of the switch that needs most, at any time; and what is rounded. */
static void needs(const struct egret_fabric *f, uint32_t kind, uint32_t *vectors, uint32_t *slots)
{
    const struct egret_topology *t = &f->spec.topology;
    struct fab_plan *plan = f->plan;
    struct fab_vectors *v = plan->vectors;
    struct fab_room room = egret_fab_room(f, kind);
    *vectors = 1;
    *slots = egret_fab_up_ports(t, kind);
    for (uint32_t e = 0; e < plan->epochs && *slots; e++) {
        const struct fab_known *known = &plan->known[e];
        uint64_t rounded = 0;
        for (uint32_t i = 0; i < egret_fab_count(t, kind) && (known->edge || known->agg); i++) {
            egret_fab_vectors(t, known, kind, i, &room, v);
            *vectors = larger(v->count, *vectors);
            *slots = larger(v->slots, *slots);
            rounded += v->rounded;
            plan->oversub_ppm[kind] = larger(v->oversub_ppm, plan->oversub_ppm[kind]);
        }
        plan->rounded[kind] = rounded > plan->rounded[kind] ? rounded : plan->rounded[kind];
    }
}

/* The smallest powers of two; what does not fit is egret_fab_layout()'s to refuse. */
static void choose(const struct egret_fabric *f, uint32_t kind, uint32_t vectors, uint32_t slots,
                   struct egret_cfg *c)
{
    const struct egret_topology *t = &f->spec.topology;
    const struct egret_fabric_tier *tier = fab_tier(f, kind);
    uint32_t down = egret_fab_down_ports(t, kind), up = egret_fab_up_ports(t, kind);
    uint32_t scheme = egret_fab_scheme(tier);
    bool rows = up != 0 && egret_fab_uses_rows(tier);
    bool lookup3 = tier->hash.algorithm == EGRET_HASH_LOOKUP3;
    uint32_t up_rows = !rows ? 0 : tier->rule == EGRET_RULE_SIMPLE_RR ? 1 : ROWS;
    memset(c, 0, sizeof *c);
    (void)snprintf(c->name, sizeof c->name, "fabric-%s",
                   kind == FAB_EDGE  ? "edge"
                   : kind == FAB_AGG ? "agg"
                                     : "core");
    c->num_ports = down + up;
    c->num_groups = at_most(ceil_pow2(down + vectors), MAX_GROUPS);
    c->num_keys = up != 0 && scheme == EGRET_SCHEME_DR ? ceil_pow2(egret_fab_keys(t, kind)) : 1;
    c->num_bins = FAB_BINS;
    if (rows && vectors > up_rows) {
        up_rows = vectors;
    }
    c->num_rows = ceil_pow2(down + up_rows);
    if (rows && c->num_rows < 2u * down) { /* rows for uplinks in as many again */
        c->num_rows *= 2u;
    }
    c->num_rows = at_most(c->num_rows, MAX_ROWS);
    c->row_len = rows ? at_most(ceil_pow2(slots), MAX_ROW_LEN) : 1;
    if (c->row_len < FAB_DOWN_SLOTS) {
        c->row_len = FAB_DOWN_SLOTS;
    }
    c->num_buckets = ceil_pow2(least_buckets(tier, up, vectors));
    if (up != 0 && egret_fab_uses_shares(tier)) {
        uint32_t each = ceil_pow2(up) * BUCKETS_A_PORT;
        each = each < slots ? ceil_pow2(slots) : each;
        c->num_buckets = ceil_pow2(vectors * at_most(each, MAX_SHARES));
    }
    c->num_buckets = at_most(c->num_buckets, MAX_BUCKETS);
    c->hash_kind = lookup3 ? EGRET_HASH_KIND_LOOKUP3 : EGRET_HASH_KIND_MATRIX;
    c->schemes = ALL_SCHEMES;
    c->num_flowlets = MIN_FLOWLETS;
    if (up != 0 && scheme == EGRET_SCHEME_FLOWLET) {
        c->num_flowlets =
            tier->flowlet_entries
                ? at_most(ceil_pow2(at_most(tier->flowlet_entries, MAX_BUCKETS)), MAX_BUCKETS)
                : FLOWLETS;
        c->num_flowlets = c->num_flowlets < MIN_FLOWLETS ? MIN_FLOWLETS : c->num_flowlets;
    }
    c->rsp_depth = ceil_pow2(egret_cfg_latency(c) + 1u);
}

/* Schemes that the tier needs, and what is no table. */
static int check_rest(const struct egret_fabric *f, const struct egret_cfg *c, uint32_t kind,
                      const char **param, uint32_t *need)
{
    const struct egret_topology *t = &f->spec.topology;
    const struct egret_fabric_tier *tier = fab_tier(f, kind);
    uint32_t up = egret_fab_up_ports(t, kind), scheme = egret_fab_scheme(tier);
    uint32_t ports = egret_fab_down_ports(t, kind) + up;
    uint32_t schemes = 0;
    if (ports > c->num_ports) {
        return small("NUM_PORTS", ports, param, need);
    }
    if (c->num_bins < FAB_BINS) {
        return small("NUM_BINS", FAB_BINS, param, need);
    }
    if (up == 0) {
        return EGRET_OK;
    }
    if (scheme == EGRET_SCHEME_DR && egret_fab_keys(t, kind) > c->num_keys) {
        return small("NUM_KEYS", egret_fab_keys(t, kind), param, need);
    }
    schemes |= scheme == EGRET_SCHEME_NONE ? 0 : 1u << scheme;
    schemes |= egret_fab_uses_loads(tier) ? 1u << EGRET_SCHEME_SPRAY_QUALITY : 0;
    if ((schemes & c->schemes) != schemes) {
        return small("SCHEMES", schemes, param, need);
    }
    if (scheme == EGRET_SCHEME_FLOWLET && tier->flowlet_entries > c->num_flowlets) {
        return small("NUM_FLOWLETS", tier->flowlet_entries, param, need);
    }
    return EGRET_OK;
}

static int refuse_scheme(const struct egret_fabric *f, uint32_t kind, struct egret_trace_error *err)
{
    const struct egret_fabric_tier *tier = fab_tier(f, kind);
    if (tier->rule > EGRET_RULE_JSQ ||
        (tier->rule == EGRET_RULE_SCHEME && (egret_fab_scheme(tier) > EGRET_NUM_SCHEMES ||
                                             (egret_fab_scheme(tier) == EGRET_SCHEME_NONE &&
                                              egret_fab_up_ports(&f->spec.topology, kind) != 0)))) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: rule %u and scheme %u: there is no such",
                                egret_fab_kind_name(&f->spec.topology, kind), tier->rule,
                                tier->scheme);
    }
    return EGRET_OK;
}

int egret_fab_tier_cfg(struct egret_fabric *f, uint32_t kind, struct egret_cfg *out,
                       struct egret_trace_error *err)
{
    const char *param = NULL;
    uint32_t vectors, slots, need = 0;
    struct fab_layout layout;
    int code = egret_fab_plan(f, err);
    if (code == EGRET_OK) {
        code = refuse_scheme(f, kind, err);
    }
    if (code != EGRET_OK || f->plan->has_cfg[kind]) {
        *out = f->plan->cfg[kind];
        return code;
    }
    const char *name = egret_fab_kind_name(&f->spec.topology, kind);
    needs(f, kind, &vectors, &slots);
    f->plan->most[kind] = vectors;
    *out = fab_tier(f, kind)->cfg;
    bool given = out->name[0] != '\0';
    if (!given) {
        choose(f, kind, vectors, slots, out);
    }
    if (egret_cfg_check(out, &param) != EGRET_OK) {
        return egret_trace_fail(err, EGRET_ERR_CONFIG, "%s: configuration %s: %s is out of range",
                                name, out->name, param);
    }
    code = check_rest(f, out, kind, &param, &need);
    if (code == EGRET_OK && fab_tier(f, kind)->rule != EGRET_RULE_JSQ) {
        code = egret_fab_layout(f, out, kind, vectors, slots, &layout, &param, &need);
    }
    if (code != EGRET_OK) {
        return egret_trace_fail(err, code, "%s: %s%s is too small: %s of %u is needed%s", name,
                                given ? "configuration " : "the largest configuration",
                                given ? out->name : "", param, need,
                                vectors > 1u ? " with these failures" : "");
    }
    f->plan->cfg[kind] = *out;
    f->plan->has_cfg[kind] = true;
    return EGRET_OK;
}
