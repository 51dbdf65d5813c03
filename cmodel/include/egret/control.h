/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.h: the control side: turns settings into configuration writes (egret/regs.h).
 *
 * A builder checks its arguments against the configuration, then hands its writes one by one, in
 * the order in which they must be applied, to a callback. Nothing allocates; arrays are the
 * caller's. A builder that returns an error before its first write has emitted nothing; an error of
 * the callback stops it and is returned unchanged.
 */
#ifndef EGRET_CONTROL_H
#define EGRET_CONTROL_H

#include "egret/egret.h"
#include "egret/hash.h"
#include "egret/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes one write; returns EGRET_OK to go on. */
typedef int (*egret_emit_fn)(void *ctx, uint32_t addr, uint32_t data);

/* A buffer of writes in the caller's memory, for use as `ctx` of egret_emit_buffer(). */
struct egret_write {
    uint32_t addr;
    uint32_t data;
};
struct egret_write_buffer {
    struct egret_write *write;
    size_t capacity;
    size_t count; /* the caller sets 0 */
};
/* An egret_emit_fn that appends; EGRET_ERR_RANGE when the buffer is full. */
int egret_emit_buffer(void *ctx, uint32_t addr, uint32_t data);
/* An egret_emit_fn whose ctx is a struct egret: applies the write at once (now = 0). */
int egret_emit_apply(void *ctx, uint32_t addr, uint32_t data);
/* The same as a fault write: what a builder writes has bad parity then. */
int egret_emit_fault(void *ctx, uint32_t addr, uint32_t data);

/* ---- what a write does ---- */

/* Would a write of `data` to `addr` take effect in this configuration? EGRET_OK if so (also for the
 * front end's addresses). EGRET_ERR_RANGE if it would be ignored and counted; *param (may be null)
 * then names what forbids it: a parameter of configs.mk ("NUM_BUCKETS", "NUM_PORTS", "HASH_KIND",
 * ...), "read-only" or "address" (exists in no configuration). Bits 31..24 of addr are ignored. */
int egret_ctl_check_write(const struct egret_cfg *cfg, uint32_t addr, uint32_t data,
                          const char **param);
/* Would a fault write (EGRET_EV_FAULT, docs/spec/faults.md) take effect? As a write, and also at
 * counters that exist; without parity none does, and *param names "PARITY". */
int egret_ctl_check_fault(const struct egret_cfg *cfg, uint32_t addr, uint32_t data,
                          const char **param);

/* ---- hash ---- */

/* Writes for one hash setup. HASH_KIND fixed: crc16 and crc32c over the record layout. lookup3:
 * lookup3 over the record layout. matrix: everything but lookup3 (1312 matrix writes and the
 * seed). EGRET_ERR_RANGE for what the configuration lacks; *param (may be null) names it:
 * "algorithm", "layout", "fields", "rotation", "key". */
int egret_ctl_hash(const struct egret_cfg *cfg, const struct egret_hash_setup *setup,
                   egret_emit_fn emit, void *ctx, const char **param);
/* Only the seed of a setup whose other writes have been made: one write, any HASH_KIND. */
int egret_ctl_hash_seed(const struct egret_cfg *cfg, const struct egret_hash_setup *setup,
                        egret_emit_fn emit, void *ctx, const char **param);

/* ---- groups ---- */

