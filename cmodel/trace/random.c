/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random.c: random stimuli, made to meet the corners (egret/trace_make.h).
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "random.h"

static void step_time(struct random_state *r)
{
    struct gen *g = &r->gen;
    switch (rng_below(&r->rng, 16)) {
    case 0: /* steps back */
        g->now -= g->now < 1000u ? g->now : rng_below(&r->rng, 1000);
        break;
    case 1:
        g->now += rng_u32(&r->rng);
        break;
    case 2: /* before the wrap of 48 bits */
        g->now = (1ull << EGRET_NOW_BITS) - rng_below(&r->rng, 64);
        break;
    case 3:
        g->now = rng_below(&r->rng, 100000);
        break;
    case 4: /* back by 2^16 units of the flowlet table, or nearly so */
        g->now -= g->now < 0x100020u ? g->now : 0xfffe0u + rng_below(&r->rng, 0x40);
        break;
    case 5: /* before and behind the round of its time, 2^28 ns */
        g->now = (g->now | 0xfffffffu) - rng_below(&r->rng, 256);
        break;
    case 6: /* a silence of a round */
        g->now += 0x10000000u + rng_below(&r->rng, 256);
        break;
    default:
        g->now += rng_below(&r->rng, 8);
        break;
    }
}

static void burst(struct random_state *r)
{
    uint32_t i = rng_below(&r->rng, RANDOM_ROUTES);
    uint32_t n = 1u + rng_below(&r->rng, 24);
    for (uint32_t k = 0; k < n; k++) {
        egret_random_packet(r, i);
    }
}

/* Two or three packets of one entry with a write, a read, a port event, a tick or a fault write
 * between. */
static void hazard(struct random_state *r)
{
    uint32_t i = rng_below(&r->rng, RANDOM_ROUTES);
    uint32_t n = 1u + rng_below(&r->rng, 6);
    egret_random_packet(r, i);
    for (uint32_t k = 0; k < n; k++) {
        bool faulty = egret_random_has_faults(r) && rng_percent(&r->rng, 12);
        if (faulty) {
            egret_random_fault(r);
            if (rng_percent(&r->rng, 50)) {
                egret_random_packet(r, i);
                continue;
            }
        }
        switch (rng_below(&r->rng, egret_random_has_loads(r) ? 8 : 6)) {
        case 0:
            egret_gen_read(&r->gen, egret_random_hot_address(r));
            break;
        case 1:
            egret_gen_port(&r->gen, r->gen.last_decision.port, 0);
            break;
        case 2:
            egret_random_group(r, r->gen.last.group & (r->cfg->num_groups - 1u), true);
            break;
        case 3:
            egret_random_band(r);
            break;
        default:
            egret_random_hot_write(r);
            break;
        }
        egret_random_packet(r, i);
        if (rng_percent(&r->rng, 40)) {
            egret_random_packet(r, i);
        }
    }
}

static void reads(struct random_state *r)
{
    uint32_t n = 1u + rng_below(&r->rng, 6);
    for (uint32_t k = 0; k < n; k++) {
        egret_gen_read(&r->gen, rng_percent(&r->rng, 60) ? egret_random_hot_address(r)
                                                         : egret_random_address(r));
    }
}

static void ports(struct random_state *r)
{
    uint32_t n = r->cfg->num_ports;
    uint32_t i = rng_below(&r->rng, RANDOM_ROUTES);
    uint32_t kind = rng_below(&r->rng, 4);
    for (uint32_t k = 0; k < n; k++) {
        switch (kind) {
        case 0: /* nearly all down, one by one */
            egret_gen_port(&r->gen, k, 0);
            break;
        case 1:
            egret_gen_port(&r->gen, k, 1);
            break;
        default:
            egret_gen_port(&r->gen, rng_below(&r->rng, n + n / 8u + 1u), rng_percent(&r->rng, 60));
            break;
        }
        if (rng_percent(&r->rng, 60)) {
            egret_random_packet(r, i);
        }
    }
    if (kind == 0) { /* and mostly up again */
        for (uint32_t k = 0; k < n; k++) {
            egret_gen_port(&r->gen, k, rng_percent(&r->rng, 90));
        }
    }
}

