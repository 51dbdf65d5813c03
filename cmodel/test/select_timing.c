/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_timing.c: the timing model against rules evaluated anew in each clock over the whole
 * history, under random valids and stalls; and the ideal driver against the step form.
 */
#include "egret/timing.h"
#include "select_test.h"

#define MAX_CLOCKS 40000

/* What has happened: the clock of each transfer. */
struct history {
    uint64_t sweep;
    uint32_t depth, latency;
    uint32_t walk; /* clocks from a tick to the next */
    uint64_t last_tick;  /* 0: none; no tick is that early */
    uint64_t last_read;  /* likewise */
    uint64_t accepted[MAX_CLOCKS]; /* packets and reads */
    uint8_t kind[MAX_CLOCKS];
    uint64_t left[MAX_CLOCKS]; /* their results */
    unsigned num_accepted, num_left;
};

static struct history h;

static void history_start(const struct egret_cfg *c)
{
    uint64_t pointers = 1, ports = 1;
    memset(&h, 0, sizeof h);
    while (pointers < (uint64_t)c->num_keys * c->num_bins + c->num_groups)
        pointers *= 2;
    while (ports < c->num_ports)
        ports *= 2;
    h.sweep = c->hash_kind == EGRET_HASH_KIND_MATRIX ? 2048 : 16;
    h.sweep = c->num_buckets > h.sweep ? c->num_buckets : h.sweep;
    h.sweep = 2 * c->num_rows * c->row_len > h.sweep ? 2 * c->num_rows * c->row_len : h.sweep;
    h.sweep = pointers > h.sweep ? pointers : h.sweep;
    h.sweep = 2 * c->num_groups > h.sweep ? 2 * c->num_groups : h.sweep;
    h.sweep = ports > h.sweep ? ports : h.sweep;
    if (c->schemes / 256 % 2) {
        h.sweep = 8 * c->num_groups > h.sweep ? 8 * c->num_groups : h.sweep;
        h.sweep = c->num_flowlets > h.sweep ? c->num_flowlets : h.sweep;
    }
    h.walk = c->num_ports + (c->schemes / 128 % 2 ? 32 : 4);
    h.depth = c->rsp_depth;
    h.latency = egret_cfg_latency(c);
}

static unsigned credits_taken(uint64_t clock)
{
    unsigned n = h.num_accepted;
    for (unsigned i = 0; i < h.num_left; i++)
        n -= h.left[i] < clock;
    return n;
}

static struct egret_timing_out expect(uint64_t clock, const struct egret_timing_in *in)
{
    struct egret_timing_out o;
    memset(&o, 0, sizeof o);
    o.clock = clock;
    o.port_ready = o.queue_ready = clock >= h.sweep;
    o.tick_ready = clock >= h.sweep && (h.last_tick == 0 || clock - h.last_tick >= h.walk);
    o.req_ready = clock >= h.sweep && (h.last_read == 0 || clock - h.last_read > 5) &&
                  credits_taken(clock) < h.depth && (!in->tick_valid || o.tick_ready);
    if (h.num_left < h.num_accepted) {
        bool read = h.kind[h.num_left] == EGRET_EV_READ;
        uint64_t due = h.accepted[h.num_left] + h.latency + (read ? 5 : 0);
        o.rsp_valid = clock >= due && (h.num_left == 0 || h.left[h.num_left - 1] < clock);
        if (o.rsp_valid)
            o.rsp_kind = read ? EGRET_RES_READ : EGRET_RES_PACKET;
    }
    o.port_transfer = o.port_ready && in->port_valid;
    o.queue_transfer = o.queue_ready && in->queue_valid;
    o.tick_transfer = o.tick_ready && in->tick_valid;
    o.req_transfer = o.req_ready && in->req_valid;
    o.rsp_transfer = o.rsp_valid && in->rsp_ready;
    return o;
}

