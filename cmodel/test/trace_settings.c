/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_settings.c: settings as the selector and the front end see them: decisions worked out by
 * hand, and no write that is ignored.
 */
#include "egret/settings.h"
#include "egret/trace_front.h"
#include "trace_test.h"

struct rig {
    struct egret_settings s;
    struct egret *model;
    struct egret_front *front;
};

static int apply(void *ctx, uint32_t addr, uint32_t data)
{
    struct rig *r = ctx;
    if (addr >= EGRET_A_FRONT) {
        return egret_front_write(r->front, addr, data) ? EGRET_OK : EGRET_ERR_RANGE;
    }
    return egret_emit_apply(r->model, addr, data);
}

static bool rig_open(struct rig *r, const char *yaml)
{
    struct egret_trace_error err;
    memset(r, 0, sizeof *r);
    if (egret_settings_parse(yaml, strlen(yaml), "t.yaml", &r->s, &err)) {
        printf("%s\n", err.text);
        return false;
    }
    return egret_create(&r->s.cfg, &r->model) == EGRET_OK &&
           egret_front_create(&r->front) == EGRET_OK &&
           egret_settings_writes(&r->s, apply, r) == EGRET_OK;
}

static void rig_close(struct rig *r)
{
    egret_destroy(r->model);
    egret_front_destroy(r->front);
    egret_settings_free(&r->s);
}

static uint32_t read_word(struct rig *r, uint32_t addr)
{
    struct egret_event ev;
    struct egret_decision d;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_READ;
    ev.addr = addr;
    (void)egret_apply(r->model, &ev, &d);
    return d.data;
}

/* Port of a packet to an IPv4 or IPv6 address; *ev (may be null) is what the front end made of it.
 */
static uint32_t port_of(struct rig *r, unsigned family, const uint8_t dst[16], uint16_t source_port,
                        int opcode, struct egret_event *out)
{
    struct egret_parsed p;
    struct egret_event ev;
    struct egret_decision d;
    memset(&p, 0, sizeof p);
    memcpy(p.record + 16, dst, 16);
    p.family = (uint8_t)family;
    p.opcode = (int16_t)opcode;
    p.source_port = source_port;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_PACKET;
    (void)egret_front_resolve(r->front, &p, 1000, &ev);
    if (egret_apply(r->model, &ev, &d) != EGRET_OK) {
        return 1000;
    }
    if (out) {
        *out = ev;
    }
    return d.port;
}

/* 10.A.B.1 */
static const uint8_t *ip(uint8_t a, uint8_t b)
{
    static const uint8_t host[4] = {10, 0, 0, 1};
    static uint8_t address[16];
    memset(address, 0, sizeof address);
    memcpy(address, host, 4);
    address[1] = a;
    address[2] = b;
    return address;
}

