/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_quality.c: scheme `spray-quality` (docs/spec/spray-quality.md): only ports of the least
 * band are chosen, evenly for each number of them from 1 to 64 (chi-square); small packets are
 * hashed; DRILL against a plain version of its rule, its memory and when that is left; and, with
 * loads as fresh as in the literature, the queue lengths that two choices are known to have.
 *
 * usage: select_quality [packets a number of ports]
 */
#include "egret/control.h"
#include "select_chi.h"
#include "select_test.h"

#define START 2463534242u

static uint32_t step(uint32_t x)
{
    x ^= x * 8192u;
    x ^= x / 131072u;
    return x ^ x * 32u;
}

/* ---- a selector whose bands the test sets ---- */

static void event(struct egret *e, uint8_t kind, uint32_t port, uint32_t depth)
{
    struct egret_event ev = test_write_event(port, depth);
    struct egret_decision d;
    ev.kind = kind;
    REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
}

/* The metric is half the queue depth, band b begins at b. */
static struct egret *create(const char *config)
{
    struct egret_cfg cfg = test_cfg(config);
    struct egret *e = test_create(&cfg);

    for (uint32_t i = 1; i <= 7; i++)
        test_write(e, EGRET_A_LOAD_THRESHOLD(i), i);
    test_write(e, EGRET_A_LOAD_WEIGHTS, 256u << 16);
    for (uint32_t p = 0; p < cfg.num_ports; p++)
        test_write(e, EGRET_A_PORT_LOAD(p, 1), 0x8000);
    event(e, EGRET_EV_TICK, 0, 0);
    event(e, EGRET_EV_TICK, 0, 0);
    return e;
}

static void set_bands(struct egret *e, const uint32_t *band)
{
    for (uint32_t p = 0; p < egret_config(e)->num_ports; p++)
        event(e, EGRET_EV_QUEUE, p, 2 * band[p]);
    event(e, EGRET_EV_TICK, 0, 0);
    event(e, EGRET_EV_TICK, 0, 0);
    for (uint32_t p = 0; p < egret_config(e)->num_ports; p++)
        CHECK_EQ(test_read(e, EGRET_A_PORT_LOAD(p, 2)), band[p], "band");
}

static void set_group(struct egret *e, uint32_t group, uint64_t members, uint32_t d, uint32_t m)
{
    struct egret_group g = {.scheme = EGRET_SCHEME_SPRAY_QUALITY, .members = members,
                            .bucket_mask = egret_config(e)->num_buckets - 1,
                            .drill_samples = d, .drill_memory = m};
    REQUIRE(egret_ctl_group(egret_config(e), group, &g, egret_emit_apply, e) == EGRET_OK);
}

/* The port of a set that has `rank` of them below it. */
static uint32_t nth(uint64_t set, uint32_t rank)
{
    for (uint32_t p = 0; p < 64; p++)
        if ((set >> p & 1u) != 0 && rank-- == 0)
            return p;
    return 64;
}

static uint32_t size(uint64_t set)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < 64; p++)
        n += (uint32_t)(set >> p & 1u);
    return n;
}

static uint64_t of_band(uint64_t live, const uint32_t *band, uint32_t which)
{
    uint64_t set = 0;
    for (uint32_t p = 0; p < 64; p++)
        if ((live >> p & 1u) != 0 && band[p] == which)
            set |= (uint64_t)1 << p;
    return set;
}

static uint64_t least_band(uint64_t live, const uint32_t *band)
{
    for (uint32_t b = 0; b < 8; b++)
        if (of_band(live, band, b) != 0)
            return of_band(live, band, b);
    return 0;
}

static uint64_t set_of_ports(const struct egret *e, uint32_t one_in)
{
    uint64_t set = 0;
    for (uint32_t p = 0; p < egret_config(e)->num_ports; p++)
        set |= (uint64_t)test_chance(one_in) << p;
    return set;
}

/* ---- the least band ---- */

