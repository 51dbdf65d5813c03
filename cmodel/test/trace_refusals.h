/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_refusals.h: for tests of one wrong thing in a file that is good otherwise: it is refused
 * with exactly one line that says where and what.
 */
#ifndef EGRET_TRACE_REFUSALS_H
#define EGRET_TRACE_REFUSALS_H

#include "egret/import.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* Is the text of the error exactly this? */
static inline void said(int code, const char *reason)
{
    if (!CHECK(&t, code == EGRET_ERR_RANGE && strcmp(error.text, reason) == 0)) {
        printf("code %d, '%s', wanted '%s'\n", code, error.text, reason);
    }
}

static inline int import(const void *bytes, size_t n, uint32_t relax)
{
    struct egret_import_options o = {.relax = relax};
    struct egret_import_report report;
    struct egret_schedule s;
    error.text[0] = '\0';
    int code = egret_import_bytes(bytes, n, "t", &o, &s, &report, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

static inline void refused(const char *text, const char *reason)
{
    said(import(text, strlen(text), 0), reason);
}

#endif
