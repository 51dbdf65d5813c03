/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_failures.c: which links fail, which switches have another selector, which is recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_fabric.h"

static int add(struct fabric_job *job, const struct egret_fabric_failure *f)
{
    const struct egret_topology *t = &job->spec.topology;
    uint32_t switches = f->at_agg ? t->pods * t->aggs_per_pod : egret_topology_edges(t);
    uint32_t ports = f->at_agg ? t->agg_uplinks : t->aggs_per_pod;
    const char *kind = f->at_agg ? "agg" : t->tiers == 3u ? "edge" : "leaf";
    if (f->index >= switches || f->port >= ports) {
        return cli_usage("a failed link: %s:%u:%u: there are %u such switches with %u uplinks",
                         kind, f->index, f->port, switches, ports);
    }
    struct egret_fabric_failure *more =
        realloc(job->failure, (job->failures + 1u) * sizeof *job->failure);
    if (!more) {
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    job->failure = more;
    job->failure[job->failures++] = *f;
    return -1;
}

/* The tier that a name begins with, and how long that is; false if it is none that has uplinks. */
static bool tier_with_uplinks(const struct egret_topology *t, const char *text,
                              struct egret_fabric_failure *f, size_t *length)
{
    static const char *const name[] = {"edge:", "leaf:", "agg:", "spine:"};
    unsigned i = 0;
    while (i < 4u && strncmp(text, name[i], strlen(name[i])) != 0) {
        i++;
    }
    if (i == 4u || (i >= 2u && t->tiers != 3u)) {
        return false;
    }
    f->at_agg = i >= 2u;
    *length = strlen(name[i]);
    return true;
}

/* edge:I:PORT@TIME */
static bool parse(const struct egret_topology *t, const char *text, struct egret_fabric_failure *f)
{
    char head[64];
    const char *at = strchr(text, '@');
    size_t n = at ? (size_t)(at - text) : strlen(text);
    uint64_t index;
    uint64_t port;
    memset(f, 0, sizeof *f);
    if (n >= sizeof head || (at && !fabric_time(at + 1, &f->time_ps))) {
        return false;
    }
    memcpy(head, text, n);
    head[n] = '\0';
    size_t length;
    if (!tier_with_uplinks(t, head, f, &length)) {
        return false;
    }
    char *number = head + length;
    char *colon = strchr(number, ':');
    if (!colon) {
        return false;
    }
    *colon = '\0';
    if (!cli_parse_u64(number, UINT32_MAX, &index) ||
        !cli_parse_u64(colon + 1, UINT32_MAX, &port)) {
        return false;
    }
    f->index = (uint32_t)index;
    f->port = (uint32_t)port;
    return true;
}

/* A failure of an htsim matrix, at time 0. A core's link I is that to pod I. */
static int from_schedule(struct fabric_job *job, const struct egret_link_failure *l)
{
    const struct egret_topology *t = &job->spec.topology;
    struct egret_fabric_failure f = {0, l->switch_type != EGRET_SWITCH_TOR, l->switch_id,
                                     l->link_id};
    if (l->switch_type == EGRET_SWITCH_CORE) {
        if (t->tiers != 3u || l->switch_id >= t->aggs_per_pod * t->agg_uplinks ||
            l->link_id >= t->pods) {
            return cli_usage("a failed link: core %u has no link %u", l->switch_id, l->link_id);
        }
        f.index = l->link_id * t->aggs_per_pod + l->switch_id / t->agg_uplinks;
        f.port = l->switch_id % t->agg_uplinks;
    }
    return add(job, &f);
}

/* A link has one name, that of its lower end. */
static int from_above(const struct egret_topology *t, const char *text)
{
    const char *below = t->tiers == 3u ? "agg:I:UPLINK" : "leaf:I:UPLINK";
    return cli_usage("--fail: %s: a link is named from below: %s", text, below);
}

static bool is_top(const struct egret_topology *t, const char *text)
{
    return strncmp(text, "core:", 5) == 0 ||
           (t->tiers != 3u && (strncmp(text, "agg:", 4) == 0 || strncmp(text, "spine:", 6) == 0));
}

int fabric_failures(struct fabric_job *job)
{
    const char *list = job->options->fail;
    const struct egret_schedule *w = &job->schedule;
    char part[64];
    bool bad = false;
    int code = -1;
    while (code < 0 && list && fabric_next(&list, part, sizeof part, &bad)) {
        struct egret_fabric_failure f;
        if (is_top(&job->spec.topology, part)) {
            return from_above(&job->spec.topology, part);
        }
        bad = !parse(&job->spec.topology, part, &f);
        if (bad) {
            break;
        }
        code = add(job, &f);
    }
    if (bad) {
        return cli_usage("--fail is edge:I:UPLINK@TIME (or leaf:) or agg:I:UPLINK@TIME, with "
                         "commas between");
    }
    for (size_t i = 0; code < 0 && i < w->failures; i++) {
        code = from_schedule(job, &w->failure[i]);
    }
    job->spec.failure = job->failure;
    job->spec.failures = job->failures;
    if (job->failures && !job->options->rho) {
        job->spec.rate_ppm = 0;
    }
    return code;
}

/* A second SWITCH= in what should be the name of a file: ",KIND:N=". */
static bool second_switch(const char *file)
{
    static const char *const kind[] = {"edge:", "leaf:", "agg:", "spine:", "core:"};
    for (const char *at = strchr(file, ','); at; at = strchr(at + 1, ',')) {
        for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
            size_t n = strlen(kind[i]);
            if (strncmp(at + 1, kind[i], n) == 0) {
                size_t digits = strspn(at + 1 + n, "0123456789");
                if (digits && at[1 + n + digits] == '=') {
                    return true;
                }
            }
        }
    }
    return false;
}

