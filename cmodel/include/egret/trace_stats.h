/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_stats.h: how evenly decisions use the ports, as JSON (docs/trace.md).
 *
 * Only packets of groups with two members or more count: the others have no choice.
 */
#ifndef EGRET_TRACE_STATS_H
#define EGRET_TRACE_STATS_H

#include "egret/egret.h"
#include "egret/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct egret_stats; /* opaque */

/* Empty statistics for a configuration. EGRET_ERR_CONFIG, EGRET_ERR_MEMORY. */
int egret_stats_create(const struct egret_cfg *cfg, struct egret_stats **out);
/* Frees them; null is allowed. */
void egret_stats_destroy(struct egret_stats *s);
/* Takes an event that `model` has just applied, and its decision. The model is only read. */
void egret_stats_event(struct egret_stats *s, struct egret *model, const struct egret_event *ev,
                       const struct egret_decision *d);
/* Writes all of them as one JSON object; they stay as they are. */
void egret_stats_json(const struct egret_stats *s, struct egret_outfile *f);
/* Queue pairs of a group with two members or more, and the port by which all of them left; 0 if
 * there are fewer than two of them, or more ports. *port is untouched then. */
uint32_t egret_stats_one_path(const struct egret_stats *s, uint32_t group, uint32_t *port);
/* Writes by which ports each queue pair left, as CSV. */
void egret_stats_queue_pairs(const struct egret_stats *s, struct egret_outfile *f);
/* False if there was no memory for a queue pair: then what is said of them is not complete. */
bool egret_stats_complete(const struct egret_stats *s);

#ifdef __cplusplus
}
#endif
#endif
