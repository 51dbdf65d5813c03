/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_report.c: a difference for the reader: event, both decisions, the model's reasons, both
 * states, a third opinion on the hash, whether it persists one event at a time, how to replay it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "egret/regs.h"

static void print_event(const struct check *c)
{
    const struct egret_event *ev = &c->bad_event;
    printf("event %" PRIu64 " now %" PRIu64 ": ", c->ordinal, ev->now);
    if (ev->kind == EGRET_EV_READ) {
        printf("read addr %06" PRIx32 "\n", ev->addr);
        return;
    }
    printf("packet tag %" PRIu32 " group %u key %u bin %u class %u length %u entropy %" PRIu32
           "\n  record ",
           ev->tag, ev->group, ev->key, ev->bin, ev->cls, ev->length, ev->entropy);
    for (size_t i = 0; i < EGRET_RECORD_BYTES; i++) {
        printf("%02x", ev->record[i]);
    }
    (void)putchar('\n');
}

static void print_decision(const char *who, const struct egret_decision *d)
{
    const char *scheme = egret_scheme_name(d->scheme);
    const char *reason = egret_reason_name(d->reason);
    printf("  %-9s kind %u tag %" PRIu32 " port %u choice %u scheme %u (%s) reason %u (%s) data "
           "%08" PRIx32 "\n",
           who, d->kind, d->tag, d->port, d->choice, d->scheme, scheme ? scheme : "?", d->reason,
           reason ? reason : "?", d->data);
}

static void print_why(const struct egret_why *w)
{
    const char *scheme = egret_scheme_name(w->scheme);
    printf("model's reasons: scheme %s, hash %08" PRIx32 ", members %016" PRIx64
           ", live %016" PRIx64 "\n",
           scheme ? scheme : "?", w->hash, w->members, w->live_members);
    if (w->scheme == EGRET_SCHEME_ECMP) {
        printf("  bucket %" PRIu32, w->bucket);
    } else if (w->scheme == EGRET_SCHEME_FLOWLET) {
        printf("  flowlet %" PRIu32 " %s, entry %08" PRIx32 " %06" PRIx32 " -> %08" PRIx32
               " %06" PRIx32 ", tag %03" PRIx32 ", time %06" PRIx32 ", age %" PRIu32
               ", bucket %" PRIu32 ", number %08" PRIx32 " of %016" PRIx64 ", rank %" PRIu32,
               w->flowlet, egret_flowlet_outcome_name(w->outcome), w->old_entry, w->old_last,
               w->new_entry, w->new_last, w->flow_tag, w->time, w->age, w->bucket, w->random,
               w->candidates, w->rank);
    } else if (w->scheme == EGRET_SCHEME_SPRAY_QUALITY) {
        printf("  number %08" PRIx32 " of %016" PRIx64 ", rank %" PRIu32 ", samples %" PRIu32
               " %" PRIu32 ", memory %08" PRIx32 " -> %08" PRIx32 ", band %" PRIu32
               ", bucket %" PRIu32,
               w->random, w->candidates, w->rank, w->sample[0], w->sample[1], w->old_entry,
               w->new_entry, w->band, w->bucket);
    } else {
        printf("  pointer +%05" PRIx32 " entry %08" PRIx32 " -> %08" PRIx32 ", row %" PRIu32
               ", slot %" PRIu32,
               w->pointer, w->old_entry, w->new_entry, w->row, w->slot);
    }
    printf(", choice %" PRIu32 ", repair random %04" PRIx32 ", live %" PRIu32 ", rank %" PRIu32
           "\n",
           w->choice, w->repair_random, w->live_count, w->repair_rank);
}

static void print_oracle(struct check *c, const struct egret_why *w)
{
    if (w->scheme != EGRET_SCHEME_ECMP) {
        return;
    }
    uint32_t hash = oracle_hash(c->model, c->bad_event.record);
    bool left = c->bad_left.scheme == EGRET_SCHEME_ECMP && c->bad_left.data == hash;
    bool right = w->hash == hash;
    printf("independent hash oracle: %08" PRIx32 ", agrees with %s\n", hash,
           left && right ? "both"
           : left        ? "the selector"
           : right       ? "the model"
                         : "neither");
}

/* A selector that compares by itself goes on after a difference. */
static bool fails(int code)
{
    return code && code != EGRET_ERR_DIFFER;
}

