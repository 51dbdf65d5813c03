/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_stimulus.c: directed stimuli for the benches.
 *
 * usage: make_stimulus KIND CONFIG N SEED FILE
 *   throughput   N packets without a pause behind the opening writes
 *   pointers     N rounds of packets, writes and reads of one pointer entry (and of its neighbours)
 *                at every distance from 1 to 8, all schemes sharing it
 *   readwrite    N rounds of neighbouring writes, packets and reads of one word of every region
 *   hash         N rounds of packets of ecmp right before and behind a write of a hash register
 *   wide         N rounds of packets of ecmp in which every bit of the record is random, over IPv6,
 *                behind writes of all hash registers, and of every word of a matrix
 *   ticks        N ticks without a pause, packets, port and queue events among them
 *   hazards, flowlet, quality   tb/shim/make_deep.c
 *   faults       tb/shim/make_faults.c
 *   time, groups                tb/shim/make_time.c
 *   words, repairs, bursts, early, clocks   tb/shim/make_edges.c
 *   bands, walk                 tb/shim/make_bands.c
 *   corners                     tb/shim/make_corners.c
 *   alias        N rounds of writes and reads of a word, of an address that differs from its own in
 *                one bit, of data with one bit too many, and a packet whose group and key have one
 *   fresh        N packets without opening writes: the state is what the sweep leaves
 *   bytes        N packets of the greatest length, four of five of one flow, so that the upper bits
 *                of counters move
 *   empty        the opening writes alone: no stimulus, since it has no packet
 * Group g has scheme 1 + g mod 3 (ecmp, spray-rr, dr), so that groups 2 and 5 share dr's pointers,
 * but 6 has entropy and 7 spray-random; a configuration with fewer groups changes the scheme of its
 * last group from round to round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make_stimulus.h"

#define FRAME_BYTES 64u
#define WIDE_BYTES 78u

uint32_t draw(struct maker *m, uint32_t below)
{
    uint32_t x = m->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    m->random = x;
    return (uint32_t)((uint64_t)x * below >> 32);
}

void must(struct maker *m, int err)
{
    if (err != EGRET_OK)
        m->failed = true;
}

static void follow(struct maker *m, const struct egret_event *ev)
{
    struct egret_decision d;
    must(m, egret_apply(m->model, ev, &d));
}

void event(struct maker *m, unsigned kind, uint32_t address, uint32_t data)
{
    struct egret_event ev;
    memset(&ev, 0, sizeof ev);
    ev.kind = (uint8_t)kind;
    ev.addr = address;
    ev.data = data;
    ev.now = m->now++;
    if (kind == EGRET_EV_WRITE)
        (void)egret_front_write(m->front, address, data);
    follow(m, &ev);
    must(m, egret_writer_event(m->writer, &ev));
}

int emit(void *ctx, uint32_t address, uint32_t data)
{
    event(ctx, EGRET_EV_WRITE, address, data);
    return EGRET_OK;
}

void put(struct maker *m, uint32_t address, uint32_t data)
{
    event(m, EGRET_EV_WRITE, address, data);
}

void get(struct maker *m, uint32_t address)
{
    event(m, EGRET_EV_READ, address, 0);
}

static void write_packet(struct maker *m, const uint8_t *bytes, uint32_t have, uint32_t length)
{
    struct egret_parsed parsed;
    must(m, egret_parse(bytes, have, length, &parsed));
    memset(&m->last, 0, sizeof m->last);
    (void)egret_front_resolve(m->front, &parsed, length, &m->last);
    m->last.kind = EGRET_EV_PACKET;
    m->last.now = m->now++;
    follow(m, &m->last);
    must(m, egret_writer_packet(m->writer, m->last.now, bytes, have, length));
}

/* RoCEv2 over IPv4 to 10.1.0.route; everything else random, or of a flow. */
static void send(struct maker *m, uint32_t route, uint32_t length, const uint8_t flow[4])
{
    uint8_t f[FRAME_BYTES] = {0};
    f[12] = 0x08;
    f[14] = 0x45;
    f[16] = (uint8_t)((length - 14) >> 8);
    f[17] = (uint8_t)(length - 14);
    f[22] = 64;
    f[23] = 17;
    f[26] = 10;
    f[29] = flow[0];
    f[30] = 10;
    f[31] = 1;
    f[33] = (uint8_t)route;
    f[34] = flow[1];
    f[35] = flow[2];
    f[36] = (uint8_t)(EGRET_UDP_PORT_ROCE >> 8);
    f[37] = (uint8_t)(EGRET_UDP_PORT_ROCE & 255u);
    f[38] = (uint8_t)((length - 34) >> 8);
    f[39] = (uint8_t)(length - 34);
    f[42] = 10; /* RDMA WRITE only */
    f[49] = flow[3];
    write_packet(m, f, FRAME_BYTES, length);
}

