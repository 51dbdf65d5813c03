/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture.c: captures of both formats, in both byte orders, of every link type; every prefix
 * and every changed byte of a file; frames behind a set-up.
 */
#include "trace_capture.h"

static struct trace_test t;
static char path[256];

/* A congestion notification as a ConnectX-4 Lx sent it (a published frame): 10.0.17.1 to
 * 10.0.18.1, UDP port 0 to 4791, opcode 0x81, QP 0x118; its ICRC is 0x82fd002a. */
static const uint8_t cnp[74] = {
    0xe4, 0x1d, 0x2d, 0xab, 0x2b, 0xc2, 0x7c, 0xfe, 0x90, 0x64, 0x3b, 0x32, 0x08, 0x00, 0x45,
    0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61, 0x0a, 0x00, 0x11, 0x01,
    0x0a, 0x00, 0x12, 0x01, 0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00, 0x81, 0x00, 0xff,
    0xff, 0x40, 0x00, 0x01, 0x18, 0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0x82, 0xfd, 0x00, 0x2a};

static struct image f;

static struct egret_capture *open_image(struct egret_trace_error *err)
{
    struct egret_capture *c = NULL;
    image_save(&f, f.size, path);
    return egret_capture_open(path, &c, err) == EGRET_OK ? c : NULL;
}

static bool is_cnp(const struct egret_capture_frame *g)
{
    return g->incl_len == sizeof cnp && g->orig_len == sizeof cnp &&
           memcmp(g->bytes, cnp, sizeof cnp) == 0 && g->parsed.opcode == 0x81 &&
           g->parsed.bth == 42u;
}

/* The only frame of the image is the CNP at this time, or with any Ethernet header. */
static void expect_one(const char *what, uint64_t now, bool header)
{
    struct egret_trace_error err = {""};
    struct egret_capture_frame g;
    struct egret_capture *c = open_image(&err);
    int got = c ? egret_capture_next(c, &g, &err) : -1;
    bool good = got == 1 && g.now == now &&
                (header ? is_cnp(&g)
                        : g.orig_len == sizeof cnp && g.incl_len == sizeof cnp &&
                              memcmp(g.bytes + 12, cnp + 12, sizeof cnp - 12u) == 0);
    good = good && egret_capture_next(c, &g, &err) == 0;
    if (!CHECK(&t, good)) {
        printf("  %s: %d %s\n", what, got, err.text);
    }
    egret_capture_close(c);
}

static void expect_error(const char *text)
{
    struct egret_trace_error err = {""};
    struct egret_capture_frame g;
    struct egret_capture *c = open_image(&err);
    int got = c ? 1 : -1;
    while (got > 0) {
        got = egret_capture_next(c, &g, &err);
    }
    if (!CHECK(&t, got < 0 && strstr(err.text, text) && strstr(err.text, ": byte "))) {
        printf("  wanted '%s', got %d '%s'\n", text, got, err.text);
    }
    struct egret_trace_error again = {""};
    CHECK(&t, !c || (egret_capture_next(c, &g, &again) == got && !strcmp(err.text, again.text)));
    egret_capture_close(c);
}

static void test_icrc(void)
{
    uint8_t b[8 + sizeof cnp];
    uint32_t crc = 0xffffffffu;
    size_t n = 8u + sizeof cnp - 14u - 4u;
    memset(b, 0xff, 8);
    memcpy(b + 8, cnp + 14, sizeof cnp - 18u);
    b[9] = b[16] = b[18] = b[19] = 0xff; /* what a switch may change */
    b[34] = b[35] = b[40] = 0xff;
    for (size_t i = 0; i < n; i++) {
        crc ^= b[i];
        for (unsigned k = 0; k < 8u; k++) {
            crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0);
        }
    }
    crc = ~crc;
    CHECK(&t, (crc & 0xff) == 0x82 && (crc >> 8 & 0xff) == 0xfd && crc >> 24 == 0x2a);
}

