/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_draw.c: statistics of H and of live repair, with fixed seeds: rows are uniform over
 * epochs, keys and seeds, and rows of adjacent keys and of epochs 1 to 3 apart are independent;
 * repairs of one failed port spread over the live ones within 10 % of the mean over 100,000
 * repairs, for hash and pointers. A draw of a million seeds ago is not taken for a new one.
 *
 * Bounds on chi-square are the 99.99 % points, for a generator without a flaw; the seeds are fixed,
 * so a result never varies.
 */
#include "egret/control.h"
#include "select_test.h"

/* Upper bound by Wilson and Hilferty, z = 3.72 (99.99 %). */
static bool chi_square_fits(const unsigned *count, unsigned cells, const char *what)
{
    double sum = 0, total = 0, k = cells - 1, root;
    for (unsigned i = 0; i < cells; i++)
        total += count[i];
    for (unsigned i = 0; i < cells; i++) {
        double d = count[i] - total / cells;
        sum += d * d * cells / total;
    }
    /* square root of 2 / (9 k) by Newton, so that no mathematics library is needed */
    root = 0.1;
    for (unsigned i = 0; i < 40; i++)
        root = (root + 2 / (9 * k) / root) / 2;
    double edge = 1 - 2 / (9 * k) + 3.72 * root;
    double bound = k * edge * edge * edge;
    return CHECK(sum < bound, "%s: chi-square %.1f, bound %.1f", what, sum, bound);
}

struct draw {
    struct egret *e;
    uint32_t rows;
};

static struct draw draw_create(void)
{
    struct egret_cfg cfg = test_cfg("tor64");
    struct draw d = {test_create(&cfg), cfg.num_rows};
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.row_mask = cfg.num_rows - 1;
    g.members = 1;
    g.scheme = EGRET_SCHEME_DR;
    REQUIRE(egret_ctl_group(&cfg, 0, &g, egret_emit_apply, d.e) == EGRET_OK);
    return d;
}

static uint32_t row_of(const struct draw *d, uint32_t key, uint32_t bin, uint32_t epoch)
{
    struct egret_event ev = test_packet(0, key, bin);
    struct egret_why why;
    test_write(d->e, EGRET_A_POINTER_DR(key, bin), epoch << 20);
    REQUIRE(egret_explain(d->e, &ev, &why) == EGRET_OK);
    return why.row;
}

static void rows_over_epochs(const struct draw *d)
{
    static unsigned pair[3][64 * 64];
    static uint32_t row[4096];
    for (uint32_t trial = 0; trial < 64; trial++) {
        unsigned count[64] = {0};
        test_write(d->e, EGRET_A_DRAW_SEED, trial < 4 ? trial : test_random());
        for (uint32_t epoch = 0; epoch < 4096; epoch++) {
            row[epoch] = row_of(d, 31 * trial, trial & 1u, epoch);
            count[row[epoch]]++;
            for (uint32_t apart = 1; apart <= 3 && apart <= epoch; apart++)
                pair[apart - 1][64 * row[epoch - apart] + row[epoch]]++;
        }
        chi_square_fits(count, 64, "rows over epochs");
    }
    for (uint32_t apart = 1; apart <= 3; apart++)
        chi_square_fits(pair[apart - 1], 64 * 64, "rows of epochs apart");
}

static void rows_over_keys(const struct draw *d)
{
    static unsigned pair[64 * 64];
    for (uint32_t trial = 0; trial < 16; trial++) {
        unsigned count[64] = {0};
        uint32_t before = 0;
        test_write(d->e, EGRET_A_DRAW_SEED, trial < 4 ? trial : test_random());
        for (uint32_t i = 0; i < 4096; i++) {
            uint32_t row = row_of(d, i / 2, i & 1u, trial % 3);
            count[row]++;
            if (i > 0)
                pair[64 * before + row]++;
            before = row;
        }
        chi_square_fits(count, 64, "rows over keys");
    }
    chi_square_fits(pair, 64 * 64, "rows of adjacent keys");
}

static void rows_over_seeds(const struct draw *d)
{
    unsigned count[64] = {0}, high[64] = {0};
    for (uint32_t seed = 0; seed < 8192; seed++) {
        test_write(d->e, EGRET_A_DRAW_SEED, seed);
        count[row_of(d, 5, 0, 0)]++;
        test_write(d->e, EGRET_A_DRAW_SEED, seed << 19);
        high[row_of(d, 5, 0, 0)]++;
    }
    chi_square_fits(count, 64, "rows over low seeds");
    chi_square_fits(high, 64, "rows over high seeds");
}

