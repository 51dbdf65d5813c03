/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_load.c: port loads (docs/spec/load.md): what a rate settles at, decay, saturations, how
 * thresholds count, when bands change and what they are a snapshot of; and the control side:
 * scales, thresholds, weights, presets against the published numbers, refusals.
 *
 * The average of a port has no address. A test sees it through thresholds.
 */
#include <math.h>

#include "egret/control.h"
#include "egret/timing.h"
#include "select_test.h"

#define FULL 16384.0

/* ---- events; group p has port p alone ---- */

static void event(struct egret *e, uint8_t kind, uint32_t port, uint32_t depth)
{
    struct egret_event ev = test_write_event(port, depth);
    struct egret_decision d;
    ev.kind = kind;
    REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK && d.kind == EGRET_RES_NONE);
}

static void tick(struct egret *e)
{
    event(e, EGRET_EV_TICK, 0, 0);
}

static void queue(struct egret *e, uint32_t port, uint32_t depth)
{
    event(e, EGRET_EV_QUEUE, port, depth);
}

static void packet(struct egret *e, uint32_t port, uint32_t length)
{
    struct egret_event ev = test_packet(port, 0, 0);
    ev.length = (uint16_t)length;
    REQUIRE(test_decide(e, &ev).port == port);
}

/* Any number of bytes, in the fewest packets. */
static void send(struct egret *e, uint32_t port, uint64_t bytes)
{
    for (; bytes > 65535; bytes -= 65535)
        packet(e, port, 65535);
    packet(e, port, (uint32_t)bytes);
}

static uint32_t band(struct egret *e, uint32_t port)
{
    return test_read(e, EGRET_A_PORT_LOAD(port, 2));
}

static void thresholds(struct egret *e, const uint32_t t[7])
{
    for (uint32_t i = 1; i <= 7; i++)
        test_write(e, EGRET_A_LOAD_THRESHOLD(i), t[i - 1]);
}

/* Band 1 for a metric from `low` up to but not `high`, 0 below, 2 above. */
static void window(struct egret *e, uint32_t low, uint32_t high)
{
    const uint32_t t[7] = {low, high, 65535, 65535, 65535, 65535, 65535};
    thresholds(e, t);
}

static void weights(struct egret *e, uint32_t past, uint32_t future)
{
    test_write(e, EGRET_A_LOAD_WEIGHTS, future << 16 | past);
}

static void scales(struct egret *e, uint32_t port, uint32_t past, uint32_t future)
{
    test_write(e, EGRET_A_PORT_LOAD(port, 0), past);
    test_write(e, EGRET_A_PORT_LOAD(port, 1), future);
}

static struct egret *create(const char *config)
{
    struct egret_cfg cfg = test_cfg(config);
    struct egret *e = test_create(&cfg);

    for (uint32_t p = 0; p < cfg.num_ports && p < cfg.num_groups; p++) {
        /* every configuration has ecmp, and repairs it to the only member */
        struct egret_group g = {.scheme = EGRET_SCHEME_ECMP, .members = (uint64_t)1 << p};
        REQUIRE(egret_ctl_group(&cfg, p, &g, egret_emit_apply, e) == EGRET_OK);
    }
    return e;
}

/* Does the metric that the next tick measures lie within low..high? Two ticks. */
static void metric_within(struct egret *e, uint32_t port, double low, double high, const char *what)
{
    uint32_t first = low > 0 ? (uint32_t)ceil(low) : 0, last = (uint32_t)floor(high);

    window(e, first, last + 1);
    tick(e);
    tick(e);
    CHECK(band(e, port) == 1, "%s: the metric of port %u is %s %u..%u", what, port,
          band(e, port) == 0 ? "below" : "above", first, last);
}

static void metric_is(struct egret *e, uint32_t port, uint32_t metric, const char *what)
{
    metric_within(e, port, metric, metric, what);
}

/* ---- what a constant rate settles at ---- */

