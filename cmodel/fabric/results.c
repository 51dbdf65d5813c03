/* SPDX-License-Identifier: Apache-2.0 */
/*
 * results.c: what came of a run, from what links, nodes and workers counted; and whether there is a
 * lower bound for the schedule.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "sample.h"

#define MILLION 1000000u

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* What hosts and switches counted. */
static void totals(struct egret_fabric *f, struct egret_fabric_totals *sum)
{
    memset(sum, 0, sizeof *sum);
    for (uint32_t i = 0; i < f->workers; i++) {
        const struct egret_fabric_totals *t = &f->worker[i].totals;
        sum->data_sent += t->data_sent;
        sum->acks_sent += t->acks_sent;
        sum->data_received += t->data_received;
        sum->resent += t->resent;
        sum->reordered += t->reordered;
        sum->messages_done += t->messages_done;
        sum->reorder_extent = larger(sum->reorder_extent, t->reorder_extent);
        sum->last_done_ps = larger(sum->last_done_ps, t->last_done_ps);
        sum->last_sent_ps = larger(sum->last_sent_ps, t->last_sent_ps);
    }
    for (uint32_t i = 0; i < f->nodes; i++) {
        sum->decisions += f->node[i].decisions;
        sum->selector_drops += f->node[i].no_port;
    }
    for (uint32_t i = 0; i < f->links; i++) {
        sum->hops += f->link[i].packets;
    }
}

static double bytes_of(const struct fab_link *l, double ps)
{
    return l->byte_ps ? ps / l->byte_ps : ps * l->mbps / 8e6;
}

/* One tier: its links in order, so that sums of doubles come out the same every time. */
static void queue(const struct egret_fabric *f, unsigned tier, struct egret_fabric_queue_result *q)
{
    double wait = 0;
    double bytes = 0;
    uint64_t most = 0;
    memset(q, 0, sizeof *q);
    for (uint32_t i = 0; i < f->links; i++) {
        const struct fab_link *l = &f->link[i];
        if (l->tier != tier) {
            continue;
        }
        q->links++;
        q->packets += l->packets;
        q->bytes += l->bytes;
        q->lost += l->lost;
        q->dead += l->dead;
        q->marked += l->marked;
        q->trimmed += l->trimmed;
        wait += (double)l->wait_sum;
        bytes += bytes_of(l, (double)l->wait_sum);
        most = larger(most, l->bytes);
        q->max_wait_ps = larger(q->max_wait_ps, l->wait_max);
        q->max_bytes = larger(q->max_bytes, (uint64_t)(bytes_of(l, (double)l->wait_max) + 0.5));
    }
    if (q->packets) {
        q->mean_wait_ps = wait / (double)q->packets;
        q->mean_bytes = bytes / (double)q->packets;
        q->overload = (double)most * (double)q->links / (double)q->bytes;
    }
}

/* What all messages have in common. */
struct shape {
    uint64_t messages;
    uint64_t least;     /* bytes of the shortest */
    uint64_t packets;   /* of each */
    uint32_t sent_most; /* messages of one rank */
    uint32_t got_most;
    bool all_equal; /* as many packets each */
    bool far;       /* one crosses the top tier, from a rank that receives one too */
    bool at_once;   /* all are ready at the start */
};

static bool crosses(const struct egret_fabric *f, const struct egret_op *op)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t hosts = t->hosts_per_edge * (t->tiers == 2u ? 1u : t->edges_per_pod);
    return f->place[op->src] / hosts != f->place[op->dst] / hosts;
}

static void look_at(const struct egret_fabric *f, const struct egret_op *op, struct shape *s,
                    uint32_t *sent, uint32_t *got)
{
    uint64_t n = (op->amount - 1u) / f->spec.payload + 1u;
    s->all_equal = s->all_equal && (s->messages == 0 || n == s->packets);
    s->least = s->messages == 0 || op->amount < s->least ? op->amount : s->least;
    s->packets = n;
    s->messages++;
    s->at_once = s->at_once && op->need == 0 && op->start_ps == 0;
    s->sent_most = (uint32_t)larger(s->sent_most, ++sent[op->src]);
    s->got_most = (uint32_t)larger(s->got_most, ++got[op->dst]);
}

