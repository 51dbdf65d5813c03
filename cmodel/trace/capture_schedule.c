/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_schedule.c: the messages of a capture's queue pairs.
 *
 * A message begins with a First or Only and ends with a Last or Only. RETH says how long a WRITE
 * is; all others are as long as their packets. What a READ moves is seen in its responses.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture_roce.h"
#include "qp_table.h"

#define PS_PER_NS 1000u
#define MESSAGE_MAX_BYTES 0x80000000u /* of RDMA; a RETH with more is not believed */
#define RECORD_DST 16u

/* One direction of a queue pair: its requests, or its responses to READs of the other side. */
struct stream {
    struct roce_psns psns;
    uint32_t op; /* the message that is open, or else the last one */
    bool has_op;
    bool open;
    bool headless; /* its first packet is not there */
    bool sized;    /* its amount is that of the RETH */
};

struct reader {
    struct qp_table hosts; /* key: the address alone */
    struct qp_table pairs;
    struct stream *stream; /* requests and responses of each queue pair */
    size_t streams;
    struct egret_schedule *out;
    struct egret_capture_report *report;
    uint64_t start; /* time of the first frame */
};

static int rank_of(struct reader *r, const uint8_t address[16], uint32_t *rank)
{
    uint8_t key[QP_KEY] = {0};
    memcpy(key, address, 16);
    uint32_t n = egret_qp_number(&r->hosts, key);
    if (n == 0) {
        return EGRET_ERR_MEMORY;
    }
    *rank = n - 1u;
    return n > EGRET_SCHEDULE_MAX_RANKS ? EGRET_ERR_RANGE : EGRET_OK;
}

/* Number of the packet's queue pair, from 1; 0 without memory. */
static uint32_t pair_of(struct reader *r, const struct egret_capture_frame *f, uint32_t qp)
{
    uint8_t key[QP_KEY] = {0};
    memcpy(key, f->parsed.record, 32);
    key[32] = (uint8_t)(qp >> 16);
    key[33] = (uint8_t)(qp >> 8);
    key[34] = (uint8_t)qp;
    uint32_t n = egret_qp_number(&r->pairs, key);
    size_t need = 2u * (size_t)n;
    if (need > r->streams) {
        size_t more = need > 32u ? 2u * need : 64u;
        struct stream *s =
            more > SIZE_MAX / sizeof *s ? NULL : realloc(r->stream, more * sizeof *s);
        if (!s) {
            return 0;
        }
        memset(s + r->streams, 0, (more - r->streams) * sizeof *s);
        r->stream = s;
        r->streams = more;
    }
    return n;
}

static void count_kind(struct egret_capture_report *report, enum roce_kind kind)
{
    switch (kind) {
    case ROCE_SEND:
        report->sends++;
        break;
    case ROCE_WRITE:
        report->writes++;
        break;
    default:
        report->reads++;
        break;
    }
}

static void add(struct reader *r, struct stream *s, const struct roce_packet *p)
{
    if (!s->sized) {
        r->out->op[s->op].amount += p->payload;
    }
}

static void set_size(struct reader *r, struct stream *s, const struct roce_packet *p)
{
    if (p->sized && p->dma_length <= MESSAGE_MAX_BYTES) {
        s->sized = true;
        r->out->op[s->op].amount = p->dma_length;
    }
}

/* Begins a message with the packet; the schedule grows by one. */
static int begin(struct reader *r, struct stream *s, const struct egret_capture_frame *f,
                 const struct roce_packet *p, struct egret_op *op)
{
    uint64_t ns = f->now > r->start ? f->now - r->start : 0;
    if (ns > UINT64_MAX / PS_PER_NS) {
        return EGRET_ERR_EVENT;
    }
    op->start_ps = ns * PS_PER_NS;
    op->where = f->offset;
    op->priority = EGRET_PRIORITY_DEFAULT;
    op->tag = p->qp;
    op->kind = EGRET_OP_MESSAGE;
    int code = egret_schedule_op(r->out, op, &s->op);
    if (code) {
        return code;
    }
    s->has_op = true;
    s->open = true;
    s->sized = false;
    s->headless = !p->first;
    r->report->incomplete += !p->first;
    count_kind(r->report, p->kind);
    return EGRET_OK;
}

static int message(struct reader *r, struct stream *s, const struct egret_capture_frame *f,
                   const struct roce_packet *p, enum roce_order order, struct egret_op *op)
{
    int code = EGRET_OK;
    if (order == ROCE_LATE && !p->first) { /* to the message that is open, or else the last one */
        if (!s->has_op) {
            code = begin(r, s, f, p, op);
            s->open = false;
        }
        if (code == EGRET_OK) {
            add(r, s, p);
        }
        return code;
    }
    if (order == ROCE_LATE && s->open) {
        if (s->headless && !p->last) { /* the head that was missed */
            s->headless = false;
            r->report->incomplete--;
            add(r, s, p);
            set_size(r, s, p);
            return EGRET_OK;
        }
        struct stream apart = {.open = false}; /* the open one goes on */
        code = begin(r, &apart, f, p, op);
        if (code == EGRET_OK) {
            add(r, &apart, p);
            set_size(r, &apart, p);
        }
        return code;
    }
    if (p->first && s->open) {
        r->report->incomplete += !s->headless;
        s->open = false;
    }
    if (!s->open) {
        code = begin(r, s, f, p, op);
        if (code) {
            return code;
        }
    }
    add(r, s, p);
    if (p->first) {
        set_size(r, s, p);
    }
    s->open = !p->last;
    return EGRET_OK;
}

