/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_setup.c: the opening of a random stimulus: few hot groups, rows and buckets, so that
 * consecutive packets meet in the same entries.
 */
#include <string.h>

#include "random.h"

static uint32_t low_mask(struct rng *rng, uint32_t n)
{
    uint32_t mask = 0;
    while (mask < n - 1u && rng_percent(rng, 60)) {
        mask = mask << 1 | 1u;
    }
    return mask;
}

/* A base near the start or the end of a table, so that base plus index goes round; sometimes
 * beyond it: 16 bits are stored and truncated when they are used. */
static uint32_t table_base(struct rng *rng, uint32_t n)
{
    uint32_t kind = rng_below(rng, 8);
    if (kind == 0) {
        return rng_u32(rng) & 0xffffu;
    }
    return kind < 3 ? n - 1u - rng_below(rng, n < 4u ? n : 4u) : rng_below(rng, n < 4u ? n : 4u);
}

static uint64_t member_bits(struct random_state *r)
{
    uint64_t all = r->cfg->num_ports >= 64u ? UINT64_MAX : (1ull << r->cfg->num_ports) - 1u;
    switch (rng_below(&r->rng, 8)) {
    case 0:
        return 1ull << rng_below(&r->rng, r->cfg->num_ports);
    case 1:
        return rng_u64(&r->rng) & rng_u64(&r->rng); /* sparse, bits beyond the ports too */
    case 2:
        return rng_u64(&r->rng);
    case 3:
        return 0;
    default:
        return all;
    }
}

/* A scheme that the configuration has; those that keep state are the most frequent. */
static uint32_t random_scheme(struct random_state *r)
{
    static const uint32_t frequent[] = {EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_DR,
                                        EGRET_SCHEME_SPRAY_QUALITY, EGRET_SCHEME_FLOWLET,
                                        EGRET_SCHEME_FLOWLET};
    for (unsigned i = 0; i < 16u; i++) {
        uint32_t scheme = rng_percent(&r->rng, 65) ? frequent[rng_below(&r->rng, 5)]
                                                   : 1u + rng_below(&r->rng, EGRET_NUM_SCHEMES);
        if (r->cfg->schemes >> scheme & 1u) {
            return scheme;
        }
    }
    return EGRET_SCHEME_ECMP;
}

/* Small slices, so that flows meet in them, and short idle times, so that they pause. */
static void random_flowlets(struct random_state *r, bool sane)
{
    struct rng *rng = &r->rng;
    uint32_t n = r->cfg->num_flowlets != 0 ? r->cfg->num_flowlets : 16u;
    uint32_t mask = (1u << rng_below(rng, 9)) - 1u;
    uint32_t idle = rng_percent(rng, 70) ? rng_below(rng, 6) : rng_below(rng, 50);
    uint32_t quality = rng_percent(rng, 60) ? 0 : rng_u32(rng) & 0xe3000000u;
    if (rng_percent(rng, 10)) {
        mask = low_mask(rng, n);
    }
    if (rng_percent(rng, 10)) {
        idle = rng_percent(rng, 30) ? 0xff0000u - rng_below(rng, 3) : rng_u32(rng) & 0xffffffu;
    }
    if (!sane && rng_percent(rng, 20)) {
        mask = rng_u32(rng) & 0xffffu;
    }
    egret_gen_write(&r->gen, EGRET_A_GROUP_STAGE5, table_base(rng, n) | mask << 16);
    egret_gen_write(&r->gen, EGRET_A_GROUP_STAGE6, quality | egret_random_drill(r) | idle);
}

