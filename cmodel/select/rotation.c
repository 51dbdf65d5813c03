/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rotation.c: the engine of `spray-rr` and `dr` (docs/spec/dr.md): a pointer entry walks
 * through a schedule row, and the row is drawn anew when the epoch moves on. Mirrors
 * rtl/egret_rotation.v and the entry update of rtl/egret_rmw.v.
 *
 * The entry advances with every packet of a group with a rotation scheme and a legal index,
 * whatever members and ports are.
 */
#include "internal.h"

void egret_rotation_explain(const struct egret *e, const struct egret_group_state *g,
                            uint32_t index, uint32_t address, uint32_t kw, struct egret_why *w)
{
    uint32_t entry = e->pointer[index].entry;
    uint32_t slot;
    uint32_t next = egret_rotation_step(entry, g->last, g->wraps, &slot);
    uint32_t epoch = entry >> 20;
    uint32_t pre = egret_draw_pre(e->draw_seed, kw);
    uint32_t row = (g->row_base + (egret_draw_row(pre, epoch) & g->row_mask)) & 0xffffu;

    row &= e->cfg.num_rows - 1;
    w->pointer = address;
    w->old_entry = entry;
    w->new_entry = next;
    w->row = row;
    w->slot = slot;
    w->faults = egret_fault(e, address, EGRET_FAULT_POINTER) |
                egret_fault(e, EGRET_A_SCHEDULE(g->bank_row != 0, row, slot), EGRET_FAULT_SCHEDULE);
    if (w->faults & (uint32_t)1 << EGRET_FAULT_POINTER)
        w->new_entry = 0;
    w->choice = e->schedule[(g->bank_row + row) * e->cfg.row_len + slot];
    w->repair_random = egret_draw_random(pre, slot, (entry >> 8) & 0xfffu, epoch);
    w->decision.data = entry;
}
