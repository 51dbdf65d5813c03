/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outfile.h: outputs that belong together. For this library and the egret command.
 */
#ifndef EGRET_TRACE_OUTFILE_H
#define EGRET_TRACE_OUTFILE_H

#include "egret/trace.h"

/* As egret_outfile_commit() of each of n files (null ones are skipped), but all are written out
 * before the first one gets its name: after an error none of them appears. */
int egret_outfile_commit_all(struct egret_outfile **file, size_t n, struct egret_trace_error *err);

#endif
