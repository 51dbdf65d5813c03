/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cm_check.c: what a connection matrix refers to must exist, and must be able to happen; then it
 * becomes edges of the schedule.
 */
#include <stdlib.h>
#include <string.h>

#include "cm.h"

static int by_id(const void *a, const void *b)
{
    const struct cm_ref *x = a;
    const struct cm_ref *y = b;
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Most files are in order already. */
static void sort(struct cm_refs *refs)
{
    size_t i = 1;
    while (i < refs->count && by_id(&refs->ref[i - 1u], &refs->ref[i]) < 0) {
        i++;
    }
    if (i < refs->count) {
        qsort(refs->ref, refs->count, sizeof *refs->ref, by_id);
    }
}

static const struct cm_ref *find(const struct cm_refs *sorted, uint32_t id)
{
    size_t low = 0;
    size_t high = sorted->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2u;
        if (sorted->ref[middle].id < id) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low < sorted->count && sorted->ref[low].id == id ? &sorted->ref[low] : NULL;
}

static int by_message(const void *a, const void *b)
{
    const struct cm_ref *x = a;
    const struct cm_ref *y = b;
    if (x->id != y->id || x->msg == y->msg) {
        return by_id(a, b);
    }
    return x->msg < y->msg ? -1 : 1;
}

static bool same_ends(const struct cm *c, const struct cm_ref *a, const struct cm_ref *b)
{
    const struct egret_op *x = &c->work->op[a->index];
    const struct egret_op *y = &c->work->op[b->index];
    return x->src == y->src && x->dst == y->dst;
}

/* An id twice is good only if all flows that have it are messages, of one number each, of one
 * connection. */
static int check_ids(struct cm *c)
{
    bool twice = false;
    sort(&c->ids);
    for (size_t i = 1; i < c->ids.count; i++) {
        const struct cm_ref *a = &c->ids.ref[i - 1u];
        const struct cm_ref *b = &c->ids.ref[i];
        twice |= a->id == b->id;
        if (a->id == b->id && (!a->msg || !b->msg)) {
            return egret_cm_fail_at(c, b->line, "id %llu is used twice without msg, at line %llu",
                                    b->id, a->line);
        }
        if (a->id == b->id && !same_ends(c, a, b)) {
            return egret_cm_fail_at(c, b->line, "id %llu is between other nodes at line %llu",
                                    b->id, a->line);
        }
    }
    if (twice) {
        qsort(c->ids.ref, c->ids.count, sizeof *c->ids.ref, by_message);
    }
    for (size_t i = 1; i < c->ids.count; i++) {
        const struct cm_ref *a = &c->ids.ref[i - 1u];
        const struct cm_ref *b = &c->ids.ref[i];
        if (a->id == b->id && a->msg == b->msg && a->msg >= 2u) {
            return egret_cm_fail_at(c, b->line, "msg %llu of this id is at line %llu too",
                                    b->msg - 2u, a->line);
        }
    }
    return EGRET_OK;
}

enum which { START, SEND, RECEIVE };

static int resolve(struct cm *c, const struct cm_refs *refs, enum which which)
{
    for (size_t i = 0; i < refs->count; i++) {
        const struct cm_ref *r = &refs->ref[i];
        const struct cm_ref *t = find(&c->triggers, r->id);
        if (!t) {
            return egret_cm_fail_at(c, r->line, "trigger %llu is not defined", r->id, 0);
        }
        struct cm_links *m = &c->links[r->index];
        *(which == START ? &m->trigger : which == SEND ? &m->send_done : &m->recv_done) = t->index;
    }
    return EGRET_OK;
}

#define NONE UINT32_MAX

/* Which flows start at all, whatever the time: those with a start, and what their ends set going.
 * Triggers act as in traffic.c. */
struct reach {
    uint32_t *next;  /* flow behind this one in its trigger's list */
    uint32_t *head;  /* of each trigger's list: flows that it has not started */
    uint32_t *fired; /* activations of each trigger */
    uint32_t *queue; /* flows that start */
    size_t queued;
    uint8_t *starts; /* of each flow */
    uint8_t *used;   /* of each trigger: a flow waits for it */
};

static void start(struct reach *r, uint32_t flow)
{
    r->starts[flow] = 1;
    r->queue[r->queued++] = flow;
}

static void activate(const struct cm *c, struct reach *r, uint32_t t)
{
    if (t == CM_NO_TRIGGER) {
        return;
    }
    r->fired[t]++;
    if (c->trigger[t].kind == CM_BARRIER && r->fired[t] != c->trigger[t].count) {
        return;
    }
    while (r->head[t] != NONE) {
        uint32_t flow = r->head[t];
        r->head[t] = r->next[flow];
        start(r, flow);
        if (c->trigger[t].kind == CM_MULTISHOT) {
            return;
        }
    }
}

static void follow(const struct cm *c, struct reach *r)
{
    memset(r->head, 0xff, (c->trigger_count + 1u) * sizeof *r->head);
    for (size_t i = c->work->ops; i-- > 0;) {
        uint32_t t = c->links[i].trigger;
        if (t != CM_NO_TRIGGER) {
            r->next[i] = r->head[t];
            r->head[t] = (uint32_t)i;
            r->used[t] = 1;
        }
    }
    for (size_t i = 0; i < c->work->ops; i++) {
        if (c->links[i].trigger == CM_NO_TRIGGER) {
            start(r, (uint32_t)i);
        }
    }
    for (size_t i = 0; i < r->queued; i++) {
        const struct cm_links *m = &c->links[r->queue[i]];
        activate(c, r, m->send_done);
        activate(c, r, m->recv_done);
    }
}

/* Every flow must start; every trigger must start something. */
static int check_reach(struct cm *c, const struct reach *r)
{
    for (size_t i = 0; i < c->starts.count; i++) {
        const struct cm_ref *s = &c->starts.ref[i];
        uint32_t t = c->links[s->index].trigger;
        if (!r->starts[s->index]) {
            static const char *const why[2][2] = {
                {"trigger %llu can never fire: it is activated %llu times",
                 "trigger %llu can never fire: it is activated once"},
                {"trigger %llu fires only %llu times, never for this flow",
                 "trigger %llu fires only once, never for this flow"}};
            bool some = r->fired[t] && c->trigger[t].kind == CM_MULTISHOT;
            return egret_cm_fail_at(c, s->line, why[some][r->fired[t] == 1u], s->id, r->fired[t]);
        }
    }
    for (size_t i = 0; i < c->triggers.count; i++) {
        const struct cm_ref *t = &c->triggers.ref[i];
        if (!r->used[t->index]) { /* one that is used has started its flows, by the above */
            return egret_cm_fail_at(c, t->line, "trigger %llu starts no flow", t->id, 0);
        }
    }
    return EGRET_OK;
}

static int check_starts(struct cm *c)
{
    size_t flows = c->work->ops + 1u;
    size_t triggers = c->trigger_count + 1u;
    struct reach r = {calloc(flows, sizeof *r.next),
                      calloc(triggers, sizeof *r.head),
                      calloc(triggers, sizeof *r.fired),
                      calloc(flows, sizeof *r.queue),
                      0,
                      calloc(flows, 1),
                      calloc(triggers, 1)};
    int code;
    if (r.next && r.head && r.fired && r.queue && r.starts && r.used) {
        follow(c, &r);
        code = check_reach(c, &r);
    } else {
        code = egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->lines.name);
    }
    free(r.next);
    free(r.head);
    free(r.fired);
    free(r.queue);
    free(r.starts);
    free(r.used);
    return code;
}

