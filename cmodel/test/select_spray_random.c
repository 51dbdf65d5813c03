/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_spray_random.c: the generator against known numbers, an own xorshift and its period; that
 * every packet steps it and nothing else does; and the spread of scheme `spray-random` over each
 * number of members from 1 to 64, singly and in pairs of consecutive packets (chi-square).
 *
 * usage: select_spray_random [packets a number of members]
 */
#include "egret/control.h"
#include "select_chi.h"
#include "select_test.h"

#define START 2463534242u

/* ---- chi-square ---- */

static void near(double got, double wanted, double tolerance, const char *what)
{
    CHECK(fabs(got - wanted) <= tolerance, "%s: %.12g, not %.12g", what, got, wanted);
}

/* Closed forms, and the published table of critical values (three decimals). */
static void check_tail(void)
{
    static const struct {
        double degrees, p05, p001;
    } table[] = {{1, 3.841, 10.828},   {2, 5.991, 13.816},   {5, 11.070, 20.515},
                 {10, 18.307, 29.588}, {30, 43.773, 59.703}, {100, 124.342, 149.449}};

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        near(tail(table[i].p05, table[i].degrees), 0.05, 2e-5, "critical value, 5 %");
        near(tail(table[i].p001, table[i].degrees), 0.001, 5e-7, "critical value, 0.1 %");
    }
    for (double x = 0.1; x < 40; x += 0.7) {
        near(tail(x, 1), erfc(sqrt(x / 2)), 1e-12, "one degree");
        near(tail(x, 3), erfc(sqrt(x / 2)) + sqrt(2 * x / acos(-1)) * exp(-x / 2), 1e-12,
             "three degrees");
    }
    /* an even number of degrees is a sum of Poisson terms, summed by their logarithms */
    for (unsigned half = 1; half <= 2048; half *= 2) {
        for (double scale = 0.8; scale < 1.3; scale += 0.1) {
            double x = half * scale, sum = 0;
            for (unsigned i = 0; i < half; i++)
                sum += exp(i * log(x) - x - lgamma(i + 1.0));
            near(tail(2 * x, 2.0 * half), sum, 1e-10, "even degrees");
        }
    }
}

/* ---- the generator ---- */

static uint32_t step(uint32_t x)
{
    x ^= x * 8192u;
    x ^= x / 131072u;
    return x ^ x * 32u;
}

static void set_group(struct egret *e, uint32_t group, uint32_t scheme, uint64_t members)
{
    struct egret_group g = {.scheme = scheme, .members = members};
    REQUIRE(egret_ctl_group(egret_config(e), group, &g, egret_emit_apply, e) == EGRET_OK);
}

static void known_numbers(const char *config)
{
    static const uint32_t known[] = {723471715, 2497366906, 2064144800, 2008045182, 3532304609};
    struct egret_cfg cfg = test_cfg(config);
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);

    set_group(e, 0, EGRET_SCHEME_SPRAY_RANDOM, 1);
    CHECK_EQ(test_read(e, EGRET_A_RANDOM), START, config);
    for (unsigned again = 0; again < 3; again++) {
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            struct egret_decision d = test_decide(e, &ev);
            CHECK_EQ(d.data, known[i], config);
            CHECK_EQ(test_read(e, EGRET_A_RANDOM), known[i], config);
        }
        if (again == 1) {
            REQUIRE(egret_reset(e) == EGRET_OK);
            set_group(e, 0, EGRET_SCHEME_SPRAY_RANDOM, 1);
        } else {
            test_write(e, EGRET_A_RANDOM, again == 0 ? 0 : START);
        }
        CHECK_EQ(test_read(e, EGRET_A_RANDOM), START, config);
    }
    egret_destroy(e);
}

/* A configuration without the scheme drops its packets. They step the generator all the same, if
 * another scheme has brought one. */
