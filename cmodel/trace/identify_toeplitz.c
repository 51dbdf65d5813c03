/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_toeplitz.c: Toeplitz with an unknown key, as linear equations over GF(2) in the key's
 * bits; and whether the log is an affine function at all.
 *
 * Bit u of the low `bits` of the hash, counted from the most significant of them, is the sum of the
 * key bits i + u + (32 - bits) over the input bits i that are 1, and an unknown constant.
 */
#include <stdlib.h>
#include <string.h>

#include "identify.h"

#define UNKNOWNS 448u /* 41 * 8 + 31 key bits, 32 constants, and the right side */
#define WORDS (UNKNOWNS / 64u)
#define RIGHT (UNKNOWNS - 1u)
#define CONSTANTS 384u /* where they begin */
#define EVIDENCE 24u   /* equations more than unknowns, before a key is believed */

struct system {
    uint32_t rank;
    bool has[UNKNOWNS];
    uint64_t row[UNKNOWNS][WORDS];
};

static void set(uint64_t *row, unsigned bit)
{
    row[bit / 64u] ^= 1ull << bit % 64u;
}
static bool get(const uint64_t *row, unsigned bit)
{
    return row[bit / 64u] >> bit % 64u & 1u;
}

/* False if the equation contradicts the others. Consumes e. */
static bool add(struct system *s, uint64_t *e)
{
    for (unsigned w = 0; w < WORDS; w++) {
        while (e[w]) {
            unsigned bit = 64u * w;
            for (uint64_t x = e[w]; !(x & 1u); x >>= 1) {
                bit++;
            }
            if (bit == RIGHT) {
                return false;
            }
            if (!s->has[bit]) {
                s->has[bit] = true;
                memcpy(s->row[bit], e, sizeof s->row[bit]);
                s->rank++;
                return true;
            }
            for (unsigned k = w; k < WORDS; k++) {
                e[k] ^= s->row[bit][k];
            }
        }
    }
    return true;
}

/* All equations of one layout and subset. */
static bool solve(const struct identify *id, const struct identify_hash *h, struct system *s)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < id->n; i++) {
        uint8_t bytes[EGRET_RECORD_BYTES];
        size_t bits = 8u * egret_identify_bytes(h, id->row[i].record, bytes);
        for (unsigned u = 0; u < id->bits; u++) {
            uint64_t e[WORDS] = {0};
            for (unsigned b = 0; b < bits; b++) {
                if (((unsigned)bytes[b / 8u] >> (7u - b % 8u) & 1u) != 0) {
                    set(e, b + u);
                }
            }
            set(e, CONSTANTS + u);
            if (id->index[i] >> (id->bits - 1u - u) & 1u) {
                set(e, RIGHT);
            }
            if (!add(s, e)) {
                return false;
            }
        }
    }
    return true;
}

int egret_identify_rank(const struct identify *id, bool *affine)
{
    struct system *s = calloc(1, sizeof *s);
    if (!s) {
        return EGRET_ERR_MEMORY;
    }
    *affine = id->bits != 0;
    int rank = 0;
    for (unsigned u = 0; u < (id->bits ? id->bits : 1u) && (u == 0 || *affine); u++) {
        memset(s, 0, sizeof *s);
        for (size_t i = 1; i < id->n; i++) {
            uint64_t e[WORDS] = {0};
            for (unsigned b = 0; b < 8u * EGRET_RECORD_BYTES; b++) {
                unsigned d = (unsigned)id->row[i].record[b / 8u] ^ id->row[0].record[b / 8u];
                if ((d >> (b % 8u) & 1u) != 0) {
                    set(e, b);
                }
            }
            if (id->bits && ((id->index[i] ^ id->index[0]) >> u & 1u)) {
                set(e, RIGHT);
            }
            *affine = add(s, e) && *affine;
        }
        rank = u == 0 ? (int)s->rank : rank;
    }
    free(s);
    return rank;
}

