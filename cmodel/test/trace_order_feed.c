/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_order_feed.c: the order oracle fed with decisions that no right selector makes: a flow that
 * moves for no cause, causes that do not apply to it, and what a decision claims without the stream
 * bearing it out. Also classes, drops, packets without a queue pair, many queue pairs, JSON.
 */
#include <inttypes.h>

#include "egret/classmap.h"
#include "egret/control.h"
#include "egret/trace_order.h"
#include "trace_test.h"

#define SLOW 1u
#define SLOW2 4u
#define MIDDLE 5u
#define FAST 0u

struct feed {
    struct egret_order *o;
    struct egret_cfg cfg;
    uint32_t tag;
};

static struct feed open_feed(struct trace_test *t, bool by_class)
{
    struct feed f;
    struct egret_order_setup setup;
    memset(&f, 0, sizeof f);
    memset(&setup, 0, sizeof setup);
    for (uint32_t p = 0; p < EGRET_MAX_PORTS; p++) {
        setup.delay_ns[p] = p == SLOW || p == SLOW2 ? 1100u : p == MIDDLE ? 600u : 100u;
    }
    setup.by_class = by_class;
    egret_order_default(setup.opcode);
    CHECK(t, egret_cfg_named("lab", &f.cfg) == EGRET_OK);
    if (!CHECK(t, egret_order_create(&f.cfg, &setup, &f.o) == EGRET_OK)) {
        exit(1);
    }
    return f;
}

static void event(struct feed *f, uint8_t kind, uint32_t where, uint32_t what)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    memset(&d, 0, sizeof d);
    ev.kind = kind;
    ev.addr = where; /* or port */
    ev.data = what;  /* or up */
    egret_order_event(f->o, &ev, &d);
}

static void group_words(struct feed *f, uint32_t word0, uint32_t members, uint32_t idle)
{
    event(f, EGRET_EV_WRITE, EGRET_A_GROUP_STAGE2, 3u << 16);
    event(f, EGRET_EV_WRITE, EGRET_A_GROUP_STAGE3, members);
    event(f, EGRET_EV_WRITE, EGRET_A_GROUP_STAGE6, idle);
    event(f, EGRET_EV_WRITE, EGRET_A_GROUP(0, 0), word0);
}

/* Fields of a packet that the tests change. */
struct p {
    uint64_t now;
    uint32_t qp;
    uint32_t data;
    uint16_t length;
    uint8_t port;
    uint8_t scheme;
    uint8_t opcode;
    uint8_t cls;
    uint8_t protocol; /* 0: UDP */
    uint16_t group;
    bool ipv6; /* 2001:db8::1:10 to ::2 */
};

static void packet(struct feed *f, struct p p)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    memset(&d, 0, sizeof d);
    ev.kind = EGRET_EV_PACKET;
    ev.now = p.now;
    ev.tag = d.tag = f->tag++;
    ev.length = p.length ? p.length : 1000;
    ev.cls = p.cls;
    ev.group = p.group;
    ev.record[0] = ev.record[16] = 10;
    ev.record[19] = 7;
    if (p.ipv6) {
        static const uint8_t addresses[32] = {0x20, 0x01, 0x0d, 0xb8, [13] = 1, [15] = 0x10,
                                              [31] = 2};
        memcpy(ev.record, addresses, sizeof addresses);
    }
    ev.record[32] = p.protocol ? p.protocol : 17;
    ev.record[35] = 4791 >> 8;
    ev.record[36] = 4791 & 0xff;
    ev.record[37] = (uint8_t)(p.qp >> 16);
    ev.record[38] = (uint8_t)(p.qp >> 8);
    ev.record[39] = (uint8_t)p.qp;
    ev.record[40] = p.opcode;
    d.kind = EGRET_RES_PACKET;
    d.port = d.choice = p.port;
    d.scheme = p.scheme ? p.scheme : EGRET_SCHEME_ECMP;
    d.data = p.data;
    egret_order_event(f->o, &ev, &d);
}

/* WRITE Only by the slow path at 0, the fast one at 100 .. 900; that of 1000 arrives with the first
 * one, at 1100, and does not overtake it. */
