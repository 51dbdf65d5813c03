/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse.c: the frame parser: Ethernet, VLAN tags, IPv4, IPv6, UDP, TCP, BTH (docs/trace.md).
 *
 * A header is complete if all its bytes lie within the frame's length on the wire; an incomplete
 * or unknown one, and everything behind it, is absent and counts as zero.
 */
#include <string.h>

#include "egret/trace_front.h"
#include "internal.h"

/* Offsets in the record. */
#define REC_SRC 0
#define REC_DST 16
#define REC_PROTOCOL 32
#define REC_SPORT 33
#define REC_QP 37
#define REC_OPCODE 40

#define PROTO_HOP_BY_HOP 0u
#define PROTO_TCP 6u
#define PROTO_UDP 17u
#define PROTO_ROUTING 43u
#define PROTO_FRAGMENT 44u
#define PROTO_AH 51u
#define PROTO_DEST_OPTIONS 60u
#define PROTO_MOBILITY 135u
#define PROTO_HIP 139u
#define PROTO_SHIM6 140u

struct cursor {
    const uint8_t *bytes;
    size_t incl;
    size_t orig;
    size_t at; /* offset of the header that comes next */
    bool cut;  /* a header lies within orig but not within incl */
};

/* Are the next n bytes there? Notes the case of bytes that were on the wire and were not kept. */
static bool have(struct cursor *c, size_t n)
{
    if (c->at + n > c->orig) {
        return false;
    }
    if (c->at + n > c->incl) {
        c->cut = true;
        return false;
    }
    return true;
}

static bool is_vlan(uint32_t type)
{
    return type == 0x8100u || type == 0x88a8u || type == 0x9100u;
}

/* EtherType behind the VLAN tags, 0 if there is none. */
static uint32_t parse_ethernet(struct cursor *c)
{
    if (!have(c, 14)) {
        return 0;
    }
    uint32_t type = get_be16(c->bytes + 12);
    c->at = 14;
    for (unsigned tags = 0; is_vlan(type); tags++) {
        if (tags == EGRET_PARSE_MAX_VLANS || !have(c, 4)) {
            return 0;
        }
        type = get_be16(c->bytes + c->at + 2);
        c->at += 4;
    }
    return type;
}

/* True if a first or only piece of a datagram follows, with *protocol on top. */
static bool parse_ipv4(struct cursor *c, struct egret_parsed *p, uint32_t *protocol)
{
    if (!have(c, 20)) {
        return false;
    }
    const uint8_t *h = c->bytes + c->at;
    size_t header = (size_t)(h[0] & 15u) * 4u;
    if (h[0] >> 4 != 4u || header < 20u || !have(c, header)) {
        return false;
    }
    memcpy(p->record + REC_SRC, h + 12, 4);
    memcpy(p->record + REC_DST, h + 16, 4);
    p->record[REC_PROTOCOL] = h[9];
    p->family = 4;
    *protocol = h[9];
    c->at += header;
    return (get_be16(h + 6) & 0x3fffu) == 0; /* neither more fragments nor an offset */
}

/* Steps over one extension header; false if *protocol is none, or what follows is out of reach. */
static bool skip_extension(struct cursor *c, uint32_t *protocol, bool *stop)
{
    size_t bytes;
    *stop = false;
    switch (*protocol) {
    case PROTO_HOP_BY_HOP:
    case PROTO_ROUTING:
    case PROTO_DEST_OPTIONS:
    case PROTO_MOBILITY:
    case PROTO_HIP:
    case PROTO_SHIM6:
    case PROTO_FRAGMENT:
    case PROTO_AH:
        break;
    default:
        return false;
    }
    if (!have(c, 8)) {
        *stop = true;
        return false;
    }
    const uint8_t *h = c->bytes + c->at;
    if (*protocol == PROTO_FRAGMENT) {
        bytes = 8;
        *stop = (get_be16(h + 2) & 0xfff9u) != 0; /* an offset or more fragments */
    } else if (*protocol == PROTO_AH) {
        bytes = ((size_t)h[1] + 2u) * 4u;
    } else {
        bytes = ((size_t)h[1] + 1u) * 8u;
    }
    if (!have(c, bytes)) {
        *stop = true;
        return false;
    }
    *protocol = h[0];
    c->at += bytes;
    return !*stop;
}

static bool parse_ipv6(struct cursor *c, struct egret_parsed *p, uint32_t *protocol)
{
    if (!have(c, 40)) {
        return false;
    }
    const uint8_t *h = c->bytes + c->at;
    if (h[0] >> 4 != 6u) {
        return false;
    }
    memcpy(p->record + REC_SRC, h + 8, 16);
    memcpy(p->record + REC_DST, h + 24, 16);
    p->family = 6;
    p->flow_label = get_be32(h) & 0xfffffu;
    *protocol = h[6];
    c->at += 40;
    bool stop = false;
    unsigned extensions = 0;
    while (extensions < EGRET_PARSE_MAX_EXTENSIONS && skip_extension(c, protocol, &stop)) {
        extensions++;
    }
    p->record[REC_PROTOCOL] = (uint8_t)*protocol;
    return !stop;
}

static void parse_transport(struct cursor *c, struct egret_parsed *p, uint32_t protocol)
{
    size_t header = protocol == PROTO_UDP ? 8u : 20u;
    if ((protocol != PROTO_UDP && protocol != PROTO_TCP) || !have(c, header)) {
        return;
    }
    const uint8_t *h = c->bytes + c->at;
    memcpy(p->record + REC_SPORT, h, 4);
    p->source_port = (uint16_t)get_be16(h);
    c->at += header;
    if (protocol != PROTO_UDP || get_be16(h + 2) != EGRET_UDP_PORT_ROCE || !have(c, 12)) {
        return;
    }
    const uint8_t *bth = c->bytes + c->at;
    memcpy(p->record + REC_QP, bth + 5, 3);
    p->record[REC_OPCODE] = bth[0];
    p->opcode = bth[0];
    p->bth = (uint16_t)c->at;
}

int egret_parse(const uint8_t *bytes, size_t incl_len, size_t orig_len, struct egret_parsed *out)
{
    struct cursor c = {bytes, incl_len, orig_len, 0, false};
    struct egret_parsed p;
    memset(&p, 0, sizeof p);
    p.opcode = -1;
    uint32_t protocol = 0;
    uint32_t type = parse_ethernet(&c);
    if ((type == 0x0800u && parse_ipv4(&c, &p, &protocol)) ||
        (type == 0x86ddu && parse_ipv6(&c, &p, &protocol))) {
        parse_transport(&c, &p, protocol);
    }
    if (c.cut) {
        return EGRET_ERR_RANGE;
    }
    *out = p;
    return EGRET_OK;
}
