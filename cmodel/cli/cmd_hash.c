/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_hash.c: egret hash: a raw hash of bytes, so that a table or a data sheet can be checked; the
 * bytes of each packet of a stimulus that a hash takes; and which hash made a log (identify.c).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "identify.h"

#define MAX_BYTES 65536u

static uint32_t ror32(uint32_t v, uint32_t n)
{
    return n ? v >> n | v << (32u - n) : v;
}

static bool is_16_bits(uint32_t algorithm)
{
    return algorithm == EGRET_HASH_CRC16 || algorithm == EGRET_HASH_CRC16_CCITT ||
           algorithm == EGRET_HASH_XOR16;
}

/* The rule of docs/spec/hash.md: linear: ror32(h ^ seed); lookup3: the seed is the initial value.
 * A 16-bit hash is shown as it is unless a seed or rotation asks for 32 bits of it. */
static void print_hash(uint32_t algorithm, const uint8_t *key, size_t key_len, const uint8_t *bytes,
                       size_t n, uint32_t seed, uint32_t rotation)
{
    uint32_t h = egret_hash_raw(algorithm, key, key_len, seed, bytes, n);
    if (is_16_bits(algorithm) && seed == 0 && rotation == 0) {
        printf("%04" PRIx32 "\n", h & 0xffffu);
        return;
    }
    h ^= algorithm == EGRET_HASH_LOOKUP3 ? 0 : seed;
    printf("%08" PRIx32 "\n", ror32(h, rotation));
}

/* Says which there are. */
static int no_field(const char *text, size_t length)
{
    char all[256] = "";
    const char *name;
    for (uint32_t bit = 0; (name = egret_hash_field_name(bit)) != NULL; bit++) {
        size_t n = strlen(all);
        (void)snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : "", name);
    }
    return cli_usage("--fields: no field '%.*s'; there are %s", (int)(length < 40u ? length : 40u),
                     text, all);
}

int cli_parse_fields(const char *list, uint32_t *fields)
{
    *fields = 0;
    while (*list) {
        char name[32];
        uint32_t bit;
        size_t n = strcspn(list, ",");
        if (n >= sizeof name) {
            return no_field(list, n);
        }
        memcpy(name, list, n);
        name[n] = '\0';
        for (size_t i = 0; i < n; i++) { /* SAI's names, in either case */
            name[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 32) : name[i];
        }
        if (egret_hash_field_by_name(name, &bit) != EGRET_OK) {
            return no_field(list, n);
        }
        *fields |= bit;
        list += n + (list[n] == ',');
    }
    return -1;
}

/* A line a packet: tag, the bytes as they are hashed, the hash. */
static int dump_packets(const char *path, const struct egret_hash_setup *setup)
{
    struct egret_trace_error err;
    struct egret_stimulus *in;
    struct egret_event ev;
    int got = egret_stimulus_open(path, &in, &err);
    if (got) {
        return cli_error(got, &err);
    }
    while ((got = egret_stimulus_next(in, &ev, &err)) > 0) {
        uint8_t record[EGRET_RECORD_BYTES];
        uint8_t bytes[EGRET_RECORD_BYTES];
        uint32_t hash = 0;
        if (ev.kind != EGRET_EV_PACKET) {
            continue;
        }
        egret_hash_mask(setup->fields, ev.record, record);
        size_t n = egret_hash_layout_pack(setup->layout, record, bytes);
        (void)egret_hash_record(setup, ev.record, &hash); /* the setup is good */
        printf("%" PRIu32 " ", ev.tag);
        for (size_t i = 0; i < n; i++) {
            printf("%02x", bytes[i]);
        }
        printf(" %08" PRIx32 "\n", hash);
    }
    egret_stimulus_close(in);
    return got < 0 ? cli_error(got, &err) : EXIT_DONE;
}

