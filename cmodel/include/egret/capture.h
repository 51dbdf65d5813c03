/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture.h: pcap and pcapng captures of real frames: frame by frame, as a stimulus behind the
 * set-up of a switch, and as the schedule of their RoCEv2 messages (docs/import.md, section 6).
 *
 * Memory is constant whatever the length of the file, but for interfaces, hosts, queue pairs and
 * messages. Nothing here keeps a global; a handle belongs to one thread.
 */
#ifndef EGRET_CAPTURE_H
#define EGRET_CAPTURE_H

#include "egret/schedule.h"
#include "egret/trace.h"
#include "egret/trace_front.h"
#include "egret/trace_make.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_CAPTURE_MAX_SNAP 262144u /* captured bytes of a frame, as libpcap */

/* ---- frames ---- */

struct egret_capture; /* opaque */

/* A frame as Ethernet carries it, without FCS; valid until the next call. */
struct egret_capture_frame {
    const uint8_t *bytes;
    uint32_t incl_len;  /* bytes kept; all headers that the front end reads are among them */
    uint32_t orig_len;  /* bytes on the wire, at most 65535 */
    uint64_t now;       /* time stamp, nanoseconds; may step back */
    uint64_t record;    /* ordinal in the file, from 0 */
    uint64_t offset;    /* of its record in the file */
    uint32_t link_type; /* it was captured as */
    bool event;         /* EtherType 0x88b5: `parsed` is not filled */
    struct egret_parsed parsed;
};

struct egret_capture_counts {
    uint64_t bytes;      /* read from the file */
    uint64_t records;    /* of packets; frames plus those that were left out */
    uint64_t frames;     /* handed out */
    uint64_t sections;   /* of pcapng; 1 for pcap */
    uint64_t interfaces; /* over all sections; 1 for pcap */
    uint64_t truncated;  /* frames of which only the first bytes were kept */
    uint64_t steps_back; /* frames before the one that precedes them in time */
    uint64_t no_time;    /* simple packet blocks: they take the time stamp before */
    /* Left out: */
    uint64_t cut;      /* captured bytes end inside the headers */
    uint64_t no_frame; /* shorter than the headers of the link type, or raw IP of no IP version */
    uint64_t too_long; /* beyond 65535 bytes: not a frame of a wire (segmentation offload) */
};

/* Is it a file that starts like pcap or pcapng, and is no stimulus of ours? Of a name that is no
 * regular file, and of a standard input ("-") that is a pipe, nothing is read, and the answer is
 * false. */
bool egret_capture_is(const char *path);
/* Opens a capture; "-" is standard input. 0, or a negative enum egret_err with the reason in err
 * ("FILE: byte N: reason"; err may be null). */
int egret_capture_open(const char *path, struct egret_capture **out, struct egret_trace_error *err);
/* The next frame: 1; 0 at the end of a good file; negative on a bad record, after which every
 * further call gives the same error. */
int egret_capture_next(struct egret_capture *c, struct egret_capture_frame *out,
                       struct egret_trace_error *err);
/* What was read so far; valid until egret_capture_close(). */
const struct egret_capture_counts *egret_capture_counts(const struct egret_capture *c);
/* Closes the file and frees c; null is allowed. */
void egret_capture_close(struct egret_capture *c);

/* ---- a stimulus ---- */

struct egret_capture_stimulus {
    /* The set-up: what precedes the first packet of a stimulus or capture; or, if null, that of a
     * switch of a topology, as egret_make_stimulus() writes it. */
    const char *setup;
    const struct egret_topology *topology;
    const struct egret_make *make; /* switch, scheme, hash, configuration, topology_name */
    uint64_t limit;                /* stop after so many packets; 0 never */
    bool events;                   /* event frames in the capture are events; else refused */
};

/* Writes the set-up, at the time of the first frame, and the frames of the capture behind it, each
 * as it is. *counts (may be null) is what was read. */
int egret_capture_to_stimulus(const char *capture, const struct egret_capture_stimulus *how,
                              const char *path, struct egret_capture_counts *counts,
                              struct egret_trace_error *err);

/* ---- a schedule ---- */

struct egret_capture_report {
    struct egret_capture_counts read;
    uint64_t packets;     /* of RoCEv2 */
    uint64_t queue_pairs; /* source address, destination address, destination QP */
    uint64_t writes;      /* messages by kind; likewise below */
    uint64_t sends;
    uint64_t reads;         /* as their responses show */
    uint64_t read_requests; /* packets; no messages */
    uint64_t atomics;       /* packets, requests and responses; no messages */
    uint64_t acks;
    uint64_t cnps;
    uint64_t other;         /* opcodes of no known operation */
    uint64_t retransmitted; /* packets whose PSN was there before */
    uint64_t missing;    /* PSNs that a queue pair's requests skip and that do not follow later */
    uint64_t incomplete; /* messages whose first or last packet is not in the capture */
    uint64_t empty;      /* messages of 0 bytes; not in the schedule */
    uint64_t loopback;   /* packets from an address to itself; not in the schedule */
    /* Address of each rank, IPv4 in the first four bytes and zeros behind. */
    uint8_t (*host)[16];
    uint32_t hosts;
};

/* Reads the messages of all queue pairs: ranks are addresses in the order in which they appear,
 * start times count from the capture's first frame. out is sealed. report may be null; else it is
 * freed by egret_capture_report_free(). A capture without a message is EGRET_ERR_RANGE. */
int egret_capture_schedule(const char *path, struct egret_schedule *out,
                           struct egret_capture_report *report, struct egret_trace_error *err);
/* Frees the addresses. */
void egret_capture_report_free(struct egret_capture_report *report);

#ifdef __cplusplus
}
#endif
#endif
