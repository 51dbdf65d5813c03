// SPDX-License-Identifier: Apache-2.0
// One assertion, three bodies: a proof obligation under FORMAL, nothing under SYNTHESIS, and in
// simulation a message and $fatal, so that a failing run never exits 0. The condition is sampled at
// the rising edge of clk_i outside reset; an unknown condition fails. Under FORMAL it holds in
// every clock outside reset (combinational: what Yosys registers is checked one step late), and
// EGRET_ASSUME and EGRET_COVER stand beside it, for `ifdef FORMAL sections only. scripts/formal
// defines PROVE_<module> for the module on top, whose environment is assumed, not proven.
`ifndef EGRET_ASSERT_VH
`define EGRET_ASSERT_VH
`ifdef FORMAL
`define EGRET_ASSERT(cond, text) always @* if (!rst_i) assert (cond);
`define EGRET_ASSUME(cond) always @* if (!rst_i) assume (cond);
`define EGRET_COVER(cond) always @* if (!rst_i) cover (cond);
`else
`ifdef SYNTHESIS
`define EGRET_ASSERT(cond, text)
`else
// $fatal is SystemVerilog for Verilator; $stop aborts its run just as well.
`ifdef VERILATOR
`define EGRET_FATAL $stop
`else
`define EGRET_FATAL $fatal
`endif
`define EGRET_ASSERT(cond, text) \
  always @(posedge clk_i) \
    if (rst_i === 1'b0 && (cond) !== 1'b1) begin \
      $display("%m: assertion failed at %0t: %s", $time, text); \
      `EGRET_FATAL; \
    end
`endif
`endif
`endif
