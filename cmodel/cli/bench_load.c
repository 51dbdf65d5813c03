/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_load.c: the events that egret bench gives a selector: a stimulus, or for each scheme random
 * flows over all groups.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_load.h"
#include "egret/control.h"

#define FLOWS 4096u
#define GAP_NS 16u /* from packet to packet: the unit of the flowlet table */

static int append(struct bench_load *l, const struct egret_event *ev)
{
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2u * l->capacity : 4096u;
        struct egret_event *event = realloc(l->event, capacity * sizeof *event);
        if (!event) {
            return EGRET_ERR_MEMORY;
        }
        l->event = event;
        l->capacity = capacity;
    }
    l->event[l->count++] = *ev;
    return EGRET_OK;
}

static int add_write(void *context, uint32_t addr, uint32_t data)
{
    const struct egret_event ev = {.kind = EGRET_EV_WRITE, .addr = addr, .data = data};
    return append(context, &ev);
}

int bench_load_file(struct bench_load *l, const char *path, struct egret_trace_error *err)
{
    struct egret_stimulus *in;
    struct egret_event ev;
    int code = egret_stimulus_open(path, &in, err);
    if (code) {
        return code;
    }
    while ((code = egret_stimulus_next(in, &ev, err)) > 0) {
        l->cut = l->count == BENCH_MAX_EVENTS;
        if (l->cut || append(l, &ev) != EGRET_OK) {
            code = l->cut ? EGRET_OK : egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
            break;
        }
        if (ev.kind == EGRET_EV_PACKET && l->packets++ == 0) {
            l->start = l->count - 1u;
        }
    }
    egret_stimulus_close(in);
    if (code == EGRET_OK && l->packets == 0) {
        code = egret_trace_fail(err, EGRET_ERR_RANGE, "%s: no packet among the first %u events",
                                path, BENCH_MAX_EVENTS);
    }
    return code;
}

/* Ports in the bands 1, 3, 5, 7 in turn, by their queues, in force after two ticks. */
static int set_up_loads(struct bench_load *l, const struct egret_cfg *cfg)
{
    struct egret_load load;
    int code = egret_load_preset("sai", &load);
    load.small = 0;
    code = code ? code : egret_load_weights(&load, 0, 1);
    code = code ? code : egret_ctl_load(cfg, &load, add_write, l, NULL);
    for (uint32_t port = 0; port < cfg->num_ports && code == EGRET_OK; port++) {
        code = egret_ctl_port_load(cfg, port, 100000000000u, 100000, &load, add_write, l, NULL);
        const struct egret_event ev = {.kind = EGRET_EV_QUEUE,
                                       .port = port,
                                       .depth = 100000u * (2u * (port % 4u) + 1u) / 8u + 1u};
        code = code ? code : append(l, &ev);
    }
    for (unsigned i = 0; i < 2u && code == EGRET_OK; i++) {
        const struct egret_event ev = {.kind = EGRET_EV_TICK};
        code = append(l, &ev);
    }
    return code;
}

static int set_up(struct bench_load *l, const struct egret_cfg *cfg, uint32_t scheme)
{
    struct egret_hash_setup hash;
    struct egret_member member[EGRET_MAX_PORTS];
    struct egret_group g;
    /* A row has no more slots than ROW_LEN. */
    uint32_t members = cfg->num_ports < cfg->row_len ? cfg->num_ports : cfg->row_len;
    int code = EGRET_OK;
    memset(&g, 0, sizeof g);
    egret_hash_setup_default(&hash);
    if (cfg->hash_kind == EGRET_HASH_KIND_LOOKUP3) {
        hash.algorithm = EGRET_HASH_LOOKUP3;
    }
    code = egret_ctl_hash(cfg, &hash, add_write, l, NULL);
    for (uint32_t i = 0; i < members; i++) {
        member[i].port = i;
        member[i].weight = 1;
        g.members |= 1ull << i;
    }
    for (uint32_t i = 0; i < cfg->num_buckets && code == EGRET_OK; i++) {
        code = add_write(l, EGRET_A_BUCKET(i), i % members);
    }
    if (code == EGRET_OK) {
        code =
            egret_ctl_schedule(cfg, 0, 0, cfg->num_rows, member, members, 1, add_write, l, &g.last);
    }
    g.scheme = scheme;
    g.wraps = scheme == EGRET_SCHEME_SPRAY_RR ? 5 : 0;
    g.row_mask = cfg->num_rows - 1u;
    g.bucket_mask = cfg->num_buckets - 1u;
    if (scheme == EGRET_SCHEME_FLOWLET) {
        g.flowlet_mask = cfg->num_flowlets - 1u;
    }
    for (uint32_t i = 0; i < cfg->num_groups && code == EGRET_OK; i++) {
        /* Flows of odd groups keep their port; those of even ones have paused. */
        g.idle = scheme != EGRET_SCHEME_FLOWLET ? 0 : i % 2u ? 4u * FLOWS : FLOWS / 2u;
        code = egret_ctl_group(cfg, i, &g, add_write, l);
    }
    return code == EGRET_OK && scheme == EGRET_SCHEME_SPRAY_QUALITY ? set_up_loads(l, cfg) : code;
}

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

int bench_load_scheme(struct bench_load *l, const struct egret_cfg *cfg, uint32_t scheme)
{
    uint64_t state = 88172645463325252u;
    int code = set_up(l, cfg, scheme);
    l->start = l->count;
    for (uint32_t i = 0; i < FLOWS && code == EGRET_OK; i++) {
        struct egret_event ev = {.kind = EGRET_EV_PACKET,
                                 .now = (uint64_t)GAP_NS * i,
                                 .tag = i,
                                 .entropy = next_random(&state),
                                 .length = 1500};
        ev.group = (uint16_t)(next_random(&state) % cfg->num_groups);
        ev.key = (uint16_t)(next_random(&state) % cfg->num_keys);
        ev.bin = (uint8_t)(next_random(&state) % cfg->num_bins);
        for (unsigned k = 0; k < 4u; k++) { /* IPv4 addresses and ports of UDP */
            ev.record[k] = (uint8_t)next_random(&state);
            ev.record[16u + k] = (uint8_t)next_random(&state);
            ev.record[33u + k] = (uint8_t)next_random(&state);
        }
        ev.record[32] = 17;
        code = append(l, &ev);
        l->packets++;
    }
    return code;
}

void bench_load_free(struct bench_load *l)
{
    free(l->event);
    memset(l, 0, sizeof *l);
}
