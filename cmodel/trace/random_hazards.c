/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_hazards.c: writes and reads that meet the packets around them in the same entry. The
 * model along the way says which entry that is.
 */
#include <string.h>

#include "egret/selector.h"
#include "random.h"

/* Of the last packet, which there always is: the generators begin with one. */
static void explain(struct random_state *r, struct egret_why *why)
{
    memset(why, 0, sizeof *why);
    (void)egret_explain(r->gen.model, &r->gen.last, why);
}

/* Bank of the last packet's group, 0 if it has none. */
static uint32_t last_bank(struct random_state *r)
{
    struct egret_event read = {.kind = EGRET_EV_READ};
    struct egret_decision d;
    read.addr = EGRET_A_GROUP(r->gen.last.group & (r->cfg->num_groups - 1u), 0);
    (void)egret_apply(r->gen.model, &read, &d);
    return d.data >> 4 & 1u;
}

/* Index of the last packet's flowlet entry. */
static uint32_t last_entry(struct random_state *r)
{
    return r->gen.last_decision.data & 0xffffu;
}

static uint32_t last_pointer(struct random_state *r)
{
    const struct egret_event *p = &r->gen.last;
    if (r->gen.last_decision.scheme == EGRET_SCHEME_FLOWLET) {
        return EGRET_A_FLOWLET(last_entry(r), rng_below(&r->rng, 2));
    }
    return r->gen.last_decision.scheme == EGRET_SCHEME_SPRAY_RR
               ? EGRET_A_POINTER_RR(p->group)
               : EGRET_A_POINTER_DR(p->key, p->bin);
}

uint32_t egret_random_hot_address(struct random_state *r)
{
    struct rng *rng = &r->rng;
    const struct egret_event *p = &r->gen.last;
    struct egret_why why;
    uint32_t port = r->gen.last_decision.port;
    switch (rng_below(rng, 10)) {
    case 0:
    case 1:
    case 2:
        return last_pointer(r);
    case 3:
    case 4:
        return EGRET_A_PORT_COUNTER(port, rng_below(rng, 4));
    case 5:
        return rng_percent(rng, 50) ? EGRET_A_GROUP_COUNTER(p->group, rng_below(rng, 2))
                                    : EGRET_A_FLOWLET_COUNTER(p->group, rng_below(rng, 6));
    case 6:
        return EGRET_A_GROUP(p->group, rng_below(rng, 7));
    case 7:
        return EGRET_A_WRITES_IGNORED + rng_below(rng, 4);
    default:
        break;
    }
    explain(r, &why);
    switch (r->gen.last_decision.scheme) {
    case EGRET_SCHEME_SPRAY_RR:
    case EGRET_SCHEME_DR:
        return EGRET_A_SCHEDULE(last_bank(r), why.row, why.slot);
    case EGRET_SCHEME_SPRAY_QUALITY:
        if (rng_percent(rng, 60)) {
            return rng_percent(rng, 60) ? EGRET_A_DRILL_MEMORY(p->group)
                                        : EGRET_A_PORT_LOAD(port, 2);
        }
        return EGRET_A_RANDOM;
    case EGRET_SCHEME_SPRAY_RANDOM:
        return EGRET_A_RANDOM;
    default:
        return EGRET_A_BUCKET(why.bucket);
    }
}

void egret_random_global(struct random_state *r)
{
    struct rng *rng = &r->rng;
    switch (rng_below(rng, 4)) {
    case 3:
        egret_gen_write(&r->gen, EGRET_A_FLOWLET_LAST, rng_u32(rng));
        break;
    case 0:
        egret_gen_write(&r->gen, EGRET_A_HASH_FIELDS + rng_below(rng, 3), rng_u32(rng));
        break;
    case 1:
        egret_gen_write(&r->gen, EGRET_A_CLASS_ORDERED,
                        rng_percent(rng, 30) ? 0 : rng_u32(rng) & rng_u32(rng));
        break;
    default:
        egret_gen_write(&r->gen, EGRET_A_RANDOM, rng_percent(rng, 30) ? 0 : rng_u32(rng));
        break;
    }
}

