/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cm.c: reads htsim connection matrices (.cm): header, flows, triggers, failures (docs/import.md).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cm.h"
#include "rng.h"

#define MAX_START_PS 1000000000000000000u

enum { NODES, CONNECTIONS, TRIGGERS, FAILURES };
static const char *const header_name[4] = {"Nodes", "Connections", "Triggers", "Failures"};
static const uint64_t header_max[4] = {1u << 20, 1u << 24, 1u << 24, 1u << 24};

static int out_of_memory(struct cm *c)
{
    return egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->lines.name);
}

int egret_cm_add(struct cm *c, struct cm_refs *refs, uint32_t id, size_t index, uint64_t msg)
{
    if (refs->count == refs->capacity) {
        size_t bigger = refs->capacity ? refs->capacity * 2u : 64u;
        void *moved = realloc(refs->ref, bigger * sizeof *refs->ref);
        if (!moved) {
            return out_of_memory(c);
        }
        refs->ref = moved;
        refs->capacity = bigger;
    }
    refs->ref[refs->count++] = (struct cm_ref){id, (uint32_t)index, c->lines.number, msg};
    return EGRET_OK;
}

void egret_cm_free(struct cm *c)
{
    free(c->trigger);
    free(c->links);
    free(c->ids.ref);
    free(c->triggers.ref);
    free(c->starts.ref);
    free(c->sends.ref);
    free(c->receives.ref);
}

int egret_cm_fail_at(struct cm *c, uint32_t line, const char *format, unsigned long long value,
                     unsigned long long other)
{
    char reason[160];
    (void)snprintf(reason, sizeof reason, format, value, other);
    return egret_trace_fail(c->err, EGRET_ERR_RANGE, "%s:%u: %s", c->lines.name, line, reason);
}

static int unknown_word(struct cm *c, uint32_t i)
{
    const struct text_word *w = &c->lines.word[i];
    return egret_text_fail(&c->lines, c->err, "unknown word '%.*s'",
                           (int)(w->length < 40u ? w->length : 40u), w->at);
}

/* The number in word i; `what` names the word before it. */
static int number(struct cm *c, uint32_t i, uint64_t min, uint64_t max, const char *what,
                  uint64_t *out)
{
    const struct text_word *w = &c->lines.word[i];
    if (i >= c->lines.words || !egret_text_u64(w->at, w->length, max, out) || *out < min) {
        return egret_text_fail(&c->lines, c->err, "%s needs a number, %llu to %llu", what,
                               (unsigned long long)min, (unsigned long long)max);
    }
    return EGRET_OK;
}

static int header_line(struct cm *c)
{
    for (unsigned h = 0; h < 4u; h++) {
        if (!egret_text_is(&c->lines.word[0], header_name[h])) {
            continue;
        }
        if (c->declared_line[h]) {
            return egret_text_fail(&c->lines, c->err, "%s is given twice", header_name[h]);
        }
        c->declared_line[h] = c->lines.number;
        int code = number(c, 1, h == NODES ? 2 : 0, header_max[h], header_name[h], &c->declared[h]);
        if (code == EGRET_OK && c->lines.words > 2u) {
            code = unknown_word(c, 2);
        }
        return code;
    }
    return unknown_word(c, 0);
}

/* "SRC->DST" */
static int ends(struct cm *c, struct egret_op *m)
{
    const struct text_word *w = &c->lines.word[0];
    const char *arrow = memchr(w->at, '-', w->length);
    size_t left = arrow ? (size_t)(arrow - w->at) : 0;
    uint64_t src;
    uint64_t dst;
    if (!arrow || left + 2u >= w->length || arrow[1] != '>' ||
        !egret_text_u64(w->at, left, UINT32_MAX, &src) ||
        !egret_text_u64(arrow + 2, w->length - left - 2u, UINT32_MAX, &dst)) {
        return egret_text_fail(&c->lines, c->err, "a flow starts with SRC->DST");
    }
    if (src >= c->declared[NODES] || dst >= c->declared[NODES]) {
        return egret_text_fail(&c->lines, c->err, "node %llu of %llu nodes",
                               (unsigned long long)(src > dst ? src : dst),
                               (unsigned long long)c->declared[NODES]);
    }
    if (src == dst) {
        return egret_text_fail(&c->lines, c->err, "a flow from a node to itself");
    }
    m->src = (uint32_t)src;
    m->dst = (uint32_t)dst;
    return EGRET_OK;
}

