/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_groups_test.h: what select_groups.c and select_steps.c share: a selector under test beside
 * the reference, groups and packets for it, the documented bucket table, and main()'s arguments.
 */
#ifndef EGRET_SELECT_GROUPS_TEST_H
#define EGRET_SELECT_GROUPS_TEST_H

#include "select_groups_ref.h"
#include "select_sut.h"

#define MAX_COUNT 256u /* buckets of a group */
#define CLASSES 16u    /* values of h[31:28] */

enum { FEW, SOME, ALL };

struct test {
    struct sut *s;
    struct ref r;
    int much; /* for which sizes every value of each half of the hash is taken */
    uint32_t count;
    uint32_t zero, turn[32]; /* HASH_KIND fixed: hash of the zero record; source address of a bit */
    uint32_t (*record)[MAX_COUNT]; /* lookup3: [class][bucket]: a source address */
    uint8_t home[4][MAX_COUNT], now[4][MAX_COUNT];
    struct egret_buckets b[4];
};

static inline uint64_t all_ports(const struct test *t)
{
    return ref_ports(&t->r);
}

static inline bool has(const struct test *t, uint32_t scheme)
{
    return t->s->cfg.schemes >> scheme & 1u;
}

static inline void commit(struct test *t, uint32_t number, uint32_t scheme, uint64_t members)
{
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.bucket_base = t->b[number].base;
    g.bucket_mask = t->b[number].count - 1;
    g.last = t->s->cfg.row_len - 1;
    g.row_mask = t->s->cfg.num_rows - 1;
    g.wraps = 1;
    g.members = members;
    if (scheme == EGRET_SCHEME_FLOWLET && t->s->cfg.num_flowlets != 0) {
        g.flowlet_mask = 7;
        g.idle = 4;
    }
    if (scheme == EGRET_SCHEME_SPRAY_QUALITY && has(t, scheme) && test_chance(2)) {
        g.drill_samples = 2;
        g.drill_memory = 1;
    }
    REQUIRE(egret_ctl_group(&t->s->cfg, number, &g, sut_emit, t->s) == EGRET_OK);
}

static inline void packet(struct test *t, uint32_t group)
{
    struct egret_event ev = test_packet(group, test_below(t->s->cfg.num_keys), 0);
    ev.bin = (uint8_t)test_below(t->s->cfg.num_bins);
    test_bytes(ev.record, sizeof ev.record);
    if (test_chance(2)) /* some flows again and again */
        memset(ev.record, (int)test_below(4), sizeof ev.record);
    ev.entropy = test_random();
    ev.length = (uint16_t)(64 + test_below(9000));
    ev.now = (uint64_t)test_below(1u << 10);
    sut_give(t->s, &ev);
}

static inline void packets(struct test *t, uint32_t group, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        packet(t, group);
}

/* Four groups of buckets, each with random ports, and random rows of the schedule. */
static inline void random_tables(struct test *t)
{
    const struct egret_cfg *c = &t->s->cfg;
    for (uint32_t i = 0; i < 4; i++) {
        t->b[i].count = c->num_buckets / 4 == 0            ? 1
                        : c->num_buckets / 4 < MAX_COUNT ? c->num_buckets / 4
                                                         : MAX_COUNT;
        t->b[i].base = c->num_buckets >= 4 ? i * t->b[i].count : 0;
        for (uint32_t k = 0; k < t->b[i].count; k++)
            sut_event(t->s, EGRET_EV_WRITE, EGRET_A_BUCKET(t->b[i].base + k),
                      test_below(c->num_ports));
    }
    for (uint32_t row = 0; row < c->num_rows && row < 4; row++)
        for (uint32_t slot = 0; slot < c->row_len; slot++)
            sut_event(t->s, EGRET_EV_WRITE, EGRET_A_SCHEDULE(0, row, slot),
                      test_below(c->num_ports));
}

/* Largest remainder, ties to the lower member. */
static inline void own_buckets(const struct egret_buckets *b, uint8_t *member)
{
    uint64_t sum = 0, given = 0;
    uint32_t share_of[64];
    bool more[64] = {false};
    for (uint32_t i = 0; i < b->num_members; i++)
        sum += b->member[i].weight;
    for (uint32_t i = 0; i < b->num_members; i++) {
        share_of[i] = (uint32_t)((uint64_t)b->count * b->member[i].weight / sum);
        given += share_of[i];
    }
    for (; given < b->count; given++) {
        uint32_t best = 64;
        for (uint32_t i = 0; i < b->num_members; i++)
            if (!more[i] && (best == 64 || (uint64_t)b->count * b->member[i].weight % sum >
                                               (uint64_t)b->count * b->member[best].weight % sum))
                best = i;
        more[best] = true;
    }
    for (uint32_t i = 0, at = 0; i < b->num_members; i++)
        for (uint32_t k = share_of[i] + more[i]; k > 0; k--)
            member[at++] = (uint8_t)i;
}

static inline void start(struct test *t)
{
    sut_reset(t->s);
    ref_reset(&t->r, &t->s->cfg);
}

static inline void run(const char *which, const char *config, int much,
                       void (*tests)(struct test *))
{
    struct test *t = calloc(1, sizeof *t);
    REQUIRE(t != NULL);
    t->s = sut_open(which, config);
    t->s->see = ref_see;
    t->s->ctx = &t->r;
    t->much = much;
    t->count = t->s->cfg.num_buckets < MAX_COUNT ? t->s->cfg.num_buckets : MAX_COUNT;
    for (uint32_t i = 0; i < 4; i++) {
        t->b[i].home = t->home[i];
        t->b[i].now = t->now[i];
        t->b[i].count = t->count;
    }
    test_seed(41);
    start(t);
    tests(t);
    sut_close(t->s);
    free(t);
}

/* model [quick] | FOLDER CONFIG...: all configurations, or those named in RTL. */
static inline int run_all(int argc, char **argv, void (*tests)(struct test *))
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s model [quick] | FOLDER CONFIG...\n", argv[0]);
        return 2;
    }
    if (sut_is_model(argv[1])) {
        for (size_t i = 0; egret_cfg_name(i) != NULL; i++)
            run(argv[1], egret_cfg_name(i), argc == 2 ? ALL : FEW, tests);
    } else {
        for (int i = 2; i < argc; i++)
            run(argv[1], argv[i], SOME, tests);
    }
    return test_end();
}

#endif
