/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.c: which writes take effect, and the builders of single writes and groups
 * (docs/spec/events.md). Mirrors the legality checks of rtl/egret_core.v.
 */
#include "egret/control.h"
#include "parts.h"

int egret_emit_buffer(void *ctx, uint32_t addr, uint32_t data)
{
    struct egret_write_buffer *b = ctx;
    if (b->count >= b->capacity)
        return EGRET_ERR_RANGE;
    b->write[b->count].addr = addr;
    b->write[b->count].data = data;
    b->count++;
    return EGRET_OK;
}

static int apply_now(struct egret *e, uint8_t kind, uint32_t addr, uint32_t data)
{
    struct egret_event ev = {0};
    struct egret_decision d;
    ev.kind = kind;
    ev.addr = addr;
    ev.data = data;
    return egret_apply(e, &ev, &d);
}

int egret_emit_apply(void *ctx, uint32_t addr, uint32_t data)
{
    return apply_now(ctx, EGRET_EV_WRITE, addr, data);
}

int egret_emit_fault(void *ctx, uint32_t addr, uint32_t data)
{
    return apply_now(ctx, EGRET_EV_FAULT, addr, data);
}

static const char *const no_address = "address";
static const char *const read_only = "read-only";

static const char *forbids_global(const struct egret_cfg *cfg, uint32_t addr, uint32_t data)
{
    static const uint32_t matrix_only = 1u << EGRET_HASH_MATRIX;
    static const uint32_t available[] = {1u << EGRET_HASH_CRC16 | 1u << EGRET_HASH_CRC32C,
                                         1u << EGRET_HASH_MATRIX, 1u << EGRET_HASH_LOOKUP3};

    switch (addr) {
    case EGRET_A_HASH_ALGORITHM:
        return data < 32 && (available[cfg->hash_kind] >> data & 1u) ? NULL : "HASH_KIND";
    case EGRET_A_HASH_FIELDS:
    case EGRET_A_HASH_ROTATION:
        return available[cfg->hash_kind] != matrix_only ? NULL : "HASH_KIND";
    case EGRET_A_RANDOM:
        return egret_cfg_has_random(cfg) ? NULL : "SCHEMES";
    case EGRET_A_GROUP_STAGE5:
    case EGRET_A_GROUP_STAGE6:
        return egret_cfg_is_deep(cfg) ? NULL : "SCHEMES";
    case EGRET_A_FLOWLET_LAST:
        return egret_cfg_has_flowlet(cfg) ? NULL : "NUM_FLOWLETS";
    case EGRET_A_LOAD_EXPONENT:
    case EGRET_A_LOAD_WEIGHTS:
    case EGRET_A_QUALITY_SMALL:
        return egret_cfg_has_load(cfg) ? NULL : "SCHEMES";
    case EGRET_A_HASH_SEED:
    case EGRET_A_DRAW_SEED:
    case EGRET_A_CLASS_ORDERED:
    case EGRET_A_GROUP_STAGE1:
    case EGRET_A_GROUP_STAGE2:
    case EGRET_A_GROUP_STAGE3:
    case EGRET_A_GROUP_STAGE4:
        return NULL;
    case EGRET_A_TYPE:
    case EGRET_A_VERSION:
    case EGRET_A_PARAM0:
    case EGRET_A_PARAM1:
    case EGRET_A_PARAM2:
    case EGRET_A_PARAM3:
    case EGRET_A_LIVE0:
    case EGRET_A_LIVE1:
    case EGRET_A_TICK_COUNT:
    case EGRET_A_TICK_NOW0:
    case EGRET_A_TICK_NOW1:
    case EGRET_A_WRITES_IGNORED:
    case EGRET_A_EVENTS_IGNORED:
    case EGRET_A_DROPS_SCHEME:
    case EGRET_A_DROPS_INDEX:
    case EGRET_A_FAULTS:
    case EGRET_A_FAULT_TABLES:
        return read_only;
    default:
        if (addr < EGRET_A_LOAD_THRESHOLD(1) || addr > EGRET_A_LOAD_THRESHOLD(EGRET_NUM_BANDS - 1))
            return no_address;
        return egret_cfg_has_load(cfg) ? NULL : "SCHEMES";
    }
}

static const char *forbids_group(const struct egret_cfg *cfg, uint32_t offset)
{
    if (offset >> 3 >= cfg->num_groups)
        return "NUM_GROUPS";
    if ((offset & 7u) == 0)
        return NULL;
    return (offset & 7u) <= 6 ? read_only : no_address;
}

static const char *forbids_schedule(const struct egret_cfg *cfg, uint32_t offset, uint32_t data)
{
    if (offset >> 16 > 1)
        return no_address;
    if ((offset >> 8 & 0xffu) >= cfg->num_rows)
        return "NUM_ROWS";
    if ((offset & 0xffu) >= cfg->row_len)
        return "ROW_LEN";
    return data < cfg->num_ports ? NULL : "NUM_PORTS";
}

