/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rho.c: rho_max = B / F (papers.md 0.1): the share of its line rate at which a host may send so
 * that no live link carries more than it can.
 *
 * Each message is a flow of one unit, split evenly over its live shortest paths. A host shares its
 * rate among its flows, so B is what a unit would get if nothing but the hosts' own links limited
 * it, F the units on the link that limits most; both for links of different rates in units a Mb/s.
 * Links that fail at any time count as dead. A flow without a path is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define MILLION 1000000u

struct loads {
    uint32_t *pair;  /* flows [edge * edges + edge] */
    double *edge_up; /* [edge * ups + u] */
    double *edge_down;
    double *pods;   /* [(pod * pods + to pod) * aggs_per_pod + u]: between aggregation switches */
    double *agg_up; /* [agg * uplinks + c] */
    double *agg_down;
    uint32_t *out; /* flows of a place */
    uint32_t *in;
};

static int open_loads(const struct egret_topology *t, struct loads *l)
{
    size_t edges = egret_fab_count(t, FAB_EDGE), aggs = egret_fab_count(t, FAB_AGG);
    memset(l, 0, sizeof *l);
    l->pair = calloc(edges * edges, sizeof *l->pair);
    l->edge_up = calloc(edges * t->aggs_per_pod, sizeof *l->edge_up);
    l->edge_down = calloc(edges * t->aggs_per_pod, sizeof *l->edge_down);
    l->pods = calloc((size_t)t->pods * t->pods * t->aggs_per_pod, sizeof *l->pods);
    l->agg_up = calloc(aggs * t->agg_uplinks + 1u, sizeof *l->agg_up);
    l->agg_down = calloc(aggs * t->agg_uplinks + 1u, sizeof *l->agg_down);
    l->out = calloc(t->hosts, sizeof *l->out);
    l->in = calloc(t->hosts, sizeof *l->in);
    return l->pair && l->edge_up && l->edge_down && l->pods && l->agg_up && l->agg_down && l->out &&
                   l->in
               ? EGRET_OK
               : EGRET_ERR_MEMORY;
}

static void close_loads(struct loads *l)
{
    free(l->pair);
    free(l->edge_up);
    free(l->edge_down);
    free(l->pods);
    free(l->agg_up);
    free(l->agg_down);
    free(l->out);
    free(l->in);
}

static bool reachable(const struct egret_topology *t, const struct fab_known *k, uint32_t from,
                      uint32_t to)
{
    uint8_t w[EGRET_MAX_PORTS];
    return from == to || egret_fab_weights(t, k, FAB_EDGE, from, to, w) != 0;
}

static void count_flows(const struct egret_fabric *f, const struct fab_known *k, struct loads *l)
{
    const struct egret_topology *t = &f->spec.topology;
    size_t edges = egret_fab_count(t, FAB_EDGE);
    for (size_t i = 0; i < f->work->ops; i++) {
        const struct egret_op *op = &f->work->op[i];
        if (op->kind != EGRET_OP_MESSAGE) {
            continue;
        }
        uint32_t src = f->place[op->src], dst = f->place[op->dst];
        uint32_t from = src / t->hosts_per_edge, to = dst / t->hosts_per_edge;
        if (k->edge && !reachable(t, k, from, to)) {
            continue;
        }
        l->out[src]++;
        l->in[dst]++;
        if (from != to) {
            l->pair[from * edges + to]++;
        }
    }
}

/* From edges to aggregation switches and back; sums up what goes between pods. */
static void spread_edges(const struct egret_topology *t, const struct fab_known *k, struct loads *l)
{
    uint32_t edges = egret_fab_count(t, FAB_EDGE), ups = t->aggs_per_pod;
    for (uint32_t from = 0; from < edges; from++) {
        for (uint32_t to = 0; to < edges; to++) {
            uint32_t flows = l->pair[(size_t)from * edges + to];
            if (flows == 0) {
                continue;
            }
            uint8_t w[EGRET_MAX_PORTS];
            double sum = egret_fab_weights(t, k, FAB_EDGE, from, to, w);
            uint32_t pod = from / t->edges_per_pod, to_pod = to / t->edges_per_pod;
            for (uint32_t u = 0; u < ups; u++) {
                double share = flows * (w[u] / sum);
                l->edge_up[from * ups + u] += share;
                l->edge_down[to * ups + u] += share;
                if (pod != to_pod) {
                    l->pods[((size_t)pod * t->pods + to_pod) * ups + u] += share;
                }
            }
        }
    }
}

static void spread_aggs(const struct egret_topology *t, const struct fab_known *k, struct loads *l)
{
    uint32_t ups = t->aggs_per_pod, cores = t->agg_uplinks;
    for (uint32_t pod = 0; pod < t->pods; pod++) {
        for (uint32_t to = 0; to < t->pods; to++) {
            for (uint32_t u = 0; u < ups && pod != to; u++) {
                double flows = l->pods[((size_t)pod * t->pods + to) * ups + u];
                uint8_t w[EGRET_MAX_PORTS];
                uint32_t sum = egret_fab_weights(t, k, FAB_AGG, pod * ups + u, to, w);
                for (uint32_t c = 0; c < cores && flows > 0; c++) {
                    l->agg_up[(pod * ups + u) * cores + c] += flows * w[c] / sum;
                    l->agg_down[(to * ups + u) * cores + c] += flows * w[c] / sum;
                }
            }
        }
    }
}

static double largest(const double *x, size_t n, uint64_t mbps, double so_far)
{
    for (size_t i = 0; i < n; i++) {
        double load = x[i] / (double)mbps;
        so_far = load > so_far ? load : so_far;
    }
    return so_far;
}

static double largest_host(const uint32_t *x, size_t n, uint64_t mbps)
{
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        most = x[i] > most ? x[i] : most;
    }
    return most / (double)mbps;
}

uint32_t egret_fab_rho_max(struct egret_fabric *f)
{
    const struct egret_topology *t = &f->spec.topology;
    struct loads l;
    uint32_t rho = MILLION;
    if (egret_fab_plan(f, NULL) != EGRET_OK) {
        return 0;
    }
    if (open_loads(t, &l) != EGRET_OK) {
        close_loads(&l);
        return 0;
    }
    struct fab_known known = f->plan->last;
    count_flows(f, &known, &l);
    spread_edges(t, &known, &l);
    spread_aggs(t, &known, &l);
    size_t up = (size_t)egret_fab_count(t, FAB_EDGE) * t->aggs_per_pod;
    size_t core = (size_t)egret_fab_count(t, FAB_AGG) * t->agg_uplinks;
    double own = largest_host(l.out, t->hosts, t->rate_mbps[0]);
    double most = largest_host(l.in, t->hosts, t->rate_mbps[0]);
    most = own > most ? own : most;
    most = largest(l.edge_up, up, t->rate_mbps[1], most);
    most = largest(l.edge_down, up, t->rate_mbps[1], most);
    if (core) {
        most = largest(l.agg_up, core, t->rate_mbps[2], most);
        most = largest(l.agg_down, core, t->rate_mbps[2], most);
    }
    if (most > own) { /* rounded down, but not for what sums of fractions leave behind */
        rho = (uint32_t)(own / most * MILLION + 1e-4);
        rho = rho ? rho : 1u; /* the least rate that there is */
    }
    close_loads(&l);
    return rho;
}
