/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_report.c: a difference in words: both decisions, why the model decided so, the state it
 * decided from, what the wires did in the last clocks, and the command that shows it again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_internal.h"
#include "egret/regs.h"

static const char *or_dash(const char *text)
{
    return text != NULL ? text : "-";
}

static const char *kind_name(unsigned kind)
{
    static const char *const name[] = {"packet", "write", "read", "port", "queue", "tick", "fault"};
    return kind < sizeof name / sizeof name[0] ? name[kind] : "?";
}

static void print_event(const struct egret_event *ev)
{
    printf("  event     %s now=%" PRIu64, kind_name(ev->kind), ev->now);
    if (ev->kind == EGRET_EV_PACKET) {
        printf(" tag=%" PRIu32 " group=%u key=%u bin=%u class=%u length=%u entropy=%" PRIu32
               "\n            record=",
               ev->tag, ev->group, ev->key, ev->bin, ev->cls, ev->length, ev->entropy);
        for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++)
            printf("%02x", ev->record[i]);
        printf("\n");
    } else {
        printf(" address/port=0x%06" PRIx32 " data/up/depth=0x%08" PRIx32 "\n", ev->addr, ev->data);
    }
}

static void print_result(const char *who, unsigned kind, uint32_t tag, unsigned port,
                         unsigned choice, unsigned scheme, unsigned reason, uint32_t data)
{
    printf("  %-9s kind=%u tag=%" PRIu32 " port=%u choice=%u scheme=%u(%s) reason=%u(%s) "
           "data=%08" PRIx32 "\n",
           who, kind, tag, port, choice, scheme, or_dash(egret_scheme_name(scheme)), reason,
           or_dash(egret_reason_name(reason)), data);
}

static void print_why(const struct egret_why *w)
{
    printf("  why       scheme=%" PRIu32 " hash=%08" PRIx32 " bucket=%" PRIu32
           " pointer=0x%06" PRIx32 " entry=%08" PRIx32 "->%08" PRIx32 " row=%" PRIu32
           " slot=%" PRIu32 "\n",
           w->scheme, w->hash, w->bucket, w->pointer, w->old_entry, w->new_entry, w->row, w->slot);
    printf("            choice=%" PRIu32 " r=%04" PRIx32 " live=%" PRIu32 " k=%" PRIu32
           " members=%016" PRIx64 " live members=%016" PRIx64 "\n",
           w->choice, w->repair_random, w->live_count, w->repair_rank, w->members,
           w->live_members);
    printf("            bad entries met, by table=%03" PRIx32 "\n", w->faults);
}

/* Prints the words first .. first + n - 1 of the model's state. */
static void print_words(struct egret *e, const char *name, uint32_t first, uint32_t n)
{
    printf("  state     %s", name);
    for (uint32_t i = 0; i < n; i++) {
        struct egret_event ev;
        struct egret_decision d;
        memset(&ev, 0, sizeof ev);
        ev.kind = EGRET_EV_READ;
        ev.addr = first + i;
        if (egret_apply(e, &ev, &d) == EGRET_OK)
            printf(" %08" PRIx32, d.data);
    }
    printf("\n");
}

static void print_state(struct egret *e, const struct egret_event *ev, const struct egret_why *w)
{
    print_words(e, "hash algorithm, fields, seed, rotation, draw seed:", EGRET_A_HASH_ALGORITHM, 5);
    print_words(e, "live, ticks, last tick:", EGRET_A_LIVE0, 5);
    print_words(e, "writes ignored, events ignored, drops scheme, drops index:",
                EGRET_A_WRITES_IGNORED, 4);
    print_words(e, "faults, tables of faults:", EGRET_A_FAULTS, 2);
    print_words(e, "stage:", EGRET_A_GROUP_STAGE1, 4);
    if (ev->kind == EGRET_EV_READ) {
        print_words(e, "word before the read:", ev->addr, 1);
        return;
    }
    print_words(e, "group:", EGRET_A_GROUP(ev->group, 0), 5);
    print_words(e, "group drops, repairs:", EGRET_A_GROUP_COUNTER(ev->group, 0), 2);
    if (w->scheme == EGRET_SCHEME_ECMP)
        print_words(e, "bucket:", EGRET_A_BUCKET(w->bucket), 1);
    if (w->scheme == EGRET_SCHEME_SPRAY_RR || w->scheme == EGRET_SCHEME_DR) {
        print_words(e, "schedule slot of bank 0:", EGRET_A_SCHEDULE(0, w->row, w->slot), 1);
        print_words(e, "schedule slot of bank 1:", EGRET_A_SCHEDULE(1, w->row, w->slot), 1);
    }
}

