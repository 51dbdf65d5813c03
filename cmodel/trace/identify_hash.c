/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_hash.c: hashes as the identification sees them, and the list of what it found.
 */
#include <string.h>

#include "identify.h"

const struct identify_field egret_identify_field[IDENTIFY_FIELDS] = {
    {0, 16}, {16, 16}, {32, 1}, {33, 2}, {35, 2}, {37, 3}, {40, 1},
};

uint32_t egret_identify_layout_fields(uint32_t layout)
{
    static const uint8_t fields[EGRET_LAYOUT_COUNT] = {0x7f, 0x1f, 0x1b, 0x1b, 0x03, 0x03};
    return fields[layout];
}

size_t egret_identify_bytes(const struct identify_hash *h, const uint8_t *record,
                            uint8_t bytes[EGRET_RECORD_BYTES])
{
    uint8_t masked[EGRET_RECORD_BYTES];
    size_t n = 0;
    if (h->layout < EGRET_LAYOUT_COUNT) {
        egret_hash_mask(h->fields, record, masked);
        return egret_hash_layout_pack(h->layout, masked, bytes);
    }
    for (unsigned i = 0; i < h->orders; i++) {
        const struct identify_field *f = &egret_identify_field[h->order[i]];
        size_t count = h->order[i] < 2u && !h->ipv6 ? 4u : f->bytes;
        memcpy(bytes + n, record + f->first, count);
        n += count;
    }
    return n;
}

uint32_t egret_identify_raw(const struct identify_hash *h, const uint8_t *record, uint32_t seed)
{
    uint8_t bytes[EGRET_RECORD_BYTES];
    uint8_t key[40];
    size_t n = egret_identify_bytes(h, record, bytes);
    if (h->algorithm != EGRET_HASH_TOEPLITZ) {
        return egret_hash_raw(h->algorithm, NULL, 0, seed, bytes, n);
    }
    if (h->key == EGRET_KEY_SYMMETRIC) {
        egret_hash_symmetric_key(key);
    } else {
        egret_hash_rss_key(key);
    }
    return egret_hash_toeplitz(key, sizeof key, bytes, n);
}

bool egret_identify_family(unsigned i, struct identify_hash *h)
{
    static const uint8_t family[][2] = {
        {EGRET_HASH_CRC32C, EGRET_KEY_NONE},  {EGRET_HASH_CRC32, EGRET_KEY_NONE},
        {EGRET_HASH_CRC16, EGRET_KEY_NONE},   {EGRET_HASH_CRC16_CCITT, EGRET_KEY_NONE},
        {EGRET_HASH_TOEPLITZ, EGRET_KEY_RSS}, {EGRET_HASH_TOEPLITZ, EGRET_KEY_SYMMETRIC},
        {EGRET_HASH_XOR32, EGRET_KEY_NONE},   {EGRET_HASH_XOR16, EGRET_KEY_NONE},
    };
    if (i >= sizeof family / sizeof family[0]) {
        return false;
    }
    h->algorithm = family[i][0];
    h->key = family[i][1];
    return true;
}

uint32_t egret_identify_log2(uint32_t n)
{
    uint64_t power = 1;
    uint32_t k = 0;
    for (unsigned i = 0; i < 8u && n < 256u; i++) { /* n^8 < 2^64 */
        power *= n;
    }
    while (power >>= 1) {
        k += 2u;
    }
    return n < 256u ? k : 128u;
}

void egret_identify_fill(struct identify *id, const struct identify_hash *h)
{
    for (size_t i = 0; i < id->use; i++) {
        id->v[i] = egret_identify_raw(h, id->row[i].record, 0);
    }
}

bool egret_identify_maps(const struct identify *id, uint32_t mapping, uint32_t hash, uint32_t index)
{
    uint32_t n = id->members;
    switch (mapping) {
    case EGRET_MAP_HASH:
        return (id->hash_bits == 16u ? hash & 0xffffu : hash) == index;
    case EGRET_MAP_MASK:
        return (hash & (n - 1u)) == index;
    case EGRET_MAP_MODULO:
        return hash % n == index;
    case EGRET_MAP_MODULO16:
        return (hash & 0xffffu) % n == index;
    case EGRET_MAP_SHIFT16:
        return (hash & 0xffffu) * n >> 16 == index;
    default:
        return (uint32_t)((uint64_t)hash * n >> 32) == index;
    }
}

