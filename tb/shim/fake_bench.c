/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_bench.c: the engine against a design made of the models themselves, in which faults can be
 * planted: what the engine must find does not depend on what RTL happens to get wrong.
 *
 * usage: fake_bench CONFIG STIMULUS FAULT [+PLUSARG...]     exit 0 if the engine saw no difference
 * FAULT is none or one of the table `faults` below.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "egret/timing.h"

#define RING 1024u
#define STRIKE 150u /* faults strike at the result or event of this number */

struct design {
    struct egret_cfg cfg;
    struct egret *model;
    struct egret_timing *timing;
    struct egret_decision due[RING];
    size_t head, count;
    uint64_t results; /* shown and taken */
    uint64_t events;  /* accepted */
    uint64_t waited;  /* clocks that the result at the head has been shown */
    const char *fault;
};

static const char *const faults[] = {
    "none",    "kind",      "tag",      "port",       "choice",    "scheme",   "reason",
    "data",    "unknown",   "late",     "early",      "unstable",  "lost",     "extra",
    "swapped", "no_credit", "req_open", "tick_quick", "port_shut", "init_low", "reset_keeps",
};

static bool fault_is(const struct design *d, const char *name)
{
    return strcmp(d->fault, name) == 0;
}

static void restart(struct design *d)
{
    (void)egret_reset(d->model);
    (void)egret_timing_reset(d->timing);
    if (!fault_is(d, "reset_keeps"))
        d->count = 0;
    d->head = 0;
    d->results = 0;
    d->events = 0;
    d->waited = 0;
}

/* tag: of the wire, which the bench makes of the event's or, for a read, of the address. */
static void accept(struct design *d, const struct egret_event *ev, uint32_t tag)
{
    struct egret_decision *slot = &d->due[(d->head + d->count) % RING];
    struct egret_decision out;
    d->events++;
    if (egret_apply(d->model, ev, &out) != EGRET_OK || out.kind == EGRET_RES_NONE)
        return;
    out.tag = tag;
    *slot = out;
    d->count++;
    if (fault_is(d, "swapped") && d->count > 1 && d->events > STRIKE) {
        struct egret_decision *before = &d->due[(d->head + d->count - 2) % RING];
        *slot = *before;
        *before = out;
    }
}

static void accept_all(struct design *d, const struct egret_bench_in *in,
                       const struct egret_timing_out *t)
{
    struct egret_event ev;
    if (t->port_transfer) {
        memset(&ev, 0, sizeof ev);
        ev.kind = EGRET_EV_PORT;
        ev.port = in->port_id;
        ev.up = in->port_up;
        accept(d, &ev, in->req_tag);
    }
    if (t->queue_transfer) {
        memset(&ev, 0, sizeof ev);
        ev.kind = EGRET_EV_QUEUE;
        ev.port = in->queue_id;
        ev.depth = in->queue_depth;
        accept(d, &ev, in->req_tag);
    }
    if (t->tick_transfer) {
        memset(&ev, 0, sizeof ev);
        ev.kind = EGRET_EV_TICK;
        ev.now = in->tick_now;
        accept(d, &ev, in->req_tag);
    }
    if (!t->req_transfer)
        return;
    memset(&ev, 0, sizeof ev);
    ev.kind = egret_bench_event_kind(in->req_kind);
    ev.now = in->req_now;
    if (ev.kind == EGRET_EV_PACKET) {
        ev.tag = in->req_tag;
        ev.group = in->req_group;
        ev.key = in->req_key;
        ev.bin = in->req_bin;
        ev.cls = in->req_class;
        ev.length = in->req_length;
        ev.entropy = in->req_entropy;
        for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++) {
            unsigned at = EGRET_RECORD_BYTES - 1 - i;
            ev.record[i] = (uint8_t)(in->req_record[at / 4] >> (8 * (at % 4)));
        }
    } else {
        ev.addr = in->req_addr;
        ev.data = in->req_data;
    }
    accept(d, &ev, in->req_tag);
}

