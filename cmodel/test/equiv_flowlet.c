/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_flowlet.c: a flowlet packet, with PACKETS 2 another one `distance` slots behind, on any
 * table, by the plain path and by the fast one, against rtl/egret_flowlet.v and the
 * rtl/egret_live_repair.v of its new path. With PARITY 1 entries may be bad; the fast path is not
 * asked then. For scripts/equiv.
 *
 * Live members that are in `least` have band 0, the others band 1: equiv_quality.c has the bands.
 *
 * in   valid     1 x NUM_FLOWLETS
 * in   tag       12 x NUM_FLOWLETS
 * in   last      24 x NUM_FLOWLETS
 * in   port      PORT_W x NUM_FLOWLETS
 * in   bad       1 x NUM_FLOWLETS
 * mid  parity    1 x NUM_FLOWLETS
 * in   distance  3
 * in   hash      32 x 2
 * in   base      16 x 2
 * in   mask      16 x 2
 * in   now       24 x 2
 * in   idle      24 x 2
 * in   quality   2 x 2
 * in   live      NUM_PORTS x 2
 * in   least     NUM_PORTS x 2
 * in   state     32 x 2
 * mid  number    32 x 2
 * mid  ties      NUM_PORTS x 2
 * out  outcome   2 x 2
 * out  index     16 x 2
 * out  choice    8 x 2
 * out  moved     1 x 2
 * out  found     1 x 2
 * out  quick     8 x 2
 * out  to_valid  1 x NUM_FLOWLETS
 * out  to_tag    12 x NUM_FLOWLETS
 * out  to_last   24 x NUM_FLOWLETS
 * out  to_port   PORT_W x NUM_FLOWLETS
 * out  to_parity 1 x NUM_FLOWLETS
 */
#include "equiv_ports.h"
#include "fast_flowlet.h"

static struct egret e;
static struct egret_flowlet table[NUM_FLOWLETS], quick[NUM_FLOWLETS];

/* The parity bit that is stored. */
static uint8_t parity_of(unsigned i)
{
    uint32_t odd = egret_live_count(egret_flowlet_word(table[i].flow)) +
                   egret_live_count(table[i].last & EGRET_FLOWLET_TIME);
    return (uint8_t)((odd & 1u) ^ egret_is_bad(&e, EGRET_A_FLOWLET(i, 0)));
}

static void make_table(const struct equiv_in *in, struct equiv_out *out)
{
    for (unsigned i = 0; i < NUM_FLOWLETS; i++) {
        uint32_t word = (uint32_t)in->valid[i] << 31 | (uint32_t)in->tag[i] << 16 | in->port[i];
        equiv_assume(in->port[i] < NUM_PORTS);
        table[i].flow = egret_flowlet_flow(word);
        table[i].last = in->last[i];
        quick[i] = table[i];
        if (PARITY != 0)
            egret_set_bad(&e, EGRET_A_FLOWLET(i, 0), in->bad[i] != 0);
        out->parity[i] = parity_of(i);
    }
}

/* What a packet that is sent leaves; it counts, too. */
static void leave(const struct egret_why *w, unsigned i, struct equiv_out *out)
{
    uint32_t count = egret_flowlet_count_of(w);

    out->moved[i] = count == EGRET_FLOWLET_REASSIGNED;
    table[w->flowlet].flow = egret_flowlet_flow(w->new_entry);
    table[w->flowlet].last = w->new_last;
    if (PARITY != 0)
        egret_set_bad(&e, w->pointer, false);
}

static void packet(const struct equiv_in *in, unsigned i, struct equiv_out *out)
{
    static struct egret_group_state g;
    static struct egret_event ev;
    static struct egret_why w;
    uint32_t data, choice = 0;

    memset(&g, 0, sizeof g);
    memset(&ev, 0, sizeof ev);
    memset(&w, 0, sizeof w);
    egret_random_set(&e, in->state[i]);
    out->number[i] = egret_random_next(&e);
    e.load.ports[0] = in->least[i];
    e.load.ports[1] = ~(uint64_t)in->least[i];
    out->ties[i] = (__typeof__(out->ties[0]))egret_least_band(&e, in->live[i]);
    g.live = w.live_members = in->live[i];
    w.live_count = egret_live_count(in->live[i]);
    g.quality = in->quality[i];
    g.flowlet_base = in->base[i];
    g.flowlet_mask = in->mask[i];
    g.idle = in->idle[i];
    ev.now = (uint64_t)in->now[i] << 4;
    w.hash = in->hash[i];
    e.flowlet = table;
    (void)egret_scheme_flowlet.choose(&e, &g, &ev, &w);
    out->outcome[i] = (uint8_t)(w.decision.data >> 30);
    out->index[i] = (uint16_t)w.decision.data;
    if (in->live[i] == 0)
        return;
    out->found[i] = w.faults >> EGRET_FAULT_FLOWLET & 1u;
    if (w.outcome != EGRET_FLOWLET_CONFLICT)
        out->choice[i] = (uint8_t)w.choice;
    leave(&w, i, out);
    if (PARITY != 0) {
        out->quick[i] = out->choice[i];
        return;
    }
    e.flowlet = quick;
    e.random_at = 1; /* this packet's number is the first */
    e.random_known = 1;
    e.random[1] = out->number[i];
    list_live(&e, &g);
    data = flowlet_choose(&e, &g, &ev, in->hash[i], &choice);
    if (data >> 30 != EGRET_FLOWLET_CONFLICT)
        out->quick[i] = (uint8_t)choice;
    if (data != w.decision.data || quick[w.flowlet].flow != table[w.flowlet].flow ||
        ((quick[w.flowlet].last ^ table[w.flowlet].last) & EGRET_FLOWLET_TIME) != 0)
        out->quick[i] = 0xff;
}

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static uint8_t marks[512], bucket[1];

    memset(&e, 0, sizeof e);
    memset(marks, 0, sizeof marks);
    e.cfg.num_ports = NUM_PORTS;
    e.cfg.num_buckets = 1;
    e.cfg.num_flowlets = NUM_FLOWLETS;
    e.cfg.parity = PARITY;
    e.flowlet_wrap = NUM_FLOWLETS - 1;
    e.bad = marks;
    e.bucket = bucket;
    equiv_assume(in->distance >= 1);
    for (unsigned i = 1; i < 7 && PACKETS == 2; i++)
        equiv_case(in->distance == i);
    make_table(in, out);
    packet(in, 0, out);
    if (PACKETS == 2)
        packet(in, 1, out);
    for (unsigned i = 0; i < NUM_FLOWLETS; i++) {
        uint32_t word = egret_flowlet_word(table[i].flow);
        out->to_valid[i] = (uint8_t)(word >> 31);
        out->to_tag[i] = (uint16_t)(word >> 16 & 0xfffu);
        out->to_port[i] = (uint8_t)word;
        out->to_last[i] = table[i].last & EGRET_FLOWLET_TIME;
        out->to_parity[i] = PARITY != 0 ? parity_of(i) : 0;
    }
}
