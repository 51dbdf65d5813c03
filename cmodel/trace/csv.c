/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv.c: decisions as CSV, one row for each packet and read (docs/trace.md).
 */
#include <inttypes.h>
#include <stdio.h>

#include "csv.h"

void egret_csv_header(struct egret_outfile *f)
{
    egret_outfile_printf(f, EGRET_CSV_HEADER);
}

static void port_name(unsigned port, char text[8])
{
    if (port == EGRET_PORT_DROP) {
        (void)snprintf(text, 8, "drop");
    } else {
        (void)snprintf(text, 8, "%u", port & 0xffu);
    }
}

size_t egret_csv_text(char text[EGRET_CSV_TEXT], uint64_t event, uint64_t cycle,
                      const struct egret_event *ev, const struct egret_decision *d)
{
    int n = 0;
    text[0] = '\0';
    if (d->kind == EGRET_RES_READ) {
        n = snprintf(text, EGRET_CSV_TEXT,
                     "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",0,0,read,-,read,-,%08" PRIx32 "\n", event,
                     cycle, d->tag, d->data);
    } else if (d->kind == EGRET_RES_PACKET) {
        char port[8];
        char choice[8];
        char code[8];
        const char *scheme = egret_scheme_name(d->scheme);
        const char *reason = egret_reason_name(d->reason);
        port_name(d->port, port);
        port_name(d->choice, choice);
        if (!scheme) { /* a 4-bit code without a name */
            (void)snprintf(code, sizeof code, "%u", d->scheme);
            scheme = code;
        }
        n = snprintf(text, EGRET_CSV_TEXT,
                     "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%u,%u,%s,%s,%s,%s,%08" PRIx32 "\n", event,
                     cycle, d->tag, ev->group, ev->key, scheme, port, reason ? reason : "?", choice,
                     d->data);
    }
    return (size_t)n;
}

void egret_csv_row(struct egret_outfile *f, uint64_t event, uint64_t cycle,
                   const struct egret_event *ev, const struct egret_decision *d)
{
    char text[EGRET_CSV_TEXT];
    size_t n = egret_csv_text(text, event, cycle, ev, d);
    if (n) {
        egret_outfile_write(f, text, n);
    }
}