static void queues(struct random_state *r)
{
    uint32_t n = 1u + rng_below(&r->rng, 4);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t port = rng_percent(&r->rng, 85) ? rng_below(&r->rng, r->cfg->num_ports)
                                                 : rng_below(&r->rng, 256);
        egret_gen_queue(&r->gen, port, egret_random_depth(r));
        if (rng_percent(&r->rng, 30)) {
            egret_gen_read(&r->gen, EGRET_A_QUEUE(port));
        }
    }
}

/* Ticks nearer and farther than the walk, sometimes with one event of each channel in one clock. */
static void ticks(struct random_state *r)
{
    uint32_t n = 1u + rng_below(&r->rng, 4);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t between =
            rng_percent(&r->rng, 30) ? 0 : rng_below(&r->rng, r->cfg->num_ports + 8u);
        if (rng_percent(&r->rng, 50)) {
            egret_gen_port(&r->gen, rng_below(&r->rng, r->cfg->num_ports), 1);
            egret_gen_queue(&r->gen, rng_below(&r->rng, r->cfg->num_ports),
                            egret_random_depth(r));
        }
        egret_gen_tick(&r->gen);
        uint32_t i = rng_below(&r->rng, RANDOM_ROUTES);
        for (uint32_t p = 0; p < between; p++) {
            egret_random_packet(r, i);
        }
        step_time(r);
    }
    egret_gen_read(&r->gen, EGRET_A_TICK_COUNT + rng_below(&r->rng, 3));
}

static void front(struct random_state *r)
{
    switch (rng_below(&r->rng, 6)) {
    case 0:
        egret_random_classes(r);
        break;
    case 1:
        egret_gen_write(&r->gen, EGRET_A_FRONT_ENTROPY, rng_below(&r->rng, 3));
        break;
    case 2:
        egret_gen_write(&r->gen, EGRET_A_FRONT_DEFAULT,
                        rng_below(&r->rng, r->cfg->num_keys) << 16 | r->hot_group[0]);
        break;
    case 3:
        egret_gen_write(&r->gen, EGRET_A_FRONT_ROUTE_REMOVE(rng_below(&r->rng, RANDOM_ROUTES)), 0);
        break;
    default:
        egret_random_route(r, rng_below(&r->rng, RANDOM_ROUTES));
        break;
    }
}

static void step(struct random_state *r)
{
    uint32_t kind = rng_below(&r->rng, 100);
    step_time(r);
    if (r->num_faults != 0 && rng_percent(&r->rng, 20)) {
        egret_random_heal(r);
    }
    if (kind < 30u) {
        burst(r);
    } else if (kind < 38u) {
        egret_random_odd_packet(r);
    } else if (kind < 56u) {
        hazard(r);
    } else if (kind < 64u) {
        reads(r);
    } else if (kind < 68u) {
        ports(r);
    } else if (kind < 73u) {
        queues(r);
    } else if (kind < 77u) {
        ticks(r);
    } else if (kind < 82u) {
        egret_random_group(r, r->hot_group[rng_below(&r->rng, RANDOM_GROUPS)],
                           rng_percent(&r->rng, 60));
    } else if (kind < 87u) {
        egret_random_illegal_write(r);
    } else if (kind < 91u) {
        front(r);
    } else if (kind < 92u && egret_random_has_loads(r)) {
        egret_random_load_write(r);
    } else if (kind < 93u) {
        egret_random_pointer(r);
    } else if (kind < 95u) {
        egret_random_entry(r);
    } else if (kind < 96u) {
        egret_random_global(r);
    } else if (kind < 99u) {
        for (uint32_t p = 0; p < r->cfg->num_ports; p++) {
            egret_gen_port(&r->gen, p, 1);
        }
    } else {
        egret_gen_write(&r->gen, EGRET_A_BUCKET(rng_below(&r->rng, r->cfg->num_buckets)),
                        rng_below(&r->rng, r->cfg->num_ports));
    }
}

int egret_make_random(const struct egret_cfg *cfg, uint64_t events, uint32_t seed, const char *path,
                      struct egret_trace_error *err)
{
    if (events < 16u) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "--events: at least 16");
    }
    struct random_state *r = calloc(1, sizeof *r);
    if (!r) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    r->cfg = cfg;
    r->rng.state = seed;
    int code = egret_gen_open(&r->gen, cfg, path, true, err);
    if (code == EGRET_OK) {
        r->gen.limit = events;
        egret_random_setup(r);
        egret_random_packet(r, 0);
        while (!egret_gen_full(&r->gen)) {
            step(r);
        }
        code = egret_gen_close(&r->gen, err);
    }
    free(r);
    return code;
}
