/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every pair is reached over the fewest hops, whatever the scheme; what the tables hold; refusals.
 */
#include "fabric_build.h"

static struct trace_test t;

static uint32_t shortest(const struct egret_topology *p, uint32_t src, uint32_t dst)
{
    uint32_t from = src / p->hosts_per_edge, to = dst / p->hosts_per_edge;
    return from == to ? 2u : from / p->edges_per_pod == to / p->edges_per_pod ? 4u : 6u;
}

/* All pairs, or of large fabrics every `step`-th. */
static void all_pairs(struct egret_fabric *f, uint32_t step)
{
    struct egret_trace_error err = {""};
    uint32_t bad = 0, walks = 0;
    int code = fabric_up(f, &err);
    if (!CHECK(&t, code == EGRET_OK)) {
        printf("%s: %s\n", f->spec.topology_name, err.text);
        egret_fab_teardown(f);
        return;
    }
    for (uint64_t i = 0; i < (uint64_t)f->spec.topology.hosts * f->spec.topology.hosts; i += step) {
        struct fab_packet p = fabric_packet((uint32_t)(i / f->spec.topology.hosts),
                                            (uint32_t)(i % f->spec.topology.hosts), (uint32_t)i);
        if (p.src != p.dst) {
            walks++;
            bad += fabric_walk(f, &p) != shortest(&f->spec.topology, p.src, p.dst);
        }
    }
    if (!CHECK(&t, bad == 0 && walks > 0)) {
        printf("%s, scheme %u: %u of %u pairs\n", f->spec.topology_name, f->spec.tier[0].scheme,
               bad, walks);
    }
    egret_fab_teardown(f);
}

static void reach(void)
{
    static const struct {
        const char *name;
        uint32_t step;
    } some[] = {{"fat-tree:2", 1},           {"fat-tree:4", 1},       {"fat-tree:6", 1},
                {"fat-tree:8,oversub=2", 7}, {"leaf-spine:5,3,4", 1}, {"leaf-spine:64,1,1", 3}};
    struct egret_fabric f;
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
            fabric_spec(&f, some[i].name, scheme);
            all_pairs(&f, some[i].step);
        }
        fabric_spec(&f, some[i].name, EGRET_SCHEME_DR);
        f.spec.tier[0].rule = f.spec.tier[1].rule = EGRET_RULE_SIMPLE_RR;
        all_pairs(&f, some[i].step);
    }
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_FLOWLET);
    f.spec.tier[0].flowlet_path = EGRET_PATH_BETTER;
    f.spec.tier[1].flowlet_entries = 64;
    all_pairs(&f, 1);
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_ECMP);
    f.spec.tier[0].hash.algorithm = EGRET_HASH_LOOKUP3;
    all_pairs(&f, 1);
    /* given configurations: without spray-rr for the down ports, and with few rows */
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    CHECK(&t, egret_cfg_named("tiny", &f.spec.tier[0].cfg) == EGRET_OK);
    f.spec.tier[0].hash.algorithm = EGRET_HASH_CRC32C;
    all_pairs(&f, 1);
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_ECMP);
    for (unsigned i = 0; i < 3u; i++) {
        CHECK(&t, egret_cfg_named("tor64", &f.spec.tier[i].cfg) == EGRET_OK);
        f.spec.tier[i].cfg.schemes = 1u << EGRET_SCHEME_ECMP;
        f.spec.tier[i].cfg.num_flowlets = 0;
    }
    all_pairs(&f, 1);
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
    CHECK(&t, egret_cfg_named("lab", &f.spec.tier[0].cfg) == EGRET_OK);
    f.spec.tier[0].cfg.num_rows = 4; /* fewer than 4 down rows beside them */
    all_pairs(&f, 1);
}

/* Data to one far edge: dr gives each uplink one packet in turn, in each run of as many as there
 * are uplinks; the rows are permutations, and switches have different ones. */
