/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup3_mix.h: mix and final of Jenkins lookup3 (docs/spec/hash.md), for words, or for vectors of
 * words. Mirrors rtl/egret_hash_lookup3.v statement by statement. Included once for each type, so
 * it has no guard; with LOOKUP3_WORD, the names LOOKUP3_MIX and LOOKUP3_FINAL, and LOOKUP3_TARGET,
 * the attributes of both, set.
 */
#define ROL(x, n) ((x) << (n) | (x) >> (32 - (n)))

LOOKUP3_TARGET static inline void LOOKUP3_MIX(LOOKUP3_WORD *to_a, LOOKUP3_WORD *to_b,
                                              LOOKUP3_WORD *to_c)
{
    LOOKUP3_WORD a = *to_a;
    LOOKUP3_WORD b = *to_b;
    LOOKUP3_WORD c = *to_c;
    a -= c, a ^= ROL(c, 4), c += b;
    b -= a, b ^= ROL(a, 6), a += c;
    c -= b, c ^= ROL(b, 8), b += a;
    a -= c, a ^= ROL(c, 16), c += b;
    b -= a, b ^= ROL(a, 19), a += c;
    c -= b, c ^= ROL(b, 4), b += a;
    *to_a = a;
    *to_b = b;
    *to_c = c;
}

LOOKUP3_TARGET static inline LOOKUP3_WORD LOOKUP3_FINAL(LOOKUP3_WORD a, LOOKUP3_WORD b,
                                                        LOOKUP3_WORD c)
{
    c ^= b, c -= ROL(b, 14);
    a ^= c, a -= ROL(c, 11);
    b ^= a, b -= ROL(a, 25);
    c ^= b, c -= ROL(b, 16);
    a ^= c, a -= ROL(c, 4);
    b ^= a, b -= ROL(a, 14);
    c ^= b, c -= ROL(b, 24);
    return c;
}

#undef ROL
#undef LOOKUP3_WORD
#undef LOOKUP3_MIX
#undef LOOKUP3_FINAL
#undef LOOKUP3_TARGET
