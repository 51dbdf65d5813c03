/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_schedule.c: sealing a schedule, its refusals, and its summary; expectations by hand.
 */
#include "egret/schedule.h"
#include "trace_memory.h"
#include "trace_test.h"

static const char *const files[] = {"a.goal", "b.goal"};

static uint32_t message(struct egret_schedule *s, uint32_t src, uint32_t dst, uint64_t bytes)
{
    uint32_t i = EGRET_NO_OP;
    if (egret_schedule_message(s, src, dst, bytes, &i)) {
        abort();
    }
    return i;
}

static uint32_t delay(struct egret_schedule *s, uint32_t rank, uint64_t ps)
{
    uint32_t i = EGRET_NO_OP;
    if (egret_schedule_delay(s, rank, ps, &i)) {
        abort();
    }
    return i;
}

static uint32_t turnstile(struct egret_schedule *s)
{
    struct egret_op gate = {.kind = EGRET_OP_TURNSTILE};
    uint32_t i = EGRET_NO_OP;
    if (egret_schedule_op(s, &gate, &i)) {
        abort();
    }
    return i;
}

static struct egret_op *op(struct egret_schedule *s, uint32_t index)
{
    return &s->op[index];
}

/* An edge, and more needed by `after`. */
static void edge(struct egret_schedule *s, uint32_t before, uint32_t after, uint32_t need)
{
    if (egret_schedule_edge(s, before, EGRET_ON_DONE, after)) {
        abort();
    }
    s->op[after].need += need;
}

/* Seals; the text must be `reason`, or begin with it if that ends in "*". Empty: good. */
static void seal(struct trace_test *t, struct egret_schedule *s, const char *const *names,
                 const char *reason)
{
    struct egret_trace_error err = {""};
    size_t n = strlen(reason);
    int code = egret_schedule_seal(s, "case", names, &err);
    int same = n && reason[n - 1] == '*' ? strncmp(err.text, reason, n - 1) == 0
                                         : strcmp(err.text, reason) == 0;
    if (!CHECK(t, same && (code == 0) == (n == 0) && (s->first != NULL) == (n == 0))) {
        printf("  wanted '%s', got %d '%s'\n", reason, code, err.text);
    }
    egret_schedule_free(s);
}

/* The edges of an operation stay in the order in which they were added. */
static void order(struct trace_test *t)
{
    struct egret_schedule s = {.ranks = 4};
    struct egret_trace_error err;
    uint32_t a = message(&s, 0, 1, 5);
    uint32_t b = message(&s, 1, 2, 5);
    uint32_t c = message(&s, 2, 3, 5);
    CHECK(t, egret_schedule_after(&s, b, EGRET_ON_SENT, c) == 0);
    CHECK(t, egret_schedule_after(&s, a, EGRET_ON_DONE, c) == 0);
    CHECK(t, egret_schedule_after(&s, a, EGRET_ON_START, b) == 0);
    CHECK(t, s.op[c].need == 2 && s.op[b].need == 1);
    CHECK(t, egret_schedule_seal(&s, "order", NULL, &err) == 0);
    CHECK(t, s.first[0] == 0 && s.first[1] == 2 && s.first[2] == 3 && s.first[3] == 3);
    CHECK(t, egret_edge_to(s.edge[0]) == c && egret_edge_event(s.edge[0]) == EGRET_ON_DONE);
    CHECK(t, egret_edge_to(s.edge[1]) == b && egret_edge_event(s.edge[1]) == EGRET_ON_START);
    CHECK(t, egret_edge_to(s.edge[2]) == c && egret_edge_event(s.edge[2]) == EGRET_ON_SENT);
    CHECK(t, egret_schedule_message(&s, 0, 1, 5, NULL) == EGRET_ERR_RANGE);
    CHECK(t, egret_schedule_edge(&s, 0, EGRET_ON_DONE, 1) == EGRET_ERR_RANGE);
    CHECK(t, egret_schedule_seal(&s, "order", NULL, &err) == EGRET_ERR_RANGE);
    egret_schedule_free(&s);
}

