/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_hash.c: every hash against a reference of another make: raw at all lengths, through
 * setups, as a matrix, and through a selector's registers or loaded matrix and its byte tables;
 * setups that are refused.
 *
 * Faults of docs/verification.md: A5, A8, A12.
 */
#include "egret/control.h"
#include "select_ref_hash.h"

static void raw_lengths(void)
{
    uint8_t bytes[EGRET_RECORD_BYTES + 8];
    uint8_t key[EGRET_HASH_KEY_MAX_BYTES];

    for (size_t n = 0; n <= sizeof bytes; n++) {
        for (unsigned trial = 0; trial < 40; trial++) {
            size_t key_len = 1 + test_below(EGRET_HASH_KEY_MAX_BYTES);
            uint32_t seed = test_random();
            test_bytes(bytes, sizeof bytes);
            test_bytes(key, sizeof key);
            CHECK_EQ(egret_hash_crc16(bytes, n), ref_raw(0, key, key_len, seed, bytes, n), "crc16");
            CHECK_EQ(egret_hash_crc16_ccitt(bytes, n), ref_raw(1, key, key_len, seed, bytes, n),
                     "crc16-ccitt");
            CHECK_EQ(egret_hash_crc32(bytes, n), ref_raw(2, key, key_len, seed, bytes, n), "crc32");
            CHECK_EQ(egret_hash_crc32c(bytes, n), ref_raw(3, key, key_len, seed, bytes, n),
                     "crc32c");
            CHECK_EQ(egret_hash_toeplitz(key, key_len, bytes, n),
                     ref_raw(4, key, key_len, seed, bytes, n), "toeplitz");
            CHECK_EQ(egret_hash_lookup3(bytes, n, seed), ref_raw(5, key, key_len, seed, bytes, n),
                     "lookup3");
            CHECK_EQ(egret_hash_xor16(bytes, n), ref_raw(6, key, key_len, seed, bytes, n), "xor16");
            CHECK_EQ(egret_hash_xor32(bytes, n), ref_raw(7, key, key_len, seed, bytes, n), "xor32");
        }
    }
}

static struct egret_hash_setup random_setup(uint32_t algorithm, uint32_t layout, uint32_t rotation)
{
    struct egret_hash_setup s;
    memset(&s, 0, sizeof s);
    s.algorithm = algorithm;
    s.layout = layout;
    s.rotation = rotation;
    s.seed = test_random();
    s.fields = test_chance(2) ? EGRET_FIELDS_ALL : test_below(128);
    s.key_len = test_chance(2) ? 40 : 1 + test_below(EGRET_HASH_KEY_MAX_BYTES);
    test_bytes(s.key, s.key_len);
    return s;
}

static uint32_t by_matrix(uint32_t matrix[EGRET_HASH_NIBBLES][16], uint32_t constant,
                          const uint8_t *record)
{
    for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++)
        constant ^= matrix[2 * i][record[i] >> 4] ^ matrix[2 * i + 1][record[i] & 15];
    return constant;
}

/* One ecmp group over all buckets: decision.data is the hash. */
static void use_ecmp(struct egret *e)
{
    struct egret_group g;
    memset(&g, 0, sizeof g);
    g.scheme = EGRET_SCHEME_ECMP;
    g.bucket_mask = egret_config(e)->num_buckets - 1;
    g.members = 1;
    REQUIRE(egret_ctl_group(egret_config(e), 0, &g, egret_emit_apply, e) == EGRET_OK);
}

static void setups(struct egret *lab)
{
    static uint32_t matrix[EGRET_HASH_NIBBLES][16];
    struct egret_event ev = test_packet(0, 0, 0);
    uint32_t constant = 0;
    uint32_t h = 0;

    for (uint32_t algorithm = 0; algorithm <= EGRET_HASH_XOR32; algorithm++) {
        for (uint32_t layout = 0; layout < EGRET_LAYOUT_COUNT; layout++) {
            for (uint32_t rotation = 0; rotation < 32; rotation++) {
                struct egret_hash_setup s = random_setup(algorithm, layout, rotation);
                bool linear = algorithm != EGRET_HASH_LOOKUP3;
                int err = egret_hash_matrix_build(&s, matrix, &constant);
                CHECK_EQ(err, linear ? EGRET_OK : EGRET_ERR_RANGE, "build");
                err = egret_ctl_hash(egret_config(lab), &s, egret_emit_apply, lab, NULL);
                CHECK_EQ(err, linear ? EGRET_OK : EGRET_ERR_RANGE, "load");
                for (unsigned trial = 0; trial < 4; trial++) {
                    test_bytes(ev.record, EGRET_RECORD_BYTES);
                    uint32_t want = ref_record(&s, ev.record);
                    CHECK_EQ(egret_hash_record(&s, ev.record, &h), EGRET_OK, "record");
                    CHECK_EQ(h, want, egret_hash_algorithm_name(algorithm));
                    if (!linear)
                        continue;
                    CHECK_EQ(by_matrix(matrix, constant, ev.record), want, "matrix");
                    CHECK_EQ(test_decide(lab, &ev).data, want, "selector with matrix");
                }
            }
        }
    }
}

