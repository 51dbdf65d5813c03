/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_faults_bits.c: every bit of every table and counter: flipped by a fault write it is met by
 * the next packet that uses the entry, counted once, and by no other packet; then packets have made
 * it good, or control does (docs/spec/faults.md).
 *
 * usage: select_faults_bits model CONFIG... | select_faults_bits FOLDER CONFIG...
 *   The second form is for the RTL: FOLDER has check_CONFIG.so. Of a table with many entries some
 *   are tried, the last one among them; every entry of the model's p7 and lab.
 */
#include "select_faults.h"

/* Group 0 uses the entry at hand, group 1 another entry of the same table. */
struct use {
    uint32_t table;
    struct egret_event user, other;
    uint32_t reason; /* of the packet that meets it */
    bool stays;      /* bad until control writes it */
};

/* How many entries of the table at hand are tried; 0: all. */
static uint32_t most;

/* The entry behind entry i of a table of n, n behind the last. An odd stride, so that banks, slots
 * and values change. */
static uint32_t next(uint32_t i, uint32_t n)
{
    uint32_t stride = most == 0 || n <= most ? 1 : n / most | 1u;
    return i + stride < n || i == n - 1 ? i + stride : n - 1;
}

/* The entry at `addr` holds `data`, which differs in a bit from what it held. */
static void one_bit(struct bench *b, const struct use *u, uint32_t addr, uint32_t was,
                    uint32_t data)
{
    struct egret_decision d;

    fault(b, addr, data);
    (void)expect_good(b, &u->other);
    d = send(b, &u->user);
    met(b, BIT(u->table));
    CHECK(d.reason == u->reason, "%s: %06x: %08x: reason %u, not %u", b->what, addr, data, d.reason,
          u->reason);
    if (u->stays) {
        (void)send(b, &u->user);
        met(b, BIT(u->table));
        poke(b, addr, was);
    }
    (void)expect_good(b, &u->user);
    (void)expect_good(b, &u->other);
}

static struct use use_of(uint32_t table, uint32_t reason, bool stays)
{
    struct use u;
    memset(&u, 0, sizeof u);
    u.table = table;
    u.user = test_packet(0, 0, 0);
    u.other = test_packet(1, 0, 0);
    u.reason = reason;
    u.stays = stays;
    return u;
}

/* Words 0 to 6, each bit that is kept: word 0 comes with the write, the others from the stage. */
static void groups(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_GROUP, EGRET_REASON_DROP_FAULT, false);
    const uint32_t kept[7] = {0x1f00ff1fu | (b->cfg.row_len - 1) << 16, 0xffffffff, 0xffffffff,
                              (uint32_t)all_ports(b), (uint32_t)(all_ports(b) >> 32), 0xffffffff,
                              0x1fffffff};
    b->what = "group";
    for (uint32_t g = 0; g < b->cfg.num_groups; g = next(g, b->cfg.num_groups)) {
        uint32_t other = (g + 1) % b->cfg.num_groups;
        simple_group(b, g, EGRET_SCHEME_FLOWLET);
        simple_group(b, other, EGRET_SCHEME_FIXED);
        u.user.group = (uint16_t)g;
        u.other.group = (uint16_t)other;
        for (uint32_t bit = 0; bit <= 7 * 32; bit++) {
            uint32_t word = bit / 32, flip = bit < 7 * 32 ? 1u << bit % 32 : 0;
            if (flip != 0 && (kept[word] & flip) == 0)
                continue;
            for (uint32_t w = 1; w < 7; w++)
                poke(b, 0x20 + w,
                           peek(b, EGRET_A_GROUP(g, w)) ^ (w == word ? flip : 0));
            fault(b, EGRET_A_GROUP(g, 0),
                  peek(b, EGRET_A_GROUP(g, 0)) ^ (word == 0 ? flip : 0));
            (void)expect_good(b, &u.other);
            expect_drop(b, &u.user, EGRET_REASON_DROP_FAULT, 0, BIT(u.table));
            simple_group(b, g, EGRET_SCHEME_FLOWLET);
            CHECK(expect_good(b, &u.user).reason <= EGRET_REASON_REPAIRED, "good again");
        }
    }
}

