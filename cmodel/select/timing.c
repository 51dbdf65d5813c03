/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timing.c: the clock-exact timing of egret_core (docs/spec/timing.md). Mirrors the handshakes of
 * rtl/egret_core.v and the credits of rtl/egret_rsp_fifo.v.
 */
#include <stdlib.h>

#include "egret/timing.h"

/* A result that waits or is under way: first clock in which it may be valid. */
struct result {
    uint64_t due;
    uint8_t kind;
};

struct egret_timing {
    uint64_t clock;
    uint64_t sweep;
    uint64_t tick_free; /* first clock in which a tick may transfer again */
    uint64_t req_free;  /* likewise a request, after a read or a fault write */
    uint32_t credits;
    uint32_t head; /* of the ring of results */
    uint32_t count;
    uint32_t depth;
    uint32_t latency;
    uint32_t tick_gap;
    struct result ring[]; /* depth; credits keep it from overflowing */
};

int egret_timing_create(const struct egret_cfg *cfg, struct egret_timing **out)
{
    int err = egret_cfg_check(cfg, NULL);
    if (err != EGRET_OK)
        return err;
    if (out == NULL)
        return EGRET_ERR_NULL;
    struct egret_timing *t = calloc(1, sizeof *t + cfg->rsp_depth * sizeof t->ring[0]);
    if (t == NULL)
        return EGRET_ERR_MEMORY;
    t->sweep = egret_timing_sweep(cfg);
    t->depth = cfg->rsp_depth;
    t->latency = egret_cfg_latency(cfg);
    t->tick_gap = egret_timing_tick_gap(cfg);
    (void)egret_timing_reset(t);
    *out = t;
    return EGRET_OK;
}

void egret_timing_destroy(struct egret_timing *t)
{
    free(t);
}

int egret_timing_reset(struct egret_timing *t)
{
    if (t == NULL)
        return EGRET_ERR_NULL;
    t->clock = 0;
    t->tick_free = t->sweep;
    t->req_free = t->sweep;
    t->credits = t->depth;
    t->head = 0;
    t->count = 0;
    return EGRET_OK;
}

static void accept_request(struct egret_timing *t, unsigned kind)
{
    if (kind == EGRET_EV_FAULT)
        t->req_free = t->clock + EGRET_READ_GAP + 1;
    if (kind == EGRET_EV_WRITE || kind == EGRET_EV_FAULT)
        return;
    struct result *r = &t->ring[(t->head + t->count) & (t->depth - 1)];
    r->due = t->clock + t->latency;
    r->kind = EGRET_RES_PACKET;
    if (kind == EGRET_EV_READ) {
        r->due += EGRET_READ_LATENCY;
        r->kind = EGRET_RES_READ;
        t->req_free = t->clock + EGRET_READ_GAP + 1;
    }
    t->count++;
    t->credits--;
}

int egret_timing_step(struct egret_timing *t, const struct egret_timing_in *in,
                      struct egret_timing_out *out)
{
    if (t == NULL || in == NULL || out == NULL)
        return EGRET_ERR_NULL;
    if (in->req_valid && in->req_kind > EGRET_EV_READ && in->req_kind != EGRET_EV_FAULT)
        return EGRET_ERR_EVENT;

    struct egret_timing_out o = {0};
    bool up = t->clock >= t->sweep;
    o.clock = t->clock;
    o.port_ready = up;
    o.queue_ready = up;
    o.tick_ready = t->clock >= t->tick_free;
    o.req_ready = t->clock >= t->req_free && t->credits > 0 && !(in->tick_valid && !o.tick_ready);
    o.rsp_valid = t->count > 0 && t->ring[t->head].due <= t->clock;
    o.rsp_kind = o.rsp_valid ? t->ring[t->head].kind : (uint8_t)EGRET_RES_NONE;
    o.port_transfer = in->port_valid && o.port_ready;
    o.queue_transfer = in->queue_valid && o.queue_ready;
    o.tick_transfer = in->tick_valid && o.tick_ready;
    o.req_transfer = in->req_valid && o.req_ready;
    o.rsp_transfer = o.rsp_valid && in->rsp_ready;

    if (o.tick_transfer)
        t->tick_free = t->clock + t->tick_gap;
    if (o.req_transfer)
        accept_request(t, in->req_kind);
    if (o.rsp_transfer) {
        t->head = (t->head + 1) & (t->depth - 1);
        t->count--;
        t->credits++; /* counts from the next clock on */
    }
    t->clock++;
    *out = o;
    return EGRET_OK;
}

int egret_ideal_init(struct egret_ideal *d, const struct egret_cfg *cfg)
{
    int err = egret_cfg_check(cfg, NULL);
    if (err != EGRET_OK)
        return err;
    if (d == NULL)
        return EGRET_ERR_NULL;
    d->clock = egret_timing_sweep(cfg);
    d->tick_free = 0;
    d->req_free = 0;
    d->rank = 0;
    d->latency = egret_cfg_latency(cfg);
    d->tick_gap = egret_timing_tick_gap(cfg);
    return EGRET_OK;
}

/* Credits never run out here: a sink that is always ready holds at most `latency` of them, and
 * RSP_DEPTH is more; a read holds its credit longer but blocks as many clocks. Results never wait
 * for earlier ones for the same reason. */
int egret_ideal_next(struct egret_ideal *d, unsigned kind, uint64_t *transfer, uint64_t *result)
{
    if (d == NULL)
        return EGRET_ERR_NULL;
    if (kind > EGRET_EV_FAULT)
        return EGRET_ERR_EVENT;

    uint32_t rank = kind == EGRET_EV_PORT    ? 1
                    : kind == EGRET_EV_QUEUE ? 2
                    : kind == EGRET_EV_TICK  ? 3
                                             : 4;
    uint64_t clock = d->rank < rank ? d->clock : d->clock + 1;
    uint64_t due = EGRET_NO_CLOCK;

    if (rank == 3) {
        clock = clock < d->tick_free ? d->tick_free : clock;
        d->tick_free = clock + d->tick_gap;
    } else if (rank == 4) {
        clock = clock < d->req_free ? d->req_free : clock;
        if (kind == EGRET_EV_PACKET)
            due = clock + d->latency;
        if (kind == EGRET_EV_READ)
            due = clock + d->latency + EGRET_READ_LATENCY;
        if (kind == EGRET_EV_READ || kind == EGRET_EV_FAULT)
            d->req_free = clock + EGRET_READ_GAP + 1;
    }
    d->clock = clock;
    d->rank = rank;
    if (transfer != NULL)
        *transfer = clock;
    if (result != NULL)
        *result = due;
    return EGRET_OK;
}
