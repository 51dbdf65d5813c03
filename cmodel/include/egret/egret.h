/* SPDX-License-Identifier: Apache-2.0 */
/*
 * egret.h: switch egress selection as a function of one totally ordered stream of events.
 *
 * Everything that can change a decision is an event (docs/spec/events.md). A selector takes the
 * events in order and gives a decision for each packet, and the data for each configuration read.
 * The model behind egret_create() mirrors rtl/egret_core.v to the bit; rtl:CONFIG and check:CONFIG
 * (egret/selector.h) stand behind the same calls.
 *
 * No function does I/O, keeps a global or allocates after egret_create(). 0 is success, a negative
 * value is an enum egret_err; outputs are untouched on error. One instance belongs to one thread.
 */
#ifndef EGRET_EGRET_H
#define EGRET_EGRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_API_VERSION 1

#define EGRET_MAX_PORTS 64
#define EGRET_NUM_BANDS 8 /* quality bands of a port; 0 is the emptiest */
/* Bytes of the hash record: source address 16, destination address 16, protocol 1, source port 2,
 * destination port 2, destination QP 3, BTH opcode 1. IPv4 addresses are left-aligned; absent
 * fields are zero in place. Multi-byte fields are in network order. Byte 0 is the most significant
 * byte of the RTL's req_record_i. */
#define EGRET_RECORD_BYTES 41
#define EGRET_NOW_BITS 48
#define EGRET_PORT_DROP 0xffu /* egret_decision.port and .choice of a drop */

enum egret_err {
    EGRET_OK = 0,
    EGRET_ERR_NULL = -1,     /* a required pointer is null */
    EGRET_ERR_CONFIG = -2,   /* a configuration parameter is out of range */
    EGRET_ERR_MEMORY = -3,   /* allocation failed */
    EGRET_ERR_EVENT = -4,    /* unknown event kind */
    EGRET_ERR_RANGE = -5,    /* an argument is out of range for the configuration */
    EGRET_ERR_INTERNAL = -6, /* a selector failed: RTL time-out, assertion */
    EGRET_ERR_DIFFER = -7    /* check: the two selectors differ */
};

enum egret_hash_kind {
    EGRET_HASH_KIND_FIXED = 0,
    EGRET_HASH_KIND_MATRIX = 1,
    EGRET_HASH_KIND_LOOKUP3 = 2
};

/* A hardware configuration: the parameters of egret_core (configs.mk states the ranges). */
struct egret_cfg {
    char name[32];
    uint32_t num_ports;
    uint32_t num_groups;
    uint32_t num_keys;
    uint32_t num_bins;
    uint32_t num_rows;
    uint32_t row_len;
    uint32_t num_buckets;
    uint32_t hash_kind; /* enum egret_hash_kind */
    uint32_t rsp_depth;
    uint32_t schemes; /* bit c: the configuration has scheme c, enum egret_scheme */
    uint32_t num_flowlets; /* 0 without scheme flowlet */
    uint32_t parity;       /* 1: tables and counters have parity, docs/spec/faults.md */
};

enum egret_event_kind {
    EGRET_EV_PACKET = 0,
    EGRET_EV_WRITE = 1,
    EGRET_EV_READ = 2,
    EGRET_EV_PORT = 3,
    EGRET_EV_QUEUE = 4,
    EGRET_EV_TICK = 5,
    EGRET_EV_FAULT = 6 /* a write that leaves bad parity behind (docs/spec/faults.md) */
};

/* One event. `now` is nanoseconds of the stimulus (48 bits are kept); it is payload, never a clock.
 * Values of group, key, bin and port beyond the configuration are legal input with a defined
 * result (docs/spec/events.md). */
struct egret_event {
    uint64_t now;
    union {
        uint32_t tag;  /* PACKET: comes back unchanged */
        uint32_t addr; /* WRITE, READ, FAULT: word address, 24 bits (egret/regs.h); a read's tag */
        uint32_t port; /* PORT, QUEUE: port number, 8 bits */
    };
    union {
        uint32_t entropy; /* PACKET: entropy field, right-aligned */
        uint32_t data;    /* WRITE, FAULT */
        uint32_t up;      /* PORT: bit 0: 1 up, 0 down; the others are ignored */
        uint32_t depth;   /* QUEUE: occupancy in bytes, saturated by the sender */
    };
    uint16_t group;  /* PACKET: next-hop group */
    uint16_t key;    /* PACKET: rotation key (destination edge or pod) */
    uint16_t length; /* PACKET: bytes on the wire without FCS */
    uint8_t kind;    /* enum egret_event_kind */
    uint8_t bin;     /* PACKET: size bin */
    uint8_t cls;     /* PACKET: class, 4 bits */
    uint8_t record[EGRET_RECORD_BYTES];
};

