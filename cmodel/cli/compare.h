/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.h: the two sides of egret compare: a log in a file, or what the model decides.
 */
#ifndef EGRET_CLI_COMPARE_H
#define EGRET_CLI_COMPARE_H

#include "../trace/decision_log.h"
#include "cli.h"
#include "egret/timing.h"

/* One side; all zeros is closed. */
struct compare_side {
    struct decision_log log;
    const char *name;
    struct egret_stimulus *in; /* of the model; null for a file */
    struct egret *model;
    struct egret_ideal clock;
    const char *stimulus;
    struct cli_scan scan;
    bool scanning; /* it was not read beforehand: a pipe */
};

/* Each: 0 or a negative enum egret_err with the reason in err. */
int compare_open_file(struct compare_side *s, const char *path, struct egret_trace_error *err);
int compare_open_model(struct compare_side *s, const struct egret_cfg *cfg, const char *stimulus,
                       struct egret_trace_error *err);
/* The next row: 1, 0 at the end, negative on an error. */
int compare_next(struct compare_side *s, struct egret_trace_error *err);
void compare_close(struct compare_side *s);

#endif