static void least_only(const char *config)
{
    struct egret *e = create(config);
    const struct egret_cfg *cfg = egret_config(e);
    struct egret_event ev = test_packet(0, 0, 0);
    uint32_t x = START, band[64] = {0}, worse = 0, down = 0;
    uint64_t members = 0, up = UINT64_MAX;

    for (unsigned trial = 0; trial < 800; trial++) {
        uint32_t high = 1 + test_below(8), low = test_below(high);
        /* one of the three, so that nothing hides what another has not done */
        switch (trial < 4 ? 2 : test_below(3)) {
        case 0:
            up = set_of_ports(e, 2) | set_of_ports(e, 2);
            for (uint32_t p = 0; p < cfg->num_ports; p++)
                test_port(e, p, up >> p & 1u);
            break;
        case 1:
            for (uint32_t p = 0; p < cfg->num_ports; p++)
                band[p] = low + test_below(high - low);
            set_bands(e, band);
            break;
        default:
            members = test_chance(10) ? 0 : set_of_ports(e, 1 + test_below(4));
            set_group(e, 0, members, 0, trial % 2);
            break;
        }
        uint64_t live = members & up;
        uint64_t tie = least_band(live, band);
        for (unsigned i = 0; i < 40; i++) {
            struct egret_why why;
            REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
            struct egret_decision d = test_decide(e, &ev);
            x = step(x);
            CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "%s: egret_explain() differs", config);
            if (members == 0) {
                CHECK(d.reason == EGRET_REASON_DROP_EMPTY && d.data == 0, "no member");
            } else if (live == 0) {
                CHECK(d.reason == EGRET_REASON_DROP_DOWN && d.data == x, "no live member");
                down++;
            } else {
                uint32_t port = nth(tie, x / 65536u * size(tie) / 65536u);
                CHECK(d.port == port && d.choice == port && d.data == x &&
                          d.reason == EGRET_REASON_CHOSEN &&
                          d.scheme == EGRET_SCHEME_SPRAY_QUALITY,
                      "%s: port %u, not %u", config, d.port, port);
                CHECK(why.candidates == tie && why.band == band[port] && why.random == x, "why");
                worse += tie != live;
            }
            CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(0)), 0, "no memory without samples");
        }
    }
    CHECK(cfg->num_ports < 3 || worse > 1000, "%s: a choice of bands %u times", config, worse);
    CHECK(cfg->num_ports > 16 || down > 100, "%s: down %u times", config, down);
    CHECK_EQ(test_read(e, EGRET_A_GROUP_COUNTER(0, 1)), 0, "no repair");
    egret_destroy(e);
}

/* Before the first tick all ports are in band 0. */
static void after_reset(void)
{
    struct egret_cfg cfg = test_cfg("p7");
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);

    for (unsigned again = 0; again < 2; again++) {
        uint64_t reached = 0;
        set_group(e, 0, 0x55, 0, 0);
        for (unsigned i = 0; i < 200; i++) {
            struct egret_why why;
            REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
            struct egret_decision d = test_decide(e, &ev);
            CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "egret_explain() differs");
            reached |= (uint64_t)1 << (d.port & 63);
        }
        CHECK_EQ(reached, 0x55, "all members");
        REQUIRE(egret_reset(e) == EGRET_OK);
    }
    egret_destroy(e);
}

