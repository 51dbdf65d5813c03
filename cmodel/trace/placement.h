/* SPDX-License-Identifier: Apache-2.0 */
/*
 * placement.h: by which ports each queue pair left. Part of egret_stats; internal to the trace
 * library.
 */
#ifndef EGRET_TRACE_PLACEMENT_H
#define EGRET_TRACE_PLACEMENT_H

#include "egret/egret.h"
#include "egret/trace.h"
#include "qp_table.h"

/* Of a queue pair in a group, or of all queue pairs of two hosts in it. */
struct placed {
    uint64_t packets;
    uint64_t bytes;
    uint64_t ports; /* that it left by */
    uint32_t queue_pairs;
};

struct placement_table {
    struct qp_table number;
    struct placed *placed; /* of each */
    size_t capacity;
};

/* All zero is an empty one. */
struct placement {
    struct placement_table queue_pairs;
    struct placement_table hosts; /* the same without the QP */
    bool out_of_memory;           /* figures are not complete */
};

/* A packet that was sent, of a group that has a choice. */
void egret_placement_packet(struct placement *p, const struct egret_event *ev, uint32_t port);
void egret_placement_free(struct placement *p);
/* Queue pairs that left by a port, alone or not. */
uint64_t egret_placement_on(const struct placement *p, uint32_t port);
/* Queue pairs of a group, and all ports that they left by. */
uint32_t egret_placement_group(const struct placement *p, uint32_t group, uint64_t *ports);
/* Members `queue_pairs` and `host_pairs`. */
void egret_placement_json(const struct placement *p, struct egret_outfile *f);
/* A row for each queue pair, below a heading. */
void egret_placement_csv(const struct placement *p, struct egret_outfile *f);

#endif
