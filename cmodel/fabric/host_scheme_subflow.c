/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_scheme_subflow.c: `subflows` labels a queue pair (0 counts as 1), in turn by sequence:
 * each a hash of seed, pair and its number. ACKs carry the label of their data.
 */
#include "host.h"

static void start(struct fab_hosts *hs, const struct egret_op *op, struct fab_out *o)
{
    o->label = (uint32_t)(fab_mix(op->pair ^ fab_mix(hs->seed)) >> 32);
}

static uint32_t data(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p)
{
    uint32_t subflows = hs->fabric->spec.subflows;
    uint32_t number = subflows ? p->sequence % subflows : 0;
    return (uint32_t)(fab_mix((uint64_t)number << 32 | o->label) >> 32);
}

const struct fab_host_scheme egret_fab_scheme_subflow = {.start = start, .data = data};
