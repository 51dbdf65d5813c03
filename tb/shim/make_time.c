/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_time.c: directed stimuli of what happens between two packets, and of groups that change.
 *   time    N rounds, each of every scheme of the configuration: two packets of a flow with an
 *           event between them at every distance from 1 to 16 (42 with lookup3, whose pipe is that
 *           long): write of a bucket, slot, pointer, entry, memory, hash or generator, commit, port
 *           down or up, queue, tick, read; the clocks between are of the flow or of others
 *   groups  N rounds: groups deleted and made again with other members, of 1 to NUM_PORTS members,
 *           the last member gone, ports down and up, buckets that follow or not; all the while
 *           packets of all groups, and reads of counters
 *
 * Faults of docs/verification.md: B15, B16.
 */
#include <string.h>

#include "make_stimulus.h"

#define EVENTS 13u

static void commit(struct maker *m, uint32_t number, uint32_t scheme, uint64_t members)
{
    const struct egret_cfg *c = &m->cfg;
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.wraps = 1 + draw(m, 3);
    g.last = c->row_len - 1;
    g.row_mask = c->num_rows - 1;
    g.bucket_mask = c->num_buckets - 1;
    g.members = members;
    if (scheme == EGRET_SCHEME_FLOWLET && has(m, scheme)) {
        must(m, egret_ctl_flowlet(c, &g, 0, 1u << draw(m, 3), 16u * (1 + draw(m, 3)), NULL));
        g.by_quality = has(m, EGRET_SCHEME_SPRAY_QUALITY) ? draw(m, 2) : 0;
    }
    if (scheme == EGRET_SCHEME_SPRAY_QUALITY && has(m, scheme)) {
        g.drill_samples = draw(m, 3);
        g.drill_memory = draw(m, 2);
    }
    must(m, egret_ctl_group(c, number, &g, emit, m));
}

/* Behind both ticks of a queue event the bands of ports differ. */
static void loads(struct maker *m)
{
    if (!has(m, EGRET_SCHEME_SPRAY_QUALITY))
        return;
    for (uint32_t i = 1; i < 8; i++)
        put(m, EGRET_A_LOAD_THRESHOLD(i), i);
    put(m, EGRET_A_LOAD_WEIGHTS, 256u << 16);
    for (uint32_t p = 0; p < m->cfg.num_ports; p++)
        put(m, EGRET_A_PORT_LOAD(p, 1), 0x8000);
}

static void happen(struct maker *m, uint32_t which, uint32_t scheme)
{
    const struct egret_cfg *c = &m->cfg;
    uint32_t port = draw(m, c->num_ports);
    switch (which) {
    case 0:
        for (uint32_t i = 0; i < 4; i++)
            put(m, EGRET_A_BUCKET(draw(m, c->num_buckets)), draw(m, c->num_ports));
        break;
    case 1:
        put(m, EGRET_A_SCHEDULE(0, draw(m, c->num_rows), draw(m, c->row_len)), port);
        break;
    case 2:
        put(m, scheme == EGRET_SCHEME_DR ? EGRET_A_POINTER_DR(m->route_key[0], draw(m, c->num_bins))
                                         : EGRET_A_POINTER_RR(0),
            m->random);
        break;
    case 3:
        put(m, EGRET_A_FLOWLET_LAST, (uint32_t)(m->now / 16));
        put(m, EGRET_A_FLOWLET(draw(m, 4), 0), draw(m, 2) << 31 | port);
        break;
    case 4:
        put(m, EGRET_A_DRILL_MEMORY(0), draw(m, 2) << 31 | port);
        break;
    case 5:
        put(m, EGRET_A_HASH_SEED, draw(m, UINT32_MAX));
        break;
    case 6:
        put(m, EGRET_A_RANDOM, draw(m, UINT32_MAX));
        break;
    case 7:
        commit(m, 0, scheme, all_ports(m) & ~((uint64_t)1 << port));
        break;
    case 8:
        event(m, EGRET_EV_PORT, port, 0);
        break;
    case 9:
        event(m, EGRET_EV_PORT, port, 1);
        break;
    case 10:
        event(m, EGRET_EV_QUEUE, port, draw(m, 20));
        break;
    case 11:
        event(m, EGRET_EV_TICK, 0, 0);
        break;
    default:
        get(m, scheme == EGRET_SCHEME_FLOWLET         ? EGRET_A_FLOWLET(draw(m, 4), draw(m, 2))
               : scheme == EGRET_SCHEME_SPRAY_QUALITY ? EGRET_A_DRILL_MEMORY(0)
                                                      : EGRET_A_POINTER_RR(0));
        break;
    }
}