struct flow_words {
    bool start;
    bool size;
    uint64_t id;
    uint64_t trigger;
    uint64_t send_done;
    uint64_t recv_done;
    uint64_t prio;
    uint64_t msg; /* as in struct cm_ref */
    bool addon;
};

static int once(struct cm *c, uint32_t i, bool seen)
{
    const struct text_word *w = &c->lines.word[i];
    return seen ? egret_text_fail(&c->lines, c->err, "%.*s is given twice", (int)w->length, w->at)
                : EGRET_OK;
}

static int id_word(struct cm *c, uint32_t *i, const char *name, uint64_t *value)
{
    int code = once(c, *i, *value != 0);
    return code ? code : number(c, ++*i, 1, UINT32_MAX - 1u, name, value);
}

static int size_word(struct cm *c, uint32_t *i, struct flow_words *f, struct egret_op *m)
{
    int code = once(c, *i, f->size);
    f->size = true;
    if (code == EGRET_OK) {
        code = number(c, ++*i, 0, (uint64_t)1 << 48, "size", &m->amount);
    }
    if (code == EGRET_OK && m->amount == 0) {
        m->amount = c->zero_size;
        if (m->amount == 0) {
            code = egret_text_fail(&c->lines, c->err,
                                   "size 0 means without end; --zero-size N gives it a size");
        }
    }
    return code;
}

static int start_word(struct cm *c, uint32_t *i, struct flow_words *f, struct egret_op *m)
{
    int code = once(c, *i, f->start);
    f->start = true;
    if (code == EGRET_OK) {
        const struct text_word *w = &c->lines.word[++*i];
        if (*i >= c->lines.words ||
            !egret_text_decimal(w->at, w->length, MAX_START_PS, &m->start_ps)) {
            code = egret_text_fail(&c->lines, c->err, "start needs picoseconds, 0 to %llu",
                                   (unsigned long long)MAX_START_PS);
        }
    }
    return code;
}

static int flow_word(struct cm *c, uint32_t *i, struct flow_words *f, struct egret_op *m)
{
    const struct text_word *w = &c->lines.word[*i];
    uint64_t n;
    if (egret_text_is(w, "id")) {
        return id_word(c, i, "id", &f->id);
    }
    if (egret_text_is(w, "start")) {
        return start_word(c, i, f, m);
    }
    if (egret_text_is(w, "size")) {
        return size_word(c, i, f, m);
    }
    if (egret_text_is(w, "trigger")) {
        return id_word(c, i, "trigger", &f->trigger);
    }
    if (egret_text_is(w, "send_done_trigger")) {
        return id_word(c, i, "send_done_trigger", &f->send_done);
    }
    if (egret_text_is(w, "recv_done_trigger")) {
        return id_word(c, i, "recv_done_trigger", &f->recv_done);
    }
    if (egret_text_is(w, "prio")) {
        return id_word(c, i, "prio", &f->prio);
    }
    if (egret_text_is(w, "addon")) {
        f->addon = true;
        return EGRET_OK;
    }
    if (egret_text_is(w, "msg")) {
        int code = once(c, *i, f->msg != 0);
        f->msg = 1;
        if (*i + 1u < c->lines.words && egret_text_u64(w[1].at, w[1].length, UINT32_MAX, &n)) {
            f->msg = n + 2u;
            ++*i;
        }
        return code;
    }
    return unknown_word(c, *i);
}

/* Flows of one id and one pair of nodes are messages of one connection. */
static uint64_t connection(const struct egret_op *m, uint64_t id, size_t index)
{
    struct rng r = {id ? id : (uint64_t)index << 32};
    return rng_u64(&r) ^ ((uint64_t)m->src << 32 | m->dst);
}

