/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_schemes.c: what each host scheme writes into its packets.
 */
#include "fabric_toy.h"

#define PACKETS 16u

/* Label of data packet or ACK `sequence` of a message. */
static uint32_t label(struct toy *y, uint32_t flow, bool ack, uint32_t sequence)
{
    for (size_t k = 0; k < y->sents; k++) {
        const struct fab_packet *p = &y->sent[k].p;
        if (p->flow == flow && p->sequence == sequence && ((p->flags & FAB_ACK) != 0) == ack) {
            return p->entropy;
        }
    }
    CHECK(y->t, flow == EGRET_NO_OP); /* it was never sent */
    return 0;
}

/* Messages 0 and 1 from place 0 to 15, 2 from 0 to 14, 3 from 0 to 2 (own pod), 4 from 15 to 0;
 * `more` others behind them. */
static void run(struct trace_test *t, struct toy *y, struct egret_schedule *s, uint32_t scheme,
                uint32_t seed, uint32_t more)
{
    static const uint32_t pair[5][2] = {{0, 15}, {0, 15}, {0, 14}, {0, 2}, {15, 0}};
    *s = (struct egret_schedule){.ranks = 16};
    for (uint32_t i = 0; i < 5u + more; i++) {
        bool own = i < 5u;
        message(s, own ? pair[i][0] : i % 8u, own ? pair[i][1] : 8u + i % 8u, PACKETS * 4096u);
    }
    seal(t, s);
    toy_open(y, t, s, 8, 2);
    y->f.spec.host_scheme = scheme;
    y->f.spec.seed = seed;
    CHECK(t, toy_run(y, 200) == EGRET_OK);
    CHECK(t, toy_unfinished(y) == 0);
}

static void flow(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    run(t, y, &s, EGRET_HOST_FLOW, 1, 0);
    uint32_t first = label(y, 0, false, 0);
    for (uint32_t i = 0; i < PACKETS; i++) {
        CHECK(t, label(y, 0, false, i) == first && label(y, 0, true, i) == first);
        CHECK(t, label(y, 1, false, i) == first); /* the same queue pair */
        CHECK(t, label(y, 2, false, i) != first);
    }
    toy_close(y, &s);
    run(t, y, &s, EGRET_HOST_FLOW, 2, 0);
    CHECK(t, label(y, 0, false, 0) != first);
    toy_close(y, &s);
}

static void subflow(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    run(t, y, &s, EGRET_HOST_SUBFLOW, 1, 0);
    for (uint32_t i = 0; i < PACKETS; i++) {
        for (uint32_t k = 0; k < i; k++) {
            bool same = label(y, 0, false, i) == label(y, 0, false, k);
            CHECK(t, same == ((i - k) % 4u == 0));
        }
        CHECK(t, label(y, 0, true, i) == label(y, 0, false, i));
    }
    toy_close(y, &s);
}

static void random_labels(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    uint32_t was[2][PACKETS];
    run(t, y, &s, EGRET_HOST_RANDOM, 1, 0);
    for (uint32_t i = 0; i < PACKETS; i++) {
        was[0][i] = label(y, 1, false, i);
        was[1][i] = label(y, 1, true, i);
        CHECK(t, was[0][i] != was[1][i]);
        CHECK(t, was[0][i] != label(y, 0, false, i));
        for (uint32_t k = 0; k < i; k++) {
            CHECK(t, was[0][i] != was[0][k] && was[1][i] != was[1][k]);
        }
    }
    toy_close(y, &s);
    run(t, y, &s, EGRET_HOST_RANDOM, 1, 20); /* whatever else is sent */
    for (uint32_t i = 0; i < PACKETS; i++) {
        CHECK(t, label(y, 1, false, i) == was[0][i] && label(y, 1, true, i) == was[1][i]);
    }
    toy_close(y, &s);
    run(t, y, &s, EGRET_HOST_RANDOM, 2, 0);
    CHECK(t, label(y, 1, false, 0) != was[0][0]);
    toy_close(y, &s);
}

/* papers.md 4.5: the order of cores for k = 4 is 0, 2, 1, 3; the core of aggregation switch m by
 * uplink n is 2 m + n. Packets as sent from one place to another, one way. */
