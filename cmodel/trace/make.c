/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make.c: a stimulus of the traffic at one switch.
 */
#include <string.h>

#include "loads.h"
#include "stress.h"
#include "traffic.h"

#define MAX_PAYLOAD 16384u

static int discard(void *ctx, uint32_t addr, uint32_t data)
{
    (void)ctx;
    (void)addr;
    (void)data;
    return EGRET_OK;
}

/* A configuration that is too small; of ports it is said how many there would have to be. */
static int too_small(const struct egret_topology *t, const char *topology,
                     const struct egret_make *m, const char *param, struct egret_trace_error *err)
{
    uint32_t edge = egret_switch_down_ports(t, false) + egret_switch_up_ports(t, false);
    uint32_t agg = egret_switch_down_ports(t, true) + egret_switch_up_ports(t, true);
    if (strcmp(param, "NUM_PORTS") != 0) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: configuration %s is too small: %s",
                                topology, m->cfg.name, param);
    }
    return egret_trace_fail(err, EGRET_ERR_RANGE,
                            "%s: configuration %s is too small: NUM_PORTS is %u, a switch has "
                            "%u ports; no configuration has more than %u",
                            topology, m->cfg.name, m->cfg.num_ports,
                            m->at_agg && agg > edge ? agg : edge, EGRET_MAX_PORTS);
}

/* The first named configuration that has the hash and room for the switch, or null. */
static const char *config_with_hash(const struct egret_topology *t, const struct egret_make *m)
{
    const char *name;
    for (size_t i = 0; (name = egret_cfg_name(i)) != NULL; i++) {
        struct egret_make other = *m;
        if (egret_cfg_named(name, &other.cfg) == EGRET_OK && !egret_make_exceeds(t, &other) &&
            egret_ctl_hash(&other.cfg, &m->hash, discard, NULL, NULL) == EGRET_OK) {
            return name;
        }
    }
    return NULL;
}

int egret_make_check_switch(const struct egret_topology *t, const char *topology,
                            const struct egret_make *m, struct egret_trace_error *err)
{
    uint32_t switches = m->at_agg ? t->pods * t->aggs_per_pod : egret_topology_edges(t);
    if (m->at_agg && t->tiers == 2u) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "--at agg:%u: with two tiers only an edge has a choice", m->at);
    }
    if (m->at >= switches) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "--at %s:%u: %s has %u of them, from 0",
                                m->at_agg ? "agg" : "edge", m->at, topology, switches);
    }
    if (m->payload < 1u || m->payload > MAX_PAYLOAD) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "--payload: 1 to %u", MAX_PAYLOAD);
    }
    const char *param = egret_make_exceeds(t, m);
    if (param) {
        return too_small(t, topology, m, param, err);
    }
    if (egret_topology_edges(t) + t->hosts_per_edge > EGRET_FRONT_ROUTES) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "%s: more than %u routes: %u edges, %u hosts at each", topology,
                                EGRET_FRONT_ROUTES, egret_topology_edges(t), t->hosts_per_edge);
    }
    if (m->entropy_swap && t->tiers == 2u) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "--entropy-swap: with two tiers only an edge has a choice");
    }
    const char *why = "";
    const char *bad = m->loads ? egret_loads_refuse(t, m, &why) : NULL;
    if (bad) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: out of range for the loads of %s%s", bad,
                                topology, why);
    }
    if (egret_ctl_hash(&m->cfg, &m->hash, discard, NULL, &bad)) {
        const char *other = config_with_hash(t, m);
        return egret_trace_fail(err, EGRET_ERR_RANGE, "configuration %s has no such hash: %s%s%s%s",
                                m->cfg.name, bad ? bad : "?", other ? "; --config " : "",
                                other ? other : "", other ? " has it" : "");
    }
    return EGRET_OK;
}

static int check_workload(const struct egret_topology *t, const char *topology,
                          const struct egret_schedule *w, const char *source,
                          struct egret_trace_error *err)
{
    if (w->ranks > t->hosts) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: %u nodes on a topology of %u hosts (%s)",
                                source, w->ranks, t->hosts, topology);
    }
    if (!w->first) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: the schedule is not sealed", source);
    }
    return EGRET_OK;
}

static int run(struct place *p, const char *source, struct gen *g, struct egret_trace_error *err)
{
    struct traffic_packet packet;
    struct stress stress = {{p->make->stress_seed}, 0};
    struct loads loads;
    uint64_t n = 0;
    int got;
    memset(&loads, 0, sizeof loads);
    while ((got = egret_place_next(p, &packet, err)) > 0) {
        if (n == 0) {
            g->now = packet.time_ps / 1000u;
            egret_switch_setup(g, p->topology, p->make, p->make->at_agg, p->make->at);
            egret_loads_start(&loads, g, p->topology, p->make, p->make->at_agg, packet.time_ps);
        }
        egret_loads_until(&loads, g, packet.time_ps);
        egret_place_frame(p->topology, p->workload, p->make, &packet, g);
        egret_loads_packet(&loads, g, packet.time_ps);
        if (p->make->stress) {
            egret_stress_step(&stress, g, p->topology, p->make);
        }
        n++;
        if (egret_gen_full(g) || n == p->make->limit) {
            break;
        }
    }
    if (p->make->ticks) {
        *p->make->ticks = loads.ticks;
    }
    if (got == 0 && n == 0) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: no packet enters %s:%u from below",
                                source, p->make->at_agg ? "agg" : "edge", p->make->at);
    }
    return got < 0 ? got : EGRET_OK;
}

int egret_make_stimulus(const struct egret_topology *t, const struct egret_schedule *w,
                        const struct egret_make *m, const char *path, struct egret_trace_error *err)
{
    const char *topology = m->topology_name ? m->topology_name : "topology";
    const char *source = m->workload_name ? m->workload_name : "workload";
    struct place p;
    struct gen g;
    int code = egret_make_check_switch(t, topology, m, err);
    if (code == EGRET_OK) {
        code = check_workload(t, topology, w, source, err);
    }
    if (code == EGRET_OK) {
        code = egret_place_open(&p, t, w, m, err);
    }
    if (code) {
        return code;
    }
    code = egret_gen_open(&g, &m->cfg, path, m->loads, err);
    if (code == EGRET_OK) {
        code = run(&p, source, &g, err);
        if (code == EGRET_OK) {
            code = egret_gen_close(&g, err);
        } else {
            egret_gen_abort(&g);
        }
    }
    egret_place_close(&p);
    return code;
}
