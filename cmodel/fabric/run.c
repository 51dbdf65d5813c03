/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c: windows, one after the other, by one thread or many.
 *
 * One barrier a window. Whoever comes last to it looks at all workers, chooses the next window and
 * lets the others go, so that all that is not a worker's own changes there alone. As long as
 * windows hold too little for a barrier to pay, it does the work of all workers itself and lets the
 * others sleep; which thread does a worker's work changes nothing.
 */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "plan.h"
#include "queue.h"
#include "text.h"

#define SPINS 2000u /* before a thread sleeps; none if there are more threads than processors */
/* Packets a window and thread, mean of the last windows, from which on threads share the work. On a
 * busy machine a barrier takes as long as some thousand packets. Half as many end it. */
#define SHARE_PACKETS 1024u
#define LAST_WINDOWS 4u
/* Packets sent, data and ACKs, since one of either arrived that was new. If none does for as long
 * again as the longest way takes, nothing will arrive any more, and a sender that never gives up
 * would send for ever. */
#define SENT_IN_VAIN 1000000u
#define MAX_PS ((uint64_t)1 << 62) /* 53 days: times beyond could overflow */

struct run {
    struct egret_fabric *fabric;
    egret_fabric_progress_fn progress;
    void *ctx;
    uint64_t all; /* operations */
    double told;  /* when progress was told last */
    double critical;
    uint64_t arrived_then; /* data and answers at the last look, and what had been sent by then */
    uint64_t sent_then;
    uint64_t patience_ps; /* a packet that is on its way has reached something by then */
    uint64_t vain_since;  /* a million in vain; FAB_NEVER */
    uint64_t taken_then;  /* packets at the last look */
    uint64_t recent;      /* LAST_WINDOWS times their mean a window */
    uint64_t share;       /* from there on threads share the work */
    unsigned spins;
    bool alone; /* one thread does the work of all */
    bool over;
    int code;
    const char *reason;
    char vain[384];
    /* the barrier */
    atomic_uint arrived;
    atomic_uint turn;
    pthread_mutex_t lock;
    pthread_cond_t go;
};
struct thread {
    pthread_t id;
    struct run *run;
    struct fab_worker *worker;
};

static double seconds(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0) {
        return 0;
    }
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void egret_fab_selector_failed(struct fab_worker *w, struct fab_node *n, int code, size_t done)
{
    const char *kind = egret_fab_kind_name(&w->fabric->spec.topology, n->kind);
    const char *text = n->ops->describe ? n->ops->describe(n->self) : NULL;
    if (w->code == EGRET_OK) {
        w->code = code;
        (void)snprintf(w->text, sizeof w->text, "%s %u, decision %llu, selector %s: %s%s%s", kind,
                       n->index, (unsigned long long)(n->decisions + done), n->ops->name,
                       egret_strerror(code), text ? ": " : "", text ? text : "");
    }
}

/* Is there anything for this node in the window? */
static bool has_packets(const struct egret_fabric *f, uint32_t node)
{
    for (uint64_t left = f->posted; left; left &= left - 1u) {
        if (fab_bucket(&f->worker[__builtin_ctzll(left)], f->window, node)->head) {
            return true;
        }
    }
    return false;
}

static void work(struct fab_worker *w, bool timed)
{
    struct egret_fabric *f = w->fabric;
    uint64_t end = f->window_start + f->window_ps;
    double start = timed ? seconds(CLOCK_MONOTONIC) : 0;
    w->idle = true;
    egret_fab_queue_window(w);
    for (uint32_t i = 0; i < w->owns && w->code == EGRET_OK; i++) {
        uint32_t number = w->own[i];
        struct fab_node *n = &f->node[number];
        if (i + 1u < w->owns) {
            fab_fetch(fab_bucket(w, f->window, w->own[i + 1u])->head);
        }
        if (n->kind == FAB_HOSTS) {
            if (n->wake < end || has_packets(f, number)) {
                w->idle = false;
                egret_fab_hosts(w, n);
            }
        } else if (has_packets(f, number)) {
            w->idle = false;
            egret_fab_switch(w, n);
        }
    }
    w->seconds = timed ? seconds(CLOCK_MONOTONIC) - start : 0;
}

static void stop(struct run *r, int code, const char *reason)
{
    r->over = true;
    r->code = code;
    r->reason = reason;
}

