/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work_check.c: can the work ever be over? Each message needs a live path, and each queue on its
 * way room for its largest packet. Told before the run, not after a million packets.
 *
 * A link that fails is never repaired, so what has no path at a time has none afterwards.
 */
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "plan.h"

#define CUT_TEXT 192u

/* ---- live paths at a time ---- */

struct live {
    const struct egret_fabric *fabric;
    uint64_t *edge; /* bit u: uplink u of an edge lives */
    uint64_t *pair; /* of two pods. Bit u: their aggregation switches u have a live core in common;
                     * null: all have */
    uint32_t pods;
};

static uint64_t live_mask(const uint64_t *fail, uint32_t ups, uint64_t now)
{
    uint64_t mask = 0;
    for (uint32_t u = 0; u < ups; u++) {
        mask |= (uint64_t)(fail[u] > now) << u;
    }
    return mask;
}

static void live_close(struct live *l)
{
    free(l->edge);
    free(l->pair);
}

/* False: no memory, or no link fails at all. */
static bool live_open(struct live *l, const struct egret_fabric *f, uint64_t now)
{
    const struct egret_topology *t = &f->spec.topology;
    const struct fab_plan *p = f->plan;
    uint32_t edges = egret_fab_count(t, FAB_EDGE), ups = t->aggs_per_pod;
    memset(l, 0, sizeof *l);
    l->fabric = f;
    l->pods = edges / t->edges_per_pod;
    if (!p || !p->edge_fail) {
        return false;
    }
    l->edge = calloc(edges, sizeof *l->edge);
    if (t->agg_uplinks) {
        l->pair = calloc((size_t)l->pods * l->pods, sizeof *l->pair);
    }
    if (!l->edge || (t->agg_uplinks && !l->pair)) {
        live_close(l);
        return false;
    }
    for (uint32_t e = 0; e < edges; e++) {
        l->edge[e] = live_mask(p->edge_fail + (size_t)e * ups, ups, now);
    }
    for (uint32_t u = 0; u < ups && l->pair; u++) {
        uint64_t mask[EGRET_MAX_PORTS]; /* a core has a port for each pod */
        for (uint32_t a = 0; a < l->pods; a++) {
            size_t agg = (size_t)a * ups + u;
            mask[a] = live_mask(p->agg_fail + agg * t->agg_uplinks, t->agg_uplinks, now);
            for (uint32_t b = 0; b <= a; b++) {
                uint64_t bit = (uint64_t)((mask[a] & mask[b]) != 0) << u;
                l->pair[a * l->pods + b] |= bit;
                l->pair[b * l->pods + a] |= a == b ? 0 : bit;
            }
        }
    }
    return true;
}

static bool has_path(const struct live *l, uint32_t src, uint32_t dst)
{
    const struct egret_topology *t = &l->fabric->spec.topology;
    uint32_t from = src / t->hosts_per_edge, to = dst / t->hosts_per_edge;
    uint32_t pod = from / t->edges_per_pod, to_pod = to / t->edges_per_pod;
    uint64_t ways = l->edge[from] & l->edge[to];
    if (pod != to_pod && l->pair) {
        ways &= l->pair[pod * l->pods + to_pod];
    }
    return from == to || ways != 0;
}

/* Why two hosts have none. */
static void cut_text(const struct live *l, uint32_t src, uint32_t dst, uint32_t others, char *out)
{
    const struct egret_topology *t = &l->fabric->spec.topology;
    const char *kind = egret_fab_kind_name(t, FAB_EDGE);
    uint32_t from = src / t->hosts_per_edge, to = dst / t->hosts_per_edge;
    char more[48] = "";
    if (others) {
        (void)snprintf(more, sizeof more, ", nor for %u messages more", others);
    }
    if (l->edge[from] == 0 || l->edge[to] == 0) {
        (void)snprintf(out, CUT_TEXT,
                       "host %u to host %u: no live path: all uplinks of %s %u have failed%s", src,
                       dst, kind, l->edge[from] == 0 ? from : to, more);
    } else {
        (void)snprintf(out, CUT_TEXT,
                       "host %u to host %u: no live path: each one from %s %u to %u has a failed "
                       "link%s",
                       src, dst, kind, from, to, more);
    }
}

/* The first message, of all or of those under way, that has no path; true: text says so. */
static bool find_cut(const struct live *l, bool under_way, char *text)
{
    const struct egret_fabric *f = l->fabric;
    const struct fab_out *cut = NULL;
    uint32_t others = 0;
    for (size_t i = 0; i < f->work->ops; i++) {
        const struct fab_out *o = &f->hosts->out[i];
        if (o->packets == 0 || (under_way && (!o->started || o->over)) ||
            has_path(l, o->src, o->dst)) {
            continue;
        }
        others += cut != NULL;
        cut = cut ? cut : o;
    }
    if (cut) {
        cut_text(l, cut->src, cut->dst, others, text);
    }
    return cut != NULL;
}

