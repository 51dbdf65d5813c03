/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_control_large.c: the control side at its largest sizes and weights, against plain
 * references: shares and moves of buckets in 128 bits, orders by another splitmix64, rows of 256
 * slots.
 */
#include "select_odd.h"

#define BUCKETS 65536

static struct egret_cfg large_cfg(void)
{
    struct egret_cfg c = odd_cfg();
    c.num_ports = 64;
    c.num_rows = 256;
    c.row_len = 256;
    c.num_buckets = BUCKETS;
    REQUIRE(egret_cfg_check(&c, NULL) == EGRET_OK);
    return c;
}

static uint8_t port_of[BUCKETS];

static int emit_port(void *ctx, uint32_t addr, uint32_t data)
{
    unsigned *writes = ctx;
    REQUIRE(addr >= EGRET_A_BUCKET(0) && addr < EGRET_A_BUCKET(BUCKETS));
    port_of[addr - EGRET_A_BUCKET(0)] = (uint8_t)data;
    ++*writes;
    return EGRET_OK;
}

/* Largest remainder by repeated subtraction: all products fit 64 bits. */
static void reference_shares(const struct egret_buckets *b, uint32_t *share)
{
    uint64_t sum = 0, rest[EGRET_MAX_PORTS];
    uint32_t given = 0;
    for (uint32_t i = 0; i < b->num_members; i++)
        sum += b->member[i].weight;
    for (uint32_t i = 0; i < b->num_members; i++) {
        uint64_t part = (uint64_t)b->member[i].weight * b->count;
        share[i] = 0;
        while (part >= sum) { /* at most count times over all members */
            part -= sum;
            share[i]++;
        }
        rest[i] = part;
        given += share[i];
    }
    while (given < b->count) {
        uint32_t best = b->num_members - 1;
        for (uint32_t i = b->num_members; i-- > 0;)
            best = rest[i] >= rest[best] ? i : best;
        rest[best] = 0;
        share[best]++;
        given++;
    }
}

/* The member that takes the next bucket of a lost one. */
static uint32_t reference_taker(const struct egret_buckets *b, const uint32_t *load)
{
    uint32_t best = EGRET_MAX_PORTS;
    for (uint32_t i = b->num_members; i-- > 0;) {
        if ((b->live >> i & 1u) == 0)
            continue;
        uint64_t mine =
            best == EGRET_MAX_PORTS ? 0 : ((uint64_t)load[i] + 1) * b->member[best].weight;
        if (best == EGRET_MAX_PORTS || mine <= ((uint64_t)load[best] + 1) * b->member[i].weight)
            best = i;
    }
    return best;
}

static void one_table(uint32_t base, uint32_t count, uint32_t members, uint32_t scale)
{
    static uint8_t home[BUCKETS], now[BUCKETS], before[BUCKETS];
    static struct egret_buckets b;
    struct egret_cfg cfg = large_cfg();
    uint32_t share[EGRET_MAX_PORTS], got[EGRET_MAX_PORTS] = {0}, load[EGRET_MAX_PORTS] = {0};
    unsigned writes = 0;

    memset(&b, 0, sizeof b);
    b.base = base;
    b.count = count;
    b.num_members = members;
    b.home = home;
    b.now = now;
    for (uint32_t i = 0; i < members; i++) {
        b.member[i].port = 63 - i;
        b.member[i].weight = scale < 2 ? 1u << 24 : 1 + test_below(scale);
    }
    REQUIRE(egret_ctl_buckets(&cfg, &b, emit_port, &writes) == EGRET_OK);
    CHECK_EQ(writes, count, "every bucket");
    CHECK_EQ(b.live, members == 64 ? UINT64_MAX : ((uint64_t)1 << members) - 1, "all live");
    reference_shares(&b, share);
    for (uint32_t i = 0, at = 0; i < members; i++) {
        for (uint32_t n = 0; n < share[i]; n++, at++)
            got[i] += port_of[base + at] == 63 - i && home[at] == i && now[at] == i;
        CHECK_EQ(got[i], share[i], "consecutive buckets");
        load[i] = share[i];
    }
    if (members == 1)
        return;
    uint32_t lost = test_below(members);
    memcpy(before, port_of, sizeof before);
    writes = 0;
    REQUIRE(egret_ctl_member_lost(&cfg, &b, 63 - lost, emit_port, &writes) == EGRET_OK);
    CHECK_EQ(writes, share[lost], "moves");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t want = before[base + i];
        if (home[i] == lost) {
            uint32_t taker = reference_taker(&b, load);
            load[taker]++;
            want = 63 - taker;
        }
        CHECK_EQ(port_of[base + i], want, "bucket");
    }
    REQUIRE(egret_ctl_member_back(&cfg, &b, 63 - lost, emit_port, &writes) == EGRET_OK);
    CHECK_EQ(writes, 2 * share[lost], "moves back");
    CHECK(memcmp(before, port_of, sizeof before) == 0, "as it was");
}

