/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_fixed.c: scheme `fixed` on every configuration: any bucket base and mask name the bucket
 * of the base alone, whatever the packet; data is the hash that `ecmp` has for the same record;
 * a bucket whose port is down or no member is repaired by the high half of the hash.
 */
#include "egret/control.h"
#include "select_test.h"

/* The k-th port of a mask, lowest first. */
static uint32_t kth(uint64_t mask, uint32_t k)
{
    for (uint32_t p = 0; p < 64; p++)
        if (mask >> p & 1u && k-- == 0)
            return p;
    return 255;
}

static uint32_t ones(uint64_t mask)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < 64; p++)
        n += (uint32_t)(mask >> p & 1u);
    return n;
}

static void commit(struct egret *e, uint32_t group, uint32_t word0, uint32_t base, uint32_t mask,
                   uint64_t members)
{
    test_write(e, EGRET_A_GROUP_STAGE2, mask << 16 | base);
    test_write(e, EGRET_A_GROUP_STAGE3, (uint32_t)members);
    test_write(e, EGRET_A_GROUP_STAGE4, (uint32_t)(members >> 32));
    test_write(e, EGRET_A_GROUP(group, 0), word0);
}

static struct egret_event random_packet(uint32_t group)
{
    struct egret_event ev = test_packet(group, test_random() & 0xffffu, test_below(256));
    ev.entropy = test_random();
    ev.cls = (uint8_t)test_below(16);
    test_bytes(ev.record, EGRET_RECORD_BYTES);
    return ev;
}

static void on(const char *config)
{
    struct egret_cfg cfg = test_cfg(config);
    struct egret *e = test_create(&cfg);
    struct egret_hash_setup setup;
    uint8_t *bucket = calloc(cfg.num_buckets, 1);
    uint64_t ports = ~(uint64_t)0 >> (64 - cfg.num_ports);
    uint64_t up = ports;
    unsigned reasons[3] = {0};

    REQUIRE(bucket != NULL);
    egret_hash_setup_default(&setup);
    if (cfg.hash_kind == EGRET_HASH_KIND_LOOKUP3)
        setup.algorithm = EGRET_HASH_LOOKUP3;
    REQUIRE(egret_ctl_hash(&cfg, &setup, egret_emit_apply, e, NULL) == EGRET_OK);
    for (uint32_t i = 0; i < cfg.num_buckets; i++) {
        bucket[i] = (uint8_t)test_below(cfg.num_ports);
        test_write(e, EGRET_A_BUCKET(i), bucket[i]);
    }
    for (unsigned trial = 0; trial < 3000; trial++) {
        uint32_t group = test_below(cfg.num_groups);
        uint32_t base = test_random() & 0xffffu, mask = test_random() & 0xffffu;
        uint64_t members = ((uint64_t)test_random() << 32 | test_random()) & ports;
        uint32_t choice = bucket[base % cfg.num_buckets];
        if (test_chance(3)) {
            uint32_t port = test_below(cfg.num_ports);
            bool now = !test_chance(3);
            up = now ? up | (uint64_t)1 << port : up & ~((uint64_t)1 << port);
            test_port(e, port, now);
        }
        if (test_chance(4))
            members = (uint64_t)1 << test_below(cfg.num_ports);
        else if (test_chance(2))
            members |= (uint64_t)1 << choice;
        uint64_t live = members & up;
        for (unsigned i = 0; i < 4; i++) {
            struct egret_event ev = random_packet(group);
            struct egret_why why;
            commit(e, group, EGRET_SCHEME_ECMP, base, 0, members | 1);
            uint64_t hash_of_ecmp = test_decide(e, &ev).data;
            commit(e, group, EGRET_SCHEME_FIXED, base, mask, members);
            CHECK_EQ(test_read(e, EGRET_A_GROUP(group, 2)), mask << 16 | base, "word 2 is kept");
            REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
            struct egret_decision d = test_decide(e, &ev);
            CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "egret_explain() differs");
            CHECK_EQ(d.scheme, EGRET_SCHEME_FIXED, config);
            if (members == 0) {
                CHECK_EQ(d.reason, EGRET_REASON_DROP_EMPTY, config);
                continue;
            }
            CHECK_EQ(why.bucket, base % cfg.num_buckets, "bucket");
            if (up != 0 && (up & (members | 1)) != 0) /* else ecmp was dropped */
                CHECK_EQ(d.data, hash_of_ecmp, "data is the hash");
            if (live == 0) {
                CHECK(d.reason == EGRET_REASON_DROP_DOWN && d.port == 255 && d.choice == 255,
                      "%s: no live member", config);
                reasons[2]++;
            } else if (live >> choice & 1u) {
                CHECK(d.reason == EGRET_REASON_CHOSEN && d.port == choice && d.choice == choice,
                      "%s: port %u, choice %u", config, d.port, choice);
                reasons[0]++;
            } else {
                uint32_t k = (uint32_t)((uint64_t)(d.data / 65536u) * ones(live) / 65536u);
                CHECK(d.reason == EGRET_REASON_REPAIRED && d.choice == choice &&
                          d.port == kth(live, k),
                      "%s: port %u, choice %u, k %u", config, d.port, choice, k);
                reasons[1]++;
            }
        }
    }
    CHECK(reasons[0] > 100 && (cfg.num_ports == 1 || (reasons[1] > 100 && reasons[2] > 100)),
          "%s: %u chosen, %u repaired, %u down", config, reasons[0], reasons[1], reasons[2]);
    free(bucket);
    egret_destroy(e);
}

/* One write to the base's bucket moves the group, at the next packet. */
static void moves(void)
{
    struct egret_cfg cfg = test_cfg("tor64");
    struct egret *e = test_create(&cfg);
    struct egret_event ev = random_packet(7);

    commit(e, 7, EGRET_SCHEME_FIXED, 100, 0xff, ~(uint64_t)0);
    for (uint32_t p = 0; p < 64; p++) {
        test_write(e, EGRET_A_BUCKET(100), p);
        test_write(e, EGRET_A_BUCKET(101), 63 - p);
        CHECK_EQ(test_decide(e, &ev).port, p, "the bucket's port");
    }
    egret_destroy(e);
}

int main(void)
{
    for (size_t i = 0; egret_cfg_name(i) != NULL; i++)
        on(egret_cfg_name(i));
    moves();
    return test_end();
}
