/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_make.c: egret trace make: the traffic at one switch of a topology.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "egret/collective.h"
#include "make_options.h"
#include "make_warn.h"

static int parse_at(const char *text, struct egret_make *m)
{
    uint64_t n;
    bool edge = text && strncmp(text, "edge:", 5) == 0;
    bool agg = text && strncmp(text, "agg:", 4) == 0;
    if (!(edge || agg) || !cli_parse_u64(text + (edge ? 5 : 4), UINT32_MAX, &n)) {
        return cli_usage("--at is edge:N or agg:N");
    }
    m->at_agg = agg;
    m->at = (uint32_t)n;
    return -1;
}

static int parse_source_port(const char *text, struct egret_make *m)
{
    uint64_t n;
    m->source_port = EGRET_SOURCE_PORT_LINUX;
    if (!text || strcmp(text, "linux") == 0) {
        return -1;
    }
    if (strncmp(text, "fixed:", 6) != 0 || !cli_parse_u64(text + 6, 65535, &n)) {
        return cli_usage("--source-port is linux or fixed:PORT");
    }
    m->source_port = (uint32_t)n;
    return -1;
}

/* Which packets keep order, and how. Without any of the options all are of one kind. */
static int parse_order(const struct make_options *o, struct egret_make *m)
{
    bool fml = o->write && strcmp(o->write, "first-middle-last") == 0;
    if (o->write && !fml && strcmp(o->write, "only") != 0) {
        return cli_usage("--write is only or first-middle-last");
    }
    if (o->ordered_below > 65535u) {
        return cli_usage("--ordered-below: 0 to 65535");
    }
    m->write_first_last = fml;
    m->ordered_below = (uint32_t)o->ordered_below;
    m->keep_order = fml || o->ordered_scheme || m->ordered_below != 0;
    m->ordered_scheme = EGRET_SCHEME_ECMP;
    if (o->ordered_scheme) {
        bool known = egret_scheme_by_name(o->ordered_scheme, &m->ordered_scheme) == EGRET_OK;
        switch (known ? m->ordered_scheme : EGRET_SCHEME_NONE) {
        case EGRET_SCHEME_ECMP:
        case EGRET_SCHEME_FIXED:
        case EGRET_SCHEME_ENTROPY:
        case EGRET_SCHEME_FLOWLET:
            break;
        default:
            return cli_usage("--ordered-scheme is one that keeps order: ecmp, fixed, entropy or "
                             "flowlet");
        }
    }
    return -1;
}

/* Published settings; docs/spec/flowlet.md, section 7, says where each is from. */
static const struct flowlet_preset {
    const char *name;
    uint32_t idle_ns;
    uint32_t entries; /* 0: all */
    uint32_t path;
    const char *load;
} flowlet_presets[] = {
    {"sai", EGRET_FLOWLET_IDLE_NS, 512, EGRET_PATH_QUALITY, "sai"},
    {"cisco", 500000, 0, EGRET_PATH_QUALITY, "cisco-nxos"},
};

/* That of --flowlet; null without, or if there is none of that name. */
static const struct flowlet_preset *flowlet_preset(const struct make_options *o)
{
    for (size_t i = 0; i < sizeof flowlet_presets / sizeof flowlet_presets[0]; i++) {
        if (o->flowlet && strcmp(o->flowlet, flowlet_presets[i].name) == 0) {
            return &flowlet_presets[i];
        }
    }
    return NULL;
}