static void no_numbers(const struct egret_cfg *cfg)
{
    bool has = cfg->schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u ||
               cfg->schemes >> EGRET_SCHEME_FLOWLET & 1u;
    struct egret *e = test_create(cfg);
    struct egret_event ev = test_packet(0, 0, 0);

    set_group(e, 0, EGRET_SCHEME_SPRAY_RANDOM, 1);
    CHECK_EQ(test_read(e, EGRET_A_RANDOM), has ? START : 0, cfg->name);
    CHECK_EQ(test_decide(e, &ev).reason, EGRET_REASON_DROP_SCHEME, cfg->name);
    CHECK_EQ(test_read(e, EGRET_A_RANDOM), has ? step(START) : 0, cfg->name);
    test_write(e, EGRET_A_RANDOM, 5);
    CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), has ? 0 : 1, cfg->name);
    CHECK_EQ(test_read(e, EGRET_A_RANDOM), has ? 5 : 0, cfg->name);
    egret_destroy(e);
}

/* The generator is there with any of the three schemes that use it, and with no other. */
static void who_has_numbers(void)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct egret_cfg cfg = test_cfg("lab");
        cfg.schemes &= ~(1u << EGRET_SCHEME_SPRAY_RANDOM | 1u << EGRET_SCHEME_SPRAY_QUALITY |
                         1u << EGRET_SCHEME_FLOWLET);
        cfg.schemes |= (i & 1u) << EGRET_SCHEME_SPRAY_QUALITY | i / 2 << EGRET_SCHEME_FLOWLET;
        cfg.num_flowlets = i / 2 != 0 ? 16 : 0;
        no_numbers(&cfg);
    }
}

/* Columns of the step as the model has it, a linear map over GF(2). */
struct map {
    uint32_t column[32];
};

static uint32_t image(const struct map *m, uint32_t x)
{
    uint32_t y = 0;
    for (unsigned i = 0; i < 32; i++)
        y ^= x >> i & 1u ? m->column[i] : 0;
    return y;
}

/* Is m to the power n the identity? */
static bool is_identity(const struct map *m, uint32_t n)
{
    bool same = true;
    for (unsigned i = 0; i < 32; i++) {
        struct map square = *m;
        uint32_t x = (uint32_t)1 << i;
        for (uint32_t rest = n; rest > 0; rest /= 2) {
            struct map next;
            if (rest % 2 == 1)
                x = image(&square, x);
            for (unsigned k = 0; k < 32; k++)
                next.column[k] = image(&square, square.column[k]);
            square = next;
        }
        same &= x == (uint32_t)1 << i;
    }
    return same;
}

/* The period is 2^32 - 1: every state but 0 lies on one cycle, and so 0 is never reached. */
static void period(void)
{
    static const uint32_t prime[] = {3, 5, 17, 257, 65537}; /* the factors of 2^32 - 1 */
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);
    struct map m;

    for (unsigned i = 0; i < 32; i++) {
        test_write(e, EGRET_A_RANDOM, (uint32_t)1 << i);
        (void)test_decide(e, &ev);
        m.column[i] = test_read(e, EGRET_A_RANDOM);
    }
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t x = test_random() | 1u;
        test_write(e, EGRET_A_RANDOM, x);
        (void)test_decide(e, &ev);
        CHECK_EQ(test_read(e, EGRET_A_RANDOM), image(&m, x), "linear");
    }
    CHECK(is_identity(&m, 0xffffffffu), "2^32 - 1 steps are none");
    for (size_t i = 0; i < sizeof prime / sizeof prime[0]; i++)
        CHECK(!is_identity(&m, 0xffffffffu / prime[i]), "a shorter period");
    egret_destroy(e);
}

/* A packet of one of the ways through the decision; group 0 is ecmp, 1 dr, 2 spray-rr, 3 empty,
 * 4 of an unknown scheme, 5 down. */
