// SPDX-License-Identifier: Apache-2.0
// `dr`, destination rotation: which pointer a packet uses. One pointer for each (rotation key,
// size bin); the key is the destination edge on an edge switch, the destination pod on an
// aggregation switch. The rotation itself is egret_rotation.
//   index = key * NUM_BINS + bin;  key word = key << 4 | bin;  legal: both in range
// Combinational, no state. C twin: cmodel/select/dr.c. Does not: look at members or liveness.
`timescale 1ns / 1ps
`default_nettype none

module egret_dr #(
  // Rotation keys, a power of two, 1..2048.
  parameter NUM_KEYS = 16,
  // Size bins, a power of two, 1..16.
  parameter NUM_BINS = 2,
  // Bits of the pointer index.
  parameter INDEX_W = 6
) (
  input  wire [15:0]        key_i,
  input  wire [7:0]         bin_i,
  output wire [INDEX_W-1:0] index_o,
  output wire [15:0]        key_word_o,
  output wire               legal_o
);

  localparam BIN_BITS = $clog2(NUM_BINS);

  wire [15:0] key = key_i & (NUM_KEYS[15:0] - 16'd1);
  wire [7:0]  bin = bin_i & (NUM_BINS[7:0] - 8'd1);
  wire [19:0] index = ({4'd0, key} << BIN_BITS) | {12'd0, bin};
  wire        unused_ok = &{1'b0, index};

  assign index_o    = index[INDEX_W-1:0];
  assign key_word_o = {1'b0, key[10:0], bin[3:0]};
  assign legal_o    = key == key_i && bin == bin_i;

`ifdef FORMAL // properties
  // The index stays in the table, legal or not; a legal request has its own index and key word.
  always @* begin
    assert (index < NUM_KEYS * NUM_BINS && index_o == index);
    assert (legal_o == (key_i < NUM_KEYS && bin_i < NUM_BINS));
    assert (!legal_o || (index_o == key_i * NUM_BINS + bin_i && key_word_o == key_i * 16 + bin_i));
    cover (legal_o && index_o == NUM_KEYS * NUM_BINS - 1);
    cover (!legal_o);
  end
`endif

endmodule
`default_nettype wire