/* n ports in one band at random places, everything else worse, down or no member. */
static void ties(unsigned long packets)
{
    static unsigned single[64], pair[64 * 64];
    struct egret *e = create("tor64");
    uint32_t x = START, band[64];

    for (uint32_t n = 1; n <= 64; n++) {
        struct egret_event ev = test_packet(n, 0, 0);
        uint64_t members = 0, tie = 0;
        uint32_t left = 64, want = n, least = test_below(7), wrong = 0, before = 0;
        for (uint32_t p = 0; p < 64; p++) {
            bool in = test_below(left--) < want, worse = !in && test_chance(2);
            want -= in;
            tie |= (uint64_t)in << p;
            members |= (uint64_t)(in || worse || test_chance(2)) << p;
            band[p] = in ? least : worse ? least + 1 + test_below(7 - least) : test_below(8);
            test_port(e, p, in || worse);
        }
        for (uint32_t p = 0; p < 64; p++) /* up and better, but no member */
            if (!(members >> p & 1u))
                test_port(e, p, true);
        set_bands(e, band);
        set_group(e, n, members, 0, 0);
        memset(single, 0, sizeof single);
        memset(pair, 0, sizeof pair);
        for (unsigned long i = 0; i < packets; i++) {
            struct egret_decision d = test_decide(e, &ev);
            x = step(x);
            uint32_t k = x / 65536u * n / 65536u;
            wrong += d.port != nth(tie, k) || d.data != x;
            single[k]++;
            if (i % 2 == 1)
                pair[n * before + k]++;
            before = k;
        }
        CHECK(wrong == 0, "%u ports: %u packets differ from the formula", n, wrong);
        spread(single, n, n, "shares");
        if (packets >= 50000)
            spread(pair, n * n, n, "pairs");
    }
    egret_destroy(e);
}

/* ---- small packets ---- */

static void small_packets(void)
{
    static const uint32_t limit[] = {0, 1, 100, 65535};
    struct egret *e = create("lab");
    uint32_t x = START, band[16] = {3, 1, 4, 1, 5, 2, 6, 5, 3, 5, 7, 2, 7, 1, 2, 3};

    set_bands(e, band);
    for (uint32_t i = 0; i < 1024; i++)
        test_write(e, EGRET_A_BUCKET(i), i % 16);
    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++) {
        test_write(e, EGRET_A_QUALITY_SMALL, limit[i] | 0xabcd0000u);
        CHECK_EQ(test_read(e, EGRET_A_QUALITY_SMALL), limit[i], "16 bits");
        for (unsigned drill = 0; drill < 2; drill++) {
            set_group(e, 2, 0xf0f0, 2 * drill, drill);
            test_write(e, EGRET_A_DRILL_MEMORY(2), 0);
            for (int delta = -1; delta <= 1; delta++) {
                for (unsigned n = 0; n < 20; n++) {
                    struct egret_event ev = test_packet(2, 0, 0);
                    struct egret_why why;
                    int length = (int)limit[i] + delta;
                    uint32_t hash = test_random();
                    ev.length = (uint16_t)(length < 0 ? 0 : length > 65535 ? 65535 : length);
                    test_write(e, EGRET_A_HASH_SEED, hash); /* the matrix is empty */
                    test_write(e, EGRET_A_DRILL_MEMORY(2), 7);
                    REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
                    struct egret_decision d = test_decide(e, &ev);
                    x = step(x);
                    CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "egret_explain() differs");
                    CHECK_EQ(d.scheme, EGRET_SCHEME_SPRAY_QUALITY, "the scheme stays 7");
                    bool hashed = ev.length < limit[i];
                    CHECK_EQ(d.data, hashed ? hash : x, "data");
                    CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(2)) != 7, !hashed && drill == 1,
                             "memory is left alone");
                    if (hashed) {
                        uint32_t choice = hash % 16;
                        bool live = 0xf0f0u >> choice & 1u;
                        CHECK_EQ(d.choice, choice, "bucket");
                        CHECK_EQ(d.reason, live ? EGRET_REASON_CHOSEN : EGRET_REASON_REPAIRED,
                                 "reason");
                        CHECK_EQ(d.port, live ? choice : nth(0xf0f0, hash / 65536u * 8 / 65536u),
                                 "port");
                    } else {
                        CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, "reason");
                        CHECK_EQ(d.port, d.choice, "port");
                    }
                }
            }
        }
    }
    /* the hash that the fast path has tables for */
    struct egret_hash_setup setup;
    egret_hash_setup_default(&setup);
    setup.layout = EGRET_LAYOUT_IPV4_5TUPLE;
    REQUIRE(egret_ctl_hash(egret_config(e), &setup, egret_emit_apply, e, NULL) == EGRET_OK);
    test_write(e, EGRET_A_QUALITY_SMALL, 100);
    for (unsigned i = 0; i < 400; i++) {
        struct egret_event ev = test_packet(2, 0, 0);
        struct egret_why why;
        ev.length = (uint16_t)(98 + test_below(4));
        for (unsigned k = 0; k < 4; k++)
            ev.record[k] = (uint8_t)test_random();
        REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
        struct egret_decision d = test_decide(e, &ev);
        x = step(x);
        CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "egret_explain() differs");
        CHECK_EQ(d.data, ev.length < 100 ? why.hash : x, "data");
    }
    /* none live: data is the hash, and is the number */
    set_group(e, 3, 1, 0, 0);
    test_port(e, 0, false);
    uint32_t hash_of_zeros = test_read(e, EGRET_A_HASH_SEED); /* as the control side has it */
    for (uint32_t length = 99; length <= 100; length++) {
        struct egret_event ev = test_packet(3, 0, 0);
        ev.length = (uint16_t)length;
        struct egret_decision d = test_decide(e, &ev);
        x = step(x);
        CHECK_EQ(d.reason, EGRET_REASON_DROP_DOWN, "down");
        CHECK_EQ(d.data, length < 100 ? hash_of_zeros : x, "data");
    }
    egret_destroy(e);
}

