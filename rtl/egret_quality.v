// SPDX-License-Identifier: Apache-2.0
// The emptiest live members of a group (docs/spec/spray-quality.md), and the bands as every stage
// behind sees them.
//   ties = live members whose band is the least among the live members
//   S3 live members   S4 does any have band b?   S5 the least band; which have it   S6 ties
// A packet keeps the bands that were in force when it was at S4. Ticks are further apart than the
// pipe is long, so each later stage has a copy that is loaded when the tick passes: at S(n - 1) the
// tick loads what its own slot sees at Sn.
// Latency 3 clocks, one a clock. No live member: no ties. State: the copies; cleared by reset.
// C twin: egret_quality_ties() in cmodel/select/quality.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_quality #(
  // Ports, 1..64.
  parameter NUM_PORTS = 16
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  // S3: live members; the tick
  input  wire [NUM_PORTS-1:0]   s3_mask_i,
  input  wire                   s3_tick_i,
  // S4: bands in force (egret_load)
  input  wire [3*NUM_PORTS-1:0] s4_bands_i,
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
      if (tick_q[4]) s5_bands_q <= s4_bands_i;
      if (tick_q[9]) s10_bands_q <= s5_bands_q;
      if (tick_q[11]) s12_bands_q <= s10_bands_q;
    end
  assign s10_bands_o = s10_bands_q;
  assign s12_bands_o = s12_bands_q;

  // S4: for each band, any live member that has it.
  reg  [NUM_PORTS-1:0] s4_mask_q, s5_mask_q, s6_ties_q, s4_have;
  reg  [7:0]           s4_any, s5_any_q;
  integer b, p;
  always @* begin
    s4_have = {NUM_PORTS{1'b0}};
    s4_any  = 8'd0;
    for (b = 0; b < 8; b = b + 1) begin
      for (p = 0; p < NUM_PORTS; p = p + 1)
        s4_have[p] = s4_mask_q[p] && s4_bands_i[3*p +: 3] == b[2:0];
      s4_any[b] = |s4_have;
    end
  end

  // S5: the lowest of them.
  function [2:0] lowest(input [7:0] any);
    integer i;
    begin
      lowest = 3'd7;
      for (i = 6; i >= 0; i = i - 1) if (any[i]) lowest = i[2:0];
    end
  endfunction
  wire [2:0] s5_least = lowest(s5_any_q);

  always @(posedge clk_i) begin
    s4_mask_q <= s3_mask_i;
    s5_mask_q <= s4_mask_q;
    s5_any_q  <= s4_any;
    for (p = 0; p < NUM_PORTS; p = p + 1)
      s6_ties_q[p] <= s5_mask_q[p] && s5_bands_q[3*p +: 3] == s5_least;
  end
  assign s6_ties_o = s6_ties_q;

endmodule
`default_nettype wire
