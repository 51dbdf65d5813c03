/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c: --order of egret model and egret check: the order oracle beside a run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../trace/rng.h"
#include "order.h"

#define MAX_DELAY_NS 1000000000u

static int bad_delays(void)
{
    return cli_usage("--order is spread:BASE,SPREAD[,SEED], or list:NS,NS,... with one for each "
                     "port; at most %u ns",
                     MAX_DELAY_NS);
}

/* Numbers with commas between them; how many, or 0 if there is anything else, or too many. */
static size_t numbers(const char *text, uint64_t *out, size_t max)
{
    size_t n = 0;
    while (*text) {
        char word[24];
        size_t length = strcspn(text, ",");
        if (n == max || length == 0 || length >= sizeof word) {
            return 0;
        }
        memcpy(word, text, length);
        word[length] = '\0';
        if (!cli_parse_u64(word, UINT32_MAX, &out[n++])) {
            return 0;
        }
        text += length;
        if (*text == ',' && *++text == '\0') {
            return 0;
        }
    }
    return n;
}

static int parse_delays(const char *text, uint32_t ports, uint32_t *delay)
{
    uint64_t value[EGRET_MAX_PORTS];
    bool list = strncmp(text, "list:", 5) == 0;
    if (!list && strncmp(text, "spread:", 7) != 0) {
        return bad_delays();
    }
    size_t n = numbers(text + (list ? 5 : 7), value, list ? EGRET_MAX_PORTS : 3u);
    if (n == 0 || (!list && n < 2u)) {
        return bad_delays();
    }
    if (list && n != ports) {
        return cli_usage("--order: %zu delays, and the configuration has %u ports", n, ports);
    }
    struct rng rng = {!list && n == 3u ? value[2] : 1u};
    for (uint32_t p = 0; p < ports; p++) {
        uint64_t d = list ? value[p] : value[0];
        if (d > MAX_DELAY_NS || (!list && value[1] > MAX_DELAY_NS)) {
            return bad_delays();
        }
        delay[p] = (uint32_t)d + (list ? 0 : rng_below(&rng, (uint32_t)value[1] + 1u));
    }
    return -1;
}

static int parse_keep(const char *text, struct egret_order_setup *setup)
{
    egret_order_default(setup->opcode);
    if (!text || strcmp(text, "write-only-free") == 0) {
        return -1;
    }
    if (strcmp(text, "class") == 0) {
        setup->by_class = true;
        return -1;
    }
    memset(setup->opcode, 0, sizeof setup->opcode);
    while (*text) {
        char word[8] = {0};
        uint8_t opcode[1];
        size_t n;
        size_t length = strcspn(text, ",");
        memcpy(word, text, length < sizeof word ? length : 0);
        if (!cli_parse_hex(word, opcode, 1, &n) || n != 1u) {
            return cli_usage("--order-keep is write-only-free, class, or opcodes: 06,07,08");
        }
        setup->opcode[opcode[0]] = true;
        text += length;
        if (*text == ',' && *++text == '\0') {
            return cli_usage("--order-keep is write-only-free, class, or opcodes: 06,07,08");
        }
    }
    return -1;
}

int cli_order_options(const struct cli_order *c, const struct egret_cfg *cfg,
                      struct egret_order_setup *setup)
{
    memset(setup, 0, sizeof *setup);
    if (!c->delays) {
        const char *option = c->keep   ? "--order-keep"
                             : c->rate ? "--order-rate"
                             : c->json ? "--order-json"
                                       : NULL;
        return option ? cli_usage("%s is for --order", option) : -1;
    }
    setup->rate_mbps = c->rate;
    int code = parse_delays(c->delays, cfg->num_ports, setup->delay_ns);
    return code < 0 ? parse_keep(c->keep, setup) : code;
}

int cli_order_open(struct cli_order *c, const struct egret_cfg *cfg, struct egret_trace_error *err)
{
    struct egret_order_setup setup;
    if (!c->delays) {
        return EGRET_OK;
    }
    (void)cli_order_options(c, cfg, &setup); /* which were looked at before */
    int code = egret_order_create(cfg, &setup, &c->order);
    if (code) {
        return egret_trace_fail(err, code, "%s", egret_strerror(code));
    }
    return EGRET_OK;
}

