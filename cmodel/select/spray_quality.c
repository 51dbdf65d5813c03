/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spray_quality.c: scheme `spray-quality`, which the model knows by name only: egret_has() says
 * that it has no rule for it.
 */
#include "internal.h"

const struct egret_scheme_ops egret_scheme_spray_quality = {"spray-quality", NULL};
