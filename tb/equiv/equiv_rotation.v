// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_rotation. C side: cmodel/test/equiv_rotation.c.
// clocks 0
`default_nettype none

module equiv_rotation #(
  parameter SLOT_W = 3
) (
  input  wire [SLOT_W-1:0] offset,
  input  wire [11:0]       wraps,
  input  wire [11:0]       epoch,
  input  wire [SLOT_W-1:0] last,
  input  wire [3:0]        limit,
  input  wire              second,       // the entry is egret_rotation's second one
  input  wire [SLOT_W-1:0] other_offset, // of the other one
  input  wire [11:0]       other_wraps,
  input  wire [11:0]       other_epoch,
  output wire [7:0]        slot,
  output wire [31:0]       next
);

  wire [SLOT_W+23:0] other = {other_epoch, other_wraps, other_offset};
  wire              beyond;
  wire [SLOT_W-1:0] next_offset;

  egret_rotation #(.SLOT_W(SLOT_W)) u_rotation (
    .entry0_i      (second ? other : {epoch, wraps, offset}),
    .entry1_i      (second ? {epoch, wraps, offset} : other),
    .second_i      (second),
    .on_i          (1'b1),
    .last_i        (last),
    .redraw_less1_i(limit - 4'd1),
    .redraw_en_i   (|limit),
    .beyond_o      (beyond),
    .entry_o       ({next[31:8], next_offset})
  );

  assign slot      = beyond ? 8'd0 : offset;
  assign next[7:0] = next_offset;

endmodule
`default_nettype wire
