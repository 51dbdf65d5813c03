// SPDX-License-Identifier: Apache-2.0
// Lock step of egret_core with a netlist of it (module egret_core_netlist), on random events: port,
// queue and tick events, packets for few groups and keys, writes to every region of the address
// map, reads, input and output stalls, and resets. Every clock all handshake outputs must be equal,
// and the result while it is valid. Parameters of egret_core are set from outside.
//   +cycles=<n> clocks, +seed=<n>
// Ends with RESULT pass=<results compared> fail=0, else with $stop, which Verilator turns into an
// exit code other than 0.
`timescale 1ns / 1ps
`default_nettype none

module tb_netlist;

  parameter NUM_PORTS = 16;
  parameter NUM_GROUPS = 32;
  parameter NUM_KEYS = 64;
  parameter NUM_BINS = 2;
  parameter NUM_ROWS = 32;
  parameter ROW_LEN = 32;
  parameter NUM_BUCKETS = 1024;
  parameter HASH_KIND = 1;
  parameter RSP_DEPTH = 16;
  parameter SCHEMES = 126;
  parameter NUM_FLOWLETS = 0;
  parameter PARITY = 0;
  parameter BLOCK_RAM = 0;

  reg          clk = 1'b0;
  reg          rst = 1'b1;
  reg          port_valid = 1'b0, port_up = 1'b0;
  reg          queue_valid = 1'b0, tick_valid = 1'b0, req_valid = 1'b0, rsp_ready = 1'b0;
  reg  [7:0]   port_id = 8'd0, queue_id = 8'd0, req_bin = 8'd0;
  reg  [31:0]  queue_depth = 32'd0, req_tag = 32'd0, req_entropy = 32'd0, req_data = 32'd0;
  reg  [47:0]  tick_now = 48'd0, req_now = 48'd0;
  reg  [1:0]   req_kind = 2'd0;
  reg  [15:0]  req_group = 16'd0, req_key = 16'd0, req_length = 16'd0;
  reg  [3:0]   req_class = 4'd0;
  reg  [327:0] req_record = 328'd0;
  reg  [23:0]  req_addr = 24'd0;

  // Handshakes: init_done, four readies, rsp_valid; result: kind .. data.
  wire [5:0]   hand_a, hand_b;
  wire [88:0]  rsp_a, rsp_b;

