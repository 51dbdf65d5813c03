/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.c: from a record to a hash (docs/spec/hash.md): field mask, layout, algorithm, widening,
 * seed, rotation; and the names of all of them.
 */
#include <string.h>

#include "internal.h"

/* Fields of the record in the order of their EGRET_FIELD_* bits. */
static const struct {
    const char *name;
    uint8_t first;
    uint8_t count;
} field_table[7] = {
    {"SRC_IP", 0, 16},     {"DST_IP", 16, 16},          {"IP_PROTOCOL", 32, 1},
    {"L4_SRC_PORT", 33, 2}, {"L4_DST_PORT", 35, 2},     {"RDMA_BTH_DEST_QP", 37, 3},
    {"RDMA_BTH_OPCODE", 40, 1},
};

/* A layout is at most three runs of record bytes. */
static const struct {
    const char *name;
    uint8_t bytes;
    struct {
        uint8_t first;
        uint8_t count;
    } run[3];
} layout_table[EGRET_LAYOUT_COUNT] = {
    {"record", 41, {{0, 41}, {0, 0}, {0, 0}}},
    {"ipv4-5tuple", 13, {{0, 4}, {16, 4}, {32, 5}}},
    {"rss-ipv4", 12, {{0, 4}, {16, 4}, {33, 4}}},
    {"rss-ipv6", 36, {{0, 16}, {16, 16}, {33, 4}}},
    {"rss-ipv4-addr", 8, {{0, 4}, {16, 4}, {0, 0}}},
    {"rss-ipv6-addr", 32, {{0, 16}, {16, 16}, {0, 0}}},
};

static const char *const algorithm_table[8] = {"crc16",    "crc16-ccitt", "crc32", "crc32c",
                                               "toeplitz", "lookup3",     "xor16", "xor32"};

size_t egret_hash_layout_bytes(uint32_t layout)
{
    return layout < EGRET_LAYOUT_COUNT ? layout_table[layout].bytes : 0;
}

size_t egret_hash_layout_pack(uint32_t layout, const uint8_t record[EGRET_RECORD_BYTES],
                              uint8_t out[EGRET_RECORD_BYTES])
{
    size_t n = 0;
    if (layout >= EGRET_LAYOUT_COUNT)
        return 0;
    for (unsigned i = 0; i < 3; i++) {
        size_t count = layout_table[layout].run[i].count;
        memcpy(out + n, record + layout_table[layout].run[i].first, count);
        n += count;
    }
    return n;
}

void egret_hash_mask(uint32_t fields, const uint8_t record[EGRET_RECORD_BYTES],
                     uint8_t out[EGRET_RECORD_BYTES])
{
    if (out != record)
        memcpy(out, record, EGRET_RECORD_BYTES);
    for (unsigned i = 0; i < 7; i++) {
        if ((fields >> i & 1u) == 0)
            memset(out + field_table[i].first, 0, field_table[i].count);
    }
}

void egret_hash_setup_default(struct egret_hash_setup *out)
{
    memset(out, 0, sizeof *out);
    out->algorithm = EGRET_HASH_CRC32C;
    out->layout = EGRET_LAYOUT_RECORD;
    out->fields = EGRET_FIELDS_5TUPLE;
    out->key_len = 40;
    egret_hash_rss_key(out->key);
}

int egret_hash_setup_check(const struct egret_hash_setup *setup, const char **param)
{
    const char *bad = NULL;
    if (setup == NULL)
        return EGRET_ERR_NULL;
    if (setup->algorithm > EGRET_HASH_XOR32)
        bad = "algorithm";
    else if (setup->layout >= EGRET_LAYOUT_COUNT)
        bad = "layout";
    else if (setup->fields > EGRET_FIELDS_ALL)
        bad = "fields";
    else if (setup->rotation > 31)
        bad = "rotation";
    else if (setup->algorithm == EGRET_HASH_TOEPLITZ &&
             (setup->key_len < 1 || setup->key_len > EGRET_HASH_KEY_MAX_BYTES))
        bad = "key";
    if (bad == NULL)
        return EGRET_OK;
    if (param != NULL)
        *param = bad;
    return EGRET_ERR_RANGE;
}

/* The high half of a widened 16-bit hash only serves live repair. */
static uint32_t widen(uint32_t h16, const uint8_t *bytes, size_t n)
{
    return (egret_hash_crc32c(bytes, n) & 0xffff0000u) | h16;
}

