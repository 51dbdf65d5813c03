/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_refusals.c: one wrong thing in a file that is good otherwise: GOAL, HPCC, NCCL, a log of
 * observed choices. Each is refused with exactly one line that says where
 * and what. And which format bytes are taken for.
 * usage: trace_refusals goal|logs|csv|formats
 */
#define _POSIX_C_SOURCE 200809L
#include <zlib.h>

#include "../trace/identify.h"
#include "egret/import.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* Is the text of the error exactly this? */
static void said(int code, const char *reason)
{
    if (!CHECK(&t, code == EGRET_ERR_RANGE && strcmp(error.text, reason) == 0)) {
        printf("code %d, '%s', wanted '%s'\n", code, error.text, reason);
    }
}

static int import(const void *bytes, size_t n, uint32_t relax)
{
    struct egret_import_options o = {.relax = relax};
    struct egret_import_report report;
    struct egret_schedule s;
    error.text[0] = '\0';
    int code = egret_import_bytes(bytes, n, "t", &o, &s, &report, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

static void refused(const char *text, const char *reason)
{
    said(import(text, strlen(text), 0), reason);
}

/* ---- GOAL ---- */

static void goal_text(void)
{
    char text[400] = "num_ranks 1 rank 0 { ";
    size_t n = strlen(text);
    memset(text + n, 'a', 300);
    refused(text, "t:1: a word of more than 255 characters");
    refused("num_ranks 1\n/ x", "t:2: a slash that starts no comment");
    refused("num_ranks 1\n;", "t:2: unexpected byte 0x3b");
    refused("num_ranks 1 x", "t:1: 'rank' is missing before 'x'");
    refused("num_ranks 1 rank 0", "t:1: '{' is missing before 'the end of the file'");
    refused("num_ranks x", "t:1: num_ranks is a number, 0 to 1048576, not 'x'");
    refused("num_ranks 1048577", "t:1: num_ranks is a number, 0 to 1048576, not '1048577'");
    refused("num_ranks", "t:1: num_ranks is a number, 0 to 1048576, not 'the end of the file'");
    refused("num_ranks 0", "t:1: num_ranks is at least 1");
    refused("num_ranks 1 rank 0 { }\nrank 0 { }", "t:2: rank 0 is there already");
    refused("num_ranks 1 rank 0 {\n5 }",
            "t:2: send, recv, calc, a label or '}' comes here, not '5'");
    refused("num_ranks 1 rank 0 {\n_a: calc 1 }",
            "t:2: send, recv, calc, a label or '}' comes here, not '_a'");
    refused("num_ranks 1 rank 0 { -1 }",
            "t:1: send, recv, calc, a label or '}' comes here, not '-1'");
    refused("num_ranks 1 rank 0 {",
            "t:1: send, recv, calc, a label or '}' comes here, not 'the end of the file'");
    refused("num_ranks 1 rank 0 { x: y }", "t:1: send, recv or calc comes behind a label, not 'y'");
    refused("num_ranks 1 rank 0 { x y }",
            "t:1: ':', requires or irequires comes behind a label, not 'y'");
    refused("num_ranks 1 rank 0 { x",
            "t:1: ':', requires or irequires comes behind a label, not 'the end of the file'");
    refused("num_ranks 1 rank 0 { x: calc 1 x requires }",
            "t:1: no label '}' above it in rank 0 (--allow-dangling)");
    refused("num_ranks 1 rank 0 { calc 1 tag 1 }", "t:1: one tag too many");
    refused("num_ranks 1 rank 0 { calc 1 cpu 1 nic 1 cpu 2 }", "t:1: one cpu too many");
    refused("num_ranks 1 rank 0 { calc 1 cpu 256 }", "t:1: cpu is a number, 0 to 255, not '256'");
    refused("num_ranks 1 rank 0 { calc 1 nic 256 }", "t:1: nic is a number, 0 to 255, not '256'");
    refused("num_ranks 1 rank 0 { calc 1000000000000001 }",
            "t:1: calc is a number, 0 to 1000000000000000, not '1000000000000001'");
    refused("num_ranks 2 rank 0 { send 1 to 1 }", "t:1: a size is bytes with a b behind, not '1'");
    refused("num_ranks 2 rank 0 { send b to 1 }", "t:1: a size is bytes with a b behind, not 'b'");
    refused("num_ranks 2 rank 0 { send 1b from 1 }", "t:1: 'to' is missing before 'from'");
    refused("num_ranks 2 rank 0 { recv 1b to 1 }", "t:1: 'from' is missing before 'to'");
    refused("num_ranks 2 rank 0 { recv 1b from -2 }", "t:1: a rank is a number, 0 to 1, not '-2'");
    refused("num_ranks 2 rank 0 { send 1b to -1 }", "t:1: a rank is a number, 0 to 1, not '-1'");
    refused("num_ranks 2 rank 0 { send 1b to 1 tag -1 }",
            "t:1: tag is a number, 0 to 4294967295, not '-1'");
    refused("num_ranks 2 rank 0 { recv 1b from 1 tag 4294967296 }",
            "t:1: tag is a number, 0 to 4294967295, not '4294967296'");
    /* Slashes and words at their limits. */
    memset(text + n, 'a', 255);
    memcpy(text + n + 255u, ": calc 1}", 10);
    CHECK(&t, import(text, strlen(text), 0) == EGRET_OK);
    refused("// a\n/* b\n * / ** */ num_ranks 1\nx", "t:4: 'rank' is missing before 'x'");
}

/* 5000 labels: more than their table holds at first; each is still found, in its own rank only. */
static void goal_labels(void)
{
    static char text[200000];
    size_t n = (size_t)snprintf(text, sizeof text, "num_ranks 2 rank 0 {\n");
    for (unsigned i = 0; i < 5000u; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "l%u: calc 1\n", i);
    }
    for (unsigned i = 1; i < 5000u; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "l%u requires l%u\n", i, i - 1u);
    }
    (void)snprintf(text + n, sizeof text - n, "}\nrank 1 { l0: calc 1 }");
    CHECK(&t, import(text, strlen(text), 0) == EGRET_OK);
    (void)snprintf(text + n, sizeof text - n, "l17: calc 1 }");
    refused(text, "t:10001: label 'l17' is there already");
    (void)snprintf(text + n, sizeof text - n, "}\nrank 1 { a: calc 1 a requires l17 }");
    refused(text, "t:10002: no label 'l17' above it in rank 1 (--allow-dangling)");
}

