/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_select.c: what a decision of the model costs, beside DPDK's hashes with a table look-up in
 * the same run.
 *
 * A decision is a whole call through the public interface: a 72-byte event in, a 16-byte decision
 * with its reason out, live repair and counters. Configuration `lab`; ecmp has CRC-32C over the
 * 13-byte IPv4 5-tuple. DPDK's rows hash the same flows from packed keys and look the result up in
 * a table of 256 entries. CPU time; medians over repetitions in which all cases take turns, so that
 * a busy neighbour slows them alike.
 *
 * flowlet has 32,768 entries and a clock that moves on by 16 ns a packet. A flow of an odd group
 * keeps its port for the whole run, one of an even group has expired whenever it comes again, so
 * half of the packets start a flowlet.
 *
 * Three sets of flows: 256 stay in the first cache, but then a branch predictor knows the branches
 * of rte_softrss, which depend on the key's bits, by heart, as it never does with traffic; 4096
 * stay in the second cache; 1,048,576 are streamed from memory, 72 bytes an event against 12 or 13
 * a DPDK key. The floors hold for 4096.
 *
 * usage: bench_select             tables; exit code 1 if a ratio misses its floor
 *        bench_select CASE CALLS  only these calls, for counting instructions (bench_select.sh)
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_hash_crc.h>
#include <rte_thash.h>

#include "egret/control.h"

#define CACHED 256
#define FLOWS 4096 /* in the second cache */
#define STREAMED (1u << 20)
#define FLOWLETS 32768
#define BURST 64
#define CALLS (1u << 21)
#define REPETITIONS 11

/* Selectors by scheme; then spray-quality with DRILL(2, 1), and with every packet a small one. */
#define DRILL (EGRET_NUM_SCHEMES + 1)
#define SMALL (EGRET_NUM_SCHEMES + 2)
static struct egret *selector[EGRET_NUM_SCHEMES + 3];
static struct egret_event *event;
static struct egret_decision *decision;
static uint8_t (*key13)[16];
static uint32_t (*tuple)[3];
static uint8_t port_table[256];
static uint8_t rss_key[40];
static volatile uint32_t sink;

static void fail(const char *what)
{
    fprintf(stderr, "bench_select: %s\n", what);
    exit(3);
}

static uint32_t next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Ports in the bands 1, 3, 5, 7 in turn, by their queues. */
static int set_up_bands(struct egret *e, uint32_t small)
{
    struct egret_load load;
    int err = egret_load_preset("sai", &load);

    load.small = small;
    err = err ? err : egret_load_weights(&load, 0, 1);
    err = err ? err : egret_ctl_load(egret_config(e), &load, egret_emit_apply, e, NULL);
    for (uint32_t i = 0; i < 16 && err == 0; i++) {
        struct egret_event queue = {.kind = EGRET_EV_QUEUE, .port = i};
        struct egret_decision d;
        queue.depth = 100000 * (2 * (i % 4) + 1) / 8 + 1;
        err = egret_ctl_port_load(egret_config(e), i, 100000000000u, 100000, &load,
                                  egret_emit_apply, e, NULL);
        err = err ? err : egret_apply(e, &queue, &d);
    }
    for (unsigned i = 0; i < 2 && err == 0; i++) {
        struct egret_event tick = {.kind = EGRET_EV_TICK};
        struct egret_decision d;
        err = egret_apply(e, &tick, &d);
    }
    return err;
}

