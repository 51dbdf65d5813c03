/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra.c: reads Chakra execution traces (docs/import.md), a file a rank, node by node.
 *
 * Of a file its ids and dependencies are kept until its end, as nodes may stand in any order.
 */
#include <stdlib.h>
#include <string.h>

#include "chakra.h"
#include "text.h"

#define MAX_US 1000000000000u /* 10^18 ps */

struct id_op {
    uint64_t id;
    uint32_t in;  /* operation that waits */
    uint32_t out; /* operation that is waited for */
};
struct id_wait {
    uint64_t before;
    uint32_t after;
};
struct chakra {
    struct importer *m;
    struct source *s;
    struct chakra_groups groups;
    struct chakra_node node;
    uint32_t rank;
    uint16_t file;
    struct id_op *id;
    size_t ids;
    size_t id_capacity;
    struct id_wait *wait;
    size_t waits;
    size_t wait_capacity;
};

static int refuse(struct chakra *c, const char *reason)
{
    const struct chakra_node *n = &c->node;
    return egret_source_fail_byte(c->s, n->where, "node %llu: %s", (unsigned long long)n->id,
                                  reason);
}

static bool has(const struct chakra *c, enum chakra_attr a)
{
    return (c->node.has & 1u << a) != 0;
}

static int peer(struct chakra *c, enum chakra_attr a, uint32_t *out)
{
    uint64_t v = has(c, a) ? c->node.value[a] : c->rank;
    if (v >= c->m->s->ranks) {
        return egret_source_fail_byte(c->s, c->node.where, "node %llu: rank %llu of %u files",
                                      (unsigned long long)c->node.id, (unsigned long long)v,
                                      c->m->s->ranks);
    }
    *out = (uint32_t)v;
    return EGRET_OK;
}

static int point_to_point(struct chakra *c, const struct import_place *p, struct id_op *i)
{
    const struct chakra_node *n = &c->node;
    bool is_send = n->type == CHAKRA_SEND;
    struct match_end e = {.bytes = has(c, ATTR_COMM_SIZE) ? n->value[ATTR_COMM_SIZE] : 0,
                          .tag = has(c, ATTR_COMM_TAG) ? n->value[ATTR_COMM_TAG] : 0};
    if (!has(c, is_send ? ATTR_COMM_DST : ATTR_COMM_SRC)) {
        return refuse(c, is_send ? "a send without comm_dst" : "a recv without comm_src");
    }
    int code = peer(c, ATTR_COMM_SRC, &e.src);
    code = code ? code : peer(c, ATTR_COMM_DST, &e.dst);
    if (code) {
        return code;
    }
    if ((is_send ? e.src : e.dst) != c->rank) {
        return refuse(c, "its own end is another rank than that of the file");
    }
    if (is_send) {
        code = egret_import_send(c->m, p, &e, &i->in);
    } else {
        e.bytes = e.bytes ? e.bytes : MATCH_NO_SIZE;
        code = egret_import_recv(c->m, p, &e, &i->in);
    }
    i->out = i->in;
    return code;
}

static int collective(struct chakra *c, const struct import_place *p, struct id_op *i)
{
    const struct chakra_node *n = &c->node;
    struct call call = {.order = n->id, .rank = c->rank, .root = UINT32_MAX};
    bool barrier = has(c, ATTR_COMM_TYPE) && n->value[ATTR_COMM_TYPE] == EGRET_COLL_BARRIER;
    bool sized = has(c, ATTR_COMM_SIZE) && n->value[ATTR_COMM_SIZE] != 0;
    int code = egret_import_delay(c->m, p, c->rank, 0, &i->in);
    i->out = i->in;
    if (code || (!sized && has(c, ATTR_IS_CPU_OP) && n->value[ATTR_IS_CPU_OP])) {
        return code; /* the launch on the CPU of what is another node */
    }
    if (!sized && !barrier) {
        return egret_import_relaxed(c->m, EGRET_RELAX_SIZES)
                   ? EGRET_OK
                   : refuse(c, "a collective without a size (--allow-zero)");
    }
    if (!has(c, ATTR_COMM_TYPE) || n->value[ATTR_COMM_TYPE] >= EGRET_COLL_KINDS) {
        return refuse(c, "a collective without a comm_type of 0 to 9");
    }
    call.kind = (uint32_t)n->value[ATTR_COMM_TYPE];
    call.bytes = sized ? n->value[ATTR_COMM_SIZE] : 0;
    code = has(c, ATTR_ROOT) ? peer(c, ATTR_ROOT, &call.root) : EGRET_OK;
    code = code ? code : egret_import_delay(c->m, p, c->rank, 0, &i->out);
    call.entry = i->in;
    call.exit = i->out;
    code = code ? code : egret_chakra_group(&c->groups, n->pg_name, &call.group);
    return code ? code : egret_match_add_call(c->m, &call);
}

