/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_make.h: generators of stimuli.
 */
#ifndef EGRET_TRACE_MAKE_H
#define EGRET_TRACE_MAKE_H

#include "egret/control.h"
#include "egret/egret.h"
#include "egret/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a random stimulus of exactly `events` events (at least 16) for a configuration: all kinds
 * of events, all schemes, out-of-range groups, keys, bins and ports, illegal writes, bursts on one
 * pointer, writes to the entry in use, reads back to back. The same seed gives the same file. */
int egret_make_random(const struct egret_cfg *cfg, uint64_t events, uint32_t seed, const char *path,
                      struct egret_trace_error *err);

#ifdef __cplusplus
}
#endif
#endif
