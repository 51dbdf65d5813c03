/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup3_filter.c: see lookup3_filter.h. The loop is written with vectors of the compiler and
 * compiled for each width; which one runs is asked of the processor.
 */
#include "lookup3_filter.h"

#include <string.h>

#include "egret/identify.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_AVX2 1
#include <immintrin.h>

/* The set bits of an index, the lowest first, a nibble each. */
static const uint32_t lane_order[256] = {
    0x00000000, 0x00000000, 0x00000001, 0x00000010, 0x00000002, 0x00000020, 0x00000021, 0x00000210,
    0x00000003, 0x00000030, 0x00000031, 0x00000310, 0x00000032, 0x00000320, 0x00000321, 0x00003210,
    0x00000004, 0x00000040, 0x00000041, 0x00000410, 0x00000042, 0x00000420, 0x00000421, 0x00004210,
    0x00000043, 0x00000430, 0x00000431, 0x00004310, 0x00000432, 0x00004320, 0x00004321, 0x00043210,
    0x00000005, 0x00000050, 0x00000051, 0x00000510, 0x00000052, 0x00000520, 0x00000521, 0x00005210,
    0x00000053, 0x00000530, 0x00000531, 0x00005310, 0x00000532, 0x00005320, 0x00005321, 0x00053210,
    0x00000054, 0x00000540, 0x00000541, 0x00005410, 0x00000542, 0x00005420, 0x00005421, 0x00054210,
    0x00000543, 0x00005430, 0x00005431, 0x00054310, 0x00005432, 0x00054320, 0x00054321, 0x00543210,
    0x00000006, 0x00000060, 0x00000061, 0x00000610, 0x00000062, 0x00000620, 0x00000621, 0x00006210,
    0x00000063, 0x00000630, 0x00000631, 0x00006310, 0x00000632, 0x00006320, 0x00006321, 0x00063210,
    0x00000064, 0x00000640, 0x00000641, 0x00006410, 0x00000642, 0x00006420, 0x00006421, 0x00064210,
    0x00000643, 0x00006430, 0x00006431, 0x00064310, 0x00006432, 0x00064320, 0x00064321, 0x00643210,
    0x00000065, 0x00000650, 0x00000651, 0x00006510, 0x00000652, 0x00006520, 0x00006521, 0x00065210,
    0x00000653, 0x00006530, 0x00006531, 0x00065310, 0x00006532, 0x00065320, 0x00065321, 0x00653210,
    0x00000654, 0x00006540, 0x00006541, 0x00065410, 0x00006542, 0x00065420, 0x00065421, 0x00654210,
    0x00006543, 0x00065430, 0x00065431, 0x00654310, 0x00065432, 0x00654320, 0x00654321, 0x06543210,
    0x00000007, 0x00000070, 0x00000071, 0x00000710, 0x00000072, 0x00000720, 0x00000721, 0x00007210,
    0x00000073, 0x00000730, 0x00000731, 0x00007310, 0x00000732, 0x00007320, 0x00007321, 0x00073210,
    0x00000074, 0x00000740, 0x00000741, 0x00007410, 0x00000742, 0x00007420, 0x00007421, 0x00074210,
    0x00000743, 0x00007430, 0x00007431, 0x00074310, 0x00007432, 0x00074320, 0x00074321, 0x00743210,
    0x00000075, 0x00000750, 0x00000751, 0x00007510, 0x00000752, 0x00007520, 0x00007521, 0x00075210,
    0x00000753, 0x00007530, 0x00007531, 0x00075310, 0x00007532, 0x00075320, 0x00075321, 0x00753210,
    0x00000754, 0x00007540, 0x00007541, 0x00075410, 0x00007542, 0x00075420, 0x00075421, 0x00754210,
    0x00007543, 0x00075430, 0x00075431, 0x00754310, 0x00075432, 0x00754320, 0x00754321, 0x07543210,
    0x00000076, 0x00000760, 0x00000761, 0x00007610, 0x00000762, 0x00007620, 0x00007621, 0x00076210,
    0x00000763, 0x00007630, 0x00007631, 0x00076310, 0x00007632, 0x00076320, 0x00076321, 0x00763210,
    0x00000764, 0x00007640, 0x00007641, 0x00076410, 0x00007642, 0x00076420, 0x00076421, 0x00764210,
    0x00007643, 0x00076430, 0x00076431, 0x00764310, 0x00076432, 0x00764320, 0x00764321, 0x07643210,
    0x00000765, 0x00007650, 0x00007651, 0x00076510, 0x00007652, 0x00076520, 0x00076521, 0x00765210,
    0x00007653, 0x00076530, 0x00076531, 0x00765310, 0x00076532, 0x00765320, 0x00765321, 0x07653210,
    0x00007654, 0x00076540, 0x00076541, 0x00765410, 0x00076542, 0x00765420, 0x00765421, 0x07654210,
    0x00076543, 0x00765430, 0x00765431, 0x07654310, 0x00765432, 0x07654320, 0x07654321, 0x76543210,
};

