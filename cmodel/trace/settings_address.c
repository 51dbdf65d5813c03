/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_address.c: what the word at an address is, in words (egret/regs.h, trace_front.h).
 */
#include <inttypes.h>
#include <stdio.h>

#include "egret/settings.h"
#include "egret/trace_front.h"

static const struct {
    uint32_t addr;
    const char *name;
} words[] = {
    {EGRET_A_HASH_ALGORITHM, "hash algorithm"},
    {EGRET_A_HASH_FIELDS, "hash fields"},
    {EGRET_A_HASH_SEED, "hash seed"},
    {EGRET_A_HASH_ROTATION, "hash rotation"},
    {EGRET_A_DRAW_SEED, "seed of draws"},
    {EGRET_A_CLASS_ORDERED, "classes that keep order"},
    {EGRET_A_RANDOM, "state of the random number generator"},
    {EGRET_A_FLOWLET_LAST, "last of the next flowlet entry"},
    {EGRET_A_LOAD_EXPONENT, "load exponent"},
    {EGRET_A_LOAD_WEIGHTS, "load weights"},
    {EGRET_A_QUALITY_SMALL, "length below which packets are hashed"},
    {EGRET_A_FRONT_DEFAULT, "key and group without a route"},
    {EGRET_A_FRONT_ENTROPY, "entropy source"},
    {EGRET_A_FRONT_THRESHOLDS, "thresholds in use"},
    {EGRET_A_FRONT_ACK_BIN, "bin of acknowledgements"},
    {EGRET_A_FRONT_SHORT, "length below which packets are short"},
    {EGRET_A_FRONT_ROUTE_FAMILY, "route: address family"},
};

static const struct {
    uint32_t first;
    uint32_t last;
    const char *format; /* index, or two of base `columns` */
    uint32_t columns;
} ranges[] = {
    {EGRET_A_GROUP_STAGE1, EGRET_A_GROUP_STAGE6, "group word %u, staged", 0},
    {EGRET_A_LOAD_THRESHOLD(1), EGRET_A_LOAD_THRESHOLD(7), "load threshold %u", 0},
    {0x100000u, 0x1fffffu, "group %u word %u", 8},
    {0x200000u, 0x2fffffu, "bucket %u", 0},
    {0x300000u, 0x30ffffu, "schedule bank 0 row %u slot %u", 256},
    {0x310000u, 0x31ffffu, "schedule bank 1 row %u slot %u", 256},
    {0x400000u, 0x47ffffu, "pointer of dr: key %u bin %u", 16},
    {0x480000u, 0x4fffffu, "pointer of spray-rr: group %u", 0},
    {0x800000u, 0x8fffffu, "hash matrix nibble %u value %u", 16},
    {0x900000u, 0x9fffffu, "load of port %u word %u", 4},
    {0xa00000u, 0xafffffu, "memory of group %u", 0},
    {0xc00000u, 0xcfffffu, "flowlet entry %u word %u", 2},
    {EGRET_A_FRONT_THRESHOLD(0), EGRET_A_FRONT_THRESHOLD(14), "size threshold %u", 0},
    {EGRET_A_FRONT_ROUTE_VALUE(0), EGRET_A_FRONT_ROUTE_VALUE(3), "route: value word %u", 0},
    {EGRET_A_FRONT_ROUTE_MASK(0), EGRET_A_FRONT_ROUTE_MASK(3), "route: mask word %u", 0},
    {EGRET_A_FRONT_OPCODE(0), EGRET_A_FRONT_OPCODE(255), "flags of opcode %u", 0},
    {EGRET_A_FRONT_ROUTE(0), EGRET_A_FRONT_ROUTE(0xffff), "route %u: key and group, commit", 0},
};

/* Words of ranges that count from 1. */
static uint32_t origin(uint32_t first)
{
    return first == EGRET_A_GROUP_STAGE1 || first == EGRET_A_LOAD_THRESHOLD(1) ? first - 1u : first;
}

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif

const char *egret_settings_address(uint32_t addr, char *buf, size_t n)
{
    (void)snprintf(buf, n, "?");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].addr == addr) {
            (void)snprintf(buf, n, "%s", words[i].name);
            return buf;
        }
    }
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (addr < ranges[i].first || addr > ranges[i].last) {
            continue;
        }
        uint32_t at = addr - origin(ranges[i].first);
        uint32_t columns = ranges[i].columns;
        if (columns) {
            (void)snprintf(buf, n, ranges[i].format, at / columns, at % columns);
        } else {
            (void)snprintf(buf, n, ranges[i].format, at);
        }
        return buf;
    }
    return buf;
}