/* Counts what makes no message; true if that is all there is to the packet. */
static bool no_message(struct egret_capture_report *report, enum roce_kind kind)
{
    switch (kind) {
    case ROCE_ACK:
        report->acks++;
        return true;
    case ROCE_CNP:
        report->cnps++;
        return true;
    case ROCE_OTHER:
        report->other++;
        return true;
    case ROCE_ATOMIC:
        report->atomics++;
        return false;
    case ROCE_READ_REQUEST:
        report->read_requests++;
        return false;
    default:
        return false;
    }
}

static int packet(struct reader *r, const struct egret_capture_frame *f)
{
    struct roce_packet p;
    struct egret_op op;
    const uint8_t *src = f->parsed.record;
    const uint8_t *dst = src + RECORD_DST;
    memset(&op, 0, sizeof op);
    egret_roce_decode(f, &p);
    r->report->packets++;
    if (memcmp(src, dst, 16) == 0) {
        r->report->loopback++;
        return EGRET_OK;
    }
    int code = rank_of(r, src, &op.src);
    code = code ? code : rank_of(r, dst, &op.dst);
    if (code || no_message(r->report, p.kind)) {
        return code;
    }
    uint32_t pair = pair_of(r, f, p.qp);
    if (pair == 0) {
        return EGRET_ERR_MEMORY;
    }
    op.pair = pair - 1u;
    struct stream *s = &r->stream[2u * (pair - 1u) + p.response];
    if (p.response && p.first) {
        s->psns.jumps = true; /* between READs are the PSNs of other requests */
    }
    enum roce_order order = p.datagram ? ROCE_NEW : egret_roce_order(&s->psns, p.psn);
    if (order == ROCE_AGAIN) {
        r->report->retransmitted++;
        return EGRET_OK;
    }
    if (p.kind == ROCE_READ_REQUEST) {
        s->psns.jumps = true;
    }
    bool data = p.kind == ROCE_SEND || p.kind == ROCE_WRITE || p.kind == ROCE_READ;
    return data ? message(r, s, f, &p, order, &op) : EGRET_OK;
}

static int read_all(struct reader *r, struct egret_capture *c, const char *path,
                    struct egret_trace_error *err)
{
    struct egret_capture_frame f;
    int got;
    while ((got = egret_capture_next(c, &f, err)) > 0) {
        if (egret_capture_counts(c)->frames == 1u) {
            r->start = f.now;
        }
        int code = !f.event && f.parsed.opcode >= 0 ? packet(r, &f) : EGRET_OK;
        if (code) {
            return egret_trace_fail(err, code, "%s: byte %" PRIu64 ": %s", path, f.offset,
                                    code == EGRET_ERR_MEMORY  ? "out of memory"
                                    : code == EGRET_ERR_EVENT ? "2^64 picoseconds or more behind "
                                                                "the first frame"
                                                              : "too many hosts or messages");
        }
    }
    return got;
}

/* Messages of no bytes go; the report is completed. */
static int finish(struct reader *r, const char *path, struct egret_trace_error *err)
{
    struct egret_schedule *out = r->out;
    struct egret_capture_report *report = r->report;
    size_t kept = 0;
    for (size_t i = 0; i < out->ops; i++) {
        if (out->op[i].amount > 0) {
            out->op[kept++] = out->op[i];
        }
    }
    report->empty = out->ops - kept;
    out->ops = kept;
    for (size_t i = 0; i < 2u * r->pairs.used; i++) {
        const struct stream *s = &r->stream[i];
        report->missing += s->psns.missing;
        report->incomplete += s->open && !s->headless;
    }
    report->queue_pairs = r->pairs.used;
    report->hosts = (uint32_t)r->hosts.used;
    report->host = calloc(r->hosts.used + 1u, sizeof *report->host);
    if (!report->host) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    for (size_t i = 0; i < r->hosts.used; i++) {
        memcpy(report->host[i], r->hosts.key[i], 16);
    }
    if (kept == 0) {
        return egret_trace_fail(err, EGRET_ERR_RANGE,
                                "%s: no RoCEv2 message: %" PRIu64 " frames, %" PRIu64
                                " of them RoCEv2",
                                path, report->read.frames, report->packets);
    }
    out->ranks = report->hosts;
    out->by_byte = true;
    return egret_schedule_seal(out, path, &path, err);
}

int egret_capture_schedule(const char *path, struct egret_schedule *out,
                           struct egret_capture_report *report, struct egret_trace_error *err)
{
    struct egret_capture *c;
    struct egret_capture_report own;
    struct reader r;
    memset(out, 0, sizeof *out);
    memset(&own, 0, sizeof own);
    memset(&r, 0, sizeof r);
    r.out = out;
    r.report = &own;
    int code = egret_capture_open(path, &c, err);
    if (code == EGRET_OK) {
        code = read_all(&r, c, path, err);
        own.read = *egret_capture_counts(c);
        egret_capture_close(c);
    }
    if (code == EGRET_OK) {
        code = finish(&r, path, err);
    }
    egret_qp_free(&r.hosts);
    egret_qp_free(&r.pairs);
    free(r.stream);
    if (code) {
        egret_schedule_free(out);
    }
    if (report && code == EGRET_OK) {
        *report = own;
    } else {
        if (report) {
            memset(report, 0, sizeof *report);
        }
        egret_capture_report_free(&own);
    }
    return code;
}

void egret_capture_report_free(struct egret_capture_report *report)
{
    free(report->host);
    report->host = NULL;
    report->hosts = 0;
}
