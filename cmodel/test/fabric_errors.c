/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_errors.c: runs that go wrong: selectors that refuse writes or fail at an event, writes
 * that cannot be emitted, recordings that do not say what was asked, work that never ends; memory
 * that runs out at each call in turn, threads and clocks that cannot be had. Each says so in one
 * line, and nothing leaks. Links with --wrap.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "egret/collective.h"
#include "fabric_build.h"
#include "trace_memory.h"
#include "trace_threads.h"

static struct trace_test t;

/* ---- what the system does not give ---- */

void *__real_aligned_alloc(size_t alignment, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n)
{
    return memory_out() ? NULL : __real_aligned_alloc(alignment, n);
}

static bool no_clock;
int __real_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
    return no_clock ? -1 : __real_clock_gettime(clock, out);
}

/* ---- a selector that fails ---- */

static struct {
    unsigned bursts; /* good ones before it fails; UINT32_MAX: none fails */
    unsigned kind;   /* of the event alone that fails; 0 none */
    bool dumb;       /* has no text about it */
} faulty;

static int faulty_create(const struct egret_cfg *cfg, void **self)
{
    return egret_model_selector()->create(cfg, self);
}
static void faulty_destroy(void *self)
{
    egret_model_selector()->destroy(self);
}
static int faulty_reset(void *self)
{
    return egret_model_selector()->reset(self);
}
static int faulty_apply(void *self, const struct egret_event *ev, struct egret_decision *out)
{
    return ev->kind == faulty.kind ? EGRET_ERR_INTERNAL
                                   : egret_model_selector()->apply(self, ev, out);
}
static int faulty_burst(void *self, const struct egret_event *ev, size_t n,
                        struct egret_decision *out, size_t *done)
{
    if (faulty.bursts != UINT32_MAX && faulty.bursts-- == 0) {
        *done = 0;
        return EGRET_ERR_INTERNAL;
    }
    return egret_model_selector()->apply_burst(self, ev, n, out, done);
}
static const char *faulty_describe(void *self)
{
    (void)self;
    return "a fault on demand";
}
static struct egret_selector_ops faulty_ops = {.api_version = EGRET_SELECTOR_VERSION,
                                               .name = "faulty",
                                               .create = faulty_create,
                                               .destroy = faulty_destroy,
                                               .reset = faulty_reset,
                                               .apply = faulty_apply,
                                               .apply_burst = faulty_burst};

static struct egret_fabric_spec spec(const char *topology, uint32_t scheme)
{
    struct egret_fabric_spec s;
    memset(&s, 0, sizeof s);
    if (egret_topology_load(topology, &s.topology, NULL) != EGRET_OK) {
        exit(2);
    }
    s.topology_name = topology;
    egret_fabric_defaults(&s);
    for (unsigned i = 0; i < 3u; i++) {
        s.tier[i].scheme = scheme;
    }
    return s;
}

static struct egret_schedule permutation(uint32_t ranks, uint64_t bytes)
{
    struct egret_schedule w = {0};
    if (egret_collective("permutation", ranks, bytes, 0, 1, &w, NULL) != EGRET_OK) {
        exit(2);
    }
    return w;
}

/* Makes it and runs it: what comes of it, and the text. */
static int outcome(const struct egret_fabric_spec *s, const struct egret_schedule *w,
                   struct egret_trace_error *err, struct egret_fabric_results *out)
{
    struct egret_fabric *f = NULL;
    err->text[0] = '\0';
    int code = egret_fabric_create(s, w, &f, err);
    code = code == EGRET_OK ? egret_fabric_run(f, NULL, NULL, err) : code;
    if (code == EGRET_OK && out) {
        *out = *egret_fabric_result(f);
        out->utilisation = NULL;
    }
    egret_fabric_free(f);
    return code;
}

static int says(int code, int want, const struct egret_trace_error *err, const char *text)
{
    int good = code == want && strstr(err->text, text) && !strchr(err->text, '\n');
    if (!good) {
        printf("expected '%s' (%d), code %d: %s\n", text, want, code, err->text);
    }
    return good;
}