static uint32_t cores(struct trace_test *t, struct toy *y, uint32_t src, uint32_t dst, bool ack,
                      uint32_t *count)
{
    static const uint32_t behind[4] = {2, 3, 1, 0};
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    *count = 0;
    for (size_t k = 0; k < y->sents; k++) {
        const struct fab_packet *p = &y->sent[k].p;
        if (p->src != src || p->dst != dst || ((p->flags & FAB_ACK) != 0) != ack) {
            continue;
        }
        uint32_t m = p->entropy & 0xffffu;
        uint32_t n = p->entropy >> 16;
        CHECK(t, m < 2u && n < 2u);
        uint32_t core = (2u * m + n) & 3u;
        CHECK(t, *count == 0 || core == behind[last]);
        first = *count == 0 ? core : first;
        last = core;
        ++*count;
    }
    return first;
}

static void drb(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s;
    uint32_t n;
    uint32_t starts = 0;
    bool apart = false;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        run(t, y, &s, EGRET_HOST_DRB, seed, 0);
        uint32_t begin = cores(t, y, 0, 15, false, &n); /* two messages, one pointer */
        starts |= 1u << begin;
        CHECK(t, n == 2u * PACKETS);
        (void)cores(t, y, 0, 14, false, &n);
        CHECK(t, n == PACKETS);
        apart |= cores(t, y, 15, 0, true, &n) != begin; /* ACKs have their own pointer */
        CHECK(t, n == 2u * PACKETS);
        (void)cores(t, y, 15, 0, false, &n);
        CHECK(t, n == PACKETS);
        /* Within a pod: the two aggregation switches in turn. */
        uint32_t first = label(y, 3, false, 0);
        for (uint32_t i = 0; i < PACKETS; i++) {
            CHECK(t, first < 2u && label(y, 3, false, i) == ((first + i) & 1u));
        }
        toy_close(y, &s);
    }
    CHECK(t, starts == 15u && apart); /* all four in 20 draws */
}

/* Every pair has its own, however pairs are looked up. */
static void drb_pairs(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 16};
    uint32_t n;
    for (uint32_t i = 0; i < 36; i++) {
        message(&s, i / 12u, 4u + i % 12u, PACKETS * 4096u);
    }
    seal(t, &s);
    toy_open(y, t, &s, 8, 2);
    y->f.spec.host_scheme = EGRET_HOST_DRB;
    CHECK(t, toy_run(y, 200) == EGRET_OK);
    for (uint32_t i = 0; i < 36; i++) {
        (void)cores(t, y, i / 12u, 4u + i % 12u, false, &n);
        CHECK(t, n == PACKETS);
        (void)cores(t, y, 4u + i % 12u, i / 12u, true, &n);
        CHECK(t, n == PACKETS);
    }
    toy_close(y, &s);
}

/* Two tiers, three spines: no slow digit. */
static void drb_leaf_spine(struct trace_test *t, struct toy *y)
{
    struct egret_schedule s = {.ranks = 4};
    message(&s, 0, 3, PACKETS * 4096u);
    seal(t, &s);
    toy_open(y, t, &s, 4, 1);
    y->f.spec.topology.tiers = 2;
    y->f.spec.topology.pods = 1;
    y->f.spec.topology.edges_per_pod = 4;
    y->f.spec.topology.aggs_per_pod = 3;
    y->f.spec.topology.agg_uplinks = 0;
    y->f.spec.host_scheme = EGRET_HOST_DRB;
    CHECK(t, toy_run(y, 100) == EGRET_OK);
    for (uint32_t i = 0; i < PACKETS; i++) {
        CHECK(t, label(y, 0, false, i) == (label(y, 0, false, 0) + i) % 3u);
    }
    toy_close(y, &s);
}

int main(void)
{
    struct trace_test t = {0, 0};
    struct toy *y = malloc(sizeof *y);
    if (!y) {
        return 1;
    }
    flow(&t, y);
    subflow(&t, y);
    random_labels(&t, y);
    drb(&t, y);
    drb_pairs(&t, y);
    drb_leaf_spine(&t, y);
    free(y);
    return trace_result(&t);
}
