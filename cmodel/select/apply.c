/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply.c: the fast path: egret_apply() and egret_apply_burst(). Mirrors rtl/egret_core.v.
 *
 * Same results as the plain path behind egret_explain() (decide.c), held to it by a random test.
 * What makes it fast: one short path for the common case (group, key and bin in range, draw known,
 * choice live) and another for everything; byte tables of the bytes that matter for a linear hash;
 * H cached in each pointer until its epoch or the seed changes; the live members of each group in a
 * list. While an entry's parity is bad, every packet goes to faults.c.
 */
#include "fast.h"
#include "fast_flowlet.h"
#include "fast_quality.h"

/* Packets decided before they are counted: few enough to stay in the first cache. */
#define MAX_COUNTED 64

static ALWAYS_INLINE void count_packet(struct egret *e, const struct egret_event *ev, uint32_t port)
{
    uint32_t length = ev->length;
    e->counter[port].packets++;
    e->counter[port].bytes += length;
}

static ALWAYS_INLINE struct egret_pointer *find_pointer(const struct egret *e, uint32_t scheme,
                                                        const struct egret_event *ev)
{
    if (scheme == EGRET_SCHEME_DR)
        return &e->pointer[ev->key * e->cfg.num_bins + ev->bin];
    return &e->pointer[e->dr_pointers + ev->group];
}

/* The schedule's answer for a pointer whose draw is up to date. */
static ALWAYS_INLINE uint32_t scheduled(const struct egret *e, const struct egret_group_state *g,
                                        const struct egret_pointer *p, uint32_t slot)
{
    uint32_t row = ((g->row_base + (p->draw & g->row_mask)) & e->row_wrap) + g->bank_row;
    return e->schedule[row * e->cfg.row_len + slot];
}

/* The common case of a packet of ecmp, spray-rr or dr: it is decided, its pointer advances, but it
 * is not counted yet. Returns the port, or a negative value with nothing changed if anything is
 * uncommon. */
static ALWAYS_INLINE int common_case(struct egret *restrict e, const struct egret_event *ev,
                                     struct egret_decision *restrict out,
                                     struct egret_group_state *restrict g, uint32_t act, bool burst)
{
    uint32_t data, choice;

    if (act == EGRET_SCHEME_ECMP) {
        data = hash_ipv4(e, ev->record, burst);
        choice = bucket(e, g, data);
        if (UNLIKELY(!is_live(g, choice)))
            return -1;
    } else {
        struct egret_pointer *p;
        uint32_t slot;
        if (act == EGRET_SCHEME_DR) {
            if (UNLIKELY(ev->key >= e->cfg.num_keys || ev->bin >= e->cfg.num_bins))
                return -1;
            p = find_pointer(e, EGRET_SCHEME_DR, ev);
        } else if (LIKELY(act == EGRET_SCHEME_SPRAY_RR)) {
            p = find_pointer(e, EGRET_SCHEME_SPRAY_RR, ev);
        } else {
            return -1;
        }
        data = p->entry;
        slot = data & 0xffu;
        if (UNLIKELY(p->tag != (e->draw_generation | data >> 20) || slot > g->last))
            return -1;
        choice = scheduled(e, g, p, slot);
        if (UNLIKELY(!is_live(g, choice)))
            return -1;
        p->entry = LIKELY(slot != g->last) ? data + 1
                                           : egret_rotation_step(data, g->last, g->wraps, &slot);
    }
    e->random_at++;
    put(out, ev->tag, data, choice, choice, act, EGRET_REASON_CHOSEN);
    return (int)choice;
}

static int drop(const struct egret_event *ev, struct egret_decision *out, uint32_t data,
                uint32_t scheme, enum egret_reason reason)
{
    put(out, ev->tag, data, EGRET_PORT_DROP, EGRET_PORT_DROP, scheme, (uint32_t)reason);
    return EGRET_OK;
}