static int flow_line(struct cm *c)
{
    struct egret_op m;
    struct flow_words f;
    memset(&m, 0, sizeof m);
    memset(&f, 0, sizeof f);
    int code = ends(c, &m);
    for (uint32_t i = 1; code == EGRET_OK && i < c->lines.words; i++) {
        code = flow_word(c, &i, &f, &m);
    }
    if (code) {
        return code;
    }
    if (f.start == (f.trigger != 0)) {
        return egret_text_fail(&c->lines, c->err, "a flow has either a start or a trigger");
    }
    if (!f.size) {
        return egret_text_fail(&c->lines, c->err, "a flow needs a size");
    }
    size_t index = c->work->ops;
    m.pair = connection(&m, f.id, index);
    m.priority = f.prio ? (uint32_t)f.prio : EGRET_PRIORITY_DEFAULT;
    m.tag = (uint32_t)f.id;
    m.where = c->lines.number;
    if (egret_schedule_op(c->work, &m, NULL)) {
        return out_of_memory(c);
    }
    if (f.id && (code = egret_cm_add(c, &c->ids, (uint32_t)f.id, index, f.msg))) {
        return code;
    }
    if (f.trigger && (code = egret_cm_add(c, &c->starts, (uint32_t)f.trigger, index, 0))) {
        return code;
    }
    if (f.send_done && (code = egret_cm_add(c, &c->sends, (uint32_t)f.send_done, index, 0))) {
        return code;
    }
    return f.recv_done ? egret_cm_add(c, &c->receives, (uint32_t)f.recv_done, index, 0) : EGRET_OK;
}

static int add_trigger(struct cm *c, const struct cm_trigger *t)
{
    if (c->trigger_count == c->trigger_capacity) {
        size_t bigger = c->trigger_capacity ? c->trigger_capacity * 2u : 64u;
        void *moved = realloc(c->trigger, bigger * sizeof *c->trigger);
        if (!moved) {
            return out_of_memory(c);
        }
        c->trigger = moved;
        c->trigger_capacity = bigger;
    }
    c->trigger[c->trigger_count++] = *t;
    return EGRET_OK;
}

static int trigger_line(struct cm *c)
{
    static const char *const kinds[3] = {"oneshot", "multishot", "barrier"};
    uint64_t id = 0;
    uint64_t count = 0;
    unsigned kind = 3;
    int code = EGRET_OK;
    for (uint32_t i = 1; code == EGRET_OK && i < c->lines.words; i++) {
        const struct text_word *w = &c->lines.word[i];
        unsigned k = 0;
        while (k < 3u && !egret_text_is(w, kinds[k])) {
            k++;
        }
        if (k < 3u) {
            code = once(c, i, kind < 3u);
            kind = k;
        } else if (egret_text_is(w, "id")) {
            code = id_word(c, &i, "id", &id);
        } else if (egret_text_is(w, "count")) {
            code = id_word(c, &i, "count", &count);
        } else {
            code = unknown_word(c, i);
        }
    }
    if (code) {
        return code;
    }
    if (!id || kind == 3u) {
        return egret_text_fail(&c->lines, c->err,
                               "a trigger needs an id and one of oneshot, multishot, barrier");
    }
    if (kind == CM_BARRIER && count == 0) {
        return egret_text_fail(&c->lines, c->err, "a barrier needs a count");
    }
    struct cm_trigger t = {kind, (uint32_t)count, c->lines.number};
    code = egret_cm_add(c, &c->triggers, (uint32_t)id, c->trigger_count, 0);
    return code ? code : add_trigger(c, &t);
}

static int failure_line(struct cm *c)
{
    static const char *const types[3] = {"TOR", "AGG", "CORE"};
    uint64_t type = 0; /* each value plus one, so that 0 is "not given" */
    uint64_t id = 0;
    uint64_t link = 0;
    int code = EGRET_OK;
    for (uint32_t i = 1; code == EGRET_OK && i < c->lines.words; i++) {
        const struct text_word *w = &c->lines.word[i];
        bool is_id = egret_text_is(w, "switch_id");
        if (egret_text_is(w, "switch_type")) {
            code = once(c, i++, type != 0);
            for (type = 0; code == EGRET_OK && type < 3u; type++) {
                if (i < c->lines.words && egret_text_is(&c->lines.word[i], types[type])) {
                    break;
                }
            }
            if (code == EGRET_OK && type == 3u) {
                code = egret_text_fail(&c->lines, c->err, "switch_type is TOR, AGG or CORE");
            }
            type++;
        } else if (is_id || egret_text_is(w, "link_id")) {
            uint64_t *value = is_id ? &id : &link;
            code = once(c, i, *value != 0);
            if (code == EGRET_OK) {
                code = number(c, ++i, 0, UINT32_MAX, is_id ? "switch_id" : "link_id", value);
            }
            ++*value;
        } else {
            code = unknown_word(c, i);
        }
    }
    if (code == EGRET_OK && (!type || !id || !link)) {
        code = egret_text_fail(&c->lines, c->err,
                               "a failure needs switch_type, switch_id and link_id");
    }
    if (code) {
        return code;
    }
    struct egret_link_failure f = {(uint32_t)(type - 1u), (uint32_t)(id - 1u),
                                   (uint32_t)(link - 1u)};
    return egret_schedule_failure(c->work, &f) ? out_of_memory(c) : EGRET_OK;
}