static void packet_of(struct maker *m, uint32_t route, uint32_t length)
{
    uint8_t flow[4];
    for (unsigned i = 0; i < 4; i++)
        flow[i] = (uint8_t)(draw(m, i == 1 ? 64 : 256) + (i == 1 ? 192 : 0));
    send(m, route, length, flow);
}

void packet(struct maker *m, uint32_t route)
{
    packet_of(m, route,
              draw(m, 4) == 0 ? 66 + draw(m, 8000) : FRAME_BYTES + 2 + draw(m, 200));
}

void flow_packet(struct maker *m, uint32_t route, uint32_t flow, uint32_t length)
{
    const uint8_t bytes[4] = {(uint8_t)flow, (uint8_t)(192 + flow % 64), (uint8_t)(flow * 7),
                              (uint8_t)(flow >> 3)};
    send(m, route, length, bytes);
}

static void group(struct maker *m, uint32_t number, uint32_t scheme)
{
    struct egret_group g;
    const struct egret_cfg *c = &m->cfg;
    uint64_t all = c->num_ports == 64 ? UINT64_MAX : ((uint64_t)1 << c->num_ports) - 1;
    memset(&g, 0, sizeof g);
    g.scheme = scheme;
    g.bank = draw(m, 2);
    g.wraps = draw(m, 4);
    g.last = draw(m, 2) == 0 ? c->row_len - 1 : draw(m, c->row_len);
    g.row_base = draw(m, c->num_rows);
    g.row_mask = c->num_rows - 1;
    g.bucket_base = draw(m, c->num_buckets);
    g.bucket_mask = c->num_buckets - 1;
    g.members = all;
    if (draw(m, 2) == 0)
        g.members &= ~((uint64_t)1 << draw(m, c->num_ports));
    if (g.members == 0)
        g.members = all;
    must(m, egret_ctl_group(c, number, &g, emit, m));
}

/* ecmp, spray-rr, dr over and over; the last two of eight are entropy and spray-random. */
static uint32_t scheme_of(const struct egret_cfg *c, uint32_t i)
{
    uint32_t late = i == 6 ? EGRET_SCHEME_ENTROPY : EGRET_SCHEME_SPRAY_RANDOM;
    return i >= 6 && c->schemes >> late & 1u ? late : 1 + i % 3;
}

static void opening(struct maker *m)
{
    const struct egret_cfg *c = &m->cfg;
    struct egret_hash_setup hash;
    egret_hash_setup_default(&hash);
    hash.fields = EGRET_FIELDS_ALL;
    hash.seed = m->random;
    hash.rotation = draw(m, 32);
    if (c->hash_kind == EGRET_HASH_KIND_LOOKUP3)
        hash.algorithm = EGRET_HASH_LOOKUP3;
    must(m, egret_ctl_hash(c, &hash, emit, m, NULL));
    must(m, egret_ctl_draw_seed(c, m->random, emit, m));
    for (uint32_t i = 0; i < c->num_buckets; i++)
        put(m, EGRET_A_BUCKET(i), draw(m, c->num_ports));
    for (uint32_t i = 0; i < 2 * c->num_rows * c->row_len; i++)
        put(m, EGRET_A_SCHEDULE(i & 1, i / 2 / c->row_len, i / 2 % c->row_len),
            draw(m, c->num_ports));
    for (uint32_t i = 0; i < c->num_groups && i < 8; i++)
        group(m, i, scheme_of(c, i));

    put(m, EGRET_A_FRONT_THRESHOLDS, c->num_bins > 1 ? 1 : 0);
    put(m, EGRET_A_FRONT_THRESHOLD(0), 300);
    put(m, EGRET_A_FRONT_ROUTE_MASK(0), 0xffffffffu);
    put(m, EGRET_A_FRONT_ROUTE_FAMILY, 4);
    for (uint32_t i = 0; i < ROUTES; i++) {
        m->route_group[i] = i % (c->num_groups < 8 ? c->num_groups : 8);
        m->route_key[i] = i / 16 == 0 ? 0 : draw(m, c->num_keys < 4 ? c->num_keys : 4);
        put(m, EGRET_A_FRONT_ROUTE_VALUE(0), 0x0a010000u | i);
        put(m, EGRET_A_FRONT_ROUTE(i), m->route_key[i] << 16 | m->route_group[i]);
    }
}

