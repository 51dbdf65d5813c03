// SPDX-License-Identifier: Apache-2.0
// What was found to have bad parity (docs/spec/faults.md): the number of packets that met a bad
// entry and the tables where, and the fault writes of counters on their way to them. Only in
// configurations with PARITY.
// Stages as in egret_core: flags of a slot at S9, those of the counters that it ticked at S13;
// words for a read at S13 count all slots before it.
// State: the count, modulo 2^32, and one bit a table, which stays until a reset.
// C twin: cmodel/select/faults.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_assert.vh"
`include "egret_regs.vh"

module egret_faults (
  input  wire        clk_i,
  input  wire        rst_i,
  // S9: a legal fault write and its region; what the packet found bad: drill, flowlet, pointer,
  // schedule, bucket, matrix, group
  input  wire        s9_fault_i,
  input  wire [12:0] s9_hit_i,
  input  wire [6:0]  s9_bad_i,
  // S10: a fault write of a counter: flowlet, group, port
  output wire [2:0]  s10_fault_o,
  // S13: counters that the packet ticked and found bad: flowlet, group, port
  input  wire [2:0]  s13_bad_i,
  // word of a read, 0 if it names none
  input  wire [5:0]  addr_i,
  output wire [31:0] s13_word_o
);

  reg  [2:0]  s10_fault_q;
  wire [6:0]  s13_bad;
  reg  [31:0] faults_q;
  reg  [9:0]  tables_q;
  wire [9:0]  found = {s13_bad_i, s13_bad};

  egret_delay #(.WIDTH(7), .CYCLES(4), .RESET(1)) u_bad (
    .clk_i(clk_i), .rst_i(rst_i), .data_i(s9_bad_i), .data_o(s13_bad));

  always @(posedge clk_i)
    if (rst_i) begin
      s10_fault_q <= 3'd0;
      faults_q    <= 32'd0;
      tables_q    <= 10'd0;
    end else begin
      s10_fault_q <= {s9_hit_i[`EGRET_HIT_FLOWCNT], s9_hit_i[`EGRET_HIT_GROUPCNT],
                      s9_hit_i[`EGRET_HIT_PORTCNT]} & {3{s9_fault_i}};
      if (|found) faults_q <= faults_q + 32'd1;
      tables_q <= tables_q | found;
    end

  assign s10_fault_o = s10_fault_q;
  assign s13_word_o  = (addr_i == `EGRET_G_FAULTS) ? faults_q :
                       (addr_i == `EGRET_G_FAULT_TABLES) ? {22'd0, tables_q} : 32'd0;
  wire unused_ok = &{1'b0, s9_hit_i};

`ifdef FORMAL // properties
`ifdef PROVE_egret_faults
  // Nothing is forgotten: a table that was found once stays, every packet that found one counts.
  reg        f_run_q;
  reg [31:0] f_count_q;
  reg [9:0]  f_tables_q;
  always @(posedge clk_i) begin
    f_run_q    <= !rst_i;
    f_count_q  <= (rst_i ? 32'd0 : faults_q) + (!rst_i && found != 10'd0);
    f_tables_q <= rst_i ? 10'd0 : tables_q | found;
  end
  `EGRET_ASSERT(!f_run_q || (faults_q == f_count_q && tables_q == f_tables_q), "count, tables")
  `EGRET_COVER(faults_q == 32'd2 && tables_q == 10'h201)
`endif
`endif

endmodule
`default_nettype wire
