/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_check.c: egret check: a selector against the model, event by event.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace/outfile.h"
#include "check.h"

bool check_same(const struct egret_decision *a, const struct egret_decision *b)
{
    return a->tag == b->tag && a->data == b->data && a->kind == b->kind && a->port == b->port &&
           a->choice == b->choice && a->scheme == b->scheme && a->reason == b->reason;
}

int check_apply(struct check *c, size_t n, bool singly)
{
    size_t done = 0;
    int code = EGRET_OK;
    memset(c->left, 0, n * sizeof *c->left);
    memset(c->right, 0xff, n * sizeof *c->right);
    (void)egret_apply_burst(c->model, c->event, n, c->right, NULL); /* kinds that there are */
    if (singly) {
        for (; done < n && (code == EGRET_OK || code == EGRET_ERR_DIFFER); done++) {
            int one = c->selector.ops->apply(c->selector.self, &c->event[done], &c->left[done]);
            code = one ? one : code;
        }
    } else {
        code = c->selector.ops->apply_burst(c->selector.self, c->event, n, c->left, &done);
    }
    return code == EGRET_OK && done != n ? EGRET_ERR_INTERNAL : code;
}

int check_fill(struct check *c, size_t n, size_t *got, struct egret_trace_error *err)
{
    int code = 1;
    size_t i = 0;
    while (i < n && (code = egret_stimulus_next(c->in, &c->event[i], err)) > 0) {
        if (c->scanning) {
            code = cli_scan_event(&c->scan, c->in, c->path, &c->event[i], err);
            if (code) {
                break;
            }
        }
        i++;
    }
    *got = i;
    return code < 0 ? code : EGRET_OK;
}

/* Index of the first difference, n if there is none. Counts what was compared. */
static size_t compare(struct check *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (c->decisions && c->right[i].kind == EGRET_RES_READ) {
            continue;
        }
        if (!check_same(&c->left[i], &c->right[i])) {
            return i;
        }
        c->packets += c->right[i].kind == EGRET_RES_PACKET;
        c->reads += c->right[i].kind == EGRET_RES_READ;
    }
    return n;
}

int check_selector_error(struct check *c, int code)
{
    const char *text = NULL;
    if (c->selector.ops->describe) {
        text = c->selector.ops->describe(c->selector.self);
    }
    (void)cli_usage("selector %s: %s%s%s", c->selector_name, egret_strerror(code),
                    text && text[0] ? ": " : "", text ? text : "");
    return code == EGRET_ERR_DIFFER ? EXIT_DIFFERENT : EXIT_INTERNAL;
}

static void print_in_flight(const struct check *c)
{
    if (c->selector.ops->in_flight) {
        printf("in flight: %.2f packets on average\n",
               c->selector.ops->in_flight(c->selector.self));
    }
    if (c->selector.ops->clocks) {
        printf("clocks: %" PRIu64 "\n", c->selector.ops->clocks(c->selector.self));
    }
}

/* The selector's decisions were right; is the order? */
static int end_order(struct check *c)
{
    struct egret_trace_error err;
    int code = cli_order_end(&c->order, c->order_json, &err);
    if (code == EGRET_OK && c->order_json) {
        code = egret_outfile_commit_all(&c->order_json, 1, &err);
        c->order_json = NULL;
    }
    return code ? cli_error(code, &err) : cli_order_report(&c->order, false);
}

static void print_compared(const struct check *c, const char *differences)
{
    printf("compared %" PRIu64 " packet%s, %" PRIu64 " read%s, %s\n", c->packets, cli_s(c->packets),
           c->reads, cli_s(c->reads), differences);
}

static int run(struct check *c)
{
    struct cli_progress progress;
    struct egret_trace_error err;
    uint64_t at = 0;
    size_t n;
    cli_progress_start(&progress, "check:");
    for (;;) {
        int code = check_fill(c, c->burst, &n, &err);
        if (code) {
            cli_progress_end(&progress);
            return cli_error(code, &err);
        }
        if (n == 0) {
            break;
        }
        code = check_apply(c, n, false);
        /* A selector that compares by itself has handed over what differs. */
        bool broken = code && code != EGRET_ERR_DIFFER;
        size_t bad = compare(c, broken ? 0 : n);
        if (code || bad < n) {
            cli_progress_end(&progress);
            print_compared(c, broken ? "0 differences" : "1 difference");
            if (broken || bad == n) {
                return check_selector_error(c, code);
            }
            c->burst_start = at;
            c->ordinal = at + bad;
            c->bad_event = c->event[bad];
            c->bad_left = c->left[bad];
            c->bad_right = c->right[bad];
            check_report(c);
            return EXIT_DIFFERENT;
        }
        cli_order_events(&c->order, c->event, c->left, n);
        at += n;
        cli_progress_at(&progress, at);
    }
    cli_progress_end(&progress);
    print_compared(c, "0 differences");
    if (c->packets == 0) {
        return cli_usage("nothing was compared");
    }
    int code = EXIT_DONE;
    if (c->decisions) {
        printf("state and counters: not compared (--decisions)\n");
    } else {
        code = check_state(c);
    }
    print_in_flight(c);
    return code ? code : end_order(c);
}

