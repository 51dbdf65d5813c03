/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spray_random.c: scheme `spray-random`: a live member at random (docs/spec/spray-random.md), and
 * the generator. Mirrors rtl/egret_spray_random.v.
 *
 * Every packet steps the generator, few look at it: packets are only counted, and when a number is
 * wanted a block of numbers is made, four at a time.
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

/* n steps: a step is a linear map; its powers by squaring. */
static uint32_t jump(uint32_t x, uint64_t n)
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

/* Numbers 1 to 4 QUARTER behind number 0, in four lanes. */
#define QUARTER (EGRET_RANDOM_BLOCK / 4)
static void fill(uint32_t *number)
{
    /* column i: the state 1 << i after QUARTER steps */
    static const uint32_t quarter[32] = {
        0x54eda13c, 0xe9cd73ee, 0xb77136c3, 0xdeb89e2b, 0x4837ddb4, 0xaa7186bd, 0x47ccfd7d,
        0x09409751, 0x4852e923, 0x935eb108, 0x58647569, 0x9e1d74f6, 0xe6c5e3f7, 0xb56f517a,
        0xdfbaa62a, 0x6551e937, 0x1933008c, 0x74359566, 0xb2730c82, 0xc019be4f, 0x7fea9452,
        0xed17fdb1, 0x926154af, 0x200c67eb, 0x73fc8e9a, 0x68787df8, 0x70e5d9cc, 0xc61d550e,
        0xcb068d93, 0x3ba1b411, 0x0a6b48da, 0x8c5a768c};
    uint32_t start[4] = {number[0]};

    for (unsigned i = 1; i < 4; i++)
        start[i] = apply(quarter, start[i - 1]);
#if defined(__GNUC__) && !defined(EGRET_PLAIN_C)
    typedef uint32_t lanes __attribute__((vector_size(16)));
    lanes x = {start[0], start[1], start[2], start[3]};
    for (uint32_t n = 1; n <= QUARTER; n++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        for (uint32_t i = 0; i < 4; i++)
            number[i * QUARTER + n] = x[i];
    }
#else
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t n = 1; n <= QUARTER; n++) {
            start[i] = egret_random_step(start[i]);
            number[i * QUARTER + n] = start[i];
        }
    }
#endif
}

static uint32_t state_at(const struct egret *e, uint64_t at)
{
    return at <= e->random_known ? e->random[at]
                                 : jump(e->random[e->random_known], at - e->random_known);
}

uint32_t egret_random_state(const struct egret *e)
{
    return state_at(e, e->random_at);
}

uint32_t egret_random_next(const struct egret *e)
{
    return egret_random_step(egret_random_state(e));
}

void egret_random_set(struct egret *e, uint32_t state)
{
    e->random[0] = state;
    e->random_at = 0;
    e->random_known = 0;
}

void egret_random_refill(struct egret *e)
{
    e->random[0] = state_at(e, e->random_at - 1);
    e->random_at = 1;
    e->random_known = EGRET_RANDOM_BLOCK;
    fill(e->random);
}

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    (void)g;
    (void)ev;
    w->random = egret_random_next(e);
    w->repair_random = w->random >> 16;
    w->repair_rank = w->repair_random * w->live_count >> 16;
    w->choice = w->live_count != 0 ? egret_live_kth(w->live_members, w->repair_rank) : 0;
    w->decision.data = w->random;
    return true;
}

const struct egret_scheme_ops egret_scheme_spray_random = {"spray-random", choose};