static void note(const struct egret_timing_in *in, const struct egret_timing_out *o)
{
    if (o->tick_transfer)
        h.last_tick = o->clock;
    if (o->req_transfer && (in->req_kind == EGRET_EV_READ || in->req_kind == EGRET_EV_FAULT))
        h.last_read = o->clock;
    if (o->req_transfer && in->req_kind <= EGRET_EV_READ && in->req_kind != EGRET_EV_WRITE) {
        h.accepted[h.num_accepted] = o->clock;
        h.kind[h.num_accepted++] = in->req_kind;
    }
    if (o->rsp_transfer)
        h.left[h.num_left++] = o->clock;
}

static bool same(const struct egret_timing_out *a, const struct egret_timing_out *b)
{
    return a->clock == b->clock && a->port_ready == b->port_ready &&
           a->queue_ready == b->queue_ready && a->tick_ready == b->tick_ready &&
           a->req_ready == b->req_ready && a->rsp_valid == b->rsp_valid &&
           a->rsp_kind == b->rsp_kind && a->port_transfer == b->port_transfer &&
           a->queue_transfer == b->queue_transfer && a->tick_transfer == b->tick_transfer &&
           a->req_transfer == b->req_transfer && a->rsp_transfer == b->rsp_transfer;
}

/* Random offers. busy and open: chance of a valid and of a ready sink, in 256. */
static void random_clocks(const struct egret_cfg *cfg, uint32_t busy, uint32_t open, uint32_t reads)
{
    struct egret_timing *t = NULL;
    unsigned clocks, full = 0;
    REQUIRE(egret_timing_create(cfg, &t) == EGRET_OK);
    history_start(cfg);
    clocks = (unsigned)h.sweep + 1500;
    REQUIRE(clocks < MAX_CLOCKS);
    for (unsigned clock = 0; clock < clocks; clock++) {
        struct egret_timing_in in;
        struct egret_timing_out got, want;
        memset(&in, 0, sizeof in);
        in.port_valid = test_below(256) < busy / 4;
        in.queue_valid = test_below(256) < busy / 4;
        in.tick_valid = test_below(256) < busy / 16;
        in.req_valid = test_below(256) < busy;
        in.req_kind = (uint8_t)(test_below(256) < reads ? EGRET_EV_READ
                                : test_chance(8)        ? EGRET_EV_WRITE
                                : test_chance(12)       ? EGRET_EV_FAULT
                                                        : EGRET_EV_PACKET);
        in.rsp_ready = test_below(256) < open;
        want = expect(clock, &in);
        REQUIRE(egret_timing_step(t, &in, &got) == EGRET_OK);
        CHECK(same(&got, &want), "%s: clock %u: req_ready %d/%d tick_ready %d/%d rsp_valid %d/%d",
              cfg->name, clock, got.req_ready, want.req_ready, got.tick_ready, want.tick_ready,
              got.rsp_valid, want.rsp_valid);
        note(&in, &want);
        full += clock >= h.sweep && credits_taken(clock) == h.depth;
    }
    CHECK(open > 64 || busy < 200 || full > 10, "%s: credits ran out %u times", cfg->name, full);
    egret_timing_destroy(t);
}

static unsigned rank_of(unsigned kind)
{
    return kind == EGRET_EV_PORT ? 0 : kind == EGRET_EV_QUEUE ? 1 : kind == EGRET_EV_TICK ? 2 : 3;
}

