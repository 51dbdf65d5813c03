/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failed links: weights, rows, who is told what and when, rho_max; against what is derived by hand.
 */
#include "fabric_build.h"
#include "plan.h"

static struct trace_test t;
static struct egret_trace_error err;

#define US 1000000u

static void spec_failing(struct egret_fabric *f, const char *topology, uint32_t scheme,
                         const struct egret_fabric_failure *x, size_t n)
{
    fabric_spec(f, topology, scheme);
    f->spec.failure = x;
    f->spec.failures = n;
}

static int up(struct egret_fabric *f)
{
    int code = fabric_up(f, &err);
    if (code != EGRET_OK) {
        printf("%s: %s\n", f->spec.topology_name, err.text);
        exit(1);
    }
    return CHECK(&t, code == EGRET_OK);
}

static int weighs(const struct egret_fabric *f, uint32_t kind, uint32_t index, uint32_t key,
                  const uint8_t *want, uint32_t ups)
{
    uint8_t w[EGRET_MAX_PORTS];
    uint32_t sum = 0,
             got = egret_fab_weights(&f->spec.topology, &f->plan->known[0], kind, index, key, w);
    for (uint32_t u = 0; u < ups; u++) {
        sum += want[u];
    }
    return got == sum && memcmp(w, want, ups) == 0;
}

struct rows {
    uint8_t slot[256][16];
    uint64_t written;
};
static int take_rows(void *ctx, uint32_t addr, uint32_t data)
{
    struct rows *r = ctx;
    if (addr >> 20 == 3u) {
        r->slot[addr >> 8 & 0xffu][addr & 15u] = (uint8_t)data;
        r->written++;
    }
    return EGRET_OK;
}

/* papers.md 0.3: weights [1600,1600,1600,800]: [2,2,2,1]. 4 aggregation switches a pod with 2 cores
 * each, 800 Gb/s; the last one of pod 0 loses one. A row is an order of the four ports, then the
 * same without the light one. */
static void example(void)
{
    static const struct egret_fabric_failure x = {0, 1, 3, 1};
    static const uint8_t want[4] = {2, 2, 2, 1};
    struct egret_fabric f;
    struct rows r;
    spec_failing(&f, "fat-tree:8", EGRET_SCHEME_DR, &x, 1);
    f.spec.topology.agg_uplinks = 2;
    up(&f);
    CHECK(&t, weighs(&f, FAB_EDGE, 0, 4, want, 4));
    CHECK(&t, weighs(&f, FAB_EDGE, 3, 31, want, 4));
    CHECK(&t, weighs(&f, FAB_EDGE, 4, 0, want, 4));
    memset(&r, 0xff, sizeof r);
    CHECK(&t, egret_fab_switch_writes(&f, f.first_node[FAB_EDGE], take_rows, &r, &err) == 0);
    /* destinations 1..3 are in the pod, group 0; the others group 5, the second vector */
    const uint16_t *g = f.node[f.first_node[FAB_EDGE]].route.up_group;
    CHECK(&t, g && g[1] == 0 && g[3] == 0 && g[4] == 5 && g[31] == 5);
    struct egret_cfg c;
    CHECK(&t, egret_fab_tier_cfg(&f, FAB_EDGE, &c, &err) == EGRET_OK);
    CHECK(&t, c.row_len == 8);
    uint32_t weighted = 0, even = 0, orders = 0;
    for (uint32_t row = 0; row < c.num_rows - 4u; row++) {
        const uint8_t *s = r.slot[row];
        uint32_t ports = 0, rest = 0, at = 4;
        if (s[0] == 0xff) {
            continue;
        }
        for (uint32_t i = 0; i < 4u; i++) {
            ports |= 1u << s[i];
        }
        CHECK(&t, ports == 0xf0u);
        if (s[4] == 0xff) {
            even++;
            continue;
        }
        weighted++;
        for (uint32_t i = 0; i < 4u; i++) {
            if (s[i] != 7u) {
                rest += s[at++] == s[i];
            }
        }
        CHECK(&t, rest == 3u && s[7] == 0xff);
        orders += memcmp(s, r.slot[c.num_rows / 2u - 1u], 4) != 0;
    }
    CHECK(&t, weighted == even && weighted >= 16u && orders > 8u);
    /* 7 packets to one far edge: 2, 2, 2, 1 */
    uint32_t count[8] = {0};
    for (uint32_t i = 0; i < 14u; i++) {
        struct fab_packet p = fabric_packet(0, 64, i);
        count[fabric_decide(&f, &f.node[f.first_node[FAB_EDGE]], &p) & 7u]++;
    }
    CHECK(&t, count[4] == 4 && count[5] == 4 && count[6] == 4 && count[7] == 2);
    egret_fab_teardown(&f);
}

