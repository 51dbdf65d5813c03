/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.h: stimuli on disk: one ordered event stream in an ordinary nanosecond pcap file.
 *
 * docs/trace.md is the format, byte by byte. Packets are packets; every other event is a frame of
 * EtherType 0x88b5. The reader parses and routes each packet (egret/trace_front.h), so that it
 * hands out the very events that a selector takes. Memory is constant whatever the length of the
 * file. Nothing here keeps a global; a handle belongs to one thread.
 */
#ifndef EGRET_TRACE_H
#define EGRET_TRACE_H

#include "egret/egret.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_ETHERTYPE_EVENT 0x88b5u
#define EGRET_EVENT_VERSION 1u
#define EGRET_EVENT_FRAME_BYTES 60u /* original length of an event's frame, without FCS */
#define EGRET_FRAME_MAX_BYTES 65535u

/* One line of text about what went wrong, without a final newline. */
struct egret_trace_error {
    char text[512];
};
/* Formats into err->text; err may be null. Always returns `code`. */
int egret_trace_fail(struct egret_trace_error *err, int code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* ---- reading ---- */

struct egret_stimulus; /* opaque */

/* The frame behind the event that egret_stimulus_next() gave last; valid until the next call. */
struct egret_frame_view {
    const uint8_t *bytes;
    uint32_t incl_len; /* bytes in the file */
    uint32_t orig_len; /* bytes on the wire, without FCS */
    uint64_t now;      /* time stamp, nanoseconds, all bits of it */
    uint64_t event;    /* ordinal of the event, from 0 */
    uint64_t offset;   /* of the record in the file */
};

/* Opens a stimulus; "-" is standard input. 0, or a negative enum egret_err with the reason in err
 * ("FILE: record N, offset B: reason"; err may be null). */
int egret_stimulus_open(const char *path, struct egret_stimulus **out,
                        struct egret_trace_error *err);
/* The next event, routed: 1 and *ev written; 0 at the end of a good file; negative on a bad record,
 * after which every further call gives the same error. A file without a packet is bad at its end.
 */
int egret_stimulus_next(struct egret_stimulus *s, struct egret_event *ev,
                        struct egret_trace_error *err);
/* Closes the file and frees s; null is allowed. */
void egret_stimulus_close(struct egret_stimulus *s);
/* The frame of the last event. */
void egret_stimulus_frame(const struct egret_stimulus *s, struct egret_frame_view *out);
/* Events that egret_stimulus_next() has given so far, packets included. */
uint64_t egret_stimulus_events(const struct egret_stimulus *s);
/* Packets among them. */
uint64_t egret_stimulus_packets(const struct egret_stimulus *s);
/* Packets that matched no route and took the default one. */
uint64_t egret_stimulus_unrouted(const struct egret_stimulus *s);
/* Writes to the front end that were ignored, as egret_front_ignored(). */
uint64_t egret_stimulus_front_ignored(const struct egret_stimulus *s);

/* ---- writing ---- */

/* An output file that appears under its name only when complete; "-" is standard output. */
struct egret_outfile; /* opaque */
/* Opens one; 0, or a negative enum egret_err with the reason in err (may be null). */
int egret_outfile_open(const char *path, struct egret_outfile **out, struct egret_trace_error *err);
/* Writes n bytes; an error is kept and reported by egret_outfile_commit(). */
void egret_outfile_write(struct egret_outfile *f, const void *bytes, size_t n);
/* Writes text as printf() does; an error is kept likewise. */
void egret_outfile_printf(struct egret_outfile *f, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* True once a write has failed: the caller may stop early. */
bool egret_outfile_failed(const struct egret_outfile *f);
/* Gives the file its name and frees f; on any error nothing is left on disk. */
int egret_outfile_commit(struct egret_outfile *f, struct egret_trace_error *err);
/* Frees f and leaves nothing on disk; null is allowed. */
void egret_outfile_abort(struct egret_outfile *f);

struct egret_stimulus_writer; /* opaque */
/* Opens a stimulus for writing; "-" is standard output. The file gets its name on commit. */
int egret_writer_open(const char *path, struct egret_stimulus_writer **out,
                      struct egret_trace_error *err);
/* Appends any event but a packet. EGRET_ERR_EVENT for a packet or an unknown kind; EGRET_ERR_RANGE
 * for an address of more than 24 bits, a port of more than 8, a port state that is not 0 or 1, or a
 * time stamp beyond the format (2^32 seconds). */
int egret_writer_event(struct egret_stimulus_writer *w, const struct egret_event *ev);
/* Appends a packet: its first incl_len bytes and its length on the wire. EGRET_ERR_RANGE unless
 * 14 <= incl_len <= orig_len <= 65535, or if the frame's EtherType is that of events. */
int egret_writer_packet(struct egret_stimulus_writer *w, uint64_t now, const uint8_t *bytes,
                        uint32_t incl_len, uint32_t orig_len);
/* Events appended so far, packets included. */
uint64_t egret_writer_events(const struct egret_stimulus_writer *w);
/* Packets among them. */
uint64_t egret_writer_packets(const struct egret_stimulus_writer *w);
/* True once a write to the file has failed: the caller may stop early. */
bool egret_writer_failed(const struct egret_stimulus_writer *w);
/* Gives the file its name and frees w; on any error nothing is left on disk, and the reason is in
 * err (may be null). */
int egret_writer_commit(struct egret_stimulus_writer *w, struct egret_trace_error *err);
/* Frees w and leaves nothing on disk; null is allowed. */
void egret_writer_abort(struct egret_stimulus_writer *w);

/* Encodes an event's frame; frame has EGRET_EVENT_FRAME_BYTES elements, all written. Returns the
 * number of bytes that matter (what a file keeps), or an error as egret_writer_event(). */
int egret_event_encode(const struct egret_event *ev, uint8_t frame[EGRET_EVENT_FRAME_BYTES]);
/* Is this the frame of an event (EtherType 0x88b5 right after the addresses)? */
bool egret_event_is(const uint8_t *bytes, size_t incl_len);
/* Decodes it. 0, or EGRET_ERR_EVENT with the reason in *why (a constant string). ev->now is not
 * written. */
int egret_event_decode(const uint8_t *bytes, size_t incl_len, size_t orig_len,
                       struct egret_event *ev, const char **why);

/* ---- decisions ---- */

/* The first line of the CSV of decisions (docs/trace.md). */
void egret_csv_header(struct egret_outfile *f);
/* A row, for a packet or a read: the event's ordinal from 0, the clock in which the result leaves
 * the core, event and decision. */
void egret_csv_row(struct egret_outfile *f, uint64_t event, uint64_t cycle,
                   const struct egret_event *ev, const struct egret_decision *d);

/* An event and its decision as a line of hexadecimal columns, for a bench that reads them by
 * $fscanf (docs/trace.md). */
void egret_vectors_row(struct egret_outfile *f, const struct egret_event *ev,
                       const struct egret_decision *d);
/* The last line of such a file: the number of packets. */
void egret_vectors_end(struct egret_outfile *f, uint64_t packets);

/* The head of a pcapng file: an interface for each of num_ports ports and a last one, `drop`. */
void egret_pcapng_header(struct egret_outfile *f, uint32_t num_ports);
/* A packet as it is in the frame, on the interface of the port that d chose. */
void egret_pcapng_packet(struct egret_outfile *f, uint32_t num_ports,
                         const struct egret_decision *d, const struct egret_frame_view *frame);

#ifdef __cplusplus
}
#endif
#endif
