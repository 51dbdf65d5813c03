/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manpage.c: egret --man: the manual page, from the table of commands, for man(1) and mandoc(1).
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"

#define MAN_DATE "2026-11-29" /* of the text below */

/* Text as it is: no escape, no request, and a dash that can be copied. */
static void literal(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool starts = i == 0 || text[i - 1u] == '\n';
        if (starts && (text[i] == '.' || text[i] == '\'')) {
            (void)fputs("\\&", stdout);
        }
        if (text[i] == '\\') {
            (void)fputs("\\e", stdout);
        } else if (text[i] == '-') {
            (void)fputs("\\-", stdout);
        } else {
            (void)putchar(text[i]);
        }
    }
}

/* Running text, in lines of up to 76 columns, so that its source can be read, too. */
static void prose(const char *text)
{
    size_t column = 0;
    while (*text) {
        size_t n = strcspn(text, " \n");
        size_t wide = n; /* as literal() writes it */
        for (size_t i = 0; i < n; i++) {
            wide += text[i] == '-';
        }
        if (n > 0) {
            if (column > 0 && column + wide > 76u) {
                (void)putchar('\n');
                column = 0;
            } else if (column > 0) {
                (void)putchar(' ');
                column++;
            }
            literal(text, n);
            column += wide;
        }
        text += n + (text[n] != '\0');
    }
    (void)putchar('\n');
}

static void examples(const char *text)
{
    (void)fputs(".PP\n.nf\n", stdout);
    while (*text) {
        size_t n = strcspn(text, "\n");
        size_t blanks = strspn(text, " ");
        size_t skip = blanks < 2u ? blanks : 2u;
        literal(text + skip, n - skip);
        (void)putchar('\n');
        text += n + (text[n] != '\0');
    }
    (void)fputs(".fi\n", stdout);
}

static void command(void *context, const struct cli_command *c)
{
    (void)context;
    printf(".SS egret %s\n.B egret %s\n", c->name, c->name);
    if (c->usage[0]) {
        prose(c->usage);
    }
    (void)fputs(".PP\n", stdout);
    prose(c->summary);
    for (const struct cli_option *o = c->options; o && o->name; o++) {
        (void)fputs(".TP\n\\fB", stdout);
        literal(o->name[1] ? "--" : "-", o->name[1] ? 2 : 1);
        literal(o->name, strlen(o->name));
        (void)fputs("\\fR", stdout);
        if (o->arg) {
            (void)fputs(" \\fI", stdout);
            literal(o->arg, strlen(o->arg));
            (void)fputs("\\fR", stdout);
        }
        (void)putchar('\n');
        prose(o->help);
    }
    examples(c->examples);
}

void cli_manpage(void)
{
    (void)fputs(
        ".TH EGRET 1 " MAN_DATE " egret\n"
        ".SH NAME\n"
        "egret \\- switch egress selection for AI fabrics\n"
        ".SH SYNOPSIS\n"
        ".B egret\n"
        ".I COMMAND\n"
        "[\\fIOPTION\\fR ...] [\\fIFILE\\fR ...]\n"
        ".PP\n"
        ".B egret\n"
        "[\\fICOMMAND\\fR] \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR | \\fB\\-\\-man\\fR\n"
        ".SH DESCRIPTION\n"
        "Which egress port does a packet of an AI fabric leave by?\n"
        "egret makes stimuli, ordered streams of packets, port, queue, tick, write and\n"
        "read events in ordinary pcap files; decides them with a model that is exact\n"
        "to the bit; and compares a design with that model, decision by decision.\n"
        ".PP\n"
        "Options may stand before, between and behind operands, as\n"
        "\\fB\\-\\-\\fR\\fIoption value\\fR or \\fB\\-\\-\\fR\\fIoption\\fR=\\fIvalue\\fR;\n"
        "\\fB\\-\\-\\fR ends them.\n"
        "A file \\fB\\-\\fR is standard input or output.\n"
        "Numbers are decimal, or hexadecimal after 0x; sizes take KB, MB, GB, KiB,\n"
        "MiB, GiB, rates M and G (bits a second).\n"
        "Output files appear under their names only when all are complete, and never\n"
        "replace an input.\n"
        ".SH COMMANDS\n",
        stdout);
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        cli_describe(e, command, NULL);
    }
    (void)fputs(
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\nDone; of a comparison: equal, and at least one decision was compared.\n"
        ".TP\n.B 1\nDifferent; with \\fB\\-\\-order\\fR, a packet out of order without a cause.\n"
        ".TP\n.B 2\nUsage or input; one line on standard error says what is wrong.\n"
        ".TP\n.B 3\nInternal: memory, an assertion, a selector that failed.\n"
        ".SH ENVIRONMENT\n"
        "egret reads no variable of its own.\n"
        "A selector that is loaded may.\n"
        ".SH FILES\n"
        ".TP\n.I *.pcap\n"
        "A stimulus: classic pcap with nanosecond time stamps, events as frames of\n"
        "EtherType 0x88b5 (docs/trace.md).\n"
        ".TP\n.I *.cfg\n"
        "A hardware configuration as lines of KEY=VALUE (egret config show).\n"
        ".TP\n.I ../selectors/rtl_CONFIG.so, ../selectors/check_CONFIG.so\n"
        "What \\fBrtl:\\fR\\fICONFIG\\fR and \\fBcheck:\\fR\\fICONFIG\\fR stand for, from the\n"
        "folder of the command; then ../lib/egret/selectors.\n"
        ".SH EXAMPLES\n"
        "A permutation at an edge switch, decided by the model, then by the RTL:\n",
        stdout);
    examples("egret trace make --topology fat-tree:8 --collective permutation \\\n"
             "    --bytes 1MiB --at edge:0 --scheme dr --seed 1 -o perm.pcap\n"
             "egret model --config lab perm.pcap --csv perm.csv --pcapng perm.pcapng\n"
             "egret check --config lab --selector rtl:lab perm.pcap\n");
    (void)fputs(".SH SEE ALSO\n.BR editcap (1),\n.BR tshark (1)\n", stdout);
}