/* k = 4, the link of aggregation switch 0 to core 0: see below. */
static void vectors(void)
{
    static const struct egret_fabric_failure x = {0, 1, 0, 0};
    static const uint8_t v12[2] = {1, 2}, v22[2] = {2, 2}, v11[2] = {1, 1}, v01[2] = {0, 1};
    struct egret_fabric f;
    spec_failing(&f, "fat-tree:4", EGRET_SCHEME_DR, &x, 1);
    up(&f);
    CHECK(&t, weighs(&f, FAB_EDGE, 0, 1, v11, 2)); /* in the pod */
    CHECK(&t, weighs(&f, FAB_EDGE, 0, 2, v12, 2)); /* one path by 0, two by 1 */
    CHECK(&t, weighs(&f, FAB_EDGE, 7, 1, v12, 2)); /* back into pod 0 */
    CHECK(&t, weighs(&f, FAB_EDGE, 7, 2, v22, 2)); /* pod 0 has no part */
    for (uint32_t pod = 1; pod < 4u; pod++) {
        CHECK(&t, weighs(&f, FAB_AGG, 0, pod, v01, 2)); /* its own link */
        CHECK(&t, weighs(&f, FAB_AGG, 1, pod, v11, 2));
        CHECK(&t, weighs(&f, FAB_AGG, 2u * pod, 0, v01, 2)); /* core 0 does not reach pod 0 */
        CHECK(&t, weighs(&f, FAB_AGG, 2u * pod + 1u, 0, v11, 2));
    }
    CHECK(&t, weighs(&f, FAB_AGG, 2, 2, v11, 2));
    const struct fab_link *l = &f.link[f.node[f.first_node[FAB_AGG]].first_link + 2u];
    CHECK(&t, l->down_at == 0 && l->told_at == 0);
    l = &f.link[f.node[f.first_node[FAB_CORE]].first_link];
    CHECK(&t, l->down_at == 0 && l->told_at == 0);
    /* both ends hear of their port at time 0, nobody else of anything: the set-up knows it */
    for (uint32_t i = f.first_node[FAB_EDGE]; i < f.nodes; i++) {
        const struct fab_node *n = &f.node[i];
        bool end = i == f.first_node[FAB_AGG] || i == f.first_node[FAB_CORE];
        CHECK(&t, n->agenda_count == end && n->route_at == FAB_NEVER);
        CHECK(&t, !end || (n->agenda[0].time == 0 && n->agenda[0].kind == EGRET_EV_PORT &&
                           n->agenda[0].at == (n->kind == FAB_AGG ? 2u : 0u)));
    }
    egret_fab_teardown(&f);
}

/* Does every pair that has a path take it? Pairs that are lost. */
static uint32_t lost(const struct egret_fabric *f)
{
    uint32_t n = 0, hosts = f->spec.topology.hosts;
    for (uint32_t i = 0; i < hosts * hosts; i++) {
        struct fab_packet p = fabric_packet(i / hosts, i % hosts, i);
        for (uint32_t again = 0; again < 3u && p.src != p.dst; again++) {
            p.entropy += again << 16 | again;
            n += fabric_walk(f, &p) == 0;
        }
    }
    return n;
}

