/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bound.c: how soon a permutation and an all-to-all can be over. docs/fabric-bounds.md derives
 * both.
 */
#include <stddef.h>

#include "egret/fabric.h"

/* Beyond this (213 days) a formula is not worth its overflow: no bound. */
#define MAX_PS (UINT64_MAX / 1000u)
#define PPM 1000000u
#define MAX_MBPS 8000000u /* a byte in a picosecond */

/* A way of 2, 4 or 6 links through an idle fabric. */
struct way {
    uint64_t latency; /* one way: propagation and switch delays */
    uint64_t data;    /* serialisation of a data packet, all links */
    uint64_t ack;     /* of an ACK */
    uint64_t round;   /* a data packet's way, and its ACK's way back */
};

/* The host link: serialisation, with and without the gap. */
struct port {
    uint64_t data;
    uint64_t ack;
    uint64_t data_gap;
    uint64_t ack_gap;
    uint64_t pace; /* from data packet to data packet, not less than data_gap */
};

static uint64_t serial(uint64_t mbps, uint64_t bytes)
{
    return bytes * 8000000u / mbps;
}

/* Is the specification one that the formulas can take? */
static bool good(const struct egret_fabric_spec *s)
{
    const struct egret_topology *t = &s->topology;
    uint64_t bytes = (uint64_t)s->payload + s->header_bytes;
    if ((t->tiers != 2u && t->tiers != 3u) || t->hosts < 2u || t->hosts_per_edge == 0 ||
        t->edges_per_pod == 0 || t->pods == 0 || (t->tiers == 2u && t->pods != 1u) ||
        t->aggs_per_pod == 0 || (t->tiers == 3u && t->agg_uplinks == 0)) {
        return false;
    }
    if ((uint64_t)t->pods * t->edges_per_pod > UINT32_MAX ||
        (uint64_t)t->pods * t->edges_per_pod * t->hosts_per_edge != t->hosts) {
        return false;
    }
    if (s->payload == 0 || s->ack_bytes == 0 || bytes > UINT16_MAX || s->ack_bytes > UINT16_MAX ||
        s->gap_bytes > UINT16_MAX || s->rate_ppm > PPM) {
        return false;
    }
    for (unsigned i = 0; i < t->tiers; i++) {
        if (t->rate_mbps[i] == 0 || t->rate_mbps[i] > MAX_MBPS || t->latency_ps[i] > MAX_PS / 64u ||
            t->switch_ps[i] > MAX_PS / 64u) {
            return false;
        }
    }
    return true;
}

static struct port host_port(const struct egret_fabric_spec *s)
{
    uint64_t rate = s->topology.rate_mbps[0];
    uint64_t bytes = (uint64_t)s->payload + s->header_bytes;
    uint64_t ppm = s->rate_ppm ? s->rate_ppm : PPM;
    struct port p;
    p.data = serial(rate, bytes);
    p.ack = serial(rate, s->ack_bytes);
    p.data_gap = serial(rate, bytes + s->gap_bytes);
    p.ack_gap = serial(rate, (uint64_t)s->ack_bytes + s->gap_bytes);
    p.pace = p.data_gap * PPM / ppm;
    return p;
}

/* Up over `tiers` tiers of links, and down again: 2 * tiers links. */
static struct way way_of(const struct egret_fabric_spec *s, unsigned tiers)
{
    const struct egret_topology *t = &s->topology;
    uint64_t bytes = (uint64_t)s->payload + s->header_bytes;
    struct way w = {0, 0, 0, 0};
    for (unsigned i = 0; i < tiers; i++) {
        /* two links of each tier; two switches of each tier, but one at the top */
        w.latency += 2u * t->latency_ps[i] + (i + 1u == tiers ? 1u : 2u) * t->switch_ps[i];
        w.data += 2u * serial(t->rate_mbps[i], bytes);
        w.ack += 2u * serial(t->rate_mbps[i], s->ack_bytes);
    }
    w.round = 2u * w.latency + w.data + w.ack;
    return w;
}

/* Tiers of links between a host and the one farthest away. */
static unsigned farthest(const struct egret_topology *t)
{
    if (t->tiers == 3u && t->pods > 1u) {
        return 3;
    }
    return (uint64_t)t->pods * t->edges_per_pod > 1u ? 2 : 1;
}

uint64_t egret_fabric_bound_permutation(const struct egret_fabric_spec *spec, uint64_t packets)
{
    if (spec == NULL || packets == 0 || !good(spec)) {
        return 0;
    }
    struct port p = host_port(spec);
    struct way w = way_of(spec, farthest(&spec->topology));
    uint64_t both = p.data_gap + p.ack_gap;
    uint64_t later = p.pace > both ? p.pace : both;
    if (packets > MAX_PS / later) {
        return 0;
    }
    /* Data packets before the first ACK: those that begin before it can be there. */
    uint64_t before = (w.latency + w.data - p.data + p.pace - 1u) / p.pace + 1u;
    if (packets <= before) {
        return (packets - 1u) * p.pace + w.round;
    }
    uint64_t start = (before - 1u) * p.pace + (packets - before) * later;
    /* In the published form a gap comes before the first data packet, too. */
    return start + (p.pace == p.data_gap ? p.data_gap - p.data : 0) + w.round;
}

