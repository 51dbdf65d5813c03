/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nccl.c: reads NCCL_DEBUG logs of NCCL and RCCL (docs/import.md), calls among other lines.
 *
 * The log has no times: calls of one stream follow one another; those of one communicator and
 * opCount are a group, and run side by side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl.h"

#define MAX_LINE 65536u /* with the zero behind it; a longer one is refused */

static const uint8_t width[12] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

/* The number of a name, which is `next` if it is new. */
static int intern(struct nccl *n, struct names *names, const char *name, uint32_t next,
                  uint32_t *out)
{
    if (names->round == 0) {
        egret_names_clear(names);
    }
    *out = egret_names_find(names, name);
    if (*out != EGRET_NO_OP) {
        return EGRET_OK;
    }
    *out = next;
    return egret_names_add(names, name, next) == EGRET_OK ? EGRET_OK : egret_import_memory(n->m);
}

/* The seat of a line, new or known. */
static int seat_of(struct nccl *n, const struct nccl_line *l, uint64_t where, uint16_t file,
                   uint32_t *out)
{
    char name[256];
    uint32_t place;
    void *p = n->seat;
    (void)snprintf(name, sizeof name, "%s:%llu", l->process, (unsigned long long)l->dev);
    int code = intern(n, &n->place_names, name, n->places, &place);
    n->places += code == EGRET_OK && place == n->places;
    (void)snprintf(name, sizeof name, "%s:%llu:%s", l->process, (unsigned long long)l->dev,
                   l->comm);
    code = code ? code : intern(n, &n->seat_names, name, (uint32_t)n->seats, out);
    if (code || *out < n->seats) {
        return code;
    }
    if (!egret_import_grow(&p, n->seats, &n->seat_capacity, sizeof *n->seat)) {
        return egret_import_memory(n->m);
    }
    n->seat = p;
    n->seat[n->seats++] = (struct nccl_seat){.rank = NCCL_NONE,
                                             .place = place,
                                             .id = NCCL_NONE,
                                             .global = NCCL_NONE,
                                             .where = where,
                                             .file = file};
    return EGRET_OK;
}

static int contradicts(struct nccl *n, struct source *s, uint64_t line, const char *what)
{
    (void)n;
    return egret_source_fail_line(s, line, "%s is another than in a line above", what);
}

/* What a line says about its seat. */
static int learn(struct nccl *n, struct source *s, uint64_t line, const struct nccl_line *l,
                 struct nccl_seat *seat)
{
    if (l->nranks) {
        if (seat->nranks && seat->nranks != l->nranks) {
            return contradicts(n, s, line, "nranks");
        }
        seat->nranks = (uint32_t)l->nranks;
    }
    if (l->rank != UINT64_MAX) {
        uint32_t *known = l->init ? &seat->rank : &seat->global;
        if (*known != NCCL_NONE && *known != l->rank) {
            return contradicts(n, s, line, l->init ? "rank" : "globalrank");
        }
        *known = (uint32_t)l->rank;
    }
    if (l->comm_id[0]) {
        uint32_t id;
        int code = intern(n, &n->id_names, l->comm_id, n->ids, &id);
        if (code) {
            return code;
        }
        n->ids += id == n->ids;
        if (seat->id != NCCL_NONE && seat->id != id) {
            return contradicts(n, s, line, "commId");
        }
        seat->id = id;
    }
    return EGRET_OK;
}

static int add_call(struct nccl *n, struct source *s, uint64_t line, uint16_t file,
                    const struct nccl_line *l, uint32_t seat)
{
    char name[256];
    void *p = n->call;
    struct nccl_call c = {.where = line,
                          .op_count = l->op_count,
                          .seat = seat,
                          .peer = (uint32_t)l->root,
                          .file = file,
                          .verb = (uint8_t)l->verb,
                          .kind = (uint8_t)l->kind};
    if (l->datatype >= sizeof width || l->count > UINT64_MAX / 8u || l->root > UINT32_MAX - 1u) {
        return egret_source_fail_line(s, line, "datatype, count or root is out of range");
    }
    c.bytes = l->count * width[l->datatype];
    (void)snprintf(name, sizeof name, "%s:%llu:%s", l->process, (unsigned long long)l->dev,
                   l->stream);
    int code = intern(n, &n->stream_names, name, n->streams, &c.stream);
    n->streams += code == EGRET_OK && c.stream == n->streams;
    if (code == EGRET_OK && !egret_import_grow(&p, n->calls, &n->call_capacity, sizeof c)) {
        code = egret_import_memory(n->m);
    }
    if (code == EGRET_OK) {
        n->call = p;
        n->call[n->calls++] = c;
    }
    return code;
}