/* Options of scheme flowlet; of another they would do nothing. */
static int parse_flowlet(const struct make_options *o, struct egret_make *m)
{
    static const char *const path[] = {"random", "quality", "better"};
    const struct flowlet_preset *preset = flowlet_preset(o);
    uint64_t entries = o->flowlet_entries;
    m->flowlet_idle = preset ? preset->idle_ns : EGRET_FLOWLET_IDLE_NS;
    m->flowlet_entries = preset ? preset->entries : 0;
    m->flowlet_path = preset ? preset->path : EGRET_PATH_RANDOM;
    if (!egret_make_uses(m, EGRET_SCHEME_FLOWLET)) {
        const char *option = o->flowlet             ? "--flowlet"
                             : o->flowlet_idle      ? "--flowlet-idle"
                             : o->flowlet_path      ? "--flowlet-path"
                             : entries != NOT_GIVEN ? "--flowlet-entries"
                                                    : NULL;
        m->flowlet_path = EGRET_PATH_RANDOM;
        return option ? cli_usage("%s is for --scheme flowlet", option) : -1;
    }
    if (o->flowlet && !preset) {
        return cli_usage("--flowlet is sai or cisco");
    }
    if (o->flowlet_idle && strcmp(o->flowlet_idle, "never") == 0) {
        m->flowlet_idle = EGRET_IDLE_NEVER;
    } else if (o->flowlet_idle &&
               !cli_parse_u64(o->flowlet_idle, EGRET_IDLE_MAX_NS, &m->flowlet_idle)) {
        return cli_usage("--flowlet-idle: 0 to %u ns, or never", EGRET_IDLE_MAX_NS);
    }
    if (entries != NOT_GIVEN) {
        if (entries == 0 || entries > 65536u || (entries & (entries - 1u)) != 0) {
            return cli_usage("--flowlet-entries: a power of two, 1 to 65536");
        }
        m->flowlet_entries = (uint32_t)entries;
    }
    for (uint32_t i = 0; i < 3u; i++) {
        if (o->flowlet_path && strcmp(o->flowlet_path, path[i]) == 0) {
            m->flowlet_path = i;
            return -1;
        }
    }
    return o->flowlet_path ? cli_usage("--flowlet-path is random, quality or better") : -1;
}

static int parse_hash(const struct make_options *o, struct egret_make *m)
{
    struct egret_hash_setup *h = &m->hash;
    size_t n;
    egret_hash_setup_default(h);
    h->seed = o->hash_seed;
    h->rotation = o->rotation;
    if (m->cfg.hash_kind == EGRET_HASH_KIND_LOOKUP3) {
        h->algorithm = EGRET_HASH_LOOKUP3;
    }
    if (o->hash && (egret_hash_algorithm_by_name(o->hash, &h->algorithm) != EGRET_OK ||
                    h->algorithm == EGRET_HASH_MATRIX)) {
        return cli_usage("--hash: unknown algorithm '%s'", o->hash);
    }
    if (o->layout && egret_hash_layout_by_name(o->layout, &h->layout) != EGRET_OK) {
        return cli_usage("--layout: unknown layout '%s'", o->layout);
    }
    if (o->key) {
        if (h->algorithm != EGRET_HASH_TOEPLITZ) {
            return cli_usage("--key is for --hash toeplitz");
        }
        if (!cli_parse_hex(o->key, h->key, sizeof h->key, &n) || n == 0) {
            return cli_usage("--key: 1 to %u bytes of hexadecimal", EGRET_HASH_KEY_MAX_BYTES);
        }
        h->key_len = (uint32_t)n;
    }
    int code = o->fields ? cli_parse_fields(o->fields, &h->fields) : -1;
    bool hashed =
        m->ordered_scheme == EGRET_SCHEME_ECMP || m->ordered_scheme == EGRET_SCHEME_FLOWLET;
    if (code < 0 && m->keep_order && (h->fields & EGRET_FIELD_RDMA_BTH_OPCODE) && hashed &&
        h->layout == EGRET_LAYOUT_RECORD) {
        return cli_usage("--fields: by RDMA_BTH_OPCODE the First, Middle and Last of a message "
                         "would part; they keep order");
    }
    return code;
}

static int parse_drill(const char *text, struct egret_make *m)
{
    bool good = text[0] >= '0' && text[0] <= '2' && text[1] == ',' && text[2] >= '0' &&
                text[2] <= '1' && text[3] == '\0';
    if (!good) {
        return cli_usage("--drill is D,M: 0 to 2 samples, 0 or 1 remembered");
    }
    if (text[0] == '0' && text[2] != '0') {
        return cli_usage("--drill 0,1: without samples none is remembered");
    }
    m->drill_samples = (uint32_t)(text[0] - '0');
    m->drill_memory = (uint32_t)(text[2] - '0');
    return -1;
}

