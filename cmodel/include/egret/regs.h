/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regs.h: the address map of configuration writes and reads, one for all configurations.
 *
 * Addresses are 24-bit word addresses, data is 32 bits. A write to an address that does not exist
 * in a configuration, to a read-only word, or with an illegal value is ignored and counted in
 * EGRET_A_WRITES_IGNORED; a read of one returns 0. Bits that a configuration lacks are ignored and
 * read as zero, but a port number beyond NUM_PORTS in a bucket or schedule is an illegal value.
 * Mirrors rtl/egret_regs.vh.
 */
#ifndef EGRET_REGS_H
#define EGRET_REGS_H

/* Globals, 0x000000. */
#define EGRET_A_TYPE 0x000000u            /* ro: 0x45475254 "EGRT" */
#define EGRET_A_VERSION 0x000001u         /* ro: 0x00010000 */
/* PARAM0: {num_bins 8, row_len-1 8, num_rows-1 8, num_ports 8}, PARAM1: {num_keys 16,
 * num_groups 16}, PARAM2: {hash_kind 4, latency 8, num_buckets 20}, PARAM3: {0 10, parity 1, log2
 * of num_flowlets plus 1, or 0 without, 5, schemes 16: bit c for scheme c}, all msb first. */
#define EGRET_A_PARAM0 0x000002u          /* ro */
#define EGRET_A_PARAM1 0x000003u          /* ro */
#define EGRET_A_PARAM2 0x000004u          /* ro */
#define EGRET_A_PARAM3 0x000005u          /* ro */
#define EGRET_A_HASH_ALGORITHM 0x000008u  /* rw: enum egret_hash_algorithm; absent one illegal */
#define EGRET_A_HASH_FIELDS 0x000009u     /* rw: bit per field; only HASH_KIND fixed and lookup3 */
#define EGRET_A_HASH_SEED 0x00000au       /* rw: XORed to a linear hash; lookup3's initial value */
#define EGRET_A_HASH_ROTATION 0x00000bu   /* rw: 0..31, right rotation; only fixed and lookup3 */
#define EGRET_A_DRAW_SEED 0x00000cu       /* rw: seed of the rotation draws */
#define EGRET_A_CLASS_ORDERED 0x00000du   /* rw: bit c: packets of class c (0..15) keep order */
#define EGRET_A_RANDOM 0x00000eu          /* rw: generator state; 0 writes the state after reset;
                                             only with spray-random, -quality or flowlet */
#define EGRET_A_LIVE0 0x000010u           /* ro: ports 31..0 up */
#define EGRET_A_LIVE1 0x000011u           /* ro: ports 63..32 up */
#define EGRET_A_TICK_COUNT 0x000012u      /* ro: ticks accepted, modulo 2^32 */
#define EGRET_A_TICK_NOW0 0x000013u       /* ro: low 32 bits of the last tick's now */
#define EGRET_A_TICK_NOW1 0x000014u       /* ro: high 16 bits of it */
#define EGRET_A_WRITES_IGNORED 0x000018u  /* ro: count, modulo 2^32 */
#define EGRET_A_EVENTS_IGNORED 0x000019u  /* ro: port and queue events for ports beyond NUM_PORTS */
#define EGRET_A_DROPS_SCHEME 0x00001au    /* ro: packets of a group with an unknown scheme */
#define EGRET_A_DROPS_INDEX 0x00001bu     /* ro: packets with group, key or bin out of range */
#define EGRET_A_GROUP_STAGE1 0x000021u    /* rw: group words 1..4 wait here for the commit */
#define EGRET_A_GROUP_STAGE2 0x000022u
#define EGRET_A_GROUP_STAGE3 0x000023u
#define EGRET_A_GROUP_STAGE4 0x000024u
#define EGRET_A_GROUP_STAGE5 0x000025u /* only with flowlet or spray-quality, likewise the next */
#define EGRET_A_GROUP_STAGE6 0x000026u
#define EGRET_A_FLOWLET_LAST 0x000027u /* rw: 24 bits: `last` of the next flowlet entry written */
/* Port loads, only with spray-quality. */
#define EGRET_A_LOAD_EXPONENT 0x000028u   /* rw: 4 bits */
#define EGRET_A_LOAD_WEIGHTS 0x000029u    /* rw: [8:0] past, [24:16] future, of 256 */
#define EGRET_A_QUALITY_SMALL 0x00002au   /* rw: 16 bits: packets shorter than this are hashed */
/* Parity (docs/spec/faults.md); both read 0 without it. */
#define EGRET_A_FAULTS 0x00002bu       /* ro: packets that met a bad entry, modulo 2^32 */
#define EGRET_A_FAULT_TABLES 0x00002cu /* ro: bit enum egret_fault_table: one was met there */
#define EGRET_A_LOAD_THRESHOLD(i) (0x000030u + (uint32_t)(i)) /* rw: 16 bits; i 1..7 */

/* Group g, word w: 0x100000 + 8g + w. A write of word 0 commits word 0 and the six staged words at
 * once; words 1..6 are read-only here.
 * word 0: [3:0] scheme, [4] bank, [11:8] R (wraps before a redraw, 0 never), [15:12] scheme of the
 *   classes that keep order (0: the same), [23:16] last slot, [28:24] entropy offset (only with
 *   entropy)
 * word 1: [15:0] row base, [31:16] row mask      word 2: [15:0] bucket base, [31:16] bucket mask
 * word 3, 4: members 31..0, 63..32
 * word 5: [15:0] flowlet base, [31:16] flowlet mask (only with flowlet)
 * word 6: [23:0] idle, units of 16 ns (only with flowlet), [24] flowlet: new path by quality, [25]
 *   moves only if strictly better (both only with flowlet and spray-quality), [27:26] DRILL d,
 *   [28] DRILL m (only with spray-quality) */
