// SPDX-License-Identifier: Apache-2.0
// The bench engine behind DPI, for tb/tb_core.v in Verilator. Translates arguments only.
// Vtb_core__Dpi.h is made by Verilator from egret_shim_dpi.svh: prototypes cannot drift.
#include <cstdint>
#include <map>
#include <string>

#include "Vtb_core__Dpi.h"
#include "bench.h"
#include "verilated.h"

namespace {

egret_bench *bench = nullptr;

const char *plusarg(void *, const char *name)
{
    static std::map<std::string, std::string> kept;
    const std::string key = std::string(name) + "=";
    const char *match = Verilated::commandArgsPlusMatch(key.c_str());
    if (match == nullptr || *match == '\0')
        return nullptr;
    std::string &text = kept[key];
    text = std::string(match).substr(1 + key.size());
    return text.c_str();
}

} // namespace

int egret_shim_open(int num_ports, int num_groups, int num_keys, int num_bins, int num_rows,
                    int row_len, int num_buckets, int hash_kind, int rsp_depth, int schemes,
                    int num_flowlets, int parity, svBitVecVal *first)
{
    egret_cfg cfg = {};
    cfg.num_ports = static_cast<uint32_t>(num_ports);
    cfg.num_groups = static_cast<uint32_t>(num_groups);
    cfg.num_keys = static_cast<uint32_t>(num_keys);
    cfg.num_bins = static_cast<uint32_t>(num_bins);
    cfg.num_rows = static_cast<uint32_t>(num_rows);
    cfg.row_len = static_cast<uint32_t>(row_len);
    cfg.num_buckets = static_cast<uint32_t>(num_buckets);
    cfg.hash_kind = static_cast<uint32_t>(hash_kind);
    cfg.rsp_depth = static_cast<uint32_t>(rsp_depth);
    cfg.schemes = static_cast<uint32_t>(schemes);
    cfg.num_flowlets = static_cast<uint32_t>(num_flowlets);
    cfg.parity = static_cast<uint32_t>(parity);
    egret_bench_in in = {};
    const egret_bench_state state =
        egret_bench_open("verilator", &cfg, plusarg, nullptr, &bench, &in);
    egret_bench_pack(&in, first);
    return state;
}

int egret_shim_clock(const svBitVecVal *seen, svBitVecVal *next)
{
    egret_bench_out out;
    static egret_bench_in in;
    egret_bench_unpack(seen, &out);
    const egret_bench_state state = egret_bench_clock(bench, &out, &in);
    egret_bench_pack(&in, next);
    if (state != EGRET_BENCH_RUN) {
        egret_bench_close(bench);
        bench = nullptr;
    }
    return state;
}
