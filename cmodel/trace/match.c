/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.c: which receive takes which send (match.h). Sorts, then merges: no search is quadratic.
 */
#include <stdio.h>
#include <stdlib.h>

#include "importer.h"

/* Orders by destination, then by what a receive knows, then by operation. */
static int compare(const struct match_end *a, const struct match_end *b, uint32_t any)
{
    if (a->dst != b->dst) {
        return a->dst < b->dst ? -1 : 1;
    }
    if (!(any & MATCH_ANY_SRC) && a->src != b->src) {
        return a->src < b->src ? -1 : 1;
    }
    if (!(any & MATCH_ANY_TAG) && a->tag != b->tag) {
        return a->tag < b->tag ? -1 : 1;
    }
    return 0;
}

static int sort_by(const void *a, const void *b, uint32_t any)
{
    const struct match_end *x = a;
    const struct match_end *y = b;
    int order = compare(x, y, any);
    return order ? order : x->op < y->op ? -1 : x->op > y->op;
}

static int sort_exact(const void *a, const void *b)
{
    return sort_by(a, b, 0);
}
static int sort_any_src(const void *a, const void *b)
{
    return sort_by(a, b, MATCH_ANY_SRC);
}
static int sort_any_tag(const void *a, const void *b)
{
    return sort_by(a, b, MATCH_ANY_TAG);
}
static int sort_any(const void *a, const void *b)
{
    return sort_by(a, b, MATCH_ANY_SRC | MATCH_ANY_TAG);
}

static int sort_op(const void *a, const void *b)
{
    const struct match_end *x = a;
    const struct match_end *y = b;
    return x->op < y->op ? -1 : x->op > y->op;
}

static int sort_class(const void *a, const void *b)
{
    const struct match_end *x = a;
    const struct match_end *y = b;
    return x->any != y->any ? (x->any < y->any ? -1 : 1) : sort_by(a, b, x->any);
}

static int pair(struct importer *m, struct match_end *send, struct match_end *recv)
{
    if (recv->bytes != MATCH_NO_SIZE && recv->bytes != send->bytes &&
        !egret_import_relaxed(m, EGRET_RELAX_COUNTS)) {
        return egret_import_fail(m, recv->op,
                                 "rank %u receives %llu bytes, rank %u sends %llu in operation at "
                                 "%llu (--allow-counts)",
                                 recv->dst, (unsigned long long)recv->bytes, send->src,
                                 (unsigned long long)send->bytes,
                                 (unsigned long long)m->s->op[send->op].where);
    }
    send->any = 1;
    return egret_import_code(m, egret_schedule_after(m->s, send->op, EGRET_ON_DONE, recv->op));
}

/* A send or receive that found no other; what is in the report is the first in the files. */
static int left(struct importer *m, const struct match_end *e, bool is_send)
{
    char src[16];
    char tag[24];
    if (egret_import_relaxed(m, EGRET_RELAX_UNMATCHED)) {
        return EGRET_OK;
    }
    bool any_src = !is_send && (e->any & MATCH_ANY_SRC);
    bool any_tag = !is_send && (e->any & MATCH_ANY_TAG);
    (void)snprintf(src, sizeof src, "%u", e->src);
    (void)snprintf(tag, sizeof tag, "%llu", (unsigned long long)e->tag);
    return egret_import_fail(m, e->op,
                             "%s from rank %s to rank %u, tag %s, has no %s "
                             "(--allow-unmatched)",
                             is_send ? "send" : "recv", any_src ? "any" : src, e->dst,
                             any_tag ? "any" : tag, is_send ? "recv" : "send");
}

/* Receives r[0..n-1] of one class, sorted, take sends in their order. A taken receive gets any =
 * UINT32_MAX. */
static int merge(struct importer *m, struct match_end *r, size_t n)
{
    static int (*const sort[4])(const void *, const void *) = {sort_exact, sort_any_src,
                                                               sort_any_tag, sort_any};
    struct match_ends *sends = &m->match.send;
    uint32_t any = r[0].any;
    size_t s = 0;
    int code = EGRET_OK;
    qsort(sends->end, sends->count, sizeof *sends->end, sort[any & 3u]);
    for (size_t i = 0; code == EGRET_OK && i < n; i++) {
        while (s < sends->count && (sends->end[s].any || compare(&sends->end[s], &r[i], any) < 0)) {
            s++;
        }
        if (s < sends->count && compare(&sends->end[s], &r[i], any) == 0) {
            code = pair(m, &sends->end[s], &r[i]);
            r[i].any |= 0x80000000u;
            s++;
        }
    }
    return code;
}

int egret_match_ends(struct importer *m)
{
    struct match_ends *sends = &m->match.send;
    struct match_ends *recvs = &m->match.recv;
    int code = EGRET_OK;
    if (recvs->count) {
        qsort(recvs->end, recvs->count, sizeof *recvs->end, sort_class);
    }
    for (size_t i = 0; code == EGRET_OK && sends->count && i < recvs->count;) {
        size_t n = i;
        while (n < recvs->count && recvs->end[n].any == recvs->end[i].any) {
            n++;
        }
        code = merge(m, recvs->end + i, n - i);
        i = n;
    }
    if (recvs->count) {
        qsort(recvs->end, recvs->count, sizeof *recvs->end, sort_op);
    }
    if (sends->count) {
        qsort(sends->end, sends->count, sizeof *sends->end, sort_op);
    }
    for (size_t i = 0; code == EGRET_OK && i < recvs->count; i++) {
        code = recvs->end[i].any & 0x80000000u ? EGRET_OK : left(m, &recvs->end[i], false);
    }
    for (size_t i = 0; code == EGRET_OK && i < sends->count; i++) {
        code = sends->end[i].any ? EGRET_OK : left(m, &sends->end[i], true);
    }
    return code;
}
