/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.h: a packet joins the queue of a link: the hot half of link.c.
 *
 * A port is a FIFO of constant rate, so one event a hop is exact: the packet starts when the link
 * is free, and its arrival at the other end is known at once (docs/fabric.md).
 */
#ifndef EGRET_FABRIC_LINK_H
#define EGRET_FABRIC_LINK_H

#include "queue.h"

/* What is out of the ordinary: a full queue, a mark, a link that is down. False: lost. */
bool egret_fab_unusual(struct fab_worker *w, struct fab_link *l, uint64_t now, uint64_t start,
                       struct fab_packet *packet);

static inline bool fab_send(struct fab_worker *w, struct fab_link *l, uint64_t now,
                            struct fab_packet *packet)
{
    uint64_t start = now > l->free_at ? now : l->free_at;
    uint64_t wait = start - now;
    uint64_t serial = (uint64_t)packet->length * l->byte_ps;
    uint64_t gap = (uint64_t)w->gap_bytes * l->byte_ps;
    if (FAB_UNLIKELY(wait + serial >= l->usual_ps)) {
        if (!egret_fab_unusual(w, l, now, start, packet)) {
            return false;
        }
        serial = fab_serial_ps(l, packet->length);
        gap = fab_serial_ps(l, packet->length + w->fabric->spec.gap_bytes) - serial;
    }
    uint64_t end = start + serial;
    l->free_at = end + gap;
    l->packets++;
    l->bytes += packet->length;
    l->wait_sum += wait;
    if (wait > l->wait_max) {
        l->wait_max = wait;
    }
    struct fab_packet *p = fab_slot(w, l->node, end + l->latency_ps);
    if (FAB_UNLIKELY(p == NULL)) {
        return false;
    }
    *p = *packet;
    p->time = end + l->latency_ps;
    p->in = (uint8_t)l->in;
    return true;
}

#endif
