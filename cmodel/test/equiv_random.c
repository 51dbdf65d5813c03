/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_random.c: STEPS packets of the generator, in one jump, against as many clocks of
 * rtl/egret_spray_random.v. For scripts/equiv.
 *
 * in   state     32
 * out  after     32
 * out  number    32
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;

    egret_random_set(&e, in->state);
    e.random_at = STEPS;
    out->after = egret_random_state(&e);
    out->number = egret_random_next(&e);
}
