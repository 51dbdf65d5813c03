/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_threads.h: threads that cannot be had behind a number of them; link with
 * --wrap=pthread_create.
 */
#ifndef EGRET_TRACE_THREADS_H
#define EGRET_TRACE_THREADS_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>

static unsigned threads_left = UINT32_MAX;
int __real_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*f)(void *), void *arg);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*f)(void *), void *arg);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*f)(void *), void *arg)
{
    if (threads_left == 0) {
        return EAGAIN;
    }
    threads_left--;
    return __real_pthread_create(id, attr, f, arg);
}

#endif
