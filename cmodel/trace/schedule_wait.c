/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule_wait.c: a schedule that stands still: who waits on whom, link by link.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schedule_wait.h"

#define LINKS 3u     /* that are spelled out */
#define NAME_MAX 100 /* characters of a file's name */

void egret_schedule_op_text(const struct egret_schedule *s, uint32_t op,
                            char text[SCHEDULE_OP_TEXT])
{
    const struct egret_op *o = &s->op[op];
    char tag[24] = "";
    if (o->tag) {
        (void)snprintf(tag, sizeof tag, ", tag %u", o->tag);
    }
    if (o->kind == EGRET_OP_MESSAGE) {
        (void)snprintf(text, SCHEDULE_OP_TEXT, "message %u (%u -> %u%s)", op, o->src, o->dst, tag);
    } else {
        (void)snprintf(text, SCHEDULE_OP_TEXT, "%s %u (rank %u%s)",
                       o->kind == EGRET_OP_TURNSTILE ? "turnstile"
                       : o->amount                   ? "delay"
                                                     : "join",
                       op, o->src, tag);
    }
}

void egret_schedule_place_text(const struct egret_schedule *s, uint32_t op, const char *name,
                               const char *const *file_name, char *text, size_t n)
{
    const struct egret_op *o = &s->op[op];
    const char *file = file_name ? file_name[o->file] : name;
    if (file_name && o->where) {
        (void)snprintf(text, n, "%.*s%s%llu: ", NAME_MAX, file, s->by_byte ? ": byte " : ":",
                       (unsigned long long)o->where);
    } else {
        (void)snprintf(text, n, "%.*s: ", NAME_MAX, file);
    }
}

/* Of each operation one before it whose edge has not fired; EGRET_NO_OP: there is none. */
static uint32_t *unfired(const struct egret_schedule *s, const uint32_t *fired)
{
    uint32_t *before = malloc((s->ops + 1u) * sizeof *before);
    for (size_t i = 0; before && i < s->ops; i++) {
        before[i] = EGRET_NO_OP;
    }
    for (uint32_t i = 0; before && i < s->ops; i++) {
        uint32_t e = s->first[i];
        if (s->op[i].kind == EGRET_OP_TURNSTILE) {
            e += fired[i];
        } else if (fired[i] == s->op[i].need) {
            continue;
        }
        for (; e < s->first[i + 1u]; e++) {
            uint32_t to = egret_edge_to(s->edge[e]);
            before[to] = before[to] == EGRET_NO_OP ? i : before[to];
        }
    }
    return before;
}

/* Steps from op to where the chain ends or comes back to; *cycle is the length of a cycle at its
 * end, or 0. Brent's way needs no marks. */
static uint32_t follow(const uint32_t *before, uint32_t op, uint32_t *cycle)
{
    uint32_t slow = op;
    uint32_t fast = before[op];
    uint32_t power = 1;
    uint32_t length = 1;
    while (fast != EGRET_NO_OP && fast != slow) {
        if (length == power) {
            slow = fast;
            power *= 2u;
            length = 0;
        }
        fast = before[fast];
        length++;
    }
    *cycle = fast == EGRET_NO_OP ? 0 : length;
    while (before[op] != EGRET_NO_OP && *cycle == 0) {
        op = before[op];
    }
    return op;
}

int egret_schedule_waits(const struct egret_schedule *s, uint32_t op, const uint32_t *fired,
                         const char *name, const char *const *file_name,
                         struct egret_trace_error *err)
{
    char text[sizeof err->text];
    char part[SCHEDULE_OP_TEXT];
    uint32_t *before = unfired(s, fired);
    uint32_t cycle = 0;
    size_t n;
    if (!before) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", name);
    }
    uint32_t last = follow(before, op, &cycle);
    egret_schedule_place_text(s, op, name, file_name, text, sizeof text);
    egret_schedule_op_text(s, op, part);
    n = strlen(text);
    (void)snprintf(text + n, sizeof text - n, "%s never starts: it", part);
    uint32_t at = op;
    for (uint32_t i = 0; i < LINKS && before[at] != EGRET_NO_OP; i++) {
        at = before[at];
        egret_schedule_op_text(s, at, part);
        n = strlen(text);
        (void)snprintf(text + n, sizeof text - n, "%s waits on %s", i ? ", which" : "", part);
        if (file_name && s->op[at].where) {
            n = strlen(text);
            (void)snprintf(text + n, sizeof text - n, " at %.*s%s%llu", NAME_MAX / 2,
                           file_name[s->op[at].file], s->by_byte ? ": byte " : ":",
                           (unsigned long long)s->op[at].where);
        }
        if (at == op) {
            break;
        }
    }
    n = strlen(text);
    if (cycle) {
        (void)snprintf(text + n, sizeof text - n, "; a cycle of %u", cycle);
    } else {
        egret_schedule_op_text(s, last, part);
        (void)snprintf(text + n, sizeof text - n, "; %s is activated %u times, %u are needed", part,
                       fired[last], s->first[last + 1u] - s->first[last]);
    }
    free(before);
    return egret_trace_fail(err, EGRET_ERR_RANGE, "%s", text);
}