/* ---- DRILL ---- */

/* The rule in its own words. */
static uint32_t plain(uint64_t live, const uint32_t *band, uint32_t d, uint32_t m, uint32_t x,
                      int *memory)
{
    uint32_t first = nth(live, x / 65536u * size(live) / 65536u);
    uint32_t second = nth(live, x % 65536u * size(live) / 65536u);
    uint32_t winner = first;

    if (d == 2 && band[second] < band[first])
        winner = second;
    if (m == 1) {
        bool valid = *memory >= 0 && (live >> *memory & 1u) != 0;
        if (valid && band[winner] >= band[*memory])
            winner = (uint32_t)*memory;
        *memory = (int)winner;
    }
    return winner;
}

static void drill(const char *config, uint32_t d, uint32_t m)
{
    struct egret *e = create(config);
    const struct egret_cfg *cfg = egret_config(e);
    struct egret_event ev = test_packet(1, 0, 0);
    uint32_t x = START, band[64] = {0}, other = 0, stale = 0;
    int memory = -1;

    for (unsigned trial = 0; trial < 500; trial++) {
        uint64_t members = set_of_ports(e, 1 + test_below(3));
        uint64_t up = set_of_ports(e, 2) | set_of_ports(e, 2);
        uint64_t live = members & up;
        for (uint32_t p = 0; p < cfg->num_ports; p++) {
            band[p] = test_below(trial % 3 == 0 ? 2 : 8);
            test_port(e, p, up >> p & 1u);
        }
        set_bands(e, band);
        set_group(e, 1, members, d, m); /* a commit leaves the memory alone */
        if (test_chance(3)) {
            memory = (int)test_below(cfg->num_ports);
            bool valid = !test_chance(3);
            test_write(e, EGRET_A_DRILL_MEMORY(1),
                       (valid ? 0x80000000u : 0) | 0x7fffff00u | (uint32_t)memory);
            CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(1)),
                     (valid ? 0x80000000u : 0) | (uint32_t)memory, "31 and 7..0");
            memory = valid ? memory : -1;
        }
        for (unsigned i = 0; i < 30; i++) {
            struct egret_why why;
            int before = memory;
            REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
            struct egret_decision got = test_decide(e, &ev);
            x = step(x);
            CHECK(memcmp(&got, &why.decision, sizeof got) == 0, "egret_explain() differs");
            CHECK_EQ(got.data, members != 0 ? x : 0, "data");
            stale += m == 1 && memory >= 0 && (live >> memory & 1u) == 0;
            if (live == 0) {
                CHECK(got.port == EGRET_PORT_DROP, "%s: no live member", config);
            } else {
                uint32_t port = plain(live, band, d, m, x, &memory);
                CHECK(got.port == port && got.choice == port && got.reason == EGRET_REASON_CHOSEN,
                      "%s: DRILL(%u,%u): port %u, not %u", config, d, m, got.port, port);
                other += port != nth(live, x / 65536u * size(live) / 65536u);
                if (m == 1 && before >= 0 && (live >> before & 1u) != 0)
                    CHECK(port == (uint32_t)before || band[port] < band[before],
                          "only a strictly lower band replaces what is remembered");
            }
            CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(1)) >> 31, memory >= 0, "valid");
            if (memory >= 0)
                CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(1)), 0x80000000u | (uint32_t)memory,
                         "memory");
        }
    }
    if (cfg->num_ports > 3)
        CHECK((d == 2 || m == 1) == (other > 200) && (m == 0 || stale > 50),
              "%s: DRILL(%u,%u): %u not the first sample, %u of stale memory", config, d, m, other,
              stale);
    egret_destroy(e);
}

