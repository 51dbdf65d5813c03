/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cm_check.c: what a connection matrix refers to must exist, and must be able to happen.
 */
#include <stdlib.h>

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

static void sort(struct cm_refs *refs)
{
    if (refs->count) {
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

/* An id twice is good only if all flows that have it are messages. */
static int check_ids(struct cm *c)
{
    sort(&c->ids);
    for (size_t i = 1; i < c->ids.count; i++) {
        const struct cm_ref *a = &c->ids.ref[i - 1u];
        const struct cm_ref *b = &c->ids.ref[i];
        if (a->id == b->id && (!a->flag || !b->flag)) {
            return egret_cm_fail_at(c, b->line, "id %llu is used twice without msg", b->id);
        }
    }
    return EGRET_OK;
}

enum which { START, SEND, RECEIVE };

static int resolve(struct cm *c, const struct cm_refs *refs, enum which which,
                   uint32_t *activations)
{
    for (size_t i = 0; i < refs->count; i++) {
        const struct cm_ref *r = &refs->ref[i];
        const struct cm_ref *t = find(&c->triggers, r->id);
        if (!t) {
            return egret_cm_fail_at(c, r->line, "trigger %llu is not defined", r->id);
        }
        struct egret_message *m = &c->work->message[r->index];
        if (which == START) {
            m->trigger = t->index;
        } else {
            *(which == SEND ? &m->send_done : &m->recv_done) = t->index;
            activations[t->index]++;
        }
    }
    return EGRET_OK;
}

/* A trigger that starts flows must be activated often enough. */
static int check_activations(struct cm *c, const uint32_t *activations)
{
    for (size_t i = 0; i < c->starts.count; i++) {
        const struct cm_ref *r = &c->starts.ref[i];
        uint32_t index = c->work->message[r->index].trigger;
        const struct egret_trigger *t = &c->work->trigger[index];
        uint32_t need = t->kind == EGRET_TRIGGER_BARRIER ? t->count : 1u;
        if (activations[index] < need) {
            return egret_cm_fail_at(c, r->line, "trigger %llu can never fire", r->id);
        }
    }
    return EGRET_OK;
}

int egret_cm_resolve(struct cm *c)
{
    sort(&c->triggers);
    for (size_t i = 1; i < c->triggers.count; i++) {
        if (c->triggers.ref[i - 1u].id == c->triggers.ref[i].id) {
            return egret_cm_fail_at(c, c->triggers.ref[i].line, "trigger %llu is defined twice",
                                    c->triggers.ref[i].id);
        }
    }
    uint32_t *activations = calloc(c->work->triggers + 1u, sizeof *activations);
    if (!activations) {
        return egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->lines.name);
    }
    int code = check_ids(c);
    if (code == EGRET_OK) {
        code = resolve(c, &c->starts, START, activations);
    }
    if (code == EGRET_OK) {
        code = resolve(c, &c->sends, SEND, activations);
    }
    if (code == EGRET_OK) {
        code = resolve(c, &c->receives, RECEIVE, activations);
    }
    if (code == EGRET_OK) {
        code = check_activations(c, activations);
    }
    free(activations);
    return code;
}
