/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec_tiers.c: what docs/spec/hash.md and ecmp.md say about bias and about tiers: the share of
 * each port for every group size; the range of weights; what a seed changes and what it does not;
 * polarization over three tiers, and a group followed by a LAG, with rotations that cure it: what
 * one selector decides is where the next one's packets go.
 *
 * usage: spec_tiers [FOLDER]
 *   With FOLDER the tiers are the RTL beside the model, check_CONFIG.so of it.
 *
 * Faults of docs/verification.md: A1, A2, A3, A5, B20.
 */
#include "select_chi.h"
#include "select_sut.h"

#define PORTS 8u
#define BUCKETS 64u
#define FLOWS 32768u
#define TIERS 3u

static const char *which = "model";

/* p of chi-square: how likely an even choice is as uneven as this. */
static double uneven(const unsigned *count, unsigned cells)
{
    double sum = 0, mean = (double)FLOWS / cells;
    for (unsigned i = 0; i < cells; i++)
        sum += (count[i] - mean) * (count[i] - mean) / mean;
    return tail(sum, cells - 1);
}

/* A tier: groups of `ecmp` over the ports 0..PORTS-1, all with the same buckets. */
static struct sut *tier(const char *config, uint32_t algorithm, uint32_t seed, uint32_t rotation)
{
    struct sut *s = sut_open(which, config);
    struct egret_hash_setup setup;
    struct egret_group g;

    egret_hash_setup_default(&setup);
    setup.algorithm = algorithm;
    setup.seed = seed;
    setup.rotation = rotation;
    REQUIRE(egret_ctl_hash(&s->cfg, &setup, sut_emit, s, NULL) == EGRET_OK);
    memset(&g, 0, sizeof g);
    g.scheme = EGRET_SCHEME_ECMP;
    g.bucket_mask = BUCKETS - 1;
    g.members = (1u << PORTS) - 1;
    for (uint32_t i = 0; i < PORTS; i++)
        REQUIRE(egret_ctl_group(&s->cfg, i, &g, sut_emit, s) == EGRET_OK);
    for (uint32_t i = 0; i < BUCKETS; i++)
        sut_event(s, EGRET_EV_WRITE, EGRET_A_BUCKET(i), i % PORTS);
    return s;
}

/* RoCE flows of 16 hosts to 16 others; the source port varies. */
static void flow(uint32_t i, struct egret_event *ev)
{
    static const uint8_t base[EGRET_RECORD_BYTES] = {10, 0,         0,    0, [16] = 10, 1,   0,
                                                     0,  [32] = 17, 0xc0, 0, 0x12,      0xb7};
    *ev = test_packet(0, 0, 0);
    memcpy(ev->record, base, sizeof base);
    ev->record[3] = (uint8_t)(i & 15u);
    ev->record[19] = (uint8_t)(i >> 4 & 15u);
    ev->record[33] = (uint8_t)(0xc0u | (test_random() & 0x3fu));
    ev->record[34] = (uint8_t)test_random();
}

/* The path of each flow so far, which a tier makes longer. */
static struct {
    unsigned path[FLOWS];
    uint32_t at;
} on;

static void see(void *ctx, const struct egret_event *ev, const struct egret_decision *d)
{
    (void)ctx;
    if (ev->kind != EGRET_EV_PACKET)
        return;
    REQUIRE(d->port < PORTS && d->reason == EGRET_REASON_CHOSEN);
    on.path[on.at] = on.path[on.at] * PORTS + d->port;
    on.at++;
}

/* Flows over n tiers in a row: counts of each path. In a LAG the port of the tier before is the
 * group. Returns the number of paths in use; *worst is the largest count over the mean of all. */
