/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_refusals.c: null where a pointer must not be, in every function; callbacks that fail at
 * any write; one value at a time beyond its range; memory that runs out. The exact code comes back,
 * and outputs stay untouched.
 */
#include <sys/resource.h>

#include "egret/classmap.h"
#include "egret/selector.h"
#include "egret/timing.h"
#include "select_odd.h"

#define NULL_ARG(call) CHECK_EQ(call, EGRET_ERR_NULL, "null argument")

static void null_model(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_decision d;
    struct egret_why why;
    size_t done = 99;
    unsigned scheme = 99;
    uint32_t addr = 99;

    NULL_ARG(egret_cfg_named(NULL, &cfg));
    NULL_ARG(egret_cfg_named("tiny", NULL));
    NULL_ARG(egret_cfg_check(NULL, NULL));
    NULL_ARG(egret_create(NULL, &e));
    NULL_ARG(egret_create(&cfg, NULL));
    NULL_ARG(egret_reset(NULL));
    NULL_ARG(egret_apply(NULL, &ev, &d));
    NULL_ARG(egret_apply(e, NULL, &d));
    NULL_ARG(egret_apply(e, &ev, NULL));
    NULL_ARG(egret_apply_burst(NULL, &ev, 1, &d, &done));
    NULL_ARG(egret_apply_burst(NULL, NULL, 0, NULL, &done));
    NULL_ARG(egret_apply_burst(e, NULL, 1, &d, &done));
    NULL_ARG(egret_apply_burst(e, &ev, 1, NULL, &done));
    CHECK_EQ(done, 99, "untouched");
    CHECK_EQ(egret_apply_burst(e, &ev, 1, &d, NULL), EGRET_OK, "done may be null");
    NULL_ARG(egret_explain(NULL, &ev, &why));
    NULL_ARG(egret_explain(e, NULL, &why));
    NULL_ARG(egret_explain(e, &ev, NULL));
    NULL_ARG(egret_scheme_by_name(NULL, &scheme));
    NULL_ARG(egret_scheme_by_name("dr", NULL));
    CHECK_EQ(scheme, 99, "untouched");
    NULL_ARG(egret_state_address(NULL, 0, &addr));
    NULL_ARG(egret_state_address(&cfg, 0, NULL));
    CHECK_EQ(egret_state_count(NULL), 0, "no configuration");
    CHECK(egret_config(NULL) == NULL, "no configuration");
    NULL_ARG(egret_model_selector()->create(&cfg, NULL));
    NULL_ARG(egret_classmap_check(NULL, 2, NULL));
    egret_destroy(NULL);
    egret_destroy(e);
    cfg.num_ports = 0;
    CHECK_EQ(egret_state_count(&cfg), 0, "bad configuration");
    CHECK_EQ(egret_state_address(&cfg, 0, &addr), EGRET_ERR_CONFIG, "bad configuration");
    CHECK_EQ(addr, 99, "untouched");
}

static void null_hash(void)
{
    static uint32_t matrix[EGRET_HASH_NIBBLES][16];
    struct egret_hash_setup s;
    uint8_t record[EGRET_RECORD_BYTES] = {0};
    uint32_t out = 99;

    egret_hash_setup_default(&s);
    NULL_ARG(egret_hash_setup_check(NULL, NULL));
    NULL_ARG(egret_hash_record(NULL, record, &out));
    NULL_ARG(egret_hash_record(&s, NULL, &out));
    NULL_ARG(egret_hash_record(&s, record, NULL));
    NULL_ARG(egret_hash_matrix_build(NULL, matrix, &out));
    NULL_ARG(egret_hash_matrix_build(&s, NULL, &out));
    NULL_ARG(egret_hash_matrix_build(&s, matrix, NULL));
    NULL_ARG(egret_hash_algorithm_by_name(NULL, &out));
    NULL_ARG(egret_hash_algorithm_by_name("crc32", NULL));
    NULL_ARG(egret_hash_layout_by_name(NULL, &out));
    NULL_ARG(egret_hash_layout_by_name("record", NULL));
    NULL_ARG(egret_hash_field_by_name(NULL, &out));
    NULL_ARG(egret_hash_field_by_name("SRC_IP", NULL));
    CHECK_EQ(egret_hash_algorithm_by_name("crc33", &out), EGRET_ERR_RANGE, "unknown name");
    CHECK_EQ(egret_hash_layout_by_name("packet", &out), EGRET_ERR_RANGE, "unknown name");
    CHECK_EQ(egret_hash_field_by_name("SRC_MAC", &out), EGRET_ERR_RANGE, "unknown name");
    CHECK_EQ(out, 99, "untouched");
}

