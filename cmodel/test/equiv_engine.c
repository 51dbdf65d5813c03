/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_engine.c: a packet of `dr` or `spray-rr` on any pointer table and any schedule, then one
 * more on the same pointer, `distance` slots behind, against rtl/egret_pointers.v and
 * rtl/egret_schedule.v. For scripts/equiv.
 *
 * in   rr        1
 * in   group     GROUP_W
 * in   key       16
 * in   bin       8
 * in   seed      32
 * in   last      SLOT_W
 * in   limit     4
 * in   base      16
 * in   mask      16
 * in   bank      1
 * in   distance  3
 * in   pointer   24+SLOT_W x NUM_KEYS*NUM_BINS+NUM_GROUPS
 * in   schedule  PORT_W x 2*NUM_ROWS*ROW_LEN
 * out  legal     1
 * out  choice    8
 * out  random    16
 * out  before    32
 * out  after     32
 */
#include "equiv_ports.h"
#include "internal.h"

#define POINTERS (NUM_KEYS * NUM_BINS + NUM_GROUPS)

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    static struct egret_pointer pointer[POINTERS];
    static uint8_t schedule[2 * NUM_ROWS * ROW_LEN];
    static struct egret_group_state g;
    static struct egret_event ev;
    static struct egret_why w;
    uint32_t last = in->last; /* its port may be too narrow to reach ROW_LEN */

    equiv_assume(in->distance >= 1);
    equiv_assume(in->group < NUM_GROUPS);
    equiv_assume(last < ROW_LEN);
    for (unsigned i = 0; i < POINTERS; i++) {
        uint32_t offset = in->pointer[i] & ((1u << SLOT_W) - 1);
        equiv_assume(offset < ROW_LEN); /* what a write or a step leaves */
        pointer[i].entry = in->pointer[i] >> SLOT_W << 8 | offset;
    }
    for (unsigned i = 0; i < 2 * NUM_ROWS * ROW_LEN; i++)
        schedule[i] = in->schedule[i];
    e.cfg.num_groups = NUM_GROUPS;
    e.cfg.num_keys = NUM_KEYS;
    e.cfg.num_bins = NUM_BINS;
    e.cfg.num_rows = NUM_ROWS;
    e.cfg.row_len = ROW_LEN;
    e.dr_pointers = NUM_KEYS * NUM_BINS;
    e.pointer = pointer;
    e.schedule = schedule;
    e.draw_seed = in->seed;
    g.last = in->last;
    g.wraps = in->limit;
    g.row_base = in->base;
    g.row_mask = in->mask;
    g.bank_row = in->bank != 0 ? NUM_ROWS : 0;
    ev.group = (uint16_t)(in->group & (NUM_GROUPS - 1));
    ev.key = in->key;
    ev.bin = in->bin;
    if (in->rr != 0)
        out->legal = egret_scheme_spray_rr.choose(&e, &g, &ev, &w);
    else
        out->legal = egret_scheme_dr.choose(&e, &g, &ev, &w);
    if (out->legal == 0)
        return;
    out->choice = (uint8_t)w.choice;
    out->random = (uint16_t)w.repair_random;
    out->before = w.old_entry;
    out->after = w.new_entry;
}