/* The first bucket; slices of the source port; rows as they are written; weights as shares. */
static void decisions(struct trace_test *t)
{
    struct rig r;
    CHECK(t, rig_open(&r, "hardware: lab\n"
                          "groups:\n"
                          "  - {id: 0, scheme: fixed, members: [7, 3]}\n"
                          "  - {id: 1, scheme: entropy, members: [4, 5, 6], entropy-offset: 2}\n"
                          "  - {id: 2, scheme: spray-rr, members: [8, 9, 10],\n"
                          "     schedule: {row: 5, rows: 1, wraps: 0}}\n"
                          "  - {id: 3, scheme: ecmp, members: [{port: 0, weight: 3},\n"
                          "     {port: 1, weight: 3}, {port: 2, weight: 2}],\n"
                          "     buckets: {base: 64, count: 8}}\n"
                          "schedules:\n"
                          "  - {row: 5, slots: [10, 8, 9]}\n"
                          "routes:\n"
                          "  - {prefix: 10.0.0.0/8, group: 0}\n"
                          "  - {prefix: 10.1.0.0/16, group: 1}\n"
                          "  - {prefix: 10.1.2.0/24, group: 2, key: 9}\n"
                          "  - {prefix: 10.3.0.0/16, group: 3}\n"));
    CHECK(t, read_word(&r, EGRET_A_WRITES_IGNORED) == 0 && egret_front_ignored(r.front) == 0);
    CHECK(t, port_of(&r, 4, ip(9, 9), 5, -1, NULL) == 7);
    /* Bits 3..2 of the source port: member k mod 3 of bucket k. */
    static const uint32_t by_slice[4] = {4, 5, 6, 4};
    for (uint32_t k = 0; k < 4u; k++) {
        CHECK(t, port_of(&r, 4, ip(1, 1), (uint16_t)(0xc003u | k << 2), -1, NULL) == by_slice[k]);
    }
    /* The row goes round: 10, 8, 9, wherever it begins. */
    struct egret_event ev;
    static const uint32_t after[] = {[8] = 9, [9] = 10, [10] = 8};
    uint32_t port = port_of(&r, 4, ip(1, 2), 1, -1, &ev);
    CHECK(t, ev.group == 2 && ev.key == 9 && port >= 8 && port <= 10);
    for (unsigned i = 0; i < 6u && port >= 8 && port <= 10; i++) {
        uint32_t next = port_of(&r, 4, ip(1, 2), 1, -1, NULL);
        CHECK(t, next == after[port]);
        port = next;
    }
    unsigned share[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 8u; i++) {
        uint32_t p = read_word(&r, EGRET_A_BUCKET(64u + i));
        share[p < 3u ? p : 0] += p < 3u;
    }
    CHECK(t, share[0] == 3 && share[1] == 3 && share[2] == 2);
    rig_close(&r);
}

/* Longest match whatever the order; families apart; the default; classes. */
static void routes(struct trace_test *t)
{
    struct rig r;
    struct egret_event ev;
    static const uint8_t six[16] = {0x20, 0x01, 0x0d, 0xb8, 9};
    CHECK(t, rig_open(&r, "groups:\n"
                          "  - {id: 0, scheme: fixed, members: [0]}\n"
                          "  - {id: 1, scheme: fixed, members: [1]}\n"
                          "  - {id: 2, scheme: fixed, members: [2]}\n"
                          "  - {id: 6, scheme: spray-random, ordered-scheme: fixed, members: [6]}\n"
                          "routes:\n"
                          "  - {prefix: 10.0.0.0/8, group: 0}\n"
                          "  - {prefix: \"2001:db8::/32\", group: 2}\n"
                          "  - {prefix: 10.128.0.0/9, group: 1, key: 5}\n"
                          "default-group: 6\n"
                          "default-key: 3\n"
                          "classes: {preset: rdma, opcodes: [{opcode: 0x0a, flags: 6}]}\n"));
    CHECK(t, port_of(&r, 4, ip(128, 0), 1, -1, &ev) == 1 && ev.key == 5);
    CHECK(t, port_of(&r, 4, ip(127, 255), 1, -1, &ev) == 0 && ev.key == 0);
    CHECK(t, port_of(&r, 6, six, 1, -1, NULL) == 2);
    CHECK(t, port_of(&r, 6, ip(0, 0), 1, -1, &ev) == 6 && ev.group == 6 && ev.key == 3);
    CHECK(t, read_word(&r, EGRET_A_CLASS_ORDERED) == 0xccccu);
    CHECK(t, port_of(&r, 4, ip(1, 0), 1, 0x0a, &ev) == 0 && ev.cls == 6 && ev.bin == 1);
    CHECK(t, port_of(&r, 4, ip(1, 0), 1, 0x11, &ev) == 0 && ev.bin == 0);
    rig_close(&r);
}

