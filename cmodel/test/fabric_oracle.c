/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_oracle.c: the fast fabric does what the plain one of fabric_oracle.h does: completion
 * time, hops, deliveries, reordering; packets, bytes, waits, drops and marks of every link; for
 * several fabrics, workloads, schemes, seeds and numbers of threads.
 */
#include "egret/collective.h"
#include "fabric_oracle_run.h"
#include "trace_test.h"

struct scheme {
    const char *name;
    uint32_t rule;
    uint32_t scheme;
    uint32_t host;
};
static const struct scheme SCHEME[] = {
    {"dr", EGRET_RULE_SCHEME, EGRET_SCHEME_DR, EGRET_HOST_FLOW},
    {"simple-rr", EGRET_RULE_SIMPLE_RR, EGRET_SCHEME_SPRAY_RR, EGRET_HOST_FLOW},
    {"jsq", EGRET_RULE_JSQ, EGRET_SCHEME_NONE, EGRET_HOST_FLOW},
    {"spray-rr", EGRET_RULE_SCHEME, EGRET_SCHEME_SPRAY_RR, EGRET_HOST_FLOW},
    {"spray-random", EGRET_RULE_SCHEME, EGRET_SCHEME_SPRAY_RANDOM, EGRET_HOST_FLOW},
    {"spray-quality", EGRET_RULE_SCHEME, EGRET_SCHEME_SPRAY_QUALITY, EGRET_HOST_FLOW},
    {"flowlet", EGRET_RULE_SCHEME, EGRET_SCHEME_FLOWLET, EGRET_HOST_FLOW},
    {"ecmp", EGRET_RULE_SCHEME, EGRET_SCHEME_ECMP, EGRET_HOST_FLOW},
    {"ecmp, random labels", EGRET_RULE_SCHEME, EGRET_SCHEME_ECMP, EGRET_HOST_RANDOM},
};

#define PROLONGED_PS 20000000000u /* see prolong() */

struct scene {
    const char *topology; /* "fat-tree:K" or "leaf-spine" */
    const char *pattern;
    uint64_t packets;
    uint64_t buffer; /* bytes, of all queues of switches; 0: without end */
    uint64_t ecn;
    bool random_places;
    uint32_t rate_ppm; /* 0: full */
};
static const struct scene SCENE[] = {
    {"fat-tree:4", "permutation", 100, 0, 0, false, 0},
    {"fat-tree:4", "alltoall", 10, 0, 20890, true, 0},
    {"fat-tree:4", "incast", 40, 83160, 41780, false, 0},
    {"fat-tree:4", "alltoall", 16, 60000, 0, false, 0},
    {"fat-tree:6", "permutation", 60, 0, 100000, false, 983000},
    {"leaf-spine", "permutation", 80, 0, 0, true, 420001},
    {"fat-tree:4", "random", 9, 70000, 0, true, 0},
    {"leaf-spine", "random", 20, 0, 0, true, 900000},
    {"fat-tree:4", "allreduce", 64, 0, 0, true, 0},
    {"leaf-spine", "broadcast", 30, 0, 0, true, 0},
    {"leaf-spine", "barrier", 1, 0, 0, false, 0},
    {"leaf-spine", "alltoall", 7, 50000, 30000, false, 0},
};

/* Two rates, switch delays, rates that do not divide 8,000,000; more below than above. */
static void leaf_spine(struct egret_topology *t)
{
    memset(t, 0, sizeof *t);
    t->tiers = 2;
    t->pods = 1;
    t->hosts_per_edge = 5;
    t->edges_per_pod = 4;
    t->aggs_per_pod = 3;
    t->hosts = 20;
    for (unsigned i = 0; i < 3u; i++) {
        t->rate_mbps[i] = i ? 700000u : 300000u;
        t->latency_ps[i] = i ? 300000u : 110000u;
        t->switch_ps[i] = 50001u + i;
    }
}

static struct egret_fabric_spec spec_of(const struct scene *c, const struct scheme *s,
                                        uint32_t transport, uint32_t seed, uint32_t threads)
{
    struct egret_fabric_spec spec;
    memset(&spec, 0, sizeof spec);
    if (strcmp(c->topology, "leaf-spine") == 0) {
        leaf_spine(&spec.topology);
    } else if (egret_topology_load(c->topology, &spec.topology, NULL) != EGRET_OK) {
        ORACLE_FAIL("no topology");
    }
    spec.topology_name = c->topology;
    egret_fabric_defaults(&spec);
    for (unsigned i = 0; i < 3u; i++) {
        spec.tier[i].rule = s->rule;
        spec.tier[i].scheme = s->scheme;
        spec.tier[i].flowlet_idle = 100;
    }
    for (unsigned q = EGRET_QUEUE_EDGE_UP; q < EGRET_FABRIC_QUEUES; q++) {
        spec.buffer_bytes[q] = c->buffer;
        spec.ecn_bytes[q] = c->ecn;
    }
    if (c->rate_ppm) {
        spec.rate_ppm = c->rate_ppm;
    }
    spec.host_scheme = s->host;
    spec.transport = transport;
    spec.reorder_threshold = 6;
    spec.rto_ps = 31000000u; /* short enough to fire for nothing, too */
    spec.seed = seed;
    spec.threads = threads;
    spec.share_packets = 1; /* few packets: by one thread and by all in turn */
    spec.place_random = c->random_places;
    return spec;
}

