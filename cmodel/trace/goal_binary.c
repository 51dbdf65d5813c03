/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal_binary.c: reads GOAL as LogGOPSim's txt2bin writes it (docs/import.md): little endian,
 * unaligned, a table of the ranks' sections, in each the nodes and an appendix of node numbers.
 */
#include <stdlib.h>

#include "goal.h"
#include "internal.h"

#define MAGIC_BYTES 8u
#define MAGIC_USED 2342u
#define HEADER_BYTES 14u
#define NODE_BYTES 39u
#define MAX_FILE ((size_t)1 << 32)

struct goal_binary {
    struct importer *m;
    struct source *s;
    const uint8_t *bytes;
    size_t n;
    struct goal_block block;
    /* The section at hand; offsets in the file. */
    uint64_t nodes_at;
    uint64_t appendix_at;
    uint64_t end;
    uint32_t nodes;
    uint64_t used; /* numbers of the appendix: none is another node's, too */
};

static uint64_t get_le64(const uint8_t *p)
{
    return (uint64_t)get_le32(p + 4) << 32 | get_le32(p);
}

static int node(struct goal_binary *b, uint32_t i)
{
    uint64_t at = b->nodes_at + (uint64_t)i * NODE_BYTES;
    const uint8_t *p = b->bytes + at;
    struct goal_op o = {.kind = (enum goal_kind)p[4],
                        .peer = get_le32(p + 5),
                        .amount = get_le64(p + 9),
                        .tag = get_le32(p + 17),
                        .where = at};
    uint32_t op;
    o.any_tag = o.kind == GOAL_RECV && o.tag == UINT32_MAX;
    if (o.kind < GOAL_SEND || o.kind > GOAL_CALC) {
        return egret_source_fail_byte(b->s, at, "node %u: type %u", i, (unsigned)p[4]);
    }
    bool any = o.kind == GOAL_RECV && o.peer == UINT32_MAX;
    if (o.kind != GOAL_CALC && !any && o.peer >= b->m->s->ranks) {
        return egret_source_fail_byte(b->s, at, "node %u: rank %u of %u", i, o.peer,
                                      b->m->s->ranks);
    }
    if (o.kind == GOAL_CALC && o.amount > GOAL_MAX_CALC_NS) {
        return egret_source_fail_byte(b->s, at, "node %u: a calc of more than 10^15 ns", i);
    }
    if (o.amount == UINT64_MAX) {
        return egret_source_fail_byte(b->s, at, "node %u: 2^64 - 1 bytes", i);
    }
    return egret_goal_op(b->m, &b->block, &o, &op);
}

/* Who waits for node i: `count` numbers of the appendix, from `from` on. */
static int dependants(struct goal_binary *b, uint32_t i, uint32_t count, uint32_t from, bool start)
{
    uint64_t at = b->nodes_at + (uint64_t)i * NODE_BYTES;
    uint64_t appendix = (b->end - b->appendix_at) / 4u;
    int code = EGRET_OK;
    b->used += count;
    if (b->used > appendix || (count && (uint64_t)from + count > appendix)) {
        return egret_source_fail_byte(b->s, at, "node %u: its dependants are outside its rank", i);
    }
    for (uint32_t k = 0; code == EGRET_OK && k < count; k++) {
        uint64_t where = b->appendix_at + 4u * ((uint64_t)from + k);
        uint32_t after = get_le32(b->bytes + where);
        if (after < b->nodes) {
            code =
                egret_goal_wait(b->m, &b->block, b->block.first + i, b->block.first + after, start);
        } else if (!egret_import_relaxed(b->m, EGRET_RELAX_DANGLING)) {
            code = egret_source_fail_byte(b->s, where,
                                          "node %u of %u depends on node %u (--allow-dangling)",
                                          after, b->nodes, i);
        }
    }
    return code;
}

/* The count of what each node waits for is there twice. */
static int check_counts(struct goal_binary *b)
{
    uint32_t *wait = calloc((size_t)b->nodes + 1u, sizeof *wait);
    int code = wait ? EGRET_OK : egret_import_memory(b->m);
    for (size_t i = 0; wait && i < b->block.waits; i++) {
        wait[b->block.wait[i].after - b->block.first]++;
    }
    for (uint32_t i = 0; code == EGRET_OK && i < b->nodes; i++) {
        uint64_t at = b->nodes_at + (uint64_t)i * NODE_BYTES;
        uint32_t count = get_le32(b->bytes + at);
        if (count != wait[i] && !egret_import_relaxed(b->m, EGRET_RELAX_COUNTS)) {
            code = egret_source_fail_byte(b->s, at,
                                          "node %u says that it waits for %u nodes, but "
                                          "%u say so (--allow-counts)",
                                          i, count, wait[i]);
        }
    }
    free(wait);
    return code;
}

