/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_live_repair.c: the k-th live member against rtl/egret_live_repair.v, for scripts/equiv.
 * Without a live member the port is 0 here; the wrapper makes it so.
 *
 * in   mask    NUM_PORTS
 * in   random  16
 * out  any     1
 * out  port    8
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    uint32_t count = egret_live_count(in->mask);
    uint32_t rank = (uint32_t)in->random * count >> 16;

    out->any = count != 0;
    out->port = (uint8_t)egret_live_kth(in->mask, rank);
}
