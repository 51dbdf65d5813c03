/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_options.c: the options of egret fabric into what the library takes.
 */
#include <stdio.h>
#include <string.h>

#include "cmd_fabric.h"

#define SCHEMES_LIST                                                                               \
    "ecmp, spray-rr, dr, fixed, entropy, spray-random, spray-quality, flowlet, simple-rr or jsq"

static const char *const tier_name[2][3] = {{"edge", "agg", "core"}, {"leaf", "spine", "core"}};

static bool one_scheme(const char *name, struct egret_fabric_tier *t)
{
    unsigned scheme;
    t->rule = EGRET_RULE_SCHEME;
    if (strcmp(name, "simple-rr") == 0 || strcmp(name, "jsq") == 0) {
        t->rule = name[0] == 'j' ? EGRET_RULE_JSQ : EGRET_RULE_SIMPLE_RR;
        t->scheme = EGRET_SCHEME_SPRAY_RR;
        return true;
    }
    if (egret_scheme_by_name(name, &scheme) != EGRET_OK || scheme == EGRET_SCHEME_NONE) {
        return false;
    }
    t->scheme = scheme;
    return true;
}

/* NAME for all tiers, or TIER=NAME with commas between. */
static int schemes(const char *list, struct egret_fabric_tier tier[3])
{
    char part[64];
    bool bad;
    unsigned seen = 0;
    if (!strchr(list, '=')) {
        for (unsigned i = 0; i < 3u; i++) {
            if (!one_scheme(list, &tier[i])) {
                return cli_usage("--scheme is " SCHEMES_LIST ", not '%s'", list);
            }
        }
        return -1;
    }
    while (fabric_next(&list, part, sizeof part, &bad)) {
        char *name = strchr(part, '=');
        unsigned i = 0;
        if (name) {
            *name++ = '\0';
        }
        while (i < 3u && strcmp(part, tier_name[0][i]) != 0 && strcmp(part, tier_name[1][i]) != 0) {
            i++;
        }
        if (!name || i == 3u) {
            bad = true;
            break;
        }
        if (!one_scheme(name, &tier[i])) {
            return cli_usage("--scheme is " SCHEMES_LIST ", not '%s'", name);
        }
        if (seen & 1u << i) { /* leaf= is edge=, spine= is agg= */
            return cli_usage("--scheme: %s= is given twice", tier_name[0][i]);
        }
        seen |= 1u << i;
    }
    return bad ? cli_usage("--scheme is NAME, or edge=NAME,agg=NAME,core=NAME") : -1;
}

/* What the hosts choose; the switches then follow it unless --scheme says otherwise. */
static int host(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    const char *text = o->host ? o->host : "flow";
    uint64_t n;
    const char *scheme = o->host ? "ecmp" : "dr";
    if (strcmp(text, "flow") == 0) {
        s->host_scheme = EGRET_HOST_FLOW;
    } else if (strcmp(text, "random") == 0) {
        s->host_scheme = EGRET_HOST_RANDOM;
    } else if (strcmp(text, "drb") == 0) {
        s->host_scheme = EGRET_HOST_DRB;
        scheme = "entropy";
    } else if (strcmp(text, "subflow") == 0) {
        s->host_scheme = EGRET_HOST_SUBFLOW;
    } else if (strncmp(text, "subflow:", 8) == 0 && cli_parse_u64(text + 8, 65535, &n) && n) {
        s->host_scheme = EGRET_HOST_SUBFLOW;
        s->subflows = (uint32_t)n;
    } else {
        return cli_usage("--host is flow, subflow:N, random or drb");
    }
    int code = schemes(o->scheme ? o->scheme : scheme, s->tier);
    if (code < 0 && s->host_scheme == EGRET_HOST_DRB && o->scheme &&
        (s->tier[0].scheme != EGRET_SCHEME_ENTROPY || s->tier[1].scheme != EGRET_SCHEME_ENTROPY)) {
        return cli_usage("--host drb says the path: the switches have --scheme entropy");
    }
    return code;
}

static bool has_scheme(const struct egret_fabric_spec *s, unsigned scheme)
{
    for (unsigned i = 0; i < 3u; i++) {
        if (s->tier[i].rule == EGRET_RULE_SCHEME && s->tier[i].scheme == scheme) {
            return true;
        }
    }
    return false;
}

/* fabric_number() of 32 bits. */
static bool sized(const char *given, bool unit, uint32_t least, uint32_t most, uint32_t *out)
{
    uint64_t v = *out;
    bool good = fabric_number(given, unit, least, most, &v);
    *out = (uint32_t)v;
    return good;
}

