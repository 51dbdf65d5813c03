/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_identify_kinds.c: the kinds of hash that a log may have been made by: linear ones with each
 * mapping, tables of ports, fields in an order of their own, a key of its own, lookup3's layouts;
 * and a function that is affine but no hash of the library.
 */
#include "trace_identify.h"

/* Linear hashes, also with more rows than are looked at first. */
static void linear(void)
{
    static const struct made m[] = {
        {EGRET_HASH_CRC32, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 0x12345678, 9, EGRET_MAP_MODULO,
         6},
        {EGRET_HASH_CRC16, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 0x1234, 3, EGRET_MAP_MODULO16, 7},
        {EGRET_HASH_CRC32C, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC, 0x89abcdef, 4, EGRET_MAP_SHIFT16, 7},
        {EGRET_HASH_CRC32, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 0xfedcba98, 21, EGRET_MAP_SHIFT32,
         11},
        {EGRET_HASH_CRC32, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 77, 6, EGRET_MAP_MASK, 16},
        {EGRET_HASH_CRC32, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 77, 6, EGRET_MAP_HASH, 0},
        {EGRET_HASH_CRC32C, EGRET_LAYOUT_RSS_IPV4_ADDR, DST, 3, 1, EGRET_MAP_MASK, 256},
        /* 5 divides 2^32 - 1: to rotate is but to multiply. */
        {EGRET_HASH_CRC32, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 99, 0, EGRET_MAP_MODULO, 5},
    };
    for (size_t i = 0; i < 2u * sizeof m / sizeof m[0]; i++) {
        struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
        struct egret_observations o = flows(i % 2u ? 1500 : 200, SRC | DST, false);
        choose(&o, &m[i / 2u]);
        for (s.members = 0; m[i / 2u].members == 256u && s.members < 256u; s.members++) {
            s.member[s.members] = (uint8_t)s.members; /* not all of them are seen */
        }
        CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK);
        if (!CHECK(&t, r.groups >= 1u &&
                           r.verdict == (r.groups == 1u ? EGRET_IDENTIFIED : EGRET_AMBIGUOUS) &&
                           names(&m[i / 2u]))) {
            printf("  number %zu: verdict %u, %u groups of %u\n", i, r.verdict, r.groups,
                   (unsigned)r.found);
        }
        /* Times 11, and of a rotation, the widths may agree; all else is one function. */
        CHECK(&t, r.groups == 1u || m[i / 2u].mapping == EGRET_MAP_SHIFT32);
    }
}

/* A table of 64 ports by the low bits of CRC-32; one bucket that is seen only once says nothing. */
static void tables(void)
{
    const struct made m = {
        EGRET_HASH_CRC32, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 0, 0, EGRET_MAP_MASK, 64};
    struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    for (unsigned full = 0; full < 2u; full++) {
        struct egret_observations o = flows(1500, SRC | DST, false);
        size_t kept = 0;
        bool seen = false;
        choose(&o, &m);
        for (size_t i = 0; i < o.count; i++) { /* of bucket 63 only the first */
            bool last = rows[i].value == 63u;
            if (!full && last && seen) {
                continue;
            }
            seen = seen || last;
            rows[kept] = rows[i];
            rows[kept++].value = rows[i].value * 37u % 64u % 5u;
        }
        o.count = kept;
        CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK);
        CHECK(&t, full ? r.verdict == EGRET_IDENTIFIED && r.unsure_tables == 0 &&
                             r.candidate[0].mapping == EGRET_MAP_TABLE &&
                             r.candidate[0].table_bits == 6 && r.candidate[0].rotation == 0 &&
                             r.candidate[0].algorithm == EGRET_HASH_CRC32
                       : r.verdict == EGRET_NO_HASH && r.unsure_tables > 0);
    }
}

/* ---- fields in an order of their own ---- */

static void packed(uint32_t members, size_t n, uint32_t columns, bool wide, bool agrees)
{
    struct egret_identify_setup s = quick(EGRET_LAYOUT_COUNT);
    struct egret_observations o = flows(n, columns, wide);
    s.fields = SRC | SPORT;
    for (size_t i = 0; i < n; i++) { /* the port, then the address */
        uint8_t bytes[18];
        memcpy(bytes, rows[i].record + 33, 2);
        memcpy(bytes + 2, rows[i].record, wide ? 16 : 4);
        uint32_t h = egret_hash_crc32(bytes, wide ? 18 : 6);
        rows[i].value = members ? h % members : h;
    }
    if (!agrees) { /* behind the rows that are looked at first */
        rows[n - 1u].value = (rows[n - 1u].value + 1u) % members;
    }
    o.hash_bits = members ? 0 : 32;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK);
    const struct egret_candidate *c = &r.candidate[0];
    bool good = agrees ? r.found > 0 && r.groups == 1u && c->layout == EGRET_LAYOUT_COUNT &&
                             c->algorithm == EGRET_HASH_CRC32 && c->orders == 2u &&
                             c->order[0] == 3u && c->order[1] == 0
                       : r.found == 0;
    if (!CHECK(&t, good)) {
        printf("  packed: %u members, %zu rows, columns %02x: %u found\n", members, n, columns,
               (unsigned)r.found);
    }
}

