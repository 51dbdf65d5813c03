/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_limits.c: what egret_fabric_create() takes and what it refuses: each number at its limit
 * and beyond, topologies that are none, configurations without room; and numbers so large that a
 * product of them would not fit 64 bits.
 */
#include "fabric_build.h"
#include "host.h"
#include "plan.h"
#include "queue.h"
#include "sample.h"

static struct trace_test t;

static struct egret_fabric_spec spec(const char *topology)
{
    struct egret_fabric_spec s;
    memset(&s, 0, sizeof s);
    if (egret_topology_load(topology, &s.topology, NULL) != EGRET_OK) {
        exit(2);
    }
    s.topology_name = topology;
    egret_fabric_defaults(&s);
    return s;
}

/* Rank 0 sends `bytes` to the last of `ranks`. */
static struct egret_schedule one_message(uint32_t ranks, uint64_t bytes)
{
    struct egret_schedule w = {.ranks = ranks};
    if (egret_schedule_message(&w, 0, ranks - 1u, bytes, NULL) != EGRET_OK ||
        egret_schedule_seal(&w, "test", NULL, NULL) != EGRET_OK) {
        exit(2);
    }
    return w;
}

/* Refused with EGRET_ERR_RANGE and one line that says this. */
static int refused(const struct egret_fabric_spec *s, const struct egret_schedule *work,
                   const char *text)
{
    struct egret_trace_error err = {""};
    struct egret_fabric *f = NULL;
    int code = egret_fabric_create(s, work, &f, &err);
    int good = code == EGRET_ERR_RANGE && f == NULL && strstr(err.text, text) != NULL &&
               strchr(err.text, '\n') == NULL;
    if (!good) {
        printf("expected '%s', code %d: %s\n", text, code, err.text);
    }
    egret_fabric_free(f);
    return good;
}

/* Runs to its end; results of the run, all zero if it did not. */
static struct egret_fabric_results results(const struct egret_fabric_spec *s,
                                           const struct egret_schedule *work)
{
    struct egret_trace_error err = {""};
    struct egret_fabric_results r = {0};
    struct egret_fabric *f = NULL;
    int code = egret_fabric_create(s, work, &f, &err);
    code = code == EGRET_OK ? egret_fabric_run(f, NULL, NULL, &err) : code;
    if (CHECK(&t, code == EGRET_OK)) {
        r = *egret_fabric_result(f);
    } else {
        printf("%s\n", err.text);
    }
    egret_fabric_free(f);
    return r;
}

#define LEAST_MOST(member, least, most, text)                                                      \
    do {                                                                                           \
        struct egret_fabric_spec s = spec("fat-tree:4");                                           \
        s.member = (least);                                                                        \
        CHECK(&t, results(&s, &w).totals.messages_done == 1);                                      \
        s.member = (most);                                                                         \
        CHECK(&t, results(&s, &w).totals.messages_done == 1);                                      \
        s.member = (most) + 1u;                                                                    \
        CHECK(&t, refused(&s, &w, text));                                                          \
        s.member = (least)-1u; /* 0 or beyond */                                                   \
        if ((least) != 0) {                                                                        \
            CHECK(&t, refused(&s, &w, text));                                                      \
        }                                                                                          \
    } while (0)

