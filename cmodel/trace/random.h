/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random.h: parts of the random generator. Internal to the trace library.
 */
#ifndef EGRET_TRACE_RANDOM_H
#define EGRET_TRACE_RANDOM_H

#include "egret/control.h"
#include "frame.h"
#include "gen.h"
#include "rng.h"

#define RANDOM_ROUTES 48u
#define RANDOM_GROUPS 8u
#define RANDOM_FAULTS 6u

struct random_route {
    struct frame_address address;
    uint32_t group;
    uint32_t key;
};

#define RANDOM_FLOWS 5u

/* What makes a flow besides its destination. */
struct random_flow {
    uint8_t source[2];
    uint32_t source_port;
    uint32_t dest_qp;
    uint32_t opcode;
    uint32_t flow_label;
};

struct random_state {
    struct gen gen;
    struct rng rng;
    const struct egret_cfg *cfg;
    uint32_t hot_group[RANDOM_GROUPS];
    struct random_route route[RANDOM_ROUTES];
    uint32_t length[6]; /* packet lengths that this stimulus uses most */
    struct random_flow flow[RANDOM_FLOWS]; /* flows that come again and again to each route */
    struct random_flow last_flow;
    uint32_t fault[RANDOM_FAULTS]; /* where fault writes were, since entries were healed last */
    uint32_t num_faults;
};

/* ---- random_setup.c ---- */

/* The opening writes; at most half of the events. */
void egret_random_setup(struct random_state *r);
/* Raw writes of a group: any scheme, masks, members. `sane`: one that forwards packets. */
void egret_random_group(struct random_state *r, uint32_t group, bool sane);
/* Gives route i a destination group and key, sometimes out of range. */
void egret_random_route(struct random_state *r, uint32_t i);
void egret_random_classes(struct random_state *r);
void egret_random_hash(struct random_state *r);

/* ---- random_loads.c ---- */

/* Does the configuration have port loads? The functions below are for those that have. */
bool egret_random_has_loads(const struct random_state *r);
/* Their part of the opening; nothing without them. */
void egret_random_loads(struct random_state *r);
/* A queue event for the port of the last packet or another, and a tick or two. */
void egret_random_band(struct random_state *r);
/* A legal write of a register, a scale or a memory; and one that is ignored. */
void egret_random_load_write(struct random_state *r);
void egret_random_load_illegal(struct random_state *r);
uint32_t egret_random_depth(struct random_state *r);
/* DRILL's bits of group word 6. */
uint32_t egret_random_drill(struct random_state *r);

/* ---- random_faults.c ---- */

/* Does the configuration have parity? The functions below are for those that have. */
bool egret_random_has_faults(const struct random_state *r);
/* A fault write, mostly at what the last packet used; sometimes reads and writes right by it. */
void egret_random_fault(struct random_state *r);
/* Writes the entries of the fault writes so far again, so that they are good. */
void egret_random_heal(struct random_state *r);

/* ---- random_frames.c ---- */

/* Any flow. */
struct random_flow egret_random_flow(struct random_state *r);

/* A packet to route i: what the benches mostly want. */
void egret_random_packet(struct random_state *r, uint32_t i);
/* Any frame: other protocols, fragments, short ones, no IP at all. */
void egret_random_odd_packet(struct random_state *r);

/* ---- random_hazards.c ---- */

/* An address of the state that the last packet used or changed. */
uint32_t egret_random_hot_address(struct random_state *r);
/* A write to the entry that a packet to route i is about to use, or has just used. */
void egret_random_hot_write(struct random_state *r);
void egret_random_illegal_write(struct random_state *r);
/* A register that is no table: hash, classes that keep order, generator. */
void egret_random_global(struct random_state *r);
void egret_random_pointer(struct random_state *r);
/* A flowlet entry: one near those in use, or any. */
void egret_random_entry(struct random_state *r);
/* Any address, most of them existing. */
uint32_t egret_random_address(struct random_state *r);

#endif