/* ---- Toeplitz with a key of its own ---- */

static void toeplitz(uint32_t members, uint32_t fields, size_t n, bool vary)
{
    struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    struct egret_observations o = flows(n, SRC | DST, false);
    struct egret_hash_setup h;
    egret_hash_setup_default(&h);
    h.algorithm = EGRET_HASH_TOEPLITZ;
    h.layout = EGRET_LAYOUT_RSS_IPV4_ADDR;
    h.fields = SRC | DST;
    for (unsigned i = 0; i < h.key_len; i++) {
        h.key[i] = (uint8_t)(i * i * 7u + 89u * i + 3u);
    }
    s.fields = fields;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = 0;
        rows[i].record[3] = vary ? rows[i].record[3] : 0;
        CHECK(&t, egret_hash_record(&h, rows[i].record, &v) == EGRET_OK);
        rows[i].value = members ? v % members : v;
    }
    o.hash_bits = members ? 0 : 32;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_IDENTIFIED);
    const struct egret_candidate *c = &r.candidate[0];
    CHECK(&t, c->key == EGRET_KEY_SOLVED && c->fields == (SRC | DST));
    /* 64 bits of input, and one less than those of the index: the key from bit 0 for a whole
     * hash, from bit 32 less the index's bits for the low ones. */
    uint32_t bits = 32;
    for (; members && 1ull << bits != members; bits--) {
    }
    /* Input bits 24 .. 31 at 0: of low bits, 3 of them, 26 .. 31 are those of no other input. */
    uint32_t out = vary ? 0 : 6;
    CHECK(&t, c->key_bits == 64u + bits - 1u - out && c->key_free == out);
    bool same = true;
    for (unsigned b = 0; b < 8u * EGRET_IDENTIFY_KEY; b++) {
        unsigned known = (unsigned)c->key_known[b / 8u] >> (7u - b % 8u) & 1u;
        unsigned value = (unsigned)c->key_value[b / 8u] >> (7u - b % 8u) & 1u;
        unsigned key = b < 320u ? (unsigned)h.key[b / 8u] >> (7u - b % 8u) & 1u : 0;
        same = same && known == (b >= 32u - bits && b < 95u && (vary || b < 55u || b > 60u)) &&
               value == (known ? key : 0);
    }
    CHECK(&t, same);
}

/* Columns that do not vary: each subset of them beside the source is a candidate of its own. */
static void many_keys(void)
{
    struct egret_identify_setup s = quick(EGRET_LAYOUT_COUNT);
    struct egret_observations o = flows(200, SRC, false);
    struct egret_hash_setup h;
    egret_hash_setup_default(&h);
    h.algorithm = EGRET_HASH_TOEPLITZ;
    h.key[0] = 0x13;
    h.key[4] = 0x77;
    o.fields = 0x7f;
    for (size_t i = 0; i < o.count; i++) {
        CHECK(&t, egret_hash_record(&h, rows[i].record, &rows[i].value) == EGRET_OK);
        rows[i].value &= 7u;
    }
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    /* 2^6 of record, 2^4, 2^3 of the two with ports, 2^1 of addresses alone, and two for IPv6. */
    CHECK(&t, r.found == 64u + 16u + 8u + 8u + 2u + 2u && r.listed == EGRET_IDENTIFY_LISTED);
    for (uint32_t i = 0; i < r.listed; i++) { /* 32 bits of input and two more */
        const struct egret_candidate *c = &r.candidate[i];
        CHECK(&t, c->key == EGRET_KEY_SOLVED && (c->fields & SRC) && c->key_bits == 34u);
    }
}

/* Four bits vary: modulo 3 the other 28 of the hash are free, in more ways than are tried. */
static void free_bits(void)
{
    struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    struct egret_observations o = flows(16, SRC, false);
    const struct made m = {
        EGRET_HASH_XOR32, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC, 0, 0, EGRET_MAP_MODULO, 3};
    for (size_t i = 0; i < o.count; i++) {
        memset(rows[i].record, 0, sizeof rows[i].record);
        rows[i].record[3] = (uint8_t)i;
    }
    choose(&o, &m);
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    bool some = false;
    for (uint32_t i = 0; i < r.listed; i++) {
        const struct egret_candidate *c = &r.candidate[i];
        if (c->mapping != EGRET_MAP_MODULO || c->algorithm != EGRET_HASH_XOR32) {
            continue;
        }
        some = some ||
               (c->seed_classes == EGRET_IDENTIFY_CLASSES && c->seeds > EGRET_IDENTIFY_CLASSES);
        for (uint32_t k = 0; k < c->seed_classes; k++) { /* each chooses as the log has it */
            uint32_t value[16];
            struct made with = m;
            for (size_t n = 0; n < 16u; n++) {
                value[n] = rows[n].value;
            }
            with.seed = c->seed[k].value;
            with.rotation = c->rotation;
            choose(&o, &with);
            for (size_t n = 0; n < 16u; n++) {
                CHECK(&t, rows[n].value == value[n]);
                rows[n].value = value[n];
            }
        }
    }
    CHECK(&t, some);
}

