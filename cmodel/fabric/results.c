/* SPDX-License-Identifier: Apache-2.0 */
/*
 * results.c: what came of a run, from what links, nodes and workers counted; and whether there is a
 * lower bound for the schedule.
 */
#include <stdlib.h>
#include <string.h>

#include "sample.h"

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
    uint64_t packets;   /* of each */
    uint32_t sent_most; /* messages of one rank */
    uint32_t got_most;
    bool all_equal;
    bool far; /* one of them crosses the top tier */
};

static bool crosses(const struct egret_fabric *f, const struct egret_op *op)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t hosts = t->hosts_per_edge * (t->tiers == 2u ? 1u : t->edges_per_pod);
    return f->place[op->src] / hosts != f->place[op->dst] / hosts;
}

/* False if memory is out, or the schedule is no plain set of messages. */
static bool look(const struct egret_fabric *f, struct shape *s)
{
    const struct egret_schedule *w = f->work;
    uint32_t *sent = calloc(w->ranks, sizeof *sent);
    uint32_t *got = calloc(w->ranks, sizeof *got);
    bool plain = sent && got;
    memset(s, 0, sizeof *s);
    s->all_equal = true;
    for (size_t i = 0; plain && i < w->ops; i++) {
        const struct egret_op *op = &w->op[i];
        if (op->kind != EGRET_OP_MESSAGE) {
            continue; /* joins and turnstiles of a window; what they hold back comes later */
        }
        uint64_t n = (op->amount + f->spec.payload - 1u) / f->spec.payload;
        s->all_equal = s->all_equal && (s->messages == 0 || n == s->packets);
        s->packets = n;
        s->messages++;
        s->far = s->far || crosses(f, op);
        sent[op->src]++;
        got[op->dst]++;
        s->sent_most = (uint32_t)larger(s->sent_most, sent[op->src]);
        s->got_most = (uint32_t)larger(s->got_most, got[op->dst]);
    }
    free(sent);
    free(got);
    return plain && s->messages != 0;
}

/* A schedule with one message from and to each of its hosts, or one for each pair of all hosts.
 * Edges between them only delay, so the bound holds with them, too. */
static uint64_t bound(const struct egret_fabric *f)
{
    struct shape s;
    uint64_t hosts = f->spec.topology.hosts;
    if (!look(f, &s) || !s.all_equal || !s.far) {
        return 0;
    }
    if (s.sent_most == 1u && s.got_most == 1u) {
        return egret_fabric_bound_permutation(&f->spec, s.packets);
    }
    if (s.messages == hosts * (hosts - 1u) && s.sent_most == hosts - 1u &&
        s.got_most == hosts - 1u) {
        return egret_fabric_bound_all_to_all(&f->spec, s.packets);
    }
    return 0;
}

void egret_fab_results(struct egret_fabric *f)
{
    struct egret_fabric_results *r = &f->results;
    totals(f, &r->totals);
    for (unsigned tier = 0; tier < EGRET_FABRIC_QUEUES; tier++) {
        queue(f, tier, &r->queue[tier]);
    }
    /* A delay may end behind the last packet; whoever sees that has set cct_ps. */
    r->cct_ps = larger(r->cct_ps, larger(r->totals.last_done_ps, r->totals.last_sent_ps));
    r->lower_bound_ps = bound(f);
    r->rate_ppm = (uint32_t)f->spec.rate_ppm; /* rho_max by now, if that was asked for */
}
