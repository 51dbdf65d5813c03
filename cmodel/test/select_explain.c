/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_explain.c: every member of struct egret_why against what reads and the packet itself say,
 * for every scheme, in random states; a member that a scheme does not use is zero.
 */
#include "egret/hash.h"
#include "select_odd.h"

/* How often a case was met; each must be. */
enum { SMALL, DRILL_KEEPS, DRILL_MOVES, FLOW_STAYS, FLOW_MOVES, BACK, OUTCOME, CASES = 10 };
static unsigned met[CASES];

static uint32_t ones(uint64_t x)
{
    uint32_t n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

/* The k-th of a set of ports, lowest first, k = (r * their number) >> 16. */
static uint32_t pick(uint64_t set, uint32_t r)
{
    uint32_t k = r * ones(set) >> 16;
    for (uint32_t p = 0; p < 64; p++)
        if (set >> p & 1u && k-- == 0)
            return p;
    return 0xff;
}

static uint32_t band(struct egret *e, uint32_t port)
{
    return test_read(e, EGRET_A_PORT_LOAD(port, 2)); /* 0 where there are no loads */
}

/* Those of a set whose band is the least among them. */
static uint64_t least(struct egret *e, uint64_t set)
{
    uint64_t of[8] = {0};
    for (uint32_t p = 0; p < 64; p++)
        if (set >> p & 1u)
            of[band(e, p)] |= (uint64_t)1 << p;
    for (uint32_t b = 0; b < 8; b++)
        if (of[b] != 0)
            return of[b];
    return 0;
}

/* docs/spec/spray-random.md, section 1 */
static uint32_t next_number(struct egret *e)
{
    uint32_t x = test_read(e, EGRET_A_RANDOM);
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

/* Loads that differ: queues alone, a band for each 2^13 of them. */
static void tick(struct egret *e, const struct egret_cfg *c)
{
    for (uint32_t i = 0; i < c->num_ports; i++) {
        struct egret_event ev = test_write_event(i, test_below(3) << 13);
        struct egret_decision d;
        ev.kind = EGRET_EV_QUEUE;
        REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct egret_event ev = test_write_event(0, 0);
        struct egret_decision d;
        ev.kind = EGRET_EV_TICK;
        REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
    }
}

static void fill_loads(struct egret *e, const struct egret_cfg *c)
{
    test_write(e, EGRET_A_LOAD_WEIGHTS, 256u << 16);
    test_write(e, EGRET_A_QUALITY_SMALL, 500);
    for (uint32_t i = 1; i < 8; i++)
        test_write(e, EGRET_A_LOAD_THRESHOLD(i), i << 12);
    for (uint32_t i = 0; i < c->num_ports; i++)
        test_write(e, EGRET_A_PORT_LOAD(i, 1), 0x8000);
    for (uint32_t i = 0; i < c->num_groups; i++)
        test_write(e, EGRET_A_DRILL_MEMORY(i),
                   (test_random() & 0x80000000u) | test_below(c->num_ports));
    for (uint32_t i = 0; i < c->num_flowlets; i++) {
        test_write(e, EGRET_A_FLOWLET_LAST, test_random());
        test_write(e, EGRET_A_FLOWLET(i, 0),
                   (test_random() & 0xffff0000u) | test_below(c->num_ports));
    }
    tick(e, c);
}

/* Everything random: tables, groups of all schemes, pointers, ports. */
static void fill(struct egret *e, const struct egret_cfg *c)
{
    struct egret_hash_setup setup;
    egret_hash_setup_default(&setup);
    setup.algorithm =
        c->hash_kind == EGRET_HASH_KIND_LOOKUP3 ? EGRET_HASH_LOOKUP3 : EGRET_HASH_CRC32C;
    setup.fields = EGRET_FIELDS_ALL;
    /* an IPv4 5-tuple alone: the model is quickest then */
    if (c->hash_kind == EGRET_HASH_KIND_MATRIX && test_chance(2))
        setup.layout = EGRET_LAYOUT_IPV4_5TUPLE, setup.fields = EGRET_FIELDS_5TUPLE;
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
        /* few entries and idle times that packets meet, or anything */
        test_write(e, EGRET_A_GROUP_STAGE5,
                   test_chance(4) ? test_random() : test_random() & 0xffffu);
        test_write(e, EGRET_A_GROUP_STAGE6,
                   test_random() & (test_chance(4) ? 0xffffffffu : 0xff0000ffu));
        test_write(e, EGRET_A_GROUP(i, 0),
                   (test_random() & ~0xf00fu) | (i + 1) % 10 |
                       (test_chance(2) ? test_below(10) << 12 : 0));
        test_write(e, EGRET_A_POINTER_RR(i), test_random());
    }
    for (uint32_t i = 0; i < c->num_keys * c->num_bins; i++)
        test_write(e, EGRET_A_POINTER_DR(i / c->num_bins, i % c->num_bins), test_random());
    for (uint32_t i = 0; i < c->num_ports; i++)
        test_port(e, i, !test_chance(3));
    fill_loads(e, c);
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

/* Bucket of ecmp, fixed, entropy, small packets, flowlets in a conflict. */
static void check_bucket(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    uint32_t word0 = test_read(e, EGRET_A_GROUP(ev->group, 0));
    uint32_t word2 = test_read(e, EGRET_A_GROUP(ev->group, 2));
    uint32_t index = w->scheme == EGRET_SCHEME_ENTROPY ? ev->entropy >> (word0 >> 24)
                     : w->scheme == EGRET_SCHEME_FIXED ? 0
                                                       : w->hash;
    CHECK_EQ(w->bucket,
             ((word2 & 0xffffu) + (index & word2 >> 16)) & (egret_config(e)->num_buckets - 1),
             "bucket");
    CHECK_EQ(w->choice, test_read(e, EGRET_A_BUCKET(w->bucket)), "choice");
    CHECK_EQ(w->repair_random, w->hash >> 16, "r");
    CHECK_EQ(w->random, 0, "random");
}

/* A packet of spray-quality that is not small. */
static void check_quality(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    uint32_t word6 = test_read(e, EGRET_A_GROUP(ev->group, 6));
    uint32_t d = word6 >> 26 & 3u, memory = test_read(e, EGRET_A_DRILL_MEMORY(ev->group));
    uint32_t x = next_number(e), s1 = 0, s2 = 0, best, kept = memory & 0xffu;

    CHECK_EQ(w->random, x, "random");
    CHECK_EQ(w->decision.data, w->members != 0 ? x : 0, "data");
    CHECK_EQ(w->bucket, 0, "bucket");
    CHECK_EQ(w->pointer, EGRET_A_DRILL_MEMORY(ev->group), "memory");
    CHECK_EQ(w->old_entry, memory, "memory before");
    CHECK_EQ(w->candidates, d == 0 ? least(e, w->live_members) : w->live_members, "candidates");
    CHECK_EQ(w->rank, (x >> 16) * ones(w->candidates) >> 16, "rank");
    if (w->live_count == 0) {
        CHECK(w->new_entry == memory && w->sample[0] == 0 && w->sample[1] == 0 && w->band == 0,
              "nobody");
        return;
    }
    if (d == 0) {
        best = pick(w->candidates, x >> 16);
    } else {
        best = s1 = pick(w->live_members, x >> 16);
        s2 = d >= 2 ? pick(w->live_members, x & 0xffffu) : 0;
        if (d >= 2 && band(e, s2) < band(e, s1))
            best = s2;
        if (word6 >> 28 & 1u) {
            bool valid = memory >> 31 && (w->live_members >> kept & 1u);
            bool keeps = valid && !(band(e, best) < band(e, kept));
            met[keeps ? DRILL_KEEPS : DRILL_MOVES]++;
            best = keeps ? kept : best;
            memory = 0x80000000u | best;
        }
    }
    CHECK(w->sample[0] == s1 && w->sample[1] == s2, "samples");
    CHECK_EQ(w->choice, best, "choice");
    CHECK_EQ(w->new_entry, memory, "memory after");
    CHECK_EQ(w->band, band(e, best), "band");
}

static void check_flowlet(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    uint32_t word5 = test_read(e, EGRET_A_GROUP(ev->group, 5));
    uint32_t word6 = test_read(e, EGRET_A_GROUP(ev->group, 6));
    uint32_t index = ((word5 & 0xffffu) + (w->hash & word5 >> 16)) % egret_config(e)->num_flowlets;
    uint32_t entry = test_read(e, EGRET_A_FLOWLET(index, 0));
    uint32_t last = test_read(e, EGRET_A_FLOWLET(index, 1));
    uint32_t t = (uint32_t)(ev->now >> 4 & 0xffffffu), d = (t - last) & 0xffffffu, x = 0;
    bool back = d >= 0xff0000u, expired = !back && d > (word6 & 0xffffffu);
    bool valid = entry >> 31, own = valid && (entry >> 16 & 0xfffu) == w->hash >> 20;
    bool fresh = valid && !expired;
    uint32_t outcome = own && fresh ? 0 : own || !valid ? 1 : expired ? 2 : 3;
    uint32_t choice = entry & 0xffu;
    uint64_t candidates = 0;

    CHECK_EQ(w->flowlet, index, "entry");
    CHECK_EQ(w->pointer, EGRET_A_FLOWLET(index, 0), "entry");
    CHECK_EQ(w->flow_tag, w->hash >> 20, "tag");
    CHECK_EQ(w->time, t, "time");
    CHECK_EQ(w->old_entry, entry, "entry before");
    CHECK_EQ(w->old_last, last, "last before");
    CHECK_EQ(w->age, back ? 0 : d, "age");
    CHECK_EQ(w->expired, expired, "expired");
    CHECK_EQ(w->outcome, outcome, "outcome");
    CHECK_EQ(w->repair_random, w->hash >> 16, "r");
    CHECK_EQ(w->decision.data, w->members != 0 ? outcome << 30 | index : 0, "data");
    met[OUTCOME + outcome]++;
    met[BACK] += back && d != 0;
    if (w->live_count != 0 && (outcome == 1 || outcome == 2)) {
        bool by_quality = word6 >> 24 & 1u, strict = word6 >> 25 & 1u, stays;
        x = next_number(e);
        candidates = by_quality ? least(e, w->live_members) : w->live_members;
        stays = by_quality && strict && own && (candidates >> choice & 1u);
        choice = stays ? choice : pick(candidates, x >> 16);
        met[FLOW_STAYS] += stays;
        met[FLOW_MOVES] += by_quality && strict && own && !stays;
        if (!stays)
            CHECK_EQ(w->rank, (x >> 16) * ones(candidates) >> 16, "rank");
    } else {
        CHECK_EQ(w->rank, 0, "rank");
    }
    CHECK_EQ(w->random, x, "random");
    CHECK_EQ(w->candidates, candidates, "candidates");
    if (w->live_count == 0 || outcome == 3) {
        CHECK(w->new_entry == entry && w->new_last == last, "the entry stays");
    } else {
        CHECK_EQ(w->choice, choice, "choice");
        CHECK_EQ(w->new_entry, 0x80000000u | w->hash >> 20 << 16 | choice, "entry after");
        CHECK_EQ(w->new_last, t, "last after");
        CHECK_EQ(w->bucket, 0, "bucket");
    }
}

/* Members that only some schemes use. */
static void check_unused(const struct egret_why *w, bool quality, bool flowlet)
{
    CHECK(flowlet || (w->outcome == 0 && w->flowlet == 0 && w->flow_tag == 0 && w->time == 0 &&
                      w->old_last == 0 && w->new_last == 0 && w->age == 0 && !w->expired),
          "no flowlet");
    CHECK(flowlet || quality || (w->candidates == 0 && w->rank == 0), "no candidates");
    CHECK(quality || (w->sample[0] == 0 && w->sample[1] == 0 && w->band == 0), "no samples");
}

static void check_why(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    const struct egret_cfg *c = egret_config(e);
    bool has = c->schemes >> w->scheme & 1u;
    bool small = w->scheme == EGRET_SCHEME_SPRAY_QUALITY && has &&
                 ev->length < test_read(e, EGRET_A_QUALITY_SMALL);
    bool quality = w->scheme == EGRET_SCHEME_SPRAY_QUALITY && has && !small;
    bool flowlet = w->scheme == EGRET_SCHEME_FLOWLET && has;
    bool rotates = w->scheme == EGRET_SCHEME_SPRAY_RR || w->scheme == EGRET_SCHEME_DR;
    bool legal = w->scheme != EGRET_SCHEME_DR || (ev->key < c->num_keys && ev->bin < c->num_bins);

    check_group(e, ev, w);
    check_unused(w, quality, flowlet);
    met[SMALL] += small;
    if (has && rotates && legal)
        check_rotation(e, ev, w);
    else if (quality)
        check_quality(e, ev, w);
    else if (flowlet)
        check_flowlet(e, ev, w);
    else
        CHECK(w->pointer == 0 && w->old_entry == 0 && w->new_entry == 0 && w->row == 0 &&
                  w->slot == 0,
              "no pointer");
    if (has && (w->scheme == EGRET_SCHEME_ECMP || w->scheme == EGRET_SCHEME_FIXED ||
                w->scheme == EGRET_SCHEME_ENTROPY || small ||
                (flowlet && w->outcome == EGRET_FLOWLET_CONFLICT && w->live_count != 0)))
        check_bucket(e, ev, w);
    if (has && legal && w->members != 0)
        CHECK_EQ(w->repair_rank, w->repair_random * w->live_count >> 16, "k");
    CHECK_EQ(w->decision.choice, w->decision.reason > EGRET_REASON_REPAIRED ? 0xff : w->choice,
             "choice");
}

static void states(const struct egret_cfg *cfg)
{
    struct egret *e = test_create(cfg);
    unsigned seen[16] = {0};
    uint8_t flow[4][EGRET_RECORD_BYTES];
    uint64_t now = 0;

    for (unsigned round = 0; round < 6; round++) {
        fill(e, cfg);
        test_bytes(flow[0], sizeof flow);
        for (unsigned i = 0; i < 1500; i++) {
            struct egret_event ev = test_packet(test_below(cfg->num_groups + 1), 0, 0);
            struct egret_decision d;
            struct egret_why w, again;
            ev.key = (uint16_t)test_below(cfg->num_keys + 1);
            ev.bin = (uint8_t)test_below(cfg->num_bins + 1);
            ev.cls = (uint8_t)test_below(16);
            ev.entropy = test_random();
            if (test_chance(4))
                test_bytes(ev.record, EGRET_RECORD_BYTES);
            else
                memcpy(ev.record, flow[test_below(4)], EGRET_RECORD_BYTES);
            ev.length = (uint16_t)(test_chance(3) ? 499 + test_below(3) : test_below(2000));
            now += test_chance(9) ? (uint64_t)test_random() << 4 : test_below(4000);
            now -= test_chance(3) ? test_below(600) : test_chance(9) ? test_below(3u << 20) : 0;
            ev.now = now & 0xffffffffffffu;
            if (test_chance(30))
                tick(e, cfg);
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
            if (test_chance(2)) {
                d = test_decide(e, &ev);
            } else {
                size_t done = 0;
                REQUIRE(egret_apply_burst(e, &ev, 1, &d, &done) == EGRET_OK && done == 1);
            }
            CHECK(memcmp(&d, &w.decision, sizeof d) == 0, "decision");
            if (w.pointer != 0)
                CHECK_EQ(test_read(e, w.pointer), w.new_entry, "new entry");
            if (w.pointer >> 20 == 0xc)
                CHECK_EQ(test_read(e, w.pointer + 1), w.new_last, "new last");
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
    for (unsigned i = 0; i < CASES; i++)
        CHECK(met[i] > 50, "case %u: %u times", i, met[i]);
    return test_end();
}
