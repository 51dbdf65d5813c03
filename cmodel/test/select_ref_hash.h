/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_ref_hash.h: hashes for comparison, written from their definitions and unlike the library:
 * CRCs by polynomial long division over single bits, Toeplitz as a sum of shifted keys, lookup3 in
 * its byte form, folds bit by bit.
 */
#ifndef EGRET_SELECT_REF_HASH_H
#define EGRET_SELECT_REF_HASH_H

#include "egret/hash.h"
#include "select_test.h"

/* One CRC: message bits enter from the top of a shift register of `width` bits. */
static inline uint32_t ref_crc(unsigned width, uint32_t poly, uint32_t init, bool reflect,
                               uint32_t xor_out, const uint8_t *bytes, size_t n)
{
    bool reg[32];
    uint32_t out = 0;

    for (unsigned i = 0; i < width; i++) /* reg[0] is the top */
        reg[i] = init >> (width - 1 - i) & 1u;
    for (size_t b = 0; b < 8 * n; b++) {
        bool in = bytes[b / 8] >> (reflect ? b % 8 : 7 - b % 8) & 1;
        bool carry = reg[0] != in;
        for (unsigned i = 0; i + 1 < width; i++)
            reg[i] = reg[i + 1] != (carry && (poly >> (width - 1 - i) & 1u));
        reg[width - 1] = carry && (poly & 1u);
    }
    for (unsigned i = 0; i < width; i++)
        out |= (uint32_t)reg[i] << (reflect ? i : width - 1 - i);
    return out ^ xor_out;
}

static inline uint32_t ref_toeplitz(const uint8_t *key, size_t key_len, const uint8_t *bytes,
                                    size_t n)
{
    uint32_t out = 0;
    for (size_t i = 0; i < 8 * n; i++) {
        if ((bytes[i / 8] & 0x80u >> i % 8) == 0)
            continue;
        for (size_t j = 0; j < 32; j++) {
            size_t bit = (i + j) % (8 * key_len);
            if (key[bit / 8] & 0x80u >> bit % 8)
                out ^= 0x80000000u >> j;
        }
    }
    return out;
}

static inline uint32_t ref_rot(uint32_t x, unsigned k)
{
    return x << k ^ x >> (32 - k);
}

static inline uint32_t ref_lookup3(const uint8_t *bytes, size_t n, uint32_t initval)
{
    uint32_t s[3]; /* a, b, c */
    static const unsigned mix[6] = {4, 6, 8, 16, 19, 4};
    static const unsigned fin[7] = {14, 11, 25, 16, 4, 14, 24};

    s[0] = s[1] = s[2] = 0xdeadbeefu + (uint32_t)n + initval;
    if (n == 0)
        return s[2];
    for (size_t done = 0; done < n; done += 12) {
        for (size_t i = done; i < n && i < done + 12; i++)
            s[(i - done) / 4] += (uint32_t)bytes[i] << 8 * (i % 4);
        if (n - done <= 12)
            break;
        for (unsigned i = 0; i < 6; i++) {
            uint32_t *x = &s[i % 3], *y = &s[(i + 1) % 3], *z = &s[(i + 2) % 3];
            *x -= *z;
            *x ^= ref_rot(*z, mix[i]);
            *z += *y;
        }
    }
    for (unsigned i = 0; i < 7; i++) {
        uint32_t *x = &s[(i + 2) % 3], *y = &s[(i + 1) % 3];
        *x ^= *y;
        *x -= ref_rot(*y, fin[i]);
    }
    return s[2];
}

static inline uint32_t ref_xor(unsigned width, const uint8_t *bytes, size_t n)
{
    uint32_t out = 0;
    for (size_t i = 0; i < 8 * n; i++) {
        if (bytes[i / 8] & 0x80u >> i % 8)
            out ^= 1u << (width - 1 - i % width);
    }
    return out;
}

/* By enum egret_hash_algorithm; 16-bit results are not widened. */
static inline uint32_t ref_raw(uint32_t algorithm, const uint8_t *key, size_t key_len,
                               uint32_t seed, const uint8_t *bytes, size_t n)
{
    switch (algorithm) {
    case EGRET_HASH_CRC16:
        return ref_crc(16, 0x8005u, 0, true, 0, bytes, n);
    case EGRET_HASH_CRC16_CCITT:
        return ref_crc(16, 0x1021u, 0xffffu, false, 0, bytes, n);
    case EGRET_HASH_CRC32:
        return ref_crc(32, 0x04c11db7u, 0xffffffffu, true, 0xffffffffu, bytes, n);
    case EGRET_HASH_CRC32C:
        return ref_crc(32, 0x1edc6f41u, 0xffffffffu, true, 0xffffffffu, bytes, n);
    case EGRET_HASH_TOEPLITZ:
        return ref_toeplitz(key, key_len, bytes, n);
    case EGRET_HASH_LOOKUP3:
        return ref_lookup3(bytes, n, seed);
    case EGRET_HASH_XOR16:
        return ref_xor(16, bytes, n);
    case EGRET_HASH_XOR32:
        return ref_xor(32, bytes, n);
    default:
        abort();
    }
}

/* A record's hash by a whole setup: mask, layout, algorithm, widening, seed, rotation. */
static inline uint32_t ref_record(const struct egret_hash_setup *s, const uint8_t *record)
{
    /* field of each record byte, as a bit number of EGRET_FIELD_* */
    static const uint8_t field[EGRET_RECORD_BYTES] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6};
    static const char *const pick[EGRET_LAYOUT_COUNT] = {
        "11111111111111111111111111111111111111111", "11110000000000001111000000000000111110000",
        "11110000000000001111000000000000011110000", "11111111111111111111111111111111011110000",
        "11110000000000001111000000000000000000000", "11111111111111111111111111111111000000000"};
    uint8_t bytes[EGRET_RECORD_BYTES];
    size_t n = 0;
    uint32_t h;

    for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++) {
        if (pick[s->layout][i] == '1')
            bytes[n++] = s->fields >> field[i] & 1u ? record[i] : 0;
    }
    h = ref_raw(s->algorithm, s->key, s->key_len, s->seed, bytes, n);
    if (s->algorithm == EGRET_HASH_CRC16 || s->algorithm == EGRET_HASH_CRC16_CCITT ||
        s->algorithm == EGRET_HASH_XOR16)
        h += ref_raw(EGRET_HASH_CRC32C, NULL, 0, 0, bytes, n) >> 16 << 16;
    if (s->algorithm != EGRET_HASH_LOOKUP3)
        h ^= s->seed;
    for (unsigned i = 0; i < s->rotation; i++)
        h = h >> 1 | h << 31;
    return h;
}

#endif