static int read_file(struct nccl *n, struct source *s, uint16_t file)
{
    char *text = n->text;
    struct nccl_line l;
    size_t length;
    bool cut;
    uint64_t line = s->line;
    for (; egret_source_line(s, text, MAX_LINE, &length, &cut); line = s->line) {
        const char *reason = "";
        uint32_t seat = 0;
        if (cut || strlen(text) < length) { /* a call may be in what is not seen */
            return cut ? egret_source_fail_line(s, line, "a line of more than %u bytes",
                                                MAX_LINE - 1u)
                       : egret_source_fail_line(s, line, "byte %zu of the line is zero",
                                                strlen(text));
        }
        int kind = egret_nccl_line(text, &l, &reason);
        if (kind == 0) {
            continue;
        }
        int code = kind < 0 ? egret_source_fail_line(s, line, "%s", reason)
                            : seat_of(n, &l, line, file, &seat);
        code = code ? code : learn(n, s, line, &l, &n->seat[seat]);
        if (code == EGRET_OK && !l.init) {
            code = add_call(n, s, line, file, &l, seat);
        }
        if (code) {
            return code;
        }
    }
    return s->failed;
}

/* The calls of a stream that run side by side: `before` is the join they wait for, `now` the one
 * that waits for them. */
struct stream {
    uint32_t before;
    uint32_t now;
    uint32_t seat;
    uint64_t op_count;
    bool any;
};

static int enter_group(struct nccl *n, struct stream *t, const struct nccl_call *c,
                       const struct import_place *p)
{
    if (t->any && t->seat == c->seat && t->op_count == c->op_count) {
        return EGRET_OK;
    }
    *t = (struct stream){t->any ? t->now : EGRET_NO_OP, 0, c->seat, c->op_count, true};
    return egret_import_delay(n->m, p, n->seat[c->seat].global, 0, &t->now);
}

static int point_to_point(struct nccl *n, const struct nccl_call *c, const struct import_place *p,
                          uint32_t *op)
{
    const struct nccl_seat *seat = &n->seat[c->seat];
    const struct nccl_comm *comm = &n->comm[seat->comm];
    struct match_end e = {.bytes = c->bytes, .tag = seat->comm};
    if (c->peer >= comm->nranks) {
        return egret_trace_fail(
            n->m->err, EGRET_ERR_RANGE, "%.200s:%llu: peer %u (root) of a communicator of %u ranks",
            n->m->path[c->file], (unsigned long long)c->where, c->peer, comm->nranks);
    }
    e.src = c->verb == NCCL_SEND ? seat->global : comm->rank[c->peer];
    e.dst = c->verb == NCCL_SEND ? comm->rank[c->peer] : seat->global;
    return c->verb == NCCL_SEND ? egret_import_send(n->m, p, &e, op)
                                : egret_import_recv(n->m, p, &e, op);
}

static int collective(struct nccl *n, const struct nccl_call *c, const struct import_place *p,
                      uint32_t *in, uint32_t *out)
{
    const struct nccl_seat *seat = &n->seat[c->seat];
    const struct nccl_comm *comm = &n->comm[seat->comm];
    struct call call = {.order = n->m->r->nodes,
                        .bytes = c->bytes,
                        .group = seat->comm,
                        .rank = seat->global,
                        .root = UINT32_MAX,
                        .kind = c->kind};
    int code = egret_import_delay(n->m, p, seat->global, 0, in);
    code = code ? code : egret_import_delay(n->m, p, seat->global, 0, out);
    if (code) {
        return code;
    }
    switch (c->kind) { /* the count is one rank's share; the size is that of all */
    case EGRET_COLL_ALL_GATHER:
    case EGRET_COLL_GATHER:
    case EGRET_COLL_SCATTER:
    case EGRET_COLL_ALL_TO_ALL:
    case EGRET_COLL_REDUCE_SCATTER:
    case EGRET_COLL_REDUCE_SCATTER_BLOCK:
        if (call.bytes > UINT64_MAX / comm->nranks) {
            return egret_import_fail(n->m, *in, "more than 2^64 bytes");
        }
        call.bytes *= comm->nranks;
        break;
    default:
        break;
    }
    if (call.bytes == 0) {
        return egret_import_relaxed(n->m, EGRET_RELAX_SIZES)
                   ? egret_import_code(n->m,
                                       egret_schedule_after(n->m->s, *in, EGRET_ON_DONE, *out))
                   : egret_import_fail(n->m, *in, "a collective without a size (--allow-zero)");
    }
    bool rooted = c->kind == EGRET_COLL_REDUCE || c->kind == EGRET_COLL_BROADCAST ||
                  c->kind == EGRET_COLL_GATHER || c->kind == EGRET_COLL_SCATTER;
    if (rooted && c->peer >= comm->nranks) {
        return egret_import_fail(n->m, *in, "root %u of a communicator of %u ranks", c->peer,
                                 comm->nranks);
    }
    call.root = rooted ? comm->rank[c->peer] : UINT32_MAX;
    call.entry = *in;
    call.exit = *out;
    return egret_match_add_call(n->m, &call);
}

