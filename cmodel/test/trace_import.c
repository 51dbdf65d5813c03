/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_import.c: GOAL, HPCC and NCCL files made by hand, what they hold, and what is refused.
 * usage: trace_import goal|hpcc|nccl
 */
#include "egret/import.h"
#include "trace_test.h"

static struct egret_trace_error error;
static struct egret_import_report report;

/* Code of the import; the schedule is freed unless it is wanted. */
static int load(const char *text, size_t n, uint32_t relax, struct egret_schedule *want)
{
    struct egret_import_options o = {.relax = relax};
    struct egret_schedule s;
    error.text[0] = '\0';
    int code = egret_import_bytes((const uint8_t *)text, n, "t", &o, &s, &report, &error);
    if (code == EGRET_OK && want) {
        *want = s;
    } else if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

/* Refused with exactly this text; with the bit of relax (0: none) it passes. */
static void refused(struct trace_test *t, const char *text, const char *reason, uint32_t relax)
{
    CHECK(t, load(text, strlen(text), 0, NULL) == EGRET_ERR_RANGE);
    if (!CHECK(t, strcmp(error.text, reason) == 0)) {
        printf("'%s', wanted '%s'\n", error.text, reason);
    }
    if (relax) {
        CHECK(t, load(text, strlen(text), relax, NULL) == EGRET_OK);
        CHECK(t, report.relaxed > 0);
        CHECK(t, load(text, strlen(text), 31u & ~relax, NULL) == EGRET_ERR_RANGE);
    }
}

/* Does an edge from `before` with that event lead to `after`? */
static int edge(const struct egret_schedule *s, uint32_t before, unsigned event, uint32_t after)
{
    int found = 0;
    for (uint32_t i = s->first[before]; i < s->first[before + 1u]; i++) {
        found += egret_edge_to(s->edge[i]) == after && egret_edge_event(s->edge[i]) == event;
    }
    return found;
}

static void goal_text(struct trace_test *t)
{
    static const char text[] = "/* two\nlines */num_ranks 2\n"
                               "rank 0 {\n"
                               "a: send 5000000000b to 1 tag 0000000010 cpu 1 nic 2\n"
                               "b: recv 7b from 1 tag 9\n"
                               "c: calc 0010 cpu 3 // ten\n"
                               "b requires a\n"
                               "c irequires b\n"
                               "e: calc 1\n"
                               "e requires b\n"
                               "}\n"
                               "rank 1 { recv 5000000000b from 0 tag 10 d : send 7b to 0 tag 9 }";
    struct egret_schedule s;
    if (!CHECK(t, load(text, sizeof text - 1u, 0, &s) == EGRET_OK)) {
        printf("%s\n", error.text);
        return;
    }
    /* 0 send, 1 recv, 2 and 3 calc, 4 what the recv requires, 5 recv, 6 send */
    CHECK(t, s.ranks == 2 && s.ops == 7 && s.edges == 6);
    CHECK(t, s.op[0].kind == EGRET_OP_MESSAGE && s.op[0].amount == 5000000000u);
    CHECK(t, s.op[0].tag == 10 && s.op[0].where == 4 && s.op[0].src == 0 && s.op[0].dst == 1);
    CHECK(t, s.op[2].amount == 10000 && s.op[2].kind == EGRET_OP_DELAY);
    CHECK(t, edge(&s, 0, EGRET_ON_DONE, 5) == 1);
    CHECK(t, edge(&s, 6, EGRET_ON_DONE, 1) == 1);
    CHECK(t, edge(&s, 0, EGRET_ON_SENT, 4) == 1);
    CHECK(t, edge(&s, 4, EGRET_ON_DONE, 1) == 1);
    CHECK(t, edge(&s, 4, EGRET_ON_DONE, 2) == 1);
    CHECK(t, edge(&s, 1, EGRET_ON_DONE, 3) == 1); /* requires: its end */
    CHECK(t, report.sends == 2 && report.recvs == 2 && report.compute_nodes == 2);
    CHECK(t, report.nodes == 6 && report.format == EGRET_FORMAT_GOAL);
    egret_schedule_free(&s);
}

static void goal_matching(struct trace_test *t)
{
    /* Exact receives come first, then any source, any tag, in the order of the sends. */
    static const char text[] =
        "num_ranks 3 rank 0 {\nrecv 1b from -1 tag -1\nrecv 1b from -1 tag 5\n"
        "recv 1b from 1 tag -1\nrecv 1b from 2 tag 5\n}\n"
        "rank 1 { send 1b to 0 tag 5 send 1b to 0 tag 6 }\n"
        "rank 2 { send 1b to 0 tag 5 send 1b to 0 tag 7 }";
    struct egret_schedule s;
    if (!CHECK(t, load(text, sizeof text - 1u, 0, &s) == EGRET_OK)) {
        printf("%s\n", error.text);
        return;
    }
    CHECK(t, edge(&s, 6, EGRET_ON_DONE, 3) == 1); /* 2 tag 5 */
    CHECK(t, edge(&s, 4, EGRET_ON_DONE, 1) == 1); /* any tag 5: what is left of it */
    CHECK(t, edge(&s, 5, EGRET_ON_DONE, 2) == 1); /* from 1 */
    CHECK(t, edge(&s, 7, EGRET_ON_DONE, 0) == 1);
    egret_schedule_free(&s);
}

static void goal_refusals(struct trace_test *t)
{
    refused(t, "num_ranks 1 rank 0 {\nx: calc 1\nx requires y\n}",
            "t:3: no label 'y' above it in rank 0 (--allow-dangling)", EGRET_RELAX_DANGLING);
    refused(t, "num_ranks 1 rank 0 { x: calc 1\nx: calc 1 }", "t:2: label 'x' is there already", 0);
    refused(t, "num_ranks 2\nrank 0 { send 1b to 1\n}\nrank 1 { }",
            "t:2: send from rank 0 to rank 1, tag 0, has no recv (--allow-unmatched)",
            EGRET_RELAX_UNMATCHED);
    refused(t, "num_ranks 2\nrank 0 { recv 1b from -1 tag 3\n}\nrank 1 { }",
            "t:2: recv from rank any to rank 0, tag 3, has no send (--allow-unmatched)",
            EGRET_RELAX_UNMATCHED);
    refused(t, "num_ranks 2\nrank 0 { send 1b to 1 }\nrank 1 { recv 2b from 0 }",
            "t:3: rank 1 receives 2 bytes, rank 0 sends 1 in operation at 2 (--allow-counts)",
            EGRET_RELAX_COUNTS);
    refused(t, "num_ranks 2\nrank 0 { send 0b to 1 }\nrank 1 { recv 0b from 0 }",
            "t:2: a send of 0 bytes (--allow-zero)", EGRET_RELAX_SIZES);
    refused(t, "num_ranks 2\nrank 0 { }\n",
            "t:3: num_ranks 2, but there is no rank 1 (--allow-counts)", EGRET_RELAX_COUNTS);
    refused(t, "num_ranks 2\nrank 2 { }", "t:2: a rank is a number, 0 to 1, not '2'", 0);
    refused(t, "num_ranks 1 rank 0 { send 1b to 0 }", "t:1: rank 0 sends to itself", 0);
    refused(t, "num_ranks 1 rank 0 {\n/* open", "t:2: a comment without an end", 0);
    refused(t, "num_ranks 2 rank 0 { send 18446744073709551616b to 1 }",
            "t:1: a size is bytes with a b behind, not '18446744073709551616b'", 0);
    const char *cycle = "num_ranks 1 rank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}";
    CHECK(t, load(cycle, strlen(cycle), 31, NULL) == EGRET_ERR_RANGE);
    CHECK(t, strstr(error.text, "t:2: ") && strstr(error.text, "cycle"));
}

struct bytes {
    uint8_t b[512];
    size_t n;
};
static void put(struct bytes *b, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        b->b[b->n++] = (uint8_t)(v >> 8u * i);
    }
}
static void put_node(struct bytes *b, unsigned waits, unsigned type, uint32_t peer, uint64_t size,
                     uint32_t tag, uint32_t done, uint32_t at, uint32_t start, uint32_t start_at)
{
    put(b, waits, 4);
    put(b, type, 1);
    put(b, peer, 4);
    put(b, size, 8);
    put(b, tag, 4);
    put(b, 0, 2);
    put(b, done, 4);
    put(b, at, 4);
    put(b, start, 4);
    put(b, start_at, 4);
}