static void selectors(void)
{
    struct egret_trace_error err;
    struct egret_schedule w = permutation(16, 400000);
    struct egret_fabric_spec s = spec("fat-tree:4", EGRET_SCHEME_SPRAY_QUALITY);
    for (unsigned i = 0; i < 3u; i++) {
        s.tier[i].ops = &faulty_ops;
    }
    faulty_ops.describe = faulty_describe;
    /* Its first writes are one burst of 128: there are more. */
    memset(&faulty, 0, sizeof faulty);
    CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_INTERNAL, &err, "cannot be written"));
    /* The last of them, however many: the burst behind fails in the run. */
    bool configuration = false, run = false;
    for (unsigned n = 1; n < 1000u && !run; n++) {
        faulty.bursts = n;
        int code = outcome(&s, &w, &err, NULL);
        CHECK(&t, code == EGRET_ERR_INTERNAL && strchr(err.text, '\n') == NULL);
        configuration |= strstr(err.text, "its configuration cannot be written: a fault") != NULL;
        run = strstr(err.text, "switch ") && strstr(err.text, ", selector faulty: ");
    }
    CHECK(&t, configuration && run);
    faulty.bursts = UINT32_MAX;
    static const struct egret_fabric_failure failure = {1000000, 0, 0, 0};
    s.failure = &failure;
    s.failures = 1;
    faulty.kind = EGRET_EV_TICK;
    CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_INTERNAL, &err,
                   "selector faulty: a selector failed: a fault on demand"));
    faulty.kind = EGRET_EV_PORT;
    CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_INTERNAL, &err, "edge switch 0, "));
    faulty_ops.describe = NULL;
    CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_INTERNAL, &err, "selector faulty: "));
    CHECK(&t, strstr(err.text, "on demand") == NULL);
    faulty.kind = 0;
    CHECK(&t, outcome(&s, &w, &err, NULL) == EGRET_OK);
    egret_schedule_free(&w);
}

/* ---- writes that cannot be emitted ---- */

static unsigned emits_left;
static int emit_some(void *ctx, uint32_t addr, uint32_t data)
{
    (void)ctx;
    (void)addr;
    (void)data;
    if (emits_left == 0) {
        return EGRET_ERR_INTERNAL;
    }
    emits_left--;
    return EGRET_OK;
}

static void emits(void)
{
    static const char *const what[] = {
        "its hash cannot",       "its seeds cannot",   "its class that keeps order cannot",
        "its port loads cannot", "its uplinks cannot", "its down ports cannot"};
    static const uint32_t scheme[] = {EGRET_SCHEME_SPRAY_RR, EGRET_SCHEME_SPRAY_QUALITY};
    unsigned seen = 0;
    for (size_t k = 0; k < 2u; k++) {
        struct egret_fabric f;
        struct egret_trace_error err;
        fabric_spec(&f, "fat-tree:2", scheme[k]);
        CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
        uint32_t node = f.first_node[FAB_EDGE];
        for (unsigned n = 0;; n++) {
            emits_left = n;
            int code = egret_fab_switch_writes(&f, node, emit_some, NULL, &err);
            if (code == EGRET_OK) {
                break;
            }
            CHECK(&t,
                  code == EGRET_ERR_INTERNAL && strstr(err.text, "edge switch 0: its ") != NULL);
            CHECK(&t, strstr(err.text, egret_strerror(EGRET_ERR_INTERNAL)) != NULL);
            for (unsigned i = 0; i < 6u; i++) {
                seen |= (unsigned)(strstr(err.text, what[i]) != NULL) << i;
            }
        }
        CHECK(&t, egret_fab_switch_writes(&f, 0, emit_some, NULL, &err) == EGRET_ERR_RANGE);
        CHECK(&t, strcmp(err.text, "node 0 is no switch") == 0);
        CHECK(&t, egret_fab_switch_writes(&f, f.nodes, emit_some, NULL, &err) == EGRET_ERR_RANGE);
        egret_fab_teardown(&f);
    }
    CHECK(&t, seen == 63u);
    struct egret_fabric f;
    struct egret_trace_error err;
    fabric_spec(&f, "fat-tree:2", EGRET_SCHEME_DR);
    f.spec.tier[0].rule = EGRET_RULE_JSQ; /* nothing to write */
    CHECK(&t, fabric_up(&f, &err) == EGRET_OK);
    emits_left = 0;
    CHECK(&t, egret_fab_switch_writes(&f, f.first_node[FAB_EDGE], emit_some, NULL, &err) == 0);
    CHECK(&t, egret_fab_switch_writes(&f, f.first_node[FAB_AGG], emit_some, NULL, &err) != 0);
    egret_fab_teardown(&f);
}

