/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_host.c: NICs, the ideal transport and the host schemes, with nothing between the hosts.
 *
 * By hand, at 10 ps a byte: a data packet of 4158 bytes takes 41,580 ps and its gap 200 ps, an ACK
 * 640 ps and 200 ps. Data is there 3,249,480 ps after its start, an ACK 3,003,840 ps. The first
 * packet waits for one gap: it starts at 200 ps.
 */
#include "fabric_toy.h"

#define D 41780u
#define DATA_WAY 3249480u
#define ACK_WAY 3003840u
#define RTT 6253320u

/* papers.md 0.2: 256 packets each way. */
static void permutation(struct trace_test *t, struct toy *y, uint32_t edges, uint32_t slots)
{
    struct egret_schedule s = {.ranks = edges * slots};
    for (uint32_t i = 0; i < s.ranks; i++) {
        message(&s, i, (i + slots) % s.ranks, 1u << 20);
    }
    seal(t, &s);
    toy_open(y, t, &s, edges, slots);
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    const struct egret_fabric_totals *x = &y->worker[0].totals;
    CHECK(t, x->last_sent_ps == 17056940u);
    CHECK(t, egret_fab_hosts_over(&y->f) == 17056940u);
    CHECK(t, x->last_done_ps == 14053100u); /* 78 d + 178 (d + a) + 5 T_d + p */
    CHECK(t, x->data_sent == 256u * s.ranks && x->acks_sent == x->data_sent);
    CHECK(t, x->data_received == x->data_sent && x->messages_done == s.ranks);
    CHECK(t, x->resent == 0 && x->reordered == 0);
    /* 78 packets before the first ACK, then in turn. */
    CHECK(t, toy_start(y, 0, true, 0) == 3259040u);
    CHECK(t, toy_start(y, 0, false, 77) == 3217260u && toy_start(y, 0, false, 78) == 3259880u);
    CHECK(t, toy_start(y, 0, true, 1) == 3301660u);
    CHECK(t, egret_fab_base_rtt(&y->f) == RTT);
    for (unsigned i = 0; i < 3; i++) {
        y->f.spec.topology.switch_ps[i] = 100000u * (i + 1u); /* 2 edges, 2 aggregation, 1 core */
    }
    CHECK(t, egret_fab_base_rtt(&y->f) == RTT + 2u * 900000u);
    toy_close(y, &s);
}

static void sizes(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 4097);
    message(&s, 1, 0, 1);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    const struct toy_sent *a = toy_sent_by(y, 0, false, 0);
    const struct toy_sent *b = toy_sent_by(y, 0, false, 1);
    const struct toy_sent *c = toy_sent_by(y, 1, false, 0);
    const struct toy_sent *d = toy_sent_by(y, 1, true, 0); /* the short one is there first */
    if (CHECK(t, a && b && c && d)) {
        CHECK(t, a->start == 200u && a->p.length == 4158u && a->p.dst == 1u);
        CHECK(t, b->start == 200u + D && b->p.length == 63u && b->p.sequence == 1u);
        CHECK(t, c->p.length == 63u);
        CHECK(t, d->p.length == 64u && d->p.dst == 0 && d->p.sequence == 1u && d->p.flow == 0);
    }
    toy_close(y, &s);
}

static void round_robin(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    for (uint32_t i = 1; i < 4; i++) {
        message(&s, 0, i, i == 2u ? 4096 : 8192); /* the second has one packet */
    }
    seal(t, &s);
    toy_open(y, t, &s, 4, 1);
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    static const uint32_t flow[5] = {0, 1, 2, 0, 2};
    for (size_t i = 0; i < 5; i++) {
        const struct toy_sent *p = toy_sent_by(y, 0, false, i);
        CHECK(t, p && p->p.flow == flow[i] && p->start == 200u + i * D);
    }
    toy_close(y, &s);
}

/* Half rate: data every 83,560 ps; an ACK leaves at once, the link is free. */
static void half_rate(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 409600);
    message(&s, 1, 0, 409600);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->f.spec.rate_ppm = 500000;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    for (size_t i = 0; i < 100; i++) {
        CHECK(t, toy_start(y, 0, false, i) == 200u + i * 83560u);
    }
    CHECK(t, toy_start(y, 0, true, 0) == 200u + DATA_WAY);
    toy_close(y, &s);
}

/* A last packet of 63 bytes at a third of the rate: the next message's first packet starts three
 * times its 830 ps later. */
static void short_pace(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 1);
    message(&s, 0, 1, 1);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->f.spec.rate_ppm = 250000;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    CHECK(t, toy_start(y, 0, false, 1) == 200u + 4u * 830u);
    toy_close(y, &s);
}

static void late_start(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 1);
    seal(t, &s);
    s.op[0].start_ps = 10000001u;
    toy_open(y, t, &s, 2, 1);
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    CHECK(t, toy_start(y, 0, false, 0) == 10000001u);
    CHECK(t, toy_unfinished(y) == 0);
    toy_close(y, &s);
}

/* ---- losses ---- */

