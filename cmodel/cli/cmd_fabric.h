/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric.h: what the files of egret fabric share.
 */
#ifndef EGRET_CMD_FABRIC_H
#define EGRET_CMD_FABRIC_H

#include "check.h"
#include "cli.h"
#include "egret/fabric.h"
#include "import_options.h"

struct fabric_options {
    /* the fabric */
    const char *topology;
    uint64_t rate;
    const char *latency;
    uint32_t rails;
    const char *buffer;
    const char *ecn;
    bool trim;
    /* the work */
    const char *trace;
    const char *workload;
    const char *collective;
    uint64_t bytes;
    const char *packets; /* null: not given; so the next of this kind */
    uint64_t rounds;
    const char *algorithm;
    uint64_t chunk;
    uint32_t channels;
    uint32_t root;
    uint32_t window;
    uint32_t experts;
    uint32_t skew;
    const char *placement;
    struct import_options import; /* its group_size is that of a collective, too */
    /* switches */
    const char *scheme;
    uint32_t wraps;
    const char *acks;
    const char *hash;
    const char *fields;
    uint32_t hash_seed;
    uint32_t agg_rotation;
    const char *flowlet_idle;
    const char *flowlet_path;
    const char *flowlet_entries;
    const char *drill;
    const char *load;
    const char *period;
    const char *config;
    const char *selector;
    const char *selector_dir;
    const char *selector_at;
    /* hosts */
    const char *host;
    const char *transport;
    const char *rho;
    const char *payload;
    const char *header;
    const char *ack;
    const char *gap;
    const char *reorder_threshold;
    const char *rto;
    uint32_t window_packets;
    /* failures */
    const char *fail;
    const char *fail_links;
    const char *convergence;
    /* the run */
    uint32_t seed;
    uint32_t seeds;
    uint32_t threads;
    const char *limit;
    const char *record;
    const char *json;
    const char *csv;
    const char *samples;
    const char *samples_csv;
};

#define FABRIC_MAX_SEEDS 10000u

struct fabric_job {
    const struct fabric_options *options;
    const char *const *file; /* of the work; none: a collective */
    size_t files;
    struct egret_fabric_spec spec; /* its seed changes from run to run */
    struct egret_fabric_failure *failure;
    size_t failures;
    uint64_t packets; /* a message, of --packets; 0: not given */
    uint8_t *use_ops;
    struct cli_selector selector;
    struct egret_schedule schedule;
    char record_config[4096];            /* file of the recorded switch's configuration, or "" */
    struct egret_cfg record_cfg;         /* what is in it */
    struct egret_fabric_results *result; /* of each run; utilisation is the job's own */
    uint32_t *seed;
    uint32_t runs; /* that are over */
};

/* ---- cmd_fabric_options.c; all return -1 to go on, else the exit code ---- */

/* Fills job->spec from the options; failures, selector and schedule are not looked at. */
int fabric_spec(const struct fabric_options *o, struct fabric_job *job);

/* ---- cmd_fabric_values.c ---- */

/* A number from `least` to `most`, or with `unit` a size (4096, 4KiB); null leaves *out alone.
 * False if it is none, or not in the range. */
bool fabric_number(const char *text, bool unit, uint64_t least, uint64_t most, uint64_t *out);
/* "500ns", "12.5us", "1234ps", plain: ns. False if it is none, or not a whole number of ps. */
bool fabric_time(const char *text, uint64_t *ps);
/* "1%", "0.25%" in millionths. */
bool fabric_percent(const char *text, uint64_t *ppm);
/* "0.95" in millionths, or a percentage. */
bool fabric_fraction(const char *text, uint64_t *ppm);
/* The next part of a list with commas, into out; false at its end. *bad: it is empty or too long.
 */
bool fabric_next(const char **list, char *out, size_t size, bool *bad);
/* "edge:3", "agg:0", "core:7" to the number over all switches, edges first. False if the topology
 * has no such switch. */
bool fabric_switch(const struct egret_topology *t, const char *text, uint32_t *number);
uint32_t fabric_switches(const struct egret_topology *t);
/* "host", "edge-up", ...: names of enum egret_fabric_queue. */
const char *fabric_queue_name(unsigned queue);
/* BYTES, or NAME=BYTES,..; 20p: packets of `packet` bytes. The plain form leaves the hosts alone.
 */
int fabric_queues(const char *option, const char *list, uint64_t packet,
                  uint64_t out[EGRET_FABRIC_QUEUES]);

/* ---- cmd_fabric_work.c ---- */

/* Reads the files, or checks that the collective can be made. */
int fabric_work(struct fabric_job *job);
/* The schedule of a run with this seed. */
int fabric_work_seed(struct fabric_job *job, uint32_t seed);

/* ---- cmd_fabric_failures.c ---- */

/* --fail, and what the schedule says. */
int fabric_failures(struct fabric_job *job);
/* --selector, --selector-at, --record. */
int fabric_selector(struct fabric_job *job);

/* ---- cmd_fabric_fit.c ---- */

/* Whether a configuration that was given has the schemes and the hash of the switches. */
int fabric_fit(const struct fabric_job *job);

/* ---- cmd_fabric_report.c, cmd_fabric_json.c, cmd_fabric_settings.c ---- */

void fabric_report(const struct fabric_job *job);
void fabric_csv(const struct fabric_job *job, struct egret_outfile *out);
void fabric_samples_csv(const struct fabric_job *job, struct egret_outfile *out);
void fabric_json(const struct fabric_job *job, struct egret_outfile *out);
/* The object with what was run. */
void fabric_json_settings(const struct fabric_job *job, struct egret_outfile *out);
/* A text in quotes, and a name in quotes with a colon, its - as _. */
void fabric_json_text(struct egret_outfile *out, const char *text);
void fabric_json_key(struct egret_outfile *out, const char *name);
/* Data of a packet with its header and gap: what a place in a queue takes. */
uint64_t fabric_bound(const struct fabric_job *job); /* the least of all runs; 0: none */
double fabric_packet_bytes(const struct fabric_job *job);
/* "dr", or "edge=dr,agg=dr,core=ecmp" if they differ. */
void fabric_scheme_text(const struct fabric_job *job, char *out, size_t size);
const char *fabric_host_name(const struct egret_fabric_spec *spec);
/* Microseconds with all six places. */
#define FABRIC_US "%llu.%06llu"
#define FABRIC_US_ARGS(ps)                                                                         \
    (unsigned long long)((ps) / 1000000u), (unsigned long long)((ps) % 1000000u)

#endif
