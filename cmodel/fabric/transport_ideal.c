/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transport_ideal.c: the transport of papers.md 0.1: fixed rate, a rateless erasure code without
 * overhead, an ACK a packet. A message of m packets is there when any m have arrived.
 *
 * A lost or trimmed packet is made up for by one more, with the next sequence behind the last one
 * sent; it is as long as a full packet of its message. The sender hears of a loss by a notice, a
 * base RTT after it. A lost ACK's notice stands for the ACK. So each packet sent ends as
 * acknowledged or as made up for, once, and m end as acknowledged.
 */
#include "host.h"

static uint64_t start(struct fab_hosts *hs, uint64_t now, struct fab_out *o)
{
    (void)hs;
    (void)now;
    o->due = o->packets;
    return FAB_NEVER;
}

static bool ready(const struct fab_hosts *hs, const struct fab_out *o)
{
    uint32_t window = hs->fabric->spec.window_packets;
    uint32_t out = o->sent - o->acked - (o->due - o->packets); /* not known to be lost */
    return o->sent < o->due && (window == 0 || out < window);
}

static bool next(struct fab_worker *w, uint64_t now, uint32_t op, struct fab_out *o,
                 uint32_t *sequence)
{
    (void)now;
    (void)op;
    w->totals.resent += o->sent >= o->packets;
    *sequence = o->sent++;
    return ready(w->fabric->hosts, o);
}

static bool answer(struct fab_worker *w, const struct fab_packet *p, struct fab_out *o)
{
    (void)w;
    if (p->flags & FAB_TRIMMED || !(p->flags & FAB_ACK)) {
        o->due++;
        return false;
    }
    return ++o->acked == o->packets;
}

const struct fab_transport egret_fab_transport_ideal = {
    .start = start, .ready = ready, .next = next, .answer = answer};

/* To the host node of the data's sender, a base RTT later, a window at least. */
void egret_fab_notice(struct fab_worker *w, uint64_t now, const struct fab_packet *packet)
{
    struct egret_fabric *f = w->fabric;
    struct fab_hosts *hs = f->hosts;
    if (f->spec.transport != EGRET_TRANSPORT_IDEAL) {
        return;
    }
    struct fab_packet p = *packet;
    uint64_t delay = hs->rtt_ps > f->window_ps ? hs->rtt_ps : f->window_ps;
    if (packet->flags & FAB_ACK) {
        p.src = packet->dst;
        p.dst = packet->src;
    }
    /* src and dst are those of the data now; the news goes to its sender. */
    uint32_t sender = p.src;
    p.src = p.dst;
    p.dst = sender;
    p.time = now + delay;
    p.in = FAB_IN_SIGNAL;
    p.flags |= FAB_LOST;
    egret_fab_post(w, f->first_node[FAB_HOSTS] + sender / hs->hosts_per_edge, &p);
}
