/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_time.c: what comes between two packets of one flow, at every distance of the pipeline: a
 * port that goes down or up, a commit, a write of each kind of state, a tick, a queue event, a
 * read. Each case runs with the event and without it, and the packet behind it must differ exactly
 * where the pages of docs/spec say that the event counts. Flowlets in time: idle - 1, idle, idle +
 * 1, over the end of 24 bits and of the stamp's 48, back, and after silence for rounds. All
 * decisions are those of select_ref_model.h, too.
 *
 * usage: select_time model [CONFIG...] | select_time FOLDER CONFIG...
 *   The second form is for the RTL: FOLDER has check_CONFIG.so. It takes an event a clock.
 *
 * Faults of docs/verification.md: B21, B22, B24.
 */
#include "select_ref_model.h"
#include "select_sut.h"

#define IDLE 4u
#define UNIT 16u
#define PACKET_LENGTH 500u
#define HASHED 600u /* QUALITY_SMALL with which PACKET_LENGTH is small */
#define ROUND (1u << 24)
#define DEEP 100u /* a queue in the last band */

struct test {
    struct sut *s;
    struct ref r;
    const char *name;
    uint64_t now;
    struct egret_decision at[4]; /* of the packets with tags 1..3 */
    uint32_t deep;               /* the port whose queue is not empty */
};

static void see(void *ctx, const struct egret_event *ev, const struct egret_decision *d)
{
    struct test *t = ctx;
    struct egret_decision want = ref_apply(&t->r, ev);
    CHECK(memcmp(&want, d, sizeof want) == 0,
          "%s: kind %u, data %08x: port %u reason %u data %08x, not %u %u %08x", t->s->ops->name,
          ev->kind, ev->data, d->port, d->reason, d->data, want.port, want.reason, want.data);
    if (ev->kind == EGRET_EV_PACKET && ev->tag < 4)
        t->at[ev->tag] = *d;
}

/* ---- schemes and events ---- */

enum event {
    DOWN,    /* the port that the packet would take goes down */
    UP,      /* it comes up */
    MEMBER,  /* a commit without it */
    BUCKET,  /* the bucket points elsewhere */
    SLOT,    /* all slots that the packet may see; the last of them is the event */
    POINTER, /* the pointer is written */
    ENTRY,   /* the flowlet entry is written */
    MEMORY,  /* DRILL's memory is written */
    RANDOM,  /* the generator is written */
    SEED,    /* of the hash */
    LONGER,  /* a commit with a longer idle */
    SMALL,   /* QUALITY_SMALL */
    TICK,    /* puts a band in force that a tick before has measured */
    QUEUE,   /* counts behind two ticks */
    READ,    /* of the state; never counts */
    EVENTS
};

static const char *const event_name[EVENTS] = {
    "down",   "up",   "member", "bucket", "slot", "pointer", "entry", "memory",
    "random", "seed", "longer", "small",  "tick", "queue",   "read",
};

#define BIT(e) (1u << (e))
#define HASHES (BIT(DOWN) | BIT(UP) | BIT(MEMBER) | BIT(BUCKET) | BIT(SEED))
#define ROTATES (BIT(DOWN) | BIT(UP) | BIT(MEMBER) | BIT(SLOT) | BIT(POINTER))
#define BY_LOAD (BIT(TICK) | BIT(QUEUE))

struct row {
    const char *name;
    uint32_t scheme;
    uint32_t counts; /* events that change the packet behind them */
    uint32_t quality, drill;
    uint32_t gap; /* units between the two packets */
};