/* A seed moves every hash of a linear algorithm by one constant; control can change it alone. */
static void seeds(struct egret *lab)
{
    struct egret_event ev = test_packet(0, 0, 0);
    struct egret_hash_setup s;

    for (unsigned trial = 0; trial < 20; trial++) {
        s = random_setup(EGRET_HASH_CRC32C, test_below(EGRET_LAYOUT_COUNT), test_below(32));
        uint32_t a = s.seed, b = test_random(), first = 0;
        REQUIRE(egret_ctl_hash(egret_config(lab), &s, egret_emit_apply, lab, NULL) == EGRET_OK);
        for (unsigned i = 0; i < 20; i++) {
            test_bytes(ev.record, EGRET_RECORD_BYTES);
            s.seed = a;
            REQUIRE(egret_ctl_hash_seed(egret_config(lab), &s, egret_emit_apply, lab, NULL) == 0);
            uint32_t ha = test_decide(lab, &ev).data;
            s.seed = b;
            REQUIRE(egret_ctl_hash_seed(egret_config(lab), &s, egret_emit_apply, lab, NULL) == 0);
            uint32_t hb = test_decide(lab, &ev).data;
            CHECK_EQ(hb, ref_record(&s, ev.record), "seed write");
            first = i == 0 ? ha ^ hb : first;
            CHECK_EQ(ha ^ hb, first, "crc(a) ^ crc(b) is constant");
        }
    }
}

/* The registers of the kinds without a matrix. */
static void registers(const char *name, const uint32_t *algorithm, unsigned count)
{
    struct egret_cfg cfg = test_cfg(name);
    struct egret *e = test_create(&cfg);
    struct egret_event ev = test_packet(0, 0, 0);

    use_ecmp(e);
    for (unsigned trial = 0; trial < 600; trial++) {
        uint32_t a = algorithm[test_below(count)];
        struct egret_hash_setup s = random_setup(a, EGRET_LAYOUT_RECORD, test_below(32));
        CHECK_EQ(egret_ctl_hash(&cfg, &s, egret_emit_apply, e, NULL), EGRET_OK, name);
        for (unsigned i = 0; i < 3; i++) {
            test_bytes(ev.record, EGRET_RECORD_BYTES);
            CHECK_EQ(test_decide(e, &ev).data, ref_record(&s, ev.record), name);
        }
    }
    CHECK_EQ(test_read(e, EGRET_A_WRITES_IGNORED), 0, name);
    egret_destroy(e);
}

/* The symmetric key: both directions of a flow hash alike, and both halves are the same. */
static void symmetric(void)
{
    struct egret_hash_setup s;
    uint8_t a[EGRET_RECORD_BYTES], b[EGRET_RECORD_BYTES];
    uint32_t ha = 0, hb = 1;

    egret_hash_setup_default(&s);
    s.algorithm = EGRET_HASH_TOEPLITZ;
    egret_hash_symmetric_key(s.key);
    for (unsigned i = 0; i < 200; i++) {
        s.layout = i % 2 == 0 ? EGRET_LAYOUT_RSS_IPV4 : EGRET_LAYOUT_RSS_IPV6;
        test_bytes(a, sizeof a);
        memcpy(b, a, sizeof b);
        memcpy(b, a + 16, 16);
        memcpy(b + 16, a, 16);
        memcpy(b + 33, a + 35, 2);
        memcpy(b + 35, a + 33, 2);
        CHECK_EQ(egret_hash_record(&s, a, &ha), EGRET_OK, "symmetric");
        CHECK_EQ(egret_hash_record(&s, b, &hb), EGRET_OK, "symmetric");
        CHECK_EQ(ha, hb, "swapped ends");
        CHECK_EQ(ha >> 16, ha & 0xffffu, "equal halves");
    }
}

