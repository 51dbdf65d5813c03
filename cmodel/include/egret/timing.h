/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timing.h: the clock-exact timing of egret_core (docs/spec/timing.md).
 *
 * Clock 0 is the first rising edge that samples rst_i low. From what is offered in each clock the
 * model gives what is transferred; events have no effect on it but by their kind. Mirrors the
 * handshakes of rtl/egret_core.v and rtl/egret_rsp_fifo.v.
 */
#ifndef EGRET_TIMING_H
#define EGRET_TIMING_H

#include "egret/egret.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_LATENCY_BASE 10u    /* clocks, transfer of a packet to its result, fixed and matrix */
#define EGRET_LATENCY_DEEP 4u     /* more clocks with scheme spray-quality or flowlet */
#define EGRET_LATENCY_LOOKUP3 26u /* more clocks with HASH_KIND lookup3 */
#define EGRET_READ_LATENCY 5u     /* more clocks for a read's result */
#define EGRET_READ_GAP 5u         /* clocks without req_ready after a read or a fault write */
#define EGRET_TICK_WALK 4u        /* ticks are at least NUM_PORTS + this many clocks apart */
#define EGRET_TICK_WALK_LOAD 32u  /* the same with scheme spray-quality */

/* Clocks from the transfer of a tick to the earliest of the next. */
uint32_t egret_timing_tick_gap(const struct egret_cfg *cfg);
/* Clocks of the sweep that clears the tables: nothing is ready in an earlier clock. */
uint32_t egret_timing_sweep(const struct egret_cfg *cfg);

/* ---- step form: one call a clock ---- */

struct egret_timing; /* opaque */

struct egret_timing_in {
    bool port_valid;
    bool queue_valid;
    bool tick_valid;
    bool req_valid;
    uint8_t req_kind; /* EGRET_EV_PACKET, _WRITE, _READ or _FAULT; only with req_valid */
    bool rsp_ready;
};
struct egret_timing_out {
    uint64_t clock; /* the clock that this step was, from 0 */
    bool port_ready;
    bool queue_ready;
    bool tick_ready;
    bool req_ready;
    bool rsp_valid;
    uint8_t rsp_kind;    /* enum egret_result_kind of the result at the head, NONE if not valid */
    bool port_transfer;  /* valid and ready, likewise below */
    bool queue_transfer;
    bool tick_transfer;
    bool req_transfer;
    bool rsp_transfer;
};

/* Creates one whose next step is clock 0. EGRET_ERR_NULL, EGRET_ERR_CONFIG, EGRET_ERR_MEMORY. */
int egret_timing_create(const struct egret_cfg *cfg, struct egret_timing **out);
/* Frees it; null is allowed. */
void egret_timing_destroy(struct egret_timing *t);
/* The next step is clock 0 again, with nothing in flight or waiting. EGRET_ERR_NULL. */
int egret_timing_reset(struct egret_timing *t);
/* One clock. EGRET_ERR_NULL; EGRET_ERR_EVENT for a req_kind that is no request; then nothing
 * changes. */
int egret_timing_step(struct egret_timing *t, const struct egret_timing_in *in,
                      struct egret_timing_out *out);

/* ---- ideal driver: a source that never pauses and a sink that is always ready ---- */

/* Plain state, no memory behind it; set by egret_ideal_init() only. */
struct egret_ideal {
    uint64_t clock;     /* earliest clock for the next event */
    uint64_t tick_free; /* earliest clock for the next tick */
    uint64_t req_free;  /* earliest clock for the next request */
    uint32_t rank;      /* channel of the last event: 1 port, 2 queue, 3 tick, 4 req; 0 none */
    uint32_t latency;
    uint32_t tick_gap;
};
#define EGRET_NO_CLOCK UINT64_MAX

/* Begins a run: clock egret_timing_sweep() is the first in which an event can go.
 * EGRET_ERR_CONFIG. */
int egret_ideal_init(struct egret_ideal *d, const struct egret_cfg *cfg);
/* Takes the events of a stream one by one in order, by kind (enum egret_event_kind). *transfer is
 * the clock in which the event is accepted by the driver rule: in each clock the first event not
 * yet accepted is offered, and those behind it as long as their channels rise in the order port,
 * queue, tick, req. *result is the clock in which its result leaves, EGRET_NO_CLOCK if it has none.
 * Either may be null. Equal to the step form with rsp_ready always 1. EGRET_ERR_EVENT for an
 * unknown kind; then nothing changes. */
int egret_ideal_next(struct egret_ideal *d, unsigned kind, uint64_t *transfer, uint64_t *result);

#ifdef __cplusplus
}
#endif
#endif
