/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_faults.c: what a packet does about a bad group, hash matrix, bucket, schedule slot or
 * pointer: docs/spec/faults.md, section 3, outcomes 1 to 4, with the corner cases of each.
 */
#include "select_faults.h"

static const uint32_t R = HASH >> 16;

/* Outcome 1. */
static void bad_group(void)
{
    struct bench b = bench_named("p7");
    struct egret_group g = group_of(&b, EGRET_SCHEME_DR);
    struct egret_event ev = test_packet(2, 5, 3), other = test_packet(1, 5, 3);

    b.what = "bad group";
    simple_group(&b, 1, EGRET_SCHEME_SPRAY_RR);
    put_group(&b, 2, &g);
    test_write(b.e, EGRET_A_POINTER_DR(5, 3), 0x12345602);
    spoil_group(&b, 2);
    for (uint32_t w = 0; w < 7; w++)
        CHECK_EQ(test_read(b.e, EGRET_A_GROUP(2, w)), w == 0 ? 0x000f0003 : w == 3 ? 0x7f : 0,
                 "stored as it was");
    (void)expect_good(&b, &other);
    met(&b, 0); /* reads have met nothing */
    for (uint32_t i = 1; i <= 3; i++) {
        uint32_t random = test_read(b.e, EGRET_A_RANDOM);
        expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
        CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(2, 0)), i, "group drops");
        CHECK(test_read(b.e, EGRET_A_RANDOM) != random, "the generator steps");
    }
    CHECK_EQ(test_read(b.e, EGRET_A_POINTER_DR(5, 3)), 0x12345602, "the pointer stays");
    CHECK_EQ(test_decide(b.e, &ev).scheme, EGRET_SCHEME_DR, "scheme of the corrupt word");
    met(&b, BIT(EGRET_FAULT_GROUP));

    /* before every other reason: no member, no scheme, no such key, nothing live */
    test_write(b.e, EGRET_A_GROUP_STAGE3, 0);
    fault(&b, EGRET_A_GROUP(2, 0), EGRET_SCHEME_DR);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
    test_write(b.e, EGRET_A_GROUP_STAGE3, 0x7f);
    fault(&b, EGRET_A_GROUP(2, 0), 9);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
    fault(&b, EGRET_A_GROUP(2, 0), EGRET_SCHEME_DR);
    ev.key = 32;
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
    ev.key = 5;
    CHECK_EQ(test_read(b.e, EGRET_A_DROPS_SCHEME), 0, "no drop-scheme");
    CHECK_EQ(test_read(b.e, EGRET_A_DROPS_INDEX), 0, "no drop-index");
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, false);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, true);
    ev.group = 10; /* 2 in three bits: but the index comes first */
    expect_drop(&b, &ev, EGRET_REASON_DROP_INDEX, 0, 0);
    ev.group = 2;

    /* a class that keeps order, and a pointer and a matrix row that are bad too: bit 0 alone */
    spoil(&b, EGRET_A_POINTER_DR(5, 3));
    spoil(&b, EGRET_A_MATRIX(0, 0));
    test_write(b.e, EGRET_A_CLASS_ORDERED, 1);
    test_write(b.e, EGRET_A_GROUP_STAGE3, 0x7f);
    fault(&b, EGRET_A_GROUP(2, 0), EGRET_SCHEME_ECMP << 12 | EGRET_SCHEME_DR);
    CHECK_EQ(send(&b, &ev).scheme, EGRET_SCHEME_ECMP, "scheme of the class");
    met(&b, BIT(EGRET_FAULT_GROUP));
    ev.cls = 1;
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));

    /* an ordinary commit heals */
    put_group(&b, 2, &g);
    CHECK_EQ(send(&b, &ev).reason, EGRET_REASON_REPAIRED, "the pointer is met now");
    met(&b, BIT(EGRET_FAULT_POINTER));
    (void)expect_good(&b, &ev);
    bench_end(&b);
}

