/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule_wait.h: why an operation never starts. Internal to the trace library.
 */
#ifndef EGRET_TRACE_SCHEDULE_WAIT_H
#define EGRET_TRACE_SCHEDULE_WAIT_H

#include "egret/schedule.h"

#define SCHEDULE_OP_TEXT 160u

/* "message 7 (0 -> 5, tag 3)" */
void egret_schedule_op_text(const struct egret_schedule *s, uint32_t op,
                            char text[SCHEDULE_OP_TEXT]);
/* "FILE:WHERE: ", or "NAME: " of an operation without a place in a file. */
void egret_schedule_place_text(const struct egret_schedule *s, uint32_t op, const char *name,
                               const char *const *file_name, char *text, size_t n);
/* Fails with what `op` waits on, and what that waits on. s has its edges sorted; fired is that of
 * egret_schedule_run(). */
int egret_schedule_waits(const struct egret_schedule *s, uint32_t op, const uint32_t *fired,
                         const char *name, const char *const *file_name,
                         struct egret_trace_error *err);

#endif
