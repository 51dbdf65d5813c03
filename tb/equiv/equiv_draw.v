// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: rounds 0..7 and 8..13 of egret_draw. C side: cmodel/test/equiv_draw.c.
// clocks 0
`default_nettype none

module equiv_draw (
  input  wire [31:0] seed,
  input  wire [15:0] kw,
  input  wire [11:0] epoch,
  output wire [31:0] pre,
  output wire [15:0] row
);

  // As egret_pointers spreads it.
  wire [15:0] e      = {4'd0, epoch};
  wire [15:0] spread = e ^ {e[9:0], e[15:10]} ^ {e[4:0], e[15:5]};
  wire [15:0] unused_y;

  egret_draw #(.FIRST(0), .COUNT(8)) u_pre (
    .x_i(kw ^ seed[15:0]), .y_i(seed[31:16]), .x_o(pre[15:0]), .y_o(pre[31:16]));
  egret_draw #(.FIRST(8), .COUNT(6)) u_draw (
    .x_i(pre[15:0] ^ spread), .y_i(pre[31:16]), .x_o(row), .y_o(unused_y));

endmodule
`default_nettype wire
