/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_rtl.h: the Verilated RTL as a table of functions, under a name of its own, so that both
 * rtl_CONFIG.so (selector_rtl_entry.c) and check_CONFIG.so (selector_check.c) can export theirs.
 */
#ifndef EGRET_SELECTOR_RTL_H
#define EGRET_SELECTOR_RTL_H

#include "egret/selector.h"

#ifdef __cplusplus
extern "C" {
#endif

const struct egret_selector_ops *egret_selector_rtl(void);

#ifdef __cplusplus
}
#endif
#endif
