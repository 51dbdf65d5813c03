// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_hash with HASH_KIND matrix, any matrix in its tables. The seed is written,
// then the record comes; what follows is free, writes included. C side: cmodel/test/equiv_matrix.c.
// clocks 7
// state 1 matrix u_hash.gen_matrix.u_hash.gen_nibble[{i//16}].u_table.gen_async.mem[{i%16}]
`default_nettype none
`include "egret_regs.vh"

module equiv_matrix (
  input  wire         clk_i,
  input  wire [31:0]  seed,
  input  wire [327:0] record,
  output wire [31:0]  hash
);

  reg [2:0] clock_q;
  initial clock_q = 3'd0;
  always @(posedge clk_i) clock_q <= clock_q + 3'd1;

  (* anyseq *) wire         other_write;
  (* anyseq *) wire [23:0]  other_addr;
  (* anyseq *) wire [31:0]  other_data;
  (* anyseq *) wire [327:0] other_record;

  reg  [327:0] record_msb;
  integer      i;
  always @* for (i = 0; i < 41; i = i + 1) record_msb[327-8*i -: 8] = record[8*i +: 8];

  // Clock 0 is a reset. The write of the seed is at F0 in clock 1, the record in clock 2; F1 and S1
  // are a clock later.
  egret_hash #(.HASH_KIND(1)) u_hash (
    .clk_i      (clk_i),
    .rst_i      (clock_q == 3'd0),
    .clr_i      (1'b0),
    .clr_addr_i (11'd0),
    .f0_write_i (clock_q == 3'd1 || (clock_q > 3'd2 && other_write)),
    .f0_addr_i  (clock_q == 3'd1 ? `EGRET_G_HASH_SEED : other_addr),
    .f0_fields_i(other_data[6:0]),
    .f0_record_i(clock_q == 3'd2 ? record_msb : other_record),
    .f1_write_i (clock_q == 3'd2 || (clock_q > 3'd3 && other_write)),
    .f1_addr_i  (other_addr[10:0]),
    .f1_data_i  (clock_q == 3'd2 ? seed : other_data),
    .f1_word_o  (),
    .s1_write_i (clock_q > 3'd3 && other_write),
    .s1_fault_i (1'b0),
    .s1_parity_i(1'b0),
    .s4_word_o  (),
    .s5_hash_o  (hash),
    .s6_bad_o   ()
  );

endmodule
`default_nettype wire
