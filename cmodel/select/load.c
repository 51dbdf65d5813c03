/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.c: the load of each port and its bands (docs/spec/load.md): an average of the bytes sent and
 * the queue depth, weighted and quantised at each tick. Mirrors rtl/egret_load.v.
 *
 * The bytes of a period are the port's counter less what it was at the last tick, so a packet pays
 * nothing for them.
 */
#include "internal.h"

static uint32_t sat32(uint64_t v)
{
    return v < 0xffffffffu ? (uint32_t)v : 0xffffffffu;
}

static uint32_t sat16(uint32_t v)
{
    return v < 0xffffu ? v : 0xffffu;
}

/* A share of full scale, which is 16384 by convention. */
static uint32_t scaled(uint32_t value, const struct egret_port_scale *s)
{
    return (sat16(value >> s->shift) * s->scale) >> 16;
}

/* The band that a tick measures, from the average as it is then. */
static uint32_t measure(const struct egret *e, const struct egret_port_load *p, uint32_t depth)
{
    uint32_t past = scaled(p->average, &p->scale[0]);
    uint32_t future = scaled(depth, &p->scale[1]);
    uint32_t metric = sat16((past * e->load.weight[0] + future * e->load.weight[1]) >> 8);
    uint32_t band = 0;

    for (uint32_t i = 0; i < EGRET_NUM_BANDS - 1; i++)
        band += metric >= e->load.threshold[i];
    return band;
}

/* Every list by bands is out of date. */
static void new_stamp(struct egret *e)
{
    if (++e->load.stamp != 0)
        return;
    e->load.stamp = 1; /* after 2^32 ticks: no group may have this one by chance */
    for (uint32_t i = 0; i < e->cfg.num_groups; i++)
        e->group[i].pool_stamp = 0;
}

void egret_load_reset(struct egret *e)
{
    e->load.ports[0] = e->port_mask;
    e->load.stamp = 1;
}

void egret_load_tick(struct egret *e)
{
    uint64_t ports[EGRET_NUM_BANDS] = {0};

    for (uint32_t i = 0; i < e->cfg.num_ports; i++) {
        struct egret_port_load *p = &e->load.port[i];
        uint32_t acc = sat32(e->counter[i].bytes - p->bytes);

        e->load.band[i] = (uint8_t)p->next;
        ports[p->next] |= (uint64_t)1 << i;
        p->bytes = e->counter[i].bytes;
        p->average = sat32((uint64_t)p->average - (p->average >> e->load.exponent) + acc);
        p->next = measure(e, p, e->queue[i]);
    }
    for (uint32_t b = 0; b < EGRET_NUM_BANDS; b++)
        e->load.ports[b] = ports[b];
    new_stamp(e);
}

void egret_load_write_global(struct egret_load_state *l, uint32_t addr, uint32_t data)
{
    switch (addr) {
    case EGRET_A_LOAD_EXPONENT:
        l->exponent = data & 0xfu;
        break;
    case EGRET_A_LOAD_WEIGHTS:
        l->weight[0] = data & 0x1ffu;
        l->weight[1] = data >> 16 & 0x1ffu;
        break;
    case EGRET_A_QUALITY_SMALL:
        l->small = data & 0xffffu;
        break;
    default: /* LOAD_THRESHOLD1..7 */
        l->threshold[addr - EGRET_A_LOAD_THRESHOLD(1)] = data & 0xffffu;
        break;
    }
}

uint32_t egret_load_read_global(const struct egret_load_state *l, uint32_t addr)
{
    switch (addr) {
    case EGRET_A_LOAD_EXPONENT:
        return l->exponent;
    case EGRET_A_LOAD_WEIGHTS:
        return l->weight[1] << 16 | l->weight[0];
    case EGRET_A_QUALITY_SMALL:
        return l->small;
    default:
        if (addr - EGRET_A_LOAD_THRESHOLD(1) >= EGRET_NUM_BANDS - 1)
            return 0;
        return l->threshold[addr - EGRET_A_LOAD_THRESHOLD(1)];
    }
}

void egret_load_write_port(struct egret_load_state *l, uint32_t offset, uint32_t data)
{
    struct egret_port_scale *s = &l->port[offset >> 2].scale[offset & 1u];
    s->scale = data & 0xffffu;
    s->shift = data >> 16 & 31u;
}

uint32_t egret_load_read_port(const struct egret_load_state *l, uint32_t offset)
{
    uint32_t port = offset >> 2;
    const struct egret_port_scale *s = &l->port[port].scale[offset & 1u];

    if ((offset & 3u) >= 2)
        return (offset & 3u) == 2 ? l->band[port] : 0;
    return s->shift << 16 | s->scale;
}
