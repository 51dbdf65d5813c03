/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_make.h: generators of stimuli: topologies, messages, the traffic at one switch.
 *
 * docs/trace.md says how traffic is timed and how a switch is set up. Times are picoseconds inside
 * and nanoseconds in the stimulus. The same arguments give the same file on every machine.
 */
#ifndef EGRET_TRACE_MAKE_H
#define EGRET_TRACE_MAKE_H

#include "egret/classmap.h"
#include "egret/control.h"
#include "egret/egret.h"
#include "egret/schedule.h"
#include "egret/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a random stimulus of exactly `events` events (at least 16) for a configuration: all kinds
 * of events, all schemes, out-of-range groups, keys, bins and ports, illegal writes, bursts on one
 * pointer, writes to the entry in use, reads back to back. The same seed gives the same file. */
int egret_make_random(const struct egret_cfg *cfg, uint64_t events, uint32_t seed, const char *path,
                      struct egret_trace_error *err);

/* ---- topologies ---- */

/* A fat-tree of three tiers, or a leaf-spine of two. Hosts are numbered along the edges, edges
 * along the pods; an edge's ports 0.. go down to its hosts, an aggregation switch's to the edges of
 * its pod, and the ports after them go up. */
struct egret_topology {
    uint32_t tiers; /* 2 or 3 */
    uint32_t hosts;
    uint32_t pods; /* 1 with two tiers */
    uint32_t hosts_per_edge;
    uint32_t edges_per_pod;
    uint32_t aggs_per_pod; /* uplinks of an edge; the spines with two tiers */
    uint32_t agg_uplinks;  /* 0 with two tiers */
    uint64_t rate_mbps[3]; /* links host-edge, edge-aggregation, aggregation-core */
    uint64_t latency_ps[3];
    uint64_t switch_ps[3]; /* forwarding delay of edge, aggregation (spine), core */
};

/* "fat-tree:K" (K even, 2..128; 800 Gb/s, 500 ns a link), "leaf-spine:LEAVES,SPINES,HOSTS", both
 * with options (docs/fabric.md), or the path of a .topo file. */
int egret_topology_load(const char *text, struct egret_topology *out,
                        struct egret_trace_error *err);
/* Is it one of the names above, not a path? */
bool egret_topology_is_name(const char *text);
/* Parses a .topo file's text; name is for messages. */
int egret_topology_parse(const char *text, size_t n, const char *name, struct egret_topology *out,
                         struct egret_trace_error *err);
/* Edge switches (leaves with two tiers) over all pods. */
uint32_t egret_topology_edges(const struct egret_topology *t);
/* Time from the start of transmission at `src` until the last bit of a frame of `length` bytes
 * (without FCS) is at host `dst`, with nothing in the way. */
uint64_t egret_topology_transit(const struct egret_topology *t, uint32_t src, uint32_t dst,
                                uint32_t length);

/* ---- messages ---- */

/* egret_pattern_make() (egret/collective.h) without options. */
int egret_collective(const char *name, uint32_t ranks, uint64_t bytes, uint64_t rounds,
                     uint32_t seed, struct egret_schedule *out, struct egret_trace_error *err);

/* Reads an htsim connection matrix: flow i is operation i, the triggers come behind the flows: an
 * oneshot is a join that needs 1, a barrier one that needs its count, a multishot a turnstile. The
 * schedule is sealed. zero_size replaces a size of 0, in bytes (0: refuse it). 0, or
 * a negative enum egret_err with file and line in err (may be null). */
int egret_cm_load(const char *path, uint64_t zero_size, struct egret_schedule *out,
                  struct egret_trace_error *err);
/* Likewise from n bytes of text; name is for messages. */
int egret_cm_parse(const char *text, size_t n, const char *name, uint64_t zero_size,
                   struct egret_schedule *out, struct egret_trace_error *err);

/* ---- the traffic at one switch ---- */

#define EGRET_SOURCE_PORT_LINUX UINT32_MAX

/* Where a new flowlet goes. */
enum egret_flowlet_path {
    EGRET_PATH_RANDOM = 0,
    EGRET_PATH_QUALITY = 1, /* one of the emptiest */
    EGRET_PATH_BETTER = 2   /* the same, and an expired flow's own port is kept among them */
};
#define EGRET_FLOWLET_IDLE_NS 256000u /* the default of SAI and OcNOS */

struct egret_make {
    struct egret_cfg cfg;
    bool at_agg;      /* at an aggregation switch, else at an edge */
    uint32_t at;      /* its number over all pods */
    unsigned scheme;  /* of the uplink group */
    bool write_first_last;   /* WRITE First, Middle .. and Last, instead of WRITE Only alone */
    bool keep_order;         /* class map of egret_classmap_rdma(), CLASS_ORDERED */
    unsigned ordered_scheme; /* of the uplink group, for the classes that keep order */
    uint32_t ordered_below;  /* so do packets shorter than this, 0..65535 */
    uint32_t seed;    /* each switch uses seed XOR its number */
    uint32_t payload; /* bytes a packet, 1..16384 */
    bool no_acks;
    bool same_pointer; /* every packet to the uplink group, one key, one bin */
    bool stress;       /* other events between the packets, by stress_seed */
    uint32_t stress_seed;
    uint64_t limit;               /* stop after so many packets; 0 never */
    uint32_t source_port;         /* fixed UDP source port, or EGRET_SOURCE_PORT_LINUX */
    uint32_t agg_rotation;        /* aggregation switches rotate the hash by so many bits more */
    struct egret_hash_setup hash; /* its seed is XORed with `seed` and the switch's number */
    uint64_t flowlet_idle;    /* ns, as egret_ctl_flowlet() takes it */
    uint32_t flowlet_entries; /* of the uplinks' slice, a power of two; 0: NUM_FLOWLETS */
    uint32_t flowlet_path;    /* enum egret_flowlet_path */
    /* Loads of the ports, for spray-quality: registers and scales; a tick every load.period_ns,
     * behind queue events. */
    bool loads;
    struct egret_load load;
    uint64_t buffer_bytes;  /* of a port: full scale of its queue */
    uint32_t drill_samples; /* DRILL(d, m) of the uplink group */
    uint32_t drill_memory;
    bool entropy_swap; /* aggregation switches take the lower slice, edges the one above */
    uint64_t *ticks;   /* if not null: ticks that were written */
    /* A class map of the user's, instead of the one that keep_order asks for; null without. */
    const struct egret_classmap *classes;
    uint32_t class_ordered; /* CLASS_ORDERED with it */
    uint32_t class_entropy; /* enum egret_entropy_source with it */
    /* For messages, null if there are none: what egret_topology_load() took; the .cm file or the
     * collective. */
    const char *topology_name;
    const char *workload_name;
};

/* Does the uplink group use this scheme, for whatever class? */
static inline bool egret_make_uses(const struct egret_make *m, unsigned scheme)
{
    return m->scheme == scheme || (m->keep_order && m->ordered_scheme == scheme);
}
/* The first parameter of cfg that the switch exceeds, or null if it fits. */
const char *egret_make_exceeds(const struct egret_topology *t, const struct egret_make *m);
/* Writes the stimulus of a sealed schedule: set-up of the switch, then what enters it from below,
 * in order of time. */
int egret_make_stimulus(const struct egret_topology *t, const struct egret_schedule *w,
                        const struct egret_make *m, const char *path,
                        struct egret_trace_error *err);

/* The UDP source port of Linux for a pair of queue pair numbers (flow label 0). */
uint16_t egret_roce_source_port(uint32_t local_qp, uint32_t remote_qp);

#ifdef __cplusplus
}
#endif
#endif
