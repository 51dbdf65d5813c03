/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture_links.c: what a frame of each link type must have to be one of Ethernet, from the
 * public list of link-layer header types (docs/import.md, section 6).
 */
#include "trace_capture_read.h"

static void one_record(uint32_t link, const void *head, uint32_t n, uint32_t orig)
{
    uint8_t b[256] = {0};
    memcpy(b, head, n);
    memcpy(b + n, frame, 100);
    pcap_start(&f, false, true, link);
    pcap_record(&f, 1, 0, b, n + 100u, orig ? orig : n + 100u);
}

static void links(void)
{
    struct egret_trace_error err;
    struct egret_capture_frame g;
    struct egret_capture *c;
    uint8_t erf[64] = {[8] = 2, [15] = 138};
    static const uint8_t types[] = {2, 11, 16, 20};
    for (unsigned type = 0; type < 128u; type++) { /* only those that hold Ethernet */
        bool ethernet = memchr(types, (int)type, sizeof types) != NULL;
        erf[8] = (uint8_t)type;
        one_record(197, erf, 18, 0);
        holds("ERF type", ethernet, !ethernet, 0);
    }
    erf[8] = 0x82; /* three extension headers, the last without the bit that says more */
    erf[16] = erf[24] = 0x80;
    one_record(197, erf, 16 + 24 + 2, 0);
    holds("three extension headers", 1, 0, 0);
    erf[32] = 0x80; /* more and more, to the end of what was captured */
    pcap_start(&f, false, true, 197);
    pcap_record(&f, 1, 0, erf, 40, 40);
    holds("an extension header that is not there", 0, 1, 0);
    erf[32] = 0;
    pcap_start(&f, false, true, 197);
    pcap_record(&f, 1, 0, erf, 41, 41);
    holds("a byte of padding that is not there", 0, 1, 0);
    erf[8] = 2;
    erf[15] = 4; /* on the wire nothing but an FCS */
    one_record(197, erf, 18, 0);
    holds("ERF of an FCS alone", 0, 1, 0);
    /* PPI: flags, header length, and what is in it. */
    static const struct {
        uint8_t head[8];
        int frames;
    } ppi[] = {
        {{0, 0, 8, 0, 1, 0, 0, 0}, 1},
        {{1, 0, 8, 0, 1, 0, 0, 0}, 0}, /* another version */
        {{0, 0, 7, 0, 1, 0, 0, 0}, 0}, /* shorter than itself */
        {{0, 0, 0, 1, 1, 0, 0, 0}, 0}, /* 256 bytes, beyond what was captured */
    };
    for (size_t i = 0; i < sizeof ppi / sizeof ppi[0]; i++) {
        one_record(192, ppi[i].head, 8, 0);
        holds("PPI", ppi[i].frames, !ppi[i].frames, 0);
    }
    /* Raw IP: the version decides; there are only two. */
    for (unsigned version = 0; version < 16u; version++) {
        uint8_t ip[40] = {(uint8_t)(version << 4 | 5u), [9] = 17};
        pcap_start(&f, true, true, 101);
        pcap_record(&f, 1, 0, ip, 40, 40);
        bool good = version == 4u || version == 6u;
        holds("raw IP", good, !good, 0);
    }
    pcap_start(&f, true, true, 101); /* with an Ethernet header beyond 2^32 bytes */
    pcap_record(&f, 1, 0, frame + 14, length - 14u, UINT32_MAX - 13u);
    holds("raw IP of 2^32 bytes", 0, 1, 0);
    pcap_start(&f, true, true, 101);
    pcap_record(&f, 1, 0, frame + 14, length - 14u, UINT32_MAX - 14u);
    holds("raw IP of nearly as many", 0, 0, 1);
    pcap_start(&f, true, true, 101);
    pcap_record(&f, 1, 0, frame, 0, 0);
    holds("raw IP of no bytes", 0, 1, 0);
    /* Cooked: a sender's address is taken over only if it is one of Ethernet. */
    for (unsigned i = 0; i < 4u; i++) {
        uint8_t h[20] = {0};
        uint32_t link = i < 2u ? 113 : 276;
        uint32_t n = i < 2u ? 16 : 20;
        uint8_t *address = h + (i < 2u ? 6 : 12);
        memcpy(address, "\1\2\3\4\5\6", 6);
        h[i < 2u ? 5 : 11] = i % 2u ? 8 : 6; /* its length */
        h[i < 2u ? 14 : 0] = 8;              /* IPv4 */
        uint8_t b[256] = {0};
        memcpy(b, h, n);
        memcpy(b + n, frame + 14, length - 14u);
        pcap_start(&f, false, true, link);
        pcap_record(&f, 1, 0, b, n + length - 14u, n + length - 14u);
        image_save(&f, f.size, path);
        CHECK(&t, egret_capture_open(path, &c, &err) == EGRET_OK);
        static const uint8_t none[6];
        CHECK(&t, egret_capture_next(c, &g, &err) == 1 && g.orig_len == length &&
                      memcmp(g.bytes + 6, i % 2u ? none : address, 6) == 0);
        egret_capture_close(c);
    }
    /* An FCS longer than the frame leaves none. */
    pcap_start(&f, false, true, 0xf4000001u);
    pcap_record(&f, 1, 0, frame, 20, 20);
    holds("an FCS of 30 bytes of 20", 0, 1, 0);
}

int main(void)
{
    trace_scratch(path, sizeof path, "trace_capture_links.tmp");
    length = roce_frame(frame, 1, 2, 0x0a, 1, 1, 64, 0, 64);
    links();
    (void)remove(path);
    return trace_result(&t);
}