static struct toy_fate lose_first_data(struct toy *y, const struct fab_packet *p)
{
    struct toy_fate fate = {.lost = p->sequence == 0 && !(p->flags & FAB_ACK) && y->left > 0};
    y->left -= fate.lost;
    return fate;
}

/* The one in its place has the next sequence, and leaves when the news is there, not before. */
static void lost_data(struct trace_test *t, struct toy *y, uint32_t packets)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 4096u * packets);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->fate = lose_first_data;
    y->left = 1;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    const struct toy_sent *p = toy_sent_by(y, 0, false, packets);
    CHECK(t, p && p->start == 200u + RTT && p->p.length == 4158u && p->p.sequence == packets);
    CHECK(t, y->worker[0].totals.resent == 1u && y->worker[0].totals.data_sent == packets + 1u);
    CHECK(t, y->worker[0].totals.data_received == packets);
    CHECK(t, y->worker[0].totals.last_done_ps == 200u + RTT + DATA_WAY);
    CHECK(t, y->worker[0].totals.last_sent_ps == 200u + 2u * RTT);
    CHECK(t, toy_unfinished(y) == 0);
    toy_close(y, &s);
}

static struct toy_fate lose_ack(struct toy *y, const struct fab_packet *p)
{
    struct toy_fate fate = {.lost = (p->flags & FAB_ACK) && y->left > 0};
    y->left -= fate.lost;
    return fate;
}

/* The data is there all the same. */
static void lost_ack(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 4096);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->fate = lose_ack;
    y->left = 1;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    CHECK(t, y->worker[0].totals.resent == 0 && y->worker[0].totals.data_sent == 1u);
    CHECK(t, y->worker[0].totals.last_done_ps == 200u + DATA_WAY);
    CHECK(t, y->worker[0].totals.last_sent_ps == 200u + DATA_WAY + RTT);
    toy_close(y, &s);
}

static struct toy_fate trim_data(struct toy *y, const struct fab_packet *p)
{
    struct toy_fate fate = {0};
    if (!(p->flags & FAB_ACK) && y->left > 0) {
        y->left--;
        fate.flags = FAB_TRIMMED;
    }
    return fate;
}
static struct toy_fate trim_and_lose_nack(struct toy *y, const struct fab_packet *p)
{
    struct toy_fate fate = trim_data(y, p);
    fate.lost = (p->flags & FAB_ACK) && (p->flags & FAB_TRIMMED);
    return fate;
}

static void trimmed(struct trace_test *t, struct toy *y, toy_fate_fn fate, uint64_t again)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 100);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->fate = fate;
    y->left = 1;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    const struct toy_sent *nack = toy_sent_by(y, 1, true, 0);
    const struct toy_sent *data = toy_sent_by(y, 0, false, 1);
    CHECK(t, nack && nack->p.flags == (FAB_ACK | FAB_TRIMMED) && nack->p.sequence == 0);
    CHECK(t, data && data->p.length == 162u && data->start == again);
    CHECK(t, y->worker[0].totals.data_received == 1u && y->worker[0].totals.resent == 1u);
    CHECK(t, toy_unfinished(y) == 0);
    toy_close(y, &s);
}

static struct toy_fate mark_odd(struct toy *y, const struct fab_packet *p)
{
    (void)y;
    bool odd = !(p->flags & FAB_ACK) && (p->sequence & 1u);
    return (struct toy_fate){.flags = odd ? FAB_ECN : 0};
}

static void echo(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 8192);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->fate = mark_odd;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const struct toy_sent *ack = toy_sent_by(y, 1, true, i);
        const struct toy_sent *data = toy_sent_by(y, 0, false, i);
        CHECK(t, ack && ack->p.flags == (i ? FAB_ACK | FAB_ECN : FAB_ACK));
        CHECK(t, ack && data && ack->p.entropy == data->p.entropy);
    }
    toy_close(y, &s);
}

/* Packet 1 comes behind packet 3. */
/* A scheme that is told of answers, as REPS and PLB are: each label is new until an unmarked ACK
 * has come, then the one that the newest of these brought. Of packet i the ACK is there at
 * 200 + i D + RTT, which is between packets i + 149 and i + 150 of the same sender. */
struct recycler {
    uint32_t fresh;
    uint32_t good; /* FAB_NONE: no ACK yet */
    uint32_t answers;
};

static uint32_t recycle(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p)
{
    struct recycler *r = hs->scheme_state;
    (void)o;
    (void)p;
    return r->good == FAB_NONE ? r->fresh++ : r->good;
}

static void learn(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p)
{
    struct recycler *r = hs->scheme_state;
    (void)o;
    r->answers++;
    if (!(p->flags & FAB_ECN)) {
        r->good = p->entropy;
    }
}

static struct toy_fate mark_fifth(struct toy *y, const struct fab_packet *p)
{
    (void)y;
    return (struct toy_fate){.flags = !(p->flags & FAB_ACK) && p->sequence == 5u ? FAB_ECN : 0};
}