/* ---- recordings ---- */

/* An event and its packet that differ, or that no file can hold. */
static void record_one(int what, int want, const char *text)
{
    struct egret_trace_error err;
    struct egret_schedule w = permutation(16, 4096);
    struct egret_fabric_spec s = spec("fat-tree:4", EGRET_SCHEME_DR);
    struct egret_fabric *f = NULL;
    char path[256];
    s.record = 0;
    s.record_path = trace_scratch(path, sizeof path, "fabric_errors.pcap");
    if (CHECK(&t, egret_fabric_create(&s, &w, &f, &err) == EGRET_OK)) {
        struct fab_node *n = &f->node[f->first_node[FAB_EDGE]];
        struct fab_packet p = fabric_packet(0, 15, 0);
        struct egret_event ev;
        memset(&ev, 0, sizeof ev);
        fab_fill_event(f, n, FAB_EDGE, &p, &ev);
        p.length = what == 4 ? 8 : p.length;
        ev.cls ^= what == 1;
        ev.now = what >= 2 && what <= 3 ? (uint64_t)1000000000u << 32 : 0; /* 2^32 s */
        ev.kind = what == 3 ? EGRET_EV_TICK : ev.kind;
        egret_fab_record(&f->worker[0], n, &ev, &p);
        CHECK(&t, f->worker[0].code == want);
        if (!CHECK(&t, strcmp(f->worker[0].text, text) == 0)) {
            printf("%d: %s\n", what, f->worker[0].text);
        }
        /* What comes behind it does not change the first error. */
        ev.kind = EGRET_EV_TICK;
        ev.now = 0;
        egret_fab_record(&f->worker[0], n, &ev, NULL);
        CHECK(&t, f->worker[0].code == want);
    }
    egret_fabric_free(f);
    egret_schedule_free(&w);
    FILE *left = fopen(path, "rb");
    CHECK(&t, !left);
    if (left) {
        (void)fclose(left);
    }
}

static void recordings(void)
{
    record_one(0, EGRET_OK, "");
    record_one(1, EGRET_ERR_INTERNAL,
               "record: a packet's frame does not give the packet's request");
    record_one(2, EGRET_ERR_RANGE, "record: a packet cannot be written");
    record_one(3, EGRET_ERR_RANGE, "record: an event cannot be written");
    record_one(4, EGRET_ERR_INTERNAL, /* 4 bytes, where it asks for 4158 */
               "record: a packet's frame does not give the packet's request");
    struct egret_trace_error err;
    struct egret_cfg cfg;
    struct egret_schedule w = permutation(16, 4096);
    struct egret_fabric_spec s = spec("fat-tree:4", EGRET_SCHEME_DR);
    struct egret_fabric *f = NULL;
    char path[256];
    s.tier[2].rule = EGRET_RULE_JSQ;
    s.record = 0;
    s.record_path = trace_scratch(path, sizeof path, "fabric_errors.pcap");
    if (CHECK(&t, egret_fabric_create(&s, &w, &f, &err) == EGRET_OK)) {
        CHECK(&t, egret_fabric_switch_config(f, 15, &cfg) == EGRET_OK && cfg.num_ports >= 4);
        CHECK(&t, egret_fabric_switch_config(f, 16, &cfg) == EGRET_ERR_RANGE); /* jsq */
        CHECK(&t, egret_fabric_switch_config(f, 20, &cfg) == EGRET_ERR_RANGE);
        CHECK(&t, egret_fabric_run(f, NULL, NULL, &err) == EGRET_OK);
        uint64_t cct = egret_fabric_result(f)->cct_ps;
        /* It is over: once more changes nothing, neither here nor in the file that has its name. */
        CHECK(&t, remove(path) == 0);
        CHECK(&t, egret_fabric_run(f, NULL, NULL, &err) == EGRET_OK);
        CHECK(&t, cct > 0 && egret_fabric_result(f)->cct_ps == cct);
        CHECK(&t, remove(path) != 0);
    }
    egret_fabric_free(f);
    egret_schedule_free(&w);
}

