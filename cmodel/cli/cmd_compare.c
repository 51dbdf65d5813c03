/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_compare.c: egret compare: two logs of decisions, or a log and the model, event by event and
 * in constant memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define CONTEXT_MAX 64u
#define CONTEXT_TEXT 240u

struct column {
    unsigned in[2]; /* its place on either side */
    enum log_kind kind;
    uint64_t differ;
};

struct compare {
    struct compare_side side[2]; /* the reference, and the log in question */
    struct column column[CSV_MAX_CELLS];
    unsigned columns;
    bool partial;
    bool reported;
    uint64_t compared;
    uint64_t differ;
    uint64_t only[2];
    uint32_t context; /* rows to show before the first difference */
    uint64_t kept;    /* so far; the last ones are in the ring */
    char (*ring)[CONTEXT_TEXT];
};

/* Is a name in a list with commas? */
static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (; *list; list += strcspn(list, ","), list += *list == ',') {
        char word[32] = {0};
        size_t length = strcspn(list, ",");
        if (length == n && length < sizeof word) {
            memcpy(word, list, length);
            if (egret_csv_same(word, name)) {
                return true;
            }
        }
    }
    return false;
}

static int column_of(const struct decision_log *l, const char *name)
{
    for (unsigned i = 0; i < l->columns; i++) {
        if (name[0] && egret_csv_same(l->name[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

/* Each name of --columns is on both sides. */
static int check_list(const struct compare *c, const char *list)
{
    while (*list) {
        char word[32] = {0};
        size_t n = strcspn(list, ",");
        memcpy(word, list, n < sizeof word ? n : sizeof word - 1u);
        for (unsigned k = 0; k < 2u; k++) {
            if (column_of(&c->side[k].log, word) < 0) {
                return cli_usage("compare: --columns: %s has no column '%s'", c->side[k].name,
                                 word);
            }
        }
        list += n + (list[n] == ',');
    }
    return -1;
}

/* What both sides have, but for the ordinal and, unless it is asked for, the clock. */
static int choose_columns(struct compare *c, const char *list)
{
    const struct decision_log *a = &c->side[0].log;
    struct decision_log *b = &c->side[1].log;
    bool by_event = a->event >= 0 && b->event >= 0;
    if (!by_event && (a->tag < 0 || b->tag < 0)) {
        return cli_usage("compare: %s and %s have neither 'event' nor 'tag' in common",
                         c->side[0].name, c->side[1].name);
    }
    c->side[0].log.by_tag = b->by_tag = !by_event;
    int code = list ? check_list(c, list) : -1;
    for (unsigned i = 0; code < 0 && i < b->columns; i++) {
        const char *name = b->name[i];
        int other = column_of(a, name);
        if (other < 0 || strcmp(name, by_event ? "event" : "tag") == 0 ||
            (list ? !listed(list, name) : strcmp(name, "cycle") == 0)) {
            continue;
        }
        c->column[c->columns++] =
            (struct column){{(unsigned)other, i}, egret_decision_log_kind(name), 0};
    }
    if (code < 0 && c->columns == 0) {
        code = cli_usage("compare: --columns names nothing to compare but the ordinal");
    }
    return code;
}

static const char *ordinal_name(const struct compare *c)
{
    return c->side[1].log.by_tag ? "tag" : "event";
}

static void print_place(const struct compare_side *s)
{
    if (s->in) {
        printf("model");
    } else {
        printf("%s:%" PRIu64, s->name, s->log.csv.line);
    }
}

/* The rows that were equal, right before. */
static void print_context(const struct compare *c)
{
    uint64_t n = c->kept < c->context ? c->kept : c->context;
    for (uint64_t i = c->kept - n; i < c->kept; i++) {
        printf("  equal     %s\n", c->ring[i % CONTEXT_MAX]);
    }
}

static void keep_context(struct compare *c)
{
    char *text = c->ring[c->kept++ % CONTEXT_MAX];
    const struct decision_log *l = &c->side[1].log;
    int n = snprintf(text, CONTEXT_TEXT, "%s %" PRIu64 ":", ordinal_name(c), l->ordinal);
    for (unsigned i = 0; i < c->columns && n > 0 && (size_t)n < CONTEXT_TEXT - 1u; i++) {
        const char *name = l->name[c->column[i].in[1]];
        n += snprintf(text + n, CONTEXT_TEXT - (size_t)n, " %s=%.40s", name,
                      l->csv.cell[c->column[i].in[1]]);
    }
}

/* Both rows of the first difference, field by field. */
static void print_difference(const struct compare *c, const bool *differs)
{
    printf("first difference: %s %" PRIu64 ": ", ordinal_name(c), c->side[1].log.ordinal);
    print_place(&c->side[0]);
    printf(" and ");
    print_place(&c->side[1]);
    printf("\n");
    print_context(c);
    printf("            %-12s %-20s %s\n", "", c->side[0].name, c->side[1].name);
    for (unsigned i = 0; i < c->columns; i++) {
        const struct column *k = &c->column[i];
        printf("  %-9s %-12s %-20s %s\n", differs[i] ? "DIFFERENT" : "equal",
               c->side[1].log.name[k->in[1]], c->side[0].log.csv.cell[k->in[0]],
               c->side[1].log.csv.cell[k->in[1]]);
    }
}

static int compare_rows(struct compare *c, struct egret_trace_error *err)
{
    bool differs[CSV_MAX_CELLS] = {false};
    bool any = false;
    for (unsigned i = 0; i < c->columns; i++) {
        struct column *k = &c->column[i];
        for (unsigned s = 0; s < 2u; s++) {
            int code = egret_decision_log_check(&c->side[s].log, k->in[s], err);
            if (code) {
                return code;
            }
        }
        differs[i] = !egret_decision_log_equal(k->kind, c->side[0].log.csv.cell[k->in[0]],
                                               c->side[1].log.csv.cell[k->in[1]]);
        k->differ += differs[i];
        any = any || differs[i];
    }
    c->compared++;
    c->differ += any;
    if (any && !c->reported) {
        c->reported = true;
        print_difference(c, differs);
    } else if (!any && !c->reported && c->context) {
        keep_context(c);
    }
    return EGRET_OK;
}

/* A row that the other side does not have. */
static void lonely(struct compare *c, unsigned s)
{
    c->only[s]++;
    if (!c->reported && !(s == 0 && c->partial)) {
        c->reported = true;
        printf("first difference: %s %" PRIu64 ": ", ordinal_name(c), c->side[s].log.ordinal);
        print_place(&c->side[s]);
        printf(" has it, %s has not\n", c->side[1u - s].name);
        print_context(c);
    }
}

/* Both logs rise, so that what one of them lacks is seen at once. */
static int run(struct compare *c, struct egret_trace_error *err)
{
    struct cli_progress progress;
    bool need[2] = {true, true};
    int got[2] = {1, 1};
    int code = EGRET_OK;
    cli_progress_start(&progress, "compare:");
    while (code == EGRET_OK) {
        for (unsigned s = 0; s < 2u && code == EGRET_OK; s++) {
            got[s] = need[s] && got[s] > 0 ? compare_next(&c->side[s], err) : got[s];
            code = got[s] < 0 ? got[s] : EGRET_OK;
        }
        if (code || (!got[0] && !got[1])) {
            break;
        }
        uint64_t a = c->side[0].log.ordinal;
        uint64_t b = c->side[1].log.ordinal;
        need[0] = got[0] && (!got[1] || a <= b);
        need[1] = got[1] && (!got[0] || b <= a);
        if (need[0] && need[1]) {
            code = compare_rows(c, err);
        } else {
            lonely(c, need[0] ? 0u : 1u);
        }
        cli_progress_at(&progress, c->side[0].log.rows);
    }
    cli_progress_end(&progress);
    return code;
}

static int verdict(const struct compare *c)
{
    const char *what = c->side[1].log.by_tag ? "packet" : "event";
    bool lonely_rows = c->only[1] != 0 || (c->only[0] != 0 && !c->partial);
    if (c->compared == 0 && !lonely_rows) {
        return cli_usage("compare: %s has no row: nothing was compared", c->side[1].name);
    }
    if (c->compared == 0) {
        return cli_usage("compare: %s and %s have no %s in common: nothing was compared",
                         c->side[0].name, c->side[1].name, ordinal_name(c));
    }
    if (c->side[0].log.rows != c->side[1].log.rows && !c->partial) {
        printf("lengths differ: %s has %" PRIu64 " %s%s, %s has %" PRIu64 "\n", c->side[0].name,
               c->side[0].log.rows, what, cli_s(c->side[0].log.rows), c->side[1].name,
               c->side[1].log.rows);
    }
    bool equal = c->differ == 0 && !lonely_rows;
    printf("%s: %" PRIu64 " %s%s compared, %" PRIu64 " differ, %" PRIu64 " only in %s, %" PRIu64
           " only in %s\n",
           equal ? "equal" : "different", c->compared, what, cli_s(c->compared), c->differ,
           c->only[0], c->side[0].name, c->only[1], c->side[1].name);
    printf("columns:");
    for (unsigned i = 0; i < c->columns; i++) {
        printf(" %s", c->side[1].log.name[c->column[i].in[1]]);
        if (c->column[i].differ) {
            printf(" (%" PRIu64 " differ)", c->column[i].differ);
        }
    }
    printf("\n");
    return equal ? EXIT_DONE : EXIT_DIFFERENT;
}

/* Opens both sides. Returns -1 to go on, else the exit code. */
static int open_sides(struct compare *c, const struct egret_cfg *cfg, const char *stimulus,
                      const char *const *path)
{
    struct egret_trace_error err;
    int code = stimulus ? compare_open_model(&c->side[0], cfg, stimulus, &err)
                        : compare_open_file(&c->side[0], path[0], &err);
    if (code == EGRET_OK) {
        code = compare_open_file(&c->side[1], path[stimulus ? 0 : 1], &err);
    }
    return code ? cli_error(code, &err) : -1;
}

int cmd_compare(int argc, char **argv)
{
    const char *config = NULL;
    const char *stimulus = NULL;
    const char *columns = NULL;
    bool partial = false;
    bool allow = false;
    bool scanned = false;
    uint32_t context = 3;
    const struct cli_option options[] = {
        {"config", CLI_TEXT, &config, "C", "of the model: a name or a file of KEY=VALUE"},
        {"stimulus", CLI_TEXT, &stimulus, "S", "compare with what the model decides on this"},
        {"columns", CLI_TEXT, &columns, "LIST", "with commas (all that both have, but cycle)"},
        {"partial", CLI_FLAG, &partial, NULL, "the last log may lack events"},
        {"context", CLI_U32, &context, "N", "equal rows shown before the difference, 0..64 (3)"},
        {"allow-illegal", CLI_FLAG, &allow, NULL, "take a stimulus that exceeds the configuration"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "compare", "A.csv B.csv | --config C --stimulus S MINE.csv [--columns LIST] [--partial]",
        "Compares two logs of decisions, or a log with the model. A log is CSV with a header:\n"
        "`port` and `event` or `tag` (packets, from 0), and any of the other columns of egret\n"
        "model --csv, in any order. Rows are matched by event, or by tag if one has no event, and\n"
        "must rise. Exit code 0 equal, 1 different, 2 input, also if nothing was compared.",
        options,
        "  egret compare before.csv after.csv\n"
        "  egret compare --config lab --stimulus perm.pcap mine.csv\n"
        "  egret compare --config lab --stimulus perm.pcap --partial --columns port mine.csv\n"};
    const char *path[2] = {NULL, NULL};
    struct egret_cfg cfg;
    size_t n;
    int code = cli_parse(&command, argc, argv, path, 2, &n);
    if (code >= 0) {
        return code;
    }
    if (!stimulus && (config || allow)) {
        return cli_usage("compare: %s is for --stimulus", config ? "--config" : "--allow-illegal");
    }
    if (n != (stimulus ? 1u : 2u)) {
        return cli_usage("compare: two logs, or --config, --stimulus and one log");
    }
    if (context > CONTEXT_MAX) {
        return cli_usage("compare: --context: 0 to %u", CONTEXT_MAX);
    }
    code = stimulus ? cli_config(config, &cfg) : -1;
    if (code < 0 && strcmp(path[0], "-") == 0 && strcmp(stimulus ? stimulus : path[1], "-") == 0) {
        code = cli_usage("compare: only one input can be standard input");
    }
    if (code < 0 && stimulus) {
        code = cli_scan_file(stimulus, allow ? NULL : &cfg, &scanned);
    }
    if (code >= 0) {
        return code;
    }
    struct compare *c = calloc(1, sizeof *c);
    char(*ring)[CONTEXT_TEXT] = calloc(CONTEXT_MAX, sizeof *ring);
    if (!c || !ring) {
        free(c);
        free(ring);
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    c->ring = ring;
    c->side[0].scanning = stimulus && !allow && !scanned;
    c->partial = partial;
    c->context = context;
    code = open_sides(c, &cfg, stimulus, path);
    code = code < 0 ? choose_columns(c, columns) : code;
    if (code < 0) {
        struct egret_trace_error err;
        code = run(c, &err);
        code = code ? cli_error(code, &err) : verdict(c);
    }
    compare_close(&c->side[0]);
    compare_close(&c->side[1]);
    free(ring);
    free(c);
    return code;
}
