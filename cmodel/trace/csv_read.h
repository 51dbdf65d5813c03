/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv_read.h: rows of CSV, one at a time, in constant memory. Internal to library and command.
 *
 * RFC 4180 with what spreadsheets and scripts make of it: LF or CR LF, cells in quotes ("" is a
 * quote, line ends may be inside), blanks around cells, a byte order mark, empty lines.
 */
#ifndef EGRET_TRACE_CSV_READ_H
#define EGRET_TRACE_CSV_READ_H

#include <stdio.h>

#include "egret/trace.h"

#define CSV_MAX_CELLS 64u
#define CSV_MAX_ROW 65536u /* bytes of a row */

struct csv_reader {
    FILE *file;
    const char *name;
    uint64_t line;      /* of the current row's first byte, from 1 */
    uint64_t next_line; /* of the next byte */
    unsigned cells;
    char *cell[CSV_MAX_CELLS]; /* terminated; valid until the next call */
    char text[CSV_MAX_ROW];
};

/* Opens a file; "-" is standard input. 0 or a negative enum egret_err. */
int egret_csv_open(struct csv_reader *r, const char *path, struct egret_trace_error *err);
/* Reads from an open file, which stays the caller's if it is closed by him. */
void egret_csv_start(struct csv_reader *r, FILE *file, const char *name);
/* The next row that is not empty: 1; 0 at the end; negative with "FILE:LINE: reason". */
int egret_csv_next(struct csv_reader *r, struct egret_trace_error *err);
/* Closes the file, unless it is standard input; harmless on a reader of zeros. */
void egret_csv_close(struct csv_reader *r);
/* Index of the cell of this name, letters of either case; -1 if there is none. */
int egret_csv_find(const struct csv_reader *r, const char *name);
/* Equal but for the case of ASCII letters? */
bool egret_csv_same(const char *a, const char *b);
/* "FILE:LINE: reason" for the current row; returns EGRET_ERR_RANGE. */
int egret_csv_fail(const struct csv_reader *r, struct egret_trace_error *err, const char *format,
                   ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* Decimal, or hexadecimal after 0x. */
bool egret_csv_u64(const char *text, uint64_t max, uint64_t *out);
/* Hexadecimal with or without 0x, at most 8 digits; *digits (may be null): how many. */
bool egret_csv_hex(const char *text, uint32_t *out, unsigned *digits);

#endif
