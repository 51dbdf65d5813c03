/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h: what the files of egret check share.
 */
#ifndef EGRET_CLI_CHECK_H
#define EGRET_CLI_CHECK_H

#include "cli.h"
#include "egret/selector.h"
#include "order.h"

/* ---- selector.c ---- */

struct cli_selector {
    const struct egret_selector_ops *ops;
    void *self;
    void *library; /* of dlopen(), null for the model */
};
/* "model", "rtl:CONFIG", "check:CONFIG", or the path of a shared object. dir (may be null) is where
 * the named ones are, else ../selectors beside the command. Returns -1 to go on, else the exit
 * code. */
int cli_selector_open(const char *text, const char *dir, const struct egret_cfg *cfg,
                      struct cli_selector *out);
void cli_selector_close(struct cli_selector *s);

/* ---- check ---- */

#define CHECK_MAX_BURST 65536u

struct check {
    struct egret_cfg cfg;
    const char *config_name;
    const char *selector_name;
    const char *selector_dir;
    const char *path;
    uint32_t burst;
    bool allow;
    bool decisions; /* packets alone: the selector cannot answer reads */
    struct cli_selector selector;
    struct egret *model;
    struct egret_stimulus *in;
    struct cli_scan scan;
    bool scanning;                /* an event that exceeds the configuration is an error */
    struct egret_event *event;    /* a burst */
    struct egret_decision *left;  /* of the selector */
    struct egret_decision *right; /* of the model */
    struct cli_order order;
    struct egret_outfile *order_json;
    uint64_t packets;
    uint64_t reads;
    /* The first difference. */
    uint64_t burst_start; /* ordinal of its burst's first event */
    uint64_t ordinal;
    struct egret_event bad_event;
    struct egret_decision bad_left;
    struct egret_decision bad_right;
};

bool check_same(const struct egret_decision *a, const struct egret_decision *b);
/* Applies n events of c->event to both. Returns 0, or the selector's error; after EGRET_ERR_DIFFER
 * (of a selector that compares by itself) both have taken all n. */
int check_apply(struct check *c, size_t n, bool singly);
/* One line about an error, with what the selector says of it; returns the exit code. */
int check_selector_error(struct check *c, int code);
/* Reads up to n events into c->event. Returns the number, or an error. */
int check_fill(struct check *c, size_t n, size_t *got, struct egret_trace_error *err);

/* ---- check_report.c ---- */

/* Prints a difference, its surroundings and whether it persists. */
void check_report(struct check *c);
/* Compares every readable word. Returns the exit code. */
int check_state(struct check *c);

/* ---- oracle.c ---- */

/* The hash of a record as the model's registers say, by code that shares nothing with the library:
 * bit by bit. */
uint32_t oracle_hash(struct egret *model, const uint8_t record[EGRET_RECORD_BYTES]);

#endif