static void all_schemes(void)
{
    /* aggregation switch to core, edge to aggregation switch, the same twice */
    static const struct egret_fabric_failure x[] = {
        {0, 1, 0, 0}, {0, 0, 3, 1}, {0, 0, 3, 1}, {0, 1, 5, 1}};
    static const struct egret_fabric_failure leaf[] = {{0, 0, 0, 0}, {0, 0, 1, 2}};
    struct egret_fabric f;
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES + 1u; scheme++) {
        bool simple = scheme > EGRET_NUM_SCHEMES;
        spec_failing(&f, "fat-tree:4", simple ? 1u : scheme, x, 4);
        f.spec.tier[0].rule = f.spec.tier[1].rule = simple ? EGRET_RULE_SIMPLE_RR : 0;
        up(&f);
        CHECK(&t, lost(&f) == 0);
        egret_fab_teardown(&f);
        spec_failing(&f, "leaf-spine:4,3,2", simple ? 1u : scheme, leaf, 2);
        f.spec.tier[0].rule = simple ? EGRET_RULE_SIMPLE_RR : 0;
        up(&f);
        CHECK(&t, lost(&f) == 0);
        egret_fab_teardown(&f);
    }
}

/* Edge 0 reaches only number 1; of pod 1, number 1 reaches no core: 2 hosts and 4 have no path,
 * both ways. The others have. */
static void cut_off(void)
{
    static const struct egret_fabric_failure x[] = {{0, 0, 0, 0}, {0, 1, 3, 0}, {0, 1, 3, 1}};
    struct egret_fabric f;
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        spec_failing(&f, "fat-tree:4", scheme, x, 3);
        up(&f);
        CHECK(&t, lost(&f) == 3u * 2u * 2u * 4u);
        egret_fab_teardown(&f);
    }
}

/* Nothing lives between switches: only what stays under its edge arrives. */
static void all_dead(void)
{
    struct egret_fabric f;
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        fabric_spec(&f, "fat-tree:4", scheme);
        f.spec.failed_ppm = 1000000;
        up(&f);
        CHECK(&t, lost(&f) == 3u * 16u * 14u);
        egret_fab_teardown(&f);
    }
}

/* ---- told later ---- */

static void tell_until(struct egret_fabric *f, uint64_t time)
{
    for (uint32_t i = f->first_node[FAB_EDGE]; i < f->nodes; i++) {
        struct fab_node *n = &f->node[i];
        while (n->agenda_next < n->agenda_count && n->agenda[n->agenda_next].time <= time) {
            struct egret_decision d;
            struct egret_event ev = fab_agenda_event(&n->agenda[n->agenda_next++]);
            (void)n->ops->apply(n->self, &ev, &d);
        }
        while (n->route_at <= time) {
            fab_reroute(n);
        }
    }
}

struct same {
    const struct fab_node *n;
    uint32_t compared, bad;
};
static int compare(void *ctx, uint32_t addr, uint32_t data)
{
    struct same *s = ctx;
    struct egret_event ev;
    struct egret_decision d;
    if (addr >> 20 >= 1u && addr >> 20 <= 3u) {
        memset(&ev, 0, sizeof ev);
        ev.kind = EGRET_EV_READ;
        ev.addr = addr;
        (void)s->n->ops->apply(s->n->self, &ev, &d);
        s->compared++;
        s->bad += d.data != data;
    }
    return EGRET_OK;
}

/* A fabric that learns of two failures one after the other ends with the tables of one that has
 * known both from the start. */
