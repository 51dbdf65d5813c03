/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_flowlet_state.c: scheme `flowlet` (docs/spec/flowlet.md): new paths by the generator and
 * by quality, reassignments, each counter by exactly one and otherwise not, ports that go down,
 * groups that are made again, slices of the table, written entries, classes, reset, and the control
 * side.
 *
 * Faults of docs/verification.md: B15, B25, B26.
 */
#include "select_flowlet_test.h"

/* New paths follow the generator; one that goes elsewhere than before is a reassignment. */
static void new_paths(struct world *w)
{
    uint32_t before[5], moved = 0, stayed = 0;
    uint64_t t = 0;

    plain_group(w, 20);
    w->g.members = 0x1234;
    open_group(w);
    forget(w);
    for (unsigned n = 0; n < 600; n++, t += 21) {
        uint32_t live = n < 300 ? 0x1234 : 0x0230, had = entry_word(w);
        if (n == 300) {
            port_state(w, 2, false);
            port_state(w, 12, false);
        }
        read_counters(w, GROUP, before);
        uint32_t x = next_number(w), port = member_by(live, x >> 16);
        struct egret_decision d = send(w, 1, t);
        bool moves = n > 0 && port != (had & 0xffu);
        check_outcome(w, &d, EGRET_FLOWLET_NEW, "new path");
        check_ticked(w, before, moves ? 4 : EGRET_FLOWLET_NEW, "new path");
        CHECK_EQ(d.port, port, "by the number");
        CHECK_EQ(d.choice, port, "by the number");
        CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, "a new path is live");
        CHECK_EQ(word(w, EGRET_A_RANDOM), x, "one step a packet");
        moved += moves;
        stayed += !moves;
    }
    CHECK(moved > 100 && stayed > 50, "%s: %u moved, %u stayed", w->name, moved, stayed);
    port_state(w, 2, true);
    port_state(w, 12, true);
}

/* Each situation ticks its own counter once and leaves all others; so do those of other groups. */
static void counters(struct world *w)
{
    static const struct {
        const char *what;
        uint32_t valid, flow, gap, live, counter;
    } row[] = {
        {"hit", 1, 1, 100, 1, 0},        {"expired, same port", 1, 1, 101, 1, 1},
        {"empty", 0, 1, 101, 1, 1},      {"another, expired", 1, 2, 101, 1, 2},
        {"another", 1, 2, 100, 1, 3},    {"expired, port gone", 1, 1, 101, 2, 4},
        {"hit, repaired", 1, 1, 50, 2, 0}, {"none live, hit", 1, 1, 50, 0, 5},
        {"none live, new", 1, 1, 101, 0, 5}, {"none live, evict", 1, 2, 101, 0, 5},
        {"none live, conflict", 1, 2, 1, 0, 5}, {"empty, none live", 0, 1, 0, 0, 5},
    };
    uint32_t other[5], before[5];

    plain_group(w, 100);
    w->g.members = 3; /* ports 0 and 1 */
    open_group(w);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        remember(w, 1, 777, 0);
        if (!row[i].valid)
            put_word(w, EGRET_A_FLOWLET(ENTRY, 0), word(w, EGRET_A_FLOWLET(ENTRY, 0)) & 0xfff00ff);
        uint32_t entry = entry_word(w), drops = word(w, EGRET_A_GROUP_COUNTER(GROUP, 0));
        port_state(w, 0, row[i].live & 1u);
        port_state(w, 1, row[i].live >> 1 & 1u);
        read_counters(w, GROUP, before);
        read_counters(w, GROUP + 1, other);
        struct egret_decision d = send(w, row[i].flow, 777 + row[i].gap);
        check_ticked(w, before, row[i].counter, row[i].what);
        CHECK_EQ(word(w, EGRET_A_GROUP_COUNTER(GROUP, 0)) - drops, row[i].live == 0 ? 1 : 0,
                 row[i].what);
        if (row[i].live == 0) {
            CHECK_EQ(d.reason, EGRET_REASON_DROP_DOWN, row[i].what);
            CHECK_EQ(entry_word(w), entry, row[i].what);
            CHECK_EQ(entry_last(w), 777, row[i].what);
            CHECK_EQ(d.data & 0xffff, ENTRY, row[i].what);
        }
        for (uint32_t k = 0; k < 5; k++)
            CHECK_EQ(word(w, EGRET_A_FLOWLET_COUNTER(GROUP + 1, k)), other[k], "another group");
    }
    port_state(w, 0, true);
    port_state(w, 1, true);
}