/* Bits that mean nothing: d = 3 samples twice and reads as 3; m alone does nothing. */
static void drill_bits(void)
{
    struct egret *e = create("lab");
    uint32_t band[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}, x = START;
    struct egret_event ev = test_packet(0, 0, 0);

    set_bands(e, band);
    set_group(e, 0, 0xffff, 2, 0);
    test_write(e, EGRET_A_GROUP_STAGE6, 0xec000000u); /* d 3, the rest does not exist */
    test_write(e, EGRET_A_GROUP(0, 0), EGRET_SCHEME_SPRAY_QUALITY);
    CHECK_EQ(test_read(e, EGRET_A_GROUP(0, 6)), 0x0c000000u, "stored as written");
    for (unsigned i = 0; i < 200; i++) {
        int memory = -1;
        struct egret_decision d = test_decide(e, &ev);
        x = step(x);
        CHECK_EQ(d.port, plain(0xffff, band, 2, 0, x, &memory), "d = 3 is 2");
    }
    CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(0)), 0, "m = 0");
    test_write(e, EGRET_A_GROUP_STAGE6, 0x10000000u);
    test_write(e, EGRET_A_GROUP(0, 0), EGRET_SCHEME_SPRAY_QUALITY);
    for (unsigned i = 0; i < 200; i++) {
        struct egret_decision d = test_decide(e, &ev);
        CHECK_EQ(band[d.port & 15], 0, "all members, m does nothing");
    }
    CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(0)), 0, "d = 0");
    egret_destroy(e);
}

/* The control side: d 0..2 and m 0, 1 where there are loads, else 0; nothing is written before. */
static void drill_ranges(void)
{
    for (uint32_t d = 0; d < 5; d++) {
        for (uint32_t m = 0; m < 3; m++) {
            struct egret_group g = {.scheme = 1, .drill_samples = d, .drill_memory = m};
            struct egret_cfg lab = test_cfg("lab"), tiny = test_cfg("tiny");
            struct egret_write write[8];
            struct egret_write_buffer b = {write, 8, 0};
            bool good = d <= 2 && m <= 1;
            CHECK_EQ(egret_ctl_group(&lab, 0, &g, egret_emit_buffer, &b),
                     good ? EGRET_OK : EGRET_ERR_RANGE, "with loads");
            CHECK_EQ(b.count, good ? 7 : 0, "writes");
            if (good)
                CHECK_EQ(write[5].data, m << 28 | d << 26, "word 6");
            b.count = 0;
            CHECK_EQ(egret_ctl_group(&tiny, 0, &g, egret_emit_buffer, &b),
                     d + m == 0 ? EGRET_OK : EGRET_ERR_RANGE, "without");
            CHECK_EQ(b.count, d + m == 0 ? 5 : 0, "writes");
        }
    }
}

/* ---- known queue lengths ---- */

#define SERVERS 64

/*
 * Customers arrive at 0.9 a server and a unit of time, service takes 1, both exponential; bands are
 * the queue lengths, by a tick every `period` arrivals, or fresh for each arrival with 0. In the
 * limit of many servers the mean length is then 0.9 / 0.1 = 9 with one choice, and the sum over
 * i >= 1 of 0.9^(2^i - 1) = 2.35 with two (Mitzenmacher; Vvedenskaya, Dobrushin, Karpelevich).
 * Returns the mean over time.
 */
