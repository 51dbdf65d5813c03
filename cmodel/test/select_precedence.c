/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_precedence.c: which setting counts where two could (docs/spec/precedence.md): a function
 * for each row of its table, named by the row.
 *
 * usage: select_precedence model | select_precedence FOLDER CONFIG...
 *   The second form is for the RTL: FOLDER has check_CONFIG.so. Configurations without a matrix
 *   that sets the hash, without flowlets and loads, or with fewer than three ports are skipped.
 *
 * Faults of docs/verification.md: B25.
 */
#include "select_sut.h"

#define ALL 7u    /* members */
#define IDLE 10u  /* units of 16 ns */
#define FLOW(tag, index) ((uint32_t)(tag) << 20 | (uint32_t)(index)) /* a hash */

static struct egret_group flowlets(uint32_t base, uint32_t mask)
{
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = EGRET_SCHEME_FLOWLET;
    g.bucket_mask = 1;
    g.members = ALL;
    g.flowlet_base = base;
    g.flowlet_mask = mask;
    g.idle = IDLE;
    return g;
}

static void commit(struct sut *s, uint32_t number, const struct egret_group *g)
{
    REQUIRE(egret_ctl_group(&s->cfg, number, g, sut_emit, s) == EGRET_OK);
}

static void put(struct sut *s, uint32_t address, uint32_t data)
{
    sut_event(s, EGRET_EV_WRITE, address, data);
}

/* A packet of a hash, which is the seed as the matrix is empty. */
static struct egret_decision send(struct sut *s, uint32_t group, uint32_t hash, uint64_t unit)
{
    struct egret_event ev = test_packet(group, 0, 0);
    ev.now = unit * 16u;
    put(s, EGRET_A_HASH_SEED, hash);
    return sut_decide(s, &ev);
}

static uint32_t outcome(struct sut *s, uint32_t group, uint32_t hash, uint64_t unit)
{
    return send(s, group, hash, unit).data >> 30;
}

static uint32_t conflicts(struct sut *s, uint32_t group)
{
    return sut_read(s, EGRET_A_FLOWLET_COUNTER(group, EGRET_FLOWLET_CONFLICT));
}

/* Band of a port once what it measures is in force. */
static uint32_t band(struct sut *s, uint32_t port)
{
    sut_event(s, EGRET_EV_TICK, 0, 0);
    sut_event(s, EGRET_EV_TICK, 0, 0);
    return sut_read(s, EGRET_A_PORT_LOAD(port, 2));
}

static void queue(struct sut *s, uint32_t port, uint32_t depth)
{
    sut_event(s, EGRET_EV_QUEUE, port, depth);
}

/* Bands by the queue alone: a buffer of 16384 bytes, eighths. */
static void loads(struct sut *s)
{
    struct egret_load load;
    REQUIRE(egret_load_preset("sai", &load) == EGRET_OK);
    load.weight_past = 0;
    load.weight_future = 256;
    REQUIRE(egret_ctl_load(&s->cfg, &load, sut_emit, s, NULL) == EGRET_OK);
    for (uint32_t p = 0; p < 3u; p++)
        REQUIRE(egret_ctl_port_load(&s->cfg, p, 1000000000u, 1u << 17, &load, sut_emit, s, NULL) ==
                EGRET_OK);
}

/* The limit of a group is its own slice: one that is full leaves the other group alone. */
static void p1(struct sut *s)
{
    struct egret_group a = flowlets(0, 0), b = flowlets(1, 0);
    commit(s, 0, &a);
    commit(s, 1, &b);
    CHECK_EQ(outcome(s, 0, FLOW(1, 0), 100), EGRET_FLOWLET_NEW, "a's entry");
    CHECK_EQ(outcome(s, 0, FLOW(2, 0), 101), EGRET_FLOWLET_CONFLICT, "a is full");
    CHECK_EQ(outcome(s, 1, FLOW(2, 0), 102), EGRET_FLOWLET_NEW, "b is not");
    CHECK_EQ(conflicts(s, 0), 1, "a");
    CHECK_EQ(conflicts(s, 1), 0, "b");
}

