/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_control.c: the control side: bucket shares and what moves when members fail and return,
 * interleaved weighted round robin, what a configuration's hash unit lacks, ranges and buffers.
 *
 * Faults of docs/verification.md: B17, B19.
 */
#include "egret/control.h"
#include "select_test.h"

#define MAX_BUCKETS 1024

struct table {
    struct egret_cfg cfg;
    struct egret *e;
    struct egret_buckets b;
    uint8_t home[MAX_BUCKETS];
    uint8_t now[MAX_BUCKETS];
    uint8_t port[MAX_BUCKETS]; /* as read back */
    unsigned writes;
};

static int emit_counted(void *ctx, uint32_t addr, uint32_t data)
{
    struct table *t = ctx;
    t->writes++;
    return egret_emit_apply(t->e, addr, data);
}

static void read_back(struct table *t)
{
    for (uint32_t i = 0; i < t->b.count; i++)
        t->port[i] = (uint8_t)test_read(t->e, EGRET_A_BUCKET(t->b.base + i));
}

static struct table *table_create(uint32_t base, uint32_t count, uint32_t n, const uint32_t *weight)
{
    static struct table t;
    memset(&t, 0, sizeof t);
    t.cfg = test_cfg("lab");
    t.e = test_create(&t.cfg);
    t.b.base = base;
    t.b.count = count;
    t.b.num_members = n;
    t.b.home = t.home;
    t.b.now = t.now;
    for (uint32_t i = 0; i < n; i++) {
        t.b.member[i].port = (5 * i + 3) % 16;
        t.b.member[i].weight = weight[i];
    }
    REQUIRE(egret_ctl_buckets(&t.cfg, &t.b, emit_counted, &t) == EGRET_OK);
    CHECK_EQ(t.writes, count, "every bucket is written");
    read_back(&t);
    return &t;
}

static unsigned share(const struct table *t, uint32_t member)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < t->b.count; i++)
        n += t->port[i] == t->b.member[member].port;
    return n;
}

static void bucket_shares(void)
{
    static const uint32_t equal[3] = {7, 7, 7};
    struct table *t = table_create(64, 64, 3, equal);
    CHECK_EQ(share(t, 0), 22, "64 over 3: the remainder to the first");
    CHECK_EQ(share(t, 1), 21, "64 over 3");
    CHECK_EQ(share(t, 2), 21, "64 over 3");
    egret_destroy(t->e);

    static const uint32_t weighted[4] = {5, 1, 1, 9};
    t = table_create(0, 16, 4, weighted);
    CHECK_EQ(share(t, 0), 5, "exact shares");
    CHECK_EQ(share(t, 1), 1, "exact shares");
    CHECK_EQ(share(t, 2), 1, "exact shares");
    CHECK_EQ(share(t, 3), 9, "exact shares");
    egret_destroy(t->e);

    for (unsigned trial = 0; trial < 50; trial++) {
        uint32_t weight[16], n = 1 + test_below(16), sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += weight[i] = 1 + test_below(100);
        t = table_create(0, MAX_BUCKETS, n, weight);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t exact = MAX_BUCKETS * weight[i];
            CHECK(share(t, i) >= exact / sum && share(t, i) <= exact / sum + 1,
                  "share %u of weight %u in %u", share(t, i), weight[i], sum);
        }
        egret_destroy(t->e);
    }
}

