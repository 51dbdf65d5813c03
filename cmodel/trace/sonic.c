/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sonic.c: settings from SONiC's config_db.json: PORT, PORTCHANNEL_MEMBER, SWITCH_HASH and the ARS
 * tables. docs/config.md says what becomes what.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egret/trace_make.h"
#include "settings_fill.h"
#include "sonic.h"
#include "text.h"

/* A name of the file goes into a line of text. */
static void printable(char *text)
{
    for (; *text; text++) {
        *text = (unsigned char)*text < 0x20u || (unsigned char)*text == 0x7fu ? '?' : *text;
    }
}

int egret_sonic_fail(const struct sonic *c, const char *table, const char *key, const char *field,
                     const char *reason)
{
    (void)egret_trace_fail(c->err, EGRET_ERR_RANGE, "%s: %s%s%.40s%s%.40s: %s", c->file, table,
                           key ? "|" : "", key ? key : "", field ? "|" : "", field ? field : "",
                           reason);
    if (c->err) {
        printable(c->err->text);
    }
    return EGRET_ERR_RANGE;
}

void egret_sonic_note(const struct sonic *c, const char *format, ...)
{
    char text[240];
    va_list args;
    if (!c->note) {
        return;
    }
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printable(text);
    c->note(c->ctx, text);
}

int egret_sonic_table(const struct sonic *c, const char *name, json_t **out)
{
    *out = json_object_get(c->root, name);
    return *out && !json_is_object(*out)
               ? egret_sonic_fail(c, name, NULL, NULL, "wrong type, wanted an object")
               : EGRET_OK;
}

/* The table under the name of the YANG model, or that of the SAI names list, which has an s. */
int egret_sonic_either(const struct sonic *c, const char *name, const char *other,
                       const char **used, json_t **out)
{
    int code = egret_sonic_table(c, name, out);
    *used = name;
    if (code == EGRET_OK && !*out) {
        *used = other;
        code = egret_sonic_table(c, other, out);
    }
    return code;
}

/* A number, as a string like all of SONiC's or plain; *out is left alone without the field. */
int egret_sonic_number(const struct sonic *c, const char *table, const char *key, json_t *fields,
                       const char *field, uint64_t min, uint64_t max, uint64_t *out, bool *given)
{
    json_t *v = json_object_get(fields, field);
    char reason[80];
    uint64_t n = 0;
    *given = v != NULL;
    if (!v) {
        return EGRET_OK;
    }
    if (json_is_string(v)) {
        if (!egret_text_u64(json_string_value(v), json_string_length(v), UINT64_MAX, &n)) {
            return egret_sonic_fail(c, table, key, field, "wrong type, wanted a number");
        }
    } else if (json_is_integer(v) && json_integer_value(v) >= 0) {
        n = (uint64_t)json_integer_value(v);
    } else {
        return egret_sonic_fail(c, table, key, field, "wrong type, wanted a number");
    }
    if (n < min || n > max) {
        (void)snprintf(reason, sizeof reason, "out of range, %llu to %llu", (unsigned long long)min,
                       (unsigned long long)max);
        return egret_sonic_fail(c, table, key, field, reason);
    }
    *out = n;
    return EGRET_OK;
}

/* Text; null without the field. */
int egret_sonic_text(const struct sonic *c, const char *table, const char *key, json_t *fields,
                     const char *field, const char **out)
{
    json_t *v = json_object_get(fields, field);
    *out = v ? json_string_value(v) : NULL;
    return v && !*out ? egret_sonic_fail(c, table, key, field, "wrong type, wanted a string")
                      : EGRET_OK;
}

