/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings.h: all settings of one switch, from YAML or from SONiC's config_db.json, as the events
 * that set a selector up.
 *
 * docs/config.md is the reference. One table of keys (cmodel/trace/settings_keys.c) is behind the
 * reader, the writer, the JSON schema and the list of names. Nothing here keeps a global; every
 * count of a file is checked before memory is taken for it.
 */
#ifndef EGRET_SETTINGS_H
#define EGRET_SETTINGS_H

#include "egret/classmap.h"
#include "egret/control.h"
#include "egret/egret.h"
#include "egret/hash.h"
#include "egret/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_SETTINGS_MAX_BYTES (4u << 20) /* of a file */
#define EGRET_SETTINGS_MAX_MBPS 10000000u   /* speed of a port */
#define EGRET_SETTINGS_MAX_ROUTES 4096u

/* The head of every section and item. Bit k of `given`: the file has key k of it (the table is in
 * settings_keys.c), else a default counts. Line 0: not from a file with lines. */
struct egret_settings_at {
    uint32_t given;
    uint32_t line;
    uint32_t column;
};

struct egret_settings_hash {
    struct egret_settings_at at;
    struct egret_hash_setup setup;
};

struct egret_settings_opcode {
    struct egret_settings_at at;
    uint32_t opcode; /* 0..255 */
    uint32_t flags;  /* EGRET_OPCODE_*, 4 bits */
};

struct egret_settings_classes {
    struct egret_settings_at at;
    uint32_t preset;  /* enum egret_settings_classmap */
    uint32_t entropy; /* enum egret_entropy_source */
    uint32_t num_thresholds;
    uint32_t threshold[EGRET_MAX_BINS - 1];
    uint32_t ack_bin;
    uint32_t short_below;
    uint32_t ordered;                     /* CLASS_ORDERED, 16 bits */
    struct egret_settings_opcode *opcode; /* beside those of the preset */
    size_t opcodes;
    struct egret_classmap map; /* what all of it comes to */
};
enum egret_settings_classmap { EGRET_CLASSMAP_DEFAULT = 0, EGRET_CLASSMAP_RDMA = 1 };

struct egret_settings_load {
    struct egret_settings_at at;
    uint32_t preset; /* of egret_load_preset_name() */
    uint32_t period_ns;
    uint32_t exponent;
    uint32_t weight_past;
    uint32_t weight_future;
    uint32_t share_past; /* in any unit, both or none */
    uint32_t share_future;
    uint32_t small;
    uint32_t num_thresholds, num_percent, num_steps, num_mbps; /* one of them at most */
    uint32_t threshold[EGRET_NUM_BANDS - 1];
    uint32_t percent[EGRET_NUM_BANDS - 1];
    uint32_t steps[EGRET_NUM_BANDS - 1];
    uint32_t mbps[EGRET_NUM_BANDS - 1];
    uint32_t mbps_speed;
    uint32_t buffer_bytes;  /* of every port: full scale of its queue */
    struct egret_load load; /* what all of it comes to */
};

struct egret_settings_port {
    struct egret_settings_at at;
    uint32_t port;
    uint32_t last; /* of a range */
    uint32_t up;
    uint32_t speed_mbps;
};

struct egret_settings_member {
    struct egret_settings_at at;
    uint32_t port;
    uint32_t weight;
};

struct egret_settings_buckets {
    struct egret_settings_at at;
    uint32_t base;
    uint32_t count; /* a power of two; 0: the group has none */
};
struct egret_settings_flowlet {
    struct egret_settings_at at;
    uint32_t base;
    uint32_t entries; /* a power of two */
    uint32_t path;    /* enum egret_flowlet_path */
    uint64_t idle_ns; /* or EGRET_IDLE_NEVER */
};
struct egret_settings_drill {
    struct egret_settings_at at;
    uint32_t samples;
    uint32_t memory;
};
struct egret_settings_schedule {
    struct egret_settings_at at;
    uint32_t bank;
    uint32_t row;
    uint32_t rows; /* a power of two; 0: the group has none */
    uint32_t wraps;
    uint32_t length; /* slots a row */
};

