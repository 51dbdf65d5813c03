/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_oracle_host.h: links and hosts of the plain fabric.
 */
#ifndef EGRET_FABRIC_ORACLE_HOST_H
#define EGRET_FABRIC_ORACLE_HOST_H

#include "fabric_oracle_work.h"

/* ---- links ---- */

/* How long a packet that comes now waits: what is left of the one in service, and all that is
 * before it. */
static uint64_t o_wait(const struct oracle *o, const struct o_link *l)
{
    uint64_t wait = l->busy > o->now ? l->busy - o->now : 0;
    for (const struct o_item *i = l->queue.head; i; i = i->next) {
        wait += o_serial(l, i->packet.length + o->f->spec.gap_bytes);
    }
    return wait;
}

/* The first of the queue starts. */
static void o_serve(struct oracle *o, uint32_t node, uint32_t port)
{
    struct o_link *l = &o->node[node].link[port];
    struct o_item i = o_remove(&l->queue);
    uint64_t wait = o->now - i.since;
    uint64_t done = o->now + o_serial(l, i.packet.length);
    l->packets++;
    l->bytes += i.packet.length;
    l->wait_sum += wait;
    l->wait_max = wait > l->wait_max ? wait : l->wait_max;
    l->busy = o->now + o_serial(l, i.packet.length + o->f->spec.gap_bytes);
    o->hops++;
    o_push(o, l->busy, O_FREE, node, port, NULL);
    o_push(o, done + l->latency, O_ARRIVE, l->to, l->in, &i.packet);
}

/* A lost packet of ideal transport: the sender of the data hears of it. */
static void o_lost(struct oracle *o, const struct o_packet *p)
{
    if (o_is_sack(o)) {
        return;
    }
    uint32_t sender = p->ack ? p->dst : p->src;
    const struct egret_topology *t = &o->t;
    uint64_t rtt = 0;
    for (unsigned i = 0; i < t->tiers; i++) {
        struct o_link l = {.mbps = t->rate_mbps[i]};
        rtt += 4u * t->latency_ps[i] + (i + 1u == t->tiers ? 2u : 4u) * t->switch_ps[i];
        rtt += 2u * o_serial(&l, o->f->spec.payload + o->f->spec.header_bytes);
        rtt += 2u * o_serial(&l, o->f->spec.ack_bytes);
    }
    o_push(o, o->now + rtt, O_NOTICE, sender, 0, p);
}

static void o_enqueue(struct oracle *o, uint32_t node, uint32_t port, struct o_packet *p)
{
    struct o_link *l = &o->node[node].link[port];
    uint64_t wait = o_wait(o, l);
    if (l->buffer != UINT64_MAX && wait + o_serial(l, p->length) > l->buffer) {
        l->lost++;
        o_lost(o, p);
        return;
    }
    if (l->ecn != UINT64_MAX && wait >= l->ecn && !p->ack) {
        p->ecn = true;
        l->marked++;
    }
    o_append(&l->queue, p, o->now);
    if (l->busy <= o->now && l->queue.head->next == NULL) {
        o_serve(o, node, port); /* else the end of the one in service does it */
    }
}

/* ---- hosts ---- */

static uint64_t o_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Host schemes flow and random. */
static uint32_t o_label(const struct oracle *o, const struct o_packet *p)
{
    uint64_t seed = o->f->spec.seed;
    if (o->f->spec.host_scheme == EGRET_HOST_FLOW) {
        return (uint32_t)(o_mix(o->f->work->op[p->flow].pair ^ o_mix(seed)) >> 32);
    }
    uint64_t key = (uint64_t)p->flow << 32 | p->sequence;
    return (uint32_t)(o_mix(key ^ o_mix(seed << 1 | p->ack)) >> 32);
}

static void o_drop_first(struct oracle *o, struct o_host *h)
{
    o->message[h->ready[0]].ready = false;
    h->n--;
    memmove(h->ready, h->ready + 1, h->n * sizeof *h->ready);
}