/* The table is the limit of all: the control side refuses a slice beyond it, and a mask that is
 * written all the same goes round. */
static void p2(struct sut *s)
{
    uint32_t n = s->cfg.num_flowlets;
    const char *param = NULL;
    struct egret_group g = flowlets(0, 0);
    CHECK_EQ(egret_ctl_flowlet(&s->cfg, &g, 0, n, 0, &param), EGRET_OK, "all of it");
    CHECK_EQ(egret_ctl_flowlet(&s->cfg, &g, 0, 2 * n, 0, &param), EGRET_ERR_RANGE, "twice");
    CHECK(param != NULL && strcmp(param, "entries") == 0, "what is too many");
    CHECK_EQ(egret_ctl_flowlet(&s->cfg, &g, n / 2, n, 0, &param), EGRET_ERR_RANGE, "beyond");
    put(s, EGRET_A_GROUP_STAGE3, ALL);
    put(s, EGRET_A_GROUP_STAGE5, 0xffffu << 16 | (n - 1u));
    put(s, EGRET_A_GROUP_STAGE6, IDLE);
    put(s, EGRET_A_GROUP(0, 0), EGRET_SCHEME_FLOWLET);
    CHECK_EQ(send(s, 0, FLOW(1, 1), 100).data, (uint32_t)EGRET_FLOWLET_NEW << 30, "entry 0");
}

/* Nothing left: a conflict, counted, by the bucket as ecmp; those that have an entry keep it. */
static void p3(struct sut *s)
{
    struct egret_group g = flowlets(0, 0);
    put(s, EGRET_A_BUCKET(0), 2);
    put(s, EGRET_A_BUCKET(1), 1);
    commit(s, 0, &g);
    uint32_t port = send(s, 0, FLOW(1, 0), 100).port;
    for (uint32_t i = 0; i < 4u; i++) {
        struct egret_decision d = send(s, 0, FLOW(2, i), 101 + i);
        CHECK_EQ(d.data >> 30, EGRET_FLOWLET_CONFLICT, "no entry is left");
        CHECK_EQ(d.port, i % 2u ? 1 : 2, "its bucket");
        CHECK_EQ(conflicts(s, 0), i + 1u, "counted");
    }
    struct egret_decision d = send(s, 0, FLOW(1, 0), 105);
    CHECK(d.data >> 30 == EGRET_FLOWLET_HIT && d.port == port, "the owner keeps it");
}

/* Slices that overlap are one budget: a flow of one group is in the way of the other's. */
static void p4(struct sut *s)
{
    struct egret_group g = flowlets(3, 0);
    commit(s, 0, &g);
    commit(s, 1, &g);
    CHECK_EQ(outcome(s, 0, FLOW(1, 0), 100), EGRET_FLOWLET_NEW, "group 0");
    CHECK_EQ(outcome(s, 1, FLOW(2, 0), 101), EGRET_FLOWLET_CONFLICT, "group 1, another flow");
    CHECK_EQ(outcome(s, 1, FLOW(1, 0), 102), EGRET_FLOWLET_HIT, "group 1, the same flow");
    CHECK_EQ(conflicts(s, 0), 0, "counted where it happens");
    CHECK_EQ(conflicts(s, 1), 1, "counted where it happens");
}

/* A scale that was written counts until the next write; nothing makes another one by itself. */
static void p5(struct sut *s)
{
    struct egret_group g = flowlets(0, 0);
    loads(s);
    queue(s, 1, 1u << 16); /* half of the buffer */
    CHECK_EQ(band(s, 1), 4, "from the buffer");
    uint32_t word = sut_read(s, EGRET_A_PORT_LOAD(1, 1));
    put(s, EGRET_A_PORT_LOAD(1, 1), (word & 0x1f0000u) | (word & 0xffffu) / 2u);
    CHECK_EQ(band(s, 1), 2, "half of it: a quarter");
    sut_event(s, EGRET_EV_PORT, 1, 0);
    sut_event(s, EGRET_EV_PORT, 1, 1);
    commit(s, 0, &g);
    CHECK_EQ(band(s, 1), 2, "port and group events do not bring it back");
    put(s, EGRET_A_LOAD_EXPONENT, 5);
    CHECK_EQ(sut_read(s, EGRET_A_PORT_LOAD(1, 1)) & 0xffffu, (word & 0xffffu) / 2u, "as written");
    loads(s);
    CHECK_EQ(band(s, 1), 4, "the control side again");
}

