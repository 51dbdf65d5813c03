/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_self.c: not the model but scripts/equiv itself: what C can say of numbers, tables, loops
 * and pointers, against the same written as Verilog in tb/equiv/equiv_self.v.
 *
 * in   a         32
 * in   b         32
 * in   n         5
 * in   signs     8 x 2
 * in   table     6 x 12
 * in   long_a    40
 * out  sums      32 x 4
 * out  orders    1 x 6
 * out  shifts    32 x 4
 * out  quotient  32
 * out  rest      32
 * out  product   64
 * out  looked_up 6 x 3
 * out  count     6
 * out  place     8
 * out  moved     6 x 12
 * out  called    32
 * out  nested    16
 * out  copied    40
 * out  picked    8
 */
#include <stddef.h>
#include <string.h>

#include "equiv_ports.h"

struct pair {
    uint32_t first;
    uint8_t small[3];
    uint64_t wide;
};

typedef uint32_t (*step)(uint32_t a, uint32_t b);

static uint32_t both(uint32_t a, uint32_t b)
{
    return a & b;
}

static uint32_t either(uint32_t a, uint32_t b)
{
    return a | b;
}

static uint32_t one_of(uint32_t a, uint32_t b)
{
    return a ^ b;
}

static const step steps[3] = {both, either, one_of};

/* The first place from `start` on where x has a one, 32 if there is none. */
static unsigned first_one(uint32_t x, unsigned start)
{
    for (unsigned i = start; i < 32; i++) {
        if ((x >> i & 1u) == 0)
            continue;
        return i;
    }
    return 32;
}

static void numbers(const struct equiv_in *in, struct equiv_out *out)
{
    int32_t left = (int8_t)in->signs[0];
    int32_t right = (int8_t)in->signs[1];
    uint32_t a8 = in->a & 0xffu; /* wider ones are beyond solvers */
    uint32_t b8 = in->b & 0xffu;

    out->sums[0] = in->a + in->b;
    out->sums[1] = in->a - in->b;
    out->sums[2] = ~in->a;
    out->sums[3] = (uint32_t)(left * right);
    out->orders[0] = in->a < in->b;
    out->orders[1] = in->a <= in->b;
    out->orders[2] = (int32_t)in->a < (int32_t)in->b;
    out->orders[3] = left >= right;
    out->orders[4] = in->a == in->b || in->n == 3;
    out->orders[5] = in->a != 0 && (in->b & in->a) == 0;
    out->shifts[0] = in->a << in->n;
    out->shifts[1] = in->a >> in->n;
    out->shifts[2] = (uint32_t)((int32_t)in->a >> in->n);
    out->shifts[3] = in->a << in->n | in->a >> ((32 - in->n) & 31);
    out->quotient = b8 != 0 ? a8 / b8 : 0;
    out->rest = b8 != 0 ? a8 % b8 : a8 % 10;
    out->product = (uint64_t)a8 * b8;
}

static void tables(const struct equiv_in *in, struct equiv_out *out)
{
    uint8_t copy[12], grid[3][4];
    unsigned at = in->n % 12;
    uint8_t count = 0;

    memcpy(copy, in->table, sizeof copy);
    memset(grid, 7, sizeof grid);
    memcpy(grid[1], copy + 4, 4);
    out->looked_up[0] = copy[at];
    out->looked_up[1] = grid[(in->a & 0xffu) % 3][in->b & 3u];
    copy[at] = (uint8_t)(in->b & 0x3fu);
    for (unsigned i = 0; i < 12; i++) {
        count = (uint8_t)(count + (copy[i] & 1u));
        out->moved[i] = copy[11 - i];
    }
    out->looked_up[2] = copy[(in->b & 0xffu) % 12];
    out->count = count;
    out->place = (uint8_t)first_one(in->a, in->n & 7u);
}

static void pointers(const struct equiv_in *in, struct equiv_out *out)
{
    struct pair x = {in->a, {1, 2, 3}, in->long_a}, y = {in->b, {4, 5, 6}, 9}, z;
    const struct pair *chosen = in->n < 16 ? &x : &y;
    const uint8_t *p = in->table, *end = in->table + 12;

    out->called = steps[in->n % 3](in->a, in->b);
    z = *chosen;
    out->copied = z.wide & 0xffffffffffu;
    out->picked = z.small[(in->b & 0xffu) % 3];
    switch (in->n & 3u) {
    case 0:
        out->nested = (uint16_t)chosen->first;
        break;
    case 1:
    case 2:
        out->nested = (uint16_t)(chosen->first >> 16);
        break;
    default:
        while (p != end && *p < 32)
            out->nested = (uint16_t)(out->nested + *p++);
        break;
    }
}

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    numbers(in, out);
    tables(in, out);
    pointers(in, out);
}
