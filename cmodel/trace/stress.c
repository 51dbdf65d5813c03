/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stress.c: see stress.h. Every kind of event and write, legal and illegal, on the entries that the
 * packets use.
 */
#include "stress.h"

/* The word that the last packet's scheme changes, or might. */
static uint32_t last_pointer(const struct gen *g, const struct egret_make *m)
{
    if (m->scheme == EGRET_SCHEME_SPRAY_QUALITY) {
        return EGRET_A_DRILL_MEMORY(g->last.group);
    }
    if (m->scheme == EGRET_SCHEME_FLOWLET) {
        return EGRET_A_FLOWLET(g->packets % g->cfg->num_flowlets, 0);
    }
    return m->scheme == EGRET_SCHEME_SPRAY_RR ? EGRET_A_POINTER_RR(g->last.group)
                                              : EGRET_A_POINTER_DR(g->last.key, g->last.bin);
}

static void reads(struct stress *s, struct gen *g, const struct egret_make *m)
{
    uint32_t n = 1u + rng_below(&s->rng, 4);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t port = rng_below(&s->rng, g->cfg->num_ports);
        switch (rng_below(&s->rng, 5)) {
        case 4:
            egret_gen_read(g, EGRET_A_FLOWLET_COUNTER(0, rng_below(&s->rng, 5)));
            break;
        case 0:
            egret_gen_read(g, last_pointer(g, m));
            break;
        case 1:
            egret_gen_read(g, EGRET_A_PORT_COUNTER(port, rng_below(&s->rng, 4)));
            break;
        case 2:
            egret_gen_read(g, EGRET_A_GROUP(0, rng_below(&s->rng, 7)));
            break;
        default:
            egret_gen_read(g, EGRET_A_LIVE0 + rng_below(&s->rng, 12));
            break;
        }
    }
}

/* A new row in the bank that is not in use, then the switch to it. */
static void switch_bank(struct stress *s, struct gen *g, const struct egret_topology *t,
                        const struct egret_make *m)
{
    uint32_t other = s->bank ^ 1u;
    egret_switch_schedule_row(g, t, m->at_agg, other, rng_below(&s->rng, g->cfg->num_rows),
                              rng_u32(&s->rng));
    egret_switch_up_group(g, t, m, m->at_agg, other, egret_switch_wraps(m->scheme));
    s->bank = other;
}

static void illegal(struct stress *s, struct gen *g)
{
    switch (rng_below(&s->rng, 5)) {
    case 0:
        egret_gen_write(g, EGRET_A_BUCKET(g->cfg->num_buckets), 0);
        break;
    case 1:
        egret_gen_write(g, EGRET_A_SCHEDULE(0, 0, 0), g->cfg->num_ports);
        break;
    case 2:
        egret_gen_write(g, EGRET_A_LIVE0, rng_u32(&s->rng));
        break;
    case 3:
        egret_gen_write(g, EGRET_A_GROUP(g->cfg->num_groups, 0), rng_u32(&s->rng));
        break;
    default:
        egret_gen_write(g, 0xd00000u, rng_u32(&s->rng));
        break;
    }
}

static void table_write(struct stress *s, struct gen *g, const struct egret_topology *t,
                        const struct egret_make *m)
{
    uint32_t up = egret_switch_down_ports(t, m->at_agg) +
                  rng_below(&s->rng, egret_switch_up_ports(t, m->at_agg));
    if (rng_percent(&s->rng, 50)) {
        egret_gen_write(g, EGRET_A_BUCKET(rng_below(&s->rng, egret_switch_up_buckets(g->cfg))), up);
    } else {
        egret_gen_write(g,
                        EGRET_A_SCHEDULE(s->bank, rng_below(&s->rng, g->cfg->num_rows),
                                         rng_below(&s->rng, egret_switch_up_ports(t, m->at_agg))),
                        up);
    }
}

/* A seed; with loads also a threshold or a scale. */
static void global_write(struct stress *s, struct gen *g, const struct egret_make *m)
{
    uint32_t port = rng_below(&s->rng, g->cfg->num_ports);
    switch (rng_below(&s->rng, m->loads ? 4 : 2)) {
    case 0:
        egret_gen_write(g, EGRET_A_DRAW_SEED, rng_u32(&s->rng));
        break;
    case 1:
        egret_gen_write(g, EGRET_A_HASH_SEED, rng_u32(&s->rng));
        break;
    case 2:
        egret_gen_write(g, EGRET_A_LOAD_THRESHOLD(1u + rng_below(&s->rng, 7)),
                        rng_below(&s->rng, 20000));
        break;
    default:
        egret_gen_write(g, EGRET_A_PORT_LOAD(port, rng_below(&s->rng, 2)), rng_u32(&s->rng));
        break;
    }
}

static void ticks(struct stress *s, struct gen *g)
{
    uint32_t n = 1u + rng_below(&s->rng, 3); /* nearer than the walk if more than one */
    for (uint32_t i = 0; i < n; i++) {
        egret_gen_tick(g);
    }
}

void egret_stress_step(struct stress *s, struct gen *g, const struct egret_topology *t,
                       const struct egret_make *m)
{
    uint32_t ports = g->cfg->num_ports;
    if (!rng_percent(&s->rng, 20)) {
        return;
    }
    switch (rng_below(&s->rng, 12)) {
    case 0:
    case 1:
        egret_gen_port(g, rng_below(&s->rng, ports + 1u), rng_percent(&s->rng, 70));
        break;
    case 2:
        egret_gen_queue(g, rng_below(&s->rng, ports + 1u), rng_u32(&s->rng));
        break;
    case 3:
        ticks(s, g);
        break;
    case 4:
    case 5:
        table_write(s, g, t, m);
        break;
    case 6:
        switch_bank(s, g, t, m);
        break;
    case 7:
        egret_switch_up_group(g, t, m, m->at_agg, s->bank, rng_below(&s->rng, 16));
        break;
    case 8:
        egret_gen_write(g, last_pointer(g, m),
                        rng_u32(&s->rng) & (m->loads ? 0xffffff0fu : ~0u));
        break;
    case 9:
        global_write(s, g, m);
        break;
    case 10:
        illegal(s, g);
        break;
    default:
        reads(s, g, m);
        break;
    }
}