int cmd_hash(int argc, char **argv)
{
    static uint8_t bytes[MAX_BYTES];
    const char *name = NULL;
    const char *hex = NULL;
    const char *packets = NULL;
    const char *layout = NULL;
    const char *fields = NULL;
    const char *key_hex = NULL;
    uint32_t seed = 0;
    uint32_t rotation = 0;
    struct cli_identify identify = {.path = NULL};
    const struct cli_option options[] = {
        {"algorithm", CLI_TEXT, &name, "A",
         "crc16, crc16-ccitt, crc32, crc32c, toeplitz, lookup3, xor16, xor32"},
        {"hex", CLI_TEXT, &hex, "H", "the bytes, byte 0 first"},
        {"packets", CLI_TEXT, &packets, "FILE",
         "or those of each packet of a stimulus: tag, bytes, hash (32 bits)"},
        {"identify", CLI_TEXT, &identify.path, "FILE",
         "or tell which hash chose the ports of a log (CSV)"},
        {"layout", CLI_TEXT, &layout, "L",
         "of --packets: record, ipv4-5tuple, ... (record); --identify: only this (any)"},
        {"fields", CLI_TEXT, &fields, "LIST",
         "of --packets, with commas (the 5-tuple); --identify: exactly these (any)"},
        {"members", CLI_TEXT, &identify.members, "LIST",
         "of --identify: ports in the order of members (those seen, rising)"},
        {"threads", CLI_U32, &identify.threads, "N", "of --identify, 1..64 (one a processor)"},
        {"quick", CLI_FLAG, &identify.quick, NULL, "of --identify: not all 2^32 seeds of lookup3"},
        {"key", CLI_TEXT, &key_hex, "HEX", "Toeplitz key (the published 40 bytes)"},
        {"seed", CLI_U32, &seed, "N", "XORed to a linear hash; lookup3's initial value (0)"},
        {"rotation", CLI_U32, &rotation, "N", "right rotation of the result, 0..31 (0)"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "hash",
        "--algorithm A --hex H | --algorithm A --packets FILE | --identify FILE [OPTION]...",
        "Prints the hash of bytes, in hexadecimal: 4 digits for a 16-bit algorithm, else 8. With "
        "a\n"
        "seed or rotation a 16-bit hash is first widened to 32 bits (docs/spec/hash.md).\n"
        "--identify reads CSV: a header with hash fields (src_ip, dst_ip, ip_protocol,\n"
        "l4_src_port, l4_dst_port, rdma_bth_dest_qp, rdma_bth_opcode; any of them) and hash\n"
        "(hexadecimal) or port, and names algorithm, layout, fields, rotation, mapping and seed.\n"
        "Its exit code is 0 if it is one hash, 1 if it is none or ambiguous, 2 for bad input\n"
        "(docs/hash-identify.md).",
        options,
        "  egret hash --algorithm crc32c --hex 313233343536373839     # e3069283\n"
        "  egret hash --algorithm toeplitz --hex 420995bba18e64500aea06e6   # 51ccc178\n"
        "  egret hash --algorithm toeplitz --layout rss-ipv4 --packets perm.pcap\n"
        "  egret hash --identify observed.csv --members 4,5,6,7\n"};
    const char *operand[1];
    struct egret_hash_setup setup;
    size_t key_len = 40;
    size_t n;
    int code = cli_parse(&command, argc, argv, operand, 0, &n);
    if (code >= 0) {
        return code;
    }
    if (identify.path) {
        if (name || hex || packets || key_hex || seed || rotation) {
            return cli_usage("hash: --identify goes with --layout, --fields, --members, --threads "
                             "and --quick only");
        }
        identify.layout = layout;
        identify.fields = fields;
        return cli_identify(&identify);
    }
    if (identify.members || identify.threads || identify.quick) {
        return cli_usage("hash: --members, --threads and --quick are for --identify");
    }
    if (!name || !hex == !packets) {
        return cli_usage(
            "hash: --algorithm and --hex are needed, or --packets instead of --hex, or "
            "--identify alone");
    }
    egret_hash_setup_default(&setup);
    if (egret_hash_algorithm_by_name(name, &setup.algorithm) != EGRET_OK ||
        setup.algorithm == EGRET_HASH_MATRIX) {
        return cli_usage("hash: unknown algorithm '%s' (see egret hash --help)", name);
    }
    if (hex && (layout || fields)) {
        return cli_usage("hash: %s is for --packets", layout ? "--layout" : "--fields");
    }
    if (hex && !cli_parse_hex(hex, bytes, sizeof bytes, &n)) {
        return cli_usage("hash: --hex: not an even number of hexadecimal digits, at most %u bytes",
                         MAX_BYTES);
    }
    if (key_hex && setup.algorithm != EGRET_HASH_TOEPLITZ) {
        return cli_usage("hash: --key is for --algorithm toeplitz");
    }
    if (key_hex &&
        (!cli_parse_hex(key_hex, setup.key, sizeof setup.key, &key_len) || key_len == 0)) {
        return cli_usage("hash: --key: not an even number of hexadecimal digits, 1 to %u bytes",
                         EGRET_HASH_KEY_MAX_BYTES);
    }
    if (rotation > 31u) {
        return cli_usage("hash: --rotation: 0 to 31");
    }
    if (hex) {
        print_hash(setup.algorithm, setup.key, key_len, bytes, n, seed, rotation);
        return EXIT_DONE;
    }
    if (layout && egret_hash_layout_by_name(layout, &setup.layout) != EGRET_OK) {
        return cli_usage("hash: --layout: unknown layout '%s'", layout);
    }
    code = fields ? cli_parse_fields(fields, &setup.fields) : -1;
    if (code >= 0) {
        return code;
    }
    setup.key_len = (uint32_t)key_len;
    setup.seed = seed;
    setup.rotation = rotation;
    return dump_packets(packets, &setup);
}
