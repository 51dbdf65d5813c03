/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup3_kernel.h: one observation against many seeds of lookup3, with vectors of K_BYTES bytes.
 * Included once for each width, so it has no guard; with K_VEC, the names K_NAME, K_MIX and
 * K_FINAL, and K_TARGET set, and K_KEEP, which writes those lanes that are alive and returns how
 * many.
 */
#define K_LANES (K_BYTES / 4u)

#define LOOKUP3_WORD K_VEC
#define LOOKUP3_MIX K_MIX
#define LOOKUP3_FINAL K_FINAL
#define LOOKUP3_TARGET K_TARGET __attribute__((always_inline))
#include "../select/lookup3_mix.h"

/* Seeds of `in`, or first, first + 1, .. if there are none, whose hash of x agrees with a filter
 * that they agreed with so far. Writes them to `out`, which may be `in`; returns how many. */
K_TARGET static size_t K_NAME(const struct lookup3_input *x, const struct lookup3_filters *f,
                              const uint32_t *want, uint32_t first, const struct survivors *in,
                              size_t count, struct survivors *out)
{
    typedef K_VEC vec;
    vec step;
    size_t kept = 0;
    for (unsigned i = 0; i < K_LANES; i++) {
        step[i] = i;
    }
    for (size_t at = 0; at < count; at += K_LANES) {
        vec seed = step + (first + (uint32_t)at);
        vec alive = {0};
        if (in) { /* the arrays have room for a whole vector behind their end */
            memcpy(&seed, in->seed + at, sizeof seed);
        }
        vec a = seed + (0xdeadbeefu + x->bytes);
        vec b = a;
        vec c = a;
        const uint32_t *w = x->word;
        for (unsigned i = 0; i < x->mixes; i++, w += 3) {
            a += w[0];
            b += w[1];
            c += w[2];
            K_MIX(&a, &b, &c);
        }
        a += w[0];
        b += w[1];
        c += w[2];
        c = K_FINAL(a, b, c);
        for (unsigned k = 0; k < f->bits; k++) {
            alive |= (vec)((c & f->filter[k].mask) == want[k]) & 1u << k;
        }
        for (unsigned k = f->bits; k < f->count; k++) {
            const struct lookup3_filter *g = &f->filter[k];
            vec h = c >> g->right | c << g->left;
            vec ok;
            if (g->kind == FILTER_SHIFT) {
                ok = (vec)(((h & 0xffffu) * g->n) >> 16 == want[k]);
            } else if (g->kind == FILTER_SHIFT_HIGH) { /* the low half adds less than n */
                h = (h >> 16) * g->n;
                ok = (vec)(h >> 16 == want[k]) | (vec)((h + (g->n - 1u)) >> 16 == want[k]);
            } else { /* h - want is a multiple of n */
                h = ((h & g->mask) - want[k]) * g->inverse;
                h = h >> g->twos | h << (32u - g->twos) % 32u;
                ok = (vec)(h <= g->limit);
            }
            alive |= ok & 1u << k;
        }
        if (in) {
            vec before;
            memcpy(&before, in->alive + at, sizeof before);
            alive &= before;
        }
        kept += K_KEEP(seed, alive, count - at, out->seed + kept, out->alive + kept);
    }
    return kept;
}

#undef K_LANES
#undef K_NAME
#undef K_MIX
#undef K_FINAL
#undef K_VEC
#undef K_KEEP
#undef K_BYTES
#undef K_TARGET