static void test_pcap(void)
{
    for (unsigned i = 0; i < 4u; i++) {
        bool ns = i & 1u;
        pcap_start(&f, i >= 2u, ns, 1);
        pcap_record(&f, 1700000000, 123456, cnp, sizeof cnp, sizeof cnp);
        expect_one("pcap", 1700000000000000000u + (ns ? 123456u : 123456000u), true);
        /* FCS of two 16-bit words */
        uint8_t with_fcs[sizeof cnp + 4u] = {0};
        memcpy(with_fcs, cnp, sizeof cnp);
        pcap_start(&f, i >= 2u, ns, 0x24000001u);
        pcap_record(&f, 5, 7, with_fcs, sizeof with_fcs, sizeof with_fcs);
        expect_one("pcap with FCS", 5000000000u + (ns ? 7u : 7000u), true);
        pcap_start(&f, i >= 2u, ns, 1);
        pcap_record(&f, 1, ns ? 1000000000u : 1000000u, cnp, sizeof cnp, sizeof cnp);
        expect_error("byte 24: time stamp of a second or more");
        pcap_start(&f, i >= 2u, ns, 105);
        pcap_record(&f, 1, 0, cnp, sizeof cnp, sizeof cnp);
        expect_error("byte 24: link type 105 holds neither");
        pcap_start(&f, i >= 2u, ns, 1);
        put32(&f, 0);
        put32(&f, 0);
        put32(&f, 262145);
        put32(&f, 262145);
        expect_error("byte 24: captured length 262145 is beyond 262144");
        pcap_start(&f, i >= 2u, ns, 1);
        pcap_record(&f, 1, 0, cnp, sizeof cnp, sizeof cnp - 1u);
        expect_error("captured length 74 is beyond the original 73");
    }
    pcap_start(&f, false, false, 1);
    f.bytes[6] = 3;
    expect_error("byte 0: pcap version 2.3");
    f.size = 0;
    expect_error("byte 0: the file is empty");
    memset(f.bytes, 'a', 40);
    f.size = 40;
    expect_error("neither pcap nor pcapng: first bytes 61 61 61 61");
}

/* Frames on both sides of each size at which the reader's room grows, then a short one. */
static void test_long_records(void)
{
    static const uint32_t size[] = {16370, 16371, 32754, 32755, 65521, 65522, 65535};
    static uint8_t frame[65536];
    memcpy(frame, cnp, sizeof cnp);
    for (size_t i = sizeof cnp; i < sizeof frame; i++) {
        frame[i] = (uint8_t)(i ^ i >> 8);
    }
    for (unsigned form = 0; form < 2u; form++) {
        for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
            if (form == 0) {
                pcap_start(&f, false, false, 1);
                pcap_record(&f, 1, 0, frame, size[i], size[i]);
                pcap_record(&f, 2, 0, cnp, sizeof cnp, sizeof cnp);
            } else {
                f.size = 0;
                ng_section(&f, false);
                ng_interface(&f, 1, 0, 0, 0, 0);
                ng_packet(&f, 0, 1000000, frame, size[i], size[i], 0);
                ng_packet(&f, 0, 2000000, cnp, sizeof cnp, sizeof cnp, 0);
            }
            struct egret_trace_error err = {""};
            struct egret_capture_frame g;
            struct egret_capture *c = open_image(&err);
            bool good = c && egret_capture_next(c, &g, &err) == 1 && g.now == 1000000000u &&
                        g.incl_len == size[i] && memcmp(g.bytes, frame, size[i]) == 0;
            good = good && egret_capture_next(c, &g, &err) == 1 && is_cnp(&g) &&
                   egret_capture_next(c, &g, &err) == 0;
            if (!CHECK(&t, good)) {
                printf("  form %u, %u bytes: %s\n", form, size[i], err.text);
            }
            egret_capture_close(c);
            f.size -= form == 0 ? sizeof cnp + 20u : 160u; /* cut inside the long one */
            expect_error(form == 0 ? "the file ends inside a record"
                                   : "the file ends inside a block");
        }
    }
}

