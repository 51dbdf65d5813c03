/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture_refusals.c: captures with one thing wrong or unusual, in each header, block and
 * option; files that cannot be read, memory that runs out at each call in turn. What is
 * wanted follows from the formats' public descriptions (docs/import.md, section 6). Links with
 * --wrap.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <unistd.h>

#include "trace_broken.h"
#include "trace_capture_read.h"
#include "trace_memory.h"

/* The C library's own calls for memory are not wrapped. */
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);
char *__wrap_strdup(const char *s)
{
    return memory_out() ? NULL : __real_strdup(s);
}

static bool no_open;
int __real_open(const char *name, int flags, ...);
int __wrap_open(const char *name, int flags, ...);
int __wrap_open(const char *name, int flags, ...)
{
    errno = EACCES;
    return no_open ? -1 : __real_open(name, flags);
}

/* ---- pcapng ---- */

static void ng_start(bool big)
{
    f.size = 0;
    ng_section(&f, big);
}

/* A block with so many bytes of 0 as its body. */
static void ng_empty(uint32_t type, size_t body)
{
    block_start(&f, type);
    memset(f.bytes + f.size, 0, body);
    f.size += body;
    block_end(&f);
}

/* What the specification of pcapng wants of a block, taken away. */
static void blocks(void)
{
    static const struct {
        uint32_t type;
        size_t body;
        const char *text;
    } shortest[] = {
        {1, 4, "interface block of 4 bytes"},
        {2, 16, "packet block of 16 bytes"},
        {6, 16, "packet block of 16 bytes"},
        {3, 0, "simple packet block without a length"},
    };
    for (unsigned big = 0; big < 2u; big++) {
        for (size_t i = 0; i < 4u; i++) {
            ng_start(big);
            ng_interface(&f, 1, 0, 0, 0, 0);
            ng_empty(shortest[i].type, shortest[i].body);
            refuses(shortest[i].text);
        }
        ng_start(big); /* longer than any block that is looked into; its body is not there */
        block_start(&f, 6);
        f.size = f.block + 4u;
        put32(&f, 524320);
        refuses("byte 28: block of 524320 bytes, beyond 524288");
        ng_start(big); /* one that is passed over may be longer */
        block_start(&f, 5);
        f.size = f.block + 4u;
        put32(&f, 524320);
        refuses("byte 28: the file ends inside a block");
        f.size = f.block + 6u;
        refuses("byte 28: the file ends inside a block's header");
        ng_start(big);
        ng_empty(5, 100000); /* longer than the room for a body */
        ng_interface(&f, 1, 0, 0, 0, 0);
        ng_packet(&f, 0, 1, frame, length, length, 0);
        holds("a long block that is passed over", 1, 0, 0);
        f.size = f.block - 2u; /* in the middle of the length at the end of the one before */
        refuses("the file ends inside a block");
        ng_start(big);
        block_start(&f, 77);
        block_end(&f);
        f.bytes[f.block + (big ? 7u : 4u)] = 14; /* no multiple of 4 */
        refuses("byte 28: block of 14 bytes");
        /* Sections: magic, length, version. */
        ng_start(big);
        f.bytes[9] ^= 0x40;
        refuses("byte 0: section without its byte-order magic");
        ng_start(big);
        f.bytes[big ? 7 : 4] = 24;
        refuses("byte 0: section block of 24 bytes");
        ng_start(big);
        f.bytes[big ? 13 : 12] = 2;
        refuses("byte 0: pcapng version 2, not 1");
        ng_start(big);
        f.size = 14;
        refuses("byte 0: the file ends inside a section block");
        f.size = 6;
        refuses("byte 0: the file ends inside a block's header");
    }
}

