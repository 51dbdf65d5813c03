/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quality.c: scheme `spray-quality`, which the model knows by name only: egret_has() says that it
 * has no rule for it.
 */
#include "internal.h"

/* Without loads all bands are 0. */
uint64_t egret_least_band(const struct egret *e, uint64_t live)
{
    (void)e;
    return live;
}

const struct egret_scheme_ops egret_scheme_spray_quality = {"spray-quality", NULL};