/* What must have happened somewhere, or nothing was compared. */
struct seen {
    uint64_t lost, lost_acks, marked, resent, reordered;
};

/* Links that differ from the plain fabric's. */
static uint64_t links_differ(const struct egret_fabric *f, const struct oracle *o)
{
    uint64_t bad = 0;
    for (uint32_t i = 0; i < o->nodes; i++) {
        const struct o_node *n = &o->node[i];
        for (uint32_t port = 0; port < n->ports; port++) {
            const struct o_link *a = &n->link[port];
            uint32_t per_edge = o->t.hosts_per_edge;
            uint32_t twin = n->kind ? f->first_node[n->kind] + n->index : n->index / per_edge;
            uint32_t twin_port = n->kind ? port : n->index % per_edge;
            const struct fab_link *b = &f->link[f->node[twin].first_link + twin_port];
            bad += a->packets != b->packets || a->bytes != b->bytes || a->wait_sum != b->wait_sum ||
                   a->wait_max != b->wait_max || a->lost != b->lost || a->marked != b->marked;
        }
    }
    return bad;
}

static void totals(struct trace_test *t, const struct egret_fabric *f, const struct oracle *o)
{
    const struct egret_fabric_results *r = egret_fabric_result(f);
    uint64_t cct = o->over > o->last_acked ? o->over : o->last_acked;
    if (f->spec.transport == EGRET_TRANSPORT_SACK) {
        CHECK(t, cct < PROLONGED_PS);
        cct = PROLONGED_PS;
    }
    CHECK(t, r->cct_ps == cct && r->totals.last_sent_ps == o->last_acked);
    /* The formula is of whole packets. */
    CHECK(t, f->work->op[0].amount % f->spec.payload != 0 || r->lower_bound_ps <= r->cct_ps);
    CHECK(t, r->totals.last_done_ps == o->last_done);
    CHECK(t, r->totals.hops == o->hops);
    CHECK(t, r->totals.data_sent == o->data_sent && r->totals.acks_sent == o->acks_sent);
    CHECK(t, r->totals.data_received == o->data_received && r->totals.messages_done == o->done);
    CHECK(t, r->totals.resent == o->resent && r->totals.decisions == o->decisions);
    CHECK(t, r->totals.reordered == o->reordered && r->totals.reorder_extent == o->extent);
    CHECK(t, links_differ(f, o) == 0);
    if (r->cct_ps != cct) {
        printf("  completion %llu ps, of the plain fabric %llu\n", (unsigned long long)r->cct_ps,
               (unsigned long long)cct);
    }
}

/* Messages and delays that wait for events of earlier ones, of any host. */
static int random_schedule(const struct egret_pattern *p, struct egret_schedule *out,
                           struct egret_trace_error *err)
{
    uint32_t x = p->seed * 2654435761u + 1u;
    memset(out, 0, sizeof *out);
    out->ranks = p->ranks;
    for (uint32_t i = 0; i < 150u; i++) {
        uint32_t r[5];
        for (unsigned k = 0; k < 5u; k++) {
            x = x * 1664525u + 1013904223u;
            r[k] = x >> 8;
        }
        uint32_t src = r[0] % p->ranks;
        uint32_t dst = (src + 1u + r[1] % (p->ranks - 1u)) % p->ranks;
        int code = r[2] % 4u ? egret_schedule_message(out, src, dst, 1u + r[3] % p->bytes, NULL)
                             : egret_schedule_delay(out, src, r[3] % 3u * 700001u, NULL);
        for (uint32_t k = 0; k < r[4] % 3u && i > 4u && code == EGRET_OK; k++) {
            code = egret_schedule_after(out, (r[4] >> 4) % (i - k),
                                        r[4] >> (2u + k) & 1u ? EGRET_ON_DONE
                                        : r[3] & 1u           ? EGRET_ON_SENT
                                                              : EGRET_ON_START,
                                        i);
        }
        if (code != EGRET_OK) {
            return code;
        }
    }
    return egret_schedule_seal(out, "random", NULL, err);
}

static int schedule_of(const struct egret_pattern *p, struct egret_schedule *out,
                       struct egret_trace_error *err)
{
    return strcmp(p->name, "random") == 0 ? random_schedule(p, out, err)
                                          : egret_pattern_make(p, out, err);
}

