/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rotation.c: the engine of `spray-rr` and `dr` (docs/spec/rotation.md): a pointer entry walks
 * through a schedule row, and the row is drawn anew when the epoch moves on. Mirrors
 * rtl/egret_rotation.v and the entry update of rtl/egret_rmw.v.
 *
 * The entry advances with every packet of a group with a rotation scheme and a legal index,
 * whatever members and ports are.
 */
#include "internal.h"

uint32_t egret_rotation_step(uint32_t entry, uint32_t last, uint32_t wraps_limit, uint32_t *slot)
{
    uint32_t offset = entry & 0xffu;
    uint32_t wraps = (entry >> 8) & 0xfffu;
    uint32_t epoch = entry >> 20;
    uint32_t eff = offset > last ? 0 : offset;

    *slot = eff;
    if (eff != last)
        return epoch << 20 | wraps << 8 | (eff + 1);
    if (wraps_limit != 0 && wraps >= wraps_limit - 1) {
        wraps = 0;
        epoch = (epoch + 1) & 0xfffu;
    } else {
        wraps = (wraps + 1) & 0xfffu;
    }
    return epoch << 20 | wraps << 8;
}

void egret_rotation_explain(const struct egret *e, const struct egret_group_state *g,
                            uint32_t index, uint32_t address, uint32_t kw, struct egret_why *w)
{
    uint32_t entry = e->pointer[index].entry;
    uint32_t slot;
    uint32_t next = egret_rotation_step(entry, egret_group_last(g), egret_group_wraps(g), &slot);
    uint32_t epoch = entry >> 20;
    uint32_t pre = egret_draw_pre(e->draw_seed, kw);
    uint32_t row = (g->row_base + (egret_draw_row(pre, epoch) & g->row_mask)) & 0xffffu;

    row &= e->cfg.num_rows - 1;
    w->pointer = address;
    w->old_entry = entry;
    w->new_entry = next;
    w->row = row;
    w->slot = slot;
    w->choice = e->schedule[((egret_group_bank(g) * e->cfg.num_rows + row) << e->row_shift) + slot];
    w->repair_random = egret_draw_random(pre, slot, (entry >> 8) & 0xfffu, epoch);
    w->decision.data = entry;
}