static void make_throughput(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        packet(m, i / 5 % 3 == 0 ? i / 15 % ROUTES : draw(m, ROUTES));
}

/* The pointer entry behind a route: of its group's own, or of its key. */
static uint32_t pointer(struct maker *m, uint32_t route)
{
    return m->route_group[route] % 3 == 1
               ? EGRET_A_POINTER_RR(m->route_group[route])
               : EGRET_A_POINTER_DR(m->route_key[route], draw(m, m->cfg.num_bins));
}

static void last_group_changes(struct maker *m, uint32_t round)
{
    if (m->cfg.num_groups < 3)
        group(m, m->cfg.num_groups - 1, 1 + round % 3);
}

static void make_pointers(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        last_group_changes(m, i);
        for (uint32_t distance = 1; distance <= 8; distance++) {
            uint32_t route = draw(m, ROUTES);
            packet(m, route);
            for (uint32_t k = 1; k < distance; k++)
                packet(m, draw(m, 3) == 0 ? route : draw(m, ROUTES));
            switch (draw(m, 4)) {
            case 0:
                put(m, pointer(m, route), m->random);
                break;
            case 1:
                get(m, pointer(m, route));
                break;
            case 2:
                put(m, pointer(m, route), draw(m, m->cfg.row_len));
                get(m, pointer(m, route));
                break;
            default:
                break;
            }
            packet(m, route);
            packet(m, route);
        }
    }
}

/* A word of each region, near those that the routes use. */
static uint32_t word(struct maker *m, uint32_t region)
{
    const struct egret_cfg *c = &m->cfg;
    switch (region) {
    case 0:
        return EGRET_A_HASH_SEED;
    case 1:
        return EGRET_A_GROUP(draw(m, c->num_groups < 8 ? c->num_groups : 8), draw(m, 5));
    case 2:
        return EGRET_A_BUCKET(draw(m, c->num_buckets));
    case 3:
        return EGRET_A_SCHEDULE(draw(m, 2), draw(m, c->num_rows), draw(m, c->row_len));
    case 4:
        return pointer(m, draw(m, ROUTES));
    case 5:
        return EGRET_A_QUEUE(draw(m, c->num_ports));
    case 6:
        return EGRET_A_PORT_COUNTER(draw(m, c->num_ports), draw(m, 4));
    case 7:
        return EGRET_A_GROUP_COUNTER(draw(m, c->num_groups < 8 ? c->num_groups : 8), draw(m, 2));
    case 8:
        return EGRET_A_MATRIX(draw(m, EGRET_HASH_NIBBLES), draw(m, 16));
    case 9:
        return EGRET_A_DRAW_SEED;
    default:
        return EGRET_A_TYPE + draw(m, 0x25);
    }
}

static void make_readwrite(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t region = 0; region <= 10; region++) {
            uint32_t at = word(m, region);
            uint32_t small = region == 1 ? m->cfg.row_len << 16 : m->cfg.num_ports + 1;
            for (uint32_t k = draw(m, 4); k > 0; k--)
                packet(m, draw(m, ROUTES));
            if (region == 5)
                event(m, EGRET_EV_QUEUE, draw(m, m->cfg.num_ports), m->random);
            for (uint32_t k = draw(m, 3); k > 0; k--)
                put(m, at, draw(m, 3) == 0 ? m->random : draw(m, small));
            for (uint32_t k = draw(m, 3); k > 0; k--)
                get(m, at);
            put(m, at, region == 1 ? 1 + draw(m, 3) : draw(m, small));
            packet(m, draw(m, ROUTES));
            get(m, at);
            get(m, word(m, region));
        }
    }
}

/* Of a group whose scheme is ecmp. */
static uint32_t ecmp_route(struct maker *m)
{
    uint32_t route = draw(m, ROUTES);
    while (m->route_group[route] % 3 != 0)
        route = draw(m, ROUTES);
    return route;
}

