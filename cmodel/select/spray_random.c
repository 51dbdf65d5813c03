/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spray_random.c: scheme `spray-random`: a live member at random (docs/spec/spray-random.md), and
 * the generator's jump. Mirrors rtl/egret_spray_random.v.
 */
#include "internal.h"

/* Below this many steps one after the other are quicker than a jump. */
#define MANY_STEPS 4096u

static uint32_t apply(const uint32_t column[32], uint32_t x)
{
    uint32_t y = 0;
    for (unsigned i = 0; i < 32; i++)
        y ^= column[i] & (0u - (x >> i & 1u));
    return y;
}

/* A step is a linear map; its powers by squaring. */
uint32_t egret_random_jump(uint32_t x, uint64_t n)
{
    uint32_t column[32], square[32];

    if (n < MANY_STEPS) {
        while (n-- > 0)
            x = egret_random_step(x);
        return x;
    }
    for (unsigned i = 0; i < 32; i++)
        column[i] = egret_random_step((uint32_t)1 << i);
    for (; n > 0; n >>= 1) {
        if (n & 1u)
            x = apply(column, x);
        for (unsigned i = 0; i < 32; i++)
            square[i] = apply(column, column[i]);
        for (unsigned i = 0; i < 32; i++)
            column[i] = square[i];
    }
    return x;
}

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    (void)g;
    (void)ev;
    w->random = egret_random_step(egret_random_jump(e->random, e->random_behind));
    w->repair_random = w->random >> 16;
    w->repair_rank = w->repair_random * w->live_count >> 16;
    w->choice = w->live_count != 0 ? egret_live_kth(w->live_members, w->repair_rank) : 0;
    w->decision.data = w->random;
    return true;
}

const struct egret_scheme_ops egret_scheme_spray_random = {"spray-random", choose};
