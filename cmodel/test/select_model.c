/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_model.c: random event mixes, legal and illegal, on every named configuration and on random
 * ones: egret_apply() against the comparison model, bursts against single calls, egret_explain()
 * against what follows, and the whole state through reads; reset and a second run. With parity
 * every third chunk of events has fault writes, mostly at what the last packet used, and heals them
 * at its end, so that the fast path runs too.
 *
 * usage: select_model [events per configuration]
 */
#include "egret/selector.h"
#include "select_model_faults.h"

static uint32_t edge(uint32_t n)
{
    /* mostly below n, now and then at or beyond it */
    return test_chance(12) ? n + test_below(3) : test_below(n);
}

static uint32_t random_address(const struct egret_cfg *c)
{
    switch (test_below(18)) {
    case 0:
        return test_below(0x38);
    case 16:
        return EGRET_A_FLOWLET(edge(c->num_flowlets), test_chance(6));
    case 17:
        return test_chance(2) ? EGRET_A_FLOWLET_LAST
                              : EGRET_A_FLOWLET_COUNTER(edge(c->num_groups), test_below(8));
    case 1:
        return test_chance(2) ? 0x8 + test_below(7) : 0x28 + test_below(16);
    case 2:
    case 3:
    case 4:
        return test_chance(2) ? 0x21 + test_below(6) : EGRET_A_GROUP(edge(c->num_groups), 0);
    case 5:
        return EGRET_A_GROUP(edge(c->num_groups), test_below(8));
    case 6:
    case 7:
        return EGRET_A_BUCKET(edge(c->num_buckets));
    case 8:
    case 9:
        return EGRET_A_SCHEDULE(test_chance(20) ? test_below(16) : test_below(2),
                                edge(c->num_rows) & 0xffu, edge(c->row_len) & 0xffu);
    case 10:
        return EGRET_A_POINTER_DR(edge(c->num_keys), edge(c->num_bins) & 15u);
    case 11:
        return EGRET_A_POINTER_RR(edge(c->num_groups));
    case 12:
        return EGRET_A_PORT_COUNTER(edge(c->num_ports), test_below(4));
    case 13:
        return test_chance(2) ? EGRET_A_QUEUE(edge(c->num_ports))
                              : EGRET_A_GROUP_COUNTER(edge(c->num_groups), test_below(2));
    case 14:
        if (test_chance(3))
            return EGRET_A_MATRIX(edge(82), test_below(16));
        return test_chance(2) ? EGRET_A_PORT_LOAD(edge(c->num_ports), test_below(4))
                              : EGRET_A_DRILL_MEMORY(edge(c->num_groups));
    default:
        return test_random() & 0xffffffu;
    }
}

/* Time goes on by a few units of the flowlet table, stands still, steps back or jumps. */
static uint64_t now;

static void random_time(void)
{
    static const uint32_t back[] = {1, 0xffff, 0x10000, 0x10001, 0x20000};
    switch (test_below(64)) {
    case 0:
        now = (uint64_t)test_random() << 32 | test_random();
        break;
    case 1:
        now -= (uint64_t)back[test_below(5)] << 4;
        break;
    case 2:
        now += (uint64_t)test_random() >> 2;
        break;
    default:
        now += test_chance(3) ? 0 : test_below(256);
        break;
    }
}

/* The flows of a run; others come once. */
#define FLOWS 12
static uint8_t flow[FLOWS][EGRET_RECORD_BYTES];

