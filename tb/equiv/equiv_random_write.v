// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_spray_random, a write in clock 0, a packet or nothing in clock 1. C side:
// cmodel/test/equiv_random_write.c.
// clocks 2
`default_nettype none

module equiv_random_write (
  input  wire        clk_i,
  input  wire [31:0] data,
  input  wire        packet,
  output wire [31:0] number,
  output wire [31:0] after
);

  reg [1:0] clock_q;
  initial clock_q = 2'd0;
  always @(posedge clk_i) clock_q <= clock_q + 2'd1;

  (* anyseq *) wire [31:0] other_data;
  (* anyseq *) wire        other_packet;
  wire [31:0] s4_random;
  reg  [31:0] number_q;
  always @(posedge clk_i) number_q <= s4_random;

  egret_spray_random u_spray_random (
    .clk_i      (clk_i),
    .rst_i      (1'b0),
    .s4_packet_i(clock_q == 2'd0 ? other_packet : packet),
    .s4_write_i (clock_q == 2'd0),
    .s4_data_i  (clock_q == 2'd0 ? data : other_data),
    .s4_zero_i  (data == 32'd0),
    .s4_state_o (after),
    .s4_random_o(s4_random)
  );

  assign number = number_q;

endmodule
`default_nettype wire
