/* SPDX-License-Identifier: Apache-2.0 */
/*
 * importer.h: what the readers of traces share. Internal to the trace library.
 */
#ifndef EGRET_TRACE_IMPORTER_H
#define EGRET_TRACE_IMPORTER_H

#include "egret/import.h"
#include "match.h"
#include "source.h"

struct importer {
    const char *const *path;
    size_t files;
    const struct egret_import_options *o;
    struct egret_schedule *s;
    struct egret_import_report *r;
    struct egret_trace_error *err;
    struct match match;
    struct calls calls;
    uint64_t size; /* of all files, 0 unknown */
    uint64_t done; /* of the files before this one */
    uint64_t compute_ns; /* on top of report.compute_us */
};

/* True if the bit of options.relax is set; counts that it was needed. */
bool egret_import_relaxed(struct importer *m, uint32_t bit);
/* "FILE:WHERE: reason", or "FILE: byte WHERE: reason", of an operation. EGRET_ERR_RANGE. */
int egret_import_fail(struct importer *m, uint32_t op, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
int egret_import_memory(struct importer *m);
/* A negative code of egret_schedule_*() with its text; EGRET_OK as it is. */
int egret_import_code(struct importer *m, int code);
/* Operations with place and file. The send counts and is left for match; with 0 bytes it needs
 * EGRET_RELAX_SIZES and is a join. The receive is a join. Delays are in picoseconds. */
struct import_place {
    uint64_t where;
    uint32_t tag;
    uint16_t file;
};
int egret_import_send(struct importer *m, const struct import_place *p, const struct match_end *e,
                      uint32_t *op);
int egret_import_recv(struct importer *m, const struct import_place *p, const struct match_end *e,
                      uint32_t *op);
int egret_import_delay(struct importer *m, const struct import_place *p, uint32_t rank, uint64_t ps,
                       uint32_t *op);
/* Room for one more element: like realloc() with doubling; false: out of memory. */
bool egret_import_grow(void **array, size_t count, size_t *capacity, size_t element);

/* The readers: a whole file that is open; chakra and nccl read all files. */
int egret_cm_import(struct importer *m, struct source *s);
int egret_goal_import(struct importer *m, struct source *s);
int egret_goal_binary_import(struct importer *m, struct source *s);
int egret_hpcc_import(struct importer *m, struct source *s);
/* The first file is open in s; the others are opened one by one. */
int egret_chakra_import(struct importer *m, struct source *s);
int egret_nccl_import(struct importer *m, struct source *s);
/* Opens file i in place of the one in s, which is closed. */
int egret_import_open(struct importer *m, size_t i, struct source *s);

#endif
