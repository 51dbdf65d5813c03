// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_entropy, the field at S1 in clock 0, the offset at S3, the slice at S4; any
// slots before and behind. C side: cmodel/test/equiv_entropy.c.
// clocks 3
`default_nettype none

module equiv_entropy (
  input  wire        clk_i,
  input  wire [31:0] entropy,
  input  wire [4:0]  offset,
  output wire [15:0] slice
);

  reg [1:0] clock_q;
  initial clock_q = 2'd0;
  always @(posedge clk_i) clock_q <= clock_q + 2'd1;

  (* anyseq *) wire        other_rst;
  (* anyseq *) wire [31:0] other_entropy;
  (* anyseq *) wire [4:0]  other_offset;

  egret_entropy u_entropy (
    .clk_i       (clk_i),
    .rst_i       (other_rst),
    .s1_entropy_i(clock_q == 2'd0 ? entropy : other_entropy),
    .s3_offset_i (clock_q == 2'd2 ? offset : other_offset),
    .s4_slice_o  (slice)
  );

endmodule
`default_nettype wire
