/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import_options.h: options of the commands that read traces of other tools.
 */
#ifndef EGRET_IMPORT_OPTIONS_H
#define EGRET_IMPORT_OPTIONS_H

#include "cli.h"
#include "egret/import.h"

struct import_options {
    uint64_t zero_size;
    uint32_t group_size;
    const char *algorithm;
    const char *comm_groups;
    bool no_compute;
    bool allow_counts;
    bool allow_unmatched;
    bool allow_dangling;
    bool allow_zero;
    bool allow_trailing;
};

#define IMPORT_OPTIONS(i)                                                                          \
    {"zero-size", CLI_SIZE, &(i).zero_size, "N", ".cm: bytes of a flow of size 0 (refused)"},      \
        {"algorithm", CLI_TEXT, &(i).algorithm, "LIST",                                            \
         "of collectives: allreduce=ring,alltoall=pairwise (the kind's default)"},                 \
        {"group-size", CLI_U32, &(i).group_size, "N", "ranks a group of algorithm hierarchical"},  \
        {"comm-groups", CLI_TEXT, &(i).comm_groups, "FILE",                                        \
         "Chakra: process groups as JSON, {\"1\": [0, 1]}"},                                       \
        {"no-compute", CLI_FLAG, &(i).no_compute, NULL, "compute takes no time"},                  \
        {"allow-counts", CLI_FLAG, &(i).allow_counts, NULL,                                        \
         "let counts and sizes pass that contradict each other"},                                  \
        {"allow-unmatched", CLI_FLAG, &(i).allow_unmatched, NULL,                                  \
         "let sends, receives and collectives pass without their others"},                         \
        {"allow-dangling", CLI_FLAG, &(i).allow_dangling, NULL,                                    \
         "leave out dependencies on what is not there"},                                           \
        {"allow-zero", CLI_FLAG, &(i).allow_zero, NULL,                                            \
         "messages of 0 bytes and collectives without a size send nothing"},                       \
        {"allow-trailing", CLI_FLAG, &(i).allow_trailing, NULL, "leave out what is behind the data"}

/* Into what the library takes. Returns -1 to go on, else the exit code. */
int cli_import_options(const struct import_options *i, struct egret_import_options *out);
bool cli_import_stdin_twice(const char *const *paths, size_t n);
/* Reads the files, with a count on a terminal. Returns -1 to go on, else the exit code. */
int cli_import_load(const struct import_options *i, const char *const *paths, size_t n,
                    struct egret_schedule *s, struct egret_import_report *r);

#endif
