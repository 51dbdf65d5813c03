/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_matrix.c: linear hashes as a matrix over the record (docs/spec/hash.md). Mirrors
 * rtl/egret_hash_matrix.v.
 *
 * Every hash but lookup3 is affine over GF(2): h(record) = h(0) ^ XOR of one share a bit. Shares
 * of four bits give the nibble matrix that RTL holds; shares of eight give the byte tables of the
 * fast path, where bytes without a share are left out.
 */
#include <string.h>

#include "internal.h"

uint32_t egret_hash_matrix_xor(const uint32_t matrix[EGRET_HASH_NIBBLES][16],
                               const uint8_t record[EGRET_RECORD_BYTES])
{
    uint32_t h = 0;
    for (unsigned n = 0; n < EGRET_HASH_NIBBLES; n++) {
        unsigned byte = record[n / 2];
        h ^= matrix[n][n % 2 == 0 ? byte >> 4 : byte & 15u];
    }
    return h;
}

int egret_hash_matrix_build(const struct egret_hash_setup *setup,
                            uint32_t matrix[EGRET_HASH_NIBBLES][16], uint32_t *constant)
{
    uint8_t record[EGRET_RECORD_BYTES] = {0};
    uint32_t zero;
    int err = egret_hash_record(setup, record, &zero);

    if (err != EGRET_OK)
        return err;
    if (matrix == NULL || constant == NULL)
        return EGRET_ERR_NULL;
    if (setup->algorithm == EGRET_HASH_LOOKUP3)
        return EGRET_ERR_RANGE;
    for (unsigned n = 0; n < EGRET_HASH_NIBBLES; n++) {
        matrix[n][0] = 0;
        for (unsigned bit = 0; bit < 4; bit++) {
            uint32_t h = 0;
            record[n / 2] = (uint8_t)(1u << (bit + (n % 2 == 0 ? 4 : 0)));
            (void)egret_hash_record(setup, record, &h);
            record[n / 2] = 0;
            for (unsigned v = 0; v < 1u << bit; v++)
                matrix[n][v + (1u << bit)] = matrix[n][v] ^ h ^ zero;
        }
    }
    *constant = zero;
    return EGRET_OK;
}

/* The matrix that serves: the loaded one, or the one that the registers of HASH_KIND fixed mean.
 * Seed and rotation of the latter are folded in. */
static void refresh_fixed(struct egret *e)
{
    struct egret_hash_setup setup;
    memset(&setup, 0, sizeof setup);
    setup.algorithm = e->hash_algorithm;
    setup.layout = EGRET_LAYOUT_RECORD;
    setup.fields = e->hash_fields;
    setup.seed = e->hash_seed;
    setup.rotation = e->hash_rotation;
    (void)egret_hash_matrix_build(&setup, e->matrix, &e->constant);
}

void egret_hash_rebuild(struct egret *e)
{
    uint32_t constant = 0;
    uint32_t slot = 0;

    if (e->cfg.hash_kind == EGRET_HASH_KIND_FIXED)
        refresh_fixed(e);
    else
        e->constant = e->hash_seed;
    for (unsigned byte = 0; byte < EGRET_RECORD_BYTES; byte++) {
        const uint32_t *high = e->matrix[2 * byte];
        const uint32_t *low = e->matrix[2 * byte + 1];
        uint32_t *table = e->table + 256 * (size_t)slot;
        uint32_t differ = 0;
        for (unsigned v = 0; v < 256; v++) {
            table[v] = high[v >> 4] ^ low[v & 15];
            differ |= table[v] ^ table[0];
        }
        /* A byte whose share is one and the same for every value is a constant. */
        if (differ == 0) {
            constant ^= table[0];
        } else {
            e->byte_of[slot] = (uint8_t)byte;
            slot++;
        }
    }
    e->constant ^= constant;
    e->active = slot;
    e->mode = EGRET_MODE_TABLES;
}
