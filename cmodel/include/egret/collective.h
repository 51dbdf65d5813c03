/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective.h: collectives that expand into the messages of a schedule, by named algorithms.
 *
 * docs/trace.md says what each algorithm sends and when. The names are NCCL's, ASTRA-sim's and the
 * papers'. The same arguments give the same operations on every machine.
 */
#ifndef EGRET_COLLECTIVE_H
#define EGRET_COLLECTIVE_H

#include "egret/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Chakra's numbers (CollectiveCommType), and what has none there. */
enum egret_collective_kind {
    EGRET_COLL_ALL_REDUCE = 0,
    EGRET_COLL_REDUCE = 1,
    EGRET_COLL_ALL_GATHER = 2,
    EGRET_COLL_GATHER = 3,
    EGRET_COLL_SCATTER = 4,
    EGRET_COLL_BROADCAST = 5,
    EGRET_COLL_ALL_TO_ALL = 6,
    EGRET_COLL_REDUCE_SCATTER = 7,
    EGRET_COLL_REDUCE_SCATTER_BLOCK = 8,
    EGRET_COLL_BARRIER = 9,
    EGRET_COLL_KINDS = 10
};

/* Algorithms; 0 is the default of a kind. */
enum egret_collective_algorithm {
    EGRET_ALGO_DEFAULT = 0,
    EGRET_ALGO_RING = 1,
    EGRET_ALGO_HALVING_DOUBLING = 2, /* recursive halving, doubling, any number of ranks */
    EGRET_ALGO_DOUBLE_BINARY_TREE = 3,
    EGRET_ALGO_DIRECT = 4,       /* each rank to all others at once, r + 1 first */
    EGRET_ALGO_PAIRWISE = 5,     /* step s: to r + s, then waits for the arrival from r - s */
    EGRET_ALGO_HIERARCHICAL = 6, /* within groups of group_size, then across, then within */
    EGRET_ALGO_BINOMIAL = 7,
    EGRET_ALGO_DISSEMINATION = 8, /* barrier */
    EGRET_ALGO_COUNT = 9
};

struct egret_collective {
    enum egret_collective_kind kind;
    enum egret_collective_algorithm algorithm;
    uint32_t ranks;       /* members, at least 1 (1 sends nothing) */
    const uint32_t *rank; /* of each member; null: member i is rank i */
    uint64_t bytes; /* Chakra's comm_size: all-reduce, reduce, broadcast: the buffer; all-gather,
                     * gather: the result of all; reduce-scatter, scatter: the input of all;
                     * all-to-all: what one rank sends in all, its own share included */
    uint32_t root;  /* member: reduce, gather, scatter, broadcast */
    uint32_t group_size; /* hierarchical */
    uint32_t channels;   /* parallel rings; 0 is 1 */
    uint64_t chunk;      /* pieces of a tree's pipeline, bytes; 0: one piece */
};

/* Appends the operations. entry[i] (null, or EGRET_NO_OP each: at time 0) is an operation at member
 * i that must be done before it takes part; exit_op[i] (may be null) becomes a join at member i
 * that is done when its part is. EGRET_ERR_RANGE with the reason for what the algorithm cannot do;
 * EGRET_ERR_MEMORY. */
int egret_collective_expand(struct egret_schedule *s, const struct egret_collective *c,
                            const uint32_t *entry, uint32_t *exit_op,
                            struct egret_trace_error *err);
/* More on that: a member sends its own data once its entry is done, and passes on what has arrived;
 * its part is done when what it sends is acknowledged and what it receives has arrived. A piece of
 * no bytes is sent as one byte. entry and exit_op may be one array. On an error s has more
 * operations than before: free it. */

/* The algorithm that the default of a kind is. */
enum egret_collective_algorithm egret_collective_default(enum egret_collective_kind kind);
/* "allreduce" "reduce-scatter" ...; "ring" "halving-doubling" ...; null beyond the last. */
const char *egret_collective_kind_name(unsigned kind);
/* Likewise of an algorithm. */
const char *egret_collective_algorithm_name(unsigned algorithm);
/* Their numbers; false for an unknown name. Takes Chakra's and NCCL's spellings, too: ALL_REDUCE,
 * AllReduce. */
bool egret_collective_kind_parse(const char *name, enum egret_collective_kind *out);
/* Likewise of an algorithm. */
bool egret_collective_algorithm_parse(const char *name, enum egret_collective_algorithm *out);

/* ---- traffic patterns by name, collectives among them ---- */

struct egret_pattern {
    const char *name; /* egret_pattern_name(), or a kind of collective */
    uint32_t ranks;   /* at least 2 */
    uint64_t bytes;   /* docs/trace.md says of what; fsdp has its own */
    uint64_t rounds;  /* ring: steps; alltoall: destinations of each; fsdp: layers; 0: all, one */
    uint32_t seed;    /* permutation, moe */
    enum egret_collective_algorithm algorithm;
    uint32_t channels;
    uint32_t group_size; /* hierarchical; incast: senders, 0 all */
    uint32_t root;
    uint64_t chunk;   /* trees, chains: pieces; moe: a token; 0: one piece, 4096 bytes */
    uint32_t window;  /* alltoall: unacknowledged messages of each rank; 0: any number */
    uint32_t experts; /* moe: of each token; 0: 2 */
    uint32_t skew;    /* moe: per cent that are drawn from an eighth of the experts */
};
/* Makes a sealed schedule. EGRET_ERR_RANGE with the reason, of an option that is not for the
 * pattern, too; EGRET_ERR_MEMORY. */
int egret_pattern_make(const struct egret_pattern *p, struct egret_schedule *out,
                       struct egret_trace_error *err);
/* Names of the patterns, then of the collectives; null beyond the last. */
const char *egret_pattern_name(size_t i);

#ifdef __cplusplus
}
#endif
#endif
