/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen.c: see gen.h. Events are applied to the model exactly as a reader would hand them out.
 */
#include <string.h>

#include "gen.h"

int egret_gen_open(struct gen *g, const struct egret_cfg *cfg, const char *path, bool with_model,
                   struct egret_trace_error *err)
{
    memset(g, 0, sizeof *g);
    g->cfg = cfg;
    int code = egret_front_create(&g->front);
    if (code == EGRET_OK && with_model) {
        code = egret_create(cfg, &g->model);
    }
    if (code) {
        (void)egret_trace_fail(err, code, "%s: %s", path ? path : "model", egret_strerror(code));
    } else if (path) {
        code = egret_writer_open(path, &g->writer, err);
    }
    if (code) {
        egret_gen_abort(g);
    }
    return code;
}

void egret_gen_abort(struct gen *g)
{
    egret_writer_abort(g->writer);
    egret_front_destroy(g->front);
    egret_destroy(g->model);
    memset(g, 0, sizeof *g);
}

int egret_gen_close(struct gen *g, struct egret_trace_error *err)
{
    int code = g->code;
    if (code) {
        (void)egret_trace_fail(err, code,
                               "internal: the generator made an event that the format "
                               "does not hold (%s)",
                               egret_strerror(code));
    } else if (g->writer) {
        code = egret_writer_commit(g->writer, err);
        g->writer = NULL;
    }
    egret_gen_abort(g);
    return code;
}

bool egret_gen_full(const struct gen *g)
{
    return g->code != EGRET_OK || (g->limit != 0 && g->events >= g->limit) ||
           (g->writer && egret_writer_failed(g->writer));
}

static void follow(struct gen *g, const struct egret_event *ev)
{
    struct egret_decision d;
    g->events++;
    if (g->model) {
        (void)egret_apply(g->model, ev, &d); /* of a kind that there is */
        if (ev->kind == EGRET_EV_PACKET) {
            g->last_decision = d;
        }
    }
}

static void add(struct gen *g, struct egret_event *ev)
{
    if (egret_gen_full(g)) {
        return;
    }
    ev->now = g->now;
    if (g->writer) {
        int code = egret_writer_event(g->writer, ev);
        if (code) {
            g->code = code;
            return;
        }
    }
    follow(g, ev);
}

static void write_as(struct gen *g, uint8_t kind, uint32_t addr, uint32_t data)
{
    struct egret_event ev = {.kind = kind};
    ev.addr = addr & 0xffffffu;
    ev.data = data;
    if (!egret_gen_full(g)) {
        (void)egret_front_write(g->front, ev.addr, data);
    }
    add(g, &ev);
}

void egret_gen_write(struct gen *g, uint32_t addr, uint32_t data)
{
    write_as(g, EGRET_EV_WRITE, addr, data);
}

void egret_gen_fault(struct gen *g, uint32_t addr, uint32_t data)
{
    write_as(g, EGRET_EV_FAULT, addr, data);
}

int egret_gen_emit(void *ctx, uint32_t addr, uint32_t data)
{
    struct gen *g = ctx;
    egret_gen_write(g, addr, data);
    return g->code;
}

void egret_gen_read(struct gen *g, uint32_t addr)
{
    struct egret_event ev = {.kind = EGRET_EV_READ};
    ev.addr = addr & 0xffffffu;
    add(g, &ev);
}

void egret_gen_port(struct gen *g, uint32_t port, uint32_t up)
{
    struct egret_event ev = {.kind = EGRET_EV_PORT};
    ev.port = port & 0xffu;
    ev.up = up;
    add(g, &ev);
}

void egret_gen_queue(struct gen *g, uint32_t port, uint32_t depth)
{
    struct egret_event ev = {.kind = EGRET_EV_QUEUE};
    ev.port = port & 0xffu;
    ev.depth = depth;
    add(g, &ev);
}

void egret_gen_tick(struct gen *g)
{
    struct egret_event ev = {.kind = EGRET_EV_TICK};
    add(g, &ev);
}

void egret_gen_packet(struct gen *g, const uint8_t *bytes, uint32_t incl_len, uint32_t orig_len)
{
    struct egret_parsed parsed;
    struct egret_event ev;
    if (egret_gen_full(g)) {
        return;
    }
    int code = egret_parse(bytes, incl_len, orig_len, &parsed);
    if (code == EGRET_OK && g->writer) {
        code = egret_writer_packet(g->writer, g->now, bytes, incl_len, orig_len);
    }
    if (code) {
        g->code = code;
        return;
    }
    memset(&ev, 0, sizeof ev);
    ev.now = g->now;
    ev.kind = EGRET_EV_PACKET;
    ev.tag = g->packets++;
    (void)egret_front_resolve(g->front, &parsed, orig_len, &ev);
    g->last = ev;
    follow(g, &ev);
}
