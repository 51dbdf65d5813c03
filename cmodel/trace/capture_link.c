/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_link.c: link types into Ethernet. A type without an Ethernet header gets one: zeros, the
 * sender's address where it is known, and the EtherType.
 *
 * Numbers and layouts: the public list of link-layer header types of libpcap.
 */
#include <string.h>

#include "capture_input.h"

#define LINK_RAW_OLD 12u
#define LINK_RAW_BSD 14u
#define LINK_RAW 101u
#define LINK_SLL 113u
#define LINK_PPI 192u
#define LINK_ERF 197u
#define LINK_IPV4 228u
#define LINK_IPV6 229u
#define LINK_SLL2 276u

#define SLL_BYTES 16u
#define SLL2_BYTES 20u
#define ERF_BYTES 16u
#define ERF_FCS 4u

/* Takes n bytes off the front. */
static bool strip(struct capture_record *r, uint32_t n)
{
    if (r->incl_len < n) {
        return false;
    }
    r->bytes += n;
    r->incl_len -= n;
    r->orig_len -= n;
    return true;
}

/* Puts an Ethernet header before what is left; source is 6 bytes or null. */
static int prepend(struct capture_record *r, const uint8_t *source, uint32_t type)
{
    uint8_t header[CAPTURE_HEAD_ROOM] = {0};
    if (source) {
        memcpy(header + 6, source, 6);
    }
    put_be16(header + 12, type);
    if (r->orig_len > UINT32_MAX - CAPTURE_HEAD_ROOM) {
        return EGRET_ERR_RANGE;
    }
    r->bytes -= CAPTURE_HEAD_ROOM;
    memcpy(r->bytes, header, sizeof header);
    r->incl_len += CAPTURE_HEAD_ROOM;
    r->orig_len += CAPTURE_HEAD_ROOM;
    return EGRET_OK;
}

static int raw_ip(struct capture_record *r)
{
    unsigned version = r->incl_len > 0 ? r->bytes[0] >> 4 : 0;
    if (version != 4u && version != 6u) {
        return EGRET_ERR_RANGE;
    }
    return prepend(r, NULL, version == 4u ? 0x0800u : 0x86ddu);
}

/* Linux "cooked" captures: an address of up to eight bytes, and a protocol. */
static int cooked(struct capture_record *r, uint32_t bytes, uint32_t protocol_at,
                  uint32_t address_length, uint32_t address_at)
{
    const uint8_t *h = r->bytes;
    if (!strip(r, bytes)) {
        return EGRET_ERR_RANGE;
    }
    return prepend(r, address_length == 6u ? h + address_at : NULL, get_be16(h + protocol_at));
}

static int ethernet(const struct capture_record *r)
{
    return r->incl_len >= 14u ? EGRET_OK : EGRET_ERR_RANGE;
}

/* Endace: Ethernet records (types 2, 11, 16, 20), extension headers, two bytes of padding. */
static int endace(struct capture_record *r)
{
    if (r->incl_len < ERF_BYTES) {
        return EGRET_ERR_RANGE;
    }
    uint32_t type = r->bytes[8] & 0x7fu;
    uint32_t wire = get_be16(r->bytes + 14);
    bool more = (r->bytes[8] & 0x80u) != 0;
    if (type != 2u && type != 11u && type != 16u && type != 20u) {
        return EGRET_ERR_RANGE;
    }
    (void)strip(r, ERF_BYTES);
    while (more) {
        more = r->incl_len >= 8u && (r->bytes[0] & 0x80u) != 0;
        if (!strip(r, 8)) {
            return EGRET_ERR_RANGE;
        }
    }
    if (!strip(r, 2)) {
        return EGRET_ERR_RANGE;
    }
    r->orig_len = wire > ERF_FCS ? wire - ERF_FCS : 0;
    r->incl_len = r->incl_len < r->orig_len ? r->incl_len : r->orig_len;
    return ethernet(r);
}

/* Per-packet information: a little-endian header with the link type of what follows. */
static int ppi(struct capture_record *r)
{
    if (r->incl_len < 8u || r->bytes[0] != 0) {
        return EGRET_ERR_RANGE;
    }
    uint32_t length = (uint32_t)r->bytes[3] << 8 | r->bytes[2];
    uint32_t inner = get_le32(r->bytes + 4);
    if (length < 8u || !strip(r, length)) {
        return EGRET_ERR_RANGE;
    }
    r->link_type = inner;
    return inner == LINKTYPE_ETHERNET ? ethernet(r) : EGRET_ERR_EVENT;
}

int egret_capture_ethernet(struct capture_record *r)
{
    switch (r->link_type) {
    case LINKTYPE_ETHERNET:
        return ethernet(r);
    case LINK_RAW_OLD:
    case LINK_RAW_BSD:
    case LINK_RAW:
    case LINK_IPV4:
    case LINK_IPV6:
        return raw_ip(r);
    case LINK_SLL:
        return cooked(r, SLL_BYTES, 14, r->incl_len >= SLL_BYTES ? get_be16(r->bytes + 4) : 0, 6);
    case LINK_SLL2:
        return cooked(r, SLL2_BYTES, 0, r->incl_len >= SLL2_BYTES ? r->bytes[11] : 0, 12);
    case LINK_PPI:
        return ppi(r);
    case LINK_ERF:
        return endace(r);
    default:
        return EGRET_ERR_EVENT;
    }
}
