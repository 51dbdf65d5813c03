/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pattern_fsdp.c: the backward pass of fully sharded training: of each layer an all-gather of the
 * parameters, then a reduce-scatter of the gradients.
 */
#include <stdlib.h>

#include "pattern.h"

#define PACKET_BYTES 4096u

int pattern_fsdp(struct egret_schedule *w, const struct egret_pattern *p, uint32_t packets,
                 struct egret_trace_error *err)
{
    struct egret_collective c = {.algorithm = p->algorithm,
                                 .ranks = p->ranks,
                                 .bytes = (uint64_t)packets * PACKET_BYTES * p->ranks,
                                 .group_size = p->group_size,
                                 .channels = p->channels,
                                 .chunk = p->chunk};
    uint32_t *gathered = malloc(p->ranks * sizeof *gathered);
    uint32_t *scattered = malloc(p->ranks * sizeof *scattered);
    uint64_t layers = p->rounds ? p->rounds : 1u;
    int code = EGRET_OK;
    if (!gathered || !scattered) {
        code = egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", p->name);
    }
    for (uint64_t layer = 0; code == EGRET_OK && layer < layers; layer++) {
        c.kind = EGRET_COLL_ALL_GATHER;
        code = egret_collective_expand(w, &c, layer ? gathered : NULL, gathered, err);
        if (code == EGRET_OK) {
            c.kind = EGRET_COLL_REDUCE_SCATTER;
            code = egret_collective_expand(w, &c, gathered, scattered, err);
        }
        if (code == EGRET_OK && layer == 0 && pattern_too_many(w, w->ops, layers - 1u)) {
            code = egret_trace_fail(err, EGRET_ERR_RANGE,
                                    "%s: too many messages; --rounds gives fewer", p->name);
        }
    }
    free(gathered);
    free(scattered);
    return code;
}
