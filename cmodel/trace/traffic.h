/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traffic.h: packets of a workload, and when they enter a switch. Internal to the trace library.
 */
#ifndef EGRET_TRACE_TRAFFIC_H
#define EGRET_TRACE_TRAFFIC_H

#include "egret/trace_make.h"
#include "frame.h"
#include "gen.h"
#include "heap.h"
#include "loads.h"

#define FCS_BYTES 4u
#define GAP_BYTES 20u         /* preamble and inter-packet gap */
#define DATA_HEADER_BYTES 54u /* Ethernet 14, IPv4 20, UDP 8, BTH 12 */
#define RETH_BYTES 16u        /* of WRITE Only and WRITE First */
#define ICRC_BYTES 4u
#define ACK_BYTES 62u /* Ethernet 14, IPv4 20, UDP 8, BTH 12, AETH 4, ICRC 4 */

/* Picoseconds of `bytes` at a rate, rounded down. */
static inline uint64_t serial_ps(uint64_t bytes, uint64_t mbps)
{
    return bytes * 8u * 1000000u / mbps;
}

/* Opcode of data packet `sequence` of a message: all Only, or, if first_last, First, Middle .. and
 * Last; a message of one packet is Only in any case. */
static inline uint32_t data_opcode(const struct egret_make *m, uint64_t bytes, uint32_t sequence)
{
    uint64_t packets = (bytes + m->payload - 1u) / m->payload;
    if (!m->write_first_last || packets == 1u) {
        return BTH_WRITE_ONLY;
    }
    return sequence == 0              ? BTH_WRITE_FIRST
           : sequence + 1u == packets ? BTH_WRITE_LAST
                                      : BTH_WRITE_MIDDLE;
}

/* Length of a data packet on the wire without FCS: RoCE pads the payload to four bytes. */
static inline uint32_t data_length(uint32_t opcode, uint32_t payload)
{
    bool reth = opcode == BTH_WRITE_ONLY || opcode == BTH_WRITE_FIRST;
    return DATA_HEADER_BYTES + (reth ? RETH_BYTES : 0) + ((payload + 3u) & ~3u) + ICRC_BYTES;
}

/* topology.c: start of transmission to complete arrival; arrival at an edge to arrival above it. */
uint64_t egret_traffic_to_edge(const struct egret_topology *t, uint32_t length);
uint64_t egret_traffic_edge_to_agg(const struct egret_topology *t, uint32_t length);

/* ---- traffic.c: packets entering a range of edges from below, in order of time ---- */

struct traffic_packet {
    uint64_t time_ps; /* its last bit is at the switch */
    uint32_t message;
    uint32_t sequence; /* data packet of the message, from 0; of an ACK, the one it answers */
    uint32_t payload;  /* bytes of data, 0 for an ACK */
    bool ack;          /* travels from the message's destination to its source */
};

struct traffic_op {
    uint64_t sent;  /* bytes of a message */
    uint32_t next;  /* in its host's round */
    uint32_t fire;  /* in the list of operations whose edges fire now */
    uint32_t fired; /* edges into it; of a turnstile the edges it has fired */
};
struct traffic_host {
    uint64_t free; /* its link is free from here on */
    uint32_t head; /* round of ready messages */
    uint32_t tail;
    bool scheduled;
};
struct traffic {
    const struct egret_topology *topology;
    const struct egret_schedule *workload;
    uint32_t first_edge;
    uint32_t last_edge;
    const struct egret_make *make;
    struct traffic_op *op;
    struct traffic_host *host;
    struct heap events;
    uint32_t fire_head; /* started now: their edges are still to fire */
    uint32_t fire_tail;
    uint32_t late; /* an operation beyond the end of time, or EGRET_NO_OP */
    bool out_of_memory;
};

int egret_traffic_open(struct traffic *x, const struct egret_topology *t,
                       const struct egret_schedule *w, uint32_t first_edge, uint32_t last_edge,
                       const struct egret_make *m, struct egret_trace_error *err);
/* 1 and *out; 0 at the end; an error if memory is out or an operation never starts. */
int egret_traffic_next(struct traffic *x, struct traffic_packet *out,
                       struct egret_trace_error *err);
void egret_traffic_close(struct traffic *x);

/* ---- place.c: packets entering the chosen switch ---- */

struct place {
    const struct egret_topology *topology;
    const struct egret_schedule *workload;
    const struct egret_make *make;
    struct traffic traffic;
    struct gen *edge;         /* models of the edges below an aggregation switch */
    struct loads *edge_loads; /* and the loads of their ports */
    uint32_t edges;
    struct heap above; /* packets on their way from an edge to the switch */
    bool drained;      /* no more traffic */
    uint64_t edge_time;
};

int egret_place_open(struct place *p, const struct egret_topology *t,
                     const struct egret_schedule *w, const struct egret_make *m,
                     struct egret_trace_error *err);
int egret_place_next(struct place *p, struct traffic_packet *out, struct egret_trace_error *err);
void egret_place_close(struct place *p);
/* The frame of a packet, into g. */
void egret_place_frame(const struct egret_topology *t, const struct egret_schedule *w,
                       const struct egret_make *m, const struct traffic_packet *packet,
                       struct gen *g);

/* ---- switch_setup.c ---- */

/* Number of a switch over the fabric: edges first, then aggregation switches. */
uint32_t egret_switch_number(const struct egret_topology *t, bool agg, uint32_t index);
uint32_t egret_switch_down_ports(const struct egret_topology *t, bool agg);
uint32_t egret_switch_up_ports(const struct egret_topology *t, bool agg);
/* All configuration writes of a switch. */
void egret_switch_setup(struct gen *g, const struct egret_topology *t, const struct egret_make *m,
                        bool agg, uint32_t index);
/* A row of the schedules and the uplink group, as egret_switch_setup() writes them. */
void egret_switch_schedule_row(struct gen *g, const struct egret_topology *t, bool agg,
                               uint32_t bank, uint32_t row, uint32_t seed);
void egret_switch_up_group(struct gen *g, const struct egret_topology *t,
                           const struct egret_make *m, bool agg, uint32_t bank, uint32_t wraps);
uint32_t egret_switch_up_buckets(const struct egret_cfg *cfg);
uint32_t egret_switch_wraps(unsigned scheme);
/* Address of a host: 10.pod.edge.(host + 2). */
void egret_switch_host_address(const struct egret_topology *t, uint32_t host,
                               struct frame_address *out);

/* ---- make.c ---- */

/* Refuses a switch that the topology has not, or whose set-up its configuration cannot hold. */
int egret_make_check_switch(const struct egret_topology *t, const char *topology,
                            const struct egret_make *m, struct egret_trace_error *err);

#endif
