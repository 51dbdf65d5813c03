/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weights.c: weights of uplinks towards a destination (W-ECMP, papers.md 0.3).
 *
 * The weight of an uplink is the capacity of the live shortest paths through it: the sum over these
 * paths of the least rate on them. All links of a tier have one rate, so up to a common factor,
 * which the greatest common divisor takes away, it is their number. Through uplink u of an edge
 * there is one path in a pod, if both links live, and to another pod one for each core that both
 * aggregation switches u reach. With 2 cores an aggregation switch at 800 Gb/s, one of 8 of them
 * out of reach gives the paper's [1600, 1600, 1600, 800]. Uplink c of an aggregation switch weighs
 * 1 towards a pod if it lives and core c reaches the pod. A flow that is split by these weights is
 * split evenly over its live shortest paths.
 *
 * Where the sum of a destination's weights is above the slots of a row, they are reduced to the
 * best ones that fit (reduce.c, WCMP). Where a switch has more different vectors than rows or
 * groups, its rows count as half as long, again and again until few enough vectors are left, or a
 * slot for each uplink: as in WCMP's table fitting the groups become smaller and more alike.
 */
#include <string.h>

#include "plan.h"

#define SLOTS (2u * FAB_MAX_KEYS) /* of the table of vectors seen */
#define EMPTY 0xffffu

static uint64_t mask_of(const uint64_t *mask, uint32_t index, uint32_t ups)
{
    return mask ? mask[index] : UINT64_MAX >> (64u - ups);
}

static uint32_t ones(uint64_t x)
{
    return (uint32_t)__builtin_popcountll(x);
}

static void edge_weights(const struct egret_topology *t, const struct fab_known *known,
                         uint32_t edge, uint32_t to, uint8_t *w)
{
    uint32_t ups = t->aggs_per_pod;
    uint32_t pod = edge / t->edges_per_pod, to_pod = to / t->edges_per_pod;
    uint64_t both = mask_of(known->edge, edge, ups) & mask_of(known->edge, to, ups);
    for (uint32_t u = 0; u < ups; u++) {
        uint32_t paths = 1;
        if (pod != to_pod) {
            paths = ones(mask_of(known->agg, pod * ups + u, t->agg_uplinks) &
                         mask_of(known->agg, to_pod * ups + u, t->agg_uplinks));
        }
        w[u] = (uint8_t)(both >> u & 1u ? paths : 0);
    }
}

static void agg_weights(const struct egret_topology *t, const struct fab_known *known, uint32_t agg,
                        uint32_t to_pod, uint8_t *w)
{
    uint32_t other = to_pod * t->aggs_per_pod + agg % t->aggs_per_pod;
    uint64_t both =
        mask_of(known->agg, agg, t->agg_uplinks) & mask_of(known->agg, other, t->agg_uplinks);
    for (uint32_t u = 0; u < t->agg_uplinks; u++) {
        w[u] = both >> u & 1u;
    }
}

uint32_t egret_fab_weights(const struct egret_topology *t, const struct fab_known *known,
                           uint32_t kind, uint32_t index, uint32_t key, uint8_t *w)
{
    uint32_t sum = 0;
    memset(w, 0, EGRET_MAX_PORTS);
    if (kind == FAB_EDGE) {
        edge_weights(t, known, index, key, w);
    } else if (kind == FAB_AGG) {
        agg_weights(t, known, index, key, w);
    }
    for (uint32_t u = 0; u < EGRET_MAX_PORTS; u++) {
        sum += w[u];
    }
    return sum;
}

/* Divides by the greatest common divisor, or makes what is above 0 a 1; the sum then. */
static uint32_t normalise(uint8_t *w, uint32_t ups, bool members)
{
    uint32_t divisor = 0, sum = 0;
    for (uint32_t u = 0; u < ups; u++) {
        uint32_t a = w[u], b = divisor;
        while (b != 0) {
            uint32_t r = a % b;
            a = b;
            b = r;
        }
        divisor = a;
    }
    for (uint32_t u = 0; u < ups && divisor; u++) {
        w[u] = members ? w[u] != 0 : (uint8_t)(w[u] / divisor);
        sum += w[u];
    }
    return sum;
}

