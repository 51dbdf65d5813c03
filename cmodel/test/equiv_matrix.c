/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_matrix.c: the hash of a record by any matrix, against rtl/egret_hash.v with HASH_KIND
 * matrix. For scripts/equiv.
 *
 * in   matrix    32 x 1312
 * in   seed      32
 * in   record    8 x 41
 * out  hash      32
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;

    e.cfg.hash_kind = EGRET_HASH_KIND_MATRIX;
    e.matrix = (uint32_t(*)[16])in->matrix;
    egret_regs_write(&e, EGRET_A_HASH_SEED, in->seed);
    out->hash = egret_hash_plain(&e, in->record);
}