static const struct row rows[] = {
    {"ecmp", EGRET_SCHEME_ECMP, HASHES, 0, 0, 0},
    {"fixed", EGRET_SCHEME_FIXED, HASHES, 0, 0, 0},
    {"entropy", EGRET_SCHEME_ENTROPY, HASHES, 0, 0, 0},
    {"spray-rr", EGRET_SCHEME_SPRAY_RR, ROTATES, 0, 0, 0},
    {"dr", EGRET_SCHEME_DR, ROTATES, 0, 0, 0},
    {"spray-random", EGRET_SCHEME_SPRAY_RANDOM, BIT(DOWN) | BIT(UP) | BIT(MEMBER) | BIT(RANDOM), 0,
     0, 0},
    {"spray-quality", EGRET_SCHEME_SPRAY_QUALITY,
     BIT(DOWN) | BIT(UP) | BIT(MEMBER) | BIT(RANDOM) | BIT(SMALL) | BY_LOAD, 1, 0, 0},
    {"DRILL", EGRET_SCHEME_SPRAY_QUALITY,
     BIT(DOWN) | BIT(MEMBER) | BIT(MEMORY) | BIT(RANDOM) | BIT(SMALL) | BY_LOAD, 1, 1, 0},
    {"flowlet, hit", EGRET_SCHEME_FLOWLET, BIT(DOWN) | BIT(MEMBER) | BIT(ENTRY) | BIT(SEED), 0, 0,
     IDLE},
    {"flowlet, new", EGRET_SCHEME_FLOWLET,
     BIT(DOWN) | BIT(UP) | BIT(MEMBER) | BIT(ENTRY) | BIT(LONGER) | BIT(SEED), 0, 0, IDLE + 1},
    {"flowlet by quality, new", EGRET_SCHEME_FLOWLET,
     BIT(DOWN) | BIT(UP) | BIT(MEMBER) | BIT(ENTRY) | BIT(LONGER) | BIT(SEED) | BY_LOAD, 1, 0,
     IDLE + 1},
};

static bool there(const struct test *t, const struct row *row)
{
    uint32_t schemes = t->s->cfg.schemes;
    return (schemes >> row->scheme & 1u) &&
           (!row->quality || (schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u));
}

/* ---- events ---- */

static void put(struct test *t, uint32_t address, uint32_t data)
{
    sut_event(t->s, EGRET_EV_WRITE, address, data);
}

static void give(struct test *t, uint8_t kind, uint32_t port, uint32_t data)
{
    sut_event(t->s, kind, port, data);
}

static void tick(struct test *t)
{
    struct egret_event ev = test_write_event(0, 0);
    ev.kind = EGRET_EV_TICK;
    ev.now = t->now;
    sut_give(t->s, &ev);
}

static void packet(struct test *t, uint32_t group, uint32_t flow, uint32_t tag)
{
    struct egret_event ev = test_packet(group, 0, 0);
    ev.tag = tag;
    ev.length = PACKET_LENGTH;
    ev.now = t->now;
    ev.record[3] = (uint8_t)flow;
    ev.record[16] = 10;
    sut_give(t->s, &ev);
}

static uint64_t all_ports(const struct test *t)
{
    return t->s->cfg.num_ports == 64 ? UINT64_MAX : ((uint64_t)1 << t->s->cfg.num_ports) - 1;
}

/* Writes of group 0 but for the commit, whose data is returned. */
static uint32_t stage(struct test *t, const struct row *row, uint64_t members, uint32_t idle)
{
    struct egret_write write[16];
    struct egret_write_buffer out = {write, 16, 0};
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = row->scheme;
    g.members = members;
    if (row->scheme == EGRET_SCHEME_FLOWLET) {
        g.idle = idle;
        g.by_quality = row->quality;
    }
    if (row->drill) {
        g.drill_samples = 2;
        g.drill_memory = 1;
    }
    g.last = t->s->cfg.row_len - 1;
    REQUIRE(egret_ctl_group(&t->s->cfg, 0, &g, egret_emit_buffer, &out) == EGRET_OK);
    for (size_t i = 0; i + 1 < out.count; i++)
        put(t, write[i].addr, write[i].data);
    REQUIRE(write[out.count - 1].addr == EGRET_A_GROUP(0, 0));
    return write[out.count - 1].data;
}

/* Another port than p. */
static uint32_t other(const struct test *t, uint32_t p)
{
    return (p + 1) % t->s->cfg.num_ports;
}

static uint32_t pointer_of(const struct row *row)
{
    return row->scheme == EGRET_SCHEME_DR ? EGRET_A_POINTER_DR(0, 0) : EGRET_A_POINTER_RR(0);
}

