/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.c: fat-trees, and how long a frame takes through them with nothing in the way.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "text.h"
#include "traffic.h"

#define MAX_K 128u

static void fat_tree(uint32_t k, struct egret_topology *t)
{
    memset(t, 0, sizeof *t);
    t->tiers = 3;
    t->pods = k;
    t->hosts_per_edge = k / 2u;
    t->edges_per_pod = k / 2u;
    t->aggs_per_pod = k / 2u;
    t->agg_uplinks = k / 2u;
    t->hosts = k * k * k / 4u;
    for (unsigned i = 0; i < 3u; i++) {
        t->rate_mbps[i] = 800000u;
        t->latency_ps[i] = 500000u;
    }
}

int egret_topology_load(const char *text, struct egret_topology *out, struct egret_trace_error *err)
{
    static const char prefix[] = "fat-tree:";
    if (strncmp(text, prefix, sizeof prefix - 1u) == 0) {
        const char *digits = text + sizeof prefix - 1u;
        uint64_t k;
        if (!egret_text_u64(digits, strlen(digits), MAX_K, &k) || k < 2u || k % 2u != 0) {
            return egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "%s: the k of a fat-tree is even, 2 to %u, and to be of use at "
                                    "most NUM_PORTS, which is at most %u",
                                    text, MAX_K, EGRET_MAX_PORTS);
        }
        fat_tree((uint32_t)k, out);
        return EGRET_OK;
    }
    struct text_file file;
    int code = egret_text_load(text, &file, err);
    if (code == EGRET_OK) {
        code = egret_topology_parse(file.text, file.size, text, out, err);
        egret_text_free(&file);
    }
    return code;
}

uint32_t egret_topology_edges(const struct egret_topology *t)
{
    return t->pods * t->edges_per_pod;
}

/* From the first bit on a link until the last bit has arrived; the FCS travels too. */
static uint64_t link_ps(const struct egret_topology *t, unsigned tier, uint32_t length)
{
    return serial_ps(length + FCS_BYTES, t->rate_mbps[tier]) + t->latency_ps[tier];
}

uint64_t egret_traffic_to_edge(const struct egret_topology *t, uint32_t length)
{
    return link_ps(t, 0, length);
}

uint64_t egret_traffic_edge_to_agg(const struct egret_topology *t, uint32_t length)
{
    return t->switch_ps[0] + link_ps(t, 1, length);
}

uint64_t egret_topology_transit(const struct egret_topology *t, uint32_t src, uint32_t dst,
                                uint32_t length)
{
    uint32_t src_edge = src / t->hosts_per_edge;
    uint32_t dst_edge = dst / t->hosts_per_edge;
    uint64_t ps = 2u * link_ps(t, 0, length) + t->switch_ps[0];
    if (src_edge != dst_edge) {
        ps += 2u * link_ps(t, 1, length) + t->switch_ps[0] + t->switch_ps[1];
        if (src_edge / t->edges_per_pod != dst_edge / t->edges_per_pod) {
            ps += 2u * link_ps(t, 2, length) + t->switch_ps[1] + t->switch_ps[2];
        }
    }
    return ps;
}
