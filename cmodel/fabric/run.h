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

#endif
