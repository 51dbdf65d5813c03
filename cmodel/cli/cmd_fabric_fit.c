/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_fit.c: whether a configuration that was given has what the options ask for, said in
 * the words of the options.
 */
#include <stdio.h>
#include <string.h>

#include "cmd_fabric.h"

/* The scheme that runs in the selectors of a tier; jsq runs in none. */
static unsigned scheme_of(const struct egret_fabric_tier *t)
{
    return t->rule == EGRET_RULE_SIMPLE_RR ? (unsigned)EGRET_SCHEME_SPRAY_RR : t->scheme;
}

static int lacks(const struct egret_cfg *cfg, const char *option, unsigned scheme)
{
    char all[160] = "";
    for (unsigned i = 1; i <= EGRET_NUM_SCHEMES; i++) {
        size_t n = strlen(all);
        if (cfg->schemes >> i & 1u) {
            (void)snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : "", egret_scheme_name(i));
        }
    }
    return cli_usage("%s needs scheme %s, which configuration %s does not have: its SCHEMES are %s",
                     option, egret_scheme_name(scheme), cfg->name, all);
}

static int fit_scheme(const struct egret_fabric_tier *t)
{
    unsigned scheme = scheme_of(t);
    char option[64];
    (void)snprintf(option, sizeof option, "--scheme %s",
                   t->rule == EGRET_RULE_SIMPLE_RR ? "simple-rr" : egret_scheme_name(scheme));
    if (!(t->cfg.schemes >> scheme & 1u)) {
        return lacks(&t->cfg, option, scheme);
    }
    if (scheme == EGRET_SCHEME_FLOWLET && t->flowlet_path != EGRET_PATH_RANDOM &&
        !(t->cfg.schemes >> EGRET_SCHEME_SPRAY_QUALITY & 1u)) {
        return lacks(&t->cfg, "--flowlet-path by quality", EGRET_SCHEME_SPRAY_QUALITY);
    }
    return -1;
}

/* As egret_ctl_hash() has it (docs/spec/hash.md). */
static int fit_hash(const struct egret_fabric_tier *t)
{
    uint32_t a = t->hash.algorithm;
    uint32_t kind = t->cfg.hash_kind;
    const char *there = NULL;
    if (kind == EGRET_HASH_KIND_LOOKUP3) {
        there = a == EGRET_HASH_LOOKUP3 ? NULL : "lookup3 alone";
    } else if (kind == EGRET_HASH_KIND_MATRIX) {
        there = a == EGRET_HASH_LOOKUP3 ? "every hash but lookup3" : NULL;
    } else {
        there = a == EGRET_HASH_CRC16 || a == EGRET_HASH_CRC32C ? NULL : "crc16 and crc32c";
    }
    return there ? cli_usage("--hash %s: configuration %s has %s (HASH_KIND)",
                             egret_hash_algorithm_name(a), t->cfg.name, there)
                 : -1;
}

int fabric_fit(const struct fabric_job *job)
{
    const struct egret_fabric_spec *s = &job->spec;
    int code = -1;
    for (unsigned i = 0; code < 0 && i < s->topology.tiers; i++) {
        const struct egret_fabric_tier *t = &s->tier[i];
        bool up = i + 1u < s->topology.tiers;
        if (t->cfg.name[0] == '\0' || t->rule == EGRET_RULE_JSQ) {
            continue; /* one that is large enough; or no selector */
        }
        code = up ? fit_scheme(t) : -1;
        if (code < 0) {
            code = fit_hash(t);
        }
    }
    return code;
}
