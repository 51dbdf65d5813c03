/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h: the state of the model and the primitives that its files share.
 *
 * Two paths compute a decision. The plain path (egret_explain(): decide.c, ecmp.c, rotation.c,
 * spray_rr.c, dr.c, draw.c, live_repair.c) is written in the words of docs/spec; the fast path
 * (apply.c) uses the tables and caches below. A random test holds one against the other.
 */
#ifndef EGRET_INTERNAL_H
#define EGRET_INTERNAL_H

#include "egret/control.h"
#include "egret/egret.h"
#include "egret/hash.h"
#include "egret/regs.h"
#include "parts.h"

#define EGRET_HASH_MAX_WORDS 10
#define EGRET_TABLE_BYTES (EGRET_HASH_MAX_WORDS * 1024) /* where the single bytes' tables start */
#define EGRET_TABLE_ENTRIES (EGRET_TABLE_BYTES + EGRET_RECORD_BYTES * 256)

#define EGRET_MASK40 0xffffffffffull
#define EGRET_MASK48 0xffffffffffffull
#define EGRET_RANDOM_BLOCK 1024u

/* Group words 0..6 without bits that do not exist, and its counters. */
struct egret_group_state {
    uint64_t members;
    uint64_t live; /* members whose port is up */
    uint16_t bank_row; /* first row of the group's bank: 0 or NUM_ROWS */
    uint8_t scheme[2]; /* of packets, and of those whose class keeps order */
    uint8_t act[2];    /* the same; NONE where the configuration lacks it */
    uint8_t fast[2];   /* the same; NONE where the common case of apply.c does not hold */
    uint8_t ordered;   /* word 0 [15:12] */
    uint8_t entropy_offset;
    uint8_t wraps; /* R */
    uint8_t last;
    uint16_t row_base;
    uint16_t row_mask;
    uint16_t bucket_base;
    uint16_t bucket_mask;
    uint16_t flowlet_base;
    uint16_t flowlet_mask;
    uint8_t quality;  /* word 6 [31:24] */
    uint8_t memory;   /* DRILL's: {valid, 0, port 6}; a commit leaves it alone */
    uint32_t idle;
    uint32_t drops;
    uint32_t repairs;
    uint32_t flowlets[5]; /* by enum egret_flowlet_outcome, and EGRET_FLOWLET_REASSIGNED */
    uint8_t num_listed;   /* ports in the list below; 0 if it is out of date */
    uint8_t listed[EGRET_MAX_PORTS]; /* the live members, lowest first */
    /* Those of the least band, likewise; up to date if the stamp is that of the bands. */
    uint8_t num_pooled;
    uint8_t pooled[EGRET_MAX_PORTS];
    uint32_t pool_stamp;
};

/* load.c: what is known of a port, and the registers. The band in force, of each port and as sets
 * of ports, changes at ticks only. */
struct egret_port_scale {
    uint32_t scale;
    uint32_t shift;
};
struct egret_port_load {
    struct egret_port_scale scale[2]; /* past, future */
    uint64_t bytes;                   /* of the port's counter at the last tick */
    uint32_t average;                 /* X */
    uint32_t next;                    /* the band that the next tick puts in force */
};
struct egret_load_state {
    uint32_t stamp;                  /* another one whenever bands change; never 0 */
    uint32_t small;                  /* QUALITY_SMALL */
    uint64_t ports[EGRET_NUM_BANDS]; /* ports by band in force */
    uint8_t band[EGRET_MAX_PORTS];   /* band in force */
    uint32_t exponent;
    uint32_t weight[2]; /* past, future */
    uint32_t threshold[EGRET_NUM_BANDS - 1];
    struct egret_port_load port[EGRET_MAX_PORTS];
};

/* An entry of the flowlet table. */
struct egret_flowlet {
    uint32_t flow; /* {tag 12, valid 1, 0 11, port 8}, msb first: as the hash has its tag */
    uint32_t last; /* time of its last packet, now >> 4: 24 bits of it count */
};
#define EGRET_FLOWLET_TAG 0xfff00000u
#define EGRET_FLOWLET_VALID 0x00080000u
#define EGRET_FLOWLET_PORT 0x000000ffu
#define EGRET_FLOWLET_TIME 0xffffffu
#define EGRET_FLOWLET_BACK 0xff0000u /* an age from here on is time that stepped back */
#define EGRET_FLOWLET_REASSIGNED 4   /* a counter: NEW on another port than the flow had */