static void extent(struct trace_test *t)
{
    struct feed f = open_feed(t, false);
    for (uint64_t i = 0; i <= 10u; i++) {
        packet(&f,
               (struct p){
                   .now = 100u * i, .qp = 5, .opcode = 0x0a, .port = (uint8_t)(i ? FAST : SLOW)});
    }
    CHECK(t, egret_order_end(f.o) == EGRET_OK);
    const struct egret_order_figures *g = egret_order_figures(f.o);
    const struct egret_order_row *row = &g->row[0];
    CHECK(t, row->packets == 11 && row->reordered == 1 && row->overtaken_packets == 9);
    CHECK(t, row->overtaken_bytes == 9000 && row->late_ns == 900);
    CHECK(t, g->flows == 1 && g->skew_ns == 1000 && g->bound_bytes == 10000 && g->exceeded == 0);
    CHECK(t, egret_order_errors(f.o) == 0 && g->error[0] == '\0');
    egret_order_destroy(f.o);
    /* Who arrives at the same time has not overtaken. */
    f = open_feed(t, false);
    packet(&f, (struct p){.now = 0, .qp = 5, .opcode = 0x0a, .port = MIDDLE});
    packet(&f, (struct p){.now = 500, .qp = 5, .opcode = 0x0a, .port = FAST});
    CHECK(t, egret_order_end(f.o) == EGRET_OK);
    CHECK(t, egret_order_figures(f.o)->row[0].reordered == 0);
    egret_order_destroy(f.o);
    /* The skew itself is too far: a packet of 999 overtakes, one of 1000 does not. */
    for (uint64_t gap = 999; gap <= 1000u; gap++) {
        f = open_feed(t, false);
        packet(&f, (struct p){.now = 7, .qp = 5, .opcode = 0x0a, .port = SLOW});
        packet(&f, (struct p){.now = 7 + gap, .qp = 6, .opcode = 0x0a, .port = FAST});
        packet(&f, (struct p){.now = 7 + gap, .qp = 5, .opcode = 0x0a, .port = FAST, .length = 64});
        CHECK(t, egret_order_end(f.o) == EGRET_OK);
        g = egret_order_figures(f.o);
        CHECK(t, g->row[0].reordered == (gap == 999) && g->row[0].late_ns == (gap == 999));
        CHECK(t, g->row[0].overtaken_bytes == (gap == 999 ? 64u : 0) && g->flows == 2);
        egret_order_destroy(f.o);
    }
}

enum {
    NOTHING,
    OTHER_PORT,
    UP_AGAIN,
    BEYOND,
    OTHER_BUCKET,
    SAME_BUCKET,
    BAD_BUCKET,
    SAME_GROUP,
    OTHER_BANK,
    OTHER_GROUP,
    SAME_CLASS,
    QUEUE,
    SEEDS,
    STAGED,
    TOO_OLD,
    TOO_LATE,
    WITHOUT
};

static void what_does_not_count(struct feed *f, unsigned what)
{
    switch (what) {
    case OTHER_PORT:
        event(f, EGRET_EV_PORT, 9, 0);
        break;
    case UP_AGAIN:
        event(f, EGRET_EV_PORT, SLOW, 1);
        break;
    case BEYOND:
        event(f, EGRET_EV_PORT, 16, 0);
        break;
    case OTHER_BUCKET: /* the hash is 4: bucket 0 */
        event(f, EGRET_EV_WRITE, EGRET_A_BUCKET(1), 5);
        break;
    case SAME_BUCKET:
        event(f, EGRET_EV_WRITE, EGRET_A_BUCKET(0), SLOW);
        break;
    case BAD_BUCKET:
        event(f, EGRET_EV_WRITE, EGRET_A_BUCKET(0), 16);
        break;
    case SAME_GROUP:
        event(f, EGRET_EV_WRITE, EGRET_A_GROUP(0, 0), 0x1002);
        break;
    case OTHER_BANK:
        event(f, EGRET_EV_WRITE, EGRET_A_GROUP(0, 0), 0x1012);
        break;
    case OTHER_GROUP:
        event(f, EGRET_EV_WRITE, EGRET_A_GROUP(1, 0), 0x1002);
        break;
    case SAME_CLASS:
        event(f, EGRET_EV_WRITE, EGRET_A_CLASS_ORDERED, 0);
        break;
    case QUEUE:
        event(f, EGRET_EV_QUEUE, SLOW, 100);
        event(f, EGRET_EV_TICK, 0, 0);
        event(f, EGRET_EV_READ, EGRET_A_BUCKET(0), 0);
        break;
    case SEEDS:
        event(f, EGRET_EV_WRITE, EGRET_A_DRAW_SEED, 5);
        event(f, EGRET_EV_WRITE, EGRET_A_RANDOM, 5);
        event(f, EGRET_EV_WRITE, EGRET_A_SCHEDULE(0, 0, 0), 5);
        break;
    case STAGED:
        event(f, EGRET_EV_WRITE, EGRET_A_GROUP_STAGE3, 1);
        break;
    default:
        break;
    }
}