/* SAI's names, and its defaults in units of ours (docs/spec/flowlet.md: 256 us are idle 16000). */
static void sai(struct trace_test *t)
{
    struct rig r;
    CHECK(t, rig_open(&r, "load:\n"
                          "  preset: sai\n"
                          "  SAI_ARS_PROFILE_ATTR_SAMPLING_INTERVAL: 16\n"
                          "  SAI_ARS_PROFILE_ATTR_PORT_LOAD_EXPONENT: 2\n"
                          "  SAI_ARS_PROFILE_ATTR_PORT_LOAD_PAST_WEIGHT: 16\n"
                          "  SAI_ARS_PROFILE_ATTR_PORT_LOAD_FUTURE_WEIGHT: 16\n"
                          "SAI_ARS_PROFILE_ATTR_ARS_RANDOM_SEED: 77\n"
                          "hash:\n"
                          "  SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_ALGORITHM: SAI_HASH_ALGORITHM_XOR\n"
                          "  SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_SEED: 10\n"
                          "groups:\n"
                          "  - id: 4\n"
                          "    SAI_ARS_ATTR_MODE: SAI_ARS_MODE_FLOWLET_QUALITY\n"
                          "    members: [1, 2]\n"
                          "    flowlet: {SAI_ARS_ATTR_IDLE_TIME: 256, "
                          "SAI_ARS_ATTR_MAX_FLOWS: 512, base: 512}\n"));
    CHECK(t, r.s.load.load.period_ns == 16000);
    CHECK(t, read_word(&r, EGRET_A_LOAD_EXPONENT) == 2);
    CHECK(t, read_word(&r, EGRET_A_LOAD_WEIGHTS) == 0x00800080u);
    CHECK(t, read_word(&r, EGRET_A_RANDOM) == 77);
    CHECK(t, read_word(&r, EGRET_A_HASH_SEED) != 0 && r.s.hash.setup.seed == 10);
    CHECK(t, r.s.hash.setup.algorithm == EGRET_HASH_XOR16);
    CHECK(t, (read_word(&r, EGRET_A_GROUP(4, 0)) & 15u) == EGRET_SCHEME_FLOWLET);
    CHECK(t, read_word(&r, EGRET_A_GROUP(4, 5)) == (511u << 16 | 512u));
    CHECK(t, (read_word(&r, EGRET_A_GROUP(4, 6)) & 0x3ffffffu) == (1u << 24 | 16000u));
    CHECK(t, egret_settings_has(&r.s, "hash.seed") && egret_settings_has(&r.s, "load.exponent") &&
                 egret_settings_has(&r.s, "random-seed") && egret_settings_has(&r.s, "groups"));
    CHECK(t, !egret_settings_has(&r.s, "hash.rotation") && !egret_settings_has(&r.s, "seed") &&
                 !egret_settings_has(&r.s, "nosuch") && !egret_settings_has(&r.s, "load.small"));
    rig_close(&r);
}

/* Slices that do not say where they are lie behind those that do. */
static void slices(struct trace_test *t)
{
    struct egret_settings s;
    const char *yaml = "groups:\n"
                       "  - {id: 0, scheme: ecmp, members: [1, 2], buckets: {count: 4}}\n"
                       "  - {id: 1, scheme: ecmp, members: [1, 2], buckets: {base: 2, count: 4}}\n"
                       "  - {id: 2, scheme: ecmp, members: [1]}\n"
                       "  - {id: 3, scheme: flowlet, members: [1]}\n"
                       "  - {id: 4, scheme: flowlet, members: [1], flowlet: {entries: 256}}\n"
                       "  - {id: 5, scheme: dr, members: [1, 2]}\n"
                       "  - {id: 6, scheme: dr, members: [1], schedule: {row: 0, rows: 8}}\n";
    CHECK(t, egret_settings_parse(yaml, strlen(yaml), "t", &s, NULL) == EGRET_OK);
    if (s.groups == 7u) {
        CHECK(t, s.group[0].buckets.base == 6 && s.group[1].buckets.base == 2);
        CHECK(t, s.group[2].buckets.base == 10 && s.group[2].buckets.count == 1);
        CHECK(t, s.group[3].flowlet.entries == 512 && s.group[4].flowlet.entries == 256);
        CHECK(t, s.group[3].flowlet.base == 0 && s.group[4].flowlet.base == 512);
        CHECK(t, s.group[5].schedule.rows == 16 && s.group[5].schedule.row == 8);
        CHECK(t, s.group[5].schedule.length == 2 && s.group[6].schedule.length == 1);
    }
    CHECK(t, s.groups == 7u);
    egret_settings_free(&s);
    CHECK(t, s.groups == 0 && s.group == NULL);
    CHECK(t, egret_settings_parse("x: 1", 4, "t", &s, NULL) == EGRET_ERR_RANGE);
    CHECK(t, s.groups == 0 && egret_settings_parse(NULL, 0, "t", &s, NULL) == EGRET_ERR_RANGE);
}