static const char *forbids_pointer(const struct egret_cfg *cfg, uint32_t offset)
{
    if (offset >= 0x80000u)
        return offset - 0x80000u < cfg->num_groups ? NULL : "NUM_GROUPS";
    if (offset >> 4 >= cfg->num_keys)
        return "NUM_KEYS";
    return (offset & 15u) < cfg->num_bins ? NULL : "NUM_BINS";
}

static const char *forbids_port_load(const struct egret_cfg *cfg, uint32_t offset)
{
    if ((offset & 3u) == 3)
        return no_address;
    if (!egret_cfg_has_load(cfg))
        return "SCHEMES";
    if (offset >> 2 >= cfg->num_ports)
        return "NUM_PORTS";
    return (offset & 3u) == 2 ? read_only : NULL;
}

static const char *forbids_memory(const struct egret_cfg *cfg, uint32_t offset, uint32_t data)
{
    if (!egret_cfg_has_load(cfg))
        return "SCHEMES";
    if (offset >= cfg->num_groups)
        return "NUM_GROUPS";
    return (data & 0xffu) < cfg->num_ports ? NULL : "NUM_PORTS";
}

static const char *forbids_flowlet_counter(const struct egret_cfg *cfg, uint32_t offset)
{
    if (!egret_cfg_has_flowlet(cfg))
        return "NUM_FLOWLETS";
    if (offset >> 3 >= cfg->num_groups)
        return "NUM_GROUPS";
    return (offset & 7u) <= 4 ? read_only : no_address;
}

/* Null if nothing forbids the write. */
static const char *forbids(const struct egret_cfg *cfg, uint32_t addr, uint32_t data)
{
    uint32_t offset = addr & 0xfffffu;

    switch (addr >> 20) {
    case 0x0:
        return forbids_global(cfg, addr, data);
    case 0x1:
        return forbids_group(cfg, offset);
    case 0x2:
        if (offset >= cfg->num_buckets)
            return "NUM_BUCKETS";
        return data < cfg->num_ports ? NULL : "NUM_PORTS";
    case 0x3:
        return forbids_schedule(cfg, offset, data);
    case 0x4:
        return forbids_pointer(cfg, offset);
    case 0x5:
        return offset < cfg->num_ports ? read_only : "NUM_PORTS";
    case 0x6:
        return offset >> 2 < cfg->num_ports ? read_only : "NUM_PORTS";
    case 0x7:
        return offset >> 1 < cfg->num_groups ? read_only : "NUM_GROUPS";
    case 0x8:
        if (offset >> 4 >= EGRET_HASH_NIBBLES)
            return no_address;
        return cfg->hash_kind == EGRET_HASH_KIND_MATRIX ? NULL : "HASH_KIND";
    case 0x9:
        return forbids_port_load(cfg, offset);
    case 0xa:
        return forbids_memory(cfg, offset, data);
    case 0xb:
        return forbids_flowlet_counter(cfg, offset);
    case 0xc:
        if (offset >> 1 >= cfg->num_flowlets)
            return "NUM_FLOWLETS";
        if (offset & 1u)
            return read_only;
        return (data & 0xffu) < cfg->num_ports ? NULL : "NUM_PORTS";
    case 0xf:
        return NULL;
    default:
        return no_address;
    }
}

static int refuse(const char *what, const char **param)
{
    if (what == NULL)
        return EGRET_OK;
    if (param != NULL)
        *param = what;
    return EGRET_ERR_RANGE;
}

int egret_ctl_check_write(const struct egret_cfg *cfg, uint32_t addr, uint32_t data,
                          const char **param)
{
    if (cfg == NULL)
        return EGRET_ERR_NULL;
    return refuse(forbids(cfg, addr & 0xffffffu, data), param);
}

int egret_ctl_check_fault(const struct egret_cfg *cfg, uint32_t addr, uint32_t data,
                          const char **param)
{
    const char *what;
    if (cfg == NULL)
        return EGRET_ERR_NULL;
    what = cfg->parity == 0 ? "PARITY" : forbids(cfg, addr & 0xffffffu, data);
    return refuse(what == read_only && egret_is_counter(addr) ? NULL : what, param);
}

static bool low_ones(uint32_t mask, uint32_t limit)
{
    return mask < limit && (mask & (mask + 1)) == 0;
}

static bool flowlet_in_range(const struct egret_cfg *cfg, const struct egret_group *g)
{
    if (!egret_cfg_has_flowlet(cfg))
        return g->flowlet_base == 0 && g->flowlet_mask == 0 && g->idle == 0;
    return g->flowlet_base < cfg->num_flowlets && low_ones(g->flowlet_mask, cfg->num_flowlets) &&
           g->idle <= EGRET_IDLE_MAX;
}