/* Group words 1 to 6 are the same entry, and its drop counter one of its own. */
static void bad_group_counter(void)
{
    struct bench b = bench_named("p7");
    struct egret_event ev = test_packet(3, 0, 0);

    b.what = "bad group and counter";
    simple_group(&b, 3, EGRET_SCHEME_FIXED);
    spoil_group(&b, 3);
    for (uint32_t i = 0; i < 5; i++)
        expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
    spoil(&b, EGRET_A_GROUP_COUNTER(3, 0));
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(3, 0)), 5, "read as it is");
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0,
                BIT(EGRET_FAULT_GROUP) | BIT(EGRET_FAULT_GROUP_COUNTER));
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(3, 0)), 1, "begins anew");
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_GROUP));
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(3, 0)), 2, "and is good");
    bench_end(&b);
}

/* Which packets take notice of a bad matrix row: outcome 2. */
static void bad_matrix(const char *name)
{
    struct bench b = bench_named(name);
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_group g;

    b.what = "bad matrix";
    ev.record[7] = 0x5a;
    test_write(b.e, EGRET_A_QUALITY_SMALL, 100);
    spoil(&b, EGRET_A_MATRIX(14, 5)); /* the high half of byte 7 */
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        for (uint32_t length = 99; length <= 100; length++) {
            bool hashed = scheme == EGRET_SCHEME_ECMP || scheme == EGRET_SCHEME_FLOWLET ||
                          (scheme == EGRET_SCHEME_SPRAY_QUALITY && length == 99);
            g = group_of(&b, scheme);
            g.drill_samples = length == 100 ? 2 : 0;
            g.drill_memory = g.drill_samples != 0;
            put_group(&b, 0, &g);
            ev.length = (uint16_t)length;
            if (hashed)
                expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));
            else
                CHECK(expect_good(&b, &ev).reason <= EGRET_REASON_REPAIRED, "scheme %u", scheme);
        }
    }
    CHECK_EQ(test_read(b.e, EGRET_A_FLOWLET(0, 0)), 0, "no entry changes");
    CHECK_EQ(test_read(b.e, EGRET_A_FLOWLET_COUNTER(0, EGRET_FLOWLET_NEW)), 0, "nor a counter");
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(0, 0)), 5, "group drops");

    /* another value of the nibble, and the same value of its neighbours */
    simple_group(&b, 0, EGRET_SCHEME_ECMP);
    ev.record[7] = 0x4a;
    (void)expect_good(&b, &ev);
    ev.record[7] = 0x45;
    (void)expect_good(&b, &ev);
    ev.record[7] = 0x55;
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));

    /* two bad rows hide each other, three do not, and an ordinary write heals one */
    spoil(&b, EGRET_A_MATRIX(15, 5));
    (void)expect_good(&b, &ev);
    spoil(&b, EGRET_A_MATRIX(81, 0));
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));
    spoil(&b, EGRET_A_MATRIX(0, 0));
    (void)expect_good(&b, &ev);
    test_write(b.e, EGRET_A_MATRIX(0, 0), 0);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));
    test_write(b.e, EGRET_A_MATRIX(81, 0), 0);
    (void)expect_good(&b, &ev);
    test_write(b.e, EGRET_A_MATRIX(15, 5), 0);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));

    /* precedence: behind empty and scheme, before down */
    for (uint32_t p = 0; p < b.cfg.num_ports; p++)
        test_port(b.e, p, false);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));
    simple_group(&b, 0, EGRET_SCHEME_FLOWLET);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));
    simple_group(&b, 0, 9);
    expect_drop(&b, &ev, EGRET_REASON_DROP_SCHEME, 0, 0);
    g = group_of(&b, EGRET_SCHEME_ECMP);
    g.members = 0;
    put_group(&b, 0, &g);
    expect_drop(&b, &ev, EGRET_REASON_DROP_EMPTY, 0, 0);
    bench_end(&b);
}

/* The flipped bit itself: the hash differs, and is not used. */
static void flipped_matrix(void)
{
    struct bench b = bench_named("p7");
    struct egret_event ev = test_packet(0, 0, 0);

    b.what = "flipped matrix";
    simple_group(&b, 0, EGRET_SCHEME_FIXED);
    fault(&b, EGRET_A_MATRIX(3, 0), 0x00400000);
    expect(&b, &ev, EGRET_REASON_CHOSEN, 0, 0, HASH ^ 0x00400000, 0); /* fixed does not care */
    simple_group(&b, 0, EGRET_SCHEME_ECMP);
    expect_drop(&b, &ev, EGRET_REASON_DROP_FAULT, 0, BIT(EGRET_FAULT_MATRIX));
    bench_end(&b);
}

