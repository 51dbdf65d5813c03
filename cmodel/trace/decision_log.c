/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_log.c: see decision_log.h.
 */
#include <string.h>

#include "decision_log.h"

enum log_kind egret_decision_log_kind(const char *name)
{
    static const char *const numbers[] = {"event", "cycle", "tag", "group", "key"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(name, numbers[i]) == 0) {
            return LOG_NUMBER;
        }
    }
    if (strcmp(name, "port") == 0 || strcmp(name, "choice") == 0) {
        return LOG_PORT;
    }
    return strcmp(name, "data") == 0 ? LOG_HEX : LOG_TEXT;
}

/* Names are kept in lower case: the cells are those of the next row soon. */
static int keep_name(struct decision_log *l, unsigned i, struct egret_trace_error *err)
{
    const char *name = l->csv.cell[i];
    size_t n = strlen(name);
    if (n >= sizeof l->name[i]) {
        return egret_csv_fail(&l->csv, err, "a column's name of more than 31 bytes");
    }
    for (size_t k = 0; k <= n; k++) {
        char c = name[k];
        l->name[i][k] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    for (unsigned k = 0; k < i && n; k++) {
        if (strcmp(l->name[k], l->name[i]) == 0) {
            return egret_csv_fail(&l->csv, err, "two columns '%s'", l->name[i]);
        }
    }
    return EGRET_OK;
}

int egret_decision_log_start(struct decision_log *l, struct egret_trace_error *err)
{
    int got = egret_csv_next(&l->csv, err);
    if (got <= 0) {
        return got ? got : egret_csv_fail(&l->csv, err, "no header line");
    }
    l->columns = l->csv.cells;
    for (unsigned i = 0; i < l->columns; i++) {
        int code = keep_name(l, i, err);
        if (code) {
            return code;
        }
    }
    l->event = egret_csv_find(&l->csv, "event");
    l->tag = egret_csv_find(&l->csv, "tag");
    l->port = egret_csv_find(&l->csv, "port");
    l->scheme = egret_csv_find(&l->csv, "scheme");
    if (l->port < 0) {
        return egret_csv_fail(&l->csv, err, "the header has no column 'port'");
    }
    if (l->event < 0 && l->tag < 0) {
        return egret_csv_fail(&l->csv, err, "the header has neither 'event' nor 'tag'");
    }
    l->by_tag = l->event < 0;
    l->rows = 0;
    return EGRET_OK;
}

static bool is_read(const struct decision_log *l)
{
    return strcmp(l->csv.cell[l->port], "-") == 0 ||
           (l->scheme >= 0 && egret_csv_same(l->csv.cell[l->scheme], "read"));
}

static int take_ordinal(struct decision_log *l, struct egret_trace_error *err)
{
    const char *name = l->by_tag ? "tag" : "event";
    const char *text = l->csv.cell[l->by_tag ? l->tag : l->event];
    uint64_t v;
    if (!egret_csv_u64(text, l->by_tag ? UINT32_MAX : UINT64_MAX, &v)) {
        return egret_csv_fail(&l->csv, err, "%s '%.40s' is no number", name, text);
    }
    if (l->by_tag && l->rows) {
        uint32_t step = (uint32_t)v - (uint32_t)l->ordinal;
        v = step < 0x80000000u ? l->ordinal + step : 0;
    }
    if (l->rows && v <= l->ordinal) {
        return egret_csv_fail(&l->csv, err, "%s %.40s does not rise: sort the rows by it", name,
                              text);
    }
    l->ordinal = v;
    return EGRET_OK;
}

int egret_decision_log_next(struct decision_log *l, struct egret_trace_error *err)
{
    do {
        int got = egret_csv_next(&l->csv, err);
        if (got <= 0) {
            return got;
        }
        if (l->csv.cells != l->columns) {
            return egret_csv_fail(&l->csv, err, "%u cells, and the header has %u", l->csv.cells,
                                  l->columns);
        }
    } while (l->by_tag && is_read(l));
    int code = egret_decision_log_check(l, (unsigned)l->port, err);
    if (code == EGRET_OK) {
        code = take_ordinal(l, err);
    }
    if (code) {
        return code;
    }
    l->rows++;
    return 1;
}

/* A port as a number; above them drop and - (of a read). */
static bool port_value(const char *text, uint64_t *out)
{
    bool drop = egret_csv_same(text, "drop");
    if (drop || strcmp(text, "-") == 0) {
        *out = drop ? 0x100u : 0x101u;
        return true;
    }
    return egret_csv_u64(text, 0xffu, out);
}

int egret_decision_log_check(const struct decision_log *l, unsigned column,
                             struct egret_trace_error *err)
{
    const char *text = l->csv.cell[column];
    const char *name = l->name[column];
    uint64_t v;
    uint32_t hex;
    switch (egret_decision_log_kind(name)) {
    case LOG_NUMBER:
        return egret_csv_u64(text, UINT64_MAX, &v)
                   ? EGRET_OK
                   : egret_csv_fail(&l->csv, err, "%s '%.40s' is no number", name, text);
    case LOG_HEX:
        return egret_csv_hex(text, &hex, NULL)
                   ? EGRET_OK
                   : egret_csv_fail(&l->csv, err, "%s '%.40s' is not 1 to 8 hexadecimal digits",
                                    name, text);
    case LOG_PORT:
        return port_value(text, &v)
                   ? EGRET_OK
                   : egret_csv_fail(&l->csv, err, "%s '%.40s' is no port: 0 to 255, drop or -",
                                    name, text);
    default:
        return EGRET_OK;
    }
}

bool egret_decision_log_equal(enum log_kind kind, const char *a, const char *b)
{
    uint64_t x = 0;
    uint64_t y = 1;
    uint32_t p;
    uint32_t q;
    switch (kind) {
    case LOG_NUMBER:
        return egret_csv_u64(a, UINT64_MAX, &x) && egret_csv_u64(b, UINT64_MAX, &y) && x == y;
    case LOG_HEX:
        return egret_csv_hex(a, &p, NULL) && egret_csv_hex(b, &q, NULL) && p == q;
    case LOG_PORT:
        return port_value(a, &x) && port_value(b, &y) && x == y;
    default:
        return egret_csv_same(a, b);
    }
}
