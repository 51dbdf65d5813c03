/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_scheme_drb.c: DRB (papers.md 0.1 and 4.5): for each (sending place, destination place, size
 * bin) a pointer that goes round the top switches which both ends reach, in digit-reversed order:
 * the fast digit is the uplink of the edge, the slow one that of the aggregation switch. It starts
 * at random, by the seed. Two bins: data, and ACKs.
 *
 * The entropy is the pointer as it is kept: uplink of the edge, and that of the aggregation switch
 * << 16. Within a pod the top switches are the aggregation switches, and the slow digit stays 0;
 * likewise with two tiers.
 *
 * Pointers are found by pair number: messages from one place to another share one of data (touched
 * at their sender) and one of ACKs (touched at their receiver, which is where these are sent).
 */
#include "host.h"

struct drb {
    uint32_t *data; /* by pair */
    uint32_t *ack;
    uint32_t uplinks; /* of an edge */
    uint32_t agg_uplinks;
};

static uint32_t pod(const struct fab_hosts *hs, uint32_t place)
{
    return place / hs->hosts_per_edge / hs->fabric->spec.topology.edges_per_pod;
}

/* Values of the slow digit. */
static uint32_t slow(const struct fab_hosts *hs, const struct drb *d, uint32_t src, uint32_t dst)
{
    return pod(hs, src) == pod(hs, dst) ? 1u : d->agg_uplinks;
}

static uint32_t first(const struct fab_hosts *hs, const struct drb *d, uint32_t src, uint32_t dst,
                      uint32_t bin)
{
    uint64_t hash = fab_mix(((uint64_t)src << 32 | dst) ^ fab_mix((uint64_t)hs->seed << 1 | bin));
    uint64_t tops = (uint64_t)d->uplinks * slow(hs, d, src, dst);
    uint32_t at = (uint32_t)((hash >> 32) * tops >> 32);
    return at % d->uplinks | at / d->uplinks << 16;
}

/* Numbers of (src, dst) pairs, into `label` of both ends, by a table of open addresses. */
static int number_pairs(struct egret_fabric *f, uint32_t *pairs, struct egret_trace_error *err)
{
    struct fab_hosts *hs = f->hosts;
    size_t slots = 64;
    while (slots < 2u * f->work->ops) {
        slots *= 2u;
    }
    uint32_t *table = egret_fab_array(slots, sizeof *table); /* operation + 1 */
    if (!table) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    *pairs = 0;
    for (uint32_t i = 0; i < f->work->ops; i++) {
        struct fab_out *o = &hs->out[i];
        if (o->packets == 0) {
            continue;
        }
        size_t at = (size_t)fab_mix((uint64_t)o->src << 32 | o->dst) & (slots - 1u);
        while (table[at] &&
               (hs->out[table[at] - 1u].src != o->src || hs->out[table[at] - 1u].dst != o->dst)) {
            at = (at + 1u) & (slots - 1u);
        }
        if (table[at] == 0) {
            table[at] = i + 1u;
            o->label = (*pairs)++;
        } else {
            o->label = hs->out[table[at] - 1u].label;
        }
        hs->in[i].label = o->label;
    }
    free(table);
    return EGRET_OK;
}

static int drb_open(struct egret_fabric *f, struct egret_trace_error *err)
{
    struct fab_hosts *hs = f->hosts;
    const struct egret_topology *t = &f->spec.topology;
    uint32_t pairs = 0;
    int code = number_pairs(f, &pairs, err);
    if (code != EGRET_OK) {
        return code;
    }
    struct drb *d = calloc(1, sizeof *d);
    hs->scheme_state = d;
    if (d) {
        d->uplinks = t->aggs_per_pod;
        d->agg_uplinks = t->tiers == 2u ? 1u : t->agg_uplinks;
        d->data = egret_fab_array(pairs, sizeof *d->data);
        d->ack = egret_fab_array(pairs, sizeof *d->ack);
    }
    if (!d || !d->data || !d->ack) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < f->work->ops; i++) {
        const struct fab_out *o = &hs->out[i];
        if (o->packets > 0) {
            d->data[o->label] = first(hs, d, o->src, o->dst, 0);
            d->ack[o->label] = first(hs, d, o->dst, o->src, 1);
        }
    }
    return EGRET_OK;
}

static void drb_close(struct fab_hosts *hs)
{
    struct drb *d = hs->scheme_state;
    if (d) {
        free(d->data);
        free(d->ack);
        free(d);
    }
}

/* Where the pointer is; it moves on. */
static uint32_t step(const struct fab_hosts *hs, const struct drb *d, uint32_t *pointer,
                     const struct fab_packet *p)
{
    uint32_t at = *pointer;
    if ((at & 0xffffu) + 1u < d->uplinks) {
        *pointer = at + 1u;
    } else {
        uint32_t up = (at >> 16) + 1u;
        *pointer = up < slow(hs, d, p->src, p->dst) ? up << 16 : 0;
    }
    return at;
}

static uint32_t data(struct fab_hosts *hs, struct fab_out *o, const struct fab_packet *p)
{
    const struct drb *d = hs->scheme_state;
    return step(hs, d, &d->data[o->label], p);
}

static uint32_t ack(struct fab_hosts *hs, struct fab_in *in, const struct fab_packet *p)
{
    const struct drb *d = hs->scheme_state;
    return step(hs, d, &d->ack[in->label], p);
}

const struct fab_host_scheme egret_fab_scheme_drb = {
    .open = drb_open, .close = drb_close, .data = data, .ack = ack};
