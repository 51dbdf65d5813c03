/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config.c: a configuration by its name in configs.mk, or from a user's file of KEY=VALUE.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

struct key {
    const char *name;
    size_t offset;
};

static const struct key keys[] = {
    {"NUM_PORTS", offsetof(struct egret_cfg, num_ports)},
    {"NUM_GROUPS", offsetof(struct egret_cfg, num_groups)},
    {"NUM_KEYS", offsetof(struct egret_cfg, num_keys)},
    {"NUM_BINS", offsetof(struct egret_cfg, num_bins)},
    {"NUM_ROWS", offsetof(struct egret_cfg, num_rows)},
    {"ROW_LEN", offsetof(struct egret_cfg, row_len)},
    {"NUM_BUCKETS", offsetof(struct egret_cfg, num_buckets)},
    {"HASH_KIND", offsetof(struct egret_cfg, hash_kind)},
    {"RSP_DEPTH", offsetof(struct egret_cfg, rsp_depth)},
    {"SCHEMES", offsetof(struct egret_cfg, schemes)},
    {"NUM_FLOWLETS", offsetof(struct egret_cfg, num_flowlets)},
    {"PARITY", offsetof(struct egret_cfg, parity)}, /* the last: 0 if not given */
};
#define NUM_PARAMETERS (sizeof keys / sizeof keys[0])
#define NUM_REQUIRED (NUM_PARAMETERS - 1)

static uint32_t *member(struct egret_cfg *cfg, size_t key)
{
    return (uint32_t *)(void *)((unsigned char *)cfg + keys[key].offset);
}

/* A parameter of the RTL alone, which no decision depends on: 0 or 1, and not kept. */
#define RTL_ONLY "BLOCK_RAM"

/* One KEY=VALUE. `seen` has a bit for each key, and one more for RTL_ONLY. */
static int set_key(struct egret_cfg *cfg, char *word, const char *path, unsigned line,
                   unsigned *seen)
{
    char *equals = strchr(word, '=');
    uint64_t value;
    if (!equals) {
        return cli_usage("%s:%u: '%s' is not KEY=VALUE", path, line, word);
    }
    *equals = '\0';
    for (size_t k = 0; k <= NUM_PARAMETERS; k++) {
        bool rtl_only = k == NUM_PARAMETERS;
        if (strcmp(word, rtl_only ? RTL_ONLY : keys[k].name) != 0) {
            continue;
        }
        if (*seen & 1u << k) {
            return cli_usage("%s:%u: %s is given twice", path, line, word);
        }
        if (equals[1] == '0' && equals[2] != '\0') { /* Verilog tools would take it as octal */
            return cli_usage("%s:%u: %s: '%s' has a leading zero", path, line, word, equals + 1);
        }
        if (!cli_parse_u64(equals + 1, UINT32_MAX, &value)) {
            return cli_usage("%s:%u: %s: '%s' is no number", path, line, word, equals + 1);
        }
        *seen |= 1u << k;
        if (rtl_only) {
            return value <= 1u ? -1 : cli_usage("%s:%u: %s is 0 or 1", path, line, word);
        }
        *member(cfg, k) = (uint32_t)value;
        return -1;
    }
    return cli_usage("%s:%u: unknown parameter %s", path, line, word);
}

static int read_file(FILE *f, const char *path, struct egret_cfg *cfg)
{
    char text[1024];
    unsigned seen = 0;
    for (unsigned line = 1; fgets(text, sizeof text, f); line++) {
        if (!strchr(text, '\n') && !feof(f)) {
            return cli_usage("%s:%u: line too long", path, line);
        }
        text[strcspn(text, "#")] = '\0';
        for (char *w = strtok(text, " \t\r\n"); w; w = strtok(NULL, " \t\r\n")) {
            int code = set_key(cfg, w, path, line, &seen);
            if (code >= 0) {
                return code;
            }
        }
    }
    if (ferror(f)) {
        return cli_usage("%s: %s", path, strerror(errno));
    }
    for (size_t k = 0; k < NUM_REQUIRED; k++) {
        if (!(seen & 1u << k)) {
            return cli_usage("%s: %s is missing", path, keys[k].name);
        }
    }
    return -1;
}

/* File name without folder and extension. */
static void name_after(const char *path, char name[32])
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    n = n > 31u ? 31u : n;
    memcpy(name, base, n);
    name[n] = '\0';
}

int cli_config(const char *text, struct egret_cfg *out)
{
    struct egret_cfg cfg;
    const char *param = NULL;
    if (!text) {
        return cli_usage("--config is missing: a name (see egret config list) or a file");
    }
    memset(&cfg, 0, sizeof cfg);
    if (egret_cfg_named(text, out) == EGRET_OK) {
        return -1;
    }
    FILE *f = fopen(text, "r");
    if (!f) {
        return errno == ENOENT
                   ? cli_usage("%s: neither a configuration (see egret config list) nor a file",
                               text)
                   : cli_usage("%s: %s", text, strerror(errno));
    }
    int code = read_file(f, text, &cfg);
    (void)fclose(f);
    if (code >= 0) {
        return code;
    }
    name_after(text, cfg.name);
    if (egret_cfg_check(&cfg, &param) != EGRET_OK) {
        return cli_usage("%s: %s is out of its range (see configs.mk)", text,
                         param ? param : "a parameter");
    }
    *out = cfg;
    return -1;
}

void cli_config_write(struct egret_outfile *out, const struct egret_cfg *cfg)
{
    struct egret_cfg copy = *cfg;
    for (size_t k = 0; k < NUM_PARAMETERS; k++) {
        egret_outfile_printf(out, "%s=%u\n", keys[k].name, *member(&copy, k));
    }
}

void cli_config_show(const struct egret_cfg *cfg)
{
    struct egret_cfg copy = *cfg;
    for (size_t k = 0; k < NUM_PARAMETERS; k++) {
        printf("%s=%u\n", keys[k].name, *member(&copy, k));
    }
}