/* 0 is a scale like any other, not 'automatic': the port is always empty. */
static void p6(struct sut *s)
{
    loads(s);
    queue(s, 1, 1u << 17);
    CHECK_EQ(band(s, 1), 7, "full");
    put(s, EGRET_A_PORT_LOAD(1, 1), 0);
    CHECK_EQ(band(s, 1), 0, "scale 0");
    queue(s, 2, 1u << 17);
    CHECK_EQ(band(s, 2), 7, "another port's is its own");
}

/* A group has one set of settings: the last commit, whole, and only of this group. */
static void p7(struct sut *s)
{
    struct egret_group a = flowlets(0, 0), b = flowlets(1, 0);
    commit(s, 0, &a);
    commit(s, 1, &b);
    CHECK_EQ(outcome(s, 0, FLOW(1, 0), 100), EGRET_FLOWLET_NEW, "group 0");
    CHECK_EQ(outcome(s, 1, FLOW(1, 0), 100), EGRET_FLOWLET_NEW, "group 1");
    put(s, EGRET_A_GROUP_STAGE6, IDLE + 10u); /* staged and not committed */
    CHECK_EQ(outcome(s, 0, FLOW(1, 0), 111), EGRET_FLOWLET_NEW, "a silence of 11");
    a.idle = IDLE + 10u;
    commit(s, 0, &a);
    CHECK_EQ(outcome(s, 0, FLOW(1, 0), 122), EGRET_FLOWLET_HIT, "the last commit");
    CHECK_EQ(outcome(s, 1, FLOW(1, 0), 111), EGRET_FLOWLET_NEW, "group 1 as before");
    memset(&a, 0, sizeof a);
    a.scheme = EGRET_SCHEME_FLOWLET;
    a.members = ALL;
    commit(s, 0, &a);
    CHECK_EQ(outcome(s, 0, FLOW(1, 0), 123), EGRET_FLOWLET_NEW, "nothing of the one before stays");
}

/* Load settings are one set for the switch: a group has none, and no group is left out. */
static void p8(struct sut *s)
{
    struct egret_group g = flowlets(0, 0);
    g.scheme = EGRET_SCHEME_SPRAY_QUALITY;
    loads(s);
    for (uint32_t i = 0; i < 2u; i++)
        commit(s, i, &g);
    queue(s, 0, 1u << 17);
    queue(s, 2, 1u << 17);
    (void)band(s, 0);
    for (uint32_t i = 0; i < 2u; i++)
        CHECK_EQ(send(s, i, 0, 100).port, 1, "the empty one");
    for (uint32_t t = 1; t < 8u; t++)
        put(s, EGRET_A_LOAD_THRESHOLD(t), EGRET_LOAD_NEVER);
    (void)band(s, 0);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 64u; i++)
        seen |= 1u << send(s, i % 2u, 0, 100).port;
    CHECK_EQ(seen, ALL, "all alike, in both groups");
}

/* A class that keeps order goes by the group's scheme for it, if that is not 0. */
static void p9(struct sut *s)
{
    struct egret_group g = flowlets(0, 0);
    struct egret_event ev = test_packet(0, 0, 0);
    static const struct {
        uint32_t ordered, classes;
        uint8_t cls, scheme;
    } row[] = {
        {EGRET_SCHEME_ECMP, 4, 2, EGRET_SCHEME_ECMP},
        {EGRET_SCHEME_ECMP, 4, 3, EGRET_SCHEME_FLOWLET},
        {EGRET_SCHEME_ECMP, 0, 2, EGRET_SCHEME_FLOWLET},
        {0, 4, 2, EGRET_SCHEME_FLOWLET},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        g.ordered = row[i].ordered;
        commit(s, 0, &g);
        put(s, EGRET_A_CLASS_ORDERED, row[i].classes);
        ev.cls = row[i].cls;
        CHECK_EQ(sut_decide(s, &ev).scheme, row[i].scheme, "scheme");
    }
}