static void ranges(struct trace_test *t)
{
    struct egret_schedule s = {.ranks = 0};
    seal(t, &s, NULL, "case: 0 ranks, 1 to 16777216 are allowed");
    s.ranks = EGRET_SCHEDULE_MAX_RANKS + 1u;
    seal(t, &s, NULL, "case: 16777217 ranks, 1 to 16777216 are allowed");
    s.ranks = 1;
    seal(t, &s, NULL, "");
    s.ranks = 4;
    (void)message(&s, 0, 4, 5);
    seal(t, &s, NULL, "case: message 0 (0 -> 4): rank out of range");
    s.ranks = 4;
    (void)message(&s, 2, 2, 5);
    seal(t, &s, NULL, "case: message 0 (2 -> 2): from a rank to itself");
    s.ranks = 4;
    (void)message(&s, 0, 1, 0);
    seal(t, &s, NULL, "case: message 0 (0 -> 1): 1 to 2^48 bytes");
    s.ranks = 4;
    (void)message(&s, 0, 1, ((uint64_t)1 << 48) + 1u);
    seal(t, &s, NULL, "case: message 0 (0 -> 1): 1 to 2^48 bytes");
    s.ranks = 4;
    (void)delay(&s, 1, 1000000000000000001u);
    seal(t, &s, NULL, "case: delay 0 (rank 1): more than 10^18 ps");
    s.ranks = 4;
    op(&s, delay(&s, 1, 7))->dst = 2;
    seal(t, &s, NULL, "case: delay 0 (rank 1): a delay is at one rank");
    s.ranks = 4;
    op(&s, delay(&s, 1, 0))->kind = 3;
    seal(t, &s, NULL, "case: join 0 (rank 1): unknown kind");
    s.ranks = 4;
    op(&s, delay(&s, 1, 0))->start_ps = UINT64_MAX;
    seal(t, &s, NULL, "case: join 0 (rank 1): starts after 10^18 ps");
    s.ranks = 4;
    op(&s, turnstile(&s))->need = 1;
    seal(t, &s, NULL, "case: turnstile 0 (rank 0): need and amount are 0");
    s.ranks = 4;
    op(&s, message(&s, 0, 1, 0))->where = 17;
    s.op[0].tag = 9;
    s.op[0].file = 1;
    seal(t, &s, files, "b.goal:17: message 0 (0 -> 1, tag 9): 1 to 2^48 bytes");
}

static void edges(struct trace_test *t)
{
    struct egret_schedule s = {.ranks = 4};
    (void)message(&s, 0, 1, 5);
    CHECK(t, egret_schedule_edge(&s, 0, EGRET_ON_DONE, 1) == 0);
    seal(t, &s, NULL, "case: edge 0: from operation 0 to 1 of 1, event 2");
    s.ranks = 4;
    (void)message(&s, 0, 1, 5);
    CHECK(t, egret_schedule_edge(&s, 7, EGRET_ON_START, 0) == 0);
    seal(t, &s, NULL, "case: edge 0: from operation 7 to 0 of 1, event 0");
    s.ranks = 4;
    (void)message(&s, 0, 1, 5);
    CHECK(t, egret_schedule_edge(&s, 0, EGRET_ON_START, EGRET_NO_OP) == 0);
    seal(t, &s, NULL, "case: edge 0: from operation 0 to 1073741823 of 1, event 0");
    s.ranks = 4;
    (void)message(&s, 0, 1, 5);
    (void)message(&s, 0, 1, 5);
    CHECK(t, egret_schedule_edge(&s, 0, (enum egret_op_event)3, 1) == 0);
    seal(t, &s, NULL, "case: edge 0: from operation 0 to 1 of 2, event 3");
    s.ranks = 4;
    (void)message(&s, 0, 1, 5);
    edge(&s, 0, message(&s, 1, 2, 5), 2);
    seal(t, &s, NULL, "case: message 1 (1 -> 2): needs 2, but has 1 edges into it");
    s.ranks = 4;
    (void)message(&s, 0, 1, 5);
    edge(&s, 0, message(&s, 1, 2, 5), 0);
    seal(t, &s, NULL, "case: message 1 (1 -> 2): needs 0, but has 1 edges into it");
}

