/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_stats.c: egret trace stats: what is in a trace of another tool.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "import_options.h"

static json_t *number(uint64_t v)
{
    return json_integer((json_int_t)(v > INT64_MAX ? INT64_MAX : v));
}

static bool print_json(const char *const *paths, size_t n, const struct egret_schedule *s,
                       const struct egret_schedule_summary *sum,
                       const struct egret_import_report *r)
{
    json_t *root = json_object();
    json_t *files = json_array();
    json_t *coll = json_object();
    bool good = root && files && coll;
    for (size_t i = 0; good && i < n; i++) { /* a name that is no UTF-8 is null */
        json_t *name = json_string(paths[i]);
        good = json_array_append_new(files, name ? name : json_null()) == 0;
    }
    for (unsigned k = 0; good && k < EGRET_COLL_KINDS; k++) {
        if (r->collectives[k]) {
            json_t *one = json_object();
            good = one && json_object_set_new(one, "calls", number(r->collectives[k])) == 0 &&
                   json_object_set_new(one, "bytes", number(r->collective_bytes[k])) == 0 &&
                   json_object_set(coll, egret_collective_kind_name(k), one) == 0;
            json_decref(one);
        }
    }
    const struct {
        const char *name;
        uint64_t value;
    } row[] = {{"bytes_read", r->bytes_read},
               {"ranks", s->ranks},
               {"nodes", r->nodes},
               {"sends", r->sends},
               {"recvs", r->recvs},
               {"messages", sum->messages},
               {"bytes", sum->bytes},
               {"smallest", sum->smallest},
               {"largest", sum->largest},
               {"depth", sum->depth},
               {"compute_nodes", r->compute_nodes},
               {"compute_us", r->compute_us},
               {"relaxed", r->relaxed}};
    good = good &&
           json_object_set_new(root, "format", json_string(egret_format_name(r->format))) == 0 &&
           json_object_set(root, "files", files) == 0;
    for (size_t i = 0; good && i < sizeof row / sizeof row[0]; i++) {
        good = json_object_set_new(root, row[i].name, number(row[i].value)) == 0;
    }
    good = good && json_object_set(root, "collectives", coll) == 0 &&
           json_dumpf(root, stdout, JSON_INDENT(2)) == 0;
    if (good) {
        (void)putchar('\n');
    }
    json_decref(files);
    json_decref(coll);
    json_decref(root);
    return good;
}

static void print_text(const char *path, size_t n, const struct egret_schedule *s,
                       const struct egret_schedule_summary *sum,
                       const struct egret_import_report *r)
{
    typedef unsigned long long ull;
    printf("%s: %s, %zu file%s, %llu bytes read\n", path, egret_format_name(r->format), n,
           n == 1u ? "" : "s", (ull)r->bytes_read);
    printf("ranks        %u\nnodes        %llu\nsends        %llu\nrecvs        %llu\n", s->ranks,
           (ull)r->nodes, (ull)r->sends, (ull)r->recvs);
    printf("messages     %llu of %llu to %llu bytes, %llu bytes in all\n", (ull)sum->messages,
           (ull)sum->smallest, (ull)sum->largest, (ull)sum->bytes);
    printf("depth        %llu\ncompute      %llu nodes, %llu us\n", (ull)sum->depth,
           (ull)r->compute_nodes, (ull)r->compute_us);
    for (unsigned k = 0; k < EGRET_COLL_KINDS; k++) {
        if (r->collectives[k]) {
            printf("%-12s %llu calls, %llu bytes\n", egret_collective_kind_name(k),
                   (ull)r->collectives[k], (ull)r->collective_bytes[k]);
        }
    }
    if (r->relaxed) {
        printf("relaxed      %llu times\n", (ull)r->relaxed);
    }
}

static int run(const struct import_options *i, bool json, const char *const *paths, size_t n)
{
    struct egret_schedule s;
    struct egret_schedule_summary sum;
    struct egret_import_report r;
    struct egret_trace_error err;
    if (n == 0) {
        return cli_usage("trace stats: a file is missing");
    }
    if (cli_import_stdin_twice(paths, n)) {
        return cli_usage("trace stats: only one input can be standard input");
    }
    int code = cli_import_load(i, paths, n, &s, &r);
    if (code >= 0) {
        return code;
    }
    code = egret_schedule_summary(&s, &sum);
    if (code == EGRET_OK && json && !print_json(paths, n, &s, &sum, &r)) {
        code = ferror(stdout) ? EGRET_OK : EGRET_ERR_MEMORY; /* main() reports stdout */
    } else if (code == EGRET_OK && !json) {
        print_text(paths[0], n, &s, &sum, &r);
    }
    egret_schedule_free(&s);
    if (code) {
        (void)egret_trace_fail(&err, code, "%s: out of memory", paths[0]);
        return cli_error(code, &err);
    }
    return EXIT_DONE;
}

int cmd_trace_stats(int argc, char **argv)
{
    struct import_options i = {0};
    bool json = false;
    const struct cli_option options[] = {{"json", CLI_FLAG, &json, NULL, "as a JSON object"},
                                         IMPORT_OPTIONS(i),
                                         {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace stats", "[--json] FILE...",
        "What is in a trace of another tool: ranks, messages, bytes, collectives (calls are "
        "counted\n"
        "at each rank), compute. It reads what egret trace import reads, but\n"
        "captures: of these egret trace import --check tells the messages.",
        options,
        "  egret trace stats allreduce.*.et\n"
        "  egret trace stats --json tree.goal\n"};
    size_t n;
    int code = cli_parse(&command, argc, argv, NULL, CLI_ANY, &n);
    return code < 0 ? run(&i, json, (const char *const *)argv, n) : code;
}
