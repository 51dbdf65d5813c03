/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vectors.c: events and decisions in hexadecimal columns, for benches that read them by $fscanf.
 *
 * Every line has all columns, of the same widths: a bench needs one $fscanf for all kinds. The last
 * line counts the packets, so that a file that was cut short does not pass for a short one.
 */
#include <string.h>

#include "vectors.h"

/* Digits of each column. */
static const uint8_t width[] = {1, 1, 2, 8, 8, 32, 32, 2, 4, 4, 6, 2, 8, 4, 12, 2, 8};
#define COLUMNS sizeof width
#define KIND_END 15u

static uint8_t *put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = bytes; i-- > 0;) {
        *to++ = (uint8_t)(value >> 8u * i);
    }
    return to;
}

/* The columns `a` and `b` of an event. */
static void arguments(const struct egret_event *ev, uint32_t *a, uint32_t *b)
{
    const bool packet = ev->kind == EGRET_EV_PACKET;
    *a = packet ? ev->group : ev->addr;
    *b = packet ? ev->key : ev->data;
    if (ev->kind == EGRET_EV_PORT) {
        *b &= 1u;
    } else if (ev->kind == EGRET_EV_READ) {
        *b = 0;
    } else if (ev->kind == EGRET_EV_TICK) {
        *a = *b = 0;
    }
}

void egret_vector_bytes(const struct egret_event *ev, const struct egret_decision *d,
                        uint8_t out[VECTOR_BYTES])
{
    const bool packet = ev->kind == EGRET_EV_PACKET;
    uint32_t a;
    uint32_t b;
    arguments(ev, &a, &b);
    uint8_t *to = put(out, (ev->kind & 15u) << 4 | (packet ? ev->cls & 15u : 0), 1);
    to = put(to, packet ? ev->bin : 0, 1);
    to = put(to, a, 4);
    to = put(to, b, 4);
    if (packet) { /* the record has the fields in the order of the columns */
        memcpy(to, ev->record, EGRET_RECORD_BYTES);
    } else {
        memset(to, 0, EGRET_RECORD_BYTES);
    }
    to = put(to + EGRET_RECORD_BYTES, packet ? ev->entropy : 0, 4);
    to = put(to, packet ? ev->length : 0, 2);
    to = put(to, ev->now, 6);
    to = put(to, d->kind == EGRET_RES_PACKET ? d->port : 0, 1);
    (void)put(to, d->data, 4);
}

static void line(struct egret_outfile *f, const uint8_t bytes[VECTOR_BYTES])
{
    static const char digit[] = "0123456789abcdef";
    char text[2u * VECTOR_BYTES + COLUMNS];
    size_t at = 0;
    unsigned n = 0;
    for (unsigned c = 0; c < COLUMNS; c++) {
        for (unsigned i = 0; i < width[c]; i++, n++) {
            const unsigned pair = bytes[n / 2u];
            text[at++] = digit[n % 2u ? pair & 15u : pair >> 4];
        }
        text[at++] = c + 1u < COLUMNS ? ' ' : '\n';
    }
    egret_outfile_write(f, text, at);
}

void egret_vectors_row(struct egret_outfile *f, const struct egret_event *ev,
                       const struct egret_decision *d)
{
    uint8_t bytes[VECTOR_BYTES];
    egret_vector_bytes(ev, d, bytes);
    line(f, bytes);
}

void egret_vectors_end(struct egret_outfile *f, uint64_t packets)
{
    uint8_t bytes[VECTOR_BYTES] = {KIND_END << 4};
    (void)put(bytes + 2, packets & UINT32_MAX, 4);
    (void)put(bytes + 6, packets >> 32, 4);
    line(f, bytes);
}