static uint32_t find(const struct fab_vectors *v, const uint16_t *table, const uint8_t *w)
{
    uint32_t hash = 2166136261u;
    for (uint32_t u = 0; u < v->ups; u++) {
        hash = (hash ^ w[u]) * 16777619u;
    }
    hash ^= hash >> 15;
    uint32_t at = hash % SLOTS;
    while (table[at] != EMPTY && memcmp(v->weight[table[at]], w, v->ups) != 0) {
        at = (at + 1u) % SLOTS;
    }
    return at;
}

/* The weights of one destination as they go into a row. */
struct fitted {
    uint8_t exact[EGRET_MAX_PORTS];
    uint8_t w[EGRET_MAX_PORTS];
    uint32_t sum;
    uint32_t ppm; /* oversubscription; 0: exact */
};

/* Destinations of one pod, one behind the other, mostly have the same weights. */
static void fit(struct fitted *f, uint8_t *w, uint32_t ups, uint32_t slots)
{
    uint32_t sum = normalise(w, ups, slots == 0);
    if (memcmp(w, f->exact, EGRET_MAX_PORTS) == 0) {
        return;
    }
    memcpy(f->exact, w, EGRET_MAX_PORTS);
    memcpy(f->w, w, EGRET_MAX_PORTS);
    f->sum = sum;
    f->ppm = 0;
    if (slots != 0 && sum > slots) {
        f->sum = egret_fab_reduce(f->w, ups, slots, &f->ppm);
    }
}

/* False if there are more than `most` vectors; the number of them is then most + 1. */
static bool collect(const struct egret_topology *t, const struct fab_known *known, uint32_t kind,
                    uint32_t index, uint32_t slots, uint32_t most, struct fab_vectors *out)
{
    uint16_t table[SLOTS];
    struct fitted f;
    uint32_t own = kind == FAB_EDGE ? index : index / t->aggs_per_pod;
    memset(&f, 0, sizeof f);
    memset(table, 0xff, sizeof table);
    out->count = 0;
    out->slots = 0;
    out->rounded = 0;
    out->oversub_ppm = 0;
    for (uint32_t key = 0; key < out->keys && out->count <= most; key++) {
        uint8_t w[EGRET_MAX_PORTS];
        if (key == own) {
            continue;
        }
        (void)egret_fab_weights(t, known, kind, index, key, w);
        fit(&f, w, out->ups, slots);
        uint32_t at = find(out, table, f.w);
        if (table[at] == EMPTY) {
            table[at] = (uint16_t)out->count;
            out->is_rounded[out->count] = false;
            memcpy(out->weight[out->count++], f.w, EGRET_MAX_PORTS);
            out->slots = f.sum > out->slots ? f.sum : out->slots;
        }
        out->of_key[key] = table[at];
        if (f.ppm) {
            out->rounded += !out->is_rounded[table[at]];
            out->is_rounded[table[at]] = true;
            out->oversub_ppm = f.ppm > out->oversub_ppm ? f.ppm : out->oversub_ppm;
        }
    }
    return out->count <= most;
}

void egret_fab_vectors(const struct egret_topology *t, const struct fab_known *known, uint32_t kind,
                       uint32_t index, const struct fab_room *room, struct fab_vectors *out)
{
    uint32_t slots = room->slots;
    out->ups = egret_fab_up_ports(t, kind);
    out->keys = egret_fab_keys(t, kind);
    out->count = 0;
    out->slots = 0;
    out->rounded = 0;
    out->oversub_ppm = 0;
    memset(out->of_key, 0, sizeof out->of_key);
    if ((known->edge || known->agg) && out->ups) {
        bool rows = slots != 0 && slots != UINT32_MAX;
        while (rows && slots > out->ups &&
               !collect(t, known, kind, index, slots, room->vectors, out)) {
            slots = slots / 2u > out->ups ? slots / 2u : out->ups;
        }
        if (!rows || slots <= out->ups) { /* as many as there are */
            (void)collect(t, known, kind, index, slots, FAB_MAX_KEYS, out);
        }
    }
    if (out->count == 0) { /* nothing failed, or nowhere to go */
        out->count = 1;
        out->slots = out->ups;
        memset(out->weight[0], 1, EGRET_MAX_PORTS);
    }
}
