/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_hash.c: egret hash: a raw hash of bytes, so that a table or a data sheet can be checked.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"

#define MAX_BYTES 65536u

static uint32_t ror32(uint32_t v, uint32_t n)
{
    return n ? v >> n | v << (32u - n) : v;
}

/* The rule of docs/spec/hash.md: linear: ror32(h ^ seed); lookup3: the seed is the initial value.
 * A 16-bit hash is shown as it is unless a seed or rotation asks for 32 bits of it. */
static uint32_t raw_hash(uint32_t algorithm, const uint8_t *key, size_t key_len,
                         const uint8_t *bytes, size_t n, uint32_t seed)
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
    case EGRET_HASH_XOR16:
        return egret_hash_xor16(bytes, n);
    case EGRET_HASH_XOR32:
        return egret_hash_xor32(bytes, n);
    default:
        return egret_hash_lookup3(bytes, n, seed);
    }
}

static bool is_16_bits(uint32_t algorithm)
{
    return algorithm == EGRET_HASH_CRC16 || algorithm == EGRET_HASH_CRC16_CCITT ||
           algorithm == EGRET_HASH_XOR16;
}

static void print_hash(uint32_t algorithm, const uint8_t *key, size_t key_len, const uint8_t *bytes,
                       size_t n, uint32_t seed, uint32_t rotation)
{
    uint32_t h = raw_hash(algorithm, key, key_len, bytes, n, seed);
    if (is_16_bits(algorithm) && seed == 0 && rotation == 0) {
        printf("%04" PRIx32 "\n", h);
        return;
    }
    if (is_16_bits(algorithm)) {
        h |= egret_hash_crc32c(bytes, n) & 0xffff0000u;
    }
    h ^= algorithm == EGRET_HASH_LOOKUP3 ? 0 : seed;
    printf("%08" PRIx32 "\n", ror32(h, rotation));
}

int cmd_hash(int argc, char **argv)
{
    static uint8_t bytes[MAX_BYTES];
    const char *name = NULL;
    const char *hex = NULL;
    const char *key_hex = NULL;
    uint32_t seed = 0;
    uint32_t rotation = 0;
    const struct cli_option options[] = {
        {"algorithm", CLI_TEXT, &name, "A",
         "crc16, crc16-ccitt, crc32, crc32c, toeplitz, lookup3, xor16, xor32"},
        {"hex", CLI_TEXT, &hex, "H", "the bytes, byte 0 first"},
        {"key", CLI_TEXT, &key_hex, "HEX", "Toeplitz key (the published 40 bytes)"},
        {"seed", CLI_U32, &seed, "N", "XORed to a linear hash; lookup3's initial value (0)"},
        {"rotation", CLI_U32, &rotation, "N", "right rotation of the result, 0..31 (0)"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "hash", "--algorithm A --hex H [--key HEX] [--seed N] [--rotation N]",
        "Prints the hash of bytes, in hexadecimal: 4 digits for a 16-bit algorithm, else 8. With "
        "a\n"
        "seed or rotation a 16-bit hash is first widened to 32 bits (docs/spec/hash.md).",
        options,
        "  egret hash --algorithm crc32c --hex 313233343536373839     # e3069283\n"
        "  egret hash --algorithm toeplitz --hex 420995bba18e64500aea06e6   # 51ccc178\n"};
    const char *operand[1];
    uint8_t key[EGRET_HASH_KEY_MAX_BYTES];
    size_t key_len = 40;
    size_t n;
    uint32_t algorithm;
    int code = cli_parse(&command, argc, argv, operand, 0, &n);
    if (code >= 0) {
        return code;
    }
    if (!name || !hex) {
        return cli_usage("hash: --algorithm and --hex are needed");
    }
    if (egret_hash_algorithm_by_name(name, &algorithm) != EGRET_OK ||
        algorithm == EGRET_HASH_MATRIX) {
        return cli_usage("hash: unknown algorithm '%s' (see egret hash --help)", name);
    }
    if (!cli_parse_hex(hex, bytes, sizeof bytes, &n)) {
        return cli_usage("hash: --hex: not an even number of hexadecimal digits, at most %u bytes",
                         MAX_BYTES);
    }
    if (key_hex && algorithm != EGRET_HASH_TOEPLITZ) {
        return cli_usage("hash: --key is for --algorithm toeplitz");
    }
    egret_hash_rss_key(key);
    if (key_hex && (!cli_parse_hex(key_hex, key, sizeof key, &key_len) || key_len == 0)) {
        return cli_usage("hash: --key: not an even number of hexadecimal digits, 1 to %u bytes",
                         EGRET_HASH_KEY_MAX_BYTES);
    }
    if (rotation > 31u) {
        return cli_usage("hash: --rotation: 0 to 31");
    }
    print_hash(algorithm, key, key_len, bytes, n, seed, rotation);
    return EXIT_DONE;
}