/* What is no packet of this scheme ticks nothing and sees no entry. */
static void untouched(struct world *w)
{
    uint32_t before[5];
    struct egret_decision d;

    plain_group(w, 100);
    remember(w, 1, 50, 2);
    uint32_t entry = entry_word(w);
    read_counters(w, GROUP, before);
    for (uint32_t scheme = 0; scheme < 16; scheme++) {
        if (scheme == EGRET_SCHEME_FLOWLET)
            continue;
        w->g.scheme = scheme;
        open_group(w);
        (void)send(w, 1, 60 + scheme);
    }
    w->g.scheme = EGRET_SCHEME_FLOWLET;
    w->g.ordered = EGRET_SCHEME_ECMP;
    open_group(w);
    put_word(w, EGRET_A_CLASS_ORDERED, 1u << 5);
    struct egret_event ev = flow_packet(GROUP, 1, 100 * UNIT);
    ev.cls = 5;
    d = send_event(w, &ev);
    CHECK_EQ(d.scheme, EGRET_SCHEME_ECMP, "a class that keeps order");
    put_word(w, EGRET_A_CLASS_ORDERED, 0);
    ev = flow_packet((uint32_t)w->cfg.num_groups, 1, 100 * UNIT);
    d = send_event(w, &ev);
    CHECK_EQ(d.reason, EGRET_REASON_DROP_INDEX, "no such group");
    w->g.members = 0;
    open_group(w);
    d = send(w, 1, 100);
    CHECK_EQ(d.reason, EGRET_REASON_DROP_EMPTY, "no member");
    CHECK_EQ(d.data, 0, "no member");
    check_ticked(w, before, 5, "other packets");
    CHECK_EQ(entry_word(w), entry, "other packets");
    CHECK_EQ(entry_last(w), 50, "other packets");
}

/* A port that is down: its flows are repaired, each to one port, and come back with it. */
static void port_down(struct world *w)
{
    plain_group(w, 100);
    for (uint32_t flow = 1; flow < 40; flow++) {
        uint32_t port = flow % w->cfg.num_ports;
        uint64_t live = w->g.members & ~((uint64_t)1 << port);
        uint32_t repairs = word(w, EGRET_A_GROUP_COUNTER(GROUP, 1));
        remember(w, flow, 0, port);
        uint32_t entry = entry_word(w);
        port_state(w, port, false);
        for (uint32_t t = 10; t < 60; t += 10) {
            struct egret_decision d = send(w, flow, t);
            check_outcome(w, &d, EGRET_FLOWLET_HIT, "down");
            CHECK_EQ(d.reason, EGRET_REASON_REPAIRED, "down");
            CHECK_EQ(d.choice, port, "down");
            CHECK_EQ(d.port, member_by(live, hash_of(w, flow) >> 16), "down");
            CHECK_EQ(entry_word(w), entry, "the entry keeps its port");
            CHECK_EQ(entry_last(w), t, "and is refreshed");
        }
        CHECK_EQ(word(w, EGRET_A_GROUP_COUNTER(GROUP, 1)) - repairs, 5, "repairs");
        port_state(w, port, true);
        struct egret_decision d = send(w, flow, 70);
        CHECK_EQ(d.port, port, "up again");
        CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, "up again");
        port_state(w, port, false);
        uint32_t x = next_number(w);
        d = send(w, flow, 171);
        check_outcome(w, &d, EGRET_FLOWLET_NEW, "down and expired");
        CHECK_EQ(d.port, member_by(live, x >> 16), "down and expired");
        port_state(w, port, true);
    }
}

