/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_import.c: egret trace import: traces of other tools as the traffic at one switch.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import_capture.h"
#include "import_options.h"
#include "make_options.h"

static int check_only(const struct import_options *i, bool capture, const char *const *paths,
                      size_t n)
{
    struct egret_schedule s;
    struct egret_schedule_summary sum;
    struct egret_import_report r;
    struct egret_trace_error err;
    int code;
    if (capture && n != 1) {
        return cli_usage("trace import: one capture at a time");
    }
    if (capture) {
        r.format = EGRET_FORMAT_CAPTURE;
        code = cli_import_capture_schedule(paths[0], &s, NULL);
    } else {
        code = cli_import_load(i, paths, n, &s, &r);
    }
    if (code >= 0) {
        return code;
    }
    code = egret_schedule_summary(&s, &sum);
    if (code) {
        (void)egret_trace_fail(&err, code, "%s: out of memory", paths[0]);
        code = cli_error(code, &err);
    } else {
        printf("%s: %s, %zu file%s, %u rank%s, %" PRIu64 " message%s, %" PRIu64 " byte%s\n",
               paths[0], egret_format_name(r.format), n, cli_s(n), s.ranks, cli_s(s.ranks),
               sum.messages, cli_s(sum.messages), sum.bytes, cli_s(sum.bytes));
    }
    egret_schedule_free(&s);
    return code ? code : EXIT_DONE;
}

/* The output is none of the files, and none is standard input like another input. Returns -1 to go
 * on, else the exit code. */
static int check_others(const struct make_options *o, const char *const *paths, size_t n)
{
    int code = -1;
    for (size_t i = 1; code < 0 && i < n; i++) { /* the first: cli_make_prepare() */
        const struct cli_files files = {{paths[i], cli_topology_file(o->topology), o->config_file},
                                        {o->output}};
        code = cli_check_files(&files);
    }
    return code;
}

/* What else the command line says. */
struct run {
    bool check;
    struct import_capture capture;
};

/* A capture: its very frames, or the schedule of its messages. Returns -1 to go on with s, else the
 * exit code. */
static int run_capture(int argc, char **argv, struct make_options *o, const struct run *r,
                       const char *const *paths, size_t n, struct egret_schedule *s)
{
    struct egret_topology t;
    struct egret_make m;
    if (n != 1) {
        return cli_usage("trace import: one capture at a time");
    }
    if (r->capture.setup) {
        return cmd_import_capture(paths[0], &r->capture, NULL, NULL, o->limit, o->output);
    }
    if (r->capture.frames) {
        int code = cli_make_prepare(argc, argv, o, paths[0], &t, &m);
        m.topology_name = o->topology;
        return code < 0 ? cmd_import_capture(paths[0], &r->capture, &t, &m, o->limit, o->output)
                        : code;
    }
    return cli_import_capture_schedule(paths[0], s, NULL);
}

static int run(int argc, char **argv, struct make_options *o, const struct import_options *i,
               const struct run *what, const char *const *paths, size_t n)
{
    struct egret_topology t;
    struct egret_make m;
    struct egret_schedule s;
    struct egret_import_report r;
    if (n == 0) {
        return cli_usage("trace import: a file is missing, of a format of docs/import.md");
    }
    if (cli_import_stdin_twice(paths, n)) {
        return cli_usage("trace import: only one input can be standard input");
    }
    if (what->check && o->output) {
        return cli_usage("trace import: --check writes nothing: -o does not go with it");
    }
    int code = cli_import_capture_check(&what->capture, o);
    if (code >= 0) {
        return code;
    }
    bool capture = what->capture.frames || egret_capture_is(paths[0]);
    if (what->check) {
        return check_only(i, capture, paths, n);
    }
    if (what->capture.frames) {
        return run_capture(argc, argv, o, what, paths, n, &s);
    }
    code = cli_make_prepare(argc, argv, o, paths[0], &t, &m);
    code = code < 0 ? check_others(o, paths, n) : code;
    if (code < 0) {
        code = capture ? run_capture(argc, argv, o, what, paths, n, &s)
                       : cli_import_load(i, paths, n, &s, &r);
    }
    return code < 0 ? cli_make_write(o, paths[0], &t, &s, &m) : code;
}

int cmd_trace_import(int argc, char **argv)
{
    struct make_options o = {DEFAULTS};
    struct import_options i = {0};
    struct run what = {.check = false};
    const struct cli_option options[] = {
        {"check", CLI_FLAG, &what.check, NULL, "read and check only; one line about it"},
        IMPORT_OPTIONS(i),
        IMPORT_CAPTURE_OPTIONS(what.capture),
        COMMON_OPTIONS(o),
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace import", "FILE... --topology T --at SWITCH --scheme S -o FILE",
        "Writes the stimulus of another tool's trace at one switch. The format comes from the\n"
        "content: htsim connection matrix, Chakra (PREFIX.RANK.et, a file a rank), GOAL text and\n"
        "binary, HPCC flow file, NCCL or RCCL log (one or several); all also with gzip. What\n"
        "contradicts itself is refused, by file and place. Failures of a matrix are read and not\n"
        "acted upon. FILE - is standard input. Or a capture, pcap or pcapng: the messages of its\n"
        "RoCEv2 queue pairs, at the start times that it shows; with --frames its very frames "
        "behind\n"
        "the set-up of the switch.",
        options,
        "  egret trace import perm.cm --topology fat-tree:8 --at agg:3 --scheme dr -o p.pcap\n"
        "  egret trace import perm.cm --topology leaf.topo --at edge:0 --scheme dr -o p.pcap\n"
        "  egret trace import all_to_all.*.et --topology fat-tree:4 --at edge:0 \\\n"
        "      --scheme flowlet -o a.pcap\n"
        "  egret trace import tree.goal --topology fat-tree:8 --at agg:0 --scheme dr -o g.pcap\n"
        "  egret trace import roce.pcapng --frames --topology fat-tree:8 --at edge:0 \\\n"
        "      --scheme dr -o p.pcap\n"
        "  egret trace import roce.pcapng --frames --setup perm.pcap -o p.pcap\n"
        "  egret trace import roce.pcapng --topology fat-tree:8 --at edge:0 --scheme ecmp \\\n"
        "      -o p.pcap\n"
        "  egret trace import --check llm.*.et --algorithm allreduce=ring\n"};
    /* argv stays as it is: --config-file asks it which options were given. */
    size_t n;
    const size_t most = argc > 0 ? (size_t)argc : 0;
    const char **operand = malloc((most + 1u) * sizeof(*operand));
    if (!operand) {
        const struct egret_trace_error err = {"out of memory"};
        return cli_error(EGRET_ERR_MEMORY, &err);
    }
    int code = cli_parse(&command, argc, argv, operand, most, &n);
    code = code < 0 ? run(argc, argv, &o, &i, &what, operand, n) : code;
    free(operand);
    return code;
}
