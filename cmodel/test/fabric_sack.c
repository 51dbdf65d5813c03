/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_sack.c: the sack transport: what is sent again, and when. Times by hand as in
 * fabric_host.c: an answer is in 6,253,320 ps after its packet's start; the reorder threshold is 3.
 */
#include "fabric_toy.h"

#define D 41780u
#define RTT 6253320u
#define DATA_WAY 3249480u

static void open_one(struct trace_test *t, struct toy *y, struct egret_schedule *s,
                     uint32_t packets, toy_fate_fn fate)
{
    *s = (struct egret_schedule){.ranks = 2};
    message(s, 0, 1, 4096u * packets);
    seal(t, s);
    toy_open(y, t, s, 2, 1);
    y->f.spec.transport = EGRET_TRANSPORT_SACK;
    y->fate = fate;
}

static void run(struct trace_test *t, struct toy *y)
{
    CHECK(t, toy_run(y, 400) == EGRET_OK);
    CHECK(t, toy_unfinished(y) == 0);
}

/* Start of the copy number `copy` of a data packet of place 0. */
static uint64_t copy_start(const struct toy *y, uint32_t sequence, unsigned copy)
{
    for (size_t k = 0; k < y->sents; k++) {
        const struct fab_packet *p = &y->sent[k].p;
        if (p->src == 0 && !(p->flags & FAB_ACK) && p->sequence == sequence && copy-- == 0) {
            return y->sent[k].start;
        }
    }
    return FAB_NEVER;
}

static void no_loss(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 1u << 20);
    message(&s, 1, 0, 1u << 20);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->f.spec.transport = EGRET_TRANSPORT_SACK;
    run(t, y);
    CHECK(t, y->worker[0].totals.last_sent_ps == 17056940u);
    CHECK(t, y->worker[0].totals.resent == 0 && y->worker[0].totals.data_received == 512u);
    toy_close(y, &s);
}

/* `left` copies of one sequence are lost. */
static struct toy_fate lose(struct toy *y, const struct fab_packet *p, uint32_t sequence)
{
    struct toy_fate fate = {.lost =
                                p->sequence == sequence && !(p->flags & FAB_ACK) && y->left > 0};
    y->left -= fate.lost;
    return fate;
}
static struct toy_fate lose_2(struct toy *y, const struct fab_packet *p)
{
    return lose(y, p, 2);
}
static struct toy_fate lose_9(struct toy *y, const struct fab_packet *p)
{
    return lose(y, p, 9);
}

/* Packet 2 of 10: the ACK of 5 tells. */
static void by_threshold(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, lose_2);
    y->left = 1;
    run(t, y);
    const struct egret_fabric_totals *x = &y->worker[0].totals;
    CHECK(t, copy_start(y, 2, 1) == 200u + 5u * D + RTT);
    CHECK(t, copy_start(y, 2, 2) == FAB_NEVER);
    CHECK(t, x->resent == 1u && x->data_sent == 11u && x->data_received == 10u);
    CHECK(t, x->acks_sent == 10u && x->messages_done == 1u);
    CHECK(t, x->reordered == 1u && x->reorder_extent == 7u);
    CHECK(t, x->last_done_ps == 200u + 5u * D + RTT + DATA_WAY);
    CHECK(t, x->last_sent_ps == 200u + 5u * D + 2u * RTT);
    toy_close(y, &s);
}

/* Twice: the threshold works once, then nothing comes for a time-out. */
static void by_timeout(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, lose_2);
    y->left = 2;
    y->f.spec.rto_ps = 20u * US;
    run(t, y);
    uint64_t last_ack = 200u + 9u * D + RTT;
    CHECK(t, copy_start(y, 2, 2) == last_ack + 20u * US);
    CHECK(t, y->worker[0].totals.resent == 2u && y->worker[0].totals.data_received == 10u);
    toy_close(y, &s);
}

/* What a NIC has to send goes out in its time, whatever a timer of another message brings behind
 * it: B starts 60 ns before A's time-out, and has its third packet ahead of A's in the round. */
static void timeout_beside(struct trace_test *t, struct toy *y)
{
    uint64_t out = 200u + 8u * D + RTT + 20u * US;
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 40960);
    message(&s, 0, 1, 3u * 4096u);
    seal(t, &s);
    s.op[1].start_ps = out - 60000u;
    toy_open(y, t, &s, 2, 1);
    y->f.spec.transport = EGRET_TRANSPORT_SACK;
    y->f.spec.rto_ps = 20u * US;
    y->fate = lose_9;
    y->left = 1;
    run(t, y);
    for (size_t i = 0; i < 4; i++) {
        CHECK(t, toy_start(y, 0, false, 10u + i) == out - 60000u + i * D);
    }
    CHECK(t, copy_start(y, 9, 1) == out - 60000u + 3u * D);
    toy_close(y, &s);
}