static bool read_both(struct check *c, uint32_t addr, uint32_t *left, uint32_t *right)
{
    struct egret_event ev;
    struct egret_decision a;
    struct egret_decision b;
    memset(&ev, 0, sizeof ev);
    memset(&a, 0, sizeof a);
    ev.kind = EGRET_EV_READ;
    ev.addr = addr;
    if (fails(c->selector.ops->apply(c->selector.self, &ev, &a))) {
        return false;
    }
    (void)egret_apply(c->model, &ev, &b); /* every read is one */
    *left = a.data;
    *right = b.data;
    return true;
}

static void print_word(struct check *c, const char *name, uint32_t addr)
{
    uint32_t left;
    uint32_t right;
    if (c->decisions) {
        struct egret_event ev = {.kind = EGRET_EV_READ, .addr = addr};
        struct egret_decision d;
        (void)egret_apply(c->model, &ev, &d);
        printf("  %-14s %06" PRIx32 "  model %08" PRIx32 "\n", name, addr, d.data);
        return;
    }
    if (read_both(c, addr, &left, &right)) {
        printf("  %-14s %06" PRIx32 "  selector %08" PRIx32 "  model %08" PRIx32 "%s\n", name, addr,
               left, right, left == right ? "" : "  <-");
    }
}

static void print_selector_text(struct check *c)
{
    const char *text = NULL;
    if (c->selector.ops->describe) {
        text = c->selector.ops->describe(c->selector.self);
    }
    if (text && text[0]) {
        printf("selector says: %s\n", text);
    }
}

static void print_quality(struct check *c, const struct egret_why *w)
{
    const uint32_t port[2] = {c->bad_left.port, w->choice};
    print_word(c, "memory", EGRET_A_DRILL_MEMORY(c->bad_event.group));
    print_word(c, "small", EGRET_A_QUALITY_SMALL);
    print_word(c, "ticks", EGRET_A_TICK_COUNT);
    print_word(c, "random", EGRET_A_RANDOM);
    print_word(c, "bucket", EGRET_A_BUCKET(w->bucket));
    for (uint32_t p = 0; p < c->cfg.num_ports; p++) {
        uint32_t left = 0;
        uint32_t right = 0;
        (void)read_both(c, EGRET_A_PORT_LOAD(p, 2), &left, &right);
        if (left != right || p == port[0] || p == port[1]) {
            print_word(c, "band", EGRET_A_PORT_LOAD(p, 2));
            print_word(c, "queue", EGRET_A_QUEUE(p));
        }
    }
}

/* Words around the packet that differs. */
static void print_state(struct check *c, const char *when, const struct egret_why *w)
{
    const struct egret_event *ev = &c->bad_event;
    printf("state %s:\n", when);
    if (ev->kind == EGRET_EV_READ) {
        print_word(c, "word read", ev->addr);
        return;
    }
    print_word(c, "pointer dr", EGRET_A_POINTER_DR(ev->key, ev->bin));
    print_word(c, "pointer rr", EGRET_A_POINTER_RR(ev->group));
    for (unsigned i = 0; i < 7u; i++) {
        static const char *const name[7] = {"group word 0", "group word 1", "group word 2",
                                            "group word 3", "group word 4", "group word 5",
                                            "group word 6"};
        print_word(c, name[i], EGRET_A_GROUP(ev->group, i));
    }
    if (w && w->scheme == EGRET_SCHEME_ECMP) {
        print_word(c, "bucket", EGRET_A_BUCKET(w->bucket));
    } else if (w && w->scheme == EGRET_SCHEME_FLOWLET) {
        static const char *const name[5] = {"hits", "new", "evictions", "conflicts",
                                            "reassignments"};
        print_word(c, "flowlet", EGRET_A_FLOWLET(w->flowlet, 0));
        print_word(c, "flowlet last", EGRET_A_FLOWLET(w->flowlet, 1));
        for (unsigned i = 0; i < 5u; i++) {
            print_word(c, name[i], EGRET_A_FLOWLET_COUNTER(ev->group, i));
        }
        print_word(c, "bucket", EGRET_A_BUCKET(w->bucket));
        print_word(c, "random", EGRET_A_RANDOM);
    } else if (w && w->scheme == EGRET_SCHEME_SPRAY_QUALITY) {
        print_quality(c, w);
    } else if (w) {
        print_word(c, "slot, bank 0", EGRET_A_SCHEDULE(0, w->row, w->slot));
        print_word(c, "slot, bank 1", EGRET_A_SCHEDULE(1, w->row, w->slot));
    }
    print_word(c, "live 0", EGRET_A_LIVE0);
    print_word(c, "live 1", EGRET_A_LIVE1);
    print_word(c, "hash seed", EGRET_A_HASH_SEED);
    print_word(c, "draw seed", EGRET_A_DRAW_SEED);
    print_word(c, "writes ignored", EGRET_A_WRITES_IGNORED);
}

