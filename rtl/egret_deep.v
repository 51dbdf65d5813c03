// SPDX-License-Identifier: Apache-2.0
// What depends on time or load, between the choice at S9 and the result: the flowlet table, the
// least band, DRILL, and the load that they look at. A configuration with `flowlet` or
// `spray-quality` is deep: its result comes EXTRA = 4 clocks later, and what egret_core knows at S9
// waits here until S13. In another configuration this module is wires.
//
//   S3 live members; flags     S6 least band T     S9 rank of the new path     S12 the new path
//   S8 flowlet table read      S10, S11 ages, tags      S13 flowlet, DRILL: the choice
//
// State: in the modules. C twins: cmodel/select/flowlet.c, quality.c, load.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_deep #(
  // As in egret_core.
  parameter NUM_PORTS = 16,
  parameter NUM_FLOWLETS = 0,
  parameter SCHEMES = 126,
  parameter PARITY = 0,
  // Bits of a port, a group, a sweep address.
  parameter PORT_W = 4,
  parameter GROUP_W = 5,
  parameter SWEEP_W = 11,
  // 4 if deep, else 0.
  parameter EXTRA = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  // sweep
  input  wire                 clr_i,
  input  wire [SWEEP_W-1:0]   clr_addr_i,
  // S1: tick; the slot: a write, it names GROUP_STAGE6, 5; a legal global write, commit of a group;
  // its group in tables, its own
  input  wire                 s1_tick_i,
  input  wire                 s1_write_i,
  input  wire [1:0]           s1_stage_i,
  input  wire                 s1_global_write_i,
  input  wire                 s1_commit_i,
  input  wire [GROUP_W-1:0]   s1_table_group_i,
  input  wire [GROUP_W-1:0]   s1_group_i,
  input  wire [5:0]           s1_addr_i,
  input  wire [PORT_W-1:0]    s1_port_i, // of an address of port loads
  input  wire [PORT_W-1:0]    s1_queue_id_i,
  input  wire [31:0]          s1_data_i,
  input  wire [1:0]           s1_data_parity_i,
  input  wire [15:0]          s1_length_i,
  input  wire [23:0]          s1_time_i,
  // parity of words 5, 6 of the group: S1 as staged, S3 as stored
  output wire                 s1_parity_o,
  output wire                 s3_parity_o,
  // S2: queue depth; write of a port's load; words of the stage and load registers for a read
  input  wire                 s2_queue_i,
  input  wire [PORT_W-1:0]    s2_queue_id_i,
  input  wire [31:0]          s2_queue_depth_i,
  input  wire                 s2_load_write_i,
  input  wire [23:0]          s2_addr_i,
  input  wire [31:0]          s2_data_i,
  output wire [31:0]          s2_word_o,
  // S3: kind of packet; members that are live; words 5, 6 of the group
  output wire                 s3_small_o,
  input  wire                 s3_flowlet_i,
  input  wire                 s3_quality_i,
  input  wire [NUM_PORTS-1:0] s3_mask_i,
  input  wire [2:0]           s3_word_i,
  output wire [31:0]          s3_group_word_o,
  // S4: queue depth of a port for a read (0 without load)
  output wire [31:0]          s4_word_o,
  // S6: hash, random number, address and kind of slot, group
  input  wire [31:0]          s6_hash_i,
  input  wire [31:0]          s6_number_i,
  input  wire [23:0]          s6_addr_i,
  input  wire                 s6_write_i,
  input  wire                 s6_read_i,
  input  wire                 s6_fault_i,
  input  wire                 s6_flowlet_hit_i,
  // S9: what the other schemes found
  input  wire                 s9_packet_i,
  input  wire                 s9_read_i,
  input  wire                 s9_write_i,
  input  wire                 s9_fault_i,
  input  wire [4:0]           s9_bad_i, // pointer, schedule, bucket, matrix, group
  input  wire [12:0]          s9_hit_i,
  input  wire [2:0]           s9_early_i,
  input  wire                 s9_down_i,
  input  wire [3:0]           s9_scheme_i,
  input  wire [31:0]          s9_data_i,
  input  wire [PORT_W-1:0]    s9_word_i,
  input  wire [PORT_W-1:0]    s9_choice_i,
  input  wire                 s9_choice_bad_i, // it is not live, whatever the mask says
  input  wire                 s9_live_i,
  input  wire [PORT_W-1:0]    s9_repair_port_i,
  input  wire [NUM_PORTS-1:0] s9_mask_i,
  // SR, the stage before the result: S13 if deep, else S9
  output wire                 sr_packet_o,
  output wire                 sr_read_o,
  output wire                 sr_fault_o,
  output wire [6:0]           sr_bad_o, // drill, flowlet and those of S9
  output wire [12:0]          sr_hit_o,
  output wire [2:0]           sr_early_o,
  output wire                 sr_down_o,
  output wire [3:0]           sr_scheme_o,
  output wire [31:0]          sr_data_o,
  output wire [31:0]          sr_read_data_o, // of a read, without those of a flowlet
  output wire [PORT_W-1:0]    sr_word_o,
  output wire [PORT_W-1:0]    sr_choice_o,
  output wire                 sr_live_o,
  output wire [PORT_W-1:0]    sr_repair_port_o,
  output wire [NUM_PORTS-1:0] sr_mask_o,
  // S14: result of a packet, slot of a read (counters)
  input  wire                 s14_sent_i,
  input  wire [PORT_W-1:0]    s14_port_i,
  input  wire [15:0]          s14_length_i,
  input  wire                 s14_read_i,
  input  wire                 s14_fault_i, // a fault write of a flowlet counter
  input  wire [GROUP_W-1:0]   s14_group_i,
  input  wire [23:0]          s14_addr_i,
  // S15, S17: words for a read
  output wire [31:0]          s15_word_o,
  output wire [31:0]          s17_word_o,
  output wire                 s17_bad_o
);

  localparam [15:0] HAVE = SCHEMES[15:0];

  generate
    if (EXTRA == 0) begin : gen_wires
      assign s2_word_o = 32'd0;
      assign s3_small_o = 1'b0;
      assign s3_group_word_o = 32'd0;
      assign s4_word_o = 32'd0;
      assign {s1_parity_o, s3_parity_o, s17_bad_o} = 3'd0;
      assign {sr_packet_o, sr_read_o, sr_fault_o} = {s9_packet_i, s9_read_i, s9_fault_i};
      assign sr_bad_o = {2'd0, s9_bad_i};
      assign sr_hit_o = s9_hit_i;
      assign sr_early_o = s9_early_i;
      assign sr_down_o = s9_down_i;
      assign sr_scheme_o = s9_scheme_i;
      assign sr_data_o = s9_data_i;
      assign sr_read_data_o = s9_data_i;
      assign sr_word_o = s9_word_i;
      assign sr_choice_o = s9_choice_i;
      assign sr_live_o = s9_live_i;
      assign sr_repair_port_o = s9_repair_port_i;
      assign sr_mask_o = s9_mask_i;
      assign s15_word_o = 32'd0;
      assign s17_word_o = 32'd0;
      wire unused_ok = &{1'b0, clk_i, rst_i, clr_i, clr_addr_i, s1_global_write_i, s1_commit_i,
                         s9_choice_bad_i,
                         s1_write_i, s1_stage_i,
                         s1_table_group_i, s1_addr_i, s1_data_i, s1_length_i, s1_time_i, s1_tick_i,
                         s1_group_i, s2_load_write_i, s2_data_i,
                         s2_queue_i, s2_queue_id_i, s2_queue_depth_i, s2_addr_i, s3_flowlet_i,
                         s3_quality_i, s3_mask_i, s3_word_i,
                         s6_hash_i, s6_number_i, s6_addr_i, s6_write_i, s6_read_i,
                         s6_flowlet_hit_i, s6_fault_i, s9_write_i, s14_sent_i, s14_fault_i,
                         s1_data_parity_i, s1_port_i, s1_queue_id_i,
                         s14_port_i, s14_length_i, s14_read_i, s14_group_i, s14_addr_i, HAVE};
    end else begin : gen_deep
      localparam LOAD    = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
      localparam FLOWLET = HAVE[`EGRET_SCHEME_FLOWLET];
      localparam FLOWLET_W = (NUM_FLOWLETS > 1) ? $clog2(NUM_FLOWLETS) : 1;

      // Groups: words 5 and 6.
      wire [31:0] s2_stage_word, s2_load_word;
      wire [15:0] s3_base, s3_mask;
      wire [23:0] s3_idle;
      wire        s3_by_quality, s3_stay, s3_remember;
      wire [1:0]  s3_samples;
      egret_group_deep #(.GROUP_W(GROUP_W), .SCHEMES(SCHEMES)) u_groups (
        .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i[GROUP_W-1:0]),
        .s1_group_i(s1_table_group_i), .s1_commit_i(s1_commit_i),
        .s1_write_i(s1_write_i), .s1_stage_i(s1_stage_i), .s1_data_i(s1_data_i),
        .s2_stage_o(s2_stage_word), .s3_base_o(s3_base), .s3_mask_o(s3_mask), .s3_idle_o(s3_idle),
        .s3_by_quality_o(s3_by_quality), .s3_stay_o(s3_stay), .s3_samples_o(s3_samples),
        .s3_remember_o(s3_remember), .s3_word_i(s3_word_i), .s3_data_o(s3_group_word_o),
        .s1_data_parity_i(s1_data_parity_i), .s1_parity_o(s1_parity_o), .s3_parity_o(s3_parity_o)
      );
      assign s2_word_o = s2_stage_word | s2_load_word;

      // S9 to S13: what is known waits.
      wire              s13_live, s14_flowlet;
      wire [31:0]       s9_last_word, s9_load_word, s13_drill_word, s13_data;
      wire [31:0]       s9_word = s9_data_i | s9_last_word | s9_load_word;
      wire [PORT_W-1:0] s13_choice;
      egret_delay #(.WIDTH(2), .CYCLES(4), .RESET(1)) u_flags (
        .clk_i(clk_i), .rst_i(rst_i), .data_i({s9_packet_i, s9_read_i}),
        .data_o({sr_packet_o, sr_read_o}));
      egret_delay #(.WIDTH(53 + 2 * PORT_W), .CYCLES(4)) u_wait (
        .clk_i(clk_i), .rst_i(rst_i),
        .data_i({s9_hit_i, s9_early_i, s9_down_i, s9_scheme_i, s9_word, s9_word_i,
                 s9_repair_port_i}),
        .data_o({sr_hit_o, sr_early_o, sr_down_o, sr_scheme_o, s13_data, sr_word_o,
                 sr_repair_port_o}));
      // S10: is the choice live? There is time for a register behind it.
      reg  [PORT_W-1:0]      s10_choice_q;
      reg                    s10_choice_bad_q;
      reg  [(1<<PORT_W)-1:0] s10_mask;
      reg  [NUM_PORTS-1:0]   s10_mask_q;
      always @(posedge clk_i) begin
        s10_choice_q     <= s9_choice_i;
        s10_choice_bad_q <= s9_choice_bad_i;
        s10_mask_q       <= s9_mask_i;
      end
      always @* begin
        s10_mask = {(1 << PORT_W){1'b0}};
        s10_mask[NUM_PORTS-1:0] = s10_mask_q;
      end
      egret_delay #(.WIDTH(NUM_PORTS + 1 + PORT_W), .CYCLES(3)) u_choice (
        .clk_i(clk_i), .rst_i(rst_i),
        .data_i({s10_mask_q, s10_mask[s10_choice_q] & ~s10_choice_bad_q, s10_choice_q}),
        .data_o({sr_mask_o, s13_live, s13_choice}));
      wire unused_live = &{1'b0, s9_live_i};

      wire       s13_path, s13_flowlet_bad, s13_drill_bad;
      wire [4:0] s13_bad;
      if (PARITY != 0) begin : gen_faults
        egret_delay #(.WIDTH(6), .CYCLES(4), .RESET(1)) u_faults (
          .clk_i(clk_i), .rst_i(rst_i), .data_i({s9_fault_i, s9_bad_i}),
          .data_o({sr_fault_o, s13_bad}));
      end else begin : gen_no_faults
        wire unused_bad = &{1'b0, s9_bad_i};
        assign {sr_fault_o, s13_bad} = 6'd0;
      end
      // A flowlet packet looks at its bucket only in a conflict.
      assign sr_bad_o = {s13_drill_bad, s13_flowlet_bad, s13_bad[4:3], s13_bad[2] & ~s13_path,
                         s13_bad[1:0]};

      reg [PORT_W-1:0] s13_new_q; // the new path

      // Load: the least band among the live members, S6. Without it all are alike.
      wire [NUM_PORTS-1:0] s6_least, s6_live;
      wire                 s6_by_load;
      wire                 s13_quality;
      wire [PORT_W-1:0]    s13_quality_port;
      egret_delay #(.WIDTH(NUM_PORTS), .CYCLES(3)) u_live6 (
        .clk_i(clk_i), .rst_i(rst_i), .data_i(s3_mask_i), .data_o(s6_live));
      if (LOAD) begin : gen_load
        wire [3*NUM_PORTS-1:0] s4_bands, s10_bands, s12_bands;
        wire [8*NUM_PORTS-1:0] s4_have;
        wire [31:0]         s4_depth, s4_word;
        wire                s2_small, s3_tick;
        reg                 s3_small_q;
        egret_load #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_load (
          .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i[PORT_W-1:0]),
          .s1_tick_i(s1_tick_i), .s1_global_write_i(s1_global_write_i), .s1_addr_i(s1_addr_i),
          .s1_data_i(s1_data_i), .s1_length_i(s1_length_i), .s2_word_o(s2_load_word),
          .s1_queue_id_i(s1_queue_id_i), .s1_port_i(s1_port_i),
          .s2_small_o(s2_small), .s2_queue_valid_i(s2_queue_i), .s2_queue_id_i(s2_queue_id_i),
          .s2_queue_depth_i(s2_queue_depth_i), .s2_port_write_i(s2_load_write_i),
          .s2_addr_i(s2_addr_i[PORT_W+1:0]), .s2_data_i(s2_data_i), .s3_tick_o(s3_tick),
          .s4_bands_o(s4_bands), .s4_have_o(s4_have), .s4_depth_o(s4_depth), .s4_word_o(s4_word),
          .s14_sent_i(s14_sent_i), .s14_port_i(s14_port_i), .s14_length_i(s14_length_i)
        );
        assign s4_word_o = s4_depth;
        wire [31:0] s9_load;
        egret_delay #(.WIDTH(32), .CYCLES(5)) u_word9 (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s4_word), .data_o(s9_load));
        assign s9_load_word = s9_load & {32{s9_read_i & s9_hit_i[`EGRET_HIT_LOAD]}};
        always @(posedge clk_i) s3_small_q <= s2_small;
        assign s3_small_o = s3_small_q;

        egret_spray_quality #(.NUM_PORTS(NUM_PORTS)) u_quality (
          .clk_i(clk_i), .rst_i(rst_i), .s3_mask_i(s3_mask_i), .s3_tick_i(s3_tick),
          .s4_bands_i(s4_bands), .s4_have_i(s4_have), .s6_ties_o(s6_least), .s10_bands_o(s10_bands),
          .s12_bands_o(s12_bands)
        );

        // Flags: by load S6, DRILL and its memory S9, S13.
        wire               s9_quality, s9_two, s9_remember, s9_any, s9_drill_hit;
        wire               s13_drill, s13_least;
        wire [1:0]         s9_samples;
        wire [GROUP_W-1:0] s6_own_group, s9_group;
        wire [PORT_W-1:0]  s9_sample2;
        wire [PORT_W-1:0]  s13_drill_port;
        wire [PORT_W:0]    s13_memory;
        wire               s9_counts = s9_packet_i && s9_quality && s9_early_i == 3'd0;
        egret_delay #(.WIDTH(1), .CYCLES(3)) u_by_load (
          .clk_i(clk_i), .rst_i(rst_i),
          .data_i((s3_quality_i && s3_samples == 2'd0) || (s3_flowlet_i && s3_by_quality)),
          .data_o(s6_by_load));
        egret_delay #(.WIDTH(4), .CYCLES(6)) u_kind9 (
          .clk_i(clk_i), .rst_i(rst_i), .data_i({s3_quality_i, s3_samples, s3_remember}),
          .data_o({s9_quality, s9_samples, s9_remember}));
        egret_delay #(.WIDTH(3), .CYCLES(4)) u_kind13 (
          .clk_i(clk_i), .rst_i(rst_i),
          .data_i({s9_counts, s9_counts && s9_samples != 2'd0, s9_counts && s9_samples == 2'd0}),
          .data_o({s13_quality, s13_drill, s13_least}));
        egret_delay #(.WIDTH(GROUP_W), .CYCLES(5)) u_group6 (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s1_group_i), .data_o(s6_own_group));
        egret_delay #(.WIDTH(GROUP_W), .CYCLES(3)) u_group9 (
          .clk_i(clk_i), .rst_i(rst_i),
          .data_i((s6_write_i | s6_read_i) ? s6_addr_i[GROUP_W-1:0] : s6_own_group),
          .data_o(s9_group));
        assign s9_two = s9_samples[1];
        assign s9_drill_hit = s9_hit_i[`EGRET_HIT_DRILL];

        wire [NUM_PORTS-1:0] s9_sample_mask, s12_mask;
        egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_sample2 (
          .clk_i(clk_i), .s3_mask_i(s3_mask_i), .s6_r_i(s6_number_i[15:0]), .s6_any_o(s9_any),
          .s9_mask_o(s9_sample_mask), .s9_port_o(s9_sample2));
        egret_delay #(.WIDTH(NUM_PORTS), .CYCLES(3)) u_mask12 (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s9_mask_i), .data_o(s12_mask));
        egret_drill #(
          .NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W), .GROUP_W(GROUP_W), .PARITY(PARITY)
        ) u_drill (
          .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_group_i(clr_addr_i[GROUP_W-1:0]),
          .s9_sample1_i(s9_repair_port_i), .s9_sample2_i(s9_sample2), .s9_group_i(s9_group),
          .s9_two_i(s9_two),
          .s9_memory_i(s9_counts & ~s9_down_i & s9_remember & (s9_samples != 2'd0)),
          .s9_write_i(s9_write_i & s9_drill_hit), .s9_fault_i(s9_fault_i),
          .s9_valid_i(s9_data_i[31]),
          .s9_port_i(s9_data_i[PORT_W-1:0]), .s10_bands_i(s10_bands), .s12_mask_i(s12_mask),
          .s12_bands_i(s12_bands), .s13_port_o(s13_drill_port), .s13_memory_o(s13_memory),
          .s13_bad_o(s13_drill_bad)
        );
        assign s13_quality_port = (s13_drill_port & {PORT_W{s13_drill}}) |
                                  (s13_new_q & {PORT_W{s13_least}});
        reg [31:0] drill_word;
        always @* begin
          drill_word = 32'd0;
          drill_word[31] = s13_memory[PORT_W];
          drill_word[PORT_W-1:0] = s13_memory[PORT_W-1:0];
        end
        assign s13_drill_word = drill_word & {32{sr_read_o & sr_hit_o[`EGRET_HIT_DRILL]}};
        wire unused_ok = &{1'b0, s2_addr_i, s9_any, s9_sample_mask};
      end else begin : gen_no_load
        assign s2_load_word = 32'd0;
        assign s3_small_o = 1'b0;
        assign s4_word_o = 32'd0;
        assign s6_least = s6_live;
        assign s6_by_load = 1'b0;
        assign s13_quality = 1'b0;
        assign s13_quality_port = {PORT_W{1'b0}};
        assign s13_drill_word = 32'd0;
        assign s13_drill_bad = 1'b0;
        assign s9_load_word = 32'd0;
        wire unused_ok = &{1'b0, s1_global_write_i, s1_addr_i, s1_port_i, s1_queue_id_i, s1_tick_i,
                           s1_length_i, s1_group_i,
                           s2_queue_i, s2_queue_id_i,
                           s2_queue_depth_i, s2_load_write_i, s2_addr_i, s2_data_i, s3_quality_i,
                           s3_by_quality, s3_samples, s3_remember, s9_fault_i, s14_length_i};
      end

      // The new path: the k-th of the least band, or of the live members, k by the random number.
      wire [15:0]          s9_rank;
      wire [NUM_PORTS-1:0] s12_tie;
      wire [PORT_W-1:0]    s12_new;
      wire                 s9_any;
      egret_delay #(.WIDTH(16), .CYCLES(3)) u_rank (
        .clk_i(clk_i), .rst_i(rst_i), .data_i(s6_number_i[31:16]), .data_o(s9_rank));
      egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_new_path (
        .clk_i(clk_i), .s3_mask_i(s6_by_load ? s6_least : s6_live), .s6_r_i(s9_rank),
        .s6_any_o(s9_any), .s9_mask_o(s12_tie), .s9_port_o(s12_new));
      always @(posedge clk_i) s13_new_q <= s12_new;
      wire unused_any = &{1'b0, s9_any, s6_number_i};

      // Flowlets.
      wire              s13_flowlet, s13_conflict, s13_kept, s14_moved;
      wire [1:0]        s13_outcome;
      wire [15:0]       s13_index;
      wire [PORT_W-1:0] s13_port, s13_entry_port;
      if (FLOWLET) begin : gen_flowlet
        wire [15:0] s6_base, s6_mask;
        wire [23:0] s9_time, s10_idle;
        wire        s9_flowlet, s12_stay;
        reg         s7_is_last_q, s8_is_last_q, s9_is_last_q, s10_step_q, s11_step_q, s14_flowlet_q;
        reg  [23:0] last_q; // the `last` of the next entry that is written
        egret_delay #(.WIDTH(32), .CYCLES(3)) u_slice (
          .clk_i(clk_i), .rst_i(rst_i), .data_i({s3_base, s3_mask}), .data_o({s6_base, s6_mask}));
        egret_delay #(.WIDTH(24), .CYCLES(8)) u_time (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s1_time_i), .data_o(s9_time));
        egret_delay #(.WIDTH(24), .CYCLES(7)) u_idle (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s3_idle), .data_o(s10_idle));
        egret_delay #(.WIDTH(1), .CYCLES(6)) u_flowlet9 (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s3_flowlet_i), .data_o(s9_flowlet));
        egret_delay #(.WIDTH(1), .CYCLES(4)) u_flowlet13 (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s9_packet_i && s9_flowlet && s9_early_i == 3'd0),
          .data_o(s13_flowlet));
        egret_delay #(.WIDTH(1), .CYCLES(9)) u_stay (
          .clk_i(clk_i), .rst_i(rst_i), .data_i(s3_stay & s3_by_quality), .data_o(s12_stay));

        always @(posedge clk_i) begin
          s7_is_last_q  <= s6_addr_i == {`EGRET_REGION_GLOBAL, 14'd0, `EGRET_G_FLOWLET_LAST};
          s8_is_last_q  <= s7_is_last_q;
          s9_is_last_q  <= s8_is_last_q;
          s14_flowlet_q <= s13_flowlet;
        end
        always @(posedge clk_i)
          if (rst_i) begin
            last_q     <= 24'd0;
            s10_step_q <= 1'b0;
            s11_step_q <= 1'b0;
          end else begin
            if (s9_write_i & s9_is_last_q) last_q <= s9_data_i[23:0];
            s10_step_q <= s9_packet_i && s9_flowlet && s9_early_i == 3'd0 && !s9_down_i;
            s11_step_q <= s10_step_q;
          end
        assign s9_last_word = {8'd0, last_q & {24{s9_read_i & s9_is_last_q}}};
        assign s14_flowlet  = s14_flowlet_q;

        egret_flowlet #(
          .NUM_FLOWLETS(NUM_FLOWLETS), .FLOWLET_W(FLOWLET_W), .NUM_PORTS(NUM_PORTS),
          .PORT_W(PORT_W), .PARITY(PARITY)
        ) u_flowlet (
          .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i[FLOWLET_W-1:0]),
          .s6_hash_i(s6_hash_i), .s6_base_i(s6_base), .s6_mask_i(s6_mask),
          .s6_write_i(s6_write_i & s6_flowlet_hit_i), .s6_read_i(s6_read_i & s6_flowlet_hit_i),
          .s6_fault_i(s6_fault_i), .s13_bad_o(s13_flowlet_bad),
          .s6_addr_i(s6_addr_i[FLOWLET_W:0]), .s6_data_i(s6_hash_i),
          .s9_time_i(s9_write_i ? last_q : s9_time), .s10_idle_i(s10_idle),
          .s11_step_i(s11_step_q), .s12_stay_i(s12_stay), .s12_tie_i(s12_tie),
          .s13_new_i(s13_new_q), .s13_port_o(s13_port), .s13_entry_port_o(s13_entry_port),
          .s13_conflict_o(s13_conflict), .s13_kept_o(s13_kept), .s13_outcome_o(s13_outcome),
          .s13_index_o(s13_index),
          .s14_moved_o(s14_moved), .s15_word_o(s15_word_o)
        );
      end else begin : gen_no_flowlet
        assign {s13_flowlet, s13_conflict, s13_kept, s14_moved, s14_flowlet} = 5'd0;
        assign s13_flowlet_bad = 1'b0;
        assign s13_outcome = 2'd0;
        assign s13_index = 16'd0;
        assign {s13_port, s13_entry_port} = {2 * PORT_W{1'b0}};
        assign s9_last_word = 32'd0;
        assign s15_word_o = 32'd0;
        wire unused_ok = &{1'b0, s1_time_i, s3_base, s3_mask, s3_idle, s3_stay, s6_hash_i,
                           s6_addr_i, s6_flowlet_hit_i, s9_write_i, s12_tie};
      end

      // S13: the choice.
      reg  [(1<<PORT_W)-1:0] s13_mask;
      reg  [1:0] s14_outcome_q;
      always @* begin
        s13_mask = {(1 << PORT_W){1'b0}};
        s13_mask[NUM_PORTS-1:0] = sr_mask_o;
      end
      wire unused_late = &{1'b0, clr_addr_i, s14_port_i, s14_addr_i};
      assign s13_path = s13_flowlet & ~s13_conflict;
      assign sr_choice_o = (s13_port & {PORT_W{s13_path}}) | s13_quality_port |
                           (s13_choice & {PORT_W{~s13_path & ~s13_quality}});
      assign sr_live_o = s13_path ? ~s13_kept | s13_mask[s13_entry_port] : s13_quality | s13_live;
      assign sr_read_data_o = s13_data | s13_drill_word;
      assign sr_data_o = s13_flowlet ? {s13_outcome, 14'd0, s13_index} : sr_read_data_o;
      always @(posedge clk_i) s14_outcome_q <= s13_outcome;
      if (FLOWLET) begin : gen_counters
        egret_flowlet_counters #(.GROUP_W(GROUP_W), .PARITY(PARITY)) u_counters (
          .clk_i(clk_i), .rst_i(rst_i), .clr_i(clr_i), .clr_addr_i(clr_addr_i[GROUP_W+2:0]),
          .s14_sent_i(s14_sent_i & s14_flowlet), .s14_group_i(s14_group_i),
          .s14_outcome_i(s14_outcome_q), .s14_moved_i(s14_moved), .s14_read_i(s14_read_i),
          .s14_addr_i(s14_addr_i[GROUP_W+2:0]), .s17_count_o(s17_word_o),
          .s14_fault_i(s14_fault_i), .s17_bad_o(s17_bad_o)
        );
      end else begin : gen_no_counters
        assign s17_word_o = 32'd0;
        assign s17_bad_o = 1'b0;
        wire unused_ok = &{1'b0, s6_fault_i, s14_fault_i, s14_sent_i, s14_group_i, s14_read_i,
                           s14_addr_i, s14_flowlet,
                           s14_outcome_q, s14_moved};
      end
    end
  endgenerate

`ifdef FORMAL // properties
  (* hierconn *) wire [31:0] \gen_deep.gen_counters.u_counters.s17_count_o ;
  (* hierconn *) wire \gen_deep.gen_counters.u_counters.u_table.f_t1_valid ;
  generate
    if (NUM_FLOWLETS != 0) begin : gen_f_counters
      `EGRET_ASSERT(s17_word_o == \gen_deep.gen_counters.u_counters.s17_count_o ,
                    "word of a flowlet counter")
`ifdef PROVE_egret_deep
      // What egret_core is proven to give: slots behind the sweep.
      always @* assume (\gen_deep.gen_counters.u_counters.u_table.f_t1_valid );
      `EGRET_ASSUME(!clr_i)
      `EGRET_COVER(s17_word_o == 32'd2)
`endif
    end
  endgenerate
`endif

endmodule
`default_nettype wire
