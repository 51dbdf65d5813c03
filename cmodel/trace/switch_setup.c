/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switch_setup.c: the configuration writes of one switch of a fabric (docs/trace.md).
 *
 * Group 0 holds all uplinks with the scheme asked for; group 1 + p holds down port p alone. The
 * uplinks' buckets come first in the bucket table, then one bucket for each down port.
 */
#include <string.h>

#include "loads.h"
#include "traffic.h"

#define MAX_UP_BUCKETS 1024u
#define HOST_MASK 0xffffffffu
#define EDGE_MASK 0xffffff00u
#define POD_MASK 0xffff0000u

uint32_t egret_switch_number(const struct egret_topology *t, bool agg, uint32_t index)
{
    return agg ? egret_topology_edges(t) + index : index;
}

uint32_t egret_switch_down_ports(const struct egret_topology *t, bool agg)
{
    return agg ? t->edges_per_pod : t->hosts_per_edge;
}

uint32_t egret_switch_up_ports(const struct egret_topology *t, bool agg)
{
    return agg ? t->agg_uplinks : t->aggs_per_pod;
}

uint32_t egret_switch_up_buckets(const struct egret_cfg *cfg)
{
    return cfg->num_buckets / 2u < MAX_UP_BUCKETS ? cfg->num_buckets / 2u : MAX_UP_BUCKETS;
}

uint32_t egret_switch_wraps(unsigned scheme)
{
    return scheme == EGRET_SCHEME_SPRAY_RR ? 5 : 0;
}

static uint32_t edge_prefix(const struct egret_topology *t, uint32_t edge)
{
    return 10u << 24 | (edge / t->edges_per_pod) << 16 | (edge % t->edges_per_pod) << 8;
}

void egret_switch_host_address(const struct egret_topology *t, uint32_t host,
                               struct frame_address *out)
{
    uint32_t a = edge_prefix(t, host / t->hosts_per_edge) + host % t->hosts_per_edge + 2u;
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < 4u; i++) {
        out->bytes[i] = (uint8_t)(a >> (24u - 8u * i));
    }
}

static const char *exceeds(const struct egret_topology *t, const struct egret_make *m, bool agg)
{
    const struct egret_cfg *c = &m->cfg;
    uint32_t down = egret_switch_down_ports(t, agg);
    uint32_t up = egret_switch_up_ports(t, agg);
    uint32_t keys = agg ? t->pods : egret_topology_edges(t);
    if (down + up > c->num_ports) {
        return "NUM_PORTS";
    }
    if (down + 1u > c->num_groups) {
        return "NUM_GROUPS";
    }
    if (egret_make_uses(m, EGRET_SCHEME_DR) && keys > c->num_keys) {
        return "NUM_KEYS";
    }
    if (m->classes ? egret_classmap_check(m->classes, c->num_bins, NULL) != EGRET_OK
                   : c->num_bins < 2u) {
        return "NUM_BINS";
    }
    if (up > c->row_len) {
        return "ROW_LEN";
    }
    if (!(c->schemes >> m->scheme & 1u) ||
        (m->keep_order && !(c->schemes >> m->ordered_scheme & 1u))) {
        return "SCHEMES";
    }
    if (egret_make_uses(m, EGRET_SCHEME_FLOWLET)) {
        if (m->flowlet_entries > c->num_flowlets) {
            return "NUM_FLOWLETS";
        }
        if (m->flowlet_path != EGRET_PATH_RANDOM &&
            !(c->schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u)) {
            return "SCHEMES";
        }
    }
    if (up > egret_switch_up_buckets(c) || down > c->num_buckets - egret_switch_up_buckets(c)) {
        return "NUM_BUCKETS";
    }
    return NULL;
}

const char *egret_make_exceeds(const struct egret_topology *t, const struct egret_make *m)
{
    const char *edge = exceeds(t, m, false);
    return edge || !m->at_agg ? edge : exceeds(t, m, true);
}

static uint32_t up_members(const struct egret_topology *t, bool agg, struct egret_member *member)
{
    uint32_t n = egret_switch_up_ports(t, agg);
    for (uint32_t i = 0; i < n; i++) {
        member[i].port = egret_switch_down_ports(t, agg) + i;
        member[i].weight = 1;
    }
    return n;
}

static void check(struct gen *g, int code)
{
    if (code && !g->code) {
        g->code = code;
    }
}

void egret_switch_schedule_row(struct gen *g, const struct egret_topology *t, bool agg,
                               uint32_t bank, uint32_t row, uint32_t seed)
{
    struct egret_member member[EGRET_MAX_PORTS];
    uint32_t n = up_members(t, agg, member);
    check(g, egret_ctl_schedule(g->cfg, bank, row, 1, member, n, seed, egret_gen_emit, g, NULL));
}

