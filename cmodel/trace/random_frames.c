/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_frames.c: frames of a random stimulus.
 */
#include <string.h>

#include "random.h"

struct random_flow egret_random_flow(struct random_state *r)
{
    struct random_flow f;
    f.source[0] = (uint8_t)rng_below(&r->rng, 256);
    f.source[1] = (uint8_t)rng_below(&r->rng, 256);
    f.source_port = rng_u32(&r->rng) & 0xffffu;
    f.dest_qp = rng_u32(&r->rng) & 0xffffffu;
    f.flow_label = rng_u32(&r->rng) & 0xfffffu;
    f.opcode = rng_percent(&r->rng, 25) ? BTH_ACK : BTH_WRITE_ONLY;
    return f;
}

/* The pause before a packet, near the idle times that random groups have: mostly none, or within a
 * unit of 16 ns. */
static void pause(struct random_state *r)
{
    uint32_t kind = rng_below(&r->rng, 20);
    if (kind < 4u) {
        r->gen.now += rng_below(&r->rng, 16);
    } else if (kind < 9u) {
        r->gen.now += 16u * rng_below(&r->rng, 8);
    } else if (kind < 11u) {
        r->gen.now += 16u * rng_below(&r->rng, 50) + rng_below(&r->rng, 16);
    }
    r->gen.now &= (1ull << EGRET_NOW_BITS) - 1u;
}

static void random_source(struct random_state *r, struct frame_spec *s)
{
    s->src = s->dst;
    s->src.bytes[1] = (uint8_t)rng_below(&r->rng, 256);
    s->src.bytes[2] = (uint8_t)rng_below(&r->rng, 256);
}

static void send(struct random_state *r, const struct frame_spec *s)
{
    uint8_t bytes[FRAME_MAX_HEADERS];
    uint32_t orig_len;
    uint32_t n = egret_frame_build(s, bytes, &orig_len);
    if (s->protocol != 17u && s->protocol != 6u) {
        /* The zeros behind may be read as up to eight more extension headers. */
        n = n + 80u < orig_len ? n + 80u : orig_len;
    }
    egret_gen_packet(&r->gen, bytes, n < FRAME_MAX_HEADERS ? n : FRAME_MAX_HEADERS, orig_len);
}

void egret_random_packet(struct random_state *r, uint32_t i)
{
    struct random_flow f = r->last_flow;
    struct frame_spec s;
    if (rng_percent(&r->rng, 40)) {
        f = rng_percent(&r->rng, 50) ? r->flow[rng_below(&r->rng, RANDOM_FLOWS)]
                                     : egret_random_flow(r);
    }
    r->last_flow = f;
    pause(r);
    memset(&s, 0, sizeof s);
    s.dst = r->route[i].address;
    s.src = s.dst;
    memcpy(s.src.bytes + 1, f.source, 2);
    s.protocol = 17;
    s.source_port = f.source_port;
    s.dest_port = EGRET_UDP_PORT_ROCE;
    s.opcode = f.opcode;
    s.dest_qp = f.dest_qp;
    s.psn = r->gen.packets;
    s.flow_label = f.flow_label;
    s.length = s.opcode == BTH_ACK ? 62u : r->length[rng_below(&r->rng, 6)];
    send(r, &s);
}

static void no_ip(struct random_state *r)
{
    static const uint32_t types[] = {0x0806, 0x8847, 0x88cc, 0x8906, 0x05dc, 0x8808};
    uint8_t bytes[64];
    for (uint32_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)rng_u32(&r->rng);
    }
    uint32_t type = types[rng_below(&r->rng, 6)];
    bytes[12] = (uint8_t)(type >> 8);
    bytes[13] = (uint8_t)type;
    uint32_t incl = 14u + rng_below(&r->rng, 51);
    egret_gen_packet(&r->gen, bytes, incl, incl + rng_below(&r->rng, 1000));
}

void egret_random_odd_packet(struct random_state *r)
{
    struct rng *rng = &r->rng;
    struct frame_spec s;
    uint32_t kind = rng_below(rng, 10);
    if (kind == 0) {
        no_ip(r);
        return;
    }
    memset(&s, 0, sizeof s);
    s.dst = r->route[rng_below(rng, RANDOM_ROUTES)].address;
    if (kind == 1) {
        s.dst.bytes[1] = 99; /* no route */
    }
    random_source(r, &s);
    s.vlans = rng_below(rng, 5);
    s.option_words = rng_below(rng, 5);
    s.flow_label = rng_u32(rng) & 0xfffffu;
    s.protocol = kind < 6 ? 17u : kind < 8 ? 6u : rng_below(rng, 256);
    s.source_port = rng_u32(rng) & 0xffffu;
    s.dest_port = rng_percent(rng, 60) ? EGRET_UDP_PORT_ROCE : rng_u32(rng) & 0xffffu;
    s.opcode = rng_below(rng, 256);
    s.dest_qp = rng_u32(rng) & 0xffffffu;
    s.psn = rng_u32(rng) & 0xffffffu;
    s.fragment = rng_percent(rng, 10);
    s.length = rng_percent(rng, 5) ? 65535u : 60u + rng_below(rng, 9000);
    if (rng_percent(rng, 90) || s.protocol > 60u) {
        send(r, &s);
        return;
    }
    /* A frame that ends early: all of its bytes are there, its headers are not. */
    uint8_t bytes[FRAME_MAX_HEADERS];
    uint32_t orig_len;
    uint32_t n = egret_frame_build(&s, bytes, &orig_len);
    n = 14u + rng_below(rng, n - 13u);
    egret_gen_packet(&r->gen, bytes, n, n);
}
