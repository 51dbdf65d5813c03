/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_model.c: egret model: a stimulus through the model, in constant memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "egret/timing.h"
#include "egret/trace_stats.h"

struct model_run {
    struct egret_cfg cfg;
    struct egret_stimulus *in;
    struct egret *model;
    struct egret_outfile *csv;
    struct egret_outfile *pcapng;
    struct egret_outfile *json;
    struct egret_stats *stats;
    struct cli_scan scan; /* of a pipe, which cannot be read twice */
    bool scanning;
    struct egret_ideal clock;
    uint64_t reason[8]; /* packets by enum egret_reason */
    uint64_t reads;
};

static void run_close(struct model_run *r)
{
    egret_stimulus_close(r->in);
    egret_destroy(r->model);
    egret_outfile_abort(r->csv);
    egret_outfile_abort(r->pcapng);
    egret_outfile_abort(r->json);
    egret_stats_destroy(r->stats);
    cli_scan_close(&r->scan);
}

static int run_open(struct model_run *r, const char *path, const char *csv, const char *pcapng,
                    const char *json, struct egret_trace_error *err)
{
    int code = egret_stimulus_open(path, &r->in, err);
    if (code) {
        return code;
    }
    code = egret_create(&r->cfg, &r->model);
    if (code == EGRET_OK) {
        code = egret_ideal_init(&r->clock, &r->cfg);
    }
    if (code == EGRET_OK && !cli_scan_open(&r->scan, &r->cfg)) {
        code = EGRET_ERR_MEMORY;
    }
    if (code) {
        return egret_trace_fail(err, code, "%s", egret_strerror(code));
    }
    if (csv && (code = egret_outfile_open(csv, &r->csv, err)) != EGRET_OK) {
        return code;
    }
    if (r->csv) {
        egret_csv_header(r->csv);
    }
    if (pcapng && (code = egret_outfile_open(pcapng, &r->pcapng, err)) != EGRET_OK) {
        return code;
    }
    if (r->pcapng) {
        egret_pcapng_header(r->pcapng, r->cfg.num_ports);
    }
    if (json) {
        code = egret_outfile_open(json, &r->json, err);
        if (code == EGRET_OK && egret_stats_create(&r->cfg, &r->stats) != EGRET_OK) {
            code = egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
        }
    }
    return code;
}

static int one_event(struct model_run *r, const struct egret_event *ev)
{
    struct egret_decision d;
    struct egret_frame_view frame;
    uint64_t cycle = 0;
    int code = egret_apply(r->model, ev, &d);
    if (code == EGRET_OK) {
        code = egret_ideal_next(&r->clock, ev->kind, NULL, &cycle);
    }
    if (code == EGRET_OK && r->stats) {
        code = egret_stats_event(r->stats, r->model, ev, &d);
    }
    if (code || d.kind == EGRET_RES_NONE) {
        return code;
    }
    if (r->csv) {
        egret_csv_row(r->csv, egret_stimulus_events(r->in) - 1u, cycle, ev, &d);
    }
    if (d.kind == EGRET_RES_READ) {
        r->reads++;
        return EGRET_OK;
    }
    r->reason[d.reason & 7u]++;
    if (r->pcapng) {
        egret_stimulus_frame(r->in, &frame);
        egret_pcapng_packet(r->pcapng, r->cfg.num_ports, &d, &frame);
    }
    return EGRET_OK;
}

static bool output_failed(const struct model_run *r)
{
    return (r->csv && egret_outfile_failed(r->csv)) ||
           (r->pcapng && egret_outfile_failed(r->pcapng));
}

