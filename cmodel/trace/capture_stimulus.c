/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_stimulus.c: the frames of a capture behind the set-up of a switch.
 *
 * The set-up takes the time of the first frame, so that time does not step back between them.
 */
#include <inttypes.h>
#include <string.h>

#include "egret/capture.h"
#include "traffic.h"

static int refused(const char *path, const struct egret_capture_frame *f, int code,
                   struct egret_trace_error *err)
{
    return code ? egret_trace_fail(err, code, "%s: byte %" PRIu64 ": a stimulus does not hold it",
                                   path, f->offset)
                : EGRET_OK;
}

/* Appends an event frame at the time given. */
static int put_event(struct gen *g, const char *path, const struct egret_capture_frame *f,
                     uint64_t now, struct egret_trace_error *err)
{
    struct egret_event ev;
    const char *why = "";
    memset(&ev, 0, sizeof ev);
    if (egret_event_decode(f->bytes, f->incl_len, f->orig_len, &ev, &why)) {
        return egret_trace_fail(err, EGRET_ERR_EVENT,
                                "%s: byte %" PRIu64 ": EtherType 0x88b5, and no event: %s", path,
                                f->offset, why);
    }
    ev.now = now;
    return refused(path, f, egret_writer_event(g->writer, &ev), err);
}

/* All events before the first packet of `path`. */
static int copy_setup(struct gen *g, const char *path, uint64_t now, struct egret_trace_error *err)
{
    struct egret_capture *c;
    struct egret_capture_frame f;
    uint64_t events = 0;
    int code = egret_capture_open(path, &c, err);
    if (code) {
        return code;
    }
    while ((code = egret_capture_next(c, &f, err)) > 0 && f.event) {
        code = put_event(g, path, &f, now, err);
        if (code) {
            break;
        }
        events++;
    }
    egret_capture_close(c);
    if (code >= 0 && events == 0) {
        return egret_trace_fail(err, EGRET_ERR_EVENT, "%s: no set-up: no event before a packet",
                                path);
    }
    return code < 0 ? code : EGRET_OK;
}

static int put_setup(struct gen *g, const struct egret_capture_stimulus *how,
                     struct egret_trace_error *err)
{
    if (how->setup) {
        return copy_setup(g, how->setup, g->now, err);
    }
    egret_switch_setup(g, how->topology, how->make, how->make->at_agg, how->make->at);
    return EGRET_OK; /* g keeps its own error */
}

static int put_frame(struct gen *g, const char *path, const struct egret_capture_stimulus *how,
                     const struct egret_capture_frame *f, struct egret_trace_error *err)
{
    if (!f->event) {
        return refused(path, f,
                       egret_writer_packet(g->writer, f->now, f->bytes, f->incl_len, f->orig_len),
                       err);
    }
    if (!how->events) {
        return egret_trace_fail(err, EGRET_ERR_EVENT,
                                "%s: byte %" PRIu64 ": a frame of EtherType 0x88b5, an event of a "
                                "stimulus: --events takes them",
                                path, f->offset);
    }
    return put_event(g, path, f, f->now, err);
}

static int copy(struct gen *g, struct egret_capture *c, const char *path,
                const struct egret_capture_stimulus *how, struct egret_trace_error *err)
{
    struct egret_capture_frame f;
    uint64_t packets = 0;
    bool begun = false;
    int got;
    while ((got = egret_capture_next(c, &f, err)) > 0) {
        int code = EGRET_OK;
        if (!begun) {
            g->now = f.now;
            begun = true;
            code = put_setup(g, how, err);
        }
        code = code ? code : put_frame(g, path, how, &f, err);
        if (code) {
            return code;
        }
        packets += !f.event;
        if (egret_gen_full(g) || (how->limit != 0 && packets == how->limit)) {
            break;
        }
    }
    if (got == 0 && packets == 0) {
        return egret_trace_fail(err, EGRET_ERR_EVENT, "%s: a capture without a frame of a packet",
                                path);
    }
    return got < 0 ? got : EGRET_OK;
}

int egret_capture_to_stimulus(const char *capture, const struct egret_capture_stimulus *how,
                              const char *path, struct egret_capture_counts *counts,
                              struct egret_trace_error *err)
{
    struct egret_capture *c;
    struct gen g;
    int code = EGRET_OK;
    if (!how->setup) {
        const char *name = how->make->topology_name;
        code = egret_make_check_switch(how->topology, name ? name : "topology", how->make, err);
    }
    if (code == EGRET_OK) {
        code = egret_capture_open(capture, &c, err);
    }
    if (code) {
        return code;
    }
    code = egret_gen_open(&g, how->setup ? NULL : &how->make->cfg, path, false, err);
    if (code == EGRET_OK) {
        code = copy(&g, c, capture, how, err);
        if (code == EGRET_OK) {
            code = egret_gen_close(&g, err);
        } else {
            egret_gen_abort(&g);
        }
    }
    if (counts) {
        *counts = *egret_capture_counts(c);
    }
    egret_capture_close(c);
    return code;
}
