/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric.c: egret fabric: the completion time of a collective over a fabric of switches.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../trace/outfile.h"
#include "cmd_fabric.h"

/* On a terminal: how far it is. */
struct watch {
    bool on;
    bool shown;
    uint64_t permille;
};

static void progress(void *ctx, uint64_t done, uint64_t all, uint64_t now_ps)
{
    struct watch *w = ctx;
    uint64_t permille = all ? done * 1000u / all : 0;
    if (w->shown && permille == w->permille) {
        return;
    }
    w->shown = true;
    w->permille = permille;
    (void)fprintf(stderr, "\rfabric: %llu of %llu operations, %.1f us\033[K",
                  (unsigned long long)done, (unsigned long long)all, (double)now_ps / 1e6);
}

/* What a failed run says. */
static int run_error(int code, const struct egret_trace_error *err)
{
    int exit_code = cli_error(code, err);
    return code == EGRET_ERR_DIFFER ? EXIT_DIFFERENT : exit_code;
}

/* The fabric's utilisation goes with it; this is the job's own. */
static int keep(struct egret_fabric_results *out, const struct egret_fabric_results *r)
{
    *out = *r;
    out->utilisation = NULL;
    if (r->samples == 0 || !r->utilisation) {
        out->samples = 0;
        return -1;
    }
    out->utilisation = malloc(r->samples * sizeof *r->utilisation);
    if (!out->utilisation) {
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    memcpy(out->utilisation, r->utilisation, r->samples * sizeof *r->utilisation);
    return -1;
}

static int one_run(struct fabric_job *job, uint32_t seed)
{
    struct egret_trace_error err;
    struct egret_fabric *f = NULL;
    struct watch watch = {isatty(STDERR_FILENO) != 0, false, 0};
    err.text[0] = '\0';
    job->spec.seed = seed;
    int code = egret_fabric_create(&job->spec, &job->schedule, &f, &err);
    if (code) {
        return run_error(code, &err);
    }
    if (job->record_config[0]) {
        (void)egret_fabric_switch_config(f, (uint32_t)job->spec.record, &job->record_cfg);
    }
    code = egret_fabric_run(f, watch.on ? progress : NULL, &watch, &err);
    if (watch.shown) {
        (void)fputs("\r\033[K", stderr);
    }
    if (code) {
        code = run_error(code, &err);
    } else {
        job->seed[job->runs] = seed;
        code = keep(&job->result[job->runs], egret_fabric_result(f));
        job->runs++;
    }
    egret_fabric_free(f);
    return code;
}

static int all_runs(struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    int code = -1;
    job->result = calloc(o->seeds, sizeof *job->result);
    job->seed = calloc(o->seeds, sizeof *job->seed);
    if (!job->result || !job->seed) {
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    for (uint32_t i = 0; code < 0 && i < o->seeds; i++) {
        code = fabric_work_seed(job, o->seed + i);
        if (code < 0) {
            code = one_run(job, o->seed + i);
        }
    }
    return code;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

#define OUTPUTS 4u

static void record_config(const struct fabric_job *job, struct egret_outfile *out)
{
    cli_config_write(out, &job->record_cfg);
}

/* The recording has its name when its run is over; without the other outputs it has not. */
static void drop_record(const struct fabric_job *job)
{
    struct stat st;
    const char *path = job->spec.record_path;
    if (path && job->runs > 0 && lstat(path, &st) == 0 && S_ISREG(st.st_mode)) {
        (void)remove(path);
    }
}

/* The outputs are opened before the run: a folder that is not there is told at once. */
static int run_and_write(struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    struct egret_trace_error err;
    const char *const path[OUTPUTS] = {o->json, o->csv, o->samples_csv,
                                       job->record_config[0] ? job->record_config : NULL};
    void (*const write[OUTPUTS])(const struct fabric_job *, struct egret_outfile *) = {
        fabric_json, fabric_csv, fabric_samples_csv, record_config};
    struct egret_outfile *out[OUTPUTS] = {NULL};
    int code = -1;
    for (unsigned i = 0; code < 0 && i < OUTPUTS; i++) {
        int error = path[i] ? egret_outfile_open(path[i], &out[i], &err) : EGRET_OK;
        code = error ? cli_error(error, &err) : -1;
    }
    if (code < 0) {
        code = all_runs(job);
    }
    if (code >= 0) {
        for (unsigned i = 0; i < OUTPUTS; i++) {
            egret_outfile_abort(out[i]);
        }
        drop_record(job);
        return code;
    }
    for (unsigned i = 0; i < OUTPUTS; i++) {
        if (out[i]) {
            write[i](job, out[i]);
        }
    }
    int error = egret_outfile_commit_all(out, OUTPUTS, &err);
    if (error) {
        drop_record(job);
        return cli_error(error, &err);
    }
    if (!is_stdout(o->json) && !is_stdout(o->csv) && !is_stdout(o->samples_csv)) {
        fabric_report(job);
    }
    return EXIT_DONE;
}

static int check_files(const struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    size_t n = job->files ? job->files : 1u;
    int code = -1;
    if (is_stdout(o->json) + is_stdout(o->csv) + is_stdout(o->samples_csv) > 1) {
        return cli_usage("fabric: only one output can be standard output");
    }
    if (is_stdout(job->spec.record_path)) {
        return cli_usage("fabric: --record cannot be standard output");
    }
    for (size_t i = 0; code < 0 && i < n; i++) {
        const struct cli_files files = {{job->files ? job->file[i] : NULL,
                                         cli_topology_file(o->topology), cli_config_file(o->config),
                                         o->import.comm_groups},
                                        {o->json, o->csv, o->samples_csv, job->spec.record_path,
                                         job->record_config[0] ? job->record_config : NULL}};
        code = cli_check_files(&files);
    }
    if (code < 0) { /* a selector that is a file */
        const struct cli_files files = {{o->selector},
                                        {o->json, o->csv, o->samples_csv, job->spec.record_path,
                                         job->record_config[0] ? job->record_config : NULL}};
        code = cli_check_files(&files);
    }
    return code;
}

static void close_job(struct fabric_job *job)
{
    for (uint32_t i = 0; job->result && i < job->options->seeds; i++) {
        free(job->result[i].utilisation);
    }
    free(job->result);
    free(job->seed);
    free(job->failure);
    free(job->use_ops);
    egret_schedule_free(&job->schedule);
    cli_selector_close(&job->selector);
}

static int run(const struct fabric_options *o, const char *const *file, size_t files)
{
    struct fabric_job job;
    memset(&job, 0, sizeof job);
    job.options = o;
    job.file = file;
    job.files = files;
    int code = fabric_spec(o, &job);
    if (code < 0) {
        code = fabric_selector(&job); /* record_path, before any file is read */
    }
    if (code < 0) {
        code = fabric_fit(&job);
    }
    if (code < 0) {
        code = check_files(&job);
    }
    if (code < 0) {
        code = fabric_work(&job);
    }
    if (code < 0) {
        code = fabric_failures(&job);
    }
    if (code < 0) {
        code = run_and_write(&job);
    }
    close_job(&job);
    return code;
}

#define FABRIC_OPTIONS(o)                                                                          \
    {"topology", CLI_TEXT, &(o).topology, "T", "fat-tree:K, leaf-spine:.., or a .topo file"},      \
        {"rate", CLI_RATE, &(o).rate, "R", "rate of every link: 800G (the topology's)"},           \
        {"latency", CLI_TEXT, &(o).latency, "TIME", "of every link: 500ns (the topology's)"},      \
        {"rails", CLI_U32, &(o).rails, "N", "rail-optimised: hosts of a server on N edges (0)"},   \
        {"buffer", CLI_TEXT, &(o).buffer, "SIZE",                                                  \
         "of a port: 800000, 20p (packets), 0 (no end), edge-up=20p,agg-up=.. (800000)"},          \
        {"ecn", CLI_TEXT, &(o).ecn, "SIZE", "marks from this queue on; likewise (0: never)"},      \
        {"trim", CLI_FLAG, &(o).trim, NULL, "a full queue cuts the payload off"},                  \
        {"collective", CLI_TEXT, &(o).collective, "C", "as of egret trace make"},                  \
        {"bytes", CLI_SIZE, &(o).bytes, "SIZE", "a message; a collective's buffer: 1MiB"},         \
        {"packets", CLI_TEXT, &(o).packets, "N", "the same in packets of --payload"},              \
        {"trace", CLI_TEXT, &(o).trace, "FILE", "work: a file of any format of trace import"},     \
        {"workload", CLI_TEXT, &(o).workload, "FILE", "the same; more files stand as FILE..."},    \
        {"rounds", CLI_U64, &(o).rounds, "N", "as of trace make, likewise down to --skew"},        \
        {"algorithm", CLI_TEXT, &(o).algorithm, "A",                                               \
         "of the collective, or of a file's: allreduce=ring,.. (the kind's)"},                     \
        {"channels", CLI_U32, &(o).channels, "N", "parallel rings (1)"},                           \
        {"group-size", CLI_U32, &(o).import.group_size, "N", "hierarchical; incast: senders"},     \
        {"root", CLI_U32, &(o).root, "R", "rank (0)"},                                             \
        {"chunk", CLI_SIZE, &(o).chunk, "SIZE", "pieces of a tree or chain; a token"},             \
        {"window", CLI_U32, &(o).window, "N", "alltoall: unacknowledged messages a host"},         \
        {"experts", CLI_U32, &(o).experts, "K", "moe: experts of each token (2)"},                 \
        {"skew", CLI_U32, &(o).skew, "P", "moe: per cent for an eighth of the experts (0)"},       \
        {"placement", CLI_TEXT, &(o).placement, "P", "of ranks: linear or random (linear)"},       \
        {"zero-size", CLI_SIZE, &(o).import.zero_size, "N", ".cm: bytes of a flow of size 0"},     \
        {"comm-groups", CLI_TEXT, &(o).import.comm_groups, "FILE",                                 \
         "Chakra: process groups as JSON"},                                                        \
        {"no-compute", CLI_FLAG, &(o).import.no_compute, NULL, "compute takes no time"},           \
        {"allow-counts", CLI_FLAG, &(o).import.allow_counts, NULL,                                 \
         "as of trace import, likewise the next four"},                                            \
        {"allow-unmatched", CLI_FLAG, &(o).import.allow_unmatched, NULL, "one end is missing"},    \
        {"allow-dangling", CLI_FLAG, &(o).import.allow_dangling, NULL,                             \
         "dependencies on what is not there"},                                                     \
        {"allow-zero", CLI_FLAG, &(o).import.allow_zero, NULL, "no bytes: nothing is sent"},       \
        {"allow-trailing", CLI_FLAG, &(o).import.allow_trailing, NULL, "text behind the data"},    \
        {"scheme", CLI_TEXT, &(o).scheme, "S",                                                     \
         "a scheme of egret, simple-rr or jsq; edge=S,agg=S,core=S (dr)"},                         \
        {"ack-path", CLI_TEXT, &(o).acks, "A",                                                     \
         "ACKs take their uplinks alike data, or hashed (hashed with spray-rr and simple-rr)"},    \
        {"wraps", CLI_U32, &(o).wraps, "R", "spray-rr: wraps until a new order; 0: never (5)"},    \
        {"hash", CLI_TEXT, &(o).hash, "A", "hash algorithm (crc32c)"},                             \
        {"fields", CLI_TEXT, &(o).fields, "LIST", "fields hashed (the 5-tuple)"},                  \
        {"hash-seed", CLI_U32, &(o).hash_seed, "N", "hash seed, XORed with the switch's (0)"},     \
        {"agg-rotation", CLI_U32, &(o).agg_rotation, "N",                                          \
         "right rotation of aggregation switches' hashes (8)"},                                    \
        {"flowlet-idle", CLI_TEXT, &(o).flowlet_idle, "NS", "as of trace make (256000)"},          \
        {"flowlet-path", CLI_TEXT, &(o).flowlet_path, "P", "random, quality or better (random)"},  \
        {"flowlet-entries", CLI_TEXT, &(o).flowlet_entries, "N", "of the uplinks (all)"},          \
        {"drill", CLI_TEXT, &(o).drill, "D,M", "spray-quality: samples, remembered (0,0)"},        \
        {"load", CLI_TEXT, &(o).load, "P", "spray-quality: a preset of loads (htsim-ar)"},         \
        {"period", CLI_TEXT, &(o).period, "NS", "spray-quality: from tick to tick (the load's)"},  \
        {"config", CLI_TEXT, &(o).config, "C",                                                     \
         "hardware configuration of every switch (one that is large enough)"},                     \
        {"selector", CLI_TEXT, &(o).selector, "S", "model, rtl:CONFIG, check:CONFIG, ./lib.so"},   \
        {"selector-dir", CLI_TEXT, &(o).selector_dir, "D", "as of egret check"},                   \
        {"selector-at", CLI_TEXT, &(o).selector_at, "LIST", "edge:0,agg:3,core:1 (all)"},          \
        {"host", CLI_TEXT, &(o).host, "H",                                                         \
         "labels of packets: flow, subflow:N, random or drb; without --scheme the switches go "    \
         "by them (flow)"},                                                                        \
        {"transport", CLI_TEXT, &(o).transport, "T", "ideal or sack (ideal)"},                     \
        {"rho", CLI_TEXT, &(o).rho, "PART",                                                        \
         "of the hosts' rate: 0.95, 95%, max: what the links bear (1; with failures max)"},        \
        {"payload", CLI_TEXT, &(o).payload, "N", "bytes of data a packet (4096)"},                 \
        {"header", CLI_TEXT, &(o).header, "N", "its headers with FCS (62)"},                       \
        {"ack", CLI_TEXT, &(o).ack, "N", "an ACK with FCS (64)"},                                  \
        {"gap", CLI_TEXT, &(o).gap, "N", "preamble and gap behind each (20)"},                     \
        {"reorder-threshold", CLI_TEXT, &(o).reorder_threshold, "N", "sack: packets (32)"},        \
        {"rto", CLI_TEXT, &(o).rto, "TIME", "sack: time-out (from the topology)"},                 \
        {"window-packets", CLI_U32, &(o).window_packets, "N",                                      \
         "packets of a message in flight; 0: any number (0)"},                                     \
        {"fail", CLI_TEXT, &(o).fail, "LIST",                                                      \
         "links: edge:I:UPLINK@TIME (leaf:), agg:I:UPLINK@TIME"},                                  \
        {"fail-links", CLI_TEXT, &(o).fail_links, "P%",                                            \
         "at random: of all links between switches, at time 0"},                                   \
        {"convergence", CLI_TEXT, &(o).convergence, "TIME",                                        \
         "until switches go around a failure: 0, 10us, inf (0)"},                                  \
        {"seed", CLI_U32, &(o).seed, "S", "each switch uses it XOR its number (1)"},               \
        {"seeds", CLI_U32, &(o).seeds, "N", "as many runs, of seed, seed + 1, .. (1)"},            \
        {"threads", CLI_U32, &(o).threads, "N", "1 to 64; the results are the same (1)"},          \
        {"limit", CLI_TEXT, &(o).limit, "TIME", "give up there (never)"},                          \
        {"record", CLI_TEXT, &(o).record, "SW=FILE", "a switch as a stimulus: agg:3=a.pcap"},      \
        {"json", CLI_TEXT, &(o).json, "FILE", "results as JSON; - is standard output"},            \
        {"csv", CLI_TEXT, &(o).csv, "FILE", "a row for each tier of queues and run"},              \
        {"samples", CLI_TEXT, &(o).samples, "TIME", "utilisation over time, in such steps"},       \
    {                                                                                              \
        "samples-csv", CLI_TEXT, &(o).samples_csv, "FILE", "it as CSV; it is in the JSON, too"     \
    }

int cmd_fabric(int argc, char **argv)
{
    struct fabric_options o = {.wraps = 5, .agg_rotation = 8, .seed = 1, .seeds = 1, .threads = 1};
    const struct cli_option options[] = {FABRIC_OPTIONS(o), {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "fabric", "--topology T --collective C --bytes SIZE [--scheme S]",
        "Sends a collective, or the work of a trace, through a fabric in which every switch is a\n"
        "selector, and says when it is complete, how much later than it could be, and how long\n"
        "the queues were. docs/fabric.md says what is modelled. --trace FILE, or FILE..., takes\n"
        "all formats of egret trace import. The same options and seed give the same results.\n"
        "rtl:lab and check:lab need make selectors CONFIG=lab first, and so with other names.\n"
        "The files that the examples read, perm.cm, are your own.\n"
        "Exit code 0: done, 1: check:CONFIG found a difference, 2: usage or input, 3: internal.",
        options,
        "  egret fabric --topology fat-tree:8 --collective permutation --bytes 1MiB --scheme dr\n"
        "  egret fabric --topology fat-tree:4 --collective alltoall --bytes 64KiB \\\n"
        "      --scheme spray-random --threads 2 --json r.json\n"
        "  egret fabric --topology fat-tree:8 --collective permutation --packets 256 \\\n"
        "      --host drb --seeds 3 --csv r.csv\n"
        "  egret fabric --topology fat-tree:8 --collective permutation --packets 64 \\\n"
        "      --scheme edge=spray-quality,agg=dr --load htsim-ar --buffer 20p\n"
        "  egret fabric --trace perm.cm --topology fat-tree:8 --scheme ecmp\n"
        "  egret fabric --topology fat-tree:4 --collective permutation --packets 16 \\\n"
        "      --selector rtl:lab --record agg:3=agg3.pcap\n"
        "  egret fabric --topology fat-tree:8 --collective ring --bytes 64KiB --rounds 2 \\\n"
        "      --fail-links 1% --convergence inf --transport sack\n"};
    const size_t most = argc > 0 ? (size_t)argc : 0;
    const char **file = malloc((most + 2u) * sizeof *file);
    size_t n;
    if (!file) {
        const struct egret_trace_error err = {"out of memory"};
        return cli_error(EGRET_ERR_MEMORY, &err);
    }
    int code = cli_parse(&command, argc, argv, file + 2, most, &n);
    if (code < 0) {
        size_t first = 2;
        if (o.workload) {
            file[--first] = o.workload;
        }
        if (o.trace) {
            file[--first] = o.trace;
        }
        code = run(&o, file + first, n + 2u - first);
    }
    free(file);
    return code;
}
