// SPDX-License-Identifier: Apache-2.0
// One word of up to 64, as a tree of 4 : 1 selections (one six-input table a bit and node).
//   data_o = words_i[addr_i * WIDTH +: WIDTH], 0 beyond the last word
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

  function four(input [3:0] w, input [1:0] a);
    four = a[1] ? (a[0] ? w[3] : w[2]) : (a[0] ? w[1] : w[0]);
  endfunction

  reg [5:0]  addr;
  reg [63:0] leaves; // the words' bit b
  reg [15:0] quads;
  reg [3:0]  tops;
  integer    b, i;
  always @* begin
    addr = 6'd0;
    addr[ADDR_W-1:0] = addr_i;
    for (b = 0; b < WIDTH; b = b + 1) begin
      leaves = 64'd0;
      for (i = 0; i < NUM_WORDS; i = i + 1) leaves[i] = words_i[i*WIDTH+b];
      for (i = 0; i < 16; i = i + 1) quads[i] = four(leaves[4*i +: 4], addr[1:0]);
      for (i = 0; i < 4; i = i + 1) tops[i] = four(quads[4*i +: 4], addr[3:2]);
      data_o[b] = four(tops, addr[5:4]);
    end
  end

`ifdef FORMAL // properties
`ifdef PROVE_egret_pick
  wire [NUM_WORDS*WIDTH-1:0] f_rest = words_i >> (addr_i * WIDTH);
  always @* begin
    assert (data_o == (addr_i < NUM_WORDS ? f_rest[WIDTH-1:0] : {WIDTH{1'b0}}));
    cover (addr_i == NUM_WORDS - 1 && data_o == 1);
  end
`endif
`endif

endmodule
`default_nettype wire
