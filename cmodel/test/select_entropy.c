/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_entropy.c: scheme `entropy`: every slice 0 .. 65535 for groups of 1 to 64 members and
 * offsets 0 to 31 against the documented bucket; two tiers and their exchange; any base and mask;
 * repair when the member is down. The expected values are by division and remainder, not by shifts.
 *
 * usage: select_entropy [samples for each size and offset]
 */
#include "egret/control.h"
#include "select_test.h"

#define BASE 1000u

static struct egret_cfg cfg;
static uint32_t seed = 0xfeed0000u; /* the hash of each record: the matrix is empty */

static uint32_t power2(uint32_t n)
{
    uint32_t p = 1;
    while (n-- > 0)
        p *= 2;
    return p;
}

/* Number of buckets of a group of n members: the next power of two. */
static uint32_t reach(uint32_t members)
{
    uint32_t n = 1;
    while (n < members)
        n *= 2;
    return n;
}

/* A group of `size` members from port `first` on; bucket BASE + k is member k, and those beyond the
 * last member go round. */
static void set_up(struct egret *e, uint32_t group, uint32_t size, uint32_t first, uint32_t offset)
{
    struct egret_group g = {.scheme = EGRET_SCHEME_ENTROPY,
                            .entropy_offset = offset,
                            .bucket_base = BASE + 64 * group,
                            .bucket_mask = reach(size) - 1};
    for (uint32_t k = 0; k < reach(size); k++) {
        uint32_t port = (first + k % size) % 64;
        g.members |= (uint64_t)1 << port;
        test_write(e, EGRET_A_BUCKET(g.bucket_base + k), port);
    }
    REQUIRE(egret_ctl_group(&cfg, group, &g, egret_emit_apply, e) == EGRET_OK);
}

static struct egret_event packet(uint32_t group, uint32_t entropy)
{
    struct egret_event ev = test_packet(group, 0xffff, 0xff);
    ev.entropy = entropy;
    return ev;
}

/* One packet against the rule; returns whether it holds. */
static bool holds(struct egret *e, uint32_t size, uint32_t first, uint32_t offset, uint32_t entropy)
{
    struct egret_event ev = packet(0, entropy);
    struct egret_decision d = test_decide(e, &ev);
    uint32_t slice = entropy / power2(offset) % 65536u;
    uint32_t k = slice % reach(size); /* the bucket that the mask reaches */
    uint32_t member = k < size ? k : k - size;
    return d.port == (first + member) % 64 && d.choice == d.port &&
           d.reason == EGRET_REASON_CHOSEN && d.scheme == EGRET_SCHEME_ENTROPY &&
           d.data == (seed & 0xffff0000u) + slice;
}

static void all_slices(struct egret *e, uint32_t size, uint32_t offset)
{
    uint32_t first = test_below(64), wrong = 0;
    set_up(e, 0, size, first, offset);
    for (uint32_t slice = 0; slice < 65536; slice++) {
        /* bits below and above the slice are anything */
        uint64_t entropy = (uint64_t)slice * power2(offset) + test_below(power2(offset)) +
                           ((uint64_t)test_random() * power2(offset) << 16);
        wrong += !holds(e, size, first, offset, (uint32_t)entropy);
    }
    CHECK(wrong == 0, "size %u, offset %u: %u slices differ", size, offset, wrong);
}

static void sizes_and_offsets(struct egret *e, unsigned long samples)
{
    for (uint32_t size = 1; size <= 64; size++) {
        all_slices(e, size, size * 7 % 32);
        for (uint32_t offset = 0; offset < 32; offset++) {
            uint32_t first = test_below(64), wrong = 0;
            set_up(e, 0, size, first, offset);
            for (unsigned long i = 0; i < samples; i++)
                wrong += !holds(e, size, first, offset, test_random());
            CHECK(wrong == 0, "size %u, offset %u: %u of %lu differ", size, offset, wrong, samples);
        }
    }
    for (uint32_t offset = 0; offset < 32; offset++)
        all_slices(e, offset % 2 == 0 ? 64 : 2 * offset + 1, offset);
}