/* From everywhere to everywhere and back, twice, each packet behind another one's gap. */
static uint64_t patience(const struct egret_fabric *f)
{
    uint64_t gaps = 0;
    for (uint32_t i = 0; i < f->spec.topology.tiers; i++) {
        gaps += 4u * ((uint64_t)f->spec.gap_bytes * 8000000u / f->spec.topology.rate_mbps[i]);
    }
    return 2u * (egret_fab_base_rtt(f) + gaps) + f->window_ps;
}

/* Will, or did just now, switches learn of a link that is down already? */
static bool learns(const struct egret_fabric *f, uint64_t now, uint64_t patience_ps)
{
    for (uint32_t i = 0; i < f->links; i++) {
        const struct fab_link *l = &f->link[i];
        if (l->down_at <= now && l->told_at != FAB_NEVER && l->told_at + patience_ps > now) {
            return true;
        }
    }
    return false;
}

/* Is all that is sent lost? */
static bool in_vain(struct run *r)
{
    const struct egret_fabric *f = r->fabric;
    uint64_t arrived = 0, sent = 0, now = f->window_start;
    for (uint32_t i = 0; i < f->workers; i++) {
        const struct egret_fabric_totals *t = &f->worker[i].totals;
        arrived += t->data_received + f->worker[i].answered;
        sent += t->data_sent + t->acks_sent;
    }
    if (arrived != r->arrived_then) {
        r->arrived_then = arrived;
        r->sent_then = sent;
        r->vain_since = FAB_NEVER;
    }
    if (sent - r->sent_then <= SENT_IN_VAIN) {
        return false;
    }
    if (r->vain_since == FAB_NEVER) {
        r->vain_since = now;
    }
    if (now - r->vain_since <= r->patience_ps) {
        return false;
    }
    r->vain_since = FAB_NEVER;
    r->sent_then = sent;
    return !learns(f, now, r->patience_ps);
}

/* Is there too little in a window for more than one thread? */
static bool too_little(struct run *r)
{
    const struct egret_fabric *f = r->fabric;
    uint64_t taken = 0;
    for (uint32_t i = 0; i < f->workers; i++) {
        taken += f->worker[i].taken;
    }
    r->recent += taken - r->taken_then - r->recent / LAST_WINDOWS;
    r->taken_then = taken;
    return f->workers == 1u || r->recent < (r->alone ? r->share : r->share / 2u);
}

/* Between two windows, alone: is it over, and if not, which window is next? */
static void between(struct run *r)
{
    struct egret_fabric *f = r->fabric;
    uint64_t pending = 0, unfinished = 0;
    double slowest = 0;
    bool idle = true;
    for (uint32_t i = 0; i < f->workers; i++) {
        const struct fab_worker *w = &f->worker[i];
        pending += w->pending;
        unfinished += w->unfinished;
        idle = idle && w->idle;
        slowest = w->seconds > slowest ? w->seconds : slowest;
        if (w->code != EGRET_OK && !r->over) {
            stop(r, w->code, w->text[0] ? w->text : egret_strerror(w->code));
        }
    }
    f->results.windows += !idle;
    r->critical += slowest;
    if (r->over) {
        return;
    }
    if (unfinished == 0) {
        stop(r, EGRET_OK, "");
        return;
    }
    if (!idle && in_vain(r)) {
        egret_fab_vain_text(f, f->window_start, r->vain, sizeof r->vain);
        stop(r, EGRET_ERR_RANGE, r->vain);
        return;
    }
    if (pending == 0 && egret_fab_first_wake(f) == FAB_NEVER) {
        stop(r, EGRET_ERR_RANGE, "operations are left that nothing will ever start or end");
        return;
    }
    uint64_t next = egret_fab_next_window(f);
    if (next > MAX_PS / f->window_ps) {
        stop(r, EGRET_ERR_RANGE, "not over after 2^62 ps");
        return;
    }
    egret_fab_begin_window(f, next);
    r->alone = too_little(r);
    if (f->spec.limit_ps != 0 && f->window_start > f->spec.limit_ps) {
        stop(r, EGRET_ERR_RANGE, "not over at the time limit");
        return;
    }
    if (r->progress && !idle && (f->results.windows & 63u) == 0) {
        double now = seconds(CLOCK_MONOTONIC);
        if (now - r->told > 0.1) {
            r->told = now;
            r->progress(r->ctx, r->all - unfinished, r->all, f->window_start);
        }
    }
}