static void set_up_selector(uint32_t number)
{
    uint32_t scheme = number < DRILL ? number : EGRET_SCHEME_SPRAY_QUALITY;
    struct egret_cfg cfg;
    struct egret_hash_setup hash;
    struct egret_member member[16];
    struct egret_group g;
    struct egret *e = NULL;
    int err = egret_cfg_named("lab", &cfg);

    cfg.num_flowlets = FLOWLETS;
    memset(&g, 0, sizeof g);
    for (uint32_t i = 0; i < 16; i++) {
        member[i].port = i;
        member[i].weight = 1;
    }
    err = err ? err : egret_create(&cfg, &e);
    egret_hash_setup_default(&hash);
    hash.layout = EGRET_LAYOUT_IPV4_5TUPLE;
    err = err ? err : egret_ctl_hash(&cfg, &hash, egret_emit_apply, e, NULL);
    for (uint32_t i = 0; err == 0 && i < cfg.num_buckets; i++)
        err = egret_emit_apply(e, EGRET_A_BUCKET(i), i % 16);
    if (err == 0)
        err = egret_ctl_schedule(&cfg, 0, 0, 32, member, 16, 1, egret_emit_apply, e, &g.last);
    g.scheme = scheme;
    g.wraps = scheme == EGRET_SCHEME_SPRAY_RR ? 5 : 0;
    g.row_mask = cfg.num_rows - 1;
    g.bucket_mask = cfg.num_buckets - 1;
    g.members = 0xffff;
    g.drill_samples = number == DRILL ? 2 : 0;
    g.drill_memory = number == DRILL;
    g.flowlet_mask = cfg.num_flowlets - 1;
    for (uint32_t i = 0; err == 0 && i < cfg.num_groups; i++) {
        g.idle = i % 2 != 0 ? 2 * STREAMED : CACHED / 2;
        err = egret_ctl_group(&cfg, i, &g, egret_emit_apply, e);
    }
    if (err == 0 && scheme == EGRET_SCHEME_SPRAY_QUALITY)
        err = set_up_bands(e, number == SMALL ? 65535 : 0);
    if (err)
        fail(egret_strerror(err));
    selector[number] = e;
}

static void set_up(void)
{
    for (uint32_t scheme = EGRET_SCHEME_ECMP; scheme <= EGRET_SCHEME_DR; scheme++)
        set_up_selector(scheme);
    set_up_selector(EGRET_SCHEME_SPRAY_QUALITY);
    set_up_selector(EGRET_SCHEME_FLOWLET);
    set_up_selector(DRILL);
    set_up_selector(SMALL);
    event = calloc(STREAMED, sizeof *event);
    decision = calloc(STREAMED, sizeof *decision);
    key13 = calloc(STREAMED, sizeof *key13);
    tuple = calloc(STREAMED, sizeof *tuple);
    if (event == NULL || decision == NULL || key13 == NULL || tuple == NULL)
        fail("memory");
    for (uint32_t i = 0; i < STREAMED; i++) {
        uint8_t packed[EGRET_RECORD_BYTES];
        struct egret_event ev;
        memset(&ev, 0, sizeof ev);
        ev.tag = i;
        ev.length = 1500;
        ev.group = (uint16_t)(next_random() % 32);
        ev.key = (uint16_t)(next_random() % 64);
        ev.bin = (uint8_t)(next_random() % 2);
        for (unsigned k = 0; k < 4; k++) {
            ev.record[k] = (uint8_t)next_random();
            ev.record[16 + k] = (uint8_t)next_random();
            ev.record[33 + k] = (uint8_t)next_random();
        }
        ev.record[32] = 17;
        (void)egret_hash_layout_pack(EGRET_LAYOUT_IPV4_5TUPLE, ev.record, packed);
        memcpy(key13[i], packed, 13);
        for (unsigned k = 0; k < 3; k++) {
            const uint8_t *p = ev.record + (k == 0 ? 0 : k == 1 ? 16 : 33);
            tuple[i][k] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        }
        event[i] = ev;
    }
    for (unsigned i = 0; i < 256; i++)
        port_table[i] = (uint8_t)(i % 16);
    egret_hash_rss_key(rss_key);
    rte_hash_crc_set_alg(CRC32_SW);
}

/* The same flows must hash alike in DPDK and here, or the rows compare different work. rte_hash_crc
 * is CRC-32C without the final inversion. */
static void check_hashes(void)
{
    for (unsigned i = 0; i < 1000; i++) {
        if (~rte_hash_crc(key13[i], 13, 0xffffffffu) != egret_hash_crc32c(key13[i], 13))
            fail("rte_hash_crc differs");
        uint8_t packed[EGRET_RECORD_BYTES];
        (void)egret_hash_layout_pack(EGRET_LAYOUT_RSS_IPV4, event[i].record, packed);
        if (rte_softrss(tuple[i], 3, rss_key) != egret_hash_toeplitz(rss_key, 40, packed, 12))
            fail("rte_softrss differs");
        if (egret_apply(selector[1], &event[i], &decision[i]) != EGRET_OK ||
            decision[i].data != egret_hash_crc32c(key13[i], 13))
            fail("the selector's hash differs");
    }
}

