// SPDX-License-Identifier: Apache-2.0
// Switch egress selection: one decision accepted every clock, results in order, one fixed latency.
//
//   S1 request register; group and pointer tables read     S2 RAM outputs
//   S3 group known: members & live, scheme                 S4 pointer step; lanes counted
//   S5 hash and old pointer known: repair bits r; draw     S6 r * L; draw; bucket index
//   S7 bucket and schedule tables read; k                  S8 RAM outputs; lane of the k-th member
//   S9 choice; live or repaired                            S10 result out; S10..S14 counters
//
// With `flowlet` or `spray-quality` (egret_deep) four stages lie between S9 and the result; every
// stage from S10 on is then four later than its name says outside egret_deep.
// Latency 10 clocks from the transfer of a request to the first valid of its result, 4 more if
// deep, 26 more with lookup3; a read 5 more. Order within a clock: port, queue, tick, req
// (egret_intake). Nothing behind the intake stalls; a slot is a packet, a write or a read, and each
// table is read, and written by configuration, at one stage, so that writes take effect exactly
// between two packets.
// State advances on transfers only. Reset at any clock is safe: all tables are swept after it.
// Bit order: byte 0 of the record is its most significant byte; element 0 of a vector is its least
// significant one. Decision rules: docs/spec/events.md, one page a scheme; timing:
// docs/spec/timing.md. C twin: egret_apply() in cmodel/select/apply.c.
// Does not: parse frames, route.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_core #(
  // Switch ports, 1..64.
  parameter NUM_PORTS = 16,
  // Next-hop groups, a power of two, 1..1024.
  parameter NUM_GROUPS = 32,
  // Rotation keys of `dr`, a power of two, 1..2048.
  parameter NUM_KEYS = 64,
  // Packet size bins, a power of two, 1..16.
  parameter NUM_BINS = 2,
  // Schedule rows a bank, a power of two, 1..256.
  parameter NUM_ROWS = 32,
  // Slots a schedule row, a power of two, 1..256.
  parameter ROW_LEN = 32,
  // Hash buckets of `ecmp`, a power of two, 1..65536.
  parameter NUM_BUCKETS = 1024,
  // 0: CRC-16/ARC and CRC-32C; 1: programmable matrix; 2: lookup3.
  parameter HASH_KIND = 1,
  // Results in flight and waiting, a power of two, more than the latency.
  parameter RSP_DEPTH = 16,
  // Bit c: the configuration has scheme c (1 ecmp, 2 spray-rr, 3 dr, 4 fixed, 5 entropy,
  // 6 spray-random, 7 spray-quality, 8 flowlet).
  parameter SCHEMES = 126,
  // Entries of the flowlet table, a power of two, 16..65536; 0 without `flowlet`.
  parameter NUM_FLOWLETS = 0,
  // 1: every entry of a table has parity (docs/spec/faults.md).
  parameter PARITY = 0,
  // 1: waiting results and the delay of the packet length in block RAM, for a device without LUT
  // RAM and with few registers; no effect on behaviour.
  parameter BLOCK_RAM = 0
) (
  input  wire         clk_i,
  input  wire         rst_i,
  output wire         init_done_o,
  // port: a port goes up or down
  input  wire         port_valid_i,
  output wire         port_ready_o,
  input  wire [7:0]   port_id_i,
  input  wire         port_up_i,
  // queue: occupancy of a port's queue in bytes
  input  wire         queue_valid_i,
  output wire         queue_ready_o,
  input  wire [7:0]   queue_id_i,
  input  wire [31:0]  queue_depth_i,
  // tick: closes a load period; now in nanoseconds
  input  wire         tick_valid_i,
  output wire         tick_ready_o,
  input  wire [47:0]  tick_now_i,
  // req: 0 packet, 1 configuration write, 2 configuration read, 3 write with bad parity (fault
  // write); a read's tag is its address
  input  wire         req_valid_i,
  output wire         req_ready_o,
  input  wire [1:0]   req_kind_i,
  input  wire [47:0]  req_now_i,
  input  wire [31:0]  req_tag_i,
  input  wire [15:0]  req_group_i,
  input  wire [15:0]  req_key_i,
  input  wire [7:0]   req_bin_i,
  input  wire [3:0]   req_class_i,
  input  wire [15:0]  req_length_i,
  input  wire [31:0]  req_entropy_i,
  input  wire [327:0] req_record_i,
  input  wire [23:0]  req_addr_i,
  input  wire [31:0]  req_data_i,
  // rsp: struct egret_decision; port and choice are 255 for a drop, 0 for a read
  output wire         rsp_valid_o,
  input  wire         rsp_ready_i,
  output wire [1:0]   rsp_kind_o,
  output wire [31:0]  rsp_tag_o,
  output wire [7:0]   rsp_port_o,
  output wire [7:0]   rsp_choice_o,
  output wire [3:0]   rsp_scheme_o,
  output wire [2:0]   rsp_reason_o,
  output wire [31:0]  rsp_data_o
);

  localparam PORT_W     = (NUM_PORTS > 1) ? $clog2(NUM_PORTS) : 1;
  localparam GROUP_W    = (NUM_GROUPS > 1) ? $clog2(NUM_GROUPS) : 1;
  localparam SLOT_W     = (ROW_LEN > 1) ? $clog2(ROW_LEN) : 1;
  localparam BUCKET_W   = (NUM_BUCKETS > 1) ? $clog2(NUM_BUCKETS) : 1;
  localparam POINTERS   = NUM_KEYS * NUM_BINS + NUM_GROUPS;
  localparam INDEX_W    = $clog2(POINTERS);
  localparam SCHEDULE_W = 1 + $clog2(NUM_ROWS) + $clog2(ROW_LEN);
  localparam READ_GAP   = 5;
  localparam DELAY      = (HASH_KIND == 2) ? 26 : 0;
  localparam [15:0] HAVE = SCHEMES[15:0];
  localparam LOAD       = HAVE[`EGRET_SCHEME_SPRAY_QUALITY];
  localparam EXTRA      = (HAVE[`EGRET_SCHEME_SPRAY_QUALITY] | HAVE[`EGRET_SCHEME_FLOWLET]) ? 4 : 0;
  localparam LATENCY    = 10 + EXTRA + DELAY;

  // The sweep covers the deepest table.
  localparam SWEEP_A  = (BUCKET_W > SCHEDULE_W) ? BUCKET_W : SCHEDULE_W;
  localparam SWEEP_B  = (INDEX_W > GROUP_W + 1) ? INDEX_W : GROUP_W + 1;
  localparam SWEEP_C  = (SWEEP_A > SWEEP_B) ? SWEEP_A : SWEEP_B;
  localparam SWEEP_D  = (HASH_KIND == 1) ? 11 : 4;
  localparam SWEEP_E  = (SWEEP_C > SWEEP_D) ? SWEEP_C : SWEEP_D;
  localparam SWEEP_F  = (SWEEP_E > PORT_W) ? SWEEP_E : PORT_W;
  localparam SWEEP_G  = (NUM_FLOWLETS > 1) ? $clog2(NUM_FLOWLETS) : 1;
  localparam SWEEP_H  = (SWEEP_F > SWEEP_G) ? SWEEP_F : SWEEP_G;
  localparam SWEEP_W  = (NUM_FLOWLETS != 0 && GROUP_W + 3 > SWEEP_H) ? GROUP_W + 3 : SWEEP_H;

  egret_check_params #(
    .NUM_PORTS(NUM_PORTS), .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS),
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .NUM_BUCKETS(NUM_BUCKETS), .HASH_KIND(HASH_KIND),
    .RSP_DEPTH(RSP_DEPTH), .SCHEMES(SCHEMES), .NUM_FLOWLETS(NUM_FLOWLETS), .PARITY(PARITY),
    .LATENCY(LATENCY)
  ) u_check_params ();

  // A flowlet's time is in units of 16 ns, 24 bits.
  wire unused_req = &{1'b0, req_now_i[47:28], req_now_i[3:0]};

  // Intake ----------------------------------------------------------------------------------------
  wire               sweep;
  wire [SWEEP_W-1:0] sweep_addr;
  wire               req_take = req_valid_i & req_ready_o;

  egret_intake #(
    .NUM_PORTS(NUM_PORTS), .SWEEP_W(SWEEP_W), .RSP_DEPTH(RSP_DEPTH), .READ_GAP(READ_GAP),
    .TICK_WALK(LOAD ? 32 : 4)
  ) u_intake (
    .clk_i(clk_i), .rst_i(rst_i), .sweep_o(sweep), .sweep_addr_o(sweep_addr),
    .init_done_o(init_done_o), .port_ready_o(port_ready_o), .queue_ready_o(queue_ready_o),
    .tick_valid_i(tick_valid_i), .tick_ready_o(tick_ready_o), .req_valid_i(req_valid_i),
    .req_kind_i(req_kind_i), .req_ready_o(req_ready_o), .rsp_take_i(rsp_valid_o & rsp_ready_i)
  );

  // F0, F1: decode and first registers; S1: group, pointer and spray-rr tables are read -----------
  wire [5:0]         s1_flags;
  wire [96:0]        s1_event;
  wire [13:0]        s1_address_hit;
  wire [3:0]         s1_may;
  wire               s1_group_ok, s1_ordered;
  wire [1:0]         s1_rr;
  wire [GROUP_W-1:0] s0_rr_group, s1_group, s1_table_group, s1_rr_group;
  wire [15:0]        s1_key, s1_length;
  wire [7:0]         s1_bin;
  wire [23:0]        s1_addr, s1_time;
  wire [31:0]        s1_data, s1_word, s1_entropy, f1_data, f1_word, f1_tag;
  wire [10:0]        f1_addr;
  wire               f1_write, f1_result, s1_fault;
  wire [6:0]         s1_stage;
  wire [5:0]         s1_data_parity;

  egret_front #(
    .NUM_PORTS(NUM_PORTS), .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS),
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .NUM_BUCKETS(NUM_BUCKETS), .HASH_KIND(HASH_KIND),
    .NUM_FLOWLETS(NUM_FLOWLETS), .SCHEMES(SCHEMES), .PARITY(PARITY), .GROUP_W(GROUP_W),
    .DELAY(DELAY)
  ) u_front (
    .clk_i(clk_i), .rst_i(rst_i),
    .f0_event_take_i({tick_valid_i & tick_ready_o, queue_valid_i & queue_ready_o,
      port_valid_i & port_ready_o}),
    .f0_event_i({tick_now_i, queue_depth_i, queue_id_i, port_id_i, port_up_i}),
    .f0_take_i(req_take), .f0_kind_i(req_kind_i), .f0_group_i(req_group_i), .f0_key_i(req_key_i),
    .f0_bin_i(req_bin_i), .f0_length_i(req_length_i), .f0_addr_i(req_addr_i),
    .f0_data_i(req_data_i), .f0_class_i(req_class_i), .f0_entropy_i(req_entropy_i),
    .f0_time_i(req_now_i[27:4]), .f0_tag_i(req_tag_i), .f1_result_o(f1_result), .f1_tag_o(f1_tag),
    .f1_write_o(f1_write), .f1_addr_o(f1_addr), .f1_data_o(f1_data), .f1_word_i(f1_word),
    .s1_flags_o(s1_flags), .s1_event_o(s1_event), .s1_fault_o(s1_fault),
    .s1_parity_o(s1_data_parity), .s1_rr_o(s1_rr), .s1_address_hit_o(s1_address_hit),
    .s1_may_o(s1_may), .s1_stage_o(s1_stage), .s1_group_ok_o(s1_group_ok), .s1_group_o(s1_group),
    .s1_table_group_o(s1_table_group), .s0_rr_group_o(s0_rr_group), .s1_rr_group_o(s1_rr_group),
    .s1_key_o(s1_key), .s1_bin_o(s1_bin), .s1_length_o(s1_length), .s1_addr_o(s1_addr),
    .s1_data_o(s1_data), .s1_ordered_o(s1_ordered), .s1_entropy_o(s1_entropy), .s1_time_o(s1_time),
    .s1_word_o(s1_word)
  );

  wire        s1_packet = s1_flags[0], s1_write = s1_flags[1], s1_read = s1_flags[2];
  wire        s1_commit = s1_write & s1_stage[6];
  wire        s1_spray_rr, s1_dr_legal;
  wire [31:0] s1_draw_seed;

  // S2, S3: groups, globals, queue depths ---------------------------------------------------------
  // Bit s of packet, write, read: the slot at stage Ss is one.
  wire [9:2]  packet, write, read, fault;
  wire        s2_ok;
  wire [12:0] s2_hit, s3_hit, s4_hit, s6_hit, s7_hit, s9_hit;
  wire [23:0] s2_addr, s3_addr, s6_addr, s10_addr;
  egret_write_check #(.NUM_PORTS(NUM_PORTS), .HASH_KIND(HASH_KIND)) u_write_check (
    .clk_i(clk_i), .s1_may_i(s1_may), .s1_data_i(s1_data), .s1_fault_i(s1_fault),
    .s1_counters_i({s1_address_hit[`EGRET_HIT_FLOWCNT], s1_address_hit[`EGRET_HIT_GROUPCNT],
                    s1_address_hit[`EGRET_HIT_PORTCNT]}), .s2_ok_o(s2_ok));
  egret_slots u_slots (
    .clk_i(clk_i), .rst_i(rst_i), .s1_packet_i(s1_packet), .s1_write_i(s1_write),
    .s1_read_i(s1_read), .s1_hit_i(s1_address_hit[12:0]), .s2_ok_i(s2_ok), .s1_addr_i(s1_addr),
    .s1_fault_i(s1_fault), .fault_o(fault), .packet_o(packet), .write_o(write), .read_o(read),
    .s2_hit_o(s2_hit), .s3_hit_o(s3_hit), .s4_hit_o(s4_hit), .s6_hit_o(s6_hit), .s7_hit_o(s7_hit),
    .s9_hit_o(s9_hit), .s2_addr_o(s2_addr), .s3_addr_o(s3_addr), .s6_addr_o(s6_addr)
  );
  reg  [2:0]  s2_event_q;
  reg  [1:0]  s2_bad_q;
  reg  [96:0] s2_events_q;
  reg         s2_group_ok_q, s2_dr_legal_q, s3_group_ok_q, s3_dr_legal_q, s4_zero_q;
  reg  [31:0] s2_data_q, s3_data_q, s3_stage_q, s3_deep_q, s4_data_q, s4_global_q, s4_group_q;
  wire [31:0] s2_deep_word, s3_deep_word, s4_deep_word, s2_seed_word, s2_stage_word;
  wire [31:0] s3_global_word, s3_group_word;
  wire [3:0]  s3_scheme, s3_redraw;
  wire [4:0]  s3_shift;
  wire [SLOT_W-1:0] s3_last;
  wire [15:0] s3_row_base, s3_row_mask, s3_bucket_base, s3_bucket_mask;
  wire [NUM_PORTS-1:0] s3_members, s3_live;
  wire        s1_parity, s3_parity, s3_bank, s4_bad, s5_bad, s5_pointer_bad, s6_hash_bad, s6_hashed;
  wire        s6_matrix_bad = s6_hash_bad & s6_hashed;

  egret_groups #(
    .NUM_PORTS(NUM_PORTS), .GROUP_W(GROUP_W), .ROW_LEN(ROW_LEN), .SLOT_W(SLOT_W),
    .SHIFT_W(HAVE[`EGRET_SCHEME_ENTROPY] ? 5 : 1), .PARITY(PARITY)
  ) u_groups (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(sweep), .clr_addr_i(sweep_addr[GROUP_W-1:0]),
    .s1_group_i(s1_table_group), .s0_own_group_i(s0_rr_group), .s1_commit_i(s1_commit),
    .s1_fault_i(s1_fault), .s1_data_parity_i(s1_data_parity[3:0]), .s1_rr_i(s1_rr),
    .s1_parity_i(s1_parity), .s3_parity_i(s3_parity), .s4_bad_o(s4_bad), .s1_write_i(s1_write),
    .s1_stage_i(s1_stage[3:0]), .s1_data_i(s1_data), .s1_ordered_i(s1_ordered),
    .s1_spray_rr_o(s1_spray_rr), .s2_stage_o(s2_stage_word), .s3_scheme_o(s3_scheme),
    .s3_shift_o(s3_shift), .s3_bank_o(s3_bank), .s3_redraw_o(s3_redraw), .s3_last_o(s3_last),
    .s3_row_base_o(s3_row_base), .s3_row_mask_o(s3_row_mask), .s3_bucket_base_o(s3_bucket_base),
    .s3_bucket_mask_o(s3_bucket_mask), .s3_members_o(s3_members), .s3_word_i(s3_addr[2:0]),
    .s3_data_o(s3_group_word)
  );

  wire [31:0] s4_queue;
  generate
    if (LOAD) begin : gen_no_queues // egret_load has them
      assign s4_queue = 32'd0;
    end else begin : gen_queues
      egret_queues #(.PORT_W(PORT_W)) u_queues (
        .clk_i(clk_i), .rst_i(rst_i), .clr_i(sweep), .clr_addr_i(sweep_addr[PORT_W-1:0]),
        .s2_valid_i(s2_event_q[1]), .s2_id_i(s2_events_q[9 +: PORT_W]),
        .s2_depth_i(s2_events_q[48:17]), .s2_addr_i(s2_addr[PORT_W-1:0]), .s4_depth_o(s4_queue)
      );
    end
  endgenerate

  wire        s10_drop_scheme, s10_drop_index;
  wire [31:0] s11_global_word;
  egret_globals #(
    .NUM_PORTS(NUM_PORTS), .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS),
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .NUM_BUCKETS(NUM_BUCKETS), .HASH_KIND(HASH_KIND),
    .SCHEMES(SCHEMES), .NUM_FLOWLETS(NUM_FLOWLETS), .PARITY(PARITY), .LATENCY(LATENCY)
  ) u_globals (
    .clk_i(clk_i), .rst_i(rst_i), .s1_write_i(s1_write & s1_address_hit[`EGRET_HIT_GLOBAL]),
    .s1_addr_i(s1_addr[5:0]), .s1_data_i(s1_data), .s1_draw_seed_o(s1_draw_seed),
    .s2_port_valid_i(s2_event_q[0]), .s2_port_id_i(s2_events_q[8:1]), .s2_port_up_i(s2_events_q[0]),
    .s2_bad_i(s2_bad_q), .s2_tick_valid_i(s2_event_q[2]), .s2_tick_now_i(s2_events_q[96:49]),
    .s2_ignored_i(write[2] & ~s2_ok), .s2_addr_i(s2_addr[5:0]), .s2_word_o(s2_seed_word),
    .s3_live_o(s3_live), .s3_word_o(s3_global_word), .s10_drop_scheme_i(s10_drop_scheme),
    .s10_drop_index_i(s10_drop_index), .s10_addr_i(s10_addr[5:0]), .s11_word_o(s11_global_word)
  );

  // Flags of the slot down the pipe; events that name a port beyond the last count as bad.
  wire s1_port_bad  = {24'd0, s1_event[8:1]} >= NUM_PORTS;
  wire s1_queue_bad = {24'd0, s1_event[16:9]} >= NUM_PORTS;
  always @(posedge clk_i)
    if (rst_i) begin
      s2_event_q <= 3'd0;
      s2_bad_q   <= 2'd0;
    end else begin
      s2_event_q <= {s1_flags[5], s1_flags[4] & ~s1_queue_bad, s1_flags[3] & ~s1_port_bad};
      s2_bad_q   <= {1'b0, s1_flags[4] & s1_queue_bad} + {1'b0, s1_flags[3] & s1_port_bad};
    end

  // What the scheme asks of the stages behind.
  wire       s3_small, s3_flowlet, s3_quality, s3_fixed, s4_random, s4_advance, s5_rotate;
  wire       s5_random, s5_bucket;
  wire       s5_take_entry, s5_take_high, s5_take_low, s5_take_other;
  wire [2:0] s5_early;
  wire [3:0] s4_scheme;
  reg        s4_redraw_en_q;
  reg  [3:0] s4_redraw_less1_q;
  reg  [SLOT_W-1:0] s4_last_q;

  egret_scheme #(.SCHEMES(SCHEMES)) u_scheme (
    .clk_i(clk_i), .rst_i(rst_i), .s3_packet_i(packet[3]), .s3_scheme_i(s3_scheme),
    .s3_group_ok_i(s3_group_ok_q), .s3_no_member_i(s3_members == {NUM_PORTS{1'b0}}),
    .s3_dr_legal_i(s3_dr_legal_q), .s3_small_i(s3_small), .s3_flowlet_o(s3_flowlet),
    .s3_quality_o(s3_quality), .s3_fixed_o(s3_fixed),
    .s4_pointer_read_i(read[4] & s4_hit[`EGRET_HIT_POINTER]), .s4_scheme_o(s4_scheme),
    .s4_random_o(s4_random), .s4_advance_o(s4_advance), .s5_rotate_o(s5_rotate),
    .s5_random_o(s5_random), .s5_bucket_o(s5_bucket), .s5_take_entry_o(s5_take_entry),
    .s5_take_high_o(s5_take_high), .s5_take_low_o(s5_take_low), .s5_take_other_o(s5_take_other),
    .s5_early_o(s5_early), .s4_bad_i(s4_bad), .s5_bad_o(s5_bad), .s6_hashed_o(s6_hashed)
  );

  always @(posedge clk_i) begin
    s2_events_q   <= s1_event;
    s2_group_ok_q <= s1_group_ok;
    s3_group_ok_q <= s2_group_ok_q;
    s2_dr_legal_q <= s1_dr_legal;
    s3_dr_legal_q <= s2_dr_legal_q;

    // The data of a write stays; that of a read gathers at each stage.
    s2_data_q <= s1_read ? s1_word : s1_data;
    s3_data_q   <= s2_data_q | (s2_seed_word & {32{read[2] & s2_hit[`EGRET_HIT_GLOBAL]}});
    s4_zero_q   <= s3_data_q == 32'd0;
    s3_stage_q  <= s2_stage_word;
    s3_deep_q   <= s2_deep_word;
    s4_data_q   <= s3_data_q | ((s3_stage_q | s3_deep_q) &
                                {32{read[3] & s3_hit[`EGRET_HIT_GLOBAL]}});
    s4_global_q <= s3_global_word;
    s4_group_q  <= s3_group_word | s3_deep_word;

    s4_redraw_less1_q <= s3_redraw - 4'd1;
    s4_redraw_en_q    <= |s3_redraw;
    s4_last_q         <= s3_last;
  end

  // S4..S7: pointer, hash -------------------------------------------------------------------------
  wire [31:0] s4_matrix_word, s5_entry, s5_hash;
  wire [15:0] s5_entry_random, s7_draw;
  wire [SLOT_W-1:0] s6_slot;

  egret_pointers #(
    .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS), .ROW_LEN(ROW_LEN),
    .SLOT_W(SLOT_W), .GROUP_W(GROUP_W), .INDEX_W(INDEX_W), .PARITY(PARITY)
  ) u_pointers (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(sweep), .clr_addr_i(sweep_addr[INDEX_W-1:0]),
    .s1_valid_i(|s1_flags[2:0]), .s1_spray_rr_i(s1_packet ? s1_spray_rr : s1_addr[19]),
    .s1_group_i(s1_rr_group), .s1_key_i(s1_key), .s1_bin_i(s1_bin), .s1_seed_i(s1_draw_seed),
    .s1_dr_legal_o(s1_dr_legal), .s4_last_i(s4_last_q), .s4_redraw_less1_i(s4_redraw_less1_q),
    .s4_redraw_en_i(s4_redraw_en_q), .s4_advance_i(s4_advance),
    .s4_write_i(write[4] & s4_hit[`EGRET_HIT_POINTER]), .s4_fault_i(fault[4]),
    .s5_bad_o(s5_pointer_bad), .s4_data_i(s4_data_q), .s5_entry_o(s5_entry),
    .s5_random_o(s5_entry_random), .s6_slot_o(s6_slot), .s7_draw_o(s7_draw)
  );

  wire [SWEEP_W+10:0] wide_addr = {11'd0, sweep_addr};
  wire                unused_wide = &{1'b0, wide_addr};

  egret_hash #(.HASH_KIND(HASH_KIND), .PARITY(PARITY)) u_hash (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(sweep), .clr_addr_i(wide_addr[10:0]),
    .f0_write_i(req_take & req_kind_i[0] & (PARITY != 0 || ~req_kind_i[1])), .f0_addr_i(req_addr_i),
    .f0_fields_i(req_data_i[6:0]), .f0_record_i(req_record_i), .f1_write_i(f1_write),
    .f1_addr_i(f1_addr), .f1_data_i(f1_data), .f1_word_o(f1_word),
    .s1_write_i(s1_write & s1_address_hit[`EGRET_HIT_MATRIX]), .s1_fault_i(s1_fault),
    .s1_parity_i(s1_data_parity[1]), .s4_word_o(s4_matrix_word), .s5_hash_o(s5_hash),
    .s6_bad_o(s6_hash_bad)
  );

  // Repair bits and the word of the result.
  wire [31:0] s6_data, s6_number;
  wire [15:0] s6_random;
  egret_word #(.SCHEMES(SCHEMES)) u_word (
    .clk_i(clk_i), .rst_i(rst_i), .s1_entropy_i(s1_entropy), .s3_shift_i(s3_shift),
    .s3_is_random_i(s3_hit[`EGRET_HIT_GLOBAL] & s3_addr[5:0] == `EGRET_G_RANDOM),
    .s4_packet_i(packet[4]), .s4_write_i(write[4]), .s4_read_i(read[4]), .s4_random_i(s4_random),
    .s4_take_i({s4_hit[`EGRET_HIT_MATRIX], s4_hit[`EGRET_HIT_QUEUE], s4_hit[`EGRET_HIT_GROUP],
      s4_hit[`EGRET_HIT_GLOBAL]} & {4{read[4]}}), .s4_data_i(s4_data_q), .s4_zero_i(s4_zero_q),
    .s4_global_i(s4_global_q), .s4_group_i(s4_group_q), .s4_queue_i(s4_queue | s4_deep_word),
    .s4_matrix_i(s4_matrix_word), .s5_hash_i(s5_hash), .s5_entry_i(s5_entry),
    .s5_entry_random_i(s5_entry_random), .s5_rotate_i(s5_rotate), .s5_random_i(s5_random),
    .s5_take_entry_i(s5_take_entry), .s5_take_high_i(s5_take_high), .s5_take_low_i(s5_take_low),
    .s5_take_other_i(s5_take_other), .s6_data_o(s6_data), .s6_number_o(s6_number),
    .s6_random_o(s6_random)
  );

  // S6..S9: choice and repair ---------------------------------------------------------------------
  wire [15:0] s6_bucket_base, s6_bucket_mask;
  wire        s6_any;
  wire [7:0]  s6_row_base, s6_row_mask;
  reg  [7:0]  s7_row_base_q, s7_row_mask_q;
  wire        s6_bank;
  reg         s7_bank_q;
  reg  [SLOT_W-1:0] s7_slot_q;
  wire [PORT_W-1:0] s9_bucket_port, s9_schedule_port, s9_repair_port;
  wire [NUM_PORTS-1:0] s9_mask;
  reg  [31:0] s7_data_q, s8_data_q, s9_data_q;
  reg         s7_down_q, s8_down_q, s9_down_q;
  reg  [2:0]  s6_early_q, s7_early_q, s8_early_q, s9_early_q;
  reg         s6_bucket_q, s7_bucket_q, s8_bucket_q, s9_bucket_q;
  reg         s6_choose_q, s7_choose_q, s8_choose_q, s9_choose_q;

  wire [15:0] s3_packet_mask;
  egret_fixed u_fixed (.fixed_i(s3_fixed), .mask_i(s3_bucket_mask), .mask_o(s3_packet_mask));
  egret_delay #(.WIDTH(32), .CYCLES(3)) u_bucket_args (
    .clk_i(clk_i), .rst_i(rst_i), .data_i({s3_bucket_base, s3_packet_mask}),
    .data_o({s6_bucket_base, s6_bucket_mask}));
  egret_delay #(.WIDTH(17), .CYCLES(3)) u_row_args (
    .clk_i(clk_i), .rst_i(rst_i), .data_i({s3_bank, s3_row_base[7:0], s3_row_mask[7:0]}),
    .data_o({s6_bank, s6_row_base, s6_row_mask}));
  egret_delay #(.WIDTH(24), .CYCLES(4 + EXTRA)) u_addr10 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s6_addr), .data_o(s10_addr));

  // A configuration slot names its schedule slot itself.
  wire s6_cfg = read[6] | write[6];
  always @(posedge clk_i) begin
    s7_bank_q     <= s6_cfg ? s6_addr[16] : s6_bank;
    s7_row_base_q <= s6_cfg ? s6_addr[15:8] : s6_row_base;
    s7_row_mask_q <= s6_row_mask & {8{~s6_cfg}};
    s7_slot_q     <= s6_cfg ? s6_addr[SLOT_W-1:0] : s6_slot;
  end

  wire s9_bucket_bad, s9_schedule_bad;
  egret_ecmp #(
    .NUM_BUCKETS(NUM_BUCKETS), .BUCKET_W(BUCKET_W), .PORT_W(PORT_W), .PARITY(PARITY)
  ) u_ecmp (
    .clk_i(clk_i), .clr_i(sweep), .clr_addr_i(sweep_addr[BUCKET_W-1:0]),
    .s6_hash_i(s6_data[15:0]), .s6_base_i(s6_bucket_base), .s6_mask_i(s6_bucket_mask),
    .s6_cfg_i(s6_cfg), .s6_cfg_addr_i(s6_addr[BUCKET_W-1:0]),
    .s7_write_i(write[7] & s7_hit[`EGRET_HIT_BUCKET]), .s7_data_i(s7_data_q[PORT_W-1:0]),
    .s7_fault_i(fault[7]), .s9_port_o(s9_bucket_port), .s9_bad_o(s9_bucket_bad)
  );

  egret_schedule #(
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .SLOT_W(SLOT_W), .ADDR_W(SCHEDULE_W), .PORT_W(PORT_W),
    .PARITY(PARITY)
  ) u_schedule (
    .clk_i(clk_i), .clr_i(sweep), .clr_addr_i(sweep_addr[SCHEDULE_W-1:0]),
    .s7_draw_i(s7_draw[7:0]), .s7_base_i(s7_row_base_q), .s7_mask_i(s7_row_mask_q),
    .s7_bank_i(s7_bank_q), .s7_slot_i(s7_slot_q),
    .s7_write_i(write[7] & s7_hit[`EGRET_HIT_SCHEDULE]), .s7_data_i(s7_data_q[PORT_W-1:0]),
    .s7_fault_i(fault[7]), .s9_port_o(s9_schedule_port), .s9_bad_o(s9_schedule_bad)
  );

  egret_live_repair #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W)) u_live_repair (
    .clk_i(clk_i), .s3_mask_i(s3_members & s3_live), .s6_r_i(s6_random), .s6_any_o(s6_any),
    .s9_mask_o(s9_mask), .s9_port_o(s9_repair_port));

  always @(posedge clk_i) begin
    {s9_bucket_q, s8_bucket_q, s7_bucket_q, s6_bucket_q} <=
      {s8_bucket_q, s7_bucket_q, s6_bucket_q, s5_bucket};
    {s9_choose_q, s8_choose_q, s7_choose_q, s6_choose_q} <=
      {s8_choose_q, s7_choose_q, s6_choose_q, s5_random};
    s6_early_q <= s5_early;
    s7_early_q <= s6_matrix_bad ? `EGRET_REASON_DROP_FAULT : s6_early_q;
    s8_early_q <= s7_early_q;
    s9_early_q <= s8_early_q;
    s7_down_q  <= ~s6_any;
    s8_down_q  <= s7_down_q;
    s9_down_q  <= s8_down_q;
    s7_data_q  <= s6_data & {32{~s6_matrix_bad}};
    s8_data_q  <= s7_data_q;
    s9_data_q  <= s8_data_q;
  end

  // Bad parity: pointer, matrix, group; at S9 also the table entry that the choice comes from.
  wire [2:0] s9_bad;
  wire       s9_table = packet[9] & ~s9_choose_q & ~s9_down_q & s9_early_q == 3'd0;
  generate
    if (PARITY != 0) begin : gen_faults
      reg [1:0] s6_bad_q;
      always @(posedge clk_i) s6_bad_q <= {s5_pointer_bad, s5_bad};
      egret_delay #(.WIDTH(3), .CYCLES(3)) u_bad (
        .clk_i(clk_i), .rst_i(rst_i), .data_o(s9_bad),
        .data_i({s6_bad_q[1], s6_matrix_bad, s6_bad_q[0]}));
    end else begin : gen_no_faults
      wire unused_bad = &{1'b0, s5_bad, s5_pointer_bad};
      assign s9_bad = 3'd0;
    end
  endgenerate

  // S9: choice; flowlets and load; result, counters, read data ------------------------------------
  wire              res_valid, res_read, res_drop, s9_live, s9_choice_bad;
  wire [PORT_W-1:0] res_port, res_choice, s9_choice;
  wire [3:0]        res_scheme, s9_scheme;
  wire [2:0]        res_reason, sr_early;
  wire [31:0]       res_data, s11_deep_word, s13_deep_word;
  wire [15:0]       s10_length;
  wire [GROUP_W-1:0] s10_group;
  wire              s10_group_ok, s10_read, s10_sent;
  wire              sr_packet, sr_read, sr_down, sr_live, sr_fault, s10_fault, s13_flowcnt_bad;
  wire [6:0]        sr_bad;
  wire [12:0]       sr_hit;
  wire [3:0]        sr_scheme;
  wire [31:0]       sr_data, sr_read_data;
  wire [PORT_W-1:0] sr_word, sr_choice, sr_repair_port;
  wire [NUM_PORTS-1:0] sr_mask;

  egret_delay #(.WIDTH(4), .CYCLES(5)) u_scheme9 (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s4_scheme), .data_o(s9_scheme));
  egret_delay #(.WIDTH(16), .CYCLES(9 + EXTRA), .BLOCK_RAM(BLOCK_RAM)) u_length (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s1_length), .data_o(s10_length));
  egret_delay #(.WIDTH(1 + GROUP_W), .CYCLES(9 + EXTRA)) u_group (
    .clk_i(clk_i), .rst_i(rst_i), .data_i({s1_group_ok, s1_group}),
    .data_o({s10_group_ok, s10_group}));

  egret_choice #(.NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W), .PARITY(PARITY)) u_choice (
    .bucket_i(s9_bucket_q), .random_i(s9_choose_q), .bucket_port_i(s9_bucket_port),
    .schedule_port_i(s9_schedule_port), .repair_port_i(s9_repair_port), .mask_i(s9_mask),
    .bucket_bad_i(s9_bucket_bad), .schedule_bad_i(s9_schedule_bad), .pointer_bad_i(s9_bad[2]),
    .port_o(s9_choice), .bad_o(s9_choice_bad), .live_o(s9_live)
  );

  egret_deep #(
    .NUM_PORTS(NUM_PORTS), .NUM_FLOWLETS(NUM_FLOWLETS), .SCHEMES(SCHEMES), .PARITY(PARITY),
    .PORT_W(PORT_W), .GROUP_W(GROUP_W), .SWEEP_W(SWEEP_W), .EXTRA(EXTRA)
  ) u_deep (
    .clk_i(clk_i), .rst_i(rst_i), .clr_i(sweep), .clr_addr_i(sweep_addr),
    .s1_global_write_i(s1_write & s1_address_hit[`EGRET_HIT_GLOBAL]), .s1_tick_i(s1_flags[5]),
    .s1_write_i(s1_write), .s1_stage_i(s1_stage[5:4]), .s1_commit_i(s1_commit),
    .s1_table_group_i(s1_table_group), .s1_group_i(s1_group), .s1_addr_i(s1_addr[5:0]),
    .s1_data_i(s1_data), .s1_length_i(s1_length), .s1_time_i(s1_time), .s2_queue_i(s2_event_q[1]),
    .s2_queue_id_i(s2_events_q[9 +: PORT_W]),
    .s2_load_write_i(write[2] & s2_hit[`EGRET_HIT_LOAD] & ~s2_addr[1]), .s2_data_i(s2_data_q),
    .s2_queue_depth_i(s2_events_q[48:17]), .s2_addr_i(s2_addr), .s2_word_o(s2_deep_word),
    .s3_small_o(s3_small), .s3_flowlet_i(s3_flowlet), .s3_quality_i(s3_quality),
    .s3_mask_i(s3_members & s3_live), .s3_word_i(s3_addr[2:0]), .s3_group_word_o(s3_deep_word),
    .s4_word_o(s4_deep_word), .s1_data_parity_i(s1_data_parity[5:4]),
    .s1_port_i(s1_addr[2 +: PORT_W]), .s1_queue_id_i(s1_event[9 +: PORT_W]),
    .s1_parity_o(s1_parity), .s3_parity_o(s3_parity), .s6_fault_i(fault[6]), .s9_fault_i(fault[9]),
    .s9_bad_i({s9_bad[2] & packet[9], s9_table & ~s9_bucket_q & s9_schedule_bad,
      s9_table & s9_bucket_q & s9_bucket_bad, s9_bad[1:0] & {2{packet[9]}}}), .sr_fault_o(sr_fault),
    .sr_bad_o(sr_bad), .s14_fault_i(s10_fault), .s17_bad_o(s13_flowcnt_bad), .s6_hash_i(s6_data),
    .s6_number_i(s6_number), .s6_addr_i(s6_addr), .s6_write_i(write[6]), .s6_read_i(read[6]),
    .s6_flowlet_hit_i(s6_hit[`EGRET_HIT_FLOWLET]), .s9_packet_i(packet[9]), .s9_read_i(read[9]),
    .s9_write_i(write[9]), .s9_hit_i(s9_hit), .s9_early_i(s9_early_q), .s9_down_i(s9_down_q),
    .s9_scheme_i(s9_scheme), .s9_data_i(s9_data_q),
    .s9_word_i((s9_bucket_port & {PORT_W{s9_hit[`EGRET_HIT_BUCKET]}}) | (s9_schedule_port &
      {PORT_W{s9_hit[`EGRET_HIT_SCHEDULE]}})), .s9_choice_i(s9_choice), .s9_live_i(s9_live),
    .s9_choice_bad_i(s9_choice_bad), .s9_repair_port_i(s9_repair_port), .s9_mask_i(s9_mask),
    .sr_packet_o(sr_packet), .sr_read_o(sr_read), .sr_hit_o(sr_hit), .sr_early_o(sr_early),
    .sr_down_o(sr_down), .sr_scheme_o(sr_scheme), .sr_data_o(sr_data),
    .sr_read_data_o(sr_read_data), .sr_word_o(sr_word), .sr_choice_o(sr_choice),
    .sr_live_o(sr_live), .sr_repair_port_o(sr_repair_port), .sr_mask_o(sr_mask),
    .s14_sent_i(s10_sent), .s14_port_i(res_port), .s14_length_i(s10_length), .s14_read_i(s10_read),
    .s14_group_i(s10_group), .s14_addr_i(s10_addr), .s15_word_o(s11_deep_word),
    .s17_word_o(s13_deep_word)
  );

  egret_result #(
    .NUM_PORTS(NUM_PORTS), .PORT_W(PORT_W), .GROUP_W(GROUP_W), .PARITY(PARITY)
  ) u_result (
    .s9_fault_i(sr_fault), .s9_bad_i(sr_bad), .s10_fault_flowcnt_o(s10_fault),
    .s13_bad_i(s13_flowcnt_bad), .clk_i(clk_i), .rst_i(rst_i), .clr_i(sweep),
    .clr_port_i(sweep_addr[PORT_W-1:0]), .clr_group_i(sweep_addr[GROUP_W:0]),
    .s9_packet_i(sr_packet), .s9_read_i(sr_read), .s9_hit_i(sr_hit), .s9_early_i(sr_early),
    .s9_down_i(sr_down), .s9_scheme_i(sr_scheme), .s9_data_i(sr_data),
    .s9_read_data_i(sr_read_data), .s9_word_i(sr_word), .s9_choice_i(sr_choice),
    .s9_live_i(sr_live), .s9_repair_port_i(sr_repair_port), .s9_mask_i(sr_mask),
    .s10_addr_i(s10_addr), .s10_length_i(s10_length), .s10_group_i(s10_group),
    .s10_group_ok_i(s10_group_ok), .s10_drop_scheme_o(s10_drop_scheme),
    .s10_drop_index_o(s10_drop_index), .s10_sent_o(s10_sent), .s10_read_o(s10_read),
    .s11_global_word_i(s11_global_word), .s11_word_i(s11_deep_word), .s13_word_i(s13_deep_word),
    .res_valid_o(res_valid), .res_read_o(res_read), .res_drop_o(res_drop), .res_port_o(res_port),
    .res_choice_o(res_choice), .res_scheme_o(res_scheme), .res_reason_o(res_reason),
    .res_data_o(res_data)
  );
  wire unused_late = &{1'b0, s7_draw[15:8], s1_address_hit, packet, write, read, fault, s2_events_q,
                       s2_hit, s3_hit, s4_hit, s6_hit, s7_hit, s3_addr, s3_row_base, s3_row_mask};

  // Results ---------------------------------------------------------------------------------------
  wire              out_read, out_drop;
  wire [PORT_W-1:0] out_port, out_choice;

  egret_rsp_fifo #(
    .TAG_W(32), .WIDTH(41 + 2 * PORT_W), .DEPTH(RSP_DEPTH), .BLOCK_RAM(BLOCK_RAM)
  ) u_results (
    .clk_i(clk_i), .rst_i(rst_i), .alloc_i(f1_result), .tag_i(f1_tag), .fill_i(res_valid),
    .data_i({res_read, res_drop, res_port, res_choice, res_scheme, res_reason, res_data}),
    .rsp_valid_o(rsp_valid_o), .rsp_ready_i(rsp_ready_i), .rsp_tag_o(rsp_tag_o),
    .rsp_data_o({out_read, out_drop, out_port, out_choice, rsp_scheme_o, rsp_reason_o, rsp_data_o})
  );

  assign rsp_kind_o   = out_read ? 2'd2 : 2'd1;
  assign rsp_port_o   = {8{out_drop}} | {{8 - PORT_W{1'b0}}, out_port};
  assign rsp_choice_o = {8{out_drop}} | {{8 - PORT_W{1'b0}}, out_choice};

`ifndef SYNTHESIS
  // A result that waits does not change.
  reg         waits_q;
  reg  [88:0] waiting_q;
  wire [88:0] rsp = {rsp_kind_o, rsp_tag_o, rsp_port_o, rsp_choice_o, rsp_scheme_o, rsp_reason_o,
                     rsp_data_o};
  always @(posedge clk_i) begin
    waits_q   <= ~rst_i & rsp_valid_o & ~rsp_ready_i;
    waiting_q <= rsp;
  end
  `EGRET_ASSERT(!waits_q || (rsp_valid_o && rsp == waiting_q), "a result changed while it waited")
`endif

`ifdef FORMAL // properties
`include "egret_core_formal.vh"
`endif

endmodule
`default_nettype wire