struct bytes {
    uint8_t b[256];
    size_t n;
};
static void put(struct bytes *b, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        b->b[b->n++] = (uint8_t)(v >> 8u * i);
    }
}

#define GOAL_SECTION 30u              /* header of 14, table of 16 a rank */
#define GOAL_NODE (GOAL_SECTION + 8u) /* counts of nodes and roots; no root */

/* One rank with one calc of 1 ns, and 4 bytes of appendix: dependants. */
static struct bytes goal_binary(void)
{
    struct bytes b = {{0}, 0};
    put(&b, 4223, 8);
    put(&b, 1, 4); /* ranks */
    put(&b, 0, 2);
    put(&b, GOAL_SECTION - 8u, 8);
    put(&b, GOAL_NODE + 43u - 8u, 8);
    put(&b, 1, 4); /* nodes */
    put(&b, 0, 4);
    put(&b, 0, 4); /* waits for */
    put(&b, 3, 1); /* a calc */
    put(&b, 0, 4);
    put(&b, 1, 8);
    put(&b, 0, 4 + 2);
    put(&b, 0, 8);
    put(&b, 0, 8);
    put(&b, 0, 4);
    return b;
}

/* Refused with `n` bytes at `at` that say v. */
static void binary(size_t at, uint64_t v, unsigned n, const char *reason)
{
    struct bytes b = goal_binary();
    size_t whole = b.n;
    b.n = at;
    put(&b, v, n);
    said(import(b.b, whole, 0), reason);
}