/* A group that is deleted and made again with other members: the entry stays, but no packet leaves
 * by a port that is no member; once it has expired the flow forgets the old port. */
static void made_again(struct world *w)
{
    uint32_t before[5];

    plain_group(w, 100);
    remember(w, 1, 0, 6);
    (void)send(w, 1, 5);
    uint32_t entry = entry_word(w);
    read_counters(w, GROUP, before);
    w->g.members = 0;
    open_group(w);
    check_ticked(w, before, 5, "a commit leaves the counters");
    struct egret_decision d = send(w, 1, 10);
    CHECK_EQ(d.reason, EGRET_REASON_DROP_EMPTY, "deleted");
    w->g.members = 0x0b;
    open_group(w);
    for (uint32_t t = 20; t < 120; t += 20) {
        d = send(w, 1, t);
        check_outcome(w, &d, EGRET_FLOWLET_HIT, "made again");
        CHECK_EQ(d.reason, EGRET_REASON_REPAIRED, "made again");
        CHECK_EQ(d.port, member_by(0x0b, hash_of(w, 1) >> 16), "made again");
        CHECK_EQ(entry_word(w), entry, "made again");
    }
    d = send(w, 1, 201);
    check_outcome(w, &d, EGRET_FLOWLET_NEW, "a pause");
    CHECK(d.port == d.choice && 0x0b >> d.port & 1u, "a pause: port %u", d.port);
    CHECK_EQ(entry_word(w) & 0xff, d.port, "a pause");
    remember(w, 1, 0, 6);
    REQUIRE(egret_ctl_flowlet_clear(&w->cfg, ENTRY, 1, put_emitted, w) == EGRET_OK);
    CHECK_EQ(entry_word(w), 0, "cleared");
    d = send(w, 1, 1);
    check_outcome(w, &d, EGRET_FLOWLET_NEW, "cleared");
    CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, "cleared");
}

/* Slices of every size and base, round the table's end too: a flow's entry is where base, mask and
 * hash say, and no other entry changes. */
static void slices(struct world *w)
{
    uint32_t n = w->cfg.num_flowlets;

    plain_group(w, 100);
    for (uint32_t i = 0; i < n; i++)
        put_word(w, EGRET_A_FLOWLET(i, 0), 0);
    for (unsigned trial = 0; trial < 400; trial++) {
        uint32_t mask = trial == 0 ? 0 : (1u << test_below(17)) - 1;
        uint32_t base = trial % 3 == 0 ? n - 1 - test_below(4) : test_random() & 0xffffu;
        uint32_t flow = 100 + trial, h = hash_of(w, flow);
        uint32_t index = (base + (h & mask)) % n;
        put_word(w, EGRET_A_GROUP_STAGE3, (uint32_t)w->g.members);
        put_word(w, EGRET_A_GROUP_STAGE4, (uint32_t)(w->g.members >> 32));
        put_word(w, EGRET_A_GROUP_STAGE5, mask << 16 | base);
        put_word(w, EGRET_A_GROUP_STAGE6, 100);
        put_word(w, EGRET_A_GROUP(GROUP, 0), EGRET_SCHEME_FLOWLET);
        struct egret_decision d = send(w, flow, 5);
        CHECK_EQ(d.data, 0x40000000u | index, "the first packet is new");
        CHECK_EQ(word(w, EGRET_A_FLOWLET(index, 0)), 0x80000000u | h >> 20 << 16 | d.port, "entry");
        CHECK_EQ(word(w, EGRET_A_FLOWLET(index, 1)), 5, "entry");
        for (uint32_t k = 1; k < 5; k++) {
            CHECK_EQ(word(w, EGRET_A_FLOWLET((index + k) % n, 0)), 0, "entries behind");
            CHECK_EQ(word(w, EGRET_A_FLOWLET((index + n - k) % n, 0)), 0, "entries before");
        }
        d = send(w, flow, 105);
        CHECK_EQ(d.data, index, "the second hits");
        put_word(w, EGRET_A_FLOWLET(index, 0), 0);
    }
}

