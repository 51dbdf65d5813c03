/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sonic_groups.c: groups from SONiC's ARS objects, interfaces and port channels.
 */
#include <stdlib.h>
#include <string.h>

#include "settings_fill.h"
#include "sonic.h"

static int add_member(struct sonic *c, const char *table, const char *key,
                      struct egret_settings_group *g, const char *interface)
{
    uint32_t p = 0;
    while (p < c->ports && strcmp(c->port[p].name, interface) != 0) {
        p++;
    }
    if (p == c->ports) {
        return egret_sonic_fail(c, table, key, NULL, "there is no such port");
    }
    if (!g->member) {
        g->member = calloc(EGRET_MAX_PORTS, sizeof *g->member);
        if (!g->member) {
            return egret_trace_fail(c->err, EGRET_ERR_MEMORY, "%s: out of memory", c->file);
        }
    }
    if (g->members == EGRET_MAX_PORTS) { /* a port twice is found later */
        return egret_sonic_fail(c, table, key, NULL, "more than 64 members");
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
    int code = egret_sonic_text(c, table, key, fields, "assign_mode", &mode);
    code = code ? code
                : egret_sonic_number(c, table, key, fields, "flowlet_idle_time", 2, 2047, &idle,
                                     &given);
    code = code ? code
                : egret_sonic_number(c, table, key, fields, "max_flows", 1, UINT32_MAX, &flows,
                                     &given);
    if (code) {
        return code;
    }
    if (mode && strcmp(mode, "per_flowlet_quality") != 0 &&
        strcmp(mode, "per_packet_quality") != 0 && strcmp(mode, "per_packet") != 0) {
        return egret_sonic_fail(c, table, key, "assign_mode",
                                "neither per_flowlet_quality nor per_packet_quality");
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (json_object_get(fields, ignored[i])) {
            egret_sonic_note(c, "%s|%.40s|%s is ignored: there are no alternate paths here", table,
                             key, ignored[i]);
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
            egret_sonic_note(c, "%s|%.40s|max_flows: %u, a power of two within hardware %s", table,
                             key, entries, c->s->cfg.name);
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
    int code = egret_sonic_either(c, "ARS_INTERFACE", "ARS_INTERFACES", &used, &table);
    if (code || !table) {
        return code;
    }
    json_object_foreach(table, key, fields)
    {
        const char *name;
        uint32_t o = c->fallback;
        if (!json_is_object(fields)) {
            return egret_sonic_fail(c, used, key, NULL, "wrong type, wanted an object");
        }
        code = egret_sonic_text(c, used, key, fields, "ars_obj_name", &name);
        if (code) {
            return code;
        }
        if (name && (o = egret_sonic_object(c, name)) == NO_OBJECT) {
            return egret_sonic_fail(c, used, key, "ars_obj_name", "there is no such object");
        }
        if (json_object_get(fields, "scaling_factor")) {
            egret_sonic_note(c, "%s|%.40s|scaling_factor is ignored: the port's speed counts", used,
                             key);
        }
        if (o == NO_OBJECT) {
            if (c->objects != 1u) {
                egret_sonic_note(c, "%s|%.40s is in no group: it names no object", used, key);
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
    int code = egret_sonic_either(c, "ARS_PORTCHANNEL", "ARS_PORTCHANNELS", &used, &table);
    code = code ? code : egret_sonic_table(c, "PORTCHANNEL_MEMBER", &members);
    if (code || !table) {
        return code;
    }
    if (json_object_size(table) > MAX_OBJECTS) {
        return egret_sonic_fail(c, used, NULL, NULL, "more than 64 port channels");
    }
    json_object_foreach(table, key, fields)
    {
        struct egret_settings_group *g = &c->s->group[*groups];
        size_t n = strlen(key);
        const char *name;
        if (!json_is_object(fields)) {
            return egret_sonic_fail(c, used, key, NULL, "wrong type, wanted an object");
        }
        code = egret_sonic_text(c, used, key, fields, "ars_obj_name", &name);
        uint32_t o = name ? egret_sonic_object(c, name) : NO_OBJECT;
        if (code == EGRET_OK && name && o == NO_OBJECT) {
            return egret_sonic_fail(c, used, key, "ars_obj_name", "there is no such object");
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
            egret_sonic_note(c, "%s|%.40s is ignored: PORTCHANNEL_MEMBER has no member of it", used,
                             key);
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

int egret_sonic_groups(struct sonic *c)
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
            egret_sonic_note(c, "ARS_OBJECT|%.40s is ignored: no interface has it",
                             c->object[o].name);
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