static void numbers(void)
{
    struct egret_schedule w = one_message(16, 4000);
    LEAST_MOST(threads, 0u, 64u, "fabric: threads: 1 to 64");
    LEAST_MOST(payload, 1u, 16384u, "fabric: payload: 1 to 16384 bytes");
    LEAST_MOST(header_bytes, 8u, 1024u, "fabric: header: 8 to 1024 bytes");
    LEAST_MOST(ack_bytes, 8u, 1024u, "fabric: ACK: 8 to 1024 bytes");
    LEAST_MOST(gap_bytes, 0u, 1024u, "fabric: gap: 0 to 1024 bytes");
    LEAST_MOST(rate_ppm, 0u, 1000000u, "fabric: rate: at most the line rate");
    LEAST_MOST(subflows, 1u, 65536u, "fabric: subflows: 1 to 65536");
    struct egret_fabric_spec s = spec("fat-tree:4");
    s.failed_ppm = 1000001;
    CHECK(&t, refused(&s, &w, "fabric: failed links: at most all of them"));
    s = spec("fat-tree:4");
    s.transport = EGRET_TRANSPORT_SACK + 1;
    CHECK(&t, refused(&s, &w, "unknown transport or host scheme"));
    s = spec("fat-tree:4");
    s.host_scheme = EGRET_HOST_DRB + 1;
    CHECK(&t, refused(&s, &w, "unknown transport or host scheme"));
    s = spec("fat-tree:4");
    s.rails = 3;
    CHECK(&t, refused(&s, &w, "3 rails do not divide 8 edges"));
    s.rails = 4;
    s.place_random = true;
    CHECK(&t, refused(&s, &w, "rails and random places exclude each other"));
    egret_schedule_free(&w);
    s = spec("fat-tree:4");
    w = one_message(17, 1);
    CHECK(&t, refused(&s, &w, "fabric: 17 ranks on 16 hosts"));
    egret_schedule_free(&w);
    w = (struct egret_schedule){.ranks = 2};
    CHECK(&t, egret_schedule_message(&w, 0, 1, 1, NULL) == EGRET_OK);
    CHECK(&t, refused(&s, &w, "fabric: the schedule is not sealed"));
    egret_schedule_free(&w);
}

static void topologies(void)
{
    struct egret_schedule w = one_message(2, 1);
    struct egret_fabric_spec s = spec("fat-tree:4");
    s.topology.tiers = 4;
    CHECK(&t, refused(&s, &w, "fat-tree:4: not two or three tiers"));
    s.topology.tiers = 1;
    CHECK(&t, refused(&s, &w, "not two or three tiers"));
    s = spec("leaf-spine:2,2,2"); /* with two tiers there is one pod, and nothing above spines */
    s.topology.pods = 2;
    CHECK(&t, refused(&s, &w, "not two or three tiers"));
    s = spec("leaf-spine:2,2,2");
    s.topology.agg_uplinks = 1;
    CHECK(&t, refused(&s, &w, "not two or three tiers"));
    s = spec("fat-tree:4");
    s.topology.agg_uplinks = 0;
    CHECK(&t, refused(&s, &w, "a tier without switches or links"));
    s = spec("leaf-spine:2,2,2"); /* 64 ports are the most: docs/spec, NUM_PORTS */
    s.topology.hosts_per_edge = 63;
    s.topology.hosts = 126;
    CHECK(&t, refused(&s, &w, "each leaf switch has 65 ports, a switch has at most 64"));
    s.topology.hosts_per_edge = 62;
    s.topology.hosts = 124;
    CHECK(&t, results(&s, &w).totals.messages_done == 1);
    s = spec("fat-tree:4");
    s.topology.pods = 65;
    CHECK(&t, refused(&s, &w, "a core switch has 65 ports"));
    s.topology.pods = 64; /* 33 edges each: 2112 in all, but there are 2048 keys (NUM_KEYS) */
    s.topology.edges_per_pod = 33;
    CHECK(&t, refused(&s, &w, "2112 edges, at most 2048"));
    s = spec("fat-tree:4");
    s.topology.hosts = 17;
    CHECK(&t, refused(&s, &w, "17 hosts do not agree with 8 edges of 2"));
    s = spec("fat-tree:4");
    s.topology.rate_mbps[1] = 0;
    CHECK(&t, refused(&s, &w, "links of tier 1: a rate of 0 Mb/s, 1 to 4000000000"));
    s.topology.rate_mbps[1] = 4000000001u;
    CHECK(&t, refused(&s, &w, "a rate of 4000000001 Mb/s"));
    s = spec("fat-tree:4"); /* a 256th of what 64 bits hold */
    s.topology.latency_ps[2] = (UINT64_MAX >> 8) + 1u;
    CHECK(&t, refused(&s, &w, "links of tier 2: a latency too long"));
    s = spec("fat-tree:4");
    s.topology.switch_ps[0] = (UINT64_MAX >> 8) + 1u;
    CHECK(&t, refused(&s, &w, "links of tier 0: a latency too long"));
    s = spec("fat-tree:4");
    s.topology.latency_ps[0] = 1;
    s.topology.switch_ps[0] = 0;
    CHECK(&t, refused(&s, &w, "the shortest latency of a link"));
    egret_schedule_free(&w);
}

