/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_results.c: sums of links, nodes and workers, utilisation over time; all values by hand.
 */
#include "core.h"
#include "sample.h"
#include "trace_test.h"

#define NEAR(t, a, b) CHECK(t, (a) > (b)-1e-9 && (a) < (b) + 1e-9)

struct fixture {
    struct egret_fabric f;
    struct fab_worker worker[2];
    struct fab_link link[3];
    struct fab_node node[2];
    uint32_t place[16];
    struct egret_schedule w;
};

/* fat-tree:4, two workers. Links 0 and 1 are of tier edge-up: 800 Gb/s, 10 ps a byte, and 3000
 * Mb/s, no whole number. Link 2 is idle. */
static void open_fixture(struct fixture *x)
{
    memset(x, 0, sizeof *x);
    if (egret_topology_load("fat-tree:4", &x->f.spec.topology, NULL) != EGRET_OK) {
        exit(2);
    }
    egret_fabric_defaults(&x->f.spec);
    x->f.worker = x->worker;
    x->f.workers = 2;
    x->f.link = x->link;
    x->f.links = 3;
    x->f.node = x->node;
    x->f.nodes = 2;
    x->f.place = x->place;
    x->f.work = &x->w;
    for (uint32_t i = 0; i < 16u; i++) {
        x->place[i] = i;
    }
    x->link[0].byte_ps = 10;
    x->link[0].mbps = 800000;
    x->link[1].mbps = 3000;
    x->link[2].byte_ps = 10;
    x->link[2].mbps = 800000;
    x->link[0].tier = x->link[1].tier = EGRET_QUEUE_EDGE_UP;
    x->link[2].tier = EGRET_QUEUE_AGG_UP;
}

static void close_fixture(struct fixture *x)
{
    egret_fab_samples_close(&x->f);
    egret_schedule_free(&x->w);
}

static void schedule(struct fixture *x, uint32_t ranks, uint32_t skip, uint64_t bytes)
{
    x->w.ranks = ranks;
    for (uint32_t i = 0; i < ranks; i++) {
        if (egret_schedule_message(&x->w, i, (i + skip) % ranks, bytes, NULL) != EGRET_OK) {
            exit(2);
        }
    }
    if (egret_schedule_seal(&x->w, "test", NULL, NULL) != EGRET_OK) {
        exit(2);
    }
}

static void sums(struct trace_test *t)
{
    struct fixture x;
    open_fixture(&x);
    schedule(&x, 16, 8, 4096);
    /* 3 packets, 600 ps in all: 60 bytes, 20 a packet; 1 packet, 8000 ps: 3 bytes. */
    x.link[0].packets = 3;
    x.link[0].bytes = 300;
    x.link[0].wait_sum = 600;
    x.link[0].wait_max = 400;
    x.link[1].packets = 1;
    x.link[1].bytes = 100;
    x.link[1].wait_sum = 8000;
    x.link[1].wait_max = 8000;
    x.link[0].lost = 2;
    x.link[1].dead = 5;
    x.link[1].marked = 7;
    x.link[0].trimmed = 11;
    x.node[0].decisions = 10;
    x.node[1].decisions = 20;
    x.node[1].no_port = 3;
    x.worker[0].totals.data_sent = 100;
    x.worker[1].totals.data_sent = 1;
    x.worker[0].totals.reorder_extent = 4;
    x.worker[1].totals.reorder_extent = 9;
    x.worker[0].totals.last_done_ps = 50;
    x.worker[1].totals.last_sent_ps = 70;
    x.f.spec.rate_ppm = 900000;
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    const struct egret_fabric_results *r = &x.f.results;
    const struct egret_fabric_queue_result *q = &r->queue[EGRET_QUEUE_EDGE_UP];
    CHECK(t, q->links == 2 && q->packets == 4 && q->bytes == 400);
    NEAR(t, q->mean_bytes, 63.0 / 4.0);
    NEAR(t, q->mean_wait_ps, 8600.0 / 4.0);
    CHECK(t, q->max_bytes == 40);
    CHECK(t, q->max_wait_ps == 8000);
    NEAR(t, q->overload, 300.0 / 200.0);
    CHECK(t, q->lost == 2 && q->dead == 5 && q->marked == 7 && q->trimmed == 11);
    q = &r->queue[EGRET_QUEUE_AGG_UP];
    CHECK(t, q->links == 1 && q->packets == 0 && q->mean_bytes == 0 && q->overload == 0);
    CHECK(t, r->queue[EGRET_QUEUE_HOST].links == 0);
    CHECK(t, r->totals.hops == 4 && r->totals.decisions == 30 && r->totals.selector_drops == 3);
    CHECK(t, r->totals.data_sent == 101 && r->totals.reorder_extent == 9);
    CHECK(t, r->cct_ps == 70 && r->totals.last_done_ps == 50);
    CHECK(t, r->rate_ppm == 900000);
    x.f.results.cct_ps = 90; /* a delay that ends behind the last ACK */
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.cct_ps == 90);
    close_fixture(&x);
}

