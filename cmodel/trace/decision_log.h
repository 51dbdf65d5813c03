/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_log.h: a log of decisions as CSV, egret's own or somebody else's, row by row. Internal
 * to library and command.
 *
 * Columns by name, in any order and any subset that has `port` and an ordinal: `event`, or `tag`,
 * which counts packets. Ordinals rise. A tag is 32 bits and may wrap.
 */
#ifndef EGRET_TRACE_DECISION_LOG_H
#define EGRET_TRACE_DECISION_LOG_H

#include "csv_read.h"

enum log_kind { LOG_NUMBER, LOG_HEX, LOG_PORT, LOG_TEXT };

struct decision_log {
    struct csv_reader csv;
    unsigned columns;
    char name[CSV_MAX_CELLS][32]; /* of the columns */
    int event;                    /* their places, -1 without */
    int tag;
    int port;
    int scheme;
    bool by_tag;      /* the ordinal is the tag; reads are left out */
    uint64_t rows;    /* given so far */
    uint64_t ordinal; /* of the current row; tags without their wrap */
};

/* Reads the header line. Negative with the reason in err. */
int egret_decision_log_start(struct decision_log *l, struct egret_trace_error *err);
/* The next row, with its ordinal: 1; 0 at the end. */
int egret_decision_log_next(struct decision_log *l, struct egret_trace_error *err);
/* What a column of that name holds. */
enum log_kind egret_decision_log_kind(const char *name);
/* Checks a cell; 0, or negative with the reason. */
int egret_decision_log_check(const struct decision_log *l, unsigned column,
                             struct egret_trace_error *err);
/* Do two good cells of a kind mean the same? */
bool egret_decision_log_equal(enum log_kind kind, const char *a, const char *b);

#endif
