/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_identify.c: the identification of hashes by its functions: setups that are none, memory and
 * threads that cannot be had, logs that say next to nothing or that a whole list of hashes agrees
 * with. Which hash made a log is known, as the test made it. Links with --wrap.
 */
#include <errno.h>
#include <pthread.h>

#include "egret/identify.h"
#include "trace_memory.h"
#include "trace_test.h"

static struct trace_test t;

static unsigned threads_left = UINT32_MAX;
int __real_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*f)(void *), void *arg);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*f)(void *), void *arg);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*f)(void *), void *arg)
{
    if (threads_left == 0) {
        return EAGAIN;
    }
    threads_left--;
    return __real_pthread_create(id, attr, f, arg);
}

static bool no_mutex;
int __real_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr);
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr);
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    return no_mutex ? ENOMEM : __real_pthread_mutex_init(m, attr);
}

/* ---- logs ---- */

#define SRC 1u
#define DST 2u
#define SPORT 8u
#define DPORT 16u
#define FIVE 31u

static struct egret_observation rows[4096];
static struct egret_identified r;
static struct egret_trace_error err;
static uint64_t state;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* n different flows, the columns at random; IPv4 unless wide. */
static struct egret_observations flows(size_t n, uint32_t columns, bool wide)
{
    struct egret_observations o = {.count = n, .row = rows, .fields = columns};
    memset(rows, 0, sizeof rows);
    state = n + columns;
    for (size_t i = 0; i < n; i++) {
        uint8_t record[EGRET_RECORD_BYTES];
        for (unsigned k = 0; k < sizeof record; k++) {
            record[k] = k < 32u && k % 16u >= 4u && !wide ? 0 : (uint8_t)draw();
        }
        egret_hash_mask(columns, record, rows[i].record);
        rows[i].line = i + 2u;
    }
    return o;
}

struct made {
    uint32_t algorithm;
    uint32_t layout;
    uint32_t fields;
    uint32_t seed;
    uint32_t rotation;
    uint32_t mapping;
    uint32_t members;
};

/* What a switch with this hash does; docs/spec/hash.md, docs/hash-identify.md. */
static void choose(struct egret_observations *o, const struct made *m)
{
    struct egret_hash_setup s;
    egret_hash_setup_default(&s);
    s.algorithm = m->algorithm;
    s.layout = m->layout;
    s.fields = m->fields;
    s.seed = m->seed;
    s.rotation = m->rotation;
    for (size_t i = 0; i < o->count; i++) {
        uint32_t h = 0;
        CHECK(&t, egret_hash_record(&s, o->row[i].record, &h) == EGRET_OK);
        uint64_t n = m->members;
        o->row[i].value = m->mapping == EGRET_MAP_HASH       ? h
                          : m->mapping == EGRET_MAP_SHIFT16  ? (uint32_t)((h & 0xffffu) * n >> 16)
                          : m->mapping == EGRET_MAP_SHIFT32  ? (uint32_t)(h * n >> 32)
                          : m->mapping == EGRET_MAP_MODULO16 ? (h & 0xffffu) % m->members
                                                             : h % m->members;
    }
    o->hash_bits = m->mapping == EGRET_MAP_HASH ? 32u : 0;
}

static void random_choice(struct egret_observations *o, uint32_t members)
{
    for (size_t i = 0; i < o->count; i++) {
        o->row[i].value = draw() % members;
    }
}

static struct egret_identify_setup quick(uint32_t layout)
{
    struct egret_identify_setup s = {
        .layout = layout, .threads = 1, .quick = true, .small_seeds = 1};
    return s;
}

/* Is one of the candidates the hash that made the log? */
static bool names(const struct made *m)
{
    for (uint32_t i = 0; i < r.listed; i++) {
        const struct egret_candidate *c = &r.candidate[i];
        bool seed = false;
        for (uint32_t k = 0; k < c->seed_classes; k++) {
            seed = seed || (m->seed & c->seed[k].mask) == c->seed[k].value;
        }
        if (seed && c->algorithm == m->algorithm && c->layout == m->layout &&
            c->fields == m->fields && c->rotation == m->rotation && c->mapping == m->mapping) {
            return true;
        }
    }
    return false;
}

/* ---- what is refused ---- */

static void setups(void)
{
    const struct egret_identify_setup good = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    for (unsigned i = 0; i < 10u; i++) {
        struct egret_observations o = flows(3, SRC | DST, false);
        struct egret_identify_setup s = good;
        static const char range[] = "out of range";
        const char *text = range;
        switch (i) {
        case 0:
            text = NULL; /* a good one */
            break;
        case 1:
            o.count = 0;
            break;
        case 2:
            o.count = EGRET_IDENTIFY_ROWS + 1u;
            break;
        case 3:
            s.members = 257;
            break;
        case 4:
            s.threads = 0;
            break;
        case 5:
            s.threads = 65;
            break;
        case 6:
            s.small_seeds = 65537;
            break;
        case 7:
            s.layout = EGRET_LAYOUT_COUNT + 1u;
            break;
        case 8:
            s.fields = SRC | SPORT; /* no such column */
            break;
        default:
            s.members = 2;
            s.member[0] = 4;
            s.member[1] = 1;
            text = "a port was seen that is none of the members";
            break;
        }
        err.text[0] = '\0';
        int code = egret_identify(&o, &s, &r, &err);
        if (!CHECK(&t, text ? code == EGRET_ERR_RANGE && strstr(err.text, text) : code == 0)) {
            printf("  setup %u: %d '%s', wanted '%s'\n", i, code, err.text, text ? text : "");
        }
    }
}

/* ---- logs that say little ---- */