uint32_t egret_hash_raw(uint32_t algorithm, const uint8_t *key, size_t key_len, uint32_t initval,
                        const uint8_t *bytes, size_t n)
{
    switch (algorithm) {
    case EGRET_HASH_CRC16:
        return widen(egret_hash_crc16(bytes, n), bytes, n);
    case EGRET_HASH_CRC16_CCITT:
        return widen(egret_hash_crc16_ccitt(bytes, n), bytes, n);
    case EGRET_HASH_CRC32:
        return egret_hash_crc32(bytes, n);
    case EGRET_HASH_CRC32C:
        return egret_hash_crc32c(bytes, n);
    case EGRET_HASH_TOEPLITZ:
        return egret_hash_toeplitz(key, key_len, bytes, n);
    case EGRET_HASH_LOOKUP3:
        return egret_hash_lookup3(bytes, n, initval);
    case EGRET_HASH_XOR16:
        return widen(egret_hash_xor16(bytes, n), bytes, n);
    default:
        return egret_hash_xor32(bytes, n);
    }
}

int egret_hash_record(const struct egret_hash_setup *setup,
                      const uint8_t record[EGRET_RECORD_BYTES], uint32_t *out)
{
    uint8_t masked[EGRET_RECORD_BYTES];
    uint8_t bytes[EGRET_RECORD_BYTES];
    int err = egret_hash_setup_check(setup, NULL);

    if (err != EGRET_OK)
        return err;
    if (record == NULL || out == NULL)
        return EGRET_ERR_NULL;
    egret_hash_mask(setup->fields, record, masked);
    size_t n = egret_hash_layout_pack(setup->layout, masked, bytes);
    uint32_t h =
        egret_hash_raw(setup->algorithm, setup->key, setup->key_len, setup->seed, bytes, n);
    if (setup->algorithm != EGRET_HASH_LOOKUP3) /* which took it */
        h ^= setup->seed;
    *out = egret_ror32(h, setup->rotation);
    return EGRET_OK;
}

uint32_t egret_hash_plain(const struct egret *e, const uint8_t record[EGRET_RECORD_BYTES])
{
    struct egret_hash_setup setup;
    uint32_t h = 0;

    if (e->cfg.hash_kind == EGRET_HASH_KIND_MATRIX)
        return e->hash_seed ^ egret_hash_matrix_xor((const uint32_t(*)[16])e->matrix, record);
    memset(&setup, 0, sizeof setup);
    setup.algorithm = e->hash_algorithm;
    setup.layout = EGRET_LAYOUT_RECORD;
    setup.fields = e->hash_fields;
    setup.seed = e->hash_seed;
    setup.rotation = e->hash_rotation;
    (void)egret_hash_record(&setup, record, &h); /* registers hold legal values only */
    return h;
}

const char *egret_hash_algorithm_name(uint32_t algorithm)
{
    if (algorithm == EGRET_HASH_MATRIX)
        return "matrix";
    return algorithm <= EGRET_HASH_XOR32 ? algorithm_table[algorithm] : NULL;
}

int egret_hash_algorithm_by_name(const char *name, uint32_t *algorithm)
{
    if (name == NULL || algorithm == NULL)
        return EGRET_ERR_NULL;
    for (uint32_t i = 0; i <= EGRET_HASH_MATRIX; i++) {
        const char *candidate = egret_hash_algorithm_name(i);
        if (candidate != NULL && strcmp(name, candidate) == 0) {
            *algorithm = i;
            return EGRET_OK;
        }
    }
    return EGRET_ERR_RANGE;
}

const char *egret_hash_layout_name(uint32_t layout)
{
    return layout < EGRET_LAYOUT_COUNT ? layout_table[layout].name : NULL;
}

int egret_hash_layout_by_name(const char *name, uint32_t *layout)
{
    if (name == NULL || layout == NULL)
        return EGRET_ERR_NULL;
    for (uint32_t i = 0; i < EGRET_LAYOUT_COUNT; i++) {
        if (strcmp(name, layout_table[i].name) == 0) {
            *layout = i;
            return EGRET_OK;
        }
    }
    return EGRET_ERR_RANGE;
}

const char *egret_hash_field_name(uint32_t bit)
{
    return bit < 7 ? field_table[bit].name : NULL;
}

int egret_hash_field_by_name(const char *name, uint32_t *field)
{
    if (name == NULL || field == NULL)
        return EGRET_ERR_NULL;
    for (uint32_t i = 0; i < 7; i++) {
        if (strcmp(name, field_table[i].name) == 0) {
            *field = 1u << i;
            return EGRET_OK;
        }
    }
    return EGRET_ERR_RANGE;
}
