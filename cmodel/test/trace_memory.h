/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_memory.h: memory that runs out at a chosen call; link with --wrap of the three functions.
 */
#ifndef EGRET_TRACE_MEMORY_H
#define EGRET_TRACE_MEMORY_H

#include <stddef.h>

/* Call number fail_at from now gives null; 0: none does. */
static unsigned long fail_at;
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
static int memory_out(void)
{
    return fail_at && --fail_at == 0;
}
void *__wrap_malloc(size_t n)
{
    return memory_out() ? NULL : __real_malloc(n);
}
void *__wrap_calloc(size_t n, size_t size)
{
    return memory_out() ? NULL : __real_calloc(n, size);
}
void *__wrap_realloc(void *p, size_t n)
{
    return memory_out() ? NULL : __real_realloc(p, n);
}

#endif
