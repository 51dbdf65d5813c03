/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_import.c: egret trace import: traces of other tools as the traffic at one switch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import_options.h"
#include "make_options.h"

static int check_only(const struct import_options *i, const char *const *paths, size_t n)
{
    struct egret_schedule s;
    struct egret_schedule_summary sum;
    struct egret_import_report r;
    struct egret_trace_error err;
    int code = cli_import_load(i, paths, n, &s, &r);
    if (code >= 0) {
        return code;
    }
    code = egret_schedule_summary(&s, &sum);
    if (code) {
        (void)egret_trace_fail(&err, code, "%s: out of memory", paths[0]);
        code = cli_error(code, &err);
    } else {
        printf("%s: %s, %zu file%s, %u ranks, %llu messages, %llu bytes\n", paths[0],
               egret_format_name(r.format), n, n == 1u ? "" : "s", s.ranks,
               (unsigned long long)sum.messages, (unsigned long long)sum.bytes);
    }
    egret_schedule_free(&s);
    return code ? code : EXIT_DONE;
}

/* The output is none of the files. Returns -1 to go on, else the exit code. */
static int check_outputs(const char *output, const char *const *paths, size_t n)
{
    int code = -1;
    for (size_t i = 1; code < 0 && i < n; i++) { /* the first: cli_make_prepare() */
        const struct cli_files files = {{paths[i], NULL, NULL}, {output}};
        code = cli_check_files(&files);
    }
    return code;
}

static int run(const struct make_options *o, const struct import_options *i, bool check,
               const char *const *paths, size_t n)
{
    struct egret_topology t;
    struct egret_make m;
    struct egret_schedule s;
    struct egret_import_report r;
    if (n == 0) {
        return cli_usage("trace import: a file is missing, of a format of docs/trace.md");
    }
    if (check) {
        return check_only(i, paths, n);
    }
    if (o->topology && strcmp(paths[0], "-") == 0 && strcmp(o->topology, "-") == 0) {
        return cli_usage("trace import: only one input can be standard input");
    }
    int code = cli_make_prepare(o, paths[0], &t, &m);
    code = code < 0 ? check_outputs(o->output, paths, n) : code;
    code = code < 0 ? cli_import_load(i, paths, n, &s, &r) : code;
    return code < 0 ? cli_make_write(o, paths[0], &t, &s, &m) : code;
}

int cmd_trace_import(int argc, char **argv)
{
    struct make_options o = {DEFAULTS};
    struct import_options i = {0};
    bool check = false;
    const struct cli_option options[] = {
        {"check", CLI_FLAG, &check, NULL, "read and check only; one line about it"},
        IMPORT_OPTIONS(i),
        COMMON_OPTIONS(o),
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace import", "FILE... --topology T --at SWITCH --scheme S -o FILE",
        "Writes the stimulus of another tool's trace at one switch. The format comes from the\n"
        "content: htsim connection matrix, Chakra (PREFIX.RANK.et, a file a rank), GOAL text and\n"
        "binary, HPCC flow file, NCCL or RCCL log (one or several); all also with gzip. What\n"
        "contradicts itself is refused, by file and place. Failures of a matrix are read and not\n"
        "acted upon. FILE - is standard input.",
        options,
        "  egret trace import perm.cm --topology fat-tree:8 --at agg:3 --scheme dr -o p.pcap\n"
        "  egret trace import perm.cm --topology leaf.topo --at edge:0 --scheme dr -o p.pcap\n"
        "  egret trace import all_to_all.*.et --topology fat-tree:4 --at edge:0 \\\n"
        "      --scheme flowlet -o a.pcap\n"
        "  egret trace import tree.goal --topology fat-tree:8 --at agg:0 --scheme dr -o g.pcap\n"
        "  egret trace import --check llm.*.et --algorithm allreduce=ring\n"};
    const char **operand = malloc(((size_t)argc + 1u) * sizeof(*operand));
    size_t n;
    if (!operand) {
        const struct egret_trace_error err = {"out of memory"};
        return cli_error(EGRET_ERR_MEMORY, &err);
    }
    int code = cli_parse(&command, argc, argv, operand, (size_t)argc, &n);
    code = code < 0 ? run(&o, &i, check, operand, n) : code;
    free(operand);
    return code;
}