/* ---- lookup3: which layouts ---- */

static void layouts(void)
{
    static const struct made m[] = {
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV6_ADDR, SRC | DST, 0xcafebabe, 5, EGRET_MAP_MASK,
         8},
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 0xfeedbeef, 30, EGRET_MAP_MASK,
         4},
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RECORD, DST, 0, 2, EGRET_MAP_MASK, 2},
    };
    for (size_t i = 0; i < sizeof m / sizeof m[0]; i++) {
        struct egret_identify_setup s = quick(EGRET_LAYOUT_COUNT);
        identified(&m[i], 80, SRC | DST, i != 1u, &s);
        s.fields = m[i].fields;
        identified(&m[i], 80, SRC | DST, i != 1u, &s);
    }
    /* Addresses of which only the destination is there; the low 16 bits of a hash. */
    struct made low = {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RECORD, DST, 0, 2, EGRET_MAP_HASH, 0};
    struct egret_identify_setup only = quick(EGRET_LAYOUT_COUNT);
    struct egret_observations d = flows(20, DST, true);
    choose(&d, &low);
    for (size_t i = 0; i < d.count; i++) {
        rows[i].value &= 0xffffu;
    }
    d.hash_bits = 16;
    CHECK(&t, egret_identify(&d, &only, &r, &err) == EGRET_OK && names(&low));
    CHECK(&t, r.verdict == EGRET_IDENTIFIED && r.candidate[0].layout == EGRET_LAYOUT_RECORD);
    /* Ports by a table: a seed of those that are common. */
    struct egret_identify_setup s = quick(EGRET_LAYOUT_COUNT);
    struct egret_observations o = flows(600, SRC | DST, true);
    struct made table = m[0];
    table.members = 16;
    choose(&o, &table);
    for (size_t i = 0; i < o.count; i++) {
        rows[i].value = rows[i].value * 7u % 5u;
    }
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_IDENTIFIED);
    CHECK(&t, r.candidate[0].mapping == EGRET_MAP_TABLE && r.candidate[0].table_bits == 4 &&
                  r.candidate[0].seed[0].value == 0xcafebabe && r.candidate[0].rotation == 5 &&
                  r.candidate[0].layout == EGRET_LAYOUT_RSS_IPV6_ADDR && r.lookup3_buckets == 128);
}

/* ---- none, and why ---- */

/* The largest table has 4096 buckets, however many rows; a column that does not vary is no hash. */
static void random_ports(void)
{
    struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    struct egret_observations o = flows(16384, SRC | DST, false);
    random_choice(&o, 8);
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_NO_HASH);
    CHECK(&t, r.lookup3_buckets == 4096 && r.distinct == 16384);
    s.layout = EGRET_LAYOUT_COUNT;
    o = flows(100, SRC, false);
    o.fields = SRC | DST;
    random_choice(&o, 8);
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_NO_HASH);
    CHECK(&t, r.varying == SRC && r.found == 0);
}

/* An affine function of the fields that no stage knows: parities of bits at random. */
static void affine(bool is)
{
    struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    struct egret_observations o = flows(300, SRC | DST, false);
    for (size_t i = 0; i < o.count; i++) {
        uint32_t value = 0;
        for (unsigned b = 0; b < 3u; b++) {
            uint64_t mask = 0x9d4f3c6be1275a08u * (2u * b + 3u) ^ 0x5bd1e995u >> b;
            unsigned parity = b & 1u;
            for (unsigned k = 0; k < 64u; k++) {
                unsigned at = k < 32u ? k / 8u : 16u + k / 8u - 4u;
                parity ^= (unsigned)(mask >> k) & (unsigned)rows[i].record[at] >> k % 8u & 1u;
            }
            value |= parity << b;
        }
        rows[i].value = value;
    }
    rows[299].value ^= is ? 0 : 4;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_NO_HASH);
    CHECK(&t, r.affine == is && r.found == 0 && r.lookup3_buckets == 64);
}

int main(void)
{
    linear();
    tables();
    packed(8, 100, FIVE, false, true);
    packed(8, 100, FIVE, false, false);
    packed(2, 100, 0x7f, false, true); /* so many columns: an order of two of them */
    packed(4, 100, FIVE, true, true);
    packed(6, 200, FIVE, false, true);
    packed(0, 8, FIVE, false, true);
    packed(6, 16, FIVE, false, false); /* too few for a modulo */
    packed(6, 60, 0x7f, false, false); /* too many columns for one */
    packed(8, 100, SRC | SPORT, false, true);
    toeplitz(8, 0, 200, true);
    toeplitz(8, 0, 200, false);
    toeplitz(0, SRC | DST, 120, true);
    many_keys();
    free_bits();
    layouts();
    random_ports();
    affine(true);
    affine(false);
    return trace_result(&t);
}
