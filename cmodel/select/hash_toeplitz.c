/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_toeplitz.c: the Toeplitz hash of receive-side scaling (docs/spec/hash.md). In RTL it is a
 * matrix in rtl/egret_hash_matrix.v.
 *
 * The result is the XOR, over the input bits i that are 1, of key bits i..i+31. Bit 0 is the most
 * significant bit of byte 0; the key repeats from its start where it is too short.
 */
#include <string.h>

#include "egret/hash.h"

static uint32_t key_bit(const uint8_t *key, size_t i)
{
    return (uint32_t)key[i / 8] >> (7 - i % 8) & 1u;
}

uint32_t egret_hash_toeplitz(const uint8_t *key, size_t key_len, const uint8_t *bytes, size_t n)
{
    uint32_t window = 0; /* key bits i..i+31 */
    size_t next = 0;     /* key bit i+32, modulo the key's length */
    size_t key_bits = 8 * key_len;
    uint32_t hash = 0;

    for (unsigned i = 0; i < 32; i++) {
        window = window << 1 | key_bit(key, next);
        next = next + 1 == key_bits ? 0 : next + 1;
    }
    for (size_t i = 0; i < n; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            if (bytes[i] >> (7 - bit) & 1)
                hash ^= window;
            window = window << 1 | key_bit(key, next);
            next = next + 1 == key_bits ? 0 : next + 1;
        }
    }
    return hash;
}

void egret_hash_rss_key(uint8_t key[40])
{
    static const uint8_t rss[40] = {
        0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
        0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
        0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};
    memcpy(key, rss, sizeof rss);
}

void egret_hash_symmetric_key(uint8_t key[40])
{
    for (unsigned i = 0; i < 40; i += 2) {
        key[i] = 0x6d;
        key[i + 1] = 0x5a;
    }
}
