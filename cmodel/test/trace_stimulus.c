/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_stimulus.c: what is written is read back; every reason to refuse a file, byte by byte.
 */
#include "egret/trace_front.h"
#include "trace_test.h"

#define MAX_FILE 4096u

struct image {
    uint8_t bytes[MAX_FILE];
    size_t size;
};

static const uint8_t header_le[24] = {0x4d, 0x3c, 0xb2, 0xa1, 2,    0,    4, 0, 0, 0, 0, 0,
                                      0,    0,    0,    0,    0xff, 0xff, 0, 0, 1, 0, 0, 0};

static void start(struct image *f)
{
    memset(f, 0, sizeof *f);
    memcpy(f->bytes, header_le, sizeof header_le);
    f->size = sizeof header_le;
}

static void le32(struct image *f, uint32_t v)
{
    for (unsigned i = 0; i < 4u; i++) {
        f->bytes[f->size++] = (uint8_t)(v >> (8u * i));
    }
}

static void record(struct image *f, uint32_t ns, const uint8_t *frame, uint32_t incl, uint32_t orig)
{
    le32(f, 5);
    le32(f, ns);
    le32(f, incl);
    le32(f, orig);
    memcpy(f->bytes + f->size, frame, incl);
    f->size += incl;
}

static void arp(struct image *f)
{
    uint8_t frame[42] = {0};
    frame[12] = 8;
    frame[13] = 6;
    record(f, 7, frame, sizeof frame, 60);
}

static void event(struct image *f, uint8_t version, uint8_t kind, const uint8_t *fields, uint32_t n,
                  uint32_t orig)
{
    uint8_t frame[64] = {0};
    frame[12] = 0x88;
    frame[13] = 0xb5;
    frame[14] = version;
    frame[15] = kind;
    memcpy(frame + 16, fields, n);
    record(f, 7, frame, 16 + n, orig);
}

static void save(const struct image *f, const char *path)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(f->bytes, 1, f->size, out) != f->size || fclose(out) != 0) {
        perror(path);
        exit(2);
    }
}

/* Reads all of it; returns the last result, with the text in err and the events in *n. */
static int read_all(const char *path, struct egret_trace_error *err, unsigned *n)
{
    struct egret_stimulus *s;
    struct egret_event ev;
    *n = 0;
    err->text[0] = '\0';
    int code = egret_stimulus_open(path, &s, err);
    if (code) {
        return code;
    }
    while ((code = egret_stimulus_next(s, &ev, err)) > 0) {
        ++*n;
    }
    struct egret_trace_error again;
    if (egret_stimulus_next(s, &ev, &again) != code) {
        code = -100; /* the end and an error must stay */
    }
    egret_stimulus_close(s);
    return code;
}

static void refuse(struct trace_test *t, const struct image *f, const char *text, unsigned events)
{
    char path[256];
    struct egret_trace_error err;
    unsigned n;
    save(f, trace_scratch(path, sizeof path, "refuse.pcap"));
    int code = read_all(path, &err, &n);
    if (!CHECK(t, code < 0 && code > -100 && strstr(err.text, text) != NULL && n == events)) {
        printf("  wanted '%s' after %u events, got %d '%s' after %u\n", text, events, code,
               err.text, n);
    }
}

