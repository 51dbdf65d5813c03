/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.c: one line of text for the user, carried in the caller's memory.
 */
#include <stdarg.h>
#include <stdio.h>

#include "egret/trace.h"

int egret_trace_fail(struct egret_trace_error *err, int code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        /* Names in files may hold anything: an error is one line all the same. */
        for (char *c = err->text; *c; c++) {
            if ((unsigned char)*c < 0x20u || *c == 0x7f) {
                *c = '?';
            }
        }
    }
    return code;
}
