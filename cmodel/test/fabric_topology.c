/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wiring, latencies, places and addresses against what is counted by hand.
 */
#include "fabric_build.h"

static struct trace_test t;

static const struct fab_link *port(const struct egret_fabric *f, uint32_t node, uint32_t p)
{
    return &f->link[f->node[node].first_link + p];
}

/* Each link has its way back, and each port its link. */
static void check_cables(const struct egret_fabric *f)
{
    uint32_t ports = 0, bad = 0;
    for (uint32_t i = 0; i < f->nodes; i++) {
        for (uint32_t p = 0; p < f->node[i].ports; p++, ports++) {
            const struct fab_link *l = port(f, i, p);
            const struct fab_link *back = port(f, l->node, l->in);
            bad += back->node != i || back->in != p || l->down_at != FAB_NEVER;
        }
    }
    CHECK(&t, bad == 0);
    CHECK(&t, ports == f->links);
}

/* k = 4: 16 hosts; 8 edges, 8 aggregation switches, 4 cores; 16 + 16 + 16 cables. */
static void fat_tree_4(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.ecn_bytes[EGRET_QUEUE_AGG_UP] = 400000;
    f.spec.threads = 2;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, f.first_node[FAB_HOSTS] == 0 && f.first_node[FAB_EDGE] == 8 &&
                  f.first_node[FAB_AGG] == 16 && f.first_node[FAB_CORE] == 24 && f.nodes == 28);
    CHECK(&t, f.links == 96);
    check_cables(&f);
    /* edge 3 (pod 1, second), uplink 1: aggregation switch 3, its port 1 */
    const struct fab_link *l = port(&f, 8 + 3, 2 + 1);
    CHECK(&t, l->node == 16 + 3 && l->in == 1 && l->tier == EGRET_QUEUE_EDGE_UP);
    /* aggregation switch 5 (pod 2, number 1), uplink 0: core 1 * 2 + 0, port 2 */
    l = port(&f, 16 + 5, 2);
    CHECK(&t, l->node == 24 + 2 && l->in == 2 && l->tier == EGRET_QUEUE_AGG_UP);
    /* core 3 (of number 1, uplink 1), port 0: aggregation switch 1 of pod 0, its port 2 + 1 */
    l = port(&f, 24 + 3, 0);
    CHECK(&t, l->node == 16 + 1 && l->in == 3 && l->tier == EGRET_QUEUE_CORE_DOWN);
    /* host 1 of edge 7, up; and edge 7 down to it */
    l = port(&f, 7, 1);
    CHECK(&t, l->node == 8 + 7 && l->in == 1 && l->tier == EGRET_QUEUE_HOST);
    l = port(&f, 8 + 7, 1);
    CHECK(&t, l->node == 7 && l->in == 1 && l->tier == EGRET_QUEUE_EDGE_DOWN);
    /* 800 Gb/s: 10 ps a byte; 800,000 bytes 8 us; 400,000 bytes 4 us */
    l = port(&f, 16, 2);
    CHECK(&t, l->byte_ps == 10 && l->mbps == 800000 && l->latency_ps == 500000);
    CHECK(&t, l->buffer_ps == 8000000 && l->ecn_ps == 4000000 && l->usual_ps == 4000000);
    CHECK(&t, port(&f, 16, 0)->ecn_ps == FAB_NEVER && port(&f, 16, 0)->usual_ps == 8000001);
    CHECK(&t, f.window_ps == 500000);
    CHECK(&t, f.address[0] == 0x0a000002u && f.address[15] == 0x0a030103u); /* 10.3.1.3 */
    CHECK(&t, f.place[0] == 0 && f.place[15] == 15);
    CHECK(&t, f.node[8].first_up == 2 && f.node[24].first_up == 4 && f.node[24].ports == 4);
    for (uint32_t i = 0; i < f.nodes; i++) { /* pods 0 and 1, cores 0 and 1: worker 0 */
        const struct fab_node *n = &f.node[i];
        CHECK(&t, n->worker == (n->kind == FAB_CORE ? n->index / 2u : n->index / 4u));
    }
    egret_fab_teardown(&f);
    CHECK(&t, f.node == NULL && f.link == NULL && f.place == NULL && f.address == NULL);
}

