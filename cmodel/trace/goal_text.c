/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal_text.c: reads GOAL text (docs/import.md): words one after the other, lines do not matter.
 */
#include <stdlib.h>
#include <string.h>

#include "goal.h"
#include "names.h"
#include "text.h"

#define MAX_WORD 256u

struct goal_text {
    struct importer *m;
    struct source *s;
    struct goal_block block;
    struct names labels;
    char word[MAX_WORD]; /* the current word; empty at the end of the file */
    size_t length;
    uint64_t line; /* of the word */
    uint8_t *seen; /* a bit a rank would do */
    uint32_t ranks;
};

static bool in_word(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int fail(struct goal_text *t, const char *reason)
{
    return egret_source_fail_line(t->s, t->line, "%s, not '%.40s'", reason,
                                  t->length ? t->word : "the end of the file");
}

/* Behind the slash of a comment. */
static int comment(struct goal_text *t)
{
    struct source *s = t->s;
    uint64_t line = s->line;
    int c = source_get(s);
    if (c == '/') {
        while ((c = source_peek(s)) >= 0 && c != '\n') {
            (void)source_get(s);
        }
        return EGRET_OK;
    }
    if (c != '*') {
        return egret_source_fail_line(s, line, "a slash that starts no comment");
    }
    int last = 0;
    while ((c = source_get(s)) >= 0) {
        s->line += c == '\n';
        if (last == '*' && c == '/') {
            return EGRET_OK;
        }
        last = c;
    }
    return egret_source_fail_line(s, line, "a comment without an end");
}

static int next(struct goal_text *t)
{
    struct source *s = t->s;
    int c;
    t->length = 0;
    t->word[0] = '\0';
    for (;;) {
        c = source_get(s);
        if (c == '/') {
            int code = comment(t);
            if (code) {
                return code;
            }
        } else if (c == '\n') {
            s->line++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
    }
    t->line = s->line;
    if (c < 0) {
        return s->failed;
    }
    t->word[t->length++] = (char)c;
    if (c == '-' || in_word(c)) {
        while (in_word(source_peek(s))) {
            if (t->length + 1u == sizeof t->word) {
                return egret_source_fail_line(s, s->line, "a word of more than %u characters",
                                              MAX_WORD - 1u);
            }
            t->word[t->length++] = (char)source_get(s);
        }
    } else if (c != '{' && c != '}' && c != ':') {
        return egret_source_fail_line(s, s->line, "unexpected byte 0x%02x", (unsigned)c);
    }
    t->word[t->length] = '\0';
    return EGRET_OK;
}

static bool is(const struct goal_text *t, const char *word)
{
    return strcmp(t->word, word) == 0;
}

static int expect(struct goal_text *t, const char *word)
{
    if (is(t, word)) {
        return next(t);
    }
    return egret_source_fail_line(t->s, t->line, "'%s' is missing before '%.40s'", word,
                                  t->length ? t->word : "the end of the file");
}

static int number(struct goal_text *t, uint64_t max, const char *what, uint64_t *out)
{
    return egret_text_u64(t->word, t->length, max, out)
               ? next(t)
               : egret_source_fail_line(t->s, t->line, "%s is a number, 0 to %llu, not '%.40s'",
                                        what, (unsigned long long)max,
                                        t->length ? t->word : "the end of the file");
}

/* "<n>b to <rank>", "<n>b from <rank>" */
static int size_and_peer(struct goal_text *t, struct goal_op *o)
{
    uint64_t peer;
    if (t->length < 2u || t->word[t->length - 1u] != 'b' ||
        !egret_text_u64(t->word, t->length - 1u, UINT64_MAX - 1u, &o->amount)) {
        return fail(t, "a size is bytes with a b behind");
    }
    int code = next(t);
    if (code == EGRET_OK) {
        code = expect(t, o->kind == GOAL_SEND ? "to" : "from");
    }
    if (code == EGRET_OK && o->kind == GOAL_RECV && is(t, "-1")) {
        o->peer = UINT32_MAX;
        return next(t);
    }
    if (code == EGRET_OK) {
        code = number(t, t->ranks - 1u, "a rank", &peer);
        o->peer = (uint32_t)peer;
    }
    return code;
}

/* tag, cpu and nic, in any order, each once. The last two are checked and not used. */
static int ends(struct goal_text *t, struct goal_op *o)
{
    unsigned seen = 0;
    int code = EGRET_OK;
    while (code == EGRET_OK && (is(t, "tag") || is(t, "cpu") || is(t, "nic"))) {
        unsigned which = is(t, "tag") ? 1u : is(t, "cpu") ? 2u : 4u;
        uint64_t ignored;
        if ((seen & which) || (o->kind == GOAL_CALC && which == 1u)) {
            return egret_source_fail_line(t->s, t->line, "one %s too many", t->word);
        }
        seen |= which;
        code = next(t);
        if (code == EGRET_OK && which == 1u && o->kind == GOAL_RECV && is(t, "-1")) {
            o->any_tag = true;
            code = next(t);
        } else if (code == EGRET_OK) {
            code = which == 1u ? number(t, UINT32_MAX, "tag", &o->tag)
                               : number(t, 255, which == 2u ? "cpu" : "nic", &ignored);
        }
    }
    return code;
}

static bool starts_op(const struct goal_text *t)
{
    return is(t, "send") || is(t, "recv") || is(t, "calc");
}

/* From send, recv or calc to what follows. */
static int operation(struct goal_text *t, uint32_t *op)
{
    struct goal_op o = {.kind = is(t, "send")   ? GOAL_SEND
                                : is(t, "recv") ? GOAL_RECV
                                                : GOAL_CALC,
                        .where = t->line};
    int code = next(t);
    if (code == EGRET_OK) {
        code = o.kind == GOAL_CALC ? number(t, GOAL_MAX_CALC_NS, "calc", &o.amount)
                                   : size_and_peer(t, &o);
    }
    if (code == EGRET_OK) {
        code = ends(t, &o);
    }
    return code ? code : egret_goal_op(t->m, &t->block, &o, op);
}

/* Operation of the label at hand, EGRET_NO_OP if it may be missing. */
static int label_use(struct goal_text *t, const char *word, uint32_t *op)
{
    *op = egret_names_find(&t->labels, word);
    if (*op == EGRET_NO_OP && !egret_import_relaxed(t->m, EGRET_RELAX_DANGLING)) {
        return egret_source_fail_line(t->s, t->line,
                                      "no label '%.40s' above it in rank %u (--allow-dangling)",
                                      word, t->block.rank);
    }
    return EGRET_OK;
}

static int statement(struct goal_text *t)
{
    char name[MAX_WORD];
    uint64_t line = t->line;
    uint32_t op;
    if (starts_op(t)) {
        return operation(t, &op);
    }
    /* Of what may be in a word, digits alone are not above '9'. */
    if (t->length == 0 || !in_word((unsigned char)t->word[0]) || t->word[0] <= '9' ||
        t->word[0] == '_') {
        return fail(t, "send, recv, calc, a label or '}' comes here");
    }
    memcpy(name, t->word, t->length + 1u);
    int code = next(t);
    if (code) {
        return code;
    }
    if (is(t, ":")) {
        code = next(t);
        if (code == EGRET_OK && !starts_op(t)) {
            return fail(t, "send, recv or calc comes behind a label");
        }
        code = code ? code : operation(t, &op);
        if (code) {
            return code;
        }
        code = egret_names_add(&t->labels, name, op);
        return code == EGRET_ERR_MEMORY ? egret_import_memory(t->m)
               : code ? egret_source_fail_line(t->s, line, "label '%.40s' is there already", name)
                      : EGRET_OK;
    }
    if (!is(t, "requires") && !is(t, "irequires")) {
        return fail(t, "':', requires or irequires comes behind a label");
    }
    bool start = is(t, "irequires");
    uint32_t before = EGRET_NO_OP;
    code = label_use(t, name, &op);
    code = code ? code : next(t);
    code = code ? code : label_use(t, t->word, &before);
    if (code == EGRET_OK && op != EGRET_NO_OP && before != EGRET_NO_OP) {
        code = egret_goal_wait(t->m, &t->block, before, op, start);
    }
    return code ? code : next(t);
}

static int rank_block(struct goal_text *t)
{
    uint64_t rank;
    int code = expect(t, "rank");
    uint64_t line = t->line;
    code = code ? code : number(t, t->ranks - 1u, "a rank", &rank);
    if (code == EGRET_OK && t->seen[rank]) {
        return egret_source_fail_line(t->s, line, "rank %llu is there already",
                                      (unsigned long long)rank);
    }
    code = code ? code : expect(t, "{");
    if (code) {
        return code;
    }
    t->seen[rank] = 1;
    t->block.rank = (uint32_t)rank;
    t->block.first = (uint32_t)t->m->s->ops;
    egret_names_clear(&t->labels);
    while (code == EGRET_OK && !is(t, "}")) {
        code = statement(t);
    }
    code = code ? code : egret_goal_edges(t->m, &t->block);
    return code ? code : next(t);
}

static int whole(struct goal_text *t)
{
    uint64_t ranks;
    int code = next(t);
    code = code ? code : expect(t, "num_ranks");
    code = code ? code : number(t, GOAL_MAX_RANKS, "num_ranks", &ranks);
    if (code == EGRET_OK && ranks == 0) {
        return egret_source_fail_line(t->s, t->line, "num_ranks is at least 1");
    }
    if (code) {
        return code;
    }
    t->ranks = t->m->s->ranks = (uint32_t)ranks;
    t->seen = calloc(t->ranks, 1);
    if (!t->seen) {
        return egret_import_memory(t->m);
    }
    while (code == EGRET_OK && t->length) {
        code = rank_block(t);
    }
    for (uint32_t i = 0; code == EGRET_OK && i < t->ranks; i++) {
        if (!t->seen[i] && !egret_import_relaxed(t->m, EGRET_RELAX_COUNTS)) {
            code = egret_source_fail_line(t->s, t->line,
                                          "num_ranks %u, but there is no rank %u (--allow-counts)",
                                          t->ranks, i);
        }
    }
    return code;
}

int egret_goal_import(struct importer *m, struct source *s)
{
    struct goal_text t = {.m = m, .s = s};
    int code = whole(&t);
    free(t.seen);
    free(t.block.wait);
    egret_names_free(&t.labels);
    return code ? code : egret_match_ends(m);
}
