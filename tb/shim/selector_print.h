/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_print.h: where the Verilated RTL of a selector prints. scripts/build_bench includes this
 * file ahead of everything and makes egret_rtl_print() Verilator's VL_PRINTF, so that the text of
 * an assertion that fails becomes the selector's description of its error, and neither the RTL nor
 * Verilator writes to the standard output of the command that loaded the selector.
 * Defined in selector_rtl.cpp; C++ only.
 */
#ifndef EGRET_SELECTOR_PRINT_H
#define EGRET_SELECTOR_PRINT_H

int egret_rtl_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
