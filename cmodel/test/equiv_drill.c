/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_drill.c: two packets of DRILL, `distance` slots apart, on any memories of two groups and
 * any bands in force, by the plain path and by the fast one, against rtl/egret_drill.v behind two
 * rtl/egret_live_repair.v. With PARITY 1 a memory may be bad; the fast path is not asked then. For
 * scripts/equiv.
 *
 * in   band      3 x NUM_PORTS
 * in   valid     1 x 2
 * in   port      PORT_W x 2
 * in   bad       1 x 2
 * in   distance  3
 * in   group     1 x 2
 * in   live      NUM_PORTS x 2
 * in   samples   2 x 2
 * in   remember  1 x 2
 * in   state     32 x 2
 * mid  number    32 x 2
 * mid  parity    1 x 2
 * out  choice    8 x 2
 * out  quick     8 x 2
 * out  found     1 x 2
 * out  to_valid  1 x 2
 * out  to_port   PORT_W x 2
 * out  to_parity 1 x 2
 */
#include "equiv_ports.h"
#include "fast_quality.h"

static struct egret e;
static struct egret_group_state groups[2], quick[2];

static uint8_t odd(uint32_t x)
{
    return egret_live_count(x) & 1u;
}

static uint8_t parity_of(unsigned i)
{
    return odd(egret_drill_memory(&groups[i])) ^ egret_is_bad(&e, EGRET_A_DRILL_MEMORY(i));
}

static void packet(const struct equiv_in *in, unsigned i, struct equiv_out *out)
{
    static struct egret_event ev;
    static struct egret_why w;
    struct egret_group_state *g = &groups[in->group[i] & 1u], *q = &quick[in->group[i] & 1u];

    memset(&ev, 0, sizeof ev);
    memset(&w, 0, sizeof w);
    ev.group = in->group[i] & 1u;
    egret_random_set(&e, in->state[i]);
    out->number[i] = egret_random_next(&e);
    g->quality = q->quality = (uint8_t)(in->remember[i] << 4 | in->samples[i] << 2);
    q->live = w.live_members = in->live[i];
    w.live_count = egret_live_count(in->live[i]);
    (void)egret_scheme_spray_quality.choose(&e, g, &ev, &w);
    if (in->live[i] == 0)
        return;
    out->choice[i] = (uint8_t)w.choice;
    out->found[i] = w.faults != 0;
    if (PARITY == 0) {
        list_live(&e, q);
        out->quick[i] = (uint8_t)quality_choose(&e, q, out->number[i]);
    } else {
        out->quick[i] = out->choice[i];
    }
    if (!egret_drill_remembers(g))
        return;
    g->memory = (uint8_t)(EGRET_MEMORY_KEPT | (w.new_entry & EGRET_MEMORY_PORT));
    if (PARITY != 0)
        egret_set_bad(&e, w.pointer, false);
}

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static uint8_t marks[256];

    memset(&e, 0, sizeof e);
    memset(groups, 0, sizeof groups);
    memset(quick, 0, sizeof quick);
    memset(marks, 0, sizeof marks);
    e.cfg.schemes = 1u << EGRET_SCHEME_SPRAY_QUALITY;
    e.cfg.num_ports = NUM_PORTS;
    e.cfg.num_groups = 2;
    e.cfg.parity = PARITY;
    e.group = groups;
    e.bad = marks;
    equiv_assume(in->distance >= 1);
    for (unsigned i = 0; i < NUM_PORTS; i++)
        e.load.band[i] = in->band[i];
    for (unsigned i = 0; i < 2; i++) {
        equiv_assume(in->port[i] < NUM_PORTS);
        equiv_assume(in->samples[i] != 0);
        groups[i].memory = (uint8_t)(in->valid[i] << 7 | in->port[i]);
        quick[i].memory = groups[i].memory;
        if (PARITY != 0)
            egret_set_bad(&e, EGRET_A_DRILL_MEMORY(i), in->bad[i] != 0);
        out->parity[i] = parity_of(i);
    }
    packet(in, 0, out);
    packet(in, 1, out);
    for (unsigned i = 0; i < 2; i++) {
        out->to_valid[i] = groups[i].memory >> 7;
        out->to_port[i] = groups[i].memory & EGRET_MEMORY_PORT;
        out->to_parity[i] = PARITY != 0 ? parity_of(i) : 0;
    }
}
