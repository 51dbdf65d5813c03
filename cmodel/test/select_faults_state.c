/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_faults_state.c: what a packet does about a bad flowlet entry, DRILL memory or counter:
 * docs/spec/faults.md, section 3, outcomes 5 to 7; and fault writes themselves: which are legal,
 * what they do without parity, what makes an entry good.
 */
#include "select_faults.h"

#define ENTRY 3u /* of the flowlet table */
#define TAG (HASH >> 20)
#define INDEX_DATA(outcome) ((uint32_t)(outcome) << 30 | ENTRY)

static uint32_t flow_count(struct bench *b, uint32_t which)
{
    return test_read(b->e, EGRET_A_FLOWLET_COUNTER(0, which));
}

static void flowlet_entry(struct bench *b, uint32_t tag, uint32_t port, uint32_t last, bool bad)
{
    test_write(b->e, EGRET_A_FLOWLET_LAST, last);
    if (bad)
        fault(b, EGRET_A_FLOWLET(ENTRY, 0), 0x80000000u | tag << 16 | port);
    else
        test_write(b->e, EGRET_A_FLOWLET(ENTRY, 0), 0x80000000u | tag << 16 | port);
}

/* Reads as not valid: whatever it holds, a new path by the packet's number. */
static void bad_flowlet(void)
{
    struct bench b = bench_named("p7");
    struct egret_group g = group_of(&b, EGRET_SCHEME_FLOWLET);
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_decision d;
    uint32_t news = 0;

    b.what = "bad flowlet";
    g.flowlet_base = ENTRY;
    g.idle = 100;
    put_group(&b, 0, &g);
    ev.now = 5000 << 4;
    for (uint32_t kind = 0; kind < 4; kind++) {
        uint32_t tag = kind < 2 ? TAG : TAG ^ 1u; /* hit, expired; conflict, evict */
        uint32_t last = kind % 2 == 0 ? 4990 : 4000;
        flowlet_entry(&b, tag, 5, last, true);
        d = send(&b, &ev);
        met(&b, BIT(EGRET_FAULT_FLOWLET));
        CHECK_EQ(d.data, INDEX_DATA(EGRET_FLOWLET_NEW), "a new flowlet");
        CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, "chosen");
        CHECK_EQ(d.port, kth(0x7f, test_read(b.e, EGRET_A_RANDOM) >> 16), "at random");
        CHECK_EQ(flow_count(&b, EGRET_FLOWLET_NEW), ++news, "counted as new");
        CHECK_EQ(test_read(b.e, EGRET_A_FLOWLET(ENTRY, 0)), 0x80000000u | TAG << 16 | d.port,
                 "written");
        CHECK_EQ(test_read(b.e, EGRET_A_FLOWLET(ENTRY, 1)), 5000, "last");
        CHECK_EQ(expect_good(&b, &ev).data, INDEX_DATA(EGRET_FLOWLET_HIT), "and good");
    }
    for (uint32_t which = 0; which < 5; which++)
        CHECK_EQ(flow_count(&b, which), which < 2 ? 4 : 0, "no other counter");

    /* an own port among the emptiest is no reason to stay */
    g.by_quality = g.strictly_better = 1;
    put_group(&b, 0, &g);
    for (uint32_t i = 0; i < 8; i++) {
        flowlet_entry(&b, TAG, i % 7, 4000, true);
        d = send(&b, &ev);
        met(&b, BIT(EGRET_FAULT_FLOWLET));
        CHECK_EQ(d.port, kth(0x7f, test_read(b.e, EGRET_A_RANDOM) >> 16), "at random");
    }
    CHECK_EQ(flow_count(&b, EGRET_FLOWLET_NEW), 12, "new");
    CHECK_EQ(flow_count(&b, 4), 0, "not reassigned");

    /* no member is live: nothing is met, and nothing changes but what data says */
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, false);
    flowlet_entry(&b, TAG ^ 1u, 5, 4990, true);
    expect_drop(&b, &ev, EGRET_REASON_DROP_DOWN, INDEX_DATA(EGRET_FLOWLET_NEW), 0);
    flowlet_entry(&b, TAG ^ 1u, 5, 4990, false);
    expect_drop(&b, &ev, EGRET_REASON_DROP_DOWN, INDEX_DATA(EGRET_FLOWLET_CONFLICT), 0);
    flowlet_entry(&b, TAG, 5, 4990, true);
    expect_drop(&b, &ev, EGRET_REASON_DROP_DOWN, INDEX_DATA(EGRET_FLOWLET_NEW), 0);
    CHECK_EQ(test_read(b.e, EGRET_A_FLOWLET(ENTRY, 0)), 0x80000005u | TAG << 16, "unchanged");
    test_port(b.e, 1, true);
    expect(&b, &ev, EGRET_REASON_CHOSEN, 1, 1, INDEX_DATA(EGRET_FLOWLET_NEW),
           BIT(EGRET_FAULT_FLOWLET));
    bench_end(&b);
}

