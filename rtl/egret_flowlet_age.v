// SPDX-License-Identifier: Apache-2.0
// The age of a flowlet entry (docs/spec/flowlet.md), times in units of 16 ns modulo 2^24:
//   d = time - last;  the clock stepped back if d >= 2^24 - 2^16
//   expired = not stepped back and d > idle
// So an idle of 2^24 - 2^16 or more never expires. Stages: the times at T1, d is a register, idle
// at T2, expired combinational at T2: one carry chain a stage. One a clock; no other state.
// C twin: cmodel/select/flowlet.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_flowlet_age (
  input  wire        clk_i,
  input  wire        rst_i,
  // T1
  input  wire [23:0] t1_time_i,
  input  wire [23:0] t1_last_i,
  // T2
  input  wire [23:0] t2_idle_i,
  output wire        t2_expired_o
);

  reg  [23:0] t2_age_q;
  wire        t2_back = &t2_age_q[23:16];

  always @(posedge clk_i) t2_age_q <= t1_time_i - t1_last_i;

  // `less than` is a carry chain alone; `greater than` would be one and a compare for equality.
  assign t2_expired_o = t2_idle_i < t2_age_q && !t2_back;

  // Payload needs no reset; the assertions do.
  wire unused_ok = &{1'b0, rst_i};

`ifdef FORMAL // properties
`ifdef PROVE_egret_flowlet_age
  // By what an entry's lifetime means: time is within the idle time behind last, or up to 2^16
  // units before it.
  reg         f_seen_q;
  reg  [23:0] f_time_q, f_last_q;
  wire [24:0] f_ahead = {f_time_q < f_last_q, f_time_q} - {1'b0, f_last_q};
  wire        f_back  = f_ahead[23:0] >= 24'hff0000;
  always @(posedge clk_i) begin
    f_seen_q <= !rst_i;
    f_time_q <= t1_time_i;
    f_last_q <= t1_last_i;
  end
  `EGRET_ASSERT(!f_seen_q || t2_expired_o == (f_ahead[23:0] > t2_idle_i && !f_back), "expired")
  `EGRET_ASSERT(!f_seen_q || t2_idle_i < 24'hff0000 || !t2_expired_o, "never expires")
  `EGRET_ASSERT(!f_seen_q || f_time_q != f_last_q || !t2_expired_o, "at once")
  `EGRET_ASSERT(!f_seen_q || t2_idle_i != 24'd0 || f_time_q != f_last_q + 24'd1 || t2_expired_o,
                "idle 0 expires with the next unit")
  `EGRET_COVER(f_seen_q && t2_expired_o && f_time_q < f_last_q && t2_idle_i == 24'd5)
  `EGRET_COVER(f_seen_q && !t2_expired_o && f_time_q == 24'd0 && f_last_q == 24'h010000 &&
               t2_idle_i == 24'd5)
`endif
`endif

endmodule
`default_nettype wire
