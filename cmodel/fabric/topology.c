/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.c: nodes and links of a fabric. docs/fabric.md says how they are wired.
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "plan.h"

#define MAX_HOSTS (1u << 18)
#define BYTE_PS_AT_1_MBPS 8000000u /* 8 bits at 10^6 a second, in ps */
#define MAX_MBPS 4000000000u
#define MAX_LATENCY_PS (UINT64_MAX >> 8)

uint32_t egret_fab_count(const struct egret_topology *t, uint32_t kind)
{
    switch (kind) {
    case FAB_HOSTS:
    case FAB_EDGE:
        return t->pods * t->edges_per_pod;
    case FAB_AGG:
        return t->pods * t->aggs_per_pod;
    default:
        return t->tiers == 3u ? t->aggs_per_pod * t->agg_uplinks : 0;
    }
}

uint32_t egret_fab_down_ports(const struct egret_topology *t, uint32_t kind)
{
    return kind == FAB_EDGE ? t->hosts_per_edge : kind == FAB_AGG ? t->edges_per_pod : t->pods;
}

uint32_t egret_fab_up_ports(const struct egret_topology *t, uint32_t kind)
{
    return kind == FAB_EDGE ? t->aggs_per_pod : kind == FAB_AGG ? t->agg_uplinks : 0;
}

uint32_t egret_fab_keys(const struct egret_topology *t, uint32_t kind)
{
    return kind == FAB_EDGE ? t->pods * t->edges_per_pod : t->pods;
}

const char *egret_fab_kind_name(const struct egret_topology *t, uint32_t kind)
{
    static const char *const name[2][4] = {
        {"host", "leaf switch", "spine switch", "core switch"},
        {"host", "edge switch", "aggregation switch", "core switch"}};
    return name[t->tiers == 3u][kind];
}

/* ---- refusals ---- */

static int check_counts(const struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    const char *name = f->spec.topology_name ? f->spec.topology_name : "topology";
    const uint32_t some[] = {t->pods, t->hosts_per_edge, t->edges_per_pod, t->aggs_per_pod,
                             t->tiers == 3u ? t->agg_uplinks : 1u};
    if (t->tiers < 2u || t->tiers > 3u || (t->tiers == 2u && (t->pods != 1u || t->agg_uplinks))) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: not two or three tiers", name);
    }
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        if (some[i] == 0) {
            return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: a tier without switches or links",
                                    name);
        }
    }
    for (uint32_t kind = FAB_EDGE; kind <= (t->tiers == 3u ? FAB_CORE : FAB_AGG); kind++) {
        uint64_t ports = (uint64_t)egret_fab_down_ports(t, kind) + egret_fab_up_ports(t, kind);
        if (ports > EGRET_MAX_PORTS) {
            return egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "%s: %s %s has %llu ports, a switch has at most %u", name,
                                    kind == FAB_CORE ? "a" : "each", egret_fab_kind_name(t, kind),
                                    (unsigned long long)ports, EGRET_MAX_PORTS);
        }
    }
    uint32_t edges = t->pods * t->edges_per_pod; /* at most 64 * 64 from here on */
    if (edges > FAB_MAX_KEYS) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "%s: %u edges, at most %u: a rotation key (NUM_KEYS) each", name,
                                edges, FAB_MAX_KEYS);
    }
    if (t->hosts != edges * t->hosts_per_edge || t->hosts > MAX_HOSTS) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "%s: %u hosts do not agree with %u edges of %u, or are above %u",
                                name, t->hosts, edges, t->hosts_per_edge, MAX_HOSTS);
    }
    if (f->work && f->work->ranks > t->hosts) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %u hosts, but the trace has %u ranks",
                                name, t->hosts, f->work->ranks);
    }
    return EGRET_OK;
}

