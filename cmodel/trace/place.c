/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.c: the packets that enter one switch from below. For an aggregation switch the edges of its
 * pod run the model, each with the same scheme and its own seed, to say which uplink a packet
 * takes.
 */
#include <stdlib.h>
#include <string.h>

#include "rng.h"
#include "traffic.h"

uint16_t egret_roce_source_port(uint32_t local_qp, uint32_t remote_qp)
{
    uint64_t v = (uint64_t)local_qp * remote_qp;
    v ^= v >> 20;
    v ^= v >> 40;
    uint32_t label = (uint32_t)v & 0xfffffu;
    return (uint16_t)(((label & 0x3fffu) ^ (label & 0xfc000u) >> 14) | 0xc000u);
}

int egret_place_open(struct place *p, const struct egret_topology *t,
                     const struct egret_schedule *w, const struct egret_make *m,
                     struct egret_trace_error *err)
{
    memset(p, 0, sizeof *p);
    p->topology = t;
    p->workload = w;
    p->make = m;
    uint32_t pod = m->at / (m->at_agg ? t->aggs_per_pod : t->edges_per_pod);
    uint32_t first = m->at_agg ? pod * t->edges_per_pod : m->at;
    uint32_t last = m->at_agg ? first + t->edges_per_pod - 1u : m->at;
    int code = egret_traffic_open(&p->traffic, t, w, first, last, m, err);
    if (code || !m->at_agg) {
        return code;
    }
    p->edge = calloc(t->edges_per_pod, sizeof *p->edge);
    p->edge_loads = calloc(t->edges_per_pod, sizeof *p->edge_loads);
    if (!p->edge || !p->edge_loads) {
        code = egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    for (; code == EGRET_OK && p->edges < t->edges_per_pod; p->edges++) {
        struct gen *g = &p->edge[p->edges];
        code = egret_gen_open(g, &m->cfg, NULL, true, err);
        if (code == EGRET_OK) {
            struct egret_make quiet = *m;
            quiet.stress = false;
            quiet.same_pointer = false;
            egret_switch_setup(g, t, &quiet, false, first + p->edges);
            egret_loads_start(&p->edge_loads[p->edges], g, t, m, false, 0);
            code = g->code;
        }
    }
    if (code) {
        egret_place_close(p);
    }
    return code;
}

void egret_place_close(struct place *p)
{
    egret_traffic_close(&p->traffic);
    for (uint32_t i = 0; i < p->edges; i++) {
        egret_gen_abort(&p->edge[i]);
    }
    free(p->edge);
    free(p->edge_loads);
    egret_heap_free(&p->above);
    memset(p, 0, sizeof *p);
}

/* Queue pair number of one end of a pair; side 0 sends data. */
static uint32_t qp_number(uint32_t seed, uint64_t pair, uint32_t side)
{
    struct rng r = {pair * 2u + side + ((uint64_t)seed << 40)};
    return 0x11u + rng_below(&r, 0xffffffu - 0x11u);
}

void egret_place_frame(const struct egret_topology *t, const struct egret_schedule *w,
                       const struct egret_make *m, const struct traffic_packet *packet,
                       struct gen *g)
{
    const struct egret_op *msg = &w->op[packet->message];
    uint32_t sender = qp_number(m->seed, msg->pair, 0);
    uint32_t receiver = qp_number(m->seed, msg->pair, 1);
    struct rng psn = {msg->pair ^ (uint64_t)packet->message << 32 ^ m->seed};
    struct frame_spec s;
    uint8_t bytes[FRAME_MAX_HEADERS];
    uint32_t orig_len;
    memset(&s, 0, sizeof s);
    egret_switch_host_address(t, packet->ack ? msg->dst : msg->src, &s.src);
    egret_switch_host_address(t, packet->ack ? msg->src : msg->dst, &s.dst);
    s.protocol = 17;
    s.source_port = m->source_port == EGRET_SOURCE_PORT_LINUX
                        ? egret_roce_source_port(sender, receiver)
                        : m->source_port;
    s.dest_port = EGRET_UDP_PORT_ROCE;
    s.opcode = packet->ack ? BTH_ACK : data_opcode(m, msg->amount, packet->sequence);
    s.ask_ack = !packet->ack; /* each is answered */
    s.dest_qp = packet->ack ? sender : receiver;
    s.psn = (rng_u32(&psn) + packet->sequence) & 0xffffffu;
    s.dma_length = s.opcode == BTH_WRITE_FIRST ? (uint32_t)msg->amount : packet->payload;
    s.pad = (0u - packet->payload) & 3u;
    s.length = packet->ack ? ACK_BYTES : data_length(s.opcode, packet->payload);
    uint32_t n = egret_frame_build(&s, bytes, &orig_len);
    g->now = packet->time_ps / 1000u;
    egret_gen_packet(g, bytes, n, orig_len);
}

/* Runs a packet through its edge; true if it goes up to the chosen switch. */
static bool through_edge(struct place *p, const struct traffic_packet *packet)
{
    const struct egret_topology *t = p->topology;
    const struct egret_op *msg = &p->workload->op[packet->message];
    uint32_t edge = (packet->ack ? msg->dst : msg->src) / t->hosts_per_edge;
    struct gen *g = &p->edge[edge - p->traffic.first_edge];
    struct loads *l = &p->edge_loads[edge - p->traffic.first_edge];
    egret_loads_until(l, g, packet->time_ps);
    egret_place_frame(t, p->workload, p->make, packet, g);
    egret_loads_packet(l, g, packet->time_ps);
    return g->last_decision.port == t->hosts_per_edge + p->make->at % t->aggs_per_pod;
}

/* Reads traffic until nothing can come before the first packet on its way. */
static int fill_above(struct place *p, struct egret_trace_error *err)
{
    while (!p->drained && (p->above.count == 0 || p->above.item[0].time > p->edge_time)) {
        struct traffic_packet packet;
        int got = egret_traffic_next(&p->traffic, &packet, err);
        if (got < 0) {
            return got;
        }
        p->drained = got == 0;
        if (got == 0) {
            break;
        }
        p->edge_time = packet.time_ps;
        if (through_edge(p, &packet)) {
            uint64_t bytes = p->workload->op[packet.message].amount;
            uint32_t opcode = data_opcode(p->make, bytes, packet.sequence);
            uint32_t length = packet.ack ? ACK_BYTES : data_length(opcode, packet.payload);
            struct heap_item item = {packet.time_ps +
                                         egret_traffic_edge_to_agg(p->topology, length),
                                     0,
                                     packet.ack,
                                     packet.message,
                                     packet.sequence,
                                     packet.payload};
            if (!egret_heap_push(&p->above, item)) {
                return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
            }
        }
    }
    return EGRET_OK;
}

int egret_place_next(struct place *p, struct traffic_packet *out, struct egret_trace_error *err)
{
    if (!p->make->at_agg) {
        return egret_traffic_next(&p->traffic, out, err);
    }
    int code = fill_above(p, err);
    if (code) {
        return code;
    }
    if (p->above.count == 0) {
        return 0;
    }
    struct heap_item item = egret_heap_pop(&p->above);
    out->time_ps = item.time;
    out->message = item.index;
    out->sequence = item.sequence;
    out->payload = item.payload;
    out->ack = item.kind != 0;
    return 1;
}
