/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_tree.h: a YAML document as a tree that knows lines and columns. Internal to the trace
 * library.
 */
#ifndef EGRET_TRACE_SETTINGS_TREE_H
#define EGRET_TRACE_SETTINGS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "egret/trace.h"

#define TREE_MAX_DEPTH 12u
#define TREE_MAX_NODES (1u << 20)
#define TREE_NONE UINT32_MAX

enum tree_kind { TREE_SCALAR, TREE_MAP, TREE_LIST };

struct tree_node {
    enum tree_kind kind;
    bool quoted;
    uint32_t line; /* from 1, likewise the column */
    uint32_t column;
    uint32_t child; /* first; of a map keys and values by turns */
    uint32_t next;
    size_t text; /* where in tree.text; ends with NUL */
    size_t length;
};

struct tree {
    const char *name;       /* of the file */
    struct tree_node *node; /* 0 is the root */
    uint32_t nodes;
    uint32_t capacity;
    char *text;
    size_t text_size;
    size_t text_capacity;
};

/* Reads one document without anchors, aliases and tags. Errors as egret_settings_parse(). */
int egret_tree_parse(const char *text, size_t n, const char *name, struct tree *out,
                     struct egret_trace_error *err);
void egret_tree_free(struct tree *t);
/* "FILE:LINE:COLUMN: reason"; returns EGRET_ERR_RANGE. */
int egret_tree_fail(const struct tree *t, uint32_t node, struct egret_trace_error *err,
                    const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
static inline const char *egret_tree_text(const struct tree *t, uint32_t node)
{
    return t->text + t->node[node].text;
}

#endif
