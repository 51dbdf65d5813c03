/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_collective.c: what each algorithm promises: the data of all members, by simulation, for 1
 * to 65 members; steps and bytes by formula; a published ring all-reduce; refusals.
 */
#include "trace_collective_flow.h"
#include "trace_memory.h"

#define K(kind) EGRET_COLL_##kind
#define A(algorithm) EGRET_ALGO_##algorithm

/* docs/trace.md: which algorithm can do which kind. */
static bool can(unsigned kind, unsigned algorithm)
{
    bool to_all = kind == K(ALL_REDUCE) || kind == K(ALL_GATHER) || kind == K(REDUCE_SCATTER) ||
                  kind == K(REDUCE_SCATTER_BLOCK);
    bool chain = kind == K(BROADCAST) || kind == K(REDUCE);
    bool rooted = chain || kind == K(GATHER) || kind == K(SCATTER);
    switch (algorithm) {
    case A(DEFAULT):
    case A(DIRECT):
        return true;
    case A(RING):
        return to_all || chain;
    case A(HALVING_DOUBLING):
        return to_all;
    case A(DOUBLE_BINARY_TREE):
        return kind == K(ALL_REDUCE);
    case A(PAIRWISE):
        return kind == K(ALL_TO_ALL) || (to_all && kind != K(ALL_REDUCE));
    case A(HIERARCHICAL):
        return kind == K(ALL_TO_ALL) || to_all;
    case A(BINOMIAL):
        return rooted;
    default:
        return kind == K(BARRIER);
    }
}

/* Bytes that a note says: chunks of bytes / n, the first bytes % n a byte longer. */
static uint64_t bytes_of(const struct egret_collective *c, const struct coll_chunks *x)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        uint64_t chunk = (x->lo + (uint64_t)i * x->stride) % c->ranks;
        sum += c->bytes / c->ranks + (chunk < c->bytes % c->ranks);
    }
    return sum ? sum : 1u;
}

static bool sized_by_chunks(const struct egret_collective *c)
{
    bool chain = c->algorithm == A(RING) && (c->kind == K(BROADCAST) || c->kind == K(REDUCE));
    return !chain && c->algorithm != A(DOUBLE_BINARY_TREE) && c->kind != K(BARRIER);
}

/* Member i has rank 2 (n - 1 - i) + 1; it comes to the collective after a delay. */
static void flow(struct trace_test *t, struct egret_collective c)
{
    struct egret_schedule s = {.ranks = 2u * c.ranks + 1u};
    struct egret_trace_error err = {""};
    uint32_t rank[FLOW_MEMBERS];
    uint32_t entry[FLOW_MEMBERS];
    uint32_t exit_op[FLOW_MEMBERS];
    struct coll k = {.s = &s, .c = &c, .entry = entry, .err = &err};
    k.note_capacity = 64;
    k.note = malloc(k.note_capacity * sizeof *k.note);
    c.rank = rank;
    for (uint32_t i = 0; i < c.ranks; i++) {
        rank[i] = 2u * (c.ranks - 1u - i) + 1u;
        (void)egret_schedule_delay(&s, rank[i], 5, &entry[i]);
    }
    int code = coll_expand(&k, exit_op);
    if (code == 0) {
        code = egret_schedule_seal(&s, "flow", NULL, &err);
    }
    const char *fault = code ? err.text : NULL;
    c.algorithm = c.algorithm == A(DEFAULT) ? egret_collective_default(c.kind) : c.algorithm;
    c.kind = c.kind == K(REDUCE_SCATTER_BLOCK) ? K(REDUCE_SCATTER) : c.kind;
    fault = fault ? fault : flow_check(&s, &c, &k, exit_op, c.ranks % 3u);
    if (c.ranks < 20u && !fault) { /* and in other orders */
        fault = flow_check(&s, &c, &k, exit_op, c.ranks % 3u + 1u);
    }
    for (size_t i = 0; i < k.notes && !fault && sized_by_chunks(&c); i++) {
        if (s.op[k.note[i].message].amount != bytes_of(&c, &k.note[i].chunks)) {
            fault = "a message has not the size of its chunks";
        }
    }
    if (!CHECK(t, !fault)) {
        printf("  %s, %s, %u members, root %u, group %u, chunk %llu: %s\n",
               egret_collective_kind_name((unsigned)c.kind),
               egret_collective_algorithm_name((unsigned)c.algorithm), c.ranks, c.root,
               c.group_size, (unsigned long long)c.chunk, fault);
    }
    free(k.note);
    egret_schedule_free(&s);
}