static void later(uint32_t scheme)
{
    static const struct egret_fabric_failure x[] = {{2 * US, 1, 0, 0}, {5 * US, 0, 6, 1}};
    struct egret_fabric f, g;
    spec_failing(&f, "fat-tree:4", scheme, x, 2);
    f.spec.convergence_ps = US;
    up(&f);
    struct egret_fabric_failure now[2] = {x[0], x[1]};
    now[0].time_ps = now[1].time_ps = 0;
    spec_failing(&g, "fat-tree:4", scheme, now, 2);
    up(&g);
    const struct fab_link *l = &f.link[f.node[f.first_node[FAB_AGG]].first_link + 2u];
    CHECK(&t, l->down_at == 2 * US && l->told_at == 3 * US);
    for (uint32_t i = f.first_node[FAB_EDGE]; i < f.nodes; i++) {
        const struct fab_node *n = &f.node[i];
        CHECK(&t, n->route.up_group == NULL && (n->route_at == 3 * US) == (n->kind != FAB_CORE));
        for (uint32_t a = 0; a < n->agenda_count; a++) {
            CHECK(&t, n->agenda[a].time == 3 * US || n->agenda[a].time == 6 * US);
            CHECK(&t, a == 0 || n->agenda[a - 1u].time <= n->agenda[a].time);
        }
    }
    /* number 1 of pod 1: all its weights stay what they were, so it is told nothing */
    CHECK(&t, f.node[f.first_node[FAB_AGG] + 3u].agenda_count == 0);
    CHECK(&t, lost(&f) > 0);
    tell_until(&f, 4 * US);
    CHECK(&t, f.node[f.first_node[FAB_EDGE]].route_at == 6 * US);
    CHECK(&t, scheme == EGRET_SCHEME_FIXED || lost(&f) > 0); /* that goes by uplink 0 alone */
    tell_until(&f, 6 * US);
    tell_until(&g, 0);
    CHECK(&t, f.node[f.first_node[FAB_EDGE]].route_at == FAB_NEVER);
    CHECK(&t, lost(&f) == 0);
    for (uint32_t i = f.first_node[FAB_EDGE]; i < f.nodes; i++) {
        struct same s = {&f.node[i], 0, 0};
        CHECK(&t, egret_fab_switch_writes(&g, i, compare, &s, &err) == EGRET_OK);
        CHECK(&t, s.compared > 0 && s.bad == 0);
        const uint16_t *a = f.node[i].route.up_group, *b = g.node[i].route.up_group;
        size_t keys = egret_fab_keys(&f.spec.topology, f.node[i].kind);
        CHECK(&t, a == b || (a && b && memcmp(a, b, keys * sizeof *a) == 0));
        uint32_t live[2];
        for (unsigned k = 0; k < 2u; k++) {
            struct egret_event ev = {0};
            struct egret_decision d;
            const struct fab_node *n = k ? &g.node[i] : &f.node[i];
            ev.kind = EGRET_EV_READ;
            ev.addr = EGRET_A_LIVE0;
            (void)n->ops->apply(n->self, &ev, &d);
            live[k] = d.data;
        }
        CHECK(&t, live[0] == live[1]);
    }
    egret_fab_teardown(&f);
    egret_fab_teardown(&g);
}

static void jsq(void)
{
    static const struct egret_fabric_failure x = {2 * US, 1, 0, 0};
    struct egret_fabric f;
    spec_failing(&f, "fat-tree:4", EGRET_SCHEME_DR, &x, 1);
    f.spec.tier[0].rule = f.spec.tier[1].rule = EGRET_RULE_JSQ;
    f.spec.convergence_ps = US;
    up(&f);
    struct fab_node *far = &f.node[f.first_node[FAB_AGG] + 2u]; /* number 0 of pod 1 */
    CHECK(&t, far->up_members == NULL || far->up_members[0] == 0xcu);
    CHECK(&t, far->route_at == 3 * US && far->agenda_count == 0);
    fab_reroute(far); /* core 0 does not reach pod 0: port 3 alone */
    CHECK(&t, far->up_members[0] == 0x8u && far->up_members[2] == 0xcu);
    CHECK(&t, far->route_at == FAB_NEVER);
    egret_fab_teardown(&f);
}

static uint32_t dead(const struct egret_fabric *f, uint32_t *where)
{
    uint32_t n = 0;
    *where = 0;
    for (uint32_t i = 0; i < f->links; i++) {
        if (f->link[i].down_at != FAB_NEVER) {
            n++;
            *where = *where * 31u + i;
            CHECK(&t, f->node[f->link[i].node].kind != FAB_HOSTS);
        }
    }
    return n;
}

