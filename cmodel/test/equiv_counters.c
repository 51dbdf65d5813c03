/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_counters.c: what a packet of `fixed` counts at its port and in its group, any of the
 * counters bad, against rtl/egret_counters.v with parity. What it was decided, C tells RTL. For
 * scripts/equiv.
 *
 * in   packets   40 x NUM_PORTS
 * in   bytes     40 x NUM_PORTS
 * in   bad       1 x NUM_PORTS
 * mid  parity    6 x NUM_PORTS
 * in   ticks     32 x 4
 * in   bad_tick  1 x 4
 * mid  parity_tick 3 x 4
 * in   group     1
 * in   members   NUM_PORTS
 * in   live      NUM_PORTS
 * in   bucket    PORT_W
 * in   length    16
 * mid  sent      1
 * mid  port      PORT_W
 * mid  tick      1
 * mid  repair    1
 * out  found     2
 * out  to_packets 40 x NUM_PORTS
 * out  to_bytes  40 x NUM_PORTS
 * out  to_parity 6 x NUM_PORTS
 * out  to_ticks  32 x 4
 * out  to_parity_tick 3 x 4
 */
#include <string.h>

#include "equiv_ports.h"
#include "internal.h"

static struct egret e;
static struct egret_group_state groups[2];

/* Parity of every 15 bits of {high, low}, low of `low_bits` bits; all of it inverted if bad. */
static uint8_t parts(uint64_t high, uint64_t low, unsigned low_bits, unsigned count, bool bad)
{
    uint8_t odd = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned at = 15 * i;
        uint64_t word = at < low_bits ? low >> at : 0;
        word ^= at < low_bits ? high << (low_bits - at) : high >> (at - low_bits);
        odd = (uint8_t)(odd | (((egret_live_count(word & 0x7fff) & 1u) ^ bad) << i));
    }
    return odd;
}

static uint8_t port_parity(unsigned i)
{
    return parts(e.counter[i].packets & EGRET_MASK40, e.counter[i].bytes & EGRET_MASK40, 40, 6,
                 egret_is_bad(&e, EGRET_A_PORT_COUNTER(i, 0)));
}

/* Drops and repairs of the two groups in a row. */
static uint32_t *tick_of(unsigned i)
{
    return i % 2 == 0 ? &groups[i / 2].drops : &groups[i / 2].repairs;
}

static uint8_t tick_parity(unsigned i)
{
    return parts(0, *tick_of(i), 32, 3, egret_is_bad(&e, EGRET_A_GROUP_COUNTER(i / 2, i % 2)));
}

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static uint8_t marks[256], bucket[1];
    struct egret_event ev;
    struct egret_decision d;

    memset(&e, 0, sizeof e);
    memset(groups, 0, sizeof groups);
    memset(marks, 0, sizeof marks);
    memset(&ev, 0, sizeof ev);
    e.cfg.schemes = 1u << EGRET_SCHEME_FIXED;
    e.cfg.num_ports = NUM_PORTS;
    e.cfg.num_groups = 2;
    e.cfg.num_buckets = 1;
    e.cfg.parity = 1;
    e.group = groups;
    e.bucket = bucket;
    e.bad = marks;
    e.live = in->live;
    e.random_known = 1;
    bucket[0] = in->bucket;
    equiv_assume(in->bucket < NUM_PORTS);
    for (unsigned i = 0; i < NUM_PORTS; i++) {
        e.counter[i].packets = in->packets[i];
        e.counter[i].bytes = in->bytes[i];
        egret_set_bad(&e, EGRET_A_PORT_COUNTER(i, 0), in->bad[i] != 0);
        out->parity[i] = port_parity(i);
    }
    for (unsigned i = 0; i < 4; i++) {
        *tick_of(i) = in->ticks[i];
        egret_set_bad(&e, EGRET_A_GROUP_COUNTER(i / 2, i % 2), in->bad_tick[i] != 0);
        out->parity_tick[i] = tick_parity(i);
    }
    for (unsigned i = 0; i < 2; i++) {
        groups[i].scheme[0] = groups[i].scheme[1] = EGRET_SCHEME_FIXED;
        groups[i].act[0] = groups[i].act[1] = EGRET_SCHEME_FIXED;
        groups[i].members = in->members;
        groups[i].live = in->members & in->live;
    }
    ev.group = in->group;
    ev.length = in->length;
    (void)egret_faulty_packet(&e, &ev, &d);
    out->sent = d.port != EGRET_PORT_DROP;
    if (out->sent != 0)
        out->port = d.port;
    out->repair = d.reason == EGRET_REASON_REPAIRED;
    out->tick = out->sent == 0 || out->repair != 0;
    out->found = (uint8_t)(e.fault_tables >> EGRET_FAULT_PORT_COUNTER & 3u);
    for (unsigned i = 0; i < NUM_PORTS; i++) {
        out->to_packets[i] = e.counter[i].packets & EGRET_MASK40;
        out->to_bytes[i] = e.counter[i].bytes & EGRET_MASK40;
        out->to_parity[i] = port_parity(i);
    }
    for (unsigned i = 0; i < 4; i++) {
        out->to_ticks[i] = *tick_of(i);
        out->to_parity_tick[i] = tick_parity(i);
    }
}
