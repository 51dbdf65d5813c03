/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_cut.c: a trace packed as a gzip file that is cut short, behind each of its bytes: whatever
 * the reader is at then, it says that the file ends too early and where, not that a word is wrong.
 */
#include "egret/import.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

#define HEAD 15u /* of gzip, and of a block that is stored as it is */

static void put(uint8_t *to, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        to[i] = (uint8_t)(v >> 8u * i);
    }
}

/* The first k of n bytes, in a gzip file that is cut behind them. */
static void write_cut(const char *path, const uint8_t *bytes, size_t n, size_t k)
{
    uint8_t head[HEAD] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1};
    put(head + 11, n, 2);
    put(head + 13, ~n & 0xffffu, 2);
    FILE *f = fopen(path, "wb");
    CHECK(&t,
          f && fwrite(head, 1, HEAD, f) == HEAD && fwrite(bytes, 1, k, f) == k && fclose(f) == 0);
}

static int import(const char *const *path, size_t files)
{
    struct egret_import_options o = {.relax = 31, .zero_size = 1};
    struct egret_schedule s;
    error.text[0] = '\0';
    int code = egret_import_load(path, files, &o, &s, NULL, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

/* Each cut from where the format is plain. `first`, if any, is a whole file before it. */
static void cuts(const char *what, const uint8_t *bytes, size_t n, const char *name,
                 const char *first)
{
    char at[300], wanted[400];
    const char *path[2] = {first, trace_scratch(at, sizeof at, name)};
    enum egret_format is = egret_format_recognise(bytes, n);
    size_t tried = 0;
    for (size_t k = 1; k <= n; k++) {
        if (!first && egret_format_recognise(bytes, k) != is) {
            continue;
        }
        write_cut(path[1], bytes, n, k);
        (void)snprintf(wanted, sizeof wanted, "%s: byte %zu: gzip: ends too early", path[1], k);
        int code = import(first ? path : path + 1, first ? 2 : 1);
        if (!CHECK(&t, code == EGRET_ERR_RANGE && strcmp(error.text, wanted) == 0)) {
            printf("%s: code %d, '%s', wanted '%s'\n", what, code, error.text, wanted);
        }
        tried++;
    }
    CHECK(&t, tried > n / 2u);
    (void)remove(path[1]);
}

static void corpus(const char *what, const char *name)
{
    static uint8_t bytes[65536];
    FILE *f = fopen(what, "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes - 1u, f) : 0;
    CHECK(&t, f && fclose(f) == 0 && n > 0);
    CHECK(&t, import(&what, 1) == EGRET_OK);
    cuts(what, bytes, n, name, NULL);
}

/* Words of all kinds: comments of both kinds, labels, wildcards. */
static const char goal[] =
    "// a\nnum_ranks 2 /* b */ rank 0 {\na: calc 5 cpu 1\nb: send 7b to 1 tag "
    "3 nic 2\nb requires a\n}\nrank 1 {\nc: recv 7b from -1 tag -1\nd: calc "
    "1\nd irequires c }";

/* Two flows, and one more than the first line says. */
static const char flows[] = "2\n0 1 3 100 5 2.0\n\n1 0 3 101 6 2.5\r\n1 2 3 7 1 0\n";

/* One rank with a calc of 1 ns in GOAL's binary form: header, counts, a record of 39 bytes. */
static void goal_binary(void)
{
    uint8_t b[81] = {0};
    put(b, 4223, 8);
    put(b + 8, 1, 4);
    put(b + 14, 22, 8);
    put(b + 22, sizeof b - 8u, 8);
    put(b + 30, 1, 4);
    b[42] = 3;
    put(b + 47, 1, 8);
    cuts("goal binary", b, sizeof b, "cut.bin", NULL);
}

int main(void)
{
    char at[300];
    const char *first = trace_scratch(at, sizeof at, "cut.0.log");
    static const char log[] = "h:1:1 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 "
                              "count 4 datatype 7 op 0 root 0 comm 0xa [nranks=2] stream 0x5\n";
    FILE *f = fopen(first, "wb");
    CHECK(&t, f && fputs(log, f) >= 0 && fclose(f) == 0);
    corpus("cmodel/test/corpus/goal/small.goal", "cut.goal");
    corpus("cmodel/test/corpus/nccl/init.txt", "cut.log");
    corpus("cmodel/test/corpus/nccl/rccl.txt", "cut.log");
    corpus("cmodel/test/corpus/chakra/one.et", "cut.0.et");
    corpus("cmodel/test/corpus/cm/triggers.cm", "cut.cm");
    cuts("goal", (const uint8_t *)goal, sizeof goal - 1u, "cut.goal", NULL);
    cuts("hpcc", (const uint8_t *)flows, sizeof flows - 1u, "cut.txt", NULL);
    goal_binary();
    cuts("second log", (const uint8_t *)log, sizeof log - 1u, "cut.1.log", first);
    (void)remove(first);
    return trace_result(&t);
}
