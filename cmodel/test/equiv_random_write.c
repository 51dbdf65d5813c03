/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_random_write.c: a write to the generator, then a packet or nothing, against
 * rtl/egret_spray_random.v. For scripts/equiv.
 *
 * in   data      32
 * in   packet    1
 * out  number    32
 * out  after     32
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    static const struct egret_group_state g;
    static const struct egret_event ev;
    static struct egret_why w;

    e.cfg.schemes = 1u << EGRET_SCHEME_SPRAY_RANDOM;
    egret_regs_write(&e, EGRET_A_RANDOM, in->data);
    (void)egret_scheme_spray_random.choose(&e, &g, &ev, &w);
    out->number = w.random;
    e.random_at += in->packet;
    out->after = egret_regs_read(&e, EGRET_A_RANDOM);
}
