/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_ticks.c: egret_ticks() against as many tick events: in random states of every
 * configuration, every word of the state, and what follows, is the same. The averages have no
 * address: later ticks show them at other thresholds. By hand: how long a band holds, an average
 * that a tick leaves alone though bytes came, a number that nobody could tick through.
 *
 * usage: select_ticks [ROUNDS]
 */
#include "egret/control.h"
#include "egret/selector.h"
#include "select_test.h"

static bool has_load(const struct egret_cfg *cfg)
{
    return cfg->schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u;
}

static void event(struct egret *e, uint8_t kind, uint32_t port, uint32_t depth, uint64_t now)
{
    struct egret_event ev = test_write_event(port, depth);
    struct egret_decision d;
    ev.kind = kind;
    ev.now = now;
    REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
}

/* One by one; times in between are nobody's business. */
static void tick_by_tick(struct egret *e, uint64_t n, uint64_t now)
{
    for (; n > 0; n--)
        event(e, EGRET_EV_TICK, 0, 0, n == 1 ? now : test_state + n);
}

static uint64_t differences(struct egret *a, struct egret *b)
{
    size_t count = egret_state_count(egret_config(a));
    uint64_t n = 0;
    REQUIRE(count > 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t addr;
        REQUIRE(egret_state_address(egret_config(a), i, &addr) == EGRET_OK);
        n += test_read(a, addr) != test_read(b, addr);
    }
    return n;
}

/* ---- both models get the same ---- */

static void write_both(struct egret *m[2], uint32_t addr, uint32_t data)
{
    test_write(m[0], addr, data);
    test_write(m[1], addr, data);
}

static void registers(struct egret *m[2])
{
    uint32_t ports = egret_config(m[0])->num_ports;
    write_both(m, EGRET_A_LOAD_EXPONENT, test_below(7));
    write_both(m, EGRET_A_LOAD_WEIGHTS, test_below(257) << 16 | test_below(257));
    for (uint32_t i = 1; i <= 7; i++)
        write_both(m, EGRET_A_LOAD_THRESHOLD(i), test_below(1u << (1 + test_below(16))));
    for (uint32_t p = 0; p < ports; p++)
        for (uint32_t k = 0; k < 2; k++)
            write_both(m, EGRET_A_PORT_LOAD(p, k), test_below(12) << 16 | test_below(65536));
}

static void traffic(struct egret *m[2], uint32_t events, const char *name)
{
    const struct egret_cfg *cfg = egret_config(m[0]);
    uint32_t differ = 0;
    for (uint32_t i = 0; i < events; i++) {
        if (test_chance(4)) {
            uint32_t port = test_below(cfg->num_ports);
            uint32_t depth = test_chance(3) ? 0 : test_random() >> test_below(32);
            event(m[0], EGRET_EV_QUEUE, port, depth, 0);
            event(m[1], EGRET_EV_QUEUE, port, depth, 0);
            continue;
        }
        struct egret_event ev = test_packet(test_below(cfg->num_groups), 0, 0);
        ev.length = (uint16_t)test_random();
        test_bytes(ev.record, 4);
        struct egret_decision d[2] = {test_decide(m[0], &ev), test_decide(m[1], &ev)};
        differ += memcmp(&d[0], &d[1], sizeof d[0]) != 0;
    }
    CHECK(differ == 0, "%s: %u decisions of %u differ", name, differ, events);
}

static void groups(struct egret *m[2])
{
    const struct egret_cfg *cfg = egret_config(m[0]);
    uint64_t all = cfg->num_ports == 64 ? ~(uint64_t)0 : ((uint64_t)1 << cfg->num_ports) - 1;
    for (uint32_t i = 0; i < cfg->num_groups; i++) {
        bool load = has_load(cfg) && test_chance(2);
        struct egret_group g = {.scheme = load ? EGRET_SCHEME_SPRAY_QUALITY : EGRET_SCHEME_ECMP,
                                .members = all};
        for (uint32_t k = 0; k < 2; k++)
            REQUIRE(egret_ctl_group(cfg, i, &g, egret_emit_apply, m[k]) == EGRET_OK);
    }
}

static void random_states(const char *name, uint32_t rounds)
{
    struct egret_cfg cfg = test_cfg(name);
    struct egret *m[2] = {test_create(&cfg), test_create(&cfg)};
    uint64_t differ = 0;
    groups(m);
    for (uint32_t r = 0; r < rounds; r++) {
        uint64_t n = test_chance(3) ? test_below(4) : test_below(600);
        uint64_t now = (uint64_t)test_random() << 32 | test_random();
        if (has_load(&cfg) && test_chance(2))
            registers(m);
        if (!test_chance(4))
            traffic(m, test_below(60), name);
        tick_by_tick(m[0], n, now);
        REQUIRE(egret_ticks(m[1], n, now) == EGRET_OK);
        differ += differences(m[0], m[1]);
    }
    CHECK(differ == 0, "%s: %llu words differ", name, (unsigned long long)differ);
    traffic(m, 400, name);
    egret_destroy(m[0]);
    egret_destroy(m[1]);
}

