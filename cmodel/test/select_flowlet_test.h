/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_flowlet_test.h: flows through two copies of a selector, one by egret_apply(), one by
 * egret_apply_burst(), and egret_explain() beside them. For select_flowlet*.c alone.
 */
#ifndef EGRET_SELECT_FLOWLET_TEST_H
#define EGRET_SELECT_FLOWLET_TEST_H

#include "egret/control.h"
#include "select_test.h"

#define GROUP 3u
#define UNIT 16u                /* ns */
#define TIME_ROUND 0x1000000u   /* units */
#define TIME_WINDOW 0x10000u
#define NEVER 0xff0000u         /* idle from TIME_ROUND - TIME_WINDOW on */

/* A selector in two copies, and the flows that the test sends through it. */
struct world {
    struct egret_cfg cfg;
    struct egret *e;
    struct egret *twin;
    const char *name;
    uint64_t ordinal;
    struct egret_group g; /* of group GROUP */
};

/* A record by its number; all are different. */
static inline void flow_record(uint32_t flow, uint8_t record[EGRET_RECORD_BYTES])
{
    memset(record, 0, EGRET_RECORD_BYTES);
    record[0] = 10;
    record[3] = (uint8_t)flow;
    record[16] = 10;
    record[18] = (uint8_t)(flow >> 8);
    record[19] = (uint8_t)(flow >> 16);
    record[32] = 17;
    record[33] = 0xc0;
    record[35] = 0x12;
    record[36] = 0xb7;
}

static inline struct egret_event flow_packet(uint32_t group, uint32_t flow, uint64_t now)
{
    struct egret_event ev = test_packet(group, 0, 0);
    flow_record(flow, ev.record);
    ev.now = now;
    return ev;
}

static inline void apply_both(struct world *w, const struct egret_event *ev,
                              struct egret_decision *d)
{
    struct egret_decision other;
    size_t done = 0;
    REQUIRE(egret_apply(w->e, ev, d) == EGRET_OK);
    REQUIRE(egret_apply_burst(w->twin, ev, 1, &other, &done) == EGRET_OK && done == 1);
    CHECK(memcmp(d, &other, sizeof other) == 0, "%s: a burst differs", w->name);
}

static inline void put_word(struct world *w, uint32_t addr, uint32_t data)
{
    struct egret_event ev = test_write_event(addr, data);
    struct egret_decision d;
    apply_both(w, &ev, &d);
}

static inline int put_emitted(void *ctx, uint32_t addr, uint32_t data)
{
    put_word(ctx, addr, data);
    return EGRET_OK;
}

static inline uint32_t word(struct world *w, uint32_t addr)
{
    struct egret_event ev = test_write_event(addr, 0);
    struct egret_decision d;
    ev.kind = EGRET_EV_READ;
    apply_both(w, &ev, &d);
    return d.data;
}

static inline void port_state(struct world *w, uint32_t port, bool up)
{
    struct egret_event ev = test_write_event(port, up ? 1 : 0);
    struct egret_decision d;
    ev.kind = EGRET_EV_PORT;
    apply_both(w, &ev, &d);
}

static inline struct egret_decision send_event(struct world *w, const struct egret_event *ev)
{
    struct egret_decision d;
    struct egret_why why;
    REQUIRE(egret_explain(w->e, ev, &why) == EGRET_OK);
    apply_both(w, ev, &d);
    CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "%s: egret_explain() differs", w->name);
    return d;
}

/* A packet of a flow at a time in units of 16 ns. Bits of now that do not count are random. */
static inline struct egret_decision send(struct world *w, uint32_t flow, uint64_t units)
{
    uint64_t above = (uint64_t)test_below(1u << 20) << 28;
    struct egret_event ev = flow_packet(GROUP, flow,
                                        (above | (units & 0xffffffu) << 4) + test_below(UNIT));
    return send_event(w, &ev);
}

/* Opens the test's group again with what w->g says. */
static inline void open_group(struct world *w)
{
    REQUIRE(egret_ctl_group(&w->cfg, GROUP, &w->g, put_emitted, w) == EGRET_OK);
}

static inline uint32_t hash_of(struct world *w, uint32_t flow)
{
    struct egret_event ev = flow_packet(GROUP, flow, 0);
    struct egret_why why;
    REQUIRE(egret_explain(w->e, &ev, &why) == EGRET_OK);
    return why.hash;
}

/* The number that the next packet will have, by an own step of the generator. */
static inline uint32_t next_number(struct world *w)
{
    uint32_t x = word(w, EGRET_A_RANDOM);
    x ^= x << 13 & 0xffffffffu;
    x ^= x >> 17;
    x ^= x << 5 & 0xffffffffu;
    return x;
}

