/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_no_memory_import.c: readers of traces when there is no memory, with more of everything than
 * the first piece of memory holds.
 */
#include "egret/import.h"
#include "trace_no_memory.h"

#define MANY 70u

struct trace {
    const char *path[2];
    size_t files;
    const char *groups; /* of Chakra */
};

static int import(const void *ctx)
{
    const struct trace *f = ctx;
    struct egret_import_options o = {.relax = 31, .zero_size = 1, .comm_groups = f->groups};
    struct egret_schedule s;
    int code = egret_import_load(f->path, f->files, &o, &s, NULL, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

struct text {
    char *bytes;
    size_t n;
};
static char store[400000];

#define ADD(x, ...)                                                                                \
    ((x)->n += (size_t)snprintf((x)->bytes + (x)->n, sizeof store - (x)->n, __VA_ARGS__))

static void write_file(const char *path, const struct text *x)
{
    FILE *f = fopen(path, "wb");
    CHECK(&t, f && fwrite(x->bytes, 1, x->n, f) == x->n && fclose(f) == 0);
}

static void one_file(const char *what, const char *path, const struct text *x)
{
    struct trace f = {{path, NULL}, 1, NULL};
    write_file(path, x);
    CHECK(&t, exhaust(what, import, &f) > 3u);
}

static void goal(const char *path)
{
    struct text x = {store, 0};
    ADD(&x, "num_ranks 2 rank 0 {\n");
    for (unsigned i = 0; i < 10u * MANY; i++) {
        ADD(&x, "label_of_send_%u: send 5b to 1\n", i);
    }
    ADD(&x, "}\nrank 1 {\n");
    for (unsigned i = 0; i < 10u * MANY; i++) {
        ADD(&x, "r%u: recv 5b from 0\nc%u: calc 1\nc%u irequires r%u\n", i, i, i, i);
    }
    ADD(&x, "}\n");
    one_file("goal", path, &x);
}

static void binary_goal(const char *path)
{
    static const uint8_t node[39] = {0, 0, 0, 0, 3, 0, 0, 0, 0, 1};
    struct text x = {store, 0};
    uint32_t n = MANY;
    size_t end = 30u + 8u + MANY * 39u + MANY * 4u;
    memset(store, 0, end);
    memcpy(store, (const uint8_t[]){0x7f, 0x10}, 2);
    store[8] = 1;
    store[14] = 22;
    store[22] = (char)((end - 8u) & 255u);
    store[23] = (char)((end - 8u) >> 8);
    store[30] = (char)n;
    for (unsigned i = 0; i < n; i++) { /* each waits for the one before */
        char *at = store + 38u + i * 39u;
        memcpy(at, node, sizeof node);
        at[23] = i + 1u < n;
        at[27] = (char)i;
        at[0] = i > 0;
        store[38u + n * 39u + i * 4u] = (char)(i + 1u);
    }
    x.n = end;
    one_file("goal, binary", path, &x);
}

static void nccl(const char *path)
{
    struct text x = {store, 0};
    for (unsigned i = 0; i < MANY; i++) {
        ADD(&x, "h:1:2 [%u] NCCL INFO x comm 0x%x rank %u nranks %u commId 0x7 - Init COMPLETE\n",
            i, i + 1u, i, MANY);
    }
    for (unsigned i = 0; i < MANY; i++) {
        ADD(&x,
            "h:1:2 [%u] NCCL INFO AllReduce: opCount 0 count 4 datatype 7 root 0 comm 0x%x "
            "stream 0x%x\n",
            i, i + 1u, i);
    }
    one_file("nccl", path, &x);
}

static void hpcc(const char *path)
{
    struct text x = {store, 0};
    ADD(&x, "%u\n", MANY);
    for (unsigned i = 0; i < MANY; i++) {
        ADD(&x, "0 %u 3 100 1000 2.0\n", i + 1u);
    }
    one_file("hpcc", path, &x);
}

static void matrix(const char *path)
{
    struct text x = {store, 0};
    ADD(&x, "Nodes 16\nConnections %u\nTriggers %u\nFailures %u\n", 2u * MANY, MANY, MANY);
    for (unsigned i = 1; i <= MANY; i++) {
        ADD(&x, "0->1 id %u start 0 size 1 send_done_trigger %u\n", i, i);
        ADD(&x, "0->2 id %u trigger %u size 1\n", 1000u + i, i);
        ADD(&x, "trigger id %u %s\n", i, i % 2u ? "oneshot" : "barrier count 1");
        ADD(&x, "failure switch_type TOR switch_id %u link_id 0\n", i);
    }
    one_file("matrix", path, &x);
}

/* Chakra: a number below 16384 takes two bytes at most. */
static void varint(struct text *x, unsigned v)
{
    if (v > 127u) {
        x->bytes[x->n++] = (char)(v | 128u);
        v >>= 7;
    }
    x->bytes[x->n++] = (char)v;
}

/* Nodes 1 to MANY, each behind the one before; a list of as many groups in the first. */
static void chakra(const char *path, const char *groups)
{
    static char list[4000];
    struct text x = {store, 0}, g = {list, 0};
    memcpy(store,
           "\x07\x0a\x05"
           "0.0.4",
           8);
    x.n = 8;
    g.bytes[g.n++] = '[';
    for (unsigned i = 0; i < MANY; i++) {
        g.n += (size_t)snprintf(list + g.n, sizeof list - g.n,
                                "%s{\"pg_name\":\"%u\",\"ranks\":[0]}", i ? "," : "", i + 1u);
    }
    g.bytes[g.n++] = ']';
    for (unsigned i = 1; i <= MANY; i++) {
        bool first = i == 1u;
        unsigned io = (unsigned)g.n + 3u;
        varint(&x, first ? 2u + 2u + 3u + io : i == 2u ? 4u + 2u : 6u + 0u);
        ADD(&x, "\x08%c\x18%c", (char)i, first ? 1 : 4);
        if (first) {
            ADD(&x, "\x42");
            varint(&x, io);
            ADD(&x, "\x0a");
            varint(&x, (unsigned)g.n);
            memcpy(x.bytes + x.n, list, g.n);
            x.n += g.n;
        } else {
            ADD(&x, "\x28%c", (char)(i - 1u));
        }
    }
    struct trace f = {{path, NULL}, 1, groups};
    write_file(path, &x);
    struct text j = {store, 0};
    ADD(&j, "{\"99\": [0]}");
    write_file(groups, &j);
    CHECK(&t, exhaust("chakra", import, &f) > 3u);
}

int main(void)
{
    char name[2][300];
    const char *path = trace_scratch(name[0], sizeof name[0], "no_memory.0.et");
    const char *groups = trace_scratch(name[1], sizeof name[1], "no_memory.json");
    goal(path);
    binary_goal(path);
    nccl(path);
    hpcc(path);
    matrix(path);
    chakra(path, groups);
    (void)remove(path);
    (void)remove(groups);
    return trace_result(&t);
}
