// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_spray_random, a packet in each of STEPS clocks from any state; the number
// is that of one more packet. C side: cmodel/test/equiv_random.c.
// clocks STEPS
// state 0 state u_spray_random.state_q
// final after u_spray_random.state_q
`default_nettype none

module equiv_random (
  input  wire        clk_i,
  output wire [31:0] number
);

  (* anyseq *) wire [31:0] other_data;

  egret_spray_random u_spray_random (
    .clk_i      (clk_i),
    .rst_i      (1'b0),
    .s4_packet_i(1'b1),
    .s4_write_i (1'b0),
    .s4_data_i  (other_data),
    .s4_zero_i  (other_data == 32'd0),
    .s4_state_o (),
    .s4_random_o(number)
  );

endmodule
`default_nettype wire
