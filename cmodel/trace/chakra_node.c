/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_node.c: one node of a Chakra trace out of its bytes.
 */
#include <stdio.h>
#include <string.h>

#include "chakra.h"

#define MAX_VALUES ((size_t)1 << 26) /* a list of process groups */

static const char *const attr_name[ATTRS] = {"comm_type", "comm_size", "comm_src",  "comm_dst",
                                             "comm_tag",  "comm_root", "is_cpu_op", "pg_name"};

/* What an attribute holds. */
struct value {
    uint64_t number; /* sign-extended */
    bool integer;
    bool negative;
    bool text;
    char string[CHAKRA_MAX_TEXT];
    uint64_t length;
};

static int attr_value(const struct wire *w, uint32_t field, unsigned type, struct value *v)
{
    static const uint8_t wire_of[28] = {
        [7] = 1 + WIRE_VARINT,   [9] = 1 + WIRE_VARINT,   [11] = 1 + WIRE_VARINT,
        [13] = 1 + WIRE_VARINT,  [15] = 1 + WIRE_VARINT,  [17] = 1 + WIRE_VARINT,
        [19] = 1 + WIRE_FIXED32, [21] = 1 + WIRE_FIXED64, [23] = 1 + WIRE_FIXED32,
        [25] = 1 + WIRE_FIXED64, [27] = 1 + WIRE_VARINT};
    v->integer = field < 28u && wire_of[field] && wire_of[field] == type + 1u;
    v->text = field == 29u && type == WIRE_BYTES;
    if (v->text) {
        return egret_wire_text(w, v->string, sizeof v->string, &v->length);
    }
    if (!v->integer) {
        return egret_wire_skip(w, type);
    }
    int code = type == WIRE_VARINT ? egret_wire_varint(w, &v->number)
                                   : egret_wire_fixed(w, type == WIRE_FIXED32 ? 4 : 8, &v->number);
    if (field == 15u || field == 17u) { /* zigzag */
        v->number = v->number >> 1 ^ (0u - (v->number & 1u));
    } else if (field == 23u && v->number >> 31) {
        v->number |= 0xffffffff00000000u;
    }
    bool is_signed =
        field == 7u || field == 9u || field == 15u || field == 17u || field == 23u || field == 25u;
    v->negative = is_signed && v->number >> 63;
    return code;
}

static int keep(struct chakra_node *n, struct source *s, enum chakra_attr a, const struct value *v)
{
    if (a == ATTR_PG_NAME) {
        if (v->integer) {
            (void)snprintf(n->pg_name, sizeof n->pg_name, "%llu", (unsigned long long)v->number);
        } else if (v->text && v->length < sizeof n->pg_name) {
            memcpy(n->pg_name, v->string, (size_t)v->length + 1u);
        } else {
            return egret_source_fail_byte(s, n->where, "node %llu: pg_name is no short string",
                                          (unsigned long long)n->id);
        }
    } else if (!v->integer) {
        return egret_source_fail_byte(s, n->where, "node %llu: %s is no integer",
                                      (unsigned long long)n->id, attr_name[a]);
    } else if (v->negative && a != ATTR_COMM_TAG) {
        return egret_source_fail_byte(s, n->where, "node %llu: %s is %lld",
                                      (unsigned long long)n->id, attr_name[a],
                                      (long long)v->number);
    }
    n->value[a] = v->number;
    n->has |= 1u << a;
    return EGRET_OK;
}

static int attribute(const struct wire *w, struct chakra_node *n)
{
    struct value v = {.string = ""};
    char name[16] = "";
    uint64_t length = 0;
    bool any = false;
    int code = EGRET_OK;
    while (code == EGRET_OK && !wire_over(w)) {
        uint32_t field;
        unsigned type;
        code = egret_wire_field(w, &field, &type);
        if (code) {
            return code;
        }
        if (field == 1u && type == WIRE_BYTES) {
            code = egret_wire_text(w, name, sizeof name, &length);
        } else if (field > 2u) {
            code = attr_value(w, field, type, &v);
            any = true;
        } else {
            code = egret_wire_skip(w, type);
        }
    }
    for (unsigned a = 0; code == EGRET_OK && any && a < ATTRS; a++) {
        if (length < sizeof name && strcmp(name, attr_name[a]) == 0) {
            return keep(n, w->s, (enum chakra_attr)a, &v);
        }
    }
    return code;
}