/* The member of a mask, lowest first, that 16 random bits choose. */
static inline uint32_t member_by(uint64_t mask, uint32_t r)
{
    uint32_t port[64], n = 0;
    for (uint32_t p = 0; p < 64; p++)
        if (mask >> p & 1u)
            port[n++] = p;
    return n != 0 ? port[r * n / 65536u] : 255;
}

static const char *const counter_name[5] = {"hits", "new", "evictions", "conflicts",
                                            "reassignments"};

static inline void read_counters(struct world *w, uint32_t group, uint32_t count[5])
{
    for (uint32_t i = 0; i < 5; i++)
        count[i] = word(w, EGRET_A_FLOWLET_COUNTER(group, i));
}

/* Checks that of the group's counters `one` has gone up by one and no other has moved; 5: none. */
static inline void check_ticked(struct world *w, const uint32_t before[5], uint32_t one,
                                const char *what)
{
    uint32_t after[5];
    read_counters(w, GROUP, after);
    for (uint32_t i = 0; i < 5; i++)
        CHECK(after[i] - before[i] == (i == one ? 1u : 0u), "%s, %s: %s moved by %u", w->name, what,
              counter_name[i], after[i] - before[i]);
}

/* The group: all ports members, one entry, index 7 of the table. */
static inline void plain_group(struct world *w, uint32_t idle)
{
    memset(&w->g, 0, sizeof w->g);
    w->g.scheme = EGRET_SCHEME_FLOWLET;
    w->g.members = w->cfg.num_ports == 64 ? ~(uint64_t)0 : ((uint64_t)1 << w->cfg.num_ports) - 1;
    w->g.bucket_mask = w->cfg.num_buckets - 1;
    w->g.flowlet_base = 7;
    w->g.idle = idle;
    open_group(w);
}

#define ENTRY 7u /* of plain_group() */

static inline uint32_t entry_word(struct world *w)
{
    return word(w, EGRET_A_FLOWLET(ENTRY, 0));
}
static inline uint32_t entry_last(struct world *w)
{
    return word(w, EGRET_A_FLOWLET(ENTRY, 1));
}
/* Empties the entry. */
static inline void forget(struct world *w)
{
    put_word(w, EGRET_A_FLOWLET(ENTRY, 0), 0);
}
/* Fills the entry with a flow that was last seen at `units` on a port. */
static inline void remember(struct world *w, uint32_t flow, uint64_t units, uint32_t port)
{
    REQUIRE(egret_ctl_flowlet_entry(&w->cfg, ENTRY, hash_of(w, flow) >> 20, port,
                                    (uint32_t)(units & 0xffffffu), put_emitted, w) == EGRET_OK);
}

/* Is this what came of a packet? */
static inline void check_outcome(struct world *w, const struct egret_decision *d, uint32_t outcome,
                                 const char *what)
{
    CHECK(d->data >> 30 == outcome, "%s, %s: %s, not %s", w->name, what,
          egret_flowlet_outcome_name(d->data >> 30), egret_flowlet_outcome_name(outcome));
    CHECK((d->data & 0x3fff0000u) == 0 && d->scheme == EGRET_SCHEME_FLOWLET,
          "%s, %s: data %08x", w->name, what, d->data);
}

/* A configuration and a hash: the short path of the model takes IPv4 5-tuples only. */
static inline struct world world_of(const char *config, uint32_t layout)
{
    struct world w;
    struct egret_hash_setup setup;
    memset(&w, 0, sizeof w);
    w.cfg = test_cfg(config);
    w.name = config;
    w.e = test_create(&w.cfg);
    w.twin = test_create(&w.cfg);
    egret_hash_setup_default(&setup);
    setup.layout = layout;
    if (w.cfg.hash_kind == EGRET_HASH_KIND_LOOKUP3)
        setup.algorithm = EGRET_HASH_LOOKUP3;
    if (layout == EGRET_LAYOUT_RECORD)
        setup.fields = EGRET_FIELDS_ALL;
    REQUIRE(egret_ctl_hash(&w.cfg, &setup, put_emitted, &w, NULL) == EGRET_OK);
    for (uint32_t i = 0; i < w.cfg.num_buckets; i++)
        put_word(&w, EGRET_A_BUCKET(i), i % w.cfg.num_ports);
    return w;
}

static inline void world_end(struct world *w)
{
    egret_destroy(w->e);
    egret_destroy(w->twin);
}

#endif
