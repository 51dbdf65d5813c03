/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_keys.c: the keys of settings: name, type, range, place; and their other names.
 * docs/config.md and docs/config.schema.json say the same (tests cli_config, config_schema).
 */
#include <string.h>

#include "egret/trace_front.h"
#include "egret/trace_make.h"
#include "settings_keys.h"

#define AT(type, member) offsetof(struct egret_settings##type, member)
#define NUMBER(name, type, member, flags, min, max, help)                                          \
    {                                                                                              \
        name, SET_U32, flags, min, max, AT(type, member), 0, 0, NULL, NULL, help                   \
    }
#define CHOICE(name, type, member, flags, names, help)                                             \
    {                                                                                              \
        name, SET_ENUM, flags, 0, 0, AT(type, member), 0, 0, names, NULL, help                     \
    }
#define LIST(name, type, member, number, flags, min, max, cap, help)                               \
    {                                                                                              \
        name, SET_LIST, flags, min, max, AT(type, member), AT(type, number), cap, NULL, NULL, help \
    }
#define ITEMS(name, type, member, number, flags, cap, table, help)                                 \
    {                                                                                              \
        name, SET_ITEMS, flags, 0, 0, AT(type, member), AT(type, number), cap, NULL, table, help   \
    }
#define SECTION(name, type, member, table, help)                                                   \
    {                                                                                              \
        name, SET_SECTION, 0, 0, 0, AT(type, member), 0, 0, NULL, table, help                      \
    }
