/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_faults.h: what the tests of parity share: an instance whose hash is the same for every
 * record, groups, packets with the decision they must get, and the counts of faults.
 */
#ifndef EGRET_SELECT_FAULTS_H
#define EGRET_SELECT_FAULTS_H

#include "egret/control.h"
#include "select_sut.h"

#define HASH 0xa5c31234u /* with a matrix of zeros the seed is the hash */
#define BIT(table) (1u << (table))

struct bench {
    struct egret_cfg cfg;
    struct egret *e; /* the model; null if it is */
    struct sut *s;   /* a selector, which is the RTL beside the model */
    uint32_t faults; /* what FAULTS and FAULT_TABLES must read */
    uint32_t tables;
    const char *what;
};

static inline struct bench bench_of(const struct egret_cfg *cfg)
{
    struct bench b = {*cfg, test_create(cfg), NULL, 0, 0, cfg->name};
    test_write(b.e, EGRET_A_HASH_SEED, HASH);
    return b;
}

static inline struct bench bench_named(const char *name)
{
    struct egret_cfg cfg = test_cfg(name);
    return bench_of(&cfg);
}

static inline void bench_end(struct bench *b)
{
    egret_destroy(b->e);
    b->e = NULL;
}

static inline uint32_t peek(struct bench *b, uint32_t addr)
{
    return b->s != NULL ? sut_read(b->s, addr) : test_read(b->e, addr);
}

static inline void poke(struct bench *b, uint32_t addr, uint32_t data)
{
    if (b->s != NULL)
        (void)sut_emit(b->s, addr, data);
    else
        test_write(b->e, addr, data);
}

static inline uint64_t all_ports(const struct bench *b)
{
    return b->cfg.num_ports == 64 ? UINT64_MAX : ((uint64_t)1 << b->cfg.num_ports) - 1;
}

/* All ports are members, one row and one bucket, R = 0; last as long as a row is. */
static inline struct egret_group group_of(const struct bench *b, uint32_t scheme)
{
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.last = b->cfg.row_len - 1;
    g.members = all_ports(b);
    return g;
}

static inline void put_group(struct bench *b, uint32_t number, const struct egret_group *g)
{
    void *to = b->s != NULL ? (void *)b->s : (void *)b->e;
    REQUIRE(egret_ctl_group(&b->cfg, number, g, b->s != NULL ? sut_emit : egret_emit_apply, to) ==
            EGRET_OK);
}

static inline void simple_group(struct bench *b, uint32_t number, uint32_t scheme)
{
    struct egret_group g = group_of(b, scheme);
    put_group(b, number, &g);
}

static inline void fault(struct bench *b, uint32_t addr, uint32_t data)
{
    if (b->s != NULL) {
        sut_event(b->s, EGRET_EV_FAULT, addr, data);
        return;
    }
    uint32_t ignored = test_read(b->e, EGRET_A_WRITES_IGNORED);
    REQUIRE(egret_emit_fault(b->e, addr, data) == EGRET_OK);
    CHECK(test_read(b->e, EGRET_A_WRITES_IGNORED) == ignored, "%s: %06x took no fault", b->what,
          addr);
}

/* The parity bit alone. */
static inline void spoil(struct bench *b, uint32_t addr)
{
    fault(b, addr, test_read(b->e, addr));
}

/* The same of a group, whose words 1..6 come from the stage. */
static inline void spoil_group(struct bench *b, uint32_t number)
{
    for (uint32_t w = 1; w <= (b->cfg.schemes >> 7 != 0 ? 6u : 4u); w++)
        test_write(b->e, 0x20 + w, test_read(b->e, EGRET_A_GROUP(number, w)));
    spoil(b, EGRET_A_GROUP(number, 0));
}

/* The counts must be what they were, but for one more packet that has met `tables` (0: none). */
static inline void met(struct bench *b, uint32_t tables)
{
    b->faults += tables != 0;
    b->tables |= tables;
    CHECK_EQ(peek(b, EGRET_A_FAULTS), b->faults, b->what);
    CHECK_EQ(peek(b, EGRET_A_FAULT_TABLES), b->tables, b->what);
}

/* Applies it, and to the model alone checks egret_explain() as well. */
static inline struct egret_decision send(struct bench *b, const struct egret_event *ev)
{
    struct egret_decision d;
    struct egret_why why;
    if (b->s != NULL)
        return sut_decide(b->s, ev);
    uint32_t before = test_read(b->e, EGRET_A_FAULTS);
    REQUIRE(egret_explain(b->e, ev, &why) == EGRET_OK);
    CHECK_EQ(test_read(b->e, EGRET_A_FAULTS), before, "explain changes nothing");
    REQUIRE(egret_apply(b->e, ev, &d) == EGRET_OK);
    CHECK(memcmp(&d, &why.decision, sizeof d) == 0, "%s: explain says something else", b->what);
    CHECK((why.faults != 0) == (test_read(b->e, EGRET_A_FAULTS) != before) &&
              (why.faults & ~test_read(b->e, EGRET_A_FAULT_TABLES)) == 0,
          "%s: explain says faults %x", b->what, why.faults);
    return d;
}

static inline void expect(struct bench *b, const struct egret_event *ev, uint32_t reason,
                          uint32_t port, uint32_t choice, uint32_t data, uint32_t tables)
{
    struct egret_decision d = send(b, ev);
    CHECK(d.reason == reason && d.port == port && d.choice == choice && d.data == data,
          "%s: reason %u/%u port %u/%u choice %u/%u data %x/%x", b->what, d.reason, reason, d.port,
          port, d.choice, choice, d.data, data);
    met(b, tables);
}

static inline void expect_drop(struct bench *b, const struct egret_event *ev, uint32_t reason,
                               uint32_t data, uint32_t tables)
{
    expect(b, ev, reason, EGRET_PORT_DROP, EGRET_PORT_DROP, data, tables);
}

/* A packet that meets nothing. */
static inline struct egret_decision expect_good(struct bench *b, const struct egret_event *ev)
{
    struct egret_decision d = send(b, ev);
    met(b, 0);
    return d;
}

/* The k-th port of `mask` by r of 16 bits. */
static inline uint32_t kth(uint64_t mask, uint32_t r)
{
    uint32_t count = 0, port = 0;
    for (uint64_t m = mask; m != 0; m >>= 1)
        count += m & 1u;
    for (uint32_t k = (r & 0xffffu) * count / 65536u; port < 64; port++)
        if ((mask >> port & 1u) != 0 && k-- == 0)
            return port;
    return 64;
}

#endif
