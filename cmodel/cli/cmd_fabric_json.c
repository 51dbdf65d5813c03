/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_json.c: the results as JSON (docs/fabric.md). What a clock on the wall measured has
 * lines of its own, so that the rest can be compared byte by byte.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd_fabric.h"

void fabric_json_text(struct egret_outfile *out, const char *text)
{
    egret_outfile_printf(out, "\"");
    for (const char *s = text; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x20 || c == '"' || c == '\\') {
            egret_outfile_printf(out, "\\u%04x", c);
        } else {
            egret_outfile_write(out, s, 1);
        }
    }
    egret_outfile_printf(out, "\"");
}

void fabric_json_key(struct egret_outfile *out, const char *name)
{
    char under[32];
    size_t n = strlen(name);
    for (size_t i = 0; i <= n && i < sizeof under; i++) {
        under[i] = name[i] == '-' ? '_' : name[i];
    }
    egret_outfile_printf(out, "\"%s\": ", under);
}

static void queues(const struct fabric_job *job, const struct egret_fabric_results *r,
                   struct egret_outfile *out)
{
    double packet = fabric_packet_bytes(job);
    const char *comma = "";
    egret_outfile_printf(out, "      \"queues\": {");
    for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
        const struct egret_fabric_queue_result *x = &r->queue[q];
        if (x->links == 0) {
            continue;
        }
        egret_outfile_printf(out, "%s\n        ", comma);
        fabric_json_key(out, fabric_queue_name(q));
        egret_outfile_printf(
            out,
            "{\"links\": %" PRIu64 ", \"packets\": %" PRIu64 ", \"bytes\": %" PRIu64
            ", \"mean_packets\": %.6f, \"max_packets\": %.6f, \"mean_bytes\": %.6f"
            ", \"max_bytes\": %" PRIu64 ", \"mean_wait_ps\": %.6f, \"max_wait_ps\": %" PRIu64
            ", \"lost\": %" PRIu64 ", \"dead\": %" PRIu64 ", \"marked\": %" PRIu64
            ", \"trimmed\": %" PRIu64 ", \"overload\": %.9f}",
            x->links, x->packets, x->bytes, x->mean_bytes / packet, (double)x->max_bytes / packet,
            x->mean_bytes, x->max_bytes, x->mean_wait_ps, x->max_wait_ps, x->lost, x->dead,
            x->marked, x->trimmed, x->overload);
        comma = ",";
    }
    egret_outfile_printf(out, "\n      }");
}

static void samples(const struct fabric_job *job, const struct egret_fabric_results *r,
                    struct egret_outfile *out)
{
    egret_outfile_printf(out, ",\n      \"sample_ps\": %" PRIu64 ",\n      \"utilisation\": {",
                         job->spec.sample_ps);
    const char *comma = "";
    for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
        if (r->queue[q].links == 0) {
            continue;
        }
        egret_outfile_printf(out, "%s\n        ", comma);
        comma = ",";
        fabric_json_key(out, fabric_queue_name(q));
        egret_outfile_printf(out, "[");
        for (size_t n = 0; r->utilisation && n < r->samples; n++) {
            egret_outfile_printf(out, "%s%.6f", n ? ", " : "", r->utilisation[n][q]);
        }
        egret_outfile_printf(out, "]");
    }
    egret_outfile_printf(out, "\n      }");
}

static void one_run(const struct fabric_job *job, uint32_t i, struct egret_outfile *out)
{
    const struct egret_fabric_results *r = &job->result[i];
    const struct egret_fabric_totals *t = &r->totals;
    egret_outfile_printf(out, "%s\n    {\n", i ? "," : "");
    egret_outfile_printf(out, "      \"seed\": %u,\n", job->seed[i]);
    egret_outfile_printf(out, "      \"cct_us\": " FABRIC_US ",\n", FABRIC_US_ARGS(r->cct_ps));
    egret_outfile_printf(out, "      \"cct_ps\": %" PRIu64 ",\n", r->cct_ps);
    egret_outfile_printf(out, "      \"rate\": %.6f,\n", (double)r->rate_ppm / 1e6);
    egret_outfile_printf(out,
                         "      \"rounded_groups\": %" PRIu64 ", \"oversubscription\": %.6f,\n",
                         r->rounded_groups, (double)r->oversubscription_ppm / 1e6);
    egret_outfile_printf(out, "      \"packet_hops\": %" PRIu64 ",\n", t->hops);
    egret_outfile_printf(out,
                         "      \"data_sent\": %" PRIu64 ", \"data_received\": %" PRIu64
                         ", \"acks_sent\": %" PRIu64 ", \"resent\": %" PRIu64
                         ", \"messages_done\": %" PRIu64 ",\n",
                         t->data_sent, t->data_received, t->acks_sent, t->resent, t->messages_done);
    egret_outfile_printf(out,
                         "      \"reordered\": %" PRIu64 ", \"reorder_extent\": %" PRIu64
                         ", \"decisions\": %" PRIu64 ", \"selector_drops\": %" PRIu64 ",\n",
                         t->reordered, t->reorder_extent, t->decisions, t->selector_drops);
    egret_outfile_printf(out,
                         "      \"last_done_ps\": %" PRIu64 ", \"last_sent_ps\": %" PRIu64 ",\n",
                         t->last_done_ps, t->last_sent_ps);
    egret_outfile_printf(out, "      \"windows\": %" PRIu64 ", \"window_ps\": %" PRIu64 ",\n",
                         r->windows, r->window_ps);
    egret_outfile_printf(out, "      \"wall_s\": %.6f,\n", r->seconds);
    egret_outfile_printf(out, "      \"critical_path_s\": %.6f,\n", r->critical_path);
    egret_outfile_printf(out, "      \"cpu_s\": %.6f,\n", r->cpu);
    queues(job, r, out);
    if (job->spec.sample_ps) {
        samples(job, r, out);
    }
    egret_outfile_printf(out, "\n    }");
}

