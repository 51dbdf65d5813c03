/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control_hash.c: a hash setup as configuration writes (docs/spec/hash.md).
 *
 * HASH_KIND fixed and lookup3 have registers for algorithm, fields, seed and rotation. HASH_KIND
 * matrix has none of that: everything is folded into the matrix and into the constant that goes to
 * HASH_SEED.
 */
#include "egret/control.h"

static int refuse(const char *what, const char **param)
{
    if (param != NULL)
        *param = what;
    return EGRET_ERR_RANGE;
}

static int check(const struct egret_cfg *cfg, const struct egret_hash_setup *setup,
                 const char **param)
{
    int err = egret_hash_setup_check(setup, param);
    bool lookup3;

    if (err != EGRET_OK)
        return err;
    lookup3 = setup->algorithm == EGRET_HASH_LOOKUP3;
    switch (cfg->hash_kind) {
    case EGRET_HASH_KIND_MATRIX:
        return lookup3 ? refuse("algorithm", param) : EGRET_OK;
    case EGRET_HASH_KIND_LOOKUP3:
        if (!lookup3)
            return refuse("algorithm", param);
        break;
    default:
        if (setup->algorithm != EGRET_HASH_CRC16 && setup->algorithm != EGRET_HASH_CRC32C)
            return refuse("algorithm", param);
        break;
    }
    return setup->layout == EGRET_LAYOUT_RECORD ? EGRET_OK : refuse("layout", param);
}

static int emit_registers(const struct egret_hash_setup *setup, egret_emit_fn emit, void *ctx)
{
    const struct egret_write writes[4] = {
        {EGRET_A_HASH_ALGORITHM, setup->algorithm},
        {EGRET_A_HASH_FIELDS, setup->fields},
        {EGRET_A_HASH_SEED, setup->seed},
        {EGRET_A_HASH_ROTATION, setup->rotation},
    };
    int err = EGRET_OK;
    for (unsigned i = 0; i < 4 && err == EGRET_OK; i++)
        err = emit(ctx, writes[i].addr, writes[i].data);
    return err;
}

int egret_ctl_hash(const struct egret_cfg *cfg, const struct egret_hash_setup *setup,
                   egret_emit_fn emit, void *ctx, const char **param)
{
    uint32_t matrix[EGRET_HASH_NIBBLES][16];
    uint32_t constant;
    int err;

    if (cfg == NULL || setup == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    err = check(cfg, setup, param);
    if (err != EGRET_OK)
        return err;
    if (cfg->hash_kind != EGRET_HASH_KIND_MATRIX)
        return emit_registers(setup, emit, ctx);

    err = egret_hash_matrix_build(setup, matrix, &constant);
    for (uint32_t n = 0; n < EGRET_HASH_NIBBLES; n++) {
        for (uint32_t v = 0; v < 16 && err == EGRET_OK; v++)
            err = emit(ctx, EGRET_A_MATRIX(n, v), matrix[n][v]);
    }
    return err == EGRET_OK ? emit(ctx, EGRET_A_HASH_SEED, constant) : err;
}

int egret_ctl_hash_seed(const struct egret_cfg *cfg, const struct egret_hash_setup *setup,
                        egret_emit_fn emit, void *ctx, const char **param)
{
    static const uint8_t zero[EGRET_RECORD_BYTES] = {0};
    uint32_t data;
    int err;

    if (cfg == NULL || setup == NULL || emit == NULL)
        return EGRET_ERR_NULL;
    err = check(cfg, setup, param);
    if (err != EGRET_OK)
        return err;
    data = setup->seed;
    if (cfg->hash_kind == EGRET_HASH_KIND_MATRIX)
        (void)egret_hash_record(setup, zero, &data);
    return emit(ctx, EGRET_A_HASH_SEED, data);
}