/* spray-quality looks at loads; so does flowlet by quality, which knows no samples nor sizes. */
static int parse_load(const struct make_options *o, struct egret_make *m)
{
    bool sprays = m->scheme == EGRET_SCHEME_SPRAY_QUALITY;
    const char *own = o->drill ? "--drill" : o->small != NOT_GIVEN ? "--small" : NULL;
    const char *given = o->load                  ? "--load"
                        : o->period != NOT_GIVEN ? "--period"
                        : o->buffer != NOT_GIVEN ? "--buffer"
                                                 : NULL;
    m->loads = sprays || m->flowlet_path != EGRET_PATH_RANDOM;
    if (own && !sprays) {
        return cli_usage("%s is for --scheme spray-quality", own);
    }
    if (!m->loads) {
        return given ? cli_usage("%s is for --scheme spray-quality, or --flowlet-path", given) : -1;
    }
    const struct flowlet_preset *preset = sprays ? NULL : flowlet_preset(o);
    const char *load = o->load ? o->load : preset ? preset->load : DEFAULT_LOAD;
    if (o->file.load) {
        m->load = o->file.s.load.load;
    } else if (egret_load_preset(load, &m->load) != EGRET_OK) {
        return cli_usage("--load: sai, cisco-aci, cisco-nxos, conga or htsim-ar, not '%s'",
                         o->load);
    }
    if (o->small != NOT_GIVEN) {
        m->load.small = o->small < UINT32_MAX ? (uint32_t)o->small : UINT32_MAX;
    }
    if (o->period != NOT_GIVEN) {
        m->load.period_ns = o->period < UINT32_MAX ? (uint32_t)o->period : UINT32_MAX;
    }
    m->buffer_bytes = o->buffer != NOT_GIVEN ? o->buffer : DEFAULT_BUFFER;
    return o->drill ? parse_drill(o->drill, m) : -1;
}

/* The named configuration, or the smaller of lab and tor64 that fits. */
static int choose_config(const struct make_options *o, const struct egret_topology *t,
                         struct egret_make *m)
{
    if (o->config) {
        return cli_config(o->config, &m->cfg);
    }
    if (egret_cfg_named("lab", &m->cfg) == EGRET_OK && !egret_make_exceeds(t, m)) {
        return -1;
    }
    return cli_config("tor64", &m->cfg);
}

/* input: the .cm file, or null. */
static int prepare_all(struct make_options *o, const char *input, struct egret_topology *t,
                       struct egret_make *m)
{
    const struct cli_files files = {
        {input, cli_topology_file(o->topology), cli_config_file(o->config), o->config_file},
        {o->output, NULL, NULL}};
    struct egret_trace_error err;
    uint64_t v;
    memset(m, 0, sizeof *m);
    if (!o->output) {
        return cli_usage("-o FILE is missing");
    }
    if (!o->topology) {
        return cli_usage("--topology is missing: fat-tree:K or a .topo file");
    }
    int code = cli_check_files(&files);
    if (code < 0) {
        code = parse_at(o->at, m);
    }
    if (code < 0) {
        code = parse_source_port(o->source_port, m);
    }
    if (code >= 0) {
        return code;
    }
    if (!o->scheme || egret_scheme_by_name(o->scheme, &m->scheme) != EGRET_OK ||
        m->scheme == EGRET_SCHEME_NONE) {
        return cli_usage("--scheme is " SCHEMES_TEXT);
    }
    code = parse_order(o, m);
    m->entropy_swap = o->entropy_swap;
    if (code < 0 && o->entropy_swap && !egret_make_uses(m, EGRET_SCHEME_ENTROPY)) {
        code = cli_usage("--entropy-swap is for --scheme entropy");
    }
    if (code < 0) {
        code = parse_flowlet(o, m);
    }
    if (code < 0) {
        code = parse_load(o, m);
    }
    if (code >= 0) {
        return code;
    }
    if (o->placement && strcmp(o->placement, "linear") != 0 &&
        strcmp(o->placement, "random") != 0) {
        return cli_usage("--placement is linear or random");
    }
    if (o->stress) {
        if (!cli_parse_u64(o->stress, UINT32_MAX, &v)) {
            return cli_usage("--stress needs a seed");
        }
        m->stress = true;
        m->stress_seed = (uint32_t)v;
    }
    if (o->rotation > 31u || o->agg_rotation > 31u) {
        return cli_usage("%s: 0 to 31", o->rotation > 31u ? "--rotation" : "--agg-rotation");
    }
    code = egret_topology_load(o->topology, t, &err);
    if (code) {
        return cli_error(code, &err);
    }
    for (unsigned i = 0; o->rate && i < 3u; i++) {
        t->rate_mbps[i] = o->rate;
    }
    m->seed = o->seed;
    m->payload = o->payload > UINT32_MAX ? UINT32_MAX : (uint32_t)o->payload;
    m->no_acks = o->no_acks;
    m->same_pointer = o->same_pointer;
    m->limit = o->limit;
    m->agg_rotation = o->agg_rotation;
    cli_setup_classes(&o->file, m);
    code = choose_config(o, t, m);
    return code < 0 ? parse_hash(o, m) : code;
}

