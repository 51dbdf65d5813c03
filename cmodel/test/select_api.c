/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_api.c: what surrounds the decisions: configurations and their ranges, null and bad
 * arguments, no memory, outputs untouched on error, bursts that stop, names, the selector table,
 * size bins, 2^32 ticks.
 */
#include "egret/classmap.h"
#include "egret/control.h"
#include "egret/selector.h"
#include "egret/timing.h"
#include "select_test.h"

/* Linked by --wrap=calloc: the library's only way to memory. */
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
static bool no_memory;
static size_t last_size;

void *__wrap_calloc(size_t n, size_t size)
{
    last_size = n * size;
    return no_memory ? NULL : __real_calloc(n, size);
}

static void configurations(void)
{
    static const struct {
        size_t offset;
        uint32_t bad[4]; /* 0xffffffff ends */
        const char *name;
    } row[] = {
        {offsetof(struct egret_cfg, num_ports), {0, 65, ~0u, ~0u}, "NUM_PORTS"},
        {offsetof(struct egret_cfg, num_groups), {0, 3, 2048, ~0u}, "NUM_GROUPS"},
        {offsetof(struct egret_cfg, num_keys), {0, 48, 4096, ~0u}, "NUM_KEYS"},
        {offsetof(struct egret_cfg, num_bins), {0, 3, 32, ~0u}, "NUM_BINS"},
        {offsetof(struct egret_cfg, num_rows), {0, 12, 512, ~0u}, "NUM_ROWS"},
        {offsetof(struct egret_cfg, row_len), {0, 7, 512, ~0u}, "ROW_LEN"},
        {offsetof(struct egret_cfg, num_buckets), {0, 100, 131072, ~0u}, "NUM_BUCKETS"},
        {offsetof(struct egret_cfg, hash_kind), {3, 4, ~0u, ~0u}, "HASH_KIND"},
        {offsetof(struct egret_cfg, rsp_depth), {0, 8, 24, 512}, "RSP_DEPTH"},
        {offsetof(struct egret_cfg, schemes), {1, 3, 512, ~0u}, "SCHEMES"},
        {offsetof(struct egret_cfg, num_flowlets), {0, 8, 24, 131072}, "NUM_FLOWLETS"},
    };
    struct egret *e = NULL;
    struct egret_cfg cfg;
    size_t count = 0;

    for (; egret_cfg_name(count) != NULL; count++) {
        CHECK_EQ(egret_cfg_named(egret_cfg_name(count), &cfg), EGRET_OK, "named");
        CHECK(strcmp(cfg.name, egret_cfg_name(count)) == 0, "%s", cfg.name);
        CHECK_EQ(egret_cfg_check(&cfg, NULL), EGRET_OK, cfg.name);
    }
    CHECK_EQ(count, 8, "named configurations");
    CHECK_EQ(egret_cfg_named("nonsense", &cfg), EGRET_ERR_CONFIG, "unknown name");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (unsigned k = 0; k < 4 && row[i].bad[k] != ~0u; k++) {
            const char *param = NULL;
            cfg = test_cfg("lab");
            memcpy((char *)&cfg + row[i].offset, &row[i].bad[k], sizeof row[i].bad[k]);
            CHECK_EQ(egret_cfg_check(&cfg, &param), EGRET_ERR_CONFIG, row[i].name);
            CHECK(param != NULL && strcmp(param, row[i].name) == 0, "%s", row[i].name);
            CHECK_EQ(egret_create(&cfg, &e), EGRET_ERR_CONFIG, row[i].name);
            CHECK(e == NULL, "untouched");
        }
    }
    static const struct {
        uint32_t schemes, flowlets, hash_kind, latency, gap;
    } part[] = {
        {0x07e, 0, 0, 10, 20},     {0x0fe, 0, 0, 14, 48},    {0x17e, 16, 0, 14, 20},
        {0x1fe, 65536, 1, 14, 48}, {0x07e, 0, 2, 36, 20},    {0x080, 0, 2, 40, 48},
        {0x100, 1024, 2, 40, 20},  {0x1fe, 32768, 2, 40, 48}, {0, 0, 1, 10, 20},
    };
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        const char *param = NULL;
        cfg = test_cfg("lab");
        cfg.schemes = part[i].schemes;
        cfg.num_flowlets = part[i].flowlets;
        cfg.hash_kind = part[i].hash_kind;
        CHECK_EQ(egret_cfg_latency(&cfg), part[i].latency, "latency");
        CHECK_EQ(egret_timing_tick_gap(&cfg), part[i].gap, "clocks between ticks");
        for (cfg.rsp_depth = 1; cfg.rsp_depth <= 256; cfg.rsp_depth *= 2) {
            bool legal = cfg.rsp_depth > part[i].latency;
            CHECK_EQ(egret_cfg_check(&cfg, &param), legal ? EGRET_OK : EGRET_ERR_CONFIG,
                     "RSP_DEPTH is more than the latency");
            CHECK(legal || strcmp(param, "RSP_DEPTH") == 0, "%s", param);
        }
        cfg.rsp_depth = 64;
        cfg.num_flowlets = part[i].flowlets != 0 ? 0 : 16;
        CHECK_EQ(egret_cfg_check(&cfg, &param), EGRET_ERR_CONFIG, "a table without its scheme");
        CHECK(strcmp(param, "NUM_FLOWLETS") == 0, "%s", param);
    }
    struct egret_cfg lab = test_cfg("lab");
    CHECK(lab.num_ports == 16 && lab.num_groups == 32 && lab.num_keys == 64 && lab.num_bins == 2 &&
              lab.num_rows == 32 && lab.row_len == 32 && lab.num_buckets == 1024 &&
              lab.hash_kind == EGRET_HASH_KIND_MATRIX && lab.rsp_depth == 16,
          "lab as in configs.mk");
}

