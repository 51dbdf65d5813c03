/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_dump.c: egret trace dump: one line an event.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"

static void print_packet(const struct egret_event *ev)
{
    printf("packet tag=%" PRIu32 " group=%u key=%u bin=%u class=%u length=%u entropy=%" PRIu32
           " record=",
           ev->tag, ev->group, ev->key, ev->bin, ev->cls, ev->length, ev->entropy);
    for (size_t i = 0; i < EGRET_RECORD_BYTES; i++) {
        printf("%02x", ev->record[i]);
    }
    (void)putchar('\n');
}

static void print_event(uint64_t ordinal, const struct egret_event *ev)
{
    printf("%" PRIu64 " %" PRIu64 " ", ordinal, ev->now);
    switch (ev->kind) {
    case EGRET_EV_PACKET:
        print_packet(ev);
        break;
    case EGRET_EV_WRITE:
        printf("write addr=%06" PRIx32 " data=%08" PRIx32 "\n", ev->addr, ev->data);
        break;
    case EGRET_EV_FAULT:
        printf("fault addr=%06" PRIx32 " data=%08" PRIx32 "\n", ev->addr, ev->data);
        break;
    case EGRET_EV_READ:
        printf("read addr=%06" PRIx32 "\n", ev->addr);
        break;
    case EGRET_EV_PORT:
        printf("port port=%" PRIu32 " %s\n", ev->port, ev->up ? "up" : "down");
        break;
    case EGRET_EV_QUEUE:
        printf("queue port=%" PRIu32 " depth=%" PRIu32 "\n", ev->port, ev->depth);
        break;
    default:
        printf("tick\n");
        break;
    }
}

int cmd_trace_dump(int argc, char **argv)
{
    const struct cli_option options[] = {{NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace dump", "FILE",
        "Prints a stimulus: ordinal, time stamp in nanoseconds, kind, fields; addresses and data\n"
        "are hexadecimal. Packets are shown as the front end resolves them. FILE - is standard\n"
        "input.",
        options, "  egret trace dump perm.pcap | grep ' packet '\n"};
    const char *operand[1];
    size_t n;
    struct egret_stimulus *in;
    struct egret_trace_error err;
    struct egret_event ev;
    int code = cli_parse(&command, argc, argv, operand, 1, &n);
    if (code >= 0) {
        return code;
    }
    if (n != 1) {
        return cli_usage("trace dump: a file is missing");
    }
    code = cli_scan_file(operand[0], NULL, NULL);
    if (code >= 0) {
        return code;
    }
    code = egret_stimulus_open(operand[0], &in, &err);
    if (code) {
        return cli_error(code, &err);
    }
    while ((code = egret_stimulus_next(in, &ev, &err)) > 0 && !ferror(stdout)) {
        print_event(egret_stimulus_events(in) - 1u, &ev);
    }
    (void)fflush(stdout);
    int result = code < 0 ? cli_error(code, &err) : EXIT_DONE;
    egret_stimulus_close(in);
    return result;
}
