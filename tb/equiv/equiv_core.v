// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_core, one event in any state of tables and registers. Clock 0 is a reset. In
// clock 1 the sweep is taken as done, all tables and registers get their values, and the event is
// offered; then nothing until its effects have settled. MATRIX is as in the C side,
// cmodel/test/equiv_core.c.
// clocks 46 if HASH_KIND == 2 else 20
// state 1 =1 u_core.u_intake.up_q
// state 1 =1 u_core.u_intake.have_credit_q
// state 1 g_members,g_bucket,g_row,g_shift,g_ordered,g_last,g_redraw,g_bank,g_scheme
//   u_core.u_groups.u_groups.gen_sync.mem[{i}]
// state 1 g_is_rr u_core.u_groups.u_spray_rr.gen_async.mem[{i}]
// state 1 bucket u_core.u_ecmp.u_buckets.gen_sync.mem[{i}]
// state 1 schedule u_core.u_schedule.u_rows.gen_sync.mem[{i}]
// state 1 pointer u_core.u_pointers.u_table.u_ram.gen_sync.mem[{i}]
// state 1 queue u_core.u_queues.u_depths.gen_sync.mem[{i}]
// state 1 packets,bytes u_core.u_result.u_counters.u_ports.u_ram.gen_sync.mem[{i}]
// state 1 ticks u_core.u_result.u_counters.u_groups.u_ram.gen_sync.mem[{i}]
// state 1 =0 u_core.u_hash.gen_matrix.u_hash.gen_nibble[{i//16}].u_table.gen_async.mem[{i%16}]
//   for 1312 if HASH_KIND == 1 and MATRIX == 1
// state 1 matrix u_core.u_hash.gen_matrix.u_hash.gen_nibble[{i//16}].u_table.gen_async.mem[{i%16}]
//   if MATRIX > 1
// state 1 matrix u_core.u_hash.gen_matrix.u_hash.u_readback.gen_sync.mem[{i}] if MATRIX > 1
// state 1 live u_core.u_globals.live_q
// state 1 stage u_core.u_groups.stage{i+1}_q
// state 1 crc16 u_core.u_hash.gen_regs.gen_algorithm.crc16_q if HASH_KIND == 0
// state 1 fields u_core.u_hash.gen_regs.fields_q if HASH_KIND != 1
// state 1 rotation u_core.u_hash.gen_regs.rotation_q if HASH_KIND != 1
// state 1 hash_seed u_core.u_hash.seed_q
// state 1 initial u_core.u_hash.gen_lookup3.initial_q if HASH_KIND == 2
// state 32 any_hash u_core.u_hash.gen_lookup3.u_hash.f31_hash_q if HASH_KIND == 2 and KIND == 0
// state 1 draw_seed u_core.u_globals.draw_seed_q
// state 1 class_ordered u_core.u_front.ordered_q
// state 1 generator u_core.u_word.gen_random.u_spray_random.state_q
// state 1 tick_count u_core.u_globals.tick_count_q
// state 1 tick_now u_core.u_globals.tick_now_q
// state 1 writes_ignored u_core.u_globals.writes_ignored_q
// state 1 events_ignored u_core.u_globals.events_ignored_q
// state 1 drops_scheme u_core.u_globals.drops_scheme_q
// state 1 drops_index u_core.u_globals.drops_index_q
// final to_members,to_bucket,to_row,to_shift,to_ordered,to_last,to_redraw,to_bank,to_scheme
//   u_core.u_groups.u_groups.gen_sync.mem[{i}] if SHIFT_W == 5
// final to_members,to_bucket,to_row,_1,to_ordered,to_last,to_redraw,to_bank,to_scheme
//   u_core.u_groups.u_groups.gen_sync.mem[{i}] if SHIFT_W == 1
// final to_is_rr u_core.u_groups.u_spray_rr.gen_async.mem[{i}]
// final to_buckets u_core.u_ecmp.u_buckets.gen_sync.mem[{i}]
// final to_schedule u_core.u_schedule.u_rows.gen_sync.mem[{i}]
// final to_pointer u_core.u_pointers.u_table.u_ram.gen_sync.mem[{i}]
// final to_queue u_core.u_queues.u_depths.gen_sync.mem[{i}]
// final to_packets,to_bytes u_core.u_result.u_counters.u_ports.u_ram.gen_sync.mem[{i}]
// final to_ticks u_core.u_result.u_counters.u_groups.u_ram.gen_sync.mem[{i}]
// final to_matrix u_core.u_hash.gen_matrix.u_hash.gen_nibble[{i//16}].u_table.gen_async.mem[{i%16}]
//   if MATRIX > 1
// final to_readback u_core.u_hash.gen_matrix.u_hash.u_readback.gen_sync.mem[{i}] if MATRIX > 1
// final to_live u_core.u_globals.live_q
// final to_stage u_core.u_groups.stage{i+1}_q
// final to_crc16 u_core.u_hash.gen_regs.gen_algorithm.crc16_q if HASH_KIND == 0
// final to_fields u_core.u_hash.gen_regs.fields_q if HASH_KIND != 1
// final to_rotation u_core.u_hash.gen_regs.rotation_q if HASH_KIND != 1
// final to_hash_seed u_core.u_hash.seed_q
// final to_initial u_core.u_hash.gen_lookup3.initial_q if HASH_KIND == 2
// final to_draw_seed u_core.u_globals.draw_seed_q
// final to_class_ordered u_core.u_front.ordered_q
// final to_generator u_core.u_word.gen_random.u_spray_random.state_q
// final to_tick_count u_core.u_globals.tick_count_q
// final to_tick_now u_core.u_globals.tick_now_q
// final to_writes_ignored u_core.u_globals.writes_ignored_q
// final to_events_ignored u_core.u_globals.events_ignored_q
// final to_drops_scheme u_core.u_globals.drops_scheme_q
// final to_drops_index u_core.u_globals.drops_index_q
`default_nettype none

module equiv_core #(
  parameter NUM_PORTS = 4,
  parameter NUM_GROUPS = 4,
  parameter NUM_KEYS = 16,
  parameter NUM_BINS = 2,
  parameter NUM_ROWS = 8,
  parameter ROW_LEN = 8,
  parameter NUM_BUCKETS = 64,
  parameter HASH_KIND = 0,
  parameter RSP_DEPTH = 16,
  parameter SCHEMES = 126,
  // Kind of the event as in egret/egret.h: 0 packet, 1 write, 2 read, 3 port, 4 queue, 5 tick.
  parameter KIND = 0
) (
  input  wire        clk_i,
  input  wire [47:0] now,
  input  wire [31:0] tag,
  input  wire [15:0] group,
  input  wire [15:0] key,
  input  wire [7:0]  bin,
  input  wire [3:0]  class,
  input  wire [15:0] length,
  input  wire [31:0] entropy,
  input  wire [23:0] addr,
  input  wire [31:0] data,
  input  wire [7:0]  port_id,
  input  wire        port_up,
  input  wire [31:0] depth,
  output wire [7:0]  result_clock,
  output wire [31:0] result_tag,
  output wire [31:0] result_data,
  output wire [7:0]  result_kind,
  output wire [7:0]  result_port,
  output wire [7:0]  result_choice,
  output wire [7:0]  result_scheme,
  output wire [7:0]  result_reason
);

  reg [7:0] clock_q;
  initial clock_q = 8'd0;
  always @(posedge clk_i) clock_q <= clock_q + 8'd1;
  wire now_on = clock_q == 8'd1;

  // What lies on the inputs while nothing is offered.
  (* anyseq *) wire [47:0]  other_now;
  (* anyseq *) wire [31:0]  other_tag, other_entropy, other_data, other_depth;
  (* anyseq *) wire [15:0]  other_group, other_key, other_length;
  (* anyseq *) wire [7:0]   other_bin, other_port;
  (* anyseq *) wire [3:0]   other_class;
  (* anyseq *) wire [327:0] other_record;
  (* anyseq *) wire [23:0]  other_addr;
  (* anyseq *) wire [1:0]   other_kind;
  (* anyseq *) wire         other_up;

  wire        rsp_valid;
  wire [1:0]  rsp_kind;
  wire [31:0] rsp_tag, rsp_data;
  wire [7:0]  rsp_port, rsp_choice;
  wire [3:0]  rsp_scheme;
  wire [2:0]  rsp_reason;

  egret_core #(
    .NUM_PORTS(NUM_PORTS), .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS),
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .NUM_BUCKETS(NUM_BUCKETS), .HASH_KIND(HASH_KIND),
    .RSP_DEPTH(RSP_DEPTH), .SCHEMES(SCHEMES)
  ) u_core (
    .clk_i        (clk_i),
    .rst_i        (clock_q == 8'd0),
    .init_done_o  (),
    .port_valid_i (now_on && KIND == 3),
    .port_ready_o (),
    .port_id_i    (now_on && KIND == 3 ? port_id : other_port),
    .port_up_i    (now_on && KIND == 3 ? port_up : other_up),
    .queue_valid_i(now_on && KIND == 4),
    .queue_ready_o(),
    .queue_id_i   (now_on && KIND == 4 ? port_id : other_port),
    .queue_depth_i(now_on && KIND == 4 ? depth : other_depth),
    .tick_valid_i (now_on && KIND == 5),
    .tick_ready_o (),
    .tick_now_i   (now_on && KIND == 5 ? now : other_now),
    .req_valid_i  (now_on && KIND <= 2),
    .req_ready_o  (),
    .req_kind_i   (now_on && KIND <= 2 ? KIND[1:0] : other_kind),
    .req_now_i    (other_now),
    .req_tag_i    (now_on ? (KIND == 2 ? {8'd0, addr} : tag) : other_tag),
    .req_group_i  (now_on && KIND == 0 ? group : other_group),
    .req_key_i    (now_on && KIND == 0 ? key : other_key),
    .req_bin_i    (now_on && KIND == 0 ? bin : other_bin),
    .req_class_i  (now_on && KIND == 0 ? class : other_class),
    .req_length_i (now_on && KIND == 0 ? length : other_length),
    .req_entropy_i(now_on && KIND == 0 ? entropy : other_entropy),
    .req_record_i (now_on && KIND == 0 ? 328'd0 : other_record),
    .req_addr_i   (now_on && KIND != 0 ? addr : other_addr),
    .req_data_i   (now_on && KIND != 0 ? data : other_data),
    .rsp_valid_o  (rsp_valid),
    .rsp_ready_i  (1'b1),
    .rsp_kind_o   (rsp_kind),
    .rsp_tag_o    (rsp_tag),
    .rsp_port_o   (rsp_port),
    .rsp_choice_o (rsp_choice),
    .rsp_scheme_o (rsp_scheme),
    .rsp_reason_o (rsp_reason),
    .rsp_data_o   (rsp_data)
  );

  // The result; a second one would add to the clock of the first.
  reg [7:0]  result_clock_q;
  reg [96:0] result_q;
  always @(posedge clk_i)
    if (clock_q == 8'd0) begin
      result_clock_q <= 8'd0;
      result_q       <= 97'd0;
    end else if (rsp_valid) begin
      result_clock_q <= result_clock_q + clock_q;
      result_q       <= {rsp_tag, rsp_data, 6'd0, rsp_kind, rsp_port, rsp_choice, 2'd0, rsp_scheme,
                         rsp_reason};
    end
  assign result_clock  = result_clock_q;
  assign result_tag    = result_q[96:65];
  assign result_data   = result_q[64:33];
  assign result_kind   = result_q[32:25];
  assign result_port   = result_q[24:17];
  assign result_choice = result_q[16:9];
  assign result_scheme = {2'd0, result_q[8:3]};
  assign result_reason = {5'd0, result_q[2:0]};

endmodule
`default_nettype wire
