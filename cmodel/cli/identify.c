/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identify.c: egret hash --identify: which hash made an observed log.
 */
#define _POSIX_C_SOURCE 200809L
#include "egret/identify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "identify.h"

static const char *mapping_name(uint32_t mapping)
{
    static const char *const names[] = {
        "hash", "mask", "modulo", "modulo-16", "multiply-shift-16", "multiply-shift-32", "table"};
    return names[mapping];
}

static void print_fields(uint32_t fields)
{
    const char *comma = "";
    for (uint32_t f = 0; egret_hash_field_name(f); f++) {
        if (fields >> f & 1u) {
            printf("%s%s", comma, egret_hash_field_name(f));
            comma = ",";
        }
    }
}

static void print_hex(const char *what, const uint8_t *bytes)
{
    printf("  %s", what);
    for (unsigned i = 0; i < EGRET_IDENTIFY_KEY; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\n");
}

static void print_key(const struct egret_candidate *c)
{
    if (c->key == EGRET_KEY_SOLVED) {
        printf("  key        solved: %u bit%s determined, %u not\n", c->key_bits,
               cli_s(c->key_bits), c->key_free);
        print_hex("key        ", c->key_value);
        print_hex("determined ", c->key_known);
    } else if (c->key != EGRET_KEY_NONE) {
        printf("  key        %s\n",
               c->key == EGRET_KEY_RSS ? "published 40 bytes" : "symmetric, 6d5a repeated");
    }
}

static void print_seed(const struct egret_candidate *c)
{
    if (c->seeds == 1u) {
        printf("  seed       0x%08" PRIx32 "\n", c->seed[0].value);
        return;
    }
    if (c->seed[0].mask == 0) {
        printf("  seed       any: the %s takes it up\n",
               c->mapping == EGRET_MAP_TABLE ? "table" : "key's constant");
        return;
    }
    printf("  seed       one of %" PRIu64 " that no observation tells apart:\n", c->seeds);
    for (uint32_t i = 0; i < c->seed_classes; i++) {
        printf("  seed       & 0x%08" PRIx32 " = 0x%08" PRIx32 "\n", c->seed[i].mask,
               c->seed[i].value);
    }
}

/* The other words for the same bits of a hash. */
static void print_same(const struct egret_candidate *c, uint32_t members)
{
    uint32_t bits = 0;
    uint32_t low = c->rotation; /* of the bits, in the hash without rotation */
    while (1u << bits < members) {
        bits++;
    }
    if (1u << bits != members || c->mapping == EGRET_MAP_TABLE || c->mapping == EGRET_MAP_HASH ||
        c->key == EGRET_KEY_SOLVED) {
        return;
    }
    low += c->mapping == EGRET_MAP_SHIFT16   ? 16u - bits
           : c->mapping == EGRET_MAP_SHIFT32 ? 32u - bits
                                             : 0;
    printf("  bits       %u..%u of the hash\n", low % 32u, (low + bits - 1u) % 32u);
    printf("  same as    mask with rotation %u, multiply-shift-16 with %u, multiply-shift-32 with "
           "%u\n",
           low % 32u, (low + bits + 16u) % 32u, (low + bits) % 32u);
    if (low + bits <= 16u && low > 0) {
        printf("  same as    %u buckets in equal consecutive shares, mask with rotation 0\n",
               1u << (low + bits));
    }
}

static void print_hashed(const struct egret_candidate *c)
{
    if (c->layout < EGRET_LAYOUT_COUNT) {
        print_fields(c->fields);
    }
    for (unsigned i = 0; i < c->orders; i++) {
        printf("%s%s", i ? "," : "", egret_hash_field_name(c->order[i]));
    }
}

static const char *layout_name(const struct egret_candidate *c)
{
    const char *name = egret_hash_layout_name(c->layout);
    return name ? name : "packed";
}

static void print_candidate(const struct egret_candidate *c, uint32_t members)
{
    printf("  algorithm  %s\n", egret_hash_algorithm_name(c->algorithm));
    print_key(c);
    printf("  layout     %s\n  fields     ", layout_name(c));
    print_hashed(c);
    printf("\n  rotation   %u\n  mapping    %s", c->rotation, mapping_name(c->mapping));
    if (c->mapping == EGRET_MAP_TABLE) {
        printf(" of %u buckets", 1u << c->table_bits);
    }
    printf("\n");
    print_seed(c);
    print_same(c, members);
}

/* All candidates, those of one function of the fields together. */
static void print_candidates(const struct egret_identified *r)
{
    for (uint32_t i = 0; i < r->listed; i++) {
        const struct egret_candidate *c = &r->candidate[i];
        bool first = true;
        for (uint32_t k = 0; k < i; k++) {
            first = first && r->candidate[k].group != c->group;
        }
        if (!first) {
            continue;
        }
        printf("candidate    %u of %u\n", c->group + 1u, r->groups);
        print_candidate(c, r->members);
        for (uint32_t k = i + 1u; k < r->listed; k++) {
            const struct egret_candidate *d = &r->candidate[k];
            if (d->group == c->group) {
                printf("  same as    %s, %s, rotation %u, %s, ",
                       egret_hash_algorithm_name(d->algorithm), layout_name(d), d->rotation,
                       mapping_name(d->mapping));
                print_hashed(d);
                printf("\n");
            }
        }
    }
    if (r->found > r->listed) {
        printf("and %" PRIu64 " more\n", r->found - r->listed);
    }
}

/* What was looked at, so that `none` says what it means. */
static void print_searched(const struct egret_identified *r)
{
    printf(
        "searched     linear hashes over all layouts, subsets, orders, rotations and mappings\n");
    if (r->bits < r->needed) {
        printf("not searched lookup3\n");
        return;
    }
    printf("searched     lookup3 with seeds 0..65535 and a few common ones over all layouts, "
           "subsets and rotations\n");
    if (r->lookup3_buckets) {
        printf(
            "searched     lookup3 with such a seed and a table of up to %u buckets, every "
            "rotation, all columns\n"
            "not searched lookup3 with a table and another seed, fewer columns or more buckets\n",
            r->lookup3_buckets);
    } else if (r->members) {
        printf("not searched lookup3 with a table: too few rows\n");
    }
    if (!r->all_seeds) {
        printf("not searched lookup3 with other seeds\n");
    } else {
        printf("searched     lookup3 with all 2^32 seeds, rotation 0 and 16, fields ");
        print_fields(r->seed_fields);
        printf(", layouts");
        for (uint32_t l = 0; l < EGRET_LAYOUT_COUNT; l++) {
            if (r->seed_layouts >> l & 1u) {
                printf(" %s", egret_hash_layout_name(l));
            }
        }
        printf("\n");
    }
}

static void print_evidence(const struct egret_observations *o, const struct egret_identified *r)
{
    printf("evidence     %zu different observation%s, %" PRIu32 " bit%s", r->distinct,
           cli_s(r->distinct), r->bits, cli_s(r->bits));
    if (o->left_out) {
        printf("; %" PRIu64 " row%s without a choice left out", o->left_out, cli_s(o->left_out));
    }
    printf("\n");
    if (r->members) {
        printf("members      %u:", r->members);
        for (uint32_t i = 0; i < r->members; i++) {
            printf(" %u", r->member[i]);
        }
        printf("\n");
    }
    if (o->fields & ~r->varying) {
        printf("constant     ");
        print_fields(o->fields & ~r->varying);
        printf(": hashed or not, a linear hash tells nothing; taken as hashed\n");
    }
}

static void print_result(const struct egret_observations *o, const struct egret_identified *r)
{
    static const char *const verdicts[] = {"identified", "ambiguous", "none"};
    printf("%s\n", verdicts[r->verdict]);
    if (r->clash[0]) {
        printf("lines %" PRIu64 " and %" PRIu64
               " have equal fields and different values: no function of these fields\n",
               r->clash[0], r->clash[1]);
        return;
    }
    print_evidence(o, r);
    if (r->bits < r->needed) {
        printf("too few      %" PRIu32 " bits are needed: lookup3 alone has 2^32 seeds\n",
               r->needed);
    }
    print_candidates(r);
    if (r->found == 0) {
        print_searched(r);
    }
    if (r->found == 0 && r->unsure_tables) {
        printf("too few      for %" PRIu32 " bucket tables that agree, but have buckets seen only "
               "once\n",
               r->unsure_tables);
    }
    if (r->affine) {
        printf("affine       all choices are one affine function of the fields: a CRC, matrix or "
               "key that is not in the library\n");
    }
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    struct identify_progress *p = context;
    uint64_t percent = total ? done * 100u / total : 0;
    if (p->on && total > 1u << 28 && percent != p->shown) {
        p->shown = percent;
        (void)fprintf(stderr, "\rlookup3: %u %% of the seeds", (unsigned)percent);
    }
}

/* Ports with commas between, all different. */
static int parse_members(const char *list, struct egret_identify_setup *setup)
{
    bool seen[256] = {false};
    while (*list) {
        char word[8] = {0};
        uint64_t port;
        size_t n = strcspn(list, ",");
        memcpy(word, list, n < sizeof word ? n : 0);
        if (!cli_parse_u64(word, 255, &port) || seen[port]) { /* so 256 at most */
            return cli_usage("hash: --members: different ports, 0 to 255, with commas");
        }
        seen[port] = true;
        setup->member[setup->members++] = (uint8_t)port;
        list += n + (list[n] == ',');
    }
    if (setup->members < 2u) {
        return cli_usage("hash: --members: two ports at least");
    }
    return -1;
}

static int run(const struct cli_identify *c, struct egret_identify_setup *setup,
               struct egret_observations *o)
{
    struct egret_trace_error err;
    struct identify_progress progress = {isatty(STDERR_FILENO) != 0, 0};
    struct egret_identified *r = malloc(sizeof *r);
    if (!r) {
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    setup->progress = show_progress;
    setup->context = &progress;
    int code = egret_identify(o, setup, r, &err);
    if (progress.shown) {
        (void)fputs("\r\033[K", stderr);
    }
    if (code) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s", err.text);
        (void)egret_trace_fail(&err, code, "%.200s: %.200s", c->path, text);
        code = cli_error(code, &err);
    } else {
        print_result(o, r);
        code = r->verdict == EGRET_IDENTIFIED ? EXIT_DONE : EXIT_DIFFERENT;
    }
    free(r);
    return code;
}

int cli_identify(const struct cli_identify *c)
{
    struct egret_trace_error err;
    struct egret_observations o;
    struct egret_identify_setup setup;
    memset(&setup, 0, sizeof setup);
    setup.layout = EGRET_LAYOUT_COUNT;
    setup.quick = c->quick;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    setup.threads = c->threads    ? c->threads
                    : online > 64 ? 64u
                    : online > 0  ? (uint32_t)online
                                  : 1u;
    if (setup.threads > 64u) {
        return cli_usage("hash: --threads: 1 to 64");
    }
    if (c->layout && egret_hash_layout_by_name(c->layout, &setup.layout) != EGRET_OK) {
        return cli_usage("hash: --layout: unknown layout '%s'", c->layout);
    }
    int code = c->fields ? cli_parse_fields(c->fields, &setup.fields) : -1;
    if (code < 0 && c->members) {
        code = parse_members(c->members, &setup);
    }
    if (code >= 0) {
        return code;
    }
    int got = egret_observations_read(c->path, &o, &err);
    if (got) {
        return cli_error(got, &err);
    }
    if (setup.fields & ~o.fields) {
        code = cli_usage("hash: --fields: %s has no column for one of them", c->path);
    } else {
        code = run(c, &setup, &o);
    }
    egret_observations_free(&o);
    return code;
}
