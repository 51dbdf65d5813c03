/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_record.c: a recorded switch. Its selector keeps a log of its own of all events and
 * decisions; the file, read and decided by a fresh model, must say the same, event by event.
 */
#include "egret/collective.h"
#include "egret/fabric.h"
#include "egret/regs.h"
#include "egret/trace_front.h"
#include "request.h"
#include "trace_test.h"

/* ---- a selector that remembers ---- */

static struct {
    struct egret_event *event;
    struct egret_decision *decision;
    size_t n;
    size_t capacity;
} seen; /* by the one switch that has this selector */

static void remember(const struct egret_event *ev, const struct egret_decision *d)
{
    if (seen.n == seen.capacity) {
        seen.capacity = seen.capacity ? 2u * seen.capacity : 4096u;
        seen.event = realloc(seen.event, seen.capacity * sizeof *seen.event);
        seen.decision = realloc(seen.decision, seen.capacity * sizeof *seen.decision);
        if (!seen.event || !seen.decision) {
            exit(2);
        }
    }
    seen.event[seen.n] = *ev;
    seen.decision[seen.n++] = *d;
}

static int log_create(const struct egret_cfg *cfg, void **self)
{
    return egret_model_selector()->create(cfg, self);
}
static void log_destroy(void *self)
{
    egret_model_selector()->destroy(self);
}
static int log_reset(void *self)
{
    return egret_model_selector()->reset(self);
}
static int log_apply(void *self, const struct egret_event *ev, struct egret_decision *out)
{
    int code = egret_model_selector()->apply(self, ev, out);
    remember(ev, out);
    return code;
}
static int log_burst(void *self, const struct egret_event *ev, size_t n, struct egret_decision *out,
                     size_t *done)
{
    int code = egret_model_selector()->apply_burst(self, ev, n, out, done);
    for (size_t i = 0; i < n; i++) {
        remember(&ev[i], &out[i]);
    }
    return code;
}
static const struct egret_selector_ops log_ops = {
    .api_version = EGRET_SELECTOR_VERSION,
    .name = "log",
    .create = log_create,
    .destroy = log_destroy,
    .reset = log_reset,
    .apply = log_apply,
    .apply_burst = log_burst,
};

/* ---- the file against the log ---- */

static bool same_event(const struct egret_event *a, const struct egret_event *b)
{
    if (a->kind != b->kind || a->now != b->now) {
        return false;
    }
    switch (a->kind) {
    case EGRET_EV_PACKET:
        return a->group == b->group && a->key == b->key && a->length == b->length &&
               a->bin == b->bin && a->cls == b->cls && a->entropy == b->entropy &&
               memcmp(a->record, b->record, sizeof a->record) == 0;
    case EGRET_EV_WRITE:
    case EGRET_EV_QUEUE:
        return a->addr == b->addr && a->data == b->data;
    case EGRET_EV_PORT:
        return a->port == b->port && a->up == b->up;
    default:
        return a->kind == EGRET_EV_TICK;
    }
}

struct counts {
    size_t packets, ports, ticks, queues, late_routes;
};

/* The front end's writes are in the file alone. */
static void replay(struct trace_test *t, const char *path, const struct egret_cfg *cfg,
                   struct counts *c)
{
    struct egret_trace_error err = {""};
    struct egret_stimulus *in = NULL;
    struct egret *model = NULL;
    struct egret_event ev;
    struct egret_decision d;
    size_t at = 0, events_differ = 0, decisions_differ = 0, steps_back = 0;
    uint64_t last = 0;
    memset(c, 0, sizeof *c);
    if (!CHECK(t, egret_stimulus_open(path, &in, &err) == EGRET_OK) ||
        !CHECK(t, egret_create(cfg, &model) == EGRET_OK)) {
        printf("%s\n", err.text);
        return;
    }
    int code;
    while ((code = egret_stimulus_next(in, &ev, &err)) > 0) {
        (void)egret_apply(model, &ev, &d);
        steps_back += ev.now < last;
        last = ev.now;
        if (ev.kind == EGRET_EV_WRITE && ev.addr >= EGRET_A_FRONT) {
            c->late_routes += c->packets != 0;
            continue;
        }
        c->packets += ev.kind == EGRET_EV_PACKET;
        c->ports += ev.kind == EGRET_EV_PORT;
        c->ticks += ev.kind == EGRET_EV_TICK;
        c->queues += ev.kind == EGRET_EV_QUEUE;
        if (at == seen.n) {
            events_differ++;
            break;
        }
        events_differ += !same_event(&ev, &seen.event[at]);
        decisions_differ += ev.kind == EGRET_EV_PACKET && d.port != seen.decision[at].port;
        at++;
    }
    CHECK(t, code == 0);
    CHECK(t, at == seen.n);
    CHECK(t, events_differ == 0);
    CHECK(t, decisions_differ == 0);
    CHECK(t, steps_back == 0);
    CHECK(t, egret_stimulus_unrouted(in) == 0);
    CHECK(t, egret_stimulus_front_ignored(in) == 0);
    egret_stimulus_close(in);
    egret_destroy(model);
}

