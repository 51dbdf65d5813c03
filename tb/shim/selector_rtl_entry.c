/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_rtl_entry.c: what rtl_CONFIG.so exports.
 */
#include "selector_rtl.h"

const struct egret_selector_ops *egret_selector(void)
{
    return egret_selector_rtl();
}
