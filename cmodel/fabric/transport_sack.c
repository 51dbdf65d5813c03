/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transport_sack.c: fixed rate, selective ACKs. A packet is sent again before new ones
 *   - once, if a sequence higher by reorder_threshold is acknowledged and it is not;
 *   - at once, if a NACK says that it was trimmed;
 *   - with all others that are out, if for rto_ps no packet of the message left and no new ACK
 *     came. rto_ps 0: three base RTTs and the time in which the buffers of the longest way drain.
 * An ACK says all that has arrived so far, as a cumulative number and blocks would, without end: a
 * lost one is made up for by the next. In the packet that is a number alone, how many packets of
 * the message have arrived: which those were, the receiver has written down, in the order in which
 * they came. It writes an entry once, before it sends the first ACK that counts it; the sender
 * reads no entry before such an ACK is there, windows later. So nothing depends on threads. A NACK
 * names its packet and speaks of no other. What is out and not known to be lost is limited to
 * window_packets.
 */
#include <string.h>

#include "host.h"

/* 64 packets of a message at its sender. */
struct sender_word {
    uint64_t acked;
    uint64_t again;  /* waits to be sent again */
    uint64_t resent; /* was sent again */
};
struct sack {
    uint64_t rto_ps;
    size_t *word;     /* by operation: first of its words, sender and receiver alike */
    size_t *first;    /* by operation: first of its entries in `order` */
    uint32_t *cursor; /* by operation: no bit in `again` below this word */
    struct sender_word *out;
    uint64_t *in;    /* arrived */
    uint32_t *order; /* sequences of a message as they arrived, each once */
};

static uint64_t default_rto(const struct egret_fabric *f)
{
    const struct egret_topology *t = &f->spec.topology;
    uint64_t rto = 3u * egret_fab_base_rtt(f);
    for (uint32_t q = 0; q < EGRET_FABRIC_QUEUES; q++) {
        uint32_t link = q <= EGRET_QUEUE_AGG_UP ? q : EGRET_QUEUE_EDGE_DOWN - q;
        uint64_t bytes = f->spec.buffer_bytes[q];
        if (link < t->tiers && t->rate_mbps[link] > 0 && bytes < UINT64_MAX / 8000000u / 8u) {
            rto += bytes * 8000000u / t->rate_mbps[link];
        }
    }
    return rto;
}

static int sack_open(struct egret_fabric *f, struct egret_trace_error *err)
{
    struct fab_hosts *hs = f->hosts;
    size_t ops = f->work->ops;
    struct sack *s = calloc(1, sizeof *s);
    hs->transport_state = s;
    if (s) {
        s->rto_ps = f->spec.rto_ps ? f->spec.rto_ps : default_rto(f);
        s->rto_ps = s->rto_ps < UINT64_MAX / 4u ? s->rto_ps : UINT64_MAX / 4u;
        s->word = egret_fab_array(ops, sizeof *s->word);
        s->first = egret_fab_array(ops, sizeof *s->first);
        s->cursor = egret_fab_array(ops, sizeof *s->cursor);
    }
    if (!s || !s->word || !s->first || !s->cursor) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    size_t words = 0; /* below 2^28 operations of 2^31 packets: no overflow */
    size_t packets = 0;
    for (size_t i = 0; i < ops; i++) {
        s->word[i] = words;
        s->first[i] = packets;
        words += (hs->out[i].packets + 63u) / 64u;
        packets += hs->out[i].packets;
    }
    s->out = calloc(words, sizeof *s->out); /* memory that no packet needs is not touched */
    s->in = calloc(words, sizeof *s->in);
    s->order = calloc(packets, sizeof *s->order);
    if (!s->out || !s->in || !s->order) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY,
                                "no memory for the selective ACKs of all messages");
    }
    return EGRET_OK;
}

static void sack_close(struct fab_hosts *hs)
{
    struct sack *s = hs->transport_state;
    if (s) {
        free(s->word);
        free(s->first);
        free(s->cursor);
        free(s->out);
        free(s->in);
        free(s->order);
        free(s);
    }
}

static uint32_t out_now(const struct fab_out *o)
{
    return o->sent - o->acked - o->due;
}

static uint64_t start(struct fab_hosts *hs, uint64_t now, struct fab_out *o)
{
    const struct sack *s = hs->transport_state;
    o->progress = now;
    return now + s->rto_ps;
}

static bool ready(const struct fab_hosts *hs, const struct fab_out *o)
{
    uint32_t window = hs->fabric->spec.window_packets;
    return (o->due > 0 || o->sent < o->packets) && (window == 0 || out_now(o) < window);
}

