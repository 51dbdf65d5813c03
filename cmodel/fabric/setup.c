/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.c: a selector for each switch, and the configuration writes that it starts with.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "request.h"
#include "rng.h"

#define BATCH 128u
#define ENDLESS_BYTES 800000u /* full scale of a queue without end: papers.md 0.1 */

/* ---- writes ---- */

static uint64_t scale_bytes(const struct egret_fabric *f, const struct fab_link *l)
{
    uint64_t bytes = f->spec.buffer_bytes[l->tier];
    return bytes == 0 ? ENDLESS_BYTES : bytes < UINT32_MAX ? bytes : UINT32_MAX;
}

static int load_writes(const struct egret_fabric *f, const struct fab_node *n, egret_emit_fn emit,
                       void *ctx, const char **param)
{
    const struct egret_cfg *cfg = &f->plan->cfg[n->kind];
    const struct egret_load *load = &fab_tier(f, n->kind)->load;
    int code = egret_ctl_load(cfg, load, emit, ctx, param);
    for (uint32_t p = 0; p < n->ports && code == EGRET_OK; p++) {
        const struct fab_link *l = &f->link[n->first_link + p];
        code = egret_ctl_port_load(cfg, p, (uint64_t)l->mbps * 1000000u, scale_bytes(f, l), load,
                                   emit, ctx, param);
    }
    return code;
}

static int fail(const struct egret_fabric *f, const struct fab_node *n, int code, const char *what,
                const char *param, struct egret_trace_error *err)
{
    return egret_trace_fail(err, code, "%s %u: its %s cannot be written: %s",
                            egret_fab_kind_name(&f->spec.topology, n->kind), n->index, what,
                            param ? param : egret_strerror(code));
}

/* Hash, seeds and loads. */
static int first_writes(const struct egret_fabric *f, uint32_t node, egret_emit_fn emit, void *ctx,
                        struct egret_trace_error *err)
{
    const struct fab_node *n = &f->node[node];
    const struct egret_cfg *cfg = &f->plan->cfg[n->kind];
    const struct egret_fabric_tier *tier = fab_tier(f, n->kind);
    uint32_t scheme = n->first_up < n->ports ? egret_fab_scheme(tier) : (uint32_t)EGRET_SCHEME_NONE;
    uint32_t seed = f->spec.seed ^ fab_switch_number(f, node);
    struct egret_hash_setup hash = tier->hash;
    const char *param = NULL;
    hash.seed ^= seed;
    int code = egret_ctl_hash(cfg, &hash, emit, ctx, &param);
    if (code != EGRET_OK) {
        return fail(f, n, code, "hash", param, err);
    }
    code = egret_ctl_draw_seed(cfg, seed, emit, ctx);
    if (code == EGRET_OK &&
        (scheme == EGRET_SCHEME_SPRAY_RANDOM || scheme == EGRET_SCHEME_SPRAY_QUALITY ||
         scheme == EGRET_SCHEME_FLOWLET)) {
        code = egret_ctl_random_seed(cfg, seed, emit, ctx);
    }
    if (code != EGRET_OK) {
        return fail(f, n, code, "seeds", NULL, err);
    }
    if (scheme != EGRET_SCHEME_NONE && egret_fab_hashes_acks(tier)) {
        code = egret_ctl_class_ordered(cfg, 1u << FAB_CLASS_ACK, emit, ctx);
        if (code != EGRET_OK) {
            return fail(f, n, code, "class that keeps order", NULL, err);
        }
    }
    if (scheme != EGRET_SCHEME_NONE && egret_fab_uses_loads(tier)) {
        code = load_writes(f, n, emit, ctx, &param);
    }
    return code == EGRET_OK ? code : fail(f, n, code, "port loads", param, err);
}

/* Slots of the row that a destination goes by. */
static uint32_t slots_of(const struct fab_vectors *v, uint32_t key)
{
    uint32_t sum = 0;
    for (uint32_t u = 0; u < v->ups; u++) {
        sum += v->weight[v->of_key[key]][u];
    }
    return sum ? sum : 1u;
}

/* Where weights are rounded, there are so many vectors that each has few rows, and pointers that
 * all begin at slot 0 would send the first packet to every destination the same way: they begin
 * anywhere. */
static int pointer_writes(const struct egret_fabric *f, uint32_t node, const struct fab_vectors *v,
                          egret_emit_fn emit, void *ctx)
{
    const struct fab_node *n = &f->node[node];
    struct rng r = {(uint64_t)f->spec.seed << 32 | fab_switch_number(f, node)};
    int code = EGRET_OK;
    if (!fab_rounded(f->plan) || v->ups == 0 ||
        egret_fab_scheme(fab_tier(f, n->kind)) != EGRET_SCHEME_DR) {
        return EGRET_OK;
    }
    for (uint32_t key = 0; key < v->keys; key++) {
        uint32_t slots = slots_of(v, key);
        for (uint32_t bin = 0; bin < FAB_BINS && code == EGRET_OK; bin++) {
            code = emit(ctx, EGRET_A_POINTER_DR(key, bin), rng_below(&r, slots));
        }
    }
    return code;
}

