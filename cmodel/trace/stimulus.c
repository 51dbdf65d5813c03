/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stimulus.c: reads a stimulus record by record, checks it strictly, routes its packets.
 *
 * Memory: one frame buffer and the front end's tables, whatever the file's length. A length is
 * checked before a byte of the frame is read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/trace.h"
#include "egret/trace_front.h"
#include "internal.h"

struct egret_stimulus {
    FILE *stream;
    char *path;
    bool big_endian;
    bool ended; /* no further record: end or error */
    int code;   /* what every further call gives */
    struct egret_trace_error error;
    uint64_t offset; /* of the next byte */
    uint64_t record_offset;
    uint64_t events;
    uint64_t packets;
    uint64_t unrouted;
    uint64_t now;
    uint32_t incl_len;
    uint32_t orig_len;
    struct egret_front *front;
    uint8_t bytes[EGRET_FRAME_MAX_BYTES];
};

static uint32_t word(const struct egret_stimulus *s, const uint8_t *p)
{
    return s->big_endian ? get_be32(p) : get_le32(p);
}

static uint32_t half(const struct egret_stimulus *s, const uint8_t *p)
{
    return s->big_endian ? get_be16(p) : (uint32_t)p[1] << 8 | p[0];
}

static size_t take(struct egret_stimulus *s, uint8_t *to, size_t n)
{
    size_t got = fread(to, 1, n, s->stream);
    s->offset += got;
    return got;
}

/* Ends the stream with an error about the current record. */
static int bad_record(struct egret_stimulus *s, const char *reason)
{
    s->ended = true;
    s->code = egret_trace_fail(&s->error, EGRET_ERR_EVENT, "%s: record %llu, offset %llu: %s",
                               s->path, (unsigned long long)s->events,
                               (unsigned long long)s->record_offset, reason);
    return s->code;
}

static int read_error(struct egret_stimulus *s, const char *if_short)
{
    return bad_record(s, ferror(s->stream) ? strerror(errno) : if_short);
}

static int check_header(struct egret_stimulus *s, struct egret_trace_error *err)
{
    uint8_t h[PCAP_HEADER_BYTES];
    size_t got = take(s, h, sizeof h);
    if (got == 0 && ferror(s->stream)) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", s->path, strerror(errno));
    }
    const char *reason = NULL;
    uint32_t magic = got >= 4 ? get_le32(h) : 0;
    if (got < 4) {
        reason = "file too short for a pcap header";
    } else if (magic == PCAP_MAGIC_NS || get_be32(h) == PCAP_MAGIC_NS) {
        s->big_endian = magic != PCAP_MAGIC_NS;
        if (got < sizeof h) {
            reason = "file too short for a pcap header";
        } else if (half(s, h + 4) != 2 || half(s, h + 6) != 4) {
            reason = "not pcap version 2.4";
        } else if ((word(s, h + 20) & PCAP_LINKTYPE_BITS) != LINKTYPE_ETHERNET) {
            reason = "link type is not Ethernet (1)";
        }
    } else if (magic == PCAP_MAGIC_US || get_be32(h) == PCAP_MAGIC_US) {
        reason = "pcap with microsecond time stamps; a stimulus has nanosecond ones (magic "
                 "0xa1b23c4d; convert with: editcap -F nsecpcap)";
    } else if (magic == PCAPNG_MAGIC) {
        reason = "pcapng; a stimulus is a nanosecond pcap (convert with: editcap -F nsecpcap)";
    } else {
        reason = "no pcap magic";
    }
    if (reason) {
        return egret_trace_fail(err, EGRET_ERR_EVENT, "%s: header, offset 0: %s", s->path, reason);
    }
    return EGRET_OK;
}

int egret_stimulus_open(const char *path, struct egret_stimulus **out,
                        struct egret_trace_error *err)
{
    struct egret_stimulus *s = calloc(1, sizeof *s);
    if (!s) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    bool is_std = strcmp(path, "-") == 0;
    int code = EGRET_OK;
    s->path = malloc(strlen(path) + 1u);
    if (!s->path || egret_front_create(&s->front) != EGRET_OK) {
        code = egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    } else {
        strcpy(s->path, path);
        s->stream = is_std ? stdin : fopen(path, "rb");
        if (!s->stream) {
            code = egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, strerror(errno));
        } else {
            code = check_header(s, err);
        }
    }
    if (code) {
        egret_stimulus_close(s);
        return code;
    }
    *out = s;
    return EGRET_OK;
}

