/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_lookup3_table.c: lookup3 with a table of ports: small seeds, every rotation, over the
 * columns as they are.
 *
 * Wherever a table agrees, a larger one by the same bits and more does, too. So a seed is out as
 * soon as the largest table that the log can fill is at odds with itself, at every rotation; that
 * takes a few observations.
 */
#include <stdlib.h>
#include <string.h>

#include "identify.h"

#define SEED_BITS 17u /* by which chance has more to choose from than with a linear hash */

/* The bytes of the first observations, and where their ports were seen. */
struct screen {
    struct identify *id;
    size_t n;
    uint32_t bits; /* of the largest table */
    uint32_t turn; /* what a bucket holds is of this turn, or nothing */
    size_t length;
    uint8_t bytes[IDENTIFY_PREFIX][EGRET_RECORD_BYTES];
    uint32_t hash[IDENTIFY_PREFIX];
    size_t hashes; /* of the seed, so far */
    uint32_t seen[1u << IDENTIFY_TABLE_BITS];
    uint8_t port[1u << IDENTIFY_TABLE_BITS];
};

/* Four observations a bucket, so that none that is seen is likely to be seen only once. */
static uint32_t largest_table(const struct identify *id)
{
    uint32_t bits = 0;
    while (bits < IDENTIFY_TABLE_BITS && (size_t)8u << bits <= id->n) {
        bits++;
    }
    return bits;
}

static bool agrees(struct screen *s, uint32_t seed, uint32_t rotation)
{
    uint32_t mask = (1u << s->bits) - 1u;
    s->turn++;
    for (size_t i = 0; i < s->n; i++) {
        if (i == s->hashes) {
            s->hash[s->hashes++] = egret_hash_lookup3(s->bytes[i], s->length, seed);
        }
        uint32_t at = identify_ror(s->hash[i], rotation) & mask;
        if (s->seen[at] == s->turn && s->port[at] != s->id->index[i]) {
            return false;
        }
        s->seen[at] = s->turn;
        s->port[at] = (uint8_t)s->id->index[i];
    }
    return true;
}

static void try_seed(struct screen *s, const struct identify_hash *h, uint32_t seed)
{
    struct identify *id = s->id;
    struct egret_seed_class found = {seed, 0xffffffffu};
    bool some = false;
    s->hashes = 0;
    for (uint32_t r = 0; r < 32u && !some; r++) {
        some = agrees(s, seed, r);
    }
    if (some) {
        id->use = id->n;
        for (size_t i = 0; i < id->n; i++) {
            id->v[i] = egret_identify_raw(h, id->row[i].record, seed);
        }
        egret_identify_tables(id, h, &found, 1, SEED_BITS);
    }
}

int egret_identify_lookup3_tables(struct identify *id)
{
    struct identify_hash h = {.algorithm = EGRET_HASH_LOOKUP3};
    uint32_t bits = largest_table(id);
    if (id->hash_bits || 1u << bits < id->members) {
        return EGRET_OK;
    }
    struct screen *s = calloc(1, sizeof *s);
    if (!s) {
        return EGRET_ERR_MEMORY;
    }
    s->id = id;
    s->bits = bits;
    s->n = id->n < IDENTIFY_PREFIX ? id->n : IDENTIFY_PREFIX;
    for (uint32_t l = 0; l < EGRET_LAYOUT_COUNT; l++) {
        h.layout = l;
        if (!egret_identify_lookup3_layout(id, l, &h.fields)) {
            continue;
        }
        for (size_t i = 0; i < s->n; i++) {
            s->length = egret_identify_bytes(&h, id->row[i].record, s->bytes[i]);
        }
        uint32_t seed;
        for (uint32_t i = 0; egret_identify_lookup3_seed(id, i, &seed); i++) {
            try_seed(s, &h, seed);
        }
    }
    id->out->lookup3_buckets = 1u << bits;
    free(s);
    return EGRET_OK;
}
