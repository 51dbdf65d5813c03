/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_warn.h: what egret trace make says of a stimulus that is legal and of little use.
 */
#ifndef EGRET_CLI_MAKE_WARN_H
#define EGRET_CLI_MAKE_WARN_H

#include "egret/trace_make.h"

/* Tiers that split by one hash, if m is of an aggregation switch. */
void cli_warn_polarized(const struct egret_make *m);
/* Loads that hardly ever measure: ticks of the stimulus. */
void cli_warn_ticks(const struct egret_make *m, uint64_t ticks);

#endif
