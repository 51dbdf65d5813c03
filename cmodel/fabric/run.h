/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.h: windows, one after the other, by one thread or many.
 */
#ifndef EGRET_FABRIC_RUN_H
#define EGRET_FABRIC_RUN_H

#include "core.h"

/* Until every operation is over. EGRET_ERR_RANGE if nothing moves any more, or beyond limit_ps;
 * otherwise what a worker met. */
int egret_fab_run(struct egret_fabric *f, egret_fabric_progress_fn progress, void *ctx,
                  struct egret_trace_error *err);

/* ---- windows.c: between two windows, by one thread ---- */

/* When a host has something to do without an arrival; FAB_NEVER. */
uint64_t egret_fab_first_wake(const struct egret_fabric *f);
/* The next window in which something happens, or in which the far list is to be looked through. */
uint64_t egret_fab_next_window(struct egret_fabric *f);
/* The current one is over, all of it taken; or the first one begins. */
void egret_fab_begin_window(struct egret_fabric *f, uint64_t window);

#endif