static uint32_t any_hash(struct egret *e, const uint8_t *record)
{
    switch (e->mode) {
    case EGRET_MODE_IPV4:
        return hash_ipv4(e, record, false);
    case EGRET_MODE_TABLES:
        return hash_tables(e, record);
    case EGRET_MODE_STALE:
        egret_hash_rebuild(e);
        egret_fast_groups(e);
        return egret_hash_plain(e, record);
    default:
        return egret_hash_plain(e, record);
    }
}

/* Advances a pointer and gives the choice, in any case. */
static uint32_t rotate(const struct egret *e, const struct egret_group_state *g,
                       struct egret_pointer *p, uint32_t kw, uint32_t *random)
{
    uint32_t entry = p->entry;
    uint32_t epoch = entry >> 20;
    uint32_t slot;

    if (p->tag != (e->draw_generation | epoch)) {
        uint32_t pre = egret_draw_pre(e->draw_seed, kw);
        p->draw = egret_draw_row(pre, epoch);
        p->pre_y = pre >> 16;
        p->tag = e->draw_generation | epoch;
    }
    p->entry = egret_rotation_step(entry, g->last, g->wraps, &slot);
    *random = egret_draw_random(p->pre_y << 16, slot, (entry >> 8) & 0xfffu, epoch);
    return scheduled(e, g, p, slot);
}

/* What a scheme says of a packet. */
struct choice {
    uint32_t port;
    uint32_t data;
    uint32_t random; /* r */
};

/* Chooses and advances; false if key or bin is out of range. An unknown scheme chooses nothing. */
static bool choose(struct egret *e, struct egret_group_state *g, uint32_t act,
                   const struct egret_event *ev, uint64_t live, struct choice *c)
{
    struct egret_pointer *p;
    uint32_t hash;

    if (act == EGRET_SCHEME_SPRAY_QUALITY && ev->length < e->load.small)
        act = EGRET_SCHEME_ECMP;
    switch (act) {
    case EGRET_SCHEME_ECMP:
    case EGRET_SCHEME_FIXED:
    case EGRET_SCHEME_ENTROPY:
        hash = any_hash(e, ev->record);
        c->data = act == EGRET_SCHEME_ENTROPY
                      ? (hash & 0xffff0000u) | (ev->entropy >> g->entropy_offset & 0xffffu)
                      : hash;
        c->random = hash >> 16;
        c->port = bucket(e, g, act == EGRET_SCHEME_FIXED ? 0 : c->data & 0xffffu);
        return true;
    case EGRET_SCHEME_SPRAY_RR:
        p = find_pointer(e, EGRET_SCHEME_SPRAY_RR, ev);
        c->data = p->entry;
        c->port = rotate(e, g, p, 0x8000u | ev->group, &c->random);
        return true;
    case EGRET_SCHEME_DR:
        if (ev->key >= e->cfg.num_keys || ev->bin >= e->cfg.num_bins)
            return false;
        p = find_pointer(e, EGRET_SCHEME_DR, ev);
        c->data = p->entry;
        c->port = rotate(e, g, p, (uint32_t)ev->key << 4 | ev->bin, &c->random);
        return true;
    case EGRET_SCHEME_SPRAY_RANDOM:
        c->data = next_random(e);
        c->random = c->data >> 16;
        if (live != 0)
            c->port = live_by(g, c->random);
        return true;
    case EGRET_SCHEME_SPRAY_QUALITY:
        c->data = next_random(e);
        if (live != 0)
            c->port = quality_choose(e, g, c->data);
        return true;
    case EGRET_SCHEME_FLOWLET:
        hash = any_hash(e, ev->record);
        c->random = hash >> 16;
        c->data = flowlet_choose(e, g, ev, hash, &c->port);
        return true;
    default:
        return true;
    }
}

/* Any packet: decides, advances and counts. */
static NOINLINE int any_packet(struct egret *e, const struct egret_event *ev,
                               struct egret_decision *out)
{
    struct egret_group_state *g;
    struct choice c = {0, 0, 0};
    enum egret_reason reason = EGRET_REASON_CHOSEN;
    uint32_t scheme, act, port, ordered;
    uint64_t live;
    bool legal;