/* The last one: no later ACK tells. rto_ps 0: 3 RTTs, and 800 KB in each of six queues, 8 us each
 * at 800 Gb/s. */
static void default_timeout(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, lose_9);
    y->left = 1;
    for (unsigned i = 0; i < EGRET_FABRIC_QUEUES; i++) {
        y->f.spec.buffer_bytes[i] = 800000;
    }
    run(t, y);
    CHECK(t, copy_start(y, 9, 1) == 200u + 8u * D + RTT + 3u * RTT + 48u * US);
    toy_close(y, &s);
}

static struct toy_fate trim_0(struct toy *y, const struct fab_packet *p)
{
    struct toy_fate fate = lose(y, p, 0);
    fate.flags = fate.lost ? FAB_TRIMMED : 0;
    fate.lost = false;
    return fate;
}

/* Ahead of the new packets, and not again by the threshold. The NACK is in at 6,253,520; packet 149
 * is on the link until 6,267,200. */
static void by_nack(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 200, trim_0);
    y->left = 1;
    run(t, y);
    CHECK(t, copy_start(y, 149, 0) == 200u + 149u * D);
    CHECK(t, copy_start(y, 0, 1) == 200u + 150u * D);
    CHECK(t, copy_start(y, 150, 0) == 200u + 151u * D);
    CHECK(t, copy_start(y, 0, 2) == FAB_NEVER);
    CHECK(t, y->worker[0].totals.resent == 1u && y->worker[0].totals.data_received == 200u);
    toy_close(y, &s);
}

static void window(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 30, NULL);
    y->f.spec.window_packets = 10;
    run(t, y);
    CHECK(t, copy_start(y, 9, 0) == 200u + 9u * D);
    CHECK(t, copy_start(y, 10, 0) == 200u + RTT);
    CHECK(t, copy_start(y, 29, 0) == 200u + 9u * D + 2u * RTT);
    CHECK(t, y->worker[0].totals.resent == 0);
    toy_close(y, &s);
}

static struct toy_fate late_0(struct toy *y, const struct fab_packet *p)
{
    struct toy_fate fate = lose(y, p, 0);
    fate.late = fate.lost ? 10u * US : 0;
    fate.lost = false;
    return fate;
}

/* Sent again for nothing: it counts once, each copy has its ACK. */
static void twice(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, late_0);
    y->left = 1;
    /* The message is over before the late copy's ACK: another keeps the run going. */
    egret_fab_hosts_close(&y->f);
    egret_schedule_free(&s);
    s = (struct egret_schedule){.ranks = 2};
    message(&s, 0, 1, 40960);
    message(&s, 0, 1, 1);
    seal(t, &s);
    s.op[1].start_ps = 30u * US;
    run(t, y);
    const struct egret_fabric_totals *x = &y->worker[0].totals;
    CHECK(t, copy_start(y, 0, 1) == 200u + 3u * D + RTT);
    CHECK(t, x->resent == 1u && x->data_sent == 12u && x->data_received == 11u);
    CHECK(t, x->acks_sent == 12u && x->messages_done == 2u);
    CHECK(t, x->reordered == 1u);
    toy_close(y, &s);
}

/* The second ACK of a packet, while others are out, counts for nothing: 600 packets and the one
 * sent again leave back to back, and the last ACK ends it. */
static void second_ack(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 600, late_0);
    y->left = 1;
    run(t, y);
    CHECK(t, y->worker[0].totals.resent == 1u && y->worker[0].totals.data_received == 600u);
    CHECK(t, y->worker[0].totals.last_sent_ps == 200u + 600u * D + RTT);
    toy_close(y, &s);
}

/* ---- lost ACKs: the next one says what they said ---- */

static bool is_ack(struct toy *y, const struct fab_packet *p)
{
    return (p->flags & FAB_ACK) && y->left > 0 && --y->left == 0;
}

/* ACK number `left`, from 1, is lost. */
static struct toy_fate lose_ack(struct toy *y, const struct fab_packet *p)
{
    return (struct toy_fate){.lost = is_ack(y, p)};
}

/* The ACK of packet 2 of 10 alone: nothing is sent again, nothing takes longer. */
static void lost_ack(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, lose_ack);
    y->left = 3;
    run(t, y);
    const struct egret_fabric_totals *x = &y->worker[0].totals;
    CHECK(t, y->left == 0 && x->acks_sent == 10u);
    CHECK(t, x->resent == 0 && x->data_sent == 10u && x->data_received == 10u);
    CHECK(t, x->last_sent_ps == 200u + 9u * D + RTT);
    toy_close(y, &s);
}

