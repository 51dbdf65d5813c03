/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal_label.h: the labels of a rank block of GOAL text: a hash table. Internal to the trace
 * library.
 */
#ifndef EGRET_TRACE_GOAL_LABEL_H
#define EGRET_TRACE_GOAL_LABEL_H

#include <stddef.h>
#include <stdint.h>

struct goal_label {
    uint64_t hash;
    size_t text; /* where in text it starts */
    uint32_t op;
    uint32_t round; /* a slot of another block is free */
};
struct goal_labels {
    struct goal_label *slot;
    size_t slots; /* 0, or a power of two */
    size_t used;
    char *text;
    size_t length;
    size_t capacity;
    uint32_t round;
};

void egret_goal_labels_clear(struct goal_labels *l);
void egret_goal_labels_free(struct goal_labels *l);
/* EGRET_ERR_RANGE: it is there already; EGRET_ERR_MEMORY. */
int egret_goal_label_add(struct goal_labels *l, const char *name, uint32_t op);
/* EGRET_NO_OP: there is none. */
uint32_t egret_goal_label(const struct goal_labels *l, const char *name);

#endif
