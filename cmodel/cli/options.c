/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c: parses a command's arguments from a table.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

int cli_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fputs("egret: ", stderr);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    return EXIT_USAGE;
}

int cli_error(int code, const struct egret_trace_error *err)
{
    cli_check_pipe();
    (void)cli_usage("%s", err->text);
    return code == EGRET_ERR_MEMORY || code == EGRET_ERR_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
}

void cli_check_pipe(void)
{
    if (ferror(stdout) && errno == EPIPE) {
        (void)signal(SIGPIPE, SIG_DFL);
        (void)raise(SIGPIPE);
    }
}

bool cli_parse_u64(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    unsigned long long v = strtoull(text, &end, hex ? 16 : 10);
    if (errno || *end != '\0' || v > max) {
        return false;
    }
    *out = v;
    return true;
}

/* A decimal number with a unit out of a table. */
static bool with_unit(const char *text, const char *const *unit, const uint64_t *scale,
                      uint64_t *out)
{
    size_t digits = strspn(text, "0123456789");
    char number[24];
    uint64_t v;
    if (digits == 0 || digits >= sizeof number) {
        return false;
    }
    memcpy(number, text, digits);
    number[digits] = '\0';
    if (!cli_parse_u64(number, UINT64_MAX, &v)) {
        return false;
    }
    for (size_t i = 0; unit[i]; i++) {
        if (strcmp(text + digits, unit[i]) == 0) {
            if (v > UINT64_MAX / scale[i]) {
                return false;
            }
            *out = v * scale[i];
            return true;
        }
    }
    return false;
}

bool cli_parse_size(const char *text, uint64_t *out)
{
    static const char *const unit[] = {"", "B", "KB", "MB", "GB", "KiB", "MiB", "GiB", NULL};
    static const uint64_t scale[] = {1, 1, 1000, 1000000, 1000000000, 1024, 1048576, 1073741824};
    return with_unit(text, unit, scale, out);
}

bool cli_parse_rate(const char *text, uint64_t *out)
{
    static const char *const unit[] = {"G", "M", "Gbps", "Mbps", NULL};
    static const uint64_t scale[] = {1000, 1, 1000, 1};
    return with_unit(text, unit, scale, out) && *out > 0;
}