static void bad_arguments(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret *e = test_create(&cfg);
    struct egret_event ev[4];
    struct egret_decision d[4], before[4];
    struct egret_why why;
    size_t done = 99;

    for (unsigned i = 0; i < 4; i++)
        ev[i] = test_packet(0, 0, 0);
    memset(d, 0x5a, sizeof d);
    memcpy(before, d, sizeof d);
    CHECK_EQ(egret_apply(NULL, ev, d), EGRET_ERR_NULL, "apply");
    CHECK_EQ(egret_apply(e, NULL, d), EGRET_ERR_NULL, "apply");
    CHECK_EQ(egret_apply(e, ev, NULL), EGRET_ERR_NULL, "apply");
    CHECK_EQ(egret_apply_burst(e, NULL, 1, d, &done), EGRET_ERR_NULL, "burst");
    CHECK_EQ(egret_apply_burst(NULL, ev, 1, d, &done), EGRET_ERR_NULL, "burst");
    CHECK_EQ(done, 99, "untouched");
    CHECK_EQ(egret_explain(e, NULL, &why), EGRET_ERR_NULL, "explain");
    CHECK_EQ(egret_create(NULL, &e), EGRET_ERR_NULL, "create");
    CHECK_EQ(egret_create(&cfg, NULL), EGRET_ERR_NULL, "create");
    CHECK_EQ(egret_reset(NULL), EGRET_ERR_NULL, "reset");
    CHECK_EQ(egret_cfg_check(NULL, NULL), EGRET_ERR_NULL, "check");
    egret_destroy(NULL);
    ev[2].kind = 7;
    CHECK_EQ(egret_apply(e, &ev[2], &d[2]), EGRET_ERR_EVENT, "kind 7");
    CHECK(memcmp(d, before, sizeof d) == 0, "outputs untouched on error");
    CHECK_EQ(egret_apply_burst(e, ev, 4, d, &done), EGRET_ERR_EVENT, "kind 7 in a burst");
    CHECK_EQ(done, 2, "stops at the bad event");
    CHECK(d[1].kind == EGRET_RES_PACKET && memcmp(&d[2], &before[2], 2 * sizeof *d) == 0,
          "applied before it, untouched behind it");
    CHECK_EQ(egret_apply_burst(e, NULL, 0, NULL, &done), EGRET_OK, "an empty burst");
    CHECK_EQ(done, 0, "an empty burst");
    egret_destroy(e);
}

