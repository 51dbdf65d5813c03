/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host.c: hosts under one edge, a window at a time. docs/fabric.md.
 */
#include <string.h>

#include "work.h"

#define FIRST_ACKS 16u /* room for ACKs that wait, a power of two */
#define AHEAD 8u       /* arrivals whose state is fetched early */

void *egret_fab_array(uint64_t n, size_t size)
{
    if (n > (SIZE_MAX / 2u - 64u) / size) {
        return NULL;
    }
    size_t bytes = ((size_t)n * size + 64u) / 64u * 64u;
    void *p = aligned_alloc(64, bytes);
    if (p) {
        memset(p, 0, bytes);
    }
    return p;
}

/* ---- open ---- */

uint64_t egret_fab_base_rtt(const struct egret_fabric *f)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t data = f->spec.payload + f->spec.header_bytes;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->tiers; i++) {
        bool top = i + 1u == t->tiers;
        sum += 4u * t->latency_ps[i] + (top ? 2u : 4u) * t->switch_ps[i];
        if (t->rate_mbps[i] > 0) {
            sum += 2u * ((uint64_t)data * 8000000u / t->rate_mbps[i]);
            sum += 2u * ((uint64_t)f->spec.ack_bytes * 8000000u / t->rate_mbps[i]);
        }
    }
    return sum;
}

static int check(const struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_fabric_spec *s = &f->spec;
    if (s->payload == 0 || s->payload > 65535u || s->header_bytes > 65535u - s->payload) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "a packet of %u + %u bytes: 1 to 65535",
                                s->header_bytes, s->payload);
    }
    if (s->ack_bytes == 0 || s->ack_bytes > 65535u) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "an ACK of %u bytes: 1 to 65535",
                                s->ack_bytes);
    }
    if (s->transport > EGRET_TRANSPORT_SACK || s->host_scheme > EGRET_HOST_DRB) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "unknown transport or host scheme");
    }
    return EGRET_OK;
}

static void open_nics(struct fab_hosts *hs)
{
    struct egret_fabric *f = hs->fabric;
    for (uint32_t p = 0; p < hs->places; p++) {
        struct fab_host *h = &hs->host[p];
        h->head = h->tail = FAB_NONE;
        h->ack = hs->ack_slab + (size_t)p * FIRST_ACKS;
        h->ack_mask = FIRST_ACKS - 1u;
    }
    for (uint32_t e = 0; e < hs->edges; e++) {
        const struct fab_node *n = &f->node[f->first_node[FAB_HOSTS] + e];
        for (uint32_t slot = 0; slot < n->ports; slot++) {
            /* Preamble and gap go in front of the first packet too, so that the completion time
             * of a permutation is papers.md 0.2's to the picosecond. */
            struct fab_link *l = fab_host_link(f, n, slot);
            l->free_at = fab_serial_ps(l, f->spec.gap_bytes);
        }
    }
}

static void set_pace(struct fab_hosts *hs)
{
    const struct egret_fabric *f = hs->fabric;
    hs->rate_ppm = (uint32_t)f->spec.rate_ppm; /* 1 to 1000000: fabric.c */
    hs->pace_bytes = (uint16_t)(f->spec.payload + f->spec.header_bytes);
    const struct fab_link *l = fab_host_link(f, &f->node[f->first_node[FAB_HOSTS]], 0);
    uint64_t d = fab_serial_ps(l, hs->pace_bytes + f->spec.gap_bytes);
    hs->pace_ps = d * 1000000u / hs->rate_ppm;
}

static int open_all(struct fab_hosts *hs, struct egret_trace_error *err)
{
    struct egret_fabric *f = hs->fabric;
    size_t ops = f->work->ops;
    hs->out = egret_fab_array(ops, sizeof *hs->out);
    hs->in = egret_fab_array(ops, sizeof *hs->in);
    hs->host = egret_fab_array(hs->places, sizeof *hs->host);
    hs->node = egret_fab_array(hs->edges, sizeof *hs->node);
    hs->ack_slab = egret_fab_array((uint64_t)hs->places * FIRST_ACKS, sizeof *hs->ack_slab);
    if (!hs->out || !hs->in || !hs->host || !hs->node || !hs->ack_slab) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    int code = egret_fab_work_open(hs, err);
    if (code == EGRET_OK && hs->transport->open) {
        code = hs->transport->open(f, err);
    }
    if (code == EGRET_OK && hs->scheme->open) {
        code = hs->scheme->open(f, err);
    }
    if (code == EGRET_OK) {
        open_nics(hs);
        set_pace(hs);
    }
    return code;
}