/* The same state before each case. */
static void prepare(struct test *t, const struct row *row)
{
    t->now += (uint64_t)UNIT * 1000;
    give(t, EGRET_EV_PORT, t->deep, 1);
    put(t, EGRET_A_GROUP(0, 0), stage(t, row, all_ports(t), IDLE));
    put(t, EGRET_A_BUCKET(0), 0);
    put(t, EGRET_A_HASH_SEED, 0x1234567u);
    if (row->scheme == EGRET_SCHEME_SPRAY_RR || row->scheme == EGRET_SCHEME_DR) {
        put(t, pointer_of(row), 0);
        for (uint32_t i = 0; i < t->s->cfg.row_len && i < 128; i++)
            put(t, EGRET_A_SCHEDULE(0, 0, i), 0);
    }
    if (row->scheme >= EGRET_SCHEME_SPRAY_RANDOM)
        put(t, EGRET_A_RANDOM, 0x2468aceu);
    if (row->scheme == EGRET_SCHEME_FLOWLET)
        put(t, EGRET_A_FLOWLET(0, 0), 0);
    if (row->scheme == EGRET_SCHEME_SPRAY_QUALITY) {
        put(t, EGRET_A_DRILL_MEMORY(0), 0);
        put(t, EGRET_A_QUALITY_SMALL, 0);
    }
    give(t, EGRET_EV_QUEUE, t->deep, 0);
    if (row->quality) {
        tick(t);
        tick(t);
    }
}

/* What must be before the first packet, so that one event does it. */
static uint32_t before(struct test *t, const struct row *row, enum event e, uint32_t p)
{
    t->deep = p;
    switch (e) {
    case UP:
        give(t, EGRET_EV_PORT, p, 0);
        return 0;
    case MEMBER:
        return stage(t, row, all_ports(t) & ~((uint64_t)1 << p), IDLE);
    case LONGER:
        return stage(t, row, all_ports(t), 10 * IDLE);
    case ENTRY:
        put(t, EGRET_A_FLOWLET_LAST, (uint32_t)(t->now / UNIT + row->gap) & (ROUND - 1));
        return 0;
    case TICK:
        give(t, EGRET_EV_QUEUE, p, DEEP);
        tick(t);
        return 0;
    default:
        return 0;
    }
}

static void happen(struct test *t, const struct row *row, enum event e, uint32_t p, uint32_t word,
                   uint32_t tag, uint32_t seen)
{
    switch (e) {
    case DOWN:
    case UP:
        give(t, EGRET_EV_PORT, p, e == UP);
        break;
    case MEMBER:
    case LONGER:
        put(t, EGRET_A_GROUP(0, 0), word);
        break;
    case BUCKET:
        put(t, EGRET_A_BUCKET(0), other(t, p));
        break;
    case SLOT:
        put(t, EGRET_A_SCHEDULE(0, 0, seen), other(t, p));
        break;
    case POINTER:
        put(t, pointer_of(row), 0x00500700u);
        break;
    case ENTRY:
        put(t, EGRET_A_FLOWLET(0, 0), 0x80000000u | tag << 16 | other(t, p));
        break;
    case MEMORY:
        put(t, EGRET_A_DRILL_MEMORY(0), EGRET_MEMORY_VALID | other(t, p));
        break;
    case RANDOM:
        put(t, EGRET_A_RANDOM, 0x13579bdu);
        break;
    case SEED:
        put(t, EGRET_A_HASH_SEED, 0x7654321u);
        break;
    case SMALL:
        put(t, EGRET_A_QUALITY_SMALL, HASHED);
        break;
    case TICK:
        tick(t);
        break;
    case QUEUE:
        give(t, EGRET_EV_QUEUE, p, DEEP);
        break;
    default:
        sut_event(t->s, EGRET_EV_READ,
                  row->scheme == EGRET_SCHEME_FLOWLET         ? EGRET_A_FLOWLET(0, 0)
                  : row->scheme == EGRET_SCHEME_SPRAY_QUALITY ? EGRET_A_DRILL_MEMORY(0)
                  : row->scheme == EGRET_SCHEME_SPRAY_RR || row->scheme == EGRET_SCHEME_DR
                      ? pointer_of(row)
                      : EGRET_A_BUCKET(0),
                  0);
        break;
    }
}

/* What fills the clocks between: nobody's packets, the flow's own, others of its group. */
enum { NOBODY, OWN, OTHERS, FILLERS };

