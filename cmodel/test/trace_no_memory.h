/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_no_memory.h: lets every allocation of a call fail once. It says so with EGRET_ERR_MEMORY
 * and a text that ends in "out of memory", nothing leaks (sanitizers), and when no allocation fails
 * any more it is good. Link as trace_memory.h says.
 */
#ifndef EGRET_TRACE_NO_MEMORY_H
#define EGRET_TRACE_NO_MEMORY_H

#include "trace_memory.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* Runs `job` with each allocation failing in turn, and says how many there were. */
static inline unsigned long exhaust(const char *what, int (*job)(const void *ctx), const void *ctx)
{
    unsigned long n = 0;
    unsigned long before = t.fail;
    for (bool failed = true; failed && t.fail == before;) {
        error.text[0] = '\0';
        fail_at = ++n;
        int code = job(ctx);
        failed = fail_at == 0;
        fail_at = 0;
        size_t length = strlen(error.text);
        bool told = length == 0 ||
                    (length >= 13u && strcmp(error.text + length - 13u, "out of memory") == 0);
        if (!CHECK(&t, failed ? code == EGRET_ERR_MEMORY && told : code == EGRET_OK)) {
            printf("%s: allocation %lu: code %d, '%s'\n", what, n, code, error.text);
        }
    }
    CHECK(&t, n > 1u);
    return n;
}

#endif
