/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cli_faults.c: for cli_faults.sh: the command linked so (--wrap) that calls of the system fail on
 * demand. EGRET_FAIL=CALL:N[:ERRNO],... lets the Nth call of CALL fail, with ERRNO (12, ENOMEM);
 * CALL+:N that one and all behind it. CALL is alloc (malloc, calloc, realloc, strdup), json (what
 * jansson allocates), fopen, open, tmpfile (open with O_TMPFILE), fdopen, linkat, rename, fclose,
 * fseeko or readlink.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
FILE *__real_fopen(const char *path, const char *mode);
int __real_open(const char *path, int flags, ...);
FILE *__real_fdopen(int fd, const char *mode);
int __real_linkat(int from, const char *old, int to, const char *new, int flags);
int __real_rename(const char *old, const char *new);
int __real_fclose(FILE *f);
int __real_fseeko(FILE *f, off_t at, int whence);
ssize_t __real_readlink(const char *path, char *out, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
FILE *__wrap_fopen(const char *path, const char *mode);
int __wrap_open(const char *path, int flags, ...);
FILE *__wrap_fdopen(int fd, const char *mode);
int __wrap_linkat(int from, const char *old, int to, const char *new, int flags);
int __wrap_rename(const char *old, const char *new);
int __wrap_fclose(FILE *f);
int __wrap_fseeko(FILE *f, off_t at, int whence);
ssize_t __wrap_readlink(const char *path, char *out, size_t size);

/* What runs behind the command (counts of coverage) does not fail. */
static bool over;

static void end(void)
{
    over = true;
}

static bool fails(const char *call);

static void *json_malloc(size_t size)
{
    return fails("json") ? NULL : __real_malloc(size);
}

__attribute__((constructor)) static void start(void)
{
    (void)atexit(end);
    json_set_alloc_funcs(json_malloc, free);
}

/* Whether this call is one that fails; errno is set then. */
static bool fails(const char *call)
{
    static unsigned long seen[8]; /* by entry of the list */
    const char *text = over ? NULL : getenv("EGRET_FAIL");
    size_t n = strlen(call);
    for (size_t i = 0; text && i < sizeof seen / sizeof seen[0]; i++) {
        bool on = strncmp(text, call, n) == 0 && text[n] == '+';
        if (strncmp(text, call, n) == 0 && text[n + on] == ':') {
            char *end;
            unsigned long at = strtoul(text + n + on + 1, &end, 10);
            seen[i]++;
            if (on ? seen[i] >= at : seen[i] == at) {
                errno = *end == ':' ? (int)strtol(end + 1, NULL, 10) : ENOMEM;
                return true;
            }
        }
        text = strchr(text, ',');
        text = text ? text + 1 : NULL;
    }
    return false;
}

void *__wrap_malloc(size_t size)
{
    return fails("alloc") ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails("alloc") ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails("alloc") ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails("alloc") ? NULL : __real_strdup(text);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return fails("fopen") ? NULL : __real_fopen(path, mode);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    return fails(unnamed ? "tmpfile" : "open") ? -1 : __real_open(path, flags, mode);
}

FILE *__wrap_fdopen(int fd, const char *mode)
{
    return fails("fdopen") ? NULL : __real_fdopen(fd, mode);
}

int __wrap_linkat(int from, const char *old, int to, const char *new, int flags)
{
    return fails("linkat") ? -1 : __real_linkat(from, old, to, new, flags);
}

int __wrap_rename(const char *old, const char *new)
{
    return fails("rename") ? -1 : __real_rename(old, new);
}

/* A failing fclose() has closed all the same. */
int __wrap_fclose(FILE *f)
{
    int code = __real_fclose(f);
    return fails("fclose") ? EOF : code;
}

int __wrap_fseeko(FILE *f, off_t at, int whence)
{
    return fails("fseeko") ? -1 : __real_fseeko(f, at, whence);
}

ssize_t __wrap_readlink(const char *path, char *out, size_t size)
{
    return fails("readlink") ? -1 : __real_readlink(path, out, size);
}
