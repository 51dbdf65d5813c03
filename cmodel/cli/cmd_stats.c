/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_stats.c: egret trace stats: what is in a trace of another tool.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "import_capture.h"
#include "import_options.h"

static json_t *number(uint64_t v)
{
    return json_integer((json_int_t)(v > INT64_MAX ? INT64_MAX : v));
}

/* What was read, and of which files. */
struct input {
    const char *const *path;
    size_t n;
    struct egret_schedule s;
    struct egret_schedule_summary sum;
    struct egret_import_report r;
    struct egret_capture_report capture; /* if r.format says so */
};

struct figure {
    const char *name;
    uint64_t value;
};

static bool put_figures(json_t *to, const struct figure *f, size_t n)
{
    bool good = to != NULL;
    for (size_t i = 0; good && i < n; i++) {
        good = json_object_set_new(to, f[i].name, number(f[i].value)) == 0;
    }
    return good;
}

static bool put_capture(json_t *root, const struct egret_capture_report *c)
{
    const struct figure row[] = {{"records", c->read.records},
                                 {"frames", c->read.frames},
                                 {"rocev2_packets", c->packets},
                                 {"queue_pairs", c->queue_pairs},
                                 {"writes", c->writes},
                                 {"sends", c->sends},
                                 {"reads", c->reads},
                                 {"empty", c->empty},
                                 {"sent_again", c->retransmitted},
                                 {"missing", c->missing},
                                 {"incomplete", c->incomplete}};
    json_t *part = json_object();
    return json_object_set_new(root, "capture", part) == 0 &&
           put_figures(part, row, sizeof row / sizeof row[0]);
}

static bool print_json(const struct input *in)
{
    const struct egret_schedule *s = &in->s;
    const struct egret_schedule_summary *sum = &in->sum;
    const struct egret_import_report *r = &in->r;
    json_t *root = json_object();
    json_t *files = json_array();
    json_t *coll = json_object();
    bool good = root && files && coll;
    for (size_t i = 0; good && i < in->n; i++) { /* a name that is no UTF-8 is null */
        errno = 0;
        json_t *name = json_string(in->path[i]);
        good = json_array_append_new(files, name || errno == ENOMEM ? name : json_null()) == 0;
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
    const struct figure row[] = {{"bytes_read", r->bytes_read},
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
           json_object_set(root, "files", files) == 0 &&
           put_figures(root, row, sizeof row / sizeof row[0]);
    if (good && r->format == EGRET_FORMAT_CAPTURE) {
        good = put_capture(root, &in->capture);
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

static void print_capture(const struct egret_capture_report *c)
{
    printf("frames       %" PRIu64 " of %" PRIu64 " record%s\n", c->read.frames, c->read.records,
           cli_s(c->read.records));
    printf("RoCEv2       %" PRIu64 " packet%s of %" PRIu64 " queue pair%s\n", c->packets,
           cli_s(c->packets), c->queue_pairs, cli_s(c->queue_pairs));
    printf("kinds        %" PRIu64 " write%s, %" PRIu64 " send%s, %" PRIu64 " read%s\n", c->writes,
           cli_s(c->writes), c->sends, cli_s(c->sends), c->reads, cli_s(c->reads));
}

static void print_nodes(const struct egret_import_report *r)
{
    printf("nodes        %" PRIu64 "\nsends        %" PRIu64 "\nrecvs        %" PRIu64 "\n",
           r->nodes, r->sends, r->recvs);
}

static void print_text(const struct input *in)
{
    const struct egret_schedule_summary *sum = &in->sum;
    const struct egret_import_report *r = &in->r;
    printf("%s: %s, %zu file%s, %" PRIu64 " byte%s read\n", in->path[0],
           egret_format_name(r->format), in->n, cli_s(in->n), r->bytes_read, cli_s(r->bytes_read));
    printf("ranks        %u\n", in->s.ranks);
    if (r->format == EGRET_FORMAT_CAPTURE) {
        print_capture(&in->capture);
    } else {
        print_nodes(r);
    }
    printf("messages     %" PRIu64 " of %" PRIu64, sum->messages, sum->smallest);
    if (sum->smallest != sum->largest) {
        printf(" to %" PRIu64, sum->largest);
    }
    printf(" byte%s, %" PRIu64 " byte%s in all\n", cli_s(sum->largest), sum->bytes,
           cli_s(sum->bytes));
    printf("depth        %" PRIu64 "\n", sum->depth);
    if (r->format != EGRET_FORMAT_CAPTURE) {
        printf("compute      %" PRIu64 " node%s, %" PRIu64 " us\n", r->compute_nodes,
               cli_s(r->compute_nodes), r->compute_us);
    }
    for (unsigned k = 0; k < EGRET_COLL_KINDS; k++) {
        if (r->collectives[k]) {
            printf("%-12s %" PRIu64 " call%s, %" PRIu64 " byte%s\n", egret_collective_kind_name(k),
                   r->collectives[k], cli_s(r->collectives[k]), r->collective_bytes[k],
                   cli_s(r->collective_bytes[k]));
        }
    }
    if (r->relaxed) {
        printf("relaxed      %" PRIu64 " time%s\n", r->relaxed, cli_s(r->relaxed));
    }
}

/* Its messages: the report has what an importer's would have. Returns -1, or the exit code. */
static int load_capture(struct input *in)
{
    if (in->n != 1) {
        return cli_usage("trace stats: one capture at a time");
    }
    int code = cli_import_capture_schedule(in->path[0], &in->s, &in->capture);
    if (code < 0) {
        const struct egret_capture_report *c = &in->capture;
        in->r.format = EGRET_FORMAT_CAPTURE;
        in->r.bytes_read = c->read.bytes;
        in->r.nodes = c->packets;
        in->r.sends = c->writes + c->sends + c->reads;
    }
    return code;
}

static int run(const struct import_options *i, bool json, const char *const *paths, size_t n)
{
    struct input in = {.path = paths, .n = n};
    struct egret_trace_error err;
    if (n == 0) {
        return cli_usage("trace stats: a file is missing");
    }
    if (cli_import_stdin_twice(paths, n)) {
        return cli_usage("trace stats: only one input can be standard input");
    }
    int code =
        egret_capture_is(paths[0]) ? load_capture(&in) : cli_import_load(i, paths, n, &in.s, &in.r);
    if (code >= 0) {
        return code;
    }
    code = egret_schedule_summary(&in.s, &in.sum);
    if (code == EGRET_OK && json && !print_json(&in)) {
        code = ferror(stdout) ? EGRET_OK : EGRET_ERR_MEMORY; /* main() reports stdout */
    } else if (code == EGRET_OK && !json) {
        print_text(&in);
    }
    egret_schedule_free(&in.s);
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
        "at each rank), compute. It reads what egret trace import reads; of a capture the ranks\n"
        "are addresses, and the messages those of its RoCEv2 queue pairs.",
        options,
        "  egret trace stats allreduce.*.et\n"
        "  egret trace stats --json tree.goal\n"
        "  egret trace stats roce.pcapng\n"};
    size_t n;
    int code = cli_parse(&command, argc, argv, NULL, CLI_ANY, &n);
    return code < 0 ? run(&i, json, (const char *const *)argv, n) : code;
}