static void test_links(void)
{
    static const struct {
        uint32_t link;
        uint8_t head[26];
        uint32_t bytes;
        uint32_t behind; /* the Ethernet header, or 0: all of it is there */
    } l[] = {
        {12, {0}, 0, 14},
        {14, {0}, 0, 14},
        {101, {0}, 0, 14},
        {228, {0}, 0, 14},
        {113, {0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 8, 0}, 16, 14},
        {276, {8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0}, 20, 14},
        {192, {0, 0, 8, 0, 1, 0, 0, 0}, 8, 0},
        /* an extension header; 78 bytes on the wire, FCS included */
        {197, {0, 0, 0, 0, 0, 0, 0, 0, 0x82, 0, 0, 0, 0, 0, 0, 78, 1, 2, 3, 4, 5, 6, 7, 8}, 26, 0},
    };
    for (size_t i = 0; i < sizeof l / sizeof l[0]; i++) {
        uint8_t b[128] = {0};
        uint32_t n = l[i].bytes + (uint32_t)sizeof cnp - l[i].behind;
        memcpy(b, l[i].head, l[i].bytes);
        memcpy(b + l[i].bytes, cnp + l[i].behind, sizeof cnp - l[i].behind);
        pcap_start(&f, i & 1u, true, l[i].link);
        pcap_record(&f, 3, 4, b, n, n);
        expect_one("link type", 3000000004u, l[i].behind == 0);
        for (uint32_t k = 0; k < l[i].bytes; k++) { /* cut inside the link's header: no frame */
            pcap_start(&f, i & 1u, true, l[i].link);
            pcap_record(&f, 3, 4, b, k, n);
            struct egret_capture_frame g;
            struct egret_capture *c = open_image(NULL);
            CHECK(&t, c && egret_capture_next(c, &g, NULL) == 0 &&
                          egret_capture_counts(c)->no_frame == 1);
            egret_capture_close(c);
        }
    }
    uint8_t v6[40] = {0x60};
    struct egret_capture_frame g;
    pcap_start(&f, true, true, 229);
    pcap_record(&f, 3, 4, v6, 40, 40);
    struct egret_capture *c = open_image(NULL);
    CHECK(&t, c && egret_capture_next(c, &g, NULL) == 1 && g.bytes[12] == 0x86 &&
                  g.bytes[13] == 0xdd && g.parsed.family == 6 && g.link_type == 229);
    egret_capture_close(c);
    static const uint8_t wlan[12] = {0, 0, 8, 0, 105};
    pcap_start(&f, false, true, 192);
    pcap_record(&f, 3, 4, wlan, 12, 12);
    expect_error("link type 105");
}