static int flowlets(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    static const char *const path[] = {"random", "quality", "better"};
    uint64_t idle = s->tier[0].flowlet_idle;
    uint32_t where = s->tier[0].flowlet_path;
    uint64_t entries = 0; /* all */
    bool number = fabric_number(o->flowlet_entries, false, 0, 65536u, &entries);
    const char *given = o->flowlet_idle      ? "--flowlet-idle"
                        : o->flowlet_path    ? "--flowlet-path"
                        : o->flowlet_entries ? "--flowlet-entries"
                                             : NULL;
    if (given && !has_scheme(s, EGRET_SCHEME_FLOWLET)) {
        return cli_usage("%s is for --scheme flowlet", given);
    }
    if (o->flowlet_idle && strcmp(o->flowlet_idle, "never") == 0) {
        idle = EGRET_IDLE_NEVER;
    } else if (o->flowlet_idle && !cli_parse_u64(o->flowlet_idle, EGRET_IDLE_MAX_NS, &idle)) {
        return cli_usage("--flowlet-idle: 0 to %u ns, or never", EGRET_IDLE_MAX_NS);
    }
    if (!number || (o->flowlet_entries && entries == 0) || (entries & (entries - 1u)) != 0) {
        return cli_usage("--flowlet-entries: a power of two, 1 to 65536");
    }
    bool known = !o->flowlet_path;
    for (uint32_t i = 0; !known && i < 3u; i++) {
        known = strcmp(o->flowlet_path, path[i]) == 0;
        where = known ? i : where;
    }
    if (!known) {
        return cli_usage("--flowlet-path is random, quality or better");
    }
    for (unsigned i = 0; i < 3u; i++) {
        s->tier[i].flowlet_idle = idle;
        s->tier[i].flowlet_path = where;
        s->tier[i].flowlet_entries = (uint32_t)entries;
    }
    return -1;
}

static int loads(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    struct egret_load load = s->tier[0].load;
    const char *d = o->drill;
    bool looks = has_scheme(s, EGRET_SCHEME_SPRAY_QUALITY);
    if (d && !looks) {
        return cli_usage("--drill is for --scheme spray-quality");
    }
    looks = looks ||
            (has_scheme(s, EGRET_SCHEME_FLOWLET) && s->tier[0].flowlet_path != EGRET_PATH_RANDOM);
    if ((o->load || o->period) && !looks) {
        return cli_usage("%s is for --scheme spray-quality, or --flowlet-path",
                         o->load ? "--load" : "--period");
    }
    if (o->load && egret_load_preset(o->load, &load) != EGRET_OK) {
        return cli_usage("--load: sai, cisco-aci, cisco-nxos, conga or htsim-ar, not '%s'",
                         o->load);
    }
    if (!sized(o->period, false, 1, EGRET_LOAD_MAX_PERIOD, &load.period_ns)) {
        return cli_usage("--period: 1 to %u ns", EGRET_LOAD_MAX_PERIOD);
    }
    if (d && (d[0] < '0' || d[0] > '2' || d[1] != ',' || d[2] < '0' || d[2] > '1' || d[3])) {
        return cli_usage("--drill is D,M: 0 to 2 samples, 0 or 1 remembered");
    }
    if (d && d[0] == '0' && d[2] != '0') {
        return cli_usage("--drill 0,1: without samples none is remembered");
    }
    for (unsigned i = 0; i < 3u; i++) {
        s->tier[i].load = load;
        s->tier[i].drill_samples = d ? (uint32_t)(d[0] - '0') : 0;
        s->tier[i].drill_memory = d ? (uint32_t)(d[2] - '0') : 0;
    }
    return -1;
}

static int hashes(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    bool alike = o->acks && strcmp(o->acks, "alike") == 0;
    if (o->acks && !alike && strcmp(o->acks, "hashed") != 0) {
        return cli_usage("--ack-path is alike or hashed, not '%s'", o->acks);
    }
    uint32_t acks = !o->acks ? EGRET_ACKS_DEFAULT : alike ? EGRET_ACKS_ALIKE : EGRET_ACKS_HASHED;
    for (unsigned i = 0; i < 3u; i++) {
        struct egret_hash_setup *h = &s->tier[i].hash;
        h->seed = o->hash_seed;
        h->rotation = i == 1u ? o->agg_rotation : 0;
        if (o->hash && (egret_hash_algorithm_by_name(o->hash, &h->algorithm) != EGRET_OK ||
                        h->algorithm == EGRET_HASH_MATRIX)) {
            return cli_usage("--hash: unknown algorithm '%s'", o->hash);
        }
        int code = o->fields ? cli_parse_fields(o->fields, &h->fields) : -1;
        if (code >= 0) {
            return code;
        }
        s->tier[i].acks = acks;
        s->tier[i].wraps = o->wraps;
    }
    if (o->agg_rotation > 31u) {
        return cli_usage("--agg-rotation: 0 to 31");
    }
    return o->wraps > 15u ? cli_usage("--wraps: 0 to 15") : -1;
}

static int packets(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    if (!sized(o->payload, true, 1, 16384, &s->payload)) {
        return cli_usage("--payload: 1 to 16384 bytes");
    }
    if (!sized(o->header, true, 8, 1024, &s->header_bytes) ||
        !sized(o->ack, true, 8, 1024, &s->ack_bytes)) {
        return cli_usage("--header, --ack: 8 to 1024 bytes");
    }
    if (!sized(o->gap, true, 0, 1024, &s->gap_bytes)) {
        return cli_usage("--gap: 0 to 1024 bytes");
    }
    uint64_t packet = (uint64_t)s->payload + s->header_bytes;
    int code = o->buffer ? fabric_queues("buffer", o->buffer, packet, s->buffer_bytes) : -1;
    if (code < 0 && o->ecn) {
        code = fabric_queues("ecn", o->ecn, packet, s->ecn_bytes);
    }
    return code;
}

