/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_ref_model.h: a selector for comparison, written from docs/spec and unlike the library: its
 * whole state is a flat array of the words of the address map, and every decision is computed from
 * those words anew. Slow.
 */
#ifndef EGRET_SELECT_REF_MODEL_H
#define EGRET_SELECT_REF_MODEL_H

#include "select_ref_faults.h"

/* Has the configuration the scheme of this code? */
static inline bool ref_has(const struct ref *r, uint32_t code)
{
    return r->c.schemes / (1u << code) % 2 != 0;
}

/* Clocks from a packet to its result. */
static inline uint32_t ref_latency(const struct ref *r)
{
    return 10 + (ref_has(r, 7) || ref_has(r, 8) ? 4u : 0u) + (r->c.hash_kind == 2 ? 26u : 0u);
}

static inline void ref_reset(struct ref *r)
{
    free(r->word);
    free(r->bad);
    r->word = calloc(REF_WORDS, sizeof *r->word);
    r->bad = calloc(REF_WORDS, sizeof *r->bad);
    REQUIRE(r->word != NULL && r->bad != NULL);
    memset(r->bytes, 0, sizeof r->bytes);
    memset(r->average, 0, sizeof r->average);
    memset(r->measured, 0, sizeof r->measured);
    r->word[0] = 0x45475254;
    r->word[1] = 0x00010000;
    r->word[2] = r->c.num_bins * 0x1000000u + (r->c.row_len - 1) * 0x10000u +
                 (r->c.num_rows - 1) * 0x100u + r->c.num_ports;
    r->word[3] = r->c.num_keys * 0x10000u + r->c.num_groups;
    r->word[4] = r->c.hash_kind * 0x10000000u + ref_latency(r) * 0x100000u + r->c.num_buckets;
    r->word[5] = r->c.schemes + r->c.parity * 0x200000u;
    for (uint32_t n = r->c.num_flowlets; n != 0; n /= 2)
        r->word[5] += 0x10000u;
    if (ref_has(r, 6) || ref_has(r, 7) || ref_has(r, 8))
        r->word[0xe] = 0x92d68ca2;
    r->word[8] = r->c.hash_kind == 0 ? 3 : r->c.hash_kind == 1 ? 15 : 5;
    r->word[9] = r->c.hash_kind == 1 ? 0 : 0x1f;
    for (uint32_t p = 0; p < r->c.num_ports; p++)
        r->word[0x10 + p / 32] |= 1u << p % 32;
}

static inline struct ref ref_create(const struct egret_cfg *cfg)
{
    struct ref r;
    memset(&r, 0, sizeof r);
    r.c = *cfg;
    ref_reset(&r);
    return r;
}

static inline void ref_destroy(struct ref *r)
{
    free(r->word);
    free(r->bad);
}

static inline bool ref_live(const struct ref *r, uint32_t p)
{
    return r->word[0x10 + p / 32] >> p % 32 & 1u;
}

static inline bool ref_member(const struct ref *r, uint32_t g, uint32_t p)
{
    return r->word[0x100000u + 8 * g + 3 + p / 32] >> p % 32 & 1u;
}