/* Switches learn of failures at 1024 different times at most; the start is one of them. */
static void epochs(void)
{
    struct egret_schedule w = one_message(2, 1);
    struct egret_fabric_spec s = spec("leaf-spine:32,32,1"); /* 1024 cables */
    struct egret_fabric_failure x[1024];
    for (uint32_t i = 0; i < 1024u; i++) {
        x[i] = (struct egret_fabric_failure){1000u + i, 0, i / 32u, i % 32u};
    }
    s.convergence_ps = 1;
    s.failure = x;
    s.failures = 1024;
    CHECK(&t, refused(&s, &w, "at 1025 different times, at most 1024"));
    x[1023].time_ps = x[1022].time_ps;
    s.limit_ps = 1; /* it can be made; it need not run */
    struct egret_trace_error err;
    struct egret_fabric *f = NULL;
    CHECK(&t, egret_fabric_create(&s, &w, &f, &err) == EGRET_OK);
    egret_fabric_free(f);
    egret_schedule_free(&w);
}

/* Given configurations of cores: 8 down ports, which take rows (spray-rr) or buckets (ecmp). */
static int core_refused(uint32_t schemes, uint32_t rows, const char *text)
{
    struct egret_fabric f;
    fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
    (void)egret_cfg_named("lab", &f.spec.tier[2].cfg);
    f.spec.tier[2].cfg.schemes = schemes;
    f.spec.tier[2].cfg.num_flowlets = 0;
    f.spec.tier[2].cfg.num_rows = rows;
    return fabric_refused(&f, text);
}

static void configurations(void)
{
    uint32_t rr = 1u << EGRET_SCHEME_SPRAY_RR, other = 1u << EGRET_SCHEME_SPRAY_RANDOM;
    CHECK(&t, core_refused(rr, 4, "core switch: configuration lab is too small: NUM_ROWS of 8"));
    CHECK(&t, core_refused(other, 64, "SCHEMES of 2 ")); /* ecmp is scheme 1 */
}

static void plan_refused(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    static const struct egret_fabric_failure none = {0, 0, 8, 0};
    struct egret_schedule w = one_message(16, 1);
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.failure = &none;
    f.spec.failures = 1;
    f.work = &w;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, egret_fab_rho_max(&f) == 0); /* no such link, so no rate */
    egret_fab_teardown(&f);
    egret_schedule_free(&w);
}

/* Edge 0 has lost both uplinks. What has no way counts for nothing; a message under edge 1 has the
 * full rate, two to one host half of it. */
static void cut_off(void)
{
    static const struct egret_fabric_failure both[] = {{0, 0, 0, 0}, {0, 0, 0, 1}};
    struct egret_trace_error err;
    for (uint32_t to_one = 0; to_one < 2u; to_one++) {
        struct egret_schedule w = {.ranks = 16};
        struct egret_fabric f;
        fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
        f.spec.failure = both;
        f.spec.failures = 2;
        for (uint32_t i = 0; i < 8u; i++) { /* from the hosts of edge 0 to all of another pod */
            (void)egret_schedule_message(&w, i % 2u, 8u + i / 2u, 4096, NULL);
        }
        (void)egret_schedule_message(&w, 2, 3, 4096, NULL);
        if (to_one) {
            (void)egret_schedule_message(&w, 4, 3, 4096, NULL);
        }
        CHECK(&t, egret_schedule_seal(&w, "test", NULL, &err) == EGRET_OK);
        f.work = &w;
        CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
        CHECK(&t, egret_fab_rho_max(&f) == (to_one ? 500000u : 1000000u));
        egret_fab_teardown(&f);
        egret_schedule_free(&w);
    }
}