static void null_and_bad(void)
{
    struct egret_cfg cfg = test_cfg("tiny"), bad = cfg;
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_why why;
    unsigned scheme = 99;
    uint32_t addr = 99;
    size_t done = 99;

    bad.num_ports = 0;
    CHECK_EQ(egret_apply_burst(e, &ev, 1, NULL, &done), EGRET_ERR_NULL, "burst");
    CHECK_EQ(done, 99, "untouched");
    CHECK_EQ(egret_explain(NULL, &ev, &why), EGRET_ERR_NULL, "explain");
    CHECK_EQ(egret_explain(e, &ev, NULL), EGRET_ERR_NULL, "explain");
    CHECK_EQ(egret_cfg_named(NULL, &bad), EGRET_ERR_NULL, "named");
    CHECK_EQ(egret_cfg_named("tiny", NULL), EGRET_ERR_NULL, "named");
    CHECK(egret_config(NULL) == NULL, "config");
    CHECK_EQ(egret_scheme_by_name(NULL, &scheme), EGRET_ERR_NULL, "scheme");
    CHECK_EQ(egret_scheme_by_name("dr", NULL), EGRET_ERR_NULL, "scheme");
    CHECK_EQ(egret_state_address(&bad, 0, &addr), EGRET_ERR_CONFIG, "state address");
    CHECK_EQ(egret_state_address(&cfg, 0, NULL), EGRET_ERR_NULL, "state address");
    CHECK_EQ(egret_state_address(&cfg, egret_state_count(&cfg), &addr), EGRET_ERR_RANGE, "state");
    CHECK_EQ(egret_state_count(&bad), 0, "state count");
    CHECK(scheme == 99 && addr == 99, "untouched");
    egret_destroy(e);
}

static void out_of_memory(void)
{
    struct egret_cfg cfg = test_cfg("tiny");
    struct egret *e = NULL;
    struct egret_timing *t = NULL;
    void *self = NULL;

    no_memory = true;
    CHECK_EQ(egret_create(&cfg, &e), EGRET_ERR_MEMORY, "create");
    CHECK_EQ(egret_timing_create(&cfg, &t), EGRET_ERR_MEMORY, "timing");
    CHECK_EQ(egret_model_selector()->create(&cfg, &self), EGRET_ERR_MEMORY, "selector");
    no_memory = false;
    CHECK(e == NULL && t == NULL && self == NULL, "untouched");
}

static void names(void)
{
    unsigned scheme = 99;
    for (unsigned i = 0; i <= EGRET_NUM_SCHEMES; i++) {
        CHECK_EQ(egret_scheme_by_name(egret_scheme_name(i), &scheme), EGRET_OK, "scheme");
        CHECK_EQ(scheme, i, "scheme");
    }
    CHECK(strcmp(egret_scheme_name(3), "dr") == 0, "dr");
    CHECK(strcmp(egret_scheme_name(6), "spray-random") == 0, "spray-random");
    CHECK(strcmp(egret_scheme_name(7), "spray-quality") == 0, "spray-quality");
    CHECK(strcmp(egret_scheme_name(8), "flowlet") == 0, "flowlet");
    CHECK(strcmp(egret_scheme_name(0), "none") == 0, "none");
    CHECK(egret_scheme_name(9) == NULL && egret_reason_name(7) == NULL, "unknown codes");
    CHECK_EQ(egret_scheme_by_name("flow", &scheme), EGRET_ERR_RANGE, "unknown scheme");
    CHECK(strcmp(egret_flowlet_outcome_name(EGRET_FLOWLET_EVICT), "evict") == 0, "outcome");
    CHECK(strcmp(egret_flowlet_outcome_name(3), "conflict") == 0, "outcome");
    CHECK(egret_flowlet_outcome_name(4) == NULL, "unknown outcome");
    CHECK(strcmp(egret_reason_name(EGRET_REASON_DROP_INDEX), "drop-index") == 0, "reason");
    CHECK(strcmp(egret_reason_name(EGRET_REASON_DROP_FAULT), "drop-fault") == 0, "reason");
    for (int err = -8; err <= 0; err++)
        CHECK(strlen(egret_strerror(err)) > 5, "error %d", err);
    CHECK_EQ(sizeof(struct egret_decision), 16, "size of a decision");
}

