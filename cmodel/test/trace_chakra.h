/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_chakra.h: an encoder of Chakra traces, for the tests of their reader.
 */
#ifndef EGRET_TRACE_CHAKRA_TEST_H
#define EGRET_TRACE_CHAKRA_TEST_H

#include "egret/import.h"
#include "trace_test.h"

static struct egret_trace_error error;
static struct egret_import_report report;

struct bytes {
    uint8_t b[4096];
    size_t n;
};
static inline void varint(struct bytes *b, uint64_t v)
{
    for (; v > 127u; v >>= 7) {
        b->b[b->n++] = (uint8_t)(v | 128u);
    }
    b->b[b->n++] = (uint8_t)v;
}
static inline void number(struct bytes *b, unsigned field, uint64_t v)
{
    varint(b, field << 3);
    varint(b, v);
}
static inline void string(struct bytes *b, unsigned field, const void *s, size_t n)
{
    varint(b, field << 3 | 2u);
    varint(b, n);
    memcpy(b->b + b->n, s, n);
    b->n += n;
}
/* An attribute whose value is of oneof field `kind`. */
static inline void attr(struct bytes *b, const char *name, unsigned kind, uint64_t v)
{
    struct bytes a = {{0}, 0};
    string(&a, 1, name, strlen(name));
    bool fixed32 = kind == 19u || kind == 23u;
    bool fixed64 = kind == 21u || kind == 25u;
    if (fixed32 || fixed64) {
        varint(&a, kind << 3 | (fixed32 ? 5u : 1u));
        for (unsigned i = 0; i < (fixed32 ? 4u : 8u); i++) {
            a.b[a.n++] = (uint8_t)(v >> 8u * i);
        }
    } else {
        number(&a, kind, kind == 15u || kind == 17u ? v << 1 : v);
    }
    string(b, 10, a.b, a.n);
}
static inline void name_attr(struct bytes *b, const char *name, const char *value)
{
    struct bytes a = {{0}, 0};
    string(&a, 1, name, strlen(name));
    string(&a, 29, value, strlen(value));
    string(b, 10, a.b, a.n);
}
/* The start of a node: id (0 is left out), name, type. */
static inline struct bytes node(uint64_t id, unsigned type)
{
    struct bytes b = {{0}, 0};
    if (id) {
        number(&b, 1, id);
    }
    string(&b, 2, "n", 1);
    number(&b, 3, type);
    return b;
}
static inline void record(struct bytes *file, const struct bytes *message)
{
    varint(file, message->n);
    memcpy(file->b + file->n, message->b, message->n);
    file->n += message->n;
}
static inline struct bytes start(void)
{
    struct bytes file = {{0}, 0};
    struct bytes meta = {{0}, 0};
    string(&meta, 1, "0.0.4", 5);
    record(&file, &meta);
    return file;
}

#define RANKS 4u
static char path[RANKS][512];
static const char *paths[RANKS];

static inline int load(const struct bytes *file, size_t ranks, uint32_t relax,
                       struct egret_schedule *want)
{
    struct egret_import_options o = {.relax = relax};
    struct egret_schedule s;
    for (size_t i = 0; i < ranks; i++) {
        FILE *f = fopen(paths[i], "wb");
        if (!f || fwrite(file[i].b, 1, file[i].n, f) != file[i].n || fclose(f) != 0) {
            printf("%s: cannot be written\n", paths[i]);
            return EGRET_ERR_INTERNAL;
        }
    }
    error.text[0] = '\0';
    int code = egret_import_load(paths, ranks, &o, &s, &report, &error);
    if (code == EGRET_OK && want) {
        *want = s;
    } else if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

static inline void refused(struct trace_test *t, const struct bytes *file, size_t ranks,
                           const char *reason, uint32_t relax)
{
    CHECK(t, load(file, ranks, 0, NULL) == EGRET_ERR_RANGE);
    if (!CHECK(t, strstr(error.text, reason) != NULL)) {
        printf("'%s', wanted '%s'\n", error.text, reason);
    }
    if (relax) {
        CHECK(t, load(file, ranks, relax, NULL) == EGRET_OK && report.relaxed > 0);
        CHECK(t, load(file, ranks, 31u & ~relax, NULL) == EGRET_ERR_RANGE);
    }
}

static inline void collective(struct bytes *file, uint64_t id, unsigned type, uint64_t size,
                              const char *group)
{
    struct bytes n = node(id, 7);
    attr(&n, "is_cpu_op", 27, 0);
    attr(&n, "comm_type", 9, type);
    attr(&n, "comm_size", 13, size);
    if (group) {
        name_attr(&n, "pg_name", group);
    }
    record(file, &n);
}

/* Names for a file a rank. */
static inline void name_files(const char *prefix)
{
    for (unsigned i = 0; i < RANKS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s.%u.et", prefix, i);
        paths[i] = trace_scratch(path[i], sizeof path[i], name);
    }
}
static inline void remove_files(void)
{
    for (unsigned i = 0; i < RANKS; i++) {
        (void)remove(paths[i]);
    }
}

#endif