static void hear(void *ctx, const char *text)
{
    *(bool *)ctx = *(bool *)ctx || strstr(text, "max_flows: 256") != NULL;
}

/* Port numbers by the number in the name; a port channel; down is the default. */
static void sonic(struct trace_test *t)
{
    struct egret_settings s;
    bool heard = false;
    const char *json =
        "{\"PORT\": {\"Ethernet16\": {\"speed\": 100000, \"admin_status\": \"up\"},"
        " \"Ethernet4\": {\"speed\": \"25000\", \"admin_status\": \"up\"},"
        " \"Ethernet0\": {\"speed\": \"400000\"}},"
        " \"ARS_OBJECT\": {\"a\": {\"assign_mode\": \"per_packet_quality\"},"
        "   \"b\": {\"max_flows\": \"300\", \"flowlet_idle_time\": \"2047\"}},"
        " \"ARS_INTERFACES\": {\"Ethernet16\": {\"ars_obj_name\": \"b\"}},"
        " \"ARS_PORTCHANNELS\": {\"PortChannel1\": {\"ars_obj_name\": \"a\"}},"
        " \"PORTCHANNEL_MEMBER\": {\"PortChannel1|Ethernet0\": {}, \"PortChannel1|Ethernet4\": {},"
        "   \"PortChannel10|Ethernet16\": {}}}";
    CHECK(t, egret_sonic_parse(json, strlen(json), "c.json", &s, hear, &heard, NULL) == EGRET_OK);
    CHECK(t, heard && s.groups == 2u && s.ports == 3u);
    if (s.groups == 2u) {
        CHECK(t, s.port_down[0] && !s.port_down[1] && !s.port_down[2]);
        CHECK(t,
              s.speed_mbps[0] == 400000 && s.speed_mbps[1] == 25000 && s.speed_mbps[2] == 100000);
        CHECK(t, s.group[0].scheme == EGRET_SCHEME_FLOWLET && s.group[0].members == 1u &&
                     s.group[0].member[0].port == 2 && s.group[0].flowlet.idle_ns == 2047000 &&
                     s.group[0].flowlet.entries == 256);
        CHECK(t, s.group[1].scheme == EGRET_SCHEME_SPRAY_QUALITY && s.group[1].members == 2u &&
                     s.group[1].member[0].port == 0 && s.group[1].member[1].port == 1);
    }
    egret_settings_free(&s);
}

struct stop {
    unsigned calls;
    unsigned at;
};

static int stop(void *ctx, uint32_t addr, uint32_t data)
{
    struct stop *s = ctx;
    (void)addr;
    (void)data;
    return ++s->calls == s->at ? EGRET_ERR_INTERNAL : EGRET_OK;
}

/* Whichever write fails, none follows, and its error is the answer. */
static void stops(struct trace_test *t)
{
    struct egret_settings s;
    struct egret_trace_error err;
    struct stop all = {0, 0};
    CHECK(t, egret_settings_load("cmodel/test/config/all.yaml", &s, &err) == EGRET_OK);
    CHECK(t, egret_settings_writes(&s, stop, &all) == EGRET_OK && all.calls > 100);
    for (unsigned at = 1; at <= all.calls; at++) {
        struct stop one = {0, at};
        CHECK(t, egret_settings_writes(&s, stop, &one) == EGRET_ERR_INTERNAL && one.calls == at);
    }
    egret_settings_free(&s);
}

int main(void)
{
    struct trace_test t = {0, 0};
    decisions(&t);
    routes(&t);
    sai(&t);
    slices(&t);
    sonic(&t);
    stops(&t);
    return trace_result(&t);
}
