/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_scheme_flow.c: one label a queue pair, as ECMP sees it: a hash of seed and egret_op.pair.
 * ACKs carry the label of their data.
 */
#include "host.h"

static void start(struct fab_hosts *hs, const struct egret_op *op, struct fab_out *o)
{
    o->label = (uint32_t)(fab_mix(op->pair ^ fab_mix(hs->seed)) >> 32);
}

static uint32_t data(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p)
{
    (void)hs;
    (void)p;
    return o->label;
}

const struct fab_host_scheme egret_fab_scheme_flow = {.start = start, .data = data};
