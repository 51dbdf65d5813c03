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

/* Paths between the aggregation switches u of two pods, for each u. */
static void pod_paths(const struct egret_topology *t, const struct fab_known *known, uint32_t pod,
                      uint32_t to_pod, uint8_t *paths)
{
    uint32_t ups = t->aggs_per_pod;
    for (uint32_t u = 0; u < ups; u++) {
        paths[u] = pod == to_pod
                       ? 1u
                       : (uint8_t)ones(mask_of(known->agg, pod * ups + u, t->agg_uplinks) &
                                       mask_of(known->agg, to_pod * ups + u, t->agg_uplinks));
    }
}

static void edge_weights(const struct egret_topology *t, const struct fab_known *known,
                         uint32_t edge, uint32_t to, const uint8_t *paths, uint8_t *w)
{
    uint32_t ups = t->aggs_per_pod;
    uint64_t both = mask_of(known->edge, edge, ups) & mask_of(known->edge, to, ups);
    for (uint32_t u = 0; u < ups; u++) {
        w[u] = both >> u & 1u ? paths[u] : 0;
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
        uint8_t paths[EGRET_MAX_PORTS];
        pod_paths(t, known, index / t->edges_per_pod, key / t->edges_per_pod, paths);
        edge_weights(t, known, index, key, paths, w);
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

/* The place in a table of what is this vector, or would be. */
static uint32_t find(uint8_t (*vector)[EGRET_MAX_PORTS], uint32_t ups, const uint16_t *table,
                     const uint8_t *w)
{
    uint32_t hash = 2166136261u;
    for (uint32_t u = 0; u < ups; u++) {
        hash = (hash ^ w[u]) * 16777619u;
    }
    hash ^= hash >> 15;
    uint32_t at = hash % SLOTS;
    while (table[at] != EMPTY && memcmp(vector[table[at]], w, ups) != 0) {
        at = (at + 1u) % SLOTS;
    }
    return at;
}

/* The exact vectors, each once; of_key is their numbers. */
static void collect(const struct egret_topology *t, const struct fab_known *known, uint32_t kind,
                    uint32_t index, bool members, struct fab_vectors *out)
{
    uint16_t table[SLOTS];
    uint8_t last[EGRET_MAX_PORTS] = {0}, paths[EGRET_MAX_PORTS] = {0};
    uint32_t own = kind == FAB_EDGE ? index : index / t->aggs_per_pod;
    uint32_t to_pod = UINT32_MAX, last_key = UINT32_MAX;
    memset(table, 0xff, sizeof table);
    for (uint32_t key = 0; key < out->keys; key++) {
        uint8_t w[EGRET_MAX_PORTS] = {0};
        if (key == own) {
            continue;
        }
        if (kind == FAB_EDGE) {
            if (key / t->edges_per_pod != to_pod) {
                to_pod = key / t->edges_per_pod;
                pod_paths(t, known, index / t->edges_per_pod, to_pod, paths);
            }
            edge_weights(t, known, index, key, paths, w);
        } else {
            agg_weights(t, known, index, key, w);
        }
        /* Destinations of one pod, one behind the other, mostly have the same weights. */
        if (last_key != UINT32_MAX && memcmp(w, last, sizeof w) == 0) {
            out->of_key[key] = out->of_key[last_key];
            continue;
        }
        memcpy(last, w, sizeof w);
        last_key = key;
        uint32_t sum = normalise(w, out->ups, members);
        uint32_t at = find(out->exact, out->ups, table, w);
        if (table[at] == EMPTY) {
            table[at] = (uint16_t)out->exacts;
            out->exact_sum[out->exacts] = (uint16_t)sum;
            memcpy(out->exact[out->exacts++], w, EGRET_MAX_PORTS);
        }
        out->of_key[key] = table[at];
    }
}

/* What becomes of the exact vectors in rows of so many slots. False if more than `most` come of
 * them. */
static bool fit(struct fab_vectors *out, uint32_t slots, uint32_t most)
{
    uint16_t table[SLOTS];
    memset(table, 0xff, sizeof table);
    out->count = 0;
    out->slots = 0;
    out->rounded = 0;
    out->oversub_ppm = 0;
    for (uint32_t i = 0; i < out->exacts && out->count <= most; i++) {
        uint32_t ppm = 0, sum = out->exact_sum[i];
        uint8_t *w = out->weight[out->count];
        memcpy(w, out->exact[i], EGRET_MAX_PORTS);
        if (sum > slots) {
            sum = egret_fab_reduce(w, out->ups, slots, &ppm);
        }
        uint32_t at = find(out->weight, out->ups, table, w);
        if (table[at] == EMPTY) {
            table[at] = (uint16_t)out->count;
            out->is_rounded[out->count++] = false;
            out->slots = sum > out->slots ? sum : out->slots;
        }
        out->of_exact[i] = table[at];
        if (ppm) {
            out->rounded += !out->is_rounded[table[at]];
            out->is_rounded[table[at]] = true;
            out->oversub_ppm = ppm > out->oversub_ppm ? ppm : out->oversub_ppm;
        }
    }
    return out->count <= most;
}

void egret_fab_vectors(const struct egret_topology *t, const struct fab_known *known, uint32_t kind,
                       uint32_t index, const struct fab_room *room, struct fab_vectors *out)
{
    uint32_t slots = room->slots ? room->slots : UINT32_MAX;
    out->ups = egret_fab_up_ports(t, kind);
    out->keys = egret_fab_keys(t, kind);
    out->exacts = 0;
    memset(out->of_key, 0, sizeof out->of_key);
    if ((known->edge || known->agg) && out->ups) {
        collect(t, known, kind, index, room->slots == 0, out);
    }
    if (out->exacts == 0) { /* nothing failed, or nowhere to go */
        out->count = 1;
        out->slots = out->ups;
        out->rounded = 0;
        out->oversub_ppm = 0;
        memset(out->weight[0], 1, EGRET_MAX_PORTS);
        return;
    }
    while (!fit(out, slots, room->vectors) && slots > out->ups) {
        slots = slots / 2u > out->ups ? slots / 2u : out->ups;
    }
    for (uint32_t key = 0; key < out->keys; key++) {
        out->of_key[key] = out->of_exact[out->of_key[key]];
    }
}
