/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_scheme_random.c: a label for each packet: a hash of seed, operation, sequence and direction.
 * It depends on nothing else, so it is the same whatever the threads and the other traffic. (A
 * packet that the sack transport sends again has its label again.) ACKs have labels of their own,
 * by what they say (fab_packet's sequence).
 */
#include "host.h"

static uint32_t label(const struct fab_hosts *hs, uint32_t ack, const struct fab_packet *p)
{
    uint64_t salt = fab_mix((uint64_t)hs->seed << 1 | ack);
    return (uint32_t)(fab_mix(((uint64_t)p->flow << 32 | p->sequence) ^ salt) >> 32);
}

static uint32_t data(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p)
{
    (void)o;
    return label(hs, 0, p);
}

static uint32_t ack(struct fab_hosts *hs, struct fab_in *in, const struct fab_packet *p)
{
    (void)in;
    return label(hs, 1, p);
}

const struct fab_host_scheme egret_fab_scheme_random = {.data = data, .ack = ack};