static void cycles(struct trace_test *t)
{
    struct egret_schedule s = {.ranks = 4};
    /* 0 -> 1 -> 2 -> 1: 1 waits on 0, which comes, and on 2 */
    (void)message(&s, 0, 1, 5);
    (void)message(&s, 1, 2, 5);
    (void)delay(&s, 3, 70);
    for (uint32_t i = 0; i < 3; i++) {
        s.op[i].where = 10u + i;
    }
    edge(&s, 0, 1, 1);
    edge(&s, 1, 2, 1);
    edge(&s, 2, 1, 1);
    seal(t, &s, files,
         "a.goal:11: message 1 (1 -> 2) never starts: it waits on delay 2 (rank 3) at a.goal:12, "
         "which waits on message 1 (1 -> 2) at a.goal:11; a cycle of 2");
    s.ranks = 4;
    (void)message(&s, 0, 1, 5);
    edge(&s, 0, 0, 1);
    seal(t, &s, NULL,
         "case: message 0 (0 -> 1) never starts: it waits on message 0 (0 -> 1); a cycle of 1");
    /* a tail of 7 into a cycle of 5; only three links are spelled out */
    s.ranks = 4;
    for (uint32_t i = 0; i < 12; i++) {
        (void)delay(&s, 1, i + 1u);
    }
    for (uint32_t i = 0; i < 11; i++) {
        edge(&s, i + 1u, i, 1);
    }
    edge(&s, 7, 11, 1);
    seal(t, &s, NULL,
         "case: delay 0 (rank 1) never starts: it waits on delay 1 (rank 1), which waits on delay "
         "2 (rank 1), which waits on delay 3 (rank 1); a cycle of 5");
    /* a long ring is told in linear time, without recursion */
    s.ranks = 4;
    for (uint32_t i = 0; i < 1000000; i++) {
        (void)delay(&s, 1, 5);
        s.op[i].need = 1;
    }
    for (uint32_t i = 0; i < 1000000; i++) {
        edge(&s, i, (i + 1u) % 1000000u, 0);
    }
    seal(t, &s, NULL, "case: delay 0 (rank 1) never starts: it waits on delay 999999 (rank 1)*");
}

/* Turnstile: three doors, activated by n messages; behind the third door a fourth message. */
static void doors(struct trace_test *t, uint32_t n, const char *reason)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t gate = turnstile(&s);
    for (uint32_t i = 0; i < 3; i++) {
        edge(&s, gate, message(&s, 1, 2, 5), 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        edge(&s, message(&s, 0, 1, 5), gate, 0);
    }
    edge(&s, 3, message(&s, 2, 3, 5), 1);
    seal(t, &s, NULL, reason);
}

static void gates(struct trace_test *t)
{
    doors(t, 3, "");
    doors(t, 5, "");
    doors(t, 2,
          "case: message 3 (1 -> 2) never starts: it waits on turnstile 0 (rank 0); turnstile 0 "
          "(rank 0) is activated 2 times, 3 are needed");
    doors(t, 0,
          "case: message 1 (1 -> 2) never starts: it waits on turnstile 0 (rank 0); turnstile 0 "
          "(rank 0) is activated 0 times, 3 are needed");
    /* a turnstile that activates itself: each of its edges fires once */
    struct egret_schedule s = {.ranks = 4};
    uint32_t gate = turnstile(&s);
    edge(&s, message(&s, 0, 1, 5), gate, 0);
    edge(&s, gate, gate, 0);
    edge(&s, gate, message(&s, 1, 2, 5), 1);
    seal(t, &s, NULL, "");
    /* barriers: two of three; three of three, one of which is behind the barrier itself */
    for (uint32_t wanted = 2; wanted <= 3; wanted++) {
        s.ranks = 4;
        uint32_t join = delay(&s, 0, 0);
        s.op[join].need = wanted;
        edge(&s, message(&s, 0, 1, 5), join, 0);
        edge(&s, message(&s, 0, 2, 5), join, 0);
        uint32_t behind = message(&s, 2, 3, 5);
        edge(&s, behind, join, 0);
        edge(&s, join, behind, 1);
        seal(t, &s, NULL,
             wanted == 2 ? ""
                         : "case: join 0 (rank 0) never starts: it waits on message 3 (2 -> 3), "
                           "which waits on join 0 (rank 0); a cycle of 2");
    }
}

