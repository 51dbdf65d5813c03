/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_groups.c: groups of 1 to 64 members against the documented mapping (docs/spec/ecmp.md,
 * live-repair.md) for every value of the hash, and weights. select_groups_ref.h computes what must
 * come out.
 *
 * usage: select_groups model [quick] | select_groups FOLDER CONFIG...
 *   The second form is for the RTL: FOLDER has check_CONFIG.so. All take each bucket with each of
 *   16 classes of repair bits; `model` all values of both halves of the hash, too, and the RTL for
 *   sizes of 2^n - 1 and for the largest. lookup3 cannot be steered to a value, only to a bucket
 *   and a class.
 *
 * Faults of docs/verification.md: A4, B19.
 */
#include "select_groups_test.h"

/* ---- the hash is what the test wants ---- */

/* CRC-32C of 32 bits reaches each value once: learns what each bit does, and inverts it. */
static void invert(struct test *t)
{
    uint32_t does[32];
    struct egret_event ev = test_packet(0, 0, 0);
    commit(t, 0, EGRET_SCHEME_ECMP, 1);
    t->zero = sut_decide(t->s, &ev).data;
    for (uint32_t i = 0; i < 32; i++) {
        memset(ev.record, 0, sizeof ev.record);
        ev.record[3 - i / 8] = (uint8_t)(1u << i % 8);
        does[i] = sut_decide(t->s, &ev).data ^ t->zero;
        t->turn[i] = 1u << i;
    }
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t at = bit;
        while (at < 32 && !(does[at] >> bit & 1u))
            at++;
        REQUIRE(at < 32);
        uint32_t d = does[at], v = t->turn[at];
        does[at] = does[bit];
        t->turn[at] = t->turn[bit];
        does[bit] = d;
        t->turn[bit] = v;
        for (uint32_t i = 0; i < 32; i++) {
            if (i != bit && (does[i] >> bit & 1u)) {
                does[i] ^= d;
                t->turn[i] ^= v;
            }
        }
    }
}

static void steer_open(struct test *t)
{
    struct sut *s = t->s;
    struct egret_hash_setup setup;
    if (s->cfg.hash_kind == EGRET_HASH_KIND_MATRIX) {
        sut_event(s, EGRET_EV_WRITE, EGRET_A_HASH_SEED, 0);
        for (uint32_t n = 0; n < EGRET_HASH_NIBBLES; n++)
            for (uint32_t v = 0; v < 16; v++)
                sut_event(s, EGRET_EV_WRITE, EGRET_A_MATRIX(n, v), n < 8 ? v << (28 - 4 * n) : 0);
        return;
    }
    egret_hash_setup_default(&setup);
    setup.fields = EGRET_FIELDS_ALL;
    if (s->cfg.hash_kind == EGRET_HASH_KIND_FIXED) {
        REQUIRE(egret_ctl_hash(&s->cfg, &setup, sut_emit, s, NULL) == EGRET_OK);
        invert(t);
        return;
    }
    setup.algorithm = EGRET_HASH_LOOKUP3;
    REQUIRE(egret_ctl_hash(&s->cfg, &setup, sut_emit, s, NULL) == EGRET_OK);
    t->record = calloc(CLASSES, sizeof *t->record);
    REQUIRE(t->record != NULL);
    for (uint32_t i = 1, found = 0; found < CLASSES * t->count; i++) {
        uint8_t record[EGRET_RECORD_BYTES] = {(uint8_t)(i >> 24), (uint8_t)(i >> 16),
                                              (uint8_t)(i >> 8), (uint8_t)i};
        uint32_t h = 0;
        REQUIRE(egret_hash_record(&setup, record, &h) == EGRET_OK && i < 1u << 20);
        uint32_t *cell = &t->record[h >> 28][h % t->count];
        found += *cell == 0;
        *cell = i;
    }
}

