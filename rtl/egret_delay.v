// SPDX-License-Identifier: Apache-2.0
// A delay line of CYCLES clocks; 0 is a wire. With RESET 1 the line is cleared by rst_i, for valid
// bits; payload uses RESET 0. With BLOCK_RAM 1 a payload line of 4 clocks or more is a block RAM;
// what is in it at a reset comes out unknown.
// Latency CYCLES, one word a clock. C twin: none (pure timing).
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_delay #(
  // Bits a word, 1 or more.
  parameter WIDTH = 1,
  // Clocks of delay, 0 or more.
  parameter CYCLES = 1,
  // 1: cleared by rst_i.
  parameter RESET = 0,
  // 1: block RAM.
  parameter BLOCK_RAM = 0
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire [WIDTH-1:0] data_i,
  output wire [WIDTH-1:0] data_o
);

  localparam IN_RAM = BLOCK_RAM != 0 && RESET == 0 && CYCLES >= 4;

  generate
    if (CYCLES == 0) begin : gen_wire
      // A wire needs neither clock nor reset.
      wire unused_ok = &{1'b0, clk_i, rst_i};
      assign data_o = data_i;
    end
    if (IN_RAM) begin : gen_ram
      localparam ADDR_W = $clog2(CYCLES);
      localparam [31:0] BEHIND = CYCLES - 1;
      reg [ADDR_W-1:0] now_q;
      always @(posedge clk_i)
        if (rst_i) now_q <= {ADDR_W{1'b0}};
        else now_q <= now_q + {{ADDR_W - 1{1'b0}}, 1'b1};
      egret_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(1 << ADDR_W), .ADDR_W(ADDR_W)) u_line (
        .clk_i    (clk_i),
        .wr_en_i  (1'b1),
        .wr_addr_i(now_q),
        .wr_data_i(data_i),
        .rd_addr_i(now_q - BEHIND[ADDR_W-1:0]),
        .rd_data_o(data_o)
      );
    end
    if (CYCLES != 0 && !IN_RAM) begin : gen_line
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

`ifdef FORMAL // properties
`ifdef PROVE_egret_delay
  // Against plain registers, one bit (any) of a word; the line is full CYCLES clocks after a reset.
  (* anyconst *) wire [WIDTH-1:0] f_bit;
  reg  [CYCLES-1:0] f_line_q, f_full_q;
  wire [CYCLES:0]   f_line = {f_line_q, ^(data_i & f_bit)};
  wire [CYCLES:0]   f_full = {f_full_q, 1'b1};
  always @(posedge clk_i) begin
    f_line_q <= f_line[CYCLES-1:0];
    f_full_q <= rst_i ? {CYCLES{1'b0}} : f_full[CYCLES-1:0];
  end
  `EGRET_ASSERT(!f_full[CYCLES] || ^(data_o & f_bit) == f_line[CYCLES], "CYCLES clocks later")
  // With RESET, what was in the line does not come out behind a reset, however short.
  reg  [CYCLES-1:0] f_clear_q;
  always @(posedge clk_i)
    f_clear_q <= rst_i ? {CYCLES{1'b1}} : f_clear_q << 1;
  `EGRET_ASSERT(RESET == 0 || !f_clear_q[CYCLES-1] || data_o == {WIDTH{1'b0}},
                "clear behind a reset")
  `EGRET_COVER(f_full[CYCLES] && f_line[CYCLES])
`endif
`endif

endmodule
`default_nettype wire
