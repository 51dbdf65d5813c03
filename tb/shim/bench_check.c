/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_check.c: one clock of the comparison. The timing model says which ready and valid must be
 * seen in this clock; the C model says, in the order of acceptance, what each result must be. A
 * result is compared in every clock in which it is shown, so that one that changes under a stall
 * is found.
 */
#include <stdio.h>
#include <string.h>

#include "bench_internal.h"

static bool differ(struct egret_bench *b, const struct egret_bench_out *seen,
                   const struct egret_timing_out *want, const struct egret_bench_expected *x,
                   const char *text)
{
    egret_bench_report(b, seen, want, x, text);
    return false;
}

/* Null if the handshakes are as they must be, else what differs. */
static const char *handshakes(const struct egret_bench_out *seen,
                              const struct egret_timing_out *want)
{
    if (seen->init_done != want->port_ready)
        return "init_done_o differs from the timing model";
    if (seen->port_ready != want->port_ready)
        return "port_ready_o differs from the timing model";
    if (seen->queue_ready != want->queue_ready)
        return "queue_ready_o differs from the timing model";
    if (seen->tick_ready != want->tick_ready)
        return "tick_ready_o differs from the timing model";
    if (seen->req_ready != want->req_ready)
        return "req_ready_o differs from the timing model";
    return NULL;
}

static const char *fields(const struct egret_bench_out *seen, const struct egret_decision *d)
{
    if (seen->rsp_kind != d->kind)
        return "rsp_kind_o differs from the model";
    if (egret_bench_tag(seen->rsp_tag) != d->tag)
        return "rsp_tag_o differs from the model";
    if (seen->rsp_port != d->port)
        return "rsp_port_o differs from the model";
    if (seen->rsp_choice != d->choice)
        return "rsp_choice_o differs from the model";
    if (seen->rsp_scheme != d->scheme)
        return "rsp_scheme_o differs from the model";
    if (seen->rsp_reason != d->reason)
        return "rsp_reason_o differs from the model";
    if (seen->rsp_data != d->data)
        return "rsp_data_o differs from the model";
    return NULL;
}

/* The accepted event, in order, into the model; its result, if any, becomes due. */
static const char *apply(struct egret_bench *b)
{
    const struct egret_event *ev = &b->event[b->next];
    struct egret_decision d;
    memset(&d, 0, sizeof d);
    if (egret_apply(b->model, ev, &d) != EGRET_OK)
        return "the model refuses the event";
    if (ev->kind == EGRET_EV_TICK)
        egret_bench_saw_tick(b);
    else if (egret_bench_rank(ev) == 4)
        egret_bench_saw_request(b, b->next);
    if ((d.kind != EGRET_RES_NONE) != (ev->kind == EGRET_EV_PACKET || ev->kind == EGRET_EV_READ))
        return "the model gives a result where none is due, or none where one is";
    if (d.kind != EGRET_RES_NONE) {
        if (b->due == EGRET_BENCH_MAX_DEPTH)
            return "more results due than RSP_DEPTH may be";
        struct egret_bench_expected *x =
            &b->expected[(b->head + b->due) % EGRET_BENCH_MAX_DEPTH];
        x->event = b->next;
        x->accepted = b->clock;
        x->decision = d;
        b->due++;
    }
    b->next++;
    b->offered--;
    return NULL;
}

static void take(struct egret_bench *b)
{
    const struct egret_bench_expected *x = &b->expected[b->head];
    egret_bench_saw_result(b, x);
    if (b->log != NULL && x->event < b->num_stimulus)
        egret_csv_row(b->log, x->event, b->clock, &b->event[x->event], &x->decision);
    b->head = (b->head + 1) % EGRET_BENCH_MAX_DEPTH;
    b->due--;
    b->compared++;
    b->taken++;
}

static void remember(struct egret_bench *b, const struct egret_bench_out *seen,
                     const struct egret_timing_out *want)
{
    struct egret_bench_moment *m = &b->history[b->clock % EGRET_BENCH_HISTORY];
    m->clock = b->clock;
    m->in = b->now;
    m->out = *seen;
    m->want = *want;
}

bool egret_bench_check(struct egret_bench *b, const struct egret_bench_out *seen)
{
    const struct egret_bench_in *now = &b->now;
    struct egret_timing_in offer = {
        .port_valid = now->port_valid,
        .queue_valid = now->queue_valid,
        .tick_valid = now->tick_valid,
        .req_valid = now->req_valid,
        .req_kind = now->req_valid ? egret_bench_event_kind(now->req_kind)
                                   : (uint8_t)EGRET_EV_PACKET,
        .rsp_ready = now->rsp_ready,
    };
    struct egret_timing_out want;
    memset(&want, 0, sizeof want);
    if (egret_timing_step(b->timing, &offer, &want) != EGRET_OK)
        return differ(b, seen, &want, NULL, "the timing model refuses the clock");
    if (want.clock != b->clock)
        return differ(b, seen, &want, NULL, "the timing model counts other clocks");
    remember(b, seen, &want);
    egret_bench_saw_clock(b);

    if (seen->unknown)
        return differ(b, seen, &want, NULL, "an output is unknown (X)");
    const char *text = handshakes(seen, &want);
    if (text != NULL)
        return differ(b, seen, &want, NULL, text);
    const struct egret_bench_expected *x = b->due > 0 ? &b->expected[b->head] : NULL;
    if (seen->rsp_valid && x == NULL)
        return differ(b, seen, &want, NULL, "a result that no request asked for");
    if (seen->rsp_valid != want.rsp_valid)
        return differ(b, seen, &want, x, "rsp_valid_o differs from the timing model");
    if (seen->rsp_valid) {
        text = fields(seen, &x->decision);
        if (text != NULL) {
            if (b->stalled)
                printf("bench: the result changed while it waited\n");
            return differ(b, seen, &want, x, text);
        }
    }
    b->stalled = seen->rsp_valid && !now->rsp_ready;

    bool moved = want.rsp_transfer;
    if (want.rsp_transfer)
        take(b);
    unsigned accepted = (unsigned)want.port_transfer + (unsigned)want.queue_transfer +
                        (unsigned)want.tick_transfer + (unsigned)want.req_transfer;
    moved |= accepted > 0;
    while (accepted-- > 0) {
        text = apply(b);
        if (text != NULL)
            return differ(b, seen, &want, NULL, text);
    }
    b->idle = moved ? 0 : b->idle + 1;
    b->clock++;
    return true;
}
