/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.c: see source.h.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "source.h"

#define BUFFER_BYTES 65536u

static int open_file(const char *path, uint64_t *size, struct egret_trace_error *err)
{
    struct stat st;
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, strerror(errno));
    }
    const char *wrong = NULL;
    if (fstat(fd, &st) != 0) {
        wrong = strerror(errno);
    } else if (S_ISDIR(st.st_mode)) {
        wrong = "Is a directory";
    } else if ((S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode)) && !isatty(fd)) {
        wrong = "is a device, not a file";
    }
    if (wrong) {
        (void)close(fd);
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, wrong);
    }
    *size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    return fd;
}

int egret_source_open(struct source *s, const char *path, struct egret_trace_error *err)
{
    memset(s, 0, sizeof *s);
    s->name = path;
    s->line = 1;
    s->err = err;
    int fd = open_file(path, &s->size, err);
    if (fd < 0) {
        return fd;
    }
    s->buffer = malloc(BUFFER_BYTES);
    s->gz = s->buffer ? gzdopen(fd, "rb") : NULL;
    if (!s->gz) {
        (void)close(fd);
        egret_source_close(s);
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    (void)gzbuffer(s->gz, BUFFER_BYTES);
    s->start = s->at = s->end = s->buffer;
    return EGRET_OK;
}

void egret_source_memory(struct source *s, const uint8_t *bytes, size_t n, const char *name,
                         struct egret_trace_error *err)
{
    static const uint8_t none[1];
    memset(s, 0, sizeof *s);
    s->name = name;
    s->line = 1;
    s->err = err;
    s->start = s->at = n ? bytes : none;
    s->end = s->start + n;
}

void egret_source_close(struct source *s)
{
    if (s->gz) {
        (void)gzclose_r(s->gz);
    }
    free(s->buffer);
    s->gz = NULL;
    s->buffer = NULL;
    s->start = s->at = s->end = NULL;
}

bool egret_source_refill(struct source *s)
{
    if (!s->gz || s->failed) {
        return false;
    }
    s->base += (uint64_t)(s->end - s->start);
    s->at = s->end = s->start;
    int got = gzread(s->gz, s->buffer, BUFFER_BYTES);
    int code = Z_OK;
    const char *text = got > 0 ? "" : gzerror(s->gz, &code);
    if (got < 0 || code == Z_BUF_ERROR) {
        s->failed = code == Z_MEM_ERROR ? EGRET_ERR_MEMORY : EGRET_ERR_RANGE;
        if (code == Z_ERRNO) {
            (void)egret_trace_fail(s->err, s->failed, "%s: %s", s->name, strerror(errno));
        } else {
            (void)egret_trace_fail(s->err, s->failed, "%s: byte %llu: gzip: %s", s->name,
                                   (unsigned long long)s->base,
                                   code == Z_BUF_ERROR  ? "ends too early"
                                   : strrchr(text, ':') ? strrchr(text, ':') + 2
                                                        : text);
        }
        return false;
    }
    s->end = s->start + got;
    if (s->progress && got > 0) {
        z_off_t raw = gzoffset(s->gz);
        s->progress(s->user, s->done + (raw > 0 ? (uint64_t)raw : 0), s->of);
    }
    return got > 0;
}

bool egret_source_take(struct source *s, uint8_t *out, uint64_t n)
{
    while (n > 0) {
        if (s->at == s->end && !egret_source_refill(s)) {
            return false;
        }
        size_t part = (size_t)(s->end - s->at);
        part = part > n ? (size_t)n : part;
        if (out) {
            memcpy(out, s->at, part);
            out += part;
        }
        s->at += part;
        n -= part;
    }
    return true;
}

int egret_source_rest(struct source *s, size_t most, uint8_t **bytes, size_t *n)
{
    size_t capacity = BUFFER_BYTES;
    *n = 0;
    *bytes = malloc(capacity);
    while (*bytes && (s->at != s->end || egret_source_refill(s))) {
        size_t part = (size_t)(s->end - s->at);
        if (part > most - *n) {
            free(*bytes);
            *bytes = NULL;
            return egret_trace_fail(s->err, EGRET_ERR_RANGE, "%s: larger than %zu bytes", s->name,
                                    most);
        }
        if (part > capacity - *n) {
            capacity *= 2u;
            uint8_t *moved = realloc(*bytes, capacity);
            if (!moved) {
                free(*bytes);
                *bytes = NULL;
                break;
            }
            *bytes = moved;
        }
        memcpy(*bytes + *n, s->at, part);
        *n += part;
        s->at += part;
    }
    if (!*bytes) {
        return egret_trace_fail(s->err, EGRET_ERR_MEMORY, "%s: out of memory", s->name);
    }
    if (s->failed) {
        free(*bytes);
        *bytes = NULL;
    }
    return s->failed;
}

static int fail(struct source *s, const char *before, uint64_t at, const char *format, va_list args)
{
    char reason[320];
    if (s->failed) {
        return s->failed;
    }
    (void)vsnprintf(reason, sizeof reason, format, args);
    return egret_trace_fail(s->err, EGRET_ERR_RANGE, "%.150s%s%llu: %s", s->name, before,
                            (unsigned long long)at, reason);
}

int egret_source_fail_byte(struct source *s, uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int code = fail(s, ": byte ", offset, format, args);
    va_end(args);
    return code;
}

int egret_source_fail_line(struct source *s, uint64_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int code = fail(s, ":", line, format, args);
    va_end(args);
    return code;
}

bool egret_source_line(struct source *s, char *line, size_t n, size_t *length, bool *cut)
{
    size_t used = 0;
    bool any = false;
    *cut = false;
    while (s->at != s->end || egret_source_refill(s)) {
        size_t part = (size_t)(s->end - s->at);
        const uint8_t *newline = memchr(s->at, '\n', part);
        part = newline ? (size_t)(newline - s->at) : part;
        size_t keep = part > n - 1u - used ? n - 1u - used : part;
        memcpy(line + used, s->at, keep);
        used += keep;
        *cut = *cut || keep < part;
        s->at += part + (newline ? 1u : 0u);
        any = true;
        if (newline) {
            break;
        }
    }
    if (any) {
        s->line++;
    }
    used -= used > 0 && line[used - 1u] == '\r';
    line[used] = '\0';
    *length = used;
    return any;
}
