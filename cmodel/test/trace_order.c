/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_order.c: the order oracle. Cases of a flow whose packets are 1000 bytes and 100 ns apart,
 * on paths of 1100 ns (port 1), 100 ns (port 0) and 600 ns (all others): every cause of a
 * reordering is provoked once, and its count, extent and bound are those of a calculation by hand.
 * Decisions are the model's; what no selector does right is fed in by hand.
 *
 * usage: trace_order [DIR]   writes the stimuli of the cases to DIR/order_CASE_CONFIG.pcap and
 *                            prints for each: config, case, packets reordered, cause; no checks
 *
 * Faults of docs/verification.md: C27.
 */
#include <inttypes.h>

#include "../trace/frame.h"
#include "../trace/gen.h"
#include "egret/control.h"
#include "egret/trace_order.h"
#include "trace_test.h"

#define SLOW 1u
#define FAST 0u
#define BYTES 1000u
#define KEEPS_CLASS 2u
#define F 0x101u /* queue pairs; the last digit is the tag of the flowlet */
#define G 0x102u

struct c {
    struct gen g;
    uint64_t base;
};

/* One packet of a queue pair, at base + t. */
static void packet(struct c *c, uint64_t t, uint32_t qp, uint32_t opcode)
{
    struct frame_spec s;
    uint8_t bytes[FRAME_MAX_HEADERS];
    uint32_t length;
    memset(&s, 0, sizeof s);
    s.src.bytes[0] = s.dst.bytes[0] = 10;
    s.dst.bytes[3] = 7;
    s.protocol = 17;
    s.source_port = 50000;
    s.dest_port = 4791;
    s.opcode = opcode;
    s.dest_qp = qp;
    s.length = BYTES;
    uint32_t n = egret_frame_build(&s, bytes, &length);
    c->g.now = c->base + t;
    egret_gen_packet(&c->g, bytes, n, length);
}

/* `n` packets of F that keep order, from t on, 100 ns apart. */
static void flow(struct c *c, uint64_t t, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        packet(c, t + 100u * i, F, BTH_WRITE_FIRST);
    }
}

static void group(struct c *c, uint32_t number, const struct egret_group *g)
{
    (void)egret_ctl_group(c->g.cfg, number, g, egret_gen_emit, &c->g);
}

/* Ports 0 to 3; buckets 0 and 2 are the slow path, 1 and 3 the fast one. The hash is the seed and,
 * from bit 20 on, the last digit of the QP: the matrix is empty but for that. */
static struct egret_group set_up(struct c *c, uint32_t scheme, uint32_t ordered)
{
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.ordered = ordered;
    g.bucket_mask = 3;
    g.members = 15;
    g.last = 1;
    for (uint32_t i = 0; i < 4u; i++) {
        egret_gen_write(&c->g, EGRET_A_BUCKET(i), i % 2u ? FAST : SLOW);
    }
    egret_gen_write(&c->g, EGRET_A_SCHEDULE(0, 0, 0), SLOW);
    egret_gen_write(&c->g, EGRET_A_SCHEDULE(0, 0, 1), FAST);
    for (uint32_t v = 0; v < 16u; v++) {
        egret_gen_write(&c->g, EGRET_A_MATRIX(79, v), v << 20);
    }
    egret_gen_write(&c->g, EGRET_A_FRONT_OPCODE(BTH_WRITE_FIRST), KEEPS_CLASS);
    egret_gen_write(&c->g, EGRET_A_CLASS_ORDERED, 1u << KEEPS_CLASS);
    group(c, 0, &g);
    return g;
}

/* A flowlet group of `idle` ns; its new paths are the fast port as long as RANDOM is 1 before: the
 * number is then 0x00042021, and its high half chooses the first live member. */
static void set_up_flowlet(struct c *c, uint64_t idle)
{
    struct egret_group g = set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_FLOWLET);
    (void)egret_ctl_flowlet(c->g.cfg, &g, 0, 16, idle, NULL);
    group(c, 0, &g);
    egret_gen_write(&c->g, EGRET_A_RANDOM, 1);
}

