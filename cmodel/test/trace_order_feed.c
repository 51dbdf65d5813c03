/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_order_feed.c: the order oracle fed by hand: extents, a move without a cause beside one that
 * has one, stamps, classes, drops, packets without a queue pair, many queue pairs, JSON.
 */
#include "egret/classmap.h"
#include "trace_order_feed.h"

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
    CHECK(t, g->flows == 1 && g->skew_ns == 1000 && g->window_bytes == 10000 && g->exceeded == 0);
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

/* Ten packets of 1000 bytes within the skew are more than a line of 63936 Mb/s carries: 7999 bytes,
 * and the packet that is overtaken by 9000 has 1000. One that knows of no rate says nothing. */
static void bound(struct trace_test *t)
{
    static const struct {
        uint64_t rate_mbps;
        uint64_t bytes;
        uint64_t exceeded;
    } of[] = {{0, 0, 0}, {63936, 7999, 1}, {63937, 8000, 0}, {800000, 100100, 0}, {1, 0, 1}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct feed f = open_feed_at(t, false, of[i].rate_mbps);
        for (uint64_t n = 0; n < 10u; n++) {
            packet(&f, (struct p){.now = 100u * n,
                                  .qp = 5,
                                  .opcode = 0x0a,
                                  .port = (uint8_t)(n ? FAST : SLOW)});
        }
        CHECK(t, egret_order_end(f.o) == EGRET_OK);
        const struct egret_order_figures *g = egret_order_figures(f.o);
        CHECK(t, g->row[0].overtaken_bytes == 9000 && g->window_bytes == 10000);
        if (!CHECK(t, g->bound_bytes == of[i].bytes && g->exceeded == of[i].exceeded &&
                          egret_order_errors(f.o) == of[i].exceeded)) {
            printf("bound %zu: %" PRIu64 ", %" PRIu64 "\n", i, g->bound_bytes, g->exceeded);
        }
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
    CHECK(t, g->choice == 15 && g->window_bytes == 2000 && g->bound_bytes == 0);
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
    bound(&t);
    half_a_cause(&t);
    stands_still(&t);
    wrong_group(&t);
    classes(&t);
    the_rest(&t);
    return trace_result(&t);
}