/* Those of all hashes and some that no hash has, legal or not. */
static uint32_t algorithm(struct maker *m)
{
    static const uint32_t some[] = {0, 1, 2, 3, 5, 7, 14, 15, 16, 31, 0x105, 0x10f, 0x10003};
    return some[draw(m, sizeof some / sizeof some[0])];
}

static void make_hash(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        static const uint32_t at[4] = {EGRET_A_HASH_FIELDS, EGRET_A_HASH_SEED,
                                       EGRET_A_HASH_ROTATION, EGRET_A_HASH_ALGORITHM};
        uint32_t which = draw(m, 4);
        for (uint32_t k = 1 + draw(m, 2); k > 0; k--)
            packet(m, ecmp_route(m));
        for (uint32_t k = 1 + draw(m, 2); k > 0; k--)
            put(m, at[which],
                which == 0   ? draw(m, 128)
                : which == 1 ? draw(m, UINT32_MAX)
                : which == 2 ? draw(m, 32)
                             : algorithm(m));
        for (uint32_t k = 1 + draw(m, 3); k > 0; k--)
            packet(m, ecmp_route(m));
        if (draw(m, 4) == 0)
            get(m, at[draw(m, 4)]);
    }
}

/* IPv6: RoCEv2 or any other protocol, all fields random but the last word of the destination. */
static void wide_packet(struct maker *m, uint32_t route)
{
    uint8_t f[WIDE_BYTES];
    for (unsigned i = 0; i < WIDE_BYTES; i++)
        f[i] = (uint8_t)draw(m, 256);
    f[12] = 0x86;
    f[13] = 0xdd;
    f[14] = 0x60;
    f[18] = 0;
    f[19] = WIDE_BYTES - 54;
    if (draw(m, 2) == 0)
        f[20] = draw(m, 2) == 0 ? 6 : 17;
    f[50] = 10;
    f[51] = 1;
    f[52] = 0;
    f[53] = (uint8_t)route;
    if (f[20] == 17 && draw(m, 2) == 0) {
        f[56] = (uint8_t)(EGRET_UDP_PORT_ROCE >> 8);
        f[57] = (uint8_t)(EGRET_UDP_PORT_ROCE & 255u);
    }
    f[58] = 0;
    f[59] = WIDE_BYTES - 54;
    write_packet(m, f, WIDE_BYTES, WIDE_BYTES);
}

static void make_wide(struct maker *m, uint32_t n)
{
    put(m, EGRET_A_FRONT_ROUTE_FAMILY, 6);
    put(m, EGRET_A_FRONT_ROUTE_MASK(0), 0);
    put(m, EGRET_A_FRONT_ROUTE_MASK(3), 0xffffffffu);
    for (uint32_t i = 0; i < ROUTES; i++) {
        put(m, EGRET_A_FRONT_ROUTE_VALUE(3), 0x0a010000u | i);
        put(m, EGRET_A_FRONT_ROUTE(i), m->route_key[i] << 16 | m->route_group[i]);
    }
    for (uint32_t i = 0; i < 16 * EGRET_HASH_NIBBLES; i++) {
        if (m->cfg.hash_kind == EGRET_HASH_KIND_MATRIX)
            put(m, EGRET_A_MATRIX(i / 16, i % 16), draw(m, UINT32_MAX));
    }
    for (uint32_t i = 0; i < n; i++) {
        put(m, EGRET_A_HASH_ALGORITHM, algorithm(m));
        if (draw(m, 4) == 0)
            get(m, EGRET_A_HASH_ALGORITHM);
        put(m, EGRET_A_HASH_FIELDS, draw(m, 2) == 0 ? draw(m, 128) : EGRET_FIELDS_ALL);
        put(m, EGRET_A_HASH_SEED, draw(m, UINT32_MAX));
        put(m, EGRET_A_HASH_ROTATION, draw(m, 32));
        for (uint32_t k = 0; k < 8; k++)
            wide_packet(m, ecmp_route(m));
    }
}

static void make_ticks(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = draw(m, 4); k > 0; k--)
            packet(m, draw(m, ROUTES));
        if (draw(m, 3) == 0)
            event(m, EGRET_EV_PORT, draw(m, m->cfg.num_ports + 1), draw(m, 3) != 0);
        if (draw(m, 3) == 0)
            event(m, EGRET_EV_QUEUE, draw(m, m->cfg.num_ports + 1), m->random);
        event(m, EGRET_EV_TICK, 0, 0);
        if (draw(m, 4) == 0)
            get(m, EGRET_A_TICK_COUNT + draw(m, 3));
    }
    packet(m, 0);
}

