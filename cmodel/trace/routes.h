/* SPDX-License-Identifier: Apache-2.0 */
/*
 * routes.h: the ternary route table behind the front end; internal to the trace library.
 */
#ifndef EGRET_TRACE_ROUTES_H
#define EGRET_TRACE_ROUTES_H

#include <stdint.h>

struct egret_route {
    uint32_t value[4]; /* word 0: the first four bytes of the destination */
    uint32_t mask[4];
    uint16_t group;
    uint16_t key;
    uint8_t family; /* 4, 6, or 0 for both */
};

struct egret_routes;

struct egret_routes *egret_routes_create(void); /* null if memory is out */
void egret_routes_destroy(struct egret_routes *t);
/* index is below EGRET_FRONT_ROUTES; whatever was there goes. */
void egret_routes_set(struct egret_routes *t, uint32_t index, const struct egret_route *route);
void egret_routes_remove(struct egret_routes *t, uint32_t index);
/* The matching route of the lowest index, or null. */
const struct egret_route *egret_routes_find(const struct egret_routes *t, unsigned family,
                                            const uint32_t dst[4]);

#endif