/* Two tiers of 8 and 16 members in one field; exchanged offsets exchange the parts. */
static void tiers(struct egret *e)
{
    for (uint32_t low = 0; low < 16; low++) {
        for (uint32_t high = 0; high < 16; high++) {
            struct egret_event first = packet(0, 16 * high + low);
            struct egret_event second = packet(1, 16 * high + low);
            set_up(e, 0, 16, 0, 0);
            set_up(e, 1, 16, 32, 4);
            CHECK_EQ(test_decide(e, &first).port, low, "tier 1, lower part");
            CHECK_EQ(test_decide(e, &second).port, 32 + high, "tier 2, upper part");
            set_up(e, 0, 16, 0, 4);
            set_up(e, 1, 16, 32, 0);
            CHECK_EQ(test_decide(e, &first).port, high, "tier 1, upper part");
            CHECK_EQ(test_decide(e, &second).port, 32 + low, "tier 2, lower part");
        }
    }
}

/* Any base, mask and offset; members and ports that are down at random. */
static void anything(struct egret *e)
{
    uint8_t *bucket = calloc(cfg.num_buckets, 1);
    uint64_t up = ~(uint64_t)0;
    unsigned repaired = 0, down = 0;

    REQUIRE(bucket != NULL);
    for (uint32_t i = 0; i < cfg.num_buckets; i++) {
        bucket[i] = (uint8_t)test_below(64);
        test_write(e, EGRET_A_BUCKET(i), bucket[i]);
    }
    for (unsigned trial = 0; trial < 40000; trial++) {
        uint32_t base = test_random() % 65536u, mask = test_random() % 65536u;
        uint32_t offset = test_below(32), entropy = test_random(), port = test_below(64);
        uint64_t members = (uint64_t)test_random() << 32 | test_random();
        bool now = test_chance(2);

        if (test_chance(10))
            members = 1 + (uint64_t)test_below(7);
        up = now ? up | (uint64_t)1 << port : up & ~((uint64_t)1 << port);
        test_port(e, port, now);
        seed = test_random();
        test_write(e, EGRET_A_HASH_SEED, seed);
        test_write(e, EGRET_A_GROUP_STAGE2, mask << 16 | base);
        test_write(e, EGRET_A_GROUP_STAGE3, (uint32_t)members);
        test_write(e, EGRET_A_GROUP_STAGE4, (uint32_t)(members >> 32));
        test_write(e, EGRET_A_GROUP(2, 0), 0xe0000000u | offset << 24 | EGRET_SCHEME_ENTROPY);
        CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 0)), offset << 24 | EGRET_SCHEME_ENTROPY, "word 0");

        struct egret_event ev = packet(2, entropy);
        struct egret_why why;
        REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
        struct egret_decision d = test_decide(e, &ev);
        uint32_t slice = entropy / power2(offset) % 65536u;
        uint32_t at = (base + (slice & mask)) % 65536u % cfg.num_buckets;
        uint32_t live = 0, wanted = 255;
        for (uint32_t p = 0; p < 64; p++)
            live += (uint32_t)(members >> p & up >> p & 1u);
        uint32_t k = (uint32_t)((uint64_t)(seed / 65536u) * live / 65536u);
        for (uint32_t p = 0; p < 64; p++)
            if (members >> p & up >> p & 1u && k-- == 0)
                wanted = p;
        bool good = (members & up) >> bucket[at] & 1u;
        CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "egret_explain() differs");
        CHECK_EQ(why.bucket, at, "bucket");
        CHECK_EQ(d.data, (seed & 0xffff0000u) + slice, "data");
        CHECK_EQ(d.choice, live == 0 ? 255u : bucket[at], "choice");
        CHECK_EQ(d.port, good ? bucket[at] : wanted, "port");
        CHECK_EQ(d.reason,
                 live == 0 ? EGRET_REASON_DROP_DOWN
                 : good    ? EGRET_REASON_CHOSEN
                           : EGRET_REASON_REPAIRED,
                 "reason");
        repaired += d.reason == EGRET_REASON_REPAIRED;
        down += d.reason == EGRET_REASON_DROP_DOWN;
    }
    CHECK(repaired > 1000 && down > 100, "%u repaired, %u down", repaired, down);
    free(bucket);
}

int main(int argc, char **argv)
{
    unsigned long samples = argc > 1 ? strtoul(argv[1], NULL, 10) : 4096;
    struct egret *e;

    cfg = test_cfg("tor64");
    e = test_create(&cfg);
    test_write(e, EGRET_A_HASH_SEED, seed);
    sizes_and_offsets(e, samples);
    tiers(e);
    anything(e);
    egret_destroy(e);
    return test_end();
}