static uint32_t random_data(const struct egret_cfg *c, uint32_t addr)
{
    uint32_t region = (addr & 0xffffffu) >> 20;
    uint32_t all = test_random();

    if (region == 2 || region == 3)
        return test_chance(20) ? all : edge(c->num_ports);
    if (addr == EGRET_A_HASH_ALGORITHM)
        return test_chance(8) ? all : test_below(17);
    if (region == 1)
        return (all & 0xff00ff10u & ~(test_chance(3) ? 0xff0000u : 0u)) |
               (test_chance(8) ? all & 15u : 1 + test_below(8)) | test_below(6) << 8 |
               (test_chance(3) ? 0 : (test_chance(8) ? all & 15u : test_below(9)) << 12) |
               test_below(32) << 24;
    if (addr == EGRET_A_GROUP_STAGE3 || addr == EGRET_A_GROUP_STAGE4)
        return test_chance(4) ? 0 : all | test_random();
    if (addr == EGRET_A_GROUP_STAGE1 && !test_chance(4))
        return (c->num_rows - 1) << 16;
    if (addr == EGRET_A_GROUP_STAGE5 && !test_chance(4)) /* few entries, round the end too */
        return (all & 7u) << 16 | (all >> 8 & 0xffffu);
    if (addr == EGRET_A_GROUP_STAGE6 && !test_chance(4))
        return (all & 0xff000000u) | (all & 63u);
    if (addr == EGRET_A_FLOWLET_LAST && !test_chance(4))
        return (uint32_t)(now >> 4) - test_below(64);
    if (region == 0xc && !test_chance(4))
        return (all & 0xffffff00u) | test_below(c->num_ports);
    if (region == 4 && test_chance(2)) /* near the ends of wraps and epoch */
        return all | (test_chance(2) ? 0xfff00000u : 0u) | (test_chance(2) ? 0x000fff00u : 0u);
    if (addr == EGRET_A_LOAD_EXPONENT && !test_chance(4))
        return test_below(4);
    if (addr == EGRET_A_QUALITY_SMALL)
        return test_chance(2) ? 0 : all & 0xffff3fffu;
    if (addr >= EGRET_A_LOAD_THRESHOLD(1) && addr <= EGRET_A_LOAD_THRESHOLD(7) && !test_chance(8))
        return test_below(0x7000);
    if (region == 9 && !test_chance(6)) /* some metric in the middle of the thresholds */
        return (all & 0xffff7fffu & ~0x1f0000u) | (test_below(2) + 15) << 16;
    if (region == 10 && !test_chance(8))
        return (all & 0xffffff00u) | edge(c->num_ports);
    return all;
}

static struct egret_event last; /* packet */

static struct egret_event random_event(const struct egret_cfg *c)
{
    struct egret_event ev;
    memset(&ev, 0, sizeof ev);
    random_time();
    ev.now = now;
    switch (test_below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        ev.kind = EGRET_EV_WRITE;
        ev.addr = random_address(c) | (test_chance(10) ? 0xab000000u : 0u);
        ev.data = random_data(c, ev.addr & 0xffffffu);
        break;
    case 4:
        ev.kind = EGRET_EV_READ;
        ev.addr = random_address(c) | (test_chance(10) ? 0xab000000u : 0u);
        break;
    case 5:
        ev.kind = EGRET_EV_PORT;
        ev.port = edge(c->num_ports);
        ev.up = test_chance(2);
        break;
    case 6:
        ev.kind = test_chance(2) ? EGRET_EV_QUEUE : EGRET_EV_TICK;
        ev.port = edge(c->num_ports);
        ev.depth = test_random();
        break;
    default:
        ev.kind = EGRET_EV_PACKET;
        ev.tag = test_random();
        ev.entropy = test_random();
        ev.group = (uint16_t)edge(c->num_groups < 4 ? c->num_groups : 4);
        if (test_chance(20))
            ev.group = (uint16_t)edge(c->num_groups);
        ev.key = (uint16_t)edge(test_chance(2) ? 1 : c->num_keys);
        if (test_chance(40))
            ev.key = (uint16_t)test_random();
        ev.bin = (uint8_t)edge(c->num_bins);
        ev.length = (uint16_t)test_random();
        ev.cls = (uint8_t)test_below(16);
        if (test_chance(4))
            test_bytes(ev.record, EGRET_RECORD_BYTES);
        else
            memcpy(ev.record, flow[test_below(FLOWS)], EGRET_RECORD_BYTES);
        if (test_chance(2)) { /* the last packet's flow again */
            ev.group = last.group;
            memcpy(ev.record, last.record, EGRET_RECORD_BYTES);
        }
        last = ev;
        break;
    }
    return ev;
}