/* What all runs have in common, and their mean, best and worst. */
static void head(const struct fabric_job *job, struct egret_outfile *out)
{
    const struct egret_fabric_spec *s = &job->spec;
    struct egret_schedule_summary sum;
    char scheme[160];
    uint64_t best = UINT64_MAX;
    uint64_t most = 0;
    uint64_t hops = 0;
    double mean = 0;
    double seconds = 0;
    for (uint32_t i = 0; i < job->runs; i++) {
        uint64_t t = job->result[i].cct_ps;
        best = t < best ? t : best;
        most = t > most ? t : most;
        mean += (double)t / job->runs;
        hops += job->result[i].totals.hops;
        seconds += job->result[i].seconds;
    }
    fabric_scheme_text(job, scheme, sizeof scheme);
    egret_outfile_printf(out, "{\n  \"topology\": ");
    fabric_json_text(out, s->topology_name);
    egret_outfile_printf(out, ",\n  \"hosts\": %u,\n  \"work\": ", s->topology.hosts);
    fabric_json_text(out, job->files ? job->file[0] : job->options->collective);
    if (egret_schedule_summary(&job->schedule, &sum) == EGRET_OK) {
        uint64_t packets = (sum.largest + s->payload - 1u) / s->payload;
        egret_outfile_printf(out,
                             ",\n  \"messages\": %" PRIu64 ",\n  \"bytes\": %" PRIu64
                             ",\n  \"message_packets\": %" PRIu64,
                             sum.messages, sum.bytes, packets);
    }
    egret_outfile_printf(out, ",\n  \"scheme\": \"%s\",\n  \"host\": \"%s\"", scheme,
                         fabric_host_name(s));
    egret_outfile_printf(out, ",\n  \"transport\": \"%s\"",
                         s->transport == EGRET_TRANSPORT_SACK ? "sack" : "ideal");
    egret_outfile_printf(out, ",\n  \"payload\": %u,\n  \"failures\": %zu,\n  \"failed_ppm\": %u",
                         s->payload, s->failures, s->failed_ppm);
    egret_outfile_printf(out, ",\n  \"cct_us\": %.6f", mean / 1e6);
    egret_outfile_printf(out, ",\n  \"cct_best_us\": " FABRIC_US, FABRIC_US_ARGS(best));
    egret_outfile_printf(out, ",\n  \"cct_max_us\": " FABRIC_US, FABRIC_US_ARGS(most));
    uint64_t bound = fabric_bound(job);
    if (bound) {
        egret_outfile_printf(out, ",\n  \"bound_us\": " FABRIC_US, FABRIC_US_ARGS(bound));
        egret_outfile_printf(out, ",\n  \"increase_percent\": %.6f",
                             (mean / (double)bound - 1.0) * 100.0);
    } else {
        egret_outfile_printf(out, ",\n  \"bound_us\": null,\n  \"increase_percent\": null");
    }
    egret_outfile_printf(out, ",\n  \"packet_hops\": %" PRIu64, hops);
    egret_outfile_printf(out, ",\n  \"wall_s\": %.6f", seconds);
    egret_outfile_printf(out, ",\n  \"threads\": %u", s->threads);
}

void fabric_json(const struct fabric_job *job, struct egret_outfile *out)
{
    head(job, out);
    fabric_json_settings(job, out);
    egret_outfile_printf(out, ",\n  \"runs\": [");
    for (uint32_t i = 0; i < job->runs; i++) {
        one_run(job, i, out);
    }
    egret_outfile_printf(out, "\n  ]\n}\n");
}