static void goal_bytes(void)
{
    struct bytes b = goal_binary();
    CHECK(&t, b.n == GOAL_NODE + 43u);
    CHECK(&t, import(b.b, b.n, 0) == EGRET_OK);
    said(import(b.b, 13, 0), "t: byte 13: the file ends in its header");
    said(import(b.b, b.n - 1u, 0), "t: byte 30: rank 0: its section is outside the file");
    put(&b, 7, 1);
    said(import(b.b, b.n, 0), "t: byte 81: bytes behind the last rank (--allow-trailing)");
    CHECK(&t, import(b.b, b.n, EGRET_RELAX_TRAILING) == EGRET_OK);
    binary(0, 2342, 8, "t: byte 0: the simulator has used this file up (2342)");
    binary(8, 0, 4, "t: byte 8: 0 ranks");
    binary(8, 5, 4, "t: byte 8: 5 ranks"); /* their table does not fit */
    binary(8, 1048577, 4, "t: byte 8: 1048577 ranks");
    binary(14, 4, 8,
           "t: byte 14: rank 0: its section is outside the file, or not behind that of "
           "the rank before");
    binary(22, GOAL_SECTION - 8u + 7u, 8, "t: byte 30: rank 0: its section is outside the file");
    binary(30, 2, 4, "t: byte 30: rank 0: 2 nodes, 0 roots do not fit");
    binary(34, 2, 4, "t: byte 30: rank 0: 1 nodes, 2 roots do not fit");
    binary(GOAL_NODE + 4u, 0, 1, "t: byte 38: node 0: type 0");
    binary(GOAL_NODE + 4u, 4, 1, "t: byte 38: node 0: type 4");
    binary(GOAL_NODE + 9u, 1000000000000001u, 8,
           "t: byte 38: node 0: a calc of more than 10^15 ns");
    binary(GOAL_NODE + 4u, 1 | 1 << 8, 5, "t: byte 38: node 0: rank 1 of 1");
    binary(GOAL_NODE + 23u, 2, 4, "t: byte 38: node 0: its dependants are outside its rank");
    binary(GOAL_NODE + 23u, 1 | (uint64_t)1 << 32, 8,
           "t: byte 38: node 0: its dependants are outside its rank");
    binary(GOAL_NODE + 31u, 2, 4, "t: byte 38: node 0: its dependants are outside its rank");
    b = goal_binary();
    b.b[GOAL_NODE + 4u] = 2; /* a recv from any, of 2^64 - 1 bytes */
    memset(b.b + GOAL_NODE + 5u, 0xff, 12);
    said(import(b.b, b.n, 31), "t: byte 38: node 0: 2^64 - 1 bytes");
    b = goal_binary();
    b.b[GOAL_NODE + 23u] = 1;
    b.b[GOAL_NODE + 39u] = 7;
    said(import(b.b, b.n, 0), "t: byte 77: node 7 of 1 depends on node 0 (--allow-dangling)");
    CHECK(&t, import(b.b, b.n, EGRET_RELAX_DANGLING) == EGRET_OK);
}

/* ---- logs: NCCL, HPCC ---- */

#define LOG "h:1:2 [0] NCCL INFO "
#define CALL ": opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 7 op 0 root 0 comm 0xa"
#define ALL_REDUCE LOG "AllReduce" CALL
#define WITHOUT "t:1: a call without opCount (hexadecimal), count, datatype, root, comm and stream"
#define ONE(dev, comm, rest)                                                                       \
    "h:1:2 [" dev "] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 7 " \
    "op 0 root 0 comm " comm " " rest "\n"

#define INIT(dev, comm, rank, nranks, id)                                                          \
    "h:1:2 [" dev "] NCCL INFO x comm " comm " rank " rank " nranks " nranks " commId " id         \
    " - Init COMPLETE\n"
#define SIZED(count, root) ": opCount 0 count " count " datatype 7 root " root " comm 0xa"

