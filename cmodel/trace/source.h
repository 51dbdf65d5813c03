/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h: the bytes of a file, plain or gzip, one after the other in constant memory. Internal to
 * the trace library.
 */
#ifndef EGRET_TRACE_SOURCE_H
#define EGRET_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "egret/trace.h"

struct source {
    const char *name;
    const uint8_t *at; /* what is not taken yet */
    const uint8_t *end;
    const uint8_t *start; /* of what is in memory */
    uint64_t base;        /* offset of start in the (unpacked) content */
    uint64_t line;        /* from 1; counted by who reads text */
    uint64_t size;        /* of the file on disk, 0 unknown */
    int failed;           /* an error of reading, kept; its text is in err */
    uint8_t *buffer;      /* null: bytes of the caller */
    void *gz;
    struct egret_trace_error *err;
    /* As in egret_import_options; done counts the files before this one. */
    void (*progress)(void *user, uint64_t bytes, uint64_t of);
    void *user;
    uint64_t done;
    uint64_t of;
};

/* A file, no device; "-" is standard input. err is kept. */
int egret_source_open(struct source *s, const char *path, struct egret_trace_error *err);
/* Bytes of the caller, as they are. */
void egret_source_memory(struct source *s, const uint8_t *bytes, size_t n, const char *name,
                         struct egret_trace_error *err);
void egret_source_close(struct source *s);
/* More bytes; false at the end, or if s->failed. Only when all are taken. */
bool egret_source_refill(struct source *s);
/* Takes n bytes into out (may be null); false if there are fewer. */
bool egret_source_take(struct source *s, uint8_t *out, uint64_t n);
/* All that is left, at most `most` bytes, in memory of the caller's. */
int egret_source_rest(struct source *s, size_t most, uint8_t **bytes, size_t *n);

static inline uint64_t source_offset(const struct source *s)
{
    return s->base + (uint64_t)(s->at - s->start);
}
/* The next byte, or -1. */
static inline int source_get(struct source *s)
{
    return s->at != s->end || egret_source_refill(s) ? *s->at++ : -1;
}
static inline int source_peek(struct source *s)
{
    return s->at != s->end || egret_source_refill(s) ? *s->at : -1;
}
/* "NAME: byte N: reason", or "NAME:LINE: reason"; returns EGRET_ERR_RANGE, or what failed before.
 */
int egret_source_fail_byte(struct source *s, uint64_t offset, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
int egret_source_fail_line(struct source *s, uint64_t line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The next line without its end, of at most n - 1 bytes, terminated; what is longer is cut and
 * *cut. False at the end. Counts s->line. */
bool egret_source_line(struct source *s, char *line, size_t n, size_t *length, bool *cut);

#endif
