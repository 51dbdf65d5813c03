// SPDX-License-Identifier: Apache-2.0
// A delay line of CYCLES clocks; 0 is a wire. With RESET 1 the line is cleared by rst_i, for valid
// bits; payload uses RESET 0.
// Latency CYCLES, one word a clock. C twin: none (pure timing).
`timescale 1ns / 1ps
`default_nettype none

module egret_delay #(
  // Bits a word, 1 or more.
  parameter WIDTH = 1,
  // Clocks of delay, 0 or more.
  parameter CYCLES = 1,
  // 1: cleared by rst_i.
  parameter RESET = 0
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire [WIDTH-1:0] data_i,
  output wire [WIDTH-1:0] data_o
);

  generate
    if (CYCLES == 0) begin : gen_wire
      // A wire needs neither clock nor reset.
      wire unused_ok = &{1'b0, clk_i, rst_i};
      assign data_o = data_i;
    end else begin : gen_line
      reg [WIDTH*CYCLES-1:0] line_q;
      wire [WIDTH*(CYCLES+1)-1:0] shifted = {line_q, data_i};
      if (RESET != 0) begin : gen_reset
        always @(posedge clk_i)
          if (rst_i) line_q <= {WIDTH * CYCLES{1'b0}};
          else line_q <= shifted[WIDTH*CYCLES-1:0];
      end else begin : gen_plain
        wire unused_ok = &{1'b0, rst_i};
        always @(posedge clk_i) line_q <= shifted[WIDTH*CYCLES-1:0];
      end
      assign data_o = shifted[WIDTH*(CYCLES+1)-1:WIDTH*CYCLES];
    end
  endgenerate

endmodule
`default_nettype wire
