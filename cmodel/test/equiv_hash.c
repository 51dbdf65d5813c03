/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_hash.c: the hash of a record by the registers of HASH_KIND fixed or lookup3, which are
 * written first, against rtl/egret_hash.v. For scripts/equiv.
 *
 * in   crc16     1
 * in   fields    7
 * in   seed      32
 * in   rotation  5
 * in   record    8 x 41
 * out  hash      32
 */
#include <string.h>

#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret e;
    uint32_t algorithm = in->crc16 != 0 ? EGRET_HASH_CRC16 : EGRET_HASH_CRC32C;

    memset(&e.cfg, 0, sizeof e.cfg);
    e.cfg.hash_kind = HASH_KIND;
    egret_regs_write(&e, EGRET_A_HASH_ALGORITHM,
                     HASH_KIND == EGRET_HASH_KIND_LOOKUP3 ? EGRET_HASH_LOOKUP3 : algorithm);
    egret_regs_write(&e, EGRET_A_HASH_FIELDS, in->fields);
    egret_regs_write(&e, EGRET_A_HASH_SEED, in->seed);
    egret_regs_write(&e, EGRET_A_HASH_ROTATION, in->rotation);
    out->hash = egret_hash_plain(&e, in->record);
}
