/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstep.h: a stimulus and the model beside a bench of your own, in plain C types, so that DPI
 * can import every function as it is (tb/foreign/egret_lockstep.sv) and VPI needs a thin layer
 * (tb/foreign/lockstep_vpi.c). docs/bring-your-own-rtl.md walks through both.
 *
 * The bench takes events one after the other, drives its design with them, and hands over each port
 * that the design answers, in the order of the packets. It may be any number of clocks later: only
 * what was decided is compared. What goes wrong is kept for the verdict, so that a bench need not
 * look at every return value. A handle belongs to one thread; a null one is an error of every call.
 */
#ifndef EGRET_LOCKSTEP_H
#define EGRET_LOCKSTEP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EGRET_LOCKSTEP_WORDS 17     /* words of a vector, word 0 the least significant */
#define EGRET_LOCKSTEP_WAITING 4096 /* packets that may wait for their answers */
#define EGRET_LOCKSTEP_PATIENCE 10000

/* Opens a stimulus (a file, "-" is standard input) and the model of a configuration of configs.mk.
 * Null only without memory: any other error ends the first egret_lockstep_next() and is told by the
 * verdict. */
void *egret_lockstep_open(const char *configuration, const char *stimulus);
/* The next event: 1, and the vector: the columns of egret model --vectors (docs/trace.md) as one
 * number, the expected port and data among them. 0 at the end, or after an error. An event that is
 * no packet goes to the design once egret_lockstep_busy() is 0. */
int egret_lockstep_next(void *lockstep, uint32_t *vector);
/* 1 while packets wait for their answers. Call it once a clock: after EGRET_LOCKSTEP_PATIENCE calls
 * without an answer it is 0, and the verdict bad. */
int egret_lockstep_busy(void *lockstep);
/* The design's answer for the packet that has waited longest: a port, or 255 for a drop. 1 if the
 * model has the same, else 0. A bench gives -1 for a port with unknown bits. */
int egret_lockstep_port(void *lockstep, int port);
/* 0 if every packet of the stimulus has its answer, there is at least one, and all are equal; else
 * 1. Call it behind the last event. */
int egret_lockstep_verdict(void *lockstep);
/* What the verdict says: the first difference, what else went wrong, and as its last line
 * RESULT pass=N fail=M. Valid until the next call. */
const char *egret_lockstep_text(void *lockstep);
/* Frees it; null is allowed. */
void egret_lockstep_close(void *lockstep);

#ifdef __cplusplus
}
#endif
#endif