/* Rank 0: a calc, then a send; another calc waits for the start of the send. Rank 1: a recv. */
static void goal_binary(struct trace_test *t)
{
    struct bytes b = {{0}, 0};
    struct egret_schedule s;
    size_t base = 8;
    put(&b, 4223, 8);
    put(&b, 2, 4);
    put(&b, 0, 2);
    size_t table = b.n;
    b.n += 32;
    size_t start0 = b.n;
    put(&b, 3, 4);
    put(&b, 1, 4);
    put(&b, 0, 4);
    put_node(&b, 0, 3, 0, 10, 0, 1, 0, 0, 1);
    put_node(&b, 1, 1, 1, (uint64_t)1 << 33, 4, 0, 1, 1, 1);
    put_node(&b, 1, 3, 0, 7, 0, 0, 2, 0, 2);
    put(&b, 1, 4); /* appendix */
    put(&b, 2, 4);
    size_t start1 = b.n;
    put(&b, 1, 4);
    put(&b, 1, 4);
    put(&b, 0, 4);
    put_node(&b, 0, 2, UINT32_MAX, (uint64_t)1 << 33, UINT32_MAX, 0, 0, 0, 0);
    size_t end = b.n;
    b.n = table;
    put(&b, start0 - base, 8);
    put(&b, start1 - base, 8);
    put(&b, start1 - base, 8);
    put(&b, end - base, 8);
    b.n = end;
    if (!CHECK(t, load((char *)b.b, b.n, 0, &s) == EGRET_OK)) {
        printf("%s\n", error.text);
        return;
    }
    CHECK(t, report.format == EGRET_FORMAT_GOAL_BINARY && s.ranks == 2 && s.ops == 4);
    CHECK(t, s.op[0].amount == 10000 && s.op[1].amount == (uint64_t)1 << 33);
    CHECK(t, edge(&s, 0, EGRET_ON_DONE, 1) == 1 && edge(&s, 1, EGRET_ON_START, 2) == 1);
    CHECK(t, edge(&s, 1, EGRET_ON_DONE, 3) == 1 && s.edges == 3);
    egret_schedule_free(&s);
    for (size_t n = 8; n < end; n++) { /* cut anywhere */
        CHECK(t, load((char *)b.b, n, 0, NULL) == EGRET_ERR_RANGE && error.text[0]);
    }
    b.b[start0 + 12] = 2; /* what the first node waits for */
    CHECK(t, load((char *)b.b, b.n, 0, NULL) == EGRET_ERR_RANGE);
    CHECK(t, strstr(error.text, "says that it waits for 2 nodes, but 0 say so") != NULL);
    CHECK(t, load((char *)b.b, b.n, EGRET_RELAX_COUNTS, NULL) == EGRET_OK);
}

