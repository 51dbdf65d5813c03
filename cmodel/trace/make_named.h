/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_named.h: egret_make_stimulus() with the names that its messages need. For this library and
 * the egret command.
 */
#ifndef EGRET_TRACE_MAKE_NAMED_H
#define EGRET_TRACE_MAKE_NAMED_H

#include "egret/trace_make.h"

/* topology: the text that egret_topology_load() took; source: the .cm file, or the collective. */
int egret_make_stimulus_named(const struct egret_topology *t, const char *topology,
                              const struct egret_workload *w, const char *source,
                              const struct egret_make *m, const char *path,
                              struct egret_trace_error *err);

#endif
