/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_front.c: parser on frames from outside this project, route table against a plain search,
 * class map and entropy.
 */
#include "egret/trace_front.h"
#include "egret/trace_make.h"
#include "trace_test.h"

static size_t hex(const char *text, uint8_t *out)
{
    size_t n = 0;
    for (; text[0] && text[1]; text += 2) {
        unsigned v;
        (void)sscanf(text, "%2x", &v);
        out[n++] = (uint8_t)v;
    }
    return n;
}

static int parse(const char *text, struct egret_parsed *p)
{
    uint8_t bytes[256];
    size_t n = hex(text, bytes);
    return egret_parse(bytes, n, n, p);
}

static bool record_is(const struct egret_parsed *p, const char *text)
{
    uint8_t want[64];
    return hex(text, want) == EGRET_RECORD_BYTES &&
           memcmp(p->record, want, EGRET_RECORD_BYTES) == 0;
}

#define ETH "020000000002020000000001"
#define Z12 "000000000000000000000000"
#define IP4 "0a0000010a000102"
#define R4(rest) "0a000001" Z12 "0a000102" Z12 rest

static void parser(struct trace_test *t)
{
    struct egret_parsed p;
    /* The canonical RoCE 5-tuple of the hash vectors: 10.0.0.1 10.0.1.2 17 0xc123 4791. */
    CHECK(t, parse(ETH "0800"
                       "4502002c0000400040110000" IP4 "c12312b700180000"
                       "0a40ffff0012345680000001",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("11c12312b71234560a")) && p.opcode == 0x0a && p.family == 4 &&
                 p.source_port == 0xc123);
    /* One and four VLAN tags, IPv4 options; five tags are beyond the parser. */
    CHECK(t, parse(ETH "810000640800"
                       "47020034000040004011000001010101" IP4,
                   &p) == 0);
    CHECK(t,
          parse(ETH "8100006488a80001910000028100000308004602003000004000401100000a0000010a000102"
                    "01010101c12312b700180000"
                    "1140ffff00abcdef00000001",
                &p) == 0);
    CHECK(t, record_is(&p, R4("11c12312b7abcdef11")));
    CHECK(t, parse(ETH "81000064"
                       "81000001"
                       "81000002"
                       "81000003"
                       "81000004"
                       "0800"
                       "450000140000400040110000" IP4,
                   &p) == 0);
    CHECK(t, p.family == 0 && p.opcode == -1);
    /* TCP; another UDP port; another protocol; fragments; a bad version and header length. */
    CHECK(t, parse(ETH "0800"
                       "450000280000400040060000" IP4 "0016c3500000000000000000501000000000000000",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("060016c35000000000")) && p.opcode == -1);
    CHECK(t, parse(ETH "0800"
                       "450000280000400040110000" IP4 "003512b800000000"
                       "0a40ffff0012345680000001",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("11003512b800000000")));
    CHECK(t, parse(ETH "0800"
                       "4500002800004000402f0000" IP4 "c12312b7",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("2f0000000000000000")));
    CHECK(t, parse(ETH "0800"
                       "450000280000200040110000" IP4 "c12312b700180000",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("110000000000000000")) && p.family == 4);
    CHECK(t, parse(ETH "0800"
                       "450000280000000140110000" IP4 "c12312b700180000",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("110000000000000000")));
    CHECK(t, parse(ETH "0800"
                       "550000280000000140110000" IP4 "c12312b700180000",
                   &p) == 0);
    CHECK(t, p.family == 0);
    CHECK(t, parse(ETH "0800"
                       "440000280000000140110000" IP4 "c12312b700180000",
                   &p) == 0);
    CHECK(t, p.family == 0);
    /* A UDP header that ends early, a BTH that ends early. */
    CHECK(t, parse(ETH "0800"
                       "450000280000400040110000" IP4 "c12312b7001800",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("110000000000000000")));
    CHECK(t, parse(ETH "0800"
                       "450000280000400040110000" IP4 "c12312b700180000"
                       "0a40ffff00123456800000",
                   &p) == 0);
    CHECK(t, record_is(&p, R4("11c12312b700000000")) && p.opcode == -1);
    CHECK(t, parse(ETH "0806"
                       "0001",
                   &p) == 0 &&
                 p.family == 0);
}

#define S6 "fd000000000000000000000000000001"
#define D6 "fd000000000000000000000000000102"