/* ---- all-to-all ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Destinations of a host that are at least so many tiers of links away. */
static uint64_t far_away(const struct egret_topology *t, unsigned tiers)
{
    uint64_t pod = (uint64_t)t->hosts_per_edge * t->edges_per_pod;
    return t->hosts - (tiers == 1u ? 1u : tiers == 2u ? t->hosts_per_edge : pod);
}

/* The last data packet for the far destinations, and its ACK. `nearer` packets of the last turn may
 * follow it; `all` leave the host. */
static uint64_t last_turn(const struct port *p, const struct way *near, const struct way *far,
                          uint64_t all, uint64_t nearer)
{
    uint64_t start = (all - nearer - 1u) * p->pace;
    if (p->pace != p->data_gap || p->ack_gap >= p->data_gap) {
        return start + far->round; /* ACKs may fit between the data, or cost more than it */
    }
    /* ACKs that need not come before it: of data that comes too late, and that wait. */
    uint64_t late = (far->round - near->latency - near->ack) / p->data_gap + 2u;
    uint64_t waiting = all * p->ack_gap / p->data_gap + 2u;
    if (all > late + waiting) {
        start += (all - late - waiting) * p->ack_gap;
    }
    return start + far->round;
}

/* What crosses the uplinks of a tier, evenly: `hosts` hosts below them send to `away` others. */
static uint64_t uplinks(const struct egret_fabric_spec *s, unsigned tier, uint64_t hosts,
                        uint64_t away, uint64_t links, uint64_t packets, const struct way *far)
{
    uint64_t rate = s->topology.rate_mbps[tier];
    uint64_t bytes = (uint64_t)s->payload + s->header_bytes;
    uint64_t data = serial(rate, bytes + s->gap_bytes);
    uint64_t both = data + serial(rate, (uint64_t)s->ack_bytes + s->gap_bytes);
    if (hosts * away > MAX_PS / both / packets) {
        return 0;
    }
    /* The first data packet is there no sooner; the last packet may be an ACK, and its gap ends
     * nothing. */
    uint64_t ends = 0;
    for (unsigned i = 0; i < tier; i++) {
        ends += serial(s->topology.rate_mbps[i], bytes) +
                serial(s->topology.rate_mbps[i], s->ack_bytes);
    }
    uint64_t busy = hosts * away * packets * both / links;
    uint64_t gap = data - serial(rate, bytes) + 1u;
    return busy > gap ? busy - gap + far->latency + ends : 0;
}

uint64_t egret_fabric_bound_all_to_all(const struct egret_fabric_spec *spec, uint64_t packets)
{
    if (spec == NULL || packets == 0 || !good(spec)) {
        return 0;
    }
    const struct egret_topology *t = &spec->topology;
    struct port p = host_port(spec);
    uint64_t others = t->hosts - 1u;
    if (packets > MAX_PS / (p.pace + p.ack_gap) / others) {
        return 0;
    }
    uint64_t all = others * packets;
    unsigned nearest = 1;
    while (far_away(t, nearest) == far_away(t, nearest + 1u) && nearest < farthest(t)) {
        nearest++;
    }
    struct way near = way_of(spec, nearest);
    /* The link down to a host: busy with all data and ACKs from the first on. */
    uint64_t bound =
        near.latency + near.data - p.data + all * (p.data_gap + p.ack_gap) - (p.ack_gap - p.ack);
    /* With a window of packets messages do not take turns. */
    for (unsigned tiers = nearest; tiers <= farthest(t) && spec->window_packets == 0; tiers++) {
        struct way far = way_of(spec, tiers);
        bound = larger(bound, last_turn(&p, &near, &far, all, others - far_away(t, tiers)));
    }
    if (farthest(t) >= 2u) {
        struct way far = way_of(spec, 2);
        bound = larger(bound, uplinks(spec, 1, t->hosts_per_edge, far_away(t, 2), t->aggs_per_pod,
                                      packets, &far));
    }
    if (farthest(t) == 3u) {
        struct way far = way_of(spec, 3);
        uint64_t pod = (uint64_t)t->hosts_per_edge * t->edges_per_pod;
        bound = larger(bound, uplinks(spec, 2, pod, far_away(t, 3),
                                      (uint64_t)t->aggs_per_pod * t->agg_uplinks, packets, &far));
    }
    return bound;
}
