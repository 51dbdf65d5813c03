/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_refusals.c: null where a pointer must not be, in every function; callbacks that fail at
 * any write; memory that runs out. The exact code comes back, and outputs stay untouched.
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

static void null_control(void)
{
    struct egret_cfg cfg = odd_cfg();
    struct egret_cfg lookup3 = test_cfg("lab_lookup3");
    struct egret_hash_setup s;
    struct egret_group g;
    struct sink sink = {2000, 0};
    static const struct egret_member member[2] = {{0, 1}, {1, 1}};
    uint8_t home[ODD_BUCKETS], now[ODD_BUCKETS], slot[64] = {0};
    struct egret_buckets b;
    size_t len = 99;

    memset(&g, 0, sizeof g);
    memset(&b, 0, sizeof b);
    egret_hash_setup_default(&s);
    NULL_ARG(egret_ctl_check_write(NULL, EGRET_A_HASH_SEED, 0, NULL));
    NULL_ARG(egret_ctl_hash(NULL, &s, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_hash(&cfg, NULL, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_hash(&cfg, &s, NULL, &sink, NULL));
    NULL_ARG(egret_ctl_hash_seed(NULL, &s, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_hash_seed(&cfg, NULL, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_hash_seed(&cfg, &s, NULL, &sink, NULL));
    CHECK_EQ(egret_ctl_hash_seed(&lookup3, &s, emit_sink, &sink, NULL), EGRET_ERR_RANGE,
             "an algorithm that is not there");
    NULL_ARG(egret_ctl_group(NULL, 0, &g, emit_sink, &sink));
    NULL_ARG(egret_ctl_group(&cfg, 0, NULL, emit_sink, &sink));
    NULL_ARG(egret_ctl_group(&cfg, 0, &g, NULL, &sink));
    NULL_ARG(egret_ctl_draw_seed(NULL, 0, emit_sink, &sink));
    NULL_ARG(egret_ctl_draw_seed(&cfg, 0, NULL, &sink));
    NULL_ARG(egret_ctl_class_ordered(NULL, 0, emit_sink, &sink));
    NULL_ARG(egret_ctl_class_ordered(&cfg, 0, NULL, &sink));
    NULL_ARG(egret_ctl_random_seed(NULL, 0, emit_sink, &sink));
    NULL_ARG(egret_ctl_random_seed(&cfg, 0, NULL, &sink));
    NULL_ARG(egret_ctl_pointer(NULL, 3, 0, 0, 0, 0, 0, emit_sink, &sink));
    NULL_ARG(egret_ctl_pointer(&cfg, 3, 0, 0, 0, 0, 0, NULL, &sink));
    NULL_ARG(egret_iwrr(NULL, 2, slot, sizeof slot, &len));
    NULL_ARG(egret_iwrr(member, 2, NULL, sizeof slot, &len));
    NULL_ARG(egret_iwrr(member, 2, slot, sizeof slot, NULL));
    NULL_ARG(egret_ctl_row(NULL, 0, 0, slot, 1, emit_sink, &sink));
    NULL_ARG(egret_ctl_row(&cfg, 0, 0, NULL, 1, emit_sink, &sink));
    NULL_ARG(egret_ctl_row(&cfg, 0, 0, slot, 1, NULL, &sink));
    NULL_ARG(egret_ctl_schedule(NULL, 0, 0, 1, member, 2, 7, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_schedule(&cfg, 0, 0, 1, NULL, 2, 7, emit_sink, &sink, NULL));
    NULL_ARG(egret_ctl_schedule(&cfg, 0, 0, 1, member, 2, 7, NULL, &sink, NULL));
    for (unsigned i = 0; i < 6; i++) {
        b.count = 2;
        b.num_members = 2;
        memcpy(b.member, member, sizeof member);
        b.home = i == 0 ? NULL : home;
        b.now = i == 1 ? NULL : now;
        const struct egret_cfg *c = i == 2 ? NULL : &cfg;
        struct egret_buckets *p = i == 3 ? NULL : &b;
        egret_emit_fn emit = i == 4 ? NULL : emit_sink;
        int want = i < 5 ? EGRET_ERR_NULL : EGRET_OK;
        CHECK_EQ(egret_ctl_buckets(c, p, emit, &sink), want, "buckets");
        b.live = 3;
        home[0] = now[0] = 0;
        home[1] = now[1] = 1;
        CHECK_EQ(egret_ctl_member_lost(c, p, 1, emit, &sink), want, "lost");
        CHECK_EQ(egret_ctl_member_back(c, p, 1, emit, &sink), want, "back");
    }
    CHECK_EQ(sink.taken, 2 + 1 + 1, "nothing emitted by what is refused");
    CHECK_EQ(len, 99, "untouched");
}

/* A callback that fails at write n: its code comes back, and nothing is emitted behind it. */
static void failing_callbacks(void)
{
    struct egret_cfg cfg = odd_cfg(), fixed = test_cfg("tiny");
    struct egret_hash_setup s;
    struct egret_group g;
    static const struct egret_member m[3] = {{0, 1}, {1, 1}, {4, 2}};
    static const uint8_t slot[4] = {0, 1, 2, 3};
    uint8_t home[ODD_BUCKETS], now[ODD_BUCKETS];
    struct egret_buckets b;
    static const unsigned total[] = {1313, 4, 1, 5, 1, 1, 1, 1, 4, 24, 16, 4, 4};

    egret_hash_setup_default(&s);
    memset(&g, 0, sizeof g);
    for (unsigned what = 0; what < sizeof total / sizeof total[0]; what++) {
        for (unsigned n = 0; n <= total[what];
             n += total[what] > 100 && n > 2 && n < 1310 ? 31 : 1) {
            struct sink sink = {n, 0}, ample = {1000, 0};
            int err = EGRET_OK;
            memset(&b, 0, sizeof b);
            b.count = 16;
            b.num_members = 3;
            memcpy(b.member, m, sizeof m);
            b.home = home;
            b.now = now;
            if (what >= 11)
                REQUIRE(egret_ctl_buckets(&cfg, &b, emit_sink, &ample) == EGRET_OK);
            if (what == 12)
                REQUIRE(egret_ctl_member_lost(&cfg, &b, 1, emit_sink, &ample) == EGRET_OK);
            switch (what) {
            case 0:
                err = egret_ctl_hash(&cfg, &s, emit_sink, &sink, NULL);
                break;
            case 1:
                err = egret_ctl_hash(&fixed, &s, emit_sink, &sink, NULL);
                break;
            case 2:
                err = egret_ctl_hash_seed(&cfg, &s, emit_sink, &sink, NULL);
                break;
            case 3:
                err = egret_ctl_group(&cfg, 0, &g, emit_sink, &sink);
                break;
            case 4:
                err = egret_ctl_draw_seed(&cfg, 1, emit_sink, &sink);
                break;
            case 5:
                err = egret_ctl_class_ordered(&cfg, 1, emit_sink, &sink);
                break;
            case 6:
                err = egret_ctl_random_seed(&cfg, 1, emit_sink, &sink);
                break;
            case 7:
                err = egret_ctl_pointer(&cfg, 2, 0, 0, 0, 0, 0, emit_sink, &sink);
                break;
            case 8:
                err = egret_ctl_row(&cfg, 0, 0, slot, 4, emit_sink, &sink);
                break;
            case 9:
                err = egret_ctl_schedule(&cfg, 0, 3, 6, m, 3, 1, emit_sink, &sink, NULL);
                break;
            case 10:
                err = egret_ctl_buckets(&cfg, &b, emit_sink, &sink);
                break;
            case 11:
                err = egret_ctl_member_lost(&cfg, &b, 1, emit_sink, &sink);
                break;
            default:
                err = egret_ctl_member_back(&cfg, &b, 1, emit_sink, &sink);
                break;
            }
            CHECK_EQ(err, n < total[what] ? SINK_FULL : EGRET_OK, "the callback's code");
            CHECK_EQ(sink.taken, n < total[what] ? n : total[what], "writes");
        }
    }
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
    failing_callbacks();
    no_memory();
    return test_end();
}
