/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nic.c: what a host sends when. The link is free or it is not; whatever has something to send when
 * it is free takes turns: ACKs and data packet by packet, messages round robin.
 *
 * Nothing is planned: before something new comes to a NIC, it sends all that would have started by
 * then. So a packet costs no event of its own.
 */
#include <string.h>

#include "host.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void send_ack(struct fab_worker *w, struct fab_host *h, struct fab_link *l, uint64_t start)
{
    const struct fab_hosts *hs = w->fabric->hosts;
    const struct fab_ack *a = &h->ack[h->ack_first];
    struct fab_packet p = {.flow = a->flow,
                           .sequence = a->sequence,
                           .src = (uint32_t)(h - hs->host),
                           .dst = a->dst,
                           .entropy = a->entropy,
                           .length = hs->ack_bytes,
                           .flags = a->flags};
    h->ack_first = (h->ack_first + 1u) & h->ack_mask;
    h->acks--;
    h->data_last = false;
    w->totals.acks_sent++;
    (void)egret_fab_send(w, l, start, &p);
}

/* Ahead of the next data packet of this host. */
static uint64_t pace(const struct fab_hosts *hs, const struct fab_link *l, uint32_t length)
{
    if (length == hs->pace_bytes) {
        return hs->pace_ps;
    }
    uint64_t d = fab_serial_ps(l, length + hs->fabric->spec.gap_bytes);
    return d * 1000000u / hs->rate_ppm;
}

static void drop_head(struct fab_hosts *hs, struct fab_host *h)
{
    struct fab_out *o = &hs->out[h->head];
    h->head = o->next;
    o->listed = false;
}

static void send_data(struct fab_worker *w, struct fab_host *h, struct fab_link *l, uint64_t start)
{
    struct fab_hosts *hs = w->fabric->hosts;
    uint32_t op = h->head;
    struct fab_out *o = &hs->out[op];
    uint32_t sequence;
    bool more = hs->transport->next(w, start, op, o, &sequence);
    struct fab_packet p = {.flow = op,
                           .sequence = sequence,
                           .src = o->src,
                           .dst = o->dst,
                           .length = sequence + 1u == o->packets ? o->last : o->full};
    p.entropy = hs->scheme->data(hs, o, &p);
    if (!more) {
        drop_head(hs, h);
    } else if (o->next != FAB_NONE) {
        h->head = o->next;
        hs->out[h->tail].next = op;
        h->tail = op;
        o->next = FAB_NONE;
    }
    if (hs->rate_ppm < 1000000u) {
        h->data_at = start + pace(hs, l, p.length);
    }
    h->data_last = true;
    w->totals.data_sent++;
    (void)egret_fab_send(w, l, start, &p);
}

void egret_fab_nic_run(struct fab_worker *w, struct fab_host *h, struct fab_link *l, uint64_t limit)
{
    struct fab_hosts *hs = w->fabric->hosts;
    for (;;) {
        uint64_t start = later(l->free_at, h->floor);
        if (start >= limit) {
            return;
        }
        if (hs->transport->retracts) {
            while (h->head != FAB_NONE && !hs->transport->ready(hs, &hs->out[h->head])) {
                drop_head(hs, h);
            }
        }
        uint64_t data = h->head == FAB_NONE ? FAB_NEVER : later(start, h->data_at);
        if (h->acks > 0 && (h->data_last || data > start)) {
            send_ack(w, h, l, start);
        } else if (data < limit) {
            send_data(w, h, l, data);
        } else {
            return;
        }
    }
}

uint64_t egret_fab_nic_next(const struct fab_host *h, const struct fab_link *l)
{
    uint64_t start = later(l->free_at, h->floor);
    if (h->acks > 0) {
        return start;
    }
    return h->head == FAB_NONE ? FAB_NEVER : later(start, h->data_at);
}

/* Twice the room for ACKs. How many wait is nothing that could be known before: it grows with what
 * comes to a host that sends. */
static bool grow(struct fab_worker *w, struct fab_host *h)
{
    size_t n = (size_t)h->ack_mask + 1u;
    struct fab_ack *bigger = n < 1u << 30 ? malloc(2u * n * sizeof *bigger) : NULL;
    if (!bigger) {
        w->code = EGRET_ERR_MEMORY;
        return false;
    }
    size_t behind = n - h->ack_first;
    memcpy(bigger, h->ack + h->ack_first, behind * sizeof *bigger);
    memcpy(bigger + behind, h->ack, h->ack_first * sizeof *bigger);
    if (h->own_ring) {
        free(h->ack);
    }
    h->ack = bigger;
    h->own_ring = true;
    h->ack_first = 0;
    h->ack_mask = (uint32_t)(2u * n - 1u);
    return true;
}

void egret_fab_nic_ack(struct fab_worker *w, struct fab_host *h, const struct fab_packet *data,
                       uint32_t entropy)
{
    if (h->acks > h->ack_mask && !grow(w, h)) {
        return;
    }
    struct fab_ack *a = &h->ack[(h->ack_first + h->acks) & h->ack_mask];
    a->flow = data->flow;
    a->sequence = data->sequence;
    a->dst = data->src;
    a->entropy = entropy;
    a->flags = (uint8_t)(FAB_ACK | (data->flags & (FAB_ECN | FAB_TRIMMED)));
    h->acks++;
    h->floor = data->time;
}

void egret_fab_nic_until(struct fab_worker *w, const struct fab_node *n, uint32_t place,
                         uint64_t now)
{
    struct fab_hosts *hs = w->fabric->hosts;
    uint32_t slot = place - n->index * hs->hosts_per_edge;
    egret_fab_nic_run(w, &hs->host[place], fab_host_link(w->fabric, n, slot), now);
}

void egret_fab_nic_list(struct fab_hosts *hs, uint64_t now, uint32_t op)
{
    struct fab_out *o = &hs->out[op];
    struct fab_host *h = &hs->host[o->src];
    if (o->listed || !hs->transport->ready(hs, o)) {
        return;
    }
    h->floor = now;
    o->listed = true;
    o->next = FAB_NONE;
    if (h->head == FAB_NONE) {
        h->head = op;
    } else {
        hs->out[h->tail].next = op;
    }
    h->tail = op;
}
