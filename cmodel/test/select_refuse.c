/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_refuse.c: what the control side refuses: null arguments, a caller that takes no further
 * write, and one value at a time beyond its range; nothing is written then.
 */
#include "egret/control.h"
#include "select_test.h"

/* Every builder, by number; false beyond the last. `cfg` and `emit` may be null. */
static bool build(unsigned which, const struct egret_cfg *cfg, egret_emit_fn emit, void *ctx,
                  int *err)
{
    static const struct egret_member m[2] = {{0, 1}, {1, 2}};
    static const uint8_t slot[3] = {0, 1, 1};
    static const struct egret_group g = {.scheme = EGRET_SCHEME_DR};
    uint8_t home[4] = {0}, now[4] = {0};
    struct egret_buckets b = {.count = 4,
                              .num_members = 2,
                              .member = {{0, 1}, {1, 1}},
                              .live = 3,
                              .home = home,
                              .now = now};
    struct egret_hash_setup s;

    egret_hash_setup_default(&s);
    if (cfg != NULL && cfg->hash_kind == EGRET_HASH_KIND_LOOKUP3)
        s.algorithm = EGRET_HASH_LOOKUP3;
    switch (which) {
    case 0:
        *err = egret_ctl_hash(cfg, &s, emit, ctx, NULL);
        return true;
    case 1:
        *err = egret_ctl_hash_seed(cfg, &s, emit, ctx, NULL);
        return true;
    case 2:
        *err = egret_ctl_group(cfg, 0, &g, emit, ctx);
        return true;
    case 3:
        *err = egret_ctl_draw_seed(cfg, 1, emit, ctx);
        return true;
    case 4:
        *err = egret_ctl_class_ordered(cfg, 1, emit, ctx);
        return true;
    case 5:
        *err = egret_ctl_random_seed(cfg, 1, emit, ctx);
        return true;
    case 6:
        *err = egret_ctl_pointer(cfg, EGRET_SCHEME_DR, 0, 0, 0, 0, 0, emit, ctx);
        return true;
    case 7:
        *err = egret_ctl_buckets(cfg, &b, emit, ctx);
        return true;
    case 8:
        *err = egret_ctl_member_lost(cfg, &b, 0, emit, ctx);
        return true;
    case 9:
        b.live = 1;
        memset(home, 1, 2);
        *err = egret_ctl_member_back(cfg, &b, 1, emit, ctx);
        return true;
    case 10:
        *err = egret_ctl_row(cfg, 0, 0, slot, 3, emit, ctx);
        return true;
    case 11:
        *err = egret_ctl_schedule(cfg, 0, 0, 2, m, 2, 7, emit, ctx, NULL);
        return true;
    default:
        return false;
    }
}

struct refuser {
    unsigned taken, limit;
};

static int emit_refuse(void *ctx, uint32_t addr, uint32_t data)
{
    struct refuser *r = ctx;
    (void)addr, (void)data;
    if (r->taken == r->limit)
        return EGRET_ERR_MEMORY;
    r->taken++;
    return EGRET_OK;
}

/* A builder ends with the first write that is not taken, whichever it is, and with its error. */
static void refused_writes(void)
{
    static const char *const config[] = {"lab", "tor64", "lab_lookup3"};

    for (unsigned c = 0; c < 3; c++) {
        struct egret_cfg cfg = test_cfg(config[c]);
        int err = EGRET_OK;
        for (unsigned which = 0; build(which, &cfg, NULL, NULL, &err); which++) {
            struct refuser r = {0, ~0u};
            CHECK_EQ(err, EGRET_ERR_NULL, "nobody to write to");
            CHECK(build(which, NULL, emit_refuse, &r, &err) && err == EGRET_ERR_NULL, "no cfg");
            CHECK_EQ(r.taken, 0, "nothing written");
            CHECK(build(which, &cfg, emit_refuse, &r, &err) && err == EGRET_OK, "builder %u",
                  which);
            CHECK(r.taken > 0, "builder %u writes nothing", which);
            for (unsigned limit = 0, all = r.taken; limit < all; limit++) {
                r = (struct refuser){0, limit};
                (void)build(which, &cfg, emit_refuse, &r, &err);
                CHECK_EQ(err, EGRET_ERR_MEMORY, "the caller's error");
                CHECK_EQ(r.taken, limit, "no write behind it");
            }
        }
    }
}

