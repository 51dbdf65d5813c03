/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply.c: the fast path: egret_apply() and egret_apply_burst(). Mirrors rtl/egret_core.v.
 *
 * Same results as the plain path behind egret_explain() (decide.c), held to it by a random test.
 * What makes it fast: byte tables of the bytes that matter for a linear hash, H cached in each
 * pointer until its epoch or the seed changes, and no count of live members unless one is repaired.
 */
#include <string.h>

#include "internal.h"

#if defined(__GNUC__) && !defined(EGRET_PLAIN_C)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define FALLTHROUGH __attribute__((fallthrough))
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define NOINLINE
#define ALWAYS_INLINE inline
#define FALLTHROUGH ((void)0)
#endif

static uint32_t popcount64(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

/* The k-th set bit, k below the count: clear k lowest ones, then count what lies below. */
static uint32_t select64(uint64_t x, uint32_t k)
{
    while (k-- > 0)
        x &= x - 1;
    return popcount64((x & (0u - x)) - 1);
}

static NOINLINE uint32_t slow_hash(struct egret *e, const uint8_t *record)
{
    if (e->mode == EGRET_MODE_STALE)
        egret_hash_rebuild(e);
    return egret_hash_plain(e, record);
}

#define SLOT(s)                                         \
    case (s) + 1:                                       \
        h ^= table[256 * (s) + record[e->byte_of[(s)]]]; \
        FALLTHROUGH

static ALWAYS_INLINE uint32_t hash_record(struct egret *e, const uint8_t *record)
{
    const uint32_t *table = e->table;
    uint32_t h;

    if (UNLIKELY(e->mode != EGRET_MODE_TABLES))
        return slow_hash(e, record);
    h = e->constant;
    switch (e->active) {
        SLOT(40); SLOT(39); SLOT(38); SLOT(37); SLOT(36); SLOT(35); SLOT(34); SLOT(33);
        SLOT(32); SLOT(31); SLOT(30); SLOT(29); SLOT(28); SLOT(27); SLOT(26); SLOT(25);
        SLOT(24); SLOT(23); SLOT(22); SLOT(21); SLOT(20); SLOT(19); SLOT(18); SLOT(17);
        SLOT(16); SLOT(15); SLOT(14); SLOT(13); SLOT(12); SLOT(11); SLOT(10); SLOT(9);
        SLOT(8); SLOT(7); SLOT(6); SLOT(5); SLOT(4); SLOT(3); SLOT(2); SLOT(1); SLOT(0);
    default:
        break;
    }
    return h;
}

static ALWAYS_INLINE void put(struct egret_decision *out, uint32_t tag, uint32_t data,
                              uint32_t port, uint32_t choice, uint32_t scheme, uint32_t reason)
{
    out->tag = tag;
    out->data = data;
    out->kind = EGRET_RES_PACKET;
    out->port = (uint8_t)port;
    out->choice = (uint8_t)choice;
    out->scheme = (uint8_t)scheme;
    out->reason = (uint8_t)reason;
    out->pad[0] = 0;
    out->pad[1] = 0;
    out->pad[2] = 0;
}

static NOINLINE void put_drop(struct egret_decision *out, uint32_t tag, uint32_t data,
                              uint32_t scheme, enum egret_reason reason)
{
    put(out, tag, data, EGRET_PORT_DROP, EGRET_PORT_DROP, scheme, (uint32_t)reason);
}

/* Draws for the entry's epoch into the pointer's cache. kw as in docs/spec/rotation.md. */
static NOINLINE void redraw(const struct egret *e, struct egret_pointer *p, uint32_t kw)
{
    uint32_t pre = egret_draw_pre(e->draw_seed, kw);
    uint32_t epoch = p->entry >> 20;
    p->draw = (uint16_t)egret_draw_row(pre, epoch);
    p->pre_y = (uint16_t)(pre >> 16);
    p->tag = e->draw_generation | epoch;
}

/* Advances a pointer; returns the choice. */
static ALWAYS_INLINE uint32_t rotate(const struct egret *e, const struct egret_group_state *g,
                                     struct egret_pointer *p, uint32_t kw)
{
    uint32_t entry = p->entry;
    uint32_t last = egret_group_last(g);
    uint32_t slot = entry & 0xffu;
    uint32_t row;

    if (UNLIKELY(p->tag != (e->draw_generation | entry >> 20)))
        redraw(e, p, kw);
    row = (g->row_base + (uint32_t)(p->draw & g->row_mask)) & (e->cfg.num_rows - 1);
    if (LIKELY(slot < last)) {
        p->entry = entry + 1;
    } else {
        slot = slot > last ? 0 : slot;
        if (slot == last) {
            uint32_t limit = egret_group_wraps(g);
            uint32_t wraps = (entry >> 8) & 0xfffu;
            if (limit != 0 && wraps >= limit - 1)
                p->entry = (entry & 0xfff00000u) + 0x100000u;
            else
                p->entry = (entry & 0xfff00000u) | ((wraps + 1) & 0xfffu) << 8;
        } else {
            p->entry = (entry & 0xffffff00u) | 1u;
        }
    }
    return e->schedule[((egret_group_bank(g) * e->cfg.num_rows + row) << e->row_shift) + slot];
}

static NOINLINE void repair(struct egret *e, struct egret_group_state *g,
                            const struct egret_event *ev, uint32_t random, uint32_t data,
                            uint32_t choice, struct egret_decision *out)
{
    uint64_t live = g->members & e->live;
    uint32_t scheme = egret_group_scheme(g);
    uint32_t length = ev->length;

    if (live == 0) {
        g->drops++;
        put_drop(out, ev->tag, data, scheme, EGRET_REASON_DROP_DOWN);
        return;
    }
    uint32_t port = select64(live, random * popcount64(live) >> 16);
    g->repairs++;
    put(out, ev->tag, data, port, choice, scheme, EGRET_REASON_REPAIRED);
    e->counter[port].packets++;
    e->counter[port].bytes += length;
}

static ALWAYS_INLINE void packet(struct egret *e, const struct egret_event *ev,
                                 struct egret_decision *out)
{
    uint32_t group = ev->group;
    uint32_t tag = ev->tag;

    if (UNLIKELY(group >= e->cfg.num_groups)) {
        e->drops_index++;
        put_drop(out, tag, 0, EGRET_SCHEME_NONE, EGRET_REASON_DROP_INDEX);
        return;
    }
    struct egret_group_state *g = &e->group[group];
    uint32_t scheme = egret_group_scheme(g);
    uint32_t choice;
    uint32_t data;

    if (scheme == EGRET_SCHEME_ECMP) {
        if (UNLIKELY(g->members == 0))
            goto empty;
        data = hash_record(e, ev->record);
        choice = e->bucket[(g->bucket_base + (data & g->bucket_mask)) & (e->cfg.num_buckets - 1)];
        if (UNLIKELY((g->members & e->live & (uint64_t)1 << choice) == 0)) {
            repair(e, g, ev, data >> 16, data, choice, out);
            return;
        }
    } else {
        uint32_t index;
        uint32_t kw;
        if (scheme == EGRET_SCHEME_DR) {
            uint32_t key = ev->key;
            uint32_t bin = ev->bin;
            if (UNLIKELY(key >= e->cfg.num_keys || bin >= e->cfg.num_bins)) {
                if (g->members == 0)
                    goto empty;
                g->drops++;
                e->drops_index++;
                put_drop(out, tag, 0, scheme, EGRET_REASON_DROP_INDEX);
                return;
            }
            index = (key << e->bin_shift) + bin;
            kw = key << 4 | bin;
        } else if (LIKELY(scheme == EGRET_SCHEME_SPRAY_RR)) {
            index = e->dr_pointers + group;
            kw = 0x8000u | group;
        } else {
            if (g->members == 0)
                goto empty;
            g->drops++;
            e->drops_scheme++;
            put_drop(out, tag, 0, scheme, EGRET_REASON_DROP_SCHEME);
            return;
        }
        struct egret_pointer *p = &e->pointer[index];
        data = p->entry;
        choice = rotate(e, g, p, kw);
        if (UNLIKELY((g->members & e->live & (uint64_t)1 << choice) == 0)) {
            uint32_t offset = data & 0xffu;
            uint32_t slot = offset > egret_group_last(g) ? 0 : offset;
            if (g->members == 0)
                goto empty;
            repair(e, g, ev,
                   egret_draw_random((uint32_t)p->pre_y << 16, slot, (data >> 8) & 0xfffu,
                                     data >> 20),
                   data, choice, out);
            return;
        }
    }
    e->counter[choice].packets++;
    e->counter[choice].bytes += ev->length;
    put(out, tag, data, choice, choice, scheme, EGRET_REASON_CHOSEN);
    return;

empty:
    g->drops++;
    put_drop(out, tag, 0, scheme, EGRET_REASON_DROP_EMPTY);
}

/* Every event that is no packet. */
static NOINLINE int other(struct egret *e, const struct egret_event *ev, struct egret_decision *out)
{
    struct egret_decision d;
    uint32_t port = ev->port & 0xffu;
    uint32_t addr = ev->addr & 0xffffffu;

    memset(&d, 0, sizeof d);
    switch (ev->kind) {
    case EGRET_EV_WRITE:
        egret_regs_write(e, addr, ev->data);
        break;
    case EGRET_EV_READ:
        d.kind = EGRET_RES_READ;
        d.tag = addr;
        d.data = egret_regs_read(e, addr);
        break;
    case EGRET_EV_PORT:
        if (port >= e->cfg.num_ports)
            e->events_ignored++;
        else if (ev->up & 1u)
            e->live |= (uint64_t)1 << port;
        else
            e->live &= ~((uint64_t)1 << port);
        break;
    case EGRET_EV_QUEUE:
        if (port >= e->cfg.num_ports)
            e->events_ignored++;
        else
            e->queue[port] = ev->depth;
        break;
    case EGRET_EV_TICK:
        e->tick_count++;
        e->tick_now = ev->now & EGRET_MASK48;
        break;
    default:
        return EGRET_ERR_EVENT;
    }
    *out = d;
    return EGRET_OK;
}

int egret_apply(struct egret *e, const struct egret_event *ev, struct egret_decision *out)
{
    if (UNLIKELY(e == NULL || ev == NULL || out == NULL))
        return EGRET_ERR_NULL;
    if (UNLIKELY(ev->kind != EGRET_EV_PACKET))
        return other(e, ev, out);
    packet(e, ev, out);
    return EGRET_OK;
}

int egret_apply_burst(struct egret *e, const struct egret_event *ev, size_t n,
                      struct egret_decision *out, size_t *done)
{
    size_t i = 0;
    int err = EGRET_OK;

    if (e == NULL || (n > 0 && (ev == NULL || out == NULL)))
        return EGRET_ERR_NULL;
    for (; i < n; i++) {
        if (LIKELY(ev[i].kind == EGRET_EV_PACKET)) {
            packet(e, &ev[i], &out[i]);
        } else {
            err = other(e, &ev[i], &out[i]);
            if (err != EGRET_OK)
                break;
        }
    }
    if (done != NULL)
        *done = i;
    return err;
}