/* Is the unknown the same in all solutions? Rows are reduced from the last unknown to the first. */
static void reduce(struct system *s)
{
    for (unsigned j = UNKNOWNS - 1u; j-- > 0;) {
        for (unsigned i = 0; s->has[j] && i < j; i++) {
            if (s->has[i] && get(s->row[i], j)) {
                for (unsigned k = 0; k < WORDS; k++) {
                    s->row[i][k] ^= s->row[j][k];
                }
            }
        }
    }
}

static void put_bit(uint8_t *bytes, unsigned bit)
{
    bytes[bit / 8u] |= (uint8_t)(0x80u >> bit % 8u);
}

/* Key bits of the candidate just found: those that a single row determines. */
static void keep_key(struct identify *id, struct system *s, size_t input_bits)
{
    struct egret_identified *out = id->out;
    if (out->found > out->listed) {
        return;
    }
    struct egret_candidate *c = &out->candidate[out->listed - 1u];
    unsigned count = (unsigned)input_bits + id->bits - 1u;
    reduce(s);
    for (unsigned j = 0; j < count; j++) {
        bool alone = s->has[j];
        for (unsigned k = j + 1u; alone && k < RIGHT; k++) {
            alone = !get(s->row[j], k);
        }
        if (alone) {
            put_bit(c->key_known, j + 32u - id->bits);
            c->key_bits++;
            if (get(s->row[j], RIGHT)) {
                put_bit(c->key_value, j + 32u - id->bits);
            }
        } else {
            c->key_free++;
        }
    }
}

/* The fewest unknowns, at most `limit`, with which a layout and subset agree; or keeps those that
 * need no more. */
static uint32_t each_subset(struct identify *id, struct system *s, uint32_t rank, uint32_t limit,
                            bool keep)
{
    struct identify_hash h;
    struct egret_seed_class any = {0, 0};
    memset(&h, 0, sizeof h);
    h.algorithm = EGRET_HASH_TOEPLITZ;
    h.key = EGRET_KEY_SOLVED;
    for (h.layout = 0; h.layout < EGRET_LAYOUT_COUNT; h.layout++) {
        uint32_t usable = id->columns & egret_identify_layout_fields(h.layout);
        if (id->setup->layout != EGRET_LAYOUT_COUNT && id->setup->layout != h.layout) {
            continue;
        }
        for (uint32_t f = usable; f; f = (f - 1u) & usable) {
            uint8_t bytes[EGRET_RECORD_BYTES];
            h.fields = f;
            /* An affine function takes `bits` unknowns for each dimension; a key takes fewer. */
            if ((id->setup->fields && f != (id->setup->fields & usable)) || !solve(id, &h, s) ||
                s->rank > limit || id->bits * (rank + 1u) < s->rank + EVIDENCE) {
                continue;
            }
            limit = s->rank;
            if (keep) {
                egret_identify_found(id, &h, 0, id->hash_bits ? EGRET_MAP_HASH : EGRET_MAP_MASK, 0,
                                     &any, 1, 1ull << 32);
                keep_key(id, s, 8u * egret_identify_bytes(&h, id->row[0].record, bytes));
            }
        }
    }
    return limit;
}

int egret_identify_toeplitz(struct identify *id)
{
    bool affine = false;
    int rank = id->bits ? egret_identify_rank(id, &affine) : 0;
    if (rank < 0 || !affine) {
        return rank < 0 ? rank : EGRET_OK;
    }
    struct system *s = malloc(sizeof *s);
    if (!s) {
        return EGRET_ERR_MEMORY;
    }
    id->use = id->n;
    /* Fields further apart leave more key bits to choose, and so agree with all that closer ones
     * agree with: those count that need the fewest. */
    uint32_t least = each_subset(id, s, (uint32_t)rank, UNKNOWNS, false);
    if (least < UNKNOWNS) {
        (void)each_subset(id, s, (uint32_t)rank, least, true);
    }
    free(s);
    return EGRET_OK;
}
