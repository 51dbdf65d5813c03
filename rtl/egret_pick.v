// SPDX-License-Identifier: Apache-2.0
// One word of up to 64, as a tree of 4 : 1 selections (one six-input table a bit and node).
// Words are given by planes: bit b of word i is words_i[NUM_WORDS * b + i]; 0 beyond the last word.
// Combinational, no state. C twin: an array element.
`timescale 1ns / 1ps
`default_nettype none

module egret_pick #(
  // Words, 1..64.
  parameter NUM_WORDS = 16,
  // Address bits, $clog2(NUM_WORDS) or 1.
  parameter ADDR_W = 4,
  // Bits a word.
  parameter WIDTH = 3
) (
  input  wire [NUM_WORDS*WIDTH-1:0] words_i,
  input  wire [ADDR_W-1:0]          addr_i,
  output reg  [WIDTH-1:0]           data_o
);

  // Bit b of all words, then of 16 and of 4 of them.
  reg [5:0]  addr;
  reg [63:0] plane;
  reg [15:0] quarter;
  reg [3:0]  few;
  integer    b;
  always @* begin
    addr = 6'd0;
    addr[ADDR_W-1:0] = addr_i;
    for (b = 0; b < WIDTH; b = b + 1) begin
      plane = 64'd0;
      plane[NUM_WORDS-1:0] = words_i[NUM_WORDS*b +: NUM_WORDS];
      quarter = addr[5] ? (addr[4] ? plane[63:48] : plane[47:32])
                        : (addr[4] ? plane[31:16] : plane[15:0]);
      few = addr[3] ? (addr[2] ? quarter[15:12] : quarter[11:8])
                    : (addr[2] ? quarter[7:4] : quarter[3:0]);
      data_o[b] = addr[1] ? (addr[0] ? few[3] : few[2]) : (addr[0] ? few[1] : few[0]);
    end
  end

`ifdef FORMAL // properties
`ifdef PROVE_egret_pick
  integer f_b;
  reg [NUM_WORDS*WIDTH-1:0] f_rest;
  reg [WIDTH-1:0]           f_word;
  always @* begin
    for (f_b = 0; f_b < WIDTH; f_b = f_b + 1) begin
      f_rest = words_i >> (NUM_WORDS * f_b + addr_i);
      f_word[f_b] = f_rest[0];
    end
    assert (data_o == (addr_i < NUM_WORDS ? f_word : {WIDTH{1'b0}}));
    cover (addr_i == NUM_WORDS - 1 && data_o == 1);
  end
`endif
`endif

endmodule
`default_nettype wire