static int compute(struct chakra *c, const struct import_place *p, struct id_op *i)
{
    uint64_t us = c->node.type == CHAKRA_METADATA ? 0 : c->node.duration;
    if (us > MAX_US) {
        return refuse(c, "takes more than 10^12 us");
    }
    if (c->node.type != CHAKRA_METADATA) {
        c->m->r->compute_nodes++;
        c->m->r->compute_us += us;
    }
    int code =
        egret_import_delay(c->m, p, c->rank, c->m->o->no_compute ? 0 : us * 1000000u, &i->in);
    i->out = i->in;
    return code;
}

static int add_node(struct chakra *c)
{
    const struct chakra_node *n = &c->node;
    struct import_place p = {n->where, (uint32_t)n->id, c->file};
    struct id_op i = {n->id, 0, 0};
    int code;
    c->m->r->nodes++;
    switch (n->type) {
    case CHAKRA_METADATA:
        code = egret_chakra_groups_inside(&c->groups, c->s, n);
        code = code ? code : compute(c, &p, &i);
        break;
    case CHAKRA_MEM_LOAD:
    case CHAKRA_MEM_STORE:
    case CHAKRA_COMP:
        code = compute(c, &p, &i);
        break;
    case CHAKRA_SEND:
    case CHAKRA_RECV:
        code = point_to_point(c, &p, &i);
        break;
    case CHAKRA_COLL:
        code = collective(c, &p, &i);
        break;
    default:
        return refuse(c, "is of no known type");
    }
    void *ids = c->id;
    if (code == EGRET_OK && !egret_import_grow(&ids, c->ids, &c->id_capacity, sizeof *c->id)) {
        code = egret_import_memory(c->m);
    }
    if (code) {
        return code;
    }
    c->id = ids;
    c->id[c->ids++] = i;
    for (size_t k = 0; k < n->deps; k++) {
        void *waits = c->wait;
        if (!egret_import_grow(&waits, c->waits, &c->wait_capacity, sizeof *c->wait)) {
            return egret_import_memory(c->m);
        }
        c->wait = waits;
        c->wait[c->waits++] = (struct id_wait){n->dep[k], i.in};
    }
    return EGRET_OK;
}