static void hpcc(struct trace_test *t)
{
    static const char text[] = "2\r\n0 1 3 100 5000000000 2.000000005\n5 3 3 101 1 0";
    struct egret_schedule s;
    if (CHECK(t, load(text, sizeof text - 1u, 0, &s) == EGRET_OK)) {
        CHECK(t, s.ranks == 6 && s.ops == 2 && s.op[0].amount == 5000000000u);
        CHECK(t, s.op[0].start_ps == 2000000005000u && s.op[0].where == 2 && s.op[0].tag == 100);
        CHECK(t, s.op[1].src == 5 && s.op[1].dst == 3 && s.op[1].start_ps == 0);
        CHECK(t, s.op[0].pair != s.op[1].pair);
        egret_schedule_free(&s);
    }
    refused(t, "2\n0 1 3 1 1 0\n", "t:1: 2 flows, but the file has 1 (--allow-counts)",
            EGRET_RELAX_COUNTS);
    refused(t, "1\n0 1 3 1 1 0\n0 1 3 1 1 0\n", "t:3: more flows than line 1 says (--allow-counts)",
            EGRET_RELAX_COUNTS);
    const char *more = "1\n0 1 3 1 1 0\n0 1 3 1 2 0\n\n4 1 3 1 4 0\n";
    if (CHECK(t, load(more, strlen(more), EGRET_RELAX_COUNTS, &s) == EGRET_OK)) {
        CHECK(t, s.ops == 3 && s.ranks == 5 && s.op[2].amount == 4); /* the content counts */
        egret_schedule_free(&s);
    }
    refused(t, "1\n0 1 3 1 1 0\n\nFirst line: count\n",
            "t:4: text behind the last flow (--allow-trailing)", EGRET_RELAX_TRAILING);
    refused(t, "1\n0 1 3 1 0 0\n", "t:2: a flow of 0 bytes (--allow-zero)", EGRET_RELAX_SIZES);
    refused(t, "1\n0 0 3 1 1 0\n", "t:2: src and dst are two nodes of 0 to 1048575", 0);
    refused(t, "1\n0 1 8 1 1 0\n", "t:2: pg is 0 to 7, dport 0 to 65535", 0);
    refused(t, "1\n0 1 3 1 1 -1\n", "t:2: a flow is: src dst pg dport bytes start_seconds", 0);
}

#define CALL(dev, verb, op, count, type, root, comm, rest)                                         \
    "h:1" #dev ":9 [" #dev "] NCCL INFO " verb ": opCount " op                                     \
    " sendbuff 0x1 recvbuff 0x2 count " count " datatype " type " op 0 root " root " comm " comm   \
    " [nranks=2] stream 0x5" rest "\n"