static double mean_queue(uint32_t d, uint32_t m, unsigned period, unsigned long arrivals)
{
    struct egret *e = create("tor64");
    struct egret_event ev = test_packet(0, 0, 0);
    uint32_t length[SERVERS] = {0};
    double sum = 0, total = 0, steps = 0;
    unsigned long arrived = 0;

    set_group(e, 0, UINT64_MAX, d, m);
    while (arrived < arrivals) {
        uint32_t port = test_below(SERVERS), what = test_below(1900);
        if (what < 900) {
            if (period == 0 || arrived % period == 0)
                event(e, EGRET_EV_TICK, 0, 0); /* measures */
            if (period == 0)
                event(e, EGRET_EV_TICK, 0, 0); /* puts in force */
            port = test_decide(e, &ev).port;
            length[port & 63]++;
            total++;
            arrived++;
        } else if (length[port] > 0) {
            length[port]--;
            total--;
        }
        event(e, EGRET_EV_QUEUE, port & 63, 2 * length[port & 63]);
        if (arrived >= arrivals / 4) { /* settled */
            sum += total / SERVERS;
            steps++;
        }
    }
    egret_destroy(e);
    return sum / steps;
}

static void queues(unsigned long arrivals)
{
    double one = mean_queue(1, 0, 0, 2 * arrivals), two = mean_queue(2, 0, 0, arrivals);
    double kept = mean_queue(1, 1, 0, arrivals), both = mean_queue(2, 1, 0, arrivals);
    double all = mean_queue(0, 0, 0, arrivals);

    printf("mean queue at load 0.9: DRILL(1,0) %.2f, (2,0) %.2f, (1,1) %.2f, (2,1) %.2f, all "
           "%.2f\n",
           one, two, kept, both, all);
    CHECK(one > 7.2 && one < 11, "one choice: %.2f, not 9", one);
    CHECK(two > 2.2 && two < 2.5, "two choices: %.2f, not 2.35", two);
    CHECK(both < two && kept < one / 2, "memory helps: %.2f, %.2f", both, kept);
    CHECK(all > 0.9 && all < both, "all: %.2f", all);
}

/* The table of docs/spec/spray-quality.md, section 3: bands that many packets decide by. */
static void stale_queues(unsigned long arrivals)
{
    static const struct {
        unsigned period;
        double mean[4];
    } row[] = {
        {1, {1.1, 2.5, 3.4, 2.4}},
        {4, {1.7, 2.5, 5.0, 4.2}},
        {16, {3.0, 2.7, 13, 13}},
        {64, {9, 3.2, 54, 55}},
    };
    static const uint32_t variant[4][2] = {{0, 0}, {2, 0}, {1, 1}, {2, 1}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (unsigned v = 0; v < 4; v++) {
            double got = mean_queue(variant[v][0], variant[v][1], row[i].period, arrivals);
            CHECK(got > 0.85 * row[i].mean[v] && got < 1.15 * row[i].mean[v],
                  "a tick every %u packets, DRILL(%u,%u): mean queue %.2f, not %.1f",
                  row[i].period, variant[v][0], variant[v][1], got, row[i].mean[v]);
        }
    }
}

int main(int argc, char **argv)
{
    unsigned long packets = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    static const uint32_t variant[5][2] = {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}};

    for (size_t i = 0; egret_cfg_name(i) != NULL; i++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(i));
        if ((cfg.schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u) == 0)
            continue;
        least_only(cfg.name);
        for (unsigned k = 1; k < 5 && cfg.num_groups > 1; k++)
            drill(cfg.name, variant[k][0], variant[k][1]);
    }
    after_reset();
    ties(packets);
    small_packets();
    drill_bits();
    drill_ranges();
    if (packets >= 50000) { /* short runs are for slow tools */
        queues(400000);
        stale_queues(200000);
    }
    printf("least p of all chi-squares: %g\n", min_p);
    return test_end();
}
