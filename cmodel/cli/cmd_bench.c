/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_bench.c: egret bench: what a decision of a selector takes, beside a plain loop in the same
 * run.
 *
 * All rows take turns, and the median of the turns counts, so that a busy neighbour slows them
 * alike: the ratio says more than the time. Time is that of the processor.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_load.h"
#include "check.h"

#define TURNS 5u
#define MAX_DECISIONS 1000000000u

struct bench {
    struct egret_cfg cfg;
    const char *config;
    const char *selector_name;
    const char *selector_dir;
    const char *scheme_name;
    uint32_t scheme;
    uint32_t burst;
    uint64_t decisions; /* a row and turn, at least */
    struct cli_selector selector;
    struct egret_decision *decision;
    uint32_t crc[256];
};

/* A row: a load, handed over in bursts of so many; 0 is the plain loop. */
struct row {
    const char *name;
    struct bench_load *load;
    uint32_t burst;
    double ns[TURNS]; /* a decision */
};

static double now_ns(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fill_crc(uint32_t table[256])
{
    for (uint32_t i = 0; i < 256u; i++) {
        uint32_t v = i;
        for (unsigned bit = 0; bit < 8u; bit++) {
            v = v >> 1 ^ (v & 1u ? 0x82f63b78u : 0u);
        }
        table[i] = v;
    }
}

/* What one would write without a library: CRC-32C of the record, a byte at a time from a table,
 * modulo the number of ports. */
static void plain(struct bench *b, const struct bench_load *l, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct egret_event *ev = &l->event[first + i];
        uint32_t v = UINT32_MAX;
        if (ev->kind != EGRET_EV_PACKET) {
            continue;
        }
        for (size_t k = 0; k < EGRET_RECORD_BYTES; k++) {
            v = v >> 8 ^ b->crc[(v ^ ev->record[k]) & 0xffu];
        }
        b->decision[i].data = ~v;
        b->decision[i].port = (uint8_t)(~v % b->cfg.num_ports);
    }
}

static int apply(struct bench *b, const struct bench_load *l, size_t first, size_t n,
                 uint32_t burst)
{
    const struct egret_selector_ops *ops = b->selector.ops;
    int code = EGRET_OK;
    size_t done = n;
    if (burst == 0) {
        plain(b, l, first, n);
    } else if (burst == 1) {
        for (size_t i = 0; i < n && code == EGRET_OK; i++) {
            code = ops->apply(b->selector.self, &l->event[first + i], &b->decision[i]);
        }
    } else {
        code = ops->apply_burst(b->selector.self, &l->event[first], n, b->decision, &done);
    }
    return code == EGRET_OK && done != n ? EGRET_ERR_INTERNAL : code;
}

/* Some events at once; singly, so many that the loop over them does not count. */
static int apply_all(struct bench *b, const struct bench_load *l, size_t first, size_t end,
                     uint32_t burst)
{
    size_t step = burst > 1u ? burst : CHECK_MAX_BURST;
    int code = EGRET_OK;
    for (size_t at = first; at < end && code == EGRET_OK; at += step) {
        code = apply(b, l, at, end - at < step ? end - at : step, burst);
    }
    return code;
}

/* A turn of a row: set-up, then its events again and again. A stimulus begins from reset each
 * time; only the events behind its set-up are timed. */