/* The model as it was before the event. Null without memory. */
static struct egret *model_before(const struct egret_bench *b, size_t event)
{
    struct egret *e = NULL;
    struct egret_decision d;
    if (egret_create(&b->cfg, &e) != EGRET_OK)
        return NULL;
    for (size_t i = 0; i < event; i++)
        (void)egret_apply(e, &b->event[i], &d);
    return e;
}

static void print_explanation(struct egret_bench *b, size_t event)
{
    const struct egret_event *ev = &b->event[event];
    struct egret *before = model_before(b, event);
    struct egret_why why;
    memset(&why, 0, sizeof why);
    if (before == NULL)
        return;
    if (ev->kind == EGRET_EV_PACKET && egret_explain(before, ev, &why) == EGRET_OK)
        print_why(&why);
    print_state(before, ev, &why);
    egret_destroy(before);
}

static void print_history(const struct egret_bench *b, uint64_t last)
{
    printf("  clocks    (v valid, r ready, - neither, T both; ! not as the timing model)\n");
    printf("            %8s port queue tick req rsp\n", "clock");
    for (uint64_t back = EGRET_BENCH_HISTORY; back-- > 0;) {
        if (back > last)
            continue;
        const struct egret_bench_moment *m = &b->history[(last - back) % EGRET_BENCH_HISTORY];
        const bool valid[5] = {m->in.port_valid, m->in.queue_valid, m->in.tick_valid,
                               m->in.req_valid, m->out.rsp_valid};
        const bool ready[5] = {m->out.port_ready, m->out.queue_ready, m->out.tick_ready,
                               m->out.req_ready, m->in.rsp_ready};
        const bool want[5] = {m->want.port_ready, m->want.queue_ready, m->want.tick_ready,
                              m->want.req_ready, m->want.rsp_valid};
        printf("            %8" PRIu64, m->clock);
        for (unsigned i = 0; i < 5; i++) {
            bool seen = i == 4 ? valid[i] : ready[i];
            printf(" %*c%c", i == 1 || i == 2 ? 4 : 3,
                   valid[i] && ready[i] ? 'T' : valid[i] ? 'v' : ready[i] ? 'r' : '-',
                   seen != want[i] ? '!' : ' ');
        }
        if (m->out.rsp_valid)
            printf("  tag=%" PRIu32 " port=%u data=%08" PRIx32, egret_bench_tag(m->out.rsp_tag),
                   m->out.rsp_port, m->out.rsp_data);
        printf("\n");
    }
}

static void print_replay(const struct egret_bench *b)
{
    const struct egret_bench_options *o = &b->opt;
    printf("  replay    scripts/run_sim %s %s %s +seed=%" PRIu64 " +stall=%s +state_reads=%" PRIu64,
           o->sim, o->config_file != NULL ? o->config_file : o->config, o->stimulus, o->seed,
           o->stall, o->state_reads);
    if (o->beyond != 0)
        printf(" +beyond=%" PRIu64, o->beyond);
    for (unsigned i = 0; i < o->resets; i++)
        printf("%s%" PRIu64, i == 0 ? " +reset_at=" : ",", o->reset_at[i]);
    printf("\n");
}

void egret_bench_report(struct egret_bench *b, const struct egret_bench_out *seen,
                        const struct egret_timing_out *want, const struct egret_bench_expected *x,
                        const char *text)
{
    size_t event = x != NULL ? x->event : b->next;
    printf("DIFFERENCE at event %zu, clock %" PRIu64 ", after %u resets: %s\n", event, b->clock,
           b->resets_done, text);
    if (event >= b->num_stimulus && event < b->num_events)
        printf("  (event %zu is read %zu of the state behind the stimulus)\n", event,
               event - b->num_stimulus);
    if (event < b->num_events)
        print_event(&b->event[event]);
    if (seen->rsp_valid)
        print_result("DUT", seen->rsp_kind, egret_bench_tag(seen->rsp_tag), seen->rsp_port,
                     seen->rsp_choice, seen->rsp_scheme, seen->rsp_reason, seen->rsp_data);
    if (x != NULL) {
        const struct egret_decision *d = &x->decision;
        print_result("model", d->kind, d->tag, d->port, d->choice, d->scheme, d->reason, d->data);
        printf("  accepted  in clock %" PRIu64 ", result due now: %s\n", x->accepted,
               want->rsp_valid ? "yes" : "no");
        print_explanation(b, event);
    }
    print_history(b, b->clock);
    print_replay(b);
}