/* The fault, in what is shown in this clock. */
static void plant(struct design *d, struct egret_bench_out *out)
{
    bool now = d->results == STRIKE && out->rsp_valid;
    bool later = d->events >= STRIKE;
    out->rsp_kind ^= now && fault_is(d, "kind") ? 3u : 0u;
    out->rsp_tag ^= now && fault_is(d, "tag") ? 0x80000000u : 0u;
    out->rsp_port ^= now && fault_is(d, "port") ? 1u : 0u;
    out->rsp_choice ^= now && fault_is(d, "choice") ? 1u : 0u;
    out->rsp_scheme ^= now && fault_is(d, "scheme") ? 8u : 0u;
    out->rsp_reason ^= now && fault_is(d, "reason") ? 1u : 0u;
    out->rsp_data ^= now && fault_is(d, "data") ? 1u : 0u;
    out->rsp_data ^= d->waited > 0 && fault_is(d, "unstable") ? 1u : 0u;
    out->unknown = now && fault_is(d, "unknown");
    out->rsp_valid &= !(now && fault_is(d, "late"));
    out->rsp_valid |= later && d->count > 0 && fault_is(d, "early");
    out->rsp_valid |= later && d->count == 0 && fault_is(d, "extra");
    out->req_ready |= out->init_done && fault_is(d, "req_open");
    out->req_ready &= !(later && fault_is(d, "no_credit"));
    out->tick_ready |= out->init_done && fault_is(d, "tick_quick");
    out->port_ready &= !(later && fault_is(d, "port_shut"));
    out->init_done &= !fault_is(d, "init_low");
}

static void show(struct design *d, const struct egret_bench_in *in, struct egret_bench_out *out)
{
    struct egret_timing_in offer = {in->port_valid, in->queue_valid, in->tick_valid,
                                    in->req_valid,
                                    in->req_valid ? egret_bench_event_kind(in->req_kind)
                                                  : (uint8_t)0,
                                    in->rsp_ready};
    struct egret_timing_out t;
    memset(out, 0, sizeof *out);
    if (in->rst) {
        restart(d);
        return;
    }
    if (egret_timing_step(d->timing, &offer, &t) != EGRET_OK)
        return;
    out->init_done = out->port_ready = t.port_ready;
    out->queue_ready = t.queue_ready;
    out->tick_ready = t.tick_ready;
    out->req_ready = t.req_ready;
    out->rsp_valid = t.rsp_valid || (d->count > 0 && d->events == 0 && fault_is(d, "reset_keeps"));
    const struct egret_decision *r = &d->due[d->head];
    out->rsp_kind = r->kind;
    out->rsp_port = r->port;
    out->rsp_choice = r->choice;
    out->rsp_scheme = r->scheme;
    out->rsp_reason = r->reason;
    out->rsp_tag = r->tag;
    out->rsp_data = r->data;
    plant(d, out);
    d->waited = t.rsp_valid && !in->rsp_ready ? d->waited + 1 : 0;
    if (t.rsp_transfer) {
        d->head = (d->head + 1) % RING;
        d->count--;
        d->results++;
        if (d->results == STRIKE && d->count > 0 && fault_is(d, "lost"))
            d->head = (d->head + 1) % RING;
    }
    accept_all(d, in, &t);
}

struct arguments {
    int argc;
    char **argv;
};

static const char *plusarg(void *ctx, const char *name)
{
    const struct arguments *a = ctx;
    size_t n = strlen(name);
    if (strcmp(name, "config") == 0)
        return a->argv[1];
    if (strcmp(name, "stimulus") == 0)
        return a->argv[2];
    for (int i = 4; i < a->argc; i++)
        if (a->argv[i][0] == '+' && strncmp(a->argv[i] + 1, name, n) == 0 &&
            a->argv[i][n + 1] == '=')
            return a->argv[i] + n + 2;
    return NULL;
}

int main(int argc, char **argv)
{
    struct arguments args = {argc, argv};
    struct design d;
    struct egret_bench *bench = NULL;
    struct egret_bench_in in;
    struct egret_bench_out out;
    bool known = false;
    memset(&d, 0, sizeof d);
    memset(&in, 0, sizeof in);
    for (size_t i = 0; argc > 3 && i < sizeof faults / sizeof faults[0]; i++)
        known |= strcmp(argv[3], faults[i]) == 0;
    if (!known || egret_cfg_named(argv[1], &d.cfg) != EGRET_OK ||
        egret_create(&d.cfg, &d.model) != EGRET_OK ||
        egret_timing_create(&d.cfg, &d.timing) != EGRET_OK) {
        fprintf(stderr, "usage: fake_bench CONFIG STIMULUS FAULT [+PLUSARG...]\n");
        return 2;
    }
    d.fault = argv[3];
    enum egret_bench_state state = egret_bench_open("fake", &d.cfg, plusarg, &args, &bench, &in);
    while (state == EGRET_BENCH_RUN) {
        show(&d, &in, &out);
        state = egret_bench_clock(bench, &out, &in);
    }
    egret_bench_close(bench);
    egret_timing_destroy(d.timing);
    egret_destroy(d.model);
    return state == EGRET_BENCH_PASS ? 0 : 1;
}