static void make_alias(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = word(m, i % 11);
        uint32_t other = at ^ 1u << draw(m, 24);
        uint32_t value = draw(m, 8);
        uint32_t kept = i % 2 == 0 ? draw(m, m->cfg.num_keys) << 16 : draw(m, m->cfg.num_groups);
        get(m, at);
        if (at >> 20 == 15 || other >> 20 == 15)
            continue; /* the front end's own */
        if (draw(m, 2) == 0)
            put(m, at, value);
        put(m, other, draw(m, 2) == 0 ? m->random : value ^ 1u);
        get(m, at);
        get(m, other);
        put(m, at, draw(m, m->cfg.num_ports) ^ 1u << draw(m, 32));
        get(m, at);
        put(m, EGRET_A_FRONT_ROUTE_VALUE(0), 0x0a010000u | (ROUTES - 1));
        put(m, EGRET_A_FRONT_ROUTE(ROUTES - 1), kept ^ 1u << draw(m, 32));
        packet(m, ROUTES - 1);
        packet(m, draw(m, ROUTES));
    }
}

/* A tick waits all through the sweep. */
static void make_fresh(struct maker *m, uint32_t n)
{
    event(m, EGRET_EV_TICK, 0, 0);
    for (uint32_t i = 0; i < n; i++)
        packet(m, i % ROUTES);
}

static void make_bytes(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i % 5 == 0)
            packet_of(m, draw(m, ROUTES), UINT16_MAX);
        else
            flow_packet(m, 0, 7, UINT16_MAX);
    }
}

static void make_nothing(struct maker *m, uint32_t n)
{
    (void)m;
    (void)n;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(struct maker *m, uint32_t n);
    } kinds[] = {
        {"throughput", make_throughput}, {"pointers", make_pointers}, {"ticks", make_ticks},
        {"hash", make_hash},             {"hazards", make_hazards},   {"flowlet", make_flowlet},
        {"quality", make_quality},       {"wide", make_wide},         {"empty", make_nothing},
        {"readwrite", make_readwrite},   {"alias", make_alias},       {"fresh", make_fresh},
        {"bytes", make_bytes},           {"faults", make_faults},     {"time", make_time},
        {"groups", make_groups},         {"words", make_words},       {"repairs", make_repairs},
        {"bursts", make_bursts},         {"early", make_early},       {"clocks", make_clocks},
        {"bands", make_bands},           {"walk", make_walk},         {"corners", make_corners},
    };
    struct maker m;
    struct egret_trace_error error = {""};
    memset(&m, 0, sizeof m);
    if (argc != 6 || egret_cfg_named(argv[2], &m.cfg) != EGRET_OK) {
        fprintf(stderr, "usage: make_stimulus KIND CONFIG N SEED FILE\n");
        return 2;
    }
    if (egret_create(&m.cfg, &m.model) != EGRET_OK || egret_front_create(&m.front) != EGRET_OK) {
        fprintf(stderr, "make_stimulus: out of memory\n");
        return 1;
    }
    uint32_t n = (uint32_t)strtoul(argv[3], NULL, 10);
    m.random = (uint32_t)strtoul(argv[4], NULL, 10) * 0x9e3779b9u | 1u;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(argv[1], kinds[i].name) != 0)
            continue;
        if (egret_writer_open(argv[5], &m.writer, &error) != EGRET_OK) {
            fprintf(stderr, "make_stimulus: %s\n", error.text);
            return 1;
        }
        if (kinds[i].make != make_fresh && kinds[i].make != make_early)
            opening(&m);
        kinds[i].make(&m, n);
        if (m.failed) {
            fprintf(stderr, "make_stimulus: an event was refused\n");
            egret_writer_abort(m.writer);
            return 1;
        }
        if (egret_writer_commit(m.writer, &error) != EGRET_OK) {
            fprintf(stderr, "make_stimulus: %s\n", error.text);
            return 1;
        }
        return 0;
    }
    fprintf(stderr, "make_stimulus: no kind %s\n", argv[1]);
    return 2;
}
