/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_write.c: settings as configuration writes, in the order of docs/trace.md's set-up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/trace_front.h"
#include "egret/trace_make.h"
#include "settings_fill.h"

/* Where writes go; the first error stays. */
struct out {
    const struct egret_settings *s;
    egret_emit_fn emit;
    void *ctx;
    int code;
    uint32_t stage[9]; /* the front end's staged words: values, masks, family */
};

static void put(struct out *o, uint32_t addr, uint32_t data)
{
    o->code = o->code ? o->code : o->emit(o->ctx, addr, data);
}

static void check(struct out *o, int code)
{
    o->code = o->code ? o->code : code;
}

static void write_load(struct out *o)
{
    const struct egret_settings *s = o->s;
    bool used[EGRET_MAX_PORTS] = {false};
    if (!egret_settings_uses_load(s)) {
        return;
    }
    check(o, egret_ctl_load(&s->cfg, &s->load.load, o->emit, o->ctx, NULL));
    for (size_t i = 0; i < s->ports; i++) {
        for (uint32_t p = s->port[i].port; p <= s->port[i].last; p++) {
            used[p] = true;
        }
    }
    for (size_t i = 0; i < s->groups; i++) {
        for (size_t m = 0; m < s->group[i].members; m++) {
            used[s->group[i].member[m].port] = true;
        }
    }
    for (uint32_t p = 0; p < s->cfg.num_ports && !o->code; p++) {
        if (used[p]) {
            check(o,
                  egret_ctl_port_load(&s->cfg, p, s->speed_mbps[p] * 1000000ull,
                                      s->load.buffer_bytes, &s->load.load, o->emit, o->ctx, NULL));
        }
    }
}

static void write_buckets(struct out *o, const struct egret_settings_group *g, uint8_t *memory)
{
    struct egret_buckets b;
    memset(&b, 0, sizeof b);
    b.base = g->buckets.base;
    b.count = g->buckets.count;
    b.home = memory;
    b.now = memory + b.count;
    b.num_members = egret_group_members(g, b.member);
    if (egret_group_uses(g, EGRET_SCHEME_ENTROPY)) { /* the packet names the bucket */
        for (uint32_t i = 0; i < b.count; i++) {
            put(o, EGRET_A_BUCKET(b.base + i), b.member[i % b.num_members].port);
        }
        return;
    }
    check(o, egret_ctl_buckets(&o->s->cfg, &b, o->emit, o->ctx));
}

static void write_group(struct out *o, const struct egret_settings_group *g, uint8_t *memory)
{
    const struct egret_cfg *cfg = &o->s->cfg;
    const struct egret_settings_schedule *sc = &g->schedule;
    struct egret_member member[EGRET_MAX_PORTS];
    struct egret_group out;
    if (g->buckets.count) {
        write_buckets(o, g, memory);
    }
    if (sc->rows && !o->code) {
        check(o, egret_ctl_schedule(cfg, sc->bank, sc->row, sc->rows, member,
                                    egret_group_members(g, member), o->s->seed, o->emit, o->ctx,
                                    NULL));
    }
    memset(&out, 0, sizeof out);
    out.scheme = g->scheme;
    out.ordered = g->ordered;
    out.entropy_offset = g->entropy_offset;
    out.bank = sc->bank;
    out.wraps = sc->wraps;
    out.last = sc->length - 1u;
    out.row_base = sc->row;
    out.row_mask = sc->rows ? sc->rows - 1u : 0;
    out.bucket_base = g->buckets.base;
    out.bucket_mask = g->buckets.count ? g->buckets.count - 1u : 0;
    for (size_t i = 0; i < g->members; i++) {
        out.members |= 1ull << g->member[i].port;
    }
    if (egret_group_uses(g, EGRET_SCHEME_FLOWLET)) {
        check(o, egret_ctl_flowlet(cfg, &out, g->flowlet.base, g->flowlet.entries,
                                   g->flowlet.idle_ns, NULL));
        out.by_quality = g->flowlet.path != EGRET_PATH_RANDOM;
        out.strictly_better = g->flowlet.path == EGRET_PATH_BETTER;
    }
    out.drill_samples = g->drill.samples;
    out.drill_memory = g->drill.memory;
    if (!o->code) {
        check(o, egret_ctl_group(cfg, g->id, &out, o->emit, o->ctx));
    }
}

