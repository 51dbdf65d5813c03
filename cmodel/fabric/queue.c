/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.c: buckets of packets, a (node, window) each, and their order.
 *
 * A bucket is a list of chunks from the worker that posts; the worker that owns the node takes it
 * and keeps the chunks. A packet's place in the order is (time, input port): no two packets arrive
 * by one link at once. What is no packet has FAB_IN_SIGNAL, and (flow, sequence) beside. So the
 * order is the same whoever posted what, and when.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"

#define SLAB_FIRST 128u /* chunks */
#define SLAB_MOST 8192u /* 8 MiB */
#define MAX_BINS 4096u
#define MAX_NUMBERS 0xffffffu /* of a bucket: what a key has room for */

/* What sorting needs, for as many packets as the fullest bucket had. */
struct fab_sort {
    uint64_t *key;                /* {offset in the window 32, in 8, number 24} */
    uint64_t *turn;               /* the same by bins */
    const struct fab_packet **at; /* packet of a number */
    uint32_t *signal;             /* numbers of what is no packet */
    size_t capacity;
    uint32_t bin[MAX_BINS];
};

int egret_fab_queue_open(struct fab_worker *w)
{
    const struct egret_fabric *f = w->fabric;
    size_t buckets = (size_t)f->ring * f->nodes;
    w->bucket = calloc(buckets, sizeof *w->bucket);
    w->sort = calloc(1, sizeof *w->sort);
    w->slab_chunks = SLAB_FIRST;
    if (!w->bucket || !w->sort) {
        return EGRET_ERR_MEMORY;
    }
    w->full.n = FAB_CHUNK_PACKETS;
    for (size_t i = 0; i < buckets; i++) {
        w->bucket[i].tail = &w->full;
    }
    return EGRET_OK;
}

void egret_fab_queue_close(struct fab_worker *w)
{
    for (size_t i = 0; i < w->slabs; i++) {
        free(w->slab[i]);
    }
    free(w->slab);
    free(w->bucket);
    free(w->far);
    free(w->sorted);
    if (w->sort) {
        free(w->sort->key);
        free(w->sort->turn);
        free(w->sort->at);
        free(w->sort->signal);
        free(w->sort);
    }
}

static void out_of_memory(struct fab_worker *w)
{
    w->code = EGRET_ERR_MEMORY;
}

/* Slabs double: a run that has found its size allocates no more. */
static bool more_chunks(struct fab_worker *w)
{
    void **slab = realloc(w->slab, (w->slabs + 1u) * sizeof *slab);
    if (!slab) {
        return false;
    }
    w->slab = slab;
    struct fab_chunk *c = malloc(w->slab_chunks * sizeof *c);
    if (!c) {
        return false;
    }
    w->slab[w->slabs++] = c;
    for (uint64_t i = 0; i < w->slab_chunks; i++) {
        c[i].next = i + 1u < w->slab_chunks ? &c[i + 1u] : NULL;
    }
    w->free = c;
    if (w->slab_chunks < SLAB_MOST) {
        w->slab_chunks *= 2u;
    }
    return true;
}

struct fab_chunk *egret_fab_chunk(struct fab_worker *w, struct fab_bucket *b, uint64_t window)
{
    if (!w->free && !more_chunks(w)) {
        out_of_memory(w);
        return NULL;
    }
    struct fab_chunk *c = w->free;
    w->free = c->next;
    FAB_PREFETCH(w->free);
    c->next = NULL;
    c->n = 0;
    if (b->head) {
        c->number = b->tail->number + 1u;
        b->tail->next = c;
    } else {
        uint64_t slot = window & (w->fabric->ring - 1u);
        w->used[slot / 64u] |= (uint64_t)1 << slot % 64u;
        c->number = 0;
        b->head = c;
    }
    b->tail = c;
    w->pending++;
    return c;
}

void egret_fab_post(struct fab_worker *w, uint32_t node, const struct fab_packet *packet)
{
    fab_post(w, node, packet);
}

struct fab_packet *egret_fab_far(struct fab_worker *w, uint32_t node)
{
    if (w->fars == w->far_capacity) {
        size_t capacity = w->far_capacity ? 2u * w->far_capacity : 1024u;
        struct fab_far *far = realloc(w->far, capacity * sizeof *far);
        if (!far) {
            out_of_memory(w);
            return NULL;
        }
        w->far = far;
        w->far_capacity = capacity;
    }
    w->far[w->fars].node = node;
    w->pending++;
    return &w->far[w->fars++].packet;
}

void egret_fab_queue_window(struct fab_worker *w)
{
    const struct egret_fabric *f = w->fabric;
    size_t kept = 0;
    for (uint32_t i = 0; i < FAB_NEXT; i++) {
        w->next[i] = fab_bucket(w, f->window + i, 0);
    }
    if (w->fars == 0 || f->window < w->far_window) {
        return;
    }
    for (size_t i = 0; i < w->fars; i++) {
        if (fab_windows_ahead(f, w->far[i].packet.time) < f->ring) {
            w->pending--;
            fab_post(w, w->far[i].node, &w->far[i].packet);
        } else {
            w->far[kept++] = w->far[i];
        }
    }
    w->fars = kept;
    w->far_window = f->window + f->ring / 2u;
}

/* Room for n packets. */
static bool room(struct fab_worker *w, size_t n)
{
    struct fab_sort *s = w->sort;
    if (n <= s->capacity) {
        return true;
    }
    size_t capacity = 256u;
    while (capacity < n) {
        capacity *= 2u;
    }
    free(w->sorted);
    free(s->key);
    free(s->turn);
    free(s->at);
    free(s->signal);
    w->sorted = malloc(capacity * sizeof *w->sorted);
    s->key = malloc(capacity * sizeof *s->key);
    s->turn = malloc(capacity * sizeof *s->turn);
    s->at = malloc(capacity * sizeof *s->at);
    s->signal = malloc(capacity * sizeof *s->signal);
    s->capacity = w->sorted && s->key && s->turn && s->at && s->signal ? capacity : 0;
    if (s->capacity == 0) {
        out_of_memory(w);
    }
    return s->capacity != 0;
}