/* A write; true if it had effect. */
static inline bool ref_write(struct ref *r, uint32_t a, uint32_t v)
{
    const struct egret_cfg *c = &r->c;
    uint32_t *w = r->word;
    uint32_t o = a % 0x100000u;

    if (a >= 0xf00000u)
        return true;
    if (a == 0x8) {
        if (!(c->hash_kind == 0 && (v == 0 || v == 3)) && !(c->hash_kind == 1 && v == 15) &&
            !(c->hash_kind == 2 && v == 5))
            return false;
    } else if (a == 0x9 || a == 0xb) {
        if (c->hash_kind == 1)
            return false;
        v %= a == 0x9 ? 128 : 32;
    } else if (a == 0xd) {
        v %= 65536u;
    } else if (a == 0xe) {
        if (!ref_has(r, 6) && !ref_has(r, 7) && !ref_has(r, 8))
            return false;
        if (v == 0)
            v = 0x92d68ca2;
    } else if (a == 0xa || a == 0xc || (a >= 0x21 && a <= 0x24)) {
        ;
    } else if (a == 0x25 || a == 0x26) {
        if (!ref_has(r, 7) && !ref_has(r, 8))
            return false;
    } else if (a == 0x27) {
        if (!ref_has(r, 8))
            return false;
        v %= 0x1000000u;
    } else if ((a >= 0x28 && a <= 0x2a) || (a >= 0x31 && a <= 0x37)) {
        if (!ref_has(r, 7))
            return false;
        v = a == 0x28 ? v % 16 : a == 0x29 ? v & 0x1ff01ffu : v % 65536u;
    } else if (a >= 0x100000u && a < 0x200000u) {
        if (o / 8 >= c->num_groups || o % 8 != 0)
            return false;
        v = (c->schemes / 32 % 2 ? v / 0x1000000u % 32 * 0x1000000u : 0) +
            v / 0x10000u % 256 % c->row_len * 0x10000u + v / 256 % 256 * 256 + v % 32;
        memcpy(&w[a + 1], &w[0x21], 6 * sizeof *w);
        if (!ref_has(r, 8))
            w[a + 5] = 0;
        w[a + 6] = (ref_has(r, 8) ? w[a + 6] % 0x1000000u : 0) +
                   (ref_has(r, 8) && ref_has(r, 7) ? w[a + 6] / 0x1000000u % 4 * 0x1000000u : 0) +
                   (ref_has(r, 7) ? w[a + 6] / 0x4000000u % 8 * 0x4000000u : 0);
        for (uint32_t p = c->num_ports; p < 64; p++)
            w[a + 3 + p / 32] &= ~(1u << p % 32);
    } else if (a >= 0x200000u && a < 0x300000u) {
        if (o >= c->num_buckets || v >= c->num_ports)
            return false;
    } else if (a >= 0x300000u && a < 0x400000u) {
        if (o / 0x10000u > 1 || o / 256 % 256 >= c->num_rows || o % 256 >= c->row_len ||
            v >= c->num_ports)
            return false;
    } else if (a >= 0x400000u && a < 0x480000u) {
        if (o / 16 >= c->num_keys || o % 16 >= c->num_bins)
            return false;
        v = v / 256 * 256 + v % c->row_len;
    } else if (a >= 0x480000u && a < 0x500000u) {
        if (a - 0x480000u >= c->num_groups)
            return false;
        v = v / 256 * 256 + v % c->row_len;
    } else if (a >= 0x800000u && a < 0x900000u) {
        if (c->hash_kind != 1 || o >= 82 * 16)
            return false;
    } else if (a >= 0x900000u && a < 0xa00000u) {
        if (!ref_has(r, 7) || o / 4 >= c->num_ports || o % 4 > 1)
            return false;
        v %= 0x200000u;
    } else if (a >= 0xa00000u && a < 0xb00000u) {
        if (!ref_has(r, 7) || o >= c->num_groups || v % 256 >= c->num_ports)
            return false;
        v = v / 0x80000000u * 0x80000000u + v % 256;
    } else if (a >= 0xc00000u && a < 0xd00000u) {
        if (o / 2 >= c->num_flowlets || o % 2 != 0 || v % 256 >= c->num_ports)
            return false;
        v = v / 0x80000000u * 0x80000000u + v / 0x10000u % 4096 * 0x10000u + v % 256;
        w[a + 1] = w[0x27];
    } else {
        return false;
    }
    w[a] = v;
    ref_heal(r, a);
    return true;
}

/* A fault write; true if it had effect. */
static inline bool ref_fault(struct ref *r, uint32_t a, uint32_t v)
{
    if (r->c.parity == 0)
        return false;
    if (ref_is_counter(a)) {
        if (ref_has_counter(r, a))
            r->bad[ref_entry(a)] ^= 1;
        return ref_has_counter(r, a);
    }
    if (!ref_write(r, a, v))
        return false;
    if (ref_has_parity(a))
        r->bad[ref_entry(a)] = 1;
    return true;
}

static inline uint32_t ref_hash(const struct ref *r, const uint8_t *record)
{
    struct egret_hash_setup s;
    uint32_t h = r->word[0xa];

    if (r->c.hash_kind == 1) {
        for (uint32_t n = 0; n < 82; n++)
            h ^= r->word[0x800000u + 16 * n + (n % 2 ? record[n / 2] % 16 : record[n / 2] / 16)];
        return h;
    }
    memset(&s, 0, sizeof s);
    s.algorithm = r->word[8];
    s.fields = r->word[9];
    s.seed = r->word[0xa];
    s.rotation = r->word[0xb];
    return ref_record(&s, record);
}

