/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric.h: a fabric of switches that each decide with a selector, and the completion time of a
 * collective over it.
 *
 * Event-driven, store and forward, time in picoseconds (docs/fabric.md). The same specification,
 * schedule and seed give the same results, to the byte, with any number of threads.
 */
#ifndef EGRET_FABRIC_H
#define EGRET_FABRIC_H

#include "egret/control.h"
#include "egret/egret.h"
#include "egret/hash.h"
#include "egret/schedule.h"
#include "egret/selector.h"
#include "egret/trace.h"
#include "egret/trace_make.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what to run ---- */

/* How the uplinks of a tier are chosen: a selector's scheme, or one of these two. */
enum egret_fabric_rule {
    EGRET_RULE_SCHEME = 0,
    EGRET_RULE_SIMPLE_RR = 1, /* spray-rr, R = 0, one row for all switches */
    EGRET_RULE_JSQ = 2        /* shortest queue, exact, ties to the lowest port: no RTL twin */
};

/* How the uplinks of ACKs are chosen. */
enum egret_fabric_acks {
    EGRET_ACKS_DEFAULT = 0, /* by ecmp with spray-rr and simple-rr, as htsim's round robin hashes
                             * short packets; with others as data */
    EGRET_ACKS_ALIKE = 1,   /* as data */
    EGRET_ACKS_HASHED = 2   /* by ecmp; not with jsq */
};

struct egret_fabric_tier { /* 0 edges (leaves), 1 aggregation (spines), 2 cores */
    uint32_t rule;         /* enum egret_fabric_rule */
    uint32_t scheme;       /* enum egret_scheme of the uplinks */
    struct egret_cfg cfg;  /* hardware configuration; name "" : one that is large enough */
    const struct egret_selector_ops *ops; /* null: the model */
    struct egret_hash_setup hash;         /* its seed is XORed with the switch's */
    uint32_t wraps;                       /* spray-rr: R, 0..15 */
    uint64_t flowlet_idle;                /* ns */
    uint32_t flowlet_path;                /* enum egret_flowlet_path */
    uint32_t flowlet_entries;             /* 0: all of the configuration */
    uint32_t drill_samples;
    uint32_t drill_memory;
    uint32_t acks;          /* enum egret_fabric_acks */
    struct egret_load load; /* its period_ns is the load period */
};

/* Queues by where they are; `up` and `down` as a packet goes. */
enum egret_fabric_queue {
    EGRET_QUEUE_HOST = 0, /* host to edge */
    EGRET_QUEUE_EDGE_UP = 1,
    EGRET_QUEUE_AGG_UP = 2,
    EGRET_QUEUE_CORE_DOWN = 3,
    EGRET_QUEUE_AGG_DOWN = 4, /* with two tiers: of a spine */
    EGRET_QUEUE_EDGE_DOWN = 5 /* edge to host */
};
#define EGRET_FABRIC_QUEUES 6

enum egret_fabric_transport {
    EGRET_TRANSPORT_IDEAL = 0, /* fixed rate, rateless erasure code, an ACK a packet */
    EGRET_TRANSPORT_SACK = 1   /* fixed rate, ACKs of all that has arrived, reorder threshold,
                                * time-out */
};
enum egret_fabric_host_scheme {
    EGRET_HOST_FLOW = 0,    /* one label a message */
    EGRET_HOST_SUBFLOW = 1, /* `subflows` labels a message, in turn */
    EGRET_HOST_RANDOM = 2,  /* a random label a packet */
    EGRET_HOST_DRB = 3      /* a pointer a (destination, size bin) over the top switches that both
                             * ends reach; the entropy is the path: low half the edge's uplink, high
                             * half that of the aggregation switch */
};
/* A failed link: both directions of uplink `port` (0.. among uplinks) of an edge or aggregation
 * switch. */
struct egret_fabric_failure {
    uint64_t time_ps;
    uint32_t at_agg; /* 0: of an edge, 1: of an aggregation switch */
    uint32_t index;  /* over all pods */
    uint32_t port;
};
#define EGRET_FABRIC_NO_CONVERGENCE UINT64_MAX

struct egret_fabric_spec {
    struct egret_topology topology;
    const char *topology_name; /* for messages */
    uint32_t rails; /* rail-optimised: host i of a server is under edge i mod rails of its
                     * group; 0: not */
    struct egret_fabric_tier tier[3];
    uint64_t buffer_bytes[EGRET_FABRIC_QUEUES]; /* 0: without end */
    uint64_t ecn_bytes[EGRET_FABRIC_QUEUES];    /* marks from this queue on; 0: never */
    bool trim;                                  /* a full queue cuts the payload off */
    uint32_t payload;                           /* bytes of data a packet */
    uint32_t header_bytes;                      /* on the wire with FCS */
    uint32_t ack_bytes;                         /* likewise */
    uint32_t gap_bytes;                         /* preamble and gap behind each packet */
    uint32_t transport;                         /* enum egret_fabric_transport */
    uint32_t host_scheme;                       /* enum egret_fabric_host_scheme */
    uint32_t subflows;
    uint64_t rate_ppm; /* of the host's line rate, data: rho in millionths; 0: rho_max, from
                        * the schedule's flows and the live links */
    uint32_t reorder_threshold; /* sack: packets */
    uint64_t rto_ps;            /* 0: from the topology */
    uint32_t window_packets;    /* of a message in flight; 0: no limit */
    const struct egret_fabric_failure *failure;
    size_t failures;
    uint32_t failed_ppm;     /* random: of all links between switches, in millionths, at time 0 */
    uint64_t convergence_ps; /* G; EGRET_FABRIC_NO_CONVERGENCE */
    uint32_t seed;
    uint32_t threads;       /* 1..64; 0: 1 */
    uint32_t share_packets; /* packets a window and thread from which on threads share windows,
                             * which changes no result; 0: 1024 */
    bool place_random;      /* ranks on random places */
    /* Which switches use tier[].ops; null: all. Numbered edges, aggregation switches, cores. */
    const uint8_t *use_ops;
    int64_t record;          /* number of the switch to record, -1: none */
    const char *record_path; /* stimulus, pcap */
    uint64_t limit_ps;       /* stop then, an error; 0: never */
    uint64_t sample_ps;      /* utilisation over time: period; 0: none */
};

