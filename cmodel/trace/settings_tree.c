/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_tree.c: see settings_tree.h. libyaml reads; what could make a small file a large tree
 * (aliases) is refused, depth and number of nodes are bounded.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "settings_tree.h"

struct building {
    struct tree *t;
    struct egret_trace_error *err;
    uint32_t open[TREE_MAX_DEPTH]; /* maps and lists around */
    uint32_t last[TREE_MAX_DEPTH]; /* and the last child of each */
    uint32_t depth;
    uint32_t documents;
};

int egret_tree_fail(const struct tree *t, uint32_t node, struct egret_trace_error *err,
                    const char *format, ...)
{
    char reason[320];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    for (char *c = reason; *c; c++) { /* a name from the file may hold anything */
        *c = (unsigned char)*c < 0x20u || (unsigned char)*c == 0x7fu ? '?' : *c;
    }
    return egret_trace_fail(err, EGRET_ERR_RANGE, "%s:%u:%u: %s", t->name, t->node[node].line,
                            t->node[node].column, reason);
}

static int fail_at(const struct building *b, const yaml_mark_t *at, const char *reason)
{
    return egret_trace_fail(b->err, EGRET_ERR_RANGE, "%s:%zu:%zu: %s", b->t->name, at->line + 1u,
                            at->column + 1u, reason);
}

static int out_of_memory(const struct building *b)
{
    return egret_trace_fail(b->err, EGRET_ERR_MEMORY, "%s: out of memory", b->t->name);
}

/* Room for one more node and n more characters. */
static bool reserve(struct tree *t, size_t n)
{
    if (t->nodes == t->capacity) {
        uint32_t capacity = t->capacity ? 2u * t->capacity : 64u;
        struct tree_node *grown = realloc(t->node, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        t->node = grown;
        t->capacity = capacity;
    }
    if (t->text_capacity - t->text_size < n) {
        size_t capacity = 2u * t->text_capacity + n;
        char *grown = realloc(t->text, capacity);
        if (!grown) {
            return false;
        }
        t->text = grown;
        t->text_capacity = capacity;
    }
    return true;
}

static int add(struct building *b, const yaml_event_t *e, enum tree_kind kind, const char *text,
               size_t length, bool quoted)
{
    struct tree *t = b->t;
    if (t->nodes == TREE_MAX_NODES) {
        return fail_at(b, &e->start_mark, "too many values");
    }
    if (b->depth == TREE_MAX_DEPTH && kind != TREE_SCALAR) {
        return fail_at(b, &e->start_mark, "nested too deep");
    }
    if (!reserve(t, length + 1u)) {
        return out_of_memory(b);
    }
    uint32_t index = t->nodes++;
    struct tree_node *node = &t->node[index];
    memset(node, 0, sizeof *node);
    node->kind = kind;
    node->quoted = quoted;
    node->line = (uint32_t)e->start_mark.line + 1u;
    node->column = (uint32_t)e->start_mark.column + 1u;
    node->child = node->next = TREE_NONE;
    node->text = t->text_size;
    node->length = length;
    if (length) {
        memcpy(t->text + t->text_size, text, length);
    }
    t->text[t->text_size + length] = '\0';
    t->text_size += length + 1u;
    if (b->depth > 0) {
        uint32_t before = b->last[b->depth - 1u];
        if (before == TREE_NONE) {
            t->node[b->open[b->depth - 1u]].child = index;
        } else {
            t->node[before].next = index;
        }
        b->last[b->depth - 1u] = index;
    }
    if (kind != TREE_SCALAR) {
        b->open[b->depth] = index;
        b->last[b->depth] = TREE_NONE;
        b->depth++;
    }
    return EGRET_OK;
}

static int take(struct building *b, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_ALIAS_EVENT:
        return fail_at(b, &e->start_mark, "aliases are not read");
    case YAML_DOCUMENT_START_EVENT:
        return b->documents++ ? fail_at(b, &e->start_mark, "a second document") : EGRET_OK;
    case YAML_SCALAR_EVENT:
        if (e->data.scalar.anchor || e->data.scalar.tag) {
            return fail_at(b, &e->start_mark, "anchors and tags are not read");
        }
        return add(b, e, TREE_SCALAR, (const char *)e->data.scalar.value, e->data.scalar.length,
                   e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE);
    case YAML_SEQUENCE_START_EVENT:
        if (e->data.sequence_start.anchor || e->data.sequence_start.tag) {
            return fail_at(b, &e->start_mark, "anchors and tags are not read");
        }
        return add(b, e, TREE_LIST, "", 0, false);
    case YAML_MAPPING_START_EVENT:
        if (e->data.mapping_start.anchor || e->data.mapping_start.tag) {
            return fail_at(b, &e->start_mark, "anchors and tags are not read");
        }
        return add(b, e, TREE_MAP, "", 0, false);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return EGRET_OK;
    default:
        return EGRET_OK;
    }
}

static int parse(struct building *b, yaml_parser_t *p)
{
    for (bool done = false; !done;) {
        yaml_event_t e;
        if (!yaml_parser_parse(p, &e)) {
            if (p->error == YAML_MEMORY_ERROR) {
                return out_of_memory(b);
            }
            yaml_mark_t at = p->problem_mark;
            if (p->error == YAML_READER_ERROR) { /* it has no mark then */
                return egret_trace_fail(b->err, EGRET_ERR_RANGE, "%s: byte %zu: %s", b->t->name,
                                        p->problem_offset, p->problem ? p->problem : "no YAML");
            }
            return fail_at(b, &at, p->problem ? p->problem : "no YAML");
        }
        done = e.type == YAML_STREAM_END_EVENT;
        int code = take(b, &e);
        yaml_event_delete(&e);
        if (code) {
            return code;
        }
    }
    if (b->t->nodes == 0) {
        return egret_trace_fail(b->err, EGRET_ERR_RANGE, "%s:1:1: empty", b->t->name);
    }
    return EGRET_OK;
}

int egret_tree_parse(const char *text, size_t n, const char *name, struct tree *out,
                     struct egret_trace_error *err)
{
    struct building b;
    yaml_parser_t parser;
    memset(&b, 0, sizeof b);
    memset(out, 0, sizeof *out);
    out->name = name;
    b.t = out;
    b.err = err;
    if (!yaml_parser_initialize(&parser)) {
        return out_of_memory(&b);
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)(n ? text : ""), n);
    int code = parse(&b, &parser);
    yaml_parser_delete(&parser);
    if (code) {
        egret_tree_free(out);
    }
    return code;
}

void egret_tree_free(struct tree *t)
{
    free(t->node);
    free(t->text);
    memset(t, 0, sizeof *t);
}