static void parser_ipv6(struct trace_test *t)
{
    struct egret_parsed p;
    CHECK(t, parse(ETH "86dd"
                       "60012345001811ff" S6 D6 "c12312b700180000"
                       "0a40ffff0012345680000001",
                   &p) == 0);
    CHECK(t, record_is(&p, S6 D6 "11c12312b71234560a") && p.flow_label == 0x12345 && p.family == 6);
    /* Hop-by-hop of 16 bytes, routing, AH of 12 bytes, an atomic fragment. */
    CHECK(t, parse(ETH "86dd"
                       "60000000004800ff" S6 D6 "2b01010c" Z12 "3300000000000000"
                       "2c0100000000000000000000"
                       "1100000000000001"
                       "c12312b700180000"
                       "0a40ffff0012345680000001",
                   &p) == 0);
    CHECK(t, record_is(&p, S6 D6 "11c12312b71234560a"));
    /* A first and a later fragment have no ports; ESP ends the walk. */
    CHECK(t, parse(ETH "86dd"
                       "6000000000182cff" S6 D6 "1100000100000001"
                       "c12312b700180000",
                   &p) == 0);
    CHECK(t, record_is(&p, S6 D6 "110000000000000000"));
    CHECK(t, parse(ETH "86dd"
                       "6000000000182cff" S6 D6 "1100000800000001"
                       "c12312b700180000",
                   &p) == 0);
    CHECK(t, record_is(&p, S6 D6 "110000000000000000"));
    CHECK(t, parse(ETH "86dd"
                       "60000000001832ff" S6 D6 "1100000800000001"
                       "c12312b700180000",
                   &p) == 0);
    CHECK(t, record_is(&p, S6 D6 "320000000000000000"));
    CHECK(t, parse(ETH "86dd"
                       "50000000001811ff" S6 D6 "c12312b700180000",
                   &p) == 0);
    CHECK(t, p.family == 0);
}

/* A frame that another tool's authors captured: a CNP of a ConnectX-4 Lx (secdev/scapy,
 * test/contrib/roce.uts). */
static void parser_outside(struct trace_test *t)
{
    struct egret_parsed p;
    CHECK(t, parse("e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7"
                   "002800008100ffff40000118000000000000000000000000000000000000000082fd002a",
                   &p) == 0);
    CHECK(t, record_is(&p, "0a001101" Z12 "0a001201" Z12 "11000012b700011881") &&
                 p.opcode == 0x81 && p.source_port == 0);
}

static void cut(struct trace_test *t)
{
    uint8_t bytes[128];
    struct egret_parsed p;
    size_t n = hex(ETH "0800"
                       "4502002c0000400040110000" IP4 "c12312b700180000"
                       "0a40ffff0012345680000001",
                   bytes);
    for (size_t incl = 0; incl < n; incl++) {
        /* Kept short: refused, except where the missing bytes are no header's. */
        CHECK(t, egret_parse(bytes, incl, n, &p) == EGRET_ERR_RANGE);
        CHECK(t, egret_parse(bytes, incl, incl, &p) == EGRET_OK);
    }
    CHECK(t, egret_parse(bytes, n, 1500, &p) == EGRET_OK && p.opcode == 0x0a);
}

struct plain_route {
    uint32_t value[4];
    uint32_t mask[4];
    uint32_t family;
    uint32_t data;
    bool valid;
};

static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Random routes with few masks and values, set and removed, against a search in order. */
static void routes(struct trace_test *t)
{
    static struct plain_route plain[EGRET_FRONT_ROUTES];
    static const uint32_t masks[4] = {0xffffffff, 0xffffff00, 0xff000000, 0x000000ff};
    struct egret_front *f;
    struct egret_parsed p;
    struct egret_event ev;
    uint64_t seed = 1;
    memset(&p, 0, sizeof p);
    p.opcode = -1;
    CHECK(t, egret_front_create(&f) == EGRET_OK);
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_DEFAULT, 0x12345678));
    for (unsigned step = 0; step < 40000u; step++) {
        uint32_t i = draw(&seed) % 64u * (draw(&seed) % 2u ? 1u : 65u);
        struct plain_route *r = &plain[i];
        if (draw(&seed) % 4u == 0) {
            r->valid = false;
            (void)egret_front_write(f, EGRET_A_FRONT_ROUTE_REMOVE(i), 0);
        } else if (draw(&seed) % 2u) {
            r->valid = true;
            r->family = draw(&seed) % 3u * 2u;
            r->family += r->family ? 2u : 0;
            r->data = draw(&seed);
            (void)egret_front_write(f, EGRET_A_FRONT_ROUTE_FAMILY, r->family);
            for (unsigned w = 0; w < 4u; w++) {
                r->value[w] = draw(&seed) % 4u * 0x01010101u;
                r->mask[w] = w == 0 || draw(&seed) % 8u == 0 ? masks[draw(&seed) % 4u] : 0;
                (void)egret_front_write(f, EGRET_A_FRONT_ROUTE_VALUE(w), r->value[w]);
                (void)egret_front_write(f, EGRET_A_FRONT_ROUTE_MASK(w), r->mask[w]);
            }
            (void)egret_front_write(f, EGRET_A_FRONT_ROUTE(i), r->data);
        }
        p.family = draw(&seed) % 2u ? 4 : 6;
        for (unsigned b = 16; b < 32u; b++) {
            p.record[b] = (uint8_t)(draw(&seed) % 4u);
        }
        uint32_t want = 0x12345678;
        bool hit = false;
        for (unsigned k = 0; k < EGRET_FRONT_ROUTES && !hit; k++) {
            r = &plain[k];
            bool match = r->valid && (r->family == 0 || r->family == p.family);
            for (unsigned w = 0; w < 4u && match; w++) {
                const uint8_t *b = p.record + 16 + 4 * w;
                uint32_t dst =
                    (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
                match = ((dst ^ r->value[w]) & r->mask[w]) == 0;
            }
            if (match) {
                want = r->data;
                hit = true;
            }
        }
        memset(&ev, 0, sizeof ev);
        bool got = egret_front_resolve(f, &p, 100, &ev);
        CHECK(t, got == hit && ev.group == (want & 0xffffu) && ev.key == want >> 16);
    }
    CHECK(t, egret_front_ignored(f) == 0);
    egret_front_destroy(f);
}