static void null_timing(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret_timing *t = NULL;
    struct egret_timing_in in;
    struct egret_timing_out out;
    struct egret_ideal d;

    memset(&in, 0, sizeof in);
    NULL_ARG(egret_timing_create(NULL, &t));
    NULL_ARG(egret_timing_create(&cfg, NULL));
    CHECK(t == NULL, "untouched");
    REQUIRE(egret_timing_create(&cfg, &t) == EGRET_OK);
    NULL_ARG(egret_timing_reset(NULL));
    NULL_ARG(egret_timing_step(NULL, &in, &out));
    NULL_ARG(egret_timing_step(t, NULL, &out));
    NULL_ARG(egret_timing_step(t, &in, NULL));
    NULL_ARG(egret_ideal_init(NULL, &cfg));
    NULL_ARG(egret_ideal_init(&d, NULL));
    NULL_ARG(egret_ideal_next(NULL, EGRET_EV_PACKET, NULL, NULL));
    in.req_valid = true;
    in.req_kind = EGRET_EV_PORT;
    CHECK_EQ(egret_timing_step(t, &in, &out), EGRET_ERR_EVENT, "no request");
    in.req_valid = false;
    REQUIRE(egret_timing_step(t, &in, &out) == EGRET_OK);
    CHECK_EQ(out.clock, 0, "a refused step is no clock");
    egret_timing_destroy(t);
    egret_timing_destroy(NULL);
    t = NULL;
    cfg.num_ports = 65;
    CHECK_EQ(egret_timing_create(&cfg, &t), EGRET_ERR_CONFIG, "bad configuration");
    CHECK_EQ(egret_ideal_init(&d, &cfg), EGRET_ERR_CONFIG, "bad configuration");
    CHECK(t == NULL, "untouched");
}

