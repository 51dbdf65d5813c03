// SPDX-License-Identifier: Apache-2.0
// `spray-rr`, round robin over the group: which pointer a packet uses. One pointer for each group,
// behind those of `dr` in the pointer table. The rotation itself is egret_rotation.
//   index = BASE + group;  key word = 0x8000 | group
// Combinational, no state. C twin: cmodel/select/spray_rr.c.
// Does not: check the range; the owner passes a group below NUM_GROUPS or ignores the result.
`timescale 1ns / 1ps
`default_nettype none

module egret_spray_rr #(
  // Index of group 0's pointer: the number of `dr` pointers.
  parameter BASE = 32,
  // Bits of a group number.
  parameter GROUP_W = 2,
  // Bits of the pointer index.
  parameter INDEX_W = 6
) (
  input  wire [GROUP_W-1:0] group_i,
  output wire [INDEX_W-1:0] index_o,
  output wire [15:0]        key_word_o
);

  wire [31:0] group = {{32 - GROUP_W{1'b0}}, group_i};
  wire [31:0] index = BASE[31:0] + group;
  wire        unused_ok = &{1'b0, index, group};

  assign index_o    = index[INDEX_W-1:0];
  assign key_word_o = {1'b1, group[14:0]};

`ifdef FORMAL // properties
  // A group of the table has a pointer of its own behind those of `dr`.
`ifdef PROVE_egret_spray_rr
  always @* begin
    assume (index < (1 << INDEX_W)); // NUM_GROUPS is not known here; GROUP_W is 1 for one group
    assert (index_o == BASE + group_i && key_word_o == 16'h8000 + group_i);
    cover (index_o == BASE);
  end
`endif
`endif

endmodule
`default_nettype wire