static bool quality_in_range(const struct egret_cfg *cfg, const struct egret_group *g)
{
    bool has_load = egret_cfg_has_load(cfg);
    uint32_t flowlet = has_load && egret_cfg_has_flowlet(cfg) ? 1 : 0;
    return g->by_quality <= flowlet && g->strictly_better <= flowlet &&
           g->drill_samples <= (has_load ? 2u : 0u) && g->drill_memory <= (has_load ? 1u : 0u);
}

static bool group_in_range(const struct egret_cfg *cfg, uint32_t group, const struct egret_group *g)
{
    bool has_entropy = egret_cfg_has(cfg, EGRET_SCHEME_ENTROPY);
    return flowlet_in_range(cfg, g) && quality_in_range(cfg, g) && group < cfg->num_groups &&
           g->scheme <= 15 && g->ordered <= 15 && g->bank <= 1 &&
           g->wraps <= 15 && g->entropy_offset <= (has_entropy ? 31u : 0u) &&
           g->last < cfg->row_len && g->row_base < cfg->num_rows &&
           low_ones(g->row_mask, cfg->num_rows) && g->bucket_base < cfg->num_buckets &&
           low_ones(g->bucket_mask, cfg->num_buckets) &&
           (cfg->num_ports == EGRET_MAX_PORTS || g->members >> cfg->num_ports == 0);
}

int egret_ctl_group(const struct egret_cfg *cfg, uint32_t group, const struct egret_group *g,
                    egret_emit_fn emit, void *ctx)
{
    if (cfg == NULL || g == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (!group_in_range(cfg, group, g))
        return EGRET_ERR_RANGE;

    const struct egret_write writes[7] = {
        {EGRET_A_GROUP_STAGE1, g->row_mask << 16 | g->row_base},
        {EGRET_A_GROUP_STAGE2, g->bucket_mask << 16 | g->bucket_base},
        {EGRET_A_GROUP_STAGE3, (uint32_t)g->members},
        {EGRET_A_GROUP_STAGE4, (uint32_t)(g->members >> 32)},
        {EGRET_A_GROUP_STAGE5, g->flowlet_mask << 16 | g->flowlet_base},
        {EGRET_A_GROUP_STAGE6, g->drill_memory << 28 | g->drill_samples << 26 |
                                   g->strictly_better << 25 | g->by_quality << 24 | g->idle},
        {EGRET_A_GROUP(group, 0), g->entropy_offset << 24 | g->last << 16 | g->ordered << 12 |
                                      g->wraps << 8 | g->bank << 4 | g->scheme},
    };
    int err = EGRET_OK;
    for (unsigned i = 0; i < 7 && err == EGRET_OK; i++)
        if (egret_cfg_is_deep(cfg) || (i != 4 && i != 5))
            err = emit(ctx, writes[i].addr, writes[i].data);
    return err;
}

int egret_ctl_draw_seed(const struct egret_cfg *cfg, uint32_t seed, egret_emit_fn emit, void *ctx)
{
    if (cfg == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    return emit(ctx, EGRET_A_DRAW_SEED, seed);
}

int egret_ctl_class_ordered(const struct egret_cfg *cfg, uint32_t classes, egret_emit_fn emit,
                            void *ctx)
{
    if (cfg == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (classes > 0xffff)
        return EGRET_ERR_RANGE;
    return emit(ctx, EGRET_A_CLASS_ORDERED, classes);
}

int egret_ctl_random_seed(const struct egret_cfg *cfg, uint32_t seed, egret_emit_fn emit,
                          void *ctx)
{
    if (cfg == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (!egret_cfg_has_random(cfg))
        return EGRET_ERR_RANGE;
    return emit(ctx, EGRET_A_RANDOM, seed);
}

int egret_ctl_pointer(const struct egret_cfg *cfg, uint32_t which, uint32_t key, uint32_t bin,
                      uint32_t epoch, uint32_t wraps, uint32_t offset, egret_emit_fn emit,
                      void *ctx)
{
    uint32_t addr;

    if (cfg == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (epoch > 0xfff || wraps > 0xfff || offset >= cfg->row_len)
        return EGRET_ERR_RANGE;
    if (which == EGRET_SCHEME_DR && key < cfg->num_keys && bin < cfg->num_bins)
        addr = EGRET_A_POINTER_DR(key, bin);
    else if (which == EGRET_SCHEME_SPRAY_RR && key < cfg->num_groups)
        addr = EGRET_A_POINTER_RR(key);
    else
        return EGRET_ERR_RANGE;
    return emit(ctx, addr, epoch << 20 | wraps << 8 | offset);
}
