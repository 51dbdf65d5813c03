/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_roce.h: what a RoCEv2 packet does, from its BTH and RETH, and the order of PSNs. Internal
 * to the trace library.
 */
#ifndef EGRET_TRACE_CAPTURE_ROCE_H
#define EGRET_TRACE_CAPTURE_ROCE_H

#include "egret/capture.h"

enum roce_kind {
    ROCE_OTHER = 0,
    ROCE_SEND = 1,
    ROCE_WRITE = 2,
    ROCE_READ = 3, /* a response, which carries the data */
    ROCE_READ_REQUEST = 4,
    ROCE_ATOMIC = 5, /* a request or a response */
    ROCE_ACK = 6,
    ROCE_CNP = 7
};

struct roce_packet {
    enum roce_kind kind;
    bool first; /* of a message; an Only is first and last */
    bool last;
    bool response; /* its PSN is one of the other side's requests */
    bool datagram; /* UD: PSNs of several senders mingle */
    bool sized;    /* dma_length is that of a RETH */
    uint32_t dma_length;
    uint32_t qp;
    uint32_t psn;
    uint32_t payload; /* bytes, without pad and ICRC */
};

/* A frame whose parsed.opcode is not negative. */
void egret_roce_decode(const struct egret_capture_frame *f, struct roce_packet *out);

#define ROCE_WINDOW 1024u /* PSNs behind the newest that are told apart */

enum roce_order {
    ROCE_NEW = 0,  /* beyond all before it */
    ROCE_LATE = 1, /* behind one that was sent later */
    ROCE_AGAIN = 2 /* was there before, or is too old to tell */
};

/* PSNs of one direction of a queue pair; all zero is one without a packet. */
struct roce_psns {
    bool begun;
    bool jumps; /* the next gap is none: a READ request takes one PSN for each response */
    uint32_t next;
    uint64_t missing;
    uint64_t seen[ROCE_WINDOW / 64u];
};
enum roce_order egret_roce_order(struct roce_psns *s, uint32_t psn);

#endif
