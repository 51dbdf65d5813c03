/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_broken.h: a read error instead of the end of a file; link with --wrap=ferror.
 */
#ifndef EGRET_TRACE_BROKEN_H
#define EGRET_TRACE_BROKEN_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

static bool broken;
int __real_ferror(FILE *file);
int __wrap_ferror(FILE *file);
int __wrap_ferror(FILE *file)
{
    if (broken && feof(file)) {
        errno = EIO;
        return 1;
    }
    return __real_ferror(file);
}

#endif