enum egret_scheme {
    EGRET_SCHEME_NONE = 0,
    EGRET_SCHEME_ECMP = 1,
    EGRET_SCHEME_SPRAY_RR = 2,
    EGRET_SCHEME_DR = 3,
    EGRET_SCHEME_FIXED = 4,
    EGRET_SCHEME_ENTROPY = 5,
    EGRET_SCHEME_SPRAY_RANDOM = 6,
    EGRET_SCHEME_SPRAY_QUALITY = 7,
    EGRET_SCHEME_FLOWLET = 8
};
#define EGRET_NUM_SCHEMES 8 /* codes 1..8 */

/* What a packet of scheme flowlet found in its entry (docs/spec/flowlet.md). */
enum egret_flowlet_outcome {
    EGRET_FLOWLET_HIT = 0,     /* its flow, not expired: keeps its port */
    EGRET_FLOWLET_NEW = 1,     /* nothing, or its flow expired: a new path */
    EGRET_FLOWLET_EVICT = 2,   /* another flow, expired: takes its place with a new path */
    EGRET_FLOWLET_CONFLICT = 3 /* another flow, not expired: goes as by ecmp */
};

enum egret_result_kind { EGRET_RES_NONE = 0, EGRET_RES_PACKET = 1, EGRET_RES_READ = 2 };

enum egret_reason {
    EGRET_REASON_CHOSEN = 0,      /* the scheme's own choice */
    EGRET_REASON_REPAIRED = 1,    /* the choice was no live member: the k-th live member instead */
    EGRET_REASON_DROP_EMPTY = 2,  /* the group has no member */
    EGRET_REASON_DROP_DOWN = 3,   /* no member is live */
    EGRET_REASON_DROP_SCHEME = 4, /* the group's scheme is unknown to this configuration */
    EGRET_REASON_DROP_INDEX = 5,  /* group, key or bin beyond the configuration */
    EGRET_REASON_DROP_FAULT = 6   /* parity of the group, or of the hash matrix, is bad */
};

/* The result of one event: 16 bytes. For kind NONE every other field is zero. */
struct egret_decision {
    uint32_t tag;   /* PACKET: the event's tag; READ: the address */
    uint32_t data;  /* READ: the word; PACKET: ecmp and fixed the 32-bit hash, rotation the old
                       pointer entry, entropy {hash[31:16], slice 16}, spray-random the random
                       number, spray-quality the random number, of small packets the
                       hash, flowlet {outcome 2, 0 14, entry's index 16}; 0 for drops INDEX,
                       EMPTY, SCHEME and FAULT */
    uint8_t kind;   /* enum egret_result_kind */
    uint8_t port;   /* egress port, EGRET_PORT_DROP for a drop */
    uint8_t choice; /* the scheme's choice before live repair, EGRET_PORT_DROP for a drop */
    uint8_t scheme; /* scheme code that the group has for the packet's class, EGRET_SCHEME_NONE if
                       the group is out of range */
    uint8_t reason; /* enum egret_reason */
    uint8_t pad[3]; /* zero */
};

struct egret; /* opaque */

/* Fills *out with the named configuration of configs.mk. EGRET_ERR_CONFIG if there is none. */
int egret_cfg_named(const char *name, struct egret_cfg *out);
/* Name of configuration number i of configs.mk, or null past the last one. */
const char *egret_cfg_name(size_t i);
/* Checks every parameter; on EGRET_ERR_CONFIG *param (may be null) names the first bad one. */
int egret_cfg_check(const struct egret_cfg *cfg, const char **param);
/* Clocks from the transfer of a packet to the first valid of its result with nothing waiting: 10,
 * 4 more with spray-quality or flowlet, 26 more with lookup3. cfg may not be null; nothing but
 * schemes and hash_kind is looked at. */
uint32_t egret_cfg_latency(const struct egret_cfg *cfg);

/* Creates a selector in its state after reset: all tables zero, all ports up. EGRET_ERR_NULL,
 * EGRET_ERR_CONFIG as egret_cfg_check(), EGRET_ERR_MEMORY. */
int egret_create(const struct egret_cfg *cfg, struct egret **out);
/* Frees it; null is allowed. */
void egret_destroy(struct egret *e);
/* Back to the state after reset. EGRET_ERR_NULL. */
int egret_reset(struct egret *e);
/* The configuration it was created with, valid until egret_destroy(); null for null. */
const struct egret_cfg *egret_config(const struct egret *e);

