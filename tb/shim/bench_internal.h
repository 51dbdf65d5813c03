/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_internal.h: the state of the bench engine, shared by its files: bench.c (life of a run),
 * bench_options.c, bench_drive.c (what to offer), bench_check.c (what to expect), bench_figures.c,
 * bench_report.c (a difference in words).
 */
#ifndef EGRET_BENCH_INTERNAL_H
#define EGRET_BENCH_INTERNAL_H

#include "bench.h"
#include "egret/timing.h"
#include "egret/trace.h"

#define EGRET_BENCH_RESETS 16
#define EGRET_BENCH_HISTORY 16
#define EGRET_BENCH_MAX_DEPTH 1024u /* of RSP_DEPTH */

struct egret_bench_options {
    const char *sim;
    const char *config;
    const char *config_file; /* the file behind it, or null if it is one of configs.mk */
    const char *stimulus;
    const char *log; /* or null */
    const char *stall;
    uint64_t seed;
    uint64_t state_reads;
    uint64_t watchdog;
    uint64_t min_packets;
    uint64_t beyond;
    uint64_t reset_clocks;
    uint64_t reset_at[EGRET_BENCH_RESETS];
    unsigned resets;
    bool stall_in, stall_out;
    bool need_throughput, need_ticks;
};

/* A result that is due: of which event, what the model says, when the request was accepted. */
struct egret_bench_expected {
    size_t event;
    uint64_t accepted;
    struct egret_decision decision;
};

/* A run of neighbouring packets of the stimulus: how many, in which clocks. */
struct egret_bench_run {
    size_t last_event;
    uint64_t packets;
    uint64_t first, last;
};

struct egret_bench_figures {
    struct egret_bench_run accepting, longest_accepting;
    struct egret_bench_run leaving, longest_leaving;
    uint64_t packets, reads;
    uint64_t by_scheme[EGRET_NUM_SCHEMES + 1]; /* of packets, those that left by a port */
    uint64_t min_latency, max_latency; /* of packets */
    uint64_t last_tick, min_tick_gap;
    uint64_t in_flight, in_flight_clocks;
    uint64_t clocks; /* all, resets too */
};

struct egret_bench_moment {
    uint64_t clock;
    struct egret_bench_in in;
    struct egret_bench_out out;
    struct egret_timing_out want;
};

struct egret_bench {
    struct egret_bench_options opt;
    struct egret_cfg cfg;
    struct egret_event *event;
    size_t num_stimulus; /* events of the stimulus */
    size_t num_events;   /* with the reads of the state behind them */
    uint64_t num_packets;
    struct egret *model;
    struct egret_timing *timing;
    struct egret_outfile *log;

    /* driver: events next .. next + offered - 1 are offered in this clock */
    struct egret_bench_in now;
    size_t next;
    unsigned offered;
    uint32_t random_in, random_out, random_junk;
    uint32_t pause_in, pause_out; /* clocks left of a long stall */
    unsigned reset_left;          /* clocks of reset still to come */
    unsigned resets_done;

    /* checker */
    struct egret_bench_expected expected[EGRET_BENCH_MAX_DEPTH];
    uint32_t head, due;
    uint64_t clock;
    uint64_t idle;      /* clocks since the last transfer */
    uint64_t quiet;     /* clocks since everything was done */
    uint64_t compared;  /* results compared and taken, over all resets */
    uint64_t taken;     /* results taken since reset */
    bool stalled;       /* a result was shown and not taken in the clock before */
    struct egret_bench_figures figures;
    struct egret_bench_moment history[EGRET_BENCH_HISTORY];
};

/* bench_options.c: false after printing what is wrong. */
bool egret_bench_options(const char *sim, egret_plusarg_fn plusarg, void *ctx,
                         struct egret_bench_options *o);

/* bench_drive.c */
uint32_t egret_bench_random(uint32_t *state); /* xorshift32 */
void egret_bench_drive_reset(struct egret_bench *b);
/* Sets b->now for the next clock, b->offered included; events that wait stay offered. */
void egret_bench_drive(struct egret_bench *b);
/* The tag of the wire for one of the model, and back: every bit of it moves. */
uint32_t egret_bench_tag(uint32_t tag);
/* 1 port, 2 queue, 3 tick, 4 req */
unsigned egret_bench_rank(const struct egret_event *ev);

/* bench_check.c: one clock outside reset; false at a difference, which has been reported. */
bool egret_bench_check(struct egret_bench *b, const struct egret_bench_out *seen);

/* bench_figures.c */
void egret_bench_figures_reset(struct egret_bench_figures *f);
void egret_bench_saw_request(struct egret_bench *b, size_t event);
void egret_bench_saw_tick(struct egret_bench *b);
void egret_bench_saw_result(struct egret_bench *b, const struct egret_bench_expected *x);
void egret_bench_saw_clock(struct egret_bench *b);
/* Prints the figures; false if one that must be reached is missed. */
bool egret_bench_figures_check(const struct egret_bench *b);

/* bench_report.c: prints `text` and all that helps to understand it. x: the result concerned, or
 * null for a difference of handshakes. */
void egret_bench_report(struct egret_bench *b, const struct egret_bench_out *seen,
                        const struct egret_timing_out *want, const struct egret_bench_expected *x,
                        const char *text);

#endif
