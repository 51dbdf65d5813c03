/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_draw.c: H in its three steps against the rounds of rtl/egret_draw.v, for scripts/equiv.
 *
 * in   seed    32
 * in   kw      16
 * in   epoch   12
 * out  pre     32
 * out  row     16
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    out->pre = egret_draw_pre(in->seed, in->kw);
    out->row = (uint16_t)egret_draw_row(out->pre, in->epoch);
}
