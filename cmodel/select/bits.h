/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bits.h: counting and choosing set bits without loops, for the fast path. The plain path has
 * live_repair.c.
 */
#ifndef EGRET_BITS_H
#define EGRET_BITS_H

#include <stdint.h>

#define EGRET_BYTES(n) (0x0101010101010101u * (uint64_t)(n)) /* n in each byte */

/* Set bits of each pair, nibble and byte of x, in place. */
static inline uint64_t egret_bits_pairs(uint64_t x)
{
    return x - (x >> 1 & EGRET_BYTES(0x55));
}
static inline uint64_t egret_bits_nibbles(uint64_t pairs)
{
    return (pairs & EGRET_BYTES(0x33)) + (pairs >> 2 & EGRET_BYTES(0x33));
}
static inline uint64_t egret_bits_bytes(uint64_t nibbles)
{
    return (nibbles + (nibbles >> 4)) & EGRET_BYTES(0x0f);
}

/* In byte i the set bits of bytes 0..i of x; in the last one all. */
static inline uint64_t egret_bits_upto(uint64_t x)
{
    return egret_bits_bytes(egret_bits_nibbles(egret_bits_pairs(x))) * EGRET_BYTES(1);
}

static inline uint32_t egret_bits_count(uint64_t x)
{
    return (uint32_t)(egret_bits_upto(x) >> 56);
}

/* Of a byte with its bits b: where its set bits are, lowest first, four bits each. */
static inline uint32_t egret_bits_places(uint32_t b)
{
    uint32_t places = 0, n = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (b >> i & 1u)
            places |= i << 4 * n++;
    return places;
}

/* The k-th set bit of x, lowest first, by 16 random bits: k = (r * count) >> 16. x is not 0, upto
 * is egret_bits_upto(x), places[b] egret_bits_places(b). */
static inline uint32_t egret_bits_pick(const uint32_t places[256], uint64_t x, uint64_t upto,
                                       uint32_t r)
{
    uint32_t k = r * (uint32_t)(upto >> 56) >> 16;
    /* bytes whose bits all come before; counts are at most 64, so comparing them never borrows */
    uint64_t passed = ((k * EGRET_BYTES(1) | EGRET_BYTES(0x80)) - upto) & EGRET_BYTES(0x80);
    uint32_t at = (uint32_t)((passed >> 7) * EGRET_BYTES(1) >> 53) & 0x38u; /* 8 a byte */

    k -= (uint32_t)(upto << 8 >> at) & 0xffu;
    return at + (places[x >> at & 0xffu] >> 4 * k & 7u);
}

#endif