static int by_id(const void *a, const void *b)
{
    const struct id_op *x = a;
    const struct id_op *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Dependencies of a file into edges. */
static int resolve(struct chakra *c)
{
    bool sorted = true;
    int code = EGRET_OK;
    for (size_t i = 1; i < c->ids; i++) {
        sorted = sorted && c->id[i - 1u].id < c->id[i].id;
    }
    if (!sorted) {
        qsort(c->id, c->ids, sizeof *c->id, by_id);
    }
    for (size_t i = 1; i < c->ids; i++) {
        if (c->id[i - 1u].id == c->id[i].id) {
            return egret_import_fail(c->m, c->id[i].in, "node %llu is there twice",
                                     (unsigned long long)c->id[i].id);
        }
    }
    for (size_t i = 0; code == EGRET_OK && i < c->waits; i++) {
        struct id_op key = {c->wait[i].before, 0, 0};
        const struct id_op *found = bsearch(&key, c->id, c->ids, sizeof *c->id, by_id);
        if (found) {
            code = egret_import_code(
                c->m, egret_schedule_after(c->m->s, found->out,
                                           c->m->s->op[found->out].kind == EGRET_OP_MESSAGE
                                               ? EGRET_ON_SENT
                                               : EGRET_ON_DONE,
                                           c->wait[i].after));
        } else if (!egret_import_relaxed(c->m, EGRET_RELAX_DANGLING)) {
            code = egret_import_fail(c->m, c->wait[i].after,
                                     "node %u depends on node %llu, which is not there "
                                     "(--allow-dangling)",
                                     c->m->s->op[c->wait[i].after].tag, (unsigned long long)key.id);
        }
    }
    c->ids = 0;
    c->waits = 0;
    return code;
}

static int whole_file(struct chakra *c)
{
    struct wire file = {c->s, UINT64_MAX};
    int code = EGRET_OK;
    for (uint64_t i = 0; code == EGRET_OK && source_peek(c->s) >= 0; i++) {
        struct wire w;
        c->node.where = source_offset(c->s);
        code = egret_wire_message(&file, &w);
        if (code == EGRET_OK && i > 0 && w.end == source_offset(c->s)) {
            break; /* a node of no bytes ends the file */
        }
        if (code == EGRET_OK && i == 0) {
            code =
                egret_source_take(c->s, NULL, w.end - source_offset(c->s))
                    ? EGRET_OK
                    : egret_source_fail_byte(c->s, c->node.where, "the file ends in its metadata");
        } else if (code == EGRET_OK) {
            code = egret_chakra_node(c->m, &w, &c->node);
            code = code ? code : add_node(c);
        }
    }
    code = code ? code : c->s->failed;
    if (code == EGRET_OK && source_peek(c->s) >= 0 &&
        !egret_import_relaxed(c->m, EGRET_RELAX_TRAILING)) {
        code = egret_source_fail_byte(c->s, source_offset(c->s),
                                      "bytes behind the end (--allow-trailing)");
    }
    return code ? code : resolve(c);
}

/* PREFIX.RANK.et or PREFIX.RANK.et.gz; false for another name. */
static bool rank_of(const char *path, uint64_t *rank)
{
    size_t n = strlen(path);
    n -= n > 3u && strcmp(path + n - 3u, ".gz") == 0 ? 3u : 0;
    if (n < 4u || memcmp(path + n - 3u, ".et", 3) != 0) {
        return false;
    }
    n -= 3u;
    size_t start = n;
    while (start > 0 && path[start - 1u] >= '0' && path[start - 1u] <= '9') {
        start--;
    }
    return start > 0 && path[start - 1u] == '.' &&
           egret_text_u64(path + start, n - start, UINT32_MAX, rank);
}

/* of[r]: which file is of rank r. */
static int order_files(struct importer *m, size_t *of)
{
    for (size_t i = 0; i < m->files; i++) {
        of[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < m->files; i++) {
        uint64_t rank = 0;
        if (m->files > 1u && !rank_of(m->path[i], &rank)) {
            return egret_trace_fail(m->err, EGRET_ERR_RANGE, "%s: its name is not PREFIX.RANK.et",
                                    m->path[i]);
        }
        if (m->files == 1u && rank_of(m->path[i], &rank) && rank != 0) {
            return egret_trace_fail(m->err, EGRET_ERR_RANGE, "%s: the file of rank 0 is missing",
                                    m->path[i]);
        }
        if (rank < m->files && of[rank] != SIZE_MAX) {
            return egret_trace_fail(m->err, EGRET_ERR_RANGE, "%.200s: rank %llu is that of %.200s",
                                    m->path[i], (unsigned long long)rank, m->path[of[rank]]);
        }
        if (rank < m->files) {
            of[rank] = i;
        }
    }
    for (size_t r = 0; r < m->files; r++) {
        if (of[r] == SIZE_MAX) {
            return egret_trace_fail(m->err, EGRET_ERR_RANGE, "%s: %zu files, but none of rank %zu",
                                    m->path[0], m->files, r);
        }
    }
    return EGRET_OK;
}

static int all_files(struct chakra *c)
{
    struct importer *m = c->m;
    size_t *of = malloc(m->files * sizeof *of);
    int code = of ? order_files(m, of) : egret_import_memory(m);
    if (code == EGRET_OK && m->o->comm_groups) {
        code = egret_chakra_groups_load(&c->groups, m->o->comm_groups);
    }
    for (size_t r = 0; code == EGRET_OK && r < m->files; r++) {
        c->rank = (uint32_t)r;
        c->file = (uint16_t)of[r];
        if (of[r] != 0 || r != 0) { /* the first file is open */
            code = egret_import_open(m, of[r], c->s);
        }
        code = code ? code : whole_file(c);
    }
    free(of);
    return code;
}

int egret_chakra_import(struct importer *m, struct source *s)
{
    struct chakra c = {.m = m, .s = s, .groups = {.m = m}};
    struct call_groups groups = {&c.groups, egret_chakra_members};
    m->s->by_byte = true;
    m->s->ranks = (uint32_t)m->files;
    int code = all_files(&c);
    free(c.id);
    free(c.wait);
    free(c.node.dep);
    free(c.node.values);
    code = code ? code : egret_match_ends(m);
    code = code ? code : egret_match_calls(m, &groups);
    egret_chakra_groups_free(&c.groups);
    return code;
}
