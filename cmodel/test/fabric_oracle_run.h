/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_oracle_run.h: switches of the plain fabric, and its run.
 */
#ifndef EGRET_FABRIC_ORACLE_RUN_H
#define EGRET_FABRIC_ORACLE_RUN_H

#include "fabric_oracle_host.h"

/* ---- selectors ---- */

static const struct fab_node *o_twin(const struct oracle *o, uint32_t node)
{
    const struct o_node *n = &o->node[node];
    return &o->f->node[o->f->first_node[n->kind] + n->index];
}

static int o_write(void *self, uint32_t addr, uint32_t data)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_WRITE;
    ev.addr = addr;
    ev.data = data;
    return egret_model_selector()->apply(self, &ev, &d);
}

static void o_setup(struct oracle *o)
{
    for (uint32_t i = o->first[1]; i < o->nodes; i++) {
        struct o_node *n = &o->node[i];
        const struct egret_fabric_tier *tier = &o->f->spec.tier[n->kind - 1u];
        struct egret_trace_error err;
        struct egret_cfg cfg;
        uint32_t twin = (uint32_t)(o_twin(o, i) - o->f->node);
        if (tier->rule == EGRET_RULE_JSQ) {
            continue;
        }
        if (egret_fab_tier_cfg(o->f, n->kind, &cfg, &err) != EGRET_OK ||
            egret_model_selector()->create(&cfg, &n->self) != EGRET_OK ||
            egret_fab_switch_writes(o->f, twin, o_write, n->self, &err) != EGRET_OK) {
            ORACLE_FAIL("a selector cannot be set up");
        }
        if (tier->rule == EGRET_RULE_SCHEME &&
            (tier->scheme == EGRET_SCHEME_SPRAY_QUALITY || tier->scheme == EGRET_SCHEME_FLOWLET)) {
            n->tick = o_twin(o, i)->next_tick == FAB_NEVER ? 0 : tier->load.period_ns * 1000ull;
        }
        if (n->tick) {
            o_push(o, n->tick, O_TICK, i, 0, NULL);
        }
    }
}

/* ---- switches ---- */

static void o_request(const struct oracle *o, const struct o_node *n, uint32_t dst,
                      struct egret_event *ev)
{
    const struct egret_topology *t = &o->t;
    uint32_t edge = dst / t->hosts_per_edge;
    uint32_t pod = edge / t->edges_per_pod;
    bool below = true;
    if (n->kind == 1u) {
        below = edge == n->index;
        ev->group = (uint16_t)(below ? 1u + dst % t->hosts_per_edge : 0u);
        ev->key = (uint16_t)edge;
    } else if (n->kind == 2u) {
        below = t->tiers == 2u || pod == n->index / t->aggs_per_pod;
        ev->group = (uint16_t)(below ? 1u + edge % t->edges_per_pod : 0u);
        ev->key = (uint16_t)pod;
    } else {
        ev->group = (uint16_t)(1u + pod);
        ev->key = (uint16_t)pod;
    }
}

static void o_be(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> (8u * (bytes - 1u - i)));
    }
}

/* The packet event of docs/fabric.md: the record of its frame. */
static void o_packet_event(const struct oracle *o, const struct o_node *n, const struct o_packet *p,
                           struct egret_event *ev)
{
    uint32_t port = 0xc000u + ((p->entropy ^ p->entropy >> 9) & 0x3fffu);
    memset(ev, 0, sizeof *ev);
    ev->kind = EGRET_EV_PACKET;
    ev->now = o->now / 1000u;
    ev->entropy = port;
    ev->length = (uint16_t)(p->length - 4u);
    ev->bin = p->ack ? 0 : 1;
    ev->cls = p->ack ? 1 : 0;
    o_request(o, n, p->dst, ev);
    o_be(ev->record, o->f->address[p->src], 4);
    o_be(ev->record + 16, o->f->address[p->dst], 4);
    ev->record[32] = 17;
    o_be(ev->record + 33, port, 2);
    o_be(ev->record + 35, 4791, 2);
    o_be(ev->record + 37, p->flow & 0xffffffu, 3);
    ev->record[40] = p->ack ? 0x11 : 0x0a;
}

static uint32_t o_shortest(const struct oracle *o, const struct o_node *n)
{
    uint32_t best = n->first_up;
    for (uint32_t port = n->first_up; port < n->ports; port++) {
        if (o_wait(o, &n->link[port]) < o_wait(o, &n->link[best])) {
            best = port;
        }
    }
    return best;
}

