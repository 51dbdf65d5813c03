/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective.c: a collective becomes messages: checks, the choice of the algorithm, what is at the
 * end of each member's part. The algorithms are in collective_*.c.
 */
#include <stdlib.h>
#include <string.h>

#include "collective_parts.h"

#define MAX_BYTES ((uint64_t)1 << 48)
#define MAX_CHANNELS 255u

static const char *kind_of(const struct coll *k)
{
    return egret_collective_kind_name((unsigned)k->c->kind);
}

int coll_refuse(const struct coll *k, const char *reason)
{
    const char *kind = kind_of(k);
    const char *algorithm = egret_collective_algorithm_name((unsigned)k->c->algorithm);
    return egret_trace_fail(k->err, EGRET_ERR_RANGE, "%s, %s: %s", kind ? kind : "collective",
                            algorithm ? algorithm : "?", reason);
}

int coll_no_memory(const struct coll *k)
{
    return egret_trace_fail(k->err, EGRET_ERR_MEMORY, "%s: out of memory", kind_of(k));
}

uint64_t coll_bytes(const struct coll *k, struct coll_chunks x)
{
    uint64_t longer = k->bytes % k->n; /* so many chunks from 0 on have a byte more */
    uint64_t more = 0;
    if (x.lo < longer) {
        more = (longer - x.lo + x.stride - 1u) / x.stride;
        more = more < x.count ? more : x.count;
    }
    if (x.stride == 1u && x.lo + x.count > k->n) { /* goes round */
        uint64_t wrapped = x.lo + x.count - k->n;
        more += wrapped < longer ? wrapped : longer;
    }
    return k->bytes / k->n * x.count + more;
}

int coll_room(const struct coll *k, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t room = EGRET_SCHEDULE_MAX_OPS - k->s->ops;
    if (a == 0 || b == 0 || c == 0 || (a <= room && b <= room / a && c <= room / a / b)) {
        return EGRET_OK;
    }
    return coll_refuse(k, "more messages than a schedule can have");
}

static uint32_t rank_of(const struct coll *k, uint32_t member)
{
    return k->c->rank ? k->c->rank[member] : member;
}

/* Room for one more note. */
static int grow_notes(struct coll *k)
{
    if (k->notes < k->note_capacity) {
        return EGRET_OK;
    }
    void *moved = realloc(k->note, k->note_capacity * 2u * sizeof *k->note);
    if (!moved) {
        return coll_no_memory(k);
    }
    k->note = moved;
    k->note_capacity *= 2u;
    return EGRET_OK;
}

static int appended(const struct coll *k, int code)
{
    return code == EGRET_OK          ? EGRET_OK
           : code == EGRET_ERR_RANGE ? coll_refuse(k, "more than a schedule can have")
                                     : coll_no_memory(k);
}

int coll_send(struct coll *k, uint32_t from, uint32_t to, uint64_t bytes, struct coll_chunks x,
              uint32_t *message)
{
    int code =
        egret_schedule_message(k->s, rank_of(k, from), rank_of(k, to), bytes ? bytes : 1u, message);
    if (code) {
        return appended(k, code);
    }
    k->s->op[*message].pair |= (uint64_t)k->channel << 56;
    if (k->note) {
        code = grow_notes(k);
        if (code == EGRET_OK) {
            k->note[k->notes++] = (struct coll_note){*message, x};
        }
    }
    return code;
}

int coll_after(struct coll *k, uint32_t before, enum egret_op_event event, uint32_t op)
{
    return before == EGRET_NO_OP ? EGRET_OK
                                 : appended(k, egret_schedule_after(k->s, before, event, op));
}

int coll_join(struct coll *k, uint32_t member, uint32_t *join)
{
    return appended(k, egret_schedule_delay(k->s, rank_of(k, member), 0, join));
}

uint32_t *coll_ready(const struct coll *k)
{
    uint32_t *ready = malloc(k->n * sizeof *ready);
    for (uint32_t i = 0; ready && i < k->n; i++) {
        ready[i] = coll_entry(k, i);
    }
    return ready;
}

static int by_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* No rank may be a member twice. order: room for n. */
static int check_ranks(const struct coll *k, uint32_t *order)
{
    memcpy(order, k->c->rank, k->n * sizeof *order);
    qsort(order, k->n, sizeof *order, by_rank);
    for (uint32_t i = 1; i < k->n; i++) {
        if (order[i] == order[i - 1u]) {
            return egret_trace_fail(k->err, EGRET_ERR_RANGE, "%s: rank %u is a member twice",
                                    kind_of(k), order[i]);
        }
    }
    return EGRET_OK;
}

