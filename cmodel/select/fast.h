/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fast.h: what the fast path (apply.c) is made of: bits, byte tables of a linear hash, and lists of
 * live members.
 */
#ifndef EGRET_FAST_H
#define EGRET_FAST_H

#include <string.h>

#include "internal.h"

#if defined(__GNUC__) && !defined(EGRET_PLAIN_C)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define FALLTHROUGH __attribute__((fallthrough))
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define NOINLINE
#define ALWAYS_INLINE inline
#define FALLTHROUGH ((void)0)
#endif

/* Whether bytes in a row may be moved as one little-endian word; the results are the same. */
#if defined(__BYTE_ORDER__) && !defined(EGRET_PLAIN_C)
#define LITTLE_ENDIAN_WORDS (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#else
#define LITTLE_ENDIAN_WORDS 0
#endif

static inline uint32_t popcount64(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(x * 0x0101010101010101u >> 56);
}

/* The lowest set bit; there is one. */
static inline uint32_t lowest64(uint64_t x)
{
#if defined(__GNUC__) && !defined(EGRET_PLAIN_C)
    return (uint32_t)__builtin_ctzll(x);
#else
    return popcount64((x & (0u - x)) - 1);
#endif
}

/* The k-th set bit, k below the count: clear k lowest ones, then count what lies below. */
static inline uint32_t select64(uint64_t x, uint32_t k)
{
    while (k-- > 0)
        x &= x - 1;
    return popcount64((x & (0u - x)) - 1);
}

/* The shares of the four record bytes at `at`, whose tables follow each other. */
static ALWAYS_INLINE uint32_t window(const uint32_t *table, const uint8_t *at)
{
    return table[at[0]] ^ table[256 + at[1]] ^ table[512 + at[2]] ^ table[768 + at[3]];
}

/* The same by one load and shifts: more instructions, fewer loads. */
static ALWAYS_INLINE uint32_t window_word(const uint32_t *table, const uint8_t *at)
{
#if LITTLE_ENDIAN_WORDS
    uint32_t w;
    memcpy(&w, at, sizeof w);
    return table[(uint8_t)w] ^ (table + 256)[(uint8_t)(w >> 8)] ^
           (table + 512)[(uint8_t)(w >> 16)] ^ (table + 768)[(size_t)(w >> 24)];
#else
    return window(table, at);
#endif
}

/* Mode IPV4: no byte counts but those of an IPv4 5-tuple, which have fixed tables. In a burst loads
 * are what limits, so there the addresses are loaded as words. */
static ALWAYS_INLINE uint32_t hash_ipv4(const struct egret *e, const uint8_t *record, bool burst)
{
    const uint32_t *table = e->table;
    uint32_t addresses =
        burst ? window_word(table, record) ^ window_word(table + 1024, record + 16)
              : window(table, record) ^ window(table + 1024, record + 16);
    return e->constant ^ addresses ^ window(table + 2048, record + 32) ^ table[3072 + record[36]];
}

#define WINDOW(s)                                                 \
    case (s) + 1:                                                 \
        h ^= window(table + 1024 * (s), record + e->word_at[(s)]); \
        FALLTHROUGH

/* Mode TABLES: windows and single bytes where they are needed. */
static inline uint32_t hash_tables(const struct egret *e, const uint8_t *record)
{
    const uint32_t *table = e->table;
    uint32_t h = e->constant;

    switch (e->num_words) {
        WINDOW(9); WINDOW(8); WINDOW(7); WINDOW(6); WINDOW(5);
        WINDOW(4); WINDOW(3); WINDOW(2); WINDOW(1); WINDOW(0);
    default:
        break;
    }
    table += EGRET_TABLE_BYTES;
    for (uint32_t i = 0; i < e->num_bytes; i++, table += 256)
        h ^= table[record[e->byte_at[i]]];
    return h;
}

static ALWAYS_INLINE void put(struct egret_decision *out, uint32_t tag, uint32_t data,
                              uint32_t port, uint32_t choice, uint32_t scheme, uint32_t reason)
{
    out->tag = tag;
    out->data = data;
#if LITTLE_ENDIAN_WORDS
    uint64_t rest = EGRET_RES_PACKET | port << 8 | choice << 16 | scheme << 24 |
                    (uint64_t)reason << 32;
    memcpy((unsigned char *)out + offsetof(struct egret_decision, kind), &rest, sizeof rest);
#else
    out->kind = EGRET_RES_PACKET;
    out->port = (uint8_t)port;
    out->choice = (uint8_t)choice;
    out->scheme = (uint8_t)scheme;
    out->reason = (uint8_t)reason;
    memset(out->pad, 0, sizeof out->pad);
#endif
}

static NOINLINE void list_live(const struct egret *e, struct egret_group_state *g)
{
    g->num_listed = 0;
    for (uint64_t rest = g->live; rest != 0; rest &= rest - 1)
        g->listed[g->num_listed++] = (uint8_t)lowest64(rest);
    egret_fast_group(e, g);
}

/* The k-th live member by r, 16 bits: k = (r * L) >> 16. The list is up to date and not empty. */
static ALWAYS_INLINE uint32_t live_by(const struct egret_group_state *g, uint32_t r)
{
    return g->listed[r * g->num_listed >> 16];
}

static ALWAYS_INLINE bool is_live(const struct egret_group_state *g, uint32_t choice)
{
    return g->live >> choice & 1u;
}

#endif
