// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_pick, whose words lie in planes. C side: cmodel/test/equiv_pick.c.
// clocks 0
`default_nettype none

module equiv_pick #(
  parameter NUM_WORDS = 16,
  parameter ADDR_W = 4,
  parameter WIDTH = 3
) (
  input  wire [NUM_WORDS*WIDTH-1:0] word,
  input  wire [ADDR_W-1:0]          addr,
  output wire [WIDTH-1:0]           data
);

  wire [NUM_WORDS*WIDTH-1:0] planes;
  genvar i, b;
  generate
    for (i = 0; i < NUM_WORDS; i = i + 1) begin : gen_word
      for (b = 0; b < WIDTH; b = b + 1) begin : gen_bit
        assign planes[NUM_WORDS*b+i] = word[WIDTH*i+b];
      end
    end
  endgenerate

  egret_pick #(.NUM_WORDS(NUM_WORDS), .ADDR_W(ADDR_W), .WIDTH(WIDTH)) u_pick (
    .words_i(planes), .addr_i(addr), .data_o(data));

endmodule
`default_nettype wire
