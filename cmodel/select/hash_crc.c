/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_crc.c: the four CRCs, bit by bit (docs/spec/hash.md). Mirrors rtl/egret_hash_fixed.v.
 *
 * The reflected ones (CRC-16/ARC, CRC-32, CRC-32C) take each byte's least significant bit first and
 * shift right; CRC-16/CCITT-FALSE takes the most significant bit first and shifts left.
 */
#include "egret/hash.h"

static uint32_t crc_reflected(uint32_t poly, uint32_t crc, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (poly & (0u - (crc & 1u)));
    }
    return crc;
}

uint32_t egret_hash_crc16(const uint8_t *bytes, size_t n)
{
    return crc_reflected(0xa001u, 0, bytes, n);
}

uint32_t egret_hash_crc32(const uint8_t *bytes, size_t n)
{
    return ~crc_reflected(0xedb88320u, 0xffffffffu, bytes, n);
}

uint32_t egret_hash_crc32c(const uint8_t *bytes, size_t n)
{
    return ~crc_reflected(0x82f63b78u, 0xffffffffu, bytes, n);
}

uint32_t egret_hash_crc16_ccitt(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= (uint32_t)bytes[i] << 8;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = ((crc << 1) ^ ((crc & 0x8000u) != 0 ? 0x1021u : 0u)) & 0xffffu;
    }
    return crc;
}
