/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_build.h: a fabric without hosts, for the tests of its wiring and its switches' tables.
 */
#ifndef EGRET_FABRIC_BUILD_H
#define EGRET_FABRIC_BUILD_H

#include <string.h>

#include "core.h"
#include "request.h"
#include "trace_test.h"

/* Default settings that these tests need; the topology by name. */
static inline void fabric_spec(struct egret_fabric *f, const char *topology, uint32_t scheme)
{
    struct egret_trace_error err;
    memset(f, 0, sizeof *f);
    f->spec.topology_name = topology;
    if (egret_topology_load(topology, &f->spec.topology, &err) != EGRET_OK) {
        printf("%s\n", err.text);
        exit(1);
    }
    f->spec.seed = 1;
    for (unsigned i = 0; i < 3u; i++) {
        f->spec.tier[i].scheme = scheme;
        f->spec.tier[i].wraps = 5;
        f->spec.tier[i].flowlet_idle = EGRET_FLOWLET_IDLE_NS;
        egret_hash_setup_default(&f->spec.tier[i].hash);
        (void)egret_load_preset("htsim-ar", &f->spec.tier[i].load);
    }
    for (unsigned i = 0; i < EGRET_FABRIC_QUEUES; i++) {
        f->spec.buffer_bytes[i] = 800000;
    }
}

/* Builds, sets up, adds failures. */
static inline int fabric_up(struct egret_fabric *f, struct egret_trace_error *err)
{
    int code = egret_fab_build(f, err);
    code = code == EGRET_OK ? egret_fab_setup(f, err) : code;
    return code == EGRET_OK ? egret_fab_failures(f, err) : code;
}

/* Refused with this in the text? */
static inline int fabric_refused(struct egret_fabric *f, const char *text)
{
    struct egret_trace_error err = {""};
    int code = fabric_up(f, &err);
    int good = code < 0 && strstr(err.text, text) != NULL && strchr(err.text, '\n') == NULL;
    if (!good) {
        printf("expected '%s', code %d: %s\n", text, code, err.text);
    }
    egret_fab_teardown(f);
    return good;
}

/* The port that a switch chooses; EGRET_PORT_DROP. */
static inline uint32_t fabric_decide(const struct egret_fabric *f, const struct fab_node *n,
                                     const struct fab_packet *p)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    fab_fill_event(f, n, (enum fab_kind)n->kind, p, &ev);
    return n->ops->apply(n->self, &ev, &d) == EGRET_OK ? d.port : EGRET_PORT_DROP;
}

static inline struct fab_packet fabric_packet(uint32_t src, uint32_t dst, uint32_t flow)
{
    struct fab_packet p;
    memset(&p, 0, sizeof p);
    p.src = src;
    p.dst = dst;
    p.flow = flow;
    p.length = 4158;
    p.entropy = flow * 2654435761u;
    return p;
}

/* Hops from src to dst by what the switches decide; 0: it is lost, or met a link that is down. */
static inline uint32_t fabric_walk(const struct egret_fabric *f, const struct fab_packet *p)
{
    uint32_t per = f->spec.topology.hosts_per_edge;
    const struct fab_link *l = &f->link[f->node[p->src / per].first_link + p->src % per];
    for (uint32_t hops = 1; hops < 10u; hops++) {
        const struct fab_node *n = &f->node[l->node];
        if (n->kind == FAB_HOSTS) {
            return n->index * per + l->in == p->dst ? hops : 0;
        }
        uint32_t port = fabric_decide(f, n, p);
        if (port >= n->ports) {
            return 0;
        }
        l = &f->link[n->first_link + port];
        if (l->down_at != FAB_NEVER) {
            return 0;
        }
    }
    return 0;
}

#endif
