/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.h: the hashes of docs/spec/hash.md over byte strings and over hash records.
 *
 * Raw hashes work on any byte string, byte 0 first. A hash setup says which algorithm runs over
 * which layout of the 41-byte record (egret/egret.h) and what happens to the result. Mirrors
 * rtl/egret_hash_fixed.v, rtl/egret_hash_matrix.v and rtl/egret_hash_lookup3.v. No function keeps
 * state or allocates.
 */
#ifndef EGRET_HASH_H
#define EGRET_HASH_H

#include "egret/egret.h"
#include "egret/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_HASH_NIBBLES 82       /* of the record; nibble 0 is the high half of byte 0 */
#define EGRET_HASH_KEY_MAX_BYTES 64 /* Toeplitz key; 45 bytes cover the whole record */

/* ---- raw hashes: `bytes` may be null only if n is 0 ---- */

/* CRC-16/ARC: check value 0xbb3d. 16 bits, right-aligned. */
uint32_t egret_hash_crc16(const uint8_t *bytes, size_t n);
/* CRC-16/CCITT-FALSE: check value 0x29b1. 16 bits, right-aligned. */
uint32_t egret_hash_crc16_ccitt(const uint8_t *bytes, size_t n);
/* CRC-32 (IEEE 802.3): check value 0xcbf43926. */
uint32_t egret_hash_crc32(const uint8_t *bytes, size_t n);
/* CRC-32C (Castagnoli): check value 0xe3069283. */
uint32_t egret_hash_crc32c(const uint8_t *bytes, size_t n);
/* Toeplitz: key bit i is bit (i mod 8 * key_len) of the key, bit 0 the msb of key[0]; key_len is at
 * least 1. Bit 0 of the input is the msb of bytes[0]. */
uint32_t egret_hash_toeplitz(const uint8_t *key, size_t key_len, const uint8_t *bytes, size_t n);
/* Jenkins lookup3 hashlittle() with initial value `initval`. */
uint32_t egret_hash_lookup3(const uint8_t *bytes, size_t n, uint32_t initval);
/* XOR of the big-endian 16-bit words, right-aligned; the last one is zero-padded at its end. */
uint32_t egret_hash_xor16(const uint8_t *bytes, size_t n);
/* XOR of the big-endian 32-bit words; the last one is zero-padded at its end. */
uint32_t egret_hash_xor32(const uint8_t *bytes, size_t n);

/* Any of enum egret_hash_algorithm but the matrix, in 32 bits: a 16-bit one has the high half of
 * CRC-32C, which serves live repair alone. key is for Toeplitz, initval for lookup3. */
uint32_t egret_hash_raw(uint32_t algorithm, const uint8_t *key, size_t key_len, uint32_t initval,
                        const uint8_t *bytes, size_t n);

/* ---- layouts of the record ---- */

enum egret_hash_layout {
    EGRET_LAYOUT_RECORD = 0,        /* the 41 bytes in place */
    EGRET_LAYOUT_IPV4_5TUPLE = 1,   /* 13: source 4, destination 4, protocol, ports 2 + 2 */
    EGRET_LAYOUT_RSS_IPV4 = 2,      /* 12: source 4, destination 4, ports 2 + 2 */
    EGRET_LAYOUT_RSS_IPV6 = 3,      /* 36: source 16, destination 16, ports 2 + 2 */
    EGRET_LAYOUT_RSS_IPV4_ADDR = 4, /* 8: source 4, destination 4 */
    EGRET_LAYOUT_RSS_IPV6_ADDR = 5, /* 32: source 16, destination 16 */
    EGRET_LAYOUT_COUNT = 6
};

/* Bytes of a layout, 0 if there is no such layout. */
size_t egret_hash_layout_bytes(uint32_t layout);
/* Picks the bytes of a layout out of a record; out has egret_hash_layout_bytes() elements and may
 * not overlap the record. Returns the number of bytes. */
size_t egret_hash_layout_pack(uint32_t layout, const uint8_t record[EGRET_RECORD_BYTES],
                              uint8_t out[EGRET_RECORD_BYTES]);
