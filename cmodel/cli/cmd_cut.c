/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_cut.c: egret trace cut: the packets of a window, and every other event up to its end.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"

struct range {
    const char *text; /* of the option; null: all */
    uint64_t first;
    uint64_t last;
};

struct cut {
    struct range packets;
    struct range events;
    struct range time;
};

/* A-B, A-, -B or A, both included. */
static bool parse_range(struct range *r, bool (*number)(const char *text, uint64_t *out))
{
    char first[32];
    r->first = 0;
    r->last = UINT64_MAX;
    if (!r->text) {
        return true;
    }
    size_t n = strcspn(r->text, "-");
    const char *rest = r->text + n;
    if (n >= sizeof first) {
        return false;
    }
    memcpy(first, r->text, n);
    first[n] = '\0';
    if (n > 0 && !number(first, &r->first)) {
        return false;
    }
    if (*rest == '\0') {
        r->last = r->first;
        return n > 0;
    }
    if (rest[1] == '\0') {
        return n > 0;
    }
    return number(rest + 1, &r->last) && r->first <= r->last;
}

static bool number(const char *text, uint64_t *out)
{
    return cli_parse_u64(text, UINT64_MAX, out);
}

static int parse_ranges(struct cut *c)
{
    if (!c->packets.text && !c->events.text && !c->time.text) {
        return cli_usage("trace cut: --packets, --events or --time is missing");
    }
    if (!parse_range(&c->packets, number)) {
        return cli_usage("trace cut: --packets is A-B, A-, -B or A");
    }
    if (!parse_range(&c->events, number)) {
        return cli_usage("trace cut: --events is A-B, A-, -B or A");
    }
    if (!parse_range(&c->time, cli_parse_time)) {
        return cli_usage("trace cut: --time is A-B, A-, -B or A, in ns, us, ms or s");
    }
    return -1;
}

static bool within(const struct range *r, uint64_t v)
{
    return v >= r->first && v <= r->last;
}

/* Is the event, of which `v` is the frame and `packets` the number of packets before it, kept? What
 * is no packet is kept up to the end of the window, because it is state that packets meet there;
 * before the first packet it is set-up, whatever its time stamp. */
static bool kept(const struct cut *c, const struct egret_event *ev,
                 const struct egret_frame_view *v, uint64_t packets)
{
    if (ev->kind == EGRET_EV_PACKET) {
        return within(&c->packets, packets) && within(&c->events, v->event) &&
               within(&c->time, v->now);
    }
    return packets == 0 ||
           (packets <= c->packets.last && v->event <= c->events.last && v->now <= c->time.last);
}

static int copy(struct egret_stimulus *in, const struct cut *c, struct egret_stimulus_writer *out,
                struct egret_trace_error *err)
{
    struct egret_event ev;
    struct egret_frame_view v;
    uint64_t packets = 0;
    int code;
    while ((code = egret_stimulus_next(in, &ev, err)) > 0 && !egret_writer_failed(out)) {
        egret_stimulus_frame(in, &v);
        ev.now = v.now;
        if (!kept(c, &ev, &v, packets)) {
            code = EGRET_OK;
        } else if (ev.kind == EGRET_EV_PACKET) {
            code = egret_writer_packet(out, v.now, v.bytes, v.incl_len, v.orig_len);
        } else {
            code = egret_writer_event(out, &ev);
        }
        if (code) {
            return egret_trace_fail(err, code, "%s", egret_strerror(code));
        }
        packets += ev.kind == EGRET_EV_PACKET;
    }
    return code < 0 ? code : EGRET_OK;
}

static int cut_file(const char *path, const struct cut *c, const char *output)
{
    struct egret_trace_error err;
    struct egret_stimulus *in;
    struct egret_stimulus_writer *out = NULL;
    int result = EXIT_DONE;
    int code = egret_stimulus_open(path, &in, &err);
    if (code) {
        return cli_error(code, &err);
    }
    code = egret_writer_open(output, &out, &err);
    if (code == EGRET_OK) {
        code = copy(in, c, out, &err);
    }
    if (code == EGRET_OK && egret_writer_packets(out) == 0 && !egret_writer_failed(out)) {
        code = egret_trace_fail(&err, EGRET_ERR_RANGE,
                                "%s: no packet of %llu lies within what is cut out", path,
                                (unsigned long long)egret_stimulus_packets(in));
    }
    if (code == EGRET_OK) {
        code = egret_writer_commit(out, &err);
        out = NULL;
    }
    if (code) {
        result = cli_error(code, &err);
    }
    egret_writer_abort(out);
    egret_stimulus_close(in);
    return result;
}

int cmd_trace_cut(int argc, char **argv)
{
    struct cut c;
    const char *output = NULL;
    memset(&c, 0, sizeof c);
    const struct cli_option options[] = {
        {"packets", CLI_TEXT, &c.packets.text, "A-B", "packets by ordinal among packets, from 0"},
        {"events", CLI_TEXT, &c.events.text, "A-B", "packets by ordinal among all events, from 0"},
        {"time", CLI_TEXT, &c.time.text, "A-B", "packets by time stamp: ns, or 5us, 2ms, 1s"},
        {"o", CLI_TEXT, &output, "FILE", "stimulus to write; - is standard output"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace cut", "FILE [--packets A-B] [--events A-B] [--time A-B] -o FILE",
        "Writes the packets of a window, from A to B with both of them; A- is all from A on, -B "
        "all\n"
        "up to B. Of two windows both must hold. All other events up to the window's end stay, so\n"
        "that what is written is complete; what packets before it would have moved (pointers,\n"
        "flowlets, counters) is as after reset. FILE - is standard input.",
        options,
        "  egret trace cut perm.pcap --packets 100-199 -o part.pcap\n"
        "  egret trace cut perm.pcap --time 1us- --packets -999 -o part.pcap\n"
        "  egret trace cut perm.pcap --events 2100- -o - | egret trace dump -\n"};
    const char *operand[1];
    size_t n;
    int code = cli_parse(&command, argc, argv, operand, 1, &n);
    if (code >= 0) {
        return code;
    }
    if (n != 1) {
        return cli_usage("trace cut: a stimulus is missing");
    }
    if (!output) {
        return cli_usage("trace cut: -o FILE is missing");
    }
    code = parse_ranges(&c);
    if (code < 0) {
        const struct cli_files files = {{operand[0], NULL, NULL}, {output, NULL, NULL}};
        code = cli_check_files(&files);
    }
    return code < 0 ? cut_file(operand[0], &c, output) : code;
}
