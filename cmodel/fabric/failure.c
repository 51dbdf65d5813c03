/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failure.c: which links fail when, and when the switches know.
 *
 * Both directions of a cable fail together. After the convergence time G all switches know: those
 * at its ends that their port is down, all of them what that does to their weights (weights.c).
 * What is known at time 0 the set-up has already.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "rng.h"

#define MILLION 1000000u

/* ---- which fail ---- */

static uint32_t edge_cables(const struct egret_topology *t)
{
    return egret_fab_count(t, FAB_EDGE) * t->aggs_per_pod;
}

static uint32_t agg_cables(const struct egret_topology *t)
{
    return egret_fab_count(t, FAB_AGG) * t->agg_uplinks;
}

static void earlier(uint64_t *at, uint64_t time)
{
    *at = time < *at ? time : *at;
}

/* Cable c: those of the edges first. */
static void fail_cable(struct egret_fabric *f, uint32_t c, uint64_t time)
{
    uint32_t edges = edge_cables(&f->spec.topology);
    earlier(c < edges ? &f->plan->edge_fail[c] : &f->plan->agg_fail[c - edges], time);
}

static int listed(struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    for (size_t i = 0; i < f->spec.failures; i++) {
        const struct egret_fabric_failure *x = &f->spec.failure[i];
        uint32_t kind = x->at_agg ? FAB_AGG : FAB_EDGE;
        uint32_t ups = egret_fab_up_ports(t, kind);
        if (x->index >= egret_fab_count(t, kind) || x->port >= ups) {
            return egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "failure %zu: uplink %u of %s %u: there are %u with %u each",
                                    i + 1u, x->port, egret_fab_kind_name(t, kind), x->index,
                                    egret_fab_count(t, kind), ups);
        }
        fail_cable(f, (x->at_agg ? edge_cables(t) : 0) + x->index * ups + x->port, x->time_ps);
    }
    return EGRET_OK;
}

static int at_random(struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t cables = edge_cables(t) + agg_cables(t);
    uint32_t count = (uint32_t)(((uint64_t)f->spec.failed_ppm * cables + MILLION / 2u) / MILLION);
    struct rng r = {(uint64_t)f->spec.seed << 32 | 0x6661696cu};
    uint32_t *order = malloc(cables * sizeof *order);
    if (!order) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for %u links", cables);
    }
    for (uint32_t i = 0; i < cables; i++) {
        order[i] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = i + rng_below(&r, cables - i);
        fail_cable(f, order[j], 0);
        order[j] = order[i];
    }
    free(order);
    return EGRET_OK;
}

/* ---- what is known when ---- */

uint64_t egret_fab_told(const struct egret_fabric *f, uint64_t fail)
{
    uint64_t g = f->spec.convergence_ps;
    return g == EGRET_FABRIC_NO_CONVERGENCE || fail >= UINT64_MAX - g ? FAB_NEVER : fail + g;
}

static int by_time(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The different times at which somebody is told something, 0 first; their number. */
static uint32_t times(const struct egret_fabric *f, uint64_t *out, uint32_t n)
{
    uint32_t different = 1;
    out[0] = 0;
    uint32_t edges = edge_cables(&f->spec.topology);
    for (uint32_t c = 0; c < n; c++) {
        out[c + 1u] =
            egret_fab_told(f, c < edges ? f->plan->edge_fail[c] : f->plan->agg_fail[c - edges]);
    }
    qsort(out, n + 1u, sizeof *out, by_time);
    for (uint32_t i = 1; i <= n && out[i] != FAB_NEVER; i++) {
        if (out[i] != out[different - 1u]) {
            out[different++] = out[i];
        }
    }
    return different;
}

/* Bit u of mask[i]: uplink u lives, as far as is known. */
static void fill_mask(const struct egret_fabric *f, const uint64_t *fail, uint32_t switches,
                      uint32_t ups, const struct fab_known *k, uint64_t *mask)
{
    bool all = k == &f->plan->last;
    for (uint32_t i = 0; i < switches; i++) {
        mask[i] = 0;
        for (uint32_t u = 0; u < ups; u++) {
            uint64_t at = fail[(size_t)i * ups + u];
            bool lives = all ? at == FAB_NEVER : egret_fab_told(f, at) > k->time;
            mask[i] |= (uint64_t)lives << u;
        }
    }
}

static void fill_known(const struct egret_fabric *f, struct fab_known *k, uint64_t *masks)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t edges = egret_fab_count(t, FAB_EDGE), aggs = egret_fab_count(t, FAB_AGG);
    k->edge = masks;
    fill_mask(f, f->plan->edge_fail, edges, t->aggs_per_pod, k, k->edge);
    if (t->agg_uplinks) {
        k->agg = masks + edges;
        fill_mask(f, f->plan->agg_fail, aggs, t->agg_uplinks, k, k->agg);
    }
}

