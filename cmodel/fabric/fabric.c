/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric.c: builds a fabric, runs it, frees it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "queue.h"
#include "run.h"
#include "sample.h"
#include "text.h"

#define MAX_THREADS 64u
/* Buckets of a worker: as many windows ahead as this many bytes hold, in these limits. What is
 * further ahead waits in a list. */
#define RING_BYTES (8u << 20)
#define RING_LEAST 16u

void egret_fabric_defaults(struct egret_fabric_spec *spec)
{
    struct egret_topology topology = spec->topology;
    const char *name = spec->topology_name;
    memset(spec, 0, sizeof *spec);
    spec->topology = topology;
    spec->topology_name = name;
    for (unsigned i = 0; i < 3u; i++) {
        spec->tier[i].scheme = EGRET_SCHEME_DR;
        spec->tier[i].wraps = 5;
        spec->tier[i].flowlet_idle = EGRET_FLOWLET_IDLE_NS;
        egret_hash_setup_default(&spec->tier[i].hash);
        (void)egret_load_preset("htsim-ar", &spec->tier[i].load);
    }
    for (unsigned i = 0; i < EGRET_FABRIC_QUEUES; i++) {
        spec->buffer_bytes[i] = i == EGRET_QUEUE_HOST ? 0 : 800000u;
    }
    spec->payload = 4096;
    spec->header_bytes = 62;
    spec->ack_bytes = 64;
    spec->gap_bytes = 20;
    spec->subflows = 4;
    spec->rate_ppm = 1000000;
    spec->reorder_threshold = 32;
    spec->convergence_ps = 0;
    spec->seed = 1;
    spec->threads = 1;
    spec->record = -1;
}

static int refuse(struct egret_trace_error *err, const char *what)
{
    return egret_trace_fail(err, EGRET_ERR_RANGE, "fabric: %s", what);
}

static int check(const struct egret_fabric_spec *s, const struct egret_schedule *work,
                 struct egret_trace_error *err)
{
    if (!work->first) {
        return refuse(err, "the schedule is not sealed");
    }
    if (work->ranks > s->topology.hosts) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "fabric: %u ranks on %u hosts", work->ranks,
                                s->topology.hosts);
    }
    if (s->threads > MAX_THREADS) {
        return refuse(err, "threads: 1 to 64");
    }
    if (s->payload == 0 || s->payload > 16384u) {
        return refuse(err, "payload: 1 to 16384 bytes");
    }
    if (s->header_bytes < 8u || s->header_bytes > 1024u) {
        return refuse(err, "header: 8 to 1024 bytes");
    }
    if (s->ack_bytes < 8u || s->ack_bytes > 1024u) {
        return refuse(err, "ACK: 8 to 1024 bytes");
    }
    if (s->gap_bytes > 1024u) {
        return refuse(err, "gap: 0 to 1024 bytes");
    }
    if (s->rate_ppm > 1000000u) {
        return refuse(err, "rate: at most the line rate");
    }
    if (s->failed_ppm > 1000000u) {
        return refuse(err, "failed links: at most all of them");
    }
    if (s->subflows == 0 || s->subflows > 65536u) {
        return refuse(err, "subflows: 1 to 65536");
    }
    return EGRET_OK;
}

static int open_workers(struct egret_fabric *f)
{
    f->ring = RING_LEAST;
    while (f->ring < FAB_RING_MOST &&
           2u * (uint64_t)f->ring * f->nodes * sizeof(struct fab_bucket) <= RING_BYTES) {
        f->ring *= 2u;
    }
    for (uint32_t i = 0; i < f->workers; i++) {
        struct fab_worker *w = &f->worker[i];
        w->fabric = f;
        w->number = i;
        w->gap_bytes = f->spec.gap_bytes;
        w->own = malloc(f->nodes * sizeof *w->own);
        if (!w->own || egret_fab_queue_open(w) != EGRET_OK) {
            return EGRET_ERR_MEMORY;
        }
        for (uint32_t n = 0; n < f->nodes; n++) {
            if (f->node[n].worker == i) {
                w->own[w->owns++] = n;
            }
        }
    }
    return EGRET_OK;
}

int egret_fabric_create(const struct egret_fabric_spec *spec, const struct egret_schedule *work,
                        struct egret_fabric **out, struct egret_trace_error *err)
{
    int code = check(spec, work, err);
    if (code) {
        return code;
    }
    struct egret_fabric *f = calloc(1, sizeof *f);
    if (!f) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    f->spec = *spec;
    f->work = work;
    f->workers = spec->threads ? spec->threads : 1u;
    f->worker = calloc(f->workers, sizeof *f->worker);
    code = f->worker ? egret_fab_build(f, err)
                     : egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    if (code == EGRET_OK && open_workers(f) != EGRET_OK) {
        code = egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    if (code == EGRET_OK) {
        code = egret_fab_setup(f, err);
    }
    if (code == EGRET_OK) {
        code = egret_fab_failures(f, err);
    }
    if (code == EGRET_OK && spec->rate_ppm == 0) {
        f->spec.rate_ppm = egret_fab_rho_max(f);
        if (f->spec.rate_ppm == 0) {
            code = egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
        }
    }
    if (code == EGRET_OK) {
        code = egret_fab_hosts_open(f, err);
    }
    if (code == EGRET_OK) {
        code = egret_fab_check_work(f, err);
    }
    if (code == EGRET_OK) {
        code = egret_fab_record_open(f, err);
    }
    if (code == EGRET_OK) {
        code = egret_fab_samples_open(f, err);
    }
    if (code) {
        egret_fabric_free(f);
        return code;
    }
    *out = f;
    return EGRET_OK;
}

int egret_fabric_run(struct egret_fabric *f, egret_fabric_progress_fn progress, void *ctx,
                     struct egret_trace_error *err)
{
    int code = egret_fab_run(f, progress, ctx, err);
    if (code == EGRET_OK && egret_fab_samples_sum(f) != EGRET_OK) {
        code = egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    if (code == EGRET_OK) {
        f->results.cct_ps = egret_fab_hosts_over(f); /* a delay may end behind all packets */
    }
    if (code == EGRET_OK && egret_fab_results(f) != EGRET_OK) {
        code = egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    if (code == EGRET_OK) {
        code = egret_fab_record_close(f, err);
    }
    egret_fab_record_abort(f); /* of a run that went wrong */
    return code;
}

const struct egret_fabric_results *egret_fabric_result(const struct egret_fabric *f)
{
    return &f->results;
}

void egret_fabric_free(struct egret_fabric *f)
{
    if (!f) {
        return;
    }
    egret_fab_record_abort(f);
    egret_fab_samples_close(f);
    egret_fab_hosts_close(f);
    egret_fab_teardown(f);
    for (uint32_t i = 0; f->worker && i < f->workers; i++) {
        egret_fab_queue_close(&f->worker[i]);
        free(f->worker[i].own);
    }
    free(f->worker);
    free(f);
}
