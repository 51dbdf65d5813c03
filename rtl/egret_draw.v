// SPDX-License-Identifier: Apache-2.0
// COUNT rounds of the draw function H, combinational, from round FIRST on (docs/spec/dr.md).
//   f(x) = (rol(x,1) & rol(x,8)) ^ rol(x,2);  round i: (x, y) <- (y ^ f(x) ^ c[i], x)
// Rounds 0..7 turn {key word, seed} into the pre-draw, rounds 8..13 the pre-draw and the epoch into
// the draw. The constants are bits of the golden ratio. One LUT level a round.
// C twin: egret_draw_* in cmodel/select/draw.c.
`timescale 1ns / 1ps
`default_nettype none

module egret_draw #(
  // First round, 0..13.
  parameter FIRST = 0,
  // Rounds, 1..14; FIRST + COUNT <= 14.
  parameter COUNT = 1
) (
  input  wire [15:0] x_i,
  input  wire [15:0] y_i,
  output wire [15:0] x_o,
  output wire [15:0] y_o
);

  // Constant 0 in the most significant 16 bits.
  localparam [14*16-1:0] CONSTANTS = {
    16'h9e37, 16'h79b9, 16'h7f4a, 16'h7c15, 16'hf39c, 16'hc060, 16'h5ced,
    16'hc834, 16'h1082, 16'h276b, 16'hf3a2, 16'h7251, 16'h9f86, 16'h3e1d
  };

  generate
    if (FIRST + COUNT > 14) begin : gen_check
      FIRST_plus_COUNT_must_not_exceed_14 u_bad ();
    end
  endgenerate

  function [31:0] rounds(input [31:0] xy);
    integer i;
    reg [15:0] x, f;
    begin
      rounds = xy;
      for (i = FIRST; i < FIRST + COUNT; i = i + 1) begin
        x = rounds[31:16];
        f = ({x[14:0], x[15]} & {x[7:0], x[15:8]}) ^ {x[13:0], x[15:14]};
        rounds = {rounds[15:0] ^ f ^ CONSTANTS[16*(13-i) +: 16], x};
      end
    end
  endfunction

  assign {x_o, y_o} = rounds({x_i, y_i});

endmodule
`default_nettype wire
