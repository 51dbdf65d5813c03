/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h: what the set-up of a fabric knows of its switches: which links are known to have failed
 * at which time, weights towards destinations, and how a switch's tables are divided.
 */
#ifndef EGRET_FABRIC_PLAN_H
#define EGRET_FABRIC_PLAN_H

#include "core.h"

#define FAB_MAX_KEYS 2048u /* NUM_KEYS at most */
#define FAB_MAX_EPOCHS 1024u
#define FAB_BINS 2u /* ACKs, data */

/* From `time` on the switches know of these failures. Bit u: uplink u lives. */
struct fab_known {
    uint64_t time;
    uint64_t *edge; /* of each edge; null: all live */
    uint64_t *agg;  /* of each aggregation switch; null likewise */
};

/* Weights of a switch's uplinks towards its destinations, each vector once. */
struct fab_vectors {
    uint32_t ups;
    uint32_t keys;
    uint32_t count;       /* different vectors, at least 1 */
    uint32_t slots;       /* of the longest schedule row */
    uint32_t rounded;     /* vectors that are not the exact weights of all their destinations */
    uint32_t oversub_ppm; /* the largest oversubscription of a member, millionths */
    uint16_t of_key[FAB_MAX_KEYS];
    uint8_t weight[FAB_MAX_KEYS][EGRET_MAX_PORTS];
    /* scratch: the exact ones */
    uint32_t exacts;
    uint16_t exact_sum[FAB_MAX_KEYS];
    uint8_t exact[FAB_MAX_KEYS][EGRET_MAX_PORTS];
    uint16_t of_exact[FAB_MAX_KEYS]; /* what becomes of it */
    bool is_rounded[FAB_MAX_KEYS];
};

/* What a switch has room for. */
struct fab_room {
    uint32_t slots;   /* of a row; 0: only who is a member counts, UINT32_MAX: there are no rows */
    uint32_t vectors; /* UINT32_MAX likewise */
};

struct fab_plan {
    uint64_t *edge_fail;     /* time at which uplink u of edge e fails: [e * aggs_per_pod + u] */
    uint64_t *agg_fail;      /* likewise [a * agg_uplinks + u]; both null: none fails */
    struct fab_known *known; /* by time; the first one is what the set-up knows */
    uint32_t epochs;         /* at least 1 */
    struct fab_known last;   /* all that ever fail, whoever is told */
    uint64_t *masks;         /* memory of those in `known` and `last` */
    struct fab_vectors *vectors; /* scratch of set-up and failures */
    void **kept;                 /* memory of routes */
    size_t keeps;
    size_t keep_capacity;
    struct egret_cfg cfg[4]; /* by enum fab_kind */
    uint32_t most[4];        /* vectors that a switch of the kind has at any time */
    uint64_t rounded[4];     /* of all switches of the kind, at the time when they are most */
    uint32_t oversub_ppm[4]; /* the largest of them at any time */
    bool has_cfg[4];
};

/* Vectors of all switches that are rounded, once their configurations are known. */
static inline uint64_t fab_rounded(const struct fab_plan *p)
{
    return p->rounded[FAB_EDGE] + p->rounded[FAB_AGG];
}

/* ---- sizes ---- */

uint32_t egret_fab_count(const struct egret_topology *t, uint32_t kind); /* nodes of a kind */
uint32_t egret_fab_down_ports(const struct egret_topology *t, uint32_t kind);
uint32_t egret_fab_up_ports(const struct egret_topology *t, uint32_t kind);
/* Destinations that a switch of a kind tells apart by its keys. */
uint32_t egret_fab_keys(const struct egret_topology *t, uint32_t kind);
const char *egret_fab_kind_name(const struct egret_topology *t, uint32_t kind);
static inline const struct egret_fabric_tier *fab_tier(const struct egret_fabric *f, uint32_t kind)
{
    return &f->spec.tier[kind - 1u];
}

/* ---- place.c ---- */

int egret_fab_place(struct egret_fabric *f, struct egret_trace_error *err);

