/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_identify.c: any bytes as a log of observed choices (libFuzzer): read, then identified over
 * one layout, which the first byte picks. What is listed is consistent.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <string.h>

#include "../trace/identify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct egret_identified r;
    struct egret_identify_setup setup = {.threads = 1, .quick = true, .small_seeds = 256};
    struct egret_observations o;
    struct egret_trace_error err = {""};
    FILE *f = size > 1u ? fmemopen((void *)(uintptr_t)(data + 1), size - 1u, "rb") : NULL;
    if (!f) {
        return 0;
    }
    setup.layout = data[0] % EGRET_LAYOUT_COUNT;
    int code = egret_identify_read_file(f, "f.csv", &o, &err);
    (void)fclose(f);
    if (code) {
        assert(strncmp(err.text, "f.csv:", 6) == 0 || code == EGRET_ERR_MEMORY);
        return 0;
    }
    assert(o.count > 0 && o.fields != 0);
    code = egret_identify(&o, &setup, &r, &err);
    assert(code == EGRET_OK);
    assert(r.listed <= r.found && r.groups <= r.found && r.distinct >= 1u);
    assert(r.verdict != EGRET_IDENTIFIED || (r.groups == 1u && r.bits >= r.needed));
    assert(r.verdict != EGRET_NO_HASH || r.found == 0);
    for (uint32_t i = 0; i < r.listed; i++) {
        assert(r.candidate[i].layout == setup.layout && r.candidate[i].rotation < 32u);
        assert(r.candidate[i].seed_classes >= 1u && r.candidate[i].seeds >= 1u);
        assert((r.candidate[i].seed[0].value & ~r.candidate[i].seed[0].mask) == 0);
    }
    egret_observations_free(&o);
    return 0;
}
