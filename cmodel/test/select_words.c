/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_words.c: the words of the address map as a memory: each holds its own value whatever is
 * written to the others, in configurations of all small sizes and with any of the schemes that
 * bring words; how many there are; right behind the last word of a table there is none; counters go
 * beyond 16 bits; large timing models.
 */
#include "egret/selector.h"
#include "egret/timing.h"
#include "select_odd.h"

#define MAX_WORDS 40000

static bool has(const struct egret_cfg *c, uint32_t scheme)
{
    return c->schemes >> scheme & 1u;
}

static bool has_load(const struct egret_cfg *c)
{
    return has(c, EGRET_SCHEME_SPRAY_QUALITY);
}

static bool has_flowlet(const struct egret_cfg *c)
{
    return has(c, EGRET_SCHEME_FLOWLET);
}

/* A value that a word keeps, or something else for words that are not written. */
static uint32_t value_for(const struct egret_cfg *c, uint32_t addr)
{
    uint32_t v = addr * 0x9e3779b9u ^ addr >> 7;
    switch (addr >> 20) {
    case 2:
    case 3:
        return (v >> 8) % c->num_ports;
    case 4:
        return (v & 0xffffff00u) | (v & (c->row_len - 1));
    case 9:
        return v & 0x1fffffu;
    case 0xa:
        return (v & 0x80000000u) | (v >> 8) % c->num_ports;
    case 0xc:
        return addr & 1u ? v & 0xffffffu : (v & 0x8fff0000u) | (v >> 8) % c->num_ports;
    default:
        return v;
    }
}

static bool is_table(uint32_t addr)
{
    uint32_t region = addr >> 20;
    return region == 2 || region == 3 || region == 4 || region == 8 ||
           (region == 9 && (addr & 3u) < 2) || region == 0xa || region == 0xc;
}

/* Registers that only some configurations have. */
static bool is_register(uint32_t addr)
{
    return (addr >= EGRET_A_GROUP_STAGE1 && addr <= EGRET_A_GROUP_STAGE6) ||
           (addr >= EGRET_A_LOAD_EXPONENT && addr <= EGRET_A_QUALITY_SMALL) ||
           (addr >= EGRET_A_LOAD_THRESHOLD(1) && addr <= EGRET_A_LOAD_THRESHOLD(7)) ||
           addr == EGRET_A_FLOWLET_LAST;
}

static uint32_t register_bits(uint32_t addr)
{
    switch (addr) {
    case EGRET_A_FLOWLET_LAST:
        return 0xffffffu;
    case EGRET_A_LOAD_EXPONENT:
        return 0xfu;
    case EGRET_A_LOAD_WEIGHTS:
        return 0x01ff01ffu;
    default:
        return addr >= EGRET_A_QUALITY_SMALL ? 0xffffu : 0xffffffffu;
    }
}

/* The bits of group word w that a configuration keeps. */
static uint32_t group_bits(const struct egret_cfg *c, uint32_t w)
{
    uint64_t ports = c->num_ports == 64 ? ~(uint64_t)0 : ((uint64_t)1 << c->num_ports) - 1;
    switch (w) {
    case 0:
        return 0xff1fu | (c->row_len - 1) << 16 |
               (has(c, EGRET_SCHEME_ENTROPY) ? 0x1f000000u : 0);
    case 3:
        return (uint32_t)ports;
    case 4:
        return (uint32_t)(ports >> 32);
    case 5:
        return has_flowlet(c) ? 0xffffffffu : 0;
    case 6:
        return (has_flowlet(c) ? 0xffffffu : 0) |
               (has_flowlet(c) && has_load(c) ? 0x03000000u : 0) |
               (has_load(c) ? 0x1c000000u : 0);
    default:
        return 0xffffffffu;
    }
}

