/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_options.h: options of the commands that write the traffic at one switch.
 */
#ifndef EGRET_MAKE_OPTIONS_H
#define EGRET_MAKE_OPTIONS_H

#include "cli.h"
#include "config_file.h"
#include "egret/trace_make.h"

struct make_options {
    const char *topology;
    const char *collective;
    const char *at;
    const char *scheme;
    const char *placement;
    const char *config;
    const char *config_file;
    struct cli_setup file; /* what it says */
    const char *hash;
    const char *fields;
    const char *layout;
    const char *key;
    const char *source_port;
    const char *write;
    const char *ordered_scheme;
    const char *flowlet;
    const char *flowlet_idle;
    const char *flowlet_path;
    const char *output;
    uint64_t bytes;
    uint64_t rate;
    uint64_t payload;
    uint64_t rounds;
    uint64_t limit;
    uint64_t zero_size;
    uint32_t rotation;
    uint32_t agg_rotation;
    uint32_t hash_seed;
    uint32_t seed;
    const char *stress;
    const char *load;
    const char *drill;
    uint64_t ordered_below;
    uint64_t flowlet_entries; /* NOT_GIVEN, likewise below */
    uint64_t small;
    uint64_t period;
    uint64_t buffer;
    bool entropy_swap;
    bool no_acks;
    bool same_pointer;
};

#define NOT_GIVEN UINT64_MAX
#define DEFAULT_LOAD "htsim-ar"
#define DEFAULT_BUFFER 800000u
#define DEFAULTS                                                                                   \
    .payload = 4096, .seed = 1, .flowlet_entries = NOT_GIVEN, .small = NOT_GIVEN,                  \
    .period = NOT_GIVEN, .buffer = NOT_GIVEN
#define SCHEMES_TEXT "ecmp, spray-rr, dr, fixed, entropy, spray-random, spray-quality or flowlet"

#define COMMON_OPTIONS(o)                                                                          \
    {"topology", CLI_TEXT, &(o).topology, "T", "fat-tree:K, leaf-spine:L,S,H, or FILE.topo"}, \
        {"at", CLI_TEXT, &(o).at, "SWITCH", "edge:N or agg:N, N over all pods"},                   \
        {"scheme", CLI_TEXT, &(o).scheme, "S", SCHEMES_TEXT},                                      \
        {"write", CLI_TEXT, &(o).write, "W",                                                       \
         "data is RDMA WRITE only, or first-middle-last, which keeps order (only)"},               \
        {"ordered-scheme", CLI_TEXT, &(o).ordered_scheme, "S",                                     \
         "of what keeps order: ecmp, fixed, entropy or flowlet (ecmp)"},                           \
        {"ordered-below", CLI_U64, &(o).ordered_below, "N",                                        \
         "packets shorter than this keep order, too (0)"},                                         \
        {"flowlet", CLI_TEXT, &(o).flowlet, "P",                                                   \
         "flowlet: idle, entries, path and load as sai or cisco; each can be set apart"},          \
        {"flowlet-idle", CLI_TEXT, &(o).flowlet_idle, "NS",                                        \
         "flowlet: ns of silence that do not end one, or never (256000)"},                         \
        {"flowlet-entries", CLI_U64, &(o).flowlet_entries, "N",                                    \
         "flowlet: entries of the uplinks, a power of two (all)"},                                 \
        {"flowlet-path", CLI_TEXT, &(o).flowlet_path, "P",                                         \
         "flowlet: random, quality or better (random)"},                                           \
        {"entropy-swap", CLI_FLAG, &(o).entropy_swap, NULL,                                        \
         "entropy: aggregation switches take the lower slice, edges the one above"},               \
        {"seed", CLI_U32, &(o).seed, "S", "each switch uses it XOR its number (1)"},               \
        {"placement", CLI_TEXT, &(o).placement, "P", "linear or random (linear)"},                 \
        {"rate", CLI_RATE, &(o).rate, "R", "rate of every link: 800G (the topology's)"},           \
        {"payload", CLI_SIZE, &(o).payload, "N", "bytes of data a packet (4096)"},                 \
        {"config", CLI_TEXT, &(o).config, "C",                                                     \
         "configuration (the smaller of lab, tor64 that fits)"},                                   \
        {"config-file", CLI_TEXT, &(o).config_file, "FILE",                                        \
         "settings (docs/config.md) of what no option says"},                                      \
        {"hash", CLI_TEXT, &(o).hash, "A",                                                         \
         "hash algorithm (crc32c; lookup3 where that is built in)"},                               \
        {"fields", CLI_TEXT, &(o).fields, "LIST", "fields hashed, with commas (the 5-tuple)"},     \
        {"layout", CLI_TEXT, &(o).layout, "L", "bytes hashed: record, ipv4-5tuple, ... (record)"}, \
        {"key", CLI_TEXT, &(o).key, "HEX", "key of --hash toeplitz (the published 40 bytes)"},     \
        {"hash-seed", CLI_U32, &(o).hash_seed, "N", "hash seed, XORed with the switch's (0)"},     \
        {"rotation", CLI_U32, &(o).rotation, "N", "right rotation of the hash, 0 to 31 (0)"},      \
        {"agg-rotation", CLI_U32, &(o).agg_rotation, "N",                                          \
         "more of it at aggregation switches, 0 to 31 (0)"},                                       \
        {"source-port", CLI_TEXT, &(o).source_port, "P", "linux, or fixed:PORT (linux)"},          \
        {"load", CLI_TEXT, &(o).load, "P",                                                         \
         "spray-quality: loads as sai, cisco-aci, cisco-nxos, conga or htsim-ar (htsim-ar)"},      \
        {"period", CLI_U64, &(o).period, "NS", "spray-quality: from tick to tick (the load's)"},   \
        {"buffer", CLI_SIZE, &(o).buffer, "SIZE",                                                  \
         "spray-quality: bytes of a full queue (800000)"},                                         \
        {"small", CLI_U64, &(o).small, "N",                                                        \
         "spray-quality: packets shorter than this are hashed (the load's)"},                      \
        {"drill", CLI_TEXT, &(o).drill, "D,M",                                                     \
         "spray-quality: D samples (0: all), M remembered (0,0)"},                                 \
        {"no-acks", CLI_FLAG, &(o).no_acks, NULL, "leave the acknowledgements out"},               \
        {"same-pointer", CLI_FLAG, &(o).same_pointer, NULL,                                        \
         "all packets: one group, key and bin"},                                                   \
        {"stress", CLI_TEXT, &(o).stress, "SEED",                                                  \
         "port, queue, tick, write, read events between"},                                         \
        {"limit", CLI_U64, &(o).limit, "N", "at most N packets; 0: all (0)"},                      \
    {                                                                                              \
        "o", CLI_TEXT, &(o).output, "FILE", "stimulus to write; - is standard output"              \
    }

/* Checks the options, takes what they leave out from --config-file (argv says which are given), and
 * fills t and m. input: a file that is read, or null. Returns -1 to go on, else the exit code. */
int cli_make_prepare(int argc, char **argv, struct make_options *o, const char *input,
                     struct egret_topology *t, struct egret_make *m);
/* Places the schedule, writes the stimulus, frees the schedule; source names it in messages.
 * Returns the exit code. */
int cli_make_write(const struct make_options *o, const char *source, const struct egret_topology *t,
                   struct egret_schedule *w, struct egret_make *m);

#endif
