/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control_load.c: the control side of port loads (docs/spec/load.md): scales from speeds, periods
 * and buffers, thresholds from percentages and rates, and the presets.
 */
#include <string.h>

#include "egret/control.h"
#include "parts.h"

#define PERCENT 100u
#define MEGA 1000000ull
#define GIGA 1000000000ull

static int refuse(const char **param, const char *what)
{
    if (param != NULL)
        *param = what;
    return EGRET_ERR_RANGE;
}

/* ---- scales ---- */

/* The scale that makes `full` bytes 16384, as a word of a port's load. */
static uint32_t scale_word(uint32_t full)
{
    uint32_t shift = 0;
    while (full >> shift > 0xffffu)
        shift++;
    uint32_t top = full >> shift;
    uint32_t scale = (EGRET_LOAD_FULL * 65536u + top / 2) / top;
    return shift << 16 | (scale < 0xffffu ? scale : 0xffffu);
}

int egret_load_full_bytes(uint64_t bits_per_second, uint32_t period_ns, uint32_t exponent,
                          uint32_t *bytes, const char **param)
{
    uint64_t bits, rest;

    if (bytes == NULL)
        return EGRET_ERR_NULL;
    if (bits_per_second < 1 || bits_per_second > EGRET_LOAD_MAX_SPEED)
        return refuse(param, "speed");
    if (period_ns < 1 || period_ns > EGRET_LOAD_MAX_PERIOD)
        return refuse(param, "period");
    if (exponent > EGRET_LOAD_MAX_EXPONENT)
        return refuse(param, "exponent");
    /* speed * period * 2^exponent / (8 * 10^9), rounded down; in two parts, as the product may have
     * more than 64 bits */
    rest = bits_per_second % GIGA * period_ns;
    bits = (bits_per_second / GIGA * period_ns + rest / GIGA) << exponent;
    bits += (rest % GIGA << exponent) / GIGA;
    if (bits / 8 < 1)
        return refuse(param, "period");
    if (bits / 8 > 0xffffffffu)
        return refuse(param, "exponent");
    *bytes = (uint32_t)(bits / 8);
    return EGRET_OK;
}

