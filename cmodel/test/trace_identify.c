/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_identify.c: the identification of hashes by its functions: setups that are none, memory and
 * threads that cannot be had, logs that say next to nothing or that a whole list of hashes agrees
 * with. Which hash made a log is known, as the test made it. Links with --wrap.
 */
#include <errno.h>
#include <pthread.h>

#include "trace_broken.h"
#include "trace_identify.h"
#include "trace_memory.h"
#include "trace_threads.h"

static bool no_mutex;
int __real_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr);
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr);
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    return no_mutex ? ENOMEM : __real_pthread_mutex_init(m, attr);
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
    /* 38 bits: nothing agrees, and that is not enough to say that it is none. */
    o = flows(20, SRC | DST, false);
    random_choice(&o, 4);
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_OK && r.verdict == EGRET_AMBIGUOUS);
    CHECK(&t, r.found == 0 && r.bits == 38);
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
    /* A layout that is asked for need not be filled by the columns. */
    const struct made sparse = {
        EGRET_HASH_LOOKUP3, EGRET_LAYOUT_IPV4_5TUPLE, SRC | DST, 70006, 0, EGRET_MAP_MASK, 8};
    struct egret_identify_setup all = quick(EGRET_LAYOUT_IPV4_5TUPLE);
    all.quick = false;
    identified(&sparse, 60, SRC | DST, false, &all);
    CHECK(&t, r.seed_layouts == 1u << EGRET_LAYOUT_IPV4_5TUPLE && r.all_seeds);
    /* 72 bits: a seed that agrees does not end the search among the small ones. */
    const struct made small = {
        EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC | DST, 2, 3, EGRET_MAP_MASK, 8};
    all = quick(EGRET_LAYOUT_COUNT);
    all.small_seeds = 65536;
    all.threads = 2;
    identified(&small, 25, SRC | DST, false, &all);
    all.small_seeds = 16; /* too few for a second thread */
    identified(&small, 25, SRC | DST, false, &all);
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

/* ---- the file ---- */

static char path[256];

static void file_of(const char *header, const char *row, size_t n)
{
    FILE *f = fopen(path, "wb");
    bool good = f && fputs(header, f) >= 0;
    for (size_t i = 0; good && i < n; i++) {
        good = fputs(row, f) >= 0;
    }
    if (!f || fclose(f) || !good) {
        perror(path);
        exit(1);
    }
}

