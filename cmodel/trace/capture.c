/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture.c: reads a capture frame by frame: pcap here, the blocks of pcapng in capture_ng.c.
 *
 * A length is checked before a byte is read into memory. An own reader, not libpcap: that one
 * refuses pcapng files whose interfaces differ in link type, knows no place in the file for its
 * messages, and would be one more library to link.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture_input.h"
#include "egret/import.h"

#define PCAP_FCS_GIVEN 0x04000000u /* the top four bits count its 16-bit words */
#define US_PER_S 1000000u
/* Of a body at first: a jumbo frame. */
#define FIRST_ROOM 16384u

static bool is_magic(const uint8_t *p)
{
    uint32_t le = get_le32(p);
    uint32_t be = get_be32(p);
    return le == PCAP_MAGIC_NS || le == PCAP_MAGIC_US || be == PCAP_MAGIC_NS ||
           be == PCAP_MAGIC_US || le == PCAPNG_MAGIC;
}

bool egret_capture_is(const char *path)
{
    struct stat st;
    uint8_t head[512];
    bool is_std = strcmp(path, "-") == 0;
    if ((is_std ? fstat(STDIN_FILENO, &st) : stat(path, &st)) != 0 || !S_ISREG(st.st_mode)) {
        return false;
    }
    int fd = is_std ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    off_t at = is_std ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t n = pread(fd, head, sizeof head, at);
    bool good = n >= 4 && is_magic(head) &&
                egret_format_recognise(head, (size_t)n) != EGRET_FORMAT_STIMULUS;
    if (!is_std) {
        (void)close(fd);
    }
    return good;
}

size_t egret_capture_take(struct egret_capture *c, uint8_t *to, size_t n)
{
    size_t got = fread(to, 1, n, c->stream);
    c->offset += got;
    c->counts.bytes = c->offset;
    return got;
}

int egret_capture_bad(struct egret_capture *c, const char *format, ...)
{
    char reason[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    c->ended = true;
    c->code = egret_trace_fail(&c->error, EGRET_ERR_EVENT, "%s: byte %" PRIu64 ": %s", c->path,
                               c->record_offset, reason);
    return c->code;
}

static int out_of_memory(struct egret_capture *c)
{
    c->ended = true;
    c->code = egret_trace_fail(&c->error, EGRET_ERR_MEMORY, "%s: out of memory", c->path);
    return c->code;
}

int egret_capture_short(struct egret_capture *c, const char *what)
{
    return ferror(c->stream) ? egret_capture_bad(c, "%s", strerror(errno))
                             : egret_capture_bad(c, "the file ends inside %s", what);
}

int egret_capture_fill(struct egret_capture *c, size_t n, const char *what)
{
    size_t have = 0;
    do {
        size_t space = c->room - CAPTURE_HEAD_ROOM - have;
        if (space == 0) {
            uint8_t *more = realloc(c->body, 2u * c->room);
            if (!more) {
                return out_of_memory(c);
            }
            c->body = more;
            c->room *= 2u;
            space = c->room - CAPTURE_HEAD_ROOM - have;
        }
        size_t part = n - have < space ? n - have : space;
        if (egret_capture_take(c, c->body + CAPTURE_HEAD_ROOM + have, part) < part) {
            return egret_capture_short(c, what);
        }
        have += part;
    } while (have < n);
    return EGRET_OK;
}

struct capture_interface *egret_capture_interface(struct egret_capture *c)
{
    if (c->interfaces == c->interface_capacity) {
        size_t n = c->interface_capacity ? 2u * c->interface_capacity : 4u;
        struct capture_interface *more =
            n > SIZE_MAX / sizeof *more ? NULL : realloc(c->interface, n * sizeof *more);
        if (!more) {
            (void)out_of_memory(c);
            return NULL;
        }
        c->interface = more;
        c->interface_capacity = n;
    }
    struct capture_interface *i = &c->interface[c->interfaces++];
    memset(i, 0, sizeof *i);
    i->resolution = 6;
    c->counts.interfaces++;
    return i;
}

/* The rest of the header of a pcap file, behind its magic. */
static int pcap_header(struct egret_capture *c, uint32_t magic_le, uint8_t h[PCAP_HEADER_BYTES])
{
    if (egret_capture_take(c, h + 4, PCAP_HEADER_BYTES - 4u) < PCAP_HEADER_BYTES - 4u) {
        return egret_capture_short(c, "the pcap header");
    }
    c->big_endian = magic_le != PCAP_MAGIC_NS && magic_le != PCAP_MAGIC_US;
    c->nanoseconds = capture_u32(c, h) == PCAP_MAGIC_NS;
    if (capture_u16(c, h + 4) != 2u || capture_u16(c, h + 6) != 4u) {
        return egret_capture_bad(c, "pcap version %u.%u, not 2.4", capture_u16(c, h + 4),
                                 capture_u16(c, h + 6));
    }
    struct capture_interface *i = egret_capture_interface(c);
    if (!i) {
        return c->code;
    }
    uint32_t link = capture_u32(c, h + 20);
    i->link_type = link & PCAP_LINKTYPE_BITS;
    i->snap = capture_u32(c, h + 16);
    i->fcs = link & PCAP_FCS_GIVEN ? (link >> 28) * 2u : 0;
    c->counts.sections = 1;
    return EGRET_OK;
}

static int start(struct egret_capture *c)
{
    uint8_t h[PCAP_HEADER_BYTES];
    size_t got = egret_capture_take(c, h, 4);
    if (got < 4u) {
        return got == 0 && !ferror(c->stream) ? egret_capture_bad(c, "the file is empty")
                                              : egret_capture_short(c, "its first four bytes");
    }
    if (!is_magic(h)) {
        return egret_capture_bad(c, "neither pcap nor pcapng: first bytes %02x %02x %02x %02x",
                                 h[0], h[1], h[2], h[3]);
    }
    c->ng = get_le32(h) == PCAPNG_MAGIC;
    return c->ng ? EGRET_OK : pcap_header(c, get_le32(h), h);
}

int egret_capture_open(const char *path, struct egret_capture **out, struct egret_trace_error *err)
{
    struct egret_capture *c = calloc(1, sizeof *c);
    if (c) {
        c->path = strdup(path);
        c->body = malloc(FIRST_ROOM);
        c->room = FIRST_ROOM;
    }
    if (!c || !c->path || !c->body) {
        egret_capture_close(c);
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    c->stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!c->stream) {
        int code = egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, strerror(errno));
        egret_capture_close(c);
        return code;
    }
    int code = start(c);
    if (code) {
        if (err) {
            *err = c->error;
        }
        egret_capture_close(c);
        return code;
    }
    *out = c;
    return EGRET_OK;
}