/* A packet of group 0 whose hash is h; with lookup3 its bucket and class are those of h. */
static void steer(struct test *t, uint32_t h)
{
    struct egret_event ev = test_packet(0, 0, 0);
    uint32_t word = h;
    if (t->s->cfg.hash_kind == EGRET_HASH_KIND_FIXED) {
        word = 0;
        for (uint32_t i = 0; i < 32; i++)
            word ^= (h ^ t->zero) >> i & 1u ? t->turn[i] : 0;
    } else if (t->record != NULL) {
        word = t->record[h >> 28][h % t->count];
    }
    for (unsigned i = 0; i < 4; i++)
        ev.record[i] = (uint8_t)(word >> (24 - 8 * i));
    sut_give(t->s, &ev);
}

/* ---- every size ---- */

/* Each bucket with each class of repair bits. */
static void cells(struct test *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t c = 0; c < CLASSES; c++)
            steer(t, c << 28 | (test_below(1u << 12) << 16) | i);
}

/* floor and ceil: how many of 65536 values of r give member k of n. */
static uint32_t share(uint32_t k, uint32_t n)
{
    return ((k + 1) * 65536 + n - 1) / n - (k * 65536 + n - 1) / n;
}

/* All values of h[15:0] if `low`, else of h[31:16] with a bucket that has no live port. Counts are
 * exact: bucket shares, or those of the multiplication. */
static void half(struct test *t, bool low, uint32_t bucket)
{
    struct ref *r = &t->r;
    sut_flush(t->s);
    ref_forget_counts(r);
    for (uint32_t v = 0; v < 65536; v++)
        steer(t, low ? v | test_random() << 16 : v << 16 | bucket);
    sut_flush(t->s);
    uint32_t k = 0, of = ref_count(r->live);
    for (uint32_t p = 0; p < r->cfg.num_ports; p++) {
        uint32_t buckets = 0;
        for (uint32_t i = 0; i < t->count; i++)
            buckets += r->bucket[t->b[0].base + i] == p;
        uint32_t want = low                       ? buckets * (65536 / t->count)
                        : r->live >> p & 1u ? share(k, of)
                                            : 0;
        k += (uint32_t)(r->live >> p & 1u);
        CHECK(r->by_port[p] == want, "%s, %u live: port %u has %u, not %u", r->cfg.name, of, p,
              r->by_port[p], want);
    }
    CHECK_EQ(r->by_reason[low ? EGRET_REASON_REPAIRED : EGRET_REASON_CHOSEN], 0, "reasons");
}

static void size(struct test *t, uint32_t n)
{
    struct sut *s = t->s;
    struct egret_buckets *b = &t->b[0];
    uint8_t port[64];
    uint64_t members = 0;
    bool edge = (n & (n + 1)) == 0 || n == s->cfg.num_ports;
    bool all = s->cfg.hash_kind != EGRET_HASH_KIND_LOOKUP3 &&
               (t->much == ALL || (t->much == SOME && edge));

    /* n ports, any, in any order */
    for (uint32_t i = 0; i < s->cfg.num_ports; i++)
        port[i] = (uint8_t)i;
    b->num_members = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = i + test_below(s->cfg.num_ports - i);
        uint8_t swap = port[j];
        port[j] = port[i];
        port[i] = swap;
        b->member[i] = (struct egret_member){swap, 7};
        members |= (uint64_t)1 << swap;
    }
    b->base = s->cfg.num_buckets == t->count
                  ? 0
                  : test_below(s->cfg.num_buckets / t->count) * t->count;
    REQUIRE(egret_ctl_buckets(&s->cfg, b, sut_emit, s) == EGRET_OK);
    commit(t, 0, EGRET_SCHEME_ECMP, members);
    sut_flush(s);
    /* consecutive buckets in the order given; what is left over goes to the first, one each */
    for (uint32_t i = 0, m = 0, left = 0; i < t->count; i++, left--) {
        if (left == 0)
            left = t->count / n + (m < t->count % n), m++;
        CHECK(t->r.bucket[b->base + i] == b->member[m - 1].port, "%s, %u members: bucket %u",
              s->cfg.name, n, i);
    }
    cells(t);
    if (all)
        half(t, true, 0);
    uint32_t at = test_below(t->count), dead = t->r.bucket[b->base + at];
    if (n > 1) {
        sut_event(s, EGRET_EV_PORT, dead, 0);
        cells(t);
        if (all)
            half(t, false, at);
        sut_event(s, EGRET_EV_PORT, dead, 1);
    }
    if (n < s->cfg.num_ports) { /* a bucket that names no member */
        sut_event(s, EGRET_EV_WRITE, EGRET_A_BUCKET(b->base + at), port[n]);
        for (uint32_t c = 0; c < CLASSES * 64; c++)
            steer(t, c << 22 | at);
        if (all)
            half(t, false, at);
    }
    sut_flush(s);
}

