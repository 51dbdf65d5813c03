// SPDX-License-Identifier: Apache-2.0
// The random numbers of `spray-random` (docs/spec/spray-random.md), of `spray-quality` and
// `flowlet`: one xorshift32 generator an
// instance, stepped once for each accepted packet, whatever its scheme. The packet's port is the
// k-th live member, k = (r * L) >> 16 with r the upper half of its number (egret_live_repair).
//   x ^= x << 13; x ^= x >> 17; x ^= x << 5       period 2^32 - 1, never 0
// A packet at S4 uses the number after its own step. A configuration write at S4 replaces the state
// for the packets behind it; 0 stands for the state after reset, 2463534242. State: 32 bits.
// Source: Xorshift RNGs, Journal of Statistical Software 8(14), 2003.
// C twin: egret_random_step() in cmodel/select/internal.h.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_spray_random (
  input  wire        clk_i,
  input  wire        rst_i,
  // S4: a packet; a configuration write
  input  wire        s4_packet_i,
  input  wire        s4_write_i,
  input  wire [31:0] s4_data_i,
  input  wire        s4_zero_i, // the data is 0
  // S4: state before this slot; the packet's number
  output wire [31:0] s4_state_o,
  output wire [31:0] s4_random_o
);

  localparam [31:0] START = 32'd2463534242;

  reg  [31:0] state_q;
  wire [31:0] a = state_q ^ {state_q[18:0], 13'd0};
  wire [31:0] b = a ^ {17'd0, a[31:17]};
  wire [31:0] c = b ^ {b[26:0], 5'd0};

  always @(posedge clk_i)
    if (rst_i) state_q <= START;
    else if (s4_write_i) state_q <= s4_zero_i ? START : s4_data_i;
    else if (s4_packet_i) state_q <= c;

  assign s4_state_o  = state_q;
  assign s4_random_o = c;

`ifdef FORMAL // properties
  // The state is never 0, and it stands still but for packets and writes.
  reg        f_still_q;
  reg [31:0] f_was_q;
  always @(posedge clk_i) begin
    f_still_q <= !rst_i && !s4_packet_i && !s4_write_i;
    f_was_q   <= state_q;
  end
  reg f_reset_q;
  always @(posedge clk_i) f_reset_q <= rst_i | f_reset_q;
`ifdef PROVE_egret_spray_random
  `EGRET_ASSUME(s4_zero_i == (s4_data_i == 32'd0))
`else
  `EGRET_ASSERT(!s4_write_i || s4_zero_i == (s4_data_i == 32'd0), "zero")
`endif
  `EGRET_ASSERT(!f_reset_q || state_q != 32'd0, "never 0")
  `EGRET_ASSERT(!f_still_q || state_q == f_was_q, "nothing moves without a packet")
  `EGRET_COVER(f_still_q && state_q == 32'd723471715)
`endif

endmodule
`default_nettype wire