/* A bad bucket matters in a conflict only. */
static void bad_bucket_of_flowlet(void)
{
    struct bench b = bench_named("p7");
    struct egret_group g = group_of(&b, EGRET_SCHEME_FLOWLET);
    struct egret_event ev = test_packet(0, 0, 0);

    b.what = "bad bucket of flowlet";
    g.flowlet_base = ENTRY;
    g.idle = 100;
    put_group(&b, 0, &g);
    ev.now = 5000 << 4;
    fault(&b, EGRET_A_BUCKET(0), 6);
    flowlet_entry(&b, TAG ^ 1u, 5, 4990, false);
    expect(&b, &ev, EGRET_REASON_REPAIRED, kth(0x7f, HASH >> 16), 6,
           INDEX_DATA(EGRET_FLOWLET_CONFLICT), BIT(EGRET_FAULT_BUCKET));
    CHECK_EQ(flow_count(&b, EGRET_FLOWLET_CONFLICT), 1, "conflict");
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(0, 1)), 1, "repair");
    flowlet_entry(&b, TAG, 5, 4990, false);
    expect(&b, &ev, EGRET_REASON_CHOSEN, 5, 5, INDEX_DATA(EGRET_FLOWLET_HIT), 0);
    flowlet_entry(&b, TAG ^ 1u, 5, 4990, true); /* both bad: no conflict, so no bucket */
    CHECK_EQ(send(&b, &ev).data, INDEX_DATA(EGRET_FLOWLET_NEW), "new");
    met(&b, BIT(EGRET_FAULT_FLOWLET));
    bench_end(&b);
}

/* Band of port p is 1 if its thresholds say so: here only that of ports with queue 1. */
static void lay_bands(struct bench *b, uint64_t full)
{
    test_write(b->e, EGRET_A_LOAD_WEIGHTS, 256u << 16);
    for (uint32_t p = 0; p < b->cfg.num_ports; p++) {
        struct egret_event ev = test_write_event(p, full >> p & 1u ? 0x8000 : 0);
        ev.kind = EGRET_EV_QUEUE;
        test_write(b->e, EGRET_A_PORT_LOAD(p, 1), 0x8000);
        REQUIRE(egret_emit_apply(b->e, EGRET_A_LOAD_THRESHOLD(1), 100) == EGRET_OK);
        struct egret_decision d;
        REQUIRE(egret_apply(b->e, &ev, &d) == EGRET_OK);
    }
    for (uint32_t i = 2; i <= 7; i++)
        test_write(b->e, EGRET_A_LOAD_THRESHOLD(i), 0xffff);
    for (uint32_t i = 0; i < 2; i++) {
        struct egret_event ev = test_write_event(0, 0);
        struct egret_decision d;
        ev.kind = EGRET_EV_TICK;
        REQUIRE(egret_apply(b->e, &ev, &d) == EGRET_OK);
    }
}

