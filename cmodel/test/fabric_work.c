/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_work.c: which operation starts when. Times by hand as in fabric_host.c: a packet's data is
 * there 3,249,480 ps after its start, its ACK 3,003,840 ps later. Two hosts under each edge: places
 * 0 and 1 under edge 0, 2 and 3 under edge 1.
 */
#include "fabric_toy.h"

#define D 41780u
#define DONE 3249680u /* of one packet that starts at 200 */
#define SENT 6253520u
#define WINDOW 500000u
#define AFTER(s, a, event, b) (void)egret_schedule_after((s), (a), EGRET_ON_##event, (b))

/* When an operation's first data packet started. */
static uint64_t began(const struct toy *y, uint32_t flow)
{
    for (size_t k = 0; k < y->sents; k++) {
        if (y->sent[k].p.flow == flow && !(y->sent[k].p.flags & FAB_ACK)) {
            return y->sent[k].start;
        }
    }
    return FAB_NEVER;
}

static uint32_t delay(struct egret_schedule *s, uint32_t rank, uint64_t ps)
{
    uint32_t i = EGRET_NO_OP;
    (void)egret_schedule_delay(s, rank, ps, &i);
    return i;
}

static void run(struct trace_test *t, struct toy *y, struct egret_schedule *s, uint32_t workers)
{
    seal(t, s);
    toy_open(y, t, s, 2, 2);
    y->f.workers = workers;
    CHECK(t, toy_run(y, 400) == EGRET_OK);
    CHECK(t, toy_unfinished(y) == 0);
}

/* Each event, to an operation under the same edge and under the other one. */
static void events(struct trace_test *t, struct toy *y, uint32_t workers)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t m = message(&s, 0, 2, 4096);
    uint32_t done = message(&s, 3, 1, 4096);
    uint32_t done_far = message(&s, 1, 3, 4096);
    AFTER(&s, m, DONE, done);
    AFTER(&s, m, DONE, done_far);
    uint32_t sent = message(&s, 0, 3, 4096);
    uint32_t sent_far = message(&s, 2, 0, 4096);
    AFTER(&s, m, SENT, sent);
    AFTER(&s, m, SENT, sent_far);
    uint32_t begun = message(&s, 1, 2, 4096);
    uint32_t begun_far = message(&s, 2, 1, 4096);
    AFTER(&s, m, START, begun);
    AFTER(&s, m, START, begun_far);
    run(t, y, &s, workers);
    CHECK(t, began(y, m) == 200u);
    CHECK(t, began(y, done) == DONE);
    /* At DONE + WINDOW the link has the ACK on it that begun_far's data brought 200 ps before. */
    CHECK(t, began(y, done_far) == WINDOW + 3249480u + 840u);
    CHECK(t, began(y, sent) == SENT);
    CHECK(t, began(y, sent_far) == SENT + WINDOW);
    CHECK(t, began(y, begun) == 200u);
    CHECK(t, began(y, begun_far) == WINDOW);
    CHECK(t, y->signals == 3u);
    uint64_t messages = 0;
    for (uint32_t i = 0; i < workers; i++) {
        messages += y->worker[i].totals.messages_done;
    }
    CHECK(t, messages == 7u);
    toy_close(y, &s);
}

/* A delay's start, and its end for either event; a join, here and across. */
static void delays(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t m = message(&s, 0, 2, 4096);
    uint32_t wait = delay(&s, 0, 1500000);
    AFTER(&s, m, SENT, wait);
    uint32_t a = message(&s, 0, 2, 4096);
    uint32_t b = message(&s, 1, 2, 4096);
    uint32_t c = message(&s, 2, 0, 4096);
    AFTER(&s, wait, DONE, a);
    AFTER(&s, wait, SENT, b);
    AFTER(&s, wait, START, c);
    uint32_t join = delay(&s, 0, 0);
    uint32_t far = delay(&s, 3, 0);
    uint32_t d = message(&s, 3, 0, 4096);
    AFTER(&s, wait, DONE, join);
    AFTER(&s, join, DONE, far);
    AFTER(&s, far, START, d);
    uint32_t last = delay(&s, 2, 30u * US);
    AFTER(&s, d, START, last);
    run(t, y, &s, 1);
    CHECK(t, began(y, a) == SENT + 1500000u);
    CHECK(t, began(y, b) == SENT + 1500000u);
    CHECK(t, began(y, c) == SENT + WINDOW);
    CHECK(t, began(y, d) == SENT + 1500000u + WINDOW);
    CHECK(t, egret_fab_hosts_over(&y->f) == SENT + 1500000u + WINDOW + 30u * US);
    toy_close(y, &s);
}