/* A pointer: its entry, and a cache of what H draws for it. The cache is valid while tag equals
 * draw_generation | epoch of the entry. */
struct egret_pointer {
    uint32_t entry; /* {epoch 12, wraps 12, offset 8}, msb first */
    uint32_t tag;
    uint32_t draw;  /* D */
    uint32_t pre_y; /* P.y */
};

struct egret_port_counter {
    uint64_t packets; /* kept modulo 2^64, read modulo 2^40 */
    uint64_t bytes;
};

/* How the fast path hashes now. */
enum egret_hash_mode {
    EGRET_MODE_IPV4 = 0,   /* 13 byte tables in the order of the IPv4 5-tuple */
    EGRET_MODE_TABLES = 1, /* byte tables as word_at and byte_at say */
    EGRET_MODE_STALE = 2,  /* byte tables must be rebuilt before use */
    EGRET_MODE_LOOKUP3 = 3
};

struct egret {
    struct egret_cfg cfg;

    /* Set at creation. */
    struct egret_group_state *group; /* NUM_GROUPS */
    uint8_t *bucket;                 /* NUM_BUCKETS */
    uint8_t *schedule;               /* [bank][row][slot] */
    struct egret_pointer *pointer;   /* dr: key * NUM_BINS + bin; then one a group */
    uint32_t (*matrix)[16];          /* [82][16] */
    struct egret_flowlet *flowlet;   /* NUM_FLOWLETS */
    uint8_t *bad;                    /* with parity: a bit an entry, faults.c */
    uint32_t *table;                 /* fast hash, below; null for lookup3 */
    size_t clear_bytes;              /* of the arrays above but table, from group on */
    uint32_t bucket_wrap;            /* NUM_BUCKETS - 1 */
    uint32_t row_wrap;               /* NUM_ROWS - 1 */
    uint32_t flowlet_wrap;           /* NUM_FLOWLETS - 1 */
    uint32_t dr_pointers;            /* NUM_KEYS * NUM_BINS */
    uint64_t port_mask;              /* ports that exist */

    /* Fast hash: the record is looked at in num_words windows of four bytes and num_bytes single
     * ones. table holds four tables of 256 entries a window, then one a single byte. */
    uint32_t mode; /* enum egret_hash_mode */
    uint32_t constant;
    uint32_t num_words;
    uint32_t num_bytes;
    uint8_t word_at[EGRET_HASH_MAX_WORDS]; /* offset in the record */
    uint8_t byte_at[EGRET_RECORD_BYTES];

    /* Everything from here on is zero after reset, but for what egret_reset() sets. */
    uint64_t live;
    uint32_t draw_generation; /* upper 20 bits; moves on with every write of the draw seed */
    uint32_t hash_algorithm;
    uint32_t hash_fields;
    uint32_t hash_seed;
    uint32_t hash_rotation;
    uint32_t draw_seed;
    uint32_t class_ordered; /* in both halves */
    uint64_t random_at;     /* generator state: random[random_at], or so many steps after [0] */
    uint64_t random_known;  /* last element of random that is up to date */
    struct egret_load_state load;
    uint32_t stage[6]; /* words 1..6 */
    uint32_t flowlet_last;
    uint32_t tick_count;
    uint64_t tick_now;
    uint32_t writes_ignored;
    uint32_t events_ignored;
    uint32_t drops_scheme;
    uint32_t drops_index;
    uint32_t num_bad; /* entries with bad parity; while there are any, no case is common */
    uint32_t faults;
    uint32_t fault_tables;
    uint32_t queue[EGRET_MAX_PORTS];
    struct egret_port_counter counter[EGRET_MAX_PORTS];
    uint32_t random[EGRET_RANDOM_BLOCK + 1]; /* [i]: the generator's state i packets after [0] */
};

/* The word of the address map, {valid 1, 0 3, tag 12, 0 8, port 8}, and back. */
static inline uint32_t egret_flowlet_word(uint32_t flow)
{
    return (flow & EGRET_FLOWLET_VALID) << 12 | flow >> 20 << 16 | (flow & EGRET_FLOWLET_PORT);
}
static inline uint32_t egret_flowlet_flow(uint32_t word)
{
    return (word >> 12 & EGRET_FLOWLET_VALID) | (word & 0x0fff0000u) << 4 |
           (word & EGRET_FLOWLET_PORT);
}

