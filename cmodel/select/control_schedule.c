/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control_schedule.c: schedule rows of the rotation schemes: random orders and interleaved weighted
 * round robin (docs/spec/dr.md).
 */
#include <string.h>

#include "egret/control.h"

#define MAX_WEIGHT (1u << 24)

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int egret_iwrr(const struct egret_member *member, uint32_t num_members, uint8_t *slot,
               size_t capacity, size_t *len)
{
    uint32_t divisor = 0;
    uint64_t sum = 0;
    uint64_t seen = 0;
    size_t used = 0;

    if (member == NULL || slot == NULL || len == NULL)
        return EGRET_ERR_NULL;
    if (num_members == 0 || num_members > EGRET_MAX_PORTS)
        return EGRET_ERR_RANGE;
    for (uint32_t i = 0; i < num_members; i++) {
        if (member[i].port >= EGRET_MAX_PORTS || member[i].weight == 0 ||
            member[i].weight > MAX_WEIGHT || (seen >> member[i].port & 1u))
            return EGRET_ERR_RANGE;
        seen |= (uint64_t)1 << member[i].port;
        divisor = gcd(member[i].weight, divisor);
        sum += member[i].weight;
    }
    if (sum / divisor > capacity)
        return EGRET_ERR_RANGE;
    for (uint32_t round = 1; used < sum / divisor; round++) {
        for (uint32_t i = 0; i < num_members; i++) {
            if (member[i].weight / divisor >= round)
                slot[used++] = (uint8_t)member[i].port;
        }
    }
    *len = used;
    return EGRET_OK;
}

/* splitmix64: a counter and a finalizer; good enough to order ports, and the same everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void egret_shuffle(struct egret_member *member, uint32_t num_members, uint32_t seed, uint32_t row)
{
    uint64_t state = (uint64_t)seed << 32 | row;
    for (uint32_t i = num_members; i > 1; i--) {
        uint32_t j = (uint32_t)((next_random(&state) >> 32) * i >> 32);
        struct egret_member t = member[j];
        member[j] = member[i - 1];
        member[i - 1] = t;
    }
}

int egret_ctl_row(const struct egret_cfg *cfg, uint32_t bank, uint32_t row, const uint8_t *slot,
                  size_t len, egret_emit_fn emit, void *ctx)
{
    int err = EGRET_OK;

    if (cfg == NULL || slot == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (bank > 1 || row >= cfg->num_rows || len == 0 || len > cfg->row_len)
        return EGRET_ERR_RANGE;
    for (size_t i = 0; i < len; i++) {
        if (slot[i] >= cfg->num_ports)
            return EGRET_ERR_RANGE;
    }
    for (size_t i = 0; i < len && err == EGRET_OK; i++)
        err = emit(ctx, EGRET_A_SCHEDULE(bank, row, i), slot[i]);
    return err;
}

int egret_ctl_schedule(const struct egret_cfg *cfg, uint32_t bank, uint32_t row_base,
                       uint32_t num_rows, const struct egret_member *member, uint32_t num_members,
                       uint32_t seed, egret_emit_fn emit, void *ctx, uint32_t *last)
{
    struct egret_member order[EGRET_MAX_PORTS];
    uint8_t slot[256]; /* the largest ROW_LEN */
    size_t len = 0;
    int err = EGRET_OK;

    if (cfg == NULL || member == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (bank > 1 || num_rows == 0 || num_rows > cfg->num_rows ||
        row_base > cfg->num_rows - num_rows || num_members == 0 || num_members > EGRET_MAX_PORTS)
        return EGRET_ERR_RANGE;
    for (uint32_t row = row_base; row < row_base + num_rows && err == EGRET_OK; row++) {
        memcpy(order, member, num_members * sizeof *member);
        egret_shuffle(order, num_members, seed, row);
        err = egret_iwrr(order, num_members, slot, cfg->row_len, &len);
        if (err == EGRET_OK)
            err = egret_ctl_row(cfg, bank, row, slot, len, emit, ctx);
    }
    if (err == EGRET_OK && last != NULL)
        *last = (uint32_t)len - 1;
    return err;
}
