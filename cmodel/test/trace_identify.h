/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_identify.h: logs of which the test knows the hash, as it makes them.
 */
#ifndef EGRET_TRACE_IDENTIFY_TEST_H
#define EGRET_TRACE_IDENTIFY_TEST_H

#include "egret/identify.h"
#include "trace_test.h"

static struct trace_test t;

#define SRC 1u
#define DST 2u
#define SPORT 8u
#define DPORT 16u
#define FIVE 31u

static struct egret_observation rows[16384];
static struct egret_identified r;
static struct egret_trace_error err;
static uint64_t state;

static inline uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* n different flows, the columns at random; IPv4 unless wide. */
static inline struct egret_observations flows(size_t n, uint32_t columns, bool wide)
{
    struct egret_observations o = {.count = n, .row = rows, .fields = columns};
    memset(rows, 0, sizeof rows);
    state = n + columns;
    for (size_t i = 0; i < n; i++) {
        uint8_t record[EGRET_RECORD_BYTES];
        for (unsigned k = 0; k < sizeof record; k++) {
            record[k] = k < 32u && k % 16u >= 4u && !wide ? 0 : (uint8_t)draw();
        }
        egret_hash_mask(columns, record, rows[i].record);
        rows[i].line = i + 2u;
    }
    return o;
}

struct made {
    uint32_t algorithm;
    uint32_t layout;
    uint32_t fields;
    uint32_t seed;
    uint32_t rotation;
    uint32_t mapping;
    uint32_t members;
};

/* What a switch with this hash does; docs/spec/hash.md, docs/hash-identify.md. */
static inline void choose(struct egret_observations *o, const struct made *m)
{
    struct egret_hash_setup s;
    egret_hash_setup_default(&s);
    s.algorithm = m->algorithm;
    s.layout = m->layout;
    s.fields = m->fields;
    s.seed = m->seed;
    s.rotation = m->rotation;
    for (size_t i = 0; i < o->count; i++) {
        uint32_t h = 0;
        CHECK(&t, egret_hash_record(&s, o->row[i].record, &h) == EGRET_OK);
        uint64_t n = m->members;
        o->row[i].value = m->mapping == EGRET_MAP_HASH       ? h
                          : m->mapping == EGRET_MAP_SHIFT16  ? (uint32_t)((h & 0xffffu) * n >> 16)
                          : m->mapping == EGRET_MAP_SHIFT32  ? (uint32_t)(h * n >> 32)
                          : m->mapping == EGRET_MAP_MODULO16 ? (h & 0xffffu) % m->members
                                                             : h % m->members;
    }
    o->hash_bits = m->mapping == EGRET_MAP_HASH ? 32u : 0;
}

static inline void random_choice(struct egret_observations *o, uint32_t members)
{
    for (size_t i = 0; i < o->count; i++) {
        o->row[i].value = draw() % members;
    }
}

static inline struct egret_identify_setup quick(uint32_t layout)
{
    struct egret_identify_setup s = {
        .layout = layout, .threads = 1, .quick = true, .small_seeds = 1};
    return s;
}

/* Is one of the candidates the hash that made the log? */
static inline bool names(const struct made *m)
{
    for (uint32_t i = 0; i < r.listed; i++) {
        const struct egret_candidate *c = &r.candidate[i];
        bool seed = false;
        for (uint32_t k = 0; k < c->seed_classes; k++) {
            seed = seed || (m->seed & c->seed[k].mask) == c->seed[k].value;
        }
        if (seed && c->algorithm == m->algorithm && c->layout == m->layout &&
            c->fields == m->fields && c->rotation == m->rotation && c->mapping == m->mapping) {
            return true;
        }
    }
    return false;
}

/* The log of a hash gives that hash. */
static inline void identified(const struct made *m, size_t n, uint32_t columns, bool wide,
                              const struct egret_identify_setup *s)
{
    struct egret_observations o = flows(n, columns, wide);
    choose(&o, m);
    int code = egret_identify(&o, s, &r, &err);
    /* Of a whole hash, times 7, the low half hardly matters: the high half alone agrees too. */
    bool high = m->algorithm == EGRET_HASH_LOOKUP3 && m->members == 7u;
    bool good =
        r.groups == (high ? 2u : 1u) && r.verdict == (high ? EGRET_AMBIGUOUS : EGRET_IDENTIFIED);
    if (!CHECK(&t, code == EGRET_OK && good && names(m))) {
        printf("  %s, layout %u, fields %02x, mapping %u of %u: code %d, verdict %u, found %u\n",
               egret_hash_algorithm_name(m->algorithm), m->layout, m->fields, m->mapping,
               m->members, code, r.verdict, (unsigned)r.found);
    }
}

#endif