static inline uint32_t ref_rol(uint32_t x, unsigned n)
{
    return (x * (1u << n) | x / (1u << (16 - n))) % 65536u;
}

/* `rounds` rounds with constants from `first` on; x, y in *s as x + 65536 y. */
static inline uint32_t ref_rounds(uint32_t s, unsigned first, unsigned rounds)
{
    static const uint32_t c[14] = {0x9e37, 0x79b9, 0x7f4a, 0x7c15, 0xf39c, 0xc060, 0x5ced,
                                   0xc834, 0x1082, 0x276b, 0xf3a2, 0x7251, 0x9f86, 0x3e1d};
    for (unsigned i = first; i < first + rounds; i++) {
        uint32_t x = s % 65536u, y = s / 65536u;
        uint32_t t = (ref_rol(x, 1) & ref_rol(x, 8)) ^ ref_rol(x, 2);
        s = (y ^ t ^ c[i]) + 65536u * x;
    }
    return s;
}

/* Advances the pointer word at `a`; gives choice and r. */
static inline void ref_rotate(struct ref *r, uint32_t g, uint32_t a, uint32_t kw, uint32_t *choice,
                              uint32_t *random)
{
    const uint32_t *group = &r->word[0x100000u + 8 * g];
    uint32_t entry = r->word[a];
    uint32_t offset = entry % 256, wraps = entry / 256 % 4096, epoch = entry / 1048576u;
    uint32_t last = group[0] / 65536u % 256, limit = group[0] / 256 % 16;
    uint32_t pre = ref_rounds((kw ^ r->word[0xc] % 65536u) + r->word[0xc] / 65536u * 65536u, 0, 8);
    uint32_t spread = epoch ^ epoch * 64 ^ epoch / 1024 ^ epoch * 2048 ^ epoch / 32;
    uint32_t draw = ref_rounds(pre ^ spread % 65536u, 8, 6) % 65536u;
    uint32_t row = (group[1] % 65536u + (draw & group[1] / 65536u)) % 65536u % r->c.num_rows;
    uint32_t reversed = 0, v;

    if (offset > last)
        offset = 0;
    row = 0x300000u + 0x10000u * (group[0] / 16 % 2) + 256 * row + offset; /* the slot's word */
    *choice = r->word[row];
    r->lost = r->sends && ref_meets(r, row, 3);
    v = offset ^ wraps ^ epoch;
    for (unsigned i = 0; i < 12; i++)
        reversed = reversed * 2 + (v >> i) % 2;
    *random = pre / 65536u ^ reversed * 16;
    if (offset == last) {
        offset = 0;
        wraps++;
        if (limit != 0 && wraps >= limit) {
            wraps = 0;
            epoch++;
        }
    } else {
        offset++;
    }
    r->word[a] = epoch % 4096 * 1048576u + wraps % 4096 * 256 + offset;
    if (ref_meets_last(r, a, 4)) {
        r->word[a] = 0;
        r->lost = true;
    }
}

/* The live member that has `rank` live members below it; 0 if there is none. */
static inline uint32_t ref_kth(const struct ref *r, uint32_t g, uint32_t rank)
{
    for (uint32_t p = 0; p < r->c.num_ports; p++) {
        if (ref_member(r, g, p) && ref_live(r, p) && rank-- == 0)
            return p;
    }
    return 0;
}

static inline uint32_t ref_band(const struct ref *r, uint32_t port)
{
    return r->word[0x900000u + 4 * port + 2];
}

/* Is the live member p of group g one that a choice by quality draws from? No live member is in a
 * lower band. */
static inline bool ref_least(const struct ref *r, uint32_t g, uint32_t p)
{
    for (uint32_t q = 0; q < r->c.num_ports; q++)
        if (ref_member(r, g, q) && ref_live(r, q) && ref_band(r, q) < ref_band(r, p))
            return false;
    return true;
}

