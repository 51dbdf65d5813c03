/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rng.h: the generators' random numbers (SplitMix64): same seed, same numbers, on every machine.
 */
#ifndef EGRET_TRACE_RNG_H
#define EGRET_TRACE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_u64(struct rng *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint32_t rng_u32(struct rng *r)
{
    return (uint32_t)(rng_u64(r) >> 32);
}

/* Uniform in 0..n-1, n at least 1; the bias is below n / 2^32. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)(((uint64_t)rng_u32(r) * n) >> 32);
}

/* 1 in `percent` of 100 calls, else 0. */
static inline uint32_t rng_percent(struct rng *r, uint32_t percent)
{
    return rng_below(r, 100) < percent;
}

#endif
