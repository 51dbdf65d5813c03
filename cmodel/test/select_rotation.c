/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_rotation.c: what rotation promises, seen through the public calls: port counts of one
 * pointer differ by at most one over any window within an epoch, weights are exact in each row,
 * rows are redrawn after R wraps, keys do not disturb each other, offsets beyond the row count as
 * 0, banks switch at once, epoch and wraps wrap.
 */
#include "egret/control.h"
#include "select_test.h"

#define MAX_WINDOW 70

static struct egret_group rotation_group(uint32_t scheme, uint32_t wraps, uint32_t last,
                                         uint32_t rows, uint64_t members)
{
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.wraps = wraps;
    g.last = last;
    g.row_mask = rows - 1;
    g.members = members;
    return g;
}

static void set_group(struct egret *e, uint32_t group, const struct egret_group *g)
{
    REQUIRE(egret_ctl_group(egret_config(e), group, g, egret_emit_apply, e) == EGRET_OK);
}

/* All rows of bank 0 from these weights (0: no member); returns the last slot. */
static uint32_t fill_rows(struct egret *e, uint32_t bank, const uint32_t *weight, uint32_t seed)
{
    const struct egret_cfg *cfg = egret_config(e);
    struct egret_member member[EGRET_MAX_PORTS];
    uint32_t n = 0, last = 0;

    for (uint32_t p = 0; p < cfg->num_ports; p++) {
        if (weight[p] != 0) {
            member[n].port = p;
            member[n++].weight = weight[p];
        }
    }
    REQUIRE(egret_ctl_schedule(cfg, bank, 0, cfg->num_rows, member, n, seed, egret_emit_apply, e,
                               &last) == EGRET_OK);
    return last;
}

/* Packets of one pointer: within an epoch every window's port counts differ by at most one. */
static void windows(const char *config, uint32_t scheme, uint32_t members, uint32_t wraps)
{
    struct egret_cfg cfg = test_cfg(config);
    struct egret *e = test_create(&cfg);
    uint32_t weight[EGRET_MAX_PORTS] = {0};
    static uint8_t port[5000];
    static uint32_t epoch[5000];
    unsigned epochs = 1;

    for (uint32_t p = 0; p < members; p++)
        weight[p] = 3;
    uint32_t last = fill_rows(e, 0, weight, 77);
    CHECK_EQ(last, members - 1, config);
    struct egret_group g = rotation_group(scheme, wraps, last, cfg.num_rows,
                                          ~(uint64_t)0 >> (64 - members));
    set_group(e, 0, &g);
    struct egret_event ev = test_packet(0, cfg.num_keys - 1, cfg.num_bins - 1);
    for (unsigned i = 0; i < 5000; i++) {
        struct egret_decision d = test_decide(e, &ev);
        port[i] = d.port;
        epoch[i] = d.data >> 20;
        CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, config);
        epochs += i > 0 && epoch[i] != epoch[i - 1];
        if (wraps != 0)
            CHECK_EQ(epoch[i], i / (wraps * members) % 4096, "epoch after R wraps");
    }
    if (wraps == 0)
        CHECK_EQ(epochs, 1, "R = 0 never redraws");
    for (unsigned first = 0; first < 5000; first += 13) {
        unsigned count[EGRET_MAX_PORTS] = {0};
        for (unsigned i = first; i < 5000 && i < first + MAX_WINDOW; i++) {
            unsigned low = ~0u, high = 0;
            if (epoch[i] != epoch[first])
                break;
            count[port[i]]++;
            for (uint32_t p = 0; p < members; p++) {
                low = count[p] < low ? count[p] : low;
                high = count[p] > high ? count[p] : high;
            }
            CHECK(high - low <= 1, "%s: window %u..%u: %u to %u", config, first, i, low, high);
        }
    }
    egret_destroy(e);
}

/* Weights: each revolution has each port exactly weight / gcd times. */
static void weights(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *e = test_create(&cfg);
    uint32_t weight[EGRET_MAX_PORTS] = {400, 400, 400, 100, 0, 200, 0, 100};
    static const unsigned want[16] = {4, 4, 4, 1, 0, 2, 0, 1};

    uint32_t last = fill_rows(e, 0, weight, 5);
    CHECK_EQ(last, 15, "sum of weights over gcd");
    struct egret_group g = rotation_group(EGRET_SCHEME_SPRAY_RR, 2, last, 32, 0xaf);
    set_group(e, 3, &g);
    struct egret_event ev = test_packet(3, 0, 0);
    for (unsigned row = 0; row < 200; row++) {
        unsigned count[16] = {0};
        for (unsigned i = 0; i <= last; i++)
            count[test_decide(e, &ev).port & 15]++;
        for (unsigned p = 0; p < 16; p++)
            CHECK_EQ(count[p], want[p], "weight in a row");
    }
    egret_destroy(e);
}

