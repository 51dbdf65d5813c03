/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_loads.c: what stimuli do with port loads. Of a collective: ticks at whole periods, each
 * behind the queue events of the ports whose backlog is another one, silence left out, settings as
 * asked for. Random ones: ports are in many bands, choices meet them, and DRILL is there in all its
 * forms; prints the distribution.
 *
 * usage: trace_loads [events a configuration]
 */
#include <inttypes.h>
#include <stdlib.h>

#include "egret/control.h"
#include "egret/trace_make.h"
#include "trace_test.h"

struct seen {
    uint64_t packets;      /* of spray-quality that are sent, and not small */
    uint64_t small;
    uint64_t worse;        /* packets that could have met a worse band */
    uint64_t drill[3][2];  /* by d and m */
    uint64_t kept;         /* the remembered port instead of a sample */
    uint64_t left;         /* a better one instead of the remembered */
    uint64_t choice[EGRET_NUM_BANDS]; /* bands of choices */
    uint64_t live[EGRET_NUM_BANDS];   /* bands of live members */
    uint64_t ticks;
    uint64_t changes; /* ticks that put other bands in force */
};

static uint32_t read_word(struct egret *e, uint32_t addr)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_READ;
    ev.addr = addr;
    return egret_apply(e, &ev, &d) == EGRET_OK ? d.data : 0;
}

static void see_packet(struct egret *e, const struct egret_event *ev, struct seen *s)
{
    struct egret_why w;
    if (egret_explain(e, ev, &w) != EGRET_OK || w.scheme != EGRET_SCHEME_SPRAY_QUALITY ||
        w.decision.port == EGRET_PORT_DROP) {
        return;
    }
    if (w.candidates == 0) {
        s->small++;
        return;
    }
    uint32_t word6 = read_word(e, EGRET_A_GROUP(ev->group, 6));
    uint32_t d = word6 >> 26 & 3u, m = word6 >> 28 & 1u, kept = w.old_entry & 0xffu;
    s->packets++;
    s->drill[d < 2 ? d : 2][m]++;
    s->choice[w.band]++;
    bool worse = false;
    for (uint32_t p = 0; p < egret_config(e)->num_ports; p++) {
        if (w.live_members >> p & 1u) {
            uint32_t band = read_word(e, EGRET_A_PORT_LOAD(p, 2));
            s->live[band]++;
            worse |= band > w.band;
        }
    }
    s->worse += worse;
    if (d > 0 && m > 0 && w.old_entry >= EGRET_MEMORY_VALID && w.sample[0] != kept) {
        s->kept += w.choice == kept;
        s->left += w.choice != kept && (w.live_members >> kept & 1u);
    }
}

static void bands(struct egret *e, uint32_t *band)
{
    for (uint32_t p = 0; p < egret_config(e)->num_ports; p++) {
        band[p] = read_word(e, EGRET_A_PORT_LOAD(p, 2));
    }
}

static void see_tick(struct egret *e, const struct egret_event *ev, struct seen *s)
{
    uint32_t before[EGRET_MAX_PORTS] = {0}, after[EGRET_MAX_PORTS] = {0};
    struct egret_decision d;
    bands(e, before);
    (void)egret_apply(e, ev, &d);
    bands(e, after);
    s->ticks++;
    s->changes += memcmp(before, after, sizeof before) != 0;
}

static void run(struct trace_test *t, const struct egret_cfg *cfg, uint64_t events, uint32_t seed,
                struct seen *s)
{
    char path[4096];
    struct egret_trace_error err;
    struct egret_stimulus *in;
    struct egret_event ev;
    struct egret_decision d;
    struct egret *e;
    (void)trace_scratch(path, sizeof path, "trace_loads.pcap");
    CHECK(t, egret_make_random(cfg, events, seed, path, &err) == EGRET_OK);
    CHECK(t, egret_create(cfg, &e) == EGRET_OK);
    CHECK(t, egret_stimulus_open(path, &in, &err) == EGRET_OK);
    while (egret_stimulus_next(in, &ev, &err) > 0) {
        if (ev.kind == EGRET_EV_PACKET) {
            see_packet(e, &ev, s);
        }
        if (ev.kind == EGRET_EV_TICK) {
            see_tick(e, &ev, s);
        } else {
            CHECK(t, egret_apply(e, &ev, &d) == EGRET_OK);
        }
    }
    egret_stimulus_close(in);
    egret_destroy(e);
    (void)remove(path);
}