/* A message and a delay: rho is that of the message; and DRB has pairs of messages only. */
static void delays(void)
{
    struct egret_schedule w = {.ranks = 16};
    uint32_t before, after;
    (void)egret_schedule_message(&w, 0, 15, 40960, &before);
    (void)egret_schedule_delay(&w, 15, 1000000, &after);
    (void)egret_schedule_after(&w, before, EGRET_ON_DONE, after);
    CHECK(&t, egret_schedule_seal(&w, "test", NULL, NULL) == EGRET_OK);
    struct egret_fabric_spec s = spec("fat-tree:4");
    s.rate_ppm = 0;
    struct egret_fabric_results r = results(&s, &w);
    CHECK(&t, r.rate_ppm == 1000000);
    /* 10 packets: the message is done at 6.25332 us less the ACK's way, 3.00384 us, and 9 * 41.78
     * ns; the delay ends 1 us behind it. */
    CHECK(&t, r.totals.last_done_ps == 3249480u + 200u + 9u * 41780u);
    CHECK(&t, r.cct_ps >= r.totals.last_done_ps + 1000000u);
    s.host_scheme = EGRET_HOST_DRB;
    for (unsigned i = 0; i < 3u; i++) {
        s.tier[i].scheme = EGRET_SCHEME_ENTROPY;
    }
    r = results(&s, &w);
    CHECK(&t, r.totals.data_received == 10 && r.totals.reordered == 0);
    egret_schedule_free(&w);
}

/* Uplinks 800,000 times slower than the hosts, and as many packets as the hosts' formula takes: a
 * product beyond 64 bits must not make the bound smaller than what the link to a host takes. */
static void bounds(void)
{
    struct egret_fabric_spec s = spec("leaf-spine:4,2,2");
    uint64_t packets = UINT64_MAX / 1000u / (41780u + 840u) / 7u;
    uint64_t equal = egret_fabric_bound_all_to_all(&s, packets);
    CHECK(&t, equal > packets * 7u * 41780u);
    s.topology.rate_mbps[1] = 1;
    uint64_t slow = egret_fabric_bound_all_to_all(&s, packets);
    CHECK(&t, slow >= packets * 7u * (41780u + 840u));
}

/* Arrays that no memory holds, or whose size in bytes is beyond 64 bits. */
static void arrays(void)
{
    CHECK(&t, egret_fab_array(UINT64_MAX, 8) == NULL);
    CHECK(&t, egret_fab_array(UINT64_MAX / 16u + 2u, 16) == NULL);
    unsigned char *a = egret_fab_array(3, 5);
    CHECK(&t, a != NULL && (uintptr_t)a % 64u == 0 && a[0] == 0 && a[14] == 0);
    free(a);
}

/* 200 periods that begin and end in one packet: each is busy all the time. */
static void long_sample(void)
{
    struct egret_fabric f = {0};
    struct fab_worker w = {0};
    struct fab_samples s = {.period = 100};
    struct fab_link l = {.tier = EGRET_QUEUE_AGG_UP};
    w.fabric = &f;
    w.samples = &s;
    egret_fab_sample(&w, &l, 50, 20000);
    CHECK(&t, w.code == EGRET_OK && s.count == 201 && s.capacity >= 201);
    uint64_t all = 0;
    for (size_t i = 0; i < s.count; i++) {
        CHECK(&t, s.busy[i][EGRET_QUEUE_AGG_UP] == (i == 0 || i == 200 ? 50u : 100u));
        all += s.busy[i][EGRET_QUEUE_HOST];
    }
    CHECK(&t, all == 0);
    free(s.busy);
}