/* With d = 1 the sample is the k-th port; port 6 alone is empty, and remembered. */
static void bad_memory(void)
{
    struct bench b = bench_named("p7");
    struct egret_group g = group_of(&b, EGRET_SCHEME_SPRAY_QUALITY);
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_decision d;
    uint32_t left = 0;

    b.what = "bad memory";
    lay_bands(&b, 0x3f);
    CHECK_EQ(test_read(b.e, EGRET_A_PORT_LOAD(0, 2)), 1, "band of port 0");
    CHECK_EQ(test_read(b.e, EGRET_A_PORT_LOAD(6, 2)), 0, "band of port 6");
    g.drill_samples = 1;
    g.drill_memory = 1;
    put_group(&b, 0, &g);
    for (uint32_t i = 0; i < 20; i++) {
        test_write(b.e, EGRET_A_DRILL_MEMORY(0), 0x80000006);
        CHECK_EQ(expect_good(&b, &ev).port, 6, "remembered");
        fault(&b, EGRET_A_DRILL_MEMORY(0), 0x80000006);
        d = send(&b, &ev);
        met(&b, BIT(EGRET_FAULT_MEMORY));
        CHECK_EQ(d.port, kth(0x7f, test_read(b.e, EGRET_A_RANDOM) >> 16), "the sample");
        CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, "chosen");
        CHECK_EQ(test_read(b.e, EGRET_A_DRILL_MEMORY(0)), 0x80000000u | d.port, "remembered");
        left += d.port != 6;
        (void)expect_good(&b, &ev);
    }
    CHECK(left > 5, "%u of 20 samples were another port", left);

    /* not looked at: small packets, m = 0, d = 0, no member live, another scheme */
    fault(&b, EGRET_A_DRILL_MEMORY(0), 0x80000005);
    test_write(b.e, EGRET_A_QUALITY_SMALL, 2000);
    (void)expect_good(&b, &ev);
    test_write(b.e, EGRET_A_QUALITY_SMALL, 0);
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, false);
    CHECK_EQ(expect_good(&b, &ev).reason, EGRET_REASON_DROP_DOWN, "down");
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, true);
    g.drill_memory = 0;
    put_group(&b, 0, &g);
    (void)expect_good(&b, &ev);
    g.drill_samples = 0;
    g.drill_memory = 1;
    put_group(&b, 0, &g);
    (void)expect_good(&b, &ev);
    simple_group(&b, 0, EGRET_SCHEME_FLOWLET);
    (void)expect_good(&b, &ev);
    CHECK_EQ(test_read(b.e, EGRET_A_DRILL_MEMORY(0)), 0x80000005, "as it was");
    test_write(b.e, EGRET_A_GROUP_STAGE6, 0x1c000000); /* d = 3 counts as 2 */
    test_write(b.e, EGRET_A_GROUP(0, 0), EGRET_SCHEME_SPRAY_QUALITY);
    (void)send(&b, &ev);
    met(&b, BIT(EGRET_FAULT_MEMORY));
    bench_end(&b);
}

static void port_counter(struct bench *b, uint32_t p, uint64_t packets, uint64_t bytes)
{
    for (uint32_t w = 0; w < 4; w++) {
        uint64_t want = (w < 2 ? packets : bytes) >> (w % 2 == 0 ? 0 : 32) & 0xffffffffu;
        CHECK(test_read(b->e, EGRET_A_PORT_COUNTER(p, w)) == want, "%s: word %u of port %u",
              b->what, w, p);
    }
}

