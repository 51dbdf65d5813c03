/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_matrix.c: linear hashes as a matrix over the record (docs/spec/hash.md). Mirrors
 * rtl/egret_hash_matrix.v.
 *
 * Every hash but lookup3 is affine over GF(2): h(record) = h(0) ^ XOR of one share a bit. Shares
 * of four bits give the nibble matrix that RTL holds; shares of eight give the byte tables of the
 * fast path, where bytes without a share are left out and neighbours are read at once.
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

/* The table of one record byte. Returns false if the byte's share does not depend on its value. */
static bool fill_table(const struct egret *e, unsigned byte, uint32_t table[256])
{
    const uint32_t *high = e->matrix[2 * byte];
    const uint32_t *low = e->matrix[2 * byte + 1];
    uint32_t differ = 0;

    for (unsigned v = 0; v < 256; v++) {
        table[v] = high[v >> 4] ^ low[v & 15];
        differ |= table[v] ^ table[0];
    }
    return differ != 0;
}

/* Four tables for the bytes from `byte` on; those that do not count are zero. */
static void fill_window(const struct egret *e, unsigned byte, const bool *active, uint32_t *table)
{
    for (unsigned i = 0; i < 4; i++, table += 256) {
        if (active[byte + i])
            (void)fill_table(e, byte + i, table);
        else
            memset(table, 0, 256 * sizeof *table);
    }
}

/* Whether all that counts is within the bytes of an IPv4 5-tuple. */
static bool within_ipv4(const bool *active)
{
    for (unsigned byte = 0; byte < EGRET_RECORD_BYTES; byte++) {
        bool ipv4 = byte < 4 || (byte >= 16 && byte < 20) || (byte >= 32 && byte < 37);
        if (active[byte] && !ipv4)
            return false;
    }
    return true;
}

/* A window pays from three active bytes on. */
static void lay_windows(struct egret *e, const bool *active)
{
    e->num_words = 0;
    e->num_bytes = 0;
    for (unsigned byte = 0; byte < EGRET_RECORD_BYTES;) {
        unsigned count = 0;
        for (unsigned i = 0; i < 4 && byte + 4 <= EGRET_RECORD_BYTES; i++)
            count += active[byte + i];
        if (!active[byte]) {
            byte++;
        } else if (count >= 3) {
            fill_window(e, byte, active, e->table + 1024 * (size_t)e->num_words);
            e->word_at[e->num_words++] = (uint8_t)byte;
            byte += 4;
        } else {
            (void)fill_table(e, byte, e->table + EGRET_TABLE_BYTES + 256 * (size_t)e->num_bytes);
            e->byte_at[e->num_bytes++] = (uint8_t)byte;
            byte++;
        }
    }
}

void egret_hash_rebuild(struct egret *e)
{
    bool active[EGRET_RECORD_BYTES];

    if (e->cfg.hash_kind == EGRET_HASH_KIND_FIXED)
        refresh_fixed(e);
    else
        e->constant = e->hash_seed;
    for (unsigned byte = 0; byte < EGRET_RECORD_BYTES; byte++) {
        uint32_t *scratch = e->table;
        active[byte] = fill_table(e, byte, scratch);
        if (!active[byte])
            e->constant ^= scratch[0];
    }
    if (within_ipv4(active)) {
        fill_window(e, 0, active, e->table);
        fill_window(e, 16, active, e->table + 1024);
        fill_window(e, 32, active, e->table + 2048);
        fill_window(e, 36, active, e->table + 3072);
        e->mode = EGRET_MODE_IPV4;
    } else {
        lay_windows(e, active);
        e->mode = EGRET_MODE_TABLES;
    }
}
