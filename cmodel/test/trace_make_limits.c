/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_make_limits.c: what a switch of a configuration cannot do, what a pattern cannot have, and
 * a trigger that is activated more often than it has flows to start.
 */
#include "../trace/traffic.h"
#include "egret/collective.h"
#include "egret/trace_make.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

static struct egret_make make(const char *config, unsigned scheme)
{
    struct egret_make m;
    memset(&m, 0, sizeof m);
    CHECK(&t, egret_cfg_named(config, &m.cfg) == EGRET_OK);
    m.scheme = scheme;
    m.payload = 4096;
    m.source_port = EGRET_SOURCE_PORT_LINUX;
    egret_hash_setup_default(&m.hash);
    return m;
}

static struct egret_topology topology(const char *text)
{
    struct egret_topology out;
    memset(&out, 0, sizeof out);
    CHECK(&t, egret_topology_load(text, &out, &error) == EGRET_OK);
    return out;
}

static void exceeds(const struct egret_topology *top, const struct egret_make *m, const char *want)
{
    const char *is = egret_make_exceeds(top, m);
    if (!CHECK(&t, want ? is && strcmp(is, want) == 0 : is == NULL)) {
        printf("'%s', wanted '%s'\n", is ? is : "", want ? want : "");
    }
}

/* A switch of fat-tree:4 has 4 ports; lab has 1024 flowlet entries. */
static void flowlets(void)
{
    struct egret_topology top = topology("fat-tree:4");
    struct egret_make m = make("lab", EGRET_SCHEME_FLOWLET);
    m.flowlet_entries = 1024;
    exceeds(&top, &m, NULL);
    m.flowlet_entries = 2048;
    exceeds(&top, &m, "NUM_FLOWLETS");
    m.flowlet_entries = 0;
    m.flowlet_path = EGRET_PATH_QUALITY;
    exceeds(&top, &m, NULL);
    m.cfg.schemes &= ~(1u << EGRET_SCHEME_SPRAY_QUALITY);
    exceeds(&top, &m, "SCHEMES");
    m.flowlet_path = EGRET_PATH_RANDOM;
    exceeds(&top, &m, NULL);
    m.keep_order = true;
    m.ordered_scheme = EGRET_SCHEME_SPRAY_QUALITY;
    exceeds(&top, &m, "SCHEMES");
}

static void refuse(const char *name, const struct egret_make *m, const char *reason)
{
    char path[300];
    struct egret_topology top = topology(name);
    struct egret_pattern p = {.name = "permutation", .ranks = 4, .bytes = 1};
    struct egret_schedule w;
    struct egret_make with = *m;
    with.topology_name = name;
    CHECK(&t, egret_pattern_make(&p, &w, &error) == EGRET_OK);
    trace_scratch(path, sizeof path, "make_limits.pcap");
    int code = egret_make_stimulus(&top, &w, &with, path, &error);
    if (!CHECK(&t, code == EGRET_ERR_RANGE && strcmp(error.text, reason) == 0)) {
        printf("code %d, '%s', wanted '%s'\n", code, error.text, reason);
    }
    FILE *left = fopen(path, "rb");
    CHECK(&t, left == NULL);
    egret_schedule_free(&w);
}

static void switches(void)
{
    struct egret_make m = make("lab", EGRET_SCHEME_ENTROPY);
    m.entropy_swap = true;
    refuse("leaf-spine:4,4,4", &m, "--entropy-swap: with two tiers only an edge has a choice");
    /* lookup3 is in lab_lookup3, of 16 ports, and p3; a switch of fat-tree:32 has 32. */
    m = make("lab", EGRET_SCHEME_ECMP);
    m.hash.algorithm = EGRET_HASH_LOOKUP3;
    refuse("fat-tree:4", &m,
           "configuration lab has no such hash: algorithm; --config lab_lookup3 has it");
    m = make("tor64", EGRET_SCHEME_ECMP);
    m.hash.algorithm = EGRET_HASH_LOOKUP3;
    refuse("fat-tree:32", &m, "configuration tor64 has no such hash: algorithm");
}