static int check(const struct coll *k)
{
    const struct egret_collective *c = k->c;
    if ((unsigned)c->kind >= EGRET_COLL_KINDS || (unsigned)c->algorithm >= EGRET_ALGO_COUNT) {
        return egret_trace_fail(k->err, EGRET_ERR_RANGE, "unknown collective or algorithm");
    }
    if (c->ranks < 1u || c->ranks > EGRET_SCHEDULE_MAX_RANKS) {
        return coll_refuse(k, "1 to 2^24 members");
    }
    if (c->bytes > MAX_BYTES) {
        return coll_refuse(k, "more than 2^48 bytes");
    }
    if (c->root >= c->ranks) {
        return coll_refuse(k, "the root is not a member");
    }
    if (c->channels > MAX_CHANNELS) {
        return coll_refuse(k, "more than 255 channels");
    }
    if (c->channels > 1u && c->algorithm != EGRET_ALGO_RING) {
        return coll_refuse(k, "channels are for ring");
    }
    if (!c->rank) {
        return EGRET_OK;
    }
    uint32_t *order = malloc(c->ranks * sizeof *order);
    int code = order ? check_ranks(k, order) : coll_no_memory(k);
    free(order);
    return code;
}

static int run(struct coll *k)
{
    switch (k->c->algorithm) {
    case EGRET_ALGO_RING:
        return coll_ring(k);
    case EGRET_ALGO_HALVING_DOUBLING:
        return coll_halving_doubling(k);
    case EGRET_ALGO_DOUBLE_BINARY_TREE:
        return coll_double_binary_tree(k);
    case EGRET_ALGO_DIRECT:
        return coll_direct(k);
    case EGRET_ALGO_PAIRWISE:
        return coll_pairwise(k);
    case EGRET_ALGO_HIERARCHICAL:
        return coll_hierarchical(k);
    case EGRET_ALGO_BINOMIAL:
        return coll_binomial(k);
    default:
        return coll_dissemination(k);
    }
}

struct at_rank {
    uint32_t rank;
    uint32_t exit_op;
};

static int by_at_rank(const void *a, const void *b)
{
    return by_rank(&((const struct at_rank *)a)->rank, &((const struct at_rank *)b)->rank);
}

static uint32_t exit_of(const struct at_rank *sorted, uint32_t n, uint32_t rank)
{
    uint32_t low = 0;
    uint32_t high = n;
    while (high - low > 1u) {
        uint32_t middle = low + (high - low) / 2u;
        if (sorted[middle].rank <= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return sorted[low].exit_op;
}

/* Joins at the end: all that a member sends is acknowledged, all that it receives is there. */
static int append_exits(struct coll *k, size_t first, uint32_t *exit_op)
{
    size_t last = k->s->ops;
    struct at_rank *at = malloc(k->n * sizeof *at);
    int code = at ? EGRET_OK : coll_no_memory(k);
    for (uint32_t i = 0; code == EGRET_OK && i < k->n; i++) {
        uint32_t before = coll_entry(k, i); /* entry and exit_op may be one array */
        code = coll_join(k, i, &exit_op[i]);
        if (code == EGRET_OK) {
            code = coll_after(k, before, EGRET_ON_DONE, exit_op[i]);
            at[i] = (struct at_rank){rank_of(k, i), exit_op[i]};
        }
    }
    if (code == EGRET_OK) {
        qsort(at, k->n, sizeof *at, by_at_rank);
    }
    for (size_t m = first; code == EGRET_OK && m < last; m++) {
        struct egret_op op = k->s->op[m];
        if (op.kind != EGRET_OP_MESSAGE) {
            continue;
        }
        code = coll_after(k, (uint32_t)m, EGRET_ON_SENT, exit_of(at, k->n, op.src));
        if (code == EGRET_OK) {
            code = coll_after(k, (uint32_t)m, EGRET_ON_DONE, exit_of(at, k->n, op.dst));
        }
    }
    free(at);
    return code;
}

int coll_expand(struct coll *k, uint32_t *exit_op)
{
    struct egret_collective c = *k->c;
    size_t first = k->s->ops;
    if (c.algorithm == EGRET_ALGO_DEFAULT && (unsigned)c.kind < EGRET_COLL_KINDS) {
        c.algorithm = egret_collective_default(c.kind);
    }
    c.kind = c.kind == EGRET_COLL_REDUCE_SCATTER_BLOCK ? EGRET_COLL_REDUCE_SCATTER : c.kind;
    k->c = &c;
    k->n = c.ranks;
    k->bytes = c.bytes;
    int code = check(k);
    if (code == EGRET_OK && c.ranks > 1u) {
        code = run(k);
    }
    k->channel = 0;
    return code == EGRET_OK && exit_op ? append_exits(k, first, exit_op) : code;
}

int egret_collective_expand(struct egret_schedule *s, const struct egret_collective *c,
                            const uint32_t *entry, uint32_t *exit_op, struct egret_trace_error *err)
{
    struct coll k;
    memset(&k, 0, sizeof k);
    k.s = s;
    k.c = c;
    k.entry = entry;
    k.err = err;
    return coll_expand(&k, exit_op);
}