static int transport(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    if (o->transport && strcmp(o->transport, "sack") == 0) {
        s->transport = EGRET_TRANSPORT_SACK;
    } else if (o->transport && strcmp(o->transport, "ideal") != 0) {
        return cli_usage("--transport is ideal or sack");
    }
    if (s->transport != EGRET_TRANSPORT_SACK && (o->reorder_threshold || o->rto)) {
        return cli_usage("%s is for --transport sack", o->rto ? "--rto" : "--reorder-threshold");
    }
    if (!sized(o->reorder_threshold, false, 1, UINT32_MAX, &s->reorder_threshold)) {
        return cli_usage("--reorder-threshold: 1 to %u packets", UINT32_MAX);
    }
    if (o->rto && (!fabric_time(o->rto, &s->rto_ps) || s->rto_ps < 1000u)) {
        return cli_usage("--rto is a time, 1ns or more: 100us");
    }
    s->window_packets = o->window_packets;
    if (o->rho && strcmp(o->rho, "max") == 0) {
        s->rate_ppm = 0;
    } else if (o->rho && (!fabric_fraction(o->rho, &s->rate_ppm) || s->rate_ppm == 0)) {
        return cli_usage("--rho is max, or a part of the hosts' rate: 0.95, 95%%");
    } else if (!o->rho && (o->fail || o->fail_links)) {
        s->rate_ppm = 0; /* as in the paper: with failures at what the links bear */
    }
    return -1;
}

static int run(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    uint64_t v;
    if (o->convergence &&
        (strcmp(o->convergence, "inf") == 0 || strcmp(o->convergence, "never") == 0)) {
        s->convergence_ps = EGRET_FABRIC_NO_CONVERGENCE;
    } else if (o->convergence && (!fabric_time(o->convergence, &s->convergence_ps) ||
                                  s->convergence_ps == EGRET_FABRIC_NO_CONVERGENCE)) {
        return cli_usage("--convergence is a time, or inf: 0, 10us, inf");
    }
    if (o->fail_links) {
        if (!fabric_percent(o->fail_links, &v)) {
            return cli_usage("--fail-links is a percentage: 1%%, 0.5%%");
        }
        s->failed_ppm = (uint32_t)v;
    }
    if (o->threads == 0 || o->threads > 64u) {
        return cli_usage("--threads: 1 to 64");
    }
    if (o->seeds == 0 || o->seeds > FABRIC_MAX_SEEDS || o->seed > UINT32_MAX - (o->seeds - 1u)) {
        return cli_usage("--seeds: 1 to %u, and no seed beyond 32 bits", FABRIC_MAX_SEEDS);
    }
    if (o->limit && (!fabric_time(o->limit, &s->limit_ps) || s->limit_ps == 0)) {
        return cli_usage("--limit is a time: 10ms");
    }
    if (o->samples && (!fabric_time(o->samples, &s->sample_ps) || s->sample_ps == 0)) {
        return cli_usage("--samples is a time: 1us");
    }
    if (o->samples_csv && !o->samples) {
        return cli_usage("--samples-csv needs --samples PERIOD");
    }
    s->place_random = o->placement && strcmp(o->placement, "random") == 0;
    if (o->placement && !s->place_random && strcmp(o->placement, "linear") != 0) {
        return cli_usage("--placement is linear or random");
    }
    s->seed = o->seed;
    s->threads = o->threads;
    s->rails = o->rails;
    s->trim = o->trim;
    return -1;
}

static int topology(const struct fabric_options *o, struct egret_fabric_spec *s)
{
    struct egret_trace_error err;
    uint64_t latency = 0;
    if (!o->topology) {
        return cli_usage("--topology is missing: fat-tree:K, leaf-spine:.. or a .topo file");
    }
    if (o->latency && !fabric_time(o->latency, &latency)) {
        return cli_usage("--latency is a time: 500ns");
    }
    int code = egret_topology_load(o->topology, &s->topology, &err);
    if (code) {
        return cli_error(code, &err);
    }
    s->topology_name = o->topology;
    for (unsigned i = 0; i < 3u; i++) {
        s->topology.rate_mbps[i] = o->rate ? o->rate : s->topology.rate_mbps[i];
        s->topology.latency_ps[i] = o->latency ? latency : s->topology.latency_ps[i];
    }
    return -1;
}

int fabric_spec(const struct fabric_options *o, struct fabric_job *job)
{
    static int (*const part[])(const struct fabric_options *, struct egret_fabric_spec *) = {
        topology, host, hashes, flowlets, loads, packets, transport, run};
    int code = -1;
    egret_fabric_defaults(&job->spec);
    for (size_t i = 0; code < 0 && i < sizeof part / sizeof part[0]; i++) {
        code = part[i](o, &job->spec);
    }
    return code;
}