static int body_line(struct cm *c)
{
    const struct text_word *w = &c->lines.word[0];
    if (!c->body && !c->declared_line[NODES]) {
        return egret_text_fail(&c->lines, c->err, "Nodes is missing before this line");
    }
    c->body = true;
    if (egret_text_is(w, "trigger")) {
        return trigger_line(c);
    }
    return egret_text_is(w, "failure") ? failure_line(c) : flow_line(c);
}

static int parse_line(struct cm *c)
{
    const struct text_word *w = &c->lines.word[0];
    if (c->lines.too_many) {
        return egret_text_fail(&c->lines, c->err, "not a line of text");
    }
    if (c->lines.words == 0 || w->at[0] == '#') {
        return EGRET_OK;
    }
    bool is_body = egret_text_is(w, "trigger") || egret_text_is(w, "failure") ||
                   (w->at[0] >= '0' && w->at[0] <= '9');
    if (is_body) {
        return body_line(c);
    }
    return c->body ? unknown_word(c, 0) : header_line(c);
}

static int check_counts(struct cm *c)
{
    uint64_t found[4] = {c->declared[NODES], c->work->ops, c->trigger_count, c->work->failures};
    if (!c->declared_line[NODES]) {
        return egret_text_fail(&c->lines, c->err, "end of file: Nodes is missing");
    }
    for (unsigned h = CONNECTIONS; h <= FAILURES; h++) {
        if (c->declared[h] != found[h]) {
            uint32_t line = c->declared_line[h] ? c->declared_line[h] : c->lines.number;
            c->lines.number = line;
            return egret_text_fail(&c->lines, c->err, "%s %llu, but the file has %llu",
                                   header_name[h], (unsigned long long)c->declared[h],
                                   (unsigned long long)found[h]);
        }
    }
    if (c->work->ops == 0) {
        return egret_text_fail(&c->lines, c->err, "no flow");
    }
    return EGRET_OK;
}

int egret_cm_parse(const char *text, size_t n, const char *name, uint64_t zero_size,
                   struct egret_schedule *out, struct egret_trace_error *err)
{
    struct egret_schedule work;
    struct cm c;
    int code = EGRET_OK;
    memset(&work, 0, sizeof work);
    memset(&c, 0, sizeof c);
    c.work = &work;
    c.err = err;
    c.zero_size = zero_size;
    egret_text_start(&c.lines, text, n, name);
    while (code == EGRET_OK && egret_text_next(&c.lines)) {
        code = parse_line(&c);
    }
    if (code == EGRET_OK) {
        code = check_counts(&c);
    }
    work.ranks = (uint32_t)c.declared[NODES];
    if (code == EGRET_OK) {
        code = egret_cm_resolve(&c);
    }
    egret_cm_free(&c);
    if (code == EGRET_OK) {
        code = egret_schedule_seal(&work, name, (const char *const[]){name}, err);
    }
    if (code) {
        egret_schedule_free(&work);
        return code;
    }
    *out = work;
    return EGRET_OK;
}

int egret_cm_load(const char *path, uint64_t zero_size, struct egret_schedule *out,
                  struct egret_trace_error *err)
{
    struct text_file file;
    int code = egret_text_load(path, &file, err);
    if (code == EGRET_OK) {
        code = egret_cm_parse(file.text, file.size, path, zero_size, out, err);
        egret_text_free(&file);
    }
    return code;
}