static void sizes(struct test *t)
{
    steer_open(t);
    for (uint32_t n = 1; n <= t->s->cfg.num_ports && n <= t->count; n++)
        size(t, n);
    free(t->record);
    t->record = NULL;
    printf("%s: groups of 1 to %u members, %llu packets\n", t->s->ops->name, t->s->cfg.num_ports,
           (unsigned long long)t->r.sent);
}

/* ---- weights ---- */

/* Legal weights: the documented table. Others: no write, and the old table stays. */
static void weights(struct test *t)
{
    static const uint32_t bad[] = {0, (1u << 24) + 1, 0x80000000u, UINT32_MAX};
    static const uint32_t good[] = {1, 2, 3, 22053, (1u << 24) - 1, 1u << 24};
    struct sut *s = t->s;
    struct egret_buckets *b = &t->b[0];
    uint32_t most = s->cfg.num_ports < b->count ? s->cfg.num_ports : b->count;

    for (uint32_t i = 0; i < 60; i++) {
        uint8_t own[MAX_COUNT];
        b->num_members = 1 + (i < 10 ? i % most : test_below(most));
        for (uint32_t k = 0; k < b->num_members; k++)
            b->member[k] = (struct egret_member){
                k, i % 6 < 5 ? good[test_below(6)] : 1 + test_below(1u << 24)};
        REQUIRE(egret_ctl_buckets(&s->cfg, b, sut_emit, s) == EGRET_OK);
        commit(t, 0, EGRET_SCHEME_ECMP, all_ports(t));
        packets(t, 0, 5);
        sut_flush(s);
        own_buckets(b, own);
        for (uint32_t k = 0; k < b->count; k++)
            CHECK(t->r.bucket[b->base + k] == own[k], "%s: bucket %u", s->cfg.name, k);
        for (uint32_t k = 0; k < 4; k++) {
            struct egret_buckets c = *b;
            c.member[test_below(c.num_members)].weight = bad[k];
            size_t before = s->n;
            CHECK_EQ(egret_ctl_buckets(&s->cfg, &c, sut_emit, s), EGRET_ERR_RANGE, "weight");
            CHECK_EQ(egret_ctl_schedule(&s->cfg, 0, 0, 1, c.member, c.num_members, 1, sut_emit, s,
                                        NULL),
                     EGRET_ERR_RANGE, "weight");
            CHECK_EQ(s->n, before, "nothing written");
            /* past the control side: a port that is not there */
            sut_event(s, EGRET_EV_WRITE, EGRET_A_BUCKET(b->base), s->cfg.num_ports + k);
            sut_event(s, EGRET_EV_WRITE, EGRET_A_BUCKET(b->base), bad[k] | 1u << (8 + k));
            sut_event(s, EGRET_EV_WRITE, EGRET_A_GROUP(s->cfg.num_groups, 0), 1);
            packets(t, 0, 4);
        }
        (void)sut_read(s, EGRET_A_WRITES_IGNORED);
    }
}

static void tests(struct test *t)
{
    sizes(t);
    start(t);
    random_tables(t);
    weights(t);
}

int main(int argc, char **argv)
{
    return run_all(argc, argv, tests);
}
