/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.h: egret hash --identify, apart from the command's other uses.
 */
#ifndef EGRET_CLI_IDENTIFY_H
#define EGRET_CLI_IDENTIFY_H

#include "cli.h"

/* Options as given; null or 0: not. */
struct cli_identify {
    const char *path;
    const char *layout;
    const char *fields;
    const char *members;
    uint32_t threads;
    bool quick;
};

struct identify_progress {
    bool on;
    uint64_t shown; /* percent */
};

/* Returns the exit code: 0 identified, 1 none or ambiguous, 2 input. */
int cli_identify(const struct cli_identify *c);

#endif
