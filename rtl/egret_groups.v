// SPDX-License-Identifier: Apache-2.0
// The group table: scheme, members and parameters of every next-hop group.
// Words 1..4 of a group are staged in registers; a write of word 0 commits all five at once, words
// 5 and 6 of egret_group_deep with them, so no packet ever sees half a group
// (cmodel/include/egret/regs.h states the words).
// Stages as in egret_core: address at S1, fields at S3, parity at S4; one a clock. A small
// second copy, two bits a group, says at S1 whether the scheme is `spray-rr`: egret_pointers needs
// it to choose the pointer. State: table and stage registers; they change by configuration writes
// and the sweep only.
// C twin: the group table of cmodel/select/regs.c. Does not: check ranges (egret_decode).
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_groups #(
  // Ports, 1..64.
  parameter NUM_PORTS = 16,
  // Bits of a group number.
  parameter GROUP_W = 5,
  // Slots a schedule row, a power of two, and bits of a slot number.
  parameter ROW_LEN = 32,
  parameter SLOT_W = 5,
  // Bits of a group's entropy offset: 5, or 1 where the configuration has no `entropy` (it is 0).
  parameter SHIFT_W = 5,
  // 1: a group has one parity bit over all its words.
  parameter PARITY = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // sweep
  input  wire                 clr_i,
  input  wire [GROUP_W-1:0]   clr_addr_i,
  // S1
  input  wire [GROUP_W-1:0]   s1_group_i,
  input  wire [GROUP_W-1:0]   s0_own_group_i, // of the packet that will be at S1 next
  input  wire                 s1_commit_i,
  input  wire                 s1_write_i,
  input  wire [3:0]           s1_stage_i, // the slot names GROUP_STAGE4..1
  input  wire [31:0]          s1_data_i,
  input  wire                 s1_ordered_i, // the packet's class keeps order
  input  wire                 s1_fault_i,   // a commit with bad parity
  // parity of the data {words 4, 3 as kept, all, word 0 as kept with rr}; {ordered scheme, scheme}
  // of word 0 is spray-rr
  input  wire [3:0]           s1_data_parity_i,
  input  wire [1:0]           s1_rr_i,
  // parity of words 5 and 6 as staged, S1, and as stored, S3
  input  wire                 s1_parity_i,
  input  wire                 s3_parity_i,
  output wire                 s1_spray_rr_o,
  // S2: the stage register that the slot names, 0 if none
  output wire [31:0]          s2_stage_o,
  // S3: the packet's scheme, the group's parameters
  output wire [3:0]           s3_scheme_o,
  output wire [4:0]           s3_shift_o,
  output wire                 s3_bank_o,
  output wire [3:0]           s3_redraw_o,
  output wire [SLOT_W-1:0]    s3_last_o,
  output wire [15:0]          s3_row_base_o,
  output wire [15:0]          s3_row_mask_o,
  output wire [15:0]          s3_bucket_base_o,
  output wire [15:0]          s3_bucket_mask_o,
  output wire [NUM_PORTS-1:0] s3_members_o,
  // S3: word s3_word_i of the group, 0 beyond 4
  input  wire [2:0]           s3_word_i,
  output reg  [31:0]          s3_data_o,
  // S4: the group's parity is bad
  output wire                 s4_bad_o
);

  localparam LOW_W = 13 + SHIFT_W + SLOT_W; // what of word 0 is kept
  localparam WIDTH = 64 + LOW_W + NUM_PORTS;
  localparam STORED = WIDTH + PARITY;
  localparam [31:0] LEN_LESS1 = ROW_LEN - 1;

  reg [31:0] stage1_q, stage2_q, stage3_q, stage4_q;

  always @(posedge clk_i)
    if (rst_i) begin
      stage1_q <= 32'd0;
      stage2_q <= 32'd0;
      stage3_q <= 32'd0;
      stage4_q <= 32'd0;
    end else if (s1_write_i) begin
      if (s1_stage_i[0]) stage1_q <= s1_data_i;
      if (s1_stage_i[1]) stage2_q <= s1_data_i;
      if (s1_stage_i[2]) stage3_q <= s1_data_i;
      if (s1_stage_i[3]) stage4_q <= s1_data_i;
    end

  reg [3:0] s2_is_q;
  always @(posedge clk_i) s2_is_q <= s1_stage_i;
  assign s2_stage_o = (stage1_q & {32{s2_is_q[0]}}) | (stage2_q & {32{s2_is_q[1]}}) |
                      (stage3_q & {32{s2_is_q[2]}}) | (stage4_q & {32{s2_is_q[3]}});

  wire [63:0]       members = {stage4_q, stage3_q};
  wire [7:0]        last = s1_data_i[23:16] & LEN_LESS1[7:0];
  wire [LOW_W-1:0]  low = {s1_data_i[24 +: SHIFT_W], s1_data_i[15:12], last[SLOT_W-1:0],
                           s1_data_i[11:8], s1_data_i[4], s1_data_i[3:0]};
  wire [WIDTH-1:0]  word = {members[NUM_PORTS-1:0], stage2_q, stage1_q, low};
  wire [1:0]        s0_is_rr; // ordered packets, others
  // It is read before S1; a commit at S1 counts.
  reg [1:0] s1_is_rr_q;
  wire      s0_commit = s1_commit_i && s1_group_i == s0_own_group_i;
  always @(posedge clk_i) s1_is_rr_q <= s0_commit ? s1_rr_i : s0_is_rr;
  reg               s2_ordered_q, s3_ordered_q;
  wire [STORED-1:0] s2_word;
  reg  [STORED-1:0] s3_word_q;
  wire [STORED-1:0] stored;
  wire              unused_ok = &{1'b0, s1_data_i, members, last};

  // Parity over what is kept of all words and the second copy. That of staged words is kept beside
  // them.
  generate
    if (PARITY != 0) begin : gen_parity
      reg       parity1_q, parity2_q, parity3_q, parity4_q;
      reg [3:0] s4_odd_q; // of each quarter of what was read: all at once is too deep for a clock
      reg [1:0] s2_rr_q, s3_rr_q;
      always @(posedge clk_i)
        if (rst_i) {parity1_q, parity2_q, parity3_q, parity4_q} <= 4'd0;
        else if (s1_write_i) begin
          if (s1_stage_i[0]) parity1_q <= s1_data_parity_i[1];
          if (s1_stage_i[1]) parity2_q <= s1_data_parity_i[1];
          if (s1_stage_i[2]) parity3_q <= s1_data_parity_i[2];
          if (s1_stage_i[3]) parity4_q <= s1_data_parity_i[3];
        end
      localparam QUARTER = (STORED + 3) / 4;
      wire [STORED+2:0] s3_read = {s3_parity_i, s3_rr_q, s3_word_q};
      wire parity = parity1_q ^ parity2_q ^ parity3_q ^ parity4_q ^ s1_parity_i ^
                    s1_data_parity_i[0] ^ s1_fault_i;
      assign stored = {parity & ~clr_i, word[WIDTH-1:LOW_W], word[LOW_W-1:0] & {LOW_W{~clr_i}}};
      always @(posedge clk_i) begin
        s2_rr_q  <= s1_is_rr_q;
        s3_rr_q  <= s2_rr_q;
        s4_odd_q <= {^s3_read[STORED+2:3*QUARTER], ^s3_read[2*QUARTER +: QUARTER],
                     ^s3_read[QUARTER +: QUARTER], ^s3_read[0 +: QUARTER]};
      end
      assign s4_bad_o = ^s4_odd_q;
    end else begin : gen_plain
      wire unused_fault = &{1'b0, s1_fault_i, s1_parity_i, s1_data_parity_i, s3_parity_i};
      assign stored   = {word[WIDTH-1:LOW_W], word[LOW_W-1:0] & {LOW_W{~clr_i}}};
      assign s4_bad_o = 1'b0;
    end
  endgenerate

  // The sweep follows a reset, and the stage registers are zero then.
  `EGRET_ASSERT(!clr_i || {stage1_q, stage2_q, stage3_q, stage4_q} == 128'd0, "sweep without reset")

  egret_ram_1r1w #(.WIDTH(STORED), .DEPTH(1 << GROUP_W), .ADDR_W(GROUP_W)) u_groups (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | s1_commit_i),
    .wr_addr_i(clr_i ? clr_addr_i : s1_group_i),
    .wr_data_i(stored),
    .rd_addr_i(s1_group_i),
    .rd_data_o(s2_word)
  );

  egret_ram_1r1w #(.WIDTH(2), .DEPTH(1 << GROUP_W), .ADDR_W(GROUP_W), .ASYNC_READ(1)) u_spray_rr (
    .clk_i    (clk_i),
    .wr_en_i  (clr_i | s1_commit_i),
    .wr_addr_i(clr_i ? clr_addr_i : s1_group_i),
    .wr_data_i(s1_rr_i & {2{~clr_i}}),
    .rd_addr_i(s0_own_group_i),
    .rd_data_o(s0_is_rr)
  );

  assign s1_spray_rr_o = s1_ordered_i ? s1_is_rr_q[1] : s1_is_rr_q[0];

  always @(posedge clk_i) begin
    s3_word_q    <= s2_word;
    s2_ordered_q <= s1_ordered_i;
    s3_ordered_q <= s2_ordered_q;
  end

  wire [3:0] s3_ordered = s3_word_q[9+SLOT_W +: 4];
  assign s3_scheme_o      = (s3_ordered_q && s3_ordered != 4'd0) ? s3_ordered : s3_word_q[3:0];
  assign s3_bank_o        = s3_word_q[4];
  assign s3_redraw_o      = s3_word_q[8:5];
  assign s3_last_o        = s3_word_q[9 +: SLOT_W];
  assign s3_row_base_o    = s3_word_q[LOW_W +: 16];
  assign s3_row_mask_o    = s3_word_q[LOW_W+16 +: 16];
  assign s3_bucket_base_o = s3_word_q[LOW_W+32 +: 16];
  assign s3_bucket_mask_o = s3_word_q[LOW_W+48 +: 16];
  assign s3_members_o     = s3_word_q[LOW_W+64 +: NUM_PORTS];

  reg [63:0] all_members;
  reg [7:0]  last8;
  reg [4:0]  shift;
  assign s3_shift_o = shift;
  always @* begin
    all_members = 64'd0;
    all_members[NUM_PORTS-1:0] = s3_members_o;
    last8 = 8'd0;
    last8[SLOT_W-1:0] = s3_last_o;
    shift = 5'd0;
    shift[SHIFT_W-1:0] = s3_word_q[13+SLOT_W +: SHIFT_W] & {SHIFT_W{SHIFT_W != 1}};
    case (s3_word_i)
      3'd0:    s3_data_o = {3'd0, shift, last8, s3_ordered, s3_redraw_o, 3'd0, s3_bank_o,
                            s3_word_q[3:0]};
      3'd1:    s3_data_o = {s3_row_mask_o, s3_row_base_o};
      3'd2:    s3_data_o = {s3_bucket_mask_o, s3_bucket_base_o};
      3'd3:    s3_data_o = all_members[31:0];
      3'd4:    s3_data_o = all_members[63:32];
      default: s3_data_o = 32'd0;
    endcase
  end

`ifdef FORMAL // properties
  // What egret_front gives.
  localparam [63:0] F_KEEP = {64{1'b1}} >> (64 - NUM_PORTS);
  wire [3:0] f_ordered = (s1_data_i[15:12] != 4'd0) ? s1_data_i[15:12] : s1_data_i[3:0];
  wire [1:0] f_rr = {f_ordered == `EGRET_SCHEME_SPRAY_RR,
                     s1_data_i[3:0] == `EGRET_SCHEME_SPRAY_RR};
  always @* assume (s1_rr_i == f_rr && s1_data_parity_i == {^(s1_data_i & F_KEEP[63:32]),
                    ^(s1_data_i & F_KEEP[31:0]), ^s1_data_i, ^{low, f_rr}});
  // One group, any: what is committed comes out two clocks behind S1, whole.
  (* hierconn *) wire [GROUP_W-1:0] \u_groups.f_addr ;
  (* hierconn *) wire [STORED-1:0]  \u_groups.f_word ;
  reg             f_known_q, f2_q, f3_q, f_sweep_q;
  reg [WIDTH-1:0] f_word_q, f2_word_q, f3_word_q;
  wire            f_write = clr_i ? clr_addr_i == \u_groups.f_addr
                                  : s1_commit_i && s1_group_i == \u_groups.f_addr ;
  always @(posedge clk_i) begin
    if (f_write) f_word_q <= clr_i ? {WIDTH{1'b0}} : word;
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
`ifdef PROVE_egret_groups
  `EGRET_ASSUME(!(clr_i && !f_sweep_q))
  `EGRET_ASSUME(!(clr_i && (s1_write_i || s1_commit_i)))
  `EGRET_COVER(f3_q && s3_scheme_o == 4'd3 && s3_row_base_o == 16'd5)
`endif
  `EGRET_ASSERT(!f_known_q || \u_groups.f_word [WIDTH-1:0] == f_word_q, "memory")
  `EGRET_ASSERT(!f2_q || s2_word[WIDTH-1:0] == f2_word_q, "S2")
  `EGRET_ASSERT(!f3_q || s3_word_q[WIDTH-1:0] == f3_word_q, "a group is committed whole, S3")

  // Parity of any group, over its word, the second copy and words 5 and 6 (egret_group_deep, of
  // which two inputs give the parity). A commit leaves it good unless it is a fault write; whatever
  // the tables hold, who reads the group is told whether that is good.
  (* hierconn *) wire [GROUP_W-1:0] \u_spray_rr.f_addr ;
  (* hierconn *) wire [1:0]         \u_spray_rr.f_word ;
  always @* assume (\u_spray_rr.f_addr == \u_groups.f_addr );
  wire [127:0] f_members = {64'd0, members} & {64'd0, F_KEEP};
  reg          f_wrote_q, f_bad_q; // the last commit made words 0 to 4 odd
  reg          f1_own_q, f2_own_q, f3_own_q, f4_own_q, f4_odd_q;
  reg  [1:0]   f1_rr_q, f2_rr_q, f3_rr_q;
  reg  [STORED-1:0] f2_any_q, f3_any_q;
  always @(posedge clk_i) begin
    if (f_write) f_bad_q <= !clr_i && (s1_fault_i ^ s1_parity_i);
    f1_rr_q <= s0_commit ? s1_rr_i : \u_spray_rr.f_word ;
    {f3_rr_q, f2_rr_q} <= {f2_rr_q, f1_rr_q};
    {f3_any_q, f2_any_q} <= {f2_any_q, \u_groups.f_word };
    f4_odd_q <= (^f3_any_q) ^ (^f3_rr_q) ^ s3_parity_i;
    if (rst_i) {f_wrote_q, f1_own_q, f2_own_q, f3_own_q, f4_own_q} <= 5'd0;
    else begin
      f_wrote_q <= f_wrote_q | f_write;
      f1_own_q  <= !clr_i && s0_own_group_i == \u_groups.f_addr ;
      f2_own_q  <= f1_own_q && !f_write && !clr_i && s1_group_i == \u_groups.f_addr ;
      {f4_own_q, f3_own_q} <= {f3_own_q, f2_own_q};
    end
  end
  generate
    if (PARITY != 0) begin : gen_f_parity
      `EGRET_ASSERT({\gen_parity.parity4_q , \gen_parity.parity3_q , \gen_parity.parity2_q ,
                     \gen_parity.parity1_q } == {^f_members[63:32], ^f_members[31:0], ^stage2_q,
                                                 ^stage1_q}, "parity of what is staged")
      `EGRET_ASSERT(!f_wrote_q || f_bad_q == (^\u_groups.f_word ) ^ (^\u_spray_rr.f_word ),
                    "stored parity")
      `EGRET_ASSERT(!f1_own_q || s1_is_rr_q == f1_rr_q, "second copy, S1")
      `EGRET_ASSERT(!f2_own_q || {s2_word, \gen_parity.s2_rr_q } == {f2_any_q, f2_rr_q}, "read, S2")
      `EGRET_ASSERT(!f3_own_q || {s3_word_q, \gen_parity.s3_rr_q } == {f3_any_q, f3_rr_q},
                    "read, S3")
      `EGRET_ASSERT(!f4_own_q || s4_bad_o == f4_odd_q, "a bad group is seen, and no other")
`ifdef PROVE_egret_groups
      `EGRET_COVER(f4_own_q && f_wrote_q && s4_bad_o)
      `EGRET_COVER(f4_own_q && f_wrote_q && f3_any_q[WIDTH-1:0] != {WIDTH{1'b0}} && !s4_bad_o)
`endif
    end
  endgenerate
`endif

endmodule
`default_nettype wire
