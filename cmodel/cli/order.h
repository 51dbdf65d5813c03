/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.h: --order of egret model and egret check.
 */
#ifndef EGRET_CLI_ORDER_H
#define EGRET_CLI_ORDER_H

#include "cli.h"
#include "egret/trace_order.h"

struct cli_order {
    const char *delays; /* the options; all null: nothing is done */
    const char *keep;
    const char *json;
    uint64_t rate; /* Mb/s */
    struct egret_order *order;
};

#define CLI_ORDER_OPTIONS(o)                                                                       \
    {"order", CLI_TEXT, &(o).delays, "D",                                                          \
     "order of arrival; ns of each port's path: spread:BASE,SPREAD[,SEED] or list:NS,..."},        \
        {"order-keep", CLI_TEXT, &(o).keep, "K",                                                   \
         "which must keep it: write-only-free, class, or opcodes 06,07 (write-only-free)"},        \
        {"order-rate", CLI_RATE, &(o).rate, "R",                                                   \
         "rate of a sender's line, 800G: nothing is overtaken by more than it carries"},           \
    {                                                                                              \
        "order-json", CLI_TEXT, &(o).json, "F", "the report on it as JSON"                         \
    }

/* Are the options good? Returns -1 to go on, else the exit code. */
int cli_order_options(const struct cli_order *c, const struct egret_cfg *cfg,
                      struct egret_order_setup *setup);
int cli_order_open(struct cli_order *c, const struct egret_cfg *cfg,
                   struct egret_trace_error *err);
/* n events and their decisions. */
void cli_order_events(struct cli_order *c, const struct egret_event *ev,
                      const struct egret_decision *d, size_t n);
/* All has arrived. The report goes to out (may be null) as JSON. EGRET_OK, or EGRET_ERR_MEMORY. */
int cli_order_end(struct cli_order *c, struct egret_outfile *out, struct egret_trace_error *err);
/* Prints the report, unless quiet, and one line about a reordering without a cause. Returns the
 * exit code: 0, or 1 for the latter. */
int cli_order_report(const struct cli_order *c, bool quiet);
void cli_order_close(struct cli_order *c);

#endif
