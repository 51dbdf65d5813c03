/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.h: buckets of packets, a (node, window) each: the hot half of queue.c.
 */
#ifndef EGRET_FABRIC_QUEUE_H
#define EGRET_FABRIC_QUEUE_H

#include "core.h"

#if defined(__GNUC__)
#define FAB_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FAB_PREFETCH(p) __builtin_prefetch(p)
#else
#define FAB_UNLIKELY(x) (x)
#define FAB_PREFETCH(p) ((void)(p))
#endif

struct fab_sort;

/* Memory of a worker: buckets, a first slab. EGRET_ERR_MEMORY. */
int egret_fab_queue_open(struct fab_worker *w);
void egret_fab_queue_close(struct fab_worker *w);
/* At the start of a window: where the next buckets are; puts what the ring reaches by now from the
 * far list into buckets. */
void egret_fab_queue_window(struct fab_worker *w);
/* An empty chunk at the end of a bucket of a window; null and w->code if memory is out. */
struct fab_chunk *egret_fab_chunk(struct fab_worker *w, struct fab_bucket *b, uint64_t window);
/* Room for a packet beyond the ring; null likewise. */
struct fab_packet *egret_fab_far(struct fab_worker *w, uint32_t node);

/* A chunk that is about to be read; null is fine. */
static inline void fab_fetch(const struct fab_chunk *c)
{
    for (size_t i = 0; i < sizeof *c; i += 64u) {
        FAB_PREFETCH((const char *)c + i);
    }
}

static inline struct fab_bucket *fab_bucket(const struct fab_worker *w, uint64_t window,
                                            uint32_t node)
{
    const struct egret_fabric *f = w->fabric;
    return &w->bucket[(window & (f->ring - 1u)) * f->nodes + node];
}

/* Windows from the current one on; exact below 2^32 ps, else by division. */
static inline uint64_t fab_windows_ahead(const struct egret_fabric *f, uint64_t time)
{
    uint64_t offset = time - f->window_start;
#if defined(__SIZEOF_INT128__)
    if (!FAB_UNLIKELY(offset >> 32)) {
        __extension__ typedef unsigned __int128 wide;
        return (uint64_t)((wide)offset * f->window_inverse >> 64);
    }
#endif
    return offset / f->window_ps;
}

/* Where the next packet for a node that arrives at `time` is to be put; null: memory is out. */
static inline struct fab_packet *fab_slot(struct fab_worker *w, uint32_t node, uint64_t time)
{
    const struct egret_fabric *f = w->fabric;
    uint64_t ahead = fab_windows_ahead(f, time);
    struct fab_bucket *b;
    if (FAB_UNLIKELY(ahead >= FAB_NEXT)) {
        if (ahead >= f->ring) {
            return egret_fab_far(w, node);
        }
        b = fab_bucket(w, f->window + ahead, node);
    } else {
        b = &w->next[ahead][node];
    }
    struct fab_chunk *c = b->tail; /* w->full in an empty bucket */
    if (c->n == FAB_CHUNK_PACKETS) {
        c = egret_fab_chunk(w, b, f->window + ahead);
        if (FAB_UNLIKELY(c == NULL)) {
            return NULL;
        }
    }
    return &c->packet[c->n++];
}

static inline void fab_post(struct fab_worker *w, uint32_t node, const struct fab_packet *packet)
{
    struct fab_packet *p = fab_slot(w, node, packet->time);
    if (p) {
        *p = *packet;
    }
}

#endif
