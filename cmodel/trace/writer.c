/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer.c: writes a stimulus: nanosecond pcap, little-endian, Ethernet (docs/trace.md).
 */
#include <stdlib.h>
#include <string.h>

#include "egret/trace.h"
#include "internal.h"

struct egret_stimulus_writer {
    struct egret_outfile *file;
    uint64_t events;
    uint64_t packets;
};

int egret_writer_open(const char *path, struct egret_stimulus_writer **out,
                      struct egret_trace_error *err)
{
    struct egret_stimulus_writer *w = calloc(1, sizeof *w);
    if (!w) {
        return egret_trace_fail(err, EGRET_ERR_MEMORY, "%s: out of memory", path);
    }
    int code = egret_outfile_open(path, &w->file, err);
    if (code) {
        free(w);
        return code;
    }
    uint8_t header[PCAP_HEADER_BYTES] = {0};
    put_le32(header, PCAP_MAGIC_NS);
    put_le16(header + 4, 2); /* version 2.4 */
    put_le16(header + 6, 4);
    put_le32(header + 16, EGRET_FRAME_MAX_BYTES);
    put_le32(header + 20, LINKTYPE_ETHERNET);
    egret_outfile_write(w->file, header, sizeof header);
    *out = w;
    return EGRET_OK;
}

static int write_record(struct egret_stimulus_writer *w, uint64_t now, const uint8_t *bytes,
                        uint32_t incl_len, uint32_t orig_len)
{
    uint64_t seconds = now / NS_PER_S;
    if (seconds > UINT32_MAX) {
        return EGRET_ERR_RANGE;
    }
    uint8_t header[PCAP_RECORD_BYTES];
    put_le32(header, (uint32_t)seconds);
    put_le32(header + 4, (uint32_t)(now % NS_PER_S));
    put_le32(header + 8, incl_len);
    put_le32(header + 12, orig_len);
    egret_outfile_write(w->file, header, sizeof header);
    egret_outfile_write(w->file, bytes, incl_len);
    w->events++;
    return EGRET_OK;
}

int egret_writer_event(struct egret_stimulus_writer *w, const struct egret_event *ev)
{
    uint8_t frame[EGRET_EVENT_FRAME_BYTES];
    int n = egret_event_encode(ev, frame);
    if (n < 0) {
        return n;
    }
    return write_record(w, ev->now, frame, (uint32_t)n, EGRET_EVENT_FRAME_BYTES);
}

int egret_writer_packet(struct egret_stimulus_writer *w, uint64_t now, const uint8_t *bytes,
                        uint32_t incl_len, uint32_t orig_len)
{
    if (incl_len < 14u || incl_len > orig_len || orig_len > EGRET_FRAME_MAX_BYTES ||
        egret_event_is(bytes, incl_len)) {
        return EGRET_ERR_RANGE;
    }
    int code = write_record(w, now, bytes, incl_len, orig_len);
    w->packets += code == EGRET_OK;
    return code;
}

uint64_t egret_writer_events(const struct egret_stimulus_writer *w)
{
    return w->events;
}

uint64_t egret_writer_packets(const struct egret_stimulus_writer *w)
{
    return w->packets;
}

bool egret_writer_failed(const struct egret_stimulus_writer *w)
{
    return egret_outfile_failed(w->file);
}

int egret_writer_commit(struct egret_stimulus_writer *w, struct egret_trace_error *err)
{
    int code = egret_outfile_commit(w->file, err);
    free(w);
    return code;
}

void egret_writer_abort(struct egret_stimulus_writer *w)
{
    if (w) {
        egret_outfile_abort(w->file);
        free(w);
    }
}