/* Random failures and returns: only what must move moves, and all come home in the end. */
static void resilience(void)
{
    for (unsigned trial = 0; trial < 30; trial++) {
        uint32_t weight[16], n = 2 + test_below(15);
        uint8_t before[MAX_BUCKETS], home[MAX_BUCKETS];
        bool live[16];
        for (uint32_t i = 0; i < n; i++) {
            weight[i] = trial % 2 ? 1 : 1 + test_below(9);
            live[i] = true;
        }
        struct table *t = table_create(256, 256, n, weight);
        memcpy(home, t->port, sizeof home);
        for (unsigned step = 0; step < 40; step++) {
            uint32_t m = test_below(n), alive = 0;
            bool down = live[m] && !test_chance(4);
            memcpy(before, t->port, sizeof before);
            t->writes = 0;
            live[m] = !down;
            for (uint32_t i = 0; i < n; i++)
                alive += live[i];
            CHECK_EQ((down ? egret_ctl_member_lost : egret_ctl_member_back)(
                         &t->cfg, &t->b, t->b.member[m].port, emit_counted, t),
                     EGRET_OK, "change");
            read_back(t);
            unsigned moved = 0;
            for (uint32_t i = 0; i < t->b.count; i++) {
                moved += t->port[i] != before[i];
                for (uint32_t k = 0; k < n; k++) {
                    bool was = before[i] == t->b.member[k].port;
                    bool its_home = home[i] == t->b.member[k].port;
                    CHECK(!was || live[k] || alive == 0 || t->port[i] != before[i],
                          "a bucket stays with a failed member");
                    CHECK(!was || !live[k] || t->port[i] == before[i] ||
                              (!down && home[i] == t->b.member[m].port),
                          "a live member's bucket moved");
                    CHECK(!its_home || !live[k] || t->port[i] == home[i], "not at home");
                }
            }
            CHECK_EQ(t->writes, moved, "only what moves is written");
        }
        for (uint32_t i = 0; i < n; i++)
            REQUIRE(!egret_ctl_member_back(&t->cfg, &t->b, t->b.member[i].port, emit_counted, t));
        read_back(t);
        CHECK(memcmp(home, t->port, t->b.count) == 0, "all back: as it was");
        t->writes = 0;
        REQUIRE(egret_ctl_member_back(&t->cfg, &t->b, t->b.member[0].port, emit_counted, t) == 0);
        CHECK_EQ(t->writes, 0, "a member that is there comes back: nothing");
        CHECK_EQ(egret_ctl_member_lost(&t->cfg, &t->b, 77, emit_counted, t), EGRET_ERR_RANGE,
                 "no member");
        egret_destroy(t->e);
    }
}

/* Equal members: the failed one's buckets spread evenly. */
static void spread_of_lost(void)
{
    uint32_t weight[16];
    for (unsigned i = 0; i < 16; i++)
        weight[i] = 1;
    struct table *t = table_create(0, 1024, 16, weight);
    REQUIRE(egret_ctl_member_lost(&t->cfg, &t->b, t->b.member[4].port, emit_counted, t) == 0);
    read_back(t);
    CHECK_EQ(share(t, 4), 0, "lost");
    for (uint32_t i = 0; i < 16; i++)
        CHECK(i == 4 || share(t, i) == 68 || share(t, i) == 69, "member %u: %u", i, share(t, i));
    egret_destroy(t->e);
}

static void round_robin(void)
{
    /* The Ofan paper's example: P4 is the light port. */
    static const struct egret_member paper[4] = {{3, 1600}, {2, 1600}, {4, 800}, {1, 1600}};
    static const uint8_t want[7] = {3, 2, 4, 1, 3, 2, 1};
    struct egret_member member[EGRET_MAX_PORTS];
    uint8_t slot[300];
    size_t len = 0;

    CHECK_EQ(egret_iwrr(paper, 4, slot, 7, &len), EGRET_OK, "paper");
    CHECK_EQ(len, 7, "paper");
    CHECK(memcmp(slot, want, 7) == 0, "P3,P2,P4,P1,P3,P2,P1");
    CHECK_EQ(egret_iwrr(paper, 4, slot, 6, &len), EGRET_ERR_RANGE, "sum of weights over gcd");
    for (unsigned trial = 0; trial < 200; trial++) {
        uint32_t n = 1 + test_below(16), scale = 1 + test_below(1000), sum = 0;
        unsigned count[16] = {0};
        for (uint32_t i = 0; i < n; i++) {
            member[i].port = i;
            member[i].weight = 1 + test_below(15);
        }
        member[test_below(n)].weight = 1; /* the gcd is 1 before scaling */
        for (uint32_t i = 0; i < n; i++) {
            sum += member[i].weight;
            member[i].weight *= scale;
        }
        egret_shuffle(member, n, trial, 3);
        CHECK_EQ(egret_iwrr(member, n, slot, sizeof slot, &len), EGRET_OK, "iwrr");
        CHECK_EQ(len, sum, "length");
        for (size_t i = 0; i < len; i++)
            count[slot[i] & 15]++;
        for (uint32_t i = 0; i < n; i++)
            CHECK_EQ(count[member[i].port] * scale, member[i].weight, "exact weight");
        for (uint32_t i = 0; i < n; i++)
            CHECK_EQ(slot[i], member[i].port, "the first round is the order itself");
    }
    CHECK_EQ(egret_iwrr(member, 0, slot, sizeof slot, &len), EGRET_ERR_RANGE, "no member");
    static const struct egret_member twice[3] = {{63, 2}, {0, 1}, {63, 1}};
    len = 99;
    CHECK_EQ(egret_iwrr(twice, 3, slot, sizeof slot, &len), EGRET_ERR_RANGE, "a port twice");
    CHECK_EQ(len, 99, "untouched");
    CHECK_EQ(egret_iwrr(twice, 2, slot, sizeof slot, &len), EGRET_OK, "once");
}