static void rotation(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    char order[32][9] = {{0}};
    for (uint32_t e = 0; e < 31u; e++) {
        const struct fab_node *n = &f.node[f.first_node[FAB_EDGE] + e];
        for (uint32_t i = 0; i < 8u; i++) {
            struct fab_packet p = fabric_packet(e * 4u, 127, i);
            order[e][i] = (char)('0' + fabric_decide(&f, n, &p));
        }
        CHECK(&t, memcmp(order[e], order[e] + 4, 4) == 0);
        for (char port = '4'; port <= '7'; port++) {
            CHECK(&t, memchr(order[e], port, 4) != NULL);
        }
    }
    uint32_t alike = 0;
    for (uint32_t e = 1; e < 31u; e++) {
        alike += strcmp(order[e], order[0]) == 0;
    }
    CHECK(&t, alike < 10u); /* 30 / 24 on average */
    alike = 0;              /* rows themselves: 64 / 24 are alike on average */
    for (uint32_t row = 0; row < 64u; row++) {
        uint32_t same = 0;
        for (uint32_t slot = 0; slot < 4u; slot++) {
            struct egret_event ev = {0};
            struct egret_decision d[2];
            ev.kind = EGRET_EV_READ;
            ev.addr = EGRET_A_SCHEDULE(0, row, slot);
            for (uint32_t e = 0; e < 2u; e++) {
                const struct fab_node *n = &f.node[f.first_node[FAB_EDGE] + e];
                (void)n->ops->apply(n->self, &ev, &d[e]);
            }
            same += d[0].data == d[1].data;
        }
        alike += same == 4u;
    }
    CHECK(&t, alike < 12u);
    alike = 0; /* and one switch different ones for different destinations: 28 / 24 */
    char first[5] = "";
    for (uint32_t e = 4; e < 32u; e++) {
        char row[5] = "";
        for (uint32_t i = 0; i < 4u; i++) {
            struct fab_packet p = fabric_packet(0, e * 4u, i);
            p.flags = FAB_ACK; /* pointers of the other bin, at their start */
            row[i] = (char)('0' + fabric_decide(&f, &f.node[f.first_node[FAB_EDGE]], &p));
        }
        alike += strcmp(row, first) == 0;
        if (e == 4u) {
            memcpy(first, row, sizeof first);
        }
    }
    CHECK(&t, alike < 10u);
    egret_fab_teardown(&f);

    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_NONE);
    f.spec.tier[0].rule = f.spec.tier[1].rule = EGRET_RULE_SIMPLE_RR;
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    for (uint32_t e = 0; e < 31u; e++) { /* one order for all, whatever the destination */
        for (uint32_t i = 0; i < 9u; i++) {
            struct fab_packet p = fabric_packet(e * 4u, 124u + i % 4u, i);
            const struct fab_node *n = &f.node[f.first_node[FAB_EDGE] + e];
            CHECK(&t, fabric_decide(&f, n, &p) == 4u + i % 4u);
        }
    }
    egret_fab_teardown(&f);
}

/* DRB's entropy is the path: the edge's uplink, the aggregation switch's. */
static void entropy(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_ENTROPY);
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    for (uint32_t i = 0; i < 16u; i++) {
        struct fab_packet p = fabric_packet(0, 127, 0);
        p.entropy = i % 4u | i / 4u << 16;
        CHECK(&t, fabric_decide(&f, &f.node[f.first_node[FAB_EDGE]], &p) == 4u + i % 4u);
        CHECK(&t, fabric_decide(&f, &f.node[f.first_node[FAB_AGG]], &p) == 4u + i / 4u);
    }
    egret_fab_teardown(&f);
}

struct seen {
    struct egret *model;
    uint64_t writes, illegal, sum;
    const struct egret_cfg *cfg;
};
static int look(void *ctx, uint32_t addr, uint32_t data)
{
    struct seen *s = ctx;
    s->writes++;
    s->illegal += egret_ctl_check_write(s->cfg, addr, data, NULL) != EGRET_OK;
    s->sum = (s->sum ^ ((uint64_t)addr << 32 | data)) * 1099511628211ull;
    return egret_emit_apply(s->model, addr, data);
}

/* The writes are legal, the same each time, differ between switches, and a selector that gets them
 * decides as the fabric's. */
static void writes(uint32_t scheme)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    fabric_spec(&f, "fat-tree:4", scheme);
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    uint64_t before = 0;
    for (uint32_t node = f.first_node[FAB_EDGE]; node < f.nodes; node++) {
        struct egret_cfg cfg;
        struct seen a = {0}, b = {0};
        CHECK(&t, egret_fab_tier_cfg(&f, f.node[node].kind, &cfg, &err) == EGRET_OK);
        a.cfg = b.cfg = &cfg;
        CHECK(&t, egret_create(&cfg, &a.model) == EGRET_OK);
        CHECK(&t, egret_create(&cfg, &b.model) == EGRET_OK);
        CHECK(&t, egret_fab_switch_writes(&f, node, look, &a, &err) == EGRET_OK);
        CHECK(&t, egret_fab_switch_writes(&f, node, look, &b, &err) == EGRET_OK);
        CHECK(&t, a.illegal == 0 && a.writes > 10u && a.sum == b.sum && a.sum != before);
        before = a.sum;
        struct fab_node twin = f.node[node];
        twin.self = a.model;
        for (uint32_t i = 0; i < 64u; i++) {
            struct fab_packet p = fabric_packet(i % 16u, i * 7u % 16u, i);
            CHECK(&t, fabric_decide(&f, &twin, &p) == fabric_decide(&f, &f.node[node], &p));
        }
        egret_destroy(a.model);
        egret_destroy(b.model);
    }
    egret_fab_teardown(&f);
}

static void ticks(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_SPRAY_QUALITY);
    f.spec.tier[1].scheme = EGRET_SCHEME_DR;
    f.spec.tier[0].load.period_ns = 250;
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    const struct fab_node *edge = &f.node[f.first_node[FAB_EDGE]];
    CHECK(&t, edge->next_tick == 250000 && edge->tick_ps == 250000);
    CHECK(&t, f.node[f.first_node[FAB_AGG]].next_tick == FAB_NEVER);
    CHECK(&t, f.node[f.first_node[FAB_CORE]].next_tick == FAB_NEVER); /* no uplinks */
    egret_fab_teardown(&f);
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.tier[0].rule = EGRET_RULE_JSQ;
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    CHECK(&t, f.node[f.first_node[FAB_EDGE]].ops == NULL && f.node[f.first_node[FAB_AGG]].ops);
    egret_fab_teardown(&f);
}