/* Of spray-quality, by the packet's number x; `live` members are live, at least one. */
static inline uint32_t ref_quality(struct ref *r, uint32_t g, uint32_t live, uint32_t x)
{
    uint32_t word6 = r->word[0x100000u + 8 * g + 6], *memory = &r->word[0xa00000u + g];
    uint32_t d = word6 / 0x4000000u % 4, of[64], n = 0, best, other;
    bool bad;

    if (d == 0) {
        for (uint32_t p = 0; p < r->c.num_ports; p++)
            if (ref_member(r, g, p) && ref_live(r, p) && ref_least(r, g, p))
                of[n++] = p;
        return of[x / 65536u * n / 65536u];
    }
    best = ref_kth(r, g, x / 65536u * live / 65536u);
    other = ref_kth(r, g, x % 65536u * live / 65536u);
    if (d >= 2 && ref_band(r, other) < ref_band(r, best))
        best = other;
    if (word6 / 0x10000000u % 2 == 0)
        return best;
    other = *memory % 64;
    bad = ref_meets_last(r, 0xa00000u + g, 6);
    if (!bad && *memory >= 0x80000000u && ref_member(r, g, other) && ref_live(r, other) &&
        ref_band(r, other) <= ref_band(r, best))
        best = other;
    *memory = 0x80000000u + best;
    return best;
}

static inline uint32_t ref_share(uint64_t value, uint32_t word)
{
    uint64_t cut = value / ((uint64_t)1 << word / 65536u % 32);
    return (uint32_t)((cut < 65535 ? cut : 65535) * (word % 65536u) / 65536u);
}

static inline void ref_tick(struct ref *r)
{
    uint32_t *w = r->word;

    for (uint32_t p = 0; p < r->c.num_ports; p++) {
        uint64_t x = r->average[p], metric;
        w[0x900000u + 4 * p + 2] = r->measured[p];
        x = x - x / ((uint64_t)1 << w[0x28]) + r->bytes[p];
        r->average[p] = x < 0xffffffffu ? x : 0xffffffffu;
        r->bytes[p] = 0;
        metric = ((uint64_t)ref_share(r->average[p], w[0x900000u + 4 * p]) * (w[0x29] % 512) +
                  (uint64_t)ref_share(w[0x500000u + p], w[0x900000u + 4 * p + 1]) *
                      (w[0x29] / 65536u)) / 256;
        r->measured[p] = 0;
        for (uint32_t i = 1; i <= 7; i++)
            r->measured[p] += (metric < 65535 ? metric : 65535) >= w[0x30 + i];
    }
}

/* One bit after the other: each shift is a sum of bits. */
static inline uint32_t ref_xorshift(uint32_t x)
{
    static const int shift[3] = {13, -17, 5};
    for (unsigned s = 0; s < 3; s++) {
        uint32_t y = 0;
        for (int i = 0; i < 32; i++) {
            int from = i - shift[s];
            uint32_t other = from >= 0 && from < 32 ? x >> from & 1u : 0;
            y += ((x >> i & 1u) + other) % 2 << i;
        }
        x = y;
    }
    return x;
}

static inline void ref_count40(uint32_t *w, uint64_t add)
{
    uint64_t v = ((uint64_t)w[1] << 32 | w[0]) + add;
    w[0] = (uint32_t)v;
    w[1] = (uint32_t)(v >> 32) % 256;
}

/* A new path of a flowlet: among the live members, or those of the least band, by the number. */
static inline uint32_t ref_new_path(const struct ref *r, uint32_t g, uint32_t entry, bool own)
{
    uint32_t word6 = r->word[0x100000u + 8 * g + 6], of[64], n = 0, old = entry % 256;
    bool by_quality = word6 / 0x1000000u % 2, stays = word6 / 0x2000000u % 2;

    for (uint32_t p = 0; p < r->c.num_ports; p++) {
        if (ref_member(r, g, p) && ref_live(r, p) && (!by_quality || ref_least(r, g, p)))
            of[n++] = p;
    }
    for (uint32_t i = 0; i < n && by_quality && stays && own; i++) {
        if (of[i] == old)
            return old;
    }
    return of[r->word[0xe] / 65536u * n / 65536u];
}