/* All but the last. */
static struct toy_fate lose_9_acks(struct toy *y, const struct fab_packet *p)
{
    bool ack = (p->flags & FAB_ACK) && y->left > 0;
    y->left -= ack;
    return (struct toy_fate){.lost = ack};
}
static void lost_acks(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, lose_9_acks);
    y->left = 9;
    run(t, y);
    CHECK(t, y->left == 0 && y->worker[0].totals.resent == 0);
    CHECK(t, y->worker[0].totals.last_sent_ps == 200u + 9u * D + RTT);
    toy_close(y, &s);
}

/* The last one: none behind it. The time-out, from the ACK of 8 on, sends packet 9 again, once and
 * no other; the receiver has it, and its ACK says so. */
static void last_ack_lost(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, lose_ack);
    y->left = 10;
    y->f.spec.rto_ps = 20u * US;
    run(t, y);
    const struct egret_fabric_totals *x = &y->worker[0].totals;
    uint64_t again = 200u + 8u * D + RTT + 20u * US;
    CHECK(t, copy_start(y, 9, 1) == again && copy_start(y, 9, 2) == FAB_NEVER);
    CHECK(t, x->resent == 1u && x->data_sent == 11u && x->data_received == 10u);
    CHECK(t, x->acks_sent == 11u && x->messages_done == 1u);
    CHECK(t, x->last_done_ps == 200u + 9u * D + DATA_WAY && x->last_sent_ps == again + RTT);
    toy_close(y, &s);
}

/* The last three ACKs are lost, and at the time-out the copy of packet 7, too. The copy of 8 is the
 * second at the receiver: its ACK says that 7 had arrived as well, and all is over. */
static struct toy_fate lose_tail(struct toy *y, const struct fab_packet *p)
{
    if (p->flags & FAB_ACK) {
        y->left += y->left < 10u;
        return (struct toy_fate){.lost = y->left >= 8u && toy_start(y, 0, false, 10) == FAB_NEVER};
    }
    return (struct toy_fate){.lost = p->sequence == 7u && y->left == 10u};
}
static void second_copy(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, lose_tail);
    y->f.spec.rto_ps = 20u * US;
    run(t, y);
    uint64_t again = 200u + 6u * D + RTT + 20u * US;
    CHECK(t, copy_start(y, 7, 1) == again && copy_start(y, 7, 2) == FAB_NEVER);
    CHECK(t, copy_start(y, 8, 1) == again + D && copy_start(y, 9, 1) == again + 2u * D);
    CHECK(t, y->worker[0].totals.resent == 3u && y->worker[0].totals.data_received == 10u);
    CHECK(t, y->worker[0].totals.last_sent_ps == again + D + RTT);
    toy_close(y, &s);
}

/* Packet 0 arrives behind 2, and its ACK, the third, is lost: the fourth says 1, 2, 0, 3. */
static struct toy_fate late_0_no_ack(struct toy *y, const struct fab_packet *p)
{
    if (p->flags & FAB_ACK) {
        return lose_ack(y, p);
    }
    return (struct toy_fate){.late = p->sequence == 0 ? 5u * D / 2u : 0};
}
static void filled(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, late_0_no_ack);
    y->left = 3;
    run(t, y);
    CHECK(t, y->worker[0].totals.reordered == 1u && y->worker[0].totals.resent == 0);
    CHECK(t, y->worker[0].totals.last_sent_ps == 200u + 9u * D + RTT);
    toy_close(y, &s);
}

/* The first ACK comes behind all others: it says nothing new, and nobody waits for it. */
static struct toy_fate late_ack(struct toy *y, const struct fab_packet *p)
{
    return (struct toy_fate){.late = is_ack(y, p) ? 3u * US : 0};
}
static void overtaken(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 100, late_ack);
    y->left = 1;
    run(t, y);
    CHECK(t, y->worker[0].totals.resent == 0);
    CHECK(t, y->worker[0].totals.last_sent_ps == 200u + 99u * D + RTT);
    toy_close(y, &s);
}

/* Packet 0 is late, so it is sent again and comes twice. The second one's ACK says nothing new: the
 * time-out of 9, which is lost, counts from the ACK of the first. */
static struct toy_fate late_0_lose_9(struct toy *y, const struct fab_packet *p)
{
    struct toy_fate fate = lose(y, p, 9);
    fate.late = y->sents == 1u ? 10u * US : 0;
    return fate;
}
static void nothing_new(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 10, late_0_lose_9);
    y->left = 1;
    y->f.spec.rto_ps = 20u * US;
    run(t, y);
    CHECK(t, copy_start(y, 0, 1) == 200u + 3u * D + RTT);
    CHECK(t, copy_start(y, 9, 1) == 200u + 3u * D + 2u * RTT + 20u * US);
    CHECK(t, y->worker[0].totals.resent == 2u && y->worker[0].totals.data_received == 10u);
    toy_close(y, &s);
}

