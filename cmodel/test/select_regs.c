/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_regs.c: the address map: what is writable, read-only or absent in each configuration, that
 * every illegal write is ignored and counted, what bits are kept, counters, reset, and that
 * egret_ctl_check_write() says beforehand what happens, and names the parameter.
 */
#include "egret/control.h"
#include "egret/selector.h"
#include "egret/timing.h"
#include "select_test.h"

struct row {
    const char *config;
    uint32_t addr;
    uint32_t data;
    const char *forbidden; /* null: takes effect */
    uint32_t reads;        /* what a read gives afterwards */
};

static const struct row rows[] = {
    /* globals */
    {"tiny", EGRET_A_TYPE, 1, "read-only", 0x45475254},
    {"tiny", EGRET_A_VERSION, 1, "read-only", 0x00010000},
    {"tiny", EGRET_A_PARAM0, 1, "read-only", 0x02070704},
    {"tiny", EGRET_A_PARAM1, 1, "read-only", 0x00100004},
    {"tiny", EGRET_A_PARAM2, 1, "read-only", EGRET_LATENCY_BASE << 20 | 64},
    {"tor64", EGRET_A_PARAM0, 1, "read-only", 0x027f3f40},
    {"tor64", EGRET_A_PARAM1, 1, "read-only", 0x08000080},
    {"tor64", EGRET_A_PARAM2, 1, "read-only",
     0x10004000 | (EGRET_LATENCY_BASE + EGRET_LATENCY_DEEP) << 20},
    {"p3", EGRET_A_PARAM2, 1, "read-only",
     0x20000020 | (EGRET_LATENCY_BASE + EGRET_LATENCY_DEEP + EGRET_LATENCY_LOOKUP3) << 20},
    {"tiny", EGRET_A_PARAM3, 1, "read-only", 0x5e},
    {"tor64", EGRET_A_PARAM3, 1, "read-only", 0x003001fe},
    {"tiny", 0x000006, 1, "address", 0},
    {"tiny", 0x000007, 1, "address", 0},
    {"tiny", EGRET_A_HASH_ALGORITHM, 0, NULL, 0},
    {"tiny", EGRET_A_HASH_ALGORITHM, 3, NULL, 3},
    {"tiny", EGRET_A_HASH_ALGORITHM, 2, "HASH_KIND", 3},
    {"tiny", EGRET_A_HASH_ALGORITHM, 15, "HASH_KIND", 3},
    {"tiny", EGRET_A_HASH_ALGORITHM, 0x100, "HASH_KIND", 3},
    {"tiny", EGRET_A_HASH_ALGORITHM, 32, "HASH_KIND", 3},
    {"lab", EGRET_A_HASH_ALGORITHM, 15, NULL, 15},
    {"lab", EGRET_A_HASH_ALGORITHM, 3, "HASH_KIND", 15},
    {"lab_lookup3", EGRET_A_HASH_ALGORITHM, 5, NULL, 5},
    {"lab_lookup3", EGRET_A_HASH_ALGORITHM, 4, "HASH_KIND", 5},
    {"tiny", EGRET_A_HASH_FIELDS, 0xffffffff, NULL, 0x7f},
    {"lab", EGRET_A_HASH_FIELDS, 1, "HASH_KIND", 0},
    {"tiny", EGRET_A_HASH_SEED, 0xdeadbeef, NULL, 0xdeadbeef},
    {"tiny", EGRET_A_HASH_ROTATION, 0x25, NULL, 5},
    {"lab", EGRET_A_HASH_ROTATION, 1, "HASH_KIND", 0},
    {"lab", EGRET_A_DRAW_SEED, 0xfedcba98, NULL, 0xfedcba98},
    {"lab", EGRET_A_CLASS_ORDERED, 0xffff8421, NULL, 0x8421},
    {"tiny", EGRET_A_RANDOM, 0, NULL, 2463534242},
    {"lab", EGRET_A_RANDOM, 7, NULL, 7},
    {"lab", EGRET_A_RANDOM, 0, NULL, 2463534242},
    {"lab", 0x00000f, 1, "address", 0},
    {"lab", EGRET_A_LIVE0, 0, "read-only", 0xffff},
    {"lab", EGRET_A_LIVE1, 1, "read-only", 0},
    {"tor64", EGRET_A_LIVE1, 1, "read-only", 0xffffffff},
    {"lab", EGRET_A_TICK_COUNT, 1, "read-only", 0},
    {"lab", EGRET_A_TICK_NOW0, 1, "read-only", 0},
    {"lab", EGRET_A_TICK_NOW1, 1, "read-only", 0},
    {"lab", EGRET_A_EVENTS_IGNORED, 1, "read-only", 0},
    {"lab", EGRET_A_DROPS_SCHEME, 1, "read-only", 0},
    {"lab", EGRET_A_DROPS_INDEX, 1, "read-only", 0},
    {"lab", 0x00001c, 1, "address", 0},
    {"lab", 0x000020, 1, "address", 0},
    {"lab", EGRET_A_GROUP_STAGE1, 0x12345678, NULL, 0x12345678},
    {"lab", EGRET_A_GROUP_STAGE4, 0x87654321, NULL, 0x87654321},
    {"lab", EGRET_A_GROUP_STAGE5, 0x13572468, NULL, 0x13572468},
    {"lab", EGRET_A_GROUP_STAGE6, 0xffffffff, NULL, 0xffffffff},
    {"tiny", EGRET_A_GROUP_STAGE5, 1, "SCHEMES", 0},
    {"tiny", EGRET_A_GROUP_STAGE6, 1, "SCHEMES", 0},
    {"lab", EGRET_A_FLOWLET_LAST, 0xffffffff, NULL, 0x00ffffff},
    {"tiny", EGRET_A_FLOWLET_LAST, 1, "NUM_FLOWLETS", 0},
    {"lab", 0x0fffff, 1, "address", 0},
    /* groups */
    {"lab", EGRET_A_GROUP(31, 0), 0xffffffff, NULL, 0x1f1fff1f},
    {"p1", EGRET_A_GROUP(0, 0), 0xffffffff, NULL, 0x1f00ff1f},
    {"tiny", EGRET_A_GROUP(0, 0), 0xffffffff, NULL, 0x0007ff1f},
    {"lab", EGRET_A_GROUP(31, 1), 1, "read-only", 0},
    {"lab", EGRET_A_GROUP(31, 4), 1, "read-only", 0},
    {"lab", EGRET_A_GROUP(31, 5), 1, "read-only", 0},
    {"lab", EGRET_A_GROUP(31, 6), 1, "read-only", 0},
    {"lab", EGRET_A_GROUP(31, 7), 1, "address", 0},
    {"tiny", EGRET_A_GROUP(3, 6), 1, "read-only", 0},
    {"lab", EGRET_A_GROUP(32, 0), 1, "NUM_GROUPS", 0},
    {"lab", EGRET_A_GROUP(32, 5), 1, "NUM_GROUPS", 0},
    {"lab", 0x1fffff, 1, "NUM_GROUPS", 0},
    /* buckets and schedules */
    {"lab", EGRET_A_BUCKET(1023), 15, NULL, 15},
    {"lab", EGRET_A_BUCKET(1023), 16, "NUM_PORTS", 0},
    {"lab", EGRET_A_BUCKET(1023), 0x100, "NUM_PORTS", 0},
    {"lab", EGRET_A_BUCKET(1023), 0x80000001, "NUM_PORTS", 0},
    {"lab", EGRET_A_BUCKET(1024), 0, "NUM_BUCKETS", 0},
    {"lab", EGRET_A_SCHEDULE(1, 31, 31), 15, NULL, 15},
    {"lab", EGRET_A_SCHEDULE(1, 31, 31), 16, "NUM_PORTS", 0},
    {"lab", EGRET_A_SCHEDULE(0, 32, 31), 1, "NUM_ROWS", 0},
    {"lab", EGRET_A_SCHEDULE(0, 31, 32), 1, "ROW_LEN", 0},
    {"lab", EGRET_A_SCHEDULE(2, 0, 0), 1, "address", 0},
    {"lab", 0x3f0000, 1, "address", 0},
    {"p7", EGRET_A_BUCKET(0), 6, NULL, 6},
    {"p7", EGRET_A_BUCKET(0), 7, "NUM_PORTS", 0},
    /* pointers */
    {"lab", EGRET_A_POINTER_DR(63, 1), 0xffffffff, NULL, 0xffffff1f},
    {"p1", EGRET_A_POINTER_DR(0, 0), 0xffffffff, NULL, 0xffffff00},
    {"lab", EGRET_A_POINTER_DR(64, 0), 1, "NUM_KEYS", 0},
    {"lab", EGRET_A_POINTER_DR(63, 2), 1, "NUM_BINS", 0},
    {"lab", EGRET_A_POINTER_RR(31), 0x12345678, NULL, 0x12345618},
    {"lab", EGRET_A_POINTER_RR(32), 1, "NUM_GROUPS", 0},
    /* counters */
    {"lab", EGRET_A_QUEUE(15), 1, "read-only", 0},
    {"lab", EGRET_A_QUEUE(16), 1, "NUM_PORTS", 0},
    {"lab", EGRET_A_PORT_COUNTER(15, 3), 1, "read-only", 0},
    {"lab", EGRET_A_PORT_COUNTER(16, 0), 1, "NUM_PORTS", 0},
    {"lab", EGRET_A_GROUP_COUNTER(31, 1), 1, "read-only", 0},
    {"lab", EGRET_A_GROUP_COUNTER(32, 0), 1, "NUM_GROUPS", 0},
    {"lab", EGRET_A_FLOWLET_COUNTER(31, 4), 1, "read-only", 0},
    {"lab", EGRET_A_FLOWLET_COUNTER(31, 5), 1, "address", 0},
    {"lab", EGRET_A_FLOWLET_COUNTER(32, 0), 1, "NUM_GROUPS", 0},
    {"tiny", EGRET_A_FLOWLET_COUNTER(0, 0), 1, "NUM_FLOWLETS", 0},
    /* flowlet entries */
    {"lab", EGRET_A_FLOWLET(1023, 0), 0xffffff0f, NULL, 0x8fff000f},
    {"lab", EGRET_A_FLOWLET(1023, 0), 0x70ff0007, NULL, 0x00ff0007},
    {"lab", EGRET_A_FLOWLET(1023, 0), 0x8fff0010, "NUM_PORTS", 0x00ff0007},
    {"lab", EGRET_A_FLOWLET(1023, 1), 5, "read-only", 0},
    {"lab", EGRET_A_FLOWLET(1024, 0), 0, "NUM_FLOWLETS", 0},
    {"lab", EGRET_A_FLOWLET(1024, 1), 0, "NUM_FLOWLETS", 0},
    {"p3", EGRET_A_FLOWLET(31, 0), 2, NULL, 2},
    {"p3", EGRET_A_FLOWLET(31, 0), 3, "NUM_PORTS", 2},
    {"p3", EGRET_A_FLOWLET(32, 0), 2, "NUM_FLOWLETS", 0},
    {"tor64", EGRET_A_FLOWLET(32767, 0), 0x8123ff3f, NULL, 0x8123003f},
    {"tiny", EGRET_A_FLOWLET(0, 0), 0, "NUM_FLOWLETS", 0},
    /* matrix, holes, front end */
    {"lab", EGRET_A_MATRIX(81, 15), 0xffffffff, NULL, 0xffffffff},
    {"lab", EGRET_A_MATRIX(82, 0), 1, "address", 0},
    {"tiny", EGRET_A_MATRIX(0, 0), 1, "HASH_KIND", 0},
    {"lab_lookup3", EGRET_A_MATRIX(0, 0), 1, "HASH_KIND", 0},
    {"lab", 0xd00000, 1, "address", 0},
    /* port loads, DRILL's memory */
    {"lab", EGRET_A_LOAD_EXPONENT, 0xffffffff, NULL, 0xf},
    {"lab", EGRET_A_LOAD_WEIGHTS, 0xffffffff, NULL, 0x01ff01ff},
    {"lab", EGRET_A_QUALITY_SMALL, 0xffffffff, NULL, 0xffff},
    {"lab", EGRET_A_FAULTS, 1, "read-only", 0},
    {"lab", EGRET_A_FAULT_TABLES, 1, "read-only", 0},
    {"tiny", EGRET_A_FAULTS, 1, "read-only", 0},
    {"lab", 0x00002d, 1, "address", 0},
    {"lab", 0x000030, 1, "address", 0},
    {"lab", EGRET_A_LOAD_THRESHOLD(1), 0xffffffff, NULL, 0xffff},
    {"lab", EGRET_A_LOAD_THRESHOLD(7), 0xffffffff, NULL, 0xffff},
    {"lab", 0x000038, 1, "address", 0},
    {"lab", EGRET_A_PORT_LOAD(15, 0), 0xffffffff, NULL, 0x1fffff},
    {"lab", EGRET_A_PORT_LOAD(15, 1), 0xffffffff, NULL, 0x1fffff},
    {"lab", EGRET_A_PORT_LOAD(15, 2), 1, "read-only", 0},
    {"lab", EGRET_A_PORT_LOAD(15, 3), 1, "address", 0},
    {"lab", EGRET_A_PORT_LOAD(16, 0), 1, "NUM_PORTS", 0},
    {"lab", EGRET_A_PORT_LOAD(16, 2), 1, "NUM_PORTS", 0},
    {"lab", 0x9fffff, 1, "address", 0},
    {"lab", EGRET_A_DRILL_MEMORY(31), 0xffffff0f, NULL, 0x8000000f},
    {"lab", EGRET_A_DRILL_MEMORY(31), 0x7fffff03, NULL, 3},
    {"lab", EGRET_A_DRILL_MEMORY(31), 0x80000010, "NUM_PORTS", 3},
    {"lab", EGRET_A_DRILL_MEMORY(31), 0x000000ff, "NUM_PORTS", 3},
    {"lab", EGRET_A_DRILL_MEMORY(32), 0, "NUM_GROUPS", 0},
    {"tiny", EGRET_A_LOAD_EXPONENT, 1, "SCHEMES", 0},
    {"tiny", EGRET_A_LOAD_WEIGHTS, 1, "SCHEMES", 0},
    {"tiny", EGRET_A_QUALITY_SMALL, 1, "SCHEMES", 0},
    {"tiny", EGRET_A_LOAD_THRESHOLD(1), 1, "SCHEMES", 0},
    {"tiny", EGRET_A_LOAD_THRESHOLD(7), 1, "SCHEMES", 0},
    {"tiny", EGRET_A_PORT_LOAD(0, 0), 1, "SCHEMES", 0},
    {"tiny", EGRET_A_PORT_LOAD(0, 2), 1, "SCHEMES", 0},
    {"tiny", EGRET_A_PORT_LOAD(0, 3), 1, "address", 0},
    {"tiny", EGRET_A_DRILL_MEMORY(0), 0, "SCHEMES", 0},
    {"lab", 0xefffff, 1, "address", 0},
    {"lab", EGRET_A_FRONT, 1, NULL, 0},
    {"lab", 0xffffff, 1, NULL, 0},
};

