// SPDX-License-Identifier: Apache-2.0
// SystemC bench: egret_core by `verilator --sc`, driven by the same engine as tb/tb_core.v, in the
// same order: sample just before the rising edge, drive after the falling edge. EGRET_CFG_* come
// from configs.mk on the compiler's command line. Plusargs: tb/shim/bench.h.
#include <cstring>
#include <memory>

#include <systemc.h>

#include "Vegret_core.h"
#include "bench.h"
#include "built_cfg.h"

namespace {

struct arguments {
    int argc;
    char **argv;
};

const char *plusarg(void *ctx, const char *name)
{
    const arguments *a = static_cast<const arguments *>(ctx);
    const size_t n = std::strlen(name);
    for (int i = 1; i < a->argc; i++) {
        const char *arg = a->argv[i];
        if (arg[0] == '+' && std::strncmp(arg + 1, name, n) == 0 && arg[n + 1] == '=')
            return arg + n + 2;
    }
    return nullptr;
}

SC_MODULE(bench_sc)
{
    sc_signal<bool> clk, rst, init_done;
    sc_signal<bool> port_valid, port_ready, port_up, queue_valid, queue_ready;
    sc_signal<bool> tick_valid, tick_ready, req_valid, req_ready, rsp_valid, rsp_ready;
    sc_signal<uint32_t> port_id, queue_id, queue_depth;
    sc_signal<uint32_t> req_kind, req_tag, req_group, req_key, req_bin, req_class, req_length;
    sc_signal<uint32_t> req_entropy, req_addr, req_data;
    sc_signal<uint64_t> tick_now, req_now;
    sc_signal<sc_bv<328>> req_record;
    sc_signal<uint32_t> rsp_kind, rsp_tag, rsp_port, rsp_choice, rsp_scheme, rsp_reason, rsp_data;
    Vegret_core core;
    arguments args;
    egret_bench_state state;

    void connect();
    void drive(const egret_bench_in &in);
    void sample(egret_bench_out &out) const;
    void run();

    SC_CTOR(bench_sc) : core("core"), args(), state(EGRET_BENCH_RUN)
    {
        connect();
        SC_THREAD(run);
    }
};

void bench_sc::connect()
{
    core.clk_i(clk);
    core.rst_i(rst);
    core.init_done_o(init_done);
    core.port_valid_i(port_valid);
    core.port_ready_o(port_ready);
    core.port_id_i(port_id);
    core.port_up_i(port_up);
    core.queue_valid_i(queue_valid);
    core.queue_ready_o(queue_ready);
    core.queue_id_i(queue_id);
    core.queue_depth_i(queue_depth);
    core.tick_valid_i(tick_valid);
    core.tick_ready_o(tick_ready);
    core.tick_now_i(tick_now);
    core.req_valid_i(req_valid);
    core.req_ready_o(req_ready);
    core.req_kind_i(req_kind);
    core.req_now_i(req_now);
    core.req_tag_i(req_tag);
    core.req_group_i(req_group);
    core.req_key_i(req_key);
    core.req_bin_i(req_bin);
    core.req_class_i(req_class);
    core.req_length_i(req_length);
    core.req_entropy_i(req_entropy);
    core.req_record_i(req_record);
    core.req_addr_i(req_addr);
    core.req_data_i(req_data);
    core.rsp_valid_o(rsp_valid);
    core.rsp_ready_i(rsp_ready);
    core.rsp_kind_o(rsp_kind);
    core.rsp_tag_o(rsp_tag);
    core.rsp_port_o(rsp_port);
    core.rsp_choice_o(rsp_choice);
    core.rsp_scheme_o(rsp_scheme);
    core.rsp_reason_o(rsp_reason);
    core.rsp_data_o(rsp_data);
}

void bench_sc::drive(const egret_bench_in &in)
{
    rst = in.rst;
    port_valid = in.port_valid;
    port_id = in.port_id;
    port_up = in.port_up;
    queue_valid = in.queue_valid;
    queue_id = in.queue_id;
    queue_depth = in.queue_depth;
    tick_valid = in.tick_valid;
    tick_now = in.tick_now;
    req_valid = in.req_valid;
    req_kind = in.req_kind & 3u;
    req_now = in.req_now & 0xffffffffffffull;
    req_tag = in.req_tag;
    req_group = in.req_group;
    req_key = in.req_key;
    req_bin = in.req_bin;
    req_class = in.req_class & 15u;
    req_length = in.req_length;
    req_entropy = in.req_entropy;
    req_addr = in.req_addr & 0xffffffu;
    req_data = in.req_data;
    sc_bv<328> record;
    for (int i = 0; i < EGRET_RECORD_WORDS; i++)
        record.set_word(i, i + 1 < EGRET_RECORD_WORDS ? in.req_record[i]
                                                      : in.req_record[i] & 0xffu);
    req_record = record;
    rsp_ready = in.rsp_ready;
}

void bench_sc::sample(egret_bench_out &out) const
{
    out.unknown = false;
    out.init_done = init_done;
    out.port_ready = port_ready;
    out.queue_ready = queue_ready;
    out.tick_ready = tick_ready;
    out.req_ready = req_ready;
    out.rsp_valid = rsp_valid;
    out.rsp_kind = static_cast<uint8_t>(rsp_kind.read());
    out.rsp_tag = rsp_tag;
    out.rsp_port = static_cast<uint8_t>(rsp_port.read());
    out.rsp_choice = static_cast<uint8_t>(rsp_choice.read());
    out.rsp_scheme = static_cast<uint8_t>(rsp_scheme.read());
    out.rsp_reason = static_cast<uint8_t>(rsp_reason.read());
    out.rsp_data = rsp_data;
}

void bench_sc::run()
{
    egret_bench *bench = nullptr;
    egret_bench_in in = {};
    egret_bench_out out = {};
    clk = false;
    state = egret_bench_open("systemc", &egret_built, plusarg, &args, &bench, &in);
    drive(in);
    while (state == EGRET_BENCH_RUN) {
        wait(4, SC_NS);
        sample(out);
        state = egret_bench_clock(bench, &out, &in);
        wait(1, SC_NS);
        clk = true;
        wait(5, SC_NS);
        clk = false;
        drive(in);
    }
    egret_bench_close(bench);
    sc_stop();
}

} // namespace

int sc_main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    const auto bench = std::make_unique<bench_sc>("bench");
    bench->args = {argc, argv};
    sc_start();
    return bench->state == EGRET_BENCH_PASS ? 0 : 1;
}