/* The driver rule in the step form, against egret_ideal_next(). */
static void ideal(const struct egret_cfg *cfg, const uint32_t share[7])
{
    enum { EVENTS = 3000 };
    static uint8_t kind[EVENTS];
    static uint64_t transfer[EVENTS], result[EVENTS];
    struct egret_timing *t = NULL;
    struct egret_ideal d;
    unsigned next = 0, results = 0;
    uint32_t total = 0;

    for (unsigned k = 0; k < 7; k++)
        total += share[k];
    for (unsigned i = 0; i < EVENTS; i++) {
        uint32_t pick = test_below(total);
        for (kind[i] = 0; pick >= share[kind[i]]; kind[i]++)
            pick -= share[kind[i]];
    }
    REQUIRE(egret_timing_create(cfg, &t) == EGRET_OK);
    REQUIRE(egret_ideal_init(&d, cfg) == EGRET_OK);
    for (unsigned i = 0; i < EVENTS; i++)
        CHECK_EQ(egret_ideal_next(&d, kind[i], &transfer[i], &result[i]), EGRET_OK, cfg->name);
    while (next < EVENTS || results < EVENTS) {
        struct egret_timing_in in;
        struct egret_timing_out out;
        unsigned offered = 0;
        memset(&in, 0, sizeof in);
        in.rsp_ready = true;
        while (next + offered < EVENTS &&
               (offered == 0 ||
                rank_of(kind[next + offered]) > rank_of(kind[next + offered - 1]))) {
            unsigned k = kind[next + offered++];
            in.port_valid |= k == EGRET_EV_PORT;
            in.queue_valid |= k == EGRET_EV_QUEUE;
            in.tick_valid |= k == EGRET_EV_TICK;
            if (rank_of(k) == 3) {
                in.req_valid = true;
                in.req_kind = (uint8_t)k;
            }
        }
        REQUIRE(egret_timing_step(t, &in, &out) == EGRET_OK);
        if (out.rsp_transfer) {
            while (result[results] == EGRET_NO_CLOCK)
                results++;
            CHECK_EQ(result[results], out.clock, "clock of a result");
            CHECK_EQ(out.rsp_kind, kind[results] == EGRET_EV_READ ? 2 : 1, "kind of a result");
            results++;
        }
        for (unsigned moved = 0; moved < offered; moved++) {
            unsigned k = kind[next];
            if (!(k == EGRET_EV_PORT    ? out.port_transfer
                  : k == EGRET_EV_QUEUE ? out.queue_transfer
                  : k == EGRET_EV_TICK  ? out.tick_transfer
                                        : out.req_transfer))
                break;
            CHECK_EQ(transfer[next], out.clock, "clock of a transfer");
            next++;
        }
        if (next == EVENTS) { /* trailing events without a result */
            unsigned i = results;
            while (i < EVENTS && result[i] == EGRET_NO_CLOCK)
                i++;
            results = i == EVENTS ? EVENTS : results;
        }
        REQUIRE(out.clock < 1000000);
    }
    egret_timing_destroy(t);
}

static void latency(void)
{
    struct egret_cfg lab = test_cfg("lab"), l3 = test_cfg("lab_lookup3");
    struct egret_ideal d;
    uint64_t transfer, result;

    CHECK_EQ(egret_cfg_latency(&lab), 14, "lab");
    CHECK_EQ(egret_cfg_latency(&l3), 40, "lookup3");
    CHECK_EQ(egret_timing_sweep(&lab), 2048, "sweep");
    struct egret_cfg p1 = test_cfg("p1"), p2 = test_cfg("p2"), tor64 = test_cfg("tor64");
    CHECK_EQ(egret_timing_sweep(&p1), 16, "sweep: the least");
    CHECK_EQ(egret_timing_sweep(&p2), 2048, "sweep: the matrix");
    CHECK_EQ(egret_timing_sweep(&tor64), 32768, "sweep: the flowlets");
    tor64.schemes -= 256;
    tor64.num_flowlets = 0;
    CHECK_EQ(egret_timing_sweep(&tor64), 16384, "sweep: the buckets");
    p1.num_groups = 1024;
    CHECK_EQ(egret_timing_sweep(&p1), 8192, "sweep: the flowlet counters");
    REQUIRE(egret_ideal_init(&d, &lab) == EGRET_OK);
    CHECK_EQ(egret_ideal_next(&d, EGRET_EV_PACKET, &transfer, &result), EGRET_OK, "packet");
    CHECK_EQ(transfer, 2048, "the first clock after the sweep");
    CHECK_EQ(result, 2048 + egret_cfg_latency(&lab), "latency");
    CHECK_EQ(egret_ideal_next(&d, 7, &transfer, &result), EGRET_ERR_EVENT, "kind 7");
}

