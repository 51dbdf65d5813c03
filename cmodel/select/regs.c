/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regs.c: configuration writes and reads on the address map of egret/regs.h. Mirrors the decode of
 * rtl/egret_core.v.
 */
#include "egret/timing.h"
#include "internal.h"

#define REGION(addr) ((addr) >> 20)
#define OFFSET(addr) ((addr) & 0xfffffu)

/* The bits of word 6 [31:24] that a group keeps. */
uint32_t egret_quality_bits(const struct egret_cfg *cfg)
{
    if (!egret_cfg_has_load(cfg))
        return 0;
    return EGRET_QUALITY_DRILL_D | EGRET_QUALITY_DRILL_M |
           (egret_cfg_has_flowlet(cfg) ? EGRET_QUALITY_NEW | EGRET_QUALITY_STRICT : 0);
}

void egret_fast_group(const struct egret *e, struct egret_group_state *g)
{
    bool hashes = e->mode == EGRET_MODE_IPV4;
    bool good = e->num_bad == 0;

    for (unsigned i = 0; i < 2; i++) {
        uint8_t act = g->act[i];
        bool flowlet = hashes && g->num_listed != 0 && !(g->quality & EGRET_QUALITY_NEW);
        bool holds = act == EGRET_SCHEME_ECMP            ? hashes
                     : act == EGRET_SCHEME_FLOWLET       ? flowlet
                     : act == EGRET_SCHEME_SPRAY_QUALITY ? g->num_listed != 0
                                                         : act <= EGRET_SCHEME_DR;
        g->fast[i] = holds && good ? act : EGRET_SCHEME_NONE;
    }
}

void egret_fast_groups(struct egret *e)
{
    for (uint32_t i = 0; i < e->cfg.num_groups; i++)
        egret_fast_group(e, &e->group[i]);
}

static void commit_group(struct egret *e, uint32_t g, uint32_t word0)
{
    struct egret_group_state *s = &e->group[g];
    uint32_t last = (word0 >> 16) & (e->cfg.row_len - 1);

    s->scheme[0] = word0 & 0xfu;
    s->ordered = word0 >> 12 & 0xfu;
    s->scheme[1] = s->ordered != 0 ? s->ordered : s->scheme[0];
    for (unsigned i = 0; i < 2; i++)
        s->act[i] = egret_has(e, s->scheme[i]) ? s->scheme[i] : EGRET_SCHEME_NONE;
    s->entropy_offset = egret_has(e, EGRET_SCHEME_ENTROPY) ? word0 >> 24 & 31u : 0;
    s->bank_row = (uint16_t)(word0 & 0x10u ? e->cfg.num_rows : 0);
    s->wraps = (word0 >> 8) & 0xfu;
    s->last = (uint8_t)last;
    s->row_base = (uint16_t)e->stage[0];
    s->row_mask = (uint16_t)(e->stage[0] >> 16);
    s->bucket_base = (uint16_t)e->stage[1];
    s->bucket_mask = (uint16_t)(e->stage[1] >> 16);
    s->members = ((uint64_t)e->stage[3] << 32 | e->stage[2]) & e->port_mask;
    s->live = s->members & e->live;
    s->num_listed = 0;
    s->pool_stamp = 0;
    if (egret_cfg_has_flowlet(&e->cfg)) {
        s->flowlet_base = (uint16_t)e->stage[4];
        s->flowlet_mask = (uint16_t)(e->stage[4] >> 16);
        s->idle = e->stage[5] & 0xffffffu;
    }
    s->quality = (uint8_t)(e->stage[5] >> 24 & egret_quality_bits(&e->cfg));
    egret_fast_group(e, s);
}

static void hash_changed(struct egret *e)
{
    if (e->mode == EGRET_MODE_LOOKUP3 || e->mode == EGRET_MODE_STALE)
        return;
    e->mode = EGRET_MODE_STALE;
    egret_fast_groups(e);
}

/* A new seed makes every cached draw stale. Generations are 20 bits above the epoch, from 1 on;
 * before they come round, all tags are cleared, so that none can match by chance. */
static void next_draw_generation(struct egret *e)
{
    e->draw_generation += 0x1000u;
    if (e->draw_generation == 0) {
        for (uint32_t i = 0; i < e->dr_pointers + e->cfg.num_groups; i++)
            e->pointer[i].tag = 0;
        e->draw_generation = 0x1000u;
    }
}