/* 100,000 repairs of `failed` over 16 members; every live port within 10 % of the mean. */
static void repair_spread(uint32_t scheme, uint32_t wraps, uint32_t keys, uint32_t seed)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *e = test_create(&cfg);
    struct egret_member member[16];
    struct egret_hash_setup hash;
    struct egret_buckets b;
    uint8_t home[1024], now[1024];
    struct egret_group g;
    unsigned count[16] = {0}, repairs = 0;
    uint32_t failed = seed % 16;

    for (uint32_t p = 0; p < 16; p++) {
        member[p].port = p;
        member[p].weight = 1;
    }
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.wraps = wraps;
    g.members = 0xffff;
    g.row_mask = cfg.num_rows - 1;
    g.bucket_mask = cfg.num_buckets - 1;
    REQUIRE(!egret_ctl_schedule(&cfg, 0, 0, 32, member, 16, seed, egret_emit_apply, e, &g.last));
    memset(&b, 0, sizeof b);
    b.count = 1024;
    b.num_members = 16;
    memcpy(b.member, member, sizeof member);
    b.home = home;
    b.now = now;
    REQUIRE(egret_ctl_buckets(&cfg, &b, egret_emit_apply, e) == EGRET_OK);
    egret_hash_setup_default(&hash);
    hash.layout = EGRET_LAYOUT_IPV4_5TUPLE;
    REQUIRE(egret_ctl_hash(&cfg, &hash, egret_emit_apply, e, NULL) == EGRET_OK);
    REQUIRE(egret_ctl_draw_seed(&cfg, seed, egret_emit_apply, e) == EGRET_OK);
    REQUIRE(egret_ctl_group(&cfg, 0, &g, egret_emit_apply, e) == EGRET_OK);
    test_port(e, failed, false);
    for (unsigned i = 0; repairs < 100000 && i < 4000000; i++) {
        struct egret_event ev = test_packet(0, i % keys, 0);
        if (scheme == EGRET_SCHEME_ECMP)
            test_bytes(ev.record, EGRET_RECORD_BYTES);
        struct egret_decision d = test_decide(e, &ev);
        if (d.reason != EGRET_REASON_REPAIRED)
            continue;
        CHECK_EQ(d.choice, failed, "only the failed port is repaired");
        count[d.port & 15]++;
        repairs++;
    }
    CHECK_EQ(repairs, 100000, "repairs");
    CHECK_EQ(count[failed], 0, "nothing to the failed port");
    for (uint32_t p = 0; p < 16; p++)
        CHECK(p == failed || (count[p] > 6000 && count[p] < 7333),
              "scheme %u R %u keys %u: port %u has %u of 100000", scheme, wraps, keys, p, count[p]);
    CHECK_EQ(test_read(e, EGRET_A_GROUP_COUNTER(0, 1)), 100000, "repairs counted");
    egret_destroy(e);
}

/* The model marks draws with the number of the seed that they were made with, modulo 2^20 less 1:
 * however many seeds later, a draw is that of egret_explain(), which remembers none. */
static void many_seeds(void)
{
    struct egret_cfg cfg = test_cfg("p7");
    struct egret *e = test_create(&cfg);
    struct egret_group g;
    struct egret_why why;
    unsigned changed = 0;

    memset(&g, 0, sizeof g);
    g.scheme = EGRET_SCHEME_DR;
    g.row_mask = cfg.num_rows - 1;
    g.members = 0x7f;
    REQUIRE(egret_ctl_group(&cfg, 0, &g, egret_emit_apply, e) == EGRET_OK);
    for (uint32_t row = 0; row < cfg.num_rows; row++)
        test_write(e, EGRET_A_SCHEDULE(0, row, 0), row % cfg.num_ports);
    for (uint32_t seed = 0; seed < (1u << 20) - 3; seed++)
        test_write(e, EGRET_A_DRAW_SEED, seed);
    for (uint32_t seed = 100; seed < 110; seed++) {
        uint32_t before[32];
        for (uint32_t key = 0; key < cfg.num_keys; key++) {
            struct egret_event ev = test_packet(0, key, 0);
            before[key & 31] = test_decide(e, &ev).choice;
        }
        test_write(e, EGRET_A_DRAW_SEED, seed);
        for (uint32_t i = 0; seed == 105 && i < (1u << 20) - 2; i++)
            test_write(e, EGRET_A_DRAW_SEED, i);
        for (uint32_t key = 0; key < cfg.num_keys; key++) {
            struct egret_event ev = test_packet(0, key, 0);
            REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
            CHECK_EQ(test_decide(e, &ev).choice, why.choice, "the draw of this seed");
            changed += before[key & 31] != why.choice;
        }
    }
    CHECK(changed > 100, "seeds hardly change the rows: %u", changed);
    egret_destroy(e);
}

int main(void)
{
    struct draw d = draw_create();
    rows_over_epochs(&d);
    rows_over_keys(&d);
    rows_over_seeds(&d);
    egret_destroy(d.e);
    many_seeds();
    for (uint32_t seed = 1; seed <= 3; seed++) {
        repair_spread(EGRET_SCHEME_ECMP, 0, 1, seed);
        repair_spread(EGRET_SCHEME_SPRAY_RR, 5, 1, seed);
        repair_spread(EGRET_SCHEME_DR, 0, 1, seed);
        repair_spread(EGRET_SCHEME_DR, 0, 64, seed);
        repair_spread(EGRET_SCHEME_DR, 1, 64, seed);
        repair_spread(EGRET_SCHEME_DR, 5, 7, seed);
    }
    return test_end();
}