static inline uint32_t egret_ror32(uint32_t x, uint32_t n)
{
    n &= 31u;
    return (x >> n) | (x << ((32u - n) & 31u));
}

/* Where the words of regions 3 and 4 are kept. */
static inline uint32_t egret_schedule_index(const struct egret *e, uint32_t offset)
{
    uint32_t row = (offset >> 16) * e->cfg.num_rows + ((offset >> 8) & 0xffu);
    return row * e->cfg.row_len + (offset & 0xffu);
}
static inline uint32_t egret_pointer_index(const struct egret *e, uint32_t offset)
{
    if (offset >= 0x80000u)
        return e->dr_pointers + (offset & 0x7ffffu);
    return (offset >> 4) * e->cfg.num_bins + (offset & 15u);
}

/* regs.c: one configuration write and read. */
void egret_regs_write(struct egret *e, uint32_t addr, uint32_t data);
uint32_t egret_regs_read(const struct egret *e, uint32_t addr);

/* Word 6 [31:24] of a group. */
#define EGRET_QUALITY_NEW 0x01u    /* flowlet: a new path is one of the emptiest */
#define EGRET_QUALITY_STRICT 0x02u /* flowlet: moves only if strictly better */
#define EGRET_QUALITY_STAYS (EGRET_QUALITY_NEW | EGRET_QUALITY_STRICT)
#define EGRET_QUALITY_DRILL_D 0x0cu
#define EGRET_QUALITY_DRILL_M 0x10u
uint32_t egret_quality_bits(const struct egret_cfg *cfg);

/* DRILL's d, of which 3 counts as 2, and m. */
static inline uint32_t egret_drill_samples(const struct egret_group_state *g)
{
    uint32_t d = (g->quality & EGRET_QUALITY_DRILL_D) >> 2;
    return d < 2 ? d : 2;
}
static inline bool egret_drill_remembers(const struct egret_group_state *g)
{
    return g->quality & EGRET_QUALITY_DRILL_M;
}
/* Its memory: valid bit and port; as a word of the address map. */
#define EGRET_MEMORY_KEPT 0x80u
#define EGRET_MEMORY_PORT 0x3fu
static inline uint32_t egret_drill_memory(const struct egret_group_state *g)
{
    return (uint32_t)(g->memory & EGRET_MEMORY_KEPT) << 24 | (g->memory & EGRET_MEMORY_PORT);
}

/* regs.c: sets fast[] of a group, or of all, when what it depends on has changed: the group, its
 * list of live members, how records are hashed. */
void egret_fast_group(const struct egret *e, struct egret_group_state *g);
void egret_fast_groups(struct egret *e);

static inline bool egret_has(const struct egret *e, uint32_t scheme)
{
    return egret_cfg_has(&e->cfg, scheme);
}

/* Does the packet's class keep order? The register is there twice: only 4 bits of a class count. */
static inline uint32_t egret_is_ordered(const struct egret *e, const struct egret_event *ev)
{
    return e->class_ordered >> (ev->cls & 31u) & 1u;
}

/* The generator: xorshift32 (docs/spec/spray-random.md), rtl/egret_spray_random.v. Never 0. */
#define EGRET_RANDOM_START 2463534242u
static inline uint32_t egret_random_step(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}
/* spray_random.c: the state as the packets so far left it; that state replaced; the next packet's
 * number; and, when random_at counts a packet already and is beyond random_known, more numbers. */
uint32_t egret_random_state(const struct egret *e);
void egret_random_set(struct egret *e, uint32_t state);
uint32_t egret_random_next(const struct egret *e);
void egret_random_refill(struct egret *e);

/* draw.c, rtl/egret_draw.v: H in three steps. */
uint32_t egret_draw_pre(uint32_t seed, uint32_t kw); /* {y 16, x 16} */
uint32_t egret_draw_row(uint32_t pre, uint32_t epoch);
uint32_t egret_draw_random(uint32_t pre, uint32_t slot, uint32_t wraps, uint32_t epoch);

