/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.h: what the files of the identification of hashes share.
 */
#ifndef EGRET_TRACE_IDENTIFY_H
#define EGRET_TRACE_IDENTIFY_H

#include <stdio.h>

#include "egret/identify.h"

#define IDENTIFY_FIELDS 7u

struct identify_field {
    uint8_t first; /* byte of the record */
    uint8_t bytes;
};
extern const struct identify_field egret_identify_field[IDENTIFY_FIELDS];

#define IDENTIFY_PREFIX 512u /* observations that decide whether all are looked at */

/* One search. */
struct identify {
    const struct egret_identify_setup *setup;
    struct egret_identified *out;
    const struct egret_observation *row; /* all different in a field */
    size_t n;
    size_t use;      /* of them: the first ones, or all */
    bool hit;        /* the first ones agree with something */
    uint32_t *index; /* of the member, or the hash */
    uint32_t *v;     /* a hash of each */
    uint32_t *part;  /* the share of a field: [field * IDENTIFY_PREFIX + observation] */
    uint32_t columns;
    uint32_t varying;
    uint32_t members;   /* 0 for hashes */
    uint32_t hash_bits; /* 0 for ports */
    uint32_t bits;      /* of the index; 0 if members is no power of two */
    bool ipv6;
    /* Differences within each field that the log has: they span what it tells of the field. */
    uint32_t spans;
    uint8_t span[8 * EGRET_RECORD_BYTES][EGRET_RECORD_BYTES];
    uint64_t signature[EGRET_IDENTIFY_LISTED];
};

/* How a hash is made before seed and rotation; packed if layout is EGRET_LAYOUT_COUNT. */
struct identify_hash {
    uint32_t algorithm;
    uint32_t key;
    uint32_t layout;
    uint32_t fields;
    uint8_t order[7];
    uint8_t orders;
    bool ipv6; /* packed: addresses have 16 bytes */
};

static inline uint32_t identify_ror(uint32_t v, unsigned n)
{
    return v >> (n & 31u) | v << (-n & 31u);
}

/* Fields that have bytes in a layout. */
uint32_t egret_identify_layout_fields(uint32_t layout);
/* The bytes that are hashed; returns how many. */
size_t egret_identify_bytes(const struct identify_hash *h, const uint8_t *record,
                            uint8_t bytes[EGRET_RECORD_BYTES]);
/* The hash without a seed; 16-bit algorithms are widened. */
uint32_t egret_identify_raw(const struct identify_hash *h, const uint8_t *record, uint32_t seed);
/* Does a 32-bit hash, rotated already, choose this index? */
bool egret_identify_maps(const struct identify *id, uint32_t mapping, uint32_t hash,
                         uint32_t index);
/* Keeps a candidate with the seed classes given. */
void egret_identify_found(struct identify *id, const struct identify_hash *h, uint32_t rotation,
                          uint32_t mapping, uint32_t table_bits,
                          const struct egret_seed_class *seed, size_t classes, uint64_t seeds);
/* A number that is the same for two linear hashes if the bits of `mask` of the rotated hash are the
 * same function of each field, on the differences that the log has of it. */
uint64_t egret_identify_signature(const struct identify *id, const struct identify_hash *h,
                                  uint32_t rotation, uint32_t mask);

/* log2(n) in sixteenths, rounded down; n is 1 to 256. */
uint32_t egret_identify_log2(uint32_t n);
/* Hashes the observations that are in use, without a seed, into id->v. */
void egret_identify_fill(struct identify *id, const struct identify_hash *h);
/* Tests a linear hash whose values are id->v: masks and slices; identify_modulo.c: other numbers of
 * members; tables of ports. */
void egret_identify_slices(struct identify *id, const struct identify_hash *h);
void egret_identify_shift(struct identify *id, const struct identify_hash *h);
void egret_identify_modulo(struct identify *id, const struct identify_hash *h);
typedef void identify_test(struct identify *id, const struct identify_hash *h);
/* Tables of ports, by any bits of id->v; found with the seeds given. `more`: bits of evidence
 * beyond those that a linear hash needs. */
#define IDENTIFY_TABLE_BITS 12u
void egret_identify_tables(struct identify *id, const struct identify_hash *h,
                           const struct egret_seed_class *seed, uint64_t seeds, uint32_t more);

/* Stages; each keeps what it finds. EGRET_OK or EGRET_ERR_MEMORY. */
void egret_identify_linear(struct identify *id);           /* named layouts */
void egret_identify_packed(struct identify *id);           /* fields in any order */
int egret_identify_toeplitz(struct identify *id);          /* unknown key */
int egret_identify_lookup3(struct identify *id, bool all); /* small seeds, or all */
int egret_identify_lookup3_tables(struct identify *id);
/* Small seeds and common ones: number i; false behind the last. */
bool egret_identify_lookup3_seed(const struct identify *id, uint32_t i, uint32_t *seed);
/* Is the layout searched with the columns as they are? *fields: which of them it has. */
bool egret_identify_lookup3_layout(const struct identify *id, uint32_t layout, uint32_t *fields);
/* The linear hashes: algorithm and key of number i; false behind the last. */
bool egret_identify_family(unsigned i, struct identify_hash *h);
/* Rank over GF(2) of the observations' differences, at most max; *affine: each bit of the index is
 * an affine function of the fields. EGRET_ERR_MEMORY, or the rank. */
int egret_identify_rank(const struct identify *id, bool *affine);

/* Reads from an open file, or opens `name` if f is null. */
int egret_identify_read_file(FILE *f, const char *name, struct egret_observations *out,
                             struct egret_trace_error *err);

#endif
