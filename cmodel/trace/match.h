/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.h: which receive takes which send, and which calls are one collective. Internal to the
 * trace library.
 */
#ifndef EGRET_TRACE_MATCH_H
#define EGRET_TRACE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCH_ANY_SRC 1u
#define MATCH_ANY_TAG 2u
#define MATCH_NO_SIZE UINT64_MAX /* a receive that does not say */

struct importer;

struct match_end {
    uint64_t bytes;
    uint64_t tag;
    uint32_t src;
    uint32_t dst;
    uint32_t op;
    uint32_t any; /* of a receive: MATCH_ANY_*; of a send: 1 once it is taken */
};
struct match_ends {
    struct match_end *end;
    size_t count;
    size_t capacity;
};
struct match {
    struct match_ends send;
    struct match_ends recv;
};

/* Pairs them by source, destination and tag in the order of their operations; receives from any
 * source, or with any tag, take what is left after that, in the order of the sends. Each receive
 * then waits for its message. */
int egret_match_ends(struct importer *m);

/* A call of a collective at one rank: entry and exit are joins of that rank. */
struct call {
    uint64_t order; /* within rank and group; no two are the same */
    uint64_t bytes;
    uint32_t group;
    uint32_t rank;
    uint32_t entry;
    uint32_t exit;
    uint32_t root; /* rank, or UINT32_MAX: the first of the group */
    uint32_t kind; /* enum egret_collective_kind */
    uint32_t nth;  /* filled in by match */
};
struct calls {
    struct call *call;
    size_t count;
    size_t capacity;
};
/* Who is in group i; null: all ranks. *name is for messages. */
struct call_groups {
    void *user;
    int (*members)(void *user, uint32_t group, const uint32_t **rank, uint32_t *ranks,
                   const char **name);
};
int egret_match_add_call(struct importer *m, const struct call *c);
/* The n-th calls of a group's ranks are one collective, which is expanded between the joins. */
int egret_match_calls(struct importer *m, const struct call_groups *g);

#endif
