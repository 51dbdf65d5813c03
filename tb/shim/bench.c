/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.c: the life of a run: read the stimulus, reset, clock after clock, verdict.
 * Whatever happens, exactly one line RESULT is printed; a run that compared nothing fails.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_internal.h"
#include "egret/selector.h"

static enum egret_bench_state verdict(uint64_t pass, uint64_t fail)
{
    printf("RESULT pass=%" PRIu64 " fail=%" PRIu64 "\n", pass, fail);
    fflush(stdout);
    return fail == 0 && pass > 0 ? EGRET_BENCH_PASS : EGRET_BENCH_FAIL;
}

/* Clocks after the last result in which nothing more may come. */
static uint64_t quiet_clocks(const struct egret_bench *b)
{
    return 4u * egret_cfg_latency(&b->cfg) + 64u;
}

static bool append(struct egret_bench *b, size_t *capacity, const struct egret_event *ev)
{
    if (b->num_events == *capacity) {
        size_t larger = *capacity == 0 ? 4096 : 2 * *capacity;
        struct egret_event *moved = realloc(b->event, larger * sizeof *moved);
        if (moved == NULL)
            return false;
        b->event = moved;
        *capacity = larger;
    }
    b->event[b->num_events++] = *ev;
    return true;
}

/* Changes one field of a request to anything that the wires can carry. */
static void go_beyond(struct egret_event *ev, uint32_t *random)
{
    uint32_t r = egret_bench_random(random);
    switch (r >> 5 & 7u) {
    case 0:
        ev->group ^= (uint16_t)(1u << (r >> 8 & 15u));
        break;
    case 1:
        ev->key ^= (uint16_t)(1u << (r >> 8 & 15u));
        break;
    case 2:
        ev->bin ^= (uint8_t)(1u << (r >> 8 & 7u));
        break;
    case 3:
        ev->cls = r >> 8 & 15u;
        break;
    case 4:
        ev->length = (uint16_t)(r >> 8);
        break;
    case 5:
        ev->entropy = egret_bench_random(random);
        break;
    default:
        for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++)
            ev->record[i] = (uint8_t)(egret_bench_random(random) >> 8);
        break;
    }
}

static bool read_stimulus(struct egret_bench *b, size_t *capacity)
{
    uint32_t random = (uint32_t)b->opt.seed * 0x9e3779b9u | 1u;
    struct egret_trace_error error = {""};
    struct egret_stimulus *s = NULL;
    struct egret_event ev;
    int more = egret_stimulus_open(b->opt.stimulus, &s, &error);
    while (more >= 0) {
        memset(&ev, 0, sizeof ev);
        more = egret_stimulus_next(s, &ev, &error);
        if (more <= 0)
            break;
        if (b->opt.beyond != 0 && ev.kind == EGRET_EV_PACKET &&
            egret_bench_random(&random) % b->opt.beyond == 0)
            go_beyond(&ev, &random);
        if (!append(b, capacity, &ev)) {
            more = EGRET_ERR_MEMORY;
            (void)egret_trace_fail(&error, more, "out of memory");
        }
        b->num_packets += ev.kind == EGRET_EV_PACKET;
    }
    egret_stimulus_close(s);
    b->num_stimulus = b->num_events;
    if (more < 0)
        printf("bench: %s\n", error.text);
    else if (b->num_packets == 0)
        printf("bench: %s has no packet\n", b->opt.stimulus);
    return more >= 0 && b->num_packets > 0;
}

/* Reads of the state, evenly chosen among all addresses. */
static bool append_state_reads(struct egret_bench *b, size_t *capacity)
{
    size_t all = egret_state_count(&b->cfg);
    size_t wanted = b->opt.state_reads < all ? (size_t)b->opt.state_reads : all;
    struct egret_event ev;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_READ;
    for (size_t i = 0; i < wanted; i++) {
        uint32_t addr = 0;
        if (egret_state_address(&b->cfg, (size_t)((uint64_t)i * all / wanted), &addr) != EGRET_OK)
            return false;
        ev.addr = addr;
        if (!append(b, capacity, &ev))
            return false;
    }
    return true;
}

/* A configuration of configs.mk must be what was elaborated. */
static bool config_agrees(const struct egret_bench *b)
{
    const struct egret_cfg *c = &b->cfg;
    struct egret_cfg named;
    const char *param = NULL;
    if (egret_cfg_check(c, &param) != EGRET_OK) {
        printf("bench: the model refuses parameter %s\n", param != NULL ? param : "?");
        return false;
    }
    if (egret_cfg_named(b->opt.config, &named) != EGRET_OK)
        return true;
    bool same = named.num_ports == c->num_ports && named.num_groups == c->num_groups &&
                named.num_keys == c->num_keys && named.num_bins == c->num_bins &&
                named.num_rows == c->num_rows && named.row_len == c->row_len &&
                named.num_buckets == c->num_buckets && named.hash_kind == c->hash_kind &&
                named.rsp_depth == c->rsp_depth && named.schemes == c->schemes &&
                named.num_flowlets == c->num_flowlets && named.parity == c->parity;
    if (!same)
        printf("bench: the elaborated parameters are not those of %s\n", b->opt.config);
    return same;
}

