/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify_lookup3.c: the seed of lookup3 by search: small ones for every layout, subset and
 * rotation; then all 2^32 of them, for the columns as they are.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "identify.h"
#include "lookup3_filter.h"

#define MAX_LEVELS 12u
#define SMALL_SEEDS 65536u
#define CHUNK (1u << 19)
#define ENOUGH_BITS 90u /* of the log: no second seed would agree */

/* One hash over a range of seeds. */
struct job {
    struct identify_hash hash;
    const struct lookup3_filters *filters;
    uint32_t first;
    uint64_t count;
};

struct pool {
    struct identify *id;
    struct job *job;
    size_t jobs;
    size_t next;     /* job to take a piece of .. */
    uint64_t offset; /* .. from here */
    uint64_t done;
    uint64_t total;
    bool stop;
    bool failed;
    pthread_mutex_t lock;
};

struct level {
    struct lookup3_input input;
    uint32_t want[LOOKUP3_FILTERS];
};

/* What each of the first observations asks for. */
static size_t set_levels(const struct identify *id, const struct job *j, struct level *level)
{
    size_t n = id->n < MAX_LEVELS ? id->n : MAX_LEVELS;
    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[EGRET_RECORD_BYTES];
        size_t length = egret_identify_bytes(&j->hash, id->row[i].record, bytes);
        egret_lookup3_input_set(&level[i].input, bytes, length);
        for (unsigned k = 0; k < j->filters->count; k++) {
            level[i].want[k] = egret_lookup3_filter_want(&j->filters->filter[k], id->index[i]);
        }
    }
    return n;
}

/* A seed that agrees with the first observations: with all of them? */
static void confirm(struct pool *p, const struct job *j, uint32_t seed, uint32_t alive)
{
    const struct identify *id = p->id;
    for (unsigned k = 0; k < j->filters->count; k++) {
        const struct lookup3_filter *f = &j->filters->filter[k];
        bool good = alive >> k & 1u;
        for (size_t i = 0; good && i < id->n; i++) {
            uint32_t h = egret_identify_raw(&j->hash, id->row[i].record, seed);
            good = egret_identify_maps(id, f->mapping, identify_ror(h, f->right), id->index[i]);
        }
        if (good) {
            struct egret_seed_class found = {seed, 0xffffffffu};
            (void)pthread_mutex_lock(&p->lock);
            egret_identify_found(p->id, &j->hash, f->right, f->mapping, 0, &found, 1, 1);
            p->stop = p->stop || (p->total > CHUNK && id->out->bits >= ENOUGH_BITS);
            (void)pthread_mutex_unlock(&p->lock);
        }
    }
}

static void search(struct pool *p, const struct job *j, uint32_t first, uint64_t count,
                   struct survivors *s)
{
    struct level level[MAX_LEVELS];
    size_t levels = set_levels(p->id, j, level);
    for (uint64_t at = 0; at < count; at += LOOKUP3_BATCH) {
        size_t n = count - at < LOOKUP3_BATCH ? (size_t)(count - at) : LOOKUP3_BATCH;
        for (size_t i = 0; i < levels && n > 0; i++) {
            n = egret_lookup3_filter(&level[i].input, j->filters, level[i].want,
                                     first + (uint32_t)at, i ? s : NULL, n, s);
        }
        for (size_t i = 0; i < n; i++) {
            confirm(p, j, s->seed[i], s->alive[i]);
        }
    }
}

/* A piece of work; false if there is none left. */
static bool take(struct pool *p, struct job **job, uint32_t *first, uint64_t *count)
{
    bool some = false;
    (void)pthread_mutex_lock(&p->lock);
    if (!p->stop && p->next < p->jobs) {
        struct job *j = &p->job[p->next];
        uint64_t left = j->count - p->offset;
        *job = j;
        *first = j->first + (uint32_t)p->offset;
        *count = left < CHUNK ? left : CHUNK;
        p->offset += *count;
        p->done += *count;
        if (p->offset == j->count) {
            p->next++;
            p->offset = 0;
        }
        some = true;
        if (p->id->setup->progress) {
            p->id->setup->progress(p->id->setup->context, p->done, p->total);
        }
    }
    (void)pthread_mutex_unlock(&p->lock);
    return some;
}