static void shuffles(void)
{
    struct egret_member a[16], b[16];
    unsigned first[16] = {0};

    for (uint32_t row = 0; row < 8000; row++) {
        uint32_t ports = 0;
        for (uint32_t i = 0; i < 16; i++) {
            a[i].port = b[i].port = i;
            a[i].weight = b[i].weight = i + 1;
        }
        egret_shuffle(a, 16, 42, row);
        egret_shuffle(b, 16, 42, row);
        CHECK(memcmp(a, b, sizeof a) == 0, "seed and row decide");
        for (uint32_t i = 0; i < 16; i++) {
            ports |= 1u << a[i].port;
            CHECK_EQ(a[i].weight, a[i].port + 1, "weights stay with ports");
        }
        CHECK_EQ(ports, 0xffff, "a permutation");
        first[a[0].port & 15]++;
    }
    for (unsigned i = 0; i < 16; i++)
        CHECK(first[i] > 380 && first[i] < 620, "port %u first %u times of 8000", i, first[i]);
}

static void schedule_ranges(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret_write write[128];
    struct egret_write_buffer buffer = {write, 128, 0};
    struct egret_member m[4] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}};
    uint32_t last = 99;

    CHECK_EQ(egret_ctl_schedule(&cfg, 1, 2, 4, m, 4, 7, egret_emit_buffer, &buffer, &last), 0,
             "ok");
    CHECK_EQ(buffer.count, 16, "writes");
    CHECK_EQ(last, 3, "last");
    for (size_t i = 0; i < 16; i++)
        CHECK_EQ(write[i].addr, EGRET_A_SCHEDULE(1, 2 + i / 4, i % 4), "address");
    m[3].weight = 6;
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 4, 7, egret_emit_buffer, &buffer, &last),
             EGRET_ERR_RANGE, "sum 9 beyond ROW_LEN 8");
    CHECK_EQ(buffer.count, 16, "nothing emitted");
    m[3].weight = 5;
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 4, 7, egret_emit_buffer, &buffer, &last), 0, "8");
    CHECK_EQ(last, 7, "last");
    m[3].port = 4;
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 4, 7, egret_emit_buffer, &buffer, &last),
             EGRET_ERR_RANGE, "port");
    m[3].port = 1;
    buffer.count = 0;
    last = 99;
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 4, 7, egret_emit_buffer, &buffer, &last),
             EGRET_ERR_RANGE, "a port twice");
    CHECK_EQ(buffer.count, 0, "nothing emitted");
    CHECK_EQ(last, 99, "untouched");
    m[3].port = 3;
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 5, 4, m, 4, 7, egret_emit_buffer, &buffer, &last),
             EGRET_ERR_RANGE, "rows");
    CHECK_EQ(egret_ctl_schedule(&cfg, 2, 0, 1, m, 4, 7, egret_emit_buffer, &buffer, &last),
             EGRET_ERR_RANGE, "bank");
    buffer.capacity = buffer.count + 5;
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 4, 7, egret_emit_buffer, &buffer, &last),
             EGRET_ERR_RANGE, "a full buffer stops the builder");
}