static bool own_config; /* the fabric chooses one that is large enough, else lab */

/* Runs a permutation of messages of `bytes` with switch `number` recorded, and replays it. */
static void record(struct trace_test *t, struct egret_fabric_spec *s, uint32_t number,
                   uint64_t bytes, struct counts *c)
{
    struct egret_trace_error err = {""};
    struct egret_cfg cfg;
    struct egret_schedule w;
    struct egret_fabric *f = NULL;
    uint8_t use[80] = {0};
    char path[256];
    memset(&w, 0, sizeof w);
    use[number] = 1;
    seen.n = 0;
    s->use_ops = use;
    s->record = number;
    s->record_path = trace_scratch(path, sizeof path, "fabric_record.pcap");
    for (unsigned i = 0; i < 3u; i++) {
        s->tier[i].ops = &log_ops;
        CHECK(t, own_config || egret_cfg_named("lab", &s->tier[i].cfg) == EGRET_OK);
    }
    CHECK(t, egret_collective("permutation", s->topology.hosts, bytes, 0, 7, &w, &err) == 0);
    int code = egret_fabric_create(s, &w, &f, &err);
    if (code == EGRET_OK) {
        code = egret_fabric_run(f, NULL, NULL, &err);
    }
    if (code == EGRET_ERR_RANGE && strstr(err.text, "saw no packet")) {
        size_t packets = 0; /* by its own account neither */
        for (size_t i = 0; i < seen.n; i++) {
            packets += seen.event[i].kind == EGRET_EV_PACKET;
        }
        CHECK(t, packets == 0);
        memset(c, 0, sizeof *c);
    } else if (!CHECK(t, code == EGRET_OK)) {
        printf("%s\n", err.text);
    } else {
        CHECK(t, egret_fabric_switch_config(f, number, &cfg) == EGRET_OK);
        CHECK(t, own_config || memcmp(&cfg, &s->tier[0].cfg, sizeof cfg) == 0);
        replay(t, path, &cfg, c);
        CHECK(t, c->packets > 0);
    }
    egret_fabric_free(f);
    egret_schedule_free(&w);
    (void)remove(path);
}

static struct egret_fabric_spec spec(unsigned scheme)
{
    struct egret_fabric_spec s;
    memset(&s, 0, sizeof s);
    if (egret_topology_load("fat-tree:4", &s.topology, NULL) != EGRET_OK) {
        exit(2);
    }
    s.topology_name = "fat-tree:4";
    egret_fabric_defaults(&s);
    for (unsigned i = 0; i < 3u; i++) {
        s.tier[i].scheme = scheme;
    }
    return s;
}

/* fat-tree:4 has 8 edges, 8 aggregation switches, 4 cores. */
static void schemes(struct trace_test *t)
{
    static const uint32_t place[] = {0, 5, 9, 18};
    struct counts c;
    for (unsigned scheme = 1; scheme <= EGRET_NUM_SCHEMES; scheme++) {
        for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
            struct egret_fabric_spec s = spec(scheme);
            record(t, &s, place[i], 40000, &c);
        }
    }
    struct egret_fabric_spec s = spec(EGRET_SCHEME_SPRAY_QUALITY);
    record(t, &s, 0, 400000, &c);
    CHECK(t, c.ticks > 0);
    CHECK(t, c.queues >= 4u * c.ticks); /* its ports */
    s = spec(EGRET_SCHEME_ENTROPY);
    s.host_scheme = EGRET_HOST_DRB;
    record(t, &s, 3, 100000, &c);
    s = spec(EGRET_SCHEME_ECMP);
    s.host_scheme = EGRET_HOST_RANDOM;
    record(t, &s, 8, 100000, &c);
}

