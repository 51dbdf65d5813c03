/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_flowlet.c: scheme `flowlet` in time (docs/spec/flowlet.md): when an entry expires, round
 * the end of 24 bits, with stamps that step back, after long silence; steady flows; and what two
 * flows of one entry do. Everything by single calls, in bursts and by egret_explain(), with hashes
 * that the short path takes and with others.
 *
 * usage: select_flowlet [packets of the steady flow]
 *
 * Faults of docs/verification.md: B21, B22, B24.
 */
#include "select_flowlet_test.h"

static unsigned long steady_packets = 60000;

/* idle - 1, idle, idle + 1, from times all over the 24 bits. */
static void edges_of_idle(struct world *w)
{
    static const uint32_t idles[] = {0, 1, 2, 100, 16000, 0x10000, 0xfefffd, 0xfefffe};
    static const uint32_t starts[] = {0, 1, 0xfffffe, 0xffffff, 0xff0000, 0x800000};

    for (size_t i = 0; i < sizeof idles / sizeof idles[0]; i++) {
        plain_group(w, idles[i]);
        for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
            for (uint32_t over = 0; over < 3; over++) {
                uint64_t then = starts[k], now = then + idles[i] + over - 1;
                if (idles[i] == 0 && over == 0)
                    continue;
                remember(w, 1, then, 2);
                struct egret_decision d = send(w, 1, now);
                check_outcome(w, &d, over == 2 ? EGRET_FLOWLET_NEW : EGRET_FLOWLET_HIT, "idle");
                CHECK(over == 2 || d.port == 2, "%s: a hit moves to port %u", w->name, d.port);
                CHECK_EQ(entry_last(w), now & 0xffffffu, "last");
            }
        }
    }
}

/* From this idle on nothing expires. */
static void idle_never(struct world *w)
{
    static const uint32_t idles[] = {NEVER - 1, NEVER, 0xffffff};

    for (size_t i = 0; i < 3; i++) {
        plain_group(w, idles[i]);
        for (unsigned n = 0; n < 200; n++) {
            uint64_t then = test_random(), now = n == 0 ? then + NEVER - 1 : test_random();
            remember(w, 1, then, 3);
            struct egret_decision d = send(w, 1, now);
            check_outcome(w, &d, EGRET_FLOWLET_HIT, "never");
            CHECK_EQ(d.port, 3, "never");
        }
    }
}

/* Time that steps back: by 2^16 units is age 0, by one more is a long way ahead. */
static void steps_back(struct world *w)
{
    static const struct {
        uint32_t back;
        bool seen; /* as a step back */
    } row[] = {{1, true},       {2, true},         {0xffff, true},   {0x10000, true},
               {0x10001, false}, {0x10002, false}, {0x20000, false}, {0x800000, false}};

    for (uint32_t idle = 0; idle <= 200; idle += 200) {
        plain_group(w, idle);
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
            for (uint64_t then = 0; then < 0x1000000; then += 0x3fffff) {
                uint64_t now = then - row[i].back;
                remember(w, 1, then, 4);
                struct egret_decision d = send(w, 1, now);
                check_outcome(w, &d, row[i].seen ? EGRET_FLOWLET_HIT : EGRET_FLOWLET_NEW, "back");
                CHECK_EQ(entry_last(w), now & 0xffffffu, "last goes back too");

                remember(w, 1, then, 4);
                d = send(w, 2, now);
                check_outcome(w, &d, row[i].seen ? EGRET_FLOWLET_CONFLICT : EGRET_FLOWLET_EVICT,
                              "another flow, back");
            }
        }
    }
}

/* Silence is counted modulo 2^24 units, of the same flow and of another. */
static void long_silence(struct world *w)
{
    const uint32_t idle = 500;
    const struct {
        uint64_t units;
        bool fresh;
    } row[] = {{TIME_ROUND, true},
               {TIME_ROUND + idle, true},
               {TIME_ROUND + idle + 1, false},
               {3ull * TIME_ROUND + 7, true},
               {TIME_ROUND - 1, true}, /* looks like a step back */
               {TIME_ROUND - TIME_WINDOW, true},
               {TIME_ROUND - TIME_WINDOW - 1, false},
               {TIME_ROUND / 2, false}};

    plain_group(w, idle);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint64_t then = 0xabcdefull + i;
        remember(w, 1, then, 1);
        struct egret_decision d = send(w, 1, then + row[i].units);
        check_outcome(w, &d, row[i].fresh ? EGRET_FLOWLET_HIT : EGRET_FLOWLET_NEW, "silence");
        remember(w, 1, then, 1);
        d = send(w, 2, then + row[i].units);
        check_outcome(w, &d, row[i].fresh ? EGRET_FLOWLET_CONFLICT : EGRET_FLOWLET_EVICT,
                      "a stale entry");
    }
}

/* A hit refreshes last, so a flow that never pauses keeps its port over many rounds of the time. */
static void steady_flow(struct world *w)
{
    const uint32_t idle = 1000;
    uint32_t before[5], after[5];
    uint64_t t = 0;

    plain_group(w, idle);
    forget(w);
    struct egret_decision first = send(w, 9, t);
    read_counters(w, GROUP, before);
    for (unsigned long n = 0; n < steady_packets; n++) {
        t += n % 3 == 0 ? idle : test_below(idle + 1);
        struct egret_decision d = send(w, 9, t);
        CHECK(d.port == first.port && d.data == ENTRY, "%s: packet %lu: port %u, data %08x",
              w->name, n, d.port, d.data);
    }
    CHECK(t > 2ull * TIME_ROUND || steady_packets < 60000, "more than two rounds of the time");
    read_counters(w, GROUP, after);
    CHECK_EQ(after[0] - before[0], steady_packets, "all are hits");
    CHECK_EQ(after[1] + after[4], before[1] + before[4], "no new path");
}

