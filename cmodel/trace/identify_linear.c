/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_linear.c: linear hashes over the named layouts, and tests of any linear hash.
 *
 * With h = L x ^ c, c unknown, the observed bits of h(x) ^ h(y) are those of L x ^ L y. So one
 * observation of b bits after the first leaves 2^-b of the wrong candidates, and the 32 rotations
 * are tested at once, a bit of a word each.
 */
#include <string.h>

#include "identify.h"

#define TABLE_EVIDENCE 48u /* bits by which chance would have to be right */

/* Bits of a rotation's slice that come from CRC-32C: a widened hash is not the one to name. */
static bool is_widening(const struct identify_hash *h, uint32_t rotation, uint32_t bits)
{
    bool narrow = h->algorithm == EGRET_HASH_CRC16 || h->algorithm == EGRET_HASH_CRC16_CCITT ||
                  h->algorithm == EGRET_HASH_XOR16;
    return narrow && rotation >= 16u && rotation + bits <= 32u;
}

/* Rotations, a bit each, whose low bits agree with all observations in use. */
static uint32_t alive_rotations(const struct identify *id)
{
    uint32_t alive = 0xffffffffu;
    for (size_t i = 1; i < id->use && alive; i++) {
        uint32_t d = id->v[i] ^ id->v[0];
        uint32_t y = id->index[i] ^ id->index[0];
        for (uint32_t j = 0; j < id->bits; j++) {
            alive &= ~(identify_ror(d, j) ^ (0u - (y >> j & 1u)));
        }
    }
    return alive;
}

static uint32_t low_mask(uint32_t bits)
{
    return bits >= 32u ? 0xffffffffu : (1u << bits) - 1u;
}

/* The plainest words for `bits` bits from bit r on. */
static void found_slice(struct identify *id, const struct identify_hash *h, uint32_t r)
{
    uint32_t bits = id->bits;
    uint32_t mask = low_mask(bits);
    uint32_t value = identify_ror(id->index[0] & mask, 32u - r) ^ id->v[0];
    struct egret_seed_class seed = {0, identify_ror(mask, 32u - r)};
    uint32_t rotation = r;
    uint32_t mapping = EGRET_MAP_MASK;
    seed.value = value & seed.mask;
    if (id->hash_bits) {
        mapping = EGRET_MAP_HASH;
    } else if (r == 16u - bits) {
        mapping = EGRET_MAP_SHIFT16;
        rotation = 0;
    } else if (r == 32u - bits) {
        mapping = EGRET_MAP_SHIFT32;
        rotation = 0;
    }
    egret_identify_found(id, h, rotation, mapping, 0, &seed, 1, 1ull << (32u - bits));
}

void egret_identify_slices(struct identify *id, const struct identify_hash *h)
{
    uint32_t alive = alive_rotations(id);
    for (uint32_t r = 0; alive; r++, alive >>= 1) {
        if ((alive & 1u) && !is_widening(h, r, id->bits)) {
            found_slice(id, h, r);
        }
    }
}

/* Does a table of 2^bits ports, by the bits from r on, agree with all? A bucket that was seen once
 * agrees with anything, so one wrong observation would hide there: each must be seen twice. */
static bool table_agrees(const struct identify *id, uint32_t r, uint32_t bits, uint32_t more)
{
    struct {
        uint16_t port; /* index + 1 */
        bool again;
    } bucket[1u << IDENTIFY_TABLE_BITS];
    uint32_t mask = low_mask(bits);
    uint64_t repeats = 0;
    bool once = false;
    memset(bucket, 0, sizeof bucket[0] << bits);
    for (size_t i = 0; i < id->use; i++) {
        uint32_t at = identify_ror(id->v[i], r) & mask;
        uint32_t port = id->index[i] + 1u;
        if (bucket[at].port && bucket[at].port != port) {
            return false;
        }
        bucket[at].again = bucket[at].port != 0;
        repeats += bucket[at].again;
        bucket[at].port = (uint16_t)port;
    }
    if (repeats * egret_identify_log2(id->members) < 16u * (TABLE_EVIDENCE + more)) {
        return false;
    }
    for (uint32_t i = 0; id->use == id->n && i <= mask; i++) {
        once = once || (bucket[i].port && !bucket[i].again);
    }
    id->out->unsure_tables += once;
    return !once;
}