/* ---- work that is never over; gaps ---- */

static void endless(void)
{
    struct egret_trace_error err;
    struct egret_fabric_results r = {0};
    struct egret_fabric_spec s = spec("fat-tree:2", EGRET_SCHEME_DR);
    struct egret_schedule w = {.ranks = 2};
    uint32_t message, behind;
    (void)egret_schedule_message(&w, 0, 1, 1, &message);
    (void)egret_schedule_delay(&w, 1, 5, &behind);
    (void)egret_schedule_after(&w, message, EGRET_ON_DONE, behind);
    CHECK(&t, egret_schedule_seal(&w, "test", NULL, &err) == EGRET_OK);
    CHECK(&t, outcome(&s, &w, &err, NULL) == EGRET_OK);
    w.op[behind].need = 2; /* changed behind the seal: a second edge that never comes */
    CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_RANGE, &err,
                   "fabric: operations are left that nothing will ever start or end"));
    w.op[behind].need = 1;
    w.op[behind].amount = (uint64_t)1 << 62; /* ends 2^62 ps behind the message */
    CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_RANGE, &err,
                   "fabric: not over after 2^62 ps"));
    w.op[behind].amount = ((uint64_t)1 << 62) - 100000000u; /* and 100 us before */
    CHECK(&t, outcome(&s, &w, &err, &r) == EGRET_OK);
    CHECK(&t, r.cct_ps > w.op[behind].amount && r.cct_ps <= (uint64_t)1 << 62);
    w.op[behind].amount = UINT64_MAX / 2u;
    CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_RANGE, &err, "ends beyond 2^63 ps"));
    egret_schedule_free(&w);
}

/* One packet on links of 1 ns and of 1.2 us: while it is on a long one, more windows pass than the
 * ring has, 1024 of 1 ns, and it is in a bucket of the ring by then. Data, 4158 bytes at 10 ps
 * each, on six links: two of 1 ns, four long; back again 64 bytes; and the first gap of 20 bytes.
 */
static void long_links(void)
{
    struct egret_trace_error err;
    struct egret_schedule w = {.ranks = 2};
    struct egret_fabric_results r = {0};
    CHECK(&t, egret_schedule_message(&w, 0, 1, 4096, NULL) == EGRET_OK);
    CHECK(&t, egret_schedule_seal(&w, "test", NULL, &err) == EGRET_OK);
    for (uint64_t us = 1100; us <= 1500; us += 100) {
        struct egret_fabric_spec s = spec("fat-tree:2", EGRET_SCHEME_ECMP);
        for (unsigned i = 0; i < 3u; i++) {
            s.topology.latency_ps[i] = i == 0 ? 1000u : us * 1000u;
            s.topology.switch_ps[i] = 0;
        }
        CHECK(&t, outcome(&s, &w, &err, &r) == EGRET_OK);
        CHECK(&t, r.window_ps == 1000);
        CHECK(&t, r.cct_ps == 200u + 6u * (41580u + 640u) + 2u * (2000u + 4u * us * 1000u));
    }
    egret_schedule_free(&w);
}

/* ---- memory, threads, clocks ---- */