/* rotation.c, rtl/egret_rotation.v: the entry after one packet; *slot is the effective offset. */
static inline uint32_t egret_rotation_step(uint32_t entry, uint32_t last, uint32_t wraps_limit,
                                           uint32_t *slot)
{
    uint32_t offset = entry & 0xffu;
    uint32_t wraps = (entry >> 8) & 0xfffu;
    uint32_t epoch = entry >> 20;
    uint32_t eff = offset > last ? 0 : offset;

    *slot = eff;
    if (eff != last)
        return epoch << 20 | wraps << 8 | (eff + 1);
    if (wraps_limit != 0 && wraps >= wraps_limit - 1) {
        wraps = 0;
        epoch = (epoch + 1) & 0xfffu;
    } else {
        wraps = (wraps + 1) & 0xfffu;
    }
    return epoch << 20 | wraps << 8;
}
/* Fills the rotation members and the choice of w. index: into e->pointer. */
void egret_rotation_explain(const struct egret *e, const struct egret_group_state *g,
                            uint32_t index, uint32_t address, uint32_t kw, struct egret_why *w);

/* live_repair.c, rtl/egret_live_repair.v */
uint32_t egret_live_count(uint64_t mask);
uint32_t egret_live_kth(uint64_t mask, uint32_t k); /* k < count */

/* load.c, rtl/egret_load.v: reset, one tick; registers 0x28 and up; offset into the region of port
 * loads, of a port that exists. */
void egret_load_reset(struct egret *e);
void egret_load_tick(struct egret *e);
void egret_load_write_global(struct egret_load_state *l, uint32_t addr, uint32_t data);
uint32_t egret_load_read_global(const struct egret_load_state *l, uint32_t addr);
void egret_load_write_port(struct egret_load_state *l, uint32_t offset, uint32_t data);
uint32_t egret_load_read_port(const struct egret_load_state *l, uint32_t offset);

/* quality.c: those of `live` whose load band is the least among them; 0 for 0. */
uint64_t egret_least_band(const struct egret *e, uint64_t live);

/* ecmp.c, rtl/egret_ecmp.v */
uint32_t egret_ecmp_bucket(uint32_t hash, uint32_t base, uint32_t mask, uint32_t num_buckets);

/* hash.c: hash of a record by the registers as they are, without the tables. */
uint32_t egret_hash_plain(const struct egret *e, const uint8_t record[EGRET_RECORD_BYTES]);
/* hash_matrix.c: rebuilds table and what goes with it; mode becomes IPV4 or
 * TABLES. */
void egret_hash_rebuild(struct egret *e);
/* The XOR of matrix[n][nibble n], rtl/egret_hash_matrix.v */
uint32_t egret_hash_matrix_xor(const uint32_t matrix[EGRET_HASH_NIBBLES][16],
                               const uint8_t record[EGRET_RECORD_BYTES]);

/* faults.c: size of `bad`; the parity of the entry that a word of the address map belongs to; a
 * fault write; an odd number of bad matrix rows for this record; the counter, of five, that a
 * flowlet packet that is sent ticks; any packet while an entry is bad. */
size_t egret_marks_bytes(const struct egret_cfg *cfg);
bool egret_is_bad(const struct egret *e, uint32_t addr);
void egret_set_bad(struct egret *e, uint32_t addr, bool bad);
void egret_regs_fault(struct egret *e, uint32_t addr, uint32_t data);
bool egret_hash_is_bad(const struct egret *e, const uint8_t record[EGRET_RECORD_BYTES]);
uint32_t egret_flowlet_count_of(const struct egret_why *w);
int egret_faulty_packet(struct egret *e, const struct egret_event *ev, struct egret_decision *out);

/* What a packet notices in this table. */
static inline uint32_t egret_fault(const struct egret *e, uint32_t addr, unsigned table)
{
    return egret_is_bad(e, addr) ? (uint32_t)1 << table : 0;
}

/* A scheme of the plain path. choose() fills what egret_why has for it and returns the choice in
 * w->choice, r in w->repair_random, decision.data and, as if it were sent, faults; false if key or
 * bin is out of range. */
struct egret_scheme_ops {
    const char *name;
    bool (*choose)(const struct egret *e, const struct egret_group_state *g,
                   const struct egret_event *ev, struct egret_why *w);
};
extern const struct egret_scheme_ops egret_scheme_ecmp;
extern const struct egret_scheme_ops egret_scheme_spray_rr;
extern const struct egret_scheme_ops egret_scheme_dr;
extern const struct egret_scheme_ops egret_scheme_fixed;
extern const struct egret_scheme_ops egret_scheme_entropy;
extern const struct egret_scheme_ops egret_scheme_spray_random;
extern const struct egret_scheme_ops egret_scheme_spray_quality;
extern const struct egret_scheme_ops egret_scheme_flowlet;
/* Null for a code that is no scheme. */
const struct egret_scheme_ops *egret_scheme_ops(uint32_t scheme);

#endif
