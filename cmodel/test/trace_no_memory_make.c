/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_no_memory_make.c: patterns, stimuli and their readers, settings, when there is no memory.
 */
#include <yaml.h>

#include "../trace/collective_parts.h"
#include "egret/collective.h"
#include "egret/lockstep.h"
#include "egret/settings.h"
#include "egret/trace_make.h"
#include "egret/trace_order.h"
#include "egret/trace_stats.h"
#include "trace_no_memory.h"

static int pattern(const void *ctx)
{
    struct egret_schedule s;
    int code = egret_pattern_make(ctx, &s, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

/* Each pattern; each algorithm of a collective that can do it with 12 ranks. */
static void patterns(void)
{
    const char *name;
    unsigned tried = 0;
    for (size_t i = 0; (name = egret_pattern_name(i)) != NULL; i++) {
        for (unsigned a = 0; a < EGRET_ALGO_COUNT; a++) {
            for (unsigned more = 0; more < 2u; more++) {
                struct egret_pattern p = {.name = name,
                                          .ranks = 12,
                                          .bytes = 4096,
                                          .rounds = more ? 2u : 0,
                                          .chunk = more ? 1024u : 0,
                                          .group_size = a == EGRET_ALGO_HIERARCHICAL ? 4u : 0,
                                          .algorithm = (enum egret_collective_algorithm)a};
                if (strncmp(name, "fsdp", 4) == 0) {
                    p.bytes = 0;
                }
                if (pattern(&p) == EGRET_OK) {
                    tried += exhaust(name, pattern, &p) > 1u;
                }
            }
        }
    }
    CHECK(&t, tried > 30u);
}

/* An all-reduce of 12 ranks on a ring, and what each of its 264 messages carries. */
static int noted(const void *ctx)
{
    struct egret_schedule s = {.ranks = 12};
    struct coll k = {.s = &s, .c = ctx, .err = &error, .note_capacity = 64};
    uint32_t exit_op[12];
    k.note = malloc(k.note_capacity * sizeof *k.note);
    int code = k.note ? coll_expand(&k, exit_op) : EGRET_ERR_MEMORY;
    CHECK(&t, code || k.notes == 264);
    free(k.note);
    egret_schedule_free(&s);
    return code;
}

struct stimulus {
    struct egret_topology topology;
    struct egret_schedule work;
    struct egret_make make;
    char path[300];
};

static int make(const void *ctx)
{
    const struct stimulus *s = ctx;
    return egret_make_stimulus(&s->topology, &s->work, &s->make, s->path, &error);
}

static int random_events(const void *ctx)
{
    const struct stimulus *s = ctx;
    return egret_make_random(&s->make.cfg, 200, 1, s->path, &error);
}

static int never_starts(const void *ctx)
{
    int code = make(ctx);
    return code == EGRET_ERR_RANGE && strstr(error.text, "never starts") ? EGRET_OK : code;
}

static int place(const void *ctx)
{
    struct egret_schedule s;
    int code = pattern(ctx);
    code = code ? code : egret_pattern_make(ctx, &s, &error);
    if (code == EGRET_OK) {
        code = egret_schedule_place_random(&s, 3);
        egret_schedule_free(&s);
    }
    return code;
}

static int topology(const void *ctx)
{
    struct egret_topology out;
    return egret_topology_load(ctx, &out, &error);
}

/* What a stimulus is read into: order, statistics, a bench in lock step. */
static int read_all(const void *ctx)
{
    const struct stimulus *f = ctx;
    struct egret_stimulus *in = NULL;
    struct egret_order *order = NULL;
    struct egret_stats *stats = NULL;
    struct egret *model = NULL;
    struct egret_order_setup setup = {.rate_mbps = 1000};
    struct egret_event ev;
    struct egret_decision d;
    egret_order_default(setup.opcode);
    setup.delay_ns[2] = 5000;
    int code = egret_create(&f->make.cfg, &model);
    code = code ? code : egret_stimulus_open(f->path, &in, &error);
    code = code ? code : egret_order_create(&f->make.cfg, &setup, &order);
    code = code ? code : egret_stats_create(&f->make.cfg, &stats);
    int got = 0;
    while (code == EGRET_OK && (got = egret_stimulus_next(in, &ev, &error)) > 0) {
        (void)egret_apply(model, &ev, &d);
        egret_order_event(order, &ev, &d);
        egret_stats_event(stats, model, &ev, &d);
    }
    code = code ? code : got;
    code = code ? code : egret_order_end(order);
    if (code == EGRET_OK && !egret_stats_complete(stats)) {
        code = EGRET_ERR_MEMORY;
    }
    egret_stats_destroy(stats);
    egret_order_destroy(order);
    egret_stimulus_close(in);
    egret_destroy(model);
    return code;
}

static int lockstep(const void *ctx)
{
    const struct stimulus *f = ctx;
    void *s = egret_lockstep_open("lab", f->path);
    bool none = !s || strstr(egret_lockstep_text(s), "out of memory\n") != NULL;
    egret_lockstep_close(s);
    return none ? EGRET_ERR_MEMORY : EGRET_OK;
}

static void stimuli(void)
{
    static struct stimulus s;
    struct egret_pattern p = {.name = "alltoall", .ranks = 16, .bytes = 9000};
    CHECK(&t, egret_topology_load("fat-tree:4", &s.topology, &error) == EGRET_OK);
    CHECK(&t, egret_pattern_make(&p, &s.work, &error) == EGRET_OK);
    s.make = (struct egret_make){.scheme = EGRET_SCHEME_DR,
                                 .seed = 7,
                                 .payload = 4096,
                                 .source_port = EGRET_SOURCE_PORT_LINUX,
                                 .buffer_bytes = 800000};
    CHECK(&t, egret_cfg_named("lab", &s.make.cfg) == EGRET_OK);
    egret_hash_setup_default(&s.make.hash);
    trace_scratch(s.path, sizeof s.path, "no_memory.pcap");
    for (unsigned agg = 0; agg < 2u; agg++) {
        s.make.at_agg = agg != 0;
        CHECK(&t, exhaust(agg ? "make at agg" : "make at edge", make, &s) > 5u);
    }
    s.make.at_agg = false;
    CHECK(&t, make(&s) == EGRET_OK);
    (void)exhaust("read", read_all, &s);
    (void)exhaust("lock step", lockstep, &s);
    (void)exhaust("placement", place, &p);
    (void)exhaust("topology", topology, "tb/traces/leaf_spine.topo");
    (void)exhaust("random", random_events, &s);
    /* What never starts: one more is needed than was sealed. */
    egret_schedule_free(&s.work);
    s.work = (struct egret_schedule){.ranks = 16};
    uint32_t before = 0, after = 0;
    CHECK(&t, egret_schedule_message(&s.work, 0, 4, 9, &before) == EGRET_OK);
    CHECK(&t, egret_schedule_message(&s.work, 1, 9, 9, &after) == EGRET_OK);
    CHECK(&t, egret_schedule_after(&s.work, before, EGRET_ON_DONE, after) == EGRET_OK);
    CHECK(&t, egret_schedule_seal(&s.work, "t", NULL, &error) == EGRET_OK);
    s.work.op[after].need = 2;
    (void)exhaust("never starts", never_starts, &s);
    egret_schedule_free(&s.work);
    (void)remove(s.path);
}

static int emit(void *ctx, uint32_t addr, uint32_t data)
{
    *(uint64_t *)ctx += addr ^ data;
    return EGRET_OK;
}

/* libyaml asks for memory by itself, where no wrapper is: its first call, or a later one, fails. */
static unsigned yaml_fails_at;
int __real_yaml_parser_initialize(yaml_parser_t *p);
int __real_yaml_parser_parse(yaml_parser_t *p, yaml_event_t *e);
int __wrap_yaml_parser_initialize(yaml_parser_t *p);
int __wrap_yaml_parser_parse(yaml_parser_t *p, yaml_event_t *e);
int __wrap_yaml_parser_initialize(yaml_parser_t *p)
{
    return yaml_fails_at && --yaml_fails_at == 0 ? 0 : __real_yaml_parser_initialize(p);
}
int __wrap_yaml_parser_parse(yaml_parser_t *p, yaml_event_t *e)
{
    if (yaml_fails_at && --yaml_fails_at == 0) {
        p->error = YAML_MEMORY_ERROR;
        return 0;
    }
    return __real_yaml_parser_parse(p, e);
}

static void yaml(void)
{
    static const char text[] = "seed: 5\nports: [{port: 1}]\n";
    struct egret_settings s;
    for (unsigned i = 1; i < 9u; i++) {
        yaml_fails_at = i;
        CHECK(&t,
              egret_settings_parse(text, sizeof text - 1u, "t", &s, &error) == EGRET_ERR_MEMORY);
        CHECK(&t, strcmp(error.text, "t: out of memory") == 0 && yaml_fails_at == 0);
    }
    CHECK(&t, egret_settings_parse(text, sizeof text - 1u, "t", &s, &error) == EGRET_OK);
    egret_settings_free(&s);
}

static int settings(const void *ctx)
{
    struct egret_settings s;
    uint64_t sum = 0;
    int code = egret_settings_open(ctx, &s, NULL, NULL, &error);
    if (code == EGRET_OK) {
        code = egret_settings_writes(&s, emit, &sum);
        egret_settings_free(&s);
    }
    return code;
}

int main(void)
{
    static const struct egret_collective ring = {
        .kind = EGRET_COLL_ALL_REDUCE, .algorithm = EGRET_ALGO_RING, .ranks = 12, .bytes = 4800};
    patterns();
    (void)exhaust("notes", noted, &ring);
    stimuli();
    yaml();
    (void)exhaust("settings", settings, "cmodel/test/config/all.yaml");
    (void)exhaust("settings of SONiC", settings, "cmodel/test/config/sonic.json");
    return trace_result(&t);
}
