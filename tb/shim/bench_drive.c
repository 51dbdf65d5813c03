/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_drive.c: what the bench offers. The driver rule: in each clock the first event not yet
 * accepted, and those behind it while their channels rise in the order port, queue, tick, req.
 * Stalls of the source only ever offer less, and never take back what is offered. Payload of a
 * channel that is not valid is junk: random bits, or (worse) the event that comes next.
 * All from seeded xorshift generators, so that every simulator sees the same.
 */
#include "bench_internal.h"

uint32_t egret_bench_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

/* A seed of its own for each generator, never 0 (splitmix64). */
static uint32_t seed_of(uint64_t seed, uint64_t stream)
{
    uint64_t z = seed + (stream + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 32) | 1u;
}

uint32_t egret_bench_tag(uint32_t tag)
{
    return tag ^ tag << 16;
}

unsigned egret_bench_rank(const struct egret_event *ev)
{
    switch (ev->kind) {
    case EGRET_EV_PORT:
        return 1;
    case EGRET_EV_QUEUE:
        return 2;
    case EGRET_EV_TICK:
        return 3;
    default:
        return 4;
    }
}

void egret_bench_drive_reset(struct egret_bench *b)
{
    b->random_in = seed_of(b->opt.seed, 0);
    b->random_out = seed_of(b->opt.seed, 1);
    b->random_junk = seed_of(b->opt.seed, 2);
    b->pause_in = 0;
    b->pause_out = 0;
    b->next = 0;
    b->offered = 0;
}

/* True in clocks that stall: every other one, or one in four, and now and then a long pause. */
static bool stall(uint32_t *random, uint32_t *pause, uint32_t longest, uint32_t one_in)
{
    uint32_t r = egret_bench_random(random);
    if (*pause > 0) {
        (*pause)--;
        return true;
    }
    if (r % 61 == 0) {
        *pause = (r >> 16) % longest;
        return true;
    }
    return (r >> 8) % one_in == 0;
}

/* How many events from `next` on may be offered together. */
static unsigned group_at(const struct egret_bench *b)
{
    unsigned n = 0;
    unsigned rank = 0;
    while (b->next + n < b->num_events) {
        unsigned r = egret_bench_rank(&b->event[b->next + n]);
        if (r <= rank)
            break;
        rank = r;
        n++;
    }
    return n;
}

/* held: bit of each rank whose event waits; its payload must not move. */
static void junk(struct egret_bench *b, unsigned held)
{
    struct egret_bench_in *in = &b->now;
    uint32_t r = egret_bench_random(&b->random_junk);
    if ((held & 1u << 1) == 0) {
        in->port_id = (uint8_t)r;
        in->port_up = r >> 8 & 1u;
    }
    if ((held & 1u << 2) == 0) {
        in->queue_id = (uint8_t)(r >> 9);
        in->queue_depth = r * 0x9e3779b9u;
    }
    if ((held & 1u << 3) == 0)
        in->tick_now = (uint64_t)r * 0x9e3779b1u & 0xffffffffffffu;
    if ((held & 1u << 4) != 0)
        return;
    in->req_kind = (uint8_t)(r >> 17 & 3u);
    in->req_bin = (uint8_t)(r >> 19 & 3u);
    in->req_class = (uint8_t)(r >> 21 & 15u);
    in->req_now = (uint64_t)r << 16 ^ r;
    in->req_group = (uint16_t)(r >> 7 & 31u);
    in->req_key = (uint16_t)(r >> 11 & 63u);
    in->req_length = (uint16_t)(r >> 16);
    in->req_tag = ~r;
    in->req_entropy = r ^ 0xa5a5a5a5u;
    in->req_addr = (r << 4 | r >> 28) & 0xffffffu;
    in->req_data = r ^ r >> 16;
    if ((r & 0x70u) != 0)
        return; /* records cost Icarus much time: a new one now and then will do */
    for (unsigned i = 0; i < EGRET_RECORD_WORDS; i++) {
        in->req_record[i] = r;
        r = r << 3 | r >> 29;
    }
}

static void record_words(const uint8_t record[EGRET_RECORD_BYTES],
                         uint32_t word[EGRET_RECORD_WORDS])
{
    for (unsigned i = 0; i < EGRET_RECORD_WORDS; i++)
        word[i] = 0;
    for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++) {
        unsigned at = EGRET_RECORD_BYTES - 1 - i; /* byte 0 is the most significant one */
        word[at / 4] |= (uint32_t)record[i] << (8 * (at % 4));
    }
}

static void request_payload(struct egret_bench_in *in, const struct egret_event *ev)
{
    in->req_kind = egret_bench_req_kind(ev->kind);
    in->req_now = ev->now & 0xffffffffffffu;
    if (ev->kind == EGRET_EV_PACKET) {
        in->req_tag = egret_bench_tag(ev->tag);
        in->req_group = ev->group;
        in->req_key = ev->key;
        in->req_bin = ev->bin;
        in->req_class = ev->cls & 15u;
        in->req_length = ev->length;
        in->req_entropy = ev->entropy;
        record_words(ev->record, in->req_record);
    } else {
        in->req_addr = ev->addr & 0xffffffu;
        if (ev->kind == EGRET_EV_READ)
            in->req_tag = egret_bench_tag(in->req_addr);
        else
            in->req_data = ev->data;
    }
}

static void payload(struct egret_bench_in *in, const struct egret_event *ev)
{
    switch (ev->kind) {
    case EGRET_EV_PORT:
        in->port_id = (uint8_t)ev->port;
        in->port_up = ev->up & 1u;
        break;
    case EGRET_EV_QUEUE:
        in->queue_id = (uint8_t)ev->port;
        in->queue_depth = ev->depth;
        break;
    case EGRET_EV_TICK:
        in->tick_now = ev->now & 0xffffffffffffu;
        break;
    default:
        request_payload(in, ev);
        break;
    }
}

static void set_valid(struct egret_bench_in *in, unsigned rank)
{
    in->port_valid |= rank == 1;
    in->queue_valid |= rank == 2;
    in->tick_valid |= rank == 3;
    in->req_valid |= rank == 4;
}

void egret_bench_drive(struct egret_bench *b)
{
    struct egret_bench_in *in = &b->now;
    unsigned group = group_at(b);
    unsigned waiting = b->offered;
    unsigned held = 0;
    bool pause = b->opt.stall_in && stall(&b->random_in, &b->pause_in, 40, 2);
    while (b->offered < group && !pause) {
        b->offered++;
        pause = b->opt.stall_in && egret_bench_random(&b->random_in) % 3 == 0;
    }
    in->rst = false;
    in->rsp_ready = !(b->opt.stall_out && stall(&b->random_out, &b->pause_out, 64, 4));
    in->port_valid = in->queue_valid = in->tick_valid = in->req_valid = false;

    for (unsigned i = 0; i < waiting; i++) {
        unsigned rank = egret_bench_rank(&b->event[b->next + i]);
        held |= 1u << rank;
        set_valid(in, rank);
    }
    junk(b, held);
    size_t ahead = b->next + b->offered;
    if (ahead < b->num_events && (b->random_junk & 0x10000u) != 0 &&
        (held & 1u << egret_bench_rank(&b->event[ahead])) == 0)
        payload(in, &b->event[ahead]);
    for (unsigned i = waiting; i < b->offered; i++) {
        const struct egret_event *ev = &b->event[b->next + i];
        set_valid(in, egret_bench_rank(ev));
        payload(in, ev);
    }
}