/* Fixed to port 2, length 1000. */
static void bad_port_counter(void)
{
    struct bench b = bench_named("p7"), good = bench_named("p7");
    struct egret_event ev = test_packet(0, 0, 0);

    b.what = "bad port counter";
    simple_group(&b, 0, EGRET_SCHEME_FIXED);
    test_write(b.e, EGRET_A_BUCKET(0), 2);
    for (uint32_t w = 0; w < 4; w++) { /* any of its words */
        for (uint32_t i = 1; i <= 3; i++)
            (void)expect_good(&b, &ev);
        fault(&b, EGRET_A_PORT_COUNTER(2, w), 0xffffffff);
        port_counter(&b, 2, 3 + (w != 0), 1000 * (3 + (w != 0))); /* the value stays */
        expect(&b, &ev, EGRET_REASON_CHOSEN, 2, 2, HASH, BIT(EGRET_FAULT_PORT_COUNTER));
        port_counter(&b, 2, 1, 1000);
    }
    (void)expect_good(&b, &ev);
    fault(&b, EGRET_A_PORT_COUNTER(2, 0), 0); /* twice: good again */
    fault(&b, EGRET_A_PORT_COUNTER(2, 3), 0);
    (void)expect_good(&b, &ev);
    port_counter(&b, 2, 3, 3000);
    fault(&b, EGRET_A_PORT_COUNTER(1, 0), 0); /* of a port that has none */
    (void)expect_good(&b, &ev);
    port_counter(&b, 1, 0, 0);
    CHECK_EQ(test_read(b.e, EGRET_A_WRITES_IGNORED), 0, "all legal");
    bench_end(&b);

    /* what the load counts is not the counter */
    b = bench_named("p7");
    for (unsigned i = 0; i < 2; i++) {
        struct bench *x = i == 0 ? &b : &good;
        simple_group(x, 0, EGRET_SCHEME_FIXED);
        lay_bands(x, 0);
        test_write(x->e, EGRET_A_LOAD_WEIGHTS, 256);
        test_write(x->e, EGRET_A_PORT_LOAD(0, 0), 0xffff);
        for (uint32_t n = 1; n <= 7; n++)
            test_write(x->e, EGRET_A_LOAD_THRESHOLD(n), 1000 * n);
        (void)test_decide(x->e, &ev);
        (void)test_decide(x->e, &ev);
        if (i == 0)
            spoil(x, EGRET_A_PORT_COUNTER(0, 0));
        (void)test_decide(x->e, &ev);
        (void)test_decide(x->e, &ev);
        for (unsigned t = 0; t < 2; t++) {
            struct egret_event tick = test_write_event(0, 0);
            struct egret_decision d;
            tick.kind = EGRET_EV_TICK;
            REQUIRE(egret_apply(x->e, &tick, &d) == EGRET_OK);
        }
        CHECK_EQ(test_read(x->e, EGRET_A_PORT_LOAD(0, 2)), 3, "4000 bytes, all but one");
    }
    port_counter(&b, 0, 2, 2000);
    port_counter(&good, 0, 4, 4000);
    bench_end(&b);
    bench_end(&good);
}

/* Drops and repairs are two entries, the five of flowlet five. */
static void bad_group_counters(void)
{
    struct bench b = bench_named("p7");
    struct egret_event ev = test_packet(0, 0, 0), drop = test_packet(1, 0, 0);
    struct egret_group g = group_of(&b, EGRET_SCHEME_FIXED);

    b.what = "bad group counters";
    g.members = 0x06; /* the bucket has port 0 */
    put_group(&b, 0, &g);
    for (uint32_t i = 1; i <= 3; i++) {
        (void)expect_good(&b, &ev);
        expect_drop(&b, &drop, EGRET_REASON_DROP_EMPTY, 0, 0);
    }
    fault(&b, EGRET_A_GROUP_COUNTER(0, 0), 0);
    fault(&b, EGRET_A_GROUP_COUNTER(1, 1), 0);
    (void)expect_good(&b, &ev);
    expect_drop(&b, &drop, EGRET_REASON_DROP_EMPTY, 0, 0);
    fault(&b, EGRET_A_GROUP_COUNTER(0, 1), 0);
    fault(&b, EGRET_A_GROUP_COUNTER(1, 0), 0);
    expect(&b, &ev, EGRET_REASON_REPAIRED, kth(6, HASH >> 16), 0, HASH,
           BIT(EGRET_FAULT_GROUP_COUNTER));
    expect_drop(&b, &drop, EGRET_REASON_DROP_EMPTY, 0, BIT(EGRET_FAULT_GROUP_COUNTER));
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(0, 1)), 1, "repairs begin anew");
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(1, 0)), 1, "drops begin anew");
    drop.group = 0; /* an early drop ticks it too: bad since before */
    put_group(&b, 0, &g);
    test_write(b.e, EGRET_A_GROUP(0, 0), 9);
    expect_drop(&b, &drop, EGRET_REASON_DROP_SCHEME, 0, BIT(EGRET_FAULT_GROUP_COUNTER));
    CHECK_EQ(test_read(b.e, EGRET_A_DROPS_SCHEME), 1, "counted");
    bench_end(&b);
}

