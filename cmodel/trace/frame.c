/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.c: headers of Ethernet, VLAN, IPv4, IPv6, UDP, TCP, BTH, RETH and AETH.
 */
#include <string.h>

#include "egret/trace_front.h"
#include "frame.h"
#include "internal.h"

static uint32_t ip_checksum(const uint8_t *p, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i += 2) {
        sum += get_be16(p + i);
    }
    while (sum >> 16) {
        sum = (sum & 0xffffu) + (sum >> 16);
    }
    return ~sum & 0xffffu;
}

static uint8_t *put_ethernet(uint8_t *p, const struct frame_spec *s)
{
    memset(p, 0, 12);
    p[0] = 0x02; /* locally administered: 02:00 and the last four bytes of the IP address */
    p[6] = 0x02;
    memcpy(p + 2, s->dst.bytes + (s->dst.ipv6 ? 12 : 0), 4);
    memcpy(p + 8, s->src.bytes + (s->src.ipv6 ? 12 : 0), 4);
    p += 12;
    for (uint32_t i = 0; i < s->vlans; i++) {
        put_be16(p, i + 1u < s->vlans ? 0x88a8u : 0x8100u);
        put_be16(p + 2, 100u + i);
        p += 4;
    }
    put_be16(p, s->dst.ipv6 ? 0x86ddu : 0x0800u);
    return p + 2;
}

/* *udp becomes the UDP header, whose length is not known yet, or stays null. */
static uint8_t *put_transport(uint8_t *p, const struct frame_spec *s, uint8_t **udp)
{
    if (s->fragment || (s->protocol != 17u && s->protocol != 6u)) {
        return p;
    }
    put_be16(p, s->source_port);
    put_be16(p + 2, s->dest_port);
    if (s->protocol == 6u) {
        put_be32(p + 4, s->psn);
        p[12] = 0x50; /* five words of header */
        p[13] = 0x10; /* ACK */
        put_be16(p + 14, 0xffffu);
        return p + 20;
    }
    *udp = p; /* checksum 0: none */
    p += 8;
    if (s->dest_port != EGRET_UDP_PORT_ROCE) {
        return p;
    }
    p[0] = (uint8_t)s->opcode;
    p[1] = (uint8_t)(0x40u | (s->pad & 3u) << 4); /* MigReq, pad count */
    put_be16(p + 2, 0xffffu);                     /* default partition */
    put_be32(p + 4, s->dest_qp & 0xffffffu);
    put_be32(p + 8, s->psn & 0xffffffu);
    if (s->opcode == BTH_WRITE_ONLY || s->ask_ack) {
        p[8] = 0x80; /* ask for an acknowledgement */
    }
    p += 12;
    if (s->opcode == BTH_WRITE_ONLY || s->opcode == BTH_WRITE_FIRST) {
        put_be32(p + 12, s->dma_length); /* RETH: address 0, key 0 */
        return p + 16;
    }
    if (s->opcode == BTH_ACK) {
        p[0] = 0x1f; /* AETH: ACK, credits not limited */
        put_be32(p, get_be32(p) | (s->psn & 0xffffffu));
        return p + 4;
    }
    return p;
}

static uint8_t *put_ipv4(uint8_t *p, const struct frame_spec *s, uint8_t **udp)
{
    uint32_t words = 5u + s->option_words;
    p[0] = (uint8_t)(0x40u | words);
    p[1] = 0x02; /* ECN capable */
    put_be16(p + 6, s->fragment ? 0x2010u : 0x4000u);
    p[8] = 64;
    p[9] = (uint8_t)s->protocol;
    memcpy(p + 12, s->src.bytes, 4);
    memcpy(p + 16, s->dst.bytes, 4);
    memset(p + 20, 1, (size_t)s->option_words * 4u); /* no-operation options */
    return put_transport(p + (size_t)words * 4u, s, udp);
}

static uint8_t *put_ipv6(uint8_t *p, const struct frame_spec *s, uint8_t **udp)
{
    static const uint8_t extension[4] = {0, 60, 43, 60};
    put_be32(p, 0x60200000u | (s->flow_label & 0xfffffu));
    p[7] = 64;
    memcpy(p + 8, s->src.bytes, 16);
    memcpy(p + 24, s->dst.bytes, 16);
    uint8_t *next = p + 6;
    p += 40;
    for (uint32_t i = 0; i < s->option_words && i < 4u; i++) {
        *next = extension[i];
        next = p;
        p[1] = (uint8_t)(i & 1u); /* 8 or 16 bytes */
        p[2] = i == 2 ? 0 : 1;    /* PadN over the rest, or routing type 0 */
        p[3] = i == 2 ? 0 : (uint8_t)(4u + 8u * (i & 1u));
        p += 8u + 8u * (i & 1u);
    }
    if (s->fragment) {
        *next = 44;
        next = p;
        put_be16(p + 2, 0x0101u);
        p += 8;
    }
    *next = (uint8_t)s->protocol;
    return put_transport(p, s, udp);
}

uint32_t egret_frame_build(const struct frame_spec *s, uint8_t out[FRAME_MAX_HEADERS],
                           uint32_t *orig_len)
{
    memset(out, 0, FRAME_MAX_HEADERS);
    uint8_t *udp = NULL;
    uint8_t *ip = put_ethernet(out, s);
    uint8_t *end = s->dst.ipv6 ? put_ipv6(ip, s, &udp) : put_ipv4(ip, s, &udp);
    uint32_t headers = (uint32_t)(end - out);
    uint32_t length = s->length < headers ? headers : s->length;
    uint32_t ip_length = length - (uint32_t)(ip - out);
    if (s->dst.ipv6) {
        put_be16(ip + 4, ip_length - 40u);
    } else {
        put_be16(ip + 2, ip_length);
        put_be16(ip + 10, ip_checksum(ip, (size_t)(ip[0] & 15u) * 4u));
    }
    if (udp) {
        put_be16(udp + 4, length - (uint32_t)(udp - out));
    }
    *orig_len = length;
    return headers;
}
