/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.c: a count on standard error, only if that is a terminal.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>

#include "cli.h"

#define STEP 500000u

void cli_progress_start(struct cli_progress *p, const char *what)
{
    p->on = isatty(STDERR_FILENO) != 0;
    p->next = STEP;
    p->what = what;
}

void cli_progress_at(struct cli_progress *p, uint64_t n)
{
    if (p->on && n >= p->next) {
        (void)fprintf(stderr, "\r%s %llu.%u M events", p->what, (unsigned long long)(n / 1000000u),
                      (unsigned)(n / 100000u % 10u));
        p->next = n + STEP;
    }
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->on && p->next > STEP) {
        (void)fputs("\r\033[K", stderr);
    }
}
