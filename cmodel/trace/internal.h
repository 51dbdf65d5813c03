/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h: helpers shared by the files of the trace library.
 */
#ifndef EGRET_TRACE_INTERNAL_H
#define EGRET_TRACE_INTERNAL_H

#include <stdint.h>

/* Bytes are assembled by shifts: big endian is network order, little endian is our pcap files. */
static inline uint32_t get_be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}
static inline uint32_t get_be32(const uint8_t *p)
{
    return get_be16(p) << 16 | get_be16(p + 2);
}
static inline uint32_t get_le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}
static inline void put_be16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}
static inline void put_be32(uint8_t *p, uint32_t v)
{
    put_be16(p, v >> 16);
    put_be16(p + 2, v & 0xffffu);
}
static inline void put_le16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}
static inline void put_le32(uint8_t *p, uint32_t v)
{
    put_le16(p, v & 0xffffu);
    put_le16(p + 2, v >> 16);
}

/* The pcap file header and record header (docs/trace.md). */
#define PCAP_MAGIC_NS 0xa1b23c4du
#define PCAP_MAGIC_US 0xa1b2c3d4u
#define PCAPNG_MAGIC 0x0a0d0d0au
#define PCAP_HEADER_BYTES 24u
#define PCAP_RECORD_BYTES 16u
#define LINKTYPE_ETHERNET 1u
#define PCAP_LINKTYPE_BITS 0x03ffffffu /* above: FCS length, and whether it is given */
#define NS_PER_S 1000000000u

#endif