static void write_global(struct egret *e, uint32_t addr, uint32_t data)
{
    switch (addr) {
    case EGRET_A_HASH_ALGORITHM:
        e->hash_algorithm = data;
        hash_changed(e);
        break;
    case EGRET_A_HASH_FIELDS:
        e->hash_fields = data & EGRET_FIELDS_ALL;
        hash_changed(e);
        break;
    case EGRET_A_HASH_SEED:
        e->hash_seed = data;
        hash_changed(e);
        break;
    case EGRET_A_HASH_ROTATION:
        e->hash_rotation = data & 31u;
        hash_changed(e);
        break;
    case EGRET_A_DRAW_SEED:
        e->draw_seed = data;
        next_draw_generation(e);
        break;
    case EGRET_A_CLASS_ORDERED:
        e->class_ordered = (data & 0xffffu) * 0x10001u;
        break;
    case EGRET_A_RANDOM:
        egret_random_set(e, data != 0 ? data : EGRET_RANDOM_START);
        break;
    case EGRET_A_FLOWLET_LAST:
        e->flowlet_last = data & EGRET_FLOWLET_TIME;
        break;
    case EGRET_A_GROUP_STAGE1:
    case EGRET_A_GROUP_STAGE2:
    case EGRET_A_GROUP_STAGE3:
    case EGRET_A_GROUP_STAGE4:
    case EGRET_A_GROUP_STAGE5:
    case EGRET_A_GROUP_STAGE6:
        e->stage[addr - EGRET_A_GROUP_STAGE1] = data;
        break;
    default: /* LOAD_EXPONENT and up */
        egret_load_write_global(&e->load, addr, data);
        break;
    }
}

void egret_regs_write(struct egret *e, uint32_t addr, uint32_t data)
{
    uint32_t offset;

    addr &= 0xffffffu;
    offset = OFFSET(addr);
    if (egret_ctl_check_write(&e->cfg, addr, data, NULL) != EGRET_OK) {
        e->writes_ignored++;
        return;
    }
    switch (REGION(addr)) {
    case 0x0:
        write_global(e, addr, data);
        break;
    case 0x1:
        commit_group(e, offset >> 3, data);
        break;
    case 0x2:
        e->bucket[offset] = (uint8_t)data;
        break;
    case 0x3:
        e->schedule[egret_schedule_index(e, offset)] = (uint8_t)data;
        break;
    case 0x4:
        e->pointer[egret_pointer_index(e, offset)].entry =
            (data & 0xffffff00u) | (data & (e->cfg.row_len - 1));
        break;
    case 0x8:
        e->matrix[offset >> 4][offset & 15u] = data;
        hash_changed(e);
        break;
    case 0x9:
        egret_load_write_port(&e->load, offset, data);
        break;
    case 0xa:
        e->group[offset].memory =
            (uint8_t)((data >> 31 ? EGRET_MEMORY_KEPT : 0) | (data & EGRET_MEMORY_PORT));
        break;
    case 0xc:
        e->flowlet[offset >> 1].flow = egret_flowlet_flow(data);
        e->flowlet[offset >> 1].last = e->flowlet_last;
        break;
    default: /* the front end's */
        break;
    }
    if (e->num_bad != 0)
        egret_set_bad(e, addr, false);
}

/* 1 + log2 of NUM_FLOWLETS; 0 for none. */
static uint32_t flowlet_size(const struct egret_cfg *c)
{
    uint32_t size = 0;
    while (c->num_flowlets >> size != 0)
        size++;
    return size;
}

static uint32_t read_global(const struct egret *e, uint32_t addr)
{
    const struct egret_cfg *c = &e->cfg;
    bool registers = c->hash_kind != EGRET_HASH_KIND_MATRIX;

    switch (addr) {
    case EGRET_A_TYPE:
        return EGRET_TYPE_WORD;
    case EGRET_A_VERSION:
        return EGRET_VERSION_WORD;
    case EGRET_A_PARAM0:
        return c->num_bins << 24 | (c->row_len - 1) << 16 | (c->num_rows - 1) << 8 | c->num_ports;
    case EGRET_A_PARAM1:
        return c->num_keys << 16 | c->num_groups;
    case EGRET_A_PARAM2:
        return c->hash_kind << 28 | egret_cfg_latency(c) << 20 | c->num_buckets;
    case EGRET_A_PARAM3:
        return c->parity << 21 | flowlet_size(c) << 16 | c->schemes;
    case EGRET_A_HASH_ALGORITHM:
        return e->hash_algorithm;
    case EGRET_A_HASH_FIELDS:
        return registers ? e->hash_fields : 0;
    case EGRET_A_HASH_SEED:
        return e->hash_seed;
    case EGRET_A_HASH_ROTATION:
        return registers ? e->hash_rotation : 0;
    case EGRET_A_DRAW_SEED:
        return e->draw_seed;
    case EGRET_A_CLASS_ORDERED:
        return e->class_ordered & 0xffffu;
    case EGRET_A_RANDOM:
        return egret_cfg_has_random(c) ? egret_random_state(e) : 0;
    case EGRET_A_LIVE0:
        return (uint32_t)e->live;
    case EGRET_A_LIVE1:
        return (uint32_t)(e->live >> 32);
    case EGRET_A_TICK_COUNT:
        return e->tick_count;
    case EGRET_A_TICK_NOW0:
        return (uint32_t)e->tick_now;
    case EGRET_A_TICK_NOW1:
        return (uint32_t)(e->tick_now >> 32);
    case EGRET_A_WRITES_IGNORED:
        return e->writes_ignored;
    case EGRET_A_EVENTS_IGNORED:
        return e->events_ignored;
    case EGRET_A_DROPS_SCHEME:
        return e->drops_scheme;
    case EGRET_A_DROPS_INDEX:
        return e->drops_index;
    case EGRET_A_FAULTS:
        return e->faults;
    case EGRET_A_FAULT_TABLES:
        return e->fault_tables;
    case EGRET_A_GROUP_STAGE1:
    case EGRET_A_GROUP_STAGE2:
    case EGRET_A_GROUP_STAGE3:
    case EGRET_A_GROUP_STAGE4:
    case EGRET_A_GROUP_STAGE5:
    case EGRET_A_GROUP_STAGE6:
        return e->stage[addr - EGRET_A_GROUP_STAGE1];
    case EGRET_A_FLOWLET_LAST:
        return e->flowlet_last;
    default:
        return egret_cfg_has_load(c) ? egret_load_read_global(&e->load, addr) : 0;
    }
}

