// SPDX-License-Identifier: Apache-2.0
// The engine's two calls (tb/shim/bench.h) as functions: system functions of shim_vpi.c where there
// is VPI, DPI imports of shim_dpi.cpp in Verilator. Both return enum egret_bench_state.
`ifndef EGRET_SHIM_VH
`define EGRET_SHIM_VH
`ifdef VERILATOR
`define EGRET_SHIM_IMPORTS `include "egret_shim_dpi.svh"
`define EGRET_SHIM_OPEN egret_shim_open
`define EGRET_SHIM_CLOCK egret_shim_clock
`else
`define EGRET_SHIM_IMPORTS
`define EGRET_SHIM_OPEN $egret_shim_open
`define EGRET_SHIM_CLOCK $egret_shim_clock
`endif
`endif
