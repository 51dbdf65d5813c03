/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traffic.c: sends messages: each host at line rate, round robin between its ready messages;
 * no queueing anywhere (docs/trace.md).
 */
#include <stdlib.h>
#include <string.h>

#include "traffic.h"

#define NONE UINT32_MAX

enum { READY, SEND, TRIGGER, ARRIVE_DATA, ARRIVE_ACK };

static void push(struct traffic *x, uint64_t time, uint32_t kind, uint32_t index, uint32_t sequence,
                 uint32_t payload)
{
    struct heap_item item = {time, 0, kind, index, sequence, payload};
    x->out_of_memory |= !egret_heap_push(&x->events, item);
}

static void collect_waiting(struct traffic *x)
{
    for (size_t t = 0; t < x->workload->triggers; t++) {
        x->trigger[t].head = NONE;
    }
    for (size_t i = x->workload->messages; i-- > 0;) {
        uint32_t trigger = x->workload->message[i].trigger;
        if (trigger != EGRET_NO_TRIGGER) {
            x->message[i].next = x->trigger[trigger].head;
            x->trigger[trigger].head = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < x->workload->messages; i++) {
        if (x->workload->message[i].trigger == EGRET_NO_TRIGGER) {
            push(x, x->workload->message[i].start_ps, READY, (uint32_t)i, 0, 0);
        }
    }
}

int egret_traffic_open(struct traffic *x, const struct egret_topology *t,
                       const struct egret_workload *w, uint32_t first_edge, uint32_t last_edge,
                       const struct egret_make *m, struct egret_trace_error *err)
{
    memset(x, 0, sizeof *x);
    x->topology = t;
    x->workload = w;
    x->first_edge = first_edge;
    x->last_edge = last_edge;
    x->make = m;
    x->message = calloc(w->messages + 1u, sizeof *x->message);
    x->host = calloc(t->hosts, sizeof *x->host);
    x->trigger = calloc(w->triggers + 1u, sizeof *x->trigger);
    if (x->message && x->host && x->trigger) {
        collect_waiting(x);
    } else {
        x->out_of_memory = true;
    }
    if (x->out_of_memory) {
        egret_traffic_close(x);
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    for (uint32_t h = 0; h < t->hosts; h++) {
        x->host[h].head = NONE;
        x->host[h].tail = NONE;
    }
    return EGRET_OK;
}

void egret_traffic_close(struct traffic *x)
{
    free(x->message);
    free(x->host);
    free(x->trigger);
    egret_heap_free(&x->events);
    memset(x, 0, sizeof *x);
}

static void append(struct traffic *x, struct traffic_host *h, uint32_t message)
{
    x->message[message].next = NONE;
    if (h->head == NONE) {
        h->head = message;
    } else {
        x->message[h->tail].next = message;
    }
    h->tail = message;
}

static void ready(struct traffic *x, uint64_t now, uint32_t message)
{
    uint32_t src = x->workload->message[message].src;
    struct traffic_host *h = &x->host[src];
    x->started++;
    append(x, h, message);
    if (!h->scheduled) {
        h->scheduled = true;
        push(x, now > h->free ? now : h->free, SEND, src, 0, 0);
    }
}

static void activate(struct traffic *x, uint64_t now, uint32_t index)
{
    const struct egret_trigger *kind = &x->workload->trigger[index];
    struct traffic_trigger *t = &x->trigger[index];
    t->activations++;
    if (kind->kind == EGRET_TRIGGER_BARRIER && t->activations != kind->count) {
        return;
    }
    while (t->head != NONE) {
        uint32_t message = t->head;
        t->head = x->message[message].next;
        ready(x, now, message);
        if (kind->kind == EGRET_TRIGGER_MULTISHOT) {
            return;
        }
    }
}

static bool watched(const struct traffic *x, uint32_t host)
{
    uint32_t edge = host / x->topology->hosts_per_edge;
    return edge >= x->first_edge && edge <= x->last_edge;
}

/* The packet's arrival at the edges and, if it is the last one, what its end sets going. */
static void follow_packet(struct traffic *x, uint64_t now, uint32_t message, uint32_t sequence,
                          uint32_t payload, bool last)
{
    const struct egret_topology *t = x->topology;
    const struct egret_message *m = &x->workload->message[message];
    uint32_t length = data_length(data_opcode(x->make, m->bytes, sequence), payload);
    uint64_t arrival = now + egret_topology_transit(t, m->src, m->dst, length);
    if (watched(x, m->src)) {
        push(x, now + egret_traffic_to_edge(t, length), ARRIVE_DATA, message, sequence, payload);
    }
    if (!x->make->no_acks && watched(x, m->dst)) {
        push(x, arrival + egret_traffic_to_edge(t, ACK_BYTES), ARRIVE_ACK, message, sequence, 0);
    }
    if (last && m->recv_done != EGRET_NO_TRIGGER) {
        push(x, arrival, TRIGGER, m->recv_done, 0, 0);
    }
    if (last && m->send_done != EGRET_NO_TRIGGER) {
        push(x, arrival + egret_topology_transit(t, m->dst, m->src, ACK_BYTES), TRIGGER,
             m->send_done, 0, 0);
    }
}

static void send(struct traffic *x, uint64_t now, uint32_t host)
{
    struct traffic_host *h = &x->host[host];
    uint32_t message = h->head;
    struct traffic_message *state = &x->message[message];
    uint64_t bytes = x->workload->message[message].bytes;
    uint64_t left = bytes - state->sent;
    uint32_t payload = left < x->make->payload ? (uint32_t)left : x->make->payload;
    uint32_t sequence = (uint32_t)(state->sent / x->make->payload);
    uint32_t length = data_length(data_opcode(x->make, bytes, sequence), payload);
    h->head = state->next;
    state->sent += payload;
    if (left > payload) {
        append(x, h, message);
    }
    follow_packet(x, now, message, sequence, payload, left == payload);
    h->free = now + serial_ps(length + FCS_BYTES + GAP_BYTES, x->topology->rate_mbps[0]);
    h->scheduled = h->head != NONE;
    if (h->scheduled) {
        push(x, h->free, SEND, host, 0, 0);
    }
}

int egret_traffic_next(struct traffic *x, struct traffic_packet *out, struct egret_trace_error *err)
{
    while (x->events.count > 0 && !x->out_of_memory) {
        struct heap_item e = egret_heap_pop(&x->events);
        switch (e.kind) {
        case READY:
            ready(x, e.time, e.index);
            break;
        case SEND:
            send(x, e.time, e.index);
            break;
        case TRIGGER:
            activate(x, e.time, e.index);
            break;
        default:
            out->time_ps = e.time;
            out->message = e.index;
            out->sequence = e.sequence;
            out->payload = e.payload;
            out->ack = e.kind == ARRIVE_ACK;
            return 1;
        }
    }
    if (x->out_of_memory) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    if (x->started < x->workload->messages) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "%zu of %zu messages never start: their triggers do not fire",
                                x->workload->messages - x->started, x->workload->messages);
    }
    return 0;
}
