/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector_vectors.c: published hash values out of a selector, all the way: control side, matrix
 * writes, packets of an ecmp group, the hash in the decision.
 *
 * usage: selector_vectors SELECTOR.so CONFIG FILE...
 * FILE is of tb/vectors/ (algorithm, key or 0, input, value). An input's length says its layout:
 * 8, 12, 32 or 36 bytes for Toeplitz, 13 for the others; other lines are skipped. The configuration
 * must have the hash matrix.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/control.h"
#include "selector_load.h"

#define TEXT 256

struct target {
    const struct egret_selector_ops *ops;
    void *self;
    struct egret_cfg cfg;
    unsigned long passed, failed, skipped;
};

static int emit(void *ctx, uint32_t addr, uint32_t data)
{
    struct target *t = ctx;
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_WRITE;
    ev.addr = addr;
    ev.data = data;
    return t->ops->apply(t->self, &ev, &d);
}

/* Bytes of hexadecimal text; at most `max`. */
static size_t bytes_of(const char *text, uint8_t *out, size_t max)
{
    size_t n = 0;
    for (; text[0] != '\0' && text[1] != '\0' && n < max; text += 2) {
        char two[3] = {text[0], text[1], '\0'};
        out[n++] = (uint8_t)strtoul(two, NULL, 16);
    }
    return n;
}

static bool layout_of(uint32_t algorithm, size_t bytes, uint32_t *layout)
{
    for (*layout = EGRET_LAYOUT_IPV4_5TUPLE; *layout < EGRET_LAYOUT_COUNT; (*layout)++)
        if (egret_hash_layout_bytes(*layout) == bytes)
            return (*layout == EGRET_LAYOUT_IPV4_5TUPLE) == (algorithm != EGRET_HASH_TOEPLITZ);
    return false;
}

/* The packed bytes into their places of the record, found by asking the layout for each byte. */
static void unpack(uint32_t layout, const uint8_t *packed, uint8_t record[EGRET_RECORD_BYTES])
{
    for (unsigned at = 0; at < EGRET_RECORD_BYTES; at++) {
        uint8_t probe[EGRET_RECORD_BYTES] = {0};
        uint8_t out[EGRET_RECORD_BYTES];
        probe[at] = 1;
        size_t n = egret_hash_layout_pack(layout, probe, out);
        for (size_t i = 0; i < n; i++)
            if (out[i] != 0)
                record[at] = packed[i];
    }
}

static void line(struct target *t, const char *algorithm, const char *key, const char *input,
                 const char *value)
{
    struct egret_hash_setup setup;
    struct egret_event ev;
    struct egret_decision d;
    uint8_t packed[EGRET_RECORD_BYTES];
    size_t bytes = bytes_of(input, packed, sizeof packed);
    egret_hash_setup_default(&setup);
    if (egret_hash_algorithm_by_name(algorithm, &setup.algorithm) != EGRET_OK ||
        setup.algorithm == EGRET_HASH_LOOKUP3 || strlen(input) != 2 * bytes ||
        !layout_of(setup.algorithm, bytes, &setup.layout)) {
        t->skipped++;
        return;
    }
    setup.fields = EGRET_FIELDS_ALL;
    if (setup.algorithm == EGRET_HASH_TOEPLITZ)
        setup.key_len = (uint32_t)bytes_of(key, setup.key, sizeof setup.key);
    memset(&ev, 0, sizeof ev);
    unpack(setup.layout, packed, ev.record);
    ev.tag = (uint32_t)t->passed;
    if (egret_ctl_hash(&t->cfg, &setup, emit, t, NULL) != EGRET_OK ||
        t->ops->apply(t->self, &ev, &d) != EGRET_OK) {
        printf("selector_vectors: %s of %s: refused\n", algorithm, input);
        t->failed++;
        return;
    }
    uint32_t mask = strlen(value) == 4 ? 0xffffu : 0xffffffffu;
    uint32_t want = (uint32_t)strtoul(value, NULL, 16);
    if (d.reason == EGRET_REASON_CHOSEN && (d.data & mask) == want) {
        t->passed++;
    } else {
        printf("selector_vectors: %s of %s: %08x, not %s\n", algorithm, input, d.data, value);
        t->failed++;
    }
}

static bool open_target(struct target *t, const char *path, const char *config)
{
    struct egret_group g;
    t->ops = selector_load("selector_vectors", path);
    if (t->ops == NULL)
        return false;
    memset(&g, 0, sizeof g);
    g.scheme = EGRET_SCHEME_ECMP;
    g.members = 1; /* all buckets say port 0 after reset */
    return egret_cfg_named(config, &t->cfg) == EGRET_OK &&
           t->ops->create(&t->cfg, &t->self) == EGRET_OK &&
           egret_ctl_group(&t->cfg, 0, &g, emit, t) == EGRET_OK;
}

int main(int argc, char **argv)
{
    struct target t;
    char word[4][TEXT];
    char text[4 * TEXT];
    memset(&t, 0, sizeof t);
    if (argc < 4) {
        fprintf(stderr, "usage: selector_vectors SELECTOR.so CONFIG FILE...\n");
        return 2;
    }
    if (!open_target(&t, argv[1], argv[2])) {
        printf("selector_vectors: cannot start\n");
        return 1;
    }
    for (int i = 3; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        if (f == NULL) {
            printf("selector_vectors: cannot open %s\n", argv[i]);
            return 1;
        }
        while (fgets(text, sizeof text, f) != NULL)
            if (text[0] != '#' && sscanf(text, "%255s %255s %255s %255s", word[0], word[1], word[2],
                                         word[3]) == 4)
                line(&t, word[0], word[1], word[2], word[3]);
        fclose(f);
    }
    printf("selector_vectors: %lu lines of other kinds skipped\n", t.skipped);
    printf("RESULT pass=%lu fail=%lu\n", t.passed, t.failed);
    t.ops->destroy(t.self);
    return t.failed == 0 && t.passed > 0 ? 0 : 1;
}