static void write_rows(struct out *o)
{
    for (size_t i = 0; i < o->s->rows && !o->code; i++) {
        const struct egret_settings_row *r = &o->s->row[i];
        uint8_t slot[256];
        for (uint32_t k = 0; k < r->num_slots; k++) {
            slot[k] = (uint8_t)r->slot[k];
        }
        check(o, egret_ctl_row(&o->s->cfg, r->bank, r->row, slot, r->num_slots, o->emit, o->ctx));
    }
}

static void write_classes(struct out *o)
{
    const struct egret_settings_classes *c = &o->s->classes;
    if (c->short_below || c->ordered || c->preset == EGRET_CLASSMAP_RDMA) {
        put(o, EGRET_A_FRONT_SHORT, c->short_below);
        if (!o->code) {
            check(o, egret_ctl_class_ordered(&o->s->cfg, c->ordered, o->emit, o->ctx));
        }
    }
    put(o, EGRET_A_FRONT_ENTROPY, c->entropy);
    for (uint32_t i = 0; i < c->num_thresholds; i++) {
        put(o, EGRET_A_FRONT_THRESHOLD(i), c->threshold[i]);
    }
    put(o, EGRET_A_FRONT_THRESHOLDS, c->num_thresholds);
    put(o, EGRET_A_FRONT_ACK_BIN, c->ack_bin);
    for (uint32_t op = 0; op < 256u; op++) {
        if (c->map.opcode[op]) {
            put(o, EGRET_A_FRONT_OPCODE(op), c->map.opcode[op]);
        }
    }
}

static void stage(struct out *o, uint32_t word, uint32_t addr, uint32_t data, bool always)
{
    if (always || o->stage[word] != data) {
        put(o, addr, data);
        o->stage[word] = data;
    }
}

static uint32_t prefix_word(const struct egret_settings_route *r, uint32_t w)
{
    const uint8_t *b = r->prefix + 4u * w;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint32_t mask_word(const struct egret_settings_route *r, uint32_t w)
{
    uint32_t bits = r->length > 32u * w ? r->length - 32u * w : 0;
    return bits == 0 ? 0 : bits >= 32u ? UINT32_MAX : UINT32_MAX << (32u - bits);
}

static void write_routes(struct out *o)
{
    const struct egret_settings *s = o->s;
    put(o, EGRET_A_FRONT_DEFAULT, s->default_key << 16 | s->default_group);
    for (size_t i = 0; i < s->routes; i++) {
        const struct egret_settings_route *r = &s->route[i];
        stage(o, 8, EGRET_A_FRONT_ROUTE_FAMILY, r->family, false);
        for (uint32_t w = 0; w < 4u; w++) {
            stage(o, 4u + w, EGRET_A_FRONT_ROUTE_MASK(w), mask_word(r, w), false);
        }
        for (uint32_t w = 0; w < 4u; w++) {
            stage(o, w, EGRET_A_FRONT_ROUTE_VALUE(w), prefix_word(r, w), w == 0);
        }
        put(o, EGRET_A_FRONT_ROUTE(i), r->key << 16 | r->group);
    }
}

int egret_settings_writes(const struct egret_settings *s, egret_emit_fn emit, void *ctx)
{
    struct out o;
    memset(&o, 0, sizeof o);
    o.s = s;
    o.emit = emit;
    o.ctx = ctx;
    uint8_t *memory = malloc(2u * s->cfg.num_buckets);
    if (!memory) {
        return EGRET_ERR_MEMORY;
    }
    check(&o, egret_ctl_hash(&s->cfg, &s->hash.setup, emit, ctx, NULL));
    if (!o.code) {
        check(&o, egret_ctl_draw_seed(&s->cfg, s->seed, emit, ctx));
    }
    if (egret_settings_uses_random(s) && !o.code) {
        check(&o, egret_ctl_random_seed(&s->cfg, s->random_seed, emit, ctx));
    }
    if (!o.code) {
        write_load(&o);
    }
    for (size_t i = 0; i < s->groups && !o.code; i++) {
        write_group(&o, &s->group[i], memory);
    }
    write_rows(&o);
    write_classes(&o);
    write_routes(&o);
    free(memory);
    return o.code;
}