/* Of word 6 a scheme sees its own: DRILL is nothing to flowlet, idle nothing to spray-quality. */
static void p10(struct sut *s)
{
    struct egret_group g = flowlets(0, 0);
    loads(s);
    g.by_quality = 1;
    g.drill_samples = 1;
    g.drill_memory = 1;
    commit(s, 0, &g);
    put(s, EGRET_A_DRILL_MEMORY(0), EGRET_MEMORY_VALID | 0u);
    queue(s, 0, 1u << 17);
    queue(s, 2, 1u << 17);
    (void)band(s, 0);
    for (uint32_t i = 0; i < 16u; i++) /* one sample would be another port at some time */
        CHECK_EQ(send(s, 0, FLOW(i, 0), 100u + 11u * i).port, 1, "the emptiest of all");
    CHECK_EQ(sut_read(s, EGRET_A_DRILL_MEMORY(0)), EGRET_MEMORY_VALID | 0u, "not touched");
    g.scheme = EGRET_SCHEME_SPRAY_QUALITY;
    g.drill_samples = 0;
    commit(s, 0, &g);
    uint32_t before = sut_read(s, EGRET_A_FLOWLET(0, 0));
    CHECK_EQ(send(s, 0, FLOW(3, 0), 400).port, 1, "the emptiest");
    CHECK_EQ(sut_read(s, EGRET_A_FLOWLET(0, 0)), before, "no entry");
}

/* QUALITY_SMALL is spray-quality's: its short packets are hashed, those of flowlet are not. */
static void p11(struct sut *s)
{
    struct egret_group g = flowlets(0, 0);
    loads(s);
    put(s, EGRET_A_QUALITY_SMALL, 1001);
    put(s, EGRET_A_BUCKET(0), 2);
    g.scheme = EGRET_SCHEME_SPRAY_QUALITY;
    commit(s, 0, &g);
    g.scheme = EGRET_SCHEME_FLOWLET;
    commit(s, 1, &g);
    queue(s, 2, 1u << 17);
    (void)band(s, 2);
    CHECK_EQ(send(s, 0, FLOW(1, 0), 100).port, 2, "its bucket, full as it is");
    CHECK_EQ(outcome(s, 1, FLOW(1, 0), 100), EGRET_FLOWLET_NEW, "an entry");
    put(s, EGRET_A_QUALITY_SMALL, 1000);
    CHECK(send(s, 0, FLOW(1, 0), 100).port != 2, "not small");
}

/* Liveness is above all: an entry, a bucket or a memory whose port is down is repaired, and counts
 * again once it is up. */
static void p12(struct sut *s)
{
    struct egret_group g = flowlets(0, 0);
    commit(s, 0, &g);
    uint32_t port = send(s, 0, FLOW(1, 0), 100).port;
    sut_event(s, EGRET_EV_PORT, port, 0);
    struct egret_decision d = send(s, 0, FLOW(1, 0), 101);
    CHECK(d.port != port && d.choice == port && d.reason == EGRET_REASON_REPAIRED, "repaired");
    sut_event(s, EGRET_EV_PORT, port, 1);
    CHECK_EQ(send(s, 0, FLOW(1, 0), 102).port, port, "back");
}

static void run(const char *which, const char *config)
{
    static void (*const row[])(struct sut *) = {p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12};
    struct sut *s = sut_open(which, config);
    if (s->cfg.hash_kind == EGRET_HASH_KIND_MATRIX && s->cfg.num_ports >= 3 &&
        s->cfg.num_flowlets != 0 && (s->cfg.schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u)) {
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
            unsigned long before = test_fail;
            sut_reset(s);
            row[i](s);
            if (test_fail != before)
                fprintf(stderr, "%s, %s: row P%zu\n", s->ops->name, config, i + 1);
        }
    }
    sut_close(s);
}

int main(int argc, char **argv)
{
    return sut_main(argc, argv, "select_precedence", run);
}
