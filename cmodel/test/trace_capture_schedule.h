/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture_schedule.h: a capture of RoCEv2 packets, packet by packet, and the messages in it.
 */
#ifndef EGRET_TRACE_CAPTURE_SCHEDULE_TEST_H
#define EGRET_TRACE_CAPTURE_SCHEDULE_TEST_H

#include "trace_capture.h"

static struct trace_test t;
static struct image f;
static char path[256];

enum { FIRST = 6, MIDDLE = 7, LAST = 8, ONLY = 10 }; /* RC WRITE */

static inline void start(void)
{
    pcap_start(&f, false, true, 1);
}

/* A frame at so many ns behind 100 s. */
static inline void at(uint32_t ns, uint8_t src, uint8_t dst, uint8_t opcode, uint32_t qp,
                      uint32_t psn, int64_t dma, uint32_t more, uint32_t payload)
{
    uint8_t bytes[2048];
    uint32_t n = roce_frame(bytes, src, dst, opcode, qp, psn, dma, more, payload);
    pcap_record(&f, 100, ns, bytes, n, n);
}

static inline int load(struct egret_schedule *s, struct egret_capture_report *r,
                       struct egret_trace_error *err)
{
    image_save(&f, f.size, path);
    return egret_capture_schedule(path, s, r, err);
}

static inline bool message_is(const struct egret_schedule *s, size_t i, uint64_t ns, uint32_t src,
                              uint32_t dst, uint64_t bytes)
{
    return i < s->ops && s->op[i].kind == EGRET_OP_MESSAGE && s->op[i].start_ps == ns * 1000u &&
           s->op[i].src == src && s->op[i].dst == dst && s->op[i].amount == bytes;
}

#endif