/* The lowest sequence that waits to be sent again; there is one. */
static uint32_t take_again(struct sack *s, uint32_t op, struct fab_out *o)
{
    struct sender_word *word = s->out + s->word[op];
    uint32_t i = s->cursor[op];
    while (word[i].again == 0) {
        i++;
    }
    uint64_t bit = word[i].again & (~word[i].again + 1u);
    word[i].again ^= bit;
    word[i].resent |= bit;
    s->cursor[op] = i;
    o->due--;
    return i * 64u + (uint32_t)__builtin_ctzll(bit);
}

static bool next(struct fab_worker *w, uint64_t now, uint32_t op, struct fab_out *o,
                 uint32_t *sequence)
{
    struct fab_hosts *hs = w->fabric->hosts;
    o->progress = now;
    if (o->due == 0) {
        *sequence = o->sent++;
    } else {
        *sequence = take_again(hs->transport_state, op, o);
        w->totals.resent++;
    }
    return ready(hs, o);
}

static void send_again(struct sack *s, uint32_t op, struct fab_out *o, uint32_t sequence)
{
    uint32_t i = sequence / 64u;
    s->out[s->word[op] + i].again |= (uint64_t)1 << (sequence % 64u);
    s->cursor[op] = o->due == 0 || i < s->cursor[op] ? i : s->cursor[op];
    o->due++;
}

/* Those that reorder_threshold sequences have overtaken. Each is looked at once. */
static void find_lost(struct sack *s, uint32_t op, struct fab_out *o, uint32_t threshold)
{
    for (; o->scan < o->highest && o->highest - o->scan > threshold; o->scan++) {
        const struct sender_word *word = &s->out[s->word[op] + o->scan / 64u];
        if (!((word->acked | word->again | word->resent) >> (o->scan % 64u) & 1u)) {
            send_again(s, op, o, o->scan);
        }
    }
}

static void acknowledged(struct sack *s, uint32_t op, struct fab_out *o, uint32_t sequence)
{
    struct sender_word *word = &s->out[s->word[op] + sequence / 64u];
    uint64_t bit = (uint64_t)1 << (sequence % 64u);
    word->acked |= bit;
    if (word->again & bit) {
        word->again ^= bit;
        o->due--;
    }
    if (sequence >= o->highest) {
        o->highest = sequence + 1u;
    }
}

static void nack(struct sack *s, const struct fab_packet *p, struct fab_out *o)
{
    const struct sender_word *word = &s->out[s->word[p->flow] + p->sequence / 64u];
    if (!((word->acked | word->again) >> (p->sequence % 64u) & 1u)) {
        send_again(s, p->flow, o, p->sequence);
    }
}

static bool answer(struct fab_worker *w, const struct fab_packet *p, struct fab_out *o)
{
    struct sack *s = w->fabric->hosts->transport_state;
    if (p->flags & FAB_TRIMMED) {
        nack(s, p, o);
        return false;
    }
    if (p->sequence <= o->acked) {
        return false; /* an ACK that was sent later was here before */
    }
    while (o->acked < p->sequence) {
        acknowledged(s, p->flow, o, s->order[s->first[p->flow] + o->acked++]);
    }
    o->progress = p->time;
    find_lost(s, p->flow, o, w->fabric->spec.reorder_threshold);
    return o->acked == o->packets;
}

static bool arrive(struct fab_hosts *hs, const struct fab_packet *p)
{
    struct sack *s = hs->transport_state;
    uint64_t *word = &s->in[s->word[p->flow] + p->sequence / 64u];
    uint64_t bit = (uint64_t)1 << (p->sequence % 64u);
    if (*word & bit) {
        return false;
    }
    *word |= bit;
    s->order[s->first[p->flow] + hs->in[p->flow].received] = p->sequence;
    return true;
}

static uint64_t timer(struct fab_hosts *hs, uint64_t now, uint32_t op, struct fab_out *o)
{
    struct sack *s = hs->transport_state;
    if (o->progress + s->rto_ps > now) {
        return o->progress + s->rto_ps;
    }
    o->progress = now;
    if (out_now(o) > 0) {
        struct sender_word *word = s->out + s->word[op];
        for (uint32_t i = 0; i * 64u < o->sent; i++) {
            uint32_t left = o->sent - i * 64u;
            uint64_t sent = left < 64u ? ((uint64_t)1 << left) - 1u : ~(uint64_t)0;
            word[i].again = sent & ~word[i].acked;
        }
        o->due = o->sent - o->acked;
        s->cursor[op] = 0;
    }
    return now + s->rto_ps;
}

const struct fab_transport egret_fab_transport_sack = {.open = sack_open,
                                                       .close = sack_close,
                                                       .retracts = true,
                                                       .start = start,
                                                       .ready = ready,
                                                       .next = next,
                                                       .arrive = arrive,
                                                       .answer = answer,
                                                       .timer = timer};