/* splitmix64 as its author writes it, from another start. */
static uint64_t splitmix(uint64_t *x)
{
    *x += 0x9e3779b97f4a7c15u;
    uint64_t z = *x;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void one_order(uint32_t n, uint32_t seed, uint32_t row)
{
    struct egret_member m[EGRET_MAX_PORTS], want[EGRET_MAX_PORTS];
    uint64_t x = (uint64_t)seed << 32 | row;
    for (uint32_t i = 0; i < n; i++)
        m[i].port = want[i].port = i, m[i].weight = want[i].weight = 100 + i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)((splitmix(&x) >> 32) * i >> 32);
        struct egret_member t = want[i - 1];
        want[i - 1] = want[j];
        want[j] = t;
    }
    egret_shuffle(m, n, seed, row);
    CHECK(memcmp(m, want, n * sizeof *m) == 0, "order of %u members", n);
}

static void orders(void)
{
    uint64_t known = 0;
    CHECK_EQ(splitmix(&known), 0xe220a8397b1dcdafu, "splitmix64 of 0");
    for (uint32_t trial = 0; trial < 400; trial++)
        one_order(trial < 3 ? trial : 1 + test_below(64), test_random(),
                  test_random() >> test_below(32));
    /* here the lowest bits of the last XOR decide a place */
    one_order(64, 2, 113243);
}

static void long_rows(void)
{
    struct egret_cfg cfg = large_cfg();
    static struct egret_write write[1024];
    struct egret_write_buffer b = {write, 1024, 0};
    struct egret_member m[EGRET_MAX_PORTS];
    uint8_t slot[256];
    uint32_t last = 0;

    for (unsigned i = 0; i < 256; i++)
        slot[i] = (uint8_t)(i * 7 % 64);
    CHECK_EQ(egret_ctl_row(&cfg, 1, 255, slot, 256, egret_emit_buffer, &b), EGRET_OK, "row");
    CHECK_EQ(b.count, 256, "row");
    for (unsigned i = 0; i < 256; i++)
        CHECK(write[i].addr == EGRET_A_SCHEDULE(1, 255, i) && write[i].data == slot[i], "slot");
    slot[255] = 64;
    CHECK_EQ(egret_ctl_row(&cfg, 1, 255, slot, 256, egret_emit_buffer, &b), EGRET_ERR_RANGE,
             "port");
    for (uint32_t i = 0; i < 64; i++)
        m[i].port = i, m[i].weight = 4u << 22;
    m[0].weight = 1u << 22; /* 1 + 63 * 4 = 253 slots */
    b.count = 0;
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 254, 2, m, 64, 3, egret_emit_buffer, &b, &last), EGRET_OK,
             "schedule");
    CHECK_EQ(b.count, 2 * 253, "schedule");
    CHECK_EQ(last, 252, "schedule");
    for (uint32_t row = 254; row < 256; row++) {
        struct egret_member order[EGRET_MAX_PORTS];
        const struct egret_write *w = write + (row - 254) * 253;
        memcpy(order, m, sizeof order);
        egret_shuffle(order, 64, 3, row);
        for (uint32_t at = 0, round = 1; round <= 4; round++) {
            for (uint32_t i = 0; i < 64; i++) {
                if (order[i].port == 0 && round > 1)
                    continue;
                CHECK(w[at].addr == EGRET_A_SCHEDULE(0, row, at) && w[at].data == order[i].port,
                      "row %u slot %u", row, at);
                at++;
            }
        }
    }
}

int main(void)
{
    one_table(0, BUCKETS, 1, 1);
    one_table(0, BUCKETS, 64, 1);
    one_table(0, 64, 64, 1);
    one_table(BUCKETS - 1, 1, 1, 5);
    for (unsigned i = 0; i < 12; i++)
        one_table(1024 * (i % 3), 1u << (5 + i % 8), 2 + test_below(i % 3 == 0 ? 63 : 30),
                  i % 2 == 0 ? 1u << 24 : 1000);
    orders();
    long_rows();
    return test_end();
}
