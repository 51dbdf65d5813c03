/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_edges.c: directed stimuli of what lies at an edge, for mutants that no other one finds.
 *   words     N rounds: every bit of every register alone and all others without it, read and used
 * by packets; every register under each address that differs from its own in one bit repairs   N
 * rounds: of groups of 1 to NUM_PORTS members each member down in turn, and all down; packets of
 * many flows, so that each k of the k-th live member occurs bursts    N rounds: a few groups, keys
 * and flows back to back, with writes, reads and fault writes of their entries among them, so that
 * slots and forwards meet early     N rounds, no opening writes: events of every port from the
 * first clock on, while the sweep runs, then requests in each order clocks    N rounds: time stamps
 * right before, at and behind each power of two, and steps back, of ticks and of packets of
 * flowlets
 */
#include <string.h>

#include "make_stimulus.h"

static void commit(struct maker *m, uint32_t number, uint32_t scheme, uint64_t members)
{
    const struct egret_cfg *c = &m->cfg;
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.wraps = draw(m, 3);
    g.last = c->row_len - 1;
    g.row_mask = c->num_rows - 1;
    g.bucket_mask = c->num_buckets - 1;
    g.members = members;
    if (scheme == EGRET_SCHEME_FLOWLET && has(m, scheme))
        must(m, egret_ctl_flowlet(c, &g, 0, 2, 32, NULL));
    if (scheme == EGRET_SCHEME_SPRAY_QUALITY && has(m, scheme)) {
        g.drill_samples = draw(m, 3);
        g.drill_memory = draw(m, 2);
    }
    must(m, egret_ctl_group(c, number, &g, emit, m));
}

/* A scheme of the configuration, in turn. */
static uint32_t scheme_at(const struct maker *m, uint32_t i)
{
    uint32_t scheme = 1 + i % EGRET_NUM_SCHEMES;
    while (!has(m, scheme))
        scheme = 1 + scheme % EGRET_NUM_SCHEMES;
    return scheme;
}

static void some(struct maker *m, uint32_t n)
{
    while (n-- > 0)
        flow_packet(m, draw(m, ROUTES), draw(m, 2000), 66 + draw(m, 900));
}

/* ---- words ---- */

/* The i-th word that one_word() tries. */
static uint32_t config_word(struct maker *m, uint32_t i)
{
    const struct egret_cfg *c = &m->cfg;
    if (i < 64)
        return EGRET_A_TYPE + i;
    switch (i - 64) {
    case 0:
        return EGRET_A_BUCKET(draw(m, c->num_buckets));
    case 1:
        return EGRET_A_SCHEDULE(draw(m, 2), draw(m, c->num_rows), draw(m, c->row_len));
    case 2:
        return EGRET_A_POINTER_RR(draw(m, c->num_groups));
    case 3:
        return EGRET_A_POINTER_DR(draw(m, c->num_keys), draw(m, c->num_bins));
    case 4:
    case 5:
        return EGRET_A_PORT_LOAD(draw(m, c->num_ports), i & 1);
    case 6:
        return EGRET_A_DRILL_MEMORY(draw(m, c->num_groups));
    case 7:
        return EGRET_A_FLOWLET(draw(m, c->num_flowlets == 0 ? 16 : c->num_flowlets), 0);
    case 8:
        return EGRET_A_MATRIX(draw(m, EGRET_HASH_NIBBLES), draw(m, 16));
    default:
        return EGRET_A_GROUP(draw(m, c->num_groups), 0);
    }
}
#define CONFIG_WORDS 74u

static bool staged(uint32_t address)
{
    return address >= EGRET_A_GROUP_STAGE1 && address <= EGRET_A_GROUP_STAGE6;
}

/* What a word was written for: a commit takes what is staged, packets use all. */
static void use(struct maker *m, uint32_t address)
{
    uint32_t g = draw(m, m->cfg.num_groups < 8 ? m->cfg.num_groups : 8);
    if (staged(address)) {
        put(m, EGRET_A_GROUP(g, 0), (scheme_at(m, draw(m, 8)) & 15u) | (m->cfg.row_len - 1u) << 16);
        get(m, EGRET_A_GROUP(g, 1 + address - EGRET_A_GROUP_STAGE1));
        flow_packet(m, g, draw(m, 2000), 66 + draw(m, 900));
    }
    some(m, 2);
    get(m, address);
}