#define TABLE(name, path, keys, type)                                                              \
    static const struct set_table name = {path, keys, sizeof keys / sizeof keys[0],                \
                                          sizeof(struct egret_settings##type)}

static const struct set_name algorithms[] = {
    {"crc16", EGRET_HASH_CRC16},
    {"crc16-ccitt", EGRET_HASH_CRC16_CCITT},
    {"crc32", EGRET_HASH_CRC32},
    {"crc32c", EGRET_HASH_CRC32C},
    {"toeplitz", EGRET_HASH_TOEPLITZ},
    {"lookup3", EGRET_HASH_LOOKUP3},
    {"xor16", EGRET_HASH_XOR16},
    {"xor32", EGRET_HASH_XOR32},
    {"SAI_HASH_ALGORITHM_CRC", EGRET_HASH_CRC16},
    {"SAI_HASH_ALGORITHM_CRC_CCITT", EGRET_HASH_CRC16_CCITT},
    {"SAI_HASH_ALGORITHM_CRC_32LO", EGRET_HASH_CRC32},
    {"SAI_HASH_ALGORITHM_XOR", EGRET_HASH_XOR16},
    {"SAI_HASH_ALGORITHM_JENKINS_LO", EGRET_HASH_LOOKUP3},
    {NULL, 0}};
static const struct set_name layouts[] = {{"record", EGRET_LAYOUT_RECORD},
                                          {"ipv4-5tuple", EGRET_LAYOUT_IPV4_5TUPLE},
                                          {"rss-ipv4", EGRET_LAYOUT_RSS_IPV4},
                                          {"rss-ipv6", EGRET_LAYOUT_RSS_IPV6},
                                          {"rss-ipv4-addr", EGRET_LAYOUT_RSS_IPV4_ADDR},
                                          {"rss-ipv6-addr", EGRET_LAYOUT_RSS_IPV6_ADDR},
                                          {NULL, 0}};
static const struct set_name schemes[] = {{"ecmp", EGRET_SCHEME_ECMP},
                                          {"spray-rr", EGRET_SCHEME_SPRAY_RR},
                                          {"dr", EGRET_SCHEME_DR},
                                          {"fixed", EGRET_SCHEME_FIXED},
                                          {"entropy", EGRET_SCHEME_ENTROPY},
                                          {"spray-random", EGRET_SCHEME_SPRAY_RANDOM},
                                          {"spray-quality", EGRET_SCHEME_SPRAY_QUALITY},
                                          {"flowlet", EGRET_SCHEME_FLOWLET},
                                          {NULL, 0}};
static const struct set_name ordered_schemes[] = {
    {"same", EGRET_SCHEME_NONE},       {"ecmp", EGRET_SCHEME_ECMP},
    {"fixed", EGRET_SCHEME_FIXED},     {"entropy", EGRET_SCHEME_ENTROPY},
    {"flowlet", EGRET_SCHEME_FLOWLET}, {NULL, 0}};
/* SAI's modes; flowlet-quality is scheme flowlet with path quality. */
static const struct set_name modes[] = {{"flowlet-quality", 0},
                                        {"flowlet-random", 1},
                                        {"per-packet-quality", 2},
                                        {"per-packet-random", 3},
                                        {"fixed", 4},
                                        {"per-packet-round-robin", 5},
                                        {"SAI_ARS_MODE_FLOWLET_QUALITY", 0},
                                        {"SAI_ARS_MODE_FLOWLET_RANDOM", 1},
                                        {"SAI_ARS_MODE_PER_PACKET_QUALITY", 2},
                                        {"SAI_ARS_MODE_PER_PACKET_RANDOM", 3},
                                        {"SAI_ARS_MODE_FIXED", 4},
                                        {"SAI_ARS_MODE_PER_PACKET_ROUND_ROBIN", 5},
                                        {NULL, 0}};
static const struct set_name paths[] = {{"random", EGRET_PATH_RANDOM},
                                        {"quality", EGRET_PATH_QUALITY},
                                        {"better", EGRET_PATH_BETTER},
                                        {NULL, 0}};
static const struct set_name entropies[] = {{"source-port", EGRET_ENTROPY_SOURCE_PORT},
                                            {"flow-label", EGRET_ENTROPY_FLOW_LABEL},
                                            {NULL, 0}};
static const struct set_name classmaps[] = {
    {"default", EGRET_CLASSMAP_DEFAULT}, {"rdma", EGRET_CLASSMAP_RDMA}, {NULL, 0}};
/* In the order of egret_load_preset_name(). */
static const struct set_name load_presets[] = {{"sai", 0},   {"cisco-aci", 1}, {"cisco-nxos", 2},
                                               {"conga", 3}, {"htsim-ar", 4},  {NULL, 0}};

static const struct set_key hash_keys[] = {
    CHOICE("algorithm", _hash, setup.algorithm, 0, algorithms,
           "crc32c, or lookup3 where the hardware has that"),
    CHOICE("layout", _hash, setup.layout, 0, layouts, "bytes hashed; record"),
    {"fields", SET_FIELDS, 0, 0, 0, AT(_hash, setup.fields), 0, 7, NULL, NULL,
     "fields hashed, SAI's names; the 5-tuple"},
    {"key", SET_KEY, 0, 0, 0, AT(_hash, setup.key), AT(_hash, setup.key_len),
     EGRET_HASH_KEY_MAX_BYTES, NULL, NULL, "toeplitz: rss, symmetric, or hexadecimal; rss"},
    NUMBER("seed", _hash, setup.seed, 0, 0, UINT32_MAX, "0"),
    NUMBER("rotation", _hash, setup.rotation, 0, 0, 31, "right rotation of the hash, bits; 0"),
};
TABLE(hash_table, "hash", hash_keys, _hash);

static const struct set_key opcode_keys[] = {
    NUMBER("opcode", _opcode, opcode, SET_NEEDED, 0, 255, "BTH opcode"),
    NUMBER("flags", _opcode, flags, SET_NEEDED, 0, 15,
           "class: 1 goes to ack-bin, 2 keeps order, 4 and 8 free"),
};
TABLE(opcode_table, "classes.opcodes", opcode_keys, _opcode);

static const struct set_key classes_keys[] = {
    CHOICE("preset", _classes, preset, 0, classmaps,
           "default: none keeps order; rdma: all but WRITE Only and ACK do; default"),
    CHOICE("entropy", _classes, entropy, 0, entropies, "entropy field of a packet; source-port"),
    LIST("thresholds", _classes, threshold, num_thresholds, 0, 0, 65535, 15,
         "size bins: a packet's bin is how many of them its length reaches; [256]"),
    NUMBER("ack-bin", _classes, ack_bin, 0, 0, 15, "bin of acknowledgements; 0"),
    NUMBER("short-below", _classes, short_below, 0, 0, 65535,
           "packets shorter than this are of classes 8 to 15; 0"),
    {"ordered", SET_BITS, 0, 0, 15, AT(_classes, ordered), 0, 16, NULL, NULL,
     "classes that keep order; those of the preset"},
    ITEMS("opcodes", _classes, opcode, opcodes, 0, 256, &opcode_table,
          "flags of opcodes, beside the preset's; none"),
};
TABLE(classes_table, "classes", classes_keys, _classes);

static const struct set_key load_keys[] = {
    CHOICE("preset", _load, preset, SET_INPUT, load_presets,
           "published settings; each can be set apart; htsim-ar"),
    NUMBER("period", _load, period_ns, 0, 1, EGRET_LOAD_MAX_PERIOD, "ns from tick to tick"),
    NUMBER("exponent", _load, exponent, 0, 0, EGRET_LOAD_MAX_EXPONENT,
           "the average discounts 1 / 2^exponent a tick"),
    NUMBER("past-weight", _load, weight_past, 0, 0, EGRET_LOAD_MAX_WEIGHT,
           "of bytes sent, in 1 / 256"),
    NUMBER("future-weight", _load, weight_future, 0, 0, EGRET_LOAD_MAX_WEIGHT,
           "of bytes queued, in 1 / 256"),
    NUMBER("past-share", _load, share_past, SET_INPUT, 0, 65535,
           "of bytes sent, in any unit, with future-share"),
    NUMBER("future-share", _load, share_future, SET_INPUT, 0, 65535, "of bytes queued, likewise"),
    NUMBER("small", _load, small, 0, 0, 65535,
           "spray-quality hashes packets shorter than this, bytes"),
    LIST("thresholds", _load, threshold, num_thresholds, 0, 0, 65535, 7,
         "where bands 1 to 7 begin, of 16384; 65535 never"),
    LIST("percent", _load, percent, num_percent, SET_INPUT, 0, 100, 7,
         "the same, % of a full port"),
    LIST("steps", _load, steps, num_steps, SET_INPUT, 0, 100, 7,
         "the same, % more than the band before"),
    LIST("mbps", _load, mbps, num_mbps, SET_INPUT, 0, EGRET_SETTINGS_MAX_MBPS, 7,
         "the same, Mbit/s of a port of mbps-speed"),
    {"mbps-speed", SET_SPEED, SET_INPUT, 1, EGRET_SETTINGS_MAX_MBPS, AT(_load, mbps_speed), 0, 0,
     NULL, NULL, "port speed that mbps refers to; 800G"},
    NUMBER("buffer", _load, buffer_bytes, 0, 1, UINT32_MAX, "bytes of a full queue; 800000"),
};
TABLE(load_table, "load", load_keys, _load);

static const struct set_key port_keys[] = {
    NUMBER("port", _port, port, SET_NEEDED, 0, EGRET_MAX_PORTS - 1, "port number"),
    NUMBER("last", _port, last, 0, 0, EGRET_MAX_PORTS - 1, "last port of a range; port"),
    {"up", SET_BOOL, 0, 0, 1, AT(_port, up), 0, 0, NULL, NULL, "true"},
    {"speed", SET_SPEED, 0, 1, EGRET_SETTINGS_MAX_MBPS, AT(_port, speed_mbps), 0, 0, NULL, NULL,
     "Mbit/s, or 400G, 2500M; 800G"},
};
TABLE(port_table, "ports", port_keys, _port);

static const struct set_key member_keys[] = {
    NUMBER("port", _member, port, SET_NEEDED, 0, EGRET_MAX_PORTS - 1, "port number"),
    NUMBER("weight", _member, weight, 0, 1, 1u << 24, "share of the buckets and slots; 1"),
};
TABLE(member_table, "groups.members", member_keys, _member);

static const struct set_key buckets_keys[] = {
    NUMBER("base", _buckets, base, 0, 0, 65535, "first bucket; behind those of the groups before"),
    NUMBER("count", _buckets, count, SET_POW2, 0, 65536,
           "power of two; 0 none; as many as fit, at most 256, where the scheme hashes"),
};
TABLE(buckets_table, "groups.buckets", buckets_keys, _buckets);

static const struct set_key flowlet_keys[] = {
    {"idle", SET_IDLE, 0, 0, EGRET_IDLE_MAX_NS, AT(_flowlet, idle_ns), 0, 0, NULL, NULL,
     "ns of silence that do not end a flowlet, or never; 256000"},
    NUMBER("entries", _flowlet, entries, SET_POW2, 1, 65536, "power of two; an equal share"),
    NUMBER("base", _flowlet, base, 0, 0, 65535, "first entry; behind those of the groups before"),
    CHOICE("path", _flowlet, path, 0, paths, "where a new flowlet goes; random"),
};
TABLE(flowlet_table, "groups.flowlet", flowlet_keys, _flowlet);

static const struct set_key drill_keys[] = {
    NUMBER("samples", _drill, samples, 0, 0, 2, "ports looked at, 0 all; 0"),
    NUMBER("memory", _drill, memory, 0, 0, 1, "ports remembered; 0"),
};
TABLE(drill_table, "groups.drill", drill_keys, _drill);

static const struct set_key schedule_keys[] = {
    NUMBER("bank", _schedule, bank, 0, 0, 1, "0"),
    NUMBER("row", _schedule, row, 0, 0, 255, "first row; behind those of the groups before"),
    NUMBER("rows", _schedule, rows, SET_POW2, 0, 256,
           "power of two; 0 none; an equal share where the scheme rotates"),
    NUMBER("wraps", _schedule, wraps, 0, 0, 15,
           "R: rounds before a redraw, 0 never; 5 with spray-rr, else 0"),
    NUMBER("length", _schedule, length, 0, 1, 256, "slots of a row; what the weights make"),
};
TABLE(schedule_table, "groups.schedule", schedule_keys, _schedule);

static const struct set_key group_keys[] = {
    NUMBER("id", _group, id, SET_NEEDED, 0, 1023, "group number"),
    CHOICE("scheme", _group, scheme, 0, schemes, "or mode"),
    CHOICE("mode", _group, mode, SET_INPUT, modes, "SAI's name of a scheme and its path"),
    CHOICE("ordered-scheme", _group, ordered, 0, ordered_schemes,
           "of classes that keep order; same"),
    ITEMS("members", _group, member, members, SET_NEEDED | SET_SHORT, EGRET_MAX_PORTS,
          &member_table, "ports, or ports with weights"),
    NUMBER("entropy-offset", _group, entropy_offset, 0, 0, 31, "lowest bit of the slice; 0"),
    SECTION("buckets", _group, buckets, &buckets_table, "slice of the bucket table"),
    SECTION("flowlet", _group, flowlet, &flowlet_table, "of scheme flowlet"),
    SECTION("drill", _group, drill, &drill_table, "of scheme spray-quality"),
    SECTION("schedule", _group, schedule, &schedule_table, "rows of schemes spray-rr and dr"),
};
TABLE(group_table, "groups", group_keys, _group);

static const struct set_key row_keys[] = {
    NUMBER("bank", _row, bank, 0, 0, 1, "0"),
    NUMBER("row", _row, row, SET_NEEDED, 0, 255, "row number"),
    LIST("slots", _row, slot, num_slots, SET_NEEDED, 0, EGRET_MAX_PORTS - 1, 256,
         "ports, slot 0 first"),
};
TABLE(row_table, "schedules", row_keys, _row);

static const struct set_key route_keys[] = {
    {"prefix", SET_PREFIX, SET_NEEDED, 0, 0, AT(_route, prefix), 0, 0, NULL, NULL,
     "IPv4 or IPv6 ADDRESS/LENGTH; the longest match wins"},
    NUMBER("group", _route, group, SET_NEEDED, 0, 1023, "group number"),
    NUMBER("key", _route, key, 0, 0, 2047, "rotation key; 0"),
};
TABLE(route_table, "routes", route_keys, _route);

static const struct set_key root_keys[] = {
    {"hardware", SET_HARDWARE, 0, 0, 0, AT(, cfg), 0, 0, NULL, NULL,
     "configuration of configs.mk; lab"},
    NUMBER("seed", , seed, 0, 0, UINT32_MAX, "of draws and schedules; 1"),
    NUMBER("random-seed", , random_seed, 0, 0, UINT32_MAX, "of the random number generator; seed"),
    SECTION("hash", , hash, &hash_table, "the hash of all groups"),
    SECTION("classes", , classes, &classes_table, "size bins and classes of packets"),
    SECTION("load", , load, &load_table, "how loads of ports are measured"),
    ITEMS("ports", , port, ports, 0, EGRET_MAX_PORTS, &port_table, "speed and state of ports"),
    ITEMS("groups", , group, groups, 0, 1024, &group_table, "next-hop groups"),
    ITEMS("schedules", , row, rows, 0, 512, &row_table, "schedule rows, instead of the groups'"),
    ITEMS("routes", , route, routes, 0, EGRET_SETTINGS_MAX_ROUTES, &route_table,
          "prefix to group and key"),
    NUMBER("default-group", , default_group, 0, 0, 65535, "of packets without a route; 0"),
    NUMBER("default-key", , default_key, 0, 0, 65535, "likewise; 0"),
};
const struct set_table egret_set_root = {"", root_keys, sizeof root_keys / sizeof root_keys[0],
                                         sizeof(struct egret_settings)};

#define PROFILE "SAI_ARS_PROFILE_ATTR_"
const struct set_alias egret_set_aliases[] = {
    {"", "random-seed", PROFILE "ARS_RANDOM_SEED", "SAI", 1, -1},
    {"hash", "algorithm", "SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_ALGORITHM", "SAI", 1, -1},
    {"hash", "seed", "SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_SEED", "SAI", 1, -1},
    {"hash", "rotation", "SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_OFFSET", "SAI", 1, -1},
    {"hash", "fields", "SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST", "SAI", 1, -1},
    {"load", "period", PROFILE "SAMPLING_INTERVAL", "SAI, us", 1000, -1},
    {"load", "period", "sampling-interval", "NX-OS, ns", 1, -1},
    {"load", "exponent", PROFILE "PORT_LOAD_EXPONENT", "SAI", 1, -1},
    {"load", "exponent", "decay-factor", "NX-OS", 1, -1},
    {"load", "exponent", "dynamicEgressLoadExponent", "FBOSS", 1, -1},
    {"load", "past-share", PROFILE "PORT_LOAD_PAST_WEIGHT", "SAI", 1, -1},
    {"load", "future-share", PROFILE "PORT_LOAD_FUTURE_WEIGHT", "SAI", 1, -1},
    {"load", "past-share", "loadWeight", "FBOSS, %", 1, -1},
    {"load", "future-share", "queueWeight", "FBOSS, %", 1, -1},
    {"load", "steps", "dre-thresholds", "NX-OS, %", 1, -1},
    {"load", "mbps", PROFILE "QUANT_BAND_1_MIN_THRESHOLD", "SAI, Mbit/s", 1, 0},
    {"load", "mbps", PROFILE "QUANT_BAND_2_MIN_THRESHOLD", "SAI, Mbit/s", 1, 1},
    {"load", "mbps", PROFILE "QUANT_BAND_3_MIN_THRESHOLD", "SAI, Mbit/s", 1, 2},
    {"load", "mbps", PROFILE "QUANT_BAND_4_MIN_THRESHOLD", "SAI, Mbit/s", 1, 3},
    {"load", "mbps", PROFILE "QUANT_BAND_5_MIN_THRESHOLD", "SAI, Mbit/s", 1, 4},
    {"load", "mbps", PROFILE "QUANT_BAND_6_MIN_THRESHOLD", "SAI, Mbit/s", 1, 5},
    {"load", "mbps", PROFILE "QUANT_BAND_7_MIN_THRESHOLD", "SAI, Mbit/s", 1, 6},
    {"ports", "up", "SAI_PORT_ATTR_ADMIN_STATE", "SAI", 1, -1},
    {"ports", "speed", "SAI_PORT_ATTR_SPEED", "SAI, Mbit/s", 1, -1},
    {"groups", "mode", "SAI_ARS_ATTR_MODE", "SAI", 1, -1},
    {"groups.members", "weight", "SAI_NEXT_HOP_GROUP_MEMBER_ATTR_WEIGHT", "SAI", 1, -1},
    {"groups.buckets", "count", "SAI_NEXT_HOP_GROUP_ATTR_CONFIGURED_SIZE", "SAI", 1, -1},
    {"groups.flowlet", "idle", "SAI_ARS_ATTR_IDLE_TIME", "SAI, us", 1000, -1},
    {"groups.flowlet", "idle", "flowlet-aging", "NX-OS, us", 1000, -1},
    {"groups.flowlet", "idle", "inactivity-interval", "Junos, us", 1000, -1},
    {"groups.flowlet", "idle", "inactivity-timer", "OcNOS, us", 1000, -1},
    {"groups.flowlet", "idle", "inactivityIntervalUsecs", "FBOSS, us", 1000, -1},
    {"groups.flowlet", "entries", "SAI_ARS_ATTR_MAX_FLOWS", "SAI", 1, -1},
    {"groups.flowlet", "entries", "flowset-table-size", "Junos", 1, -1},
    {"groups.flowlet", "entries", "flowset-size", "OcNOS", 1, -1},
    {NULL, NULL, NULL, NULL, 0, 0}};

const struct set_table *egret_set_table(size_t i)
{
    static const struct set_table *const all[] = {
        &egret_set_root, &hash_table,     &classes_table, &opcode_table,  &load_table,
        &port_table,     &group_table,    &member_table,  &buckets_table, &flowlet_table,
        &drill_table,    &schedule_table, &row_table,     &route_table};
    return i < sizeof all / sizeof all[0] ? all[i] : NULL;
}

static bool same(const char *a, const char *b, size_t n)
{
    return strlen(a) == n && memcmp(a, b, n) == 0;
}

const struct set_key *egret_set_key(const struct set_table *t, const char *name, size_t n,
                                    const struct set_alias **alias)
{
    *alias = NULL;
    for (const struct set_alias *a = egret_set_aliases; a->name; a++) {
        if (strcmp(a->table, t->path) == 0 && same(a->name, name, n)) {
            *alias = a;
            name = a->key;
            n = strlen(name);
            break;
        }
    }
    for (uint32_t i = 0; i < t->keys; i++) {
        if (same(t->key[i].name, name, n)) {
            return &t->key[i];
        }
    }
    return NULL;
}

#define NEAR_MAX 48u

/* Letters to insert, leave out or change. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[NEAR_MAX + 1];
    for (size_t j = 0; j <= nb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

static void nearer(const char *have, const char *name, size_t n, size_t *least, const char **best)
{
    size_t length = strlen(have);
    size_t d = n <= NEAR_MAX && length <= NEAR_MAX ? distance(name, n, have, length) : *least;
    if (d < *least) {
        *least = d;
        *best = have;
    }
}

const char *egret_set_nearest(const struct set_table *t, const char *name, size_t n)
{
    size_t least = n / 3 + 2;
    const char *best = NULL;
    for (uint32_t i = 0; i < t->keys; i++) {
        nearer(t->key[i].name, name, n, &least, &best);
    }
    for (const struct set_alias *a = egret_set_aliases; a->name; a++) {
        if (strcmp(a->table, t->path) == 0) {
            nearer(a->name, name, n, &least, &best);
        }
    }
    return best;
}

const char *egret_set_enum_name(const struct set_name *names, uint32_t value)
{
    for (; names->name; names++) {
        if (names->value == value) {
            return names->name;
        }
    }
    return "?";
}
