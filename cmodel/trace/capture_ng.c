/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_ng.c: the blocks of pcapng: section, interface, enhanced, simple and obsolete packet;
 * all others are skipped. Each section has its own byte order and interfaces.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "capture_input.h"

#define BLOCK_INTERFACE 1u
#define BLOCK_PACKET 2u /* obsolete */
#define BLOCK_SIMPLE 3u
#define BLOCK_ENHANCED 6u
#define BYTE_ORDER_MAGIC 0x1a2b3c4du

#define OPTION_END 0u
#define OPTION_FLAGS 2u /* of a packet */
#define OPTION_TSRESOL 9u
#define OPTION_FCSLEN 13u
#define OPTION_TSOFFSET 14u

#define MAX_SECONDS UINT32_MAX /* of a stimulus's time stamps */

/* Floor of fraction * 10^9 / 2^bits, fraction < 2^bits, in 96 bits. */
static uint64_t binary_ns(uint64_t fraction, unsigned bits)
{
    uint64_t low = (fraction & 0xffffffffu) * NS_PER_S;
    uint64_t high = (fraction >> 32) * NS_PER_S + (low >> 32);
    if (bits >= 32u) {
        return bits - 32u < 64u ? high >> (bits - 32u) : 0;
    }
    return (high << 32 | (low & 0xffffffffu)) >> bits;
}

static uint64_t power_of_ten(unsigned n)
{
    uint64_t p = 1;
    while (n-- > 0) {
        p *= 10u;
    }
    return p;
}

/* A time stamp into nanoseconds; false if it lies before 1970 or beyond 2^32 seconds. */
static bool to_ns(const struct capture_interface *i, uint64_t stamp, uint64_t *now)
{
    unsigned n = i->resolution & 0x7fu;
    uint64_t seconds;
    uint64_t ns;
    if (i->resolution & 0x80u) {
        seconds = n < 64u ? stamp >> n : 0;
        ns = binary_ns(n < 64u ? stamp - (seconds << n) : stamp, n);
    } else {
        uint64_t unit = n <= 19u ? power_of_ten(n) : 0; /* 0: longer than any stamp */
        uint64_t fraction = unit ? stamp % unit : stamp;
        seconds = unit ? stamp / unit : 0;
        ns = n <= 9u         ? fraction * power_of_ten(9u - n)
             : n - 9u <= 19u ? fraction / power_of_ten(n - 9u)
                             : 0;
    }
    if (i->offset_s < 0) {
        uint64_t back = 0 - (uint64_t)i->offset_s;
        if (seconds < back) {
            return false;
        }
        seconds -= back;
    } else if (seconds > MAX_SECONDS || (uint64_t)i->offset_s > MAX_SECONDS) {
        return false;
    } else {
        seconds += (uint64_t)i->offset_s;
    }
    *now = seconds * NS_PER_S + ns;
    return seconds <= MAX_SECONDS;
}

/* An option of a block; 1, 0 at their end, or an error. */
struct option {
    uint32_t code;
    uint32_t length;
    const uint8_t *value;
};

static int next_option(struct egret_capture *c, const uint8_t **at, const uint8_t *end,
                       struct option *o)
{
    if (end - *at < 4) {
        return 0;
    }
    o->code = capture_u16(c, *at);
    o->length = capture_u16(c, *at + 2);
    o->value = *at + 4;
    uint32_t padded = (o->length + 3u) & ~3u;
    if (o->code == OPTION_END) {
        return 0;
    }
    if ((size_t)(end - o->value) < padded) {
        return egret_capture_bad(c, "option %" PRIu32 " of %" PRIu32 " bytes is beyond its block",
                                 o->code, o->length);
    }
    *at = o->value + padded;
    return 1;
}