void make_words(struct maker *m, uint32_t n)
{
    for (uint32_t round = 0; round < n; round++) {
        for (uint32_t i = 0; i < CONFIG_WORDS; i++) {
            for (uint32_t bit = 0; bit < 32; bit++) {
                uint32_t at = config_word(m, i);
                put(m, at, 1u << bit);
                use(m, at);
                put(m, at, ~(1u << bit));
                use(m, at);
            }
            for (uint32_t bit = 0; bit < 24; bit++) {
                uint32_t at = config_word(m, i), other = at ^ 1u << bit;
                if (other >> 20 == 15)
                    continue; /* the front end's own */
                put(m, at, draw(m, 8));
                put(m, other, m->random);
                get(m, other);
                use(m, at);
            }
            for (uint32_t g = 0; g < m->cfg.num_groups && g < 8; g++)
                commit(m, g, scheme_at(m, g + i), all_ports(m));
            for (uint32_t k = 0; k < 8; k++) {
                put(m, EGRET_A_BUCKET(draw(m, m->cfg.num_buckets)), draw(m, m->cfg.num_ports));
                put(m, EGRET_A_SCHEDULE(k & 1, draw(m, m->cfg.num_rows), draw(m, m->cfg.row_len)),
                    draw(m, m->cfg.num_ports));
            }
            put(m, EGRET_A_CLASS_ORDERED, 0);
        }
    }
}

/* ---- repairs ---- */

static uint64_t members_of(struct maker *m, uint32_t count)
{
    uint64_t members = 0;
    while (count > 0) {
        uint64_t bit = (uint64_t)1 << draw(m, m->cfg.num_ports);
        count -= (members & bit) == 0;
        members |= bit;
    }
    return members;
}

void make_repairs(struct maker *m, uint32_t n)
{
    const struct egret_cfg *c = &m->cfg;
    uint32_t turn = 0;
    for (uint32_t round = 0; round < n; round++) {
        for (uint32_t size = 1; size <= c->num_ports; size++) {
            uint64_t members = members_of(m, size);
            commit(m, 0, scheme_at(m, turn++), members);
            for (uint32_t p = 0; p < c->num_ports; p++) {
                if ((members >> p & 1u) == 0)
                    continue;
                event(m, EGRET_EV_PORT, p, 0);
                for (uint32_t k = 0; k < 4; k++)
                    put(m, EGRET_A_BUCKET(draw(m, c->num_buckets)), p);
                put(m, EGRET_A_SCHEDULE(0, draw(m, c->num_rows), draw(m, c->row_len)), p);
                for (uint32_t k = 2 * size + 6; k > 0; k--)
                    flow_packet(m, 0, draw(m, 2048), 66 + draw(m, 600));
                if (draw(m, 4) != 0) /* else one more is down with the next */
                    event(m, EGRET_EV_PORT, p, 1);
            }
            for (uint32_t p = 0; p < c->num_ports; p++) {
                event(m, EGRET_EV_PORT, p, 0);
                if (draw(m, 2) == 0)
                    flow_packet(m, 0, draw(m, 2048), 66);
            }
            some(m, 2);
            for (uint32_t p = 0; p < c->num_ports; p++) {
                event(m, EGRET_EV_PORT, p, 1);
                flow_packet(m, 0, draw(m, 2048), 66);
            }
        }
    }
}

/* ---- bursts ---- */

static uint32_t entry(struct maker *m, uint32_t groups)
{
    uint32_t g = draw(m, groups);
    switch (draw(m, 8)) {
    case 0:
        return EGRET_A_POINTER_RR(g);
    case 1:
        return EGRET_A_POINTER_DR(draw(m, m->cfg.num_keys < 2 ? 1 : 2), draw(m, m->cfg.num_bins));
    case 2:
        return EGRET_A_DRILL_MEMORY(g);
    case 3:
        return EGRET_A_FLOWLET(draw(m, 2), 0);
    case 4:
        return EGRET_A_PORT_COUNTER(draw(m, m->cfg.num_ports), draw(m, 4));
    case 5:
        return EGRET_A_GROUP_COUNTER(g, draw(m, 2));
    case 6:
        return EGRET_A_FLOWLET_COUNTER(g, draw(m, 5));
    default:
        return EGRET_A_BUCKET(draw(m, m->cfg.num_buckets < 4 ? m->cfg.num_buckets : 4));
    }
}

