/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_ticks.c: idle time in a fabric with port loads: switches that take many ticks at once end
 * in the same state, word for word, as those that take one at a time, with failures in the idle
 * time, any number of threads, periods that divide nothing; a recording has all ticks; and hours
 * of it cost nothing.
 */
#include "core.h"
#include "egret/regs.h"
#include "egret/trace.h"
#include "trace_test.h"

#define US 1000000ull
#define RECORDED 9 /* an aggregation switch */

static struct trace_test t;

/* The model behind other functions: a switch does not know it for one, and ticks one by one. */
static int one_by_one(void *self, const struct egret_event *ev, struct egret_decision *out)
{
    return egret_model_selector()->apply(self, ev, out);
}
static int one_by_one_burst(void *self, const struct egret_event *ev, size_t n,
                            struct egret_decision *out, size_t *done)
{
    return egret_model_selector()->apply_burst(self, ev, n, out, done);
}
static struct egret_selector_ops slow;

static void open_slow(void)
{
    slow = *egret_model_selector();
    slow.apply = one_by_one;
    slow.apply_burst = one_by_one_burst;
}

/* Messages between pods and within them, a delay, and the same the other way. */
static void work(struct egret_schedule *s, uint64_t delay_ps)
{
    *s = (struct egret_schedule){.ranks = 32};
    struct egret_trace_error err = {""};
    int code = EGRET_OK;
    for (uint32_t i = 0; i < 32u && code == EGRET_OK; i++) {
        uint32_t first, delay, second;
        uint32_t dst = (i + 13u) % 32u;
        code = egret_schedule_message(s, i, dst, 150000u + 1000u * i, &first);
        code = code ? code : egret_schedule_delay(s, dst, delay_ps + i * US, &delay);
        code = code ? code : egret_schedule_message(s, dst, i, 90000, &second);
        code = code ? code : egret_schedule_after(s, first, EGRET_ON_DONE, delay);
        code = code ? code : egret_schedule_after(s, delay, EGRET_ON_DONE, second);
    }
    CHECK(&t, code == EGRET_OK && egret_schedule_seal(s, "work", NULL, &err) == EGRET_OK);
}

static const struct egret_fabric_failure FAILURE[2] = {
    {.time_ps = 411 * US, .index = 1, .port = 1},
    {.time_ps = 777 * US + 7u, .at_agg = 1, .index = 2, .port = 0}};

static struct egret_fabric *create(const struct egret_schedule *s, const char *load,
                                   uint32_t threads, bool fails,
                                   const struct egret_selector_ops *ops, const char *record)
{
    struct egret_fabric_spec spec = {.topology_name = "fat-tree:4,oversub=2"};
    struct egret_fabric *f = NULL;
    struct egret_trace_error err = {""};
    CHECK(&t, egret_topology_load("fat-tree:4,oversub=2", &spec.topology, &err) == EGRET_OK);
    if (fails) { /* a packet takes 17 periods of 100 ns on an uplink: ticks find queues that drain
                  */
        spec.topology.rate_mbps[1] = spec.topology.rate_mbps[2] = 20000;
    }
    egret_fabric_defaults(&spec);
    for (unsigned i = 0; i < 3u; i++) {
        spec.tier[i].scheme = EGRET_SCHEME_SPRAY_QUALITY;
        CHECK(&t, egret_load_preset(load, &spec.tier[i].load) == EGRET_OK);
        spec.tier[i].load.period_ns += 3u * i; /* 103 ns: no whole number of anything else */
        spec.tier[i].ops = ops;
    }
    spec.threads = threads;
    spec.failure = fails ? FAILURE : NULL;
    spec.failures = fails ? 2u : 0u;
    spec.record = record ? RECORDED : -1;
    spec.record_path = record;
    spec.convergence_ps = 33u * US;
    if (!CHECK(&t, egret_fabric_create(&spec, s, &f, &err) == EGRET_OK)) {
        printf("%s\n", err.text);
        exit(1);
    }
    return f;
}

static uint32_t word(const struct fab_node *n, uint32_t addr)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_READ;
    ev.addr = addr;
    CHECK(&t, n->ops->apply(n->self, &ev, &d) == EGRET_OK);
    return d.data;
}

static uint64_t states_differ(const struct egret_fabric *a, const struct egret_fabric *b)
{
    uint64_t differ = 0, words = 0;
    for (uint32_t i = a->first_node[FAB_EDGE]; i < a->nodes; i++) {
        struct egret_cfg cfg;
        CHECK(&t, egret_fabric_switch_config(a, i - a->first_node[FAB_EDGE], &cfg) == EGRET_OK);
        words += egret_state_count(&cfg);
        for (size_t k = 0; k < egret_state_count(&cfg); k++) {
            uint32_t addr;
            CHECK(&t, egret_state_address(&cfg, k, &addr) == EGRET_OK);
            differ += word(&a->node[i], addr) != word(&b->node[i], addr);
        }
        differ += a->node[i].next_tick != b->node[i].next_tick;
        differ += a->node[i].decisions != b->node[i].decisions;
    }
    CHECK(&t, words > 1000u);
    return differ;
}

