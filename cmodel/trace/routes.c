/* SPDX-License-Identifier: Apache-2.0 */
/*
 * routes.c: ternary lookup by one hash probe for each distinct mask.
 *
 * Routes with the same mask, family and masked value share a chain; a lookup masks the destination
 * with every mask in use and takes the lowest index that it finds. Set and remove change one chain.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "egret/trace_front.h"
#include "routes.h"

#define CHAINS 8192u /* a power of two */
#define NONE 0xffffu

struct mask {
    uint32_t mask[4];
    uint32_t users;
    uint8_t family;
};

struct egret_routes {
    struct egret_route route[EGRET_FRONT_ROUTES]; /* value is kept masked */
    bool valid[EGRET_FRONT_ROUTES];
    uint16_t next[EGRET_FRONT_ROUTES];
    uint16_t head[CHAINS];
    struct mask mask[EGRET_FRONT_ROUTES];
    uint32_t masks;
};

struct egret_routes *egret_routes_create(void)
{
    struct egret_routes *t = calloc(1, sizeof *t);
    if (t) {
        memset(t->head, 0xff, sizeof t->head);
    }
    return t;
}

void egret_routes_destroy(struct egret_routes *t)
{
    free(t);
}

static uint32_t chain_of(const uint32_t value[4], const uint32_t mask[4], unsigned family)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ family;
    for (unsigned w = 0; w < 4; w++) {
        h = (h ^ ((uint64_t)value[w] << 32 | mask[w])) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;
    }
    return (uint32_t)h & (CHAINS - 1u);
}

static bool same_words(const uint32_t a[4], const uint32_t b[4])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

static struct mask *find_mask(struct egret_routes *t, const struct egret_route *r)
{
    for (uint32_t i = 0; i < t->masks; i++) {
        if (t->mask[i].family == r->family && same_words(t->mask[i].mask, r->mask)) {
            return &t->mask[i];
        }
    }
    return NULL;
}

void egret_routes_remove(struct egret_routes *t, uint32_t index)
{
    if (!t->valid[index]) {
        return;
    }
    struct egret_route *r = &t->route[index];
    uint16_t *link = &t->head[chain_of(r->value, r->mask, r->family)];
    while (*link != index) {
        link = &t->next[*link];
    }
    *link = t->next[index];
    t->valid[index] = false;
    struct mask *m = find_mask(t, r);
    if (m && --m->users == 0) {
        *m = t->mask[--t->masks];
    }
}

void egret_routes_set(struct egret_routes *t, uint32_t index, const struct egret_route *route)
{
    egret_routes_remove(t, index);
    struct egret_route *r = &t->route[index];
    *r = *route;
    for (unsigned w = 0; w < 4; w++) {
        r->value[w] &= r->mask[w];
    }
    struct mask *m = find_mask(t, r);
    if (!m) {
        m = &t->mask[t->masks++];
        memcpy(m->mask, r->mask, sizeof m->mask);
        m->family = r->family;
        m->users = 0;
    }
    m->users++;
    uint16_t *head = &t->head[chain_of(r->value, r->mask, r->family)];
    t->next[index] = *head;
    *head = (uint16_t)index;
    t->valid[index] = true;
}

const struct egret_route *egret_routes_find(const struct egret_routes *t, unsigned family,
                                            const uint32_t dst[4])
{
    uint32_t best = EGRET_FRONT_ROUTES;
    for (uint32_t i = 0; i < t->masks; i++) {
        const struct mask *m = &t->mask[i];
        if (m->family != 0 && m->family != family) {
            continue;
        }
        uint32_t value[4];
        for (unsigned w = 0; w < 4; w++) {
            value[w] = dst[w] & m->mask[w];
        }
        for (uint32_t r = t->head[chain_of(value, m->mask, m->family)]; r != NONE; r = t->next[r]) {
            if (r < best && t->route[r].family == m->family &&
                same_words(t->route[r].value, value) && same_words(t->route[r].mask, m->mask)) {
                best = r;
            }
        }
    }
    return best < EGRET_FRONT_ROUTES ? &t->route[best] : NULL;
}
