/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_order_causes.c: the order oracle fed with decisions that no right selector makes: causes
 * that do not apply to a flow, and what a decision claims without the stream bearing it out.
 */
#include "trace_order_feed.h"

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
    SAME_SEED,
    SEED_AND_BACK,
    SAME_MATRIX,
    MATRIX_AND_BACK,
    SAME_ALGORITHM,
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
    case SAME_SEED: /* what reset left */
        event(f, EGRET_EV_WRITE, EGRET_A_HASH_SEED, 0);
        break;
    case SEED_AND_BACK:
        event(f, EGRET_EV_WRITE, EGRET_A_HASH_SEED, 1);
        event(f, EGRET_EV_WRITE, EGRET_A_HASH_SEED, 0);
        break;
    case SAME_MATRIX:
        event(f, EGRET_EV_WRITE, EGRET_A_MATRIX(81, 15), 0);
        break;
    case MATRIX_AND_BACK:
        event(f, EGRET_EV_WRITE, EGRET_A_MATRIX(3, 4), 0x12345678);
        event(f, EGRET_EV_WRITE, EGRET_A_MATRIX(3, 4), 0);
        break;
    case SAME_ALGORITHM:
        event(f, EGRET_EV_WRITE, EGRET_A_HASH_ALGORITHM, EGRET_HASH_MATRIX);
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

/* Another hash is a cause only where a packet goes by it: by ecmp and flowlet, repaired by fixed
 * and entropy, by spray-quality below QUALITY_SMALL, which is 1001. */
static void hashes(struct trace_test *t)
{
    static const struct {
        uint8_t scheme;
        uint8_t reason;
        uint16_t length;
        uint32_t addr;
        uint32_t data;
        unsigned cause;
    } of[] = {
        {EGRET_SCHEME_ECMP, 0, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_HASH},
        {EGRET_SCHEME_ECMP, 0, 0, EGRET_A_MATRIX(0, 1), 1, EGRET_ORDER_HASH},
        {EGRET_SCHEME_ECMP, 0, 0, EGRET_A_MATRIX(81, 15), 1, EGRET_ORDER_HASH},
        {EGRET_SCHEME_FLOWLET, 0, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_HASH},
        {EGRET_SCHEME_FIXED, 0, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_NONE},
        {EGRET_SCHEME_ENTROPY, 0, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_NONE},
        {EGRET_SCHEME_FIXED, EGRET_REASON_REPAIRED, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_HASH},
        {EGRET_SCHEME_ENTROPY, EGRET_REASON_REPAIRED, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_HASH},
        {EGRET_SCHEME_SPRAY_RR, 0, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_NONE},
        {EGRET_SCHEME_DR, EGRET_REASON_REPAIRED, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_NONE},
        {EGRET_SCHEME_SPRAY_RANDOM, 0, 0, EGRET_A_HASH_SEED, 1, EGRET_ORDER_NONE},
        {EGRET_SCHEME_SPRAY_QUALITY, 0, 1000, EGRET_A_HASH_SEED, 1, EGRET_ORDER_HASH},
        {EGRET_SCHEME_SPRAY_QUALITY, 0, 1001, EGRET_A_HASH_SEED, 1, EGRET_ORDER_NONE},
        {EGRET_SCHEME_SPRAY_QUALITY, 0, 1000, EGRET_A_BUCKET(77), 3, EGRET_ORDER_NONE},
        {EGRET_SCHEME_SPRAY_QUALITY, 0, 1000, EGRET_A_BUCKET(1), 3, EGRET_ORDER_BUCKET},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct feed f = open_feed(t, false);
        struct p p = {.qp = 5,
                      .opcode = 6,
                      .port = SLOW,
                      .scheme = of[i].scheme,
                      .reason = of[i].reason,
                      .length = of[i].length,
                      .data = 77};
        group_words(&f, 0x8002, 15, 10);
        event(&f, EGRET_EV_WRITE, EGRET_A_QUALITY_SMALL, 0x103e9);
        packet(&f, p);
        event(&f, EGRET_EV_WRITE, of[i].addr, of[i].data);
        p.port = FAST;
        p.now = 100;
        packet(&f, p);
        end_with(t, &f, of[i].cause, "hash", i);
    }
}

/* Registers of a hash without a matrix: bits that do not exist change nothing. */
static void hash_registers(struct trace_test *t)
{
    static const struct {
        uint32_t addr;
        uint32_t data;
        unsigned cause;
    } of[] = {
        {EGRET_A_HASH_FIELDS, 0x8000001f, EGRET_ORDER_NONE}, /* the five that reset left */
        {EGRET_A_HASH_FIELDS, 0x1e, EGRET_ORDER_HASH},
        {EGRET_A_HASH_ROTATION, 0, EGRET_ORDER_NONE},
        {EGRET_A_HASH_ROTATION, 1, EGRET_ORDER_HASH},
        {EGRET_A_HASH_ALGORITHM, EGRET_HASH_LOOKUP3, EGRET_ORDER_NONE},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct feed f = open_feed(t, false);
        struct egret_order_setup setup;
        struct p p = {.qp = 5, .opcode = 6, .port = SLOW, .data = 77};
        memset(&setup, 0, sizeof setup);
        setup.delay_ns[SLOW] = 1000;
        egret_order_default(setup.opcode);
        egret_order_destroy(f.o);
        CHECK(t, egret_cfg_named("lab_lookup3", &f.cfg) == EGRET_OK);
        CHECK(t, egret_order_create(&f.cfg, &setup, &f.o) == EGRET_OK);
        group_words(&f, 0x1001, 15, 0);
        packet(&f, p);
        event(&f, EGRET_EV_WRITE, of[i].addr, of[i].data);
        p.port = FAST;
        p.now = 100;
        packet(&f, p);
        end_with(t, &f, of[i].cause, "register", i);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    causes_that_are_none(&t);
    claims(&t);
    buckets(&t);
    hashes(&t);
    hash_registers(&t);
    return trace_result(&t);
}