/* Packets of `length` bytes at a constant rate on each port p, (p + 1) / 16 of its speed. */
struct source {
    double period_bytes; /* of a full port */
    uint32_t length;
    uint64_t sent[16]; /* packets */
    uint64_t periods;
};

static void send_period(struct egret *e, struct source *s)
{
    s->periods++;
    for (uint32_t p = 0; p < 16; p++) {
        double bytes = s->period_bytes * (p + 1) / 16 * (double)s->periods;
        for (; (double)(s->sent[p] + 1) * s->length <= bytes; s->sent[p]++)
            packet(e, p, s->length);
    }
}

/*
 * CONGA's check: past = 16384 * rate / speed. How far off it may be, with F the average of a full
 * port, L the packet's length, n the exponent:
 * - the bytes of a period are not rate * period but whole packets: what was sent up to any tick is
 *   less than L short, and weights that only fall with age make that at most L of the average;
 * - X >> n is rounded down: the average settles up to 2^n above; both together
 *   16384 (L + 2^n) / F;
 * - 16384 times what is left of the start, below exp(-12), is 0.11;
 * - rounding F, X >> shift, the scale, and the product: below 2.5 (docs/spec/load.md, section 4).
 */
static void settles(uint64_t speed, uint32_t period_ns, uint32_t exponent, uint32_t length)
{
    struct egret *e = create("lab");
    const struct egret_cfg *cfg = egret_config(e);
    struct egret_load load;
    struct source s = {(double)speed * period_ns / 8e9, length, {0}, 0};
    double full = s.period_bytes * pow(2, exponent);
    double bound = FULL * (length + pow(2, exponent)) / full + 0.11 + 2.5;

    memset(&load, 0, sizeof load);
    load.period_ns = period_ns;
    load.exponent = exponent;
    load.weight_past = 256;
    REQUIRE(egret_ctl_load(cfg, &load, egret_emit_apply, e, NULL) == EGRET_OK);
    for (uint32_t p = 0; p < 16; p++)
        REQUIRE(!egret_ctl_port_load(cfg, p, speed, 0, &load, egret_emit_apply, e, NULL));
    for (uint32_t n = 0; n < (12u << exponent) + 4; n++) {
        send_period(e, &s);
        tick(e);
    }
    for (uint32_t p = 0; p < 16; p++) {
        char what[96];
        double want = FULL * (p + 1) / 16;
        snprintf(what, sizeof what, "%llu bit/s, %u ns, exponent %u, packets of %u",
                 (unsigned long long)speed, period_ns, exponent, length);
        window(e, (uint32_t)ceil(want - bound), (uint32_t)floor(want + bound) + 1);
        send_period(e, &s);
        tick(e);
        send_period(e, &s);
        tick(e);
        CHECK(band(e, p) == 1, "%s: port %u is %s %.1f +- %.1f", what, p,
              band(e, p) == 0 ? "below" : "above", want, bound);
    }
    egret_destroy(e);
}

static void constant_rates(void)
{
    settles(100000000000u, 16000, 0, 1000);
    settles(100000000000u, 16000, 1, 1518);
    settles(100000000000u, 16000, 2, 4170);
    settles(10000000000u, 16000, 2, 64);
    settles(400000000000u, 16000, 3, 9000);
    settles(800000000000u, 16000, 4, 9000);
    settles(25000000000u, 20000, 6, 1000);
    settles(40000000000u, 20000, 3, 1000); /* CONGA: tau = 160 us */
    settles(100000000000u, 2000, 10, 9000);
    settles(123456789u, 1000000, 5, 77);
}

/* ---- decay ---- */

