/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oracle.c: a third opinion on a hash when the two selectors differ: one bit or one word at a time,
 * from the registers that the model shows, without the library's hash code.
 */
#include <string.h>

#include "check.h"
#include "egret/regs.h"

static uint32_t read_word(struct egret *model, uint32_t addr)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_READ;
    ev.addr = addr;
    (void)egret_apply(model, &ev, &d);
    return d.data;
}

/* Reflected CRC, one bit at a time. */
static uint32_t crc_reflected(uint32_t poly, uint32_t init, const uint8_t *bytes, size_t n)
{
    uint32_t crc = init;
    for (size_t i = 0; i < n * 8u; i++) {
        uint32_t bit = (uint32_t)bytes[i / 8u] >> (i % 8u) & 1u;
        uint32_t feedback = (crc ^ bit) & 1u;
        crc = crc >> 1 ^ (feedback ? poly : 0u);
    }
    return crc;
}

static uint32_t rotl(uint32_t v, unsigned n)
{
    return v << n | v >> (32u - n);
}

/* Bob Jenkins' lookup3 for 41 bytes: three blocks of 12 and a tail of 5. */
static uint32_t lookup3_41(const uint8_t *bytes, uint32_t init)
{
    static const unsigned mix[6] = {4, 6, 8, 16, 19, 4};
    static const unsigned fin[7] = {14, 11, 25, 16, 4, 14, 24};
    uint32_t v[3];
    uint8_t padded[48];
    memset(padded, 0, sizeof padded);
    memcpy(padded, bytes, EGRET_RECORD_BYTES);
    v[0] = v[1] = v[2] = 0xdeadbeefu + EGRET_RECORD_BYTES + init;
    for (unsigned block = 0; block < 4u; block++) {
        for (unsigned i = 0; i < 12u; i++) {
            v[i / 4u] += (uint32_t)padded[12u * block + i] << (8u * (i % 4u));
        }
        for (unsigned k = 0; block < 3u && k < 6u; k++) {
            unsigned x = k % 3u;
            unsigned z = (k + 2u) % 3u;
            v[x] -= v[z];
            v[x] ^= rotl(v[z], mix[k]);
            v[z] += v[(k + 1u) % 3u];
        }
    }
    for (unsigned k = 0; k < 7u; k++) {
        unsigned x = (k + 2u) % 3u;
        unsigned z = (k + 1u) % 3u;
        v[x] ^= v[z];
        v[x] -= rotl(v[z], fin[k]);
    }
    return v[2];
}

static void mask_fields(uint8_t record[EGRET_RECORD_BYTES], uint32_t fields)
{
    static const uint8_t first[8] = {0, 16, 32, 33, 35, 37, 40, 41};
    for (unsigned f = 0; f < 7u; f++) {
        if (!(fields >> f & 1u)) {
            memset(record + first[f], 0, (size_t)first[f + 1u] - first[f]);
        }
    }
}

static uint32_t by_matrix(struct egret *model, const uint8_t *record, uint32_t seed)
{
    uint32_t h = seed;
    for (unsigned n = 0; n < 2u * EGRET_RECORD_BYTES; n++) {
        unsigned value = n % 2u ? record[n / 2u] & 15u : record[n / 2u] >> 4;
        h ^= read_word(model, EGRET_A_MATRIX(n, value));
    }
    return h;
}

uint32_t oracle_hash(struct egret *model, const uint8_t record[EGRET_RECORD_BYTES])
{
    uint8_t bytes[EGRET_RECORD_BYTES];
    uint32_t algorithm = read_word(model, EGRET_A_HASH_ALGORITHM);
    uint32_t fields = read_word(model, EGRET_A_HASH_FIELDS);
    uint32_t seed = read_word(model, EGRET_A_HASH_SEED);
    uint32_t rotation = read_word(model, EGRET_A_HASH_ROTATION);
    if (algorithm == EGRET_HASH_MATRIX) {
        return by_matrix(model, record, seed);
    }
    memcpy(bytes, record, sizeof bytes);
    mask_fields(bytes, fields);
    uint32_t h;
    if (algorithm == EGRET_HASH_LOOKUP3) {
        h = lookup3_41(bytes, seed);
    } else {
        h = ~crc_reflected(0x82f63b78u, 0xffffffffu, bytes, sizeof bytes);
        if (algorithm == EGRET_HASH_CRC16) {
            h = (h & 0xffff0000u) | crc_reflected(0xa001u, 0, bytes, sizeof bytes);
        }
        h ^= seed;
    }
    return rotation ? h >> rotation | h << (32u - rotation) : h;
}
