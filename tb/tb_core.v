// SPDX-License-Identifier: Apache-2.0
// Cycle-level bench of egret_core. All thinking is in C (tb/shim/bench.h): once a clock, just
// before the rising edge, the engine gets what the core shows and answers with what to drive after
// the next falling edge. Works unchanged in Icarus (engine behind VPI) and in Verilator (behind
// DPI); shim/egret_shim.vh hides the difference. The two vectors have the layout of
// tb/shim/bench_words.c. Plusargs: tb/shim/bench.h.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_shim.vh"

module tb_core #(
  // Parameters of egret_core; every run sets all of them from configs.mk.
  parameter NUM_PORTS   = 4,
  parameter NUM_GROUPS  = 4,
  parameter NUM_KEYS    = 16,
  parameter NUM_BINS    = 2,
  parameter NUM_ROWS    = 8,
  parameter ROW_LEN     = 8,
  parameter NUM_BUCKETS = 64,
  parameter HASH_KIND   = 0,
  parameter RSP_DEPTH   = 16,
  parameter SCHEMES     = 94,
  parameter NUM_FLOWLETS = 0,
  parameter PARITY      = 0,
  parameter BLOCK_RAM   = 0
);
  `EGRET_SHIM_IMPORTS

  localparam [31:0] RUN = 32'd0, PASS = 32'd1;

  reg          clk;
  reg  [767:0] drive, next;
  wire [95:0]  seen;
  integer      state;

  wire        init_done, port_ready, queue_ready, tick_ready, req_ready, rsp_valid;
  wire [1:0]  rsp_kind;
  wire [31:0] rsp_tag, rsp_data;
  wire [7:0]  rsp_port, rsp_choice;
  wire [3:0]  rsp_scheme;
  wire [2:0]  rsp_reason;

  wire handshakes_unknown =
    (^{init_done, port_ready, queue_ready, tick_ready, req_ready, rsp_valid}) === 1'bx;
  wire result_unknown = rsp_valid === 1'b1 &&
    (^{rsp_kind, rsp_tag, rsp_port, rsp_choice, rsp_scheme, rsp_reason, rsp_data}) === 1'bx;

  assign seen = {rsp_data, rsp_tag, rsp_choice, rsp_port, rsp_reason, rsp_scheme, rsp_kind,
                 rsp_valid, req_ready, tick_ready, queue_ready, port_ready, init_done,
                 handshakes_unknown | result_unknown};

  egret_core
`ifndef EGRET_NETLIST
  #(
    .NUM_PORTS  (NUM_PORTS),
    .NUM_GROUPS (NUM_GROUPS),
    .NUM_KEYS   (NUM_KEYS),
    .NUM_BINS   (NUM_BINS),
    .NUM_ROWS   (NUM_ROWS),
    .ROW_LEN    (ROW_LEN),
    .NUM_BUCKETS(NUM_BUCKETS),
    .HASH_KIND  (HASH_KIND),
    .RSP_DEPTH  (RSP_DEPTH),
    .SCHEMES    (SCHEMES),
    .NUM_FLOWLETS(NUM_FLOWLETS),
    .PARITY     (PARITY),
    .BLOCK_RAM  (BLOCK_RAM)
  )
`endif
  u_core (
    .clk_i        (clk),
    .rst_i        (drive[0]),
    .init_done_o  (init_done),
    .port_valid_i (drive[1]),
    .port_ready_o (port_ready),
    .port_id_i    (drive[39:32]),
    .port_up_i    (drive[2]),
    .queue_valid_i(drive[3]),
    .queue_ready_o(queue_ready),
    .queue_id_i   (drive[47:40]),
    .queue_depth_i(drive[95:64]),
    .tick_valid_i (drive[4]),
    .tick_ready_o (tick_ready),
    .tick_now_i   (drive[143:96]),
    .req_valid_i  (drive[5]),
    .req_ready_o  (req_ready),
    .req_kind_i   (drive[9:8]),
    .req_now_i    (drive[207:160]),
    .req_tag_i    (drive[255:224]),
    .req_group_i  (drive[271:256]),
    .req_key_i    (drive[287:272]),
    .req_bin_i    (drive[23:16]),
    .req_class_i  (drive[15:12]),
    .req_length_i (drive[63:48]),
    .req_entropy_i(drive[319:288]),
    .req_record_i (drive[711:384]),
    .req_addr_i   (drive[343:320]),
    .req_data_i   (drive[383:352]),
    .rsp_valid_o  (rsp_valid),
    .rsp_ready_i  (drive[6]),
    .rsp_kind_o   (rsp_kind),
    .rsp_tag_o    (rsp_tag),
    .rsp_port_o   (rsp_port),
    .rsp_choice_o (rsp_choice),
    .rsp_scheme_o (rsp_scheme),
    .rsp_reason_o (rsp_reason),
    .rsp_data_o   (rsp_data)
  );

  // One process owns clock and inputs: sample, rise, fall, drive.
  initial begin
    clk   = 1'b0;
    drive = 768'd1;
    state = `EGRET_SHIM_OPEN(NUM_PORTS, NUM_GROUPS, NUM_KEYS, NUM_BINS, NUM_ROWS, ROW_LEN,
                             NUM_BUCKETS, HASH_KIND, RSP_DEPTH, SCHEMES, NUM_FLOWLETS, PARITY,
                             next);
    drive = next;
    while (state == RUN) begin
      #4 state = `EGRET_SHIM_CLOCK(seen, next);
      #1 clk = 1'b1;
      #5 clk = 1'b0;
      drive = next;
    end
    if (state != PASS) begin
      $display("tb_core: the run failed");
      $fatal;
    end
    $finish;
  end

endmodule
`default_nettype wire