static int section(struct goal_binary *b, uint64_t start, uint64_t end)
{
    if (end > b->n || start > end || end - start < 8u) {
        return egret_source_fail_byte(b->s, start, "rank %u: its section is outside the file",
                                      b->block.rank);
    }
    b->nodes = get_le32(b->bytes + start);
    uint64_t roots = get_le32(b->bytes + start + 4u);
    b->nodes_at = start + 8u + 4u * roots;
    b->appendix_at = b->nodes_at + (uint64_t)b->nodes * NODE_BYTES;
    b->end = end;
    if (b->appendix_at > end) {
        return egret_source_fail_byte(b->s, start, "rank %u: %u nodes, %llu roots do not fit",
                                      b->block.rank, b->nodes, (unsigned long long)roots);
    }
    b->block.first = (uint32_t)b->m->s->ops;
    b->used = 0;
    int code = EGRET_OK;
    for (uint32_t i = 0; code == EGRET_OK && i < b->nodes; i++) {
        code = node(b, i);
    }
    for (uint32_t i = 0; code == EGRET_OK && i < b->nodes; i++) {
        const uint8_t *p = b->bytes + b->nodes_at + (uint64_t)i * NODE_BYTES;
        code = dependants(b, i, get_le32(p + 23), get_le32(p + 27), false);
        code = code ? code : dependants(b, i, get_le32(p + 31), get_le32(p + 35), true);
    }
    code = code ? code : check_counts(b);
    return code ? code : egret_goal_edges(b->m, &b->block);
}

static int whole(struct goal_binary *b)
{
    if (b->n < HEADER_BYTES) {
        return egret_source_fail_byte(b->s, b->n, "the file ends in its header");
    }
    if (get_le64(b->bytes) == MAGIC_USED) {
        return egret_source_fail_byte(b->s, 0, "the simulator has used this file up (2342)");
    }
    uint32_t ranks = get_le32(b->bytes + MAGIC_BYTES);
    uint64_t table = HEADER_BYTES;
    if (ranks == 0 || ranks > GOAL_MAX_RANKS || table + 16u * (uint64_t)ranks > b->n) {
        return egret_source_fail_byte(b->s, MAGIC_BYTES, "%u ranks", ranks);
    }
    b->m->s->ranks = ranks;
    int code = EGRET_OK;
    uint64_t before = table + 16u * (uint64_t)ranks;
    for (uint32_t i = 0; code == EGRET_OK && i < ranks; i++) {
        const uint8_t *p = b->bytes + table + 16u * (uint64_t)i;
        uint64_t start = get_le64(p);
        uint64_t end = get_le64(p + 8);
        b->block.rank = i;
        if (start > b->n || end > b->n || start + MAGIC_BYTES < before) {
            return egret_source_fail_byte(b->s, table + 16u * (uint64_t)i,
                                          "rank %u: its section is outside the file, or not "
                                          "behind that of the rank before",
                                          i);
        }
        before = end + MAGIC_BYTES; /* sections of one rank are not another's: no quadratic time */
        code = section(b, start + MAGIC_BYTES, end + MAGIC_BYTES);
    }
    if (code == EGRET_OK && before < b->n && !egret_import_relaxed(b->m, EGRET_RELAX_TRAILING)) {
        code = egret_source_fail_byte(b->s, before,
                                      "bytes behind the last rank "
                                      "(--allow-trailing)");
    }
    return code;
}

int egret_goal_binary_import(struct importer *m, struct source *s)
{
    struct goal_binary b = {.m = m, .s = s};
    uint8_t *bytes;
    int code = egret_source_rest(s, MAX_FILE, &bytes, &b.n);
    if (code) {
        return code;
    }
    b.bytes = bytes;
    m->s->by_byte = true;
    code = whole(&b);
    free(b.block.wait);
    free(bytes);
    return code ? code : egret_match_ends(m);
}