/* The words of docs/spec/events.md, section 4. */
static size_t number_of_words(const struct egret_cfg *c)
{
    size_t n = 22 + 2 + 2; /* those of all configurations; CLASS_ORDERED, RANDOM; of faults */
    n += c->hash_kind == EGRET_HASH_KIND_MATRIX ? 82 * 16 : 2;
    n += (7 + 1 + 2) * c->num_groups; /* words, pointer of spray-rr, counters */
    n += c->num_buckets + 2 * c->num_rows * c->row_len + c->num_keys * c->num_bins;
    n += (1 + 4) * c->num_ports; /* queue, counters */
    n += has_load(c) || has_flowlet(c) ? 2 : 0;
    n += has_load(c) ? 3 + 7 + 3 * c->num_ports + c->num_groups : 0;
    n += has_flowlet(c) ? 1 + 5 * c->num_groups + 2 * c->num_flowlets : 0;
    return n;
}

/* Writes all words of tables, forwards or backwards, then reads all. */
static void independent(const struct egret_cfg *c)
{
    size_t count = egret_state_count(c);
    REQUIRE(count <= MAX_WORDS);
    CHECK_EQ(count, number_of_words(c), "words");
    CHECK_EQ(egret_state_address(c, count, &(uint32_t){0}), EGRET_ERR_RANGE, "no more");
    for (unsigned backwards = 0; backwards < 2; backwards++) {
        struct egret *e = test_create(c);
        uint32_t addr = 0;
        for (size_t i = 0; i < count; i++) {
            REQUIRE(egret_state_address(c, backwards ? count - 1 - i : i, &addr) == EGRET_OK);
            if (addr >> 20 == 0xc && (addr & 1u) != 0)
                continue;
            if (addr >> 20 == 0xc)
                test_write(e, EGRET_A_FLOWLET_LAST, 0xff000000u | value_for(c, addr + 1));
            /* bits that a word lacks are ignored */
            if (is_table(addr))
                test_write(e, addr,
                           value_for(c, addr) |
                               (addr >> 20 == 9     ? 0xffe00000u
                                : addr >> 20 == 0xa ? 0x7fffff00u
                                : addr >> 20 == 0xc ? 0x7000ff00u
                                                    : 0));
        }
        for (uint32_t g = 0; g < c->num_groups; g++) {
            for (uint32_t w = 1; w < (has_load(c) || has_flowlet(c) ? 7 : 5); w++)
                test_write(e, EGRET_A_GROUP_STAGE1 + w - 1, value_for(c, EGRET_A_GROUP(g, w)));
            test_write(e, EGRET_A_GROUP(g, 0), value_for(c, EGRET_A_GROUP(g, 0)));
        }
        for (size_t i = 0; i < count; i++) {
            REQUIRE(egret_state_address(c, i, &addr) == EGRET_OK);
            if (is_register(addr))
                test_write(e, addr, value_for(c, addr));
        }
        for (size_t i = 0; i < count; i++) {
            REQUIRE(egret_state_address(c, i, &addr) == EGRET_OK);
            uint32_t want = value_for(c, addr);
            if (is_register(addr))
                want &= register_bits(addr);
            else if (addr >> 20 == 1)
                want &= group_bits(c, addr & 7u);
            else if (!is_table(addr))
                continue;
            CHECK(test_read(e, addr) == want, "%06x: %08x, not %08x", addr, test_read(e, addr),
                  want);
        }
        CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), 0, "every write has effect");
        egret_destroy(e);
    }
}

static void small_sizes(void)
{
    for (unsigned i = 0; i < 4 * 192; i++) {
        static const uint32_t schemes[4] = {510, 126, 254, 382};
        struct egret_cfg c = odd_schemes(schemes[i / 192] & ~(i % 5 == 0 ? 32u : 0u));
        c.num_groups = 1u << i % 2;
        c.num_keys = 1u << i / 2 % 2;
        c.num_bins = 1u << i / 4 % 2;
        c.num_rows = 1u << i / 8 % 2;
        c.row_len = 1u << i / 16 % 2;
        c.num_buckets = 1u << i / 32 % 2;
        c.hash_kind = i / 64 % 3;
        if (c.num_flowlets != 0)
            c.num_flowlets = 16u << i % 3;
        c.rsp_depth = 64;
        c.num_ports = 1 + i % 64;
        REQUIRE(egret_cfg_check(&c, NULL) == EGRET_OK);
        independent(&c);
    }
}

