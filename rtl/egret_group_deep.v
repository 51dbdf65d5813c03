// SPDX-License-Identifier: Apache-2.0
// Words 5 and 6 of every group: the flowlet slice and idle time, and how a path is chosen by load
// (docs/spec/events.md, section 5). Staged in registers and committed with word 0, as egret_groups
// does with words 1..4. Only in configurations with `flowlet` or `spray-quality`.
// Stages as in egret_core: address at S1, fields at S3; latency 2 clocks, one a clock.
// State: table and stage registers; they change by configuration writes and the sweep only.
// C twin: commit_group() in cmodel/select/regs.c. Does not: check ranges (egret_decode).
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_group_deep #(
  // Bits of a group number.
  parameter GROUP_W = 5,
  // Bit c: the configuration has scheme c; 7 and 8 are looked at.
  parameter SCHEMES = 510
) (
  input  wire               clk_i,
  input  wire               rst_i,
  // sweep
  input  wire               clr_i,
  input  wire [GROUP_W-1:0] clr_addr_i,
  // S1
  input  wire [GROUP_W-1:0] s1_group_i,
  input  wire               s1_commit_i,
  input  wire               s1_write_i,
  input  wire [1:0]         s1_stage_i, // the slot names GROUP_STAGE6, 5
  input  wire [31:0]        s1_data_i,
  input  wire [1:0]         s1_data_parity_i, // of the data as kept, word 6, 5
  // S1: parity of what is staged
  output wire               s1_parity_o,
  // S2: the stage register that the slot names, 0 if none
  output wire [31:0]        s2_stage_o,
  // S3: flowlet base, mask, idle; by quality; strictly better; DRILL d and m
  output wire [15:0]        s3_base_o,
  output wire [15:0]        s3_mask_o,
  output wire [23:0]        s3_idle_o,
  output wire               s3_by_quality_o,
  output wire               s3_stay_o,
  output wire [1:0]         s3_samples_o,
  output wire               s3_remember_o,
  // S3: word s3_word_i of the group, 0 but for 5 and 6
  input  wire [2:0]         s3_word_i,
  output wire [31:0]        s3_data_o,
  // S3: parity of the stored words
  output wire               s3_parity_o
);

  localparam [15:0] HAVE = SCHEMES[15:0];
  localparam LOAD    = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
  localparam FLOWLET = HAVE[`EGRET_SCHEME_FLOWLET];
  localparam [31:0] KEEP5 = {32{FLOWLET}};
  localparam [28:0] KEEP6 = {{3{LOAD}}, {2{LOAD & FLOWLET}}, {24{FLOWLET}}};

  reg [31:0] stage5_q, stage6_q;
  reg [1:0]  s2_is_q;
  reg        parity5_q, parity6_q; // of what is kept
  always @(posedge clk_i)
    if (rst_i) begin
      stage5_q  <= 32'd0;
      stage6_q  <= 32'd0;
      parity5_q <= 1'b0;
      parity6_q <= 1'b0;
    end else if (s1_write_i) begin
      if (s1_stage_i[0]) begin
        stage5_q  <= s1_data_i;
        parity5_q <= s1_data_parity_i[0];
      end
      if (s1_stage_i[1]) begin
        stage6_q  <= s1_data_i;
        parity6_q <= s1_data_parity_i[1];
      end
    end
  always @(posedge clk_i) s2_is_q <= s1_stage_i;
  assign s2_stage_o = (stage5_q & {32{s2_is_q[0]}}) | (stage6_q & {32{s2_is_q[1]}});

  // The sweep follows a reset, and the stage registers are zero then.
  `EGRET_ASSERT(!clr_i || {stage5_q, stage6_q} == 64'd0, "sweep without reset")

  wire [60:0] s2_word;
  reg  [60:0] s3_word_q;
  wire [60:0] word = {stage6_q[28:0] & KEEP6, stage5_q & KEEP5};
  wire        unused_have = &{1'b0, HAVE};

  egret_ram_1r1w #(.WIDTH(61), .DEPTH(1 << GROUP_W), .ADDR_W(GROUP_W)) u_groups (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | s1_commit_i),
    .wr_addr_i(clr_i ? clr_addr_i : s1_group_i),
    .wr_data_i(word),
    .rd_addr_i(s1_group_i),
    .rd_data_o(s2_word)
  );
  always @(posedge clk_i) s3_word_q <= s2_word;

  wire [31:0] word5 = s3_word_q[31:0] & KEEP5;
  wire [28:0] word6 = s3_word_q[60:32] & KEEP6;
  assign s1_parity_o = parity5_q ^ parity6_q;
  assign s3_parity_o = ^{word6, word5};
  assign {s3_mask_o, s3_base_o} = word5;
  assign {s3_remember_o, s3_samples_o, s3_stay_o, s3_by_quality_o, s3_idle_o} = word6;
  assign s3_data_o = (word5 & {32{s3_word_i == 3'd5}}) | ({3'd0, word6} & {32{s3_word_i == 3'd6}});

`ifdef FORMAL // properties
  // One group, any: what is committed comes out two clocks behind S1, whole.
  (* hierconn *) wire [GROUP_W-1:0] \u_groups.f_addr ;
  (* hierconn *) wire [60:0]        \u_groups.f_word ;
  reg        f_known_q, f2_q, f3_q, f_sweep_q;
  reg [60:0] f_word_q, f2_word_q, f3_word_q;
  wire       f_write = clr_i ? clr_addr_i == \u_groups.f_addr
                             : s1_commit_i && s1_group_i == \u_groups.f_addr ;
  always @(posedge clk_i) begin
    if (f_write) f_word_q <= clr_i ? 61'd0 : word;
    f2_word_q <= f_word_q;
    f3_word_q <= f2_word_q;
    f_sweep_q <= rst_i | clr_i;
    if (rst_i) {f_known_q, f2_q, f3_q} <= 3'd0;
    else begin
      f_known_q <= f_known_q | f_write;
      f2_q <= f_known_q && !f_write && !clr_i && s1_group_i == \u_groups.f_addr ;
      f3_q <= f2_q;
    end
  end
`ifdef PROVE_egret_group_deep
  `EGRET_ASSUME(!(clr_i && !f_sweep_q))
  `EGRET_ASSUME(!(clr_i && (s1_write_i || s1_commit_i)))
  `EGRET_COVER(f3_q && s3_idle_o == 24'd5 && s3_mask_o == 16'd3)
`endif
  `EGRET_ASSERT(!f_known_q || \u_groups.f_word == f_word_q, "memory")
  `EGRET_ASSERT(!f2_q || s2_word == f2_word_q, "S2")
  `EGRET_ASSERT(!f3_q || s3_word_q == f3_word_q, "a group is committed whole, S3")
  // Parity, of which egret_groups makes one with its own: of what a commit stores, and of what is
  // read, whatever the table holds. What a configuration does not keep is stored as 0.
  always @* assume (s1_data_parity_i == {^(s1_data_i[28:0] & KEEP6), ^(s1_data_i & KEEP5)});
  reg        f2_any_q, f3_any_q;
  reg [60:0] f2_read_q, f3_read_q;
  always @(posedge clk_i) begin
    {f3_read_q, f2_read_q} <= {f2_read_q, \u_groups.f_word };
    {f3_any_q, f2_any_q} <= rst_i ? 2'd0 :
      {f2_any_q, !f_write && !clr_i && s1_group_i == \u_groups.f_addr };
  end
  `EGRET_ASSERT({parity6_q, parity5_q} == {^(stage6_q[28:0] & KEEP6), ^(stage5_q & KEEP5)},
                "parity of what is staged")
  `EGRET_ASSERT(s1_parity_o == ^word, "parity of what is written")
  `EGRET_ASSERT(!f2_any_q || s2_word == f2_read_q, "any word, S2")
  `EGRET_ASSERT(!f3_any_q || s3_parity_o == ^(f3_read_q & {KEEP6, KEEP5}), "parity of what is read")
`ifdef PROVE_egret_group_deep
  `EGRET_COVER(f3_q && s3_parity_o)
`endif
`endif

endmodule
`default_nettype wire
