/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_figures.c: what a run measured, and the figures that it must reach.
 *   latency     without stalls each packet's result leaves egret_cfg_latency() clocks after it
 *   throughput  (+assert=throughput, without stalls) the longest run of neighbouring packets of
 *               the stimulus, at least +min_packets, is accepted and leaves at one a clock
 *   ticks       (+assert=ticks, without stalls) the closest ticks are NUM_PORTS + 4 clocks apart,
 *               NUM_PORTS + 32 with load
 * The figures are counted here from transfers alone and owe nothing to the timing model.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_internal.h"

void egret_bench_figures_reset(struct egret_bench_figures *f)
{
    uint64_t clocks = f->clocks;
    memset(f, 0, sizeof *f);
    f->clocks = clocks;
    f->min_latency = UINT64_MAX;
    f->min_tick_gap = UINT64_MAX;
    f->last_tick = UINT64_MAX;
}

static void extend(struct egret_bench_run *run, struct egret_bench_run *longest, size_t event,
                   uint64_t clock)
{
    if (run->packets == 0 || run->last_event + 1 != event) {
        run->packets = 0;
        run->first = clock;
    }
    run->packets++;
    run->last_event = event;
    run->last = clock;
    if (run->packets > longest->packets)
        *longest = *run;
}

void egret_bench_saw_request(struct egret_bench *b, size_t event)
{
    struct egret_bench_figures *f = &b->figures;
    if (b->event[event].kind == EGRET_EV_PACKET)
        extend(&f->accepting, &f->longest_accepting, event, b->clock);
}

void egret_bench_saw_tick(struct egret_bench *b)
{
    struct egret_bench_figures *f = &b->figures;
    if (f->last_tick != UINT64_MAX && b->clock - f->last_tick < f->min_tick_gap)
        f->min_tick_gap = b->clock - f->last_tick;
    f->last_tick = b->clock;
}

void egret_bench_saw_result(struct egret_bench *b, const struct egret_bench_expected *x)
{
    struct egret_bench_figures *f = &b->figures;
    uint64_t latency = b->clock - x->accepted;
    if (x->decision.kind != EGRET_RES_PACKET) {
        f->reads++;
        return;
    }
    f->packets++;
    if (x->decision.reason == EGRET_REASON_CHOSEN || x->decision.reason == EGRET_REASON_REPAIRED)
        f->by_scheme[x->decision.scheme]++;
    f->min_latency = latency < f->min_latency ? latency : f->min_latency;
    f->max_latency = latency > f->max_latency ? latency : f->max_latency;
    extend(&f->leaving, &f->longest_leaving, x->event, b->clock);
}

void egret_bench_saw_clock(struct egret_bench *b)
{
    struct egret_bench_figures *f = &b->figures;
    f->clocks++;
    if (b->due > 0) {
        f->in_flight += b->due;
        f->in_flight_clocks++;
    }
}

static double rate(const struct egret_bench_run *run)
{
    return run->packets == 0 ? 0.0 : (double)run->packets / (double)(run->last - run->first + 1);
}

static bool full_rate(const struct egret_bench_run *run, uint64_t min_packets)
{
    return run->packets >= min_packets && run->last - run->first + 1 == run->packets;
}

static void print_schemes(const struct egret_bench_figures *f)
{
    const char *before = " by_scheme=";
    for (unsigned i = EGRET_SCHEME_ECMP; i <= EGRET_NUM_SCHEMES; i++) {
        if (f->by_scheme[i] != 0) {
            printf("%s%s:%" PRIu64, before, egret_scheme_name(i), f->by_scheme[i]);
            before = ",";
        }
    }
    printf("\n");
}

bool egret_bench_figures_check(const struct egret_bench *b)
{
    const struct egret_bench_figures *f = &b->figures;
    const struct egret_bench_options *o = &b->opt;
    bool stalls = o->stall_in || o->stall_out;
    uint64_t latency = egret_cfg_latency(&b->cfg);
    bool load = b->cfg.schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u;
    uint64_t gap = b->cfg.num_ports + (load ? 32u : 4u);
    bool good = true;

    printf("FIGURES sim=%s config=%s stall=%s seed=%" PRIu64 " packets=%" PRIu64 " reads=%" PRIu64
           " clocks=%" PRIu64,
           o->sim, o->config, o->stall, o->seed, f->packets, f->reads, f->clocks);
    printf(" run=%" PRIu64 " decisions_per_clock=%.3f latency=%" PRIu64 "..%" PRIu64,
           f->longest_leaving.packets, rate(&f->longest_leaving),
           f->packets > 0 ? f->min_latency : 0, f->max_latency);
    if (f->min_tick_gap != UINT64_MAX)
        printf(" tick_gap=%" PRIu64, f->min_tick_gap);
    printf(" in_flight=%.2f",
           f->in_flight_clocks > 0 ? (double)f->in_flight / (double)f->in_flight_clocks : 0.0);
    print_schemes(f);

    if (!stalls && f->packets > 0 && (f->min_latency != latency || f->max_latency != latency)) {
        printf("bench: latency is %" PRIu64 " clocks by egret_cfg_latency()\n", latency);
        good = false;
    }
    if (f->packets > 0 && f->min_latency < latency) {
        printf("bench: a result came after less than %" PRIu64 " clocks\n", latency);
        good = false;
    }
    if (o->need_throughput && (stalls || !full_rate(&f->longest_accepting, o->min_packets) ||
                               !full_rate(&f->longest_leaving, o->min_packets))) {
        printf("bench: no %" PRIu64 " packets in a row at one a clock: accepted %.6f, left %.6f\n",
               o->min_packets, rate(&f->longest_accepting), rate(&f->longest_leaving));
        good = false;
    }
    if (o->need_ticks && (stalls || f->min_tick_gap != gap)) {
        printf("bench: closest ticks must be %" PRIu64 " clocks apart without stalls\n", gap);
        good = false;
    }
    return good;
}
