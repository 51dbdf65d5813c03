/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_lookup3.c: the filters of many seeds of lookup3 against one seed after the other, as wide
 * as this processor can and as any can. What a filter asks is said here in the words of
 * docs/hash-identify.md; the hash is egret/hash.h's, which has tests of its own.
 */
#include "../trace/lookup3_filter.h"
#include "egret/identify.h"
#include "trace_test.h"

static struct trace_test t;

/* Does the hash, rotated right, choose this member of n (or: have this value)? */
static bool chooses(uint32_t mapping, uint32_t rotation, uint32_t n, uint32_t hash, uint32_t index)
{
    uint64_t h = rotation ? hash >> rotation | hash << (32u - rotation) : hash;
    h &= 0xffffffffu;
    uint64_t low = h & 0xffffu;
    switch (mapping) {
    case EGRET_MAP_HASH:
        return (n == 16u ? low : h) == index;
    case EGRET_MAP_MASK:
    case EGRET_MAP_MODULO:
        return h % n == index;
    case EGRET_MAP_MODULO16:
        return low % n == index;
    case EGRET_MAP_SHIFT16:
        return low * n / 65536u == index;
    default:
        return h * n / 4294967296u == index;
    }
}

/* 12 bytes a mix: lengths on both sides of each. */
static const uint8_t lengths[] = {1, 4, 8, 12, 13, 24, 25, 36, 37, 41};
static uint8_t bytes[41];
static struct survivors out, again;

struct mapping {
    uint32_t mapping;
    uint32_t n;
    uint32_t index; /* that was seen; of a hash: that of a seed in the middle */
    bool exact;     /* the filter lets no wrong seed through */
};

/* All rotations of a mapping, over `count` seeds from `first` on. */
static void one(const struct mapping *m, size_t length, uint32_t first, size_t count, bool plain)
{
    static struct lookup3_filters f;
    struct lookup3_input x;
    uint32_t want[LOOKUP3_FILTERS];
    uint32_t index = m->index;
    memset(&f, 0, sizeof f);
    f.plain = plain;
    for (uint32_t r = 0; r < 33u; r++) { /* there is room for 32, and the one more is left out */
        egret_lookup3_filter_add(&f, m->mapping, r, m->n);
    }
    CHECK(&t, f.count == 32u);
    if (m->mapping == EGRET_MAP_HASH) {
        index = egret_hash_lookup3(bytes, length, first + (uint32_t)count / 2u);
        index = m->n == 16u ? index & 0xffffu : index;
    }
    for (unsigned k = 0; k < f.count; k++) {
        want[k] = egret_lookup3_filter_want(&f.filter[k], index);
    }
    egret_lookup3_input_set(&x, bytes, length);
    memset(&out, 0xee, sizeof out);
    size_t kept = egret_lookup3_filter(&x, &f, want, first, NULL, count, &out);
    size_t at = 0;
    size_t wrong = 0;
    size_t right = 0;
    size_t missed = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t seed = first + (uint32_t)i;
        uint32_t hash = egret_hash_lookup3(bytes, length, seed);
        bool here = at < kept && out.seed[at] == seed;
        uint32_t alive = here ? out.alive[at] : 0;
        at += here;
        wrong += here && alive == 0;
        for (unsigned r = 0; r < 32u; r++) {
            bool asked = chooses(m->mapping, r, m->n, hash, index);
            right += asked;
            missed += asked && !(alive >> r & 1u);
            wrong += !asked && (alive >> r & 1u);
        }
    }
    bool good = at == kept && missed == 0 && wrong <= (m->exact ? 0 : 32u * count / 100u);
    good = good && right > 0;
    /* What is left agrees with the same observation again; the order stays. */
    size_t same = egret_lookup3_filter(&x, &f, want, 0, &out, kept, &again);
    good = good && same == kept && memcmp(again.seed, out.seed, kept * sizeof *out.seed) == 0 &&
           memcmp(again.alive, out.alive, kept * sizeof *out.alive) == 0;
    /* With nothing alive nothing is left, and `out` may be `in`. */
    memset(again.alive, 0, kept * sizeof *again.alive);
    good = good && egret_lookup3_filter(&x, &f, want, 0, &again, kept, &again) == 0;
    if (!CHECK(&t, good)) {
        printf("  mapping %u of %u, %zu bytes, %zu seeds, %s: kept %zu, right %zu, missed %zu, "
               "wrong %zu\n",
               m->mapping, m->n, length, count, plain ? "plain" : "wide", kept, right, missed,
               wrong);
    }
}

int main(void)
{
    static const struct mapping mappings[] = {
        {EGRET_MAP_HASH, 16, 0, true},
        {EGRET_MAP_HASH, 32, 0, true},
        {EGRET_MAP_MASK, 2, 1, true},
        {EGRET_MAP_MASK, 64, 63, true},
        {EGRET_MAP_SHIFT16, 8, 7, true},
        {EGRET_MAP_SHIFT32, 4, 2, true},
        {EGRET_MAP_SHIFT16, 7, 1, true}, /* from low half 9363 on */
        /* 7 * 28086 = 3 * 65536 - 6: the low half must give the 6 that are wanting. */
        {EGRET_MAP_SHIFT32, 7, 3, false},
        {EGRET_MAP_MODULO, 3, 2, false},
        {EGRET_MAP_MODULO, 12, 11, false},
        {EGRET_MAP_MODULO16, 5, 4, false},
        {EGRET_MAP_MODULO16, 14, 13, false},
    };
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 37u + 11u);
    }
    for (size_t i = 0; i < 2u * sizeof mappings / sizeof mappings[0]; i++) {
        const struct mapping *m = &mappings[i / 2u];
        for (size_t k = 0; k < sizeof lengths; k++) {
            /* No multiple of a vector's lanes, and seeds that wrap. */
            one(m, lengths[k], 0xfffffe00u, 4093u + k, i % 2u != 0);
        }
    }
    struct lookup3_input none;
    egret_lookup3_input_set(&none, bytes, 0);
    CHECK(&t, none.bytes == 0 && none.mixes == 0 && none.word[0] == 0);
    return trace_result(&t);
}