static void null_arguments(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    struct egret_write write[8];
    struct egret_write_buffer buffer = {write, 8, 0};
    struct egret_member m = {0, 1};
    uint8_t home[4] = {0}, now[4] = {0}, slot[4] = {0};
    struct egret_buckets b = {.count = 4, .num_members = 1, .member = {{0, 1}}, .now = now};
    size_t len = 99;

    CHECK_EQ(egret_ctl_hash(&cfg, NULL, egret_emit_buffer, &buffer, NULL), EGRET_ERR_NULL, "hash");
    CHECK_EQ(egret_ctl_hash_seed(&cfg, NULL, egret_emit_buffer, &buffer, NULL), EGRET_ERR_NULL,
             "hash seed");
    CHECK_EQ(egret_ctl_group(&cfg, 0, NULL, egret_emit_buffer, &buffer), EGRET_ERR_NULL, "group");
    CHECK_EQ(egret_ctl_buckets(&cfg, NULL, egret_emit_buffer, &buffer), EGRET_ERR_NULL, "buckets");
    CHECK_EQ(egret_ctl_buckets(&cfg, &b, egret_emit_buffer, &buffer), EGRET_ERR_NULL, "home");
    b.home = home, b.now = NULL;
    CHECK_EQ(egret_ctl_buckets(&cfg, &b, egret_emit_buffer, &buffer), EGRET_ERR_NULL, "now");
    CHECK_EQ(egret_ctl_row(&cfg, 0, 0, NULL, 1, egret_emit_buffer, &buffer), EGRET_ERR_NULL, "row");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, NULL, 1, 7, egret_emit_buffer, &buffer, NULL),
             EGRET_ERR_NULL, "members");
    CHECK_EQ(egret_iwrr(NULL, 1, slot, 4, &len), EGRET_ERR_NULL, "members");
    CHECK_EQ(egret_iwrr(&m, 1, NULL, 4, &len), EGRET_ERR_NULL, "slots");
    CHECK_EQ(egret_iwrr(&m, 1, slot, 4, NULL), EGRET_ERR_NULL, "length");
    CHECK_EQ(egret_ctl_check_write(NULL, 0, 0, NULL), EGRET_ERR_NULL, "check");
    CHECK(buffer.count == 0 && len == 99, "nothing written");
}