`define EGRET_PORTS(hand, rsp) \
    .clk_i(clk), .rst_i(rst), .init_done_o(hand[5]), \
    .port_valid_i(port_valid), .port_ready_o(hand[4]), .port_id_i(port_id), .port_up_i(port_up), \
    .queue_valid_i(queue_valid), .queue_ready_o(hand[3]), .queue_id_i(queue_id), \
    .queue_depth_i(queue_depth), \
    .tick_valid_i(tick_valid), .tick_ready_o(hand[2]), .tick_now_i(tick_now), \
    .req_valid_i(req_valid), .req_ready_o(hand[1]), .req_kind_i(req_kind), .req_now_i(req_now), \
    .req_tag_i(req_tag), .req_group_i(req_group), .req_key_i(req_key), .req_bin_i(req_bin), \
    .req_class_i(req_class), .req_length_i(req_length), .req_entropy_i(req_entropy), \
    .req_record_i(req_record), .req_addr_i(req_addr), .req_data_i(req_data), \
    .rsp_valid_o(hand[0]), .rsp_ready_i(rsp_ready), .rsp_kind_o(rsp[88:87]), \
    .rsp_tag_o(rsp[86:55]), .rsp_port_o(rsp[54:47]), .rsp_choice_o(rsp[46:39]), \
    .rsp_scheme_o(rsp[38:35]), .rsp_reason_o(rsp[34:32]), .rsp_data_o(rsp[31:0])

  egret_core #(
    .NUM_PORTS(NUM_PORTS), .NUM_GROUPS(NUM_GROUPS), .NUM_KEYS(NUM_KEYS), .NUM_BINS(NUM_BINS),
    .NUM_ROWS(NUM_ROWS), .ROW_LEN(ROW_LEN), .NUM_BUCKETS(NUM_BUCKETS), .HASH_KIND(HASH_KIND),
    .RSP_DEPTH(RSP_DEPTH), .SCHEMES(SCHEMES), .NUM_FLOWLETS(NUM_FLOWLETS),
    .PARITY(PARITY), .BLOCK_RAM(BLOCK_RAM)
  ) u_rtl (`EGRET_PORTS(hand_a, rsp_a));

  egret_core_netlist u_netlist (`EGRET_PORTS(hand_b, rsp_b));

  always #5 clk = ~clk;

  // xorshift64*, low half
  reg [63:0] state = 64'h9e3779b97f4a7c15;
  function [63:0] next(input [63:0] s);
    begin
      next = s ^ (s >> 12);
      next = next ^ (next << 25);
      next = next ^ (next >> 27);
    end
  endfunction

  reg [31:0] r;
  task draw;
    begin
      state = next(state);
      r = state[47:16];
    end
  endtask

  // A number below the limit, often a small one, rarely one too many.
  function [15:0] index(input [31:0] x, input integer limit);
    index = (x[31:28] == 4'd0) ? limit[15:0] : (x[27:26] == 2'd0) ? x[15:0] & (limit[15:0] - 16'd1)
            : {14'd0, x[1:0]} & (limit[15:0] - 16'd1);
  endfunction

  reg [31:0] x, y;
  task new_request;
    begin
      draw;
      req_kind   = (r[7:0] < 8'd150) ? 2'd0 : (r[7:0] < 8'd230) ? 2'd1 : 2'd2;
      req_now    = {r[15:0], r};
      req_class  = r[11:8];
      req_length = r[31:16];
      draw;
      req_tag    = r;
      draw;
      req_entropy = r;
      draw;
      req_group  = index(r, NUM_GROUPS);
      draw;
      req_key    = index(r, NUM_KEYS);
      draw;
      x          = {16'd0, index(r, NUM_BINS)};
      req_bin    = x[7:0];
      draw;
      // records of few flows
      req_record = {r[1:0], 310'd0, r[2:0], 13'd0} ^ {8'd0, {20{r[31:16]}}};
      draw;
      x = r;
      draw;
      y = r;
      draw;
      req_data = r;
      case (x[3:0])
        4'd0, 4'd1, 4'd2, 4'd3: begin  // commit: a known scheme mostly, short rows
          req_addr = 24'h100000 + {5'd0, index(y, NUM_GROUPS), 3'd0};
          req_data = {8'd0, 4'd0, r[19:16], r[15:4], r[31:28] == 4'd0 ? r[3:0] : {2'd0, r[1:0]}};
        end
        4'd4, 4'd5: req_addr = 24'h200000 + {8'd0, index(y, NUM_BUCKETS)};
        4'd6, 4'd7: req_addr = 24'h300000 + {7'd0, x[4], x[5] ? 8'd0 : x[13:6],
                                             x[14] ? {6'd0, x[16:15]} : x[24:17]};
        4'd8: req_addr = 24'h400000 + {4'd0, index(y, NUM_KEYS), 3'd0, x[4]};
        4'd9: req_addr = 24'h480000 + {8'd0, index(y, NUM_GROUPS)};
        4'd10: req_addr = {x[23:20], 12'd0, x[11:4]};
        4'd11, 4'd12: req_addr = 24'h000021 + {22'd0, x[5:4]};
        4'd13: req_addr = {19'd0, x[8:4]};
        4'd14: req_addr = 24'h800000 + {13'd0, x[14:4]};
        default: req_addr = 24'h600000 + {3'd0, x[20], 12'd0, x[11:4]};
      endcase
      if (x[3:0] >= 4'd4 && x[3:0] <= 4'd7 && r[31:28] != 4'd0) req_data = r % NUM_PORTS;
      if (x[3:0] == 4'd13 && req_addr[3:0] == 4'd8 && r[31]) req_data = 32'd3;
      if (req_kind == 2'd2) req_tag = {8'd0, req_addr};
    end
  endtask

  integer cycles, seed, cycle, results, packets, drops, since_reset;
  reg [5:0] taken;
  reg [7:0] stall_in, stall_out;

  initial begin
    cycles = 20000;
    seed = 1;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 20000;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    state = state ^ {32'd0, seed} ^ {seed, 32'd0};
    results = 0;
    packets = 0;
    drops = 0;
    since_reset = 0;
    stall_in = 8'd0;
    stall_out = 8'd0;
    for (cycle = 0; cycle < cycles; cycle = cycle + 1) begin
      // sample just before the rising edge, drive after the falling one
      @(posedge clk);
      #1;
      @(negedge clk);
      draw;
      rst = (cycle < 4) || (since_reset > 1500 && r[11:0] == 12'd0);
      draw;
      if (r[7:0] == 8'd0) begin
        stall_in = r[8] ? r[16:9] : 8'd0;
        stall_out = r[17] ? r[25:18] : 8'd0;
      end
      draw;
      // an offer stays until it is taken
      if (!port_valid || taken[4]) begin
        port_valid = r[3:0] == 4'd0;
        port_id = {4'd0, r[7:4]} % (NUM_PORTS + 1);
        port_up = r[9:8] != 2'd0;
      end
      if (!queue_valid || taken[3]) begin
        queue_valid = r[12:10] == 3'd0;
        queue_id = {2'd0, r[18:13]} % (NUM_PORTS + 1);
        queue_depth = {r[15:0], r[31:16]};
      end
      if (!tick_valid || taken[2]) begin
        tick_valid = r[24:20] == 5'd0;
        tick_now = {r[31:16], r};
      end
      if (!req_valid || taken[1]) begin
        new_request;
        draw;
        req_valid = r[7:0] >= stall_in;
      end
      draw;
      rsp_ready = r[7:0] >= stall_out;
      #4;
      since_reset = (rst || !hand_a[5]) ? 0 : since_reset + 1;
      taken = hand_a;
      if (cycle >= 4) begin
        if (hand_a !== hand_b) begin
          $display("clock %0d: handshakes %b, netlist %b", cycle, hand_a, hand_b);
          $display("RESULT pass=%0d fail=1", results);
          $stop;
        end
        if (hand_a[0] === 1'b1) begin
          if (rsp_a !== rsp_b || ^rsp_a === 1'bx) begin
            $display("clock %0d: result %h, netlist %h", cycle, rsp_a, rsp_b);
            $display("RESULT pass=%0d fail=1", results);
            $stop;
          end
          if (rsp_ready) begin
            results = results + 1;
            if (rsp_a[88:87] == 2'd1) packets = packets + 1;
            if (rsp_a[88:87] == 2'd1 && rsp_a[54:47] == 8'hff) drops = drops + 1;
          end
        end
      end
    end
    $display("%0d clocks, %0d packets of which %0d dropped, %0d reads", cycles, packets, drops,
             results - packets);
    if (packets < 100 || drops == 0 || drops == packets) begin
      $display("too few decisions of either kind");
      $display("RESULT pass=%0d fail=1", results);
      $stop;
    end
    $display("RESULT pass=%0d fail=0", results);
    $finish;
  end

endmodule
`default_nettype wire