    if (UNLIKELY(e->num_bad != 0))
        return egret_faulty_packet(e, ev, out);
    e->random_at++;
    if (ev->group >= e->cfg.num_groups) {
        e->drops_index++;
        return drop(ev, out, 0, EGRET_SCHEME_NONE, EGRET_REASON_DROP_INDEX);
    }
    g = &e->group[ev->group];
    ordered = egret_is_ordered(e, ev);
    scheme = g->scheme[ordered];
    act = g->act[ordered];
    live = g->live;
    if (g->num_listed == 0 && live != 0)
        list_live(e, g);
    legal = choose(e, g, act, ev, live, &c);
    if (!legal || act == EGRET_SCHEME_NONE || live == 0) {
        g->drops++;
        if (g->members == 0)
            return drop(ev, out, 0, scheme, EGRET_REASON_DROP_EMPTY);
        if (act == EGRET_SCHEME_NONE) {
            e->drops_scheme++;
            return drop(ev, out, 0, scheme, EGRET_REASON_DROP_SCHEME);
        }
        if (legal)
            return drop(ev, out, c.data, scheme, EGRET_REASON_DROP_DOWN);
        e->drops_index++;
        return drop(ev, out, 0, scheme, EGRET_REASON_DROP_INDEX);
    }
    port = c.port;
    if ((live >> port & 1u) == 0) {
        port = live_by(g, c.random);
        reason = EGRET_REASON_REPAIRED;
        g->repairs++;
    }
    count_packet(e, ev, port);
    put(out, ev->tag, c.data, port, c.port, scheme, (uint32_t)reason);
    return EGRET_OK;
}

static void set_port(struct egret *e, uint32_t port, bool up)
{
    uint64_t bit = (uint64_t)1 << port;

    e->live = up ? e->live | bit : e->live & ~bit;
    for (uint32_t i = 0; i < e->cfg.num_groups; i++) {
        struct egret_group_state *g = &e->group[i];
        if (g->members & bit) {
            g->live = g->members & e->live;
            g->num_listed = 0;
            g->pool_stamp = 0;
            egret_fast_group(e, g);
        }
    }
}

/* Every event that is no packet. */
static NOINLINE int other(struct egret *e, const struct egret_event *ev, struct egret_decision *out)
{
    struct egret_decision d;
    uint32_t port, addr;

    if (e == NULL || ev == NULL || out == NULL)
        return EGRET_ERR_NULL;
    port = ev->port & 0xffu;
    addr = ev->addr & 0xffffffu;

    memset(&d, 0, sizeof d);
    switch (ev->kind) {
    case EGRET_EV_WRITE:
        egret_regs_write(e, addr, ev->data);
        break;
    case EGRET_EV_FAULT:
        egret_regs_fault(e, addr, ev->data);
        break;
    case EGRET_EV_READ:
        d.kind = EGRET_RES_READ;
        d.tag = addr;
        d.data = egret_regs_read(e, addr);
        break;
    case EGRET_EV_PORT:
        if (port >= e->cfg.num_ports)
            e->events_ignored++;
        else
            set_port(e, port, ev->up & 1u);
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
        if (egret_cfg_has_load(&e->cfg))
            egret_load_tick(e);
        break;
    default:
        return EGRET_ERR_EVENT;
    }
    *out = d;
    return EGRET_OK;
}

static NOINLINE int flowlet_packet(struct egret *e, const struct egret_event *ev,
                                   struct egret_decision *out, struct egret_group_state *g)
{
    int port = flowlet_common(e, ev, out, g, false);
    if (UNLIKELY(port < 0))
        return any_packet(e, ev, out);
    count_packet(e, ev, (uint32_t)port);
    return EGRET_OK;
}

