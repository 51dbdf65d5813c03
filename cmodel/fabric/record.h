/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h: one switch's events to a file: what core.h does not declare of record.c.
 */
#ifndef EGRET_FABRIC_RECORD_H
#define EGRET_FABRIC_RECORD_H

#include "core.h"

/* setup.c: all configuration writes of a switch, in order. */
int egret_fab_switch_writes(const struct egret_fabric *f, uint32_t node, egret_emit_fn emit,
                            void *ctx, struct egret_trace_error *err);
/* Ends a recording that is still open; nothing is left on disk. For every run that went wrong, and
 * harmless after egret_fab_record_close(). */
void egret_fab_record_abort(struct egret_fabric *f);

#endif
