/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.h: operations of the schedule at the hosts of one edge. Internal to the fabric library.
 *
 * Edges between operations of one edge switch's places fire at once. An edge to an operation under
 * another edge switch takes one window (egret_fabric.window_ps): it is a signal between workers.
 */
#ifndef EGRET_FABRIC_WORK_H
#define EGRET_FABRIC_WORK_H

#include "host.h"

/* Packets, places and owners of all operations; unfinished of the workers; a timer for each that
 * waits for nothing. hs->out, in, node are there. */
int egret_fab_work_open(struct fab_hosts *hs, struct egret_trace_error *err);
void egret_fab_work_close(struct fab_hosts *hs);

/* Edges of `op` for one event fire; all that starts because of it starts. */
void egret_fab_work_fire(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t op,
                         enum egret_op_event event);
/* An edge into `to`, of this node, from an operation of another node fires. */
void egret_fab_work_signal(struct fab_worker *w, const struct fab_node *n, uint64_t now,
                           uint32_t from, uint32_t to);
/* The message is over: its last ACK is in. */
void egret_fab_work_sent(struct fab_worker *w, const struct fab_node *n, uint64_t now, uint32_t op);

static inline uint64_t fab_work_next(const struct fab_host_node *x)
{
    return x->timers > 0 ? x->timer[0].time : FAB_NEVER;
}
/* The first timer of the node, which has one. */
void egret_fab_work_timer(struct fab_worker *w, const struct fab_node *n);

#endif
