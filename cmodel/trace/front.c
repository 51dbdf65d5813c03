/* SPDX-License-Identifier: Apache-2.0 */
/*
 * front.c: the frame front end's registers, class map and route resolution (docs/trace.md).
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace_front.h"
#include "internal.h"
#include "routes.h"

struct egret_front {
    uint32_t default_route; /* {key 16, group 16} */
    uint32_t entropy_source;
    struct egret_route stage;
    struct egret_classmap classes;
    uint64_t ignored;
    struct egret_routes *routes;
};

int egret_front_create(struct egret_front **out)
{
    struct egret_front *f = calloc(1, sizeof *f);
    if (!f) {
        return EGRET_ERR_MEMORY;
    }
    f->routes = egret_routes_create();
    if (!f->routes) {
        free(f);
        return EGRET_ERR_MEMORY;
    }
    *out = f;
    return EGRET_OK;
}

void egret_front_destroy(struct egret_front *f)
{
    if (f) {
        egret_routes_destroy(f->routes);
        free(f);
    }
}

static bool write_global(struct egret_front *f, uint32_t addr, uint32_t data)
{
    switch (addr) {
    case EGRET_A_FRONT_DEFAULT:
        f->default_route = data;
        return true;
    case EGRET_A_FRONT_ENTROPY:
        if (data > EGRET_ENTROPY_FLOW_LABEL) {
            return false;
        }
        f->entropy_source = data;
        return true;
    case EGRET_A_FRONT_THRESHOLDS:
        if (data >= EGRET_MAX_BINS) {
            return false;
        }
        f->classes.num_thresholds = data;
        return true;
    case EGRET_A_FRONT_ACK_BIN:
        if (data >= EGRET_MAX_BINS) {
            return false;
        }
        f->classes.ack_bin = (uint8_t)data;
        return true;
    case EGRET_A_FRONT_SHORT:
        if (data > 0xffffu) {
            return false;
        }
        f->classes.short_below = (uint16_t)data;
        return true;
    case EGRET_A_FRONT_ROUTE_FAMILY:
        if (data != 0 && data != 4 && data != 6) {
            return false;
        }
        f->stage.family = (uint8_t)data;
        return true;
    default:
        return false;
    }
}

static bool apply_write(struct egret_front *f, uint32_t addr, uint32_t data)
{
    if (addr - EGRET_A_FRONT_THRESHOLD(0) < EGRET_MAX_BINS - 1u) {
        if (data > 0xffffu) {
            return false;
        }
        f->classes.threshold[addr - EGRET_A_FRONT_THRESHOLD(0)] = (uint16_t)data;
        return true;
    }
    if (addr - EGRET_A_FRONT_ROUTE_VALUE(0) < 4u) {
        f->stage.value[addr - EGRET_A_FRONT_ROUTE_VALUE(0)] = data;
        return true;
    }
    if (addr - EGRET_A_FRONT_ROUTE_MASK(0) < 4u) {
        f->stage.mask[addr - EGRET_A_FRONT_ROUTE_MASK(0)] = data;
        return true;
    }
    if (addr - EGRET_A_FRONT_OPCODE(0) < 256u) {
        if (data > 15u) {
            return false;
        }
        f->classes.opcode[addr - EGRET_A_FRONT_OPCODE(0)] = (uint8_t)data;
        return true;
    }
    if (addr - EGRET_A_FRONT_ROUTE(0) < EGRET_FRONT_ROUTES) {
        struct egret_route route = f->stage;
        route.group = (uint16_t)data;
        route.key = (uint16_t)(data >> 16);
        egret_routes_set(f->routes, addr - EGRET_A_FRONT_ROUTE(0), &route);
        return true;
    }
    if (addr - EGRET_A_FRONT_ROUTE_REMOVE(0) < EGRET_FRONT_ROUTES) {
        egret_routes_remove(f->routes, addr - EGRET_A_FRONT_ROUTE_REMOVE(0));
        return true;
    }
    return write_global(f, addr, data);
}

bool egret_front_write(struct egret_front *f, uint32_t addr, uint32_t data)
{
    if (addr < EGRET_A_FRONT) {
        return false;
    }
    bool taken = apply_write(f, addr, data);
    f->ignored += !taken;
    return taken;
}

bool egret_front_resolve(struct egret_front *f, const struct egret_parsed *parsed, uint32_t length,
                         struct egret_event *ev)
{
    const struct egret_route *route = NULL;
    if (parsed->family != 0) {
        uint32_t dst[4];
        for (unsigned w = 0; w < 4; w++) {
            dst[w] = get_be32(parsed->record + 16 + 4 * w);
        }
        route = egret_routes_find(f->routes, parsed->family, dst);
    }
    ev->group = route ? route->group : (uint16_t)f->default_route;
    ev->key = route ? route->key : (uint16_t)(f->default_route >> 16);
    ev->length = (uint16_t)length;
    ev->bin = (uint8_t)egret_classmap_bin(&f->classes, length, parsed->opcode);
    ev->cls = (uint8_t)egret_classmap_class(&f->classes, length, parsed->opcode);
    ev->entropy =
        f->entropy_source == EGRET_ENTROPY_FLOW_LABEL ? parsed->flow_label : parsed->source_port;
    memcpy(ev->record, parsed->record, EGRET_RECORD_BYTES);
    return route != NULL;
}

uint64_t egret_front_ignored(const struct egret_front *f)
{
    return f->ignored;
}