/* Reads one record into the handle. 1, 0 at the end, or an error. */
static int next_record(struct egret_stimulus *s)
{
    uint8_t h[PCAP_RECORD_BYTES];
    s->record_offset = s->offset;
    size_t got = take(s, h, sizeof h);
    if (got == 0 && !ferror(s->stream)) {
        return 0;
    }
    if (got < sizeof h) {
        return read_error(s, "record header cut short");
    }
    uint32_t nanoseconds = word(s, h + 4);
    uint32_t incl = word(s, h + 8);
    uint32_t orig = word(s, h + 12);
    if (nanoseconds >= NS_PER_S) {
        return bad_record(s, "time stamp of a second or more in nanoseconds");
    }
    if (orig > EGRET_FRAME_MAX_BYTES) {
        return bad_record(s, "original length beyond 65535");
    }
    if (incl > orig) {
        return bad_record(s, "captured length beyond the original length");
    }
    if (incl < 14u) {
        return bad_record(s, "shorter than an Ethernet header");
    }
    s->now = (uint64_t)word(s, h) * NS_PER_S + nanoseconds;
    s->incl_len = incl;
    s->orig_len = orig;
    if (take(s, s->bytes, incl) < incl) {
        return read_error(s, "frame cut short");
    }
    return 1;
}

static int finish(struct egret_stimulus *s)
{
    s->ended = true;
    if (s->packets == 0) {
        s->code = egret_trace_fail(&s->error, EGRET_ERR_EVENT,
                                   "%s: record %llu, offset %llu: end of a stimulus without a "
                                   "packet",
                                   s->path, (unsigned long long)s->events,
                                   (unsigned long long)s->record_offset);
    }
    return s->code;
}

static int read_event(struct egret_stimulus *s, struct egret_event *ev)
{
    int got = next_record(s);
    if (got <= 0) {
        return got < 0 ? got : finish(s);
    }
    struct egret_event e;
    memset(&e, 0, sizeof e);
    e.now = s->now;
    if (egret_event_is(s->bytes, s->incl_len)) {
        const char *why = "";
        if (egret_event_decode(s->bytes, s->incl_len, s->orig_len, &e, &why)) {
            return bad_record(s, why);
        }
        if (e.kind == EGRET_EV_WRITE || e.kind == EGRET_EV_FAULT) {
            (void)egret_front_write(s->front, e.addr, e.data);
        }
    } else {
        struct egret_parsed parsed;
        if (egret_parse(s->bytes, s->incl_len, s->orig_len, &parsed)) {
            return bad_record(s, "captured bytes end inside the headers");
        }
        e.kind = EGRET_EV_PACKET;
        e.tag = (uint32_t)s->packets++;
        s->unrouted += !egret_front_resolve(s->front, &parsed, s->orig_len, &e);
    }
    s->events++;
    *ev = e;
    return 1;
}

int egret_stimulus_next(struct egret_stimulus *s, struct egret_event *ev,
                        struct egret_trace_error *err)
{
    int got = s->ended ? s->code : read_event(s, ev);
    if (got < 0 && err) {
        *err = s->error;
    }
    return got;
}

void egret_stimulus_close(struct egret_stimulus *s)
{
    if (!s) {
        return;
    }
    if (s->stream && s->stream != stdin) {
        (void)fclose(s->stream);
    }
    egret_front_destroy(s->front);
    free(s->path);
    free(s);
}

void egret_stimulus_frame(const struct egret_stimulus *s, struct egret_frame_view *out)
{
    out->bytes = s->bytes;
    out->incl_len = s->incl_len;
    out->orig_len = s->orig_len;
    out->now = s->now;
    out->event = s->events - 1u;
    out->offset = s->record_offset;
}

uint64_t egret_stimulus_events(const struct egret_stimulus *s)
{
    return s->events;
}

uint64_t egret_stimulus_packets(const struct egret_stimulus *s)
{
    return s->packets;
}

uint64_t egret_stimulus_unrouted(const struct egret_stimulus *s)
{
    return s->unrouted;
}

uint64_t egret_stimulus_front_ignored(const struct egret_stimulus *s)
{
    return egret_front_ignored(s->front);
}