static void selector(void)
{
    const struct egret_selector_ops *ops = egret_model_selector();
    struct egret_cfg cfg = test_cfg("lab");
    struct egret_event ev = test_packet(9, 0, 0);
    struct egret_decision d;
    void *self = NULL;
    size_t done = 0;

    CHECK_EQ(ops->api_version, EGRET_SELECTOR_VERSION, "version");
    CHECK(strcmp(ops->name, "model") == 0, "name");
    CHECK_EQ(ops->create(&cfg, &self), EGRET_OK, "create");
    CHECK_EQ(ops->apply(self, &ev, &d), EGRET_OK, "apply");
    CHECK_EQ(d.reason, EGRET_REASON_DROP_EMPTY, "apply");
    CHECK_EQ(ops->apply_burst(self, &ev, 1, &d, &done), EGRET_OK, "burst");
    CHECK_EQ(done, 1, "burst");
    ev.kind = EGRET_EV_READ;
    ev.addr = EGRET_A_GROUP_COUNTER(9, 0);
    CHECK_EQ(ops->apply(self, &ev, &d), EGRET_OK, "read");
    CHECK_EQ(d.data, 2, "two drops");
    CHECK_EQ(ops->reset(self), EGRET_OK, "reset");
    CHECK_EQ(ops->apply(self, &ev, &d), EGRET_OK, "read");
    CHECK_EQ(d.data, 0, "after reset");
    ops->destroy(self);
    CHECK_EQ(ops->create(&cfg, NULL), EGRET_ERR_NULL, "nowhere to put it");
    cfg.num_ports = 0;
    CHECK_EQ(ops->create(&cfg, &self), EGRET_ERR_CONFIG, "bad configuration");
}

static void size_bins(void)
{
    struct egret_classmap map;
    const char *param = NULL;

    egret_classmap_default(&map);
    CHECK_EQ(egret_classmap_check(&map, 2, &param), EGRET_OK, "default");
    CHECK_EQ(egret_classmap_check(&map, 1, &param), EGRET_ERR_RANGE, "one bin only");
    CHECK(param != NULL && strcmp(param, "num_thresholds") == 0, "names the member");
    CHECK_EQ(egret_classmap_bin(&map, 64, -1), 0, "short");
    CHECK_EQ(egret_classmap_bin(&map, 255, 0x0a), 0, "below the threshold");
    CHECK_EQ(egret_classmap_bin(&map, 256, 0x0a), 1, "at the threshold");
    CHECK_EQ(egret_classmap_bin(&map, 4158, -1), 1, "long");
    CHECK_EQ(egret_classmap_bin(&map, 4158, 0x11), 0, "an ACK whatever its length");
    CHECK_EQ(egret_classmap_bin(&map, 4158, 0x12), 0, "ATOMIC ACK");
    CHECK_EQ(egret_classmap_bin(&map, 4158, 0x10), 1, "READ response only is data");

    map.num_thresholds = 15;
    for (unsigned i = 0; i < 15; i++)
        map.threshold[i] = (uint16_t)(100 * (i + 1));
    map.ack_bin = 15;
    CHECK_EQ(egret_classmap_check(&map, 16, NULL), EGRET_OK, "16 bins");
    for (uint32_t length = 0; length < 2000; length++)
        CHECK_EQ(egret_classmap_bin(&map, length, -1), length < 1500 ? length / 100 : 15, "bin");
    CHECK_EQ(egret_classmap_bin(&map, 0, 0x11), 15, "ack_bin");
    map.threshold[7] = map.threshold[6];
    CHECK_EQ(egret_classmap_check(&map, 16, &param), EGRET_ERR_RANGE, "not ascending");
    CHECK(strcmp(param, "threshold") == 0, "names the member");
    egret_classmap_default(&map);
    map.ack_bin = 2;
    CHECK_EQ(egret_classmap_check(&map, 2, &param), EGRET_ERR_RANGE, "ack_bin");
    CHECK(strcmp(param, "ack_bin") == 0, "names the member");
    CHECK_EQ(egret_classmap_check(&map, 2, NULL), EGRET_ERR_RANGE, "named to nobody");
    map.ack_bin = EGRET_MAX_BINS;
    CHECK_EQ(egret_classmap_check(&map, 99, &param), EGRET_ERR_RANGE, "more bins than there are");
    CHECK(strcmp(param, "ack_bin") == 0, "names the member");
    map.num_thresholds = EGRET_MAX_BINS;
    CHECK_EQ(egret_classmap_check(&map, 99, &param), EGRET_ERR_RANGE, "more thresholds");
    CHECK(strcmp(param, "num_thresholds") == 0, "names the member");
    CHECK_EQ(egret_classmap_check(NULL, 2, &param), EGRET_ERR_NULL, "null");
    /* An unchecked map stays within its table. */
    memset(map.threshold, 0, sizeof map.threshold);
    CHECK_EQ(egret_classmap_bin(&map, 64, 256), EGRET_MAX_BINS - 1, "the last bin; no opcode 256");
}

