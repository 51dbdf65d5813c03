/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.h: a queue of things ordered by time, first in first out among equals. Internal.
 */
#ifndef EGRET_TRACE_HEAP_H
#define EGRET_TRACE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_item {
    uint64_t time;
    uint64_t order; /* set by egret_heap_push() */
    uint32_t kind;
    uint32_t index;
    uint32_t sequence;
    uint32_t payload;
};

struct heap {
    struct heap_item *item;
    size_t count;
    size_t capacity;
    uint64_t pushed;
};

/* False if memory is out. */
bool egret_heap_push(struct heap *h, struct heap_item item);
/* Takes the first one; the heap is not empty. */
struct heap_item egret_heap_pop(struct heap *h);
void egret_heap_free(struct heap *h);

#endif
