/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_front.h: the frame front end: what a packet asks of the selector, from its headers.
 *
 * Parser, ternary route table, class map and entropy selector, set by configuration writes at and
 * above EGRET_A_FRONT (the core accepts those without effect). docs/trace.md is normative.
 * Multi-byte fields are in network order. After reset everything is zero and no route is valid.
 */
#ifndef EGRET_TRACE_FRONT_H
#define EGRET_TRACE_FRONT_H

#include "egret/classmap.h"
#include "egret/egret.h"
#include "egret/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Front-end addresses; a write to any other address at or above EGRET_A_FRONT, or with a value
 * beyond the range given here, is ignored and counted. */
#define EGRET_A_FRONT_DEFAULT 0xf00000u    /* {key 16, group 16} of a packet without a route */
#define EGRET_A_FRONT_ENTROPY 0xf00001u    /* enum egret_entropy_source */
#define EGRET_A_FRONT_THRESHOLDS 0xf00002u /* thresholds in use, 0..15 */
#define EGRET_A_FRONT_ACK_BIN 0xf00003u    /* bin of opcodes marked EGRET_OPCODE_ACK, 0..15 */
#define EGRET_A_FRONT_SHORT 0xf00004u      /* packets below have EGRET_CLASS_SHORT, 16 bits */
#define EGRET_A_FRONT_THRESHOLD(i) (0xf00010u + (uint32_t)(i)) /* i 0..14: length, 16 bits */
/* Stage of a route: words 0..3 of value and mask, word 0 the first four address bytes. Staged words
 * stay until they are written again. */
#define EGRET_A_FRONT_ROUTE_VALUE(w) (0xf00020u + (uint32_t)(w))
#define EGRET_A_FRONT_ROUTE_MASK(w) (0xf00024u + (uint32_t)(w))
#define EGRET_A_FRONT_ROUTE_FAMILY 0xf00028u                  /* 0 any, 4 IPv4 only, 6 IPv6 only */
#define EGRET_A_FRONT_OPCODE(op) (0xf00100u + (uint32_t)(op)) /* flags of a BTH opcode, 4 bits */
/* Commits the stage as route i with data {key 16, group 16}. */
#define EGRET_A_FRONT_ROUTE(i) (0xf10000u + (uint32_t)(i))
/* Removes route i; the data is ignored. */
#define EGRET_A_FRONT_ROUTE_REMOVE(i) (0xf20000u + (uint32_t)(i))

#define EGRET_FRONT_ROUTES 4096u
#define EGRET_UDP_PORT_ROCE 4791u
#define EGRET_PARSE_MAX_VLANS 4u
#define EGRET_PARSE_MAX_EXTENSIONS 8u

enum egret_entropy_source {
    EGRET_ENTROPY_SOURCE_PORT = 0, /* UDP or TCP source port, else 0 */
    EGRET_ENTROPY_FLOW_LABEL = 1   /* IPv6 flow label, else 0 */
};

/* What the parser finds in a frame. */
struct egret_parsed {
    uint8_t record[EGRET_RECORD_BYTES];
    uint8_t family;       /* 4, 6, or 0 if the frame has no complete IP header */
    int16_t opcode;       /* BTH opcode, -1 if there is no BTH */
    uint16_t source_port; /* 0 if absent */
    uint32_t flow_label;  /* 0 if absent */
    uint16_t bth;         /* offset of the BTH in the frame, 0 if there is none */
};

/* Parses the headers of a frame of orig_len bytes of which incl_len are given. A header that does
 * not lie within orig_len is absent. EGRET_ERR_RANGE if a header lies within orig_len and not
 * within incl_len; *out is untouched then. */
int egret_parse(const uint8_t *bytes, size_t incl_len, size_t orig_len, struct egret_parsed *out);

struct egret_front; /* opaque */

/* A front end in its state after reset. EGRET_ERR_MEMORY. */
int egret_front_create(struct egret_front **out);
/* Frees it; null is allowed. */
void egret_front_destroy(struct egret_front *f);
/* Applies a configuration write; addresses below EGRET_A_FRONT are none of its business. Returns
 * true if the write took effect. */
bool egret_front_write(struct egret_front *f, uint32_t addr, uint32_t data);
/* Fills group, key, length, bin, class, entropy and record of a packet event from a parsed frame of
 * `length` bytes; true if a route matched, false if it took the default. The matching route of the
 * lowest number wins. */
bool egret_front_resolve(struct egret_front *f, const struct egret_parsed *parsed, uint32_t length,
                         struct egret_event *ev);
/* Writes so far, at or above EGRET_A_FRONT, that did not take effect. */
uint64_t egret_front_ignored(const struct egret_front *f);

#ifdef __cplusplus
}
#endif
#endif