static void matrix(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_MATRIX, EGRET_REASON_DROP_FAULT, true);

    b->what = "matrix";
    simple_group(b, 0, EGRET_SCHEME_ECMP);
    simple_group(b, 1, EGRET_SCHEME_ECMP);
    for (uint32_t i = 0; i < 16 * 82; i = next(i, 16 * 82)) {
        uint32_t n = i / 16, shift = n % 2 != 0 ? 0 : 4;
        memset(u.user.record, 0, sizeof u.user.record);
        memset(u.other.record, 0, sizeof u.other.record);
        u.user.record[n / 2] = (uint8_t)(i % 16 << shift);
        u.other.record[n / 2] = (uint8_t)((i % 16 ^ 1u) << shift);
        for (uint32_t bit = 0; bit <= 32; bit++)
            one_bit(b, &u, EGRET_A_MATRIX(n, i % 16), 0, bit < 32 ? 1u << bit : 0);
    }
}

static uint32_t port_bits(const struct bench *b)
{
    uint32_t bits = 0;
    while (1u << bits < b->cfg.num_ports)
        bits++;
    return bits;
}

static void buckets(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_BUCKET, EGRET_REASON_REPAIRED, true);
    struct egret_group g = group_of(b, EGRET_SCHEME_FIXED);

    b->what = "bucket";
    for (uint32_t i = 0; i < b->cfg.num_buckets; i = next(i, b->cfg.num_buckets)) {
        g.bucket_base = i;
        put_group(b, 0, &g);
        g.bucket_base = i ^ 1u;
        put_group(b, 1, &g);
        for (uint32_t bit = 0; bit <= port_bits(b); bit++)
            one_bit(b, &u, EGRET_A_BUCKET(i), 0, bit < port_bits(b) ? 1u << bit : 0);
    }
}

static void schedule(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_SCHEDULE, EGRET_REASON_REPAIRED, true);
    struct egret_group g = group_of(b, EGRET_SCHEME_SPRAY_RR);

    b->what = "schedule";
    for (uint32_t i = 0; i < 2 * b->cfg.num_rows; i = next(i, 2 * b->cfg.num_rows)) {
        for (uint32_t slot = most == 0 ? 0 : i % b->cfg.row_len; slot < b->cfg.row_len;
             slot += most == 0 ? 1 : b->cfg.row_len) {
            g.last = slot; /* so that the pointer stands still but for its wraps */
            g.bank = i % 2;
            g.row_base = i / 2;
            put_group(b, 0, &g);
            g.row_base = (i / 2) ^ 1u;
            put_group(b, 1, &g);
            for (uint32_t bit = 0; bit <= port_bits(b); bit++) {
                uint32_t at = EGRET_A_SCHEDULE(i % 2, i / 2, slot);
                fault(b, at, bit < port_bits(b) ? 1u << bit : 0);
                poke(b, EGRET_A_POINTER_RR(0), slot);
                poke(b, EGRET_A_POINTER_RR(1), slot);
                CHECK_EQ(expect_good(b, &u.other).choice, 0, b->what);
                CHECK_EQ(send(b, &u.user).reason, EGRET_REASON_REPAIRED, b->what);
                met(b, BIT(u.table));
                poke(b, EGRET_A_POINTER_RR(0), slot);
                (void)send(b, &u.user);
                met(b, BIT(u.table));
                poke(b, at, 0);
                poke(b, EGRET_A_POINTER_RR(0), slot);
                (void)expect_good(b, &u.user);
            }
        }
    }
}

static void pointers(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_POINTER, EGRET_REASON_REPAIRED, false);
    uint32_t keys = b->cfg.num_keys * b->cfg.num_bins, kept = ~0xffu | (b->cfg.row_len - 1);

    b->what = "pointer";
    for (uint32_t i = 0; i < keys + b->cfg.num_groups; i = next(i, keys + b->cfg.num_groups)) {
        bool dr = i < keys;
        uint32_t g = dr ? 0 : i - keys, bins = b->cfg.num_bins;
        uint32_t at = dr ? EGRET_A_POINTER_DR(i / bins, i % bins) : EGRET_A_POINTER_RR(g);
        u.user = test_packet(g, i / bins, i % bins);
        u.other = dr ? test_packet(0, (i + 1) % keys / bins, (i + 1) % keys % bins)
                     : test_packet((g + 1) % b->cfg.num_groups, 0, 0);
        simple_group(b, u.user.group, dr ? EGRET_SCHEME_DR : EGRET_SCHEME_SPRAY_RR);
        simple_group(b, u.other.group, dr ? EGRET_SCHEME_DR : EGRET_SCHEME_SPRAY_RR);
        for (uint32_t bit = 0; bit <= 32; bit++) {
            uint32_t was = test_random() & kept, flip = bit < 32 ? 1u << bit : 0;
            if ((flip & ~kept) != 0)
                continue;
            poke(b, at, was);
            one_bit(b, &u, at, was, was ^ flip);
            CHECK_EQ(peek(b, at), 1, "a step from 0");
        }
    }
}