void egret_random_group(struct random_state *r, uint32_t group, bool sane)
{
    struct rng *rng = &r->rng;
    const struct egret_cfg *cfg = r->cfg;
    uint32_t scheme = random_scheme(r);
    uint32_t ordered = rng_percent(rng, 50) ? 0 : random_scheme(r);
    uint32_t offset = rng_percent(rng, 50) ? 0 : rng_below(rng, 32);
    uint32_t wraps = rng_percent(rng, 50) ? rng_below(rng, 3) : rng_below(rng, 16);
    uint32_t last = rng_percent(rng, 70) ? rng_below(rng, cfg->row_len) : cfg->row_len - 1u;
    uint64_t members = member_bits(r);
    uint32_t junk = 0;
    if (!sane && rng_percent(rng, 25)) {
        scheme = rng_below(rng, 16);
        ordered = rng_below(rng, 16);
    }
    if (!sane && rng_percent(rng, 30)) {
        last = rng_below(rng, 256);
        junk = rng_u32(rng) & 0xe00000e0u;
    }
    if (sane && members == 0) {
        members = UINT64_MAX;
    } else if (!sane && rng_percent(rng, 20)) {
        members = 0;
    }
    uint32_t row_mask = low_mask(rng, cfg->num_rows);
    uint32_t bucket_mask = low_mask(rng, cfg->num_buckets);
    if (!sane && rng_percent(rng, 20)) {
        row_mask = rng_u32(rng) & 0xffffu;
        bucket_mask = rng_u32(rng) & 0xffffu;
    }
    egret_gen_write(&r->gen, EGRET_A_GROUP_STAGE1, table_base(rng, cfg->num_rows) | row_mask << 16);
    egret_gen_write(&r->gen, EGRET_A_GROUP_STAGE2,
                    table_base(rng, cfg->num_buckets) | bucket_mask << 16);
    egret_gen_write(&r->gen, EGRET_A_GROUP_STAGE3, (uint32_t)members);
    egret_gen_write(&r->gen, EGRET_A_GROUP_STAGE4, (uint32_t)(members >> 32));
    if (cfg->schemes >> EGRET_SCHEME_SPRAY_QUALITY != 0) { /* a deep one */
        random_flowlets(r, sane);
    }
    egret_gen_write(&r->gen, EGRET_A_GROUP(group, 0),
                    scheme | rng_below(rng, 2) << 4 | wraps << 8 | ordered << 12 | last << 16 |
                        offset << 24 | junk);
}

static uint32_t pick_group(struct random_state *r)
{
    uint32_t kind = rng_below(&r->rng, 40);
    if (kind == 0) {
        return r->cfg->num_groups; /* the first that does not exist; also aliases group 0 */
    }
    if (kind == 1) {
        return rng_percent(&r->rng, 50) ? 0xffffu : rng_u32(&r->rng) & 0xffffu;
    }
    return r->hot_group[rng_below(&r->rng, RANDOM_GROUPS)];
}

static uint32_t pick_key(struct random_state *r)
{
    uint32_t n = r->cfg->num_keys;
    switch (rng_below(&r->rng, 16)) {
    case 0:
        return n; /* the first that does not exist; aliases key 0 */
    case 1:
        return rng_percent(&r->rng, 50) ? 0xffffu : rng_u32(&r->rng) & 0xffffu;
    case 2:
        return rng_below(&r->rng, n);
    case 3:
        return n - 1u;
    default:
        return rng_below(&r->rng, n < 4u ? n : 4u);
    }
}

void egret_random_route(struct random_state *r, uint32_t i)
{
    struct random_route *t = &r->route[i];
    t->group = pick_group(r);
    t->key = pick_key(r);
    egret_gen_write(&r->gen, EGRET_A_FRONT_ROUTE_FAMILY, t->address.ipv6 ? 6 : 4);
    for (uint32_t w = 0; w < 4u; w++) {
        const uint8_t *b = t->address.bytes + 4u * w;
        uint32_t value = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        bool used = t->address.ipv6 || w == 0;
        if (used) {
            egret_gen_write(&r->gen, EGRET_A_FRONT_ROUTE_VALUE(w), value);
        }
        egret_gen_write(&r->gen, EGRET_A_FRONT_ROUTE_MASK(w), used ? 0xffffffffu : 0);
    }
    egret_gen_write(&r->gen, EGRET_A_FRONT_ROUTE(i), t->key << 16 | t->group);
}

/* Mostly bins that the configuration has; sometimes up to 15. */
void egret_random_classes(struct random_state *r)
{
    uint32_t bins = rng_percent(&r->rng, 80) ? r->cfg->num_bins : EGRET_MAX_BINS;
    egret_gen_write(&r->gen, EGRET_A_FRONT_THRESHOLDS, rng_below(&r->rng, bins));
    egret_gen_write(&r->gen, EGRET_A_FRONT_ACK_BIN, rng_below(&r->rng, bins));
    uint32_t length = 64;
    for (uint32_t i = 0; i < EGRET_MAX_BINS - 1u; i++) {
        length += rng_below(&r->rng, 600);
        egret_gen_write(&r->gen, EGRET_A_FRONT_THRESHOLD(i), length);
    }
    egret_gen_write(&r->gen, EGRET_A_FRONT_OPCODE(BTH_ACK),
                    rng_below(&r->rng, 16) | EGRET_OPCODE_ACK);
    egret_gen_write(&r->gen, EGRET_A_FRONT_OPCODE(rng_below(&r->rng, 256)), rng_below(&r->rng, 16));
}

