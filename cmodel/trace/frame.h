/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.h: builds the headers of frames. Internal to the trace library.
 */
#ifndef EGRET_TRACE_FRAME_H
#define EGRET_TRACE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX_HEADERS 256u

#define BTH_WRITE_FIRST 0x06u
#define BTH_WRITE_MIDDLE 0x07u
#define BTH_WRITE_LAST 0x08u
#define BTH_WRITE_ONLY 0x0au
#define BTH_ACK 0x11u

struct frame_address {
    bool ipv6;
    uint8_t bytes[16]; /* IPv4 in the first four */
};

struct frame_spec {
    struct frame_address src;
    struct frame_address dst;
    uint32_t vlans;        /* 0..4 tags */
    uint32_t option_words; /* IPv4: 0..10 words of options; IPv6: extension headers, 0..4 */
    uint32_t flow_label;   /* IPv6 */
    uint32_t protocol;     /* 17 UDP, 6 TCP, others: nothing behind the IP header */
    uint32_t source_port;
    uint32_t dest_port; /* UDP: 4791 brings a BTH */
    uint32_t opcode;
    uint32_t dest_qp;
    uint32_t psn;
    uint32_t pad;        /* BTH pad count, 0..3 */
    bool ask_ack;        /* of any opcode; WRITE Only always asks */
    bool fragment;       /* a later fragment: nothing behind the IP header */
    uint32_t dma_length; /* RETH of WRITE First and WRITE Only */
    uint32_t length;     /* on the wire; raised to the headers' size if it is less */
};

/* Fills out and returns the number of header bytes; *orig_len is the length on the wire. */
uint32_t egret_frame_build(const struct frame_spec *spec, uint8_t out[FRAME_MAX_HEADERS],
                           uint32_t *orig_len);

#endif