static void refusals(void)
{
    struct egret_cfg cfg = test_cfg("tiny"), bad = cfg;
    struct egret_timing *t = NULL;
    struct egret_timing_in in = {0};
    struct egret_timing_out out, before;
    struct egret_ideal d;
    uint64_t transfer = 99, result = 99;

    bad.num_ports = 0;
    CHECK_EQ(egret_timing_create(&bad, &t), EGRET_ERR_CONFIG, "create");
    CHECK_EQ(egret_timing_create(&cfg, NULL), EGRET_ERR_NULL, "create");
    CHECK(t == NULL, "untouched");
    CHECK_EQ(egret_timing_reset(NULL), EGRET_ERR_NULL, "reset");
    REQUIRE(egret_timing_create(&cfg, &t) == EGRET_OK);
    memset(&out, 0x5a, sizeof out);
    before = out;
    CHECK_EQ(egret_timing_step(NULL, &in, &out), EGRET_ERR_NULL, "step");
    CHECK_EQ(egret_timing_step(t, NULL, &out), EGRET_ERR_NULL, "step");
    CHECK_EQ(egret_timing_step(t, &in, NULL), EGRET_ERR_NULL, "step");
    in.req_valid = true;
    in.req_kind = EGRET_EV_READ + 1;
    CHECK_EQ(egret_timing_step(t, &in, &out), EGRET_ERR_EVENT, "a port event is no request");
    CHECK(memcmp(&out, &before, sizeof out) == 0, "untouched");
    in.req_valid = false;
    CHECK_EQ(egret_timing_step(t, &in, &out), EGRET_OK, "a kind that is not offered");
    CHECK_EQ(out.clock, 0, "no clock has passed");
    egret_timing_destroy(t);

    CHECK_EQ(egret_ideal_init(&d, &bad), EGRET_ERR_CONFIG, "ideal");
    CHECK_EQ(egret_ideal_init(NULL, &cfg), EGRET_ERR_NULL, "ideal");
    REQUIRE(egret_ideal_init(&d, &cfg) == EGRET_OK);
    CHECK_EQ(egret_ideal_next(NULL, EGRET_EV_PACKET, &transfer, &result), EGRET_ERR_NULL, "next");
    CHECK(transfer == 99 && result == 99, "untouched");
    CHECK_EQ(egret_ideal_next(&d, EGRET_EV_READ, NULL, NULL), EGRET_OK, "nobody wants to know");
    CHECK_EQ(egret_ideal_next(&d, EGRET_EV_PACKET, &transfer, NULL), EGRET_OK, "transfer alone");
    CHECK_EQ(transfer, egret_timing_sweep(&cfg) + EGRET_READ_GAP + 1, "behind a read");
    CHECK_EQ(egret_ideal_next(&d, EGRET_EV_FAULT, &transfer, &result), EGRET_OK, "fault write");
    CHECK_EQ(transfer, egret_timing_sweep(&cfg) + 7, "behind a packet");
    CHECK_EQ(result, EGRET_NO_CLOCK, "no result");
    CHECK_EQ(egret_ideal_next(&d, EGRET_EV_WRITE, &transfer, NULL), EGRET_OK, "write");
    CHECK_EQ(transfer, egret_timing_sweep(&cfg) + 13, "behind a fault write");
}

int main(void)
{
    static const uint32_t busy[] = {30, 128, 256}, open[] = {20, 128, 256}, reads[] = {0, 40, 256};
    static const uint32_t mix[][7] = {{1, 0, 0, 0, 0, 0},   {10, 3, 2, 2, 2, 1},
                                      {0, 0, 1, 0, 0, 0},   {1, 1, 1, 1, 1, 1, 1},
                                      {30, 0, 1, 0, 0, 1},  {0, 1, 0, 1, 1, 1},
                                      {20, 0, 0, 4, 4, 10}, {1, 0, 6, 0, 0, 0},
                                      {6, 0, 0, 1, 1, 1, 1}, {0, 0, 1, 0, 0, 0, 1}};

    latency();
    refusals();
    for (size_t i = 0; egret_cfg_name(i) != NULL; i++) {
        struct egret_cfg cfg = test_cfg(egret_cfg_name(i));
        for (unsigned k = 0; k < 27; k++)
            random_clocks(&cfg, busy[k % 3], open[k / 3 % 3], reads[k / 9]);
        for (size_t k = 0; k < sizeof mix / sizeof mix[0]; k++)
            ideal(&cfg, mix[k]);
    }
    return test_end();
}
