/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decide.c: egret_explain(): the decision for a packet in the words of docs/spec/events.md, without
 * any change of state. Mirrors the order of precedence in rtl/egret_core.v.
 */
#include <string.h>

#include "internal.h"

const struct egret_scheme_ops *egret_scheme_ops(uint32_t scheme)
{
    switch (scheme) {
    case EGRET_SCHEME_ECMP:
        return &egret_scheme_ecmp;
    case EGRET_SCHEME_SPRAY_RR:
        return &egret_scheme_spray_rr;
    case EGRET_SCHEME_DR:
        return &egret_scheme_dr;
    case EGRET_SCHEME_FIXED:
        return &egret_scheme_fixed;
    case EGRET_SCHEME_ENTROPY:
        return &egret_scheme_entropy;
    case EGRET_SCHEME_SPRAY_RANDOM:
        return &egret_scheme_spray_random;
    case EGRET_SCHEME_SPRAY_QUALITY:
        return &egret_scheme_spray_quality;
    case EGRET_SCHEME_FLOWLET:
        return &egret_scheme_flowlet;
    default:
        return NULL;
    }
}

const char *egret_scheme_name(unsigned scheme)
{
    const struct egret_scheme_ops *ops = egret_scheme_ops(scheme);
    if (scheme == EGRET_SCHEME_NONE)
        return "none";
    return ops != NULL ? ops->name : NULL;
}

int egret_scheme_by_name(const char *name, unsigned *scheme)
{
    if (name == NULL || scheme == NULL)
        return EGRET_ERR_NULL;
    for (unsigned i = EGRET_SCHEME_NONE; i <= EGRET_NUM_SCHEMES; i++) {
        if (strcmp(name, egret_scheme_name(i)) == 0) {
            *scheme = i;
            return EGRET_OK;
        }
    }
    return EGRET_ERR_RANGE;
}

const char *egret_reason_name(unsigned reason)
{
    switch (reason) {
    case EGRET_REASON_CHOSEN:
        return "chosen";
    case EGRET_REASON_REPAIRED:
        return "repaired";
    case EGRET_REASON_DROP_EMPTY:
        return "drop-empty";
    case EGRET_REASON_DROP_DOWN:
        return "drop-down";
    case EGRET_REASON_DROP_SCHEME:
        return "drop-scheme";
    case EGRET_REASON_DROP_INDEX:
        return "drop-index";
    case EGRET_REASON_DROP_FAULT:
        return "drop-fault";
    default:
        return NULL;
    }
}

static void drop(struct egret_why *w, enum egret_reason reason, uint32_t data)
{
    w->decision.port = EGRET_PORT_DROP;
    w->decision.choice = EGRET_PORT_DROP;
    w->decision.reason = (uint8_t)reason;
    w->decision.data = data;
}

/* Does the scheme's choice come from the hash of the record? */
static bool hashes(const struct egret *e, uint32_t scheme, const struct egret_event *ev)
{
    return scheme == EGRET_SCHEME_ECMP || scheme == EGRET_SCHEME_FLOWLET ||
           (scheme == EGRET_SCHEME_SPRAY_QUALITY && ev->length < e->load.small);
}

#define FAULT_BIT(table) ((uint32_t)1 << (table))
/* A bad entry of these makes the choice none. */
#define FAULTS_OF_CHOICE                                                 \
    (FAULT_BIT(EGRET_FAULT_BUCKET) | FAULT_BIT(EGRET_FAULT_SCHEDULE) |   \
     FAULT_BIT(EGRET_FAULT_POINTER))

