/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_parts.h: what the algorithms of collectives share. Internal to the trace library.
 *
 * A buffer is cut into as many chunks as there are members; the first ones are a byte longer. Chunk
 * i belongs to member i. Of an all-to-all chunk src * members + dst goes from src to dst. Members
 * are counted from 0; only coll_send() knows their ranks.
 */
#ifndef EGRET_TRACE_COLLECTIVE_PARTS_H
#define EGRET_TRACE_COLLECTIVE_PARTS_H

#include "egret/collective.h"

/* Chunks lo, lo + stride, ...; of a stride of 1 modulo the number of members. */
struct coll_chunks {
    uint64_t lo;
    uint32_t count;
    uint32_t stride;
};
/* What a message carries; tests look at it. */
struct coll_note {
    uint32_t message;
    struct coll_chunks chunks;
};

struct coll {
    struct egret_schedule *s;
    const struct egret_collective *c;
    const uint32_t *entry; /* as egret_collective_expand() */
    struct egret_trace_error *err;
    uint32_t n;             /* members */
    uint64_t bytes;         /* of the buffer, or of the channel's part of it */
    uint32_t channel;       /* that messages are for */
    struct coll_note *note; /* null: none are taken */
    size_t notes;
    size_t note_capacity;
};

/* Bytes of chunk i of n. */
static inline uint64_t coll_share(uint64_t bytes, uint64_t n, uint64_t i)
{
    return bytes / n + (i < bytes % n);
}
static inline struct coll_chunks coll_chunks(uint64_t lo, uint32_t count, uint32_t stride)
{
    struct coll_chunks x = {lo, count, stride};
    return x;
}
/* Bytes of some chunks of a buffer, which is not an all-to-all's. */
uint64_t coll_bytes(const struct coll *k, struct coll_chunks x);
/* Is there room for a * b * c more messages? Else an error. */
int coll_room(const struct coll *k, uint64_t a, uint64_t b, uint64_t c);
/* A message between members; one of no bytes carries one, so that what waits for it goes on. */
int coll_send(struct coll *k, uint32_t from, uint32_t to, uint64_t bytes, struct coll_chunks x,
              uint32_t *message);
/* `op` waits for an event of `before`, unless that is EGRET_NO_OP. */
int coll_after(struct coll *k, uint32_t before, enum egret_op_event event, uint32_t op);
/* A join at a member. */
int coll_join(struct coll *k, uint32_t member, uint32_t *join);
static inline uint32_t coll_entry(const struct coll *k, uint32_t member)
{
    return k->entry ? k->entry[member] : EGRET_NO_OP;
}
int coll_refuse(const struct coll *k, const char *reason);
int coll_no_memory(const struct coll *k);

/* The algorithms: each appends its messages, for kinds it can do. */
int coll_ring(struct coll *k);
int coll_halving_doubling(struct coll *k);
int coll_double_binary_tree(struct coll *k);
int coll_direct(struct coll *k);
int coll_pairwise(struct coll *k);
int coll_hierarchical(struct coll *k);
int coll_binomial(struct coll *k);
int coll_dissemination(struct coll *k);

/* A ring of `count` members: base, base + step, ... at positions 0, 1, ... */
struct coll_ring_shape {
    uint32_t base;
    uint32_t step;
    uint32_t count;
    uint64_t lo; /* position p has the chunks from lo + p * lo_step on */
    uint64_t lo_step;
    uint32_t chunks;
    uint32_t stride;
    bool gather; /* chunks are passed on, else added up: position p ends with its own */
    bool each;   /* every send waits for ready of its member, else only the first */
};
/* ready[i]: what member i waits for, in: before its first send; out: when it has its result. The
 * result of a gather is there with a join, if `join`, else ready is as it was. */
int coll_ring_phase(struct coll *k, const struct coll_ring_shape *shape, uint32_t *ready,
                    bool join);
/* ready[] with the entries of all members; null without memory. */
uint32_t *coll_ready(const struct coll *k);

/* A node of the first tree of two, and of the second; EGRET_NO_OP: no such neighbour. */
struct coll_tree_node {
    uint32_t up;
    uint32_t down[2];
};
struct coll_tree_node coll_tree_node(uint32_t n, uint32_t member, unsigned tree);

/* As egret_collective_expand(), with notes in k->note, which the caller frees. */
int coll_expand(struct coll *k, uint32_t *exit_op);

#endif