/* F's entry says the slow port, seen last at t. */
static void entry(struct c *c, uint64_t t, uint32_t port)
{
    (void)egret_ctl_flowlet_entry(c->g.cfg, 0, F & 15u, port, (c->base + t) >> 4 & 0xffffffu,
                                  egret_gen_emit, &c->g);
}

static void case_none(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    flow(c, 0, 20);
}

static void case_port(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    flow(c, 0, 10);
    egret_gen_port(&c->g, SLOW, 0); /* repaired: the upper half of the hash is 0x10, first live */
    flow(c, 1000, 10);
    egret_gen_port(&c->g, SLOW, 1); /* back to the slow path: nothing is overtaken */
    flow(c, 2000, 10);
}

static void case_bucket(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_BUCKET(0), FAST);
    flow(c, 1000, 10);
}

/* The slow port with bad parity is repaired: the first live member is the fast one. Written once
 * more, with the same port, the bucket is good: back to the slow path. */
static void case_fault(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    flow(c, 0, 10);
    egret_gen_fault(&c->g, EGRET_A_BUCKET(0), SLOW);
    flow(c, 1000, 10);
    egret_gen_write(&c->g, EGRET_A_BUCKET(0), SLOW);
    flow(c, 2000, 10);
}

static void case_group(struct c *c)
{
    struct egret_group g = set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    flow(c, 0, 10);
    g.members = 1u << FAST | 1u << 2;
    group(c, 0, &g);
    flow(c, 1000, 10);
}

static void case_hash(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_HASH_SEED, 1);
    flow(c, 1000, 10);
}

static void case_class(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_FIXED,
                 EGRET_SCHEME_ECMP); /* bucket 0 of the two is the slow one */
    egret_gen_write(&c->g, EGRET_A_HASH_SEED, 1);
    egret_gen_write(&c->g, EGRET_A_CLASS_ORDERED, 0);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_CLASS_ORDERED, 1u << KEEPS_CLASS);
    flow(c, 1000, 10);
}

static void case_route(struct c *c)
{
    struct egret_group g = set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    g.bucket_base = 1;
    g.bucket_mask = 0;
    group(c, 1, &g);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_FRONT_DEFAULT, 1);
    flow(c, 1000, 10);
}

/* G's entry, in conflict with which F goes by its bucket; 63 units later F takes it. */
static void case_evicted(struct c *c)
{
    set_up_flowlet(c, 1008);
    packet(c, 0, G, BTH_WRITE_FIRST);
    flow(c, 100, 10);
    egret_gen_write(&c->g, EGRET_A_RANDOM, 1);
    flow(c, 1100, 10);
}

/* F pauses longer than idle, G takes its entry and keeps it by being there each 100 ns. */
static void case_conflict(struct c *c)
{
    set_up_flowlet(c, 160);
    egret_gen_write(&c->g, EGRET_A_BUCKET(0), FAST);
    entry(c, 0, SLOW);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_RANDOM, 1);
    for (uint64_t t = 1300; t < 2300u; t += 100u) {
        packet(c, t - 10u, G, BTH_WRITE_FIRST);
        flow(c, t, 1);
    }
}

static void case_entry(struct c *c)
{
    set_up_flowlet(c, 1008);
    entry(c, 0, SLOW);
    flow(c, 0, 10);
    entry(c, 900, FAST);
    flow(c, 1000, 10);
}

/* A pause of 500 ns; idle is 160 ns, the skew 1000. */
static void case_expired(struct c *c)
{
    set_up_flowlet(c, 160);
    entry(c, 0, SLOW);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_RANDOM, 1);
    flow(c, 1400, 10);
}

/* The same with an idle of 1008 ns, which the skew does not bridge. */
static void case_safe(struct c *c)
{
    set_up_flowlet(c, 1008);
    entry(c, 0, SLOW);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_RANDOM, 1);
    flow(c, 2000, 10);
}

