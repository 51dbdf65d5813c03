/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h: lines and words of text files. Internal to the trace library.
 */
#ifndef EGRET_TRACE_TEXT_H
#define EGRET_TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "egret/trace.h"

#define TEXT_MAX_WORDS 64u

struct text_file {
    char *text; /* not terminated */
    size_t size;
};
/* A file of at most 1 GiB, no device; "-" is standard input. */
int egret_text_load(const char *path, struct text_file *out, struct egret_trace_error *err);
void egret_text_free(struct text_file *f);

struct text_word {
    const char *at;
    size_t length;
};

/* Walks over lines; CR before LF belongs to the line end, the last line needs no LF. */
struct text_lines {
    const char *at;
    const char *end;
    const char *name; /* of the file */
    uint32_t number;  /* of the current line, from 1 */
    struct text_word word[TEXT_MAX_WORDS];
    uint32_t words;
    bool too_many; /* words, or a NUL byte */
};
void egret_text_start(struct text_lines *l, const char *text, size_t n, const char *name);
/* Next line, split at blanks; false at the end. */
bool egret_text_next(struct text_lines *l);
bool egret_text_is(const struct text_word *w, const char *s);
/* A decimal number of n characters that is at most max. */
bool egret_text_u64(const char *s, size_t n, uint64_t max, uint64_t *out);
/* A decimal number with a fraction, rounded down to an integer: "0.000000", "1500.7", "2e6". */
bool egret_text_decimal(const char *s, size_t n, uint64_t max, uint64_t *out);
/* "NAME:LINE: reason"; returns EGRET_ERR_RANGE. */
int egret_text_fail(const struct text_lines *l, struct egret_trace_error *err, const char *format,
                    ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
