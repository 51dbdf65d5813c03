/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_loads.c: port loads of a random stimulus, so set up that ports are in different bands, and
 * change them: half by their queues, half by what is sent.
 */
#include "random.h"

/* A depth whose upper half, with the scales below, makes any metric up to 32767. */
uint32_t egret_random_depth(struct random_state *r)
{
    switch (rng_below(&r->rng, 12)) {
    case 0:
        return rng_below(&r->rng, 3);
    case 1:
        return UINT32_MAX - rng_below(&r->rng, 3);
    default:
        return rng_u32(&r->rng);
    }
}

static uint32_t past_scale(struct random_state *r)
{
    if (rng_percent(&r->rng, 10)) {
        return rng_u32(&r->rng);
    }
    return rng_below(&r->rng, 7) << 16 | (rng_u32(&r->rng) & 0xffffu);
}

static uint32_t future_scale(struct random_state *r)
{
    if (rng_percent(&r->rng, 10)) {
        return rng_u32(&r->rng);
    }
    return 16u << 16 | (0x4000u + rng_below(&r->rng, 0x4001));
}

static uint32_t weights(struct random_state *r)
{
    static const uint32_t usual[] = {0x01000000, 0x01000000, 0x00800080, 0x01000100, 0x00000100};
    return rng_percent(&r->rng, 80) ? usual[rng_below(&r->rng, 5)] : rng_u32(&r->rng);
}

static uint32_t threshold(struct random_state *r, uint32_t i)
{
    return rng_percent(&r->rng, 85) ? i * 4096u - rng_below(&r->rng, 4096)
                                    : rng_u32(&r->rng) & (rng_percent(&r->rng, 50) ? 0x7fffu : ~0u);
}

static void memory(struct random_state *r, uint32_t group)
{
    uint32_t port = rng_below(&r->rng, r->cfg->num_ports);
    egret_gen_write(&r->gen, EGRET_A_DRILL_MEMORY(group),
                    (rng_percent(&r->rng, 80) ? EGRET_MEMORY_VALID : 0) | port);
}

bool egret_random_has_loads(const struct random_state *r)
{
    return r->cfg->schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u;
}

uint32_t egret_random_drill(struct random_state *r)
{
    uint32_t d = rng_percent(&r->rng, 40) ? 0 : 1u + rng_below(&r->rng, 3);
    return rng_below(&r->rng, 2) << 28 | d << 26;
}

void egret_random_band(struct random_state *r)
{
    struct rng *rng = &r->rng;
    if (rng_percent(rng, 50)) { /* the port that was just chosen, or is remembered, is full now */
        egret_gen_queue(&r->gen, r->gen.last_decision.port, UINT32_MAX - rng_below(rng, 3));
    } else {
        egret_gen_queue(&r->gen, rng_below(rng, r->cfg->num_ports), egret_random_depth(r));
    }
    egret_gen_tick(&r->gen);
    if (rng_percent(rng, 50)) { /* in force at once */
        egret_gen_tick(&r->gen);
    }
}

void egret_random_load_write(struct random_state *r)
{
    struct rng *rng = &r->rng;
    uint32_t port = rng_below(rng, r->cfg->num_ports);
    uint32_t i = 1u + rng_below(rng, EGRET_NUM_BANDS - 1u);
    switch (rng_below(rng, 10)) {
    case 0:
    case 1:
        egret_gen_write(&r->gen, EGRET_A_PORT_LOAD(port, 0), past_scale(r));
        break;
    case 2:
    case 3:
        egret_gen_write(&r->gen, EGRET_A_PORT_LOAD(port, 1), future_scale(r));
        break;
    case 4:
    case 5:
        egret_gen_write(&r->gen, EGRET_A_LOAD_THRESHOLD(i), threshold(r, i));
        break;
    case 6:
        egret_gen_write(&r->gen, EGRET_A_LOAD_WEIGHTS, weights(r));
        break;
    case 7:
        egret_gen_write(&r->gen, EGRET_A_LOAD_EXPONENT,
                        rng_percent(rng, 80) ? rng_below(rng, 5) : rng_u32(rng));
        break;
    case 8:
        egret_gen_write(&r->gen, EGRET_A_QUALITY_SMALL,
                        rng_percent(rng, 50) ? r->length[rng_below(rng, 6)] + rng_below(rng, 2)
                                             : 63u * rng_below(rng, 2));
        break;
    default:
        memory(r, r->hot_group[rng_below(rng, RANDOM_GROUPS)]);
        break;
    }
}

void egret_random_load_illegal(struct random_state *r)
{
    struct rng *rng = &r->rng;
    const struct egret_cfg *c = r->cfg;
    uint32_t port = rng_below(rng, c->num_ports), data = rng_u32(rng);
    switch (rng_below(rng, 6)) {
    case 0:
        egret_gen_write(&r->gen, EGRET_A_PORT_LOAD(port, 2u + rng_below(rng, 2)), data);
        break;
    case 1:
        egret_gen_write(&r->gen, EGRET_A_PORT_LOAD(c->num_ports, rng_below(rng, 2)), data);
        break;
    case 2: /* its port does not exist, whatever its valid bit */
        egret_gen_write(&r->gen, EGRET_A_DRILL_MEMORY(rng_below(rng, c->num_groups)),
                        (data & 0xffffff00u) | (c->num_ports + rng_below(rng, 3)));
        break;
    case 3:
        egret_gen_write(&r->gen, EGRET_A_DRILL_MEMORY(c->num_groups), port);
        break;
    case 4:
        egret_gen_write(&r->gen, EGRET_A_LOAD_THRESHOLD(8u * rng_below(rng, 2)), data);
        break;
    default:
        egret_gen_write(&r->gen, EGRET_A_QUALITY_SMALL + 1u + rng_below(rng, 5), data);
        break;
    }
}

/* Every port has a scale for its queue and a depth; a few also one for what they send. */
void egret_random_loads(struct random_state *r)
{
    struct rng *rng = &r->rng;
    if (!egret_random_has_loads(r)) {
        return;
    }
    for (uint32_t i = 1; i < EGRET_NUM_BANDS; i++) {
        egret_gen_write(&r->gen, EGRET_A_LOAD_THRESHOLD(i), threshold(r, i));
    }
    egret_gen_write(&r->gen, EGRET_A_LOAD_WEIGHTS, weights(r));
    egret_gen_write(&r->gen, EGRET_A_LOAD_EXPONENT, rng_below(rng, 5));
    egret_gen_write(&r->gen, EGRET_A_QUALITY_SMALL, 63u * rng_below(rng, 2));
    for (uint32_t p = 0; p < r->cfg->num_ports; p++) {
        egret_gen_write(&r->gen, EGRET_A_PORT_LOAD(p, 1), future_scale(r));
        if (rng_below(rng, r->cfg->num_ports) < 16u) {
            egret_gen_write(&r->gen, EGRET_A_PORT_LOAD(p, 0), past_scale(r));
        }
        egret_gen_queue(&r->gen, p, egret_random_depth(r));
    }
    egret_gen_tick(&r->gen);
    egret_gen_tick(&r->gen);
}
