/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.c: which hash made a log: the stages in order, and the verdict.
 *
 * A stage that finds something ends the search: the observations say so much that chance is no
 * explanation, or else the verdict is `ambiguous` anyway.
 */
#include <stdlib.h>
#include <string.h>

#include "identify.h"

/* 32 bits of a seed, 16 of layouts, subsets, rotations and mappings, and 16 to be sure. */
#define NEEDED_BITS 64u

/* By fields, then by value, then by line. */
static int by_record(const void *a, const void *b)
{
    const struct egret_observation *x = a;
    const struct egret_observation *y = b;
    int order = memcmp(x->record, y->record, sizeof x->record);
    if (order == 0 && x->value != y->value) {
        order = x->value < y->value ? -1 : 1;
    }
    if (order == 0) {
        order = x->line < y->line ? -1 : x->line > y->line;
    }
    return order;
}

static int by_line(const void *a, const void *b)
{
    const struct egret_observation *x = a;
    const struct egret_observation *y = b;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Drops repetitions. A record with two values is no function of the fields: true, and the lines. */
static bool drop_repetitions(struct egret_observations *o, uint64_t clash[2])
{
    size_t kept = 0;
    qsort(o->row, o->count, sizeof *o->row, by_record);
    for (size_t i = 0; i < o->count; i++) {
        struct egret_observation *last = kept ? &o->row[kept - 1u] : NULL;
        if (last && memcmp(last->record, o->row[i].record, sizeof last->record) == 0) {
            if (last->value != o->row[i].value) {
                clash[0] = last->line;
                clash[1] = o->row[i].line;
                return true;
            }
            continue;
        }
        o->row[kept++] = o->row[i];
    }
    o->count = kept;
    qsort(o->row, o->count, sizeof *o->row, by_line); /* neighbours in a sorted log are alike */
    return false;
}

/* The ports: given, or those that were seen. False if a port is none of those given. */
static bool set_members(struct identify *id, struct egret_identified *out)
{
    int index[256];
    uint32_t n = 0;
    memset(index, -1, sizeof index);
    if (id->hash_bits) {
        for (size_t i = 0; i < id->n; i++) {
            id->index[i] = id->row[i].value;
        }
        id->bits = id->hash_bits;
        return true;
    }
    if (id->setup->members) {
        n = id->setup->members;
        memcpy(out->member, id->setup->member, n);
    } else {
        bool seen[256] = {false};
        for (size_t i = 0; i < id->n; i++) {
            seen[id->row[i].value & 255u] = true;
        }
        for (unsigned p = 0; p < 256u; p++) {
            out->member[n] = (uint8_t)p;
            n += seen[p];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        index[out->member[i]] = (int)i;
    }
    for (size_t i = 0; i < id->n; i++) {
        int at = index[id->row[i].value & 255u];
        if (at < 0) {
            return false;
        }
        id->index[i] = (uint32_t)at;
    }
    out->members = id->members = n;
    for (id->bits = 0; 1u << id->bits < n; id->bits++) {
    }
    id->bits = n == 1u << id->bits ? id->bits : 0;
    return true;
}

static void set_varying(struct identify *id)
{
    for (size_t i = 0; i < id->n; i++) {
        const uint8_t *r = id->row[i].record;
        for (unsigned f = 0; f < IDENTIFY_FIELDS; f++) {
            const struct identify_field *field = &egret_identify_field[f];
            if (memcmp(r + field->first, id->row[0].record + field->first, field->bytes) != 0) {
                id->varying |= 1u << f;
            }
        }
        for (unsigned b = 4; b < 16u; b++) {
            id->ipv6 = id->ipv6 || r[b] || r[16u + b];
        }
    }
}

/* What the observations behind the first say, in bits, rounded down. */
static uint32_t log_bits(const struct identify *id)
{
    uint64_t each = id->hash_bits ? 16u * id->hash_bits : egret_identify_log2(id->members);
    return (uint32_t)((id->n - 1u) * each / 16u);
}

/* Adds a difference of one field to its basis, unless that spans it already; `first` is where the
 * field's part of the basis begins. Each element has a highest bit that no other one has. */
static void add_span(struct identify *id, uint32_t first, const uint8_t *difference)
{
    uint8_t d[EGRET_RECORD_BYTES];
    bool some = false;
    memcpy(d, difference, sizeof d);
    for (uint32_t i = first; i < id->spans; i++) {
        const uint8_t *e = id->span[i];
        unsigned at = 0;
        unsigned top = 0x80u;
        while (e[at] == 0) {
            at++;
        }
        while (!(e[at] & top)) {
            top >>= 1;
        }
        for (unsigned k = 0; (d[at] & top) && k < EGRET_RECORD_BYTES; k++) {
            d[k] ^= k == at ? 0 : e[k];
        }
        d[at] ^= d[at] & top ? e[at] : 0;
    }
    for (unsigned k = 0; k < EGRET_RECORD_BYTES; k++) {
        some = some || d[k];
    }
    if (some) {
        memcpy(id->span[id->spans++], d, sizeof d);
    }
}

static void set_spans(struct identify *id)
{
    size_t n = id->n < 65536u ? id->n : 65536u; /* more would hardly bring a new one */
    for (unsigned f = 0; f < IDENTIFY_FIELDS; f++) {
        const struct identify_field *field = &egret_identify_field[f];
        uint32_t first = id->spans;
        for (size_t i = 1; i < n && id->spans - first < 8u * field->bytes; i++) {
            uint8_t d[EGRET_RECORD_BYTES] = {0};
            for (unsigned k = field->first; k < field->first + (unsigned)field->bytes; k++) {
                d[k] = id->row[i].record[k] ^ id->row[0].record[k];
            }
            add_span(id, first, d);
        }
    }
}

static int stages(struct identify *id)
{
    struct egret_identified *out = id->out;
    bool named = id->setup->layout != EGRET_LAYOUT_COUNT;
    bool affine = false;
    int code = EGRET_OK;
    egret_identify_linear(id);
    if (out->found == 0 && !named) {
        egret_identify_packed(id);
    }
    if (out->found == 0) {
        code = egret_identify_toeplitz(id);
    }
    if (code || out->found || out->bits < NEEDED_BITS) {
        return code;
    }
    code = egret_identify_lookup3(id, false);
    if (code == EGRET_OK && out->found == 0) {
        code = egret_identify_lookup3_tables(id);
    }
    if (code == EGRET_OK && out->found == 0 && !id->setup->quick) {
        code = egret_identify_lookup3(id, true);
    }
    if (code == EGRET_OK && out->found == 0) {
        int rank = egret_identify_rank(id, &affine);
        code = rank < 0 ? rank : EGRET_OK;
        out->affine = affine && (uint32_t)rank + 16u < id->n;
    }
    return code;
}

static uint32_t verdict(const struct egret_identified *out)
{
    if (out->bits < NEEDED_BITS) {
        return EGRET_AMBIGUOUS;
    }
    return out->found == 0 ? EGRET_NO_HASH : out->groups == 1u ? EGRET_IDENTIFIED : EGRET_AMBIGUOUS;
}

static int identify(struct identify *id, struct egret_trace_error *err)
{
    size_t n = id->n;
    size_t words = 2u * n + (n < IDENTIFY_PREFIX ? IDENTIFY_PREFIX : 0) +
                   IDENTIFY_FIELDS * (size_t)IDENTIFY_PREFIX;
    uint32_t *memory = malloc(words * sizeof *memory);
    if (!memory) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "out of memory");
    }
    id->part = memory;
    id->index = id->part + IDENTIFY_FIELDS * (size_t)IDENTIFY_PREFIX;
    id->v = id->index + n;
    int code = EGRET_OK;
    set_varying(id);
    set_spans(id);
    id->out->varying = id->varying;
    if (!set_members(id, id->out)) {
        code =
            egret_trace_fail(err, EGRET_ERR_RANGE, "a port was seen that is none of the members");
    } else {
        id->out->bits = id->members == 1u ? 0 : log_bits(id);
        if (id->members != 1u && n > 1u) {
            code = stages(id);
        }
        if (code) {
            (void)egret_trace_fail(err, code, "%s", egret_strerror(code));
        }
        id->out->verdict = verdict(id->out);
    }
    free(memory);
    return code;
}

int egret_identify(struct egret_observations *o, const struct egret_identify_setup *setup,
                   struct egret_identified *out, struct egret_trace_error *err)
{
    struct identify id;
    memset(&id, 0, sizeof id);
    memset(out, 0, sizeof *out);
    if (o->count == 0 || o->count > EGRET_IDENTIFY_ROWS || setup->members > 256u ||
        setup->threads < 1u || setup->threads > 64u || setup->small_seeds > 65536u ||
        setup->layout > EGRET_LAYOUT_COUNT || (setup->fields & ~o->fields)) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s", egret_strerror(EGRET_ERR_RANGE));
    }
    out->needed = NEEDED_BITS;
    if (drop_repetitions(o, out->clash)) {
        out->verdict = EGRET_NO_HASH;
        out->distinct = o->count;
        return EGRET_OK;
    }
    id.setup = setup;
    id.out = out;
    id.row = o->row;
    id.n = out->distinct = o->count;
    id.columns = o->fields;
    id.hash_bits = o->hash_bits;
    return identify(&id, err);
}
