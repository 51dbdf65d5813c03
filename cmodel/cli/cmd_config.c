/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_config.c: egret config: settings of a switch from YAML or SONiC's config_db.json, as
 * configuration writes; named hardware configurations; presets.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "config_presets.h"
#include "egret/settings.h"

/* Notes of the SONiC reader, one line each. */
static void print_note(void *ctx, const char *text)
{
    (void)fprintf(stderr, "egret: note: %s: %s\n", (const char *)ctx, text);
}

/* Returns -1 to go on, else the exit code. */
static int open_settings(const char *path, bool quiet, struct egret_settings *s)
{
    struct egret_trace_error err;
    char name[256];
    (void)snprintf(name, sizeof name, "%s", path);
    int code = egret_settings_open(path, s, quiet ? NULL : print_note, name, &err);
    return code ? cli_error(code, &err) : -1;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static int count_write(void *ctx, uint32_t addr, uint32_t data)
{
    (void)addr;
    (void)data;
    ++*(uint64_t *)ctx;
    return EGRET_OK;
}

static int validate(const char *path, bool quiet)
{
    struct egret_settings s;
    uint64_t writes = 0;
    int code = open_settings(path, quiet, &s);
    if (code >= 0) {
        return code;
    }
    int bad = egret_settings_writes(&s, count_write, &writes);
    if (bad) {
        code = cli_usage("%s: %s", path, egret_strerror(bad));
    } else {
        printf("%s: good: hardware %s, %zu group%s, %zu route%s, %" PRIu64 " write%s\n", path,
               s.cfg.name, s.groups, cli_s(s.groups), s.routes, cli_s(s.routes), writes,
               cli_s(writes));
        code = EXIT_DONE;
    }
    egret_settings_free(&s);
    return bad ? EXIT_INTERNAL : code;
}

struct text_out {
    struct egret_outfile *f;
    const char *format; /* of address, data, words */
};

static int text_write(void *ctx, uint32_t addr, uint32_t data)
{
    static const char hex[] = "0123456789abcdef";
    struct text_out *o = ctx;
    char words[64];
    char number[15];
    for (unsigned i = 0; i < 6u; i++) {
        number[i] = hex[addr >> (20u - 4u * i) & 15u];
    }
    for (unsigned i = 0; i < 8u; i++) {
        number[6u + i] = hex[data >> (28u - 4u * i) & 15u];
    }
    number[14] = '\0';
    (void)egret_settings_address(addr, words, sizeof words);
    if (o->format[0] == 'c') {
        egret_outfile_printf(o->f, "0x%.6s,0x%s,\"%s\"\n", number, number + 6, words);
    } else if (o->format[0] == 'h') {
        egret_outfile_printf(o->f, "%s // %s\n", number, words);
    } else {
        egret_outfile_printf(o->f, "%.6s %s # %s\n", number, number + 6, words);
    }
    return egret_outfile_failed(o->f) ? EGRET_ERR_INTERNAL : EGRET_OK;
}

static int emit_text(const struct egret_settings *s, const char *format, const char *path)
{
    struct egret_trace_error err;
    struct text_out o = {NULL, format};
    int code = egret_outfile_open(path, &o.f, &err);
    if (code) {
        return cli_error(code, &err);
    }
    if (format[0] == 'c') {
        egret_outfile_printf(o.f, "address,data,word\n");
    } else if (format[0] == 'h') {
        egret_outfile_printf(o.f, "// {address 24, data 32}, in order; hardware %s\n", s->cfg.name);
    }
    code = egret_settings_writes(s, text_write, &o);
    if (code == EGRET_ERR_MEMORY) {
        egret_outfile_abort(o.f);
        (void)egret_trace_fail(&err, code, "out of memory");
        return cli_error(code, &err);
    }
    for (uint32_t p = 0; p < s->cfg.num_ports; p++) {
        if (s->port_down[p] && format[0] == 't') {
            egret_outfile_printf(o.f, "# port %" PRIu32 " down: an event, no write\n", p);
        }
    }
    code = egret_outfile_commit(o.f, &err);
    return code ? cli_error(code, &err) : EXIT_DONE;
}

static int pcap_write(void *ctx, uint32_t addr, uint32_t data)
{
    struct egret_event ev;
    memset(&ev, 0, sizeof ev);
    ev.kind = EGRET_EV_WRITE;
    ev.addr = addr;
    ev.data = data;
    return egret_writer_event(ctx, &ev);
}

static int emit_pcap(const struct egret_settings *s, const char *path)
{
    struct egret_trace_error err;
    struct egret_stimulus_writer *w;
    int code = egret_writer_open(path, &w, &err);
    if (code) {
        return cli_error(code, &err);
    }
    code = egret_settings_writes(s, pcap_write, w);
    for (uint32_t p = 0; p < s->cfg.num_ports && !code; p++) {
        if (s->port_down[p]) {
            struct egret_event ev;
            memset(&ev, 0, sizeof ev);
            ev.kind = EGRET_EV_PORT;
            ev.port = p;
            code = egret_writer_event(w, &ev);
        }
    }
    if (code) {
        egret_writer_abort(w);
        (void)egret_trace_fail(&err, code, "%s", egret_strerror(code));
        return cli_error(code, &err);
    }
    code = egret_writer_commit(w, &err);
    return code ? cli_error(code, &err) : EXIT_DONE;
}

static int emit(const char *path, const char *output, bool csv, bool hex, bool quiet)
{
    struct egret_settings s;
    const struct cli_files files = {{path, NULL, NULL}, {output, NULL, NULL, NULL, NULL}};
    int code = cli_check_files(&files);
    if (code < 0) {
        code = open_settings(path, quiet, &s);
    }
    if (code >= 0) {
        return code;
    }
    if (output && !csv && !hex) {
        code = emit_pcap(&s, output);
    } else {
        code = emit_text(&s, csv ? "csv" : hex ? "hex" : "text", output ? output : "-");
    }
    egret_settings_free(&s);
    return code;
}

/* What a function writes, on standard output. */
static int print_with(void (*print)(struct egret_outfile *f))
{
    struct egret_trace_error err;
    struct egret_outfile *f;
    int code = egret_outfile_open("-", &f, &err);
    if (code == EGRET_OK) {
        print(f);
        code = egret_outfile_commit(f, &err);
    }
    return code ? cli_error(code, &err) : EXIT_DONE;
}

static int show(const char *name, bool quiet)
{
    struct egret_trace_error err;
    struct egret_outfile *f;
    struct egret_cfg cfg;
    int code;
    if (!(ends_with(name, ".yaml") || ends_with(name, ".yml") || ends_with(name, ".json") ||
          strcmp(name, "-") == 0)) {
        code = cli_config(name, &cfg);
        if (code < 0) {
            cli_config_show(&cfg);
        }
        return code < 0 ? EXIT_DONE : code;
    }
    struct egret_settings s;
    code = open_settings(name, quiet, &s);
    if (code >= 0) {
        return code;
    }
    code = egret_outfile_open("-", &f, &err);
    if (code == EGRET_OK) {
        egret_settings_show(&s, f);
        code = egret_outfile_commit(f, &err);
    }
    egret_settings_free(&s);
    return code ? cli_error(code, &err) : EXIT_DONE;
}

static int list(void)
{
    for (size_t i = 0; egret_cfg_name(i); i++) {
        printf("%s\n", egret_cfg_name(i));
    }
    return EXIT_DONE;
}

int cmd_config(int argc, char **argv)
{
    const char *output = NULL;
    bool csv = false;
    bool hex = false;
    bool quiet = false;
    const struct cli_option options[] = {
        {"o", CLI_TEXT, &output, "FILE", "emit: the header of a stimulus, or of --csv, --hex"},
        {"csv", CLI_FLAG, &csv, NULL, "emit: address, data and what the word is, as CSV"},
        {"hex", CLI_FLAG, &hex, NULL, "emit: {address, data} a line, as $readmemh reads"},
        {"quiet", CLI_FLAG, &quiet, NULL, "no notes of what a config_db.json says in vain"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "config",
        "validate FILE | emit FILE [-o OUT] [--csv | --hex] | show NAME|FILE |\n"
        "                    presets [NAME] | schema | keys | list",
        "Settings of a switch, from YAML (docs/config.md) or SONiC's config_db.json: checks them,\n"
        "writes the configuration writes that they come to, or shows them in full. FILE - is\n"
        "YAML on standard input. list and show NAME: hardware configurations, as the KEY=VALUE\n"
        "lines that --config reads. schema: the JSON schema. keys: other names of the keys.",
        options,
        "  egret config validate leaf.yaml\n"
        "  egret config emit leaf.yaml -o setup.pcap\n"
        "  egret config emit config_db.json --hex > setup.hex\n"
        "  egret config show leaf.yaml > full.yaml\n"
        "  egret config presets cisco-nxos\n"
        "  egret config show lab > mine.cfg\n"};
    const char *operand[2];
    size_t n;
    int code = cli_parse(&command, argc, argv, operand, 2, &n);
    if (code >= 0) {
        return code;
    }
    const char *what = n > 0 ? operand[0] : "";
    if ((output || csv || hex) && strcmp(what, "emit") != 0) {
        return cli_usage("config: -o, --csv and --hex are for emit");
    }
    if (csv && hex) {
        return cli_usage("config: --csv or --hex");
    }
    if (n == 2 && strcmp(what, "validate") == 0) {
        return validate(operand[1], quiet);
    }
    if (n == 2 && strcmp(what, "emit") == 0) {
        return emit(operand[1], output, csv, hex, quiet);
    }
    if (n == 2 && strcmp(what, "show") == 0) {
        return show(operand[1], quiet);
    }
    if (n > 0 && strcmp(what, "presets") == 0) {
        return cli_presets(n == 2 ? operand[1] : NULL);
    }
    if (n == 1 && strcmp(what, "schema") == 0) {
        return print_with(egret_settings_schema);
    }
    if (n == 1 && strcmp(what, "keys") == 0) {
        return print_with(egret_settings_keys);
    }
    if (n == 1 && strcmp(what, "list") == 0) {
        return list();
    }
    return cli_usage("config: validate, emit or show and a file or name; presets, schema, keys or "
                     "list (see egret config --help)");
}