static void classes(struct trace_test *t)
{
    struct egret_front *f;
    struct egret_parsed p;
    struct egret_event ev;
    memset(&p, 0, sizeof p);
    memset(&ev, 0, sizeof ev);
    p.opcode = 0x11;
    p.source_port = 0xc123;
    p.flow_label = 0xabcde;
    CHECK(t, egret_front_create(&f) == EGRET_OK);
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_THRESHOLD(0), 256));
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_THRESHOLD(1), 1024));
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_THRESHOLDS, 2));
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_ACK_BIN, 9));
    CHECK(t, !egret_front_resolve(f, &p, 255, &ev) && ev.bin == 0 && ev.entropy == 0xc123);
    CHECK(t, !egret_front_resolve(f, &p, 256, &ev) && ev.bin == 1 && ev.cls == 0);
    CHECK(t, !egret_front_resolve(f, &p, 1024, &ev) && ev.bin == 2);
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_OPCODE(0x11), 0x5));
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_ENTROPY, 1));
    CHECK(t, !egret_front_resolve(f, &p, 1024, &ev) && ev.bin == 9 && ev.cls == 5 &&
                 ev.entropy == 0xabcde);
    /* Short packets: bit 3 of the class, whatever the opcode. */
    CHECK(t, egret_front_write(f, EGRET_A_FRONT_SHORT, 1024));
    CHECK(t, !egret_front_resolve(f, &p, 1024, &ev) && ev.cls == 5);
    CHECK(t, !egret_front_resolve(f, &p, 1023, &ev) && ev.cls == 13 && ev.bin == 9);
    p.opcode = -1;
    CHECK(t, !egret_front_resolve(f, &p, 1023, &ev) && ev.cls == 8 && ev.bin == 1);
    p.opcode = 0x11;
    /* Beyond the range, or no such address: ignored and counted. */
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_OPCODE(0x11), 0x10));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_ENTROPY, 2));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_THRESHOLDS, 16));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_ACK_BIN, 16));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_THRESHOLD(0), 0x10000));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_THRESHOLD(15), 0));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_ROUTE_FAMILY, 5));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_ROUTE(4096), 0));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_ROUTE_REMOVE(4096), 0));
    CHECK(t, !egret_front_write(f, 0xf00005, 0));
    CHECK(t, !egret_front_write(f, EGRET_A_FRONT_SHORT, 0x10000));
    CHECK(t, egret_front_ignored(f) == 11);
    CHECK(t, !egret_front_write(f, 0x000008, 0) && egret_front_ignored(f) == 11);
    egret_front_destroy(f);
}

/* Published examples of the Linux rule. */
static void source_ports(struct trace_test *t)
{
    CHECK(t, egret_roce_source_port(0x11, 0x11) == 0xc121);
    CHECK(t, egret_roce_source_port(0x45, 0x45) == 0xd299);
    CHECK(t, egret_roce_source_port(0x123, 0x456) == 0xedd1);
    CHECK(t, egret_roce_source_port(0x456, 0x123) == 0xedd1);
    CHECK(t, egret_roce_source_port(0xffffff, 0xffffff) == 0xff21);
}

int main(void)
{
    struct trace_test t = {0, 0};
    parser(&t);
    parser_ipv6(&t);
    parser_outside(&t);
    cut(&t);
    routes(&t);
    classes(&t);
    source_ports(&t);
    return trace_result(&t);
}