/* No traffic: the average as arithmetic says, tick by tick, down to where it stays. */
static void decay(void)
{
    for (uint32_t exponent = 0; exponent < 16; exponent++) {
        struct egret *e = create("p3");
        uint32_t x = 60000;
        unsigned ticks = 0;

        test_write(e, EGRET_A_LOAD_EXPONENT, 0);
        weights(e, 256, 0);
        scales(e, 1, 0x8000, 0); /* shift 0: the metric is half the average */
        send(e, 1, x);
        tick(e);
        test_write(e, EGRET_A_LOAD_EXPONENT, exponent);
        for (; ticks < 60; ticks++) {
            if (ticks % 2 == 0) { /* checked at every other tick, it takes two */
                uint32_t y = x - x / (1u << exponent);
                metric_is(e, 1, y / 2, "decay");
                x = y;
            } else {
                x -= x / (1u << exponent);
            }
        }
        if (exponent == 0)
            CHECK_EQ(x, 0, "no average");
        egret_destroy(e);
    }
    /* below 2^exponent nothing decays */
    struct egret *e = create("p3");
    weights(e, 256, 0);
    scales(e, 0, 0xffff, 0);
    send(e, 0, 1023);
    tick(e);
    test_write(e, EGRET_A_LOAD_EXPONENT, 10);
    for (unsigned i = 0; i < 3000; i++)
        tick(e);
    metric_is(e, 0, 1022, "below 2^10"); /* 1023 * 65535 >> 16 */
    test_write(e, EGRET_A_LOAD_EXPONENT, 9);
    for (unsigned i = 0; i < 3000; i++)
        tick(e);
    metric_is(e, 0, 510, "below 2^9");
    egret_destroy(e);
}

/* ---- saturation ---- */

static void saturation(void)
{
    struct egret *e = create("lab");

    weights(e, 256, 0);
    scales(e, 0, 16u << 16 | 0x8000, 0);
    scales(e, 1, 16u << 16 | 0x8000, 0);
    /* acc: 2^32 + 65533 bytes in a period are 2^32 - 1 */
    for (unsigned i = 0; i < 65538; i++)
        packet(e, 0, 65535);
    for (unsigned i = 0; i < 65537; i++) /* 2^32 - 1 */
        packet(e, 1, 65535);
    tick(e);
    test_write(e, EGRET_A_LOAD_EXPONENT, 15); /* keeps the average for a while */
    metric_is(e, 0, (0xffffffffu - 0x1ffff) >> 17, "acc");
    metric_within(e, 1, 0x7ffa, 0x7fff, "acc");

    /* the average: 2^32 - 2^17 or so, and 2^31 more */
    for (unsigned i = 0; i < 32769; i++)
        packet(e, 0, 65535);
    metric_is(e, 0, 0x7fff, "the average");
    egret_destroy(e);

    /* 16 bits of past and future, and of the metric */
    e = create("lab");
    scales(e, 3, 0xffff, 0x8000);
    weights(e, 256, 0);
    send(e, 3, 65535);
    metric_is(e, 3, 65534, "65535 bytes");
    send(e, 3, 65536);
    metric_is(e, 3, 65534, "65536 bytes are 65535");
    weights(e, 0, 256);
    queue(e, 3, 65535);
    metric_is(e, 3, 32767, "a queue of 65535");
    queue(e, 3, 0x10000);
    metric_is(e, 3, 32767, "a queue of 65536");
    queue(e, 3, 0xffffffff);
    metric_is(e, 3, 32767, "the longest queue");
    scales(e, 3, 0xffff, 31u << 16 | 0xffff);
    metric_is(e, 3, 0, "the longest queue, shift 31"); /* 1 * 65535 >> 16 */
    scales(e, 3, 0xffff, 30u << 16 | 0xffff);
    metric_is(e, 3, 2, "the longest queue, shift 30");
    scales(e, 3, 0xffff, 0xffff);
    weights(e, 0, 256);
    metric_is(e, 3, 65534, "the largest metric of weight 256");
    weights(e, 0, 257);
    const uint32_t top[7] = {65535, 65535, 65535, 65535, 65535, 65535, 65535};
    thresholds(e, top);
    tick(e);
    tick(e);
    CHECK_EQ(band(e, 3), 7, "a metric of 65535 reaches the top");
    weights(e, 511, 511);
    send(e, 3, 70000);
    tick(e);
    tick(e);
    CHECK_EQ(band(e, 3), 7, "261,000 is 65535");
    weights(e, 0, 256);
    tick(e);
    tick(e);
    CHECK_EQ(band(e, 3), 0, "65534 does not");
    egret_destroy(e);
}