/* Windows, all of it by this thread, until it is over or others are to help. */
static void run_alone(struct run *r)
{
    struct egret_fabric *f = r->fabric;
    double start = seconds(CLOCK_MONOTONIC);
    while (r->alone && !r->over) {
        for (uint32_t i = 0; i < f->workers; i++) {
            work(&f->worker[i], false);
        }
        between(r);
    }
    r->critical += seconds(CLOCK_MONOTONIC) - start;
}

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void barrier(struct run *r)
{
    unsigned turn = atomic_load_explicit(&r->turn, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&r->arrived, 1, memory_order_acq_rel) + 1u ==
        r->fabric->workers) {
        between(r);
        if (r->alone) {
            run_alone(r);
        }
        atomic_store_explicit(&r->arrived, 0, memory_order_relaxed);
        (void)pthread_mutex_lock(&r->lock);
        atomic_store_explicit(&r->turn, turn + 1u, memory_order_release);
        (void)pthread_cond_broadcast(&r->go);
        (void)pthread_mutex_unlock(&r->lock);
        return;
    }
    for (unsigned i = 0; i < r->spins; i++) {
        if (atomic_load_explicit(&r->turn, memory_order_acquire) != turn) {
            return;
        }
        pause_briefly();
    }
    (void)pthread_mutex_lock(&r->lock);
    while (atomic_load_explicit(&r->turn, memory_order_acquire) == turn) {
        (void)pthread_cond_wait(&r->go, &r->lock);
    }
    (void)pthread_mutex_unlock(&r->lock);
}

static void *thread(void *arg)
{
    struct thread *t = arg;
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    while (!t->run->over) {
        work(t->worker, true);
        barrier(t->run);
    }
    t->worker->cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    return NULL;
}

/* All threads, until it is over. A worker whose thread cannot be had leaves the others at the
 * barrier: let them end there. */
static void run_together(struct run *r, struct thread *threads)
{
    struct egret_fabric *f = r->fabric;
    uint32_t started = 1;
    for (; started < f->workers; started++) {
        if (pthread_create(&threads[started].id, NULL, thread, &threads[started]) != 0) {
            break;
        }
    }
    if (started < f->workers) {
        f->worker[0].code = EGRET_ERR_MEMORY;
        for (uint32_t i = started; i < f->workers; i++) {
            atomic_fetch_add(&r->arrived, 1);
        }
        (void)snprintf(f->worker[0].text, sizeof f->worker[0].text,
                       "thread %u of %u: not to be had", started + 1u, f->workers);
    }
    (void)thread(&threads[0]);
    for (uint32_t i = 1; i < started; i++) {
        (void)pthread_join(threads[i].id, NULL);
    }
}

static unsigned spins(uint32_t workers)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors >= (long)workers ? SPINS : 0;
}

int egret_fab_run(struct egret_fabric *f, egret_fabric_progress_fn progress, void *ctx,
                  struct egret_trace_error *err)
{
    struct run r = {.fabric = f,
                    .progress = progress,
                    .ctx = ctx,
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .go = PTHREAD_COND_INITIALIZER};
    struct thread *threads = calloc(f->workers, sizeof *threads);
    if (!threads) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < f->workers; i++) {
        r.all += f->worker[i].unfinished;
    }
    double start = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    r.told = start;
    r.patience_ps = patience(f);
    r.vain_since = FAB_NEVER;
    r.over = r.all == 0;
    for (uint32_t i = 0; i < f->workers; i++) {
        threads[i].run = &r;
        threads[i].worker = &f->worker[i];
    }
    uint32_t share = f->spec.share_packets ? f->spec.share_packets : SHARE_PACKETS;
    r.share = (uint64_t)share * LAST_WINDOWS * f->workers;
    r.spins = spins(f->workers);
    egret_fab_begin_window(f, f->window);
    r.alone = true;
    run_alone(&r);
    if (!r.over) {
        run_together(&r, threads);
    }
    f->worker[0].cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    free(threads);
    f->results.seconds = seconds(CLOCK_MONOTONIC) - start;
    f->results.cpu = 0;
    for (uint32_t i = 0; i < f->workers; i++) {
        f->results.cpu += f->worker[i].cpu;
    }
    f->results.critical_path = f->workers > 1u ? r.critical : f->results.cpu;
    f->results.window_ps = f->window_ps;
    if (r.code != EGRET_OK) {
        return egret_trace_fail(err, r.code, "fabric: %s", r.reason);
    }
    return EGRET_OK;
}
