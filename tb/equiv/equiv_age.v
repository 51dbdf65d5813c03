// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_flowlet_age, times at T1 in clock 0, idle at T2; any slots beside. C side:
// cmodel/test/equiv_age.c.
// clocks 1
`default_nettype none

module equiv_age (
  input  wire        clk_i,
  input  wire [23:0] now,
  input  wire [23:0] last,
  input  wire [23:0] idle,
  output wire        expired
);

  reg clock_q;
  initial clock_q = 1'b0;
  always @(posedge clk_i) clock_q <= 1'b1;

  (* anyseq *) wire        other_rst;
  (* anyseq *) wire [23:0] other_time, other_last, other_idle;

  egret_flowlet_age u_age (
    .clk_i       (clk_i),
    .rst_i       (other_rst),
    .t1_time_i   (clock_q ? other_time : now),
    .t1_last_i   (clock_q ? other_last : last),
    .t2_idle_i   (clock_q ? idle : other_idle),
    .t2_expired_o(expired)
  );

endmodule
`default_nettype wire