/* A flow by ecmp that moves at t = 500, with something in between that is no cause of it. */
static void causes_that_are_none(struct trace_test *t)
{
    for (unsigned what = NOTHING; what < WITHOUT; what++) {
        struct feed f = open_feed(t, false);
        struct p p = {.qp = 5, .opcode = 6, .port = SLOW, .data = 4};
        event(&f, EGRET_EV_WRITE, EGRET_A_BUCKET(0), SLOW);
        group_words(&f, 0x1002, 15, 0);
        if (what == TOO_OLD) {
            event(&f, EGRET_EV_PORT, SLOW, 0);
        }
        packet(&f, p);
        what_does_not_count(&f, what);
        p.port = FAST;
        p.now = 500;
        packet(&f, p);
        if (what == TOO_LATE) {
            event(&f, EGRET_EV_PORT, SLOW, 0);
        }
        CHECK(t, egret_order_end(f.o) == EGRET_OK);
        const struct egret_order_figures *g = egret_order_figures(f.o);
        if (!CHECK(t, g->row[16].reordered == 1 && g->row[16].cause[EGRET_ORDER_NONE] == 1 &&
                          g->moves[EGRET_ORDER_NONE] == 1 && egret_order_errors(f.o) == 1)) {
            printf("no cause %u\n", what);
        }
        CHECK(t, strstr(g->error, "flow 10.0.0.0 -> 10.0.0.7 QP 0x000005: packet 0 (event ") &&
                     strstr(g->error, "arrives 500 ns behind packet 1 (event "));
        egret_order_destroy(f.o);
    }
}

/* Two moves, and only one of them has a cause: the flow may not hide behind it. */
static void half_a_cause(struct trace_test *t)
{
    struct feed f = open_feed(t, false);
    struct p p = {.qp = 5, .opcode = 6, .port = SLOW};
    group_words(&f, 0x1002, 15, 0);
    packet(&f, p);
    event(&f, EGRET_EV_PORT, SLOW, 0);
    p.port = 2; /* as fast as port 0 */
    p.now = 200;
    packet(&f, p);
    p.port = 3;
    p.now = 300;
    packet(&f, p);
    p.port = SLOW; /* overtaken by nothing but what comes now */
    p.now = 1200;
    packet(&f, p);
    event(&f, EGRET_EV_PORT, SLOW, 1);
    p.port = FAST;
    p.now = 1300;
    packet(&f, p);
    CHECK(t, egret_order_end(f.o) == EGRET_OK);
    const struct egret_order_figures *g = egret_order_figures(f.o);
    CHECK(t, g->row[16].reordered == 2 && g->row[16].cause[EGRET_ORDER_PORT] == 2);
    CHECK(t, g->moves[EGRET_ORDER_PORT] == 2 && g->moves[EGRET_ORDER_NONE] == 2);
    egret_order_destroy(f.o);
    /* Moved without a cause to the other slow path at 100, with one to the fast path at 200. */
    f = open_feed(t, false);
    group_words(&f, 0x1002, 31, 0);
    packet(&f, (struct p){.qp = 5, .opcode = 6, .port = SLOW});
    packet(&f, (struct p){.qp = 5, .opcode = 6, .port = SLOW2, .now = 100});
    event(&f, EGRET_EV_PORT, SLOW2, 0);
    packet(&f, (struct p){.qp = 5, .opcode = 6, .port = FAST, .now = 200});
    CHECK(t, egret_order_end(f.o) == EGRET_OK);
    g = egret_order_figures(f.o);
    CHECK(t, g->row[16].reordered == 2 && g->row[16].cause[EGRET_ORDER_NONE] == 1);
    CHECK(t, g->row[16].cause[EGRET_ORDER_PORT] == 1 && egret_order_errors(f.o) == 1);
    egret_order_destroy(f.o);
}

/* Ends a feed whose last packet moved and overtook one, for this cause. */
static void end_with(struct trace_test *t, struct feed *f, unsigned cause, const char *what,
                     size_t row)
{
    CHECK(t, egret_order_end(f->o) == EGRET_OK);
    const struct egret_order_figures *g = egret_order_figures(f->o);
    if (!CHECK(t, g->row[16].reordered == 1 && g->row[16].cause[cause] == 1 &&
                      g->moves[cause] == 1)) {
        printf("%s %zu\n", what, row);
    }
    egret_order_destroy(f->o);
}

