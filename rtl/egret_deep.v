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
`include "egret_regs.vh"

module egret_deep #(
  // As in egret_core.
  parameter NUM_PORTS = 16,
  parameter NUM_FLOWLETS = 0,
  parameter SCHEMES = 126,
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
  // S1: the slot; legal global write, commit of a group
  input  wire                 s1_global_write_i,
  input  wire                 s1_commit_i,
  input  wire [GROUP_W-1:0]   s1_table_group_i,
  input  wire [5:0]           s1_addr_i,
  input  wire [31:0]          s1_data_i,
  input  wire [15:0]          s1_length_i,
  input  wire [23:0]          s1_time_i,
  // S2: events tick and queue depth; words of the stage and load registers for a read
  input  wire                 s2_tick_i,
  input  wire                 s2_queue_i,
  input  wire [PORT_W-1:0]    s2_queue_id_i,
  input  wire [31:0]          s2_queue_depth_i,
  input  wire [23:0]          s2_addr_i,
  output wire [31:0]          s2_word_o,
  // S3: kind of packet; members that are live; words 5, 6 of the group
  output wire                 s3_small_o,
  input  wire                 s3_flowlet_i,
  input  wire                 s3_quality_i,
  input  wire [NUM_PORTS-1:0] s3_mask_i,
  input  wire [2:0]           s3_word_i,
  output wire [31:0]          s3_group_word_o,
  // S4: scales, band or queue depth of a port for a read
  input  wire                 s4_load_read_i,
  input  wire                 s4_write_load_i,
  output wire [31:0]          s4_word_o,
  // S6: hash, random number, address and kind of slot, group
  input  wire [31:0]          s6_hash_i,
  input  wire [31:0]          s6_number_i,
  input  wire [23:0]          s6_addr_i,
  input  wire                 s6_cfg_i,
  // S9: what the other schemes found
  input  wire                 s9_packet_i,
  input  wire                 s9_read_i,
  input  wire                 s9_write_i,
  input  wire [12:0]          s9_hit_i,
  input  wire [2:0]           s9_early_i,
  input  wire                 s9_down_i,
  input  wire [3:0]           s9_scheme_i,
  input  wire [31:0]          s9_data_i,
  input  wire [PORT_W-1:0]    s9_word_i,
  input  wire [PORT_W-1:0]    s9_choice_i,
  input  wire                 s9_live_i,
  input  wire [PORT_W-1:0]    s9_repair_port_i,
  input  wire [NUM_PORTS-1:0] s9_mask_i,
  // SR, the stage before the result: S13 if deep, else S9
  output wire                 sr_packet_o,
  output wire                 sr_read_o,
  output wire [12:0]          sr_hit_o,
  output wire [2:0]           sr_early_o,
  output wire                 sr_down_o,
  output wire [3:0]           sr_scheme_o,
  output wire [31:0]          sr_data_o,
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
  input  wire [GROUP_W-1:0]   s14_group_i,
  input  wire [23:0]          s14_addr_i,
  // S15, S17: words for a read
  output wire [31:0]          s15_word_o,
  output wire [31:0]          s17_word_o
);

  localparam [15:0] HAVE = SCHEMES[15:0];
  localparam LOAD    = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
  localparam FLOWLET = HAVE[`EGRET_SCHEME_FLOWLET];
  localparam FLOWLET_W = (NUM_FLOWLETS > 1) ? $clog2(NUM_FLOWLETS) : 1;

  generate
    if (EXTRA == 0) begin : gen_wires
      assign s2_word_o = 32'd0;
      assign s3_small_o = 1'b0;
      assign s3_group_word_o = 32'd0;
      assign s4_word_o = 32'd0;
      assign {sr_packet_o, sr_read_o} = {s9_packet_i, s9_read_i};
      assign sr_hit_o = s9_hit_i;
      assign sr_early_o = s9_early_i;
      assign sr_down_o = s9_down_i;
      assign sr_scheme_o = s9_scheme_i;
      assign sr_data_o = s9_data_i;
      assign sr_word_o = s9_word_i;
      assign sr_choice_o = s9_choice_i;
      assign sr_live_o = s9_live_i;
      assign sr_repair_port_o = s9_repair_port_i;
      assign sr_mask_o = s9_mask_i;
      assign s15_word_o = 32'd0;
      assign s17_word_o = 32'd0;
      wire unused_ok = &{1'b0, clk_i, rst_i, clr_i, clr_addr_i, s1_global_write_i, s1_commit_i,
                         s1_table_group_i, s1_addr_i, s1_data_i, s1_length_i, s1_time_i, s2_tick_i,
                         s2_queue_i, s2_queue_id_i, s2_queue_depth_i, s2_addr_i, s3_flowlet_i,
                         s3_quality_i, s3_mask_i, s3_word_i, s4_load_read_i, s4_write_load_i,
                         s6_hash_i, s6_number_i, s6_addr_i, s6_cfg_i, s9_write_i, s14_sent_i,
                         s14_port_i, s14_length_i, s14_read_i, s14_group_i, s14_addr_i, HAVE};
    end else begin : gen_deep
      // What is known at S9 waits.
      wire s13_write;
      wire [2:0] s13_early;
      wire [31:0] s13_data;
      wire [PORT_W-1:0] s13_choice;
      wire s13_live;
      egret_delay #(.WIDTH(3), .CYCLES(4), .RESET(1)) u_flags (
        .clk_i(clk_i), .rst_i(rst_i), .data_i({s9_packet_i, s9_read_i, s9_write_i}),
        .data_o({sr_packet_o, sr_read_o, s13_write}));
      egret_delay #(.WIDTH(54 + 3 * PORT_W), .CYCLES(4)) u_wait (
        .clk_i(clk_i), .rst_i(rst_i),
        .data_i({s9_hit_i, s9_early_i, s9_down_i, s9_scheme_i, s9_data_i, s9_word_i, s9_choice_i,
                 s9_live_i, s9_repair_port_i}),
        .data_o({sr_hit_o, s13_early, sr_down_o, sr_scheme_o, s13_data, sr_word_o, s13_choice,
                 s13_live, sr_repair_port_o}));
      egret_delay #(.WIDTH(NUM_PORTS), .CYCLES(4)) u_mask (
        .clk_i(clk_i), .rst_i(rst_i), .data_i(s9_mask_i), .data_o(sr_mask_o));
      assign sr_early_o = s13_early;
      
    end
  endgenerate

endmodule
`default_nettype wire
