/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vectors.h: an event and its decision as one vector of 544 bits, the columns of egret model
 * --vectors without the blanks (docs/trace.md, section 3). Internal to the trace library.
 */
#ifndef EGRET_TRACE_VECTORS_H
#define EGRET_TRACE_VECTORS_H

#include "egret/trace.h"

#define VECTOR_BYTES 68u

/* Bytes of the vector, the most significant first. */
void egret_vector_bytes(const struct egret_event *ev, const struct egret_decision *d,
                        uint8_t out[VECTOR_BYTES]);

#endif