/* Everything back to event 0 in clock 0. */
static bool restart(struct egret_bench *b)
{
    struct egret_trace_error error = {""};
    egret_outfile_abort(b->log);
    b->log = NULL;
    if (egret_reset(b->model) != EGRET_OK || egret_timing_reset(b->timing) != EGRET_OK)
        return false;
    if (b->opt.log != NULL) {
        if (egret_outfile_open(b->opt.log, &b->log, &error) != EGRET_OK) {
            printf("bench: %s\n", error.text);
            return false;
        }
        egret_csv_header(b->log);
    }
    egret_bench_drive_reset(b);
    egret_bench_figures_reset(&b->figures);
    b->head = 0;
    b->due = 0;
    b->clock = 0;
    b->idle = 0;
    b->quiet = 0;
    b->taken = 0;
    b->stalled = false;
    memset(b->history, 0, sizeof b->history);
    return true;
}

enum egret_bench_state egret_bench_open(const char *sim, const struct egret_cfg *cfg,
                                        egret_plusarg_fn plusarg, void *ctx,
                                        struct egret_bench **out, struct egret_bench_in *first)
{
    size_t capacity = 0;
    struct egret_bench *b = calloc(1, sizeof *b);
    *out = NULL;
    if (b == NULL)
        return verdict(0, 1);
    b->cfg = *cfg;
    if (!egret_bench_options(sim, plusarg, ctx, &b->opt) || !config_agrees(b) ||
        !read_stimulus(b, &capacity) || !append_state_reads(b, &capacity) ||
        egret_create(&b->cfg, &b->model) != EGRET_OK ||
        egret_timing_create(&b->cfg, &b->timing) != EGRET_OK || !restart(b)) {
        printf("bench: cannot start\n");
        egret_bench_close(b);
        return verdict(0, 1);
    }
    b->reset_left = (unsigned)b->opt.reset_clocks;
    egret_bench_drive(b);
    b->now.rst = true;
    *first = b->now;
    *out = b;
    return EGRET_BENCH_RUN;
}

void egret_bench_close(struct egret_bench *b)
{
    if (b == NULL)
        return;
    egret_outfile_abort(b->log);
    egret_timing_destroy(b->timing);
    egret_destroy(b->model);
    free(b->event);
    free(b);
}

/* All events accepted, all results taken, and nothing came for long enough. */
static enum egret_bench_state finish(struct egret_bench *b)
{
    struct egret_trace_error error = {""};
    bool good = egret_bench_figures_check(b);
    uint64_t results = 0;
    for (size_t i = 0; i < b->num_events; i++)
        results += b->event[i].kind == EGRET_EV_PACKET || b->event[i].kind == EGRET_EV_READ;
    if (b->taken != results || b->figures.packets != b->num_packets) {
        printf("bench: %" PRIu64 " results of %" PRIu64 "\n", b->taken, results);
        good = false;
    }
    if (b->resets_done != b->opt.resets) {
        printf("bench: the run ended before reset %u\n", b->resets_done + 1);
        good = false;
    }
    if (b->log != NULL) {
        int err = egret_outfile_commit(b->log, &error);
        b->log = NULL;
        if (err != EGRET_OK) {
            printf("bench: %s\n", error.text);
            good = false;
        }
    }
    return verdict(b->compared, good ? 0 : 1);
}

enum egret_bench_state egret_bench_clock(struct egret_bench *b, const struct egret_bench_out *seen,
                                         struct egret_bench_in *next)
{
    if (b->now.rst) {
        b->figures.clocks++;
        b->reset_left--;
        if (b->reset_left == 0) {
            if (!restart(b))
                return verdict(b->compared, 1);
            egret_bench_drive(b);
        }
        *next = b->now;
        return EGRET_BENCH_RUN;
    }

    if (!egret_bench_check(b, seen))
        return verdict(b->compared, 1);
    if (b->next == b->num_events && b->due == 0) {
        if (b->quiet++ == quiet_clocks(b))
            return finish(b);
    } else if (b->idle > b->opt.watchdog + egret_timing_sweep(&b->cfg)) {
        egret_bench_report(b, seen, &b->history[(b->clock - 1) % EGRET_BENCH_HISTORY].want, NULL,
                           "watchdog: nothing has moved for too long");
        return verdict(b->compared, 1);
    }

    egret_bench_drive(b);
    if (b->resets_done < b->opt.resets && b->clock == b->opt.reset_at[b->resets_done]) {
        /* What was offered stays offered under reset: none of it may be accepted. */
        b->reset_left = 1 + b->resets_done % 3;
        b->resets_done++;
        b->now.rst = true;
    }
    *next = b->now;
    return EGRET_BENCH_RUN;
}