/* A decision by flowlet says what it found; the stream must bear it out. idle is 10 units. */
static void claims(struct trace_test *t)
{
    static const struct {
        uint32_t outcome;
        uint64_t now; /* of the packet that moves */
        bool other;   /* another queue pair had the entry in between */
        unsigned cause;
    } claim[] = {
        {EGRET_FLOWLET_HIT, 100, false, EGRET_ORDER_NONE},
        {EGRET_FLOWLET_NEW, 100, false, EGRET_ORDER_NONE},
        {EGRET_FLOWLET_EVICT, 100, false, EGRET_ORDER_NONE},
        {EGRET_FLOWLET_CONFLICT, 100, false, EGRET_ORDER_NONE},
        {EGRET_FLOWLET_HIT, 100, true, EGRET_ORDER_NONE},
        {EGRET_FLOWLET_NEW, 100, true, EGRET_ORDER_NONE},
        {EGRET_FLOWLET_EVICT, 100, true, EGRET_ORDER_EVICTED},
        {EGRET_FLOWLET_CONFLICT, 100, true, EGRET_ORDER_CONFLICT},
        {EGRET_FLOWLET_NEW, 175, false, EGRET_ORDER_NONE},    /* 10 units: not expired */
        {EGRET_FLOWLET_NEW, 176, false, EGRET_ORDER_EXPIRED}, /* 11 */
    };
    for (size_t i = 0; i < sizeof claim / sizeof claim[0]; i++) {
        struct feed f = open_feed(t, false);
        struct p p = {.qp = 5, .opcode = 6, .port = SLOW, .scheme = EGRET_SCHEME_FLOWLET};
        p.data = EGRET_FLOWLET_NEW << 30 | 77u;
        group_words(&f, 0x8002, 15, 10);
        packet(&f, p);
        if (claim[i].other) {
            packet(&f, (struct p){.qp = 6,
                                  .opcode = 0x0a,
                                  .port = FAST,
                                  .scheme = EGRET_SCHEME_FLOWLET,
                                  .data = (uint32_t)EGRET_FLOWLET_EVICT << 30 | 77u});
        }
        p.port = FAST;
        p.now = claim[i].now;
        p.data = claim[i].outcome << 30 | 77u;
        packet(&f, p);
        end_with(t, &f, claim[i].cause, "claim", i);
    }
}

/* A bucket that was written is the cause if the flow goes by it: by fixed, by flowlet in conflict
 * with any of the slice, which is 0 to 3. */
static void buckets(struct trace_test *t)
{
    static const struct {
        uint8_t scheme;
        uint32_t outcome;
        uint32_t bucket;
        unsigned cause;
    } of[] = {
        {EGRET_SCHEME_FIXED, 0, 0, EGRET_ORDER_BUCKET},
        {EGRET_SCHEME_FIXED, 0, 1, EGRET_ORDER_NONE},
        {EGRET_SCHEME_FLOWLET, EGRET_FLOWLET_CONFLICT, 3, EGRET_ORDER_BUCKET},
        {EGRET_SCHEME_FLOWLET, EGRET_FLOWLET_CONFLICT, 4, EGRET_ORDER_NONE},
        {EGRET_SCHEME_FLOWLET, EGRET_FLOWLET_HIT, 3, EGRET_ORDER_NONE},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct feed f = open_feed(t, false);
        struct p p = {.qp = 5, .opcode = 6, .port = SLOW, .scheme = of[i].scheme};
        p.data = of[i].outcome << 30 | 77u;
        group_words(&f, 0x8002, 15, 10);
        packet(&f, p);
        event(&f, EGRET_EV_WRITE, EGRET_A_BUCKET(of[i].bucket), 3);
        p.port = FAST;
        p.now = 100;
        packet(&f, p);
        end_with(t, &f, of[i].cause, "bucket", i);
    }
}

/* Stamps behind the latest one are sent at that one's time: a pause between them is none. Another
 * queue pair steps ahead, and then nothing steps back any more. idle is 1008 ns, the skew 1000. */
