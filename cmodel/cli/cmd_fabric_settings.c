/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_settings.c: what was run, as an object of the JSON (docs/fabric.md): every option that
 * can change a result, as the run had it, defaults too. null: none, or without end. Not the
 * threads.
 */
#include <inttypes.h>
#include <string.h>

#include "cmd_fabric.h"

static void key(struct egret_outfile *out, const char *name)
{
    egret_outfile_printf(out, ",\n    ");
    fabric_json_key(out, name);
}

static void text(struct egret_outfile *out, const char *name, const char *value)
{
    key(out, name);
    if (value) {
        fabric_json_text(out, value);
    } else {
        egret_outfile_printf(out, "null");
    }
}

static void number(struct egret_outfile *out, const char *name, uint64_t value)
{
    key(out, name);
    egret_outfile_printf(out, "%" PRIu64, value);
}

/* Where `none` says that there is no number. */
static void number_or_null(struct egret_outfile *out, const char *name, uint64_t value,
                           uint64_t none)
{
    if (value == none) {
        text(out, name, NULL);
    } else {
        number(out, name, value);
    }
}

static void flag(struct egret_outfile *out, const char *name, bool value)
{
    key(out, name);
    egret_outfile_printf(out, value ? "true" : "false");
}

/* One value a tier of links: at hosts, above edges, below cores; or a kind of switch. */
static void tiers(struct egret_outfile *out, const char *name, const uint64_t value[3], uint32_t n,
                  bool thousandths)
{
    key(out, name);
    egret_outfile_printf(out, "[");
    for (uint32_t i = 0; i < n; i++) {
        egret_outfile_printf(out, "%s%" PRIu64, i ? ", " : "", value[i] / (thousandths ? 1000 : 1));
        if (thousandths && value[i] % 1000u) {
            egret_outfile_printf(out, ".%03" PRIu64, value[i] % 1000u);
        }
    }
    egret_outfile_printf(out, "]");
}

static void queues(struct egret_outfile *out, const char *name, uint32_t all,
                   const uint64_t value[EGRET_FABRIC_QUEUES])
{
    const char *comma = "";
    key(out, name);
    egret_outfile_printf(out, "{");
    for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
        if (all != 3u && (q == EGRET_QUEUE_AGG_UP || q == EGRET_QUEUE_CORE_DOWN)) {
            continue;
        }
        egret_outfile_printf(out, "%s", comma);
        fabric_json_key(out, fabric_queue_name(q));
        egret_outfile_printf(out, "%" PRIu64, value[q]);
        comma = ", ";
    }
    egret_outfile_printf(out, "}");
}

static void fabric(const struct fabric_job *job, struct egret_outfile *out)
{
    const struct egret_fabric_spec *s = &job->spec;
    const struct egret_topology *t = &s->topology;
    text(out, "topology", s->topology_name);
    tiers(out, "link_gbps", t->rate_mbps, t->tiers, true);
    tiers(out, "latency_ps", t->latency_ps, t->tiers, false);
    tiers(out, "switch_delay_ps", t->switch_ps, t->tiers, false);
    number(out, "rails", s->rails);
    queues(out, "buffer_bytes", t->tiers, s->buffer_bytes);
    queues(out, "ecn_bytes", t->tiers, s->ecn_bytes);
    flag(out, "trim", s->trim);
}

/* As given; null: what egret trace make takes for it, or nothing to do with this work. */
static void work(const struct fabric_job *job, struct egret_outfile *out)
{
    const struct fabric_options *o = job->options;
    const struct import_options *i = &o->import;
    text(out, "collective", o->collective);
    key(out, "files");
    egret_outfile_printf(out, "[");
    for (size_t n = 0; n < job->files; n++) {
        egret_outfile_printf(out, n ? ", " : "");
        fabric_json_text(out, job->file[n]);
    }
    egret_outfile_printf(out, "]");
    number_or_null(out, "message_bytes", job->packets ? job->packets * job->spec.payload : o->bytes,
                   0);
    number_or_null(out, "rounds", o->rounds, 0);
    text(out, "algorithm", o->algorithm);
    number_or_null(out, "channels", o->channels, 0);
    number_or_null(out, "group_size", i->group_size, 0);
    number(out, "root", o->root);
    number_or_null(out, "chunk_bytes", o->chunk, 0);
    number_or_null(out, "window_messages", o->window, 0);
    number_or_null(out, "experts", o->experts, 0);
    number(out, "skew_percent", o->skew);
    text(out, "placement", job->spec.place_random ? "random" : "linear");
    number_or_null(out, "zero_size_bytes", i->zero_size, 0);
    text(out, "comm_groups", i->comm_groups);
    flag(out, "no_compute", i->no_compute);
    flag(out, "allow_counts", i->allow_counts);
    flag(out, "allow_unmatched", i->allow_unmatched);
    flag(out, "allow_dangling", i->allow_dangling);
    flag(out, "allow_zero", i->allow_zero);
    flag(out, "allow_trailing", i->allow_trailing);
}

