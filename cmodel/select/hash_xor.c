/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_xor.c: XOR folds into 16 and 32 bits (docs/spec/hash.md). In RTL they are matrices in
 * rtl/egret_hash_matrix.v. Words are big-endian, the last one zero-padded at its end.
 */
#include "egret/hash.h"

static uint32_t fold(const uint8_t *bytes, size_t n, unsigned word_bytes)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < n; i++)
        hash ^= (uint32_t)bytes[i] << (8 * (word_bytes - 1 - i % word_bytes));
    return hash;
}

uint32_t egret_hash_xor16(const uint8_t *bytes, size_t n)
{
    return fold(bytes, n, 2);
}

uint32_t egret_hash_xor32(const uint8_t *bytes, size_t n)
{
    return fold(bytes, n, 4);
}