#define INIT(dev, comm, id)                                                                        \
    "x h:1" #dev ":9 [" #dev "] NCCL INFO ncclCommInitRank comm " comm " rank " #dev               \
    " nranks 2 cudaDev 0 busId 1 commId " id " - Init COMPLETE\n"

static void nccl(struct trace_test *t)
{
    /* All-reduce of 1024 floats, all-gather of 16 halves a rank, a send; opCount is hexadecimal. */
    static const char text[] = INIT(0, "0xa", "0x77") "noise\n" INIT(1, "0xb", "0x77")
        CALL(0, "AllReduce", "1e7", "1024", "7", "0", "0xa", "")
            CALL(1, "AllReduce", "1e7", "1024", "7", "0", "0xb", "")
                CALL(0, "AllGather", "1e8", "16", "6", "0", "0xa", "")
                    CALL(1, "AllGather", "1e8", "16", "6", "0", "0xb", "")
                        CALL(0, "Send", "1e9", "3", "8", "1", "0xa", "")
                            CALL(1, "Recv", "1e9", "3", "8", "0", "0xb", "");
    static const char rccl[] =
        CALL(0, "Broadcast", "3", "10", "0", "1", "0xa", " task 0 globalrank 1")
            CALL(1, "Broadcast", "3", "10", "0", "1", "0xa", " task 0 globalrank 0");
    struct egret_schedule s;
    struct egret_schedule_summary sum;
    if (CHECK(t, load(text, sizeof text - 1u, 0, &s) == EGRET_OK)) {
        CHECK(t, s.ranks == 2 && report.sends == 1 && report.recvs == 1 && report.nodes == 6);
        CHECK(t, report.collectives[EGRET_COLL_ALL_REDUCE] == 2);
        CHECK(t, report.collective_bytes[EGRET_COLL_ALL_REDUCE] == 8192);
        CHECK(t, report.collective_bytes[EGRET_COLL_ALL_GATHER] == 128);
        CHECK(t, egret_schedule_summary(&s, &sum) == EGRET_OK);
        CHECK(t, sum.bytes == 2 * 4096 + 2 * 32 + 24); /* 2 (p-1)/p of each rank's buffer */
        egret_schedule_free(&s);
    } else {
        printf("%s\n", error.text);
    }
    if (CHECK(t, load(rccl, sizeof rccl - 1u, 0, &s) == EGRET_OK)) {
        uint32_t i = 0;
        while (i + 1u < s.ops && s.op[i].kind != EGRET_OP_MESSAGE) {
            i++;
        }
        CHECK(t, s.op[i].src == 1 && s.op[i].dst == 0 && s.op[i].amount == 10);
        egret_schedule_free(&s);
    } else {
        printf("%s\n", error.text);
    }
    refused(t,
            INIT(0, "0xa", "1") INIT(1, "0xb", "1")
                CALL(0, "AllReduce", "0", "1", "7", "0", "0xa", ""),
            "t:3: collective 1 of process group 'communicator': rank 0 has it, rank 1 does not "
            "(--allow-unmatched)",
            EGRET_RELAX_UNMATCHED);
    refused(t,
            CALL(0, "AllReduce", "0", "1", "7", "0", "0xa", "")
                CALL(1, "AllReduce", "0", "1", "8", "0", "0xb", ""),
            "t:2: collective 1 of process group 'communicator': rank 1 has all-reduce of 8 bytes, "
            "rank 0 has all-reduce of 4",
            0);
    refused(t,
            CALL(0, "AllReduce", "0", "0", "7", "0", "0xa", "")
                CALL(1, "AllReduce", "0", "0", "7", "0", "0xb", ""),
            "t:1: a collective without a size (--allow-zero)", EGRET_RELAX_SIZES);
    refused(t, CALL(0, "AllReduce", "0", "1", "12", "0", "0xa", ""),
            "t:1: datatype, count or root is out of range", 0);
    refused(t, CALL(0, "AllReduce", "0x", "1", "7", "0", "0xa", ""),
            "t:1: a call without opCount (hexadecimal), count, datatype, root, comm and stream", 0);
}

int main(int argc, char **argv)
{
    struct trace_test t = {0, 0};
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "goal") == 0) {
        goal_text(&t);
        goal_matching(&t);
        goal_refusals(&t);
        goal_binary(&t);
    } else if (strcmp(what, "hpcc") == 0) {
        hpcc(&t);
    } else if (strcmp(what, "nccl") == 0) {
        nccl(&t);
    }
    return trace_result(&t);
}
