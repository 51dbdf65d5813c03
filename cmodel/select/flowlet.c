/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flowlet.c: scheme `flowlet`: a flow keeps its port until it has been silent for longer than idle
 * (docs/spec/flowlet.md). Mirrors rtl/egret_flowlet.v.
 *
 * The entry changes with every packet that is sent and has not met another flow in it.
 */
#include "internal.h"

const char *egret_flowlet_outcome_name(unsigned outcome)
{
    static const char *const name[] = {"hit", "new", "evict", "conflict"};
    return outcome < sizeof name / sizeof name[0] ? name[outcome] : NULL;
}

/* d of the page: 0 for time that stepped back. */
static uint32_t age_of(uint32_t time, uint32_t last)
{
    uint32_t d = (time - last) & EGRET_FLOWLET_TIME;
    return d >= EGRET_FLOWLET_BACK ? 0 : d;
}

static enum egret_flowlet_outcome outcome_of(bool valid, bool same_tag, bool expired)
{
    if (!valid)
        return EGRET_FLOWLET_NEW;
    if (same_tag)
        return expired ? EGRET_FLOWLET_NEW : EGRET_FLOWLET_HIT;
    return expired ? EGRET_FLOWLET_EVICT : EGRET_FLOWLET_CONFLICT;
}

/* The new path of a packet that has a live member; old: the expired entry of its own flow. */
static uint32_t new_path(const struct egret *e, const struct egret_group_state *g,
                         const uint32_t *old, struct egret_why *w)
{
    w->random = egret_random_next(e);
    w->candidates = w->live_members;
    if (g->quality & EGRET_QUALITY_NEW) {
        w->candidates = egret_least_band(e, w->live_members);
        if ((g->quality & EGRET_QUALITY_STRICT) && old != NULL && (w->candidates >> *old & 1u))
            return *old;
    }
    w->rank = (w->random >> 16) * egret_live_count(w->candidates) >> 16;
    return egret_live_kth(w->candidates, w->rank);
}

static bool choose(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w)
{
    uint32_t slot = w->hash & 0xffffu & g->flowlet_mask;
    uint32_t index = ((g->flowlet_base + slot) & 0xffffu) & (e->cfg.num_flowlets - 1);
    const struct egret_flowlet *entry = &e->flowlet[index];
    uint32_t word = egret_flowlet_word(entry->flow);
    uint32_t fault = egret_fault(e, EGRET_A_FLOWLET(index, 0), EGRET_FAULT_FLOWLET);
    bool valid = word >> 31 && fault == 0;
    uint32_t port = word & 0xffu;
    bool same_tag;

    w->flowlet = index;
    w->pointer = EGRET_A_FLOWLET(index, 0);
    w->flow_tag = w->hash >> 20;
    w->time = (uint32_t)(ev->now >> 4) & EGRET_FLOWLET_TIME;
    w->old_entry = w->new_entry = word;
    w->old_last = w->new_last = entry->last & EGRET_FLOWLET_TIME;
    w->age = age_of(w->time, w->old_last);
    w->expired = w->age > g->idle;
    same_tag = (word >> 16 & 0xfffu) == w->flow_tag;
    w->outcome = outcome_of(valid, same_tag, w->expired);
    w->repair_random = w->hash >> 16;
    w->decision.data = w->outcome << 30 | index;
    if (w->live_count == 0)
        return true;
    w->faults = fault;

    if (w->outcome == EGRET_FLOWLET_CONFLICT) {
        w->bucket = egret_ecmp_bucket(w->hash, g->bucket_base, g->bucket_mask, e->cfg.num_buckets);
        w->choice = e->bucket[w->bucket];
        w->faults = egret_fault(e, EGRET_A_BUCKET(w->bucket), EGRET_FAULT_BUCKET);
        return true;
    }
    if (w->outcome == EGRET_FLOWLET_HIT)
        w->choice = port;
    else
        w->choice = new_path(e, g, valid && same_tag ? &port : NULL, w);
    w->new_entry = 0x80000000u | w->flow_tag << 16 | w->choice;
    w->new_last = w->time;
    return true;
}

const struct egret_scheme_ops egret_scheme_flowlet = {"flowlet", choose};