static int run_events(struct model_run *r, struct egret_trace_error *err)
{
    struct cli_progress progress;
    struct egret_event ev;
    int got;
    cli_progress_start(&progress, "model:");
    while ((got = egret_stimulus_next(r->in, &ev, err)) > 0 && !output_failed(r)) {
        const char *param = r->scanning ? cli_scan_event(&r->scan, &ev) : NULL;
        if (param) {
            cli_progress_end(&progress);
            return egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "record %" PRIu64 ": exceeds "
                                    "configuration %s: %s (--allow-illegal lets it through)",
                                    egret_stimulus_events(r->in) - 1u, r->cfg.name, param);
        }
        int code = one_event(r, &ev);
        if (code) {
            return egret_trace_fail(err, EGRET_ERR_INTERNAL, "event %" PRIu64 ": %s",
                                    egret_stimulus_events(r->in) - 1u, egret_strerror(code));
        }
        cli_progress_at(&progress, egret_stimulus_events(r->in));
    }
    cli_progress_end(&progress);
    return got < 0 ? got : EGRET_OK;
}

static int commit(struct egret_outfile **f, struct egret_trace_error *err)
{
    struct egret_outfile *file = *f;
    *f = NULL;
    return file ? egret_outfile_commit(file, err) : EGRET_OK;
}

static void summary(const struct model_run *r)
{
    printf("%" PRIu64 " events, %" PRIu64 " packets (%" PRIu64 " without a route), %" PRIu64
           " reads\n",
           egret_stimulus_events(r->in), egret_stimulus_packets(r->in),
           egret_stimulus_unrouted(r->in), r->reads);
    for (unsigned i = 0; egret_reason_name(i); i++) {
        printf("%s %" PRIu64 "\n", egret_reason_name(i), r->reason[i]);
    }
}

static bool is_std(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int cmd_model(int argc, char **argv)
{
    const char *config = NULL;
    const char *csv = NULL;
    const char *pcapng = NULL;
    const char *json = NULL;
    bool allow = false;
    const struct cli_option options[] = {
        {"config", CLI_TEXT, &config, "C", "configuration: a name or a file of KEY=VALUE"},
        {"csv", CLI_TEXT, &csv, "F", "decisions as CSV; - is standard output"},
        {"pcapng", CLI_TEXT, &pcapng, "F", "packets as pcapng, one interface a port, then drop"},
        {"stats", CLI_TEXT, &json, "F", "how evenly the ports are used, as JSON"},
        {"allow-illegal", CLI_FLAG, &allow, NULL, "take a stimulus that exceeds the configuration"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "model", "--config C FILE [--csv F] [--pcapng F] [--stats F]",
        "Runs a stimulus through the model and writes its decisions. FILE - is standard input.",
        options,
        "  egret model --config lab perm.pcap --csv perm.csv --pcapng perm.pcapng\n"
        "  egret trace random --config tiny -o - | egret model --config tiny - --csv -\n"};
    const char *operand[1];
    size_t n;
    struct model_run r;
    struct egret_trace_error err;
    memset(&r, 0, sizeof r);
    int code = cli_parse(&command, argc, argv, operand, 1, &n);
    if (code < 0 && n != 1) {
        code = cli_usage("model: a stimulus is missing");
    }
    if (code < 0) {
        code = cli_config(config, &r.cfg);
    }
    if (code < 0 && is_std(csv) + is_std(pcapng) + is_std(json) > 1) {
        code = cli_usage("model: only one output can be standard output");
    }
    if (code < 0 && !allow) {
        code = cli_scan_file(operand[0], &r.cfg);
    }
    if (code >= 0) {
        return code;
    }
    r.scanning = !allow;
    code = run_open(&r, operand[0], csv, pcapng, json, &err);
    if (code == EGRET_OK) {
        code = run_events(&r, &err);
    }
    if (code == EGRET_OK) {
        code = commit(&r.csv, &err);
    }
    if (code == EGRET_OK) {
        code = commit(&r.pcapng, &err);
    }
    if (code == EGRET_OK && r.json) {
        egret_stats_json(r.stats, r.json);
        code = commit(&r.json, &err);
    }
    if (code == EGRET_OK && !is_std(csv) && !is_std(pcapng) && !is_std(json)) {
        summary(&r);
    }
    int result = code ? cli_error(code, &err) : EXIT_DONE;
    run_close(&r);
    return result;
}
