/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protobuf.h: the wire format of protocol buffers, from a source in constant memory. Internal to
 * the trace library.
 */
#ifndef EGRET_TRACE_PROTOBUF_H
#define EGRET_TRACE_PROTOBUF_H

#include "source.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* A message that ends at an offset. All functions return EGRET_OK or an error with its text. */
struct wire {
    struct source *s;
    uint64_t end;
};
static inline bool wire_over(const struct wire *w)
{
    return source_offset(w->s) >= w->end;
}
int egret_wire_varint(const struct wire *w, uint64_t *value);
/* Number and type of the next field. */
int egret_wire_field(const struct wire *w, uint32_t *field, unsigned *type);
/* Length of what follows; it is inside. */
int egret_wire_length(const struct wire *w, uint64_t *length);
/* The message that follows. */
int egret_wire_message(const struct wire *w, struct wire *inner);
int egret_wire_fixed(const struct wire *w, unsigned bytes, uint64_t *value);
/* Bytes that follow, cut after n - 1, terminated; *length is that of the file. */
int egret_wire_text(const struct wire *w, char *out, size_t n, uint64_t *length);
int egret_wire_skip(const struct wire *w, unsigned type);

#endif