/* papers.md 0.1: dr, 800 KB a port, payload 4096, header 62, ACK 64, gap 20, ideal transport at
 * full rate, no ECN, seed 1. The topology is left alone. */
void egret_fabric_defaults(struct egret_fabric_spec *spec);

/* ---- what came of it ---- */

struct egret_fabric_totals {
    uint64_t hops;      /* packets put on a link, ACKs too */
    uint64_t data_sent; /* by hosts */
    uint64_t acks_sent;
    uint64_t data_received;
    uint64_t resent;
    uint64_t reordered;      /* data packets that came behind a later one of their message */
    uint64_t reorder_extent; /* largest distance, packets */
    uint64_t decisions;
    uint64_t selector_drops;
    uint64_t messages_done;
    uint64_t last_done_ps; /* last packet of a message arrived */
    uint64_t last_sent_ps; /* last ACK arrived */
};
struct egret_fabric_queue_result {
    uint64_t links;
    uint64_t packets;
    uint64_t bytes;
    double mean_wait_ps; /* over packets */
    uint64_t max_wait_ps;
    double mean_bytes; /* queue that a packet finds */
    uint64_t max_bytes;
    uint64_t lost;
    uint64_t dead;
    uint64_t marked;
    uint64_t trimmed;
    double overload; /* most loaded link's bytes over the mean of its tier */
};
struct egret_fabric_results {
    struct egret_fabric_totals totals;
    uint64_t cct_ps;         /* all operations over, last ACK of every message included */
    uint64_t lower_bound_ps; /* of the schedule; 0: no formula */
    uint32_t rate_ppm;       /* used */
    uint64_t rounded_groups; /* of all switches together, whose weights do not fit their rows and
                              * are reduced; at the time when they are most */
    uint32_t oversubscription_ppm; /* the largest: reduced share of an uplink over its exact one, in
                                    * millionths; 1000000 if none is reduced */
    struct egret_fabric_queue_result queue[EGRET_FABRIC_QUEUES];
    uint64_t windows; /* in which something happened */
    uint64_t window_ps;
    double seconds;       /* of the run, wall clock; not deterministic, as the next two */
    double critical_path; /* sum over windows of the slowest worker, seconds */
    double cpu;
    /* Utilisation of each tier's links over time, sample_ps apart: [sample][queue]. */
    double (*utilisation)[EGRET_FABRIC_QUEUES];
    size_t samples;
};

struct egret_fabric;

/* Builds it. The schedule must be sealed and stays the caller's; it has at most topology.hosts
 * ranks. 0 or a negative enum egret_err with text. */
int egret_fabric_create(const struct egret_fabric_spec *spec, const struct egret_schedule *work,
                        struct egret_fabric **out, struct egret_trace_error *err);
/* Hears now and then: operations over, of all, and the time. */
typedef void (*egret_fabric_progress_fn)(void *ctx, uint64_t done, uint64_t all, uint64_t now_ps);
/* Runs it to the end, once. `progress` may be null. EGRET_ERR_DIFFER if a selector that compares
 * found a difference; EGRET_ERR_RANGE if it will never be over, or not by limit_ps. */
int egret_fabric_run(struct egret_fabric *f, egret_fabric_progress_fn progress, void *ctx,
                     struct egret_trace_error *err);
/* What came of the run; valid until it is freed. f may not be null. */
const struct egret_fabric_results *egret_fabric_result(const struct egret_fabric *f);
/* Frees it; null is allowed. */
void egret_fabric_free(struct egret_fabric *f);
/* The hardware configuration of a switch, by its number: what a recording is replayed with.
 * EGRET_ERR_RANGE if there is no such switch, or it has no selector (jsq). */
int egret_fabric_switch_config(const struct egret_fabric *f, uint32_t number,
                               struct egret_cfg *out);

/* ---- lower bounds (docs/fabric.md) ---- */

/* Completion time of one message of `packets` data packets at full rate, with ACKs the other way,
 * across `hops` links of one rate: papers.md 0.2. */
uint64_t egret_fabric_bound_permutation(const struct egret_fabric_spec *spec, uint64_t packets);
/* All-to-all: each host sends `packets` packets to each other one. */
uint64_t egret_fabric_bound_all_to_all(const struct egret_fabric_spec *spec, uint64_t packets);

#ifdef __cplusplus
}
#endif
#endif
