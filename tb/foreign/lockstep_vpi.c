/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstep_vpi.c: egret/lockstep.h for Icarus, which has no DPI. Translates arguments only; a
 * simulation has one lockstep.
 *
 *   $egret_open(CONFIGURATION, STIMULUS)   task
 *   $egret_next(VECTOR)                    1, and an egret_vector_t; 0 at the end
 *   $egret_busy()                          1 while packets wait
 *   $egret_port(PORT)                      task: the design's answer; unknown bits are a difference
 *   $egret_verdict()                       0 if all is well; prints the text, closes
 */
#include <vpi_user.h>

#include "egret/lockstep.h"

static void *lockstep;

/* The arguments of this call; null beyond the last one. */
static void arguments(vpiHandle argument[2])
{
    vpiHandle all = vpi_iterate(vpiArgument, vpi_handle(vpiSysTfCall, NULL));
    argument[0] = all ? vpi_scan(all) : NULL;
    argument[1] = argument[0] ? vpi_scan(all) : NULL;
    if (argument[1])
        vpi_free_object(all); /* an iterator that was scanned to its end is gone */
}

static PLI_INT32 give(int result)
{
    s_vpi_value value = {.format = vpiIntVal};
    value.value.integer = result;
    vpi_put_value(vpi_handle(vpiSysTfCall, NULL), &value, NULL, vpiNoDelay);
    return 0;
}

static PLI_INT32 open_call(PLI_BYTE8 *user)
{
    vpiHandle argument[2];
    char configuration[64];
    s_vpi_value value = {.format = vpiStringVal};
    unsigned n = 0;
    (void)user;
    arguments(argument);
    if (!argument[0] || !argument[1])
        return 0;                       /* the verdict is bad without a lockstep */
    vpi_get_value(argument[0], &value); /* the next call takes the same buffer */
    for (const char *c = value.value.str; *c && n + 1 < sizeof configuration; c++)
        configuration[n++] = *c;
    configuration[n] = '\0';
    value.format = vpiStringVal;
    vpi_get_value(argument[1], &value);
    egret_lockstep_close(lockstep);
    lockstep = egret_lockstep_open(configuration, value.value.str);
    return 0;
}

static PLI_INT32 next_call(PLI_BYTE8 *user)
{
    vpiHandle argument[2];
    uint32_t word[EGRET_LOCKSTEP_WORDS];
    s_vpi_vecval vector[EGRET_LOCKSTEP_WORDS];
    s_vpi_value value = {.format = vpiVectorVal};
    (void)user;
    arguments(argument);
    if (!argument[0] || vpi_get(vpiSize, argument[0]) != EGRET_LOCKSTEP_WORDS * 32) {
        vpi_printf("$egret_next: takes an egret_vector_t\n");
        return give(0);
    }
    if (!egret_lockstep_next(lockstep, word))
        return give(0);
    for (unsigned i = 0; i < EGRET_LOCKSTEP_WORDS; i++) {
        vector[i].aval = (PLI_INT32)word[i];
        vector[i].bval = 0;
    }
    value.value.vector = vector;
    vpi_put_value(argument[0], &value, NULL, vpiNoDelay);
    return give(1);
}

static PLI_INT32 busy_call(PLI_BYTE8 *user)
{
    (void)user;
    return give(egret_lockstep_busy(lockstep));
}

static PLI_INT32 port_call(PLI_BYTE8 *user)
{
    vpiHandle argument[2];
    s_vpi_value value = {.format = vpiVectorVal};
    int port = -1;
    (void)user;
    arguments(argument);
    if (argument[0]) {
        vpi_get_value(argument[0], &value);
        if (value.value.vector[0].bval == 0)
            port = (int)value.value.vector[0].aval;
    }
    (void)egret_lockstep_port(lockstep, port);
    return 0;
}

static PLI_INT32 verdict_call(PLI_BYTE8 *user)
{
    int bad = egret_lockstep_verdict(lockstep);
    (void)user;
    vpi_printf("%s\n", egret_lockstep_text(lockstep));
    egret_lockstep_close(lockstep);
    lockstep = NULL;
    return give(bad);
}

static void enter(PLI_INT32 type, const char *name, PLI_INT32 (*call)(PLI_BYTE8 *))
{
    s_vpi_systf_data data = {.type = type, .sysfunctype = vpiIntFunc, .calltf = call};
    data.tfname = (PLI_BYTE8 *)name;
    vpi_register_systf(&data);
}

static void enter_all(void)
{
    enter(vpiSysTask, "$egret_open", open_call);
    enter(vpiSysFunc, "$egret_next", next_call);
    enter(vpiSysFunc, "$egret_busy", busy_call);
    enter(vpiSysTask, "$egret_port", port_call);
    enter(vpiSysFunc, "$egret_verdict", verdict_call);
}

void (*vlog_startup_routines[])(void) = {enter_all, 0};