/* A node that gets more packets in a window than a key has numbers for: 2^24 - 1. */
static void full_window(void)
{
    struct egret_fabric_spec s = spec("fat-tree:4");
    struct egret_schedule w = one_message(16, 1);
    struct egret_trace_error err;
    struct egret_fabric *f = NULL;
    struct fab_packet p = {.time = 5, .in = 0};
    if (!CHECK(&t, egret_fabric_create(&s, &w, &f, &err) == EGRET_OK)) {
        egret_schedule_free(&w);
        return;
    }
    egret_fab_queue_window(&f->worker[0]);
    uint32_t node = f->first_node[FAB_EDGE];
    for (uint32_t full = 0; full < 2u; full++) {
        egret_fab_post(&f->worker[0], node, &p);
        struct fab_bucket *b = fab_bucket(&f->worker[0], 0, node);
        /* It says how many chunks there are before it, as if they were there. */
        b->tail->number = full ? 0xffffffu / FAB_CHUNK_PACKETS + 1u : 0;
        size_t n = egret_fab_take(&f->worker[0], node);
        CHECK(&t, n == (full ? 0u : 1u));
        CHECK(&t, f->worker[0].code == (full ? EGRET_ERR_RANGE : EGRET_OK));
    }
    CHECK(&t, strstr(f->worker[0].text, "within a window of 500000 ps, at most 16777215") != NULL);
    egret_fabric_free(f);
    egret_schedule_free(&w);
}

/* Vectors of weights by destination: the one that a destination has is its weights, divided by
 * their greatest common divisor, or 0 and 1; no two are equal. Many vectors, so that places in the
 * table of those seen collide. */
static void vectors(void)
{
    struct egret_fabric f;
    struct egret_trace_error err;
    static struct fab_vectors v;
    size_t wrong = 0, twice = 0, most = 0;
    fabric_spec(&f, "fat-tree:16", EGRET_SCHEME_DR);
    f.spec.failed_ppm = 300000;
    f.spec.convergence_ps = 0;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK && egret_fab_plan(&f, &err) == EGRET_OK);
    const struct egret_topology *p = &f.spec.topology;
    for (uint32_t edge = 0; edge < 128u; edge++) {
        bool members = edge % 2u;
        struct fab_room room = {members ? 0 : UINT32_MAX, UINT32_MAX};
        egret_fab_vectors(p, &f.plan->known[0], FAB_EDGE, edge, &room, &v);
        most = v.count > most ? v.count : most;
        for (uint32_t key = 0; key < 128u; key++) {
            uint8_t weight[EGRET_MAX_PORTS];
            if (key == edge) {
                continue;
            }
            (void)egret_fab_weights(p, &f.plan->known[0], FAB_EDGE, edge, key, weight);
            uint32_t divisor = 1;
            for (uint32_t d = 2; d <= 8u; d++) {
                uint32_t u = 0;
                while (u < 8u && weight[u] % d == 0) {
                    u++;
                }
                divisor = u == 8u ? d : divisor;
            }
            for (uint32_t u = 0; u < 8u; u++) {
                uint32_t want = members ? weight[u] != 0 : weight[u] / divisor;
                wrong += v.weight[v.of_key[key]][u] != want;
            }
        }
        for (uint32_t a = 0; a < v.count; a++) {
            for (uint32_t b = 0; b < a; b++) {
                twice += memcmp(v.weight[a], v.weight[b], 8) == 0;
            }
        }
    }
    CHECK(&t, most > 60u);
    CHECK(&t, wrong == 0);
    CHECK(&t, twice == 0);
    egret_fab_teardown(&f);
}

int main(void)
{
    numbers();
    topologies();
    epochs();
    configurations();
    plan_refused();
    cut_off();
    delays();
    bounds();
    arrays();
    long_sample();
    full_window();
    vectors();
    return trace_result(&t);
}
