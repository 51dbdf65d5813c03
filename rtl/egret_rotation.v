// SPDX-License-Identifier: Apache-2.0
// The rotation step of `dr` and `spray-rr` (docs/spec/dr.md): what a packet uses of its pointer
// entry and what it leaves behind. Combinational: it is the loop of egret_rmw's stage T4, where the
// entry is one of two. The step is found for both at once, and which one counts comes in last.
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
  // two pointer entries before, {epoch, wraps, offset}; the second is the one; 0: entry_o is 0
  input  wire [SLOT_W+23:0] entry0_i,
  input  wire [SLOT_W+23:0] entry1_i,
  input  wire               second_i,
  input  wire               on_i,
  // group parameters: last slot of the row; R - 1; R != 0
  input  wire [SLOT_W-1:0]  last_i,
  input  wire [3:0]         redraw_less1_i,
  input  wire               redraw_en_i,
  // is the offset beyond the row? then the slot used is 0, else the offset
  output wire               beyond_o,
  // pointer entry after
  output wire [SLOT_W+23:0] entry_o
);

  localparam WIDTH = SLOT_W + 24;

  // a > b as a tree of {greater, equal} over pairs; carry chains are slower at these widths.
  function gt_slot(input [SLOT_W-1:0] a, input [SLOT_W-1:0] b);
    integer i, n;
    reg [7:0] greater, equal;
    begin
      greater = 8'd0;
      equal   = 8'd255;
      greater[SLOT_W-1:0] = a & ~b;
      equal[SLOT_W-1:0]   = ~(a ^ b);
      for (n = 4; n > 0; n = n / 2)
        for (i = 0; i < n; i = i + 1) begin
          greater[i] = greater[2*i+1] | (equal[2*i+1] & greater[2*i]);
          equal[i]   = equal[2*i+1] & equal[2*i];
        end
      gt_slot = greater[0];
    end
  endfunction

  function ge4(input [3:0] a, input [3:0] b);
    integer i;
    begin
      ge4 = 1'b1;
      for (i = 0; i < 4; i = i + 1) ge4 = (a[i] & ~b[i]) | (~(a[i] ^ b[i]) & ge4);
    end
  endfunction

  // {wraps of an entry are enough for a new draw, it is at the last slot, beyond it, before it}
  function [3:0] flags(input [SLOT_W+11:0] entry, input [SLOT_W-1:0] last, input [3:0] less1);
    flags = {(|entry[SLOT_W+4 +: 8]) | ge4(entry[SLOT_W +: 4], less1),
             entry[SLOT_W-1:0] == last, gt_slot(entry[SLOT_W-1:0], last),
             gt_slot(last, entry[SLOT_W-1:0])};
  endfunction

  function [WIDTH-1:0] plus1(input [WIDTH-1:0] entry);
    plus1 = {entry[SLOT_W+12 +: 12] + 12'd1, entry[SLOT_W +: 12] + 12'd1,
             entry[SLOT_W-1:0] + {{SLOT_W - 1{1'b0}}, 1'b1}};
  endfunction

  wire [3:0] flags0 = flags(entry0_i[SLOT_W+11:0], last_i, redraw_less1_i);
  wire [3:0] flags1 = flags(entry1_i[SLOT_W+11:0], last_i, redraw_less1_i);
  wire [23:0] old = (second_i ? entry1_i[WIDTH-1:SLOT_W] : entry0_i[WIDTH-1:SLOT_W]) & {24{on_i}};
  wire [WIDTH-1:0] next = (second_i ? plus1(entry1_i) : plus1(entry0_i)) & {WIDTH{on_i}};
  wire enough, at_last, beyond, below;
  assign {enough, at_last, beyond, below} = second_i ? flags1 : flags0;
  wire zero   = ~(|last_i); // in a row of one slot every offset is that slot
  wire wrap   = at_last | zero;
  wire redraw = wrap & redraw_en_i & enough;
  wire first  = beyond & ~zero & on_i;

  assign beyond_o = beyond;
  // A slot beyond the row counts as 0: its successor is 1, unless the row has one slot.
  assign entry_o = {(next[SLOT_W+12 +: 12] & {12{redraw}}) | (old[23:12] & {12{~redraw}}),
                    (next[SLOT_W +: 12] & {12{wrap & ~redraw}}) | (old[11:0] & {12{~wrap}}),
                    (next[SLOT_W-1:0] & {SLOT_W{below}}) | {{SLOT_W - 1{1'b0}}, first}};

`ifdef FORMAL // properties
  // The header's formulas, with plain comparisons; the slot is one of the row before and after.
  wire [SLOT_W-1:0] f_offset = second_i ? entry1_i[SLOT_W-1:0] : entry0_i[SLOT_W-1:0];
  wire [11:0]       f_wraps  = second_i ? entry1_i[SLOT_W +: 12] : entry0_i[SLOT_W +: 12];
  wire [11:0]       f_epoch  = second_i ? entry1_i[SLOT_W+12 +: 12] : entry0_i[SLOT_W+12 +: 12];
  wire [SLOT_W-1:0] f_eff    = (f_offset > last_i) ? {SLOT_W{1'b0}} : f_offset;
  wire              f_wrap   = f_eff == last_i;
  wire              f_redraw = redraw_en_i && f_wraps >= redraw_less1_i;
  always @* begin
    assert ((f_offset & {SLOT_W{~beyond_o}}) == f_eff && f_eff <= last_i);
    assert (entry_o[SLOT_W-1:0] <= last_i);
    assert (on_i || entry_o == {WIDTH{1'b0}});
    assert (!on_i || entry_o[SLOT_W-1:0] == (f_wrap ? {SLOT_W{1'b0}} : f_eff + 1'b1));
    assert (!on_i || entry_o[SLOT_W +: 12] == (!f_wrap ? f_wraps :
                                               f_redraw ? 12'd0 : f_wraps + 12'd1));
    assert (!on_i || entry_o[SLOT_W+12 +: 12] == ((f_wrap && f_redraw) ? f_epoch + 12'd1
                                                                       : f_epoch));
    cover (on_i && f_wrap && f_redraw && f_wraps == 12'd4);
    cover (SLOT_W == 1 || (f_offset > last_i && !f_wrap));
  end
`endif

endmodule
`default_nettype wire