/* A packet that meets an entry and three counters: one more in FAULTS, four bits. */
static void several(void)
{
    struct bench b = bench_named("lab");
    struct egret_group g = group_of(&b, EGRET_SCHEME_FLOWLET);
    struct egret_event ev = test_packet(0, 0, 0);

    b.what = "several";
    g.flowlet_base = ENTRY;
    g.idle = 100;
    g.members = 0x20;
    put_group(&b, 0, &g);
    ev.now = 5000 << 4;
    flowlet_entry(&b, TAG, 4, 4990, false); /* a hit, but port 4 is no member */
    for (uint32_t i = 1; i <= 3; i++)
        expect(&b, &ev, EGRET_REASON_REPAIRED, 5, 4, INDEX_DATA(EGRET_FLOWLET_HIT), 0);
    spoil(&b, EGRET_A_GROUP_COUNTER(0, 1));
    spoil(&b, EGRET_A_FLOWLET_COUNTER(0, EGRET_FLOWLET_HIT));
    spoil(&b, EGRET_A_FLOWLET_COUNTER(0, EGRET_FLOWLET_NEW));
    spoil(&b, EGRET_A_PORT_COUNTER(5, 1));
    expect(&b, &ev, EGRET_REASON_REPAIRED, 5, 4, INDEX_DATA(EGRET_FLOWLET_HIT),
           BIT(EGRET_FAULT_GROUP_COUNTER) | BIT(EGRET_FAULT_FLOWLET_COUNTER) |
               BIT(EGRET_FAULT_PORT_COUNTER));
    CHECK_EQ(flow_count(&b, EGRET_FLOWLET_HIT), 1, "hits begin anew");
    flowlet_entry(&b, TAG, 4, 4990, true);
    spoil(&b, EGRET_A_PORT_COUNTER(5, 1));
    expect(&b, &ev, EGRET_REASON_CHOSEN, 5, 5, INDEX_DATA(EGRET_FLOWLET_NEW),
           BIT(EGRET_FAULT_FLOWLET) | BIT(EGRET_FAULT_FLOWLET_COUNTER) |
               BIT(EGRET_FAULT_PORT_COUNTER));
    flowlet_entry(&b, TAG, 4, 4000, false); /* expired, and another port than before */
    spoil(&b, EGRET_A_FLOWLET_COUNTER(0, EGRET_FLOWLET_NEW));
    expect(&b, &ev, EGRET_REASON_CHOSEN, 5, 5, INDEX_DATA(EGRET_FLOWLET_NEW), 0);
    CHECK_EQ(flow_count(&b, 4), 1, "reassigned");
    flowlet_entry(&b, TAG, 4, 4000, false);
    spoil(&b, EGRET_A_FLOWLET_COUNTER(0, 4));
    expect(&b, &ev, EGRET_REASON_CHOSEN, 5, 5, INDEX_DATA(EGRET_FLOWLET_NEW),
           BIT(EGRET_FAULT_FLOWLET_COUNTER));
    CHECK_EQ(flow_count(&b, 4), 1, "begins anew");
    bench_end(&b);
}

/* No entry stands for another: with fewer keys than groups all pointers are bad, and no counter is;
 * then all counters of repairs are bad, and no row of the matrix is. */
static void neighbours(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    cfg.num_keys = cfg.num_bins = 1;
    struct bench b = bench_of(&cfg);
    for (uint32_t i = 0; i < cfg.num_groups; i++)
        spoil(&b, EGRET_A_POINTER_RR(i));
    spoil(&b, EGRET_A_POINTER_DR(0, 0));
    for (uint32_t i = 0; i < cfg.num_groups; i++) {
        struct egret_group g = group_of(&b, EGRET_SCHEME_ECMP);
        struct egret_event ev = test_packet(i, 0, 0);
        CHECK_EQ(expect_good(&b, &ev).reason, EGRET_REASON_DROP_EMPTY, "a drop is counted");
        g.members = 1u << i % cfg.num_ports;
        put_group(&b, i, &g);
        CHECK_EQ(expect_good(&b, &ev).port, i % cfg.num_ports, "its port's counters, too");
        simple_group(&b, i, EGRET_SCHEME_SPRAY_RR);
        (void)send(&b, &ev);
        met(&b, BIT(EGRET_FAULT_POINTER));
    }
    simple_group(&b, 0, EGRET_SCHEME_ECMP);
    for (uint32_t i = 0; i < cfg.num_groups; i++)
        spoil(&b, EGRET_A_GROUP_COUNTER(i, 1));
    for (uint32_t i = 0; i < 256; i++) {
        struct egret_event ev = test_packet(0, 0, 0);
        ev.record[0] = (uint8_t)i;
        CHECK_EQ(expect_good(&b, &ev).reason, EGRET_REASON_CHOSEN, "rows of nibbles 0 and 1");
    }
    bench_end(&b);
}

