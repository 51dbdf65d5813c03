/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host.h: hosts: what they keep, and the tables behind which transports and host schemes plug in.
 * Internal to the fabric library.
 *
 * An operation belongs to the node of its source's edge. fab_out is touched by that node's worker
 * only, fab_in by the worker of the receiver's node; what both read is written before the run.
 */
#ifndef EGRET_FABRIC_HOST_H
#define EGRET_FABRIC_HOST_H

#include <stdlib.h>

#include "core.h"

#define FAB_NONE UINT32_MAX
#define FAB_MAX_PACKETS 0x7fffffffu /* of a message */

/* An operation at its source: one cache line. */
struct fab_out {
    _Alignas(64) uint32_t src; /* places */
    uint32_t dst;
    uint32_t packets; /* of the message; 0: no message */
    uint32_t sent;    /* next new sequence */
    uint32_t acked;
    uint32_t due;   /* ideal: to be sent in all; sack: waiting to be sent again */
    uint32_t next;  /* behind it in its host's round */
    uint32_t fire;  /* behind it among those whose edges fire */
    uint32_t fired; /* edges into it; of a turnstile those out of it */
    uint32_t label; /* of the host scheme */
    uint16_t full;  /* length of its packets */
    uint16_t last;  /* and of the last one */
    bool listed;    /* in its host's round */
    bool started;
    bool over;
    uint8_t pad;
    uint32_t highest;  /* sack: one more than the highest sequence acknowledged */
    uint32_t scan;     /* sack: below it, losses have been looked for */
    uint64_t progress; /* sack: the last packet left, or the last new ACK came */
};

/* A message at its receiver. */
struct fab_in {
    uint32_t received; /* that count */
    uint32_t highest;  /* one more than the highest sequence seen */
    uint32_t packets;
    uint32_t label; /* of the host scheme */
};

struct fab_ack {
    uint32_t flow;
    uint32_t sequence;
    uint32_t dst;
    uint32_t entropy;
    uint8_t flags;
};

/* A place: the NIC of a host. */
struct fab_host {
    _Alignas(64) uint64_t floor; /* nothing of what waits starts before */
    uint64_t data_at;            /* no data packet starts before: rate */
    struct fab_ack *ack;         /* ring of ACKs that wait; it grows when it is full */
    uint32_t ack_mask;
    uint32_t ack_first;
    uint32_t acks;
    uint32_t head; /* round of the messages that have something to send */
    uint32_t tail;
    bool data_last; /* the last packet was data */
    bool own_ring;  /* ack is not part of the first slab */
};

struct fab_timer {
    uint64_t time;
    uint32_t op; /* starts, ends (a delay), or times out: at most one timer an operation */
};

/* Hosts under one edge. */
struct fab_host_node {
    _Alignas(64) struct fab_timer *timer; /* heap */
    uint32_t timers;
    uint32_t fire_head;
    uint32_t fire_tail;
    uint32_t pad;
    uint64_t over_ps; /* the last operation of its places was over */
};

/* A transport. All functions but `open` and `close` run on the worker of the side they are of. */
struct fab_transport {
    int (*open)(struct egret_fabric *f, struct egret_trace_error *err); /* may be null */
    void (*close)(struct fab_hosts *hs);                                /* may be null */
    bool retracts; /* an answer may leave a listed message with nothing to send */
    /* A message starts. First call of timer(), or FAB_NEVER. */
    uint64_t (*start)(struct fab_hosts *hs, uint64_t now, struct fab_out *o);
    /* Has it a packet to send? */
    bool (*ready)(const struct fab_hosts *hs, const struct fab_out *o);
    /* A packet leaves now, of a message that is ready: its sequence. True if one more could. */
    bool (*next)(struct fab_worker *w, uint64_t now, uint32_t op, struct fab_out *o,
                 uint32_t *sequence);
    /* Does an arrived, whole data packet count? Null: each does, and its ACK names it; else the ACK
     * says how many have counted, this one included (in[].received, before it). */
    bool (*arrive)(struct fab_hosts *hs, const struct fab_packet *p);
    /* An ACK, NACK or loss notice at the sender. True once all is acknowledged. */
    bool (*answer)(struct fab_worker *w, const struct fab_packet *p, struct fab_out *o);
    /* The time it asked for: the next one, or FAB_NEVER. Null: never asked for. */
    uint64_t (*timer)(struct fab_hosts *hs, uint64_t now, uint32_t op, struct fab_out *o);
};

