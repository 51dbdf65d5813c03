/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_cm.c: any bytes as a connection matrix (libFuzzer). What is accepted keeps its promises.
 */
#include <assert.h>

#include "egret/trace_make.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egret_schedule w;
    struct egret_trace_error err = {""};
    uint64_t zero_size = size % 2u; /* with and without flows of size 0 */
    if (egret_cm_parse((const char *)data, size, "f.cm", zero_size, &w, &err)) {
        assert(err.text[0]);
        return 0;
    }
    assert(w.ops > 0 && w.first && w.first[w.ops] == w.edges);
    for (size_t i = 0; i < w.ops; i++) {
        const struct egret_op *m = &w.op[i];
        assert(m->src < w.ranks && m->dst < w.ranks);
        assert(m->kind != EGRET_OP_MESSAGE || (m->src != m->dst && m->amount > 0));
    }
    for (size_t i = 0; i < w.edges; i++) {
        assert(egret_edge_to(w.edge[i]) < w.ops);
    }
    egret_schedule_free(&w);
    return 0;
}
