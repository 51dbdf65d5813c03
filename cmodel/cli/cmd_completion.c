/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_completion.c: egret completion: a script for the shell, from the table of commands.
 *
 * Both scripts have the same three functions with the data, and a part that is the shell's own.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static void options_of(void *context, const struct cli_command *c)
{
    (void)context;
    printf("    '%s') printf '%%s\\n'", c->name);
    for (const struct cli_option *o = c->options; o && o->name; o++) {
        printf(" %s%s%s", o->name[1] ? "--" : "-", o->name, o->type == CLI_FLAG ? "" : "=");
    }
    (void)fputs(" --help ;;\n", stdout);
}

/* A row of _egret_values. */
static void row(const char *command, const char *dashes, const char *name, const char *values)
{
    printf("    '%s%s%s%s') printf '%%s\\n'", command, dashes[0] ? " " : "", dashes, name);
    bool files = cli_print_values(values, " '", "'");
    printf("%s ;;\n", files ? " @files" : "");
}

static void values_of(void *context, const struct cli_command *c)
{
    const struct cli_entry *entry = context;
    for (const struct cli_option *o = c->options; o && o->name; o++) {
        const char *values = o->type == CLI_FLAG ? NULL : cli_option_values(o);
        if (values) {
            row(c->name, o->name[1] ? "--" : "-", o->name, values);
        }
    }
    if (entry->operands[0]) {
        row(c->name, "", "", entry->operands);
    }
}

/* The commands; the options of a command, with = behind those that take a value; the values of
 * 'COMMAND --OPTION', or of an operand of 'COMMAND', one a line. */
static void print_data(void)
{
    (void)fputs("_egret_commands() {\n    printf '%s\\n'", stdout);
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        printf(" '%s'", e->name);
    }
    (void)fputs("\n}\n\n_egret_options() {\n    case $1 in\n", stdout);
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        cli_describe(e, options_of, NULL);
    }
    (void)fputs("    '') printf '%s\\n' --help --version --man help ;;\n    esac\n}\n\n"
                "_egret_values() {\n    case $1 in\n",
                stdout);
    for (const struct cli_entry *e = cli_commands; e->name; e++) {
        cli_describe(e, values_of, (void *)(size_t)e);
    }
    (void)fputs("    esac\n}\n\n", stdout);
}

/* What to offer for the last of the words, given the ones before it, one a line; @files if a file
 * may stand there. The same text in both shells. */
static const char common[] =
    "# _egret_offer WORD...: what may stand for the last word.\n"
    "_egret_offer() {\n"
    "    local cur='' prev='' command='' name='' before='' w='' words=0 at=0 ended=''\n"
    "    for w in \"$@\"; do\n"
    "        at=$((at + 1))\n"
    "        if [ $at -eq $# ]; then cur=$w; break; fi\n"
    "        prev=$w\n"
    "        if [ \"$w\" = -- ]; then ended=1; fi\n"
    "        if [ -z \"$command\" ]; then\n"
    "            before=\"${before:+$before }$w\"\n"
    "            if _egret_commands | grep -qxF -e \"$before\"; then command=$before; fi\n"
    "            if [ \"$before\" = help ]; then before=''; fi\n"
    "        fi\n"
    "    done\n"
    "    if [ -z \"$command\" ]; then\n"
    "        _egret_commands | while IFS= read -r name; do\n"
    "            case $name in \"${before:+$before }\"*) name=${name#\"${before:+$before }\"}\n"
    "                printf '%s\\n' \"${name%% *}\" ;; esac\n"
    "        done | sort -u\n"
    "        if [ -z \"$before\" ]; then _egret_options ''; fi\n"
    "        return\n"
    "    fi\n"
    "    if [ -z \"$ended\" ]; then\n"
    "        case $cur in\n"
    "        --*=*) _egret_values \"$command ${cur%%=*}\"; return ;;\n"
    "        esac\n"
    "        if _egret_options \"$command\" | grep -qxF -e \"$prev=\"; then\n"
    "            _egret_values \"$command $prev\"\n"
    "            return\n"
    "        fi\n"
    "        case $cur in\n"
    "        -*) _egret_options \"$command\" | sed 's/=$//'; return ;;\n"
    "        esac\n"
    "    fi\n"
    "    _egret_values \"$command\"\n"
    "}\n\n";