/* A key's order does not depend on other keys' packets, and another seed gives another order. */
static void independence(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *a = test_create(&cfg), *b = test_create(&cfg), *c = test_create(&cfg);
    struct egret *all[3] = {a, b, c};
    uint32_t weight[EGRET_MAX_PORTS];
    unsigned differ = 0;

    for (unsigned p = 0; p < EGRET_MAX_PORTS; p++)
        weight[p] = 1;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t last = fill_rows(all[i], 0, weight, 9);
        struct egret_group g = rotation_group(EGRET_SCHEME_DR, 1, last, 32, 0xffff);
        set_group(all[i], 0, &g);
        REQUIRE(egret_ctl_draw_seed(&cfg, i == 2 ? 4321 : 1234, egret_emit_apply, all[i]) == 0);
    }
    struct egret_event ev = test_packet(0, 17, 1);
    for (unsigned i = 0; i < 2000; i++) {
        struct egret_event other = test_packet(0, test_below(64), 0);
        uint8_t port = test_decide(a, &ev).port;
        (void)test_decide(b, &other);
        CHECK_EQ(test_decide(b, &ev).port, port, "other keys in between");
        differ += test_decide(c, &ev).port != port;
    }
    CHECK(differ > 1000, "another draw seed: %u of 2000 differ", differ);
    for (unsigned i = 0; i < 3; i++)
        egret_destroy(all[i]);
}

static void corners(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *e = test_create(&cfg);
    uint32_t weight[EGRET_MAX_PORTS] = {1, 1, 1, 1};

    uint32_t last = fill_rows(e, 0, weight, 1);
    struct egret_group g = rotation_group(EGRET_SCHEME_DR, 0, last, 1, 0xf);
    set_group(e, 0, &g);
    struct egret_event ev = test_packet(0, 2, 1);
    uint32_t pointer = EGRET_A_POINTER_DR(2, 1);
    uint8_t first = (uint8_t)test_read(e, EGRET_A_SCHEDULE(0, 0, 0));

    for (uint32_t i = 4; i < 60; i++) { /* twice over, first with a draw that is new */
        uint32_t offset = i < 32 ? i : i - 28;
        test_write(e, pointer, 5u << 20 | 7u << 8 | offset);
        struct egret_decision d = test_decide(e, &ev);
        CHECK_EQ(d.port, first, "offset beyond the row is slot 0");
        CHECK_EQ(d.data, 5u << 20 | 7u << 8 | offset, "old entry");
        CHECK_EQ(test_read(e, pointer), 5u << 20 | 7u << 8 | 1u, "goes on at 1");
    }
    /* Both counters at their ends, R = 0: wraps go round, the epoch stays. */
    test_write(e, pointer, 0xffffff03u);
    (void)test_decide(e, &ev);
    CHECK_EQ(test_read(e, pointer), 0xfff00000u, "wraps modulo 4096");
    g.wraps = 3;
    set_group(e, 0, &g);
    test_write(e, pointer, 0xfff00203u);
    (void)test_decide(e, &ev);
    CHECK_EQ(test_read(e, pointer), 0, "epoch modulo 4096");
    /* More wraps than R, as after a change of R: redrawn at the next end. */
    test_write(e, pointer, 0x00112303u);
    (void)test_decide(e, &ev);
    CHECK_EQ(test_read(e, pointer), 0x00200000u, "wraps beyond R");

    /* A commit switches the bank between two packets. */
    struct egret_member swapped[4] = {{3, 1}, {2, 1}, {1, 1}, {0, 1}};
    uint8_t slot[4];
    size_t len = 0;
    REQUIRE(egret_iwrr(swapped, 4, slot, 4, &len) == EGRET_OK && len == 4);
    REQUIRE(egret_ctl_row(&cfg, 1, 0, slot, len, egret_emit_apply, e) == EGRET_OK);
    test_write(e, pointer, 0);
    g.wraps = 0;
    for (unsigned i = 0; i < 40; i++) {
        g.bank = test_below(2);
        set_group(e, 0, &g);
        uint8_t port = test_decide(e, &ev).port;
        CHECK_EQ(port, test_read(e, EGRET_A_SCHEDULE(g.bank, 0, i % 4)), "bank");
    }
    /* It advances while all members are down, and while there is none. */
    test_write(e, pointer, 0);
    for (uint32_t p = 0; p < 4; p++)
        test_port(e, p, false);
    CHECK_EQ(test_decide(e, &ev).reason, EGRET_REASON_DROP_DOWN, "down");
    CHECK_EQ(test_read(e, pointer), 1, "advances when down");
    g.members = 0;
    set_group(e, 0, &g);
    CHECK_EQ(test_decide(e, &ev).reason, EGRET_REASON_DROP_EMPTY, "empty");
    CHECK_EQ(test_read(e, pointer), 2, "advances when empty");
    egret_destroy(e);
}

int main(void)
{
    windows("lab", EGRET_SCHEME_DR, 16, 0);
    windows("lab", EGRET_SCHEME_DR, 7, 2);
    windows("lab", EGRET_SCHEME_SPRAY_RR, 16, 5);
    windows("tor64", EGRET_SCHEME_DR, 64, 0);
    windows("tor64", EGRET_SCHEME_SPRAY_RR, 33, 1);
    windows("tiny", EGRET_SCHEME_SPRAY_RR, 4, 5);
    windows("p1", EGRET_SCHEME_DR, 1, 3);
    windows("p2", EGRET_SCHEME_DR, 2, 15);
    windows("p3", EGRET_SCHEME_SPRAY_RR, 3, 5);
    windows("p7", EGRET_SCHEME_DR, 7, 1);
    weights();
    independence();
    corners();
    return test_end();
}