static int interface_block(struct egret_capture *c, const uint8_t *body, size_t n)
{
    struct option o;
    int got;
    if (n < 8u) {
        return egret_capture_bad(c, "interface block of %zu bytes", n);
    }
    struct capture_interface *i = egret_capture_interface(c);
    if (!i) {
        return c->code;
    }
    i->link_type = capture_u16(c, body);
    i->snap = capture_u32(c, body + 4);
    const uint8_t *at = body + 8;
    while ((got = next_option(c, &at, body + n, &o)) > 0) {
        if (o.code == OPTION_TSRESOL && o.length == 1u) {
            i->resolution = o.value[0];
        } else if (o.code == OPTION_FCSLEN && o.length == 1u) {
            /* Bits by the specification, bytes as some programs write it. */
            i->fcs = o.value[0] >= 16u ? o.value[0] / 8u : o.value[0];
        } else if (o.code == OPTION_TSOFFSET && o.length == 8u) {
            uint64_t first = capture_u32(c, o.value);
            uint64_t second = capture_u32(c, o.value + 4);
            uint64_t v = c->big_endian ? first << 32 | second : second << 32 | first;
            i->offset_s = v <= INT64_MAX ? (int64_t)v : -(int64_t)(UINT64_MAX - v) - 1;
        }
    }
    return got;
}

/* Enhanced packet blocks, and the obsolete ones: 20 bytes of header each. */
static int packet_block(struct egret_capture *c, uint32_t type, uint8_t *body, size_t n,
                        struct capture_record *r)
{
    if (n < 20u) {
        return egret_capture_bad(c, "packet block of %zu bytes", n);
    }
    uint32_t index = type == BLOCK_PACKET ? capture_u16(c, body) : capture_u32(c, body);
    r->incl_len = capture_u32(c, body + 12);
    r->orig_len = capture_u32(c, body + 16);
    if (index >= c->interfaces) {
        return egret_capture_bad(c, "interface %" PRIu32 ", but the section has %zu of them", index,
                                 c->interfaces);
    }
    if (r->incl_len > n - 20u || r->incl_len > EGRET_CAPTURE_MAX_SNAP) {
        return egret_capture_bad(c, "captured length %" PRIu32 " is beyond its block or %u",
                                 r->incl_len, EGRET_CAPTURE_MAX_SNAP);
    }
    const struct capture_interface *i = &c->interface[index];
    uint64_t stamp = (uint64_t)capture_u32(c, body + 4) << 32 | capture_u32(c, body + 8);
    if (!to_ns(i, stamp, &r->now)) {
        return egret_capture_bad(c, "time stamp before 1970, or 2^32 seconds or more");
    }
    r->timed = true;
    r->bytes = body + 20;
    r->link_type = i->link_type;
    r->fcs = i->fcs;
    size_t skip = 20u + (((size_t)r->incl_len + 3u) & ~(size_t)3u);
    const uint8_t *at = body + (skip < n ? skip : n);
    struct option o;
    int got;
    while ((got = next_option(c, &at, body + n, &o)) > 0) {
        uint32_t fcs =
            o.code == OPTION_FLAGS && o.length == 4u ? capture_u32(c, o.value) >> 5 & 15u : 0;
        r->fcs = fcs ? fcs : r->fcs;
    }
    return got < 0 ? got : 1;
}

static int simple_block(struct egret_capture *c, uint8_t *body, size_t n, struct capture_record *r)
{
    if (n < 4u || c->interfaces == 0) {
        return egret_capture_bad(c, "simple packet block %s",
                                 n < 4u ? "without a length" : "before an interface block");
    }
    const struct capture_interface *i = &c->interface[0];
    r->orig_len = capture_u32(c, body);
    r->incl_len = i->snap && i->snap < r->orig_len ? i->snap : r->orig_len;
    if (r->incl_len > n - 4u || r->incl_len > EGRET_CAPTURE_MAX_SNAP) {
        return egret_capture_bad(c, "length %" PRIu32 " is beyond its block or %u", r->incl_len,
                                 EGRET_CAPTURE_MAX_SNAP);
    }
    r->bytes = body + 4;
    r->link_type = i->link_type;
    r->fcs = i->fcs;
    return 1;
}