static void stands_still(struct trace_test *t)
{
    for (uint64_t ahead = 0; ahead <= 100000u; ahead += 100000u) {
        struct feed f = open_feed(t, false);
        struct p p = {.qp = 5, .opcode = 6, .port = SLOW, .scheme = EGRET_SCHEME_FLOWLET};
        p.data = EGRET_FLOWLET_NEW << 30 | 77u;
        group_words(&f, 0x8002, 15, 63);
        packet(&f, (struct p){.qp = 6, .opcode = 0x0a, .port = FAST, .now = ahead});
        p.now = 1000;
        packet(&f, p);
        p.now = 1100;
        packet(&f, p);
        p.port = FAST;
        p.now = 2128; /* 64 units later */
        packet(&f, p);
        CHECK(t, egret_order_end(f.o) == EGRET_OK);
        const struct egret_order_figures *g = egret_order_figures(f.o);
        uint64_t late = ahead != 0 ? 2 : 0;
        CHECK(t, g->row[16].reordered == late && g->row[16].cause[EGRET_ORDER_TIME] == late);
        CHECK(t, g->moves[EGRET_ORDER_TIME] == late / 2 && g->moves_safe == 1 - late / 2);
        CHECK(t, egret_order_errors(f.o) == 0 && g->error[0] == '\0');
        egret_order_destroy(f.o);
    }
}

/* Sent though its group does not exist: by its class, without a cause, and in no group's figures.
 * The error names IPv6 addresses. */
static void wrong_group(struct trace_test *t)
{
    struct feed f = open_feed(t, false);
    struct p p = {.qp = 5, .opcode = 6, .port = SLOW, .ipv6 = true};
    p.group = (uint16_t)f.cfg.num_groups;
    packet(&f, p);
    p.port = FAST;
    p.now = 100;
    packet(&f, p);
    CHECK(t, egret_order_end(f.o) == EGRET_OK);
    const struct egret_order_figures *g = egret_order_figures(f.o);
    CHECK(t, g->row[16].packets == 2 && g->row[16].reordered == 1 && g->choice == 0);
    CHECK(t, g->row[16].cause[EGRET_ORDER_NONE] == 1 && g->moves[EGRET_ORDER_NONE] == 1);
    CHECK(t, g->row[16].bytes[SLOW] == 0 && g->row[16].bytes[FAST] == 0);
    CHECK(t, egret_order_errors(f.o) == 1);
    CHECK(t, strstr(g->error, "flow 2001:db8:0:0:0:0:1:10 -> 0:0:0:0:0:0:0:2 QP 0x000005: "));
    egret_order_destroy(f.o);
}

/* By class: what CLASS_ORDERED says at that moment, whatever the opcode. */
static void classes(struct trace_test *t)
{
    struct feed f = open_feed(t, true);
    struct p p = {.qp = 5, .opcode = 0x0a, .cls = 3, .port = SLOW};
    packet(&f, p);
    event(&f, EGRET_EV_WRITE, EGRET_A_CLASS_ORDERED, 0xfff7ffff); /* 16 bits of it: all but none */
    packet(&f, p);
    event(&f, EGRET_EV_WRITE, EGRET_A_CLASS_ORDERED, 0xfff7);
    packet(&f, p);
    CHECK(t, egret_order_end(f.o) == EGRET_OK);
    const struct egret_order_figures *g = egret_order_figures(f.o);
    CHECK(t, g->row[3].packets == 2 && g->row[19].packets == 1);
    egret_order_destroy(f.o);

    static const uint8_t keeps[] = {0x00, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0c,
                                    0x0e, 0x13, 0x14, 0x16, 0x26, 0x64, 0xa8, 0xff};
    static const uint8_t any[] = {0x0a, 0x2a, 0xaa, 0x11, 0x12, 0x51, 0x52, 0xb1, 0xb2, 0x81};
    bool opcode[256];
    struct egret_classmap map;
    unsigned marked = 0;
    egret_order_default(opcode);
    egret_classmap_rdma(&map);
    for (size_t i = 0; i < sizeof keeps; i++) {
        CHECK(t, opcode[keeps[i]] && map.opcode[keeps[i]] == EGRET_OPCODE_ORDERED);
    }
    for (size_t i = 0; i < sizeof any; i++) {
        CHECK(t, !opcode[any[i]] && !(map.opcode[any[i]] & EGRET_OPCODE_ORDERED));
        CHECK(t, map.opcode[any[i]] == (i < 3u ? 0 : EGRET_OPCODE_ACK));
    }
    for (unsigned i = 0; i < 256u; i++) { /* the two are written apart, and agree */
        CHECK(t, opcode[i] == (map.opcode[i] == EGRET_OPCODE_ORDERED));
        marked += opcode[i];
    }
    CHECK(t, marked == 246 && map.short_below == 0);
    CHECK(t, egret_classmap_class(&map, 0, 6) == 2 && egret_classmap_class(&map, 0, 0x0a) == 0);
    map.short_below = 256;
    CHECK(t, egret_classmap_class(&map, 255, 6) == 10 && egret_classmap_class(&map, 256, 6) == 2);
    CHECK(t, egret_classmap_class(&map, 255, -1) == 8 && egret_classmap_class(&map, 256, -1) == 0);
    CHECK(t, EGRET_CLASSES_ORDERED == (1u << 2 | 1u << 3 | 1u << 6 | 1u << 7 | 1u << 10 | 1u << 11 |
                                       1u << 14 | 1u << 15));
    CHECK(t, EGRET_CLASSES_ORDERED_SHORT == (EGRET_CLASSES_ORDERED | 0xff00u));
}