struct egret_group {
    uint32_t scheme;      /* 4-bit code, enum egret_scheme; others are legal and drop */
    uint32_t ordered;     /* scheme of packets whose class keeps order; 0: the same */
    uint32_t entropy_offset; /* entropy: lowest bit of the slice, 0..31 */
    uint32_t bank;        /* schedule bank, 0 or 1 */
    uint32_t wraps;       /* R: wraps before a redraw, 0..15, 0 never */
    uint32_t last;        /* last slot of a row, 0..ROW_LEN-1 (row length less 1) */
    uint32_t row_base;    /* 0..NUM_ROWS-1 */
    uint32_t row_mask;    /* 2^n - 1, less than NUM_ROWS */
    uint32_t bucket_base; /* 0..NUM_BUCKETS-1 */
    uint32_t bucket_mask; /* 2^n - 1, less than NUM_BUCKETS */
    uint64_t members;     /* bit p: port p; only ports below NUM_PORTS */
    /* flowlet: its slice of the table, all 0 without it */
    uint32_t flowlet_base;    /* 0..NUM_FLOWLETS-1 */
    uint32_t flowlet_mask;    /* 2^n - 1, less than NUM_FLOWLETS */
    uint32_t idle;            /* units of 16 ns, 0..EGRET_IDLE_MAX */
    uint32_t by_quality;      /* 1: a new path is one of the emptiest; needs spray-quality too */
    uint32_t strictly_better; /* 1: and an own one among them is kept; likewise */
    /* spray-quality, 0 without it: DRILL(d, m) */
    uint32_t drill_samples; /* d: 0 all members, 1, 2 */
    uint32_t drill_memory;  /* m: 0, 1 */
};
#define EGRET_IDLE_MAX 0xffffffu
#define EGRET_IDLE_NEVER UINT64_MAX        /* idle time in ns: a flowlet never ends */
#define EGRET_IDLE_MAX_NS (0xfefffeu * 16u) /* the longest with which it ends: 267,386,848 ns */
/* Sets the flowlet slice and idle of *g, emits nothing. The slice has `entries` entries from base
 * on, a power of two, within NUM_FLOWLETS. idle_ns: the longest silence that does not end a
 * flowlet, 0..EGRET_IDLE_MAX_NS or EGRET_IDLE_NEVER; rounded up to 16 ns. EGRET_ERR_RANGE for what
 * is out of range; *param (may be null) names it: "SCHEMES" (no flowlet here), "base", "entries",
 * "idle"; *g is as it was then. */
int egret_ctl_flowlet(const struct egret_cfg *cfg, struct egret_group *g, uint32_t base,
                      uint32_t entries, uint64_t idle_ns, const char **param);
/* Two writes: entry `index` holds a flow of `tag` (12 bits) on `port` whose last packet came at
 * `last` (24 bits, now >> 4). EGRET_ERR_RANGE if anything is out of range. */
int egret_ctl_flowlet_entry(const struct egret_cfg *cfg, uint32_t index, uint32_t tag,
                            uint32_t port, uint32_t last, egret_emit_fn emit, void *ctx);
/* One write an entry: `entries` entries from base on, within NUM_FLOWLETS, hold no flow. */
int egret_ctl_flowlet_clear(const struct egret_cfg *cfg, uint32_t base, uint32_t entries,
                            egret_emit_fn emit, void *ctx);
/* Four stage writes, six with flowlet or spray-quality, and the commit. EGRET_ERR_RANGE if anything
 * is out of its range above. */
int egret_ctl_group(const struct egret_cfg *cfg, uint32_t group, const struct egret_group *g,
                    egret_emit_fn emit, void *ctx);
/* One write: the seed of the rotation draws. */
int egret_ctl_draw_seed(const struct egret_cfg *cfg, uint32_t seed, egret_emit_fn emit, void *ctx);
/* One write: which classes keep order, bit c for class c. */
int egret_ctl_class_ordered(const struct egret_cfg *cfg, uint32_t classes, egret_emit_fn emit,
                            void *ctx);
/* One write: the state of the random number generator (SAI_ARS_PROFILE_ATTR_ARS_RANDOM_SEED); 0 is
 * the state after reset. EGRET_ERR_RANGE if the configuration has no generator: none of
 * spray-random, spray-quality and flowlet. */
int egret_ctl_random_seed(const struct egret_cfg *cfg, uint32_t seed, egret_emit_fn emit,
                          void *ctx);
/* One write: a pointer entry. which: EGRET_SCHEME_DR uses key and bin; EGRET_SCHEME_SPRAY_RR uses
 * key as the group. epoch and wraps 0..4095, offset 0..ROW_LEN-1. */
int egret_ctl_pointer(const struct egret_cfg *cfg, uint32_t which, uint32_t key, uint32_t bin,
                      uint32_t epoch, uint32_t wraps, uint32_t offset, egret_emit_fn emit,
                      void *ctx);