/* Is what number a names behind what number b names? */
static bool signal_behind(const struct fab_sort *s, uint32_t a, uint32_t b)
{
    const struct fab_packet *x = s->at[a];
    const struct fab_packet *y = s->at[b];
    if (x->time != y->time) {
        return x->time > y->time;
    }
    if (x->flow != y->flow) {
        return x->flow > y->flow;
    }
    return x->sequence != y->sequence ? x->sequence > y->sequence : x->flags > y->flags;
}

static void sift_signal(const struct fab_sort *s, size_t at, size_t n)
{
    uint32_t moving = s->signal[at];
    for (size_t child = 2u * at + 1u; child < n; child = 2u * at + 1u) {
        if (child + 1u < n && signal_behind(s, s->signal[child + 1u], s->signal[child])) {
            child++;
        }
        if (!signal_behind(s, s->signal[child], moving)) {
            break;
        }
        s->signal[at] = s->signal[child];
        at = child;
    }
    s->signal[at] = moving;
}

static void sort_signals(const struct fab_sort *s, size_t n)
{
    for (size_t i = n / 2u; i-- > 0;) {
        sift_signal(s, i, n);
    }
    for (size_t i = n; i-- > 1u;) {
        uint32_t last = s->signal[i];
        s->signal[i] = s->signal[0];
        s->signal[0] = last;
        sift_signal(s, 0, i);
    }
}

/* Sorts n keys, counted into bins already: by bins, then by insertion: packets that were posted
 * nearly in order stay so, and a bin holds few. */
static const uint64_t *sort_keys(struct fab_sort *s, size_t n, uint32_t bins, uint64_t scale)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < bins; i++) {
        uint32_t count = s->bin[i];
        s->bin[i] = sum;
        sum += count;
    }
    uint64_t *k = s->turn;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = s->key[i];
        k[s->bin[(key >> 32) * scale >> 32]++] = key;
    }
    uint64_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t moving = k[i];
        if (moving >= last) {
            last = moving;
            continue;
        }
        size_t j = i;
        for (; j > 0 && k[j - 1u] > moving; j--) {
            k[j] = k[j - 1u];
        }
        k[j] = moving;
    }
    return k;
}

/* Bins for n keys. */
static uint32_t bins_for(size_t n)
{
    uint32_t bins = 16;
    while (2u * bins < n && bins < MAX_BINS) {
        bins *= 2u;
    }
    return bins;
}

size_t egret_fab_take(struct fab_worker *w, uint32_t node)
{
    const struct egret_fabric *f = w->fabric;
    struct fab_sort *s = w->sort;
    uint64_t start = f->window_start;
    size_t n = 0, keys = 0, signals = 0;
    struct fab_chunk *chunks = NULL;
    struct fab_chunk **end = &chunks;

    for (uint32_t i = 0; i < f->workers; i++) { /* one list of all that was posted */
        struct fab_bucket *b = fab_bucket(&f->worker[i], f->window, node);
        if (b->head) {
            n += (size_t)b->tail->number * FAB_CHUNK_PACKETS + b->tail->n;
            w->pending -= b->tail->number + 1u;
            *end = b->head;
            end = &b->tail->next;
            b->head = NULL;
            b->tail = &f->worker[i].full;
        }
    }
    w->taken += n;
    if (n > MAX_NUMBERS) {
        w->code = EGRET_ERR_RANGE;
        (void)snprintf(w->text, sizeof w->text,
                       "%zu packets arrive at a switch, or at the hosts of one, within a window of "
                       "%u ps, at most %u: the shortest latency is too long",
                       n, f->window_ps, MAX_NUMBERS);
        n = 0;
    }
    if (n == 0 || !room(w, n)) {
        return 0;
    }
    uint32_t number = 0;
    uint32_t bins = bins_for(n);
    uint64_t scale = ((uint64_t)bins << 32) / f->window_ps; /* offset * scale >> 32 < bins */
    memset(s->bin, 0, bins * sizeof s->bin[0]);
    for (const struct fab_chunk *c = chunks; c; c = c->next) {
        const struct fab_packet *end_of_chunk = c->packet + c->n;
        fab_fetch(c->next);
        for (const struct fab_packet *p = c->packet; p != end_of_chunk; p++, number++) {
            s->at[number] = p;
            if (FAB_UNLIKELY(p->in == FAB_IN_SIGNAL)) {
                s->signal[signals++] = number;
            } else {
                uint64_t offset = p->time - start;
                s->bin[offset * scale >> 32]++;
                s->key[keys++] = offset << 32 | (uint64_t)p->in << 24 | number;
            }
        }
    }
    const uint64_t *key = sort_keys(s, keys, bins, scale);
    if (signals == 0) {
        for (size_t i = 0; i < keys; i++) {
            w->sorted[i] = *s->at[key[i] & 0xffffffu];
        }
    } else {
        size_t a = 0, b = 0;
        sort_signals(s, signals);
        for (size_t i = 0; i < n; i++) {
            bool packet = a < keys && (b == signals || s->at[key[a] & 0xffffffu]->time <=
                                                           s->at[s->signal[b]]->time);
            w->sorted[i] = packet ? *s->at[key[a++] & 0xffffffu] : *s->at[s->signal[b++]];
        }
    }
    *end = w->free;
    w->free = chunks;
    return n;
}
