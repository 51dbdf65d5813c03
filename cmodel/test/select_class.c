/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_class.c: which scheme a packet takes. The class rule for each class, each bit of
 * CLASS_ORDERED, and each pair of scheme codes; configurations with each of the 256 sets of
 * schemes: what is lacking drops, its registers and fields are not there, and nothing of it moves.
 */
#include "egret/control.h"
#include "select_test.h"

#define START 2463534242u

static const uint64_t members = 0xf;

/* A group with one scheme for ordered classes and one for the rest. */
static void commit(struct egret *e, uint32_t group, uint32_t scheme, uint32_t ordered)
{
    test_write(e, EGRET_A_GROUP_STAGE3, (uint32_t)members);
    test_write(e, EGRET_A_GROUP_STAGE4, 0);
    test_write(e, EGRET_A_GROUP(group, 0), 3u << 16 | ordered << 12 | scheme);
}

static bool there(uint32_t schemes, uint32_t code)
{
    return code >= 1 && code <= 8 && (schemes >> code & 1u);
}

/* The generator serves three schemes. */
static bool has_random(uint32_t schemes)
{
    return (schemes & (1u << 6 | 1u << 7 | 1u << 8)) != 0;
}

/* The entry of a pointer after `steps` steps over a row of four slots, R = 0. */
static uint32_t entry_after(uint32_t steps)
{
    return steps / 4 % 4096 * 256 + steps % 4;
}

/* Counts of what has happened in one configuration. */
struct expected {
    uint32_t rr, dr, number, drops, flowlets;
};

static void one_packet(struct egret *e, uint32_t schemes, uint32_t code, uint32_t cls,
                       struct expected *x)
{
    struct egret_event ev = test_packet(1, 5, 1);
    struct egret_why why;

    ev.cls = (uint8_t)cls;
    REQUIRE(egret_explain(e, &ev, &why) == EGRET_OK);
    struct egret_decision d = test_decide(e, &ev);
    x->number ^= x->number << 13;
    x->number ^= x->number >> 17;
    x->number ^= x->number << 5;
    CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "egret_explain() differs");
    CHECK(d.scheme == code, "schemes 0x%x: scheme %u, not %u", schemes, d.scheme, code);
    if (there(schemes, code)) {
        CHECK(d.reason == EGRET_REASON_CHOSEN && members >> d.port & 1u && d.port == d.choice,
              "schemes 0x%x, scheme %u: reason %u, port %u", schemes, code, d.reason, d.port);
        if (code == EGRET_SCHEME_SPRAY_RR)
            CHECK_EQ(d.data, entry_after(x->rr++), "old entry");
        if (code == EGRET_SCHEME_DR)
            CHECK_EQ(d.data, entry_after(x->dr++), "old entry");
        if (code == EGRET_SCHEME_SPRAY_RANDOM)
            CHECK_EQ(d.data, x->number, "number");
        if (code == EGRET_SCHEME_FLOWLET)
            CHECK_EQ(d.data, x->flowlets++ == 0 ? 0x40000000 : 0, "one new path, then hits");
    } else {
        CHECK(d.reason == EGRET_REASON_DROP_SCHEME && d.port == 255 && d.choice == 255 &&
                  d.data == 0,
              "schemes 0x%x, scheme %u: reason %u, data 0x%x", schemes, code, d.reason, d.data);
        x->drops++;
    }
}

static void check_state(struct egret *e, uint32_t schemes, const struct expected *x)
{
    CHECK_EQ(test_read(e, EGRET_A_POINTER_RR(1)), entry_after(x->rr), "pointer of spray-rr");
    CHECK_EQ(test_read(e, EGRET_A_POINTER_DR(5, 1)), entry_after(x->dr), "pointer of dr");
    CHECK_EQ(test_read(e, EGRET_A_DROPS_SCHEME), x->drops, "DROPS_SCHEME");
    CHECK_EQ(test_read(e, EGRET_A_GROUP_COUNTER(1, 0)), x->drops, "group drops");
    CHECK_EQ(test_read(e, EGRET_A_RANDOM), has_random(schemes) ? x->number : 0, "RANDOM");
    CHECK_EQ(test_read(e, EGRET_A_FLOWLET_COUNTER(1, 0)),
             x->flowlets != 0 ? x->flowlets - 1 : 0, "hits");
}

