/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_pick.c: an array element, 0 beyond the last one, against rtl/egret_pick.v. For
 * scripts/equiv.
 *
 * in   word      WIDTH x NUM_WORDS
 * in   addr      ADDR_W
 * out  data      WIDTH
 */
#include "equiv_ports.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    unsigned addr = in->addr; /* its port may be too narrow to reach beyond */

    out->data = addr < NUM_WORDS ? in->word[addr] : 0;
}
