/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.c: refuses a stimulus that is no good or exceeds a configuration, and names the parameter.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "egret/control.h"

bool cli_scan_open(struct cli_scan *s, const struct egret_cfg *cfg)
{
    s->cfg = cfg;
    s->class_ordered = 0;
    s->scheme = calloc(cfg->num_groups, 1);
    return s->scheme != NULL;
}

void cli_scan_close(struct cli_scan *s)
{
    free(s->scheme);
    s->scheme = NULL;
}

static const char *scan_packet(const struct cli_scan *s, const struct egret_event *ev)
{
    if (ev->group >= s->cfg->num_groups) {
        return "NUM_GROUPS";
    }
    uint32_t scheme = s->scheme[ev->group] & 15u;
    uint32_t ordered = s->scheme[ev->group] >> 4;
    if ((s->class_ordered >> (ev->cls & 15u) & 1u) != 0 && ordered != 0) {
        scheme = ordered;
    }
    if (scheme <= EGRET_NUM_SCHEMES && scheme != 0 && !(s->cfg->schemes >> scheme & 1u)) {
        return "SCHEMES";
    }
    if (scheme == EGRET_SCHEME_DR) {
        if (ev->key >= s->cfg->num_keys) {
            return "NUM_KEYS";
        }
        if (ev->bin >= s->cfg->num_bins) {
            return "NUM_BINS";
        }
    }
    return NULL;
}

/* Null, or the parameter that the event exceeds. */
static const char *exceeds(struct cli_scan *s, const struct egret_event *ev)
{
    const char *param = NULL;
    switch (ev->kind) {
    case EGRET_EV_PACKET:
        return scan_packet(s, ev);
    case EGRET_EV_WRITE:
    case EGRET_EV_FAULT:
        if ((ev->kind == EGRET_EV_WRITE ? egret_ctl_check_write : egret_ctl_check_fault)(
                s->cfg, ev->addr, ev->data, &param) != EGRET_OK) {
            return param ? param : "address";
        }
        if (ev->addr >> 20 == 1u && (ev->addr & 7u) == 0) {
            s->scheme[(ev->addr & 0xfffffu) >> 3] =
                (uint8_t)((ev->data & 15u) | (ev->data >> 12 & 15u) << 4);
        }
        if (ev->addr == EGRET_A_CLASS_ORDERED) {
            s->class_ordered = ev->data;
        }
        return NULL;
    case EGRET_EV_PORT:
    case EGRET_EV_QUEUE:
        return ev->port < s->cfg->num_ports ? NULL : "NUM_PORTS";
    default:
        return NULL;
    }
}

/* The values that the message is about. */
static void describe(const struct egret_event *ev, char text[64])
{
    switch (ev->kind) {
    case EGRET_EV_PACKET:
        (void)snprintf(text, 64, "packet group=%u key=%u bin=%u", ev->group, ev->key, ev->bin);
        break;
    case EGRET_EV_WRITE:
        (void)snprintf(text, 64, "write addr=%06" PRIx32 " data=%08" PRIx32, ev->addr, ev->data);
        break;
    case EGRET_EV_FAULT:
        (void)snprintf(text, 64, "fault addr=%06" PRIx32 " data=%08" PRIx32, ev->addr, ev->data);
        break;
    case EGRET_EV_PORT:
        (void)snprintf(text, 64, "port port=%" PRIu32, ev->port);
        break;
    default:
        (void)snprintf(text, 64, "queue port=%" PRIu32, ev->port);
        break;
    }
}

int cli_scan_event(struct cli_scan *s, const struct egret_stimulus *in, const char *path,
                   const struct egret_event *ev, struct egret_trace_error *err)
{
    const char *param = exceeds(s, ev);
    struct egret_frame_view v;
    char values[64];
    if (!param) {
        return EGRET_OK;
    }
    egret_stimulus_frame(in, &v);
    describe(ev, values);
    return egret_trace_fail(err, EGRET_ERR_RANGE,
                            "%s: record %llu, offset %llu: exceeds configuration %s: %s: %s "
                            "(--allow-illegal lets it through)",
                            path, (unsigned long long)v.event, (unsigned long long)v.offset,
                            s->cfg->name, param, values);
}

static int scan_events(struct egret_stimulus *in, struct cli_scan *s, const char *path)
{
    struct egret_trace_error err;
    struct egret_event ev;
    for (;;) {
        int got = egret_stimulus_next(in, &ev, &err);
        if (got > 0 && s->cfg) {
            int code = cli_scan_event(s, in, path, &ev, &err);
            got = code ? code : got;
        }
        if (got <= 0) {
            return got < 0 ? cli_error(got, &err) : -1;
        }
    }
}

/* A regular file, by its name or as standard input; *at is where standard input stands. */
static bool readable_twice(const char *path, off_t *at)
{
    struct stat st;
    *at = 0;
    if (strcmp(path, "-") != 0) {
        return stat(path, &st) == 0 && S_ISREG(st.st_mode);
    }
    if (fstat(STDIN_FILENO, &st) != 0 || !S_ISREG(st.st_mode)) {
        return false;
    }
    *at = ftello(stdin);
    return *at >= 0;
}

int cli_scan_file(const char *path, const struct egret_cfg *cfg, bool *scanned)
{
    struct egret_stimulus *in;
    struct egret_trace_error err;
    struct cli_scan s = {NULL, NULL, 0};
    off_t at;
    bool twice = readable_twice(path, &at);
    if (scanned) {
        *scanned = twice;
    }
    if (!twice) {
        return -1;
    }
    int code = egret_stimulus_open(path, &in, &err);
    if (code) {
        return cli_error(code, &err);
    }
    if (cfg && !cli_scan_open(&s, cfg)) {
        egret_stimulus_close(in);
        (void)cli_usage("out of memory");
        return EXIT_INTERNAL;
    }
    code = scan_events(in, &s, path);
    cli_scan_close(&s);
    egret_stimulus_close(in);
    if (code < 0 && strcmp(path, "-") == 0 && fseeko(stdin, at, SEEK_SET) != 0) {
        return cli_usage("-: cannot be read twice");
    }
    return code;
}