static void reading(void)
{
    struct egret_observations o;
    (void)trace_scratch(path, sizeof path, "trace_identify.tmp");
    file_of("port,ip_protocol\n", "3,17\n", EGRET_IDENTIFY_ROWS);
    CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_OK);
    CHECK(&t, o.count == EGRET_IDENTIFY_ROWS && o.fields == 4u && o.hash_bits == 0 &&
                  o.row[o.count - 1u].line == EGRET_IDENTIFY_ROWS + 1u);
    egret_observations_free(&o);
    file_of("port,ip_protocol\n", "3,17\n", EGRET_IDENTIFY_ROWS + 1u);
    CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_ERR_RANGE && !o.row);
    CHECK(&t, strstr(err.text, ":1048578: more than 1048576 observations"));
    /* 16 bits unless a row has more than 4 digits; beside a hash a port says nothing. */
    static const struct {
        const char *rows;
        uint32_t bits;
    } hashes[] = {{"abcd,1,drop\n0x1,2,-\n", 16}, {"1,1,0\n00001,2,0\n", 32}};
    for (size_t i = 0; i < 2u; i++) {
        file_of("hash,l4_src_port,port\n", hashes[i].rows, 1);
        CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_OK && o.count == 2);
        CHECK(&t, o.hash_bits == hashes[i].bits && o.left_out == 0 && o.row[1].value == 1);
        egret_observations_free(&o);
    }
    /* Characters on both sides of those of a number; a line end that is none. */
    static const char *const bad[] = {"0x/", "0x:", "0x@", "0xG", "0x`", "0xg", "1/", "1:", "1\r2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        file_of("l4_src_port,port\n", bad[i], 1);
        CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_ERR_RANGE);
        CHECK(&t, strstr(err.text, ":2: 1 cells, and the header has 2"));
        file_of("port,l4_src_port\n5,", bad[i], 1);
        CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_ERR_RANGE);
        CHECK(&t, strstr(err.text, "is no number of 16 bits"));
    }
    file_of("l4_src_port,port\n", "0XFf,0x09\r\n", 1);
    CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_OK && o.row[0].value == 9);
    CHECK(&t, o.row[0].record[33] == 0 && o.row[0].record[34] == 255);
    egret_observations_free(&o);
    static const char *const marks[] = {"\xef", "\xef\xbb", "\xef\xaa\xbf", "\xef\xbb\xaa"};
    for (size_t i = 0; i < 4u; i++) { /* not quite a byte order mark */
        file_of(marks[i], "port,l4_src_port\n1,2\n", 1);
        CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_ERR_RANGE);
        CHECK(&t, strstr(err.text, ":1: not text"));
    }
    for (size_t i = 0; i < 2u; i++) { /* at the end of the file, before a row and inside one */
        file_of("port,l4_src_port\n1,2", i ? "\n" : "", 1);
        broken = true;
        CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_ERR_RANGE && !o.row);
        broken = false;
        CHECK(&t, strstr(err.text, ": Input/output error"));
    }
    if (CHECK(&t, freopen(path, "rb", stdin) != NULL)) {
        CHECK(&t, egret_observations_read("-", &o, &err) == EGRET_OK && o.count == 1);
        CHECK(&t, fgetc(stdin) == EOF && feof(stdin)); /* and it is still open */
        egret_observations_free(&o);
    }
    file_of("port,l4_src_port\n", "1,258\ndrop,2\n-,3\n", 300);
    CHECK(&t, egret_observations_read(path, &o, &err) == EGRET_OK);
    CHECK(&t, o.count == 300 && o.left_out == 600 && o.row[299].line == 899);
    CHECK(&t, o.row[299].record[33] == 1 && o.row[299].record[34] == 2);
    egret_observations_free(&o);
    unsigned long n = 1;
    for (bool all = false; !all; n++) {
        fail_at = n;
        int code = egret_observations_read(path, &o, &err);
        all = fail_at != 0;
        fail_at = 0;
        /* What the C library asks for itself is not wrapped. */
        CHECK(&t, all ? code == EGRET_OK && o.count == 300
                      : code == EGRET_ERR_MEMORY && !o.row && strstr(err.text, ": out of memory"));
        egret_observations_free(&o);
    }
    CHECK(&t, n > 3u);
    (void)remove(path);
}

/* ---- memory and locks ---- */

static void no_memory(void)
{
    struct egret_identify_setup s = quick(EGRET_LAYOUT_RSS_IPV4_ADDR);
    s.fields = SRC | DST;
    for (unsigned long n = 1;; n++) {
        struct egret_observations o = flows(80, SRC | DST, false);
        random_choice(&o, 8);
        err.text[0] = '\0';
        fail_at = n;
        int code = egret_identify(&o, &s, &r, &err);
        bool all = fail_at != 0;
        fail_at = 0;
        if (all) {
            CHECK(&t, code == EGRET_OK && r.verdict == EGRET_NO_HASH && n > 5u);
            break;
        }
        CHECK(&t, code == EGRET_ERR_MEMORY && strstr(err.text, "memory"));
    }
    /* The equations of a key: an affine log goes as far as that. */
    for (unsigned long n = 1; n < 4u; n++) {
        struct egret_observations o = flows(80, SRC | DST, false);
        const struct made m = {
            EGRET_HASH_LOOKUP3, EGRET_LAYOUT_RSS_IPV4_ADDR, SRC, 1, 0, EGRET_MAP_MASK, 2};
        choose(&o, &m);
        o.count = 70;
        for (size_t i = 0; i < o.count; i++) {
            rows[i].value = (unsigned)(rows[i].record[0] ^ rows[i].record[18] >> 3) & 1u;
        }
        fail_at = n;
        CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_ERR_MEMORY);
        fail_at = 0;
    }
    struct egret_observations o = flows(80, SRC | DST, false);
    random_choice(&o, 8);
    no_mutex = true;
    CHECK(&t, egret_identify(&o, &s, &r, &err) == EGRET_ERR_MEMORY);
    no_mutex = false;
}

int main(void)
{
    setups();
    little();
    again();
    made();
    reading();
    no_memory();
    return trace_result(&t);
}