/* Bits of an entropy slice that reaches n members, and the number of its values. */
static uint32_t entropy_bits(uint32_t n)
{
    uint32_t bits = 0;
    while (1u << bits < n) {
        bits++;
    }
    return bits;
}

static uint32_t entropy_span(uint32_t n)
{
    return 1u << entropy_bits(n);
}

void egret_switch_up_group(struct gen *g, const struct egret_topology *t,
                           const struct egret_make *m, bool agg, uint32_t bank, uint32_t wraps)
{
    struct egret_group group;
    uint32_t up = egret_switch_up_ports(t, agg);
    memset(&group, 0, sizeof group);
    group.scheme = m->scheme;
    group.bank = bank;
    group.wraps = wraps;
    group.last = up - 1u;
    group.row_mask = g->cfg->num_rows - 1u;
    group.bucket_mask = egret_switch_up_buckets(g->cfg) - 1u;
    group.ordered = m->keep_order ? m->ordered_scheme : 0;
    if (egret_make_uses(m, EGRET_SCHEME_ENTROPY)) { /* a bucket a member; each tier its own slice */
        group.bucket_mask = entropy_span(up) - 1u;
        group.entropy_offset =
            agg != m->entropy_swap ? entropy_bits(egret_switch_up_ports(t, !agg)) : 0;
    }
    if (egret_make_uses(m, EGRET_SCHEME_FLOWLET)) {
        uint32_t entries = m->flowlet_entries != 0 ? m->flowlet_entries : g->cfg->num_flowlets;
        check(g, egret_ctl_flowlet(g->cfg, &group, 0, entries, m->flowlet_idle, NULL));
        group.by_quality = m->flowlet_path != EGRET_PATH_RANDOM;
        group.strictly_better = m->flowlet_path == EGRET_PATH_BETTER;
    }
    group.drill_samples = m->drill_samples;
    group.drill_memory = m->drill_memory;
    group.members = ((1ull << up) - 1u) << egret_switch_down_ports(t, agg);
    check(g, egret_ctl_group(g->cfg, 0, &group, egret_gen_emit, g));
}

static void tables(struct gen *g, const struct egret_topology *t, const struct egret_make *m,
                   bool agg, uint32_t seed)
{
    struct egret_buckets buckets;
    struct egret_group group;
    uint8_t home[MAX_UP_BUCKETS];
    uint8_t now[MAX_UP_BUCKETS];
    uint32_t down = egret_switch_down_ports(t, agg);
    memset(&buckets, 0, sizeof buckets);
    buckets.count = egret_switch_up_buckets(g->cfg);
    buckets.home = home;
    buckets.now = now;
    buckets.num_members = up_members(t, agg, buckets.member);
    check(g, egret_ctl_buckets(g->cfg, &buckets, egret_gen_emit, g));
    if (egret_make_uses(m, EGRET_SCHEME_ENTROPY)) {
        for (uint32_t i = 0; i < entropy_span(buckets.num_members); i++) {
            egret_gen_write(g, EGRET_A_BUCKET(i), buckets.member[i % buckets.num_members].port);
        }
    }
    for (uint32_t bank = 0; bank < (m->stress ? 2u : 1u); bank++) {
        for (uint32_t row = 0; row < g->cfg->num_rows; row++) {
            egret_switch_schedule_row(g, t, agg, bank, row, seed + bank);
        }
    }
    egret_switch_up_group(g, t, m, agg, 0, egret_switch_wraps(m->scheme));
    memset(&group, 0, sizeof group);
    group.scheme = EGRET_SCHEME_ECMP;
    for (uint32_t p = 0; p < down; p++) {
        group.bucket_base = buckets.count + p;
        group.members = 1ull << p;
        egret_gen_write(g, EGRET_A_BUCKET(group.bucket_base), p);
        check(g, egret_ctl_group(g->cfg, 1u + p, &group, egret_gen_emit, g));
    }
}

static void mask(struct gen *g, uint32_t bits)
{
    egret_gen_write(g, EGRET_A_FRONT_ROUTE_MASK(0), bits);
}

static void route(struct gen *g, uint32_t *n, uint32_t value, uint32_t group, uint32_t key)
{
    egret_gen_write(g, EGRET_A_FRONT_ROUTE_VALUE(0), value);
    egret_gen_write(g, EGRET_A_FRONT_ROUTE((*n)++), key << 16 | group);
}

static void edge_routes(struct gen *g, const struct egret_topology *t, uint32_t edge)
{
    uint32_t n = 0;
    mask(g, HOST_MASK);
    for (uint32_t h = 0; h < t->hosts_per_edge; h++) {
        route(g, &n, edge_prefix(t, edge) + h + 2u, 1u + h, edge);
    }
    mask(g, EDGE_MASK);
    for (uint32_t e = 0; e < egret_topology_edges(t); e++) {
        if (e != edge) {
            route(g, &n, edge_prefix(t, e), 0, e);
        }
    }
}

