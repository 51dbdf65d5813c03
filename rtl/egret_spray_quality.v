// SPDX-License-Identifier: Apache-2.0
// The emptiest live members of a group (docs/spec/spray-quality.md), and the bands as every stage
// behind sees them.
//   ties = live members whose band is the least among the live members
//   S3 live members   S4 does any have band b?   S5 the least band; which have it   S6 ties
// A packet keeps the bands that were in force when it was at S4. Ticks are further apart than the
// pipe is long, so S10 and S12 have copies that are loaded when the tick passes: at S(n - 1) the
// tick loads what its own slot sees at Sn.
// Latency 3 clocks, one a clock. No live member: no ties. State: the copies; cleared by reset.
// C twin: egret_least_band() in cmodel/select/quality.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_spray_quality #(
  // Ports, 1..64.
  parameter NUM_PORTS = 16
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  // S3: live members; the tick
  input  wire [NUM_PORTS-1:0]   s3_mask_i,
  input  wire                   s3_tick_i,
  // S4: bands in force (egret_load) by planes: bit b of port p at [NUM_PORTS * b + p]
  input  wire [3*NUM_PORTS-1:0] s4_bands_i,
  input  wire [8*NUM_PORTS-1:0] s4_have_i, // one-hot: port p has band b at [NUM_PORTS * b + p]
  // S6
  output wire [NUM_PORTS-1:0]   s6_ties_o,
  // S10, S12: bands of the packet there
  output wire [3*NUM_PORTS-1:0] s10_bands_o,
  output wire [3*NUM_PORTS-1:0] s12_bands_o
);

  reg [11:4]            tick_q; // bit n: a tick is at Sn
  reg [3*NUM_PORTS-1:0] s5_bands_q, s10_bands_q, s12_bands_q;
  always @(posedge clk_i)
    if (rst_i) begin
      tick_q      <= 8'd0;
      s5_bands_q  <= {3 * NUM_PORTS{1'b0}};
      s10_bands_q <= {3 * NUM_PORTS{1'b0}};
      s12_bands_q <= {3 * NUM_PORTS{1'b0}};
    end else begin
      tick_q <= {tick_q[10:4], s3_tick_i};
      s5_bands_q <= s4_bands_i;
      if (tick_q[9]) s10_bands_q <= s5_bands_q;
      if (tick_q[11]) s12_bands_q <= s10_bands_q;
    end
  assign s10_bands_o = s10_bands_q;
  assign s12_bands_o = s12_bands_q;

  // S4: for each band, any live member that has it, in each part of 16 ports.
  localparam PARTS = (NUM_PORTS + 15) / 16;
  reg  [NUM_PORTS-1:0] s4_mask_q, s5_mask_q, s6_ties_q;
  reg  [8*PARTS-1:0]   s5_any_q;
  wire [8*PARTS-1:0]   s4_any;
  wire [7:0]           s5_any;
  genvar b, p;
  generate
    for (b = 0; b < 8; b = b + 1) begin : gen_band
      for (p = 0; p < PARTS; p = p + 1) begin : gen_part
        localparam BITS = (NUM_PORTS - 16 * p < 16) ? NUM_PORTS - 16 * p : 16;
        assign s4_any[PARTS*b+p] = |(s4_mask_q[16*p +: BITS] &
                                     s4_have_i[NUM_PORTS*b+16*p +: BITS]);
      end
      assign s5_any[b] = |s5_any_q[PARTS*b +: PARTS];
    end
  endgenerate

  // S5: the lowest of them.
  function [2:0] lowest(input [7:0] any);
    integer i;
    begin
      lowest = 3'd7;
      for (i = 6; i >= 0; i = i - 1) if (any[i]) lowest = i[2:0];
    end
  endfunction
  wire [2:0] s5_least = lowest(s5_any);

  always @(posedge clk_i) begin
    s4_mask_q <= s3_mask_i;
    s5_mask_q <= s4_mask_q;
    s5_any_q  <= s4_any;
    s6_ties_q <= s5_mask_q & ~(s5_bands_q[NUM_PORTS-1:0] ^ {NUM_PORTS{s5_least[0]}}) &
                 ~(s5_bands_q[NUM_PORTS +: NUM_PORTS] ^ {NUM_PORTS{s5_least[1]}}) &
                 ~(s5_bands_q[2*NUM_PORTS +: NUM_PORTS] ^ {NUM_PORTS{s5_least[2]}});
  end
  assign s6_ties_o = s6_ties_q;

`ifdef FORMAL // properties
  // Against bands and masks that travel with the slots: fn is what the slot at Sn has seen.
  localparam F_W = 3 * NUM_PORTS;
  reg  [F_W-1:0]       f5_q, f6_q, f7_q, f8_q, f9_q, f10_q, f11_q, f12_q;
  reg  [F_W-1:0]       f_before_q; // in force before the last tick
  reg  [NUM_PORTS-1:0] f5_mask_q, f6_mask_q;
  reg  [3:0]           f_since_q;  // clocks since the last tick was at S3, up to 15
  reg  [1:0]           f_clocks_q; // bit n: the slot at S(n + 5) came in after the reset
  always @(posedge clk_i) begin
    f5_mask_q <= s4_mask_q;
    f6_mask_q <= f5_mask_q;
    if (s3_tick_i) f_before_q <= s4_bands_i;
    if (rst_i) begin
      {f5_q, f6_q, f7_q, f8_q, f9_q, f10_q, f11_q, f12_q} <= {8 * F_W{1'b0}};
      f_since_q  <= 4'd15;
      f_clocks_q <= 2'd0;
    end else begin
      {f12_q, f11_q, f10_q, f9_q} <= {f11_q, f10_q, f9_q, f8_q};
      {f8_q, f7_q, f6_q, f5_q} <= {f7_q, f6_q, f5_q, s4_bands_i};
      f_since_q  <= s3_tick_i ? 4'd1 : (f_since_q == 4'd15) ? 4'd15 : f_since_q + 4'd1;
      f_clocks_q <= {f_clocks_q[0], 1'b1};
    end
  end

  function [2:0] f_band(input [F_W-1:0] bands, input integer i);
    f_band = {bands[2*NUM_PORTS+i], bands[NUM_PORTS+i], bands[i]};
  endfunction

  // The least band of a mask, 7 if it is empty; the members that have it.
  function [NUM_PORTS-1:0] f_ties(input [NUM_PORTS-1:0] mask, input [F_W-1:0] bands);
    integer i;
    reg [2:0] least;
    begin
      least = 3'd7;
      for (i = 0; i < NUM_PORTS; i = i + 1)
        if (mask[i] && f_band(bands, i) < least) least = f_band(bands, i);
      for (i = 0; i < NUM_PORTS; i = i + 1) f_ties[i] = mask[i] && f_band(bands, i) == least;
    end
  endfunction
  function [7:0] f_any(input [NUM_PORTS-1:0] mask, input [F_W-1:0] bands);
    integer i;
    begin
      f_any = 8'd0;
      for (i = 0; i < NUM_PORTS; i = i + 1) if (mask[i]) f_any[f_band(bands, i)] = 1'b1;
    end
  endfunction

  // What egret_load gives: bands change behind a tick only; the first are 0.
  reg           f_reset_q;
  reg [F_W-1:0] f_bands_q;
  always @(posedge clk_i) begin
    f_reset_q <= rst_i;
    f_bands_q <= s4_bands_i;
  end
`ifdef PROVE_egret_spray_quality
  `EGRET_ASSUME(!f_reset_q || s4_bands_i == {F_W{1'b0}})
  `EGRET_ASSUME(f_reset_q || tick_q[4] || s4_bands_i == f_bands_q)
  `EGRET_ASSUME(!s3_tick_i || f_since_q == 4'd15)
  integer f_b, f_p;
  reg [8*NUM_PORTS-1:0] f_have;
  always @* begin
    for (f_b = 0; f_b < 8; f_b = f_b + 1)
      for (f_p = 0; f_p < NUM_PORTS; f_p = f_p + 1)
        f_have[NUM_PORTS*f_b+f_p] = f_band(s4_bands_i, f_p) == f_b;
    assume (s4_have_i == f_have); // egret_load
  end
  `EGRET_COVER(f_clocks_q[1] && f6_mask_q == {NUM_PORTS{1'b1}} && s6_ties_o == 1 && tick_q[8])
  `EGRET_COVER(f_clocks_q[1] && s12_bands_o != s4_bands_i && s10_bands_o == s4_bands_i)
`endif
  genvar f_n;
  generate
    for (f_n = 4; f_n < 12; f_n = f_n + 1) begin : gen_f_tick
      `EGRET_ASSERT(tick_q[f_n] == (f_since_q == f_n - 3), "place of the tick")
    end
  endgenerate
  `EGRET_ASSERT(f_since_q != 4'd0, "clocks since the tick")
  `EGRET_ASSERT(f5_q == (f_since_q == 4'd1 ? f_before_q : s4_bands_i), "S5")
  `EGRET_ASSERT(f6_q == (f_since_q <= 4'd2 ? f_before_q : s4_bands_i), "S6")
  `EGRET_ASSERT(f7_q == (f_since_q <= 4'd3 ? f_before_q : s4_bands_i), "S7")
  `EGRET_ASSERT(f8_q == (f_since_q <= 4'd4 ? f_before_q : s4_bands_i), "S8")
  `EGRET_ASSERT(f9_q == (f_since_q <= 4'd5 ? f_before_q : s4_bands_i), "S9")
  `EGRET_ASSERT(f10_q == (f_since_q <= 4'd6 ? f_before_q : s4_bands_i), "S10")
  `EGRET_ASSERT(f11_q == (f_since_q <= 4'd7 ? f_before_q : s4_bands_i), "S11")
  `EGRET_ASSERT(f12_q == (f_since_q <= 4'd8 ? f_before_q : s4_bands_i), "S12")
  `EGRET_ASSERT(s5_bands_q == f5_q, "bands of the slot at S5")
  `EGRET_ASSERT(s10_bands_o == f10_q, "bands of the slot at S10")
  `EGRET_ASSERT(s12_bands_o == f12_q, "bands of the slot at S12")
  `EGRET_ASSERT(!f_clocks_q[0] || (s5_mask_q == f5_mask_q &&
                                   s5_any == f_any(f5_mask_q, f5_q)), "any member, S5")
  `EGRET_ASSERT(!f_clocks_q[1] || s6_ties_o == f_ties(f6_mask_q, f6_q), "ties")
`endif

endmodule
`default_nettype wire
