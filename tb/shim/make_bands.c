/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_bands.c: directed stimuli of port loads (docs/spec/load.md).
 *   bands   N rounds: thresholds that rise, are equal, or come in any order; the metric of every
 * port is one below, at, or one above a threshold, or an end of the range; by depth, by bytes, or
 *           by both; the average with every exponent; bands are read, and packets choose by them
 *   walk    N rounds: at every distance of 0 to NUM_PORTS + 40 clocks behind a tick a queue event,
 *           scale, register or packet for each port in turn, and the next tick as close as it comes
 *           N 0: one round with every third distance, for a simulator that is slow
 * Without scheme spray-quality both are queue events, ticks and writes that are ignored.
 */
#include "make_stimulus.h"

#define PORT_BYTES 1400u

static void packets(struct maker *m, uint32_t n)
{
    while (n-- > 0)
        flow_packet(m, draw(m, m->cfg.num_groups < 2 ? 1 : 2), draw(m, 64),
                    66 + draw(m, PORT_BYTES));
}

static void quality_groups(struct maker *m)
{
    const struct egret_cfg *c = &m->cfg;
    for (uint32_t i = 0; i < 2 && i < c->num_groups; i++) {
        struct egret_group g = {0};
        g.scheme = c->schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u ? EGRET_SCHEME_SPRAY_QUALITY : 1;
        g.last = c->row_len - 1;
        g.row_mask = c->num_rows - 1;
        g.bucket_mask = c->num_buckets - 1;
        g.members = c->num_ports == 64 ? UINT64_MAX : ((uint64_t)1 << c->num_ports) - 1;
        if (g.scheme == EGRET_SCHEME_SPRAY_QUALITY) {
            g.drill_samples = i == 0 ? 0 : draw(m, 3);
            g.drill_memory = i == 0 ? 0 : draw(m, 2);
        }
        must(m, egret_ctl_group(c, i, &g, emit, m));
    }
}

static uint32_t threshold(struct maker *m, uint32_t round, uint32_t i, uint32_t before)
{
    switch (round % 4) {
    case 0: /* rising */
        return i * (1 + draw(m, 9000));
    case 1: /* some equal */
        return draw(m, 2) == 0 ? before : draw(m, 65536);
    case 2: /* any order */
        return draw(m, 65536);
    default: /* single bits and ends */
        return draw(m, 3) == 0 ? 65535u * draw(m, 2) : 1u << draw(m, 16);
    }
}

/* Both ticks of what was measured, all bands read, and used. */
static void measured(struct maker *m)
{
    for (uint32_t k = 0; k < 2; k++) {
        event(m, EGRET_EV_TICK, 0, 0);
        packets(m, 2);
    }
    for (uint32_t p = 0; p < m->cfg.num_ports; p++)
        get(m, EGRET_A_PORT_LOAD(p, 2));
    packets(m, 4);
}

void make_bands(struct maker *m, uint32_t n)
{
    const struct egret_cfg *c = &m->cfg;
    quality_groups(m);
    for (uint32_t round = 0; round < n; round++) {
        uint32_t t[8] = {0}, shift = draw(m, 16);
        for (uint32_t i = 1; i < 8; i++) {
            t[i] = threshold(m, round, i, t[i - 1]) & 0xffffu;
            put(m, EGRET_A_LOAD_THRESHOLD(i), t[i]);
        }
        /* depth d >> shift, times 0x8000 / 65536, times 2 of a weight of 512 less 1 at most: with
         * weight 256 and scale 65535 the metric is d less one or so; all around it are tried. */
        put(m, EGRET_A_LOAD_EXPONENT, round % 16);
        put(m, EGRET_A_LOAD_WEIGHTS,
            round % 3 == 0 ? 256u << 16 : draw(m, 512) << 16 | draw(m, 512));
        for (uint32_t p = 0; p < c->num_ports; p++) {
            put(m, EGRET_A_PORT_LOAD(p, 1),
                (round % 3 == 2 ? draw(m, 65536) : 65535u) | shift << 16);
            put(m, EGRET_A_PORT_LOAD(p, 0),
                draw(m, 65536) | draw(m, round % 5 == 0 ? 32 : 4) << 16);
        }
        for (uint32_t i = 1; i < 8; i++) {
            for (uint32_t p = 0; p < c->num_ports; p++) {
                uint64_t at = (uint64_t)t[1 + (i + p) % 7] + draw(m, 5);
                at = at < 2 ? 0 : at - 2;
                if (draw(m, 8) == 0)
                    at = draw(m, 2) == 0 ? 65535 : 65536 + draw(m, 65536);
                at <<= shift;
                if (draw(m, 2) == 0 && shift > 0)
                    at |= draw(m, 1u << shift);
                event(m, EGRET_EV_QUEUE, p, at > UINT32_MAX ? UINT32_MAX : (uint32_t)at);
            }
            measured(m);
        }
        packets(m, draw(m, 60));
        measured(m);
    }
}

static void meet(struct maker *m, uint32_t port, uint32_t which)
{
    switch (which % 5) {
    case 0:
        event(m, EGRET_EV_QUEUE, port, draw(m, 40000));
        break;
    case 1:
        put(m, EGRET_A_PORT_LOAD(port, draw(m, 2)), draw(m, 65536) | draw(m, 4) << 16);
        break;
    case 2:
        put(m, EGRET_A_LOAD_THRESHOLD(1 + draw(m, 7)), draw(m, 20000));
        break;
    case 3:
        put(m, EGRET_A_LOAD_EXPONENT + draw(m, 2), draw(m, 257) << 16 | draw(m, 257));
        break;
    default:
        get(m, draw(m, 2) == 0 ? EGRET_A_QUEUE(port) : EGRET_A_PORT_LOAD(port, draw(m, 3)));
        break;
    }
}

void make_walk(struct maker *m, uint32_t n)
{
    const struct egret_cfg *c = &m->cfg;
    quality_groups(m);
    for (uint32_t i = 1; i < 8; i++)
        put(m, EGRET_A_LOAD_THRESHOLD(i), i * 2500);
    put(m, EGRET_A_LOAD_WEIGHTS, 128u << 16 | 128u);
    for (uint32_t p = 0; p < c->num_ports; p++)
        for (uint32_t w = 0; w < 2; w++)
            put(m, EGRET_A_PORT_LOAD(p, w), 65535);
    uint32_t step = n == 0 ? 3 : 1;
    for (uint32_t round = 0; round < n + (n == 0); round++) {
        for (uint32_t distance = 0; distance <= c->num_ports + 40; distance += step) {
            uint32_t port = (distance + round) % c->num_ports;
            if (draw(m, 2) == 0)
                meet(m, port, draw(m, 5)); /* with the tick's own clock, or before */
            event(m, EGRET_EV_TICK, 0, 0);
            packets(m, distance);
            meet(m, distance >= 16 ? (distance - 16 + draw(m, 3)) % c->num_ports : port, round);
            packets(m, draw(m, 2) == 0 ? 0 : c->num_ports + 40 - distance);
            event(m, EGRET_EV_TICK, 0, 0);
            packets(m, 1);
            if (draw(m, 4) == 0)
                get(m, EGRET_A_PORT_LOAD(port, 2));
        }
    }
}