static struct egret_event any_packet(const struct egret_cfg *cfg)
{
    struct egret_event ev = test_packet(test_below(7), test_below(cfg->num_keys + 2), 0);
    if (ev.group == 6)
        ev.group = (uint16_t)(cfg->num_groups + test_below(3));
    ev.cls = (uint8_t)test_below(16);
    ev.entropy = test_random();
    test_bytes(ev.record, EGRET_RECORD_BYTES);
    return ev;
}

static struct egret_event no_packet(void)
{
    static const uint32_t addr[] = {EGRET_A_DRAW_SEED, EGRET_A_CLASS_ORDERED, EGRET_A_TYPE};
    struct egret_event ev = test_write_event(addr[test_below(3)], test_random());
    uint32_t kind = EGRET_EV_WRITE + test_below(5);
    ev.kind = (uint8_t)kind;
    if (kind == EGRET_EV_PORT || kind == EGRET_EV_QUEUE)
        ev.port = test_below(4) + 2;
    return ev;
}

static void prepare(struct egret *e)
{
    set_group(e, 0, EGRET_SCHEME_ECMP, 3);
    set_group(e, 1, EGRET_SCHEME_DR, 3);
    set_group(e, 2, EGRET_SCHEME_SPRAY_RR, 3);
    set_group(e, 4, 9, 3);
    set_group(e, 5, EGRET_SCHEME_FIXED, 2);
    test_port(e, 1, false);
}

/* RANDOM after each of 1 to 10000 packets of other schemes: the model catches up at a read, by
 * steps or by a jump. Then the same in bursts, with long ones. */
static void other_packets(const char *config)
{
    struct egret_cfg cfg = test_cfg(config);
    struct egret *e = test_create(&cfg);
    struct egret_event *ev = calloc(70000, sizeof *ev);
    struct egret_decision *d = calloc(70000, sizeof *d);
    uint32_t x = START;

    REQUIRE(ev != NULL && d != NULL);
    prepare(e);
    for (unsigned n = 1; n <= 10000; n++) {
        if (test_chance(3)) {
            struct egret_event none = no_packet();
            struct egret_decision unused;
            REQUIRE(egret_apply(e, &none, &unused) == EGRET_OK);
        }
        struct egret_event one = any_packet(&cfg);
        (void)test_decide(e, &one);
        x = step(x);
        CHECK(test_read(e, EGRET_A_RANDOM) == x, "%s: RANDOM after %u packets", config, n);
    }
    for (unsigned trial = 0; trial < 40; trial++) {
        size_t n = trial < 20 ? test_below(300) : test_below(70000), done = 0;
        uint32_t seed = test_chance(3) ? 0 : test_random();
        test_write(e, EGRET_A_RANDOM, seed);
        x = seed != 0 ? seed : START;
        for (size_t i = 0; i < n; i++) {
            ev[i] = test_chance(50) ? no_packet() : any_packet(&cfg);
            x = ev[i].kind == EGRET_EV_PACKET ? step(x) : x;
        }
        REQUIRE(egret_apply_burst(e, ev, n, d, &done) == EGRET_OK && done == n);
        if (trial % 2 == 0)
            CHECK_EQ(test_read(e, EGRET_A_RANDOM), x, "RANDOM after a burst");
        set_group(e, 6, EGRET_SCHEME_SPRAY_RANDOM, 1);
        ev[0] = test_packet(6, 0, 0);
        d[0] = test_decide(e, &ev[0]);
        CHECK_EQ(d[0].data, step(x), "the next number after a burst");
        CHECK_EQ(test_read(e, EGRET_A_RANDOM), step(x), "RANDOM behind it");
    }
    free(ev);
    free(d);
    egret_destroy(e);
}

/* ---- the choice ---- */