/* Replays up to the event: the bursts before its burst as they were, then one by one. */
static bool replay(struct check *c)
{
    struct egret_trace_error err;
    uint64_t at = 0;
    size_t got = 0;
    egret_stimulus_close(c->in);
    c->in = NULL;
    c->scanning = false; /* it has been */
    if (strcmp(c->path, "-") == 0 || egret_stimulus_open(c->path, &c->in, &err) != EGRET_OK ||
        c->selector.ops->reset(c->selector.self) != EGRET_OK || egret_reset(c->model) != EGRET_OK) {
        return false;
    }
    while (at < c->ordinal) {
        bool singly = at >= c->burst_start;
        uint64_t left = (singly ? c->ordinal : c->burst_start) - at;
        size_t n = left < c->burst ? (size_t)left : c->burst;
        if (check_fill(c, n, &got, &err) != EGRET_OK || got != n ||
            fails(check_apply(c, n, singly))) {
            return false;
        }
        at += n;
    }
    return check_fill(c, 1, &got, &err) == EGRET_OK && got == 1u;
}

void check_report(struct check *c)
{
    struct egret_why why;
    bool have_why = false;
    bool replayed;
    printf("DIFFERENT at event %" PRIu64 "\n", c->ordinal);
    print_event(c);
    print_decision("selector", &c->bad_left);
    print_decision("model", &c->bad_right);
    print_selector_text(c);
    print_state(c, "after the burst", NULL);
    replayed = replay(c);
    if (replayed) {
        if (c->bad_event.kind == EGRET_EV_PACKET) {
            have_why = egret_explain(c->model, &c->bad_event, &why) == EGRET_OK;
        }
        if (have_why) {
            print_why(&why);
            print_oracle(c, &why);
        }
        print_state(c, "before the event, replayed", have_why ? &why : NULL);
        replayed = !fails(check_apply(c, 1, true));
    }
    if (replayed) {
        print_state(c, "after the event, replayed", have_why ? &why : NULL);
        bool persists = !check_same(&c->left[0], &c->right[0]);
        printf("one event at a time the difference %s\n",
               persists ? "persists" : "does not show: look at what is in flight");
    } else {
        printf("not replayed one event at a time\n");
    }
    printf("replay: egret check --config %s --selector %s%s%s --burst %" PRIu32 "%s%s %s\n",
           c->config_name, c->selector_name, c->selector_dir ? " --selector-dir " : "",
           c->selector_dir ? c->selector_dir : "", c->burst, c->decisions ? " --decisions" : "",
           c->allow ? " --allow-illegal" : "", c->path);
}

int check_state(struct check *c)
{
    size_t words = egret_state_count(&c->cfg);
    size_t different = 0;
    for (size_t at = 0; at < words;) {
        size_t n = words - at < c->burst ? words - at : c->burst;
        for (size_t i = 0; i < n; i++) {
            memset(&c->event[i], 0, sizeof c->event[i]);
            c->event[i].kind = EGRET_EV_READ;
            (void)egret_state_address(&c->cfg, at + i, &c->event[i].addr);
        }
        int code = check_apply(c, n, false);
        size_t before = different;
        if (fails(code)) {
            return check_selector_error(c, code);
        }
        for (size_t i = 0; i < n; i++) {
            if (!check_same(&c->left[i], &c->right[i]) && different++ < 10u) {
                printf("state differs at %06" PRIx32 ": selector %08" PRIx32 ", model %08" PRIx32
                       "\n",
                       c->event[i].addr, c->left[i].data, c->right[i].data);
            }
        }
        if (code && different == before) {
            return check_selector_error(c, code);
        }
        at += n;
    }
    if (different) {
        print_selector_text(c);
    }
    printf("state and counters: %zu words, %zu different\n", words, different);
    return different ? EXIT_DIFFERENT : EXIT_DONE;
}