static void *work(void *argument)
{
    struct pool *p = argument;
    struct survivors *s = calloc(1, sizeof *s);
    struct job *job = NULL;
    uint32_t first = 0;
    uint64_t count = 0;
    if (!s) {
        (void)pthread_mutex_lock(&p->lock);
        p->failed = true;
        (void)pthread_mutex_unlock(&p->lock);
        return NULL;
    }
    while (take(p, &job, &first, &count)) {
        search(p, job, first, count, s);
    }
    free(s);
    return NULL;
}

/* This thread works too, and alone if there are no others to be had. */
static int run(struct identify *id, struct job *job, size_t jobs)
{
    struct pool p;
    pthread_t thread[64];
    uint32_t started = 0;
    memset(&p, 0, sizeof p);
    p.id = id;
    p.job = job;
    p.jobs = jobs;
    for (size_t i = 0; i < jobs; i++) {
        p.total += job[i].count;
    }
    if (pthread_mutex_init(&p.lock, NULL) != 0) {
        return EGRET_ERR_MEMORY;
    }
    id->use = id->n;
    while (started + 1u < id->setup->threads && p.total > CHUNK &&
           pthread_create(&thread[started], NULL, work, &p) == 0) {
        started++;
    }
    (void)work(&p);
    for (uint32_t i = 0; i < started; i++) {
        (void)pthread_join(thread[i], NULL);
    }
    (void)pthread_mutex_destroy(&p.lock);
    return p.failed ? EGRET_ERR_MEMORY : EGRET_OK;
}

/* Rotations 0 .. 31, or every `step`th, of one mapping. */
static void add_filters(struct lookup3_filters *f, const struct identify *id, uint32_t mapping,
                        uint32_t step)
{
    for (uint32_t r = 0; r < 32u; r += step) {
        egret_lookup3_filter_add(f, mapping, r, id->hash_bits ? id->hash_bits : id->members);
    }
}

/* Every rotation: up to three sets. */
static size_t small_filters(const struct identify *id, struct lookup3_filters *set)
{
    static const uint32_t others[] = {EGRET_MAP_SHIFT16, EGRET_MAP_MODULO, EGRET_MAP_MODULO16};
    memset(set, 0, 3u * sizeof *set);
    if (id->bits) {
        add_filters(set, id, id->hash_bits ? EGRET_MAP_HASH : EGRET_MAP_MASK, 1);
        return 1;
    }
    for (size_t i = 0; i < 3u; i++) {
        add_filters(&set[i], id, others[i], 1);
    }
    return 3;
}

/* Low and high half as they are, each with the mappings that there are. */
static void all_filters(const struct identify *id, struct lookup3_filters *f)
{
    memset(f, 0, sizeof *f);
    if (id->hash_bits) {
        add_filters(f, id, EGRET_MAP_HASH, 16);
        return;
    }
    if (id->bits) {
        add_filters(f, id, EGRET_MAP_MASK, 16);
        add_filters(f, id, EGRET_MAP_SHIFT16, 16);
        return;
    }
    add_filters(f, id, EGRET_MAP_MODULO, 32);
    add_filters(f, id, EGRET_MAP_MODULO16, 16);
    add_filters(f, id, EGRET_MAP_SHIFT16, 16);
    add_filters(f, id, EGRET_MAP_SHIFT32, 32);
}

/* Is the layout asked for, and does it fit the addresses? */
static bool layout_fits(const struct identify *id, uint32_t layout)
{
    bool ipv4 = layout == EGRET_LAYOUT_IPV4_5TUPLE || layout == EGRET_LAYOUT_RSS_IPV4 ||
                layout == EGRET_LAYOUT_RSS_IPV4_ADDR;
    bool ipv6 = layout == EGRET_LAYOUT_RSS_IPV6 || layout == EGRET_LAYOUT_RSS_IPV6_ADDR;
    if (id->setup->layout != EGRET_LAYOUT_COUNT) {
        return id->setup->layout == layout;
    }
    return id->ipv6 ? !ipv4 : !ipv6;
}