static void counts(const char *name, uint32_t hosts, uint32_t nodes, uint32_t links,
                   uint32_t per_edge)
{
    struct egret_fabric f;
    struct egret_trace_error err = {""};
    fabric_spec(&f, name, EGRET_SCHEME_DR);
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, f.spec.topology.hosts == hosts && f.nodes == nodes && f.links == links);
    CHECK(&t, f.spec.topology.hosts_per_edge == per_edge);
    check_cables(&f);
    egret_fab_teardown(&f);
}

/* offset * inverse >> 64 of an offset below 2^32 */
static uint64_t quotient(uint64_t offset, uint64_t inverse)
{
    return (offset * (inverse >> 32) + (offset * (inverse & UINT32_MAX) >> 32)) >> 32;
}

/* Exact quotients at the ends of every range: multiples of the window and their neighbours. */
static void windows(uint64_t ps)
{
    struct egret_fabric f;
    struct egret_trace_error err = {""};
    fabric_spec(&f, "leaf-spine:2,2,2", EGRET_SCHEME_DR);
    f.spec.topology.latency_ps[0] = ps;
    f.spec.topology.latency_ps[1] = ps + 5u;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, f.window_ps == ps);
    uint64_t last = UINT32_MAX / ps;
    for (uint64_t step = 0; step < 1000u; step++) {
        uint64_t q = last / 999u * step;
        uint64_t offset[2] = {q * ps, q * ps + ps - 1u};
        for (unsigned i = 0; i < 2u; i++) {
            uint64_t got = quotient(offset[i], f.window_inverse);
            CHECK(&t, offset[i] > UINT32_MAX || got == q);
        }
    }
    uint64_t top = quotient(UINT32_MAX, f.window_inverse);
    CHECK(&t, top == last);
    egret_fab_teardown(&f);
}

static void latencies(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    struct egret_topology *p = &f.spec.topology;
    for (unsigned i = 0; i < 3u; i++) {
        p->latency_ps[i] = 1000u * (i + 1u);
        p->switch_ps[i] = 10u * (i + 1u);
        p->rate_mbps[i] = 100000u * (i + 1u); /* 80, 40, 26.67 ps a byte */
    }
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, port(&f, 0, 0)->latency_ps == 1010);  /* host to edge */
    CHECK(&t, port(&f, 8, 0)->latency_ps == 1000);  /* edge to host */
    CHECK(&t, port(&f, 8, 2)->latency_ps == 2020);  /* edge to aggregation */
    CHECK(&t, port(&f, 16, 0)->latency_ps == 2010); /* and back */
    CHECK(&t, port(&f, 16, 2)->latency_ps == 3030); /* aggregation to core */
    CHECK(&t, port(&f, 24, 0)->latency_ps == 3020); /* and back */
    CHECK(&t, f.window_ps == 1000);
    CHECK(&t, port(&f, 0, 0)->byte_ps == 80 && port(&f, 8, 2)->byte_ps == 40);
    CHECK(&t, port(&f, 16, 2)->byte_ps == 0 && port(&f, 16, 2)->mbps == 300000);
    CHECK(&t, port(&f, 16, 2)->buffer_ps == 21333333); /* 6,400,000 bits at 0.3 bit a ps */
    egret_fab_teardown(&f);
}

static void places(void)
{
    struct egret_fabric f, g;
    struct egret_trace_error err;
    /* 4 rails: 8 edges of 2 hosts: 2 groups; server 0 is slot 0 of edges 0..3, server 1 slot 1,
     * server 2 slot 0 of edges 4..7 */
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.rails = 4;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    static const uint32_t want[16] = {0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15};
    CHECK(&t, memcmp(f.place, want, sizeof want) == 0);
    egret_fab_teardown(&f);
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
    f.spec.place_random = true;
    g = f;
    g.spec.seed = 2;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK && egret_fab_build(&g, &err) == EGRET_OK);
    uint8_t seen[128] = {0};
    unsigned other = 0, fixed = 0;
    for (unsigned i = 0; i < 128u; i++) {
        CHECK(&t, f.place[i] < 128u && !seen[f.place[i]]++);
        other += f.place[i] != g.place[i];
        fixed += f.place[i] == i;
    }
    CHECK(&t, other > 100u && fixed < 20u); /* one of 128 is alike on average */
    egret_fab_teardown(&f);
    egret_fab_teardown(&g);
}

