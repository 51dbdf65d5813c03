/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c: binary heap.
 */
#include <stdlib.h>
#include <string.h>

#include "heap.h"

static bool before(const struct heap_item *a, const struct heap_item *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

bool egret_heap_push(struct heap *h, struct heap_item item)
{
    if (h->count == h->capacity) {
        size_t bigger = h->capacity ? h->capacity * 2u : 256u;
        void *moved = realloc(h->item, bigger * sizeof *h->item);
        if (!moved) {
            return false;
        }
        h->item = moved;
        h->capacity = bigger;
    }
    item.order = h->pushed++;
    size_t i = h->count++;
    while (i > 0 && before(&item, &h->item[(i - 1u) / 2u])) {
        h->item[i] = h->item[(i - 1u) / 2u];
        i = (i - 1u) / 2u;
    }
    h->item[i] = item;
    return true;
}

struct heap_item egret_heap_pop(struct heap *h)
{
    struct heap_item first = h->item[0];
    struct heap_item last = h->item[--h->count];
    size_t i = 0;
    for (;;) {
        size_t child = 2u * i + 1u;
        if (child >= h->count) {
            break;
        }
        if (child + 1u < h->count && before(&h->item[child + 1u], &h->item[child])) {
            child++;
        }
        if (!before(&h->item[child], &last)) {
            break;
        }
        h->item[i] = h->item[child];
        i = child;
    }
    if (h->count > 0) {
        h->item[i] = last;
    }
    return first;
}

void egret_heap_free(struct heap *h)
{
    free(h->item);
    memset(h, 0, sizeof *h);
}