/* In bash a colon and an equals sign part words, so the words are taken from the line itself. */
static const char bash[] =
    "_egret() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} cur part head offer\n"
    "    local -a words\n"
    "    read -ra words <<<\"$line\"\n"
    "    if [[ $line == *[[:blank:]] ]]; then words+=(''); fi\n"
    "    cur=${words[${#words[@]} - 1]}\n"
    "    offer=$(_egret_offer \"${words[@]:1}\")\n"
    "    part=$cur\n"
    "    if [[ $cur == --*=* ]]; then part=${cur#*=}; fi\n"
    "    COMPREPLY=()\n"
    "    if [[ $'\\n'$offer$'\\n' == *$'\\n@files\\n'* ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        while IFS= read -r w; do COMPREPLY+=(\"$w\"); done < <(compgen -f -- \"$part\")\n"
    "    fi\n"
    "    offer=${offer//@files/}\n"
    "    while IFS= read -r w; do COMPREPLY+=(\"$w\"); done < "
    "<(compgen -W \"$offer\" -- \"$part\")\n"
    "    # Of a word with a colon, bash replaces what is behind the last one.\n"
    "    head=${part%\"${part##*:}\"}\n"
    "    if [[ -n $head && $COMP_WORDBREAKS == *:* ]]; then\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"$head\"}\")\n"
    "    fi\n"
    "    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then\n"
    "        compopt -o nospace 2>/dev/null\n"
    "    fi\n"
    "    return 0\n"
    "}\n"
    "complete -F _egret egret\n";

static const char zsh[] =
    "_egret() {\n"
    "    local -a offer\n"
    "    local files=''\n"
    "    offer=(\"${(@f)$(_egret_offer \"${(@)words[2,CURRENT]}\")}\")\n"
    "    if [[ ${offer[(r)@files]} == @files ]]; then files=1; fi\n"
    "    offer=(${offer:#@files})\n"
    "    if [[ ${words[CURRENT]} == --*=* ]]; then compset -P '*='; fi\n"
    "    if (( ${#offer} )); then\n"
    "        compadd -S '' -- ${(M)offer:#*:}\n"
    "        compadd -- ${offer:#*:}\n"
    "    fi\n"
    "    if [[ -n $files ]]; then _files; fi\n"
    "}\n"
    "if [[ $funcstack[1] == _egret ]]; then _egret \"$@\"; else compdef _egret egret; fi\n";

int cmd_completion(int argc, char **argv)
{
    const struct cli_option options[] = {{NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "completion", "bash | zsh",
        "Prints a script with which the shell completes commands, options, names and files.\n"
        "make install puts it where shells look for it.",
        options,
        "  source <(egret completion bash)            # in ~/.bashrc\n"
        "  egret completion zsh > _egret              # into a folder of $fpath\n"};
    const char *operand[1];
    size_t n;
    int code = cli_parse(&command, argc, argv, operand, 1, &n);
    if (code >= 0) {
        return code;
    }
    bool is_bash = n == 1 && strcmp(operand[0], "bash") == 0;
    if (!is_bash && (n != 1 || strcmp(operand[0], "zsh") != 0)) {
        return cli_usage("completion: bash or zsh (see egret completion --help)");
    }
    if (!is_bash) {
        (void)fputs("#compdef egret\n", stdout);
    }
    printf("# SPDX-License-Identifier: Apache-2.0\n"
           "# Completion of the egret command; made by egret completion %s.\n\n",
           operand[0]);
    print_data();
    (void)fputs(common, stdout);
    (void)fputs(is_bash ? bash : zsh, stdout);
    return EXIT_DONE;
}