static NOINLINE int quality_packet(struct egret *e, const struct egret_event *ev,
                                   struct egret_decision *out, struct egret_group_state *g)
{
    int port = quality_common(e, ev, out, g, false);
    if (UNLIKELY(port < 0))
        return any_packet(e, ev, out);
    count_packet(e, ev, (uint32_t)port);
    return EGRET_OK;
}

int egret_apply(struct egret *e, const struct egret_event *ev, struct egret_decision *out)
{
    struct egret_group_state *g;
    uint32_t fast;
    int port;

    /* null pointers are looked for one at a time, which takes less than all at once */
    if (UNLIKELY(ev == NULL || ev->kind != EGRET_EV_PACKET))
        return other(e, ev, out);
    if (UNLIKELY(e == NULL))
        return EGRET_ERR_NULL;
    if (UNLIKELY(ev->group >= e->cfg.num_groups))
        return out != NULL ? any_packet(e, ev, out) : EGRET_ERR_NULL;
    if (UNLIKELY(out == NULL))
        return EGRET_ERR_NULL;
    g = &e->group[ev->group];
    fast = g->fast[egret_is_ordered(e, ev)];
    if (fast == EGRET_SCHEME_FLOWLET)
        return flowlet_packet(e, ev, out, g);
    if (fast == EGRET_SCHEME_SPRAY_QUALITY)
        return quality_packet(e, ev, out, g);
    port = common_case(e, ev, out, g, fast, false);
    if (UNLIKELY(port < 0))
        return any_packet(e, ev, out);
    count_packet(e, ev, (uint32_t)port);
    return EGRET_OK;
}

/* Counts packets that common_case() has decided. Apart from deciding because a counter that is
 * added to, while the address of the addition before is not known yet, costs more than the rest. */
static void count_packets(struct egret *e, const struct egret_event *ev,
                          const struct egret_decision *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        count_packet(e, &ev[i], out[i].port);
}

static NOINLINE int flowlet_in_burst(struct egret *e, const struct egret_event *ev,
                                     struct egret_decision *out, struct egret_group_state *g)
{
    return flowlet_common(e, ev, out, g, true);
}

static NOINLINE int quality_in_burst(struct egret *e, const struct egret_event *ev,
                                     struct egret_decision *out, struct egret_group_state *g)
{
    return quality_common(e, ev, out, g, true);
}

/* The common case of any scheme that has one. */
static ALWAYS_INLINE int any_common_case(struct egret *e, const struct egret_event *ev,
                                         struct egret_decision *out)
{
    struct egret_group_state *g;
    uint32_t fast;

    if (UNLIKELY(ev->group >= e->cfg.num_groups))
        return -1;
    g = &e->group[ev->group];
    fast = g->fast[egret_is_ordered(e, ev)];
    if (fast == EGRET_SCHEME_FLOWLET)
        return flowlet_in_burst(e, ev, out, g);
    if (fast == EGRET_SCHEME_SPRAY_QUALITY)
        return quality_in_burst(e, ev, out, g);
    return common_case(e, ev, out, g, fast, true);
}

int egret_apply_burst(struct egret *e, const struct egret_event *ev, size_t n,
                      struct egret_decision *out, size_t *done)
{
    size_t i = 0;
    int err = EGRET_OK;

    if (e == NULL || (n > 0 && (ev == NULL || out == NULL)))
        return EGRET_ERR_NULL;
    while (i < n && err == EGRET_OK) {
        size_t first = i;
        size_t end = n - i > MAX_COUNTED ? i + MAX_COUNTED : n;
        while (i < end && ev[i].kind == EGRET_EV_PACKET &&
               any_common_case(e, &ev[i], &out[i]) >= 0)
            i++;
        count_packets(e, ev + first, out + first, i - first);
        if (i == end)
            continue;
        if (ev[i].kind == EGRET_EV_PACKET)
            err = any_packet(e, &ev[i], &out[i]);
        else
            err = other(e, &ev[i], &out[i]);
        i += err == EGRET_OK;
    }
    if (done != NULL)
        *done = i;
    return err;
}