struct egret_settings_group {
    struct egret_settings_at at;
    uint32_t id;
    uint32_t scheme;
    uint32_t mode;    /* SAI's, which scheme and path are from */
    uint32_t ordered; /* 0: the same */
    uint32_t entropy_offset;
    struct egret_settings_member *member;
    size_t members;
    struct egret_settings_buckets buckets;
    struct egret_settings_flowlet flowlet;
    struct egret_settings_drill drill;
    struct egret_settings_schedule schedule;
};

struct egret_settings_row {
    struct egret_settings_at at;
    uint32_t bank;
    uint32_t row;
    uint32_t num_slots;
    uint32_t slot[256]; /* ports */
};

struct egret_settings_route {
    struct egret_settings_at at;
    uint32_t family; /* 4 or 6 */
    uint32_t length; /* of the prefix, bits */
    uint8_t prefix[16];
    uint32_t group;
    uint32_t key;
    uint32_t order; /* in the file */
};

struct egret_settings {
    struct egret_settings_at at;
    struct egret_cfg cfg;   /* the hardware configuration */
    uint32_t seed;          /* of draws and schedules */
    uint32_t random_seed;   /* of the random number generator */
    uint32_t default_group; /* of packets without a route */
    uint32_t default_key;
    struct egret_settings_hash hash;
    struct egret_settings_classes classes;
    struct egret_settings_load load;
    struct egret_settings_port *port;
    size_t ports;
    struct egret_settings_group *group;
    size_t groups;
    struct egret_settings_row *row; /* schedule rows, slot by slot */
    size_t rows;
    struct egret_settings_route *route; /* longest prefix first */
    size_t routes;
    /* By port: what `port` and the defaults come to. */
    bool port_down[EGRET_MAX_PORTS];
    uint32_t speed_mbps[EGRET_MAX_PORTS];
};

/* Does the file have this key: "seed", "hash.rotation", "load.period"? Of the top level, hash,
 * classes and load. */
bool egret_settings_has(const struct egret_settings *s, const char *path);

/* Reads YAML; "-" is standard input. 0, or a negative enum egret_err with
 * "FILE:LINE:COLUMN: reason" in err (may be null); then *out is empty. */
int egret_settings_load(const char *path, struct egret_settings *out,
                        struct egret_trace_error *err);
/* Likewise from n bytes; name is for messages. */
int egret_settings_parse(const char *text, size_t n, const char *name, struct egret_settings *out,
                         struct egret_trace_error *err);
/* Takes one line about a table or an attribute that does nothing here. */
typedef void (*egret_note_fn)(void *ctx, const char *text);
/* Reads n bytes of SONiC's config_db.json: PORT, SWITCH_HASH and the ARS tables. `note` (may be
 * null) hears what is ignored. Errors as above, with line and column for JSON's syntax, and
 * "FILE: TABLE|KEY|FIELD: reason" for what it says. */
int egret_sonic_parse(const char *text, size_t n, const char *name, struct egret_settings *out,
                      egret_note_fn note, void *ctx, struct egret_trace_error *err);
/* Reads either: SONiC's if the name ends with .json. */
int egret_settings_open(const char *path, struct egret_settings *out, egret_note_fn note, void *ctx,
                        struct egret_trace_error *err);
/* Frees what they have taken; s is all zero again. */
void egret_settings_free(struct egret_settings *s);

/* Fills in what follows from other settings, and checks all of it against the hardware. The readers
 * have done so. `name` is for messages. */
int egret_settings_resolve(struct egret_settings *s, const char *name,
                           struct egret_trace_error *err);

/* All configuration writes, front end included, in the order in which they must be applied. An
 * error of the callback stops it; settings that have been read give no other. EGRET_ERR_MEMORY. */
int egret_settings_writes(const struct egret_settings *s, egret_emit_fn emit, void *ctx);
/* What the word at an address is: "group 3 word 0, commit". Returns buf. */
const char *egret_settings_address(uint32_t addr, char *buf, size_t n);

/* The settings in full as YAML, which reads back as equal ones. */
void egret_settings_show(const struct egret_settings *s, struct egret_outfile *f);
/* The JSON schema of the YAML. */
void egret_settings_schema(struct egret_outfile *f);
/* The keys and their other names: one line a name, `PATH<tab>NAME<tab>what`. */
void egret_settings_keys(struct egret_outfile *f);

#ifdef __cplusplus
}
#endif
#endif
