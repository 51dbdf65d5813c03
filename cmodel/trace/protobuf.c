/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protobuf.c: see protobuf.h.
 */
#include <string.h>

#include "internal.h"
#include "protobuf.h"

static int outside(const struct wire *w)
{
    return egret_source_fail_byte(w->s, source_offset(w->s),
                                  source_peek(w->s) < 0 ? "the file ends in a message"
                                                        : "a field is longer than its message");
}

int egret_wire_varint(const struct wire *w, uint64_t *value)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 70u; shift += 7u) {
        int c = wire_over(w) ? -1 : source_get(w->s);
        if (c < 0) {
            return outside(w);
        }
        if (shift == 63u && c > 1) {
            break;
        }
        v |= (uint64_t)(c & 127) << shift;
        if (c < 128) {
            *value = v;
            return EGRET_OK;
        }
    }
    return egret_source_fail_byte(w->s, source_offset(w->s), "a number of more than 64 bits");
}

int egret_wire_field(const struct wire *w, uint32_t *field, unsigned *type)
{
    uint64_t tag;
    int code = egret_wire_varint(w, &tag);
    if (code == EGRET_OK && (tag >> 3 == 0 || tag >> 32 != 0)) {
        code = egret_source_fail_byte(w->s, source_offset(w->s), "field number %llu",
                                      (unsigned long long)(tag >> 3));
    }
    *field = (uint32_t)(tag >> 3);
    *type = (unsigned)tag & 7u;
    return code;
}

int egret_wire_length(const struct wire *w, uint64_t *length)
{
    int code = egret_wire_varint(w, length);
    if (code == EGRET_OK && *length > w->end - source_offset(w->s)) {
        code =
            egret_source_fail_byte(w->s, source_offset(w->s), "a field is longer than its message");
    }
    return code;
}

int egret_wire_message(const struct wire *w, struct wire *inner)
{
    uint64_t length;
    int code = egret_wire_length(w, &length);
    if (code == EGRET_OK) {
        inner->s = w->s;
        inner->end = source_offset(w->s) + length;
    }
    return code;
}

int egret_wire_fixed(const struct wire *w, unsigned bytes, uint64_t *value)
{
    uint8_t b[8] = {0};
    if (w->end - source_offset(w->s) < bytes || !egret_source_take(w->s, b, bytes)) {
        return outside(w);
    }
    *value = (uint64_t)get_le32(b + 4) << 32 | get_le32(b);
    return EGRET_OK;
}

int egret_wire_text(const struct wire *w, char *out, size_t n, uint64_t *length)
{
    int code = egret_wire_length(w, length);
    size_t keep = code ? 0 : *length > n - 1u ? n - 1u : (size_t)*length;
    out[0] = '\0';
    if (code == EGRET_OK && (!egret_source_take(w->s, (uint8_t *)out, keep) ||
                             !egret_source_take(w->s, NULL, *length - keep))) {
        code = outside(w);
    }
    out[code ? 0 : keep] = '\0';
    return code;
}

int egret_wire_skip(const struct wire *w, unsigned type)
{
    uint64_t n;
    int code;
    switch (type) {
    case WIRE_VARINT:
        return egret_wire_varint(w, &n);
    case WIRE_FIXED64:
        return egret_wire_fixed(w, 8, &n);
    case WIRE_FIXED32:
        return egret_wire_fixed(w, 4, &n);
    case WIRE_BYTES:
        code = egret_wire_length(w, &n);
        return code == EGRET_OK && !egret_source_take(w->s, NULL, n) ? outside(w) : code;
    default:
        return egret_source_fail_byte(w->s, source_offset(w->s), "field of unknown type %u", type);
    }
}
