/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import.c: traces of other tools into a schedule: the format, its reader, the seal.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "egret/trace_make.h"
#include "importer.h"

#define MAX_FILES 65536u
#define MAX_CM ((size_t)1 << 30)

static void watch(const struct importer *m, struct source *s)
{
    s->progress = m->o->progress;
    s->user = m->o->user;
    s->done = m->done;
    s->of = m->size;
}

int egret_import_open(struct importer *m, size_t i, struct source *s)
{
    m->done += s->size;
    m->r->bytes_read += source_offset(s);
    egret_source_close(s);
    int code = egret_source_open(s, m->path[i], m->err);
    watch(m, s);
    return code;
}

int egret_cm_import(struct importer *m, struct source *s)
{
    uint8_t *text;
    size_t n;
    int code = egret_source_rest(s, MAX_CM, &text, &n);
    if (code) {
        return code;
    }
    code = egret_cm_parse((const char *)text, n, s->name, m->o->zero_size, m->s, m->err);
    free(text);
    for (size_t i = 0; code == EGRET_OK && i < m->s->ops; i++) {
        m->r->sends += m->s->op[i].kind == EGRET_OP_MESSAGE;
    }
    m->r->nodes = m->r->sends;
    return code;
}

static int read_all(struct importer *m, struct source *s)
{
    static int (*const reader[EGRET_FORMATS])(struct importer *, struct source *) = {
        [EGRET_FORMAT_CM] = egret_cm_import,
        [EGRET_FORMAT_CHAKRA] = egret_chakra_import,
        [EGRET_FORMAT_GOAL] = egret_goal_import,
        [EGRET_FORMAT_GOAL_BINARY] = egret_goal_binary_import,
        [EGRET_FORMAT_HPCC] = egret_hpcc_import,
        [EGRET_FORMAT_NCCL] = egret_nccl_import};
    (void)source_peek(s);
    if (s->failed) {
        return s->failed;
    }
    enum egret_format f = egret_format_recognise(s->at, (size_t)(s->end - s->at));
    m->r->format = f;
    if (!reader[f]) {
        const char *why = f == EGRET_FORMAT_UNKNOWN ? "is in no format that is read here"
                          : f == EGRET_FORMAT_TOPO  ? "is a topology (--topology takes it)"
                          : f == EGRET_FORMAT_STIMULUS
                              ? "is a stimulus already (egret trace dump reads it)"
                              : "is a capture, packed or from a pipe: name the plain file";
        return egret_trace_fail(m->err, EGRET_ERR_RANGE, "%s: %s", s->name, why);
    }
    if (m->files > 1u && f != EGRET_FORMAT_CHAKRA && f != EGRET_FORMAT_NCCL) {
        return egret_trace_fail(m->err, EGRET_ERR_RANGE,
                                "%s: only Chakra traces and NCCL logs are of several files",
                                m->path[1]);
    }
    return reader[f](m, s);
}

static void total_size(struct importer *m)
{
    struct stat st;
    for (size_t i = 0; m->o->progress && i < m->files; i++) {
        bool known = stat(m->path[i], &st) == 0 && S_ISREG(st.st_mode);
        if (!known) {
            m->size = 0;
            return;
        }
        m->size += (uint64_t)st.st_size;
    }
}

/* The source is open, unless code says that it failed; closes it. */
static int finish(struct importer *m, struct source *s, int code, struct egret_schedule *out)
{
    if (code == EGRET_OK) {
        watch(m, s);
        code = read_all(m, s);
    }
    m->r->bytes_read += code ? 0 : source_offset(s);
    m->r->compute_us += m->compute_ns / 1000u;
    egret_source_close(s);
    free(m->match.send.end);
    free(m->match.recv.end);
    free(m->calls.call);
    if (code == EGRET_OK && !m->s->first) {
        code = egret_schedule_seal(m->s, m->path[0], m->path, m->err);
    }
    if (code) {
        egret_schedule_free(m->s);
        return code;
    }
    *out = *m->s;
    return EGRET_OK;
}

static int load(const char *const *paths, size_t n, const struct egret_import_options *options,
                const uint8_t *bytes, size_t length, struct egret_schedule *out,
                struct egret_import_report *report, struct egret_trace_error *err)
{
    static const struct egret_import_options strict;
    struct egret_import_report unused;
    struct egret_schedule s;
    struct source source;
    struct importer m = {.path = paths,
                         .files = n,
                         .o = options ? options : &strict,
                         .s = &s,
                         .r = report ? report : &unused,
                         .err = err};
    memset(&s, 0, sizeof s);
    memset(m.r, 0, sizeof *m.r);
    if (n == 0 || n > MAX_FILES) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%zu files, 1 to %u are allowed", n,
                                MAX_FILES);
    }
    int code = EGRET_OK;
    if (bytes) {
        egret_source_memory(&source, bytes, length, paths[0], err);
    } else {
        total_size(&m);
        code = egret_source_open(&source, paths[0], err);
    }
    return finish(&m, &source, code, out);
}

int egret_import_load(const char *const *paths, size_t n,
                      const struct egret_import_options *options, struct egret_schedule *out,
                      struct egret_import_report *report, struct egret_trace_error *err)
{
    return load(paths, n, options, NULL, 0, out, report, err);
}

int egret_import_bytes(const uint8_t *bytes, size_t n, const char *name,
                       const struct egret_import_options *options, struct egret_schedule *out,
                       struct egret_import_report *report, struct egret_trace_error *err)
{
    return load(&name, 1, options, bytes, n, out, report, err);
}