/* 65536 ranks take 2 * 65535 steps of a ring, all messages more than a schedule has. */
static void patterns(void)
{
    struct egret_schedule w;
    CHECK(&t, egret_collective("ring", 65536, 1u << 20, 0, 1, &w, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strcmp(error.text, "ring: too many messages; --rounds gives fewer") == 0);
    CHECK(&t, egret_collective("ring", 65536, 1u << 20, 1, 1, &w, &error) == EGRET_OK);
    CHECK(&t, w.ops == 65536);
    egret_schedule_free(&w);
    /* More rounds than there are: all of them. */
    CHECK(&t, egret_collective("ring", 4, 64, 100, 1, &w, &error) == EGRET_OK && w.ops == 24);
    egret_schedule_free(&w);
    CHECK(&t, egret_collective("alltoall", 4, 64, 100, 1, &w, &error) == EGRET_OK && w.ops == 12);
    egret_schedule_free(&w);
    struct egret_pattern p = {.name = "incast", .ranks = 5, .bytes = 7, .group_size = 9};
    CHECK(&t, egret_pattern_make(&p, &w, &error) == EGRET_OK && w.ops == 4);
    egret_schedule_free(&w);
    p.group_size = 0;
    p.channels = 2;
    CHECK(&t, egret_pattern_make(&p, &w, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strcmp(error.text, "incast: --channels is not for it") == 0);
}

/* A multishot trigger that is activated twice and has one flow: that flow starts once. */
static void triggers(void)
{
    static const char text[] = "Nodes 16\nConnections 3\nTriggers 1\n"
                               "0->4 start 0 size 1000 send_done_trigger 1\n"
                               "1->5 start 0 size 1000 send_done_trigger 1\n"
                               "2->6 trigger 1 size 1000\ntrigger id 1 multishot\n";
    struct egret_topology top = topology("fat-tree:4");
    struct egret_make m = make("lab", EGRET_SCHEME_DR);
    struct egret_schedule w;
    struct traffic x;
    struct traffic_packet p;
    unsigned from[16] = {0};
    int got = 1;
    CHECK(&t, egret_cm_parse(text, sizeof text - 1u, "t", 0, &w, &error) == EGRET_OK);
    m.no_acks = true;
    CHECK(&t, egret_traffic_open(&x, &top, &w, 0, 7, &m, &error) == EGRET_OK);
    while (got > 0 && (got = egret_traffic_next(&x, &p, &error)) > 0) {
        from[w.op[p.message].src]++;
    }
    CHECK(&t, got == 0 && from[0] == 1 && from[1] == 1 && from[2] == 1);
    egret_traffic_close(&x);
    egret_schedule_free(&w);
}

/* Topologies by a name with options; the greatest k is 128, links of a switch and
 * hosts of an edge are 250: a byte of their addresses. */
static void names(void)
{
    static const char *const bad[][2] = {
        {"fat-tree:4,odd=1", "fat-tree:4,odd=1: unknown option 'odd=1': gbps=, ns=, oversub="},
        {"fat-tree:4,gb", "fat-tree:4,gb: unknown option 'gb': gbps=, ns=, oversub="},
        {"leaf-spine:2,2,2,oversub=2",
         "leaf-spine:2,2,2,oversub=2: unknown option 'oversub=2': gbps=, ns="},
        {"fat-tree:4,oversub=0", "fat-tree:4,oversub=0: oversub= wants a number, 1 to 250"},
        {"fat-tree:4,gbps=x", "fat-tree:4,gbps=x: gbps= wants a number, 1 to 100000"},
        {"fat-tree:4,ns=", "fat-tree:4,ns=: ns= wants a number, 0 to 1000000000"},
        {"fat-tree:4,oversub=250", "fat-tree:4,oversub=250: 500 hosts an edge, at most 250"},
        {"leaf-spine:0,2,2",
         "leaf-spine:0,2,2: leaf-spine:LEAVES,SPINES,HOSTS wants leaves, 1 to 256"},
        {"leaf-spine:2", "leaf-spine:2: leaf-spine:LEAVES,SPINES,HOSTS wants spines, 1 to 250"},
        {"leaf-spine:2,2,x",
         "leaf-spine:2,2,x: leaf-spine:LEAVES,SPINES,HOSTS wants hosts a leaf, 1 to 250"}};
    struct egret_topology out;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(&t, egret_topology_load(bad[i][0], &out, &error) == EGRET_ERR_RANGE);
        if (!CHECK(&t, strcmp(error.text, bad[i][1]) == 0)) {
            printf("'%s', wanted '%s'\n", error.text, bad[i][1]);
        }
    }
    CHECK(&t, egret_topology_load("fat-tree:4,gbps=400,ns=0,oversub=3", &out, &error) == EGRET_OK);
    CHECK(&t, out.rate_mbps[0] == 400000 && out.hosts_per_edge == 6 && out.hosts == 48);
    CHECK(&t, egret_topology_load("leaf-spine:3,2,5,gbps=100", &out, &error) == EGRET_OK);
    CHECK(&t, out.hosts == 15 && out.tiers == 2 && out.rate_mbps[0] == 100000);
    CHECK(&t, egret_topology_is_name("fat-tree:x") && egret_topology_is_name("leaf-spine:"));
    CHECK(&t, !egret_topology_is_name("leaf.topo"));
}

int main(void)
{
    flowlets();
    switches();
    patterns();
    triggers();
    names();
    return trace_result(&t);
}