/* Two milliseconds back are far ahead for the table; the packets count as sent at the latest stamp
 * before, all at once. */
static void case_time(struct c *c)
{
    set_up_flowlet(c, 160);
    c->base = 10000000;
    entry(c, 0, SLOW);
    flow(c, 0, 10);
    egret_gen_write(&c->g, EGRET_A_RANDOM, 1);
    c->base -= 2000000;
    flow(c, 0, 10);
}

/* WRITE Only packets pass: their order is nobody's business. */
static void case_passed(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_FIXED, EGRET_SCHEME_ECMP);
    struct egret_group g = {.scheme = EGRET_SCHEME_FIXED,
                            .ordered = EGRET_SCHEME_ECMP,
                            .bucket_base = 1, /* fixed: the fast one; ecmp: 1 + 1, the slow one */
                            .bucket_mask = 1,
                            .members = 15};
    egret_gen_write(&c->g, EGRET_A_HASH_SEED, 1);
    group(c, 0, &g);
    for (unsigned i = 0; i < 5u; i++) {
        packet(c, 200u * i, F, BTH_WRITE_FIRST);
        packet(c, 200u * i + 100u, F, BTH_WRITE_ONLY);
    }
}

/* The class map forgets the opcode: its packets are sprayed, slow and fast in turns. */
static void case_sprayed(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    egret_gen_write(&c->g, EGRET_A_FRONT_OPCODE(BTH_WRITE_FIRST), 0);
    flow(c, 0, 20);
}

/* The same, and before every packet the hash is written: with what it is already, and with another
 * seed. Sprayed packets have no hash. */
static void case_rewritten(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    egret_gen_write(&c->g, EGRET_A_FRONT_OPCODE(BTH_WRITE_FIRST), 0);
    for (unsigned i = 0; i < 20u; i++) {
        egret_gen_write(&c->g, EGRET_A_MATRIX(79, 1), 1u << 20);
        egret_gen_write(&c->g, EGRET_A_HASH_SEED, i / 2u);
        flow(c, 100u * i, 1);
    }
}

/* The class map is right and CLASS_ORDERED is not. */
static void case_unordered(struct c *c)
{
    (void)set_up(c, EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_ECMP);
    egret_gen_write(&c->g, EGRET_A_CLASS_ORDERED, 1u << 3);
    flow(c, 0, 20);
}

/* Slow packets of t = 0 .. 900 and fast ones from 1000 on: that of t = 100 n arrives at 1100 + 100
 * n, behind the fast ones that arrive at 1100, 1200 .. 1000 + 100 n: n of them, the last one 900 ns
 * late. Sum of those reordered: 9. With a pause of 400 ns (300, 200) more it is 4 (3) less. Ten
 * packets are sent within the skew, and a line of 80 Gb/s carries no more. */