static void bad_headers(struct trace_test *t)
{
    struct image f;
    start(&f);
    f.size = 0;
    refuse(t, &f, "too short for a pcap header", 0);
    start(&f);
    f.size = 23;
    refuse(t, &f, "too short for a pcap header", 0);
    start(&f);
    f.bytes[0] = 0x4e;
    refuse(t, &f, "no pcap magic", 0);
    start(&f);
    memcpy(f.bytes, "\xd4\xc3\xb2\xa1", 4);
    refuse(t, &f, "microsecond", 0);
    start(&f);
    memcpy(f.bytes, "\x0a\x0d\x0d\x0a", 4);
    refuse(t, &f, "pcapng", 0);
    start(&f);
    f.bytes[4] = 3;
    refuse(t, &f, "version", 0);
    start(&f);
    f.bytes[20] = 101;
    refuse(t, &f, "link type", 0);
    for (unsigned bit = 16; bit < 32u; bit++) { /* from 26 on: the FCS of the frames */
        char path[256];
        struct egret_trace_error err;
        unsigned n;
        start(&f);
        arp(&f);
        f.bytes[20u + bit / 8u] |= (uint8_t)(1u << bit % 8u);
        if (bit < 26u) {
            refuse(t, &f, "link type", 0);
        } else {
            save(&f, trace_scratch(path, sizeof path, "fcs.pcap"));
            CHECK(t, read_all(path, &err, &n) >= 0 && n == 1u);
        }
    }
    start(&f);
    refuse(t, &f, "record 0, offset 24: end of a stimulus without a packet", 0);
}

static void bad_records(struct trace_test *t)
{
    struct image f;
    uint8_t frame[60] = {0};
    start(&f);
    arp(&f);
    f.size -= 1;
    refuse(t, &f, "record 0, offset 24: frame cut short", 0);
    start(&f);
    arp(&f);
    f.size = 24 + 15;
    refuse(t, &f, "record 0, offset 24: record header cut short", 0);
    start(&f);
    arp(&f);
    arp(&f);
    f.size -= 41;
    refuse(t, &f, "record 1, offset 82: frame cut short", 1);
    start(&f);
    record(&f, 1000000000, frame, 60, 60);
    refuse(t, &f, "nanoseconds", 0);
    start(&f);
    record(&f, 0, frame, 13, 60);
    refuse(t, &f, "shorter than an Ethernet header", 0);
    start(&f);
    record(&f, 0, frame, 60, 59);
    refuse(t, &f, "beyond the original length", 0);
    start(&f);
    le32(&f, 0);
    le32(&f, 0);
    le32(&f, 0xffffffff);
    le32(&f, 0xffffffff);
    refuse(t, &f, "original length beyond 65535", 0);
    start(&f);
    le32(&f, 0);
    le32(&f, 0);
    le32(&f, 0x7fffffff);
    le32(&f, 60);
    refuse(t, &f, "captured length beyond", 0);
    start(&f); /* an IPv4 header that was on the wire and was not kept */
    frame[12] = 8;
    frame[14] = 0x45;
    record(&f, 0, frame, 20, 60);
    refuse(t, &f, "captured bytes end inside the headers", 0);
}