/* Through the first mask + 1 events again and again. step: what time moves on by for each. */
static inline __attribute__((always_inline)) void calls_of(uint32_t scheme, uint32_t calls,
                                                           uint32_t mask, uint64_t step)
{
    struct egret *e = selector[scheme];
    uint32_t span = calls < mask + 1 ? calls : mask + 1;
    uint64_t now = 0;
    int err = 0;
    for (uint32_t done = 0; done < calls; done += span) {
        struct egret_event *ev = event;
        struct egret_decision *d = decision;
        for (const struct egret_event *end = ev + span; ev < end; ev++, d++) {
            if (step != 0)
                ev->now = now += step;
            err |= egret_apply(e, ev, d);
        }
    }
    if (err)
        fail("apply");
}

static void single(uint32_t scheme, uint32_t calls, uint32_t mask)
{
    calls_of(scheme, calls, mask, 0);
}

static void burst(uint32_t scheme, uint32_t calls, uint32_t mask)
{
    for (uint32_t i = 0; i < calls; i += BURST) {
        uint32_t at = i & mask;
        if (egret_apply_burst(selector[scheme], &event[at], BURST, &decision[at], NULL))
            fail("apply_burst");
    }
}

/* Time moves on by one unit of the flowlet table, 16 ns, a packet. */
static void flowlet_single(uint32_t calls, uint32_t mask)
{
    calls_of(EGRET_SCHEME_FLOWLET, calls, mask, 16);
}
static void flowlet_burst(uint32_t calls, uint32_t mask)
{
    for (uint32_t i = 0; i < calls; i += BURST) {
        struct egret_event *ev = &event[i & mask];
        for (uint32_t k = 0; k < BURST; k++)
            ev[k].now = (uint64_t)(i + k) << 4;
        if (egret_apply_burst(selector[EGRET_SCHEME_FLOWLET], ev, BURST, &decision[i & mask], NULL))
            fail("apply_burst");
    }
}

static void ecmp_single(uint32_t calls, uint32_t mask)
{
    single(EGRET_SCHEME_ECMP, calls, mask);
}
static void ecmp_burst(uint32_t calls, uint32_t mask)
{
    burst(EGRET_SCHEME_ECMP, calls, mask);
}
static void dr_single(uint32_t calls, uint32_t mask)
{
    single(EGRET_SCHEME_DR, calls, mask);
}
static void dr_burst(uint32_t calls, uint32_t mask)
{
    burst(EGRET_SCHEME_DR, calls, mask);
}
static void rr_single(uint32_t calls, uint32_t mask)
{
    single(EGRET_SCHEME_SPRAY_RR, calls, mask);
}
static void rr_burst(uint32_t calls, uint32_t mask)
{
    burst(EGRET_SCHEME_SPRAY_RR, calls, mask);
}

static void quality_single(uint32_t calls, uint32_t mask)
{
    single(EGRET_SCHEME_SPRAY_QUALITY, calls, mask);
}
static void quality_burst(uint32_t calls, uint32_t mask)
{
    burst(EGRET_SCHEME_SPRAY_QUALITY, calls, mask);
}
static void drill_single(uint32_t calls, uint32_t mask)
{
    single(DRILL, calls, mask);
}
static void small_single(uint32_t calls, uint32_t mask)
{
    single(SMALL, calls, mask);
}

static void dpdk_crc(uint32_t calls, uint32_t mask)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < calls; i++)
        sum += port_table[rte_hash_crc(key13[i & mask], 13, 0xffffffffu) & 255];
    sink = sum;
}

static void dpdk_softrss(uint32_t calls, uint32_t mask)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < calls; i++)
        sum += port_table[rte_softrss(tuple[i & mask], 3, rss_key) & 255];
    sink = sum;
}