static void o_switch(struct oracle *o, uint32_t node, struct o_packet *p)
{
    struct o_node *n = &o->node[node];
    struct egret_event ev;
    struct egret_decision d;
    o_packet_event(o, n, p, &ev);
    o->decisions++;
    if (n->self) {
        if (egret_model_selector()->apply(n->self, &ev, &d) != EGRET_OK || d.port >= n->ports) {
            ORACLE_FAIL("a packet that no port takes");
        }
        o_enqueue(o, node, d.port, p);
    } else {
        o_enqueue(o, node, ev.group ? ev.group - 1u : o_shortest(o, n), p);
    }
}

/* Queue depths, then the tick. */
static void o_tick(struct oracle *o, uint32_t node)
{
    struct o_node *n = &o->node[node];
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.now = o->now / 1000u;
    ev.kind = EGRET_EV_QUEUE;
    int code = EGRET_OK;
    for (uint32_t port = 0; port < n->ports && code == EGRET_OK; port++) {
        uint64_t bytes = o_wait(o, &n->link[port]) * n->link[port].mbps / 8000000u;
        ev.port = port;
        ev.depth = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
        code = egret_model_selector()->apply(n->self, &ev, &d);
    }
    ev.kind = EGRET_EV_TICK;
    ev.port = 0;
    ev.depth = 0;
    if (code != EGRET_OK || egret_model_selector()->apply(n->self, &ev, &d) != EGRET_OK) {
        ORACLE_FAIL("a tick");
    }
    o_push(o, o->now + n->tick, O_TICK, node, 0, NULL);
}

/* ---- the run ---- */

static void o_event(struct oracle *o, struct o_event *e)
{
    struct o_link *l;
    o->now = e->time;
    switch (e->kind) {
    case O_TICK:
        if (o->traffic > 0) {
            o_tick(o, e->node);
        }
        break;
    case O_START:
        o_timer(o, e->node);
        break;
    case O_ARRIVE:
        if (o_is_host(o, e->node)) {
            o_receive(o, e->node, &e->packet);
        } else {
            o_switch(o, e->node, &e->packet);
        }
        break;
    case O_NOTICE:
        if (e->packet.signal) {
            o_reach(o, e->packet.flow, e->packet.sequence, e->node);
            o_settle(o);
        } else if (e->packet.ack) { /* stands for the ACK */
            o->noticed = true;
            o_receive(o, e->node, &e->packet);
            o->noticed = false;
        } else {
            o->message[e->packet.flow].owed++;
            o_ready(o, e->packet.flow);
        }
        break;
    case O_FREE:
        l = &o->node[e->node].link[e->in];
        if (l->queue.head && l->busy <= o->now) {
            o_serve(o, e->node, e->in);
        } else if (o_is_host(o, e->node)) {
            o_kick(o, e->node);
        }
        break;
    default:
        o_send(o, e->node);
    }
}

/* Runs the work of a fabric that has been created. Ends the program on a failure. */
static struct oracle *oracle_run(struct egret_fabric *f, const struct egret_schedule *work)
{
    struct oracle *o = o_array(1, sizeof *o);
    o->f = f;
    o->t = f->spec.topology;
    o->window = UINT64_MAX;
    o_build(o);
    o_setup(o);
    o->host = o_array(o->t.hosts, sizeof *o->host);
    o->message = o_array(work->ops, sizeof *o->message);
    o->fire = o_array(work->ops, sizeof *o->fire);
    /* Not the delay behind all the others that a run of sack has been given. */
    size_t ops = work->ops - (o_is_sack(o) ? 1u : 0u);
    for (uint32_t i = 0; i < ops; i++) {
        const struct egret_op *op = &work->op[i];
        if (op->kind == EGRET_OP_TURNSTILE) {
            ORACLE_FAIL("no turnstiles");
        }
        o->message[i].src = f->place[op->src];
        o->message[i].dst = f->place[op->dst];
        o->message[i].bytes = op->amount;
        if (op->kind == EGRET_OP_MESSAGE) {
            o->message[i].packets =
                (uint32_t)((op->amount + f->spec.payload - 1u) / f->spec.payload);
        }
        if (op->need == 0) {
            o_push(o, op->start_ps, O_START, i, 0, NULL);
        }
    }
    while (o->traffic > 0) {
        struct o_event e = o_pop(o);
        o_event(o, &e);
    }
    return o;
}

static void oracle_free(struct oracle *o)
{
    for (uint32_t i = 0; i < o->nodes; i++) {
        if (o->node[i].self) {
            egret_model_selector()->destroy(o->node[i].self);
        }
        free(o->node[i].link);
    }
    for (uint32_t i = 0; i < o->t.hosts; i++) {
        free(o->host[i].ready);
    }
    free(o->host);
    free(o->message);
    free(o->fire);
    free(o->node);
    free(o->heap);
    free(o);
}

#endif
