/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.h: which hash made an observed log: algorithm, layout, fields, rotation, mapping, seed.
 *
 * docs/hash-identify.md says what is searched and why that is enough. Every hash of egret/hash.h
 * but lookup3 is affine over GF(2), so its seed is one unknown constant; lookup3's is searched for.
 */
#ifndef EGRET_IDENTIFY_H
#define EGRET_IDENTIFY_H

#include "egret/hash.h"
#include "egret/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_IDENTIFY_ROWS (1u << 20) /* observations of a log, at most */
#define EGRET_IDENTIFY_LISTED 64       /* candidates that are kept; the others are counted */
#define EGRET_IDENTIFY_CLASSES 16      /* seed classes of a candidate that are kept */
#define EGRET_IDENTIFY_KEY 46          /* bytes: 328 input bits and 31 more */

/* What was seen: the fields of one packet, and its hash or its port. */
struct egret_observation {
    uint8_t record[EGRET_RECORD_BYTES];
    uint32_t value;
    uint64_t line; /* of the log */
};

struct egret_observations {
    size_t count;
    struct egret_observation *row;
    uint32_t fields;    /* EGRET_FIELD_* of the columns */
    uint32_t hash_bits; /* 16 or 32: values are hashes; 0: ports */
    uint64_t left_out;  /* rows of dropped packets and reads */
};

/* Reads a CSV of observations; "-" is standard input. Negative enum egret_err with the reason in
 * err ("FILE:LINE: reason"). */
int egret_observations_read(const char *path, struct egret_observations *out,
                            struct egret_trace_error *err);
/* Frees the rows. */
void egret_observations_free(struct egret_observations *o);

/* From hash to member, of n members; `low` is the low half of the rotated hash. */
enum egret_mapping {
    EGRET_MAP_HASH,     /* the hash itself was seen */
    EGRET_MAP_MASK,     /* hash mod n, n = 2^b: the low bits */
    EGRET_MAP_MODULO,   /* hash mod n, all 32 bits (of a 16-bit algorithm: of the widened hash) */
    EGRET_MAP_MODULO16, /* low mod n */
    EGRET_MAP_SHIFT16,  /* (low * n) >> 16 */
    EGRET_MAP_SHIFT32,  /* (hash * n) >> 32 */
    EGRET_MAP_TABLE     /* any table of 2^table_bits ports, by the low bits */
};

enum egret_identify_key { EGRET_KEY_NONE, EGRET_KEY_RSS, EGRET_KEY_SYMMETRIC, EGRET_KEY_SOLVED };

/* Seeds that no observation tells apart: those with (seed & mask) = value. */
struct egret_seed_class {
    uint32_t value;
    uint32_t mask;
};

struct egret_candidate {
    uint32_t algorithm;    /* enum egret_hash_algorithm */
    uint32_t layout;       /* enum egret_hash_layout; EGRET_LAYOUT_COUNT: packed, see `order` */
    uint32_t fields;       /* EGRET_FIELD_* that are hashed */
    uint8_t order[7];      /* packed: field bits in the order in which they are hashed .. */
    uint8_t orders;        /* .. and how many */
    uint32_t key;          /* enum egret_identify_key */
    uint32_t rotation;     /* right rotation */
    uint32_t mapping;      /* enum egret_mapping */
    uint32_t table_bits;   /* EGRET_MAP_TABLE */
    uint32_t group;        /* candidates of one group are one function of the fields */
    uint32_t seed_classes; /* kept in seed[] */
    uint64_t seeds;        /* seeds in all classes, 1 .. 2^32 */
    struct egret_seed_class seed[EGRET_IDENTIFY_CLASSES];
    uint8_t key_value[EGRET_IDENTIFY_KEY]; /* EGRET_KEY_SOLVED: key bits .. */
    uint8_t key_known[EGRET_IDENTIFY_KEY]; /* .. that are determined */
    uint32_t key_bits;                     /* how many of them .. */
    uint32_t key_free;                     /* .. and how many that count are not */
};

enum egret_verdict { EGRET_IDENTIFIED, EGRET_AMBIGUOUS, EGRET_NO_HASH };

struct egret_identify_setup {
    uint32_t fields;      /* 0: any subset of the columns; else exactly these */
    uint32_t layout;      /* EGRET_LAYOUT_COUNT: any; else this one */
    uint32_t members;     /* 0: the ports seen, in rising order; else how many of .. */
    uint8_t member[256];  /* .. these, different ports, index 0 first */
    uint32_t threads;     /* 1..64 */
    bool quick;           /* no search over all 2^32 seeds of lookup3 */
    uint32_t small_seeds; /* of lookup3 that are tried first, from 0: 1..65536; 0: 65536 */
    /* Called now and then, by one thread at a time; may be null. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
};

struct egret_identified {
    uint32_t verdict; /* enum egret_verdict */
    uint32_t groups;  /* functions among the candidates */
    uint64_t found;   /* candidates, of which `listed` are kept */
    uint32_t listed;
    struct egret_candidate candidate[EGRET_IDENTIFY_LISTED];
    uint32_t members; /* that were assumed, 0 for hashes */
    uint8_t member[256];
    size_t distinct;  /* observations that differ in a field */
    uint32_t varying; /* EGRET_FIELD_* that differ between observations */
    uint32_t bits;   /* what the observations say: distinct - 1 times log2(members), rounded down */
    uint32_t needed; /* bits below which nothing is said to be identified */
    bool all_seeds;  /* all 2^32 seeds of lookup3 were tried, for these: */
    uint32_t seed_fields;
    uint32_t seed_layouts;    /* a bit for each enum egret_hash_layout */
    uint32_t lookup3_buckets; /* of the largest table that was tried with lookup3; 0: none was */
    bool affine;              /* EGRET_NO_HASH: all choices are one affine function of the fields */
    uint32_t unsure_tables;   /* that agree, but have buckets seen only once: not counted */
    uint64_t clash[2];        /* lines that differ in the value alone; 0 if there are none */
};

/* Sorts the observations and drops repetitions, then searches. *out is large: give it memory of its
 * own. EGRET_ERR_RANGE for a bad setup; EGRET_ERR_MEMORY. */
int egret_identify(struct egret_observations *o, const struct egret_identify_setup *setup,
                   struct egret_identified *out, struct egret_trace_error *err);

#ifdef __cplusplus
}
#endif
#endif
