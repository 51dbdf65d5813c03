/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.h: the table of all commands, from which come help, man page, completion, suggestions.
 */
#ifndef EGRET_CLI_COMMANDS_H
#define EGRET_CLI_COMMANDS_H

#include "cli.h"

struct cli_entry {
    const char *name; /* one word or more, a blank between: "trace make" */
    int (*run)(int argc, char **argv);
    const char *brief;    /* its line in egret --help */
    const char *operands; /* what completion offers for an operand, in the form of values.c */
};

/* Ends with a null name. */
extern const struct cli_entry cli_commands[];

/* The command that the first arguments name, and of how many words; null if there is none. */
const struct cli_entry *cli_command_find(int argc, char **argv, int *words);
/* One line about arguments that name no command; returns EXIT_USAGE. */
int cli_command_unknown(int argc, char **argv);

/* A command's description lives on the stack of its function. Called with an argc of CLI_DESCRIBE
 * and a struct cli_describe in place of argv, the function gets as far as cli_parse(), which hands
 * the description to `give` and lets it return. */
#define CLI_DESCRIBE (-1)
struct cli_describe {
    void (*give)(void *context, const struct cli_command *command);
    void *context;
};
/* Calls `give` for the command, once. */
void cli_describe(const struct cli_entry *entry,
                  void (*give)(void *context, const struct cli_command *command), void *context);

/* ---- help.c ---- */

void cli_help(const struct cli_command *command);
void cli_help_all(void);

/* ---- manpage.c ---- */

void cli_manpage(void);

/* ---- values.c ---- */

/* What an option takes: words, @ sets of them, and @files if it is a file; null if nothing is known
 * about it. */
const char *cli_option_values(const struct cli_option *option);
/* Prints them (null: none) one by one, without @files; true if @files is among them. */
bool cli_print_values(const char *values, const char *before, const char *after);

/* ---- suggest.c ---- */

/* Keeps the nearest of the words that it is shown. */
struct cli_suggest {
    const char *word;
    const char *best;
    size_t distance;
};
void cli_suggest_start(struct cli_suggest *s, const char *word);
void cli_suggest_try(struct cli_suggest *s, const char *candidate);

#endif
