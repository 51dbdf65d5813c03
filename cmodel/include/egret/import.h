/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import.h: traces of other tools into a schedule. The format is recognised from the content.
 *
 * Strict by default: counts that contradict, dangling or cyclic dependencies, unmatched sends and
 * receives, sizes beyond the format, a collective without a size are errors that name file, place,
 * node and reason. Each bit of `relax` lets one kind pass. docs/import.md lists the formats.
 */
#ifndef EGRET_IMPORT_H
#define EGRET_IMPORT_H

#include "egret/collective.h"
#include "egret/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum egret_format {
    EGRET_FORMAT_UNKNOWN = 0,
    EGRET_FORMAT_CM = 1,          /* htsim connection matrix */
    EGRET_FORMAT_CHAKRA = 2,      /* .et, plain or gzip, a file a rank */
    EGRET_FORMAT_GOAL = 3,        /* text */
    EGRET_FORMAT_GOAL_BINARY = 4, /* of LogGOPSim's txt2bin */
    EGRET_FORMAT_HPCC = 5,        /* ns-3 flow file */
    EGRET_FORMAT_NCCL = 6,        /* NCCL_DEBUG log of NCCL or RCCL */
    EGRET_FORMAT_CAPTURE = 7,     /* pcap or pcapng of frames */
    EGRET_FORMAT_STIMULUS = 8,    /* one of ours */
    EGRET_FORMAT_TOPO = 9,        /* htsim topology */
    EGRET_FORMATS = 10
};
/* "cm", "chakra", ...; null beyond the last. */
const char *egret_format_name(unsigned format);

#define EGRET_RELAX_COUNTS 1u    /* counts that contradict the content */
#define EGRET_RELAX_UNMATCHED 2u /* sends without receive, and the other way round */
#define EGRET_RELAX_DANGLING 4u  /* dependencies on nodes that are not there */
#define EGRET_RELAX_SIZES 8u     /* collectives without a size are joins; messages of 0 bytes */
#define EGRET_RELAX_TRAILING 16u /* text behind the data (HPCC's mix files) */

struct egret_import_options {
    uint64_t zero_size; /* bytes in place of 0 in a .cm file; 0 refuses it */
    uint32_t relax;     /* EGRET_RELAX_* */
    enum egret_collective_algorithm algorithm[EGRET_COLL_KINDS]; /* collectives become these */
    uint32_t group_size;                                         /* of the hierarchical algorithm */
    const char *comm_groups; /* Chakra: ASTRA-sim's comm-group JSON file, or null */
    bool no_compute;         /* compute nodes take no time */
    /* Called now and then with the bytes read and their number (0 unknown); may be null. */
    void (*progress)(void *user, uint64_t bytes, uint64_t of);
    void *user;
};

/* What was in the files, for `trace stats` and --check. */
struct egret_import_report {
    enum egret_format format;
    uint64_t bytes_read;
    uint64_t nodes;                         /* records of the format */
    uint64_t sends, recvs;                  /* nodes of these kinds */
    uint64_t collectives[EGRET_COLL_KINDS]; /* nodes, counted at each rank */
    uint64_t collective_bytes[EGRET_COLL_KINDS];
    uint64_t compute_nodes;
    uint64_t compute_us; /* sum over all ranks */
    uint64_t relaxed;    /* times that a bit of relax was needed */
};

/* The format of n first bytes (at least 512, or the whole file); gzip is looked into. */
enum egret_format egret_format_recognise(const uint8_t *bytes, size_t n);
/* Reads the files (of one format; several only where the format has a file a rank) into a sealed
 * schedule. "-" is standard input. EGRET_FORMAT_CAPTURE, _STIMULUS and _TOPO are EGRET_ERR_RANGE.
 */
int egret_import_load(const char *const *paths, size_t n,
                      const struct egret_import_options *options, struct egret_schedule *out,
                      struct egret_import_report *report, struct egret_trace_error *err);
/* Likewise from n bytes in memory, not packed; name is for messages. Not null. */
int egret_import_bytes(const uint8_t *bytes, size_t n, const char *name,
                       const struct egret_import_options *options, struct egret_schedule *out,
                       struct egret_import_report *report, struct egret_trace_error *err);

#ifdef __cplusplus
}
#endif
#endif
