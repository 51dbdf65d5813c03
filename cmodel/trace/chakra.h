/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra.h: what the files of the Chakra reader share. Internal to the trace library.
 */
#ifndef EGRET_TRACE_CHAKRA_H
#define EGRET_TRACE_CHAKRA_H

#include "importer.h"
#include "names.h"
#include "protobuf.h"

#define CHAKRA_MAX_TEXT 128u

enum chakra_type {
    CHAKRA_INVALID = 0,
    CHAKRA_METADATA = 1,
    CHAKRA_MEM_LOAD = 2,
    CHAKRA_MEM_STORE = 3,
    CHAKRA_COMP = 4,
    CHAKRA_SEND = 5,
    CHAKRA_RECV = 6,
    CHAKRA_COLL = 7
};

/* Attributes that matter; the others are skipped. */
enum chakra_attr {
    ATTR_COMM_TYPE,
    ATTR_COMM_SIZE,
    ATTR_COMM_SRC,
    ATTR_COMM_DST,
    ATTR_COMM_TAG,
    ATTR_ROOT,
    ATTR_IS_CPU_OP,
    ATTR_PG_NAME,
    ATTRS
};

struct chakra_node {
    uint64_t id;
    uint64_t type;
    uint64_t where; /* of its message */
    uint64_t duration; /* microseconds */
    uint64_t value[ATTRS];
    uint32_t has; /* a bit for each attribute */
    char pg_name[CHAKRA_MAX_TEXT];
    uint64_t *dep;
    size_t deps;
    size_t dep_capacity;
    char *values; /* inputs.values of METADATA, or null */
    size_t values_length;
    size_t values_capacity;
};
/* Reads one node up to the end of w; the arrays are kept and used again. */
int egret_chakra_node(struct importer *m, const struct wire *w, struct chakra_node *n);

/* Process groups, by name. */
struct chakra_group {
    uint32_t *rank;
    uint32_t ranks; /* 0: all */
    bool defined;
    char name[CHAKRA_MAX_TEXT];
};
struct chakra_groups {
    struct importer *m;
    struct names names;
    struct chakra_group *group;
    size_t count;
    size_t capacity;
    uint32_t *stamp; /* of each rank: seen in list `stamps` */
    uint32_t stamps;
};
/* Number of a group; a new one is not defined. */
int egret_chakra_group(struct chakra_groups *g, const char *name, uint32_t *group);
/* ASTRA-sim's file. */
int egret_chakra_groups_load(struct chakra_groups *g, const char *path);
/* inputs.values of a METADATA node; other text is no error. */
int egret_chakra_groups_inside(struct chakra_groups *g, struct source *s,
                               const struct chakra_node *n);
void egret_chakra_groups_free(struct chakra_groups *g);
/* struct call_groups' function; user is a struct chakra_groups. */
int egret_chakra_members(void *user, uint32_t group, const uint32_t **rank, uint32_t *ranks,
                         const char **name);

#endif