/* Outcome 3, by the schemes that use a bucket; bucket 9 holds `port`. */
static void bad_bucket(uint32_t scheme, uint32_t port, uint64_t members)
{
    struct bench b = bench_named("p7");
    struct egret_group g = group_of(&b, scheme);
    struct egret_event ev = test_packet(4, 0, 0);
    uint32_t data = scheme == EGRET_SCHEME_ENTROPY ? HASH & 0xffff0000u : HASH;
    uint32_t to = kth(members, R);

    b.what = egret_scheme_name(scheme);
    g.bucket_base = 9;
    g.members = members;
    put_group(&b, 4, &g);
    test_write(b.e, EGRET_A_QUALITY_SMALL, 2000);
    test_write(b.e, EGRET_A_BUCKET(10), 3);
    fault(&b, EGRET_A_BUCKET(9), port);
    for (uint32_t i = 1; i <= 2; i++) { /* it stays bad */
        expect(&b, &ev, EGRET_REASON_REPAIRED, to, port, data, BIT(EGRET_FAULT_BUCKET));
        CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(4, 1)), i, "repairs");
        CHECK_EQ(test_read(b.e, EGRET_A_BUCKET(9)), port, "control owns it");
    }
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, false);
    expect_drop(&b, &ev, EGRET_REASON_DROP_DOWN, data, 0);
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, true);
    g.bucket_base = 10;
    put_group(&b, 4, &g);
    (void)expect_good(&b, &ev);
    g.bucket_base = 9;
    put_group(&b, 4, &g);
    expect(&b, &ev, EGRET_REASON_REPAIRED, to, port, data, BIT(EGRET_FAULT_BUCKET));
    test_write(b.e, EGRET_A_BUCKET(9), kth(members, 0));
    expect(&b, &ev, EGRET_REASON_CHOSEN, kth(members, 0), kth(members, 0), data, 0);
    bench_end(&b);
}

/* Schemes whose packets look at no bucket, or not at this one. */
static void unused_bucket(void)
{
    static const uint32_t scheme[] = {EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_DR,
                                      EGRET_SCHEME_SPRAY_RANDOM, EGRET_SCHEME_SPRAY_QUALITY,
                                      EGRET_SCHEME_FLOWLET};
    struct bench b = bench_named("p7");
    struct egret_event ev = test_packet(0, 0, 0);

    b.what = "no bucket";
    spoil(&b, EGRET_A_BUCKET(0));
    for (unsigned i = 0; i < sizeof scheme / sizeof scheme[0]; i++) {
        simple_group(&b, 0, scheme[i]);
        for (unsigned k = 0; k < 3; k++)
            (void)expect_good(&b, &ev);
    }
    bench_end(&b);
}