static void hash_refusals(void)
{
    static const struct {
        const char *config;
        uint32_t algorithm, layout, rotation;
        const char *refused; /* null: accepted */
    } row[] = {
        {"tiny", EGRET_HASH_CRC16, EGRET_LAYOUT_RECORD, 31, NULL},
        {"tiny", EGRET_HASH_CRC32C, EGRET_LAYOUT_RECORD, 0, NULL},
        {"tiny", EGRET_HASH_CRC32, EGRET_LAYOUT_RECORD, 0, "algorithm"},
        {"tiny", EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RECORD, 0, "algorithm"},
        {"tiny", EGRET_HASH_CRC32C, EGRET_LAYOUT_IPV4_5TUPLE, 0, "layout"},
        {"tiny", EGRET_HASH_CRC32C, EGRET_LAYOUT_RECORD, 32, "rotation"},
        {"lab", EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RECORD, 0, "algorithm"},
        {"lab", EGRET_HASH_MATRIX, EGRET_LAYOUT_RECORD, 0, "algorithm"},
        {"lab", EGRET_HASH_TOEPLITZ, EGRET_LAYOUT_RSS_IPV6, 3, NULL},
        {"lab", EGRET_HASH_TOEPLITZ, 6, 3, "layout"},
        {"lab_lookup3", EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RECORD, 16, NULL},
        {"lab_lookup3", EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4, 16, "layout"},
        {"lab_lookup3", EGRET_HASH_CRC32C, EGRET_LAYOUT_RECORD, 0, "algorithm"},
    };
    static struct egret_write write[1400];

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_cfg cfg = test_cfg(row[i].config);
        struct egret_write_buffer buffer = {write, 1400, 0};
        struct egret_hash_setup s;
        const char *param = NULL;
        egret_hash_setup_default(&s);
        s.algorithm = row[i].algorithm;
        s.layout = row[i].layout;
        s.rotation = row[i].rotation;
        int err = egret_ctl_hash(&cfg, &s, egret_emit_buffer, &buffer, &param);
        CHECK_EQ(err, row[i].refused == NULL ? EGRET_OK : EGRET_ERR_RANGE, row[i].config);
        if (row[i].refused != NULL) {
            CHECK(param != NULL && strcmp(param, row[i].refused) == 0, "row %zu: %s", i,
                  param != NULL ? param : "null");
            CHECK_EQ(buffer.count, 0, "nothing emitted");
        } else {
            CHECK_EQ(buffer.count, cfg.hash_kind == EGRET_HASH_KIND_MATRIX ? 1313 : 4, "writes");
        }
        for (size_t k = 0; k < buffer.count; k++)
            CHECK_EQ(egret_ctl_check_write(&cfg, write[k].addr, write[k].data, NULL), 0, "legal");
    }
}

static void group_ranges(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret_write write[16];
    struct egret_group good, g;
    memset(&good, 0, sizeof good);
    good.scheme = 3, good.bank = 1, good.wraps = 5, good.last = 7, good.row_base = 7;
    good.row_mask = 7, good.bucket_base = 63, good.bucket_mask = 63, good.members = 0xf;

    for (unsigned i = 0; i < 11; i++) {
        struct egret_write_buffer buffer = {write, 16, 0};
        g = good;
        g.scheme += i == 1 ? 13 : 0;
        g.bank += i == 2;
        g.wraps += i == 3 ? 11 : 0;
        g.last += i == 4;
        g.row_base += i == 5;
        g.row_mask = i == 6 ? 5 : i == 7 ? 15 : g.row_mask;
        g.bucket_base += i == 8;
        g.bucket_mask = i == 9 ? 6 : g.bucket_mask;
        g.members = i == 10 ? 0x10 : g.members;
        int err = egret_ctl_group(&cfg, 3, &g, egret_emit_buffer, &buffer);
        CHECK_EQ(err, i == 0 ? EGRET_OK : EGRET_ERR_RANGE, "group range");
        CHECK_EQ(buffer.count, i == 0 ? 5 : 0, "writes");
    }
    struct egret_write_buffer buffer = {write, 16, 0};
    CHECK_EQ(egret_ctl_group(&cfg, 4, &good, egret_emit_buffer, &buffer), EGRET_ERR_RANGE, "group");
    CHECK_EQ(egret_ctl_pointer(&cfg, 3, 15, 1, 1, 2, 7, egret_emit_buffer, &buffer), 0, "pointer");
    CHECK_EQ(write[0].addr, EGRET_A_POINTER_DR(15, 1), "pointer");
    CHECK_EQ(write[0].data, 0x00100207, "pointer");
    CHECK_EQ(egret_ctl_pointer(&cfg, 3, 16, 1, 0, 0, 0, egret_emit_buffer, &buffer),
             EGRET_ERR_RANGE, "key");
    CHECK_EQ(egret_ctl_pointer(&cfg, 2, 3, 0, 0, 0, 8, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "offset");
    CHECK_EQ(egret_ctl_pointer(&cfg, 2, 3, 0, 0, 0, 0, egret_emit_buffer, &buffer), 0, "rr");
    CHECK_EQ(write[1].addr, EGRET_A_POINTER_RR(3), "rr");
    CHECK_EQ(egret_ctl_pointer(&cfg, 1, 0, 0, 0, 0, 0, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "ecmp has no pointer");
}

int main(void)
{
    bucket_shares();
    resilience();
    spread_of_lost();
    round_robin();
    shuffles();
    schedule_ranges();
    hash_refusals();
    group_ranges();
    return test_end();
}