/* The last word of each table is there, the one behind it reads 0 and takes no write. */
static void edges(const struct egret_cfg *c)
{
    struct egret *e = test_create(c);
    uint32_t last_row = c->num_rows - 1, last_slot = c->row_len - 1;
    const uint32_t outside[] = {
        EGRET_A_GROUP(c->num_groups, 0),
        EGRET_A_GROUP(c->num_groups, 3),
        EGRET_A_GROUP(c->num_groups, 6),
        EGRET_A_GROUP(0, 7),
        EGRET_A_BUCKET(c->num_buckets),
        EGRET_A_SCHEDULE(0, 0, c->row_len),
        EGRET_A_SCHEDULE(0, c->num_rows, 0),
        EGRET_A_SCHEDULE(1, last_row, c->row_len),
        EGRET_A_SCHEDULE(2, 0, 0),
        EGRET_A_SCHEDULE(15, last_row, last_slot),
        EGRET_A_POINTER_DR(c->num_keys, 0),
        EGRET_A_POINTER_DR(0, c->num_bins),
        EGRET_A_POINTER_DR(0x7fff, 15),
        EGRET_A_POINTER_RR(c->num_groups),
        EGRET_A_POINTER_RR(0x7ffff),
        EGRET_A_QUEUE(c->num_ports),
        EGRET_A_PORT_COUNTER(c->num_ports, 0),
        EGRET_A_PORT_COUNTER(2 * c->num_ports, 0),
        EGRET_A_PORT_COUNTER(64, 0),
        EGRET_A_PORT_COUNTER(127, 2),
        EGRET_A_GROUP_COUNTER(c->num_groups, 0),
        EGRET_A_GROUP_COUNTER(c->num_groups, 1),
        EGRET_A_MATRIX(82, 0),
        EGRET_A_MATRIX(0xffff, 15),
        EGRET_A_GROUP_STAGE5,
        EGRET_A_GROUP_STAGE6,
        EGRET_A_FLOWLET_LAST,
        EGRET_A_LOAD_EXPONENT,
        EGRET_A_LOAD_WEIGHTS,
        EGRET_A_QUALITY_SMALL,
        0x00002du,
        EGRET_A_LOAD_THRESHOLD(0),
        EGRET_A_LOAD_THRESHOLD(1),
        EGRET_A_LOAD_THRESHOLD(7),
        EGRET_A_LOAD_THRESHOLD(8),
        EGRET_A_PORT_LOAD(0, 0),
        EGRET_A_PORT_LOAD(0, 2),
        EGRET_A_PORT_LOAD(0, 3),
        EGRET_A_PORT_LOAD(c->num_ports - 1, 3),
        EGRET_A_PORT_LOAD(c->num_ports, 0),
        EGRET_A_PORT_LOAD(64, 0),
        EGRET_A_DRILL_MEMORY(0),
        EGRET_A_DRILL_MEMORY(c->num_groups),
        EGRET_A_FLOWLET_COUNTER(0, 0),
        EGRET_A_FLOWLET_COUNTER(0, 5),
        EGRET_A_FLOWLET_COUNTER(0, 7),
        EGRET_A_FLOWLET_COUNTER(c->num_groups, 0),
        EGRET_A_FLOWLET(0, 0),
        EGRET_A_FLOWLET(c->num_flowlets, 0),
        EGRET_A_FLOWLET(c->num_flowlets, 1),
        0x000007u,
        0x00000fu,
        0x000020u,
        0xd00000u,
        0xe00000u,
        0xf00000u,
        0xffffffu,
    };
    static uint8_t there[0x1000000];
    uint32_t addr = 0, ignored;

    memset(there, 0, sizeof there);
    for (size_t i = 0; i < egret_state_count(c); i++) {
        REQUIRE(egret_state_address(c, i, &addr) == EGRET_OK);
        there[addr] = 1;
        test_write(e, addr, 1 % c->num_ports);
        if (addr >> 20 == 8)
            test_write(e, addr, 0xffffffffu);
    }
    for (uint32_t i = 0; i < 6; i++)
        test_write(e, EGRET_A_GROUP_STAGE1 + i, 0xffffffffu);
    for (uint32_t g = 0; g < c->num_groups; g++)
        test_write(e, EGRET_A_GROUP(g, 0), 0x00000f01u);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        if (there[outside[i]])
            continue; /* a bin or slot number that is the next one's */
        ignored = test_read(e, EGRET_A_WRITES_IGNORED);
        CHECK(test_read(e, outside[i]) == 0, "%s: %06x reads %08x", c->name, outside[i],
              test_read(e, outside[i]));
        test_write(e, outside[i], 1 % c->num_ports);
        CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED) - ignored, outside[i] < EGRET_A_FRONT ? 1 : 0,
                 "ignored");
        CHECK(test_read(e, outside[i]) == 0, "%s: %06x", c->name, outside[i]);
    }
    egret_destroy(e);
}

