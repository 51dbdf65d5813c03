/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw.c: H, the random function of rotation (docs/spec/dr.md). Mirrors rtl/egret_draw.v.
 *
 * A 32-bit Feistel network of 14 rounds in two halves x, y of 16 bits: 8 rounds over seed and key
 * word give P, 6 more over the epoch give the row. The epoch is spread over the half first: 6
 * rounds alone leave the rows of adjacent epochs correlated. r takes P.y and the bit-reversed
 * revolution, so that the repairs of one pointer are spread evenly whatever their number.
 */
#include "internal.h"

/* Binary digits of the golden ratio's fraction, 16 at a time. */
static const uint16_t round_constant[14] = {0x9e37, 0x79b9, 0x7f4a, 0x7c15, 0xf39c, 0xc060, 0x5ced,
                                            0xc834, 0x1082, 0x276b, 0xf3a2, 0x7251, 0x9f86, 0x3e1d};

static uint32_t rol16(uint32_t x, unsigned n)
{
    return ((x << n) | (x >> (16 - n))) & 0xffffu;
}

static void rounds(uint32_t *x, uint32_t *y, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        uint32_t f = (rol16(*x, 1) & rol16(*x, 8)) ^ rol16(*x, 2);
        uint32_t next = *y ^ f ^ round_constant[i];
        *y = *x;
        *x = next;
    }
}

uint32_t egret_draw_pre(uint32_t seed, uint32_t kw)
{
    uint32_t x = (kw ^ seed) & 0xffffu;
    uint32_t y = seed >> 16;
    rounds(&x, &y, 0, 8);
    return y << 16 | x;
}

uint32_t egret_draw_row(uint32_t pre, uint32_t epoch)
{
    uint32_t x = (pre ^ epoch ^ rol16(epoch, 6) ^ rol16(epoch, 11)) & 0xffffu;
    uint32_t y = pre >> 16;
    rounds(&x, &y, 8, 14);
    return x;
}

uint32_t egret_draw_random(uint32_t pre, uint32_t slot, uint32_t wraps, uint32_t epoch)
{
    uint32_t v = slot ^ wraps ^ epoch;
    uint32_t reversed = 0;
    for (unsigned i = 0; i < 12; i++)
        reversed |= ((v >> i) & 1u) << (11 - i);
    return (pre >> 16) ^ reversed << 4;
}
