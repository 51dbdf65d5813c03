/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_order_feed.h: events and decisions that are fed to the order oracle by hand.
 */
#ifndef EGRET_TEST_TRACE_ORDER_FEED_H
#define EGRET_TEST_TRACE_ORDER_FEED_H

#include <inttypes.h>

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

static inline struct feed open_feed_at(struct trace_test *t, bool by_class, uint64_t rate_mbps)
{
    struct feed f;
    struct egret_order_setup setup;
    memset(&f, 0, sizeof f);
    memset(&setup, 0, sizeof setup);
    for (uint32_t p = 0; p < EGRET_MAX_PORTS; p++) {
        setup.delay_ns[p] = p == SLOW || p == SLOW2 ? 1100u : p == MIDDLE ? 600u : 100u;
    }
    setup.by_class = by_class;
    setup.rate_mbps = rate_mbps;
    egret_order_default(setup.opcode);
    CHECK(t, egret_cfg_named("lab", &f.cfg) == EGRET_OK);
    if (!CHECK(t, egret_order_create(&f.cfg, &setup, &f.o) == EGRET_OK)) {
        exit(1);
    }
    return f;
}

static inline struct feed open_feed(struct trace_test *t, bool by_class)
{
    return open_feed_at(t, by_class, 0);
}

static inline void event(struct feed *f, uint8_t kind, uint32_t where, uint32_t what)
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

static inline void group_words(struct feed *f, uint32_t word0, uint32_t members, uint32_t idle)
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
    uint8_t reason;
    uint16_t group;
    bool ipv6; /* 2001:db8::1:10 to ::2 */
};

static inline void packet(struct feed *f, struct p p)
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
    d.reason = p.reason;
    egret_order_event(f->o, &ev, &d);
}

#endif
