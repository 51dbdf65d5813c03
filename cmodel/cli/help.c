/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.c: egret --help and egret COMMAND --help.
 */
#include <stdio.h>

#include "commands.h"

void cli_help(const struct cli_command *c)
{
    printf("usage: egret %s %s\n\n%s\n", c->name, c->usage, c->summary);
    printf("\noptions:\n");
    for (const struct cli_option *o = c->options; o && o->name; o++) {
        char left[64];
        (void)snprintf(left, sizeof left, "%s%s%s%s", o->name[1] ? "--" : "-", o->name,
                       o->arg ? " " : "", o->arg ? o->arg : "");
        printf("  %-26s %s\n", left, o->help);
    }
    printf("  %-26s %s\n", "--help", "this text");
    printf("\nexamples:\n%s", c->examples);
}

void cli_help_all(void)
{
    printf(
        "usage: egret COMMAND ...\n"
        "\n"
        "Switch egress selection: stimuli, the model's decisions, and comparison with a design.\n"
        "\n"
        "commands:\n");
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        printf("  %-15s %s\n", e->name, e->brief);
    }
    printf("\n"
           "egret COMMAND --help tells more; egret --man prints the manual, egret --version the\n"
           "versions. Options may stand before, between and behind operands; -- ends them.\n"
           "Exit codes: 0 done or equal, 1 different, 2 usage or input, 3 internal. Numbers are\n"
           "decimal (010 is ten), or hexadecimal after 0x.\n"
           "\n"
           "examples:\n"
           "  egret trace make --topology fat-tree:8 --collective permutation --bytes 1MiB \\\n"
           "      --at edge:0 --scheme dr --seed 1 -o perm.pcap\n"
           "  egret model --config lab perm.pcap --csv perm.csv --pcapng perm.pcapng\n"
           "  egret check --config lab --selector rtl:lab perm.pcap\n");
}