static unsigned paths(struct sut *const *s, unsigned n, bool lag, unsigned *count, double *worst)
{
    unsigned all = 1, used = 0, most = 0;

    memset(&on, 0, sizeof on);
    for (unsigned t = 0; t < n; t++) {
        all *= PORTS;
        on.at = 0;
        s[t]->see = see;
        test_seed(7);
        for (uint32_t i = 0; i < FLOWS; i++) {
            struct egret_event ev;
            flow(i, &ev);
            ev.group = (uint16_t)(lag ? on.path[i] % PORTS : 0);
            sut_give(s[t], &ev);
        }
        sut_flush(s[t]);
        REQUIRE(on.at == FLOWS);
    }
    memset(count, 0, all * sizeof *count);
    for (uint32_t i = 0; i < FLOWS; i++)
        count[on.path[i]]++;
    for (unsigned p = 0; p < all; p++) {
        used += count[p] > 0;
        most = count[p] > most ? count[p] : most;
    }
    *worst = (double)most * all / FLOWS;
    return used;
}

enum { POLARIZED, EVEN, LAG_POLARIZED, LAG_EVEN };

static void chain(const char *config, uint32_t algorithm, const uint32_t *seed,
                  const uint32_t *rotation, unsigned tiers, int kind, const char *what)
{
    static unsigned count[PORTS * PORTS * PORTS];
    struct sut *s[TIERS];
    double worst = 0;
    unsigned all = 1;
    bool lag = kind >= LAG_POLARIZED;

    for (unsigned t = 0; t < tiers; t++) {
        s[t] = tier(config, algorithm, seed[t], rotation[t]);
        all *= PORTS;
    }
    unsigned used = paths(s, tiers, lag, count, &worst);
    bool even = kind == EVEN || kind == LAG_EVEN;
    if (even) /* mean 64 or more flows a path: 6 standard deviations are below 1.75 */
        CHECK(used == all && worst < 1.75, "%s: %u of %u paths, worst %.2f", what, used, all,
              worst);
    else /* one path for each port of the first tier, whatever comes behind */
        CHECK(used == PORTS && worst > all / PORTS * 0.9, "%s: %u paths, worst %.2f", what, used,
              worst);
    if (even) {
        double p = uneven(count, all);
        CHECK(p > MIN_P, "%s: chi-square of %u paths: p %g", what, all, p);
        printf("%s: p %g\n", what, p);
    }
    printf("%s: %u of %u paths in use, worst %.2f times the mean\n", what, used, all, worst);
    for (unsigned t = 0; t < tiers; t++)
        sut_close(s[t]);
}

static void polarization(void)
{
    static const uint32_t same[3] = {5, 5, 5}, differ[3] = {0, 0x9e3779b9, 0x7f4a7c15};
    static const uint32_t none[3] = {0, 0, 0}, turned[3] = {0, 8, 16}, high[2] = {0, 16};

    chain("lab", EGRET_HASH_CRC32C, same, none, 3, POLARIZED, "equal seeds");
    chain("lab", EGRET_HASH_CRC32C, differ, none, 3, POLARIZED, "seeds alone, linear hash");
    chain("lab", EGRET_HASH_CRC32C, same, turned, 3, EVEN, "rotations 0, 8, 16");
    chain("lab_lookup3", EGRET_HASH_LOOKUP3, same, none, 3, POLARIZED, "equal seeds, lookup3");
    chain("lab_lookup3", EGRET_HASH_LOOKUP3, differ, none, 3, EVEN, "seeds alone, lookup3");
    chain("lab", EGRET_HASH_CRC32C, same, none, 2, LAG_POLARIZED, "group and LAG of one hash");
    chain("lab", EGRET_HASH_CRC32C, differ, none, 2, LAG_POLARIZED, "group and LAG, seeds alone");
    chain("lab", EGRET_HASH_CRC32C, same, high, 2, LAG_EVEN, "group and LAG, rotation 16");
    chain("lab_lookup3", EGRET_HASH_LOOKUP3, same, none, 2, LAG_POLARIZED, "LAG of one lookup3");
    chain("lab_lookup3", EGRET_HASH_LOOKUP3, same, high, 2, LAG_EVEN, "lookup3 low, high half");
}

