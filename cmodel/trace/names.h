/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.h: a hash table from names to numbers. Internal to the trace
 * library.
 */
#ifndef EGRET_TRACE_NAMES_H
#define EGRET_TRACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct name_slot {
    uint64_t hash;
    size_t text; /* where in text it starts */
    uint32_t value;
    uint32_t round; /* a slot of another round is free */
};
struct names {
    struct name_slot *slot;
    size_t slots; /* 0, or a power of two */
    size_t used;
    char *text;
    size_t length;
    size_t capacity;
    uint32_t round;
};

/* Forgets all, and keeps the memory. To be called before the first use, too. */
void egret_names_clear(struct names *l);
void egret_names_free(struct names *l);
/* EGRET_ERR_RANGE: it is there already; EGRET_ERR_MEMORY. */
int egret_names_add(struct names *l, const char *name, uint32_t value);
/* EGRET_NO_OP: there is none. */
uint32_t egret_names_find(const struct names *l, const char *name);

#endif
