// SPDX-License-Identifier: Apache-2.0
// The rotation step of `dr` and `spray-rr` (docs/spec/dr.md): what a packet uses of its pointer
// entry and what it leaves behind. Combinational: it is the loop of egret_rmw's stage T4.
//   eff  = offset > last ? 0 : offset        the slot of the schedule row
//   wrap = eff == last
//   offset' = wrap ? 0 : eff + 1
//   on a wrap: wraps >= R - 1 and R != 0 ? (wraps' = 0, epoch' = epoch + 1) : wraps' = wraps + 1
// The pointer moves by one on each packet whether the port is live or not; repair comes later.
// Bits: epoch and wraps 12, modulo 4096. C twin: egret_rotation_step() in
// cmodel/select/internal.h. Does not: hold the table, or choose the row (egret_draw).
`timescale 1ns / 1ps
`default_nettype none

module egret_rotation #(
  // Bits of an offset, $clog2(ROW_LEN) or 1.
  parameter SLOT_W = 3
) (
  // pointer entry before
  input  wire [SLOT_W-1:0] offset_i,
  input  wire [11:0]       wraps_i,
  input  wire [11:0]       epoch_i,
  // group parameters: last slot of the row; R - 1; R != 0
  input  wire [SLOT_W-1:0] last_i,
  input  wire [3:0]        redraw_less1_i,
  input  wire              redraw_en_i,
  // is the offset beyond the row? then the slot used is 0, else the offset
  output wire              beyond_o,
  // pointer entry after
  output wire [SLOT_W-1:0] offset_o,
  output wire [11:0]       wraps_o,
  output wire [11:0]       epoch_o
);

  // a > b as a boolean function from the low bit up; carry chains are slower at these widths.
  function gt_slot(input [SLOT_W-1:0] a, input [SLOT_W-1:0] b);
    integer i;
    begin
      gt_slot = 1'b0;
      for (i = 0; i < SLOT_W; i = i + 1)
        gt_slot = (a[i] & ~b[i]) | (~(a[i] ^ b[i]) & gt_slot);
    end
  endfunction

  function ge4(input [3:0] a, input [3:0] b);
    integer i;
    begin
      ge4 = 1'b1;
      for (i = 0; i < 4; i = i + 1) ge4 = (a[i] & ~b[i]) | (~(a[i] ^ b[i]) & ge4);
    end
  endfunction

  wire beyond = gt_slot(offset_i, last_i);
  wire below = gt_slot(last_i, offset_i); // a slot of the row follows
  wire at_last = offset_i == last_i;
  wire wrap = at_last | ~(|last_i); // in a row of one slot every offset is that slot
  wire redraw = redraw_en_i & ((|wraps_i[11:4]) | ge4(wraps_i[3:0], redraw_less1_i));
  wire [SLOT_W-1:0] plus1 = offset_i + {{SLOT_W - 1{1'b0}}, 1'b1};
  wire [11:0] wraps_plus1 = wraps_i + 12'd1;
  wire [11:0] epoch_plus1 = epoch_i + 12'd1;

  assign beyond_o = beyond;
  // A slot beyond the row counts as 0: its successor is 1, unless the row has one slot.
  assign offset_o = (plus1 & {SLOT_W{below}}) | {{SLOT_W - 1{1'b0}}, beyond & (|last_i)};
  assign wraps_o  = ~wrap ? wraps_i : redraw ? 12'd0 : wraps_plus1;
  assign epoch_o  = (wrap & redraw) ? epoch_plus1 : epoch_i;

`ifdef FORMAL // properties
  // The header's formulas, with plain comparisons; the slot is one of the row before and after.
  wire [SLOT_W-1:0] f_eff    = (offset_i > last_i) ? {SLOT_W{1'b0}} : offset_i;
  wire              f_wrap   = f_eff == last_i;
  wire              f_redraw = redraw_en_i && wraps_i >= redraw_less1_i;
  always @* begin
    assert ((offset_i & {SLOT_W{~beyond_o}}) == f_eff && f_eff <= last_i && offset_o <= last_i);
    assert (offset_o == (f_wrap ? {SLOT_W{1'b0}} : f_eff + 1'b1));
    assert (wraps_o == (!f_wrap ? wraps_i : f_redraw ? 12'd0 : wraps_i + 12'd1));
    assert (epoch_o == ((f_wrap && f_redraw) ? epoch_i + 12'd1 : epoch_i));
    cover (f_wrap && f_redraw && wraps_i == 12'd4);
    cover (SLOT_W == 1 || (offset_i > last_i && !f_wrap));
  end
`endif

endmodule
`default_nettype wire
