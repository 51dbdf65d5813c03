/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_merge.c: egret trace merge: stimuli of one switch as one, by time stamp.
 *
 * The writes that a file begins with are its set-up. All files are read side by side, so that
 * memory is what one event of each takes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct input {
    const char *path;
    struct egret_stimulus *in;
    struct egret_event ev; /* the next one */
    struct egret_frame_view frame;
    bool has; /* there is one */
};

struct merge {
    struct input *input;
    size_t count;
    size_t *heap; /* inputs, the one of the earliest event first */
    size_t in_heap;
    bool packets_only; /* of all files but the first */
    struct egret_stimulus_writer *out;
};

static int next(struct input *i, struct egret_trace_error *err)
{
    int got = egret_stimulus_next(i->in, &i->ev, err);
    i->has = got > 0;
    if (i->has) {
        egret_stimulus_frame(i->in, &i->frame);
        i->ev.now = i->frame.now;
    }
    return got < 0 ? got : EGRET_OK;
}

static int put(struct merge *m, const struct input *i, struct egret_trace_error *err)
{
    const struct egret_frame_view *v = &i->frame;
    int code = i->ev.kind == EGRET_EV_PACKET
                   ? egret_writer_packet(m->out, v->now, v->bytes, v->incl_len, v->orig_len)
                   : egret_writer_event(m->out, &i->ev);
    return code ? egret_trace_fail(err, code, "%s", egret_strerror(code)) : EGRET_OK;
}

/* ---- set-up ---- */

static void describe(const struct input *i, char text[48])
{
    if (i->ev.kind == EGRET_EV_WRITE) {
        (void)snprintf(text, 48, "write addr=%06" PRIx32 " data=%08" PRIx32, i->ev.addr,
                       i->ev.data);
    } else {
        (void)snprintf(text, 48, "its end");
    }
}

static int contradiction(const struct input *a, const struct input *b,
                         struct egret_trace_error *err)
{
    char one[48];
    char other[48];
    describe(a, one);
    describe(b, other);
    return egret_trace_fail(err, EGRET_ERR_RANGE,
                            "%s: record %llu: the set-up is not that of %s: %s, there %s", b->path,
                            (unsigned long long)b->frame.event, a->path, other, one);
}

/* Writes that of the first file; every other file has the same, write by write, or none. No file
 * ends here: the reader refuses one without a packet. */
static int set_up(struct merge *m, struct egret_trace_error *err)
{
    struct input *first = &m->input[0];
    int code = EGRET_OK;
    for (size_t step = 0; code == EGRET_OK && !egret_writer_failed(m->out); step++) {
        bool more = first->ev.kind == EGRET_EV_WRITE;
        for (size_t k = 1; k < m->count && code == EGRET_OK; k++) {
            struct input *i = &m->input[k];
            bool write = i->ev.kind == EGRET_EV_WRITE;
            /* One whose first event was none has none; one that had some still stands at it. */
            bool bare = !write && i->frame.event == 0;
            if (bare) {
                continue;
            }
            if (write != more ||
                (more && (i->ev.addr != first->ev.addr || i->ev.data != first->ev.data))) {
                code = contradiction(first, i, err);
            } else if (more) {
                code = next(i, err);
            }
        }
        if (code == EGRET_OK && more) {
            code = put(m, first, err);
            code = code ? code : next(first, err);
        } else {
            break;
        }
    }
    return code;
}

/* ---- what follows ---- */

/* Before: earlier, or at the same time in a file named earlier. */
static bool before(const struct merge *m, size_t a, size_t b)
{
    uint64_t ta = m->input[a].frame.now;
    uint64_t tb = m->input[b].frame.now;
    return ta < tb || (ta == tb && a < b);
}

static void sift_down(struct merge *m, size_t at)
{
    for (;;) {
        size_t child = 2u * at + 1u;
        if (child >= m->in_heap) {
            return;
        }
        if (child + 1u < m->in_heap && before(m, m->heap[child + 1u], m->heap[child])) {
            child++;
        }
        if (before(m, m->heap[at], m->heap[child])) {
            return;
        }
        size_t swap = m->heap[at];
        m->heap[at] = m->heap[child];
        m->heap[child] = swap;
        at = child;
    }
}

/* The next event of a file that is merged. */
static int next_wanted(const struct merge *m, size_t k, struct egret_trace_error *err)
{
    int code;
    do {
        code = next(&m->input[k], err);
    } while (code == EGRET_OK && k > 0 && m->packets_only && m->input[k].has &&
             m->input[k].ev.kind != EGRET_EV_PACKET);
    return code;
}