/* ---- port loads (docs/spec/load.md) ---- */

#define EGRET_LOAD_FULL 16384u  /* metric of a port that is full: 100 % */
#define EGRET_LOAD_NEVER 65535u /* as a threshold: out of reach while weights add up to 256 */
#define EGRET_LOAD_MAX_EXPONENT 15u
#define EGRET_LOAD_MAX_WEIGHT 511u
#define EGRET_LOAD_MAX_SPEED 10000000000000ull /* bit/s */
#define EGRET_LOAD_MAX_PERIOD 1000000000u      /* ns */

/* How loads are measured, for all ports. The period has no register: it is how far apart whoever
 * sends the ticks puts them. */
struct egret_load {
    uint32_t period_ns;     /* from tick to tick, 1..EGRET_LOAD_MAX_PERIOD */
    uint32_t exponent;      /* the average discounts 1 / 2^exponent a tick, 0..15; 0: no average */
    uint32_t weight_past;   /* of bytes sent, in 1 / 256, 0..511 */
    uint32_t weight_future; /* of bytes queued, likewise */
    uint32_t small;         /* spray-quality hashes packets shorter than this, 0..65535 */
    uint32_t threshold[EGRET_NUM_BANDS - 1]; /* where band i + 1 begins, 0..65535 */
};
/* Fills *out with published settings: "sai", "cisco-aci", "cisco-nxos", "conga", "htsim-ar".
 * EGRET_ERR_RANGE for another name. */
int egret_load_preset(const char *name, struct egret_load *out);
/* Name of preset i, or null past the last one. */
const char *egret_load_preset_name(size_t i);
/* Sets the weights in proportion to past and future, of any unit, so that they add up to 256.
 * EGRET_ERR_RANGE if both are 0. */
int egret_load_weights(struct egret_load *load, uint32_t past, uint32_t future);
/* Sets the thresholds at n <= 7 percentages of full scale; with `steps` each is what it adds to the
 * one before, as in Cisco's dre-thresholds. Those beyond n become EGRET_LOAD_NEVER. EGRET_ERR_RANGE
 * for more than 7, for a fall, and for more than 100 % in all; nothing is set then. */
int egret_load_percent(struct egret_load *load, const uint32_t *percent, size_t n, bool steps);
/* The same from rates in Mbit/s on a port of bits_per_second, as in SAI's
 * QUANT_BAND_1..7_MIN_THRESHOLD. EGRET_ERR_RANGE for more than 7, a fall, a rate beyond the speed,
 * or a speed of 0 or beyond EGRET_LOAD_MAX_SPEED. */
int egret_load_mbps(struct egret_load *load, const uint32_t *mbps, size_t n,
                    uint64_t bits_per_second);
/* *bytes: the average of a port that is full: speed * period * 2^exponent. EGRET_ERR_RANGE if an
 * argument is 0 or beyond its range, or if the result is below 1 or needs more than 32 bits; *param
 * (may be null) names "speed", "period" or "exponent". */
int egret_load_full_bytes(uint64_t bits_per_second, uint32_t period_ns, uint32_t exponent,
                          uint32_t *bytes, const char **param);
/* Ten writes: exponent, weights, QUALITY_SMALL, thresholds. EGRET_ERR_RANGE without spray-quality,
 * or beyond a range above; *param (may be null) names "SCHEMES", "exponent", "weight", "small" or
 * "threshold". */
int egret_ctl_load(const struct egret_cfg *cfg, const struct egret_load *load, egret_emit_fn emit,
                   void *ctx, const char **param);
/* Two writes: the scales that make the average of a full port, and a queue of buffer_bytes, 16384.
 * A full average or buffer below 16385 bytes, for which a scale would need more than 16 bits, gets
 * the largest. buffer_bytes 1..2^32-1, or 0 for no queue where the future weighs nothing.
 * EGRET_ERR_RANGE; *param (may be null) names "SCHEMES", "port", "buffer", or as
 * egret_load_full_bytes(). */
int egret_ctl_port_load(const struct egret_cfg *cfg, uint32_t port, uint64_t bits_per_second,
                        uint64_t buffer_bytes, const struct egret_load *load, egret_emit_fn emit,
                        void *ctx, const char **param);
