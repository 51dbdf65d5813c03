/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_bound.c: lower bounds of completion times, against the paper's and values by hand
 * (docs/fabric-bounds.md). With 800 Gb/s and 4096 + 62 bytes: T_d 41,580 ps, d 41,780, T_a 640,
 * a 840; six links of 500 ns: p 3,000,000, a round trip 6,253,320.
 */
#include <stdint.h>

#include "egret/fabric.h"
#include "trace_test.h"

#define ROUND 6253320u
#define D 41780u
#define A 840u

static struct egret_fabric_spec paper(const char *topology)
{
    struct egret_fabric_spec s;
    memset(&s, 0, sizeof s);
    s.payload = 4096;
    s.header_bytes = 62;
    s.ack_bytes = 64;
    s.gap_bytes = 20;
    if (egret_topology_load(topology, &s.topology, NULL) != EGRET_OK) {
        exit(2);
    }
    return s;
}

static struct egret_fabric_spec leaves(uint32_t edges, uint32_t hosts, uint32_t spines)
{
    struct egret_fabric_spec s = paper("fat-tree:4");
    struct egret_topology *t = &s.topology;
    t->tiers = 2;
    t->pods = 1;
    t->edges_per_pod = edges;
    t->hosts_per_edge = hosts;
    t->hosts = edges * hosts;
    t->aggs_per_pod = spines;
    t->agg_uplinks = 0;
    return s;
}

/* Two rates, two latencies, switch delays: p = 2 (100 + 200) + 2 * 50 + 70 = 770 ns; T_d 83.16 and
 * 41.58, T_a 1.28 and 0.64 ns; d 83.56, a 1.68; a round trip 1793.32 ns; 13 data packets leave
 * before the first ACK: (770 + 249.48 - 83.16) / 83.56 = 11.2. */
static struct egret_fabric_spec two_rates(void)
{
    struct egret_fabric_spec s = leaves(2, 4, 4);
    struct egret_topology *t = &s.topology;
    t->rate_mbps[0] = 400000;
    t->latency_ps[0] = 100000;
    t->latency_ps[1] = 200000;
    t->switch_ps[0] = 50000;
    t->switch_ps[1] = 70000;
    return s;
}

static void permutation(struct trace_test *t)
{
    struct egret_fabric_spec s = paper("fat-tree:8");
    CHECK(t, egret_fabric_bound_permutation(&s, 256) == 17056940u); /* the paper: 17.05694 us */
    CHECK(t, egret_fabric_bound_permutation(&s, 1) == ROUND);
    CHECK(t, egret_fabric_bound_permutation(&s, 2) == ROUND + D);
    CHECK(t, egret_fabric_bound_permutation(&s, 78) == ROUND + 77u * D);
    CHECK(t, egret_fabric_bound_permutation(&s, 79) == ROUND + 78u * D + A + 200u);
    CHECK(t, egret_fabric_bound_permutation(&s, 80) == ROUND + 79u * D + 2u * A + 200u);
    s = two_rates();
    CHECK(t, egret_fabric_bound_permutation(&s, 1) == 1793320u);
    CHECK(t, egret_fabric_bound_permutation(&s, 13) == 2796040u);
    CHECK(t, egret_fabric_bound_permutation(&s, 20) == 3393120u);
    s = leaves(1, 3, 1); /* two links: 2 * 1000 + 2 * 42.22 ns */
    CHECK(t, egret_fabric_bound_permutation(&s, 1) == 2084440u);
    s = paper("fat-tree:8"); /* half the rate: ACKs fit between the data */
    s.rate_ppm = 500000;
    CHECK(t, egret_fabric_bound_permutation(&s, 100) == ROUND + 99u * 2u * D);
    s.rate_ppm = 1000000;
    CHECK(t, egret_fabric_bound_permutation(&s, 256) == 17056940u);
}

static void all_to_all(struct trace_test *t)
{
    /* Two hosts, six links apart: what the permutation needs, less what a true bound gives away. */
    struct egret_fabric_spec s = paper("fat-tree:2");
    CHECK(t, egret_fabric_bound_all_to_all(&s, 1) == ROUND);
    CHECK(t, egret_fabric_bound_all_to_all(&s, 2) == ROUND + D);
    /* 79 ACKs of late data, 22 that wait, need not come before the last data packet. */
    CHECK(t, egret_fabric_bound_all_to_all(&s, 1000) == ROUND + 999u * D + 899u * A);
    s = leaves(1, 3, 1);
    CHECK(t, egret_fabric_bound_all_to_all(&s, 1) == 2084440u + D);
    /* Two hosts each under two leaves; the near destination's packet may be the last of three:
     * 2nd data packet, four links of 500 ns: 4000 + 4 * 42.22. */
    s = leaves(2, 2, 2);
    CHECK(t, egret_fabric_bound_all_to_all(&s, 1) == 4168880u + D);
    /* One uplink for four hosts that send 100 packets to each of four others: 1600 of d + a, two
     * ways of 500 ns, and a data packet and an ACK on a host link. */
    s = leaves(2, 4, 1);
    CHECK(t, egret_fabric_bound_all_to_all(&s, 100) ==
                 1600u * (D + A) - 201u + 2000000u + 41580u + 640u);
    /* Two tiers down alone bound two hosts with short links: T_d + K (d + a) - gap. */
    s = leaves(1, 2, 1);
    s.topology.latency_ps[0] = 0;
    CHECK(t, egret_fabric_bound_all_to_all(&s, 100) == 41580u + 100u * (D + A) - 200u);
}