/* Two sections of opposite byte order, all kinds of blocks, interfaces of three link types. */
static void big_file(bool big)
{
    static const uint8_t raw[] = {0x45, 0, 0, 20, 0, 0, 0, 0, 64, 6, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t with_fcs[sizeof cnp + 4u] = {0};
    memcpy(with_fcs, cnp, sizeof cnp);
    f.size = 0;
    ng_section(&f, big);
    block_start(&f, 5); /* statistics: skipped */
    put32(&f, 0);
    block_end(&f);
    ng_interface(&f, 1, 0, 0, 0, 0);       /* 10^-6 */
    ng_interface(&f, 101, 0, 9, 0, 0);     /* 10^-9 */
    ng_interface(&f, 1, 0, 0x94, 4, 1000); /* 2^-20, FCS, offset */
    ng_interface(&f, 147, 0, 0, 0, 0);     /* never used */
    ng_packet(&f, 0, 1500000, cnp, sizeof cnp, sizeof cnp, 0);
    ng_packet(&f, 1, 1500000001, raw, sizeof raw, sizeof raw, 0);
    ng_packet(&f, 2, 3u << 19, with_fcs, sizeof with_fcs, sizeof with_fcs, 0);
    ng_obsolete(&f, 0, 7, cnp, sizeof cnp);
    ng_simple(&f, cnp, sizeof cnp, sizeof cnp);
    ng_packet(&f, 0, 8, with_fcs, sizeof with_fcs, sizeof with_fcs, 4u << 5);
    ng_section(&f, !big);
    ng_interface(&f, 1, 60, 0x0c, 0, -1); /* 10^-12, a second back */
    ng_packet(&f, 0, 2000000001999, cnp, sizeof cnp, sizeof cnp, 0);
    ng_simple(&f, cnp, 60, sizeof cnp);
}

static void test_pcapng(void)
{
    static const uint64_t now[] = {1500000000, 1500000001, 1001500000000, 7000,
                                   7000,       8000,       1000000001,    1000000001};
    for (unsigned i = 0; i < 2u; i++) {
        struct egret_trace_error err = {""};
        struct egret_capture_frame g;
        big_file(i != 0);
        struct egret_capture *c = open_image(&err);
        for (unsigned k = 0; k < 8u; k++) {
            int got = c ? egret_capture_next(c, &g, &err) : -1;
            bool good = got == 1 && g.now == now[k] && g.record == k;
            good = good && (k == 1   ? g.orig_len == 34u && g.parsed.record[0] == 1
                            : k == 7 ? g.incl_len == 60u && g.orig_len == 74u
                                     : is_cnp(&g));
            if (!CHECK(&t, good)) {
                printf("  frame %u: %d %s\n", k, got, err.text);
            }
        }
        CHECK(&t, c && egret_capture_next(c, &g, &err) == 0);
        const struct egret_capture_counts *n = c ? egret_capture_counts(c) : NULL;
        CHECK(&t, n && n->sections == 2 && n->interfaces == 5 && n->frames == 8 &&
                      n->steps_back == 1 && n->no_time == 2 && n->truncated == 1 &&
                      n->bytes == f.size);
        egret_capture_close(c);
    }
    for (unsigned big = 0; big < 2u; big++) {
        f.size = 0;
        ng_section(&f, big);
        ng_interface(&f, 1, 0, 0, 0, 0);
        size_t at = f.size;
        ng_packet(&f, 1, 0, cnp, sizeof cnp, sizeof cnp, 0);
        expect_error("interface 1, but the section has 1 of them");
        f.size = at;
        ng_packet(&f, 0, 0, cnp, sizeof cnp, sizeof cnp, 0);
        f.bytes[f.size - (big ? 1u : 4u)] ^= 4;
        expect_error("ends with length");
        f.size = 0;
        ng_section(&f, big);
        ng_interface(&f, 1, 0, 0, 0, -5);
        ng_packet(&f, 0, 4999999, cnp, sizeof cnp, sizeof cnp, 0);
        expect_error("time stamp before 1970");
        f.size = 0;
        ng_section(&f, big);
        ng_interface(&f, 1, 0, 0, 0, 4294967295);
        ng_packet(&f, 0, 1000000, cnp, sizeof cnp, sizeof cnp, 0);
        expect_error("2^32 seconds or more");
        f.size = 0;
        ng_section(&f, big);
        ng_simple(&f, cnp, sizeof cnp, sizeof cnp);
        expect_error("before an interface block");
        f.size = 0;
        ng_section(&f, big);
        block_start(&f, 77);
        f.size += 2;
        f.bytes[f.size++] = 0;
        block_end(&f);
        f.bytes[f.block + (big ? 7u : 4u)] = 11;
        expect_error("byte 28: block of 11 bytes");
    }
}

/* Resolutions at the ends of their range: floor(stamp * unit), by hand. */
static void test_resolutions(void)
{
    static const struct {
        uint32_t resolution;
        uint64_t stamp;
        uint64_t now;
    } r[] = {
        {0x03, 1234, 1234000000},
        {0x09, 999999999, 999999999},
        {0x0a, 19, 1},
        {0x13, UINT64_MAX, 1844674407}, /* 10^-19 */
        {0x14, UINT64_MAX, 184467440},  /* 10^-20 */
        {0x7f, UINT64_MAX, 0},          /* 10^-127 */
        {0x80, 3, 3000000000},          /* 2^0 */
        {0x81, 3, 1500000000},
        {0x9e, 1, 0},                     /* 2^-30: 0.93 ns */
        {0x9d, 1, 1},                     /* 2^-29: 1.86 ns */
        {0xa0, 0x1ffffffffu, 1999999999}, /* 2^-32 */
        {0xbf, 1ull << 62, 500000000},    /* 2^-63 */
        {0xc0, 1ull << 63, 500000000},    /* 2^-64 */
        {0xff, UINT64_MAX, 0},
    };
    for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
        f.size = 0;
        ng_section(&f, i & 1u);
        ng_interface(&f, 1, 0, r[i].resolution, 0, 0);
        ng_packet(&f, 0, r[i].stamp, cnp, sizeof cnp, sizeof cnp, 0);
        expect_one("resolution", r[i].now, true);
    }
}