static int read_ports(struct sonic *c)
{
    struct egret_settings *s = c->s;
    const char *key;
    json_t *table;
    json_t *fields;
    int code = egret_sonic_table(c, "PORT", &table);
    if (code || !table) {
        return code ? code : egret_sonic_fail(c, "PORT", NULL, NULL, "no such table");
    }
    if (json_object_size(table) == 0 || json_object_size(table) > EGRET_MAX_PORTS) {
        return egret_sonic_fail(c, "PORT", NULL, NULL, "1 to 64 ports");
    }
    json_object_foreach(table, key, fields)
    {
        if (!json_is_object(fields)) {
            return egret_sonic_fail(c, "PORT", key, NULL, "wrong type, wanted an object");
        }
        if (!egret_sonic_port_name(key, &c->port[c->ports].number)) {
            return egret_sonic_fail(c, "PORT", key, NULL, "no name like Ethernet0");
        }
        c->port[c->ports++].name = key;
    }
    egret_sonic_sort(c->port, c->ports);
    s->port = calloc(c->ports, sizeof *s->port);
    if (!s->port) {
        return egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->file);
    }
    s->ports = c->ports;
    (void)egret_cfg_named(c->ports <= 16u ? "lab" : "tor64", &s->cfg);
    for (uint32_t p = 0; p < c->ports; p++) {
        struct egret_settings_port *q = &s->port[p];
        const char *status;
        uint64_t speed = 0;
        bool given;
        key = c->port[p].name;
        fields = json_object_get(table, key);
        if (p > 0 && c->port[p].number == c->port[p - 1u].number) {
            return egret_sonic_fail(c, "PORT", key, NULL, "this port is there twice");
        }
        code = egret_sonic_number(c, "PORT", key, fields, "speed", 1, EGRET_SETTINGS_MAX_MBPS,
                                  &speed, &given);
        code = code ? code : egret_sonic_text(c, "PORT", key, fields, "admin_status", &status);
        if (code) {
            return code;
        }
        if (!given) {
            return egret_sonic_fail(c, "PORT", key, "speed", "missing");
        }
        if (status && strcmp(status, "up") != 0 && strcmp(status, "down") != 0) {
            return egret_sonic_fail(c, "PORT", key, "admin_status", "neither up nor down");
        }
        q->port = q->last = p;
        q->speed_mbps = (uint32_t)speed;
        q->up = status && strcmp(status, "up") == 0; /* SONiC's default is down */
        egret_set_mark("ports", q, "port");
        egret_set_mark("ports", q, "last");
        egret_set_mark("ports", q, "up");
        egret_set_mark("ports", q, "speed");
    }
    return EGRET_OK;
}

static int read_hash(struct sonic *c)
{
    struct egret_settings *s = c->s;
    json_t *table;
    json_t *field;
    json_t *list;
    size_t i;
    const char *algorithm;
    int code = egret_sonic_table(c, "SWITCH_HASH", &table);
    json_t *global = table ? json_object_get(table, "GLOBAL") : NULL;
    if (code || !global) {
        return code;
    }
    if (!json_is_object(global)) {
        return egret_sonic_fail(c, "SWITCH_HASH", "GLOBAL", NULL, "wrong type, wanted an object");
    }
    list = json_object_get(global, "ecmp_hash");
    if (list && !json_is_array(list)) {
        return egret_sonic_fail(c, "SWITCH_HASH", "GLOBAL", "ecmp_hash",
                                "wrong type, wanted a list");
    }
    if (list) {
        s->hash.setup.fields = 0;
        egret_set_mark("", s, "hash");
        egret_set_mark("hash", &s->hash, "fields");
    }
    json_array_foreach(list, i, field)
    {
        uint32_t bit;
        if (!json_is_string(field)) {
            return egret_sonic_fail(c, "SWITCH_HASH", "GLOBAL", "ecmp_hash",
                                    "wrong type, wanted names");
        }
        if (egret_hash_field_by_name(json_string_value(field), &bit) == EGRET_OK) {
            s->hash.setup.fields |= bit;
        } else {
            egret_sonic_note(c, "SWITCH_HASH|GLOBAL|ecmp_hash: %.40s is not hashed here",
                             json_string_value(field));
        }
    }
    code = egret_sonic_text(c, "SWITCH_HASH", "GLOBAL", global, "ecmp_hash_algorithm", &algorithm);
    if (code || !algorithm) {
        return code;
    }
    if (!egret_sonic_algorithm(algorithm, &s->hash.setup.algorithm)) {
        egret_sonic_note(c, "SWITCH_HASH|GLOBAL|ecmp_hash_algorithm: no %.40s here, %s counts",
                         algorithm, egret_hash_algorithm_name(s->hash.setup.algorithm));
        return EGRET_OK;
    }
    egret_set_mark("", s, "hash");
    egret_set_mark("hash", &s->hash, "algorithm");
    return EGRET_OK;
}

