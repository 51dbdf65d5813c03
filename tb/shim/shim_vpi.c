/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shim_vpi.c: the bench engine as two system functions, for tb/tb_core.v in Icarus.
 * Translates arguments only.
 */
#include <stdlib.h>
#include <string.h>

#include <vpi_user.h>

#include "bench.h"

#define OPEN_PARAMETERS 12

static struct egret_bench *bench;

/* Handles of a call's arguments, looked up once. */
struct call {
    vpiHandle self;
    vpiHandle argument[OPEN_PARAMETERS + 1];
    unsigned count;
};
static struct call clock_call;

static const char *plusarg(void *ctx, const char *name)
{
    s_vpi_vlog_info info;
    size_t n = strlen(name);
    (void)ctx;
    if (!vpi_get_vlog_info(&info))
        return NULL;
    for (int i = 1; i < info.argc; i++) {
        const char *arg = info.argv[i];
        if (arg[0] == '+' && strncmp(arg + 1, name, n) == 0 && arg[n + 1] == '=')
            return arg + n + 2;
    }
    return NULL;
}

static void look_up(struct call *c)
{
    c->self = vpi_handle(vpiSysTfCall, NULL);
    c->count = 0;
    vpiHandle all = vpi_iterate(vpiArgument, c->self);
    vpiHandle one;
    while (all != NULL && (one = vpi_scan(all)) != NULL) {
        if (c->count <= OPEN_PARAMETERS)
            c->argument[c->count] = one;
        c->count++;
    }
}

static PLI_INT32 return_state(const struct call *c, enum egret_bench_state state)
{
    s_vpi_value value;
    value.format = vpiIntVal;
    value.value.integer = (PLI_INT32)state;
    vpi_put_value(c->self, &value, NULL, vpiNoDelay);
    return 0;
}

static void put_in(vpiHandle at, const struct egret_bench_in *in)
{
    uint32_t word[EGRET_BENCH_IN_WORDS];
    s_vpi_vecval vector[EGRET_BENCH_IN_WORDS];
    s_vpi_value value;
    egret_bench_pack(in, word);
    for (unsigned i = 0; i < EGRET_BENCH_IN_WORDS; i++) {
        vector[i].aval = (PLI_INT32)word[i];
        vector[i].bval = 0;
    }
    value.format = vpiVectorVal;
    value.value.vector = vector;
    vpi_put_value(at, &value, NULL, vpiNoDelay);
}

static PLI_INT32 open_call(PLI_BYTE8 *user)
{
    struct call c;
    uint32_t p[OPEN_PARAMETERS];
    (void)user;
    look_up(&c);
    if (c.count != OPEN_PARAMETERS + 1)
        return return_state(&c, EGRET_BENCH_FAIL);
    for (unsigned i = 0; i < OPEN_PARAMETERS; i++) {
        s_vpi_value value;
        value.format = vpiIntVal;
        vpi_get_value(c.argument[i], &value);
        p[i] = (uint32_t)value.value.integer;
    }
    struct egret_cfg cfg = {
        .num_ports = p[0],
        .num_groups = p[1],
        .num_keys = p[2],
        .num_bins = p[3],
        .num_rows = p[4],
        .row_len = p[5],
        .num_buckets = p[6],
        .hash_kind = p[7],
        .rsp_depth = p[8],
        .schemes = p[9],
        .num_flowlets = p[10],
        .parity = p[11],
    };
    struct egret_bench_in in;
    memset(&in, 0, sizeof in);
    enum egret_bench_state state = egret_bench_open("icarus", &cfg, plusarg, NULL, &bench, &in);
    put_in(c.argument[OPEN_PARAMETERS], &in);
    return return_state(&c, state);
}

static PLI_INT32 clock_edge(PLI_BYTE8 *user)
{
    struct call *c = &clock_call;
    static struct egret_bench_in in;
    struct egret_bench_out out;
    uint32_t word[EGRET_BENCH_OUT_WORDS];
    s_vpi_value value;
    (void)user;
    if (c->self == NULL)
        look_up(c);
    if (c->count != 2 || bench == NULL)
        return return_state(c, EGRET_BENCH_FAIL);
    value.format = vpiVectorVal;
    vpi_get_value(c->argument[0], &value);
    for (unsigned i = 0; i < EGRET_BENCH_OUT_WORDS; i++)
        word[i] = (uint32_t)(value.value.vector[i].aval & ~value.value.vector[i].bval);
    egret_bench_unpack(word, &out);
    enum egret_bench_state state = egret_bench_clock(bench, &out, &in);
    put_in(c->argument[1], &in);
    if (state != EGRET_BENCH_RUN) {
        egret_bench_close(bench);
        bench = NULL;
    }
    return return_state(c, state);
}

static void add(PLI_BYTE8 *name, PLI_INT32 (*call)(PLI_BYTE8 *))
{
    s_vpi_systf_data data;
    memset(&data, 0, sizeof data);
    data.type = vpiSysFunc;
    data.sysfunctype = vpiIntFunc;
    data.tfname = name;
    data.calltf = call;
    vpi_register_systf(&data);
}

static void start(void)
{
    static PLI_BYTE8 open_name[] = "$egret_shim_open";
    static PLI_BYTE8 clock_name[] = "$egret_shim_clock";
    add(open_name, open_call);
    add(clock_name, clock_edge);
}

void (*vlog_startup_routines[])(void) = {start, NULL};
