/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_input.h: what the files of the capture reader share. Internal to the trace library.
 */
#ifndef EGRET_TRACE_CAPTURE_INPUT_H
#define EGRET_TRACE_CAPTURE_INPUT_H

#include <stdio.h>

#include "egret/capture.h"
#include "internal.h"

/* A block of pcapng that is looked into: a frame, and options of at most 64 KiB or a few. */
#define CAPTURE_BODY_MAX (EGRET_CAPTURE_MAX_SNAP + 262144u)
#define CAPTURE_HEAD_ROOM 14u /* an Ethernet header before a frame that has none */

struct capture_interface {
    uint32_t link_type;
    uint32_t snap;      /* 0: no limit */
    uint32_t fcs;       /* bytes at the end of each frame */
    uint8_t resolution; /* if_tsresol: units of 10^-n, or of 2^-n with the top bit */
    int64_t offset_s;
};

/* A packet's record before its link type is looked at. */
struct capture_record {
    uint8_t *bytes; /* CAPTURE_HEAD_ROOM bytes before it may be written */
    uint32_t incl_len;
    uint32_t orig_len;
    uint32_t link_type;
    uint32_t fcs;
    uint64_t now;
    bool timed;
};

struct egret_capture {
    FILE *stream;
    char *path;
    uint8_t *body;          /* a record's, behind CAPTURE_HEAD_ROOM bytes */
    size_t room;            /* bytes allocated for it */
    uint64_t offset;        /* of the next byte */
    uint64_t record_offset; /* of the record or block that is read */
    bool ng;
    bool big_endian;
    bool nanoseconds; /* pcap */
    bool ended;
    int code; /* what every further call gives */
    uint64_t last_now;
    struct capture_interface *interface; /* of the section; of pcap the only one */
    size_t interfaces;
    size_t interface_capacity;
    struct egret_capture_counts counts;
    struct egret_trace_error error;
};

static inline uint32_t capture_u32(const struct egret_capture *c, const uint8_t *p)
{
    return c->big_endian ? get_be32(p) : get_le32(p);
}
static inline uint32_t capture_u16(const struct egret_capture *c, const uint8_t *p)
{
    return c->big_endian ? get_be16(p) : (uint32_t)p[1] << 8 | p[0];
}

/* capture.c */
/* Reads up to n bytes; fewer at the end of the file or on an error. */
size_t egret_capture_take(struct egret_capture *c, uint8_t *to, size_t n);
/*
 * Reads n bytes (at most CAPTURE_BODY_MAX) into the body, which grows as they come: a length that
 * the file does not hold costs no memory. `what` is it that ends early. EGRET_OK or an error.
 */
int egret_capture_fill(struct egret_capture *c, size_t n, const char *what);
/* Ends the capture with an error about the record that is read. Returns the code. */
int egret_capture_bad(struct egret_capture *c, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* The same for bytes that are not there: the file ends, or cannot be read. */
int egret_capture_short(struct egret_capture *c, const char *what);
/* One more interface of the section, or null without memory. */
struct capture_interface *egret_capture_interface(struct egret_capture *c);

/* capture_ng.c: reads blocks up to the next packet. 1, 0 at the end, or an error. */
int egret_capture_ng_next(struct egret_capture *c, struct capture_record *r);

/* capture_link.c: EGRET_OK and the record as an Ethernet frame; EGRET_ERR_RANGE and why: it makes
 * no frame; EGRET_ERR_EVENT: the link type is none that holds Ethernet or IP. */
int egret_capture_ethernet(struct capture_record *r);

#endif
