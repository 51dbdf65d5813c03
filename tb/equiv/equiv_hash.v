// SPDX-License-Identifier: Apache-2.0
// scripts/equiv: egret_hash with HASH_KIND fixed or lookup3. Its four registers are written, one
// slot each, then the record comes; what was before is free, and so is what follows, writes
// included. C side: cmodel/test/equiv_hash.c.
// clocks 35 if HASH_KIND == 2 else 9
`default_nettype none
`include "egret_regs.vh"

module equiv_hash #(
  parameter HASH_KIND = 0
) (
  input  wire         clk_i,
  input  wire         crc16,
  input  wire [6:0]   fields,
  input  wire [31:0]  seed,
  input  wire [4:0]   rotation,
  input  wire [327:0] record,
  output wire [31:0]  hash
);

  reg [5:0] clock_q;
  initial clock_q = 6'd0;
  always @(posedge clk_i) clock_q <= clock_q + 6'd1;

  (* anyseq *) wire         other_write, other_rst;
  (* anyseq *) wire [23:0]  other_addr;
  (* anyseq *) wire [31:0]  other_data;
  (* anyseq *) wire [327:0] other_record;

  // Byte 0 of the record is the most significant one, element 0 of the port the least.
  reg  [327:0] record_msb;
  integer      i;
  always @* for (i = 0; i < 41; i = i + 1) record_msb[327-8*i -: 8] = record[8*i +: 8];

  // The slot at F0, and that of the clock before at F1.
  reg        f0_write, f1_write;
  reg [23:0] f0_addr;
  reg [31:0] f0_data, f1_data;
  always @* begin
    f0_write = other_write;
    f0_addr  = other_addr;
    f0_data  = other_data;
    f1_write = other_write;
    f1_data  = other_data;
    if (clock_q < 6'd4) f0_write = 1'b1;
    if (clock_q == 6'd4) f0_write = 1'b0;
    if (clock_q >= 6'd1 && clock_q < 6'd5) f1_write = 1'b1;
    if (clock_q == 6'd5) f1_write = 1'b0;
    case (clock_q)
      6'd0: f0_addr = `EGRET_G_HASH_ALGORITHM;
      6'd1: f0_addr = `EGRET_G_HASH_FIELDS;
      6'd2: f0_addr = `EGRET_G_HASH_SEED;
      6'd3: f0_addr = `EGRET_G_HASH_ROTATION;
      default: ;
    endcase
    if (clock_q == 6'd1) f0_data = {25'd0, fields};
    case (clock_q)
      6'd1: f1_data = crc16 ? `EGRET_HASH_CRC16 : `EGRET_HASH_CRC32C;
      6'd2: f1_data = {25'd0, fields};
      6'd3: f1_data = seed;
      6'd4: f1_data = {27'd0, rotation};
      default: ;
    endcase
  end

  egret_hash #(.HASH_KIND(HASH_KIND)) u_hash (
    .clk_i      (clk_i),
    .rst_i      (clock_q == 6'd0 ? other_rst : 1'b0),
    .clr_i      (1'b0),
    .clr_addr_i (11'd0),
    .f0_write_i (f0_write),
    .f0_addr_i  (f0_addr),
    .f0_fields_i(f0_data[6:0]),
    .f0_record_i(clock_q == 6'd4 ? record_msb : other_record),
    .f1_write_i (f1_write),
    .f1_addr_i  (other_addr[10:0]),
    .f1_data_i  (f1_data),
    .f1_word_o  (),
    .s1_write_i (1'b0),
    .s1_fault_i (1'b0),
    .s1_parity_i(1'b0),
    .s4_word_o  (),
    .s5_hash_o  (hash),
    .s6_bad_o   ()
  );

endmodule
`default_nettype wire