/* Bits of word 0, and of `last`, which a write takes from its register. */
static void flowlets(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_FLOWLET, EGRET_REASON_CHOSEN, false);
    struct egret_group g = group_of(b, EGRET_SCHEME_FLOWLET);

    b->what = "flowlet";
    g.idle = EGRET_IDLE_MAX;
    for (uint32_t i = 0; i < b->cfg.num_flowlets; i = next(i, b->cfg.num_flowlets)) {
        g.flowlet_base = i;
        put_group(b, 0, &g);
        g.flowlet_base = i ^ 1u;
        put_group(b, 1, &g);
        for (uint32_t bit = 0; bit < 64; bit++) {
            uint32_t word = bit < 32 ? 1u << bit : 0, at = EGRET_A_FLOWLET(i, 0);
            uint32_t last = bit >= 32 && bit < 56 ? 1u << (bit - 32) : 0;
            if ((word & 0x7000ff00u) != 0 || (bit < 8 && word >= b->cfg.num_ports) || bit > 56)
                continue;
            poke(b, EGRET_A_FLOWLET_LAST, last);
            one_bit(b, &u, at, 0, (0x80000000u | HASH >> 20 << 16) ^ word);
            poke(b, at, 0);
        }
    }
}

static void memories(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_MEMORY, EGRET_REASON_CHOSEN, false);
    struct egret_group g = group_of(b, EGRET_SCHEME_SPRAY_QUALITY);

    b->what = "memory";
    g.drill_samples = 2;
    g.drill_memory = 1;
    for (uint32_t i = 0; i < b->cfg.num_groups; i = next(i, b->cfg.num_groups)) {
        u.user.group = (uint16_t)i;
        u.other.group = (uint16_t)((i + 1) % b->cfg.num_groups);
        put_group(b, u.user.group, &g);
        put_group(b, u.other.group, &g);
        for (uint32_t bit = 0; bit <= port_bits(b) + 1; bit++)
            one_bit(b, &u, EGRET_A_DRILL_MEMORY(i), 0,
                    bit < port_bits(b)    ? 1u << bit
                    : bit == port_bits(b) ? EGRET_MEMORY_VALID
                                          : 0);
    }
}

/* The stored bits of counters can not be written: their parity bit stands for all. */
static void counters(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_PORT_COUNTER, EGRET_REASON_CHOSEN, false);
    struct egret_group g = group_of(b, EGRET_SCHEME_SPRAY_RANDOM);

    b->what = "port counter";
    for (uint32_t p = 0; p < b->cfg.num_ports; p = next(p, b->cfg.num_ports)) {
        g.members = (uint64_t)1 << p;
        put_group(b, 0, &g);
        g.members = (uint64_t)1 << (p + 1) % b->cfg.num_ports;
        put_group(b, 1, &g);
        for (uint32_t w = 0; w < 4; w++)
            one_bit(b, &u, EGRET_A_PORT_COUNTER(p, w), 0, test_random());
    }
    b->what = "group counter";
    u = use_of(EGRET_FAULT_GROUP_COUNTER, 0, false);
    for (uint32_t i = 0; i < 2 * b->cfg.num_groups; i = next(i, 2 * b->cfg.num_groups)) {
        struct egret_group of[2] = {group_of(b, EGRET_SCHEME_FIXED), group_of(b, 9)};
        of[0].members = 2; /* and the bucket has port 0: a repair */
        u.user.group = (uint16_t)(i / 2);
        u.other.group = (uint16_t)((i / 2 + 1) % b->cfg.num_groups);
        u.reason = i % 2 != 0 ? EGRET_REASON_REPAIRED : EGRET_REASON_DROP_SCHEME;
        put_group(b, u.user.group, &of[1 - i % 2]);
        put_group(b, u.other.group, &of[1 - i % 2]);
        one_bit(b, &u, EGRET_A_GROUP_COUNTER(i / 2, i % 2), 0, test_random());
        put_group(b, u.other.group, &of[1 - i % 2]);
    }
}