static bool is_write(const struct input *i)
{
    return i->has && (i->ev.kind == EGRET_EV_WRITE || i->ev.kind == EGRET_EV_FAULT);
}

static int merge_rest(struct merge *m, struct egret_trace_error *err)
{
    int code = EGRET_OK;
    for (size_t k = 0; k < m->count && code == EGRET_OK; k++) {
        bool skip = k > 0 && m->packets_only && m->input[k].ev.kind != EGRET_EV_PACKET;
        code = skip ? next_wanted(m, k, err) : EGRET_OK; /* a packet is still to come */
        m->heap[m->in_heap++] = k;
    }
    for (size_t at = m->in_heap / 2u; code == EGRET_OK && at-- > 0;) {
        sift_down(m, at);
    }
    while (code == EGRET_OK && m->in_heap > 0 && !egret_writer_failed(m->out)) {
        struct input *i = &m->input[m->heap[0]];
        bool write;
        do { /* Writes that follow one another belong together: words wait for the last of them. */
            write = is_write(i);
            code = put(m, i, err);
            code = code ? code : next_wanted(m, m->heap[0], err);
        } while (code == EGRET_OK && write && is_write(i));
        if (!i->has) {
            m->heap[0] = m->heap[--m->in_heap];
        }
        sift_down(m, 0);
    }
    return code;
}

static int merge_files(struct merge *m, char **path, const char *output)
{
    struct egret_trace_error err;
    int code = EGRET_OK;
    m->input = calloc(m->count, sizeof *m->input);
    m->heap = calloc(m->count, sizeof *m->heap);
    if (!m->input || !m->heap) {
        code = egret_trace_fail(&err, EGRET_ERR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < m->count && code == EGRET_OK; k++) {
        m->input[k].path = path[k];
        code = egret_stimulus_open(path[k], &m->input[k].in, &err);
        code = code ? code : next(&m->input[k], &err);
    }
    code = code ? code : egret_writer_open(output, &m->out, &err);
    code = code ? code : set_up(m, &err);
    code = code ? code : merge_rest(m, &err);
    if (code == EGRET_OK) {
        code = egret_writer_commit(m->out, &err);
        m->out = NULL;
    }
    int result = code ? cli_error(code, &err) : EXIT_DONE;
    egret_writer_abort(m->out);
    for (size_t k = 0; m->input && k < m->count; k++) {
        egret_stimulus_close(m->input[k].in);
    }
    free(m->input);
    free(m->heap);
    return result;
}

/* No input is the output, and at most one is standard input. */
static int check_files(const struct merge *m, char **path, const char *output)
{
    size_t std = 0;
    for (size_t k = 0; k < m->count; k++) {
        const struct cli_files files = {{path[k], NULL, NULL}, {output, NULL, NULL}};
        int code = cli_check_files(&files);
        std += strcmp(path[k], "-") == 0;
        if (code >= 0) {
            return code;
        }
    }
    return std > 1u ? cli_usage("trace merge: only one input can be standard input") : -1;
}

int cmd_trace_merge(int argc, char **argv)
{
    struct merge m;
    const char *output = NULL;
    memset(&m, 0, sizeof m);
    const struct cli_option options[] = {
        {"packets-only", CLI_FLAG, &m.packets_only, NULL,
         "of the second file on, take packets only: no ticks, queues, ports, writes"},
        {"o", CLI_TEXT, &output, "FILE", "stimulus to write; - is standard output"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace merge", "FILE FILE ... [--packets-only] -o FILE",
        "Merges stimuli of one switch by time stamp; at equal ones the file named first goes "
        "first.\n"
        "The set-up, the writes that a file begins with, is that of the first file; one that has\n"
        "another one is refused, one without any is taken. Writes in a row stay together.\n"
        "FILE - is standard input.",
        options,
        "  egret trace merge perm.pcap perm.pcap -o twice.pcap\n"
        "  egret trace merge --packets-only perm.pcap perm.pcap -o - | egret trace dump -\n"};
    int code = cli_parse(&command, argc, argv, NULL, CLI_ANY, &m.count);
    if (code >= 0) {
        return code;
    }
    if (m.count == 0) {
        return cli_usage("trace merge: stimuli are missing");
    }
    if (!output) {
        return cli_usage("trace merge: -o FILE is missing");
    }
    code = check_files(&m, argv, output);
    return code < 0 ? merge_files(&m, argv, output) : code;
}