static int operations(struct nccl *n, struct stream *stream)
{
    int code = EGRET_OK;
    for (size_t i = 0; code == EGRET_OK && i < n->calls; i++) {
        const struct nccl_call *c = &n->call[i];
        struct import_place p = {c->where, (uint32_t)c->op_count, c->file};
        struct stream *t = &stream[c->stream];
        uint32_t in = 0;
        n->m->r->nodes++;
        code = enter_group(n, t, c, &p);
        if (code == EGRET_OK && c->verb == NCCL_COLLECTIVE) {
            uint32_t out = 0;
            code = collective(n, c, &p, &in, &out);
            code = code ? code
                        : egret_import_code(
                              n->m, egret_schedule_after(n->m->s, out, EGRET_ON_DONE, t->now));
        } else if (code == EGRET_OK) {
            code = point_to_point(n, c, &p, &in);
            enum egret_op_event event = code == EGRET_OK && n->m->s->op[in].kind == EGRET_OP_MESSAGE
                                            ? EGRET_ON_SENT
                                            : EGRET_ON_DONE;
            code = code ? code
                        : egret_import_code(n->m, egret_schedule_after(n->m->s, in, event, t->now));
        }
        if (code == EGRET_OK && t->before != EGRET_NO_OP) {
            code = egret_import_code(n->m,
                                     egret_schedule_after(n->m->s, t->before, EGRET_ON_DONE, in));
        }
    }
    return code;
}

static int members(void *user, uint32_t group, const uint32_t **rank, uint32_t *ranks,
                   const char **name)
{
    const struct nccl *n = user;
    *rank = n->comm[group].rank;
    *ranks = n->comm[group].nranks;
    *name = "communicator";
    return EGRET_OK;
}

static int whole(struct nccl *n, struct source *s)
{
    int code = read_file(n, s, 0);
    for (size_t i = 1; code == EGRET_OK && i < n->m->files; i++) {
        code = egret_import_open(n->m, i, s);
        code = code ? code : read_file(n, s, (uint16_t)i);
    }
    if (code == EGRET_OK && n->calls == 0) {
        return egret_trace_fail(n->m->err, EGRET_ERR_RANGE,
                                "%s: no call in it (NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL)",
                                n->m->path[0]);
    }
    code = code ? code : egret_nccl_comms(n);
    struct stream *stream = calloc((size_t)n->streams + 1u, sizeof *stream);
    if (!stream) {
        return egret_import_memory(n->m);
    }
    code = code ? code : operations(n, stream);
    free(stream);
    struct call_groups groups = {n, members};
    code = code ? code : egret_match_ends(n->m);
    return code ? code : egret_match_calls(n->m, &groups);
}

int egret_nccl_import(struct importer *m, struct source *s)
{
    struct nccl n = {.m = m};
    n.text = malloc(MAX_LINE);
    int code = n.text ? whole(&n, s) : egret_import_memory(m);
    free(n.text);
    for (size_t i = 0; n.comm && i < n.comms; i++) {
        free(n.comm[i].rank);
    }
    free(n.comm);
    free(n.seat);
    free(n.call);
    egret_names_free(&n.seat_names);
    egret_names_free(&n.place_names);
    egret_names_free(&n.stream_names);
    egret_names_free(&n.id_names);
    return code;
}