static int dependency(struct importer *m, struct chakra_node *n, const struct wire *w,
                      unsigned type)
{
    struct wire list = *w;
    int code = type == WIRE_BYTES ? egret_wire_message(w, &list) : EGRET_OK;
    do {
        void *p = n->dep;
        uint64_t id;
        if (code || (type == WIRE_BYTES && wire_over(&list))) {
            break;
        }
        code = egret_wire_varint(&list, &id);
        if (code == EGRET_OK && !egret_import_grow(&p, n->deps, &n->dep_capacity, sizeof *n->dep)) {
            code = egret_import_memory(m);
        }
        if (code == EGRET_OK) {
            n->dep = p;
            n->dep[n->deps++] = id;
        }
    } while (type == WIRE_BYTES);
    return code;
}

/* values of the inputs of a METADATA node; with the type not known yet, too. */
static int inputs(struct importer *m, const struct wire *w, struct chakra_node *n)
{
    struct wire io;
    int code = egret_wire_message(w, &io);
    while (code == EGRET_OK && !wire_over(&io)) {
        uint32_t field;
        unsigned type;
        uint64_t length;
        code = egret_wire_field(&io, &field, &type);
        if (code || field != 1u || type != WIRE_BYTES || n->type > CHAKRA_METADATA) {
            code = code ? code : egret_wire_skip(&io, type);
            continue;
        }
        code = egret_wire_length(&io, &length);
        if (code) {
            return code;
        }
        n->values_length = 0;
        size_t take = length > MAX_VALUES ? 0 : (size_t)length;
        while (n->values_length < take) { /* grows with what is there, not with what is claimed */
            void *p = n->values;
            size_t part = take - n->values_length > 65536u ? 65536u : take - n->values_length;
            while (n->values_capacity < n->values_length + part) {
                if (!egret_import_grow(&p, n->values_capacity, &n->values_capacity, 1)) {
                    return egret_import_memory(m);
                }
                n->values = p;
            }
            if (!egret_source_take(w->s, (uint8_t *)n->values + n->values_length, part)) {
                return egret_source_fail_byte(w->s, n->where, "the file ends in a message");
            }
            n->values_length += part;
        }
        if (!egret_source_take(w->s, NULL, length - take)) {
            return egret_source_fail_byte(w->s, n->where, "the file ends in a message");
        }
    }
    return code;
}

int egret_chakra_node(struct importer *m, const struct wire *w, struct chakra_node *n)
{
    int code = EGRET_OK;
    n->id = n->type = n->duration = 0;
    n->has = 0;
    n->deps = 0;
    n->values_length = 0;
    n->pg_name[0] = '\0';
    while (code == EGRET_OK && !wire_over(w)) {
        uint32_t field;
        unsigned type;
        struct wire inner;
        code = egret_wire_field(w, &field, &type);
        if (code) {
            return code;
        }
        if (field == 1u && type == WIRE_VARINT) {
            code = egret_wire_varint(w, &n->id);
        } else if (field == 3u && type == WIRE_VARINT) {
            code = egret_wire_varint(w, &n->type);
        } else if ((field == 4u || field == 5u) && (type == WIRE_VARINT || type == WIRE_BYTES)) {
            code = dependency(m, n, w, type);
        } else if (field == 7u && type == WIRE_VARINT) {
            code = egret_wire_varint(w, &n->duration);
        } else if (field == 8u && type == WIRE_BYTES) {
            code = inputs(m, w, n);
        } else if (field == 10u && type == WIRE_BYTES) {
            code = egret_wire_message(w, &inner);
            code = code ? code : attribute(&inner, n);
        } else {
            code = egret_wire_skip(w, type);
        }
    }
    return code;
}
