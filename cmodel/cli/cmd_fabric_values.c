/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_fabric_values.c: times, percentages, switches and queues by name.
 */
#include <stdio.h>
#include <string.h>

#include "cmd_fabric.h"

/* A decimal number times `scale`; false if that is no whole number. *end is behind the number. */
static bool scaled(const char *text, size_t length, uint64_t scale, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;
    bool digit = false;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
        uint64_t d = (uint64_t)(text[i] - '0');
        if (v > (UINT64_MAX - d) / 10u) {
            return false;
        }
        v = v * 10u + d;
        digit = true;
    }
    if (!digit || v > UINT64_MAX / scale) {
        return false;
    }
    v *= scale;
    if (i < length && text[i] == '.') {
        i++;
        for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
            uint64_t part = (uint64_t)(text[i] - '0') * scale;
            if (part % 10u != 0 || (scale /= 10u, v > UINT64_MAX - part / 10u)) {
                return false;
            }
            v += part / 10u;
        }
    }
    *out = v;
    return i == length;
}

bool fabric_number(const char *text, bool unit, uint64_t least, uint64_t most, uint64_t *out)
{
    uint64_t v;
    if (!text) {
        return true;
    }
    if (!(unit ? cli_parse_size(text, &v) : cli_parse_u64(text, most, &v)) || v < least ||
        v > most) {
        return false;
    }
    *out = v;
    return true;
}

bool fabric_time(const char *text, uint64_t *ps)
{
    static const struct {
        const char *unit;
        uint64_t ps;
    } units[] = {{"ps", 1},          {"ns", 1000},         {"us", 1000000},
                 {"ms", 1000000000}, {"s", 1000000000000}, {"", 1000}};
    size_t number = strspn(text, "0123456789.");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text + number, units[i].unit) == 0) {
            return scaled(text, number, units[i].ps, ps);
        }
    }
    return false;
}

bool fabric_percent(const char *text, uint64_t *ppm)
{
    size_t n = strlen(text);
    return n > 1u && text[n - 1u] == '%' && scaled(text, n - 1u, 10000u, ppm) && *ppm <= 1000000u;
}

bool fabric_fraction(const char *text, uint64_t *ppm)
{
    return fabric_percent(text, ppm) ||
           (scaled(text, strlen(text), 1000000u, ppm) && *ppm <= 1000000u);
}

bool fabric_next(const char **list, char *out, size_t size, bool *bad)
{
    size_t n = strcspn(*list, ",");
    *bad = false;
    if (**list == '\0') {
        return false;
    }
    *bad = n == 0 || n >= size || ((*list)[n] == ',' && (*list)[n + 1u] == '\0');
    if (*bad) {
        return false;
    }
    memcpy(out, *list, n);
    out[n] = '\0';
    *list += n + ((*list)[n] == ',');
    return true;
}

static uint32_t aggs(const struct egret_topology *t)
{
    return t->pods * t->aggs_per_pod;
}

uint32_t fabric_switches(const struct egret_topology *t)
{
    uint32_t cores = t->tiers == 3u ? t->aggs_per_pod * t->agg_uplinks : 0;
    return egret_topology_edges(t) + aggs(t) + cores;
}

bool fabric_switch(const struct egret_topology *t, const char *text, uint32_t *number)
{
    const struct {
        const char *name;
        uint32_t first;
        uint32_t n;
    } kind[] = {
        {"edge:", 0, egret_topology_edges(t)},
        {"agg:", egret_topology_edges(t), aggs(t)},
        {"core:", egret_topology_edges(t) + aggs(t),
         fabric_switches(t) - egret_topology_edges(t) - aggs(t)},
        {"leaf:", 0, egret_topology_edges(t)}, /* the same, as --scheme has them */
        {"spine:", egret_topology_edges(t), aggs(t)},
    };
    for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
        uint64_t v;
        size_t n = strlen(kind[i].name);
        if (strncmp(text, kind[i].name, n) == 0) {
            if (!cli_parse_u64(text + n, UINT32_MAX, &v) || v >= kind[i].n) {
                return false;
            }
            *number = kind[i].first + (uint32_t)v;
            return true;
        }
    }
    return false;
}

const char *fabric_queue_name(unsigned queue)
{
    static const char *const name[EGRET_FABRIC_QUEUES] = {"host",      "edge-up",  "agg-up",
                                                          "core-down", "agg-down", "edge-down"};
    return queue < EGRET_FABRIC_QUEUES ? name[queue] : NULL;
}

static bool queue_size(const char *text, uint64_t packet, uint64_t *out)
{
    size_t n = strlen(text);
    char number[24];
    uint64_t v;
    if (n > 1u && n < sizeof number && text[n - 1u] == 'p') {
        memcpy(number, text, n - 1u);
        number[n - 1u] = '\0';
        if (!cli_parse_u64(number, UINT64_MAX / packet, &v)) {
            return false;
        }
        *out = v * packet;
        return true;
    }
    return cli_parse_size(text, out);
}

int fabric_queues(const char *option, const char *list, uint64_t packet,
                  uint64_t out[EGRET_FABRIC_QUEUES])
{
    char part[64];
    bool bad;
    unsigned seen = 0;
    uint64_t size;
    if (queue_size(list, packet, &size)) {
        for (unsigned q = EGRET_QUEUE_EDGE_UP; q < EGRET_FABRIC_QUEUES; q++) {
            out[q] = size;
        }
        return -1;
    }
    while (fabric_next(&list, part, sizeof part, &bad)) {
        char *value = strchr(part, '=');
        unsigned q = 0;
        if (value) {
            *value++ = '\0';
        }
        while (value && q < EGRET_FABRIC_QUEUES && strcmp(part, fabric_queue_name(q)) != 0) {
            q++;
        }
        if (!value || q == EGRET_FABRIC_QUEUES || !queue_size(value, packet, &size)) {
            bad = true;
            break;
        }
        if (seen & 1u << q) {
            return cli_usage("--%s: %s= is given twice", option, part);
        }
        seen |= 1u << q;
        out[q] = size;
    }
    return bad ? cli_usage("--%s is SIZE, or NAME=SIZE with commas between (800000, 20p, "
                           "edge-up=20p; host, edge-up, agg-up, core-down, agg-down, edge-down)",
                           option)
               : -1;
}
