/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c: see text.h.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

#define MAX_TEXT_BYTES (1u << 30)

static int grow_and_read(FILE *f, const char *path, struct text_file *out,
                         struct egret_trace_error *err)
{
    size_t capacity = 0;
    for (;;) {
        if (out->size == capacity) {
            capacity = capacity ? capacity * 2u : 65536u;
            if (capacity > MAX_TEXT_BYTES) {
                return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: larger than %u bytes", path,
                                        MAX_TEXT_BYTES);
            }
            char *bigger = realloc(out->text, capacity);
            if (!bigger) {
                return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
            }
            out->text = bigger;
        }
        size_t got = fread(out->text + out->size, 1, capacity - out->size, f);
        out->size += got;
        if (got == 0) {
            break;
        }
    }
    if (ferror(f)) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, strerror(errno));
    }
    return EGRET_OK;
}

int egret_text_load(const char *path, struct text_file *out, struct egret_trace_error *err)
{
    struct stat st;
    memset(out, 0, sizeof *out);
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!f) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, strerror(errno));
    }
    int code = EGRET_OK;
    if (fstat(fileno(f), &st) == 0 && (S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode)) &&
        !isatty(fileno(f))) {
        code = egret_trace_fail(err, EGRET_ERR_RANGE, "%s: is a device, not a file of text", path);
    } else {
        code = grow_and_read(f, path, out, err);
    }
    if (f != stdin) {
        (void)fclose(f);
    }
    if (code) {
        egret_text_free(out);
    }
    return code;
}

void egret_text_free(struct text_file *f)
{
    free(f->text);
    memset(f, 0, sizeof *f);
}

void egret_text_start(struct text_lines *l, const char *text, size_t n, const char *name)
{
    memset(l, 0, sizeof *l);
    l->at = text;
    l->end = n ? text + n : text;
    l->name = name;
}

static void split(struct text_lines *l, const char *from, const char *to)
{
    l->words = 0;
    l->too_many = from < to && memchr(from, '\0', (size_t)(to - from)) != NULL;
    while (from < to) {
        if (*from == ' ' || *from == '\t') {
            from++;
            continue;
        }
        const char *start = from;
        while (from < to && *from != ' ' && *from != '\t') {
            from++;
        }
        if (l->words == TEXT_MAX_WORDS) {
            l->too_many = true;
            return;
        }
        l->word[l->words].at = start;
        l->word[l->words].length = (size_t)(from - start);
        l->words++;
    }
}

bool egret_text_next(struct text_lines *l)
{
    if (l->at == l->end) {
        return false;
    }
    const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
    const char *to = newline ? newline : l->end;
    const char *from = l->at;
    l->at = newline ? newline + 1 : l->end;
    l->number++;
    if (to > from && to[-1] == '\r') {
        to--;
    }
    split(l, from, to);
    return true;
}

bool egret_text_is(const struct text_word *w, const char *s)
{
    return strlen(s) == w->length && memcmp(w->at, s, w->length) == 0;
}

bool egret_text_u64(const char *s, size_t n, uint64_t max, uint64_t *out)
{
    uint64_t v = 0;
    if (n == 0) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t digit = (uint64_t)(unsigned char)s[i] - '0';
        if (digit > 9u || v > (UINT64_MAX - digit) / 10u) {
            return false;
        }
        v = v * 10u + digit;
    }
    if (v > max) {
        return false;
    }
    *out = v;
    return true;
}

bool egret_text_decimal(const char *s, size_t n, uint64_t max, uint64_t *out)
{
    char digits[40];
    size_t count = 0;
    size_t i = 0;
    int64_t scale = 0; /* power of ten still to apply */
    bool point = false;
    bool any = false;
    for (; i < n && s[i] != 'e' && s[i] != 'E'; i++) {
        if (s[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (s[i] < '0' || s[i] > '9') {
            return false;
        }
        any = true;
        if (point && count >= 20u) {
            continue; /* far behind the point */
        }
        if (count == 0 && s[i] == '0') { /* not a digit that counts */
            scale -= point;
            continue;
        }
        if (count == sizeof digits) {
            return false;
        }
        digits[count++] = s[i];
        scale -= point;
    }
    if (!any) {
        return false;
    }
    if (i < n) {
        bool minus = i + 1u < n && s[i + 1u] == '-';
        size_t skip = i + 1u + (i + 1u < n && (s[i + 1u] == '-' || s[i + 1u] == '+'));
        uint64_t exponent;
        if (!egret_text_u64(s + skip, n - skip, 40, &exponent)) {
            return false;
        }
        scale += minus ? -(int64_t)exponent : (int64_t)exponent;
    }
    for (; scale < 0 && count > 0; scale++) {
        count--;
    }
    uint64_t v = 0;
    if (count > 0 && !egret_text_u64(digits, count, UINT64_MAX, &v)) {
        return false;
    }
    for (; scale > 0 && v != 0; scale--) {
        if (v > UINT64_MAX / 10u) {
            return false;
        }
        v *= 10u;
    }
    if (v > max) {
        return false;
    }
    *out = v;
    return true;
}

int egret_text_fail(const struct text_lines *l, struct egret_trace_error *err, const char *format,
                    ...)
{
    char reason[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return egret_trace_fail(err, EGRET_ERR_RANGE, "%s:%u: %s", l->name, l->number, reason);
}
