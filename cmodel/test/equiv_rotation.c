/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_rotation.c: egret_rotation_step() against rtl/egret_rotation.v, for scripts/equiv. The RTL
 * has two entries before it; the other one does not matter.
 *
 * in   offset  SLOT_W
 * in   wraps   12
 * in   epoch   12
 * in   last    SLOT_W
 * in   limit   4
 * in   second  1
 * in   other_offset SLOT_W
 * in   other_wraps 12
 * in   other_epoch 12
 * out  slot    8
 * out  next    32
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    uint32_t entry = (uint32_t)in->epoch << 20 | (uint32_t)in->wraps << 8 | in->offset;
    uint32_t slot;

    out->next = egret_rotation_step(entry, in->last, in->limit, &slot);
    out->slot = (uint8_t)slot;
}