/* hash.md, section 5. */
static void seeds(void)
{
    for (uint32_t algorithm = 0; algorithm <= EGRET_HASH_XOR32; algorithm++) {
        struct egret_hash_setup a, b;
        unsigned different = 0;

        egret_hash_setup_default(&a);
        a.algorithm = algorithm;
        a.rotation = 11;
        b = a;
        a.seed = 0x12345678;
        b.seed = 0x9abcdef1;
        uint32_t x = a.seed ^ b.seed, constant = x >> 11 | x << 21;
        for (unsigned i = 0; i < 200; i++) {
            uint8_t record[EGRET_RECORD_BYTES];
            uint32_t ha = 0, hb = 0;
            test_bytes(record, sizeof record);
            REQUIRE(egret_hash_record(&a, record, &ha) == EGRET_OK);
            REQUIRE(egret_hash_record(&b, record, &hb) == EGRET_OK);
            different += (ha ^ hb) != constant;
        }
        if (algorithm == EGRET_HASH_LOOKUP3)
            CHECK(different > 190, "lookup3: %u of 200", different);
        else
            CHECK_EQ(different, 0, egret_hash_algorithm_name(algorithm));
    }
}

/* ecmp.md, section 3: every group size, every hash value that the mask can tell apart. */
static void group_sizes(void)
{
    struct egret_cfg cfg = test_cfg("tor64");
    struct egret *e = test_create(&cfg);
    uint8_t home[256], now[256];
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_group g;

    memset(&g, 0, sizeof g);
    g.scheme = EGRET_SCHEME_ECMP;
    g.bucket_mask = 255;
    for (uint32_t n = 1; n <= 64; n++) {
        struct egret_buckets b = {.count = 256, .num_members = n, .home = home, .now = now};
        unsigned count[64] = {0}, most = 0, least = 256;
        g.members = ~(uint64_t)0 >> (64 - n);
        for (uint32_t i = 0; i < n; i++)
            b.member[i] = (struct egret_member){i, 3};
        REQUIRE(egret_ctl_buckets(&cfg, &b, egret_emit_apply, e) == EGRET_OK);
        REQUIRE(egret_ctl_group(&cfg, 0, &g, egret_emit_apply, e) == EGRET_OK);
        for (uint32_t h = 0; h < 256; h++) { /* an empty matrix: the hash is the seed */
            test_write(e, EGRET_A_HASH_SEED, h | h << 16);
            struct egret_decision d = test_decide(e, &ev);
            CHECK(d.port < n && d.reason == EGRET_REASON_CHOSEN, "%u members: port %u", n, d.port);
            count[d.port & 63u]++;
        }
        for (uint32_t i = 0; i < n; i++) {
            most = count[i] > most ? count[i] : most;
            least = count[i] < least ? count[i] : least;
        }
        CHECK(most - least == (256 % n != 0), "%u members: %u to %u", n, least, most);
    }
    egret_destroy(e);
}

/* ecmp.md, section 4, and dr.md, section 6: a weight is 1 to 2^24; else nothing is written. */
static void weights(void)
{
    static const struct {
        uint32_t weight;
        bool legal;
    } row[] = {{0, false}, {1, true}, {1u << 24, true}, {(1u << 24) + 1, false}, {~0u, false}};
    struct egret_cfg cfg = test_cfg("tiny");
    uint8_t home[64], now[64];

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_write write[64];
        struct egret_write_buffer out = {write, 64, 0};
        struct egret_buckets b = {.count = 64, .num_members = 2, .home = home, .now = now};
        int want = row[i].legal ? EGRET_OK : EGRET_ERR_RANGE;
        b.member[0] = (struct egret_member){1, row[i].weight};
        b.member[1] = (struct egret_member){3, row[i].weight};
        CHECK_EQ(egret_ctl_buckets(&cfg, &b, egret_emit_buffer, &out), want, "bucket weight");
        CHECK_EQ(out.count, row[i].legal ? 64 : 0, "bucket writes");
        out.count = 0;
        CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, b.member, 2, 1, egret_emit_buffer, &out, NULL),
                 want, "schedule weight");
        CHECK_EQ(out.count, row[i].legal ? 2 : 0, "schedule writes");
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        which = argv[1];
    if (sut_is_model(which)) {
        weights();
        seeds();
        group_sizes();
    }
    polarization();
    return test_end();
}