static void flows(struct trace_test *t)
{
    for (unsigned kind = 0; kind < EGRET_COLL_KINDS; kind++) {
        for (unsigned algorithm = 0; algorithm < EGRET_ALGO_COUNT; algorithm++) {
            for (uint32_t n = 1; can(kind, algorithm) && n <= FLOW_MEMBERS; n++) {
                struct egret_collective c = {.kind = (enum egret_collective_kind)kind,
                                             .algorithm =
                                                 (enum egret_collective_algorithm)algorithm,
                                             .ranks = n,
                                             .bytes = 1000u + 7u * n,
                                             .root = n / 3u,
                                             .group_size = n};
                for (uint32_t g = 1; g < n && algorithm == A(HIERARCHICAL); g++) {
                    c.group_size = g;
                    if (n % g == 0) {
                        flow(t, c);
                    }
                }
                c.group_size = n;
                flow(t, c);
                if (n % 8u == 1u) { /* fewer bytes than members; pieces of a pipeline */
                    c.bytes = n / 2u;
                    flow(t, c);
                    c.bytes = 1000;
                    c.chunk = 90;
                    flow(t, c);
                }
            }
        }
    }
}

/* Expands between ranks 0 .. n - 1, seals. */
static struct egret_schedule expand(struct egret_collective c, struct egret_schedule_summary *sum)
{
    struct egret_schedule s = {.ranks = c.ranks};
    struct egret_trace_error err;
    if (egret_collective_expand(&s, &c, NULL, NULL, &err) ||
        egret_schedule_seal(&s, "sum", NULL, &err) || egret_schedule_summary(&s, sum)) {
        printf("%s\n", err.text);
        exit(2);
    }
    return s;
}

/* The published ring of 8 ranks and 1 MiB: 14 sends of 131072 bytes a rank to the next, 14680064
 * bytes in all, each but the first behind the arrival of the step before. */
static void published_ring(struct trace_test *t)
{
    struct egret_schedule_summary sum;
    struct egret_schedule s = expand(
        (struct egret_collective){.kind = K(ALL_REDUCE), .ranks = 8, .bytes = 1048576}, &sum);
    uint32_t sends[8] = {0};
    uint32_t last[8];
    CHECK(t, sum.messages == 112 && sum.bytes == 14680064 && sum.smallest == 131072 &&
                 sum.largest == 131072 && sum.edges == 104 && sum.roots == 8 && sum.depth == 14);
    for (uint32_t i = 0; i < s.ops; i++) {
        const struct egret_op *op = &s.op[i];
        CHECK(t, op->dst == (op->src + 1u) % 8u);
        sends[op->src]++;
        last[op->src] = i;
        if (sends[op->src] < 14u) { /* its arrival lets the next rank take its next step */
            uint32_t next = egret_edge_to(s.edge[s.first[i]]);
            CHECK(t, s.first[i + 1u] == s.first[i] + 1u && s.op[next].src == op->dst &&
                         egret_edge_event(s.edge[s.first[i]]) == EGRET_ON_DONE);
        }
    }
    for (uint32_t r = 0; r < 8u; r++) {
        CHECK(t, sends[r] == 14 && s.first[last[r] + 1u] == s.first[last[r]]);
    }
    egret_schedule_free(&s);
    /* four channels: four rings, a quarter of the bytes each, in queue pairs of their own */
    s = expand(
        (struct egret_collective){
            .kind = K(ALL_REDUCE), .ranks = 8, .bytes = 1048576, .channels = 4},
        &sum);
    CHECK(t, sum.messages == 448 && sum.bytes == 14680064 && sum.largest == 32768 &&
                 sum.depth == 14 && sum.roots == 32);
    CHECK(t, s.op[0].pair != s.op[112].pair && s.op[0].src == s.op[112].src);
    egret_schedule_free(&s);
}

