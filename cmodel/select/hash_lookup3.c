/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_lookup3.c: Jenkins lookup3, hashlittle() (docs/spec/hash.md). Mirrors
 * rtl/egret_hash_lookup3.v; mix and final are in lookup3_mix.h.
 */
#include "egret/hash.h"
#include "internal.h"

#define LOOKUP3_WORD uint32_t
#define LOOKUP3_MIX mix
#define LOOKUP3_FINAL final
#define LOOKUP3_TARGET
#include "lookup3_mix.h"

static uint32_t word_le(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Up to 4 bytes, the missing ones zero. */
static uint32_t partial_le(const uint8_t *p, size_t n)
{
    uint32_t w = 0;
    for (size_t i = 0; i < n && i < 4; i++)
        w |= (uint32_t)p[i] << (8 * i);
    return w;
}

uint32_t egret_hash_lookup3(const uint8_t *bytes, size_t n, uint32_t initval)
{
    uint32_t a = 0xdeadbeefu + (uint32_t)n + initval;
    uint32_t b = a;
    uint32_t c = a;

    if (n == 0)
        return c;
    while (n > 12) {
        a += word_le(bytes);
        b += word_le(bytes + 4);
        c += word_le(bytes + 8);
        mix(&a, &b, &c);
        bytes += 12;
        n -= 12;
    }
    a += partial_le(bytes, n);
    if (n > 4)
        b += partial_le(bytes + 4, n - 4);
    if (n > 8)
        c += partial_le(bytes + 8, n - 8);
    return final(a, b, c);
}
