/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_roce.c: see capture_roce.h. Numbers: InfiniBand Architecture Specification, volume 1.
 */
#include <string.h>

#include "capture_roce.h"
#include "internal.h"

#define BTH_BYTES 12u
#define UDP_BYTES 8u
#define ICRC_LENGTH 4u
#define RETH_LENGTH 16u
#define OPCODE_CNP 0x81
#define PSN_MASK 0xffffffu

enum transport { RC = 0, UC = 1, UD = 3, XRC = 5 };
#define DETH_LENGTH 8u
#define XRCETH_LENGTH 4u

#define FIRST 1u
#define LAST 2u
#define ONLY (FIRST | LAST)
#define RETH 4u

struct operation {
    uint8_t kind;
    uint8_t flags;
    uint8_t more; /* bytes of extended headers besides RETH: immediate, AETH, IETH, atomics */
};

static const struct operation operations[32] = {
    [0x00] = {ROCE_SEND, FIRST, 0},
    [0x01] = {ROCE_SEND, 0, 0},
    [0x02] = {ROCE_SEND, LAST, 0},
    [0x03] = {ROCE_SEND, LAST, 4},
    [0x04] = {ROCE_SEND, ONLY, 0},
    [0x05] = {ROCE_SEND, ONLY, 4},
    [0x06] = {ROCE_WRITE, FIRST | RETH, 0},
    [0x07] = {ROCE_WRITE, 0, 0},
    [0x08] = {ROCE_WRITE, LAST, 0},
    [0x09] = {ROCE_WRITE, LAST, 4},
    [0x0a] = {ROCE_WRITE, ONLY | RETH, 0},
    [0x0b] = {ROCE_WRITE, ONLY | RETH, 4},
    [0x0c] = {ROCE_READ_REQUEST, ONLY | RETH, 0},
    [0x0d] = {ROCE_READ, FIRST, 4},
    [0x0e] = {ROCE_READ, 0, 0},
    [0x0f] = {ROCE_READ, LAST, 4},
    [0x10] = {ROCE_READ, ONLY, 4},
    [0x11] = {ROCE_ACK, ONLY, 4},
    [0x12] = {ROCE_ATOMIC, ONLY, 12},
    [0x13] = {ROCE_ATOMIC, ONLY, 28},
    [0x14] = {ROCE_ATOMIC, ONLY, 28},
    [0x16] = {ROCE_SEND, LAST, 4},
    [0x17] = {ROCE_SEND, ONLY, 4},
};

/* Does the transport have the operation? RD is out of use. */
static bool has(uint32_t transport, uint32_t code, const struct operation *o)
{
    switch (transport) {
    case RC:
    case XRC:
        return true;
    case UC:
        return o->kind == ROCE_SEND || o->kind == ROCE_WRITE;
    case UD:
        return code == 0x04u || code == 0x05u;
    default:
        return false;
    }
}

void egret_roce_decode(const struct egret_capture_frame *f, struct roce_packet *out)
{
    const uint8_t *bth = f->bytes + f->parsed.bth;
    uint32_t transport = (uint32_t)bth[0] >> 5;
    uint32_t code = bth[0] & 31u;
    const struct operation *o = &operations[code];
    memset(out, 0, sizeof *out);
    out->qp = get_be32(bth + 4) & PSN_MASK;
    out->psn = get_be32(bth + 8) & PSN_MASK;
    if (f->parsed.opcode == OPCODE_CNP) {
        out->kind = ROCE_CNP;
        return;
    }
    if (!has(transport, code, o)) {
        return;
    }
    out->kind = (enum roce_kind)o->kind;
    out->first = (o->flags & FIRST) != 0;
    out->last = (o->flags & LAST) != 0;
    out->response = out->kind == ROCE_READ || out->kind == ROCE_ACK || code == 0x12u;
    out->datagram = transport == UD;
    size_t at = (size_t)f->parsed.bth + BTH_BYTES;
    at += transport == UD ? DETH_LENGTH : transport == XRC && !out->response ? XRCETH_LENGTH : 0;
    if (o->flags & RETH) {
        out->sized = at + RETH_LENGTH <= f->incl_len;
        out->dma_length = out->sized ? get_be32(f->bytes + at + 12) : 0;
        at += RETH_LENGTH;
    }
    at += o->more + ((uint32_t)bth[1] >> 4 & 3u) + ICRC_LENGTH;
    /* UDP says where the packet ends; behind it may be Ethernet's padding. */
    size_t udp = f->parsed.bth - UDP_BYTES;
    size_t end = udp + get_be16(f->bytes + udp + 4);
    if (end > f->orig_len || end < udp + UDP_BYTES + BTH_BYTES) {
        end = f->orig_len;
    }
    out->payload = end > at ? (uint32_t)(end - at) : 0;
}

static uint64_t *word_of(struct roce_psns *s, uint32_t psn)
{
    return &s->seen[psn % ROCE_WINDOW / 64u];
}

enum roce_order egret_roce_order(struct roce_psns *s, uint32_t psn)
{
    uint64_t bit = 1ull << (psn % 64u);
    uint32_t ahead = s->begun ? (psn - s->next) & PSN_MASK : 0;
    if (ahead < (PSN_MASK + 1u) / 2u) {
        if (ahead >= ROCE_WINDOW) {
            memset(s->seen, 0, sizeof s->seen);
        }
        for (uint32_t i = 0; i < ahead && ahead < ROCE_WINDOW; i++) {
            uint32_t skipped = psn - 1u - i;
            *word_of(s, skipped) &= ~(1ull << (skipped % 64u));
        }
        s->missing += s->jumps ? 0 : ahead;
        s->jumps = false;
        s->begun = true;
        s->next = (psn + 1u) & PSN_MASK;
        *word_of(s, psn) |= bit;
        return ROCE_NEW;
    }
    uint32_t behind = (s->next - psn) & PSN_MASK;
    if (behind > ROCE_WINDOW || (*word_of(s, psn) & bit)) {
        return ROCE_AGAIN;
    }
    *word_of(s, psn) |= bit;
    s->missing -= s->missing > 0;
    return ROCE_LATE;
}