static int check_rates(const struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    for (uint32_t i = 0; i < t->tiers; i++) {
        if (t->rate_mbps[i] == 0 || t->rate_mbps[i] > MAX_MBPS) {
            return egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "links of tier %u: a rate of %llu Mb/s, 1 to %u", i,
                                    (unsigned long long)t->rate_mbps[i], MAX_MBPS);
        }
        if (t->latency_ps[i] > MAX_LATENCY_PS || t->switch_ps[i] > MAX_LATENCY_PS) {
            return egret_trace_fail(err, EGRET_ERR_RANGE, "links of tier %u: a latency too long",
                                    i);
        }
    }
    return EGRET_OK;
}

/* ---- links ---- */

/* Time of a number of bytes, rounded down. */
static uint64_t bytes_ps(uint64_t bytes, uint64_t mbps)
{
    if (bytes == 0 || bytes / mbps >= UINT64_MAX / BYTE_PS_AT_1_MBPS - 1u) {
        return FAB_NEVER;
    }
    return bytes / mbps * BYTE_PS_AT_1_MBPS + bytes % mbps * BYTE_PS_AT_1_MBPS / mbps;
}

/* The link of port `port` of node `from`, to `to`, which calls it `in`. `tier` of the cable: 0 at
 * hosts, 1 above edges, 2 below cores. */
static void wire(struct egret_fabric *f, uint32_t from, uint32_t port, uint32_t to, uint32_t in,
                 uint32_t tier, uint32_t queue)
{
    const struct egret_topology *t = &f->spec.topology;
    struct fab_link *l = &f->link[f->node[from].first_link + port];
    uint64_t mbps = t->rate_mbps[tier];
    uint32_t kind = f->node[to].kind;
    memset(l, 0, sizeof *l);
    l->buffer_ps = bytes_ps(f->spec.buffer_bytes[queue], mbps);
    l->ecn_ps = bytes_ps(f->spec.ecn_bytes[queue], mbps);
    l->down_at = FAB_NEVER;
    l->told_at = FAB_NEVER;
    l->mbps = (uint32_t)mbps;
    l->byte_ps = BYTE_PS_AT_1_MBPS % mbps == 0 ? (uint32_t)(BYTE_PS_AT_1_MBPS / mbps) : 0;
    l->latency_ps = t->latency_ps[tier] + (kind == FAB_HOSTS ? 0 : t->switch_ps[kind - 1u]);
    l->usual_ps = fab_link_usual(l);
    l->node = to & 0xffffffu;
    l->in = in & 0xffu;
    l->tier = (uint8_t)queue;
}

/* Both directions. `up` and `down` are queues. */
static void cable(struct egret_fabric *f, uint32_t low, uint32_t low_port, uint32_t high,
                  uint32_t high_port, uint32_t tier, uint32_t up, uint32_t down)
{
    wire(f, low, low_port, high, high_port, tier, up);
    wire(f, high, high_port, low, low_port, tier, down);
}

static void cables(struct egret_fabric *f)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t hosts = f->first_node[FAB_HOSTS], edges = f->first_node[FAB_EDGE];
    uint32_t aggs = f->first_node[FAB_AGG], cores = f->first_node[FAB_CORE];
    for (uint32_t e = 0; e < egret_fab_count(t, FAB_EDGE); e++) {
        uint32_t pod = e / t->edges_per_pod;
        for (uint32_t slot = 0; slot < t->hosts_per_edge; slot++) {
            cable(f, hosts + e, slot, edges + e, slot, 0, EGRET_QUEUE_HOST, EGRET_QUEUE_EDGE_DOWN);
        }
        for (uint32_t u = 0; u < t->aggs_per_pod; u++) {
            cable(f, edges + e, t->hosts_per_edge + u, aggs + pod * t->aggs_per_pod + u,
                  e % t->edges_per_pod, 1, EGRET_QUEUE_EDGE_UP, EGRET_QUEUE_AGG_DOWN);
        }
    }
    for (uint32_t a = 0; a < egret_fab_count(t, FAB_AGG); a++) {
        for (uint32_t u = 0; u < t->agg_uplinks; u++) {
            cable(f, aggs + a, t->edges_per_pod + u,
                  cores + a % t->aggs_per_pod * t->agg_uplinks + u, a / t->aggs_per_pod, 2,
                  EGRET_QUEUE_AGG_UP, EGRET_QUEUE_CORE_DOWN);
        }
    }
}