/* Single matrix words in any state: bytes without a share, and shares of value 0. */
static void sparse_matrix(struct egret *lab)
{
    struct egret_event ev = test_packet(0, 0, 0);
    static uint32_t matrix[EGRET_HASH_NIBBLES][16];
    uint32_t seed = 0;

    memset(matrix, 0, sizeof matrix);
    for (uint32_t n = 0; n < EGRET_HASH_NIBBLES; n++) {
        for (uint32_t v = 0; v < 16; v++)
            test_write(lab, EGRET_A_MATRIX(n, v), 0);
    }
    test_write(lab, EGRET_A_HASH_SEED, seed);
    for (unsigned trial = 0; trial < 800; trial++) {
        uint32_t n = test_below(EGRET_HASH_NIBBLES);
        uint32_t v = test_chance(3) ? 0 : test_below(16);
        matrix[n][v] = test_chance(3) ? 0 : test_random();
        test_write(lab, EGRET_A_MATRIX(n, v), matrix[n][v]);
        if (test_chance(5)) {
            seed = test_random();
            test_write(lab, EGRET_A_HASH_SEED, seed);
        }
        test_bytes(ev.record, EGRET_RECORD_BYTES);
        CHECK_EQ(test_decide(lab, &ev).data, by_matrix(matrix, seed, ev.record), "sparse, first");
        test_bytes(ev.record, EGRET_RECORD_BYTES);
        CHECK_EQ(test_decide(lab, &ev).data, by_matrix(matrix, seed, ev.record), "sparse, tables");
    }
}

/* Whole bytes: those of the IPv4 5-tuple and each other one; bytes whose share is one and the same
 * for all values. */
static void byte_sets(struct egret *lab)
{
    struct egret_event ev = test_packet(0, 0, 0);
    static uint32_t matrix[EGRET_HASH_NIBBLES][16];

    for (unsigned trial = 0; trial < 6 * EGRET_RECORD_BYTES; trial++) {
        unsigned extra = trial % EGRET_RECORD_BYTES, kind = trial / EGRET_RECORD_BYTES;
        for (uint32_t n = 0; n < EGRET_HASH_NIBBLES; n++) {
            unsigned byte = n / 2;
            bool ipv4 = byte < 4 || (byte >= 16 && byte < 20) || (byte >= 32 && byte < 37);
            bool used = byte == extra || (kind < 3 && ipv4) || (kind == 5 && test_chance(2));
            uint32_t same = kind == 1 || kind == 4 ? test_random() : 0;
            for (uint32_t v = 0; v < 16; v++) {
                matrix[n][v] = used ? test_random() : same;
                test_write(lab, EGRET_A_MATRIX(n, v), matrix[n][v]);
            }
        }
        test_write(lab, EGRET_A_HASH_SEED, trial);
        for (unsigned i = 0; i < 6; i++) {
            struct egret_decision d;
            test_bytes(ev.record, EGRET_RECORD_BYTES);
            uint32_t want = by_matrix(matrix, trial, ev.record);
            CHECK_EQ(test_decide(lab, &ev).data, want, "byte set");
            REQUIRE(egret_apply_burst(lab, &ev, 1, &d, NULL) == EGRET_OK);
            CHECK_EQ(d.data, want, "byte set, burst");
        }
    }
}

static void names(void)
{
    uint32_t out = 99;
    for (uint32_t i = 0; i <= EGRET_HASH_XOR32; i++) {
        CHECK_EQ(egret_hash_algorithm_by_name(egret_hash_algorithm_name(i), &out), 0, "algorithm");
        CHECK_EQ(out, i, "algorithm");
    }
    CHECK_EQ(egret_hash_algorithm_by_name("matrix", &out), 0, "matrix");
    CHECK_EQ(out, EGRET_HASH_MATRIX, "matrix");
    CHECK(egret_hash_algorithm_name(8) == NULL, "no algorithm 8");
    CHECK_EQ(egret_hash_algorithm_by_name("md5", &out), EGRET_ERR_RANGE, "unknown algorithm");
    for (uint32_t i = 0; i < EGRET_LAYOUT_COUNT; i++) {
        CHECK_EQ(egret_hash_layout_by_name(egret_hash_layout_name(i), &out), 0, "layout");
        CHECK_EQ(out, i, "layout");
    }
    CHECK(egret_hash_layout_name(EGRET_LAYOUT_COUNT) == NULL, "no such layout");
    for (uint32_t i = 0; i < 7; i++) {
        CHECK_EQ(egret_hash_field_by_name(egret_hash_field_name(i), &out), 0, "field");
        CHECK_EQ(out, 1u << i, "field");
    }
    CHECK(egret_hash_field_name(7) == NULL, "no field 7");
    out = 99;
    CHECK_EQ(egret_hash_layout_by_name("rss", &out), EGRET_ERR_RANGE, "unknown layout");
    CHECK_EQ(egret_hash_field_by_name("VLAN", &out), EGRET_ERR_RANGE, "unknown field");
    CHECK_EQ(egret_hash_algorithm_by_name(NULL, &out), EGRET_ERR_NULL, "algorithm");
    CHECK_EQ(egret_hash_algorithm_by_name("crc32", NULL), EGRET_ERR_NULL, "algorithm");
    CHECK_EQ(egret_hash_layout_by_name(NULL, &out), EGRET_ERR_NULL, "layout");
    CHECK_EQ(egret_hash_layout_by_name("record", NULL), EGRET_ERR_NULL, "layout");
    CHECK_EQ(egret_hash_field_by_name(NULL, &out), EGRET_ERR_NULL, "field");
    CHECK_EQ(egret_hash_field_by_name("L4_SRC_PORT", NULL), EGRET_ERR_NULL, "field");
    CHECK_EQ(out, 99, "untouched");
}

