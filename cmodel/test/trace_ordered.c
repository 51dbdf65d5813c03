/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_ordered.c: which RDMA packets are sprayed and which keep order, opcode by opcode, from the
 * bytes of a frame to the port: marked opcodes (immediate, SEND, ATOMIC, acknowledgements, CNP,
 * read responses, with or without data) go by the group's ordered scheme, all of a flow by one
 * port; the others of the same flow are sprayed between them over all ports.
 *
 * usage: trace_ordered model | trace_ordered FOLDER CONFIG...
 *   The second form is for the RTL: FOLDER has check_CONFIG.so.
 *
 * Faults of docs/verification.md: C27, C28.
 */
#include "egret/trace_front.h"
#include "select_sut.h"

#define ORDERED 0x8u /* the flag, and class, of opcodes that keep order */
#define FRAME 64u
#define FLOWS 8u

/* Of the reliable connection, InfiniBand's BTH opcodes. */
static const struct {
    uint8_t opcode;
    const char *name;
    bool ordered;
    uint16_t length;
} rows[] = {
    {0x00, "SEND first", true, 4170},
    {0x01, "SEND middle", true, 4170},
    {0x02, "SEND last", true, 4170},
    {0x03, "SEND last with immediate", true, 4170},
    {0x04, "SEND only", true, 4170},
    {0x05, "SEND only with immediate", true, 70},
    {0x06, "WRITE first", false, 4170},
    {0x07, "WRITE middle", false, 4170},
    {0x08, "WRITE last", false, 4170},
    {0x09, "WRITE last with immediate", true, 4170},
    {0x0a, "WRITE only", false, 4170},
    {0x0b, "WRITE only with immediate", true, 4170},
    {0x0b, "WRITE of no bytes with immediate", true, FRAME},
    {0x0c, "READ request", false, 74},
    {0x0d, "READ response first", true, 4170},
    {0x0e, "READ response middle", true, 4170},
    {0x11, "acknowledgement", true, FRAME},
    {0x13, "ATOMIC compare and swap", true, 86},
    {0x14, "ATOMIC fetch and add", true, 86},
    {0x81, "CNP", true, 74},
};
#define ROWS (sizeof rows / sizeof rows[0])

static bool marked(unsigned opcode)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].opcode == opcode)
            return rows[i].ordered;
    return false;
}

/* RoCEv2 over IPv4; the opcode is no part of the flow. */
static void frame(uint8_t f[FRAME], uint32_t flow, uint32_t opcode, uint32_t length)
{
    memset(f, 0, FRAME);
    f[12] = 0x08;
    f[14] = 0x45;
    f[16] = (uint8_t)((length - 14) >> 8);
    f[17] = (uint8_t)(length - 14);
    f[22] = 64;
    f[23] = 17;
    f[26] = 10;
    f[29] = (uint8_t)(1 + flow);
    f[30] = 10;
    f[33] = 9;
    f[34] = (uint8_t)(0xc0 + flow);
    f[36] = (uint8_t)(EGRET_UDP_PORT_ROCE >> 8);
    f[37] = (uint8_t)(EGRET_UDP_PORT_ROCE & 255u);
    f[38] = (uint8_t)((length - 34) >> 8);
    f[39] = (uint8_t)(length - 34);
    f[42] = (uint8_t)opcode;
    f[49] = (uint8_t)(flow * 3);
}

struct test {
    struct sut *s;
    struct egret_front *front;
    uint32_t port_of[FLOWS]; /* of packets that keep order; 255: none yet */
    uint64_t sprayed_to;
    unsigned long ordered, sprayed;
};

static void see(void *ctx, const struct egret_event *ev, const struct egret_decision *d)
{
    struct test *t = ctx;
    if (ev->kind != EGRET_EV_PACKET)
        return;
    uint32_t flow = ev->tag >> 8, opcode = ev->tag & 255u;
    REQUIRE(flow < FLOWS);
    if (!marked(opcode)) {
        CHECK(d->scheme == EGRET_SCHEME_SPRAY_RR, "opcode %02x: scheme %u", opcode, d->scheme);
        t->sprayed_to |= (uint64_t)1 << (d->port & 63u);
        t->sprayed++;
        return;
    }
    CHECK(d->scheme == EGRET_SCHEME_ECMP, "opcode %02x: scheme %u", opcode, d->scheme);
    if (t->port_of[flow] == 255)
        t->port_of[flow] = d->port;
    CHECK(d->port == t->port_of[flow], "opcode %02x: flow %u by port %u, not %u", opcode, flow,
          d->port, t->port_of[flow]);
    t->ordered++;
}

