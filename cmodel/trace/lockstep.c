/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstep.c: a stimulus and the model beside a bench: decisions wait in a ring until the design's
 * answers come.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/lockstep.h"
#include "vectors.h"

_Static_assert(EGRET_LOCKSTEP_WORDS * 4u == VECTOR_BYTES, "a vector is whole words");

struct waiting {
    uint64_t event;
    uint8_t port;
    uint8_t reason;
};

struct lockstep {
    struct egret_stimulus *in;
    struct egret *model;
    bool failed; /* error says why */
    bool ended;  /* the stimulus was read to its end */
    uint64_t pass;
    uint64_t differ;
    uint64_t extra; /* answers that no packet asked for */
    uint32_t oldest;
    uint32_t count;
    uint32_t patience; /* calls of busy since the last answer */
    struct egret_trace_error error;
    struct egret_trace_error first; /* difference */
    char text[1400];
    struct waiting ring[EGRET_LOCKSTEP_WAITING];
};

void *egret_lockstep_open(const char *configuration, const char *stimulus)
{
    struct lockstep *s = calloc(1, sizeof *s);
    struct egret_cfg cfg;
    if (!s) {
        return NULL;
    }
    int code = EGRET_OK;
    if (!configuration || !stimulus || egret_cfg_named(configuration, &cfg) != EGRET_OK) {
        code = egret_trace_fail(&s->error, EGRET_ERR_CONFIG, "%s is no configuration",
                                configuration ? configuration : "null");
    } else if ((code = egret_create(&cfg, &s->model)) != EGRET_OK) {
        (void)egret_trace_fail(&s->error, code, "%s", egret_strerror(code));
    } else {
        code = egret_stimulus_open(stimulus, &s->in, &s->error);
    }
    s->failed = code != EGRET_OK;
    return s;
}

static int give_up(struct lockstep *s, const char *why)
{
    if (!s->failed) {
        s->failed = true;
        (void)egret_trace_fail(&s->error, EGRET_ERR_INTERNAL, "%s", why);
    }
    return 0;
}

int egret_lockstep_next(void *lockstep, uint32_t *vector)
{
    struct lockstep *s = lockstep;
    struct egret_event ev;
    struct egret_decision d;
    uint8_t bytes[VECTOR_BYTES];
    if (!s || !vector || s->failed || s->ended) {
        return 0;
    }
    int got = egret_stimulus_next(s->in, &ev, &s->error);
    if (got <= 0) {
        s->failed = got < 0;
        s->ended = got == 0;
        return 0;
    }
    (void)egret_apply(s->model, &ev, &d); /* the reader gives only events that the model knows */
    if (ev.kind == EGRET_EV_PACKET) {
        if (s->count == EGRET_LOCKSTEP_WAITING) {
            return give_up(s, "too many packets wait for their answers");
        }
        uint32_t at = (s->oldest + s->count++) % EGRET_LOCKSTEP_WAITING;
        s->ring[at] = (struct waiting){egret_stimulus_events(s->in) - 1u, d.port, d.reason};
    }
    egret_vector_bytes(&ev, &d, bytes);
    for (unsigned w = 0; w < EGRET_LOCKSTEP_WORDS; w++) {
        const uint8_t *from = bytes + VECTOR_BYTES - 4u - 4u * w;
        vector[w] =
            (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
    }
    return 1;
}

int egret_lockstep_busy(void *lockstep)
{
    struct lockstep *s = lockstep;
    if (!s || s->failed || s->count == 0) {
        return 0;
    }
    return s->patience++ < EGRET_LOCKSTEP_PATIENCE ? 1 : give_up(s, "the design does not answer");
}

int egret_lockstep_port(void *lockstep, int port)
{
    struct lockstep *s = lockstep;
    if (!s) {
        return 0;
    }
    s->patience = 0;
    if (s->count == 0) {
        s->extra++;
        return 0;
    }
    const struct waiting *w = &s->ring[s->oldest];
    s->oldest = (s->oldest + 1u) % EGRET_LOCKSTEP_WAITING;
    s->count--;
    if (port == w->port) {
        s->pass++;
        return 1;
    }
    if (s->differ++ == 0) {
        const char *reason = egret_reason_name(w->reason);
        (void)egret_trace_fail(&s->first, EGRET_ERR_DIFFER,
                               "DIFFERENT at event %" PRIu64 ", packet %" PRIu64
                               ": port %d, the model has %u (%s)",
                               w->event, s->pass, port, w->port, reason ? reason : "?");
    }
    return 0;
}

static uint64_t failures(const struct lockstep *s)
{
    uint64_t n = s->differ + s->extra + s->count + (s->failed || !s->ended);
    return n ? n : s->pass == 0;
}

int egret_lockstep_verdict(void *lockstep)
{
    const struct lockstep *s = lockstep;
    return !s || failures(s) != 0;
}

static void add(struct lockstep *s, const char *format, ...)
{
    size_t n = strlen(s->text);
    va_list list;
    va_start(list, format);
    (void)vsnprintf(s->text + n, sizeof s->text - n, format, list);
    va_end(list);
}

const char *egret_lockstep_text(void *lockstep)
{
    struct lockstep *s = lockstep;
    if (!s) {
        return "no lockstep\nRESULT pass=0 fail=1";
    }
    s->text[0] = '\0';
    if (s->differ) {
        add(s, "%s\n", s->first.text);
    }
    if (s->extra) {
        add(s, "answers that no packet asked for: %" PRIu64 "\n", s->extra);
    }
    if (s->count) {
        add(s, "packets without an answer: %" PRIu32 "\n", s->count);
    }
    if (s->failed) {
        add(s, "%s\n", s->error.text);
    } else if (!s->ended) {
        add(s, "the stimulus was not read to its end\n");
    }
    add(s, "RESULT pass=%" PRIu64 " fail=%" PRIu64, s->pass, failures(s));
    return s->text;
}

void egret_lockstep_close(void *lockstep)
{
    struct lockstep *s = lockstep;
    if (s) {
        egret_stimulus_close(s->in);
        egret_destroy(s->model);
        free(s);
    }
}