static void print(const char *name, const uint64_t *count)
{
    printf("  %-24s", name);
    for (unsigned b = 0; b < EGRET_NUM_BANDS; b++) {
        printf(" %7" PRIu64, count[b]);
    }
    printf("\n");
}

static void report(struct trace_test *t, const char *config, const struct seen *s, unsigned stimuli)
{
    uint64_t live = 0;
    printf("%s, %u stimuli: spray-quality %" PRIu64 " packets, %" PRIu64 " hashed; %" PRIu64
           " met worse bands too; %" PRIu64 " of %" PRIu64 " ticks change bands\n",
           config, stimuli, s->packets, s->small, s->worse, s->changes, s->ticks);
    print("bands of live members", s->live);
    print("bands of choices", s->choice);
    printf("  DRILL (0,x) %" PRIu64 " (1,0) %" PRIu64 " (2,0) %" PRIu64 " (1,1) %" PRIu64
           " (2,1) %" PRIu64 "; memory kept %" PRIu64 ", left %" PRIu64 "\n",
           s->drill[0][0] + s->drill[0][1], s->drill[1][0], s->drill[2][0], s->drill[1][1],
           s->drill[2][1], s->kept, s->left);
    for (unsigned b = 0; b < EGRET_NUM_BANDS; b++) {
        live += s->live[b];
    }
    for (unsigned b = 0; b < EGRET_NUM_BANDS; b++) {
        CHECK(t, s->live[b] * 100u >= live); /* each band at least one in a hundred */
        CHECK(t, s->choice[b] > 0);
    }
    CHECK(t, s->changes * 4u > s->ticks);
    CHECK(t, s->small > 0 && s->worse * 3u > s->packets);
    CHECK(t, s->kept > 0 && s->left > 0);
    for (unsigned d = 0; d < 3u; d++) {
        CHECK(t, s->drill[d][0] * 50u > s->packets && s->drill[d][1] * 50u > s->packets);
    }
}

/* ---- collectives ---- */

#define PERIOD 100u /* ns */

/* A stimulus as it is replayed, and the backlog of each port by the test's own reckoning. */
struct replay {
    struct egret *e;
    double backlog[EGRET_MAX_PORTS]; /* bytes on the wire */
    double at_ns;
    uint32_t reported[EGRET_MAX_PORTS];
    uint64_t last_tick;
    uint64_t ticks;
    uint64_t queues;
    uint32_t last_port;  /* of the queue events before the next tick */
    bool waiting;        /* for that tick */
    uint64_t wait_ns;
    uint64_t above[EGRET_NUM_BANDS]; /* uplink packets by band */
};

#define RATE 100.0 /* bytes a ns: 800 Gb/s */

static void drain(struct replay *r, uint64_t now)
{
    double gone = ((double)now - r->at_ns) * RATE;
    for (unsigned p = 0; p < EGRET_MAX_PORTS; p++) {
        r->backlog[p] = r->backlog[p] > gone ? r->backlog[p] - gone : 0;
    }
    r->at_ns = (double)now;
}