/* A packet of flowlet: data, and if a member is live also the choice, the entry and the counter. */
static inline uint32_t ref_flowlet(struct ref *r, uint32_t g, uint64_t now, uint32_t h, bool live,
                                   uint32_t *choice)
{
    const uint32_t *group = &r->word[0x100000u + 8 * g];
    uint32_t slot = (group[5] % 65536u + (h % 65536u & group[5] / 65536u)) % r->c.num_flowlets;
    uint32_t *entry = &r->word[0xc00000u + 2 * slot];
    uint32_t count = 0xb00000u + 8 * g;
    uint32_t time = (uint32_t)(now / 16 % 0x1000000u), tag = h / 0x100000u;
    /* from 2^16 units ahead of the entry to just as far behind it by a whole round */
    int64_t since = ((int64_t)time - entry[1] + 0x1010000) % 0x1000000 - 0x10000;
    bool bad = r->bad[0xc00000u + 2 * slot] != 0;
    bool valid = !bad && entry[0] / 0x80000000u, own = valid && entry[0] / 65536u % 4096 == tag;
    bool expired = since > (int64_t)(group[6] % 0x1000000u);
    uint32_t outcome = !valid ? 1 : own ? (expired ? 1 : 0) : expired ? 2 : 3;

    if (!live)
        return outcome * 0x40000000u + slot;
    if (outcome == 3) {
        uint32_t b = (group[2] % 65536u + (h & group[2] / 65536u)) % 65536u % r->c.num_buckets;
        *choice = r->word[0x200000u + b];
        r->lost = ref_meets(r, 0x200000u + b, 2);
    } else {
        (void)ref_meets_last(r, 0xc00000u + 2 * slot, 5);
        *choice = outcome == 0 ? entry[0] % 256 : ref_new_path(r, g, entry[0], own);
        if (outcome == 1 && own && *choice != entry[0] % 256)
            count += 3;
        entry[0] = 0x80000000u + tag * 65536u + *choice;
        entry[1] = time;
    }
    ref_tick_counter(r, count + outcome, 9);
    return outcome * 0x40000000u + slot;
}

