/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classmap.h: what a packet is to the selector: its size bin, from length and RDMA opcode.
 *
 * A plain structure and a pure function; whoever resolves frames (C parser, frame front end) uses
 * them. The flags of an opcode have room for the RDMA classes (may be sprayed, must stay ordered).
 */
#ifndef EGRET_CLASSMAP_H
#define EGRET_CLASSMAP_H

#include "egret/egret.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_MAX_BINS 16

#define EGRET_OPCODE_ACK 0x01u /* the packet goes to ack_bin whatever its length */

struct egret_classmap {
    uint32_t num_thresholds; /* 0..15 */
    /* Ascending lengths in bytes; a packet passes a threshold if its length is at or above it. */
    uint16_t threshold[EGRET_MAX_BINS - 1];
    uint8_t ack_bin;         /* bin of packets whose opcode has EGRET_OPCODE_ACK, 0..15 */
    uint8_t opcode[256];     /* EGRET_OPCODE_* of each BTH opcode */
};

/* Two bins: acknowledgements and packets shorter than 256 bytes are 0, all others 1. Marked ACK:
 * Acknowledge and ATOMIC Acknowledge of RC (0x11, 0x12), RD (0x51, 0x52) and XRC (0xb1, 0xb2), and
 * CNP (0x81). */
void egret_classmap_default(struct egret_classmap *out);
/* EGRET_ERR_RANGE if a bin would reach num_bins or the thresholds do not ascend; *param (may be
 * null) names the member: "num_thresholds", "threshold", "ack_bin". */
int egret_classmap_check(const struct egret_classmap *map, uint32_t num_bins, const char **param);
/* Bin of a packet: length as in egret_event.length; opcode 0..255 or -1 if it has no BTH. */
uint32_t egret_classmap_bin(const struct egret_classmap *map, uint32_t length, int opcode);

#ifdef __cplusplus
}
#endif
#endif