/* Joins and turnstiles are passed over: what they hold back comes later. EGRET_ERR_MEMORY. */
static int look(const struct egret_fabric *f, struct shape *s)
{
    const struct egret_schedule *w = f->work;
    uint32_t *sent = calloc(w->ranks, sizeof *sent);
    uint32_t *got = calloc(w->ranks, sizeof *got);
    bool memory = sent && got;
    memset(s, 0, sizeof *s);
    s->all_equal = s->at_once = true;
    for (size_t i = 0; memory && i < w->ops; i++) {
        if (w->op[i].kind == EGRET_OP_MESSAGE) {
            look_at(f, &w->op[i], s, sent, got);
        }
    }
    for (size_t i = 0; memory && i < w->ops && !s->far; i++) {
        const struct egret_op *op = &w->op[i];
        s->far = op->kind == EGRET_OP_MESSAGE && got[op->src] != 0 && crosses(f, op);
    }
    free(sent);
    free(got);
    return memory ? EGRET_OK : EGRET_ERR_MEMORY;
}

/* Is there no pair of ranks with two messages? EGRET_ERR_MEMORY. */
static int each_pair_once(const struct egret_schedule *w, bool *out)
{
    uint64_t *seen = calloc(((size_t)w->ranks * w->ranks + 63u) / 64u, sizeof *seen);
    bool once = true;
    if (!seen) {
        return EGRET_ERR_MEMORY;
    }
    for (size_t i = 0; once && i < w->ops; i++) {
        const struct egret_op *op = &w->op[i];
        size_t pair = (size_t)op->src * w->ranks + op->dst;
        uint64_t bit = 1ull << (pair & 63u);
        if (op->kind == EGRET_OP_MESSAGE) {
            once = !(seen[pair / 64u] & bit);
            seen[pair / 64u] |= bit;
        }
    }
    free(seen);
    *out = once;
    return EGRET_OK;
}

/* A schedule with at most one message from and to each of its hosts, or one for each pair of all
 * hosts. Full packets alone count: a shorter last one takes less than a formula's. */
static int bound(const struct egret_fabric *f, uint64_t *out)
{
    struct egret_fabric_spec spec = f->spec;
    struct shape s;
    uint64_t hosts = spec.topology.hosts;
    bool once = false;
    int code = look(f, &s);
    *out = 0;
    if (code != EGRET_OK || s.messages == 0 || !s.all_equal || !s.far) {
        return code;
    }
    uint64_t packets = s.least / spec.payload;
    if (packets == 0) {
        packets = 1;
        spec.payload = (uint32_t)s.least;
    }
    if (s.sent_most == 1u && s.got_most == 1u) {
        *out = egret_fabric_bound_permutation(&spec, packets);
    } else if (s.messages == hosts * (hosts - 1u) && s.sent_most == hosts - 1u &&
               s.got_most == hosts - 1u) {
        code = each_pair_once(f->work, &once);
        if (!s.at_once) {
            spec.window_packets = 1; /* messages do not take turns from the start to the end */
        }
        *out = once ? egret_fabric_bound_all_to_all(&spec, packets) : 0;
    }
    return code;
}

/* How far the weights of uplinks are from exact ones. */
static void weights(const struct fab_plan *p, struct egret_fabric_results *r)
{
    r->rounded_groups = p ? fab_rounded(p) : 0;
    r->oversubscription_ppm = MILLION;
    for (uint32_t kind = FAB_EDGE; p && kind <= FAB_AGG; kind++) {
        r->oversubscription_ppm = (uint32_t)larger(r->oversubscription_ppm, p->oversub_ppm[kind]);
    }
}

int egret_fab_results(struct egret_fabric *f)
{
    struct egret_fabric_results *r = &f->results;
    totals(f, &r->totals);
    for (unsigned tier = 0; tier < EGRET_FABRIC_QUEUES; tier++) {
        queue(f, tier, &r->queue[tier]);
    }
    /* A delay may end behind the last packet; whoever sees that has set cct_ps. */
    r->cct_ps = larger(r->cct_ps, larger(r->totals.last_done_ps, r->totals.last_sent_ps));
    r->rate_ppm = (uint32_t)f->spec.rate_ppm; /* rho_max by now, if that was asked for */
    weights(f->plan, r);
    return bound(f, &r->lower_bound_ps);
}