/* By quality, with all bands equal: among all live members; strictly better never moves from one
 * of them, and only of its own flow. */
static void by_quality(struct world *w)
{
    uint32_t before[5];
    uint64_t t = 0;

    plain_group(w, 20);
    w->g.by_quality = 1;
    open_group(w);
    for (unsigned n = 0; n < 100; n++, t += 21) {
        uint32_t port = member_by(w->g.members, next_number(w) >> 16);
        CHECK_EQ(send(w, 1, t).port, port, "by quality");
    }
    w->g.strictly_better = 1;
    open_group(w);
    remember(w, 1, t, 5);
    for (unsigned n = 0; n < 100; n++) {
        t += 21;
        read_counters(w, GROUP, before);
        struct egret_decision d = send(w, 1, t);
        check_outcome(w, &d, EGRET_FLOWLET_NEW, "strictly better");
        check_ticked(w, before, EGRET_FLOWLET_NEW, "strictly better");
        CHECK_EQ(d.port, 5, "strictly better");
        CHECK_EQ(entry_last(w), t & 0xffffffu, "strictly better");
    }
    port_state(w, 5, false);
    read_counters(w, GROUP, before);
    uint64_t live = w->g.members & ~(uint64_t)0x20;
    uint32_t port = member_by(live, next_number(w) >> 16);
    struct egret_decision d = send(w, 1, t + 21);
    CHECK_EQ(d.port, port, "a port that is down is not kept");
    check_ticked(w, before, 4, "a port that is down is not kept");
    port_state(w, 5, true);
    for (unsigned n = 0; n < 30; n++) {
        remember(w, 1, t, 5);
        port = member_by(w->g.members, next_number(w) >> 16);
        CHECK_EQ(send(w, 2, t + 21).port, port, "another flow's port is not kept");
        put_word(w, EGRET_A_FLOWLET(ENTRY, 0), hash_of(w, 1) >> 20 << 16 | 5);
        port = member_by(w->g.members, next_number(w) >> 16);
        CHECK_EQ(send(w, 1, t + 21).port, port, "that of no flow is not kept");
    }
    w->g.by_quality = 0;
    open_group(w);
    for (unsigned n = 0; n < 30; n++) {
        remember(w, 1, t, 5);
        port = member_by(w->g.members, next_number(w) >> 16);
        CHECK_EQ(send(w, 1, t + 21).port, port, "strictly better alone has no effect");
    }
}

static void event_of(struct world *w, uint8_t kind, uint32_t port, uint32_t depth)
{
    struct egret_event ev = test_write_event(port, depth);
    struct egret_decision d;
    ev.kind = kind;
    apply_both(w, &ev, &d);
}

/* By quality with bands: a new path is one of the live members of the least band in force; strictly
 * better keeps a port that is among them, and leaves one that is not. */
