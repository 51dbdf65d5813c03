/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings_schema.c: the JSON schema of settings, and the list of their names, from the table of
 * keys.
 */
#include <inttypes.h>
#include <string.h>

#include "settings_keys.h"

#define FIELD_PREFIX "SAI_NATIVE_HASH_FIELD_"

static void schema_table(const struct set_table *t, int indent, struct egret_outfile *f);

static void schema_enum(const struct set_name *names, struct egret_outfile *f)
{
    egret_outfile_printf(f, "\"enum\": [");
    for (const struct set_name *n = names; n->name; n++) {
        egret_outfile_printf(f, "%s\"%s\"", n == names ? "" : ", ", n->name);
    }
    egret_outfile_printf(f, "]");
}

static void schema_number(const struct set_key *k, uint64_t scale, struct egret_outfile *f)
{
    const char *comma = "";
    if (!(k->flags & SET_POW2)) {
        egret_outfile_printf(
            f, "\"type\": \"integer\", \"minimum\": %" PRIu64 ", \"maximum\": %" PRIu64,
            (k->min + scale - 1u) / scale, k->max / scale);
        return;
    }
    egret_outfile_printf(f, "\"enum\": [");
    for (uint64_t v = k->min; v <= k->max; v = v ? 2u * v : 1u, comma = ", ") {
        egret_outfile_printf(f, "%s%" PRIu64, comma, v);
    }
    egret_outfile_printf(f, "]");
}

static void schema_hardware(struct egret_outfile *f)
{
    egret_outfile_printf(f, "\"enum\": [");
    for (size_t i = 0; egret_cfg_name(i); i++) {
        egret_outfile_printf(f, "%s\"%s\"", i ? ", " : "", egret_cfg_name(i));
    }
    egret_outfile_printf(f, "]");
}

static void schema_fields(struct egret_outfile *f)
{
    egret_outfile_printf(f, "\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"enum\": [");
    for (uint32_t bit = 0; egret_hash_field_name(bit); bit++) {
        egret_outfile_printf(f, "%s\"%s\", \"" FIELD_PREFIX "%s\"", bit ? ", " : "",
                             egret_hash_field_name(bit), egret_hash_field_name(bit));
    }
    egret_outfile_printf(f, "]}");
}

/* An alias of a list's element is a number. */
static void schema_value(const struct set_key *k, const struct set_alias *a, int indent,
                         struct egret_outfile *f)
{
    bool element = a && a->element >= 0;
    switch (element ? SET_U32 : k->type) {
    case SET_IDLE:
        egret_outfile_printf(f, "\"oneOf\": [{");
        schema_number(k, a ? a->scale : 1u, f);
        egret_outfile_printf(f, "}, {\"const\": \"never\"}]");
        return;
    case SET_BOOL:
        egret_outfile_printf(f, "\"type\": \"boolean\"");
        return;
    case SET_SPEED:
        egret_outfile_printf(f, "\"oneOf\": [{");
        schema_number(k, 1, f);
        egret_outfile_printf(
            f, "}, {\"type\": \"string\", \"pattern\": \"^[0-9]{1,11}(G|M|Gbps|Mbps)$\"}]");
        return;
    case SET_ENUM:
        schema_enum(k->names, f);
        return;
    case SET_HARDWARE:
        schema_hardware(f);
        return;
    case SET_KEY:
        egret_outfile_printf(f, "\"type\": \"string\", \"pattern\": "
                                "\"^(rss|symmetric|([0-9a-fA-F]{2}){1,64})$\"");
        return;
    case SET_FIELDS:
        schema_fields(f);
        return;
    case SET_BITS:
    case SET_LIST:
        egret_outfile_printf(f, "\"type\": \"array\", \"maxItems\": %" PRIu32 ", %s\"items\": {",
                             k->cap, k->type == SET_BITS ? "\"uniqueItems\": true, " : "");
        schema_number(k, 1, f);
        egret_outfile_printf(f, "}");
        return;
    case SET_PREFIX:
        egret_outfile_printf(f, "\"type\": \"string\", \"pattern\": \"^[0-9a-fA-F.:]+/[0-9]+$\"");
        return;
    case SET_SECTION:
        schema_table(k->sub, indent, f);
        return;
    case SET_ITEMS:
        egret_outfile_printf(f, "\"type\": \"array\", \"maxItems\": %" PRIu32 ", \"items\": {",
                             k->cap);
        if (k->flags & SET_SHORT) {
            egret_outfile_printf(f, "\"oneOf\": [{");
            schema_number(&k->sub->key[0], 1, f);
            egret_outfile_printf(f, "}, {");
        }
        schema_table(k->sub, indent, f);
        egret_outfile_printf(f, k->flags & SET_SHORT ? "}]}" : "}");
        return;
    default:
        schema_number(k, a ? a->scale : 1u, f);
        return;
    }
}