/* `count` members at random, and a few ports down; *live are the members that are up. */
static uint64_t members_with_live(struct egret *e, uint32_t count, uint64_t *live)
{
    uint64_t members = 0;
    uint32_t left = 64;

    *live = 0;
    for (uint32_t p = 0; p < 64; p++) {
        bool in = test_below(left--) < count;
        count -= in;
        *live |= (uint64_t)in << p;
    }
    members = *live;
    for (uint32_t p = 0; p < 64; p++) {
        bool down = !(*live >> p & 1u) && test_chance(4);
        test_port(e, p, !down);
        if (down && test_chance(2)) /* a member, but not live */
            members |= (uint64_t)1 << p;
    }
    return members;
}

/* Every packet by the formula; each live member is reached and nothing else; shares and pairs. */
static void choices(unsigned long packets)
{
    static unsigned single[64], pair[64 * 64];
    struct egret_cfg cfg = test_cfg("tor64");
    struct egret *e = test_create(&cfg);
    uint32_t x = START;

    for (uint32_t n = 1; n <= 64; n++) {
        struct egret_event ev = test_packet(n, 0, 0);
        uint8_t port[64];
        uint32_t before = 0, live_count = 0, wrong = 0;
        uint64_t live, members = members_with_live(e, n, &live), reached = 0;

        for (uint32_t p = 0; p < 64; p++)
            if (live >> p & 1u)
                port[live_count++] = (uint8_t)p;
        REQUIRE(live_count == n);
        set_group(e, n, EGRET_SCHEME_SPRAY_RANDOM, members);
        memset(single, 0, sizeof single);
        memset(pair, 0, sizeof pair);
        for (unsigned long i = 0; i < packets; i++) {
            struct egret_decision d = test_decide(e, &ev);
            x = step(x);
            uint32_t k = x / 65536u * n / 65536u;
            wrong += d.port != port[k] || d.choice != port[k] || d.data != x ||
                     d.reason != EGRET_REASON_CHOSEN || d.scheme != EGRET_SCHEME_SPRAY_RANDOM;
            reached |= (uint64_t)1 << (d.port & 63);
            single[k]++;
            if (i % 2 == 1)
                pair[n * before + k]++;
            before = k;
        }
        CHECK(wrong == 0, "%u members: %u packets of %lu differ from the formula", n, wrong,
              packets);
        CHECK(reached == live, "%u members: ports reached and live members differ", n);
        CHECK_EQ(test_read(e, EGRET_A_GROUP_COUNTER(n, 1)), 0, "no repair");
        spread(single, n, n, "shares");
        spread(pair, n * n, n, "pairs");
    }
    egret_destroy(e);
}

/* No live member, and egret_explain() of the same packet. */
static void all_down(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);
    uint32_t x = START;

    set_group(e, 0, EGRET_SCHEME_SPRAY_RANDOM, 0x22);
    for (unsigned i = 0; i < 200; i++) {
        bool down = i % 3 == 0;
        struct egret_why why;
        test_port(e, 1, !down);
        test_port(e, 5, !down);
        REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
        REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK); /* steps nothing */
        struct egret_decision d = test_decide(e, &ev);
        x = step(x);
        CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "egret_explain() differs");
        CHECK_EQ(why.random, x, "egret_explain() has the number");
        CHECK_EQ(d.data, x, "data is the number");
        CHECK_EQ(d.port, down ? 255u : x >> 31 ? 5u : 1u, "port");
        CHECK_EQ(d.choice, d.port, "choice");
        CHECK_EQ(d.reason, down ? EGRET_REASON_DROP_DOWN : EGRET_REASON_CHOSEN, "reason");
    }
    egret_destroy(e);
}

int main(int argc, char **argv)
{
    unsigned long packets = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;

    check_tail();
    for (size_t i = 0; egret_cfg_name(i) != NULL; i++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(i));
        if (cfg.schemes >> EGRET_SCHEME_SPRAY_RANDOM & 1u)
            known_numbers(cfg.name);
        else
            no_numbers(&cfg);
    }
    who_has_numbers();
    period();
    other_packets("lab");
    other_packets("lab_lookup3");
    choices(packets);
    all_down();
    printf("least p of all chi-squares: %g\n", min_p);
    return test_end();
}
