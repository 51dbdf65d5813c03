/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec_examples.h: the text of the worked examples: words of a line, numbers, comparisons. For
 * spec_examples.c alone.
 */
#ifndef EGRET_SPEC_EXAMPLES_H
#define EGRET_SPEC_EXAMPLES_H

#include "egret/control.h"
#include "select_test.h"

#define MAX_LINE 4096
#define MAX_WORDS 64

/* Where we are. */
static const char *file;
static unsigned line_number;

static void fail(const char *text, const char *detail)
{
    CHECK(false, "%s:%u: %s %s", file, line_number, text, detail);
}

static uint64_t number(const char *text)
{
    char *end = NULL;
    uint64_t value = strtoull(text, &end, 0);
    if (end == text || *end != '\0')
        fail("no number:", text);
    return value;
}

/* ---- words of a line ---- */

struct words {
    char text[MAX_LINE];
    char *word[MAX_WORDS];
    unsigned count;
};

static void split(struct words *w, const char *text)
{
    snprintf(w->text, sizeof w->text, "%s", text);
    w->count = 0;
    for (char *p = strtok(w->text, " \t\n"); p != NULL; p = strtok(NULL, " \t\n")) {
        REQUIRE(w->count < MAX_WORDS);
        w->word[w->count++] = p;
    }
}

/* Value of NAME=VALUE, or null. */
static const char *named(const struct words *w, const char *name)
{
    size_t n = strlen(name);
    for (unsigned i = 0; i < w->count; i++)
        if (strncmp(w->word[i], name, n) == 0 && w->word[i][n] == '=')
            return w->word[i] + n + 1;
    return NULL;
}

static uint32_t value(const struct words *w, const char *name)
{
    const char *text = named(w, name);
    return text != NULL ? (uint32_t)number(text) : 0;
}

/* A scheme's name, or any code. */
static uint32_t scheme_value(const struct words *w, const char *name)
{
    unsigned scheme;
    const char *text = named(w, name);
    return text != NULL && egret_scheme_by_name(text, &scheme) == EGRET_OK ? scheme
                                                                           : value(w, name);
}

/* What a `group` line says. */
static struct egret_group group_of(const struct words *w)
{
    const char *members = named(w, "members");
    struct egret_group g = {
        .scheme = scheme_value(w, "scheme"),
        .ordered = scheme_value(w, "ordered"),
        .entropy_offset = value(w, "entropy_offset"),
        .bank = value(w, "bank"),
        .wraps = value(w, "R"),
        .last = value(w, "last"),
        .row_base = value(w, "row_base"),
        .row_mask = value(w, "row_mask"),
        .bucket_base = value(w, "bucket_base"),
        .bucket_mask = value(w, "bucket_mask"),
        .flowlet_base = value(w, "flowlet_base"),
        .flowlet_mask = value(w, "flowlet_mask"),
        .idle = value(w, "idle"),
        .by_quality = value(w, "by_quality"),
        .strictly_better = value(w, "strictly_better"),
        .drill_samples = value(w, "d"),
        .drill_memory = value(w, "m"),
    };
    while (members != NULL && strcmp(members, "none") != 0 && *members != '\0') {
        char *end;
        g.members |= (uint64_t)1 << strtoul(members, &end, 10);
        members = *end == ',' ? end + 1 : end;
    }
    return g;
}

static size_t unhex(const char *text, uint8_t *out, size_t max)
{
    size_t n = 0;
    for (; text != NULL && text[0] != '\0' && text[1] != '\0' && n < max; text += 2) {
        char two[3] = {text[0], text[1], '\0'};
        out[n++] = (uint8_t)strtoul(two, NULL, 16);
    }
    return n;
}

/* PORT:WEIGHT,PORT:WEIGHT,... */
static uint32_t members_of(const char *text, struct egret_member *member)
{
    uint32_t n = 0;
    while (text != NULL && *text != '\0' && n < EGRET_MAX_PORTS) {
        char *end;
        member[n].port = (uint32_t)strtoul(text, &end, 10);
        member[n++].weight = (uint32_t)strtoul(end + 1, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
    return n;
}

/* Compares one word NAME=VALUE with what came out. */
static void compare(const char *wanted, const char *name, const char *got)
{
    char text[MAX_LINE];
    snprintf(text, sizeof text, "%s=%s", name, got);
    CHECK(strcmp(text, wanted) == 0, "%s:%u: %s, not %s", file, line_number, text, wanted);
}

static void compare_number(const char *wanted, const char *name, uint64_t got)
{
    const char *text = strchr(wanted, '=');
    CHECK(text != NULL && number(text + 1) == got, "%s:%u: %s=%llu (0x%llx), not %s", file,
          line_number, name, (unsigned long long)got, (unsigned long long)got, wanted);
}

#endif