static void logs(void)
{
    refused(LOG "Frobnicate" CALL " [nranks=1] stream 0x5\n", "t:1: an unknown kind of call");
    refused(LOG CALL " [nranks=1] stream 0x5\n", "t:1: an unknown kind of call");
    refused(LOG "AllReduceAllReduceAllReduceAllReduce" CALL " stream 0x5\n",
            "t:1: an unknown kind of call");
    static const char *const process[] = {"h:1:2", "h:1:2 0]", "h:1:2 [0", "h:1:2 [x]",
                                          "h [0]", "h:1 [0]",  ":1 [0]"};
    for (size_t i = 0; i < sizeof process / sizeof process[0]; i++) {
        char text[400];
        (void)snprintf(text, sizeof text, "%s NCCL INFO AllReduce%s [nranks=1] stream 0x5\n",
                       process[i], CALL);
        refused(text, "t:1: a call without host:pid:tid [dev]");
    }
    refused(ALL_REDUCE " [nranks=1]\n", WITHOUT);
    refused(LOG "AllReduce: opCount g count 4 datatype 7 root 0 comm 0xa stream 0x5\n", WITHOUT);
    refused(LOG "AllReduce: opCount 0 count x datatype 7 root 0 comm 0xa stream 0x5\n", WITHOUT);
    refused(LOG "AllReduce: opCount 0 count 4 datatype x root 0 comm 0xa stream 0x5\n", WITHOUT);
    refused(LOG "AllReduce: opCount 0 count 4 datatype 7 root x comm 0xa stream 0x5\n", WITHOUT);
    refused(LOG "AllReduce: opCount 0 count 4 datatype 7 root 0 stream 0x5\n", WITHOUT);
    refused(LOG "AllReduce: opCount 00000000000000000 count 4 datatype 7 root 0 comm 0xa "
                "stream 0x5\n", /* 17 digits */
            WITHOUT);
    refused(ALL_REDUCE " [nranks=x] stream 0x5\n", "t:1: nranks is no number");
    refused(ALL_REDUCE " [nranks=16777217] stream 0x5\n", "t:1: nranks is no number");
    refused(ALL_REDUCE " [nranks=1] stream 0x5 globalrank x\n", "t:1: globalrank is no number");
    refused(ALL_REDUCE " stream 0x5\n", "t:1: nranks of the communicator is not in the log");
    refused(LOG "x comm 0xa rank x nranks 2 - Init COMPLETE\n",
            "t:1: an Init line without comm, rank and nranks");
    refused("h NCCL INFO x comm 0xa rank 0 nranks 2 - Init COMPLETE\n",
            "t:1: an Init line without comm, rank and nranks");
    refused(LOG "comm 0xa rank 0 nranks x - Init COMPLETE\n",
            "t:1: an Init line without comm, rank and nranks");
    refused(LOG "comm 0xa rank 2 nranks 2 - Init COMPLETE\n", "t:1: rank is not below nranks");
    refused(LOG "comm 0xa rank 0 nranks 16777217 - Init COMPLETE\n",
            "t:1: rank is not below nranks");
    refused(ONE("0", "0xa", "[nranks=3] stream 0x5") ONE("1", "0xb", "[nranks=3] stream 0x5"),
            "t:1: a communicator of 3 ranks has 2 in the log: one is missing, or several cannot be "
            "told apart without Init lines (NCCL_DEBUG_SUBSYS=INIT,COLL)");
    refused(ONE("0", "0xa", "[nranks=2] stream 0x5 globalrank 1")
                ONE("1", "0xb", "[nranks=2] stream 0x5 globalrank 1"),
            "t:2: rank 1 of its communicator is there twice");
    refused(ONE("0", "0xa", "[nranks=2] stream 0x5 globalrank 5")
                ONE("1", "0xb", "[nranks=2] stream 0x5 globalrank 6"),
            "t:1: 2 processes and devices, but global rank 5");
    /* What a later line says against an earlier one. */
    refused(ONE("0", "0xa", "[nranks=2] stream 0x5") ONE("0", "0xa", "[nranks=3] stream 0x5"),
            "t:2: nranks is another than in a line above");
    refused(ONE("0", "0xa", "[nranks=2] stream 0x5 globalrank 0")
                ONE("0", "0xa", "[nranks=2] stream 0x5 globalrank 1"),
            "t:2: globalrank is another than in a line above");
    refused(INIT("0", "0xa", "0", "2", "0x7") INIT("0", "0xa", "1", "2", "0x7"),
            "t:2: rank is another than in a line above");
    refused(INIT("0", "0xa", "0", "2", "0x7") INIT("0", "0xa", "0", "2", "0x8"),
            "t:2: commId is another than in a line above");
    refused(LOG "Broadcast" SIZED("4", "1") " [nranks=1] stream 0x5\n",
            "t:1: root 1 of a communicator of 1 ranks");
    refused(LOG "Send" SIZED("4", "1") " [nranks=1] stream 0x5\n",
            "t:1: peer 1 (root) of a communicator of 1 ranks");
    refused(
        INIT("0", "0xa", "0", "2", "0x7") INIT(
            "1", "0xb", "1", "2",
            "0x7") "h:1:2 [0] NCCL INFO AllGather: opCount 0 count 2305843009213693951 datatype 8 "
                   "root 0 comm 0xa [nranks=2] stream 0x5\n",
        "t:3: more than 2^64 bytes");
    refused("x\n", "t: is in no format that is read here");

    refused("268435457\n", "t:1: the first line is the number of flows");
    static const char *const flow[] = {"0 1 3 1 1",     "0 1 3 1 1 0 7", "x 1 3 1 1 0",
                                       "0 1 3 1 1 1e3", "0 1 3 1 1 1E3", "0 1 3 1 1 1000001"};
    for (size_t i = 0; i < sizeof flow / sizeof flow[0]; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "1\n%s\n", flow[i]);
        refused(text, "t:2: a flow is: src dst pg dport bytes start_seconds");
    }
    refused("1\n1048576 1 3 1 1 0\n", "t:2: src and dst are two nodes of 0 to 1048575");
    refused("1\n0 1048576 3 1 1 0\n", "t:2: src and dst are two nodes of 0 to 1048575");
    refused("1\n0 1 3 65536 1 0\n", "t:2: pg is 0 to 7, dport 0 to 65535");
    CHECK(&t, import("1\n0 1 3 1 1 1000000\n", 20, 0) == EGRET_OK); /* 10^18 ps */
    CHECK(&t, import("0\n", 2, 0) == EGRET_OK);
}