/* The five counters of flowlets. All packets find one entry, whose port is always their group's. */
static void long_flowlet_counts(void)
{
    struct egret_cfg cfg = odd_cfg();
    struct egret *e = test_create(&cfg);
    struct egret_group g = {.scheme = EGRET_SCHEME_FLOWLET};
    uint32_t want[5] = {0};
    struct egret_decision d;

    for (uint32_t i = 0; i < 2; i++) {
        g.members = i + 1;
        REQUIRE(egret_ctl_group(&cfg, i, &g, egret_emit_apply, e) == EGRET_OK);
    }
    /* h is the seed, so the tag is its upper 12 bits */
    for (uint32_t what = 0; what < 5; what++) {
        for (uint32_t i = 0; i < 70000; i++) {
            struct egret_event ev = test_packet(what == 4 ? ~i & 1u : 0, 0, 0);
            if (what == 2)
                test_write(e, EGRET_A_HASH_SEED, (i + 1) << 20);
            else if (what == 3 && i == 0)
                test_write(e, EGRET_A_HASH_SEED, 0x12300000u);
            else if (what == 4 && i == 0)
                test_write(e, EGRET_A_HASH_SEED, 70000u << 20);
            if (what == 1 && i == 0)
                test_write(e, EGRET_A_FLOWLET(0, 0), 0);
            ev.now = what == 0 || what == 3 ? 16 : 32 * i + 32;
            if (what == 3)
                ev.now = 32 * 70000;
            d = test_decide(e, &ev);
            bool first = what == 0 && i == 0;
            want[first ? 1 : what]++;
            CHECK(d.port == (what == 4 ? ~i & 1u : 0) && d.reason <= EGRET_REASON_REPAIRED,
                  "port %u", d.port);
        }
    }
    for (uint32_t w = 0; w < 5; w++)
        CHECK_EQ(test_read(e, EGRET_A_FLOWLET_COUNTER(0, w)) +
                     test_read(e, EGRET_A_FLOWLET_COUNTER(1, w)),
                 want[w], "flowlets");
    egret_destroy(e);
}

static uint32_t counted(struct egret *e, struct egret_event ev, uint32_t addr)
{
    uint32_t before = test_read(e, addr);
    struct egret_decision d;
    for (unsigned i = 0; i < 70000; i++)
        REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
    return test_read(e, addr) - before;
}

/* Every count takes more than 16 bits. */
static void long_counts(void)
{
    struct egret_cfg cfg = odd_cfg();
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_write_event(EGRET_A_TYPE, 0);

    CHECK_EQ(counted(e, ev, EGRET_A_WRITES_IGNORED), 70000, "writes ignored");
    ev = test_write_event(5, 0);
    ev.kind = EGRET_EV_PORT;
    CHECK_EQ(counted(e, ev, EGRET_A_EVENTS_IGNORED), 70000, "events ignored");
    ev.kind = EGRET_EV_TICK;
    CHECK_EQ(counted(e, ev, EGRET_A_TICK_COUNT), 70000, "ticks");
    ev = test_packet(8, 0, 0);
    CHECK_EQ(counted(e, ev, EGRET_A_DROPS_INDEX), 70000, "no such group");
    ev.group = 7;
    CHECK_EQ(counted(e, ev, EGRET_A_GROUP_COUNTER(7, 0)), 70000, "empty group");
    test_write(e, EGRET_A_GROUP_STAGE3, 1);
    test_write(e, EGRET_A_GROUP(7, 0), 15);
    CHECK_EQ(counted(e, ev, EGRET_A_DROPS_SCHEME), 70000, "no such scheme");
    CHECK_EQ(test_read(e, EGRET_A_GROUP_COUNTER(7, 0)), 140000, "its group");
    test_write(e, EGRET_A_BUCKET(0), 1); /* no member */
    test_write(e, EGRET_A_GROUP(7, 0), EGRET_SCHEME_FIXED);
    CHECK_EQ(counted(e, ev, EGRET_A_GROUP_COUNTER(7, 1)), 70000, "repairs");
    CHECK_EQ(test_read(e, EGRET_A_PORT_COUNTER(0, 0)), 70000, "packets");
    CHECK_EQ(test_read(e, EGRET_A_PORT_COUNTER(0, 2)), 70000000, "bytes");
    egret_destroy(e);
}