/* ---- 2^32 ticks: lists of ports by band are known by how many ticks there were ---- */

static void plain_event(struct egret *e, uint8_t kind, uint32_t port, uint32_t depth)
{
    struct egret_event ev = test_write_event(port, depth);
    struct egret_decision d;
    ev.kind = kind;
    REQUIRE(egret_apply(e, &ev, &d) == EGRET_OK);
}

/* Every word of the model that has gone up by one with each tick so far, TICK_COUNT among them,
 * becomes `value`; returns how many there are. */
static unsigned set_counted_ticks(void *memory, size_t bytes, const uint32_t *before,
                                  uint32_t ticks, uint32_t value)
{
    unsigned n = 0;
    for (size_t i = 0; i < bytes / sizeof(uint32_t); i++) {
        uint32_t now;
        memcpy(&now, (char *)memory + i * sizeof now, sizeof now);
        if (now - before[i] == ticks) {
            memcpy((char *)memory + i * sizeof now, &value, sizeof value);
            n++;
        }
    }
    return n;
}

/* Ports 0 and 1; each group must take the only one of the least band. */
static void expect_port(struct egret *e, const struct egret_cfg *cfg, uint32_t port)
{
    for (uint32_t i = 0; i < 4 * cfg->num_groups; i++) {
        struct egret_event ev = test_packet(i % cfg->num_groups, 0, 0);
        CHECK_EQ(test_decide(e, &ev).port, port, "the emptier port");
    }
}

static void many_ticks(void)
{
    struct egret_cfg cfg = test_cfg("lab");
    uint32_t *before;
    struct egret *e;

    cfg.num_keys = 4; /* fewer than groups */
    e = test_create(&cfg);
    REQUIRE((before = malloc(last_size)) != NULL);
    for (uint32_t i = 0; i < cfg.num_buckets; i++)
        test_write(e, EGRET_A_BUCKET(i), 5);
    for (uint32_t i = 0; i < cfg.num_groups; i++) {
        struct egret_group g = {.scheme = EGRET_SCHEME_SPRAY_QUALITY, .members = 3};
        REQUIRE(egret_ctl_group(&cfg, i, &g, egret_emit_apply, e) == EGRET_OK);
        struct egret_event ev = test_packet(i, 0, 0); /* lists both ports, before any tick */
        CHECK(test_decide(e, &ev).port < 2, "one of both");
    }
    test_write(e, EGRET_A_LOAD_WEIGHTS, 256u << 16);
    for (uint32_t i = 1; i < 8; i++)
        test_write(e, EGRET_A_LOAD_THRESHOLD(i), 1);
    for (uint32_t i = 0; i < 2; i++)
        test_write(e, EGRET_A_PORT_LOAD(i, 1), 0x8000);
    memcpy(before, e, last_size);
    for (uint32_t i = 0; i < 5; i++)
        plain_event(e, EGRET_EV_TICK, 0, 0);
    CHECK(set_counted_ticks(e, last_size, before, 5, 0xfffffffeu) >= 1, "TICK_COUNT at least");
    CHECK_EQ(test_read(e, EGRET_A_TICK_COUNT), 0xfffffffeu, "ticks");
    for (uint32_t i = 0; i < 4; i++) { /* the second tick puts the band in force, and comes round */
        plain_event(e, EGRET_EV_QUEUE, i % 2, 1000);
        plain_event(e, EGRET_EV_QUEUE, 1 - i % 2, 0);
        plain_event(e, EGRET_EV_TICK, 0, 0);
        plain_event(e, EGRET_EV_TICK, 0, 0);
        CHECK_EQ(test_read(e, EGRET_A_TICK_COUNT), 2 * i, "modulo 2^32");
        expect_port(e, &cfg, 1 - i % 2);
    }
    CHECK_EQ(test_read(e, EGRET_A_QUALITY_SMALL), 0, "no packet is small");
    for (uint32_t i = 0; i < cfg.num_buckets; i++)
        CHECK_EQ(test_read(e, EGRET_A_BUCKET(i)), 5, "nothing else changed");
    free(before);
    egret_destroy(e);
}

int main(void)
{
    configurations();
    bad_arguments();
    null_and_bad();
    out_of_memory();
    names();
    selector();
    size_bins();
    many_ticks();
    return test_end();
}