struct legal {
    const char *config;
    uint32_t addr, data;
    const char *forbidden; /* null: takes effect */
};
static const struct legal legal[] = {
    {"lab", EGRET_A_PORT_COUNTER(15, 3), 0, NULL},
    {"lab", EGRET_A_PORT_COUNTER(16, 0), 0, "NUM_PORTS"},
    {"lab", EGRET_A_GROUP_COUNTER(31, 1), 0, NULL},
    {"lab", EGRET_A_GROUP_COUNTER(32, 0), 0, "NUM_GROUPS"},
    {"lab", EGRET_A_FLOWLET_COUNTER(31, 4), 0, NULL},
    {"lab", EGRET_A_FLOWLET_COUNTER(31, 5), 0, "address"},
    {"lab", EGRET_A_FLOWLET_COUNTER(32, 0), 0, "NUM_GROUPS"},
    {"lab", EGRET_A_QUEUE(0), 0, "read-only"},
    {"lab", EGRET_A_BUCKET(1023), 15, NULL},
    {"lab", EGRET_A_BUCKET(1023), 16, "NUM_PORTS"},
    {"lab", EGRET_A_SCHEDULE(1, 31, 31), 16, "NUM_PORTS"},
    {"lab", EGRET_A_GROUP(0, 1), 0, "read-only"},
    {"lab", EGRET_A_FLOWLET(0, 1), 0, "read-only"},
    {"lab", EGRET_A_FLOWLET(0, 0), 16, "NUM_PORTS"},
    {"lab", EGRET_A_DRILL_MEMORY(0), 16, "NUM_PORTS"},
    {"lab", EGRET_A_PORT_LOAD(0, 0), 5, NULL},
    {"lab", EGRET_A_PORT_LOAD(0, 2), 5, "read-only"},
    {"lab", EGRET_A_DRAW_SEED, 5, NULL},
    {"lab", EGRET_A_FAULTS, 5, "read-only"},
    {"lab", EGRET_A_FAULT_TABLES, 5, "read-only"},
    {"lab", EGRET_A_HASH_FIELDS, 5, "HASH_KIND"},
    {"lab", EGRET_A_FRONT, 5, NULL},
    {"lab", 0xd00000, 5, "address"},
    {"lab_lookup3", EGRET_A_MATRIX(0, 0), 5, "HASH_KIND"},
    {"tiny", EGRET_A_PORT_COUNTER(0, 0), 0, "PARITY"},
    {"tiny", EGRET_A_BUCKET(0), 1, "PARITY"},
    {"tiny", EGRET_A_BUCKET(99999), 1, "PARITY"},
    {"tiny", EGRET_A_DRAW_SEED, 1, "PARITY"},
    {"tiny", EGRET_A_FRONT, 1, "PARITY"},
};

static void legality(void)
{
    CHECK_EQ(egret_ctl_check_fault(NULL, 0, 0, NULL), EGRET_ERR_NULL, "null");
    for (size_t i = 0; i < sizeof legal / sizeof legal[0]; i++) {
        const struct legal *l = &legal[i];
        struct bench b = bench_named(l->config);
        const char *param = NULL;
        int err = egret_ctl_check_fault(&b.cfg, l->addr | 0x7000000u, l->data, &param);
        CHECK_EQ(err, l->forbidden != NULL ? EGRET_ERR_RANGE : EGRET_OK, l->config);
        CHECK(l->forbidden != NULL ? param != NULL && strcmp(param, l->forbidden) == 0
                                   : param == NULL,
              "%s %06x: %s", l->config, l->addr, param != NULL ? param : "-");
        CHECK_EQ(egret_ctl_check_fault(&b.cfg, l->addr, l->data, NULL), err, l->config);
        uint32_t before = test_read(b.e, l->addr);
        REQUIRE(egret_emit_fault(b.e, l->addr | 0x7000000u, l->data) == EGRET_OK);
        CHECK_EQ(test_read(b.e, EGRET_A_WRITES_IGNORED), l->forbidden != NULL, l->config);
        if (l->forbidden != NULL)
            CHECK_EQ(test_read(b.e, l->addr), before, "no effect");
        bench_end(&b);
    }
}

