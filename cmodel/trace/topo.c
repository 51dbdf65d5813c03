/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topo.c: reads htsim topology files (.topo): fat-trees of three tiers, leaf-spines of two.
 */
#include <string.h>

#include "egret/trace_make.h"
#include "text.h"

enum field {
    SPEED,
    RADIX_DOWN,
    RADIX_UP,
    LINK_LATENCY,
    SWITCH_LATENCY,
    OVERSUBSCRIBED,
    BUNDLE,
    NUM_FIELDS
};

static const char *const field_name[NUM_FIELDS] = {
    "Downlink_speed_Gbps", "Radix_Down",     "Radix_Up", "Downlink_Latency_ns",
    "Switch_Latency_ns",   "Oversubscribed", "Bundle",
};
static const uint64_t field_max[NUM_FIELDS] = {100000,     65536, 65536, 1000000000,
                                               1000000000, 65536, 65536};

struct topo {
    uint64_t nodes;
    uint64_t tiers;
    uint64_t pod_size;
    uint64_t value[3][NUM_FIELDS];
    uint32_t line[3][NUM_FIELDS]; /* 0: not given */
    uint32_t tier_line[3];
    int tier; /* block being read, -1 before the first */
};

static bool number(const struct text_lines *l, uint64_t max, uint64_t *out)
{
    return l->words == 2u && egret_text_u64(l->word[1].at, l->word[1].length, max, out);
}

static int tier_line(struct text_lines *l, struct topo *p, struct egret_trace_error *err)
{
    uint64_t tier;
    if (!number(l, 2, &tier)) {
        return egret_text_fail(l, err, "Tier needs a number, 0 to 2");
    }
    if (p->tier_line[tier]) {
        return egret_text_fail(l, err, "Tier %u is given twice", (unsigned)tier);
    }
    p->tier_line[tier] = l->number;
    p->tier = (int)tier;
    return EGRET_OK;
}

static int field_line(struct text_lines *l, struct topo *p, struct egret_trace_error *err)
{
    for (unsigned f = 0; f < NUM_FIELDS; f++) {
        if (!egret_text_is(&l->word[0], field_name[f])) {
            continue;
        }
        if (p->tier < 0) {
            return egret_text_fail(l, err, "%s before the first Tier", field_name[f]);
        }
        uint32_t *given = &p->line[p->tier][f];
        uint64_t *value = &p->value[p->tier][f];
        if (*given) {
            return egret_text_fail(l, err, "%s is given twice for Tier %d", field_name[f], p->tier);
        }
        if (!number(l, field_max[f], value)) {
            return egret_text_fail(l, err, "%s needs a number, at most %llu", field_name[f],
                                   (unsigned long long)field_max[f]);
        }
        if (*value == 0 && f != LINK_LATENCY && f != SWITCH_LATENCY) {
            return egret_text_fail(l, err, "%s of 0", field_name[f]);
        }
        *given = l->number;
        return EGRET_OK;
    }
    return egret_text_fail(l, err, "unknown word '%.*s'",
                           (int)(l->word[0].length < 40u ? l->word[0].length : 40u), l->word[0].at);
}

static int header_number(struct text_lines *l, uint64_t *value, uint64_t min, uint64_t max,
                         const char *name, struct egret_trace_error *err)
{
    if (*value) {
        return egret_text_fail(l, err, "%s is given twice", name);
    }
    if (!number(l, max, value) || *value < min) {
        return egret_text_fail(l, err, "%s needs a number, %llu to %llu", name,
                               (unsigned long long)min, (unsigned long long)max);
    }
    return EGRET_OK;
}

static int read_lines(struct text_lines *l, struct topo *p, struct egret_trace_error *err)
{
    int code = EGRET_OK;
    while (code == EGRET_OK && egret_text_next(l)) {
        if (l->too_many) {
            return egret_text_fail(l, err, "not a line of text");
        }
        if (l->words == 0 || l->word[0].at[0] == '#') {
            continue;
        }
        if (egret_text_is(&l->word[0], "Nodes")) {
            code = header_number(l, &p->nodes, 2, 1u << 20, "Nodes", err);
        } else if (egret_text_is(&l->word[0], "Tiers")) {
            code = header_number(l, &p->tiers, 2, 3, "Tiers", err);
        } else if (egret_text_is(&l->word[0], "Podsize")) {
            code = header_number(l, &p->pod_size, 1, 1u << 20, "Podsize", err);
        } else if (egret_text_is(&l->word[0], "Tier")) {
            code = tier_line(l, p, err);
        } else {
            code = field_line(l, p, err);
        }
    }
    return code;
}

static int missing(const struct text_lines *l, struct egret_trace_error *err, const char *what)
{
    return egret_text_fail(l, err, "end of file: %s is missing", what);
}

static int contradiction(struct text_lines *l, struct egret_trace_error *err, uint32_t line,
                         const char *what)
{
    l->number = line;
    return egret_text_fail(l, err, "%s", what);
}