static int record(struct fabric_job *job)
{
    const char *text = job->options->record;
    const char *equals = text ? strchr(text, '=') : NULL;
    char name[64];
    uint32_t number;
    if (!text) {
        return -1;
    }
    size_t n = equals ? (size_t)(equals - text) : sizeof name;
    if (n >= sizeof name || equals[1] == '\0') {
        return cli_usage("--record is SWITCH=FILE: edge:0=e.pcap, agg:3=a.pcap, core:0=c.pcap");
    }
    memcpy(name, text, n);
    name[n] = '\0';
    if (!fabric_switch(&job->spec.topology, name, &number)) {
        return cli_usage("--record: no switch %s in %s", name, job->options->topology);
    }
    if (second_switch(equals + 1)) {
        return cli_usage("--record: one switch a run, not a list: %s", text);
    }
    if (job->options->seeds > 1u) {
        return cli_usage("--record: of one run, not with --seeds");
    }
    job->spec.record = number;
    job->spec.record_path = equals + 1;
    int length = snprintf(job->record_config, sizeof job->record_config, "%s.cfg", equals + 1);
    if (length < 0 || (size_t)length >= sizeof job->record_config) {
        return cli_usage("--record: the name of the file is too long");
    }
    return -1;
}

/* The tables of the selector that --selector names, for the switches of --selector-at. */
static int load(struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    struct egret_fabric_spec *s = &job->spec;
    struct egret_cfg cfg;
    const char *colon = strchr(o->selector, ':');
    if (colon && !strchr(o->selector, '/') && colon[1] == '\0') {
        return cli_usage("--selector %s: the name of a configuration is missing: %slab",
                         o->selector, o->selector);
    }
    const char *config = o->config ? o->config : colon ? colon + 1 : "lab";
    int code = cli_config(config, &cfg);
    if (code < 0) {
        code = cli_selector_open(o->selector, o->selector_dir, &cfg, &job->selector);
    }
    if (code >= 0) {
        return code;
    }
    for (unsigned i = 0; i < 3u; i++) {
        s->tier[i].cfg = cfg;
        s->tier[i].ops = job->selector.ops;
    }
    uint32_t switches = fabric_switches(&s->topology);
    const char *list = o->selector_at;
    char part[64];
    bool bad = false;
    if (!list) {
        return -1;
    }
    job->use_ops = calloc(switches, 1);
    if (!job->use_ops) {
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    while (fabric_next(&list, part, sizeof part, &bad)) {
        uint32_t number;
        if (!fabric_switch(&s->topology, part, &number)) {
            return cli_usage("--selector-at: no switch %s in %s", part, o->topology);
        }
        job->use_ops[number] = 1;
    }
    s->use_ops = job->use_ops;
    return bad ? cli_usage("--selector-at is edge:0,agg:3,core:1") : -1;
}

int fabric_selector(struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    bool model = !o->selector || strcmp(o->selector, "model") == 0;
    int code = record(job);
    if (code < 0 && model && o->selector_at) {
        code = cli_usage("--selector-at needs --selector");
    }
    for (unsigned i = 0; code < 0 && !model && i < 3u; i++) {
        if (job->spec.tier[i].rule == EGRET_RULE_JSQ) {
            code = cli_usage("--scheme jsq has no selector: it looks at the queues themselves");
        }
    }
    if (code < 0 && !model) {
        return load(job);
    }
    if (code < 0 && o->config) {
        struct egret_cfg cfg;
        code = cli_config(o->config, &cfg);
        for (unsigned i = 0; code < 0 && i < 3u; i++) {
            job->spec.tier[i].cfg = cfg;
        }
    }
    return code;
}