/* The bad counters among those that the decision ticks (docs/spec/faults.md, section 3). */
static uint32_t counter_faults(const struct egret *e, const struct egret_event *ev,
                               const struct egret_why *w)
{
    uint32_t group = ev->group;
    uint32_t faults;

    if (w->decision.port == EGRET_PORT_DROP)
        return egret_fault(e, EGRET_A_GROUP_COUNTER(group, 0), EGRET_FAULT_GROUP_COUNTER);
    faults = egret_fault(e, EGRET_A_PORT_COUNTER(w->decision.port, 0), EGRET_FAULT_PORT_COUNTER);
    if (w->decision.reason == EGRET_REASON_REPAIRED)
        faults |= egret_fault(e, EGRET_A_GROUP_COUNTER(group, 1), EGRET_FAULT_GROUP_COUNTER);
    if (w->scheme == EGRET_SCHEME_FLOWLET)
        faults |= egret_fault(e, EGRET_A_FLOWLET_COUNTER(group, egret_flowlet_count_of(w)),
                              EGRET_FAULT_FLOWLET_COUNTER);
    return faults;
}

static void decide(const struct egret *e, const struct egret_event *ev, struct egret_why *w)
{
    const struct egret_group_state *g = &e->group[ev->group];
    w->scheme = g->scheme[egret_is_ordered(e, ev)];
    w->decision.scheme = (uint8_t)w->scheme;
    w->members = g->members;
    w->live_members = g->members & e->live;
    w->live_count = egret_live_count(w->live_members);

    const struct egret_scheme_ops *ops =
        egret_has(e, w->scheme) ? egret_scheme_ops(w->scheme) : NULL;
    bool legal;

    if (egret_is_bad(e, EGRET_A_GROUP(ev->group, 0))) {
        w->faults = FAULT_BIT(EGRET_FAULT_GROUP);
        drop(w, EGRET_REASON_DROP_FAULT, 0);
        return;
    }
    if (g->members != 0 && ops != NULL && hashes(e, w->scheme, ev) &&
        egret_hash_is_bad(e, ev->record)) {
        w->faults = FAULT_BIT(EGRET_FAULT_MATRIX);
        drop(w, EGRET_REASON_DROP_FAULT, 0);
        return;
    }
    legal = ops != NULL && ops->choose(e, g, ev, w);
    if (w->live_count == 0)
        w->faults &= FAULT_BIT(EGRET_FAULT_POINTER); /* only a pointer is changed by a drop */

    if (g->members == 0) {
        drop(w, EGRET_REASON_DROP_EMPTY, 0);
        return;
    }
    if (ops == NULL) {
        drop(w, EGRET_REASON_DROP_SCHEME, 0);
        return;
    }
    if (!legal) {
        drop(w, EGRET_REASON_DROP_INDEX, 0);
        return;
    }
    w->repair_rank = w->repair_random * w->live_count >> 16;
    if (w->live_count == 0) {
        drop(w, EGRET_REASON_DROP_DOWN, w->decision.data);
        return;
    }
    w->decision.choice = (uint8_t)w->choice;
    if ((w->live_members >> w->choice & 1u) != 0 && (w->faults & FAULTS_OF_CHOICE) == 0) {
        w->decision.port = (uint8_t)w->choice;
        w->decision.reason = EGRET_REASON_CHOSEN;
    } else {
        w->decision.port = (uint8_t)egret_live_kth(w->live_members, w->repair_rank);
        w->decision.reason = EGRET_REASON_REPAIRED;
    }
}

int egret_explain(const struct egret *e, const struct egret_event *ev, struct egret_why *out)
{
    if (e == NULL || ev == NULL || out == NULL)
        return EGRET_ERR_NULL;
    if (ev->kind != EGRET_EV_PACKET)
        return EGRET_ERR_EVENT;

    struct egret_why w;
    memset(&w, 0, sizeof w);
    w.decision.tag = ev->tag;
    w.decision.kind = EGRET_RES_PACKET;
    w.hash = egret_hash_plain(e, ev->record);
    if (ev->group >= e->cfg.num_groups)
        drop(&w, EGRET_REASON_DROP_INDEX, 0);
    else {
        decide(e, ev, &w);
        w.faults |= counter_faults(e, ev, &w);
    }
    *out = w;
    return EGRET_OK;
}