/* All of a block's bytes are there, but one more than a frame may have. */
static void longest(bool big, bool simple)
{
    static const uint8_t zeros[EGRET_CAPTURE_MAX_SNAP + 4u];
    struct egret_trace_error err = {""};
    struct egret_capture_counts n;
    uint32_t total = (simple ? 16u : 32u) + (uint32_t)sizeof zeros;
    ng_start(big);
    ng_interface(&f, 1, 0, 0, 0, 0);
    put32(&f, simple ? 3 : 6);
    put32(&f, total);
    for (unsigned i = 0; i < 3u && !simple; i++) {
        put32(&f, 0);
    }
    put32(&f, EGRET_CAPTURE_MAX_SNAP + 1u);
    if (!simple) {
        put32(&f, EGRET_CAPTURE_MAX_SNAP + 1u);
    }
    image_save(&f, f.size, path);
    f.size = 0;
    put32(&f, total);
    FILE *file = fopen(path, "ab");
    CHECK(&t, file && fwrite(zeros, sizeof zeros, 1, file) == 1 &&
                  fwrite(f.bytes, 4, 1, file) == 1 && fclose(file) == 0);
    CHECK(&t, read_all(&n, &err) == EGRET_ERR_EVENT &&
                  strstr(err.text, "ength 262145 is beyond its block or 262144"));
}

/* Options whose length is not theirs say nothing; those beyond their block are an error. */
static void options(void)
{
    struct egret_trace_error err;
    struct egret_capture_frame g;
    struct egret_capture *c = NULL;
    uint8_t with_fcs[sizeof frame];
    memset(with_fcs, 0, sizeof with_fcs);
    memcpy(with_fcs, frame, length);
    for (unsigned big = 0; big < 2u; big++) {
        ng_start(big);
        block_start(&f, 1);
        put16(&f, 1);
        put16(&f, 0);
        put32(&f, 0);
        ng_option(&f, 9, 0x0909, 2); /* if_tsresol has one byte, if_fcslen one, if_tsoffset 8 */
        ng_option(&f, 13, 0x0404, 2);
        ng_option(&f, 14, 77, 4);
        block_end(&f); /* and no end of options */
        block_start(&f, 6);
        put32(&f, 0);
        put32(&f, 0);
        put32(&f, 5);
        put32(&f, length);
        put32(&f, length);
        put(&f, frame, length);
        f.size = (f.size + 3u) & ~(size_t)3u;
        ng_option(&f, 2, 4u << 5, 2); /* epb_flags has four */
        ng_option(&f, 4, 0, 8);       /* epb_dropcount */
        ng_option(&f, 2, 0, 4);       /* flags that know of no FCS */
        block_end(&f);
        image_save(&f, f.size, path);
        bool good = egret_capture_open(path, &c, &err) == EGRET_OK;
        good = good && egret_capture_next(c, &g, &err) == 1 && g.now == 5000u &&
               g.orig_len == length && g.incl_len == length;
        CHECK(&t, good && egret_capture_next(c, &g, &err) == 0);
        egret_capture_close(c);
        c = NULL;
        /* if_fcslen of 32 bits, as the specification says, is 4 bytes. */
        ng_start(big);
        ng_interface(&f, 1, 0, 0, 32, 0);
        ng_packet(&f, 0, 5, with_fcs, length + 4u, length + 4u, 0);
        image_save(&f, f.size, path);
        good = egret_capture_open(path, &c, &err) == EGRET_OK;
        CHECK(&t, good && egret_capture_next(c, &g, &err) == 1 && g.orig_len == length);
        egret_capture_close(c);
        c = NULL;
        ng_start(big);
        ng_interface(&f, 1, 0, 0, 0, 0);
        f.bytes[f.size - 8u] = f.bytes[f.size - 7u] = 1; /* the end of options is another code .. */
        f.bytes[f.size - (big ? 5u : 6u)] = 9;           /* .. of 9 bytes */
        refuses("byte 28: option 257 of 9 bytes is beyond its block");
        ng_start(big);
        ng_interface(&f, 1, 0, 0, 0, 0);
        size_t at = f.size;
        ng_packet(&f, 0, 5, frame, length, length, 4u << 5);
        f.bytes[f.size - 16u + (big ? 3u : 2u)] = 60; /* the length of epb_flags */
        refuses("option 2 of 60 bytes is beyond its block");
        /* The captured length against its block and against the most there is. */
        for (uint32_t bad = length + 4u; bad < 0xfffffff0u; bad = bad < 300000u ? 300000u : ~15u) {
            f.size = at;
            ng_packet(&f, 0, 5, frame, length, length, 0);
            size_t end = f.size;
            f.size = f.block + 20u;
            put32(&f, bad);
            put32(&f, bad);
            f.size = end;
            refuses("is beyond its block or 262144");
            f.size = at;
            ng_simple(&f, frame, length, bad);
            refuses("is beyond its block or 262144");
        }
        longest(big, false);
        longest(big, true);
    }
    /* Time: an offset before the stamp, one beyond what a stimulus holds, and a stamp that is. */
    static const struct {
        uint64_t stamp;
        int64_t offset;
        bool good;
    } times[] = {
        {0, -1, false},
        {1000000, -1, true},
        {0, 4294967295, true},
        {0, 4294967296, false},
        {4294967295000000, 0, true},
        {4294967296000000, 0, false},
        {4294967297000000, -2, true},
        {4294967297000000, -1, false},
        {0, INT64_MIN, false},
        {0, INT64_MAX, false},
    };
    for (size_t i = 0; i < 2u * sizeof times / sizeof times[0]; i++) {
        ng_start(i % 2u != 0);
        ng_interface(&f, 1, 0, 0, 0, times[i / 2u].offset);
        ng_packet(&f, 0, times[i / 2u].stamp, frame, length, length, 0);
        if (times[i / 2u].good) {
            holds("time", 1, 0, 0);
        } else {
            refuses("time stamp before 1970, or 2^32 seconds or more");
        }
    }
}

