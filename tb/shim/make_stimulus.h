/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_stimulus.h: what the files of make_stimulus share.
 */
#ifndef MAKE_STIMULUS_H
#define MAKE_STIMULUS_H

#include "egret/control.h"
#include "egret/trace.h"
#include "egret/trace_front.h"

#define ROUTES 32u

struct maker {
    struct egret_cfg cfg;
    struct egret_stimulus_writer *writer;
    uint32_t random;
    uint64_t now;
    uint32_t route_group[ROUTES]; /* route r: packets to 10.1.0.r */
    uint32_t route_key[ROUTES];
    bool failed;
    /* what follows along, for stimuli that must know where they are */
    struct egret *model;
    struct egret_front *front;
    struct egret_event last; /* packet */
    uint32_t faults;         /* fault writes so far */
    bool few;                /* of bits that faults flip */
};

/* Does the configuration have a scheme? */
static inline bool has(const struct maker *m, uint32_t scheme)
{
    return m->cfg.schemes >> scheme & 1u;
}
/* Members: every port. */
static inline uint64_t all_ports(const struct maker *m)
{
    return m->cfg.num_ports == 64 ? UINT64_MAX : ((uint64_t)1 << m->cfg.num_ports) - 1;
}
/* A number below `below`. */
uint32_t draw(struct maker *m, uint32_t below);
/* One event that is no packet; address: of a write or read, or a port. */
void event(struct maker *m, unsigned kind, uint32_t address, uint32_t data);
int emit(void *ctx, uint32_t address, uint32_t data);
void put(struct maker *m, uint32_t address, uint32_t data);
void get(struct maker *m, uint32_t address);
void must(struct maker *m, int err);
/* A packet of a random flow and length; one of flow `flow`, 0..2047, with this length, 66..9000. */
void packet(struct maker *m, uint32_t route);
void flow_packet(struct maker *m, uint32_t route, uint32_t flow, uint32_t length);

/* make_deep.c */
void make_hazards(struct maker *m, uint32_t n);
void make_flowlet(struct maker *m, uint32_t n);
void make_quality(struct maker *m, uint32_t n);

/* make_faults.c */
void make_faults(struct maker *m, uint32_t n);

/* make_time.c */
void make_time(struct maker *m, uint32_t n);
void make_groups(struct maker *m, uint32_t n);

/* make_edges.c */
void make_words(struct maker *m, uint32_t n);
void make_repairs(struct maker *m, uint32_t n);
void make_bursts(struct maker *m, uint32_t n);
void make_early(struct maker *m, uint32_t n);
void make_clocks(struct maker *m, uint32_t n);

/* make_bands.c */
void make_bands(struct maker *m, uint32_t n);
void make_walk(struct maker *m, uint32_t n);

/* make_corners.c */
void make_corners(struct maker *m, uint32_t n);

#endif
