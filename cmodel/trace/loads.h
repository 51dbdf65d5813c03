/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loads.h: queue events and ticks between the packets of one switch. Internal to the trace library.
 */
#ifndef EGRET_TRACE_LOADS_H
#define EGRET_TRACE_LOADS_H

#include "gen.h"
#include "egret/trace_make.h"

/* Zero it, then egret_loads_start(). */
struct loads {
    uint64_t period_ps; /* 0: no ticks */
    uint64_t next_ps;   /* time of the next tick */
    uint64_t ticks;     /* so far */
    uint64_t quiet;     /* ticks since anything was sent or queued */
    uint64_t settled;   /* so many quiet ticks, and another changes nothing */
    uint64_t free_ps[EGRET_MAX_PORTS];  /* the port's link is busy until then */
    uint64_t rate_mbps[EGRET_MAX_PORTS];
    uint32_t depth[EGRET_MAX_PORTS];    /* as last reported */
};

/* Writes the registers and the scales of all ports of the switch. */
void egret_loads_setup(struct gen *g, const struct egret_topology *t, const struct egret_make *m,
                       bool agg);
/* Begins at the time of the first packet; ticks are at whole periods. */
void egret_loads_start(struct loads *l, const struct gen *g, const struct egret_topology *t,
                       const struct egret_make *m, bool agg, uint64_t now_ps);
/* The ticks up to and at a time, each behind the queue events of the ports whose depth is another
 * one than reported. */
void egret_loads_until(struct loads *l, struct gen *g, uint64_t now_ps);
/* The packet that the generator's model has just decided joins its port's queue. */
void egret_loads_packet(struct loads *l, const struct gen *g, uint64_t now_ps);

/* Null, or what forbids the settings: "SCHEMES", or an option of the command line; *why is text to
 * go behind that, which may be empty. */
const char *egret_loads_refuse(const struct egret_topology *t, const struct egret_make *m,
                               const char **why);

#endif
