/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_counters.c: every counter (docs/spec/events.md, section 4, with SAI's names): a situation
 * that makes it tick by exactly one, and its neighbour, which leaves it still. Around each single
 * event all counters of the selector are read, and none but those named may have moved.
 *
 * usage: select_counters model | select_counters FOLDER CONFIG...
 *   The second form is for the RTL: FOLDER has check_CONFIG.so.
 *
 * Faults of docs/verification.md: B26.
 */
#include "select_sut.h"

enum kind {
    TICKS,
    WRITES_IGNORED,
    EVENTS_IGNORED,
    DROPS_SCHEME,
    DROPS_INDEX,
    FAULTS,
    PORT_PACKETS,
    PORT_BYTES,
    GROUP_DROPS,
    GROUP_REPAIRS,
    FLOWLET_HITS,
    FLOWLET_NEW,
    FLOWLET_EVICTIONS,
    FLOWLET_CONFLICTS,
    FLOWLET_REASSIGNMENTS,
    KINDS
};

static const char *const kind_name[KINDS] = {
    "TICK_COUNT",        "WRITES_IGNORED",    "EVENTS_IGNORED",
    "DROPS_SCHEME",      "DROPS_INDEX",       "FAULTS",
    "port packets",      "port bytes",        "group drops",
    "group repairs",     "flowlet hits",      "flowlet new",
    "flowlet evictions", "flowlet conflicts", "flowlet reassignments",
};

#define MOST_INDEX 128u
#define NOBODY 255u

struct counts {
    uint64_t of[KINDS][MOST_INDEX];
};

struct test {
    struct sut *s;
    struct counts was;
    unsigned long once[KINDS], still[KINDS];
};

static uint32_t indices(const struct test *t, enum kind k)
{
    const struct egret_cfg *c = &t->s->cfg;
    return k == FAULTS        ? c->parity
           : k < PORT_PACKETS  ? 1
           : k <= PORT_BYTES   ? c->num_ports
           : k <= GROUP_REPAIRS ? c->num_groups
           : c->num_flowlets != 0 ? c->num_groups
                                  : 0;
}

static uint32_t address(enum kind k, uint32_t i)
{
    static const uint32_t global[6] = {EGRET_A_TICK_COUNT,   EGRET_A_WRITES_IGNORED,
                                       EGRET_A_EVENTS_IGNORED, EGRET_A_DROPS_SCHEME,
                                       EGRET_A_DROPS_INDEX,  EGRET_A_FAULTS};
    return k < PORT_PACKETS    ? global[k]
           : k <= PORT_BYTES    ? EGRET_A_PORT_COUNTER(i, k == PORT_PACKETS ? 0 : 2)
           : k <= GROUP_REPAIRS ? EGRET_A_GROUP_COUNTER(i, k - GROUP_DROPS)
                                : EGRET_A_FLOWLET_COUNTER(i, k - FLOWLET_HITS);
}

static bool wide(enum kind k)
{
    return k == PORT_PACKETS || k == PORT_BYTES;
}

/* In one burst. */
static void read_all(struct test *t, struct counts *out)
{
    size_t at = 0;
    sut_flush(t->s);
    for (unsigned k = 0; k < KINDS; k++)
        for (uint32_t i = 0; i < indices(t, k); i++)
            for (uint32_t w = 0; w < (wide(k) ? 2u : 1u); w++)
                sut_event(t->s, EGRET_EV_READ, address(k, i) + w, 0);
    REQUIRE(t->s->n < SUT_ROOM); /* all of them in s->d */
    sut_flush(t->s);
    memset(out, 0, sizeof *out);
    for (unsigned k = 0; k < KINDS; k++)
        for (uint32_t i = 0; i < indices(t, k); i++)
            for (uint32_t w = 0; w < (wide(k) ? 2u : 1u); w++)
                out->of[k][i] |= (uint64_t)t->s->d[at++].data << 32 * w;
}

/* What one counter has moved by. */
struct move {
    enum kind kind;
    uint32_t index;
    uint64_t by;
};

/* The set-up is done; all counters are as they are now. */
static void settle(struct test *t)
{
    read_all(t, &t->was);
}

/* All counters against those at settle(): exactly these n moves. */
static void moved(struct test *t, const char *what, const struct move *move, unsigned n)
{
    static struct counts is;
    bool moves[KINDS] = {false};
    read_all(t, &is);
    for (unsigned k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < indices(t, k); i++) {
            uint64_t want = 0;
            for (unsigned m = 0; m < n; m++)
                if (move[m].kind == k && move[m].index == i)
                    want = move[m].by;
            CHECK(is.of[k][i] - t->was.of[k][i] == want, "%s, %s: %s %u moved by %llu, not %llu",
                  t->s->ops->name, what, kind_name[k], i,
                  (unsigned long long)(is.of[k][i] - t->was.of[k][i]), (unsigned long long)want);
            t->once[k] += want == 1;
            moves[k] = moves[k] || want != 0;
        }
        t->still[k] += !moves[k];
    }
    t->was = is;
}

