/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.c: which rank is plugged in where, and addresses of places.
 */
#include <stdlib.h>

#include "plan.h"
#include "rng.h"

static void shuffle(uint32_t *place, uint32_t n, uint32_t seed)
{
    struct rng r = {(uint64_t)seed << 32 | 0x706c6163u};
    for (uint32_t i = n; i > 1u; i--) {
        uint32_t j = rng_below(&r, i);
        uint32_t other = place[j];
        place[j] = place[i - 1u];
        place[i - 1u] = other;
    }
}

/* Host i of a server is under edge i of its group of `rails` edges. */
static void on_rails(const struct egret_topology *t, uint32_t rails, uint32_t *place)
{
    for (uint32_t rank = 0; rank < t->hosts; rank++) {
        uint32_t server = rank / rails;
        uint32_t edge = server / t->hosts_per_edge * rails + rank % rails;
        place[rank] = edge * t->hosts_per_edge + server % t->hosts_per_edge;
    }
}

int egret_fab_place(struct egret_fabric *f, struct egret_trace_error *err)
{
    const struct egret_topology *t = &f->spec.topology;
    uint32_t edges = t->pods * t->edges_per_pod;
    uint32_t rails = f->spec.rails;
    if (rails && edges % rails != 0) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%u rails do not divide %u edges", rails,
                                edges);
    }
    if (rails && f->spec.place_random) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "rails and random places exclude each other");
    }
    f->place = malloc(t->hosts * sizeof *f->place);
    f->address = malloc(t->hosts * sizeof *f->address);
    if (!f->place || !f->address) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for %u hosts", t->hosts);
    }
    for (uint32_t i = 0; i < t->hosts; i++) {
        uint32_t edge = i / t->hosts_per_edge;
        f->place[i] = i;
        f->address[i] = 10u << 24 | (edge / t->edges_per_pod) << 16 |
                        (edge % t->edges_per_pod) << 8 | (i % t->hosts_per_edge + 2u);
    }
    if (rails) {
        on_rails(t, rails, f->place);
    } else if (f->spec.place_random) {
        shuffle(f->place, t->hosts, f->spec.seed);
    }
    return EGRET_OK;
}
