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
#include "sonic_names.h"
#include "text.h"

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

/* A name of the file goes into a line of text. */
static void printable(char *text)
{
    for (; *text; text++) {
        *text = (unsigned char)*text < 0x20u || (unsigned char)*text == 0x7fu ? '?' : *text;
    }
}

static int fail(const struct sonic *c, const char *table, const char *key, const char *field,
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

static void note(const struct sonic *c, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
static void note(const struct sonic *c, const char *format, ...)
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

static int table_of(const struct sonic *c, const char *name, json_t **out)
{
    *out = json_object_get(c->root, name);
    return *out && !json_is_object(*out) ? fail(c, name, NULL, NULL, "wrong type, wanted an object")
                                         : EGRET_OK;
}

/* The table under the name of the YANG model, or that of the SAI names list, which has an s. */
static int either(const struct sonic *c, const char *name, const char *other, const char **used,
                  json_t **out)
{
    int code = table_of(c, name, out);
    *used = name;
    if (code == EGRET_OK && !*out) {
        *used = other;
        code = table_of(c, other, out);
    }
    return code;
}

/* A number, as a string like all of SONiC's or plain; *out is left alone without the field. */
static int number(const struct sonic *c, const char *table, const char *key, json_t *fields,
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
            return fail(c, table, key, field, "wrong type, wanted a number");
        }
    } else if (json_is_integer(v) && json_integer_value(v) >= 0) {
        n = (uint64_t)json_integer_value(v);
    } else {
        return fail(c, table, key, field, "wrong type, wanted a number");
    }
    if (n < min || n > max) {
        (void)snprintf(reason, sizeof reason, "out of range, %llu to %llu", (unsigned long long)min,
                       (unsigned long long)max);
        return fail(c, table, key, field, reason);
    }
    *out = n;
    return EGRET_OK;
}

/* Text; null without the field. */
static int text(const struct sonic *c, const char *table, const char *key, json_t *fields,
                const char *field, const char **out)
{
    json_t *v = json_object_get(fields, field);
    *out = v ? json_string_value(v) : NULL;
    return v && !*out ? fail(c, table, key, field, "wrong type, wanted a string") : EGRET_OK;
}