static int pcap_next(struct egret_capture *c, struct capture_record *r)
{
    uint8_t h[PCAP_RECORD_BYTES];
    size_t got = egret_capture_take(c, h, sizeof h);
    if (got == 0 && !ferror(c->stream)) {
        return 0;
    }
    if (got < sizeof h) {
        return egret_capture_short(c, "a record's header");
    }
    uint32_t fraction = capture_u32(c, h + 4);
    r->incl_len = capture_u32(c, h + 8);
    r->orig_len = capture_u32(c, h + 12);
    if (fraction >= (c->nanoseconds ? NS_PER_S : US_PER_S)) {
        return egret_capture_bad(c, "time stamp of a second or more in %s",
                                 c->nanoseconds ? "nanoseconds" : "microseconds");
    }
    if (r->incl_len > EGRET_CAPTURE_MAX_SNAP) {
        return egret_capture_bad(c, "captured length %" PRIu32 " is beyond %u", r->incl_len,
                                 EGRET_CAPTURE_MAX_SNAP);
    }
    r->now = (uint64_t)capture_u32(c, h) * NS_PER_S +
             (uint64_t)fraction * (c->nanoseconds ? 1u : NS_PER_S / US_PER_S);
    r->timed = true;
    r->link_type = c->interface[0].link_type;
    r->fcs = c->interface[0].fcs;
    int code = egret_capture_fill(c, r->incl_len, "a record");
    r->bytes = c->body + CAPTURE_HEAD_ROOM;
    return code ? code : 1;
}

/* Completes *out from a record, or counts why it is left out. 1, 0 if left out, or an error. */
static int finish(struct egret_capture *c, struct capture_record *r,
                  struct egret_capture_frame *out)
{
    c->counts.records++;
    if (r->incl_len > r->orig_len) {
        return egret_capture_bad(c, "captured length %" PRIu32 " is beyond the original %" PRIu32,
                                 r->incl_len, r->orig_len);
    }
    r->orig_len -= r->fcs < r->orig_len ? r->fcs : r->orig_len;
    r->incl_len = r->incl_len < r->orig_len ? r->incl_len : r->orig_len;
    uint32_t link_type = r->link_type;
    int code = egret_capture_ethernet(r);
    if (code == EGRET_ERR_EVENT) {
        return egret_capture_bad(c, "link type %" PRIu32 " holds neither Ethernet nor IP",
                                 r->link_type);
    }
    if (code) {
        c->counts.no_frame++;
        return 0;
    }
    if (r->orig_len > EGRET_FRAME_MAX_BYTES) {
        c->counts.too_long++;
        return 0;
    }
    memset(out, 0, sizeof *out);
    out->event = egret_event_is(r->bytes, r->incl_len);
    if (!out->event && egret_parse(r->bytes, r->incl_len, r->orig_len, &out->parsed)) {
        c->counts.cut++;
        return 0;
    }
    c->counts.no_time += !r->timed;
    out->now = r->timed ? r->now : c->last_now;
    c->counts.steps_back += c->counts.frames > 0 && out->now < c->last_now;
    c->last_now = out->now;
    c->counts.truncated += r->incl_len < r->orig_len;
    c->counts.frames++;
    out->bytes = r->bytes;
    out->incl_len = r->incl_len;
    out->orig_len = r->orig_len;
    out->record = c->counts.records - 1u;
    out->offset = c->record_offset;
    out->link_type = link_type;
    return 1;
}

int egret_capture_next(struct egret_capture *c, struct egret_capture_frame *out,
                       struct egret_trace_error *err)
{
    int got = c->ended ? c->code : 0;
    while (!c->ended && got == 0) {
        struct capture_record r;
        memset(&r, 0, sizeof r);
        c->record_offset = c->offset;
        got = c->ng ? egret_capture_ng_next(c, &r) : pcap_next(c, &r);
        if (got == 0) {
            c->ended = true;
        } else if (got > 0) {
            got = finish(c, &r, out);
        }
    }
    if (got < 0 && err) {
        *err = c->error;
    }
    return got;
}

const struct egret_capture_counts *egret_capture_counts(const struct egret_capture *c)
{
    return &c->counts;
}

void egret_capture_close(struct egret_capture *c)
{
    if (!c) {
        return;
    }
    if (c->stream && c->stream != stdin) {
        (void)fclose(c->stream);
    }
    free(c->interface);
    free(c->body);
    free(c->path);
    free(c);
}