static void test_left_out(void)
{
    static const uint8_t arp[42] = {[12] = 8, [13] = 6};
    struct egret_capture_frame g;
    pcap_start(&f, false, true, 1);
    pcap_record(&f, 9, 0, cnp, 54, 4096); /* headers only */
    pcap_record(&f, 9, 0, cnp, 53, 4096); /* inside BTH */
    pcap_record(&f, 8, 0, arp, 42, 60);
    pcap_record(&f, 8, 0, cnp, 13, 60);
    pcap_record(&f, 8, 0, cnp, 60, 65536);
    struct egret_capture *c = open_image(NULL);
    CHECK(&t, c && egret_capture_next(c, &g, NULL) == 1 && g.orig_len == 4096);
    CHECK(&t, egret_capture_next(c, &g, NULL) == 1 && g.orig_len == 60 && g.parsed.opcode < 0);
    CHECK(&t, egret_capture_next(c, &g, NULL) == 0);
    const struct egret_capture_counts *n = egret_capture_counts(c);
    CHECK(&t, n->records == 5 && n->frames == 2 && n->cut == 1 && n->no_frame == 1 &&
                  n->too_long == 1 && n->steps_back == 1 && n->truncated == 2);
    egret_capture_close(c);
}

/* Reads a file to its end; the number of frames, or -1 after one line of text. */
static int read_prefix(size_t n)
{
    struct egret_trace_error err = {""};
    struct egret_capture_frame g;
    struct egret_capture *c;
    int frames = 0;
    image_save(&f, n, path);
    int got = egret_capture_open(path, &c, &err);
    if (got == EGRET_OK) {
        while ((got = egret_capture_next(c, &g, &err)) > 0) {
            frames++;
        }
        egret_capture_close(c);
    }
    return got == 0 ? frames : err.text[0] && !strchr(err.text, '\n') ? -1 : -2;
}

static void test_prefixes(void)
{
    size_t good = 0;
    size_t other = 0;
    big_file(true);
    for (size_t n = 0; n <= f.size; n++) {
        int got = read_prefix(n);
        good += got >= 0;
        other += got < -1;
    }
    CHECK(&t, good == 16 && other == 0); /* behind each of the 16 blocks */
    pcap_start(&f, true, false, 1);
    for (unsigned i = 0; i < 3u; i++) {
        pcap_record(&f, i, 0, cnp, sizeof cnp, sizeof cnp);
    }
    good = 0;
    for (size_t n = 0; n <= f.size; n++) {
        int got = read_prefix(n);
        good += got >= 0;
        other += got < -1;
        CHECK(&t, got < 0 || (size_t)got == (n - 24u) / 90u);
    }
    CHECK(&t, good == 4 && other == 0);
    big_file(false);
    for (size_t i = 0; i < f.size; i++) { /* any byte changed: frames or one line, under ASan */
        f.bytes[i] ^= 0xff;
        other += read_prefix(f.size) < -1;
        f.bytes[i] ^= 0xff;
    }
    CHECK(&t, other == 0);
}

static void test_is(void)
{
    pcap_start(&f, true, false, 1);
    image_save(&f, f.size, path);
    CHECK(&t, egret_capture_is(path));
    image_save(&f, 3, path);
    CHECK(&t, !egret_capture_is(path));
    f.bytes[0] = 'N';
    image_save(&f, f.size, path);
    CHECK(&t, !egret_capture_is(path) && !egret_capture_is("/dev/zero") &&
                  !egret_capture_is("/no/such/file"));
}

int main(void)
{
    trace_scratch(path, sizeof path, "trace_capture.tmp");
    test_icrc();
    test_pcap();
    test_long_records();
    test_links();
    test_pcapng();
    test_resolutions();
    test_left_out();
    test_prefixes();
    test_is();
    (void)remove(path);
    return trace_result(&t);
}