/* ---- nodes ---- */

/* By pod: what talks most to each other is one worker's. */
static uint32_t worker_of(const struct egret_topology *t, uint32_t kind, uint32_t index, uint32_t n)
{
    uint64_t share = egret_fab_count(t, kind);
    if (t->tiers == 3u && kind != FAB_CORE) {
        index /= kind == FAB_AGG ? t->aggs_per_pod : t->edges_per_pod;
        share = t->pods;
    }
    return (uint32_t)((uint64_t)index * n / share);
}

static void add_nodes(struct egret_fabric *f, uint32_t kind, uint32_t workers)
{
    const struct egret_topology *t = &f->spec.topology;
    f->first_node[kind] = f->nodes;
    for (uint32_t i = 0; i < egret_fab_count(t, kind); i++) {
        struct fab_node *n = &f->node[f->nodes++];
        uint32_t down = kind == FAB_HOSTS ? t->hosts_per_edge : egret_fab_down_ports(t, kind);
        memset(n, 0, sizeof *n);
        n->kind = (uint8_t)kind;
        n->worker = (uint8_t)worker_of(t, kind, i, workers);
        n->first_up = down;
        n->ports = (uint8_t)(down + (kind == FAB_HOSTS ? 0 : egret_fab_up_ports(t, kind)));
        n->index = i;
        n->pod = kind == FAB_CORE  ? 0
                 : kind == FAB_AGG ? i / t->aggs_per_pod
                                   : i / t->edges_per_pod;
        n->first_link = f->links;
        n->next_tick = FAB_NEVER;
        n->wake = FAB_NEVER;
        n->route_at = FAB_NEVER;
        f->links += n->ports;
    }
}

static int set_window(struct egret_fabric *f, struct egret_trace_error *err)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < f->links; i++) {
        least = f->link[i].latency_ps < least ? f->link[i].latency_ps : least;
    }
    if (least < 2u || least > UINT32_MAX) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "the shortest latency of a link, with the switch behind it, is "
                                "%llu ps: 2 to %u",
                                (unsigned long long)least, UINT32_MAX);
    }
    f->window_ps = (uint32_t)least;
    /* inverse = (2^64 + e) / window with 0 <= e < window: the quotient of an offset below 2^32 is
     * too large by less than 2^-32, which is less than 1 / window: never enough to reach the next
     * whole number. */
    f->window_inverse = UINT64_MAX / least + 1u;
    return EGRET_OK;
}

int egret_fab_build(struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t workers = f->spec.threads ? f->spec.threads : 1u;
    int code = check_counts(f, err);
    if (code == EGRET_OK) {
        code = check_rates(f, err);
    }
    if (code != EGRET_OK) {
        return code;
    }
    size_t nodes = 0;
    size_t links = 2u * (size_t)t->hosts;
    for (uint32_t kind = FAB_HOSTS; kind <= FAB_CORE; kind++) {
        nodes += egret_fab_count(t, kind);
        links += kind == FAB_HOSTS
                     ? 0
                     : 2u * (size_t)egret_fab_count(t, kind) * egret_fab_up_ports(t, kind);
    }
    f->node = calloc(nodes, sizeof *f->node);
    f->link = egret_fab_array(links, sizeof *f->link);
    if (!f->node || !f->link) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for %zu nodes and %zu links",
                                nodes, links);
    }
    f->nodes = 0;
    f->links = 0;
    for (uint32_t kind = FAB_HOSTS; kind <= FAB_CORE; kind++) {
        add_nodes(f, kind, workers);
    }
    cables(f);
    code = set_window(f, err);
    return code == EGRET_OK ? egret_fab_place(f, err) : code;
}