static void map_rows(void)
{
    const char *config = NULL;
    struct egret *e = NULL;
    uint32_t ignored = 0;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *r = &rows[i];
        struct egret_cfg cfg = test_cfg(r->config);
        const char *param = NULL;
        if (config == NULL || strcmp(config, r->config) != 0) {
            egret_destroy(e);
            e = test_create(&cfg);
            config = r->config;
            ignored = 0;
        }
        int err = egret_ctl_check_write(&cfg, r->addr, r->data, &param);
        CHECK((err == EGRET_OK) == (r->forbidden == NULL), "%s %06x", config, r->addr);
        CHECK(r->forbidden == NULL ? param == NULL
                                   : param != NULL && strcmp(param, r->forbidden) == 0,
              "%s %06x: %s, not %s", config, r->addr, param != NULL ? param : "null",
              r->forbidden != NULL ? r->forbidden : "null");
        test_write(e, r->addr | 0x5a000000u, r->data);
        ignored += r->forbidden != NULL;
        CHECK(test_read(e, r->addr | 0xa5000000u) == (r->forbidden != NULL &&
                                                      (r->addr >> 20 == 2 || r->addr >> 20 == 3)
                                                          ? test_read(e, r->addr)
                                                          : r->reads),
              "%s %06x reads %08x, not %08x", config, r->addr, test_read(e, r->addr), r->reads);
        CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), ignored, config);
    }
    egret_destroy(e);
}