/* ---- weights, exponent, thresholds ---- */

static void registers(void)
{
    struct egret *e = create("lab");

    scales(e, 2, 0x4000, 0x2000);
    queue(e, 2, 8000); /* future 1000 */
    weights(e, 128, 128);
    send(e, 2, 4000); /* past 1000 */
    metric_is(e, 2, 1000, "equal weights");
    weights(e, 64, 511);
    send(e, 2, 4000);
    metric_is(e, 2, (64 * 1000 + 511 * 1000) / 256, "other weights");
    weights(e, 3, 2);
    send(e, 2, 4000);
    metric_is(e, 2, 5000 / 256, "rounded down");
    weights(e, 0, 0);
    send(e, 2, 4000);
    metric_is(e, 2, 0, "no weights");
    test_write(e, EGRET_A_LOAD_WEIGHTS, 0xfe00fe00u | 256);
    CHECK_EQ(test_read(e, EGRET_A_LOAD_WEIGHTS), 256, "nine bits each");
    send(e, 2, 4000);
    metric_is(e, 2, 1000, "nine bits each");
    test_write(e, EGRET_A_LOAD_EXPONENT, 0xfffffff0u);
    CHECK_EQ(test_read(e, EGRET_A_LOAD_EXPONENT), 0, "four bits");
    for (unsigned i = 1; i < 5; i++) { /* exponent 0: only the last period counts */
        send(e, 2, 8000 * i);
        metric_is(e, 2, 2000 * i, "exponent 0");
    }
    test_write(e, EGRET_A_LOAD_EXPONENT, 0);
    tick(e); /* empty */
    metric_is(e, 2, 0, "exponent 0, nothing sent");
    egret_destroy(e);
}

static void threshold_counts(void)
{
    static const struct {
        uint32_t t[7];
        uint32_t depth; /* the metric */
        uint32_t band;
    } row[] = {
        {{1, 2, 3, 4, 5, 6, 7}, 0, 0},
        {{1, 2, 3, 4, 5, 6, 7}, 1, 1},
        {{1, 2, 3, 4, 5, 6, 7}, 6, 6},
        {{1, 2, 3, 4, 5, 6, 7}, 7, 7},
        {{1, 2, 3, 4, 5, 6, 7}, 30000, 7},
        {{7, 6, 5, 4, 3, 2, 1}, 3, 3},                 /* any order: how many are passed */
        {{30000, 5, 20000, 5, 5, 65535, 10}, 9, 3},
        {{30000, 5, 20000, 5, 5, 65535, 10}, 15000, 4},
        {{30000, 5, 20000, 5, 5, 65535, 10}, 20000, 5},
        {{5, 5, 5, 5, 5, 5, 5}, 4, 0},                 /* bands left out */
        {{5, 5, 5, 5, 5, 5, 5}, 5, 7},
        {{0, 0, 0, 0, 0, 0, 0}, 0, 7},                 /* as after reset */
        {{0, 0, 0, 1, 0, 0, 0}, 0, 6},
        {{0xfff00003, 65535, 65535, 65535, 65535, 65535, 65535}, 3, 1}, /* 16 bits of them */
    };
    struct egret *e = create("tor64");

    scales(e, 63, 0, 0x8000);
    weights(e, 0, 256);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        thresholds(e, row[i].t);
        queue(e, 63, 2 * row[i].depth);
        tick(e);
        tick(e);
        CHECK(band(e, 63) == row[i].band, "row %zu: band %u, not %u", i, band(e, 63), row[i].band);
    }
    egret_destroy(e);
}

/* ---- when ---- */

static const uint32_t steps[7] = {1000, 2000, 3000, 4000, 5000, 6000, 7000};

static void bands_are(struct egret *e, const uint32_t *want, const char *what)
{
    for (uint32_t p = 0; p < egret_config(e)->num_ports; p++)
        CHECK(band(e, p) == want[p], "%s: port %u has band %u, not %u", what, p, band(e, p),
              want[p]);
}

