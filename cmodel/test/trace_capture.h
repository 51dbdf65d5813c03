/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture.h: builds captures in memory, byte by byte from the formats' public descriptions.
 */
#ifndef EGRET_TRACE_CAPTURE_TEST_H
#define EGRET_TRACE_CAPTURE_TEST_H

#include "egret/capture.h"
#include "trace_test.h"

struct image {
    uint8_t bytes[262144];
    size_t size;
    bool big;
    size_t block; /* start of the block that is open */
};

static inline void put(struct image *f, const void *bytes, size_t n)
{
    memcpy(f->bytes + f->size, bytes, n);
    f->size += n;
}
static inline void put_n(struct image *f, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        f->bytes[f->size++] = (uint8_t)(v >> 8u * (f->big ? n - 1u - i : i));
    }
}
static inline void put16(struct image *f, uint32_t v)
{
    put_n(f, v, 2);
}
static inline void put32(struct image *f, uint32_t v)
{
    put_n(f, v, 4);
}

/* ---- pcap ---- */

static inline void pcap_start(struct image *f, bool big, bool ns, uint32_t link)
{
    f->size = 0;
    f->big = big;
    put32(f, ns ? 0xa1b23c4du : 0xa1b2c3d4u);
    put16(f, 2);
    put16(f, 4);
    put32(f, 0);
    put32(f, 0);
    put32(f, 262144);
    put32(f, link);
}
static inline void pcap_record(struct image *f, uint32_t s, uint32_t fraction, const void *bytes,
                               uint32_t incl, uint32_t orig)
{
    put32(f, s);
    put32(f, fraction);
    put32(f, incl);
    put32(f, orig);
    put(f, bytes, incl);
}

/* ---- pcapng ---- */

static inline void block_start(struct image *f, uint32_t type)
{
    f->block = f->size;
    put32(f, type);
    put32(f, 0);
}
static inline void block_end(struct image *f)
{
    while (f->size % 4u) {
        f->bytes[f->size++] = 0;
    }
    uint32_t total = (uint32_t)(f->size + 4u - f->block);
    put32(f, total);
    size_t size = f->size;
    f->size = f->block + 4u;
    put32(f, total);
    f->size = size;
}
static inline void ng_section(struct image *f, bool big)
{
    f->big = big;
    block_start(f, 0x0a0d0d0au);
    put32(f, 0x1a2b3c4du);
    put16(f, 1);
    put16(f, 0);
    put_n(f, UINT64_MAX, 8);
    block_end(f);
}
static inline void ng_option(struct image *f, uint32_t code, uint64_t v, unsigned n)
{
    put16(f, code);
    put16(f, n);
    put_n(f, v, n);
    while (f->size % 4u) {
        f->bytes[f->size++] = 0;
    }
}
/* resolution, fcs and offset: options; 0 none. */
static inline void ng_interface(struct image *f, uint32_t link, uint32_t snap, uint32_t resolution,
                                uint32_t fcs, int64_t offset)
{
    block_start(f, 1);
    put16(f, link);
    put16(f, 0);
    put32(f, snap);
    ng_option(f, 2, 0x3030303030u, 5); /* a name, which is of no use here */
    if (resolution) {
        ng_option(f, 9, resolution, 1);
    }
    if (fcs) {
        ng_option(f, 13, fcs, 1);
    }
    if (offset) {
        ng_option(f, 14, (uint64_t)offset, 8);
    }
    ng_option(f, 0, 0, 0);
    block_end(f);
}
/* flags: option epb_flags; 0 none. */
static inline void ng_packet(struct image *f, uint32_t interface, uint64_t stamp, const void *bytes,
                             uint32_t incl, uint32_t orig, uint32_t flags)
{
    block_start(f, 6);
    put32(f, interface);
    put32(f, (uint32_t)(stamp >> 32));
    put32(f, (uint32_t)stamp);
    put32(f, incl);
    put32(f, orig);
    put(f, bytes, incl);
    while (f->size % 4u) {
        f->bytes[f->size++] = 0;
    }
    if (flags) {
        ng_option(f, 2, flags, 4);
        ng_option(f, 0, 0, 0);
    }
    block_end(f);
}
static inline void ng_obsolete(struct image *f, uint32_t interface, uint64_t stamp,
                               const void *bytes, uint32_t n)
{
    block_start(f, 2);
    put16(f, interface);
    put16(f, 0xffff);
    put32(f, (uint32_t)(stamp >> 32));
    put32(f, (uint32_t)stamp);
    put32(f, n);
    put32(f, n);
    put(f, bytes, n);
    block_end(f);
}
static inline void ng_simple(struct image *f, const void *bytes, uint32_t incl, uint32_t orig)
{
    block_start(f, 3);
    put32(f, orig);
    put(f, bytes, incl);
    block_end(f);
}

static inline void image_save(const struct image *f, size_t n, const char *path)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(f->bytes, 1, n, out) != n || fclose(out)) {
        perror(path);
        exit(1);
    }
}

/* ---- frames ---- */

#define ROCE_HEADER_BYTES 54u

/* Ethernet, IPv4 10.0.0.src to 10.0.0.dst, UDP 0xc000 to 4791, BTH, RETH if dma is not negative,
 * `payload` bytes and ICRC; returns the length. bytes has room for all. */
static inline uint32_t roce_frame(uint8_t *bytes, uint8_t src, uint8_t dst, uint8_t opcode,
                                  uint32_t qp, uint32_t psn, int64_t dma, uint32_t more,
                                  uint32_t payload)
{
    uint32_t pad = (4u - payload % 4u) % 4u;
    uint32_t n = ROCE_HEADER_BYTES + (dma >= 0 ? 16u : 0) + more + payload + pad + 4u;
    memset(bytes, 0, n);
    bytes[12] = 8;
    uint8_t *ip = bytes + 14;
    ip[0] = 0x45;
    ip[2] = (uint8_t)((n - 14u) >> 8);
    ip[3] = (uint8_t)(n - 14u);
    ip[8] = 64;
    ip[9] = 17;
    ip[12] = ip[16] = 10;
    ip[15] = src;
    ip[19] = dst;
    uint8_t *udp = ip + 20;
    udp[0] = 0xc0;
    udp[2] = 0x12;
    udp[3] = 0xb7;
    udp[4] = (uint8_t)((n - 34u) >> 8);
    udp[5] = (uint8_t)(n - 34u);
    uint8_t *bth = udp + 8;
    bth[0] = opcode;
    bth[1] = (uint8_t)(pad << 4);
    bth[2] = bth[3] = 0xff;
    bth[5] = (uint8_t)(qp >> 16);
    bth[6] = (uint8_t)(qp >> 8);
    bth[7] = (uint8_t)qp;
    bth[9] = (uint8_t)(psn >> 16);
    bth[10] = (uint8_t)(psn >> 8);
    bth[11] = (uint8_t)psn;
    if (dma >= 0) {
        for (unsigned i = 0; i < 4u; i++) {
            bth[24 + i] = (uint8_t)((uint64_t)dma >> (24u - 8u * i));
        }
    }
    return n;
}

#endif
