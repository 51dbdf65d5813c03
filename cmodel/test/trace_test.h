/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_test.h: counts checks; trace_result() prints the line that scripts/run_tests wants.
 */
#ifndef EGRET_TRACE_TEST_H
#define EGRET_TRACE_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/trace.h"

struct trace_test {
    unsigned long pass;
    unsigned long fail;
};

static inline int trace_check(struct trace_test *t, int good, const char *what, const char *file,
                              int line)
{
    t->pass += good != 0;
    t->fail += good == 0;
    if (!good && t->fail <= 20) {
        printf("%s:%d: %s\n", file, line, what);
    }
    return good;
}
#define CHECK(t, condition) trace_check((t), (condition) != 0, #condition, __FILE__, __LINE__)

static inline int trace_result(const struct trace_test *t)
{
    printf("RESULT pass=%lu fail=%lu\n", t->pass, t->fail);
    return t->fail != 0 || t->pass == 0;
}

/* A scratch file name in the folder of the build. */
static inline const char *trace_scratch(char *out, size_t size, const char *name)
{
    const char *dir = getenv("EGRET_SCRATCH");
    (void)snprintf(out, size, "%s/%s", dir ? dir : "build/test", name);
    return out;
}

#endif