/* The sweep is that of the deepest table, each in turn; the deepest response queue. */
static void deep(void)
{
    static const struct {
        uint32_t groups, keys, bins, rows, len, buckets, kind, flowlets, sweep;
    } row[] = {
        {1, 1, 1, 1, 1, 1, 0, 0, 64},         {1, 1, 1, 1, 1, 65536, 0, 0, 65536},
        {1, 1, 1, 256, 256, 1, 0, 0, 131072}, {1, 2048, 16, 1, 1, 1, 0, 0, 65536},
        {1024, 1, 1, 1, 1, 1, 0, 0, 2048},    {1024, 2048, 16, 1, 1, 1, 0, 0, 65536},
        {1, 1024, 1, 1, 1, 1, 2, 0, 2048},    {1, 1, 1, 2, 64, 1, 0, 0, 256},
        {1, 1, 1, 1, 1, 1, 1, 0, 2048},       {2, 64, 2, 1, 1, 1, 2, 0, 256},
        {1, 1, 1, 1, 1, 1, 0, 16, 64},        {1, 1, 1, 1, 1, 1, 0, 65536, 65536},
        {1024, 1, 1, 1, 1, 1, 0, 16, 8192},   {16, 1, 1, 1, 1, 1, 2, 64, 128},
        {1, 1, 1, 1, 1, 1, 1, 4096, 4096},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_cfg c = odd_cfg();
        struct egret_timing *t = NULL;
        struct egret_timing_in in;
        struct egret_timing_out out;
        uint32_t accepted = 0;
        c.num_ports = 40;
        c.num_groups = row[i].groups, c.num_keys = row[i].keys, c.num_bins = row[i].bins;
        c.num_rows = row[i].rows, c.row_len = row[i].len, c.num_buckets = row[i].buckets;
        c.hash_kind = row[i].kind;
        c.rsp_depth = 256;
        c.num_flowlets = row[i].flowlets;
        c.schemes = row[i].flowlets != 0 ? 256 : 2 + (row[i].groups == 2 ? 128 : 0);
        CHECK_EQ(egret_timing_sweep(&c), row[i].sweep, "sweep");
        REQUIRE(egret_timing_create(&c, &t) == EGRET_OK);
        memset(&in, 0, sizeof in);
        in.req_valid = true;
        for (uint32_t clock = 0; clock < row[i].sweep + 600; clock++) {
            REQUIRE(egret_timing_step(t, &in, &out) == EGRET_OK);
            CHECK(clock < row[i].sweep || out.req_ready == (accepted < 256), "clock %u", clock);
            CHECK(clock >= row[i].sweep || !out.req_ready, "clock %u", clock);
            accepted += out.req_transfer;
        }
        CHECK_EQ(accepted, 256, "credits");
        egret_timing_destroy(t);
    }
}

int main(void)
{
    struct egret_cfg odd = odd_cfg();
    small_sizes();
    independent(&odd);
    edges(&odd);
    for (size_t i = 0; egret_cfg_name(i) != NULL; i++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(i));
        edges(&cfg);
    }
    long_counts();
    long_flowlet_counts();
    deep();
    return test_end();
}