static int refused(const char *name, const char *text)
{
    struct egret_fabric f;
    fabric_spec(&f, name, EGRET_SCHEME_DR);
    return fabric_refused(&f, text);
}

static void refusals(void)
{
    struct egret_fabric f;
    struct egret_topology none;
    struct egret_trace_error err;
    CHECK(&t, refused("fat-tree:66", "66 ports"));
    CHECK(&t, refused("fat-tree:64,oversub=2", "each edge switch has 96 ports"));
    CHECK(&t, refused("leaf-spine:65,2,2", "each spine switch has 65 ports"));
    CHECK(&t, refused("leaf-spine:2,33,32", "each leaf switch has 65 ports"));
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.rails = 3;
    CHECK(&t, fabric_refused(&f, "3 rails do not divide 8 edges"));
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.topology.rate_mbps[1] = 0;
    CHECK(&t, fabric_refused(&f, "a rate of 0"));
    fabric_spec(&f, "fat-tree:4,ns=0", EGRET_SCHEME_DR);
    CHECK(&t, fabric_refused(&f, "the shortest latency"));
    fabric_spec(&f, "fat-tree:4,ns=5000000", EGRET_SCHEME_DR);
    CHECK(&t, fabric_refused(&f, "5000000000 ps"));
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.topology.hosts = 17;
    CHECK(&t, fabric_refused(&f, "17 hosts"));
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.topology.agg_uplinks = 0;
    CHECK(&t, fabric_refused(&f, "a tier without"));
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    struct egret_schedule work = {.ranks = 17};
    f.work = &work;
    CHECK(&t, fabric_refused(&f, "16 hosts, but the trace has 17 ranks"));
    static const char *const bad[] = {"fat-tree:7",
                                      "fat-tree:4,oversub=0",
                                      "fat-tree:4,",
                                      "fat-tree:4,us=1",
                                      "leaf-spine:4,2",
                                      "leaf-spine:0,1,1",
                                      "leaf-spine:4,2,8,oversub=2",
                                      "fat-tree:4,gbps=100001",
                                      "fat-tree:128,oversub=4",
                                      "leaf-spine:4,2,8,ns=-1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err.text[0] = '\0';
        CHECK(&t, egret_topology_load(bad[i], &none, &err) == EGRET_ERR_RANGE);
        CHECK(&t, strncmp(err.text, bad[i], strlen(bad[i])) == 0 && !strchr(err.text, '\n'));
    }
}

int main(void)
{
    struct egret_topology p;
    struct egret_trace_error err;
    fat_tree_4();
    counts("fat-tree:2", 2, 2 + 2 + 2 + 1, 2 * (2 + 2 + 2), 1);
    counts("fat-tree:6", 54, 18 + 18 + 18 + 9, 6 * 54, 3);
    counts("fat-tree:8,oversub=3", 384, 32 * 3 + 16, 2 * (384 + 128 + 128), 12);
    counts("leaf-spine:8,4,16", 128, 8 + 8 + 4, 2 * (128 + 32), 16);
    counts("fat-tree:64", 65536, 3 * 2048 + 1024, 6 * 65536, 32);
    CHECK(&t, egret_topology_load("fat-tree:8,ns=20,gbps=400,oversub=2", &p, &err) == EGRET_OK);
    CHECK(&t, p.rate_mbps[0] == 400000 && p.rate_mbps[2] == 400000 && p.latency_ps[1] == 20000);
    CHECK(&t, p.hosts_per_edge == 8 && p.aggs_per_pod == 4 && p.hosts == 256);
    CHECK(&t, egret_topology_load("leaf-spine:3,5,7,gbps=100", &p, &err) == EGRET_OK);
    CHECK(&t, p.tiers == 2 && p.pods == 1 && p.hosts == 21 && p.rate_mbps[1] == 100000);
    CHECK(&t, p.rate_mbps[2] == 0 && p.agg_uplinks == 0 && p.aggs_per_pod == 5);
    windows(2);
    windows(3);
    windows(500000);
    windows(499979);
    windows(4294967290u);
    latencies();
    places();
    refusals();
    return trace_result(&t);
}