static int all_writes(const struct egret_fabric *f, uint32_t node, struct fab_vectors *v,
                      egret_emit_fn emit, void *ctx, struct egret_trace_error *err)
{
    const struct fab_node *n = &f->node[node];
    int code = first_writes(f, node, emit, ctx, err);
    if (code != EGRET_OK) {
        return code;
    }
    struct fab_room room = egret_fab_room(f, n->kind);
    egret_fab_vectors(&f->spec.topology, &f->plan->known[0], n->kind, n->index, &room, v);
    code = egret_fab_up_tables(f, node, v, emit, ctx);
    if (code != EGRET_OK) {
        return fail(f, n, code, "uplinks", NULL, err);
    }
    code = pointer_writes(f, node, v, emit, ctx);
    if (code != EGRET_OK) {
        return fail(f, n, code, "pointers", NULL, err);
    }
    code = egret_fab_down_tables(f, node, emit, ctx);
    return code == EGRET_OK ? code : fail(f, n, code, "down ports", NULL, err);
}

int egret_fab_switch_writes(const struct egret_fabric *f, uint32_t node, egret_emit_fn emit,
                            void *ctx, struct egret_trace_error *err)
{
    if (node < f->first_node[FAB_EDGE] || node >= f->nodes || !f->plan) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "node %u is no switch", node);
    }
    if (fab_tier(f, f->node[node].kind)->rule == EGRET_RULE_JSQ) {
        return EGRET_OK;
    }
    struct fab_vectors *v = malloc(sizeof *v);
    if (!v) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for a switch's weights");
    }
    int code = all_writes(f, node, v, emit, ctx, err);
    free(v);
    return code;
}

/* ---- selectors ---- */

struct batch {
    const struct egret_selector_ops *ops;
    void *self;
    size_t n;
    struct egret_event event[BATCH];
    struct egret_decision decision[BATCH];
};

static int flush(struct batch *b)
{
    size_t done = 0;
    int code = b->n ? b->ops->apply_burst(b->self, b->event, b->n, b->decision, &done) : EGRET_OK;
    b->n = 0;
    return code;
}

static int put(void *ctx, uint32_t addr, uint32_t data)
{
    struct batch *b = ctx;
    struct egret_event *ev = &b->event[b->n++];
    ev->kind = EGRET_EV_WRITE;
    ev->addr = addr;
    ev->data = data;
    return b->n == BATCH ? flush(b) : EGRET_OK;
}

static const struct egret_selector_ops *ops_of(const struct egret_fabric *f, uint32_t node)
{
    const struct egret_selector_ops *ops = fab_tier(f, f->node[node].kind)->ops;
    bool use = ops && (!f->spec.use_ops || f->spec.use_ops[fab_switch_number(f, node)]);
    return use ? ops : egret_model_selector();
}

static int open_selector(struct egret_fabric *f, uint32_t node, struct batch *b,
                         struct egret_trace_error *err)
{
    struct fab_node *n = &f->node[node];
    const struct egret_cfg *cfg = &f->plan->cfg[n->kind];
    b->ops = ops_of(f, node);
    b->n = 0;
    int code = b->ops->create(cfg, &n->self);
    if (code != EGRET_OK) {
        n->self = NULL;
        return egret_trace_fail(err, code, "%s %u: selector %s cannot be made for %s: %s",
                                egret_fab_kind_name(&f->spec.topology, n->kind), n->index,
                                b->ops->name, cfg->name, egret_strerror(code));
    }
    n->ops = b->ops;
    b->self = n->self;
    if (err) {
        err->text[0] = '\0';
    }
    code = all_writes(f, node, f->plan->vectors, put, b, err);
    if (code == EGRET_OK) {
        code = flush(b);
        if (code != EGRET_OK) {
            return fail(f, n, code, "configuration",
                        b->ops->describe ? b->ops->describe(n->self) : NULL, err);
        }
    }
    return code;
}

static void start_ticks(const struct egret_fabric *f, struct fab_node *n)
{
    const struct egret_fabric_tier *tier = fab_tier(f, n->kind);
    if (n->first_up < n->ports && egret_fab_uses_loads(tier)) {
        n->tick_ps = (uint64_t)tier->load.period_ns * 1000u;
        n->next_tick = n->tick_ps;
    }
}

int egret_fab_setup(struct egret_fabric *f, struct egret_trace_error *err)
{
    struct egret_cfg cfg;
    int code = egret_fab_plan(f, err);
    for (uint32_t kind = FAB_EDGE; kind <= FAB_CORE && code == EGRET_OK; kind++) {
        if (egret_fab_count(&f->spec.topology, kind)) {
            code = egret_fab_tier_cfg(f, kind, &cfg, err);
        }
    }
    struct batch *b = calloc(1, sizeof *b);
    if (!b) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "no memory for a switch's writes");
    }
    for (uint32_t i = f->first_node[FAB_EDGE]; i < f->nodes && code == EGRET_OK; i++) {
        if (fab_tier(f, f->node[i].kind)->rule != EGRET_RULE_JSQ) {
            code = open_selector(f, i, b, err);
            start_ticks(f, &f->node[i]);
        }
    }
    free(b);
    return code;
}

void egret_fab_teardown(struct egret_fabric *f)
{
    for (uint32_t i = 0; i < f->nodes && f->node; i++) {
        struct fab_node *n = &f->node[i];
        if (n->ops && n->self) {
            n->ops->destroy(n->self);
        }
        free(n->agenda);
    }
    egret_fab_plan_free(f);
    free(f->node);
    free(f->link);
    free(f->place);
    free(f->address);
    f->node = NULL;
    f->link = NULL;
    f->place = NULL;
    f->address = NULL;
    f->nodes = 0;
    f->links = 0;
}