static void learning(struct trace_test *t, struct toy *y)
{
    static const struct fab_host_scheme scheme = {.data = recycle, .answer = learn};
    static struct recycler state;
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 200u * 4096u);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->scheme = &scheme;
    y->scheme_state = &state;
    y->fate = mark_fifth;
    state = (struct recycler){.good = FAB_NONE};
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    for (uint32_t i = 0; i < 200u; i++) {
        const struct toy_sent *p = toy_sent_by(y, 0, false, i);
        uint32_t want = i < 150u ? i : i == 155u ? 4u : i - 150u;
        CHECK(t, p && p->p.entropy == want);
    }
    CHECK(t, state.answers == 200u && state.fresh == 150u);
    y->f.hosts->scheme_state = NULL;
    toy_close(y, &s);
}

static struct toy_fate late_second(struct toy *y, const struct fab_packet *p)
{
    (void)y;
    bool late = !(p->flags & FAB_ACK) && p->sequence == 1u;
    return (struct toy_fate){.late = late ? 2u * D + 1u : 0};
}

static void reordering(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 5u * 4096u);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->fate = late_second;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    CHECK(t, y->worker[0].totals.reordered == 1u && y->worker[0].totals.reorder_extent == 2u);
    toy_close(y, &s);
}

/* Nineteen senders at once into one that sends: ACKs wait, in their order. */
static void many_acks(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 20};
    message(&s, 0, 1, 1u << 20);
    for (uint32_t i = 1; i < 20; i++) {
        message(&s, i, 0, 4u * 4096u);
    }
    seal(t, &s);
    toy_open(y, t, &s, 20, 1);
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    CHECK(t, toy_unfinished(y) == 0);
    for (uint32_t i = 0; i < 76; i++) {
        const struct toy_sent *ack = toy_sent_by(y, 0, true, i);
        CHECK(t, ack && ack->p.flow == 1u + i % 19u && ack->p.sequence == i / 19u);
        CHECK(t, ack && ack->start == 3259040u + i * (D + 840u));
    }
    CHECK(t, toy_sent_by(y, 0, true, 76) == NULL);
    toy_close(y, &s);
}

/* No more than the window without an answer, in the ideal transport too. */
static void window(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 12u * 4096u);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->f.spec.window_packets = 10;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    CHECK(t, toy_start(y, 0, false, 9) == 200u + 9u * D);
    CHECK(t, toy_start(y, 0, false, 10) == 200u + RTT);
    CHECK(t, toy_start(y, 0, false, 11) == 200u + D + RTT);
    CHECK(t, toy_unfinished(y) == 0);
    toy_close(y, &s);
}

/* ---- refusals ---- */

static int refused(struct trace_test *t, struct toy *y, uint64_t bytes, uint32_t payload,
                   uint32_t header, uint32_t ack)
{
    struct egret_schedule s = {.ranks = 2};
    struct egret_trace_error err = {""};
    message(&s, 0, 1, bytes);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->f.spec.payload = payload;
    y->f.spec.header_bytes = header;
    y->f.spec.ack_bytes = ack;
    int code = egret_fab_hosts_open(&y->f, &err);
    CHECK(t, code == EGRET_OK || err.text[0] != '\0');
    CHECK(t, (code == EGRET_OK) == (y->f.hosts != NULL));
    toy_close(y, &s);
    return code;
}

static void refusals(struct trace_test *t, struct toy *y)
{
    CHECK(t, refused(t, y, 1, 0, 62, 64) == EGRET_ERR_RANGE);
    CHECK(t, refused(t, y, 1, 65474, 62, 64) == EGRET_ERR_RANGE);
    CHECK(t, refused(t, y, 1, 65473, 62, 64) == EGRET_OK);
    CHECK(t, refused(t, y, 1, 4096, UINT32_MAX, 64) == EGRET_ERR_RANGE);
    CHECK(t, refused(t, y, 1, 4096, 62, 0) == EGRET_ERR_RANGE);
    CHECK(t, refused(t, y, 1, 4096, 62, 65536) == EGRET_ERR_RANGE);
    CHECK(t, refused(t, y, 0x7fffffffu, 1, 62, 64) == EGRET_OK);
    CHECK(t, refused(t, y, 0x80000000u, 1, 62, 64) == EGRET_ERR_RANGE);
    CHECK(t, refused(t, y, (uint64_t)1 << 48, 1, 62, 64) == EGRET_ERR_RANGE);
}

int main(void)
{
    struct trace_test t = {0, 0};
    struct toy *y = malloc(sizeof *y);
    if (!y) {
        return 1;
    }
    permutation(&t, y, 2, 1);
    permutation(&t, y, 2, 3);
    sizes(&t, y);
    round_robin(&t, y);
    half_rate(&t, y);
    short_pace(&t, y);
    late_start(&t, y);
    lost_data(&t, y, 2);
    lost_data(&t, y, 148); /* the last one leaves in the window of the news */
    lost_ack(&t, y);
    trimmed(&t, y, trim_data, 200u + 6u * 1620u + 3000000u + ACK_WAY);
    trimmed(&t, y, trim_and_lose_nack, 200u + 6u * 1620u + 3000000u + RTT);
    echo(&t, y);
    learning(&t, y);
    reordering(&t, y);
    many_acks(&t, y);
    window(&t, y);
    refusals(&t, y);
    free(y);
    return trace_result(&t);
}
