/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_explain.c: every member of struct egret_why against what reads and the packet itself say,
 * for every scheme, in random states; a member that a scheme does not use is zero.
 */
#include "egret/hash.h"
#include "select_odd.h"

static uint32_t ones(uint64_t x)
{
    uint32_t n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

/* Everything random: tables, groups of all schemes, pointers, ports. */
static void fill(struct egret *e, const struct egret_cfg *c)
{
    struct egret_hash_setup setup;
    egret_hash_setup_default(&setup);
    setup.algorithm =
        c->hash_kind == EGRET_HASH_KIND_LOOKUP3 ? EGRET_HASH_LOOKUP3 : EGRET_HASH_CRC32C;
    setup.fields = EGRET_FIELDS_ALL;
    setup.seed = test_random();
    setup.rotation = test_below(32);
    REQUIRE(egret_ctl_hash(c, &setup, egret_emit_apply, e, NULL) == EGRET_OK);
    test_write(e, EGRET_A_DRAW_SEED, test_random());
    test_write(e, EGRET_A_CLASS_ORDERED, test_random());
    for (uint32_t i = 0; i < c->num_buckets; i++)
        test_write(e, EGRET_A_BUCKET(i), test_below(c->num_ports));
    for (uint32_t i = 0; i < 2 * c->num_rows * c->row_len; i++)
        test_write(e, EGRET_A_SCHEDULE(i & 1, i / 2 / c->row_len, i / 2 % c->row_len),
                   test_below(c->num_ports));
    for (uint32_t i = 0; i < c->num_groups; i++) {
        test_write(e, EGRET_A_GROUP_STAGE1, test_random());
        test_write(e, EGRET_A_GROUP_STAGE2, test_random());
        test_write(e, EGRET_A_GROUP_STAGE3, test_chance(9) ? 0 : test_random());
        test_write(e, EGRET_A_GROUP_STAGE4, test_chance(9) ? 0 : test_random());
        test_write(e, EGRET_A_GROUP(i, 0),
                   (test_random() & ~0xf00fu) | i % 8 | (test_chance(2) ? test_below(8) << 12 : 0));
        test_write(e, EGRET_A_POINTER_RR(i), test_random());
    }
    for (uint32_t i = 0; i < c->num_keys * c->num_bins; i++)
        test_write(e, EGRET_A_POINTER_DR(i / c->num_bins, i % c->num_bins), test_random());
    for (uint32_t i = 0; i < c->num_ports; i++)
        test_port(e, i, !test_chance(3));
}

/* What the words of a group mean for a packet. */
static void check_group(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    uint32_t word0 = test_read(e, EGRET_A_GROUP(ev->group, 0));
    uint32_t ordered = word0 >> 12 & 15u;
    bool keeps = test_read(e, EGRET_A_CLASS_ORDERED) >> ev->cls & 1u;
    uint64_t members = (uint64_t)test_read(e, EGRET_A_GROUP(ev->group, 4)) << 32 |
                       test_read(e, EGRET_A_GROUP(ev->group, 3));
    uint64_t live = (uint64_t)test_read(e, EGRET_A_LIVE1) << 32 | test_read(e, EGRET_A_LIVE0);

    CHECK_EQ(w->scheme, keeps && ordered != 0 ? ordered : word0 & 15u, "scheme");
    CHECK_EQ(w->decision.scheme, w->scheme, "scheme");
    CHECK_EQ(w->members, members, "members");
    CHECK_EQ(w->live_members, members & live, "live members");
    CHECK_EQ(w->live_count, ones(members & live), "live count");
}

/* Pointer, row and slot of rotation. */
static void check_rotation(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    const struct egret_cfg *c = egret_config(e);
    uint32_t word0 = test_read(e, EGRET_A_GROUP(ev->group, 0));
    uint32_t word1 = test_read(e, EGRET_A_GROUP(ev->group, 1));
    uint32_t last = word0 >> 16 & 0xffu, offset = w->old_entry & 0xffu;

    CHECK_EQ(w->pointer,
             w->scheme == EGRET_SCHEME_DR ? EGRET_A_POINTER_DR(ev->key, ev->bin)
                                          : EGRET_A_POINTER_RR(ev->group),
             "pointer");
    CHECK_EQ(w->old_entry, test_read(e, w->pointer), "old entry");
    CHECK_EQ(w->slot, offset > last ? 0 : offset, "slot");
    CHECK(w->row < c->num_rows, "row %u", w->row);
    CHECK_EQ((w->row - (word1 & 0xffffu)) & (c->num_rows - 1) & ~(word1 >> 16), 0, "row");
    CHECK_EQ(w->choice, test_read(e, EGRET_A_SCHEDULE(word0 >> 4 & 1u, w->row, w->slot)), "choice");
    CHECK_EQ(w->bucket, 0, "bucket");
    CHECK_EQ(w->random, 0, "random");
}

/* Bucket of ecmp, fixed, entropy. */
static void check_bucket(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    uint32_t word0 = test_read(e, EGRET_A_GROUP(ev->group, 0));
    uint32_t word2 = test_read(e, EGRET_A_GROUP(ev->group, 2));
    uint32_t index = w->scheme == EGRET_SCHEME_ECMP      ? w->hash
                     : w->scheme == EGRET_SCHEME_ENTROPY ? ev->entropy >> (word0 >> 24)
                                                         : 0;
    CHECK_EQ(w->bucket,
             ((word2 & 0xffffu) + (index & word2 >> 16)) & (egret_config(e)->num_buckets - 1),
             "bucket");
    CHECK_EQ(w->choice, test_read(e, EGRET_A_BUCKET(w->bucket)), "choice");
    CHECK_EQ(w->repair_random, w->hash >> 16, "r");
    CHECK_EQ(w->random, 0, "random");
}

static void check_why(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    const struct egret_cfg *c = egret_config(e);
    bool has = c->schemes >> w->scheme & 1u;
    bool rotates = w->scheme == EGRET_SCHEME_SPRAY_RR || w->scheme == EGRET_SCHEME_DR;
    bool legal = w->scheme != EGRET_SCHEME_DR || (ev->key < c->num_keys && ev->bin < c->num_bins);

    check_group(e, ev, w);
    if (has && rotates && legal)
        check_rotation(e, ev, w);
    else
        CHECK(w->pointer == 0 && w->old_entry == 0 && w->new_entry == 0 && w->row == 0 &&
                  w->slot == 0,
              "no pointer");
    if (has && (w->scheme == EGRET_SCHEME_ECMP || w->scheme == EGRET_SCHEME_FIXED ||
                w->scheme == EGRET_SCHEME_ENTROPY))
        check_bucket(e, ev, w);
    if (has && legal && w->members != 0)
        CHECK_EQ(w->repair_rank, w->repair_random * w->live_count >> 16, "k");
    CHECK_EQ(w->decision.choice, w->decision.reason > EGRET_REASON_REPAIRED ? 0xff : w->choice,
             "choice");
}

static void states(const struct egret_cfg *cfg)
{
    struct egret *e = test_create(cfg);
    unsigned seen[EGRET_NUM_SCHEMES + 1] = {0};

    for (unsigned round = 0; round < 6; round++) {
        fill(e, cfg);
        for (unsigned i = 0; i < 300; i++) {
            struct egret_event ev = test_packet(test_below(cfg->num_groups + 1), 0, 0);
            struct egret_decision d;
            struct egret_why w, again;
            ev.key = (uint16_t)test_below(cfg->num_keys + 1);
            ev.bin = (uint8_t)test_below(cfg->num_bins + 1);
            ev.cls = (uint8_t)test_below(16);
            ev.entropy = test_random();
            test_bytes(ev.record, EGRET_RECORD_BYTES);
            memset(&w, 0xee, sizeof w);
            memset(&again, 0x55, sizeof again);
            REQUIRE(egret_explain(e, &ev, &w) == EGRET_OK);
            REQUIRE(egret_explain(e, &ev, &again) == EGRET_OK);
            CHECK(memcmp(&w, &again, sizeof w) == 0, "no state changes");
            if (ev.group < cfg->num_groups)
                check_why(e, &ev, &w);
            else
                CHECK(w.scheme == 0 && w.members == 0 && w.pointer == 0 && w.choice == 0,
                      "no group");
            d = test_decide(e, &ev);
            CHECK(memcmp(&d, &w.decision, sizeof d) == 0, "decision");
            if (w.pointer != 0)
                CHECK_EQ(test_read(e, w.pointer), w.new_entry, "new entry");
            if (w.scheme == EGRET_SCHEME_ECMP && w.decision.reason <= EGRET_REASON_REPAIRED)
                CHECK_EQ(w.hash, d.data, "hash");
            if (w.scheme == EGRET_SCHEME_SPRAY_RANDOM && cfg->schemes >> 6 & 1u) {
                CHECK_EQ(w.random, test_read(e, EGRET_A_RANDOM), "random");
                CHECK_EQ(w.repair_random, w.random >> 16, "r");
            }
            seen[w.scheme]++;
        }
    }
    for (unsigned scheme = EGRET_SCHEME_ECMP; scheme <= EGRET_NUM_SCHEMES; scheme++)
        CHECK(cfg->num_groups < 8 || seen[scheme] > 20, "scheme %u: %u times", scheme,
              seen[scheme]);
    egret_destroy(e);
}

int main(void)
{
    struct egret_cfg odd = odd_cfg();
    states(&odd);
    for (size_t i = 0; egret_cfg_name(i) != NULL; i++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(i));
        states(&cfg);
    }
    return test_end();
}