static uint32_t read_group(const struct egret_group_state *g, uint32_t word)
{
    switch (word) {
    case 0:
        return (uint32_t)g->entropy_offset << 24 | (uint32_t)g->last << 16 |
               (uint32_t)g->ordered << 12 | (uint32_t)g->wraps << 8 |
               (g->bank_row != 0 ? 0x10u : 0u) | g->scheme[0];
    case 1:
        return (uint32_t)g->row_mask << 16 | g->row_base;
    case 2:
        return (uint32_t)g->bucket_mask << 16 | g->bucket_base;
    case 3:
        return (uint32_t)g->members;
    case 4:
        return (uint32_t)(g->members >> 32);
    case 5:
        return (uint32_t)g->flowlet_mask << 16 | g->flowlet_base;
    case 6:
        return (uint32_t)g->quality << 24 | g->idle;
    default:
        return 0;
    }
}

static uint32_t read_port_counter(const struct egret_port_counter *c, uint32_t word)
{
    uint64_t value = (word < 2 ? c->packets : c->bytes) & EGRET_MASK40;
    return (uint32_t)(word % 2 == 0 ? value : value >> 32);
}

uint32_t egret_regs_read(const struct egret *e, uint32_t addr)
{
    const struct egret_cfg *c = &e->cfg;
    uint32_t offset;

    addr &= 0xffffffu;
    offset = OFFSET(addr);
    switch (REGION(addr)) {
    case 0x0:
        return read_global(e, addr);
    case 0x1:
        return offset >> 3 < c->num_groups ? read_group(&e->group[offset >> 3], offset & 7u) : 0;
    case 0x2:
        return offset < c->num_buckets ? e->bucket[offset] : 0;
    case 0x3:
        if (offset >> 16 > 1 || (offset >> 8 & 0xffu) >= c->num_rows ||
            (offset & 0xffu) >= c->row_len)
            return 0;
        return e->schedule[egret_schedule_index(e, offset)];
    case 0x4:
        if (offset >= 0x80000u ? offset - 0x80000u >= c->num_groups
                               : offset >> 4 >= c->num_keys || (offset & 15u) >= c->num_bins)
            return 0;
        return e->pointer[egret_pointer_index(e, offset)].entry;
    case 0x5:
        return offset < c->num_ports ? e->queue[offset] : 0;
    case 0x6:
        return offset >> 2 < c->num_ports ? read_port_counter(&e->counter[offset >> 2], offset & 3u)
                                          : 0;
    case 0x7:
        if (offset >> 1 >= c->num_groups)
            return 0;
        return offset & 1u ? e->group[offset >> 1].repairs : e->group[offset >> 1].drops;
    case 0x8:
        if (c->hash_kind != EGRET_HASH_KIND_MATRIX || offset >> 4 >= EGRET_HASH_NIBBLES)
            return 0;
        return e->matrix[offset >> 4][offset & 15u];
    case 0x9:
        return egret_cfg_has_load(c) && offset >> 2 < c->num_ports
                   ? egret_load_read_port(&e->load, offset)
                   : 0;
    case 0xa:
        return egret_cfg_has_load(c) && offset < c->num_groups
                   ? egret_drill_memory(&e->group[offset])
                   : 0;
    case 0xb:
        if (!egret_cfg_has_flowlet(c) || offset >> 3 >= c->num_groups || (offset & 7u) > 4)
            return 0;
        return e->group[offset >> 3].flowlets[offset & 7u];
    case 0xc:
        if (offset >> 1 >= c->num_flowlets)
            return 0;
        return offset & 1u ? e->flowlet[offset >> 1].last & EGRET_FLOWLET_TIME
                           : egret_flowlet_word(e->flowlet[offset >> 1].flow);
    default:
        return 0;
    }
}