/* Every set of schemes, with every pair of codes in a group. */
static void all_sets(const char *config)
{
    for (uint32_t schemes = 0; schemes < 512; schemes += 2) {
        struct egret_cfg cfg = test_cfg(config);
        struct expected x = {0, 0, START, 0, 0};
        const char *param = NULL;

        cfg.schemes = schemes;
        cfg.num_flowlets = there(schemes, EGRET_SCHEME_FLOWLET) ? 16 : 0;
        struct egret *e = test_create(&cfg);
        CHECK_EQ(test_read(e, EGRET_A_PARAM3),
                 schemes | (cfg.num_flowlets != 0 ? 0x50000u : 0) | cfg.parity << 21,
                 "PARAM3");
        test_write(e, EGRET_A_CLASS_ORDERED, 0x0f0f);

        /* what belongs to a scheme */
        bool random = has_random(schemes);
        uint32_t ignored = random ? 0 : 2;
        uint32_t offset = there(schemes, EGRET_SCHEME_ENTROPY) ? 0x1f000000u : 0;
        test_write(e, EGRET_A_RANDOM, 77);
        CHECK_EQ(test_read(e, EGRET_A_RANDOM), random ? 77 : 0, "RANDOM");
        test_write(e, EGRET_A_RANDOM, 0);
        CHECK_EQ(test_read(e, EGRET_A_RANDOM), random ? START : 0, "RANDOM");
        CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), ignored, "WRITES_IGNORED");
        CHECK_EQ(egret_ctl_check_write(&cfg, EGRET_A_RANDOM, 5, &param),
                 random ? EGRET_OK : EGRET_ERR_RANGE, "egret_ctl_check_write()");
        CHECK(random || strcmp(param, "SCHEMES") == 0, "%s", param);
        CHECK_EQ(egret_ctl_random_seed(&cfg, 0, egret_emit_apply, e),
                 random ? EGRET_OK : EGRET_ERR_RANGE, "egret_ctl_random_seed()");
        test_write(e, EGRET_A_GROUP(2, 0), 0xffffffff);
        CHECK_EQ(test_read(e, EGRET_A_GROUP(2, 0)), offset | (cfg.row_len - 1) << 16 | 0xff1f,
                 "word 0");
        struct egret_group g = {.scheme = 1, .ordered = 15, .entropy_offset = 1, .members = 1};
        CHECK_EQ(egret_ctl_group(&cfg, 2, &g, egret_emit_apply, e),
                 offset != 0 ? EGRET_OK : EGRET_ERR_RANGE, "entropy offset");

        for (uint32_t code = 0; code < 16; code++) {
            for (uint32_t ordered = 0; ordered < 16; ordered++) {
                commit(e, 1, code, ordered);
                CHECK_EQ(test_read(e, EGRET_A_GROUP(1, 0)), 3u << 16 | ordered << 12 | code,
                         "word 0");
                one_packet(e, schemes, code, 4 + test_below(4), &x);
                one_packet(e, schemes, ordered != 0 ? ordered : code, 8 + test_below(4), &x);
                one_packet(e, schemes, code, 12 + test_below(4), &x);
                one_packet(e, schemes, ordered != 0 ? ordered : code, test_below(4), &x);
            }
        }
        check_state(e, schemes, &x);
        egret_destroy(e);
    }
}