uint32_t egret_sonic_object(const struct sonic *c, const char *name)
{
    for (uint32_t i = 0; i < c->objects; i++) {
        if (strcmp(c->object[i].name, name) == 0) {
            return i;
        }
    }
    return NO_OBJECT;
}

static int read_objects(struct sonic *c)
{
    const char *used;
    const char *key;
    json_t *table;
    json_t *fields;
    int code = egret_sonic_either(c, "ARS_OBJECT", "ARS_NEXTHOP_GROUP", &used, &table);
    if (code || !table) {
        return code;
    }
    if (json_object_size(table) > MAX_OBJECTS) {
        return egret_sonic_fail(c, used, NULL, NULL, "more than 64 objects");
    }
    json_object_foreach(table, key, fields)
    {
        if (!json_is_object(fields)) {
            return egret_sonic_fail(c, used, key, NULL, "wrong type, wanted an object");
        }
        c->object[c->objects].name = key;
        c->object[c->objects++].fields = fields;
    }
    return EGRET_OK;
}

static int read_profile(struct sonic *c)
{
    static const char *const ignored[] = {"past_load_min_value",
                                          "past_load_max_value",
                                          "future_load_min_value",
                                          "future_load_max_value",
                                          "current_load_min_value",
                                          "current_load_max_value",
                                          "ars_nhg_path_selector_mode",
                                          "ars_lag_path_selector_mode",
                                          "ipv4_enable",
                                          "ipv6_enable"};
    struct egret_settings_load *l = &c->s->load;
    json_t *table;
    uint64_t v[4] = {16, 16, 16, 0}; /* the YANG model's: us, weights */
    bool given;
    int code = egret_sonic_table(c, "ARS_PROFILE", &table);
    void *first = table ? json_object_iter(table) : NULL;
    if (code || !first) {
        return code;
    }
    const char *key = json_object_iter_key(first);
    json_t *p = json_object_iter_value(first);
    const char *word;
    if (json_object_size(table) > 1) {
        return egret_sonic_fail(c, "ARS_PROFILE", NULL, NULL, "more than one profile");
    }
    if (!json_is_object(p)) {
        return egret_sonic_fail(c, "ARS_PROFILE", key, NULL, "wrong type, wanted an object");
    }
    code = egret_sonic_text(c, "ARS_PROFILE", key, p, "algorithm", &word);
    if (code == EGRET_OK && word && strcmp(word, "ewma") != 0) {
        return egret_sonic_fail(c, "ARS_PROFILE", key, "algorithm", "there is ewma alone");
    }
    code = code ? code
                : egret_sonic_number(c, "ARS_PROFILE", key, p, "sampling_interval", 1, 1000000,
                                     &v[0], &given);
    code = code ? code
                : egret_sonic_number(c, "ARS_PROFILE", key, p, "past_load_weight", 0, 65535, &v[1],
                                     &given);
    code = code ? code
                : egret_sonic_number(c, "ARS_PROFILE", key, p, "future_load_weight", 0, 65535,
                                     &v[2], &given);
    code = code ? code
                : egret_sonic_number(c, "ARS_PROFILE", key, p, "max_flows", 0, UINT32_MAX, &v[3],
                                     &given);
    code = code ? code : egret_sonic_text(c, "ARS_PROFILE", key, p, "default_ars_object", &word);
    if (code) {
        return code;
    }
    if (word && (c->fallback = egret_sonic_object(c, word)) == NO_OBJECT) {
        return egret_sonic_fail(c, "ARS_PROFILE", key, "default_ars_object",
                                "there is no such object");
    }
    if (v[3] > c->s->cfg.num_flowlets) {
        egret_sonic_note(c, "ARS_PROFILE|%.40s|max_flows: hardware %s has %u in all", key,
                         c->s->cfg.name, c->s->cfg.num_flowlets);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (json_object_get(p, ignored[i])) {
            egret_sonic_note(c, "ARS_PROFILE|%.40s|%s is ignored", key, ignored[i]);
        }
    }
    l->preset = 0; /* sai: exponent and thresholds */
    l->period_ns = (uint32_t)v[0] * 1000u;
    l->share_past = (uint32_t)v[1];
    l->share_future = (uint32_t)v[2];
    egret_set_mark("", c->s, "load");
    egret_set_mark("load", l, "period");
    egret_set_mark("load", l, "past-share");
    egret_set_mark("load", l, "future-share");
    return EGRET_OK;
}

