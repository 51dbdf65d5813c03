/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample.h: utilisation over time: how long the links of each tier were busy in each period.
 *
 * Each worker adds up picoseconds of its own links; at the end the workers' are added. Sums of
 * integers, so the result does not depend on the number of workers.
 */
#ifndef EGRET_FABRIC_SAMPLE_H
#define EGRET_FABRIC_SAMPLE_H

#include "core.h"

#define FAB_SAMPLES_MAX (1u << 20) /* periods */

struct fab_samples { /* of a worker */
    uint64_t period;
    uint64_t (*busy)[EGRET_FABRIC_QUEUES]; /* ps, of all its links of a tier */
    size_t count;                          /* periods that have begun */
    size_t capacity;
};

/* With spec.sample_ps: gives each worker its samples, when workers and links are there. Every
 * link's usual_ps becomes 0, so that egret_fab_unusual() sees each packet and calls
 * egret_fab_sample(); without samples a hop costs nothing more. */
int egret_fab_samples_open(struct egret_fabric *f, struct egret_trace_error *err);
/* A link sends from `start` on, for serial_ps. Only while w->samples is not null. */
void egret_fab_sample(struct fab_worker *w, const struct fab_link *l, uint64_t start,
                      uint64_t serial_ps);
/* Adds up what the workers have into f->results; EGRET_ERR_MEMORY. */
int egret_fab_samples_sum(struct egret_fabric *f);
/* Frees the workers' and those of the results. */
void egret_fab_samples_close(struct egret_fabric *f);

#endif
