/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import_capture.c: egret trace import of a capture: its frames, or its messages. What is not as it
 * should be and no error is one line on standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "import_capture.h"
#include "make_warn.h"

int cli_import_capture_check(const struct import_capture *c, const struct make_options *o)
{
    const char *own = c->setup ? "--setup" : c->events ? "--events" : NULL;
    const char *other = o->topology      ? "--topology"
                        : o->at          ? "--at"
                        : o->scheme      ? "--scheme"
                        : o->config_file ? "--config-file"
                                         : NULL;
    if (own && !c->frames) {
        return cli_usage("trace import: %s is for --frames", own);
    }
    if (c->setup && other) {
        return cli_usage("trace import: either --setup or %s", other);
    }
    return -1;
}

/* One line for what was left out or is odd. */
static void warn_counts(const char *path, const struct egret_capture_counts *n)
{
    const struct {
        uint64_t n;
        const char *text;
    } part[] = {
        {n->cut, "left out, cut inside their headers"},
        {n->no_frame, "left out, no Ethernet or IP header"},
        {n->too_long, "left out, longer than 65535 bytes"},
        {n->steps_back, "with a time stamp before that of the one before"},
        {n->no_time, "without a time stamp"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        const char *between = any ? " " : part[i].n == 1u ? " frame " : " frames ";
        if (part[i].n > 0) {
            (void)fprintf(stderr, "%s%s%s%" PRIu64 "%s%s",
                          any ? "" : "egret: warning: ", any ? "" : path, any ? "; " : ": ",
                          part[i].n, between, part[i].text);
            any = true;
        }
    }
    if (any) {
        (void)fputc('\n', stderr);
    }
}

int cmd_import_capture(const char *capture, const struct import_capture *c,
                       const struct egret_topology *topology, const struct egret_make *make,
                       uint64_t limit, const char *output)
{
    const struct egret_capture_stimulus how = {
        .setup = c->setup, .topology = topology, .make = make, .limit = limit, .events = c->events};
    const struct cli_files files = {{capture, c->setup, NULL}, {output, NULL, NULL}};
    struct egret_capture_counts counts;
    struct egret_trace_error err;
    if (!output) {
        return cli_usage("-o FILE is missing");
    }
    int code = cli_check_files(&files);
    if (code >= 0) {
        return code;
    }
    code = egret_capture_to_stimulus(capture, &how, output, &counts, &err);
    if (code) {
        return cli_error(code, &err);
    }
    warn_counts(capture, &counts);
    if (make) {
        cli_warn_polarized(make);
    }
    if (make && make->loads && !c->events) {
        (void)fprintf(stderr,
                      "egret: warning: %s: frames alone have no ticks, so all loads stay "
                      "as they are at reset; without --frames ticks are made\n",
                      capture);
    }
    return EXIT_DONE;
}

int cli_import_capture_schedule(const char *capture, struct egret_schedule *out,
                                struct egret_capture_report *report)
{
    struct egret_capture_report r;
    struct egret_trace_error err;
    int code = egret_capture_schedule(capture, out, &r, &err);
    if (code) {
        return cli_error(code, &err);
    }
    warn_counts(capture, &r.read);
    if (r.missing || r.incomplete || r.retransmitted) {
        (void)fprintf(stderr,
                      "egret: warning: %s: packets missing: %" PRIu64 ", sent again: %" PRIu64
                      "; messages not complete: %" PRIu64 "\n",
                      capture, r.missing, r.retransmitted, r.incomplete);
    }
    egret_capture_report_free(&r);
    if (report) {
        *report = r;
    }
    return -1;
}