/* One write: DRILL's memory of a group; valid 0 or 1. EGRET_ERR_RANGE without spray-quality, or for
 * a group or port beyond the configuration. */
int egret_ctl_drill_memory(const struct egret_cfg *cfg, uint32_t group, uint32_t valid,
                           uint32_t port, egret_emit_fn emit, void *ctx);

/* ---- members and weights ---- */

struct egret_member {
    uint32_t port;   /* below NUM_PORTS, no port twice */
    uint32_t weight; /* 1..2^24 */
};

/* A bucket table in the caller's memory. home: the member index that a bucket belongs to with all
 * members live; now: the one it points to. */
struct egret_buckets {
    uint32_t base;  /* first bucket */
    uint32_t count; /* a power of two; base + count within NUM_BUCKETS */
    uint32_t num_members; /* 1..EGRET_MAX_PORTS, at most count */
    struct egret_member member[EGRET_MAX_PORTS];
    uint64_t live;  /* bit i: member i is live; set by the functions below */
    uint8_t *home;  /* count elements */
    uint8_t *now;   /* count elements */
};
/* Fills home and now from base, count, members and weights, all live, and emits every bucket. Each
 * member's number of buckets is count * weight / sum of weights, rounded by largest remainder (ties
 * to the lower member index). */
int egret_ctl_buckets(const struct egret_cfg *cfg, struct egret_buckets *b, egret_emit_fn emit,
                      void *ctx);
/* Takes a member out, or back in, by its port. Emits only the buckets that move: those that pointed
 * to a member that is not live go to the live member that has the fewest buckets for its weight;
 * a member that comes back gets exactly its home buckets. With no live member left nothing moves.
 * EGRET_ERR_RANGE if the port is no member. Repeating a call changes nothing. */
int egret_ctl_member_lost(const struct egret_cfg *cfg, struct egret_buckets *b, uint32_t port,
                          egret_emit_fn emit, void *ctx);
/* Back in; as egret_ctl_member_lost() above. */
int egret_ctl_member_back(const struct egret_cfg *cfg, struct egret_buckets *b, uint32_t port,
                          egret_emit_fn emit, void *ctx);

/* ---- schedule rows ---- */

/* Interleaved weighted round robin: weights are divided by their greatest common divisor; round j
 * (from 1) takes the members with weight >= j in the order given. slot gets ports, *len their
 * number. Equal weights: the order itself. num_members 1..EGRET_MAX_PORTS. EGRET_ERR_RANGE if the
 * slots would exceed `capacity`, or a member is out of range, or a port is there twice. */
int egret_iwrr(const struct egret_member *member, uint32_t num_members, uint8_t *slot,
               size_t capacity, size_t *len);
/* Puts the members, 0 or more, into a random order that depends on seed and row only
 * (Fisher-Yates). */
void egret_shuffle(struct egret_member *member, uint32_t num_members, uint32_t seed, uint32_t row);
/* One row: emits slot[0..len-1], ports below NUM_PORTS, to bank 0 or 1 and row 0..NUM_ROWS-1; len
 * is 1..ROW_LEN. EGRET_ERR_RANGE for anything beyond. */
int egret_ctl_row(const struct egret_cfg *cfg, uint32_t bank, uint32_t row, const uint8_t *slot,
                  size_t len, egret_emit_fn emit, void *ctx);
/* num_rows rows from row_base: each an own random order (egret_shuffle with `seed` and the row's
 * number) of the members, interleaved by weight. *last (may be null) is what struct egret_group
 * wants. EGRET_ERR_RANGE if the sum of weights over their gcd exceeds ROW_LEN, or a row or member
 * is out of range, or a port is there twice. */
int egret_ctl_schedule(const struct egret_cfg *cfg, uint32_t bank, uint32_t row_base,
                       uint32_t num_rows, const struct egret_member *member, uint32_t num_members,
                       uint32_t seed, egret_emit_fn emit, void *ctx, uint32_t *last);

#ifdef __cplusplus
}
#endif
#endif
