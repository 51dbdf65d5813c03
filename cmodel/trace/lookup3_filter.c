/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup3_filter.c: see lookup3_filter.h. The loop is written with vectors of the compiler and
 * compiled for each width; which one runs is asked of the processor.
 */
#include "lookup3_filter.h"

#include <string.h>

#include "egret/identify.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define K_BYTES 64u
#define K_NAME filter_avx512
#define K_TARGET __attribute__((target("avx512f")))
#include "lookup3_kernel.h"
#define K_BYTES 32u
#define K_NAME filter_avx2
#define K_TARGET __attribute__((target("avx2")))
#include "lookup3_kernel.h"
#endif
#define K_BYTES 16u
#define K_NAME filter_plain
#define K_TARGET
#include "lookup3_kernel.h"

size_t lookup3_filter(const struct lookup3_input *x, const struct lookup3_filters *f,
                      const uint32_t *want, uint32_t first, const struct survivors *in,
                      size_t count, struct survivors *out)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f")) {
        return filter_avx512(x, f, want, first, in, count, out);
    }
    if (__builtin_cpu_supports("avx2")) {
        return filter_avx2(x, f, want, first, in, count, out);
    }
#endif
    return filter_plain(x, f, want, first, in, count, out);
}

void lookup3_input_set(struct lookup3_input *x, const uint8_t *bytes, size_t n)
{
    memset(x, 0, sizeof *x);
    x->bytes = (uint32_t)n;
    x->mixes = n ? (uint32_t)(n - 1u) / 12u : 0;
    for (size_t i = 0; i < n; i++) {
        x->word[i / 4u] |= (uint32_t)bytes[i] << (8u * (i % 4u));
    }
}

void lookup3_filter_set(struct lookup3_filter *f, uint32_t mapping, uint32_t rotation, uint32_t n)
{
    memset(f, 0, sizeof *f);
    f->mapping = mapping;
    f->right = rotation % 32u;
    f->left = (32u - f->right) % 32u;
    f->n = n;
    f->mask = 0xffffffffu;
    switch (mapping) {
    case EGRET_MAP_HASH: /* n: 16 or 32 bits */
        f->mask = n == 16u ? 0xffffu : 0xffffffffu;
        break;
    case EGRET_MAP_MASK:
        f->mask = n - 1u;
        break;
    case EGRET_MAP_SHIFT16:
        f->kind = FILTER_SHIFT;
        break;
    case EGRET_MAP_SHIFT32:
        f->kind = FILTER_SHIFT_HIGH;
        break;
    default:
        f->kind = FILTER_MODULO;
        f->mask = mapping == EGRET_MAP_MODULO16 ? 0xffffu : 0xffffffffu;
        f->limit = 0xffffffffu / n;
        for (; n % 2u == 0; n /= 2u) {
            f->twos++;
        }
        f->inverse = n;
        for (unsigned i = 0; i < 5u; i++) { /* each step doubles the good bits */
            f->inverse *= 2u - n * f->inverse;
        }
        break;
    }
}