/* The lanes that are alive, moved together. All eight are stored. */
__attribute__((target("avx2"), always_inline)) static inline size_t
keep_avx2(__m256i seed, __m256i alive, size_t left, uint32_t *out_seed, uint32_t *out_alive)
{
    __m256i dead = _mm256_cmpeq_epi32(alive, _mm256_setzero_si256());
    uint32_t mask = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(dead)) & 0xffu;
    mask &= left < 8u ? (1u << left) - 1u : 0xffu;
    __m256i order = _mm256_srlv_epi32(_mm256_set1_epi32((int)lane_order[mask]),
                                      _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    _mm256_storeu_si256((__m256i *)(void *)out_seed, _mm256_permutevar8x32_epi32(seed, order));
    _mm256_storeu_si256((__m256i *)(void *)out_alive, _mm256_permutevar8x32_epi32(alive, order));
    return (size_t)__builtin_popcount(mask);
}

typedef uint32_t vec_avx2 __attribute__((vector_size(32)));
#define K_BYTES 32u
#define K_VEC vec_avx2
#define K_MIX mix_avx2
#define K_FINAL final_avx2
#define K_NAME filter_avx2
#define K_TARGET __attribute__((target("avx2,popcnt")))
#define K_KEEP(seed, alive, left, to, to_alive)                                                    \
    keep_avx2((__m256i)(seed), (__m256i)(alive), left, to, to_alive)
#include "lookup3_kernel.h"
#endif

static size_t keep_plain(const uint32_t *seed, const uint32_t *alive, size_t left,
                         uint32_t *out_seed, uint32_t *out_alive)
{
    size_t kept = 0;
    for (size_t i = 0; i < 4u && i < left; i++) {
        out_seed[kept] = seed[i];
        out_alive[kept] = alive[i];
        kept += alive[i] != 0;
    }
    return kept;
}

typedef uint32_t vec_plain __attribute__((vector_size(16)));
#define K_BYTES 16u
#define K_VEC vec_plain
#define K_MIX mix_plain
#define K_FINAL final_plain
#define K_NAME filter_plain
#define K_TARGET
#define K_KEEP(seed, alive, left, to, to_alive)                                                    \
    keep_plain((const uint32_t *)&(seed), (const uint32_t *)&(alive), left, to, to_alive)
#include "lookup3_kernel.h"

size_t egret_lookup3_filter(const struct lookup3_input *x, const struct lookup3_filters *f,
                            const uint32_t *want, uint32_t first, const struct survivors *in,
                            size_t count, struct survivors *out)
{
#ifdef HAVE_AVX2
    if (!f->plain && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) {
        return filter_avx2(x, f, want, first, in, count, out);
    }
#endif
    return filter_plain(x, f, want, first, in, count, out);
}

static uint32_t rol32(uint32_t v, uint32_t n)
{
    return v << (n & 31u) | v >> (-n & 31u);
}

uint32_t egret_lookup3_filter_want(const struct lookup3_filter *f, uint32_t index)
{
    return f->kind == FILTER_BITS ? rol32(index, f->up) : index;
}

void egret_lookup3_input_set(struct lookup3_input *x, const uint8_t *bytes, size_t n)
{
    memset(x, 0, sizeof *x);
    x->bytes = (uint32_t)n;
    x->mixes = n ? (uint32_t)(n - 1u) / 12u : 0;
    for (size_t i = 0; i < n; i++) {
        x->word[i / 4u] |= (uint32_t)bytes[i] << (8u * (i % 4u));
    }
}

/* hash & mask = index, both rotated: bits `low` and up of the rotated hash. */
static void set_bits(struct lookup3_filter *f, uint32_t low, uint32_t mask)
{
    f->kind = FILTER_BITS;
    f->up = (low + f->right) % 32u;
    f->mask = rol32(mask, f->up);
}

static void set_modulo(struct lookup3_filter *f, uint32_t n)
{
    f->kind = FILTER_MODULO;
    f->mask = f->mapping == EGRET_MAP_MODULO16 ? 0xffffu : 0xffffffffu;
    f->limit = 0xffffffffu / n;
    for (; n % 2u == 0; n /= 2u) {
        f->twos++;
    }
    f->inverse = n;
    for (unsigned i = 0; i < 5u; i++) { /* each step doubles the good bits */
        f->inverse *= 2u - n * f->inverse;
    }
}

void egret_lookup3_filter_add(struct lookup3_filters *set, uint32_t mapping, uint32_t rotation,
                              uint32_t n)
{
    if (set->count == LOOKUP3_FILTERS) {
        return;
    }
    struct lookup3_filter *f = &set->filter[set->count++];
    uint32_t bits = 0;
    memset(f, 0, sizeof *f);
    f->mapping = mapping;
    f->right = rotation % 32u;
    f->left = (32u - f->right) % 32u;
    f->n = n;
    while (1u << bits < n) {
        bits++;
    }
    bool power = n == 1u << bits;
    if (mapping == EGRET_MAP_HASH) {
        set_bits(f, 0, n == 16u ? 0xffffu : 0xffffffffu);
    } else if (mapping == EGRET_MAP_MASK) {
        set_bits(f, 0, n - 1u);
    } else if (power && (mapping == EGRET_MAP_SHIFT16 || mapping == EGRET_MAP_SHIFT32)) {
        set_bits(f, (mapping == EGRET_MAP_SHIFT16 ? 16u : 32u) - bits, n - 1u);
    } else if (mapping == EGRET_MAP_SHIFT16) {
        f->kind = FILTER_SHIFT;
    } else if (mapping == EGRET_MAP_SHIFT32) {
        f->kind = FILTER_SHIFT_HIGH;
    } else {
        set_modulo(f, n);
    }
    if (f->kind == FILTER_BITS && set->bits + 1u == set->count) {
        set->bits++;
    }
}
