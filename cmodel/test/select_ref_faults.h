/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_ref_faults.h: parity of the comparison model, from docs/spec/faults.md: a mark at the
 * first word of each entry, and what the packet under way has met.
 */
#ifndef EGRET_SELECT_REF_FAULTS_H
#define EGRET_SELECT_REF_FAULTS_H

#include "select_ref_hash.h"

#define REF_WORDS 0xd00000u

struct ref {
    struct egret_cfg c;
    uint32_t *word;
    uint8_t *bad; /* by address of the entry's first word */
    /* what no address shows: bytes since the last tick, their average, the band measured by it */
    uint64_t bytes[64];
    uint64_t average[64];
    uint32_t measured[64];
    /* of one packet */
    uint32_t met; /* tables, as in word 0x2c */
    bool sends;   /* it has a live member */
    bool lost;    /* its choice came from a bad entry */
};

/* The first word of an entry. */
static inline uint32_t ref_entry(uint32_t a)
{
    static const uint32_t words[16] = {1, 8, 1, 1, 1, 1, 4, 1, 1, 1, 1, 1, 2, 1, 1, 1};
    return a - a % words[a / 0x100000u % 16];
}

/* Is this entry of a table bad? If so the packet has met it. */
static inline bool ref_meets(struct ref *r, uint32_t a, uint32_t table)
{
    if (r->bad[ref_entry(a)] == 0)
        return false;
    r->met |= 1u << table;
    return true;
}

static inline void ref_heal(struct ref *r, uint32_t a)
{
    r->bad[ref_entry(a)] = 0;
}

/* The same for a packet that writes the entry: it is good afterwards. */
static inline bool ref_meets_last(struct ref *r, uint32_t a, uint32_t table)
{
    bool bad = ref_meets(r, a, table);
    ref_heal(r, a);
    return bad;
}

/* One more in a counter of 32 bits. */
static inline void ref_tick_counter(struct ref *r, uint32_t a, uint32_t table)
{
    r->word[a] = ref_meets_last(r, a, table) ? 1 : r->word[a] + 1;
}

/* Do bad rows of the matrix make a bad hash? Two of them hide each other. */
static inline bool ref_bad_hash(struct ref *r, const uint8_t *record)
{
    bool odd = false;
    for (uint32_t n = 0; n < 82 && r->c.hash_kind == 1; n++) {
        uint32_t value = n % 2 ? record[n / 2] % 16 : record[n / 2] / 16;
        if (r->bad[0x800000u + 16 * n + value] != 0)
            odd = !odd;
    }
    if (odd)
        r->met |= 2;
    return odd;
}

/* At the end of a packet. */
static inline void ref_note(struct ref *r)
{
    r->word[0x2b] += r->met != 0;
    r->word[0x2c] |= r->met;
}

static inline bool ref_is_counter(uint32_t a)
{
    return a / 0x100000u == 6 || a / 0x100000u == 7 || a / 0x100000u == 0xb;
}

/* Does the counter exist here? */
static inline bool ref_has_counter(const struct ref *r, uint32_t a)
{
    uint32_t o = a % 0x100000u;
    if (a / 0x100000u == 6)
        return o / 4 < r->c.num_ports;
    if (a / 0x100000u == 7)
        return o / 2 < r->c.num_groups;
    return r->c.schemes / 256 % 2 != 0 && o / 8 < r->c.num_groups && o % 8 < 5;
}

static inline bool ref_has_parity(uint32_t a)
{
    static const bool has[16] = {false, true,  true,  true, true,  false, true, true,
                                 true,  false, true,  true, true,  false, false, false};
    return has[a / 0x100000u % 16];
}

#endif
