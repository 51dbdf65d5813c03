/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_refusals_goal.c: one wrong thing in a GOAL file, text or binary.
 */
#include "trace_refusals.h"

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
    refused("num_ranks 2 rank 0 { {", "t:1: send, recv, calc, a label or '}' comes here, not '{'");
    refused("num_ranks 1 rank 0 { b: calc 1 a requires b }",
            "t:1: no label 'a' above it in rank 0 (--allow-dangling)");
    refused("num_ranks 1 rank 0 { a: calc 1 a requires b }",
            "t:1: no label 'b' above it in rank 0 (--allow-dangling)");
    refused("num_ranks 2 rank 0 { recv 1b from 1 tag 5 } rank 1 { }",
            "t:1: recv from rank 1 to rank 0, tag 5, has no send (--allow-unmatched)");
    refused("num_ranks 2 rank 0 { recv 1b from -1 tag 5 } rank 1 { }",
            "t:1: recv from rank any to rank 0, tag 5, has no send (--allow-unmatched)");
    refused("num_ranks 2 rank 0 { recv 1b from 1 tag -1 } rank 1 { }",
            "t:1: recv from rank 1 to rank 0, tag any, has no send (--allow-unmatched)");
    refused("num_ranks 2 rank 0 { send 1b to 1 tag 5 } rank 1 { }",
            "t:1: send from rank 0 to rank 1, tag 5, has no recv (--allow-unmatched)");
    /* What stands beside digits and letters, and above all of them. */
    static const char beside[] = "!@[`~";
    for (size_t i = 0; beside[i]; i++) {
        char bad[60], reason[60];
        (void)snprintf(bad, sizeof bad, "num_ranks 1 rank 0 { calc 1%c }", beside[i]);
        (void)snprintf(reason, sizeof reason, "t:1: unexpected byte 0x%02x", (unsigned)beside[i]);
        refused(bad, reason);
    }
    static const char blanks[] = "\tnum_ranks\r\n1\trank\r0 {\t}\r\n";
    CHECK(&t, import(blanks, sizeof blanks - 1u, 0) == EGRET_OK);
    char word[400] = "num_ranks";
    memset(word + 9, 's', 300);
    refused(word, "t:1: a word of more than 255 characters");
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

/* Labels that are not there, on either side; what waits for the start of a receive waits for one
 * join, however many do; compute nodes that take no time. */
static void goal_waits(void)
{
    static const char *const dangling[] = {"a: calc 1 a requires b", "b: calc 1 a requires b",
                                           "a irequires b"};
    for (size_t i = 0; i < 3u; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "num_ranks 1 rank 0 { %s }", dangling[i]);
        CHECK(&t, import(text, strlen(text), 0) == EGRET_ERR_RANGE);
        CHECK(&t, import(text, strlen(text), EGRET_RELAX_DANGLING) == EGRET_OK);
    }
    static const char text[] = "num_ranks 2 rank 0 { send 1b to 1 } rank 1 { r: recv 1b from 0 "
                               "c: calc 5 d: calc 7 c irequires r d irequires r }";
    for (unsigned none = 0; none < 2u; none++) {
        struct egret_import_options o = {.no_compute = none != 0};
        struct egret_schedule s;
        uint64_t ps = 0;
        if (CHECK(&t, egret_import_bytes((const uint8_t *)text, sizeof text - 1u, "t", &o, &s, NULL,
                                         &error) == EGRET_OK)) {
            for (size_t i = 0; i < s.ops; i++) {
                ps += s.op[i].kind == EGRET_OP_DELAY ? s.op[i].amount : 0;
            }
            CHECK(&t, s.ops == 5 && ps == (none ? 0u : 12000u));
            egret_schedule_free(&s);
        }
    }
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
    binary(14, 1000, 8,
           "t: byte 14: rank 0: its section is outside the file, or not behind that of "
           "the rank before");
    binary(22, 1000, 8,
           "t: byte 14: rank 0: its section is outside the file, or not behind that of "
           "the rank before");
    binary(22, 10, 8, "t: byte 30: rank 0: its section is outside the file");
    binary(GOAL_NODE + 4u, 2, 5,
           "t: byte 38: recv from rank 0 to rank 0, tag 0, has no send (--allow-unmatched)");
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

int main(void)
{
    goal_text();
    goal_labels();
    goal_waits();
    goal_bytes();
    return trace_result(&t);
}
