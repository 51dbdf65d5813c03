/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_cm.c: any bytes as a connection matrix (libFuzzer). What is accepted keeps its promises.
 */
#include <assert.h>

#include "egret/trace_make.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egret_workload w;
    struct egret_trace_error err = {""};
    uint64_t zero_size = size % 2u; /* with and without flows of size 0 */
    if (egret_cm_parse((const char *)data, size, "f.cm", zero_size, &w, &err)) {
        assert(err.text[0]);
        return 0;
    }
    assert(w.messages > 0);
    for (size_t i = 0; i < w.messages; i++) {
        const struct egret_message *m = &w.message[i];
        assert(m->src < w.ranks && m->dst < w.ranks && m->src != m->dst && m->bytes > 0);
        assert(m->trigger == EGRET_NO_TRIGGER || m->trigger < w.triggers);
        assert(m->send_done == EGRET_NO_TRIGGER || m->send_done < w.triggers);
        assert(m->recv_done == EGRET_NO_TRIGGER || m->recv_done < w.triggers);
    }
    egret_workload_free(&w);
    return 0;
}