static uint32_t log2_up(uint32_t n)
{
    uint32_t k = 0;
    while ((1u << k) < n) {
        k++;
    }
    return k;
}

/* Bytes and steps by formula, for buffers that divide evenly. */
static void formulas(struct trace_test *t)
{
    struct egret_schedule_summary sum;
    for (uint32_t n = 2; n <= 64; n++) {
        struct egret_collective c = {.kind = K(ALL_REDUCE), .ranks = n, .bytes = 100u * n};
        c.algorithm = A(RING);
        struct egret_schedule s = expand(c, &sum);
        uint64_t sent = 0;
        for (uint32_t i = 0; i < s.ops; i++) {
            sent += s.op[i].src == n / 2u ? s.op[i].amount : 0;
        }
        CHECK(t, sent == 200u * (n - 1u) && sum.depth == 2u * (n - 1u));
        egret_schedule_free(&s);
        if ((n & (n - 1u)) == 0) {
            c.algorithm = A(HALVING_DOUBLING);
            s = expand(c, &sum);
            sent = 0;
            for (uint32_t i = 0; i < s.ops; i++) {
                sent += s.op[i].src == n / 2u ? s.op[i].amount : 0;
            }
            CHECK(t, sent == 200u * (n - 1u) && sum.depth == 2u * log2_up(n));
            CHECK(t, sum.messages == 2u * n * log2_up(n));
            egret_schedule_free(&s);
        }
        c.algorithm = A(DOUBLE_BINARY_TREE); /* up and down, each half along n - 1 edges */
        s = expand(c, &sum);
        CHECK(t, sum.messages == 4u * (n - 1u) && sum.bytes == 4u * (n - 1u) * 50u * n);
        CHECK(t, sum.depth <= 2u * (log2_up(n) + 1u));
        egret_schedule_free(&s);
        c.kind = K(ALL_TO_ALL);
        c.algorithm = A(PAIRWISE);
        s = expand(c, &sum);
        CHECK(t, sum.depth == n - 1u && sum.messages == n * (n - 1u) && sum.largest == 100);
        egret_schedule_free(&s);
        c.algorithm = A(DIRECT);
        s = expand(c, &sum);
        CHECK(t, sum.depth == 1 && sum.messages == n * (n - 1u) && s.op[0].dst == 1u &&
                     s.op[n - 1u].dst == 0);
        egret_schedule_free(&s);
        c.kind = K(BARRIER);
        c.algorithm = A(DISSEMINATION);
        s = expand(c, &sum);
        CHECK(t, sum.depth == log2_up(n) && sum.messages == n * log2_up(n) && sum.largest == 1);
        egret_schedule_free(&s);
        c.kind = K(BROADCAST);
        c.algorithm = A(BINOMIAL);
        s = expand(c, &sum);
        CHECK(t, sum.messages == n - 1u && sum.depth <= log2_up(n) && sum.largest == 100u * n);
        egret_schedule_free(&s);
    }
}

/* Two trees over all members: n - 1 edges, both ends agree, about log2 n deep; who has more than
 * one neighbour in one tree has one in the other. */