static const struct bench {
    const char *name;
    void (*run)(uint32_t calls, uint32_t mask);
    uint32_t calls;
    const char *what;
} bench[] = {
    {"ecmp", ecmp_single, CALLS, "egret_apply, ecmp"},
    {"dr", dr_single, CALLS, "egret_apply, dr"},
    {"spray-rr", rr_single, CALLS, "egret_apply, spray-rr"},
    {"spray-quality", quality_single, CALLS, "egret_apply, spray-quality"},
    {"spray-quality-drill", drill_single, CALLS, "egret_apply, spray-quality, DRILL(2,1)"},
    {"spray-quality-small", small_single, CALLS, "egret_apply, spray-quality, hashed"},
    {"flowlet", flowlet_single, CALLS, "egret_apply, flowlet"},
    {"ecmp-burst", ecmp_burst, CALLS, "egret_apply_burst, ecmp"},
    {"dr-burst", dr_burst, CALLS, "egret_apply_burst, dr"},
    {"spray-rr-burst", rr_burst, CALLS, "egret_apply_burst, spray-rr"},
    {"spray-quality-burst", quality_burst, CALLS, "egret_apply_burst, spray-quality"},
    {"flowlet-burst", flowlet_burst, CALLS, "egret_apply_burst, flowlet"},
    {"rte_hash_crc", dpdk_crc, CALLS, "rte_hash_crc in software, table"},
    {"rte_softrss", dpdk_softrss, CALLS / 16, "rte_softrss, table"},
};
#define NUM_BENCH (sizeof bench / sizeof bench[0])
#define ECMP_ROW 7
#define DR_ROW 8
#define CRC_ROW 12
#define RSS_ROW 13

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *v)
{
    double sorted[REPETITIONS];
    memcpy(sorted, v, sizeof sorted);
    qsort(sorted, REPETITIONS, sizeof sorted[0], ascending);
    return sorted[REPETITIONS / 2];
}

/* ns[row][repetition]; the cases take turns. */
static void measure(uint32_t mask, double ns[NUM_BENCH][REPETITIONS])
{
    for (unsigned r = 0; r < REPETITIONS; r++) {
        for (size_t b = 0; b < NUM_BENCH; b++) {
            bench[b].run(BURST * 64, mask);
            double start = cpu_ns();
            bench[b].run(bench[b].calls, mask);
            ns[b][r] = (cpu_ns() - start) / bench[b].calls;
        }
    }
}

/* Median over repetitions of how many times faster row a is than row b. */
static double ratio(double ns[NUM_BENCH][REPETITIONS], size_t a, size_t b)
{
    double v[REPETITIONS];
    for (unsigned r = 0; r < REPETITIONS; r++)
        v[r] = ns[b][r] / ns[a][r];
    return median(v);
}

static bool floor_met(const char *what, double got, double want)
{
    bool met = got >= want;
    printf("%s %-58s %6.2f  (floor %.1f)\n", met ? "PASS" : "FAIL", what, got, want);
    return met;
}

static void table(const char *title, uint32_t mask, double ns[NUM_BENCH][REPETITIONS])
{
    printf("%s\n%-40s %8s %10s %12s %12s\n", title, "", "ns", "M/s", "to CRC", "to softrss");
    measure(mask, ns);
    for (size_t b = 0; b < NUM_BENCH; b++)
        printf("%-40s %8.2f %10.1f %12.2f %12.2f\n", bench[b].what, median(ns[b]),
               1e3 / median(ns[b]), ratio(ns, b, CRC_ROW), ratio(ns, b, RSS_ROW));
    printf("\n");
}

int main(int argc, char **argv)
{
    static double ns[NUM_BENCH][REPETITIONS];
    bool met = true;

    set_up();
    if (argc == 3) {
        for (size_t b = 0; b < NUM_BENCH; b++) {
            if (strcmp(argv[1], bench[b].name) == 0) {
                bench[b].run((uint32_t)strtoul(argv[2], NULL, 10), CACHED - 1);
                return 0;
            }
        }
        fail("unknown case");
    }
    check_hashes();
    table("256 flows", CACHED - 1, ns);
    table("1,048,576 flows", STREAMED - 1, ns);
    table("4096 flows", FLOWS - 1, ns);
    met &= floor_met("ecmp in bursts, to rte_hash_crc in software + table",
                     ratio(ns, ECMP_ROW, CRC_ROW), 0.5);
    met &= floor_met("dr in bursts, to rte_hash_crc in software + table",
                     ratio(ns, DR_ROW, CRC_ROW), 0.5);
    met &= floor_met("ecmp in bursts, to rte_softrss + table", ratio(ns, ECMP_ROW, RSS_ROW), 8);
    met &= floor_met("dr in bursts, to rte_softrss + table", ratio(ns, DR_ROW, RSS_ROW), 8);
    printf("NOTE ecmp in bursts: %.1f M decisions/s (80 wanted on a quiet core)\n",
           1e3 / median(ns[ECMP_ROW]));
    printf("NOTE dr in bursts: %.1f M decisions/s (80 wanted on a quiet core)\n",
           1e3 / median(ns[DR_ROW]));
    return met ? 0 : 1;
}