static void fields(struct egret_outfile *out, uint32_t chosen)
{
    const char *name;
    const char *comma = "";
    key(out, "fields");
    egret_outfile_printf(out, "[");
    for (uint32_t bit = 0; (name = egret_hash_field_name(bit)) != NULL; bit++) {
        if (chosen >> bit & 1u) {
            egret_outfile_printf(out, "%s\"%s\"", comma, name);
            comma = ", ";
        }
    }
    egret_outfile_printf(out, "]");
}

static void switches(const struct fabric_job *job, struct egret_outfile *out)
{
    static const char *const acks[] = {"default", "alike", "hashed"};
    static const char *const path[] = {"random", "quality", "better"};
    const struct fabric_options *o = job->options;
    const struct egret_fabric_tier *t = job->spec.tier; /* all but its scheme is that of all */
    char scheme[160];
    fabric_scheme_text(job, scheme, sizeof scheme);
    text(out, "scheme", scheme);
    text(out, "ack_path", acks[t->acks % 3u]);
    number(out, "wraps", t->wraps);
    text(out, "hash", egret_hash_algorithm_name(t->hash.algorithm));
    fields(out, t->hash.fields);
    number(out, "hash_seed", t->hash.seed);
    number(out, "agg_rotation_bits", job->spec.tier[1].hash.rotation);
    number_or_null(out, "flowlet_idle_ns", t->flowlet_idle, EGRET_IDLE_NEVER);
    text(out, "flowlet_path", path[t->flowlet_path % 3u]);
    number_or_null(out, "flowlet_entries", t->flowlet_entries, 0);
    number(out, "drill_samples", t->drill_samples);
    number(out, "drill_memory", t->drill_memory);
    text(out, "load", o->load ? o->load : "htsim-ar");
    number(out, "period_ns", t->load.period_ns);
    text(out, "config", o->config ? o->config : t->cfg.name[0] ? t->cfg.name : NULL);
    text(out, "selector", o->selector ? o->selector : "model");
    text(out, "selector_at", o->selector_at);
}

static void hosts(const struct fabric_job *job, struct egret_outfile *out)
{
    const struct egret_fabric_spec *s = &job->spec;
    bool sack = s->transport == EGRET_TRANSPORT_SACK;
    text(out, "host", fabric_host_name(s));
    number_or_null(out, "subflows", s->host_scheme == EGRET_HOST_SUBFLOW ? s->subflows : 0, 0);
    text(out, "transport", sack ? "sack" : "ideal");
    number_or_null(out, "rho_ppm", s->rate_ppm, 0);
    number(out, "payload_bytes", s->payload);
    number(out, "header_bytes", s->header_bytes);
    number(out, "ack_bytes", s->ack_bytes);
    number(out, "gap_bytes", s->gap_bytes);
    number_or_null(out, "reorder_threshold_packets", sack ? s->reorder_threshold : 0, 0);
    number_or_null(out, "rto_ps", s->rto_ps, 0);
    number_or_null(out, "window_packets", s->window_packets, 0);
}

static void failures(const struct fabric_job *job, struct egret_outfile *out)
{
    const struct egret_fabric_spec *s = &job->spec;
    key(out, "fail");
    egret_outfile_printf(out, "[");
    for (size_t i = 0; i < job->failures; i++) {
        const struct egret_fabric_failure *f = &job->failure[i];
        egret_outfile_printf(
            out, "%s{\"switch\": \"%s:%u\", \"uplink\": %u, \"time_ps\": %" PRIu64 "}",
            i ? ", " : "", f->at_agg ? "agg" : "edge", f->index, f->port, f->time_ps);
    }
    egret_outfile_printf(out, "]");
    number(out, "fail_links_ppm", s->failed_ppm);
    number_or_null(out, "convergence_ps", s->convergence_ps, EGRET_FABRIC_NO_CONVERGENCE);
}

void fabric_json_settings(const struct fabric_job *job, struct egret_outfile *out)
{
    egret_outfile_printf(out,
                         ",\n  \"settings\": {\n    \"egret_version\": {\"api\": %d, "
                         "\"stimulus\": %u, \"selector\": %u, \"hardware\": \"%08x\"}",
                         EGRET_API_VERSION, EGRET_EVENT_VERSION, EGRET_SELECTOR_VERSION,
                         EGRET_VERSION_WORD);
    fabric(job, out);
    work(job, out);
    switches(job, out);
    hosts(job, out);
    failures(job, out);
    number(out, "seed", job->options->seed);
    number(out, "seeds", job->options->seeds);
    number_or_null(out, "limit_ps", job->spec.limit_ps, 0);
    number_or_null(out, "sample_ps", job->spec.sample_ps, 0);
    egret_outfile_printf(out, "\n  }");
}
