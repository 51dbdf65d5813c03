// SPDX-License-Identifier: Apache-2.0
// The rotation engine of `dr` and `spray-rr`: pointer table, draw and repair bits
// (docs/spec/dr.md). The schedule table follows in egret_schedule.
//   S1 pointer index and key word (egret_dr, egret_spray_rr); table read
//   S2..S4 pre-draw of {key word, seed};  S4 pointer step (egret_rotation inside egret_rmw)
//   S5..S6 draw from the old epoch e -> S7: x ^= e ^ rol(e, 6) ^ rol(e, 11);  S5 repair bits
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
  parameter INDEX_W = 8,
  // 1: an entry with bad parity goes back to its reset value when a packet meets it.
  parameter PARITY = 0
) (
  input  wire               clk_i,
  input  wire               rst_i,
  // sweep
  input  wire               clr_i,
  input  wire [INDEX_W-1:0] clr_addr_i,
  // S1: a packet, write or read is here (for the assertions only)
  input  wire               s1_valid_i,
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
  input  wire               s4_fault_i, // of a write: with bad parity
  input  wire [31:0]        s4_data_i,
  // S5
  output wire               s5_bad_o, // a packet moved a pointer whose parity was bad
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
  wire [WIDTH-1:0]  s4_last_entry, s4_merged, s4_step, s4_new;
  reg  [WIDTH-1:0]  s5_old_q;
  reg               s5_beyond_q, s5_bad_q;
  reg  [SLOT_W-1:0] s6_eff_q;
  wire              s4_beyond;
  wire [31:0]       s4_write_slot = {24'd0, s4_data_i[7:0]} & LEN_LESS1;
  wire              unused_ok = &{1'b0, s4_write_slot, s1_valid_i};

  wire s4_bad;
  wire [WIDTH-1:0] s4_written = {s4_data_i[31:8], s4_write_slot[SLOT_W-1:0]};
  egret_rotation #(.SLOT_W(SLOT_W)) u_step (
    .entry0_i      (s4_merged),
    .entry1_i      (s4_last_entry),
    .second_i      (s4_forward),
    .on_i          (~s4_write_i & ~s4_bad),
    .last_i        (s4_last_i),
    .redraw_less1_i(s4_redraw_less1_i),
    .redraw_en_i   (s4_redraw_en_i),
    .beyond_o      (s4_beyond),
    .entry_o       (s4_step)
  );
  assign s4_new = s4_step | (s4_written & {WIDTH{s4_write_i}});

  egret_rmw #(
    .WIDTH(WIDTH), .DEPTH(DEPTH), .ADDR_W(INDEX_W), .ZERO_BY_RESET(0), .PARITY(PARITY),
    .LATE_BAD(1)
  ) u_table (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .clr_i       (clr_i),
    .clr_addr_i  (clr_addr_i),
    .t1_addr_i   (s1_index),
    .t4_forward_o(s4_forward),
    .t4_last_o   (s4_last_entry),
    .t4_merged_o (s4_merged),
    .t4_write_i  (s4_advance_i | s4_write_i),
    .t4_flip_i   (s4_fault_i),
    .t4_bad_o    (s4_bad),
    .t4_new_i    (s4_new)
  );

  // Draw and repair bits from the old entry.
  wire [11:0] s5_wraps = s5_old_q[SLOT_W +: 12];
  wire [11:0] s5_epoch = s5_old_q[SLOT_W+12 +: 12];
  wire [SLOT_W-1:0] s5_slot = s5_old_q[SLOT_W-1:0] & {SLOT_W{~s5_beyond_q}};
  reg  [11:0] s5_eff;
  reg  [7:0]  s5_offset;
  always @* begin
    s5_eff = 12'd0;
    s5_eff[SLOT_W-1:0] = s5_slot;
    s5_offset = 8'd0;
    s5_offset[SLOT_W-1:0] = s5_old_q[SLOT_W-1:0];
  end
  assign s5_bad_o    = s5_bad_q;
  assign s5_entry_o  = {s5_epoch, s5_wraps, s5_offset};
  assign s5_random_o = s5_y_q ^ {reverse(s5_eff ^ s5_wraps ^ s5_epoch), 4'd0};

  reg  [15:0] s6_x_q, s6_y_q, s7_x_q;
  wire [15:0] s5_x, s5_y, s6_x, s6_y;
  // The epoch, spread: six rounds alone leave the rows of adjacent epochs correlated.
  wire [15:0] s5_e16    = {4'd0, s5_epoch};
  wire [15:0] s5_spread = s5_e16 ^ {s5_e16[9:0], s5_e16[15:10]} ^ {s5_e16[4:0], s5_e16[15:5]};
  egret_draw #(.FIRST(8), .COUNT(2)) u_draw0 (
    .x_i(s5_x_q ^ s5_spread), .y_i(s5_y_q), .x_o(s5_x), .y_o(s5_y));
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
    s5_bad_q    <= s4_bad & s4_advance_i;
    s5_beyond_q <= s4_beyond;
    s6_eff_q <= s5_slot;
    s6_x_q   <= s5_x;
    s6_y_q   <= s5_y;
    s7_x_q   <= s6_x;
  end

  assign s6_slot_o = s6_eff_q;
  assign s7_draw_o = s7_x_q;

  `EGRET_ASSERT(!s1_valid_i || {{32 - INDEX_W{1'b0}}, s1_index} < DEPTH,
                "pointer index beyond the table")

`ifdef FORMAL // properties
`ifndef PROVE_egret_core
  // The rotation of one pointer, any (the entry that egret_rmw follows), stated with plain
  // comparisons; docs/spec/dr.md. F_LAST is the row length less one of a window of packets; two
  // slots, any, are counted in it.
  (* hierconn *) wire \u_table.f_t1_valid ;
  (* hierconn *) wire \u_table.f_t2_q ;
  (* hierconn *) wire \u_table.f_t3_q ;
  (* hierconn *) wire \u_table.f_t4_q ;
  (* hierconn *) wire \u_table.f_t5_q ;
  (* hierconn *) wire \u_table.f_t4 ;
  (* hierconn *) wire \u_table.f_sweep_q ;
  (* hierconn *) wire \u_table.f_known_q ;
  (* hierconn *) wire [WIDTH-1:0] \u_table.f_value_q ;
  (* anyconst *) wire [SLOT_W-1:0] f_slot_a;
  (* anyconst *) wire [SLOT_W-1:0] f_slot_b;
  (* anyseq *)   wire f_open;

  wire [SLOT_W-1:0] f_offset = \u_table.f_value_q [SLOT_W-1:0];
  wire [11:0]       f_wraps  = \u_table.f_value_q [SLOT_W +: 12];
  wire [11:0]       f_epoch  = \u_table.f_value_q [SLOT_W+12 +: 12];
  wire [SLOT_W-1:0] f_eff    = (f_offset > s4_last_i) ? {SLOT_W{1'b0}} : f_offset;
  wire              f_wrap   = f_eff == s4_last_i;
  wire              f_redraw = f_wrap && s4_redraw_en_i && f_wraps >= {8'd0, s4_redraw_less1_i};
  wire [SLOT_W-1:0] f_used   = (s4_forward ? s4_last_entry[SLOT_W-1:0] : s4_merged[SLOT_W-1:0]) &
                               {SLOT_W{~s4_beyond}};
  wire              f_step   = \u_table.f_t4 && s4_advance_i && !s4_write_i && !s4_bad;
  wire              f_ruined = \u_table.f_t4 && s4_advance_i && !s4_write_i && s4_bad;
  wire              f_set    = (\u_table.f_t4 && s4_write_i) || f_ruined || clr_i;

  // The window: it opens at any packet and ends with a write to the pointer or another row length.
  reg               f_window_q, f_seen_q;
  reg [SLOT_W-1:0]  f_last_q, f_first_q, f_next_q;
  reg signed [2:0]  f_diff_q;
  reg [11:0]        f_epoch_q;
  wire f_go    = f_step && (f_window_q ? s4_last_i == f_last_q : f_open);
  wire f_is_a  = f_used == f_slot_a;
  wire f_is_b  = f_used == f_slot_b;
  wire [SLOT_W-1:0] f_current = (f_offset > f_last_q) ? {SLOT_W{1'b0}} : f_offset;

  // Was slot s met once more than whole rounds, from the first slot to before the current one?
  function f_met(input [SLOT_W-1:0] s, input [SLOT_W-1:0] first, input [SLOT_W-1:0] current);
    f_met = (first <= current) ? (s >= first && s < current) : (s >= first || s < current);
  endfunction

  always @(posedge clk_i)
    if (rst_i || f_set) begin
      f_window_q <= 1'b0;
      f_seen_q   <= 1'b0;
    end else if (f_step) begin
      f_window_q <= f_go;
      f_seen_q   <= 1'b1;
      f_next_q   <= f_wrap ? {SLOT_W{1'b0}} : f_eff + 1'b1;
      f_epoch_q  <= f_redraw ? f_epoch + 12'd1 : f_epoch;
      if (!f_window_q) begin
        f_last_q  <= s4_last_i;
        f_first_q <= f_used;
      end
      f_diff_q <= (f_window_q ? f_diff_q : 3'sd0) + (f_is_a ? 3'sd1 : 3'sd0) -
                  (f_is_b ? 3'sd1 : 3'sd0);
    end

`ifdef PROVE_egret_pointers
  `EGRET_ASSUME({{32 - GROUP_W{1'b0}}, s1_group_i} < NUM_GROUPS)
  `EGRET_ASSUME({{32 - SLOT_W{1'b0}}, s4_last_i} < ROW_LEN)
  `EGRET_ASSUME(!((s4_advance_i || s4_write_i) && !\u_table.f_t4_q ))
  `EGRET_ASSUME(!(s4_fault_i && !s4_write_i))
  `EGRET_ASSUME(!(clr_i && !\u_table.f_sweep_q ))
  `EGRET_ASSUME(!(clr_i && (\u_table.f_t1_valid || \u_table.f_t2_q || \u_table.f_t3_q ||
                            \u_table.f_t4_q || \u_table.f_t5_q )))
`endif
  `EGRET_ASSERT(!\u_table.f_known_q || {{32 - SLOT_W{1'b0}}, f_offset} < ROW_LEN,
                "offset in range")
  `EGRET_ASSERT(!\u_table.f_t4 || (f_used == f_eff && f_used <= s4_last_i), "slot in the row")
  reg              f5_q, f6_q;
  reg [SLOT_W-1:0] f5_eff_q, f6_eff_q;
  reg [WIDTH-1:0]  f5_old_q;
  always @(posedge clk_i) begin
    {f6_q, f5_q} <= rst_i ? 2'd0 : {f5_q, \u_table.f_t4 };
    {f6_eff_q, f5_eff_q} <= {f5_eff_q, f_eff};
    f5_old_q <= \u_table.f_value_q ;
  end
  `EGRET_ASSERT(!f5_q || (s5_old_q == f5_old_q && s5_slot == f5_eff_q), "old entry and slot, S5")
  `EGRET_ASSERT(!f6_q || s6_slot_o == f6_eff_q, "slot, S6")
  `EGRET_ASSERT(!f_step || s4_new == {f_redraw ? f_epoch + 12'd1 : f_epoch,
                                      f_redraw ? 12'd0 : f_wrap ? f_wraps + 12'd1 : f_wraps,
                                      f_wrap ? {SLOT_W{1'b0}} : f_eff + 1'b1}, "pointer step")
  `EGRET_ASSERT(!f_ruined || s4_new == {WIDTH{1'b0}}, "a bad pointer goes back to its reset value")
  `EGRET_ASSERT(!f_seen_q || (\u_table.f_known_q && f_offset == f_next_q && f_epoch == f_epoch_q),
                "a pointer changes by its own packets and writes only")
  `EGRET_ASSERT(!(f_step && f_seen_q) ||
                f_used == (f_next_q > s4_last_i ? {SLOT_W{1'b0}} : f_next_q), "slots in order")
  `EGRET_ASSERT(!f_window_q || (f_seen_q && f_first_q <= f_last_q && f_offset <= f_last_q),
                "window")
  `EGRET_ASSERT(!(f_window_q && f_slot_a <= f_last_q && f_slot_b <= f_last_q) ||
                f_diff_q == {2'b00, f_met(f_slot_a, f_first_q, f_current)} -
                            {2'b00, f_met(f_slot_b, f_first_q, f_current)}, "counts by position")
  `EGRET_ASSERT(!(f_window_q && f_slot_a <= f_last_q && f_slot_b <= f_last_q) ||
                (f_diff_q >= -3'sd1 && f_diff_q <= 3'sd1),
                "two slots of a row are used equally often, or one once more")

  // The draw is a function of key word, seed and epoch: the row stays within an epoch.
  function [15:0] f_spread(input [15:0] e); // e ^ rol16(e, 6) ^ rol16(e, 11)
    f_spread = e ^ ((e << 6) | (e >> 10)) ^ ((e << 11) | (e >> 5));
  endfunction
  reg  [15:0] f2_x_q, f3_x_q, f4_x_q, f5_x_q, f6_x_q, f7_x_q;
  reg  [15:0] f2_y_q, f3_y_q, f4_y_q, f5_y_q, f6_y_q, f7_y_q;
  reg  [11:0] f6_epoch_q, f7_epoch_q;
  wire [15:0] f3_x, f3_y, f4_x, f4_y, f5_x, f5_y, f6_px, f6_py, f7_px, f7_py, f6_x, f6_y;
  wire [15:0] f7_x, f7_y;
  always @(posedge clk_i) begin
    f2_x_q <= (s1_spray_rr_i ? s1_rr_word : s1_dr_word) ^ s1_seed_i[15:0];
    f2_y_q <= s1_seed_i[31:16];
    {f7_x_q, f6_x_q, f5_x_q, f4_x_q, f3_x_q} <= {f6_x_q, f5_x_q, f4_x_q, f3_x_q, f2_x_q};
    {f7_y_q, f6_y_q, f5_y_q, f4_y_q, f3_y_q} <= {f6_y_q, f5_y_q, f4_y_q, f3_y_q, f2_y_q};
    f6_epoch_q <= s5_epoch;
    f7_epoch_q <= f6_epoch_q;
  end
  egret_draw #(.FIRST(0), .COUNT(2)) f_u3 (.x_i(f3_x_q), .y_i(f3_y_q), .x_o(f3_x), .y_o(f3_y));
  egret_draw #(.FIRST(0), .COUNT(5)) f_u4 (.x_i(f4_x_q), .y_i(f4_y_q), .x_o(f4_x), .y_o(f4_y));
  egret_draw #(.FIRST(0), .COUNT(8)) f_u5 (.x_i(f5_x_q), .y_i(f5_y_q), .x_o(f5_x), .y_o(f5_y));
  egret_draw #(.FIRST(0), .COUNT(8)) f_p6 (.x_i(f6_x_q), .y_i(f6_y_q), .x_o(f6_px), .y_o(f6_py));
  egret_draw #(.FIRST(8), .COUNT(2)) f_u6 (
    .x_i(f6_px ^ f_spread({4'd0, f6_epoch_q})), .y_i(f6_py), .x_o(f6_x), .y_o(f6_y));
  egret_draw #(.FIRST(0), .COUNT(8)) f_p7 (.x_i(f7_x_q), .y_i(f7_y_q), .x_o(f7_px), .y_o(f7_py));
  egret_draw #(.FIRST(8), .COUNT(6)) f_u7 (
    .x_i(f7_px ^ f_spread({4'd0, f7_epoch_q})), .y_i(f7_py), .x_o(f7_x), .y_o(f7_y));
  reg [5:0] f_clocks_q; // since reset, one-hot tail
  always @(posedge clk_i) f_clocks_q <= rst_i ? 6'd0 : {f_clocks_q[4:0], 1'b1};
  `EGRET_ASSERT(f_clocks_q == 6'd0 || f_clocks_q == 6'd1 || f_clocks_q == 6'd3 ||
                f_clocks_q == 6'd7 || f_clocks_q == 6'd15 || f_clocks_q == 6'd31 ||
                f_clocks_q == 6'd63, "clocks")
  `EGRET_ASSERT(!f_clocks_q[0] || (s2_y_q == f2_y_q &&
                (s2_spray_rr_q ? s2_rr_x_q : s2_dr_x_q) == f2_x_q), "key word and seed")
  `EGRET_ASSERT(!f_clocks_q[1] || {s3_x_q, s3_y_q} == {f3_x, f3_y}, "2 rounds")
  `EGRET_ASSERT(!f_clocks_q[2] || {s4_x_q, s4_y_q} == {f4_x, f4_y}, "5 rounds")
  `EGRET_ASSERT(!f_clocks_q[3] || {s5_x_q, s5_y_q} == {f5_x, f5_y}, "pre-draw")
  `EGRET_ASSERT(!f_clocks_q[4] || {s6_x_q, s6_y_q} == {f6_x, f6_y}, "draw, 2 rounds")
  `EGRET_ASSERT(!f_clocks_q[5] || s7_draw_o == f7_x, "draw")

`ifdef PROVE_egret_pointers
  `EGRET_COVER(f_step && f_redraw && s4_forward)
  `EGRET_COVER(f_window_q && f_diff_q == 3'sd0 && f_wraps == 12'd2)
  `EGRET_COVER(ROW_LEN == 1 || (f_step && f_offset > s4_last_i))
  `EGRET_COVER(ROW_LEN == 1 || (f_window_q && f_diff_q == -3'sd1))
`endif
`endif
`endif

endmodule
`default_nettype wire