static void by_bands(struct world *w)
{
    uint64_t t = 0;
    unsigned kept = 0, left = 0;

    plain_group(w, 20);
    put_word(w, EGRET_A_LOAD_WEIGHTS, 256u << 16);
    for (uint32_t i = 1; i < 8; i++)
        put_word(w, EGRET_A_LOAD_THRESHOLD(i), 100 * i);
    for (uint32_t p = 0; p < w->cfg.num_ports; p++)
        put_word(w, EGRET_A_PORT_LOAD(p, 1), 0xffff);
    for (unsigned n = 0; n < 300; n++) {
        uint64_t least = 0;
        uint32_t band[64], lowest = 7, had = test_below(w->cfg.num_ports);
        for (uint32_t p = 0; p < w->cfg.num_ports; p++) {
            band[p] = 2 + test_below(3);
            event_of(w, EGRET_EV_QUEUE, p, 100 * band[p] + 50);
            lowest = band[p] < lowest ? band[p] : lowest;
        }
        event_of(w, EGRET_EV_TICK, 0, 0);
        event_of(w, EGRET_EV_TICK, 0, 0);
        for (uint32_t p = 0; p < w->cfg.num_ports; p++)
            least |= (uint64_t)(band[p] == lowest) << p;
        w->g.by_quality = 1;
        w->g.strictly_better = n % 2;
        open_group(w);
        remember(w, 1, t, had);
        t += 21;
        bool keeps = n % 2 != 0 && (least >> had & 1u);
        uint32_t port = keeps ? had : member_by(least, next_number(w) >> 16);
        struct egret_decision d = send(w, 1, t);
        CHECK_EQ(d.port, port, "among the emptiest");
        CHECK_EQ(d.reason, EGRET_REASON_CHOSEN, "among the emptiest");
        kept += keeps;
        left += n % 2 != 0 && !keeps;
    }
    CHECK(kept > 20 && left > 20, "%s: kept %u, left %u", w->name, kept, left);
    for (uint32_t p = 0; p < w->cfg.num_ports; p++)
        event_of(w, EGRET_EV_QUEUE, p, 0);
    put_word(w, EGRET_A_LOAD_WEIGHTS, 0);
    event_of(w, EGRET_EV_TICK, 0, 0);
    event_of(w, EGRET_EV_TICK, 0, 0);
}

