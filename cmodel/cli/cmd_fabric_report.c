/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_report.c: what came of it, for people and as CSV.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd_fabric.h"

double fabric_packet_bytes(const struct fabric_job *job)
{
    const struct egret_fabric_spec *s = &job->spec;
    return (double)s->payload + s->header_bytes + s->gap_bytes;
}

static const char *scheme_name(const struct egret_fabric_tier *t)
{
    return t->rule == EGRET_RULE_SIMPLE_RR ? "simple-rr"
           : t->rule == EGRET_RULE_JSQ     ? "jsq"
                                           : egret_scheme_name(t->scheme);
}

void fabric_scheme_text(const struct fabric_job *job, char *out, size_t size)
{
    const struct egret_fabric_tier *t = job->spec.tier;
    const char *edge = scheme_name(&t[0]);
    const char *agg = scheme_name(&t[1]);
    const char *core = scheme_name(&t[2]);
    if (strcmp(edge, agg) == 0 && strcmp(edge, core) == 0) {
        (void)snprintf(out, size, "%s", edge);
    } else {
        (void)snprintf(out, size, "edge=%s,agg=%s,core=%s", edge, agg, core);
    }
}

const char *fabric_host_name(const struct egret_fabric_spec *spec)
{
    static const char *const name[] = {"flow", "subflow", "random", "drb"};
    return name[spec->host_scheme & 3u];
}

/* ---- several runs as one ---- */

uint64_t fabric_bound(const struct fabric_job *job)
{
    uint64_t bound = job->result[0].lower_bound_ps;
    for (uint32_t i = 1; i < job->runs; i++) {
        uint64_t b = job->result[i].lower_bound_ps;
        bound = b < bound ? b : bound;
    }
    return bound;
}

struct span {
    uint64_t least;
    uint64_t most;
    double mean;
};

static struct span completion(const struct fabric_job *job)
{
    struct span s = {UINT64_MAX, 0, 0};
    for (uint32_t i = 0; i < job->runs; i++) {
        uint64_t t = job->result[i].cct_ps;
        s.least = t < s.least ? t : s.least;
        s.most = t > s.most ? t : s.most;
        s.mean += (double)t / job->runs;
    }
    return s;
}

static void print_increase(double cct, uint64_t bound)
{
    if (bound) {
        printf(", %+.4f %%", (cct / (double)bound - 1.0) * 100.0);
    }
}

static void print_completion(const struct fabric_job *job)
{
    const struct egret_fabric_results *r = job->result;
    struct span s = completion(job);
    uint64_t bound = fabric_bound(job);
    if (bound) {
        printf("bound     " FABRIC_US " us\n", FABRIC_US_ARGS(bound));
    } else {
        printf("bound     none known for this work\n");
    }
    if (job->runs == 1u) {
        printf("cct       " FABRIC_US " us", FABRIC_US_ARGS(r->cct_ps));
        print_increase((double)r->cct_ps, bound);
        printf("\n");
        return;
    }
    printf("best      " FABRIC_US " us", FABRIC_US_ARGS(s.least));
    print_increase((double)s.least, bound);
    printf("\nmean      %.6f us", s.mean / 1e6);
    print_increase(s.mean, bound);
    printf("\nmax       " FABRIC_US " us", FABRIC_US_ARGS(s.most));
    print_increase((double)s.most, bound);
    printf("\n");
}

/* Nothing while all weights are exact. */
static void print_weights(const struct fabric_job *job)
{
    uint64_t groups = 0;
    uint32_t ppm = 0;
    for (uint32_t i = 0; i < job->runs; i++) {
        const struct egret_fabric_results *r = &job->result[i];
        groups = r->rounded_groups > groups ? r->rounded_groups : groups;
        ppm = r->oversubscription_ppm > ppm ? r->oversubscription_ppm : ppm;
    }
    if (groups) {
        printf("weights   %" PRIu64 " groups rounded to fit, oversubscription at most %.6f\n",
               groups, (double)ppm / 1e6);
    }
}

static void print_queues(const struct fabric_job *job)
{
    double packet = fabric_packet_bytes(job);
    printf("%-9s %12s %12s %12s %12s %9s %9s %9s\n", "queue", "mean pkts", "max pkts", "mean B",
           "max B", "lost", "dead", "overload");
    for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
        double wait = 0;
        double overload = 0;
        uint64_t packets = 0;
        uint64_t most = 0;
        uint64_t lost = 0;
        uint64_t dead = 0;
        for (uint32_t i = 0; i < job->runs; i++) {
            const struct egret_fabric_queue_result *r = &job->result[i].queue[q];
            packets += r->packets;
            wait += r->mean_bytes * (double)r->packets;
            most = r->max_bytes > most ? r->max_bytes : most;
            overload = r->overload > overload ? r->overload : overload;
            lost += r->lost;
            dead += r->dead;
        }
        double mean = packets ? wait / (double)packets : 0;
        if (job->result[0].queue[q].links) {
            printf("%-9s %12.3f %12.3f %12.1f %12" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9.4f\n",
                   fabric_queue_name(q), mean / packet, (double)most / packet, mean, most, lost,
                   dead, overload);
        }
    }
}