#define EGRET_A_GROUP(g, w) (0x100000u + 8u * (uint32_t)(g) + (uint32_t)(w))
/* Bucket i: port. */
#define EGRET_A_BUCKET(i) (0x200000u + (uint32_t)(i))
/* Schedule slot: port. */
#define EGRET_A_SCHEDULE(bank, row, slot) \
    (0x300000u + 0x10000u * (uint32_t)(bank) + 0x100u * (uint32_t)(row) + (uint32_t)(slot))
/* Pointer entry: {epoch 12, wraps 12, offset 8}, msb first. */
#define EGRET_A_POINTER_DR(key, bin) (0x400000u + 16u * (uint32_t)(key) + (uint32_t)(bin))
#define EGRET_A_POINTER_RR(group) (0x480000u + (uint32_t)(group))
/* Queue depth of a port, bytes, ro. */
#define EGRET_A_QUEUE(port) (0x500000u + (uint32_t)(port))
/* Port counters, ro, 40 bits: w 0 packets 31..0, 1 packets 39..32, 2 bytes 31..0,
 * 3 bytes 39..32. */
#define EGRET_A_PORT_COUNTER(port, w) (0x600000u + 4u * (uint32_t)(port) + (uint32_t)(w))
/* Group counters, ro, 32 bits: w 0 drops, 1 repairs. */
#define EGRET_A_GROUP_COUNTER(g, w) (0x700000u + 2u * (uint32_t)(g) + (uint32_t)(w))
/* Hash matrix, only HASH_KIND matrix: the XOR share of value v of nibble n of the record. Nibble 0
 * is the high half of byte 0; n is 0..81. */
#define EGRET_A_MATRIX(n, v) (0x800000u + 16u * (uint32_t)(n) + (uint32_t)(v))
/* Port load, only with spray-quality: w 0 past scale, 1 future scale: [15:0] scale, [20:16] shift;
 * 2 band in force, ro. */
#define EGRET_A_PORT_LOAD(port, w) (0x900000u + 4u * (uint32_t)(port) + (uint32_t)(w))
/* DRILL's memory of a group, only with spray-quality: {valid [31], port [7:0]}. */
#define EGRET_A_DRILL_MEMORY(g) (0xa00000u + (uint32_t)(g))
#define EGRET_MEMORY_VALID 0x80000000u
/* Flowlet counters of a group, ro, 32 bits, only with flowlet: w 0 hits, 1 new, 2 evictions,
 * 3 conflicts, 4 reassignments. */
#define EGRET_A_FLOWLET_COUNTER(g, w) (0xb00000u + 8u * (uint32_t)(g) + (uint32_t)(w))
/* Flowlet entry i, only with flowlet. w 0: {valid 1, 0 3, tag 12, 0 8, port 8}, msb first; a write
 * takes last from EGRET_A_FLOWLET_LAST. w 1, ro: last, 24 bits. */
#define EGRET_A_FLOWLET(i, w) (0xc00000u + 2u * (uint32_t)(i) + (uint32_t)(w))
/* 0xf00000 and up belongs to the frame front end (docs/trace.md): the core accepts such writes
 * without effect and without counting; reads return 0. */
#define EGRET_A_FRONT 0xf00000u

#define EGRET_TYPE_WORD 0x45475254u
#define EGRET_VERSION_WORD 0x00010000u

/* Selectable hash fields (SAI native hash fields): bits of EGRET_A_HASH_FIELDS. */
#define EGRET_FIELD_SRC_IP 0x01u
#define EGRET_FIELD_DST_IP 0x02u
#define EGRET_FIELD_IP_PROTOCOL 0x04u
#define EGRET_FIELD_L4_SRC_PORT 0x08u
#define EGRET_FIELD_L4_DST_PORT 0x10u
#define EGRET_FIELD_RDMA_BTH_DEST_QP 0x20u
#define EGRET_FIELD_RDMA_BTH_OPCODE 0x40u
#define EGRET_FIELDS_5TUPLE 0x1fu
#define EGRET_FIELDS_ALL 0x7fu

/* Bits of EGRET_A_FAULT_TABLES. */
enum egret_fault_table {
    EGRET_FAULT_GROUP = 0,
    EGRET_FAULT_MATRIX = 1,
    EGRET_FAULT_BUCKET = 2,
    EGRET_FAULT_SCHEDULE = 3,
    EGRET_FAULT_POINTER = 4,
    EGRET_FAULT_FLOWLET = 5,
    EGRET_FAULT_MEMORY = 6, /* DRILL's */
    EGRET_FAULT_PORT_COUNTER = 7,
    EGRET_FAULT_GROUP_COUNTER = 8,
    EGRET_FAULT_FLOWLET_COUNTER = 9
};

enum egret_hash_algorithm {
    EGRET_HASH_CRC16 = 0,       /* CRC-16/ARC */
    EGRET_HASH_CRC16_CCITT = 1, /* CRC-16/CCITT-FALSE */
    EGRET_HASH_CRC32 = 2,
    EGRET_HASH_CRC32C = 3,
    EGRET_HASH_TOEPLITZ = 4,
    EGRET_HASH_LOOKUP3 = 5,
    EGRET_HASH_XOR16 = 6,
    EGRET_HASH_XOR32 = 7,
    EGRET_HASH_MATRIX = 15 /* HASH_KIND matrix: what the loaded matrix says */
};

#endif