static const uint32_t common[] = {0xdeadbeefu, 0xffffffffu, 0x12345678u, 0x9e3779b9u,
                                  0x55555555u, 0xaaaaaaaau, 0xcafebabeu, 0xfeedbeefu};

static uint32_t small_seeds(const struct identify *id)
{
    return id->setup->small_seeds ? id->setup->small_seeds : SMALL_SEEDS;
}

bool egret_identify_lookup3_seed(const struct identify *id, uint32_t i, uint32_t *seed)
{
    uint32_t small = small_seeds(id);
    if (i >= small + sizeof common / sizeof common[0]) {
        return false;
    }
    *seed = i < small ? i : common[i - small];
    return true;
}

bool egret_identify_lookup3_layout(const struct identify *id, uint32_t layout, uint32_t *fields)
{
    uint32_t all = id->setup->fields ? id->setup->fields : id->columns;
    uint32_t of = egret_identify_layout_fields(layout);
    /* A layout that has room for a column less, or for one more, is another set of columns. */
    bool exact = layout == EGRET_LAYOUT_RECORD || of == all || id->setup->layout == layout;
    *fields = all & of;
    return layout_fits(id, layout) && exact;
}

static int search_small(struct identify *id)
{
    size_t commons = sizeof common / sizeof common[0];
    struct lookup3_filters *set = malloc(3u * sizeof *set);
    struct job *job = calloc(EGRET_LAYOUT_COUNT * 128u * 3u * (commons + 1u), sizeof *job);
    int code = EGRET_ERR_MEMORY;
    size_t jobs = 0;
    size_t sets = set ? small_filters(id, set) : 0;
    for (uint32_t l = 0; job && l < EGRET_LAYOUT_COUNT; l++) {
        for (uint32_t f = id->columns & egret_identify_layout_fields(l); f && layout_fits(id, l);
             f = (f - 1u) & id->columns & egret_identify_layout_fields(l)) {
            if (id->setup->fields ? f != (id->setup->fields & egret_identify_layout_fields(l))
                                  : !(f & id->varying)) {
                continue;
            }
            for (size_t k = 0; k < sets * (commons + 1u); k++) {
                struct job *j = &job[jobs++];
                j->hash.algorithm = EGRET_HASH_LOOKUP3;
                j->hash.layout = l;
                j->hash.fields = f;
                j->filters = &set[k % sets];
                j->first = k < sets ? 0 : common[k / sets - 1u];
                j->count = k < sets ? small_seeds(id) : 1u;
            }
        }
    }
    if (set && job) {
        code = run(id, job, jobs);
    }
    free(job);
    free(set);
    return code;
}

static int search_all(struct identify *id)
{
    struct lookup3_filters filters;
    struct job job[EGRET_LAYOUT_COUNT];
    size_t jobs = 0;
    memset(job, 0, sizeof job);
    all_filters(id, &filters);
    id->out->seed_layouts = 0;
    for (uint32_t k = 0; k < EGRET_LAYOUT_COUNT; k++) {
        uint32_t l = EGRET_LAYOUT_COUNT - 1u - k; /* the short ones are done soon */
        uint32_t fields;
        if (egret_identify_lookup3_layout(id, l, &fields)) {
            job[jobs].hash.algorithm = EGRET_HASH_LOOKUP3;
            job[jobs].hash.layout = l;
            job[jobs].hash.fields = fields;
            job[jobs].filters = &filters;
            job[jobs++].count = 1ull << 32;
            id->out->seed_layouts |= 1u << l;
        }
    }
    id->out->seed_fields = id->setup->fields ? id->setup->fields : id->columns;
    int code = run(id, job, jobs);
    id->out->all_seeds = code == EGRET_OK;
    return code;
}

int egret_identify_lookup3(struct identify *id, bool all)
{
    return all ? search_all(id) : search_small(id);
}
