/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import_op.c: the operations that readers of traces append, and errors that name their place.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "importer.h"

bool egret_import_relaxed(struct importer *m, uint32_t bit)
{
    bool relaxed = (m->o->relax & bit) != 0;
    m->r->relaxed += relaxed;
    return relaxed;
}

int egret_import_fail(struct importer *m, uint32_t op, const char *format, ...)
{
    char reason[320];
    const struct egret_op *o = &m->s->op[op];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return egret_trace_fail(m->err, EGRET_ERR_RANGE, "%.150s%s%llu: %s", m->path[o->file],
                            m->s->by_byte ? ": byte " : ":", (unsigned long long)o->where, reason);
}

int egret_import_memory(struct importer *m)
{
    return egret_trace_fail(m->err, EGRET_ERR_MEMORY, "%s: out of memory", m->path[0]);
}

int egret_import_code(struct importer *m, int code)
{
    if (code == EGRET_ERR_MEMORY) {
        return egret_import_memory(m);
    }
    return code ? egret_trace_fail(m->err, code, "%s: more than %u operations or 2^30 edges",
                                   m->path[0], EGRET_SCHEDULE_MAX_OPS)
                : EGRET_OK;
}

bool egret_import_grow(void **array, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity) {
        return true;
    }
    size_t bigger = *capacity ? *capacity * 2u : 64u;
    void *moved = bigger > SIZE_MAX / element ? NULL : realloc(*array, bigger * element);
    if (!moved) {
        return false;
    }
    *array = moved;
    *capacity = bigger;
    return true;
}

static int add_op(struct importer *m, const struct import_place *p, struct egret_op op,
                  uint32_t *index)
{
    op.where = p->where;
    op.file = p->file;
    op.tag = p->tag;
    op.priority = EGRET_PRIORITY_DEFAULT;
    return egret_import_code(m, egret_schedule_op(m->s, &op, index));
}

static int add_end(struct importer *m, struct match_ends *ends, const struct match_end *e)
{
    void *p = ends->end;
    if (!egret_import_grow(&p, ends->count, &ends->capacity, sizeof *ends->end)) {
        return egret_import_memory(m);
    }
    ends->end = p;
    ends->end[ends->count++] = *e;
    return EGRET_OK;
}

int egret_import_delay(struct importer *m, const struct import_place *p, uint32_t rank, uint64_t ps,
                       uint32_t *op)
{
    return add_op(m, p,
                  (struct egret_op){.amount = ps, .src = rank, .dst = rank, .kind = EGRET_OP_DELAY},
                  op);
}

int egret_import_send(struct importer *m, const struct import_place *p, const struct match_end *e,
                      uint32_t *op)
{
    struct egret_op o = {.amount = e->bytes,
                         .pair = (uint64_t)e->src << 32 | e->dst,
                         .src = e->src,
                         .dst = e->dst,
                         .kind = EGRET_OP_MESSAGE};
    struct match_end end = *e;
    bool empty = e->bytes == 0;
    if (empty) { /* nothing crosses the network: a join at the sender */
        o.kind = EGRET_OP_DELAY;
        o.dst = e->src;
    }
    int code = add_op(m, p, o, &end.op);
    if (code == EGRET_OK && empty && !egret_import_relaxed(m, EGRET_RELAX_SIZES)) {
        return egret_import_fail(m, end.op, "a send of 0 bytes (--allow-zero)");
    }
    if (code == EGRET_OK && e->src == e->dst) {
        return egret_import_fail(m, end.op, "rank %u sends to itself", e->src);
    }
    end.any = 0;
    m->r->sends++;
    *op = end.op;
    return code ? code : add_end(m, &m->match.send, &end);
}

int egret_import_recv(struct importer *m, const struct import_place *p, const struct match_end *e,
                      uint32_t *op)
{
    struct match_end end = *e;
    int code = egret_import_delay(m, p, e->dst, 0, &end.op);
    m->r->recvs++;
    *op = end.op;
    return code ? code : add_end(m, &m->match.recv, &end);
}
