/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_deep.c: directed stimuli of the schemes that keep state or look at load.
 *   hazards   each scheme of the configuration in turn, N packets each, all of one flow and one
 *             pointer, a clock apart: what forwarding must carry
 *   flowlet   N rounds of packets of few flows on few entries at every distance from 1 to 8, with
 *             silences of idle - 1, idle, idle + 1 units (idle of 1 to 24 bits), times that step
 *             back and wrap, and a write, read, port event, tick, queue event or new group at every
 *             distance
 *   quality   N ticks, most of them as close as they come, with packets, queue events and writes of
 *             load registers right before and behind them; DRILL memories written and read
 */
#include <string.h>

#include "make_stimulus.h"

#define UNIT 16u /* nanoseconds of a flowlet's time */

static void plain_group(const struct maker *m, struct egret_group *g, uint32_t scheme)
{
    memset(g, 0, sizeof *g);
    g->scheme = scheme;
    g->last = m->cfg.row_len - 1;
    g->row_mask = m->cfg.num_rows - 1;
    g->bucket_mask = m->cfg.num_buckets - 1;
    g->members = all_ports(m);
}

/* Route 0 goes to group 0. */
void make_hazards(struct maker *m, uint32_t n)
{
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        struct egret_group g;
        if (!has(m, scheme))
            continue;
        plain_group(m, &g, scheme);
        g.wraps = 1;
        if (scheme == EGRET_SCHEME_FLOWLET)
            must(m, egret_ctl_flowlet(&m->cfg, &g, 0, 16, UNIT, NULL));
        if (scheme == EGRET_SCHEME_SPRAY_QUALITY) {
            g.drill_samples = 2;
            g.drill_memory = 1;
        }
        must(m, egret_ctl_group(&m->cfg, 0, &g, emit, m));
        for (uint32_t i = 0; i < n; i++) {
            flow_packet(m, 0, 5, 66);
            if (scheme == EGRET_SCHEME_FLOWLET && i % 3 == 0)
                m->now += 40; /* some a new flowlet, some not */
        }
    }
}

static void flowlet_group(struct maker *m, uint32_t number, uint32_t idle)
{
    const struct egret_cfg *c = &m->cfg;
    struct egret_group g;
    plain_group(m, &g, EGRET_SCHEME_FLOWLET);
    must(m, egret_ctl_flowlet(c, &g, draw(m, 4), 1u << draw(m, 3), (uint64_t)idle * UNIT, NULL));
    if (has(m, EGRET_SCHEME_SPRAY_QUALITY)) {
        g.by_quality = draw(m, 2);
        g.strictly_better = draw(m, 2);
    }
    if (draw(m, 3) == 0)
        g.members &= ~((uint64_t)1 << draw(m, c->num_ports));
    must(m, egret_ctl_group(c, number, &g, emit, m));
}

static void flowlet_wait(struct maker *m, uint32_t idle)
{
    uint64_t wrap = (uint64_t)UNIT << 24;
    switch (draw(m, 12)) {
    case 0:
        m->now += (uint64_t)UNIT * idle - UNIT;
        break;
    case 1:
    case 2:
        m->now += (uint64_t)UNIT * idle;
        break;
    case 3:
    case 4:
        m->now += (uint64_t)UNIT * idle + UNIT;
        break;
    case 5:
        m->now -= m->now > 4096 ? draw(m, 4096) : 0;
        break;
    case 6:
        m->now += wrap - UNIT * draw(m, 3) * 32768u;
        break;
    case 7:
        m->now -= m->now > wrap ? UNIT * (65534u + draw(m, 4)) : 0;
        break;
    default:
        break;
    }
}

/* What may come between two packets of a flow. */
static void flowlet_event(struct maker *m, uint32_t groups, uint32_t idle)
{
    const struct egret_cfg *c = &m->cfg;
    uint32_t entry = draw(m, c->num_flowlets < 8 ? c->num_flowlets : 8);
    switch (draw(m, 9)) {
    case 0:
        must(m, egret_ctl_flowlet_entry(c, entry, draw(m, 4096), draw(m, c->num_ports),
                                        (uint32_t)(m->now / UNIT) & 0xffffffu, emit, m));
        break;
    case 1:
        must(m, egret_ctl_flowlet_clear(c, entry, 1, emit, m));
        break;
    case 2:
    case 3:
        get(m, EGRET_A_FLOWLET(entry, draw(m, 2)));
        break;
    case 4:
        event(m, EGRET_EV_PORT, draw(m, c->num_ports), draw(m, 3) != 0);
        break;
    case 5:
        event(m, EGRET_EV_TICK, 0, 0);
        event(m, EGRET_EV_QUEUE, draw(m, c->num_ports), draw(m, 100000));
        break;
    case 6:
        flowlet_group(m, draw(m, groups), idle);
        break;
    case 7:
        get(m, EGRET_A_FLOWLET_COUNTER(draw(m, groups), draw(m, 5)));
        break;
    default:
        put(m, EGRET_A_FLOWLET_LAST, m->random);
        break;
    }
}