void cli_order_events(struct cli_order *c, const struct egret_event *ev,
                      const struct egret_decision *d, size_t n)
{
    for (size_t i = 0; c->order && i < n; i++) {
        egret_order_event(c->order, &ev[i], &d[i]);
    }
}

static void print_row(const struct egret_order *o, unsigned i)
{
    const struct egret_order_row *r = &egret_order_figures(o)->row[i];
    printf("  class %-2u %s %9" PRIu64 " packets %9" PRIu64 " reordered", r->cls,
           r->keeps ? "keeps order" : "any order  ", r->packets, r->reordered);
    if (r->reordered) {
        printf(", by at most %" PRIu64 " packet%s, %" PRIu64 " bytes, %" PRIu64 " ns",
               r->overtaken_packets, cli_s(r->overtaken_packets), r->overtaken_bytes, r->late_ns);
    }
    for (unsigned c = 0; r->keeps && c < EGRET_ORDER_CAUSES; c++) {
        if (r->cause[c]) {
            printf(", %s %" PRIu64, egret_order_cause_name(c), r->cause[c]);
        }
    }
    if (r->passed) {
        printf(", %" PRIu64 " passed by packets in any order", r->passed);
    }
    printf("\n");
}

static void print(const struct egret_order *o)
{
    const struct egret_order_figures *f = egret_order_figures(o);
    uint64_t moves = f->moves_safe;
    for (unsigned c = 0; c < EGRET_ORDER_CAUSES; c++) {
        moves += f->moves[c];
    }
    printf("order: %" PRIu64 " queue pair%s, skew %" PRIu32 " ns, %" PRIu64
           " packet%s dropped, %" PRIu64 " without a queue pair\n",
           f->flows, cli_s(f->flows), f->skew_ns, f->dropped, cli_s(f->dropped), f->no_queue_pair);
    for (unsigned i = 0; i < EGRET_ORDER_ROWS; i++) {
        if (f->row[i].packets) {
            print_row(o, i);
        }
    }
    printf("  changes of port among those that keep order: %" PRIu64, moves);
    for (unsigned c = 0; c < EGRET_ORDER_CAUSES; c++) {
        if (f->moves[c]) {
            printf(", %s %" PRIu64, egret_order_cause_name(c), f->moves[c]);
        }
    }
    if (f->moves_safe) {
        printf(", behind a pause of the skew or more %" PRIu64, f->moves_safe);
    }
    printf("\n  within the skew a queue pair sent at most %" PRIu64 " bytes", f->window_bytes);
    if (f->bound_bytes != 0) {
        printf("; its line carries %" PRIu64 ", exceeded by %" PRIu64 " queue pair%s",
               f->bound_bytes, f->exceeded, cli_s(f->exceeded));
    }
    printf("\n");
}

int cli_order_end(struct cli_order *c, struct egret_outfile *out, struct egret_trace_error *err)
{
    int code = c->order ? egret_order_end(c->order) : EGRET_OK;
    if (code) {
        return egret_trace_fail(err, code, "%s", egret_strerror(code));
    }
    if (c->order && out) {
        egret_order_json(c->order, out);
    }
    return EGRET_OK;
}

int cli_order_report(const struct cli_order *c, bool quiet)
{
    if (c->order && !quiet) {
        print(c->order);
    }
    if (!c->order) {
        return EXIT_DONE;
    }
    if (egret_order_figures(c->order)->flows == 0) {
        (void)cli_usage("order: no packet of a queue pair");
        return EXIT_DIFFERENT;
    }
    if (egret_order_errors(c->order) == 0) {
        return EXIT_DONE;
    }
    const char *text = egret_order_figures(c->order)->error;
    if (text[0]) {
        (void)cli_usage("order: %s, without a cause", text);
    } else {
        (void)cli_usage("order: a packet is overtaken by more than --order-rate carries in the "
                        "skew");
    }
    return EXIT_DIFFERENT;
}

void cli_order_close(struct cli_order *c)
{
    egret_order_destroy(c->order);
}