/* Needs two of three; not before start_ps, before and behind what it waits for. */
static void needs(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t first = message(&s, 0, 2, 4096);
    uint32_t second = message(&s, 0, 3, 4096);
    uint32_t third = message(&s, 0, 2, 4096);
    uint32_t two = message(&s, 2, 0, 4096);
    (void)egret_schedule_edge(&s, first, EGRET_ON_DONE, two);
    (void)egret_schedule_edge(&s, second, EGRET_ON_DONE, two);
    (void)egret_schedule_edge(&s, third, EGRET_ON_DONE, two);
    s.op[two].need = 2;
    uint32_t late = message(&s, 3, 0, 4096);
    AFTER(&s, first, DONE, late);
    s.op[late].start_ps = 9000007u;
    uint32_t early = message(&s, 3, 1, 4096);
    AFTER(&s, first, DONE, early);
    s.op[early].start_ps = 1000000u;
    run(t, y, &s, 1);
    CHECK(t, began(y, two) == DONE + D);
    CHECK(t, began(y, late) == 9000007u);
    CHECK(t, began(y, early) == DONE);
    toy_close(y, &s);
}

/* What starts by its time comes before what a packet of that time sets going. */
static void same_time(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t first = message(&s, 0, 2, 4096);
    uint32_t behind = message(&s, 2, 0, 4096);
    uint32_t timed = message(&s, 2, 0, 4096);
    AFTER(&s, first, DONE, behind);
    s.op[timed].start_ps = DONE;
    run(t, y, &s, 1);
    CHECK(t, began(y, timed) == DONE);
    CHECK(t, began(y, behind) == DONE + D + 840u); /* the ACK is between them */
    toy_close(y, &s);
}

/* Each of three messages that are done lets one more through, in the order of the edges. The
 * turnstile is under edge 1; its second edge leads to edge 0. */
static void turnstile(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t go[3];
    for (uint32_t i = 0; i < 3; i++) {
        go[i] = message(&s, 0, 2, 4096);
    }
    struct egret_op op = {.kind = EGRET_OP_TURNSTILE, .src = 2, .dst = 2};
    uint32_t turn;
    (void)egret_schedule_op(&s, &op, &turn);
    uint32_t a = message(&s, 3, 1, 4096);
    uint32_t b = message(&s, 1, 3, 4096);
    for (uint32_t i = 0; i < 3; i++) {
        (void)egret_schedule_edge(&s, go[i], EGRET_ON_DONE, turn);
    }
    (void)egret_schedule_edge(&s, turn, EGRET_ON_DONE, a);
    (void)egret_schedule_edge(&s, turn, EGRET_ON_DONE, b);
    s.op[a].need = s.op[b].need = 1;
    run(t, y, &s, 2);
    CHECK(t, began(y, a) == DONE);
    CHECK(t, began(y, b) == DONE + D + WINDOW);
    CHECK(t, y->signals == 1u);
    toy_close(y, &s);
}

/* A long chain of joins uses no stack, and takes no time. */
static void chain(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t before = delay(&s, 0, 0);
    for (uint32_t i = 0; i < 200000u; i++) {
        uint32_t next = delay(&s, i % 2u, 0);
        AFTER(&s, before, DONE, next);
        before = next;
    }
    uint32_t m = message(&s, 0, 2, 1);
    AFTER(&s, before, DONE, m);
    run(t, y, &s, 1);
    CHECK(t, began(y, m) == 200u);
    toy_close(y, &s);
}

static void too_late(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t m = message(&s, 0, 2, 1);
    uint32_t before = m;
    for (uint32_t i = 0; i < 10; i++) { /* 2^63 is 9.2 * 10^18 */
        uint32_t wait = delay(&s, 0, 1000000000000000000u);
        AFTER(&s, before, SENT, wait);
        before = wait;
    }
    seal(t, &s);
    toy_open(y, t, &s, 2, 2);
    CHECK(t, toy_run(y, 400) == EGRET_ERR_RANGE);
    CHECK(t, strstr(y->worker[0].text, "delay 10 (rank 0) ends beyond 2^63 ps") != NULL);
    CHECK(t, egret_fab_hosts_over(&y->f) / 1000000000000000000u == 9u);
    toy_close(y, &s);
}

/* The same starts whatever the workers: a ring of 40 steps over all hosts. */
static void workers_agree(struct trace_test *t, struct toy *y)
{
    static uint64_t was[160];
    for (uint32_t workers = 1; workers <= 2; workers++) {
        struct egret_schedule s = {.ranks = 4};
        uint32_t of[4] = {0, 0, 0, 0};
        for (uint32_t step = 0; step < 40; step++) {
            uint32_t now[4];
            for (uint32_t r = 0; r < 4; r++) {
                now[r] = message(&s, r, (r + 1u) % 4u, 10000u + 977u * r);
                if (step > 0) {
                    AFTER(&s, of[(r + 3u) % 4u], DONE, now[r]);
                }
            }
            memcpy(of, now, sizeof of);
        }
        run(t, y, &s, workers);
        for (uint32_t i = 0; i < 160; i++) {
            CHECK(t, workers == 1u || began(y, i) == was[i]);
            CHECK(t, began(y, i) != FAB_NEVER);
            was[i] = began(y, i);
        }
        toy_close(y, &s);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    struct toy *y = malloc(sizeof *y);
    if (!y) {
        return 1;
    }
    events(&t, y, 1);
    events(&t, y, 2);
    delays(&t, y);
    needs(&t, y);
    same_time(&t, y);
    turnstile(&t, y);
    chain(&t, y);
    too_late(&t, y);
    workers_agree(&t, y);
    free(y);
    return trace_result(&t);
}
