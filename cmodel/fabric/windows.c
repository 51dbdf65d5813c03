/* SPDX-License-Identifier: Apache-2.0 */
/*
 * windows.c: which window is next. Those in which nothing happens are left out: each worker keeps a
 * bit for each window of its ring to which it has posted, so that no bucket is looked at for it.
 */
#include "queue.h"
#include "run.h"

uint64_t egret_fab_first_wake(const struct egret_fabric *f)
{
    uint64_t wake = FAB_NEVER;
    for (uint32_t i = 0; i < f->first_node[FAB_EDGE]; i++) {
        wake = f->node[i].wake < wake ? f->node[i].wake : wake;
    }
    return wake;
}

/* The workers that have posted to a window of the ring, a bit each. */
static uint64_t posted_to(const struct egret_fabric *f, uint64_t window)
{
    uint64_t slot = window & (f->ring - 1u), mask = 0;
    for (uint32_t i = 0; i < f->workers; i++) {
        mask |= (f->worker[i].used[slot / 64u] >> slot % 64u & 1u) << i;
    }
    return mask;
}

/* The first window behind the current one to which something is posted, in the ring; FAB_NEVER. */
static uint64_t first_posted(const struct egret_fabric *f)
{
    uint64_t used[FAB_RING_MOST / 64u] = {0};
    for (uint32_t i = 0; i < f->workers; i++) {
        for (uint32_t j = 0; j < FAB_RING_MOST / 64u; j++) {
            used[j] |= f->worker[i].used[j];
        }
    }
    for (uint64_t window = f->window + 1u; window < f->window + f->ring;) {
        uint64_t slot = window & (f->ring - 1u);
        if (used[slot / 64u] >> slot % 64u & 1u) {
            return window;
        }
        window += used[slot / 64u] >> slot % 64u ? 1u : 64u - slot % 64u;
    }
    return FAB_NEVER;
}

/* Where far packets must be looked at next. While something is in the ring, that is when the list
 * is next looked through; else the window before the first of them, so that it is in its bucket
 * when its own begins. */
static uint64_t first_far(struct egret_fabric *f, bool ring)
{
    uint64_t next = FAB_NEVER;
    for (uint32_t i = 0; i < f->workers; i++) {
        struct fab_worker *w = &f->worker[i];
        if (ring && w->fars) {
            next = w->far_window < next ? w->far_window : next;
        }
        for (size_t j = 0; !ring && j < w->fars; j++) {
            uint64_t window = w->far[j].packet.time / f->window_ps - 1u;
            w->far_window = 0;
            next = window < next ? window : next;
        }
    }
    return next;
}

uint64_t egret_fab_next_window(struct egret_fabric *f)
{
    uint64_t next = f->window + 1u;
    if (posted_to(f, next)) {
        return next;
    }
    uint64_t first = egret_fab_first_wake(f) / f->window_ps;
    uint64_t posted = first_posted(f);
    uint64_t far = first_far(f, posted != FAB_NEVER);
    first = posted < first ? posted : first;
    first = far < first ? far : first;
    return first > next ? first : next;
}

void egret_fab_begin_window(struct egret_fabric *f, uint64_t window)
{
    uint64_t slot = f->window & (f->ring - 1u);
    for (uint32_t i = 0; i < f->workers && window != f->window; i++) {
        f->worker[i].used[slot / 64u] &= ~((uint64_t)1 << slot % 64u);
    }
    f->window = window;
    f->window_start = window * f->window_ps;
    f->posted = posted_to(f, window);
}
