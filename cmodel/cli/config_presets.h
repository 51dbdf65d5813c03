/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config_presets.h: published settings, by the names of --load and --flowlet.
 */
#ifndef EGRET_CLI_CONFIG_PRESETS_H
#define EGRET_CLI_CONFIG_PRESETS_H

/* Lists them, or prints one as YAML with the names that SAI and NX-OS have; returns the exit code.
 */
int cli_presets(const char *name);

#endif
