/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equiv_load.c: a tick on any load of NUM_PORTS ports, and a packet that leaves at the tick's clock
 * or the one before, against rtl/egret_load.v with all that it holds. For scripts/equiv.
 *
 * The bytes of a period are a counter's growth here, a sum of 32 bits and whether it went beyond
 * there; to_rest is the sum of the period before, which is taken. Threshold 0 is nobody's.
 *
 * in   exponent  4
 * in   past_weight 9
 * in   future_weight 9
 * in   threshold0 16
 * in   threshold1 16
 * in   threshold2 16
 * in   threshold3 16
 * in   threshold4 16
 * in   threshold5 16
 * in   threshold6 16
 * in   threshold7 16
 * in   average   32 x NUM_PORTS
 * in   growth    40 x NUM_PORTS
 * mid  sum       33 x NUM_PORTS
 * in   depth     32 x NUM_PORTS
 * in   past      21 x NUM_PORTS
 * in   future    21 x NUM_PORTS
 * in   band      3 x NUM_PORTS
 * in   next      3 x NUM_PORTS
 * in   sent      1
 * in   late      1
 * in   port      PORT_W
 * in   length    16
 * mid  planes    3*NUM_PORTS
 * mid  have      8*NUM_PORTS
 * mid  nexts     3*NUM_PORTS
 * mid  next_have 8*NUM_PORTS
 * out  to_average 32 x NUM_PORTS
 * out  to_sum    33 x NUM_PORTS
 * out  to_rest   33 x NUM_PORTS
 * out  to_planes 3*NUM_PORTS
 * out  to_have   8*NUM_PORTS
 * out  to_nexts  3*NUM_PORTS
 * out  to_next_have 8*NUM_PORTS
 */
#include <string.h>

#include "equiv_ports.h"
#include "internal.h"

static struct egret e;

/* Bit b of port p at NUM_PORTS * b + p. */
static uint64_t planes_of(unsigned port, uint32_t band)
{
    uint64_t planes = 0;
    for (unsigned b = 0; b < 3; b++)
        planes |= (uint64_t)(band >> b & 1u) << (NUM_PORTS * b + port);
    return planes;
}

static uint64_t sum_of(unsigned port)
{
    uint64_t growth = e.counter[port].bytes - e.load.port[port].bytes;
    return (growth & 0xffffffffu) | (uint64_t)(growth >> 32 != 0) << 32;
}

static void make_port(const struct equiv_in *in, unsigned i, struct equiv_out *out)
{
    struct egret_port_load *p = &e.load.port[i];

    e.counter[i].bytes = in->growth[i];
    e.queue[i] = in->depth[i];
    p->average = in->average[i];
    p->next = in->next[i];
    p->scale[0].scale = in->past[i] & 0xffffu;
    p->scale[0].shift = in->past[i] >> 16;
    p->scale[1].scale = in->future[i] & 0xffffu;
    p->scale[1].shift = in->future[i] >> 16;
    e.load.band[i] = in->band[i];
    for (unsigned b = 0; b < EGRET_NUM_BANDS; b++)
        e.load.ports[b] |= (uint64_t)(in->band[i] == b) << i;
    out->sum[i] = sum_of(i);
    out->planes |= (__typeof__(out->planes))planes_of(i, in->band[i]);
    out->nexts |= (__typeof__(out->nexts))planes_of(i, in->next[i]);
    out->have |= (__typeof__(out->have))((uint64_t)1 << (NUM_PORTS * in->band[i] + i));
    out->next_have |= (__typeof__(out->have))((uint64_t)1 << (NUM_PORTS * in->next[i] + i));
}

static void send(const struct equiv_in *in)
{
    for (unsigned i = 0; i < NUM_PORTS; i++)
        e.counter[i].bytes += in->sent != 0 && in->port == i ? in->length : 0;
}

void equiv_harness(const struct equiv_in *in, struct equiv_out *out)
{
    const uint32_t threshold[EGRET_NUM_BANDS - 1] = {
        in->threshold1, in->threshold2, in->threshold3, in->threshold4,
        in->threshold5, in->threshold6, in->threshold7};

    memset(&e, 0, sizeof e);
    e.cfg.schemes = 1u << EGRET_SCHEME_SPRAY_QUALITY;
    e.cfg.num_ports = NUM_PORTS;
    e.load.exponent = in->exponent;
    e.load.stamp = 1;
    e.load.weight[0] = in->past_weight;
    e.load.weight[1] = in->future_weight;
    for (unsigned i = 0; i < EGRET_NUM_BANDS - 1; i++)
        e.load.threshold[i] = threshold[i];
    equiv_assume(in->port < NUM_PORTS);
    for (unsigned i = 0; i < NUM_PORTS; i++)
        make_port(in, i, out);
    if (in->late == 0)
        send(in);
    egret_load_tick(&e);
    if (in->late != 0)
        send(in);
    for (unsigned i = 0; i < NUM_PORTS; i++) {
        const struct egret_port_load *p = &e.load.port[i];
        out->to_average[i] = p->average;
        out->to_sum[i] = sum_of(i);
        out->to_planes |= (__typeof__(out->planes))planes_of(i, e.load.band[i]);
        out->to_nexts |= (__typeof__(out->nexts))planes_of(i, p->next);
        out->to_next_have |= (__typeof__(out->have))((uint64_t)1 << (NUM_PORTS * p->next + i));
        for (unsigned b = 0; b < EGRET_NUM_BANDS; b++)
            if ((e.load.ports[b] >> i & 1u) != 0)
                out->to_have |= (__typeof__(out->have))((uint64_t)1 << (NUM_PORTS * b + i));
    }
}
