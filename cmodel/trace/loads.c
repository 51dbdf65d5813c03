/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loads.c: see loads.h. A port sends at its link's rate; what it has been given and not sent yet is
 * its queue.
 */
#include <string.h>

#include "loads.h"
#include "traffic.h"

#define NS_PS 1000u

static uint64_t port_mbps(const struct egret_topology *t, bool agg, uint32_t port)
{
    bool up = port >= egret_switch_down_ports(t, agg);
    return t->rate_mbps[(agg ? 1u : 0u) + (up ? 1u : 0u)];
}

static uint32_t num_ports(const struct egret_topology *t, bool agg)
{
    return egret_switch_down_ports(t, agg) + egret_switch_up_ports(t, agg);
}

static int write_all(const struct egret_topology *t, const struct egret_make *m, bool agg,
                     egret_emit_fn emit, void *ctx, const char **param)
{
    int code = egret_ctl_load(&m->cfg, &m->load, emit, ctx, param);
    for (uint32_t p = 0; p < num_ports(t, agg) && code == EGRET_OK; p++) {
        code = egret_ctl_port_load(&m->cfg, p, port_mbps(t, agg, p) * 1000000u, m->buffer_bytes,
                                   &m->load, emit, ctx, param);
    }
    return code;
}

void egret_loads_setup(struct gen *g, const struct egret_topology *t, const struct egret_make *m,
                       bool agg)
{
    /* egret_loads_refuse() has refused what can be, and what fails in writing is in g->code */
    (void)write_all(t, m, agg, egret_gen_emit, g, NULL);
}

static int discard(void *ctx, uint32_t addr, uint32_t data)
{
    (void)ctx;
    (void)addr;
    (void)data;
    return EGRET_OK;
}

const char *egret_loads_refuse(const struct egret_topology *t, const struct egret_make *m,
                               const char **why)
{
    static const char *const option[][3] = {
        {"speed", "--rate", ""},
        {"period", "--period", ": 1 to 1000000000 ns, and a byte at a link's rate"},
        {"exponent", "--period",
         ": what a link sends in it, times 2^exponent of --load, is 2^32 bytes or more"},
        {"buffer", "--buffer", ": 1 to 2^32 - 1 bytes"},
        {"small", "--small", ": 0 to 65535 bytes"},
    };
    const char *param = NULL;
    *why = "";
    for (unsigned agg = 0; agg <= (m->at_agg ? 1u : 0u); agg++) {
        if (write_all(t, m, agg != 0, discard, NULL, &param) != EGRET_OK) {
            for (size_t i = 0; param && i < sizeof option / sizeof option[0]; i++) {
                if (strcmp(param, option[i][0]) == 0) {
                    *why = option[i][2];
                    return option[i][1];
                }
            }
            return param ? param : "?";
        }
    }
    return NULL;
}

void egret_loads_start(struct loads *l, const struct gen *g, const struct egret_topology *t,
                       const struct egret_make *m, bool agg, uint64_t now_ps)
{
    memset(l, 0, sizeof *l);
    if (!m->loads) {
        return;
    }
    for (uint32_t p = 0; p < g->cfg->num_ports && p < num_ports(t, agg); p++) {
        l->rate_mbps[p] = port_mbps(t, agg, p);
    }
    l->period_ps = (uint64_t)m->load.period_ns * NS_PS;
    l->next_ps = (now_ps / l->period_ps + 1u) * l->period_ps;
    /* An average of 2^32 falls below 2^exponent, where it stays, in ln 2^32 < 23 times 2^exponent
     * ticks; two more put the last band in force. */
    l->settled = (23u << m->load.exponent) + 2u;
}

/* Bytes that the port still has to send. */
static uint32_t depth_at(const struct loads *l, uint32_t port, uint64_t now_ps)
{
    uint64_t left = l->free_ps[port] > now_ps ? l->free_ps[port] - now_ps : 0;
    uint64_t bytes = left / 1000u * l->rate_mbps[port] / 8000u;
    return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

void egret_loads_until(struct loads *l, struct gen *g, uint64_t now_ps)
{
    if (l->period_ps == 0) {
        return;
    }
    for (; l->next_ps <= now_ps && !egret_gen_full(g); l->next_ps += l->period_ps) {
        if (l->quiet >= l->settled) { /* leave out those that change nothing */
            l->next_ps += (now_ps - l->next_ps) / l->period_ps * l->period_ps;
            continue;
        }
        g->now = l->next_ps / NS_PS;
        l->quiet++;
        for (uint32_t p = 0; p < g->cfg->num_ports; p++) {
            uint32_t depth = depth_at(l, p, l->next_ps);
            if (depth != l->depth[p]) {
                l->depth[p] = depth;
                l->quiet = 0;
                egret_gen_queue(g, p, depth);
            }
        }
        egret_gen_tick(g);
        l->ticks++;
    }
}

void egret_loads_packet(struct loads *l, const struct gen *g, uint64_t now_ps)
{
    uint32_t port = g->last_decision.port;
    if (l->period_ps == 0 || port >= EGRET_MAX_PORTS || l->rate_mbps[port] == 0) {
        return;
    }
    uint64_t from = l->free_ps[port] > now_ps ? l->free_ps[port] : now_ps;
    l->free_ps[port] =
        from + serial_ps(g->last.length + FCS_BYTES + GAP_BYTES, l->rate_mbps[port]);
    l->quiet = 0;
}
