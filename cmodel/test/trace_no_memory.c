/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_no_memory.c: every allocation of the readers and makers fails once. The call says so with
 * EGRET_ERR_MEMORY and a text that ends in "out of memory", nothing leaks (sanitizers), and when no
 * allocation fails any more the call is good.
 * usage: trace_no_memory import|make
 */
#include <yaml.h>

#include "egret/import.h"
#include "egret/lockstep.h"
#include "egret/settings.h"
#include "egret/trace_make.h"
#include "egret/trace_order.h"
#include "egret/trace_stats.h"
#include "trace_memory.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* Runs `job` with each allocation failing in turn, and says how many there were. */
static unsigned long exhaust(const char *what, int (*job)(const void *ctx), const void *ctx)
{
    unsigned long n = 0;
    unsigned long before = t.fail;
    for (bool failed = true; failed && t.fail == before;) {
        error.text[0] = '\0';
        fail_at = ++n;
        int code = job(ctx);
        failed = fail_at == 0;
        fail_at = 0;
        size_t length = strlen(error.text);
        bool told = length == 0 ||
                    (length >= 13u && strcmp(error.text + length - 13u, "out of memory") == 0);
        if (!CHECK(&t, failed ? code == EGRET_ERR_MEMORY && told : code == EGRET_OK)) {
            printf("%s: allocation %lu: code %d, '%s'\n", what, n, code, error.text);
        }
    }
    CHECK(&t, n > 1u);
    return n;
}

/* ---- traces: more of everything than the first piece of memory holds ---- */

#define MANY 70u

struct trace {
    const char *path[2];
    size_t files;
    const char *groups; /* of Chakra */
};

