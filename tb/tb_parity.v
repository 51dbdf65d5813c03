// SPDX-License-Identifier: Apache-2.0
// Bits of memories that flip by themselves: egret_core as in configuration p7 with the bits of its
// memories inverted from outside, one at a time. A packet that uses the entry must meet it: FAULTS
// ticks by one, the table's bit of FAULT_TABLES is set, the reason is what docs/spec/faults.md
// says; and when the entry is written or used anew, or no bit is flipped, FAULTS stands still.
// Of every table two entries or more, each with two different contents (of the matrix one word of
// each nibble): every stored bit, parity bits and second copies included. No fault write is made.
// Plusargs: +wrong (flips nothing: the run must fail).
`timescale 1ns / 1ps
`default_nettype none

module tb_parity;

  localparam GROUP = 0, MATRIX = 1, BUCKET = 2, SCHEDULE = 3, POINTER = 4, FLOWLET = 5, MEMORY = 6,
             PORT_COUNTER = 7, GROUP_COUNTER = 8, FLOWLET_COUNTER = 9, TABLES = 10;
  localparam CHOSEN = 0, REPAIRED = 1, DROP_SCHEME = 4, DROP_FAULT = 6;
  localparam PACKET = 2'd0, WRITE = 2'd1, READ = 2'd2;

  reg          clk, rst, req_valid, wrong;
  reg  [1:0]   kind;
  reg  [23:0]  addr;
  reg  [31:0]  data, word;
  reg  [15:0]  group;
  reg  [327:0] record;
  wire         init_done, req_ready, rsp_valid;
  wire [2:0]   rsp_reason;
  wire [31:0]  rsp_data;
  reg  [2:0]   reason;
  reg          flip, again;
  integer      pass, fail, table_, entry, bit_, faults, tables, bits, want, flips;

  egret_core #(
    .NUM_PORTS(7), .NUM_GROUPS(8), .NUM_KEYS(32), .NUM_BINS(4), .NUM_ROWS(16), .ROW_LEN(16),
    .NUM_BUCKETS(128), .HASH_KIND(1), .RSP_DEPTH(16), .SCHEMES(510), .NUM_FLOWLETS(64), .PARITY(1)
  ) u_core (
    .clk_i(clk), .rst_i(rst), .init_done_o(init_done), .port_valid_i(1'b0), .port_ready_o(),
    .port_id_i(8'd0), .port_up_i(1'b0), .queue_valid_i(1'b0), .queue_ready_o(), .queue_id_i(8'd0),
    .queue_depth_i(32'd0), .tick_valid_i(1'b0), .tick_ready_o(), .tick_now_i(48'd0),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_kind_i(kind), .req_now_i(48'd0),
    .req_tag_i(32'd0), .req_group_i(group), .req_key_i(16'd3), .req_bin_i(8'd1),
    .req_class_i(4'd0), .req_length_i(16'd100), .req_entropy_i(32'd0), .req_record_i(record),
    .req_addr_i(addr), .req_data_i(data), .rsp_valid_o(rsp_valid), .rsp_ready_i(1'b1),
    .rsp_kind_o(), .rsp_tag_o(), .rsp_port_o(), .rsp_choice_o(), .rsp_scheme_o(),
    .rsp_reason_o(rsp_reason), .rsp_data_o(rsp_data)
  );

  // The memories. `bit_` counts through all that hold a part of an entry.
  always @(flip)
    case (table_)
      GROUP:
        if (bit_ < 94)
          u_core.u_groups.u_groups.gen_sync.mem[entry] =
            u_core.u_groups.u_groups.gen_sync.mem[entry] ^ (94'd1 << bit_);
        else if (bit_ < 96)
          u_core.u_groups.u_spray_rr.gen_async.mem[entry] =
            u_core.u_groups.u_spray_rr.gen_async.mem[entry] ^ (2'd1 << (bit_ - 94));
        else
          u_core.u_deep.gen_deep.u_groups.u_groups.gen_sync.mem[entry] =
            u_core.u_deep.gen_deep.u_groups.u_groups.gen_sync.mem[entry] ^ (61'd1 << (bit_ - 96));
      BUCKET:
        u_core.u_ecmp.u_buckets.gen_sync.mem[entry] =
          u_core.u_ecmp.u_buckets.gen_sync.mem[entry] ^ (4'd1 << bit_);
      SCHEDULE:
        u_core.u_schedule.u_rows.gen_sync.mem[entry] =
          u_core.u_schedule.u_rows.gen_sync.mem[entry] ^ (4'd1 << bit_);
      POINTER:
        u_core.u_pointers.u_table.u_ram.gen_sync.mem[pointer(entry)] =
          u_core.u_pointers.u_table.u_ram.gen_sync.mem[pointer(entry)] ^ (30'd1 << bit_);
      FLOWLET:
        u_core.u_deep.gen_deep.gen_flowlet.u_flowlet.u_ram.gen_sync.mem[entry] =
          u_core.u_deep.gen_deep.gen_flowlet.u_flowlet.u_ram.gen_sync.mem[entry] ^ (41'd1 << bit_);
      MEMORY:
        u_core.u_deep.gen_deep.gen_load.u_drill.u_memory.gen_sync.mem[entry] =
          u_core.u_deep.gen_deep.gen_load.u_drill.u_memory.gen_sync.mem[entry] ^ (5'd1 << bit_);
      PORT_COUNTER:
        u_core.u_result.u_counters.u_ports.u_ram.gen_sync.mem[entry] =
          u_core.u_result.u_counters.u_ports.u_ram.gen_sync.mem[entry] ^ (86'd1 << bit_);
      GROUP_COUNTER:
        u_core.u_result.u_counters.u_groups.u_ram.gen_sync.mem[entry] =
          u_core.u_result.u_counters.u_groups.u_ram.gen_sync.mem[entry] ^ (35'd1 << bit_);
      FLOWLET_COUNTER:
        u_core.u_deep.gen_deep.gen_counters.u_counters.u_table.u_ram.gen_sync.mem[entry] =
          u_core.u_deep.gen_deep.gen_counters.u_counters.u_table.u_ram.gen_sync.mem[entry] ^
          (35'd1 << bit_);
      default: ;
    endcase
  genvar n;
  generate
    for (n = 0; n < 82; n = n + 1) begin : gen_flip
      always @(flip)
        if (table_ == MATRIX && entry / 16 == n)
          u_core.u_hash.gen_matrix.u_hash.gen_nibble[n].u_table.gen_async.mem[entry % 16] =
            u_core.u_hash.gen_matrix.u_hash.gen_nibble[n].u_table.gen_async.mem[entry % 16] ^
            (33'd1 << bit_);
    end
  endgenerate

  // Stored bits of an entry, with the widths of p7.
  function integer bits_of(input integer t);
    case (t)
      GROUP:           bits_of = 94 + 2 + 61;
      MATRIX:          bits_of = 33;
      BUCKET:          bits_of = 4;
      SCHEDULE:        bits_of = 4;
      POINTER:         bits_of = 30;
      FLOWLET:         bits_of = 41;
      MEMORY:          bits_of = 5;
      PORT_COUNTER:    bits_of = 86;
      default:         bits_of = 35;
    endcase
  endfunction

  // Number, first entry and distance of the entries that are tried.
  function [47:0] entries_of(input integer t);
    case (t)
      GROUP:           entries_of = {16'd2, 16'd3, 16'd4};
      MATRIX:          entries_of = {16'd82, 16'd5, 16'd16}; // but see below
      BUCKET:          entries_of = {16'd3, 16'd0, 16'd63};
      SCHEDULE:        entries_of = {16'd3, 16'd7, 16'd251};
      POINTER:         entries_of = {16'd2, 16'd6, 16'd1};
      FLOWLET:         entries_of = {16'd2, 16'd1, 16'd60};
      MEMORY:          entries_of = {16'd2, 16'd2, 16'd3};
      PORT_COUNTER:    entries_of = {16'd2, 16'd0, 16'd6};
      GROUP_COUNTER:   entries_of = {16'd2, 16'd6, 16'd5};
      default:         entries_of = {16'd2, 16'd24, 16'd32};
    endcase
  endfunction

  // Pointers: of `dr` {key, bin}, those of `spray-rr` behind them; entry 6 is key 3, bin 1.
  function integer pointer(input integer e);
    pointer = (e == 6) ? 4 * 3 + 1 : 32 * 4 + e;
  endfunction

  task clock;
    begin
      #4 clk = 1'b1;
      #5 clk = 1'b0;
      #1 ;
    end
  endtask

  // A request; for a packet or a read, until its result is there; then the pipe is empty.
  task request(input [1:0] k, input [23:0] a, input [31:0] d);
    integer i;
    reg     done;
    begin
      {kind, addr, data, req_valid} = {k, a, d, 1'b1};
      done = 1'b0;
      while (!done) begin
        #1 done = req_ready;
        clock;
      end
      req_valid = 1'b0;
      done = k == WRITE;
      for (i = 0; i < 60 && !done; i = i + 1) begin
        done = rsp_valid;
        reason = rsp_reason;
        word = rsp_data;
        clock;
      end
      if (!done) begin
        $display("tb_parity: no result");
        fail = fail + 1;
      end
    end
  endtask

  task write(input [23:0] a, input [31:0] d);
    request(WRITE, a, d);
  endtask

  task put_group(input [15:0] g, input [31:0] w0, input [15:0] row, input [15:0] bucket,
                 input [31:0] members, input [15:0] flowlet, input [31:0] w6);
    begin
      write(24'h000021, {16'd0, row});
      write(24'h000022, {16'd0, bucket});
      write(24'h000023, members);
      write(24'h000024, 32'd0);
      write(24'h000025, {16'd0, flowlet});
      write(24'h000026, w6);
      write(24'h100000 + 8 * g, w0);
    end
  endtask

  // Writes the entry, and a group that has a packet use it; `again`: with other contents.
  task prepare;
    reg [31:0] e;
    begin
      e = entry;
      group = 16'd3;
      record = 328'd0;
      want = CHOSEN;
      case (table_)
        GROUP: begin
          group = e[15:0];
          want = DROP_FAULT;
          put_group(group, again ? 32'h1f0a7f15 : 32'h00000004, again ? 16'd3 : 16'd0, 16'd5,
                    32'h7f, again ? 16'd9 : 16'd0, again ? 32'h1d000007 : 32'd0);
        end
        MATRIX: begin
          record[327 - 4 * (entry / 16) -: 4] = e[3:0];
          want = DROP_FAULT;
          if (bit_ <= 0) put_group(group, 32'h1, 16'd0, 16'd0, 32'h7f, 16'd0, 32'd0);
          write(24'h800000 + e[23:0], again ? 32'h80000003 : 32'h00ff0000);
        end
        BUCKET: begin
          want = REPAIRED;
          put_group(group, 32'h4, 16'd0, e[15:0], 32'h7f, 16'd0, 32'd0);
          write(24'h200000 + e[23:0], again ? 32'd3 : 32'd4);
        end
        SCHEDULE: begin // {bank, row, slot}
          want = REPAIRED;
          put_group(group, {8'd0, 4'd0, e[3:0], 11'd0, e[8], 4'd2}, {12'd0, e[7:4]}, 16'd0, 32'h7f,
                    16'd0, 32'd0);
          write(24'h480003, {28'd0, e[3:0]});
          write({8'h30 + {7'd0, e[8]}, 4'd0, e[7:4], 4'd0, e[3:0]}, again ? 32'd3 : 32'd4);
        end
        POINTER: begin
          want = REPAIRED;
          group = (entry == 6) ? 16'd3 : e[15:0];
          put_group(group, (entry == 6) ? 32'hf0003 : 32'hf0002, 16'd0, 16'd0, 32'h7f, 16'd0,
                    32'd0);
          write((entry == 6) ? 24'h400031 : 24'h480000 + e[23:0],
                again ? 32'h12300504 : 32'h00100108);
        end
        FLOWLET: begin // a hit
          put_group(group, 32'h8, 16'd0, 16'd0, 32'h7f, e[15:0], 32'h00ffffff);
          write(24'h000027, again ? 32'd0 : 32'd1);
          write(24'hc00000 + 2 * e[23:0], 32'h8a5c0000 + (again ? 32'd2 : 32'd4));
        end
        MEMORY: begin // two samples and a memory
          group = e[15:0];
          put_group(group, 32'h7, 16'd0, 16'd0, 32'h7f, 16'd0, 32'h18000000);
          write(24'ha00000 + e[23:0], again ? 32'h80000005 : 32'h80000001);
        end
        PORT_COUNTER: begin
          if (bit_ <= 0) put_group(group, 32'h4, 16'd0, 16'd0, 32'h7f, 16'd0, 32'd0);
          if (bit_ <= 0) write(24'h200000, e);
        end
        GROUP_COUNTER: begin // drops, repairs
          group = {1'b0, e[15:1]};
          want = e[0] ? REPAIRED : DROP_SCHEME;
          if (bit_ <= 0) put_group(group, e[0] ? 32'h4 : 32'h9, 16'd0, 16'd0, 32'h2, 16'd0, 32'd0);
          if (bit_ <= 0) write(24'h200000, 32'd0);
        end
        default: begin // hits
          group = e[15:0] / 8;
          if (bit_ <= 0) put_group(group, 32'h8, 16'd0, 16'd0, 32'h7f, 16'd2, 32'h00ffffff);
          if (bit_ <= 0) write(24'hc00004, 32'h8a5c0001);
        end
      endcase
      // What is written is in the memory, and nothing that waits takes its place.
      repeat (24) clock;
    end
  endtask

  // FAULTS and FAULT_TABLES.
  task expect_counts;
    begin
      request(READ, 24'h00002b, 32'd0);
      if (word !== faults) begin
        $display("tb_parity: table %0d entry %0d bit %0d: FAULTS %0d, not %0d", table_, entry, bit_,
                 word, faults);
        faults = word;
        fail = fail + 1;
      end else pass = pass + 1;
      request(READ, 24'h00002c, 32'd0);
      if (word !== tables) begin
        $display("tb_parity: table %0d entry %0d bit %0d: FAULT_TABLES %0x, not %0x", table_, entry,
                 bit_, word, tables);
        tables = word;
        fail = fail + 1;
      end else pass = pass + 1;
    end
  endtask

  // A packet while nothing is wrong.
  task good;
    begin
      prepare;
      request(PACKET, 24'd0, 32'd0);
      expect_counts;
    end
  endtask

  task one_entry;
    begin
      bit_ = -1;
      good;
      good;
      for (bit_ = 0; bit_ < bits_of(table_); bit_ = bit_ + 1) begin
        prepare;
        if (!wrong) flip = ~flip;
        #1 ;
        flips = flips + 1;
        request(PACKET, 24'd0, 32'd0);
        if ({29'd0, reason} !== want) begin
          $display("tb_parity: table %0d entry %0d bit %0d: reason %0d, not %0d", table_, entry,
                   bit_, reason, want);
          fail = fail + 1;
        end
        faults = faults + 1;
        tables = tables | (1 << table_);
        expect_counts;
      end
      bit_ = -1;
      good;
      if (table_ == MATRIX) write(24'h800000 + entry[23:0], 32'd0);
    end
  endtask

  integer    round;
  reg [47:0] some;
  initial begin
    wrong = $test$plusargs("wrong") != 0;
    {clk, rst, req_valid, flip, again} = 5'b01000;
    {kind, addr, data, group} = 74'd0;
    record = 328'd0;
    {pass, fail, faults, tables, flips} = {5{32'd0}};
    repeat (3) clock;
    rst = 1'b0;
    while (init_done !== 1'b1) clock;
    write(24'h00000a, 32'ha5c31234); // HASH_SEED: the tag of a flowlet is a5c
    for (table_ = 0; table_ < TABLES; table_ = table_ + 1) begin
      some = entries_of(table_);
      bits = flips;
      for (round = 0; round < {16'd0, some[47:32]}; round = round + 1) begin
        entry = {16'd0, some[31:16]} + round * {16'd0, some[15:0]};
        if (table_ == MATRIX) entry = 16 * round + (7 * round + 5) % 16;
        again = round[0];
        one_entry;
        again = ~again;
        if (table_ != MATRIX) one_entry;
      end
      if (fail < 40) $display("table %0d: %0d bits flipped", table_, flips - bits);
    end
    $display("RESULT pass=%0d fail=%0d", pass, fail);
    if (fail != 0 || pass == 0) $fatal;
    $finish;
  end

endmodule
`default_nettype wire
