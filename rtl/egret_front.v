// SPDX-License-Identifier: Apache-2.0
// The front of egret_core: decodes what a request addresses (F0), registers it (F1), and, for
// lookup3 only, holds it DELAY clocks while the hash runs, up to S1. Events travel beside the
// request of their clock. A configuration slot uses the tables like a packet: its address gives
// group, key and bin. Latency 1 + DELAY clocks, one slot a clock. State: which classes keep order,
// a register written at F1 and used at F0 (docs/spec/events.md).
// C twin: the order of events in cmodel/select/apply.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_regs.vh"

module egret_front #(
  // As in egret_core.
  parameter NUM_PORTS = 16,
  parameter NUM_GROUPS = 32,
  parameter NUM_KEYS = 64,
  parameter NUM_BINS = 2,
  parameter NUM_ROWS = 32,
  parameter ROW_LEN = 32,
  parameter NUM_BUCKETS = 1024,
  parameter HASH_KIND = 1,
  parameter NUM_FLOWLETS = 0,
  parameter SCHEMES = 126,
  parameter PARITY = 0,
  // Bits of a group number.
  parameter GROUP_W = 5,
  // Clocks from F1 to S1.
  parameter DELAY = 0
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // F0: transfers {tick, queue, port}, the events, the request and its transfer
  input  wire [2:0]          f0_event_take_i,
  input  wire [96:0]         f0_event_i, // tick now, queue depth, queue id, port id, port up
  input  wire                f0_take_i,
  input  wire [1:0]          f0_kind_i,
  input  wire [15:0]         f0_group_i,
  input  wire [15:0]         f0_key_i,
  input  wire [7:0]          f0_bin_i,
  input  wire [15:0]         f0_length_i,
  input  wire [23:0]         f0_addr_i,
  input  wire [31:0]         f0_data_i,
  input  wire [31:0]         f0_tag_i,
  input  wire [3:0]          f0_class_i,
  input  wire [31:0]         f0_entropy_i,
  input  wire [23:0]         f0_time_i,
  // F1: the slot will have a result, and its tag
  output wire                f1_result_o,
  output wire [31:0]         f1_tag_o,
  // F1: to the hash registers, and the register word for a read
  output wire                f1_write_o,
  output wire [10:0]         f1_addr_o,
  output wire [31:0]         f1_data_o,
  input  wire [31:0]         f1_word_i,
  // S1: flags tick, queue, port event, read, write, packet
  output wire [5:0]          s1_flags_o,
  output wire [96:0]         s1_event_o,
  output wire [13:0]         s1_address_hit_o,
  // parity of the data: word 0 of a group as kept, with rr; all bits; members of words 3, 4;
  // words 5 and 6 as kept; rr: {ordered scheme, scheme} of word 0 is spray-rr
  output wire [5:0]          s1_parity_o,
  output wire [1:0]          s1_rr_o,
  output wire                s1_fault_o, // a write with bad parity
  output wire [3:0]          s1_may_o, // what a write needs: egret_write_check
  output wire [6:0]          s1_stage_o, // {word 0 of a group, GROUP_STAGE6..1}
  output wire                s1_group_ok_o,
  output wire [GROUP_W-1:0]  s1_group_o,
  output wire [GROUP_W-1:0]  s1_table_group_o,
  output wire [GROUP_W-1:0]  s1_rr_group_o,
  output wire [GROUP_W-1:0]  s0_rr_group_o, // of the slot that will be at S1 next
  output wire [15:0]         s1_key_o,
  output wire [7:0]          s1_bin_o,
  output wire [15:0]         s1_length_o,
  output wire [23:0]         s1_addr_o,
  output wire [31:0]         s1_data_o,
  output wire                s1_ordered_o,
  output wire [31:0]         s1_entropy_o,
  output wire [23:0]         s1_time_o,
  output wire [31:0]         s1_word_o
);

  localparam [31:0] GROUPS_LESS1 = NUM_GROUPS - 1;
  localparam SLOT_BITS = 156 + 2 * GROUP_W;

  // A fault write is a write, also legal at counters; without PARITY it is an illegal one.
  wire        f0_cfg   = f0_kind_i != `EGRET_KIND_PACKET;
  wire        f0_fault = f0_kind_i == `EGRET_KIND_FAULT;
  wire        f0_none  = f0_fault && PARITY == 0;
  wire [13:0] f0_hit;
  wire [3:0]  f0_may;

  egret_decode #(
    .NUM_PORTS(NUM_PORTS), .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS),
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .NUM_BUCKETS(NUM_BUCKETS), .HASH_KIND(HASH_KIND),
    .NUM_FLOWLETS(NUM_FLOWLETS), .SCHEMES(SCHEMES)
  ) u_decode (
    .addr_i        (f0_addr_i),
    .global_hit_o  (f0_hit[`EGRET_HIT_GLOBAL]),
    .group_hit_o   (f0_hit[`EGRET_HIT_GROUP]),
    .bucket_hit_o  (f0_hit[`EGRET_HIT_BUCKET]),
    .schedule_hit_o(f0_hit[`EGRET_HIT_SCHEDULE]),
    .pointer_hit_o (f0_hit[`EGRET_HIT_POINTER]),
    .queue_hit_o   (f0_hit[`EGRET_HIT_QUEUE]),
    .portcnt_hit_o (f0_hit[`EGRET_HIT_PORTCNT]),
    .groupcnt_hit_o(f0_hit[`EGRET_HIT_GROUPCNT]),
    .matrix_hit_o  (f0_hit[`EGRET_HIT_MATRIX]),
    .load_hit_o    (f0_hit[`EGRET_HIT_LOAD]),
    .drill_hit_o   (f0_hit[`EGRET_HIT_DRILL]),
    .flowcnt_hit_o (f0_hit[`EGRET_HIT_FLOWCNT]),
    .flowlet_hit_o (f0_hit[`EGRET_HIT_FLOWLET]),
    .front_hit_o   (f0_hit[`EGRET_HIT_FRONT]),
    .write_any_o   (f0_may[0]),
    .write_port_o  (f0_may[1]),
    .write_low_o   (f0_may[2]),
    .write_algorithm_o(f0_may[3])
  );

  function is_global(input [23:0] addr, input [5:0] index);
    is_global = addr == {`EGRET_REGION_GLOBAL, 14'd0, index};
  endfunction
  wire [6:0] f0_stage = {f0_hit[`EGRET_HIT_GROUP] && f0_addr_i[2:0] == 3'd0,
                         is_global(f0_addr_i, `EGRET_G_GROUP_STAGE6),
                         is_global(f0_addr_i, `EGRET_G_GROUP_STAGE5),
                         is_global(f0_addr_i, `EGRET_G_GROUP_STAGE4),
                         is_global(f0_addr_i, `EGRET_G_GROUP_STAGE3),
                         is_global(f0_addr_i, `EGRET_G_GROUP_STAGE2),
                         is_global(f0_addr_i, `EGRET_G_GROUP_STAGE1)} & {7{~f0_none}};

  wire [15:0] f0_group    = f0_group_i & GROUPS_LESS1[15:0];
  wire        f0_group_ok = f0_group == f0_group_i;
  // A configuration slot names a group in addr[.. : 3], a spray-rr pointer in addr[.. : 0].
  wire [15:0] f0_table_group = f0_cfg ? f0_addr_i[18:3] : f0_group;
  wire [15:0] f0_rr_group    = f0_cfg ? f0_addr_i[15:0] & GROUPS_LESS1[15:0] : f0_group;
  wire [15:0] f0_key         = f0_cfg ? {1'b0, f0_addr_i[18:4]} : f0_key_i;
  wire [7:0]  f0_bin         = f0_cfg ? {4'd0, f0_addr_i[3:0]} : f0_bin_i;
  wire        unused_group   = &{1'b0, f0_table_group, f0_rr_group};

  // What egret_groups and egret_group_deep keep of their words.
  localparam [15:0] HAVE    = SCHEMES[15:0];
  localparam [31:0] LEN_LESS1 = ROW_LEN - 1;
  localparam        LOAD    = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
  localparam        FLOWLET = HAVE[`EGRET_SCHEME_FLOWLET];
  localparam [31:0] KEEP0 = {3'd0, {4{HAVE[`EGRET_SCHEME_ENTROPY]}}, 1'b1, LEN_LESS1[7:0],
                             16'hff1f};
  localparam [63:0] PORTS = {64{1'b1}} >> (64 - NUM_PORTS);
  localparam [31:0] KEEP6 = {3'd0, {3{LOAD}}, {2{LOAD & FLOWLET}}, {24{FLOWLET}}};
  wire [3:0] f0_ordered_scheme = (f0_data_i[15:12] != 4'd0) ? f0_data_i[15:12] : f0_data_i[3:0];
  wire [1:0] f0_rr = {f0_ordered_scheme == `EGRET_SCHEME_SPRAY_RR,
                      f0_data_i[3:0] == `EGRET_SCHEME_SPRAY_RR};
  wire [5:0] f0_parity = {^(f0_data_i & KEEP6), ^(f0_data_i & {32{FLOWLET}}),
                          ^(f0_data_i & PORTS[63:32]), ^(f0_data_i & PORTS[31:0]), ^f0_data_i,
                          (^(f0_data_i & KEEP0)) ^ (^f0_rr)};
  wire       unused_have = &{1'b0, HAVE};

  reg  [5:0]           f1_flags_q;
  reg  [96:0]          f1_event_q;
  reg  [SLOT_BITS-1:0] f1_slot_q;
  reg  [31:0]          f1_data_q, f1_tag_q;

  // Does the packet's class keep order? A write at F1 is in effect for the slot at F0.
  // Its data has a register of its own, so that it need not lie where all other data goes.
  reg  [15:0] ordered_q, f1_classes_q;
  reg         f1_is_ordered_q;
  wire        f0_is_ordered = is_global(f0_addr_i, `EGRET_G_CLASS_ORDERED);
  wire        f1_ordered_write = f1_write_o & f1_is_ordered_q;
  wire        f0_ordered = !f0_cfg && (f1_ordered_write ? f1_classes_q[f0_class_i]
                                                        : ordered_q[f0_class_i]);
  always @(posedge clk_i)
    if (rst_i) ordered_q <= 16'd0;
    else if (f1_ordered_write) ordered_q <= f1_classes_q;
  always @(posedge clk_i) begin
    f1_is_ordered_q <= f0_is_ordered;
    f1_classes_q    <= f0_data_i[15:0] & {16{f0_kind_i[0]}};
  end

  always @(posedge clk_i)
    if (rst_i) f1_flags_q <= 6'd0;
    else
      f1_flags_q <= {f0_event_take_i, f0_take_i && f0_kind_i == `EGRET_KIND_READ,
                     f0_take_i & f0_kind_i[0],
                     f0_take_i && f0_kind_i == `EGRET_KIND_PACKET};

  always @(posedge clk_i) begin
    f1_event_q <= f0_event_i;
    f1_slot_q  <= {f0_fault, f0_parity, f0_rr, f0_may & {4{~f0_none}}, f0_hit & {14{~f0_none}},
                   f0_stage, f0_group_ok, f0_group[GROUP_W-1:0], f0_table_group[GROUP_W-1:0],
                   f0_key, f0_bin, f0_length_i, f0_ordered,
                   f0_entropy_i, f0_time_i, f0_addr_i};
    f1_data_q  <= f0_data_i;
    f1_tag_q   <= f0_tag_i;
  end
  assign f1_result_o = f1_flags_q[0] | f1_flags_q[2];
  assign f1_tag_o    = f1_tag_q;
  wire   f1_none = f1_slot_q[SLOT_BITS-1] && PARITY == 0;
  assign f1_write_o = f1_flags_q[1] & ~f1_none;
  assign f1_addr_o  = f1_slot_q[10:0];
  assign f1_data_o  = f1_data_q;

  egret_delay #(.WIDTH(6), .CYCLES(DELAY), .RESET(1)) u_flags (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f1_flags_q), .data_o(s1_flags_o));
  egret_delay #(.WIDTH(97), .CYCLES(DELAY)) u_event (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f1_event_q), .data_o(s1_event_o));
  egret_delay #(.WIDTH(SLOT_BITS), .CYCLES(DELAY)) u_slot (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f1_slot_q),
    .data_o({s1_fault_o, s1_parity_o, s1_rr_o, s1_may_o, s1_address_hit_o, s1_stage_o,
             s1_group_ok_o, s1_group_o, s1_table_group_o,
             s1_key_o, s1_bin_o, s1_length_o, s1_ordered_o, s1_entropy_o, s1_time_o, s1_addr_o}));
  reg  [GROUP_W-1:0] s1_rr_group_q;
  egret_delay #(.WIDTH(GROUP_W), .CYCLES(DELAY)) u_rr_group (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(f0_rr_group[GROUP_W-1:0]), .data_o(s0_rr_group_o));
  always @(posedge clk_i) s1_rr_group_q <= s0_rr_group_o;
  assign s1_rr_group_o = s1_rr_group_q;
  wire [31:0] f1_word = f1_word_i | {16'd0, ordered_q & {16{f1_is_ordered_q}}};
  egret_delay #(.WIDTH(64), .CYCLES(DELAY)) u_data (
    .clk_i(clk_i), .rst_i(rst_i), .data_i({f1_data_q, f1_word}),
    .data_o({s1_data_o, s1_word_o}));

`ifdef FORMAL // properties
`ifdef PROVE_egret_front
`include "egret_assert.vh"
  // What egret_groups, egret_group_deep and egret_hash_matrix rely on: which bits of the data are
  // kept, their parity, and what is rr.
  reg  [DELAY:0] f_clocks_q; // since reset, one-hot tail
  wire [4:0]  f_shift = s1_data_o[28:24] & (HAVE[`EGRET_SCHEME_ENTROPY] ? 5'd31 : 5'd1);
  wire [7:0]  f_last  = s1_data_o[23:16] & LEN_LESS1[7:0];
  wire [3:0]  f_ordered = (s1_data_o[15:12] != 4'd0) ? s1_data_o[15:12] : s1_data_o[3:0];
  wire [1:0]  f_rr = {f_ordered == `EGRET_SCHEME_SPRAY_RR,
                      s1_data_o[3:0] == `EGRET_SCHEME_SPRAY_RR};
  wire [31:0] f_flowlet = FLOWLET ? s1_data_o : 32'd0;
  wire [28:0] f_deep = {s1_data_o[28:26] & {3{LOAD}},
                        (LOAD && FLOWLET) ? s1_data_o[25:24] : 2'd0, f_flowlet[23:0]};
  reg  [63:0] f_members;
  integer     f_p;
  always @* begin
    f_members = 64'd0;
    for (f_p = 0; f_p < NUM_PORTS; f_p = f_p + 1) f_members[f_p] = s1_data_o[f_p%32];
  end
  always @(posedge clk_i) f_clocks_q <= rst_i ? {DELAY + 1{1'b0}} : {f_clocks_q << 1} | 1'b1;
  `EGRET_ASSERT(!f_clocks_q[DELAY] || s1_rr_o == f_rr, "rr")
  `EGRET_ASSERT(!f_clocks_q[DELAY] ||
                s1_parity_o == {^f_deep, ^f_flowlet, ^f_members[63:32], ^f_members[31:0],
                                ^s1_data_o,
                                ^{f_shift, f_last, s1_data_o[15:8], s1_data_o[4:0], f_rr}},
                "parity of the data")
  // Any one bit of a request or an event is at S1 as it was at F0, DELAY + 1 clocks later; group,
  // key and bin are a packet's.
  localparam F_PACKET = 40, F_WIDTH = F_PACKET + 225;
  (* anyconst *) wire [8:0] f_at;
  wire [F_WIDTH-1:0] f0_all = {f0_event_i, f0_data_i, f0_addr_i, f0_time_i, f0_entropy_i,
                               f0_length_i, f0_group_i & GROUPS_LESS1[15:0], f0_key_i,
                               f0_bin_i};
  wire [F_WIDTH-1:0] f1_all = {s1_event_o, s1_data_o, s1_addr_o, s1_time_o, s1_entropy_o,
                               s1_length_o, {16 - GROUP_W{1'b0}}, s1_group_o, s1_key_o, s1_bin_o};
  reg  [DELAY:0] f_line_q;
  always @(posedge clk_i) f_line_q <= {f_line_q, f0_all[f_at]};
  `EGRET_ASSUME(f_at < F_WIDTH)
  `EGRET_ASSERT(!f_clocks_q[DELAY] || (f_at < F_PACKET && !s1_flags_o[0]) ||
                f1_all[f_at] == f_line_q[DELAY], "payload")
  `EGRET_COVER(f_clocks_q[DELAY] && {s1_parity_o[5:4], s1_parity_o[2:0]} == 5'd31 &&
               s1_rr_o == 2'd2)
`endif
`endif

endmodule
`default_nettype wire