static int turn(struct bench *b, struct row *r, unsigned turn_number)
{
    const struct bench_load *l = r->load;
    double time = 0;
    uint64_t decisions = 0;
    do {
        int code = r->burst == 0 ? EGRET_OK : b->selector.ops->reset(b->selector.self);
        if (code == EGRET_OK && r->burst > 0) {
            code = apply_all(b, l, 0, l->start, 4096);
        }
        double start = now_ns();
        /* A file may be short, and a reset long. */
        code = code ? code : apply_all(b, l, l->start, l->count, r->burst);
        time += now_ns() - start;
        if (code) {
            return code;
        }
        decisions += l->packets;
    } while (decisions < b->decisions);
    r->ns[turn_number] = time / (double)decisions;
    return EGRET_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(struct row *row, size_t rows)
{
    double base = 0;
    printf("%-14s %-12s %11s %13s %8s\n", "load", "calls", "ns/decision", "decisions/s", "ratio");
    for (size_t i = 0; i < rows; i++) {
        char calls[24];
        struct row *r = &row[i];
        qsort(r->ns, TURNS, sizeof r->ns[0], compare);
        double ns = r->ns[TURNS / 2u] > 0.01 ? r->ns[TURNS / 2u] : 0.01; /* of a coarse clock */
        if (r->burst == 0) {
            base = ns;
            (void)snprintf(calls, sizeof calls, "-");
        } else if (r->burst == 1) {
            (void)snprintf(calls, sizeof calls, "singly");
        } else {
            (void)snprintf(calls, sizeof calls, "bursts %" PRIu32, r->burst);
        }
        printf("%-14s %-12s %11.1f %13.0f %8.2f\n", r->name, calls, ns, 1e9 / ns, ns / base);
    }
}

static int run(struct bench *b, struct bench_load *load, const char *const *name, size_t loads)
{
    struct row row[1u + 2u * EGRET_NUM_SCHEMES];
    size_t rows = 0;
    memset(row, 0, sizeof row);
    row[rows++] = (struct row){"plain loop", &load[0], 0, {0}};
    for (size_t i = 0; i < loads; i++) {
        row[rows++] = (struct row){name[i], &load[i], 1, {0}};
        if (b->burst > 1u) {
            row[rows++] = (struct row){name[i], &load[i], b->burst, {0}};
        }
    }
    for (unsigned t = 0; t < TURNS; t++) {
        for (size_t i = 0; i < rows; i++) {
            int code = turn(b, &row[i], t);
            if (code) {
                const char *text = NULL;
                if (b->selector.ops->describe) {
                    text = b->selector.ops->describe(b->selector.self);
                }
                (void)cli_usage("selector %s: %s%s%s", b->selector_name, egret_strerror(code),
                                text && text[0] ? ": " : "", text ? text : "");
                return code == EGRET_ERR_DIFFER ? EXIT_DIFFERENT : EXIT_INTERNAL;
            }
        }
    }
    printf("configuration %s, selector %s; processor time, median of %u turns\n", b->cfg.name,
           b->selector_name, TURNS);
    report(row, rows);
    return EXIT_DONE;
}

/* Loads of a file, or of the schemes; then the selector. */
static int prepare_and_run(struct bench *b, const char *path)
{
    struct bench_load load[EGRET_NUM_SCHEMES];
    const char *name[EGRET_NUM_SCHEMES];
    struct egret_trace_error err;
    size_t loads = 0;
    int code = EGRET_OK;
    memset(load, 0, sizeof load);
    if (path) {
        name[0] = "stimulus";
        code = bench_load_file(&load[0], path, &err);
        loads = 1;
        if (code == EGRET_OK && load[0].cut) {
            printf("of %s the first %u events\n", path, BENCH_MAX_EVENTS);
        }
    }
    for (uint32_t s = 1; !path && s <= EGRET_NUM_SCHEMES && code == EGRET_OK; s++) {
        if ((b->cfg.schemes >> s & 1u) && (b->scheme == 0 || b->scheme == s)) {
            name[loads] = egret_scheme_name(s);
            code = bench_load_scheme(&load[loads++], &b->cfg, s);
            if (code) {
                (void)egret_trace_fail(&err, code, "the load of scheme %s: %s", name[loads - 1u],
                                       egret_strerror(code));
            }
        }
    }
    b->decision = calloc(CHECK_MAX_BURST, sizeof *b->decision);
    if (code == EGRET_OK && !b->decision) {
        code = egret_trace_fail(&err, EGRET_ERR_MEMORY, "out of memory");
    }
    int result = code ? cli_error(code, &err) : -1;
    if (result < 0 && loads == 0) {
        result = cli_usage("bench: configuration %s has no such scheme", b->cfg.name);
    }
    if (result < 0) {
        result = cli_selector_open(b->selector_name, b->selector_dir, &b->cfg, &b->selector);
    }
    if (result < 0) {
        result = run(b, load, name, loads);
        cli_selector_close(&b->selector);
    }
    for (size_t i = 0; i < EGRET_NUM_SCHEMES; i++) {
        bench_load_free(&load[i]);
    }
    free(b->decision);
    return result;
}

int cmd_bench(int argc, char **argv)
{
    struct bench b;
    memset(&b, 0, sizeof b);
    b.config = "lab";
    b.selector_name = "model";
    b.burst = 64;
    b.decisions = 100000;
    const struct cli_option options[] = {
        {"config", CLI_TEXT, &b.config, "C", "configuration: a name or a file of KEY=VALUE (lab)"},
        {"selector", CLI_TEXT, &b.selector_name, "S",
         "model, rtl:CONFIG, check:CONFIG, ./lib.so (model)"},
        {"selector-dir", CLI_TEXT, &b.selector_dir, "D",
         "folder of rtl_C.so and check_C.so (../selectors beside egret)"},
        {"scheme", CLI_TEXT, &b.scheme_name, "S", "only this one (all that the configuration has)"},
        {"burst", CLI_U32, &b.burst, "N", "events of a burst; 1: only singly (64)"},
        {"decisions", CLI_U64, &b.decisions, "N", "of a row and turn, at least (100000)"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "bench", "[FILE] [--config C] [--selector S] [--scheme S] [--burst N]",
        "Prints what a decision takes, for the events of a stimulus or, without one, for 4096 "
        "random\n"
        "flows over all groups and ports by each scheme; singly and in bursts. The ratio is to a\n"
        "plain loop in the same run: CRC-32C of each packet's 41 bytes, a byte at a time, modulo "
        "the\n"
        "number of ports. Of a stimulus all events behind the first packet are timed, and divided "
        "by\n"
        "its packets. Exit code 0 whatever the figures are.",
        options,
        "  egret bench\n"
        "  egret bench --config tor64 --scheme dr --burst 256\n"
        "  egret bench --config lab --selector rtl:lab --decisions 2000 perm.pcap\n"};
    const char *operand[1];
    size_t n;
    int code = cli_parse(&command, argc, argv, operand, 1, &n);
    if (code >= 0) {
        return code;
    }
    if (b.burst == 0 || b.burst > CHECK_MAX_BURST) {
        return cli_usage("bench: --burst: 1 to %u", CHECK_MAX_BURST);
    }
    if (b.decisions == 0 || b.decisions > MAX_DECISIONS) {
        return cli_usage("bench: --decisions: 1 to %u", MAX_DECISIONS);
    }
    if (b.scheme_name && n == 1) {
        return cli_usage("bench: --scheme is for the loads of its own, not for a stimulus");
    }
    if (b.scheme_name && (egret_scheme_by_name(b.scheme_name, &b.scheme) != EGRET_OK ||
                          b.scheme == EGRET_SCHEME_NONE)) {
        return cli_usage("bench: unknown scheme '%s'", b.scheme_name);
    }
    code = cli_config(b.config, &b.cfg);
    if (code >= 0) {
        return code;
    }
    fill_crc(b.crc);
    return prepare_and_run(&b, n == 1 ? operand[0] : NULL);
}