/* Entry 2 of group g is what makes the outcome; `which` 4: another port than before. */
static void set_flow(struct bench *b, uint32_t which)
{
    static const uint32_t tag_of[5] = {HASH >> 20, 0, 1, 1, HASH >> 20};
    uint32_t tag = tag_of[which], last = which == 0 || which == 3 ? 1000 : 100;
    for (uint32_t i = 2; i < 4; i++) {
        poke(b, EGRET_A_FLOWLET_LAST, last);
        poke(b, EGRET_A_FLOWLET(i, 0),
                   which == 1 ? 0 : 0x80000000u | tag << 16 | (which == 4 ? 1 : 0));
    }
}

static void flowlet_counters(struct bench *b)
{
    struct use u = use_of(EGRET_FAULT_FLOWLET_COUNTER, EGRET_REASON_CHOSEN, false);
    struct egret_group g = group_of(b, EGRET_SCHEME_FLOWLET);

    b->what = "flowlet counter";
    g.idle = 10;
    g.members = 1; /* so that a new path is port 0 */
    u.user.now = u.other.now = 1000 << 4;
    for (uint32_t i = 0; i < 5 * b->cfg.num_groups; i = next(i, 5 * b->cfg.num_groups)) {
        u.user.group = (uint16_t)(i / 5);
        u.other.group = (uint16_t)((i / 5 + 1) % b->cfg.num_groups);
        g.flowlet_base = 2;
        put_group(b, u.user.group, &g);
        g.flowlet_base = 3;
        put_group(b, u.other.group, &g);
        poke(b, EGRET_A_BUCKET(0), 0);
        set_flow(b, i % 5);
        fault(b, EGRET_A_FLOWLET_COUNTER(i / 5, i % 5), test_random());
        (void)expect_good(b, &u.other);
        (void)send(b, &u.user);
        met(b, BIT(u.table));
        CHECK_EQ(peek(b, EGRET_A_FLOWLET_COUNTER(i / 5, i % 5)), 1, b->what);
        set_flow(b, i % 5);
        (void)expect_good(b, &u.user);
        CHECK_EQ(peek(b, EGRET_A_FLOWLET_COUNTER(i / 5, i % 5)), 2, b->what);
    }
}

static void run(const char *which, const char *config)
{
    /* of the matrix a word of each nibble or more */
    static const struct {
        void (*test)(struct bench *b);
        uint32_t rtl, large;
    } table[] = {{groups, 5, 32},    {matrix, 164, 0},   {buckets, 24, 2000},
                 {schedule, 16, 64}, {pointers, 24, 500}, {flowlets, 12, 2000},
                 {memories, 12, 0},  {counters, 16, 0},   {flowlet_counters, 40, 0}};
    bool model = sut_is_model(which);

    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct egret_cfg cfg = test_cfg(config);
        struct bench b = {cfg, NULL, NULL, 0, 0, config};
        unsigned long before = test_pass;
        REQUIRE(cfg.parity != 0 && cfg.hash_kind == EGRET_HASH_KIND_MATRIX);
        if (model)
            b = bench_of(&cfg);
        else
            b.s = sut_open(which, config);
        poke(&b, EGRET_A_HASH_SEED, HASH);
        most = !model ? table[i].rtl : cfg.num_ports > 16 ? table[i].large : 0;
        table[i].test(&b);
        printf("%s: %s: %u faults met, %lu checks\n", config, b.what, peek(&b, EGRET_A_FAULTS),
               test_pass - before);
        CHECK_EQ(peek(&b, EGRET_A_WRITES_IGNORED), 0, "every write took effect");
        if (model)
            bench_end(&b);
        else
            sut_close(b.s);
    }
}

int main(int argc, char **argv)
{
    return sut_main(argc, argv, "select_faults_bits", run);
}