/* What --config-file says, where no option does; then everything else. */
int cli_make_prepare(int argc, char **argv, struct make_options *o, const char *input,
                     struct egret_topology *t, struct egret_make *m)
{
    const struct cli_setup_options where = {
        &o->config,       &o->scheme, &o->ordered_scheme, &o->flowlet,         &o->flowlet_idle,
        &o->flowlet_path, &o->hash,   &o->fields,         &o->layout,          &o->key,
        &o->load,         &o->drill,  &o->ordered_below,  &o->flowlet_entries, &o->small,
        &o->period,       &o->buffer, &o->seed,           &o->hash_seed,       &o->rotation};
    /* Before anything is read; prepare_all() looks at the output. */
    const struct cli_files inputs = {
        {input, cli_topology_file(o->topology), cli_config_file(o->config), o->config_file},
        {NULL}};
    int code = cli_check_files(&inputs);
    if (code < 0) {
        code = cli_setup_take(o->config_file, argc, argv, &o->file, &where);
    }
    if (code < 0) {
        code = prepare_all(o, input, t, m);
    }
    cli_setup_close(&o->file);
    return code;
}

/* source: the .cm file, or the collective. */
int cli_make_write(const struct make_options *o, const char *source, const struct egret_topology *t,
                   struct egret_schedule *w, struct egret_make *m)
{
    struct egret_trace_error err;
    uint64_t ticks = 0;
    int code = EGRET_OK;
    if (o->placement && strcmp(o->placement, "random") == 0) {
        code = egret_schedule_place_random(w, o->seed);
        if (code) {
            (void)egret_trace_fail(&err, code, "out of memory");
        }
    }
    if (code == EGRET_OK) {
        m->topology_name = o->topology;
        m->workload_name = source;
        m->ticks = &ticks;
        code = egret_make_stimulus(t, w, m, o->output, &err);
    }
    egret_schedule_free(w);
    if (code) {
        return cli_error(code, &err);
    }
    cli_warn_polarized(m);
    cli_warn_ticks(m, ticks);
    return EXIT_DONE;
}

#define PATTERNS_TEXT                                                                              \
    "permutation, ring, alltoall, tornado, incast, outcast-incast, moe, fsdp-7b, fsdp-70b, "       \
    "fsdp-405b; or all-reduce, reduce, all-gather, gather, scatter, broadcast, all-to-all, "       \
    "reduce-scatter, reduce-scatter-block, barrier"

/* Of trace make alone. */
struct pattern_options {
    const char *algorithm;
    uint64_t chunk;
    uint32_t channels;
    uint32_t group_size;
    uint32_t root;
    uint32_t window;
    uint32_t experts;
    uint32_t skew;
};

