/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_import.h: any bytes to the importer, strict and with all relaxed (libFuzzer). What is
 * accepted keeps its promises. The harnesses differ by their corpus and by what they put in front.
 */
#ifndef EGRET_FUZZ_IMPORT_H
#define EGRET_FUZZ_IMPORT_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "egret/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_import(const uint8_t *data, size_t size, const char *name)
{
    for (unsigned relaxed = 0; relaxed < 2u; relaxed++) {
        struct egret_import_options o = {.relax = relaxed ? 31u : 0};
        struct egret_schedule s;
        struct egret_import_report r;
        struct egret_trace_error err = {""};
        if (egret_import_bytes(data, size, name, &o, &s, &r, &err)) {
            assert(err.text[0]);
            assert(!strchr(err.text, '\n'));
            continue;
        }
        assert(r.relaxed == 0 || relaxed);
        assert(s.first && s.ranks > 0);
        for (size_t i = 0; i < s.ops; i++) {
            assert(s.op[i].src < s.ranks && s.op[i].dst < s.ranks);
        }
        egret_schedule_free(&s);
    }
}

#endif