static void agg_routes(struct gen *g, const struct egret_topology *t, uint32_t pod)
{
    uint32_t n = 0;
    mask(g, EDGE_MASK);
    for (uint32_t e = 0; e < t->edges_per_pod; e++) {
        route(g, &n, edge_prefix(t, pod * t->edges_per_pod + e), 1u + e, pod);
    }
    mask(g, POD_MASK);
    for (uint32_t p = 0; p < t->pods; p++) {
        if (p != pod) {
            route(g, &n, 10u << 24 | p << 16, 0, p);
        }
    }
}

/* A class map of the user's. */
static void own_classes(struct gen *g, const struct egret_make *m)
{
    const struct egret_classmap *map = m->classes;
    egret_gen_write(g, EGRET_A_FRONT_SHORT, map->short_below);
    check(g, egret_ctl_class_ordered(g->cfg, m->class_ordered, egret_gen_emit, g));
    egret_gen_write(g, EGRET_A_FRONT_ENTROPY, m->class_entropy);
    for (uint32_t i = 0; i < map->num_thresholds; i++) {
        egret_gen_write(g, EGRET_A_FRONT_THRESHOLD(i), map->threshold[i]);
    }
    egret_gen_write(g, EGRET_A_FRONT_THRESHOLDS, map->num_thresholds);
    egret_gen_write(g, EGRET_A_FRONT_ACK_BIN, map->ack_bin);
    for (uint32_t op = 0; op < 256u; op++) {
        if (map->opcode[op]) {
            egret_gen_write(g, EGRET_A_FRONT_OPCODE(op), map->opcode[op]);
        }
    }
}

/* Two bins: acknowledgements 0, data 1. With same_pointer everything is 1. And what keeps order. */
static void class_map(struct gen *g, const struct egret_make *m)
{
    struct egret_classmap map;
    if (m->classes) {
        own_classes(g, m);
        return;
    }
    if (m->keep_order) {
        egret_classmap_rdma(&map);
        egret_gen_write(g, EGRET_A_FRONT_SHORT, m->ordered_below);
        uint32_t classes =
            m->ordered_below ? EGRET_CLASSES_ORDERED_SHORT : EGRET_CLASSES_ORDERED;
        check(g, egret_ctl_class_ordered(g->cfg, classes, egret_gen_emit, g));
    } else {
        egret_classmap_default(&map);
    }
    egret_gen_write(g, EGRET_A_FRONT_ENTROPY, EGRET_ENTROPY_SOURCE_PORT);
    egret_gen_write(g, EGRET_A_FRONT_THRESHOLD(0), m->same_pointer ? 0 : map.threshold[0]);
    egret_gen_write(g, EGRET_A_FRONT_THRESHOLDS, 1);
    egret_gen_write(g, EGRET_A_FRONT_ACK_BIN, m->same_pointer ? 1 : map.ack_bin);
    for (uint32_t op = 0; op < 256u; op++) {
        if (map.opcode[op]) {
            egret_gen_write(g, EGRET_A_FRONT_OPCODE(op), map.opcode[op]);
        }
    }
}

void egret_switch_setup(struct gen *g, const struct egret_topology *t, const struct egret_make *m,
                        bool agg, uint32_t index)
{
    uint32_t seed = m->seed ^ egret_switch_number(t, agg, index);
    struct egret_hash_setup hash = m->hash;
    hash.seed ^= seed;
    hash.rotation = (hash.rotation + (agg ? m->agg_rotation : 0)) & 31u;
    check(g, egret_ctl_hash(g->cfg, &hash, egret_gen_emit, g, NULL));
    check(g, egret_ctl_draw_seed(g->cfg, seed, egret_gen_emit, g));
    if (m->scheme == EGRET_SCHEME_SPRAY_RANDOM || m->scheme == EGRET_SCHEME_SPRAY_QUALITY ||
        egret_make_uses(m, EGRET_SCHEME_FLOWLET)) {
        check(g, egret_ctl_random_seed(g->cfg, seed, egret_gen_emit, g));
    }
    if (m->loads) {
        egret_loads_setup(g, t, m, agg);
    }
    tables(g, t, m, agg, seed);
    class_map(g, m);
    egret_gen_write(g, EGRET_A_FRONT_DEFAULT, 0);
    egret_gen_write(g, EGRET_A_FRONT_ROUTE_FAMILY, 4);
    if (m->same_pointer) {
        uint32_t n = 0;
        mask(g, 0);
        route(g, &n, 0, 0, g->cfg->num_keys > 1u);
    } else if (agg) {
        agg_routes(g, t, index / t->aggs_per_pod);
    } else {
        edge_routes(g, t, index);
    }
}