static void between(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        flow_packet(m, draw(m, 4) == 0 ? draw(m, ROUTES) : 0, draw(m, 2) == 0 ? 1 : draw(m, 9), 90);
}

void make_time(struct maker *m, uint32_t n)
{
    uint32_t most = m->cfg.hash_kind == EGRET_HASH_KIND_LOOKUP3 ? 42 : 16;
    loads(m);
    for (uint32_t round = 0; round < n; round++) {
        for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
            if (!has(m, scheme))
                continue;
            for (uint32_t distance = 1; distance <= most; distance++) {
                for (uint32_t which = 0; which < EVENTS; which++) {
                    if (which == 7 || draw(m, 8) == 0)
                        commit(m, 0, scheme, all_ports(m));
                    flow_packet(m, 0, 1, 90);
                    between(m, distance - 1);
                    happen(m, which, scheme);
                    between(m, draw(m, 2) == 0 ? distance - 1 : draw(m, distance));
                    m->now += 16u * draw(m, 4);
                    flow_packet(m, 0, 1, 90);
                    flow_packet(m, 0, 1, 90);
                }
                for (uint32_t p = 0; p < m->cfg.num_ports; p++)
                    event(m, EGRET_EV_PORT, p, 1);
            }
        }
    }
}

/* Of `count` ports, any. */
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

void make_groups(struct maker *m, uint32_t n)
{
    const struct egret_cfg *c = &m->cfg;
    uint32_t groups = c->num_groups < 8 ? c->num_groups : 8;
    for (uint32_t round = 0; round < n; round++) {
        uint32_t number = round % groups, size = 1 + round % c->num_ports;
        uint32_t scheme = 1 + draw(m, EGRET_NUM_SCHEMES);
        uint64_t members = members_of(m, size);
        commit(m, number, scheme, 0);
        between(m, draw(m, 3));
        commit(m, number, scheme, members);
        for (uint32_t k = draw(m, 20); k > 0; k--)
            flow_packet(m, draw(m, 2) == 0 ? number : draw(m, ROUTES), draw(m, 500),
                        66 + draw(m, 900));
        if (draw(m, 2) == 0)
            for (uint32_t k = 8; k > 0; k--)
                put(m, EGRET_A_BUCKET(draw(m, c->num_buckets)), draw(m, c->num_ports));
        for (uint32_t p = 0; p < c->num_ports && draw(m, 4) != 0; p++) {
            if (draw(m, 2) == 0) {
                members &= ~((uint64_t)1 << p);
                commit(m, number, scheme, members);
            } else {
                event(m, EGRET_EV_PORT, p, draw(m, 4) == 0);
            }
            for (uint32_t k = 1 + draw(m, 3); k > 0; k--)
                flow_packet(m, number, draw(m, 500), 66);
        }
        for (uint32_t p = 0; p < c->num_ports && draw(m, 3) == 0; p++)
            event(m, EGRET_EV_PORT, p, 1);
        get(m, EGRET_A_GROUP_COUNTER(number, draw(m, 2)));
        get(m, EGRET_A_GROUP(number, draw(m, 7)));
        put(m, EGRET_A_BUCKET(draw(m, c->num_buckets)), c->num_ports + draw(m, 2));
    }
}