/* Staged words wait for the commit, stay as they are, and the commit takes all at once. */
static void staging(void)
{
    struct egret_cfg cfg = test_cfg("p7");
    struct egret *e = test_create(&cfg);

    for (uint32_t i = 0; i < 6; i++)
        test_write(e, EGRET_A_GROUP_STAGE1 + i, 0xf0f0f0f0u + i);
    for (uint32_t w = 0; w < 7; w++)
        CHECK_EQ(test_read(e, EGRET_A_GROUP(2, w)), 0, "before the commit");
    test_write(e, EGRET_A_GROUP(2, 0), 0x00040503u);
    CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 0)), 0x00040503u, "word 0");
    CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 1)), 0xf0f0f0f0u, "word 1 keeps all bits");
    CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 2)), 0xf0f0f0f1u, "word 2 keeps all bits");
    CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 3)), 0x72u, "only members that exist");
    CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 4)), 0, "only members that exist");
    CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 5)), 0xf0f0f0f4u, "word 5 keeps all bits");
    CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 6)), 0x10f0f0f5u, "word 6 has 29 bits");
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(test_read(e, EGRET_A_GROUP_STAGE1 + i), 0xf0f0f0f0u + i, "stage stays");
    CHECK_EQ(test_read(e, EGRET_A_GROUP(1, 3)), 0, "other groups");
    egret_destroy(e);
}