static void little(void)
{
    const struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    struct egret_observations o = flows(1, SRC | DST, false);
    rows[0].value = 9;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    CHECK(&t, r.members == 1 && r.member[0] == 9 && r.bits == 0 && r.varying == 0 && r.found == 0);
    o = flows(1, SRC, false); /* one hash: one row says nothing of differences */
    o.hash_bits = 32;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    CHECK(&t, r.members == 0 && r.bits == 0 && r.distinct == 1);
    o = flows(40, SRC | DST, false); /* one port only, however many flows */
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    CHECK(&t, r.members == 1 && r.bits == 0 && r.varying == (SRC | DST) && r.distinct == 40);
    /* Four choices between two ports: 3 bits, so more hashes agree than are listed. All 32
     * rotations of CRC-32C alone: a bit each, an eighth of them, and so on for each subset. */
    struct egret_identify_setup any = quick(EGRET_LAYOUT_COUNT);
    o = flows(4, FIVE, false);
    random_choice(&o, 2);
    rows[0].value = 0;
    rows[1].value = 1;
    CHECK(&t, egret_identify(&o, &any, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    CHECK(&t, r.bits == 3 && r.listed == EGRET_IDENTIFY_LISTED && r.found > r.listed);
    CHECK(&t, r.groups > 1 && r.groups <= r.found);
    /* Among three: more classes of seeds than are listed. */
    o = flows(4, SRC | DST, false);
    rows[1].value = 1;
    rows[2].value = 2;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    bool full = false;
    for (uint32_t i = 0; i < r.listed; i++) {
        CHECK(&t, r.candidate[i].seed_classes >= 1u &&
                      r.candidate[i].seed_classes <= EGRET_IDENTIFY_CLASSES);
        full = full || r.candidate[i].seed_classes == EGRET_IDENTIFY_CLASSES;
    }
    CHECK(&t, full);
}

/* The same fields again: once if the value is the same; the lines of two that differ, in the order
 * of the values. */
static void again(void)
{
    const struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    struct egret_observations o = flows(3, SRC, false);
    rows[3] = rows[0];
    rows[3].line = 9;
    rows[4] = rows[0];
    rows[4].line = 7;
    o.count = 5;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.distinct == 3 && o.count == 3);
    CHECK(&t, rows[0].line == 2 && rows[1].line == 3 && rows[2].line == 4 && r.clash[0] == 0);
    for (unsigned i = 0; i < 2u; i++) {
        o = flows(3, SRC, false);
        memcpy(rows[2].record, rows[0].record, sizeof rows[2].record);
        rows[i ? 2 : 0].value = 5;
        CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_NO_HASH);
        CHECK(&t, r.clash[0] == (i ? 2u : 4u) && r.clash[1] == (i ? 4u : 2u));
    }
}

/* ---- what was made is named ---- */

static void identified(const struct made *m, size_t n, uint32_t columns, bool wide,
                       const struct egret_identify_setup *s)
{
    struct egret_observations o = flows(n, columns, wide);
    choose(&o, m);
    int code = egret_identify(&o, s, &r, &err);
    /* Of a whole hash, times 7, the low half hardly matters: the high half alone agrees too. */
    bool high = m->algorithm == EGRET_HASH_LOOKUP3 && m->members == 7u;
    bool good = r.groups == (high ? 2u : 1u) &&
                r.verdict == (high ? EGRET_AMBIGUOUS : EGRET_IDENTIFIED);
    if (!CHECK(&t, code == EGRET_OK && good && names(m))) {
        printf("  %s, layout %u, fields %02x, mapping %u of %u: code %d, verdict %u, found %u\n",
               egret_hash_algorithm_name(m->algorithm), m->layout, m->fields, m->mapping,
               m->members, code, r.verdict, (unsigned)r.found);
    }
}

static uint64_t calls, last_done, seeds_total;
static void progress(void *context, uint64_t done, uint64_t total)
{
    last_done = total == seeds_total ? last_done : 0; /* small seeds and all are two searches */
    CHECK(&t, context == &calls && done > last_done && done <= total);
    calls++;
    last_done = done;
    seeds_total = total;
}

static void made(void)
{
    static const struct made addresses[] = {
        /* Seeds behind the small ones, found by the search over all. */
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 70000, 0, EGRET_MAP_MODULO, 6},
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 70001, 16, EGRET_MAP_MODULO16,
         6},
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 70002, 0, EGRET_MAP_SHIFT32, 7},
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 70003, 16, EGRET_MAP_SHIFT16,
         7},
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 70004, 16, EGRET_MAP_MASK, 8},
        {EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 70005, 0, EGRET_MAP_HASH, 0},
    };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
        s.quick = false;
        s.fields = i % 2u ? SRC | DST : 0;
        identified(&addresses[i], 60, SRC | DST, false, &s);
        CHECK(&t, r.all_seeds && r.seed_layouts == 1u << EGRET_LAYOUT_RSS_IPV4_ADDR);
        CHECK(&t, r.seed_fields == (SRC | DST));
    }
    /* More threads, or fewer than asked for; each step is told. */
    for (unsigned n = 0; n < 3u; n++) {
        struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
        s.quick = false;
        s.threads = 3;
        s.context = &calls;
        calls = 0;
        seeds_total = 0;
        threads_left = n;
        s.progress = n == 0 ? NULL : progress;
        struct egret_observations o = flows(60, SRC | DST, false);
        choose(&o, &addresses[0]);
        s.small_seeds = 0;
        CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && names(&addresses[0]));
        CHECK(&t, n == 0 ? calls == 0 : calls > 0 && seeds_total == 1ull << 32);
        threads_left = UINT32_MAX;
    }
}

int main(void)
{
    setups();
    little();
    again();
    made();
    return trace_result(&t);
}