void make_bursts(struct maker *m, uint32_t n)
{
    uint32_t groups = m->cfg.num_groups < 2 ? 1 : 2;
    for (uint32_t round = 0; round < n; round++) {
        for (uint32_t g = 0; g < groups; g++)
            commit(m, g, scheme_at(m, round / (1 + 3 * g) + g),
                   members_of(m, 1 + draw(m, m->cfg.num_ports)));
        for (uint32_t k = 0; k < 60; k++) {
            uint32_t at = entry(m, groups);
            uint32_t same = draw(m, 2), route = draw(m, groups);
            switch (draw(m, 8)) {
            case 0:
                put(m, at, draw(m, 3) == 0 ? m->random : draw(m, m->cfg.num_ports));
                break;
            case 1:
                event(m, EGRET_EV_FAULT, at,
                      draw(m, 2) == 0 ? m->random : draw(m, m->cfg.num_ports));
                break;
            case 2:
                get(m, at);
                break;
            case 3:
                put(m, at, draw(m, m->cfg.num_ports));
                event(m, EGRET_EV_FAULT, at, draw(m, m->cfg.num_ports));
                put(m, at ^ 1u, draw(m, m->cfg.num_ports));
                break;
            case 4:
                event(m, EGRET_EV_PORT, draw(m, m->cfg.num_ports), draw(m, 3) != 0);
                break;
            default:
                break;
            }
            for (uint32_t i = draw(m, 6); i > 0; i--)
                flow_packet(m, same ? route : draw(m, groups), draw(m, 3), 66);
            if (draw(m, 16) == 0) {
                event(m, EGRET_EV_TICK, 0, 0);
                get(m, EGRET_A_FAULTS + draw(m, 2));
            }
        }
    }
}

/* ---- early ---- */

void make_early(struct maker *m, uint32_t n)
{
    const struct egret_cfg *c = &m->cfg;
    /* Whatever takes one of these while it waits for the sweep's end counts it once a clock. */
    event(m, EGRET_EV_PORT, c->num_ports, 0);
    event(m, EGRET_EV_QUEUE, c->num_ports, 1);
    event(m, EGRET_EV_TICK, 0, 0);
    get(m, EGRET_A_EVENTS_IGNORED);
    get(m, EGRET_A_TICK_COUNT);
    for (uint32_t round = 0; round < n; round++) {
        for (uint32_t p = 0; p < c->num_ports; p++) {
            event(m, EGRET_EV_PORT, (p + round) % (c->num_ports + 1), round & 1);
            event(m, EGRET_EV_QUEUE, (p + round) % (c->num_ports + 1), m->random);
            event(m, EGRET_EV_TICK, 0, 0);
            if (round % 4 == 1)
                get(m, EGRET_A_QUEUE(p));
            if (round % 4 == 2)
                put(m, config_word(m, draw(m, CONFIG_WORDS)), draw(m, c->num_ports));
            if (round % 4 == 3)
                get(m, config_word(m, draw(m, CONFIG_WORDS)));
            flow_packet(m, draw(m, ROUTES), draw(m, 2000), 66);
        }
        commit(m, round % c->num_groups, scheme_at(m, round), all_ports(m));
        some(m, 4);
    }
}

/* ---- clocks ---- */

void make_clocks(struct maker *m, uint32_t n)
{
    for (uint32_t round = 0; round < n; round++) {
        if (has(m, EGRET_SCHEME_FLOWLET))
            commit(m, 0, EGRET_SCHEME_FLOWLET, all_ports(m));
        for (uint32_t i = 0; i < 96; i++) {
            uint32_t bit = i % 48;
            uint64_t near =
                ((uint64_t)1 << bit) + (i < 48 ? 0 : m->random & (((uint64_t)1 << bit) - 1));
            for (uint32_t step = 0; step < 5; step++) {
                m->now = near + step < 2 ? 0 : near + step - 2;
                event(m, EGRET_EV_TICK, 0, 0);
                get(m, EGRET_A_TICK_NOW0);
                get(m, EGRET_A_TICK_NOW1);
                m->now = near + 16u * step < 32 ? 0 : near + 16u * step - 32;
                flow_packet(m, 0, draw(m, 3), 66);
                flow_packet(m, 0, draw(m, 3), 66);
                get(m, EGRET_A_FLOWLET(draw(m, 2), 1));
            }
            if (draw(m, 3) == 0) {
                m->now = near / 2;
                flow_packet(m, 0, draw(m, 3), 66);
                event(m, EGRET_EV_TICK, 0, 0);
                get(m, EGRET_A_TICK_NOW1);
            }
        }
    }
}
