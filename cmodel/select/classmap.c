/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classmap.c: size bins and classes (docs/trace.md, section 2).
 */
#include <string.h>

#include "egret/classmap.h"

void egret_classmap_default(struct egret_classmap *out)
{
    static const uint8_t ack[] = {0x11, 0x12, 0x51, 0x52, 0x81, 0xb1, 0xb2};

    memset(out, 0, sizeof *out);
    out->num_thresholds = 1;
    out->threshold[0] = 256;
    for (size_t i = 0; i < sizeof ack; i++)
        out->opcode[ack[i]] = EGRET_OPCODE_ACK;
}

void egret_classmap_rdma(struct egret_classmap *out)
{
    static const uint8_t write_only[] = {0x0a, 0x2a, 0xaa};

    egret_classmap_default(out);
    for (size_t i = 0; i < 256; i++)
        out->opcode[i] |= out->opcode[i] & EGRET_OPCODE_ACK ? 0 : EGRET_OPCODE_ORDERED;
    for (size_t i = 0; i < sizeof write_only; i++)
        out->opcode[write_only[i]] = 0;
}

int egret_classmap_check(const struct egret_classmap *map, uint32_t num_bins, const char **param)
{
    const char *bad = NULL;

    if (map == NULL)
        return EGRET_ERR_NULL;
    if (map->num_thresholds >= EGRET_MAX_BINS || map->num_thresholds >= num_bins)
        bad = "num_thresholds";
    else if (map->ack_bin >= EGRET_MAX_BINS || map->ack_bin >= num_bins)
        bad = "ack_bin";
    for (uint32_t i = 1; bad == NULL && i < map->num_thresholds; i++) {
        if (map->threshold[i] <= map->threshold[i - 1])
            bad = "threshold";
    }
    if (bad == NULL)
        return EGRET_OK;
    if (param != NULL)
        *param = bad;
    return EGRET_ERR_RANGE;
}

uint32_t egret_classmap_bin(const struct egret_classmap *map, uint32_t length, int opcode)
{
    uint32_t bin = 0;

    if (opcode >= 0 && opcode <= 255 && (map->opcode[opcode] & EGRET_OPCODE_ACK))
        return map->ack_bin;
    for (uint32_t i = 0; i < map->num_thresholds && i < EGRET_MAX_BINS - 1; i++)
        bin += length >= map->threshold[i];
    return bin;
}

uint32_t egret_classmap_class(const struct egret_classmap *map, uint32_t length, int opcode)
{
    uint32_t flags = opcode >= 0 && opcode <= 255 ? map->opcode[opcode] & 15u : 0;

    return flags | (length < map->short_below ? EGRET_CLASS_SHORT : 0);
}