static uint64_t mix(uint64_t h, uint32_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

uint64_t egret_identify_signature(const struct identify *id, const struct identify_hash *h,
                                  uint32_t rotation, uint32_t mask)
{
    static const uint8_t nothing[EGRET_RECORD_BYTES];
    uint32_t zero = egret_identify_raw(h, nothing, 0);
    uint64_t s = 1;
    for (uint32_t i = 0; i < id->spans; i++) {
        uint32_t h1 = egret_identify_raw(h, id->span[i], 0);
        s = mix(s, identify_ror(h1 ^ zero, rotation) & mask);
    }
    return s;
}

/* A rotation to the right by r multiplies by 2^-r modulo n, if n divides 2^32 - 1; and another seed
 * changes the sign. So some rotations are one function. */
static uint32_t modulo_kind(uint32_t n, uint32_t *rotation)
{
    uint32_t m = 1;
    if (0xffffffffu % n != 0) {
        return 101u;
    }
    for (uint32_t i = *rotation; i < 32u; i++) {
        m = m * 2u % n;
    }
    *rotation = 0;
    return 1000u + (m < n - m ? m : n - m);
}

/* The same number for candidates that are one function of the fields. */
static uint64_t signature(const struct identify *id, const struct identify_hash *h,
                          const struct egret_candidate *c)
{
    if (h->algorithm == EGRET_HASH_LOOKUP3) {
        uint64_t s = mix(mix(mix(2, h->layout), h->fields), c->seed[0].value);
        return mix(mix(mix(s, c->rotation), c->mapping), c->table_bits);
    }
    if (c->key == EGRET_KEY_SOLVED) {
        return mix(mix(3, h->layout), h->fields);
    }
    uint32_t kind = 0; /* a mask, or a shift by a power of two: these bits themselves */
    uint32_t rotation = c->rotation;
    uint32_t mask = id->bits >= 32u ? 0xffffffffu : (1u << id->bits) - 1u;
    if (c->mapping == EGRET_MAP_TABLE) {
        mask = (1u << c->table_bits) - 1u;
        kind = c->table_bits;
    } else if (c->mapping == EGRET_MAP_SHIFT16 || c->mapping == EGRET_MAP_SHIFT32) {
        unsigned width = id->bits ? id->bits : 16u; /* the top bits alone */
        rotation += (c->mapping == EGRET_MAP_SHIFT16 ? 16u : 32u) - width;
        mask = (1u << width) - 1u;
        kind = id->bits ? 0 : 100u;
    } else if (c->mapping == EGRET_MAP_MODULO || c->mapping == EGRET_MAP_MODULO16) {
        mask = c->mapping == EGRET_MAP_MODULO ? 0xffffffffu : 0xffffu;
        kind = c->mapping == EGRET_MAP_MODULO ? modulo_kind(id->members, &rotation) : 101u;
    }
    return mix(egret_identify_signature(id, h, rotation, mask), kind);
}

void egret_identify_found(struct identify *id, const struct identify_hash *h, uint32_t rotation,
                          uint32_t mapping, uint32_t table_bits,
                          const struct egret_seed_class *seed, size_t classes, uint64_t seeds)
{
    struct egret_identified *out = id->out;
    struct egret_candidate c;
    if (id->use < id->n) {
        id->hit = true;
        return;
    }
    memset(&c, 0, sizeof c);
    c.algorithm = h->algorithm;
    c.layout = h->layout;
    c.fields = h->fields;
    memcpy(c.order, h->order, sizeof c.order);
    c.orders = h->orders;
    c.key = h->key;
    c.rotation = rotation;
    c.mapping = mapping;
    c.table_bits = table_bits;
    c.seeds = seeds;
    for (size_t i = 0; i < classes && i < EGRET_IDENTIFY_CLASSES; i++) {
        c.seed[c.seed_classes++] = seed[i];
    }
    uint64_t s = signature(id, h, &c);
    c.group = out->groups;
    for (uint32_t i = 0; i < out->listed; i++) {
        if (id->signature[i] == s) {
            c.group = out->candidate[i].group;
            break;
        }
    }
    out->groups += c.group == out->groups;
    out->found++;
    if (out->listed < EGRET_IDENTIFY_LISTED) {
        id->signature[out->listed] = s;
        out->candidate[out->listed++] = c;
    }
}