/* ---- by hand ---- */

static struct egret *one_port(uint32_t exponent, uint32_t threshold)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *e = test_create(&cfg);
    struct egret_group g = {.scheme = EGRET_SCHEME_ECMP, .members = 2};
    REQUIRE(egret_ctl_group(&cfg, 1, &g, egret_emit_apply, e) == EGRET_OK);
    test_write(e, EGRET_A_LOAD_EXPONENT, exponent);
    test_write(e, EGRET_A_LOAD_WEIGHTS, 256);
    test_write(e, EGRET_A_PORT_LOAD(1, 0), 0xffff); /* metric: X - 1 */
    for (uint32_t i = 1; i <= 7; i++)
        test_write(e, EGRET_A_LOAD_THRESHOLD(i), i == 1 ? threshold : 65535);
    /* bands of the other ports stay 0 */
    return e;
}

static void send(struct egret *e, uint32_t length)
{
    struct egret_event ev = test_packet(1, 0, 0);
    ev.length = (uint16_t)length;
    REQUIRE(test_decide(e, &ev).port == 1);
}

static uint32_t band(struct egret *e)
{
    return test_read(e, EGRET_A_PORT_LOAD(1, 2));
}

/* Exponent 1: X is 1024, 512, 256, 128: metrics 1023, 511, 255, 127. With threshold 200 the ticks 2
 * to 4 put 1 in force, the fifth 0. */
static void hand_decay(void)
{
    static const uint32_t in_force[] = {0, 1, 1, 1, 0, 0};
    for (uint32_t n = 1; n <= 6; n++) {
        struct egret *e = one_port(1, 200);
        send(e, 1024);
        CHECK(egret_ticks(e, n, n) == EGRET_OK, "ticks");
        CHECK_EQ(band(e), in_force[n - 1], "by hand");
        CHECK_EQ(test_read(e, EGRET_A_TICK_COUNT), n, "by hand");
        egret_destroy(e);
    }
}

/* Exponent 1: X = 1000; 500 bytes come, and the tick leaves it at 1000: band 1 is in force and was
 * measured. Later ones do not: 500 is below the threshold of 600. */
static void hand_balance(void)
{
    struct egret *e = one_port(1, 600);
    send(e, 1000);
    CHECK(egret_ticks(e, 1, 0) == EGRET_OK, "a tick");
    send(e, 500);
    CHECK(egret_ticks(e, 1, 0) == EGRET_OK, "a tick");
    CHECK_EQ(band(e), 1, "by hand");
    send(e, 500);
    CHECK(egret_ticks(e, 3, 0) == EGRET_OK, "three ticks");
    CHECK_EQ(band(e), 0, "by hand");
    egret_destroy(e);
}

/* 2^40 + 70,005 ticks: the count is modulo 2^32, times modulo 2^48. */
static void hand_many(void)
{
    struct egret *e = one_port(15, 1);
    for (uint32_t i = 0; i < 3; i++)
        send(e, 65535);
    CHECK(egret_ticks(e, ((uint64_t)1 << 40) + 70005, 0xabcd123456789abcu) == EGRET_OK, "many");
    CHECK_EQ(test_read(e, EGRET_A_TICK_COUNT), 70005, "by hand");
    CHECK_EQ(test_read(e, EGRET_A_TICK_NOW0), 0x56789abcu, "by hand");
    CHECK_EQ(test_read(e, EGRET_A_TICK_NOW1), 0x1234u, "by hand");
    CHECK_EQ(band(e), 1, "by hand"); /* X stays at 2^15 - 1 */
    CHECK(egret_ticks(e, 0, 7) == EGRET_OK, "none");
    CHECK_EQ(test_read(e, EGRET_A_TICK_COUNT), 70005, "by hand");
    CHECK_EQ(test_read(e, EGRET_A_TICK_NOW0), 0x56789abcu, "by hand");
    CHECK(egret_ticks(NULL, 1, 0) == EGRET_ERR_NULL, "null");
    egret_destroy(e);
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 60u;
    for (size_t i = 0; egret_cfg_name(i) != NULL; i++)
        random_states(egret_cfg_name(i), rounds);
    hand_decay();
    hand_balance();
    hand_many();
    return test_end();
}
