/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal.c: GOAL operations into a schedule (goal.h); for the text and the binary form.
 *
 * A receive is over when its message has arrived and what it requires is done. Whoever waits for
 * its start (irequires) waits for what it requires only: such a receive gets a second join.
 */
#include <stdlib.h>

#include "goal.h"

int egret_goal_op(struct importer *m, const struct goal_block *b, const struct goal_op *o,
                  uint32_t *op)
{
    struct import_place p = {o->where, (uint32_t)o->tag, 0};
    struct match_end e = {.bytes = o->amount, .tag = o->tag, .src = b->rank, .dst = o->peer};
    m->r->nodes++;
    switch (o->kind) {
    case GOAL_SEND:
        return egret_import_send(m, &p, &e, op);
    case GOAL_RECV:
        e.src = o->peer;
        e.dst = b->rank;
        e.any = (o->peer == UINT32_MAX ? MATCH_ANY_SRC : 0) | (o->any_tag ? MATCH_ANY_TAG : 0);
        return egret_import_recv(m, &p, &e, op);
    default:
        m->r->compute_nodes++;
        m->compute_ns += o->amount % 1000u;
        m->r->compute_us += o->amount / 1000u;
        return egret_import_delay(m, &p, b->rank, m->o->no_compute ? 0 : o->amount * 1000u, op);
    }
}

int egret_goal_wait(struct importer *m, struct goal_block *b, uint32_t before, uint32_t after,
                    bool start)
{
    void *p = b->wait;
    if (!egret_import_grow(&p, b->waits, &b->capacity, sizeof *b->wait)) {
        return egret_import_memory(m);
    }
    b->wait = p;
    b->wait[b->waits++] = (struct goal_wait){before, after, start};
    return EGRET_OK;
}

/* posted[i]: the join of what receive first + i requires, or EGRET_NO_OP. */
static int add_posted(struct importer *m, const struct goal_block *b, uint32_t *posted, size_t n)
{
    uint8_t *recv = calloc(n + 1u, 1);
    int code = recv ? EGRET_OK : egret_import_memory(m);
    for (size_t i = 0; recv && i < n; i++) {
        posted[i] = EGRET_NO_OP;
    }
    for (size_t i = m->match.recv.count; recv && i-- > 0 && m->match.recv.end[i].op >= b->first;) {
        recv[m->match.recv.end[i].op - b->first] = 1;
    }
    for (size_t i = 0; code == EGRET_OK && i < b->waits; i++) {
        uint32_t before = b->wait[i].before;
        if (!b->wait[i].start || !recv[before - b->first] ||
            posted[before - b->first] != EGRET_NO_OP) {
            continue;
        }
        struct import_place p = {m->s->op[before].where, m->s->op[before].tag, 0};
        code = egret_import_delay(m, &p, b->rank, 0, &posted[before - b->first]);
        if (code == EGRET_OK) {
            code = egret_import_code(
                m, egret_schedule_after(m->s, posted[before - b->first], EGRET_ON_DONE, before));
        }
    }
    free(recv);
    return code;
}

int egret_goal_edges(struct importer *m, struct goal_block *b)
{
    size_t n = m->s->ops - b->first;
    uint32_t *posted = malloc((n + 1u) * sizeof *posted);
    int code = posted ? add_posted(m, b, posted, n) : egret_import_memory(m);
    for (size_t i = 0; code == EGRET_OK && i < b->waits; i++) {
        const struct goal_wait *w = &b->wait[i];
        uint32_t before_join = posted[w->before - b->first];
        uint32_t after_join = posted[w->after - b->first];
        uint32_t before = w->start && before_join != EGRET_NO_OP ? before_join : w->before;
        uint32_t after = after_join != EGRET_NO_OP ? after_join : w->after;
        enum egret_op_event event =
            m->s->op[before].kind == EGRET_OP_MESSAGE ? EGRET_ON_SENT : EGRET_ON_DONE;
        if (w->start && before == w->before) {
            event = EGRET_ON_START;
        }
        code = egret_import_code(m, egret_schedule_after(m->s, before, event, after));
    }
    free(posted);
    b->waits = 0;
    return code;
}