static void replay_event(struct trace_test *t, struct replay *r, const struct egret_event *ev)
{
    struct egret_decision d;
    struct egret_why w;
    if (ev->kind == EGRET_EV_PACKET) {
        CHECK(t, !r->waiting && ev->now >= r->last_tick && ev->now < r->last_tick + PERIOD + 1u);
        CHECK(t, egret_explain(r->e, ev, &w) == EGRET_OK);
        drain(r, ev->now);
        r->above[w.band] += w.candidates != 0;
        r->backlog[w.decision.port & 63u] += ev->length + 24.0;
    } else if (ev->kind == EGRET_EV_QUEUE) {
        CHECK(t, r->waiting ? ev->port > r->last_port && ev->now == r->wait_ns : 1);
        CHECK(t, ev->now % PERIOD == 0 && ev->depth != r->reported[ev->port]);
        drain(r, ev->now); /* stamps are cut to a nanosecond */
        CHECK(t, (double)ev->depth > r->backlog[ev->port] - 250 &&
                     (double)ev->depth < r->backlog[ev->port] + 250);
        r->reported[ev->port] = ev->depth;
        r->waiting = true;
        r->wait_ns = ev->now;
        r->last_port = ev->port;
        r->queues++;
    } else if (ev->kind == EGRET_EV_TICK) {
        CHECK(t, !r->waiting || ev->now == r->wait_ns);
        CHECK(t, ev->now % PERIOD == 0 && ev->now > r->last_tick);
        drain(r, ev->now);
        for (unsigned p = 0; p < 8u; p++) {
            CHECK(t, (double)r->reported[p] > r->backlog[p] - 250 &&
                         (double)r->reported[p] < r->backlog[p] + 250);
        }
        r->last_tick = ev->now;
        r->waiting = false;
        r->ticks++;
    }
    CHECK(t, egret_apply(r->e, ev, &d) == EGRET_OK);
    CHECK(t, d.kind != EGRET_RES_PACKET || d.reason <= EGRET_REASON_REPAIRED);
}

static void replay(struct trace_test *t, const struct egret_schedule *w, const struct egret_make *m,
                   const struct egret_topology *topo, struct replay *r)
{
    char path[4096];
    struct egret_trace_error err;
    struct egret_stimulus *in;
    struct egret_event ev;
    bool first = true;
    memset(r, 0, sizeof *r);
    (void)trace_scratch(path, sizeof path, "trace_loads_make.pcap");
    CHECK(t, egret_make_stimulus(topo, w, m, path, &err) == EGRET_OK);
    CHECK(t, egret_create(&m->cfg, &r->e) == EGRET_OK);
    CHECK(t, egret_stimulus_open(path, &in, &err) == EGRET_OK);
    while (egret_stimulus_next(in, &ev, &err) > 0) {
        if (first) {
            r->last_tick = ev.now / PERIOD * PERIOD;
            r->at_ns = (double)ev.now;
            first = false;
        }
        replay_event(t, r, &ev);
    }
    CHECK(t, r->last_tick > 0 && read_word(r->e, EGRET_A_WRITES_IGNORED) == 0);
    egret_stimulus_close(in);
    (void)remove(path);
}

static struct egret_make settings(void)
{
    struct egret_make m;
    memset(&m, 0, sizeof m);
    (void)egret_cfg_named("lab", &m.cfg);
    m.scheme = EGRET_SCHEME_SPRAY_QUALITY;
    m.seed = 7;
    m.payload = 4096;
    m.source_port = EGRET_SOURCE_PORT_LINUX;
    egret_hash_setup_default(&m.hash);
    m.loads = true;
    (void)egret_load_preset("htsim-ar", &m.load);
    m.buffer_bytes = 100000;
    return m;
}