/* Drops, no BTH, and more queue pairs than the first table holds; a short JSON file. */
static void the_rest(struct trace_test *t)
{
    char path[4096], text[4096] = {0};
    struct egret_trace_error err;
    struct egret_outfile *out;
    struct feed f = open_feed(t, false);
    group_words(&f, 0x1002, 15, 0);
    packet(&f, (struct p){.qp = 5, .opcode = 6, .port = EGRET_PORT_DROP});
    packet(&f, (struct p){.qp = 5, .opcode = 6, .port = SLOW, .protocol = 6});
    packet(&f, (struct p){.qp = 0, .opcode = 6, .port = SLOW});
    for (uint64_t round = 0; round < 2u; round++) {
        for (uint32_t qp = 1; qp <= 3000u; qp++) {
            packet(&f, (struct p){.qp = qp * 5000u,
                                  .opcode = 0x0a,
                                  .now = round * 10u,
                                  .port = (uint8_t)(round ? FAST : SLOW)});
        }
    }
    CHECK(t, egret_order_end(f.o) == EGRET_OK);
    const struct egret_order_figures *g = egret_order_figures(f.o);
    CHECK(t, g->dropped == 1 && g->no_queue_pair == 2 && g->flows == 3000);
    CHECK(t, g->row[0].packets == 6000 && g->row[0].reordered == 3000 && g->row[0].late_ns == 990);
    CHECK(t, g->row[0].bytes[SLOW] == 3000000 && g->row[0].bytes[FAST] == 3000000);
    CHECK(t, g->choice == 15 && g->bound_bytes == 2000);
    uint64_t bytes, max;
    egret_order_spread(f.o, 0, &bytes, &max);
    CHECK(t, bytes == 6000000 && max == 3000000);
    (void)trace_scratch(path, sizeof path, "trace_order_feed.json");
    CHECK(t, egret_outfile_open(path, &out, &err) == EGRET_OK);
    egret_order_json(f.o, out);
    CHECK(t, egret_outfile_commit(out, &err) == EGRET_OK);
    FILE *in = fopen(path, "r");
    CHECK(t, in && fread(text, 1, sizeof text - 1u, in) > 0);
    CHECK(t, strstr(text, "\"keeps_order\": false, \"packets\": 6000, \"reordered\": 3000, "
                          "\"overtaken_packets\": 1, \"overtaken_bytes\": 1000, \"late_ns\": 990"));
    CHECK(t, strstr(text, "\"max_over_mean_bytes\": 2.000"));
    if (in) {
        (void)fclose(in);
    }
    (void)remove(path);
    egret_order_destroy(f.o);
    egret_order_destroy(NULL);
    struct egret_cfg bad = f.cfg;
    struct egret_order_setup setup;
    memset(&setup, 0, sizeof setup);
    bad.num_ports = 0;
    CHECK(t, egret_order_create(&bad, &setup, &f.o) == EGRET_ERR_CONFIG);
    CHECK(t, egret_order_cause_name(EGRET_ORDER_CAUSES) == NULL);
    CHECK(t, strcmp(egret_order_cause_name(EGRET_ORDER_NONE), "none") == 0);
}

int main(void)
{
    struct trace_test t = {0, 0};
    extent(&t);
    causes_that_are_none(&t);
    half_a_cause(&t);
    claims(&t);
    buckets(&t);
    stands_still(&t);
    wrong_group(&t);
    classes(&t);
    the_rest(&t);
    return trace_result(&t);
}
