/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outfile.c: an output file that appears under its name only when it is complete.
 *
 * The bytes go to an unnamed file in the target's directory where the system has such files, so
 * that even a killed process leaves nothing behind; else to a temporary name beside the target.
 * Commit gives the file its name by rename(). "-" is standard output and is written through.
 */
#define _GNU_SOURCE /* O_TMPFILE, linkat() of a descriptor */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outfile.h"

struct egret_outfile {
    FILE *stream;
    char *path;
    char *temp;  /* name beside the target */
    bool named;  /* temp exists on disk */
    bool placed; /* path names it */
    bool is_std;
    bool special; /* target exists and is no regular file: written through */
    int error;    /* errno of the first failure, 0 if none */
};

static void outfile_free(struct egret_outfile *f)
{
    free(f->path);
    free(f->temp);
    free(f);
}

/* DIR/.NAME.PID.N, not yet existing when it is used with O_EXCL or linkat(). */
static void temp_name(struct egret_outfile *f, unsigned attempt)
{
    const char *slash = strrchr(f->path, '/');
    size_t dir = slash ? (size_t)(slash - f->path) + 1u : 0u;
    (void)snprintf(f->temp, strlen(f->path) + 48u, "%.*s.%s.%ld.%u", (int)dir, f->path,
                   f->path + dir, (long)getpid(), attempt);
}

static int open_unnamed(const struct egret_outfile *f)
{
#ifdef O_TMPFILE
    char *dir = strdup(f->path);
    if (!dir) {
        return -1;
    }
    char *slash = strrchr(dir, '/');
    if (slash) {
        slash[slash == dir ? 1 : 0] = '\0';
    }
    int fd = open(slash ? dir : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(dir);
    return fd;
#else
    (void)f;
    return -1;
#endif
}

static int open_named(struct egret_outfile *f)
{
    for (unsigned attempt = 0; attempt < 100u; attempt++) {
        temp_name(f, attempt);
        int fd = open(f->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            f->named = true;
            return fd;
        }
        if (errno != EEXIST) {
            return -1;
        }
    }
    return -1;
}

int egret_outfile_open(const char *path, struct egret_outfile **out, struct egret_trace_error *err)
{
    struct egret_outfile *f = calloc(1, sizeof *f);
    if (!f) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    if (strcmp(path, "-") == 0) {
        f->is_std = true;
        f->stream = stdout;
        *out = f;
        return EGRET_OK;
    }
    f->path = strdup(path);
    f->temp = malloc(strlen(path) + 48u);
    if (!f->path || !f->temp) {
        outfile_free(f);
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    struct stat st;
    int fd;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        if (S_ISDIR(st.st_mode)) {
            outfile_free(f);
            return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: is a directory", path);
        }
        f->special = true;
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        fd = open_unnamed(f);
        if (fd < 0) {
            fd = open_named(f);
        }
    }
    if (fd >= 0) {
        f->stream = fdopen(fd, "wb");
    }
    if (!f->stream) {
        int saved = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        if (f->named) {
            (void)unlink(f->temp);
        }
        outfile_free(f);
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s", path, strerror(saved));
    }
    *out = f;
    return EGRET_OK;
}

static void keep_error(struct egret_outfile *f)
{
    if (f->error == 0) {
        f->error = errno ? errno : EIO;
    }
}

void egret_outfile_write(struct egret_outfile *f, const void *bytes, size_t n)
{
    if (f->error == 0 && fwrite(bytes, 1, n, f->stream) != n) {
        keep_error(f);
    }
}

void egret_outfile_printf(struct egret_outfile *f, const char *format, ...)
{
    va_list args;
    if (f->error != 0) {
        return;
    }
    va_start(args, format);
    if (vfprintf(f->stream, format, args) < 0) {
        keep_error(f);
    }
    va_end(args);
}

bool egret_outfile_failed(const struct egret_outfile *f)
{
    return f->error != 0;
}

/* Gives an unnamed file its temporary name, so that rename() can replace an existing target. */
static void name_unnamed(struct egret_outfile *f)
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(f->stream));
    for (unsigned attempt = 0; attempt < 100u; attempt++) {
        temp_name(f, attempt);
        if (linkat(AT_FDCWD, link, AT_FDCWD, f->temp, AT_SYMLINK_FOLLOW) == 0) {
            f->named = true;
            return;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    keep_error(f);
}

/* Everything but the name: the bytes are out, a temporary name exists, the stream is closed. */
static void finish(struct egret_outfile *f)
{
    if (fflush(f->stream) != 0) {
        keep_error(f);
    }
    if (f->is_std) {
        return;
    }
    if (f->error == 0 && !f->special && !f->named) {
        name_unnamed(f);
    }
    if (fclose(f->stream) != 0) {
        keep_error(f);
    }
}

/* Gives a finished file its name, or takes its temporary one away. */
static void settle(struct egret_outfile *f, bool good)
{
    if (!f->named) {
        return;
    }
    if (good && rename(f->temp, f->path) == 0) {
        f->placed = true;
        return;
    }
    if (good) {
        keep_error(f);
    }
    (void)unlink(f->temp);
}

int egret_outfile_commit_all(struct egret_outfile **file, size_t n, struct egret_trace_error *err)
{
    const struct egret_outfile *bad = NULL;
    int code = EGRET_OK;
    /* What cannot be taken back, standard output, comes last. */
    for (unsigned pass = 0; pass < 2u; pass++) {
        for (size_t i = 0; i < n; i++) {
            if (file[i] && file[i]->is_std == (pass == 1u)) {
                finish(file[i]);
                bad = !bad && file[i]->error ? file[i] : bad;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (file[i]) {
            settle(file[i], !bad);
            bad = !bad && file[i]->error ? file[i] : bad;
        }
    }
    for (size_t i = 0; bad && i < n; i++) {
        if (file[i] && file[i]->placed) {
            (void)unlink(file[i]->path); /* all outputs or none */
        }
    }
    if (bad) {
        code = egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s",
                                bad->is_std ? "standard output" : bad->path, strerror(bad->error));
    }
    for (size_t i = 0; i < n; i++) {
        if (file[i]) {
            outfile_free(file[i]);
        }
    }
    return code;
}

int egret_outfile_commit(struct egret_outfile *f, struct egret_trace_error *err)
{
    return egret_outfile_commit_all(&f, 1, err);
}

void egret_outfile_abort(struct egret_outfile *f)
{
    if (!f) {
        return;
    }
    if (!f->is_std) {
        (void)fclose(f->stream);
        if (f->named) {
            (void)unlink(f->temp);
        }
    }
    outfile_free(f);
}