static void made(struct trace_test *t)
{
    struct egret_topology topo;
    struct egret_schedule w;
    struct egret_trace_error err;
    struct egret_make m = settings();
    struct replay r;
    CHECK(t, egret_topology_load("fat-tree:8", &topo, &err) == 0);
    CHECK(t, egret_collective("permutation", topo.hosts, 500000, 0, 5, &w, &err) == 0);
    m.drill_samples = 2;
    m.drill_memory = 1;
    replay(t, &w, &m, &topo, &r);
    printf("permutation at an edge: %" PRIu64 " ticks, %" PRIu64 " queue events; uplink packets by "
           "band %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
           r.ticks, r.queues, r.above[0], r.above[1], r.above[2], r.above[3]);
    CHECK(t, r.ticks > 60u && r.queues > 100u && r.above[0] > 0 && r.above[1] > 0);
    CHECK(t, read_word(r.e, EGRET_A_LOAD_WEIGHTS) == 0x01000000u);
    CHECK(t, read_word(r.e, EGRET_A_LOAD_THRESHOLD(3)) == 3277u);
    CHECK(t, read_word(r.e, EGRET_A_QUALITY_SMALL) == 100u);
    CHECK(t, read_word(r.e, EGRET_A_PORT_LOAD(7, 1)) == 0x000153e3u); /* 50000: 21474.8 */
    CHECK(t, read_word(r.e, EGRET_A_GROUP(0, 6)) == 0x18000000u);
    CHECK(t, read_word(r.e, EGRET_A_DRILL_MEMORY(0)) >= EGRET_MEMORY_VALID);
    CHECK(t, read_word(r.e, EGRET_A_TICK_COUNT) == r.ticks);
    egret_destroy(r.e);
    egret_schedule_free(&w);
    /* two bytes with a second between them: ticks end when nothing changes any more */
    static const char text[] = "Nodes 128\nConnections 2\n0->15 id 1 start 0 size 1\n"
                               "0->15 id 2 start 1000000000000 size 1\n";
    CHECK(t, egret_cm_parse(text, sizeof text - 1u, "t.cm", 0, &w, &err) == 0);
    m.load.exponent = 3;
    struct egret_make bad = m;
    char path[4096];
    (void)trace_scratch(path, sizeof path, "trace_loads_bad.pcap");
    CHECK(t, egret_make_stimulus(&topo, &w, &m, path, &err) == EGRET_OK);
    struct egret_stimulus *in;
    struct egret_event ev;
    uint64_t ticks = 0;
    CHECK(t, egret_stimulus_open(path, &in, &err) == EGRET_OK);
    while (egret_stimulus_next(in, &ev, &err) > 0) {
        ticks += ev.kind == EGRET_EV_TICK;
        CHECK(t, ev.kind != EGRET_EV_TICK || ev.now % PERIOD == 0);
    }
    egret_stimulus_close(in);
    (void)remove(path);
    CHECK(t, ticks > 23u * 8u && ticks < 23u * 8u + 20u);
    /* what is out of range is refused by its option */
    bad.load.period_ns = 0;
    CHECK(t, egret_make_stimulus(&topo, &w, &bad, path, &err) < 0 && strstr(err.text, "--period"));
    bad.load.period_ns = 1000000000;
    CHECK(t, egret_make_stimulus(&topo, &w, &bad, path, &err) < 0 && strstr(err.text, "--period"));
    bad = m;
    bad.buffer_bytes = 0;
    CHECK(t, egret_make_stimulus(&topo, &w, &bad, path, &err) < 0 && strstr(err.text, "--buffer"));
    bad = m;
    bad.load.weight_past = 512; /* no option of its own: the parameter's name */
    CHECK(t, egret_make_stimulus(&topo, &w, &bad, path, &err) < 0 &&
                 strstr(err.text, "weight: out of range for the loads of "));
    bad = m;
    bad.load.small = 65536;
    CHECK(t, egret_make_stimulus(&topo, &w, &bad, path, &err) < 0 && strstr(err.text, "--small"));
    bad = m;
    bad.cfg.schemes &= ~(1u << EGRET_SCHEME_SPRAY_QUALITY);
    CHECK(t, egret_make_stimulus(&topo, &w, &bad, path, &err) < 0 && strstr(err.text, "SCHEMES"));
    egret_schedule_free(&w);
}

int main(int argc, char **argv)
{
    struct trace_test t = {0, 0};
    uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000;
    static const char *const config[] = {"lab", "lab_lookup3", "tor64", "p7"};
    made(&t);
    for (unsigned i = 0; i < 4u; i++) {
        struct egret_cfg cfg;
        struct seen s;
        memset(&s, 0, sizeof s);
        CHECK(&t, egret_cfg_named(config[i], &cfg) == EGRET_OK);
        for (uint32_t seed = 1; seed <= 20u; seed++) {
            run(&t, &cfg, events, seed, &s);
        }
        report(&t, config[i], &s, 20);
    }
    return trace_result(&t);
}