static struct egret_selector_ops other;

static void selectors(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    uint8_t use[20] = {0};
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    other = *egret_model_selector();
    use[0] = use[8] = use[19] = 1; /* the first edge, the first aggregation switch, the last core */
    for (unsigned i = 0; i < 3u; i++) {
        f.spec.tier[i].ops = &other;
    }
    f.spec.use_ops = use;
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    for (uint32_t i = 0; i < 20u; i++) {
        CHECK(&t, (f.node[f.first_node[FAB_EDGE] + i].ops == &other) == (use[i] != 0));
    }
    egret_fab_teardown(&f);
}

/* A configuration named lab with one parameter changed. */
static int too_small(uint32_t scheme, size_t offset, uint32_t value, const char *text)
{
    struct egret_fabric f;
    fabric_spec(&f, "fat-tree:8", scheme);
    (void)egret_cfg_named("lab", &f.spec.tier[0].cfg);
    memcpy((char *)&f.spec.tier[0].cfg + offset, &value, sizeof value);
    return fabric_refused(&f, text);
}

static void refusals(void)
{
    struct egret_fabric f;
    struct egret_cfg c;
#define SMALL(scheme, member, value, text)                                                         \
    CHECK(&t, too_small(scheme, (size_t)((char *)&c.member - (char *)&c), value, text))
    SMALL(EGRET_SCHEME_DR, num_ports, 7,
          "edge switch: configuration lab is too small: NUM_PORTS of 8");
    SMALL(EGRET_SCHEME_DR, num_groups, 4, "NUM_GROUPS of 5");
    SMALL(EGRET_SCHEME_DR, num_keys, 16, "NUM_KEYS of 32");
    SMALL(EGRET_SCHEME_DR, num_bins, 1, "NUM_BINS of 2");
    SMALL(EGRET_SCHEME_DR, row_len, 2, "ROW_LEN of 4");
    SMALL(EGRET_SCHEME_ECMP, num_buckets, 2, "NUM_BUCKETS of 4");
    SMALL(EGRET_SCHEME_DR, schemes, 0x1f6, "SCHEMES");
    SMALL(EGRET_SCHEME_DR, num_rows, 3, "NUM_ROWS is out of range");
#undef SMALL
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_FLOWLET);
    (void)egret_cfg_named("lab", &f.spec.tier[0].cfg);
    f.spec.tier[0].flowlet_entries = 2048;
    CHECK(&t, fabric_refused(&f, "NUM_FLOWLETS of 2048"));
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_ECMP);
    (void)egret_cfg_named("lab_lookup3", &f.spec.tier[0].cfg);
    CHECK(&t, fabric_refused(&f, "edge switch 0: its hash cannot be written: algorithm"));
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_SPRAY_QUALITY);
    f.spec.tier[1].load.period_ns = 0;
    CHECK(&t, fabric_refused(&f, "aggregation switch 0: its port loads cannot be written: period"));
    fabric_spec(&f, "fat-tree:8", 9);
    CHECK(&t, fabric_refused(&f, "scheme 9"));
}

/* Every table as small as it can be, but for the 8 slots of a down port: k = 8, edges. */
static void own_cfg(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    struct egret_cfg c;
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, egret_fab_tier_cfg(&f, FAB_EDGE, &c, &err) == EGRET_OK);
    CHECK(&t, c.num_ports == 8 && c.num_groups == 8 && c.num_keys == 32 && c.num_bins == 2);
    CHECK(&t, c.row_len == 8 && c.num_buckets == 1 && c.num_flowlets == 16 && c.parity == 0);
    CHECK(&t, c.hash_kind == EGRET_HASH_KIND_MATRIX && c.schemes == 0x1fe);
    CHECK(&t, egret_fab_tier_cfg(&f, FAB_CORE, &c, &err) == EGRET_OK);
    CHECK(&t, c.num_ports == 8 && c.num_groups == 16 && c.num_rows == 8 && c.row_len == 8);
    egret_fab_teardown(&f);
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, egret_fab_tier_cfg(&f, FAB_AGG, &c, &err) == EGRET_OK && c.num_keys == 8);
    egret_fab_teardown(&f);
}

int main(int argc, char **argv)
{
    if (argc > 1) { /* one large fabric: a topology and a scheme */
        struct egret_fabric f;
        fabric_spec(&f, argv[1], argc > 2 ? (uint32_t)atoi(argv[2]) : (uint32_t)EGRET_SCHEME_DR);
        all_pairs(&f, 10000019);
        return trace_result(&t);
    }
    reach();
    rotation();
    entropy();
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        writes(scheme);
    }
    ticks();
    selectors();
    own_cfg();
    refusals();
    return trace_result(&t);
}