/* Packets of one flow in one burst, with one stamp or stamps that come near: the second finds the
 * entry as the first left it. */
static void adjacent(struct world *w)
{
    enum { COUNT = 64 };
    struct egret_event ev[COUNT];
    struct egret_decision d[COUNT], one;
    size_t done = 0;

    plain_group(w, 10);
    for (unsigned trial = 0; trial < 50; trial++) {
        uint64_t t = test_random();
        put_word(w, EGRET_A_FLOWLET(ENTRY, 0), 0);
        for (unsigned i = 0; i < COUNT; i++) {
            t += test_chance(3) ? 11 : test_below(11);
            ev[i] = flow_packet(GROUP, 1 + (test_chance(4) ? 1u : 0u), t * UNIT);
        }
        REQUIRE(egret_apply_burst(w->twin, ev, COUNT, d, &done) == EGRET_OK && done == COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            REQUIRE(egret_apply(w->e, &ev[i], &one) == EGRET_OK);
            CHECK(memcmp(&one, &d[i], sizeof one) == 0, "%s: packet %u of a burst", w->name, i);
            if (i == 0)
                CHECK_EQ(one.data >> 30, EGRET_FLOWLET_NEW, "the first is new");
            else if (memcmp(ev[i].record, ev[i - 1].record, EGRET_RECORD_BYTES) == 0 &&
                d[i - 1].data >> 30 != EGRET_FLOWLET_CONFLICT) {
                uint64_t gap = (ev[i].now - ev[i - 1].now) / UNIT;
                CHECK_EQ(one.data >> 30, gap > 10 ? EGRET_FLOWLET_NEW : EGRET_FLOWLET_HIT,
                         "behind its own flow");
            }
        }
    }
}

/* Another flow's packet takes its bucket and leaves the entry alone, whatever becomes of it. */
static void conflicts(struct world *w)
{
    uint32_t before[5];

    plain_group(w, 100);
    for (uint32_t flow = 10; flow < 60; flow++) {
        uint32_t h = hash_of(w, flow), choice = h % w->cfg.num_buckets % w->cfg.num_ports;
        uint32_t kept = (choice + 1) % w->cfg.num_ports;
        bool down = flow % 3 == 0;
        uint64_t live = w->g.members & ~(down ? (uint64_t)1 << choice : 0);
        if (h >> 20 == hash_of(w, 1) >> 20)
            continue;
        remember(w, 1, 5000, kept);
        uint32_t entry = entry_word(w);
        port_state(w, choice, !down);
        read_counters(w, GROUP, before);
        struct egret_decision d = send(w, flow, 5000 + flow);
        check_outcome(w, &d, EGRET_FLOWLET_CONFLICT, "conflict");
        check_ticked(w, before, EGRET_FLOWLET_CONFLICT, "conflict");
        CHECK_EQ(d.choice, choice, "its bucket");
        CHECK_EQ(d.reason, down ? EGRET_REASON_REPAIRED : EGRET_REASON_CHOSEN, "its bucket");
        CHECK_EQ(d.port, down ? member_by(live, h >> 16) : choice, "repaired by the hash");
        CHECK_EQ(entry_word(w), entry, "the entry stays");
        CHECK_EQ(entry_last(w), 5000, "the entry is not refreshed");
        port_state(w, choice, true);
        d = send(w, 1, 5100);
        check_outcome(w, &d, EGRET_FLOWLET_HIT, "the flow of the entry");
        CHECK_EQ(d.port, kept, "the flow of the entry");
    }
}

/* Another flow takes an entry that has expired. */
static void evictions(struct world *w)
{
    uint32_t before[5];

    plain_group(w, 100);
    for (uint32_t flow = 10; flow < 60; flow++) {
        uint32_t h = hash_of(w, flow);
        if (h >> 20 == hash_of(w, 1) >> 20)
            continue;
        remember(w, 1, 9000, 1);
        read_counters(w, GROUP, before);
        uint32_t port = member_by(w->g.members, next_number(w) >> 16);
        struct egret_decision d = send(w, flow, 9101);
        check_outcome(w, &d, EGRET_FLOWLET_EVICT, "evict");
        check_ticked(w, before, EGRET_FLOWLET_EVICT, "evict");
        CHECK_EQ(d.port, port, "a new path by the number");
        CHECK_EQ(entry_word(w), 0x80000000u | h >> 20 << 16 | port, "its entry now");
        CHECK_EQ(entry_last(w), 9101, "its entry now");
        d = send(w, 1, 9102);
        check_outcome(w, &d, EGRET_FLOWLET_CONFLICT, "the flow that had it");
    }
}

static void (*const tests[])(struct world *w) = {
    edges_of_idle, idle_never, steps_back, long_silence, steady_flow, adjacent, conflicts,
    evictions,
};

int main(int argc, char **argv)
{
    static const struct {
        const char *config;
        uint32_t layout;
    } world[] = {{"lab", EGRET_LAYOUT_IPV4_5TUPLE},
                 {"lab", EGRET_LAYOUT_RECORD},
                 {"lab_lookup3", EGRET_LAYOUT_RECORD},
                 {"tor64", EGRET_LAYOUT_IPV4_5TUPLE}};

    steady_packets = argc > 1 ? strtoul(argv[1], NULL, 10) : steady_packets;
    for (size_t i = 0; i < sizeof world / sizeof world[0]; i++) {
        struct world w = world_of(world[i].config, world[i].layout);
        for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++)
            tests[k](&w);
        world_end(&w);
    }
    return test_end();
}