/* 0: 100 bytes, 1: 7 bytes after it; a delay of 30 ps behind 1, a join of both, behind the join 2
 * of 50 bytes; through a turnstile 3 of 9 bytes. Longest chain: 0, 1, delay, 2. */
static struct egret_schedule sample(void)
{
    struct egret_schedule s = {.ranks = 4};
    uint32_t m0 = message(&s, 0, 1, 100);
    uint32_t m1 = message(&s, 1, 2, 7);
    uint32_t d = delay(&s, 2, 30);
    uint32_t j = delay(&s, 2, 0);
    uint32_t m2 = message(&s, 2, 3, 50);
    uint32_t gate = turnstile(&s);
    uint32_t m3 = message(&s, 3, 0, 9);
    edge(&s, m0, m1, 1);
    edge(&s, m1, d, 1);
    edge(&s, m0, j, 1);
    edge(&s, d, j, 1);
    edge(&s, j, m2, 1);
    edge(&s, m0, gate, 0);
    edge(&s, gate, m3, 1);
    return s;
}

static void summary(struct trace_test *t)
{
    struct egret_schedule s = sample();
    struct egret_schedule_summary n;
    CHECK(t, egret_schedule_seal(&s, "sum", NULL, NULL) == 0);
    CHECK(t, egret_schedule_summary(&s, &n) == 0);
    CHECK(t, n.messages == 4 && n.bytes == 166 && n.delays == 1 && n.delay_ps == 30);
    CHECK(t, n.edges == 7 && n.roots == 1 && n.depth == 4 && n.smallest == 7 && n.largest == 100);
    egret_schedule_free(&s);
    s.ranks = 1;
    CHECK(t, egret_schedule_seal(&s, "none", NULL, NULL) == 0);
    CHECK(t, egret_schedule_summary(&s, &n) == 0 && n.messages == 0 && n.smallest == 0 &&
                 n.depth == 0 && n.roots == 0);
    egret_schedule_free(&s);
}

/* Without memory at any point: the error says so, and the schedule can be sealed afterwards. */
static void memory(struct trace_test *t)
{
    struct egret_schedule s = sample();
    struct egret_schedule_summary n;
    struct egret_trace_error err;
    unsigned long calls = 0;
    int code = EGRET_ERR_MEMORY;
    while (code == EGRET_ERR_MEMORY) {
        fail_at = ++calls;
        code = egret_schedule_seal(&s, "sum", NULL, &err);
        CHECK(t, code == 0 || (strcmp(err.text, "sum: out of memory") == 0 && !s.first));
    }
    CHECK(t, code == 0 && calls == 5);
    for (calls = 1; calls <= 3; calls++) {
        fail_at = calls;
        CHECK(t, egret_schedule_summary(&s, &n) == EGRET_ERR_MEMORY);
    }
    fail_at = 0;
    CHECK(t, egret_schedule_summary(&s, &n) == 0 && n.depth == 4);
    egret_schedule_free(&s);
    fail_at = 1;
    CHECK(t, egret_schedule_message(&s, 0, 1, 5, NULL) == EGRET_ERR_MEMORY && s.ops == 0);
    fail_at = 1;
    CHECK(t, egret_schedule_edge(&s, 0, EGRET_ON_DONE, 1) == EGRET_ERR_MEMORY && s.edges == 0);
    /* the reason of a cycle needs memory, too: seal makes four blocks, then this one */
    s.ranks = 2;
    edge(&s, message(&s, 0, 1, 5), 0, 1);
    fail_at = 5;
    CHECK(t, egret_schedule_seal(&s, "ring", NULL, &err) == EGRET_ERR_MEMORY);
    fail_at = 0;
    egret_schedule_free(&s);
}

int main(void)
{
    struct trace_test t = {0, 0};
    order(&t);
    ranges(&t);
    edges(&t);
    cycles(&t);
    gates(&t);
    summary(&t);
    memory(&t);
    return trace_result(&t);
}
