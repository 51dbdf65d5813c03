/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_observed.c: any bytes as a log of observed choices (libFuzzer): the reader alone, without
 * the search of fuzz_identify.c. What is accepted is consistent.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <string.h>

#include "../trace/identify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egret_observations o;
    struct egret_trace_error err = {""};
    FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    if (!f) {
        return 0;
    }
    int code = egret_identify_read_file(f, "f.csv", &o, &err);
    (void)fclose(f);
    if (code) {
        assert(strncmp(err.text, "f.csv:", 6) == 0 || code == EGRET_ERR_MEMORY);
        return 0;
    }
    assert(o.count > 0 && o.count <= size && o.fields != 0);
    egret_observations_free(&o);
    return 0;
}
