/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cli.h: what the files of the egret command share: options, exit codes, configurations.
 */
#ifndef EGRET_CLI_H
#define EGRET_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "egret/egret.h"
#include "egret/hash.h"
#include "egret/trace.h"

#define EXIT_DONE 0
#define EXIT_DIFFERENT 1
#define EXIT_USAGE 2
#define EXIT_INTERNAL 3

/* ---- options.c ---- */

enum cli_type {
    CLI_FLAG, /* bool */
    CLI_TEXT, /* const char * */
    CLI_U32,  /* uint32_t, decimal or 0x */
    CLI_U64,  /* uint64_t, decimal */
    CLI_SIZE, /* uint64_t bytes: plain, KB MB GB, KiB MiB GiB */
    CLI_RATE  /* uint64_t megabits a second: 800G, 100G, 25G, 2500M */
};

struct cli_option {
    const char *name; /* without dashes; one letter: -o */
    enum cli_type type;
    void *value;
    const char *arg; /* shown in the help; null for a flag */
    const char *help;
};

struct cli_command {
    const char *name;  /* "trace make" */
    const char *usage; /* what follows the name */
    const char *summary;
    const struct cli_option *options; /* ends with a null name */
    const char *examples;
};

/* Parses argv[0..argc-1]. Returns -1 to go on, with the operands in operand[0..*count-1]; else the
 * exit code: 0 after --help, 2 after one line about what is wrong. With a null operand there may be
 * as many as CLI_ANY, and they are in argv[0..*count-1], which is written over. */
#define CLI_ANY SIZE_MAX
int cli_parse(const struct cli_command *command, int argc, char **argv, const char **operand,
              size_t max_operands, size_t *count);
/* One line "egret: ..." on standard error; returns EXIT_USAGE. */
int cli_usage(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
/* One line for an error of a library; returns the exit code that belongs to it. */
int cli_error(int code, const struct egret_trace_error *err);
/* Ends like a program that a closed pipe killed, if that is what happened to standard output. */
void cli_check_pipe(void);

bool cli_parse_size(const char *text, uint64_t *out);
bool cli_parse_rate(const char *text, uint64_t *out);
/* Nanoseconds: plain, ns us ms s. */
bool cli_parse_time(const char *text, uint64_t *out);
bool cli_parse_u64(const char *text, uint64_t max, uint64_t *out);
/* Hex digits to bytes; false if odd, empty, too long or no hex. */
bool cli_parse_hex(const char *text, uint8_t *out, size_t max, size_t *n);

/* SAI's names of hash fields with commas between. Returns -1 to go on, else the exit code. */
int cli_parse_fields(const char *list, uint32_t *fields);

/* What a noun ends in behind a number: 1 packet, 2 packets. */
static inline const char *cli_s(uint64_t n)
{
    return n == 1u ? "" : "s";
}

/* ---- config.c ---- */

/* A name of configs.mk, or a file of KEY=VALUE lines. Returns -1 to go on, else the exit code. */
int cli_config(const char *text, struct egret_cfg *out);
/* Prints it as such lines. */
void cli_config_show(const struct egret_cfg *cfg);
/* Writes it as such lines. */
void cli_config_write(struct egret_outfile *out, const struct egret_cfg *cfg);

/* ---- scan.c ---- */

/* Does an event stay within a configuration? */
struct cli_scan {
    const struct egret_cfg *cfg;
    uint8_t *scheme; /* of each group; in the high half that of classes that keep order */
    uint32_t class_ordered;
};
bool cli_scan_open(struct cli_scan *s, const struct egret_cfg *cfg);
void cli_scan_close(struct cli_scan *s);
/* EGRET_OK, or an error that names file, record and parameter of the event that `in` gave last. */
int cli_scan_event(struct cli_scan *s, const struct egret_stimulus *in, const char *path,
                   const struct egret_event *ev, struct egret_trace_error *err);
/* Reads a regular file once, also as standard input, and refuses it if a record is bad or an event
 * exceeds the configuration (which may be null). What cannot be read twice, a pipe, is not read.
 * *scanned (may be null): it was read. Returns -1 to go on, else the exit code. */
int cli_scan_file(const char *path, const struct egret_cfg *cfg, bool *scanned);

/* ---- files.c ---- */

/* The files of a command; null ones are skipped. */
struct cli_files {
    const char *in[4];
    const char *out[6];
};
/* Refuses two inputs that are standard input, an output that is an input, and two outputs that are
 * one file, by device and inode: an output would take the place of the other file. Returns -1 to go
 * on, else the exit code. */
int cli_check_files(const struct cli_files *f);
/* Null for the name of a configuration or topology, else the path that it is. */
const char *cli_config_file(const char *config);
const char *cli_topology_file(const char *topology);

/* ---- progress.c: on a terminal only ---- */

struct cli_progress {
    bool on;
    uint64_t next;
    const char *what;
};
void cli_progress_start(struct cli_progress *p, const char *what);
void cli_progress_at(struct cli_progress *p, uint64_t n);
void cli_progress_end(struct cli_progress *p);

/* ---- commands: argv[0] is the first argument after the command's name ---- */

int cmd_trace_random(int argc, char **argv);
int cmd_trace_dump(int argc, char **argv);
int cmd_trace_make(int argc, char **argv);
int cmd_trace_import(int argc, char **argv);
int cmd_trace_cut(int argc, char **argv);
int cmd_trace_merge(int argc, char **argv);
int cmd_trace_stats(int argc, char **argv);
int cmd_model(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_hash(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_fabric(int argc, char **argv);
int cmd_completion(int argc, char **argv);

#endif