/* Copies a record and makes the bytes of unselected fields zero (EGRET_FIELD_*). `out` may be
 * `record` itself. */
void egret_hash_mask(uint32_t fields, const uint8_t record[EGRET_RECORD_BYTES],
                     uint8_t out[EGRET_RECORD_BYTES]);

/* ---- setups ---- */

/* Fields are masked first, then the layout is hashed. A 16-bit hash is widened by the high half of
 * CRC-32C. Linear: result = ror32(hash ^ seed, rotation). lookup3: result = ror32(hash, rotation)
 * with the seed as initial value. */
struct egret_hash_setup {
    uint32_t algorithm;  /* enum egret_hash_algorithm, not EGRET_HASH_MATRIX */
    uint32_t layout;     /* enum egret_hash_layout */
    uint32_t fields;     /* EGRET_FIELD_*, 7 bits */
    uint32_t seed;       /* 32 bits */
    uint32_t rotation;   /* right rotation, 0..31 */
    uint32_t key_len;    /* Toeplitz: bytes of key, 1..EGRET_HASH_KEY_MAX_BYTES; else ignored */
    uint8_t key[EGRET_HASH_KEY_MAX_BYTES];
};

/* CRC-32C over the record, 5-tuple fields, seed 0, rotation 0, the published 40-byte RSS key. */
void egret_hash_setup_default(struct egret_hash_setup *out);
/* EGRET_ERR_RANGE if a member is out of range; *param (may be null) names it. */
int egret_hash_setup_check(const struct egret_hash_setup *setup, const char **param);
/* Hash of a record, computed directly. EGRET_ERR_RANGE as egret_hash_setup_check(). */
int egret_hash_record(const struct egret_hash_setup *setup,
                      const uint8_t record[EGRET_RECORD_BYTES], uint32_t *out);
/* The matrix and constant of a linear setup: hash = *constant ^ XOR over n of
 * matrix[n][nibble n of the record]. EGRET_ERR_RANGE for lookup3 and a bad setup. */
int egret_hash_matrix_build(const struct egret_hash_setup *setup,
                            uint32_t matrix[EGRET_HASH_NIBBLES][16], uint32_t *constant);

/* Writes the published 40-byte RSS key. */
void egret_hash_rss_key(uint8_t key[40]);
/* Writes the symmetric key: 0x6d5a repeated. */
void egret_hash_symmetric_key(uint8_t key[40]);

/* "crc16", "crc16-ccitt", "crc32", "crc32c", "toeplitz", "lookup3", "xor16", "xor32", "matrix";
 * null if unknown. */
const char *egret_hash_algorithm_name(uint32_t algorithm);
/* The enum egret_hash_algorithm of such a name. EGRET_ERR_NULL; EGRET_ERR_RANGE if unknown. */
int egret_hash_algorithm_by_name(const char *name, uint32_t *algorithm);
/* "record", "ipv4-5tuple", "rss-ipv4", "rss-ipv6", "rss-ipv4-addr", "rss-ipv6-addr"; null if
 * unknown. */
const char *egret_hash_layout_name(uint32_t layout);
/* The enum egret_hash_layout of such a name. EGRET_ERR_NULL; EGRET_ERR_RANGE if unknown. */
int egret_hash_layout_by_name(const char *name, uint32_t *layout);
/* SAI's names: "SRC_IP", "DST_IP", "IP_PROTOCOL", "L4_SRC_PORT", "L4_DST_PORT",
 * "RDMA_BTH_DEST_QP", "RDMA_BTH_OPCODE". `bit` is 0..6, beyond it null. */
const char *egret_hash_field_name(uint32_t bit);
/* The EGRET_FIELD_* bit (1 << bit) of such a name. EGRET_ERR_NULL; EGRET_ERR_RANGE if unknown. */
int egret_hash_field_by_name(const char *name, uint32_t *field);

#ifdef __cplusplus
}
#endif
#endif
