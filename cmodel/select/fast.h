/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fast.h: what the files of the fast path share: apply.c and apply_quality.c.
 */
#ifndef EGRET_FAST_H
#define EGRET_FAST_H

#include <string.h>

#include "bits.h"
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

static ALWAYS_INLINE void count_packet(struct egret *e, const struct egret_event *ev, uint32_t port)
{
    uint32_t length = ev->length;
    e->counter[port].packets++;
    e->counter[port].bytes += length;
}

static ALWAYS_INLINE bool is_live(const struct egret *e, const struct egret_group_state *g,
                                  uint32_t choice)
{
    return (g->members & e->live) >> choice & 1u;
}

/* The port that a group's bucket for an index names. */
static inline uint32_t bucket(const struct egret *e, const struct egret_group_state *g,
                              uint32_t index)
{
    return e->bucket[(g->bucket_base + (index & g->bucket_mask)) & e->bucket_wrap];
}

/* The k-th bit of a mask that is not 0 by r. */
static inline uint32_t pick(const struct egret *e, uint64_t mask, uint32_t r)
{
    return egret_bits_pick(e->places, mask, egret_bits_upto(mask), r);
}

/* The packet's random number; random_behind counts the packet, and the state has caught up then. */
static inline uint32_t next_random(struct egret *e)
{
    e->random = egret_random_jump(e->random, e->random_behind);
    e->random_behind = 0;
    return e->random;
}

/* apply.c: any packet: decides, advances and counts. */
int egret_apply_any(struct egret *e, const struct egret_event *ev, struct egret_decision *out);

/* apply_quality.c: a packet of group g whose scheme is spray-quality for it. */
int egret_apply_quality(struct egret *restrict e, const struct egret_event *ev,
                        struct egret_decision *restrict out, struct egret_group_state *g);
/* The same, not counted: returns the port, or a negative value with nothing changed for
 * egret_apply_any(). */
int egret_apply_quality_burst(struct egret *restrict e, const struct egret_event *ev,
                              struct egret_decision *restrict out, struct egret_group_state *g);
/* The choice by a packet's number x; DRILL remembers it. live, its live members, is not 0. */
uint32_t egret_quality_choice(const struct egret *e, struct egret_group_state *g, uint64_t live,
                              uint32_t x);

#endif