/* The bound of many packets is within 0.1 % of what alternation in an idle fabric takes, and never
 * above it. The last data packet of a host whose last destination is far: K - 1 data packets and
 * the ACKs of all data but that which arrives within the first round trip. */
static void tight(struct trace_test *t)
{
    struct egret_fabric_spec s = paper("fat-tree:8");
    for (uint64_t m = 64; m <= 16384u; m *= 2u) {
        uint64_t all = 127u * m;
        uint64_t idle = 78u * D + (all - 78u) * (D + A) - D + ROUND;
        uint64_t bound = egret_fabric_bound_all_to_all(&s, m);
        CHECK(t, bound <= idle && bound >= idle - idle / 400u);
    }
}

static void monotone(struct trace_test *t)
{
    static const char *const name[] = {"fat-tree:2", "fat-tree:4", "fat-tree:8"};
    for (unsigned i = 0; i < 3u; i++) {
        struct egret_fabric_spec s = paper(name[i]);
        uint64_t p = 0, a = 0, grew = 0;
        for (uint64_t m = 1; m <= 400u; m++) {
            uint64_t p1 = egret_fabric_bound_permutation(&s, m);
            uint64_t a1 = egret_fabric_bound_all_to_all(&s, m);
            grew += p1 > p && a1 > a;
            p = p1;
            a = a1;
        }
        CHECK(t, grew == 400u);
        s.topology.rate_mbps[0] /= 2u; /* slower links, longer ways: never sooner */
        CHECK(t, egret_fabric_bound_permutation(&s, 400) > p);
        CHECK(t, egret_fabric_bound_all_to_all(&s, 400) > a);
        s.topology.rate_mbps[0] *= 2u;
        s.topology.switch_ps[0] = 1;
        CHECK(t, egret_fabric_bound_permutation(&s, 400) == p + 4u); /* two edges, there and back */
        s.topology.switch_ps[0] = 0;
        s.rate_ppm = 900000;
        CHECK(t, egret_fabric_bound_permutation(&s, 400) > p);
        CHECK(t, egret_fabric_bound_all_to_all(&s, 400) > a);
    }
}

static int refused(const struct egret_fabric_spec *s, uint64_t packets)
{
    return egret_fabric_bound_permutation(s, packets) == 0 &&
           egret_fabric_bound_all_to_all(s, packets) == 0;
}

static void refusals(struct trace_test *t)
{
    const struct egret_fabric_spec good = paper("fat-tree:8");
    struct egret_fabric_spec s = good;
    CHECK(t, !refused(&s, 1) && refused(NULL, 1) && refused(&s, 0));
    CHECK(t, refused(&s, UINT64_MAX) && refused(&s, UINT64_MAX / 41780u));
    s.payload = 0;
    CHECK(t, refused(&s, 1));
    s = good;
    s.payload = UINT32_MAX;
    CHECK(t, refused(&s, 1));
    s = good;
    s.ack_bytes = 0;
    CHECK(t, refused(&s, 1));
    s = good;
    s.rate_ppm = 1000001;
    CHECK(t, refused(&s, 1));
    s = good;
    s.topology.rate_mbps[1] = 0;
    CHECK(t, refused(&s, 1));
    s = good;
    s.topology.rate_mbps[2] = UINT64_MAX;
    CHECK(t, refused(&s, 1));
    s = good;
    s.topology.latency_ps[0] = UINT64_MAX;
    CHECK(t, refused(&s, 1));
    s = good;
    s.topology.tiers = 4;
    CHECK(t, refused(&s, 1));
    s = good;
    s.topology.hosts = 127;
    CHECK(t, refused(&s, 1));
    s = good;
    s.topology.aggs_per_pod = 0;
    CHECK(t, refused(&s, 1));
}

/* Two hosts with one way between them: nothing is in the way of anything. The permutation is over
 * at its bound, 200 ps (the gap in front of the first packet) behind it where the bound leaves that
 * out; the all-to-all not before its bound, and less than 0.1 % behind it. */
static void undisturbed(struct trace_test *t)
{
    static const uint64_t size[] = {1, 2, 3, 77, 78, 79, 80, 100, 256, 1000, 5000};
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct egret_fabric_spec s = paper("fat-tree:2");
        struct egret_topology topology = s.topology;
        struct egret_schedule work;
        struct egret_fabric *f = NULL;
        struct egret_trace_error err;
        memset(&s, 0, sizeof s);
        s.topology = topology;
        egret_fabric_defaults(&s);
        if (egret_collective("permutation", 2, size[i] * 4096u, 0, 1, &work, &err) ||
            egret_fabric_create(&s, &work, &f, &err) || egret_fabric_run(f, NULL, NULL, &err)) {
            printf("%s\n", err.text);
            exit(2);
        }
        uint64_t cct = egret_fabric_result(f)->cct_ps;
        uint64_t all = egret_fabric_bound_all_to_all(&s, size[i]);
        CHECK(t, cct == egret_fabric_bound_permutation(&s, size[i]) + (size[i] > 78u ? 0 : 200u));
        CHECK(t, all <= cct && all >= cct - cct / 1000u);
        egret_fabric_free(f);
        egret_schedule_free(&work);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    permutation(&t);
    all_to_all(&t);
    tight(&t);
    monotone(&t);
    refusals(&t);
    undisturbed(&t);
    return trace_result(&t);
}
