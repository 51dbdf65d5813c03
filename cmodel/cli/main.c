/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c: the egret command.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "egret/regs.h"
#include "egret/selector.h"

static bool is_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

/* The arguments behind egret. */
static int run(int argc, char **argv)
{
    int words;
    const struct cli_entry *entry = cli_command_find(argc, argv, &words);
    if (entry) {
        return entry->run(argc - words, argv + words);
    }
    bool alone = strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "--man") == 0;
    if (alone && argc > 1) {
        return cli_usage("%s stands alone: '%s' is one word too many", argv[0], argv[1]);
    }
    if (strcmp(argv[0], "--version") == 0) {
        printf("egret, API version %d, stimulus version %u, selector version %u, hardware version "
               "%08x\n",
               EGRET_API_VERSION, EGRET_EVENT_VERSION, EGRET_SELECTOR_VERSION, EGRET_VERSION_WORD);
        return EXIT_DONE;
    }
    if (strcmp(argv[0], "--man") == 0) {
        cli_manpage();
        return EXIT_DONE;
    }
    /* Also egret trace --help: trace alone is no command. */
    if (is_help(argv[0]) || (argc == 2 && strcmp(argv[0], "trace") == 0 && is_help(argv[1]))) {
        cli_help_all();
        return EXIT_DONE;
    }
    if (argv[0][0] == '-') {
        return cli_usage("unknown option '%s' (see egret --help)", argv[0]);
    }
    return cli_command_unknown(argc, argv);
}

/* egret help trace make is egret trace make --help. */
static int help(int argc, char **argv)
{
    int words;
    char option[] = "--help";
    char *only[] = {option};
    if (argc == 0 || (argc == 1 && strcmp(argv[0], "trace") == 0)) {
        cli_help_all();
        return EXIT_DONE;
    }
    const struct cli_entry *entry = cli_command_find(argc, argv, &words);
    return entry ? entry->run(1, only) : cli_command_unknown(argc, argv);
}

int main(int argc, char **argv)
{
    int code;
    /* A closed pipe is an error of write(), so that half-written files go away first. */
    (void)signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        code = cli_usage("a command is missing (see egret --help)");
    } else if (strcmp(argv[1], "help") == 0) {
        code = help(argc - 2, argv + 2);
    } else {
        code = run(argc - 1, argv + 1);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_check_pipe();
        if (code == EXIT_DONE) {
            return cli_usage("standard output: %s", strerror(errno));
        }
    }
    return code;
}
