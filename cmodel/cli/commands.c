/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.c: all commands. A new one is a line here and a file of its own.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"

const struct cli_entry cli_commands[] = {
    {"trace make", cmd_trace_make, "a stimulus of a collective at one switch of a fat-tree", ""},
    {"trace import", cmd_trace_import, "a stimulus from a trace or capture of another tool",
     "@files"},
    {"trace stats", cmd_trace_stats, "what is in such a trace", "@files"},
    {"trace random", cmd_trace_random, "a random stimulus for a configuration", ""},
    {"trace dump", cmd_trace_dump, "a stimulus as text, one line an event", "@files"},
    {"trace cut", cmd_trace_cut, "a part of a stimulus, with the events that it needs", "@files"},
    {"trace merge", cmd_trace_merge, "several stimuli as one, by time stamp", "@files"},
    {"model", cmd_model, "decisions of the model as CSV and pcapng", "@files"},
    {"check", cmd_check, "compares a selector (rtl:CONFIG, check:CONFIG, ./lib.so) with the model",
     "@files"},
    {"fabric", cmd_fabric, "a collective over a fabric of such switches: completion time, queues",
     "@files"},
    {"bench", cmd_bench, "what a decision takes, singly and in bursts", "@files"},
    {"compare", cmd_compare, "two logs of decisions, or a log and the model", "@files"},
    {"hash", cmd_hash, "a hash of bytes; which hash made an observed log", "@files"},
    {"config", cmd_config, "settings of a switch (YAML, SONiC) as writes; hardware configurations",
     "validate emit show presets schema keys list @configs @files"},
    {"completion", cmd_completion, "a completion script for bash or zsh", "bash zsh"},
    {NULL, NULL, NULL, NULL}};

const struct cli_entry *cli_command_find(int argc, char **argv, int *words)
{
    const struct cli_entry *best = NULL;
    *words = 0;
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        const char *rest = e->name;
        int n = 0;
        while (n < argc && *rest) {
            size_t length = strcspn(rest, " ");
            if (strlen(argv[n]) != length || strncmp(argv[n], rest, length) != 0) {
                break;
            }
            rest += length + (rest[length] == ' ');
            n++;
        }
        if (*rest == '\0' && n > *words) {
            best = e;
            *words = n;
        }
    }
    return best;
}

/* "trace: make, import, random or ... is missing": the word begins commands of two words. */
static int second_word(const char *first)
{
    char list[512] = "";
    size_t at = 0;
    size_t length = strlen(first);
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        if (strncmp(e->name, first, length) == 0 && e->name[length] == ' ' && at < sizeof list) {
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "",
                                   e->name + length + 1u);
        }
    }
    return cli_usage("%s: %s (see egret --help)", first, list);
}

int cli_command_unknown(int argc, char **argv)
{
    struct cli_suggest suggest;
    char word[128];
    bool group = false;
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        size_t length = strcspn(e->name, " ");
        group = group || (e->name[length] == ' ' && strlen(argv[0]) == length &&
                          strncmp(argv[0], e->name, length) == 0);
    }
    if (group && (argc < 2 || argv[1][0] == '-')) {
        return second_word(argv[0]);
    }
    (void)snprintf(word, sizeof word, "%s%s%s", argv[0], group ? " " : "", group ? argv[1] : "");
    cli_suggest_start(&suggest, word);
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        const char *last = strrchr(e->name, ' ');
        cli_suggest_try(&suggest, e->name);
        if (last && strcmp(last + 1, argv[0]) == 0) {
            suggest.best = e->name; /* make for trace make */
            suggest.distance = 0;
        }
    }
    return suggest.best ? cli_usage("unknown command '%s'; did you mean '%s'? (see egret --help)",
                                    word, suggest.best)
                        : cli_usage("unknown command '%s' (see egret --help)", word);
}

void cli_describe(const struct cli_entry *entry,
                  void (*give)(void *context, const struct cli_command *command), void *context)
{
    struct cli_describe describe = {give, context};
    (void)entry->run(CLI_DESCRIBE, (char **)(void *)&describe);
}