/* Applies one event. *out is always written on success (kind NONE for events without a result).
 * EGRET_ERR_NULL, EGRET_ERR_EVENT; then no state has changed. */
int egret_apply(struct egret *e, const struct egret_event *ev, struct egret_decision *out);
/* Applies n events; equals n calls of egret_apply(), faster. out has n elements. Stops at the first
 * bad event; *done (may be null) is the number applied. */
int egret_apply_burst(struct egret *e, const struct egret_event *ev, size_t n,
                      struct egret_decision *out, size_t *done);
/* n tick events with nothing between them, the last one at time `now` (ns, modulo 2^48); equals n
 * calls of egret_apply() in all that can be seen, faster: once a tick leaves all loads as they are,
 * the others are counted only. So any n takes the time of a few dozen ticks at usual exponents, of
 * less than half a million at the largest, 15. n = 0 changes nothing, `now` included.
 * EGRET_ERR_NULL. */
int egret_ticks(struct egret *e, uint64_t n, uint64_t now);

/* What would be decided for a packet now, and why; no state changes. */
struct egret_why {
    uint32_t scheme;
    uint32_t hash;          /* hash of the record (all schemes) */
    uint32_t bucket;        /* ecmp, fixed, entropy, small packets of spray-quality, flowlet in a
                               conflict: bucket index */
    uint32_t random;        /* spray-random, spray-quality, flowlet's new path: the packet's random
                               number */
    uint32_t pointer;       /* word address (egret/regs.h) of the pointer, the flowlet entry or
                               DRILL's memory, or 0 */
    uint32_t old_entry;     /* rotation: {epoch 12, wraps 12, offset 8}, flowlet: word 0, DRILL:
                               the memory; before */
    uint32_t new_entry;     /* the same after */
    uint32_t row;           /* rotation: schedule row */
    uint32_t slot;          /* rotation: effective offset */
    uint32_t outcome;       /* flowlet: enum egret_flowlet_outcome */
    uint32_t flowlet;       /* flowlet: index of the entry */
    uint32_t flow_tag;      /* flowlet: the packet's tag, 12 bits */
    uint32_t time;          /* flowlet: the packet's time, 24 bits, units of 16 ns */
    uint32_t old_last;      /* flowlet: the entry's time before */
    uint32_t new_last;      /* flowlet: after */
    uint32_t age;           /* flowlet: time - old_last modulo 2^24, 0 if it stepped back */
    bool expired;           /* flowlet: age > idle */
    uint64_t candidates;    /* flowlet's new path, spray-quality: live members that it is one of */
    uint32_t rank;          /* and which: (random[31:16] * their number) >> 16 */
    uint32_t sample[2];     /* DRILL: ports sampled */
    uint32_t band;          /* spray-quality: band in force of the choice */
    uint32_t choice;        /* before repair */
    uint32_t repair_random; /* r, 16 bits */
    uint32_t live_count;    /* L */
    uint32_t repair_rank;   /* k = (r * L) >> 16 */
    uint32_t faults;        /* bit enum egret_fault_table (egret/regs.h): a bad entry that it meets
                               there, and takes notice of */
    uint64_t members;
    uint64_t live_members;
    struct egret_decision decision;
};
/* Fills *out for a packet event, without any change of state. EGRET_ERR_NULL; EGRET_ERR_EVENT if ev
 * is no packet. */
int egret_explain(const struct egret *e, const struct egret_event *ev, struct egret_why *out);

/* Name of an enum egret_scheme: "ecmp", "spray-rr", "dr", "fixed", "entropy", "spray-random",
 * "spray-quality", "flowlet", "none"; null if unknown. */
const char *egret_scheme_name(unsigned scheme);
/* The scheme of such a name. EGRET_ERR_NULL; EGRET_ERR_RANGE if unknown. */
int egret_scheme_by_name(const char *name, unsigned *scheme);
/* Name of an enum egret_reason: "chosen", "repaired", "drop-empty", "drop-down", "drop-scheme",
 * "drop-index", "drop-fault"; null if unknown. */
const char *egret_reason_name(unsigned reason);
/* Name of an enum egret_flowlet_outcome: "hit", "new", "evict", "conflict"; null if unknown. */
const char *egret_flowlet_outcome_name(unsigned outcome);
/* A few words for an enum egret_err, without a final newline; never null. */
const char *egret_strerror(int err);

#ifdef __cplusplus
}
#endif
#endif