static int open_all(struct check *c)
{
    struct egret_trace_error err;
    int code = cli_selector_open(c->selector_name, c->selector_dir, &c->cfg, &c->selector);
    if (code >= 0) {
        return code;
    }
    c->event = calloc(c->burst, sizeof *c->event);
    c->left = calloc(c->burst, sizeof *c->left);
    c->right = calloc(c->burst, sizeof *c->right);
    if (!c->event || !c->left || !c->right || egret_create(&c->cfg, &c->model) != EGRET_OK ||
        !cli_scan_open(&c->scan, &c->cfg)) {
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    code = egret_stimulus_open(c->path, &c->in, &err);
    if (code == EGRET_OK) {
        code = cli_order_open(&c->order, &c->cfg, &err);
    }
    if (code == EGRET_OK && c->order.json) {
        code = egret_outfile_open(c->order.json, &c->order_json, &err);
    }
    return code ? cli_error(code, &err) : -1;
}

static void close_all(struct check *c)
{
    egret_stimulus_close(c->in);
    egret_destroy(c->model);
    cli_selector_close(&c->selector);
    cli_scan_close(&c->scan);
    cli_order_close(&c->order);
    egret_outfile_abort(c->order_json);
    free(c->event);
    free(c->left);
    free(c->right);
}

int cmd_check(int argc, char **argv)
{
    struct check c;
    memset(&c, 0, sizeof c);
    c.burst = 4096;
    struct egret_order_setup setup;
    const struct cli_option options[] = {
        {"config", CLI_TEXT, &c.config_name, "C", "configuration: a name or a file of KEY=VALUE"},
        {"selector", CLI_TEXT, &c.selector_name, "S", "model, rtl:CONFIG, check:CONFIG, ./lib.so"},
        {"selector-dir", CLI_TEXT, &c.selector_dir, "D",
         "folder of rtl_C.so and check_C.so (../selectors beside egret)"},
        {"burst", CLI_U32, &c.burst, "N", "events handed over at once (4096)"},
        CLI_ORDER_OPTIONS(c.order),
        {"decisions", CLI_FLAG, &c.decisions, NULL,
         "compare packets only, no reads and no state: for a design with other registers"},
        {"allow-illegal", CLI_FLAG, &c.allow, NULL,
         "take a stimulus that exceeds the configuration"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "check", "--config C --selector S FILE",
        "Compares a selector with the model, decision by decision, and at the end all state. "
        "Stops\n"
        "at the first difference: event, both decisions, the model's reasons, both states.\n"
        "FILE - is standard input. make selectors CONFIG=C builds rtl:C and check:C.\n"
        "--order delays each packet by its port's path, and tells which arrive out of order: 1\n"
        "also if one does that must not, and nothing in the stimulus is the cause.\n"
        "Exit code 0: equal, 1: different, 2: usage or input, 3: the selector failed.",
        options,
        "  egret check --config lab --selector rtl:lab perm.pcap\n"
        "  egret check --config lab --selector rtl:lab --order spread:500,2000 perm.pcap\n"
        "  egret check --config my.cfg --selector ./libmine.so --burst 1 perm.pcap\n"
        "  egret check --config lab --decisions --selector ./libmine.so ecmp.pcap\n"};
    const char *operand[1];
    size_t n;
    bool scanned = false;
    int code = cli_parse(&command, argc, argv, operand, 1, &n);
    if (code < 0 && n != 1) {
        code = cli_usage("check: a stimulus is missing");
    }
    if (code < 0 && !c.selector_name) {
        code = cli_usage("check: --selector is missing");
    }
    if (code < 0 && (c.burst == 0 || c.burst > CHECK_MAX_BURST)) {
        code = cli_usage("check: --burst: 1 to %u", CHECK_MAX_BURST);
    }
    if (code < 0) {
        code = cli_config(c.config_name, &c.cfg);
    }
    if (code < 0) {
        code = cli_order_options(&c.order, &c.cfg, &setup);
    }
    if (code < 0 && c.order.json && strcmp(c.order.json, "-") == 0) {
        code = cli_usage("check: --order-json cannot be standard output");
    }
    if (code < 0) {
        const struct cli_files files = {{operand[0], cli_config_file(c.config_name), NULL},
                                        {c.order.json, NULL, NULL, NULL}};
        code = cli_check_files(&files);
    }
    if (code < 0 && !c.allow) {
        code = cli_scan_file(operand[0], &c.cfg, &scanned);
    }
    if (code >= 0) {
        return code;
    }
    c.path = operand[0];
    c.scanning = !c.allow && !scanned;
    code = open_all(&c);
    if (code < 0) {
        code = run(&c);
    }
    close_all(&c);
    return code;
}
