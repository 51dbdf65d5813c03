/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen.h: where generators put their events: a stimulus file, with a front end and optionally a
 * model that follow along. Internal to the trace library.
 */
#ifndef EGRET_TRACE_GEN_H
#define EGRET_TRACE_GEN_H

#include "egret/egret.h"
#include "egret/trace.h"
#include "egret/trace_front.h"

struct gen {
    const struct egret_cfg *cfg;
    struct egret_stimulus_writer *writer; /* null: nothing is written, the model alone follows */
    struct egret_front *front;
    struct egret *model; /* null if nobody asks */
    uint64_t now;        /* time stamp of the next event */
    uint64_t limit;      /* events beyond this number are dropped; 0: no limit */
    uint64_t events;
    uint32_t packets;
    int code;                            /* first error */
    struct egret_event last;             /* last packet, routed */
    struct egret_decision last_decision; /* and what the model said */
};

/* path null: no file. with_model: run a model along. */
int egret_gen_open(struct gen *g, const struct egret_cfg *cfg, const char *path, bool with_model,
                   struct egret_trace_error *err);
/* Completes the file, or removes it if an error came before; always frees everything. */
int egret_gen_close(struct gen *g, struct egret_trace_error *err);
void egret_gen_abort(struct gen *g);
bool egret_gen_full(const struct gen *g);

void egret_gen_write(struct gen *g, uint32_t addr, uint32_t data);
/* A fault write. */
void egret_gen_fault(struct gen *g, uint32_t addr, uint32_t data);
void egret_gen_read(struct gen *g, uint32_t addr);
void egret_gen_port(struct gen *g, uint32_t port, uint32_t up);
void egret_gen_queue(struct gen *g, uint32_t port, uint32_t depth);
void egret_gen_tick(struct gen *g);
void egret_gen_packet(struct gen *g, const uint8_t *bytes, uint32_t incl_len, uint32_t orig_len);
/* An egret_emit_fn whose ctx is a struct gen. */
int egret_gen_emit(void *ctx, uint32_t addr, uint32_t data);

#endif
