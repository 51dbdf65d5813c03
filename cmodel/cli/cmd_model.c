/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_model.c: egret model: a stimulus through the model, in constant memory; --stats and
 * --queue-pairs keep every queue pair.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../trace/outfile.h"
#include "cli.h"
#include "egret/timing.h"
#include "egret/trace_stats.h"
#include "order.h"

enum { CSV, PCAPNG, JSON, QUEUE_PAIRS, ORDER, VECTORS, OUTPUTS };

struct model_run {
    struct egret_cfg cfg;
    const char *path;
    struct egret_stimulus *in;
    struct egret *model;
    struct egret_outfile *out[OUTPUTS];
    struct egret_stats *stats;
    struct cli_order order;
    struct cli_scan scan;
    bool scanning;
    struct egret_ideal clock;
    uint64_t reason[8]; /* packets by enum egret_reason */
    uint64_t reads;
};

static void run_close(struct model_run *r)
{
    egret_stimulus_close(r->in);
    egret_destroy(r->model);
    for (unsigned i = 0; i < OUTPUTS; i++) {
        egret_outfile_abort(r->out[i]);
    }
    egret_stats_destroy(r->stats);
    cli_order_close(&r->order);
    cli_scan_close(&r->scan);
}

static int run_open(struct model_run *r, const char *const *name, struct egret_trace_error *err)
{
    int code = egret_stimulus_open(r->path, &r->in, err);
    if (code) {
        return code;
    }
    code = egret_create(&r->cfg, &r->model);
    (void)egret_ideal_init(&r->clock, &r->cfg); /* what the model takes, the clock does */
    if (code == EGRET_OK && !cli_scan_open(&r->scan, &r->cfg)) {
        code = EGRET_ERR_MEMORY;
    }
    if (code == EGRET_OK && (name[JSON] || name[QUEUE_PAIRS])) {
        code = egret_stats_create(&r->cfg, &r->stats);
    }
    if (code) {
        return egret_trace_fail(err, code, "%s", egret_strerror(code));
    }
    code = cli_order_open(&r->order, &r->cfg, err);
    for (unsigned i = 0; code == EGRET_OK && i < OUTPUTS; i++) {
        code = name[i] ? egret_outfile_open(name[i], &r->out[i], err) : EGRET_OK;
    }
    if (code == EGRET_OK && r->out[CSV]) {
        egret_csv_header(r->out[CSV]);
    }
    if (code == EGRET_OK && r->out[PCAPNG]) {
        egret_pcapng_header(r->out[PCAPNG], r->cfg.num_ports);
    }
    return code;
}

/* The reader gives only events that model and clock know. */
static void one_event(struct model_run *r, const struct egret_event *ev)
{
    struct egret_decision d;
    struct egret_frame_view frame;
    uint64_t cycle = 0;
    (void)egret_apply(r->model, ev, &d);
    (void)egret_ideal_next(&r->clock, ev->kind, NULL, &cycle);
    if (r->stats) {
        egret_stats_event(r->stats, r->model, ev, &d);
    }
    cli_order_events(&r->order, ev, &d, 1);
    if (r->out[VECTORS]) {
        egret_vectors_row(r->out[VECTORS], ev, &d);
    }
    if (d.kind == EGRET_RES_NONE) {
        return;
    }
    if (r->out[CSV]) {
        egret_csv_row(r->out[CSV], egret_stimulus_events(r->in) - 1u, cycle, ev, &d);
    }
    if (d.kind == EGRET_RES_READ) {
        r->reads++;
        return;
    }
    r->reason[d.reason & 7u]++;
    if (r->out[PCAPNG]) {
        egret_stimulus_frame(r->in, &frame);
        egret_pcapng_packet(r->out[PCAPNG], r->cfg.num_ports, &d, &frame);
    }
}

static bool output_failed(const struct model_run *r)
{
    return (r->out[CSV] && egret_outfile_failed(r->out[CSV])) ||
           (r->out[VECTORS] && egret_outfile_failed(r->out[VECTORS])) ||
           (r->out[PCAPNG] && egret_outfile_failed(r->out[PCAPNG]));
}

static int run_events(struct model_run *r, struct egret_trace_error *err)
{
    struct cli_progress progress;
    struct egret_event ev;
    int got;
    cli_progress_start(&progress, "model:");
    while ((got = egret_stimulus_next(r->in, &ev, err)) > 0 && !output_failed(r)) {
        int code = r->scanning ? cli_scan_event(&r->scan, r->in, r->path, &ev, err) : EGRET_OK;
        if (code) {
            cli_progress_end(&progress);
            return code;
        }
        one_event(r, &ev);
        cli_progress_at(&progress, egret_stimulus_events(r->in));
    }
    cli_progress_end(&progress);
    return got < 0 ? got : EGRET_OK;
}

