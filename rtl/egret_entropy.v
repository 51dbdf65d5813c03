// SPDX-License-Identifier: Apache-2.0
// The slice of `entropy` (docs/spec/entropy.md): entropy >> the group's offset, 16 bits. Behind it
// egret_ecmp masks the slice and looks the bucket up: the member index is used directly.
// Entropy field in at S1, offset at S3, slice out at S4; one packet a clock. State: none but the
// pipe. C twin: cmodel/select/entropy.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_entropy (
  input  wire        clk_i,
  input  wire        rst_i,
  // S1
  input  wire [31:0] s1_entropy_i,
  // S3
  input  wire [4:0]  s3_offset_i,
  // S4
  output wire [15:0] s4_slice_o
);

  wire [31:0] s3_entropy;
  wire [31:0] s3_shifted = s3_entropy >> s3_offset_i;
  wire        unused_ok  = &{1'b0, s3_shifted[31:16]};
  reg  [15:0] s4_slice_q;

  egret_delay #(.WIDTH(32), .CYCLES(2)) u_entropy (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s1_entropy_i), .data_o(s3_entropy));
  always @(posedge clk_i) s4_slice_q <= s3_shifted[15:0];
  assign s4_slice_o = s4_slice_q;

`ifdef FORMAL // properties
  // Bit n of the slice is bit n + offset of the field, 0 beyond it.
  reg [4:0]  f_offset_q;
  reg [31:0] f_entropy_q;
  reg        f_up_q;
  integer    f_i;
  always @(posedge clk_i) begin
    f_offset_q  <= s3_offset_i;
    f_entropy_q <= s3_entropy;
    f_up_q      <= ~rst_i;
  end
  always @*
    for (f_i = 0; f_i < 16; f_i = f_i + 1)
      if (!rst_i && f_up_q)
        assert (s4_slice_o[f_i] == (f_i + f_offset_q < 32 ? f_entropy_q[(f_i + f_offset_q) & 31]
                                                         : 1'b0));
  always @* cover (f_up_q && s4_slice_o == 16'h0003 && f_offset_q == 5'd30);
`endif

endmodule
`default_nettype wire