/* Two logs of a job, and what no file or too many are. */
static void several(void)
{
    char name[2][300];
    const char *const path[2] = {trace_scratch(name[0], sizeof name[0], "refusals.0.txt"),
                                 trace_scratch(name[1], sizeof name[1], "refusals.1.txt")};
    static const char *const text[2] = {ONE("0", "0xa", "[nranks=2] stream 0x5"),
                                        ONE("1", "0xb", "[nranks=2] stream 0x5")};
    struct egret_import_report report;
    struct egret_schedule s;
    for (unsigned i = 0; i < 2u; i++) {
        FILE *f = fopen(path[i], "wb");
        CHECK(&t, f && fputs(text[i], f) >= 0 && fclose(f) == 0);
    }
    if (CHECK(&t, egret_import_load(path, 2, NULL, &s, &report, &error) == EGRET_OK)) {
        CHECK(&t, s.ranks == 2 && report.collectives[EGRET_COLL_ALL_REDUCE] == 2);
        egret_schedule_free(&s);
    }
    said(egret_import_load(path, 0, NULL, &s, NULL, &error), "0 files, 1 to 65536 are allowed");
    (void)remove(path[0]);
    (void)remove(path[1]);
    refused("a NCCL INFO b\n", "t: no call in it (NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL)");
    /* Two communicators, of other sizes and by other names; two seats of one global rank. */
    CHECK(&t, import(INIT("0", "0xa", "0", "2", "0x7") INIT("1", "0xb", "1", "2", "0x7")
                         INIT("0", "0xc", "0", "1", "0x6") INIT("1", "0xd", "0", "1", "0x7")
                             ONE("0", "0xa", "[nranks=2] stream 0x5")
                                 ONE("1", "0xb", "[nranks=2] stream 0x5"),
                     strlen(INIT("0", "0xa", "0", "2", "0x7")) * 4u +
                         strlen(ONE("0", "0xa", "[nranks=2] stream 0x5")) * 2u,
                     0) == EGRET_OK);
    refused(INIT("0", "0xa", "0", "1", "0x7") INIT("1", "0xb", "0", "1", "0x8")
                ONE("0", "0xa", "[nranks=1] stream 0x5 globalrank 0")
                    ONE("1", "0xb", "[nranks=1] stream 0x5 globalrank 0"),
            "t:2: global rank 0 is that of two processes or devices");
}

/* ---- a log of observed choices ---- */

static void observed(const void *text, size_t n, const char *reason)
{
    struct egret_observations o;
    FILE *f = fmemopen((void *)(uintptr_t)text, n, "rb");
    error.text[0] = '\0';
    if (!CHECK(&t, f != NULL)) {
        return;
    }
    int code = egret_identify_read_file(f, "t", &o, &error);
    (void)fclose(f);
    if (reason) {
        said(code, reason);
    } else if (!CHECK(&t, code == EGRET_OK)) {
        printf("%s\n", error.text);
    }
    egret_observations_free(&o);
}
#define OBSERVED(text, reason) observed(text, sizeof(text) - 1u, reason)