static void schema_property(const struct set_key *k, const struct set_alias *a, bool first,
                            int indent, struct egret_outfile *f)
{
    egret_outfile_printf(f, "%s\n%*s\"%s\": {\"description\": \"", first ? "" : ",", indent + 2, "",
                         a ? a->name : k->name);
    if (a) {
        egret_outfile_printf(f, "%s: %s", a->of, k->name);
    } else {
        egret_outfile_printf(f, "%s", k->help);
    }
    egret_outfile_printf(f, "\",\n%*s", indent + 4, "");
    schema_value(k, a, indent + 4, f);
    egret_outfile_printf(f, "}");
}

/* A group has a scheme, or a mode in its place under one of its names. */
static void schema_one_scheme(int indent, struct egret_outfile *f)
{
    egret_outfile_printf(
        f, ",\n%*s\"oneOf\": [{\"required\": [\"scheme\"]}, {\"required\": [\"mode\"]}", indent,
        "");
    for (const struct set_alias *a = egret_set_aliases; a->name; a++) {
        if (strcmp(a->table, "groups") == 0 && strcmp(a->key, "mode") == 0) {
            egret_outfile_printf(f, ", {\"required\": [\"%s\"]}", a->name);
        }
    }
    egret_outfile_printf(f, "]");
}

static void schema_table(const struct set_table *t, int indent, struct egret_outfile *f)
{
    const char *comma = "";
    egret_outfile_printf(f, "\"type\": \"object\", \"additionalProperties\": false,\n%*s", indent,
                         "");
    egret_outfile_printf(f, "\"properties\": {");
    for (uint32_t i = 0; i < t->keys; i++) {
        schema_property(&t->key[i], NULL, i == 0, indent, f);
        for (const struct set_alias *a = egret_set_aliases; a->name; a++) {
            if (strcmp(a->table, t->path) == 0 && strcmp(a->key, t->key[i].name) == 0) {
                schema_property(&t->key[i], a, false, indent, f);
            }
        }
    }
    egret_outfile_printf(f, "}");
    for (uint32_t i = 0; i < t->keys; i++) {
        if (t->key[i].flags & SET_NEEDED) {
            if (!comma[0]) {
                egret_outfile_printf(f, ",\n%*s\"required\": [", indent, "");
            }
            egret_outfile_printf(f, "%s\"%s\"", comma, t->key[i].name);
            comma = ", ";
        }
    }
    egret_outfile_printf(f, "%s", comma[0] ? "]" : "");
    if (strcmp(t->path, "groups") == 0) {
        schema_one_scheme(indent, f);
    }
}

void egret_settings_schema(struct egret_outfile *f)
{
    egret_outfile_printf(f, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                            "  \"title\": \"Settings of one switch for egret\",\n  ");
    schema_table(&egret_set_root, 2, f);
    egret_outfile_printf(f, "\n}\n");
}

/* The values of a name list that are SAI's. */
static void other_values(const struct set_table *t, const struct set_key *k,
                         struct egret_outfile *f)
{
    const char *dot = t->path[0] ? "." : "";
    for (const struct set_name *n = k->names; n && n->name; n++) {
        if (n->name[0] == 'S') {
            egret_outfile_printf(f, "%s%s%s: %s\t%s\tSAI\n", t->path, dot, k->name,
                                 egret_set_enum_name(k->names, n->value), n->name);
        }
    }
}

void egret_settings_keys(struct egret_outfile *f)
{
    const struct set_table *t;
    for (size_t i = 0; (t = egret_set_table(i)) != NULL; i++) {
        const char *dot = t->path[0] ? "." : "";
        for (uint32_t k = 0; k < t->keys; k++) {
            for (const struct set_alias *a = egret_set_aliases; a->name; a++) {
                if (strcmp(a->table, t->path) == 0 && strcmp(a->key, t->key[k].name) == 0) {
                    egret_outfile_printf(f, "%s%s%s", t->path, dot, a->key);
                    if (a->element >= 0) {
                        egret_outfile_printf(f, "[%d]", a->element);
                    }
                    egret_outfile_printf(f, "\t%s\t%s\n", a->name, a->of);
                }
            }
            other_values(t, &t->key[k], f);
        }
    }
}