static int import(const void *ctx)
{
    const struct trace *f = ctx;
    struct egret_import_options o = {.relax = 31, .zero_size = 1, .comm_groups = f->groups};
    struct egret_schedule s;
    int code = egret_import_load(f->path, f->files, &o, &s, NULL, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

struct text {
    char *bytes;
    size_t n;
};
static char store[400000];

#define ADD(x, ...)                                                                                \
    ((x)->n += (size_t)snprintf((x)->bytes + (x)->n, sizeof store - (x)->n, __VA_ARGS__))

static void write_file(const char *path, const struct text *x)
{
    FILE *f = fopen(path, "wb");
    CHECK(&t, f && fwrite(x->bytes, 1, x->n, f) == x->n && fclose(f) == 0);
}

static void one_file(const char *what, const char *path, const struct text *x)
{
    struct trace f = {{path, NULL}, 1, NULL};
    write_file(path, x);
    CHECK(&t, exhaust(what, import, &f) > 3u);
}

static void goal(const char *path)
{
    struct text x = {store, 0};
    ADD(&x, "num_ranks 2 rank 0 {\n");
    for (unsigned i = 0; i < 10u * MANY; i++) {
        ADD(&x, "label_of_send_%u: send 5b to 1\n", i);
    }
    ADD(&x, "}\nrank 1 {\n");
    for (unsigned i = 0; i < 10u * MANY; i++) {
        ADD(&x, "r%u: recv 5b from 0\nc%u: calc 1\nc%u irequires r%u\n", i, i, i, i);
    }
    ADD(&x, "}\n");
    one_file("goal", path, &x);
}

static void binary_goal(const char *path)
{
    static const uint8_t node[39] = {0, 0, 0, 0, 3, 0, 0, 0, 0, 1};
    struct text x = {store, 0};
    uint32_t n = MANY;
    size_t end = 30u + 8u + MANY * 39u + MANY * 4u;
    memset(store, 0, end);
    memcpy(store, (const uint8_t[]){0x7f, 0x10}, 2);
    store[8] = 1;
    store[14] = 22;
    store[22] = (char)((end - 8u) & 255u);
    store[23] = (char)((end - 8u) >> 8);
    store[30] = (char)n;
    for (unsigned i = 0; i < n; i++) { /* each waits for the one before */
        char *at = store + 38u + i * 39u;
        memcpy(at, node, sizeof node);
        at[23] = i + 1u < n;
        at[27] = (char)i;
        at[0] = i > 0;
        store[38u + n * 39u + i * 4u] = (char)(i + 1u);
    }
    x.n = end;
    one_file("goal, binary", path, &x);
}

static void nccl(const char *path)
{
    struct text x = {store, 0};
    for (unsigned i = 0; i < MANY; i++) {
        ADD(&x, "h:1:2 [%u] NCCL INFO x comm 0x%x rank %u nranks %u commId 0x7 - Init COMPLETE\n",
            i, i + 1u, i, MANY);
    }
    for (unsigned i = 0; i < MANY; i++) {
        ADD(&x,
            "h:1:2 [%u] NCCL INFO AllReduce: opCount 0 count 4 datatype 7 root 0 comm 0x%x "
            "stream 0x%x\n",
            i, i + 1u, i);
    }
    one_file("nccl", path, &x);
}

static void hpcc(const char *path)
{
    struct text x = {store, 0};
    ADD(&x, "%u\n", MANY);
    for (unsigned i = 0; i < MANY; i++) {
        ADD(&x, "0 %u 3 100 1000 2.0\n", i + 1u);
    }
    one_file("hpcc", path, &x);
}

static void matrix(const char *path)
{
    struct text x = {store, 0};
    ADD(&x, "Nodes 16\nConnections %u\nTriggers %u\nFailures %u\n", 2u * MANY, MANY, MANY);
    for (unsigned i = 1; i <= MANY; i++) {
        ADD(&x, "0->1 id %u start 0 size 1 send_done_trigger %u\n", i, i);
        ADD(&x, "0->2 id %u trigger %u size 1\n", 1000u + i, i);
        ADD(&x, "trigger id %u %s\n", i, i % 2u ? "oneshot" : "barrier count 1");
        ADD(&x, "failure switch_type TOR switch_id %u link_id 0\n", i);
    }
    one_file("matrix", path, &x);
}

/* Chakra: a number below 16384 takes two bytes at most. */
static void varint(struct text *x, unsigned v)
{
    if (v > 127u) {
        x->bytes[x->n++] = (char)(v | 128u);
        v >>= 7;
    }
    x->bytes[x->n++] = (char)v;
}

/* Nodes 1 to MANY, each behind the one before; a list of as many groups in the first. */
static void chakra(const char *path, const char *groups)
{
    static char list[4000];
    struct text x = {store, 0}, g = {list, 0};
    memcpy(store,
           "\x07\x0a\x05"
           "0.0.4",
           8);
    x.n = 8;
    g.bytes[g.n++] = '[';
    for (unsigned i = 0; i < MANY; i++) {
        g.n += (size_t)snprintf(list + g.n, sizeof list - g.n,
                                "%s{\"pg_name\":\"%u\",\"ranks\":[0]}", i ? "," : "", i + 1u);
    }
    g.bytes[g.n++] = ']';
    for (unsigned i = 1; i <= MANY; i++) {
        bool first = i == 1u;
        unsigned io = (unsigned)g.n + 3u;
        varint(&x, first ? 2u + 2u + 3u + io : i == 2u ? 4u + 2u : 6u + 0u);
        ADD(&x, "\x08%c\x18%c", (char)i, first ? 1 : 4);
        if (first) {
            ADD(&x, "\x42");
            varint(&x, io);
            ADD(&x, "\x0a");
            varint(&x, (unsigned)g.n);
            memcpy(x.bytes + x.n, list, g.n);
            x.n += g.n;
        } else {
            ADD(&x, "\x28%c", (char)(i - 1u));
        }
    }
    struct trace f = {{path, NULL}, 1, groups};
    write_file(path, &x);
    struct text j = {store, 0};
    ADD(&j, "{\"99\": [0]}");
    write_file(groups, &j);
    CHECK(&t, exhaust("chakra", import, &f) > 3u);
}

/* ---- what is made ---- */

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

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    char name[2][300];
    const char *path = trace_scratch(name[0], sizeof name[0], "no_memory.0.et");
    const char *groups = trace_scratch(name[1], sizeof name[1], "no_memory.json");
    if (strcmp(what, "import") == 0) {
        goal(path);
        binary_goal(path);
        nccl(path);
        hpcc(path);
        matrix(path);
        chakra(path, groups);
        (void)remove(path);
        (void)remove(groups);
    } else if (strcmp(what, "make") == 0) {
        patterns();
        stimuli();
        yaml();
        (void)exhaust("settings", settings, "cmodel/test/config/all.yaml");
        (void)exhaust("settings of SONiC", settings, "cmodel/test/config/sonic.json");
    }
    return trace_result(&t);
}