/* The same and a delay that is longer than all else. The fast fabric is over with the last
 * operation, the plain one when nothing is on its way any more: copies that sack has sent for
 * nothing, and their ACKs. */
static int prolong(struct egret_schedule *s, struct egret_trace_error *err)
{
    struct egret_schedule out = {.ranks = s->ranks};
    int code = EGRET_OK;
    for (uint32_t i = 0; i < s->ops && code == EGRET_OK; i++) {
        const struct egret_op *op = &s->op[i];
        code = op->kind == EGRET_OP_MESSAGE
                   ? egret_schedule_message(&out, op->src, op->dst, op->amount, NULL)
                   : egret_schedule_delay(&out, op->src, op->amount, NULL);
    }
    for (uint32_t i = 0; i < s->ops; i++) {
        for (uint32_t e = s->first[i]; e < s->first[i + 1u] && code == EGRET_OK; e++) {
            code = egret_schedule_after(&out, i, egret_edge_event(s->edge[e]),
                                        egret_edge_to(s->edge[e]));
        }
    }
    code = code ? code : egret_schedule_delay(&out, 0, PROLONGED_PS, NULL);
    egret_schedule_free(s);
    *s = out;
    return code ? code : egret_schedule_seal(s, "prolonged", NULL, err);
}

/* One scene: the plain fabric once, the fast one with each number of threads. */
static void compare(struct trace_test *t, const struct scene *c, const struct scheme *s,
                    uint32_t transport, uint32_t seed, struct seen *seen)
{
    struct oracle *o = NULL;
    struct egret_schedule work;
    struct egret_trace_error err = {0};
    unsigned long before = t->fail;
    for (uint32_t threads = 1; threads <= 3u; threads++) {
        struct egret_fabric_spec spec = spec_of(c, s, transport, seed, threads);
        struct egret_fabric *f = NULL;
        struct egret_pattern p = {.name = c->pattern,
                                  .ranks = spec.topology.hosts,
                                  .bytes = c->packets * spec.payload - (seed & 1u) * 1000u,
                                  .seed = seed};
        if (strcmp(c->pattern, "permutation") != 0 && strcmp(c->pattern, "random") != 0) {
            p.seed = 0;
        }
        if (schedule_of(&p, &work, &err) != EGRET_OK ||
            (transport == EGRET_TRANSPORT_SACK && prolong(&work, &err) != EGRET_OK) ||
            egret_fabric_create(&spec, &work, &f, &err) != EGRET_OK) {
            printf("%s\n", err.text);
            ORACLE_FAIL("cannot be made");
        }
        if (!o) {
            o = oracle_run(f, &work);
        }
        int code = egret_fabric_run(f, NULL, NULL, &err);
        CHECK(t, code == EGRET_OK);
        if (code == EGRET_OK) {
            totals(t, f, o);
        } else {
            printf("%s\n", err.text);
        }
        egret_fabric_free(f);
        egret_schedule_free(&work);
    }
    for (uint32_t i = 0; i < o->nodes; i++) {
        for (uint32_t port = 0; port < o->node[i].ports; port++) {
            seen->lost += o->node[i].link[port].lost;
            seen->marked += o->node[i].link[port].marked;
        }
    }
    seen->lost_acks += o->acks_sent - o->acks_received;
    seen->resent += o->resent;
    seen->reordered += o->reordered;
    if (t->fail != before) {
        printf("  in: %s, %s of %llu packets, %s, %s, seed %u\n", c->topology, c->pattern,
               (unsigned long long)c->packets, s->name,
               transport == EGRET_TRANSPORT_SACK ? "sack" : "ideal", seed);
    }
    oracle_free(o);
}

int main(int argc, char **argv)
{
    struct trace_test t = {0, 0};
    struct seen seen[2] = {{0}}; /* by transport */
    uint32_t seeds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2u;
    for (size_t c = 0; c < sizeof SCENE / sizeof SCENE[0]; c++) {
        for (size_t s = 0; s < sizeof SCHEME / sizeof SCHEME[0]; s++) {
            for (uint32_t seed = 1; seed <= seeds; seed++) {
                compare(&t, &SCENE[c], &SCHEME[s], EGRET_TRANSPORT_IDEAL, seed, &seen[0]);
            }
            compare(&t, &SCENE[c], &SCHEME[s], EGRET_TRANSPORT_SACK, 1u + s % 2u, &seen[1]);
        }
    }
    for (unsigned i = 0; i < 2u; i++) {
        const struct seen *x = &seen[i];
        CHECK(&t, x->lost > 0 && x->lost_acks > 0 && x->lost_acks < x->lost);
        CHECK(&t, x->marked > 0 && x->resent > 0 && x->reordered > 0);
    }
    return trace_result(&t);
}
