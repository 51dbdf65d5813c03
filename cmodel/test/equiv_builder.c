/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_builder.c: the matrix of a linear setup, built and then applied, against the hash computed
 * directly. C on both sides: with equiv_matrix.c it says that the RTL's matrix hashes so. For
 * scripts/equiv; out must be 0.
 *
 * in   key       8 x 40
 * in   seed      32
 * in   record    8 x 41
 * out  differ    32
 */
#include "equiv_ports.h"
#include "internal.h"

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    static struct egret_hash_setup setup;
    static uint32_t matrix[EGRET_HASH_NIBBLES][16];
    uint32_t constant, direct = 0;

    setup.algorithm = ALGORITHM;
    setup.layout = LAYOUT;
    setup.fields = FIELDS;
    setup.seed = in->seed;
    setup.rotation = ROTATION;
    setup.key_len = 40;
    for (unsigned i = 0; i < 40; i++)
        setup.key[i] = in->key[i];
    (void)egret_hash_record(&setup, in->record, &direct);
    if (egret_hash_matrix_build(&setup, matrix, &constant) != EGRET_OK)
        out->differ = 1;
    else
        out->differ = direct ^ constant ^
                      egret_hash_matrix_xor((const uint32_t(*)[16])matrix, in->record);
}
