/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control_buckets.c: bucket tables of `ecmp` from members and weights, and what moves when a member
 * fails or returns (docs/spec/ecmp.md).
 */
#include "egret/control.h"

#define MAX_WEIGHT (1u << 24)

static int check(const struct egret_cfg *cfg, const struct egret_buckets *b)
{
    uint64_t seen = 0;

    if (cfg == NULL || b == NULL || b->home == NULL || b->now == NULL)
        return EGRET_ERR_NULL;
    if (b->count == 0 || (b->count & (b->count - 1)) != 0 || b->count > cfg->num_buckets ||
        b->base > cfg->num_buckets - b->count)
        return EGRET_ERR_RANGE;
    if (b->num_members == 0 || b->num_members > EGRET_MAX_PORTS || b->num_members > b->count)
        return EGRET_ERR_RANGE;
    for (uint32_t i = 0; i < b->num_members; i++) {
        const struct egret_member *m = &b->member[i];
        if (m->port >= cfg->num_ports || m->weight == 0 || m->weight > MAX_WEIGHT ||
            (seen >> m->port & 1u))
            return EGRET_ERR_RANGE;
        seen |= (uint64_t)1 << m->port;
    }
    return EGRET_OK;
}

/* share[i] = buckets of member i, by largest remainder. */
static void shares(const struct egret_buckets *b, uint32_t share[EGRET_MAX_PORTS])
{
    uint64_t remainder[EGRET_MAX_PORTS];
    uint64_t sum = 0;
    uint32_t given = 0;

    for (uint32_t i = 0; i < b->num_members; i++)
        sum += b->member[i].weight;
    for (uint32_t i = 0; i < b->num_members; i++) {
        uint64_t part = (uint64_t)b->count * b->member[i].weight;
        share[i] = (uint32_t)(part / sum);
        remainder[i] = part % sum;
        given += share[i];
    }
    for (; given < b->count; given++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < b->num_members; i++)
            best = remainder[i] > remainder[best] ? i : best;
        share[best]++;
        remainder[best] = 0;
    }
}

static int emit_bucket(const struct egret_buckets *b, uint32_t i, egret_emit_fn emit, void *ctx)
{
    return emit(ctx, EGRET_A_BUCKET(b->base + i), b->member[b->now[i]].port);
}

int egret_ctl_buckets(const struct egret_cfg *cfg, struct egret_buckets *b, egret_emit_fn emit,
                      void *ctx)
{
    uint32_t share[EGRET_MAX_PORTS];
    uint32_t bucket = 0;
    int err = check(cfg, b);

    if (err != EGRET_OK)
        return err;
    if (emit == NULL)
        return EGRET_ERR_NULL;
    shares(b, share);
    b->live = ~(uint64_t)0 >> (EGRET_MAX_PORTS - b->num_members);
    for (uint32_t i = 0; i < b->num_members; i++) {
        for (uint32_t n = 0; n < share[i]; n++, bucket++) {
            b->home[bucket] = (uint8_t)i;
            b->now[bucket] = (uint8_t)i;
        }
    }
    for (uint32_t i = 0; i < b->count && err == EGRET_OK; i++)
        err = emit_bucket(b, i, emit, ctx);
    return err;
}

/* The live member with the fewest buckets for its weight once it had one more; the first on ties.
 * Compares (load + 1) / weight by cross multiplication. */
static uint32_t least_loaded(const struct egret_buckets *b, const uint32_t load[EGRET_MAX_PORTS])
{
    uint32_t best = EGRET_MAX_PORTS;
    for (uint32_t i = 0; i < b->num_members; i++) {
        if ((b->live >> i & 1u) == 0)
            continue;
        if (best == EGRET_MAX_PORTS ||
            ((uint64_t)load[i] + 1) * b->member[best].weight <
                ((uint64_t)load[best] + 1) * b->member[i].weight)
            best = i;
    }
    return best;
}

/* Makes `now` follow `live`, moving as little as possible. `back` is a member that has just come
 * back, or EGRET_MAX_PORTS. */
static int follow(struct egret_buckets *b, uint32_t back, egret_emit_fn emit, void *ctx)
{
    uint32_t load[EGRET_MAX_PORTS] = {0};
    int err = EGRET_OK;

    if (b->live == 0)
        return EGRET_OK;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t owner = b->home[i] == back ? back : b->now[i];
        load[owner]++;
    }
    for (uint32_t i = 0; i < b->count && err == EGRET_OK; i++) {
        uint32_t owner = b->home[i] == back ? back : b->now[i];
        if ((b->live >> owner & 1u) == 0) {
            owner = least_loaded(b, load);
            load[owner]++;
        }
        if (owner != b->now[i]) {
            b->now[i] = (uint8_t)owner;
            err = emit_bucket(b, i, emit, ctx);
        }
    }
    return err;
}

static int find(const struct egret_buckets *b, uint32_t port, uint32_t *member)
{
    for (uint32_t i = 0; i < b->num_members; i++) {
        if (b->member[i].port == port) {
            *member = i;
            return EGRET_OK;
        }
    }
    return EGRET_ERR_RANGE;
}

static int change(const struct egret_cfg *cfg, struct egret_buckets *b, uint32_t port, bool up,
                  egret_emit_fn emit, void *ctx)
{
    uint32_t member;
    int err = check(cfg, b);

    if (err == EGRET_OK)
        err = emit == NULL ? EGRET_ERR_NULL : find(b, port, &member);
    if (err != EGRET_OK)
        return err;
    if ((b->live >> member & 1u) == (up ? 1u : 0u))
        return EGRET_OK;
    b->live ^= (uint64_t)1 << member;
    return follow(b, up ? member : EGRET_MAX_PORTS, emit, ctx);
}

int egret_ctl_member_lost(const struct egret_cfg *cfg, struct egret_buckets *b, uint32_t port,
                          egret_emit_fn emit, void *ctx)
{
    return change(cfg, b, port, false, emit, ctx);
}

int egret_ctl_member_back(const struct egret_cfg *cfg, struct egret_buckets *b, uint32_t port,
                          egret_emit_fn emit, void *ctx)
{
    return change(cfg, b, port, true, emit, ctx);
}