/* A host scheme: what packet.entropy is. Same rules. */
struct fab_host_scheme {
    int (*open)(struct egret_fabric *f, struct egret_trace_error *err); /* may be null */
    void (*close)(struct fab_hosts *hs);                                /* may be null */
    void (*start)(struct fab_hosts *hs, const struct egret_op *op,
                  struct fab_out *o); /* likewise */
    uint32_t (*data)(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p);
    /* Of the ACK of `data`. Null: the data's. */
    uint32_t (*ack)(struct fab_hosts *hs, struct fab_in *in, const struct fab_packet *data);
    /* An ACK, NACK or loss notice has come, its entropy and ECN mark with it: what REPS, PLB and
     * their like learn from. May be null. */
    void (*answer)(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p);
};

struct fab_hosts {
    struct egret_fabric *fabric;
    const struct fab_transport *transport;
    const struct fab_host_scheme *scheme;
    struct fab_out *out; /* by operation */
    struct fab_in *in;
    struct fab_host *host; /* by place */
    struct fab_host_node *node;
    uint32_t edges;
    uint32_t hosts_per_edge;
    uint32_t places;
    uint32_t seed;
    uint64_t rtt_ps;     /* egret_fab_base_rtt() */
    uint32_t rate_ppm;   /* 1000000: back to back */
    uint16_t pace_bytes; /* length that pace_ps is of */
    uint64_t pace_ps;
    uint16_t ack_bytes;
    struct fab_timer *timer_slab;
    struct fab_ack *ack_slab;
    void *transport_state;
    void *scheme_state;
};

extern const struct fab_transport egret_fab_transport_ideal;
extern const struct fab_transport egret_fab_transport_sack;
extern const struct fab_host_scheme egret_fab_scheme_flow;
extern const struct fab_host_scheme egret_fab_scheme_subflow;
extern const struct fab_host_scheme egret_fab_scheme_random;
extern const struct fab_host_scheme egret_fab_scheme_drb;

/* n elements of `size` bytes, zero, at a multiple of 64; null if they are too many. */
void *egret_fab_array(uint64_t n, size_t size);

/* There and back again over the longest way, data one way and an ACK the other, no queue. */
uint64_t egret_fab_base_rtt(const struct egret_fabric *f);
/* When the last operation was over: last ACKs and ends of delays. */
uint64_t egret_fab_hosts_over(const struct egret_fabric *f);

/* ---- nic.c ---- */

static inline struct fab_link *fab_host_link(const struct egret_fabric *f, const struct fab_node *n,
                                             uint32_t slot)
{
    return &f->link[n->first_link + slot];
}
/* Sends all that starts before `limit`. */
void egret_fab_nic_run(struct fab_worker *w, struct fab_host *h, struct fab_link *l,
                       uint64_t limit);
/* Start of the next packet; FAB_NEVER. */
uint64_t egret_fab_nic_next(const struct fab_host *h, const struct fab_link *l);
/* An ACK of `data` waits from now (data->time) on; the NIC has run to now. */
void egret_fab_nic_ack(struct fab_worker *w, struct fab_host *h, const struct fab_packet *data,
                       uint32_t entropy);
/* As egret_fab_nic_run() of a place of the node. Before anything changes what a NIC has to send. */
void egret_fab_nic_until(struct fab_worker *w, const struct fab_node *n, uint32_t place,
                         uint64_t now);
/* Puts the message into its host's round if it is ready and not there; its NIC has run to now. */
void egret_fab_nic_list(struct fab_hosts *hs, uint64_t now, uint32_t op);

/* ---- hashing of host schemes: splitmix64's finisher ---- */

static inline uint64_t fab_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