/* The entry of a flow, or of another or none, last seen about now, or at any time. */
static void write_entry(struct random_state *r, uint32_t index, uint32_t tag)
{
    struct rng *rng = &r->rng;
    uint32_t last = (uint32_t)(r->gen.now >> 4);
    if (rng_percent(rng, 30)) {
        tag = rng_u32(rng);
    }
    last -= rng_percent(rng, 90) ? rng_below(rng, 12) : rng_u32(rng);
    if (rng_percent(rng, 80)) {
        egret_gen_write(&r->gen, EGRET_A_FLOWLET_LAST, last);
    }
    egret_gen_write(&r->gen, EGRET_A_FLOWLET(index, 0),
                    (rng_percent(rng, 85) ? 0x80000000u : 0) | (tag & 0xfffu) << 16 |
                        (rng_u32(rng) & 0x7000ff00u) | rng_below(rng, r->cfg->num_ports));
}

void egret_random_entry(struct random_state *r)
{
    struct rng *rng = &r->rng;
    uint32_t n = r->cfg->num_flowlets;
    uint32_t index = rng_below(rng, 16);
    if (rng_percent(rng, 30)) {
        index = n - 1u - index;
    }
    if (rng_percent(rng, 20)) {
        index = rng_below(rng, n != 0 ? n : 1u);
    }
    write_entry(r, index, rng_u32(rng));
}

void egret_random_hot_write(struct random_state *r)
{
    struct rng *rng = &r->rng;
    struct egret_why why;
    uint32_t port = rng_below(rng, r->cfg->num_ports);
    uint32_t kind = rng_below(rng, 8);
    uint32_t scheme = r->gen.last_decision.scheme;
    bool rotates = scheme == EGRET_SCHEME_SPRAY_RR || scheme == EGRET_SCHEME_DR;
    if (kind == 0) {
        egret_gen_write(&r->gen, EGRET_A_DRAW_SEED, rng_u32(rng));
    } else if (kind == 1) {
        egret_gen_write(&r->gen, EGRET_A_HASH_SEED, rng_u32(rng));
    } else if (kind == 2 || (kind == 3 && scheme == EGRET_SCHEME_SPRAY_RANDOM)) {
        egret_gen_write(&r->gen, EGRET_A_RANDOM, rng_u32(rng));
    } else if (kind == 3) {
        egret_gen_write(&r->gen, EGRET_A_CLASS_ORDERED, rng_u32(rng));
    } else if (scheme == EGRET_SCHEME_FLOWLET && kind < 7) {
        explain(r, &why);
        write_entry(r, why.flowlet, why.flow_tag);
    } else if (kind < 6 && rotates) {
        egret_gen_write(&r->gen, last_pointer(r),
                        rng_percent(rng, 50) ? rng_u32(rng) : rng_below(rng, 512) << 8);
    } else if (scheme == EGRET_SCHEME_SPRAY_QUALITY && kind < 7) {
        egret_gen_write(&r->gen, EGRET_A_DRILL_MEMORY(r->gen.last.group),
                        (rng_percent(rng, 80) ? EGRET_MEMORY_VALID : 0) | port);
    } else {
        explain(r, &why);
        egret_gen_write(&r->gen,
                        rotates ? EGRET_A_SCHEDULE(last_bank(r), why.row, why.slot)
                                : EGRET_A_BUCKET(why.bucket),
                        port);
    }
}

void egret_random_pointer(struct random_state *r)
{
    struct rng *rng = &r->rng;
    uint32_t n = r->cfg->num_keys < 4u ? r->cfg->num_keys : 4u;
    uint32_t addr = rng_percent(rng, 30)
                        ? EGRET_A_POINTER_RR(r->hot_group[rng_below(rng, RANDOM_GROUPS)])
                        : EGRET_A_POINTER_DR(rng_below(rng, n), rng_below(rng, r->cfg->num_bins));
    uint32_t epoch = rng_percent(rng, 30) ? 0xfffu : rng_below(rng, 4096);
    uint32_t wraps = rng_percent(rng, 30) ? 0xfffu - rng_below(rng, 2) : rng_below(rng, 16);
    uint32_t offset = rng_percent(rng, 30) ? rng_below(rng, 256) : r->cfg->row_len - 1u;
    egret_gen_write(&r->gen, addr, epoch << 20 | wraps << 8 | offset);
}

