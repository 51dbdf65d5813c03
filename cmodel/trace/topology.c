/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.c: topologies by name (docs/fabric.md), and how long a frame takes through them with
 * nothing in the way.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "text.h"
#include "traffic.h"

#define MAX_K 128u
#define MAX_LINKS 250u  /* of a switch, and hosts of an edge: a byte of their addresses */
#define MAX_LEAVES 256u /* likewise */
#define MAX_GBPS 100000u
#define MAX_NS 1000000000u
#define MAX_OPTIONS 3u

static void rates(struct egret_topology *t, uint64_t gbps, uint64_t ns)
{
    for (unsigned i = 0; i < t->tiers; i++) {
        t->rate_mbps[i] = gbps * 1000u;
        t->latency_ps[i] = ns * 1000u;
    }
}

static void fat_tree(uint32_t k, uint32_t oversub, struct egret_topology *t)
{
    memset(t, 0, sizeof *t);
    t->tiers = 3;
    t->pods = k;
    t->hosts_per_edge = oversub * (k / 2u);
    t->edges_per_pod = k / 2u;
    t->aggs_per_pod = k / 2u;
    t->agg_uplinks = k / 2u;
    t->hosts = t->pods * t->edges_per_pod * t->hosts_per_edge;
}

/* One comma-separated part; *at moves behind it. False at the end. */
static bool part(const char **at, struct text_word *out)
{
    if (*at == NULL) {
        return false;
    }
    const char *comma = strchr(*at, ',');
    out->at = *at;
    out->length = comma ? (size_t)(comma - *at) : strlen(*at);
    *at = comma ? comma + 1 : NULL;
    return true;
}

struct options {
    uint64_t oversub;
    uint64_t gbps;
    uint64_t ns;
};

/* NAME=NUMBER for each of the rest. */
static int read_options(const char *text, const char *rest, bool oversub, struct options *o,
                        struct egret_trace_error *err)
{
    const struct {
        const char *name;
        uint64_t min, max;
        uint64_t *value;
    } option[MAX_OPTIONS] = {{"gbps=", 1, MAX_GBPS, &o->gbps},
                             {"ns=", 0, MAX_NS, &o->ns},
                             {"oversub=", 1, MAX_LINKS, &o->oversub}};
    unsigned seen = 0;
    struct text_word w;
    while (part(&rest, &w)) {
        unsigned i = 0;
        while (i < MAX_OPTIONS && (w.length < strlen(option[i].name) ||
                                   memcmp(w.at, option[i].name, strlen(option[i].name)) != 0)) {
            i++;
        }
        if (i == MAX_OPTIONS || (option[i].value == &o->oversub && !oversub)) {
            return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: unknown option '%.*s': gbps=, ns=%s",
                                    text, (int)(w.length < 40u ? w.length : 40u), w.at,
                                    oversub ? ", oversub=" : "");
        }
        if (seen & 1u << i) {
            return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s is given twice", text,
                                    option[i].name);
        }
        seen |= 1u << i;
        size_t skip = strlen(option[i].name);
        if (!egret_text_u64(w.at + skip, w.length - skip, option[i].max, option[i].value) ||
            *option[i].value < option[i].min) {
            return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s wants a number, %llu to %llu",
                                    text, option[i].name, (unsigned long long)option[i].min,
                                    (unsigned long long)option[i].max);
        }
    }
    return EGRET_OK;
}

static int load_fat_tree(const char *text, const char *rest, struct egret_topology *out,
                         struct egret_trace_error *err)
{
    struct options o = {1, 800, 500};
    struct text_word w = {rest, 0};
    uint64_t k = 0;
    (void)part(&rest, &w);
    if (!egret_text_u64(w.at, w.length, MAX_K, &k) || k < 2u || k % 2u != 0) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "%s: the k of a fat-tree is even, 2 to %u, as many ports as its "
                                "switches have",
                                text, EGRET_MAX_PORTS);
    }
    int code = read_options(text, rest, true, &o, err);
    if (code != EGRET_OK) {
        return code;
    }
    if (o.oversub * (k / 2u) > MAX_LINKS) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %llu hosts an edge, at most %u", text,
                                (unsigned long long)(o.oversub * (k / 2u)), MAX_LINKS);
    }
    fat_tree((uint32_t)k, (uint32_t)o.oversub, out);
    rates(out, o.gbps, o.ns);
    return EGRET_OK;
}

static int load_leaf_spine(const char *text, const char *rest, struct egret_topology *out,
                           struct egret_trace_error *err)
{
    static const struct {
        const char *what;
        uint32_t max;
    } number[3] = {{"leaves", MAX_LEAVES}, {"spines", MAX_LINKS}, {"hosts a leaf", MAX_LINKS}};
    struct options o = {1, 800, 500};
    uint64_t value[3] = {0, 0, 0};
    for (unsigned i = 0; i < 3u; i++) {
        struct text_word w = {"", 0};
        if (!part(&rest, &w) || !egret_text_u64(w.at, w.length, number[i].max, &value[i]) ||
            value[i] == 0) {
            return egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "%s: leaf-spine:LEAVES,SPINES,HOSTS wants %s, 1 to %u", text,
                                    number[i].what, number[i].max);
        }
    }
    int code = read_options(text, rest, false, &o, err);
    if (code != EGRET_OK) {
        return code;
    }
    memset(out, 0, sizeof *out);
    out->tiers = 2;
    out->pods = 1;
    out->edges_per_pod = (uint32_t)value[0];
    out->aggs_per_pod = (uint32_t)value[1];
    out->hosts_per_edge = (uint32_t)value[2];
    out->hosts = out->edges_per_pod * out->hosts_per_edge;
    rates(out, o.gbps, o.ns);
    return EGRET_OK;
}

static const char *behind(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

bool egret_topology_is_name(const char *text)
{
    return behind(text, "fat-tree:") != NULL || behind(text, "leaf-spine:") != NULL;
}

int egret_topology_load(const char *text, struct egret_topology *out, struct egret_trace_error *err)
{
    const char *rest = behind(text, "fat-tree:");
    if (rest) {
        return load_fat_tree(text, rest, out, err);
    }
    rest = behind(text, "leaf-spine:");
    if (rest) {
        return load_leaf_spine(text, rest, out, err);
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