/* Short packets, trimmed ones, links that fail with routes that change while it runs. */
static void corners(struct trace_test *t)
{
    struct counts c;
    struct egret_fabric_spec s = spec(EGRET_SCHEME_DR);
    record(t, &s, 1, 1, &c);
    record(t, &s, 1, 4097, &c); /* the last packet has one byte */
    s = spec(EGRET_SCHEME_ECMP);
    s.trim = true;
    for (unsigned q = 1; q < EGRET_FABRIC_QUEUES; q++) {
        s.buffer_bytes[q] = 5000;
    }
    s.transport = EGRET_TRANSPORT_SACK;
    record(t, &s, 9, 200000, &c);
    size_t late_routes = 0;
    static const struct egret_fabric_failure failure[] = {
        {1000000, 0, 0, 0}, {1500000, 1, 1, 1}, {2000000, 1, 4, 0}};
    for (uint32_t number = 0; number < 20u; number++) {
        s = spec(EGRET_SCHEME_DR);
        s.failure = failure;
        s.failures = 3;
        s.convergence_ps = 2000000;
        s.rate_ppm = 0;
        record(t, &s, number, 1000000, &c);
        if (number == 0) { /* its uplink failed, and it was told */
            CHECK(t, c.ports == 1u);
        }
        late_routes += c.late_routes;
    }
    CHECK(t, late_routes > 0);
}

/* The label of DRB, by hand: uplinks 3 and 5. */
static void labels(struct trace_test *t)
{
    CHECK(t, fab_source_port(3u | 5u << 16) == 0xc283u);
    CHECK(t, fab_source_port(63u | 63u << 16) == 0xdfbfu);
    CHECK(t, fab_source_port(0) == 0xc000u);
    CHECK(t, (fab_source_port(0xffffffffu) & ~0xffffu) == 0);
}

static int refused(struct egret_fabric_spec *s, struct egret_trace_error *err)
{
    struct egret_schedule w;
    struct egret_fabric *f = NULL;
    memset(&w, 0, sizeof w);
    if (egret_collective("permutation", 16, 4096, 0, 1, &w, err) != EGRET_OK) {
        exit(2);
    }
    int code = egret_fabric_create(s, &w, &f, err);
    egret_fabric_free(f);
    egret_schedule_free(&w);
    return code;
}

static void refusals(struct trace_test *t)
{
    struct egret_trace_error err;
    struct egret_fabric_spec s = spec(EGRET_SCHEME_DR);
    char path[256];
    s.record_path = trace_scratch(path, sizeof path, "fabric_refused.pcap");
    s.record = 20;
    CHECK(t, refused(&s, &err) == EGRET_ERR_RANGE && strstr(err.text, "no such switch"));
    s.record = 0;
    s.header_bytes = 57;
    CHECK(t, refused(&s, &err) == EGRET_ERR_RANGE && strstr(err.text, "58 bytes"));
    s = spec(EGRET_SCHEME_DR);
    s.tier[0].rule = EGRET_RULE_JSQ;
    s.record = 0;
    s.record_path = path;
    CHECK(t, refused(&s, &err) == EGRET_ERR_RANGE && strstr(err.text, "jsq"));
    s = spec(EGRET_SCHEME_DR); /* a run that ends early leaves nothing */
    s.record = 0;
    s.record_path = path;
    s.limit_ps = 1;
    struct egret_schedule w;
    struct egret_fabric *f = NULL;
    memset(&w, 0, sizeof w);
    CHECK(t, egret_collective("permutation", 16, 400000, 0, 1, &w, &err) == 0);
    CHECK(t, egret_fabric_create(&s, &w, &f, &err) == EGRET_OK);
    CHECK(t, egret_fabric_run(f, NULL, NULL, &err) == EGRET_ERR_RANGE);
    egret_fabric_free(f);
    egret_schedule_free(&w);
    FILE *left = fopen(path, "rb");
    CHECK(t, !left);
    if (left) {
        (void)fclose(left);
    }
}

int main(void)
{
    struct trace_test t = {0, 0};
    labels(&t);
    schemes(&t);
    corners(&t);
    own_config = true;
    schemes(&t);
    corners(&t);
    refusals(&t);
    free(seen.event);
    free(seen.decision);
    return trace_result(&t);
}