/* Which schedules have a bound: all pairs of 16 hosts, one message each, and no others. */
static void bounds(struct trace_test *t)
{
    struct fixture x;
    open_fixture(&x);
    schedule(&x, 16, 8, 8193); /* three packets, two of them full, all to another pod */
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == egret_fabric_bound_permutation(&x.f.spec, 2));
    CHECK(t, x.f.results.lower_bound_ps != 0);
    x.w.op[3].amount = 1; /* one is shorter */
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == 0);
    x.w.op[3].amount = 8193;
    x.w.op[3].dst = x.w.op[4].dst; /* two to one host */
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == 0);
    close_fixture(&x);
    open_fixture(&x);
    x.w.ranks = 16;
    for (uint32_t i = 0; i < 240u; i++) {
        uint32_t src = i / 15u;
        if (egret_schedule_message(&x.w, src, (src + 1u + i % 15u) % 16u, 4096, NULL)) {
            exit(2);
        }
    }
    CHECK(t, egret_schedule_seal(&x.w, "test", NULL, NULL) == EGRET_OK);
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == egret_fabric_bound_all_to_all(&x.f.spec, 1));
    CHECK(t, x.f.results.lower_bound_ps != 0);
    for (uint32_t i = 0; i < 240u; i++) { /* less than a packet */
        x.w.op[i].amount = 512;
    }
    struct egret_fabric_spec less = x.f.spec;
    less.payload = 512;
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == egret_fabric_bound_all_to_all(&less, 1));
    x.w.op[0].start_ps = 1; /* messages that wait do not take turns */
    less.window_packets = 1;
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == egret_fabric_bound_all_to_all(&less, 1));
    for (uint32_t i = 0; i < 240u; i++) { /* as many messages, but all of a host to one other */
        x.w.op[i].dst = x.w.op[i].src ^ 8u;
    }
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == 0);
    close_fixture(&x);
}

/* A host that receives nothing sends no ACK between its data: one that does, does. */
static void one_way(struct trace_test *t)
{
    struct fixture x;
    open_fixture(&x);
    x.w.ranks = 16;
    CHECK(t, egret_schedule_message(&x.w, 0, 15, 4096, NULL) == EGRET_OK);
    CHECK(t, egret_schedule_message(&x.w, 15, 14, 4096, NULL) == EGRET_OK);
    CHECK(t, egret_schedule_seal(&x.w, "test", NULL, NULL) == EGRET_OK);
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == 0);
    x.w.op[1].dst = 0;
    CHECK(t, egret_fab_results(&x.f) == EGRET_OK);
    CHECK(t, x.f.results.lower_bound_ps == egret_fabric_bound_permutation(&x.f.spec, 1));
    close_fixture(&x);
}

static void samples(struct trace_test *t)
{
    struct egret_trace_error err;
    struct fixture x;
    open_fixture(&x);
    x.link[0].usual_ps = 99;
    CHECK(t, egret_fab_samples_open(&x.f, &err) == EGRET_OK);
    CHECK(t, !x.worker[0].samples && x.link[0].usual_ps == 99); /* off: nothing changes */
    x.f.spec.sample_ps = 100;
    CHECK(t, egret_fab_samples_open(&x.f, &err) == EGRET_OK);
    CHECK(t, x.link[0].usual_ps == 0);
    /* Two links of the tier: 200 ps a period. 150..320 by one worker, 90..100 by the other. */
    egret_fab_sample(&x.worker[0], &x.link[0], 150, 170);
    egret_fab_sample(&x.worker[1], &x.link[1], 90, 10);
    egret_fab_sample(&x.worker[1], &x.link[2], 300, 100);
    CHECK(t, egret_fab_samples_sum(&x.f) == EGRET_OK);
    const struct egret_fabric_results *r = &x.f.results;
    CHECK(t, r->samples == 4);
    NEAR(t, r->utilisation[0][EGRET_QUEUE_EDGE_UP], 10.0 / 200.0);
    NEAR(t, r->utilisation[1][EGRET_QUEUE_EDGE_UP], 50.0 / 200.0);
    NEAR(t, r->utilisation[2][EGRET_QUEUE_EDGE_UP], 100.0 / 200.0);
    NEAR(t, r->utilisation[3][EGRET_QUEUE_EDGE_UP], 20.0 / 200.0);
    NEAR(t, r->utilisation[3][EGRET_QUEUE_AGG_UP], 1.0);
    NEAR(t, r->utilisation[0][EGRET_QUEUE_HOST], 0.0);
    CHECK(t, x.worker[0].code == EGRET_OK);
    egret_fab_sample(&x.worker[0], &x.link[0], 100ull * FAB_SAMPLES_MAX, 1);
    CHECK(t, x.worker[0].code == EGRET_ERR_RANGE);
    close_fixture(&x);
    CHECK(t, !x.f.results.utilisation && !x.worker[0].samples);
}

int main(void)
{
    struct trace_test t = {0, 0};
    sums(&t);
    bounds(&t);
    one_way(&t);
    samples(&t);
    return trace_result(&t);
}