/* 1 % of the 256 cables of k = 8 are 2.56: 3, 6 directions. */
static void at_random(void)
{
    struct egret_fabric f;
    uint32_t where[4];
    for (unsigned i = 0; i < 4u; i++) {
        fabric_spec(&f, "fat-tree:8", EGRET_SCHEME_DR);
        f.spec.failed_ppm = 10000;
        f.spec.seed = i == 3u ? 1 : i;
        f.spec.convergence_ps = i == 2u ? EGRET_FABRIC_NO_CONVERGENCE : 0;
        up(&f);
        CHECK(&t, dead(&f, &where[i]) == 6);
        uint32_t missing = lost(&f);
        CHECK(&t, i == 2u ? missing > 0 : missing == 0);
        for (uint32_t n = f.first_node[FAB_EDGE]; n < f.nodes && i == 2u; n++) {
            CHECK(&t, f.node[n].agenda_count == 0 && f.node[n].route_at == FAB_NEVER);
            CHECK(&t, f.node[n].route.up_group == NULL);
        }
        egret_fab_teardown(&f);
    }
    CHECK(&t, where[0] != where[1] && where[1] != where[2] && where[1] == where[3]);
}

/* ---- rho_max ---- */

/* Host i sends to host (i + shift) mod hosts; 0: all to all; UINT32_MAX: 1, 2 and 3 to 0. */
static uint32_t rho(const char *topology, uint32_t shift, uint32_t repeat,
                    const struct egret_fabric_failure *x, size_t n, uint64_t g)
{
    struct egret_fabric f;
    struct egret_schedule work = {0};
    spec_failing(&f, topology, EGRET_SCHEME_DR, x, n);
    f.spec.convergence_ps = g;
    uint32_t hosts = f.spec.topology.hosts;
    work.ranks = hosts;
    for (uint32_t i = 0; i < hosts * repeat; i++) {
        for (uint32_t j = 0; j < hosts; j++) {
            bool sends = shift == 0            ? i % hosts != j
                         : shift == UINT32_MAX ? j == 0 && i >= 1 && i <= 3
                                               : (i + shift) % hosts == j;
            if (sends) {
                (void)egret_schedule_message(&work, i % hosts, j, 4096, NULL);
            }
        }
    }
    CHECK(&t, egret_schedule_seal(&work, "test", NULL, &err) == EGRET_OK);
    f.work = &work;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    uint32_t got = egret_fab_rho_max(&f);
    egret_fab_teardown(&f);
    egret_schedule_free(&work);
    return got;
}

static void rates(void)
{
    static const struct egret_fabric_failure core = {0, 1, 0, 0}, edge = {0, 0, 0, 0};
    uint64_t never = EGRET_FABRIC_NO_CONVERGENCE;
    CHECK(&t, rho("fat-tree:4", 4, 1, NULL, 0, 0) == 1000000);
    CHECK(&t, rho("fat-tree:4", 4, 3, NULL, 0, 0) == 1000000);  /* three messages each */
    CHECK(&t, rho("fat-tree:6", 11, 1, NULL, 0, 0) == 1000000); /* thirds */
    CHECK(&t, rho("fat-tree:6", 0, 1, NULL, 0, 0) == 1000000);
    CHECK(&t, rho("fat-tree:4", UINT32_MAX, 1, NULL, 0, 0) == 333333);
    CHECK(&t, rho("fat-tree:4,oversub=2", 8, 1, NULL, 0, 0) == 500000); /* 4 flows, 2 uplinks */
    CHECK(&t, rho("leaf-spine:4,3,6", 6, 1, NULL, 0, 0) == 500000);
    CHECK(&t, rho("leaf-spine:4,3,6", 1, 1, NULL, 0, 0) == 1000000); /* one flow leaves a leaf */
    /* two flows an edge, weights [1, 2]: 2/3 and 4/3; above number 0 4/3 on one link, above
     * number 1 8/3 on two */
    CHECK(&t, rho("fat-tree:4", 4, 1, &core, 1, 0) == 750000);
    CHECK(&t, rho("fat-tree:4", 4, 1, &core, 1, never) == 750000);
    /* edge 0 has one uplink for two flows */
    CHECK(&t, rho("fat-tree:4", 4, 1, &edge, 1, 0) == 500000);
}