/* Trigger i becomes operation flows + i, behind all flows. */
static int append_triggers(struct cm *c)
{
    struct egret_schedule *s = c->work;
    uint32_t flows = (uint32_t)s->ops;
    int code = EGRET_OK;
    for (size_t i = 0; code == EGRET_OK && i < c->trigger_count; i++) {
        const struct cm_trigger *t = &c->trigger[i];
        struct egret_op op = {.where = t->line, .priority = EGRET_PRIORITY_DEFAULT};
        op.kind = t->kind == CM_MULTISHOT ? EGRET_OP_TURNSTILE : EGRET_OP_DELAY;
        op.need = t->kind == CM_MULTISHOT ? 0 : t->kind == CM_BARRIER ? t->count : 1u;
        code = egret_schedule_op(s, &op, NULL);
    }
    for (uint32_t i = 0; code == EGRET_OK && i < flows; i++) {
        const struct cm_links *m = &c->links[i];
        if (m->recv_done != CM_NO_TRIGGER) {
            code = egret_schedule_edge(s, i, EGRET_ON_DONE, flows + m->recv_done);
        }
        if (code == EGRET_OK && m->send_done != CM_NO_TRIGGER) {
            code = egret_schedule_edge(s, i, EGRET_ON_SENT, flows + m->send_done);
        }
        if (code == EGRET_OK && m->trigger != CM_NO_TRIGGER) {
            code = egret_schedule_after(s, flows + m->trigger, EGRET_ON_DONE, i);
        }
    }
    return code ? egret_trace_fail(c->err, code, "%s: out of memory", c->lines.name) : EGRET_OK;
}

/* Numbers of triggers into indices. */
static int resolve_all(struct cm *c)
{
    int code = resolve(c, &c->starts, START);
    if (code == EGRET_OK) {
        code = resolve(c, &c->sends, SEND);
    }
    return code ? code : resolve(c, &c->receives, RECEIVE);
}

int egret_cm_resolve(struct cm *c)
{
    sort(&c->triggers);
    for (size_t i = 1; i < c->triggers.count; i++) {
        const struct cm_ref *t = &c->triggers.ref[i];
        if (t[-1].id == t->id) {
            return egret_cm_fail_at(c, t->line, "trigger %llu is defined twice, at line %llu too",
                                    t->id, t[-1].line);
        }
    }
    int code = check_ids(c);
    if (code || c->triggers.count + c->starts.count + c->sends.count + c->receives.count == 0) {
        return code;
    }
    c->links = malloc(c->work->ops * sizeof *c->links);
    if (!c->links) {
        return egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->lines.name);
    }
    memset(c->links, 0xff, c->work->ops * sizeof *c->links);
    code = resolve_all(c);
    if (code == EGRET_OK) {
        code = check_starts(c);
    }
    return code ? code : append_triggers(c);
}
