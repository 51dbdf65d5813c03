/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.h: what a packet asks of the selector of a switch. The hot path: included by switch.c.
 *
 * A recorded stimulus (record.c) has frames, not requests, so the request is exactly what the front
 * end (egret/trace_front.h) makes of the packet's frame with the writes of egret_fab_record_open():
 *
 *   record       IPv4 addresses of the two places, UDP, source port, 4791, destination QP: the low
 *                24 bits of the operation, opcode WRITE Only or Acknowledge
 *   source port  0xc000 + label; the label is 14 bits that fold the packet's 32 bits of entropy:
 *                entropy ^ entropy >> 9. Of DRB's (uplink of the edge below 128, plus 65536 times
 *                the uplink of the aggregation switch below 128) that is the edge's uplink in bits
 *                0..6 and the other's in bits 7..13, unchanged. So groups of scheme entropy have
 *                entropy_offset FAB_ENTROPY_EDGE or FAB_ENTROPY_AGG.
 *   entropy      the source port (EGRET_ENTROPY_SOURCE_PORT)
 *   bin, class   0 and 1 of an ACK, 1 and 0 of data, trimmed or not: by the opcode alone
 *   length       without FCS
 *   now          nanoseconds, rounded down
 *
 * tag is the caller's: the front end counts packets there.
 */
#ifndef EGRET_FABRIC_REQUEST_H
#define EGRET_FABRIC_REQUEST_H

#include <string.h>

#include "core.h"

#define FAB_ENTROPY_EDGE 0u
#define FAB_ENTROPY_AGG 7u
#define FAB_OPCODE_WRITE_ONLY 0x0au
#define FAB_OPCODE_ACK 0x11u
#define FAB_FCS_BYTES 4u
#define FAB_CLASS_ACK 1u /* of data it is 0 */

/* UDP source port of a packet. */
static inline uint32_t fab_source_port(uint32_t entropy)
{
    return 0xc000u | ((entropy ^ entropy >> 9) & 0x3fffu);
}

static inline void fab_put_be32(uint8_t *at, uint32_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    memcpy(at, &v, sizeof v);
}

static inline void fab_put_be64(uint8_t *at, uint64_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(at, &v, sizeof v);
}

/* Fills a PACKET event. Of its record only what changes from packet to packet is written, and kind
 * (EGRET_EV_PACKET is 0) not at all: the array of events is zeroed once, when it is made, and only
 * this function writes there. */
static inline void fab_fill_event(const struct egret_fabric *f, const struct fab_node *n,
                                  enum fab_kind kind, const struct fab_packet *p,
                                  struct egret_event *ev)
{
    uint32_t ack = p->flags & FAB_ACK;
    uint32_t port = fab_source_port(p->entropy);
    uint32_t dst = f->address[p->dst];
    fab_request_of(f, n, kind, dst, &ev->group, &ev->key);
    ev->now = p->time / 1000u;
    ev->entropy = port;
    ev->length = (uint16_t)(p->length - FAB_FCS_BYTES);
    ev->bin = (uint8_t)(ack ^ 1u);
    ev->cls = (uint8_t)ack;
    fab_put_be32(ev->record, f->address[p->src]);
    fab_put_be32(ev->record + 16, dst);
    fab_put_be64(ev->record + 32,
                 (17ull << 56 | 4791ull << 24) + ((uint64_t)port << 40) + (p->flow & 0xffffffu));
    ev->record[40] = ack ? FAB_OPCODE_ACK : FAB_OPCODE_WRITE_ONLY;
}

#endif