int egret_ctl_port_load(const struct egret_cfg *cfg, uint32_t port, uint64_t bits_per_second,
                        uint64_t buffer_bytes, const struct egret_load *load, egret_emit_fn emit,
                        void *ctx, const char **param)
{
    uint32_t full = 0;
    int err;

    if (cfg == NULL || load == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (!egret_cfg_has_load(cfg))
        return refuse(param, "SCHEMES");
    if (port >= cfg->num_ports)
        return refuse(param, "port");
    err = egret_load_full_bytes(bits_per_second, load->period_ns, load->exponent, &full, param);
    if (err != EGRET_OK)
        return err;
    if (buffer_bytes > 0xffffffffu || (buffer_bytes == 0 && load->weight_future != 0))
        return refuse(param, "buffer");
    err = emit(ctx, EGRET_A_PORT_LOAD(port, 0), scale_word(full));
    if (err == EGRET_OK)
        err = emit(ctx, EGRET_A_PORT_LOAD(port, 1),
                   buffer_bytes != 0 ? scale_word((uint32_t)buffer_bytes) : 0);
    return err;
}

/* ---- the registers ---- */

int egret_ctl_load(const struct egret_cfg *cfg, const struct egret_load *load, egret_emit_fn emit,
                   void *ctx, const char **param)
{
    int err;

    if (cfg == NULL || load == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (!egret_cfg_has_load(cfg))
        return refuse(param, "SCHEMES");
    if (load->exponent > EGRET_LOAD_MAX_EXPONENT)
        return refuse(param, "exponent");
    if (load->weight_past > EGRET_LOAD_MAX_WEIGHT || load->weight_future > EGRET_LOAD_MAX_WEIGHT)
        return refuse(param, "weight");
    if (load->small > 0xffffu)
        return refuse(param, "small");
    for (unsigned i = 0; i < EGRET_NUM_BANDS - 1; i++)
        if (load->threshold[i] > 0xffffu)
            return refuse(param, "threshold");
    err = emit(ctx, EGRET_A_LOAD_EXPONENT, load->exponent);
    if (err == EGRET_OK)
        err = emit(ctx, EGRET_A_LOAD_WEIGHTS, load->weight_future << 16 | load->weight_past);
    if (err == EGRET_OK)
        err = emit(ctx, EGRET_A_QUALITY_SMALL, load->small);
    for (unsigned i = 0; i < EGRET_NUM_BANDS - 1 && err == EGRET_OK; i++)
        err = emit(ctx, EGRET_A_LOAD_THRESHOLD(i + 1), load->threshold[i]);
    return err;
}

int egret_ctl_drill_memory(const struct egret_cfg *cfg, uint32_t group, uint32_t valid,
                           uint32_t port, egret_emit_fn emit, void *ctx)
{
    if (cfg == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    if (!egret_cfg_has_load(cfg) || group >= cfg->num_groups || valid > 1 ||
        port >= cfg->num_ports)
        return EGRET_ERR_RANGE;
    return emit(ctx, EGRET_A_DRILL_MEMORY(group), valid << 31 | port);
}

int egret_load_weights(struct egret_load *load, uint32_t past, uint32_t future)
{
    uint64_t sum = (uint64_t)past + future;

    if (load == NULL)
        return EGRET_ERR_NULL;
    if (sum == 0)
        return EGRET_ERR_RANGE;
    load->weight_past = (uint32_t)((256u * (uint64_t)past + sum / 2) / sum);
    load->weight_future = 256u - load->weight_past;
    return EGRET_OK;
}

/* numerator / denominator of full scale, rounded up: a metric is at or above it exactly if the
 * share is. */
static uint32_t threshold_of(uint64_t numerator, uint64_t denominator)
{
    return (uint32_t)((EGRET_LOAD_FULL * numerator + denominator - 1) / denominator);
}

int egret_load_percent(struct egret_load *load, const uint32_t *percent, size_t n, bool steps)
{
    uint32_t threshold[EGRET_NUM_BANDS - 1];
    uint32_t level = 0;

    if (load == NULL || (percent == NULL && n > 0))
        return EGRET_ERR_NULL;
    if (n > EGRET_NUM_BANDS - 1)
        return EGRET_ERR_RANGE;
    for (size_t i = 0; i < EGRET_NUM_BANDS - 1; i++) {
        threshold[i] = EGRET_LOAD_NEVER;
        if (i >= n)
            continue;
        if (percent[i] > PERCENT || (steps ? percent[i] > PERCENT - level : percent[i] < level))
            return EGRET_ERR_RANGE;
        level = steps ? level + percent[i] : percent[i];
        threshold[i] = threshold_of(level, PERCENT);
    }
    memcpy(load->threshold, threshold, sizeof threshold);
    return EGRET_OK;
}

int egret_load_mbps(struct egret_load *load, const uint32_t *mbps, size_t n,
                    uint64_t bits_per_second)
{
    uint32_t threshold[EGRET_NUM_BANDS - 1];
    uint64_t level = 0;

    if (load == NULL || (mbps == NULL && n > 0))
        return EGRET_ERR_NULL;
    if (n > EGRET_NUM_BANDS - 1 || bits_per_second < 1 || bits_per_second > EGRET_LOAD_MAX_SPEED)
        return EGRET_ERR_RANGE;
    for (size_t i = 0; i < EGRET_NUM_BANDS - 1; i++) {
        threshold[i] = EGRET_LOAD_NEVER;
        if (i >= n)
            continue;
        if (mbps[i] * MEGA < level || mbps[i] * MEGA > bits_per_second)
            return EGRET_ERR_RANGE;
        level = mbps[i] * MEGA;
        threshold[i] = threshold_of(level, bits_per_second);
    }
    memcpy(load->threshold, threshold, sizeof threshold);
    return EGRET_OK;
}

/* ---- presets ---- */

/* Published settings; docs/spec/load.md, section 6, says where each number is from. */
static const struct preset {
    const char *name;
    uint32_t period_ns;
    uint32_t exponent;
    uint32_t past; /* weights in the source's unit */
    uint32_t future;
    uint32_t small;
    uint32_t levels;
    bool steps;
    uint32_t tenths[EGRET_NUM_BANDS - 1]; /* of a percent */
} presets[] = {
    {"sai", 16000, 2, 16, 16, 0, 7, false, {125, 250, 375, 500, 625, 750, 875}},
    {"cisco-aci", 16000, 2, 1, 0, 0, 7, true, {50, 50, 100, 150, 150, 250, 250}},
    {"cisco-nxos", 16000, 2, 1, 0, 0, 7, true, {150, 200, 300, 150, 100, 50, 50}},
    {"conga", 20000, 3, 1, 0, 0, 7, false, {125, 250, 375, 500, 625, 750, 875}},
    {"htsim-ar", 100, 0, 0, 1, 100, 3, false, {50, 100, 200}},
};
#define NUM_PRESETS (sizeof presets / sizeof presets[0])

const char *egret_load_preset_name(size_t i)
{
    return i < NUM_PRESETS ? presets[i].name : NULL;
}

int egret_load_preset(const char *name, struct egret_load *out)
{
    const struct preset *p = presets;
    uint32_t level = 0;

    if (name == NULL || out == NULL)
        return EGRET_ERR_NULL;
    while (p < presets + NUM_PRESETS && strcmp(name, p->name) != 0)
        p++;
    if (p == presets + NUM_PRESETS)
        return EGRET_ERR_RANGE;
    out->period_ns = p->period_ns;
    out->exponent = p->exponent;
    out->small = p->small;
    for (uint32_t i = 0; i < EGRET_NUM_BANDS - 1; i++) {
        level = p->steps ? level + p->tenths[i] : p->tenths[i];
        out->threshold[i] = i < p->levels ? threshold_of(level, 10 * PERCENT) : EGRET_LOAD_NEVER;
    }
    return egret_load_weights(out, p->past, p->future);
}