/* Every call for memory fails once: it is refused with a line, or all is as without. */
static void memory(const struct egret_fabric_spec *s, const struct egret_schedule *w)
{
    struct egret_trace_error err;
    struct egret_fabric_results want = {0}, r = {0};
    unsigned long refused = 0, n = 1;
    CHECK(&t, outcome(s, w, &err, &want) == EGRET_OK);
    for (;; n++) {
        fail_at = n;
        int code = outcome(s, w, &err, &r);
        bool all = fail_at != 0; /* there were not as many calls */
        fail_at = 0;
        if (code == EGRET_OK) {
            CHECK(&t, r.cct_ps == want.cct_ps && r.totals.hops == want.totals.hops);
        } else {
            refused++;
            if (!CHECK(&t, says(code, EGRET_ERR_MEMORY, &err, "memory"))) {
                printf("call %lu\n", n);
            }
        }
        if (all) {
            break;
        }
    }
    CHECK(&t, refused > 20u && n > refused);
}

static void no_memory(void)
{
    struct egret_schedule w = permutation(2, 400000);
    struct egret_fabric_spec s = spec("fat-tree:2", EGRET_SCHEME_ENTROPY);
    char path[256];
    static const struct egret_fabric_failure far = {900000000, 0, 0, 0};
    s.host_scheme = EGRET_HOST_DRB;
    s.transport = EGRET_TRANSPORT_SACK;
    s.sample_ps = 1000000;
    s.record = 0;
    s.record_path = trace_scratch(path, sizeof path, "fabric_memory.pcap");
    memory(&s, &w);
    (void)remove(path);
    s = spec("leaf-spine:2,2,1", EGRET_SCHEME_ECMP);
    s.failure = &far;
    s.failures = 1;
    s.tier[1].rule = EGRET_RULE_JSQ;
    s.topology.latency_ps[1] = 2000000000u; /* beyond the ring */
    memory(&s, &w);
    egret_schedule_free(&w);
    /* Many send to one that sends too: its ACKs wait, more of them than there is room for at first.
     * All pairs: whether there is one message for each is looked up in a table. */
    s = spec("leaf-spine:2,2,4", EGRET_SCHEME_DR);
    s.payload = 64; /* shorter than an ACK */
    s.ack_bytes = 1024;
    CHECK(&t, egret_collective("alltoall", 8, 16384, 0, 1, &w, NULL) == EGRET_OK);
    memory(&s, &w);
    egret_schedule_free(&w);
}

static void no_threads(void)
{
    struct egret_trace_error err;
    struct egret_fabric_results want = {0}, r = {0};
    struct egret_schedule w = permutation(16, 40000);
    struct egret_fabric_spec s = spec("fat-tree:4", EGRET_SCHEME_DR);
    CHECK(&t, outcome(&s, &w, &err, &want) == EGRET_OK);
    s.threads = 4;
    s.share_packets = 1; /* threads are made when there is work to share */
    for (unsigned n = 0; n < 3u; n++) {
        char text[64];
        threads_left = n;
        (void)snprintf(text, sizeof text, "fabric: thread %u of 4: not to be had", n + 2u);
        CHECK(&t, says(outcome(&s, &w, &err, NULL), EGRET_ERR_MEMORY, &err, text));
    }
    threads_left = 3;
    CHECK(&t, outcome(&s, &w, &err, &r) == EGRET_OK && r.cct_ps == want.cct_ps);
    threads_left = UINT32_MAX;
    no_clock = true; /* only the measured time is not there */
    CHECK(&t, outcome(&s, &w, &err, &r) == EGRET_OK && r.cct_ps == want.cct_ps);
    CHECK(&t, r.seconds == 0 && r.cpu == 0 && r.critical_path == 0);
    no_clock = false;
    egret_schedule_free(&w);
}

int main(void)
{
    selectors();
    emits();
    recordings();
    endless();
    long_links();
    no_memory();
    no_threads();
    return trace_result(&t);
}