/* Each class with each single bit, and with all others; ordered scheme 0, known, unknown. */
static void all_classes(const char *config)
{
    static const uint32_t ordered_codes[] = {0, EGRET_SCHEME_ECMP, EGRET_SCHEME_FIXED,
                                             EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_FLOWLET, 9, 15};
    struct egret_cfg cfg = test_cfg(config);
    struct egret *e = test_create(&cfg);
    struct expected x = {0, 0, START, 0, 0};

    CHECK_EQ(test_read(e, EGRET_A_CLASS_ORDERED), 0, "after reset no class keeps order");
    for (size_t i = 0; i < sizeof ordered_codes / sizeof ordered_codes[0]; i++) {
        uint32_t ordered = ordered_codes[i];
        uint32_t used = ordered != 0 ? ordered : EGRET_SCHEME_SPRAY_RANDOM;
        commit(e, 1, EGRET_SCHEME_SPRAY_RANDOM, ordered);
        for (uint32_t bit = 0; bit < 16; bit++) {
            for (uint32_t others = 0; others < 2; others++) {
                uint32_t value = 1u << bit ^ (others ? 0xffffu : 0);
                test_write(e, EGRET_A_CLASS_ORDERED, value | test_random() << 16);
                CHECK_EQ(test_read(e, EGRET_A_CLASS_ORDERED), value, "16 bits");
                for (uint32_t cls = 0; cls < 256; cls += test_chance(4) ? 1 : 15) {
                    bool keeps = (cls % 16 == bit) != (others == 1);
                    one_packet(e, cfg.schemes, keeps ? used : EGRET_SCHEME_SPRAY_RANDOM, cls, &x);
                }
                for (uint32_t cls = 0; cls < 16; cls++) {
                    bool keeps = (cls == bit) != (others == 1);
                    one_packet(e, cfg.schemes, keeps ? used : EGRET_SCHEME_SPRAY_RANDOM, cls, &x);
                }
            }
        }
        check_state(e, cfg.schemes, &x);
    }
    CHECK_EQ(egret_ctl_class_ordered(&cfg, 0x10000, egret_emit_apply, e), EGRET_ERR_RANGE,
             "egret_ctl_class_ordered()");
    CHECK_EQ(egret_ctl_class_ordered(&cfg, 0x8001, egret_emit_apply, e), EGRET_OK,
             "egret_ctl_class_ordered()");
    CHECK_EQ(test_read(e, EGRET_A_CLASS_ORDERED), 0x8001, "CLASS_ORDERED");
    CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), 0, "WRITES_IGNORED");
    REQUIRE(egret_reset(e) == EGRET_OK);
    CHECK_EQ(test_read(e, EGRET_A_CLASS_ORDERED), 0, "after reset");
    egret_destroy(e);
}

/* The rule in bursts: classes and CLASS_ORDERED change from packet to packet. */
static void burst(void)
{
    enum { EVENTS = 20000 };
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *e = test_create(&cfg);
    struct egret_event *ev = calloc(EVENTS, sizeof *ev);
    struct egret_decision *d = calloc(EVENTS, sizeof *d);
    uint32_t keep = 0;
    size_t done = 0;

    REQUIRE(ev != NULL && d != NULL);
    commit(e, 1, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    commit(e, 3, EGRET_SCHEME_DR, EGRET_SCHEME_SPRAY_RR);
    for (size_t i = 0; i < EVENTS; i++) {
        if (test_chance(9)) {
            ev[i] = test_write_event(EGRET_A_CLASS_ORDERED, test_random());
        } else {
            ev[i] = test_packet(test_chance(2) ? 1 : 3, 5, 1);
            ev[i].cls = (uint8_t)test_below(16);
        }
    }
    REQUIRE(egret_apply_burst(e, ev, EVENTS, d, &done) == EGRET_OK && done == EVENTS);
    for (size_t i = 0; i < EVENTS; i++) {
        if (ev[i].kind == EGRET_EV_WRITE) {
            keep = ev[i].data;
            continue;
        }
        bool ordered = keep >> ev[i].cls & 1u;
        CHECK_EQ(d[i].scheme,
                 ev[i].group == 1 ? (ordered ? EGRET_SCHEME_ECMP : EGRET_SCHEME_SPRAY_RR)
                                  : (ordered ? EGRET_SCHEME_SPRAY_RR : EGRET_SCHEME_DR),
                 "scheme in a burst");
    }
    free(ev);
    free(d);
    egret_destroy(e);
}

/* Sets with codes that no configuration has. */
static void illegal_sets(void)
{
    for (uint32_t bit = 0; bit < 32; bit++) {
        struct egret_cfg cfg = test_cfg("lab");
        const char *param = NULL;
        bool legal = bit >= 1 && bit <= 8;
        cfg.schemes = (uint32_t)1 << bit;
        cfg.num_flowlets = bit == 8 ? 1024 : 0;
        CHECK_EQ(egret_cfg_check(&cfg, &param), legal ? EGRET_OK : EGRET_ERR_CONFIG, "SCHEMES");
        CHECK(legal || strcmp(param, "SCHEMES") == 0, "%s", param);
    }
}

int main(void)
{
    all_sets("lab");
    all_sets("tiny");
    all_classes("lab");
    all_classes("tiny");
    all_classes("tor64");
    burst();
    illegal_sets();
    return test_end();
}
