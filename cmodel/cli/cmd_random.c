/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_random.c: egret trace random.
 */
#include "cli.h"
#include "egret/trace_make.h"

int cmd_trace_random(int argc, char **argv)
{
    const char *config = NULL;
    const char *output = NULL;
    uint64_t events = 10000;
    uint32_t seed = 1;
    const struct cli_option options[] = {
        {"config", CLI_TEXT, &config, "C", "configuration: a name or a file of KEY=VALUE"},
        {"events", CLI_U64, &events, "N", "events in all, opening writes included (10000)"},
        {"seed", CLI_U32, &seed, "S", "same seed, same file (1)"},
        {"o", CLI_TEXT, &output, "FILE", "stimulus to write; - is standard output"},
        {NULL, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_command command = {
        "trace random", "--config C [--events N] [--seed S] -o FILE",
        "Writes a random stimulus for test benches: all kinds of events and schemes, values out\n"
        "of range, illegal writes, bursts on one pointer, writes to the entry in use. model and\n"
        "check take it with --allow-illegal.",
        options,
        "  egret trace random --config tiny --events 5000 --seed 7 -o random.pcap\n"
        "  egret trace random --config lab -o - | egret trace dump -\n"};
    const char *operand[1];
    size_t n;
    struct egret_cfg cfg;
    struct egret_trace_error err;
    int code = cli_parse(&command, argc, argv, operand, 0, &n);
    if (code < 0) {
        code = cli_config(config, &cfg);
    }
    if (code >= 0) {
        return code;
    }
    if (!output) {
        return cli_usage("trace random: -o FILE is missing");
    }
    const struct cli_files files = {{cli_config_file(config), NULL, NULL}, {output, NULL, NULL}};
    code = cli_check_files(&files);
    if (code >= 0) {
        return code;
    }
    code = egret_make_random(&cfg, events, seed, output, &err);
    return code ? cli_error(code, &err) : EXIT_DONE;
}