void egret_random_illegal_write(struct random_state *r)
{
    struct rng *rng = &r->rng;
    const struct egret_cfg *c = r->cfg;
    uint32_t data = rng_percent(rng, 50) ? rng_u32(rng) : rng_below(rng, c->num_ports);
    uint32_t key = rng_below(rng, c->num_keys);
    switch (rng_below(rng, 22)) {
    case 17:
        egret_gen_write(&r->gen, EGRET_A_FLOWLET(c->num_flowlets + rng_below(rng, 2), 0), data);
        return;
    case 18:
        egret_gen_write(&r->gen, EGRET_A_FLOWLET(rng_below(rng, c->num_flowlets + 1u), 1), data);
        return;
    case 19:
        egret_gen_write(&r->gen, EGRET_A_FLOWLET(last_entry(r), 0), (data & 0xffffff00u) |
                                                                        c->num_ports);
        return;
    case 20:
        egret_gen_write(&r->gen, EGRET_A_FLOWLET_COUNTER(rng_below(rng, c->num_groups), key % 8u),
                        data);
        return;
    case 0:
        egret_gen_write(&r->gen, EGRET_A_BUCKET(0), c->num_ports + rng_below(rng, 3));
        return;
    case 1:
        egret_gen_write(&r->gen, EGRET_A_SCHEDULE(0, 0, 0), 0x100u); /* its low byte is a port */
        return;
    case 2:
        egret_gen_write(&r->gen, EGRET_A_BUCKET(c->num_buckets + rng_below(rng, 2)), data);
        return;
    case 3:
        egret_gen_write(&r->gen, EGRET_A_SCHEDULE(0, 0, c->row_len), data);
        return;
    case 4:
        egret_gen_write(&r->gen, EGRET_A_SCHEDULE(1, c->num_rows, 0), data);
        return;
    case 5:
        egret_gen_write(&r->gen, EGRET_A_SCHEDULE(2, 0, 0), data);
        return;
    case 6:
        egret_gen_write(&r->gen, EGRET_A_POINTER_DR(key, c->num_bins), data);
        return;
    case 7:
        egret_gen_write(&r->gen, EGRET_A_POINTER_DR(c->num_keys, 0), data);
        return;
    case 8:
        egret_gen_write(&r->gen, EGRET_A_POINTER_RR(c->num_groups), data);
        return;
    case 9:
        egret_gen_write(&r->gen, EGRET_A_GROUP(c->num_groups, 0), data);
        return;
    case 10:
        egret_gen_write(&r->gen,
                        EGRET_A_GROUP(rng_below(rng, c->num_groups), 1u + rng_below(rng, 7)), data);
        return;
    case 11:
        egret_gen_write(&r->gen, EGRET_A_HASH_ALGORITHM, rng_below(rng, 20));
        return;
    case 12:
        egret_gen_write(&r->gen, rng_percent(rng, 50) ? EGRET_A_LIVE0 : EGRET_A_TYPE, data);
        return;
    case 13:
        egret_gen_write(&r->gen, EGRET_A_MATRIX(rng_below(rng, 84), rng_below(rng, 16)), data);
        return;
    case 14:
    case 15:
        egret_random_load_illegal(r);
        return;
    case 16:
        egret_gen_write(&r->gen, EGRET_A_QUEUE(0) + (rng_below(rng, 4) << 20), data);
        return;
    default:
        egret_gen_write(&r->gen, rng_u32(rng), data);
        return;
    }
}

uint32_t egret_random_address(struct random_state *r)
{
    struct rng *rng = &r->rng;
    uint32_t addr = 0;
    switch (rng_below(rng, 4)) {
    case 0:
        return rng_u32(rng);
    case 1:
        return rng_below(rng, 0x40);
    default:
        break;
    }
    uint32_t n = (uint32_t)egret_state_count(r->cfg);
    return egret_state_address(r->cfg, rng_below(rng, n), &addr) == EGRET_OK ? addr : 0;
}