/* A configuration is what it was without: every address, no bad entry. */
static void without_parity(void)
{
    struct egret_cfg cfg = test_cfg("p7");
    struct egret_event ev = test_packet(0, 0, 0);
    struct bench b;

    CHECK_EQ(test_cfg("tiny").parity, 0, "tiny has none");
    CHECK_EQ(cfg.parity, 1, "p7 has it");
    cfg.parity = 0;
    b = bench_of(&cfg);
    b.what = "without parity";
    CHECK_EQ(test_read(b.e, EGRET_A_PARAM3) >> 21, 0, "PARAM3");
    simple_group(&b, 0, EGRET_SCHEME_FIXED);
    for (uint32_t region = 0; region < 16; region++)
        REQUIRE(egret_emit_fault(b.e, region << 20, 0) == EGRET_OK);
    CHECK_EQ(test_read(b.e, EGRET_A_WRITES_IGNORED), 16, "all ignored");
    expect(&b, &ev, EGRET_REASON_CHOSEN, 0, 0, HASH, 0);
    bench_end(&b);
    cfg.parity = 1;
    b = bench_of(&cfg);
    CHECK_EQ(test_read(b.e, EGRET_A_PARAM3) >> 21, 1, "PARAM3");
    bench_end(&b);
    const char *param = NULL;
    cfg.parity = 2;
    CHECK_EQ(egret_cfg_check(&cfg, &param), EGRET_ERR_CONFIG, "PARITY=2");
    CHECK(param != NULL && strcmp(param, "PARITY") == 0, "PARITY");
}

/* Reads and ticks meet nothing; reset makes good; globals are plain words. */
static void reset_and_reads(void)
{
    struct bench b = bench_named("p7");
    struct egret_event ev = test_packet(0, 0, 0);

    b.what = "reset and reads";
    fault(&b, EGRET_A_DRAW_SEED, 77);
    CHECK_EQ(test_read(b.e, EGRET_A_DRAW_SEED), 77, "a global");
    simple_group(&b, 0, EGRET_SCHEME_FIXED);
    lay_bands(&b, 0);
    spoil_group(&b, 0);
    spoil(&b, EGRET_A_BUCKET(0));
    spoil(&b, EGRET_A_PORT_COUNTER(0, 0));
    for (uint32_t w = 0; w < 7; w++)
        (void)test_read(b.e, EGRET_A_GROUP(0, w));
    (void)test_read(b.e, EGRET_A_BUCKET(0));
    (void)test_read(b.e, EGRET_A_PORT_COUNTER(0, 0));
    lay_bands(&b, 0);
    met(&b, 0);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
    REQUIRE(egret_reset(b.e) == EGRET_OK);
    b.faults = b.tables = 0;
    met(&b, 0);
    test_write(b.e, EGRET_A_HASH_SEED, HASH);
    simple_group(&b, 0, EGRET_SCHEME_FIXED);
    expect(&b, &ev, EGRET_REASON_CHOSEN, 0, 0, HASH, 0);
    CHECK_EQ(test_read(b.e, EGRET_A_PORT_COUNTER(0, 0)), 1, "a good counter");
    fault(&b, EGRET_A_BUCKET(0), 3); /* twice: a table's entry stays bad */
    fault(&b, EGRET_A_BUCKET(0), 3);
    expect(&b, &ev, EGRET_REASON_REPAIRED, kth(0x7f, HASH >> 16), 3, HASH,
           BIT(EGRET_FAULT_BUCKET));
    bench_end(&b);
}

int main(void)
{
    bad_flowlet();
    bad_bucket_of_flowlet();
    bad_memory();
    bad_port_counter();
    bad_group_counters();
    several();
    neighbours();
    legality();
    without_parity();
    reset_and_reads();
    return test_end();
}
