/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config_file.h: --config-file of trace make and trace import: options that the command line leaves
 * open, from a file of settings (docs/config.md).
 */
#ifndef EGRET_CLI_CONFIG_FILE_H
#define EGRET_CLI_CONFIG_FILE_H

#include "egret/settings.h"
#include "egret/trace_make.h"

/* What the file says; all zero without one. Texts of options point into it. */
struct cli_setup {
    bool read;
    struct egret_settings s;
    struct egret_classmap map; /* stays when the settings are closed */
    char flowlet_idle[24];
    char drill[4];
    char key[2 * EGRET_HASH_KEY_MAX_BYTES + 1];
    char fields[160];
    bool load; /* loads are the file's, and no preset */
};

/* Where the options are. A text that is null, and a number at UINT64_MAX, is not given. */
struct cli_setup_options {
    const char **config, **scheme, **ordered_scheme, **flowlet, **flowlet_idle, **flowlet_path;
    const char **hash, **fields, **layout, **key, **load, **drill;
    uint64_t *ordered_below; /* 0: not given */
    uint64_t *flowlet_entries, *small, *period, *buffer;
    uint32_t *seed, *hash_seed, *rotation;
};

/* Reads the file, if path is not null, and sets what argv does not. Group 0, or the first one, is
 * the uplinks'. Returns -1 to go on, else the exit code. */
int cli_setup_take(const char *path, int argc, char **argv, struct cli_setup *f,
                   const struct cli_setup_options *o);
/* The class map, once all else is known. */
void cli_setup_classes(struct cli_setup *f, struct egret_make *m);
void cli_setup_close(struct cli_setup *f);

#endif
