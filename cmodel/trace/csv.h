/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv.h: a row of the CSV of decisions as text. For this library and the egret command.
 */
#ifndef EGRET_TRACE_CSV_H
#define EGRET_TRACE_CSV_H

#include "egret/trace.h"

#define EGRET_CSV_HEADER "event,cycle,tag,group,key,scheme,port,reason,choice,data\n"
#define EGRET_CSV_TEXT 160u /* the longest row, its end and terminator: 20 + 20 + 3 * 10 + .. */

/* The row that egret_csv_row() writes, with its line end; its length, 0 if there is none. */
size_t egret_csv_text(char text[EGRET_CSV_TEXT], uint64_t event, uint64_t cycle,
                      const struct egret_event *ev, const struct egret_decision *d);

#endif
