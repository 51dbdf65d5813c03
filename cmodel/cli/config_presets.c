/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config_presets.c: see config_presets.h. docs/spec/load.md, section 6, and docs/spec/flowlet.md,
 * section 7, say where each is from.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "config_presets.h"
#include "egret/control.h"

/* Flowlets that go with the loads. */
static const struct {
    const char *name; /* of the loads */
    uint32_t idle_ns;
    uint32_t entries; /* 0: all of them */
} flowlets[] = {
    {"sai", 256000, 512},
    {"cisco-nxos", 500000, 0},
};

static int flowlet_of(const char *name)
{
    for (size_t i = 0; i < sizeof flowlets / sizeof flowlets[0]; i++) {
        if (strcmp(flowlets[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static void show(const char *name, const struct egret_load *l)
{
    int f = flowlet_of(name);
    printf("# %s: of spray-quality, and of flowlet by quality\n", name);
    printf("load:\n");
    printf("  period: %" PRIu32 "  # ns; SAI_ARS_PROFILE_ATTR_SAMPLING_INTERVAL (us), "
           "sampling-interval\n",
           l->period_ns);
    printf("  exponent: %" PRIu32 "  # SAI_ARS_PROFILE_ATTR_PORT_LOAD_EXPONENT, decay-factor\n",
           l->exponent);
    printf("  past-weight: %" PRIu32 "  # of 256; SAI_ARS_PROFILE_ATTR_PORT_LOAD_PAST_WEIGHT\n",
           l->weight_past);
    printf("  future-weight: %" PRIu32 "  # of 256; SAI_ARS_PROFILE_ATTR_PORT_LOAD_FUTURE_WEIGHT\n",
           l->weight_future);
    printf("  small: %" PRIu32 "\n  thresholds: [", l->small);
    for (uint32_t i = 0; i < EGRET_NUM_BANDS - 1u; i++) {
        printf("%s%" PRIu32, i ? ", " : "", l->threshold[i]);
    }
    printf("]  # of %u; QUANT_BAND_1..7_MIN_THRESHOLD, dre-thresholds\n", EGRET_LOAD_FULL);
    if (f < 0) {
        return;
    }
    printf("# of a group of scheme flowlet:\n#   flowlet:\n");
    printf("#     idle: %" PRIu32 "  # ns; SAI_ARS_ATTR_IDLE_TIME (us), flowlet-aging (us)\n",
           flowlets[f].idle_ns);
    if (flowlets[f].entries) {
        printf("#     entries: %" PRIu32 "  # SAI_ARS_ATTR_MAX_FLOWS\n", flowlets[f].entries);
    }
    printf("#     path: quality  # SAI_ARS_MODE_FLOWLET_QUALITY, mode flowlet\n");
}

int cli_presets(const char *name)
{
    struct egret_load load;
    if (name) {
        if (egret_load_preset(name, &load) != EGRET_OK) {
            return cli_usage("config presets: sai, cisco-aci, cisco-nxos, conga or htsim-ar, not "
                             "'%s'",
                             name);
        }
        show(name, &load);
        return EXIT_DONE;
    }
    for (size_t i = 0; egret_load_preset_name(i); i++) {
        const char *preset = egret_load_preset_name(i);
        printf("%-12s load%s\n", preset, flowlet_of(preset) >= 0 ? " and flowlet" : "");
    }
    return EXIT_DONE;
}