bool cli_parse_time(const char *text, uint64_t *out)
{
    static const char *const unit[] = {"", "ns", "us", "ms", "s", NULL};
    static const uint64_t scale[] = {1, 1, 1000, 1000000, 1000000000};
    return with_unit(text, unit, scale, out);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool cli_parse_hex(const char *text, uint8_t *out, size_t max, size_t *n)
{
    size_t digits = strlen(text);
    if (digits % 2u != 0 || digits / 2u > max) {
        return false;
    }
    for (size_t i = 0; i < digits / 2u; i++) {
        int high = hex_digit(text[2u * i]);
        int low = hex_digit(text[2u * i + 1u]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[i] = (uint8_t)(high << 4 | low);
    }
    *n = digits / 2u;
    return true;
}

static bool set_value(const struct cli_option *o, const char *text)
{
    uint64_t v;
    switch (o->type) {
    case CLI_TEXT:
        *(const char **)o->value = text;
        return text[0] != '\0';
    case CLI_U32:
        if (!cli_parse_u64(text, UINT32_MAX, &v)) {
            return false;
        }
        *(uint32_t *)o->value = (uint32_t)v;
        return true;
    case CLI_U64:
        return cli_parse_u64(text, UINT64_MAX, (uint64_t *)o->value);
    case CLI_SIZE:
        return cli_parse_size(text, (uint64_t *)o->value);
    default: /* CLI_RATE; a flag has no value */
        return cli_parse_rate(text, (uint64_t *)o->value);
    }
}

/* The option that an argument names; *inline_value is what follows '=', or null. */
static const struct cli_option *find_option(const struct cli_command *c, const char *arg,
                                            const char **inline_value)
{
    bool is_long = arg[1] == '-';
    const char *name = arg + (is_long ? 2 : 1);
    const char *equals = is_long ? strchr(name, '=') : NULL;
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    *inline_value = equals ? equals + 1 : NULL;
    for (const struct cli_option *o = c->options; o && o->name; o++) {
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0 &&
            (length > 1) == is_long) {
            return o;
        }
    }
    return NULL;
}

/* Not a value: an option of the command, or whatever starts with two dashes. */
static bool is_option(const struct cli_command *c, const char *text)
{
    const char *value;
    return text[0] == '-' && text[1] != '\0' && (text[1] == '-' || find_option(c, text, &value));
}

static int unknown_option(const struct cli_command *c, const char *arg)
{
    struct cli_suggest suggest;
    size_t dashes = arg[1] == '-' ? 2 : 1;
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    cli_suggest_start(&suggest, name + (strlen(name) > dashes ? dashes : 0));
    for (const struct cli_option *o = c->options; o && o->name; o++) {
        if (o->name[1]) {
            cli_suggest_try(&suggest, o->name);
        }
    }
    cli_suggest_try(&suggest, "help");
    return suggest.best
               ? cli_usage("%s: unknown option '%s'; did you mean '--%s'? (see egret %s --help)",
                           c->name, arg, suggest.best, c->name)
               : cli_usage("%s: unknown option '%s' (see egret %s --help)", c->name, arg, c->name);
}

#define MAX_OPTIONS 256u

/* Marks an option as given; false if it was already. */
static bool mark(uint64_t *seen, const struct cli_command *c, const struct cli_option *o)
{
    size_t i = (size_t)(o - c->options);
    uint64_t bit = 1ull << (i % 64u);
    if (i >= MAX_OPTIONS) {
        return true;
    }
    bool first = !(seen[i / 64u] & bit);
    seen[i / 64u] |= bit;
    return first;
}

int cli_parse(const struct cli_command *c, int argc, char **argv, const char **operand,
              size_t max_operands, size_t *count)
{
    bool options = true;
    uint64_t seen[MAX_OPTIONS / 64u] = {0};
    *count = 0;
    if (argc == CLI_DESCRIBE) {
        const struct cli_describe *d = (const void *)argv;
        d->give(d->context, c);
        return EXIT_DONE;
    }
    for (int i = 0; i < argc; i++) {
        char *arg = argv[i];
        const char *value;
        if (options && (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)) {
            cli_help(c);
            return EXIT_DONE;
        }
        if (options && strcmp(arg, "--") == 0) {
            options = false;
            continue;
        }
        if (!options || arg[0] != '-' || arg[1] == '\0') {
            if (*count == max_operands) {
                return cli_usage("%s: unexpected argument '%s' (see egret %s --help)", c->name, arg,
                                 c->name);
            }
            if (operand) {
                operand[*count] = arg;
            } else {
                argv[*count] = arg; /* never beyond i */
            }
            ++*count;
            continue;
        }
        const struct cli_option *o = find_option(c, arg, &value);
        if (!o) {
            return unknown_option(c, arg);
        }
        if (!mark(seen, c, o)) {
            return cli_usage("%s: %s%s is given twice", c->name, o->name[1] ? "--" : "-", o->name);
        }
        if (o->type == CLI_FLAG) {
            if (value) {
                return cli_usage("%s: %s takes no value", c->name, arg);
            }
            *(bool *)o->value = true;
            continue;
        }
        if (!value) {
            if (i + 1 == argc || is_option(c, argv[i + 1])) {
                return cli_usage("%s: %s needs %s", c->name, arg, o->arg);
            }
            value = argv[++i];
        }
        if (!set_value(o, value)) {
            return cli_usage("%s: '%s' is no good value for %s%s %s", c->name, value,
                             o->name[1] ? "--" : "-", o->name, o->arg);
        }
    }
    return -1;
}