static int read_ports(struct sonic *c)
{
    struct egret_settings *s = c->s;
    const char *key;
    json_t *table;
    json_t *fields;
    int code = table_of(c, "PORT", &table);
    if (code || !table) {
        return code ? code : fail(c, "PORT", NULL, NULL, "no such table");
    }
    if (json_object_size(table) == 0 || json_object_size(table) > EGRET_MAX_PORTS) {
        return fail(c, "PORT", NULL, NULL, "1 to 64 ports");
    }
    json_object_foreach(table, key, fields)
    {
        if (!json_is_object(fields)) {
            return fail(c, "PORT", key, NULL, "wrong type, wanted an object");
        }
        if (!egret_sonic_port_name(key, &c->port[c->ports].number)) {
            return fail(c, "PORT", key, NULL, "no name like Ethernet0");
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
            return fail(c, "PORT", key, NULL, "this port is there twice");
        }
        code = number(c, "PORT", key, fields, "speed", 1, EGRET_SETTINGS_MAX_MBPS, &speed, &given);
        code = code ? code : text(c, "PORT", key, fields, "admin_status", &status);
        if (code) {
            return code;
        }
        if (!given) {
            return fail(c, "PORT", key, "speed", "missing");
        }
        if (status && strcmp(status, "up") != 0 && strcmp(status, "down") != 0) {
            return fail(c, "PORT", key, "admin_status", "neither up nor down");
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
    int code = table_of(c, "SWITCH_HASH", &table);
    json_t *global = table ? json_object_get(table, "GLOBAL") : NULL;
    if (code || !global) {
        return code;
    }
    if (!json_is_object(global)) {
        return fail(c, "SWITCH_HASH", "GLOBAL", NULL, "wrong type, wanted an object");
    }
    list = json_object_get(global, "ecmp_hash");
    if (list && !json_is_array(list)) {
        return fail(c, "SWITCH_HASH", "GLOBAL", "ecmp_hash", "wrong type, wanted a list");
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
            return fail(c, "SWITCH_HASH", "GLOBAL", "ecmp_hash", "wrong type, wanted names");
        }
        if (egret_hash_field_by_name(json_string_value(field), &bit) == EGRET_OK) {
            s->hash.setup.fields |= bit;
        } else {
            note(c, "SWITCH_HASH|GLOBAL|ecmp_hash: %.40s is not hashed here",
                 json_string_value(field));
        }
    }
    code = text(c, "SWITCH_HASH", "GLOBAL", global, "ecmp_hash_algorithm", &algorithm);
    if (code || !algorithm) {
        return code;
    }
    if (!egret_sonic_algorithm(algorithm, &s->hash.setup.algorithm)) {
        note(c, "SWITCH_HASH|GLOBAL|ecmp_hash_algorithm: no %.40s here, %s counts", algorithm,
             egret_hash_algorithm_name(s->hash.setup.algorithm));
        return EGRET_OK;
    }
    egret_set_mark("", s, "hash");
    egret_set_mark("hash", &s->hash, "algorithm");
    return EGRET_OK;
}

static uint32_t object_by_name(const struct sonic *c, const char *name)
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
    int code = either(c, "ARS_OBJECT", "ARS_NEXTHOP_GROUP", &used, &table);
    if (code || !table) {
        return code;
    }
    if (json_object_size(table) > MAX_OBJECTS) {
        return fail(c, used, NULL, NULL, "more than 64 objects");
    }
    json_object_foreach(table, key, fields)
    {
        if (!json_is_object(fields)) {
            return fail(c, used, key, NULL, "wrong type, wanted an object");
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
    int code = table_of(c, "ARS_PROFILE", &table);
    void *first = table ? json_object_iter(table) : NULL;
    if (code || !first) {
        return code;
    }
    const char *key = json_object_iter_key(first);
    json_t *p = json_object_iter_value(first);
    const char *word;
    if (json_object_size(table) > 1) {
        return fail(c, "ARS_PROFILE", NULL, NULL, "more than one profile");
    }
    if (!json_is_object(p)) {
        return fail(c, "ARS_PROFILE", key, NULL, "wrong type, wanted an object");
    }
    code = text(c, "ARS_PROFILE", key, p, "algorithm", &word);
    if (code == EGRET_OK && word && strcmp(word, "ewma") != 0) {
        return fail(c, "ARS_PROFILE", key, "algorithm", "there is ewma alone");
    }
    code = code ? code
                : number(c, "ARS_PROFILE", key, p, "sampling_interval", 1, 1000000, &v[0], &given);
    code =
        code ? code : number(c, "ARS_PROFILE", key, p, "past_load_weight", 0, 65535, &v[1], &given);
    code = code ? code
                : number(c, "ARS_PROFILE", key, p, "future_load_weight", 0, 65535, &v[2], &given);
    code =
        code ? code : number(c, "ARS_PROFILE", key, p, "max_flows", 0, UINT32_MAX, &v[3], &given);
    code = code ? code : text(c, "ARS_PROFILE", key, p, "default_ars_object", &word);
    if (code) {
        return code;
    }
    if (word && (c->fallback = object_by_name(c, word)) == NO_OBJECT) {
        return fail(c, "ARS_PROFILE", key, "default_ars_object", "there is no such object");
    }
    if (v[3] > c->s->cfg.num_flowlets) {
        note(c, "ARS_PROFILE|%.40s|max_flows: hardware %s has %u in all", key, c->s->cfg.name,
             c->s->cfg.num_flowlets);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (json_object_get(p, ignored[i])) {
            note(c, "ARS_PROFILE|%.40s|%s is ignored", key, ignored[i]);
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

static int add_member(struct sonic *c, const char *table, const char *key,
                      struct egret_settings_group *g, const char *interface)
{
    uint32_t p = 0;
    while (p < c->ports && strcmp(c->port[p].name, interface) != 0) {
        p++;
    }
    if (p == c->ports) {
        return fail(c, table, key, NULL, "there is no such port");
    }
    if (!g->member) {
        g->member = calloc(EGRET_MAX_PORTS, sizeof *g->member);
        if (!g->member) {
            return egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->file);
        }
    }
    if (g->members == EGRET_MAX_PORTS) { /* a port twice is found later */
        return fail(c, table, key, NULL, "more than 64 members");
    }
    g->member[g->members].port = p;
    g->member[g->members++].weight = 1;
    return EGRET_OK;
}

static int fill_group(struct sonic *c, const char *table, const char *key, json_t *fields,
                      struct egret_settings_group *g)
{
    static const char *const ignored[] = {"primary_path_threshold", "alternative_path_cost",
                                          "alternative_path_members"};
    uint64_t idle = 256;
    uint64_t flows = 512;
    const char *mode;
    bool given;
    int code = text(c, table, key, fields, "assign_mode", &mode);
    code = code ? code : number(c, table, key, fields, "flowlet_idle_time", 2, 2047, &idle, &given);
    code = code ? code : number(c, table, key, fields, "max_flows", 1, UINT32_MAX, &flows, &given);
    if (code) {
        return code;
    }
    if (mode && strcmp(mode, "per_flowlet_quality") != 0 &&
        strcmp(mode, "per_packet_quality") != 0 && strcmp(mode, "per_packet") != 0) {
        return fail(c, table, key, "assign_mode",
                    "neither per_flowlet_quality nor per_packet_quality");
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (json_object_get(fields, ignored[i])) {
            note(c, "%s|%.40s|%s is ignored: there are no alternate paths here", table, key,
                 ignored[i]);
        }
    }
    egret_set_mark("groups", g, "id");
    egret_set_mark("groups", g, "mode");
    egret_set_mark("groups", g, "members");
    g->mode = 2;
    if (!mode || strcmp(mode, "per_flowlet_quality") == 0) {
        uint32_t entries = 1;
        while (entries < c->s->cfg.num_flowlets && 2u * entries <= flows) {
            entries *= 2u;
        }
        if (entries != flows) {
            note(c, "%s|%.40s|max_flows: %u, a power of two within hardware %s", table, key,
                 entries, c->s->cfg.name);
        }
        g->mode = 0;
        g->flowlet.idle_ns = idle * 1000u;
        g->flowlet.entries = entries;
        egret_set_mark("groups", g, "flowlet");
        egret_set_mark("groups.flowlet", &g->flowlet, "idle");
        egret_set_mark("groups.flowlet", &g->flowlet, "entries");
    }
    return EGRET_OK;
}

static int read_interfaces(struct sonic *c)
{
    const char *used;
    const char *key;
    json_t *table;
    json_t *fields;
    int code = either(c, "ARS_INTERFACE", "ARS_INTERFACES", &used, &table);
    if (code || !table) {
        return code;
    }
    json_object_foreach(table, key, fields)
    {
        const char *name;
        uint32_t o = c->fallback;
        if (!json_is_object(fields)) {
            return fail(c, used, key, NULL, "wrong type, wanted an object");
        }
        code = text(c, used, key, fields, "ars_obj_name", &name);
        if (code) {
            return code;
        }
        if (name && (o = object_by_name(c, name)) == NO_OBJECT) {
            return fail(c, used, key, "ars_obj_name", "there is no such object");
        }
        if (json_object_get(fields, "scaling_factor")) {
            note(c, "%s|%.40s|scaling_factor is ignored: the port's speed counts", used, key);
        }
        if (o == NO_OBJECT) {
            if (c->objects != 1u) {
                note(c, "%s|%.40s is in no group: it names no object", used, key);
                continue;
            }
            o = 0; /* the only one */
        }
        code = add_member(c, used, key, &c->s->group[o], key);
        if (code) {
            return code;
        }
    }
    return EGRET_OK;
}

/* Port channels: a group each, of the members that PORTCHANNEL_MEMBER names. */
static int read_channels(struct sonic *c, uint32_t *groups)
{
    const char *used;
    const char *key;
    const char *pair;
    json_t *table;
    json_t *members;
    json_t *fields;
    json_t *unused;
    int code = either(c, "ARS_PORTCHANNEL", "ARS_PORTCHANNELS", &used, &table);
    code = code ? code : table_of(c, "PORTCHANNEL_MEMBER", &members);
    if (code || !table) {
        return code;
    }
    if (json_object_size(table) > MAX_OBJECTS) {
        return fail(c, used, NULL, NULL, "more than 64 port channels");
    }
    json_object_foreach(table, key, fields)
    {
        struct egret_settings_group *g = &c->s->group[*groups];
        size_t n = strlen(key);
        const char *name;
        if (!json_is_object(fields)) {
            return fail(c, used, key, NULL, "wrong type, wanted an object");
        }
        code = text(c, used, key, fields, "ars_obj_name", &name);
        uint32_t o = name ? object_by_name(c, name) : NO_OBJECT;
        if (code == EGRET_OK && name && o == NO_OBJECT) {
            return fail(c, used, key, "ars_obj_name", "there is no such object");
        }
        json_object_foreach(members, pair, unused)
        {
            if (code == EGRET_OK && strncmp(pair, key, n) == 0 && pair[n] == '|') {
                code = add_member(c, "PORTCHANNEL_MEMBER", pair, g, pair + n + 1u);
            }
        }
        if (code) {
            return code;
        }
        if (g->members == 0) {
            note(c, "%s|%.40s is ignored: PORTCHANNEL_MEMBER has no member of it", used, key);
            continue;
        }
        o = o == NO_OBJECT ? c->fallback : o;
        code = o == NO_OBJECT
                   ? fill_group(c, used, key, fields, g)
                   : fill_group(c, "ARS_OBJECT", c->object[o].name, c->object[o].fields, g);
        if (code) {
            return code;
        }
        (*groups)++;
    }
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
            note(c, "table %.40s is ignored", key);
        }
        others += !read;
    }
    if (others > 8u) {
        note(c, "%u tables are ignored in all", others);
    }
}

static int read_groups(struct sonic *c)
{
    struct egret_settings *s = c->s;
    uint32_t groups = 0;
    int code = EGRET_OK;
    s->group = calloc(2u * MAX_OBJECTS + 1u, sizeof *s->group);
    if (!s->group) {
        return egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->file);
    }
    s->groups = 2u * MAX_OBJECTS + 1u; /* all, so that their members can be freed */
    code = read_interfaces(c);
    for (uint32_t o = 0; o < c->objects && code == EGRET_OK; o++) {
        struct egret_settings_group g = s->group[o];
        if (g.members == 0) {
            note(c, "ARS_OBJECT|%.40s is ignored: no interface has it", c->object[o].name);
            continue;
        }
        memset(&s->group[o], 0, sizeof g);
        s->group[groups] = g;
        code = fill_group(c, "ARS_OBJECT", c->object[o].name, c->object[o].fields,
                          &s->group[groups++]);
    }
    code = code ? code : read_channels(c, &groups);
    for (uint32_t i = 0; i < groups && code == EGRET_OK; i++) {
        s->group[i].id = i;
    }
    s->groups = code ? s->groups : groups;
    return code;
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
    code = code ? code : read_groups(&c);
    code = code ? code : egret_settings_resolve(out, name, err);
    if (code == EGRET_OK) {
        note_ignored(&c);
    } else {
        egret_settings_free(out);
    }
    json_decref(c.root);
    return code;
}
