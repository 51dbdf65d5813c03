/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.c: a schedule by the name of a traffic pattern or collective.
 */
#include <string.h>

#include "egret/trace_make.h"
#include "pattern.h"

/* Options that a pattern takes. */
enum { ROUNDS = 1, GROUP = 2, ROOT = 4, CHUNK = 8, WINDOW = 16, EXPERTS = 32, COLLECTIVE = 64 };

static const struct named {
    const char *name;
    int (*make)(struct egret_schedule *w, const struct egret_pattern *p);
    unsigned options;
    uint32_t fsdp_packets; /* of a flow */
} patterns[] = {
    {"permutation", pattern_permutation, 0, 0},
    {"ring", pattern_ring, ROUNDS, 0},
    {"alltoall", pattern_alltoall, ROUNDS | WINDOW, 0},
    {"tornado", pattern_tornado, 0, 0},
    {"incast", pattern_incast, GROUP | ROOT, 0},
    {"outcast-incast", pattern_outcast_incast, GROUP | ROOT, 0},
    {"moe", pattern_moe, CHUNK | EXPERTS, 0},
    {"fsdp-7b", NULL, ROUNDS | COLLECTIVE | GROUP | CHUNK, 104},
    {"fsdp-70b", NULL, ROUNDS | COLLECTIVE | GROUP | CHUNK, 418},
    {"fsdp-405b", NULL, ROUNDS | COLLECTIVE | GROUP | CHUNK, 1570},
};

static const struct named *find(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (strcmp(name, patterns[i].name) == 0) {
            return &patterns[i];
        }
    }
    return NULL;
}

const char *egret_pattern_name(size_t i)
{
    size_t own = sizeof patterns / sizeof patterns[0];
    return i < own ? patterns[i].name : egret_collective_kind_name((unsigned)(i - own));
}

/* The first option that is given and not taken, or null. */
static const char *needless(const struct egret_pattern *p, unsigned takes)
{
    return p->rounds && !(takes & ROUNDS)                                ? "--rounds"
           : p->group_size && !(takes & GROUP)                           ? "--group-size"
           : p->root && !(takes & ROOT)                                  ? "--root"
           : p->chunk && !(takes & CHUNK)                                ? "--chunk"
           : p->window && !(takes & WINDOW)                              ? "--window"
           : (p->experts || p->skew) && !(takes & EXPERTS)               ? "--experts, --skew"
           : p->channels && !(takes & COLLECTIVE)                        ? "--channels"
           : p->algorithm != EGRET_ALGO_DEFAULT && !(takes & COLLECTIVE) ? "--algorithm"
                                                                         : NULL;
}

static int check(const struct egret_pattern *p, const struct named *named,
                 struct egret_trace_error *err)
{
    const char *option = needless(p, named ? named->options : COLLECTIVE | GROUP | ROOT | CHUNK);
    if (option) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %s is not for it", p->name, option);
    }
    if (p->ranks < 2u || (p->bytes == 0 && !(named && named->fsdp_packets))) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: at least two ranks and one byte",
                                p->name);
    }
    if (p->root >= p->ranks) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: --root %u of %u ranks", p->name, p->root,
                                p->ranks);
    }
    if (p->experts > p->ranks || p->skew > 100u) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "%s: --experts is at most %u, --skew at most 100", p->name,
                                p->ranks);
    }
    if (named && named->make == pattern_ring && p->bytes < p->ranks) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "ring: at least one byte for each of %u ranks", p->ranks);
    }
    return EGRET_OK;
}

static int expand(const struct egret_pattern *p, struct egret_schedule *w,
                  struct egret_trace_error *err)
{
    struct egret_collective c = {.algorithm = p->algorithm,
                                 .ranks = p->ranks,
                                 .bytes = p->bytes,
                                 .root = p->root,
                                 .group_size = p->group_size,
                                 .channels = p->channels,
                                 .chunk = p->chunk};
    if (!egret_collective_kind_parse(p->name, &c.kind)) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "unknown collective '%s': permutation, ring, alltoall, tornado, "
                                "incast, outcast-incast, moe, fsdp-7b, fsdp-70b, fsdp-405b, or "
                                "all-reduce, all-gather, ...",
                                p->name);
    }
    return egret_collective_expand(w, &c, NULL, NULL, err);
}

static int make(const struct egret_pattern *p, const struct named *named, struct egret_schedule *w,
                struct egret_trace_error *err)
{
    struct egret_pattern with = *p;
    if (!named) {
        return expand(p, w, err);
    }
    if (named->fsdp_packets) {
        return pattern_fsdp(w, p, named->fsdp_packets, err);
    }
    with.experts = p->experts ? p->experts : p->ranks > 2u ? 2u : 1u;
    int code = named->make(w, &with);
    return code ? egret_trace_fail(err, code, "%s: %s", p->name,
                                   code == EGRET_ERR_MEMORY
                                       ? "out of memory"
                                       : "too many messages; --rounds gives fewer")
                : EGRET_OK;
}

int egret_pattern_make(const struct egret_pattern *p, struct egret_schedule *out,
                       struct egret_trace_error *err)
{
    const struct named *named = find(p->name);
    struct egret_schedule w;
    memset(&w, 0, sizeof w);
    w.ranks = p->ranks;
    int code = check(p, named, err);
    if (code == EGRET_OK) {
        code = make(p, named, &w, err);
    }
    if (code == EGRET_OK) {
        code = egret_schedule_seal(&w, p->name, NULL, err);
    }
    if (code) {
        egret_schedule_free(&w);
        return code;
    }
    *out = w;
    return EGRET_OK;
}

int egret_collective(const char *name, uint32_t ranks, uint64_t bytes, uint64_t rounds,
                     uint32_t seed, struct egret_schedule *out, struct egret_trace_error *err)
{
    bool steps = strcmp(name, "permutation") != 0; /* which has none to leave out */
    struct egret_pattern p = {
        .name = name, .ranks = ranks, .bytes = bytes, .rounds = steps ? rounds : 0, .seed = seed};
    return egret_pattern_make(&p, out, err);
}