static void trees(struct trace_test *t)
{
    for (uint32_t n = 2; n <= 130; n++) {
        uint32_t neighbours[2][130] = {{0}, {0}};
        for (unsigned tree = 0; tree < 2u; tree++) {
            uint32_t edges = 0;
            uint32_t deepest = 0;
            bool agree = true;
            for (uint32_t i = 0; i < n; i++) {
                struct coll_tree_node x = coll_tree_node(n, i, tree);
                uint32_t depth = 0;
                neighbours[tree][i] += x.up != EGRET_NO_OP;
                for (unsigned d = 0; d < 2u; d++) {
                    if (x.down[d] != EGRET_NO_OP) {
                        neighbours[tree][i]++;
                        edges++;
                        agree &= coll_tree_node(n, x.down[d], tree).up == i;
                    }
                }
                while (x.up != EGRET_NO_OP && depth <= n) {
                    x = coll_tree_node(n, x.up, tree);
                    depth++;
                }
                deepest = depth > deepest ? depth : deepest;
            }
            CHECK(t, agree && edges == n - 1u && deepest <= log2_up(n) + 1u);
        }
        for (uint32_t i = 0; i < n; i++) {
            CHECK(t, neighbours[0][i] < 2u || neighbours[1][i] < 2u);
        }
    }
}