static inline struct egret_decision ref_packet(struct ref *r, const struct egret_event *ev)
{
    struct egret_decision d;
    uint32_t *w = r->word;
    uint32_t g = ev->group, scheme, choice = 0, random = 0, live = 0, members = 0;
    bool legal = true, drop = true, broken, known, small;

    memset(&d, 0, sizeof d);
    r->met = 0;
    d.kind = EGRET_RES_PACKET;
    d.tag = ev->tag;
    d.port = d.choice = 255;
    if (ref_has(r, 6) || ref_has(r, 7) || ref_has(r, 8))
        w[0xe] = ref_xorshift(w[0xe]);
    if (g >= r->c.num_groups) {
        d.reason = EGRET_REASON_DROP_INDEX;
        w[0x1b]++;
        return d;
    }
    scheme = w[0x100000u + 8 * g] % 16;
    if (w[0xd] >> ev->cls % 16 & 1u && w[0x100000u + 8 * g] / 4096 % 16 != 0)
        scheme = w[0x100000u + 8 * g] / 4096 % 16;
    known = scheme >= 1 && scheme <= 8 && ref_has(r, scheme);
    d.scheme = (uint8_t)scheme;
    for (uint32_t p = 0; p < r->c.num_ports; p++) {
        members += ref_member(r, g, p);
        live += ref_member(r, g, p) && ref_live(r, p);
    }
    r->lost = false;
    r->sends = live != 0;
    small = scheme == 7 && ev->length < w[0x2a];
    broken = ref_meets(r, 0x100000u + 8 * g, 0);
    if (!broken && known && members != 0 && (scheme == 1 || scheme == 8 || small))
        broken = ref_bad_hash(r, ev->record);
    known = known && !broken;
    if (!known) {
        ;
    } else if (scheme == 1 || scheme == 4 || scheme == 5 || small) {
        uint32_t h = ref_hash(r, ev->record);
        uint32_t base = w[0x100000u + 8 * g + 2] % 65536u, mask = w[0x100000u + 8 * g + 2] / 65536u;
        if (scheme == 4)
            mask = 0;
        if (scheme == 5)
            h = h / 65536u * 65536u + (ev->entropy >> w[0x100000u + 8 * g] / 0x1000000u) % 65536u;
        base = 0x200000u + (base + (h & mask)) % 65536u % r->c.num_buckets;
        choice = w[base];
        r->lost = r->sends && ref_meets(r, base, 2);
        random = h / 65536u;
        d.data = h;
    } else if (scheme == 2) {
        d.data = w[0x480000u + g];
        ref_rotate(r, g, 0x480000u + g, 0x8000u + g, &choice, &random);
    } else if (scheme == 3) {
        uint32_t a = 0x400000u + 16u * ev->key + ev->bin;
        legal = ev->key < r->c.num_keys && ev->bin < r->c.num_bins;
        if (legal) {
            d.data = w[a];
            ref_rotate(r, g, a, 16u * ev->key + ev->bin, &choice, &random);
        }
    }
    if (known && (scheme == 6 || (scheme == 7 && !small))) {
        d.data = w[0xe];
        random = d.data / 65536u;
        if (scheme == 6)
            choice = ref_kth(r, g, random * live / 65536u);
        else if (live != 0)
            choice = ref_quality(r, g, live, d.data);
    }
    if (known && scheme == 8) {
        uint32_t h = ref_hash(r, ev->record);
        random = h / 65536u;
        d.data = ref_flowlet(r, g, ev->now, h, live != 0, &choice);
    }
    if (broken) {
        d.reason = EGRET_REASON_DROP_FAULT;
    } else if (members == 0) {
        d.reason = EGRET_REASON_DROP_EMPTY;
        d.data = 0;
    } else if (!known) {
        d.reason = EGRET_REASON_DROP_SCHEME;
        w[0x1a]++;
    } else if (!legal) {
        d.reason = EGRET_REASON_DROP_INDEX;
        w[0x1b]++;
    } else if (live == 0) {
        d.reason = EGRET_REASON_DROP_DOWN;
    } else {
        drop = false;
    }
    if (drop) {
        ref_tick_counter(r, 0x700000u + 2 * g, 8);
        ref_note(r);
        return d;
    }
    d.choice = d.port = (uint8_t)choice;
    if (r->lost || !ref_member(r, g, choice) || !ref_live(r, choice)) {
        d.reason = EGRET_REASON_REPAIRED;
        ref_tick_counter(r, 0x700000u + 2 * g + 1, 8);
        d.port = (uint8_t)ref_kth(r, g, random * live / 65536u);
    }
    r->bytes[d.port] += ev->length;
    if (r->bytes[d.port] > 0xffffffffu)
        r->bytes[d.port] = 0xffffffffu;
    if (ref_meets_last(r, 0x600000u + 4u * d.port, 7))
        memset(&w[0x600000u + 4u * d.port], 0, 4 * sizeof *w);
    ref_count40(&w[0x600000u + 4u * d.port], 1);
    ref_count40(&w[0x600000u + 4u * d.port + 2], ev->length);
    ref_note(r);
    return d;
}

static inline struct egret_decision ref_apply(struct ref *r, const struct egret_event *ev)
{
    struct egret_decision d;
    uint32_t *w = r->word;

    memset(&d, 0, sizeof d);
    switch (ev->kind) {
    case EGRET_EV_PACKET:
        return ref_packet(r, ev);
    case EGRET_EV_WRITE:
        if (!ref_write(r, ev->addr % 0x1000000u, ev->data))
            w[0x18]++;
        break;
    case EGRET_EV_FAULT:
        if (!ref_fault(r, ev->addr % 0x1000000u, ev->data))
            w[0x18]++;
        break;
    case EGRET_EV_READ:
        d.kind = EGRET_RES_READ;
        d.tag = ev->addr % 0x1000000u;
        d.data = d.tag < REF_WORDS ? w[d.tag] : 0;
        break;
    case EGRET_EV_PORT:
        if (ev->port % 256 >= r->c.num_ports)
            w[0x19]++;
        else if (ev->up % 2)
            w[0x10 + ev->port % 256 / 32] |= 1u << ev->port % 32;
        else
            w[0x10 + ev->port % 256 / 32] &= ~(1u << ev->port % 32);
        break;
    case EGRET_EV_QUEUE:
        if (ev->port % 256 >= r->c.num_ports)
            w[0x19]++;
        else
            w[0x500000u + ev->port % 256] = ev->depth;
        break;
    case EGRET_EV_TICK:
        w[0x12]++;
        w[0x13] = (uint32_t)ev->now;
        w[0x14] = (uint32_t)(ev->now >> 32) % 65536u;
        if (ref_has(r, 7))
            ref_tick(r);
        break;
    default:
        abort();
    }
    return d;
}

#endif