static void run(struct egret_fabric *f)
{
    struct egret_trace_error err = {""};
    if (!CHECK(&t, egret_fabric_run(f, NULL, NULL, &err) == EGRET_OK)) {
        printf("%s\n", err.text);
    }
}

static void same(const char *load, uint32_t threads, bool fails)
{
    struct egret_schedule s;
    work(&s, 1000u * US);
    struct egret_fabric *a = create(&s, load, threads, fails, egret_model_selector(), NULL);
    struct egret_fabric *b = create(&s, load, 1, fails, &slow, NULL);
    run(a);
    run(b);
    CHECK(&t, egret_fabric_result(a)->cct_ps == egret_fabric_result(b)->cct_ps);
    CHECK(&t, egret_fabric_result(a)->cct_ps > 1000u * US);
    uint64_t links = 0;
    for (uint32_t i = 0; i < a->links; i++) {
        links +=
            a->link[i].packets != b->link[i].packets || a->link[i].wait_sum != b->link[i].wait_sum;
    }
    CHECK(&t, links == 0);
    uint64_t differ = states_differ(a, b);
    if (!CHECK(&t, differ == 0)) {
        printf("  %s, %u threads: %llu words differ\n", load, threads, (unsigned long long)differ);
    }
    egret_fabric_free(a);
    egret_fabric_free(b);
    egret_schedule_free(&s);
}

/* A recording has every tick and queue event: replayed, it leaves a model in the state of the
 * switch. */
static void recorded(void)
{
    struct egret_schedule s;
    struct egret_trace_error err = {""};
    struct egret_stimulus *in = NULL;
    struct egret_cfg cfg;
    struct egret_event ev;
    struct egret_decision d;
    char path[256];
    (void)trace_scratch(path, sizeof path, "fabric_ticks.pcap");
    work(&s, 300u * US);
    struct egret_fabric *f = create(&s, "htsim-ar", 1, true, egret_model_selector(), path);
    run(f);
    const struct fab_node *n = &f->node[f->first_node[FAB_EDGE] + RECORDED];
    struct fab_node twin = {.ops = egret_model_selector()};
    CHECK(&t, egret_fabric_switch_config(f, RECORDED, &cfg) == EGRET_OK);
    CHECK(&t, egret_model_selector()->create(&cfg, &twin.self) == EGRET_OK);
    if (!CHECK(&t, egret_stimulus_open(path, &in, &err) == EGRET_OK)) {
        printf("%s\n", err.text);
        exit(1);
    }
    int code;
    while ((code = egret_stimulus_next(in, &ev, &err)) > 0) {
        if (ev.kind != EGRET_EV_WRITE || ev.addr < EGRET_A_FRONT) {
            code = egret_model_selector()->apply(twin.self, &ev, &d);
            CHECK(&t, code == EGRET_OK);
        }
    }
    CHECK(&t, code == 0);
    CHECK(&t, word(n, EGRET_A_TICK_COUNT) > 3000u);
    uint64_t differ = 0;
    for (size_t k = 0; k < egret_state_count(&cfg); k++) {
        uint32_t addr;
        CHECK(&t, egret_state_address(&cfg, k, &addr) == EGRET_OK);
        differ += word(n, addr) != word(&twin, addr);
    }
    CHECK(&t, differ == 0);
    egret_stimulus_close(in);
    egret_model_selector()->destroy(twin.self);
    egret_fabric_free(f);
    egret_schedule_free(&s);
    (void)remove(path);
}

/* Ten hours: 3.6 * 10^11 ticks of 100 ns an edge that sees a packet at the end of it. Its ticks are
 * all up to the last packet's time: by next_tick, which is behind it by at most a period. */
static void hours(void)
{
    struct egret_schedule s;
    work(&s, 36000u * 1000000u * US);
    struct egret_fabric *f = create(&s, "htsim-ar", 2, true, egret_model_selector(), NULL);
    run(f);
    uint64_t cct = egret_fabric_result(f)->cct_ps;
    CHECK(&t, cct > 36000u * 1000000u * US);
    for (uint32_t i = f->first_node[FAB_EDGE]; i < f->first_node[FAB_CORE]; i++) {
        const struct fab_node *n = &f->node[i];
        uint64_t ticks = n->next_tick / n->tick_ps - 1u;
        uint64_t last_ns = ticks * n->tick_ps / 1000u;
        CHECK(&t, n->next_tick % n->tick_ps == 0);
        CHECK(&t, n->next_tick > 36000u * 1000000u * US && n->next_tick <= cct + n->tick_ps);
        CHECK(&t, word(n, EGRET_A_TICK_COUNT) == (uint32_t)ticks);
        CHECK(&t, word(n, EGRET_A_TICK_NOW0) == (uint32_t)last_ns);
        CHECK(&t, word(n, EGRET_A_TICK_NOW1) == (uint32_t)(last_ns >> 32));
    }
    egret_fabric_free(f);
    egret_schedule_free(&s);
}

int main(void)
{
    open_slow();
    same("htsim-ar", 1, false);
    same("htsim-ar", 2, true);
    same("sai", 1, true);
    same("conga", 3, true);
    recorded();
    hours();
    return trace_result(&t);
}