static bool same(const struct egret_decision *a, const struct egret_decision *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void compare(const struct egret_event *ev, const struct egret_decision *got,
                    const struct egret_decision *want, const char *what, unsigned long number)
{
    CHECK(same(got, want),
          "%s: event %lu kind %u: port %u/%u choice %u/%u scheme %u/%u reason %u/%u data %x/%x",
          what, number, ev->kind, got->port, want->port, got->choice, want->choice, got->scheme,
          want->scheme, got->reason, want->reason, got->data, want->data);
}

static void compare_state(struct egret *e, struct ref *r, const char *what)
{
    const struct egret_cfg *cfg = egret_config(e);
    size_t count = egret_state_count(cfg);
    uint32_t addr = 0;

    for (size_t i = 0; i < count; i++) {
        CHECK_EQ(egret_state_address(cfg, i, &addr), EGRET_OK, what);
        CHECK(test_read(e, addr) == r->word[addr], "%s: word %06x: %08x, not %08x", what, addr,
              test_read(e, addr), r->word[addr]);
    }
    CHECK_EQ(egret_state_address(cfg, count, &addr), EGRET_ERR_RANGE, what);
}

/* How often each scheme met each reason: a mix that never gets there would compare nothing. */
static unsigned long seen[16][7];
/* Of spray-quality: sent packets by the band of their port; those that could have gone to a worse
 * one; with DRILL those that stayed with the remembered port, and those that left it. */
static unsigned long seen_band[EGRET_NUM_BANDS], seen_worse, seen_kept, seen_left;

static void see_quality(struct egret *e, const struct egret_why *w)
{
    uint32_t port = w->decision.port, kept = w->old_entry & 0xffu;

    if (w->decision.scheme != EGRET_SCHEME_SPRAY_QUALITY || port == EGRET_PORT_DROP ||
        w->candidates == 0)
        return;
    CHECK(w->band < EGRET_NUM_BANDS && w->band == test_read(e, EGRET_A_PORT_LOAD(port, 2)), "band");
    seen_band[w->band % EGRET_NUM_BANDS]++;
    seen_worse += w->candidates != w->live_members;
    if (w->new_entry != 0 && (w->old_entry & EGRET_MEMORY_VALID) != 0 && w->sample[0] != kept)
        *(port == kept ? &seen_kept : &seen_left) += 1;
}
static unsigned long outcomes[4], reassigned;

static void check_seen(void)
{
    static const uint8_t every[4] = {EGRET_REASON_CHOSEN, EGRET_REASON_REPAIRED,
                                     EGRET_REASON_DROP_EMPTY, EGRET_REASON_DROP_DOWN};
    for (unsigned scheme = EGRET_SCHEME_ECMP; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        for (unsigned i = 0; i < 4; i++) {
            if (scheme == EGRET_SCHEME_SPRAY_RANDOM && every[i] == EGRET_REASON_REPAIRED)
                continue; /* it chooses among the live */
            CHECK(seen[scheme][every[i]] >= 50, "scheme %u, reason %u: seen %lu times", scheme,
                  every[i], seen[scheme][every[i]]);
        }
    }
    CHECK_EQ(seen[EGRET_SCHEME_SPRAY_RANDOM][EGRET_REASON_REPAIRED], 0, "spray-random");
    CHECK(seen[EGRET_SCHEME_DR][EGRET_REASON_DROP_INDEX] >= 50, "dr index");
    CHECK(seen[EGRET_SCHEME_NONE][EGRET_REASON_DROP_INDEX] >= 50, "group index");
    CHECK(seen[9][EGRET_REASON_DROP_SCHEME] >= 5, "scheme 9");
    check_seen_faults();
    for (unsigned i = 0; i < 4; i++)
        CHECK(outcomes[i] >= 1000, "flowlet outcome %u: seen %lu times", i, outcomes[i]);
    CHECK(reassigned >= 200, "reassigned: seen %lu times", reassigned);
    printf("flowlets: %lu hits, %lu new, %lu evictions, %lu conflicts, %lu reassigned\n",
           outcomes[0], outcomes[1], outcomes[2], outcomes[3], reassigned);
    for (unsigned b = 0; b < EGRET_NUM_BANDS; b++)
        CHECK(seen_band[b] >= 50, "band %u: %lu packets", b, seen_band[b]);
    CHECK(seen_worse >= 1000 && seen_kept >= 100 && seen_left >= 100,
          "spray-quality: %lu with a choice of bands, %lu kept, %lu left", seen_worse, seen_kept,
          seen_left);
    CHECK(seen[EGRET_SCHEME_ENTROPY][EGRET_REASON_DROP_SCHEME] >= 5, "a scheme that tiny lacks");
}

#define CHUNK 257

static void run(const struct egret_cfg *cfg, unsigned long events)
{
    struct egret *single = test_create(cfg);
    struct egret *burst = test_create(cfg);
    struct ref r = ref_create(cfg);
    static struct egret_event ev[CHUNK];
    static struct egret_decision want[CHUNK], got[CHUNK];
    struct egret_why why;
    size_t done = 0;

    for (unsigned i = 0; i < FLOWS; i++)
        test_bytes(flow[i], EGRET_RECORD_BYTES);
    for (unsigned long at = 0; at < events; at += CHUNK) {
        for (size_t i = 0; i < CHUNK; i++) {
            struct egret_decision d;
            memset(&d, 0xee, sizeof d);
            memset(&why, 0xee, sizeof why);
            ev[i] = random_event(cfg);
            if (cfg->parity != 0 && at / CHUNK % 3 == 0)
                faulty_event(&ev[i], single, &r, &last, CHUNK - i);
            want[i] = ref_apply(&r, &ev[i]);
            if (ev[i].kind == EGRET_EV_PACKET) {
                CHECK_EQ(egret_explain(single, &ev[i], &why), EGRET_OK, cfg->name);
                see_quality(single, &why);
                CHECK_EQ(why.faults, r.met, "what explain says of faults");
                see_faults(&why);
                compare(&ev[i], &why.decision, &want[i], "explain", at + i);
            } else {
                CHECK_EQ(egret_explain(single, &ev[i], &why), EGRET_ERR_EVENT, cfg->name);
            }
            REQUIRE(egret_apply(single, &ev[i], &d) == EGRET_OK);
            compare(&ev[i], &d, &want[i], cfg->name, at + i);
            if (ev[i].kind == EGRET_EV_PACKET)
                seen[d.scheme & 15u][d.reason % 7u]++;
            if (ev[i].kind == EGRET_EV_PACKET && why.pointer != 0)
                CHECK_EQ(test_read(single, why.pointer), why.new_entry, "new entry");
            if (ev[i].kind == EGRET_EV_PACKET && why.scheme == EGRET_SCHEME_FLOWLET &&
                d.reason <= EGRET_REASON_REPAIRED) {
                CHECK_EQ(test_read(single, why.pointer + 1), why.new_last, "new last");
                outcomes[d.data >> 30]++;
                reassigned += why.outcome == EGRET_FLOWLET_NEW && why.old_entry >> 31 != 0 &&
                              why.old_entry != why.new_entry;
            }
        }
        memset(got, 0xee, sizeof got);
        CHECK_EQ(egret_apply_burst(burst, ev, CHUNK, got, &done), EGRET_OK, "burst");
        CHECK_EQ(done, CHUNK, "burst");
        for (size_t i = 0; i < CHUNK; i++)
            compare(&ev[i], &got[i], &want[i], "burst", at + i);
    }
    compare_state(single, &r, cfg->name);
    compare_state(burst, &r, cfg->name);
    REQUIRE(egret_reset(single) == EGRET_OK);
    ref_reset(&r);
    compare_state(single, &r, "after reset");
    for (size_t i = 0; i < CHUNK; i++) {
        struct egret_decision d;
        ev[i] = random_event(cfg);
        want[i] = ref_apply(&r, &ev[i]);
        REQUIRE(egret_apply(single, &ev[i], &d) == EGRET_OK);
        compare(&ev[i], &d, &want[i], "after reset", i);
    }
    egret_destroy(single);
    egret_destroy(burst);
    ref_destroy(&r);
}

static struct egret_cfg random_cfg(void)
{
    struct egret_cfg c;
    memset(&c, 0, sizeof c);
    snprintf(c.name, sizeof c.name, "random");
    c.num_ports = 1 + test_below(64);
    c.num_groups = 1u << test_below(11);
    c.num_keys = 1u << test_below(12);
    c.num_bins = 1u << test_below(5);
    c.num_rows = 1u << test_below(9);
    c.row_len = 1u << test_below(9);
    c.num_buckets = 1u << test_below(17);
    c.hash_kind = test_below(3);
    c.rsp_depth = 64;
    c.schemes = test_chance(2) ? 510 : test_below(256) * 2;
    c.num_flowlets = c.schemes / 256 % 2 ? 16u << test_below(13) : 0;
    c.parity = test_below(2);
    REQUIRE(egret_cfg_check(&c, NULL) == EGRET_OK);
    return c;
}

int main(int argc, char **argv)
{
    unsigned long events = argc > 1 ? strtoul(argv[1], NULL, 10) : 60000;

    for (size_t i = 0; egret_cfg_name(i) != NULL; i++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(i));
        run(&cfg, events);
    }
    for (unsigned i = 0; i < 12; i++) {
        struct egret_cfg cfg = random_cfg();
        run(&cfg, events / 12);
    }
    if (events >= 40000) /* short runs are for slow tools */
        check_seen();
    printf("spray-quality by band:");
    for (unsigned b = 0; b < EGRET_NUM_BANDS; b++)
        printf(" %lu", seen_band[b]);
    printf("; with a choice of bands %lu; DRILL kept %lu, left %lu\n", seen_worse, seen_kept,
           seen_left);
    return test_end();
}