static int commit(struct model_run *r, struct egret_trace_error *err)
{
    if (r->stats && !egret_stats_complete(r->stats)) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s", egret_strerror(EGRET_ERR_MEMORY));
    }
    if (r->out[JSON]) {
        egret_stats_json(r->stats, r->out[JSON]);
    }
    if (r->out[VECTORS]) {
        egret_vectors_end(r->out[VECTORS], egret_stimulus_packets(r->in));
    }
    if (r->out[QUEUE_PAIRS]) {
        egret_stats_queue_pairs(r->stats, r->out[QUEUE_PAIRS]);
    }
    int code = cli_order_end(&r->order, r->out[ORDER], err);
    if (code) {
        return code;
    }
    code = egret_outfile_commit_all(r->out, OUTPUTS, err);
    memset(r->out, 0, sizeof r->out);
    return code;
}

static void summary(const struct model_run *r)
{
    uint64_t events = egret_stimulus_events(r->in);
    uint64_t packets = egret_stimulus_packets(r->in);
    printf("%" PRIu64 " event%s, %" PRIu64 " packet%s (%" PRIu64 " without a route), %" PRIu64
           " read%s\n",
           events, cli_s(events), packets, cli_s(packets), egret_stimulus_unrouted(r->in), r->reads,
           cli_s(r->reads));
    for (unsigned i = 0; egret_reason_name(i); i++) {
        printf("%s %" PRIu64 "\n", egret_reason_name(i), r->reason[i]);
    }
    for (uint32_t g = 0; r->stats && g < r->cfg.num_groups; g++) {
        uint32_t port = 0;
        uint32_t n = egret_stats_one_path(r->stats, g, &port);
        if (n) {
            printf("one path: all %u queue pairs of group %u leave by port %u\n", n, g, port);
        }
    }
}

static bool is_std(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int cmd_model(int argc, char **argv)
{
    const char *config = NULL;
    const char *name[OUTPUTS] = {NULL};
    struct cli_order order = {.delays = NULL};
    struct egret_order_setup setup;
    bool allow = false;
    bool scanned = false;
    const struct cli_option options[] = {
        {"config", CLI_TEXT, &config, "C", "configuration: a name or a file of KEY=VALUE"},
        {"csv", CLI_TEXT, &name[CSV], "F", "decisions as CSV; - is standard output"},
        {"pcapng", CLI_TEXT, &name[PCAPNG], "F",
         "packets as pcapng, one interface a port, then drop"},
        {"stats", CLI_TEXT, &name[JSON], "F", "how evenly the ports are used, as JSON"},
        {"queue-pairs", CLI_TEXT, &name[QUEUE_PAIRS], "F", "ports of each queue pair, as CSV"},
        {"vectors", CLI_TEXT, &name[VECTORS], "F",
         "events and expected ports in hexadecimal columns, for a bench"},
        CLI_ORDER_OPTIONS(order),
        {"allow-illegal", CLI_FLAG, &allow, NULL, "take a stimulus that exceeds the configuration"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "model", "--config C FILE [--csv F] [--pcapng F] [--stats F] [--order D]",
        "Runs a stimulus through the model and writes its decisions. FILE - is standard input.\n"
        "--order delays each packet by its port's path, and tells which arrive out of order; exit\n"
        "code 1 if one does that must not, and nothing in the stimulus is the cause.",
        options,
        "  egret model --config lab perm.pcap --csv perm.csv --pcapng perm.pcapng\n"
        "  egret model --config lab perm.pcap --order spread:500,2000\n"
        "  egret model --config lab ecmp.pcap --vectors ecmp.vectors\n"
        "  egret trace random --config tiny -o - | egret model --config tiny --allow-illegal - "
        "--csv -\n"};
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
    if (code < 0) {
        code = cli_order_options(&order, &r.cfg, &setup);
    }
    name[ORDER] = order.json;
    int std = 0;
    for (unsigned i = 0; i < OUTPUTS; i++) {
        std += is_std(name[i]);
    }
    if (code < 0 && std > 1) {
        code = cli_usage("model: only one output can be standard output");
    }
    if (code < 0) {
        const struct cli_files files = {
            {operand[0], cli_config_file(config), NULL},
            {name[CSV], name[PCAPNG], name[JSON], name[QUEUE_PAIRS], name[ORDER], name[VECTORS]}};
        code = cli_check_files(&files);
    }
    if (code < 0 && (!allow || std)) {
        code = cli_scan_file(operand[0], allow ? NULL : &r.cfg, &scanned);
    }
    if (code >= 0) {
        return code;
    }
    r.scanning = !allow && !scanned;
    r.path = operand[0];
    r.order = order;
    code = run_open(&r, name, &err);
    if (code == EGRET_OK) {
        code = run_events(&r, &err);
    }
    if (code == EGRET_OK) {
        code = commit(&r, &err);
    }
    if (code == EGRET_OK && !std) {
        summary(&r);
    }
    int result = code ? cli_error(code, &err) : cli_order_report(&r.order, std != 0);
    run_close(&r);
    return result;
}
