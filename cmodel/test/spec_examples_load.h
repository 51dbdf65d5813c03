/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec_examples_load.h: the lines `load` and `port_load` of the worked examples. For
 * spec_examples.c alone.
 */
#ifndef EGRET_SPEC_EXAMPLES_LOAD_H
#define EGRET_SPEC_EXAMPLES_LOAD_H

#include "spec_examples.h"

/* The settings of the example's last `load`. */
static struct egret_load load;

static uint32_t value_or(const struct words *w, const char *name, uint32_t otherwise)
{
    return named(w, name) != NULL ? value(w, name) : otherwise;
}

/* load PRESET [exponent= period= small= past= future= percent=A,B,... steps=1] */
static int load_line(const struct words *w, const char *wanted, const struct egret_cfg *cfg,
                     egret_emit_fn emit)
{
    const char *percent = named(w, "percent");
    uint32_t level[7];
    size_t n = 0;
    struct words want;
    char text[128] = "";
    int err = egret_load_preset(w->word[1], &load);

    load.exponent = value_or(w, "exponent", load.exponent);
    load.period_ns = value_or(w, "period", load.period_ns);
    load.small = value_or(w, "small", load.small);
    if (err == EGRET_OK && named(w, "past") != NULL)
        err = egret_load_weights(&load, value(w, "past"), value(w, "future"));
    while (percent != NULL && *percent != '\0' && n < 7) {
        char *end;
        level[n++] = (uint32_t)strtoul(percent, &end, 10);
        percent = *end == ',' ? end + 1 : end;
    }
    if (err == EGRET_OK && n > 0)
        err = egret_load_percent(&load, level, n, value(w, "steps") != 0);
    if (err == EGRET_OK)
        err = egret_ctl_load(cfg, &load, emit, NULL, NULL);
    for (unsigned i = 0; i < 7; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i == 0 ? "%u" : ",%u",
                 load.threshold[i]);
    split(&want, wanted);
    for (unsigned i = 0; i < want.count; i++) {
        const char *word = want.word[i];
        if (strncmp(word, "exponent=", 9) == 0)
            compare_number(word, "exponent", load.exponent);
        else if (strncmp(word, "weights=", 8) == 0)
            compare_number(word, "weights", load.weight_future << 16 | load.weight_past);
        else if (strncmp(word, "small=", 6) == 0)
            compare_number(word, "small", load.small);
        else if (strncmp(word, "thresholds=", 11) == 0)
            compare(word, "thresholds", text);
        else
            fail("unknown word", word);
    }
    return err;
}

static int keep_two(void *ctx, uint32_t addr, uint32_t data)
{
    uint32_t *word = ctx;
    word[addr & 1u] = data;
    return EGRET_OK;
}

/* port_load PORT speed= buffer= */
static int port_load_line(const struct words *w, const char *wanted, const struct egret_cfg *cfg,
                          egret_emit_fn emit)
{
    uint32_t word[2] = {0, 0}, port = (uint32_t)number(w->word[1]);
    uint64_t speed = number(named(w, "speed")), buffer = number(named(w, "buffer"));
    struct words want;
    int err = egret_ctl_port_load(cfg, port, speed, buffer, &load, emit, NULL, NULL);

    if (err == EGRET_OK)
        err = egret_ctl_port_load(cfg, port, speed, buffer, &load, keep_two, word, NULL);
    split(&want, wanted);
    for (unsigned i = 0; i < want.count; i++) {
        bool past = strncmp(want.word[i], "past=", 5) == 0;
        if (past || strncmp(want.word[i], "future=", 7) == 0)
            compare_number(want.word[i], past ? "past" : "future", word[past ? 0 : 1]);
        else
            fail("unknown word", want.word[i]);
    }
    return err;
}

#endif