/* In units: few, so that flows meet in time, and one in four of any length. */
static uint32_t flowlet_idle(struct maker *m)
{
    uint32_t few = 1 + draw(m, 3);
    return draw(m, 4) != 0 ? few : 1 + (draw(m, 0xfefffeu) >> draw(m, 24));
}

void make_flowlet(struct maker *m, uint32_t n)
{
    uint32_t groups = m->cfg.num_groups < 2 ? 1 : 2;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t idle = flowlet_idle(m);
        flowlet_group(m, i % groups, idle);
        for (uint32_t distance = 1; distance <= 8; distance++) {
            uint32_t route = draw(m, groups);
            uint32_t flow = draw(m, 4);
            uint32_t at = draw(m, 2) == 0 ? distance : draw(m, distance);
            flow_packet(m, route, flow, 66 + draw(m, 100));
            for (uint32_t k = 1; k < distance; k++) {
                if (k == at)
                    flowlet_event(m, groups, idle);
                flow_packet(m, draw(m, groups), draw(m, 2) == 0 ? flow : draw(m, 4), 100);
            }
            flowlet_wait(m, idle);
            flow_packet(m, route, flow, 66);
            flow_packet(m, route, draw(m, 2) == 0 ? flow : draw(m, 4), 66);
        }
        for (uint32_t k = draw(m, 4); k > 0; k--)
            event(m, EGRET_EV_PORT, draw(m, m->cfg.num_ports), 1);
    }
}

/* Thresholds and scales with which the traffic here spreads over all bands. */
static void load_write(struct maker *m)
{
    const struct egret_cfg *c = &m->cfg;
    switch (draw(m, 6)) {
    case 0:
        put(m, EGRET_A_LOAD_THRESHOLD(1 + draw(m, 7)), draw(m, 20000));
        break;
    case 1:
        put(m, EGRET_A_LOAD_EXPONENT, draw(m, 4));
        break;
    case 2:
        put(m, EGRET_A_LOAD_WEIGHTS, draw(m, 257) | draw(m, 257) << 16);
        break;
    case 3:
        put(m, EGRET_A_QUALITY_SMALL, draw(m, 120));
        break;
    default:
        put(m, EGRET_A_PORT_LOAD(draw(m, c->num_ports), draw(m, 2)),
            draw(m, 65536) | draw(m, 8) << 16);
        break;
    }
}

void make_quality(struct maker *m, uint32_t n)
{
    const struct egret_cfg *c = &m->cfg;
    uint32_t groups = c->num_groups < 2 ? 1 : 2;
    for (uint32_t i = 1; i < 8; i++)
        put(m, EGRET_A_LOAD_THRESHOLD(i), i * 1500);
    put(m, EGRET_A_LOAD_WEIGHTS, 128u << 16 | 128u);
    for (uint32_t p = 0; p < c->num_ports; p++)
        for (uint32_t w = 0; w < 2; w++)
            put(m, EGRET_A_PORT_LOAD(p, w), 65535);
    for (uint32_t i = 0; i < n; i++) {
        struct egret_group g;
        if (i % 8 == 0) {
            plain_group(m, &g, EGRET_SCHEME_SPRAY_QUALITY);
            g.drill_samples = draw(m, 3);
            g.drill_memory = draw(m, 2);
            if (draw(m, 2) == 0)
                g.members &= ~((uint64_t)1 << draw(m, c->num_ports));
            must(m, egret_ctl_group(c, i / 8 % groups, &g, emit, m));
        }
        for (uint32_t k = draw(m, 40); k > 0; k--) {
            flow_packet(m, draw(m, groups), draw(m, 64), 66 + draw(m, 1000));
            if (draw(m, 8) == 0)
                event(m, EGRET_EV_QUEUE, draw(m, c->num_ports), draw(m, 30000));
            if (draw(m, 30) == 0)
                event(m, EGRET_EV_PORT, draw(m, c->num_ports), draw(m, 3) != 0);
            if (draw(m, 30) == 0)
                load_write(m);
            if (draw(m, 20) == 0)
                put(m, EGRET_A_DRILL_MEMORY(draw(m, groups)),
                    draw(m, 2) << 31 | draw(m, c->num_ports));
            if (draw(m, 20) == 0)
                get(m, draw(m, 2) == 0 ? EGRET_A_DRILL_MEMORY(draw(m, groups))
                                       : EGRET_A_PORT_LOAD(draw(m, c->num_ports), draw(m, 3)));
        }
        event(m, EGRET_EV_QUEUE, draw(m, c->num_ports), draw(m, 30000));
        event(m, EGRET_EV_TICK, 0, 0);
        if (draw(m, 2) == 0)
            load_write(m);
    }
    flow_packet(m, 0, 0, 66);
}
