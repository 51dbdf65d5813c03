/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.h: the engine of the cycle-level benches (tb/tb_core.v in Icarus and Verilator, tb/sc).
 *
 * The bench owns clock and wires; the engine decides all else. Once a clock, just before the rising
 * edge, the bench hands over what egret_core shows and gets what to drive from the next inactive
 * edge on. The engine offers a stimulus by the driver rule (docs/spec/timing.md), steps the C model
 * once per accepted event and the timing model once per clock, and compares every ready, every
 * valid and every field of every result. It stops at the first difference, which it numbers by
 * event, explains, and gives a command for.
 *
 * Options are plusargs, the same in every bench:
 *   +stimulus=FILE  +config=NAME  +config_file=FILE (where NAME is from, if not configs.mk)
 *   +seed=N  +stall=none|in|out|both  +log=FILE (CSV of decisions)
 *   +beyond=N            one packet in N has one field changed to what no frame may give: a bit of
 *                        group, key or bin, any class, length, entropy or record (0: none)
 *   +reset_clocks=N      length of the first reset (1)
 *   +reset_at=N[,N...]   reset in clock N after the last reset, then start anew from event 0
 *   +state_reads=N       after the stimulus read N addresses of the state, evenly chosen (200)
 *   +watchdog=N          clocks without a transfer that are too many (100000)
 *   +assert=LIST         throughput, ticks: figures that the run must reach (bench_figures.c)
 *   +min_packets=N       packets without a pause that `throughput` is measured over (1000)
 */
#ifndef EGRET_BENCH_H
#define EGRET_BENCH_H

#include "egret/egret.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_RECORD_WORDS 11 /* 328 bits, word 0 holds bits 31..0 */

/* What the bench drives; names as the ports of egret_core. Payload is junk while not valid. */
struct egret_bench_in {
    bool rst;
    bool port_valid, queue_valid, tick_valid, req_valid;
    bool rsp_ready;
    bool port_up;
    uint8_t port_id, queue_id;
    uint8_t req_kind; /* 0 packet, 1 write, 2 read, 3 fault write */
    uint8_t req_bin, req_class;
    uint16_t req_group, req_key, req_length;
    uint32_t queue_depth;
    uint32_t req_tag, req_entropy, req_addr, req_data;
    uint64_t tick_now, req_now;
    uint32_t req_record[EGRET_RECORD_WORDS];
};

/* Fault writes have another number on the wires than as events; all other requests the same. */
#define EGRET_BENCH_REQ_FAULT 3u
static inline uint8_t egret_bench_req_kind(uint8_t event_kind)
{
    return event_kind == EGRET_EV_FAULT ? (uint8_t)EGRET_BENCH_REQ_FAULT : event_kind;
}
static inline uint8_t egret_bench_event_kind(uint8_t req_kind)
{
    return req_kind == EGRET_BENCH_REQ_FAULT ? (uint8_t)EGRET_EV_FAULT : req_kind;
}

/* What egret_core shows. */
struct egret_bench_out {
    bool unknown; /* X or Z on a ready or valid, or on a result field while rsp_valid */
    bool init_done;
    bool port_ready, queue_ready, tick_ready, req_ready;
    bool rsp_valid;
    uint8_t rsp_kind, rsp_port, rsp_choice, rsp_scheme, rsp_reason;
    uint32_t rsp_tag, rsp_data;
};

/* Verdict of a clock; values are those that tb_core.v tests. */
enum egret_bench_state { EGRET_BENCH_RUN = 0, EGRET_BENCH_PASS = 1, EGRET_BENCH_FAIL = 2 };

/* Text behind "+name=" on the command line, or null. The text must stay. */
typedef const char *(*egret_plusarg_fn)(void *ctx, const char *name);

struct egret_bench; /* opaque */

/* Opens a run of configuration cfg (from the parameters that were elaborated) in simulator `sim`
 * ("icarus", "verilator", ...). *first is what to drive in the first clock. On FAIL the reason and
 * the RESULT line have been printed, and *out is null. */
enum egret_bench_state egret_bench_open(const char *sim, const struct egret_cfg *cfg,
                                        egret_plusarg_fn plusarg, void *ctx,
                                        struct egret_bench **out, struct egret_bench_in *first);
/* One clock: `seen` just before the rising edge. *next (untouched unless RUN) is what to drive
 * after it. When the state leaves RUN the RESULT line has been printed and the log closed. */
enum egret_bench_state egret_bench_clock(struct egret_bench *b, const struct egret_bench_out *seen,
                                         struct egret_bench_in *next);
void egret_bench_close(struct egret_bench *b);

/* ---- packed form, for benches whose wires are one vector each way (tb/tb_core.v) ---- */

#define EGRET_BENCH_IN_WORDS 24
#define EGRET_BENCH_OUT_WORDS 3
void egret_bench_pack(const struct egret_bench_in *in, uint32_t word[EGRET_BENCH_IN_WORDS]);
void egret_bench_unpack(const uint32_t word[EGRET_BENCH_OUT_WORDS], struct egret_bench_out *out);

#ifdef __cplusplus
}
#endif
#endif
