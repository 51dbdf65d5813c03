/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import_options.c: see import_options.h.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "import_options.h"

/* KIND=NAME, with commas between. */
static int algorithms(const char *list, struct egret_import_options *out)
{
    uint32_t seen = 0;
    while (*list) {
        char pair[64];
        size_t n = strcspn(list, ",");
        enum egret_collective_kind kind;
        if (n == 0 || n >= sizeof pair) {
            return cli_usage("--algorithm is KIND=NAME, with commas between");
        }
        memcpy(pair, list, n);
        pair[n] = '\0';
        char *name = strchr(pair, '=');
        if (name) {
            *name++ = '\0';
        }
        if (!name || !egret_collective_kind_parse(pair, &kind)) {
            return cli_usage("--algorithm: '%s' is no kind of collective and '='", pair);
        }
        if (seen & 1u << kind) {
            return cli_usage("--algorithm: '%s' is there twice", pair);
        }
        seen |= 1u << kind;
        if (!egret_collective_algorithm_parse(name, &out->algorithm[kind])) {
            return cli_usage("--algorithm: unknown algorithm '%s'", name);
        }
        list += n + (list[n] == ',');
    }
    return -1;
}

int cli_import_options(const struct import_options *i, struct egret_import_options *out)
{
    memset(out, 0, sizeof *out);
    out->zero_size = i->zero_size;
    out->group_size = i->group_size;
    out->comm_groups = i->comm_groups;
    out->no_compute = i->no_compute;
    out->relax = (i->allow_counts ? EGRET_RELAX_COUNTS : 0) |
                 (i->allow_unmatched ? EGRET_RELAX_UNMATCHED : 0) |
                 (i->allow_dangling ? EGRET_RELAX_DANGLING : 0) |
                 (i->allow_zero ? EGRET_RELAX_SIZES : 0) |
                 (i->allow_trailing ? EGRET_RELAX_TRAILING : 0);
    return i->algorithm ? algorithms(i->algorithm, out) : -1;
}

bool cli_import_stdin_twice(const char *const *paths, size_t n)
{
    size_t seen = 0;
    for (size_t i = 0; i < n; i++) {
        seen += strcmp(paths[i], "-") == 0;
    }
    return seen > 1u;
}

struct count {
    uint64_t next;
};

static void show(void *user, uint64_t bytes, uint64_t of)
{
    struct count *c = user;
    if (bytes < c->next) {
        return;
    }
    c->next = bytes + 10000000u;
    (void)fprintf(stderr, "\rimport %llu", (unsigned long long)(bytes / 1000000u));
    if (of) {
        (void)fprintf(stderr, " of %llu", (unsigned long long)(of / 1000000u));
    }
    (void)fputs(" MB", stderr);
}

int cli_import_load(const struct import_options *i, const char *const *paths, size_t n,
                    struct egret_schedule *s, struct egret_import_report *r)
{
    struct egret_import_options options;
    struct egret_trace_error err;
    struct count count = {10000000u};
    int code = cli_import_options(i, &options);
    if (code >= 0) {
        return code;
    }
    if (isatty(STDERR_FILENO)) {
        options.progress = show;
        options.user = &count;
    }
    code = egret_import_load(paths, n, &options, s, r, &err);
    if (options.progress && count.next > 10000000u) {
        (void)fputs("\r\033[K", stderr);
    }
    return code ? cli_error(code, &err) : -1;
}
