/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_corners.c: directed stimuli of what other stimuli meet too seldom.
 *   corners   N rounds:
 *     held       every word of the first 64, read at each of 12 distances behind a write of it
 *     beside     a write of one entry of a table right before, and right behind, a fault write of
 *                another, and packets of both; DRILL memories are used by each second packet
 *     rotations  a pointer with any wraps and epoch before each packet of spray-rr or dr, all slots
 *                of the schedule naming a port that is down: the repair shows what is drawn
 *     slices     packets of entropy with each offset; +beyond gives them fields of all 32 bits
 */
#include <string.h>

#include "make_stimulus.h"

static void corner_group(struct maker *m, uint32_t number, uint32_t scheme, uint32_t offset)
{
    const struct egret_cfg *c = &m->cfg;
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = has(m, scheme) ? scheme : EGRET_SCHEME_ECMP;
    g.wraps = draw(m, 3);
    g.last = c->row_len - 1;
    g.row_mask = c->num_rows - 1;
    g.bucket_mask = c->num_buckets - 1;
    g.members = all_ports(m);
    if (g.scheme == EGRET_SCHEME_ENTROPY)
        g.entropy_offset = offset;
    if (g.scheme == EGRET_SCHEME_FLOWLET)
        must(m, egret_ctl_flowlet(c, &g, 0, 2, 32, NULL));
    if (g.scheme == EGRET_SCHEME_SPRAY_QUALITY) {
        g.drill_samples = 2;
        g.drill_memory = 1;
    }
    must(m, egret_ctl_group(c, number, &g, emit, m));
}

static void held(struct maker *m)
{
    for (uint32_t i = 0; i < 64; i++) {
        for (uint32_t distance = 0; distance < 12; distance++) {
            put(m, EGRET_A_TYPE + i, draw(m, UINT32_MAX) | 1u << draw(m, 32));
            for (uint32_t k = 0; k < distance; k++)
                flow_packet(m, 0, draw(m, 64), 66);
            get(m, EGRET_A_TYPE + i);
        }
    }
    put(m, EGRET_A_CLASS_ORDERED, 0);
}

/* Entry i of a table that packets of group 0 or 1 meet. */
static uint32_t table_entry(const struct maker *m, uint32_t table, uint32_t i)
{
    const struct egret_cfg *c = &m->cfg;
    switch (table) {
    case 0:
        return EGRET_A_BUCKET(i % c->num_buckets);
    case 1:
        return EGRET_A_SCHEDULE(0, i % c->num_rows, 0);
    case 2:
        return EGRET_A_POINTER_RR(i % c->num_groups);
    case 3:
        return EGRET_A_POINTER_DR(i % c->num_keys, 0);
    case 4:
        return EGRET_A_FLOWLET(i % (c->num_flowlets == 0 ? 16 : c->num_flowlets), 0);
    default:
        return EGRET_A_DRILL_MEMORY(i % c->num_groups);
    }
}
#define TABLES 6u

static void beside(struct maker *m)
{
    uint32_t groups = m->cfg.num_groups < 2 ? 1 : 2;
    for (uint32_t table = 0; table < TABLES; table++) {
        for (uint32_t k = 0; k < 24; k++) {
            uint32_t i = draw(m, 2), scheme = 1 + draw(m, EGRET_NUM_SCHEMES);
            uint32_t port = draw(m, m->cfg.num_ports);
            for (uint32_t g = 0; g < groups; g++)
                corner_group(m, g, table == TABLES - 1 ? EGRET_SCHEME_SPRAY_QUALITY : scheme, 0);
            if (table == TABLES - 1)
                port |= EGRET_MEMORY_VALID;
            put(m, table_entry(m, table, i), port);
            event(m, EGRET_EV_FAULT, table_entry(m, draw(m, TABLES), i ^ 1u), port);
            put(m, table_entry(m, table, i), port);
            for (uint32_t p = 0; p < 12; p++)
                flow_packet(m, draw(m, groups), draw(m, 3), 66);
            put(m, table_entry(m, table, i), port);
            event(m, EGRET_EV_FAULT, table_entry(m, draw(m, TABLES), i ^ 1u), port);
            for (uint32_t p = 0; p < 12; p++)
                flow_packet(m, draw(m, groups), draw(m, 3), 66);
            get(m, EGRET_A_FAULTS);
            get(m, EGRET_A_FAULT_TABLES);
        }
    }
}

static void rotations(struct maker *m)
{
    const struct egret_cfg *c = &m->cfg;
    uint32_t down = draw(m, c->num_ports);
    for (uint32_t row = 0; row < c->num_rows; row++)
        for (uint32_t slot = 0; slot < c->row_len; slot++)
            put(m, EGRET_A_SCHEDULE(0, row, slot), down);
    event(m, EGRET_EV_PORT, down, 0);
    for (uint32_t k = 0; k < 2; k++) {
        corner_group(m, 0, k == 0 ? EGRET_SCHEME_SPRAY_RR : EGRET_SCHEME_DR, 0);
        for (uint32_t i = 0; i < 1200; i++) {
            put(m, k == 0 ? EGRET_A_POINTER_RR(0) : EGRET_A_POINTER_DR(0, 0), draw(m, UINT32_MAX));
            flow_packet(m, 0, i, 66);
        }
    }
    event(m, EGRET_EV_PORT, down, 1);
}

static void slices(struct maker *m)
{
    for (uint32_t offset = 0; offset < 32; offset++) {
        corner_group(m, 0, EGRET_SCHEME_ENTROPY, offset);
        for (uint32_t i = 0; i < 24; i++)
            packet(m, 0);
    }
}

void make_corners(struct maker *m, uint32_t n)
{
    for (uint32_t round = 0; round < n; round++) {
        held(m);
        beside(m);
        rotations(m);
        slices(m);
    }
}
