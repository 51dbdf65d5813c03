// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_core, one event or two in any state of tables and registers. Clock 0 is a
// reset. In clock 1 the sweep is taken as done, all tables and registers get their values, and the
// first event is offered, DISTANCE clocks later the second; then nothing until all has settled.
// C side: cmodel/test/equiv_core.c, which says more of the parameters.
// clocks (46 if HASH_KIND == 2 else 20) + (4 if SCHEMES > 127 else 0) + DISTANCE * (EVENTS - 1)
// state 1 =1 u_core.u_intake.up_q
// state 1 =1 u_core.u_intake.have_credit_q
// state 1 g_members,g_bucket,g_row,g_shift,g_ordered,g_last,g_redraw,g_bank,g_scheme
//   u_core.u_groups.u_groups.gen_sync.mem[{i}]
// state 1 g_is_rr u_core.u_groups.u_spray_rr.gen_async.mem[{i}]
// state 1 bucket u_core.u_ecmp.u_buckets.gen_sync.mem[{i}]
// state 1 schedule u_core.u_schedule.u_rows.gen_sync.mem[{i}]
// state 1 pointer u_core.u_pointers.u_table.u_ram.gen_sync.mem[{i}]
// state 1 queue u_core.gen_queues.u_queues.u_depths.gen_sync.mem[{i}] if SCHEMES < 128
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
// final to_queue u_core.gen_queues.u_queues.u_depths.gen_sync.mem[{i}] if SCHEMES < 128
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
  parameter NUM_FLOWLETS = 0,
  // Events, 1 or 2; their kinds as in egret/egret.h: 0 packet, 1 write, 2 read, 3 port, 4 queue,
  // 5 tick; clocks between them.
  parameter EVENTS = 1,
  parameter KIND = 0,
  parameter KIND2 = 0,
  parameter DISTANCE = 1
) (
  input  wire                  clk_i,
  input  wire [48*EVENTS-1:0] now,
  input  wire [32*EVENTS-1:0] tag,
  input  wire [16*EVENTS-1:0] group,
  input  wire [16*EVENTS-1:0] key,
  input  wire [8*EVENTS-1:0] bin,
  input  wire [4*EVENTS-1:0] class,
  input  wire [16*EVENTS-1:0] length,
  input  wire [32*EVENTS-1:0] entropy,
  input  wire [24*EVENTS-1:0] addr,
  input  wire [32*EVENTS-1:0] data,
  input  wire [8*EVENTS-1:0] port_id,
  input  wire [1*EVENTS-1:0] port_up,
  input  wire [32*EVENTS-1:0] depth,
  output wire [8*EVENTS-1:0] result_clock,
  output wire [32*EVENTS-1:0] result_tag,
  output wire [32*EVENTS-1:0] result_data,
  output wire [8*EVENTS-1:0] result_kind,
  output wire [8*EVENTS-1:0] result_port,
  output wire [8*EVENTS-1:0] result_choice,
  output wire [8*EVENTS-1:0] result_scheme,
  output wire [8*EVENTS-1:0] result_reason
);

  reg [7:0] clock_q;
  initial clock_q = 8'd0;
  always @(posedge clk_i) clock_q <= clock_q + 8'd1;

  wire on0 = clock_q == 8'd1;
  wire on1 = EVENTS == 2 && clock_q == 1 + DISTANCE;

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

  // The event on each channel.
  wire port0  = on0 && KIND == 3, port1  = on1 && KIND2 == 3;
  wire queue0 = on0 && KIND == 4, queue1 = on1 && KIND2 == 4;
  wire tick0  = on0 && KIND == 5, tick1  = on1 && KIND2 == 5;
  wire req0   = on0 && KIND <= 2, req1   = on1 && KIND2 <= 2;
  wire packet = (on0 && KIND == 0) || (on1 && KIND2 == 0);
  localparam LAST = EVENTS - 1;

  wire        rsp_valid;
  wire [1:0]  rsp_kind;
  wire [31:0] rsp_tag, rsp_data;
  wire [7:0]  rsp_port, rsp_choice;
  wire [3:0]  rsp_scheme;
  wire [2:0]  rsp_reason;
  wire [31:0] tag0 = (KIND == 2) ? addr[23:0] : tag[31:0];
  wire [31:0] tag1 = (KIND2 == 2) ? addr[24*LAST +: 24] : tag[32*LAST +: 32];

  egret_core #(
    .NUM_PORTS(NUM_PORTS), .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS),
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .NUM_BUCKETS(NUM_BUCKETS), .HASH_KIND(HASH_KIND),
    .RSP_DEPTH(RSP_DEPTH), .SCHEMES(SCHEMES), .NUM_FLOWLETS(NUM_FLOWLETS), .PARITY(0)
  ) u_core (
    .clk_i        (clk_i),
    .rst_i        (clock_q == 8'd0),
    .init_done_o  (),
    .port_valid_i (port0 || port1),
    .port_ready_o (),
    .port_id_i    (port1 ? port_id[8*LAST +: 8] : port0 ? port_id[7:0] : other_port),
    .port_up_i    (port1 ? port_up[LAST] : port0 ? port_up[0] : other_up),
    .queue_valid_i(queue0 || queue1),
    .queue_ready_o(),
    .queue_id_i   (queue1 ? port_id[8*LAST +: 8] : queue0 ? port_id[7:0] : other_port),
    .queue_depth_i(queue1 ? depth[32*LAST +: 32] : queue0 ? depth[31:0] : other_depth),
    .tick_valid_i (tick0 || tick1),
    .tick_ready_o (),
    .tick_now_i   (tick1 ? now[48*LAST +: 48] : tick0 ? now[47:0] : other_now),
    .req_valid_i  (req0 || req1),
    .req_ready_o  (),
    .req_kind_i   (req1 ? KIND2[1:0] : req0 ? KIND[1:0] : other_kind),
    .req_now_i    (other_now),
    .req_tag_i    (req1 ? tag1 : req0 ? tag0 : other_tag),
    .req_group_i  (req1 ? group[16*LAST +: 16] : req0 ? group[15:0] : other_group),
    .req_key_i    (req1 ? key[16*LAST +: 16] : req0 ? key[15:0] : other_key),
    .req_bin_i    (req1 ? bin[8*LAST +: 8] : req0 ? bin[7:0] : other_bin),
    .req_class_i  (req1 ? class[4*LAST +: 4] : req0 ? class[3:0] : other_class),
    .req_length_i (req1 ? length[16*LAST +: 16] : req0 ? length[15:0] : other_length),
    .req_entropy_i(req1 ? entropy[32*LAST +: 32] : req0 ? entropy[31:0] : other_entropy),
    .req_record_i (packet ? 328'd0 : other_record),
    .req_addr_i   (req1 ? addr[24*LAST +: 24] : req0 ? addr[23:0] : other_addr),
    .req_data_i   (req1 ? data[32*LAST +: 32] : req0 ? data[31:0] : other_data),
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

  // The results as they come; one too many adds to the clock of the last.
  reg  [7:0]   first_clock_q, second_clock_q;
  reg  [103:0] first_q, second_q;
  wire [103:0] rsp = {rsp_tag, rsp_data, 6'd0, rsp_kind, rsp_port, rsp_choice, 4'd0, rsp_scheme,
                      5'd0, rsp_reason};
  wire         to_first = first_clock_q == 8'd0 || EVENTS == 1;
  always @(posedge clk_i)
    if (clock_q == 8'd0) begin
      first_clock_q  <= 8'd0;
      second_clock_q <= 8'd0;
      first_q        <= 104'd0;
      second_q       <= 104'd0;
    end else if (rsp_valid && to_first) begin
      first_clock_q <= first_clock_q + clock_q;
      first_q       <= rsp;
    end else if (rsp_valid) begin
      second_clock_q <= second_clock_q + clock_q;
      second_q       <= rsp;
    end

  wire [207:0] both   = {second_q, first_q};
  wire [15:0]  clocks = {second_clock_q, first_clock_q};
  genvar g;
  generate
    for (g = 0; g < EVENTS; g = g + 1) begin : gen_result
      assign result_clock[8*g +: 8] = clocks[8*g +: 8];
      assign {result_tag[32*g +: 32], result_data[32*g +: 32], result_kind[8*g +: 8],
              result_port[8*g +: 8], result_choice[8*g +: 8], result_scheme[8*g +: 8],
              result_reason[8*g +: 8]} = both[104*g +: 104];
    end
  endgenerate

endmodule
`default_nettype wire
