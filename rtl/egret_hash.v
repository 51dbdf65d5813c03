// SPDX-License-Identifier: Apache-2.0
// The hash of a configuration and its registers (docs/spec/hash.md): one of egret_hash_fixed,
// egret_hash_matrix, egret_hash_lookup3.
// The registers live at the front stage F1, where a slot's write takes effect exactly between the
// packets around it; a read finds its word there. The fixed hash applies its fields at F0, so they
// are written there. F1 is S1 but for lookup3, where DELAY = 26 clocks lie between. Hash at S5.
// State: algorithm, fields, seed, rotation; matrix tables.
// C twin: cmodel/select/hash.c.
`timescale 1ns / 1ps
`default_nettype none
`include "egret_regs.vh"

module egret_hash #(
  // 0 fixed, 1 matrix, 2 lookup3.
  parameter HASH_KIND = 1,
  // 1: the words of the matrix have parity.
  parameter PARITY = 0
) (
  input  wire         clk_i,
  input  wire         rst_i,
  // sweep
  input  wire         clr_i,
  input  wire [10:0]  clr_addr_i,
  // F0: the next slot: is it a write; address, data, record
  input  wire         f0_write_i,
  input  wire [23:0]  f0_addr_i,
  input  wire [6:0]   f0_fields_i,
  input  wire [327:0] f0_record_i,
  // F1: register access
  input  wire         f1_write_i,
  input  wire [10:0]  f1_addr_i,
  input  wire [31:0]  f1_data_i,
  // F1: the register word at the slot's address, 0 if it is none of this module's
  output wire [31:0]  f1_word_o,
  // S1: matrix write
  input  wire         s1_write_i,
  input  wire         s1_fault_i,
  input  wire         s1_parity_i, // of the data
  // S4: matrix word
  output wire [31:0]  s4_word_o,
  // S5
  output wire [31:0]  s5_hash_o,
  // S6: parity of the matrix was bad
  output wire         s6_bad_o
);

  wire       crc16;
  wire [6:0] fields;
  wire [4:0] rotation;
  reg [31:0] seed_q;

  // Which register the slot at F1 names, decoded one stage ahead.
  reg is_algorithm_q, is_fields_q, is_seed_q, is_rotation_q;
  wire f0_global = f0_addr_i[23:6] == {`EGRET_REGION_GLOBAL, 14'd0};
  wire is_fields = f0_global && f0_addr_i[5:0] == `EGRET_G_HASH_FIELDS;
  always @(posedge clk_i) begin
    is_algorithm_q <= f0_global && f0_addr_i[5:0] == `EGRET_G_HASH_ALGORITHM;
    is_fields_q    <= is_fields;
    is_seed_q      <= f0_global && f0_addr_i[5:0] == `EGRET_G_HASH_SEED;
    is_rotation_q  <= f0_global && f0_addr_i[5:0] == `EGRET_G_HASH_ROTATION;
  end

  // Bits of the record that the selected fields cover: source, destination, protocol, ports,
  // destination QP, opcode.
  wire [327:0] select = {{128{fields[0]}}, {128{fields[1]}}, {8{fields[2]}},
                         {16{fields[3]}}, {16{fields[4]}}, {24{fields[5]}},
                         {8{fields[6]}}};

  always @(posedge clk_i)
    if (rst_i) seed_q <= 32'd0;
    else if (f1_write_i && is_seed_q) seed_q <= f1_data_i;

  generate
    if (HASH_KIND == 1) begin : gen_no_regs
      wire unused_f0 = &{1'b0, f0_write_i, f0_fields_i};
      assign crc16    = 1'b0;
      assign fields   = 7'd0;
      assign rotation = 5'd0;
    end else begin : gen_regs
      reg [6:0] fields_q;
      reg [4:0] rotation_q;
      assign fields   = fields_q;
      assign rotation = rotation_q;
      always @(posedge clk_i)
        if (rst_i) rotation_q <= 5'd0;
        else if (f1_write_i && is_rotation_q) rotation_q <= f1_data_i[4:0];
      if (HASH_KIND == 0) begin : gen_algorithm
        reg crc16_q;
        assign crc16 = crc16_q;
        always @(posedge clk_i)
          if (rst_i) fields_q <= 7'h1f;
          else if (f0_write_i && is_fields) fields_q <= f0_fields_i;
        always @(posedge clk_i)
          if (rst_i) crc16_q <= 1'b0;
          else if (f1_write_i && is_algorithm_q) begin
            if (f1_data_i == `EGRET_HASH_CRC16) crc16_q <= 1'b1;
            else if (f1_data_i == `EGRET_HASH_CRC32C) crc16_q <= 1'b0;
          end
      end else begin : gen_no_algorithm
        wire unused_f0 = &{1'b0, f0_write_i, f0_fields_i};
        assign crc16 = 1'b0;
        always @(posedge clk_i)
          if (rst_i) fields_q <= 7'h1f;
          else if (f1_write_i && is_fields_q) fields_q <= f1_data_i[6:0];
      end
    end
  endgenerate

  wire [31:0] algorithm = (HASH_KIND == 0) ? (crc16 ? `EGRET_HASH_CRC16 : `EGRET_HASH_CRC32C) :
                          (HASH_KIND == 1) ? `EGRET_HASH_MATRIX : `EGRET_HASH_LOOKUP3;
  assign f1_word_o = (algorithm & {32{is_algorithm_q}}) | (seed_q & {32{is_seed_q}}) |
                     {25'd0, fields & {7{is_fields_q}}} | {27'd0, rotation & {5{is_rotation_q}}};

  generate
    if (HASH_KIND == 0) begin : gen_fixed
      wire unused_ok = &{1'b0, clr_i, clr_addr_i, s1_write_i, s1_fault_i, s1_parity_i, f1_addr_i};
      assign s4_word_o = 32'd0;
      assign s6_bad_o = 1'b0;
      egret_hash_fixed u_hash (
        .clk_i        (clk_i),
        .f0_record_i  (f0_record_i),
        .f0_select_i  (select),
        .s2_crc16_i   (crc16),
        .s2_seed_i    (seed_q),
        .s2_rotation_i(rotation),
        .s5_hash_o    (s5_hash_o)
      );
    end else if (HASH_KIND == 1) begin : gen_matrix
      wire unused_ok = &{1'b0, crc16, select, is_fields_q, is_rotation_q, is_algorithm_q};
      reg [327:0] f1_record_q;
      always @(posedge clk_i) f1_record_q <= f0_record_i;
      egret_hash_matrix #(.PARITY(PARITY)) u_hash (
        .clk_i      (clk_i),
        .rst_i      (rst_i),
        .clr_i      (clr_i),
        .clr_addr_i (clr_addr_i),
        .s1_record_i(f1_record_q),
        .s1_write_i (s1_write_i),
        .s1_addr_i  (f1_addr_i),
        .s1_data_i  (f1_data_i),
        .s1_fault_i (s1_fault_i),
        .s1_parity_i(s1_parity_i),
        .s2_seed_i  (seed_q),
        .s4_word_o  (s4_word_o),
        .s5_hash_o  (s5_hash_o),
        .s6_bad_o   (s6_bad_o)
      );
    end else begin : gen_lookup3
      wire unused_ok = &{1'b0, clr_i, clr_addr_i, s1_write_i, s1_fault_i, s1_parity_i, crc16,
                         f1_addr_i};
      assign s6_bad_o = 1'b0;
      reg [31:0] initial_q;
      reg [327:0] f1_record_q;
      always @(posedge clk_i) f1_record_q <= f0_record_i;
      // 0xdeadbeef + 41 + seed, kept beside the seed so that F1 has one addition only.
      always @(posedge clk_i)
        if (rst_i) initial_q <= 32'hdeadbeef + 32'd41;
        else if (f1_write_i && is_seed_q) initial_q <= 32'hdeadbeef + 32'd41 + f1_data_i;
      assign s4_word_o = 32'd0;
      egret_hash_lookup3 u_hash (
        .clk_i        (clk_i),
        .rst_i        (rst_i),
        .f1_record_i  (f1_record_q),
        .f1_select_i  (select),
        .f1_initial_i (initial_q),
        .f2_rotation_i(rotation),
        .f31_hash_o   (s5_hash_o)
      );
    end
  endgenerate

endmodule
`default_nettype wire