static void print_totals(const struct fabric_job *job)
{
    struct egret_fabric_totals t = {0};
    double seconds = 0;
    double cpu = 0;
    double critical = 0;
    for (uint32_t i = 0; i < job->runs; i++) {
        const struct egret_fabric_totals *r = &job->result[i].totals;
        t.hops += r->hops;
        t.data_sent += r->data_sent;
        t.acks_sent += r->acks_sent;
        t.resent += r->resent;
        t.reordered += r->reordered;
        t.selector_drops += r->selector_drops;
        t.decisions += r->decisions;
        t.messages_done += r->messages_done;
        t.reorder_extent =
            r->reorder_extent > t.reorder_extent ? r->reorder_extent : t.reorder_extent;
        seconds += job->result[i].seconds;
        critical += job->result[i].critical_path;
        cpu += job->result[i].cpu;
    }
    printf("packets   %" PRIu64 " data, %" PRIu64 " ACKs, %" PRIu64 " resent\n", t.data_sent,
           t.acks_sent, t.resent);
    printf("reordered %" PRIu64 " packets, at most by %" PRIu64 "\n", t.reordered,
           t.reorder_extent);
    printf("decisions %" PRIu64 ", %" PRIu64 " without a port\n", t.decisions, t.selector_drops);
    printf("hops      %" PRIu64, t.hops);
    if (cpu > 0) {
        printf(" in %.3f s, %.3f s of processor time: %.2f M a second of it", seconds, cpu,
               (double)t.hops / cpu / 1e6);
        if (job->spec.threads > 1u) {
            printf(", critical path %.3f s", critical);
        }
    }
    printf("\n");
}

void fabric_report(const struct fabric_job *job)
{
    const struct egret_fabric_spec *s = &job->spec;
    const struct egret_topology *t = &s->topology;
    struct egret_schedule_summary sum;
    char scheme[160];
    fabric_scheme_text(job, scheme, sizeof scheme);
    printf("fabric    %s: %u hosts, %u switches, %u tiers\n", s->topology_name, t->hosts,
           fabric_switches(t), t->tiers);
    printf("work      %s", job->files ? job->file[0] : job->options->collective);
    if (egret_schedule_summary(&job->schedule, &sum) == EGRET_OK) {
        printf(": %" PRIu64 " messages, %" PRIu64 " bytes", sum.messages, sum.bytes);
    }
    printf("\nscheme    %s; hosts %s, %s, rate %.4f\n", scheme, fabric_host_name(s),
           s->transport == EGRET_TRANSPORT_SACK ? "sack" : "ideal",
           (double)job->result[0].rate_ppm / 1e6);
    if (job->runs > 1u) {
        printf("seeds     %u to %u\n", job->seed[0], job->seed[job->runs - 1u]);
    }
    print_weights(job);
    print_completion(job);
    print_queues(job);
    print_totals(job);
}

/* ---- CSV ---- */

void fabric_csv(const struct fabric_job *job, struct egret_outfile *out)
{
    egret_outfile_printf(out, "run,seed,cct_ps,lower_bound_ps,queue,links,packets,bytes,"
                              "mean_wait_ps,max_wait_ps,mean_bytes,max_bytes,lost,dead,marked,"
                              "trimmed,overload\n");
    for (uint32_t i = 0; i < job->runs; i++) {
        const struct egret_fabric_results *r = &job->result[i];
        for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
            const struct egret_fabric_queue_result *x = &r->queue[q];
            if (x->links == 0) {
                continue;
            }
            egret_outfile_printf(
                out,
                "%u,%u,%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f,%" PRIu64
                ",%.6f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.9f\n",
                i, job->seed[i], r->cct_ps, r->lower_bound_ps, fabric_queue_name(q), x->links,
                x->packets, x->bytes, x->mean_wait_ps, x->max_wait_ps, x->mean_bytes, x->max_bytes,
                x->lost, x->dead, x->marked, x->trimmed, x->overload);
        }
    }
}

void fabric_samples_csv(const struct fabric_job *job, struct egret_outfile *out)
{
    egret_outfile_printf(out, "run,seed,start_ps");
    for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
        egret_outfile_printf(out, ",%s", fabric_queue_name(q));
    }
    egret_outfile_printf(out, "\n");
    for (uint32_t i = 0; i < job->runs; i++) {
        const struct egret_fabric_results *r = &job->result[i];
        for (size_t n = 0; r->utilisation && n < r->samples; n++) {
            egret_outfile_printf(out, "%u,%u,%" PRIu64, i, job->seed[i],
                                 (uint64_t)n * job->spec.sample_ps);
            for (unsigned q = 0; q < EGRET_FABRIC_QUEUES; q++) {
                egret_outfile_printf(out, ",%.6f", r->utilisation[n][q]);
            }
            egret_outfile_printf(out, "\n");
        }
    }
}