/* A setup with one member out of its range is refused by name, and by all that take a setup. */
static void refusals(void)
{
    static const struct {
        size_t offset;
        uint32_t value;
        const char *name;
    } row[] = {
        {offsetof(struct egret_hash_setup, algorithm), EGRET_HASH_XOR32 + 1, "algorithm"},
        {offsetof(struct egret_hash_setup, layout), EGRET_LAYOUT_COUNT, "layout"},
        {offsetof(struct egret_hash_setup, fields), EGRET_FIELDS_ALL + 1, "fields"},
        {offsetof(struct egret_hash_setup, rotation), 32, "rotation"},
        {offsetof(struct egret_hash_setup, key_len), 0, "key"},
        {offsetof(struct egret_hash_setup, key_len), EGRET_HASH_KEY_MAX_BYTES + 1, "key"},
    };
    static uint32_t matrix[EGRET_HASH_NIBBLES][16], zero[EGRET_HASH_NIBBLES][16];
    uint8_t record[EGRET_RECORD_BYTES] = {0}, bytes[EGRET_RECORD_BYTES] = {0x5a};
    struct egret_hash_setup s;
    uint32_t out = 99;

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const char *param = NULL;
        egret_hash_setup_default(&s);
        s.algorithm = EGRET_HASH_TOEPLITZ;
        memcpy((char *)&s + row[i].offset, &row[i].value, sizeof row[i].value);
        CHECK_EQ(egret_hash_setup_check(&s, &param), EGRET_ERR_RANGE, row[i].name);
        CHECK(param != NULL && strcmp(param, row[i].name) == 0, "%s", row[i].name);
        CHECK_EQ(egret_hash_setup_check(&s, NULL), EGRET_ERR_RANGE, row[i].name);
        CHECK_EQ(egret_hash_record(&s, record, &out), EGRET_ERR_RANGE, row[i].name);
        CHECK_EQ(egret_hash_matrix_build(&s, matrix, &out), EGRET_ERR_RANGE, row[i].name);
    }
    egret_hash_setup_default(&s);
    CHECK_EQ(egret_hash_setup_check(NULL, NULL), EGRET_ERR_NULL, "setup");
    CHECK_EQ(egret_hash_record(NULL, record, &out), EGRET_ERR_NULL, "record");
    CHECK_EQ(egret_hash_record(&s, NULL, &out), EGRET_ERR_NULL, "record");
    CHECK_EQ(egret_hash_record(&s, record, NULL), EGRET_ERR_NULL, "record");
    CHECK_EQ(egret_hash_matrix_build(&s, NULL, &out), EGRET_ERR_NULL, "matrix");
    CHECK_EQ(egret_hash_matrix_build(&s, matrix, NULL), EGRET_ERR_NULL, "matrix");
    s.algorithm = EGRET_HASH_LOOKUP3;
    CHECK_EQ(egret_hash_matrix_build(&s, matrix, &out), EGRET_ERR_RANGE, "lookup3 has none");
    CHECK(out == 99 && memcmp(matrix, zero, sizeof matrix) == 0, "untouched");
    CHECK_EQ(egret_hash_layout_bytes(EGRET_LAYOUT_COUNT), 0, "no such layout");
    CHECK_EQ(egret_hash_layout_pack(EGRET_LAYOUT_COUNT, record, bytes), 0, "no such layout");
    CHECK_EQ(bytes[0], 0x5a, "untouched");
    memset(record, 0xff, sizeof record);
    memset(bytes, 0xff, sizeof bytes);
    egret_hash_mask(EGRET_FIELDS_5TUPLE, record, bytes);
    egret_hash_mask(EGRET_FIELDS_5TUPLE, record, record);
    CHECK(memcmp(record, bytes, sizeof bytes) == 0, "masked in place");
}

int main(void)
{
    static const uint32_t fixed[] = {EGRET_HASH_CRC16, EGRET_HASH_CRC32C};
    static const uint32_t lookup3[] = {EGRET_HASH_LOOKUP3};
    struct egret_cfg cfg = test_cfg("lab");
    struct egret *lab = test_create(&cfg);

    use_ecmp(lab);
    raw_lengths();
    setups(lab);
    seeds(lab);
    sparse_matrix(lab);
    byte_sets(lab);
    symmetric();
    registers("tiny", fixed, 2);
    registers("lab_lookup3", lookup3, 1);
    names();
    refusals();
    egret_destroy(lab);
    return test_end();
}
