/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select_vectors.c: known answers from outside, tb/vectors/ (the files named as arguments): each
 * raw hash of the library, and the same value through a setup where a layout has the input's
 * length.
 *
 * Faults of docs/verification.md: A8, A9, A10.
 */
#include "egret/hash.h"
#include "select_test.h"

#define MAX_LINE 512

static size_t unhex(const char *text, uint8_t *out, size_t capacity)
{
    size_t n = 0;
    if (strcmp(text, "-") == 0)
        return 0;
    for (; text[0] != '\0'; text += 2) {
        char pair[3] = {text[0], text[1], '\0'};
        char *end;
        REQUIRE(n < capacity && text[1] != '\0');
        out[n++] = (uint8_t)strtoul(pair, &end, 16);
        REQUIRE(*end == '\0');
    }
    return n;
}

static uint32_t raw(uint32_t algorithm, const uint8_t *key, size_t key_len, uint32_t initval,
                    const uint8_t *bytes, size_t n)
{
    switch (algorithm) {
    case EGRET_HASH_CRC16:
        return egret_hash_crc16(bytes, n);
    case EGRET_HASH_CRC16_CCITT:
        return egret_hash_crc16_ccitt(bytes, n);
    case EGRET_HASH_CRC32:
        return egret_hash_crc32(bytes, n);
    case EGRET_HASH_CRC32C:
        return egret_hash_crc32c(bytes, n);
    case EGRET_HASH_TOEPLITZ:
        return egret_hash_toeplitz(key, key_len, bytes, n);
    case EGRET_HASH_LOOKUP3:
        return egret_hash_lookup3(bytes, n, initval);
    case EGRET_HASH_XOR16:
        return egret_hash_xor16(bytes, n);
    default:
        return egret_hash_xor32(bytes, n);
    }
}

/* Spreads packed bytes over a record; false if the layout has another length. */
static bool unpack(uint32_t layout, const uint8_t *bytes, size_t n, uint8_t *record)
{
    uint8_t order[EGRET_RECORD_BYTES];
    uint8_t where[EGRET_RECORD_BYTES];

    if (egret_hash_layout_bytes(layout) != n)
        return false;
    for (unsigned i = 0; i < EGRET_RECORD_BYTES; i++)
        order[i] = (uint8_t)i;
    (void)egret_hash_layout_pack(layout, order, where);
    memset(record, 0, EGRET_RECORD_BYTES);
    for (size_t i = 0; i < n; i++)
        record[where[i]] = bytes[i];
    return true;
}

static void check_setup(uint32_t algorithm, const uint8_t *key, size_t key_len, uint32_t initval,
                        const uint8_t *bytes, size_t n, uint32_t want, const char *line)
{
    struct egret_hash_setup setup;
    uint8_t record[EGRET_RECORD_BYTES];
    uint32_t mask = algorithm == EGRET_HASH_CRC16 || algorithm == EGRET_HASH_CRC16_CCITT ||
                            algorithm == EGRET_HASH_XOR16
                        ? 0xffffu
                        : 0xffffffffu;
    uint32_t got = 0;

    egret_hash_setup_default(&setup);
    setup.algorithm = algorithm;
    setup.fields = EGRET_FIELDS_ALL;
    setup.seed = initval;
    if (algorithm == EGRET_HASH_TOEPLITZ) {
        memcpy(setup.key, key, key_len);
        setup.key_len = (uint32_t)key_len;
    }
    for (setup.layout = 0; setup.layout < EGRET_LAYOUT_COUNT; setup.layout++) {
        if (!unpack(setup.layout, bytes, n, record))
            continue;
        CHECK_EQ(egret_hash_record(&setup, record, &got), EGRET_OK, line);
        CHECK_EQ(got & mask, want, line);
    }
}

static void check_line(char *line, const char *place)
{
    char name[32], parameter[129], input[129], value[16];
    uint8_t key[64], bytes[64];
    uint32_t algorithm = 0;
    uint32_t initval = 0;
    size_t key_len = 0;
    char *end;

    REQUIRE(sscanf(line, "%31s %128s %128s %15s", name, parameter, input, value) == 4);
    REQUIRE(egret_hash_algorithm_by_name(name, &algorithm) == EGRET_OK);
    if (algorithm == EGRET_HASH_TOEPLITZ)
        key_len = unhex(parameter, key, sizeof key);
    else
        initval = (uint32_t)strtoul(parameter, NULL, 16);
    size_t n = unhex(input, bytes, sizeof bytes);
    uint32_t want = (uint32_t)strtoul(value, &end, 16);
    REQUIRE(*end == '\0');
    CHECK_EQ(raw(algorithm, key, key_len, initval, bytes, n), want, place);
    check_setup(algorithm, key, key_len, initval, bytes, n, want, place);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char line[MAX_LINE];
        char place[MAX_LINE];
        unsigned number = 0;
        FILE *f = fopen(argv[i], "r");
        REQUIRE(f != NULL);
        while (fgets(line, sizeof line, f) != NULL) {
            number++;
            if (line[0] == '#' || line[0] == '\n')
                continue;
            snprintf(place, sizeof place, "%.400s:%u", argv[i], number);
            check_line(line, place);
        }
        fclose(f);
    }
    return test_end();
}
