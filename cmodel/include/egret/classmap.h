/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classmap.h: what a packet is to the selector, from length and RDMA opcode: its size bin, and its
 * class, which says whether it may be sprayed.
 *
 * A plain structure and pure functions; whoever resolves frames (C parser, frame front end) uses
 * them. The class is the four flags of the opcode; what they mean but the first, CLASS_ORDERED and
 * the control side say.
 */
#ifndef EGRET_CLASSMAP_H
#define EGRET_CLASSMAP_H

#include "egret/egret.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_MAX_BINS 16

#define EGRET_OPCODE_ACK 0x01u     /* the packet goes to ack_bin whatever its length */
#define EGRET_OPCODE_ORDERED 0x02u /* of egret_classmap_rdma(): must stay in order */
#define EGRET_CLASS_SHORT 0x08u    /* set in the class of a packet shorter than short_below */

/* CLASS_ORDERED for the classes with EGRET_OPCODE_ORDERED; for those of short packets as well. */
#define EGRET_CLASSES_ORDERED 0xccccu
#define EGRET_CLASSES_ORDERED_SHORT 0xffccu

struct egret_classmap {
    uint32_t num_thresholds; /* 0..15 */
    /* Ascending lengths in bytes; a packet passes a threshold if its length is at or above it. */
    uint16_t threshold[EGRET_MAX_BINS - 1];
    uint16_t short_below;    /* length, 0: no packet is short */
    uint8_t ack_bin;         /* bin of packets whose opcode has EGRET_OPCODE_ACK, 0..15 */
    uint8_t opcode[256];     /* EGRET_OPCODE_* of each BTH opcode */
};

/* Two bins: acknowledgements and packets shorter than 256 bytes are 0, all others 1. Marked ACK:
 * Acknowledge and ATOMIC Acknowledge of RC (0x11, 0x12), RD (0x51, 0x52) and XRC (0xb1, 0xb2), and
 * CNP (0x81). */
void egret_classmap_default(struct egret_classmap *out);
/* The same, for receivers that place RDMA WRITE Only packets wherever they belong and need all else
 * in order: EGRET_OPCODE_ORDERED for all opcodes but WRITE Only of RC, UC and XRC (0x0a, 0x2a,
 * 0xaa) and those marked ACK. So WRITE First, Middle and Last, SEND, all with immediate, READ and
 * ATOMIC keep order, and so do unknown opcodes. */
void egret_classmap_rdma(struct egret_classmap *out);
/* EGRET_ERR_RANGE if a bin would reach num_bins or the thresholds do not ascend; *param (may be
 * null) names the member: "num_thresholds", "threshold", "ack_bin". */
int egret_classmap_check(const struct egret_classmap *map, uint32_t num_bins, const char **param);
/* Bin of a packet: length as in egret_event.length; opcode 0..255 or -1 if it has no BTH. */
uint32_t egret_classmap_bin(const struct egret_classmap *map, uint32_t length, int opcode);
/* Class of a packet, 4 bits: the opcode's flags (0 without a BTH), and EGRET_CLASS_SHORT. */
uint32_t egret_classmap_class(const struct egret_classmap *map, uint32_t length, int opcode);

#ifdef __cplusplus
}
#endif
#endif