int egret_fab_hosts_open(struct egret_fabric *f, struct egret_trace_error *err)
{
    static const struct fab_transport *const transport[] = {
        [EGRET_TRANSPORT_IDEAL] = &egret_fab_transport_ideal,
        [EGRET_TRANSPORT_SACK] = &egret_fab_transport_sack};
    static const struct fab_host_scheme *const scheme[] = {
        [EGRET_HOST_FLOW] = &egret_fab_scheme_flow,
        [EGRET_HOST_SUBFLOW] = &egret_fab_scheme_subflow,
        [EGRET_HOST_RANDOM] = &egret_fab_scheme_random,
        [EGRET_HOST_DRB] = &egret_fab_scheme_drb};
    int code = check(f, err);
    if (code != EGRET_OK) {
        return code;
    }
    struct fab_hosts *hs = calloc(1, sizeof *hs);
    if (!hs) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    f->hosts = hs;
    hs->fabric = f;
    hs->transport = transport[f->spec.transport];
    hs->scheme = scheme[f->spec.host_scheme];
    hs->hosts_per_edge = f->spec.topology.hosts_per_edge;
    hs->edges = f->first_node[FAB_EDGE] - f->first_node[FAB_HOSTS];
    hs->places = hs->edges * hs->hosts_per_edge;
    hs->seed = f->spec.seed;
    hs->ack_bytes = (uint16_t)f->spec.ack_bytes;
    hs->rtt_ps = egret_fab_base_rtt(f);
    code = open_all(hs, err);
    if (code != EGRET_OK) {
        egret_fab_hosts_close(f);
        return code;
    }
    for (uint32_t e = 0; e < hs->edges; e++) {
        f->node[f->first_node[FAB_HOSTS] + e].wake = fab_work_next(&hs->node[e]);
    }
    return EGRET_OK;
}

void egret_fab_hosts_close(struct egret_fabric *f)
{
    struct fab_hosts *hs = f->hosts;
    if (!hs) {
        return;
    }
    for (uint32_t p = 0; hs->host && p < hs->places; p++) {
        if (hs->host[p].own_ring) {
            free(hs->host[p].ack);
        }
    }
    if (hs->transport->close) {
        hs->transport->close(hs);
    }
    if (hs->scheme->close) {
        hs->scheme->close(hs);
    }
    egret_fab_work_close(hs);
    free(hs->out);
    free(hs->in);
    free(hs->host);
    free(hs->node);
    free(hs->ack_slab);
    free(hs);
    f->hosts = NULL;
}

uint64_t egret_fab_hosts_over(const struct egret_fabric *f)
{
    uint64_t last = 0;
    for (uint32_t e = 0; e < f->hosts->edges; e++) {
        last = f->hosts->node[e].over_ps > last ? f->hosts->node[e].over_ps : last;
    }
    return last;
}

/* ---- the run ---- */

/* A whole data packet is here. True if it was the last that the message needed. Where the transport
 * tells which count, its ACK says how many have: p->sequence becomes that. */
static bool receive(struct fab_worker *w, struct fab_packet *p, struct fab_in *in)
{
    const struct fab_hosts *hs = w->fabric->hosts;
    uint32_t sequence = p->sequence;
    if (hs->transport->arrive) {
        bool first = hs->transport->arrive(w->fabric->hosts, p);
        p->sequence = in->received + first;
        if (!first) {
            return false;
        }
    }
    w->totals.data_received++;
    if (sequence < in->highest) {
        uint32_t extent = in->highest - 1u - sequence;
        w->totals.reordered++;
        if (extent > w->totals.reorder_extent) {
            w->totals.reorder_extent = extent;
        }
    } else {
        in->highest = sequence + 1u;
    }
    return ++in->received == in->packets;
}

