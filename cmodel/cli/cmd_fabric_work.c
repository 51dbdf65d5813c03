/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_work.c: what the hosts send: a collective by name, or files of other tools.
 */
#include <string.h>

#include "cmd_fabric.h"
#include "egret/capture.h"
#include "import_capture.h"

static int make(const struct fabric_job *job, uint32_t seed, struct egret_schedule *out)
{
    const struct fabric_options *o = job->options;
    struct egret_trace_error err;
    struct egret_pattern p = {.name = o->collective,
                              .ranks = job->spec.topology.hosts,
                              .bytes = o->bytes,
                              .rounds = o->rounds,
                              .seed = seed,
                              .channels = o->channels,
                              .group_size = o->import.group_size,
                              .root = o->root,
                              .chunk = o->chunk,
                              .window = o->window,
                              .experts = o->experts,
                              .skew = o->skew};
    if (job->packets) {
        p.bytes = job->packets * job->spec.payload;
    }
    if (o->algorithm && !egret_collective_algorithm_parse(o->algorithm, &p.algorithm)) {
        return cli_usage("--algorithm: unknown algorithm '%s'", o->algorithm);
    }
    int code = egret_pattern_make(&p, out, &err);
    return code ? cli_error(code, &err) : -1;
}

static int collective(struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    if (o->packets && o->bytes) {
        return cli_usage("--packets and --bytes say the same thing");
    }
    if (!fabric_number(o->packets, false, 1, UINT64_MAX / job->spec.payload, &job->packets)) {
        return cli_usage("--packets: at least 1, and less than 2^64 bytes of --payload");
    }
    if (o->rounds && strcmp(o->collective, "permutation") == 0) {
        return cli_usage("--rounds is for ring and alltoall");
    }
    return make(job, o->seed, &job->schedule);
}

/* Options of a collective; a file has its own. */
static const char *only_collective(const struct fabric_options *o)
{
    return o->bytes      ? "--bytes"
           : o->packets  ? "--packets"
           : o->rounds   ? "--rounds"
           : o->channels ? "--channels"
           : o->root     ? "--root"
           : o->chunk    ? "--chunk"
           : o->window   ? "--window"
           : o->experts  ? "--experts"
           : o->skew     ? "--skew"
                         : NULL;
}

/* Options of files; a collective has no such thing, nor has a capture. */
static const char *only_files(const struct import_options *i)
{
    return i->zero_size         ? "--zero-size"
           : i->comm_groups     ? "--comm-groups"
           : i->no_compute      ? "--no-compute"
           : i->allow_counts    ? "--allow-counts"
           : i->allow_unmatched ? "--allow-unmatched"
           : i->allow_dangling  ? "--allow-dangling"
           : i->allow_zero      ? "--allow-zero"
           : i->allow_trailing  ? "--allow-trailing"
                                : NULL;
}

static int capture(struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    const char *wrong = only_files(&o->import);
    wrong = wrong                  ? wrong
            : o->algorithm         ? "--algorithm"
            : o->import.group_size ? "--group-size"
                                   : NULL;
    if (wrong) {
        return cli_usage("fabric: %s is not for a capture", wrong);
    }
    return job->files == 1u ? cli_import_capture_schedule(job->file[0], &job->schedule, NULL)
                            : cli_usage("fabric: one capture at a time");
}

int fabric_work(struct fabric_job *job)
{
    const struct fabric_options *o = job->options;
    struct import_options import = o->import;
    struct egret_import_report report;
    if (job->files == 0 && !o->collective) {
        return cli_usage("fabric: --collective is missing, or files with the work");
    }
    if (job->files != 0 && o->collective) {
        return cli_usage("fabric: --collective does not go with files");
    }
    const char *wrong = job->files == 0 ? only_files(&o->import) : only_collective(o);
    if (wrong && job->files == 0) {
        return cli_usage("%s is for files", wrong);
    }
    if (job->files == 0) {
        return collective(job);
    }
    if (wrong) {
        return cli_usage("%s is for --collective", wrong);
    }
    if (cli_import_stdin_twice(job->file, job->files)) {
        return cli_usage("fabric: only one input can be standard input");
    }
    if (egret_capture_is(job->file[0])) {
        return capture(job);
    }
    import.algorithm = o->algorithm;
    return cli_import_load(&import, job->file, job->files, &job->schedule, &report);
}

int fabric_work_seed(struct fabric_job *job, uint32_t seed)
{
    if (job->files != 0 || seed == job->options->seed) {
        return -1;
    }
    egret_schedule_free(&job->schedule);
    return make(job, seed, &job->schedule);
}