void egret_identify_tables(struct identify *id, const struct identify_hash *h,
                           const struct egret_seed_class *seed, uint64_t seeds, uint32_t more)
{
    uint8_t least[32]; /* bits of the smallest table from there on; a larger one says no more */
    memset(least, 0xff, sizeof least);
    uint32_t first = 1;
    while (1u << first < id->members) {
        first++;
    }
    for (uint32_t bits = first; bits <= IDENTIFY_TABLE_BITS && !id->hash_bits; bits++) {
        for (uint32_t r = 0; r < 32u; r++) {
            bool contained = false;
            for (uint32_t k = 0; k < bits; k++) {
                contained = contained || k + least[(r + k) % 32u] <= bits;
            }
            if (!contained && !is_widening(h, r, bits) && table_agrees(id, r, bits, more)) {
                least[r] = (uint8_t)bits;
                egret_identify_found(id, h, r, EGRET_MAP_TABLE, bits, seed, 1, seeds);
            }
        }
    }
}

static void run_tests(struct identify *id, const struct identify_hash *h, bool tables)
{
    static const struct egret_seed_class any = {0, 0};
    if (tables) {
        egret_identify_tables(id, h, &any, 1ull << 32, 0);
    } else if (id->bits) {
        egret_identify_slices(id, h);
    } else {
        egret_identify_shift(id, h);
        egret_identify_modulo(id, h);
    }
}

/* All subsets of the varying fields; the others are taken as hashed: they are but a constant. */
static void all_subsets(struct identify *id, struct identify_hash *h, bool tables)
{
    uint32_t usable = id->columns & egret_identify_layout_fields(h->layout);
    uint32_t vary = id->varying & usable;
    uint32_t only = id->setup->fields & egret_identify_layout_fields(h->layout);
    uint32_t constant[IDENTIFY_PREFIX];
    uint8_t zero[EGRET_RECORD_BYTES] = {0};
    size_t m = id->n < IDENTIFY_PREFIX ? id->n : IDENTIFY_PREFIX;
    h->fields = 0x7f;
    uint32_t none = egret_identify_raw(h, zero, 0);
    for (unsigned f = 0; f < IDENTIFY_FIELDS; f++) {
        h->fields = 1u << f;
        for (size_t i = 0; (vary >> f & 1u) && i < m; i++) {
            id->part[f * IDENTIFY_PREFIX + i] = egret_identify_raw(h, id->row[i].record, 0) ^ none;
        }
    }
    h->fields = (id->setup->fields ? only : usable) & ~vary;
    for (size_t i = 0; i < m; i++) {
        constant[i] = egret_identify_raw(h, id->row[i].record, 0);
    }
    for (uint32_t s = 1; s <= vary; s++) {
        if ((s & ~vary) || (id->setup->fields && s != (only & vary))) {
            continue;
        }
        h->fields = s | ((id->setup->fields ? only : usable) & ~vary);
        memcpy(id->v, constant, m * sizeof *id->v);
        for (unsigned f = 0; f < IDENTIFY_FIELDS; f++) {
            for (size_t i = 0; (s >> f & 1u) && i < m; i++) {
                id->v[i] ^= id->part[f * IDENTIFY_PREFIX + i];
            }
        }
        id->use = m;
        id->hit = false;
        run_tests(id, h, tables);
        if (id->hit) {
            id->use = id->n;
            egret_identify_fill(id, h);
            run_tests(id, h, tables);
        }
    }
}

void egret_identify_linear(struct identify *id)
{
    struct identify_hash h;
    memset(&h, 0, sizeof h);
    for (int tables = 0; tables < 2 && id->out->found == 0; tables++) {
        for (unsigned i = 0; egret_identify_family(i, &h); i++) {
            for (h.layout = 0; h.layout < EGRET_LAYOUT_COUNT; h.layout++) {
                if (id->setup->layout == EGRET_LAYOUT_COUNT || id->setup->layout == h.layout) {
                    all_subsets(id, &h, tables != 0);
                }
            }
        }
    }
}
