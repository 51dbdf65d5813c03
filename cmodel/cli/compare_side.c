/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_side.c: see compare.h. The model's rows are egret model's CSV, made one at a time.
 */
#include <string.h>

#include "../trace/csv.h"
#include "compare.h"

int compare_open_file(struct compare_side *s, const char *path, struct egret_trace_error *err)
{
    s->name = path;
    int code = egret_csv_open(&s->log.csv, path, err);
    return code ? code : egret_decision_log_start(&s->log, err);
}

/* A line of CSV without quotes, as if it had been read. */
static void split(struct csv_reader *r)
{
    char *at = r->text;
    r->cells = 0;
    at[strcspn(at, "\n")] = '\0';
    while (at && r->cells < CSV_MAX_CELLS) {
        char *comma = strchr(at, ',');
        r->cell[r->cells++] = at;
        if (comma) {
            *comma++ = '\0';
        }
        at = comma;
    }
}

int compare_open_model(struct compare_side *s, const struct egret_cfg *cfg, const char *stimulus,
                       struct egret_trace_error *err)
{
    struct decision_log *l = &s->log;
    s->name = "model";
    int code = egret_stimulus_open(stimulus, &s->in, err);
    if (code) {
        return code;
    }
    s->stimulus = stimulus;
    code = egret_create(cfg, &s->model);
    if (code == EGRET_OK && !cli_scan_open(&s->scan, cfg)) {
        code = EGRET_ERR_MEMORY;
    }
    if (code) {
        return egret_trace_fail(err, code, "%s", egret_strerror(code));
    }
    (void)egret_ideal_init(&s->clock, cfg); /* what the model takes, the clock does */
    egret_csv_start(&l->csv, NULL, s->name);
    memcpy(l->csv.text, EGRET_CSV_HEADER, sizeof EGRET_CSV_HEADER);
    split(&l->csv);
    l->columns = l->csv.cells;
    for (unsigned i = 0; i < l->columns; i++) {
        memcpy(l->name[i], l->csv.cell[i], strlen(l->csv.cell[i]) + 1u); /* short ones */
    }
    l->event = egret_csv_find(&l->csv, "event");
    l->tag = egret_csv_find(&l->csv, "tag");
    l->port = egret_csv_find(&l->csv, "port");
    l->scheme = egret_csv_find(&l->csv, "scheme");
    return EGRET_OK;
}

static int model_next(struct compare_side *s, struct egret_trace_error *err)
{
    struct egret_event ev;
    struct egret_decision d;
    int got;
    while ((got = egret_stimulus_next(s->in, &ev, err)) > 0) {
        int code = s->scanning ? cli_scan_event(&s->scan, s->in, s->stimulus, &ev, err) : EGRET_OK;
        if (code) {
            return code;
        }
        uint64_t cycle = 0;
        uint64_t event = egret_stimulus_events(s->in) - 1u;
        (void)egret_apply(s->model, &ev, &d); /* the reader gives only events that it knows */
        (void)egret_ideal_next(&s->clock, ev.kind, NULL, &cycle);
        if (d.kind == EGRET_RES_NONE || (d.kind == EGRET_RES_READ && s->log.by_tag)) {
            continue;
        }
        (void)egret_csv_text(s->log.csv.text, event, cycle, &ev, &d);
        split(&s->log.csv);
        s->log.csv.line = event;
        s->log.ordinal = s->log.by_tag ? egret_stimulus_packets(s->in) - 1u : event;
        s->log.rows++;
        return 1;
    }
    return got;
}

int compare_next(struct compare_side *s, struct egret_trace_error *err)
{
    return s->in ? model_next(s, err) : egret_decision_log_next(&s->log, err);
}

void compare_close(struct compare_side *s)
{
    egret_stimulus_close(s->in);
    egret_destroy(s->model);
    cli_scan_close(&s->scan);
    egret_csv_close(&s->log.csv);
}