/* Byte order from the magic of a section; its interfaces are numbered anew. */
static int section_start(struct egret_capture *c, const uint8_t *magic)
{
    if (get_le32(magic) != BYTE_ORDER_MAGIC && get_be32(magic) != BYTE_ORDER_MAGIC) {
        return egret_capture_bad(c, "section without its byte-order magic");
    }
    c->big_endian = get_be32(magic) == BYTE_ORDER_MAGIC;
    c->interfaces = 0;
    c->counts.sections++;
    return EGRET_OK;
}

static int skip_body(struct egret_capture *c, size_t n)
{
    while (n > 0) {
        size_t part = n < c->room ? n : c->room;
        if (egret_capture_take(c, c->body, part) < part) {
            return egret_capture_short(c, "a block");
        }
        n -= part;
    }
    return EGRET_OK;
}

static int check_section(struct egret_capture *c, const uint8_t *head, size_t body)
{
    if (body < 16u) {
        return egret_capture_bad(c, "section block of %zu bytes", body + 12u);
    }
    if (capture_u16(c, head + 12) != 1u) {
        return egret_capture_bad(c, "pcapng version %u, not 1", capture_u16(c, head + 12));
    }
    return EGRET_OK;
}

/* Type, length, and of a section the magic and the version: n bytes, 0 at the end of the file. */
static int block_head(struct egret_capture *c, uint8_t head[16], size_t *n)
{
    size_t have = 0;
    if (c->counts.sections == 0) { /* the type was read as the file's magic */
        put_be32(head, PCAPNG_MAGIC);
        c->record_offset = 0;
        have = 4;
    }
    size_t got = have + egret_capture_take(c, head + have, 8u - have);
    if (got == 0 && !ferror(c->stream)) {
        return 0;
    }
    *n = 8;
    if (got < 8u) {
        return egret_capture_short(c, "a block's header");
    }
    if (get_be32(head) == PCAPNG_MAGIC) {
        if (egret_capture_take(c, head + 8, 8) < 8u) {
            return egret_capture_short(c, "a section block");
        }
        *n = 16;
        int code = section_start(c, head + 8);
        return code ? code : 1;
    }
    return 1;
}

int egret_capture_ng_next(struct egret_capture *c, struct capture_record *r)
{
    for (;;) {
        uint8_t head[16];
        uint8_t tail[4];
        size_t n = 0;
        c->record_offset = c->offset;
        int code = block_head(c, head, &n);
        if (code <= 0) {
            return code;
        }
        uint32_t type = capture_u32(c, head);
        uint32_t total = capture_u32(c, head + 4);
        if (total < 12u || total % 4u != 0) {
            return egret_capture_bad(c, "block of %" PRIu32 " bytes", total);
        }
        size_t body = total - 12u;
        bool wanted = type == BLOCK_INTERFACE || type == BLOCK_PACKET || type == BLOCK_SIMPLE ||
                      type == BLOCK_ENHANCED;
        if (type == PCAPNG_MAGIC) {
            code = check_section(c, head, body);
            code = code ? code : skip_body(c, body - 8u);
        } else if (!wanted) {
            code = skip_body(c, body);
        } else if (body > CAPTURE_BODY_MAX) {
            code = egret_capture_bad(c, "block of %" PRIu32 " bytes, beyond %u", total,
                                     CAPTURE_BODY_MAX);
        } else {
            code = egret_capture_fill(c, body, "a block");
        }
        if (code) {
            return code;
        }
        uint8_t *to = c->body + CAPTURE_HEAD_ROOM;
        if (egret_capture_take(c, tail, 4) < 4u) {
            return egret_capture_short(c, "a block");
        }
        if (capture_u32(c, tail) != total) {
            return egret_capture_bad(c, "block of %" PRIu32 " bytes ends with length %" PRIu32,
                                     total, capture_u32(c, tail));
        }
        if (type == BLOCK_INTERFACE) {
            code = interface_block(c, to, body);
        } else if (type == BLOCK_SIMPLE) {
            code = simple_block(c, to, body, r);
        } else if (wanted) {
            code = packet_block(c, type, to, body, r);
        }
        if (code) {
            return code;
        }
    }
}