static const struct {
    const char *name;
    void (*write)(struct c *c);
    unsigned cause;
    uint64_t reordered;
    uint64_t overtaken; /* packets; bytes are 1000 each */
    uint64_t late_ns;
    uint64_t moves; /* by the cause */
    uint64_t safe;
    uint64_t passed;
    uint64_t window; /* packets sent within the skew */
} cases[] = {
    {"none", case_none, EGRET_ORDER_NONE, 0, 0, 0, 0, 0, 0, 10},
    {"port", case_port, EGRET_ORDER_PORT, 9, 9, 900, 2, 0, 0, 10},
    {"bucket", case_bucket, EGRET_ORDER_BUCKET, 9, 9, 900, 1, 0, 0, 10},
    {"fault", case_fault, EGRET_ORDER_BUCKET, 9, 9, 900, 2, 0, 0, 10},
    {"group", case_group, EGRET_ORDER_GROUP, 9, 9, 900, 1, 0, 0, 10},
    {"hash", case_hash, EGRET_ORDER_HASH, 9, 9, 900, 1, 0, 0, 10},
    {"class", case_class, EGRET_ORDER_CLASS, 9, 9, 900, 1, 0, 0, 10},
    {"route", case_route, EGRET_ORDER_ROUTE, 9, 9, 900, 1, 0, 0, 10},
    {"evicted", case_evicted, EGRET_ORDER_EVICTED, 9, 9, 900, 1, 0, 0, 10},
    {"conflict", case_conflict, EGRET_ORDER_CONFLICT, 6, 6, 600, 1, 0, 0, 10},
    {"entry", case_entry, EGRET_ORDER_ENTRY, 9, 9, 900, 1, 0, 0, 10},
    {"expired", case_expired, EGRET_ORDER_EXPIRED, 5, 5, 500, 1, 0, 0, 10},
    {"safe", case_safe, EGRET_ORDER_NONE, 0, 0, 0, 0, 1, 0, 10},
    {"time", case_time, EGRET_ORDER_TIME, 10, 10, 1000, 1, 0, 0, 20},
    {"passed", case_passed, EGRET_ORDER_NONE, 0, 0, 0, 0, 0, 5, 10},
    /* the slow packet of t = 200 n waits for the next five fast ones, or what is left of the ten */
    {"sprayed", case_sprayed, EGRET_ORDER_NONE, 10, 5, 900, 19, 0, 0, 10},
    {"rewritten", case_rewritten, EGRET_ORDER_NONE, 10, 5, 900, 19, 0, 0, 10},
    {"unordered", case_unordered, EGRET_ORDER_NONE, 10, 5, 900, 19, 0, 0, 10},
};
#define CASES (sizeof cases / sizeof cases[0])

static int write_case(size_t i, const struct egret_cfg *cfg, const char *path,
                      struct egret_trace_error *err)
{
    struct c c = {.base = 0};
    int code = egret_gen_open(&c.g, cfg, path, false, err);
    if (code) {
        return code;
    }
    cases[i].write(&c);
    return egret_gen_close(&c.g, err);
}

static struct egret_order_setup paths(void)
{
    struct egret_order_setup setup;
    memset(&setup, 0, sizeof setup);
    for (uint32_t p = 0; p < EGRET_MAX_PORTS; p++) {
        setup.delay_ns[p] = p == SLOW ? 1100u : p == FAST ? 100u : 600u;
    }
    egret_order_default(setup.opcode);
    setup.rate_mbps = 80000;
    return setup;
}

/* The model's decisions through the oracle. */
static struct egret_order *run(struct trace_test *t, const struct egret_cfg *cfg, const char *path)
{
    struct egret_order_setup setup = paths();
    struct egret_trace_error err;
    struct egret_stimulus *in;
    struct egret_event ev;
    struct egret_decision d;
    struct egret_order *o;
    struct egret *e;
    if (!CHECK(t, egret_order_create(cfg, &setup, &o) == EGRET_OK) ||
        !CHECK(t, egret_create(cfg, &e) == EGRET_OK) ||
        !CHECK(t, egret_stimulus_open(path, &in, &err) == EGRET_OK)) {
        exit(1);
    }
    while (egret_stimulus_next(in, &ev, &err) > 0) {
        CHECK(t, egret_apply(e, &ev, &d) == EGRET_OK);
        egret_order_event(o, &ev, &d);
    }
    egret_stimulus_close(in);
    egret_destroy(e);
    CHECK(t, egret_order_end(o) == EGRET_OK);
    return o;
}

