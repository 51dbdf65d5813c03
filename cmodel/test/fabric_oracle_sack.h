/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_oracle_sack.h: the sack transport of the plain fabric: sets of packets as bits; an ACK
 * carries a copy of the receiver's.
 */
#ifndef EGRET_FABRIC_ORACLE_SACK_H
#define EGRET_FABRIC_ORACLE_SACK_H

#include "fabric_oracle.h"

static bool o_in(const struct o_set *s, uint32_t i)
{
    return s->bits[i / 64u] >> (i % 64u) & 1u;
}
static void o_put(struct o_set *s, uint32_t i, bool in)
{
    if (i >= 64u * O_SET_WORDS) {
        ORACLE_FAIL("a message is too long for a set");
    }
    uint64_t bit = (uint64_t)1 << (i % 64u);
    s->bits[i / 64u] = in ? s->bits[i / 64u] | bit : s->bits[i / 64u] & ~bit;
}

static bool o_is_sack(const struct oracle *o)
{
    return o->f->spec.transport == EGRET_TRANSPORT_SACK;
}

/* The lowest packet that waits to be sent again, else the next new one; `packets` if none. */
static uint32_t o_sack_next(const struct o_message *m)
{
    for (uint32_t i = 0; i < m->sent; i++) {
        if (o_in(&m->again, i)) {
            return i;
        }
    }
    return m->sent;
}

static void o_sack_sends(struct oracle *o, struct o_message *m, uint32_t sequence)
{
    m->progress = o->now;
    if (sequence == m->sent) {
        m->sent++;
    } else {
        o_put(&m->again, sequence, false);
        o_put(&m->resent, sequence, true);
        o->resent++;
    }
}

/* True if something was new. */
static bool o_sack_answer(struct oracle *o, struct o_message *m, const struct o_set *said)
{
    uint32_t known = 0;
    bool news = false;
    for (uint32_t i = 0; i < m->packets; i++) {
        news = news || (o_in(said, i) && !o_in(&m->known, i));
        if (o_in(said, i)) {
            o_put(&m->known, i, true);
            o_put(&m->again, i, false);
        }
        known = o_in(&m->known, i) ? i + 1u : known;
        m->acked = i == 0 ? o_in(&m->known, 0) : m->acked + o_in(&m->known, i);
    }
    if (!news) {
        return false;
    }
    m->progress = o->now;
    for (uint32_t i = 0; i + o->f->spec.reorder_threshold < known; i++) {
        if (!o_in(&m->known, i) && !o_in(&m->resent, i)) {
            o_put(&m->again, i, true);
        }
    }
    return true;
}

/* The time-out, or what was one before something happened. */
static void o_sack_timeout(struct oracle *o, uint32_t message)
{
    struct o_message *m = &o->message[message];
    if (m->acked == m->packets) {
        return;
    }
    if (m->progress + o->f->spec.rto_ps <= o->now) {
        m->progress = o->now;
        for (uint32_t i = 0; i < m->sent; i++) {
            o_put(&m->again, i, !o_in(&m->known, i));
        }
    }
    o_push(o, m->progress + o->f->spec.rto_ps, O_START, message, 0, NULL);
}

#endif