/* More interfaces than there is room for at first: each keeps its own. */
static void interfaces(void)
{
    struct egret_trace_error err;
    struct egret_capture_frame g;
    struct egret_capture *c;
    ng_start(true);
    for (uint32_t i = 0; i < 20u; i++) {
        ng_interface(&f, 1, 0, 0x80u + i, 0, 0); /* units of 2^-i seconds */
    }
    for (uint32_t i = 0; i < 20u; i++) {
        ng_packet(&f, i, 3u << i, frame, length, length, 0);
    }
    image_save(&f, f.size, path);
    CHECK(&t, egret_capture_open(path, &c, &err) == EGRET_OK);
    for (uint32_t i = 0; i < 20u; i++) {
        CHECK(&t, egret_capture_next(c, &g, &err) == 1 && g.now == 3000000000u);
    }
    CHECK(&t, egret_capture_next(c, &g, &err) == 0 && egret_capture_counts(c)->interfaces == 20);
    egret_capture_close(c);
}

/* ---- what cannot be read ---- */

static void ng_file(void)
{
    ng_start(false);
    ng_empty(5, 40);
    for (unsigned i = 0; i < 6u; i++) {
        ng_interface(&f, 1, 0, 0, 0, 0);
    }
    uint8_t b[20000] = {0}; /* longer than the room at first */
    memcpy(b, frame, length);
    ng_packet(&f, 5, 1, b, sizeof b, sizeof b, 0);
}

/* A read error at each byte: the system's text, where the end of the file would be named; at the
 * end of a block both are the end. */
static void read_errors(void)
{
    for (unsigned ng = 0; ng < 2u; ng++) {
        size_t bad = 0;
        if (ng) {
            ng_start(false);
            ng_empty(5, 8);
            ng_interface(&f, 1, 0, 0, 0, 0);
            ng_packet(&f, 0, 1, frame, length, length, 0);
        } else {
            pcap_start(&f, false, true, 1);
            pcap_record(&f, 1, 0, frame, length, length);
        }
        for (size_t n = 0; n <= f.size; n++) {
            struct egret_trace_error err = {""};
            struct egret_capture_counts counts;
            image_save(&f, n, path);
            broken = true;
            int code = read_all(&counts, &err);
            broken = false;
            bool good = code == EGRET_ERR_EVENT && strstr(err.text, ": byte ") &&
                        strstr(err.text, strerror(EIO));
            if (!good && bad++ == 0) {
                printf("  ng %u, %zu bytes: %d '%s'\n", ng, n, code, err.text);
            }
        }
        CHECK(&t, bad == 0);
    }
}