/* One value at a time beyond its range: refused, nothing written. */
static void bucket_and_row_ranges(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret_write write[128];
    struct egret_write_buffer buffer = {write, 128, 0};
    uint8_t home[64], now[64], slot[8] = {0, 1, 2, 3, 0, 1, 2, 3};
    const struct egret_buckets good = {.base = 32,
                                       .count = 4,
                                       .num_members = 2,
                                       .member = {{3, 1}, {1, 1u << 24}},
                                       .home = home,
                                       .now = now};

    for (unsigned i = 0; i < 13; i++) {
        struct egret_buckets b = good;
        b.count = i == 1 ? 0 : i == 2 ? 3 : i == 3 ? 128 : i == 4 ? 64 : b.count;
        b.base = i == 5 ? 61 : i == 3 ? 0 : b.base;
        b.num_members = i == 6 ? 0 : i == 7 ? 5 : i == 8 ? EGRET_MAX_PORTS + 1 : b.num_members;
        b.member[0].port = i == 9 ? 4 : i == 10 ? 1 : b.member[0].port;
        b.member[1].weight = i == 11 ? 0 : i == 12 ? (1u << 24) + 1 : b.member[1].weight;
        buffer.count = 0;
        CHECK_EQ(egret_ctl_buckets(&cfg, &b, egret_emit_buffer, &buffer),
                 i == 0 ? EGRET_OK : EGRET_ERR_RANGE, "bucket range");
        CHECK_EQ(buffer.count, i == 0 ? 4 : 0, "writes");
        CHECK_EQ(egret_ctl_member_lost(&cfg, &b, 3, egret_emit_buffer, &buffer),
                 i == 0 ? EGRET_OK : EGRET_ERR_RANGE, "bucket range");
    }
    buffer.count = 0;
    CHECK_EQ(egret_ctl_row(&cfg, 2, 0, slot, 8, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "bank");
    CHECK_EQ(egret_ctl_row(&cfg, 1, 8, slot, 8, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "row");
    CHECK_EQ(egret_ctl_row(&cfg, 1, 7, slot, 0, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "len");
    CHECK_EQ(egret_ctl_row(&cfg, 1, 7, slot, 9, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "len");
    slot[7] = 4;
    CHECK_EQ(egret_ctl_row(&cfg, 1, 7, slot, 8, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "port");
    CHECK_EQ(buffer.count, 0, "nothing written");
    slot[7] = 3;
    CHECK_EQ(egret_ctl_row(&cfg, 1, 7, slot, 8, egret_emit_buffer, &buffer), EGRET_OK, "row");
    CHECK_EQ(buffer.count, 8, "writes");
}

static void other_ranges(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret_write write[8];
    struct egret_write_buffer buffer = {write, 8, 0};
    struct egret_member m[2] = {{0, 1}, {1, 1}};
    struct egret_hash_setup s;
    uint8_t slot[8];
    size_t len = 99;

    for (unsigned i = 0; i < 6; i++) {
        struct egret_group g = {.scheme = EGRET_SCHEME_ENTROPY};
        g.ordered = i == 1 ? 16 : 0;
        g.entropy_offset = i == 2 ? 1 : 0; /* tiny has no entropy */
        g.scheme = i == 3 ? 16 : g.scheme;
        g.bucket_mask = i == 4 ? 64 : 0;
        g.row_mask = i == 5 ? 8 : 0;
        buffer.count = 0;
        CHECK_EQ(egret_ctl_group(&cfg, 0, &g, egret_emit_buffer, &buffer),
                 i == 0 ? EGRET_OK : EGRET_ERR_RANGE, "group range");
    }
    CHECK_EQ(egret_ctl_pointer(&cfg, 3, 0, 0, 0x1000, 0, 0, egret_emit_buffer, &buffer),
             EGRET_ERR_RANGE, "epoch");
    CHECK_EQ(egret_ctl_pointer(&cfg, 3, 0, 0, 0, 0x1000, 0, egret_emit_buffer, &buffer),
             EGRET_ERR_RANGE, "wraps");
    CHECK_EQ(egret_ctl_pointer(&cfg, 3, 0, 2, 0, 0, 0, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "bin");
    CHECK_EQ(egret_ctl_pointer(&cfg, 2, 4, 0, 0, 0, 0, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "group");
    CHECK_EQ(egret_ctl_class_ordered(&cfg, 0x10000, egret_emit_buffer, &buffer), EGRET_ERR_RANGE,
             "classes");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 0, m, 2, 7, egret_emit_buffer, &buffer, NULL),
             EGRET_ERR_RANGE, "no row");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 9, m, 2, 7, egret_emit_buffer, &buffer, NULL),
             EGRET_ERR_RANGE, "nine rows");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 0, 7, egret_emit_buffer, &buffer, NULL),
             EGRET_ERR_RANGE, "no member");
    CHECK_EQ(egret_ctl_schedule(&cfg, 0, 0, 1, m, 65, 7, egret_emit_buffer, &buffer, NULL),
             EGRET_ERR_RANGE, "65 members");
    egret_hash_setup_default(&s);
    s.algorithm = EGRET_HASH_CRC32;
    CHECK_EQ(egret_ctl_hash_seed(&cfg, &s, egret_emit_buffer, &buffer, NULL), EGRET_ERR_RANGE,
             "an algorithm that tiny lacks");
    CHECK_EQ(egret_ctl_check_write(&cfg, EGRET_A_TYPE, 0, NULL), EGRET_ERR_RANGE, "read-only");
    CHECK_EQ(egret_iwrr(m, 65, slot, 8, &len), EGRET_ERR_RANGE, "65 members");
    m[1].port = EGRET_MAX_PORTS;
    CHECK_EQ(egret_iwrr(m, 2, slot, 8, &len), EGRET_ERR_RANGE, "port 64");
    m[1].port = 1, m[1].weight = 0;
    CHECK_EQ(egret_iwrr(m, 2, slot, 8, &len), EGRET_ERR_RANGE, "weight 0");
    m[1].weight = (1u << 24) + 1;
    CHECK_EQ(egret_iwrr(m, 2, slot, 8, &len), EGRET_ERR_RANGE, "weight beyond 2^24");
    CHECK(len == 99 && buffer.count == 0, "nothing written");
}

int main(void)
{
    refused_writes();
    null_arguments();
    bucket_and_row_ranges();
    other_ranges();
    return test_end();
}