static void csv(void)
{
    static char row[70000];
    OBSERVED("\n\n", "t:3: no header line");
    OBSERVED("a,b\n1,2\n", "t:1: no column is a hash field: src_ip, dst_ip, ip_protocol, "
                           "l4_src_port, l4_dst_port, rdma_bth_dest_qp, rdma_bth_opcode");
    OBSERVED("src_ip\n1.2.3.4\n", "t:1: the header has neither 'hash' nor 'port'");
    OBSERVED("src_ip,hash\n1.2.3,1\n", "t:2: SRC_IP '1.2.3' is no address");
    OBSERVED("dst_ip,hash\n1.2.3.4,1\n\nx,1\n", "t:4: DST_IP 'x' is no address");
    OBSERVED("ip_protocol,hash\n256,1\n", "t:2: IP_PROTOCOL '256' is no number of 8 bits");
    OBSERVED("l4_src_port,hash\n65536,1\n", "t:2: L4_SRC_PORT '65536' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n0x10000,1\n", "t:2: L4_SRC_PORT '0x10000' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n0xg,1\n", "t:2: L4_SRC_PORT '0xg' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n,1\n", "t:2: L4_SRC_PORT '' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n18446744073709551617,1\n",
             "t:2: L4_SRC_PORT '18446744073709551617' is no number of 16 bits");
    OBSERVED("rdma_bth_dest_qp,hash\n16777216,1\n",
             "t:2: RDMA_BTH_DEST_QP '16777216' is no number of 24 bits");
    OBSERVED("l4_src_port,hash\n1,123456789\n",
             "t:2: hash '123456789' is not 1 to 8 hexadecimal digits");
    OBSERVED("l4_src_port,hash\n1,0x\n", "t:2: hash '0x' is not 1 to 8 hexadecimal digits");
    OBSERVED("l4_src_port,hash\n1,12G4\n", "t:2: hash '12G4' is not 1 to 8 hexadecimal digits");
    OBSERVED("l4_src_port,port\n1,256\n", "t:2: port '256' is no port: 0 to 255, drop or -");
    OBSERVED("l4_src_port,port\n1,255,\n", "t:2: 3 cells, and the header has 2");
    OBSERVED("l4_src_port,port\n1,DROP\n2,-\n", "t:4: no observation");
    OBSERVED("l4_src_port,port\n1,drop\n2,255\n", NULL);
    OBSERVED("l4_src_port,hash\n0xAbC,0XfFfFfFfF\n", NULL);
    /* Quotes, blanks, line ends. */
    OBSERVED("\xef\xbb\xbf\"l4_src_port\" ,\t\"po\"\"rt\",port\r\n1,\"a\nb , c\" , 7 \r\n", NULL);
    OBSERVED("\xef\xbb\xbdl4_src_port,port\n1,2\n", "t:1: not text");
    OBSERVED("l4_src_port,port\n\"1\"2,2\n", "t:2: text behind a closing quote");
    OBSERVED("l4_src_port,port\n1\"2\",2\n", "t:2: a quote inside a cell");
    OBSERVED("l4_src_port,port\n1,\"2\n", "t:2: a quote is not closed");
    OBSERVED("l4_src_port,port\n1,\"2\r\n\"", "t:2: port '2?"
                                              "?' is no port: 0 to 255, drop or -");
    OBSERVED("l4_src_port,port\n1,\0\n", "t:2: a NUL byte: not text");
    OBSERVED("l4_src_port,port\n1 1,2\n", "t:2: L4_SRC_PORT '1 1' is no number of 16 bits");
    memset(row, ',', 64);
    observed(row, 64, "t:1: more than 64 cells");
    memset(row, 'a', sizeof row);
    observed(row, sizeof row, "t:1: a row of more than 65534 bytes");
    /* A file that cannot be read: what is open for writing alone. */
    struct egret_observations o;
    FILE *f = fopen("/dev/null", "wb");
    CHECK(&t, f && egret_identify_read_file(f, "t", &o, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strcmp(error.text, "t: Bad file descriptor") == 0);
    if (f) {
        (void)fclose(f);
    }
    CHECK(&t, egret_observations_read("none/such", &o, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strcmp(error.text, "none/such: No such file or directory") == 0);
}

/* ---- which format ---- */

static enum egret_format format(const char *text)
{
    return egret_format_recognise((const uint8_t *)text, strlen(text));
}

static void formats(void)
{
    static const struct {
        const char *text;
        enum egret_format is;
    } some[] = {{"", EGRET_FORMAT_UNKNOWN},
                {"hello", EGRET_FORMAT_UNKNOWN},
                {"# x\n\n7\n", EGRET_FORMAT_HPCC},
                {"Nodes 4\n7\n", EGRET_FORMAT_CM},
                {"Nodes 4\nConnections 1\n", EGRET_FORMAT_CM},
                {"Triggers 4\n", EGRET_FORMAT_CM},
                {"Failures 4\n", EGRET_FORMAT_CM},
                {"# nothing else\n", EGRET_FORMAT_CM},
                {"Nodes 4\nPodsize 2\n", EGRET_FORMAT_TOPO},
                {"Nodes 4\nTiers 2\n", EGRET_FORMAT_TOPO},
                {"Tier 0\n", EGRET_FORMAT_TOPO},
                {"  \t\r\n// x\n/* * / */num_ranks 2", EGRET_FORMAT_GOAL},
                {"// num_ranks 2", EGRET_FORMAT_UNKNOWN},
                {"/* num_ranks 2", EGRET_FORMAT_UNKNOWN},
                {"/num_ranks 2", EGRET_FORMAT_UNKNOWN},
                {"num_rank", EGRET_FORMAT_UNKNOWN},
                {"a NCCL INFO b\n", EGRET_FORMAT_NCCL},
                {"a NCCL INF NCCL INFO b\n", EGRET_FORMAT_NCCL},
                {"a NCCL INFO", EGRET_FORMAT_UNKNOWN},
                {"\x07\x0a\x05"
                 "0.0.4",
                 EGRET_FORMAT_CHAKRA},
                {"\x87\x01\x12\x85\x01", EGRET_FORMAT_CHAKRA},
                {"\x07\x0a\x08"
                 "0.0.4",
                 EGRET_FORMAT_UNKNOWN}, /* longer than its message */
                {"\x07\x0a", EGRET_FORMAT_UNKNOWN},
                {"\x07\x1a\x05"
                 "0.0.4",
                 EGRET_FORMAT_UNKNOWN},
                {"\xff\xff\xff\xff\xff\xff\xff", EGRET_FORMAT_UNKNOWN},
                {"\x1f\x8b", EGRET_FORMAT_UNKNOWN}};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        if (!CHECK(&t, format(some[i].text) == some[i].is)) {
            printf("case %zu: %u\n", i, format(some[i].text));
        }
    }
    static const uint8_t used[8] = {0x26, 0x09}, fresh[8] = {0x7f, 0x10}, empty[1] = {0};
    static const uint8_t first[3] = {0, 2, 8}, none[3] = {0, 1, 8};
    CHECK(&t, egret_format_recognise(used, 8) == EGRET_FORMAT_GOAL_BINARY);
    CHECK(&t, egret_format_recognise(fresh, 8) == EGRET_FORMAT_GOAL_BINARY);
    CHECK(&t, egret_format_recognise(empty, 1) == EGRET_FORMAT_CHAKRA);
    CHECK(&t, egret_format_recognise(first, 3) == EGRET_FORMAT_CHAKRA);
    CHECK(&t, egret_format_recognise(none, 3) == EGRET_FORMAT_UNKNOWN);
    static const uint8_t magic[][4] = {{0xd4, 0xc3, 0xb2, 0xa1},
                                       {0xa1, 0xb2, 0xc3, 0xd4},
                                       {0x4d, 0x3c, 0xb2, 0xa1},
                                       {0xa1, 0xb2, 0x3c, 0x4d},
                                       {0x0a, 0x0d, 0x0d, 0x0a}};
    for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++) {
        uint8_t file[64] = {0};
        memcpy(file, magic[i], 4);
        CHECK(&t, egret_format_recognise(file, sizeof file) == EGRET_FORMAT_CAPTURE);
    }
    /* Packed: looked into; what is damaged is nothing. */
    uint8_t out[200];
    static const char text[] = "num_ranks 1 rank 0 { calc 1 }";
    z_stream z = {0};
    CHECK(&t, deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = sizeof text - 1u;
    z.next_out = out;
    z.avail_out = sizeof out;
    CHECK(&t, deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t n = sizeof out - z.avail_out;
    (void)deflateEnd(&z);
    CHECK(&t, egret_format_recognise(out, n) == EGRET_FORMAT_GOAL);
    out[10] ^= 7; /* behind the header: no block */
    CHECK(&t, egret_format_recognise(out, n) == EGRET_FORMAT_UNKNOWN);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "goal") == 0) {
        goal_text();
        goal_labels();
        goal_bytes();
    } else if (strcmp(what, "logs") == 0) {
        logs();
        several();
    } else if (strcmp(what, "csv") == 0) {
        csv();
    } else if (strcmp(what, "formats") == 0) {
        formats();
    }
    return trace_result(&t);
}