static void fill(struct test *t, uint32_t n, uint32_t with)
{
    for (uint32_t i = 0; i < n; i++)
        packet(t, with == NOBODY ? t->s->cfg.num_groups : 0, with == OWN ? 1 : 2 + i % 3, 4);
}

/* Packet 1, `distance` clocks, the event, `distance` clocks, packet 2; two ticks and packet 3 where
 * loads count. Without the event a write that nobody sees takes its clock. */
static void one(struct test *t, const struct row *row, enum event e, bool with, uint32_t p,
                uint32_t distance, uint32_t filler, uint32_t tag)
{
    prepare(t, row);
    uint32_t word = before(t, row, e, p);
    packet(t, 0, 1, 1);
    fill(t, distance - 1, filler);
    if (with)
        happen(t, row, e, p, word, tag, filler == NOBODY ? 1 : 0);
    else
        put(t, EGRET_A_FRONT, 0);
    fill(t, distance - 1, filler);
    t->now += (uint64_t)UNIT * row->gap;
    packet(t, 0, 1, 2);
    if (e == QUEUE && row->quality) {
        tick(t);
        tick(t);
        t->now += (uint64_t)UNIT * row->gap;
        packet(t, 0, 1, 3);
    }
    sut_flush(t->s);
}

static bool same(const struct egret_decision *a, const struct egret_decision *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Has the configuration what the event writes? */
static bool possible(const struct row *row, enum event e)
{
    switch (e) {
    case SLOT:
    case POINTER:
        return row->scheme == EGRET_SCHEME_SPRAY_RR || row->scheme == EGRET_SCHEME_DR;
    case ENTRY:
    case LONGER:
        return row->scheme == EGRET_SCHEME_FLOWLET;
    case MEMORY:
    case SMALL:
        return row->scheme == EGRET_SCHEME_SPRAY_QUALITY;
    case RANDOM:
        return row->scheme >= EGRET_SCHEME_SPRAY_RANDOM;
    default:
        return true;
    }
}

/* Leaves the packet its port when that alone is full? Not with DRILL if both samples are it. */
static bool moves(const struct test *t, const struct row *row, const struct egret_decision *d)
{
    uint64_t n = t->s->cfg.num_ports;
    return !row->drill || (d->data >> 16) * n >> 16 != d->port ||
           (d->data & 0xffffu) * n >> 16 != d->port;
}

static void distances(struct test *t, const struct row *row)
{
    uint32_t most = egret_cfg_latency(&t->s->cfg) + 4 < 16 ? 16
                                                            : egret_cfg_latency(&t->s->cfg) + 4;
    bool choices = t->s->cfg.num_ports > 1;
    prepare(t, row);
    stage(t, &rows[0], all_ports(t), 0);
    put(t, EGRET_A_GROUP(0, 0), EGRET_SCHEME_ECMP);
    packet(t, 0, 1, 1);
    sut_flush(t->s);
    uint32_t tag = t->at[1].data >> 20;
    for (uint32_t filler = 0; filler < FILLERS; filler++) {
        for (uint32_t distance = 1; distance <= (filler == NOBODY ? most : 16); distance++) {
            one(t, row, EVENTS, false, 0, distance, filler, tag);
            uint32_t p = t->at[2].port;
            for (unsigned e = 0; e < EVENTS; e++) {
                struct egret_decision first, second, third;
                if (!possible(row, e))
                    continue;
                one(t, row, e, false, p, distance, filler, tag);
                first = t->at[1];
                second = t->at[2];
                third = t->at[3];
                one(t, row, e, true, e == QUEUE && row->quality ? third.port : p, distance, filler,
                    tag);
                CHECK(same(&first, &t->at[1]), "%s, %s, %s: counts %u clocks ahead", t->name,
                      row->name, event_name[e], distance);
                if (filler != NOBODY || !choices)
                    continue;
                if (e == QUEUE && row->quality)
                    CHECK((t->at[3].port != third.port) == moves(t, row, &third),
                          "%s, %s: a queue", t->name, row->name);
                bool counts = (row->counts & ~BIT(QUEUE)) >> e & 1u;
                bool new_path = row->scheme == EGRET_SCHEME_FLOWLET && row->gap > IDLE;
                bool either = (e == TICK && !moves(t, row, &second)) || (e == RANDOM && new_path);
                if (!either)
                    CHECK(counts != same(&second, &t->at[2]), "%s, %s, %s: %u clocks behind",
                          t->name, row->name, event_name[e], distance);
            }
        }
    }
}

/* ---- flowlets in time ---- */

/* A flow is seen at `from` units and again `gap` units later, for some at every distance from 1 to
 * 16, else at 1 and 2: must it be a hit? */
static void in_time(struct test *t, uint32_t idle, uint64_t from, int64_t gap, bool hit)
{
    struct row row = {"flowlet", EGRET_SCHEME_FLOWLET, 0, 0, 0, 0};
    put(t, EGRET_A_GROUP(0, 0), stage(t, &row, all_ports(t), idle));
    uint32_t most = idle == 62 || from % ROUND == ROUND - 1 ? 16 : 2;
    for (uint32_t distance = 1; distance <= most; distance++) {
        put(t, EGRET_A_FLOWLET(0, 0), 0);
        t->now = from * UNIT + test_below(UNIT);
        packet(t, 0, 1, 1);
        fill(t, distance - 1, NOBODY);
        t->now = (uint64_t)((int64_t)from + gap) * UNIT + test_below(UNIT);
        packet(t, 0, 1, 2);
        packet(t, 0, 1, 3); /* in the next clock and of the same time: always a hit */
        sut_flush(t->s);
        CHECK(t->at[1].data >> 30 == EGRET_FLOWLET_NEW, "%s: empty entry", t->name);
        CHECK((t->at[2].data >> 30 == EGRET_FLOWLET_HIT) == hit,
              "%s: idle %u, from %llu, %lld units on: %s", t->name, idle, (unsigned long long)from,
              (long long)gap, egret_flowlet_outcome_name(t->at[2].data >> 30));
        CHECK(t->at[3].data >> 30 == EGRET_FLOWLET_HIT, "%s: the next clock", t->name);
    }
}

static void times(struct test *t)
{
    static const uint32_t idles[] = {0, 1, 2, 62, 16000, 0x7fffff, ROUND - 0x10000 - 2};
    /* around the end of each of 24 and 44 bits (28 and 48 of the stamp), and the middle */
    static const uint64_t froms[] = {0, 5, ROUND - 1, ROUND, ROUND / 2, 1ull << 43,
                                     (1ull << 44) - 1, 0xabcdef012u};
    for (unsigned f = 0; f < sizeof froms / sizeof froms[0]; f++) {
        uint64_t from = froms[f] + 4ull * ROUND; /* so that it can step back */
        for (unsigned i = 0; i < sizeof idles / sizeof idles[0]; i++) {
            int64_t idle = idles[i], round = ROUND;
            in_time(t, idles[i], from, idle - 1, true); /* idle 0: one unit back */
            in_time(t, idles[i], from, idle, true);
            in_time(t, idles[i], from, idle + 1, false);
            in_time(t, idles[i], from, round - 0x10000 - 1, false);
            in_time(t, idles[i], from, round - 1, true); /* as if one unit back */
            in_time(t, idles[i], from, round, true);
            in_time(t, idles[i], from, round + idle, true);
            in_time(t, idles[i], from, round + idle + 1, false);
            in_time(t, idles[i], from, 3 * round + idle, true);
            in_time(t, idles[i], from, 3 * round + idle + 1, false);
            in_time(t, idles[i], from, -1, true);
            in_time(t, idles[i], from, -0x10000, true);
            in_time(t, idles[i], from, -0x10001, false);
        }
        in_time(t, ROUND - 0x10000 - 1, from, ROUND - 0x10000 - 1, true); /* never */
        in_time(t, ROUND - 1, from, ROUND / 2, true);
    }
}

/* A flow that pauses for idle and never longer keeps its port for two and a half rounds of the
 * time, whoever else meets its entry. */
static void steady(struct test *t)
{
    struct row row = {"flowlet", EGRET_SCHEME_FLOWLET, 0, 0, 0, 0};
    uint32_t port = 0, idle = 16000;
    put(t, EGRET_A_GROUP(0, 0), stage(t, &row, all_ports(t), idle));
    put(t, EGRET_A_FLOWLET(0, 0), 0);
    for (uint32_t i = 0; i < 4000; i++) {
        t->now += (uint64_t)UNIT * (i % 3 == 2 ? 1 : idle);
        packet(t, 0, 1, 1);
        if (i % 10 == 0)
            packet(t, 0, 2 + i % 7, 2);
        if (i % 10 == 5)
            packet(t, t->s->cfg.num_groups, 1, 4);
        sut_flush(t->s);
        port = i == 0 ? t->at[1].port : port;
        CHECK(t->at[1].port == port && t->at[1].data >> 30 ==
                                           (i == 0 ? EGRET_FLOWLET_NEW : EGRET_FLOWLET_HIT),
              "%s: packet %u of a steady flow: port %u, not %u", t->name, i, t->at[1].port, port);
        CHECK(i % 10 != 0 || t->at[2].data >> 30 == EGRET_FLOWLET_CONFLICT, "%s: another flow",
              t->name);
    }
}

/* ---- other counts of time ---- */

/* The fields of a pointer entry at their ends. */
static void ends(struct test *t, const struct row *row)
{
    uint32_t last = t->s->cfg.row_len - 1;
    static const uint32_t from[] = {0xffe, 0xfff, 0};
    for (uint32_t i = 0; i < 9; i++) {
        prepare(t, row);
        for (uint32_t r = 0; r < 3; r++) {
            put(t, EGRET_A_GROUP(0, 0),
                row->scheme | r << 8 | last << 16);
            put(t, pointer_of(row), from[i % 3] << 20 | from[i / 3] << 8 | last);
            for (uint32_t k = 0; k < 3 * (last + 1) && k < 40; k++)
                packet(t, 0, 1, 4);
            sut_event(t->s, EGRET_EV_READ, pointer_of(row), 0);
        }
    }
    sut_flush(t->s);
}

/* The stamp of a tick at the end of 48 bits, and back. */
static void stamps(struct test *t)
{
    static const uint64_t stamp[] = {0xfffffffffffeu, 0xffffffffffffu, 0x1000000000005u, 3, 3, 1};
    for (unsigned i = 0; i < sizeof stamp / sizeof stamp[0]; i++) {
        t->now = stamp[i];
        tick(t);
        uint64_t high = sut_read(t->s, EGRET_A_TICK_NOW1), low = sut_read(t->s, EGRET_A_TICK_NOW0);
        CHECK_EQ(high << 32 | low, stamp[i] & 0xffffffffffffu, "the stamp of a tick");
    }
}

static void run(const char *which, const char *config)
{
    struct test *t = calloc(1, sizeof *t);
    REQUIRE(t != NULL);
    t->s = sut_open(which, config);
    t->name = config;
    t->r = ref_create(&t->s->cfg);
    t->s->see = see;
    t->s->ctx = t;
    test_seed(43);
    if (t->s->cfg.hash_kind == EGRET_HASH_KIND_MATRIX)
        for (uint32_t n = 0; n < EGRET_HASH_NIBBLES; n++)
            for (uint32_t v = 0; v < 16; v++)
                put(t, EGRET_A_MATRIX(n, v), test_random());
    if (t->s->cfg.schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u) {
        for (uint32_t i = 1; i <= 7; i++)
            put(t, EGRET_A_LOAD_THRESHOLD(i), i);
        put(t, EGRET_A_LOAD_WEIGHTS, 256u << 16);
        for (uint32_t p = 0; p < t->s->cfg.num_ports; p++)
            put(t, EGRET_A_PORT_LOAD(p, 1), 0x8000);
    }
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!there(t, &rows[i]))
            continue;
        distances(t, &rows[i]);
        if (rows[i].scheme == EGRET_SCHEME_DR || rows[i].scheme == EGRET_SCHEME_SPRAY_RR)
            ends(t, &rows[i]);
    }
    if (t->s->cfg.num_flowlets != 0) {
        prepare(t, &rows[8]);
        times(t);
        steady(t);
    }
    stamps(t);
    sut_close(t->s);
    ref_destroy(&t->r);
    free(t);
}

int main(int argc, char **argv)
{
    return sut_main(argc, argv, "select_time", run);
}
