/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern.h: the generators of traffic patterns. Internal to the trace library.
 *
 * Each appends its operations. EGRET_ERR_MEMORY; EGRET_ERR_RANGE: more than a schedule can have, or
 * a reason in err where that is taken.
 */
#ifndef EGRET_TRACE_PATTERN_H
#define EGRET_TRACE_PATTERN_H

#include "egret/collective.h"

/* Are a * b more operations more than a schedule takes? */
bool pattern_too_many(const struct egret_schedule *s, uint64_t a, uint64_t b);
struct rng;
/* Fills p[0..n-1] with a random permutation of 0..n-1. */
void pattern_permute(uint32_t *p, uint32_t n, struct rng *rng);

int pattern_permutation(struct egret_schedule *w, const struct egret_pattern *p);
int pattern_ring(struct egret_schedule *w, const struct egret_pattern *p);
int pattern_alltoall(struct egret_schedule *w, const struct egret_pattern *p);
int pattern_tornado(struct egret_schedule *w, const struct egret_pattern *p);
int pattern_incast(struct egret_schedule *w, const struct egret_pattern *p);
int pattern_outcast_incast(struct egret_schedule *w, const struct egret_pattern *p);
int pattern_moe(struct egret_schedule *w, const struct egret_pattern *p);
/* packets: of 4096 bytes, in each flow. */
int pattern_fsdp(struct egret_schedule *w, const struct egret_pattern *p, uint32_t packets,
                 struct egret_trace_error *err);

#endif