static int check_given(struct text_lines *l, const struct topo *p, struct egret_trace_error *err)
{
    if (!p->nodes) {
        return missing(l, err, "Nodes");
    }
    if (!p->tiers) {
        return missing(l, err, "Tiers");
    }
    if (!p->pod_size) {
        return missing(l, err, "Podsize");
    }
    for (unsigned tier = 0; tier < p->tiers; tier++) {
        static const char *const name[3] = {"Tier 0", "Tier 1", "Tier 2"};
        if (!p->tier_line[tier]) {
            return missing(l, err, name[tier]);
        }
        bool top = tier + 1u == p->tiers;
        for (unsigned f = SPEED; f <= LINK_LATENCY; f++) {
            if (!p->line[tier][f] && !(f == RADIX_UP && top)) {
                return contradiction(l, err, p->tier_line[tier],
                                     f == SPEED        ? "Downlink_speed_Gbps is missing"
                                     : f == RADIX_DOWN ? "Radix_Down is missing"
                                     : f == RADIX_UP   ? "Radix_Up is missing"
                                                       : "Downlink_Latency_ns is missing");
            }
        }
        if (p->line[tier][RADIX_UP] && top) {
            return contradiction(l, err, p->line[tier][RADIX_UP], "Radix_Up at the top tier");
        }
        if (p->line[tier][BUNDLE] && p->value[tier][BUNDLE] != 1u) {
            return contradiction(l, err, p->line[tier][BUNDLE],
                                 "a bundle of links between two switches is not supported");
        }
    }
    if (p->tiers == 2u && p->tier_line[2]) {
        return contradiction(l, err, p->tier_line[2], "Tier 2 with Tiers 2");
    }
    return EGRET_OK;
}

/* Oversubscribed n: n times as much capacity down as up. */
static bool oversubscription_agrees(const struct topo *p, unsigned tier)
{
    uint64_t down = p->value[tier][RADIX_DOWN] * p->value[tier][SPEED];
    uint64_t up = p->value[tier][RADIX_UP] * p->value[tier + 1u][SPEED];
    return !p->line[tier][OVERSUBSCRIBED] || p->value[tier][OVERSUBSCRIBED] * up == down;
}

static int check_counts(struct text_lines *l, const struct topo *p, struct egret_topology *t,
                        struct egret_trace_error *err)
{
    uint64_t down0 = p->value[0][RADIX_DOWN];
    uint64_t down1 = p->value[1][RADIX_DOWN];
    uint64_t up0 = p->value[0][RADIX_UP];
    uint64_t edges_per_pod = p->pod_size / down0;
    uint64_t pods = p->nodes / p->pod_size;
    if (p->pod_size % down0 != 0 || p->nodes % p->pod_size != 0) {
        return contradiction(l, err, p->line[0][RADIX_DOWN],
                             "Nodes, Podsize and Radix_Down do not divide evenly");
    }
    if (down1 != edges_per_pod) {
        return contradiction(l, err, p->line[1][RADIX_DOWN],
                             "Radix_Down of Tier 1 is not the number of edges a pod");
    }
    for (unsigned tier = 0; tier + 1u < p->tiers; tier++) {
        if (!oversubscription_agrees(p, tier)) {
            return contradiction(l, err, p->line[tier][OVERSUBSCRIBED],
                                 "Oversubscribed contradicts radix and speed");
        }
    }
    if (p->tiers == 2u && pods != 1u) {
        return contradiction(l, err, p->line[0][RADIX_DOWN],
                             "with two tiers Podsize must equal Nodes");
    }
    if (p->tiers == 3u && p->value[2][RADIX_DOWN] != pods) {
        return contradiction(l, err, p->line[2][RADIX_DOWN],
                             "Radix_Down of Tier 2 is not the number of pods");
    }
    if (pods > 256u || edges_per_pod > 256u || down0 > 250u || up0 > 250u ||
        p->value[1][RADIX_UP] > 250u) {
        return contradiction(l, err, p->line[0][RADIX_DOWN],
                             "beyond 256 pods, 256 edges a pod or 250 links a switch");
    }
    t->tiers = (uint32_t)p->tiers;
    t->hosts = (uint32_t)p->nodes;
    t->pods = (uint32_t)pods;
    t->hosts_per_edge = (uint32_t)down0;
    t->edges_per_pod = (uint32_t)edges_per_pod;
    t->aggs_per_pod = (uint32_t)up0;
    t->agg_uplinks = p->tiers == 3u ? (uint32_t)p->value[1][RADIX_UP] : 0;
    return EGRET_OK;
}

int egret_topology_parse(const char *text, size_t n, const char *name, struct egret_topology *out,
                         struct egret_trace_error *err)
{
    struct text_lines l;
    struct topo p;
    struct egret_topology t;
    memset(&p, 0, sizeof p);
    memset(&t, 0, sizeof t);
    p.tier = -1;
    egret_text_start(&l, text, n, name);
    int code = read_lines(&l, &p, err);
    if (code == EGRET_OK) {
        code = check_given(&l, &p, err);
    }
    if (code == EGRET_OK) {
        code = check_counts(&l, &p, &t, err);
    }
    if (code) {
        return code;
    }
    for (unsigned tier = 0; tier < t.tiers; tier++) {
        t.rate_mbps[tier] = p.value[tier][SPEED] * 1000u;
        t.latency_ps[tier] = p.value[tier][LINK_LATENCY] * 1000u;
        t.switch_ps[tier] = p.value[tier][SWITCH_LATENCY] * 1000u;
    }
    *out = t;
    return EGRET_OK;
}