/* Pods of 4 edges with 2 hosts. Pod 0 sends 6 flows to pod 1 and 2 to pod 2. Its number 0 has lost
 * core 0; number 1 of pod 2 both of its cores. To pod 1 there are three paths, 2 flows on each; to
 * pod 2 one, by core 1: 2 more. So 4 on the link from number 0 to core 1. */
static void rate_of_core(void)
{
    static const struct egret_fabric_failure x[] = {{0, 1, 0, 0}, {0, 1, 5, 0}, {0, 1, 5, 1}};
    struct egret_fabric f;
    struct egret_schedule work = {0};
    spec_failing(&f, "fat-tree:4", EGRET_SCHEME_DR, x, 3);
    f.spec.topology.edges_per_pod = 4;
    f.spec.topology.hosts = 32;
    work.ranks = 32;
    for (uint32_t i = 0; i < 8u; i++) {
        (void)egret_schedule_message(&work, i, (i < 6u ? 8u : 16u) + i, 1, NULL);
    }
    CHECK(&t, egret_schedule_seal(&work, "test", NULL, &err) == EGRET_OK);
    f.work = &work;
    CHECK(&t, egret_fab_build(&f, &err) == EGRET_OK);
    CHECK(&t, egret_fab_rho_max(&f) == 250000);
    egret_fab_teardown(&f);
    egret_schedule_free(&work);
}

static void refusals(void)
{
    static const struct egret_fabric_failure far = {0, 0, 8, 0}, port = {0, 1, 0, 2};
    static const struct egret_fabric_failure core = {0, 1, 0, 0};
    struct egret_fabric f;
    spec_failing(&f, "fat-tree:4", EGRET_SCHEME_DR, &far, 1);
    CHECK(&t, fabric_refused(&f, "failure 1: uplink 0 of edge switch 8: there are 8 with 2 each"));
    spec_failing(&f, "fat-tree:4", EGRET_SCHEME_DR, &port, 1);
    CHECK(&t, fabric_refused(&f, "uplink 2 of aggregation switch 0"));
    spec_failing(&f, "leaf-spine:4,2,2", EGRET_SCHEME_DR, &core, 1);
    CHECK(&t, fabric_refused(&f, "uplink 0 of spine switch 0: there are 2 with 0 each"));
    /* 4 down ports, 2 vectors */
    spec_failing(&f, "fat-tree:8", EGRET_SCHEME_ECMP, &core, 1);
    (void)egret_cfg_named("lab", &f.spec.tier[0].cfg);
    f.spec.tier[0].cfg.num_groups = 4;
    CHECK(&t, fabric_refused(&f, "NUM_GROUPS of 6"));
    spec_failing(&f, "fat-tree:8", EGRET_SCHEME_ECMP, &core, 1);
    (void)egret_cfg_named("lab", &f.spec.tier[0].cfg);
    f.spec.tier[0].cfg.num_buckets = 4;
    CHECK(&t, fabric_refused(&f, "NUM_BUCKETS of 8"));
    fabric_spec(&f, "fat-tree:4", EGRET_SCHEME_DR);
    f.spec.failed_ppm = 1000001;
    CHECK(&t, fabric_refused(&f, "1000001 millionths"));
}

int main(void)
{
    example();
    vectors();
    all_schemes();
    cut_off();
    all_dead();
    for (uint32_t scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        later(scheme);
    }
    jsq();
    at_random();
    rates();
    rate_of_core();
    refusals();
    return trace_result(&t);
}