static void refusals(struct trace_test *t)
{
    struct egret_schedule s = {.ranks = 8};
    struct egret_trace_error err;
    static const uint32_t same[3] = {5, 2, 5};
    for (unsigned kind = 0; kind < EGRET_COLL_KINDS; kind++) {
        for (unsigned algorithm = 0; algorithm < EGRET_ALGO_COUNT; algorithm++) {
            struct egret_collective c = {.kind = (enum egret_collective_kind)kind,
                                         .algorithm = (enum egret_collective_algorithm)algorithm,
                                         .ranks = 8,
                                         .bytes = 64,
                                         .group_size = 4};
            err.text[0] = '\0';
            int code = egret_collective_expand(&s, &c, NULL, NULL, &err);
            CHECK(t, can(kind, algorithm) ? code == 0 : code == EGRET_ERR_RANGE && err.text[0]);
        }
    }
    egret_schedule_free(&s);
    static const struct {
        struct egret_collective c;
        const char *reason;
    } bad[] = {
        {{.ranks = 0}, "all-reduce, ring: 1 to 2^24 members"},
        {{.ranks = 1u << 25}, "all-reduce, ring: 1 to 2^24 members"},
        {{.ranks = 4, .root = 4}, "all-reduce, ring: the root is not a member"},
        {{.ranks = 4, .bytes = UINT64_MAX}, "all-reduce, ring: more than 2^48 bytes"},
        {{.ranks = 4, .channels = 256}, "all-reduce, ring: more than 255 channels"},
        {{.ranks = 4, .channels = 2, .algorithm = A(DIRECT)},
         "all-reduce, direct: channels are for ring"},
        {{.ranks = 3, .rank = same}, "all-reduce: rank 5 is a member twice"},
        {{.ranks = 6, .group_size = 4, .algorithm = A(HIERARCHICAL)},
         "all-reduce, hierarchical: the group size must divide the number of members"},
        {{.ranks = 6, .algorithm = A(HIERARCHICAL)},
         "all-reduce, hierarchical: the group size must divide the number of members"},
        {{.ranks = 1u << 20}, "all-reduce, ring: more messages than a schedule can have"},
        {{.ranks = 1u << 24, .kind = K(ALL_TO_ALL)},
         "all-to-all, direct: more messages than a schedule can have"},
        {{.ranks = 1u << 24, .kind = K(ALL_TO_ALL), .algorithm = A(PAIRWISE)},
         "all-to-all, pairwise: more messages than a schedule can have"},
        {{.ranks = 1u << 24, .algorithm = A(HIERARCHICAL), .group_size = 8},
         "all-reduce, hierarchical: more messages than a schedule can have"},
        {{.ranks = 1u << 24, .algorithm = A(HALVING_DOUBLING)},
         "all-reduce, halving-doubling: more messages than a schedule can have"},
        {{.ranks = 1u << 24, .kind = K(BARRIER)},
         "barrier, dissemination: more messages than a schedule can have"},
        {{.ranks = 4, .bytes = 1u << 30, .chunk = 1, .algorithm = A(DOUBLE_BINARY_TREE)},
         "all-reduce, double-binary-tree: more messages than a schedule can have"},
        {{.ranks = 4, .bytes = 1u << 30, .chunk = 1, .kind = K(BROADCAST), .algorithm = A(RING)},
         "broadcast, ring: more messages than a schedule can have"},
        {{.ranks = 4, .kind = K(KINDS)}, "unknown collective or algorithm"},
        {{.ranks = 4, .algorithm = A(COUNT)}, "unknown collective or algorithm"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int code = egret_collective_expand(&s, &bad[i].c, NULL, NULL, &err);
        if (!CHECK(t,
                   code == EGRET_ERR_RANGE && strcmp(err.text, bad[i].reason) == 0 && s.ops == 0)) {
            printf("  wanted '%s', got %d '%s'\n", bad[i].reason, code, err.text);
        }
        egret_schedule_free(&s);
    }
}

static void names(struct trace_test *t)
{
    enum egret_collective_kind kind;
    enum egret_collective_algorithm algorithm;
    for (unsigned i = 0; i < EGRET_COLL_KINDS; i++) {
        CHECK(t, egret_collective_kind_parse(egret_collective_kind_name(i), &kind) &&
                     (unsigned)kind == i);
    }
    for (unsigned i = 0; i < EGRET_ALGO_COUNT; i++) {
        CHECK(t, egret_collective_algorithm_parse(egret_collective_algorithm_name(i), &algorithm) &&
                     (unsigned)algorithm == i);
    }
    CHECK(t, !egret_collective_kind_name(EGRET_COLL_KINDS));
    CHECK(t, !egret_collective_algorithm_name(EGRET_ALGO_COUNT));
    CHECK(t, egret_collective_kind_parse("ALL_REDUCE", &kind) && kind == K(ALL_REDUCE));
    CHECK(t, egret_collective_kind_parse("AllGather", &kind) && kind == K(ALL_GATHER));
    CHECK(t, egret_collective_kind_parse("REDUCE_SCATTER_BLOCK", &kind) &&
                 kind == K(REDUCE_SCATTER_BLOCK));
    CHECK(t, !egret_collective_kind_parse("allred", &kind) &&
                 !egret_collective_kind_parse("", &kind) &&
                 !egret_collective_algorithm_parse("rings", &algorithm));
}

/* Without memory at any call: an error, never a crash nor a leak. */
static void memory(struct trace_test *t)
{
    for (unsigned algorithm = 1; algorithm < EGRET_ALGO_COUNT; algorithm++) {
        unsigned kind = 0;
        while (!can(kind, algorithm)) {
            kind++;
        }
        struct egret_collective c = {.kind = (enum egret_collective_kind)kind,
                                     .algorithm = (enum egret_collective_algorithm)algorithm,
                                     .ranks = 40,
                                     .bytes = 4000,
                                     .group_size = 5};
        int code = EGRET_ERR_MEMORY;
        unsigned long calls;
        for (calls = 1; code == EGRET_ERR_MEMORY && calls < 1000; calls++) {
            struct egret_schedule s = {.ranks = 40};
            struct egret_trace_error err = {""};
            uint32_t exit_op[40];
            fail_at = calls;
            code = egret_collective_expand(&s, &c, NULL, exit_op, &err);
            CHECK(t, code == 0 || (code == EGRET_ERR_MEMORY && strstr(err.text, "out of memory")));
            fail_at = 0;
            egret_schedule_free(&s);
        }
        CHECK(t, code == 0 && calls > 3);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    names(&t);
    published_ring(&t);
    formulas(&t);
    trees(&t);
    refusals(&t);
    memory(&t);
    flows(&t);
    return trace_result(&t);
}
