/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_faults.c: fault writes of random stimuli (docs/spec/faults.md), at entries that the
 * packets around them use, and what makes those entries good again.
 */
#include <string.h>

#include "random.h"

bool egret_random_has_faults(const struct random_state *r)
{
    return r->cfg->parity != 0;
}

static uint32_t value_at(struct random_state *r, uint32_t addr)
{
    struct egret_event read = {.kind = EGRET_EV_READ};
    struct egret_decision d;
    read.addr = addr;
    (void)egret_apply(r->gen.model, &read, &d);
    return d.data;
}

static bool is_counter(uint32_t addr)
{
    uint32_t region = addr >> 20;
    return region == 6u || region == 7u || region == 11u;
}

/* A word of an entry that the last packet used. */
static uint32_t used_address(struct random_state *r)
{
    struct rng *rng = &r->rng;
    const struct egret_event *p = &r->gen.last;
    uint32_t group = p->group & (r->cfg->num_groups - 1u);
    uint32_t n = rng_below(rng, EGRET_HASH_NIBBLES);
    uint32_t value = n % 2u ? p->record[n / 2u] & 15u : p->record[n / 2u] >> 4;
    struct egret_why why;
    memset(&why, 0, sizeof why);
    (void)egret_explain(r->gen.model, p, &why); /* of a packet, which there always is */
    switch (rng_below(rng, 16)) {
    case 0:
        return EGRET_A_GROUP(group, 0);
    case 1:
        return EGRET_A_MATRIX(n, value);
    case 2:
    case 3:
        return EGRET_A_PORT_COUNTER(why.decision.port, rng_below(rng, 4));
    case 4:
        return EGRET_A_GROUP_COUNTER(group, rng_below(rng, 2));
    case 5:
        return EGRET_A_FLOWLET_COUNTER(group, rng_below(rng, 5));
    default:
        break;
    }
    if (why.pointer != 0 && rng_percent(rng, 60)) {
        return why.pointer;
    }
    if (why.scheme == EGRET_SCHEME_SPRAY_RR || why.scheme == EGRET_SCHEME_DR) {
        uint32_t bank = value_at(r, EGRET_A_GROUP(group, 0)) >> 4 & 1u;
        uint32_t last = value_at(r, EGRET_A_GROUP(group, 0)) >> 16 & 0xffu;
        uint32_t slot = rng_percent(rng, 50) || why.slot == last ? why.slot : why.slot + 1u;
        return EGRET_A_SCHEDULE(bank, why.row, slot);
    }
    return EGRET_A_BUCKET(why.bucket);
}

/* What the entry holds with a bit flipped, or as it is: then its parity bit is. */
static uint32_t flipped(struct random_state *r, uint32_t addr)
{
    struct rng *rng = &r->rng;
    uint32_t value = value_at(r, addr);
    uint32_t bits = addr >> 20 == 2u || addr >> 20 == 3u ? 6u : 32u;
    return rng_percent(rng, 30) ? value : value ^ 1u << rng_below(rng, bits);
}

/* Stage and commit, so that the group is what it was. */
static void rewrite_group(struct random_state *r, uint32_t word)
{
    uint32_t words = r->cfg->schemes >> EGRET_SCHEME_SPRAY_QUALITY != 0 ? 6u : 4u;
    for (uint32_t w = 1; w <= words; w++) {
        egret_gen_write(&r->gen, EGRET_A_GROUP_STAGE1 + w - 1u, value_at(r, word + w));
    }
    egret_gen_write(&r->gen, word, value_at(r, word));
}

void egret_random_heal(struct random_state *r)
{
    while (r->num_faults != 0) {
        uint32_t addr = r->fault[--r->num_faults];
        if (is_counter(addr)) {
            continue; /* packets do it */
        }
        if (addr >> 20 == 1u && addr % 8u == 0) {
            rewrite_group(r, addr);
        } else {
            egret_gen_write(&r->gen, addr, value_at(r, addr));
        }
    }
}

void egret_random_fault(struct random_state *r)
{
    struct rng *rng = &r->rng;
    uint32_t addr = used_address(r);
    uint32_t kind = rng_below(rng, 8);
    if (rng_percent(rng, 6)) { /* anywhere, often without effect */
        addr = egret_random_address(r) & 0xffffffu;
        kind = 7;
    }
    if (kind == 0) {
        egret_gen_read(&r->gen, addr);
    }
    /* else what the stage holds is committed */
    if (addr >> 20 == 1u && addr % 8u == 0 && rng_percent(rng, 70)) {
        rewrite_group(r, addr);
    }
    egret_gen_fault(&r->gen, addr, flipped(r, addr));
    if (kind == 1) { /* once more: a counter is good again then */
        egret_gen_fault(&r->gen, addr, flipped(r, addr));
    } else if (kind == 2) {
        egret_gen_read(&r->gen, addr);
    } else if (kind == 3) {
        egret_gen_write(&r->gen, addr, value_at(r, addr));
    } else if (kind == 4) {
        egret_gen_read(&r->gen, EGRET_A_FAULTS + rng_below(rng, 2));
    }
    if (r->num_faults == RANDOM_FAULTS) {
        egret_random_heal(r);
    }
    if (addr >> 20 != 0) {
        r->fault[r->num_faults++] = addr;
    }
}
