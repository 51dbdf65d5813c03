/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_topo.c: any bytes as a topology file (libFuzzer). What is accepted is consistent.
 */
#include <assert.h>

#include "egret/trace_make.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct egret_topology t;
    struct egret_trace_error err = {""};
    if (egret_topology_parse((const char *)data, size, "f.topo", &t, &err)) {
        assert(err.text[0]);
        return 0;
    }
    assert(t.tiers == 2u || t.tiers == 3u);
    assert(t.hosts == egret_topology_edges(&t) * t.hosts_per_edge);
    for (unsigned i = 0; i < t.tiers; i++) {
        assert(t.rate_mbps[i] > 0);
    }
    assert(egret_topology_transit(&t, 0, t.hosts - 1u, 4170) > 0);
    return 0;
}