/* From bytes to the selector. */
static void send(struct test *t, uint32_t flow, uint32_t opcode, uint32_t length)
{
    uint8_t f[FRAME];
    struct egret_parsed p;
    struct egret_event ev;
    frame(f, flow, opcode, length);
    memset(&ev, 0, sizeof ev);
    REQUIRE(egret_parse(f, FRAME, length, &p) == EGRET_OK);
    CHECK_EQ(p.opcode, opcode, "opcode");
    (void)egret_front_resolve(t->front, &p, length, &ev);
    CHECK_EQ(ev.cls, marked(opcode) ? ORDERED : 0, "class");
    ev.kind = EGRET_EV_PACKET;
    ev.tag = flow << 8 | opcode;
    sut_give(t->s, &ev);
}

static void run(const char *which, const char *config)
{
    struct test t;
    struct egret_group g;
    memset(&t, 0, sizeof t);
    memset(&g, 0, sizeof g);
    t.s = sut_open(which, config);
    t.s->see = see;
    t.s->ctx = &t;
    const struct egret_cfg *c = &t.s->cfg;
    REQUIRE(egret_front_create(&t.front) == EGRET_OK);
    for (unsigned op = 0; op < 256; op++)
        REQUIRE(egret_front_write(t.front, EGRET_A_FRONT_OPCODE(op), marked(op) ? ORDERED : 0));
    for (uint32_t i = 0; i < FLOWS; i++)
        t.port_of[i] = 255;
    struct egret_hash_setup setup;
    egret_hash_setup_default(&setup); /* the 5-tuple */
    if (c->hash_kind == EGRET_HASH_KIND_LOOKUP3)
        setup.algorithm = EGRET_HASH_LOOKUP3;
    REQUIRE(egret_ctl_hash(c, &setup, sut_emit, t.s, NULL) == EGRET_OK);
    REQUIRE(egret_ctl_class_ordered(c, 1u << ORDERED, sut_emit, t.s) == EGRET_OK);
    for (uint32_t i = 0; i < c->num_buckets; i++)
        sut_event(t.s, EGRET_EV_WRITE, EGRET_A_BUCKET(i), i % c->num_ports);
    for (uint32_t i = 0; i < c->row_len; i++)
        sut_event(t.s, EGRET_EV_WRITE, EGRET_A_SCHEDULE(0, 0, i), i % c->num_ports);
    g.scheme = EGRET_SCHEME_SPRAY_RR;
    g.ordered = EGRET_SCHEME_ECMP;
    g.last = c->row_len - 1;
    g.bucket_mask = c->num_buckets - 1;
    g.members = c->num_ports == 64 ? UINT64_MAX : ((uint64_t)1 << c->num_ports) - 1;
    REQUIRE(egret_ctl_group(c, 0, &g, sut_emit, t.s) == EGRET_OK);
    /* data of a message and what must not overtake it, of all flows, in turn */
    for (uint32_t round = 0; round < 20; round++)
        for (uint32_t flow = 0; flow < FLOWS; flow++)
            for (size_t i = 0; i < ROWS; i++)
                send(&t, flow, rows[i].opcode, rows[i].length);
    for (unsigned op = 0; op < 256; op++)
        send(&t, op % FLOWS, op, 200);
    sut_flush(t.s);
    for (uint32_t p = 0; p < c->num_ports && p < c->row_len; p++)
        CHECK(t.sprayed_to >> p & 1u, "%s: nothing was sprayed to port %u", config, p);
    CHECK(t.ordered > 1000 && t.sprayed > 500, "%s: %lu kept order, %lu were sprayed", config,
          t.ordered, t.sprayed);
    egret_front_destroy(t.front);
    sut_close(t.s);
}

int main(int argc, char **argv)
{
    return sut_main(argc, argv, "trace_ordered", run);
}
