/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_refusals_logs.c: one wrong thing in a log of NCCL, or in a flow file of HPCC.
 */
#include "trace_refusals.h"

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
                                          "h [0]", "[0",       "h:1 [0]",  ":1 [0]"};
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

/* Lines that are no lines of text, words at their limits, who is in which communicator. */
static void log_lines(void)
{
    static char text[140000];
    size_t n = (size_t)snprintf(text, sizeof text, "x NCCL INFO y\n");
    memset(text + n, 'z', 65536);
    refused(text, "t:2: a line of more than 65535 bytes");
    text[n + 65535u] = '\0';
    refused(text, "t: no call in it (NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL)");
    memcpy(text + n, "ab\0c\n", 5);
    said(import(text, n + 5u, 0), "t:2: byte 2 of the line is zero");
    n = (size_t)snprintf(text, sizeof text, "%0300u:1:2 [0] NCCL INFO AllReduce%s stream 0x5\n", 0u,
                         CALL);
    said(import(text, n, 0), "t:1: a call without host:pid:tid [dev]");
    refused(LOG "AllReduce: opCount 0 count 18446744073709551615 datatype 7 root 0 comm 0xa "
                "[nranks=1] stream 0x5\n",
            "t:1: datatype, count or root is out of range");
    refused(LOG "AllReduce: opCount 0 count 4 datatype 7 root 4294967295 comm 0xa [nranks=1] "
                "stream 0x5\n",
            "t:1: datatype, count or root is out of range");
    refused(LOG "AllReduce: opCount 0 count  4 datatype 7 root 0 comm 0xa stream 0x5\n", WITHOUT);
    refused(LOG "AllReduce: opCount 00000000000000000000000000000000 count 4 datatype 7 root 0 "
                "comm 0xa stream 0x5\n", /* 32 digits */
            WITHOUT);
    static const char *const rooted[] = {"Reduce", "Gather", "Scatter"};
    for (size_t i = 0; i < 3u; i++) {
        (void)snprintf(text, sizeof text, "%s%s%s [nranks=1] stream 0x5\n", LOG, rooted[i],
                       SIZED("4", "1"));
        refused(text, "t:1: root 1 of a communicator of 1 ranks");
    }
    refused(
        "h:1:2 [0] NCCL INFO Broadcast: opCount 0 count 4 datatype 7 root 0 comm 0xa [nranks=2] "
        "stream 0x5\n" ONE("1", "0xb", "[nranks=2] stream 0x5"),
        "t:2: collective 1 of process group 'communicator': rank 1 has all-reduce of 16 bytes, "
        "rank 0 has broadcast of 16");
    refused(ONE("0", "0xa", "[nranks=2] stream 0x5") ONE("1", "0xb", "[nranks=2] stream 0x5")
                ONE("2", "0xc", "[nranks=1] stream 0x5"),
            "t:3: its process is in no communicator of all 3 processes");
    /* Good: a prefix of the launcher, an Init line that is none, the same Init line twice, two
     * calls at once on one stream; then communicators of two sizes. */
    static const char *const good[] = {
        "[1,0]<stdout>" ONE("0", "0xa", "[nranks=1] stream 0x5"),
        LOG "x comm 0xa Init rank 0\n" LOG
            "x comm 0xa rank 0 nranks 9\n" ONE("0", "0xa", "[nranks=1] stream 0x5"),
        INIT("0", "0xa", "0", "1", "0x7") INIT("0", "0xa", "0", "1", "0x7")
            ONE("0", "0xa", "stream 0x5") ONE("0", "0xa", "stream 0x5"),
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!CHECK(&t, import(good[i], strlen(good[i]), 0) == EGRET_OK)) {
            printf("case %zu: %s\n", i, error.text);
        }
    }
    static const char sizes[] = ONE("0", "0xa", "[nranks=2] stream 0x5")
        ONE("1", "0xb", "[nranks=2] stream 0x5") ONE("0", "0xc", "[nranks=1] stream 0x5");
    CHECK(&t, import(sizes, sizeof sizes - 1u, 0) == EGRET_OK);
}

static void flow_lines(void)
{
    char text[700] = "1\n";
    memset(text + 2, '7', 600);
    refused(text, "t:2: a flow is: src dst pg dport bytes start_seconds");
    said(import("1\n0 1 3 1 1 0\0\n", 15, 0),
         "t:2: a flow is: src dst pg dport bytes start_seconds");
    (void)snprintf(text, sizeof text, "1\n0 1 3 1 1 1.%050u\n", 0u);
    refused(text, "t:2: a flow is: src dst pg dport bytes start_seconds");
    refused("# x\n1\n0 1 3 1 1 0\n", "t:1: the first line is the number of flows");
    static const char more[] = "1\n0 1 3 1 1 0\n0 1 8 1 1 0\n";
    said(import(more, sizeof more - 1u, EGRET_RELAX_COUNTS), "t:3: pg is 0 to 7, dport 0 to 65535");
}

static void progress(void *user, uint64_t bytes, uint64_t of)
{
    CHECK(&t, bytes <= of || of == 0);
    *(uint64_t *)user = of;
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
    said(egret_import_load(path, 65537, NULL, &s, NULL, &error),
         "65537 files, 1 to 65536 are allowed");
    /* How far it is: of all bytes, unless a file's size is not known. */
    uint64_t of = 0;
    struct egret_import_options o = {.progress = progress, .user = &of};
    if (CHECK(&t, egret_import_load(path, 2, &o, &s, &report, &error) == EGRET_OK)) {
        CHECK(&t, of == strlen(text[0]) + strlen(text[1]));
        egret_schedule_free(&s);
    }
    (void)remove(path[1]);
    CHECK(&t, egret_import_load(path, 2, &o, &s, &report, &error) == EGRET_ERR_RANGE && of == 0);
    const char *const device[2] = {path[0], "/dev/null"};
    CHECK(&t, egret_import_load(device, 2, &o, &s, &report, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strcmp(error.text, "/dev/null: is a device, not a file") == 0 && of == 0);
    const char *const flows[2] = {path[1], path[0]};
    FILE *f = fopen(path[1], "wb");
    CHECK(&t, f && fputs("0\n", f) >= 0 && fclose(f) == 0);
    char reason[400];
    (void)snprintf(reason, sizeof reason,
                   "%s: only Chakra traces and NCCL logs are of several files", path[0]);
    said(egret_import_load(flows, 2, NULL, &s, NULL, &error), reason);
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

int main(void)
{
    logs();
    log_lines();
    flow_lines();
    several();
    return trace_result(&t);
}
