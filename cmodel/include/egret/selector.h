/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector.h: a selector as a table of functions, so that the model, the Verilated RTL, the pair of
 * both, and a user's own design stand behind the same calls.
 *
 * A shared object is a selector if it exports egret_selector(). State is compared through READ
 * events on the address map, so a selector needs no other way to show its state;
 * egret_state_address() says which addresses to read.
 */
#ifndef EGRET_SELECTOR_H
#define EGRET_SELECTOR_H

#include "egret/egret.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_SELECTOR_VERSION 1u

/* Results are 0 or an enum egret_err. Members marked so may be null. */
struct egret_selector_ops {
    uint32_t api_version; /* EGRET_SELECTOR_VERSION */
    const char *name;     /* "model", "rtl:lab", ...: for messages */
    /* EGRET_ERR_CONFIG if the selector cannot be this configuration. */
    int (*create)(const struct egret_cfg *cfg, void **self);
    void (*destroy)(void *self);
    /* Back to the state after reset. */
    int (*reset)(void *self);
    /* As egret_apply() and egret_apply_burst(). EGRET_ERR_INTERNAL if the selector fails: it stays
     * so until reset(). A pair that compares (check:CONFIG) returns EGRET_ERR_DIFFER if the two
     * differ; then both have applied all n, *done is the index of the first event that differs, and
     * from there on out has the decisions of the other one (the RTL). It goes on after that. */
    int (*apply)(void *self, const struct egret_event *ev, struct egret_decision *out);
    int (*apply_burst)(void *self, const struct egret_event *ev, size_t n,
                       struct egret_decision *out, size_t *done);
    /* May be null: text about the last error or the state, valid until the next call. */
    const char *(*describe)(void *self);
    /* May be null: mean number of packets in flight so far. */
    double (*in_flight)(void *self);
    /* May be null: clocks run since reset. */
    uint64_t (*clocks)(void *self);
};

/* The one symbol that a selector's shared object exports. Not defined by this library. */
const struct egret_selector_ops *egret_selector(void);
typedef const struct egret_selector_ops *(*egret_selector_fn)(void);
#define EGRET_SELECTOR_SYMBOL "egret_selector"

/* The built-in model; self is a struct egret. */
const struct egret_selector_ops *egret_model_selector(void);

/* Address number i of all readable addresses of a configuration, region by region: globals, groups,
 * buckets, schedules, pointers, queues, counters, matrix. EGRET_ERR_RANGE past the last one. Within
 * the globals HASH_FIELDS and HASH_ROTATION come last. */
int egret_state_address(const struct egret_cfg *cfg, size_t i, uint32_t *addr);
/* How many there are; 0 for a configuration that is not valid. */
size_t egret_state_count(const struct egret_cfg *cfg);

#ifdef __cplusplus
}
#endif
#endif