/* What a builder is given besides configuration and callback; those: failing_callbacks(). */
static void null_control(void)
{
    struct egret_cfg cfg = odd_cfg();
    struct egret_hash_setup s;
    struct egret_group g = {.members = 1};
    struct egret_load load;
    struct sink sink = {2000, 0};
    static const struct egret_member member[2] = {{0, 1}, {1, 1}};
    static const uint32_t percent[1] = {10};
    uint8_t home[4] = {0}, now[4] = {0}, slot[64] = {0};
    size_t len = 99;

    memset(&load, 0, sizeof load);
    egret_hash_setup_default(&s);
    NULL_ARG(egret_ctl_check_write(NULL, EGRET_A_HASH_SEED, 0, NULL));
    NULL_ARG(egret_ctl_hash(&cfg, NULL, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_hash_seed(&cfg, NULL, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_group(&cfg, 0, NULL, emit_sink, &sink));
    NULL_ARG(egret_ctl_flowlet(NULL, &g, 0, 1, 0, NULL));
    NULL_ARG(egret_ctl_flowlet(&cfg, NULL, 0, 1, 0, NULL));
    NULL_ARG(egret_load_preset(NULL, &load));
    NULL_ARG(egret_load_preset("sai", NULL));
    NULL_ARG(egret_load_weights(NULL, 1, 1));
    NULL_ARG(egret_load_percent(NULL, percent, 1, false));
    NULL_ARG(egret_load_percent(&load, NULL, 1, false));
    NULL_ARG(egret_load_mbps(NULL, percent, 1, 1000000000u));
    NULL_ARG(egret_load_mbps(&load, NULL, 1, 1000000000u));
    NULL_ARG(egret_load_full_bytes(1000000000u, 1000, 0, NULL, NULL));
    CHECK_EQ(egret_load_percent(&load, NULL, 0, false), EGRET_OK, "no percentage");
    CHECK_EQ(egret_load_mbps(&load, NULL, 0, 1000000000u), EGRET_OK, "no rate");
    NULL_ARG(egret_ctl_load(&cfg, NULL, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_port_load(&cfg, 0, 1, 1, NULL, emit_sink, &sink, NULL));
    NULL_ARG(egret_iwrr(NULL, 2, slot, sizeof slot, &len));
    NULL_ARG(egret_iwrr(member, 2, NULL, sizeof slot, &len));
    NULL_ARG(egret_iwrr(member, 2, slot, sizeof slot, NULL));
    NULL_ARG(egret_ctl_row(&cfg, 0, 0, NULL, 1, emit_sink, &sink));
    NULL_ARG(egret_ctl_schedule(&cfg, 0, 0, 1, NULL, 2, 7, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_buckets(&cfg, NULL, emit_sink, &sink));
    NULL_ARG(egret_ctl_member_lost(&cfg, NULL, 1, emit_sink, &sink));
    NULL_ARG(egret_ctl_member_back(&cfg, NULL, 1, emit_sink, &sink));
    for (unsigned i = 0; i < 2; i++) {
        struct egret_buckets b = {.count = 2, .num_members = 2, .live = 3};
        memcpy(b.member, member, sizeof member);
        b.home = i == 0 ? NULL : home;
        b.now = i == 1 ? NULL : now;
        NULL_ARG(egret_ctl_buckets(&cfg, &b, emit_sink, &sink));
        NULL_ARG(egret_ctl_member_lost(&cfg, &b, 1, emit_sink, &sink));
        NULL_ARG(egret_ctl_member_back(&cfg, &b, 1, emit_sink, &sink));
    }
    CHECK_EQ(sink.taken, 0, "nothing emitted by what is refused");
    CHECK_EQ(len, 99, "untouched");
}

/* Every builder, by number, and how many writes it makes; `cfg` and `emit` may be null. */
#define NO_BUILDER 1
static int build(unsigned which, const struct egret_cfg *cfg, egret_emit_fn emit, void *ctx)
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
    struct egret_load load;

    egret_hash_setup_default(&s);
    if (cfg != NULL && cfg->hash_kind == EGRET_HASH_KIND_LOOKUP3)
        s.algorithm = EGRET_HASH_LOOKUP3;
    REQUIRE(egret_load_preset("sai", &load) == EGRET_OK);
    switch (which) {
    case 0:
        return egret_ctl_hash(cfg, &s, emit, ctx, NULL);
    case 1:
        return egret_ctl_hash_seed(cfg, &s, emit, ctx, NULL);
    case 2:
        return egret_ctl_group(cfg, 0, &g, emit, ctx);
    case 3:
        return egret_ctl_draw_seed(cfg, 1, emit, ctx);
    case 4:
        return egret_ctl_class_ordered(cfg, 1, emit, ctx);
    case 5:
        return egret_ctl_random_seed(cfg, 1, emit, ctx);
    case 6:
        return egret_ctl_pointer(cfg, EGRET_SCHEME_DR, 0, 0, 0, 0, 0, emit, ctx);
    case 7:
        return egret_ctl_pointer(cfg, EGRET_SCHEME_SPRAY_RR, 0, 0, 0, 0, 0, emit, ctx);
    case 8:
        return egret_ctl_buckets(cfg, &b, emit, ctx);
    case 9:
        return egret_ctl_member_lost(cfg, &b, 0, emit, ctx);
    case 10:
        b.live = 1;
        memset(home, 1, 2);
        return egret_ctl_member_back(cfg, &b, 1, emit, ctx);
    case 11:
        return egret_ctl_row(cfg, 0, 0, slot, 3, emit, ctx);
    case 12:
        return egret_ctl_schedule(cfg, 0, 0, 2, m, 2, 7, emit, ctx, NULL);
    case 13:
        return egret_ctl_flowlet_entry(cfg, 1, 2, 1, 3, emit, ctx);
    case 14:
        return egret_ctl_flowlet_clear(cfg, 1, 5, emit, ctx);
    case 15:
        return egret_ctl_load(cfg, &load, emit, ctx, NULL);
    case 16:
        return egret_ctl_port_load(cfg, 1, 100000000000u, 1000000, &load, emit, ctx, NULL);
    case 17:
        return egret_ctl_drill_memory(cfg, 1, 1, 1, emit, ctx);
    default:
        return NO_BUILDER;
    }
}

/* 0: the configuration lacks it */
static uint32_t writes_of(unsigned which, const struct egret_cfg *cfg)
{
    static const uint32_t count[] = {4, 1, 5, 1, 1, 1, 1, 1, 4, 4, 2, 3, 6, 2, 5, 10, 2, 1};
    if (which == 0 && cfg->hash_kind == EGRET_HASH_KIND_MATRIX)
        return 1313;
    if (which == 2 && cfg->schemes >= 128)
        return 7;
    if (which == 13 || which == 14)
        return cfg->num_flowlets != 0 ? count[which] : 0;
    return which < 15 || cfg->schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u ? count[which] : 0;
}

/* A callback that fails at write n: its code comes back, and nothing is emitted behind it. */
static void failing_callbacks(const struct egret_cfg *cfg)
{
    for (unsigned which = 0; build(which, cfg, NULL, NULL) != NO_BUILDER; which++) {
        uint32_t all = writes_of(which, cfg);
        struct sink none = {2000, 0};
        NULL_ARG(build(which, cfg, NULL, NULL));
        NULL_ARG(build(which, NULL, emit_sink, &none));
        if (all == 0)
            CHECK_EQ(build(which, cfg, emit_sink, &none), EGRET_ERR_RANGE, "not there");
        CHECK_EQ(none.taken, 0, "nothing emitted");
        /* of the 1312 writes of a matrix, which all come from one line, some */
        for (uint32_t n = 0; all != 0 && n <= all; n += all > 100 && n > 2 && n < 1302 ? 100 : 1) {
            struct sink sink = {n, 0};
            CHECK(build(which, cfg, emit_sink, &sink) == (n < all ? SINK_FULL : EGRET_OK),
                  "%s: builder %u, the code of write %u", cfg->name, which, n);
            CHECK_EQ(sink.taken, n, "no write behind it");
        }
        struct sink ample = {all + 1, 0};
        if (all != 0)
            CHECK(build(which, cfg, emit_sink, &ample) == EGRET_OK && ample.taken == all,
                  "%s: builder %u: %u writes", cfg->name, which, ample.taken);
    }
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
    struct egret_hash_setup s;

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
    egret_hash_setup_default(&s);
    s.algorithm = EGRET_HASH_CRC32;
    CHECK_EQ(egret_ctl_hash_seed(&cfg, &s, egret_emit_buffer, &buffer, NULL), EGRET_ERR_RANGE,
             "an algorithm that tiny lacks");
    CHECK_EQ(egret_ctl_check_write(&cfg, EGRET_A_TYPE, 0, NULL), EGRET_ERR_RANGE, "read-only");
    CHECK_EQ(buffer.count, 0, "nothing written");
}

/* No memory left: a code, and nothing made. */
static void no_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__)
    static void *held[1 << 16];
    struct egret_cfg cfg = test_cfg("tor64");
    struct rlimit old, none;
    struct egret *e = NULL;
    struct egret_timing *t = NULL;
    size_t n = 0;

    cfg.rsp_depth = 256;
    REQUIRE(getrlimit(RLIMIT_AS, &old) == 0);
    none = old;
    none.rlim_cur = 1;
    REQUIRE(setrlimit(RLIMIT_AS, &none) == 0);
    for (size_t size = 65536; size >= 32; size /= 2) {
        while (n < sizeof held / sizeof held[0] && (held[n] = malloc(size)) != NULL)
            n++;
    }
    int made = egret_create(&cfg, &e);
    int timed = egret_timing_create(&cfg, &t);
    while (n > 0)
        free(held[--n]);
    REQUIRE(setrlimit(RLIMIT_AS, &old) == 0);
    CHECK_EQ(made, EGRET_ERR_MEMORY, "create");
    CHECK_EQ(timed, EGRET_ERR_MEMORY, "timing");
    CHECK(e == NULL && t == NULL, "untouched");
#endif
}

int main(void)
{
    null_model();
    null_hash();
    null_timing();
    null_control();
    for (size_t i = 0; egret_cfg_name(i) != NULL; i++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(i));
        /* two ports, groups, rows and keys are what the builders need */
        if (cfg.num_ports > 1)
            failing_callbacks(&cfg);
    }
    bucket_and_row_ranges();
    other_ranges();
    no_memory();
    return test_end();
}