/* Nothing but a tick changes a band, and it changes those of all ports. */
static void only_at_ticks(void)
{
    struct egret *e = create("p7");
    uint32_t none[7] = {0}, was[7], will[7];

    bands_are(e, none, "after reset");
    tick(e);
    bands_are(e, none, "thresholds of 0: not before the second tick");
    tick(e);
    const uint32_t all[7] = {7, 7, 7, 7, 7, 7, 7};
    bands_are(e, all, "thresholds of 0");
    thresholds(e, steps);
    weights(e, 0, 256);
    for (uint32_t p = 0; p < 7; p++)
        scales(e, p, 0, 0x8000);
    memcpy(was, all, sizeof was);
    memcpy(will, all, sizeof will);
    for (unsigned trial = 0; trial < 300; trial++) {
        uint32_t depth[7];
        for (uint32_t p = 0; p < 7; p++)
            queue(e, p, depth[p] = test_below(18000));
        bands_are(e, was, "queue events");
        for (unsigned i = test_below(4); i > 0; i--)
            packet(e, test_below(7), test_below(65536));
        test_port(e, test_below(6), test_chance(2));
        for (uint32_t p = 0; p < 7; p++)
            test_port(e, p, true);
        test_write(e, EGRET_A_QUALITY_SMALL, test_random());
        test_write(e, EGRET_A_PORT_LOAD(test_below(7), 2), test_random());
        bands_are(e, was, "anything else");
        tick(e);
        bands_are(e, will, "the tick puts in force what the one before measured");
        memcpy(was, will, sizeof was);
        for (uint32_t p = 0; p < 7; p++)
            will[p] = depth[p] / 2 < 8000 ? depth[p] / 2 / 1000 : 7;
    }
    REQUIRE(egret_reset(e) == EGRET_OK);
    bands_are(e, none, "reset");
    egret_destroy(e);
}

/* What an event right before a tick, or right behind it, counts for. */
static void around_a_tick(void)
{
    enum { QUEUE, PACKET, SCALE, WEIGHT, THRESHOLD, EXPONENT, SHIFT, LAST };

    for (unsigned what = QUEUE; what < LAST; what++) {
        for (unsigned behind = 0; behind < 2; behind++) {
            struct egret *e = create("p2");
            bool past = what == PACKET || what == EXPONENT;
            thresholds(e, steps);
            weights(e, past ? 256 : 0, past ? 0 : 256);
            scales(e, 1, 0x8000, 0x8000);
            queue(e, 1, 3000); /* metric 1500 */
            if (past)
                send(e, 1, 3000);
            tick(e);
            if (what == EXPONENT)
                send(e, 1, 1000); /* 500 with exponent 0, 1625 with 2 */
            if (behind)
                tick(e);
            switch (what) {
            case QUEUE:
                queue(e, 1, 9000);
                break;
            case PACKET:
                send(e, 1, 9000);
                break;
            case SCALE:
                scales(e, 1, 0x8000, 0xffff);
                break;
            case WEIGHT:
                weights(e, 0, 511);
                break;
            case THRESHOLD:
                test_write(e, EGRET_A_LOAD_THRESHOLD(7), 0);
                break;
            case EXPONENT:
                test_write(e, EGRET_A_LOAD_EXPONENT, 2);
                break;
            default:
                scales(e, 1, 0x8000, 1u << 16 | 0x8000);
                break;
            }
            if (!behind)
                tick(e);
            /* the second tick is done: bands of the first */
            CHECK_EQ(band(e, 1), 1, "the first tick");
            if (behind && what == EXPONENT)
                send(e, 1, 1500); /* 750 with exponent 0, 1125 with 2 */
            tick(e);
            static const uint32_t changed[LAST] = {4, 4, 2, 2, 2, 1, 0};
            static const uint32_t same[LAST] = {1, 0, 1, 1, 1, 0, 1};
            CHECK(band(e, 1) == (behind ? same[what] : changed[what]),
                  "event %u %s the second tick: band %u", what, behind ? "behind" : "before",
                  band(e, 1));
            tick(e);
            static const uint32_t late[LAST] = {4, 4, 2, 2, 2, 1, 0};
            if (behind)
                CHECK(band(e, 1) == late[what], "event %u behind the second tick, after the third: "
                                                "band %u", what, band(e, 1));
            egret_destroy(e);
        }
    }
}