static void note_ignored(const struct sonic *c)
{
    static const char *const known[] = {"PORT",
                                        "SWITCH_HASH",
                                        "ARS_PROFILE",
                                        "ARS_OBJECT",
                                        "ARS_NEXTHOP_GROUP",
                                        "ARS_INTERFACE",
                                        "ARS_INTERFACES",
                                        "ARS_PORTCHANNEL",
                                        "ARS_PORTCHANNELS",
                                        "PORTCHANNEL_MEMBER"};
    const char *key;
    json_t *value;
    unsigned others = 0;
    json_object_foreach(c->root, key, value)
    {
        bool read = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            read = read || strcmp(key, known[i]) == 0;
        }
        if (!read && (strncmp(key, "ARS_", 4) == 0 || others < 8u)) {
            egret_sonic_note(c, "table %.40s is ignored", key);
        }
        others += !read;
    }
    if (others > 8u) {
        egret_sonic_note(c, "%u tables are ignored in all", others);
    }
}

int egret_sonic_parse(const char *bytes, size_t n, const char *name, struct egret_settings *out,
                      egret_note_fn take_note, void *ctx, struct egret_trace_error *err)
{
    struct sonic c;
    json_error_t error;
    memset(out, 0, sizeof *out);
    memset(&c, 0, sizeof c);
    if (n > EGRET_SETTINGS_MAX_BYTES) {
        return egret_trace_fail(err, EGRET_ERR_RANGE, "%s: more than %u bytes", name,
                                EGRET_SETTINGS_MAX_BYTES);
    }
    c.file = name;
    c.s = out;
    c.err = err;
    c.note = take_note;
    c.ctx = ctx;
    c.fallback = NO_OBJECT;
    c.root = json_loadb(n ? bytes : "", n, JSON_REJECT_DUPLICATES, &error);
    if (!c.root) {
        (void)egret_trace_fail(err, EGRET_ERR_RANGE, "%s:%d:%d: %s", name, error.line, error.column,
                               error.text);
        if (err) {
            printable(err->text);
        }
        return EGRET_ERR_RANGE;
    }
    egret_set_defaults(&egret_set_root, out);
    int code = json_is_object(c.root)
                   ? EGRET_OK
                   : egret_trace_fail(err, EGRET_ERR_RANGE, "%s:1:1: no object", name);
    code = code ? code : read_ports(&c);
    code = code ? code : read_hash(&c);
    code = code ? code : read_objects(&c);
    code = code ? code : read_profile(&c);
    code = code ? code : egret_sonic_groups(&c);
    code = code ? code : egret_settings_resolve(out, name, err);
    if (code == EGRET_OK) {
        note_ignored(&c);
    } else {
        egret_settings_free(out);
    }
    json_decref(c.root);
    return code;
}
