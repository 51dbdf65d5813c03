/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control_flowlet.c: slices of the flowlet table, idle times, entries (docs/spec/flowlet.md).
 */
#include "egret/control.h"
#include "parts.h"

static const char *slice_exceeds(const struct egret_cfg *cfg, uint32_t base, uint32_t entries)
{
    if (base >= cfg->num_flowlets)
        return "base";
    if (entries == 0 || entries > cfg->num_flowlets - base)
        return "entries";
    return NULL;
}

int egret_ctl_flowlet(const struct egret_cfg *cfg, struct egret_group *g, uint32_t base,
                      uint32_t entries, uint64_t idle_ns, const char **param)
{
    const char *bad;

    if (cfg == NULL || g == NULL)
        return EGRET_ERR_NULL;
    if (!egret_cfg_has_flowlet(cfg))
        bad = "SCHEMES";
    else
        bad = slice_exceeds(cfg, base, entries);
    if (bad == NULL && (entries & (entries - 1)) != 0)
        bad = "entries";
    if (bad == NULL && idle_ns > EGRET_IDLE_MAX_NS && idle_ns != EGRET_IDLE_NEVER)
        bad = "idle";
    if (bad != NULL) {
        if (param != NULL)
            *param = bad;
        return EGRET_ERR_RANGE;
    }
    g->flowlet_base = base;
    g->flowlet_mask = entries - 1;
    g->idle = idle_ns == EGRET_IDLE_NEVER ? EGRET_IDLE_MAX : (uint32_t)((idle_ns + 15) / 16);
    return EGRET_OK;
}

int egret_ctl_flowlet_entry(const struct egret_cfg *cfg, uint32_t index, uint32_t tag,
                            uint32_t port, uint32_t last, egret_emit_fn emit, void *ctx)
{
    int err;

    if (cfg == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (index >= cfg->num_flowlets || tag > 0xfff || port >= cfg->num_ports || last > 0xffffff)
        return EGRET_ERR_RANGE;
    err = emit(ctx, EGRET_A_FLOWLET_LAST, last);
    return err != EGRET_OK ? err
                           : emit(ctx, EGRET_A_FLOWLET(index, 0), 0x80000000u | tag << 16 | port);
}

int egret_ctl_flowlet_clear(const struct egret_cfg *cfg, uint32_t base, uint32_t entries,
                            egret_emit_fn emit, void *ctx)
{
    int err = EGRET_OK;

    if (cfg == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (slice_exceeds(cfg, base, entries) != NULL)
        return EGRET_ERR_RANGE;
    for (uint32_t i = 0; i < entries && err == EGRET_OK; i++)
        err = emit(ctx, EGRET_A_FLOWLET(base + i, 0), 0);
    return err;
}