/* What of words 5 and 6 a group keeps, by the schemes of the configuration. */
static void kept_words(void)
{
    static const struct {
        uint32_t schemes, flowlets, word5, word6;
    } row[] = {
        {0x07e, 0, 0, 0},
        {0x0fe, 0, 0, 0x1c000000},
        {0x17e, 16, 0xffffffff, 0x00ffffff},
        {0x1fe, 64, 0xffffffff, 0x1fffffff},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_cfg cfg = test_cfg("p7");
        cfg.schemes = row[i].schemes;
        cfg.num_flowlets = row[i].flowlets;
        struct egret *e = test_create(&cfg);
        test_write(e, EGRET_A_GROUP_STAGE5, 0xffffffff);
        test_write(e, EGRET_A_GROUP_STAGE6, 0xffffffff);
        test_write(e, EGRET_A_GROUP(3, 0), 1);
        CHECK_EQ(test_read(e, EGRET_A_GROUP(3, 5)), row[i].word5, "word 5");
        CHECK_EQ(test_read(e, EGRET_A_GROUP(3, 6)), row[i].word6, "word 6");
        bool deep = row[i].word6 != 0;
        CHECK_EQ(test_read(e, EGRET_A_GROUP_STAGE5), deep ? 0xffffffff : 0, "stage 5");
        CHECK_EQ(test_read(e, EGRET_A_GROUP_STAGE6), deep ? 0xffffffff : 0, "stage 6");
        CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), deep ? 0 : 2, "ignored");
        egret_destroy(e);
    }
}

