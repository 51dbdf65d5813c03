// SPDX-License-Identifier: Apache-2.0
// What the scheme of a packet asks of the stages behind S3: whether its pointer moves, where its
// word and its repair bits come from, and the reasons to drop it before any choice, in the order of
// docs/spec/events.md. Reasons: group out of range, parity of the group bad, group empty, scheme
// unknown, key or bin out of range. A scheme that the configuration lacks is unknown.
// A small packet of `spray-quality` is hashed, others take a random number; `flowlet` hashes: the
// bucket table is what it falls back to.
// State: none but the pipe. C twin: any_packet() in cmodel/select/apply.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_scheme #(
  // Bit c: the configuration has scheme c.
  parameter SCHEMES = 126
) (
  input  wire       clk_i,
  input  wire       rst_i,
  // S3: a packet and what is known of it
  input  wire       s3_packet_i,
  input  wire [3:0] s3_scheme_i,
  input  wire       s3_group_ok_i,
  input  wire       s3_no_member_i,
  input  wire       s3_dr_legal_i,
  input  wire       s3_small_i, // spray-quality hashes it
  output wire       s3_fixed_o,
  output wire       s3_flowlet_o,
  output wire       s3_quality_o, // and not small
  // S4: the group's parity is bad; a read of a pointer is there
  input  wire       s4_bad_i,
  input  wire       s4_pointer_read_i,
  output wire [3:0] s4_scheme_o, // 0 if the group is out of range
  output wire       s4_random_o,
  output wire       s4_advance_o,
  // S5: repair bits from the pointer, from the generator, else from the hash; choice from the
  // bucket table, else the schedule; result word: pointer entry, high and low half of the hash,
  // generator or slice; the reason to drop, 0 if none
  output wire       s5_rotate_o,
  output wire       s5_random_o,
  output wire       s5_bucket_o,
  output wire       s5_take_entry_o,
  output wire       s5_take_high_o,
  output wire       s5_take_low_o,
  output wire       s5_take_other_o,
  output wire [2:0] s5_early_o,
  output wire       s5_bad_o, // it is a fault of the group
  // S6: the hash counts
  output wire       s6_hashed_o
);

  localparam [15:0] HAVE = SCHEMES[15:0];

  wire is_ecmp    = HAVE[1] && s3_scheme_i == `EGRET_SCHEME_ECMP;
  wire is_rr      = HAVE[2] && s3_scheme_i == `EGRET_SCHEME_SPRAY_RR;
  wire is_dr      = HAVE[3] && s3_scheme_i == `EGRET_SCHEME_DR;
  wire is_fixed   = HAVE[4] && s3_scheme_i == `EGRET_SCHEME_FIXED;
  wire is_entropy = HAVE[5] && s3_scheme_i == `EGRET_SCHEME_ENTROPY;
  wire is_random  = HAVE[6] && s3_scheme_i == `EGRET_SCHEME_SPRAY_RANDOM;
  wire is_quality = HAVE[7] && s3_scheme_i == `EGRET_SCHEME_SPRAY_QUALITY;
  wire is_flowlet = HAVE[8] && s3_scheme_i == `EGRET_SCHEME_FLOWLET;
  wire is_small   = is_quality & s3_small_i;
  wire unused_ok  = &{1'b0, HAVE};

  reg [3:0] s4_scheme_q;
  reg       s4_packet_q, s4_hash_q, s4_rotate_q, s4_entropy_q, s4_random_q, s4_no_group_q;
  reg       s4_no_member_q, s4_no_index_q, s4_advance_q;
  reg       s5_rotate_q, s5_random_q, s5_bucket_q, s5_entry_q, s5_high_q, s5_low_q, s5_other_q;
  reg [2:0] s5_early_q;
  reg       s4_own_hash_q, s5_hashed_q, s6_hashed_q, s5_bad_q;
  wire      s4_known = s4_hash_q | s4_rotate_q | s4_entropy_q | s4_random_q;
  wire      s4_ok    = s4_packet_q & s4_known & ~s4_no_group_q & ~s4_no_member_q & ~s4_no_index_q &
                   ~s4_bad_i;

  // A pointer that advances is written: not for what was at S3 at a reset.
  always @(posedge clk_i)
    if (rst_i) s4_advance_q <= 1'b0;
    else s4_advance_q <= s3_packet_i & s3_group_ok_i & (is_rr | (is_dr & s3_dr_legal_i));

  always @(posedge clk_i) begin
    s4_packet_q    <= s3_packet_i;
    s4_scheme_q    <= s3_scheme_i & {4{s3_group_ok_i}};
    s4_own_hash_q  <= is_ecmp | is_flowlet | is_small;
    s4_hash_q      <= is_ecmp | is_fixed | is_flowlet | is_small;
    s4_rotate_q    <= is_rr | is_dr;
    s4_entropy_q   <= is_entropy;
    s4_random_q    <= is_random | (is_quality & ~s3_small_i);
    s4_no_group_q  <= ~s3_group_ok_i;
    s4_no_member_q <= s3_no_member_i;
    s4_no_index_q  <= is_dr & ~s3_dr_legal_i;

    s5_bad_q    <= s4_packet_q & s4_bad_i & ~s4_no_group_q;
    s5_hashed_q <= s4_ok & s4_own_hash_q;
    s6_hashed_q <= s5_hashed_q;
    s5_rotate_q <= s4_rotate_q;
    s5_random_q <= s4_random_q;
    s5_bucket_q <= s4_hash_q | s4_entropy_q;
    s5_entry_q  <= (s4_ok & s4_rotate_q) | s4_pointer_read_i;
    s5_high_q   <= s4_ok & (s4_hash_q | s4_entropy_q);
    s5_low_q    <= s4_ok & s4_hash_q;
    s5_other_q  <= s4_ok & (s4_entropy_q | s4_random_q);
    s5_early_q  <= s4_no_group_q ? `EGRET_REASON_DROP_INDEX :
                   s4_bad_i ? `EGRET_REASON_DROP_FAULT :
                   s4_no_member_q ? `EGRET_REASON_DROP_EMPTY :
                   !s4_known ? `EGRET_REASON_DROP_SCHEME :
                   s4_no_index_q ? `EGRET_REASON_DROP_INDEX : 3'd0;
  end

  assign s3_fixed_o      = is_fixed;
  assign s3_flowlet_o    = is_flowlet;
  assign s3_quality_o    = is_quality & ~s3_small_i;
  assign s4_scheme_o     = s4_scheme_q;
  assign s4_random_o     = s4_random_q;
  assign s4_advance_o    = s4_advance_q & ~s4_bad_i;
  assign s5_rotate_o     = s5_rotate_q;
  assign s5_random_o     = s5_random_q;
  assign s5_bucket_o     = s5_bucket_q;
  assign s5_take_entry_o = s5_entry_q;
  assign s5_take_high_o  = s5_high_q;
  assign s5_take_low_o   = s5_low_q;
  assign s5_take_other_o = s5_other_q;
  assign s5_early_o      = s5_early_q;
  assign s5_bad_o        = s5_bad_q;
  assign s6_hashed_o     = s6_hashed_q;

`ifdef FORMAL // properties
  // A packet that is not dropped early has exactly one source for its word, one that is has none.
  reg       f5_packet_q;
  reg [1:0] f_up_q; // clocks since the reset: what is at S5 was at S3 behind it
  always @(posedge clk_i) begin
    f5_packet_q <= s4_packet_q && !s4_pointer_read_i;
    f_up_q      <= rst_i ? 2'd0 : {f_up_q[0], 1'b1};
  end
  wire f5_ok = f_up_q[1];
`ifdef PROVE_egret_scheme
  `EGRET_COVER(s5_early_o == `EGRET_REASON_DROP_SCHEME && f5_packet_q)
  `EGRET_COVER(s5_take_other_o && !s5_take_high_o)
`endif
  `EGRET_ASSERT(!f5_ok || s5_early_o == 3'd0 || s5_early_o > `EGRET_REASON_REPAIRED,
                "a reason to drop")
  `EGRET_ASSERT(!(f5_ok && f5_packet_q) || (s5_early_o != 3'd0) ==
                !(s5_take_entry_o || s5_take_high_o || s5_take_other_o), "a word, or a drop")
  `EGRET_ASSERT(!(f5_ok && f5_packet_q && s5_take_entry_o) ||
                (s5_rotate_o && !s5_take_high_o && !s5_take_low_o && !s5_take_other_o), "entry")
  `EGRET_ASSERT(!(f5_ok && s5_take_low_o) || (s5_take_high_o && !s5_take_other_o), "low half")
  `EGRET_ASSERT(!(f5_ok && s5_take_high_o) ||
                (s5_bucket_o && !s5_rotate_o && !s5_random_o), "hash or slice")
`endif

endmodule
`default_nettype wire
