/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nccl.h: what the files of the NCCL log reader share. Internal to the trace library.
 *
 * A communicator has a pointer at each of its ranks; an Init line ties pointers by commId. Lines of
 * one pointer are a `seat`: one rank of one communicator.
 */
#ifndef EGRET_TRACE_NCCL_H
#define EGRET_TRACE_NCCL_H

#include "importer.h"
#include "names.h"

#define NCCL_NONE UINT32_MAX

enum nccl_verb { NCCL_COLLECTIVE, NCCL_SEND, NCCL_RECV };

/* A call, or an Init line, out of a line of the log. */
struct nccl_line {
    bool init;
    enum nccl_verb verb;
    uint32_t kind; /* enum egret_collective_kind */
    char process[160]; /* host:pid */
    char comm[24];
    char comm_id[24]; /* empty: not given */
    char stream[24];
    uint64_t dev;
    uint64_t op_count;
    uint64_t count;
    uint64_t datatype;
    uint64_t root;
    uint64_t nranks; /* 0: not given */
    uint64_t rank;   /* Init: in the communicator; a call: globalrank, or UINT64_MAX */
};
/* 1: a line that counts; 0: another line; negative: one that cannot be read. *reason is constant.
 */
int egret_nccl_line(const char *text, struct nccl_line *out, const char **reason);

struct nccl_call {
    uint64_t where;
    uint64_t bytes; /* of one rank's count */
    uint64_t op_count;
    uint32_t seat;
    uint32_t stream; /* number of process, device and stream */
    uint32_t peer;   /* root */
    uint16_t file;
    uint8_t verb;
    uint8_t kind;
};
struct nccl_seat {
    uint32_t nranks;
    uint32_t rank;   /* in the communicator; NCCL_NONE: not known */
    uint32_t place;  /* number of process and device */
    uint32_t comm;   /* number of the communicator */
    uint32_t id;     /* number of commId; NCCL_NONE */
    uint32_t global; /* NCCL_NONE: not known */
    uint64_t where;
    uint16_t file;
};
struct nccl_comm {
    uint32_t nranks;
    uint32_t *rank; /* of each member: global */
    uint32_t found;
};
struct nccl {
    struct importer *m;
    char *text; /* of a line */
    struct nccl_seat *seat;
    size_t seats;
    size_t seat_capacity;
    struct nccl_call *call;
    size_t calls;
    size_t call_capacity;
    struct nccl_comm *comm;
    size_t comms;
    struct names seat_names;
    struct names place_names;
    struct names stream_names;
    struct names id_names;
    uint32_t places;
    uint32_t streams;
    uint32_t ids;
};
/* Communicators and global ranks out of the seats; nccl_comm.c. */
int egret_nccl_comms(struct nccl *n);

#endif