static void counters(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_group g;
    struct egret_decision d;
    uint64_t packets, bytes;

    memset(&g, 0, sizeof g);
    g.scheme = EGRET_SCHEME_SPRAY_RR;
    g.members = 1;
    REQUIRE(egret_ctl_group(&cfg, 0, &g, egret_emit_apply, e) == EGRET_OK);
    ev.length = 65535;
    for (unsigned i = 0; i < 70000; i++)
        (void)test_decide(e, &ev);
    packets = (uint64_t)test_read(e, EGRET_A_PORT_COUNTER(0, 1)) << 32 |
              test_read(e, EGRET_A_PORT_COUNTER(0, 0));
    bytes = (uint64_t)test_read(e, EGRET_A_PORT_COUNTER(0, 3)) << 32 |
            test_read(e, EGRET_A_PORT_COUNTER(0, 2));
    CHECK_EQ(packets, 70000, "packets");
    CHECK_EQ(bytes, 70000ull * 65535, "bytes go beyond 32 bits");
    ev.group = 4;
    CHECK_EQ(test_decide(e, &ev).reason, EGRET_REASON_DROP_INDEX, "group beyond NUM_GROUPS");
    CHECK_EQ(test_read(e, EGRET_A_DROPS_INDEX), 1, "counted");
    ev.group = 1;
    CHECK_EQ(test_decide(e, &ev).reason, EGRET_REASON_DROP_EMPTY, "empty group");
    CHECK_EQ(test_read(e, EGRET_A_GROUP_COUNTER(1, 0)), 1, "counted");

    /* events for ports that do not exist */
    for (unsigned i = 0; i < 2; i++) {
        struct egret_event bad = test_write_event(4, 0);
        bad.kind = i == 0 ? EGRET_EV_PORT : EGRET_EV_QUEUE;
        CHECK_EQ(egret_apply(e, &bad, &d), EGRET_OK, "ignored");
        CHECK_EQ(d.kind, EGRET_RES_NONE, "no result");
    }
    CHECK_EQ(test_read(e, EGRET_A_EVENTS_IGNORED), 2, "counted");
    struct egret_event queue = test_write_event(3, 0xffffffffu);
    queue.kind = EGRET_EV_QUEUE;
    CHECK_EQ(egret_apply(e, &queue, &d), EGRET_OK, "queue");
    CHECK_EQ(test_read(e, EGRET_A_QUEUE(3)), 0xffffffffu, "depth");
    struct egret_event tick = test_write_event(0, 0);
    tick.kind = EGRET_EV_TICK;
    tick.now = 0xabcd123456789abcu;
    CHECK_EQ(egret_apply(e, &tick, &d), EGRET_OK, "tick");
    CHECK_EQ(test_read(e, EGRET_A_TICK_COUNT), 1, "ticks");
    CHECK_EQ(test_read(e, EGRET_A_TICK_NOW0), 0x56789abcu, "now");
    CHECK_EQ(test_read(e, EGRET_A_TICK_NOW1), 0x1234u, "48 bits of now");
    egret_destroy(e);
}

