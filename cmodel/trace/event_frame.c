/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_frame.c: events that are not packets as frames of EtherType 0x88b5 (docs/trace.md).
 *
 * Layout: destination 6, source 6, EtherType 2, version 1, kind 1, then the kind's fields.
 */
#include <string.h>

#include "egret/trace.h"
#include "internal.h"

#define EVENT_FIELDS 16u /* offset of the first field */

/* Bytes of the fields of a kind, or -1. */
static int field_bytes(unsigned kind)
{
    switch (kind) {
    case EGRET_EV_WRITE:
    case EGRET_EV_FAULT:
        return 8;
    case EGRET_EV_READ:
        return 4;
    case EGRET_EV_PORT:
        return 2;
    case EGRET_EV_QUEUE:
        return 5;
    case EGRET_EV_TICK:
        return 0;
    default:
        return -1;
    }
}

int egret_event_encode(const struct egret_event *ev, uint8_t frame[EGRET_EVENT_FRAME_BYTES])
{
    int fields = field_bytes(ev->kind);
    if (fields < 0) {
        return EGRET_ERR_EVENT;
    }
    bool has_data = ev->kind == EGRET_EV_WRITE || ev->kind == EGRET_EV_FAULT;
    bool has_addr = has_data || ev->kind == EGRET_EV_READ;
    bool has_port = ev->kind == EGRET_EV_PORT || ev->kind == EGRET_EV_QUEUE;
    if ((has_addr && ev->addr > 0xffffffu) || (has_port && ev->port > 0xffu) ||
        (ev->kind == EGRET_EV_PORT && ev->up > 1u)) {
        return EGRET_ERR_RANGE;
    }
    memset(frame, 0, EGRET_EVENT_FRAME_BYTES);
    frame[0] = 0x02; /* locally administered */
    frame[5] = 0x02;
    frame[6] = 0x02;
    frame[11] = 0x01;
    put_be16(frame + 12, EGRET_ETHERTYPE_EVENT);
    frame[14] = EGRET_EVENT_VERSION;
    frame[15] = ev->kind;
    uint8_t *p = frame + EVENT_FIELDS;
    if (has_addr) {
        put_be32(p, ev->addr);
    }
    if (has_data) {
        put_be32(p + 4, ev->data);
    }
    if (has_port) {
        p[0] = (uint8_t)ev->port;
    }
    if (ev->kind == EGRET_EV_PORT) {
        p[1] = (uint8_t)ev->up;
    }
    if (ev->kind == EGRET_EV_QUEUE) {
        put_be32(p + 1, ev->depth);
    }
    return (int)EVENT_FIELDS + fields;
}

bool egret_event_is(const uint8_t *bytes, size_t incl_len)
{
    return incl_len >= 14u && get_be16(bytes + 12) == EGRET_ETHERTYPE_EVENT;
}

static int bad(const char **why, const char *reason)
{
    *why = reason;
    return EGRET_ERR_EVENT;
}

int egret_event_decode(const uint8_t *bytes, size_t incl_len, size_t orig_len,
                       struct egret_event *ev, const char **why)
{
    if (incl_len < EVENT_FIELDS) {
        return bad(why, "event frame shorter than its version and kind");
    }
    if (bytes[14] != EGRET_EVENT_VERSION) {
        return bad(why, "unknown event version");
    }
    int fields = field_bytes(bytes[15]);
    if (fields < 0) {
        return bad(why, "unknown event kind");
    }
    size_t need = EVENT_FIELDS + (size_t)fields;
    if ((incl_len != need && incl_len != EGRET_EVENT_FRAME_BYTES) ||
        orig_len != EGRET_EVENT_FRAME_BYTES) {
        return bad(why, "wrong length of an event of this kind");
    }
    for (size_t i = need; i < incl_len; i++) {
        if (bytes[i] != 0) {
            return bad(why, "padding of an event is not zero");
        }
    }
    struct egret_event e;
    memset(&e, 0, sizeof e);
    e.now = ev->now;
    e.kind = bytes[15];
    const uint8_t *p = bytes + EVENT_FIELDS;
    switch (e.kind) {
    case EGRET_EV_WRITE:
    case EGRET_EV_FAULT:
        e.data = get_be32(p + 4);
        /* fall through */
    case EGRET_EV_READ:
        e.addr = get_be32(p);
        if (e.addr > 0xffffffu) {
            return bad(why, "address of more than 24 bits");
        }
        break;
    case EGRET_EV_PORT:
        e.port = p[0];
        e.up = p[1];
        if (e.up > 1u) {
            return bad(why, "port state is neither 0 nor 1");
        }
        break;
    case EGRET_EV_QUEUE:
        e.port = p[0];
        e.depth = get_be32(p + 1);
        break;
    default:
        break;
    }
    *ev = e;
    return EGRET_OK;
}
