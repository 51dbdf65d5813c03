/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sonic.h: what the files that read SONiC's config_db.json share. Internal to the trace library.
 */
#ifndef EGRET_TRACE_SONIC_H
#define EGRET_TRACE_SONIC_H

#include <jansson.h>

#include "egret/settings.h"
#include "sonic_names.h"

#define MAX_OBJECTS 64u
#define NO_OBJECT UINT32_MAX

/* An ARS object, or a port channel of its own: one group. */
struct object {
    const char *name;
    json_t *fields;
};

struct sonic {
    const char *file;
    struct egret_settings *s;
    struct egret_trace_error *err;
    egret_note_fn note;
    void *ctx;
    json_t *root;
    struct sonic_port port[EGRET_MAX_PORTS]; /* by number */
    uint32_t ports;
    struct object object[MAX_OBJECTS];
    uint32_t objects;
    uint32_t fallback; /* the profile's default object */
};

/* "FILE: TABLE|KEY|FIELD: reason"; key and field may be null. Returns EGRET_ERR_RANGE. */
int egret_sonic_fail(const struct sonic *c, const char *table, const char *key, const char *field,
                     const char *reason);
void egret_sonic_note(const struct sonic *c, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* *out is null without the table. */
int egret_sonic_table(const struct sonic *c, const char *name, json_t **out);
/* A table under one of two names. */
int egret_sonic_either(const struct sonic *c, const char *name, const char *other,
                       const char **used, json_t **out);
/* A number, as a string like all of SONiC's or plain; *out is left alone without the field. */
int egret_sonic_number(const struct sonic *c, const char *table, const char *key, json_t *fields,
                       const char *field, uint64_t min, uint64_t max, uint64_t *out, bool *given);
/* Text; null without the field. */
int egret_sonic_text(const struct sonic *c, const char *table, const char *key, json_t *fields,
                     const char *field, const char **out);
/* The index of an ARS object, or NO_OBJECT. */
uint32_t egret_sonic_object(const struct sonic *c, const char *name);

/* sonic_groups.c: a group for each object that an interface has, and for each port channel. */
int egret_sonic_groups(struct sonic *c);

#endif