#define MOVED(t, what, ...)                                                         \
    moved(t, what, (const struct move[]){__VA_ARGS__},                              \
          sizeof((const struct move[]){__VA_ARGS__}) / sizeof(struct move))

static void event(struct test *t, uint8_t kind, uint32_t address, uint32_t data)
{
    sut_event(t->s, kind, address, data);
}

static void put(struct test *t, uint32_t address, uint32_t data)
{
    event(t, EGRET_EV_WRITE, address, data);
}

/* Group 0 as wanted, its bucket 0 to port 0. */
static void group(struct test *t, uint32_t scheme, uint64_t members)
{
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.members = members;
    if (scheme == EGRET_SCHEME_FLOWLET && t->s->cfg.num_flowlets != 0)
        g.idle = 100;
    put(t, EGRET_A_BUCKET(0), 0);
    REQUIRE(egret_ctl_group(&t->s->cfg, 0, &g, sut_emit, t->s) == EGRET_OK);
}

static struct egret_decision send(struct test *t, uint32_t number, uint32_t key, uint32_t length,
                                  uint8_t flow, uint64_t units)
{
    struct egret_event ev = test_packet(number, key, 0);
    ev.length = (uint16_t)length;
    ev.record[3] = flow;
    ev.now = units * 16;
    return sut_decide(t->s, &ev);
}

