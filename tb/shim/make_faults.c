/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_faults.c: directed stimuli of parity (docs/spec/faults.md).
 *   faults    N rounds over all schemes. For every table and counter and every bit of an entry that
 *             group 0's packets use: the entry is read, fault-written with that bit flipped (last
 *             as read: its parity bit), used by packets, and FAULTS, FAULT_TABLES and the entry are
 *             read. Between the fault write and the next that meets the entry (packet, read,
 *             rewrite) come 0 to 15 requests, in turn. From round 2 on with half of the ports down.
 *             N 0: one round with one bit in eleven, for a simulator that is slow.
 *             Without parity every fault write here is one that is ignored.
 */
#include <string.h>

#include "make_stimulus.h"

#define NEAR 16u
#define FLOW 9u
#define FEW 11u /* one bit in so many, from another one on in each entry */

static uint32_t value_at(struct maker *m, uint32_t address)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_READ;
    ev.addr = address;
    must(m, egret_apply(m->model, &ev, &d));
    return d.data;
}

static bool is_counter(uint32_t address)
{
    return address >> 20 == 6 || address >> 20 == 7 || address >> 20 == 11;
}

/* Requests between: packets of another group, now and then of the same, reads. */
static void between(struct maker *m, uint32_t n)
{
    uint32_t other = m->cfg.num_groups > 1 ? 1 : 0;
    while (n-- > 0) {
        if (draw(m, 8) == 0)
            get(m, EGRET_A_FAULTS);
        else
            flow_packet(m, draw(m, 6) == 0 ? 0 : other, FLOW, 66);
    }
}

static void fault(struct maker *m, uint32_t address, uint32_t data)
{
    uint32_t requests = m->faults++ % NEAR;
    get(m, address);
    event(m, EGRET_EV_FAULT, address, data);
    between(m, requests);
    switch (draw(m, 6)) {
    case 0: /* good again before it is used */
        if (is_counter(address))
            event(m, EGRET_EV_FAULT, address, 0);
        else
            put(m, address, value_at(m, address));
        break;
    case 1:
        get(m, address);
        break;
    default:
        break;
    }
    flow_packet(m, 0, FLOW, 66);
    flow_packet(m, 0, FLOW, 66);
    get(m, EGRET_A_FAULTS);
    get(m, EGRET_A_FAULT_TABLES);
    get(m, address);
}

/* Group 0 with this scheme and all ports as members; every word of it good. */
static void set_up(struct maker *m, uint32_t scheme)
{
    const struct egret_cfg *c = &m->cfg;
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.wraps = 1;
    g.last = c->row_len - 1;
    g.row_mask = c->num_rows - 1;
    g.bucket_mask = c->num_buckets - 1;
    g.members = c->num_ports == 64 ? UINT64_MAX : ((uint64_t)1 << c->num_ports) - 1;
    if (scheme == EGRET_SCHEME_FLOWLET)
        must(m, egret_ctl_flowlet(c, &g, 0, 16, 800, NULL));
    if (scheme == EGRET_SCHEME_SPRAY_QUALITY) {
        g.drill_samples = 2;
        g.drill_memory = 1;
    }
    must(m, egret_ctl_group(c, 0, &g, emit, m));
}

/* Every bit of the entry at `address`, then its parity bit. Control makes good what packets do
 * not. */
static void every_bit(struct maker *m, uint32_t address, uint32_t bits, uint32_t scheme)
{
    uint32_t region = address >> 20;
    for (uint32_t bit = m->few ? m->faults % (bits < FEW ? bits + 1 : FEW) : 0; bit <= bits;
         bit += m->few ? FEW : 1) {
        uint32_t was = value_at(m, address);
        uint32_t data = bit < bits ? was ^ 1u << bit : was;
        if ((region == 2 || region == 3) && data >= m->cfg.num_ports)
            continue; /* would be ignored */
        fault(m, address, data);
        if (region == 1)
            set_up(m, scheme);
        else if (region == 2 || region == 3 || region == 8)
            put(m, address, was);
    }
}

static void counters(struct maker *m, uint32_t scheme)
{
    for (uint32_t w = 0; w < 2; w++)
        every_bit(m, EGRET_A_GROUP_COUNTER(0, w), 0, scheme);
    for (uint32_t w = 0; w < 5 && m->cfg.num_flowlets != 0; w++)
        every_bit(m, EGRET_A_FLOWLET_COUNTER(0, w), 0, scheme);
    for (uint32_t p = 0; p < m->cfg.num_ports; p++)
        every_bit(m, EGRET_A_PORT_COUNTER(p, draw(m, 4)), 0, scheme);
}

static void one_scheme(struct maker *m, uint32_t scheme)
{
    struct egret_why why;
    set_up(m, scheme);
    flow_packet(m, 0, FLOW, 66);
    every_bit(m, EGRET_A_GROUP(0, 0), 32, scheme);
    flow_packet(m, 0, FLOW, 66);
    must(m, egret_explain(m->model, &m->last, &why));
    if (why.pointer != 0)
        every_bit(m, why.pointer, 32, scheme);
    flow_packet(m, 0, FLOW, 66);
    must(m, egret_explain(m->model, &m->last, &why)); /* of the next packet of this flow */
    if (scheme == EGRET_SCHEME_SPRAY_RR || scheme == EGRET_SCHEME_DR)
        every_bit(m, EGRET_A_SCHEDULE(0, why.row, why.slot), 8, scheme);
    else
        every_bit(m, EGRET_A_BUCKET(why.bucket), 8, scheme);
    if (m->cfg.hash_kind == EGRET_HASH_KIND_MATRIX) {
        uint32_t n = draw(m, EGRET_HASH_NIBBLES);
        uint32_t byte = m->last.record[n / 2];
        every_bit(m, EGRET_A_MATRIX(n, n % 2 != 0 ? byte & 15u : byte >> 4), 32, scheme);
    }
    counters(m, scheme);
}

void make_faults(struct maker *m, uint32_t n)
{
    m->few = n == 0;
    for (uint32_t i = 0; i < n + m->few; i++) {
        for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++)
            if (m->cfg.schemes >> scheme & 1u)
                one_scheme(m, scheme);
        for (uint32_t p = 0; p < m->cfg.num_ports; p++)
            event(m, EGRET_EV_PORT, p, (i + p) % 2);
    }
}