int cmd_trace_make(int argc, char **argv)
{
    struct make_options o = {DEFAULTS};
    struct pattern_options x = {0};
    const struct cli_option options[] = {
        {"collective", CLI_TEXT, &o.collective, "C", PATTERNS_TEXT},
        {"bytes", CLI_SIZE, &o.bytes, "SIZE", "a message; a collective's buffer: 1MiB, 4096"},
        {"rounds", CLI_U64, &o.rounds, "N",
         "ring: steps; alltoall: destinations a host; 0: all (0); fsdp: layers (1)"},
        {"algorithm", CLI_TEXT, &x.algorithm, "A",
         "of a collective: ring, halving-doubling, double-binary-tree, direct, pairwise, "
         "hierarchical, binomial or dissemination (the kind's)"},
        {"channels", CLI_U32, &x.channels, "N", "of a collective's ring: parallel rings (1)"},
        {"group-size", CLI_U32, &x.group_size, "N", "hierarchical: hosts; incast: senders (all)"},
        {"root", CLI_U32, &x.root, "R", "reduce, gather, scatter, broadcast, incast: rank (0)"},
        {"chunk", CLI_SIZE, &x.chunk, "SIZE", "pieces of a tree or chain (one); a token (4096)"},
        {"window", CLI_U32, &x.window, "N", "alltoall: unacknowledged messages a host (no limit)"},
        {"experts", CLI_U32, &x.experts, "K", "moe: experts of each token (2)"},
        {"skew", CLI_U32, &x.skew, "P", "moe: per cent for an eighth of the experts (0)"},
        COMMON_OPTIONS(o),
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace make", "--topology T --collective C --bytes SIZE --at SWITCH --scheme S -o FILE",
        "Writes the stimulus of a collective at one switch: its set-up, and the packets that\n"
        "enter it from below. docs/trace.md says how they are timed.",
        options,
        "  egret trace make --topology fat-tree:8 --collective permutation --bytes 1MiB \\\n"
        "      --at edge:0 --scheme dr --seed 1 -o perm.pcap\n"
        "  egret trace make --topology fat-tree:8 --collective ring --bytes 64MiB --at agg:3 \\\n"
        "      --scheme spray-rr --placement random --stress 7 -o ring.pcap\n"
        "  egret trace make --topology fat-tree:8 --collective permutation --bytes 256KiB \\\n"
        "      --at edge:0 --scheme spray-quality --load sai --period 200 --drill 2,0 -o q.pcap\n"
        "  egret trace make --topology fat-tree:8 --collective permutation --bytes 256KiB \\\n"
        "      --at edge:0 --scheme dr --write first-middle-last --ordered-scheme ecmp -o w.pcap\n"
        "  egret trace make --topology fat-tree:8 --collective all-reduce --algorithm \\\n"
        "      double-binary-tree --chunk 64KiB --bytes 1MiB --at edge:0 --scheme dr -o t.pcap\n"
        "  egret trace make --topology fat-tree:8 --collective fsdp-7b --algorithm hierarchical "
        "\\\n"
        "      --group-size 4 --at agg:0 --scheme dr --limit 100000 -o f.pcap\n"
        "  egret model --config lab --allow-illegal ring.pcap    # --stress is illegal in "
        "places\n"};
    const char *operand[1];
    size_t n;
    struct egret_topology t;
    struct egret_make m;
    struct egret_schedule w;
    struct egret_trace_error err;
    int code = cli_parse(&command, argc, argv, operand, 0, &n);
    if (code < 0) {
        code = cli_make_prepare(argc, argv, &o, NULL, &t, &m);
    }
    if (code >= 0) {
        return code;
    }
    if (!o.collective) {
        return cli_usage("--collective is missing: permutation, ring or alltoall");
    }
    if (o.rounds && strcmp(o.collective, "permutation") == 0) {
        return cli_usage("--rounds is for ring and alltoall");
    }
    struct egret_pattern pattern = {.name = o.collective,
                                    .ranks = t.hosts,
                                    .bytes = o.bytes,
                                    .rounds = o.rounds,
                                    .seed = o.seed,
                                    .channels = x.channels,
                                    .group_size = x.group_size,
                                    .root = x.root,
                                    .chunk = x.chunk,
                                    .window = x.window,
                                    .experts = x.experts,
                                    .skew = x.skew};
    if (x.algorithm && !egret_collective_algorithm_parse(x.algorithm, &pattern.algorithm)) {
        return cli_usage("--algorithm: unknown algorithm '%s'", x.algorithm);
    }
    code = egret_pattern_make(&pattern, &w, &err);
    return code ? cli_error(code, &err) : cli_make_write(&o, o.collective, &t, &w, &m);
}