static void o_send_data(struct oracle *o, uint32_t host)
{
    struct o_host *h = &o->host[host];
    uint32_t message = h->ready[0];
    struct o_message *m = &o->message[message];
    struct o_packet p = {.flow = message, .sequence = m->sent, .src = m->src, .dst = m->dst};
    if (o_is_sack(o)) {
        p.sequence = o_sack_next(m);
    }
    uint64_t rest = m->bytes - (uint64_t)(m->packets - 1u) * o->f->spec.payload;
    p.entropy = o_label(o, &p);
    p.length = o->f->spec.header_bytes +
               (p.sequence + 1u == m->packets ? (uint32_t)rest : o->f->spec.payload);
    if (o_is_sack(o)) {
        o_sack_sends(o, m, p.sequence);
    } else {
        o->resent += m->sent++ >= m->packets;
    }
    o_drop_first(o, h);
    o_ready(o, message);
    h->ack_was_last = false;
    if (o->f->spec.rate_ppm < 1000000u) {
        uint64_t d = o_serial(&o->node[host].link[0], p.length + o->f->spec.gap_bytes);
        h->data_at = o->now + d * 1000000u / o->f->spec.rate_ppm;
    }
    o->data_sent++;
    o_enqueue(o, host, 0, &p);
}

/* The link is free: an ACK or a data packet, in turn. */
static void o_send(struct oracle *o, uint32_t host)
{
    struct o_host *h = &o->host[host];
    h->kicked = false;
    if (o->node[host].link[0].busy > o->now) {
        return; /* O_FREE comes */
    }
    while (h->n > 0 && !o_has_something(o, &o->message[h->ready[0]])) {
        o_drop_first(o, h); /* an ACK came meanwhile */
    }
    if (h->acks.head && (!h->ack_was_last || h->n == 0 || h->data_at > o->now)) {
        struct o_packet p = o_remove(&h->acks).packet;
        h->ack_was_last = true;
        o->acks_sent++;
        o_enqueue(o, host, 0, &p);
    } else if (h->n > 0 && h->data_at > o->now) {
        o_push(o, h->data_at, O_KICK, host, 0, NULL);
    } else if (h->n > 0) {
        o_send_data(o, host);
    }
}

static void o_receive(struct oracle *o, uint32_t host, const struct o_packet *p)
{
    struct o_message *m = &o->message[p->flow];
    if (p->ack) {
        o->acks_received += o->noticed ? 0 : 1u;
        bool news = !o_is_sack(o) || o_sack_answer(o, m, &p->said);
        m->acked += o_is_sack(o) ? 0 : 1u;
        if (o_is_sack(o)) {
            o_ready(o, p->flow);
        }
        if (news && m->acked == m->packets) {
            o->last_acked = o->now;
            o_fire(o, p->flow, 1u << EGRET_ON_SENT, m->src);
        }
        return;
    }
    bool counts = !o_is_sack(o) || !o_in(&m->has, p->sequence);
    o->data_received += counts;
    if (counts && p->sequence < m->highest) {
        uint64_t extent = m->highest - 1u - p->sequence;
        o->reordered++;
        o->extent = extent > o->extent ? extent : o->extent;
    } else if (counts) {
        m->highest = p->sequence + 1u;
    }
    m->received += counts;
    if (o_is_sack(o)) {
        o_put(&m->has, p->sequence, true);
    }
    struct o_packet ack = {.flow = p->flow,
                           .sequence = p->sequence,
                           .src = p->dst,
                           .dst = p->src,
                           .length = o->f->spec.ack_bytes,
                           .ack = true,
                           .ecn = p->ecn,
                           .said = m->has};
    if (o_is_sack(o)) {
        ack.sequence = m->received; /* its label is by that */
    }
    ack.entropy = o->f->spec.host_scheme == EGRET_HOST_RANDOM ? o_label(o, &ack) : p->entropy;
    o_append(&o->host[host].acks, &ack, o->now);
    o_kick(o, host);
    if (counts && m->received == m->packets) {
        o->done++;
        o->last_done = o->now;
        o_fire(o, p->flow, 1u << EGRET_ON_DONE, m->dst);
    }
}

#endif