void egret_random_hash(struct random_state *r)
{
    static const uint32_t fixed[] = {EGRET_HASH_CRC16, EGRET_HASH_CRC32C};
    static const uint32_t linear[] = {EGRET_HASH_CRC16,  EGRET_HASH_CRC16_CCITT, EGRET_HASH_CRC32,
                                      EGRET_HASH_CRC32C, EGRET_HASH_TOEPLITZ,    EGRET_HASH_XOR16,
                                      EGRET_HASH_XOR32};
    struct egret_hash_setup setup;
    egret_hash_setup_default(&setup);
    setup.fields = rng_percent(&r->rng, 50) ? EGRET_FIELDS_ALL : rng_below(&r->rng, 128);
    setup.seed = rng_u32(&r->rng);
    setup.rotation = rng_below(&r->rng, 32);
    setup.algorithm = EGRET_HASH_LOOKUP3;
    if (r->cfg->hash_kind == EGRET_HASH_KIND_FIXED) {
        setup.algorithm = fixed[rng_below(&r->rng, 2)];
    } else if (r->cfg->hash_kind == EGRET_HASH_KIND_MATRIX) {
        setup.algorithm = linear[rng_below(&r->rng, 7)];
    }
    (void)egret_ctl_hash(r->cfg, &setup, egret_gen_emit, &r->gen, NULL);
}

/* At most `budget` entries of a table: its start, its end, and random ones. */
static void fill(struct random_state *r, uint32_t base, uint32_t n, uint32_t budget)
{
    for (uint32_t i = 0; i < n && i < budget; i++) {
        uint32_t at = n <= budget ? i : i % 2u ? n - 1u - i / 2u : i / 2u;
        egret_gen_write(&r->gen, base + at, rng_below(&r->rng, r->cfg->num_ports));
    }
}

static void fill_tables(struct random_state *r, uint32_t budget)
{
    const struct egret_cfg *cfg = r->cfg;
    uint32_t rows = cfg->num_rows;
    uint32_t hot = budget / (4u * cfg->row_len) + 1u; /* rows a bank */
    fill(r, EGRET_A_BUCKET(0), cfg->num_buckets, budget / 3u + 1u);
    for (uint32_t bank = 0; bank < 2u; bank++) {
        for (uint32_t i = 0; i < rows && i < hot; i++) {
            uint32_t row = rows <= hot ? i : i % 2u ? rows - 1u - i / 2u : i / 2u;
            fill(r, EGRET_A_SCHEDULE(bank, row, 0), cfg->row_len, cfg->row_len);
        }
    }
}

static void make_addresses(struct random_state *r)
{
    for (uint32_t i = 0; i < RANDOM_ROUTES; i++) {
        struct frame_address *a = &r->route[i].address;
        memset(a, 0, sizeof *a);
        a->ipv6 = i % 4u == 3u;
        a->bytes[0] = a->ipv6 ? 0xfd : 10;
        a->bytes[1] = 66;
        a->bytes[a->ipv6 ? 15 : 3] = (uint8_t)(i + 1u);
    }
}

/* A short stimulus has no room for a whole matrix: some shares of the bytes that change most. */
static void random_matrix(struct random_state *r)
{
    static const uint8_t nibble[] = {2, 3, 4, 5, 66, 67, 68, 69, 74, 75, 76, 77, 78, 79};
    egret_gen_write(&r->gen, EGRET_A_HASH_SEED, rng_u32(&r->rng));
    for (uint32_t i = 0; i < 96u; i++) {
        uint32_t n = nibble[rng_below(&r->rng, sizeof nibble)];
        egret_gen_write(&r->gen, EGRET_A_MATRIX(n, rng_below(&r->rng, 16)), rng_u32(&r->rng));
    }
}

void egret_random_setup(struct random_state *r)
{
    uint64_t limit = r->gen.limit;
    uint32_t budget = limit / 4u > 4096u ? 4096u : (uint32_t)(limit / 4u);
    r->gen.limit = limit / 2u;
    make_addresses(r);
    for (uint32_t i = 0; i < RANDOM_GROUPS; i++) {
        uint32_t n = r->cfg->num_groups;
        r->hot_group[i] = i == 0 ? n - 1u : i == 1 ? 0 : rng_below(&r->rng, n);
        egret_random_group(r, r->hot_group[i], true);
    }
    egret_random_loads(r);
    for (uint32_t i = 0; i < RANDOM_FLOWS; i++) {
        r->flow[i] = egret_random_flow(r);
    }
    for (uint32_t i = 0; i < 6u; i++) {
        r->length[i] = 60u + rng_below(&r->rng, i < 3u ? 200u : 9000u);
    }
    egret_gen_write(&r->gen, EGRET_A_DRAW_SEED, rng_u32(&r->rng));
    egret_random_classes(r);
    for (uint32_t i = 0; i < RANDOM_ROUTES; i++) {
        egret_random_route(r, i);
    }
    fill_tables(r, budget);
    if (limit > 4000u || r->cfg->hash_kind != EGRET_HASH_KIND_MATRIX) {
        egret_random_hash(r);
    } else {
        random_matrix(r);
    }
    r->gen.limit = limit;
}