/* Outcomes 3 and 4 of rotation: group 1's pointer is at row 2 of bank 1, slot 5. */
static void bad_rotation(uint32_t scheme)
{
    struct bench b = bench_named("p7");
    struct egret_group g = group_of(&b, scheme);
    struct egret_event ev = test_packet(1, 7, 2);
    bool dr = scheme == EGRET_SCHEME_DR;
    uint32_t pointer = dr ? EGRET_A_POINTER_DR(7, 2) : EGRET_A_POINTER_RR(1);
    uint32_t entry = 0xabc12305, to;
    struct egret_why why;

    b.what = egret_scheme_name(scheme);
    g.bank = 1;
    g.row_base = 2;
    put_group(&b, 1, &g);
    test_write(b.e, pointer, entry);
    fault(&b, EGRET_A_SCHEDULE(1, 2, 5), 6);
    REQUIRE(egret_explain(b.e, &ev, &why) == EGRET_OK);
    to = kth(0x7f, why.repair_random);
    expect(&b, &ev, EGRET_REASON_REPAIRED, to, 6, entry, BIT(EGRET_FAULT_SCHEDULE));
    CHECK_EQ(test_read(b.e, pointer), entry + 1, "the pointer steps");
    (void)expect_good(&b, &ev); /* slot 6 */
    CHECK_EQ(test_read(b.e, EGRET_A_SCHEDULE(1, 2, 5)), 6, "the slot stays");

    fault(&b, pointer, entry); /* both */
    expect(&b, &ev, EGRET_REASON_REPAIRED, to, 6, entry,
           BIT(EGRET_FAULT_SCHEDULE) | BIT(EGRET_FAULT_POINTER));
    CHECK_EQ(test_read(b.e, pointer), 0, "the pointer begins anew");
    (void)expect_good(&b, &ev);
    CHECK_EQ(test_read(b.e, pointer), 1, "and is good");

    test_write(b.e, EGRET_A_SCHEDULE(1, 2, 5), 4);
    fault(&b, pointer, entry);
    expect(&b, &ev, EGRET_REASON_REPAIRED, to, 4, entry, BIT(EGRET_FAULT_POINTER));
    CHECK_EQ(test_read(b.e, EGRET_A_GROUP_COUNTER(1, 1)), 3, "repairs");
    fault(&b, pointer, 0x55500015 & ~0xf0u); /* an ordinary write heals */
    test_write(b.e, pointer, entry);
    expect(&b, &ev, EGRET_REASON_CHOSEN, 4, 4, entry, 0);
    CHECK_EQ(test_read(b.e, pointer), entry + 1, "good");

    /* beyond the group's last slot: slot 0 */
    g.last = 4;
    put_group(&b, 1, &g);
    test_write(b.e, EGRET_A_SCHEDULE(1, 2, 0), 2);
    fault(&b, pointer, entry);
    REQUIRE(egret_explain(b.e, &ev, &why) == EGRET_OK);
    expect(&b, &ev, EGRET_REASON_REPAIRED, kth(0x7f, why.repair_random), 2, entry,
           BIT(EGRET_FAULT_POINTER));
    g.last = 15;

    /* the packets that advance without being sent: no member live, no member */
    put_group(&b, 1, &g);
    for (uint32_t p = 0; p < 7; p++)
        test_port(b.e, p, false);
    fault(&b, EGRET_A_SCHEDULE(1, 2, 5), 6);
    fault(&b, pointer, entry);
    expect_drop(&b, &ev, EGRET_REASON_DROP_DOWN, entry, BIT(EGRET_FAULT_POINTER));
    CHECK_EQ(test_read(b.e, pointer), 0, "drop-down");
    test_write(b.e, pointer, entry);
    expect_drop(&b, &ev, EGRET_REASON_DROP_DOWN, entry, 0); /* of the slot no notice is taken */
    CHECK_EQ(test_read(b.e, pointer), entry + 1, "drop-down, good");
    g.members = 0;
    put_group(&b, 1, &g);
    fault(&b, pointer, entry);
    expect_drop(&b, &ev, EGRET_REASON_DROP_EMPTY, 0, BIT(EGRET_FAULT_POINTER));
    CHECK_EQ(test_read(b.e, pointer), 0, "drop-empty");
    if (dr) { /* a key that is not there has no pointer */
        fault(&b, EGRET_A_POINTER_DR(0, 0), entry);
        ev.key = 32;
        ev.bin = 0;
        expect_drop(&b, &ev, EGRET_REASON_DROP_EMPTY, 0, 0);
        g.members = 0x7f;
        put_group(&b, 1, &g);
        expect_drop(&b, &ev, EGRET_REASON_DROP_INDEX, 0, 0);
        CHECK_EQ(test_read(b.e, EGRET_A_POINTER_DR(0, 0)), entry, "untouched");
    }
    bench_end(&b);
}

int main(void)
{
    bad_group();
    bad_group_counter();
    bad_matrix("p7");
    bad_matrix("lab");
    flipped_matrix();
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        if (scheme == EGRET_SCHEME_ECMP || scheme == EGRET_SCHEME_FIXED ||
            scheme == EGRET_SCHEME_ENTROPY || scheme == EGRET_SCHEME_SPRAY_QUALITY) {
            bad_bucket(scheme, 6, 0x7f);
            bad_bucket(scheme, 2, 0x5b); /* no member */
            bad_bucket(scheme, 1, 0x02); /* the port it would have got anyway */
        }
    }
    unused_bucket();
    bad_rotation(EGRET_SCHEME_SPRAY_RR);
    bad_rotation(EGRET_SCHEME_DR);
    return test_end();
}
