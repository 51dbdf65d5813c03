// SPDX-License-Identifier: Apache-2.0
// The rotation engine of `dr` and `spray-rr`: pointer table, draw and repair bits
// (docs/spec/dr.md). The schedule table follows in egret_schedule.
//   S1 pointer index and key word (egret_dr, egret_spray_rr); table read
//   S2..S4 pre-draw of {key word, seed};  S4 pointer step (egret_rotation inside egret_rmw)
//   S5..S6 draw from the old epoch -> S7;  S5 repair bits
//     r = pre-draw y ^ bitrev12(eff ^ wraps ^ epoch) << 4
// One slot a clock. State: the pointers; one advances by a packet's slot with s4_advance_i, or is
// replaced by a configuration write. The draw is a function of the entry: no generator is kept.
// C twin: cmodel/select/rotation.c, draw.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"

module egret_pointers #(
  // As in egret_core.
  parameter NUM_GROUPS = 32,
  parameter NUM_KEYS = 64,
  parameter NUM_BINS = 2,
  // Slots a row and bits of a slot number.
  parameter ROW_LEN = 32,
  parameter SLOT_W = 5,
  // Bits of a group number and of a pointer index.
  parameter GROUP_W = 5,
  parameter INDEX_W = 8
) (
  input  wire               clk_i,
  input  wire               rst_i,
  // sweep
  input  wire               clr_i,
  input  wire [INDEX_W-1:0] clr_addr_i,
  // S1: scheme of the group is spray-rr (or the address names such a pointer)
  input  wire               s1_spray_rr_i,
  input  wire [GROUP_W-1:0] s1_group_i,
  input  wire [15:0]        s1_key_i,
  input  wire [7:0]         s1_bin_i,
  input  wire [31:0]        s1_seed_i,
  output wire               s1_dr_legal_o,
  // S4
  input  wire [SLOT_W-1:0]  s4_last_i,
  input  wire [3:0]         s4_redraw_less1_i,
  input  wire               s4_redraw_en_i,
  input  wire               s4_advance_i,
  input  wire               s4_write_i,
  input  wire [31:0]        s4_data_i,
  // S5
  output wire [31:0]        s5_entry_o,
  output wire [15:0]        s5_random_o,
  // S6
  output wire [SLOT_W-1:0]  s6_slot_o,
  // S7
  output wire [15:0]        s7_draw_o
);

  localparam DR_POINTERS = NUM_KEYS * NUM_BINS;
  localparam DEPTH = DR_POINTERS + NUM_GROUPS;
  localparam WIDTH = 24 + SLOT_W;
  localparam [31:0] LEN_LESS1 = ROW_LEN - 1;

  function [11:0] reverse(input [11:0] v);
    integer i;
    for (i = 0; i < 12; i = i + 1) reverse[i] = v[11-i];
  endfunction

  wire [INDEX_W-1:0] s1_dr_index, s1_rr_index;
  wire [15:0]        s1_dr_word, s1_rr_word;

  egret_dr #(.NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS), .INDEX_W(INDEX_W)) u_dr (
    .key_i     (s1_key_i),
    .bin_i     (s1_bin_i),
    .index_o   (s1_dr_index),
    .key_word_o(s1_dr_word),
    .legal_o   (s1_dr_legal_o)
  );

  egret_spray_rr #(.BASE(DR_POINTERS), .GROUP_W(GROUP_W), .INDEX_W(INDEX_W)) u_spray_rr (
    .group_i   (s1_group_i),
    .index_o   (s1_rr_index),
    .key_word_o(s1_rr_word)
  );

  wire [INDEX_W-1:0] s1_index = s1_spray_rr_i ? s1_rr_index : s1_dr_index;

  // Pre-draw.
  reg         s2_spray_rr_q;
  reg  [15:0] s2_dr_x_q, s2_rr_x_q, s2_y_q, s3_x_q, s3_y_q, s4_x_q, s4_y_q, s5_x_q, s5_y_q;
  wire [15:0] s2_x, s2_y, s3_x, s3_y, s4_x, s4_y;
  egret_draw #(.FIRST(0), .COUNT(2)) u_pre0 (
    .x_i(s2_spray_rr_q ? s2_rr_x_q : s2_dr_x_q), .y_i(s2_y_q), .x_o(s2_x), .y_o(s2_y));
  egret_draw #(.FIRST(2), .COUNT(3)) u_pre1 (
    .x_i(s3_x_q), .y_i(s3_y_q), .x_o(s3_x), .y_o(s3_y));
  egret_draw #(.FIRST(5), .COUNT(3)) u_pre2 (
    .x_i(s4_x_q), .y_i(s4_y_q), .x_o(s4_x), .y_o(s4_y));

  // Pointer step: on the entry that the slot just before left and on the merged one at once; the
  // choice comes last.
  wire              s4_forward;
  wire [WIDTH-1:0]  s4_last_entry, s4_merged, s4_from_last, s4_from_merged, s4_new;
  wire [SLOT_W-1:0] s4_last_eff, s4_merged_eff;
  reg  [WIDTH-1:0]  s5_old_q;
  reg  [SLOT_W-1:0] s5_eff_q, s6_eff_q;
  wire [31:0]       s4_write_slot = {24'd0, s4_data_i[7:0]} & LEN_LESS1;
  wire              unused_ok = &{1'b0, s4_write_slot};

  egret_rotation #(.SLOT_W(SLOT_W)) u_step_last (
    .offset_i      (s4_last_entry[SLOT_W-1:0]),
    .wraps_i       (s4_last_entry[SLOT_W +: 12]),
    .epoch_i       (s4_last_entry[SLOT_W+12 +: 12]),
    .last_i        (s4_last_i),
    .redraw_less1_i(s4_redraw_less1_i),
    .redraw_en_i   (s4_redraw_en_i),
    .eff_o         (s4_last_eff),
    .offset_o      (s4_from_last[SLOT_W-1:0]),
    .wraps_o       (s4_from_last[SLOT_W +: 12]),
    .epoch_o       (s4_from_last[SLOT_W+12 +: 12])
  );

  egret_rotation #(.SLOT_W(SLOT_W)) u_step_merged (
    .offset_i      (s4_merged[SLOT_W-1:0]),
    .wraps_i       (s4_merged[SLOT_W +: 12]),
    .epoch_i       (s4_merged[SLOT_W+12 +: 12]),
    .last_i        (s4_last_i),
    .redraw_less1_i(s4_redraw_less1_i),
    .redraw_en_i   (s4_redraw_en_i),
    .eff_o         (s4_merged_eff),
    .offset_o      (s4_from_merged[SLOT_W-1:0]),
    .wraps_o       (s4_from_merged[SLOT_W +: 12]),
    .epoch_o       (s4_from_merged[SLOT_W+12 +: 12])
  );

  assign s4_new = s4_write_i ? {s4_data_i[31:8], s4_write_slot[SLOT_W-1:0]} :
                  s4_forward ? s4_from_last : s4_from_merged;

  egret_rmw #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(INDEX_W)) u_table (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .clr_i       (clr_i && {{32 - INDEX_W{1'b0}}, clr_addr_i} < DEPTH),
    .clr_addr_i  (clr_addr_i),
    .t1_addr_i   (s1_index),
    .t4_forward_o(s4_forward),
    .t4_last_o   (s4_last_entry),
    .t4_merged_o (s4_merged),
    .t4_write_i  (s4_advance_i | s4_write_i),
    .t4_new_i    (s4_new)
  );

  // Draw and repair bits from the old entry.
  wire [11:0] s5_wraps = s5_old_q[SLOT_W +: 12];
  wire [11:0] s5_epoch = s5_old_q[SLOT_W+12 +: 12];
  reg  [11:0] s5_eff;
  reg  [7:0]  s5_offset;
  always @* begin
    s5_eff = 12'd0;
    s5_eff[SLOT_W-1:0] = s5_eff_q;
    s5_offset = 8'd0;
    s5_offset[SLOT_W-1:0] = s5_old_q[SLOT_W-1:0];
  end
  assign s5_entry_o  = {s5_epoch, s5_wraps, s5_offset};
  assign s5_random_o = s5_y_q ^ {reverse(s5_eff ^ s5_wraps ^ s5_epoch), 4'd0};

  reg  [15:0] s6_x_q, s6_y_q, s7_x_q;
  wire [15:0] s5_x, s5_y, s6_x, s6_y;
  egret_draw #(.FIRST(8), .COUNT(2)) u_draw0 (
    .x_i(s5_x_q ^ {4'd0, s5_epoch}), .y_i(s5_y_q), .x_o(s5_x), .y_o(s5_y));
  egret_draw #(.FIRST(10), .COUNT(4)) u_draw1 (
    .x_i(s6_x_q), .y_i(s6_y_q), .x_o(s6_x), .y_o(s6_y));
  wire unused_y = &{1'b0, s6_y};

  always @(posedge clk_i) begin
    s2_spray_rr_q <= s1_spray_rr_i;
    s2_dr_x_q <= s1_dr_word ^ s1_seed_i[15:0];
    s2_rr_x_q <= s1_rr_word ^ s1_seed_i[15:0];
    s2_y_q   <= s1_seed_i[31:16];
    s3_x_q   <= s2_x;
    s3_y_q   <= s2_y;
    s4_x_q   <= s3_x;
    s4_y_q   <= s3_y;
    s5_x_q   <= s4_x;
    s5_y_q   <= s4_y;
    s5_old_q <= s4_forward ? s4_last_entry : s4_merged;
    s5_eff_q <= s4_forward ? s4_last_eff : s4_merged_eff;
    s6_eff_q <= s5_eff_q;
    s6_x_q   <= s5_x;
    s6_y_q   <= s5_y;
    s7_x_q   <= s6_x;
  end

  assign s6_slot_o = s6_eff_q;
  assign s7_draw_o = s7_x_q;

  `EGRET_ASSERT({{32 - INDEX_W{1'b0}}, s1_index} < DEPTH, "pointer index beyond the table")

endmodule
`default_nettype wire
