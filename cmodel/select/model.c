/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.c: an instance: creation, reset, destruction, and the model as a selector. Mirrors the
 * sweep after reset of rtl/egret_core.v: all tables zero, all ports up.
 */
#include <stdlib.h>
#include <string.h>

#include "egret/selector.h"
#include "internal.h"

/* Takes `bytes` from a block, rounded up to a cache line; with base null only adds them up. */
static void *carve(uint8_t *base, size_t *used, size_t bytes)
{
    void *p = base != NULL ? base + *used : NULL;
    *used += (bytes + 63) & ~(size_t)63;
    return p;
}

/* Lays the arrays out behind the structure; returns the size of the whole block. */
static size_t lay_out(const struct egret_cfg *cfg, struct egret *e)
{
    struct egret scratch;
    uint8_t *base = (uint8_t *)e;
    size_t used = 0;
    size_t start;
    uint32_t pointers = cfg->num_keys * cfg->num_bins + cfg->num_groups;

    if (e == NULL)
        e = &scratch;
    (void)carve(base, &used, sizeof *e);
    start = used;
    e->group = carve(base, &used, cfg->num_groups * sizeof *e->group);
    e->bucket = carve(base, &used, cfg->num_buckets);
    e->schedule = carve(base, &used, 2 * (size_t)cfg->num_rows * cfg->row_len);
    e->pointer = carve(base, &used, pointers * sizeof *e->pointer);
    e->matrix = carve(base, &used, EGRET_HASH_NIBBLES * sizeof *e->matrix);
    e->flowlet = carve(base, &used, cfg->num_flowlets * sizeof *e->flowlet);
    e->bad = carve(base, &used, egret_marks_bytes(cfg));
    e->clear_bytes = used - start;
    e->table = NULL;
    if (cfg->hash_kind != EGRET_HASH_KIND_LOOKUP3)
        e->table = carve(base, &used, EGRET_TABLE_ENTRIES * sizeof *e->table);
    return used;
}

int egret_create(const struct egret_cfg *cfg, struct egret **out)
{
    int err = egret_cfg_check(cfg, NULL);
    if (err != EGRET_OK)
        return err;
    if (out == NULL)
        return EGRET_ERR_NULL;

    struct egret *e = calloc(1, lay_out(cfg, NULL));
    if (e == NULL)
        return EGRET_ERR_MEMORY;
    e->cfg = *cfg;
    e->cfg.name[sizeof e->cfg.name - 1] = '\0';
    (void)lay_out(cfg, e);
    e->bucket_wrap = cfg->num_buckets - 1;
    e->row_wrap = cfg->num_rows - 1;
    e->flowlet_wrap = cfg->num_flowlets - 1;
    e->dr_pointers = cfg->num_keys * cfg->num_bins;
    e->port_mask = ~(uint64_t)0 >> (EGRET_MAX_PORTS - cfg->num_ports);
    (void)egret_reset(e);
    *out = e;
    return EGRET_OK;
}

void egret_destroy(struct egret *e)
{
    free(e);
}

int egret_reset(struct egret *e)
{
    static const uint32_t algorithm[] = {EGRET_HASH_CRC32C, EGRET_HASH_MATRIX, EGRET_HASH_LOOKUP3};

    if (e == NULL)
        return EGRET_ERR_NULL;
    memset(e->group, 0, e->clear_bytes);
    memset(&e->live, 0, sizeof *e - offsetof(struct egret, live));
    e->live = e->port_mask;
    egret_load_reset(e);
    e->draw_generation = 0x1000u;
    egret_random_set(e, EGRET_RANDOM_START);
    e->hash_algorithm = algorithm[e->cfg.hash_kind];
    e->hash_fields = EGRET_FIELDS_5TUPLE;
    e->mode = e->cfg.hash_kind == EGRET_HASH_KIND_LOOKUP3 ? EGRET_MODE_LOOKUP3 : EGRET_MODE_STALE;
    return EGRET_OK;
}

const struct egret_cfg *egret_config(const struct egret *e)
{
    return e != NULL ? &e->cfg : NULL;
}

static int model_create(const struct egret_cfg *cfg, void **self)
{
    struct egret *e;
    if (self == NULL)
        return EGRET_ERR_NULL;
    int err = egret_create(cfg, &e);
    if (err == EGRET_OK)
        *self = e;
    return err;
}

static void model_destroy(void *self)
{
    egret_destroy(self);
}

static int model_reset(void *self)
{
    return egret_reset(self);
}

static int model_apply(void *self, const struct egret_event *ev, struct egret_decision *out)
{
    return egret_apply(self, ev, out);
}

static int model_apply_burst(void *self, const struct egret_event *ev, size_t n,
                             struct egret_decision *out, size_t *done)
{
    return egret_apply_burst(self, ev, n, out, done);
}

const struct egret_selector_ops *egret_model_selector(void)
{
    static const struct egret_selector_ops ops = {
        .api_version = EGRET_SELECTOR_VERSION,
        .name = "model",
        .create = model_create,
        .destroy = model_destroy,
        .reset = model_reset,
        .apply = model_apply,
        .apply_burst = model_apply_burst,
    };
    return &ops;
}