static void no_memory(void)
{
    struct egret_trace_error err = {""};
    struct egret_capture_counts n;
    for (unsigned ng = 0; ng < 2u; ng++) {
        ng_file();
        if (!ng) {
            pcap_start(&f, false, true, 1);
            pcap_record(&f, 1, 0, frame, length, length);
        }
        image_save(&f, f.size, path);
        CHECK(&t, read_all(&n, &err) == 1);
        unsigned refused = 0;
        for (unsigned long k = 1;; k++) {
            err.text[0] = '\0';
            fail_at = k;
            int code = read_all(&n, &err);
            bool all = fail_at != 0;
            fail_at = 0;
            if (all) {
                CHECK(&t, code == 1);
                break;
            }
            refused++;
            if (!CHECK(&t, (code == EGRET_ERR_MEMORY && strstr(err.text, ": out of memory")) ||
                               code == 1)) {
                printf("  call %lu: %d '%s'\n", k, code, err.text);
            }
        }
        CHECK(&t, refused >= (ng ? 6u : 4u));
    }
    fail_at = 1; /* the caller need not take the text */
    struct egret_capture *c;
    CHECK(&t, egret_capture_open(path, &c, NULL) == EGRET_ERR_MEMORY);
    fail_at = 0;
}

/* What is no capture, or none that may be read; a stimulus of ours is another format. */
static void recognised(void)
{
    struct egret_capture *c;
    struct egret_capture_frame g;
    pcap_start(&f, true, true, 1);
    pcap_record(&f, 1, 0, frame, length, length);
    f.size--;
    image_save(&f, f.size, path);
    CHECK(&t, egret_capture_is(path) && !egret_capture_is("tb/traces/edge_dr.pcap"));
    no_open = true;
    CHECK(&t, !egret_capture_is(path));
    no_open = false;
    /* The caller need not take the text. */
    CHECK(&t, egret_capture_open(path, &c, NULL) == EGRET_OK);
    CHECK(&t, egret_capture_next(c, &g, NULL) == EGRET_ERR_EVENT);
    egret_capture_close(c);
    f.bytes[5] = 3;
    refuses("byte 0: pcap version 3.4, not 2.4");
    f.bytes[5] = 2;
    f.bytes[7] = 0;
    refuses("byte 0: pcap version 2.0, not 2.4");
    CHECK(&t, egret_capture_open(path, &c, NULL) == EGRET_ERR_EVENT);
}

/* Is standard input a capture? A file, from where it stands; nothing is read of it. */
static void standard_input(void)
{
    struct egret_capture *c;
    struct egret_capture_frame g;
    pcap_start(&f, false, true, 1);
    pcap_record(&f, 1, 0, frame, length, length);
    image_save(&f, f.size, path);
    if (!CHECK(&t, freopen(path, "rb", stdin) != NULL)) {
        return;
    }
    CHECK(&t, egret_capture_is("-") && egret_capture_is("-"));
    CHECK(&t, lseek(STDIN_FILENO, 4, SEEK_SET) == 4 && !egret_capture_is("-"));
    CHECK(&t, lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
    CHECK(&t, egret_capture_open("-", &c, NULL) == EGRET_OK);
    CHECK(&t, egret_capture_next(c, &g, NULL) == 1 && egret_capture_next(c, &g, NULL) == 0);
    egret_capture_close(c);
    CHECK(&t, !ferror(stdin)); /* and it is still open */
    CHECK(&t, close(STDIN_FILENO) == 0 && !egret_capture_is("-"));
}

int main(void)
{
    trace_scratch(path, sizeof path, "trace_capture_refusals.tmp");
    length = roce_frame(frame, 1, 2, 0x0a, 1, 1, 64, 0, 64);
    blocks();
    options();
    interfaces();
    read_errors();
    no_memory();
    recognised();
    standard_input();
    (void)remove(path);
    return trace_result(&t);
}