/* What egret_ctl_flowlet() takes and makes of it. */
static void control(struct world *w)
{
    static const struct {
        uint64_t ns;
        uint32_t units;
    } idle[] = {{0, 0}, {1, 1}, {16, 1}, {17, 2}, {256000, 16000}, {1000, 63},
                {EGRET_IDLE_MAX_NS, 0xfefffe}, {EGRET_IDLE_NEVER, 0xffffff}};
    const uint32_t n = w->cfg.num_flowlets;
    const struct {
        uint32_t base, entries;
        uint64_t ns;
        const char *bad;
    } row[] = {
        {0, n, 0, NULL},       {n - 1, 1, 0, NULL},     {n / 2, n / 2, 0, NULL},
        {n, 1, 0, "base"},     {~0u, 1, 0, "base"},     {0, 0, 0, "entries"},
        {0, 3, 0, "entries"},  {0, 2 * n, 0, "entries"}, {1, n, 0, "entries"},
        {n - 1, 2, 0, "entries"}, {0, 1, EGRET_IDLE_MAX_NS + 1, "idle"},
        {0, 1, EGRET_IDLE_NEVER - 1, "idle"},
    };
    struct egret_group g;
    struct egret_write write[8];
    struct egret_write_buffer b = {write, 8, 0};
    struct egret_cfg tiny = test_cfg("tiny");
    const char *param;

    memset(&g, 0, sizeof g);
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
        CHECK_EQ(egret_ctl_flowlet(&w->cfg, &g, 0, 16, idle[i].ns, NULL), EGRET_OK, "idle");
        CHECK_EQ(g.idle, idle[i].units, "idle, rounded up");
    }
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct egret_group was = g;
        param = NULL;
        int err = egret_ctl_flowlet(&w->cfg, &g, row[i].base, row[i].entries, row[i].ns, &param);
        CHECK_EQ(err, row[i].bad == NULL ? EGRET_OK : EGRET_ERR_RANGE, "slice");
        if (row[i].bad == NULL) {
            CHECK(g.flowlet_base == row[i].base && g.flowlet_mask == row[i].entries - 1, "slice");
            CHECK_EQ(egret_ctl_group(&w->cfg, GROUP, &g, put_emitted, w), EGRET_OK, "slice");
        } else {
            CHECK(param != NULL && strcmp(param, row[i].bad) == 0, "names %s", row[i].bad);
            CHECK(memcmp(&g, &was, sizeof g) == 0, "untouched");
        }
    }
    CHECK_EQ(egret_ctl_flowlet(&tiny, &g, 0, 1, 0, &param), EGRET_ERR_RANGE, "tiny");
    CHECK(strcmp(param, "SCHEMES") == 0, "%s", param);
    CHECK_EQ(egret_ctl_flowlet(NULL, &g, 0, 1, 0, NULL), EGRET_ERR_NULL, "null");

    CHECK_EQ(egret_ctl_flowlet_entry(&w->cfg, n - 1, 0xfff, 2, 0xffffff, egret_emit_buffer, &b), 0,
             "entry");
    CHECK(b.count == 2 && write[0].addr == EGRET_A_FLOWLET_LAST && write[0].data == 0xffffff &&
              write[1].addr == EGRET_A_FLOWLET(n - 1, 0) && write[1].data == 0x8fff0002,
          "entry");
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(egret_ctl_flowlet_entry(&w->cfg, i == 0 ? n : 0, i == 1 ? 0x1000 : 0,
                                         i == 2 ? w->cfg.num_ports : 0, i == 3 ? 0x1000000 : 0,
                                         egret_emit_buffer, &b),
                 EGRET_ERR_RANGE, "entry");
    CHECK_EQ(egret_ctl_flowlet_clear(&w->cfg, n - 2, 3, egret_emit_buffer, &b), EGRET_ERR_RANGE,
             "clear");
    CHECK_EQ(b.count, 2, "nothing emitted");
    CHECK_EQ(egret_ctl_flowlet_clear(&w->cfg, n - 3, 3, egret_emit_buffer, &b), EGRET_OK, "clear");
    CHECK(b.count == 5 && write[4].addr == EGRET_A_FLOWLET(n - 1, 0) && write[4].data == 0,
          "clear");
}

/* A reset empties the table and the counters. */
static void reset(struct world *w)
{
    plain_group(w, 100);
    remember(w, 1, 3, 2);
    (void)send(w, 1, 4);
    REQUIRE(egret_reset(w->e) == EGRET_OK && egret_reset(w->twin) == EGRET_OK);
    CHECK_EQ(entry_word(w), 0, "after reset");
    CHECK_EQ(entry_last(w), 0, "after reset");
    CHECK_EQ(word(w, EGRET_A_FLOWLET_LAST), 0, "after reset");
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(word(w, EGRET_A_FLOWLET_COUNTER(GROUP, i)), 0, "after reset");
    plain_group(w, 100);
    struct egret_decision d = send(w, 1, 5);
    check_outcome(w, &d, EGRET_FLOWLET_NEW, "after reset");
    CHECK_EQ(word(w, EGRET_A_FLOWLET_COUNTER(GROUP, 1)), 1, "after reset");
}

static void (*const tests[])(struct world *w) = {
    new_paths,  counters, untouched, port_down, made_again, slices,
    by_quality, by_bands, control,   reset,
};

int main(void)
{
    static const struct {
        const char *config;
        uint32_t layout;
    } world[] = {{"lab", EGRET_LAYOUT_IPV4_5TUPLE},
                 {"lab", EGRET_LAYOUT_RECORD},
                 {"lab_lookup3", EGRET_LAYOUT_RECORD},
                 {"tor64", EGRET_LAYOUT_IPV4_5TUPLE}};

    for (size_t i = 0; i < sizeof world / sizeof world[0]; i++) {
        struct world w = world_of(world[i].config, world[i].layout);
        for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++)
            tests[k](&w);
        world_end(&w);
    }
    return test_end();
}