/* A window of 10: the second ACK makes room for two, 10 and 11, and the third for 12 behind them.
 */
static void window_and_loss(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    open_one(t, y, &s, 30, lose_ack);
    y->f.spec.window_packets = 10;
    y->left = 1;
    run(t, y);
    for (uint32_t i = 0; i < 9; i++) {
        CHECK(t, copy_start(y, 10u + i, 0) == 200u + (1u + i) * D + RTT);
    }
    CHECK(t, y->worker[0].totals.resent == 0);
    toy_close(y, &s);
}

/* A time-out shorter than the RTT does no harm while packets leave, and ends with its message: of
 * the two timers one is left, that of the message that starts at 200 us. */
static void short_timeout(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 400u * 4096u);
    message(&s, 0, 1, 400u * 4096u);
    seal(t, &s);
    s.op[1].start_ps = 200u * US;
    toy_open(y, t, &s, 2, 1);
    y->f.spec.transport = EGRET_TRANSPORT_SACK;
    y->f.spec.rto_ps = 5u * US;
    run(t, y);
    CHECK(t, y->worker[0].totals.resent == 0);
    CHECK(t, y->f.hosts->node[0].timers == 1u);
    toy_close(y, &s);
}

static struct toy_fate late_a(struct toy *y, const struct fab_packet *p)
{
    bool late = p->flow == 0 && p->sequence == 0 && !(p->flags & FAB_ACK) && y->left > 0;
    y->left -= late;
    return (struct toy_fate){.late = late ? 256480u : 0};
}

/* The ACK comes between the decision to send again and the next free time of the link: message B
 * has packet 165 on it from 6,476,100 to 6,517,880, the ACK of A's packet 3 is in at 6,504,200,
 * that of its packet 0 at 6,510,000. B goes on without a gap. */
static void retracted(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 2};
    message(&s, 0, 1, 40960);
    message(&s, 0, 1, 400u * 4096u);
    seal(t, &s);
    toy_open(y, t, &s, 2, 1);
    y->f.spec.transport = EGRET_TRANSPORT_SACK;
    y->fate = late_a;
    y->left = 1;
    run(t, y);
    CHECK(t, y->worker[0].totals.resent == 0 && y->worker[0].totals.data_sent == 410u);
    for (size_t i = 0; i < 410; i++) {
        CHECK(t, toy_start(y, 0, false, i) == 200u + i * D);
    }
    toy_close(y, &s);
}

/* One in three lost, data and ACKs: it ends, each packet counts once. */
static struct toy_fate lossy(struct toy *y, const struct fab_packet *p)
{
    (void)p;
    return (struct toy_fate){.lost = fab_mix(y->left++) % 3u == 0};
}

static void storm(struct trace_test *t, struct toy *y, uint32_t transport, uint32_t window_packets)
{
    struct egret_schedule s = {.ranks = 4};
    for (uint32_t i = 0; i < 12; i++) {
        message(&s, i % 4u, (i + 1u) % 4u, 100000u * (i + 1u));
    }
    seal(t, &s);
    toy_open(y, t, &s, 4, 1);
    y->f.spec.transport = transport;
    y->f.spec.window_packets = window_packets;
    y->fate = lossy;
    CHECK(t, toy_run(y, 20000) == EGRET_OK);
    CHECK(t, toy_unfinished(y) == 0);
    uint64_t packets = 0;
    for (uint32_t i = 1; i <= 12; i++) {
        packets += (100000u * i + 4095u) / 4096u;
    }
    CHECK(t, y->worker[0].totals.data_received == packets);
    CHECK(t, y->worker[0].totals.data_sent == packets + y->worker[0].totals.resent);
    CHECK(t, y->worker[0].totals.messages_done == 12u);
    toy_close(y, &s);
}

int main(void)
{
    struct trace_test t = {0, 0};
    struct toy *y = malloc(sizeof *y);
    if (!y) {
        return 1;
    }
    no_loss(&t, y);
    by_threshold(&t, y);
    by_timeout(&t, y);
    timeout_beside(&t, y);
    default_timeout(&t, y);
    by_nack(&t, y);
    window(&t, y);
    twice(&t, y);
    second_ack(&t, y);
    lost_ack(&t, y);
    lost_acks(&t, y);
    last_ack_lost(&t, y);
    second_copy(&t, y);
    filled(&t, y);
    overtaken(&t, y);
    nothing_new(&t, y);
    window_and_loss(&t, y);
    short_timeout(&t, y);
    retracted(&t, y);
    storm(&t, y, EGRET_TRANSPORT_SACK, 0);
    storm(&t, y, EGRET_TRANSPORT_SACK, 7);
    storm(&t, y, EGRET_TRANSPORT_IDEAL, 0);
    storm(&t, y, EGRET_TRANSPORT_IDEAL, 7);
    free(y);
    return trace_result(&t);
}