static int check_paths(const struct egret_fabric *f, struct egret_trace_error *err)
{
    struct live live;
    char text[CUT_TEXT], seed[32] = "";
    if (!live_open(&live, f, 0)) {
        return EGRET_OK;
    }
    bool cut = find_cut(&live, false, text);
    live_close(&live);
    if (f->spec.failed_ppm) {
        (void)snprintf(seed, sizeof seed, " (seed %u)", f->spec.seed);
    }
    return cut ? egret_trace_fail(err, EGRET_ERR_RANGE, "fabric: %s%s", text, seed) : EGRET_OK;
}

/* ---- buffers ---- */

/* Data and ACKs that a queue is to take, none waiting there: the largest, of messages that pass
 * it. */
static void largest_packets(const struct egret_fabric *f, uint32_t *largest)
{
    const struct egret_topology *t = &f->spec.topology;
    for (size_t i = 0; i < f->work->ops; i++) {
        const struct fab_out *o = &f->hosts->out[i];
        uint32_t from = o->src / t->hosts_per_edge, to = o->dst / t->hosts_per_edge;
        bool pods = from / t->edges_per_pod != to / t->edges_per_pod;
        uint32_t most = o->packets == 0 ? 0 : o->full > o->last ? o->full : o->last;
        if (most == 0) {
            continue;
        }
        most = most > f->spec.ack_bytes ? most : f->spec.ack_bytes;
        for (uint32_t q = 0; q < EGRET_FABRIC_QUEUES; q++) {
            bool always = q == EGRET_QUEUE_HOST || q == EGRET_QUEUE_EDGE_DOWN;
            bool top = q == EGRET_QUEUE_AGG_UP || q == EGRET_QUEUE_CORE_DOWN;
            if ((always || (top ? pods : from != to)) && most > largest[q]) {
                largest[q] = most;
            }
        }
    }
}

static int check_buffers(const struct egret_fabric *f, struct egret_trace_error *err)
{
    static const char *const name[EGRET_FABRIC_QUEUES] = {"host",      "edge-up",  "agg-up",
                                                          "core-down", "agg-down", "edge-down"};
    uint32_t largest[EGRET_FABRIC_QUEUES] = {0};
    largest_packets(f, largest);
    for (uint32_t i = 0; i < f->links; i++) {
        const struct fab_link *l = &f->link[i];
        if (fab_serial_ps(l, largest[l->tier]) > l->buffer_ps) {
            return egret_trace_fail(
                err, EGRET_ERR_RANGE,
                "fabric: a buffer (%s) of %llu bytes: the largest packet of this work has %u",
                name[l->tier], (unsigned long long)f->spec.buffer_bytes[l->tier], largest[l->tier]);
        }
    }
    return EGRET_OK;
}

int egret_fab_check_work(const struct egret_fabric *f, struct egret_trace_error *err)
{
    int code = check_buffers(f, err);
    return code == EGRET_OK ? check_paths(f, err) : code;
}

/* ---- a run in which nothing arrives any more ---- */

/* A message under way; null. */
static const struct fab_out *under_way(const struct egret_fabric *f)
{
    for (size_t i = 0; i < f->work->ops; i++) {
        const struct fab_out *o = &f->hosts->out[i];
        if (o->packets && o->started && !o->over) {
            return o;
        }
    }
    return NULL;
}

void egret_fab_vain_text(const struct egret_fabric *f, uint64_t now, char *out, size_t size)
{
    static const char what[] = "a million packets were sent and none has arrived";
    char text[CUT_TEXT], path[80] = "";
    struct live live;
    uint64_t dead = 0, lost = 0, no_port = 0;
    bool untold = false;
    bool cut = false;
    if (live_open(&live, f, now)) {
        cut = find_cut(&live, true, text);
        live_close(&live);
    }
    if (cut) {
        (void)snprintf(out, size, "%s: %s", what, text);
        return;
    }
    for (uint32_t i = 0; i < f->links; i++) {
        const struct fab_link *l = &f->link[i];
        dead += l->dead;
        lost += l->lost;
        untold = untold || (l->down_at <= now && l->told_at == FAB_NEVER);
    }
    for (uint32_t i = 0; i < f->nodes; i++) {
        no_port += f->node[i].no_port;
    }
    const struct fab_out *o = under_way(f);
    if (o) {
        (void)snprintf(path, sizeof path, ", though host %u has a live path to host %u", o->src,
                       o->dst);
    }
    (void)snprintf(out, size,
                   "%s%s: so far %llu were lost on failed links%s, %llu in full queues, and %llu "
                   "had no port",
                   what, path, (unsigned long long)dead,
                   dead && untold ? ", of which no switch is told" : "", (unsigned long long)lost,
                   (unsigned long long)no_port);
}