static void data(struct fab_worker *w, const struct fab_node *n, struct fab_host *h,
                 struct fab_packet *p)
{
    struct fab_hosts *hs = w->fabric->hosts;
    struct fab_in *in = &hs->in[p->flow];
    bool done = !(p->flags & FAB_TRIMMED) && receive(w, p, in);
    egret_fab_nic_ack(w, h, p, hs->scheme->ack ? hs->scheme->ack(hs, in, p) : p->entropy);
    if (done) {
        w->totals.messages_done++;
        w->totals.last_done_ps =
            p->time > w->totals.last_done_ps ? p->time : w->totals.last_done_ps;
        egret_fab_work_fire(w, n, p->time, p->flow, EGRET_ON_DONE);
    }
}

/* An ACK, a NACK, or news of a loss. */
static void answer(struct fab_worker *w, const struct fab_node *n, const struct fab_packet *p)
{
    struct fab_hosts *hs = w->fabric->hosts;
    struct fab_out *o = &hs->out[p->flow];
    if (o->over) {
        return;
    }
    if (hs->scheme->answer) {
        hs->scheme->answer(hs, o, p);
    }
    uint32_t acked = o->acked;
    bool all = hs->transport->answer(w, p, o);
    w->answered += o->acked - acked;
    if (all) {
        egret_fab_work_sent(w, n, p->time, p->flow);
    } else if (!o->listed) {
        egret_fab_nic_list(hs, p->time, p->flow);
    }
}

static void arrival(struct fab_worker *w, const struct fab_node *n, struct fab_packet *p)
{
    struct fab_hosts *hs = w->fabric->hosts;
    if (p->flags & FAB_SIGNAL) {
        egret_fab_work_signal(w, n, p->time, p->flow, p->sequence);
        return;
    }
    if (p->flags & FAB_LOST) {
        egret_fab_nic_until(w, n, p->dst, p->time);
        answer(w, n, p);
        return;
    }
    struct fab_host *h = &hs->host[n->index * hs->hosts_per_edge + p->in];
    if (h->acks > 0 || h->head != FAB_NONE) {
        egret_fab_nic_run(w, h, fab_host_link(w->fabric, n, p->in), p->time);
    }
    if (p->flags & FAB_ACK) {
        answer(w, n, p);
    } else {
        data(w, n, h, p);
    }
}

static void fetch(const struct fab_hosts *hs, const struct fab_packet *p)
{
    if (p->flags & FAB_SIGNAL) {
        return;
    }
    if (p->flags & (FAB_ACK | FAB_LOST)) {
        __builtin_prefetch(&hs->out[p->flow], 1);
    } else {
        __builtin_prefetch(&hs->in[p->flow], 1);
    }
}

void egret_fab_hosts(struct fab_worker *w, struct fab_node *n)
{
    struct egret_fabric *f = w->fabric;
    struct fab_hosts *hs = f->hosts;
    struct fab_host_node *x = &hs->node[n->index];
    uint64_t end = (f->window + 1u) * f->window_ps;
    size_t count = egret_fab_take(w, (uint32_t)(n - f->node));
    for (size_t i = 0; i < count && i < AHEAD; i++) {
        fetch(hs, &w->sorted[i]);
    }
    /* Timers come before the packets of their time. */
    for (size_t i = 0; w->code == EGRET_OK;) {
        uint64_t timer = fab_work_next(x);
        if (i < count && w->sorted[i].time < timer) {
            if (i + AHEAD < count) {
                fetch(hs, &w->sorted[i + AHEAD]);
            }
            arrival(w, n, &w->sorted[i++]);
        } else if (timer < end) {
            egret_fab_work_timer(w, n);
        } else {
            break;
        }
    }
    n->wake = fab_work_next(x);
    for (uint32_t slot = 0; slot < n->ports; slot++) {
        struct fab_host *h = &hs->host[n->index * hs->hosts_per_edge + slot];
        struct fab_link *l = fab_host_link(f, n, slot);
        egret_fab_nic_run(w, h, l, end);
        uint64_t next = egret_fab_nic_next(h, l);
        n->wake = next < n->wake ? next : n->wake;
    }
}
