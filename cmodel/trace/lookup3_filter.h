/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup3_filter.h: many seeds of lookup3 against one observation, as wide as the processor can.
 * Internal to the identification of hashes.
 */
#ifndef EGRET_TRACE_LOOKUP3_FILTER_H
#define EGRET_TRACE_LOOKUP3_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP3_FILTERS 32u
#define LOOKUP3_BATCH 8192u
#define LOOKUP3_SLACK 16u /* elements behind a batch that a vector may read */

/* The bytes that are hashed, as words. */
struct lookup3_input {
    uint32_t word[15];
    uint32_t mixes; /* words 3 * mixes .. are the last ones */
    uint32_t bytes;
};

enum lookup3_filter_kind {
    FILTER_BITS,       /* hash & mask, without a rotation: mask and index are rotated instead */
    FILTER_SHIFT,      /* ((hash & 0xffff) * n) >> 16 */
    FILTER_SHIFT_HIGH, /* (hash * n) >> 32; may let a wrong one through */
    FILTER_MODULO      /* (hash & mask) mod n; may let a wrong one through */
};

/* A mapping of the hash, rotated right first. */
struct lookup3_filter {
    uint32_t kind;
    uint32_t right; /* the rotation, 0..31 .. */
    uint32_t left;  /* .. and 32 less it, modulo 32 */
    uint32_t mask;
    uint32_t up; /* FILTER_BITS: the index is rotated left by this */
    uint32_t n;
    uint32_t inverse; /* of the odd part of n, modulo 2^32 */
    uint32_t twos;    /* n = 2^twos * odd part */
    uint32_t limit;   /* (2^32 - 1) / n */
    uint32_t mapping; /* enum egret_mapping */
};

struct lookup3_filters {
    unsigned count;
    unsigned bits; /* the first ones: FILTER_BITS */
    bool plain;    /* not as wide as the processor can: what any processor runs */
    struct lookup3_filter filter[LOOKUP3_FILTERS];
};

/* Seeds and, a bit for each filter, the filters that they agreed with so far. */
struct survivors {
    uint32_t seed[LOOKUP3_BATCH + LOOKUP3_SLACK];
    uint32_t alive[LOOKUP3_BATCH + LOOKUP3_SLACK];
};

void egret_lookup3_input_set(struct lookup3_input *x, const uint8_t *bytes, size_t n);
/* Adds a mapping, if there is room; all FILTER_BITS come first. n: members, or bits of a hash. */
void egret_lookup3_filter_add(struct lookup3_filters *f, uint32_t mapping, uint32_t rotation,
                              uint32_t n);
/* What a filter should give for an index. */
uint32_t egret_lookup3_filter_want(const struct lookup3_filter *f, uint32_t index);
/* Seeds of `in`, or first .. first + count - 1 if it is null, that agree with an observation: want
 * has what each filter should give. count is at most LOOKUP3_BATCH; `out` may be `in`. Returns how
 * many. */
size_t egret_lookup3_filter(const struct lookup3_input *x, const struct lookup3_filters *f,
                            const uint32_t *want, uint32_t first, const struct survivors *in,
                            size_t count, struct survivors *out);

#endif
