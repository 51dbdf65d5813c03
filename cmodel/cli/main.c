/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c: the egret command.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "egret/regs.h"
#include "egret/selector.h"

static const char help[] =
    "usage: egret COMMAND ...\n"
    "\n"
    "Switch egress selection: stimuli, the model's decisions, and comparison with a design.\n"
    "\n"
    "commands:\n"
    "  trace make      a stimulus of a collective at one switch of a fat-tree\n"
    "  trace import    a stimulus from an htsim connection matrix (.cm)\n"
    "  trace random    a random stimulus for a configuration\n"
    "  trace dump      a stimulus as text, one line an event\n"
    "  model           decisions of the model as CSV and pcapng\n"
    "  check           compares a selector (rtl:CONFIG, check:CONFIG, ./lib.so) with the model\n"
    "  compare         two logs of decisions, or a log and the model\n"
    "  hash            a hash of bytes; which hash made an observed log\n"
    "  config          named hardware configurations\n"
    "\n"
    "egret COMMAND --help tells more; egret --version. Exit codes: 0 done or equal, 1 different,\n"
    "2 usage or input, 3 internal. Numbers are decimal (010 is ten), or hexadecimal after 0x.\n"
    "\n"
    "examples:\n"
    "  egret trace make --topology fat-tree:8 --collective permutation --bytes 1MiB --at edge:0 "
    "\\\n"
    "      --scheme dr --seed 1 -o perm.pcap\n"
    "  egret model --config lab perm.pcap --csv perm.csv --pcapng perm.pcapng\n"
    "  egret check --config lab --selector rtl:lab perm.pcap\n";

int cmd_trace(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {
        {"make", cmd_trace_make},
        {"import", cmd_trace_import},
        {"random", cmd_trace_random},
        {"dump", cmd_trace_dump},
    };
    if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
        (void)fputs(help, stdout);
        return EXIT_DONE;
    }
    for (size_t i = 0; argc > 0 && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[0], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return cli_usage("trace: make, import, random or dump (see egret --help)");
}

static int run(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {
        {"trace", cmd_trace}, {"model", cmd_model},   {"check", cmd_check},
        {"hash", cmd_hash},   {"config", cmd_config}, {"compare", cmd_compare},
    };
    if (argc < 2) {
        return cli_usage("a command is missing (see egret --help)");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        (strcmp(argv[1], "help") == 0 && argc == 2)) {
        (void)fputs(help, stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "help") == 0) {
        char option[] = "--help";
        char *again[4] = {argv[0], argv[2], argc > 3 ? argv[3] : option, option};
        return run(argc > 3 ? 4 : 3, again);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("egret, API version %d, stimulus version %u, selector version %u, hardware version "
               "%08x\n",
               EGRET_API_VERSION, EGRET_EVENT_VERSION, EGRET_SELECTOR_VERSION, EGRET_VERSION_WORD);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 2, argv + 2);
        }
    }
    return cli_usage("unknown command '%s' (see egret --help)", argv[1]);
}

int main(int argc, char **argv)
{
    /* A closed pipe is an error of write(), so that half-written files go away first. */
    (void)signal(SIGPIPE, SIG_IGN);
    int code = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_check_pipe();
        if (code == EXIT_DONE) {
            return cli_usage("standard output: %s", strerror(errno));
        }
    }
    return code;
}