static void check_case(struct trace_test *t, size_t i, const char *config)
{
    char name[64], path[4096];
    struct egret_trace_error err;
    struct egret_cfg cfg;
    unsigned long before = t->fail;
    (void)snprintf(name, sizeof name, "order_%s_%s.pcap", cases[i].name, config);
    (void)trace_scratch(path, sizeof path, name);
    CHECK(t, egret_cfg_named(config, &cfg) == EGRET_OK);
    CHECK(t, write_case(i, &cfg, path, &err) == EGRET_OK);
    struct egret_order *o = run(t, &cfg, path);
    const struct egret_order_figures *f = egret_order_figures(o);
    uint64_t reordered = 0, overtaken = 0, bytes = 0, late = 0, passed = 0, by_cause = 0;
    for (unsigned r = 16; r < EGRET_ORDER_ROWS; r++) {
        const struct egret_order_row *row = &f->row[r];
        CHECK(t, row->keeps && row->cls == r - 16u);
        reordered += row->reordered;
        overtaken = row->overtaken_packets > overtaken ? row->overtaken_packets : overtaken;
        bytes = row->overtaken_bytes > bytes ? row->overtaken_bytes : bytes;
        late = row->late_ns > late ? row->late_ns : late;
        passed += row->passed;
        by_cause += row->cause[cases[i].cause];
        CHECK(t, f->row[r - 16u].reordered == 0); /* WRITE Only is on one port here */
    }
    CHECK(t, reordered == cases[i].reordered && by_cause == cases[i].reordered);
    CHECK(t, overtaken == cases[i].overtaken && bytes == cases[i].overtaken * BYTES);
    CHECK(t, late == cases[i].late_ns && passed == cases[i].passed);
    for (unsigned c = 0; c < EGRET_ORDER_CAUSES; c++) {
        CHECK(t, f->moves[c] == (c == cases[i].cause ? cases[i].moves : 0));
    }
    CHECK(t, f->moves_safe == cases[i].safe);
    CHECK(t, f->skew_ns == 1000 && f->window_bytes == cases[i].window * BYTES);
    CHECK(t, f->bound_bytes == 10010 && f->exceeded == 0); /* 1001 ns of 10 bytes */
    bool bad = cases[i].cause == EGRET_ORDER_NONE && cases[i].reordered != 0;
    CHECK(t, egret_order_errors(o) == (bad ? cases[i].reordered : 0));
    CHECK(t, (f->error[0] != '\0') == bad);
    if (bad) { /* the first one: that of t = 0, behind that of t = 100, which arrives at 200 */
        CHECK(t, strstr(f->error, "flow 10.0.0.0 -> 10.0.0.7 QP 0x000101: packet 0 (event "));
        CHECK(t, strstr(f->error, ", port 1) arrives 900 ns behind packet 1 (event "));
    }
    if (t->fail != before) {
        printf("case %s, %s: reordered %" PRIu64 " (%s %" PRIu64 "), by %" PRIu64 ", %" PRIu64
               " ns, passed %" PRIu64 ", safe %" PRIu64 ", window %" PRIu64 " %s\n",
               cases[i].name, config, reordered, egret_order_cause_name(cases[i].cause), by_cause,
               overtaken, late, passed, f->moves_safe, f->window_bytes, f->error);
        for (unsigned c = 0; c < EGRET_ORDER_CAUSES; c++) {
            printf("  %s %" PRIu64 "\n", egret_order_cause_name(c), f->moves[c]);
        }
    }
    egret_order_destroy(o);
}

int main(int argc, char **argv)
{
    static const char *const config[] = {"lab", "p7"};
    struct trace_test t = {0, 0};
    struct egret_trace_error err;
    for (size_t i = 0; i < CASES; i++) {
        for (unsigned k = 0; k < 2u; k++) {
            char path[4096];
            struct egret_cfg cfg;
            if (argc < 2) {
                check_case(&t, i, config[k]);
                continue;
            }
            (void)snprintf(path, sizeof path, "%s/order_%s_%s.pcap", argv[1], cases[i].name,
                           config[k]);
            if (egret_cfg_named(config[k], &cfg) || write_case(i, &cfg, path, &err)) {
                return 1;
            }
            printf("%s %s %" PRIu64 " %s %" PRIu64 "\n", config[k], cases[i].name,
                   cases[i].reordered, egret_order_cause_name(cases[i].cause), cases[i].passed);
        }
    }
    return argc < 2 ? trace_result(&t) : 0;
}