/* ---- failure.c ---- */

/* Makes f->plan, unless it is there. */
int egret_fab_plan(struct egret_fabric *f, struct egret_trace_error *err);
void egret_fab_plan_free(struct egret_fabric *f);
/* When switches are told of what fails at a time; FAB_NEVER. */
uint64_t egret_fab_told(const struct egret_fabric *f, uint64_t fail);
/* Memory that lives as long as the plan. */
void *egret_fab_keep(struct fab_plan *plan, size_t bytes);

/* ---- weights.c ---- */

/* Weights of the uplinks of a switch with number `index` among its kind towards destination `key`;
 * their sum. w has EGRET_MAX_PORTS elements. */
uint32_t egret_fab_weights(const struct egret_topology *t, const struct fab_known *known,
                           uint32_t kind, uint32_t index, uint32_t key, uint8_t *w);
/* All different ones, exact if they fit, else reduced. */
void egret_fab_vectors(const struct egret_topology *t, const struct fab_known *known, uint32_t kind,
                       uint32_t index, const struct fab_room *room, struct fab_vectors *out);

/* ---- reduce.c ---- */

/* Replaces weights whose sum is above `slots` by the best ones whose sum is not; their sum, which
 * is above `slots` if there are more members than that. *ppm: their oversubscription, millionths.
 */
uint32_t egret_fab_reduce(uint8_t *w, uint32_t ups, uint32_t slots, uint32_t *ppm);

/* ---- tier_cfg.c ---- */

/* Slots of a down port's row, all of that port. */
#define FAB_DOWN_SLOTS 8u
/* Do a tier's uplinks use schedule rows, loads, buckets by weight, one bucket an uplink? */
bool egret_fab_uses_rows(const struct egret_fabric_tier *tier);
/* Do ACKs go by ecmp while data does not? */
bool egret_fab_hashes_acks(const struct egret_fabric_tier *tier);
bool egret_fab_uses_loads(const struct egret_fabric_tier *tier);
bool egret_fab_uses_shares(const struct egret_fabric_tier *tier);
bool egret_fab_uses_identity(const struct egret_fabric_tier *tier);
/* Slots and vectors that the tier's configuration holds, or the largest one. */
struct fab_room egret_fab_room(const struct egret_fabric *f, uint32_t kind);
/* The scheme that its rule comes to. */
uint32_t egret_fab_scheme(const struct egret_fabric_tier *tier);
/* Neither rows nor shares: only who is a member counts. */
bool egret_fab_members_only(const struct egret_fabric_tier *tier);

/* How the tables of a configuration are divided. */
struct fab_layout {
    bool down_rows;     /* down ports have rows, else buckets */
    uint32_t down_base; /* first of them */
    uint32_t rows;      /* of each vector, from row 0 on; a power of two */
    uint32_t buckets;   /* of each vector, or of all with one bucket an uplink; likewise */
};
/* For a switch with so many vectors, whose longest row has so many slots; what down ports get
 * depends on the kind alone. EGRET_ERR_RANGE: *param is the parameter that is too small, *need what
 * it must be at least. */
int egret_fab_layout(const struct egret_fabric *f, const struct egret_cfg *cfg, uint32_t kind,
                     uint32_t vectors, uint32_t slots, struct fab_layout *out, const char **param,
                     uint32_t *need);

/* ---- tables.c ---- */

/* The writes that depend on what is known: rows, buckets and groups of the uplinks. */
int egret_fab_up_tables(const struct egret_fabric *f, uint32_t node, const struct fab_vectors *v,
                        egret_emit_fn emit, void *ctx);
/* A row or bucket, and a group, of each down port. */
int egret_fab_down_tables(const struct egret_fabric *f, uint32_t node, egret_emit_fn emit,
                          void *ctx);
/* Group of a vector. */
static inline uint32_t fab_vector_group(uint32_t down_ports, uint32_t vector)
{
    return vector == 0 ? 0 : down_ports + vector;
}

#endif
