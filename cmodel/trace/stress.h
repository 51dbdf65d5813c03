/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stress.h: other events between the packets of a made stimulus. Internal to the trace library.
 */
#ifndef EGRET_TRACE_STRESS_H
#define EGRET_TRACE_STRESS_H

#include "rng.h"
#include "traffic.h"

struct stress {
    struct rng rng;
    uint32_t bank; /* of the uplink group now */
};

/* Perhaps some events, after a packet. */
void egret_stress_step(struct stress *s, struct gen *g, const struct egret_topology *t,
                       const struct egret_make *m);

#endif