/* A packet that is sent moves its port's counters and nothing else, whatever the scheme. */
static void sent(struct test *t)
{
    for (uint32_t scheme = 1; scheme < EGRET_SCHEME_FLOWLET; scheme++) {
        if (!(t->s->cfg.schemes >> scheme & 1u))
            continue;
        group(t, scheme, 1);
        settle(t);
        (void)send(t, 0, 0, 1, 1, 0);
        MOVED(t, egret_scheme_name(scheme), {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
        (void)send(t, 0, 0, 0, 1, 0);
        MOVED(t, "no bytes", {PORT_PACKETS, 0, 1});
        (void)send(t, 0, 0, 65535, 1, 0);
        MOVED(t, "the longest", {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 65535});
    }
}

static void repairs(struct test *t)
{
    uint32_t last = t->s->cfg.num_ports - 1;
    if (last == 0)
        return;
    group(t, EGRET_SCHEME_ECMP, 1);
    put(t, EGRET_A_BUCKET(0), last);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "no member", {GROUP_REPAIRS, 0, 1}, {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    group(t, EGRET_SCHEME_ECMP, 1 | (uint64_t)1 << last);
    put(t, EGRET_A_BUCKET(0), last);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "a member", {PORT_PACKETS, last, 1}, {PORT_BYTES, last, 1});
    event(t, EGRET_EV_PORT, last, 0);
    MOVED(t, "a port goes down", {TICKS, 0, 0});
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "its port is down", {GROUP_REPAIRS, 0, 1}, {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    event(t, EGRET_EV_PORT, last, 1);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "its port is back", {PORT_PACKETS, last, 1}, {PORT_BYTES, last, 1});
}

static void drops(struct test *t)
{
    const struct egret_cfg *c = &t->s->cfg;
    group(t, EGRET_SCHEME_ECMP, 0);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "drop-empty", {GROUP_DROPS, 0, 1});
    group(t, EGRET_SCHEME_ECMP, 1);
    event(t, EGRET_EV_PORT, 0, 0);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "drop-down", {GROUP_DROPS, 0, 1});
    event(t, EGRET_EV_PORT, 0, 1);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "a live member", {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    group(t, 9, 1);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "drop-scheme", {GROUP_DROPS, 0, 1}, {DROPS_SCHEME, 0, 1});
    group(t, 9, 0);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "drop-empty, unknown scheme", {GROUP_DROPS, 0, 1});
    (void)send(t, c->num_groups, 0, 1, 1, 0);
    MOVED(t, "group beyond", {DROPS_INDEX, 0, 1});
    group(t, EGRET_SCHEME_DR, 1);
    settle(t);
    (void)send(t, 0, c->num_keys, 1, 1, 0);
    MOVED(t, "key beyond", {DROPS_INDEX, 0, 1}, {GROUP_DROPS, 0, 1});
    (void)send(t, 0, c->num_keys - 1, 1, 1, 0);
    MOVED(t, "the last key", {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    group(t, EGRET_SCHEME_ECMP, 1);
    settle(t);
    (void)send(t, 0, c->num_keys, 1, 1, 0);
    MOVED(t, "a key that nobody looks at", {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    if (c->num_groups > 1) {
        (void)send(t, c->num_groups - 1, 0, 1, 1, 0);
        MOVED(t, "the last group, empty", {GROUP_DROPS, c->num_groups - 1, 1});
    }
}

/* Events without a result. {TICKS, 0, 0}: nothing moves. */
static void ignored(struct test *t)
{
    const struct egret_cfg *c = &t->s->cfg;
    group(t, EGRET_SCHEME_ECMP, 1);
    settle(t);
    put(t, EGRET_A_BUCKET(c->num_buckets), 0);
    MOVED(t, "bucket beyond", {WRITES_IGNORED, 0, 1});
    put(t, EGRET_A_BUCKET(c->num_buckets - 1), 0);
    MOVED(t, "the last bucket", {TICKS, 0, 0});
    put(t, EGRET_A_BUCKET(0), c->num_ports);
    MOVED(t, "port beyond", {WRITES_IGNORED, 0, 1});
    put(t, EGRET_A_BUCKET(0), c->num_ports - 1);
    MOVED(t, "the last port", {TICKS, 0, 0});
    put(t, EGRET_A_WRITES_IGNORED, 0);
    MOVED(t, "a counter cannot be written", {WRITES_IGNORED, 0, 1});
    put(t, EGRET_A_FRONT, 0);
    MOVED(t, "the front end's", {TICKS, 0, 0});
    event(t, EGRET_EV_PORT, c->num_ports, 0);
    MOVED(t, "port event beyond", {EVENTS_IGNORED, 0, 1});
    event(t, EGRET_EV_PORT, c->num_ports - 1, 1);
    MOVED(t, "port event of the last port", {TICKS, 0, 0});
    event(t, EGRET_EV_QUEUE, c->num_ports, 1);
    MOVED(t, "queue event beyond", {EVENTS_IGNORED, 0, 1});
    event(t, EGRET_EV_QUEUE, c->num_ports - 1, 1);
    MOVED(t, "queue event of the last port", {TICKS, 0, 0});
    event(t, EGRET_EV_TICK, 0, 0);
    MOVED(t, "tick", {TICKS, 0, 1});
    (void)sut_read(t->s, EGRET_A_BUCKET(c->num_buckets));
    MOVED(t, "a read beyond", {TICKS, 0, 0});
}

/* Parity: bad entries, and the same entries mended. */
static void faults(struct test *t)
{
    group(t, EGRET_SCHEME_ECMP, 1);
    settle(t);
    event(t, EGRET_EV_FAULT, EGRET_A_BUCKET(0), 0);
    if (t->s->cfg.parity == 0) {
        MOVED(t, "a fault write without parity", {WRITES_IGNORED, 0, 1});
        return;
    }
    MOVED(t, "a fault write", {TICKS, 0, 0});
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "a bad bucket", {FAULTS, 0, 1}, {GROUP_REPAIRS, 0, 1}, {PORT_PACKETS, 0, 1},
          {PORT_BYTES, 0, 1});
    put(t, EGRET_A_BUCKET(0), 0);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "a mended bucket", {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    uint32_t word = sut_read(t->s, EGRET_A_GROUP(0, 0));
    event(t, EGRET_EV_FAULT, EGRET_A_GROUP(0, 0), word);
    MOVED(t, "a fault write of a group", {TICKS, 0, 0});
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "drop-fault", {FAULTS, 0, 1}, {GROUP_DROPS, 0, 1});
    put(t, EGRET_A_GROUP(0, 0), word);
    (void)send(t, 0, 0, 1, 1, 0);
    MOVED(t, "a mended group", {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    event(t, EGRET_EV_FAULT, EGRET_A_BUCKET(t->s->cfg.num_buckets), 0);
    MOVED(t, "a fault write beyond", {WRITES_IGNORED, 0, 1});
}

/* Entry 0 holds flow 1, or nobody, last seen at 1000 on a port. */
static void remember(struct test *t, uint32_t tag, uint32_t port)
{
    const struct egret_cfg *c = &t->s->cfg;
    REQUIRE(egret_ctl_flowlet_clear(c, 0, 1, sut_emit, t->s) == EGRET_OK);
    if (tag != NOBODY)
        REQUIRE(egret_ctl_flowlet_entry(c, 0, tag, port, 1000, sut_emit, t->s) == EGRET_OK);
    settle(t);
}

static void flowlets(struct test *t)
{
    const struct egret_cfg *c = &t->s->cfg;
    uint32_t last = c->num_ports - 1;
    if (c->num_flowlets == 0)
        return;
    put(t, EGRET_A_HASH_SEED, 0x12345678u); /* a tag that is not NOBODY */
    group(t, EGRET_SCHEME_ECMP, 1);
    uint32_t tag = send(t, 0, 0, 1, 1, 0).data >> 20;
    REQUIRE(tag != NOBODY);
    uint32_t other = tag ^ 1u;
    group(t, EGRET_SCHEME_FLOWLET, 1);
    remember(t, NOBODY, 0);
    (void)send(t, 0, 0, 1, 1, 1000);
    MOVED(t, "empty entry", {FLOWLET_NEW, 0, 1}, {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    remember(t, tag, 0);
    (void)send(t, 0, 0, 1, 1, 1100);
    MOVED(t, "idle", {FLOWLET_HITS, 0, 1}, {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    remember(t, tag, 0);
    (void)send(t, 0, 0, 1, 1, 1101);
    MOVED(t, "idle + 1", {FLOWLET_NEW, 0, 1}, {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    remember(t, other, 0);
    (void)send(t, 0, 0, 1, 1, 1100);
    MOVED(t, "another, idle", {FLOWLET_CONFLICTS, 0, 1}, {PORT_PACKETS, 0, 1},
          {PORT_BYTES, 0, 1});
    remember(t, other, 0);
    (void)send(t, 0, 0, 1, 1, 1101);
    MOVED(t, "another, idle + 1", {FLOWLET_EVICTIONS, 0, 1}, {PORT_PACKETS, 0, 1},
          {PORT_BYTES, 0, 1});
    if (last > 0) {
        remember(t, tag, last);
        (void)send(t, 0, 0, 1, 1, 1101);
        MOVED(t, "a new path elsewhere", {FLOWLET_REASSIGNMENTS, 0, 1}, {PORT_PACKETS, 0, 1},
              {PORT_BYTES, 0, 1});
        remember(t, tag, last);
        (void)send(t, 0, 0, 1, 1, 1100);
        MOVED(t, "its port is no member", {FLOWLET_HITS, 0, 1}, {GROUP_REPAIRS, 0, 1},
              {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    }
    event(t, EGRET_EV_PORT, 0, 0);
    for (uint32_t units = 1100; units < 1102; units++) {
        remember(t, units % 2 == 0 ? tag : other, 0);
        (void)send(t, 0, 0, 1, 1, units);
        MOVED(t, "none live", {GROUP_DROPS, 0, 1});
    }
    event(t, EGRET_EV_PORT, 0, 1);
    group(t, EGRET_SCHEME_FLOWLET, 0);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 1100);
    MOVED(t, "no member", {GROUP_DROPS, 0, 1});
    group(t, EGRET_SCHEME_ECMP, 1);
    settle(t);
    (void)send(t, 0, 0, 1, 1, 1101);
    MOVED(t, "another scheme", {PORT_PACKETS, 0, 1}, {PORT_BYTES, 0, 1});
    put(t, EGRET_A_FLOWLET(0, 0), 0);
    MOVED(t, "an entry is written", {TICKS, 0, 0});
    put(t, EGRET_A_FLOWLET_COUNTER(0, 0), 0);
    MOVED(t, "its counters cannot be written", {WRITES_IGNORED, 0, 1});
}

static void run(const char *which, const char *config)
{
    struct test *t = calloc(1, sizeof *t);
    REQUIRE(t != NULL);
    t->s = sut_open(which, config);
    REQUIRE(t->s->cfg.num_groups <= MOST_INDEX && t->s->cfg.num_ports <= MOST_INDEX);
    sent(t);
    repairs(t);
    drops(t);
    ignored(t);
    faults(t);
    flowlets(t);
    for (unsigned k = 0; k < KINDS; k++) {
        bool one_port = t->s->cfg.num_ports == 1 &&
                        ((k == GROUP_REPAIRS && t->s->cfg.parity == 0) ||
                         k == FLOWLET_REASSIGNMENTS);
        CHECK((t->once[k] > 0) == (indices(t, k) > 0 && !one_port) && t->still[k] > 0,
              "%s: %s by one %lu times, still %lu times", t->s->ops->name, kind_name[k],
              t->once[k], t->still[k]);
    }
    sut_close(t->s);
    free(t);
}

int main(int argc, char **argv)
{
    return sut_main(argc, argv, "select_counters", run);
}
