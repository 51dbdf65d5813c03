/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_csv.c: any bytes as a log of decisions (libFuzzer). What is accepted is consistent.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <string.h>

#include "../trace/decision_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct decision_log l;
    struct egret_trace_error err = {""};
    uint64_t last = 0;
    FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    if (!f) {
        return 0;
    }
    egret_csv_start(&l.csv, f, "f.csv");
    int got = egret_decision_log_start(&l, &err);
    assert(got <= 0 && (got == 0 || strncmp(err.text, "f.csv:", 6) == 0));
    if (got == 0) {
        while ((got = egret_decision_log_next(&l, &err)) > 0) {
            assert(l.csv.cells == l.columns && l.columns <= CSV_MAX_CELLS);
            assert(l.rows == 1u || l.ordinal > last);
            last = l.ordinal;
            for (unsigned i = 0; i < l.columns; i++) {
                enum log_kind kind = egret_decision_log_kind(l.name[i]);
                assert(egret_decision_log_check(&l, i, &err) != EGRET_OK ||
                       egret_decision_log_equal(kind, l.csv.cell[i], l.csv.cell[i]));
            }
        }
        assert(got == 0 || err.text[0]);
    }
    egret_csv_close(&l.csv);
    return 0;
}