/* Every sent packet counts at the port that it leaves by, whatever its scheme; a drop does not. */
static void who_counts(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *e = test_create(&cfg);
    struct egret_event ev;
    uint32_t sent[16] = {0};
    struct egret_decision d;

    for (uint32_t g = 0; g < 8; g++) {
        struct egret_group group = {.scheme = 1 + g % 7, .members = 0xffff, .last = 31,
                                    .row_mask = 31, .bucket_mask = 1023};
        REQUIRE(egret_ctl_group(&cfg, g, &group, egret_emit_apply, e) == EGRET_OK);
    }
    for (uint32_t i = 0; i < 1024; i++)
        test_write(e, EGRET_A_BUCKET(i), i % 16);
    for (uint32_t i = 0; i < 1024; i++)
        test_write(e, EGRET_A_SCHEDULE(0, i / 32, i % 32), i % 16);
    for (uint32_t p = 0; p < 16; p++)
        scales(e, p, 0x8000, 0);
    weights(e, 256, 0);
    test_write(e, EGRET_A_HASH_SEED, 0x1234567);
    for (unsigned i = 0; i < 300; i++) {
        if (test_chance(20))
            test_port(e, test_below(16), test_chance(2));
        ev = test_packet(test_below(10) < 8 ? test_below(8) : 8 + test_below(26), test_below(66),
                         0);
        ev.length = (uint16_t)test_below(500);
        ev.entropy = test_random();
        test_bytes(ev.record, sizeof ev.record);
        d = test_decide(e, &ev);
        if (d.port != EGRET_PORT_DROP)
            sent[d.port & 15u] += ev.length;
    }
    test_write(e, EGRET_A_LOAD_EXPONENT, 0);
    tick(e);
    test_write(e, EGRET_A_LOAD_EXPONENT, 15); /* the average stays: it is below 2^15 */
    for (uint32_t p = 0; p < 16; p++) {
        REQUIRE(sent[p] < 32768);
        metric_is(e, p, sent[p] / 2, "bytes of a port");
    }
    egret_destroy(e);
}

/* A configuration without spray-quality: ticks count, and that is all. */
static void without(void)
{
    struct egret *e = create("tiny");
    uint32_t ignored = 0;

    tick(e);
    for (uint32_t a = 0x28; a < 0x38; a++) {
        test_write(e, a, 1);
        CHECK_EQ(test_read(e, a), 0, "absent");
        ignored++;
    }
    test_write(e, EGRET_A_PORT_LOAD(0, 0), 1);
    test_write(e, EGRET_A_DRILL_MEMORY(0), 1);
    CHECK_EQ(test_read(e, EGRET_A_PORT_LOAD(0, 0)), 0, "absent");
    CHECK_EQ(test_read(e, EGRET_A_PORT_LOAD(0, 2)), 0, "absent");
    CHECK_EQ(test_read(e, EGRET_A_DRILL_MEMORY(0)), 0, "absent");
    CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), ignored + 2, "ignored and counted");
    CHECK_EQ(test_read(e, EGRET_A_TICK_COUNT), 1, "ticks");
    egret_destroy(e);
    CHECK_EQ(egret_ctl_load(&(struct egret_cfg){.num_ports = 4}, &(struct egret_load){0},
                            egret_emit_apply, e, NULL),
             EGRET_ERR_RANGE, "control");
}

#include "select_load_control.h"

int main(void)
{
    constant_rates();
    decay();
    saturation();
    registers();
    threshold_counts();
    only_at_ticks();
    around_a_tick();
    who_counts();
    without();
    control();
    return test_end();
}