/* After reset every word is what it is after creation. */
static void reset(void)
{
    for (size_t c = 0; egret_cfg_name(c) != NULL; c++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(c));
        struct egret *fresh = test_create(&cfg), *used = test_create(&cfg);
        size_t count = egret_state_count(&cfg);
        uint32_t addr = 0;
        unsigned differ = 0;
        for (size_t i = 0; i < count; i++) {
            REQUIRE(egret_state_address(&cfg, i, &addr) == EGRET_OK);
            test_write(used, addr, 0);
            test_write(used, addr, 0x00050601u);
        }
        for (size_t i = 0; i < count; i++) {
            REQUIRE(egret_state_address(&cfg, i, &addr) == EGRET_OK);
            differ += test_read(fresh, addr) != test_read(used, addr);
        }
        CHECK(differ > 5, "%s: the writes left a trace", cfg.name);
        CHECK_EQ(egret_reset(used), EGRET_OK, cfg.name);
        for (size_t i = 0; i < count; i++) {
            REQUIRE(egret_state_address(&cfg, i, &addr) == EGRET_OK);
            CHECK(test_read(fresh, addr) == test_read(used, addr), "%s: %06x", cfg.name, addr);
        }
        egret_destroy(fresh);
        egret_destroy(used);
    }
}

/* The enumeration has every address that reads as something, and each once. */
static void enumeration(void)
{
    struct egret_cfg cfg = test_cfg("p7");
    static uint8_t listed[0x1000000];
    size_t count = egret_state_count(&cfg);
    uint32_t addr = 0;

    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < count; i++) {
        CHECK_EQ(egret_state_address(&cfg, i, &addr), EGRET_OK, "state");
        CHECK(listed[addr & 0xffffffu]++ == 0, "%06x twice", addr);
    }
    CHECK_EQ(egret_state_address(&cfg, count, &addr), EGRET_ERR_RANGE, "past the last");
    for (uint32_t a = 0; a < EGRET_A_FRONT; a++) {
        const char *param = "";
        int err = egret_ctl_check_write(&cfg, a, 0, &param);
        bool there = err == EGRET_OK || strcmp(param, "read-only") == 0;
        bool algorithm = a == EGRET_A_HASH_ALGORITHM;
        if (there != (listed[a] != 0) && !algorithm)
            CHECK(false, "%06x: listed %u, exists %d", a, listed[a], there);
    }
}

int main(void)
{
    map_rows();
    staging();
    kept_words();
    counters();
    reset();
    enumeration();
    return test_end();
}