static void bad_events(struct trace_test *t)
{
    static const uint8_t zero[64] = {0};
    static const uint8_t high[8] = {1, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t two[2] = {0, 2};
    static const uint8_t sizes[7] = {0, 8, 4, 2, 5, 0, 8};
    struct image f;
    start(&f);
    event(&f, 2, 1, zero, 8, 60);
    refuse(t, &f, "unknown event version", 0);
    start(&f);
    event(&f, 1, 0, zero, 8, 60);
    refuse(t, &f, "unknown event kind", 0);
    start(&f);
    event(&f, 1, 7, zero, 8, 60);
    refuse(t, &f, "unknown event kind", 0);
    for (uint8_t kind = 1; kind <= 6; kind++) {
        start(&f);
        event(&f, 1, kind, zero, sizes[kind] + 1u, 60);
        refuse(t, &f, "wrong length", 0);
        start(&f);
        event(&f, 1, kind, zero, sizes[kind], 61);
        refuse(t, &f, "wrong length", 0);
        if (sizes[kind]) {
            start(&f);
            event(&f, 1, kind, zero, sizes[kind] - 1u, 60);
            refuse(t, &f, "wrong length", 0);
        }
    }
    start(&f);
    f.size += 0;
    uint8_t frame[60] = {0};
    frame[12] = 0x88;
    frame[13] = 0xb5;
    record(&f, 0, frame, 15, 60);
    refuse(t, &f, "shorter than its version and kind", 0);
    start(&f);
    event(&f, 1, 1, high, 8, 60);
    refuse(t, &f, "more than 24 bits", 0);
    start(&f);
    event(&f, 1, 2, high, 4, 60);
    refuse(t, &f, "more than 24 bits", 0);
    start(&f);
    event(&f, 1, 3, two, 2, 60);
    refuse(t, &f, "neither 0 nor 1", 0);
    start(&f);
    uint8_t padded[44] = {0};
    padded[43] = 1;
    event(&f, 1, 5, padded, 44, 60);
    refuse(t, &f, "padding", 0);
}

static void good_files(struct trace_test *t)
{
    char path[256];
    struct egret_trace_error err;
    unsigned n;
    uint8_t padded[44] = {0};
    struct image f;
    start(&f);
    event(&f, 1, 5, padded, 44, 60); /* as a wire delivers it */
    arp(&f);
    save(&f, trace_scratch(path, sizeof path, "good.pcap"));
    CHECK(t, read_all(path, &err, &n) == 0 && n == 2);
    /* The same file in the other byte order. */
    struct image big = f;
    static const uint8_t widths[9] = {4, 2, 2, 4, 4, 4, 4, 0, 0};
    size_t at = 0;
    for (unsigned i = 0; widths[i]; i++) {
        for (unsigned k = 0; k < widths[i]; k++) {
            big.bytes[at + k] = f.bytes[at + widths[i] - 1u - k];
        }
        at += widths[i];
    }
    while (at < f.size) {
        uint32_t incl = f.bytes[at + 8];
        for (unsigned i = 0; i < 16u; i++) {
            big.bytes[at + i] = f.bytes[at + (i & 12u) + 3u - (i & 3u)];
        }
        at += 16u + incl;
    }
    save(&big, path);
    CHECK(t, read_all(path, &err, &n) == 0 && n == 2);
    CHECK(t, read_all("build/test/none.pcap", &err, &n) < 0 && strstr(err.text, "No such file"));
}

static void round_trip(struct trace_test *t)
{
    static const struct egret_event events[] = {
        {.now = 0, .kind = EGRET_EV_WRITE, .addr = 0xffffff, .data = 0xdeadbeef},
        {.now = 999999999, .kind = EGRET_EV_READ, .addr = 0x123456},
        {.now = 1000000000, .kind = EGRET_EV_PORT, .port = 255, .up = 1},
        {.now = 5, .kind = EGRET_EV_PORT, .port = 0, .up = 0},
        {.now = 4294967295999999999u, .kind = EGRET_EV_QUEUE, .port = 63, .depth = 0xffffffff},
        {.now = 1u << 30, .kind = EGRET_EV_TICK},
        {.now = 77, .kind = EGRET_EV_FAULT, .addr = 0xffffff, .data = 0x12345678},
    };
    char path[256];
    uint8_t frame[60] = {0};
    struct egret_stimulus_writer *w;
    struct egret_stimulus *s;
    struct egret_trace_error err;
    struct egret_event ev;
    trace_scratch(path, sizeof path, "round.pcap");
    CHECK(t, egret_writer_open(path, &w, &err) == EGRET_OK);
    for (unsigned i = 0; i < 7u; i++) {
        CHECK(t, egret_writer_event(w, &events[i]) == EGRET_OK);
    }
    ev = events[0];
    ev.addr = 0x1000000;
    CHECK(t, egret_writer_event(w, &ev) == EGRET_ERR_RANGE);
    ev.kind = EGRET_EV_FAULT;
    CHECK(t, egret_writer_event(w, &ev) == EGRET_ERR_RANGE);
    ev = events[2];
    ev.port = 256;
    CHECK(t, egret_writer_event(w, &ev) == EGRET_ERR_RANGE);
    ev = events[2];
    ev.up = 2;
    CHECK(t, egret_writer_event(w, &ev) == EGRET_ERR_RANGE);
    ev = events[5];
    ev.now = 4294967296000000000u;
    CHECK(t, egret_writer_event(w, &ev) == EGRET_ERR_RANGE);
    ev.kind = EGRET_EV_PACKET;
    CHECK(t, egret_writer_event(w, &ev) == EGRET_ERR_EVENT);
    CHECK(t, egret_writer_packet(w, 9, frame, 13, 60) == EGRET_ERR_RANGE);
    CHECK(t, egret_writer_packet(w, 9, frame, 60, 59) == EGRET_ERR_RANGE);
    CHECK(t, egret_writer_packet(w, 9, frame, 60, 65536) == EGRET_ERR_RANGE);
    CHECK(t, egret_writer_packet(w, 9, frame, 20, 65535) == EGRET_OK);
    frame[12] = 0x88;
    frame[13] = 0xb5;
    CHECK(t, egret_writer_packet(w, 9, frame, 20, 60) == EGRET_ERR_RANGE);
    CHECK(t, egret_writer_events(w) == 8 && egret_writer_packets(w) == 1);
    CHECK(t, egret_writer_commit(w, &err) == EGRET_OK);
    CHECK(t, egret_stimulus_open(path, &s, &err) == EGRET_OK);
    for (unsigned i = 0; i < 7u; i++) {
        CHECK(t, egret_stimulus_next(s, &ev, &err) == 1);
        CHECK(t, memcmp(&ev, &events[i], sizeof ev) == 0);
    }
    CHECK(t, egret_stimulus_next(s, &ev, &err) == 1);
    CHECK(t, ev.kind == EGRET_EV_PACKET && ev.length == 65535 && ev.tag == 0 && ev.now == 9);
    CHECK(t, egret_stimulus_next(s, &ev, &err) == 0 && egret_stimulus_unrouted(s) == 1);
    CHECK(t, egret_stimulus_front_ignored(s) == 2); /* the writes to 0xffffff */
    egret_stimulus_close(s);
}

/* Nothing appears before commit, an existing file survives an abort. */
static void output_files(struct trace_test *t)
{
    char path[256];
    struct egret_outfile *f;
    struct egret_trace_error err;
    char text[16] = "";
    trace_scratch(path, sizeof path, "out.txt");
    (void)remove(path);
    CHECK(t, egret_outfile_open(path, &f, &err) == EGRET_OK);
    egret_outfile_printf(f, "one");
    FILE *in = fopen(path, "rb");
    CHECK(t, in == NULL);
    CHECK(t, egret_outfile_commit(f, &err) == EGRET_OK);
    CHECK(t, egret_outfile_open(path, &f, &err) == EGRET_OK);
    egret_outfile_printf(f, "two");
    egret_outfile_abort(f);
    in = fopen(path, "rb");
    CHECK(t, in && fgets(text, sizeof text, in) && strcmp(text, "one") == 0);
    if (in) {
        (void)fclose(in);
    }
    CHECK(t, egret_outfile_open("cmodel/test", &f, &err) < 0 && strstr(err.text, "directory"));
    CHECK(t, egret_outfile_open("cmodel/test/no/such/file", &f, &err) < 0);
    /* The first failure stays; what is written behind it changes nothing. */
    if (egret_outfile_open("/dev/full", &f, &err) == EGRET_OK) {
        static const char bytes[65536] = "x";
        CHECK(t, !egret_outfile_failed(f));
        egret_outfile_write(f, bytes, sizeof bytes);
        CHECK(t, egret_outfile_failed(f));
        egret_outfile_write(f, bytes, sizeof bytes);
        egret_outfile_printf(f, "more");
        CHECK(t, egret_outfile_failed(f));
        CHECK(t, egret_outfile_commit(f, &err) == EGRET_ERR_RANGE &&
                     strcmp(err.text, "/dev/full: No space left on device") == 0);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    bad_headers(&t);
    bad_records(&t);
    bad_events(&t);
    good_files(&t);
    round_trip(&t);
    output_files(&t);
    return trace_result(&t);
}