static int make_known(struct egret_fabric *f, const uint64_t *time, uint32_t epochs,
                      struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    struct fab_plan *p = f->plan;
    size_t each = egret_fab_count(t, FAB_EDGE) + egret_fab_count(t, FAB_AGG);
    if (epochs > FAB_MAX_EPOCHS) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "switches learn of failures at %u different times, at most %u",
                                epochs, FAB_MAX_EPOCHS);
    }
    p->known = calloc(epochs, sizeof *p->known);
    p->masks = calloc((epochs + 1u) * each, sizeof *p->masks);
    if (!p->known || !p->masks) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for the failed links");
    }
    p->epochs = epochs;
    for (uint32_t e = 0; e < epochs && p->edge_fail; e++) {
        p->known[e].time = time[e];
        fill_known(f, &p->known[e], p->masks + e * each);
    }
    if (p->edge_fail) {
        fill_known(f, &p->last, p->masks + epochs * each);
        if (f->spec.convergence_ps != 0) { /* nobody knows anything at the start */
            p->known[0].edge = NULL;
            p->known[0].agg = NULL;
        }
    }
    return EGRET_OK;
}

static int plan_failures(struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    struct fab_plan *p = f->plan;
    uint32_t cables = edge_cables(t) + agg_cables(t);
    static const uint64_t start = 0;
    if (f->spec.failures == 0 && f->spec.failed_ppm == 0) {
        return make_known(f, &start, 1, err);
    }
    if (f->spec.failed_ppm > MILLION) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%u millionths of the links fail, at most %u",
                                f->spec.failed_ppm, MILLION);
    }
    p->edge_fail = malloc(edge_cables(t) * sizeof *p->edge_fail);
    p->agg_fail = malloc((agg_cables(t) + 1u) * sizeof *p->agg_fail);
    uint64_t *time = malloc((cables + 1u) * sizeof *time);
    int code = EGRET_OK;
    if (!p->edge_fail || !p->agg_fail || !time) {
        code = egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for %u links", cables);
    } else {
        memset(p->edge_fail, 0xff, edge_cables(t) * sizeof *p->edge_fail); /* FAB_NEVER */
        memset(p->agg_fail, 0xff, (agg_cables(t) + 1u) * sizeof *p->agg_fail);
        code = listed(f, err);
    }
    if (code == EGRET_OK) {
        code = at_random(f, err);
    }
    if (code == EGRET_OK) {
        code = make_known(f, time, times(f, time, cables), err);
    }
    free(time);
    return code;
}

int egret_fab_plan(struct egret_fabric *f, struct egret_trace_error *err)
{
    if (f->plan) {
        return EGRET_OK;
    }
    f->plan = calloc(1, sizeof *f->plan);
    struct fab_vectors *v = malloc(sizeof *v);
    if (!f->plan || !v) {
        free(v);
        egret_fab_plan_free(f);
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for the plan of a fabric");
    }
    f->plan->vectors = v;
    int code = plan_failures(f, err);
    if (code != EGRET_OK) {
        egret_fab_plan_free(f);
    }
    return code;
}

void *egret_fab_keep(struct fab_plan *p, size_t bytes)
{
    if (p->keeps == p->keep_capacity) {
        size_t more = p->keep_capacity ? p->keep_capacity * 2u : 64u;
        void **kept = realloc(p->kept, more * sizeof *kept);
        if (!kept) {
            return NULL;
        }
        p->kept = kept;
        p->keep_capacity = more;
    }
    void *m = calloc(1, bytes);
    if (m) {
        p->kept[p->keeps++] = m;
    }
    return m;
}

void egret_fab_plan_free(struct egret_fabric *f)
{
    struct fab_plan *p = f->plan;
    if (!p) {
        return;
    }
    for (size_t i = 0; i < p->keeps; i++) {
        free(p->kept[i]);
    }
    free(p->kept);
    free(p->edge_fail);
    free(p->agg_fail);
    free(p->known);
    free(p->masks);
    free(p->vectors);
    free(p);
    f->plan = NULL;
}
